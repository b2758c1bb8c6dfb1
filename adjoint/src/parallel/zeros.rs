//! Which variables are zero where each iteration of a loop begins. Derivatives of temporary values are, as a rule: their
//! adjoints use them up. Such a variable carries nothing from one iteration to the next.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::covers;
use costate_analysis::dataflow::engine::{Direction, Problem, solve};
use costate_analysis::dataflow::graph::{Edge, Node, Place, of_body};
use costate_analysis::loops::assigned;
use costate_analysis::sections::scene::calls;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Dim, Expr, ExprKind, Program, ScopeId, Stmt, StmtId, StmtKind, SymId, for_each_stmt};

use super::calls::Calls;

/// The local scalars and arrays of declared extent that are zero as wholes where each iteration begins, of each loop of a
/// body. They are zero behind the loop, too.
/// `calls` tells what procedures leave zero, and `inside` which variables internal procedures may change.
pub(super) fn between(
    program: &Program,
    scope: ScopeId,
    body: &[Stmt],
    (calls, inside): (&Calls<'_>, &dyn Fn(SymId) -> bool),
) -> BTreeMap<StmtId, BTreeSet<SymId>> {
    let graph = of_body(body);
    let mut problem = Zero { program, scope, known: calls, inside, changing: assigned(body), zero: BTreeMap::new() };
    solve(&graph, &mut problem);
    problem.zero
}

/// The problem whose facts are the variables that are zero as wholes.
struct Zero<'p> {
    program: &'p Program,
    scope: ScopeId,
    known: &'p Calls<'p>,
    /// True for what internal procedures may change.
    inside: &'p dyn Fn(SymId) -> bool,
    /// What is assigned anywhere.
    changing: BTreeSet<SymId>,
    /// What holds where iterations begin.
    zero: BTreeMap<StmtId, BTreeSet<SymId>>,
}

impl Zero<'_> {
    /// True for a variable that nothing but its name in this procedure reaches.
    fn is_followed(&self, sym: SymId) -> bool {
        self.program[sym].scope == self.scope
            && !(self.inside)(sym)
            && self.program.var(sym).is_some_and(|v| {
                let fixed = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..)));
                let plain = !(v.attrs.save || v.attrs.allocatable || v.attrs.pointer || v.attrs.target || v.directive);
                let other = v.has_other_names() || v.common.is_some() || v.equivalenced;
                fixed && plain && !other && v.dummy.is_none() && v.ty.is_continuous()
            })
    }

    fn assign(&self, lhs: &Expr, rhs: &Expr, zero: &mut BTreeSet<SymId>) {
        let Some(d) = lhs.as_var() else { return };
        if !is_zero(rhs, zero) {
            zero.remove(&d.sym);
        } else if d.parts.is_empty() && self.is_followed(d.sym) {
            zero.insert(d.sym);
        }
    }

    /// Arrays that a loop sets to zero from end to end, and to nothing else.
    fn cleared(&self, s: &Stmt) -> BTreeSet<SymId> {
        let mut other = BTreeSet::new();
        for_each_stmt(std::slice::from_ref(s), &mut |x| match &x.kind {
            StmtKind::Assign { lhs, rhs } => {
                let to_zero = *rhs == Expr::zero(lhs.ty);
                other.extend(lhs.as_var().filter(|_| !to_zero).map(|d| d.sym));
                other.extend(if calls(x) { mentioned(x) } else { BTreeSet::new() });
            }
            StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. } if !calls(x) => {}
            _ => other.extend(mentioned(x)),
        });
        let mut out = covers::of_loop(self.program, s, &self.changing);
        out.retain(|x| !other.contains(x) && self.is_followed(*x));
        out
    }
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
        let s = node.stmt;
        match (node.place, &s.kind) {
            (Place::Leaf, StmtKind::Assign { lhs, rhs }) if !calls(s) => self.assign(lhs, rhs, zero),
            (Place::Leaf, StmtKind::Comment(_) | StmtKind::Continue | StmtKind::Exit(_) | StmtKind::Cycle(_)) => {}
            (Place::Header | Place::Again, StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. })
                if !calls(s) && !s.is_region() => {}
            (Place::End, StmtKind::Do { .. }) if !s.is_region() => zero.extend(self.cleared(s)),
            (Place::End, _) => {}
            _ => {
                // Whatever it does with what it mentions, inside as well.
                for_each_stmt(std::slice::from_ref(s), &mut |x| {
                    let names = mentioned(x);
                    zero.retain(|z| !names.contains(z));
                });
                zero.extend(self.known.zeroed(self.program, s).into_iter().filter(|x| self.is_followed(*x)));
            }
        }
    }

    fn settled(&mut self, node: Node<'a>, zero: &Self::Fact) {
        if matches!(node.stmt.kind, StmtKind::Do { .. }) && matches!(node.place, Place::Header | Place::Again) {
            match self.zero.get_mut(&node.stmt.id) {
                Some(known) => known.retain(|x| zero.contains(x)),
                None => _ = self.zero.insert(node.stmt.id, zero.clone()),
            }
        }
    }
}

/// True for a value that is zero where the given variables are.
fn is_zero(e: &Expr, zero: &BTreeSet<SymId>) -> bool {
    match &e.kind {
        ExprKind::Var(d) => zero.contains(&d.sym),
        _ => *e == Expr::zero(e.ty),
    }
}

/// All that a statement mentions by itself.
fn mentioned(s: &Stmt) -> BTreeSet<SymId> {
    s.exprs().into_iter().flat_map(symbols).collect()
}
