//! Calls whose callee changes memory that it knows by more than one name.

use costate_analysis::effects::{Sharing, target};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Arg, Callee, ExprKind, ProcId, Stmt, StmtKind, SymId, for_each_stmt};

use crate::session::Session;

/// The callee and the arguments of a call statement, or of an assignment of a function's result.
fn call_of(s: &Stmt) -> Option<(&Callee, &[Arg])> {
    match &s.kind {
        StmtKind::Call { callee, args } => Some((callee, args)),
        StmtKind::Assign { rhs, .. } | StmtKind::PointerAssign { rhs, .. } => match &rhs.kind {
            ExprKind::Call { callee, args } => Some((callee, args)),
            _ => None,
        },
        _ => None,
    }
}

impl Session<'_> {
    /// Refuses calls that change what an argument shares with another name: analyses and derivatives take the two for
    /// different memory.
    pub(crate) fn check_aliasing(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        for c in self.activity.contexts.clone() {
            let body = self.effects.bodies.get(&c.proc).cloned().unwrap_or_default();
            for_each_stmt(&body, &mut |s| {
                let Some((callee, args)) = call_of(s).filter(|_| c.callees.contains_key(&s.id)) else { return };
                let Some(proc) = target(self.program, callee) else { return };
                let sharings = self.effects.sharings(self.program, c.proc, proc, args);
                if let Some(sharing) = sharings.iter().find(|s| s.changed) {
                    let d = self.refusal_of_sharing(s, proc, sharing);
                    if !problems.contains(&d) {
                        problems.push(d);
                    }
                }
            });
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn refusal_of_sharing(&self, s: &Stmt, callee: ProcId, sharing: &Sharing) -> Diagnostic {
        let name = |sym: SymId| &self.program[sym].name;
        let (proc, dummy) = (&self.program[callee].name, name(sharing.dummy));
        let reason = match sharing.other {
            Some(other) => format!("the arguments `{}` and `{dummy}` of `{proc}` may share memory", name(other)),
            None => format!("`{proc}` may reach the argument `{dummy}` by its own name too"),
        };
        let reason = format!("{reason}, and one of the two is assigned, which Fortran doesn't allow");
        Diagnostic::error(Code::ActiveAliasing, s.origin.span(), "memory is known by two names in a call, and changed")
            .reason(reason)
            .help("pass a copy of the argument")
    }
}
