//! Objects as buffers of messages: all reals of a datatype travel, and so do the derivatives of all of them. Components that have
//! none where the call stands are zero then.

use costate_analysis::externals::messages::ARRIVED;
use costate_analysis::storage::{resolve, value_paths};
use costate_grammar::ir::{Block, Designator, Dim, Expr, ExprKind, Name, Program, Role, Stmt, SymId};

use crate::build::Builder;
use crate::interface::Signature;

/// True for a buffer of a message whose elements are objects with reals. Handles are objects, too.
pub(crate) fn is_object(program: &Program, signature: &Signature, dummy: SymId) -> bool {
    let message = signature.external.as_ref().is_some_and(|row| row.traffic.is_some());
    let Some(v) = program.var(dummy).filter(|v| message && v.ty.derived().is_some()) else { return false };
    let real = |path: &Vec<Name>| resolve(program, dummy, path).is_some_and(|c| c.ty.is_continuous());
    value_paths(program, v.ty).iter().any(real)
}

/// True for what says where data have arrived: the derivatives there are those of the message.
pub(crate) fn arrives(program: &Program, signature: &Signature) -> bool {
    program[signature.primal].name.as_str() == ARRIVED
}

/// References to the continuous leaves of a variable that exist without allocation.
pub(crate) fn real_parts(b: &Builder<'_>, e: &Expr) -> Vec<Expr> {
    let Some(d) = e.as_var() else { return Vec::new() };
    if !e.is_derived() {
        return vec![e.clone()];
    }
    let own = d.path();
    let mut out = Vec::new();
    for path in value_paths(b.program, e.ty) {
        let full: Vec<Name> = own.iter().chain(&path).cloned().collect();
        let at = |n: usize| resolve(b.program, d.sym, &full[..n]);
        let fixed = (own.len() + 1..=full.len()).all(|n| at(n).is_some_and(|v| !v.attrs.allocatable));
        if fixed && at(full.len()).is_some_and(|v| v.ty.is_continuous()) {
            out.push(b.extend(e, &path));
        }
    }
    out
}

/// The object or the whole array of them in which a buffer begins; none where its size isn't known.
pub(crate) fn whole(program: &Program, actual: &Expr) -> Option<Expr> {
    let whole = if actual.rank == 0 { actual.array() } else { actual.clone() };
    let d = whole.as_var()?;
    let sized = resolve(program, d.sym, &d.path())?.dims.iter().all(|d| !matches!(d, Dim::AssumedSize(_)));
    sized.then_some(whole)
}

/// Sets the derivatives of components that have none to zero.
pub(crate) fn clear(b: &mut Builder<'_>, bare: &[Expr], (from, role): (&Stmt, Role)) -> Block {
    bare.iter().flat_map(|part| b.zero(part, from, role)).collect()
}

/// A variable like one that a buffer begins in, with the derivatives that there are and zeros for the bare components, and what
/// makes it.
pub(crate) fn cleared_copy(
    b: &mut Builder<'_>,
    (actual, whole, has_derivative): (&Expr, &Expr, bool),
    bare: &[Expr],
    (from, role): (&Stmt, Role),
) -> Option<(Block, Expr)> {
    let known = whole.as_var()?.path().len();
    let like = whole.as_var().and_then(|d| resolve(b.program, d.sym, &d.path())).cloned()?;
    let dims = vec![Dim::Deferred; whole.rank as usize];
    let sym = b.local_like(&format!("copy{}", b.naming.variable), &like, dims);
    let copy = Expr::var(sym, whole.ty, whole.rank);
    let own = if has_derivative { b.shadow_ref(whole) } else { whole.clone() };
    let mut out = vec![b.assign(copy.clone(), own, from, role)];
    for part in bare {
        let path = part.as_var().map_or_else(Vec::new, |d| d.path()[known..].to_vec());
        let part = b.extend(&copy, &path);
        out.extend(b.zero_of(part, from, role));
    }
    let last = actual.as_var().and_then(|d| d.parts.last()).filter(|_| whole.rank > actual.rank);
    let d = Designator { sym, parts: last.cloned().into_iter().collect() };
    Some((out, Expr { kind: ExprKind::Var(d), ..actual.clone() }))
}
