//! Which variables are used before they are assigned, and which are of use after a construct: two problems over whole
//! variables, for code in which values are none of the question.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    CaseRange, Designator, Expr, ExprKind, LoopControl, Part, Program, Stmt, StmtId, StmtKind, SymId, Variable,
    for_each_expr,
};

use super::engine::{Direction, Problem, solve};
use super::graph::{Edge, Node, Place, Way, of_body};
use super::own_elements;
use crate::covers;
use crate::dependence::mentions::for_each_value;
use crate::loops::{assigned, has_iteration};
use crate::storage::symbols;

/// What is known of a call; nothing, where nothing is.
pub type Known<'f> = &'f dyn Fn(&Stmt) -> Call;

/// What a call does to variables that it is given.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// It surely assigns them as a whole, and doesn't use them before.
    pub sets: BTreeSet<SymId>,
    /// It does nothing with them.
    pub ignores: BTreeSet<SymId>,
}

impl Call {
    fn uses(&self, sym: SymId) -> bool {
        !self.sets.contains(&sym) && !self.ignores.contains(&sym)
    }
}

/// Variables that a block may use before it has assigned them as a whole, and those that it surely assigns. What isn't
/// understood uses all that it mentions.
pub fn used_and_assigned(program: &Program, block: &[Stmt], known: Known<'_>) -> (BTreeSet<SymId>, BTreeSet<SymId>) {
    let graph = of_body(block);
    let own = own_elements::of_body(program, block);
    let mut problem = Assigned { program, changing: assigned(block), known, own, used: BTreeSet::new() };
    let surely = solve(&graph, &mut problem).unwrap_or_default();
    (problem.used, surely)
}

/// The first of these, where nothing is known of calls.
pub fn used_before_assigned(program: &Program, block: &[Stmt]) -> BTreeSet<SymId> {
    used_and_assigned(program, block, &|_| Call::default()).0
}

/// Variables whose values may be used after each construct of a body. `at_end` says which are of use after the body.
pub fn used_after(
    program: &Program,
    body: &[Stmt],
    at_end: &dyn Fn(SymId) -> bool,
    known: Known<'_>,
) -> BTreeMap<StmtId, BTreeSet<SymId>> {
    used_after_these(program, body, at_end, known, &BTreeSet::new())
}

/// The same, and after each of these statements too.
pub fn used_after_these(
    program: &Program,
    body: &[Stmt],
    at_end: &dyn Fn(SymId) -> bool,
    known: Known<'_>,
    these: &BTreeSet<StmtId>,
) -> BTreeMap<StmtId, BTreeSet<SymId>> {
    let graph = of_body(body);
    let mut boundary: BTreeSet<SymId> = BTreeSet::new();
    graph.nodes().iter().for_each(|n| boundary.extend(mentions(n.stmt)));
    boundary.retain(|s| at_end(*s));
    // An element that is used after it was assigned is of no use before, but it is in between, where these statements stand.
    let own = if these.is_empty() { own_elements::of_body(program, body) } else { BTreeSet::new() };
    let changing = assigned(body);
    let mut problem = Live { program, changing, known, own, boundary, these, after: BTreeMap::new() };
    solve(&graph, &mut problem);
    problem.after
}

/// The variables whose values an expression uses: not those that it only asks for their status or shape.
fn values(e: &Expr) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_value(e, &mut |x| out.extend(x.as_var().map(|d| d.sym)));
    // What isn't a variable's value may mention some in other ways.
    let mut opaque = false;
    for_each_expr(e, &mut |x| opaque |= matches!(x.kind, ExprKind::Opaque(_) | ExprKind::ProcRef(_)));
    if opaque {
        out.extend(symbols(e));
    }
    out
}

/// All whose values a statement uses by itself, or that it may assign.
fn mentions(s: &Stmt) -> BTreeSet<SymId> {
    if let StmtKind::Deallocate { items, options } = &s.kind {
        let parts = items.iter().flat_map(Expr::children).chain(options.iter().map(|o| &o.1));
        return parts.flat_map(values).collect();
    }
    let mut out: BTreeSet<SymId> = s.exprs().into_iter().flat_map(values).collect();
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => {
            out.insert(*var);
        }
        StmtKind::Select { arms, .. } => {
            let ranges = arms.iter().flat_map(|a| &a.ranges);
            out.extend(ranges.flat_map(CaseRange::exprs).flat_map(values));
        }
        StmtKind::Directive { names, .. } | StmtKind::Unsupported { names, .. } => out.extend(names),
        _ => {}
    }
    out
}

