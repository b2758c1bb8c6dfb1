//! Values the backward sweep needs, as decisions of a [`Problem`].
//!
//! A value may be stored, recomputed, or got back by undoing an increment. A recomputation has inputs, which are values
//! too: each must be held at the point of the recomputation, for which it may have to be held longer than it is needed
//! itself, or its own computation is run again there (a chain).

use std::collections::{BTreeMap, BTreeSet};

use crate::problem::{Action, Choice, Pick, Problem, ProblemError};

/// How many computations in a row a chain may run again for one recomputation.
const LONGEST_CHAIN: usize = 8;
/// How many points up to which a value may be held are told apart; with more, those between are left out.
const MOST_ENDS: usize = 8;

/// A value the backward sweep needs, such as an array section at a program point.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// What a report calls it.
    pub name: String,
    /// Its size in bytes (in a loop: in one iteration).
    pub bytes: u64,
    /// The point of the forward sweep at which it would be saved.
    pub defined: usize,
    /// The first and the last point of the backward sweep that read it.
    pub needed: (usize, usize),
    /// Run time to store and to restore it.
    pub store: f64,
    /// How it is recomputed at the first point that reads it, where that is possible.
    pub recompute: Option<Slice>,
    /// How an increment is undone at the first point that reads it, where that is possible and allowed.
    pub undo: Option<Slice>,
    /// The loop whose plan says how many iterations' values are held at a time.
    pub within: Option<Within>,
}

/// A computation that gives a value again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Slice {
    /// Its run time.
    pub cost: f64,
    /// Bytes it takes while it runs, besides its result.
    pub scratch: u64,
    /// The items it reads, as indices into the items given together. What is at hand anyway is left out.
    pub inputs: Vec<usize>,
}

/// The loop a value belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Within {
    /// The loop's decision.
    pub decision: usize,
    /// For every option of the loop, what a stored value takes under it.
    pub kept: Vec<Kept>,
}

/// What a value of a loop takes when it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The number of iterations whose values are held at a time.
    pub iterations: u64,
    /// The first point at which they are held: in the forward sweep, or where the loop is run again.
    pub first: usize,
}

/// Adds the decisions for items to a problem, and returns the index of each item's decision.
///
/// They are given together: how long an item may have to be held depends on the items that are recomputed from it.
pub fn add_items(problem: &mut Problem, items: &[Item]) -> Result<Vec<usize>, ProblemError> {
    check(problem, items)?;
    let base = problem.decisions.len();
    let uses = uses(items, base + items.len());
    let builder = Builder { items, base, ends: ends(items, &uses), uses: &uses };
    let options: Vec<Vec<Choice>> = (0..items.len()).map(|item| builder.value(item)).collect();
    for (item, choices) in items.iter().zip(&options) {
        problem.decide(item.name.clone(), choices.clone());
    }
    for &(item, at) in uses.keys() {
        let name = format!("{} for recomputation at {}", items[item].name, problem.points[at].name);
        problem.decide(name, builder.input(item, at, &options[item]));
    }
    Ok((base..base + items.len()).collect())
}

/// Whether the items mean something.
fn check(problem: &Problem, items: &[Item]) -> Result<(), ProblemError> {
    for item in items {
        let name = || item.name.clone();
        if item.defined > item.needed.0 || item.needed.0 > item.needed.1 || item.needed.1 >= problem.points.len() {
            return Err(ProblemError::Points(name()));
        }
        let slices = item.recompute.iter().chain(&item.undo);
        if slices.flat_map(|slice| &slice.inputs).any(|&input| input >= items.len()) {
            return Err(ProblemError::Requirement(name()));
        }
        for kept in item.within.iter().flat_map(|within| &within.kept) {
            item.bytes.checked_mul(kept.iterations).ok_or(ProblemError::Size)?;
            if kept.first > item.needed.1 {
                return Err(ProblemError::Points(name()));
            }
        }
    }
    match on_cycle(items) {
        Some(item) => Err(ProblemError::Cycle(items[item].name.clone())),
        None => Ok(()),
    }
}

