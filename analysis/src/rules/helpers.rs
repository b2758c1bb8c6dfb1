//! Fortran functions that partials call and that Fortran doesn't have. A generator adds the text of each one used to
//! the `contains` part of the unit that uses it.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Callee, Expr, ExprKind, Ty, for_each_expr};

/// A helper function for reals of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Helper {
    /// How an expression refers to it.
    pub function: Intrinsic,
    /// Its name in Fortran, of one kind: no generic interface is needed.
    pub name: &'static str,
    /// Kind of its argument and result.
    pub kind: u8,
    /// The function, in free form, without indentation of the whole.
    pub text: &'static str,
}

// The digamma function: the recurrence psi(x) = psi(x + 1) - 1/x until the asymptotic series converges to the digits of
// the kind (J. M. Bernardo, Algorithm AS 103, Applied Statistics 25 (1976) 315-317), with more terms than there, and
// the reflection psi(1 - x) = psi(x) + pi/tan(pi*x) for arguments that aren't positive.
macro_rules! digamma {
    ($kind:literal, $from:literal, $pi:literal, $terms:literal, [$($c:literal),* $(,)?]) => {
        concat!(
            "! The digamma function, the derivative of log_gamma: recurrence and asymptotic series (Bernardo 1976, AS 103),\n",
            "! reflection for arguments that are not positive.\n",
            "elemental function costate_digamma_r", $kind, "(x) result(psi)\n",
            "  real(", $kind, "), intent(in) :: x\n",
            "  real(", $kind, ") :: psi\n",
            "  real(", $kind, "), parameter :: pi = ", $pi, "_", $kind, "\n",
            "  real(", $kind, "), parameter :: c(", $terms, ") = [ &\n",
            digamma!(@list $kind, $($c),*),
            "  real(", $kind, ") :: y, s\n",
            "  integer :: i\n",
            "  psi = 0.0_", $kind, "\n",
            "  y = x\n",
            "  if (x <= 0.0_", $kind, ") then\n",
            "    psi = -pi/tan(pi*(x - anint(x)))\n",
            "    y = 1.0_", $kind, " - x\n",
            "  end if\n",
            "  do while (y < ", $from, "_", $kind, ")\n",
            "    psi = psi - 1.0_", $kind, "/y\n",
            "    y = y + 1.0_", $kind, "\n",
            "  end do\n",
            "  s = 0.0_", $kind, "\n",
            "  do i = ", $terms, ", 1, -1\n",
            "    s = (c(i) + s)/y**2\n",
            "  end do\n",
            "  psi = psi + log(y) - 0.5_", $kind, "/y - s\n",
            "end function costate_digamma_r", $kind, "\n",
        )
    };
    (@list $kind:literal, $c:literal) => { concat!("    ", $c, "_", $kind, "]\n") };
    (@list $kind:literal, $c:literal, $($rest:literal),+) => {
        concat!("    ", $c, "_", $kind, ", &\n", digamma!(@list $kind, $($rest),+))
    };
}

/// Every helper, by function and kind.
pub const HELPERS: &[Helper] = &[
    Helper {
        function: Intrinsic::DigammaR4,
        name: "costate_digamma_r4",
        kind: 4,
        text: digamma!("4", "6.0", "3.14159265", "4", ["1.0_4/12.0", "-1.0_4/120.0", "1.0_4/252.0", "-1.0_4/240.0"]),
    },
    Helper {
        function: Intrinsic::DigammaR8,
        name: "costate_digamma_r8",
        kind: 8,
        text: digamma!(
            "8",
            "10.0",
            "3.14159265358979324",
            "7",
            [
                "1.0_8/12.0",
                "-1.0_8/120.0",
                "1.0_8/252.0",
                "-1.0_8/240.0",
                "1.0_8/132.0",
                "-691.0_8/32760.0",
                "1.0_8/12.0"
            ]
        ),
    },
    Helper {
        function: Intrinsic::DigammaR16,
        name: "costate_digamma_r16",
        kind: 16,
        text: digamma!(
            "16",
            "40.0",
            "3.14159265358979323846264338327950288",
            "11",
            [
                "1.0_16/12.0",
                "-1.0_16/120.0",
                "1.0_16/252.0",
                "-1.0_16/240.0",
                "1.0_16/132.0",
                "-691.0_16/32760.0",
                "1.0_16/12.0",
                "-3617.0_16/8160.0",
                "43867.0_16/14364.0",
                "-174611.0_16/6600.0",
                "77683.0_16/276.0"
            ]
        ),
    },
];

/// The digamma function for a real type.
pub(super) fn digamma(ty: Ty) -> Option<Intrinsic> {
    HELPERS.iter().find(|h| ty == Ty::new(Base::Real, h.kind)).map(|h| h.function)
}

/// The helpers that an expression calls, in the table's order.
pub fn helpers_used(e: &Expr) -> Vec<Helper> {
    let mut used = vec![false; HELPERS.len()];
    for_each_expr(e, &mut |e| {
        if let ExprKind::Call { callee: Callee::Intrinsic(f), .. } = &e.kind {
            for (h, used) in HELPERS.iter().zip(&mut used) {
                *used |= h.function == *f;
            }
        }
    });
    HELPERS.iter().zip(used).filter_map(|(h, used)| used.then_some(*h)).collect()
}
