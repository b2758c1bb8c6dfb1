//! What pointers point to: an inclusion-based points-to analysis that heeds components but not the order of statements
//! (Andersen 1994), over all procedures that are reached.
//!
//! A pointer's association is a location of its own. What it may hold are objects: variables and components with the
//! `target` attribute, the memory of an `allocate` statement, and memory of a type that comes from outside. A reference
//! through the pointer touches these objects, so that two references touch the same memory where their objects meet.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Callee, Designator, Expr, ExprKind, Name, ProcId, ProcKind, Program, Stmt, StmtKind, SymId, Ty,
    Variable, for_each_expr, for_each_stmt,
};

use super::loc::{Loc, LocSet, Root, leaves_below, resolve};
use super::locs::Locs;
use super::targets::{Targets, compatible, of_type};
use super::types::holds_pointers;
use crate::callgraph::Bodies;
use crate::calls::{bind, target};

/// A reference by its variable and components.
pub(super) type Place = (SymId, Vec<Name>);

/// What a statement or a call does to associations.
#[derive(Clone, Debug)]
enum Fact {
    /// A pointer is associated with what a reference means.
    Points(Place, Place),
    /// A pointer gets memory.
    Allocates(Place, costate_grammar::ir::StmtId),
    /// The pointer components of a derived type go from one variable to another.
    Copies { to: Place, from: Place },
    /// A pointer may point to any of these, and outside.
    Unknown(Place, Vec<Place>),
}

/// Collects the facts of all procedures.
struct Collector<'a> {
    program: &'a Program,
    facts: Vec<Fact>,
    /// Actual arguments of target dummies; `None` where one isn't a variable.
    actuals: BTreeMap<SymId, Vec<Option<Place>>>,
    /// What `c_loc` is asked for.
    addressed: Vec<Place>,
}

fn place(d: &Designator) -> Place {
    (d.sym, d.path())
}

fn below(p: &Place, name: &Name) -> Place {
    (p.0, [p.1.as_slice(), std::slice::from_ref(name)].concat())
}

