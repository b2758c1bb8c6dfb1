//! What the table states beyond its linear rows: what is inactive or unsupported, ties, what values are needed, and how
//! partials read.

use std::collections::BTreeSet;

use costate_analysis::rules::{
    HELPERS, Partial, apply, elemental, helpers_used, needs_of, partials, placeholder, transpose,
};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{Expr, ExprKind, Ty};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use crate::cases::{self, C8, I4, L4, R4, R8};
use crate::printer::print;
use crate::program::{self, name};

/// Argument types to try a function with.
fn trials() -> Vec<Vec<Ty>> {
    let kinds = [R8, C8, I4, L4, Ty::CHARACTER];
    let mut out: Vec<Vec<Ty>> = Vec::new();
    for a in kinds {
        out.push(vec![a]);
        for b in kinds {
            out.push(vec![a, b]);
            out.extend([R8, L4, I4].map(|c| vec![a, b, c]));
        }
    }
    out
}

/// Every linear row has a case with that argument; what has none is stated to be zero or unsupported, in these lists.
#[test]
fn every_elemental_function_is_stated() {
    let mut tested: BTreeSet<(Intrinsic, usize)> = BTreeSet::new();
    for case in cases::all() {
        let Some(f) = case.function else { continue };
        let (_, row) = program::row_of(&case);
        for (var, _, partial) in row {
            if let (Partial::Linear(_), Ok(n)) = (partial, var[1..].parse::<usize>()) {
                tested.insert((f, n - 1));
            }
        }
    }
    let (mut zero, mut unsupported) = (BTreeSet::new(), BTreeSet::new());
    for &f in Intrinsic::ALL.iter().filter(|f| f.class() == Class::Elemental) {
        let (mut any_linear, mut any_unsupported) = (false, false);
        for tys in trials() {
            let args: Vec<Expr> = tys.iter().enumerate().map(|(i, t)| placeholder(i, *t, 0)).collect();
            let result = placeholder(tys.len(), f.result_ty(&tys, None), 0);
            for wrt in 0..tys.len().min(f.dummies().len()) {
                match elemental(f, &args, &result, wrt) {
                    Partial::Zero => {}
                    Partial::Unsupported(_) => any_unsupported = true,
                    Partial::Linear(_) => {
                        any_linear = true;
                        let position = if matches!(f.generic(), Intrinsic::Max | Intrinsic::Min) { 0 } else { wrt };
                        assert!(tested.contains(&(f.generic(), position)), "{} wrt {wrt} has no case", f.name());
                    }
                }
            }
        }
        if !any_linear && f.generic() == f {
            if any_unsupported {
                unsupported.insert(f.name())
            } else {
                zero.insert(f.name())
            };
        }
    }
    let expected =
        ["costate_digamma_r4", "costate_digamma_r8", "costate_digamma_r16", "float", "dfloat", "amax0", "amin0"];
    assert_eq!(unsupported, BTreeSet::from(expected));
    let steps = ["aint", "anint", "ceiling", "floor", "int", "nint", "exponent", "spacing", "max1", "min1"];
    assert!(steps.iter().all(|s| zero.contains(s)), "{zero:?}");
    let discrete = zero.iter().filter(|z| !steps.contains(z)).filter(|z| {
        let f = Intrinsic::find(z).unwrap();
        f.result_ty(&[R8, R8], None).is_continuous() && f.result_ty(&[I4, I4], None).is_continuous()
    });
    assert_eq!(discrete.count(), 0, "a real function is stated inactive without standing in the list of steps");
}

/// A specific name has its generic's row.
#[test]
fn specific_names_follow_their_generics() {
    for &f in Intrinsic::ALL.iter().filter(|f| f.generic() != **f) {
        for ty in [R4, R8, C8] {
            let args = [placeholder(0, ty, 0), placeholder(1, ty, 0)];
            let args = &args[..f.dummies().len().min(2)];
            let result = placeholder(2, f.generic().result_ty(&[ty, ty], None), 0);
            for wrt in 0..args.len() {
                let (specific, generic) =
                    (elemental(f, args, &result, wrt), elemental(f.generic(), args, &result, wrt));
                assert_eq!(specific, generic, "{}", f.name());
            }
        }
    }
}

fn call(f: Intrinsic, args: &[Expr]) -> Expr {
    Expr::intrinsic(f, args.to_vec())
}

