//! Adjoints of array elements that are known to be zero are assigned instead of incremented, and zeros that are never
//! used go.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    CaseRange, Designator, Expr, ExprKind, LoopControl, Stmt, StmtId, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::accumulators::extents;
use super::code::Code;
use super::statements::generated;
use super::zeroed_ends::{Extents, ends};
use crate::expressions::without_first;
use costate_analysis::dependence::independence::moving;
use costate_analysis::sections::flow::{Event, Known, Property, rewrite};
use costate_analysis::sections::scene::{Changes, Scene, calls};
use costate_analysis::sections::{Facts, Section, Span};

/// Settles which zeros of arrays the backward sweep needs.
pub(super) fn run(code: &mut Code<'_, '_>) {
    let Code { b, backward, facts, .. } = code;
    settle_zeros(&b.scene(), backward, &facts.arrays, &facts.changes);
}

/// Rewrites the backward sweep. `own` are arrays that are of no use after it, `changes` is what the whole procedure
/// changes.
pub(crate) fn settle_zeros(scene: &Scene<'_>, backward: &mut Vec<Stmt>, own: &BTreeSet<SymId>, changes: &Changes) {
    let mut kept = BTreeSet::new();
    increments_of_neighbours(backward, &mut kept);
    rewrite(&Zero { kept }, scene, backward, Facts::default());
    rewrite(&Unused::of(scene, own, changes), scene, backward, of_no_use(scene, own));
}

/// Drops zeros of some arrays, which are of no use after the block, where they aren't used; the arguments are those of
/// [`settle_zeros`].
pub(crate) fn drop_unused_zeros(scene: &Scene<'_>, backward: &mut Vec<Stmt>, own: &BTreeSet<SymId>, changes: &Changes) {
    let property = Unused { only: Some(own.clone()), ..Unused::of(scene, own, changes) };
    rewrite(&property, scene, backward, of_no_use(scene, own));
}

/// The fact that nothing of some arrays is used.
fn of_no_use(scene: &Scene<'_>, arrays: &BTreeSet<SymId>) -> Facts {
    let mut unused = Facts::default();
    for &sym in arrays.iter().filter(|s| scene.plain_array(**s)) {
        let rank = scene.program.var(sym).map_or(0, |v| usize::from(v.rank()));
        unused.add(sym, vec![Span::default(); rank]);
    }
    unused
}

/// All elements of an array, where its bounds are what they were at the start.
pub(crate) fn whole(scene: &Scene<'_>, sym: SymId, changes: &Changes) -> Option<Section> {
    let extents = extents(scene, sym);
    let full = extents.len() == usize::from(scene.program.var(sym)?.rank());
    let lasting = |e: &Expr| !scene.changed_in(changes, e);
    let span = |[lo, hi]: &[Expr; 2]| {
        let (span, exact) = Span::between(lo, hi);
        (exact && lasting(lo) && lasting(hi)).then_some(span)
    };
    extents.iter().map(span).collect::<Option<_>>().filter(|_| full)
}

/// Finds what adds to elements of an array in a loop whose iterations are shared out, where these are others from reference
/// to reference: as increments they need no order.
fn increments_of_neighbours(block: &[Stmt], out: &mut BTreeSet<StmtId>) {
    for s in block {
        let StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } = &s.kind else {
            s.blocks().into_iter().for_each(|b| increments_of_neighbours(b, out));
            continue;
        };
        if s.followed().is_none() {
            increments_of_neighbours(body, out);
            continue;
        }
        let mut seen: Vec<&Designator> = Vec::new();
        for_each_stmt(body, &mut |x| {
            x.exprs().into_iter().for_each(|e| for_each_expr(e, &mut |e| seen.extend(e.as_var())));
        });
        for_each_stmt(body, &mut |x| {
            let StmtKind::Assign { lhs, .. } = &x.kind else { return };
            let Some(d) = lhs.as_var().filter(|d| !d.parts.is_empty()) else { return };
            if seen.iter().any(|o| o.sym == d.sym && moving(o, *var) != moving(d, *var)) {
                out.insert(x.id);
            }
        });
    }
}

/// The element is zero.
struct Zero {
    /// Statements that stay as they are.
    kept: BTreeSet<StmtId>,
}

impl Property for Zero {
    const BACKWARD: bool = false;

