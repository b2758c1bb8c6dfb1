//! Statements whose values Fortran leaves open: a function changes what the same statement uses beside it, and the
//! compiler may evaluate either first; a procedure assigns a dummy argument that an expression is passed for.
//!
//! Normal form calls functions before the statement, and passes copies. What the compiler makes of the primal may be
//! another thing, so the derivative is refused where it is sure to be, and the user is warned where it may be.

use costate_analysis::activity::Context;
use costate_analysis::effects::{bind, target};
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::ir::{Arg, Callee, Expr, ExprKind, ProcId, Stmt, StmtKind, for_each_expr, for_each_stmt};

use crate::session::Session;

impl Session<'_> {
    /// Refuses statements whose values depend on an order of evaluation that isn't defined; warns of those that may.
    pub(crate) fn check_evaluation(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut found: Vec<Diagnostic> = Vec::new();
        for c in self.activity.contexts.clone() {
            let body = self.program[c.proc].body.clone();
            for_each_stmt(&body, &mut |s| {
                for evaluated in evaluated_together(s) {
                    let d = self.undefined_order(&c, s, &evaluated).or_else(|| self.assigned_copy(s, &evaluated));
                    found.extend(d.filter(|d| !found.contains(d)));
                }
            });
        }
        let (errors, warnings): (Vec<_>, Vec<_>) = found.into_iter().partition(|d| d.severity == Severity::Error);
        self.warn(warnings);
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// What a function changes and the statement uses beside its reference.
    fn undefined_order(&mut self, c: &Context, s: &Stmt, evaluated: &[&Expr]) -> Option<Diagnostic> {
        for call in evaluated.iter().flat_map(|e| user_calls(e)) {
            let (proc, args) = self.called(call)?;
            let access = self.effects.call_access(self.program, proc, args, None);
            if access.writes.is_empty() {
                continue;
            }
            let mut beside = LocSet::new();
            evaluated.iter().for_each(|e| self.used_beside(e, call, false, &mut beside));
            let changed: Vec<_> = access.writes.intersection(&beside).copied().collect();
            let active = |l: &_| c.active.contains(l);
            let sure = changed.iter().find(|l| active(l) && access.kills.contains(l));
            let Some(place) = sure.or_else(|| changed.iter().find(|l| active(l) || access.kills.contains(l))) else {
                continue;
            };
            let (name, changed) = (&self.program[proc].name, self.effects.locs.describe(self.program, *place));
            let message = format!("`{name}` changes `{changed}`, which the statement uses beside the function");
            let severity = if sure.is_some() { Severity::Error } else { Severity::Warning };
            return Some(
                Diagnostic::error(Code::UnsupportedExpression, s.origin.span(), message)
                    .severity(severity)
                    .reason(
                        "Fortran doesn't say which is evaluated first, and compilers differ: the value is anybody's",
                    )
                    .help("assign the function's value to a variable before the statement"),
            );
        }
        None
    }

    /// An expression that is passed for a dummy argument which the procedure assigns.
    fn assigned_copy(&mut self, s: &Stmt, evaluated: &[&Expr]) -> Option<Diagnostic> {
        let own = match &s.kind {
            StmtKind::Call { callee, args } => target(self.program, callee).map(|p| (p, args.as_slice())),
            _ => None,
        };
        let calls: Vec<_> = evaluated.iter().flat_map(|e| user_calls(e)).filter_map(|e| self.called(e)).collect();
        for (proc, args) in own.into_iter().chain(calls) {
            let p = self.program[proc].clone();
            let Some(summary) = self.effects.summaries.get(&proc).cloned() else { continue };
            for (dummy, actual) in p.dummies.iter().zip(bind(self.program, &p, args)) {
                let leaves = self.effects.locs.leaves(self.program, *dummy, &[]);
                let kept = self.program.var(*dummy).is_none_or(|v| v.attrs.value);
                let changed = leaves.iter().any(|l| summary.access.kills.contains(l));
                let Some(actual) = actual.filter(|e| !kept && changed && is_value(self.program, e)) else { continue };
                let message = format!("`{}` assigns its argument `{}`", p.name, self.program[*dummy].name);
                let message =
                    format!("{message}, and `{}` is no variable", costate_grammar::print::expr(self.program, actual));
                return Some(
                    Diagnostic::error(Code::UnsupportedCall, s.origin.span(), message)
                        .severity(Severity::Warning)
                        .reason("that isn't Fortran: some compilers pass a copy, as derivative code does, others constant memory")
                        .help("assign the value to a variable and pass that"),
                );
            }
        }
        None
    }

    fn called<'e>(&self, call: &'e Expr) -> Option<(ProcId, &'e [Arg])> {
        match &call.kind {
            ExprKind::Call { callee, args } => target(self.program, callee).map(|p| (p, args.as_slice())),
            _ => None,
        }
    }

    /// What is evaluated in an expression neither before nor after one of the calls in it: neither the call's arguments
    /// nor what takes its value. A variable that is passed to a procedure isn't evaluated until that runs.
    fn used_beside(&mut self, e: &Expr, call: &Expr, passed: bool, out: &mut LocSet) {
        if std::ptr::eq(e, call) {
            return;
        }
        let around = contains(e, call);
        match &e.kind {
            ExprKind::Var(d) if !around && !passed => out.extend(self.effects.locs.of(self.program, d)),
            ExprKind::Call { .. } if !around => {
                // Counters of calls may go up in any order.
                if let Some((proc, args)) = self.called(e) {
                    let reads = self.effects.call_access(self.program, proc, args, None).reads;
                    out.extend(reads.into_iter().filter(|l| self.effects.locs.is_continuous(self.program, *l)));
                }
            }
            _ => {}
        }
        let passes = is_user_call(e);
        e.children().into_iter().for_each(|x| self.used_beside(x, call, passes, out));
    }
}

/// The expressions of a statement that are evaluated in no given order, group by group.
fn evaluated_together(s: &Stmt) -> Vec<Vec<&Expr>> {
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => vec![lhs.children().into_iter().chain([rhs]).collect()],
        StmtKind::Call { args, .. } => {
            // A variable that is passed isn't evaluated.
            let (variables, values): (Vec<&Expr>, Vec<&Expr>) =
                args.iter().map(|a| &a.value).partition(|e| e.as_var().is_some());
            vec![variables.into_iter().flat_map(Expr::children).chain(values).collect()]
        }
        StmtKind::If { arms, .. } => arms.iter().map(|a| vec![&a.cond]).collect(),
        _ => Vec::new(),
    }
}

/// True for an expression that a compiler may keep in constant memory or not at all. Parentheses around a variable ask for
/// a copy.
fn is_value(program: &costate_grammar::ir::Program, e: &Expr) -> bool {
    match &e.unparen().kind {
        ExprKind::Var(d) => program.var(d.sym).is_some_and(|v| v.attrs.parameter),
        ExprKind::Call { .. } => !is_user_call(e.unparen()),
        ExprKind::ProcRef(_) => false,
        _ => true,
    }
}

fn is_user_call(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. })
}

fn user_calls(e: &Expr) -> Vec<&Expr> {
    let mut out = Vec::new();
    for_each_expr(e, &mut |x| out.extend(is_user_call(x).then_some(x)));
    out
}

fn contains(e: &Expr, part: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| found |= std::ptr::eq(x, part));
    found
}
