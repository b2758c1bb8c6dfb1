//! An element of an array that a loop only adds to is summed in a scalar: compilers keep an array element in memory as
//! long as the array has other elements in the loop.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::changing;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{Designator, Dim, Expr, ExprKind, Role, Stmt, StmtKind, SymId, Ty, for_each_expr, map_expr};
use costate_grammar::operators::BinaryOp;

use super::code::Code;
use costate_analysis::sections::scene::{Changes, Scene, calls};
use costate_analysis::sections::{Range, Section, Span, holds};

/// Sums in scalars in the innermost loops of the backward sweep. The scalars are private.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, facts| {
        let scalars = code.sum_in_scalars(backward, &facts.changes);
        facts.private.extend(scalars);
    });
}

impl Code<'_, '_> {
    /// Sums in scalars in the innermost loops of a block. `changes` is what the whole procedure changes. Returns the
    /// scalars, which are used only where they are assigned before.
    pub(super) fn sum_in_scalars(&mut self, block: &mut Vec<Stmt>, changes: &Changes) -> BTreeSet<SymId> {
        let scene = self.b.scene();
        let shadows = self.b.shadow.values().chain(self.b.globals.values()).copied();
        let arrays = shadows.filter(|s| extents(&scene, *s).iter().flatten().all(|e| !scene.changed_in(changes, e)));
        let arrays: BTreeSet<SymId> = arrays.collect();
        let mut made = BTreeMap::new();
        self.sums_in(block, &arrays, &mut made, &mut Vec::new());
        made.into_values().collect()
    }

    /// The same in a block; `within` are the ranges of the loops around it, outermost first.
    fn sums_in(
        &mut self,
        block: &mut Vec<Stmt>,
        arrays: &BTreeSet<SymId>,
        made: &mut BTreeMap<(Ty, usize), SymId>,
        within: &mut Vec<Range>,
    ) {
        let mut out = Vec::new();
        for mut s in std::mem::take(block) {
            if s.is_region() {
                out.push(s);
                continue;
            }
            let range = match &s.kind {
                StmtKind::Do { control, body, .. } => Some(self.b.scene().range_of(control, body)),
                _ => None,
            };
            within.extend(range.clone());
            let sums = sums(&self.b.scene(), &s, within, arrays);
            let (mut before, mut after) = (Vec::new(), Vec::new());
            for (number, Sum { element: e, added }) in sums.into_iter().enumerate() {
                let sym = *made.entry((e.ty, number)).or_insert_with(|| {
                    let base = format!("sum{}", self.b.naming.variable);
                    self.b.local(&base, e.ty, Vec::new())
                });
                let scalar = self.b.var(sym);
                replace(&mut s, &e, &scalar);
                let (start, end) = if added {
                    (Expr::zero(e.ty), Expr::binary(BinaryOp::Add, e.clone(), scalar.clone()))
                } else {
                    (e.clone(), scalar.clone())
                };
                before.push(self.b.assign(scalar, start, &s, Role::Adjoint));
                after.push(self.b.assign(e, end, &s, Role::Adjoint));
            }
            if before.is_empty() {
                s.blocks_mut().into_iter().for_each(|b| self.sums_in(b, arrays, made, within));
            }
            within.truncate(within.len() - usize::from(range.is_some()));
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

/// An element that a loop of assignments only adds to.
struct Sum {
    element: Expr,
    /// All references in the loop that may be to this element add to it, so that the sum begins at zero. Else no other
    /// reference is to it.
    added: bool,
}

/// The elements that a loop of assignments adds to and that it uses in no other way.
fn sums(scene: &Scene<'_>, s: &Stmt, within: &[Range], arrays: &BTreeSet<SymId>) -> Vec<Sum> {
    let (StmtKind::Do { body, .. }, Some(range)) = (&s.kind, within.last()) else { return Vec::new() };
    if !body.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }) && !calls(s)) {
        return Vec::new();
    }
    let mut moving = changing(scene.program, body);
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
    let sum = |element: Expr| {
        let d = element.as_var().filter(|d| inside(scene, d, &within[..within.len() - 1]))?;
        let added = only_added_to(scene, d, body, within);
        (added || alone(scene, d, body, within)).then_some(Sum { element, added })
    };
    found.into_iter().filter_map(sum).collect()
}

/// True when every reference that may be to the element is that of a statement that adds to it.
fn only_added_to(scene: &Scene<'_>, d: &Designator, body: &[Stmt], within: &[Range]) -> bool {
    let clear = |e: &Expr| {
        let mut fine = true;
        for_each_expr(e, &mut |x| {
            fine &= x.as_var().is_none_or(|other| other.sym != d.sym || scene.apart(d, other, within));
        });
        fine
    };
    body.iter().all(|s| {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return false };
        if clear(lhs) {
            return clear(rhs);
        }
        let (mut first, mut fine) = (rhs, lhs.children().into_iter().all(clear));
        while let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = &first.kind {
            fine &= clear(b);
            first = a;
        }
        fine && first == lhs
    })
}

pub(super) fn mentions(e: &Expr, part: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| found |= x == part);
    found
}

/// True when every other reference to the array is surely to another element.
pub(super) fn alone(scene: &Scene<'_>, d: &Designator, body: &[Stmt], within: &[Range]) -> bool {
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
pub(super) fn extents(scene: &Scene<'_>, sym: SymId) -> Vec<[Expr; 2]> {
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
