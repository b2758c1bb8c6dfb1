//! Figures of a check, and what they may say.

use serde::Serialize;

use super::driver::Driver;

/// Steps tried with one input group and one output group.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The step h.
    pub h: f64,
    /// Size of f(x+hd) - f(x) - h f'd, relative to the outputs' natural size.
    pub remainder: f64,
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
    /// Relative difference between tangent and extrapolated central differences.
    pub tangent_error: f64,
    /// What that difference can be off by.
    pub tangent_resolution: f64,
    /// Relative difference of ⟨J d, w⟩ and ⟨d, Jᵀ w⟩.
    pub dot_error: f64,
    /// ⟨J d, w⟩.
    pub forward: f64,
    /// ⟨d, Jᵀ w⟩.
    pub reverse: f64,
    /// What they say.
    pub verdict: Verdict,
    /// Which of the derivatives is wrong.
    pub fault: Option<Fault>,
}

/// Which derivatives are wrong: tangent, adjoint and difference quotients of the primal are compared with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The adjoint: differences confirm the tangent.
    Adjoint,
    /// The tangent: differences confirm the adjoint.
    Tangent,
    /// Both, in the same way: they agree with each other.
    Same,
    /// Both, each in its way.
    Both,
    /// One of them: differences are too inexact to tell which.
    Either,
}

/// What the figures of a block say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The derivatives are right.
    Right,
    /// They are wrong.
    Wrong,
    /// The inputs have no influence on the outputs: nothing is verified.
    NoInfluence,
    /// The influence is so small that rounding errors of the outputs hide it: tangent and adjoint agree with each other,
    /// and no more is verified.
    Hidden,
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

/// What keeps a head from passing beside the figures.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// A derivative is wrong; else nothing is known of it.
    pub wrong: bool,
    /// What.
    pub message: String,
}

/// What accuracy a kind allows.
pub(super) struct Limits {
    /// The distance of 1 to the next number.
    pub(super) epsilon: f64,
    /// Relative difference of dot products.
    pub(super) dot: f64,
    /// A difference quotient that is known to this part of the derivative speaks for itself.
    pub(super) sharp: f64,
}

impl Limits {
    /// The limits of an output group, or of all outputs together for 0.
    pub(super) fn at(driver: &Driver, j: usize) -> Limits {
        let own = j.checked_sub(1).and_then(|j| driver.kinds.get(j));
        Limits::of(own.or(driver.kinds.iter().min()).copied().unwrap_or(8))
    }

    /// The limits of a kind of real, by its bytes.
    pub(super) fn of(kind: u8) -> Limits {
        match kind {
            0..=4 => Limits { epsilon: f64::from(f32::EPSILON), dot: 1e-5, sharp: 4e-3 },
            _ => Limits { epsilon: f64::EPSILON, dot: 1e-12, sharp: 1e-6 },
        }
    }
}
