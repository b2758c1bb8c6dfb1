//! Which scalars are private to one iteration.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::ir::{Base, Expr, LoopControl, Stmt, StmtKind, SymId};

use crate::build::Builder;

/// Local scalars whose value is never used outside the iteration that assigns it, or that are used only after they were
/// assigned.
pub(super) fn private_scalars(b: &Builder<'_>, body: &[Stmt]) -> BTreeSet<SymId> {
    let used = exposed(body);
    let fine = |s: &SymId| {
        b.program.var(*s).is_some_and(|v| {
            v.rank() == 0
                && !(v.attrs.save || v.attrs.allocatable || v.has_other_names())
                && matches!(v.ty.base, Base::Real | Base::Integer | Base::Logical)
                && !used.contains(s)
                && !b.outlives(*s)
        })
    };
    costate_analysis::loops::assigned(body).into_iter().filter(fine).collect()
}

/// Symbols whose value may be used where the block (a loop's body, an arm of a branch) did not assign it before, nor those
/// around it, or after a loop that assigns it.
pub(crate) fn exposed(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    scan(block, &mut BTreeSet::new(), &mut out);
    out
}

fn scan(block: &[Stmt], defined: &mut BTreeSet<SymId>, out: &mut BTreeSet<SymId>) {
    for s in block {
        let mut read = |e: &Expr, defined: &BTreeSet<SymId>| {
            out.extend(symbols(e).into_iter().filter(|x| !defined.contains(x)));
        };
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                read(rhs, defined);
                lhs.children().into_iter().for_each(|e| read(e, defined));
                match lhs.as_var() {
                    Some(d) if d.parts.is_empty() => {
                        defined.insert(d.sym);
                    }
                    Some(_) => {}
                    None => read(lhs, defined),
                }
            }
            StmtKind::Do { control, body, .. } => {
                s.exprs().into_iter().for_each(|e| read(e, defined));
                if let LoopControl::While(cond) = control {
                    // It is evaluated after each iteration too.
                    read(cond, &BTreeSet::new());
                }
                let assigned = costate_analysis::loops::assigned(body);
                // What the loop doesn't change is in each iteration what it was before.
                defined.retain(|x| !assigned.contains(x));
                let mut inner = defined.clone();
                if let LoopControl::Count { var, .. } = control {
                    inner.insert(*var);
                    defined.remove(var);
                }
                scan(body, &mut inner, out);
            }
            StmtKind::If { arms, otherwise, .. } => {
                s.exprs().into_iter().for_each(|e| read(e, defined));
                let mut after = otherwise.is_none().then(|| defined.clone());
                for body in arms.iter().map(|a| &a.body).chain(otherwise) {
                    let mut own = defined.clone();
                    scan(body, &mut own, out);
                    after = Some(match after {
                        None => own,
                        Some(a) => a.intersection(&own).copied().collect(),
                    });
                }
                *defined = after.unwrap_or_default();
            }
            _ => {
                s.exprs().into_iter().for_each(|e| {
                    read(e, defined);
                    symbols(e).iter().for_each(|x| {
                        defined.remove(x);
                    });
                });
                if let StmtKind::Select { arms, .. } = &s.kind {
                    for range in arms.iter().flat_map(|a| &a.ranges) {
                        range.exprs().into_iter().for_each(|e| read(e, defined));
                    }
                }
                for body in s.blocks() {
                    let assigned = costate_analysis::loops::assigned(body);
                    scan(body, &mut BTreeSet::new(), out);
                    defined.retain(|x| !assigned.contains(x));
                }
            }
        }
    }
}
