use super::{body, lower, lower_files};
use costate_grammar::ir::{Expr, IoItems, StmtKind, SymId};

#[test]
fn if_blocks_and_one_line_ifs() {
    let f = body(
        "integer :: i",
        "if (i > 0) i = 1\na: if (i == 1) then\n i = 2\nelse if (i == 2) then\n i = 3\nelseif (i==3) then\nelse\n i = 4\nend if a",
    );
    assert_eq!(
        f.all("s"),
        ["if (> i 0) {i = 1}", "a: if (== i 1) {i = 2} if (== i 2) {i = 3} if (== i 3) {} else {i = 4}"]
    );
    assert!(matches!(f.stmts("s")[0].kind, StmtKind::If { one_line: true, .. }));
}

#[test]
fn loops() {
    let f = body(
        "integer :: i, n\nreal :: x(9)",
        "outer: do i = n, 1, -1\n do\n  if (n > 3) exit outer\n  cycle\n end do\nend do outer\ndo while (n < 3)\n n = n + 1\nend do\ndo concurrent (i = 1:n, x(i) > 0) local(n)\n x(i) = 0\nend do",
    );
    let want = [
        "outer: do i=n,1,(- 1) {do forever {if (> n 3) {exit outer}; cycle}}",
        "do while (< n 3) {n = (+ n 1)}",
        "do concurrent i (> x[i] 0) local(n) {x[i] = 0}",
    ];
    assert_eq!(f.all("s"), want);
}

#[test]
fn labelled_loops_share_their_end() {
    let f = body(
        "integer :: i, j\nreal :: a(9,9)",
        "do 10 i = 1, 9\ndo 10 j = 1, 9\nif (i == j) goto 10\na(i,j) = 0\n10 continue\ndo 20 i = 1, 9\n20 a(i,i) = 1",
    );
    let want = ["do i=1,9 {do j=1,9 {if (== i j) {cycle}; a[i,j] = 0}}", "do i=1,9 {a[i,i] = 1}"];
    assert_eq!(f.all("s"), want);
}

#[test]
fn a_jump_into_a_construct_keeps_its_label() {
    let f = body("integer :: i", "i = 0\ngoto 20\n10 i = i + 1\nif (i < 3) goto 10\n20 i = 5\nif (i < 3) goto 10");
    assert_eq!(f.all("s")[1..3], ["Goto(20)", "10 i = (+ i 1)"]);
    assert_eq!(f.all("s")[5], "if (< i 3) {Goto(10)}");
}

#[test]
fn jumps_become_structure() {
    let of = |text: &str| body("integer :: i", text).all("s");
    assert_eq!(
        of("i = 0\n10 continue\ni = i + 1\nif (i < 3) goto 10"),
        ["i = 0", "repeat_10: do forever {i = (+ i 1); if (.not. (< i 3)) {exit repeat_10}}"]
    );
    assert_eq!(
        of("goto 20\n10 i = i + 1\n20 if (i < 3) goto 10\ni = 7"),
        ["repeat_20: do forever {if (.not. (< i 3)) {exit repeat_20}; i = (+ i 1)}", "i = 7"]
    );
    assert_eq!(
        of("if (i < 3) goto 10\ni = 1\nif (i > 3) goto 10\ni = 2\n10 i = 3"),
        ["if (.not. (< i 3)) {i = 1; if (.not. (> i 3)) {i = 2}}", "i = 3"]
    );
    assert_eq!(of("if (i < 3) goto 10\ni = 1\n10 continue"), ["if (< i 3) {Return}", "i = 1"]);
    assert_eq!(
        of("do i = 1, 3\nif (i == 2) goto 10\nend do\n10 i = 2")[0],
        "before_10: do i=1,3 {if (== i 2) {exit before_10}}"
    );
}

#[test]
fn labels_of_formats_and_transfers_go() {
    let f = body("integer :: i", "read(5, 20, err=10, end=10) i\ni = 1\n10 continue\n20 format (i3, 'it''s')");
    let StmtKind::Io { text, .. } = &f.stmts("s")[0].kind else { panic!() };
    assert_eq!(text, "read(5, '(i3, ''it''''s'')', iostat=io_status) i");
    assert_eq!(f.all("s")[1], "if (> io_status 0) {Return} if (< io_status 0) {Return}");
}

#[test]
fn select_case_and_where_and_forall() {
    let f = body(
        "integer :: i\nreal :: a(9), b(9)",
        "select case (i)\ncase (1, 3:5)\n i = 1\ncase (:0)\n i = 2\ncase default\n i = 3\nend select\nwhere (a > 0) b = a\nwhere (a > 0)\n b = 1\nelsewhere (a < -1)\n b = 2\nelsewhere\n b = 3\nend where\nforall (i = 1:9, a(i) > 0) b(i) = a(i)",
    );
    let s = f.stmts("s");
    let StmtKind::Select { arms, .. } = &s[0].kind else { panic!() };
    assert_eq!(arms.iter().map(|a| (a.ranges.len(), a.body.len())).collect::<Vec<_>>(), [(2, 1), (1, 1), (0, 1)]);
    assert!(
        matches!(&s[1].kind, StmtKind::Where { one_line: true, arms, otherwise: None } if arms.len() == 1 && arms[0].cond.rank == 1)
    );
    assert!(
        matches!(&s[2].kind, StmtKind::Where { one_line: false, arms, otherwise: Some(o) } if arms.len() == 2 && o.len() == 1)
    );
    assert!(
        matches!(&s[3].kind, StmtKind::Forall { one_line: true, indices, mask: Some(_), body } if indices.len() == 1 && body.len() == 1)
    );
}

