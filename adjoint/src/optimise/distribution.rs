//! How the statements of a loop are distributed among several.

use costate_grammar::ir::LoopControl;

/// Which statements go to which loop.
pub(super) struct Split {
    /// The loops in order.
    pub(crate) groups: Vec<Vec<usize>>,
    /// The loop of the statements that share no elements with other iterations; it is the last one but for those that
    /// must come after it.
    pub(crate) rest: Option<usize>,
}

/// A loop that is made of some of the statements, each with what is added to the loop's variable in it.
pub(super) struct Part {
    /// Its header.
    pub(crate) control: LoopControl,
    /// Which statements, and by how much their iterations are shifted. Increments of one element stand together.
    pub(crate) stmts: Vec<Vec<(usize, i64)>>,
    /// It does most of the work, and the comments stand here.
    pub(crate) main: bool,
}

/// Statements as they stand.
pub(super) fn whole(stmts: Vec<usize>) -> Vec<Vec<(usize, i64)>> {
    stmts.into_iter().map(|i| vec![(i, 0)]).collect()
}
