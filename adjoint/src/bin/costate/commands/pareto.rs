//! The drawing of run time against memory.

use costate_adjoint::memory::amount;
use costate_adjoint::plan::Trade;
use plotters::prelude::*;

/// Width and height in pixels.
const SIZE: (u32, u32) = (720, 440);

/// Draws predicted run times against budgets, as SVG.
pub(crate) fn draw(trades: &[Trade]) -> Result<String, String> {
    let mut out = String::new();
    paint(trades, &mut out).map_err(|e| format!("the drawing failed: {e}"))?;
    Ok(out)
}

fn paint(trades: &[Trade], out: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(out, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let points: Vec<(f64, f64)> = trades.iter().map(|t| (t.budget as f64, t.ratio)).collect();
    let least = points.first().map_or(1.0, |p| p.0);
    let most = points.last().map_or(2.0, |p| p.0);
    let slowest = points.iter().map(|p| p.1).fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(&area)
        .caption("Adjoint: run time against memory", ("sans-serif", 18))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d((least * 0.9..most * 1.1).log_scale(), 0.0..slowest * 1.1)?;
    chart
        .configure_mesh()
        .x_desc("memory budget")
        .y_desc("predicted run time / primal's")
        .x_label_formatter(&|bytes| amount(*bytes as u64))
        .y_label_formatter(&|ratio| format!("{ratio:.1}"))
        .light_line_style(WHITE)
        .draw()?;
    chart.draw_series(LineSeries::new(points.iter().copied(), &BLUE))?;
    chart.draw_series(points.iter().map(|p| Circle::new(*p, 4, BLUE.filled())))?;
    let label = |t: &Trade| Text::new(amount(t.budget), (t.budget as f64, t.ratio), ("sans-serif", 10));
    chart.draw_series(trades.iter().map(label))?;
    area.present()?;
    Ok(())
}
