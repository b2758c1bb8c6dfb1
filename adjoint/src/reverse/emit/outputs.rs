//! Primal outputs that an adjoint call gives back although its backward sweep changes them: their values after the
//! forward sweep are restored at the end.

use std::collections::BTreeSet;

use costate_analysis::effects::{Access, is_named_in, outlives};
use costate_analysis::loops::assigned;
use costate_analysis::storage::{Loc, LocId, LocSet, Root, is_global, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Dim, Expr, IfArm, Origin, Program, Role, ScopeKind, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable,
    for_each_stmt,
};
use costate_grammar::operators::BinaryOp;

use crate::expressions::now;
use crate::mode::Layout;
use crate::reverse::Reverse;
use crate::reverse::statements::pointer::association;
use crate::reverse::tree::node::Node;

impl Reverse<'_, '_> {
    /// What a procedure finds in modules, changes and leaves there without derivative, such as counters, flags of first calls
    /// and lists of numbers. The next call starts from it, so adjoints leave in it what the primal does. Arrays with derivatives
    /// to which it gives memory belong to it: such a flag says that they have it.
    pub(crate) fn left_state(&mut self, access: &Access, layout: Layout) -> LocSet {
        let left = |l: &LocId| {
            let loc = self.effects.locs.get(*l);
            !self.storage.contains(l) && self.is_plain_state(loc, layout) || self.leads_to_procedure(loc)
        };
        let mut out: LocSet = access.writes.intersection(&access.reads).filter(|l| left(l)).copied().collect();
        if !out.is_empty() {
            let plain = |l: &LocId| self.is_plain_state(self.effects.locs.get(*l), layout);
            out.extend(access.shapes.iter().filter(|l| plain(l)));
        }
        out.extend(self.left_associations(access));
        out
    }

    /// The associations of a module's pointers that a procedure changes and through which no derivatives pass: which of two
    /// tables the next call takes. What the procedure allocates itself, its adjoint frees.
    fn left_associations(&mut self, access: &Access) -> LocSet {
        let changed: Vec<LocId> = self.associations(access).into_iter().filter(|l| !self.storage.contains(l)).collect();
        let made = self.allocated_by(self.b.primal);
        let program = &*self.b.program;
        let stays = |l: &LocId| {
            let loc = self.effects.locs.get(*l);
            let objects = self.effects.locs.objects_of(program, *l);
            is_reached_plainly(program, loc)
                && is_global(program, loc.sym)
                && !objects.iter().any(|o| made.contains(&o.root))
        };
        changed.into_iter().filter(stays).collect()
    }

    /// A procedure pointer of a module, or one in an object of a module.
    fn leads_to_procedure(&self, loc: &Loc) -> bool {
        let program = &*self.b.program;
        let own = program.var(loc.sym).is_some_and(|v| v.dummy.is_none() && v.rank() == 0);
        let pointer = resolve(program, loc.sym, &loc.path).is_some_and(|v| v.ty == Ty::NONE && v.attrs.pointer);
        pointer && own && is_global(program, loc.sym)
    }

    /// A variable of a module that generated code may name, or a plain component of one.
    fn is_plain_state(&self, loc: &Loc, layout: Layout) -> bool {
        let program = &*self.b.program;
        let extended = layout == Layout::Extend;
        let Some(variable) = program.var(loc.sym) else { return false };
        let component = |n: usize| resolve(program, loc.sym, &loc.path[..n]);
        let named = !program[loc.sym].private && !variable.attrs.protected;
        let open = (1..=loc.path.len()).all(|n| component(n).is_some_and(|v| !v.attrs.private));
        is_global(program, loc.sym) && variable.dummy.is_none() && (extended || named && open) && is_plain(program, loc)
    }

