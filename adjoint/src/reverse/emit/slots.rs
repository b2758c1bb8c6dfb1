//! Slots: where the value of a saved reference lives between the sweeps. Save and restore are made together.
//!
//! Outside loops a slot is a scalar or an array of the reference's shape. Inside counted loops it is an array indexed by
//! the loop variables, innermost first, allocated before the outermost loop. Where a trip count isn't known before that
//! loop, values go to a tape of the run-time library: those of counted loops inside one by one to an array, and this to the
//! tape as a whole, so that their iterations call nothing.

use std::collections::BTreeSet;

use costate_analysis::affine;
use costate_analysis::effects::is_named_in;
use costate_analysis::storage::{resolve, symbols};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, Part, ProcInfo, Role, Stmt, StmtKind,
    Subscript, SymId, SymbolKind, Ty, Variable,
};

use super::around::{Around, ascending, extents_before, is_sizeless, loop_extents, told_apart};
use super::rerun::Rerun;
use super::reuse::Fit;
use super::tapes::fits_tape;
use crate::reverse::Reverse;

/// The least and the greatest subscript of each dimension.
type Bounds = Vec<(Expr, Expr)>;

/// Arrays that a tape takes have so many dimensions at most.
const MOST_DIMENSIONS: usize = 7;

/// Slots that wait for the start of their outermost loop to be allocated.
#[derive(Debug, Default)]
pub(in crate::reverse) struct Slots {
    pending: Vec<Pending>,
    /// What is freed when the loop whose iterations run again has ended.
    lasting: Vec<Expr>,
    /// That loop, while the adjoint of one of its iterations is emitted.
    pub(in crate::reverse) rerun: Option<Rerun>,
    /// Arrays that go to the tape when the loop has ended that fills them.
    collected: Vec<Collected>,
}

/// An array that goes to a tape as a whole.
#[derive(Debug)]
struct Collected {
    array: Expr,
    /// Its bounds where they aren't known before the loop that fills it: it has memory while that runs alone.
    bounds: Option<Bounds>,
}

/// What stands around both sweeps of a loop for the arrays in which its iterations collect what they save.
#[derive(Debug, Default)]
pub(super) struct Settled {
    pub(super) before: Block,
    pub(super) after: Block,
    pub(super) before_back: Block,
    pub(super) after_back: Block,
}

/// A slot with its bounds.
#[derive(Debug)]
struct Pending {
    sym: SymId,
    bounds: Vec<(Expr, Expr)>,
    /// Its memory is used again by the next iteration of a loop whose iterations run again.
    lasting: bool,
    /// So many of its first dimensions must have these extents, where the others may have larger ones.
    exact: usize,
}

impl Reverse<'_, '_> {
    /// Saves a reference's value in the forward sweep and restores it in the backward sweep.
    pub(in crate::reverse) fn save(&mut self, e: &Expr, chain: &[Around], from: &Stmt) -> (Block, Block) {
        if let Some(pointer) = crate::reverse::statements::pointer::associated(e) {
            return self.save_association(&pointer.clone(), chain, from);
        }
        self.reachable(e, from);
        self.sized(e, from);
        let base = self.slot_name(e);
        let var = self.declared(e);
        self.save_as(e, &base, var, chain, from)
    }

    /// A variable that only another procedure can see (a saved local one) can't be saved from here.
    fn reachable(&mut self, e: &Expr, from: &Stmt) {
        let Some(d) = e.as_var() else { return };
        let home = self.b.program[d.sym].scope;
        // The bounds of a loop that changes what they are given by are variables of the adjoint itself.
        if home == self.b.scope {
            return;
        }
        if self.b.made.contains(&d.sym) || is_named_in(self.b.program, self.b.primal, d.sym) {
            return;
        }
        let name = self.b.program[d.sym].name.clone();
        self.problems.push(
            Diagnostic::error(
                Code::UnsupportedCall,
                from.origin.span(),
                format!("this call changes `{name}`, which another procedure keeps from call to call"),
            )
            .reason(
                "the adjoint runs the procedure again and would have to put the old value back, which it can't reach",
            )
            .help(format!("make `{name}` a module variable or an argument")),
        );
    }

