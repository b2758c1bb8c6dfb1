//! Pointers that are never associated with the same memory: time levels that change places, say. What is known are pairs; what
//! `p => q` says of `p` is what was known of `q`.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Designator, Expr, Part, ProcId, Program, Stmt, StmtId, StmtKind, SymId, Variable, for_each_stmt,
};

use super::engine::{Direction, Problem, solve};
use super::graph::{Edge, Node, Place, of_body};
use crate::calls::for_each_call;
use crate::dependence::mentions::mentioned_in;
use crate::storage::is_global;

/// Pairs of variables, the lesser one first.
pub type Pairs = BTreeSet<(SymId, SymId)>;

/// For each loop the pairs of pointers, and of pointers and targets, that are different memory all through it.
pub fn in_loops(program: &Program, proc: ProcId, body: &[Stmt]) -> BTreeMap<StmtId, Pairs> {
    let mut inside = BTreeSet::new();
    program[proc].internals.iter().for_each(|p| inside.extend(mentioned_in(&program[*p].body)));
    let mut problem = Distinct { program, pointers: BTreeSet::new(), nodes: BTreeSet::new(), found: BTreeMap::new() };
    for_each_stmt(body, &mut |s| {
        let StmtKind::PointerAssign { lhs, rhs } = &s.kind else { return };
        let Some(p) = whole(lhs) else { return };
        let own = |v: &Variable| v.attrs.pointer && v.dummy.is_none() && !v.attrs.save && v.init.is_none();
        if program.var(p).is_some_and(own) && !is_global(program, p) && !inside.contains(&p) {
            problem.pointers.insert(p);
            problem.nodes.extend([Some(p), origin(rhs)].into_iter().flatten());
        }
    });
    if problem.pointers.len() > 1 {
        solve(&of_body(body), &mut problem);
    }
    problem.found
}

struct Distinct<'p> {
    program: &'p Program,
    /// Local pointers that only statements of the procedure associate,
    pointers: BTreeSet<SymId>,
    /// and what they are associated with.
    nodes: BTreeSet<SymId>,
    found: BTreeMap<StmtId, Pairs>,
}

impl<'a> Problem<Node<'a>, Edge<'a>> for Distinct<'_> {
    type Fact = Pairs;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&mut self) -> Pairs {
        Pairs::new()
    }

    fn join(&mut self, fact: &mut Pairs, other: &Pairs) -> bool {
        let before = fact.len();
        fact.retain(|p| other.contains(p));
        fact.len() < before
    }

    fn transfer(&mut self, node: Node<'a>, known: &mut Pairs) {
        if node.place == Place::End {
            return;
        }
        let s = node.stmt;
        self.forget(passed(s).into_iter(), known);
        match &s.kind {
            StmtKind::PointerAssign { lhs, rhs } => self.associate(lhs, rhs, known),
            StmtKind::Allocate { items, .. } => {
                for p in items.iter().filter_map(|i| whole(&i.object)).filter(|p| self.pointers.contains(p)) {
                    known.extend(self.nodes.iter().filter(|n| **n != p).map(|n| pair(p, *n)));
                }
            }
            // What isn't understood may do anything to what it names.
            _ if node.place == Place::Leaf && !s.blocks().is_empty() => {
                self.forget(mentioned_in(std::slice::from_ref(s)).into_iter(), known);
            }
            _ => {}
        }
    }

    fn settled(&mut self, node: Node<'a>, known: &Pairs) {
        if let (Place::Header, StmtKind::Do { body, .. }) = (node.place, &node.stmt.kind) {
            let mut known = known.clone();
            for_each_stmt(body, &mut |s| {
                self.forget(passed(s).into_iter(), &mut known);
                match &s.kind {
                    StmtKind::PointerAssign { lhs, .. } => self.forget(whole(lhs).into_iter(), &mut known),
                    StmtKind::Allocate { items, .. } => {
                        self.forget(items.iter().filter_map(|i| whole(&i.object)), &mut known);
                    }
                    _ => {}
                }
            });
            self.found.insert(node.stmt.id, known);
        }
    }
}

impl Distinct<'_> {
    /// Some procedure may associate these anew.
    fn forget(&self, passed: impl Iterator<Item = SymId>, known: &mut Pairs) {
        for p in passed.filter(|p| self.pointers.contains(p)) {
            known.retain(|(a, b)| *a != p && *b != p);
        }
    }

    fn associate(&self, lhs: &Expr, rhs: &Expr, known: &mut Pairs) {
        let Some(p) = whole(lhs).filter(|p| self.pointers.contains(p)) else { return };
        let q = origin(rhs);
        // A section of its own memory is no other.
        if q == Some(p) {
            return;
        }
        let others = self.nodes.iter().copied().filter(|n| *n != p);
        let apart: Vec<SymId> = others.filter(|n| q.is_some_and(|q| self.are_apart(q, *n, known))).collect();
        known.retain(|(a, b)| *a != p && *b != p);
        known.extend(apart.into_iter().map(|n| pair(p, n)));
    }

    /// True for two variables of which it is known, and for two targets of the procedure's own.
    fn are_apart(&self, a: SymId, b: SymId, known: &Pairs) -> bool {
        let own = |s: SymId| {
            let plain = |v: &Variable| !(v.attrs.pointer || v.equivalenced) && v.dummy.is_none() && v.common.is_none();
            self.program.var(s).is_some_and(plain)
        };
        a != b && (known.contains(&pair(a, b)) || own(a) && own(b))
    }
}

/// What the calls of a statement are given as wholes.
fn passed(s: &Stmt) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_call(s, &mut |_, args| out.extend(args.iter().filter_map(|a| whole(&a.value))));
    out
}

/// The variable of a reference to all of it.
fn whole(e: &Expr) -> Option<SymId> {
    e.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym)
}

/// The variable of which an expression is memory, as a whole or as a section.
fn origin(e: &Expr) -> Option<SymId> {
    let plain = |d: &&Designator| matches!(d.parts.as_slice(), [] | [Part::Subscripts(_)]);
    e.as_var().filter(plain).map(|d| d.sym)
}

fn pair(a: SymId, b: SymId) -> (SymId, SymId) {
    (a.min(b), a.max(b))
}
