//! The passes that arrange the backward sweep for speed, each with its name and a switch. Without any of them the code is
//! as right as with all; tests run programs with some of them off, and a wrong result names the pass to blame.

use std::fmt;
use std::str::FromStr;

/// A pass over the finished backward sweep, or one that spares the forward sweep copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pass {
    /// Short branches in innermost loops are written as selections.
    Selection,
    /// The first increment of a scalar that is zero assigns it.
    FirstUse,
    /// Scalars that nobody uses aren't computed.
    DeadCode,
    /// Fixed multiples of adjoints are written out where they are used.
    Factors,
    /// Elements that a loop only adds to are summed in scalars.
    Accumulators,
    /// Increments of several elements go to loops of their own.
    Fission,
    /// Such loops are brought together by element, what is left over peeled off.
    Peeling,
    /// Zeros of arrays that are assigned again, or never used, go.
    Zeroing,
    /// Copies of arrays go.
    Copies,
    /// Loops over the same elements become one.
    Fusion,
    /// Sines and cosines of the same arguments are computed in blocks.
    VectorMath,
    /// Loops whose iterations may run in any order ascend.
    Order,
    /// Elements that one iteration uses stand in scalars.
    ScalarReplacement,
    /// Scalars that the passes left without use go.
    UnusedScalars,
    /// Loops that compute sums get a directive.
    Simd,
    /// Adjoints of a time step refer to the save of the state itself.
    DirectSaves,
    /// Steps of the forward sweep compute the next saved state from the last one.
    SavedStates,
    /// Two buffers hold the state and its next values alternately.
    DoubleBuffering,
}

impl Pass {
    /// All of them, in the order in which they run over the backward sweep.
    pub const ALL: [Pass; 18] = [
        Pass::Selection,
        Pass::FirstUse,
        Pass::DeadCode,
        Pass::Factors,
        Pass::Accumulators,
        Pass::Fission,
        Pass::Peeling,
        Pass::Zeroing,
        Pass::Copies,
        Pass::Fusion,
        Pass::VectorMath,
        Pass::Order,
        Pass::ScalarReplacement,
        Pass::UnusedScalars,
        Pass::Simd,
        Pass::DirectSaves,
        Pass::SavedStates,
        Pass::DoubleBuffering,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Selection => "selection",
            Pass::FirstUse => "first-use",
            Pass::DeadCode => "dead-code",
            Pass::Factors => "factors",
            Pass::Accumulators => "accumulators",
            Pass::Fission => "fission",
            Pass::Peeling => "peeling",
            Pass::Zeroing => "zeroing",
            Pass::Copies => "copies",
            Pass::Fusion => "fusion",
            Pass::VectorMath => "vector-math",
            Pass::Order => "order",
            Pass::ScalarReplacement => "scalar-replacement",
            Pass::UnusedScalars => "unused-scalars",
            Pass::Simd => "simd",
            Pass::DirectSaves => "direct-saves",
            Pass::SavedStates => "saved-states",
            Pass::DoubleBuffering => "double-buffering",
        }
    }

    /// True for a pass over the finished sweeps; the others decide what the sweeps are.
    fn is_over_sweeps(self) -> bool {
        match self {
            Pass::Peeling | Pass::DirectSaves | Pass::SavedStates | Pass::DoubleBuffering => false,
            Pass::Selection
            | Pass::FirstUse
            | Pass::DeadCode
            | Pass::Factors
            | Pass::Accumulators
            | Pass::Fission
            | Pass::Zeroing
            | Pass::Copies
            | Pass::Fusion
            | Pass::VectorMath
            | Pass::Order
            | Pass::ScalarReplacement
            | Pass::UnusedScalars
            | Pass::Simd => true,
        }
    }

    fn bit(self) -> u32 {
        1 << self as u32
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Pass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = || Pass::ALL.map(Pass::name).join(", ");
        Pass::ALL.into_iter().find(|p| p.name() == text).ok_or_else(|| format!("the passes are {}", names()))
    }
}

/// The passes that run.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PassSet(u32);

impl Default for PassSet {
    fn default() -> Self {
        PassSet::ALL
    }
}

impl fmt::Debug for PassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(Pass::ALL.into_iter().filter(|p| self.has(*p))).finish()
    }
}

impl PassSet {
    /// Every pass.
    pub const ALL: PassSet = PassSet(u32::MAX);
    /// No pass.
    pub const NONE: PassSet = PassSet(0);

    /// True when a pass is among them.
    pub fn has(self, pass: Pass) -> bool {
        self.0 & pass.bit() != 0
    }

    /// Without those that run over finished sweeps after `last`; `None` when that isn't one of these.
    pub fn up_to(self, last: Pass) -> Option<PassSet> {
        if !last.is_over_sweeps() {
            return None;
        }
        let after = Pass::ALL.into_iter().skip_while(|p| *p != last).skip(1).filter(|p| p.is_over_sweeps());
        Some(after.fold(self, PassSet::without))
    }

    /// With one more.
    #[must_use]
    pub fn with(self, pass: Pass) -> PassSet {
        PassSet(self.0 | pass.bit())
    }

    /// Without one of them.
    #[must_use]
    pub fn without(self, pass: Pass) -> PassSet {
        PassSet(self.0 & !pass.bit())
    }
}
