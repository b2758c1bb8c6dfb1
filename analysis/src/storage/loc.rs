//! Places in storage by name, and what of a program stands for them.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Base, Designator, Expr, ExprKind, Name, Part, Program, ScopeKind, StmtId, SymId, Ty, Variable, for_each_expr,
};

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

/// True when an expression mentions a variable that `is` one of some kind.
pub fn any_symbol(e: &Expr, mut is: impl FnMut(SymId) -> bool) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| {
        if let ExprKind::Var(d) = &x.kind {
            found = found || is(d.sym);
        }
    });
    found
}

/// True when an expression mentions a variable.
pub fn has_symbol(e: &Expr, sym: SymId) -> bool {
    any_symbol(e, |x| x == sym)
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
