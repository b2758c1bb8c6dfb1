//! What is varied: what depends on the independent variables in a differentiable way. A forward problem.

use std::collections::BTreeMap;
use std::rc::Rc;

use costate_grammar::ir::StmtId;

use super::engine::{Direction, Problem};
use super::graph::{Edge, Node, Place};
use crate::effects::{Dependence, Dependences};
use crate::storage::LocBits;

/// The problem, and its solution.
pub struct Varied<'t> {
    /// How values depend on others in each statement.
    pub depends: &'t Dependences,
    /// What is varied where the body begins.
    pub entry: Rc<LocBits>,
    /// What is varied before each leaf statement.
    pub before: BTreeMap<StmtId, Rc<LocBits>>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Varied<'_> {
    type Fact = Rc<LocBits>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Self::Fact {
        Rc::clone(&self.entry)
    }

    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool {
        join(fact, other)
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Self::Fact) {
        if node.place == Place::Leaf {
            pass_on(self.depends.of(node), fact);
        }
    }

    fn settled(&mut self, node: Node<'a>, fact: &Self::Fact) {
        if node.place == Place::Leaf {
            self.before.insert(node.stmt.id, Rc::clone(fact));
        }
    }
}

/// Adds a set to another one, which may be shared; true when that brings something new.
pub(super) fn join(fact: &mut Rc<LocBits>, other: &Rc<LocBits>) -> bool {
    let new = !Rc::ptr_eq(fact, other) && !other.is_subset(fact);
    if new {
        Rc::make_mut(fact).union_with(other);
    }
    new
}

/// What is varied after a statement, given what is before.
pub(super) fn pass_on(pairs: &[Dependence], fact: &mut Rc<LocBits>) {
    let before = Rc::clone(fact);
    for (to, from, whole) in pairs {
        if from.meets(&before) {
            if !fact.contains(to) {
                Rc::make_mut(fact).insert(*to);
            }
        } else if *whole && fact.contains(to) {
            Rc::make_mut(fact).remove(*to);
        }
    }
}
