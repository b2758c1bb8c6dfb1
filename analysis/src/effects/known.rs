//! What is known of integers where a procedure is called: their values in terms of others, and inequalities.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::ir::{
    Base, Callee, CtorItem, Designator, Dim, Expr, ExprKind, LoopControl, Part, ProcId, Program, Stmt, StmtId,
    StmtKind, Subscript, SymId, for_each_expr, for_each_stmt, map_expr,
};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use super::Effects;
use crate::callgraph::functions;
use crate::dataflow::engine::{Direction, Problem, solve};
use crate::dataflow::graph::{Edge, Graph, Node, Place, Way, of_body};
use crate::loops::substitute;
use crate::storage::{LocSet, symbols};

/// What holds as long as nothing that it reads is assigned.
#[derive(Clone, Debug, PartialEq)]
struct Fact {
    what: What,
    reads: LocSet,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    /// A variable has the value of an expression; the variable's own location.
    Value(SymId, Expr, LocSet),
    /// An expression isn't negative.
    NotNegative(Expr),
    /// An expression isn't zero.
    NotZero(Expr),
}

/// An element of an array that numbers pick.
type Element = (SymId, Vec<i64>);

fn element(d: &Designator) -> Option<Element> {
    let [Part::Subscripts(list)] = d.parts.as_slice() else { return None };
    let number = |s: &Subscript| match s {
        Subscript::Index(e) => e.as_int(),
        Subscript::Range { .. } => None,
    };
    Some((d.sym, list.iter().map(number).collect::<Option<_>>()?))
}

/// What is known of integers at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Variables and their values, none of which is in terms of another of them.
    values: Vec<(SymId, Expr)>,
    /// Elements of arrays and their values.
    elements: Vec<(Element, i64)>,
    /// Expressions that aren't negative, in the same terms.
    pub(super) not_negative: Vec<Expr>,
    /// Expressions that aren't zero, in the same terms.
    pub(super) not_zero: Vec<Expr>,
    /// Variables that the procedure assigns anywhere.
    assigned: BTreeSet<SymId>,
}

impl Known {
    /// An expression with the values of variables in their place.
    pub(super) fn settle(&self, e: &Expr) -> Expr {
        let settled = self.values.iter().fold(e.clone(), |e, (s, by)| substitute(&e, *s, by));
        let number = |x: &Expr| {
            let at = element(x.as_var()?)?;
            self.elements.iter().find(|(e, _)| *e == at).map(|(_, n)| Expr { ty: x.ty, ..Expr::int(*n) })
        };
        map_expr(settled, &mut |x| number(&x).unwrap_or(x))
    }

    /// True for an expression that has one value throughout the procedure.
    pub(super) fn keeps(&self, e: &Expr) -> bool {
        symbols(e).is_disjoint(&self.assigned)
    }
}

/// What holds at a point of the execution.
#[derive(Clone, Debug, Default)]
struct Facts {
    facts: Vec<Fact>,
    /// Elements of arrays, their values, and the arrays' locations.
    elements: Vec<(Element, i64, LocSet)>,
    /// A `stop` has ended the run: all holds.
    over: bool,
}

impl Facts {
    fn forget(&mut self, written: &LocSet) {
        self.facts.retain(|f| {
            let own = match &f.what {
                What::Value(_, _, own) => own.is_disjoint(written),
                What::NotNegative(_) | What::NotZero(_) => true,
            };
            own && f.reads.is_disjoint(written)
        });
        self.elements.retain(|(_, _, own)| own.is_disjoint(written));
    }

    fn add(&mut self, fact: Fact) {
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    /// Keeps what holds on another way too; true when that is less.
    fn join(&mut self, other: &Facts) -> bool {
        if other.over {
            return false;
        }
        if self.over {
            *self = other.clone();
            return true;
        }
        let before = (self.facts.len(), self.elements.len());
        self.facts.retain(|f| other.facts.contains(f));
        self.elements.retain(|e| other.elements.contains(e));
        before != (self.facts.len(), self.elements.len())
    }
}

/// The problem: a forward one.
struct Followed<'e> {
    effects: &'e mut Effects,
    program: &'e Program,
    /// What statements may assign or give another shape, by their numbers.
    written: Vec<LocSet>,
    /// The same of loops with all that is inside, and of the headers of branches, by their addresses.
    constructs: BTreeMap<*const Stmt, LocSet>,
    /// What holds before statements that call procedures.
    at: BTreeMap<StmtId, Facts>,
}

