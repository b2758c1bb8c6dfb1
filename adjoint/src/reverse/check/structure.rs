//! What holds of each node by itself: which decisions go together, and when they are made.

use costate_analysis::normal::kind::{Kind, kind};
use costate_analysis::storage::{LocSet, symbols};
use costate_grammar::ir::{Expr, LoopControl, StmtKind};

use super::report::Report;
use crate::reverse::decide::liveness::kept;
use crate::reverse::statements::pointer::associated;
use crate::reverse::tree::construct::ordered_blocks;
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

/// How far the decisions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::reverse) enum Stage {
    /// The tree stands; what runs and what is saved is still to come.
    Planned,
    /// Everything is decided.
    Decided,
}

/// Checks nodes that have so many regions around them.
pub(super) fn nodes(nodes: &[Node], level: usize, stage: Stage, report: &mut Report) {
    for node in nodes {
        match node {
            Node::Leaf(l) => leaf(l, level, stage, report),
            Node::Branch(b) => branch(b, level, stage, report),
            Node::Loop(l) => for_loop(l, level, stage, report),
        }
    }
}

/// Notes what doesn't hold.
fn check(rules: &[(bool, &'static str)], stmt: &costate_grammar::ir::Stmt, report: &mut Report) {
    rules.iter().filter(|r| !r.0).for_each(|r| report.wrong(stmt, r.1));
}

fn leaf(l: &Leaf, level: usize, stage: Stage, report: &mut Report) {
    // A loop with a fixed point is a statement in forward sweeps.
    let construct = match kind(&l.stmt) {
        Kind::If { .. } | Kind::Select { .. } => true,
        Kind::Loop { .. } => !l.adjoint.is_empty(),
        _ => false,
    };
    let undecided =
        l.keep.is_empty() && l.saves.is_empty() && l.preserve.is_empty() && l.unneeded.is_empty() && !l.undone;
    let brought_back = |locs: &LocSet| locs.is_subset(&l.after);
    let result = l.undo.is_none() || l.targets.iter().all(|(_, locs)| brought_back(locs));
    let slice = l.recompute.is_none()
        || l.targets.is_empty() && l.access.writes.is_empty() && l.storage.is_none() && l.split.is_none();
    check(
        &[
            (!construct, "a leaf is a construct"),
            (stage >= Stage::Decided || undecided, "something is saved before it is decided what runs"),
            (result, "a statement is undone whose result may be lost"),
            (slice, "a slice that computes a value again does something in the forward sweep"),
            (l.split.is_none() || !l.adjoint.is_empty(), "a call has a forward half and no backward half"),
            (l.kills_what_it_writes(), "a statement replaces what it doesn't assign"),
        ],
        &l.stmt,
        report,
    );
    if stage == Stage::Decided {
        decided(l, level, report);
    }
}

fn decided(l: &Leaf, level: usize, report: &mut Report) {
    let target = |e: &Expr, of: &LocSet| l.targets.iter().any(|(t, locs)| t == e && !locs.is_disjoint(of));
    let runs = l.kept(level);
    check(
        &[
            (l.keep.len() > level, "it isn't decided whether a statement runs in each sweep"),
            (l.saves.iter().all(|e| target(e, &l.access.writes)), "something is saved that the statement leaves alone"),
            (l.preserve.iter().all(|e| target(e, &l.clobbers)), "something is restored that the adjoint leaves alone"),
            (l.saves.is_empty() && !l.undone || runs, "something is saved of a statement that doesn't run"),
            (!l.undone || l.undo.is_some() && l.saves.is_empty(), "a statement is undone that can't be, or is saved"),
            (l.recompute.is_none() || !l.keep.contains(&true), "a slice runs in the forward sweep"),
            (l.unneeded.len() <= level + 1, "values are unneeded at a level that a statement doesn't have"),
            (in_order(&l.saves) && in_order(&l.preserve), "a subscript is restored after what it picks"),
        ],
        &l.stmt,
        report,
    );
}

/// True when what is restored first is no element that another one of the list picks: the list is restored from its end.
fn in_order(list: &[Expr]) -> bool {
    let used = |e: &Expr| -> std::collections::BTreeSet<_> {
        associated(e).unwrap_or(e).children().into_iter().flat_map(symbols).collect()
    };
    let earlier = |at: usize, sym: &costate_grammar::ir::SymId| {
        list[..at].iter().any(|e| e.as_var().is_some_and(|d| d.parts.is_empty() && d.sym == *sym))
    };
    list.iter().enumerate().all(|(at, e)| !used(e).iter().any(|s| earlier(at, s)))
}

fn branch(b: &Branch, level: usize, stage: Stage, report: &mut Report) {
    let branches = matches!(b.stmt.kind, StmtKind::If { .. } | StmtKind::Select { .. });
    let replay = b.replay == Replay::Save || !b.asks_status;
    check(
        &[
            (branches, "a branch is another statement"),
            (b.arms.len() == ordered_blocks(&b.stmt).len(), "a branch has other blocks than its statement"),
            (replay, "a condition is evaluated again that asks for the status of storage"),
        ],
        &b.stmt,
        report,
    );
    b.arms.iter().for_each(|a| nodes(a, level, stage, report));
}

fn for_loop(l: &Loop, level: usize, stage: Stage, report: &mut Report) {
    let StmtKind::Do { control, .. } = &l.stmt.kind else {
        return report.wrong(&l.stmt, "a loop is another statement");
    };
    let counted = matches!(control, LoopControl::Count { .. });
    let scheduled = l.blocks.as_ref().is_some_and(|b| b.schedule.is_some());
    let undecided = l.snapshot.is_empty() && l.needs.is_empty() && !l.save_variable;
    let iterated = l.iterated.is_some();
    let stands = !iterated || l.region && l.snapshot.is_empty() && l.covers.is_empty() && !kept(l.body.iter(), level);
    let in_blocks = l.blocks.as_ref().is_none_or(|b| l.region && (b.single() || l.steps().is_some()));
    check(
        &[
            (l.variable.is_some() == counted, "a loop counts and has no variable, or has one and doesn't count"),
            (
                !l.region || scheduled || iterated || counted && l.exit.is_none(),
                "iterations run again that nothing counts",
            ),
            (stands, "the iteration of a fixed point runs in the forward sweep"),
            (in_blocks, "the steps of a time loop are missing in its blocks"),
            (l.region || l.snapshot.is_empty() && l.needs.is_empty(), "a snapshot is for nothing that runs again"),
            (stage >= Stage::Decided || undecided, "a snapshot is taken before it is decided what runs"),
            (!l.save_variable || l.own().variable.is_some(), "a variable is saved where nothing counts"),
            (taken(l), "a snapshot takes what an iteration leaves alone"),
            (in_order(&l.snapshot), "a subscript is restored after what it picks"),
        ],
        &l.stmt,
        report,
    );
    nodes(&l.body, level + usize::from(l.region), stage, report);
}

/// True when iterations may change every variable of which a snapshot takes something.
fn taken(l: &Loop) -> bool {
    if l.snapshot.is_empty() {
        return true;
    }
    let mut targets: Vec<&Expr> = Vec::new();
    for n in &l.body {
        n.for_each_leaf(&mut |x| targets.extend(x.targets.iter().map(|t| &t.0)));
        n.for_each_variable(&mut |v, _| targets.push(v));
    }
    let root = |e: &Expr| associated(e).unwrap_or(e).as_var().map(|d| d.sym);
    l.snapshot.iter().all(|e| targets.iter().any(|t| root(t) == root(e)))
}

impl Leaf {
    fn kills_what_it_writes(&self) -> bool {
        self.access.kills.is_subset(&self.access.writes)
    }
}
