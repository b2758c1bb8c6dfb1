//! What snapshots of a time loop's state take: variables, the components of derived types one by one, and with arrays that
//! the loop allocates anew their shape.
//!
//! Such an array comes back from a snapshot with the shape that it had. Its adjoint needs nothing of the kind: at the end
//! of the loop it gets the shape that the array has there, and from then on the backward sweep frees and allocates the two
//! together, step by step.

use costate_analysis::storage::{LocSet, all_components, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Base, Block, Dim, Expr, IfArm, Part, Role, Stmt, StmtKind, SymId, Ty, Variable};
use costate_grammar::operators::BinaryOp;

use crate::certain;
use crate::expressions::{never_negative, now};
use crate::reverse::Reverse;
use crate::reverse::decide::allocations::{Object, balanced, item, object, related};
use crate::reverse::emit::around::Around;
use crate::reverse::tree::decisions::Follow;
use crate::reverse::tree::node::{Loop, Node, writes};

/// A part of the state that a snapshot holds.
#[derive(Clone, Debug)]
pub(in crate::reverse) struct StatePart {
    /// The variable, section or component.
    pub(in crate::reverse) e: Expr,
    /// What may happen to its memory.
    pub(in crate::reverse) memory: Memory,
    /// Its values are part of the state; otherwise it is only its shape.
    pub(in crate::reverse) values: bool,
}

/// What is known of the memory of a part of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::reverse) enum Memory {
    /// It is there.
    Fixed,
    /// It may be missing, and the loop leaves it at that.
    Optional,
    /// The loop may allocate it, free it, or give it another shape.
    Changing,
}

/// The call that hands a variable over to a snapshot, or takes it from there.
type HandOver<'a, R> = dyn Fn(&mut R, &Expr) -> Stmt + 'a;

/// A variable that holds the bounds of an array, with statements that save and restore it.
struct Bounds {
    object: Expr,
    variable: Option<Expr>,
}

