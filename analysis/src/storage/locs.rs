//! Leaves of storage by name: variables, down to the leaf components of derived types.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Base, Designator, Expr, ExprKind, ModuleKind, Name, Part, Program, ScopeId, ScopeKind, StmtId, SymId, Ty, Variable,
    for_each_expr,
};
use indexmap::IndexSet;

use super::alias::{Targets, shortened};
use super::layout::associations;
use super::types::{all_components, extended};

/// What a leaf belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Root {
    /// The variable itself.
    #[default]
    Variable,
    /// The memory that an `allocate` statement gives a pointer, which the leaf names.
    Heap(StmtId),
    /// Memory of a type that nothing of what is read names; the leaf names the first pointer that may point to it.
    Outside,
}

/// A leaf of storage: a variable of intrinsic type, or a component path of a variable that ends in one. Array elements
/// aren't told apart. Memory is identified by what it is, not by the pointer through which it is seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc {
    /// The variable.
    pub sym: SymId,
    /// Components on the way.
    pub path: Vec<Name>,
    /// What it is part of.
    pub root: Root,
    /// It is the association of a pointer: which memory references through the pointer touch.
    pub association: bool,
}

impl Loc {
    /// A variable or a component of it.
    pub fn named(sym: SymId, path: Vec<Name>) -> Loc {
        Loc { sym, path, root: Root::Variable, association: false }
    }

    /// True for a variable or a component that a program can name: neither an association nor memory of pointers.
    pub fn is_named(&self) -> bool {
        self.root == Root::Variable && !self.association
    }
}

/// Interned [`Loc`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(pub u32);

/// A set of locations, iterated in a fixed order.
pub type LocSet = BTreeSet<LocId>;

/// The interner of locations.
#[derive(Debug, Default)]
pub struct Locs {
    table: IndexSet<Loc>,
    /// What pointers point to.
    pub(super) targets: Targets,
    /// Variables that share memory with a variable by `common` or `equivalence`.
    overlays: BTreeMap<SymId, BTreeSet<SymId>>,
}

/// What a reference goes through and where it ends.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    /// The variables, components, or memory of pointers that it may mean.
    pub objects: Vec<Loc>,
    /// The associations of the pointers before its end.
    pub before: Vec<Loc>,
    /// The associations of the pointer at its end.
    pub last: Vec<Loc>,
}

impl Locs {
    /// The handle of a location.
    pub fn id(&mut self, loc: Loc) -> LocId {
        LocId(self.table.insert_full(loc).0 as u32)
    }

    /// The location behind a handle.
    pub fn get(&self, id: LocId) -> &Loc {
        &self.table[id.0 as usize]
    }

    /// All leaves under a variable and component path. Below a pointer they are those of what it may point to.
    pub fn leaves(&mut self, program: &Program, sym: SymId, path: &[Name]) -> Vec<LocId> {
        // `z%re` names no component of a type: the reference touches the whole of `z`.
        let mut path = path.to_vec();
        while !path.is_empty() && resolve(program, sym, &path).is_none() {
            path.pop();
        }
        let mut out = Vec::new();
        for object in self.way(program, sym, &path).objects {
            let others = self.overlays.get(&object.sym).filter(|_| object.root == Root::Variable).cloned();
            self.collect(program, object, &mut out);
            for other in others.into_iter().flatten() {
                self.collect(program, Loc::named(other, Vec::new()), &mut out);
            }
        }
        out
    }

    /// Notes which variables share memory by `common` and `equivalence`. Of common blocks that procedures declare in ways that
    /// can't be compared, any two variables may.
    pub fn associate(&mut self, program: &Program) {
        let mut blocks: BTreeMap<Name, Vec<SymId>> = BTreeMap::new();
        for scope in (0..program.scopes.len()).map(ScopeId::new) {
            let united = is_common(program, scope);
            for whole in associations(program, scope) {
                for (a, b) in whole.overlapping() {
                    self.overlay(a, b);
                }
                if let (Some(block), false) = (whole.block, united) {
                    let others = blocks.entry(block).or_default();
                    for m in &whole.members {
                        // Variables that stand for the block elsewhere have taken the place of this one.
                        if program.var(m.sym).is_some_and(|v| v.common.is_some()) {
                            others.iter().for_each(|o| self.overlay(*o, m.sym));
                        }
                    }
                    others.extend(whole.members.iter().map(|m| m.sym));
                }
            }
        }
    }

