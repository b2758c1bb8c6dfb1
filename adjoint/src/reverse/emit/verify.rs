//! Comparison of what the backward sweep recomputes with what was computed first, in code that is generated with
//! `--verify`: the forward sweep notes checksums, which the backward sweep compares where the same values must stand.
//!
//! Compared are values that are recomputed ([`crate::reverse::decide::recompute`]), what a joint call is given, from which the callee's
//! adjoint computes the callee's values again, and what iterations compute that run again right before their adjoints.
//! Time loops compare their state ([`crate::reverse::timeloop::scheduled`]).

use std::collections::BTreeSet;

use costate_analysis::storage::{LocId, LocSet, resolve};
use costate_grammar::ir::{
    Arg, Base, Block, Designator, Dim, Expr, Intent, Part, Role, ScopeKind, Stmt, SymId, Ty, Variable,
};

use super::around::Around;
use crate::expressions::{BYTES, never_negative};
use crate::interface::call_arguments;
use crate::reverse::Reverse;
use crate::reverse::timeloop::scheduled::text;
use crate::reverse::tree::decisions::Recompute;
use crate::reverse::tree::node::{Leaf, Loop, Node};

/// The statements of a comparison.
#[derive(Default)]
pub(in crate::reverse) struct Comparison {
    /// In the forward sweep.
    pub note: Block,
    /// In the backward sweep, before other values are restored.
    pub restore: Block,
    /// In the backward sweep, before the adjoint: of what a call is given.
    pub before: Block,
    /// In the backward sweep, after the adjoint: of what that recomputes.
    pub after: Block,
}

impl Reverse<'_, '_> {
    /// Compares what a leaf gives again, or what its call in the sweep of a level is given.
    pub(in crate::reverse) fn comparison(&mut self, l: &Leaf, level: usize, chain: &[Around]) -> Comparison {
        if !self.verify {
            return Comparison::default();
        }
        let joint = !l.adjoint.is_empty() && l.split.is_none() && self.context.callees.contains_key(&l.stmt.id);
        let values: Vec<Expr> = match &l.recompute {
            Some(again) => self.recomputed_values(again),
            None if joint && l.kept(level) => self.given(l),
            None => Vec::new(),
        };
        let mut out = Comparison::default();
        let compared: Block = values.iter().flat_map(|v| self.compare(v, chain, &l.stmt, &mut out)).collect();
        *(if l.recompute.is_some() { &mut out.after } else { &mut out.before }) = compared;
        out
    }

    /// The variable that a slice gives its value again as a whole.
    fn recomputed_values(&self, again: &Recompute) -> Vec<Expr> {
        let home = self.effects.locs.get(again.gives);
        let whole = again.rest.is_none() && home.path.is_empty();
        whole.then(|| self.b.var(home.sym)).into_iter().collect()
    }

    /// What a call is given that its adjoint uses: arguments and module variables.
    fn given(&mut self, l: &Leaf) -> Vec<Expr> {
        let args = call_arguments(&l.stmt).iter().map(|a| a.value.clone()).filter(|e| e.as_var().is_some());
        let objects: Vec<Expr> = args.chain(self.module_variables(&l.needs)).collect();
        let mut out: Vec<Expr> = Vec::new();
        let changing = objects.iter().filter(|e| self.may_change(e));
        let parts: Vec<Expr> = changing.flat_map(|e| self.compared_parts(e)).collect();
        for part in parts {
            let Some(d) = part.as_var().cloned() else { continue };
            let used: LocSet = self.leaves(&d).into_iter().filter(|x| l.needs.contains(x)).collect();
            // A work array may hold anything beside what an iteration assigns of it.
            let settled = self.unsettled.iter().all(|u| u.is_disjoint(&used));
            if !used.is_empty() && settled && self.is_sized(&d) && !out.contains(&part) {
                out.push(part);
            }
        }
        out
    }

    /// The variables of modules among locations that generated code can name.
    fn module_variables(&self, locs: &LocSet) -> Vec<Expr> {
        let of_module = |s: &SymId| matches!(self.b.program[self.b.program[*s].scope].kind, ScopeKind::Module(_));
        let symbols: BTreeSet<SymId> = locs.iter().map(|x| self.effects.locs.get(*x).sym).collect();
        let named = symbols.into_iter().filter(|s| of_module(s) && !self.b.program[*s].private);
        named.filter_map(|s| self.b.program.var(s).map(|v| Expr::var(s, v.ty, v.rank()))).collect()
    }

    /// True for an object that isn't constant, and whose components can be named whatever happens.
    fn may_change(&self, e: &Expr) -> bool {
        let Some(d) = e.as_var() else { return false };
        let first = resolve(self.b.program, d.sym, &[]);
        let last = resolve(self.b.program, d.sym, &d.path());
        let there = |v: &Variable| !v.attrs.pointer && !(e.is_derived() && (v.attrs.allocatable || v.attrs.optional));
        first.is_some_and(|v| v.intent != Some(Intent::In) && !v.attrs.parameter && !v.attrs.pointer)
            && last.is_some_and(there)
    }

