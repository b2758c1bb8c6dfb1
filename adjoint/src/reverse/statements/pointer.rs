//! Associations of pointers in both sweeps.
//!
//! The forward sweep associates the derivative of a pointer with its primal. Where a later statement associates the
//! pointer anew and an adjoint still needs the association from before, both pointers are saved: outside loops in pointers
//! of their own, in loops on a stack.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_analysis::effects::{Access, bind, outlives, target};
use costate_analysis::storage::{LocId, LocSet, Root, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Arg, Attrs, Base, Block, Callee, Component, DerivedType, Designator, Dim, Expr, ExprKind, Name, Part,
    ProcId, ProcKind, Role, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_stmt,
};
use costate_grammar::source::Span;

use crate::passed::twin_argument;
use crate::pointers::{carries, derivative_of_association};
use crate::reverse::Reverse;
use crate::reverse::decide::allocations::item;
use crate::reverse::emit::around::Around;
use crate::reverse::tree::call_site::CallSite;
use crate::reverse::tree::node::Leaf;

/// A stack of associations: its type, its top, and a pointer to an entry.
#[derive(Clone, Copy, Debug)]
pub(in crate::reverse) struct Stack {
    top: SymId,
    entry: SymId,
}

/// Stands for the association of a pointer among what is saved.
pub(in crate::reverse) fn association(pointer: &Expr) -> Expr {
    Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Associated, vec![pointer.clone()]) }
}

/// The pointer whose association an expression stands for.
pub(in crate::reverse) fn associated(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Associated), args } if args.len() == 1 => {
            Some(&args[0].value)
        }
        _ => None,
    }
}

/// The pointers that a statement associates, without bounds.
fn pointers_of(stmt: &Stmt) -> Vec<Expr> {
    let list: Vec<&Expr> = match &stmt.kind {
        StmtKind::PointerAssign { lhs, .. } => vec![lhs],
        StmtKind::Nullify(items) => items.iter().collect(),
        StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } => item(stmt).into_iter().collect(),
        _ => Vec::new(),
    };
    list.into_iter().map(Expr::array).collect()
}

impl Reverse<'_, '_> {
    /// True for an `allocate` or `deallocate` of a pointer.
    pub(in crate::reverse) fn manages_pointer(&self, stmt: &Stmt) -> bool {
        item(stmt).and_then(Expr::as_var).is_some_and(|d| self.effects.is_pointer(self.b.program, d))
    }

    /// True for a pointer through which derivatives pass.
    pub(in crate::reverse) fn carries(&mut self, e: &Expr) -> bool {
        carries(self.b.program, self.effects, self.storage, e)
    }

    /// Fills in a statement that associates pointers.
    pub(in crate::reverse) fn association_leaf(&mut self, stmt: &Stmt, leaf: &mut Leaf) {
        leaf.associates = true;
        for p in pointers_of(stmt) {
            let Some(d) = p.as_var().cloned() else { continue };
            let cells = self.effects.locs.association(self.b.program, d.sym, &d.path());
            leaf.add_targets([(association(&p), cells.into_iter().collect())]);
            leaf.pointers.extend(self.effects.locs.leading(self.b.program, &d));
            self.effects.only_subscripts(self.b.program, &d, &mut leaf.pointers);
        }
        match &stmt.kind {
            StmtKind::PointerAssign { lhs, rhs } => self.follow_assignment(stmt, lhs, rhs, leaf),
            StmtKind::Nullify(items) => {
                let carrying: Vec<Expr> = items.iter().filter(|e| self.carries(e)).cloned().collect();
                let shadows: Vec<Expr> = carrying.iter().map(|e| self.b.shadow_ref(e)).collect();
                if !shadows.is_empty() {
                    leaf.follow.push(self.b.derive(StmtKind::Nullify(shadows), stmt, Role::Storage));
                }
            }
            StmtKind::Allocate { items, options, .. } => {
                leaf.add_targets(self.outcome_of(options));
                for i in items.clone() {
                    self.follow_allocation(stmt, &i.object, &i, leaf);
                }
            }
            StmtKind::Deallocate { items, .. } => {
                // The memory is freed where its allocation is reversed.
                let mut list = items.clone();
                for e in items {
                    if self.carries(e) {
                        list.push(self.b.shadow_ref(e));
                    }
                }
                leaf.stmt = Rc::new(Stmt { kind: StmtKind::Nullify(list), ..stmt.clone() });
            }
            _ => {}
        }
    }

