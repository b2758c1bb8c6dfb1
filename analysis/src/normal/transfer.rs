//! Defined input and output: the procedures that a type has for `read` and `write` are called by the run-time library of
//! the compiler, without a statement. What they do isn't followed, so statements that call them are refused.

use costate_grammar::diag::Code;
use costate_grammar::ir::{Base, IoItems, SymId, Ty};

use super::context::Cx;
use crate::storage::all_components;

/// The generic names of such procedures.
const GENERICS: [&str; 4] = ["read(formatted)", "read(unformatted)", "write(formatted)", "write(unformatted)"];

/// Refuses a statement that transfers an object of a type with procedures of its own.
pub(super) fn refuse_defined(cx: &mut Cx<'_>, items: &IoItems) {
    if items.uses.iter().chain(&items.defines).any(|e| is_defined(cx, e.ty, 0)) {
        cx.refuse(
            Code::UnsupportedStatement,
            "this statement calls a procedure for the input or output of a derived type",
            "what such procedures change isn't followed",
            "transfer the components one by one, or keep the statement out of the procedures that the head reaches",
        );
    }
}

fn is_defined(cx: &Cx<'_>, ty: Ty, depth: u8) -> bool {
    let (Base::Derived(t) | Base::Class(t)) = ty.base else { return false };
    let bound = |t: SymId| GENERICS.iter().any(|name| cx.program.binding(t, name).is_some());
    let named = || GENERICS.iter().any(|name| cx.program.lookup(cx.scope, name).is_some());
    let within = || all_components(cx.program, t).iter().any(|c| is_defined(cx, c.var.ty, depth + 1));
    bound(t) || named() || depth < 8 && within()
}
