//! Which scalars are private to one iteration.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dataflow::engine::{Direction, Problem, solve};
use costate_analysis::dataflow::graph::{Edge, Graph, Node, Place, of_body};
use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Base, CaseRange, Expr, LoopControl, Stmt, StmtKind, SymId, for_each_stmt};

use super::statements::{has_other_blocks, mentioned};
use crate::build::Builder;

/// Local scalars whose value is never used outside the iteration that assigns it, or that are used only after they were
/// assigned.
pub(super) fn private_scalars(b: &Builder<'_>, body: &[Stmt]) -> BTreeSet<SymId> {
    let used = exposed(body);
    let fine = |s: &SymId| {
        b.program.var(*s).is_some_and(|v| {
            v.rank() == 0
                && !(v.attrs.save || v.attrs.allocatable || v.has_other_names())
                && matches!(v.ty.base, Base::Real | Base::Integer | Base::Logical)
                && !used.contains(s)
                && !b.outlives(*s)
        })
    };
    assigned(body).into_iter().filter(fine).collect()
}

/// Symbols whose value may be used where the block (a loop's body, an arm of a branch) did not assign it before, nor those
/// around it, or after a loop that assigns it.
pub(crate) fn exposed(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = used_before_assigned(block);
    // It isn't looked into what is defined where these begin.
    for_each_stmt(block, &mut |s| {
        if has_other_blocks(s) {
            s.blocks().into_iter().for_each(|b| out.extend(used_before_assigned(b)));
        }
    });
    out
}

fn used_before_assigned(block: &[Stmt]) -> BTreeSet<SymId> {
    let graph = of_body(block);
    let mut problem = Defined { outer: outer(&graph), assigned: BTreeMap::new(), exposed: BTreeSet::new() };
    solve(&graph, &mut problem);
    problem.exposed
}

/// The problem whose facts are the symbols that were surely assigned before a point, by the same iteration of each loop around
/// it that assigns them. There is a set for each construct around a point in which execution begins with a set of its own; those
/// before the last one tell what holds where an iteration or a construct ends.
struct Defined {
    /// How many of these constructs are around each of them, by the numbers of statements.
    outer: BTreeMap<usize, usize>,
    /// What constructs assign, by the numbers of statements.
    assigned: BTreeMap<usize, BTreeSet<SymId>>,
    /// What is used where it isn't defined.
    exposed: BTreeSet<SymId>,
}

/// A loop, or something that isn't looked into.
fn has_own_set(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Do { .. }) || has_other_blocks(s) && !s.blocks().is_empty()
}

fn outer(graph: &Graph<'_>) -> BTreeMap<usize, usize> {
    let (mut out, mut open) = (BTreeMap::new(), 0);
    for node in graph.nodes().iter().filter(|n| has_own_set(n.stmt)) {
        match node.place {
            Place::Leaf | Place::Header => {
                out.insert(node.number, open);
                open += 1;
            }
            Place::Again => {}
            Place::End => open -= 1,
        }
    }
    out
}

impl Defined {
    fn read(&mut self, e: &Expr, defined: &BTreeSet<SymId>) {
        self.exposed.extend(symbols(e).into_iter().filter(|x| !defined.contains(x)));
    }

    /// Begins with what is defined before a construct and not assigned in it.
    fn begin(&mut self, node: Node<'_>, sets: &mut Vec<BTreeSet<SymId>>) {
        let assigned = self.assigned.entry(node.number).or_insert_with(|| assigned(std::slice::from_ref(node.stmt)));
        if let Some(last) = sets.last_mut() {
            last.retain(|x| !assigned.contains(x));
        }
        begin_iteration(node.stmt, sets);
    }
}

fn begin_iteration(s: &Stmt, sets: &mut Vec<BTreeSet<SymId>>) {
    let mut own = sets.last().cloned().unwrap_or_default();
    if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
        own.insert(*var);
    }
    sets.push(own);
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Defined {
    type Fact = Vec<BTreeSet<SymId>>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Self::Fact {
        vec![BTreeSet::new()]
    }

    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool {
        let size = |fact: &Self::Fact| (fact.len(), fact.iter().map(BTreeSet::len).sum::<usize>());
        let before = size(fact);
        // By an exit execution comes from further inside.
        fact.truncate(other.len());
        for (own, theirs) in fact.iter_mut().zip(other) {
            own.retain(|x| theirs.contains(x));
        }
        size(fact) != before
    }

    fn transfer(&mut self, node: Node<'a>, sets: &mut Self::Fact) {
        if let (Place::Again | Place::End, Some(outer)) = (node.place, self.outer.get(&node.number)) {
            sets.truncate(outer + 1);
            if node.place == Place::Again {
                begin_iteration(node.stmt, sets);
            }
            return;
        }
        let Some(defined) = sets.last_mut() else { return };
        match (node.place, &node.stmt.kind) {
            (Place::Leaf, StmtKind::Assign { lhs, .. }) => {
                defined.extend(lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym));
            }
            (Place::Leaf, _) => forget_mentioned(node.stmt, defined),
            (Place::Header, _) if has_other_blocks(node.stmt) => forget_mentioned(node.stmt, defined),
            (Place::Header | Place::Again | Place::End, _) => {}
        }
        if has_own_set(node.stmt) {
            self.begin(node, sets);
        }
    }

    fn settled(&mut self, node: Node<'a>, sets: &Self::Fact) {
        let Some(defined) = sets.last() else { return };
        match (node.place, &node.stmt.kind) {
            (Place::Leaf, StmtKind::Assign { lhs, rhs }) => {
                self.read(rhs, defined);
                lhs.children().into_iter().for_each(|e| self.read(e, defined));
                if lhs.as_var().is_none() {
                    self.read(lhs, defined);
                }
            }
            (Place::Leaf | Place::Header, kind) => {
                node.stmt.exprs().into_iter().for_each(|e| self.read(e, defined));
                if let StmtKind::Select { arms, .. } = kind {
                    let ranges = arms.iter().flat_map(|a| &a.ranges);
                    ranges.flat_map(CaseRange::exprs).for_each(|e| self.read(e, defined));
                }
            }
            // It is evaluated after each iteration too.
            (Place::Again, StmtKind::Do { control: LoopControl::While(cond), .. }) => self.read(cond, &BTreeSet::new()),
            (Place::Again | Place::End, _) => {}
        }
    }
}

/// A statement may leave what it mentions without a value.
fn forget_mentioned(s: &Stmt, defined: &mut BTreeSet<SymId>) {
    let mentioned = mentioned(s);
    defined.retain(|x| !mentioned.contains(x));
}
