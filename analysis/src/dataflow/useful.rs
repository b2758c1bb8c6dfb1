//! What is useful: what the dependent variables depend on in a differentiable way. A backward problem, and what is active.

use std::collections::BTreeMap;
use std::rc::Rc;

use costate_grammar::ir::StmtId;

use super::engine::{Direction, Problem};
use super::graph::{Edge, Node, Place};
use super::varied::{join, pass_on};
use crate::effects::Dependences;
use crate::storage::LocBits;

/// The problem, and its solution.
pub struct Useful<'t> {
    /// How values depend on others in each statement.
    pub depends: &'t Dependences,
    /// What is useful where the body ends.
    pub exit: Rc<LocBits>,
    /// What is varied before each leaf statement.
    pub varied: &'t BTreeMap<StmtId, Rc<LocBits>>,
    /// What is useful after each leaf statement.
    pub after: BTreeMap<StmtId, Rc<LocBits>>,
    /// What is varied and useful right before or right after some statement.
    pub active: LocBits,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Useful<'_> {
    type Fact = Rc<LocBits>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self) -> Self::Fact {
        Rc::clone(&self.exit)
    }

    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool {
        join(fact, other)
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Self::Fact) {
        if node.place != Place::Leaf {
            return;
        }
        let pairs = self.depends.of(node);
        let after = Rc::clone(fact);
        for (to, _, _) in pairs.iter().filter(|(to, _, whole)| *whole && after.contains(to)) {
            Rc::make_mut(fact).remove(*to);
        }
        for (_, from, _) in pairs.iter().filter(|(to, ..)| after.contains(to)) {
            if !from.is_subset(fact) {
                Rc::make_mut(fact).union_with(from);
            }
        }
    }

    fn settled(&mut self, node: Node<'a>, fact: &Self::Fact) {
        if node.place != Place::Leaf {
            return;
        }
        self.after.insert(node.stmt.id, Rc::clone(fact));
        let Some(before) = self.varied.get(&node.stmt.id) else { return };
        let pairs = self.depends.of(node);
        let mut varied = Rc::clone(before);
        pass_on(pairs, &mut varied);
        self.active.extend(varied.common(fact));
        for (_, from, _) in pairs.iter().filter(|(to, ..)| fact.contains(to)) {
            self.active.extend(from.common(before));
        }
    }
}
