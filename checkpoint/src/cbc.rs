//! Integer programmes solved by CBC: J. Forrest and R. Lougee-Heimer, "CBC User Guide", INFORMS TutORials 2005.
//!
//! CBC is not thread-safe: its feature `singlethread-cbc` puts a lock around every solve. Without it, solves at the same
//! time gave wrong optima.

use coin_cbc::raw::SecondaryStatus;
use coin_cbc::{Col, Model, Sense};

use crate::programme::Programme;
use crate::solver::{Answer, Limits};

/// Minimises, beginning from the values of a solution if there is one.
pub(crate) fn solve(programme: &Programme, start: Option<&[f64]>, limits: &Limits) -> Result<Answer, String> {
    let (mut model, columns) = model(programme);
    model.set_parameter("ratioGap", &limits.gap.to_string());
    model.set_parameter("maxNodes", &limits.nodes.to_string());
    if let Some(start) = start {
        columns.iter().zip(start).for_each(|(&column, &value)| model.set_col_initial_solution(column, value));
    }
    let solution = model.solve();
    let raw = solution.raw();
    if raw.is_abandoned() {
        return Err("CBC gave up for numerical reasons".to_string());
    }
    // When the search is complete, its bound may be left as it was before the last nodes. A relaxation that is infeasible
    // is one with the cost of the start as a limit: nothing is better.
    let ended = raw.secondary_status();
    let is_complete = raw.is_proven_optimal()
        && matches!(ended, SecondaryStatus::HasSolution | SecondaryStatus::LinearRelaxationInfeasible);
    let has_solution = raw.obj_value().abs() < 1e30 && !raw.is_proven_infeasible();
    Ok(Answer {
        values: has_solution.then(|| columns.iter().map(|&column| solution.col(column)).collect()),
        bound: if is_complete { raw.obj_value() } else { raw.best_possible_value() },
        out_of_nodes: ended == SecondaryStatus::StoppedOnNodes,
    })
}

fn model(programme: &Programme) -> (Model, Vec<Col>) {
    let mut model = Model::default();
    // Nothing is to be printed; the second also silences what is said about the start.
    model.set_parameter("log", "0");
    model.set_parameter("slog", "0");
    model.set_log_level(0);
    model.set_obj_sense(Sense::Minimize);
    let mut columns = Vec::with_capacity(programme.columns.len());
    for column in &programme.columns {
        let col = if column.is_integer { model.add_integer() } else { model.add_col() };
        model.set_col_upper(col, column.upper);
        model.set_obj_coeff(col, column.cost);
        columns.push(col);
    }
    for data in &programme.rows {
        let row = model.add_row();
        model.set_row_lower(row, data.lower);
        model.set_row_upper(row, data.upper);
        for &(column, weight) in &data.terms {
            model.set_weight(row, columns[column], weight);
        }
    }
    (model, columns)
}
