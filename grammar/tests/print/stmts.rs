use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::*;
use costate_grammar::operators::{BinaryOp as Op, UnaryOp as Un};
use costate_grammar::print::{self, Style};

use crate::builder::*;
use crate::compile::accepts;

/// Statements as they print in the default style.
fn check(b: &Builder, body: &[Stmt], expected: &str) {
    assert_eq!(b.statements(body), expected);
}

fn xy() -> (Builder, Expr, Expr, Stmt) {
    let mut b = Builder::new();
    let (x, y) = (b.v("x"), b.v("y"));
    let s = b.assign(x.clone(), y.clone());
    (b, x, y, s)
}

#[test]
fn branches() {
    let (mut b, x, y, s) = xy();
    let less = bin(Op::Lt, x.clone(), y.clone());
    let arm = |body: Vec<Stmt>| IfArm { cond: less.clone(), body };
    let branch = |name: Option<&str>, arms, otherwise, one_line| StmtKind::If {
        name: name.map(Name::new),
        arms,
        otherwise,
        one_line,
    };
    let one = b.stmt(branch(None, vec![arm(vec![s.clone()])], None, true));
    check(&b, std::slice::from_ref(&one), "if (x < y) x = y\n");
    let full = branch(Some("a"), vec![arm(vec![s.clone()]), arm(vec![s.clone()])], Some(vec![]), false);
    let full = b.stmt(full);
    let text = "a: if (x < y) then\n  x = y\nelse if (x < y) then\n  x = y\nelse\nend if a\n";
    check(&b, std::slice::from_ref(&full), text);
    let joined = Style { end_spaced: false, keyword_upper: true, indent: 3, ..Style::default() };
    let text = "A: IF (x < y) THEN\n   x = y\nELSEIF (x < y) THEN\n   x = y\nELSE\nENDIF a\n".replace("A:", "a:");
    assert_eq!(print::statements(&b.program, b.scope, &[full], &joined, 0), text);
    // What can't stand behind a condition makes a construct of it.
    let mut commented = s.clone();
    commented.leading.push("! why".into());
    let two = b.stmt(branch(None, vec![arm(vec![s.clone(), s.clone()])], None, true));
    let nested = b.stmt(branch(None, vec![arm(vec![one])], None, true));
    let noted = b.stmt(branch(None, vec![arm(vec![commented])], None, true));
    check(&b, &[two], "if (x < y) then\n  x = y\n  x = y\nend if\n");
    check(&b, &[nested], "if (x < y) then\n  if (x < y) x = y\nend if\n");
    check(&b, &[noted], "if (x < y) then\n  ! why\n  x = y\nend if\n");
}

#[test]
fn comments_print_once() {
    let (mut b, x, y, mut s) = xy();
    s.trailing = Some("! inner".into());
    let arms = vec![IfArm { cond: bin(Op::Lt, x, y), body: vec![s.clone()] }];
    let mut one = b.stmt(StmtKind::If { name: None, arms: arms.clone(), otherwise: None, one_line: true });
    check(&b, std::slice::from_ref(&one), "if (x < y) x = y  ! inner\n");
    one.trailing = Some("! outer".into());
    one.leading = vec!["! first".into(), "!".into()];
    one.label = Some(20);
    check(&b, &[one], "! first\n!\n! outer\n20 if (x < y) x = y  ! inner\n");
    let mut block = b.stmt(StmtKind::If { name: None, arms, otherwise: None, one_line: false });
    block.trailing = Some("! outer".into());
    check(&b, &[block], "if (x < y) then  ! outer\n  x = y  ! inner\nend if\n");
}

