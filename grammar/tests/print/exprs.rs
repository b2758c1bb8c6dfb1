use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::*;
use costate_grammar::operators::{BinaryOp as Op, UnaryOp as Un};
use costate_grammar::print::{self, Style};

use crate::builder::*;

fn abc() -> (Builder, Expr, Expr, Expr) {
    let mut b = Builder::new();
    let (x, y, z) = (b.v("a"), b.v("b"), b.v("c"));
    (b, x, y, z)
}

#[test]
fn parentheses_are_minimal() {
    let (bd, a, b, c) = abc();
    let check = |e: Expr, text: &str| assert_eq!(bd.show(&e), text);
    let two = |op1, op2| bin(op1, a.clone(), bin(op2, b.clone(), c.clone()));
    let left = |op1, op2| bin(op1, bin(op2, a.clone(), b.clone()), c.clone());
    check(two(Op::Sub, Op::Sub), "a - (b - c)");
    check(left(Op::Sub, Op::Sub), "a - b - c");
    check(two(Op::Add, Op::Add), "a + (b + c)");
    check(two(Op::Add, Op::Mul), "a + b*c");
    check(left(Op::Mul, Op::Add), "(a + b)*c");
    check(two(Op::Div, Op::Mul), "a/(b*c)");
    check(left(Op::Mul, Op::Div), "a/b*c");
    check(two(Op::Mul, Op::Pow), "a*b**c");
    check(two(Op::Pow, Op::Pow), "a**b**c");
    check(left(Op::Pow, Op::Pow), "(a**b)**c");
    check(left(Op::Pow, Op::Mul), "(a*b)**c");
    check(two(Op::And, Op::Or), "a .and. (b .or. c)");
    check(left(Op::Or, Op::And), "a .and. b .or. c");
    check(left(Op::And, Op::Lt), "a < b .and. c");
    check(left(Op::Eq, Op::Lt), "(a < b) == c");
    check(two(Op::Eq, Op::Lt), "a == (b < c)");
    check(two(Op::Eqv, Op::Neqv), "a .eqv. (b .neqv. c)");
    check(two(Op::Concat, Op::Concat), "a // (b // c)");
    check(two(Op::Ge, Op::Add), "a >= b + c");
}

#[test]
fn operators_are_never_adjacent() {
    let (bd, a, b, c) = abc();
    let minus = |e: &Expr| un(Un::Minus, e.clone());
    let check = |e: Expr, text: &str| assert_eq!(bd.show(&e), text);
    check(bin(Op::Mul, a.clone(), minus(&b)), "a*(-b)");
    check(bin(Op::Mul, minus(&a), b.clone()), "(-a)*b");
    check(minus(&bin(Op::Mul, a.clone(), b.clone())), "-a*b");
    check(bin(Op::Add, a.clone(), minus(&b)), "a + (-b)");
    check(bin(Op::Add, minus(&a), b.clone()), "-a + b");
    check(bin(Op::Pow, minus(&a), Expr::int(2)), "(-a)**2");
    check(minus(&bin(Op::Pow, a.clone(), Expr::int(2))), "-a**2");
    check(bin(Op::Pow, a.clone(), minus(&b)), "a**(-b)");
    check(bin(Op::Pow, a.clone(), Expr::int(-1)), "a**(-1)");
    check(bin(Op::Sub, a.clone(), Expr::int(-1)), "a - (-1)");
    check(bin(Op::Mul, a.clone(), real("-1.0", None)), "a*(-1.0)");
    check(minus(&minus(&a)), "-(-a)");
    check(minus(&bin(Op::Sub, a.clone(), b.clone())), "-(a - b)");
    check(bin(Op::Lt, a.clone(), minus(&b)), "a < -b");
    check(un(Un::Not, bin(Op::Eq, a.clone(), b.clone())), ".not. a == b");
    check(un(Un::Not, bin(Op::And, a.clone(), b.clone())), ".not. (a .and. b)");
    check(un(Un::Not, un(Un::Not, a.clone())), ".not. (.not. a)");
    check(bin(Op::And, a.clone(), un(Un::Not, c.clone())), "a .and. .not. c");
    check(bin(Op::Add, a.clone(), bin(Op::Mul, minus(&b), c.clone())), "a + (-b)*c");
}