impl Collector<'_> {
    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::PointerAssign { lhs, rhs } => self.associate(lhs, rhs),
            StmtKind::Assign { lhs, rhs } => self.assign(lhs, rhs),
            StmtKind::Allocate { items, options, .. } => {
                for item in items {
                    let Some(d) = item.object.as_var() else { continue };
                    if self.is_pointer(&place(d)) {
                        self.facts.push(Fact::Allocates(place(d), s.id));
                    }
                    for (_, e) in options.iter().filter(|(n, _)| n.as_str() == "source") {
                        self.assign(&item.object, e);
                    }
                }
            }
            StmtKind::Call { callee, args } => self.call(callee, args),
            _ => {}
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Call { callee, args } = &x.kind {
                    self.call(callee, args);
                }
            });
        }
    }

    fn variable(&self, p: &Place) -> Option<&Variable> {
        resolve(self.program, p.0, &p.1)
    }

    fn is_pointer(&self, p: &Place) -> bool {
        self.variable(p).is_some_and(|v| v.attrs.pointer)
    }

    /// True for what holds pointers among its components.
    fn holds_pointers(&self, p: &Place) -> bool {
        self.variable(p).is_some_and(|v| holds_pointers(self.program, v.ty))
    }

    fn associate(&mut self, lhs: &Expr, rhs: &Expr) {
        let Some(to) = lhs.as_var().map(place) else { return };
        match &rhs.unparen().kind {
            ExprKind::Var(d) => self.facts.push(Fact::Points(to, place(d))),
            ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Null), .. } => {}
            ExprKind::Call { callee, .. } => match self.result(callee) {
                Some(r) => self.facts.push(Fact::Points(to, (r, Vec::new()))),
                None => self.facts.push(Fact::Unknown(to, Vec::new())),
            },
            _ => self.facts.push(Fact::Unknown(to, Vec::new())),
        }
    }

    fn result(&self, callee: &Callee) -> Option<SymId> {
        match self.program[target(self.program, callee)?].kind {
            ProcKind::Function(r) => Some(r),
            ProcKind::Subroutine | ProcKind::Program => None,
        }
    }

    /// An assignment copies the associations of components.
    fn assign(&mut self, lhs: &Expr, rhs: &Expr) {
        let Some(to) = lhs.as_var().map(place).filter(|p| self.holds_pointers(p)) else { return };
        match &rhs.unparen().kind {
            ExprKind::Var(d) => self.facts.push(Fact::Copies { to, from: place(d) }),
            ExprKind::StructCtor { ty, args } => self.construct(&to, *ty, args),
            ExprKind::Call { callee, .. } => match self.result(callee) {
                Some(r) => self.facts.push(Fact::Copies { to, from: (r, Vec::new()) }),
                None => self.facts.push(Fact::Unknown(to, variables(rhs))),
            },
            _ => self.facts.push(Fact::Unknown(to, variables(rhs))),
        }
    }

    fn construct(&mut self, to: &Place, ty: SymId, args: &[Arg]) {
        let mut names: Vec<Name> = Vec::new();
        let mut at = Some(ty);
        while let Some(derived) = at.and_then(|t| self.program[t].derived()) {
            names.splice(0..0, derived.components.iter().map(|c| c.name.clone()));
            at = derived.extends;
        }
        for (i, a) in args.iter().enumerate() {
            let Some(name) = a.keyword.clone().or_else(|| names.get(i).cloned()) else { continue };
            let part = below(to, &name);
            let null = matches!(a.value.kind, ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Null), .. });
            if self.is_pointer(&part) {
                match a.value.unparen().as_var() {
                    Some(d) => self.facts.push(Fact::Points(part, place(d))),
                    None if null => {}
                    None => self.facts.push(Fact::Unknown(part, variables(&a.value))),
                }
            } else if let (Some(v), Some(d)) = (self.variable(&part), a.value.unparen().as_var())
                && holds_pointers(self.program, v.ty)
            {
                self.facts.push(Fact::Copies { to: part, from: place(d) });
            } else if let ExprKind::StructCtor { ty, args } = &a.value.unparen().kind {
                self.construct(&part, *ty, args);
            } else if self.holds_pointers(&part) {
                self.facts.push(Fact::Unknown(part, variables(&a.value)));
            }
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Arg]) {
        if let Callee::Intrinsic(f) = callee {
            return self.intrinsic(*f, args);
        }
        let Some(proc) = target(self.program, callee) else { return self.unknown(callee, args) };
        let p = &self.program[proc];
        for (&dummy, actual) in p.dummies.iter().zip(bind(self.program, p, args)) {
            let Some(v) = self.program.var(dummy) else { continue };
            let actual = actual.map(|e| e.unparen().as_var().map(place));
            if v.attrs.target
                && let Some(actual) = &actual
            {
                self.actuals.entry(dummy).or_default().push(actual.clone());
            }
            let Some(Some(actual)) = actual else { continue };
            let own: Place = (dummy, Vec::new());
            if v.attrs.pointer {
                self.facts.push(Fact::Points(own.clone(), actual.clone()));
                if self.is_pointer(&actual) {
                    self.facts.push(Fact::Points(actual, own));
                }
            } else if holds_pointers(self.program, v.ty) {
                self.facts.push(Fact::Copies { to: own.clone(), from: actual.clone() });
                self.facts.push(Fact::Copies { to: actual, from: own });
            }
        }
    }

    fn intrinsic(&mut self, f: Intrinsic, args: &[Arg]) {
        let places: Vec<Place> = args.iter().filter_map(|a| a.value.as_var().map(place)).collect();
        match (f, places.as_slice()) {
            (Intrinsic::CLoc, _) => self.addressed.extend(places),
            (Intrinsic::MoveAlloc, [from, to, ..]) if self.holds_pointers(to) => {
                self.facts.push(Fact::Copies { to: to.clone(), from: from.clone() });
            }
            _ => {}
        }
    }

    /// What isn't understood may associate each of its arguments with another.
    fn unknown(&mut self, callee: &Callee, args: &[Arg]) {
        let named = |name: &str| match callee {
            Callee::Proc { sym, .. } => self.program[*sym].name.as_str() == name,
            Callee::Bound { .. } | Callee::Intrinsic(_) => false,
        };
        if named("c_loc") {
            let found: Vec<Place> = args.iter().filter_map(|a| a.value.as_var().map(place)).collect();
            return self.addressed.extend(found);
        }
        let all: Vec<Place> = args.iter().flat_map(|a| variables(&a.value)).collect();
        for a in args {
            let Some(p) = a.value.as_var().map(place) else { continue };
            if self.is_pointer(&p) || self.holds_pointers(&p) {
                self.facts.push(Fact::Unknown(p, all.clone()));
            }
        }
    }
}

fn variables(e: &Expr) -> Vec<Place> {
    let mut out = Vec::new();
    for_each_expr(e, &mut |x| out.extend(x.as_var().map(place)));
    out
}

