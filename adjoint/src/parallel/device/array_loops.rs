//! Assignments of arrays on the device.

use std::collections::BTreeSet;

use costate_analysis::affine::{difference, minus, plus};
use costate_analysis::dependence::residues_differ;
use costate_grammar::directives::parse;
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Callee, Designator, Dim, Expr, ExprKind, LoopControl, LoopDirective, Origin, Part, Program, Role, Stmt, StmtKind,
    Subscript, SymId, Ty, for_each_expr, for_each_stmt, map_expr,
};
use costate_grammar::lines::Sentinel;

use super::code::{is_fixed, values};
use super::place::{Place, index, statement};

/// True for an assignment that may become loops for the device.
pub(super) fn is_candidate(s: &Stmt, resident: &BTreeSet<SymId>) -> bool {
    match &s.kind {
        StmtKind::Assign { lhs, .. } => lhs.rank > 0 && lhs.as_var().is_some_and(|d| resident.contains(&d.sym)),
        _ => false,
    }
}

/// The assignment of an array as loops over its elements that run on the device; `None` where that can't be. `indices` are
/// variables of loops to be used again.
pub(super) fn for_device(
    place: &mut Place<'_>,
    s: &Stmt,
    resident: &BTreeSet<SymId>,
    indices: &mut Vec<SymId>,
) -> Option<Stmt> {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
    let d = lhs.as_var().filter(|d| resident.contains(&d.sym))?;
    if lhs.rank == 0 || !stays(place.program, lhs, resident) || !stays(place.program, rhs, resident) {
        return None;
    }
    let whole = d.parts.is_empty() && place.program.var(d.sym)?.attrs.allocatable;
    if whole || !apart(lhs, rhs) {
        return None;
    }
    let spans = spans(place, d)?;
    while indices.len() < spans.len() {
        indices.push(index(place, "at"));
    }
    let over: Vec<(SymId, Expr)> = indices.iter().copied().zip(spans.iter().map(|s| s.0.clone())).collect();
    let body = [lhs, rhs].map(|e| element(place, e, &over));
    let [Some(to), Some(from)] = body else { return None };
    let mut inner = statement(place, s, StmtKind::Assign { lhs: to, rhs: from }, Role::Adjoint);
    for (k, (lo, hi)) in spans.iter().enumerate() {
        let control = LoopControl::Count { var: indices[k], lo: lo.clone(), hi: hi.clone(), step: None };
        inner = statement(place, s, StmtKind::repeat(control, vec![inner]), Role::Adjoint);
    }
    let collapse = if spans.len() > 1 { format!(" collapse({})", spans.len()) } else { String::new() };
    let text = format!(
        "{}{}{collapse}",
        ["parallel loop", "target teams distribute parallel do"][omp(place)],
        data(place, std::slice::from_ref(s), &[d.sym])
    );
    let directive = parse(place.sentinel, &text, s.origin.span()).ok()?;
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Layout };
    inner.share_out(LoopDirective { leading: s.leading.clone(), ..LoopDirective::new(directive, origin) });
    inner.trailing.clone_from(&s.trailing);
    Some(inner)
}

fn omp(place: &Place<'_>) -> usize {
    usize::from(place.sentinel != Sentinel::Acc)
}

/// The clauses for what assignments use.
pub(super) fn data(place: &Place<'_>, stmts: &[Stmt], to: &[SymId]) -> String {
    let mut read = BTreeSet::new();
    for_each_stmt(stmts, &mut |s| s.exprs().into_iter().for_each(|e| values(e, &mut read)));
    let array = |x: &SymId| !to.contains(x) && place.program.var(*x).is_some_and(|v| v.rank() > 0);
    let read: Vec<SymId> = read.into_iter().filter(array).collect();
    let [copyin, copy] = [["copyin(", "map(to: "], ["copy(", "map(tofrom: "]].map(|c| c[omp(place)]);
    let first = if read.is_empty() { String::new() } else { format!(" {copyin}{})", place.list(&read)) };
    format!("{first} {copy}{})", place.list(to))
}

