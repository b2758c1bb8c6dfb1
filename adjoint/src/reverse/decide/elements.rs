//! Elements of arrays that are overwritten when no adjoint needs their value any more. The analysis of what is to be
//! saved takes an array as a whole; here every reference that the backward sweep makes is compared with the assignment,
//! for all iterations that come before it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::storage::{LocSet, symbols};
use costate_grammar::ir::{
    Designator, Expr, ExprKind, Stmt, StmtId, StmtKind, Subscript, SymId, for_each_expr, for_each_stmt,
};

use crate::reverse::Reverse;
use crate::reverse::tree::node::{Leaf, Loop, Node, writes};
use costate_analysis::sections::scene::{Scene, calls};
use costate_analysis::sections::{Range, apart, swept};

/// A loop around a statement.
#[derive(Clone, Debug)]
struct Enclosing {
    id: StmtId,
    range: Range,
    /// Variables of which each iteration has its own: their values where it ends are saved, if anything needs them.
    own: Rc<BTreeSet<SymId>>,
}

/// Where a statement stands.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The loops around it, outermost first.
    loops: Vec<Enclosing>,
    /// The arms of branches around it, outermost first: a branch, and which of its arms.
    arms: Vec<(StmtId, usize)>,
    /// Its number in the order of the text, an even one; that of a use of the value that it assigns is greater by one.
    number: usize,
    /// The number of regions around it.
    level: usize,
    /// Elements that the same iterations have assigned before, with the number of regions around their assignment.
    assigned: Vec<(Designator, usize)>,
}

impl Place {
    /// True for a place in another arm of a branch: in the same iteration of the loops around that only one of the two is
    /// come to.
    fn excludes(&self, other: &Place) -> bool {
        self.arms.iter().zip(&other.arms).find(|(a, b)| a != b).is_some_and(|(a, b)| a.0 == b.0)
    }
}

/// A reference of the backward sweep.
#[derive(Debug)]
struct Use {
    of: Designator,
    place: Place,
    /// The number of regions around the assignment, in the same iterations, of what is referred to: when these run again,
    /// it is assigned again. Zero where there is no such assignment.
    made: usize,
}

/// What the backward sweep refers to.
#[derive(Debug, Default)]
struct Uses {
    /// The arrays that are asked about.
    wanted: BTreeSet<SymId>,
    of: BTreeMap<SymId, Vec<Use>>,
    /// Used in a way that isn't looked into.
    opaque: BTreeSet<SymId>,
}

impl Reverse<'_, '_> {
    /// Notes for each leaf the targets that need not be saved at each level.
    pub(in crate::reverse) fn find_unneeded(&self, nodes: &mut [Node]) {
        let mut uses = Uses { wanted: self.told_apart(nodes), ..Uses::default() };
        if uses.wanted.is_empty() {
            return;
        }
        self.collect(nodes, &mut Place::default(), &mut uses);
        let changing: BTreeSet<SymId> = writes(nodes).iter().map(|l| self.effects.locs.get(*l).sym).collect();
        self.mark_unneeded(nodes, &mut Place::default(), &uses, &changing);
    }

    /// The arrays that assignments change by elements, as far as these can be told apart.
    fn told_apart(&self, nodes: &[Node]) -> BTreeSet<SymId> {
        let mut out = BTreeSet::new();
        for node in nodes {
            node.for_each_leaf(&mut |l| {
                if let StmtKind::Assign { .. } = l.stmt.kind {
                    let targets = l.targets.iter().filter_map(|(e, _)| e.as_var()).filter(|d| !d.parts.is_empty());
                    out.extend(targets.map(|d| d.sym).filter(|s| self.b.scene().plain_array(*s)));
                }
            });
        }
        out
    }

    /// True for a leaf that has to do with one of the arrays.
    fn concerns(&self, l: &Leaf, wanted: &BTreeSet<SymId>) -> bool {
        let mut all = [&l.needs, &l.after, &l.access.reads, &l.access.writes].into_iter().flatten();
        all.any(|x| wanted.contains(&self.effects.locs.get(*x).sym))
    }

