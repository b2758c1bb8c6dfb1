//! Memory of local allocatable variables: none is allocated that has memory, freed that has none, or used without.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::check::Finding;
use costate_grammar::ir::{Expr, Name, ProcId, Program, Stmt, StmtKind, SymId, for_each_stmt};

use super::{defined, uses};

/// Allocations, releases and uses that are certainly wrong.
pub(super) fn misused(program: &Program, p: ProcId) -> Vec<Finding> {
    let mut among = defined::local(program, p);
    among.retain(|s| program.var(*s).is_some_and(|v| v.attrs.allocatable));
    // What callees allocate isn't followed.
    for_each_stmt(&program[p].body, &mut |s| {
        let handed = uses::of(program, s).handed;
        among.retain(|x| {
            !handed.contains(x) && !matches!(&s.kind, StmtKind::Unsupported { names, .. } if names.contains(x))
        });
    });
    let mut state: State = among.iter().map(|s| (*s, false)).collect();
    let mut walk = Walk { program, among, changing: Vec::new(), out: BTreeSet::new() };
    walk.block(&program[p].body, &mut state);
    walk.out.into_iter().collect()
}

/// Which variables have memory; those of which it isn't known are left out.
type State = BTreeMap<SymId, bool>;

struct Walk<'p> {
    program: &'p Program,
    among: BTreeSet<SymId>,
    /// What each of the loops around allocates and frees.
    changing: Vec<BTreeSet<SymId>>,
    out: BTreeSet<Finding>,
}

impl Walk<'_> {
    fn block(&mut self, block: &[Stmt], state: &mut State) {
        for s in block {
            self.stmt(s, state);
        }
    }

    fn wrong(&mut self, s: &Stmt, sym: SymId, what: &str) {
        let what = format!("`{}` {what}", self.program[sym].name);
        self.out.insert(Finding { span: s.origin.span(), what });
    }

    fn stmt(&mut self, s: &Stmt, state: &mut State) {
        match &s.kind {
            StmtKind::Allocate { items, options, .. } => {
                let reports = reports(options);
                for sym in items.iter().filter_map(|i| whole(&i.object)) {
                    if reports {
                        state.remove(&sym);
                    } else {
                        self.turn(s, sym, state, true, "is allocated where it has memory");
                    }
                }
            }
            StmtKind::Deallocate { items, options } => {
                let reports = reports(options);
                for sym in items.iter().filter_map(whole) {
                    if reports {
                        state.remove(&sym);
                        continue;
                    }
                    self.turn(s, sym, state, false, "is freed where it has no memory");
                }
            }
            StmtKind::Assign { lhs, rhs } => {
                self.used(s, rhs, state);
                match whole(lhs) {
                    Some(sym) if self.among.contains(&sym) => {
                        state.insert(sym, true);
                    }
                    _ => self.used(s, lhs, state),
                }
            }
            _ => self.missing(s, &uses::of(self.program, s).reads, state),
        }
        self.inside(s, state);
    }

    fn turn(&mut self, s: &Stmt, sym: SymId, state: &mut State, to: bool, what: &str) {
        if !self.among.contains(&sym) {
            return;
        }
        if state.insert(sym, to) == Some(to) {
            self.wrong(s, sym, what);
        }
    }

    /// Elements and values need memory. What is asked about a variable doesn't.
    fn used(&mut self, s: &Stmt, e: &Expr, state: &State) {
        self.missing(s, &uses::values(e), state);
    }

    fn missing(&mut self, s: &Stmt, used: &BTreeSet<SymId>, state: &State) {
        for v in used.iter().filter(|v| state.get(v) == Some(&false)) {
            self.wrong(s, *v, "is used where it has no memory");
        }
    }

    fn inside(&mut self, s: &Stmt, state: &mut State) {
        let blocks = s.blocks();
        if blocks.is_empty() || uses::is_idle(s) {
            return;
        }
        let before = state.clone();
        if !matches!(s.kind, StmtKind::Directive { .. }) {
            // What runs in some iterations only may find what another one has left.
            state.retain(|x, _| !self.changing.iter().any(|list| list.contains(x)));
        }
        let before_first = state.clone();
        match &s.kind {
            StmtKind::Do { .. } => {
                self.changing.push(changed(s));
                for inner in blocks {
                    self.block(inner, state);
                    // Another iteration starts from what the first one leaves.
                    if *state != before_first {
                        let mut again = state.clone();
                        self.block(inner, &mut again);
                    }
                }
                self.changing.pop();
                join(state, &before);
            }
            StmtKind::Directive { .. } => blocks.into_iter().for_each(|b| self.block(b, state)),
            _ => {
                // A condition may know more than is known here: that a variable has memory, by a flag perhaps.
                let inner = State::new();
                let mut out: Option<State> = None;
                for b in blocks {
                    let mut own = inner.clone();
                    self.block(b, &mut own);
                    match &mut out {
                        Some(joined) => join(joined, &own),
                        None => out = Some(own),
                    }
                }
                // No block may run, or it isn't known.
                *state = before;
                join(state, &out.unwrap_or_default());
            }
        }
    }
}

/// The variables that get or lose memory in a loop.
fn changed(s: &Stmt) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(std::slice::from_ref(s), &mut |s| match &s.kind {
        StmtKind::Allocate { items, .. } => out.extend(items.iter().filter_map(|i| whole(&i.object))),
        StmtKind::Deallocate { items, .. } => out.extend(items.iter().filter_map(whole)),
        StmtKind::Assign { lhs, .. } => out.extend(whole(lhs)),
        _ => {}
    });
    out
}

/// True for a statement that goes on where it fails.
fn reports(options: &[(Name, Expr)]) -> bool {
    options.iter().any(|(n, _)| n.as_str() == "stat")
}

fn join(state: &mut State, other: &State) {
    state.retain(|s, held| other.get(s) == Some(held));
}

fn whole(e: &Expr) -> Option<SymId> {
    e.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym)
}
