//! Pointers: a derivative pointer points to the derivative of what its primal points to.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Expr, ExprKind, ProcId, SymId};

use costate_analysis::request::Head;

use crate::pipeline::Mode;
use crate::session::Session;

/// True for `null()`.
pub(crate) fn is_null(e: &Expr) -> bool {
    matches!(&e.unparen().kind, ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Null), .. })
}

impl Session<'_> {
    /// Refuses pointers that a head uses as they were associated before: nothing says what their derivatives point to,
    /// unless they come with their derivatives.
    pub(crate) fn check_pointers(&mut self, heads: &[Head]) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        if self.mode == Mode::Adjoint {
            let carrying = self.storage.iter().flatten().map(|l| self.effects.locs.get(*l)).filter(|l| l.association);
            for l in carrying {
                let symbol = &self.program[l.sym];
                let d = Diagnostic::error(
                    Code::UnsupportedDeclaration,
                    symbol.span,
                    format!("derivatives pass through the pointer `{}`", symbol.name),
                )
                .reason("adjoint code doesn't follow pointers yet")
                .help("make it allocatable or an argument");
                if !problems.contains(&d) {
                    problems.push(d);
                }
            }
        }
        let exposed: Vec<_> = self.effects.exposed.iter().cloned().collect();
        for cell in exposed {
            let id = self.effects.locs.id(cell.clone());
            if !self.storage.iter().any(|s| s.contains(&id)) || heads.iter().any(|h| self.comes_with(h, cell.sym)) {
                continue;
            }
            let symbol = &self.program[cell.sym];
            let help = match self.program.var(cell.sym).and_then(|v| v.dummy) {
                Some(_) => "name it in the head, so that its derivative is an argument too".to_string(),
                None => format!("associate `{}` in the procedure of the head or in one that it calls", symbol.name),
            };
            let d = Diagnostic::error(
                Code::UnsupportedDeclaration,
                symbol.span,
                format!(
                    "derivatives pass through the pointer `{}`, which is associated before the head is called",
                    symbol.name
                ),
            )
            .reason("what its derivative would have to point to isn't known")
            .help(help);
            if !problems.contains(&d) {
                problems.push(d);
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// True for a dummy of a head that has a derivative dummy.
    fn comes_with(&self, head: &Head, sym: SymId) -> bool {
        let proc: ProcId = head.proc;
        let named = head.independents.iter().chain(&head.dependents).any(|t| t.sym == sym);
        named && self.program[proc].dummies.contains(&sym)
    }
}