    /// `p_b => x_b` beside `p => x`.
    fn follow_assignment(&mut self, stmt: &Stmt, lhs: &Expr, rhs: &Expr, leaf: &mut Leaf) {
        match derivative_of_association(self.b, self.effects, self.storage, lhs, rhs) {
            Ok(kind) => leaf.follow.extend(kind.map(|k| self.b.derive(k, stmt, Role::Storage))),
            Err((reason, help)) => self.refuse(stmt, Code::UnsupportedStatement, reason, help),
        }
    }

    /// Memory for a pointer and for its derivative, which the backward sweep frees.
    fn follow_allocation(&mut self, stmt: &Stmt, object: &Expr, made: &AllocItem, leaf: &mut Leaf) {
        leaf.forced = true;
        if self.carries(object) {
            leaf.follow.extend(self.allocate_shadow(made, stmt));
            let shadow = self.b.shadow_ref(object);
            Rc::make_mut(&mut leaf.adjoint).push(self.free(shadow, stmt));
        }
        Rc::make_mut(&mut leaf.adjoint).push(self.free(object.clone(), stmt));
        // What is freed is what the pointer is associated with after the statement.
        leaf.by_result = true;
        if let Some(d) = object.as_var() {
            leaf.after.extend(self.effects.locs.pointers(self.b.program, d));
            self.effects.only_subscripts(self.b.program, d, &mut leaf.after);
        }
    }

    /// True for an association, and for memory that only pointers lead to.
    pub(in crate::reverse) fn behind_pointers(&self, l: LocId) -> bool {
        let loc = self.effects.locs.get(l);
        loc.association || loc.root != Root::Variable
    }

    /// What an access does to associations that are seen outside of a callee.
    pub(in crate::reverse) fn associations(&self, access: &Access) -> LocSet {
        access.writes.iter().copied().filter(|l| self.effects.locs.get(*l).association).collect()
    }

    /// Saves the association of a pointer, and that of its derivative.
    pub(in crate::reverse) fn save_association(
        &mut self,
        pointer: &Expr,
        chain: &[Around],
        from: &Stmt,
    ) -> (Block, Block) {
        if self.of_many(pointer) {
            self.refuse(
                from,
                Code::UnsupportedCall,
                "it associates a pointer component of an array's elements, and their associations can't be saved together",
                "associate the pointer in the procedure that declares the array, where the element is known",
            );
        }
        let mut pairs = vec![pointer.clone()];
        if self.carries(pointer) {
            pairs.push(self.b.shadow_ref(pointer));
        }
        if chain.is_empty() {
            let (mut save, mut restore) = (Vec::new(), Vec::new());
            for p in pairs {
                let base = format!("{}_save", self.short_name(&p));
                let sym = self.pointer_like(&base, &p);
                let slot = Expr::var(sym, p.ty, p.rank);
                save.push(self.point(&slot, &p, from, Role::Save));
                restore.push(self.point(&p, &slot, from, Role::Restore));
            }
            return (save, restore);
        }
        self.push_association(&pairs, from)
    }

    /// True for a component of all the elements of an array: pointers that can't be associated by one statement.
    fn of_many(&self, pointer: &Expr) -> bool {
        let Some(d) = pointer.as_var() else { return false };
        (0..d.parts.len()).filter(|&k| matches!(d.parts[k], Part::Component(_))).any(|k| {
            let of = Designator { sym: d.sym, parts: d.parts[..k].to_vec() };
            let array = resolve(self.b.program, of.sym, &of.path()).is_some_and(|v| v.rank() > 0);
            array && !matches!(of.parts.last(), Some(Part::Subscripts(_)))
        })
    }

