//! Calls in tangent code.

use std::collections::BTreeSet;

use costate_analysis::effects::{CallMap, bind, target};
use costate_analysis::storage::{LocId, LocSet};
use costate_grammar::diag::Code;
use costate_grammar::ir::{Arg, Block, Callee, Expr, Intent, ProcKind, Program, Role, Stmt, StmtKind, SymId};

use super::Forward;
use crate::externals::{SIZELESS, zero_like};
use crate::interface::{Signature, map_call};
use crate::objects::{arrives, clear, cleared_copy, is_object, real_parts, whole};
use crate::passed::twin_argument;
use crate::shape::settle_all_but;

impl Forward<'_, '_> {
    pub(super) fn call(&mut self, stmt: &Stmt, callee: &Callee, args: &[Arg], result: Option<&Expr>, out: &mut Block) {
        let child = self.context.callees.get(&stmt.id);
        if self.only_associations {
            let signature = child.and_then(|c| self.signatures.get(c)).cloned();
            let s = match signature.and_then(|s| Some((s.associates?, s))) {
                Some((sym, s)) => self.tangent_call(stmt, args, result, &Signature { sym, ..s }, out),
                None => self.copy(stmt),
            };
            out.push(s);
            return;
        }
        if let Some(signature) = child.and_then(|c| self.signatures.get(c)).cloned() {
            let s = self.tangent_call(stmt, args, result, &signature, out);
            out.push(s);
            let followed = map_call(self.b.program, self.effects, signature.primal, stmt, &signature.storage);
            let shapes = self.effects.access(self.b.program, stmt).shapes;
            out.extend(self.follow_allocation(stmt, args, result, &(&shapes - &followed)));
            return;
        }
        let access = self.effects.access(self.b.program, stmt);
        let written: Vec<LocId> = access.writes.iter().copied().filter(|w| self.storage.contains(w)).collect();
        if let Callee::Intrinsic(_) = callee {
            if !written.is_empty() {
                self.refuse(
                    stmt,
                    Code::UnsupportedCall,
                    "this intrinsic subroutine changes active variables",
                    "assign the variables instead",
                );
            }
        } else if target(self.b.program, callee).is_none() {
            // Where derivatives may pass through a procedure without source, it is refused before.
        } else {
            let useful = self.context.useful.get(&stmt.id).cloned().unwrap_or_default();
            for e in args.iter().map(|a| &a.value).chain(result) {
                let Some(d) = e.as_var().cloned() else { continue };
                let leaves = self.effects.locs.of(self.b.program, &d);
                if leaves.iter().any(|l| written.contains(l) && !access.shapes.contains(l)) {
                    if result == Some(e)
                        || leaves.iter().all(|l| access.kills.contains(l))
                        || self.context.varied.get(&stmt.id).is_none_or(|v| !leaves.iter().any(|l| v.contains(l)))
                    {
                        for r in real_parts(self.b, e) {
                            out.extend(self.b.zero(&r, stmt, Role::Tangent));
                        }
                    } else if leaves.iter().any(|l| written.contains(l) && useful.contains(l)) {
                        self.refuse(
                            stmt,
                            Code::UnsupportedCall,
                            "it overwrites part of an active variable with inactive values",
                            "let the procedure assign the whole variable",
                        );
                    }
                }
            }
        }
        out.push(self.copy(stmt));
        out.extend(self.follow_allocation(stmt, args, result, &access.shapes));
    }

    /// After a call: tangents of what it may have allocated, freed or given another shape without seeing to their tangents.
    pub(super) fn follow_allocation(
        &mut self,
        stmt: &Stmt,
        args: &[Arg],
        result: Option<&Expr>,
        shapes: &LocSet,
    ) -> Block {
        let mut left: LocSet = shapes & self.storage;
        let kept = self.storage - &left;
        let mut objects = Vec::new();
        for e in args.iter().map(|a| &a.value).chain(result) {
            let Some(d) = e.as_var() else { continue };
            let leaves = self.effects.locs.of(self.b.program, d);
            if leaves.iter().filter(|l| left.remove(l)).count() > 0 {
                objects.push(e.clone());
            }
        }
        let others: BTreeSet<SymId> = left.iter().map(|l| self.effects.locs.get(*l).sym).collect();
        objects.extend(others.into_iter().map(|sym| self.b.var(sym)));
        let (b, locs, storage) = (&mut *self.b, &self.effects.locs, self.storage);
        objects.iter().flat_map(|e| settle_all_but(b, locs, storage, &kept, e, stmt)).collect()
    }