    fn overlay(&mut self, a: SymId, b: SymId) {
        if a != b {
            self.overlays.entry(a).or_default().insert(b);
            self.overlays.entry(b).or_default().insert(a);
        }
    }

    /// The variables that share memory with a variable by `common` and `equivalence`.
    pub fn overlaid(&self, sym: SymId) -> impl Iterator<Item = SymId> {
        self.overlays.get(&sym).into_iter().flatten().copied()
    }

    /// The way that a reference takes through pointers.
    pub(super) fn way(&self, program: &Program, sym: SymId, path: &[Name]) -> Way {
        let mut way = Way { objects: self.targets.of_dummy(sym), ..Way::default() };
        let Some(mut var) = program.var(sym) else { return way };
        self.follow(program, var, &mut way);
        for name in path {
            for l in &mut way.objects {
                l.path.push(name.clone());
                *l = shortened(program, l.clone());
            }
            let last = std::mem::take(&mut way.last);
            way.before.extend(last);
            let Some(next) = var.ty.derived().and_then(|t| program.component(t, name)) else { return way };
            var = next;
            self.follow(program, var, &mut way);
        }
        way
    }

    /// Goes through a pointer.
    fn follow(&self, program: &Program, var: &Variable, way: &mut Way) {
        if !var.attrs.pointer {
            return;
        }
        let mut objects = Vec::new();
        for l in std::mem::take(&mut way.objects) {
            let cell = Loc { association: true, ..l };
            for o in self.targets.of(program, &cell, var) {
                if !objects.contains(&o) {
                    objects.push(o);
                }
            }
            way.last.push(cell);
        }
        way.objects = objects;
    }

    /// All locations that have a handle.
    pub(super) fn all(&self) -> impl Iterator<Item = &Loc> {
        self.table.iter()
    }

    /// The leaves of an object.
    pub(super) fn below(&mut self, program: &Program, object: Loc) -> Vec<LocId> {
        let mut out = Vec::new();
        self.collect(program, object, &mut out);
        out
    }

    fn collect(&mut self, program: &Program, object: Loc, out: &mut Vec<LocId>) {
        for (leaf, kind) in leaves_below(program, object) {
            let id = self.id(leaf);
            if kind == Leaf::Part || !out.contains(&id) {
                out.push(id);
            }
        }
    }

    /// The handle of a location that was seen before.
    pub(super) fn seen(&self, loc: &Loc) -> Option<LocId> {
        self.table.get_index_of(loc).map(|i| LocId(i as u32))
    }

    /// The leaves a designator touches.
    pub fn of(&mut self, program: &Program, d: &Designator) -> Vec<LocId> {
        self.leaves(program, d.sym, &d.path())
    }

    /// The associations of all pointers that a designator goes through, that at its end included.
    pub fn pointers(&mut self, program: &Program, d: &Designator) -> Vec<LocId> {
        let way = self.way(program, d.sym, &d.path());
        way.before.into_iter().chain(way.last).map(|l| self.id(l)).collect()
    }

    /// The associations that a designator of a pointer means; nothing for what is no pointer.
    pub fn association(&mut self, program: &Program, sym: SymId, path: &[Name]) -> Vec<LocId> {
        let way = self.way(program, sym, path);
        way.last.into_iter().map(|l| self.id(l)).collect()
    }

    /// The associations of the pointers that lead to the pointer at the end of a designator.
    pub fn leading(&mut self, program: &Program, d: &Designator) -> Vec<LocId> {
        let way = self.way(program, d.sym, &d.path());
        way.before.into_iter().map(|l| self.id(l)).collect()
    }

