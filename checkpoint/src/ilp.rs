//! The plan of least added run time within a memory budget, by integer programming.

use serde::{Deserialize, Serialize};

use crate::greedy::greedy;
use crate::problem::{Problem, ProblemError};
use crate::programme::{Formulation, Objective};
use crate::solve::solve;
pub use crate::solver::{Limits, Solver};

/// A plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The option of every decision.
    pub chosen: Vec<usize>,
    /// Added run time.
    pub cost: f64,
    /// Peak memory in bytes.
    pub peak: u64,
    /// The first point that has it.
    pub peak_at: usize,
    /// No plan within the budget adds less run time than this.
    pub bound: f64,
    /// The relative difference between `cost` and `bound`.
    pub gap: f64,
    /// Why the search ended.
    pub stopped: Stopped,
    /// What searched.
    pub solver: Solver,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stopped {
    /// The plan is proven to be the best.
    Optimal,
    /// The gap is small enough.
    Gap,
    /// All nodes that were allowed were used.
    NodeLimit,
    /// The solver gave up; the plan is what simple moves found.
    Failure,
}

/// The plan of least peak memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Least {
    /// The option of every decision.
    pub chosen: Vec<usize>,
    /// Its peak memory in bytes.
    pub peak: u64,
    /// The first point that has it.
    pub peak_at: usize,
    /// No plan needs less than this.
    pub bound: u64,
}

/// Why there is no plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The problem is meaningless.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// The budget is too small.
    #[error("no plan was found within {budget} bytes; the least that works is {} bytes, at {at}{}", least.peak, unproven(least))]
    Budget {
        /// The budget.
        budget: u64,
        /// What works.
        least: Box<Least>,
        /// The name of the point with the peak memory of what works.
        at: String,
    },
    /// The options of decisions exclude each other, or the solver failed.
    #[error("no plan was found: {0}")]
    NoPlan(String),
}

fn unproven(least: &Least) -> String {
    match least.bound < least.peak {
        true => format!(" (the search was not complete; less than {} bytes is impossible)", least.bound),
        false => String::new(),
    }
}

/// Finds the plan of least added run time within a budget of peak memory in bytes, if there is one.
///
/// The plan is never worse than that of [`greedy`], the same for the same problem on every machine, and its gap and bound
/// say how good it is.
pub fn plan(problem: &Problem, budget: Option<u64>, limits: &Limits) -> Result<Plan, PlanError> {
    problem.check()?;
    let budget = budget.unwrap_or(u64::MAX >> 1);
    let floor = problem.decisions.iter().map(|decision| least_of(decision.options.iter().map(|o| o.cost))).sum();
    let mut search =
        Search { problem, budget, best: greedy(problem, budget), bound: floor, stopped: Stopped::Gap, failure: None };
    search.improve(limits);
    if search.best.is_none() {
        search.best = Some(search.smallest(limits)?);
        search.improve(limits);
    }
    search.plan(limits.solver)
}

/// Finds the plan of least peak memory.
pub fn least_peak(problem: &Problem, limits: &Limits) -> Result<Least, PlanError> {
    problem.check()?;
    let start = smallest_greedy(problem);
    let form = Formulation::new(problem, Objective::Peak);
    let values = start.as_ref().map(|start| form.values(start));
    let limits = Limits { gap: 0.0, ..*limits };
    let answer = solve(&form.programme, values.as_deref(), &limits);
    let (found, bound) = match answer {
        Ok(answer) => (answer.values.map(|values| form.chosen(&values)), answer.bound * form.unit),
        Err(error) if start.is_none() => return Err(PlanError::NoPlan(error)),
        Err(_) => (None, 0.0),
    };
    let found = found.filter(|chosen| problem.is_complete(chosen));
    let best = start.into_iter().chain(found).min_by_key(|chosen| problem.peak(chosen).0);
    let Some(chosen) = best else {
        return Err(PlanError::NoPlan("the options of its decisions exclude each other".to_string()));
    };
    let (peak, peak_at) = problem.peak(&chosen);
    let floor = problem.points.iter().map(|point| point.bytes).max().unwrap_or(0);
    // Memory comes in whole bytes; a bound is worth a little less than the solver's tolerance.
    let bound = ((bound * (1.0 - 1e-9)).ceil().max(0.0) as u64).clamp(floor, peak);
    Ok(Least { chosen, peak, peak_at, bound })
}

