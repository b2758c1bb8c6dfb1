//! A plan by simple moves: the start of the integer programme, and the plan to be no worse than.

use crate::problem::{Pick, Problem};

/// Picks options of least cost, then makes room at each point that is over the budget by the moves that free the most
/// bytes for the run time they add, and last goes back to cheaper options where there is room. `None` where this finds
/// no plan within the budget; there may be one nevertheless.
pub fn greedy(problem: &Problem, budget: u64) -> Option<Vec<usize>> {
    let mut search = Search::start(problem)?;
    // A point once within the budget stays within it.
    while let Some(point) = search.worst(budget) {
        search.make_room(point, budget)?;
    }
    search.refine(budget);
    Some(search.chosen)
}

struct Search<'a> {
    problem: &'a Problem,
    chosen: Vec<usize>,
    memory: Vec<u64>,
    /// For every decision, the options of other decisions that require an option of it.
    users: Vec<Vec<Pick>>,
}

/// Changes of a plan that together leave nothing that is required unpicked.
type Move = Vec<Pick>;

impl<'a> Search<'a> {
    /// The options of least cost, with what they require; `None` if these do not go together.
    fn start(problem: &'a Problem) -> Option<Self> {
        let mut users = vec![Vec::new(); problem.decisions.len()];
        for (decision, data) in problem.decisions.iter().enumerate() {
            for (option, choice) in data.options.iter().enumerate() {
                for required in choice.requires.iter().flatten() {
                    users[required.decision].push(Pick { decision, option });
                }
            }
        }
        users.iter_mut().for_each(|users| users.dedup());
        let cheapest = |options: &[crate::problem::Choice]| {
            (0..options.len()).min_by(|&a, &b| options[a].cost.total_cmp(&options[b].cost)).unwrap_or(0)
        };
        let chosen: Vec<usize> = problem.decisions.iter().map(|decision| cheapest(&decision.options)).collect();
        let mut search = Search { problem, memory: Vec::new(), chosen, users };
        for decision in 0..problem.decisions.len() {
            let pick = Pick { decision, option: search.chosen[decision] };
            for change in search.settle(pick)? {
                search.chosen[change.decision] = change.option;
            }
        }
        search.memory = problem.memory(&search.chosen);
        problem.is_complete(&search.chosen).then_some(search)
    }

    fn worst(&self, budget: u64) -> Option<usize> {
        let over = (0..self.memory.len()).filter(|&point| self.memory[point] > budget);
        over.max_by_key(|&point| (self.memory[point], std::cmp::Reverse(point)))
    }

    /// Moves until a point is within the budget.
    fn make_room(&mut self, point: usize, budget: u64) -> Option<()> {
        loop {
            let mut moves = self.moves_that_free(point);
            moves.sort_by(|a, b| b.0.total_cmp(&a.0));
            let mut moved = false;
            for (_, pick) in moves {
                let Some(change) = self.settle(pick) else { continue };
                if self.freed(&change, point) > 0 && self.fits(&change, budget) {
                    self.apply(&change);
                    moved = true;
                }
                if self.memory[point] <= budget {
                    return Some(());
                }
            }
            if !moved {
                return None;
            }
        }
    }

    /// Options that free memory at a point, with the bytes freed for the run time added.
    fn moves_that_free(&self, point: usize) -> Vec<(f64, Pick)> {
        let mut moves = Vec::new();
        for decision in 0..self.chosen.len() {
            let holds = self.held(Pick { decision, option: self.chosen[decision] }, point);
            for option in (0..self.problem.decisions[decision].options.len()).filter(|_| holds > 0) {
                let pick = Pick { decision, option };
                if self.held(pick, point) >= holds {
                    continue;
                }
                let Some(change) = self.settle(pick) else { continue };
                let freed = self.freed(&change, point);
                if freed > 0 {
                    moves.push((freed as f64 / self.added(&change).max(f64::MIN_POSITIVE), pick));
                }
            }
        }
        moves
    }

    /// Goes back to cheaper options as long as that fits.
    fn refine(&mut self, budget: u64) {
        for _ in 0..2 {
            for decision in 0..self.chosen.len() {
                let options = &self.problem.decisions[decision].options;
                let mut cheaper: Vec<usize> = (0..options.len())
                    .filter(|&option| options[option].cost < options[self.chosen[decision]].cost)
                    .collect();
                cheaper.sort_by(|&a, &b| options[a].cost.total_cmp(&options[b].cost));
                let found = cheaper.into_iter().find_map(|option| {
                    let change = self.settle(Pick { decision, option })?;
                    (self.added(&change) < 0.0 && self.fits(&change, budget)).then_some(change)
                });
                if let Some(change) = found {
                    self.apply(&change);
                }
            }
        }
    }

