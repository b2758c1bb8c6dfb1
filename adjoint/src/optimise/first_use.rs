//! The first increment of a scalar adjoint that is known to be zero assigns it: `x_b = x_b + e` becomes `x_b = e`.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dataflow::engine::{Direction, Problem, solve};
use costate_analysis::dataflow::graph::{Edge, Node, Place, of_body};
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Expr, ExprKind, LoopControl, Stmt, StmtId, StmtKind, SymId};

use super::code::Code;
use super::statements::{has_other_blocks, mentioned, skip};
use crate::expressions::without_first;

/// Assigns scalar adjoints where the backward sweep increments them for the first time.
pub(super) fn run(code: &mut Code<'_, '_>) {
    let graph = of_body(&code.backward);
    let first = vec![false; graph.nodes().len()];
    let mut problem = Zero { among: &code.facts.adjoints, left_zero: code.left_zero, first };
    solve(&graph, &mut problem);
    let mut first = problem.first.into_iter();
    assign_first(&mut code.backward, &mut || first.next().unwrap_or(false));
}

/// Changes the first increments. `first` is asked for each statement in the order of the text.
fn assign_first(block: &mut [Stmt], first: &mut dyn FnMut() -> bool) {
    for s in block {
        if let (true, StmtKind::Assign { lhs, rhs }) = (first(), &mut s.kind) {
            assign(lhs, rhs);
        }
        if has_other_blocks(s) {
            skip(s, first);
        } else {
            s.blocks_mut().into_iter().for_each(|b| assign_first(b, first));
        }
    }
}

/// Assigns a scalar that is zero before: what is added to it is its value.
fn assign(lhs: &Expr, rhs: &mut Expr) {
    let Some(d) = lhs.as_var() else { return };
    if let Some(short) = without_first(rhs, lhs)
        && !symbols(&short).contains(&d.sym)
        && short.ty == lhs.ty
    {
        *rhs = short;
    }
    if let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Merge), args } = &mut rhs.kind {
        args.iter_mut().filter(|a| a.value == *lhs).for_each(|a| a.value = Expr::zero(lhs.ty));
    }
}

/// The problem whose facts are the scalars that are zero on every way to a point, and its solution.
struct Zero<'a> {
    /// Scalars that may be known to be zero.
    among: &'a BTreeSet<SymId>,
    /// Those that a call leaves zero.
    left_zero: &'a BTreeMap<StmtId, SymId>,
    /// Assignments to scalars that are zero before, by the numbers of statements.
    first: Vec<bool>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Zero<'_> {
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

    fn transfer(&mut self, node: Node<'a>, zero: &mut Self::Fact) {
        match (node.place, &node.stmt.kind) {
            (Place::Leaf, StmtKind::Assign { lhs, rhs }) => {
                let Some(d) = lhs.as_var().filter(|d| self.among.contains(&d.sym)) else { return };
                if d.parts.is_empty() && *rhs == Expr::zero(lhs.ty) {
                    zero.insert(d.sym);
                } else {
                    zero.remove(&d.sym);
                }
            }
            (Place::Header | Place::Again, StmtKind::Do { control: LoopControl::Count { var, .. }, .. }) => {
                zero.remove(var);
            }
            (Place::Leaf | Place::Header | Place::End, _) if has_other_blocks(node.stmt) => zero.clear(),
            (Place::Leaf, kind) => {
                if touches(kind) {
                    let mentioned = mentioned(node.stmt);
                    zero.retain(|x| !mentioned.contains(x));
                }
                zero.extend(self.left_zero.get(&node.stmt.id).filter(|x| self.among.contains(x)));
            }
            (Place::Header | Place::Again | Place::End, _) => {}
        }
    }

    fn settled(&mut self, node: Node<'a>, zero: &Self::Fact) {
        if let (Place::Leaf, StmtKind::Assign { lhs, .. }) = (node.place, &node.stmt.kind) {
            self.first[node.number] = lhs.as_var().is_some_and(|d| d.parts.is_empty() && zero.contains(&d.sym));
        }
    }
}

/// True for a statement that may change what it mentions.
fn touches(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Call { .. } | StmtKind::Io { .. } | StmtKind::Allocate { .. } | StmtKind::Deallocate { .. }
    )
}
