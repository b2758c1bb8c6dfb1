//! Comparison of what the backward sweep computes again with what was computed first, in code that is generated with
//! `--verify`: the forward sweep notes checksums, which the backward sweep compares where the same values must stand.
//!
//! Compared are values that are computed again ([`super::recompute`]) and what a joint call is given, from which the
//! callee's adjoint computes the callee's values again. Time loops compare their state ([`super::timeloop`]).

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{Arg, Base, Block, Dim, Expr, Intent, Part, Role, Stmt};

use super::Reverse;
use super::node::Leaf;
use super::recompute::Again;
use super::slots::Around;
use super::tapes::BYTES;
use super::timeloop::text;
use crate::interface::call_arguments;

/// The statements of a comparison.
#[derive(Default)]
pub(super) struct Comparison {
    /// In the forward sweep.
    pub note: Block,
    /// In the backward sweep, before other values are restored.
    pub restore: Block,
    /// In the backward sweep, before the adjoint: of what a call is given.
    pub before: Block,
    /// In the backward sweep, after the adjoint: of what that computes again.
    pub after: Block,
}

impl Reverse<'_, '_> {
    /// Compares what a leaf gives again, or what its call in the sweep of a level is given.
    pub(super) fn comparison(&mut self, l: &Leaf, level: usize, chain: &[Around]) -> Comparison {
        if !self.verify {
            return Comparison::default();
        }
        let joint = !l.adjoint.is_empty() && l.split.is_none() && self.context.callees.contains_key(&l.stmt.id);
        let values: Vec<Expr> = match &l.again {
            Some(again) => self.given_again(again),
            None if joint && l.keep.get(level).copied().unwrap_or(false) => self.given(l),
            None => Vec::new(),
        };
        let mut out = Comparison::default();
        let compared: Block = values.iter().map(|v| self.compare(v, chain, &l.stmt, &mut out)).collect();
        *(if l.again.is_some() { &mut out.after } else { &mut out.before }) = compared;
        out
    }

    /// The variable that a slice gives its value again as a whole.
    fn given_again(&self, again: &Again) -> Vec<Expr> {
        let home = self.effects.locs.get(again.gives);
        let whole = again.rest.is_none() && home.path.is_empty();
        whole.then(|| self.b.var(home.sym)).into_iter().collect()
    }

    /// The arguments of a call that its adjoint uses, as far as they are whole variables of intrinsic type.
    fn given(&mut self, l: &Leaf) -> Vec<Expr> {
        let mut out: Vec<Expr> = Vec::new();
        for arg in call_arguments(&l.stmt) {
            let Some(d) = arg.value.as_var().cloned() else { continue };
            let used: LocSet = self.leaves(&d).into_iter().filter(|x| l.needs.contains(x)).collect();
            // A work array may hold anything beside what an iteration assigns of it.
            let settled = self.unsettled.iter().all(|u| u.is_disjoint(&used));
            if !used.is_empty() && settled && self.comparable(&arg.value) && !out.contains(&arg.value) {
                out.push(arg.value.clone());
            }
        }
        out
    }

    /// True for a variable or component with memory of its own, of a size that is known, that may change.
    fn comparable(&self, e: &Expr) -> bool {
        let Some(d) = e.as_var().filter(|d| d.parts.iter().all(|p| matches!(p, Part::Component(_)))) else {
            return false;
        };
        let path = d.path();
        let prefix = |n: usize| costate_analysis::storage::resolve(self.b.program, d.sym, &path[..n]);
        let scalar_before = (0..path.len()).all(|n| prefix(n).is_some_and(|v| v.rank() == 0 && !v.attrs.pointer));
        let changes = prefix(0).is_some_and(|v| v.intent != Some(Intent::In) && !v.attrs.parameter);
        let simple = matches!(e.ty.base, Base::Real | Base::Complex | Base::Integer | Base::Logical);
        let sized = prefix(path.len()).is_some_and(|v| {
            !v.attrs.pointer && !v.dims.iter().any(|x| matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank))
        });
        changes && simple && scalar_before && sized
    }

    /// The comparison of a value, whose checksum is noted and restored.
    fn compare(&mut self, value: &Expr, chain: &[Around], from: &Stmt, out: &mut Comparison) -> Stmt {
        self.compares = true;
        let name = costate_grammar::print::expr(self.b.program, value);
        let base = format!("{}_sum", name.replace('%', "_"));
        let ty = BYTES;
        let sym = self.b.local(&base, ty, Vec::new());
        let sum = self.b.var(sym);
        let note = [&sum, value].map(|e| Arg::new(e.clone())).into();
        out.note.push(self.runtime_call("costate_note", note, from, Role::Save));
        if !chain.is_empty() {
            let var = self.b.spelt(ty);
            let (save, restore) = self.save_as(&sum, &format!("{base}_save"), var, chain, from);
            out.note.extend(save);
            // A tape gives back first what came last.
            out.restore.splice(0..0, restore);
        }
        let place = self.b.program[self.b.program[self.b.primal].sym].name.clone();
        let given = [text(&place), text(&name), value.clone(), sum].map(Arg::new).into();
        self.runtime_call("costate_compare", given, from, Role::Restore)
    }
}
