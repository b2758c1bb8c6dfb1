//! Replaces symbols throughout statements: the primal's local variables by their clones in a generated procedure.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Block, Callee, CaseRange, CtorItem, Dim, Expr, ExprKind, KindSuffix, LoopControl, Mention, Program, ScopeId, Stmt,
    StmtKind, SymId, SymbolKind, Variable, map_expr, mentions_in, mentions_of,
};

/// Old symbols to new ones.
pub type SymMap = BTreeMap<SymId, SymId>;

fn to(map: &SymMap, sym: SymId) -> SymId {
    map.get(&sym).copied().unwrap_or(sym)
}

/// An expression with its symbols replaced.
pub fn expr(e: &Expr, map: &SymMap) -> Expr {
    map_expr(e.clone(), &mut |mut x| {
        match &mut x.kind {
            ExprKind::Var(d) => d.sym = to(map, d.sym),
            ExprKind::ProcRef(s) => *s = to(map, *s),
            ExprKind::Call { callee, .. } => callee_syms(callee, map),
            ExprKind::StructCtor { ty, .. } => *ty = to(map, *ty),
            ExprKind::Int { suffix, .. } | ExprKind::Real { suffix, .. } | ExprKind::Logical { suffix, .. } => {
                if let Some(KindSuffix::Named(s)) = suffix {
                    *s = to(map, *s);
                }
            }
            ExprKind::ArrayCtor { items, .. } => items.iter_mut().for_each(|i| item_syms(i, map)),
            ExprKind::ComplexLit(..)
            | ExprKind::Str(_)
            | ExprKind::Boz(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Paren(_)
            | ExprKind::Opaque(_) => {}
        }
        x
    })
}

fn item_syms(item: &mut CtorItem, map: &SymMap) {
    if let CtorItem::ImpliedDo { items, var, .. } = item {
        *var = to(map, *var);
        items.iter_mut().for_each(|i| item_syms(i, map));
    }
}

fn callee_syms(callee: &mut Callee, map: &SymMap) {
    match callee {
        Callee::Intrinsic(_) => {}
        Callee::Proc { sym, generic, .. } => {
            *sym = to(map, *sym);
            *generic = generic.map(|g| to(map, g));
        }
        Callee::Bound { resolved, .. } => *resolved = resolved.map(|g| to(map, g)),
    }
}

/// A dimension with its symbols replaced.
pub fn dim(d: &Dim, map: &SymMap) -> Dim {
    match d {
        Dim::Explicit(lo, hi) => Dim::Explicit(lo.as_ref().map(|e| expr(e, map)), expr(hi, map)),
        Dim::Assumed(lo) => Dim::Assumed(lo.as_ref().map(|e| expr(e, map))),
        Dim::AssumedSize(lo) => Dim::AssumedSize(lo.as_ref().map(|e| expr(e, map))),
        Dim::Deferred => Dim::Deferred,
        Dim::AssumedRank => Dim::AssumedRank,
    }
}

/// Symbols with everything that their declarations mention. Initial values count for those that are declared anew.
pub fn declared_with(program: &Program, mut wanted: BTreeSet<SymId>, anew: impl Fn(SymId) -> bool) -> BTreeSet<SymId> {
    let mut queue: Vec<SymId> = wanted.iter().copied().collect();
    while let Some(s) = queue.pop() {
        let mut more = BTreeSet::new();
        if let Some(v) = program.var(s) {
            for d in &v.dims {
                match d {
                    Dim::Explicit(lo, hi) => lo.iter().chain([hi]).for_each(|e| in_expr(e, &mut more)),
                    Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| in_expr(e, &mut more)),
                    Dim::Deferred | Dim::AssumedRank => {}
                }
            }
            more.extend(v.spelling_uses.iter().copied());
            more.extend(v.ty.derived());
            if anew(s) {
                v.init.iter().for_each(|e| in_expr(e, &mut more));
            }
        }
        queue.extend(more.into_iter().filter(|m| wanted.insert(*m)));
    }
    wanted
}

/// The declarations of a scope's own variables with their symbols replaced.
pub fn declarations(program: &mut Program, scope: ScopeId, map: &SymMap) {
    let symbols: Vec<SymId> = program[scope].names.values().copied().collect();
    for s in symbols {
        if program[s].scope == scope
            && let SymbolKind::Variable(v) = &mut program[s].kind
        {
            variable(v, map);
        }
    }
}

/// Takes the common blocks and equivalences of a scope over to a copy of it.
pub fn storage(program: &mut Program, from: ScopeId, copy: ScopeId, map: &SymMap) {
    let (commons, sets) = (program[from].commons.clone(), program[from].equivalences.clone());
    let symbols = |list: Vec<SymId>| list.into_iter().map(|s| to(map, s)).collect();
    program[copy].commons = commons.into_iter().map(|(name, list)| (name, symbols(list))).collect();
    program[copy].equivalences = sets.iter().map(|set| set.iter().map(|e| expr(e, map)).collect()).collect();
}

/// A variable's declaration with its symbols replaced.
pub fn variable(v: &mut Variable, map: &SymMap) {
    v.dims = v.dims.iter().map(|d| dim(d, map)).collect();
    v.init = v.init.as_ref().map(|e| expr(e, map));
    v.spelling_uses.iter_mut().for_each(|u| *u = to(map, *u));
}

/// A block with its symbols replaced.
pub fn block(stmts: &[Stmt], map: &SymMap) -> Block {
    stmts.iter().map(|s| stmt(s, map)).collect()
}

/// A statement with its symbols replaced.
pub fn stmt(s: &Stmt, map: &SymMap) -> Stmt {
    let mut s = s.clone();
    s.kind.map_exprs(&mut |e| expr(e, map));
    match &mut s.kind {
        StmtKind::Call { callee, .. } => callee_syms(callee, map),
        StmtKind::Select { arms, .. } => {
            for range in arms.iter_mut().flat_map(|a| &mut a.ranges) {
                match range {
                    CaseRange::Value(e) => *e = expr(e, map),
                    CaseRange::Range(a, b) => a.iter_mut().chain(b).for_each(|e| *e = expr(e, map)),
                }
            }
        }
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => *var = to(map, *var),
        StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. } | StmtKind::Forall { indices, .. } => {
            indices.iter_mut().for_each(|i| i.0 = to(map, i.0));
        }
        StmtKind::Associate { bindings, .. } => bindings.iter_mut().for_each(|b| b.0 = to(map, b.0)),
        StmtKind::Directive { names, .. } => names.iter_mut().for_each(|n| *n = to(map, *n)),
        _ => {}
    }
    if let StmtKind::Do { parallel: Some(p), .. } = &mut s.kind {
        p.directives.iter_mut().flat_map(|d| &mut d.names).for_each(|n| *n = to(map, *n));
    }
    for b in s.blocks_mut() {
        *b = block(b, map);
    }
    s
}

/// Every symbol that statements mention, in a fixed order.
pub fn mentioned(stmts: &[Stmt], out: &mut BTreeSet<SymId>) {
    costate_grammar::ir::for_each_stmt(stmts, &mut |s| mentions_of(s, &mut |m| add(m, out)));
}

/// Every symbol that an expression mentions.
pub fn in_expr(e: &Expr, out: &mut BTreeSet<SymId>) {
    mentions_in(e, &mut |m| add(m, out));
}

fn add(mention: Mention, out: &mut BTreeSet<SymId>) {
    match mention {
        Mention::Entity(sym) => _ = out.insert(sym),
        Mention::Intrinsic(_) => {}
    }
}
