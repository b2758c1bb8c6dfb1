//! The dummies of generated procedures.

use costate_grammar::ir::{Base, Intent, ProcKind, SymId, SymbolKind};

use crate::build::Builder;
use crate::interface::Signature;
use crate::passed::twin_of;
use crate::unit::is_renewed;

/// The dummies of an adjoint procedure in call order: primal symbols and derivative symbols. A function's result adjoint
/// comes last.
pub(crate) fn derivative_dummies(b: &mut Builder<'_>, signature: &Signature) -> Vec<SymId> {
    let (dummies, kind) = (b.program[signature.primal].dummies.clone(), b.program[signature.primal].kind);
    let mut out = Vec::new();
    for d in dummies {
        out.push(d);
        if signature.derivative.contains(&d) {
            out.push(derivative_dummy(b, d));
        }
        out.extend(twin(b, signature, d));
    }
    if let (ProcKind::Function(r), true) = (kind, signature.result) {
        out.push(derivative_dummy(b, r));
    }
    out
}

/// The derivative of a dummy procedure.
fn twin(b: &Builder<'_>, signature: &Signature, dummy: SymId) -> Option<SymId> {
    twin_of(b.program, dummy).filter(|_| signature.twins.contains(&dummy))
}

fn derivative_dummy(b: &mut Builder<'_>, primal: SymId) -> SymId {
    let declared = b.program.var(primal);
    let attrs = declared.map(|v| v.attrs).unwrap_or_default();
    // A pointer that stays where it is may be passed a target that is no pointer.
    let stays = attrs.pointer && declared.is_some_and(|v| v.intent == Some(Intent::In));
    let sym = b.shadow_of(primal);
    if let SymbolKind::Variable(v) = &mut b.program[sym].kind {
        v.attrs = attrs;
        v.attrs.value = false;
        v.attrs.save = false;
        v.attrs.parameter = false;
        v.intent = Some(if stays { Intent::In } else { Intent::InOut });
    }
    sym
}

/// The dummies of a tangent procedure in call order; a function's result and its derivative come last (contract, section 3).
pub(crate) fn tangent_dummies(b: &mut Builder<'_>, signature: &Signature, head: bool) -> Vec<SymId> {
    let (dummies, kind) = (b.program[signature.primal].dummies.clone(), b.program[signature.primal].kind);
    let mut out = Vec::new();
    for d in dummies {
        out.push(d);
        if signature.derivative.contains(&d) {
            out.push(tangent_dummy(b, d, head));
        }
        out.extend(twin(b, signature, d));
    }
    if let ProcKind::Function(r) = kind {
        out.push(r);
        if signature.result {
            out.push(tangent_dummy(b, r, head));
        }
    }
    out
}

fn tangent_dummy(b: &mut Builder<'_>, primal: SymId, head: bool) -> SymId {
    let (attrs, intent) = b.program.var(primal).map(|v| (v.attrs, v.intent)).unwrap_or_default();
    let result = matches!(b.program[b.primal].kind, ProcKind::Function(r) if r == primal);
    let renewed = b.program.var(primal).is_some_and(|v| is_renewed(b.program, v));
    let sym = b.shadow_of(primal);
    if let SymbolKind::Variable(v) = &mut b.program[sym].kind {
        v.attrs = attrs;
        v.attrs.save = false;
        v.attrs.parameter = false;
        // A tangent that is only partly set keeps the rest of what came in.
        // An allocatable output comes without memory, and so does its derivative. What a type that extends the declared
        // one has by default would be its derivative's value too: calls in generated code take care of that, and heads
        // have no such types.
        let extended = matches!(v.ty.base, Base::Class(_) | Base::Unlimited) && !head;
        let fresh = (v.attrs.allocatable || renewed && !extended) && (result || intent == Some(Intent::Out));
        v.intent = match intent {
            _ if fresh => Some(Intent::Out),
            Some(Intent::In) => Some(Intent::In),
            _ if result => Some(Intent::InOut),
            other => other.map(|_| Intent::InOut),
        };
    }
    sym
}
