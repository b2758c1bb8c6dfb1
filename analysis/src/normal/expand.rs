//! The statements of a procedure in place of its call, as a `block` construct of the caller: for procedures that allocate,
//! free or associate what belongs to their callers, and for functions whose results hold such memory. Only what surely
//! means the same is put in place; other calls stay.

mod arguments;
mod bounds;
mod compared;

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, Intent, Name, ParentUnit, Part, ProcId, ProcKind,
    Procedure, Program, ScopeId, ScopeKind, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_expr,
    for_each_stmt,
};

use super::bound;
use super::calls;
use super::context::Cx;
use super::facts::Facts;
use super::subst::{self, Map};
use crate::affine::difference;
use crate::calls::target;
use crate::effects::{bind, called, outlives, reached};
use crate::storage::symbols;

/// Puts the statements of some procedures in place of their calls.
pub(super) fn run(cx: &mut Cx, body: Block, procs: &BTreeSet<ProcId>) -> Block {
    let around = vec![cx.proc];
    block(cx, body, procs, &around)
}

fn block(cx: &mut Cx, body: Block, procs: &BTreeSet<ProcId>, around: &[ProcId]) -> Block {
    let alone = |cx: &mut Cx, stmt: Stmt| match among_others(cx.program, &stmt, procs) {
        true => calls::statement(cx, stmt, true),
        false => vec![stmt],
    };
    let body: Block = body.into_iter().flat_map(|stmt| alone(cx, stmt)).collect();
    let mut out = Block::with_capacity(body.len());
    for mut stmt in body {
        if stmt.is_region() || matches!(stmt.kind, StmtKind::Unsupported { .. }) {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            *inner = block(cx, old, procs, around);
        }
        let opened = called(cx.program, &stmt)
            .map(|(p, args)| (p, args.to_vec()))
            .filter(|(p, _)| procs.contains(p) && !around.contains(p))
            .and_then(|(p, args)| expanded(cx, &stmt, p, &args).map(|s| (p, s)));
        match opened {
            None => out.push(stmt),
            Some((p, mut opened)) => {
                for inner in opened.blocks_mut() {
                    let old = std::mem::take(inner);
                    *inner = block(cx, old, procs, &[around, &[p]].concat());
                }
                out.push(opened);
            }
        }
    }
    out
}

/// True where a function of these is called in a condition, or among other operands: it needs a statement of its own.
fn among_others(program: &Program, stmt: &Stmt, procs: &BTreeSet<ProcId>) -> bool {
    let expanded = |p: &ProcId| procs.contains(p) && !program[*p].prefix.elemental;
    let mut found = 0;
    for e in stmt.exprs() {
        for_each_expr(e, &mut |e| {
            let ExprKind::Call { callee, .. } = &e.kind else { return };
            found += usize::from(target(program, callee).is_some_and(|p| expanded(&p)));
        });
    }
    let alone = !matches!(stmt.kind, StmtKind::Call { .. }) && called(program, stmt).is_some_and(|(p, _)| expanded(&p));
    found > usize::from(alone)
}

/// What is known of a call while it is expanded.
struct Expansion {
    callee: Procedure,
    /// What the callee changes, in its own terms.
    changed: Facts,
    /// It calls others.
    calls: bool,
    /// The base variables of what it associates, allocates or frees, in the caller's terms.
    managed: BTreeSet<SymId>,
    /// What its dummies and local variables stand for.
    map: Map,
    /// Actual arguments that are variables, by dummy.
    bases: Vec<(SymId, Designator)>,
    /// Statements before its own.
    before: Block,
    /// Lower bounds of dummies that are counted from 1 in the caller's terms.
    counted: BTreeMap<SymId, Vec<Expr>>,
}