    /// Fortran has no value of an array of assumed size as a whole: where a call changes nobody knows how much of it, it
    /// can't be saved.
    fn sized(&mut self, e: &Expr, from: &Stmt) {
        if !is_sizeless(self.b.program, e) {
            return;
        }
        let name = self.short_name(e);
        self.problems.push(
            Diagnostic::error(
                Code::UnsupportedCall,
                from.origin.span(),
                format!("this call changes elements of `{name}`, and it isn't known how many"),
            )
            .reason(format!("the adjoint has to save them before the call, and the size of `{name}` isn't known"))
            .help(format!("declare the size of `{name}`, or pass a section of it")),
        );
    }

    fn slot_name(&self, e: &Expr) -> String {
        format!("{}_save", self.short_name(e))
    }

    /// The names that a reference consists of as one.
    pub(in crate::reverse) fn short_name(&self, e: &Expr) -> String {
        e.as_var().map_or("value".to_string(), |d| {
            let mut text = self.b.program[d.sym].name.to_string();
            for part in d.path() {
                text.push('_');
                text.push_str(&part);
            }
            text
        })
    }

    fn declared(&self, e: &Expr) -> Variable {
        let known = e.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        match known {
            Some(v) if v.ty == e.ty => v.clone(),
            _ => self.b.spelt(e.ty),
        }
    }

    /// The same with a name and declaration of the caller's.
    pub(in crate::reverse) fn save_as(
        &mut self,
        e: &Expr,
        base: &str,
        var: Variable,
        chain: &[Around],
        from: &Stmt,
    ) -> (Block, Block) {
        if e.ty.base == Base::Character && var.spelling.contains(':') {
            return self.save_text(e, base, &var, chain, from);
        }
        if chain.is_empty() {
            let dims = vec![Dim::Deferred; e.rank as usize];
            let sym = self.b.local_like(base, &var, dims);
            self.handed_on.push(sym);
            let slot = Expr::var(sym, e.ty, e.rank);
            self.hold(sym, e, self.shape(e), chain);
            let save = self.b.assign(slot.clone(), e.clone(), from, Role::Save);
            let restore = self.b.assign(e.clone(), slot, from, Role::Restore);
            return (vec![save], vec![restore]);
        }
        if let Some(bounds) = self.extents(e, chain) {
            return self.save_in_array(e, (base, &var), (bounds, usize::from(e.rank)), chain, from).0;
        }
        if let Some((first, bounds, steady)) = self.collected_extents(e, chain) {
            let exact = bounds.len();
            let (sweeps, array) = self.save_in_array(e, (base, &var), (bounds, exact), &chain[first..], from);
            let own = if steady { None } else { self.slots.pending.pop() };
            self.slots.collected.push(Collected { array, bounds: own.map(|p| p.bounds) });
            self.hold_on_tape(e, chain, first);
            return sweeps;
        }
        let sweeps = self.tape_save(e, chain, from);
        self.hold_on_tape(e, chain, chain.len());
        sweeps
    }

    /// Save and restore by an array of these bounds with the value of each iteration of the loops of `chain`; also the array.
    /// So many of its extents must be just these.
    fn save_in_array(
        &mut self,
        e: &Expr,
        (base, var): (&str, &Variable),
        (mut bounds, exact): (Vec<(Expr, Expr)>, usize),
        chain: &[Around],
        from: &Stmt,
    ) -> ((Block, Block), Expr) {
        let counted = told_apart(&self.b.scene(), chain);
        let kept = |a: &Around| counted.iter().any(|c| c.var == a.var);
        let own = usize::from(e.rank);
        let of_loops = bounds.split_off(own).into_iter().zip(chain.iter().rev());
        bounds.extend(of_loops.filter(|(_, a)| kept(a)).map(|(bound, _)| bound));
        let exact = exact.min(bounds.len());
        let rank = bounds.len();
        let sym = self.b.local_like(base, var, vec![Dim::Deferred; rank]);
        self.handed_on.push(sym);
        self.hold(sym, e, bounds.clone(), chain);
        let subscripts = self.subscripts_in(&counted, &mut bounds[own..]);
        let lasting = self.lasts(e, &bounds);
        self.slots.pending.push(Pending { sym, bounds, lasting, exact });
        let mut parts = vec![Subscript::Range { lo: None, hi: None, step: None }; own];
        parts.extend(subscripts.into_iter().map(Subscript::Index));
        let place = Designator { sym, parts: vec![Part::Subscripts(parts)] };
        let slot = Expr::new(ExprKind::Var(place), e.ty, e.rank);
        let save = self.b.assign(slot.clone(), e.clone(), from, Role::Save);
        let restore = self.b.assign(e.clone(), slot, from, Role::Restore);
        ((vec![save], vec![restore]), Expr::var(sym, e.ty, rank as u8))
    }

