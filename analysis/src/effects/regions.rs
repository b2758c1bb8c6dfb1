//! What regions do beside their statements.

use costate_grammar::directives::ClauseKind;
use costate_grammar::ir::{Program, Stmt, for_each_stmt, words};

use super::{Access, Effects};
use crate::normal::kind::Control;
use crate::storage::LocSet;

impl Effects {
    /// What the directives and the header of a region do by themselves.
    pub(super) fn region(
        &mut self,
        program: &Program,
        stmt: &Stmt,
        (control, body): (Option<Control<'_>>, &[Stmt]),
        a: &mut Access,
    ) {
        control.into_iter().for_each(|c| self.control(program, c, a));
        self.clauses(program, stmt, &mut a.reads);
        self.ordered(program, stmt, body, &mut a.unsteady);
    }

    /// Collects what the order in which threads come to a region decides.
    fn ordered(&mut self, program: &Program, stmt: &Stmt, body: &[Stmt], out: &mut LocSet) {
        if stmt.governing().iter().any(|d| d.directive.depends_on_order()) {
            for_each_stmt(body, &mut |s| out.extend(self.access(program, s).writes));
        }
    }

    /// Collects what the clauses of a region's directives use: all that they name, save where they only say that something
    /// is shared, or another variable inside.
    fn clauses(&mut self, program: &Program, stmt: &Stmt, out: &mut LocSet) {
        for d in stmt.governing() {
            for clause in &d.directive.clauses {
                match &clause.kind {
                    ClauseKind::Private(_) | ClauseKind::LastPrivate(_) | ClauseKind::Shared(_) => continue,
                    _ => {}
                }
                for sym in words(&clause.text).filter_map(|w| d.named(program, w)) {
                    out.extend(self.locs.leaves(program, sym, &[]));
                }
            }
        }
    }
}
