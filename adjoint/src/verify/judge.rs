//! The driver's figures, read and judged.

use costate_grammar::diag::{Code, Diagnostic};

use super::Point;
use super::driver::Driver;
use super::explain::explain;
use super::figures::{Fault, Figures, Finding, Limits, Order, Pair, Step, Verdict};
use super::findings::{findings, notes};
use super::raw::{Raw, read};
use super::report::HeadReport;

/// The difference of tangent and difference quotient may be so many times what the quotient is off by.
const MARGIN: f64 = 8.0;
/// A quotient that is off by more than this part of the derivative verifies nothing.
const COARSE: f64 = 1e-2;

/// A remainder of this order or a higher one is a right tangent's.
const RIGHT_ORDER: f64 = 1.9;
/// Rounding errors of dot products may be so many times what three samples show.
const CANCELLED: f64 = 32.0;

/// Whether the primal's outputs aren't all numbers.
pub(super) fn is_infinite(output: &str) -> bool {
    output.lines().any(|l| {
        let words: Vec<&str> = l.split_whitespace().collect();
        matches!(words[..], ["finite", _, "0"])
    })
}

/// Whether operations without a number as result weren't trapped, for the primal has some.
pub(super) fn is_untrapped(output: &str) -> bool {
    output.lines().any(|l| l.trim() == "untrapped")
}

/// Variables beside the head's that hold no numbers before the primal and after it.
pub(super) fn unset<'a>(driver: &'a Driver, output: &str) -> Vec<&'a str> {
    let number = |l: &str| l.strip_prefix("unset")?.trim().parse::<usize>().ok()?.checked_sub(1);
    output.lines().filter_map(number).filter_map(|g| driver.others.get(g)).map(String::as_str).collect()
}

/// What a driver was running when it ended.
pub(super) fn running(output: &str) -> Option<&str> {
    output.lines().filter_map(|l| l.strip_prefix("now ")).next_back()
}

/// Judges what a driver wrote.
pub(super) fn judge(driver: &Driver, output: &str) -> Result<HeadReport, Box<Diagnostic>> {
    let failed = |message: String| Diagnostic::error(Code::CheckDriver, driver.procedure, message);
    let raw =
        read(output).ok_or_else(|| Box::new(failed(format!("the figures of `{}` can't be read", driver.head))))?;
    if let Some(how) = &raw.broken {
        let message = format!("the derivatives of `{}` are wrong: {how}", driver.head);
        return Err(Box::new(Diagnostic::error(Code::CheckFailed, driver.procedure, message)));
    }
    if let Some(why) = &raw.gave_up {
        return Err(Box::new(failed(format!("`{}` can't be checked: {why}", driver.head))));
    }
    if !raw.infinite.is_empty() {
        let names: Vec<String> =
            raw.infinite.iter().filter_map(|g| driver.outputs.get(g - 1)).map(|n| format!("`{n}`")).collect();
        return Err(Box::new(
            failed(format!("`{}` gives no finite numbers at the values that were drawn", driver.head))
                .reason(format!("the primal leaves NaN or infinity in {}", names.join(", ")))
                .help(
                    "give values within its range with `--value x=0.5` or `--value x=10:20`, and sizes with `--size`",
                ),
        ));
    }
    if !raw.complete {
        let what = running(output).unwrap_or("driver");
        return Err(Box::new(
            failed(format!("the {what} of `{}` stops the program", driver.head))
                .reason("a check needs it to return")
                .help("give values with which it doesn't stop (`--value`, `--size`), or name procedures that set up modules with `--setup`"),
        ));
    }
    Ok(report(driver, &raw))
}