/// True for an expression of resident arrays, scalars, and intrinsic functions of elements.
pub(super) fn stays(program: &Program, e: &Expr, resident: &BTreeSet<SymId>) -> bool {
    let mut fine = true;
    for_each_expr(e, &mut |x| {
        fine &= match &x.kind {
            ExprKind::Var(d) => {
                let v = program.var(d.sym);
                let scalar = v.is_some_and(|v| {
                    v.rank() == 0 && v.ty.derived().is_none() && d.parts.is_empty() && !v.attrs.allocatable
                });
                let sections = matches!(d.parts.as_slice(), [] | [Part::Subscripts(_)]);
                scalar || resident.contains(&d.sym) && sections
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => match f.class() {
                Class::Elemental => true,
                Class::Inquiry => args.iter().all(|a| a.value.rank == 0 || a.value.as_var().is_some()),
                _ => false,
            },
            ExprKind::Int { .. } | ExprKind::Real { .. } | ExprKind::Logical { .. } => true,
            ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Paren(_) => true,
            _ => false,
        };
    });
    fine
}

/// True where no element that is assigned is read for another one.
fn apart(lhs: &Expr, rhs: &Expr) -> bool {
    let Some(to) = lhs.as_var() else { return false };
    let mut fine = true;
    for_each_expr(rhs, &mut |x| {
        if let Some(d) = x.as_var().filter(|d| d.sym == to.sym) {
            let pairs = to.subscripts().zip(d.subscripts());
            let other = pairs.into_iter().any(|p| match p {
                (Subscript::Index(a), Subscript::Index(b)) => {
                    difference(a, b).is_some_and(|k| k != 0) || residues_differ(a, b)
                }
                _ => false,
            });
            fine &= d == to || other;
        }
    });
    fine
}

/// The first and the last index of each range of a reference.
fn spans(place: &Place<'_>, d: &Designator) -> Option<Vec<(Expr, Expr)>> {
    let v = place.program.var(d.sym)?;
    let list: Vec<Subscript> = match d.parts.as_slice() {
        [] => vec![Subscript::Range { lo: None, hi: None, step: None }; usize::from(v.rank())],
        [Part::Subscripts(list)] => list.clone(),
        _ => return None,
    };
    let mut out = Vec::new();
    for (k, s) in list.iter().enumerate() {
        match s {
            Subscript::Index(e) if e.rank == 0 => {}
            Subscript::Range { lo, hi, step: None } => {
                let [first, last] = bounds(place, d.sym, k)?;
                out.push((lo.clone().unwrap_or(first), hi.clone().unwrap_or(last)));
            }
            _ => return None,
        }
    }
    Some(out)
}

/// The bounds of a dimension: as declared, where that is what they are all through the procedure.
fn bounds(place: &Place<'_>, sym: SymId, k: usize) -> Option<[Expr; 2]> {
    let program = &*place.program;
    let sym = place.copies.get(&sym).copied().unwrap_or(sym);
    let v = program.var(sym)?;
    let fixed = |e: &Expr| is_fixed(program, e);
    let whole = Expr::var(sym, v.ty, v.rank());
    let asked = |f| Expr::intrinsic(f, vec![whole.clone(), Expr::int(k as i64 + 1)]);
    let declared = |lo: &Option<Expr>, hi: &Expr| {
        let first = lo.clone().filter(fixed).or(lo.is_none().then(|| Expr::int(1)));
        [
            first.unwrap_or_else(|| asked(Intrinsic::Lbound)),
            if fixed(hi) { hi.clone() } else { asked(Intrinsic::Ubound) },
        ]
    };
    Some(match (v.dims.get(k)?, place.shapes.get(&sym).and_then(|s| s.get(k))) {
        (Dim::Explicit(lo, hi), _) => declared(lo, hi),
        (Dim::Assumed(lo), _) => declared(lo, &asked(Intrinsic::Ubound)),
        (_, Some((lo, hi))) if v.dummy.is_none() => declared(lo, hi),
        _ => [asked(Intrinsic::Lbound), asked(Intrinsic::Ubound)],
    })
}

/// An expression at one element: `over` are the variables of the loops with the first index of what is assigned.
fn element(place: &Place<'_>, e: &Expr, over: &[(SymId, Expr)]) -> Option<Expr> {
    let mut fine = true;
    let out = map_expr(e.clone(), &mut |x| {
        let ExprKind::Var(d) = &x.kind else {
            let inquiry =
                matches!(&x.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if f.class() == Class::Inquiry);
            fine &= !(inquiry && x.rank > 0);
            return if inquiry { x } else { Expr { rank: 0, ..x } };
        };
        if x.rank == 0 {
            return x;
        }
        match at(place, d, over) {
            Some(d) => Expr::new(ExprKind::Var(d), x.ty, 0),
            None => {
                fine = false;
                x
            }
        }
    });
    fine.then_some(out)
}

fn at(place: &Place<'_>, d: &Designator, over: &[(SymId, Expr)]) -> Option<Designator> {
    let starts = spans(place, d)?;
    if starts.len() != over.len() {
        return None;
    }
    let mut moved = starts.into_iter().zip(over).map(|((lo, _), (var, first))| {
        let var = Expr::var(*var, Ty::INTEGER, 0);
        Subscript::Index(match difference(&lo, first) {
            Some(0) => var,
            Some(by) => plus(&var, &Expr::int(by)),
            None => plus(&var, &minus(&lo, first)),
        })
    });
    let list = match d.parts.as_slice() {
        [Part::Subscripts(list)] => list
            .iter()
            .map(|s| match s {
                Subscript::Index(_) => Some(s.clone()),
                Subscript::Range { .. } => moved.next(),
            })
            .collect::<Option<Vec<_>>>()?,
        _ => moved.collect(),
    };
    Some(Designator { sym: d.sym, parts: vec![Part::Subscripts(list)] })
}
