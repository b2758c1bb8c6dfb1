//! What the user may choose about generated code.

use costate_analysis::externals::Externals;
use costate_analysis::normal::CallRewrites;
use costate_grammar::form::Form;

use crate::mode::{Layout, Mode};
use crate::optimise::PassSet;
use crate::plan::{Choices, PlanFile};

/// How names of derivatives are formed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NamingStyle {
    /// `x_b`, `f_b`, `m_b`
    #[default]
    Costate,
    /// `xb`, `f_b`, `m_diff`
    Tapenade,
}

/// Names in generated code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Naming {
    /// The style.
    pub style: NamingStyle,
    /// The suffix of variables, procedures and modules in tangent code, in place of the style's.
    pub tangent: Option<String>,
    /// The same for adjoint code.
    pub adjoint: Option<String>,
}

impl Naming {
    fn own(&self, mode: Mode) -> Option<&str> {
        match mode {
            Mode::Tangent => self.tangent.as_deref(),
            Mode::Adjoint => self.adjoint.as_deref(),
        }
    }

    /// The suffix of a variable's derivative.
    pub fn variable_suffix(&self, mode: Mode) -> &str {
        self.own(mode).unwrap_or(match (self.style, mode) {
            (NamingStyle::Costate, Mode::Tangent) => "_d",
            (NamingStyle::Costate, Mode::Adjoint) => "_b",
            (NamingStyle::Tapenade, Mode::Tangent) => "d",
            (NamingStyle::Tapenade, Mode::Adjoint) => "b",
        })
    }

    /// The suffix of a procedure's derivative, and of the generated file.
    pub fn procedure_suffix(&self, mode: Mode) -> &str {
        self.own(mode).unwrap_or(match mode {
            Mode::Tangent => "_d",
            Mode::Adjoint => "_b",
        })
    }

    /// The suffix of a generated module.
    pub fn module_suffix(&self, mode: Mode) -> &str {
        match self.style {
            NamingStyle::Costate => self.procedure_suffix(mode),
            NamingStyle::Tapenade => self.own(mode).unwrap_or("_diff"),
        }
    }
}

/// What the user may choose about generated code.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names.
    pub naming: Naming,
    /// Where generated procedures go.
    pub layout: Layout,
    /// Compute the primal's outputs in adjoint code too.
    pub keep_primal: bool,
    /// Increments may be undone by the opposite increment instead of saving what they overwrite.
    pub allow_undo: bool,
    /// Adjoints compare what they recompute with what was computed first, when the run-time library is asked to.
    pub verify: bool,
    /// Source form of generated text; free form when not given.
    pub output_form: Option<Form>,
    /// Macros are given: generated files guard those that the sources depend on.
    pub macros: bool,
    /// Memory that saved values may take, in bytes.
    pub memory: Option<u64>,
    /// Values of integers and extents of arrays by name, for which memory is planned.
    pub sizes: Vec<(String, Vec<i64>)>,
    /// What is chosen for time loops and calls.
    pub choices: Choices,
    /// A plan that was made before, to be followed.
    pub plan: Option<PlanFile>,
    /// The passes that arrange generated code for speed.
    pub passes: PassSet,
    /// What is done to calls that can't be differentiated as they are.
    pub rewrites: CallRewrites,
    /// What is known of procedures without source.
    pub externals: Externals,
    /// Statements have comments before them that say where they come from ([`costate_grammar::print::traced`]).
    pub origins: bool,
    /// The forms of the program are checked between the stages, for tests of Costate.
    pub check_forms: bool,
}
