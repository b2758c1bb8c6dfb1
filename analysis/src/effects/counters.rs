//! Counters: variables whose values go nowhere but to other counters and to output, as sums of run times and numbers of calls do.
//! Whatever they hold, nothing else depends on it.

use std::rc::Rc;

use costate_grammar::ir::{
    Arg, DataKind, Designator, Expr, ExprKind, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::Effects;
use super::unknown::bounds;
use crate::storage::LocSet;

/// A reference to a variable, with what takes its value.
struct Use {
    of: Vec<Designator>,
    /// What is assigned; none where the value may go anywhere.
    to: Option<Designator>,
}

impl Effects {
    /// The counters of the program: found once, when procedures are in normal form.
    pub(super) fn counters(&mut self, program: &Program) -> Rc<LocSet> {
        if let Some(known) = &self.counters {
            return Rc::clone(known);
        }
        let mut uses = vec![Use { of: in_declarations(program), to: None }];
        let mut out = LocSet::new();
        for body in self.bodies.clone().values() {
            for_each_stmt(body, &mut |s| {
                if let StmtKind::Assign { lhs, .. } = &s.kind
                    && let Some(d) = lhs.as_var().filter(|d| has_one_name(program, d.sym))
                {
                    out.extend(self.locs.of(program, d));
                }
                note(s, &mut uses);
            });
        }
        loop {
            let before = out.len();
            for u in &uses {
                let to = u.to.as_ref().map(|d| self.locs.of(program, d)).unwrap_or_default();
                if to.is_empty() || !to.iter().all(|l| out.contains(l)) {
                    for d in &u.of {
                        self.locs.of(program, d).iter().for_each(|l| {
                            out.remove(l);
                        });
                    }
                }
            }
            if out.len() == before {
                break;
            }
        }
        let out = Rc::new(out);
        self.counters = Some(Rc::clone(&out));
        out
    }
}

/// What a statement itself, without those inside it, uses.
fn note(s: &Stmt, uses: &mut Vec<Use>) {
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            for e in lhs.children() {
                uses.push(Use { of: mentioned(e), to: None });
            }
            // What functions are given they may hand on.
            let mut passed = Vec::new();
            for_each_expr(rhs, &mut |e| {
                if let ExprKind::Call { args, .. } = &e.kind {
                    passed.extend(args.iter().flat_map(|a: &Arg| mentioned(&a.value)));
                }
            });
            uses.push(Use { of: mentioned(rhs), to: lhs.as_var().cloned() });
            uses.push(Use { of: passed, to: None });
        }
        StmtKind::Io { kind: DataKind::Write | DataKind::Print, items, .. } if !items.internal => {}
        _ => {
            let mut of: Vec<Designator> = s.exprs().into_iter().flat_map(mentioned).collect();
            if let StmtKind::Unsupported { names, .. } | StmtKind::Directive { names, .. } = &s.kind {
                of.extend(names.iter().map(|sym| Designator::whole(*sym)));
            }
            uses.push(Use { of, to: None });
        }
    }
}

/// The variables in an expression.
fn mentioned(e: &Expr) -> Vec<Designator> {
    let mut out = Vec::new();
    for_each_expr(e, &mut |e| out.extend(e.as_var().cloned()));
    out
}

/// True for a variable that nothing else can lead to.
fn has_one_name(program: &Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(|v| v.dummy.is_none() && !v.result && !v.has_other_names())
}

/// The variables that declarations use: sizes and lengths.
fn in_declarations(program: &Program) -> Vec<Designator> {
    let mut out = Vec::new();
    for v in program.symbols.iter().filter_map(|s| s.var()) {
        out.extend(v.dims.iter().flat_map(bounds).flat_map(mentioned));
        out.extend(v.spelling_uses.iter().map(|s| Designator::whole(*s)));
    }
    out
}
