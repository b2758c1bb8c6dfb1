//! Values that iterations of a loop keep in an array, one each, for a loop behind.

use costate_grammar::ir::{AllocItem, Block, Designator, Expr, ExprKind, Part, StmtKind, Subscript, SymId, Ty};

use super::super::context::Cx;

/// An array with an element for each iteration, and what gives it memory before the loops and takes it behind them, where
/// it isn't an automatic one.
pub(super) struct Kept {
    values: SymId,
    ty: Ty,
    pub(super) before: Block,
    pub(super) after: Block,
}

impl Kept {
    /// One for values like `like`.
    pub(super) fn new(cx: &mut Cx, base: &str, like: &Expr, ends: &(Expr, Expr)) -> Kept {
        let (values, fixed) = cx.array(base, like.ty, like, std::slice::from_ref(ends));
        let mut out = Kept { values, ty: like.ty, before: Block::new(), after: Block::new() };
        if !fixed {
            let object = Expr::var(values, like.ty, 1);
            let shape = vec![(Some(ends.0.clone()), ends.1.clone())];
            let items = vec![AllocItem { object: object.clone(), shape }];
            out.before.push(cx.stmt(StmtKind::Allocate { type_spec: None, items, options: Vec::new() }));
            out.after.push(cx.stmt(StmtKind::Deallocate { items: vec![object], options: Vec::new() }));
        }
        out
    }

    /// The element of the iteration with this index.
    pub(super) fn of(&self, cx: &Cx, index: SymId) -> Expr {
        let kind = cx.program.var(index).map_or(Ty::INTEGER, |v| v.ty);
        let parts = vec![Part::Subscripts(vec![Subscript::Index(Expr::var(index, kind, 0))])];
        Expr::new(ExprKind::Var(Designator { sym: self.values, parts }), self.ty, 0)
    }
}