/// The plan of simple moves for about the least budget for which they find one.
fn smallest_greedy(problem: &Problem) -> Option<Vec<usize>> {
    let mut best = greedy(problem, u64::MAX >> 1)?;
    let mut works = problem.peak(&best).0;
    let mut fails = 0;
    // A plan may need less than a budget for which no plan was found.
    while works.saturating_sub(fails) > works / 64 + 1 {
        let budget = fails + (works - fails) / 2;
        match greedy(problem, budget) {
            Some(chosen) => {
                works = problem.peak(&chosen).0;
                best = chosen;
            }
            None => fails = budget,
        }
    }
    Some(best)
}

/// The best plan so far, and what is known about better ones.
struct Search<'a> {
    problem: &'a Problem,
    budget: u64,
    best: Option<Vec<usize>>,
    bound: f64,
    stopped: Stopped,
    failure: Option<String>,
}

impl Search<'_> {
    /// Asks the solver. Its arithmetic is not exact, so a plan over the budget is possible: then it is asked for one that
    /// is smaller by as much.
    fn improve(&mut self, limits: &Limits) {
        let mut target = self.budget;
        for _ in 0..4 {
            let form = Formulation::new(self.problem, Objective::Cost(target));
            let fitting = self.best.as_ref().filter(|best| self.problem.peak(best).0 <= target);
            let start = fitting.map(|best| form.values(best));
            let answer = match solve(&form.programme, start.as_deref(), limits) {
                Ok(answer) => answer,
                Err(error) => {
                    self.stopped = Stopped::Failure;
                    self.failure = Some(error);
                    return;
                }
            };
            self.stopped = if answer.out_of_nodes { Stopped::NodeLimit } else { Stopped::Gap };
            let Some(chosen) = answer.values.map(|values| form.chosen(&values)) else { return };
            if target == self.budget {
                self.bound = self.bound.max(answer.bound * form.unit);
            }
            let over = self.problem.peak(&chosen).0.saturating_sub(self.budget);
            if over == 0 {
                return self.take(chosen);
            }
            target = target.saturating_sub(over);
        }
    }

    /// Takes a plan that is better than the best so far.
    fn take(&mut self, chosen: Vec<usize>) {
        let is_better = |best: &Vec<usize>| self.problem.cost(&chosen) < self.problem.cost(best);
        if self.problem.is_complete(&chosen) && self.best.as_ref().is_none_or(is_better) {
            self.best = Some(chosen);
        }
    }

    /// The plan of least peak memory, if that is within the budget.
    fn smallest(&self, limits: &Limits) -> Result<Vec<usize>, PlanError> {
        let least = least_peak(self.problem, limits)?;
        if least.peak <= self.budget {
            return Ok(least.chosen);
        }
        let at = self.problem.points.get(least.peak_at).map(|point| point.name.clone()).unwrap_or_default();
        Err(PlanError::Budget { budget: self.budget, least: Box::new(least), at })
    }

    fn plan(self, solver: Solver) -> Result<Plan, PlanError> {
        let chosen = self.best.ok_or_else(|| PlanError::NoPlan(self.failure.unwrap_or_default()))?;
        let cost = self.problem.cost(&chosen);
        let (peak, peak_at) = self.problem.peak(&chosen);
        let bound = self.bound.min(cost);
        let gap = if cost > 0.0 { (cost - bound) / cost } else { 0.0 };
        let stopped = if gap < 1e-9 { Stopped::Optimal } else { self.stopped };
        Ok(Plan { chosen, cost, peak, peak_at, bound, gap, stopped, solver })
    }
}

fn least_of(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(f64::INFINITY, f64::min)
}
