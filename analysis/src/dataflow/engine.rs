//! The solver of dataflow problems.
//!
//! A problem is a direction, facts with a join, a boundary, and what nodes and edges do to a fact (Kildall 1973). The solver
//! takes the strongly connected components of the graph one after the other, so that only loops are gone through several
//! times, with a worklist in reverse postorder; where a fact is no longer needed it is handed on and not copied.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fixedbitset::FixedBitSet;
use petgraph::visit::EdgeRef;

use super::flow::{BlockId, Flow};

/// Whether facts speak of what was executed before a point, or of what is executed after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the beginning of the body on.
    Forward,
    /// From its end on.
    Backward,
}

/// A problem of dataflow over a graph of nodes `N` with edges `E`. Transfer functions must be monotone and chains of facts finite; then there is one least solution.
pub trait Problem<N, E> {
    /// What is known at a point. Copies are made at branches and in loops, so they should be cheap.
    type Fact: Clone;
    /// The direction that facts are handed on in.
    const DIRECTION: Direction;

    /// What holds where the body begins, for a backward problem where it ends.
    fn boundary(&mut self) -> Self::Fact;

    /// Adds what holds on another way to the same point; true when `fact` has changed.
    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool;

    /// Makes of what holds on one side of a node what holds on the other side.
    fn transfer(&mut self, node: N, fact: &mut Self::Fact);

    /// The same for an edge; false when execution surely doesn't go along it.
    fn cross(&mut self, _edge: E, _fact: &mut Self::Fact) -> bool {
        true
    }

    /// Takes note of the solution: what holds before a node, for a backward problem after it. Each node that can be reached
    /// comes once.
    fn settled(&mut self, _node: N, _fact: &Self::Fact) {}
}

/// Solves a problem. What holds at the points is told to [`Problem::settled`]; the result is what holds at the end of the body,
/// for a backward problem at its beginning, if that can be reached.
pub fn solve<N: Copy, E: Copy, P: Problem<N, E>>(graph: &Flow<N, E>, problem: &mut P) -> Option<P::Fact> {
    let forward = P::DIRECTION == Direction::Forward;
    let (start, end) = if forward { (graph.entry, graph.exit) } else { (graph.exit, graph.entry) };
    let boundary = problem.boundary();
    let mut solver = Solver::new(graph, problem);
    solver.facts[start.index()] = Some(boundary);
    let mut number = 0;
    let mut each = |component: &'_ Vec<BlockId>| {
        number += 1;
        if forward {
            solver.component(number, component.iter().copied());
        } else {
            solver.component(number, component.iter().rev().copied());
        }
    };
    if forward {
        graph.components.iter().for_each(&mut each);
    } else {
        graph.components.iter().rev().for_each(&mut each);
    }
    solver.facts[end.index()].take()
}

struct Solver<'s, N, E, P: Problem<N, E>> {
    graph: &'s Flow<N, E>,
    problem: &'s mut P,
    /// What holds where a block begins (ends).
    facts: Vec<Option<P::Fact>>,
    /// The number of the component that a block is in, once that is due, and its place there.
    place: Vec<(usize, usize)>,
}

/// The blocks of a component whose facts have changed, those first that come first in its order.
struct Due {
    queue: BinaryHeap<Reverse<usize>>,
    queued: FixedBitSet,
}

impl Due {
    fn push(&mut self, place: usize) {
        if !self.queued.put(place) {
            self.queue.push(Reverse(place));
        }
    }

    fn pop(&mut self) -> Option<usize> {
        let Reverse(place) = self.queue.pop()?;
        self.queued.remove(place);
        Some(place)
    }
}

impl<'s, N: Copy, E: Copy, P: Problem<N, E>> Solver<'s, N, E, P> {
    fn new(graph: &'s Flow<N, E>, problem: &'s mut P) -> Self {
        let blocks = graph.blocks.node_count();
        Solver { graph, problem, facts: vec![None; blocks], place: vec![(0, 0); blocks] }
    }