    fn collect(&self, nodes: &[Node], at: &mut Place, uses: &mut Uses) {
        for node in nodes {
            at.number += 2;
            match node {
                Node::Leaf(l) => {
                    if self.concerns(l, &uses.wanted) {
                        self.collect_leaf(l, at, uses);
                    }
                    self.assign(l, at);
                }
                Node::Branch(b) => {
                    uses.opaque.extend(b.reads.iter().map(|l| self.effects.locs.get(*l).sym));
                    let before = at.assigned.clone();
                    for (k, arm) in b.arms.iter().enumerate() {
                        at.assigned.clone_from(&before);
                        at.arms.push((b.stmt.id, k));
                        self.collect(arm, at, uses);
                        at.arms.pop();
                    }
                    at.assigned = before;
                    self.forget(&writes(std::slice::from_ref(node)), at);
                }
                Node::Loop(l) => {
                    let reads = l.access.reads.iter().chain(l.exit.iter().flat_map(|e| &e.2));
                    uses.opaque.extend(reads.map(|l| self.effects.locs.get(*l).sym));
                    self.forget(&writes(std::slice::from_ref(node)), at);
                    let before = at.assigned.clone();
                    at.level += usize::from(l.region);
                    at.loops.push(self.enclosing(l));
                    self.collect(&l.body, at, uses);
                    at.loops.pop();
                    at.level -= usize::from(l.region);
                    at.assigned = before;
                }
            }
        }
    }

    fn enclosing(&self, l: &Loop) -> Enclosing {
        let own = l.plain.iter().flat_map(|(_, locs)| self.symbols(locs)).collect();
        Enclosing { id: l.stmt.id, range: l.range.clone(), own: Rc::new(own) }
    }

    /// Notes what a statement assigns, and forgets elements that are others after it.
    fn assign(&self, l: &Leaf, at: &mut Place) {
        self.forget(&l.access.writes, at);
        if let StmtKind::Assign { lhs, .. } = &l.stmt.kind
            && let Some(d) = lhs.as_var().filter(|d| lhs.rank == 0 && self.b.scene().plain_array(d.sym))
            && at.level > 0
            && !mentions_written(d, &self.symbols(&l.access.writes))
        {
            at.assigned.push((d.clone(), at.level));
        }
    }

    /// Forgets elements whose subscripts are written.
    fn forget(&self, written: &LocSet, at: &mut Place) {
        let written = self.symbols(written);
        at.assigned.retain(|(d, _)| !mentions_written(d, &written));
    }

    fn symbols(&self, locs: &LocSet) -> BTreeSet<SymId> {
        locs.iter().map(|l| self.effects.locs.get(*l).sym).collect()
    }

    fn collect_leaf(&self, l: &Leaf, at: &Place, uses: &mut Uses) {
        let plain = l.storage.is_none() && l.reshaped.is_empty() && l.follow.is_empty();
        if !plain {
            let touched = l.access.reads.iter().chain(&l.access.writes).chain(&l.needs);
            uses.opaque.extend(touched.map(|x| self.effects.locs.get(*x).sym));
        }
        let mut simple = true;
        for_each_stmt(&l.adjoint, &mut |s| simple &= matches!(s.kind, StmtKind::Assign { .. }) && !calls(s));
        if !simple {
            uses.opaque.extend(l.needs.iter().map(|x| self.effects.locs.get(*x).sym));
        }
        // What undoes the statement, and an adjoint that uses its result, refer to the value that it assigns; the statement
        // itself, where it runs again, to what was there before.
        let assigned = l.targets.first().filter(|_| matches!(l.stmt.kind, StmtKind::Assign { .. })).map(|(e, _)| e);
        let after = |s: &Stmt| assigned.filter(|_| l.by_result && *s != *l.stmt || Some(s) == l.undo.as_ref());
        let mut stmts: Vec<&Stmt> = l.adjoint.iter().chain(&l.undo).collect();
        if l.keep.iter().skip(1).any(|k| *k) {
            stmts.push(&l.stmt);
            if !matches!(l.stmt.kind, StmtKind::Assign { .. }) || calls(&l.stmt) {
                uses.opaque.extend(l.access.reads.iter().map(|x| self.effects.locs.get(*x).sym));
            }
        }
        for s in stmts {
            let StmtKind::Assign { lhs, rhs } = &s.kind else {
                for_each_stmt(std::slice::from_ref(s), &mut |s| {
                    s.exprs().into_iter().for_each(|e| uses.opaque.extend(costate_analysis::storage::symbols(e)));
                });
                continue;
            };
            for e in lhs.children().into_iter().chain([rhs]) {
                uses.note(e, at, calls(s), after(s));
            }
        }
    }

