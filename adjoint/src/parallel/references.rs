//! How variables are referred to.

use std::collections::BTreeSet;

use costate_analysis::dependence::independence::increments;
use costate_analysis::storage::resolve;
use costate_grammar::ir::{Base, Designator, Dim, Expr, ExprKind, Part, ProcId, Program, StmtId, Subscript, Variable};
use costate_grammar::operators::{BinaryOp, UnaryOp};

/// Elements of an array of which each thread may have its own sum.
const SMALL: i64 = 1024;

/// Elements of an array of which each iteration may have its own sum.
const FEW: i64 = 16;

/// Statements of procedures that add to single numbers.
pub(super) type Increments = BTreeSet<(ProcId, StmtId)>;

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

/// What is done to an argument.
pub(super) struct Passed<'e> {
    pub(super) how: How,
    /// The argument.
    pub(super) value: &'e Expr,
    /// The rank of the dummy that stands for it.
    pub(super) rank: u8,
    /// A section that holds all elements to which the procedure refers: of those behind an element that is passed, or of an
    /// array as a whole.
    pub(super) within: Option<Designator>,
    /// The parts of an object to which alone the procedure refers.
    pub(super) parts: Option<Vec<Vec<Part>>>,
    /// The statements that only add to it, number by number.
    pub(super) adds: Option<Increments>,
}

impl<'e> Passed<'e> {
    /// What is done to an argument as a whole, or to a section of it.
    pub(super) fn new(how: How, value: &'e Expr, rank: u8, within: Option<Designator>) -> Passed<'e> {
        Passed { how, value, rank, within, parts: None, adds: None }
    }

    /// What is referred to of it, where that is known.
    pub(super) fn known(&self) -> Option<Vec<Designator>> {
        let d = self.value.as_var()?;
        let below =
            |parts: &Vec<Part>| Designator { sym: d.sym, parts: d.parts.iter().chain(parts).cloned().collect() };
        let section = self.within.clone().map(|w| vec![Designator { sym: d.sym, parts: w.parts }]);
        section.or_else(|| Some(self.parts.as_ref()?.iter().map(below).collect()))
    }
}

/// What `rhs` adds to `lhs`; `None` for another assignment.
pub(super) fn added<'e>(lhs: &Expr, rhs: &'e Expr) -> Option<Vec<&'e Expr>> {
    lhs.as_var()?;
    increments(lhs, rhs)
}

/// All that an increment adds, as one term: `-a + b` of `x - a + b`.
pub(super) fn all_added(rhs: &Expr) -> Option<Expr> {
    let ExprKind::Binary(op, a, b) = &rhs.kind else { return None };
    Some(match (all_added(a), op) {
        (Some(sum), _) => Expr::binary(*op, sum, (**b).clone()),
        (None, BinaryOp::Sub) => Expr { kind: ExprKind::Unary(UnaryOp::Minus, b.clone()), ..(**b).clone() },
        (None, _) => (**b).clone(),
    })
}

/// True for a variable of numbers.
pub(super) fn holds_numbers(v: &Variable) -> bool {
    v.ty.is_continuous() || v.ty.base == Base::Integer
}

/// The same where no pointer leads to them.
pub(super) fn is_number(v: &Variable) -> bool {
    holds_numbers(v) && !v.attrs.pointer
}

/// True for a number: a scalar, an element, or one in an object.
pub(super) fn is_single_number(program: &Program, d: &Designator) -> bool {
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
            None => return holds_numbers(v),
            Some(Part::Component(name)) => path.push(name.clone()),
            Some(_) => return false,
        }
    }
}

/// True for a single element of an array.
pub(super) fn is_element(d: &Designator) -> bool {
    let index = |s: &Subscript| matches!(s, Subscript::Index(e) if e.rank == 0);
    matches!(d.parts.as_slice(), [Part::Subscripts(list)] if list.iter().all(index))
}

/// True for an array whose extents its declaration tells.
pub(super) fn is_declared_whole(v: &Variable) -> bool {
    v.dims.iter().all(|d| matches!(d, Dim::Explicit(..))) && !v.attrs.pointer && !v.attrs.allocatable
}

/// True for a target that has the memory of no other target: a dummy may have it only as a scalar, or as an array of assumed
/// shape (15.5.2.14 of the 2023 standard).
pub(super) fn is_plain_target(v: &Variable) -> bool {
    let a = &v.attrs;
    let other = a.pointer || a.changes_unseen() || v.equivalenced || v.common.is_some();
    let whole = v.rank() > 0 && v.dims.iter().all(|d| matches!(d, Dim::Explicit(..) | Dim::AssumedSize(_)));
    a.target && !other && (v.dummy.is_none() || whole)
}

/// True for an array of which each thread may have its own sum.
pub(super) fn small(v: &Variable) -> bool {
    count(v).is_some_and(|n| n <= SMALL)
}

/// True for a scalar, and for an array of which each iteration may have its own sum.
pub(super) fn few_elements(v: &Variable) -> bool {
    count(v).is_some_and(|n| n <= FEW)
}

/// How many elements are declared.
fn count(v: &Variable) -> Option<i64> {
    let extent = |d: &Dim| match d {
        Dim::Explicit(None, hi) => hi.as_int(),
        Dim::Explicit(Some(lo), hi) => Some(hi.as_int()? - lo.as_int()? + 1),
        _ => None,
    };
    v.dims.iter().map(extent).try_fold(1i64, |n, e| n.checked_mul(e?))
}
