//! What a procedure mentions: in its statements and in its declarations.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Callee, CaseRange, Component, Designator, Dim, Expr, ExprKind, Intent, Name, ParentUnit, Part, ProcId, Program,
    StmtKind, SymId, for_each_expr, for_each_stmt,
};
use costate_grammar::print;
use costate_grammar::source::Span;

use crate::remap::mentioned;

/// Every symbol that a procedure mentions outside of the procedures inside it.
pub(crate) fn mentions(program: &Program, p: ProcId) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    mentioned(&program[p].body, &mut out);
    let scope = program[p].scope;
    for s in program[scope].names.values().filter(|s| program[**s].scope == scope) {
        out.insert(*s);
        out.extend(print::dependencies(program, *s));
    }
    out
}

/// True where procedures inside a procedure refer to its variables, or where it is inside another one, refers to those of that,
/// and calls procedures beside it: calls may use local variables, by host association.
pub(crate) fn shares_locals(program: &Program, p: ProcId) -> bool {
    let own = &program[p];
    let (host, inside) = match own.parent {
        ParentUnit::Procedure(host) if refers_to_procedures_inside(program, p, host) => {
            (host, std::slice::from_ref(&p))
        }
        ParentUnit::Procedure(_) => return false,
        _ => (p, own.internals.as_slice()),
    };
    let scope = program[host].scope;
    let of_host = |s: &SymId| program[*s].scope == scope && program.var(*s).is_some_and(|v| !v.attrs.parameter);
    inside.iter().any(|q| mentions(program, *q).iter().any(of_host))
}

/// True for a procedure that calls or passes procedures inside its host.
fn refers_to_procedures_inside(program: &Program, p: ProcId, host: ProcId) -> bool {
    let inside: BTreeSet<SymId> = program[host].internals.iter().map(|q| program[*q].sym).collect();
    let mut found = false;
    for_each_stmt(&program[p].body, &mut |s| {
        // What a dummy procedure or a pointer stands for may be one.
        let unknown = |sym: SymId| program[sym].procedure().is_none_or(|q| q.dummy.is_some() || q.pointer);
        let called = |callee: &Callee| match callee {
            Callee::Proc { sym, .. } => inside.contains(sym) || unknown(*sym),
            Callee::Bound { .. } => true,
            Callee::Intrinsic(_) => false,
        };
        found |= matches!(&s.kind, StmtKind::Call { callee, .. } if called(callee));
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                found |= match &x.kind {
                    ExprKind::Call { callee, .. } => called(callee),
                    ExprKind::ProcRef(sym) => inside.contains(sym),
                    _ => false,
                };
            });
        }
    });
    found
}

/// Every symbol of elsewhere that a procedure's statements mention, in their order. Text alone doesn't tell whether two
/// procedures are the same: a name may be hidden in one.
pub(crate) fn outer_mentions(program: &Program, p: ProcId) -> Vec<SymId> {
    let mut out = Vec::new();
    let scope = program[p].scope;
    for_each_stmt(&program[p].body, &mut |s| {
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Var(d) = &x.kind
                    && program[d.sym].scope != scope
                {
                    out.push(d.sym);
                }
            });
        }
    });
    out
}

/// Every intrinsic procedure that a procedure calls in its statements and declarations, with a place. The functions that
/// come with generated code are none.
pub(crate) fn intrinsics(program: &Program, p: ProcId) -> BTreeMap<Intrinsic, Span> {
    let mut out = BTreeMap::new();
    let mut call = |callee: &Callee, span: Span| {
        if let Callee::Intrinsic(f) = callee
            && !f.name().starts_with("costate_")
        {
            out.entry(*f).or_insert(span);
        }
    };
    let mut walk = |e: &Expr, span: Span| {
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, .. } = &x.kind {
                call(callee, span);
            }
        });
    };
    for_each_stmt(&program[p].body, &mut |s| {
        let span = s.origin.span();
        s.exprs().into_iter().for_each(|e| walk(e, span));
        if let StmtKind::Select { arms, .. } = &s.kind {
            for range in arms.iter().flat_map(|a| &a.ranges) {
                match range {
                    CaseRange::Value(e) => walk(e, span),
                    CaseRange::Range(a, b) => a.iter().chain(b).for_each(|e| walk(e, span)),
                }
            }
        }
    });
    let scope = program[p].scope;
    for s in program[scope].names.values().filter(|s| program[**s].scope == scope) {
        let Some(v) = program.var(*s) else { continue };
        let span = program[*s].span;
        v.init.iter().for_each(|e| walk(e, span));
        for d in &v.dims {
            match d {
                Dim::Explicit(lo, hi) => lo.iter().chain([hi]).for_each(|e| walk(e, span)),
                Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| walk(e, span)),
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
    }
    for_each_stmt(&program[p].body, &mut |s| {
        if let StmtKind::Call { callee: Callee::Intrinsic(f), .. } = &s.kind
            && !f.name().starts_with("costate_")
        {
            out.entry(*f).or_insert(s.origin.span());
        }
    });
    out
}

