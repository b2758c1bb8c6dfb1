//! Pointer components that are used like allocatable ones: nothing but `allocate` gives them memory.
//!
//! A program that gets such objects from outside, or allocates them, passes their components to procedures side by side.
//! Two of them share no memory as long as no statement makes one lead where another does.

use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, Name, Part, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::{Effects, bind, target};
use crate::storage::{Overlap, holds_pointers, overlap_by_parts};

/// A component: the type that declares it and its name.
type Component = (SymId, Name);

impl Effects {
    /// True when two references to one variable differ before they go through pointer components, and nothing but
    /// `allocate` in the whole program, or somebody outside, associates these.
    pub(super) fn have_own_memory(&self, program: &Program, a: &Designator, b: &Designator) -> bool {
        if a.sym != b.sym || overlap_by_parts(a, b) != Overlap::Apart || self.calls_unknown(program) {
            return false;
        }
        let same = a.parts.iter().zip(&b.parts).take_while(|(p, q)| p == q).count();
        let by_elements = matches!(a.parts.get(same), Some(Part::Subscripts(_)));
        let (x, y) = (pointers_from(program, a, same), pointers_from(program, b, same));
        if x.is_empty() || y.is_empty() {
            return false;
        }
        let all: Vec<Component> = x.into_iter().chain(y).collect();
        let initial = |(ty, name): &Component| program.component(*ty, name).and_then(|v| v.init.clone());
        if all.iter().filter_map(initial).any(|e| !e.is_null()) {
            return false;
        }
        !self.bodies.values().any(|body| {
            let mut found = false;
            for_each_stmt(body, &mut |s| found |= associates(program, s, &all, by_elements));
            found
        })
    }
}

/// The pointer components that a reference goes through, from one of its parts on.
fn pointers_from(program: &Program, d: &Designator, part: usize) -> Vec<Component> {
    let mut var = program.var(d.sym);
    let mut out = Vec::new();
    for (k, p) in d.parts.iter().enumerate() {
        let Part::Component(name) = p else { continue };
        let ty = var.and_then(|v| v.ty.derived());
        var = ty.and_then(|t| program.component(t, name));
        if let (Some(ty), Some(v)) = (ty, var)
            && v.attrs.pointer
            && k >= part
        {
            out.push((owner(program, ty, name), name.clone()));
        }
    }
    out
}

/// The type that declares a component, which others may inherit.
fn owner(program: &Program, ty: SymId, name: &Name) -> SymId {
    let mut at = ty;
    while let Some(derived) = program[at].derived() {
        match derived.extends {
            Some(parent) if !derived.components.iter().any(|c| c.name == *name) => at = parent,
            _ => break,
        }
    }
    at
}

/// True when a statement may associate one of some components otherwise than by `allocate`; copies of whole objects matter
/// where components of two elements are compared.
fn associates(program: &Program, s: &Stmt, of: &[Component], copies: bool) -> bool {
    let ends_in = |e: &Expr| {
        let Some(d) = e.unparen().as_var() else { return false };
        let last = d.parts.iter().rposition(|p| matches!(p, Part::Component(_)));
        last.is_some_and(|k| pointers_from(program, d, k).iter().any(|c| of.contains(c)))
    };
    let passed = |callee: &Callee, args: &[Arg]| match target(program, callee) {
        Some(p) => program[p].dummies.iter().zip(bind(program, &program[p], args)).any(|(dummy, actual)| {
            let pointer = program.var(*dummy).is_none_or(|v| v.attrs.pointer);
            pointer && actual.is_some_and(ends_in)
        }),
        None => match callee {
            Callee::Intrinsic(_) => false,
            Callee::Proc { .. } | Callee::Bound { .. } => args.iter().any(|a| ends_in(&a.value)),
        },
    };
    let mut found = match &s.kind {
        StmtKind::PointerAssign { lhs, .. } => ends_in(lhs),
        StmtKind::Assign { lhs, .. } => copies && holds_pointers(program, lhs.ty),
        StmtKind::Call { callee, args } => passed(callee, args),
        _ => false,
    };
    for e in s.exprs() {
        for_each_expr(e, &mut |x| match &x.kind {
            ExprKind::Call { callee, args } => found |= passed(callee, args),
            // What it gives to a pointer may be given to another one.
            ExprKind::StructCtor { .. } => found |= holds_pointers(program, x.ty),
            _ => {}
        });
    }
    found
}
