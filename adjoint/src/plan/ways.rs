//! What can be chosen for a site.

use std::collections::BTreeMap;

use costate_checkpoint::problem::Action;

use super::evaluate::{Evaluation, Model};
use super::site_use::Use;
use super::{CallChoice, Choices, LoopChoice, Schedule, SiteId, SiteKind, ValueChoice};

/// So many values are each stored or recomputed on their own, those that take most memory; of the others so many
/// groups together.
const MOST_VALUES: usize = 12;
const MOST_GROUPS: usize = 4;

/// An option of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// How the iterations of a loop are come to.
    Loop(LoopChoice),
    /// How a call is reversed.
    Call(CallChoice),
    /// How a value is come to.
    Value(ValueChoice),
    /// What is chosen without being told.
    Given,
}

/// Values that are stored or recomputed together: all but those that take most memory, by what they take. A group goes
/// by the first of it.
pub(super) fn groups(base: &Evaluation, choices: &Choices) -> BTreeMap<SiteId, Vec<SiteId>> {
    let most = |u: &&Use| base.points.values().filter_map(|held| held.get(&Some(u.site.id()))).max().copied();
    let open = |u: &&Use| u.site.id().value.is_some_and(|name| choices.value(u.site.stmt, &name).is_none());
    let mut list: Vec<&Use> = base.sites.iter().filter(open).collect();
    list.sort_by_key(|u| std::cmp::Reverse(most(u)));
    let small: Vec<SiteId> = list.iter().skip(MOST_VALUES).map(|u| u.site.id()).collect();
    let groups = small.chunks(small.len().div_ceil(MOST_GROUPS).max(1));
    groups.filter_map(|g| g.split_first()).map(|(first, rest)| (first.clone(), rest.to_vec())).collect()
}

/// What can be chosen for a site.
pub(super) fn ways(used: &Use, model: &Model<'_>) -> Vec<Way> {
    let choices = &model.options.choices;
    let stmt = &used.site.stmt;
    match &used.site.kind {
        SiteKind::Loop(_) | SiteKind::Open(_) | SiteKind::Nest(_) if choices.loops.contains_key(stmt) => {
            vec![Way::Loop(choices.loops[stmt].clone())]
        }
        SiteKind::Nest(_) => [LoopChoice::Rerun, LoopChoice::StoreAll].map(Way::Loop).to_vec(),
        SiteKind::Loop(_) => loop_ways(used.trips, choices.disk.is_some()).into_iter().map(Way::Loop).collect(),
        SiteKind::Open(_) => open_ways(used, choices.disk.is_some()).into_iter().map(Way::Loop).collect(),
        SiteKind::Call(_) => match choices.call(*stmt) {
            Some(chosen) => vec![Way::Call(chosen)],
            None => [CallChoice::Joint, CallChoice::Split].map(Way::Call).to_vec(),
        },
        SiteKind::Value(name) => match choices.value(*stmt, name) {
            None => [ValueChoice::Store, ValueChoice::Recompute].map(Way::Value).to_vec(),
            Some(_) => vec![Way::Given],
        },
    }
}

/// What can be chosen for a time loop: numbers of iterations and of snapshots are 1, 2, 3, 4, 6, 8, 12, 16, 24, ...; for
/// the schedule that takes long to find only powers of two.
fn loop_ways(trips: u64, disk: bool) -> Vec<LoopChoice> {
    let powers = || numbers().filter(|k| 2 * k < trips.min(1 << 31));
    let mut out = vec![LoopChoice::Blocks(None), LoopChoice::StoreAll];
    out.extend(powers().map(|k| LoopChoice::Blocks(Some(k))));
    out.extend(powers().map(|s| schedule("revolve", s, 0)));
    // With more memory blocks run no step more than twice.
    let few = powers().filter(|s| s.is_power_of_two() && s * s <= 4 * trips);
    out.extend(few.map(|s| schedule("dynamic", s, 0)));
    if disk {
        out.extend(powers().map(|s| schedule("two-level", 0, s)));
        out.extend(powers().take(6).map(|s| schedule("revolve", s, trips.isqrt())));
    }
    out
}

/// The same for one that finds out when it ends. What all iterations save may take any memory where nobody says how many
/// there are.
fn open_ways(used: &Use, disk: bool) -> Vec<LoopChoice> {
    let trips = used.trips;
    let online = |snapshots, on_disk| schedule(Schedule::ONLINE, snapshots, on_disk);
    let fewer = || numbers().take_while(|k| *k < trips.clamp(2, 1 << 31));
    let mut out = if used.guessed { Vec::new() } else { vec![LoopChoice::StoreAll] };
    out.extend(fewer().map(|s| online(s, 0)));
    out.push(for_each_step(trips));
    if disk {
        out.extend(fewer().take(6).map(|s| online(s, trips.isqrt().max(1))));
    }
    out
}

/// A snapshot for every step, if there are no more than is thought.
pub(super) fn for_each_step(trips: u64) -> LoopChoice {
    schedule(Schedule::ONLINE, trips.max(2), 0)
}

/// 1, 2, 3, 4, 6, 8, 12, 16, 24, ...
fn numbers() -> impl Iterator<Item = u64> {
    std::iter::once(1).chain((0..31).flat_map(|i| [2u64 << i, 3 << i]))
}

fn schedule(kind: &str, snapshots: u64, on_disk: u64) -> LoopChoice {
    LoopChoice::Schedule(Schedule { kind: kind.to_string(), snapshots, on_disk })
}

/// What is done in words of the integer programme.
pub(super) fn action(way: &Way, used: &Use) -> Action {
    match way {
        Way::Loop(LoopChoice::StoreAll) => Action::StoreAll,
        Way::Loop(LoopChoice::Rerun) => Action::Rerun,
        Way::Loop(LoopChoice::Blocks(Some(k))) => Action::SnapshotEvery(*k),
        Way::Loop(LoopChoice::Blocks(None)) => Action::SnapshotEvery((used.trips as f64).sqrt() as u64),
        Way::Loop(LoopChoice::Schedule(s)) if s.kind == Schedule::ONLINE => Action::Online(s.snapshots),
        Way::Loop(LoopChoice::Schedule(s)) => Action::Revolve(s.snapshots),
        Way::Call(CallChoice::Joint) => Action::Joint,
        Way::Call(CallChoice::Split) => Action::Split,
        Way::Value(ValueChoice::Recompute) => Action::Rerun,
        Way::Value(ValueChoice::Store) | Way::Given => Action::Held,
    }
}