    /// True for a counted loop whose iterations would save on a tape one by one: it is inside loops of which nobody knows
    /// how often they run, and the outermost such; or threads share out its iterations, and where these begin and end isn't
    /// known before the loops around it.
    pub(super) fn collects(&self, l: &Around, chain: &[Around]) -> bool {
        let varies = || {
            let all: Vec<Around> = chain.iter().chain([l]).cloned().collect();
            let within = chain.iter().any(|a| a.shared.is_some());
            l.shared.is_some() && !within && !chain.is_empty() && loop_extents(self.b.program, &all).is_none()
        };
        let first = l.var.is_some() && !l.exits && !chain.iter().any(|a| a.collects);
        first && (chain.iter().any(|a| a.var.is_none()) || varies())
    }

    /// The bounds of an array for the values that the iterations of a loop that collects save, and the number of loops
    /// around it; none where a tape takes no such array. The flag tells that the bounds are known before the outermost loop,
    /// and the same each time.
    fn collected_extents(&self, e: &Expr, chain: &[Around]) -> Option<(usize, Bounds, bool)> {
        let first = chain.iter().position(|a| a.collects)?;
        let (around, inside) = chain.split_at(first);
        if inside.iter().any(|a| a.exits) {
            return None;
        }
        let bounds_before = |outer: &Around, inside: &[Around]| {
            let mut bounds = if e.rank > 0 { self.section_extents(e, outer)? } else { Vec::new() };
            bounds.extend(extents_before(self.b.program, inside, outer)?);
            let takes = fits_tape(e.ty) && bounds.len() <= MOST_DIMENSIONS && self.optional_in(&bounds).is_empty();
            takes.then_some(bounds)
        };
        let vary: BTreeSet<SymId> = around.iter().filter_map(|a| a.var).collect();
        let steady =
            |bounds: &Bounds| bounds.iter().flat_map(|(lo, hi)| [lo, hi]).all(|b| symbols(b).is_disjoint(&vary));
        if let Some(bounds) = bounds_before(chain.first()?, inside).filter(steady) {
            return Some((first, bounds, true));
        }
        let [collecting, rest @ ..] = inside else { return None };
        if collecting.shared.is_none() || self.slots.rerun.is_some() {
            return None;
        }
        let inside: Vec<Around> = [ascending(collecting)].into_iter().chain(rest.iter().cloned()).collect();
        Some((first, bounds_before(collecting, &inside)?, false))
    }

    /// How many arrays wait to go to the tape.
    pub(super) fn collected_mark(&self) -> usize {
        self.slots.collected.len()
    }

    /// What has been collected since `mark`, in a loop that does, goes to the tape, and comes back. `chain` are the loops
    /// around it.
    pub(super) fn settle_collected(&mut self, mark: usize, chain: &[Around], from: &Stmt) -> Settled {
        let mut out = Settled::default();
        for Collected { array, bounds } in self.slots.collected.split_off(mark) {
            let (push, pop) = self.on_tape(&array, chain, from);
            out.after.extend(push);
            out.before_back.splice(0..0, pop);
            let Some(bounds) = bounds else { continue };
            let shape = bounds.into_iter().map(|(lo, hi)| ((lo.as_int() != Some(1)).then_some(lo), hi)).collect();
            let item = AllocItem { object: array.clone(), shape };
            out.before.push(self.allocate(&item, from));
            out.after.push(self.free(array.clone(), from));
            out.before_back.insert(0, self.allocate(&item, from));
            out.after_back.push(self.free(array, from));
        }
        out
    }

