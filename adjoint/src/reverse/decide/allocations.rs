//! How allocations are undone, object by object.
//!
//! Where an object is allocated once and nothing asks for its status, its memory is simply held until the backward sweep
//! is done with it. Otherwise the backward sweep frees what was allocated, and allocates again what was freed, with the
//! bounds and the values that it had.

use std::collections::BTreeSet;

use costate_analysis::effects::{bind, outlives, target};
use costate_analysis::storage::{LocSet, is_global, resolve};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Callee, Expr, ExprKind, Name, Origin, Program, Role, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::got_once::is_got_once;
use crate::remap;
use crate::reverse::Reverse;
use crate::reverse::tree::decisions::Storage;
use crate::reverse::tree::node::{Leaf, Node};

/// A variable, or a component of it by its path.
pub(in crate::reverse) type Object = (SymId, Vec<Name>);

/// What a statement does to the memory of an object.
enum Event {
    Allocate,
    Result,
    Free,
    Other,
}

pub(in crate::reverse) fn object(e: &Expr) -> Option<Object> {
    e.as_var().map(|d| (d.sym, d.path()))
}

/// True when one is a part of the other.
pub(in crate::reverse) fn related(a: &Object, b: &Object) -> bool {
    a.0 == b.0 && a.1.iter().zip(&b.1).all(|(x, y)| x == y)
}

/// The object of an `allocate` or `deallocate` of one item, unless it fails.
pub(in crate::reverse) fn item(stmt: &Stmt) -> Option<&Expr> {
    match &stmt.kind {
        _ if matches!(stmt.origin, Origin::Derived { role: Role::Failure, .. }) => None,
        StmtKind::Allocate { items, .. } => items.first().map(|i| &i.object),
        StmtKind::Deallocate { items, .. } => items.first(),
        _ => None,
    }
}

/// Objects whose memory a leaf manages.
fn objects(l: &Leaf) -> Vec<Object> {
    let own = l.storage.and_then(|_| item(&l.stmt)).and_then(object);
    own.into_iter().chain(l.reshaped.iter().filter_map(|r| object(&r.object))).collect()
}

fn event(l: &Leaf, of: &Object) -> Option<Event> {
    let hit = objects(l).into_iter().find(|o| related(o, of))?;
    Some(match &l.stmt.kind {
        _ if hit != *of => Event::Other,
        StmtKind::Allocate { .. } => Event::Allocate,
        StmtKind::Deallocate { .. } => Event::Free,
        _ if l.reshaped.iter().any(|r| r.result && object(&r.object).as_ref() == Some(of)) => Event::Result,
        _ => Event::Other,
    })
}

fn touches(node: &Node, of: &Object) -> bool {
    let mut found = false;
    node.for_each_leaf(&mut |l| found |= objects(l).iter().any(|o| related(o, of)));
    found
}

/// True when every block allocates the object before it frees it and leaves nothing behind. A function's result allocates
/// its variable where that is known to have no memory (`by_result`).
pub(in crate::reverse) fn balanced(nodes: &[Node], of: &Object, by_result: bool) -> bool {
    let mut held = false;
    for node in nodes {
        match node {
            Node::Leaf(l) => match (event(l, of), held) {
                (None, _) => {}
                (Some(Event::Allocate), false) => held = true,
                (Some(Event::Result), false) if by_result => held = true,
                (Some(Event::Free), true) => held = false,
                (Some(_), _) => return false,
            },
            Node::Branch(_) | Node::Loop(_) if !touches(node, of) => {}
            Node::Branch(b) => {
                if held || !b.arms.iter().all(|a| balanced(a, of, by_result)) {
                    return false;
                }
            }
            Node::Loop(l) => {
                if held || !balanced(&l.body, of, by_result) {
                    return false;
                }
            }
        }
    }
    !held
}

/// All objects whose memory is managed in the nodes.
fn managed(nodes: &[Node]) -> BTreeSet<Object> {
    let mut out = BTreeSet::new();
    nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| out.extend(objects(l))));
    out
}