/// The variables that a statement surely assigns as a whole, and those that it uses.
fn effect(program: &Program, node: Node<'_>) -> (Vec<SymId>, BTreeSet<SymId>) {
    match (node.place, &node.stmt.kind) {
        (Place::Leaf, StmtKind::Assign { lhs, rhs }) => {
            let whole = lhs.as_var().filter(|d| d.parts.is_empty() && !lhs.is_derived()).map(|d| d.sym);
            let simple = |s: &SymId| program.var(*s).is_some_and(|v| !(v.attrs.pointer || v.has_other_names()));
            let mut used = values(rhs);
            match (whole, lhs.as_var()) {
                (Some(_), _) => {}
                // What is in other elements stays there, and nothing uses it.
                (None, Some(d)) if is_part_of_array(program, d) => {
                    used.extend(lhs.children().into_iter().flat_map(values))
                }
                _ => used.extend(values(lhs)),
            }
            (whole.filter(simple).into_iter().collect(), used)
        }
        (Place::Header, StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. }) => {
            let bounds = [Some(lo), Some(hi), step.as_ref()];
            (vec![*var], bounds.into_iter().flatten().flat_map(values).collect())
        }
        // Its indices are variables of its own.
        (Place::Header, StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. }) => {
            let own: Vec<SymId> = indices.iter().map(|i| i.0).collect();
            let used = mentions(node.stmt).into_iter().filter(|s| !own.contains(s)).collect();
            (own, used)
        }
        (Place::Leaf | Place::Header, _) => (Vec::new(), mentions(node.stmt)),
        (Place::Again, StmtKind::Do { control: LoopControl::While(cond), .. }) => (Vec::new(), values(cond)),
        (Place::Again | Place::End, _) => (Vec::new(), BTreeSet::new()),
    }
}

/// True for elements of an array that has its memory from where it is declared.
fn is_part_of_array(program: &Program, d: &Designator) -> bool {
    let own = |v: &Variable| !(v.attrs.pointer || v.attrs.allocatable || v.has_other_names());
    matches!(d.parts.as_slice(), [Part::Subscripts(_)]) && program.var(d.sym).is_some_and(own)
}

/// The arrays that a loop has assigned from end to end where it has ended.
fn covered(program: &Program, node: Node<'_>, changing: &BTreeSet<SymId>) -> BTreeSet<SymId> {
    match (node.place, &node.stmt.kind) {
        (Place::End, StmtKind::Do { .. }) if !node.stmt.is_region() => covers::of_loop(program, node.stmt, changing),
        _ => BTreeSet::new(),
    }
}

/// The problem whose facts are the variables that were surely assigned before a point.
struct Assigned<'p> {
    program: &'p Program,
    /// What is assigned anywhere.
    changing: BTreeSet<SymId>,
    known: Known<'p>,
    /// Uses of elements that have just been assigned.
    own: BTreeSet<(StmtId, SymId)>,
    used: BTreeSet<SymId>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Assigned<'_> {
    type Fact = BTreeSet<SymId>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Self::Fact {
        BTreeSet::new()
    }

    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool {
        let before = fact.len();
        fact.retain(|s| other.contains(s));
        fact.len() != before
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Self::Fact) {
        fact.extend(effect(self.program, node).0);
        fact.extend(covered(self.program, node, &self.changing));
        if node.place == Place::Leaf {
            fact.extend((self.known)(node.stmt).sets);
        }
    }

    fn cross(&mut self, edge: Edge<'a>, _: &mut Self::Fact) -> bool {
        let runs = |s: &Stmt| matches!(&s.kind, StmtKind::Do { control, .. } if has_iteration(control) == Some(true));
        !(edge.way == Way::Skip && edge.stmt.is_some_and(runs))
    }

    fn settled(&mut self, node: Node<'a>, fact: &Self::Fact) {
        let (_, mut used) = effect(self.program, node);
        if node.place == Place::Leaf {
            let call = (self.known)(node.stmt);
            used.retain(|s| call.uses(*s));
        }
        let own = |s: &SymId| self.own.contains(&(node.stmt.id, *s));
        self.used.extend(used.into_iter().filter(|s| !fact.contains(s) && !own(s)));
    }
}

/// The problem whose facts are the variables whose values may be used after a point.
struct Live<'p> {
    program: &'p Program,
    /// What is assigned anywhere.
    changing: BTreeSet<SymId>,
    known: Known<'p>,
    /// Uses of elements that have just been assigned.
    own: BTreeSet<(StmtId, SymId)>,
    boundary: BTreeSet<SymId>,
    /// Statements of interest beside constructs.
    these: &'p BTreeSet<StmtId>,
    after: BTreeMap<StmtId, BTreeSet<SymId>>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Live<'_> {
    type Fact = BTreeSet<SymId>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&mut self) -> Self::Fact {
        self.boundary.clone()
    }

    fn join(&mut self, fact: &mut Self::Fact, other: &Self::Fact) -> bool {
        let before = fact.len();
        fact.extend(other);
        fact.len() != before
    }

    fn transfer(&mut self, node: Node<'a>, fact: &mut Self::Fact) {
        let (assigned, used) = effect(self.program, node);
        let call = if node.place == Place::Leaf { (self.known)(node.stmt) } else { Call::default() };
        let covered = covered(self.program, node, &self.changing);
        fact.retain(|sym| ![&call.sets, &covered].iter().any(|list| list.contains(sym)) && !assigned.contains(sym));
        let own = |s: &SymId| self.own.contains(&(node.stmt.id, *s));
        fact.extend(used.into_iter().filter(|sym| call.uses(*sym) && !own(sym)));
    }

    fn settled(&mut self, node: Node<'a>, fact: &Self::Fact) {
        if node.place == Place::End || node.place == Place::Leaf && self.these.contains(&node.stmt.id) {
            self.after.entry(node.stmt.id).or_default().extend(fact);
        }
    }
}