/// An item whose inputs, or theirs, include itself: it could be said to be computed from nothing.
fn on_cycle(items: &[Item]) -> Option<usize> {
    let inputs = |item: usize| items[item].recompute.iter().chain(&items[item].undo).flat_map(|slice| &slice.inputs);
    let mut waiting_for: Vec<usize> = (0..items.len()).map(|item| inputs(item).count()).collect();
    let mut users = vec![Vec::new(); items.len()];
    for item in 0..items.len() {
        inputs(item).for_each(|&input| users[input].push(item));
    }
    let mut ready: Vec<usize> = (0..items.len()).filter(|&item| waiting_for[item] == 0).collect();
    while let Some(item) = ready.pop() {
        for &user in &users[item] {
            waiting_for[user] -= 1;
            if waiting_for[user] == 0 {
                ready.push(user);
            }
        }
    }
    waiting_for.iter().position(|&inputs| inputs > 0)
}

/// An item that a recomputation at a point may read.
#[derive(Clone, Copy)]
struct Use {
    /// The decision where it comes from.
    decision: usize,
    /// Whether it may be recomputed for this.
    rerun: bool,
}

/// Items and the points at which recomputations may read them.
type Uses = BTreeMap<(usize, usize), Use>;

/// What recomputations may read, with decisions numbered from `first` on.
fn uses(items: &[Item], first: usize) -> Uses {
    let mut uses = Uses::new();
    let mut level: BTreeSet<(usize, usize)> = BTreeSet::new();
    for item in items {
        let slices = item.recompute.iter().chain(&item.undo);
        level.extend(slices.flat_map(|slice| &slice.inputs).map(|&input| (input, item.needed.0)));
    }
    for depth in 1.. {
        level.retain(|key| !uses.contains_key(key));
        if level.is_empty() {
            break;
        }
        let mut next = BTreeSet::new();
        for &(item, at) in &level {
            let slice = items[item].recompute.as_ref().filter(|_| depth < LONGEST_CHAIN);
            uses.insert((item, at), Use { decision: 0, rerun: slice.is_some() });
            next.extend(slice.into_iter().flat_map(|slice| &slice.inputs).map(|&input| (input, at)));
        }
        level = next;
    }
    for (index, used) in uses.values_mut().enumerate() {
        used.decision = first + index;
    }
    uses
}

/// For every item the points up to which it may be worth holding, in order.
fn ends(items: &[Item], uses: &Uses) -> Vec<Vec<usize>> {
    let mut ends: Vec<BTreeSet<usize>> = items.iter().map(|item| BTreeSet::from([item.needed.1])).collect();
    for &(item, at) in uses.keys() {
        ends[item].insert(at.max(items[item].needed.1));
    }
    ends.into_iter().map(|ends| thin(ends.into_iter().collect())).collect()
}

/// The first, the last and some between, evenly.
fn thin(ends: Vec<usize>) -> Vec<usize> {
    if ends.len() <= MOST_ENDS {
        return ends;
    }
    (0..MOST_ENDS).map(|i| ends[i * (ends.len() - 1) / (MOST_ENDS - 1)]).collect()
}

struct Builder<'a> {
    items: &'a [Item],
    /// The decision of the first item.
    base: usize,
    ends: Vec<Vec<usize>>,
    uses: &'a Uses,
}