impl Locs {
    /// Finds what pointers point to, from all bodies. `heads` are called from outside; `exposed` are associations from
    /// before they are called that are seen by them.
    pub fn find_targets(&mut self, program: &Program, bodies: &Bodies, heads: &[ProcId], exposed: &BTreeSet<Loc>) {
        self.targets = Targets::default();
        let (facts, actuals, addressed) = (Vec::new(), BTreeMap::new(), Vec::new());
        let mut found = Collector { program, facts, actuals, addressed };
        bodies.values().for_each(|b| for_each_stmt(b, &mut |s| found.statement(s)));
        self.targets.visible = visible(program, heads);
        for cell in exposed {
            let Some(v) = resolve(program, cell.sym, &cell.path) else { continue };
            self.add_outside(program, cell, v.ty);
        }
        loop {
            let before = self.targets.clone();
            for cell in exposed {
                let Some(v) = resolve(program, cell.sym, &cell.path) else { continue };
                let objects = self.targets.outside_of(program, v.ty);
                self.learn(cell.clone(), objects);
            }
            found.facts.iter().for_each(|f| self.apply(program, f, &found.addressed));
            self.find_escaping(program, &found.actuals, heads);
            if self.targets == before {
                return;
            }
        }
    }

    fn add_outside(&mut self, program: &Program, cell: &Loc, ty: Ty) {
        if !self.targets.outside.iter().any(|(t, _)| compatible(program, *t, ty)) {
            let memory = Loc { root: Root::Outside, association: false, ..cell.clone() };
            self.targets.outside.push((ty, memory));
        }
        // Memory from outside may hold pointers.
        let mut at = ty.derived();
        while let Some(derived) = at.and_then(|t| program[t].derived()) {
            for c in &derived.components {
                let known = |(t, _): &(Ty, Loc)| compatible(program, *t, c.var.ty);
                if c.var.attrs.pointer && !self.targets.outside.iter().any(known) {
                    let path = [cell.path.as_slice(), std::slice::from_ref(&c.name)].concat();
                    self.add_outside(program, &Loc { path, ..cell.clone() }, c.var.ty);
                }
            }
            at = derived.extends;
        }
    }

    fn learn(&mut self, cell: Loc, objects: Vec<Loc>) {
        let list = self.targets.known.entry(cell).or_default();
        for o in objects {
            if !list.contains(&o) {
                list.push(o);
            }
        }
    }

    fn apply(&mut self, program: &Program, fact: &Fact, addressed: &[Place]) {
        match fact {
            Fact::Points(to, from) => {
                let way = self.way(program, from.0, &from.1);
                // A pointer that is associated with nothing known gives nothing.
                let objects: Vec<Loc> = match way.last.as_slice() {
                    [] => way.objects,
                    cells => cells.iter().flat_map(|c| self.known(program, c)).collect(),
                };
                for cell in self.way(program, to.0, &to.1).last {
                    self.learn(cell, objects.clone());
                }
            }
            Fact::Allocates(to, id) => {
                let memory = Loc { sym: to.0, path: to.1.clone(), root: Root::Heap(*id), association: false };
                for cell in self.way(program, to.0, &to.1).last {
                    self.learn(cell, vec![memory.clone()]);
                }
            }
            Fact::Copies { to, from } => {
                let Some(v) = resolve(program, to.0, &to.1) else { return };
                for path in pointer_paths(program, v.ty) {
                    let longer = |p: &Place| (p.0, [p.1.as_slice(), &path].concat());
                    self.apply(program, &Fact::Points(longer(to), longer(from)), addressed);
                }
            }
            Fact::Unknown(to, others) => {
                let Some(v) = resolve(program, to.0, &to.1) else { return };
                let own = v.attrs.pointer.then(Vec::new);
                for path in own.into_iter().chain(pointer_paths(program, v.ty)) {
                    let longer = [to.1.as_slice(), &path].concat();
                    self.learn_anything(program, &(to.0, longer), others, addressed);
                }
            }
        }
    }

    /// A pointer may point to any of some variables, to what `c_loc` is asked for, and outside.
    fn learn_anything(&mut self, program: &Program, to: &Place, others: &[Place], addressed: &[Place]) {
        let Some(ty) = resolve(program, to.0, &to.1).map(|v| v.ty) else { return };
        let mut objects = Vec::new();
        for p in others {
            let Some(v) = resolve(program, p.0, &p.1) else { continue };
            for o in self.way(program, p.0, &p.1).objects {
                of_type(program, o, v, ty, &mut objects);
            }
        }
        // An address has no type.
        objects.extend(addressed.iter().flat_map(|p| self.way(program, p.0, &p.1).objects));
        for cell in self.way(program, to.0, &to.1).last {
            self.add_outside(program, &cell, ty);
            let outside = self.targets.outside_of(program, ty);
            self.learn(cell, [objects.clone(), outside].concat());
        }
    }

    /// What an association is known to hold.
    fn known(&self, program: &Program, cell: &Loc) -> Vec<Loc> {
        let own = Loc { association: false, ..cell.clone() };
        let Some(v) = resolve(program, cell.sym, &cell.path) else { return Vec::new() };
        self.targets.of(program, cell, v).into_iter().filter(|o| *o != own).collect()
    }
}