#[test]
fn the_users_parentheses_stay_and_arent_doubled() {
    let (bd, a, b, c) = abc();
    let check = |e: Expr, text: &str| assert_eq!(bd.show(&e), text);
    let sum = paren(bin(Op::Add, a.clone(), b.clone()));
    check(bin(Op::Mul, sum.clone(), c.clone()), "(a + b)*c");
    check(bin(Op::Add, sum.clone(), c.clone()), "(a + b) + c");
    check(paren(sum), "((a + b))");
    check(bin(Op::Mul, c, paren(un(Un::Minus, a))), "c*(-a)");
}

#[test]
fn literals() {
    let mut b = Builder::new();
    let wp = b.scalar("wp", I);
    let named = || Some(KindSuffix::Named(wp));
    let check = |b: &Builder, e: Expr, text: &str| assert_eq!(b.show(&e), text);
    check(&b, real("1.5", named()), "1.5_wp");
    check(&b, real("1.0d0", Some(KindSuffix::Number(8))), "1.0d0");
    check(&b, real("2.e-3", Some(KindSuffix::Number(16))), "2.e-3_16");
    check(&b, Expr::literal(0.5, D), "0.5d0");
    check(&b, Expr::literal(1e300, D), "1d300");
    check(&b, Expr::literal(-2.0, Ty::REAL), "-2.0");
    check(&b, Expr::new(ExprKind::Int { value: 7, suffix: named() }, I, 0), "7_wp");
    let least = ExprKind::Int { value: i64::MIN, suffix: Some(KindSuffix::Number(8)) };
    let least = Expr::new(least, Ty::new(Base::Integer, 8), 0);
    check(&b, bin(Op::Mul, Expr::int(2), least), "2*(-9223372036854775807_8 - 1_8)");
    check(&b, Expr::new(ExprKind::Logical { value: true, suffix: Some(KindSuffix::Number(1)) }, L, 0), ".true._1");
    check(&b, string("'it''s'"), "'it''s'");
    check(&b, Expr::new(ExprKind::Boz("z'ff'".into()), I, 0), "z'ff'");
    check(&b, Expr::literal(2.0, Ty::new(Base::Complex, 8)), "(2.0d0, 0.0d0)");
}

#[test]
fn designators() {
    let mut b = Builder::new();
    let (i, n, s) = (b.v("i"), b.v("n"), b.v("s"));
    let shifted = bin(Op::Add, i.clone(), Expr::int(1));
    let subs = Part::Subscripts(vec![
        Subscript::Index(shifted.clone()),
        range(None, None, None),
        range(Some(Expr::int(2)), Some(bin(Op::Sub, n.clone(), Expr::int(1))), None),
        range(Some(i.clone()), None, Some(Expr::int(2))),
        range(None, Some(n.clone()), Some(un(Un::Minus, Expr::int(1)))),
    ]);
    let e = part(&s, vec![Part::Component("v".into()), subs, Part::Component("w".into())], 4);
    assert_eq!(b.show(&e), "s%v(i+1, :, 2:n-1, i::2, :n:-1)%w");
    let e = part(&s, vec![Part::Substring(Some(Box::new(Expr::int(1))), None)], 0);
    assert_eq!(b.show(&e), "s(1:)");
    // Index arithmetic is tight, and stays so within a call; a value around it isn't.
    let inner = Expr::intrinsic(Intrinsic::Max, vec![bin(Op::Sub, i.clone(), Expr::int(1)), Expr::int(1)]);
    let e = bin(Op::Add, part(&s, vec![Part::Subscripts(vec![Subscript::Index(inner)])], 0), i);
    assert_eq!(b.show(&e), "s(max(i-1, 1)) + i");
}

