//! An assignment of an object gives each allocatable component the bounds of the value that it takes, also where the
//! component has memory of the same shape already. (An assignment to an allocatable array keeps such memory.)

use costate_grammar::ir::{Base, Block, Expr, Program};

use super::context::Cx;
use super::memory::{self, all_elements, missing_scalar};
use crate::affine;
use crate::storage::is_allocatable;

/// True for an array that an assignment of its object gives the bounds of its value.
pub(super) fn given(program: &Program, component: &Expr) -> bool {
    let plain = !matches!(component.ty.base, Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::Character);
    plain && component.rank > 0 && is_allocatable(program, component)
}

/// The lower bounds that a component takes with its value.
pub(super) fn lower(cx: &Cx<'_>, value: &Expr) -> Vec<Expr> {
    let own = memory::whole_variable(cx, value);
    let lower = |k| cx.range(value, k).filter(|_| own).map_or(Expr::int(1), |(lo, _)| lo);
    (0..usize::from(value.rank)).map(lower).collect()
}

/// Assigns a value to a component, an allocatable array with these lower bounds. A scalar is allocated before; a text gets
/// its memory and length with its value.
pub(super) fn assign(cx: &mut Cx<'_>, to: &Expr, value: &Expr, lower: &[Expr]) -> Block {
    let Some(bounds) = bounds(cx, to, value, lower) else {
        let memory = to.rank == 0 && to.ty.base != Base::Character && is_allocatable(cx.program, to);
        let missing = memory.then(|| missing_scalar(cx, to));
        return missing.into_iter().chain([cx.assign(to.clone(), value.clone())]).collect();
    };
    let mut out = memory::reshape(cx, to, &bounds, true, memory::release);
    out.push(cx.assign(all_elements(to.clone()), value.clone()));
    out
}

fn bounds(cx: &Cx<'_>, to: &Expr, value: &Expr, lower: &[Expr]) -> Option<Vec<(Option<Expr>, Expr)>> {
    if !given(cx.program, to) || value.rank != to.rank {
        return None;
    }
    let bounds = |(k, lower): (usize, &Expr)| {
        let (lo, hi) = cx.range(value, k)?;
        if lo == *lower {
            return Some((Some(lo).filter(|lo| lo.as_int() != Some(1)), hi));
        }
        let n = affine::count(&lo, &hi);
        Some(match lower.as_int() {
            Some(1) => (None, n),
            _ => (Some(lower.clone()), affine::plus(lower, &affine::minus(&n, &Expr::int(1)))),
        })
    };
    lower.iter().enumerate().map(bounds).collect()
}
