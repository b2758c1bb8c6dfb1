//! The driver's figures: read and judged.

use std::collections::BTreeMap;

use costate_grammar::diag::{Code, Diagnostic};
use serde::Serialize;

use super::driver::Driver;
use super::report::HeadReport;

/// Steps tried with one input group and one output group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The step h.
    pub h: f64,
    /// Size of f(x+hd) - f(x) - h f'd, relative to the outputs' natural size.
    pub remainder: f64,
    /// Size of the difference between central difference and tangent.
    pub central: f64,
    /// Size of the central difference.
    pub slope: f64,
}

/// How the Taylor remainder shrinks with the step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "order")]
pub enum Order {
    /// With this power.
    Power(f64),
    /// It is rounding error at every step: the function is linear in this direction.
    Linear,
    /// It is not above rounding error at enough steps to tell.
    Unclear,
}

/// Figures of one input group (or all) and one output group (or all).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Order of the Taylor remainder; 2 for a right tangent.
    pub order: Order,
    /// Smallest relative difference between tangent and central differences.
    pub tangent_error: f64,
    /// Relative difference of ⟨J d, w⟩ and ⟨d, Jᵀ w⟩.
    pub dot_error: f64,
    /// ⟨J d, w⟩.
    pub forward: f64,
    /// ⟨d, Jᵀ w⟩.
    pub reverse: f64,
    /// False where the inputs have no influence on the outputs: nothing is verified then.
    pub influence: bool,
    /// True when nothing is wrong.
    pub passed: bool,
}

/// Figures of a pair of groups.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The input group.
    pub input: String,
    /// The output group.
    pub output: String,
    /// Its figures.
    pub figures: Figures,
}

/// Something that is wrong beside the figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What.
    pub message: String,
}

/// What accuracy a kind allows.
struct Limits {
    epsilon: f64,
    dot: f64,
    tangent: f64,
}

impl Limits {
    fn of(kind: u8) -> Limits {
        match kind {
            0..=4 => Limits { epsilon: f64::from(f32::EPSILON), dot: 1e-5, tangent: 2e-3 },
            _ => Limits { epsilon: f64::EPSILON, dot: 1e-12, tangent: 1e-7 },
        }
    }
}

/// Figures as they were written, by input and output group; 0 stands for all.
#[derive(Default)]
struct Raw {
    sizes: BTreeMap<(bool, usize), usize>,
    norms: BTreeMap<(usize, usize), [f64; 3]>,
    steps: BTreeMap<(usize, usize), Vec<Step>>,
    dots: BTreeMap<(usize, usize), [f64; 4]>,
    left: Vec<(usize, f64)>,
    again: Vec<(usize, f64, f64)>,
    increment: Vec<(usize, f64, f64)>,
    finite: bool,
    complete: bool,
    gave_up: Option<String>,
    broken: Option<String>,
}

fn read(text: &str) -> Option<Raw> {
    let mut raw = Raw::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else { continue };
        if key == "gave-up" {
            raw.gave_up = Some(words.collect::<Vec<_>>().join(" "));
            continue;
        }
        if key == "broken" {
            raw.broken = Some(words.collect::<Vec<_>>().join(" "));
            continue;
        }
        let rest: Vec<&str> = words.collect();
        let int = |i: usize| rest.get(i).and_then(|w| w.parse::<usize>().ok());
        let num = |i: usize| rest.get(i + 2).map(|w| number(w));
        match key {
            "input" | "output" => {
                raw.sizes.insert((key == "input", int(0)?), int(1)?);
            }
            "finite" => raw.finite = int(0)? == 1,
            "norm" => {
                raw.norms.insert((int(0)?, int(1)?), [num(0)?, num(1)?, num(2)?]);
            }
            "step" => {
                let step = Step { h: num(0)?, remainder: num(1)?, central: num(2)?, slope: num(3)? };
                raw.steps.entry((int(0)?, int(1)?)).or_default().push(step);
            }
            "dot" => {
                raw.dots.insert((int(0)?, int(1)?), [num(0)?, num(1)?, num(2)?, num(3)?]);
            }
            "left" => raw.left.push((int(0)?, num(0)?)),
            "again" => raw.again.push((int(0)?, num(0)?, num(1)?)),
            "increment" => raw.increment.push((int(0)?, num(0)?, num(1)?)),
            "now" => {}
            "end" => raw.complete = true,
            _ => return None,
        }
    }
    Some(raw)
}

