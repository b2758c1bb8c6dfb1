//! The linear programme in binaries that a [`Problem`] is for a solver.

use std::collections::BTreeMap;

use crate::problem::{Decision, Pick, Problem};

/// Minimise the cost of the columns subject to the rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct Programme {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Column {
    pub(crate) cost: f64,
    /// Zero is the lower bound of all columns.
    pub(crate) upper: f64,
    pub(crate) is_integer: bool,
}

/// A weighted sum of columns and its bounds.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) terms: Vec<(usize, f64)>,
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// What is minimised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Objective {
    /// Run time, with the memory at every point within this many bytes.
    Cost(u64),
    /// Peak memory.
    Peak,
}

/// Memory is counted in this part of the budget (or of the largest size), and run time in this part of the largest cost,
/// which keeps coefficients where the tolerances of the solvers (around 1e-7) mean little.
const PARTS: f64 = 1e3;

/// A programme with what its columns mean.
pub(crate) struct Formulation<'a> {
    problem: &'a Problem,
    objective: Objective,
    pub(crate) programme: Programme,
    /// The column of the first option of every decision.
    first: Vec<usize>,
    /// The columns that bound the memory at a point, with the point.
    levels: Vec<(usize, usize)>,
    /// The column of the peak memory, where that is minimised.
    peak: Option<usize>,
    /// What one unit of the objective stands for.
    pub(crate) unit: f64,
    /// Bytes in one unit of memory.
    bytes: f64,
}

impl<'a> Formulation<'a> {
    pub(crate) fn new(problem: &'a Problem, objective: Objective) -> Self {
        let mut first = Vec::with_capacity(problem.decisions.len());
        let mut columns = 0;
        for decision in &problem.decisions {
            first.push(columns);
            columns += decision.options.len();
        }
        let bytes = match objective {
            Objective::Cost(budget) => budget,
            Objective::Peak => largest_size(problem),
        };
        let bytes = bytes.max(1) as f64 / PARTS;
        let unit = match objective {
            Objective::Cost(_) => largest_cost(problem) / PARTS,
            Objective::Peak => bytes,
        };
        let programme = Programme::default();
        let mut formulation =
            Formulation { problem, objective, programme, first, levels: Vec::new(), peak: None, unit, bytes };
        formulation.picks();
        formulation.memory();
        formulation
    }

    /// One column for each option; one option of each decision; what options require.
    fn picks(&mut self) {
        for (decision, data) in self.problem.decisions.iter().enumerate() {
            for option in &data.options {
                let cost = if self.objective == Objective::Peak { 0.0 } else { option.cost / self.unit };
                self.column(Column { cost, upper: 1.0, is_integer: true });
            }
            let terms = (0..data.options.len()).map(|option| (self.first[decision] + option, 1.0)).collect();
            self.programme.rows.push(Row { terms, lower: 1.0, upper: 1.0 });
        }
        for decision in 0..self.problem.decisions.len() {
            self.requirements(decision);
        }
    }

    /// Options with the same requirement share a row, which cuts off more fractional points than a row for each.
    fn requirements(&mut self, decision: usize) {
        let options = &self.problem.decisions[decision].options;
        let mut lists: Vec<&Vec<Pick>> = options.iter().flat_map(|option| &option.requires).collect();
        lists.sort();
        lists.dedup();
        for list in lists {
            let with = (0..options.len()).filter(|&option| options[option].requires.contains(list));
            let mut terms: Vec<(usize, f64)> = with.map(|option| (self.first[decision] + option, -1.0)).collect();
            let mut any: Vec<usize> = list.iter().map(|pick| self.first[pick.decision] + pick.option).collect();
            any.sort_unstable();
            any.dedup();
            terms.extend(any.into_iter().map(|column| (column, 1.0)));
            self.programme.rows.push(Row { terms, lower: 0.0, upper: f64::INFINITY });
        }
    }

    /// The memory at every point that matters.
    ///
    /// A row for each point that sums all that is held there would have a number of terms that grows with the square of
    /// the number of values. So the memory at a point is a column of its own, and a row says how it differs from that at
    /// the point before; it may be overestimated, which no plan gains from.
    fn memory(&mut self) {
        if self.objective == Objective::Peak {
            self.peak = Some(self.column(Column { cost: 1.0, upper: f64::INFINITY, is_integer: false }));
        }
        let changes = self.changes();
        let matters = self.matters(&changes);
        let mut pending: BTreeMap<usize, i64> = BTreeMap::new();
        for (point, changes) in changes.iter().enumerate().take(matters.len()) {
            for &(column, bytes) in changes {
                *pending.entry(column).or_default() += bytes;
            }
            if matters[point] {
                self.level(point, std::mem::take(&mut pending));
            }
        }
    }