#[test]
fn calls_and_constructors() {
    let mut b = Builder::new();
    let (i, x) = (b.v("i"), b.v("x"));
    let is = b.program.lookup(b.scope, "i").expect("i");
    let g = b.add("g", SymbolKind::Procedure(Box::default()));
    let generic = b.add("gen", SymbolKind::Generic(GenericSpec::default()));
    let t = b.add("t", SymbolKind::Type(Box::default()));
    let call = |callee, args: Vec<Arg>| Expr::new(ExprKind::Call { callee, args }, D, 0);
    let proc = |generic| Callee::Proc { sym: g, generic, operator: None };
    let keyword = Arg { keyword: Some("tol".into()), value: x.clone() };
    assert_eq!(b.show(&call(proc(None), vec![])), "g()");
    assert_eq!(b.show(&call(proc(Some(generic)), vec![Arg::new(i.clone()), keyword.clone()])), "gen(i, tol=x)");
    let bound = Callee::Bound { object: Box::new(x.clone()), binding: BindingName::of("norm".into()), resolved: None };
    assert_eq!(b.show(&call(bound, vec![Arg::new(bin(Op::Add, i.clone(), x.clone()))])), "x%norm(i + x)");
    assert_eq!(b.show(&Expr::new(ExprKind::StructCtor { ty: t, args: vec![keyword] }, D, 0)), "t(tol=x)");
    let size = Expr::intrinsic(Intrinsic::Size, vec![x.clone()]).with_keyword("dim", Expr::int(2));
    assert_eq!(b.show(&size), "size(x, dim=2)");
    let implied = CtorItem::ImpliedDo {
        items: vec![CtorItem::Value(bin(Op::Mul, i.clone(), x.clone()))],
        var: is,
        lo: Expr::int(1),
        hi: Expr::int(9),
        step: Some(Box::new(Expr::int(2))),
    };
    let array = |type_spec: Option<&str>, items| {
        Expr::new(ExprKind::ArrayCtor { type_spec: type_spec.map(String::from), items }, D, 1)
    };
    assert_eq!(b.show(&array(Some("real(8)"), vec![])), "[real(8) ::]");
    assert_eq!(b.show(&array(None, vec![CtorItem::Value(x), implied])), "[x, (i*x, i = 1, 9, 2)]");
    assert_eq!(b.show(&Expr::new(ExprKind::ProcRef(g), Ty::NONE, 0)), "g");
}

#[test]
fn defined_operators() {
    let mut b = Builder::new();
    let (x, y, z) = (b.v("x"), b.v("y"), b.v("z"));
    let g = b.add("g", SymbolKind::Procedure(Box::default()));
    let op = |text: &str, args: &[&Expr]| {
        let callee = Callee::Proc { sym: g, generic: None, operator: Some(text.into()) };
        let args = args.iter().map(|e| Arg::new((*e).clone())).collect();
        Expr::new(ExprKind::Call { callee, args }, D, 0)
    };
    let cross = op(".cross.", &[&x, &y]);
    assert_eq!(b.show(&cross), "x .cross. y");
    assert_eq!(b.show(&bin(Op::Add, z.clone(), cross.clone())), "z + (x .cross. y)");
    assert_eq!(b.show(&op(".cross.", &[&cross, &z])), "x .cross. y .cross. z");
    assert_eq!(b.show(&op(".cross.", &[&z, &cross])), "z .cross. (x .cross. y)");
    assert_eq!(b.show(&op(".cross.", &[&bin(Op::Or, x.clone(), y.clone()), &z])), "x .or. y .cross. z");
    assert_eq!(b.show(&op("*", &[&op("+", &[&x, &y]), &z])), "(x + y)*z");
    assert_eq!(b.show(&op(".inv.", &[&x])), ".inv. x");
    assert_eq!(b.show(&op(".inv.", &[&bin(Op::Pow, x.clone(), y.clone())])), ".inv. (x**y)");
    assert_eq!(b.show(&bin(Op::Pow, op(".inv.", &[&x]), y)), ".inv. x**y");
    assert_eq!(b.show(&bin(Op::Mul, z, op("-", &[&x]))), "z*(-x)");
}

#[test]
fn renamed_names_and_styles() {
    let mut b = Builder::new();
    let module = add_module(&mut b.program, "m");
    let home = b.scope;
    b.scope = b.program[module].scope;
    let a = b.scalar("a", D);
    b.scope = home;
    b.program[home].names.insert("local_a".into(), a);
    b.scalar("a", D);
    let x = b.v("x");
    let e = bin(Op::Lt, Expr::var(a, D, 0), x.clone()).and(bin(Op::Ne, x.clone(), x));
    let upper = Style { keyword_upper: true, operator_dots: true, ..Style::default() };
    assert_eq!(print::expr_in(&b.program, home, &e, &Style::default()), "local_a < x .and. x /= x");
    assert_eq!(print::expr_in(&b.program, home, &e, &upper), "local_a .LT. x .AND. x .NE. x");
}