impl Builder<'_> {
    /// The options for an item itself.
    fn value(&self, index: usize) -> Vec<Choice> {
        let item = &self.items[index];
        let mut options = Vec::new();
        for &until in &self.ends[index] {
            options.extend(stored(item, until));
        }
        for &until in &self.ends[index] {
            for (action, slice) in
                [(Action::Recompute { until }, &item.recompute), (Action::Undo { until }, &item.undo)]
            {
                let Some(slice) = slice else { continue };
                let first = item.needed.0;
                let option = Choice::new(action, slice.cost)
                    .holding(first, until, item.bytes)
                    .holding(first, first, slice.scratch)
                    .because(reason_of(slice, self.items));
                options.push(self.with_inputs(option, slice, first));
            }
        }
        options
    }

    /// The options for an input of the recomputations at a point: `values` are those of the item itself.
    fn input(&self, index: usize, at: usize, values: &[Choice]) -> Vec<Choice> {
        let item = &self.items[index];
        let there = |option: &Choice| match option.action {
            Action::Store { until } => until >= at,
            Action::Recompute { until } | Action::Undo { until } => item.needed.0 <= at && until >= at,
            _ => false,
        };
        let picks = (0..values.len()).filter(|&option| there(&values[option]));
        let picks = picks.map(|option| Pick { decision: self.base + index, option }).collect();
        let mut options = vec![Choice::new(Action::Unused, 0.0), Choice::new(Action::Held, 0.0).requiring(picks)];
        if let Some(slice) = item.recompute.as_ref().filter(|_| self.uses[&(index, at)].rerun) {
            let again = Choice::new(Action::Rerun, slice.cost)
                .holding(at, at, item.bytes + slice.scratch)
                .because(reason_of(slice, self.items));
            options.push(self.with_inputs(again, slice, at));
        }
        options
    }

    /// Requires the inputs of a slice that runs at a point.
    fn with_inputs(&self, mut option: Choice, slice: &Slice, at: usize) -> Choice {
        for &input in &slice.inputs {
            let Use { decision, rerun } = self.uses[&(input, at)];
            // The options are: unused, held, and where that is possible run again.
            let provides = if rerun { 1..=2 } else { 1..=1 };
            option = option.requiring(provides.map(|option| Pick { decision, option }).collect());
        }
        option
    }
}

/// The options of an item that is stored: one, or one for every option of its loop.
fn stored(item: &Item, until: usize) -> Vec<Choice> {
    let store = Choice::new(Action::Store { until }, item.store);
    match &item.within {
        None => {
            let reason = format!("{} bytes moved twice", item.bytes);
            vec![store.holding(item.defined, until, item.bytes).because(reason)]
        }
        Some(within) => {
            let under = |(option, kept): (usize, &Kept)| {
                let reason = format!("{} bytes in each of {} iterations", item.bytes, kept.iterations);
                store
                    .clone()
                    .holding(kept.first, until, item.bytes * kept.iterations)
                    .requiring(vec![Pick { decision: within.decision, option }])
                    .because(reason)
            };
            within.kept.iter().enumerate().map(under).collect()
        }
    }
}

fn reason_of(slice: &Slice, items: &[Item]) -> String {
    if slice.inputs.is_empty() {
        return "from values at hand".to_string();
    }
    let names: Vec<&str> = slice.inputs.iter().map(|&input| items[input].name.as_str()).collect();
    format!("from {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ilp::{Limits, plan};
    use crate::problem::Point;

    /// `b` is computed from `a`, and `a` is no longer needed when `b` is. Memory is short where `b` would be saved.
    fn pair() -> (Problem, [Item; 2]) {
        let points = (0..5).map(|i| Point { name: format!("p{i}"), bytes: if i == 1 { 20 } else { 0 } }).collect();
        let item = |name: &str, bytes, defined, needed, recompute| Item {
            name: name.to_string(),
            bytes,
            defined,
            needed: (needed, needed),
            store: 1.0,
            recompute: Some(recompute),
            undo: None,
            within: None,
        };
        let a = item("a", 10, 0, 3, Slice { cost: 5.0, scratch: 0, inputs: vec![] });
        let b = item("b", 30, 1, 4, Slice { cost: 2.0, scratch: 0, inputs: vec![0] });
        (Problem { points, decisions: Vec::new() }, [a, b])
    }

    #[test]
    fn an_input_is_held_longer() {
        let (mut problem, items) = pair();
        let [a, b] = add_items(&mut problem, &items).unwrap()[..] else { panic!() };
        let action = |budget| {
            let found = plan(&problem, Some(budget), &Limits::default()).unwrap();
            let option = |item: usize| problem.decisions[item].options[found.chosen[item]].action;
            (option(a), option(b), found.cost)
        };
        assert_eq!(action(60), (Action::Store { until: 3 }, Action::Store { until: 4 }, 2.0));
        assert_eq!(action(59), (Action::Store { until: 4 }, Action::Recompute { until: 4 }, 3.0));
    }

    #[test]
    fn a_result_is_no_input_of_its_own() {
        let (mut problem, mut items) = pair();
        items[0].recompute = Some(Slice { cost: 1.0, scratch: 0, inputs: vec![1] });
        assert_eq!(add_items(&mut problem, &items), Err(ProblemError::Cycle("a".to_string())));
    }
}