fn expanded(cx: &mut Cx, stmt: &Stmt, proc: ProcId, args: &[Arg]) -> Option<Stmt> {
    let mut callee = cx.program[proc].clone();
    callee.body = bound::run(cx, callee.body);
    let plain = !cx.program.is_declared_only(proc)
        && takes_result(cx.program, &callee, stmt)
        && callee.internals.is_empty()
        && !callee.prefix.elemental
        && callee.problems.is_empty()
        && understood(&callee.body);
    if !plain {
        return None;
    }
    let bound: Vec<Expr> = bind(cx.program, &callee, args).into_iter().map(|e| e.cloned()).collect::<Option<_>>()?;
    let bases: Vec<(SymId, Designator)> =
        callee.dummies.iter().zip(&bound).filter_map(|(d, e)| Some((*d, e.as_var()?.clone()))).collect();
    let in_caller = |s: SymId| bases.iter().find(|(d, _)| *d == s).map_or(s, |(_, b)| b.sym);
    let managed = managed(&callee.body).into_iter().map(in_caller).collect();
    let mut x = Expansion {
        changed: Facts::of_block(cx.program, &callee.body),
        calls: !crate::effects::calls(cx.program, &callee.body).is_empty(),
        callee,
        managed,
        map: Map::new(),
        bases,
        before: Block::new(),
        counted: BTreeMap::new(),
    };
    if !x.is_certain(cx) {
        return None;
    }
    cx.at(stmt);
    let scope = cx.program.add_scope(Some(cx.scope), ScopeKind::Inner);
    let mut pairs: Vec<(SymId, &Expr)> = x.callee.dummies.iter().copied().zip(&bound).collect();
    // Extents of arrays are given by scalars.
    pairs.sort_by_key(|(dummy, _)| cx.program.var(*dummy).is_some_and(|v| v.rank() > 0));
    for (dummy, actual) in pairs {
        let with = x.argument(cx, scope, dummy, actual)?;
        x.map.insert(dummy, with);
    }
    // Extents of local arrays may be what variables of the block get at its start: they are declared behind that.
    let inner = x.is_sized_by(cx, scope).then(|| cx.program.add_scope(Some(scope), ScopeKind::Inner));
    x.locals(cx, inner.unwrap_or(scope))?;
    let mut body = x.callee.body.clone();
    bounds::count_from_one(cx.program, &x.counted, &mut body)?;
    if matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return)) {
        body.pop();
    }
    let name = cx.fresh_name("body");
    let left = returns(&mut body, &name);
    cx.program.renumber(&mut body);
    subst::block(cx, &x.map, &mut body);
    cx.at(stmt);
    let mut all = std::mem::take(&mut x.before);
    let mut name = left.then_some(name);
    let last = x.result_taken(stmt);
    if let (Some(_), Some(_)) = (&last, &name) {
        let inner = cx.program.add_scope(Some(scope), ScopeKind::Inner);
        body = vec![cx.stmt(StmtKind::BlockScope { name: name.take(), scope: inner, body })];
    }
    body.extend(last.map(|kind| cx.stmt(kind)));
    if let Some(scope) = inner {
        body = vec![cx.stmt(StmtKind::BlockScope { name: name.take(), scope, body })];
    }
    all.extend(body);
    let kind = StmtKind::BlockScope { name, scope, body: all };
    Some(cx.changed(stmt.clone(), kind))
}

/// True for a subroutine, and for a function whose result is taken as a variable of the block would be: an allocatable one
/// would hand on its bounds.
fn takes_result(program: &Program, callee: &Procedure, stmt: &Stmt) -> bool {
    let ProcKind::Function(r) = callee.kind else { return callee.kind == ProcKind::Subroutine };
    let Some(v) = program.var(r) else { return false };
    let pointer = matches!(stmt.kind, StmtKind::PointerAssign { .. });
    !v.attrs.allocatable && v.attrs.pointer == pointer && v.ty.base != Base::Character
}

/// True for statements that mean the same in another procedure.
fn understood(body: &Block) -> bool {
    let mut ok = true;
    for_each_stmt(body, &mut |s| {
        let kind = match &s.kind {
            // How a loop is reversed is the same here, unless variables say it.
            StmtKind::Directive { directive, names, body: None } => directive.ad().is_some() && names.is_empty(),
            StmtKind::Do { parallel: Some(_), .. }
            | StmtKind::BlockScope { .. }
            | StmtKind::Directive { .. }
            | StmtKind::Unsupported { .. }
            | StmtKind::Goto(_) => false,
            StmtKind::Io { .. }
            | StmtKind::Assign { .. }
            | StmtKind::PointerAssign { .. }
            | StmtKind::Call { .. }
            | StmtKind::If { .. }
            | StmtKind::Select { .. }
            | StmtKind::Do { .. }
            | StmtKind::Where { .. }
            | StmtKind::Forall { .. }
            | StmtKind::Associate { .. }
            | StmtKind::Exit(_)
            | StmtKind::Cycle(_)
            | StmtKind::Return
            | StmtKind::Stop { .. }
            | StmtKind::Continue
            | StmtKind::Deallocate { .. }
            | StmtKind::Nullify(_)
            | StmtKind::Comment(_) => true,
            // A length may be given by names of the other procedure, and the type is kept as text.
            StmtKind::Allocate { type_spec, .. } => {
                let given = type_spec.as_deref().and_then(|t| t.split_once('('));
                given.is_none_or(|(_, length)| !length.contains(char::is_alphabetic))
            }
        };
        ok &= kind && s.label.is_none();
        for e in s.exprs() {
            for_each_expr(e, &mut |e| ok &= !matches!(e.kind, ExprKind::Opaque(_) | ExprKind::ProcRef(_)));
        }
    });
    ok
}