    /// What stands between the sweeps and after them to keep the outputs in `live_out`.
    pub(in crate::reverse) fn keep_outputs(&mut self, nodes: &[Node], backward: &Block, from: &Stmt) -> (Block, Block) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for sym in self.changed_outputs(nodes, backward) {
            let Some(v) = self.b.program.var(sym).cloned() else { continue };
            if v.dims.iter().any(|d| matches!(d, Dim::AssumedSize(_))) {
                self.problems.push(unknown_size(self.b.program[sym].span, &self.b.program[sym].name));
                continue;
            }
            for whole in self.kept_parts(sym) {
                let (save, restore) = self.keep_output(&whole, from);
                before.extend(save);
                after.extend(restore);
            }
        }
        for pointer in self.changed_associations(nodes, backward) {
            let (save, restore) = self.save_association(&pointer, &[], from);
            before.extend(save);
            after.extend(restore);
        }
        (before, after)
    }

    /// The pointers of [`Self::left_associations`] that the backward sweep associates with what it needs.
    fn changed_associations(&mut self, nodes: &[Node], backward: &Block) -> Vec<Expr> {
        let mut changed = LocSet::new();
        for_each_stmt(backward, &mut |s| {
            if let StmtKind::PointerAssign { lhs, .. } = &s.kind
                && let Some(d) = lhs.as_var()
            {
                changed.extend(self.effects.locs.association(self.b.program, d.sym, &d.path()));
            } else if matches!(s.kind, StmtKind::Call { .. }) {
                changed.extend(self.effects.access(self.b.program, s).writes);
            }
        });
        for node in nodes {
            node.for_each_leaf(&mut |l| changed.extend(l.clobbers.iter().copied()));
        }
        let left = self.live_out.intersection(&changed).map(|l| self.effects.locs.get(*l).clone());
        let pointers: Vec<Loc> = left.filter(|l| l.association && is_reached_plainly(self.b.program, l)).collect();
        pointers.iter().map(|l| self.extend(&self.b.var(l.sym), &l.path)).collect()
    }

    /// A variable all parts of which are to be kept, or those parts of an object that are.
    fn kept_parts(&mut self, sym: SymId) -> Vec<Expr> {
        let whole = self.b.var(sym);
        let leaves = self.leaves_of(sym);
        let (kept, others): (Vec<_>, Vec<_>) = leaves.into_iter().partition(|l| self.live_out.contains(l));
        let kept: Vec<Loc> = kept.into_iter().map(|l| self.effects.locs.get(l).clone()).collect();
        let in_parts = whole.is_derived() && !others.is_empty();
        if !in_parts || !kept.iter().all(|l| l.sym == sym && is_plain(self.b.program, l)) {
            return vec![whole];
        }
        kept.iter().map(|l| self.extend(&whole, &l.path)).collect()
    }

    fn keep_output(&mut self, whole: &Expr, from: &Stmt) -> (Block, Block) {
        let found = whole.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        let Some(v) = found.cloned() else { return Default::default() };
        let name = format!("{}_out", self.short_name(whole));
        let mut local = v.clone();
        local.attrs.pointer = false;
        let (mut save, mut restore) = self.save_as(whole, &name, local, &[], from);
        if v.attrs.allocatable {
            // The backward sweep frees what the primal allocates.
            let Some(copy) = save.iter().find_map(assigned_to).cloned() else { return Default::default() };
            let made = copy.as_var().map(|d| d.sym);
            if let Some(SymbolKind::Variable(local)) = made.map(|s| &mut self.b.program.symbols[s.0 as usize].kind) {
                local.attrs.allocatable = true;
            }
            save = vec![self.when(whole.allocated(), save, from)];
            restore = vec![self.free_other(whole, &copy, from), self.when(copy.allocated(), restore, from)];
        }
        if v.attrs.pointer {
            save = vec![self.when(association(whole), save, from)];
            restore = vec![self.when(association(whole), restore, from)];
        }
        self.where_present(whole, (save, restore), from)
    }

    /// Frees what a copy has no memory for, or memory with other bounds. What stays keeps its place: pointers and devices know it.
    fn free_other(&mut self, whole: &Expr, copy: &Expr, from: &Stmt) -> Stmt {
        let mut free = || vec![self.free(whole.clone(), from)];
        let mut arms = vec![IfArm { cond: copy.allocated().negated(), body: free() }];
        if whole.rank > 0 {
            let other = Expr::binary(BinaryOp::Ne, now(whole), now(copy));
            let cond = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Any, vec![other]) };
            arms.push(IfArm { cond, body: free() });
        }
        let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        let inner = self.b.derive(kind, from, Role::Storage);
        self.when(whole.allocated(), vec![inner], from)
    }

    /// Outputs that statements of the backward sweep, or adjoints that it calls, assign.
    fn changed_outputs(&mut self, nodes: &[Node], backward: &Block) -> BTreeSet<SymId> {
        let mut own = assigned(backward);
        let mut calls = Vec::new();
        for_each_stmt(backward, &mut |s| {
            own.extend(moved_memory(s));
            // What an adjoint procedure changes is known from its own sweeps.
            let adjoint = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
            if matches!(s.kind, StmtKind::Call { .. }) && !adjoint {
                calls.push(s.clone());
            }
        });
        for s in &calls {
            let writes = self.effects.access(self.b.program, s).writes;
            own.extend(writes.iter().map(|l| self.effects.locs.get(*l).sym));
        }
        let mut within_calls = LocSet::new();
        for node in nodes {
            node.for_each_leaf(&mut |l| {
                within_calls.extend(l.clobbers.iter().copied());
                // A forward half that runs again there assigns what the call assigns.
                if l.split.as_ref().is_some_and(|half| calls.iter().any(|s| half.is(s))) {
                    within_calls.extend(l.access.writes.iter().copied());
                }
            });
        }
        // Memory that only pointers lead to is kept by the pointers that lead there from outside.
        let mut pointed: LocSet = own.iter().flat_map(|s| self.effects.locs.leaves(self.b.program, *s, &[])).collect();
        // A pointer component leads to more than the object has.
        for_each_stmt(backward, &mut |s| {
            if let StmtKind::Assign { lhs, .. } = &s.kind
                && let Some(d) = lhs.as_var()
            {
                pointed.extend(self.effects.locs.of(self.b.program, d));
            }
        });
        let mut changed = BTreeSet::new();
        for l in self.live_out.clone() {
            let Loc { sym, root, association, .. } = self.effects.locs.get(l).clone();
            let hit = own.contains(&sym) || pointed.contains(&l) || within_calls.contains(&l);
            if !hit || association {
                continue;
            }
            // A local variable of another procedure has no name here.
            if matches!(self.b.program[self.b.program[sym].scope].kind, ScopeKind::Global) {
                // It stands for what no code names.
            } else if root != Root::Variable || !is_named_in(self.b.program, self.b.primal, sym) {
                changed.extend(self.pointers_to(l));
            } else if outlives(self.b.program, self.b.primal, sym) {
                changed.insert(sym);
            }
        }
        changed
    }

    /// The pointers among the procedure's dummies that may point to a location.
    fn pointers_to(&mut self, l: LocId) -> Vec<SymId> {
        let dummies = self.b.program[self.b.primal].dummies.clone();
        let pointer = |s: &SymId, r: &Self| r.b.program.var(*s).is_some_and(|v| v.attrs.pointer);
        dummies
            .into_iter()
            .filter(|s| pointer(s, self) && self.effects.locs.leaves(self.b.program, *s, &[]).contains(&l))
            .collect()
    }
}