/// What is known of integers in a procedure.
#[derive(Debug, Default)]
pub(super) struct Integers {
    /// What holds before statements that call procedures.
    at: BTreeMap<StmtId, Facts>,
    /// Variables that the procedure assigns anywhere.
    assigned: BTreeSet<SymId>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Followed<'_> {
    type Fact = Facts;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Facts {
        Facts::default()
    }

    fn join(&mut self, fact: &mut Facts, other: &Facts) -> bool {
        fact.join(other)
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Facts) {
        let written = &self.written[node.number];
        match (node.place, &node.stmt.kind) {
            (Place::Leaf, StmtKind::Assign { lhs, rhs }) => {
                let numbers = self.effects.numbers(self.program, node.stmt);
                let others = fact.elements.iter().filter(|(at, ..)| numbers.len() == 1 && numbers[0].0.0 == at.0);
                let others: Vec<_> = others.filter(|(at, ..)| numbers[0].0 != *at).cloned().collect();
                fact.forget(written);
                fact.elements.extend(others.into_iter().chain(numbers));
                self.effects.assigned(self.program, lhs, rhs, fact);
            }
            (Place::Leaf, StmtKind::Stop { .. }) => fact.over = true,
            (Place::Leaf | Place::Header | Place::Again, _) => fact.forget(written),
            (Place::End, _) => {}
        }
    }

    fn cross(&mut self, edge: Edge<'a>, fact: &mut Facts) -> bool {
        let Some(stmt) = edge.stmt else { return true };
        let Some(written) = self.constructs.get(&std::ptr::from_ref(stmt)) else { return true };
        let (effects, program) = (&mut *self.effects, self.program);
        match (&stmt.kind, edge.way) {
            (StmtKind::If { arms, .. }, Way::Arm(_) | Way::Skip) => {
                let chosen = if let Way::Arm(k) = edge.way { k } else { arms.len() };
                for (k, arm) in arms.iter().enumerate().take(chosen + 1) {
                    effects.condition(program, &arm.cond, k == chosen, written, fact);
                }
            }
            (StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. }, Way::Enter | Way::Again) => {
                match step.as_ref().map_or(Some(1), Expr::as_int).map(|n| n < 0) {
                    Some(false) => effects.bounds(program, (stmt, *var), (lo, hi), written, fact),
                    Some(true) => effects.bounds(program, (stmt, *var), (hi, lo), written, fact),
                    None => {}
                }
            }
            _ => {}
        }
        true
    }

    fn settled(&mut self, node: Node<'a>, fact: &Facts) {
        let calls = matches!(node.stmt.kind, StmtKind::Call { .. }) || !functions(self.program, node.stmt).is_empty();
        if calls && matches!(node.place, Place::Leaf | Place::Header) {
            match self.at.entry(node.stmt.id) {
                Entry::Vacant(entry) => {
                    entry.insert(fact.clone());
                }
                Entry::Occupied(mut entry) => {
                    entry.get_mut().join(fact);
                }
            }
        }
    }
}

impl Effects {
    /// What is known of integers where a statement of a procedure begins.
    pub(super) fn known_at(&mut self, program: &Program, proc: ProcId, at: StmtId) -> Known {
        let integers = match self.integers.get(&proc) {
            Some(known) => Rc::clone(known),
            None => {
                let found = Rc::new(self.follow_integers(program, proc));
                self.integers.insert(proc, Rc::clone(&found));
                found
            }
        };
        let mut known = Known { assigned: integers.assigned.clone(), ..Known::default() };
        let Some(found) = integers.at.get(&at) else { return known };
        for f in &found.facts {
            if let What::Value(sym, value, _) = &f.what {
                known.values.push((*sym, value.clone()));
            }
        }
        known.elements = found.elements.iter().map(|(at, n, _)| (at.clone(), *n)).collect();
        for f in &found.facts {
            match &f.what {
                What::NotNegative(e) => known.not_negative.push(known.settle(e)),
                What::NotZero(e) => known.not_zero.push(known.settle(e)),
                What::Value(..) => {}
            }
        }
        known
    }

