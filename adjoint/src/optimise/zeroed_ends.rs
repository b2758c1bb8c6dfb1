//! Loops and statements that set an array to zero though most of it is assigned again before it is used, by a gather over
//! all but its ends, say: only these ends are set.

use std::collections::BTreeMap;

use costate_analysis::affine::difference;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Designator, Expr, ExprKind, LoopControl, Part, Stmt, StmtKind, Subscript, SymId};

use super::statements::generated;
use crate::expressions::extreme;
use costate_analysis::sections::scene::Scene;
use costate_analysis::sections::{Facts, Section, Span, covered, holds};

/// The greatest width of an end.
const WIDTH: i64 = 8;

/// Arrays as a whole, those whose bounds are known.
pub(super) type Extents = BTreeMap<SymId, Section>;

/// The same for ends in the place of what sets a section to zero, of which only the ends may be used before they are
/// assigned again; elements for which `unused` holds aren't. `None` for other statements, and when more is used.
pub(super) fn ends(scene: &Scene<'_>, s: &Stmt, unused: &Facts, extents: &Extents) -> Option<Vec<Stmt>> {
    let mut vars = Vec::new();
    let target = zeroed(s, &mut vars)?;
    let section = covers(scene, s, target, extents)?;
    let mut left: Vec<Section> = Vec::new();
    for piece in unused.left(target.sym, &section) {
        let piece: Section = piece.iter().map(Span::short).collect();
        if !left.iter().any(|l| holds(l, &piece)) {
            left.retain(|l| !holds(&piece, l));
            left.push(piece);
        }
    }
    let whole = left.iter().any(|p| holds(p, &section));
    if whole
        || left.iter().any(|p| vars.iter().any(|v| p.iter().any(|span| span.mentions(*v))) || !p.iter().any(narrow))
    {
        return None;
    }
    let made: Vec<Stmt> = left.iter().map(|piece| limited_to(s, target, &section, piece)).collect::<Option<_>>()?;
    // Pieces may differ in how their limits are written only.
    (!made.iter().any(|m| same_loops(m, s))).then_some(made)
}

/// True for loops with the same headers.
fn same_loops(a: &Stmt, b: &Stmt) -> bool {
    match (&a.kind, &b.kind) {
        (StmtKind::Do { control: x, body: own, .. }, StmtKind::Do { control: y, body: other, .. }) => {
            x == y && own.iter().zip(other).all(|(a, b)| same_loops(a, b))
        }
        (a, b) => a == b,
    }
}

/// The element that loops set to zero, and nothing else, or the array that a statement does; notes the variables of the
/// loops.
fn zeroed<'s>(s: &'s Stmt, vars: &mut Vec<SymId>) -> Option<&'s Designator> {
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } if generated(s) && !s.is_region() => {
            let [only] = body.as_slice() else { return None };
            vars.push(*var);
            zeroed(only, vars)
        }
        StmtKind::Assign { lhs, rhs } if generated(s) && *rhs == Expr::zero(lhs.ty) => {
            let d = lhs.as_var()?;
            // Each loop runs over a dimension of its own.
            let over = |v: &SymId| d.subscripts().filter(|x| runs_over(x, *v)).count() == 1;
            let array = !vars.is_empty() || d.parts.is_empty();
            (array && vars.iter().all(over)).then_some(d)
        }
        _ => None,
    }
}

fn runs_over(s: &Subscript, var: SymId) -> bool {
    matches!(s, Subscript::Index(e) if e.as_var().is_some_and(|d| *d == Designator::whole(var)))
}

/// What the loops set, all of it.
fn covers(scene: &Scene<'_>, s: &Stmt, target: &Designator, extents: &Extents) -> Option<Section> {
    match &s.kind {
        StmtKind::Do { control, body, .. } => {
            covered(&covers(scene, body.first()?, target, extents)?, &scene.range_of(control, body))
        }
        _ if target.parts.is_empty() => extents.get(&target.sym).cloned(),
        _ => scene.section(target).filter(|s| s.1).map(|s| s.0),
    }
}

fn narrow(s: &Span) -> bool {
    s.first().any(|l| s.last().any(|h| difference(h, l).is_some_and(|d| d < WIDTH)))
}

/// What sets `piece` of the section that `s` sets.
fn limited_to(s: &Stmt, target: &Designator, section: &Section, piece: &Section) -> Option<Stmt> {
    let mut out = s.clone();
    match &mut out.kind {
        StmtKind::Do { control, body, parallel, .. } => {
            let LoopControl::Count { var, .. } = control else { return None };
            // A few iterations aren't worth threads.
            *parallel = parallel.take().filter(|p| p.on_device());
            let at = target.subscripts().position(|x| runs_over(x, *var))?;
            let (lo, hi) = limits(&piece[at])?;
            *control = LoopControl::Count { var: *var, lo, hi, step: None };
            *body = vec![limited_to(body.first()?, target, section, piece)?];
        }
        StmtKind::Assign { lhs, .. } if target.parts.is_empty() => {
            let along = |(all, part): (&Span, &Span)| {
                if all == part {
                    return Some(Subscript::Range { lo: None, hi: None, step: None });
                }
                let (lo, hi) = limits(part)?;
                Some(Subscript::Range { lo: Some(lo), hi: Some(hi), step: None })
            };
            let list = section.iter().zip(piece).map(along).collect::<Option<_>>()?;
            lhs.kind = ExprKind::Var(Designator { sym: target.sym, parts: vec![Part::Subscripts(list)] });
        }
        _ => {}
    }
    Some(out)
}

/// The first and the last index of a span, as an intrinsic function of several where there are.
fn limits(span: &Span) -> Option<(Expr, Expr)> {
    let lo = span.first().cloned().reduce(|a, b| extreme(Intrinsic::Max, a, b));
    let hi = span.last().cloned().reduce(|a, b| extreme(Intrinsic::Min, a, b));
    lo.zip(hi)
}
