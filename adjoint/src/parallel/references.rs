//! How variables are referred to.

use costate_analysis::dependence::independence::increments;
use costate_analysis::storage::{resolve, through_pointer};
use costate_grammar::ir::{Base, Designator, Expr, Part, Program, Subscript, Variable};

/// How a reference is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// Its value is used.
    Read,
    /// It gets a value.
    Assigned,
    /// Something is added to it, which doesn't depend on it, or on elements of it alone whose values are used: these are
    /// references of their own.
    Added,
}

/// What `rhs` adds to `lhs`; `None` for another assignment.
pub(super) fn added<'e>(lhs: &Expr, rhs: &'e Expr) -> Option<Vec<&'e Expr>> {
    lhs.as_var()?;
    increments(lhs, rhs)
}

/// True for a variable of numbers that no pointer leads to.
pub(super) fn is_number(v: &Variable) -> bool {
    (v.ty.is_continuous() || v.ty.base == Base::Integer) && !v.attrs.pointer
}

/// True for a number in an object, a component or an element of one.
pub(super) fn is_number_in_object(program: &Program, d: &Designator) -> bool {
    let mut path = Vec::new();
    let mut parts = d.parts.iter();
    loop {
        let Some(v) = resolve(program, d.sym, &path) else { return false };
        let picked =
            |p: &Part| matches!(p, Part::Subscripts(list) if list.iter().all(|s| matches!(s, Subscript::Index(_))));
        if v.rank() > 0 && !parts.next().is_some_and(picked) {
            return false;
        }
        match parts.next() {
            None => return !path.is_empty() && is_number(v) && !through_pointer(program, d),
            Some(Part::Component(name)) => path.push(name.clone()),
            Some(_) => return false,
        }
    }
}