/// The partial with respect to an operand, as printed with the factor `x_d` or `y_b`.
fn texts(node: &Expr, wrt: usize) -> (String, String) {
    let row = partials(node, &name("y", node.ty)).unwrap();
    let arg_ty = node.children()[wrt].ty;
    let Partial::Linear(map) = &row[wrt] else { return (format!("{:?}", row[wrt]), String::new()) };
    let tangent = apply(map, name("x_d", arg_ty), arg_ty, node.ty);
    let adjoint = transpose(map, name("y_b", node.ty), arg_ty, node.ty);
    (print(&tangent), print(&adjoint))
}

/// Powers and mixed types in the form a modeller would write.
#[test]
fn forms_are_plain() {
    let pow = |x: Ty, e: Expr| Expr::binary(BinaryOp::Pow, name("x", x), e);
    let real = |text: &str, ty| Expr::new(ExprKind::Real { text: text.into(), suffix: None }, ty, 0);
    let tangent = |node: &Expr, wrt| texts(node, wrt).0;
    assert_eq!(tangent(&pow(R8, Expr::int(2)), 0), "2.0d0*x*x_d");
    assert_eq!(tangent(&pow(R8, Expr::int(3)), 0), "3.0d0*x**2*x_d");
    assert_eq!(tangent(&pow(R4, Expr::int(1)), 0), "x_d");
    assert_eq!(tangent(&pow(R4, Expr::int(0)), 0), "Zero");
    assert_eq!(tangent(&pow(R8, Expr::int(1).neg()), 0), "-y**2*x_d");
    assert_eq!(tangent(&pow(R8, Expr::int(2).neg()), 0), "-2.0d0*x**(-3)*x_d");
    assert_eq!(tangent(&pow(R8, real("2.0d0", R8)), 0), "2.0d0*x*x_d");
    assert_eq!(tangent(&pow(R8, real("0.5d0", R8)), 0), "x_d/(2.0d0*max(y, 1d-150))");
    assert_eq!(tangent(&pow(R8, real("1.4d0", R8)), 0), "1.4d0*x**0.4d0*x_d");
    assert_eq!(tangent(&pow(R8, real("0.25d0", R8).neg()), 0), "-0.25d0*x**(-1.25d0)*x_d");
    // A literal of lower precision: 1.5 is the same number in double precision, 1.4 is not.
    assert_eq!(tangent(&pow(R8, real("1.5", R4)), 0), "1.5d0*x**0.5d0*x_d");
    assert_eq!(tangent(&pow(R8, real("1.4", R4)), 0), "real(1.4, 8)*x**(real(1.4, 8) - 1.0d0)*x_d");
    assert_eq!(texts(&pow(R8, real("1.4d0", R8)), 1).0, "Zero");
    let product = Expr::binary(BinaryOp::Mul, name("a", R4), name("b", C8));
    assert_eq!(texts(&product, 0), ("b*x_d".into(), "real(conjg(b)*y_b, 4)".into()));
    assert_eq!(texts(&product, 1), ("a*x_d".into(), "a*y_b".into()));
    let sum = Expr::binary(BinaryOp::Sub, name("a", R8), name("b", R4));
    assert_eq!(texts(&sum, 0), ("x_d".into(), "y_b".into()));
    assert_eq!(texts(&sum, 1), ("-real(x_d, 8)".into(), "-real(y_b)".into()));
    let quotient = Expr::binary(BinaryOp::Div, name("a", R8), name("b", R8));
    assert_eq!(texts(&quotient, 0).0, "x_d/b");
    assert_eq!(texts(&quotient, 1).0, "-y/b*x_d");
    let largest = call(Intrinsic::Max, &[name("a", R8), Expr::literal(0.0, R8)]);
    assert_eq!(texts(&largest, 0).1, "merge(y_b, 0.0d0, a >= 0.0d0)");
    assert_eq!(texts(&largest, 1).0, "Zero");
}

