//! What objects of a type hold.

use costate_grammar::ir::{Base, Component, Program, SymId, Ty};

/// The components of a type, those that it inherits first.
pub fn all_components(program: &Program, ty: SymId) -> Vec<&Component> {
    let Some(derived) = program[ty].derived() else { return Vec::new() };
    let mut out = derived.extends.map_or_else(Vec::new, |base| all_components(program, base));
    out.extend(&derived.components);
    out
}

/// Whether a type of the program extends a type.
pub fn extended(program: &Program, ty: SymId) -> bool {
    program.symbols.iter().any(|s| s.derived().is_some_and(|d| d.extends == Some(ty)))
}

/// The types that extend a type, by way of others too.
pub fn extensions(program: &Program, ty: SymId) -> Vec<SymId> {
    let mut out = vec![ty];
    let mut next = 0;
    while let Some(&parent) = out.get(next) {
        let of = |s: &SymId| program[*s].derived().is_some_and(|d| d.extends == Some(parent));
        let found: Vec<SymId> = (0..program.symbols.len()).map(SymId::new).filter(of).collect();
        out.extend(found.into_iter().filter(|s| !out.contains(s)).collect::<Vec<_>>());
        next += 1;
    }
    out.remove(0);
    out
}

/// True for a type with allocatable components at any depth.
pub fn holds_allocatables(program: &Program, ty: Ty) -> bool {
    ty.derived().is_some_and(|t| {
        let own =
            |c: &&Component| c.var.attrs.allocatable || !c.var.attrs.pointer && holds_allocatables(program, c.var.ty);
        all_components(program, t).iter().any(own)
    })
}

/// True for a type with pointer components at any depth.
pub fn holds_pointers(program: &Program, ty: Ty) -> bool {
    holds(program, ty, 0)
}

fn holds(program: &Program, ty: Ty, depth: usize) -> bool {
    let Some(derived) = ty.derived().filter(|_| depth < 8).and_then(|t| program[t].derived()) else { return false };
    derived.extends.is_some_and(|t| holds(program, Ty::new(Base::Derived(t), 0), depth + 1))
        || derived.components.iter().any(|c| c.var.attrs.pointer || holds(program, c.var.ty, depth + 1))
}

/// True for a type with allocatable components or pointers at any depth.
pub fn holds_memory(program: &Program, ty: Ty) -> bool {
    holds_allocatables(program, ty) || holds_pointers(program, ty)
}
