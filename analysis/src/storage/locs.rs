//! Leaves of storage by name: variables, down to the leaf components of derived types.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{Base, Designator, ModuleKind, Name, Program, ScopeId, ScopeKind, SymId, Variable};
use indexmap::IndexSet;

use super::layout::associations;
use super::loc::{Leaf, Loc, LocId, Root, leaves_below, resolve};
use super::targets::{Targets, shortened};

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

fn is_common(program: &Program, scope: ScopeId) -> bool {
    match program[scope].kind {
        ScopeKind::Module(m) => matches!(program[m].kind, ModuleKind::Common { .. }),
        ScopeKind::Procedure(_) | ScopeKind::Inner | ScopeKind::Global => false,
    }
}