/// What the backward sweep refers to: adjoint statements, conditions and bounds, and everything in loops that have
/// something to do there, since their iterations may run again.
fn used_backward(nodes: &[Node], out: &mut BTreeSet<SymId>) {
    for node in nodes {
        match node {
            Node::Leaf(l) => remap::mentioned(&l.adjoint, out),
            Node::Branch(b) if node.has_adjoint() => {
                b.stmt.exprs().into_iter().for_each(|e| remap::in_expr(e, out));
                b.arms.iter().for_each(|a| used_backward(a, out));
            }
            Node::Loop(l) if node.has_adjoint() => remap::mentioned(std::slice::from_ref(&l.stmt), out),
            Node::Branch(_) | Node::Loop(_) => {}
        }
    }
}

/// How often the objects of one run of the statements (loop bodies that run again apart) are managed.
#[derive(Default)]
struct Tally {
    allocations: usize,
    /// In a loop, in a call, or in an iteration that runs again.
    elsewhere: bool,
}

fn tally(nodes: &[Node], of: &Object, looped: bool, out: &mut Tally) {
    for node in nodes {
        match node {
            Node::Leaf(l) => match event(l, of) {
                None => {}
                Some(Event::Allocate) if !looped => out.allocations += 1,
                Some(Event::Free) if !looped => {}
                Some(_) => out.elsewhere = true,
            },
            Node::Branch(b) => b.arms.iter().for_each(|a| tally(a, of, looped, out)),
            Node::Loop(l) if l.region => out.elsewhere |= touches(node, of),
            Node::Loop(l) => tally(&l.body, of, true, out),
        }
    }
}

impl Reverse<'_, '_> {
    /// First half, before the loops that run again are chosen: which objects the backward sweep needs, and which loops
    /// leave no memory behind.
    pub(in crate::reverse) fn find_storage(&mut self, nodes: &mut [Node], body: &[Stmt]) {
        let internals = &self.b.program[self.b.primal].internals;
        let inner = internals.iter().filter_map(|p| self.effects.bodies.get(p)).map(|b| b.as_slice());
        let bodies: Vec<&[Stmt]> = std::iter::once(body).chain(inner).collect();
        self.inquired = inquired(self.b.program, &bodies);
        // Adjoints of internal procedures refer to variables of their host that calls don't mention.
        let mut of_host = BTreeSet::new();
        bodies[1..].iter().for_each(|b| remap::mentioned(b, &mut of_host));
        loop {
            let mut used = of_host.clone();
            used_backward(nodes, &mut used);
            let mut changed = false;
            nodes.iter_mut().for_each(|n| {
                n.for_each_leaf_mut(&mut |l| {
                    for r in l.reshaped.iter_mut().filter(|r| !r.undone) {
                        let Some(d) = r.object.as_var().cloned() else { continue };
                        r.undone = used.contains(&d.sym) || self.has_storage(&d) || self.outliving(d.sym);
                        changed |= r.undone;
                    }
                    let Some(d) = item(&l.stmt).and_then(Expr::as_var).cloned() else { return };
                    let undone = used.contains(&d.sym) || self.has_storage(&d) || self.outliving(d.sym);
                    if l.storage == Some(Storage::Forward) && undone {
                        l.storage = Some(Storage::Undone { shadow: false });
                        changed = true;
                    }
                });
            });
            if !changed {
                break;
            }
        }
        nodes.iter_mut().for_each(|n| n.for_each_leaf_mut(&mut |l| l.reshaped.retain(|r| r.undone)));
        let temporary_objects: BTreeSet<Object> =
            managed(nodes).into_iter().filter(|o| !self.outliving(o.0) && balanced(nodes, o, true)).collect();
        nodes.iter_mut().for_each(|n| {
            n.for_each_leaf_mut(&mut |l| {
                for r in &mut l.reshaped {
                    r.fresh = object(&r.object).is_some_and(|o| r.result && temporary_objects.contains(&o));
                }
            });
        });
        self.find_left(nodes, &mut BTreeSet::new());
        self.find_own(nodes, &temporary_objects);
        self.temporary_objects = temporary_objects;
    }

