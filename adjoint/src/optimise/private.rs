//! Which scalars are private to one iteration.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dataflow::engine::{Direction, Problem, solve};
use costate_analysis::dataflow::graph::{Graph, Node, Place};
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
        if has_other_blocks(&s.kind) {
            s.blocks().into_iter().for_each(|b| out.extend(used_before_assigned(b)));
        }
    });
    out
}

fn used_before_assigned(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut problem = Defined { assigned: BTreeMap::new(), exposed: BTreeSet::new() };
    solve(&Graph::new(block), &mut problem);
    problem.exposed
}

/// The problem whose facts are the symbols that were surely assigned before a point, by the same iteration of each loop around
/// it that assigns them.
struct Defined {
    /// What constructs assign, by the numbers of statements.
    assigned: BTreeMap<usize, BTreeSet<SymId>>,
    /// What is used where it isn't defined.
    exposed: BTreeSet<SymId>,
}

impl Defined {
    fn read(&mut self, e: &Expr, defined: &BTreeSet<SymId>) {
        self.exposed.extend(symbols(e).into_iter().filter(|x| !defined.contains(x)));
    }

    /// Forgets what was assigned by another iteration, or in something that isn't looked into.
    fn forget(&mut self, node: Node<'_>, defined: &mut BTreeSet<SymId>) {
        let assigned = self.assigned.entry(node.number).or_insert_with(|| assigned(std::slice::from_ref(node.stmt)));
        defined.retain(|x| !assigned.contains(x));
    }
}

impl<'a> Problem<'a> for Defined {
    type Fact = BTreeSet<SymId>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Self::Fact {
        BTreeSet::new()
    }

    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool {
        let before = fact.len();
        fact.retain(|x| other.contains(x));
        fact.len() != before
    }

    fn transfer(&mut self, node: Node<'a>, defined: &mut Self::Fact) {
        match (node.place, &node.stmt.kind) {
            (Place::Leaf, StmtKind::Assign { lhs, .. }) => {
                defined.extend(lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym));
            }
            (Place::Header | Place::Again, StmtKind::Do { control, .. }) => {
                self.forget(node, defined);
                if let LoopControl::Count { var, .. } = control {
                    defined.insert(*var);
                }
            }
            (Place::End, StmtKind::Do { .. }) => self.forget(node, defined),
            (place, kind) if has_other_blocks(kind) => {
                if place != Place::End {
                    forget_mentioned(node.stmt, defined);
                }
                self.forget(node, defined);
            }
            (Place::Leaf, _) => forget_mentioned(node.stmt, defined),
            (Place::Header | Place::Again | Place::End, _) => {}
        }
    }

    fn settled(&mut self, node: Node<'a>, defined: &Self::Fact) {
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
