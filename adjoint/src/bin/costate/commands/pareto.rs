//! The drawing of run time against memory.

use std::ops::Range;

use costate_adjoint::memory::amount;
use costate_adjoint::plan::Trade;
use plotters::prelude::*;

/// Width of the drawing, and height of its chart, in pixels.
const WIDTH: u32 = 760;
const HEIGHT: u32 = 440;
/// Height of a line of text below the chart.
const LINE: u32 = 18;
/// So many characters of what is chosen have room in a line.
const LONGEST: usize = 110;
/// Where lines about plans and about their choices begin.
const INDENTS: [i32; 2] = [24, 48];
/// An axis has at most so many labels.
const MOST_LABELS: usize = 10;
const TEXT: (&str, u32) = ("sans-serif", 13);

/// Draws the best run time within each budget, as SVG: a step for each plan, with its number, and below it what the
/// numbers stand for.
pub(crate) fn draw(title: &str, trades: &[Trade]) -> Result<String, String> {
    let mut out = String::new();
    paint(title, trades, &mut out).map_err(|e| format!("the drawing failed: {e}"))?;
    Ok(out)
}

fn paint(title: &str, trades: &[Trade], out: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let rows = legend(trades);
    let size = (WIDTH, HEIGHT + LINE * (rows.len() as u32 + 1));
    let area = SVGBackend::with_string(out, size).into_drawing_area();
    area.fill(&WHITE)?;
    let (chart_area, below) = area.split_vertically(HEIGHT);
    let least = trades.first().map_or(1.0, |t| t.peak.max(1) as f64);
    let most = trades.last().map_or(2.0, |t| t.peak.max(1) as f64);
    let slowest = trades.iter().map(|t| t.ratio).fold(f64::MIN_POSITIVE, f64::max);
    let fastest = trades.iter().map(|t| t.ratio).fold(slowest, f64::min);
    // The last step goes on to the right.
    let room = (most / least).powf(0.1).max(1.3);
    let (bytes, ratios) = (least / room.sqrt()..most * room, fastest / 1.15..slowest * 1.15);
    let (powers, round) = (powers_of_two(&bytes), round_numbers(&ratios));
    let mut chart = ChartBuilder::on(&chart_area)
        .caption(title, ("sans-serif", 18))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(bytes.log_scale().with_key_points(powers), ratios.log_scale().with_key_points(round))?;
    chart
        .configure_mesh()
        .x_desc("memory budget")
        .y_desc("predicted run time / primal's")
        .x_labels(MOST_LABELS)
        .y_labels(MOST_LABELS)
        .x_label_formatter(&|bytes| amount(*bytes as u64))
        .y_label_formatter(&|ratio| format!("{ratio:.1}"))
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(LineSeries::new(corners(trades, most * room), BLUE.stroke_width(2)))?;
    let starts = trades.iter().map(|t| (t.peak.max(1) as f64, t.ratio));
    chart.draw_series(starts.clone().map(|p| Circle::new(p, 4, BLUE.filled())))?;
    let number =
        |(i, (x, y)): (usize, (f64, f64))| EmptyElement::at((x, y)) + Text::new((i + 1).to_string(), (5, -16), TEXT);
    chart.draw_series(starts.enumerate().map(number))?;
    for (i, (indent, row)) in rows.iter().enumerate() {
        below.draw(&Text::new(row.as_str(), (*indent, i as i32 * LINE as i32), TEXT))?;
    }
    area.present()?;
    Ok(())
}

/// Powers of two, of which amounts of memory are round multiples, within a range: few enough to be labels.
fn powers_of_two(range: &Range<f64>) -> Vec<f64> {
    let all: Vec<f64> = (0..63).map(|k| f64::from(k).exp2()).filter(|p| range.contains(p)).collect();
    let stride = all.len().div_ceil(MOST_LABELS).max(1);
    all.into_iter().step_by(stride).collect()
}

/// 1, 2, 5, 10, 20, ... within a range, or where these are too few 1, 1.5, 2, 3, 4, 5, 7, 10, ...
fn round_numbers(range: &Range<f64>) -> Vec<f64> {
    let with = |digits: &[f64]| -> Vec<f64> {
        let decades = (-3..9).flat_map(|k| digits.iter().map(move |d| d * 10f64.powi(k)));
        decades.filter(|v| range.contains(v)).collect()
    };
    let few = with(&[1.0, 2.0, 5.0]);
    if few.len() < 3 { with(&[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0]) } else { few }
}

/// The corners of the steps, the last of which ends at `end`.
fn corners(trades: &[Trade], end: f64) -> Vec<(f64, f64)> {
    let until = |t: &Trade| t.until.map_or(end, |bytes| bytes as f64);
    trades.iter().flat_map(|t| [(t.peak.max(1) as f64, t.ratio), (until(t), t.ratio)]).collect()
}

/// For every step its number, the budgets within which its plan is the best, and what that chooses otherwise than the
/// one before it. Each line comes with the pixels before it.
fn legend(trades: &[Trade]) -> Vec<(i32, String)> {
    let mut out = Vec::new();
    for (i, t) in trades.iter().enumerate() {
        let to = t.until.map_or(String::new(), |bytes| format!(", below {}", amount(bytes)));
        let plan = format!("{}: from {} on{to}: {:.2} times the primal's run time", i + 1, amount(t.peak), t.ratio);
        out.push((INDENTS[0], plan));
        let before = i.checked_sub(1).and_then(|b| trades.get(b));
        out.extend(t.differences(before).iter().map(|c| (INDENTS[1], shortened(c))));
    }
    out
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{} ...", &text[..at]),
        None => text.to_string(),
    }
}