    /// The column for the memory at a point, given what changes from the one before.
    fn level(&mut self, point: usize, changes: BTreeMap<usize, i64>) {
        let base = self.problem.points[point].bytes as f64 / self.bytes;
        let upper = match self.objective {
            Objective::Cost(budget) => budget as f64 / self.bytes - base,
            Objective::Peak => f64::INFINITY,
        };
        let level = self.column(Column { cost: 0.0, upper, is_integer: false });
        let changes = changes.into_iter().filter(|change| change.1 != 0);
        let mut terms: Vec<(usize, f64)> = changes.map(|(column, bytes)| (column, bytes as f64 / self.bytes)).collect();
        terms.extend(self.levels.last().map(|&(before, _)| (before, 1.0)));
        terms.push((level, -1.0));
        self.programme.rows.push(Row { terms, lower: f64::NEG_INFINITY, upper: 0.0 });
        if let Some(peak) = self.peak {
            let terms = vec![(level, 1.0), (peak, -1.0)];
            self.programme.rows.push(Row { terms, lower: f64::NEG_INFINITY, upper: -base });
        }
        self.levels.push((level, point));
    }

    /// The bytes by which the memory at a point differs from that at the point before, for the options that differ.
    fn changes(&self) -> Vec<Vec<(usize, i64)>> {
        let mut changes = vec![Vec::new(); self.problem.points.len() + 1];
        for (data, first) in self.problem.decisions.iter().zip(&self.first) {
            for (option, choice) in data.options.iter().enumerate() {
                for hold in &choice.holds {
                    changes[hold.first].push((first + option, hold.bytes as i64));
                    changes[hold.last + 1].push((first + option, -(hold.bytes as i64)));
                }
            }
        }
        changes
    }

    /// Whether the memory at a point has to be looked at: under some plan it is over the budget, and no neighbour holds
    /// at least as much under every plan.
    fn matters(&self, changes: &[Vec<(usize, i64)>]) -> Vec<bool> {
        let points = &self.problem.points;
        let rises =
            |at: usize| changes[at].iter().any(|change| change.1 > 0) || points[at].bytes > points[at - 1].bytes;
        let falls =
            |at: usize| changes[at].iter().any(|change| change.1 < 0) || points[at].bytes < points[at - 1].bytes;
        let is_maximal = |at: usize| {
            let below_next = at + 1 < points.len() && !falls(at + 1);
            let below_last = at > 0 && falls(at) && !rises(at);
            !below_next && !below_last
        };
        let most = self.most(changes);
        let can_bind = |at: usize| match self.objective {
            Objective::Cost(budget) => most[at] > budget,
            Objective::Peak => true,
        };
        (0..points.len()).map(|at| is_maximal(at) && can_bind(at)).collect()
    }

    /// The memory at every point if each decision took its largest option there.
    fn most(&self, changes: &[Vec<(usize, i64)>]) -> Vec<u64> {
        let mut held: Vec<Vec<i64>> = self.problem.decisions.iter().map(|data| vec![0; data.options.len()]).collect();
        let mut largest = vec![0; held.len()];
        let mut sum = 0;
        let mut most = Vec::with_capacity(self.problem.points.len());
        for (point, changes) in self.problem.points.iter().zip(changes) {
            for &(column, bytes) in changes {
                let decision = self.first.partition_point(|&first| first <= column) - 1;
                held[decision][column - self.first[decision]] += bytes;
                let now = held[decision].iter().copied().max().unwrap_or(0);
                sum += now - largest[decision];
                largest[decision] = now;
            }
            most.push(point.bytes + sum as u64);
        }
        most
    }

    /// The values of the columns for a plan.
    pub(crate) fn values(&self, chosen: &[usize]) -> Vec<f64> {
        let mut values = vec![0.0; self.programme.columns.len()];
        for (first, option) in self.first.iter().zip(chosen) {
            values[first + option] = 1.0;
        }
        let memory = self.problem.memory(chosen);
        for &(column, point) in &self.levels {
            values[column] = (memory[point] - self.problem.points[point].bytes) as f64 / self.bytes;
        }
        if let Some(peak) = self.peak {
            values[peak] = memory.into_iter().max().unwrap_or(0) as f64 / self.bytes;
        }
        values
    }

    /// The plan that values of the columns stand for.
    pub(crate) fn chosen(&self, values: &[f64]) -> Vec<usize> {
        let pick = |(data, &first): (&Decision, &usize)| {
            (0..data.options.len()).max_by(|&a, &b| values[first + a].total_cmp(&values[first + b])).unwrap_or(0)
        };
        self.problem.decisions.iter().zip(&self.first).map(pick).collect()
    }

    fn column(&mut self, column: Column) -> usize {
        self.programme.columns.push(column);
        self.programme.columns.len() - 1
    }
}

fn largest_size(problem: &Problem) -> u64 {
    let holds = problem.decisions.iter().flat_map(|decision| &decision.options).flat_map(|option| &option.holds);
    holds.map(|hold| hold.bytes).chain(problem.points.iter().map(|point| point.bytes)).max().unwrap_or(0)
}

/// One where nothing costs anything.
fn largest_cost(problem: &Problem) -> f64 {
    let options = problem.decisions.iter().flat_map(|decision| &decision.options);
    let largest = options.map(|option| option.cost).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { 1.0 }
}
