//! Sets that many outputs have in common.

use std::collections::BTreeMap;
use std::rc::Rc;

/// What is made of sets that several owners share: once for each, so that they go on sharing.
pub(super) struct Shared<A, B> {
    /// The sets by their addresses, which they keep as they are held here.
    made: BTreeMap<*const A, (Rc<A>, Rc<B>)>,
}

impl<A, B> Default for Shared<A, B> {
    fn default() -> Self {
        Shared { made: BTreeMap::new() }
    }
}

impl<A, B> Shared<A, B> {
    /// What is made of a set.
    pub(super) fn of(&mut self, set: &Rc<A>, make: impl FnOnce(&A) -> B) -> Rc<B> {
        let made = self.made.entry(Rc::as_ptr(set)).or_insert_with(|| (Rc::clone(set), Rc::new(make(set))));
        Rc::clone(&made.1)
    }
}