    /// The same for a text whose length changes: there can be one copy of it, but no array of copies. A tape takes each with
    /// its length.
    fn save_text(&mut self, e: &Expr, base: &str, var: &Variable, chain: &[Around], from: &Stmt) -> (Block, Block) {
        // Where a part of it is assigned the whole is saved.
        let mut e = e.clone();
        if let ExprKind::Var(d) = &mut e.kind
            && matches!(d.parts.last(), Some(Part::Substring(..)))
        {
            d.parts.pop();
        }
        let element = e.as_var().is_none_or(|d| matches!(d.parts.last(), Some(Part::Subscripts(_))));
        let e = &e;
        let kept = chain.is_empty() || var.attrs.allocatable && e.ty.kind == 1;
        if e.rank > 0 || element || !kept || !var.attrs.allocatable {
            self.refuse_text(from);
            return (Block::new(), Block::new());
        }
        if !chain.is_empty() {
            let sweeps = self.on_tape(e, chain, from);
            self.hold_on_tape(e, chain, chain.len());
            return sweeps;
        }
        let sym = self.b.local_like(base, var, Vec::new());
        if let SymbolKind::Variable(v) = &mut self.b.program.symbols[sym.0 as usize].kind {
            v.attrs.allocatable = true;
        }
        let slot = Expr::var(sym, e.ty, 0);
        let save = self.b.assign(slot.clone(), e.clone(), from, Role::Save);
        let restore = self.b.assign(e.clone(), slot.clone(), from, Role::Restore);
        let save = self.when(e.allocated(), vec![save], from);
        let restore = self.when(slot.allocated(), vec![restore], from);
        let free = self.free_any(e, from);
        (vec![save], vec![free, restore])
    }

    /// Refuses to save a text whose length changes.
    pub(in crate::reverse) fn refuse_text(&mut self, from: &Stmt) {
        let d = Diagnostic::error(
            Code::UnsupportedStatement,
            from.origin.span(),
            "a text that is overwritten here can't be saved",
        )
        .reason("its length changes, the backward sweep asks for it, and texts of different lengths make no array")
        .help("declare it with a fixed length, or keep what is asked about it in an integer or logical variable");
        if !self.problems.contains(&d) {
            self.problems.push(d);
        }
    }

    /// A slot for a whole array of explicit shape with its own bounds, and the subscripts that pick the present iteration.
    pub(in crate::reverse) fn slot_of_array(
        &mut self,
        sym: SymId,
        chain: &[Around],
    ) -> Option<(SymId, Vec<Subscript>)> {
        let array = self.b.var(sym);
        let iterations = self.extents(&Expr::zero(array.ty), chain)?;
        let slot = self.array_slot(sym, &self.slot_name(&array), iterations, chain)?;
        let pending = self.slots.pending.pop();
        let mut subscripts = Vec::new();
        if let Some(mut slot) = pending {
            subscripts = self.subscripts_in(chain, &mut slot.bounds[usize::from(array.rank)..]);
            slot.lasting = self.lasts(&array, &slot.bounds);
            self.slots.pending.push(slot);
        }
        Some((slot, subscripts.into_iter().map(Subscript::Index).collect()))
    }

    /// The same with extents beyond those of the array and a name of the caller's.
    pub(in crate::reverse) fn array_slot(
        &mut self,
        sym: SymId,
        base: &str,
        iterations: Vec<(Expr, Expr)>,
        chain: &[Around],
    ) -> Option<SymId> {
        let v = self.b.program.var(sym)?.clone();
        let array = self.b.var(sym);
        let mut bounds = Vec::new();
        for (k, dim) in v.dims.iter().enumerate() {
            let Dim::Explicit(lo, _) = dim else { return None };
            let (_, hi) = whole_extent(&array, k, dim)?;
            bounds.push(match lo.as_ref().map(Expr::as_int) {
                None | Some(Some(1)) => (Expr::int(1), hi),
                Some(_) => {
                    let ask = |which| Expr::intrinsic(which, vec![array.clone(), Expr::int(k as i64 + 1)]);
                    (ask(Intrinsic::Lbound), ask(Intrinsic::Ubound))
                }
            });
        }
        bounds.extend(iterations);
        let slot = self.b.local_like(base, &v, vec![Dim::Deferred; bounds.len()]);
        self.hold(slot, &array, bounds.clone(), chain);
        self.slots.pending.push(Pending { sym: slot, bounds, lasting: false, exact: v.dims.len() });
        Some(slot)
    }

