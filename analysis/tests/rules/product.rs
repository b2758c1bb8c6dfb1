//! The row of `matmul`: what factors get agrees, in dot products, with what a perturbation of them does to the product.

use costate_analysis::rules::{Factor, Increment, increment};
use costate_grammar::ir::{Expr, ExprKind, Ty};

use crate::cases::{C8, R8};
use crate::printer::print;
use crate::program;

fn array(name: &str, ty: Ty, rank: u8) -> Expr {
    Expr::new(ExprKind::Opaque(name.into()), ty, rank)
}

/// A factor as it stands in the product.
fn text(f: &Factor) -> String {
    let name = print(&f.array);
    if f.transposed { format!("transpose({name})") } else { name }
}

/// The adjoint's increment of a matrix as an array expression.
fn outer(rows: &Expr, columns: &Expr, primal_columns: bool, to: Ty) -> String {
    let conjugated = |e: &Expr, primal: bool| match primal && e.ty == C8 {
        true => format!("conjg({})", print(e)),
        false => print(e),
    };
    let (r, c) = (conjugated(rows, !primal_columns), conjugated(columns, primal_columns));
    let product = format!("spread({r}, 2, size({c}))*spread({c}, 1, size({r}))");
    if to == R8 { format!("real({product}, 8)") } else { product }
}

/// Every combination of ranks, of factors that stand transposed, and of real and complex ones.
#[test]
fn increments_are_transposes_of_tangents() {
    let mut source = String::from("program product\n  implicit none\n");
    let mut count = 0;
    for (ranks, [m, k, n]) in [([2u8, 2u8], [3, 4, 2]), ([2, 1], [3, 4, 0]), ([1, 2], [0, 4, 2])] {
        for case in 0..16 {
            let bit = |b: usize| case >> b & 1 == 1;
            if bit(0) && ranks[0] == 1 || bit(1) && ranks[1] == 1 {
                continue;
            }
            let types = [bit(2), bit(3)].map(|complex| if complex { C8 } else { R8 });
            let shape = |i: usize| match (ranks[i], i, bit(i)) {
                (1, ..) => format!("({k})"),
                (_, 0, false) => format!("({m},{k})"),
                (_, 0, true) => format!("({k},{m})"),
                (_, _, false) => format!("({k},{n})"),
                (_, _, true) => format!("({n},{k})"),
            };
            let result = match ranks {
                [2, 2] => format!("({m},{n})"),
                [2, 1] => format!("({m})"),
                _ => format!("({n})"),
            };
            let ty = types[0].promote(types[1]);
            let factors =
                [0, 1].map(|i| Factor { array: array(["a", "b"][i], types[i], ranks[i]), transposed: bit(i) });
            let seed = array("s", ty, ranks[0] + ranks[1] - 2);
            for wrt in 0..2 {
                let by = match increment(&factors, wrt, &seed) {
                    Increment::Array(by) => print(&by),
                    Increment::Outer { rows, columns, primal_columns } => {
                        outer(&rows, &columns, primal_columns, types[wrt])
                    }
                };
                let mut perturbed = factors.clone();
                perturbed[wrt].array = array("d", types[wrt], ranks[wrt]);
                source.push_str(&block(
                    [(types[0], shape(0)), (types[1], shape(1)), (types[wrt], shape(wrt)), (ty, result.clone())],
                    &format!("matmul({}, {})", text(&perturbed[0]), text(&perturbed[1])),
                    &by,
                    &format!("{ranks:?} {case} {wrt}"),
                ));
                count += 1;
            }
        }
    }
    source.push_str("  print '(a)', 'done'\ncontains\n");
    for (name, ty) in [("r", R8), ("c", C8)] {
        source.push_str(&format!(
            "  impure elemental subroutine set_{name}(x)\n    {}, intent(out) :: x\n    real(8) :: u, v\n    \
             call random_number(u)\n    call random_number(v)\n    x = {}\n  end subroutine\n",
            program::spelling(ty),
            if ty == C8 { "cmplx(u, v - 0.5d0, 8)" } else { "u + v - 0.7d0" },
        ));
    }
    source.push_str("end program product\n");
    assert_eq!(count, 2 * (16 + 8 + 8));
    assert_eq!(program::run("product", &source, &["-std=gnu"]).trim(), "done");
}

/// Compares two dot products, for arrays `a`, `b`, `d` and `s` of these types and shapes.
fn block(arrays: [(Ty, String); 4], tangent: &str, by: &str, name: &str) -> String {
    let mut out = String::from("  block\n");
    for (x, (ty, shape)) in ["a", "b", "d", "s"].iter().zip(&arrays) {
        out.push_str(&format!("    {} :: {x}{shape}\n", program::spelling(*ty)));
    }
    out.push_str("    real(8) :: p, q\n");
    for (x, (ty, _)) in ["a", "b", "d", "s"].iter().zip(&arrays) {
        out.push_str(&format!("    call set_{}({x})\n", if *ty == C8 { "c" } else { "r" }));
    }
    let conjugate = |x: &str, ty: Ty| if ty == C8 { format!("conjg({x})") } else { x.to_string() };
    out.push_str(&format!(
        "    p = real(sum({}*({tangent})), 8)\n    q = real(sum({}*({by})), 8)\n    \
         if (.not. abs(p - q) <= 1.0d-13) print *, '{name}', p, q\n  end block\n",
        conjugate("s", arrays[3].0),
        conjugate("d", arrays[2].0),
    ));
    out
}
