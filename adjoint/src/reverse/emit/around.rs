//! The loops around a statement, and what can be kept for every iteration of them.

use std::collections::BTreeSet;

use costate_analysis::dependence::segments::Iterations;
use costate_analysis::effects::Effects;
use costate_analysis::loops::{slope, step_sign, substitute};
use costate_analysis::sections::Span;
use costate_analysis::sections::scene::Scene;
use costate_analysis::storage::{Loc, Root, canonical, resolve, symbols};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Callee, Dim, Expr, ExprKind, LoopControl, Name, Part, Program, Stmt, StmtId, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};

/// A loop around the statement that is being saved for.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    /// The variable; `None` when the trip count isn't known beforehand.
    pub var: Option<SymId>,
    /// First value, limit and step.
    pub lo: Expr,
    /// Limit.
    pub hi: Expr,
    /// Step.
    pub step: Option<Expr>,
    /// What is assigned inside the loop: variables with the components on the way.
    pub places: BTreeSet<(SymId, Vec<Name>)>,
    /// Allocatable variables that have memory before the loop and keep it, with its shape.
    pub steady: BTreeSet<SymId>,
    /// What its iterations save for a tape is collected in arrays, which go there when it has ended.
    pub collects: bool,
    /// It may end before its limit, which may be far above the iterations there are.
    pub exits: bool,
    /// Threads may share out its iterations; it is this one.
    pub shared: Option<StmtId>,
}

impl Around {
    /// A loop of unknown trip count, in which values go to the tape.
    pub(in crate::reverse) fn unknown(name: Option<&Name>) -> Around {
        let (places, steady) = Default::default();
        Around {
            var: None,
            lo: Expr::int(1),
            hi: crate::plan::open_count(name),
            step: None,
            places,
            steady,
            collects: false,
            exits: false,
            shared: None,
        }
    }
}

impl Around {
    /// True for a variable that is assigned inside the loop, or a part of which is.
    pub(in crate::reverse) fn assigns(&self, sym: SymId) -> bool {
        self.places.iter().any(|p| p.0 == sym)
    }

    /// True for a value that may be another one after some iterations than before the loop.
    fn moves(&self, program: &Program, e: &Expr) -> bool {
        let used = valued(program, e, &self.steady);
        let mut moves = false;
        for_each_expr(e, &mut |x| {
            let ExprKind::Var(d) = &x.kind else { return };
            let path = canonical(program, d.sym, &d.path());
            let meets = |(_, p): &&(SymId, Vec<Name>)| p.starts_with(&path) || path.starts_with(p);
            moves |= used.contains(&d.sym) && self.places.iter().filter(|(s, _)| *s == d.sym).any(|p| meets(&p));
        });
        moves
    }
}

/// What a block assigns, and what else is written: variables with the components on the way.
pub(in crate::reverse) fn places<'l>(
    program: &Program,
    body: &[Stmt],
    writes: impl Iterator<Item = &'l Loc>,
) -> BTreeSet<(SymId, Vec<Name>)> {
    let own = |l: &Loc| l.root == Root::Variable && !l.association;
    let mut out: BTreeSet<_> =
        writes.map(|l| (l.sym, if own(l) { canonical(program, l.sym, &l.path) } else { Vec::new() })).collect();
    for_each_stmt(body, &mut |s| match &s.kind {
        StmtKind::Assign { lhs, .. } => {
            out.extend(lhs.as_var().map(|d| (d.sym, canonical(program, d.sym, &d.path()))));
        }
        StmtKind::PointerAssign { lhs, .. } => out.extend(lhs.as_var().map(|d| (d.sym, Vec::new()))),
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => _ = out.insert((*var, Vec::new())),
        _ => {}
    });
    out
}

/// True for an array of assumed size as a whole.
pub(in crate::reverse) fn is_sizeless(program: &Program, e: &Expr) -> bool {
    let whole = e.as_var().filter(|d| !matches!(d.parts.last(), Some(Part::Subscripts(_))));
    let array = whole.and_then(|d| resolve(program, d.sym, &d.path()));
    array.is_some_and(|v| v.dims.iter().any(|x| matches!(x, Dim::AssumedSize(_))))
}

/// What there is to know of a loop for what is kept in it; `None` for other statements.
pub(crate) fn loop_around(program: &Program, effects: &mut Effects, stmt: &Stmt) -> Option<Around> {
    let StmtKind::Do { control, body, .. } = &stmt.kind else { return None };
    let mut out = Around::unknown(None);
    let mut writes = effects.access(program, stmt).writes;
    for_each_stmt(body, &mut |s| writes.extend(effects.access(program, s).writes));
    out.places = places(program, body, writes.iter().map(|l| effects.locs.get(*l)));
    if let LoopControl::Count { var, lo, hi, step } = control {
        (out.var, out.lo, out.hi, out.step) = (Some(*var), lo.clone(), hi.clone(), step.clone());
    }
    Some(out)
}