#[test]
fn associate_and_block_have_scopes() {
    let f = body(
        "real(8) :: a(4, 5)\ninteger :: n",
        "associate (v => a(:, 2), x => a(1, 1))\n x = v(2)\nend associate\nblock\n real :: n\n n = 1.5\nend block\nn = 2",
    );
    let s = f.stmts("s");
    let StmtKind::Associate { bindings, body, .. } = &s[0].kind else { panic!() };
    let v = f.program.var(bindings[0].0).expect("a variable");
    assert_eq!((v.ty, v.rank()), (super::DOUBLE, 1));
    assert_eq!(f.stmt(&body[0]), "x = v[2]");
    let StmtKind::BlockScope { body, .. } = &s[1].kind else { panic!() };
    let StmtKind::Assign { lhs, .. } = &body[0].kind else { panic!() };
    assert_eq!(lhs.ty, costate_grammar::ir::Ty::REAL);
    let StmtKind::Assign { lhs, .. } = &s[2].kind else { panic!() };
    assert_eq!(lhs.ty, costate_grammar::ir::Ty::INTEGER);
}

#[test]
fn allocation() {
    let f = body(
        "real, allocatable :: a(:), b(:,:)\nreal, pointer :: p(:)\ninteger :: n, stat",
        "allocate (a(n), b(0:n, 3), stat=stat)\nallocate (a, source=p)\ndeallocate (a, b, stat=stat)\nnullify (p)\np => null()",
    );
    let s = f.stmts("s");
    let StmtKind::Allocate { items, options, .. } = &s[0].kind else { panic!() };
    assert_eq!(items.iter().map(|i| i.shape.len()).collect::<Vec<_>>(), [1, 2]);
    assert!(items[1].shape[0].0.is_some() && items[1].shape[1].0.is_none());
    assert_eq!(options[0].0.as_str(), "stat");
    assert!(
        matches!(&s[1].kind, StmtKind::Allocate { items, options, .. } if items[0].shape.is_empty() && options[0].0.as_str() == "source")
    );
    assert!(matches!(&s[2].kind, StmtKind::Deallocate { items, options } if items.len() == 2 && options.len() == 1));
    assert!(matches!(&s[3].kind, StmtKind::Nullify(items) if items.len() == 1));
    assert!(matches!(&s[4].kind, StmtKind::PointerAssign { .. }));
}

#[test]
fn input_and_output_say_what_they_touch() {
    let f = body(
        "real :: x, a(9)\ninteger :: i, u, ios\ncharacter(20) :: line\nnamelist /run/ x, u",
        "write (u, '(a)', iostat=ios) x, (a(i), i = 1, 9)\nread (u, *) x, a(2)\nwrite (line, *) x\nread (u, nml=run)\nprint *, x\nopen (newunit=u, file=line)",
    );
    let items: Vec<&IoItems> = f
        .stmts("s")
        .iter()
        .map(|s| if let StmtKind::Io { items, .. } = &s.kind { items } else { panic!("{s:?}") })
        .collect();
    let show = |l: &[Expr]| l.iter().map(|e| f.show(e)).collect::<Vec<_>>().join(" ");
    assert_eq!((show(&items[0].uses), show(&items[0].defines)), ("u x 1 9 a[i]".into(), "ios i".into()));
    assert_eq!((show(&items[1].uses), show(&items[1].defines)), ("u".into(), "x a[2]".into()));
    assert_eq!((show(&items[2].uses), show(&items[2].defines)), ("x".into(), "line".into()));
    assert_eq!(show(&items[3].defines), "x u");
    assert_eq!(show(&items[4].uses), "x");
    assert_eq!((show(&items[5].uses), show(&items[5].defines)), ("line".into(), "u".into()));
}

#[test]
fn directives_hold_what_they_govern() {
    let f = body(
        "integer :: i\nreal :: x(9), t",
        "!$omp parallel do private(t)\ndo i = 1, 9\n !$omp atomic\n x(1) = x(1) + 1\nend do\n!$omp end parallel do\n!$omp parallel\n!$omp do\ndo i = 1, 9\nx(i) = 1\nend do\n!$omp end do nowait\n!$omp barrier\nt = 2\n!$omp end parallel\n!$acc data copy(x)\n!$acc parallel loop\ndo i = 1, 9\nx(i) = 1\nend do\n!$acc end data\n!$ad ii-loop\ndo i = 1, 9\nx(i) = 1\nend do",
    );
    let want = [
        "!parallel do private(t) {do i=1,9 {!atomic {x[1] = (+ x[1] 1)}}}",
        "!parallel {!do {do i=1,9 {x[i] = 1}}; !barrier; t = 2}",
        "!data copy(x) {!parallel loop {do i=1,9 {x[i] = 1}}}",
        "!ii-loop",
        "do i=1,9 {x[i] = 1}",
    ];
    assert_eq!(f.all("s"), want);
    let StmtKind::Directive { body: Some(inner), .. } = &f.stmts("s")[1].kind else { panic!() };
    assert_eq!(inner[0].governing()[0].directive.clauses.len(), 1, "`nowait` of the end directive counts");
}