/// Operands whose values a partial needs, and whether it needs the result.
#[test]
fn needed_values() {
    let (x, y, n) = (name("x", R8), name("z", R8), name("n", I4));
    let found = |node: &Expr, wrt: usize| {
        let needs = needs_of(node, wrt).unwrap();
        let args: String = needs.args.iter().map(|a| if *a { '1' } else { '0' }).collect();
        format!("{args}{}", if needs.result { "r" } else { "" })
    };
    let op = |op: BinaryOp, a: &Expr, b: &Expr| Expr::binary(op, a.clone(), b.clone());
    assert_eq!(found(&op(BinaryOp::Add, &x, &y), 0), "00");
    assert_eq!(found(&op(BinaryOp::Mul, &x, &y), 0), "01");
    assert_eq!(found(&op(BinaryOp::Mul, &x, &y), 1), "10");
    // The same variable twice: still only the other operand.
    assert_eq!(found(&op(BinaryOp::Mul, &x, &x), 1), "10");
    assert_eq!(found(&op(BinaryOp::Mul, &Expr::literal(2.0, R8), &x), 1), "00");
    assert_eq!(found(&op(BinaryOp::Div, &x, &y), 0), "01");
    assert_eq!(found(&op(BinaryOp::Div, &x, &y), 1), "01r");
    assert_eq!(found(&op(BinaryOp::Pow, &x, &Expr::int(2)), 0), "10");
    assert_eq!(found(&op(BinaryOp::Pow, &x, &n), 0), "11");
    assert_eq!(found(&call(Intrinsic::Exp, std::slice::from_ref(&x)), 0), "0r");
    assert_eq!(found(&call(Intrinsic::Sin, std::slice::from_ref(&x)), 0), "1");
    assert_eq!(found(&call(Intrinsic::Sign, &[x.clone(), y.clone()]), 1), "00");
    assert_eq!(found(&call(Intrinsic::Hypot, &[x.clone(), y.clone()]), 1), "01r");
    assert_eq!(found(&call(Intrinsic::Max, &[x.clone(), y.clone()]), 1), "11");
    assert_eq!(found(&call(Intrinsic::Merge, &[x.clone(), y.clone(), name("m", L4)]), 0), "001");
    assert_eq!(found(&call(Intrinsic::Fraction, std::slice::from_ref(&x)), 0), "1");
    assert_eq!(found(&call(Intrinsic::Rrspacing, std::slice::from_ref(&x)), 0), "1");
    let minus = Expr::new(ExprKind::Unary(UnaryOp::Minus, Box::new(x.clone())), R8, 0);
    assert_eq!(found(&call(Intrinsic::Sin, &[minus]), 0), "1");
    assert!(needs_of(&x, 0).is_none());
}

/// The documented rule where a derivative doesn't exist, and points where a formula could give a NaN for no reason.
#[test]
fn ties_follow_the_rule() {
    use Intrinsic as I;
    let (a, b) = (name("a", R8), name("b", R8));
    let (z, n) = (name("z", C8), name("n", I4));
    let two = |f: I| call(f, &[a.clone(), b.clone()]);
    let pow = |x: &Expr, y: &Expr| Expr::binary(BinaryOp::Pow, x.clone(), y.clone());
    // Operation, operand, values of a, b, n, z, tangent for x_d = 1.
    let table: Vec<(Expr, usize, [&str; 4], f64)> = vec![
        (two(I::Max), 0, ["2.0d0", "2.0d0", "0", "0"], 1.0),
        (two(I::Max), 1, ["2.0d0", "2.0d0", "0", "0"], 0.0),
        (two(I::Min), 0, ["2.0d0", "2.0d0", "0", "0"], 1.0),
        (two(I::Min), 1, ["2.0d0", "2.0d0", "0", "0"], 0.0),
        (two(I::Dim), 0, ["2.0d0", "2.0d0", "0", "0"], 1.0),
        (two(I::Dim), 1, ["2.0d0", "2.0d0", "0", "0"], -1.0),
        (two(I::Dim), 1, ["1.0d0", "2.0d0", "0", "0"], 0.0),
        (call(I::Abs, std::slice::from_ref(&a)), 0, ["0.0d0", "0", "0", "0"], 1.0),
        (call(I::Abs, std::slice::from_ref(&z)), 0, ["0", "0", "0", "(0.0d0, 0.0d0)"], 0.0),
        (two(I::Hypot), 0, ["0.0d0", "0.0d0", "0", "0"], 0.0),
        (pow(&a, &n), 0, ["0.0d0", "0", "0", "0"], 0.0),
        (pow(&a, &n), 0, ["0.0d0", "0", "1", "0"], 1.0),
        (pow(&a, &n), 0, ["2.0d0", "0", "0", "0"], 0.0),
        (pow(&z, &n), 0, ["0", "0", "0", "(0.0d0, 0.0d0)"], 0.0),
        (pow(&a, &b), 1, ["0.0d0", "2.0d0", "0", "0"], 0.0),
        (pow(&a, &b), 1, ["-2.0d0", "2.0d0", "0", "0"], 0.0),
        (pow(&a, &b), 0, ["-2.0d0", "2.0d0", "0", "0"], -4.0),
        (pow(&a, &b), 0, ["0.0d0", "1.0d0", "0", "0"], 1.0),
        (pow(&z, &b), 1, ["0", "2.0d0", "0", "(0.0d0, 0.0d0)"], 0.0),
        (pow(&a, &Expr::int(2)), 0, ["0.0d0", "0", "0", "0"], 0.0),
        (call(I::BesselJ1, std::slice::from_ref(&a)), 0, ["0.0d0", "0", "0", "0"], 0.5),
        (call(I::BesselJn, &[n.clone(), a.clone()]), 1, ["0.0d0", "0", "1", "0"], 0.5),
        (call(I::Fraction, std::slice::from_ref(&a)), 0, ["4.0d0", "0", "0", "0"], 0.125),
        (call(I::SetExponent, &[a.clone(), n.clone()]), 0, ["0.0d0", "0", "0", "0"], 1.0),
    ];
    let mut source =
        String::from("program ties\n  implicit none\n  real(8) :: a, b\n  complex(8) :: z\n  integer :: n\n");
    for (i, (node, wrt, [av, bv, nv, zv], expected)) in table.iter().enumerate() {
        let row = partials(node, &name("y", node.ty)).unwrap();
        let arg_ty = node.children()[*wrt].ty;
        let tangent = apply(row[*wrt].linear().unwrap(), Expr::literal(1.0, arg_ty), arg_ty, node.ty);
        source.push_str(&format!(
            "  a = {av}; b = {bv}; n = {nv}; z = {zv}\n  block\n    {} :: y\n    y = {}\n    \
             if (.not. abs({} - ({expected:?}d0)) <= 1.0d-14) print *, 'row {i} of the table', {}\n  end block\n",
            program::spelling(node.ty),
            print(node),
            print(&tangent),
            print(&tangent),
        ));
    }
    source.push_str("  print '(a)', 'done'\nend program ties\n");
    assert_eq!(program::run("ties", &source, &["-std=gnu"]).trim(), "done");
}

