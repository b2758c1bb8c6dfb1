//! Calls that the forward sweep replaces: what runs there keeps what the adjoint needs to know.

use costate_grammar::ir::{Callee, ProcInfo, Role, Stmt, StmtKind, SymbolKind};

use crate::interface::Signature;
use crate::reverse::Reverse;
use crate::reverse::tree::call_site::CallSite;
use crate::runtime;

impl Reverse<'_, '_> {
    /// What runs in the forward sweep in place of a call; none where that is the call itself.
    pub(in crate::reverse) fn recording(&mut self, site: &CallSite<'_>, signature: &Signature) -> Option<Stmt> {
        let row = signature.external.as_ref()?;
        let (module, name) = (row.module.as_ref()?, row.forward.as_ref()?);
        let sym = runtime::symbol_of(self.b.program, module, name, SymbolKind::Procedure(Box::<ProcInfo>::default()));
        let callee = Callee::Proc { sym, generic: None, operator: None };
        let mut call = self.b.derive(StmtKind::Call { callee, args: site.args.to_vec() }, site.stmt, Role::Forward);
        call.leading = site.stmt.leading.clone();
        call.trailing = site.stmt.trailing.clone();
        Some(call)
    }
}