/// A number as Fortran writes it; an overflowing field is no number.
fn number(word: &str) -> f64 {
    word.parse().unwrap_or(f64::NAN)
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
    if !raw.finite {
        return Err(Box::new(
            failed(format!("`{}` gives no finite numbers at the values that were drawn", driver.head)).help(
                "give values within its range with `--value x=0.5` or `--value x=10:20`, and sizes with `--size`",
            ),
        ));
    }
    if !raw.complete {
        return Err(Box::new(failed(format!(
            "the {} of `{}` stops the program",
            running(output).unwrap_or("driver"),
            driver.head
        ))));
    }
    Ok(report(driver, &raw))
}

fn report(driver: &Driver, raw: &Raw) -> HeadReport {
    let limits = Limits::of(driver.kind);
    let (nx, ny) = (driver.inputs.len(), driver.outputs.len());
    // A single group stands for the whole, and was run once.
    let x_of = |i: usize| if nx == 1 { 1 } else { i };
    let y_of = |j: usize| if ny == 1 { 1 } else { j };
    let all = |i: usize, j: usize| judge_pair(raw, x_of(i), y_of(j), &limits);
    let whole = all(0, 0);
    let mut pairs = Vec::new();
    for (i, input) in driver.inputs.iter().enumerate() {
        for (j, output) in driver.outputs.iter().enumerate() {
            pairs.push(Pair { input: input.clone(), output: output.clone(), figures: all(i + 1, j + 1) });
        }
    }
    let mut findings = findings(driver, raw, &limits);
    let steps = raw.steps.get(&(x_of(0), y_of(0))).cloned().unwrap_or_default();
    let influence = whole.influence || pairs.iter().any(|p| p.figures.influence);
    if !influence {
        findings.push(Finding { message: "no input has any influence on any output: nothing is verified".to_string() });
    }
    let passed = whole.passed && pairs.iter().all(|p| p.figures.passed) && findings.is_empty();
    HeadReport { name: driver.head.clone(), whole, pairs, findings, taylor_table: steps, passed }
}

fn judge_pair(raw: &Raw, i: usize, j: usize, limits: &Limits) -> Figures {
    let [value, slope, _] = raw.norms.get(&(i, j)).copied().unwrap_or([f64::NAN; 3]);
    let steps = raw.steps.get(&(i, j)).map_or(&[][..], Vec::as_slice);
    let [forward, reverse, forward_size, reverse_size] = raw.dots.get(&(i, j)).copied().unwrap_or([f64::NAN; 4]);
    // Sensitivities are relative to natural sizes, so what is at rounding level of the largest is none.
    let top = raw.dots.values().map(|d| d[2].max(d[3])).fold(0.0, f64::max);
    let size = forward_size.max(reverse_size);
    let moved = steps.iter().map(|s| s.slope).fold(0.0, f64::max);
    let noise = limits.epsilon * value.max(1.0);
    // A difference of rounding errors over a small step can look large: the largest step tells best.
    let still = steps.first().is_none_or(|s| s.slope * s.h <= 64.0 * noise) || moved == 0.0;
    let influence = !(size <= 64.0 * limits.epsilon * top && still);
    let dot_error = if size == 0.0 { 0.0 } else { (forward - reverse).abs() / size };
    let tangent_error = tangent_error(steps, slope);
    let order = order(steps, value, slope, limits);
    // Where tangent and difference quotient are the same number to rounding, the remainder is rounding error, beside that of
    // a kink that only the largest steps reach: it has no order.
    let same = tangent_error <= 1e3 * limits.epsilon;
    let right_order = match order {
        Order::Power(p) => p >= 1.9 || same,
        Order::Linear | Order::Unclear => true,
    };
    // A difference quotient of a small block carries the rounding error of the whole output: it may cost digits, but not
    // more than leave three.
    let agrees = |s: &Step| s.central <= (32.0 * noise / s.h).min(1e-3 * slope);
    let right_tangent = tangent_error <= limits.tangent || matches!(order, Order::Linear) || steps.iter().any(agrees);
    // Rounding errors of the large blocks reach the small ones in the same way.
    let right_dot =
        dot_error <= limits.dot || (forward - reverse).abs() <= (16.0 * limits.epsilon * top).min(1e-6 * size);
    // NaN fails every comparison, and so passes none.
    let passed = !influence || (right_dot && right_tangent && right_order);
    Figures { order, tangent_error, dot_error, forward, reverse, influence, passed }
}