/// Helpers are standard Fortran without warnings, have no name that user code can reach, and are correct to their kinds.
#[test]
fn helpers_compile_and_are_accurate() {
    let mut source = String::from("module helpers\n  implicit none\ncontains\n");
    HELPERS.iter().for_each(|h| source.push_str(h.text));
    source.push_str("end module helpers\nprogram test\n  use helpers\n  implicit none\n");
    // psi(1) = -gamma, psi(1/2) = -gamma - 2 log 2, psi(-1/2) = psi(1/2) + 2, psi(10) = -gamma + H(9).
    let gamma = "0.577215664901532860606512090082402431";
    let points = [
        ("1.0", format!("-{gamma}_K")),
        ("0.5", format!("-{gamma}_K - 2*log(2.0_K)")),
        ("-0.5", format!("2 - {gamma}_K - 2*log(2.0_K)")),
        ("10.0", format!("7129.0_K/2520.0_K - {gamma}_K")),
    ];
    for h in HELPERS {
        assert_eq!(h.function.name(), h.name);
        assert_eq!(Intrinsic::find(h.name), None);
        let tolerance = match h.kind {
            4 => "1.0e-6_4",
            8 => "4.0e-15_8",
            _ => "1.0e-32_16",
        };
        for (x, value) in &points {
            let (k, name) = (h.kind.to_string(), h.name);
            let value = value.replace('K', &k);
            source.push_str(&format!(
                "  if (abs({name}({x}_{k}) - ({value})) > {tolerance}) &\n    print *, '{name}({x})', {name}({x}_{k}), &\n    \
                 {value}\n"
            ));
        }
    }
    source.push_str("  print '(a)', 'done'\nend program test\n");
    let text = program::run("helpers", &source, &["-std=f2018", "-Wall", "-Wextra", "-pedantic", "-Werror"]);
    assert_eq!(text.trim(), "done");
    let used = call(Intrinsic::Gamma, &[name("x", R8)]);
    let row = partials(&used, &name("y", R8)).unwrap();
    let factor = row[0].linear().unwrap().expr().unwrap();
    assert_eq!(helpers_used(factor).iter().map(|h| h.name).collect::<Vec<_>>(), ["costate_digamma_r8"]);
    assert!(helpers_used(&used).is_empty());
}