    /// Solves the problem for the blocks of a component and hands on what holds behind them.
    fn component(&mut self, number: usize, blocks: impl Iterator<Item = BlockId>) {
        let order: Vec<BlockId> = blocks.collect();
        for (k, block) in order.iter().enumerate() {
            self.place[block.index()] = (number, k);
        }
        if order.iter().all(|b| self.facts[b.index()].is_none()) {
            // Backwards, what is never left counts as left anywhere. Forwards, edges can't be taken that lead here.
            if P::DIRECTION == Direction::Forward {
                return;
            }
            self.facts[order[0].index()] = Some(self.problem.boundary());
        }
        if order.len() > 1 || self.is_own_successor(order[0]) {
            let mut due = Due { queue: BinaryHeap::new(), queued: FixedBitSet::with_capacity(order.len()) };
            (0..order.len()).filter(|k| self.facts[order[*k].index()].is_some()).for_each(|k| due.push(k));
            while let Some(k) = due.pop() {
                let Some(mut fact) = self.facts[order[k].index()].clone() else { continue };
                self.through(order[k], &mut fact, false);
                self.hand_on(order[k], fact, (number, Some(&mut due)));
            }
        }
        for block in order {
            let end = if P::DIRECTION == Direction::Forward { self.graph.exit } else { self.graph.entry };
            let checked = cfg!(any(test, debug_assertions));
            let slot = &mut self.facts[block.index()];
            let known = if checked || block == end { slot.clone() } else { slot.take() };
            let Some(mut fact) = known else { continue };
            self.through(block, &mut fact, true);
            if checked {
                self.check(block, &fact, number);
            }
            self.hand_on(block, fact, (number, None));
        }
    }

    fn is_own_successor(&self, block: BlockId) -> bool {
        self.graph.blocks.contains_edge(block, block)
    }

    /// Goes through the nodes of a block.
    fn through(&mut self, block: BlockId, fact: &mut P::Fact, settled: bool) {
        let mut node = |node: &N| {
            if settled {
                self.problem.settled(*node, fact);
            }
            self.problem.transfer(*node, fact);
        };
        match P::DIRECTION {
            Direction::Forward => self.graph.of(block).iter().for_each(&mut node),
            Direction::Backward => self.graph.of(block).iter().rev().for_each(&mut node),
        }
    }

    /// The edges that lead on from a block, and where to.
    fn onward(&self, block: BlockId) -> Vec<(E, BlockId)> {
        let blocks = &self.graph.blocks;
        match P::DIRECTION {
            Direction::Forward => blocks.edges(block).map(|e| (*e.weight(), e.target())).collect(),
            Direction::Backward => {
                let edges = blocks.edges_directed(block, petgraph::Incoming);
                edges.map(|e| (*e.weight(), e.source())).collect()
            }
        }
    }

    /// Hands on what holds behind a block: as long as its component isn't solved to the blocks of that, then to all others.
    fn hand_on(&mut self, block: BlockId, fact: P::Fact, (number, mut due): (usize, Option<&mut Due>)) {
        let mut to = self.onward(block);
        to.retain(|(_, b)| (self.place[b.index()].0 == number) == due.is_some());
        let last = to.pop();
        let copies: Vec<_> = to.into_iter().map(|t| (t, fact.clone())).collect();
        for ((edge, target), mut fact) in copies.into_iter().chain(last.map(|t| (t, fact))) {
            if !self.problem.cross(edge, &mut fact) {
                continue;
            }
            let changed = match &mut self.facts[target.index()] {
                Some(known) => self.problem.join(known, &fact),
                slot => slot.replace(fact).is_none(),
            };
            if let Some(due) = due.as_deref_mut().filter(|_| changed) {
                due.push(self.place[target.index()].1);
            }
        }
    }

    /// Makes sure that what holds behind a block is no news within its component.
    fn check(&mut self, block: BlockId, fact: &P::Fact, number: usize) {
        for (edge, target) in self.onward(block) {
            let mut fact = fact.clone();
            if self.place[target.index()].0 == number && self.problem.cross(edge, &mut fact) {
                let mut known = self.facts[target.index()].clone();
                let news = known.as_mut().is_none_or(|known| self.problem.join(known, &fact));
                assert!(!news, "the solution of a dataflow problem isn't a fixed point");
            }
        }
    }
}
