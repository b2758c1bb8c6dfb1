//! Derived-type values on a tape, which takes values of intrinsic types only: component by component, element by element.

use costate_analysis::storage::{all_components, extended, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Component, Expr, ExprKind, LoopControl, Part, Role, Stmt, StmtKind, Subscript, Ty,
};

use super::around::Around;
use crate::reverse::Reverse;
use crate::reverse::statements::allocate::plain;
use crate::reverse::tree::decisions::Reshaped;

impl Reverse<'_, '_> {
    /// The components of a value; those that are allocatable with their status and bounds.
    pub(in crate::reverse) fn tape_components(&mut self, e: &Expr, chain: &[Around], from: &Stmt) -> (Block, Block) {
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        let Some(ty) = e.ty.derived() else { return (forward, backward) };
        let components: Vec<Component> = all_components(self.b.program, ty).into_iter().cloned().collect();
        let open = matches!(e.ty.base, Base::Class(_)) && extended(self.b.program, ty);
        if open || components.iter().any(|c| c.var.attrs.pointer) {
            self.problems.push(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    from.origin.span(),
                    "a value that is overwritten here can't be saved",
                )
                .reason("its type isn't known or has pointers, and the trip count of the loop isn't known beforehand")
                .help("use a counted loop with bounds that don't change, or another type"),
            );
            return (forward, backward);
        }
        let shared = chain.iter().any(|a| a.shared.is_some());
        let mut unbounded = if shared { chain.to_vec() } else { Vec::new() };
        unbounded.push(Around::unknown(None));
        for c in &components {
            let part = self.extend(e, std::slice::from_ref(&c.name));
            let (save, restore) = match c.var.attrs.allocatable {
                true => {
                    let r = Reshaped { undone: true, ..plain(part, false) };
                    self.save_status(&r, true, &unbounded, from)
                }
                false => self.tape_save(&part, chain, from),
            };
            forward.extend(save);
            backward.splice(0..0, restore);
        }
        (forward, backward)
    }

    /// The elements of an array, in a loop that runs the other way round when they come back.
    pub(in crate::reverse) fn tape_elements(&mut self, e: &Expr, chain: &[Around], from: &Stmt) -> (Block, Block) {
        let ExprKind::Var(d) = &e.kind else { return (Vec::new(), Vec::new()) };
        let mut element = d.clone();
        let own = match element.parts.pop() {
            Some(Part::Subscripts(list)) => Some(list),
            Some(other) => {
                element.parts.push(other);
                None
            }
            None => None,
        };
        let rank = resolve(self.b.program, element.sym, &element.path()).map_or(0, |v| v.rank());
        let all = || Subscript::Range { lo: None, hi: None, step: None };
        let mut list = own.unwrap_or_else(|| vec![all(); usize::from(rank)]);
        let whole = Expr { kind: ExprKind::Var(element.clone()), rank, ..e.clone() };
        let mut loops = Vec::new();
        for (k, s) in list.iter_mut().enumerate() {
            let Subscript::Range { lo, hi, step } = s.clone() else { continue };
            let sym = self.b.local("k", Ty::INTEGER, Vec::new());
            let bound = |f| Expr::intrinsic(f, vec![whole.clone(), Expr::int(k as i64 + 1)]);
            let (lo, hi) =
                (lo.unwrap_or_else(|| bound(Intrinsic::Lbound)), hi.unwrap_or_else(|| bound(Intrinsic::Ubound)));
            loops.push((sym, lo, hi, step));
            *s = Subscript::Index(self.b.var(sym));
        }
        element.parts.push(Part::Subscripts(list));
        let one = Expr { kind: ExprKind::Var(element), rank: 0, ..e.clone() };
        let (mut forward, mut backward) = self.tape_save(&one, chain, from);
        for (var, lo, hi, step) in loops {
            let back = super::sweeps::reverse_count(var, lo.clone(), hi.clone(), step.clone());
            let control = LoopControl::Count { var, lo, hi, step };
            forward = vec![self.b.derive(StmtKind::repeat(control, forward), from, Role::Save)];
            backward = vec![self.b.derive(StmtKind::repeat(back, backward), from, Role::Restore)];
        }
        (forward, backward)
    }
}
