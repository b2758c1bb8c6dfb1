//! Which arrays keep their memory, so that they can stay on the device: assignments of whole allocatable arrays may give
//! these other memory, and don't where the shapes are the same.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Block, Designator, Dim, Expr, ExprKind, IfArm, Name, Part, Program, Role, Stmt, StmtKind, Subscript,
    SymId, for_each_expr, for_each_stmt,
};
use costate_grammar::operators::UnaryOp;

use super::Left;
use super::callees::allocated;
use super::code::is_fixed;
use super::place::{Place, statement};

/// What a block does with the memory of arrays.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// Local copies of other arrays that get their memory when they are assigned, with the array whose shape they have.
    pub(super) copies: BTreeMap<SymId, SymId>,
    /// Arrays that assignments may give other memory.
    pub(super) unsteady: BTreeSet<SymId>,
}

impl Memory {
    pub(super) fn of(place: &Place<'_>, left: Left<'_>, block: &[Stmt]) -> Memory {
        let program = &*place.program;
        let mut pairs = Vec::new();
        let (mut changed, mut assigned, mut restored) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for_each_stmt(block, &mut |s| {
            changed.extend(place.callees.touch(program, s).into_iter().flat_map(|t| t.allocated));
            match whole(program, s) {
                Some((_, rhs)) if rhs.rank == 0 => {}
                Some((to, rhs)) if conforms(place, to, rhs) => {}
                Some((to, rhs)) if is_of_shape(place, to, rhs) => {
                    restored.insert(to);
                }
                Some((to, rhs)) => match rhs.as_var().filter(|d| d.parts.is_empty()) {
                    Some(from) => {
                        assigned.insert(to);
                        pairs.push((to, from.sym));
                    }
                    None => {
                        assigned.insert(to);
                        changed.insert(to);
                    }
                },
                None => changed.extend(allocated(program, s).into_iter().filter(|x| !has_one_shape(place, *x))),
            }
        });
        let fresh = |x: &SymId| {
            let own = program[*x].scope == place.scope && !left(program, *x);
            own && program.var(*x).is_some_and(|v| v.attrs.allocatable && v.dummy.is_none() && !v.attrs.save)
        };
        let mut out = Memory::default();
        for group in groups(&pairs) {
            let given: Vec<SymId> = group.iter().copied().filter(|x| !(fresh(x) && assigned.contains(x))).collect();
            match given[..] {
                [one] if group.is_disjoint(&changed) => {
                    out.copies.extend(group.into_iter().filter(|x| *x != one).map(|x| (x, one)));
                }
                _ => out.unsteady.extend(group.intersection(&assigned)),
            }
        }
        out.unsteady.extend(assigned.union(&restored).filter(|x| changed.contains(x)));
        out
    }

    /// The assignment of a whole allocatable array that keeps its memory, as one of all of its elements.
    pub(super) fn steady(&self, program: &Program, s: &Stmt) -> Option<Stmt> {
        let (to, rhs) = whole(program, s)?;
        let StmtKind::Assign { lhs, .. } = &s.kind else { return None };
        if self.unsteady.contains(&to) {
            return None;
        }
        let all = vec![Subscript::Range { lo: None, hi: None, step: None }; usize::from(lhs.rank)];
        let lhs =
            Expr::new(ExprKind::Var(Designator { sym: to, parts: vec![Part::Subscripts(all)] }), lhs.ty, lhs.rank);
        Some(Stmt { kind: StmtKind::Assign { lhs, rhs: rhs.clone() }, ..s.clone() })
    }

    /// What gives memory to an array that is assigned, where it is a copy that has none yet.
    pub(super) fn first(&self, place: &mut Place<'_>, s: &Stmt) -> Option<(SymId, Stmt)> {
        let (to, _) = whole(place.program, s)?;
        let like = *self.copies.get(&to)?;
        let [object, mold] = [to, like].map(|x| variable(place.program, x));
        let items = vec![AllocItem { object, shape: Vec::new() }];
        let options = vec![(Name::new("mold"), mold)];
        let allocate = statement(place, s, StmtKind::Allocate { items, type_spec: None, options }, Role::Storage);
        Some((to, allocate))
    }
}