#[test]
fn loops() {
    let (mut b, x, y, s) = xy();
    let i = b.scalar("i", I);
    let n = b.scalar("n", I);
    let nv = Expr::var(n, I, 0);
    let mut make = |name: Option<&str>, control| {
        b.stmt(StmtKind::Do { name: name.map(Name::new), control, body: vec![s.clone()], parallel: None })
    };
    let count =
        |step| LoopControl::Count { var: i, lo: Expr::int(1), hi: bin(Op::Sub, nv.clone(), Expr::int(1)), step };
    let minus = un(Un::Minus, Expr::int(2));
    let all = [
        make(None, count(None)),
        make(Some("outer"), count(Some(minus))),
        make(None, LoopControl::While(bin(Op::Gt, x, y))),
        make(None, LoopControl::Forever),
        make(
            None,
            LoopControl::Concurrent {
                indices: vec![(i, Expr::int(1), nv.clone(), None), (n, Expr::int(1), nv.clone(), Some(Expr::int(2)))],
                mask: Some(Expr::logical(true)),
                locality: "local(t)".into(),
            },
        ),
    ];
    let heads = [
        "do i = 1, n - 1\n  x = y\nend do\n",
        "outer: do i = 1, n - 1, -2\n  x = y\nend do outer\n",
        "do while (x > y)\n  x = y\nend do\n",
        "do\n  x = y\nend do\n",
        "do concurrent (i = 1:n, n = 1:n:2, .true.) local(t)\n  x = y\nend do\n",
    ];
    check(&b, &all, &heads.concat());
    assert_eq!(print::summary(&b.program, b.scope, &all[1]), "outer: do i = 1, n - 1, -2");
}

#[test]
fn selections() {
    let (mut b, _, _, s) = xy();
    let k = b.scalar("k", I);
    let arm = |ranges| SelectArm { ranges, body: vec![s.clone()] };
    let int = Expr::int;
    let arms = vec![
        arm(vec![CaseRange::Value(int(1)), CaseRange::Range(Some(int(-3)), Some(int(0)))]),
        arm(vec![CaseRange::Range(None, Some(int(-9))), CaseRange::Range(Some(int(7)), None)]),
        arm(vec![]),
    ];
    let select = StmtKind::Select { name: Some("pick".into()), selector: Expr::var(k, I, 0), arms };
    let select = b.stmt(select);
    let text = "pick: select case (k)\ncase (1, -3:0)\n  x = y\ncase (:-9, 7:)\n  x = y\ncase default\n  x = y\nend select pick\n";
    check(&b, std::slice::from_ref(&select), text);
    b.body(vec![select]);
    accepts(&b.text());
}

#[test]
fn masks() {
    let mut b = Builder::new();
    let (x, y) = (b.array("x", D, Expr::int(9)), b.array("y", D, Expr::int(9)));
    let i = b.scalar("i", I);
    let (xe, ye) = (Expr::var(x, D, 1), Expr::var(y, D, 1));
    let s = b.assign(xe.clone(), ye.clone());
    let arm = |body| IfArm { cond: bin(Op::Gt, xe.clone(), ye.clone()), body };
    let one = StmtKind::Where { arms: vec![arm(vec![s.clone()])], otherwise: None, one_line: true };
    let one = b.stmt(one);
    let arms = vec![arm(vec![s.clone()]), arm(vec![s.clone(), one.clone()])];
    let full = b.stmt(StmtKind::Where { arms, otherwise: Some(vec![s.clone()]), one_line: false });
    let at = |sym| Expr::element(sym, D, vec![bin(Op::Add, Expr::var(i, I, 0), Expr::int(1))]);
    let element = b.assign(at(x), at(y));
    let indices = vec![(i, Expr::int(1), Expr::int(8), None)];
    let mask = Some(bin(Op::Ne, at(x), at(y)));
    let forall =
        StmtKind::Forall { indices: indices.clone(), mask: mask.clone(), body: vec![element.clone()], one_line: true };
    let forall = b.stmt(forall);
    let block = b.stmt(StmtKind::Forall { indices, mask, body: vec![element.clone(), element], one_line: false });
    let text = "where (x > y) x = y
where (x > y)
  x = y
elsewhere (x > y)
  x = y
  where (x > y) x = y
elsewhere
  x = y
end where
forall (i = 1:8, x(i+1) /= y(i+1)) x(i+1) = y(i+1)
forall (i = 1:8, x(i+1) /= y(i+1))
  x(i+1) = y(i+1)
  x(i+1) = y(i+1)
end forall
";
    let all = vec![one, full, forall, block];
    check(&b, &all, text);
    b.body(all);
    accepts(&b.text());
}