    /// Variables of modules that get memory once, outside of loops, where nothing before has to do with them. Nothing in the
    /// backward sweep needs them without memory then, and whoever runs the primal or the adjoint again finds what the primal
    /// leaves: memory that is got once, behind a flag, goes with the flag. `before` is what earlier nodes use.
    fn find_left(&self, nodes: &mut [Node], before: &mut BTreeSet<SymId>) {
        for node in nodes {
            let mut used = BTreeSet::new();
            self.touched(node, &mut used);
            match node {
                Node::Leaf(l) => {
                    let program = &*self.b.program;
                    let left = |s: SymId| !before.contains(&s) && is_global(program, s) && is_got_once(program, s);
                    let alone = l.adjoint.is_empty() && l.split.is_none();
                    for r in l.reshaped.iter_mut().filter(|r| alone && !r.deep && !r.fresh) {
                        r.left = r.object.as_var().is_some_and(|d| d.parts.is_empty() && left(d.sym));
                    }
                    let allocated = item(&l.stmt).filter(|_| matches!(l.stmt.kind, StmtKind::Allocate { .. }));
                    l.left = allocated.and_then(Expr::as_var).is_some_and(|d| d.parts.is_empty() && left(d.sym));
                }
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_left(a, &mut before.clone())),
                Node::Loop(_) => {}
            }
            before.extend(used);
        }
    }

    /// The variables that a node has to do with.
    fn touched(&self, node: &Node, out: &mut BTreeSet<SymId>) {
        let mut add = |locs: &LocSet| out.extend(locs.iter().map(|l| self.effects.locs.get(*l).sym));
        match node {
            Node::Leaf(l) => {
                [&l.access.reads, &l.access.writes, &l.access.shapes].into_iter().for_each(&mut add);
                remap::mentioned(std::slice::from_ref(&l.stmt), out);
            }
            Node::Branch(b) => {
                add(&b.reads);
                b.stmt.exprs().into_iter().for_each(|e| remap::in_expr(e, out));
                b.arms.iter().flatten().for_each(|n| self.touched(n, out));
            }
            Node::Loop(l) => {
                remap::mentioned(std::slice::from_ref(&l.stmt), out);
                l.body.iter().for_each(|n| self.touched(n, out));
            }
        }
    }

    fn find_own(&mut self, nodes: &mut [Node], temporary_objects: &BTreeSet<Object>) {
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_own(a, temporary_objects)),
                Node::Loop(l) => {
                    let (inside, left): (Vec<Object>, Vec<Object>) = managed(&l.body)
                        .into_iter()
                        .partition(|o| !self.outliving(o.0) && balanced(&l.body, o, temporary_objects.contains(o)));
                    l.portable = left.is_empty();
                    let mut own = LocSet::new();
                    for o in inside {
                        own.extend(self.effects.locs.leaves(self.b.program, o.0, &o.1));
                    }
                    l.own = own.union(&l.proved).copied().collect();
                    self.find_own(&mut l.body, temporary_objects);
                }
            }
        }
    }

    /// Second half, when the loops that run again are known.
    pub(in crate::reverse) fn settle_storage(&mut self, nodes: &mut [Node]) {
        self.settle_outside(nodes, true);
    }

    /// The same for what isn't in such loops among the nodes. `first` is false for the body of such a loop, whose
    /// forward part runs again in the backward sweep and leaves adjoints alone.
    fn settle_outside(&mut self, nodes: &mut [Node], first: bool) {
        for o in managed(nodes) {
            let mut t = Tally::default();
            tally(nodes, &o, false, &mut t);
            let alone = !managed(nodes).iter().any(|p| *p != o && related(p, &o));
            let local = !self.outliving(o.0);
            let quiet = local && balanced(nodes, &o, self.temporary_objects.contains(&o));
            // An iteration may free what an earlier one allocated.
            let once = t.allocations == 1 && !t.elsewhere && (first || quiet);
            // Assignments give texts other memory.
            let text = resolve(self.b.program, o.0, &o.1).is_some_and(|v| v.ty.base == Base::Character);
            let held = local && alone && once && !text && !self.inquired.contains(&o.0);
            let followed = self.is_pointed_at(&o) || self.holds_active_pointers(&o);
            let shadow = first && (!quiet || followed) && self.lockstep(&o);
            self.mark(nodes, &o, if held { Storage::Held } else { Storage::Undone { shadow } });
        }
        self.settle_inner(nodes);
    }

    fn settle_inner(&mut self, nodes: &mut [Node]) {
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.settle_inner(a)),
                Node::Loop(l) if l.region => self.settle_outside(&mut l.body, false),
                Node::Loop(l) => self.settle_inner(&mut l.body),
            }
        }
    }

    fn mark(&mut self, nodes: &mut [Node], of: &Object, how: Storage) {
        for node in nodes {
            match node {
                Node::Leaf(l) => self.mark_leaf(l, of, how),
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.mark(a, of, how)),
                Node::Loop(l) if l.region => {}
                Node::Loop(l) => self.mark(&mut l.body, of, how),
            }
        }
    }

    fn mark_leaf(&mut self, l: &mut Leaf, of: &Object, how: Storage) {
        if !l.reshaped.is_empty() && how != Storage::Held {
            self.check_moved(l, of);
            l.follow.extend(self.follow(l, of, how));
        }
        let Some(e) = item(&l.stmt).cloned() else { return };
        if object(&e).as_ref() != Some(of) || !matches!(l.storage, Some(Storage::Undone { .. })) {
            return;
        }
        l.storage = Some(how);
        if let Some(d) = e.as_var() {
            let mut reads = LocSet::new();
            self.effects.subscript_reads(self.b.program, d, &mut reads);
            l.needs.extend(reads);
        }
        if how != Storage::Held && matches!(l.stmt.kind, StmtKind::Deallocate { .. }) {
            l.add_targets(self.targets_of(&e));
        }
    }

    /// True for a variable whose memory others manage too.
    pub(in crate::reverse) fn outliving(&self, sym: SymId) -> bool {
        outlives(self.b.program, self.b.primal, sym)
    }

    /// True for an object whose adjoint has memory whenever it has, in the forward sweep already. Otherwise the caller
    /// hands the adjoint over as it is at the end.
    pub(in crate::reverse) fn lockstep(&self, (sym, path): &Object) -> bool {
        let is_followed = |(s, part): &Object| s == sym && path.starts_with(part);
        !self.outliving(*sym) || self.followed.iter().any(is_followed)
    }
}

