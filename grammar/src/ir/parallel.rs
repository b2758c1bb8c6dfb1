//! Loops whose iterations directives of OpenMP and OpenACC share out.

use super::{Expr, Name, Origin, SymId};
use crate::directives::{Construct, Directive, OmpConstruct, Strategy};

/// The directives before a loop that share out its iterations among threads, vector lanes or the parts of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Parallel {
    /// In the order of the text: the first one is the outermost. `do concurrent` has none.
    pub directives: Vec<LoopDirective>,
    /// Present where the loop is followed statement by statement, like any other. Then nothing is printed of the
    /// directives: they are what is asked for, and hold for a loop only once it has been shown that they may.
    pub evidence: Option<Box<Evidence>>,
}

/// What the directives of a loop prove of the user's statements in it: whoever writes them vouches for its iterations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// Variables of which each iteration has its own: it assigns them before it uses them, and nobody uses them afterwards.
    pub private: Vec<SymId>,
    /// Variables to which iterations only add, each thread to its own.
    pub sums: Vec<SymId>,
    /// Integers and truth values that iterations put together by another operator of a `reduction` clause.
    pub reduced: Vec<(SymId, String)>,
    /// Elements of shared arrays that each iteration assigns. No two iterations touch the same one.
    pub written: Vec<Expr>,
    /// Elements of shared arrays that an iteration assigns whenever it refers to them, these among them.
    pub own: Vec<Expr>,
    /// All elements of shared arrays that an iteration may assign, and all that it may use: what one iteration assigns,
    /// no other one touches.
    pub touched: [Vec<Expr>; 2],
    /// Pointers, and targets, that are different memory wherever the loop runs.
    pub distinct: Vec<(SymId, SymId)>,
    /// The loop is a generated one, of which each iteration runs one of the user's from its start before it does anything
    /// else: what that has of its own, it has too.
    pub again: bool,
    /// How the user asks iterations to add to the derivatives of the named variables; of all others, where none is named.
    pub strategies: Vec<(Strategy, Vec<Name>)>,
    /// What several iterations would add to an element of a derivative is added up by one.
    pub gathered: bool,
    /// Iterations use what those before them have summed up (`scan`): derivative code keeps their order.
    pub ordered: bool,
}

impl Evidence {
    /// All elements that it speaks of.
    pub fn elements_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.written.iter_mut().chain(&mut self.own).chain(self.touched.iter_mut().flatten())
    }

    /// How the user asks iterations to add to the derivative of a variable.
    pub fn strategy(&self, of: &Name) -> Option<Strategy> {
        let named = |names: &Vec<Name>| names.contains(of);
        let found = self.strategies.iter().find(|s| named(&s.1)).or(self.strategies.iter().find(|s| s.1.is_empty()));
        found.map(|s| s.0)
    }

    /// True where the user asks for something that leaves increments where the adjoint of each iteration has them.
    pub fn asks_for_scatter(&self) -> bool {
        self.strategies.iter().any(|s| !matches!(s.0, Strategy::Gather | Strategy::Serial))
    }
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

impl Parallel {
    /// The iterations are to run on a device, which has memory of its own.
    pub fn on_device(&self) -> bool {
        self.directives.iter().any(|d| match &d.directive.construct {
            Construct::Acc(_) => true,
            Construct::Omp(OmpConstruct::TargetCombined(_) | OmpConstruct::Target) => true,
            Construct::Omp(_) | Construct::Ad(_) | Construct::Uninterpreted => false,
        })
    }

    /// The iterations are to be shared out among threads of the host: not to a device, nor to vector operations alone.
    pub fn among_threads(&self) -> bool {
        let vectors = |d: &LoopDirective| d.directive.omp() == Some(&OmpConstruct::Simd);
        !self.on_device() && !self.directives.iter().any(vectors)
    }

    /// The directives of a loop that nothing looks into.
    pub fn region(&self) -> Option<&[LoopDirective]> {
        self.evidence.is_none().then_some(&self.directives)
    }
}