    /// Follows integers through a procedure.
    fn follow_integers(&mut self, program: &Program, proc: ProcId) -> Integers {
        let body = self.bodies.get(&proc).cloned().unwrap_or_default();
        let graph = of_body(&body);
        let (written, constructs) = self.all_written(program, &graph);
        let assigned = written.iter().flatten().map(|l| self.locs.get(*l).sym).collect();
        if self.unstructured.contains(&proc) {
            return Integers { assigned, ..Integers::default() };
        }
        let mut problem = Followed { effects: self, program, written, constructs, at: BTreeMap::new() };
        solve(&graph, &mut problem);
        Integers { at: problem.at, assigned }
    }

    /// What statements by themselves may assign or give another shape, by their numbers, and what loops with all that is
    /// inside.
    fn all_written(&mut self, program: &Program, graph: &Graph<'_>) -> (Vec<LocSet>, BTreeMap<*const Stmt, LocSet>) {
        let (mut written, mut constructs) = (Vec::new(), BTreeMap::new());
        for node in graph.nodes() {
            match node.place {
                Place::Leaf => written.push(self.written(program, node.stmt)),
                Place::Header => {
                    let own = self.written(program, node.stmt);
                    constructs.insert(std::ptr::from_ref(node.stmt), own.clone());
                    written.push(own);
                }
                Place::Again => {
                    let all = written[node.number..].iter().flatten().copied().collect();
                    constructs.insert(std::ptr::from_ref(node.stmt), all);
                }
                Place::End => {}
            }
        }
        (written, constructs)
    }

    /// Notes between which bounds a loop's variable is.
    fn bounds(
        &mut self,
        program: &Program,
        (s, var): (&Stmt, SymId),
        (least, most): (&Expr, &Expr),
        written: &LocSet,
        facts: &mut Facts,
    ) {
        let own: LocSet = self.locs.leaves(program, var, &[]).into_iter().collect();
        let mut inner = LocSet::new();
        for b in s.blocks() {
            for_each_stmt(b, &mut |s| inner.extend(self.written(program, s)));
        }
        let Some(v) = program.var(var).filter(|_| own.is_disjoint(&inner)) else { return };
        let index = Expr::new(ExprKind::Var(Designator { sym: var, parts: Vec::new() }), v.ty, 0);
        let above = (least, index.clone().sub(least.clone()));
        for (bound, e) in [above, (most, most.clone().sub(index))] {
            if let Some(reads) = self.steady(program, bound).filter(|r| r.is_disjoint(written)) {
                facts.add(Fact { what: What::NotNegative(e), reads: &reads | &own });
            }
        }
    }