fn report(driver: &Driver, raw: &Raw) -> HeadReport {
    let (nx, ny) = (driver.inputs.len(), driver.outputs.len());
    // A single group stands for the whole, and was run once.
    let x_of = |i: usize| if nx == 1 { 1 } else { i };
    let y_of = |j: usize| if ny == 1 { 1 } else { j };
    let all = |i: usize, j: usize| judge_pair(raw, x_of(i), y_of(j), &Limits::at(driver, j));
    let whole = all(0, 0);
    let mut pairs = Vec::new();
    for (i, input) in driver.inputs.iter().enumerate() {
        for (j, output) in driver.outputs.iter().enumerate() {
            pairs.push(Pair { input: input.clone(), output: output.clone(), figures: all(i + 1, j + 1) });
        }
    }
    let mut findings = findings(driver, raw);
    let steps = raw.steps.get(&(x_of(0), y_of(0))).cloned().unwrap_or_default();
    let verdicts: Vec<Verdict> =
        std::iter::once(&whole).chain(pairs.iter().map(|p| &p.figures)).map(|f| f.verdict).collect();
    if verdicts.iter().all(|v| *v == Verdict::NoInfluence) {
        findings.push(Finding {
            wrong: false,
            message: "no input has any influence on any output: nothing is verified".to_string(),
        });
    } else if !verdicts.contains(&Verdict::Right) && !verdicts.contains(&Verdict::Wrong) {
        let message = "rounding errors of the outputs hide all derivatives: nothing is verified";
        findings.push(Finding { wrong: false, message: message.to_string() });
    }
    let explanations = explain(driver, raw, &pairs, &whole);
    let passed = !verdicts.contains(&Verdict::Wrong) && findings.is_empty();
    let notes = notes(driver, raw);
    HeadReport {
        point: Point::default(),
        name: driver.head.clone(),
        whole,
        pairs,
        findings,
        explanations,
        notes,
        taylor_table: steps,
        passed,
        values: raw.values.clone(),
    }
}

fn judge_pair(raw: &Raw, i: usize, j: usize, limits: &Limits) -> Figures {
    let [value, slope, _] = raw.norms.get(&(i, j)).copied().unwrap_or([f64::NAN; 3]);
    let steps = raw.steps.get(&(i, j)).map_or(&[][..], Vec::as_slice);
    let [gap, bound, noise_of_primal] = raw.quotients.get(&(i, j)).copied().unwrap_or([f64::NAN; 3]);
    let [forward, reverse, forward_size, reverse_size, noise, quotient] =
        raw.dots.get(&(i, j)).copied().unwrap_or([f64::NAN; 6]);
    // Sensitivities are relative to natural sizes, so what is at rounding level of the largest is none.
    let top = raw.dots.values().map(|d| d[2].max(d[3])).fold(0.0, f64::max);
    let size = forward_size.max(reverse_size);
    let dot_error = if size == 0.0 { 0.0 } else { (forward - reverse).abs() / size };
    // Rounding errors of the large blocks reach the small ones.
    let right_dot =
        dot_error <= limits.dot || (forward - reverse).abs() <= (16.0 * limits.epsilon * top).min(1e-6 * size);
    // Terms that cancel leave rounding errors of their own size: nothing is known of the rest.
    let cancelled = !right_dot && (forward - reverse).abs() <= CANCELLED * noise;
    let (order, rate) = order(steps, value, slope, (limits, noise_of_primal));
    // Where the derivative is zero (influence comes with larger steps, past a kink), the outputs' natural size is all
    // there is to compare with.
    let measure = if slope == 0.0 { 1.0 } else { slope };
    let resolution = MARGIN * bound / measure;
    // A quotient that is sharp leaves no room for a wrong tangent. Where the remainder has another order nevertheless, a
    // kink lies within the larger steps, or rounding errors are larger than usual.
    let right_order = match order {
        // What a wrong tangent leaves falls like its error; a kink within the larger steps leaves more than that.
        Order::Power(p) => p >= RIGHT_ORDER || resolution <= limits.sharp || rate > gap + MARGIN * bound,
        Order::Linear | Order::Unclear => true,
    };
    // NaN fails every comparison, and so passes none.
    let right_tangent = right_order && gap <= MARGIN * bound;
    let agree = right_dot || cancelled;
    let right = agree && right_tangent;
    let rounding = (64.0 * limits.epsilon * top).max(CANCELLED * noise);
    let verdict = if !influence(steps, size, rounding, limits.epsilon * value.max(1.0)) {
        Verdict::NoInfluence
    } else if !right {
        Verdict::Wrong
    } else if resolution <= COARSE && !cancelled {
        Verdict::Right
    } else {
        Verdict::Hidden
    };
    let confirmed = (reverse - quotient).abs() <= MARGIN * bound + limits.dot * size;
    let fault = match (verdict, right_tangent, agree) {
        (Verdict::Right | Verdict::NoInfluence | Verdict::Hidden, ..) => None,
        (Verdict::Wrong, true, _) if resolution <= COARSE => Some(Fault::Adjoint),
        (Verdict::Wrong, true, _) => Some(Fault::Either),
        (Verdict::Wrong, false, true) => Some(Fault::Same),
        (Verdict::Wrong, false, false) if confirmed && resolution <= COARSE => Some(Fault::Tangent),
        (Verdict::Wrong, false, false) => Some(Fault::Both),
    };
    Figures {
        order,
        tangent_error: gap / measure,
        tangent_resolution: resolution,
        dot_error,
        forward,
        reverse,
        verdict,
        fault,
    }
}

