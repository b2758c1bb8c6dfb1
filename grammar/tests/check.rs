//! IR that breaks a rule of the language is found, and IR that keeps them all isn't.

use costate_grammar::check::{self, Extended};
use costate_grammar::form::ReadOptions;
use costate_grammar::ir::{
    Expr, ExprKind, Name, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymbolKind, Ty, Variable,
};
use costate_grammar::program::parse_program;
use costate_grammar::source::{SourceMap, Span};

/// A procedure `s` with variables of many types and these statements.
fn program(body: &str) -> (Program, ProcId) {
    let text = format!(
        "module other\nimplicit none\nreal(8) :: shared, hidden\nend module other\n\
         module m\nuse other, only: shared\nimplicit none\n\
         type point\nreal(8) :: at(3), weight\nend type point\ncontains\n\
         subroutine called(n, a, b)\ninteger, intent(in) :: n\nreal(8), intent(inout) :: a\n\
         real(8), intent(in), optional :: b(:)\na = a*n\nend subroutine called\n\
         real(8) function value(a)\nreal(8), intent(in) :: a\nvalue = a\nend function value\n\
         subroutine s(x, v, w)\nreal(8), intent(inout) :: x, v(3), w(3, 3)\nreal(8), parameter :: c = 2d0\n\
         real(8), allocatable :: h(:)\nreal(8), pointer :: p(:)\nreal(8), target :: t(3)\ntype(point) :: o(2)\n\
         real(4) :: r\nlogical :: l\ninteger :: i, k\ncharacter(4) :: name\n{body}\nend subroutine s\nend module m\n"
    );
    let mut sources = SourceMap::default();
    let (program, problems) = parse_program(&mut sources, [("m.f90".to_string(), text)], &ReadOptions::default());
    assert!(problems.is_empty(), "{problems:#?}");
    let id = program.procedures().find(|(_, p)| p.name.as_str() == "s").expect("the procedure").0;
    (program, id)
}

fn findings(program: &Program, id: ProcId) -> Vec<String> {
    check::procedure(program, id, &Extended::default()).into_iter().map(|f| f.what).collect()
}

/// Something is found, and this is part of what is said.
fn finds(body: &str, what: &str) {
    let (program, id) = program(body);
    assert_finds(&program, id, what);
}

fn assert_finds(program: &Program, id: ProcId, what: &str) {
    let found = findings(program, id);
    assert!(found.iter().any(|f| f.contains(what)), "{what}\nnot in {found:#?}");
}

/// What is found once statements have been damaged.
fn finds_in_damaged(body: &str, damage: impl Fn(&mut Stmt), what: &str) {
    let (mut program, id) = program(body);
    assert_eq!(findings(&program, id), Vec::<String>::new(), "{body}");
    damage(&mut program[id].body[0]);
    assert_finds(&program, id, what);
}

fn sides(s: &mut Stmt) -> (&mut Expr, &mut Expr) {
    match &mut s.kind {
        StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => (lhs, rhs),
        other => panic!("no assignment: {other:?}"),
    }
}

#[test]
fn nothing_is_found_in_what_is_right() {
    let body = "x = c*v(2) + w(1, k)**2 + sin(x)*max(x, 2d0) + value(x)\n\
                v = w(:, 2) + matmul(w, v)\nw(2:3, i) = v(1:2)\nl = x > 0 .and. .not. l\n\
                if (l) then\nx = real(r, 8)\nelse\nr = 1.0\nend if\n\
                do i = 1, 3\ndo k = i, 1, -1\nif (v(k) > x) exit\nv(k) = o(1)%at(k) + sum(o%weight)\nend do\nend do\n\
                allocate (h(0:k))\nh(0) = size(h)\ndeallocate (h)\np => t\np(1) = shared\nnullify (p)\n\
                call called(k, v(1))\ncall called(n=2, b=w(1, :), a=x)\nname = 'ab'//'c'\n\
                select case (k)\ncase (1, 3:5)\nx = 0\ncase default\nx = 1\nend select\n\
                !$omp parallel do\ndo i = 1, 3\nv(i) = i\nend do\n!$omp end parallel do\n\
                r = merge(1.0, r, l)\nv = [1d0, 2d0, real(k, 8)]\nwrite (*, *) x, v\nread (*, *) x";
    let (program, id) = program(body);
    assert_eq!(findings(&program, id), Vec::<String>::new());
}