/// The smallest relative difference over all steps.
fn tangent_error(steps: &[Step], slope: f64) -> f64 {
    let errors = steps.iter().map(|s| if s.central == 0.0 { 0.0 } else { s.central / slope.max(s.slope) });
    let best = errors.filter(|e| !e.is_nan()).fold(f64::INFINITY, f64::min);
    if slope.is_nan() || best.is_infinite() { f64::NAN } else { best }
}

/// The order with which the remainder falls, from the smallest steps at which it stands clear of rounding.
fn order(steps: &[Step], value: f64, slope: f64, limits: &Limits) -> Order {
    let Some(first) = steps.first() else { return Order::Unclear };
    if steps.iter().any(|s| s.remainder.is_nan()) {
        return Order::Power(f64::NAN);
    }
    let rounding = limits.epsilon * (value + first.h * slope).max(f64::MIN_POSITIVE);
    if first.remainder <= 200.0 * rounding {
        return Order::Linear;
    }
    let lowest = steps.iter().map(|s| s.remainder).fold(f64::INFINITY, f64::min);
    let noise = lowest.max(rounding);
    let clear = |s: &Step| s.remainder > 50.0 * noise;
    let power = |p: &[Step]| (p[0].remainder / p[1].remainder).ln() / (p[0].h / p[1].h).ln();
    let mut orders: Vec<f64> = steps.windows(2).filter(|p| clear(&p[1])).map(power).collect();
    // A remainder that no longer falls is rounding error, which cancellation can make larger than it should be; that of a
    // wrong tangent falls with order 1.
    while orders.last().is_some_and(|o| *o < 0.5) {
        orders.pop();
    }
    if orders.is_empty() {
        return Order::Unclear;
    }
    let mut last = orders.split_off(orders.len().saturating_sub(3));
    last.sort_by(f64::total_cmp);
    Order::Power(last[last.len() / 2])
}

/// NaN is within no limit.
fn within(figure: f64, limit: f64) -> bool {
    figure <= limit
}

/// What is wrong beside the figures.
fn findings(driver: &Driver, raw: &Raw, limits: &Limits) -> Vec<Finding> {
    let mut out: Vec<Finding> = Vec::new();
    let mut add = |message: String| {
        if !out.iter().any(|f| f.message == message) {
            out.push(Finding { message });
        }
    };
    for (&(input, g), &size) in &raw.sizes {
        let name = if input { &driver.inputs[g - 1] } else { &driver.outputs[g - 1] };
        if size == 0 {
            add(format!("`{name}` has no elements: give it a size with `--size {name}=8`"));
        }
    }
    for ((_, j), norms) in &raw.norms {
        let [value, slope, change] = norms;
        if *j > 0 && !within(*change, 1e4 * limits.epsilon * value.max(1.0) + limits.dot * slope.min(1.0)) {
            add(format!("the tangent computes another value of `{}` than the primal", driver.outputs[j - 1]));
        }
    }
    for (g, left) in &raw.left {
        if *left != 0.0 {
            add(format!("the adjoint of the output `{}` isn't zero on exit", driver.outputs[g - 1]));
        }
    }
    for (g, size, difference) in &raw.again {
        if !within(*difference, limits.dot * size) {
            add(format!("a second run of the adjoint gives another adjoint of `{}`", driver.inputs[g - 1]));
        }
    }
    for (g, size, difference) in &raw.increment {
        if !within(*difference, limits.dot * size) {
            add(format!(
                "the adjoint of `{}` isn't increased by its increment: what it held on entry is lost",
                driver.inputs[g - 1]
            ));
        }
    }
    out
}
