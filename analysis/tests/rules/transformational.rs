//! Tangents of transformational functions against differences.

use costate_analysis::rules::{Transformational, transformational, transformational_tangent};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{Arg, Callee, Expr, ExprKind, Ty};

use crate::cases::{C8, I4, L4, R8};
use crate::printer::print;
use crate::program;

/// Variables of the program: name, type, declared shape.
const REALS: &[(&str, &str)] = &[("v", "(3)"), ("w", "(3)"), ("a", "(3,4)"), ("b", "(4,3)"), ("s", ""), ("q", "(5)")];
const COMPLEXES: &[(&str, &str)] = &[("z", "(3)"), ("u", "(3)")];

fn var(text: &str) -> Expr {
    let (ty, rank) = match text {
        "s" => (R8, 0),
        "v" | "w" | "q" => (R8, 1),
        "a" | "b" => (R8, 2),
        "z" | "u" => (C8, 1),
        "mask1" => (L4, 1),
        "mask2" => (L4, 2),
        _ => (I4, 0),
    };
    Expr::new(ExprKind::Opaque(text.into()), ty, rank)
}

/// An argument as in Fortran: `v`, `dim=1`.
fn arg(text: &str) -> Arg {
    match text.split_once('=') {
        Some((keyword, value)) => Arg { keyword: Some(keyword.into()), value: var(value) },
        None => Arg::new(var(text)),
    }
}

/// References: function, arguments, the rank of the result, its shape, the arguments that are perturbed.
type Row = (Intrinsic, &'static [&'static str], Ty, &'static str, &'static str);

fn rows() -> Vec<Row> {
    use Intrinsic as I;
    vec![
        (I::Sum, &["v"], R8, "", "v"),
        (I::Sum, &["a", "1", "mask2"], R8, "(4)", "a"),
        (I::Sum, &["a", "mask=mask2"], R8, "", "a"),
        (I::Spread, &["v", "2", "5"], R8, "(3,5)", "v"),
        (I::Spread, &["s", "1", "5"], R8, "(5)", "s"),
        (I::Transpose, &["a"], R8, "(4,3)", "a"),
        (I::Cshift, &["a", "1", "dim=2"], R8, "(3,4)", "a"),
        (I::Eoshift, &["v", "1"], R8, "(3)", "v"),
        (I::Eoshift, &["v", "1", "s"], R8, "(3)", "v"),
        (I::Eoshift, &["v", "1", "s"], R8, "(3)", "s"),
        (I::Eoshift, &["v", "1", "boundary=s"], R8, "(3)", "vs"),
        (I::Reshape, &["a", "[4,3]"], R8, "(4,3)", "a"),
        (I::Reshape, &["v", "[2,3]", "pad=w"], R8, "(2,3)", "v"),
        (I::Reshape, &["v", "[2,3]", "w"], R8, "(2,3)", "w"),
        (I::Pack, &["v", "mask1"], R8, "(2)", "v"),
        (I::Pack, &["v", "mask1", "q"], R8, "(5)", "v"),
        (I::Pack, &["v", "mask1", "q"], R8, "(5)", "vq"),
        (I::Unpack, &["v", "mask2", "s"], R8, "(3,4)", "v"),
        (I::Unpack, &["v", "mask2", "a"], R8, "(3,4)", "a"),
        (I::DotProduct, &["v", "w"], R8, "", "v"),
        (I::DotProduct, &["v", "w"], R8, "", "vw"),
        (I::DotProduct, &["z", "u"], C8, "", "z"),
        (I::DotProduct, &["z", "u"], C8, "", "zu"),
        (I::DotProduct, &["vector_b=u", "vector_a=v"], C8, "", "vu"),
        (I::Matmul, &["a", "b"], R8, "(3,3)", "ab"),
        (I::Matmul, &["b", "v"], R8, "(4)", "b"),
        (I::Norm2, &["v"], R8, "", "v"),
        (I::Norm2, &["a", "dim=1"], R8, "(4)", "a"),
    ]
}

/// `names` with another suffix for each perturbed variable, as text of the reference.
fn reference(f: Intrinsic, args: &[Arg], perturbed: &str, step: &str) -> String {
    let shifted = args.iter().map(|a| {
        let text = print(&a.value);
        let value = if text.len() == 1 && perturbed.contains(&text) {
            Expr { kind: ExprKind::Opaque(format!("{text} + {step}*{text}_d")), ..a.value.clone() }
        } else {
            a.value.clone()
        };
        Arg { keyword: a.keyword.clone(), value }
    });
    let kind = ExprKind::Call { callee: Callee::Intrinsic(f), args: shifted.collect() };
    print(&Expr::new(kind, R8, 0))
}