#[test]
fn operands_and_conditions_have_types_that_fit() {
    finds("x = x + l", "`+` has operands");
    finds("l = l .and. k", "`.and.` has operands");
    finds("l = .not. x", "`.not.` has an operand");
    finds("l = name < x", "`<` has operands");
    finds("name = name//k", "`//` has operands");
    finds("v = v + w", "operands have ranks 1 and 2");
    finds("if (x) x = 1", "a logical scalar is expected");
    finds("do while (k)\nx = 1\nend do", "a logical scalar is expected");
    finds("select case (x)\ncase default\nx = 1\nend select", "an integer, character or logical scalar is expected");
    finds("select case (k)\ncase ('a')\nx = 1\nend select", "a scalar of the selector's type is expected");
    finds("where (x > 0)\nv = 1\nend where", "a mask is a logical array");
}

#[test]
fn assignments_have_sides_that_fit() {
    finds("x = l", "it is assigned what is logical");
    finds("x = v", "it has rank 0 and is assigned a value of rank 1");
    finds("p => w\nx = 1", "it is real(8) of rank 1 and is associated with what is real(8) of rank 2");
    finds("v => t", "it is used as a pointer and is none");
    finds_in_damaged("x = 1d0", |s| *sides(s).0 = Expr::int(1), "it is assigned, and it can't be defined");
}

#[test]
fn intrinsic_functions_have_arguments_that_fit() {
    finds("x = sin(k)", "its argument is integer of rank 0");
    finds("x = max(x, r)", "its arguments are real(8) of rank 0 and real of rank 0");
    finds("x = atan2(x, v)\nx = 1", "rank");
    finds_in_damaged("x = abs(x)", |s| more_arguments(s, 3), "`abs` has no such arguments");
}

fn more_arguments(s: &mut Stmt, count: usize) {
    if let ExprKind::Call { args, .. } = &mut sides(s).1.kind {
        let first = args[0].clone();
        args.resize(count, first);
    }
}

#[test]
fn arguments_fit_the_dummies() {
    finds("call called(k, x, v, v)", "`called` has no dummy for each argument");
    finds("call called(k)", "a call of `called` lacks an argument for `a`");
    finds("call called(k, x, n=k)", "two arguments of `called` are for one dummy");
    finds("call called(x, x)", "it is real(8) of rank 0, and the dummy `n` of `called` is integer of rank 0");
    finds("call called(k, v)", "it has rank 1, and the dummy `a` of `called` has 0");
    finds("call called(k, x, w)", "it has rank 2, and the dummy `b` of `called` has 1");
    finds("call called(k, 2*x)", "`called` defines it as `a`, and it can't be defined");
    finds("call called(k, c)", "`called` defines it as `a`, and it can't be defined");
}

#[test]
fn expressions_say_what_they_are() {
    let rank = |s: &mut Stmt| sides(s).1.rank = 1;
    let ty = |s: &mut Stmt| sides(s).1.ty = Ty::REAL;
    for body in ["v = x", "v = 2d0", "v = x*2", "v = -x", "v = sin(x)", "v = value(x)", "v = o(1)%weight", "v = (x)"] {
        finds_in_damaged(body, rank, "it is taken for real(8) of rank 1 and is real(8) of rank 0");
        finds_in_damaged(body, ty, "it is taken for real of rank 0 and is real(8) of rank 0");
    }
    finds_in_damaged("v = [x, x, x]", |s| sides(s).1.rank = 0, "is real(8) of rank 1");
    finds_in_damaged("x = v(1)", |s| one_more_subscript(sides(s).1), "2 subscripts follow what has rank 1");
    finds_in_damaged("x = v(1)", |s| first_subscript(sides(s).1, Expr::logical(true)), "a subscript is logical");
    finds_in_damaged("x = o(1)%weight", |s| component(sides(s).1, "none"), "`point` has no component `none`");
}

fn parts(e: &mut Expr) -> &mut Vec<Part> {
    match &mut e.kind {
        ExprKind::Var(d) => &mut d.parts,
        other => panic!("no variable: {other:?}"),
    }
}

fn one_more_subscript(e: &mut Expr) {
    if let Some(Part::Subscripts(list)) = parts(e).last_mut() {
        list.push(Subscript::Index(Expr::int(1)));
    }
}

fn first_subscript(e: &mut Expr, by: Expr) {
    if let Some(Part::Subscripts(list)) = parts(e).last_mut() {
        list[0] = Subscript::Index(by);
    }
}

fn component(e: &mut Expr, name: &str) {
    if let Some(Part::Component(n)) = parts(e).last_mut() {
        *n = Name::new(name);
    }
}

