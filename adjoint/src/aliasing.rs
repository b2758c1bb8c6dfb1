//! Calls whose callee changes memory that it knows by more than one name.

use costate_analysis::effects::Sharing;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{ProcId, Stmt, SymId, for_each_stmt};

use crate::interface::call_arguments;
use crate::session::Session;

impl Session<'_> {
    /// Refuses calls that change what an argument shares with another name: analyses and derivatives take the two for
    /// different memory.
    pub(crate) fn check_aliasing(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        for c in self.activity.contexts.clone() {
            let body = self.effects.bodies.get(&c.proc).cloned().unwrap_or_default();
            for_each_stmt(&body, &mut |s| {
                let Some(child) = c.callees.get(&s.id) else { return };
                let proc = self.activity.get(*child).proc;
                // What they send and what they receive is apart, and so it is in their derivatives.
                if self.program[proc].declared && !self.effects.is_passed(proc) {
                    return;
                }
                let sharings = self.effects.sharings(self.program, (c.proc, proc), s.id, call_arguments(s));
                let changed: Vec<&Sharing> = sharings.iter().filter(|s| s.changed).collect();
                if changed.iter().all(|s| s.decidable) {
                    self.undecided.extend(changed.iter().filter_map(|s| Some((proc, s.dummy, s.other?))));
                }
                if let Some(sharing) = changed.first() {
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
        let reason = format!("{reason}, and one of the two is assigned");
        Diagnostic::error(Code::ActiveAliasing, s.origin.span(), "memory is known by two names in a call, and changed")
            .reason(reason)
            .help("pass a copy of the argument")
    }
}
