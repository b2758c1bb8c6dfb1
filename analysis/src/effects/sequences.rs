//! Arrays that stand for the elements of another one from some element on (15.5.2.11 of the 2018 standard): `f(x(1, 1, k))`
//! for `x(:, :, k)`.

use costate_grammar::ir::{Designator, Dim, Expr, Intent, Part, Program, Subscript, SymId, Variable};

use crate::affine::{count, difference};
use crate::storage::symbols;

/// The section that has all elements for which a dummy stands: the element that is passed for it is the first one of the
/// leading dimensions, and both arrays have the same extents there, the dummy's in terms of the caller (`in_caller`).
/// `fixed` tells the variables that have one value all through the caller.
pub fn section_of_sequence(
    program: &Program,
    (dummy, actual): (SymId, &Expr),
    in_caller: &dyn Fn(&Expr) -> Option<Expr>,
    fixed: &dyn Fn(SymId) -> bool,
) -> Option<Designator> {
    let mut d = actual.as_var().filter(|_| actual.rank == 0)?.clone();
    let (own, whole) = (&program.var(dummy)?.dims, &program.var(d.sym)?.dims);
    let [Part::Subscripts(list)] = d.parts.as_mut_slice() else { return None };
    for (k, dim) in own.iter().enumerate() {
        let (Dim::Explicit(from, to), Dim::Explicit(lo, hi)) = (dim, whole.get(k)?) else { return None };
        let first = |lo: &Option<Expr>| lo.clone().unwrap_or_else(|| Expr::int(1));
        let lo = first(lo);
        let at_first = matches!(list.get(k)?, Subscript::Index(e) if difference(e, &lo) == Some(0));
        let extent = in_caller(&count(&first(from), to))?;
        let room = difference(&count(&lo, hi), &extent);
        if !at_first || room != Some(0) || ![&lo, hi, &extent].into_iter().flat_map(symbols).all(fixed) {
            return None;
        }
        list[k] = Subscript::Range { lo: None, hi: None, step: None };
    }
    (!own.is_empty()).then_some(d)
}

/// True for a constant, and for an argument that nothing changes.
pub fn is_fixed(program: &Program, sym: SymId) -> bool {
    let fixed = |v: &Variable| v.attrs.parameter || v.intent == Some(Intent::In) && !v.attrs.pointer && !v.attrs.target;
    program.var(sym).is_some_and(fixed)
}
