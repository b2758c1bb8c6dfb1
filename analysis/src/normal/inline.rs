//! `associate` and `block` constructs are opened, statement functions put in place of their references.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::AllocItem;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, IfArm, Name, Program, ScopeId, Stmt, StmtKind,
    Subscript, SymId, SymbolKind, Ty, for_each_expr,
};

use super::allocate::free_components;
use super::context::Cx;
use super::defaults;
use super::facts::Facts;
use super::subst::{self, Map};
use super::transform;

/// Opens the constructs of a block.
pub(super) fn run(cx: &mut Cx, body: Block) -> Block {
    let mut out = Vec::with_capacity(body.len());
    for mut stmt in body {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        statement_functions(cx, &mut stmt);
        transform::number_dimensions(cx, &mut stmt);
        for block in stmt.blocks_mut() {
            let inner = std::mem::take(block);
            *block = run(cx, inner);
        }
        match stmt.kind {
            StmtKind::Associate { name, bindings, body, .. } => {
                stmt.kind = StmtKind::Continue;
                let body = jumped(cx, &stmt, name, body);
                let mut opened = associate(cx, &stmt, bindings, body);
                cx.inherit(&stmt, &mut opened);
                out.extend(opened);
            }
            StmtKind::BlockScope { name, scope, body } => {
                stmt.kind = StmtKind::Continue;
                let body = jumped(cx, &stmt, name, body);
                let mut opened = block_scope(cx, &stmt, scope, body);
                cx.inherit(&stmt, &mut opened);
                out.extend(opened);
            }
            _ => out.push(stmt),
        }
    }
    out
}

/// The statements of a construct; those that jump to its end stay together, as a branch that is always taken.
fn jumped(cx: &mut Cx, stmt: &Stmt, name: Option<Name>, body: Block) -> Block {
    if !super::jumps::left_by_name(name.as_ref(), &body) {
        return body;
    }
    cx.at(stmt);
    let arms = vec![IfArm { cond: Expr::logical(true), body }];
    vec![cx.stmt(StmtKind::If { name, arms, otherwise: None, one_line: false })]
}

fn associate(cx: &mut Cx, stmt: &Stmt, bindings: Vec<(SymId, Expr)>, mut body: Block) -> Block {
    cx.at(stmt);
    let changed = Facts::of_block(cx.program, &body);
    let mut map = Map::new();
    let mut before = Vec::new();
    for (name, selector) in bindings {
        let with = match selector.unparen().as_var() {
            // The name stands for the value of a section with a vector subscript (Fortran 2018, 19.5.1.6).
            Some(d) if matches!(selector.kind, ExprKind::Var(_)) && !vector(d) => {
                if super::reassociate::may_change(cx, d, &body) {
                    map.insert(name, super::reassociate::keep(cx, name, &selector, &mut before));
                    continue;
                }
                let d = fix_subscripts(cx, &changed, d, &mut before);
                Expr { kind: ExprKind::Var(d), ..selector.clone() }
            }
            _ => value(cx, name, &selector, &mut before),
        };
        map.insert(name, with);
    }
    subst::block(cx, &map, &mut body);
    cx.at(stmt);
    before.extend(body);
    before
}

/// True for a designator with a vector subscript.
fn vector(d: &Designator) -> bool {
    d.subscripts().any(|s| matches!(s, Subscript::Index(e) if e.rank > 0))
}

/// A variable that holds the value of a selector that is no variable.
fn value(cx: &mut Cx, name: SymId, selector: &Expr, before: &mut Block) -> Expr {
    let wanted = cx.program[name].name.clone();
    let mut var = cx.variable_like(selector.ty, selector);
    if selector.rank > 0 {
        var.dims = vec![Dim::Deferred; usize::from(selector.rank)];
        var.attrs.allocatable = true;
        let bounds: Option<Vec<Expr>> = (0..usize::from(selector.rank)).map(|k| cx.extent(selector, k)).collect();
        if let Some(bounds) = bounds.filter(|b| b.iter().all(|e| cx.declarable(e))) {
            var.dims = bounds.into_iter().map(|n| Dim::Explicit(None, n)).collect();
            var.attrs.allocatable = false;
        }
    }
    let new = cx.import_name(&wanted);
    let sym = cx.add_variable(new, var);
    let lhs = Expr::var(sym, selector.ty, selector.rank);
    let set = cx.assign(lhs.clone(), selector.unparen().clone());
    before.push(set);
    lhs
}

/// A selector whose subscripts keep their value within the construct.
fn fix_subscripts(cx: &mut Cx, changed: &Facts, d: &Designator, before: &mut Block) -> Designator {
    d.clone().map_subscripts(&mut |e| fix(cx, changed, &e, before))
}

fn fix(cx: &mut Cx, changed: &Facts, e: &Expr, before: &mut Block) -> Expr {
    let mut varies = false;
    for_each_expr(e, &mut |e| match &e.kind {
        ExprKind::Var(d) => varies |= changed.changes(cx.program, d.sym),
        ExprKind::Call { callee, .. } => varies |= !matches!(callee, Callee::Intrinsic(_)),
        _ => {}
    });
    if !varies {
        return e.clone();
    }
    let lhs = if e.rank == 0 {
        cx.scalar("at", e.ty, e)
    } else {
        let sym = cx.deferred("at", e.ty, e, e.rank);
        Expr::var(sym, e.ty, e.rank)
    };
    let set = cx.assign(lhs.clone(), e.clone());
    before.push(set);
    lhs
}

