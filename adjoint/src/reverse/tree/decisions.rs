//! What is decided for statements and loops of a tree.

use std::collections::BTreeSet;

use costate_analysis::affine::plus;
use costate_analysis::loops::substitute;
use costate_analysis::storage::{LocId, LocSet};
use costate_grammar::ir::{Expr, LoopControl, Name, Stmt, StmtId, Subscript, SymId};

use crate::fixed_point::FixedPoint;
use crate::plan::Order;

/// How an `allocate` or a `deallocate` is undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Not at all: the backward sweep does without the object.
    Forward,
    /// The memory is held: freed at the adjoint of its allocation, and nowhere else.
    Held,
    /// The backward sweep does the opposite.
    Undone {
        /// The forward sweep allocates and frees the adjoint too.
        shadow: bool,
    },
}

/// An allocatable object that a call may allocate, free, or give another shape.
#[derive(Clone, Debug)]
pub(crate) struct Reshaped {
    /// The object.
    pub object: Expr,
    /// The callee's adjoint brings the object's adjoint to the status from before the call.
    pub passed: bool,
    /// Otherwise what of it keeps its adjoint: what the callee's adjoint has brought there, and what the call leaves alone.
    pub brought: LocSet,
    /// It takes a function's result.
    pub result: bool,
    /// It has no memory before the call.
    pub fresh: bool,
    /// The backward sweep needs it as it was.
    pub undone: bool,
    /// It stays as the forward sweep leaves it: see [`Leaf::left`](super::node::Leaf).
    pub left: bool,
    /// Its elements or components have memory of their own.
    pub deep: bool,
}

/// An array that is saved at the start of each step.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Direct {
    /// The array.
    pub(in crate::reverse) array: SymId,
    /// Arrays that hold nothing but elements of it, at the same places.
    pub(in crate::reverse) copies: Vec<SymId>,
}

/// What a leaf recomputes whose adjoint is a slice of the forward sweep.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Recompute {
    /// The location whose value at this place it gives.
    pub gives: LocId,
    /// It gives a part of the array; this stands for the others, which earlier adjoints may need.
    pub rest: Option<LocId>,
    /// What it changes besides, and what stands after it is not what stood at this place.
    pub(in crate::reverse) spoils: LocSet,
    /// An earlier adjoint needs what it gives.
    pub(in crate::reverse) used: bool,
    /// An earlier adjoint needs what it spoils.
    pub(in crate::reverse) conflict: bool,
}

/// An iteration that stands for all of a loop's: its adjoint is repeated.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Iterated {
    /// What is asked for.
    pub(in crate::reverse) asked: FixedPoint,
    /// The variable that the loop counts with.
    pub(in crate::reverse) counter: LocSet,
    /// What each iteration replaces: of its adjoint nothing is left in the end.
    pub(in crate::reverse) emptied: Vec<Expr>,
    /// What an iteration may leave in part, and then what it reads: the adjoints stop to change.
    pub(in crate::reverse) settled: Vec<Expr>,
    /// Primal values that the adjoint uses as they are where the iteration has ended.
    pub(in crate::reverse) needed: LocSet,
}

/// The forward half of a call.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct SplitCall {
    /// The call of the forward half.
    pub(in crate::reverse) forward: Stmt,
    /// The variable that stands for the record.
    pub(in crate::reverse) record: SymId,
    /// Primal values that the forward half uses.
    pub(in crate::reverse) reads: LocSet,
}

/// A test that may end its loop, in steps that run again.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Decided {
    /// The level of the sweep that tests.
    pub(in crate::reverse) level: usize,
    /// Follows the test: notes that it was this one that ended the loop.
    pub(in crate::reverse) note: Stmt,
    /// Its outcome in a step that is recorded.
    pub(in crate::reverse) record: Stmt,
    /// What that uses.
    pub(in crate::reverse) reads: LocSet,
    /// Its outcome in steps that others follow.
    pub(in crate::reverse) advance: Stmt,
}

/// How a loop is left by `exit`, where the rest of a step depends on it.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Left {
    /// Takes the number of the test that ended the loop.
    pub(in crate::reverse) number: SymId,
    /// Outcomes of tests, each for the branch that follows its test.
    pub(in crate::reverse) outcomes: Vec<SymId>,
}

/// A loop over blocks of iterations of a time loop.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Blocks {
    /// What a snapshot takes for each reference that is assigned inside.
    pub(in crate::reverse) wide: Widened,
    /// Iterations assign different parts of these arrays, so that snapshots take more than one of them overwrites.
    pub(in crate::reverse) partial: BTreeSet<SymId>,
    /// Objects that the iterations may allocate, free, or give another shape.
    pub(in crate::reverse) changing: Vec<Expr>,
    /// Parts of the snapshot that are restored after the adjoint of a block, for those of earlier statements.
    pub(in crate::reverse) restored: Vec<Expr>,
    /// The first value of the steps' variable, where they are counted.
    pub(in crate::reverse) first: Option<Expr>,
    /// The number of iterations in a block, where it is the same for all but the last.
    pub(in crate::reverse) length: Option<Expr>,
    /// The run-time library tells which blocks run when.
    pub(in crate::reverse) schedule: Option<Schedule>,
}

/// A statement, a reference that it assigns, and what a snapshot takes for it.
pub(in crate::reverse) type Widened = Vec<(StmtId, Expr, Expr)>;

/// A time loop's schedule.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Schedule {
    /// What is asked for.
    pub(in crate::reverse) order: Order,
    /// The steps of the loop.
    pub(in crate::reverse) steps: Steps,
    /// Steps are recorded one by one.
    pub(in crate::reverse) single: bool,
    /// How the loop is left before the end of a step.
    pub(in crate::reverse) left: Option<Left>,
}

/// The steps of a loop in a schedule's numbers.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct Steps {
    /// The loop's name in messages.
    pub(in crate::reverse) name: Name,
    /// The first and the last step.
    pub(in crate::reverse) first: Expr,
    pub(in crate::reverse) last: Expr,
    /// The steps that an action is about.
    pub(in crate::reverse) from: SymId,
    pub(in crate::reverse) to: SymId,
    /// They as values of the loop variable.
    pub(in crate::reverse) range: LoopControl,
}

/// The variables with which generated code follows a schedule.
pub(in crate::reverse) struct Follow<'a> {
    /// The user's loop.
    pub(in crate::reverse) stmt: &'a Stmt,
    /// The schedule.
    pub(in crate::reverse) schedule: Expr,
    /// What it asks for next.
    pub(in crate::reverse) action: Expr,
    /// The first step that this is about.
    pub(in crate::reverse) from: Expr,
    /// The last one.
    pub(in crate::reverse) to: Expr,
}

/// An array that is saved at the start of each step.
pub(in crate::reverse) struct Saved {
    /// The array.
    pub(in crate::reverse) array: SymId,
    /// Where it is saved.
    pub(in crate::reverse) slot: SymId,
    /// The subscripts that pick the step, innermost loop first.
    pub(in crate::reverse) indices: Vec<Subscript>,
}

impl Saved {
    /// The save at the step for which the loop's variable has a value.
    pub(in crate::reverse) fn at(&self, var: SymId, value: &Expr) -> Vec<Subscript> {
        let put = |s: &Subscript| match s {
            // Terms may cancel.
            Subscript::Index(e) => Subscript::Index(plus(&substitute(e, var, value), &Expr::int(0))),
            Subscript::Range { .. } => s.clone(),
        };
        self.indices.iter().map(put).collect()
    }
}
