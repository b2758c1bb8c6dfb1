//! Dummies whose lower bounds aren't those of what stands for them: they are counted from 1 in the statements of their
//! procedure, as sections are.

use std::collections::BTreeMap;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Callee, Dim, Expr, ExprKind, Part, Program, StmtKind, Subscript, SymId, Variable, for_each_expr,
    for_each_stmt, map_expr,
};
use costate_grammar::operators::BinaryOp;

use crate::affine::{count, minus, plus};

/// A dummy array with lower bounds of 1, and the bounds that it had; none where all are 1, or aren't known.
pub(super) fn from_one(v: &Variable) -> Option<(Variable, Vec<Expr>)> {
    let mut out = v.clone();
    let mut lower = Vec::new();
    for dim in &mut out.dims {
        let (lo, counted) = match dim {
            Dim::Explicit(lo, hi) => (lo.clone(), Dim::Explicit(None, shifted(hi, lo.as_ref()))),
            Dim::Assumed(lo) => (lo.clone(), Dim::Assumed(None)),
            Dim::AssumedSize(lo) => (lo.clone(), Dim::AssumedSize(None)),
            Dim::Deferred | Dim::AssumedRank => return None,
        };
        *dim = counted;
        lower.push(lo.unwrap_or(Expr::int(1)));
    }
    lower.iter().any(|e| e.as_int() != Some(1)).then_some((out, lower))
}

/// A subscript of an array with this lower bound, counted from 1.
fn shifted(subscript: &Expr, lower: Option<&Expr>) -> Expr {
    lower.map_or(subscript.clone(), |lo| count(lo, subscript))
}

/// Has statements count dummies from 1; nothing where they ask for all their bounds at once.
pub(super) fn count_from_one(program: &Program, counted: &BTreeMap<SymId, Vec<Expr>>, body: &mut Block) -> Option<()> {
    if counted.is_empty() {
        return Some(());
    }
    let mut asks = false;
    for_each_stmt(body, &mut |s| {
        // What is read and written is kept as text.
        if let StmtKind::Io { text, .. } = &s.kind {
            let text = text.to_ascii_lowercase();
            asks |= counted.keys().any(|s| text.contains(program[*s].name.as_str()));
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Lbound | Intrinsic::Ubound), args } =
                    &e.kind
                {
                    let of = args.first().and_then(|a| a.value.as_var()).filter(|d| d.parts.is_empty());
                    let one = args.get(1).is_some_and(|a| a.value.as_int().is_some()) && args.len() == 2;
                    asks |= of.is_some_and(|d| counted.contains_key(&d.sym)) && !one;
                }
            });
        }
    });
    if asks {
        return None;
    }
    renumber(counted, body);
    Some(())
}

fn renumber(counted: &BTreeMap<SymId, Vec<Expr>>, block: &mut Block) {
    for s in block {
        s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut |x| counted_reference(counted, x)));
        s.blocks_mut().into_iter().for_each(|b| renumber(counted, b));
    }
}

fn counted_reference(counted: &BTreeMap<SymId, Vec<Expr>>, mut e: Expr) -> Expr {
    if let Some(bound) = bound(counted, &e) {
        return bound;
    }
    let ExprKind::Var(d) = &mut e.kind else { return e };
    let Some(lower) = counted.get(&d.sym) else { return e };
    if let Some(Part::Subscripts(list)) = d.parts.first_mut() {
        for (s, lo) in list.iter_mut().zip(lower) {
            match s {
                Subscript::Index(e) => *e = shifted(e, Some(lo)),
                Subscript::Range { lo: from, hi, .. } => {
                    [from, hi].into_iter().flatten().for_each(|e| *e = shifted(e, Some(lo)));
                }
            }
        }
    }
    e
}

/// One of the bounds that a dummy has in its procedure: those of a dimension without elements are 1 and 0 (F2018 16.9.109).
fn bound(counted: &BTreeMap<SymId, Vec<Expr>>, e: &Expr) -> Option<Expr> {
    let ExprKind::Call { callee: Callee::Intrinsic(f @ (Intrinsic::Lbound | Intrinsic::Ubound)), args } = &e.kind
    else {
        return None;
    };
    let of = args.first()?.value.as_var().filter(|d| d.parts.is_empty())?;
    let lower = counted.get(&of.sym)?.get(usize::try_from(args.get(1)?.value.as_int()? - 1).ok()?)?;
    let extent = Expr::intrinsic(Intrinsic::Size, args.iter().map(|a| a.value.clone()).collect());
    let (there, empty) = match f {
        Intrinsic::Lbound => (lower.clone(), 1),
        _ => (plus(&extent, &minus(lower, &Expr::int(1))), 0),
    };
    let some = Expr::binary(BinaryOp::Gt, extent, Expr::int(0));
    Some(Expr::intrinsic(Intrinsic::Merge, vec![there, Expr::int(empty), some]))
}