    /// What is compared of an object: itself, or the components of a derived type one by one.
    fn compared_parts(&self, e: &Expr) -> Vec<Expr> {
        let derived = match e.ty.base {
            Base::Real | Base::Complex | Base::Integer | Base::Logical => return vec![e.clone()],
            Base::Derived(t) => self.b.program[t].derived(),
            _ => None,
        };
        let Some(derived) = derived else { return Vec::new() };
        let mut out = Vec::new();
        if let Some(parent) = derived.extends {
            out.extend(self.compared_parts(&Expr { ty: Ty::new(Base::Derived(parent), 0), ..e.clone() }));
        }
        for c in &derived.components {
            let part = self.extend(e, std::slice::from_ref(&c.name));
            // Of an array there is no reference to components that are arrays, or have memory of their own.
            let whole = e.rank == 0 || c.var.rank() == 0 && !c.var.attrs.allocatable;
            let hidden = c.var.attrs.pointer || part.is_derived() && c.var.attrs.allocatable;
            if whole && !hidden {
                out.extend(self.compared_parts(&part));
            }
        }
        out
    }

    /// True for a reference to so many elements as are known.
    fn is_sized(&self, d: &Designator) -> bool {
        matches!(d.parts.last(), Some(Part::Subscripts(_)))
            || resolve(self.b.program, d.sym, &d.path())
                .is_some_and(|v| !v.dims.iter().any(|x| matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank)))
    }

    /// Compares what an iteration that runs again right before its adjoint computes as a whole, the first time and again.
    pub(in crate::reverse) fn iteration_comparison(&mut self, l: &Loop, level: usize, chain: &[Around]) -> Comparison {
        let mut out = Comparison::default();
        if self.verify && l.blocks.is_none() {
            let values = self.computed_as_a_whole(l, level);
            out.after = values.iter().flat_map(|v| self.compare(v, chain, &l.stmt, &mut out)).collect();
        }
        out
    }

    /// The variables that every iteration of a loop assigns from end to end, and that both its sweeps leave alike.
    fn computed_as_a_whole(&self, l: &Loop, level: usize) -> Vec<Expr> {
        let mut assigned = LocSet::new();
        for node in &l.body {
            match node {
                Node::Leaf(x) => assigned.extend(x.access.kills.iter().copied()),
                Node::Loop(x) => assigned.extend(x.covers.iter().copied()),
                Node::Branch(_) => {}
            }
        }
        for node in &l.body {
            node.for_each_leaf(&mut |x| {
                let kept = |level: usize| x.kept(level);
                if !(kept(level) && kept(level + 1)) || x.storage.is_some() {
                    assigned.retain(|loc| !x.access.writes.contains(loc));
                }
            });
        }
        let place = |x: &LocId| self.effects.locs.get(*x);
        let whole = assigned.iter().map(place).filter(|loc| loc.path.is_empty()).map(|loc| loc.sym);
        let values = whole.filter_map(|s| self.b.program.var(s).map(|v| Expr::var(s, v.ty, v.rank())));
        let fine = |e: &Expr| {
            let own = e.as_var().is_some_and(|d| self.is_sized(d));
            own && self.may_change(e) && self.compared_parts(e).as_slice() == std::slice::from_ref(e)
        };
        values.filter(fine).collect()
    }

    /// The comparison of a value, whose checksum is noted and restored.
    fn compare(&mut self, value: &Expr, chain: &[Around], from: &Stmt, out: &mut Comparison) -> Block {
        self.compares = true;
        let name = costate_grammar::print::expr(self.b.program, value);
        let value = &never_negative(value.clone());
        let base = format!("{}_sum", self.short_name(value));
        let ty = BYTES;
        let sym = self.b.local(&base, ty, Vec::new());
        let sum = self.b.var(sym);
        let note = [&sum, value].map(|e| Arg::new(e.clone())).into();
        let note = self.runtime_call("costate_note", note, from, Role::Save);
        let place = self.b.program[self.b.program[self.b.primal].sym].name.clone();
        let given = [text(&place), text(&name), value.clone(), sum.clone()].map(Arg::new).into();
        let compare = self.runtime_call("costate_compare", given, from, Role::Restore);
        // Compilers that make a copy of an argument may do so where there is none.
        let (note, compare) = self.where_present(value, (vec![note], vec![compare]), from);
        out.note.extend(note);
        if !chain.is_empty() {
            let var = self.b.spelt(ty);
            let (save, restore) = self.save_as(&sum, &format!("{base}_save"), var, chain, from);
            out.note.extend(save);
            // A tape gives back first what came last.
            out.restore.splice(0..0, restore);
        }
        compare
    }
}
