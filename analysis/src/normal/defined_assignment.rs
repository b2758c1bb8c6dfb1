//! An assignment of objects with components whose type has an assignment of its own, by a binding `assignment(=)`: Fortran
//! calls that for these components (Fortran 2018, 10.2.1.3), which becomes visible here.

use costate_grammar::ir::{Arg, Callee, Expr, Name, Program, ScopeId, StmtKind, SymId, SymbolKind};

/// The highest rank of an array (Fortran 2008, 5.3.8.1).
const MAX_RANK: u8 = 15;

fn key() -> Name {
    Name::new("assignment(=)")
}

/// Whether a type has an assignment of its own.
pub(super) fn is_defined(program: &Program, ty: SymId) -> bool {
    program.binding(ty, &key()).is_some()
}

/// Whether a type has components, at any depth, whose type has an assignment of its own.
pub(super) fn by_parts(program: &Program, ty: SymId) -> bool {
    fn parts(program: &Program, ty: SymId, depth: u8) -> bool {
        let Some(derived) = program[ty].derived().filter(|_| depth < 8) else { return false };
        let part = |t: SymId| is_defined(program, t) || parts(program, t, depth + 1);
        let by_value = derived.components.iter().filter(|c| !c.var.attrs.pointer);
        by_value.filter_map(|c| c.var.ty.derived()).any(part)
            || derived.extends.is_some_and(|t| parts(program, t, depth + 1))
    }
    parts(program, ty, 0)
}

/// The call that assigns a component whose type has an assignment of its own. `None` where none of its procedures, or more
/// than one, takes the component: such a component is assigned in the ordinary way, or it isn't known which.
pub(super) fn call(program: &Program, to: &Expr, from: &Expr) -> Option<StmtKind> {
    let ty = to.ty.derived()?;
    let mut fitting = specifics(program, ty)?.into_iter().filter(|s| takes(program, *s, ty, to.rank));
    let (Some(sym), None) = (fitting.next(), fitting.next()) else { return None };
    let callee = Callee::Proc { sym, generic: None, operator: Some("=".to_string()) };
    Some(StmtKind::Call { callee, args: vec![Arg::new(to.clone()), Arg::new(from.clone())] })
}

/// The procedures behind the binding; `None` if one isn't known.
fn specifics(program: &Program, ty: SymId) -> Option<Vec<SymId>> {
    program.specific_bindings(ty, &key()).into_iter().map(|(owner, b)| program.bound_procedure(owner, b)).collect()
}

/// Whether a procedure assigns an object of a type to another one.
fn takes(program: &Program, proc: SymId, ty: SymId, rank: u8) -> bool {
    let Some(definition) = program[proc].procedure().and_then(|p| p.definition.or(p.interface)) else { return false };
    let proc = &program[definition];
    let fits = |d: &SymId| {
        program.var(*d).is_some_and(|v| {
            let same = v.ty.derived().is_some_and(|of| program.extends(ty, of));
            same && (v.rank() == rank || proc.prefix.elemental)
        })
    };
    proc.dummies.len() == 2 && proc.dummies.iter().all(fits)
}

/// Whether `=` between two objects of a type means in a scope what Fortran itself defines, component by component: the
/// type has no binding for it, no component's type has, and no interface that the scope sees takes such objects.
pub fn is_intrinsic(program: &Program, scope: ScopeId, ty: SymId) -> bool {
    let interface = program.lookup(scope, &key()).map(|s| &program[s].kind);
    let specifics = match interface {
        Some(SymbolKind::Generic(g)) => g.specifics.as_slice(),
        _ => &[],
    };
    let taken = specifics.iter().any(|s| (0..=MAX_RANK).any(|rank| takes(program, *s, ty, rank)));
    !(taken || is_defined(program, ty) || by_parts(program, ty))
}
