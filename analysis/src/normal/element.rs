//! The element of an array expression at given offsets, and loops over elements.

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Arg, Block, Callee, Designator, Expr, ExprKind, LoopControl, Part, StmtKind, Subscript, SymId,
};

use super::callee;
use super::context::Cx;
use super::designator::{self, array_part, at, product};
use crate::affine;

/// One loop of a nest.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// Its variable.
    pub(super) var: SymId,
    /// First value.
    pub(super) lo: Expr,
    /// Last value.
    pub(super) hi: Expr,
    /// Stride, of user-written indices.
    pub(super) step: Option<Expr>,
    /// Run from the last value to the first.
    pub(super) down: bool,
    /// The variable is the run's own and is given back.
    pub(super) own: bool,
}

impl Cx<'_> {
    /// A loop from `lo` to `hi` over a fresh index.
    pub(super) fn axis(&mut self, lo: Expr, hi: Expr) -> Axis {
        let var = self.index(lo.ty.kind.max(hi.ty.kind));
        Axis { var, lo, hi, step: None, down: false, own: true }
    }

    /// The loop's variable as an expression.
    pub(super) fn index_expr(&self, axis: &Axis) -> Expr {
        let ty = self.program.var(axis.var).map_or(costate_grammar::ir::Ty::INTEGER, |v| v.ty);
        Expr::var(axis.var, ty, 0)
    }

    /// How far the loop's variable is from its first value.
    pub(super) fn offset(&self, axis: &Axis) -> Expr {
        affine::minus(&self.index_expr(axis), &axis.lo)
    }

    /// Gives the variables of loops back.
    pub(super) fn release_axes(&mut self, axes: &[Axis]) {
        for a in axes.iter().filter(|a| a.own) {
            self.release(a.var);
        }
    }

    /// Loops around a body; the first axis is the innermost loop.
    pub(super) fn nest(&mut self, axes: &[Axis], mut body: Block) -> Block {
        for a in axes {
            let control = if a.down {
                LoopControl::Count { var: a.var, lo: a.hi.clone(), hi: a.lo.clone(), step: Some(Expr::int(-1)) }
            } else {
                LoopControl::Count { var: a.var, lo: a.lo.clone(), hi: a.hi.clone(), step: a.step.clone() }
            };
            body = vec![self.stmt(StmtKind::repeat(control, body))];
        }
        body
    }

    /// Loops over all elements of an array expression, in array element order.
    pub(super) fn axes_of(&mut self, e: &Expr) -> Option<Vec<Axis>> {
        let ranges: Option<Vec<_>> = (0..usize::from(e.rank)).map(|k| self.range(e, k)).collect();
        Some(ranges?.into_iter().map(|(lo, hi)| self.axis(lo, hi)).collect())
    }

    /// Loops over all elements of an array around what is done for each, which is told its offsets.
    pub(super) fn over_elements(
        &mut self,
        array: &Expr,
        each: impl FnOnce(&mut Self, &[Expr], &mut Block) -> Option<()>,
    ) -> Option<Block> {
        let axes = self.axes_of(array)?;
        let offs: Vec<Expr> = axes.iter().map(|a| self.offset(a)).collect();
        let mut body = Block::new();
        let done = each(self, &offs, &mut body);
        let nest = self.nest(&axes, body);
        self.release_axes(&axes);
        done.map(|()| nest)
    }

    /// The element of `e` at the offsets (from 0, one a dimension). Statements that it needs go to `pre`.
    pub(super) fn element(&mut self, e: &Expr, offs: &[Expr], pre: &mut Block) -> Option<Expr> {
        if e.rank == 0 {
            return Some(e.clone());
        }
        let kind = match &e.kind {
            ExprKind::Var(d) => ExprKind::Var(self.element_of(d, offs, pre)?),
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(self.element(a, offs, pre)?)),
            ExprKind::Paren(a) => ExprKind::Paren(Box::new(self.element(a, offs, pre)?)),
            ExprKind::Binary(op, a, b) => {
                let a = self.element(a, offs, pre)?;
                ExprKind::Binary(*op, Box::new(a), Box::new(self.element(b, offs, pre)?))
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() != Class::Elemental => {
                return super::transform::element(self, *f, args, e, offs, pre);
            }
            ExprKind::Call { callee, args } => {
                if !matches!(callee, Callee::Intrinsic(_)) && !callee::elemental(self.program, callee) {
                    return None;
                }
                let mut new = Vec::with_capacity(args.len());
                for a in args {
                    new.push(Arg { keyword: a.keyword.clone(), value: self.element(&a.value, offs, pre)? });
                }
                let callee = match callee {
                    Callee::Bound { object, binding, resolved } => Callee::Bound {
                        object: Box::new(self.element(object, offs, pre)?),
                        binding: binding.clone(),
                        resolved: *resolved,
                    },
                    other => other.clone(),
                };
                ExprKind::Call { callee, args: new }
            }
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::ComplexLit(..)
            | ExprKind::Logical { .. }
            | ExprKind::Str(_)
            | ExprKind::Boz(_)
            | ExprKind::ArrayCtor { .. }
            | ExprKind::StructCtor { .. }
            | ExprKind::ProcRef(_)
            | ExprKind::Opaque(_) => return None,
        };
        Some(Expr { kind, rank: 0, ..e.clone() })
    }

    fn element_of(&mut self, d: &Designator, offs: &[Expr], pre: &mut Block) -> Option<Designator> {
        let part = array_part(self.program, d)?;
        let dims = self.dimensions(d)?;
        if dims.len() != offs.len() {
            return None;
        }
        let mut indices = Vec::with_capacity(dims.len());
        for (dim, off) in dims.iter().zip(offs) {
            indices.push(match dim {
                designator::Dimension::Triplet { lo, step, .. } => at(lo, step.as_ref(), off),
                designator::Dimension::Vector(v) => self.element(v, std::slice::from_ref(off), pre)?,
            });
        }
        let mut indices = indices.into_iter();
        let mut parts = d.parts.clone();
        match &part.subscripts {
            None => parts.insert(part.at, Part::Subscripts(indices.map(Subscript::Index).collect())),
            Some(list) => {
                let mut new = Vec::with_capacity(list.len());
                for s in list {
                    new.push(match s {
                        Subscript::Index(e) if e.rank == 0 => s.clone(),
                        Subscript::Index(_) | Subscript::Range { .. } => Subscript::Index(indices.next()?),
                    });
                }
                parts[part.at] = Part::Subscripts(new);
            }
        }
        Some(Designator { sym: d.sym, parts })
    }

    /// The offset in array element order of the element at `offs` of an array with these extents.
    pub(super) fn linear(&self, offs: &[Expr], extents: &[Expr]) -> Expr {
        let mut sum = Expr::int(0);
        for (off, n) in offs.iter().zip(extents).rev() {
            sum = affine::plus(&product(&sum, n), off);
        }
        sum
    }
}

/// The element of a whole array whose indices are the loops' own.
pub(super) fn element_at(cx: &Cx, whole: &Expr, axes: &[Axis]) -> Expr {
    let indices = axes.iter().map(|a| cx.index_expr(a)).collect();
    let sym = whole.as_var().map_or(SymId::new(0), |d| d.sym);
    Expr::element(sym, whole.ty, indices)
}