    /// A symbol of the run-time library's Fortran interface.
    pub(in crate::reverse) fn runtime_symbol(&mut self, name: &str, kind: SymbolKind) -> SymId {
        crate::runtime::symbol(self.b.program, name, kind)
    }

    pub(in crate::reverse) fn runtime_call(&mut self, name: &str, args: Vec<Arg>, from: &Stmt, role: Role) -> Stmt {
        let info = ProcInfo { external: true, ..ProcInfo::default() };
        let sym = self.runtime_symbol(name, SymbolKind::Procedure(Box::new(info)));
        let callee = Callee::Proc { sym, generic: None, operator: None };
        self.b.derive(StmtKind::Call { callee, args }, from, role)
    }

    /// Bounds of a slot inside the loops of `chain` (outermost first), as they can be evaluated before the outermost.
    fn extents(&self, e: &Expr, chain: &[Around]) -> Option<Vec<(Expr, Expr)>> {
        let outer = chain.first()?;
        let mut bounds = Vec::new();
        if e.rank > 0 {
            bounds.extend(self.section_extents(e, outer)?);
        }
        bounds.extend(loop_extents(self.b.program, chain)?);
        Some(bounds)
    }

    /// An array that is allocated with these bounds before the outermost loop and freed behind its adjoint, or a stack.
    pub(in crate::reverse) fn add_slot(&mut self, sym: SymId, bounds: Vec<(Expr, Expr)>) {
        self.slots.pending.push(Pending { sym, bounds, lasting: false, exact: 0 });
    }

    /// The subscripts of the present iteration, and the bounds of what is kept for every iteration of the loops of
    /// `chain`; such a variable is allocated before the outermost of them. `lasting`: it is used again when these run again,
    /// for other iterations maybe, which are counted from one.
    pub(in crate::reverse) fn slot_of_iterations(
        &mut self,
        sym: SymId,
        chain: &[Around],
        lasting: bool,
    ) -> Option<Vec<Subscript>> {
        let mut bounds = loop_extents(self.b.program, chain)?;
        if let SymbolKind::Variable(v) = &mut self.b.program[sym].kind {
            v.attrs.allocatable = true;
            v.dims = vec![Dim::Deferred; bounds.len()];
        }
        let mut subscripts: Vec<Expr> = chain.iter().rev().filter_map(|a| a.var).map(|s| self.b.var(s)).collect();
        if lasting {
            for (at, (lo, hi)) in subscripts.iter_mut().zip(&mut bounds) {
                *at = affine::count(lo, at);
                *hi = affine::count(lo, hi);
                *lo = Expr::int(1);
            }
        }
        self.slots.pending.push(Pending { sym, bounds, lasting, exact: 0 });
        Some(subscripts.into_iter().map(Subscript::Index).collect())
    }

    /// Extents of an array or a section of it that keeps its shape, one for each dimension that isn't a single index.
    fn section_extents(&self, e: &Expr, outer: &Around) -> Option<Vec<(Expr, Expr)>> {
        let d = e.as_var()?;
        let v = resolve(self.b.program, d.sym, &d.path())?;
        let steady = outer.steady.contains(&d.sym) && d.path().is_empty();
        let one_by_one = e.is_derived() && (self.by_components(e.ty) || !matches!(e.ty.base, Base::Derived(_)));
        if one_by_one || v.attrs.allocatable && !steady || v.attrs.pointer {
            return None;
        }
        let (array, list) = match d.parts.split_last() {
            Some((Part::Subscripts(list), rest)) => (Designator { sym: d.sym, parts: rest.to_vec() }, Some(list)),
            _ => (d.clone(), None),
        };
        if array.subscripts().next().is_some() || !self.is_in_object(&array) {
            return None;
        }
        let array = Expr::new(ExprKind::Var(array), e.ty, v.rank());
        let mut out = Vec::new();
        for (k, dim) in v.dims.iter().enumerate() {
            match list.map(|l| &l[k]) {
                None | Some(Subscript::Range { lo: None, hi: None, step: None }) => {
                    out.push(whole_extent(&array, k, dim)?);
                }
                Some(Subscript::Range { lo: Some(lo), hi: Some(hi), step: None }) => {
                    if symbols(lo).union(&symbols(hi)).any(|s| outer.assigns(*s)) {
                        return None;
                    }
                    out.push((lo.clone(), hi.clone()));
                }
                Some(Subscript::Index(i)) if i.rank == 0 => {}
                Some(_) => return None,
            }
        }
        (out.len() == e.rank as usize).then_some(out)
    }

