//! Allocation in both sweeps: made and undone in pairs.

use costate_analysis::effects::Access;
use costate_analysis::storage::{Loc, LocId, LocSet, canonical, is_whole, pointer_paths, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    AllocItem, Base, Block, Dim, Expr, IfArm, Intent, Part, Role, Stmt, StmtKind, SymId, Ty, Variable,
};

use crate::expressions::now;
use crate::interface::map_call;
use crate::reverse::Reverse;
use crate::reverse::decide::allocations::{Object, item, object as of};
use crate::reverse::emit::around::Around;
use crate::reverse::tree::call_site::CallSite;
use crate::reverse::tree::decisions::{Reshaped, Storage};
use crate::reverse::tree::node::Leaf;
use crate::shape::settle_all_but;

/// Statements that allocate or free one object each.
pub(in crate::reverse) fn single(stmt: &Stmt) -> Vec<Stmt> {
    let kinds: Vec<StmtKind> = match &stmt.kind {
        StmtKind::Allocate { items, type_spec, options } if items.len() > 1 => {
            let one = |i: &AllocItem| StmtKind::Allocate {
                items: vec![i.clone()],
                type_spec: type_spec.clone(),
                options: options.clone(),
            };
            items.iter().map(one).collect()
        }
        StmtKind::Deallocate { items, options } if items.len() > 1 => {
            items.iter().map(|e| StmtKind::Deallocate { items: vec![e.clone()], options: options.clone() }).collect()
        }
        _ => return vec![stmt.clone()],
    };
    let mut out: Vec<Stmt> = kinds.into_iter().map(|kind| Stmt { kind, ..stmt.clone() }).collect();
    out.iter_mut().skip(1).for_each(|s| s.leading.clear());
    out
}

