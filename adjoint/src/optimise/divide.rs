//! A loop in two: what another loop needs as a whole, and the rest, which may wait for that loop (loop distribution).

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::ir::{LoopControl, Stmt, StmtKind, SymId, for_each_expr};

use super::order::iterations_apart;
use costate_analysis::dependence::mentions::{assigned_in, mentioned_in, touch};
use costate_analysis::sections::scene::Scene;

/// A statement of the loop, or an assignment in a loop inside it with the header of that.
struct Unit {
    /// Which statement of the body it belongs to.
    at: usize,
    stmt: Stmt,
    /// It only gives a scalar its value for an iteration, and may be done twice.
    sets: bool,
    goes: bool,
}

/// The body of a loop in two, the second of which may run in the iterations of `next`; `None` when there is nothing to gain.
pub(super) fn divided(
    scene: &Scene<'_>,
    control: &LoopControl,
    body: &[Stmt],
    next: &[Stmt],
    private: &BTreeSet<SymId>,
) -> Option<(Vec<Stmt>, Vec<Stmt>)> {
    let LoopControl::Count { var, .. } = control else { return None };
    if !iterations_apart(scene, control, [body, body], private) {
        return None;
    }
    let mut units = units(scene, body, private);
    for u in &mut units {
        let alone = std::slice::from_ref(&u.stmt);
        u.goes = !u.sets && iterations_apart(scene, control, [alone, next], private);
    }
    while let Some(k) = held_back(&units) {
        units[k].goes = false;
    }
    let (first, second) = (with_scalars(&units, false), with_scalars(&units, true));
    let apart = large(&units, &first, *var).is_disjoint(&large(&units, &second, *var));
    let work = |goes: bool| units.iter().any(|u| !u.sets && u.goes == goes);
    // A scalar that is set again must get the same value.
    let again = second.iter().all(|k| {
        let later = units.iter().skip(*k).filter(|u| !u.sets && !u.goes);
        !units[*k].sets || later.into_iter().all(|u| !touch(&u.stmt, &units[*k].stmt) || reads_only(u, &units[*k]))
    });
    (apart && again && work(false) && work(true)).then(|| (chosen(body, &units, &first), chosen(body, &units, &second)))
}

/// True when all that two statements share is what the second one sets.
fn reads_only(u: &Unit, sets: &Unit) -> bool {
    let [a, b] = [&u.stmt, &sets.stmt].map(std::slice::from_ref);
    assigned_in(a).is_disjoint(&mentioned_in(b))
}

fn units(scene: &Scene<'_>, body: &[Stmt], private: &BTreeSet<SymId>) -> Vec<Unit> {
    let mut out = Vec::new();
    for (at, s) in body.iter().enumerate() {
        let scalar = |s: &Stmt| match &s.kind {
            // A sum over iterations isn't set anew by each.
            StmtKind::Assign { lhs, rhs } => lhs
                .as_var()
                .is_some_and(|d| d.parts.is_empty() && private.contains(&d.sym) && !symbols(rhs).contains(&d.sym)),
            _ => false,
        };
        match &s.kind {
            StmtKind::Do { control, body: inner, parallel, .. }
                if !s.is_region()
                    && inner.iter().all(|x| matches!(x.kind, StmtKind::Assign { .. }) && !scalar(x))
                    && iterations_apart(scene, control, [inner, inner], private) =>
            {
                for x in inner {
                    let kind = StmtKind::repeat_as(control.clone(), vec![x.clone()], parallel.clone());
                    out.push(Unit { at, stmt: Stmt { kind, ..s.clone() }, sets: false, goes: false });
                }
            }
            _ => out.push(Unit { at, stmt: s.clone(), sets: scalar(s), goes: false }),
        }
    }
    out
}

/// A statement that must stay because a later one that stays meets it.
fn held_back(units: &[Unit]) -> Option<usize> {
    let stay = with_scalars(units, false);
    let meets = |k: usize, later: usize| later > k && touch(&units[k].stmt, &units[later].stmt);
    (0..units.len()).find(|k| units[*k].goes && stay.iter().any(|s| meets(*k, *s)))
}

/// Which units go, or stay, with those that set scalars for them.
fn with_scalars(units: &[Unit], goes: bool) -> BTreeSet<usize> {
    let mut out: BTreeSet<usize> = (0..units.len()).filter(|k| !units[*k].sets && units[*k].goes == goes).collect();
    loop {
        let stmts: Vec<Stmt> = out.iter().map(|k| units[*k].stmt.clone()).collect();
        let used = mentioned_in(&stmts);
        let sets = |u: &Unit| u.sets && !assigned_in(std::slice::from_ref(&u.stmt)).is_disjoint(&used);
        let before = out.len();
        out.extend((0..units.len()).filter(|k| sets(&units[*k])));
        if out.len() == before {
            return out;
        }
    }
}

/// Arrays that are passed through along the loop and loops inside it.
fn large(units: &[Unit], list: &BTreeSet<usize>, var: SymId) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for u in list.iter().map(|k| &units[*k].stmt) {
        let StmtKind::Do { control: LoopControl::Count { var: inner, .. }, body, .. } = &u.kind else { continue };
        for e in body.iter().flat_map(Stmt::exprs) {
            for_each_expr(e, &mut |x| {
                let used = symbols(x);
                out.extend(x.as_var().filter(|_| used.contains(&var) && used.contains(inner)).map(|d| d.sym));
            });
        }
    }
    out
}

/// The chosen units as statements; those of one loop stay in one.
fn chosen(body: &[Stmt], units: &[Unit], list: &BTreeSet<usize>) -> Vec<Stmt> {
    let mut out = Vec::new();
    for (at, s) in body.iter().enumerate() {
        let mut own = list.iter().map(|k| &units[*k]).filter(|u| u.at == at).map(|u| u.stmt.clone());
        let Some(mut made) = own.next() else { continue };
        if let StmtKind::Do { body, .. } = &mut made.kind {
            for other in own {
                if let StmtKind::Do { body: more, .. } = other.kind {
                    body.extend(more);
                }
            }
        }
        made.leading.clone_from(&s.leading);
        out.push(made);
    }
    out
}