/// True when something can be kept for every iteration of the loops around a statement, outermost first.
pub(crate) fn keepable(program: &Program, chain: &[Around]) -> bool {
    chain.is_empty() || loop_extents(program, chain).is_some()
}

/// Bounds of the loops of `chain` (outermost first), innermost first, as they can be evaluated before the outermost.
pub(in crate::reverse) fn loop_extents(program: &Program, chain: &[Around]) -> Option<Vec<(Expr, Expr)>> {
    extents_before(program, chain, chain.first()?)
}

/// The same for the innermost loops of those around a statement, as the bounds can be evaluated before a loop `outer` around
/// them.
pub(in crate::reverse) fn extents_before(
    program: &Program,
    chain: &[Around],
    outer: &Around,
) -> Option<Vec<(Expr, Expr)>> {
    let mut bounds = Vec::new();
    for (i, a) in chain.iter().enumerate().rev() {
        a.var?;
        let (mut lo, mut hi) = match step_sign(a.step.as_ref()) {
            Some(1) => (a.lo.clone(), a.hi.clone()),
            Some(-1) => (a.hi.clone(), a.lo.clone()),
            _ => return None,
        };
        for around in chain[..i].iter().rev() {
            lo = extreme(&lo, around, false)?;
            hi = extreme(&hi, around, true)?;
        }
        for b in [&lo, &hi] {
            if outer.moves(program, b) {
                return None;
            }
        }
        bounds.push((lo, hi));
    }
    Some(bounds)
}

/// The loops of `chain` (outermost first) whose iterations aren't told by the indices of a loop inside: where each of a loop's
/// iterations has a segment of these of its own, they say which iteration it is.
pub(in crate::reverse) fn told_apart(scene: &Scene<'_>, chain: &[Around]) -> Vec<Around> {
    let untold = |(k, a): (usize, &Around)| {
        let (Some(var), inside) = (a.var, &chain[k + 1..]) else { return true };
        let mut moving: BTreeSet<SymId> = chain.iter().filter_map(|a| a.var).filter(|v| *v != var).collect();
        moving.extend(a.places.iter().map(|p| p.0));
        let one = Expr::int(1);
        let iterations = Iterations { scene, var, step: a.step.as_ref().unwrap_or(&one), moving: &moving };
        !inside.iter().any(|inner| {
            let span = match inner.step.as_ref().map_or(Some(1), Expr::as_int) {
                Some(1) => Span::between(&inner.lo, &inner.hi).0,
                Some(-1) => Span::between(&inner.hi, &inner.lo).0,
                _ => return false,
            };
            inner.var.is_some() && iterations.have_segments(std::slice::from_ref(&span), std::slice::from_ref(&span))
        })
    };
    chain.iter().enumerate().filter(|l| untold(*l)).map(|(_, a)| a.clone()).collect()
}

/// A loop with the values of another one, or more: from the lesser to the greater of its limits where nobody knows in which
/// direction it runs.
pub(in crate::reverse) fn ascending(a: &Around) -> Around {
    if step_sign(a.step.as_ref()).is_some() {
        return a.clone();
    }
    let of_both = |f| Expr::intrinsic(f, vec![a.lo.clone(), a.hi.clone()]);
    Around { lo: of_both(Intrinsic::Min), hi: of_both(Intrinsic::Max), step: None, ..a.clone() }
}

/// The symbols whose values an expression uses: the size of an array that keeps its shape is none of its values.
pub(in crate::reverse) fn valued(program: &Program, e: &Expr, steady: &BTreeSet<SymId>) -> BTreeSet<SymId> {
    if let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &e.kind
        && f.class() == Class::Inquiry
        && let Some((first, others)) = args.split_first()
        && let Some(d) = first.value.as_var().filter(|d| d.parts.is_empty())
        && program.var(d.sym).is_some_and(|v| !(v.attrs.allocatable && !steady.contains(&d.sym) || v.attrs.pointer))
    {
        return others.iter().flat_map(|a| valued(program, &a.value, steady)).collect();
    }
    match &e.kind {
        ExprKind::Var(_) => symbols(e),
        _ => e.children().into_iter().flat_map(|c| valued(program, c, steady)).collect(),
    }
}

/// The least or greatest value of an expression over a loop's range; `None` when it isn't affine in the variable.
pub(in crate::reverse) fn extreme(e: &Expr, around: &Around, greatest: bool) -> Option<Expr> {
    let var = around.var?;
    let slope = slope(e, var)?;
    if slope == 0 {
        return Some(e.clone());
    }
    let (first, last) = match step_sign(around.step.as_ref())? {
        1 => (&around.lo, &around.hi),
        -1 => (&around.hi, &around.lo),
        _ => return None,
    };
    let at = if (slope > 0) == greatest { last } else { first };
    Some(substitute(e, var, at))
}
