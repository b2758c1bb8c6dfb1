//! What is wrong beside the figures, and what a reader of them must know.

use super::driver::Driver;
use super::figures::{Finding, Limits};
use super::raw::Raw;

/// What a reader of the figures must know.
pub(super) fn notes(driver: &Driver, raw: &Raw) -> Vec<String> {
    let mut out = driver.coarse.clone();
    if raw.stateful {
        let text = "a run leaves values behind that change the next one: each was given the same state to start from, and \
                    two runs of the adjoint weren't compared";
        out.push(text.to_string());
    }
    for name in driver.others.iter().zip(&driver.unsteady).filter(|(_, u)| **u).map(|(name, _)| name) {
        out.push(format!(
            "`{name}` isn't compared: it may hold another value each time the primal runs, as clocks do, and what each thread \
             has of its own"
        ));
    }
    out
}

/// NaN is within no limit.
fn within(figure: f64, limit: f64) -> bool {
    figure <= limit
}

/// What is wrong beside the figures.
pub(super) fn findings(driver: &Driver, raw: &Raw) -> Vec<Finding> {
    let mut out: Vec<Finding> = Vec::new();
    let mut add = |wrong: bool, message: String| {
        if !out.iter().any(|f| f.message == message) {
            out.push(Finding { wrong, message });
        }
    };
    for (&(input, g), &size) in &raw.sizes {
        let name = if input { &driver.inputs[g - 1] } else { &driver.outputs[g - 1] };
        if size == 0 {
            add(
                false,
                format!(
                    "`{name}` has no elements: give a size to what its bounds depend on (`--size n=8`), or to it (`--size {name}=8`)"
                ),
            );
        }
    }
    for ((_, j), norms) in &raw.norms {
        let [value, slope, change] = norms;
        let limits = Limits::at(driver, *j);
        if *j > 0 && !within(*change, 1e4 * limits.epsilon * value.max(1.0) + limits.dot * slope.min(1.0)) {
            add(true, format!("the tangent computes another value of `{}` than the primal", driver.outputs[j - 1]));
        }
    }
    for (g, difference) in &raw.kept {
        if !within(*difference, 1e4 * Limits::at(driver, *g).epsilon) {
            add(true, format!("the adjoint doesn't keep the primal's value of `{}`", driver.outputs[g - 1]));
        }
    }
    let coarsest = 1e4 * Limits::of(driver.coarsest).epsilon;
    let other = |g: usize| driver.others.get(g - 1).map_or("", String::as_str);
    let compared = |g: usize| driver.unsteady.get(g - 1) != Some(&true);
    for (g, _) in raw.others.iter().filter(|(g, off)| compared(*g) && !within(*off, coarsest)) {
        add(true, format!("the tangent leaves another value in `{}` than the primal", other(*g)));
    }
    for (g, _) in raw.others_kept.iter().filter(|(g, off)| compared(*g) && !within(*off, coarsest)) {
        add(true, format!("the adjoint doesn't keep the primal's value of `{}`", other(*g)));
    }
    let assigned = |g: usize| driver.assigned.get(g - 1) == Some(&true);
    for (g, _) in raw.disturbed.iter().filter(|(g, off)| *off != 0.0 && !assigned(*g)) {
        add(true, format!("the adjoint changes `{}`, which the primal leaves as it is", other(*g)));
    }
    for (g, size, difference) in &raw.repeated {
        if !within(*difference, Limits::at(driver, *g).dot * size) {
            add(true, format!("a second run of the tangent gives another derivative of `{}`", driver.outputs[g - 1]));
        }
    }
    for (g, left) in &raw.left {
        if *left != 0.0 {
            add(true, format!("the adjoint of the output `{}` isn't zero on exit", driver.outputs[g - 1]));
        }
    }
    // Adjoints of inputs are kept in the inputs' kinds.
    let limits = Limits::of(driver.coarsest);
    // What adds up to nothing leaves rounding errors, which come out otherwise where threads add.
    let rounding = 64.0 * limits.epsilon * raw.again.iter().map(|(_, size, _)| *size).fold(0.0, f64::max);
    for (g, size, difference) in &raw.again {
        if !within(*difference, (limits.dot * size).max(rounding)) {
            add(true, format!("a second run of the adjoint gives another adjoint of `{}`", driver.inputs[g - 1]));
        }
    }
    for (g, size, difference) in &raw.increment {
        if !within(*difference, limits.dot * size) {
            add(
                true,
                format!(
                    "the adjoint of `{}` isn't increased by its increment: what it held on entry is lost",
                    driver.inputs[g - 1]
                ),
            );
        }
    }
    out
}