    /// True for a variable, and for a component of an object all of which is there as soon as it is declared.
    fn is_in_object(&self, d: &Designator) -> bool {
        let path = d.path();
        (0..path.len()).all(|n| {
            let around = resolve(self.b.program, d.sym, &path[..n]);
            around.is_some_and(|v| v.rank() == 0 && !v.attrs.allocatable && !v.attrs.pointer)
        })
    }

    /// Allocations of the slots made since `mark`, and their release.
    pub(in crate::reverse) fn settle_slots(&mut self, mark: usize, from: &Stmt) -> (Block, Block) {
        let slots = self.slots.pending.split_off(mark);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for Pending { sym, bounds, lasting, exact } in slots {
            let v = self.b.program.var(sym).map(|v| (v.ty, v.rank())).unwrap_or((Ty::NONE, 0));
            let object = Expr::var(sym, v.0, v.1);
            if self.b.program.var(sym).is_some_and(|v| v.attrs.pointer) {
                // A stack begins empty, and is empty in the end.
                before.push(self.b.derive(StmtKind::Nullify(vec![object]), from, Role::Storage));
                continue;
            }
            let asked = self.optional_in(&bounds);
            let varies = self.slots.rerun.as_ref().is_none_or(|rerun| rerun.changes(self.b.program, &bounds));
            let shape = bounds.into_iter().map(|(lo, hi)| ((lo.as_int() != Some(1)).then_some(lo), hi)).collect();
            let item = AllocItem { object: object.clone(), shape };
            let make = self.allocate(&item, from);
            if lasting {
                let fit = if varies { Fit::Large(exact) } else { Fit::Any };
                before.extend(self.ensure(&item, fit, make));
                self.slots.lasting.push(object);
            } else if asked.is_empty() {
                before.push(make);
                after.extend(self.settle_tapes(sym, from));
                after.push(self.free(object, from));
            } else {
                // What is absent has no bounds, and nothing is saved of it or in loops that it bounds.
                let made = asked.iter().fold(make, |made, present| self.when(present.clone(), vec![made], from));
                before.push(made);
                let release = self.settle_tapes(sym, from);
                after.extend(release.map(|s| self.when(object.clone().allocated(), vec![s], from)));
                after.push(self.free_any(&object, from));
            }
        }
        (before, after)
    }

    /// `present(c)` for every optional dummy that bounds mention.
    pub(in crate::reverse) fn optional_in(&self, bounds: &[(Expr, Expr)]) -> Vec<Expr> {
        let mentioned: BTreeSet<SymId> = bounds.iter().flat_map(|(lo, hi)| [lo, hi]).flat_map(symbols).collect();
        mentioned.into_iter().filter_map(|s| self.presence(&self.b.var(s))).collect()
    }

    /// Frees the records that were for iterations that run again.
    pub(in crate::reverse) fn free_lasting(&mut self, from: &Stmt) -> Block {
        let list = std::mem::take(&mut self.slots.lasting);
        let free_any = |e: Expr| {
            let free = self.free(e.clone(), from);
            self.on_one_line(e.allocated(), free, from)
        };
        list.into_iter().map(free_any).collect()
    }

    /// How many slots wait to be allocated.
    pub(in crate::reverse) fn slot_mark(&self) -> usize {
        self.slots.pending.len()
    }
}

/// Bounds for the values of a whole dimension.
fn whole_extent(array: &Expr, k: usize, dim: &Dim) -> Option<(Expr, Expr)> {
    match dim {
        Dim::Explicit(None, hi) if hi.as_int().is_some() => Some((Expr::int(1), hi.clone())),
        Dim::Explicit(..) | Dim::Assumed(_) | Dim::Deferred => {
            Some((Expr::int(1), Expr::intrinsic(Intrinsic::Size, vec![array.clone(), Expr::int(k as i64 + 1)])))
        }
        Dim::AssumedSize(_) | Dim::AssumedRank => None,
    }
}
