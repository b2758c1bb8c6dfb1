//! Loops whose iterations directives of OpenMP and OpenACC share out.

use super::{Origin, SymId};
use crate::directives::Directive;

/// The directives before a loop that share out its iterations among threads, vector lanes or the parts of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Parallel {
    /// In the order of the text: the first one is the outermost.
    pub directives: Vec<LoopDirective>,
}

/// One of them, with the comments at it.
#[derive(Clone, Debug)]
pub struct LoopDirective {
    /// What it says.
    pub directive: Directive,
    /// The variables that its text names.
    pub names: Vec<SymId>,
    /// Where it comes from.
    pub origin: Origin,
    /// Comments before it, each from `!` on.
    pub leading: Vec<String>,
    /// The comment after it on the same line.
    pub trailing: Option<String>,
}

impl PartialEq for LoopDirective {
    fn eq(&self, other: &Self) -> bool {
        self.directive == other.directive
    }
}

impl LoopDirective {
    /// A directive without comments, which names no variables.
    pub fn new(directive: Directive, origin: Origin) -> LoopDirective {
        LoopDirective { directive, names: Vec::new(), origin, leading: Vec::new(), trailing: None }
    }
}