/// The variables that a statement allocates or frees.
fn moved_memory(stmt: &Stmt) -> Vec<SymId> {
    let objects: Vec<&Expr> = match &stmt.kind {
        StmtKind::Allocate { items, .. } => items.iter().map(|i| &i.object).collect(),
        StmtKind::Deallocate { items, .. } => items.iter().collect(),
        _ => Vec::new(),
    };
    objects.into_iter().filter_map(|o| o.as_var().map(|d| d.sym)).collect()
}

/// Neither a pointer nor the elements of an array are on the way to a value, nor what may be missing.
fn is_plain(program: &Program, loc: &Loc) -> bool {
    let last = resolve(program, loc.sym, &loc.path).is_some_and(|v| !v.attrs.pointer && v.ty.derived().is_none());
    loc.is_named() && last && is_reached_plainly(program, loc)
}

/// A variable, or what objects that are neither elements nor pointers lead to.
fn is_reached_plainly(program: &Program, loc: &Loc) -> bool {
    let plain = |v: &Variable| {
        v.rank() == 0 && !v.attrs.allocatable && !v.attrs.pointer && matches!(v.ty.base, Base::Derived(_))
    };
    let way = |n: usize| resolve(program, loc.sym, &loc.path[..n]);
    loc.root == Root::Variable && (0..loc.path.len()).all(|n| way(n).is_some_and(plain))
}

fn assigned_to(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        StmtKind::Assign { lhs, .. } => Some(lhs),
        _ => None,
    }
}

fn unknown_size(span: costate_grammar::source::Span, name: &str) -> Diagnostic {
    Diagnostic::error(Code::UnsupportedDeclaration, span, format!("the value of `{name}` can't be kept"))
        .reason("the backward sweep changes it, and its size isn't known")
        .help("declare its extent, or leave out `--keep-primal`")
}
