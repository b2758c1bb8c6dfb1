//! Nests for a device whose iterations add to elements of others what they have in elements of their own: `un_b(i)` grows
//! first, and then `u_b(i-1)` by it. In one loop such increments aren't gathered, for the other iterations' elements may not
//! be ready there, so what belongs to an iteration alone gets a loop of its own in front.

use std::collections::BTreeSet;

use costate_analysis::dependence::independence::{Body, Line, Use};
use costate_grammar::ir::{StmtKind, SymId};

use super::peeling::offset;

/// The statements of the loops, by their numbers: what iterations do to elements of their own, what they add to others', and
/// what sets their own to zero behind that, if anything does.
pub(super) fn of(body: &Body<'_>, vars: &[SymId]) -> Option<[Vec<usize>; 3]> {
    let all = 0..body.parts.len();
    let use_of = |i: usize| body.uses.get(&body.parts[i].target);
    let to_others = |i: usize| {
        let element = use_of(i) == Some(&Use::Increments) && !body.parts[i].lhs.parts.is_empty();
        element && vars.iter().any(|v| offset(body, &[i], *v) != 0)
    };
    let (others, own): (Vec<usize>, Vec<usize>) =
        all.filter(|i| use_of(*i) != Some(&Use::Private)).partition(|i| to_others(*i));
    let others = body.slice(others);
    let used: BTreeSet<Line> = others.iter().flat_map(|i| body.parts[*i].reads.iter().copied()).collect();
    // What is set to zero once it is used comes last.
    let first_use = |line: &Line| others.iter().copied().find(|i| body.parts[*i].reads.contains(line));
    let late = |i: usize| {
        let p = &body.parts[i];
        let zero = matches!(&p.stmt.kind, StmtKind::Assign { rhs, .. } if rhs.is_zero());
        // The branches around it are taken there, too.
        let stands = p.reads.iter().all(|line| !body.uses.contains_key(line));
        zero && stands && used.contains(&p.target) && first_use(&p.target).is_some_and(|k| k < i)
    };
    let (last, own): (Vec<usize>, Vec<usize>) = own.into_iter().partition(|i| late(*i));
    let own = body.slice(own);
    // In the second loop all that the first one does is done.
    let stays = |i: usize| {
        let changed = |k: &usize| {
            *k >= i && use_of(*k) == Some(&Use::Own) && body.parts[i].reads.contains(&body.parts[*k].target)
        };
        !own.iter().any(changed)
    };
    let unread = |i: &usize| {
        let line = body.parts[*i].target;
        body.parts[i + 1..].iter().all(|p| p.target != line && !p.reads.contains(&line))
    };
    let fits = others.iter().all(|i| stays(*i)) && last.iter().all(unread) && !own.is_empty() && !others.is_empty();
    fits.then_some([own, others, last])
}
