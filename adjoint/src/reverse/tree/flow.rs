//! The order in which a sweep executes the nodes of a tree: the control-flow graph on which problems of dataflow are solved.

use costate_analysis::dataflow::flow::{Builder, Flow};

use super::node::{Branch, Leaf, Loop, Node};

/// What is executed at a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::reverse) enum Place<'t> {
    /// A statement.
    Leaf(&'t Leaf),
    /// The conditions of a branch.
    Branch(&'t Branch),
    /// Nothing more; the branch has ended.
    Joined(&'t Branch),
    /// The bounds of a loop.
    Header(&'t Loop),
    /// What a loop does behind each iteration: its exit, its condition.
    Again(&'t Loop),
    /// Nothing more; the loop has ended.
    End(&'t Loop),
    /// A loop with all that is inside.
    Whole(&'t Loop),
}

/// A point.
#[derive(Clone, Copy, Debug)]
pub(in crate::reverse) struct Point<'t> {
    /// What is executed there.
    pub(in crate::reverse) place: Place<'t>,
    /// Number of the tree's node, outer ones first, in the order of the text.
    pub(in crate::reverse) number: usize,
    /// Number of the branch or loop around it.
    pub(in crate::reverse) within: Option<usize>,
    /// It belongs to the sweep itself, and not to an iteration whose forward part runs again on its own.
    pub(in crate::reverse) own: bool,
    /// There is something to do for the node in the backward sweep.
    pub(in crate::reverse) adjoint: bool,
}

/// Why execution goes from one point to another.
#[derive(Clone, Copy, Debug)]
pub(in crate::reverse) enum Way<'t> {
    /// There is no loop to it.
    Next,
    /// A loop has no iteration.
    Skip(&'t Loop),
    /// Into the first iteration of a loop; whether it belongs to the sweep itself.
    Enter(&'t Loop, bool),
    /// Into a further iteration.
    Again(&'t Loop, bool),
    /// A loop has had its last iteration.
    Done(&'t Loop),
}

/// What of a loop is executed in a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reverse) enum Shape {
    /// Its iterations.
    Open,
    /// Something of its own that is no matter of the points inside.
    Whole,
    /// Nothing.
    Absent,
}

/// The graph of a list of nodes.
pub(in crate::reverse) type Graph<'t> = Flow<Point<'t>, Way<'t>>;

/// The graph of a list of nodes, of which the first one has a number. `own` is false for nodes of an iteration whose forward
/// part runs again on its own; `shape` tells how to look at a loop, and hears whether there is something to do for it in the
/// backward sweep.
pub(in crate::reverse) fn of_nodes<'t>(
    nodes: &'t [Node],
    first: usize,
    own: bool,
    shape: &dyn Fn(&Loop, bool) -> Shape,
) -> Graph<'t> {
    let mut adjoint = Vec::new();
    nodes.iter().for_each(|n| {
        note_adjoints(n, &mut adjoint);
    });
    let flow = Builder::new(Way::Next);
    let mut out = TreeBuilder { flow, adjoint, first, count: first, within: None, own, shape };
    out.list(nodes);
    out.flow.finish(Way::Next)
}

/// Notes for a node and all inside, by number, whether there is something to do in the backward sweep.
fn note_adjoints(node: &Node, out: &mut Vec<bool>) -> bool {
    let at = out.len();
    out.push(false);
    let mut any = false;
    match node {
        Node::Leaf(_) => any = node.has_adjoint(),
        Node::Branch(b) => b.arms.iter().flatten().for_each(|n| any |= note_adjoints(n, out)),
        Node::Loop(l) => l.body.iter().for_each(|n| any |= note_adjoints(n, out)),
    }
    out[at] = any;
    any
}

/// How many nodes there are in a list, with all inside.
pub(in crate::reverse) fn count(nodes: &[Node]) -> usize {
    let inside = |n: &Node| match n {
        Node::Leaf(_) => 0,
        Node::Branch(b) => b.arms.iter().map(|a| count(a)).sum(),
        Node::Loop(l) => count(&l.body),
    };
    nodes.iter().map(|n| 1 + inside(n)).sum()
}

struct TreeBuilder<'t, 's> {
    flow: Builder<Point<'t>, Way<'t>>,
    adjoint: Vec<bool>,
    first: usize,
    count: usize,
    within: Option<usize>,
    own: bool,
    shape: &'s dyn Fn(&Loop, bool) -> Shape,
}

impl<'t> TreeBuilder<'t, '_> {
    fn list(&mut self, nodes: &'t [Node]) {
        nodes.iter().for_each(|n| self.node(n));
    }

    fn point(&mut self, place: Place<'t>, number: usize) {
        let adjoint = self.own && self.adjoint[number - self.first];
        self.flow.node(Point { place, number, within: self.within, own: self.own, adjoint });
    }

    fn node(&mut self, node: &'t Node) {
        let number = self.count;
        self.count += 1;
        match node {
            Node::Leaf(l) => self.point(Place::Leaf(l), number),
            Node::Branch(b) => self.branch(b, number),
            Node::Loop(l) => match (self.shape)(l, self.adjoint[number - self.first]) {
                Shape::Open => self.iterate(l, number),
                shape => {
                    if shape == Shape::Whole {
                        self.point(Place::Whole(l), number);
                    }
                    self.count += count(&l.body);
                }
            },
        }
    }

    fn branch(&mut self, b: &'t Branch, number: usize) {
        self.point(Place::Branch(b), number);
        let (from, after) = (self.flow.at(), self.flow.new_block());
        if !b.exhaustive {
            self.flow.edge(from, after, Way::Next);
        }
        let outer = self.within.replace(number);
        for arm in &b.arms {
            let at = self.flow.new_block();
            self.flow.edge(from, at, Way::Next);
            self.flow.go_on_at(at);
            self.list(arm);
            self.flow.edge(self.flow.at(), after, Way::Next);
        }
        self.within = outer;
        self.flow.go_on_at(after);
        self.point(Place::Joined(b), number);
    }

    /// A loop: whether it has an iteration at all is asked before the first one, and whether there is another behind each.
    fn iterate(&mut self, l: &'t Loop, number: usize) {
        self.point(Place::Header(l), number);
        let (before, first, after) = (self.flow.at(), self.flow.new_block(), self.flow.new_block());
        self.flow.edge(before, after, Way::Skip(l));
        self.flow.edge(before, first, Way::Enter(l, self.own));
        self.flow.go_on_at(first);
        let outer = (self.within.replace(number), self.own);
        self.own &= !l.region;
        self.list(&l.body);
        (self.within, self.own) = outer;
        self.point(Place::Again(l), number);
        let end = self.flow.at();
        self.flow.edge(end, first, Way::Again(l, self.own));
        self.flow.edge(end, after, Way::Done(l));
        self.flow.go_on_at(after);
        self.point(Place::End(l), number);
    }
}