impl Reverse<'_, '_> {
    /// Refuses pointers.
    pub(in crate::reverse) fn check_allocation(&mut self, stmt: &Stmt) {
        let Some(d) = item(stmt).and_then(Expr::as_var) else { return };
        if resolve(self.b.program, d.sym, &d.path()).is_some_and(|v| v.attrs.pointer) {
            self.problems.push(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    stmt.origin.span(),
                    "a pointer is allocated in differentiated code",
                )
                .reason("pointers aren't followed")
                .help("make the variable allocatable"),
            );
        }
    }

    /// True for memory that isn't allocated again with its values: a text brings its length, an object the memory of its
    /// components and the targets of its pointers' derivatives, and pointers lead to it.
    fn moves(&mut self, e: &Expr) -> bool {
        e.ty.base == Base::Character || self.holds_inner(e) || self.is_followed(e)
    }

    /// True for memory that pointers lead to, or that holds pointers with derivatives.
    fn is_followed(&mut self, e: &Expr) -> bool {
        of(e).is_some_and(|o| self.is_pointed_at(&o) || self.holds_active_pointers(&o))
    }

    /// True for an object with pointers that have derivatives.
    pub(in crate::reverse) fn holds_active_pointers(&mut self, (sym, path): &Object) -> bool {
        let Some(ty) = resolve(self.b.program, *sym, path).map(|v| v.ty) else { return false };
        pointer_paths(self.b.program, ty).iter().any(|p| {
            let cells = self.effects.locs.association(self.b.program, *sym, &[path.as_slice(), p].concat());
            cells.iter().any(|c| self.storage.contains(c))
        })
    }

    fn holds_inner(&mut self, e: &Expr) -> bool {
        let Some(d) = e.as_var() else { return false };
        self.leaves(d).into_iter().any(|l| {
            let path = self.effects.locs.get(l).path.clone();
            (d.path().len() + 1..=path.len())
                .any(|n| resolve(self.b.program, d.sym, &path[..n]).is_some_and(|c| c.attrs.allocatable))
        })
    }

    /// Refuses to move memory away whose derivative isn't allocated and freed with it.
    fn refuse_moved_memory(&mut self, stmt: &Stmt) {
        self.refuse(
            stmt,
            Code::UnsupportedStatement,
            "it frees memory that a pointer may point to, and the derivative of that memory isn't there in step with it",
            "let the procedure that allocates the memory free it, or don't point to it",
        );
    }

    /// Forward and backward statements of an `allocate` or `deallocate`.
    pub(in crate::reverse) fn storage_sweeps(&mut self, l: &Leaf, how: Storage, chain: &[Around]) -> (Block, Block) {
        let stmt = &l.stmt;
        let mut primal = self.b.derive(stmt.kind.clone(), stmt, Role::Forward);
        primal.leading = stmt.leading.clone();
        let Some(object) = item(stmt).cloned() else { return (vec![primal], Vec::new()) };
        let active = object.as_var().cloned().is_some_and(|d| self.has_storage(&d));
        match (&stmt.kind, how) {
            (_, Storage::Forward) => (vec![primal], Vec::new()),
            (StmtKind::Allocate { items, .. }, _) => {
                let mut forward = vec![primal];
                let mut backward = Vec::new();
                if active && matches!(how, Storage::Held | Storage::Undone { shadow: true }) {
                    forward.extend(items.iter().flat_map(|i| self.allocate_shadow(i, stmt)));
                }
                if l.left {
                    return (forward, Vec::new());
                }
                if active {
                    let shadow = self.b.shadow_ref(&object);
                    backward.push(self.free(shadow, stmt));
                }
                backward.push(self.free(object, stmt));
                (forward, backward)
            }
            (_, Storage::Held) => (Vec::new(), Vec::new()),
            (_, Storage::Undone { shadow }) if self.moves(&object) => {
                if active && !shadow {
                    if !self.is_followed(&object) {
                        // Its derivative has the memory that it had at the end, until it gets the same again here.
                        let (save, mut restore) = self.keep_memory(&object, false, chain, stmt);
                        restore.extend(self.settle(&object, stmt));
                        return (save, restore);
                    }
                    self.refuse_moved_memory(stmt);
                }
                self.keep_memory(&object, active, chain, stmt)
            }
            (_, Storage::Undone { shadow }) => {
                let (mut forward, mut backward) = (Vec::new(), Vec::new());
                let mut again = Vec::new();
                if l.saves.contains(&object) {
                    let (save, restore) = self.save(&object, chain, stmt);
                    forward.extend(save);
                    again = restore;
                }
                let (save, restore, shape) = self.save_bounds(&object, chain, stmt);
                forward.extend(save);
                backward.extend(restore);
                let made = AllocItem { object: object.clone(), shape };
                backward.push(self.allocate(&made, stmt));
                if active {
                    backward.extend(self.allocate_shadow(&made, stmt));
                }
                backward.extend(again);
                if active && shadow {
                    let object = self.b.shadow_ref(&object);
                    forward.push(self.free(object, stmt));
                }
                forward.push(primal);
                (forward, backward)
            }
        }
    }

    pub(in crate::reverse) fn free(&mut self, object: Expr, stmt: &Stmt) -> Stmt {
        self.b.derive(StmtKind::Deallocate { items: vec![object], options: Vec::new() }, stmt, Role::Storage)
    }

    pub(in crate::reverse) fn allocate(&mut self, item: &AllocItem, stmt: &Stmt) -> Stmt {
        let kind = StmtKind::Allocate { items: vec![item.clone()], type_spec: None, options: Vec::new() };
        self.b.derive(kind, stmt, Role::Storage)
    }

    /// Statements under a condition.
    pub(in crate::reverse) fn when(&mut self, cond: Expr, body: Block, stmt: &Stmt) -> Stmt {
        let kind = StmtKind::If { name: None, arms: vec![IfArm { cond, body }], otherwise: None, one_line: false };
        self.b.derive(kind, stmt, Role::Storage)
    }

    /// Frees an object if it has memory.
    pub(in crate::reverse) fn free_any(&mut self, object: &Expr, stmt: &Stmt) -> Stmt {
        let free = self.free(object.clone(), stmt);
        self.when(object.allocated(), vec![free], stmt)
    }

    /// Statements that make sense where an object has memory.
    pub(in crate::reverse) fn where_allocated(
        &mut self,
        object: &Expr,
        a: Block,
        b: Block,
        stmt: &Stmt,
    ) -> (Block, Block) {
        (vec![self.when(object.allocated(), a, stmt)], vec![self.when(object.allocated(), b, stmt)])
    }

    /// Saves the bounds of an allocatable array; the shape is spelt with what is restored.
    fn save_bounds(&mut self, e: &Expr, chain: &[Around], stmt: &Stmt) -> (Block, Block, Vec<(Option<Expr>, Expr)>) {
        let rank = i64::from(e.rank);
        if rank == 0 {
            return (Vec::new(), Vec::new(), Vec::new());
        }
        let dims = vec![Dim::Explicit(None, Expr::int(2 * rank))];
        let sym = self.b.local("bounds", Ty::INTEGER, dims.clone());
        let whole = Expr::var(sym, Ty::INTEGER, 1);
        let mut forward = vec![self.b.assign(whole.clone(), now(e), stmt, Role::Save)];
        let mut backward = Vec::new();
        if !chain.is_empty() {
            let mut var = Variable::scalar(Ty::INTEGER, "integer");
            var.dims = dims;
            let (save, restore) = self.save_as(&whole, "bounds_save", var, chain, stmt);
            forward.extend(save);
            backward = restore;
        }
        let at = |k| Expr::element(sym, Ty::INTEGER, vec![Expr::int(k)]);
        let shape = (1..=rank).map(|k| (Some(at(k)), at(rank + k))).collect();
        (forward, backward, shape)
    }

    /// Saves the memory of an object before a call that may change it; brings it back.
    pub(in crate::reverse) fn save_status(
        &mut self,
        r: &Reshaped,
        values: bool,
        chain: &[Around],
        stmt: &Stmt,
    ) -> (Block, Block) {
        match r.fresh {
            true => (Vec::new(), vec![self.free(r.object.clone(), stmt)]),
            false => {
                let blocks = match r.deep {
                    true => self.save_object(&r.object, chain, stmt),
                    false => self.save_memory(&r.object, values, chain, stmt),
                };
                self.where_present(&r.object, blocks, stmt)
            }
        }
    }

    /// The adjoint of an object gets memory, and zeros, as the object has, but for what has kept its own.
    pub(in crate::reverse) fn reset_shadow(&mut self, r: &Reshaped, kept: &LocSet, stmt: &Stmt) -> Block {
        let Some(d) = r.object.as_var().cloned() else { return Vec::new() };
        if !self.has_storage(&d) {
            return Vec::new();
        }
        if r.fresh {
            let shadow = self.b.shadow_ref(&r.object);
            return vec![self.free_any(&shadow, stmt)];
        }
        let settled = settle_all_but(self.b, &self.effects.locs, self.storage, kept, &r.object, stmt);
        self.where_present(&r.object, (settled, Vec::new()), stmt).0
    }

    /// Allocatable outputs come without memory, whatever the caller has there.
    pub(crate) fn free_outputs(&mut self, stmt: &Stmt) -> Block {
        let dummies = self.b.program[self.b.primal].dummies.clone();
        let frees = |v: &Variable| v.attrs.allocatable && v.intent == Some(Intent::Out);
        let outputs: Vec<SymId> = dummies.into_iter().filter(|d| self.b.program.var(*d).is_some_and(frees)).collect();
        outputs
            .into_iter()
            .map(|d| {
                let whole = self.b.var(d);
                self.free_any(&whole, stmt)
            })
            .collect()
    }

    /// After a call that may have changed the shape of an object: in the forward sweep, its adjoint gets the same.
    pub(in crate::reverse) fn follow(&mut self, l: &Leaf, of: &Object, how: Storage) -> Block {
        if how != (Storage::Undone { shadow: true }) {
            return Vec::new();
        }
        let hit = |r: &&Reshaped| r.object.as_var().is_some_and(|d| d.sym == of.0 && d.path() == of.1);
        let hits: Vec<Reshaped> = l.reshaped.iter().filter(hit).cloned().collect();
        hits.iter().flat_map(|r| self.reset_shadow(r, &LocSet::new(), &l.stmt)).collect()
    }

    /// The objects whose memory a call manages, with the caller's references.
    pub(in crate::reverse) fn reshaped(&mut self, site: &CallSite<'_>, access: &Access) -> Vec<Reshaped> {
        let mut out: Vec<Reshaped> = Vec::new();
        if access.shapes.is_empty() {
            return out;
        }
        let signature = self.context.callees.get(&site.stmt.id).and_then(|c| self.signatures.get(c)).cloned();
        let followed = signature
            .map_or(LocSet::new(), |s| map_call(self.b.program, self.effects, s.primal, site.stmt, &s.storage));
        let args: Vec<Expr> = site.args.iter().map(|a| a.value.clone()).chain(site.result.cloned()).collect();
        let mut left = access.shapes.clone();
        for arg in args {
            let Some(d) = arg.as_var().cloned() else { continue };
            let result = site.result == Some(&arg);
            let place = matches!(d.parts.last(), Some(Part::Subscripts(_)));
            // Two arguments may be elements of one array.
            for leaf in self.leaves(&d).into_iter().filter(|l| access.shapes.contains(l)) {
                left.remove(&leaf);
                for object in self.allocatables(&arg, leaf, place, &access.holders) {
                    push(&mut out, plain(object, result));
                }
            }
        }
        for leaf in left {
            let sym = self.effects.locs.get(leaf).sym;
            let whole = self.b.var(sym);
            for object in self.allocatables(&whole, leaf, false, &access.holders) {
                push(&mut out, plain(object, false));
            }
        }
        let mut out = self.united(out);
        // A result has no memory before the call.
        for r in out.iter_mut().filter(|r| !r.result) {
            let leaves = r.object.as_var().map_or(Vec::new(), |d| self.effects.locs.of(self.b.program, d));
            let own: LocSet = leaves.into_iter().filter(|l| self.storage.contains(l)).collect();
            let changed = |l: &LocId| access.writes.contains(l) || access.shapes.contains(l);
            r.brought = own.iter().copied().filter(|l| followed.contains(l) || !changed(l)).collect();
            r.passed = !own.is_disjoint(&followed) && (!r.deep || r.brought == own);
        }
        if let Some(r) = out.iter().find(|r| !is_place(self, &r.object)) {
            let name = r.object.as_var().map(|d| self.b.program[d.sym].name.to_string());
            self.problems.push(
                Diagnostic::error(Code::UnsupportedCall, site.stmt.origin.span(), "this call can't be differentiated")
                    .reason(format!(
                        "it allocates or frees components of the elements of `{}`, an array",
                        name.unwrap_or_default()
                    ))
                    .help("allocate them in a loop over the elements before the call"),
            );
            out.clear();
        }
        self.check_pointers(site.stmt, &out);
        out
    }

    /// The allocatable variables between a reference and a leaf below it that are managed: the leaf itself, and `holders`.
    fn allocatables(&mut self, base: &Expr, leaf: LocId, place: bool, holders: &LocSet) -> Vec<Expr> {
        let Some(d) = base.as_var() else { return Vec::new() };
        let loc = self.effects.locs.get(leaf).clone();
        // A parent component is no part of the leaf's path.
        let from = canonical(self.b.program, d.sym, &d.path()).len();
        let place = place || from < d.path().len();
        let mut managed = |n: usize| {
            n == loc.path.len() || holders.contains(&self.effects.locs.id(Loc::named(loc.sym, loc.path[..n].to_vec())))
        };
        let ends: Vec<usize> = (from..=loc.path.len()).filter(|n| !(place && *n == from) && managed(*n)).collect();
        ends.into_iter()
            .filter(|n| resolve(self.b.program, loc.sym, &loc.path[..*n]).is_some_and(|v| v.attrs.allocatable))
            .map(|n| if n == from { base.clone() } else { self.extend(base, &loc.path[from..n]) })
            .collect()
    }
}

