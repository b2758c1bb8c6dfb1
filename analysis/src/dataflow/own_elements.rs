//! Elements of arrays that are used where the same statements, in the same iterations of the loops around them, have assigned
//! them before: available expressions (Aho, Lam, Sethi and Ullman, 2nd edition, section 9.2.6) for left sides.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Callee, Designator, Expr, ExprKind, LoopControl, Part, Program, Stmt, StmtId, StmtKind, Subscript, SymId,
    for_each_expr, for_each_stmt,
};

use crate::loops::assigned;
use crate::storage::symbols;

/// Where arrays are used, by statement, all of whose elements that the statement uses by itself have been assigned before.
pub(super) fn of_body(program: &Program, body: &[Stmt]) -> BTreeSet<(StmtId, SymId)> {
    let mut walk = Walk { program, found: BTreeSet::new() };
    walk.block(body, &mut Elements::default());
    walk.found
}

/// The elements that have values, with the variables in their subscripts.
#[derive(Clone, Default)]
struct Elements {
    of: BTreeMap<SymId, Vec<(Designator, BTreeSet<SymId>)>>,
    /// All variables in subscripts.
    mentioned: BTreeSet<SymId>,
}

impl Elements {
    /// Subscripts mean something else from here on.
    fn changed(&mut self, syms: impl IntoIterator<Item = SymId>) {
        let changed: BTreeSet<SymId> = syms.into_iter().filter(|s| self.mentioned.contains(s)).collect();
        if !changed.is_empty() {
            self.of.values_mut().for_each(|list| list.retain(|(_, names)| names.is_disjoint(&changed)));
        }
    }

    fn forget(&mut self, arrays: &BTreeSet<SymId>) {
        self.of.retain(|s, _| !arrays.contains(s));
    }

    fn add(&mut self, d: &Designator, names: BTreeSet<SymId>) {
        self.mentioned.extend(&names);
        let list = self.of.entry(d.sym).or_default();
        if !list.iter().any(|(known, _)| known == d) {
            list.push((d.clone(), names));
        }
    }

    fn holds(&self, d: &Designator) -> bool {
        self.of.get(&d.sym).is_some_and(|list| list.iter().any(|(known, _)| known == d))
    }
}

struct Walk<'p> {
    program: &'p Program,
    found: BTreeSet<(StmtId, SymId)>,
}

impl Walk<'_> {
    fn block(&mut self, block: &[Stmt], known: &mut Elements) {
        for s in block {
            self.statement(s, known);
        }
    }

    fn statement(&mut self, s: &Stmt, known: &mut Elements) {
        // Jumps may come from anywhere.
        if s.label.is_some() {
            *known = Elements::default();
        }
        match &s.kind {
            StmtKind::Assign { lhs, rhs } if !calls(s) => {
                self.reads(s.id, lhs.children().into_iter().chain([rhs]), known);
                if let Some(d) = lhs.as_var() {
                    known.changed([d.sym]);
                    if let Some(names) = self.element(d) {
                        known.add(d, names);
                    }
                }
            }
            StmtKind::If { arms, .. } if is_plain(s) => {
                self.reads(s.id, arms.iter().map(|a| &a.cond), known);
                for b in s.blocks() {
                    self.block(b, &mut known.clone());
                }
                known.changed(s.blocks().into_iter().flat_map(|b| assigned(b)));
                if shares_out(s) {
                    s.blocks().into_iter().for_each(|b| known.forget(&assigned(b)));
                }
            }
            StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } if is_plain(s) => {
                self.reads(s.id, s.exprs(), known);
                known.changed(assigned(body).into_iter().chain([*var]));
                self.block(body, &mut known.clone());
                // Threads may have elements of their own in it: what it leaves is of use if it is used.
                if shares_out(s) {
                    known.forget(&assigned(body));
                }
            }
            StmtKind::Continue | StmtKind::Comment(_) => {}
            // What they do isn't looked at; what stands in them is.
            _ => {
                *known = Elements::default();
                s.blocks().into_iter().for_each(|b| self.block(b, &mut Elements::default()));
            }
        }
    }

    /// Notes the arrays of which expressions use known elements alone.
    fn reads<'e>(&mut self, id: StmtId, list: impl IntoIterator<Item = &'e Expr>, known: &Elements) {
        let mut all: BTreeMap<SymId, bool> = BTreeMap::new();
        for e in list {
            for_each_expr(e, &mut |x| {
                if let Some(d) = x.as_var() {
                    *all.entry(d.sym).or_insert(true) &= known.holds(d);
                }
            });
        }
        self.found.extend(all.into_iter().filter(|(_, holds)| *holds).map(|(s, _)| (id, s)));
    }

    /// The variables in the subscripts of an element of an array of the procedure's own, which has one name only.
    fn element(&self, d: &Designator) -> Option<BTreeSet<SymId>> {
        let [Part::Subscripts(list)] = d.parts.as_slice() else { return None };
        let own = |s: SymId| self.program.var(s).is_some_and(|v| !v.has_other_names());
        let indices = list.iter().map(|s| match s {
            Subscript::Index(e) if e.rank == 0 => Some(symbols(e)),
            _ => None,
        });
        let names: BTreeSet<SymId> = indices.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
        (own(d.sym) && names.iter().all(|s| own(*s))).then_some(names)
    }
}

/// True for a loop that is shared out, or in which one is.
fn shares_out(s: &Stmt) -> bool {
    let mut found = false;
    for_each_stmt(std::slice::from_ref(s), &mut |x| found |= x.followed().is_some());
    found
}

/// True for a construct of nothing but assignments, branches and counted loops: what it changes is what it assigns.
fn is_plain(s: &Stmt) -> bool {
    let mut plain = true;
    for_each_stmt(std::slice::from_ref(s), &mut |x| {
        let known = match &x.kind {
            StmtKind::Assign { .. } | StmtKind::If { .. } | StmtKind::Continue | StmtKind::Comment(_) => true,
            StmtKind::Do { control: LoopControl::Count { .. }, .. } => !x.is_region(),
            _ => false,
        };
        plain &= known && !calls(x);
    });
    plain
}

/// True for a statement that calls procedures by itself, or whose header does.
fn calls(s: &Stmt) -> bool {
    let mut found = false;
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            found |= match &x.kind {
                ExprKind::Call { callee, .. } => !matches!(callee, Callee::Intrinsic(_)),
                ExprKind::Opaque(_) => true,
                _ => false,
            };
        });
    }
    found
}