/// The variables whose memory or association statements change.
fn managed(body: &Block) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        let objects: Vec<&Expr> = match &s.kind {
            StmtKind::PointerAssign { lhs, .. } => vec![lhs],
            StmtKind::Nullify(items) | StmtKind::Deallocate { items, .. } => items.iter().collect(),
            StmtKind::Allocate { items, .. } => items.iter().map(|i| &i.object).collect(),
            // A whole variable of derived type may hold pointers.
            StmtKind::Assign { lhs, .. } if lhs.is_derived() => vec![lhs],
            _ => Vec::new(),
        };
        out.extend(objects.into_iter().filter_map(Expr::as_var).map(|d| d.sym));
    });
    out
}

/// Leaves the construct in place of the procedure; true where a statement does.
fn returns(body: &mut Block, name: &Name) -> bool {
    let mut found = false;
    for s in body {
        if matches!(s.kind, StmtKind::Return) {
            s.kind = StmtKind::Exit(Some(name.clone()));
            found = true;
        }
        for inner in s.blocks_mut() {
            found |= returns(inner, name);
        }
    }
    found
}

/// True for an argument that keeps its value as long as its procedure runs.
fn is_input(v: &Variable) -> bool {
    v.dummy.is_some() && v.intent == Some(Intent::In) && !v.has_other_names()
}

/// The symbol that the caller has for an external procedure which the callee's scope declares: the same name means the same
/// procedure everywhere. Nothing where it means something else to the caller, or is no such procedure.
fn external(cx: &mut Cx, sym: SymId) -> Option<SymId> {
    let symbol = &cx.program[sym];
    let info = symbol.procedure()?;
    let of_file = info.definition.is_none_or(|p| matches!(cx.program[p].parent, ParentUnit::File(_)));
    let plain = info.external && of_file && info.interface.is_none() && info.dummy.is_none() && !info.pointer;
    if !plain || info.statement_function.is_some() || info.intrinsic.is_some() {
        return None;
    }
    let (name, span, kind, of) = (symbol.name.clone(), symbol.span, symbol.kind.clone(), (info.definition, info.ty));
    match cx.program.lookup(cx.scope, &name) {
        None => Some(cx.program.add_symbol(cx.scope, name, span, kind)),
        Some(known) => cx.program[known].procedure().filter(|p| (p.definition, p.ty) == of).map(|_| known),
    }
}

/// A variable of a block like another.
fn own_variable(v: &Variable) -> Variable {
    let mut own = v.clone();
    (own.dummy, own.intent, own.result) = (None, None, false);
    (own.attrs.value, own.attrs.optional) = (false, false);
    own
}

impl Expansion {
    /// The statement that takes a function's result.
    fn result_taken(&self, stmt: &Stmt) -> Option<StmtKind> {
        let ProcKind::Function(r) = self.callee.kind else { return None };
        let rhs = self.map.get(&r)?.clone();
        match &stmt.kind {
            StmtKind::Assign { lhs, .. } => Some(StmtKind::Assign { lhs: lhs.clone(), rhs }),
            StmtKind::PointerAssign { lhs, .. } => Some(StmtKind::PointerAssign { lhs: lhs.clone(), rhs }),
            _ => None,
        }
    }

    /// An expression of the callee's declarations in terms of the caller.
    fn in_caller(&self, cx: &Cx, e: &Expr) -> Option<Expr> {
        let e = subst::expr(cx.program, &self.map, e);
        let own = |s: &SymId| cx.program[*s].scope == self.callee.scope;
        (!symbols(&e).iter().any(own)).then_some(e)
    }

    /// True where the extent of a dummy is surely that of the variable that is passed.
    fn same_extent(&self, cx: &Cx, of_dummy: &Expr, of_actual: &Expr) -> bool {
        if of_dummy.as_int().is_some() && of_dummy.as_int() == of_actual.as_int() {
            return true;
        }
        // What the variable was declared with may have changed since.
        let fixed = |s: &SymId| {
            cx.program
                .var(*s)
                .is_some_and(|v| v.attrs.parameter || is_input(v) || !v.has_other_names() && self.stays(cx, *s))
        };
        symbols(of_actual).iter().all(fixed)
            && self.in_caller(cx, of_dummy).is_some_and(|e| difference(&e, of_actual) == Some(0))
    }

    /// True for a variable of a module that nothing changes from the start of the caller on.
    fn stays(&self, cx: &Cx, sym: SymId) -> bool {
        let variable = cx.program.var(sym).is_some_and(|v| v.dummy.is_none() && v.common.is_none() && !v.equivalenced);
        let of_module = matches!(cx.program[cx.program[sym].scope].kind, ScopeKind::Module(_));
        let changed = |p: &ProcId| Facts::of_block(cx.program, &cx.program[*p].body).assigns(sym);
        variable && of_module && !reached(cx.program, &[cx.proc]).iter().any(changed)
    }