/// True for a reference that `allocate` takes: nothing before its last part is an array.
fn is_place(r: &Reverse<'_, '_>, e: &Expr) -> bool {
    let Some(d) = e.as_var() else { return false };
    let own = resolve(r.b.program, d.sym, &d.path()).map_or(0, Variable::rank);
    let last = d.parts.iter().rposition(|p| matches!(p, Part::Subscripts(_)));
    let scalar_before = match last {
        Some(_) => {
            e.rank == own
                && d.subscripts().all(|s| matches!(s, costate_grammar::ir::Subscript::Index(i) if i.rank == 0))
        }
        None => (0..d.path().len()).all(|n| resolve(r.b.program, d.sym, &d.path()[..n]).is_none_or(|v| v.rank() == 0)),
    };
    scalar_before || is_whole(r.b.program, d) && d.path().is_empty()
}

/// An object that a call manages, of which nothing else is known yet.
pub(in crate::reverse) fn plain(object: Expr, result: bool) -> Reshaped {
    let brought = LocSet::new();
    Reshaped { object, passed: false, brought, result, fresh: false, undone: false, left: false, deep: false }
}

fn push(out: &mut Vec<Reshaped>, r: Reshaped) {
    if !out.iter().any(|o| o.object == r.object) {
        out.push(r);
    }
}
