//! A loop of the backward sweep in whose statements a recurrence runs along one line of an array, while they add to other
//! lines what they read of it. Where they read each element before the recurrence changes it, these increments may all be
//! made first, in a loop that can be distributed and vectorised ([`super::gather`]).

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::step_sign;
use costate_analysis::storage::split_offset;
use costate_grammar::ir::{Designator, Expr, LoopControl, Program, Stmt, Subscript, SymId};

use super::independence::{Assignment, Line, Use, assignments, moving, usage};

/// Which statements of a loop may run in a loop of their own before that of the others; `None` when there are none, or
/// when nothing is gained.
pub(super) fn in_front(
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
    let bounds = [Some(lo), Some(hi), step.as_ref()];
    let stands = |e: &Expr| !costate_analysis::storage::symbols(e).iter().any(|s| uses.keys().any(|l| l.0 == *s));
    let front: Vec<usize> = (0..parts.len()).filter(|i| uses[&parts[*i].target] == Some(Use::Increments)).collect();
    let early = |i: &usize| {
        let written = parts[*i].refs.iter().filter(|r| r.0 != parts[*i].target && uses.contains_key(&r.0));
        written.into_iter().all(|(line, d)| {
            let mut writers = (0..parts.len()).filter(|k| parts[*k].target == *line);
            writers.all(|k| precedes((*i, d), (k, parts[k].lhs), *var, sign))
        })
    };
    let fine = bounds.into_iter().flatten().all(stands) && front.iter().all(early);
    (fine && scatters(&parts, &front, *var)).then(|| front.into_iter().collect())
}

/// True when some of the statements add to several elements of one line in an iteration.
fn scatters(parts: &[Assignment<'_>], front: &[usize], var: SymId) -> bool {
    front.iter().any(|i| {
        let same = front.iter().filter(|k| parts[**k].target == parts[*i].target);
        same.into_iter().any(|k| moving(parts[*k].lhs, var) != moving(parts[*i].lhs, var))
    })
}

/// True when statement `i` reads each element before statement `k` assigns it. `sign` is the direction of the loop.
fn precedes((i, read): (usize, &Designator), (k, write): (usize, &Designator), var: SymId, sign: i64) -> bool {
    let offset = |s: &Subscript| match s {
        Subscript::Index(e) => {
            let (base, by) = split_offset(e);
            base.and_then(Expr::as_var).is_some_and(|d| *d == Designator::whole(var)).then_some(by)
        }
        Subscript::Range { .. } => None,
    };
    read.subscripts().zip(write.subscripts()).any(|(r, w)| match (offset(r), offset(w)) {
        // Element e is read in iteration e - r and assigned in iteration e - w.
        (Some(r), Some(w)) => sign * r > sign * w || r == w && i < k,
        _ => false,
    })
}