    /// A reference whose subscripts keep their values.
    fn fixed(&mut self, cx: &mut Cx, d: &Designator, actual: &Expr) -> Option<Expr> {
        if d.parts.iter().any(|p| matches!(p, Part::Substring(..))) {
            return None;
        }
        let d = d.clone().map_subscripts(&mut |e| self.kept(cx, &e));
        Some(Expr { kind: ExprKind::Var(d), ..actual.clone() })
    }

    fn kept(&mut self, cx: &mut Cx, e: &Expr) -> Expr {
        if self.is_steady(cx, e) {
            return e.clone();
        }
        let lhs = cx.scalar("at", e.ty, e);
        let set = cx.assign(lhs.clone(), e.clone());
        self.before.push(set);
        lhs
    }

    /// True for an expression that the callee doesn't change.
    fn is_steady(&self, cx: &Cx, e: &Expr) -> bool {
        let mut function = false;
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee, .. } = &x.kind {
                function |=
                    !matches!(callee, Callee::Intrinsic(Intrinsic::Lbound | Intrinsic::Ubound | Intrinsic::Size));
            }
        });
        let steady = |s: &SymId| {
            let v = cx.program.var(*s);
            let parameter = v.is_some_and(|v| v.attrs.parameter || is_input(v));
            let seen = outlives(cx.program, cx.proc, *s) || v.is_none_or(|v| v.attrs.target || v.attrs.pointer);
            let inner = cx.program[self.callee.scope].parent == Some(cx.program[*s].scope);
            let passed = self.bases.iter().any(|(d, b)| b.sym == *s && self.changed.changes(cx.program, *d));
            parameter
                || !(passed
                    || self.changed.changes(cx.program, *s)
                    || self.managed.contains(s)
                    || self.calls && (seen || inner))
        };
        !function && symbols(e).iter().all(steady)
    }

    /// True where a bound of a local array is told by a variable that the construct has for an argument.
    fn is_sized_by(&self, cx: &Cx, scope: ScopeId) -> bool {
        let of_block =
            |s: &SymId| self.map.get(s).is_some_and(|e| symbols(e).iter().any(|x| cx.program[*x].scope == scope));
        let bounds = |d: &Dim| match d {
            Dim::Explicit(lo, hi) => lo.iter().chain([hi]).any(|e| symbols(e).iter().any(of_block)),
            _ => false,
        };
        let sized = |s: &SymId| {
            let local = cx.program[*s].scope == self.callee.scope && !self.callee.dummies.contains(s);
            local && cx.program.var(*s).is_some_and(|v| v.dims.iter().any(bounds))
        };
        cx.program[self.callee.scope].names.values().any(sized)
    }

    /// Gives the construct the callee's local variables.
    fn locals(&mut self, cx: &mut Cx, scope: ScopeId) -> Option<()> {
        let names: Vec<(Name, SymId)> =
            cx.program[self.callee.scope].names.iter().map(|(n, s)| (n.clone(), *s)).collect();
        let mut own: Vec<SymId> = Vec::new();
        for (name, sym) in names {
            if cx.program[sym].scope != self.callee.scope || self.callee.dummies.contains(&sym) {
                continue;
            }
            if let SymbolKind::Procedure(_) = &cx.program[sym].kind {
                let here = external(cx, sym)?;
                self.map.insert(sym, Expr::new(ExprKind::ProcRef(here), Ty::NONE, 0));
                continue;
            }
            let SymbolKind::Variable(v) = &cx.program[sym].kind else { return None };
            let constant = v.attrs.parameter;
            let kept = v.attrs.save && !constant || v.data || v.common.is_some() || v.equivalenced || v.directive;
            let spelt = v.spelling_uses.iter().any(|s| cx.program[*s].scope == self.callee.scope);
            if kept || v.attrs.volatile || v.spelling.contains('*') || spelt || !constant && v.init.is_some() {
                return None;
            }
            let (ty, rank, v) = (v.ty, v.rank(), own_variable(v));
            let span = cx.program[sym].span;
            let new = cx.program.add_symbol(scope, name, span, SymbolKind::Variable(Box::new(v)));
            self.map.insert(sym, Expr::var(new, ty, rank));
            own.push(new);
        }
        for sym in own {
            let mut v = cx.program.var(sym)?.clone();
            subst::declaration(cx.program, &self.map, &mut v);
            cx.program[sym].kind = SymbolKind::Variable(Box::new(v));
        }
        Some(())
    }
}
