//! Derivatives of actual arguments.
//!
//! An adjoint increments the derivatives of its dummies and of the variables that it reaches by their own names. Where two
//! of these are one memory, one of them gets memory of its own, which is zero before the call and added after it: the
//! derivative of a sum of uses is the sum of the derivatives.

use costate_analysis::affine::plus;
use costate_analysis::effects::{CallMap, Piece, Sharing};
use costate_analysis::storage::{LocId, LocSet, resolve};
use costate_grammar::ir::{
    Dim, Expr, ExprKind, LoopControl, Part, Program, Role, Stmt, StmtKind, Subscript, SymId, Ty,
};

use crate::externals::{SIZELESS, zero_like, zeroed, zeros};
use crate::interface::Signature;
use crate::objects::{arrives, clear, cleared_copy, is_object, real_parts, whole};
use crate::reverse::Reverse;
use crate::reverse::tree::call_site::CallSite;
use crate::vectors::{declared_length, nth};

/// The derivatives of the arguments of one call.
pub(in crate::reverse) struct Passing<'s> {
    site: &'s CallSite<'s>,
    signature: &'s Signature,
    sharings: Vec<Sharing>,
    /// Statements before the call.
    pub before: Vec<Stmt>,
    /// Statements after the call.
    pub after: Vec<Stmt>,
}

impl<'s> Passing<'s> {
    pub(in crate::reverse) fn new(r: &mut Reverse<'_, '_>, site: &'s CallSite<'s>, signature: &'s Signature) -> Self {
        let sharings = r.effects.sharings(r.b.program, (r.b.primal, signature.primal), site.stmt.id, site.args);
        Passing { site, signature, sharings, before: Vec::new(), after: Vec::new() }
    }
}

impl Reverse<'_, '_> {
    /// The derivative that goes with an actual argument.
    pub(in crate::reverse) fn derivative_argument(
        &mut self,
        passing: &mut Passing<'_>,
        dummy: SymId,
        actual: &Expr,
    ) -> Expr {
        let site = passing.site;
        let pointer = self.b.program.var(dummy).is_some_and(|v| v.attrs.pointer);
        if pointer && (actual.is_null() || !self.points(actual)) {
            return self.derivative_pointer(passing, dummy, actual);
        }
        if actual.as_var().is_none() {
            // A value without a variable: its derivative is received and dropped.
            let sym = self.b.local(&format!("unused{}", self.b.naming.variable), actual.ty, Vec::new());
            let t = self.b.var(sym);
            if actual.rank > 0 {
                self.refuse_call(site, "an array expression is passed to an active dummy");
            }
            passing.before.push(self.b.assign(t.clone(), Expr::zero(t.ty), site.stmt, Role::Adjoint));
            return t;
        }
        if is_object(self.b.program, passing.signature, dummy) {
            return self.object(passing, actual, true);
        }
        let shadow = self.b.shadow_ref(actual);
        if !self.is_shared(passing, dummy, actual) {
            return shadow;
        }
        if self.may_lack_memory(dummy, actual) {
            self.refuse_call(site, "an argument that is absent where it has no memory is passed twice");
            return shadow;
        }
        if actual.is_derived() {
            return self.derived_copy(passing, actual, &shadow);
        }
        let map = CallMap::new(self.b.program, passing.signature.primal, site.args, site.result);
        let procs = (self.b.primal, passing.signature.primal);
        let piece = self.effects.piece(self.b.program, &map, procs, dummy, actual);
        if let Some(piece) = piece.filter(|p| p.sequence.is_some()) {
            return self.sequence_copy(passing, actual, &shadow, &piece);
        }
        if let Some(copy) = self.copy_of_length(passing, dummy, &shadow) {
            return copy;
        }
        let copy = self.zero_copy(passing, &shadow);
        passing.after.push(self.b.assign(shadow.clone(), shadow.add(copy.clone()), site.stmt, Role::Adjoint));
        copy
    }

    /// A second derivative of as many elements as a dummy declares: it needs no memory of its own, and of the first one no
    /// more is touched.
    fn copy_of_length(&mut self, passing: &mut Passing<'_>, dummy: SymId, shadow: &Expr) -> Option<Expr> {
        let length = declared_length(self.b.program, dummy).filter(|_| shadow.rank == 1)?;
        let from = passing.site.stmt;
        nth(self.b.program, shadow, &Expr::int(1))?;
        let dims = vec![Dim::Explicit(None, Expr::int(length))];
        let sym = self.b.local(&format!("copy{}", self.b.naming.variable), shadow.ty, dims);
        let copy = Expr::var(sym, shadow.ty, 1);
        let index = self.b.local("i", Ty::INTEGER, Vec::new());
        let k = self.b.var(index);
        let own = nth(self.b.program, shadow, &k)?;
        passing.before.push(self.b.assign(copy.clone(), Expr::zero(shadow.ty), from, Role::Adjoint));
        let part = Expr::element(sym, shadow.ty, vec![k]);
        let sum = self.b.assign(own.clone(), own.add(part), from, Role::Adjoint);
        let control = LoopControl::Count { var: index, lo: Expr::int(1), hi: Expr::int(length), step: None };
        passing.after.push(self.b.derive(StmtKind::repeat(control, vec![sum]), from, Role::Adjoint));
        Some(copy)
    }