/// Variables whose status somebody asks for, or which tell how freeing them went, in a procedure or its internal ones.
fn inquired(program: &Program, bodies: &[&[Stmt]]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for body in bodies {
        for_each_stmt(body, &mut |s| {
            match &s.kind {
                StmtKind::Deallocate { items, options } if !options.is_empty() => {
                    out.extend(items.iter().filter_map(Expr::as_var).map(|d| d.sym));
                }
                StmtKind::Call { callee, args } => status_passed(program, callee, args, &mut out),
                _ => {}
            }
            for e in s.exprs() {
                for_each_expr(e, &mut |x| match &x.kind {
                    ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Allocated), args } => {
                        out.extend(args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym));
                    }
                    ExprKind::Call { callee, args } => status_passed(program, callee, args, &mut out),
                    _ => {}
                });
            }
        });
    }
    out
}

/// Variables whose status a call tells: allocatable dummies have it, and what isn't allocated is absent as an optional
/// argument (F2018 15.5.2.12).
fn status_passed(program: &Program, callee: &Callee, args: &[Arg], out: &mut BTreeSet<SymId>) {
    let Some(p) = target(program, callee).map(|p| &program[p]) else { return };
    for (dummy, actual) in p.dummies.iter().zip(bind(program, p, args)) {
        if program.var(*dummy).is_some_and(|v| v.attrs.allocatable || v.attrs.optional) {
            out.extend(actual.and_then(Expr::as_var).map(|d| d.sym));
        }
    }
}
