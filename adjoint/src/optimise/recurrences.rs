//! A loop of the backward sweep in whose statements a recurrence runs along one line of an array, while they add to other
//! lines what they read of it. Where they read each element before the recurrence changes it, these increments may all be
//! made first, in a loop that can be distributed and vectorised ([`super::fission`]).

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::step_sign;
use costate_grammar::ir::{Designator, Expr, LoopControl, Program, Stmt, SymId};

use costate_analysis::dependence::independence::{Assignment, Line, Use, assignments, moving, usage};
use costate_analysis::dependence::{Meeting, meeting};

/// Which statements of a loop may run in a loop of their own before that of the others; `None` when there are none, or
/// when nothing is gained.
pub(super) fn before_recurrence(
    program: &Program,
    control: &LoopControl,
    body: &[Stmt],
    private: &BTreeSet<SymId>,
) -> Option<BTreeSet<usize>> {
    let LoopControl::Count { var, lo, hi, step } = control else { return None };
    let sign = step_sign(step.as_ref())?;
    let parts = assignments(program, body, &[*var])?;
    let mut uses: BTreeMap<Line, Option<Use>> = BTreeMap::new();
    for p in &parts {
        uses.entry(p.target).or_insert_with(|| usage(&parts, p.target, &[*var], private));
    }
    let assigned: BTreeSet<SymId> = uses.keys().map(|l| l.0).collect();
    let bounds = [Some(lo), Some(hi), step.as_ref()];
    let stands = |e: &Expr| costate_analysis::storage::symbols(e).is_disjoint(&assigned);
    let early: Vec<usize> = (0..parts.len()).filter(|i| uses[&parts[*i].target] == Some(Use::Increments)).collect();
    let movable = |i: &usize| {
        let written = parts[*i].refs.iter().filter(|r| r.0 != parts[*i].target && uses.contains_key(&r.0));
        written.into_iter().all(|(line, d)| {
            let mut writers = (0..parts.len()).filter(|k| parts[*k].target == *line);
            writers.all(|k| precedes((*i, d), (k, parts[k].lhs), (*var, sign), &assigned))
        })
    };
    let fine = bounds.into_iter().flatten().all(stands) && early.iter().all(movable);
    (fine && scatters(&parts, &early, *var)).then(|| early.into_iter().collect())
}

/// True when some of the statements add to several elements of one line in an iteration.
fn scatters(parts: &[Assignment<'_>], early: &[usize], var: SymId) -> bool {
    early.iter().any(|i| {
        let same = early.iter().filter(|k| parts[**k].target == parts[*i].target);
        same.into_iter().any(|k| moving(parts[*k].lhs, var) != moving(parts[*i].lhs, var))
    })
}

/// True when statement `i` reads each element before statement `k` assigns it. `sign` is the direction of the loop.
fn precedes(
    (i, read): (usize, &Designator),
    (k, write): (usize, &Designator),
    (var, sign): (SymId, i64),
    moving: &BTreeSet<SymId>,
) -> bool {
    match meeting(read, write, var, moving) {
        Meeting::Never => true,
        Meeting::At(later) => sign * later > 0 || later == 0 && i < k,
        Meeting::Anywhere => false,
    }
}