#[test]
fn scopes_within() {
    let (mut b, x, y, _) = xy();
    let outer = b.scope;
    let inner = b.program.add_scope(Some(outer), ScopeKind::Inner);
    b.scope = inner;
    let a = b.scalar("a", D);
    let t = b.var_with("t", D, "real(8)", |v| v.dims = vec![Dim::Explicit(Some(Expr::int(0)), Expr::int(3))]);
    let body = vec![b.assign(Expr::var(a, D, 0), Expr::element(t, D, vec![Expr::int(0)]))];
    b.scope = outer;
    let associate_scope = b.program.add_scope(Some(outer), ScopeKind::Inner);
    b.scope = associate_scope;
    let z = b.scalar("z", D);
    let assign = b.assign(Expr::var(z, D, 0), x.clone());
    b.scope = outer;
    let block = b.stmt(StmtKind::BlockScope { name: Some("work".into()), scope: inner, body });
    let bindings = vec![(z, bin(Op::Mul, x, y))];
    let name = Some("part".into());
    let associate = b.stmt(StmtKind::Associate { name, scope: associate_scope, bindings, body: vec![assign] });
    let text = "work: block
  real(8) :: a
  real(8) :: t(0:3)
  a = t(0)
end block work
part: associate (z => x*y)
  z = x
end associate part
";
    check(&b, &[block, associate], text);
}

#[test]
fn simple_statements() {
    let (mut b, x, y, _) = xy();
    let p = b.add("p", SymbolKind::Procedure(Box::default()));
    let proc = |operator: Option<&str>| Callee::Proc { sym: p, generic: None, operator: operator.map(String::from) };
    let args = || vec![Arg::new(x.clone()), Arg { keyword: Some("to".into()), value: y.clone() }];
    let sub = vec![range(Some(Expr::int(0)), None, None)];
    let alloc = |shape| AllocItem { object: x.clone(), shape };
    let stat = || vec![(Name::new("stat"), y.clone())];
    let io = |text: &str| StmtKind::Io { kind: DataKind::Write, text: text.into(), items: IoItems::default() };
    let bound = Callee::Bound { object: Box::new(x.clone()), binding: BindingName::of("step".into()), resolved: None };
    let cases = vec![
        (StmtKind::Call { callee: proc(None), args: args() }, "call p(x, to=y)"),
        (StmtKind::Call { callee: proc(Some("=")), args: args() }, "x = y"),
        (StmtKind::Call { callee: bound, args: vec![] }, "call x%step()"),
        (
            StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::RandomNumber), args: vec![Arg::new(x.clone())] },
            "call random_number(x)",
        ),
        (StmtKind::PointerAssign { lhs: part(&x, vec![Part::Subscripts(sub)], 1), rhs: y.clone() }, "x(0:) => y"),
        (StmtKind::Exit(None), "exit"),
        (StmtKind::Exit(Some("outer".into())), "exit outer"),
        (StmtKind::Cycle(Some("outer".into())), "cycle outer"),
        (StmtKind::Cycle(None), "cycle"),
        (StmtKind::Return, "return"),
        (StmtKind::Stop { error: false, code: None }, "stop"),
        (StmtKind::Stop { error: true, code: Some(string("'bad'")) }, "error stop 'bad'"),
        (StmtKind::Goto(10), "goto 10"),
        (StmtKind::Continue, "continue"),
        (
            StmtKind::Allocate {
                items: vec![
                    alloc(vec![(None, Expr::int(3)), (Some(Expr::int(0)), bin(Op::Add, y.clone(), Expr::int(1)))]),
                    alloc(vec![]),
                ],
                type_spec: Some("real(8)".into()),
                options: stat(),
            },
            "allocate(real(8) :: x(3, 0:y+1), x, stat=y)",
        ),
        (StmtKind::Deallocate { items: vec![x.clone(), y.clone()], options: stat() }, "deallocate(x, y, stat=y)"),
        (StmtKind::Nullify(vec![x.clone(), y.clone()]), "nullify(x, y)"),
        (io("write(*,*) x,\n   y"), "write(*,*) x, y"),
        (StmtKind::Comment("two\n\nlines".into()), "! two\n!\n! lines"),
        (StmtKind::Comment(String::new()), "!"),
        (
            StmtKind::Unsupported { what: "entry".into(), text: "entry g(x)".into(), names: vec![], body: vec![] },
            "entry g(x)",
        ),
        (
            StmtKind::Unsupported {
                what: "select type".into(),
                text: "select type (x)\ntype is (t)\nif (x > 0) then\ny = 1\nelse\ny = 2\nend if\nend select".into(),
                names: vec![],
                body: vec![],
            },
            "select type (x)\ntype is (t)\n  if (x > 0) then\n    y = 1\n  else\n    y = 2\n  end if\nend select",
        ),
    ];
    for (kind, text) in cases {
        let s = b.stmt(kind);
        check(&b, &[s], &format!("{text}\n"));
    }
}

