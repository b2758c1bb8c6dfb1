//! The result of a check, for people and for programs.

use std::fmt;

use costate_grammar::diag::Diagnostic;
use serde::Serialize;

use super::Point;
use super::figures::{Fault, Figures, Finding, Order, Pair, Step, Verdict};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Seed of the random values.
    pub seed: u64,
    /// One for each head.
    pub heads: Vec<HeadReport>,
    /// Warnings of the generated code.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
}

/// The result for one head.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeadReport {
    /// The head as written.
    pub name: String,
    /// Figures of all inputs and outputs together.
    pub whole: Figures,
    /// Figures of every input group with every output group.
    pub pairs: Vec<Pair>,
    /// What is wrong beside the figures.
    pub findings: Vec<Finding>,
    /// What the wrong figures mean, and what to try.
    pub explanations: Vec<String>,
    /// What a reader of the figures must know.
    pub notes: Vec<String>,
    /// Steps of the Taylor test of the whole.
    pub taylor_table: Vec<Step>,
    /// True when nothing is wrong.
    pub passed: bool,
    /// The point at which the figures were taken: the second one where that shows what the first doesn't.
    #[serde(skip)]
    pub(super) point: Point,
    /// The primal's values: norm and a sum for each output.
    #[serde(skip)]
    pub(super) values: Vec<f64>,
}

impl Report {
    /// True when nothing is wrong.
    pub fn passed(&self) -> bool {
        self.heads.iter().all(|h| h.passed)
    }

    /// The report as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl HeadReport {
    /// True when a derivative is wrong; one that doesn't pass may also not be verified.
    pub fn is_wrong(&self) -> bool {
        let figures = std::iter::once(&self.whole).chain(self.pairs.iter().map(|p| &p.figures));
        figures.into_iter().any(|f| f.verdict == Verdict::Wrong) || self.findings.iter().any(|f| f.wrong)
    }

    /// Whether a derivative is wrong even if the primal isn't made for the values: where difference quotients disagree
    /// with a tangent and an adjoint that agree, there is a kink or the like, and where rounding errors hide everything
    /// they may also have spoilt what an adjoint held on entry.
    pub(super) fn is_wrong_for_any_values(&self) -> bool {
        let mut figures = std::iter::once(&self.whole).chain(self.pairs.iter().map(|p| &p.figures));
        let differ = figures.any(|f| f.verdict == Verdict::Wrong && f.fault != Some(Fault::Same));
        match self.whole.verdict {
            Verdict::Hidden => false,
            Verdict::Wrong => differ,
            Verdict::Right | Verdict::NoInfluence => differ || self.findings.iter().any(|f| f.wrong),
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Power(p) => f.pad(&format!("{p:.3}")),
            Order::Linear => f.pad("linear"),
            Order::Unclear => f.pad("unclear"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for head in &self.heads {
            writeln!(f, "{head}")?;
        }
        let failed = self.heads.iter().filter(|h| !h.passed).count();
        match failed {
            0 => write!(f, "all derivatives are right")?,
            1 => write!(f, "1 head fails")?,
            n => write!(f, "{n} heads fail")?,
        }
        let verified = |p: &&Pair| matches!(p.figures.verdict, Verdict::Right | Verdict::Wrong);
        match self.heads.iter().flat_map(|h| &h.pairs).filter(|p| !verified(p)).count() {
            0 => {}
            1 => write!(f, "; 1 block is not verified")?,
            n => write!(f, "; {n} blocks are not verified")?,
        }
        writeln!(f, " (seed {})", self.seed)
    }
}

impl fmt::Display for HeadReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match (self.passed, self.is_wrong()) {
            (true, _) => "right",
            (false, true) => "WRONG",
            (false, false) => "NOT VERIFIED",
        };
        writeln!(f, "{}: {verdict}", self.name)?;
        let rows: Vec<(String, &Figures)> = std::iter::once(("all".to_string(), &self.whole))
            .chain(self.pairs.iter().map(|p| (format!("{} / {}", p.output, p.input), &p.figures)))
            .collect();
        let width = rows.iter().map(|(n, _)| n.len()).max().unwrap_or(0).max("output / input".len());
        writeln!(
            f,
            "  {:width$}  {:>12}  {:>12}  {:>12}  {:>22}  {:>22}",
            "output / input", "Taylor order", "tangent", "dot product", "<J d, w>", "<d, Jt w>"
        )?;
        for (name, figures) in rows {
            let mark = match figures.verdict {
                Verdict::NoInfluence => {
                    writeln!(f, "  {name:width$}  no influence: not verified")?;
                    continue;
                }
                Verdict::Right => "",
                Verdict::Wrong => "  WRONG",
                Verdict::Hidden => "  hidden by rounding errors: not verified",
            };
            writeln!(
                f,
                "  {name:width$}  {:>12}  {:>12.3e}  {:>12.3e}  {:>22.14e}  {:>22.14e}{mark}",
                figures.order, figures.tangent_error, figures.dot_error, figures.forward, figures.reverse
            )?;
        }
        for finding in &self.findings {
            writeln!(f, "  {}", finding.message)?;
        }
        for text in &self.explanations {
            writeln!(f, "  {text}")?;
        }
        for note in &self.notes {
            writeln!(f, "  note: {note}")?;
        }
        Ok(())
    }
}
