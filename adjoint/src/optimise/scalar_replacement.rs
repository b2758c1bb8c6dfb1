//! An element of a local array that an iteration of an innermost loop of the backward sweep assigns, and that nothing uses
//! after this iteration, stands in a scalar: it needn't go to memory (scalar replacement; Carr, Kennedy, Scalar replacement
//! in the presence of conditional control flow, 1994).

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::{assigned, changing};
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Expr, LoopControl, Role, Stmt, StmtId, StmtKind, SymId, for_each_stmt, map_expr};

use super::accumulators::alone;
use super::code::Code;
use super::zeroing::drop_unused_zeros;
use costate_analysis::sections::Range;
use costate_analysis::sections::scene::{Changes, Scene, calls};

/// Puts elements that one iteration uses in scalars, which are private.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, facts| {
        let scalars = code.contract(backward, &facts.changes);
        facts.private.extend(&scalars);
        code.made.extend(scalars);
    });
}

impl Code<'_, '_> {
    /// Puts such elements of the backward sweep in scalars, which are returned: they are used only where they are assigned
    /// before. `changes` is what the whole procedure changes.
    pub(super) fn contract(&mut self, backward: &mut [Stmt], changes: &Changes) -> BTreeSet<SymId> {
        let own = assigned(backward).into_iter().filter(|s| self.is_work_array(*s)).collect();
        let scene = self.b.scene();
        let mut candidates = Vec::new();
        innermost(&scene, backward, &mut Vec::new(), &mut |body, within| {
            candidates.push(elements(&scene, body, &own, within));
        });
        let arrays: BTreeSet<SymId> = candidates.iter().flatten().filter_map(|e| Some(e.as_var()?.sym)).collect();
        if arrays.is_empty() {
            return BTreeSet::new();
        }
        // An element is of no use after an iteration when it could as well be set to zero there.
        let mut trial = backward.to_vec();
        let marks = self.set_to_zero(&mut trial, &candidates);
        drop_unused_zeros(&self.b.scene(), &mut trial, &arrays, changes);
        let mut left = BTreeSet::new();
        for_each_stmt(&trial, &mut |s| left.extend(Some(s.id)));
        for (elements, marks) in candidates.iter_mut().zip(marks) {
            let mut gone = marks.into_iter().map(|m| !left.contains(&m));
            elements.retain(|_| gone.next() == Some(true));
        }
        self.stand_in_scalars(backward, candidates)
    }

    /// True for an array that is of no use after the procedure, and that nothing but its name reaches.
    fn is_work_array(&self, sym: SymId) -> bool {
        let fixed = self.b.program.var(sym).is_some_and(|v| !(v.attrs.allocatable || v.attrs.save));
        fixed && self.b.scene().plain_array(sym) && !self.b.outlives(sym)
    }

    /// Sets elements to zero at the end of the innermost loops' bodies, those of each loop. Returns the new statements.
    fn set_to_zero(&mut self, block: &mut [Stmt], elements: &[Vec<Expr>]) -> Vec<Vec<StmtId>> {
        let mut marks = Vec::new();
        let mut elements = elements.iter();
        innermost_mut(block, &mut |body| {
            let last = body.last().cloned();
            let zero = |e: &Expr| Some(self.b.assign(e.clone(), Expr::zero(e.ty), last.as_ref()?, Role::Adjoint));
            let zeros: Vec<Stmt> = elements.next().into_iter().flatten().filter_map(zero).collect();
            marks.push(zeros.iter().map(|z| z.id).collect());
            body.extend(zeros);
        });
        marks
    }

    /// Puts scalars in the place of elements, from where an iteration of the innermost loop assigns them. Returns them.
    fn stand_in_scalars(&mut self, block: &mut [Stmt], elements: Vec<Vec<Expr>>) -> BTreeSet<SymId> {
        let mut made: BTreeMap<(SymId, usize), SymId> = BTreeMap::new();
        let mut elements = elements.into_iter();
        innermost_mut(block, &mut |body| {
            let mut used: BTreeMap<SymId, usize> = BTreeMap::new();
            for element in elements.next().into_iter().flatten() {
                let Some(array) = element.as_var().map(|d| d.sym) else { continue };
                let number = used.entry(array).or_default();
                let scalar = *made.entry((array, *number)).or_insert_with(|| {
                    let base = format!("{}_here", self.b.program[array].name);
                    self.b.local(&base, element.ty, Vec::new())
                });
                *number += 1;
                stand_in(body, &element, &self.b.var(scalar));
            }
        });
        made.into_values().collect()
    }
}

fn stand_in(body: &mut [Stmt], element: &Expr, scalar: &Expr) {
    let mut assigned = false;
    for s in body {
        let StmtKind::Assign { lhs, rhs } = &mut s.kind else { continue };
        let assigns = lhs == element;
        for e in [rhs, &mut *lhs].into_iter().filter(|_| assigned) {
            *e = map_expr(e.clone(), &mut |x| if x == *element { scalar.clone() } else { x });
        }
        if assigns {
            *lhs = scalar.clone();
            assigned = true;
        }
    }
}

/// Shows the bodies of innermost loops that only assign, with the ranges of the loops around them.
fn innermost(scene: &Scene<'_>, block: &[Stmt], within: &mut Vec<Range>, then: &mut impl FnMut(&[Stmt], &[Range])) {
    for s in block {
        match &s.kind {
            // A directive governs the loop as it stands.
            _ if s.is_region() => {}
            StmtKind::Do { control, body, .. } => {
                within.push(scene.range_of(control, body));
                if only_assigns(control, body) {
                    then(body, within)
                } else {
                    innermost(scene, body, within, then)
                }
                within.pop();
            }
            _ => s.blocks().into_iter().for_each(|b| innermost(scene, b, within, then)),
        }
    }
}

/// The same bodies in the same order, to be changed.
fn innermost_mut(block: &mut [Stmt], then: &mut impl FnMut(&mut Vec<Stmt>)) {
    for s in block {
        if s.is_region() {
            continue;
        }
        match &mut s.kind {
            StmtKind::Do { control, body, .. } if only_assigns(control, body) => then(body),
            _ => s.blocks_mut().into_iter().for_each(|b| innermost_mut(b, then)),
        }
    }
}

fn only_assigns(control: &LoopControl, body: &[Stmt]) -> bool {
    matches!(control, LoopControl::Count { .. })
        && body.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }) && !calls(s))
}

/// The elements that an iteration assigns and that all its other references to the array are surely apart from.
fn elements(scene: &Scene<'_>, body: &[Stmt], own: &BTreeSet<SymId>, within: &[Range]) -> Vec<Expr> {
    let moving = changing(scene.program, body);
    let mut out: Vec<Expr> = Vec::new();
    for s in body {
        let StmtKind::Assign { lhs, .. } = &s.kind else { continue };
        let Some(d) = lhs.as_var().filter(|d| own.contains(&d.sym) && lhs.rank == 0) else { continue };
        let fixed = lhs.children().into_iter().all(|e| symbols(e).is_disjoint(&moving));
        let exact = scene.section(d).is_some_and(|s| s.1);
        if fixed && exact && !out.contains(lhs) && alone(scene, d, body, within) {
            out.push(lhs.clone());
        }
    }
    out
}
