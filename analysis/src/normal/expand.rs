//! The statements of a procedure in place of its call, as a `block` construct of the caller: for procedures that allocate,
//! free or associate what belongs to their callers. Only what surely means the same is put in place; other calls stay.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, Intent, Name, Part, ProcId, ProcKind, Procedure,
    ScopeKind, Stmt, StmtKind, Subscript, SymId, SymbolKind, Variable, for_each_expr, for_each_stmt,
};

use super::context::Cx;
use super::facts::Facts;
use super::subst::{self, Map};
use super::two_names::reads_before_writes;
use crate::affine::{difference, plus};
use crate::effects::{bind, outlives, target};
use crate::storage::{Overlap, all_components, holds_pointers, overlap, resolve, symbols};

/// Puts the statements of some procedures in place of their calls.
pub(super) fn run(cx: &mut Cx, body: Block, procs: &BTreeSet<ProcId>) -> Block {
    let around = vec![cx.proc];
    block(cx, body, procs, &around)
}

fn block(cx: &mut Cx, body: Block, procs: &BTreeSet<ProcId>, around: &[ProcId]) -> Block {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in body {
        if matches!(stmt.kind, StmtKind::Directive { .. } | StmtKind::Unsupported { .. }) {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            let old = std::mem::take(inner);
            *inner = block(cx, old, procs, around);
        }
        let known = match &stmt.kind {
            StmtKind::Call { callee, args } => target(cx.program, callee).map(|p| (p, args.clone())),
            _ => None,
        };
        let opened = known
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
}

fn expanded(cx: &mut Cx, stmt: &Stmt, proc: ProcId, args: &[Arg]) -> Option<Stmt> {
    let callee = cx.program[proc].clone();
    let plain = callee.kind == ProcKind::Subroutine
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
    x.locals(cx, scope)?;
    let mut body = x.callee.body.clone();
    if matches!(body.last().map(|s| &s.kind), Some(StmtKind::Return)) {
        body.pop();
    }
    let name = cx.fresh_name("body");
    let left = returns(&mut body, &name);
    cx.program.renumber(&mut body);
    subst::block(cx, &x.map, &mut body);
    cx.at(stmt);
    let mut all = std::mem::take(&mut x.before);
    all.extend(body);
    let kind = StmtKind::BlockScope { name: left.then_some(name), scope, body: all };
    Some(cx.changed(stmt.clone(), kind))
}

/// True for statements that mean the same in another procedure.
fn understood(body: &Block) -> bool {
    let mut ok = true;
    for_each_stmt(body, &mut |s| {
        let kind = match &s.kind {
            StmtKind::BlockScope { .. }
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

/// True for a designator that leads through a pointer before its end.
fn behind_pointer(cx: &Cx, d: &Designator) -> bool {
    let path = d.path();
    (0..path.len()).any(|k| resolve(cx.program, d.sym, &path[..k]).is_none_or(|v| v.attrs.pointer))
}

/// A variable of a block like another.
fn own_variable(v: &Variable) -> Variable {
    let mut own = v.clone();
    (own.dummy, own.intent) = (None, None);
    (own.attrs.value, own.attrs.optional) = (false, false);
    own
}

impl Expansion {
    /// What stands for a dummy; nothing where that isn't known to mean the same.
    fn argument(
        &mut self,
        cx: &mut Cx,
        scope: costate_grammar::ir::ScopeId,
        dummy: SymId,
        actual: &Expr,
    ) -> Option<Expr> {
        let v = cx.program.var(dummy)?.clone();
        if v.attrs.optional || v.attrs.changes_unseen() || v.ty.base == Base::Unlimited {
            return None;
        }
        let fixed = matches!(actual.kind, ExprKind::Int { .. } | ExprKind::Logical { .. } | ExprKind::Str(_));
        if fixed && v.rank() == 0 && !v.attrs.value {
            return Some(actual.clone());
        }
        let Some(d) = actual.as_var().filter(|_| matches!(actual.kind, ExprKind::Var(_)) && !v.attrs.value).cloned()
        else {
            return self.copied(cx, scope, dummy, &v, actual);
        };
        let declared = resolve(cx.program, d.sym, &d.path())?.clone();
        let whole = !matches!(d.parts.last(), Some(Part::Subscripts(_) | Part::Substring(..)));
        if v.attrs.pointer || v.attrs.allocatable {
            let same = declared.attrs.pointer == v.attrs.pointer && declared.attrs.allocatable == v.attrs.allocatable;
            if !same || !whole || behind_pointer(cx, &d) || !same_type(&v, actual) {
                return None;
            }
            let with = self.fixed(cx, &d, actual)?;
            if v.attrs.allocatable && v.intent == Some(Intent::Out) {
                self.before.push(cx.deallocation(&with));
            }
            return Some(with);
        }
        self.check_object(cx, &v, actual, &d)?;
        if v.rank() == 0 && v.intent == Some(Intent::Out) && v.ty.derived().is_some_and(|t| is_renewed(cx, t, &v)) {
            let with = self.fixed(cx, &d, actual)?;
            self.renew_object(cx, &with, 0)?;
            return Some(with);
        }
        if v.rank() == 0 {
            let simple = v.ty.derived().is_none() && v.intent == Some(Intent::In);
            if simple && !self.is_reassigned(cx, dummy, &d) && !(d.parts.is_empty() && self.is_steady(cx, actual)) {
                return self.copied(cx, scope, dummy, &v, actual);
            }
            return self.fixed(cx, &d, actual);
        }
        let d = self.section(cx, &v, &declared, d, actual)?;
        self.fixed(cx, &d, actual)
    }

    /// True for an input that the callee may change by another name.
    fn is_reassigned(&self, cx: &Cx, dummy: SymId, d: &Designator) -> bool {
        self.changed.assigns(d.sym) || self.others(dummy).any(|(_, of)| overlap(cx.program, of, d) != Overlap::Apart)
    }

    /// The other dummies that the callee assigns, with what is passed for them.
    fn others(&self, dummy: SymId) -> impl Iterator<Item = &(SymId, Designator)> {
        self.bases.iter().filter(move |(other, _)| *other != dummy && self.changed.assigns(*other))
    }

    /// True when what the callee does to memory that it surely knows by two names is certain.
    fn is_certain(&self, cx: &Cx) -> bool {
        self.bases.iter().all(|(dummy, of)| {
            let free = cx.program.var(*dummy).is_some_and(|v| v.attrs.target || v.attrs.pointer);
            let shared = |(_, d): &&(SymId, Designator)| overlap(cx.program, d, of) == Overlap::Same;
            let mut names: Vec<SymId> = self.others(*dummy).filter(shared).map(|(other, _)| *other).collect();
            // The variable itself, where the callee assigns one of the two.
            let own = of.parts.is_empty();
            names.extend((own && self.changed.assigns(of.sym)).then_some(of.sym));
            let back = own && self.changed.assigns(*dummy);
            free || names.iter().all(|other| reads_before_writes(&self.callee.body, *dummy, *other))
                && (!back || reads_before_writes(&self.callee.body, of.sym, *dummy))
        })
    }

    /// Whether a dummy that is neither pointer nor allocatable may be another name of its actual argument.
    fn check_object(&self, cx: &mut Cx, v: &Variable, actual: &Expr, d: &Designator) -> Option<()> {
        let base = cx.program.var(d.sym)?;
        let local =
            cx.program[d.sym].scope == cx.scope && base.dummy.is_none() && !base.result && !base.attrs.parameter;
        let target = !v.attrs.target || base.attrs.target || base.attrs.pointer;
        if !target
            && local
            && let SymbolKind::Variable(own) = &mut cx.program[d.sym].kind
        {
            // Pointers to the dummy become pointers to it.
            own.attrs.target = true;
        }
        let target = target || local;
        let path = d.path();
        let pointer = (0..=path.len()).any(|k| resolve(cx.program, d.sym, &path[..k]).is_none_or(|v| v.attrs.pointer));
        let elsewhere = outlives(cx.program, cx.proc, d.sym) && self.calls;
        let moved = pointer && (self.managed.contains(&d.sym) || elsewhere);
        // What its entry does to the components of each element takes loops.
        let renewed =
            v.rank() > 0 && v.intent == Some(Intent::Out) && v.ty.derived().is_some_and(|t| is_renewed(cx, t, v));
        (target && !moved && !renewed && same_type(v, actual)).then_some(())
    }

    /// What becomes of an output of derived type at entry: its memory is freed, and default values are set.
    fn renew_object(&mut self, cx: &mut Cx, object: &Expr, depth: u8) -> Option<()> {
        let ty = object.ty.derived().filter(|_| depth < 8)?;
        if object.rank > 0 || cx.program[ty].derived().is_some_and(|d| !d.finals.is_empty()) {
            return None;
        }
        let components: Vec<(Name, Variable)> =
            all_components(cx.program, ty).iter().map(|c| (c.name.clone(), c.var.clone())).collect();
        for (name, v) in components {
            let part = object.component(&name, v.ty, v.rank());
            if v.attrs.allocatable {
                self.before.push(cx.deallocation(&part));
            } else if v.attrs.pointer {
                match &v.init {
                    None => {}
                    Some(e) if e.is_null() => self.before.push(cx.stmt(StmtKind::Nullify(vec![part]))),
                    Some(_) => return None,
                }
            } else if let Some(init) = v.init.clone() {
                if !cx.all_visible(&init) {
                    return None;
                }
                let set = cx.assign(part, init);
                self.before.push(set);
            } else if v.ty.derived().is_some_and(|t| is_renewed(cx, t, &v)) {
                self.renew_object(cx, &part, depth + 1)?;
            }
        }
        Some(())
    }

    /// An array argument with the bounds of its dummy.
    fn section(
        &self,
        cx: &Cx,
        v: &Variable,
        declared: &Variable,
        mut d: Designator,
        actual: &Expr,
    ) -> Option<Designator> {
        let whole = !matches!(d.parts.last(), Some(Part::Subscripts(_)));
        let vector = d.subscripts().any(|s| matches!(s, Subscript::Index(e) if e.rank > 0));
        let inner = d.parts.iter().rev().skip(1).any(|p| match p {
            Part::Subscripts(list) => list.iter().any(|s| !matches!(s, Subscript::Index(e) if e.rank == 0)),
            Part::Component(_) | Part::Substring(..) => false,
        });
        if vector || inner || v.ty.base == Base::Character {
            return None;
        }
        let from_one = |lo: &Option<Expr>| lo.as_ref().is_none_or(|e| e.as_int() == Some(1));
        let shaped = v.dims.iter().all(|x| matches!(x, Dim::Assumed(lo) if from_one(lo)));
        let equal = whole
            && v.dims.len() == declared.dims.len()
            && v.dims.iter().zip(&declared.dims).all(|(x, y)| match (x, y) {
                (Dim::Explicit(a, b), Dim::Explicit(c, e)) => from_one(a) && from_one(c) && self.same_extent(cx, b, e),
                _ => false,
            });
        if shaped || equal {
            let starts = |x: &Dim| matches!(x, Dim::Explicit(lo, _) | Dim::Assumed(lo) if from_one(lo));
            if whole && !declared.dims.iter().all(starts) {
                let all = Subscript::Range { lo: None, hi: None, step: None };
                d.parts.push(Part::Subscripts(vec![all; declared.dims.len()]));
            }
            return Some(d);
        }
        self.sequence(cx, v, declared, d, actual)
    }

    /// The elements of an array of one dimension that follow its start, or the one that is given (F2018 15.5.2.11).
    fn sequence(
        &self,
        cx: &Cx,
        v: &Variable,
        declared: &Variable,
        mut d: Designator,
        actual: &Expr,
    ) -> Option<Designator> {
        let ([dim], [of]) = (v.dims.as_slice(), declared.dims.as_slice()) else { return None };
        let one = Expr::int(1);
        let first = match (d.parts.last(), of) {
            (Some(Part::Subscripts(list)), Dim::Explicit(..) | Dim::Deferred | Dim::AssumedSize(_)) => {
                match &list[..] {
                    [Subscript::Index(e)] if actual.rank == 0 && !declared.attrs.pointer => e.clone(),
                    [Subscript::Range { lo, step: None, .. }] => match (lo, of) {
                        (Some(lo), _) => lo.clone(),
                        (None, Dim::Explicit(lo, _)) => lo.clone().unwrap_or(one.clone()),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            (_, Dim::Explicit(lo, _) | Dim::AssumedSize(lo)) if actual.rank == 1 => lo.clone().unwrap_or(one.clone()),
            _ => return None,
        };
        let last = match dim {
            Dim::Explicit(lo, hi) if lo.as_ref().is_none_or(|e| e.as_int() == Some(1)) => {
                let count = self.in_caller(cx, hi)?;
                Some(plus(&first, &plus(&count, &Expr::int(-1))))
            }
            Dim::AssumedSize(lo) if lo.as_ref().is_none_or(|e| e.as_int() == Some(1)) => None,
            _ => return None,
        };
        if matches!(d.parts.last(), Some(Part::Subscripts(_))) {
            d.parts.pop();
        }
        d.parts.push(Part::Subscripts(vec![Subscript::Range { lo: Some(first), hi: last, step: None }]));
        Some(d)
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
            cx.program.var(*s).is_some_and(|v| {
                v.attrs.parameter || v.dummy.is_some() && v.intent == Some(Intent::In) && !v.has_other_names()
            })
        };
        symbols(of_actual).iter().all(fixed)
            && self.in_caller(cx, of_dummy).is_some_and(|e| difference(&e, of_actual) == Some(0))
    }

    /// A value of its own for a scalar dummy.
    fn copied(
        &mut self,
        cx: &mut Cx,
        scope: costate_grammar::ir::ScopeId,
        dummy: SymId,
        v: &Variable,
        actual: &Expr,
    ) -> Option<Expr> {
        let numeric = matches!(v.ty.base, Base::Integer | Base::Real | Base::Complex | Base::Logical);
        let changed = self.changed.changes(cx.program, dummy) && !v.attrs.value;
        if v.rank() > 0
            || actual.rank > 0
            || !numeric
            || changed
            || v.attrs.pointer
            || v.attrs.allocatable
            || v.attrs.target
        {
            return None;
        }
        let name = cx.program[dummy].name.clone();
        let sym =
            cx.program.add_symbol(scope, name, cx.program[dummy].span, SymbolKind::Variable(Box::new(own_variable(v))));
        let own = Expr::var(sym, v.ty, 0);
        let set = cx.assign(own.clone(), actual.clone());
        self.before.push(set);
        Some(own)
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
            let parameter = v.is_some_and(|v| v.attrs.parameter);
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

    /// Gives the construct the callee's local variables.
    fn locals(&mut self, cx: &mut Cx, scope: costate_grammar::ir::ScopeId) -> Option<()> {
        let names: Vec<(Name, SymId)> =
            cx.program[self.callee.scope].names.iter().map(|(n, s)| (n.clone(), *s)).collect();
        let mut own: Vec<SymId> = Vec::new();
        for (name, sym) in names {
            if cx.program[sym].scope != self.callee.scope || self.callee.dummies.contains(&sym) {
                continue;
            }
            let SymbolKind::Variable(v) = &cx.program[sym].kind else { return None };
            let constant = v.attrs.parameter;
            let kept = v.attrs.save && !constant || v.data || v.common.is_some() || v.equivalenced || v.directive;
            let spelt = v.spelling_uses.iter().any(|s| cx.program[*s].scope == self.callee.scope);
            if kept || v.attrs.changes_unseen() || v.spelling.contains('*') || spelt || !constant && v.init.is_some() {
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

/// True for arguments of one declared type.
fn same_type(v: &Variable, actual: &Expr) -> bool {
    match (v.ty.base, actual.ty.base) {
        (Base::Derived(a) | Base::Class(a), Base::Derived(b) | Base::Class(b)) => a == b,
        (a, b) => a == b && v.ty.kind == actual.ty.kind,
    }
}

/// True for objects whose components get memory, associations or values when they become an output.
fn is_renewed(cx: &Cx, ty: SymId, v: &Variable) -> bool {
    fn inside(cx: &Cx, ty: SymId, depth: u8) -> bool {
        depth > 8
            || all_components(cx.program, ty).iter().any(|c| {
                c.var.init.is_some()
                    || c.var.attrs.allocatable
                    || !c.var.attrs.pointer && c.var.ty.derived().is_some_and(|t| inside(cx, t, depth + 1))
            })
    }
    inside(cx, ty, 0)
        || holds_pointers(cx.program, v.ty)
        || cx.program[ty].derived().is_some_and(|d| !d.finals.is_empty())
}
