//! Values that are written to a character variable and read back: no derivative follows them there.

use std::collections::BTreeSet;

use costate_analysis::activity::Activity;
use costate_analysis::effects::{Effects, bind, target};
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Base, DataKind, Expr, ExprKind, ProcId, ProcKind, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

/// Refuses to read useful numbers from text that varied numbers were written to.
pub(crate) fn check(program: &Program, effects: &mut Effects, activity: &Activity) -> Vec<Diagnostic> {
    let bodies: Vec<(ProcId, Vec<Stmt>)> = effects.bodies.iter().map(|(p, b)| (*p, b.clone())).collect();
    let mut walk = Walk { program, effects, activity, texts: BTreeSet::new() };
    let mut known = None;
    while known != Some(walk.texts.len()) {
        known = Some(walk.texts.len());
        for (proc, body) in &bodies {
            for_each_stmt(body, &mut |s| walk.follow(*proc, s));
        }
    }
    let mut problems = Vec::new();
    for (proc, body) in &bodies {
        for_each_stmt(body, &mut |s| problems.extend(walk.read_back(*proc, s)));
    }
    problems
}

struct Walk<'a> {
    program: &'a Program,
    effects: &'a mut Effects,
    activity: &'a Activity,
    /// Variables that hold varied numbers as text.
    texts: BTreeSet<SymId>,
}

impl Walk<'_> {
    fn holds(&self, e: &Expr) -> bool {
        let mut found = false;
        for_each_expr(e, &mut |e| {
            found |= match &e.kind {
                ExprKind::Var(d) => self.texts.contains(&d.sym),
                ExprKind::Call { callee, .. } => target(self.program, callee).is_some_and(|p| self.gives(p)),
                _ => false,
            };
        });
        found
    }

    /// True for a function whose result holds them.
    fn gives(&self, proc: ProcId) -> bool {
        matches!(self.program[proc].kind, ProcKind::Function(r) if self.texts.contains(&r))
    }

    fn mark(&mut self, e: &Expr) {
        if let Some(d) = e.as_var() {
            self.texts.insert(d.sym);
        }
    }

    fn follow(&mut self, proc: ProcId, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Io { kind, items, .. } => {
                let held = items.uses.iter().any(|e| self.holds(e));
                let written = items.internal && *kind == DataKind::Write;
                if held || written && self.writes_varied(proc, stmt, &items.uses) {
                    items.defines.iter().filter(|e| e.ty.base == Base::Character).for_each(|e| self.mark(e));
                }
            }
            StmtKind::Assign { lhs, rhs } if !lhs.ty.is_numeric() && self.holds(rhs) => self.mark(lhs),
            _ => {}
        }
        if let StmtKind::Call { callee, args } = &stmt.kind {
            self.pass(target(self.program, callee), args);
        }
        for e in stmt.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    self.pass(target(self.program, callee), args);
                }
            });
        }
    }

    /// Between arguments and dummies, both ways.
    fn pass(&mut self, callee: Option<ProcId>, args: &[costate_grammar::ir::Arg]) {
        let Some(callee) = callee else { return };
        let procedure = &self.program[callee];
        for (dummy, actual) in procedure.dummies.iter().zip(bind(self.program, procedure, args)) {
            let Some(actual) = actual.filter(|e| !e.ty.is_numeric()) else { continue };
            if self.holds(actual) {
                self.texts.insert(*dummy);
            }
            if self.texts.contains(dummy) {
                self.mark(actual);
            }
        }
    }

    fn locs(&mut self, items: &[Expr]) -> LocSet {
        let mut out = LocSet::new();
        items.iter().for_each(|e| self.effects.reads(self.program, e, &mut out));
        out.retain(|l| self.effects.locs.is_continuous(self.program, *l));
        out
    }

    /// Where no derivative passes through a procedure nothing is known of its variables.
    fn writes_varied(&mut self, proc: ProcId, stmt: &Stmt, items: &[Expr]) -> bool {
        let locs = self.locs(items);
        let mut contexts = self.activity.contexts.iter().filter(|c| c.proc == proc).peekable();
        let unknown = contexts.peek().is_none();
        let varied = contexts.any(|c| c.varied.get(&stmt.id).is_some_and(|v| locs.iter().any(|l| v.contains(l))));
        !locs.is_empty() && (unknown || varied)
    }

    fn read_back(&mut self, proc: ProcId, stmt: &Stmt) -> Option<Diagnostic> {
        let StmtKind::Io { kind: DataKind::Read, items, .. } = &stmt.kind else { return None };
        if !items.internal || !items.uses.iter().any(|e| self.holds(e)) {
            return None;
        }
        let locs = self.locs(&items.defines);
        let mut contexts = self.activity.contexts.iter().filter(|c| c.proc == proc).peekable();
        let unknown = contexts.peek().is_none();
        let useful = contexts.any(|c| c.useful.get(&stmt.id).is_some_and(|u| locs.iter().any(|l| u.contains(l))));
        let message = "this statement reads back numbers that the derivative depends on";
        (!locs.is_empty() && (unknown || useful)).then(|| {
            Diagnostic::error(Code::ActiveIo, stmt.origin.span(), message)
                .reason("they were written to a character variable, and no derivative goes through text")
                .help("assign the numbers themselves")
        })
    }
}
