//! How long an iteration of a loop takes at least, since it waits for what the one before it computes: sums that may not be
//! rearranged, recurrences, substitution in triangular systems. Such a loop takes the latencies of the operations on the way
//! from a value to the one of the next iteration, however much else a processor could do at a time.

use std::collections::BTreeMap;

use costate_analysis::affine::difference;
use costate_analysis::loops::{slope, step_sign};
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Callee, Designator, Expr, ExprKind, LoopControl, Stmt, StmtKind, Subscript, SymId, for_each_expr,
};
use costate_grammar::operators::BinaryOp;

/// Nanoseconds until a result can be used, as those of [`super::cost`] for many operations at a time.
const SIMPLE: f64 = 1.3;
const DIVISION: f64 = 4.5;
const ROOT: f64 = 6.0;
const FUNCTION: f64 = 12.0;
const POWER: f64 = 25.0;

/// Of more carried values than this the first ones count.
const MOST: usize = 12;

/// A value that an iteration computes and a later one reads.
struct Carried<'a> {
    written: &'a Designator,
    read: &'a Designator,
    /// How many iterations later.
    distance: f64,
}

/// Values that depend on a carried one, by variables, and when they are there.
type Times<'a> = BTreeMap<SymId, Vec<(&'a Designator, f64)>>;

/// When a value is there.
fn known(times: &Times<'_>, d: &Designator) -> Option<f64> {
    times.get(&d.sym)?.iter().find(|(known, _)| *known == d).map(|(_, t)| *t)
}

/// The least time of an iteration of an innermost loop that assigns values only; 0 for others.
pub(super) fn carried(control: &LoopControl, body: &[Stmt]) -> f64 {
    let mut assignments = Vec::new();
    if !plain(body, &mut assignments) {
        return 0.0;
    }
    let (var, sign) = match control {
        LoopControl::Count { var, step, .. } => (Some(*var), step_sign(step.as_ref()).unwrap_or(0)),
        LoopControl::While(_) | LoopControl::Forever => (None, 0),
        LoopControl::Concurrent { .. } => return 0.0,
    };
    let all = carried_values(&assignments, var, sign);
    let mut times = Vec::new();
    for c in &all {
        let mut reached = Times::from([(c.read.sym, vec![(c.read, 0.0)])]);
        follow(body, &mut reached);
        times.push(reached);
    }
    let time = |from: usize, to: usize| known(&times[from], all[to].written).filter(|t| *t > 0.0);
    let mut most = 0.0f64;
    for (i, c) in all.iter().enumerate() {
        most = most.max(time(i, i).unwrap_or(0.0) / c.distance);
        // One from the other, and back.
        for (j, other) in all.iter().enumerate().skip(i + 1) {
            if let (Some(there), Some(back)) = (time(i, j), time(j, i)) {
                most = most.max((there + back) / (c.distance + other.distance));
            }
        }
    }
    most
}

/// The values that iterations compute for later ones, as far as they count.
fn carried_values<'a>(assignments: &[(&'a Designator, &'a Expr)], var: Option<SymId>, sign: i64) -> Vec<Carried<'a>> {
    // References to other variables are never the same value.
    let mut reads: BTreeMap<SymId, Vec<&'a Designator>> = BTreeMap::new();
    for (_, rhs) in assignments {
        for_each_expr(rhs, &mut |e| {
            if let Some(d) = e.as_var() {
                add(reads.entry(d.sym).or_default(), d);
            }
        });
    }
    let mut writes: BTreeMap<SymId, Vec<&'a Designator>> = BTreeMap::new();
    let mut all = Vec::new();
    for (written, _) in assignments {
        if !add(writes.entry(written.sym).or_default(), written) {
            continue;
        }
        for read in reads.get(&written.sym).into_iter().flatten() {
            if all.len() == MOST {
                return all;
            }
            all.extend(distance(written, read, var, sign).map(|distance| Carried { written, read, distance }));
        }
    }
    all
}

