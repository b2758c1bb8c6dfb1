//! Variables that may be the same memory by several names: pointers and their targets.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::storage::through_pointer;
use costate_grammar::ir::{SymId, Variable};

use super::Facts;
use super::accesses::{Access, Accesses};
use super::references::is_plain_target;

/// What the user's iteration does with an element to which an iteration refers, or of which it is the derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Touched {
    /// It assigns it: no other iteration touches the memory, whatever name it has there.
    Assigned,
    /// It uses it.
    Used,
}

/// Refuses loops in which names of the same memory can't be told apart. `distinct` are pointers and targets that are different
/// memory; `touched` tells of a reference what is known of the element by the directives of the user's loop, which has no race.
pub(super) fn tell_apart(
    facts: &Facts<'_>,
    accesses: &Accesses<'_, '_>,
    distinct: &[(SymId, SymId)],
    touched: &dyn Fn(&Access<'_>) -> Option<Touched>,
) -> Result<(), String> {
    let program = facts.scene.program;
    let name = |s: SymId| program[s].name.as_str();
    let other = |s: &SymId| program.var(*s).is_some_and(Variable::has_other_names);
    let mut of: BTreeMap<bool, BTreeSet<SymId>> = BTreeMap::new();
    let own = |s: &SymId| facts.own_copies.holds(*s);
    let led = |a: &&Access<'_>| other(&a.of.sym) && !own(&a.of.sym) || through_pointer(program, &a.of);
    for a in accesses.list.iter().filter(led) {
        // Derivatives are memory of their own.
        of.entry(facts.primal.contains_key(&a.of.sym)).or_default().insert(a.of.sym);
    }
    // Only pointers, and what may be passed as what they point to, lead to memory with a name.
    let leads = |s: &SymId| program.var(*s).is_none_or(|v| !is_plain_target(v));
    let known = |a: SymId, b: SymId| {
        let [a, b] = [a, b].map(|s| facts.primal.get(&s).copied().unwrap_or(s));
        distinct.contains(&(a.min(b), a.max(b)))
    };
    let distinct = |g: &&BTreeSet<SymId>| {
        let meet = |a: &SymId, b: &SymId| {
            a != b && (accesses.assigned.contains(a) || accesses.assigned.contains(b)) && !known(*a, *b)
        };
        !g.iter().any(|a| g.iter().any(|b| meet(a, b)))
    };
    for group in of.values().filter(|g| g.len() > 1 && g.iter().any(leads) && !distinct(g)) {
        if let Some(s) =
            group.iter().find(|s| accesses.assigned.contains(s)).filter(|_| !are_apart(accesses, group, touched))
        {
            return Err(format!("`{}` may be the memory of another variable in it", name(*s)));
        }
    }
    match accesses.assigned.iter().find(|s| accesses.globals.contains(s)) {
        Some(s) => Err(format!("a procedure that is called uses `{}`, which is assigned", name(*s))),
        None => Ok(()),
    }
}

/// True where iterations that touch the same memory by different names don't matter to each other: all of it is touched in
/// the user's iterations too, and all but one variable where these assign it, or it is only read.
fn are_apart(
    accesses: &Accesses<'_, '_>,
    group: &BTreeSet<SymId>,
    touched: &dyn Fn(&Access<'_>) -> Option<Touched>,
) -> bool {
    let counts = |a: &&Access<'_>| group.contains(&a.of.sym) && !accesses.is_inquiry(a);
    let mut used = BTreeSet::new();
    for a in accesses.list.iter().filter(counts) {
        match touched(a) {
            None => return false,
            Some(Touched::Used) => _ = used.insert(a.of.sym),
            Some(Touched::Assigned) => {}
        }
    }
    used.len() < 2 || used.iter().all(|s| !accesses.assigned.contains(s))
}
