//! Run time against memory: the plans for a row of budgets.

use costate_grammar::diag::Diagnostic;
use serde::Serialize;

use super::Optimiser;

/// The best plan for a budget.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trade {
    /// The budget in bytes.
    pub budget: u64,
    /// The most that the plan holds at a time, in bytes.
    pub peak: u64,
    /// Predicted run time of the adjoint, in run times of its primal.
    pub ratio: f64,
}

/// The plans for `count` budgets, from the least that works up to what the fastest plan takes; from one to the next they
/// grow by a factor.
pub fn frontier(optimiser: &Optimiser<'_>, count: usize) -> Result<Vec<Trade>, Vec<Diagnostic>> {
    let least = optimiser.least()?.peak.max(1);
    let most = optimiser.plan(None)?.peak.max(least);
    let last = count.saturating_sub(1).max(1) as f64;
    let factor = (most as f64 / least as f64).powf(1.0 / last);
    let mut out = Vec::new();
    for i in 0..count {
        let budget = if i + 1 == count { most } else { (least as f64 * factor.powi(i as i32)).ceil() as u64 };
        let plan = optimiser.plan(Some(budget))?;
        out.push(Trade { budget, peak: plan.peak, ratio: plan.ratio });
    }
    Ok(out)
}
