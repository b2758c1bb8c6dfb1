//! How the statements of a loop are distributed among several.

use costate_grammar::ir::{Expr, ExprKind, LoopControl, Stmt, StmtKind};

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

/// Lets `sum` increment its left side also by what `s` increments it by.
pub(super) fn add_increment(sum: &mut Stmt, s: &Stmt) {
    fn onto(e: &Expr, x: &Expr, base: &Expr) -> Expr {
        match &e.kind {
            _ if e == x => base.clone(),
            ExprKind::Binary(op, a, b) => Expr::binary(*op, onto(a, x, base), (**b).clone()),
            _ => e.clone(),
        }
    }
    if let (StmtKind::Assign { rhs: base, .. }, StmtKind::Assign { lhs, rhs }) = (&mut sum.kind, &s.kind) {
        *base = onto(rhs, lhs, base);
    }
    sum.leading.extend(s.leading.iter().cloned());
}