fn block_scope(cx: &mut Cx, stmt: &Stmt, scope: ScopeId, mut body: Block) -> Block {
    cx.at(stmt);
    let names: Vec<_> = cx.program[scope].names.iter().map(|(n, s)| (n.clone(), *s)).collect();
    let mut map = Map::new();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut moved = Vec::new();
    for (name, sym) in names {
        if cx.program[sym].scope != scope {
            // Brought in by a use statement of the block: names are resolved again where generated code mentions them.
            continue;
        }
        let SymbolKind::Variable(v) = cx.program[sym].kind.clone() else {
            cx.refuse(
                Code::UnsupportedStatement,
                format!("`{name}` is declared in a block and isn't a variable"),
                "only variables can be taken out of a block",
                "declare it in the procedure",
            );
            continue;
        };
        let new_name = cx.import_name(&name);
        let (ty, rank) = (v.ty, v.rank());
        let new = cx.add_variable(new_name, *v);
        cx.keep_declared(new);
        map.insert(sym, Expr::var(new, ty, rank));
        moved.push(new);
    }
    for new in moved {
        declare(cx, &map, new, &mut before, &mut after);
    }
    subst::block(cx, &map, &mut body);
    cx.at(stmt);
    before.extend(body);
    before.extend(after);
    before
}

/// Sets up a block's variable at the start of its statements and frees it at their end.
fn declare(cx: &mut Cx, map: &Map, sym: SymId, before: &mut Block, after: &mut Block) {
    let Some(mut v) = cx.program.var(sym).cloned() else {
        return;
    };
    let whole = Expr::var(sym, v.ty, v.rank());
    subst::declaration(cx.program, map, &mut v);
    if v.attrs.allocatable && !v.attrs.save {
        // A jump out of the block leaves it allocated.
        before.push(cx.deallocation(&whole));
        after.push(cx.deallocation(&whole));
    } else if !v.attrs.parameter && v.dims.iter().any(|d| automatic(cx, d)) {
        let shape = v.dims.iter().filter_map(|d| match d {
            Dim::Explicit(lo, hi) => Some((lo.clone(), hi.clone())),
            _ => None,
        });
        let shape: Vec<_> = shape.collect();
        v.attrs.allocatable = true;
        v.dims = vec![Dim::Deferred; v.dims.len()];
        let item = AllocItem { object: whole.clone(), shape };
        before.push(cx.deallocation(&whole));
        before.push(cx.stmt(StmtKind::Allocate { items: vec![item], type_spec: None, options: Vec::new() }));
        after.push(cx.deallocation(&whole));
    }
    if !v.attrs.save && !v.attrs.allocatable && !v.attrs.pointer {
        before.extend(free_components(cx, &whole, true));
        after.extend(free_components(cx, &whole, false));
        before.extend(defaults::assignments(cx, &whole, &v));
    }
    cx.program[sym].kind = SymbolKind::Variable(Box::new(v));
}

/// True for bounds that can't stand in the procedure's own declarations.
fn automatic(cx: &Cx, d: &Dim) -> bool {
    match d {
        Dim::Explicit(lo, hi) => !lo.iter().chain([hi]).all(|e| cx.declarable(e)),
        Dim::Assumed(_) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => false,
    }
}

/// Puts the expressions of statement functions in place of their references.
fn statement_functions(cx: &mut Cx, stmt: &mut Stmt) {
    let mut found = false;
    for e in stmt.exprs() {
        for_each_expr(e, &mut |e| found |= definition(cx.program, e).is_some());
    }
    if !found {
        return;
    }
    let program = &*cx.program;
    let mut kind = stmt.kind.clone();
    kind.map_exprs(&mut |e| expand(program, e, &[]));
    *stmt = cx.changed(stmt.clone(), kind);
}

fn definition<'a>(program: &'a Program, e: &Expr) -> Option<&'a (Vec<SymId>, Expr)> {
    match &e.kind {
        ExprKind::Call { callee: Callee::Proc { sym, .. }, .. } => {
            program[*sym].procedure().and_then(|p| p.statement_function.as_ref())
        }
        _ => None,
    }
}

/// An expression without statement functions, inside those of `around`. One that refers to itself, which Fortran doesn't
/// allow, is left as it is.
fn expand(program: &Program, e: &Expr, around: &[SymId]) -> Expr {
    costate_grammar::ir::map_expr(e.clone(), &mut |e| {
        let ExprKind::Call { callee: Callee::Proc { sym, .. }, args } = &e.kind else { return e };
        let Some((dummies, body)) = definition(program, &e).filter(|_| !around.contains(sym)) else { return e };
        let map: Map = dummies.iter().copied().zip(args.iter().map(|a: &Arg| a.value.clone())).collect();
        let value = expand(program, &subst::expr(program, &map, body), &[around, &[*sym]].concat());
        convert(value, e.ty)
    })
}

/// The value in the statement function's type.
fn convert(e: Expr, ty: Ty) -> Expr {
    if e.ty == ty {
        return Expr::new(ExprKind::Paren(Box::new(e)), ty, 0);
    }
    let kind = Expr::int(i64::from(ty.kind));
    let f = match ty.base {
        Base::Real => Intrinsic::Real,
        Base::Integer => Intrinsic::Int,
        Base::Complex => Intrinsic::Cmplx,
        Base::Logical | Base::Character | Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None => return e,
    };
    Expr { ty, ..Expr::intrinsic(f, vec![e]).with_keyword("kind", kind) }
}
