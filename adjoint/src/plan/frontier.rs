//! Run time against memory: which plan is the best within which budget.

use costate_grammar::diag::Diagnostic;
use serde::Serialize;

use super::{Optimiser, Optimum};

/// A plan, and the budgets within which it is the best.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trade {
    /// The least of these budgets, in bytes: what the plan holds at a time.
    pub budget: u64,
    /// The most that the plan holds at a time, in bytes.
    pub peak: u64,
    /// Another plan is the better one from this budget on; none where there is no such budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<u64>,
    /// Predicted run time of the adjoint, in run times of its primal.
    pub ratio: f64,
    /// What is chosen, in words.
    pub choices: Vec<String>,
}

impl Trade {
    /// What is chosen otherwise than in the plan for less memory, in words.
    pub fn differences(&self, before: Option<&Trade>) -> Vec<&str> {
        let known = before.map_or(&[][..], |b| &b.choices);
        self.choices.iter().filter(|c| !known.contains(c)).map(String::as_str).collect()
    }
}

/// The best plans among those for `count` budgets, from the least that works up to what the fastest plan takes; from one
/// budget to the next they grow by a factor. Each plan is faster than those before it.
pub fn frontier(optimiser: &Optimiser<'_>, count: usize) -> Result<Vec<Trade>, Vec<Diagnostic>> {
    let smallest = optimiser.least()?;
    let fastest = optimiser.plan(None)?;
    let least = smallest.peak.max(1);
    let most = fastest.peak.max(least);
    let factor = (most as f64 / least as f64).powf(1.0 / count.saturating_sub(1).max(1) as f64);
    let mut found = Vec::new();
    for i in 0..count {
        let budget = if i + 1 == count { most } else { (least as f64 * factor.powi(i as i32)).ceil() as u64 };
        found.push(optimiser.plan(Some(budget))?);
    }
    found.extend([smallest, fastest]);
    Ok(steps(found))
}

/// Of plans those that no other beats in both run time and memory, with the budgets of each.
fn steps(mut found: Vec<Optimum>) -> Vec<Trade> {
    found.sort_by(|a, b| a.peak.cmp(&b.peak).then(a.ratio.total_cmp(&b.ratio)));
    let mut out: Vec<Trade> = Vec::new();
    for Optimum { peak, ratio, words, .. } in found {
        if out.last().is_some_and(|before| ratio >= before.ratio) {
            continue;
        }
        if let Some(before) = out.last_mut() {
            before.until = Some(peak);
        }
        out.push(Trade { budget: peak, peak, until: None, ratio, choices: words });
    }
    out
}
