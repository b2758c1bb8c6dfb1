//! What comes out of a run: generated files, and what there is to know of them.

use std::collections::BTreeSet;

use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Name, SymId};
use costate_grammar::source::FileId;

use crate::memory::ProcedurePlan;
use crate::plan::PlanFile;
use crate::precision::Precision;

/// A generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// The user's file that it belongs to.
    pub source: FileId,
    /// Its name without folder, `s_b.f90` say.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// What a generated head procedure is called, and with what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadInterface {
    /// The generated module; `None` for an external procedure.
    pub module: Option<String>,
    /// The generated procedure.
    pub procedure: String,
    /// Its arguments in call order.
    pub args: Vec<HeadArg>,
    /// `bind(c, name="...")` of the generated procedure: the text inside the parentheses.
    pub bind: Option<String>,
    /// Module variables among dependents and independents.
    pub module_vars: Vec<ModuleDerivative>,
}

/// An argument of a generated head procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadArg {
    /// A dummy of the primal.
    Primal(SymId),
    /// The derivative of a dummy of the primal.
    Derivative(SymId),
    /// The primal's function result.
    PrimalResult,
    /// The derivative of the function's result.
    DerivativeResult,
}

/// The derivative of a module variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModuleDerivative {
    /// The primal's variable.
    pub primal: SymId,
    /// The generated module that holds the derivative.
    pub module: String,
    /// The derivative's name.
    pub name: String,
}

/// Generated code.
#[derive(Clone, Debug, Default)]
pub struct Differentiated {
    /// Generated files, in an order in which they can be compiled.
    pub files: Vec<OutputFile>,
    /// One for each head, in order.
    pub interfaces: Vec<HeadInterface>,
    /// The outputs of every head that are known less exactly than in double, with the reasons.
    pub precisions: Vec<Vec<Precision>>,
    /// What every head leaves in variables may be another value each time it runs from the same state: that of a clock, say.
    pub unsteady: Vec<BTreeSet<(SymId, Vec<Name>)>>,
    /// Remarks.
    pub notes: Vec<Diagnostic>,
    /// What the analyses found: activity and effects of every procedure.
    pub facts: String,
    /// What is saved, what is recomputed, and why; what that takes.
    pub plans: Vec<ProcedurePlan>,
    /// What is chosen for time loops and calls, as a file.
    pub plan_file: PlanFile,
    /// True where the code calls the run-time library.
    pub uses_runtime: bool,
}

impl Differentiated {
    /// The plans as text.
    pub fn plan(&self) -> String {
        self.plans.iter().map(ToString::to_string).collect()
    }
}