    fn point(&mut self, to: &Expr, at: &Expr, from: &Stmt, role: Role) -> Stmt {
        self.b.derive(StmtKind::PointerAssign { lhs: to.clone(), rhs: at.clone() }, from, role)
    }

    /// A declaration like that of a reference, without attributes.
    pub(in crate::reverse) fn like(&self, e: &Expr) -> Variable {
        let known = e.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path())).cloned();
        let like = known.unwrap_or_else(|| self.b.spelt(e.ty));
        self.b.plain_like(&like)
    }

    /// A declaration like that of a pointer.
    fn pointer_variable(&self, p: &Expr) -> Variable {
        let mut v = self.like(p);
        v.attrs = Attrs { pointer: true, ..Attrs::default() };
        v.dims = vec![Dim::Deferred; p.rank as usize];
        v
    }

    pub(in crate::reverse) fn pointer_like(&mut self, base: &str, p: &Expr) -> SymId {
        let v = self.pointer_variable(p);
        self.b.add(base, v)
    }

    /// On a stack: its entries are allocated one by one, as often as the statement runs.
    fn push_association(&mut self, pairs: &[Expr], from: &Stmt) -> (Block, Block) {
        let name = format!("{}_entry", self.short_name(&pairs[0]));
        let names: Vec<Name> = pairs.iter().enumerate().map(|(i, _)| Name::new(["p", "d"][i.min(1)])).collect();
        let parts = names.iter().cloned().zip(pairs.iter().map(|p| self.pointer_variable(p))).collect();
        let stack = self.stack(&name, parts);
        let mut save = vec![self.new_entry(stack, from)];
        let mut restore = Vec::new();
        for (p, n) in pairs.iter().zip(&names) {
            let (pushed, popped) = (self.entry_part(stack, n, p), self.top_part(stack, n, p));
            save.push(self.point(&pushed, p, from, Role::Save));
            restore.push(self.point(p, &popped, from, Role::Restore));
        }
        save.extend(self.link_entry(stack, from));
        restore.extend(self.drop_entry(stack, from));
        (save, restore)
    }

    /// Declares a stack whose entries have these components.
    pub(in crate::reverse) fn stack(&mut self, name: &str, parts: Vec<(Name, Variable)>) -> Stack {
        let fresh = self.b.taken.fresh(name);
        self.b.taken.insert(fresh.clone());
        let ty_sym =
            self.b.program.add_symbol(self.b.scope, fresh.clone(), Span::default(), SymbolKind::Type(Box::default()));
        let ty = Ty::new(Base::Derived(ty_sym), 0);
        let mut own = Variable::scalar(ty, format!("type({fresh})"));
        own.spelling_uses = vec![ty_sym];
        own.attrs.pointer = true;
        let mut components: Vec<Component> = parts.into_iter().map(|(name, var)| Component::new(name, var)).collect();
        components.push(Component::new(Name::new("next"), own.clone()));
        self.b.program[ty_sym].kind = SymbolKind::Type(Box::new(DerivedType { components, ..DerivedType::default() }));
        let top = self.b.add(&format!("{name}_top"), own.clone());
        let entry = self.b.add(&format!("{name}_new"), own);
        Stack { top, entry }
    }

    /// Allocates the entry that is filled in next.
    pub(in crate::reverse) fn new_entry(&mut self, stack: Stack, from: &Stmt) -> Stmt {
        let items = vec![AllocItem { object: self.b.var(stack.entry), shape: Vec::new() }];
        self.b.derive(StmtKind::Allocate { items, type_spec: None, options: Vec::new() }, from, Role::Save)
    }

    /// A component of the new entry that holds something like a reference.
    pub(in crate::reverse) fn entry_part(&self, stack: Stack, name: &Name, like: &Expr) -> Expr {
        self.b.var(stack.entry).component(name, like.ty, like.rank)
    }

    /// The same of the entry on top.
    pub(in crate::reverse) fn top_part(&self, stack: Stack, name: &Name, like: &Expr) -> Expr {
        self.b.var(stack.top).component(name, like.ty, like.rank)
    }

    /// Puts the new entry on top.
    pub(in crate::reverse) fn link_entry(&mut self, stack: Stack, from: &Stmt) -> Block {
        let (top, entry) = (self.b.var(stack.top), self.b.var(stack.entry));
        let next = entry.component(&Name::new("next"), top.ty, 0);
        vec![self.point(&next, &top, from, Role::Save), self.point(&top, &entry, from, Role::Save)]
    }

    /// Takes the entry on top away.
    pub(in crate::reverse) fn drop_entry(&mut self, stack: Stack, from: &Stmt) -> Block {
        let (top, entry) = (self.b.var(stack.top), self.b.var(stack.entry));
        let next = top.component(&Name::new("next"), top.ty, 0);
        vec![
            self.point(&entry, &top, from, Role::Restore),
            self.point(&top, &next, from, Role::Restore),
            self.free(entry, from),
        ]
    }

    /// A call that associates pointers is one of a procedure that associates their derivatives too, in the forward sweep.
    pub(in crate::reverse) fn associate_in_call(&mut self, site: &CallSite<'_>, leaf: &mut Leaf) {
        let child = self.context.callees.get(&site.stmt.id);
        let signature = child.and_then(|c| self.signatures.get(c)).cloned();
        let Some((sym, signature)) = signature.and_then(|s| Some((s.associates?, s))) else {
            self.check_freeing(site);
            return self.check_associations(site.stmt, &leaf.access);
        };
        if !signature.only_associates {
            self.check_left_memory(site, signature.primal);
        }
        let callee = self.b.program[signature.primal].clone();
        let bound = bind(self.b.program, &callee, site.args);
        let named = site.args.iter().any(|a| a.keyword.is_some()) || bound.iter().any(Option::is_none);
        let mut list = Vec::new();
        for (dummy, actual) in callee.dummies.iter().zip(bound) {
            let Some(actual) = actual else { continue };
            let name = self.b.program[*dummy].name.clone();
            list.push(Arg { keyword: named.then_some(name), value: actual.clone() });
            list.extend(twin_argument(self.b.program, &signature, *dummy, (actual, named)));
            if signature.derivative.contains(dummy) {
                let var = self.b.program.var(*dummy);
                let takes = var.is_some_and(|v| v.attrs.pointer);
                let gives = actual.as_var().is_none_or(|d| self.effects.is_pointer(self.b.program, d));
                if takes && !gives {
                    return self.refuse(
                        site.stmt,
                        Code::UnsupportedCall,
                        "it associates pointers, and takes a target that is no pointer for a pointer dummy",
                        "associate a pointer with the target and pass that",
                    );
                }
                if actual.as_var().is_none() && !actual.is_null() {
                    return self.check_associations(site.stmt, &leaf.access);
                }
                let value = self.b.shadow_ref(actual);
                list.push(Arg { keyword: named.then(|| signature.names[dummy].clone()), value });
            }
        }
        if let (ProcKind::Function(r), Some(e)) = (callee.kind, site.result) {
            let name = self.b.program[r].name.clone();
            list.push(Arg { keyword: named.then_some(name), value: e.clone() });
            if signature.result {
                let value = self.b.shadow_ref(e);
                list.push(Arg { keyword: named.then(|| signature.names[&r].clone()), value });
            }
        }
        let callee = Callee::Proc { sym, generic: None, operator: None };
        leaf.stmt = Rc::new(Stmt { kind: StmtKind::Call { callee, args: list }, ..site.stmt.clone() });
    }

    /// Refuses a call that frees memory of others through a pointer: the backward sweep may need it.
    fn check_freeing(&mut self, site: &CallSite<'_>) {
        let Some(proc) = target(self.b.program, site.callee) else { return };
        let left = self.left_memory(proc);
        let inside: Vec<Root> = self.allocated_by(proc).difference(&left).copied().collect();
        for p in self.effects.reached(self.b.program, proc) {
            let body = self.effects.bodies.get(&p).cloned().unwrap_or_default();
            if self.frees_of_others(p, &body, &inside) {
                return self.refuse(
                    site.stmt,
                    Code::UnsupportedCall,
                    "it frees memory through a pointer that it didn't allocate, and the backward sweep may need that",
                    "free the memory in the procedure that allocates it, or after the procedure of the head",
                );
            }
        }
    }

    /// Refuses a call that computes values and leaves memory behind that it allocates for a pointer: its adjoint runs it
    /// again, with other memory, which knows nothing of the adjoints that belong to the first.
    fn check_left_memory(&mut self, site: &CallSite<'_>, proc: ProcId) {
        if !self.left_memory(proc).is_empty() {
            self.refuse(
                site.stmt,
                Code::UnsupportedCall,
                "it computes values that derivatives pass through, and leaves a pointer with memory that it allocates",
                "allocate the memory before the call, or in a procedure that computes nothing else",
            );
        }
    }

    /// What is allocated while a procedure runs.
    pub(in crate::reverse) fn allocated_by(&mut self, proc: ProcId) -> BTreeSet<Root> {
        let mut made = BTreeSet::new();
        for p in self.effects.reached(self.b.program, proc) {
            for_each_stmt(self.effects.bodies.get(&p).map_or(&[], |b| b.as_slice()), &mut |s| {
                if let StmtKind::Allocate { .. } = s.kind {
                    made.insert(Root::Heap(s.id));
                }
            });
        }
        made
    }

    /// The part of it that a pointer may lead to that outlives the procedure.
    fn left_memory(&mut self, proc: ProcId) -> BTreeSet<Root> {
        let made = self.allocated_by(proc);
        let summary = self.effects.summaries.get(&proc).cloned().unwrap_or_default();
        let cells: Vec<LocId> = self.associations(&summary.access).into_iter().collect();
        let targets = cells.into_iter().flat_map(|c| self.effects.locs.objects_of(self.b.program, c));
        targets.map(|o| o.root).filter(|r| made.contains(r)).collect()
    }

    /// True when a procedure's statements free memory through a pointer that they don't allocate, or have allocated when
    /// they ran before: what a pointer of others leads to is theirs from where they allocate it. What is `inside` is
    /// nobody else's: it is allocated while the call runs that they are part of, and no pointer leads to it afterwards.
    fn frees_of_others(&mut self, proc: ProcId, body: &[Stmt], inside: &[Root]) -> bool {
        let mut own = Vec::new();
        let mut freed: Vec<(Designator, Vec<Root>)> = Vec::new();
        for_each_stmt(body, &mut |s| match &s.kind {
            StmtKind::Allocate { .. } => own.push((item(s).and_then(Expr::as_var).cloned(), Root::Heap(s.id))),
            StmtKind::Deallocate { items, .. } => {
                for d in items.iter().filter_map(Expr::as_var) {
                    let before = own.iter().filter(|(of, _)| of.as_ref() == Some(d));
                    freed.push((d.clone(), before.map(|(_, root)| *root).collect()));
                }
            }
            _ => {}
        });
        let all: Vec<Root> = own.into_iter().map(|(_, root)| root).collect();
        freed.retain(|(d, _)| self.effects.is_pointer(self.b.program, d));
        freed.iter().any(|(d, before)| {
            let own = if outlives(self.b.program, proc, d.sym) { before } else { &all };
            let theirs = |root: &Root| !own.contains(root) && !inside.contains(root);
            self.leaves(d).iter().any(|l| theirs(&self.effects.locs.get(*l).root))
        })
    }

    /// Refuses a call that associates pointers whose derivatives the forward sweep would have to associate too.
    pub(in crate::reverse) fn check_associations(&mut self, stmt: &Stmt, access: &Access) {
        let found = self.associations(access).into_iter().find(|l| self.storage.contains(l));
        if let Some(l) = found {
            let name = self.effects.locs.describe(self.b.program, l);
            self.problems.push(
                Diagnostic::error(Code::UnsupportedCall, stmt.origin.span(), "this call can't be differentiated")
                    .reason(format!("it changes {name}, through which derivatives pass"))
                    .help("associate the pointer in the procedure that uses it"),
            );
        }
    }
}
