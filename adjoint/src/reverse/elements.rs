//! Elements of arrays that are overwritten when no adjoint needs their value any more. The analysis of what is to be
//! saved takes an array as a whole; here every reference that the backward sweep makes is compared with the assignment,
//! for all iterations that come before it.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{Designator, Expr, ExprKind, Stmt, StmtId, StmtKind, SymId, for_each_expr, for_each_stmt};

use super::Reverse;
use super::flow::{Scene, calls};
use super::node::{Leaf, Node, writes};
use super::sections::{Range, apart, swept};

/// Where a statement stands.
#[derive(Clone, Debug, Default)]
struct Place {
    /// The loops around it, outermost first.
    loops: Vec<(StmtId, Range)>,
    /// Its number in the order of the text, an even one; that of a use of the value that it assigns is greater by one.
    number: usize,
    /// How many loops are around the outermost one whose iterations run again in the backward sweep.
    again: Option<usize>,
}

/// What the backward sweep refers to.
#[derive(Debug, Default)]
struct Uses {
    of: BTreeMap<SymId, Vec<(Designator, Place)>>,
    /// Used in a way that isn't looked into.
    opaque: BTreeSet<SymId>,
}

impl Reverse<'_, '_> {
    /// Notes for each leaf the targets that need not be saved in the first forward sweep.
    pub(super) fn find_unneeded(&self, nodes: &mut [Node]) {
        let mut uses = Uses::default();
        self.collect(nodes, &mut Place::default(), &mut uses);
        let changing: BTreeSet<SymId> = writes(nodes).iter().map(|l| self.effects.locs.get(*l).sym).collect();
        self.mark_unneeded(nodes, &mut Place::default(), &uses, &changing);
    }

    fn collect(&self, nodes: &[Node], at: &mut Place, uses: &mut Uses) {
        for node in nodes {
            at.number += 2;
            match node {
                Node::Leaf(l) => self.collect_leaf(l, at, uses),
                Node::Branch(b) => {
                    uses.opaque.extend(b.reads.iter().map(|l| self.effects.locs.get(*l).sym));
                    b.arms.iter().for_each(|a| self.collect(a, at, uses));
                }
                Node::Loop(l) => {
                    let reads = l.access.reads.iter().chain(l.exit.iter().flat_map(|e| &e.2));
                    uses.opaque.extend(reads.map(|l| self.effects.locs.get(*l).sym));
                    let again = at.again;
                    if l.region && again.is_none() {
                        at.again = Some(at.loops.len());
                    }
                    at.loops.push((l.stmt.id, l.range.clone()));
                    self.collect(&l.body, at, uses);
                    at.loops.pop();
                    at.again = again;
                }
            }
        }
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
        // What undoes the statement, and an adjoint that uses its result, refer to the value that it assigns.
        let after = |s: &Stmt| (l.by_result || Some(s) == l.undo.as_ref()).then(|| &l.targets[0].0);
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
                    let scene = self.scene();
                    let unneeded = |e: &Expr| {
                        matches!(l.stmt.kind, StmtKind::Assign { .. })
                            && e.as_var().is_some_and(|d| uses.spare(&scene, d, at, changing))
                    };
                    l.unneeded = l.targets.iter().map(|(e, _)| e).filter(|e| unneeded(e)).cloned().collect();
                }
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.mark_unneeded(a, at, uses, changing)),
                Node::Loop(l) => {
                    let again = at.again;
                    if l.region && again.is_none() {
                        at.again = Some(at.loops.len());
                    }
                    at.loops.push((l.stmt.id, l.range.clone()));
                    self.mark_unneeded(&mut l.body, at, uses, changing);
                    at.loops.pop();
                    at.again = again;
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
                } else {
                    let number = at.number + usize::from(after == Some(x));
                    self.of.entry(d.sym).or_default().push((d.clone(), Place { number, ..at.clone() }));
                }
            }
        });
    }

    /// True when nothing that the backward sweep uses is lost by the assignment of `d`.
    fn spare(&self, scene: &Scene<'_>, d: &Designator, at: &Place, changing: &BTreeSet<SymId>) -> bool {
        if d.parts.is_empty() || !scene.plain_array(d.sym) || self.opaque.contains(&d.sym) {
            return false;
        }
        let uses = self.of.get(&d.sym).map_or(&[][..], Vec::as_slice);
        uses.iter().all(|(used, place)| unmet(scene, (d, at), (used, place), changing))
    }
}

/// True when the assignment of `d` meets no element of `used` that was used in the same iteration of all loops around
/// both or in an earlier one of one of them.
fn unmet(
    scene: &Scene<'_>,
    (d, at): (&Designator, &Place),
    (used, place): (&Designator, &Place),
    changing: &BTreeSet<SymId>,
) -> bool {
    let ranges: Vec<Range> = at.loops.iter().map(|l| l.1.clone()).collect();
    let (Some(target), Some((section, _))) = (scene.place(d, &ranges), scene.section(used)) else { return false };
    let common = at.loops.iter().zip(&place.loops).take_while(|(a, b)| a.0 == b.0).count();
    // At `level` the use is in an earlier iteration, in the loops outside of it in the same one.
    (0..=common).all(|level| {
        // What comes later in the text is used later, unless both run again together.
        if level == common && place.number > at.number && at.again.is_none_or(|k| common <= k) {
            return true;
        }
        let fixed: BTreeSet<SymId> =
            at.loops[..at.loops.len().min(level + 1).min(common)].iter().filter_map(|l| l.1.var).collect();
        let moves = |s: SymId| changing.contains(&s) && !fixed.contains(&s);
        let inner = place.loops[level..]
            .iter()
            .enumerate()
            .rev()
            .map(|(k, (_, r))| if k == 0 && level < common { r.earlier() } else { r.clone() });
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
