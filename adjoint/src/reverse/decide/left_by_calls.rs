//! Calls whose adjoints use what the call leaves: where a caller has these values when its backward sweep comes to the call, the
//! callee needn't run again.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_grammar::ir::StmtId;

use super::by_result::{Before, Price};
use super::liveness;
use crate::memory::Part;
use crate::reverse::Reverse;
use crate::reverse::tree::node::{Leaf, Node};

impl Reverse<'_, '_> {
    /// Has adjoints of calls use what the calls leave where nothing more is saved for that and nothing more runs.
    pub(in crate::reverse) fn use_what_calls_leave(&mut self, nodes: &mut [Node]) {
        let mut calls = BTreeSet::new();
        nodes.iter().for_each(|n| {
            n.for_each_leaf(&mut |l| calls.extend(l.by_what_is_left.is_some().then_some(l.stmt.id)));
        });
        if calls.is_empty() {
            return;
        }
        let mut best = self.price(nodes);
        for call in calls {
            self.try_what_is_left(nodes, call, &mut best);
        }
        liveness::forget(nodes);
    }

    /// Changes a call, and takes that back where it costs more.
    fn try_what_is_left(&mut self, nodes: &mut [Node], call: StmtId, best: &mut Price) {
        let mut before = Before::default();
        change(nodes, call, &mut before);
        let price = self.price(nodes);
        if price.work <= best.work && price.within(best) {
            *best = price;
        } else {
            before.restore(nodes);
        }
    }
}

fn change(nodes: &mut [Node], call: StmtId, before: &mut Before) {
    for node in nodes {
        match node {
            Node::Leaf(l) if l.stmt.id == call => {
                let Some(adjoint) = l.by_what_is_left.clone() else { continue };
                let changed = Leaf {
                    adjoint: Rc::new(adjoint.stmts.clone()),
                    needs: adjoint.needs.clone(),
                    clobbers: adjoint.clobbers.clone(),
                    by_result: !adjoint.after.is_empty(),
                    after: adjoint.after.clone(),
                    part: Part::Backward,
                    by_what_is_left: None,
                    ..Leaf::clone(l)
                };
                before.leaves.insert(l.stmt.id, std::mem::replace(&mut **l, changed));
            }
            Node::Leaf(_) => {}
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| change(a, call, before)),
            Node::Loop(l) => change(&mut l.body, call, before),
        }
    }
}