/// The paths of all pointers among the components of a type, not below other pointers.
pub fn pointer_paths(program: &Program, ty: Ty) -> Vec<Vec<Name>> {
    pointers_below(program, ty, 0)
}

fn pointers_below(program: &Program, ty: Ty, depth: usize) -> Vec<Vec<Name>> {
    let Some(derived) = ty.derived().filter(|_| depth < 8).and_then(|t| program[t].derived()) else {
        return Vec::new();
    };
    let mut out =
        derived.extends.map_or(Vec::new(), |t| pointers_below(program, Ty::new(Base::Derived(t), 0), depth + 1));
    for c in &derived.components {
        if c.var.attrs.pointer {
            out.push(vec![c.name.clone()]);
        } else {
            let inner = pointers_below(program, c.var.ty, depth + 1);
            out.extend(inner.into_iter().map(|p| [std::slice::from_ref(&c.name), &p].concat()));
        }
    }
    out
}

/// Targets that procedures outside of what is read can reach: of modules, and dummies of heads.
fn visible(program: &Program, heads: &[ProcId]) -> Vec<SymId> {
    let mut out: Vec<SymId> = Vec::new();
    for (_, m) in program.modules() {
        let own = program[m.scope].names.values().copied().filter(|s| program[*s].scope == m.scope);
        out.extend(own);
    }
    out.extend(heads.iter().flat_map(|h| &program[*h].dummies));
    out.retain(|s| program.var(*s).is_some_and(|v| v.attrs.target && !v.attrs.parameter));
    out
}

/// Paths of what can be assigned as values below a type, not through pointers; the flag tells of a pointer.
fn paths_below(program: &Program, ty: Ty, depth: usize) -> Vec<(Vec<Name>, bool)> {
    let Some(derived) = ty.derived().filter(|_| depth < 8).and_then(|t| program[t].derived()) else {
        return vec![(Vec::new(), false)];
    };
    let mut out = derived.extends.map_or(Vec::new(), |t| paths_below(program, Ty::new(Base::Derived(t), 0), depth + 1));
    for c in &derived.components {
        if c.var.attrs.pointer {
            out.push((vec![c.name.clone()], true));
        } else {
            let inner = paths_below(program, c.var.ty, depth + 1);
            out.extend(inner.into_iter().map(|(p, a)| ([std::slice::from_ref(&c.name), &p].concat(), a)));
        }
    }
    out
}

/// The components of a type that hold values, as paths: none below a pointer.
pub fn value_paths(program: &Program, ty: Ty) -> Vec<Vec<Name>> {
    paths_below(program, ty, 0).into_iter().filter(|(_, pointer)| !pointer).map(|(p, _)| p).collect()
}

impl Locs {
    /// Everything that has a derivative when a set of locations has, because a pointer may point to both: the pointers'
    /// associations among it.
    pub fn connected(&mut self, program: &Program, set: &LocSet) -> LocSet {
        // Most of these locations nobody has mentioned: as handles they would be pointers to follow in their turn.
        let alternatives = self.alternatives(program);
        let mut out = LocSet::new();
        loop {
            let before = out.len();
            for (cell, lists) in &alternatives {
                for parts in lists {
                    let derived = |l: &Loc| self.seen(l).is_some_and(|id| set.contains(&id) || out.contains(&id));
                    if parts.iter().any(derived) {
                        out.extend(parts.iter().chain([cell]).map(|l| self.id(l.clone())));
                    }
                }
            }
            if out.len() == before {
                return out;
            }
        }
    }

    /// For every pointer its association, and for every component below it what that is of the objects it may point to.
    fn alternatives(&self, program: &Program) -> Vec<(Loc, Vec<Vec<Loc>>)> {
        let mut out = Vec::new();
        for cell in self.cells() {
            let Some(v) = resolve(program, cell.sym, &cell.path) else { continue };
            let objects = self.targets.of(program, &cell, v);
            let lists = paths_below(program, v.ty, 0)
                .into_iter()
                .map(|(path, pointer)| objects.iter().flat_map(|o| part(program, o, &path, pointer)).collect());
            out.push((cell, lists.collect()));
        }
        out
    }

    /// All associations that are known.
    fn cells(&self) -> Vec<Loc> {
        let named = self.targets.known.keys().cloned();
        let seen = self.all().filter(|l| l.association).cloned();
        let mut out: Vec<Loc> = named.chain(seen).collect();
        out.sort();
        out.dedup();
        out
    }
}

/// The component of an object, or the leaves under it.
fn part(program: &Program, o: &Loc, path: &[Name], pointer: bool) -> Vec<Loc> {
    let place = Loc { path: [o.path.as_slice(), path].concat(), ..o.clone() };
    if pointer {
        return vec![Loc { association: true, ..place }];
    }
    leaves_below(program, place).into_iter().map(|(l, _)| l).collect()
}