#[test]
fn tangents_agree_with_differences() {
    let mut source =
        String::from("program transformational\n  implicit none\n  integer :: i\n  logical :: mask1(3), mask2(3,4)\n");
    for (ty, list) in [("real(8)", REALS), ("complex(8)", COMPLEXES)] {
        list.iter().for_each(|(n, shape)| source.push_str(&format!("  {ty} :: {n}{shape}, {n}_d{shape}\n")));
    }
    source.push_str("  mask1 = [.true., .false., .true.]\n");
    source.push_str("  mask2 = reshape([(mod(i, 4) == 1, i = 1, 12)], [3, 4])\n");
    for (n, shape) in REALS {
        for (suffix, offset) in [("", "0.3d0"), ("_d", "0.8d0")] {
            let value = |len: &str| format!("[(sin({offset}*i) + 0.1d0*{offset}, i = 1, {len})]");
            let text = match *shape {
                "" => format!("cos({offset})"),
                "(3)" => value("3"),
                "(5)" => value("5"),
                matrix => format!("reshape({}, [{}])", value("12"), matrix.trim_matches(['(', ')'])),
            };
            source.push_str(&format!("  {n}{suffix} = {text}\n"));
        }
    }
    source.push_str(
        "  z = cmplx(v, 2*w, 8); z_d = cmplx(w_d, v - w, 8); u = cmplx(v*w, -v, 8); u_d = cmplx(0.3d0, w, 8)\n",
    );
    for (i, (f, args, ty, shape, perturbed)) in rows().into_iter().enumerate() {
        let args: Vec<Arg> = args.iter().map(|a| arg(a)).collect();
        let tangents: Vec<Option<Expr>> = args
            .iter()
            .map(|a| {
                let text = print(&a.value);
                let active = text.len() == 1 && perturbed.contains(&text);
                active.then(|| Expr { kind: ExprKind::Opaque(format!("{text}_d")), ..a.value.clone() })
            })
            .collect();
        let rank = shape.matches(',').count() as u8 + u8::from(!shape.is_empty());
        let result = Expr::new(ExprKind::Opaque("y".into()), ty, rank);
        let tangent = transformational_tangent(f, &args, &tangents, &result).unwrap_or_else(|| panic!("row {i}: none"));
        assert_eq!(tangent.ty, ty, "row {i}");
        // Exact for linear and bilinear functions; of fourth order for norm2.
        let tolerance = if f == Intrinsic::Norm2 { "1.0d-9" } else { "1.0d-11" };
        let at = |step: &str| reference(f, &args, perturbed, step);
        source.push_str(&format!(
            "  block\n    {} :: y{shape}, y_d{shape}, fd{shape}\n    y = {}\n    y_d = {}\n    \
             fd = (8*({} - {}) - ({} - {}))/12.0d-3\n    \
             if (.not. {}abs(y_d - fd) <= {tolerance}{}) print *, 'row {i}: {}', y_d, fd\n  end block\n",
            program::spelling(ty),
            at("0"),
            print(&tangent),
            at("1.0d-3"),
            at("(-1.0d-3)"),
            at("2.0d-3"),
            at("(-2.0d-3)"),
            if rank > 0 { "all(" } else { "" },
            if rank > 0 { ")" } else { "" },
            f.name(),
        ));
    }
    source.push_str("  print '(a)', 'done'\nend program transformational\n");
    assert_eq!(program::run("transformational", &source, &["-std=gnu"]).trim(), "done");
}

/// Every function that isn't elemental is in the table, and every linear or bilinear one has a case.
#[test]
fn every_transformational_function_is_stated() {
    for &f in Intrinsic::ALL {
        let class = transformational(f);
        let in_table = matches!(f.class(), Class::Transformational | Class::Inquiry);
        assert_eq!(in_table, class != Transformational::NotTransformational, "{}", f.name());
        if matches!(class, Transformational::LinearIn(_) | Transformational::Bilinear) {
            assert!(rows().iter().any(|r| r.0 == f), "{} has no case", f.name());
        }
        if let Transformational::Unsupported(why) = class {
            assert_eq!((f, why), (Intrinsic::Transfer, "transfer reinterprets bits"));
        }
    }
    let none = transformational_tangent(Intrinsic::Sum, &[arg("v")], &[None], &var("s"));
    assert!(none.is_none());
}