    fn events(&self, scene: &Scene<'_>, s: &Stmt) -> Vec<Event> {
        let mut out = Vec::new();
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                if let Some(d) = lhs.as_var().filter(|d| scene.plain_array(d.sym)) {
                    out.push(match scene.section(d) {
                        Some((section, true)) if *rhs == Expr::zero(lhs.ty) => Event::Make(d.sym, section),
                        Some((section, _)) => Event::Break(d.sym, section),
                        None => Event::Forget(d.sym),
                    });
                }
            }
            StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. } => {}
            _ => forget_mentioned(s, &mut out),
        }
        out.extend(calls(s).then_some(Event::Call));
        out
    }

    fn rewrite(&self, scene: &Scene<'_>, s: &mut Stmt, known: &Known<'_>) -> bool {
        if !generated(s) || self.kept.contains(&s.id) {
            return true;
        }
        if let StmtKind::Assign { lhs, rhs } = &mut s.kind
            && let Some(d) = lhs.as_var()
            && known.holds(scene, d)
            && let Some(short) = without_first(rhs, lhs)
            && short.ty == lhs.ty
        {
            *rhs = short;
        }
        true
    }
}

/// The element is assigned before it is used again, if it ever is.
#[derive(Default)]
pub(crate) struct Unused {
    /// What an array is as a whole.
    extents: Extents,
    /// The arrays that are looked at; all where there is no list.
    only: Option<BTreeSet<SymId>>,
}

impl Unused {
    /// That of all arrays, of which zeros of some as a whole may be shortened.
    fn of(scene: &Scene<'_>, whole_zeros: &BTreeSet<SymId>, changes: &Changes) -> Self {
        let extents = whole_zeros.iter().filter_map(|s| Some((*s, whole(scene, *s, changes)?))).collect();
        Unused { extents, only: None }
    }

    fn looks_at(&self, event: &Event) -> bool {
        match event {
            Event::Make(sym, _) | Event::Break(sym, _) | Event::Forget(sym) => {
                self.only.as_ref().is_none_or(|list| list.contains(sym))
            }
            Event::Call => true,
        }
    }
}

impl Property for Unused {
    const BACKWARD: bool = true;

    fn events(&self, scene: &Scene<'_>, s: &Stmt) -> Vec<Event> {
        let mut out = Vec::new();
        let mut read = |e: &Expr| {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Var(d) = &x.kind
                    && scene.plain_array(d.sym)
                {
                    out.push(match scene.section(d) {
                        Some((section, _)) => Event::Break(d.sym, section),
                        None => Event::Forget(d.sym),
                    });
                }
            });
        };
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                read(rhs);
                lhs.children().into_iter().for_each(&mut read);
                if let Some(d) = lhs.as_var().filter(|d| scene.plain_array(d.sym))
                    && let Some((section, true)) = scene.section(d)
                {
                    out.push(Event::Make(d.sym, section));
                }
            }
            StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. } => {
                s.exprs().into_iter().for_each(&mut read);
                case_values(s).into_iter().for_each(&mut read);
            }
            _ => forget_mentioned(s, &mut out),
        }
        if calls(s) {
            out.insert(0, Event::Call);
        }
        out.retain(|e| self.looks_at(e));
        out
    }

    fn rewrite(&self, scene: &Scene<'_>, s: &mut Stmt, known: &Known<'_>) -> bool {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return true };
        let unused = |d: &Designator| match self.extents.get(&d.sym) {
            Some(section) if d.parts.is_empty() => known.holds_in(d.sym, section),
            _ => known.holds(scene, d),
        };
        !(generated(s) && *rhs == Expr::zero(lhs.ty) && lhs.as_var().is_some_and(unused))
    }

    fn shorten(&self, scene: &Scene<'_>, s: &Stmt, facts: &Facts) -> Option<Vec<Stmt>> {
        ends(scene, s, facts, &self.extents)
    }
}

fn case_values(s: &Stmt) -> Vec<&Expr> {
    let StmtKind::Select { arms, .. } = &s.kind else { return Vec::new() };
    arms.iter().flat_map(|a| &a.ranges).flat_map(CaseRange::exprs).collect()
}

fn forget_mentioned(s: &Stmt, out: &mut Vec<Event>) {
    for e in s.exprs() {
        for_each_expr(e, &mut |x| out.extend(x.as_var().map(|d| Event::Forget(d.sym))));
    }
}
