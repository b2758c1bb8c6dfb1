//! An element of an array that a loop only adds to is summed in a scalar: compilers keep an array element in memory as
//! long as the array has other elements in the loop.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Designator, Dim, Expr, ExprKind, Role, Stmt, StmtKind, SymId, Ty, for_each_expr, map_expr};

use super::Reverse;
use super::flow::{Changes, Scene, calls};
use super::sections::{Range, Section, Span, holds};

impl Reverse<'_, '_> {
    /// Sums in scalars in the innermost loops of a block. `changes` is what the whole procedure changes.
    pub(super) fn sum_in_scalars(&mut self, block: &mut Vec<Stmt>, changes: &Changes) {
        let scene = self.scene();
        let shadows = self.b.shadow.values().chain(self.b.globals.values()).copied();
        let arrays = shadows.filter(|s| extents(&scene, *s).iter().flatten().all(|e| !scene.changed_in(changes, e)));
        let arrays: BTreeSet<SymId> = arrays.collect();
        self.sums_in(block, &arrays, &mut BTreeMap::new());
    }

    fn sums_in(&mut self, block: &mut Vec<Stmt>, arrays: &BTreeSet<SymId>, made: &mut BTreeMap<(Ty, usize), SymId>) {
        let mut out = Vec::new();
        for mut s in std::mem::take(block) {
            let range = match &s.kind {
                StmtKind::Do { control, body, .. } => Some(self.scene().range_of(control, body)),
                _ => None,
            };
            self.ranges.extend(range.clone());
            let sums = sums(&self.scene(), &s, &self.ranges, arrays);
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for (number, e) in sums.into_iter().enumerate() {
                let sym = *made.entry((e.ty, number)).or_insert_with(|| {
                    let base = format!("sum{}", self.b.naming.variable);
                    self.b.local(&base, e.ty, Vec::new())
                });
                let scalar = self.b.var(sym);
                replace(&mut s, &e, &scalar);
                before.push(self.b.assign(scalar.clone(), e.clone(), &s, Role::Adjoint));
                after.push(self.b.assign(e, scalar, &s, Role::Adjoint));
            }
            if before.is_empty() {
                s.blocks_mut().into_iter().for_each(|b| self.sums_in(b, arrays, made));
            }
            self.ranges.truncate(self.ranges.len() - usize::from(range.is_some()));
            if let Some(first) = before.first_mut() {
                first.leading = std::mem::take(&mut s.leading);
            }
            out.extend(before);
            out.push(s);
            out.extend(after);
        }
        *block = out;
    }
}

/// The elements that a loop of assignments adds to and that it uses in no other way.
fn sums(scene: &Scene<'_>, s: &Stmt, within: &[Range], arrays: &BTreeSet<SymId>) -> Vec<Expr> {
    let (StmtKind::Do { body, .. }, Some(range)) = (&s.kind, within.last()) else { return Vec::new() };
    if !body.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }) && !calls(s)) {
        return Vec::new();
    }
    let mut moving = assigned(body);
    moving.extend(range.var);
    let mut found: Vec<Expr> = Vec::new();
    for s in body {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { continue };
        let Some(d) = lhs.as_var() else { continue };
        let fixed = lhs.children().into_iter().all(|e| symbols(e).is_disjoint(&moving));
        let simple = lhs.rank == 0 && !d.parts.is_empty() && arrays.contains(&d.sym) && scene.plain_array(d.sym);
        if simple && fixed && mentions(rhs, lhs) && !found.contains(lhs) {
            found.push(lhs.clone());
        }
    }
    found.retain(|e| {
        e.as_var().is_some_and(|d| inside(scene, d, &within[..within.len() - 1]) && alone(scene, d, body, within))
    });
    found
}

fn mentions(e: &Expr, part: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| found |= x == part);
    found
}

/// True when every other reference to the array is surely to another element.
fn alone(scene: &Scene<'_>, d: &Designator, body: &[Stmt], within: &[Range]) -> bool {
    let mut fine = true;
    for s in body {
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Var(other) = &x.kind {
                    fine &= other.sym != d.sym || other == d || scene.apart(d, other, within);
                }
            });
        }
    }
    fine
}

/// True when the element surely exists, so that it may be referred to even if the loop has no iteration.
fn inside(scene: &Scene<'_>, d: &Designator, within: &[Range]) -> bool {
    let span = |[lo, hi]: &[Expr; 2]| {
        let (span, exact) = Span::between(lo, hi);
        exact.then_some(span)
    };
    let bounds: Option<Section> = extents(scene, d.sym).iter().map(span).collect();
    match (bounds, scene.place(d, within)) {
        (Some(bounds), Some(place)) => holds(&bounds, &place),
        _ => false,
    }
}

/// First and last index of each dimension, as far as they are given by expressions.
fn extents(scene: &Scene<'_>, sym: SymId) -> Vec<[Expr; 2]> {
    let Some(v) = scene.program.var(sym) else { return Vec::new() };
    let bounds = v.dims.iter().map_while(|dim| match dim {
        Dim::Explicit(lo, hi) => Some([lo.clone().unwrap_or_else(|| Expr::int(1)), hi.clone()]),
        _ => None,
    });
    bounds.collect()
}

fn replace(s: &mut Stmt, e: &Expr, by: &Expr) {
    let StmtKind::Do { body, .. } = &mut s.kind else { return };
    for s in body {
        if let StmtKind::Assign { lhs, rhs } = &mut s.kind {
            for side in [lhs, rhs] {
                *side = map_expr(side.clone(), &mut |x| if x == *e { by.clone() } else { x });
            }
        }
    }
}