/// Whether the inputs have an influence on the outputs, by derivatives or by differences.
fn influence(steps: &[Step], size: f64, rounding: f64, noise: f64) -> bool {
    let moved = steps.iter().map(|s| s.slope).fold(0.0, f64::max);
    // A difference of rounding errors over a small step can look large: the largest step tells best.
    let still = steps.first().is_none_or(|s| s.slope * s.h <= 64.0 * noise) || moved == 0.0;
    !(size <= rounding && still)
}

/// The order with which the remainder falls, from the smallest steps at which it stands clear of rounding, and what is left
/// of it at the smallest of these, as part of the step.
fn order(steps: &[Step], value: f64, slope: f64, (limits, noise_of_primal): (&Limits, f64)) -> (Order, f64) {
    // The largest steps may leave the primal's domain.
    let domain = steps.iter().position(|s| !s.remainder.is_nan()).unwrap_or(0);
    let steps = &steps[domain..];
    let Some(first) = steps.first() else { return (Order::Unclear, 0.0) };
    if steps.iter().any(|s| s.remainder.is_nan()) {
        return (Order::Power(f64::NAN), 0.0);
    }
    let rounding = limits.epsilon * (value + first.h * slope).max(f64::MIN_POSITIVE);
    if first.remainder <= 200.0 * rounding {
        return (Order::Linear, 0.0);
    }
    // The smallest steps show rounding errors alone, which cancellation can make larger than they should be.
    let mut smallest: Vec<f64> = steps.iter().rev().take(4).map(|s| s.remainder).collect();
    smallest.sort_by(f64::total_cmp);
    let noise = smallest[smallest.len() / 2].max(rounding).max(noise_of_primal);
    let clear: Vec<&[Step]> = steps.windows(2).filter(|p| p[1].remainder > 50.0 * noise).collect();
    let Some(smallest) = clear.last() else { return (Order::Unclear, 0.0) };
    let power = |p: &&[Step]| (p[0].remainder / p[1].remainder).ln() / (p[0].h / p[1].h).ln();
    let last: Vec<f64> = clear[clear.len().saturating_sub(3)..].iter().map(power).collect();
    (limit(&last), smallest[1].remainder / smallest[1].h)
}

/// The limit of the orders from steps that shrink: their median, for one may be off. What a wrong tangent leaves is of
/// order 1, so orders fall then; where they rise, terms of higher order still count in the larger steps.
fn limit(orders: &[f64]) -> Order {
    let mut sorted = orders.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (Some(&median), Some(&smallest)) = (sorted.get(sorted.len() / 2), orders.last()) else {
        return Order::Unclear;
    };
    let rising = orders.len() > 1 && orders.windows(2).all(|p| p[0] < p[1]);
    match rising {
        true if smallest >= RIGHT_ORDER => Order::Power(smallest),
        true if smallest >= 1.5 => Order::Unclear,
        _ => Order::Power(median),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_that_rise_are_those_of_the_smallest_steps() {
        // What `split_calls` gives with small values, a kink that one step leaps over, and wrong tangents.
        assert_eq!(limit(&[1.50, 1.83, 1.95]), Order::Power(1.95));
        assert_eq!(limit(&[2.0, 1.2, 2.0]), Order::Power(2.0));
        assert_eq!(limit(&[1.2, 1.4, 1.7]), Order::Unclear);
        assert_eq!(limit(&[1.9, 1.6, 1.2]), Order::Power(1.6));
        assert_eq!(limit(&[-0.5, 0.7, 0.95]), Order::Power(0.7));
        assert_eq!(limit(&[1.0]), Order::Power(1.0));
        assert_eq!(limit(&[]), Order::Unclear);
    }
}