#[test]
fn directives_of_loops_stand_at_the_loops() {
    let f = body(
        "integer :: i, j, t\nreal :: x(9,9)",
        "! one\n!$omp parallel do private(t) firstprivate(j)\n! three\n!$acc loop collapse(2) reduction(+: t)\ndo i = 1, 9\ndo j = 1, 9\nx(i,j) = t\nend do\nend do\n!$omp end parallel do\n!$omp do\nx = 1",
    );
    let stmts = f.stmts("s");
    assert_eq!(stmts.len(), 2);
    let [omp, acc] = stmts[0].governing()[..] else { panic!("{:?}", stmts[0]) };
    let names = |list: Vec<SymId>| list.into_iter().map(|s| f.program[s].name.to_string()).collect::<Vec<_>>();
    assert_eq!(names(omp.private(&f.program)), ["t"]);
    assert_eq!(names(omp.first_private(&f.program)), ["j"]);
    assert_eq!((omp.collapse(), acc.collapse()), (1, 2));
    assert_eq!(names(acc.reduced(&f.program)), ["t"]);
    assert!(acc.shared(&f.program).is_empty() && acc.last_private(&f.program).is_empty());
    // What stands before no loop stays by itself.
    assert!(stmts[1].is_region() && matches!(stmts[1].kind, StmtKind::Directive { .. }));
}

#[test]
fn comments_go_to_their_statements() {
    let f = body(
        "integer :: i",
        "! one\n! two\ni = 1 ! three\nif (i > 0) then ! four\n i = 2\n ! five\nelse\n i = 3\nend if\n! six",
    );
    let s = f.stmts("s");
    assert_eq!(s[0].leading, ["! one", "! two"]);
    assert_eq!(s[0].trailing.as_deref(), Some("! three"));
    assert_eq!(s[1].trailing.as_deref(), Some("! four"));
    assert_eq!(f.stmt(&s[1]), "if (> i 0) {i = 2; comment five} else {i = 3}");
    assert_eq!(f.stmt(&s[2]), "comment six");
}

#[test]
fn select_type_narrows_within_its_blocks() {
    let f = lower(
        "module m\ntype :: t\n real :: a\nend type\ntype, extends(t) :: u\n real :: b\nend type\ncontains\nsubroutine s(o, x)\nclass(t) :: o\nreal :: x\nselect type (o)\ntype is (u)\n x = o%b + o%a\nclass default\n x = o%a\nend select\nend subroutine\nend module\n",
    );
    assert_eq!(
        f.all("s"),
        ["unsupported select type {if ?type is (u) {associate o=>o {x = (+ o%b o%a)}} \
         if ?class default {associate o=>o {x = o%a}}}"]
    );
}

#[test]
fn what_is_not_understood_is_kept() {
    let f = lower_files(&[(
        "t.f90",
        "subroutine s(i, *)\ninteger :: i\nif (i) 10, 20, 30\n10 i = 1\n20 return 1\n30 assign 10 to i\nend subroutine\n",
    )]);
    let kept: Vec<String> = f.all("s").into_iter().filter(|s| s.contains("unsupported")).collect();
    assert_eq!(kept.len(), 2, "{:?}", f.all("s"));
}

#[test]
fn stops_and_returns() {
    let f = body("integer :: i", "if (i == 1) stop 'x'\nif (i == 2) error stop\nreturn");
    let StmtKind::If { arms, .. } = &f.stmts("s")[1].kind else { panic!() };
    assert!(matches!(arms[0].body[0].kind, StmtKind::Stop { error: true, code: None }));
    assert!(matches!(f.stmts("s")[2].kind, StmtKind::Return));
}

#[test]
fn an_entry_is_known_but_not_understood() {
    let f = lower(
        "module m\ncontains\nsubroutine a(x)\nreal :: x\nx = 1\nreturn\nentry b(x)\nx = 2\nend subroutine\nsubroutine s(x)\nreal :: x\ncall b(x)\nend subroutine\nend module\n",
    );
    assert_eq!(f.all("a"), ["x = 1", "Return", "unsupported entry {}", "x = 2"]);
    assert_eq!(f.all("s"), ["unsupported a call of an entry {}"]);
}

#[test]
fn conditional_lines_are_a_branch() {
    let f = body("integer :: i", "i = 1\n!$ i = 2\n!$ i = 3*i\ni = i + 1");
    let stmts = f.stmts("s");
    assert_eq!(stmts.len(), 3, "{:?}", f.all("s"));
    assert_eq!(stmts[1].kind.conditional_body().map(Vec::len), Some(2));
    assert!(stmts[2].leading.is_empty());
}