    /// A derivative of the shape of an actual argument that nobody reads.
    pub(in crate::reverse) fn unread_derivative(
        &mut self,
        passing: &mut Passing<'_>,
        dummy: SymId,
        actual: &Expr,
    ) -> Expr {
        if is_object(self.b.program, passing.signature, dummy) {
            return self.object(passing, actual, false);
        }
        let map = CallMap::new(self.b.program, passing.signature.primal, passing.site.args, passing.site.result);
        let callee = passing.signature.primal;
        let used = |p: &Program| self.effects.told_length(p, &map, callee, dummy);
        let Some((made, passed)) = zero_like(self.b, "unused", actual, used, (passing.site.stmt, Role::Adjoint)) else {
            self.refuse_call(passing.site, SIZELESS);
            return actual.clone();
        };
        passing.before.extend(made);
        passed
    }

    /// The adjoint of an object, or of an array of them, that is a buffer of a message. MPI lets no two buffers of a call overlap.
    fn object(&mut self, passing: &mut Passing<'_>, actual: &Expr, has: bool) -> Expr {
        let stmt = passing.site.stmt;
        let Some(whole) = whole(self.b.program, actual) else {
            self.refuse_call(passing.site, SIZELESS);
            return actual.clone();
        };
        let parts = real_parts(self.b, &whole);
        let at = (stmt, Role::Adjoint);
        if !has {
            let Some((made, copy)) = cleared_copy(self.b, (actual, &whole, false), &parts, at) else {
                return actual.clone();
            };
            passing.before.extend(made);
            return copy;
        }
        let leaves = |part: &Expr, r: &mut Self| part.as_var().map_or_else(Vec::new, |d| r.leaves(d));
        let (stored, bare): (Vec<Expr>, Vec<Expr>) =
            parts.into_iter().partition(|part| leaves(part, self).iter().any(|l| self.storage.contains(l)));
        passing.before.extend(clear(self.b, &bare, at));
        // What comes back for constants isn't theirs. The adjoints of what arrives have to be sent yet.
        if !arrives(self.b.program, passing.signature) {
            let varied = self.context.varied.get(&stmt.id).cloned().unwrap_or_default();
            let constant = |part: &Expr, r: &mut Self| !leaves(part, r).iter().any(|l| varied.contains(l));
            let constant: Vec<Expr> = stored.into_iter().filter(|part| constant(part, self)).collect();
            passing.after.extend(clear(self.b, &constant, at));
        }
        self.b.shadow_ref(actual)
    }

    /// True for a pointer or an allocatable that stands for an optional dummy: it may lack memory, and counts as absent then.
    fn may_lack_memory(&self, dummy: SymId, actual: &Expr) -> bool {
        let optional = self.b.program.var(dummy).is_some_and(|v| v.attrs.optional);
        let of = actual.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        optional && of.is_some_and(|v| v.attrs.pointer || v.attrs.allocatable)
    }

    /// True for a pointer.
    fn points(&self, e: &Expr) -> bool {
        e.as_var().is_none_or(|d| self.effects.is_pointer(self.b.program, d))
    }

    /// The pointer that goes with `null()` or a target that a pointer dummy takes: an actual argument that isn't a pointer
    /// has a derivative that isn't one either, and the derivative of the dummy may be more than read.
    fn derivative_pointer(&mut self, passing: &mut Passing<'_>, dummy: SymId, actual: &Expr) -> Expr {
        let stmt = passing.site.stmt;
        let (ty, rank) = self.b.program.var(dummy).map_or((actual.ty, actual.rank), |v| (v.ty, v.rank()));
        let base = format!("{}{}", self.b.program[dummy].name, self.b.naming.variable);
        let sym = self.pointer_like(&base, &Expr::var(dummy, ty, rank));
        let pointer = Expr::var(sym, ty, rank);
        let kind = if actual.is_null() {
            StmtKind::Nullify(vec![pointer.clone()])
        } else {
            let rhs = self.b.shadow_ref(actual);
            let known = rhs.as_var().and_then(|d| self.b.program.var(d.sym));
            if !known.is_some_and(|v| v.attrs.target || v.attrs.pointer) {
                self.refuse_call(passing.site, "the derivative of a target that a pointer dummy takes is no target");
            }
            StmtKind::PointerAssign { lhs: pointer.clone(), rhs }
        };
        passing.before.push(self.b.derive(kind, stmt, Role::Adjoint));
        pointer
    }

    /// True when the callee increments the derivative of an argument by another name too.
    fn is_shared(&mut self, passing: &Passing<'_>, dummy: SymId, actual: &Expr) -> bool {
        let var = self.b.program.var(dummy);
        if var.is_some_and(|v| v.attrs.pointer || v.attrs.target) {
            // The callee expects such an argument to share its memory with others.
            return false;
        }
        if var.is_some_and(|v| v.attrs.value) {
            return self.value_is_shared(passing, dummy, actual);
        }
        let active = |other: &SymId| passing.signature.derivative.contains(other);
        passing.sharings.iter().any(|s| s.dummy == dummy && s.other.as_ref().is_none_or(active))
    }