    fn mark_unneeded(&self, nodes: &mut [Node], at: &mut Place, uses: &Uses, changing: &BTreeSet<SymId>) {
        for node in nodes {
            at.number += 2;
            match node {
                Node::Leaf(l) => {
                    let scene = self.b.scene();
                    let unneeded = |e: &Expr, level: usize| {
                        matches!(l.stmt.kind, StmtKind::Assign { .. })
                            && e.as_var().is_some_and(|d| uses.spare(&scene, d, at, level, changing))
                    };
                    let targets =
                        |level| l.targets.iter().map(|(e, _)| e).filter(|e| unneeded(e, level)).cloned().collect();
                    l.unneeded = (0..=at.level).map(targets).collect();
                }
                Node::Branch(b) => {
                    for (k, arm) in b.arms.iter_mut().enumerate() {
                        at.arms.push((b.stmt.id, k));
                        self.mark_unneeded(arm, at, uses, changing);
                        at.arms.pop();
                    }
                }
                Node::Loop(l) => {
                    at.level += usize::from(l.region);
                    at.loops.push(self.enclosing(l));
                    self.mark_unneeded(&mut l.body, at, uses, changing);
                    at.loops.pop();
                    at.level -= usize::from(l.region);
                }
            }
        }
    }
}

impl Uses {
    fn note(&mut self, e: &Expr, at: &Place, opaque: bool, after: Option<&Expr>) {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Var(d) = &x.kind {
                if opaque {
                    self.opaque.insert(d.sym);
                } else if self.wanted.contains(&d.sym) {
                    let made = at.assigned.iter().filter(|(a, _)| a == d).map(|(_, level)| *level).max().unwrap_or(0);
                    let number = at.number + usize::from(after == Some(x));
                    let used = Use { of: d.clone(), place: Place { number, ..at.clone() }, made };
                    self.of.entry(d.sym).or_default().push(used);
                }
            }
        });
    }

    /// True when nothing that the backward sweep uses is lost by the assignment of `d` in the sweep of `level`.
    fn spare(&self, scene: &Scene<'_>, d: &Designator, at: &Place, level: usize, changing: &BTreeSet<SymId>) -> bool {
        if d.parts.is_empty() || !scene.plain_array(d.sym) || self.opaque.contains(&d.sym) {
            return false;
        }
        let uses = self.of.get(&d.sym).map_or(&[][..], Vec::as_slice);
        uses.iter().all(|u| u.made > level || unmet(scene, (d, at), (&u.of, &u.place), changing))
    }
}

/// True when the subscripts of a reference use one of the symbols.
fn mentions_written(d: &Designator, written: &BTreeSet<SymId>) -> bool {
    let index = |s: &Subscript| match s {
        Subscript::Index(e) => !symbols(e).is_disjoint(written),
        Subscript::Range { .. } => true,
    };
    d.subscripts().any(index)
}

/// True when the assignment of `d` meets no element of `used` that was used in the same iteration of all loops around
/// both or in an earlier one of one of them.
fn unmet(
    scene: &Scene<'_>,
    (d, at): (&Designator, &Place),
    (used, place): (&Designator, &Place),
    changing: &BTreeSet<SymId>,
) -> bool {
    let ranges: Vec<Range> = at.loops.iter().map(|l| l.range.clone()).collect();
    let (Some(target), Some((section, _))) = (scene.place(d, &ranges), scene.section(used)) else { return false };
    let common = at.loops.iter().zip(&place.loops).take_while(|(a, b)| a.id == b.id).count();
    // Another iteration uses its own one.
    let outer = at.loops[..common].iter().rposition(|l| l.own.contains(&d.sym)).map_or(0, |k| k + 1);
    // At `level` the use is in an earlier iteration, in the loops outside of it in the same one.
    (outer..=common).all(|level| {
        // What comes later in the text is used later; where both run again together, the assignment does too.
        if level == common && (place.number > at.number || at.excludes(place)) {
            return true;
        }
        let fixed: BTreeSet<SymId> =
            at.loops[..at.loops.len().min(level + 1).min(common)].iter().filter_map(|l| l.range.var).collect();
        let moves = |s: SymId| changing.contains(&s) && !fixed.contains(&s);
        let inner = place.loops[level..]
            .iter()
            .enumerate()
            .rev()
            .map(|(k, l)| if k == 0 && level < common { l.range.earlier() } else { l.range.clone() });
        let mut section = section.clone();
        let loops: Vec<Range> = inner.collect();
        let own: BTreeSet<SymId> = loops.iter().filter_map(|r| r.var).collect();
        for r in &loops {
            section = swept(&section, r, &|s| moves(s) && !own.contains(&s));
        }
        // Nothing that changes in between may be left in the bounds.
        section = swept(&section, &Range::default(), &moves);
        apart(&target, &section)
    })
}
