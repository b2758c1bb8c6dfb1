//! The order of declarations: as in the scope, but each entity after those that its declaration uses.

use std::collections::BTreeSet;

use crate::ir::{
    Callee, CtorItem, DerivedType, Dim, Expr, ExprKind, KindSuffix, ProcInfo, Program, ScopeId, ScopeKind, SymId,
    SymbolKind, Variable, for_each_expr,
};

/// The scope's own symbols in an order in which they can be declared.
pub(super) fn symbols(program: &Program, scope: ScopeId) -> Vec<SymId> {
    let mut sorter = Sorter { program, scope, seen: BTreeSet::new(), out: Vec::new() };
    for &sym in program[scope].names.values() {
        sorter.visit(sym);
    }
    sorter.out
}

/// The symbols that a declaration refers to, in order of appearance.
pub(in crate::print) fn dependencies(program: &Program, sym: SymId) -> Vec<SymId> {
    let mut out = Vec::new();
    match &program[sym].kind {
        SymbolKind::Variable(v) => of_variable(v, &mut out),
        SymbolKind::Procedure(info) => of_procedure(program, sym, info, &mut out),
        SymbolKind::Type(derived) => of_type(derived, &mut out),
        SymbolKind::Generic(generic) => out.extend(generic.derived.iter().chain(&generic.specifics)),
        SymbolKind::Other(_) => {}
    }
    out
}

/// True for an entity that is there with OpenMP only: it belongs to a module that is used on conditional lines, is declared in
/// a module on such lines, or its declaration needs one that is.
pub(in crate::print) fn needs_openmp(program: &Program, sym: SymId) -> bool {
    if !program.has_conditional_lines {
        return false;
    }
    let (mut seen, mut next) = (vec![sym], 0);
    while let Some(&at) = seen.get(next) {
        next += 1;
        match program[program[at].scope].kind {
            ScopeKind::Module(m) if program[at].conditional || program.conditional_modules.contains(&m) => return true,
            ScopeKind::Module(_) => {}
            ScopeKind::Procedure(_) | ScopeKind::Inner | ScopeKind::Global => {
                let needed = dependencies(program, at).into_iter();
                needed.for_each(|s| {
                    if !seen.contains(&s) {
                        seen.push(s)
                    }
                });
            }
        }
    }
    false
}

struct Sorter<'a> {
    program: &'a Program,
    scope: ScopeId,
    seen: BTreeSet<SymId>,
    out: Vec<SymId>,
}

impl Sorter<'_> {
    /// Depth first; a circle (two types that point to each other) is cut where it closes.
    fn visit(&mut self, sym: SymId) {
        if self.program[sym].scope != self.scope || !self.seen.insert(sym) {
            return;
        }
        for other in dependencies(self.program, sym) {
            self.visit(other);
        }
        // What the scope's names don't lead to is declared elsewhere; but a generic may have taken the name of a type.
        let named = self.program[self.scope].names.get(&self.program[sym].name) == Some(&sym);
        if named || self.program[sym].derived().is_some() {
            self.out.push(sym);
        }
    }
}

fn of_variable(v: &Variable, out: &mut Vec<SymId>) {
    out.extend(&v.spelling_uses);
    out.extend(v.ty.derived());
    for dim in &v.dims {
        match dim {
            Dim::Explicit(lo, hi) => {
                lo.iter().for_each(|e| of_expr(e, out));
                of_expr(hi, out);
            }
            Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| of_expr(e, out)),
            Dim::Deferred | Dim::AssumedRank => {}
        }
    }
    v.init.iter().for_each(|e| of_expr(e, out));
}

fn of_type(derived: &DerivedType, out: &mut Vec<SymId>) {
    out.extend(derived.extends);
    derived.components.iter().for_each(|c| of_variable(&c.var, out));
}

fn of_procedure(program: &Program, sym: SymId, info: &ProcInfo, out: &mut Vec<SymId>) {
    out.extend(info.ty.and_then(|t| t.derived()));
    if let Some(body) = info.interface {
        let procedure = &program[body];
        if procedure.name == program[sym].name {
            for &inner in program[procedure.scope].names.values() {
                out.extend(outer_dependencies(program, procedure.scope, inner));
            }
        } else {
            out.extend(program.lookup(program[sym].scope, &procedure.name));
        }
    }
    if let Some((dummies, _)) = &info.statement_function {
        out.extend(dummies);
    }
}

/// What the declaration of a symbol of an interface body takes from outside of it.
pub(in crate::print) fn outer_dependencies(program: &Program, scope: ScopeId, inner: SymId) -> Vec<SymId> {
    if program[inner].scope != scope {
        return Vec::new();
    }
    dependencies(program, inner).into_iter().filter(|&s| program[s].scope != scope).collect()
}

/// Symbols in an expression, those in kinds of literals included.
pub(super) fn of_expr(e: &Expr, out: &mut Vec<SymId>) {
    for_each_expr(e, &mut |e| match &e.kind {
        ExprKind::Int { suffix, .. } | ExprKind::Real { suffix, .. } | ExprKind::Logical { suffix, .. } => {
            if let Some(KindSuffix::Named(sym)) = suffix {
                out.push(*sym);
            }
        }
        ExprKind::Var(d) => out.push(d.sym),
        ExprKind::Call { callee: Callee::Proc { sym, generic, .. }, .. } => out.push(generic.unwrap_or(*sym)),
        ExprKind::StructCtor { ty, .. } => out.push(*ty),
        ExprKind::ProcRef(sym) => out.push(*sym),
        ExprKind::ArrayCtor { items, .. } => items.iter().for_each(|i| of_item(i, out)),
        ExprKind::Call { callee: Callee::Intrinsic(_) | Callee::Bound { .. }, .. }
        | ExprKind::ComplexLit(..)
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Paren(_)
        | ExprKind::Opaque(_) => {}
    });
}

/// Variables of implied loops; values are reached as expressions.
fn of_item(item: &CtorItem, out: &mut Vec<SymId>) {
    if let CtorItem::ImpliedDo { items, var, .. } = item {
        out.push(*var);
        items.iter().for_each(|i| of_item(i, out));
    }
}
