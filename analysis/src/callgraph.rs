//! The call graph: who calls whom, directly or not, and in which order that is best gone through.

use std::iter::once;
use std::rc::Rc;

use costate_grammar::ir::{Block, ExprKind, ProcId, Program, Stmt, StmtKind, for_each_expr, for_each_stmt};
use indexmap::{IndexMap, IndexSet};
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::{DiGraphMap, NodeTrait};

use crate::calls::target;

/// Bodies in normal form. Who goes through one while other facts change keeps it by a count.
pub type Bodies = IndexMap<ProcId, Rc<Block>>;

/// Calls between procedures, or between contexts of them.
#[derive(Clone, Debug)]
pub struct CallGraph<N: NodeTrait>(DiGraphMap<N, ()>);

impl<N: NodeTrait> Default for CallGraph<N> {
    fn default() -> Self {
        CallGraph(DiGraphMap::new())
    }
}

impl<N: NodeTrait> CallGraph<N> {
    /// The graph of callers, each with those that it calls.
    pub fn new<C: IntoIterator<Item = N>>(callers: impl IntoIterator<Item = (N, C)>) -> Self {
        let mut graph = DiGraphMap::new();
        for (caller, callees) in callers {
            graph.add_node(caller);
            for callee in callees {
                graph.add_edge(caller, callee, ());
            }
        }
        CallGraph(graph)
    }

    /// Those that call each other, directly or not, together, and behind all others that they call.
    pub fn components(&self) -> Vec<Vec<N>> {
        tarjan_scc(&self.0)
    }

    /// All of them, each behind those that it calls, as far as there is such an order.
    pub fn callees_first(&self) -> Vec<N> {
        self.components().into_iter().flatten().collect()
    }

    /// What one of them calls, directly or not; itself only if it is recursive.
    pub fn below(&self, from: N) -> IndexSet<N> {
        spread(self.callees(from), |n| self.callees(n))
    }

    /// True for one that calls itself, directly or not.
    pub fn is_recursive(&self, n: N) -> bool {
        self.below(n).contains(&n)
    }

    fn callees(&self, n: N) -> Vec<N> {
        self.0.neighbors(n).collect()
    }
}

/// The graph of procedures by their bodies.
pub fn of_bodies(program: &Program, bodies: &Bodies) -> CallGraph<ProcId> {
    CallGraph::new(bodies.iter().map(|(p, body)| (*p, calls(program, body))))
}

/// All calls of known procedures in a block, in order.
pub fn calls(program: &Program, block: &[Stmt]) -> Vec<ProcId> {
    let mut out = Vec::new();
    for_each_stmt(block, &mut |s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            out.extend(target(program, callee));
        }
        out.extend(functions(program, s));
    });
    out
}

/// The functions that a statement itself calls, without those in its blocks.
pub(crate) fn functions(program: &Program, s: &Stmt) -> Vec<ProcId> {
    let mut out = Vec::new();
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, .. } = &x.kind {
                out.extend(target(program, callee));
            }
        });
    }
    out
}

/// The procedures that some call, directly or not, and these themselves.
pub fn reached(program: &Program, from: &[ProcId]) -> Vec<ProcId> {
    spread(from.to_vec(), |p| calls(program, &program[p].body)).into_iter().collect()
}

/// A procedure and those that it calls, directly or not, by the bodies that are given; others call nothing.
pub(crate) fn reached_in(program: &Program, from: ProcId, bodies: &Bodies) -> Vec<ProcId> {
    let callees = |p| bodies.get(&p).map(|body| calls(program, body)).unwrap_or_default();
    spread(once(from), callees).into_iter().collect()
}

/// Some nodes and all that can be reached from them, near ones first.
fn spread<N: NodeTrait, C: IntoIterator<Item = N>>(
    from: impl IntoIterator<Item = N>,
    callees: impl Fn(N) -> C,
) -> IndexSet<N> {
    let mut out: IndexSet<N> = from.into_iter().collect();
    let mut next = 0;
    while let Some(&n) = out.get_index(next) {
        next += 1;
        out.extend(callees(n));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::CallGraph;

    #[test]
    fn callees_come_before_their_callers() {
        let graph = CallGraph::new([(1, vec![2, 3]), (2, vec![4]), (3, vec![4, 5]), (5, vec![3, 6]), (7, vec![7])]);
        let order = graph.callees_first();
        let place = |n| order.iter().position(|m| *m == n).unwrap();
        for (caller, callee) in [(1, 2), (1, 3), (2, 4), (3, 4), (3, 6), (5, 6)] {
            assert!(place(callee) < place(caller), "{caller} calls {callee}: {order:?}");
        }
        let mut together = graph.components().into_iter().find(|c| c.len() > 1).unwrap();
        together.sort_unstable();
        assert_eq!(together, [3, 5]);
    }

    #[test]
    fn what_is_called_is_reached() {
        let graph = CallGraph::new([(1, vec![2]), (2, vec![3]), (4, vec![3, 4])]);
        assert_eq!(graph.below(1).into_iter().collect::<Vec<_>>(), [2, 3]);
        assert!(graph.below(3).is_empty());
        assert!(graph.is_recursive(4) && !graph.is_recursive(1));
    }
}