    /// A dummy with a value of its own has a derivative of its own wherever the actual argument has another name.
    fn value_is_shared(&mut self, passing: &Passing<'_>, dummy: SymId, actual: &Expr) -> bool {
        let Some(d) = actual.as_var().cloned() else { return false };
        let own: LocSet = self.leaves(&d).into_iter().collect();
        let (site, callee) = (passing.site, passing.signature.primal);
        let map = CallMap::new(self.b.program, callee, site.args, site.result);
        let others: Vec<LocId> =
            passing.signature.storage.iter().copied().filter(|l| self.effects.locs.get(*l).sym != dummy).collect();
        others.into_iter().any(|l| map.locs(self.effects, self.b.program, l).iter().any(|to| own.contains(to)))
    }

    /// A variable of the shape of a derivative, zero before the call.
    fn zero_copy(&mut self, passing: &mut Passing<'_>, shadow: &Expr) -> Expr {
        let (made, copy) = zeroed(self.b, "copy", shadow, (passing.site.stmt, Role::Adjoint));
        passing.before.extend(made);
        copy
    }

    /// An element that stands for those behind it in memory too: the whole array gets a second derivative.
    fn sequence_copy(&mut self, passing: &mut Passing<'_>, actual: &Expr, shadow: &Expr, piece: &Piece) -> Expr {
        let whole = actual.array();
        let known = whole.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        let sizeless = |d: &Dim| matches!(d, Dim::AssumedSize(_));
        if known.is_none_or(|v| v.dims.iter().any(sizeless)) {
            if let Some((part, length)) = vector_of(piece, shadow) {
                let made = zeros(self.b, "copy", (shadow.ty, length), (passing.site.stmt, Role::Adjoint));
                passing.before.extend(made.0);
                let sum = part.clone().add(made.1.clone());
                passing.after.push(self.b.assign(part, sum, passing.site.stmt, Role::Adjoint));
                return made.1;
            }
            self.refuse_call(passing.site, "an array without a known size is passed in parts that may overlap");
            return shadow.clone();
        }
        let all = self.b.shadow_ref(&whole);
        let copy = self.zero_copy(passing, &all);
        passing.after.push(self.b.assign(all.clone(), all.add(copy.clone()), passing.site.stmt, Role::Adjoint));
        let (ExprKind::Var(c), ExprKind::Var(s)) = (&copy.kind, &shadow.kind) else { return shadow.clone() };
        let mut d = c.clone();
        d.parts.extend(s.parts.last().cloned());
        Expr { kind: ExprKind::Var(d), ..shadow.clone() }
    }

    /// A second derivative for a variable of derived type.
    fn derived_copy(&mut self, passing: &mut Passing<'_>, actual: &Expr, shadow: &Expr) -> Expr {
        let known = actual.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        let Some(known) = known.cloned() else { return shadow.clone() };
        let from = passing.site.stmt;
        let dims = vec![Dim::Deferred; actual.rank as usize];
        let sym = self.b.local_like(&format!("copy{}", self.b.naming.variable), &known, dims);
        let copy = Expr::var(sym, actual.ty, actual.rank);
        passing.before.push(self.b.assign(copy.clone(), shadow.clone(), from, Role::Adjoint));
        for (path, _) in self.component_refs(actual) {
            let mut refs = [self.extend(&copy, &path), self.extend(shadow, &path)];
            let arrays = refs[0].as_var().map_or(0, |d| self.b.arrays_of(d).len());
            if arrays > 1 && actual.rank > 0 {
                self.refuse_call(passing.site, "an array of structures with arrays in them is passed twice");
                return copy;
            }
            let loops = if arrays > 1 { self.b.elements(&mut refs) } else { Vec::new() };
            let [part, own] = refs;
            let zero = self.b.assign(part.clone(), Expr::zero(part.ty), from, Role::Adjoint);
            passing.before.extend(self.b.nested(loops.clone(), vec![zero], from, Role::Adjoint));
            let sum = self.b.assign(own.clone(), own.add(part), from, Role::Adjoint);
            passing.after.extend(self.b.nested(loops, vec![sum], from, Role::Adjoint));
        }
        copy
    }
}

/// The elements of a vector that a call refers to, in its derivative, and their number.
fn vector_of(piece: &Piece, shadow: &Expr) -> Option<(Expr, Expr)> {
    let length = piece.sequence.clone().flatten()?;
    let Some(Part::Subscripts(list)) = piece.actual.parts.last() else { return None };
    let [Subscript::Index(from)] = list.as_slice() else { return None };
    let hi = plus(&plus(from, &length), &Expr::int(-1));
    let mut d = shadow.array().as_var()?.clone();
    d.parts.push(Part::Subscripts(vec![Subscript::Range { lo: Some(from.clone()), hi: Some(hi), step: None }]));
    Some((Expr { kind: ExprKind::Var(d), rank: 1, ..shadow.clone() }, length))
}
