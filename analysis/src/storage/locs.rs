//! Leaves of storage by name: variables, down to the leaf components of derived types.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Base, Component, Designator, Expr, ExprKind, Name, Part, Program, ScopeKind, SymId, Variable, for_each_expr,
};
use indexmap::IndexSet;

/// A leaf of storage: a variable of intrinsic type, or a component path of a variable that ends in one. Array elements
/// aren't told apart.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc {
    /// The variable.
    pub sym: SymId,
    /// Components on the way.
    pub path: Vec<Name>,
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

    /// All leaves under a variable and component path.
    pub fn leaves(&mut self, program: &Program, sym: SymId, path: &[Name]) -> Vec<LocId> {
        let mut out = Vec::new();
        // `z%re` names no component of a type: the reference touches the whole of `z`.
        let mut path = path.to_vec();
        while !path.is_empty() && resolve(program, sym, &path).is_none() {
            path.pop();
        }
        if let Some(var) = resolve(program, sym, &path) {
            self.collect(program, sym, &mut path, var, &mut out);
        }
        out
    }

    fn collect(&mut self, program: &Program, sym: SymId, path: &mut Vec<Name>, var: &Variable, out: &mut Vec<LocId>) {
        // A pointer to one's own type would never end: below eight levels a component counts as one leaf.
        let inner = var.ty.derived().filter(|_| path.len() < 8).and_then(|t| program[t].derived().map(|d| (t, d)));
        let Some((_, derived)) = inner else {
            out.push(self.id(Loc { sym, path: path.clone() }));
            return;
        };
        if matches!(var.ty.base, Base::Class(t) if extended(program, t)) {
            // What extensions add to it.
            out.push(self.id(Loc { sym, path: path.clone() }));
        }
        // Inherited components come first, those of the oldest ancestor before all others.
        let mut components: Vec<&Component> = derived.components.iter().collect();
        let mut parent = derived.extends;
        while let Some(base) = parent.and_then(|p| program[p].derived()) {
            components.splice(0..0, &base.components);
            parent = base.extends;
        }
        for c in components {
            path.push(c.name.clone());
            self.collect(program, sym, path, &c.var, out);
            path.pop();
        }
    }

    /// The leaves a designator touches.
    pub fn of(&mut self, program: &Program, d: &Designator) -> Vec<LocId> {
        self.leaves(program, d.sym, &d.path())
    }

    /// The declaration of a leaf.
    pub fn variable<'p>(&self, program: &'p Program, id: LocId) -> Option<&'p Variable> {
        let loc = self.get(id);
        resolve(program, loc.sym, &loc.path)
    }

    /// True for a leaf of real or complex type.
    pub fn is_continuous(&self, program: &Program, id: LocId) -> bool {
        // What is of any type, or isn't followed down to its components, may be real.
        self.variable(program, id).is_some_and(|v| {
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
        text
    }
}

/// True for a type that another one extends.
fn extended(program: &Program, ty: SymId) -> bool {
    program.symbols.iter().any(|s| s.derived().is_some_and(|d| d.extends == Some(ty)))
}

/// The declaration at the end of a component path.
pub fn resolve<'p>(program: &'p Program, sym: SymId, path: &[Name]) -> Option<&'p Variable> {
    let mut var = program.var(sym)?;
    for name in path {
        var = program.component(var.ty.derived()?, name)?;
    }
    Some(var)
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