/// Every private component that a procedure's statements mention, with the type that declares it and a place.
pub(crate) fn private_components(program: &Program, p: ProcId) -> BTreeMap<(SymId, Name), Span> {
    let mut out = BTreeMap::new();
    for_each_stmt(&program[p].body, &mut |s| {
        let mut add = |ty: SymId, name: Name| {
            out.entry((ty, name)).or_insert(s.origin.span());
        };
        for e in s.exprs() {
            for_each_expr(e, &mut |x| match &x.kind {
                ExprKind::Var(d) => private_in(program, d, &mut add),
                ExprKind::StructCtor { ty, args } => {
                    let components = program[*ty].derived().map_or(&[][..], |d| &d.components);
                    let given = |(i, c): &(usize, &Component)| {
                        let positional = args.iter().take_while(|a| a.keyword.is_none()).count();
                        *i < positional || args.iter().any(|a| a.keyword.as_ref() == Some(&c.name))
                    };
                    let private = components.iter().enumerate().filter(given).filter(|(_, c)| c.var.attrs.private);
                    private.for_each(|(_, c)| add(*ty, c.name.clone()));
                }
                _ => {}
            });
        }
    });
    out
}

/// The private components along a designator.
fn private_in(program: &Program, d: &Designator, add: &mut impl FnMut(SymId, Name)) {
    let mut ty = program.var(d.sym).and_then(|v| v.ty.derived());
    for part in &d.parts {
        let (Part::Component(name), Some(t)) = (part, ty) else { continue };
        let Some((owner, v)) = program.component_with_owner(t, name.as_str()) else { return };
        if v.attrs.private {
            add(owner, name.clone());
        }
        ty = v.ty.derived();
    }
}

/// The expressions of a statement, by their number, that it defines.
pub(crate) fn definitions(kind: &StmtKind) -> BTreeSet<usize> {
    match kind {
        StmtKind::Assign { .. } => BTreeSet::from([0]),
        // Whatever is passed may be changed, unless it is no variable.
        StmtKind::Call { args, .. } => (0..args.len()).filter(|i| args[*i].value.as_var().is_some()).collect(),
        StmtKind::Allocate { items, .. } => {
            let mut at = 0;
            let mut out = BTreeSet::new();
            for i in items {
                out.insert(at);
                at += 1 + i.shape.iter().map(|(lo, _)| 1 + usize::from(lo.is_some())).sum::<usize>();
            }
            out
        }
        StmtKind::Deallocate { items, .. } | StmtKind::Nullify(items) => (0..items.len()).collect(),
        _ => BTreeSet::new(),
    }
}

/// Every variable that a procedure's statements define as far as a compiler sees that.
pub(crate) fn defined(program: &Program, p: ProcId) -> BTreeMap<SymId, Span> {
    let mut out = BTreeMap::new();
    for_each_stmt(&program[p].body, &mut |s| {
        let places = definitions(&s.kind);
        for (i, e) in s.exprs().into_iter().enumerate() {
            let Some(d) = e.as_var().filter(|_| places.contains(&i)) else { continue };
            let seen = match &s.kind {
                StmtKind::Call { callee, .. } => changes(program, callee, i),
                _ => true,
            };
            if seen {
                out.entry(d.sym).or_insert(s.origin.span());
            }
        }
    });
    out
}

/// True when the interface of a procedure says that it defines an argument.
fn changes(program: &Program, callee: &Callee, at: usize) -> bool {
    let Callee::Proc { sym, .. } = callee else { return false };
    let Some(definition) = program[*sym].procedure().and_then(|p| p.definition) else { return false };
    let dummy = program[definition].dummies.get(at).and_then(|d| program.var(*d));
    dummy.is_some_and(|v| matches!(v.intent, Some(Intent::Out | Intent::InOut)))
}
