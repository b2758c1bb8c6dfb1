//! Chooses the loops whose iterations run again in the backward sweep ("regions").
//!
//! In a region nothing is saved but the values from the start of an iteration that the iteration overwrites and that are
//! needed. Where that is nothing, forward and backward part run in one pass and the loop costs no memory at all; this is
//! taken at any level. An innermost loop is made a region as long as its snapshot can be taken at the start of the
//! iteration: running a short body again is cheaper than saving its intermediate values.

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{DataKind, Expr, LoopControl, StmtKind};

use super::construct::settle;
use super::liveness;
use super::node::{Leaf, Loop, Node, writes};

/// Marks the regions among the nodes.
pub(super) fn choose(nodes: &mut [Node]) {
    pick(nodes, &LocSet::new(), false);
}

/// `outside` is what adjoints that run after these nodes' need; `repeated` that an enclosing loop comes here again.
fn pick(nodes: &mut [Node], outside: &LocSet, repeated: bool) {
    let exposed: Vec<LocSet> = nodes.iter_mut().map(|n| exposure(std::slice::from_mut(n))).collect();
    let mut earlier = outside.clone();
    if repeated {
        exposed.iter().for_each(|e| earlier.extend(e.iter().copied()));
    }
    for (node, own) in nodes.iter_mut().zip(exposed) {
        match node {
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| pick(a, &earlier, repeated)),
            Node::Loop(l) => {
                if l.body.iter().any(Node::has_adjoint) && eligible(l, &earlier) {
                    l.region = true;
                    // Right before its adjoint the iteration runs again: what was assigned earlier in it still stands.
                    settle(&mut l.body, &LocSet::new());
                    pick(&mut l.body, &LocSet::new(), false);
                } else {
                    pick(&mut l.body, &earlier, true);
                }
            }
        }
        earlier.extend(own);
    }
}

/// What the adjoints of the nodes use of the state at their start.
fn exposure(nodes: &mut [Node]) -> LocSet {
    let out = liveness::analyse(nodes, 1, true, LocSet::new());
    forget(nodes);
    out
}

fn forget(nodes: &mut [Node]) {
    for n in nodes {
        match n {
            Node::Leaf(l) => l.keep.clear(),
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| forget(a)),
            Node::Loop(l) => forget(&mut l.body),
        }
    }
}

fn eligible(l: &mut Loop, outside: &LocSet) -> bool {
    let counted = matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::Count { .. }, .. });
    if !counted || l.exit.is_some() || !repeatable(&l.body) {
        return false;
    }
    let inside = writes(&l.body);
    if l.access.writes.iter().any(|v| inside.contains(v)) || !l.portable {
        return false;
    }
    let start = exposure(&mut l.body);
    let touched: LocSet =
        inside.difference(&l.own).copied().filter(|w| start.contains(w) || outside.contains(w)).collect();
    if touched.is_empty() {
        return true;
    }
    let innermost = !l.body.iter().any(Node::has_loop);
    innermost && l.body.iter().all(|n| snapshots(n, &touched, &inside, &l.body))
}

/// True when running the nodes again does nothing else than the first time.
fn repeatable(nodes: &[Node]) -> bool {
    let mut fine = true;
    for n in nodes {
        n.for_each_leaf(&mut |l| {
            fine &= !l.access.irreproducible;
            if let StmtKind::Io { kind: DataKind::File | DataKind::Read, .. } = l.stmt.kind {
                fine = false;
            }
        });
    }
    fine
}

/// True when what the node overwrites of `touched` can be saved at the start of the iteration.
fn snapshots(node: &Node, touched: &LocSet, inside: &LocSet, body: &[Node]) -> bool {
    let mut fine = true;
    let top_level = matches!(node, Node::Leaf(_));
    node.for_each_leaf(&mut |l| {
        for (target, locs) in &l.targets {
            if !locs.iter().any(|x| l.access.writes.contains(x) && touched.contains(x)) {
                continue;
            }
            fine &= fixed(target, l, inside) && (top_level || mentioned(target, body));
        }
    });
    fine
}

/// True for a scalar or an element whose subscripts stand still during the iteration.
fn fixed(target: &Expr, leaf: &Leaf, inside: &LocSet) -> bool {
    if target.rank > 0 || target.is_derived() {
        return false;
    }
    let Some(d) = target.as_var() else { return false };
    if !matches!(leaf.stmt.kind, StmtKind::Assign { .. })
        && !d.parts.is_empty()
        && leaf.access.reads.iter().any(|r| inside.contains(r))
    {
        return false;
    }
    d.parts.is_empty() || !leaf.subscripts.iter().any(|r| inside.contains(r))
}

/// True when the reference is evaluated at the top level of the body, so that evaluating it at the start is safe even
/// where a branch guards its assignment.
fn mentioned(target: &Expr, body: &[Node]) -> bool {
    if target.as_var().is_some_and(|d| d.parts.is_empty()) {
        return true;
    }
    body.iter().any(|n| match n {
        Node::Leaf(l) => {
            let mut found = false;
            for e in l.stmt.exprs() {
                costate_grammar::ir::for_each_expr(e, &mut |x| found |= x == target);
            }
            found
        }
        Node::Branch(b) => {
            let mut found = false;
            // The first condition is always evaluated.
            if let Some(e) = b.stmt.exprs().first() {
                costate_grammar::ir::for_each_expr(e, &mut |x| found |= x == target);
            }
            found
        }
        Node::Loop(_) => false,
    })
}