    /// The objects of an association: what its pointer may point to at any time.
    pub fn objects_of(&self, program: &Program, cell: LocId) -> Vec<Loc> {
        let cell = self.get(cell);
        let Some(v) = resolve(program, cell.sym, &cell.path) else { return Vec::new() };
        self.targets.of(program, cell, v)
    }

    /// True when something is known that may associate a pointer, or give it memory.
    pub fn is_associated(&self, program: &Program, cell: LocId) -> bool {
        let cell = self.get(cell);
        resolve(program, cell.sym, &cell.path).is_none_or(|v| self.targets.knows(cell, v))
    }

    /// The variables, components, or memory of pointers that a designator may mean.
    pub fn objects(&self, program: &Program, d: &Designator) -> Vec<Loc> {
        self.way(program, d.sym, &d.path()).objects
    }

    /// The associations of pointers that are known to be assigned to.
    pub fn known_associations(&mut self) -> Vec<LocId> {
        let cells: Vec<Loc> = self.targets.associations().cloned().collect();
        cells.into_iter().map(|c| self.id(c)).collect()
    }

    /// True when a pointer of an association may point to one of these locations.
    pub fn points_at(&mut self, program: &Program, cell: LocId, any: &[LocId]) -> bool {
        let cell = self.get(cell).clone();
        let Some(v) = resolve(program, cell.sym, &cell.path) else { return true };
        let objects = self.targets.of(program, &cell, v);
        objects.into_iter().any(|o| self.below(program, o).iter().any(|l| any.contains(l)))
    }

    /// True when a reference means what it names: it leads through no pointer, and nothing else stands for its variable.
    pub fn is_certain(&self, program: &Program, sym: SymId, path: &[Name]) -> bool {
        let way = self.way(program, sym, path);
        let alone = !self.targets.stands_for_others(sym) && !self.overlays.contains_key(&sym);
        way.before.is_empty() && way.last.is_empty() && alone
    }

    /// The same for the association of a pointer.
    pub fn is_certain_pointer(&self, program: &Program, sym: SymId, path: &[Name]) -> bool {
        let way = self.way(program, sym, path);
        way.before.is_empty() && way.last.len() == 1 && !self.targets.stands_for_others(sym)
    }

    /// The declaration of a leaf.
    pub fn variable<'p>(&self, program: &'p Program, id: LocId) -> Option<&'p Variable> {
        let loc = self.get(id);
        resolve(program, loc.sym, &loc.path)
    }

    /// True for a leaf of real or complex type.
    pub fn is_continuous(&self, program: &Program, id: LocId) -> bool {
        // What is of any type, or isn't followed down to its components, may be real.
        !self.get(id).association
            && self.variable(program, id).is_some_and(|v| {
                v.ty.is_continuous() || matches!(v.ty.base, Base::Unlimited | Base::Class(_) | Base::Derived(_))
            })
    }

    /// The leaf as a user would write it, `s%v%a`.
    pub fn describe(&self, program: &Program, id: LocId) -> String {
        let loc = self.get(id);
        let mut text = program[loc.sym].name.to_string();
        for part in &loc.path {
            text.push('%');
            text.push_str(part);
        }
        match (loc.association, loc.root) {
            (true, _) => format!("the association of {text}"),
            (false, Root::Variable) => text,
            (false, Root::Heap(_) | Root::Outside) => format!("the target of {text}"),
        }
    }
}

/// A component path without parent components: `o%t%v` is `o%v`, one memory under two names.
pub fn canonical(program: &Program, sym: SymId, path: &[Name]) -> Vec<Name> {
    let mut out = Vec::new();
    let mut at = program.var(sym);
    for name in path {
        let ty = at.and_then(|v| v.ty.derived());
        if !ty.is_some_and(|t| program.is_parent_component(t, name)) {
            out.push(name.clone());
        }
        at = ty.and_then(|t| program.component(t, name));
    }
    out
}

/// `object%name`, where `object` may be a parent component: what it holds is named without it.
pub fn component(program: &Program, object: &Expr, name: &Name, ty: Ty, rank: u8) -> Expr {
    let mut object = object.clone();
    if let ExprKind::Var(d) = &mut object.kind {
        drop_parent(program, d);
    }
    object.component(name, ty, rank)
}