    /// Picks an option, and changes others until nothing that is required is missing. Each decision changes once at most.
    fn settle(&self, pick: Pick) -> Option<Move> {
        let mut change = vec![pick];
        let mut next = 0;
        while next < change.len() {
            let pick = change[next];
            for list in &self.option(pick).requires {
                if !self.has_any(list, &change) {
                    let free = list.iter().filter(|p| !is_set(p.decision, &change));
                    change.push(*free.min_by(|a, b| self.step(**a).total_cmp(&self.step(**b)))?);
                }
            }
            for user in &self.users[pick.decision] {
                if self.current(user.decision, &change) == user.option && !self.is_served(*user, &change) {
                    change.push(self.replacement(user.decision, &change)?);
                }
            }
            next += 1;
        }
        Some(change)
    }

    /// The cheapest other option for a decision that misses what it requires.
    fn replacement(&self, decision: usize, change: &[Pick]) -> Option<Pick> {
        if is_set(decision, change) {
            return None;
        }
        let others = (0..self.problem.decisions[decision].options.len()).map(|option| Pick { decision, option });
        let usable = others.filter(|&pick| pick.option != self.chosen[decision]).filter(|&pick| {
            let possible = |p: &Pick| !is_set(p.decision, change) || change.contains(p);
            self.option(pick).requires.iter().all(|list| list.iter().any(possible))
        });
        usable.min_by(|&a, &b| self.step(a).total_cmp(&self.step(b)))
    }

    fn option(&self, pick: Pick) -> &'a crate::problem::Choice {
        &self.problem.decisions[pick.decision].options[pick.option]
    }

    /// What a decision has picked after a change.
    fn current(&self, decision: usize, change: &[Pick]) -> usize {
        change.iter().find(|pick| pick.decision == decision).map_or(self.chosen[decision], |pick| pick.option)
    }

    fn has_any(&self, list: &[Pick], change: &[Pick]) -> bool {
        list.iter().any(|pick| self.current(pick.decision, change) == pick.option)
    }

    fn is_served(&self, pick: Pick, change: &[Pick]) -> bool {
        self.option(pick).requires.iter().all(|list| self.has_any(list, change))
    }

    /// Run time that picking an option adds by itself.
    fn step(&self, pick: Pick) -> f64 {
        self.option(pick).cost - self.old(pick).cost
    }

    fn old(&self, pick: Pick) -> &'a crate::problem::Choice {
        self.option(Pick { decision: pick.decision, option: self.chosen[pick.decision] })
    }

    fn added(&self, change: &[Pick]) -> f64 {
        change.iter().map(|&pick| self.step(pick)).sum()
    }

    /// Bytes an option holds at a point.
    fn held(&self, pick: Pick, point: usize) -> u64 {
        let here = self.option(pick).holds.iter().filter(|hold| hold.first <= point && point <= hold.last);
        here.map(|hold| hold.bytes).sum()
    }

    fn freed(&self, change: &[Pick], point: usize) -> i64 {
        let held = |pick: &Pick| self.held(*pick, point) as i64;
        let was = |pick: &Pick| held(&Pick { decision: pick.decision, option: self.chosen[pick.decision] });
        change.iter().map(|pick| was(pick) - held(pick)).sum()
    }

    /// Whether a change leaves every point within the budget that is.
    fn fits(&self, change: &[Pick], budget: u64) -> bool {
        let mut borders: Vec<(usize, i64)> = Vec::new();
        for &pick in change {
            for (choice, sign) in [(self.option(pick), 1), (self.old(pick), -1)] {
                for hold in &choice.holds {
                    borders.push((hold.first, sign * hold.bytes as i64));
                    borders.push((hold.last + 1, -sign * hold.bytes as i64));
                }
            }
        }
        borders.sort_unstable();
        let mut added = 0;
        for (index, &(first, bytes)) in borders.iter().enumerate() {
            added += bytes;
            let last = borders.get(index + 1).map_or(first, |next| next.0);
            let breaks = |&now: &u64| now <= budget && now + added as u64 > budget;
            if added > 0 && self.memory[first..last].iter().any(breaks) {
                return false;
            }
        }
        true
    }

    fn apply(&mut self, change: &[Pick]) {
        for &pick in change {
            for (choice, put) in [(self.old(pick), false), (self.option(pick), true)] {
                for hold in &choice.holds {
                    for bytes in &mut self.memory[hold.first..=hold.last] {
                        *bytes = if put { *bytes + hold.bytes } else { *bytes - hold.bytes };
                    }
                }
            }
        }
        for pick in change {
            self.chosen[pick.decision] = pick.option;
        }
    }
}

fn is_set(decision: usize, change: &[Pick]) -> bool {
    change.iter().any(|pick| pick.decision == decision)
}