    /// The elements that get numbers for their values: `ip(2) = 7`, or `ip = [1, 7, 13]`.
    fn numbers(&mut self, program: &Program, s: &Stmt) -> Vec<(Element, i64, LocSet)> {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return Vec::new() };
        let Some((d, v)) = lhs.as_var().and_then(|d| program.var(d.sym).map(|v| (d, v))) else { return Vec::new() };
        if v.has_other_names() || v.ty.base != Base::Integer {
            return Vec::new();
        }
        let all = match (&rhs.unparen().kind, v.dims.as_slice()) {
            (ExprKind::ArrayCtor { items, .. }, [Dim::Explicit(lo, _)]) if d.parts.is_empty() => {
                let number = |item: &CtorItem| match item {
                    CtorItem::Value(e) if e.rank == 0 => e.as_int(),
                    _ => None,
                };
                let from = lo.as_ref().map_or(Some(1), Expr::as_int);
                let list: Option<Vec<i64>> = items.iter().map(number).collect();
                from.zip(list).map(|(from, list)| (from..).zip(list).map(|(k, n)| ((d.sym, vec![k]), n)).collect())
            }
            _ => element(d).zip(rhs.as_int()).map(|one| vec![one]),
        };
        let own: LocSet = self.locs.leaves(program, d.sym, &[]).into_iter().collect();
        all.unwrap_or_default().into_iter().map(|(at, n)| (at, n, own.clone())).collect()
    }

    /// Notes the value of a variable that is assigned.
    fn assigned(&mut self, program: &Program, lhs: &Expr, rhs: &Expr, facts: &mut Facts) {
        let Some(d) = lhs.as_var().filter(|d| d.parts.is_empty() && lhs.rank == 0) else { return };
        let plain = program.var(d.sym).is_some_and(|v| !v.has_other_names() && v.ty.base == Base::Integer);
        let own: LocSet = self.locs.leaves(program, d.sym, &[]).into_iter().collect();
        let Some(mut reads) = self.steady(program, rhs).filter(|_| plain) else { return };
        let mut value = rhs.clone();
        let used = symbols(rhs);
        for f in &facts.facts {
            if let What::Value(sym, by, others) = &f.what
                && used.contains(sym)
            {
                value = substitute(&value, *sym, by);
                reads = &(&reads - others) | &f.reads;
            }
        }
        if reads.is_disjoint(&own) {
            facts.add(Fact { what: What::Value(d.sym, value, own), reads });
        }
    }

    /// Notes the inequalities that follow from a condition, or from its opposite.
    fn condition(&mut self, program: &Program, e: &Expr, holds: bool, header: &LocSet, facts: &mut Facts) {
        let ExprKind::Binary(op, a, b) = &e.kind else {
            match &e.kind {
                ExprKind::Paren(a) => self.condition(program, a, holds, header, facts),
                ExprKind::Unary(UnaryOp::Not, a) => self.condition(program, a, !holds, header, facts),
                _ => {}
            }
            return;
        };
        let differ = matches!((op, holds), (BinaryOp::Eq, false) | (BinaryOp::Ne, true));
        // Each pair is of what is surely no smaller than the other one, and by how much.
        let known: &[(&Expr, &Expr, i64)] = match (op, holds) {
            (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                self.condition(program, a, holds, header, facts);
                self.condition(program, b, holds, header, facts);
                return;
            }
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => &[(b, a, 1)],
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) => &[(b, a, 0)],
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => &[(a, b, 1)],
            (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => &[(a, b, 0)],
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => &[(a, b, 0), (b, a, 0)],
            _ if differ => &[],
            _ => return,
        };
        let (Some(x), Some(y)) = (self.steady(program, a), self.steady(program, b)) else { return };
        let reads = &x | &y;
        if reads.is_disjoint(header) {
            if differ {
                let gap = a.clone().sub((**b).clone());
                facts.add(Fact { what: What::NotZero(gap), reads: reads.clone() });
            }
            for (more, less, by) in known {
                let gap = (*more).clone().sub((*less).clone()).sub(Expr::int(*by));
                facts.add(Fact { what: What::NotNegative(gap), reads: reads.clone() });
            }
        }
    }

    /// What an integer expression depends on, the shapes of arrays included; nothing for one that calls procedures of the
    /// program.
    fn steady(&mut self, program: &Program, e: &Expr) -> Option<LocSet> {
        let mut known = e.ty.base == Base::Integer && e.rank == 0;
        for_each_expr(e, &mut |x| {
            known &= !matches!(&x.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. });
        });
        let mut out = LocSet::new();
        self.reads(program, e, &mut out);
        for sym in symbols(e) {
            known &= program.var(sym).is_none_or(|v| !v.attrs.changes_unseen());
            out.extend(self.locs.leaves(program, sym, &[]));
            out.extend(self.locs.association(program, sym, &[]));
        }
        known.then_some(out)
    }

    /// What a statement by itself may assign, or give another shape.
    fn written(&mut self, program: &Program, s: &Stmt) -> LocSet {
        let a = self.access(program, s);
        a.writes.into_iter().chain(a.shapes).chain(a.holders).collect()
    }
}