/// Leaves out the parent component that a reference ends in.
pub fn drop_parent(program: &Program, d: &mut Designator) {
    if matches!(d.parts.last(), Some(Part::Component(_))) {
        let path = d.path();
        if canonical(program, d.sym, &path).len() < path.len() {
            d.parts.pop();
        }
    }
}

fn is_common(program: &Program, scope: ScopeId) -> bool {
    match program[scope].kind {
        ScopeKind::Module(m) => matches!(program[m].kind, ModuleKind::Common { .. }),
        ScopeKind::Procedure(_) | ScopeKind::Inner | ScopeKind::Global => false,
    }
}

/// The declaration at the end of a component path.
pub fn resolve<'p>(program: &'p Program, sym: SymId, path: &[Name]) -> Option<&'p Variable> {
    let mut var = program.var(sym)?;
    for name in path {
        var = program.component(var.ty.derived()?, name)?;
    }
    Some(var)
}

/// True for an allocatable object, a component of an array's element among them.
pub fn is_allocatable(program: &Program, e: &Expr) -> bool {
    e.as_var().is_some_and(|d| {
        let part = matches!(d.parts.last(), Some(Part::Subscripts(_) | Part::Substring(..)));
        !part && resolve(program, d.sym, &d.path()).is_some_and(|v| v.attrs.allocatable)
    })
}

/// True when assigning to the designator replaces the whole of every leaf it touches.
pub fn is_whole(program: &Program, d: &Designator) -> bool {
    if d.parts.iter().any(|p| !matches!(p, Part::Component(_))) {
        return false;
    }
    // A component of an array of derived type is whole too when no subscript selects elements: `c%rho = 0`.
    resolve(program, d.sym, &d.path()).is_some()
}

/// True for a variable that lives longer than a call of a procedure or is seen by others: a module's, saved, in common.
pub fn is_global(program: &Program, sym: SymId) -> bool {
    match program[program[sym].scope].kind {
        ScopeKind::Module(_) | ScopeKind::Global => true,
        ScopeKind::Procedure(_) | ScopeKind::Inner => false,
    }
}

/// Every symbol that an expression mentions: variables, and functions it calls aside.
pub fn symbols(e: &Expr) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_expr(e, &mut |x| {
        if let ExprKind::Var(d) = &x.kind {
            out.insert(d.sym);
        }
    });
    out
}

/// What a leaf is of the object that it is found in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A value.
    Value,
    /// The association of a pointer, or what extensions add to an object.
    Part,
}

/// All leaves under a location.
pub(super) fn leaves_below(program: &Program, object: Loc) -> Vec<(Loc, Leaf)> {
    let mut path = object.path.clone();
    // What has no such component is touched as a whole.
    while !path.is_empty() && resolve(program, object.sym, &path).is_none() {
        path.pop();
    }
    let mut out = Vec::new();
    if let Some(var) = resolve(program, object.sym, &path) {
        let path = canonical(program, object.sym, &path);
        collect_leaves(program, Loc { path, ..object }, var, &mut out);
    }
    out
}

fn collect_leaves(program: &Program, place: Loc, var: &Variable, out: &mut Vec<(Loc, Leaf)>) {
    // A component that is allocatable and of one's own type would never end: below eight levels it counts as one leaf.
    let inner = var.ty.derived().filter(|t| place.path.len() < 8 && program[*t].derived().is_some());
    let Some(ty) = inner else {
        out.push((place, Leaf::Value));
        return;
    };
    if matches!(var.ty.base, Base::Class(t) if extended(program, t)) {
        // What extensions add to it.
        out.push((place.clone(), Leaf::Part));
    }
    for c in all_components(program, ty) {
        let path = place.path.iter().chain([&c.name]).cloned().collect();
        let part = Loc { path, ..place.clone() };
        if c.var.attrs.pointer {
            out.push((Loc { association: true, ..part }, Leaf::Part));
        } else {
            collect_leaves(program, part, &c.var, out);
        }
    }
}