#[test]
fn procedures_are_called_as_what_they_are() {
    let (mut program, id) = program("x = value(x)\ncall called(k, x)");
    let callee = |s: &Stmt| match &s.kind {
        StmtKind::Call { callee, .. } => callee.clone(),
        StmtKind::Assign { rhs: Expr { kind: ExprKind::Call { callee, .. }, .. }, .. } => callee.clone(),
        other => panic!("no call: {other:?}"),
    };
    let [function, subroutine] = [0, 1].map(|i| callee(&program[id].body[i]));
    if let ExprKind::Call { callee, .. } = &mut sides(&mut program[id].body[0]).1.kind {
        *callee = subroutine;
    }
    if let StmtKind::Call { callee, .. } = &mut program[id].body[1].kind {
        *callee = function;
    }
    assert_finds(&program, id, "`called` is no function");
    assert_finds(&program, id, "the function `value` is called as a subroutine");
}

#[test]
fn memory_is_asked_for_as_it_is_declared() {
    finds("allocate (h(2, 2))", "it has rank 1 and is allocated with 2 bounds");
    finds("deallocate (v)", "it is neither allocatable nor a pointer");
    finds("nullify (v)", "it is used as a pointer and is none");
}

#[test]
fn loops_keep_their_variables() {
    finds("do i = 1, 3\ni = 2\nend do", "`i` is assigned in a loop that counts with it");
    finds("do i = 1, 3\ndo i = 1, 2\nx = 1\nend do\nend do", "a loop over `i` stands in another one");
    finds("do i = 1, 3\nread (*, *) i\nend do", "`i` is assigned in a loop that counts with it");
    finds("do i = 1, 3, 0\nx = 1\nend do", "the step of a loop is zero");
    finds("do i = 1, v\nx = 1\nend do", "a scalar number is expected");
}

#[test]
fn jumps_leave_what_is_around_them() {
    let jump = |s: &mut Stmt| s.kind = StmtKind::Exit(None);
    finds_in_damaged("x = 1", jump, "a jump leaves a construct that isn't around it");
    let cycle = |s: &mut Stmt| s.kind = StmtKind::Cycle(Some(Name::new("outer")));
    finds_in_damaged("x = 1", cycle, "a jump leaves a construct that isn't around it");
}

#[test]
fn directives_for_loops_stand_before_loops() {
    let empty = |s: &mut Stmt| {
        if let StmtKind::Do { parallel: Some(p), .. } = &s.kind {
            let directive = p.directives[0].directive.clone();
            s.kind = StmtKind::Directive { directive, names: Vec::new(), body: Some(Vec::new()) };
        }
    };
    let text = "!$omp parallel do\ndo i = 1, 3\nv(i) = i\nend do\n!$omp end parallel do";
    finds_in_damaged(text, empty, "stands before no loop");
}

#[test]
fn names_mean_what_is_meant() {
    // Nothing declares the variable any more.
    let (mut damaged, id) = program("x = x + k");
    let scope = damaged[id].scope;
    damaged[scope].names.shift_remove("k");
    assert_finds(&damaged, id, "`k` isn't declared where it is used, in `s`");
    // A local variable hides the module's.
    let (mut damaged, id) = program("x = shared");
    let (scope, kind) = (damaged[id].scope, SymbolKind::Variable(Box::new(Variable::scalar(Ty::DOUBLE, "real(8)"))));
    damaged.add_symbol(scope, Name::new("shared"), Span::default(), kind.clone());
    assert_finds(&damaged, id, "`shared` means another entity where it is used, in `s`");
    // An intrinsic function is hidden.
    let (mut damaged, id) = program("x = sin(x)");
    damaged.add_symbol(damaged[id].scope, Name::new("sin"), Span::default(), kind);
    assert_finds(&damaged, id, "the intrinsic `sin` is hidden in `s`");
    // The `use` statement is gone, or brings what is declared.
    let (mut damaged, id) = program("x = shared");
    let module = damaged.module_of(damaged[id].scope).expect("it is in a module");
    let home = damaged[module].scope;
    damaged[home].uses.clear();
    assert_finds(&damaged, id, "`shared` isn't declared where it is used, in `s`");
    let (mut damaged, id) = program("x = k");
    let (scope, shared) = (damaged[id].scope, damaged[damaged.module_names["m"]].scope);
    damaged[scope].uses = damaged[shared].uses.clone();
    damaged[scope].uses[0].items[0].local = Name::new("k");
    assert_finds(&damaged, id, "`k` is declared, and a `use` statement brings it, too");
}

#[test]
fn a_finding_is_a_bug_at_the_users_line() {
    let (program, _) = program("x = l");
    let id = program.procedures().find(|(_, p)| p.name.as_str() == "s").expect("the procedure").0;
    let finding = check::statements(&program, &program[id].body).remove(0);
    let bug = finding.clone().into_bug("the test");
    assert_eq!(bug.span, Some(program[id].body[0].origin.span()));
    assert_eq!((bug.code.as_str(), bug.reason), ("C0901", Some(finding.what)));
}