/// Adds a reference to a list; false where it is there.
fn add<'a>(list: &mut Vec<&'a Designator>, d: &'a Designator) -> bool {
    let new = !list.contains(&d);
    if new {
        list.push(d);
    }
    new
}

/// Collects the real scalars and elements that are assigned; false where there is anything else than assignments and
/// branches.
fn plain<'a>(body: &'a [Stmt], out: &mut Vec<(&'a Designator, &'a Expr)>) -> bool {
    body.iter().all(|s| match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            if let (0, Base::Real | Base::Complex, Some(d)) = (lhs.rank, lhs.ty.base, lhs.as_var()) {
                out.push((d, rhs));
            }
            lhs.rank == 0
        }
        StmtKind::If { arms, otherwise, .. } => {
            arms.iter().map(|a| &a.body).chain(otherwise).all(|block| plain(block, out))
        }
        StmtKind::Comment(_) | StmtKind::Continue | StmtKind::Exit(_) => true,
        _ => false,
    })
}

/// How many iterations after it was written a value is read; none where it isn't, or that isn't known.
fn distance(written: &Designator, read: &Designator, var: Option<SymId>, sign: i64) -> Option<f64> {
    if written.sym != read.sym || written.path() != read.path() {
        return None;
    }
    if written == read {
        let moves = |s: &Subscript| matches!(s, Subscript::Index(e) if var.is_some_and(|v| symbols(e).contains(&v)));
        return (!written.subscripts().any(moves)).then_some(1.0);
    }
    let mut apart = None;
    for (w, r) in written.subscripts().zip(read.subscripts()) {
        let (Subscript::Index(w), Subscript::Index(r)) = (w, r) else { return None };
        if w == r {
            continue;
        }
        let by = difference(w, r)?.checked_mul(slope(w, var?)?)?.checked_mul(sign)?;
        if by <= 0 || apart.is_some() {
            return None;
        }
        apart = Some(by as f64);
    }
    apart
}

/// Goes through statements, and notes when what they assign is there.
fn follow<'a>(body: &'a [Stmt], times: &mut Times<'a>) {
    for s in body {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let Some(d) = lhs.as_var() else { continue };
                let at = latency(rhs, times);
                if at.is_some() || times.contains_key(&d.sym) {
                    let own = times.entry(d.sym).or_default();
                    own.retain(|(known, _)| *known != d);
                    own.extend(at.map(|t| (d, t)));
                }
            }
            StmtKind::If { arms, otherwise, .. } => {
                let before = times.clone();
                for block in arms.iter().map(|a| &a.body).chain(otherwise) {
                    let mut inside = before.clone();
                    follow(block, &mut inside);
                    for (d, t) in inside.into_values().flatten() {
                        let own = times.entry(d.sym).or_default();
                        match own.iter_mut().find(|(known, _)| *known == d) {
                            Some((_, known)) => *known = known.max(t),
                            None => own.push((d, t)),
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// When a value is there; none where it depends on nothing that it has to wait for.
fn latency(e: &Expr, times: &Times<'_>) -> Option<f64> {
    if let ExprKind::Var(d) = &e.kind {
        return known(times, d);
    }
    let last = e.children().into_iter().filter_map(|c| latency(c, times)).reduce(f64::max)?;
    Some(last + own(e))
}

fn own(e: &Expr) -> f64 {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Div, ..) => DIVISION,
        ExprKind::Binary(BinaryOp::Pow, _, b) if b.as_int().is_none() => POWER,
        ExprKind::Binary(..) => SIMPLE,
        ExprKind::Call { callee: Callee::Intrinsic(f), .. } => match f.generic() {
            Intrinsic::Abs | Intrinsic::Max | Intrinsic::Min | Intrinsic::Sign | Intrinsic::Merge => SIMPLE,
            Intrinsic::Real | Intrinsic::Dble => 0.0,
            Intrinsic::Sqrt => ROOT,
            _ => FUNCTION,
        },
        _ => 0.0,
    }
}