    pub(super) fn tangent_call(
        &mut self,
        stmt: &Stmt,
        args: &[Arg],
        result: Option<&Expr>,
        signature: &Signature,
        out: &mut Block,
    ) -> Stmt {
        let callee = self.b.program[signature.primal].clone();
        let bound = bind(self.b.program, &callee, args);
        let named = args.iter().any(|a| a.keyword.is_some()) || bound.iter().any(Option::is_none);
        let suffix = self.b.naming.variable.clone();
        let mut list = Vec::new();
        for (dummy, actual) in callee.dummies.iter().zip(bound) {
            let Some(actual) = actual else { continue };
            let name = self.b.program[*dummy].name.clone();
            let value = signature.as_passed(self.b.program, *dummy, actual);
            if value != *actual && signature.derivative.contains(dummy) {
                let why = "a scalar with a derivative is passed for an array";
                self.refuse(stmt, Code::UnsupportedCall, why, "pass an array of one element");
            }
            list.push(Arg { keyword: named.then(|| name.clone()), value });
            list.extend(twin_argument(self.b.program, signature, *dummy, (actual, named)));
            let unread = signature.takes_unread(self.b.program, *dummy);
            if signature.derivative.contains(dummy) || unread {
                let value = if is_object(self.b.program, signature, *dummy) {
                    self.object(stmt, actual, (signature, *dummy), out)
                } else if !signature.derivative.contains(dummy) {
                    let map = CallMap::new(self.b.program, signature.primal, args, result);
                    let used = |p: &Program| self.effects.told_length(p, &map, signature.primal, *dummy);
                    let made = zero_like(self.b, "zero", actual, used, (stmt, Role::Tangent));
                    if made.is_none() {
                        self.refuse(stmt, Code::UnsupportedCall, SIZELESS, "pass an array of known size");
                    }
                    let (made, passed) = made.unwrap_or_else(|| (Block::new(), actual.clone()));
                    out.extend(made);
                    passed
                } else if actual.as_var().is_some() {
                    self.b.shadow_ref(actual)
                } else if actual.is_null() {
                    actual.clone()
                } else {
                    if actual.rank > 0 {
                        self.refuse(
                            stmt,
                            Code::UnsupportedCall,
                            "an array expression is passed to an active dummy",
                            "assign the argument to a variable first",
                        );
                    }
                    let sym = self.b.local(&format!("zero{suffix}"), actual.ty, Vec::new());
                    let t = self.b.var(sym);
                    out.push(self.b.assign(t.clone(), Expr::zero(actual.ty), stmt, Role::Tangent));
                    t
                };
                let named = named || signature.has_behind();
                list.push(Arg { keyword: named.then(|| signature.names[dummy].clone()), value });
            }
        }
        if let (ProcKind::Function(r), Some(e)) = (callee.kind, result) {
            let name = self.b.program[r].name.clone();
            list.push(Arg { keyword: named.then(|| name.clone()), value: e.clone() });
            if signature.result {
                let value = self.b.shadow_ref(e);
                let named = named || signature.has_behind();
                list.push(Arg { keyword: named.then(|| signature.names[&r].clone()), value });
            }
        }
        let list = signature.arranged(list);
        let target = Callee::Proc { sym: signature.sym, generic: None, operator: None };
        let mut s = self.b.derive(StmtKind::Call { callee: target, args: list }, stmt, Role::Tangent);
        s.leading = stmt.leading.clone();
        s
    }

    /// The tangent of an object, or of an array of them, that is a buffer of a message.
    fn object(&mut self, stmt: &Stmt, actual: &Expr, (signature, dummy): (&Signature, SymId), out: &mut Block) -> Expr {
        let has = signature.derivative.contains(&dummy);
        if has && arrives(self.b.program, signature) {
            return self.b.shadow_ref(actual);
        }
        let Some(whole) = whole(self.b.program, actual) else {
            self.refuse(stmt, Code::UnsupportedCall, SIZELESS, "pass an array of known size");
            return actual.clone();
        };
        let varied = self.context.varied.get(&stmt.id).cloned().unwrap_or_default();
        let mut bare = real_parts(self.b, &whole);
        bare.retain(|part| {
            let leaves = part.as_var().map_or_else(Vec::new, |d| self.effects.locs.of(self.b.program, d));
            !has || !leaves.iter().any(|l| self.storage.contains(l) && varied.contains(l))
        });
        let kept = whole.as_var().and_then(|d| self.b.program.var(d.sym)).is_some_and(|v| v.intent == Some(Intent::In));
        let at = (stmt, Role::Tangent);
        if has && (!kept || bare.is_empty()) {
            out.extend(clear(self.b, &bare, at));
            return self.b.shadow_ref(actual);
        }
        let Some((made, copy)) = cleared_copy(self.b, (actual, &whole, has), &bare, at) else { return actual.clone() };
        out.extend(made);
        copy
    }
}