impl Reverse<'_, '_> {
    /// The objects of which a loop's steps may leave other memory than they find, or why a snapshot can't hold them.
    pub(in crate::reverse) fn changing_objects(&self, l: &Loop) -> Result<Vec<Expr>, &'static str> {
        let mut seen: Vec<(Object, Expr)> = Vec::new();
        l.body.iter().for_each(|n| {
            n.for_each_leaf(&mut |x| {
                let own = x.storage.and_then(|_| item(&x.stmt));
                for e in own.into_iter().chain(x.reshaped.iter().map(|r| &r.object)) {
                    let Some(o) = object(e) else { continue };
                    if !seen.iter().any(|s| s.0 == o) {
                        seen.push((o, e.clone()));
                    }
                }
            });
        });
        let mut out = Vec::new();
        for (o, e) in &seen {
            if !self.outliving(o.0) && balanced(&l.body, o, self.temporary_objects.contains(o)) {
                continue;
            }
            let alone = !seen.iter().any(|s| s.0 != *o && related(&s.0, o));
            let plain = e.as_var().is_some_and(|d| !d.parts.iter().any(|p| !matches!(p, Part::Component(_))));
            if !(alone && plain) {
                return Err("it allocates or frees memory that a snapshot can't hold: an element's component, or a \
                     variable with allocatable components");
            }
            if !matches!(
                (e.ty.base, e.ty.kind),
                (Base::Real | Base::Complex | Base::Integer, 4 | 8) | (Base::Logical, 4)
            ) {
                return Err("it allocates or frees a variable of a type that a snapshot can't hold");
            }
            out.push(e.clone());
        }
        Ok(out)
    }

    /// What a snapshot of a loop's state takes, part by part.
    pub(in crate::reverse) fn state_parts(&mut self, l: &Loop) -> Vec<StatePart> {
        self.parts(&l.snapshot, l)
    }

    /// A snapshot is taken before anything in the iteration runs: what it takes can't be picked by what the iteration
    /// assigns.
    pub(in crate::reverse) fn refuse_moving(&mut self, e: &Expr, l: &Loop) {
        if let Some(d) = e.as_var().filter(|_| self.is_moving(e, l)) {
            let name = self.b.program[d.sym].name.clone();
            self.problems.push(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    l.stmt.origin.span(),
                    format!("the elements of `{name}` that this loop overwrites can't be saved"),
                )
                .reason("they are only known while an iteration runs, and an earlier adjoint may need them")
                .help("use another array for what is computed in the loop"),
            );
        }
    }

    /// What snapshots among nodes would take of which only an iteration knows the elements.
    pub(in crate::reverse) fn moving_snapshots(&mut self, nodes: &[Node]) -> LocSet {
        let mut out = LocSet::new();
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter().for_each(|a| out.extend(self.moving_snapshots(a))),
                Node::Loop(l) => {
                    let moving: Vec<&Expr> = l.snapshot.iter().filter(|e| self.is_moving(e, l)).collect();
                    out.extend(moving.into_iter().filter_map(Expr::as_var).flat_map(|d| self.leaves(d)));
                    out.extend(self.moving_snapshots(&l.body));
                }
            }
        }
        out
    }

    fn is_moving(&mut self, e: &Expr, l: &Loop) -> bool {
        let mut picked = LocSet::new();
        if let Some(d) = e.as_var() {
            self.effects.subscript_reads(self.b.program, d, &mut picked);
        }
        !picked.is_disjoint(&writes(&l.body))
    }

    /// True for an allocatable variable that steps of a loop may leave alone, so that it need not have memory.
    fn is_left_alone(&self, e: &Expr, l: &Loop) -> bool {
        let Some(d) = e.as_var().filter(|d| d.parts.is_empty()) else { return false };
        let allocatable = self.b.program.var(d.sym).is_some_and(|v| v.attrs.allocatable);
        let mut used = false;
        l.body.iter().for_each(|n| {
            if let Node::Leaf(leaf) = n {
                used |= certain::uses(self.b.program, std::slice::from_ref(&leaf.stmt), d.sym);
            } else if let Node::Loop(inner) = n {
                used |= !self.is_left_alone(e, inner);
            }
        });
        allocatable && !used
    }

    fn parts(&mut self, list: &[Expr], l: &Loop) -> Vec<StatePart> {
        let mut out: Vec<StatePart> = Vec::new();
        let changing = l.blocks.as_ref().map_or(&[][..], |b| b.changing.as_slice()).to_vec();
        let written = writes(&l.body);
        for e in list {
            let pieces = if self.by_components(e.ty) { self.pieces(e) } else { None };
            let Some(pieces) = pieces else {
                let memory = match changing.contains(e) {
                    true => Memory::Changing,
                    false if self.is_left_alone(e, l) => Memory::Optional,
                    false => Memory::Fixed,
                };
                out.retain(|p| p.e != *e);
                out.push(StatePart { e: e.clone(), memory, values: true });
                continue;
            };
            for piece in pieces {
                let Some(d) = piece.as_var().cloned() else { continue };
                let assigned = self.leaves(&d).into_iter().any(|x| written.contains(&x));
                if !assigned || out.iter().any(|p| p.e == piece) {
                    continue;
                }
                let allocatable = resolve(self.b.program, d.sym, &d.path()).is_some_and(|v| v.attrs.allocatable);
                let memory = match changing.contains(&piece) {
                    true => Memory::Changing,
                    false if allocatable => Memory::Optional,
                    false => Memory::Fixed,
                };
                out.push(StatePart { e: piece, memory, values: true });
            }
        }
        for e in changing {
            if !out.iter().any(|p| p.e == e) {
                out.push(StatePart { e, memory: Memory::Changing, values: false });
            }
        }
        out
    }

    /// Whether snapshots take the components of objects of a type one by one: where its bytes aren't its value, and where
    /// it has bound or final procedures, as objects of such a type can't be passed to `type(*)` (Fortran 2018, 15.5.2.4).
    pub(in crate::reverse) fn by_components(&self, ty: Ty) -> bool {
        self.indirect(ty) || self.has_procedures(ty)
    }

    fn has_procedures(&self, ty: Ty) -> bool {
        let Base::Derived(t) = ty.base else { return false };
        self.b.program[t].derived().is_some_and(|d| {
            let inherited = d.extends.is_some_and(|p| self.has_procedures(Ty::new(Base::Derived(p), 0)));
            inherited || !(d.bindings.is_empty() && d.finals.is_empty())
        })
    }

    /// The components of an object, down to what has none or is allocatable; `None` where that isn't all there is to it.
    /// Those of an array are arrays of scalars.
    pub(in crate::reverse) fn pieces(&self, e: &Expr) -> Option<Vec<Expr>> {
        let (Base::Derived(t) | Base::Class(t)) = e.ty.base else { return None };
        let derived = self.b.program[t].derived()?;
        let mut out = Vec::new();
        if let Some(parent) = derived.extends {
            let inherited = Expr { ty: Ty::new(Base::Derived(parent), 0), ..e.clone() };
            out.extend(self.pieces(&inherited)?);
        }
        for c in &derived.components {
            let part = self.extend(e, std::slice::from_ref(&c.name));
            let plain = !(c.var.attrs.allocatable || c.var.rank() > 0);
            if c.var.attrs.pointer || e.rank > 0 && !plain {
                return None;
            }
            if !self.by_components(c.var.ty) {
                out.push(part);
            } else if plain {
                out.extend(self.pieces(&part)?);
            } else {
                return None;
            }
        }
        Some(out)
    }

    /// Whether all of an object of a type can be reached by the names of its components: nothing in it is a pointer or of
    /// a class.
    pub(in crate::reverse) fn is_reachable(&self, ty: SymId, depth: u8) -> bool {
        let inner = |v: &Variable| match v.ty.base {
            Base::Derived(t) => self.is_reachable(t, depth + 1),
            Base::Class(_) | Base::Unlimited => false,
            _ => true,
        };
        let components = all_components(self.b.program, ty);
        depth < 8 && components.iter().all(|c| !c.var.attrs.pointer && inner(&c.var))
    }

    /// Hands over the values of an object: where its bytes aren't its value, those of its components, one element after
    /// the other.
    fn transfer_values(&mut self, e: &Expr, stmt: &Stmt, role: Role, call: &HandOver<'_, Self>) -> Block {
        let (true, Base::Derived(t) | Base::Class(t)) = (self.by_components(e.ty), e.ty.base) else {
            let declared = e.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
            if e.ty.base == Base::Character && declared.is_some_and(|v| v.spelling.contains(':')) {
                self.refuse_text(stmt);
            }
            return vec![call(self, e)];
        };
        let mut element = [e.clone()];
        let loops = self.b.elements(&mut element);
        let mut body = Block::new();
        let components = all_components(self.b.program, t);
        let components: Vec<_> = components.into_iter().map(|c| (c.name.clone(), c.var.attrs.allocatable)).collect();
        for (name, allocatable) in components {
            let part = self.extend(&element[0], &[name]);
            let values = self.transfer_values(&part, stmt, role, call);
            match allocatable {
                true => body.push(self.when(part.allocated(), values, stmt)),
                false => body.extend(values),
            }
        }
        self.b.nested(loops, body, stmt, role)
    }

    /// Saves a part of the state and brings it back.
    pub(in crate::reverse) fn save_part(&mut self, part: &StatePart, chain: &[Around], stmt: &Stmt) -> (Block, Block) {
        let blocks = match part.memory {
            Memory::Fixed => self.save(&part.e, chain, stmt),
            Memory::Optional => return self.save_values(part, chain, stmt),
            Memory::Changing => self.save_memory(&part.e, part.values, chain, stmt),
        };
        self.where_present(&part.e, blocks, stmt)
    }

    /// The same for its values alone, where its memory is what it was.
    pub(in crate::reverse) fn save_values(
        &mut self,
        part: &StatePart,
        chain: &[Around],
        stmt: &Stmt,
    ) -> (Block, Block) {
        let (save, restore) = self.save(&part.e, chain, stmt);
        let blocks = match part.memory {
            Memory::Fixed => (save, restore),
            Memory::Optional | Memory::Changing => self.where_allocated(&part.e, save, restore, stmt),
        };
        self.where_present(&part.e, blocks, stmt)
    }

    /// Saves whether an object has memory, its bounds and, if need be, its values; brings all of it back.
    pub(in crate::reverse) fn save_memory(
        &mut self,
        e: &Expr,
        values: bool,
        chain: &[Around],
        stmt: &Stmt,
    ) -> (Block, Block) {
        let held = self.held();
        let bounds = self.bounds(e);
        let mut forward = vec![self.b.assign(held.clone(), e.allocated(), stmt, Role::Save)];
        // The value of a text of deferred length tells its length too.
        let values = values || self.has_own_length(e);
        let (mut keep, restored) = if values { self.save(e, chain, stmt) } else { (Vec::new(), Vec::new()) };
        keep.extend(self.note_bounds(&bounds, stmt));
        let mut shape = Vec::new();
        let mut backward = Vec::new();
        if !chain.is_empty() {
            if let Some(v) = &bounds.variable {
                let mut var = Variable::scalar(Ty::INTEGER, "integer");
                var.dims = vec![Dim::Explicit(None, Expr::int(2 * i64::from(e.rank)))];
                let (save, restore) = self.save_as(v, "bounds_save", var, chain, stmt);
                keep.extend(save);
                shape = restore;
            }
            let var = Variable::scalar(Ty::LOGICAL, "logical");
            let (save, restore) = self.save_as(&held, "held_save", var, chain, stmt);
            backward = restore;
            forward.extend(self.unless_empty(held.clone(), keep, stmt));
            forward.extend(save);
        } else {
            forward.extend(self.unless_empty(held.clone(), keep, stmt));
        }
        backward.extend(self.restore_part(&bounds, &held, (shape, restored), stmt));
        (forward, backward)
    }

    /// Puts a part of the state into a snapshot of the run-time library, or gets it from there.
    pub(in crate::reverse) fn transfer_part(
        &mut self,
        procedure: &str,
        part: &StatePart,
        follow: &Follow<'_>,
        role: Role,
    ) -> Block {
        let block = self.transfer_existing(procedure, part, follow, role);
        match self.presence(&part.e) {
            Some(cond) => vec![self.when(cond, block, follow.stmt)],
            None => block,
        }
    }

    fn transfer_existing(&mut self, procedure: &str, part: &StatePart, follow: &Follow<'_>, role: Role) -> Block {
        let stmt = follow.stmt;
        let declared = part.e.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        let allocatable = declared.is_some_and(|v| v.attrs.allocatable);
        let call = |s: &mut Self, e: &Expr| {
            let args = vec![Arg::new(follow.schedule.clone()), Arg::new(never_negative(e.clone()))];
            s.runtime_call(procedure, args, stmt, role)
        };
        let values = if part.values { self.transfer_values(&part.e, stmt, role, &call) } else { Vec::new() };
        match part.memory {
            // There is nothing to name in an array that isn't there.
            Memory::Fixed if allocatable && self.by_components(part.e.ty) => {
                return vec![self.when(part.e.allocated(), values, stmt)];
            }
            Memory::Fixed => return values,
            Memory::Optional => return vec![self.when(part.e.allocated(), values, stmt)],
            Memory::Changing => {}
        }
        let held = self.held();
        let bounds = self.bounds(&part.e);
        let passed: Block = bounds.variable.iter().map(|v| call(self, v)).collect();
        let status = call(self, &held);
        if role == Role::Restore {
            let mut out = vec![status];
            out.extend(self.restore_part(&bounds, &held, (passed, values), stmt));
            return out;
        }
        let mut out = vec![self.b.assign(held.clone(), part.e.allocated(), stmt, role), status];
        let keep: Block = self.note_bounds(&bounds, stmt).into_iter().chain(passed).chain(values).collect();
        out.extend(self.unless_empty(held, keep, stmt));
        out
    }

    /// Gives an object the memory that it had, if it has other now, and its values. `shape` restores the bounds.
    fn restore_part(&mut self, bounds: &Bounds, held: &Expr, (shape, values): (Block, Block), stmt: &Stmt) -> Block {
        let e = &bounds.object;
        let mut again = shape;
        let mut extents = Vec::new();
        if let Some(v) = bounds.variable.as_ref().and_then(Expr::as_var).map(|d| d.sym) {
            let rank = i64::from(e.rank);
            let at = |k| Expr::element(v, Ty::INTEGER, vec![Expr::int(k)]);
            extents.extend((1..=rank).map(|k| (Some(at(k)), at(rank + k))));
            let other = Expr::binary(BinaryOp::Ne, now(e), Expr::var(v, Ty::INTEGER, 1));
            let other = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Any, vec![other]) };
            let free = self.free(e.clone(), stmt);
            let free = self.when(other, vec![free], stmt);
            again.push(self.when(e.allocated(), vec![free], stmt));
        }
        if !self.has_own_length(e) {
            let made = self.allocate(&costate_grammar::ir::AllocItem { object: e.clone(), shape: extents }, stmt);
            again.push(self.when(e.allocated().negated(), vec![made], stmt));
        }
        again.extend(values);
        let free = self.free(e.clone(), stmt);
        let arms = vec![IfArm { cond: held.clone(), body: again }, IfArm { cond: e.allocated(), body: vec![free] }];
        let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        vec![self.b.derive(kind, stmt, Role::Storage)]
    }

    /// True for a text that gets its length with its value.
    fn has_own_length(&self, e: &Expr) -> bool {
        let declared = e.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path()));
        e.ty.base == Base::Character && declared.is_some_and(|v| v.spelling.contains(':'))
    }

    fn unless_empty(&mut self, cond: Expr, body: Block, stmt: &Stmt) -> Option<Stmt> {
        (!body.is_empty()).then(|| self.when(cond, body, stmt))
    }

    fn held(&mut self) -> Expr {
        let sym = self.b.local("held", Ty::LOGICAL, Vec::new());
        self.b.var(sym)
    }

    fn bounds(&mut self, e: &Expr) -> Bounds {
        let dims = vec![Dim::Explicit(None, Expr::int(2 * i64::from(e.rank)))];
        let variable = (e.rank > 0).then(|| {
            let sym: SymId = self.b.local("bounds", Ty::INTEGER, dims);
            Expr::var(sym, Ty::INTEGER, 1)
        });
        Bounds { object: e.clone(), variable }
    }

    fn note_bounds(&mut self, bounds: &Bounds, stmt: &Stmt) -> Option<Stmt> {
        let variable = bounds.variable.clone()?;
        Some(self.b.assign(variable, now(&bounds.object), stmt, Role::Save))
    }

    /// Parts of the state that adjoints of earlier statements use.
    pub(in crate::reverse) fn restored(&mut self, l: &Loop) -> Vec<StatePart> {
        let Some(blocks) = &l.blocks else { return Vec::new() };
        self.parts(&blocks.restored.clone(), l).into_iter().filter(|p| p.values).collect()
    }

    /// After a time loop: adjoints get the memory of what it may have allocated anew. In what runs again in the backward
    /// sweep they have it already.
    pub(in crate::reverse) fn settle_adjoints(&mut self, l: &Loop, level: usize) -> Block {
        let changing = l.blocks.as_ref().filter(|_| level == 0).map_or(&[][..], |b| b.changing.as_slice()).to_vec();
        let mut out = Block::new();
        for e in changing {
            if object(&e).is_some_and(|o| self.lockstep(&o)) {
                let settled = self.settle(&e, &l.stmt);
                out.extend(self.where_present(&e, (settled, Block::new()), &l.stmt).0);
            }
        }
        out
    }
}

impl Reverse<'_, '_> {
    /// What nodes allocate, free or give another shape isn't known to have memory any longer, nor which.
    pub(in crate::reverse) fn forget_memory(&mut self, node: &Node) {
        node.for_each_leaf(&mut |l| {
            for x in &l.access.shapes {
                self.steady.remove(&self.effects.locs.get(*x).sym);
            }
        });
    }

    /// A variable that was allocated has memory from then on.
    pub(in crate::reverse) fn note_memory(&mut self, node: &Node) {
        self.forget_memory(node);
        if let Node::Leaf(l) = node
            && matches!(l.stmt.kind, StmtKind::Allocate { .. })
            && let Some(d) = item(&l.stmt).and_then(Expr::as_var).filter(|d| d.path().is_empty())
        {
            self.steady.insert(d.sym);
        }
    }
}