#[test]
fn labels() {
    let (mut b, _, _, mut s) = xy();
    s.label = Some(10);
    let mut noted = b.stmt(StmtKind::Comment("here".into()));
    noted.label = Some(12345);
    check(&b, &[s.clone(), noted], "10 x = y\n12345 continue\n! here\n");
    let deep = print::statements(&b.program, b.scope, &[s], &Style::default(), 3);
    assert_eq!(deep, "10    x = y\n");
}

#[test]
fn directives() {
    let mut b = Builder::new();
    let x = b.scalar("x", D);
    let i = b.scalar("i", I);
    let xe = Expr::var(x, D, 0);
    let s = b.assign(xe.clone(), xe);
    let control = LoopControl::Count { var: i, lo: Expr::int(1), hi: Expr::int(9), step: None };
    let lp = b.stmt(StmtKind::Do { name: None, control, body: vec![s.clone()], parallel: None });
    let before = |directive| {
        let mut lp = lp.clone();
        lp.share_out(LoopDirective::new(directive, lp.origin));
        lp
    };
    let mut on = |directive, body| b.stmt(StmtKind::Directive { directive, names: Vec::new(), body });
    let mut added = omp("parallel  do  private(i)");
    added.clauses.extend(omp("parallel reduction(+: x)").clauses);
    let copied = omp("single private(i) copyprivate(i) nowait");
    let inner = before(omp("do nowait"));
    let all = vec![
        before(omp("PARALLEL DO  private(i)")),
        before(added),
        on(omp("parallel"), Some(vec![inner])),
        on(omp("parallel"), Some(vec![s.clone(), s.clone()])),
        on(omp("critical(lock)"), Some(vec![s.clone()])),
        on(copied, Some(vec![s.clone()])),
        on(omp("atomic update"), Some(vec![s.clone()])),
        before(omp("target teams distribute parallel do")),
        on(omp("barrier"), None),
    ];
    let text = "!$omp PARALLEL DO  private(i)
do i = 1, 9
  x = x
end do
!$omp end parallel do
!$omp parallel do private(i) reduction(+: x)
do i = 1, 9
  x = x
end do
!$omp end parallel do
!$omp parallel
!$omp do
do i = 1, 9
  x = x
end do
!$omp end do nowait
!$omp end parallel
!$omp parallel
  x = x
  x = x
!$omp end parallel
!$omp critical(lock)
  x = x
!$omp end critical(lock)
!$omp single private(i)
  x = x
!$omp end single copyprivate(i) nowait
!$omp atomic update
x = x
!$omp target teams distribute parallel do
do i = 1, 9
  x = x
end do
!$omp end target teams distribute parallel do
!$omp barrier
";
    check(&b, &all, text);
}