/// A branch for an array that has memory, or for one that has none.
pub(super) fn branch(place: &mut Place<'_>, sym: SymId, has_memory: bool, body: Block) -> Option<Stmt> {
    let from = body.first()?.clone();
    let asked = variable(place.program, sym).allocated();
    let ty = asked.ty;
    let cond = if has_memory { asked } else { Expr::new(ExprKind::Unary(UnaryOp::Not, Box::new(asked)), ty, 0) };
    let arms = vec![IfArm { cond, body }];
    Some(statement(place, &from, StmtKind::If { name: None, arms, otherwise: None, one_line: false }, Role::Storage))
}

/// A variable as a whole.
pub(super) fn variable(program: &Program, sym: SymId) -> Expr {
    match program.var(sym) {
        Some(v) => Expr::var(sym, v.ty, v.rank()),
        None => Expr::int(0),
    }
}

/// An assignment of a whole allocatable array.
fn whole<'s>(program: &Program, s: &'s Stmt) -> Option<(SymId, &'s Expr)> {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
    let d = lhs.as_var().filter(|d| d.parts.is_empty() && lhs.rank > 0)?;
    program.var(d.sym).is_some_and(|v| v.attrs.allocatable).then_some((d.sym, rhs))
}

/// True for an array that always has the same bounds when it has memory.
fn has_one_shape(place: &Place<'_>, sym: SymId) -> bool {
    let fixed = |e: &Expr| is_fixed(place.program, e);
    place.shapes.get(&sym).is_some_and(|shape| shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi])).all(fixed))
}

/// True where all arrays of an expression have the shape that an array is allocated with.
fn conforms(place: &Place<'_>, to: SymId, rhs: &Expr) -> bool {
    let Some(shape) = place.shapes.get(&to).filter(|_| has_one_shape(place, to)) else { return false };
    let extent = |lo: &Option<Expr>, hi: &Expr| (lo.clone().unwrap_or_else(|| Expr::int(1)), hi.clone());
    let wanted: Vec<(Expr, Expr)> = shape.iter().map(|(lo, hi)| extent(lo, hi)).collect();
    let mut fine = true;
    for_each_expr(rhs, &mut |x| {
        let ExprKind::Var(d) = &x.kind else {
            fine &= x.rank == 0 || !matches!(x.kind, ExprKind::Call { .. } | ExprKind::ArrayCtor { .. });
            return;
        };
        if x.rank == 0 {
            return;
        }
        let Some(v) = place.program.var(d.sym).filter(|_| d.parts.is_empty()) else {
            fine = false;
            return;
        };
        let known = place.shapes.get(&d.sym).filter(|_| v.attrs.allocatable);
        let has: Option<Vec<(Expr, Expr)>> = match known {
            Some(shape) => Some(shape.iter().map(|(lo, hi)| extent(lo, hi)).collect()),
            None => v
                .dims
                .iter()
                .map(|dim| if let Dim::Explicit(lo, hi) = dim { Some(extent(lo, hi)) } else { None })
                .collect(),
        };
        fine &= has.is_some_and(|h| h == wanted);
    });
    fine
}

/// True for a section of what was allocated with the extents of an array, as saves are.
fn is_of_shape(place: &Place<'_>, to: SymId, rhs: &Expr) -> bool {
    let Some(d) = rhs.as_var() else { return false };
    let ([Part::Subscripts(list)], Some(shape)) = (d.parts.as_slice(), place.shapes.get(&d.sym)) else { return false };
    let whole = variable(place.program, to);
    let mut k = 0;
    let mut fine = list.len() == shape.len();
    for (s, (lo, hi)) in list.iter().zip(shape) {
        match s {
            Subscript::Index(e) => fine &= e.rank == 0,
            Subscript::Range { lo: None, hi: None, step: None } => {
                k += 1;
                let extent = Expr::intrinsic(Intrinsic::Size, vec![whole.clone(), Expr::int(k)]);
                fine &= lo.is_none() && *hi == extent;
            }
            Subscript::Range { .. } => fine = false,
        }
    }
    fine && k == i64::from(whole.rank)
}

/// Arrays that assignments connect.
fn groups(pairs: &[(SymId, SymId)]) -> Vec<BTreeSet<SymId>> {
    let mut out: Vec<BTreeSet<SymId>> = Vec::new();
    for (a, b) in pairs {
        let mut one = BTreeSet::from([*a, *b]);
        out.retain(|g| {
            let apart = g.is_disjoint(&one);
            if !apart {
                one.extend(g);
            }
            apart
        });
        out.push(one);
    }
    out
}
