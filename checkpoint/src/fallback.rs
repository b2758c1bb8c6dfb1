//! Integer programmes solved by microlp, which is in Rust: for machines without CBC.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOptions, TerminationReason, Variable};

use crate::programme::{Programme, Row};
use crate::solver::{Answer, Limits};

/// Minimises, beginning from the values of a solution if there is one.
pub(crate) fn solve(programme: &Programme, start: Option<&[f64]>, limits: &Limits) -> Result<Answer, String> {
    let (problem, variables) = problem(programme);
    let mut options = SolveOptions::default();
    options.mip_gap = limits.gap;
    options.node_limit = Some(limits.nodes);
    options.warm_start = start.map(|start| variables.iter().copied().zip(start.iter().copied()).collect());
    let outcome = match problem.solve_with(options) {
        Ok(outcome) => outcome,
        Err(microlp::Error::Infeasible) => return Ok(Answer { values: None, bound: 0.0, out_of_nodes: false }),
        Err(error) => return Err(error.to_string()),
    };
    let out_of_nodes = outcome.termination_reason() == TerminationReason::NodeLimit;
    let solution = outcome.solution();
    let proven = solution.filter(|_| outcome.is_optimal()).map(|solution| solution.objective());
    Ok(Answer {
        values: solution.map(|solution| variables.iter().map(|&variable| solution.var_value(variable)).collect()),
        bound: proven.or(outcome.stats().best_bound).unwrap_or(0.0),
        out_of_nodes,
    })
}

fn problem(programme: &Programme) -> (Problem, Vec<Variable>) {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let mut variables = Vec::with_capacity(programme.columns.len());
    for column in &programme.columns {
        variables.push(match column.is_integer {
            true => problem.add_binary_var(column.cost),
            false => problem.add_var(column.cost, (0.0, column.upper)),
        });
    }
    for row in &programme.rows {
        let terms = || row.terms.iter().map(|&(column, weight)| (variables[column], weight));
        match *row {
            Row { lower, upper, .. } if lower == upper => problem.add_constraint(terms(), ComparisonOp::Eq, upper),
            Row { lower, .. } if lower.is_finite() => problem.add_constraint(terms(), ComparisonOp::Ge, lower),
            Row { upper, .. } => problem.add_constraint(terms(), ComparisonOp::Le, upper),
        }
    }
    (problem, variables)
}
