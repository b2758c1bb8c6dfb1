//! Dummy procedures of which nobody says what they are: those of heads, and what is handed on from there. Each is declared by its
//! interface, as a procedure without source is by a row of a table, and its derivative is a dummy beside it: `f(g, x)` becomes
//! `f_b(g, g_b, x, x_b)`.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{bind, calls, target};
use costate_grammar::directives::{AdDirective, Construct};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Attrs, Base, Block, Callee, Dim, Expr, ExprKind, Intent, Name, ParentUnit, Part, Prefix, ProcId, ProcInfo,
    ProcKind, Procedure, Program, ScopeKind, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_expr,
    for_each_stmt,
};

use crate::interface::Signature;
use crate::interface::body::body_of;
use crate::mode::Mode;
use crate::names::{Naming, Taken};

/// Declares the dummy procedures that the heads hand down, and their derivatives.
pub(crate) fn declare(program: &mut Program, heads: &[ProcId], mode: Mode, naming: &Naming) {
    let reached = reached(program, heads);
    for (procedure, dummy) in candidates(program, heads, &reached) {
        let known = program[dummy].procedure().and_then(|p| p.definition);
        let declared = known.unwrap_or_else(|| declaration(program, dummy));
        if let SymbolKind::Procedure(info) = &mut program[dummy].kind {
            info.definition = Some(declared);
        }
        let twin = twin(program, (procedure, dummy), declared, mode, naming);
        if let SymbolKind::Procedure(info) = &mut program[dummy].kind {
            info.twin = Some(twin);
        }
    }
}

/// The derivative that is passed beside a dummy procedure, if there is one.
pub(crate) fn twin_of(program: &Program, dummy: SymId) -> Option<SymId> {
    program[dummy].procedure()?.twin
}

/// The derivative that a call passes beside a procedure.
pub(crate) fn twin_argument(
    program: &Program,
    signature: &Signature,
    dummy: SymId,
    (actual, named): (&Expr, bool),
) -> Option<Arg> {
    let ExprKind::ProcRef(sym) = actual.kind else { return None };
    let twin = twin_of(program, sym).filter(|_| signature.twins.contains(&dummy))?;
    let keyword = named.then(|| signature.names[&dummy].clone());
    Some(Arg { keyword, value: Expr { kind: ExprKind::ProcRef(twin), ..actual.clone() } })
}

/// What the heads call, directly or not.
fn reached(program: &Program, heads: &[ProcId]) -> Vec<ProcId> {
    let mut out: Vec<ProcId> = Vec::new();
    let mut queue = heads.to_vec();
    while let Some(p) = queue.pop() {
        if !out.contains(&p) && !program.is_declared_only(p) {
            out.push(p);
            queue.extend(calls(program, &program[p].body));
        }
    }
    out
}

/// Dummy procedures, with the procedures that have them, of which all that is known is their interface: other procedures are given
/// them by such dummies only.
fn candidates(program: &Program, heads: &[ProcId], reached: &[ProcId]) -> Vec<(ProcId, SymId)> {
    let mut out: Vec<(ProcId, SymId)> = Vec::new();
    for p in reached {
        let dummies = program[*p].dummies.iter().filter(|d| is_plain(program, *p, **d));
        out.extend(dummies.map(|d| (*p, *d)));
    }
    loop {
        let dummies: BTreeSet<SymId> = out.iter().map(|(_, d)| *d).collect();
        let mut given: BTreeMap<SymId, bool> = BTreeMap::new();
        for p in reached {
            for_each_call(&program[*p].body, &mut |callee, args| {
                let Some(c) = target(program, callee) else { return };
                for (dummy, actual) in program[c].dummies.iter().zip(bind(program, &program[c], args)) {
                    let handed = actual.is_some_and(|e| matches!(e.kind, ExprKind::ProcRef(s) if dummies.contains(&s)));
                    *given.entry(*dummy).or_insert(true) &= handed;
                }
            });
        }
        let known = |(p, d): &(ProcId, SymId)| given.get(d).copied().unwrap_or(heads.contains(p));
        let before = out.len();
        out.retain(known);
        if out.len() == before {
            return out;
        }
    }
}

/// True for a dummy procedure that an interface tells all about, and that is there: nobody asks. What has no part in derivatives isn't
/// looked at.
fn is_plain(program: &Program, p: ProcId, dummy: SymId) -> bool {
    let Some(info) = program[dummy].procedure().filter(|i| !i.pointer) else { return false };
    let mut fine = match info.interface {
        Some(i) => described(program, i),
        None => info.definition.is_some() || by_calls(program, p, dummy).is_some(),
    };
    let inside = program[p].internals.iter().flat_map(|i| &program[*i].body);
    let all: Vec<&Stmt> = inside.collect();
    for s in all {
        for_each_stmt(std::slice::from_ref(s), &mut |s| fine &= !mentions(s, dummy));
    }
    for_each_call(&program[p].body, &mut |callee, args| {
        let asked = args.iter().any(|a| matches!(a.value.kind, ExprKind::ProcRef(s) if s == dummy));
        fine &= !(asked && matches!(callee, Callee::Intrinsic(Intrinsic::Present)));
    });
    fine && !is_inactive(&program[p].body, dummy)
}

/// True where an `!$ad inactive` stands before a call of the procedure.
fn is_inactive(block: &[Stmt], dummy: SymId) -> bool {
    let directive = |s: &Stmt| match &s.kind {
        StmtKind::Directive { directive, .. } => {
            matches!(&directive.construct, Construct::Ad(AdDirective::Inactive(names)) if names.is_empty())
        }
        _ => false,
    };
    let here = block.windows(2).any(|w| directive(&w[0]) && mentions(&w[1], dummy));
    here || block.iter().any(|s| s.blocks().into_iter().any(|b| is_inactive(b, dummy)))
}

/// True for a procedure that a declaration describes: it is given values, in plain variables.
fn described(program: &Program, interface: ProcId) -> bool {
    let p = &program[interface];
    let result = match p.kind {
        ProcKind::Function(r) => Some(r),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    let plain = |d: &SymId| {
        program.var(*d).is_some_and(|v| {
            let a = &v.attrs;
            let moving = a.allocatable || a.pointer || a.optional || a.changes_unseen();
            let typed = !matches!(v.ty.base, Base::Class(_) | Base::Unlimited | Base::None | Base::Derived(_));
            !moving && typed && !v.dims.contains(&Dim::AssumedRank)
        })
    };
    p.bind.is_none() && p.problems.is_empty() && p.dummies.iter().chain(&result).all(plain)
}

/// The types and ranks of the arguments of an implicit interface, where all calls agree; what is returned is declared. An element of an
/// array may stand for those behind it, unless something else is passed elsewhere.
fn by_calls(program: &Program, p: ProcId, dummy: SymId) -> Option<Vec<Variable>> {
    let mut found: Option<Vec<Actual>> = None;
    let mut fine = true;
    for_each_call(&program[p].body, &mut |callee, args| {
        if !matches!(callee, Callee::Proc { sym, .. } if *sym == dummy) {
            return;
        }
        let own: Option<Vec<Actual>> = args.iter().map(|a| Actual::of(program, a)).collect();
        let known = found.take().or_else(|| own.clone());
        found = own.zip(known).and_then(|(own, known)| {
            let all = own.iter().zip(&known).map(|(a, b)| a.joined(b)).collect::<Option<Vec<_>>>();
            all.filter(|_| own.len() == known.len())
        });
        fine &= found.is_some();
    });
    let declared = |a: &Actual| {
        let dims = if a.scalar { Vec::new() } else { vec![Dim::AssumedSize(None)] };
        Variable { dims, ..Variable::scalar(a.ty, program.spell(a.ty)) }
    };
    found.filter(|_| fine).map(|list| list.iter().map(declared).collect())
}

/// What is passed to a procedure with an implicit interface.
#[derive(Clone)]
struct Actual {
    ty: Ty,
    /// It is no array and no element of one.
    scalar: bool,
    array: bool,
}

impl Actual {
    fn of(program: &Program, a: &Arg) -> Option<Actual> {
        let e = &a.value;
        let plain = matches!(e.ty.base, Base::Integer | Base::Real | Base::Complex | Base::Logical);
        let text = e.as_var().is_some_and(|d| program.var(d.sym).is_none());
        let element = e.as_var().is_some_and(|d| matches!(d.parts.last(), Some(Part::Subscripts(_))));
        let (scalar, array) = (e.rank == 0 && !element, e.rank > 0);
        (plain && !text && a.keyword.is_none()).then_some(Actual { ty: e.ty, scalar, array })
    }

    /// What both are examples of.
    fn joined(&self, other: &Actual) -> Option<Actual> {
        let (scalar, array) = (self.scalar || other.scalar, self.array || other.array);
        (self.ty == other.ty && !(scalar && array)).then_some(Actual { ty: self.ty, scalar, array })
    }
}

/// A procedure of which there is no more than what a dummy's interface says.
fn declaration(program: &mut Program, dummy: SymId) -> ProcId {
    let info = program[dummy].procedure().cloned().unwrap_or_default();
    let id = match info.interface {
        Some(i) => {
            let source = program[i].clone();
            body_of(program, &source)
        }
        None => by_argument_types(program, dummy, &info),
    };
    let p = &mut program[id];
    (p.sym, p.declared) = (dummy, true);
    id
}

fn by_argument_types(program: &mut Program, dummy: SymId, info: &ProcInfo) -> ProcId {
    let ScopeKind::Procedure(owner) = program[program[dummy].scope].kind else { return ProcId::new(0) };
    let arguments = by_calls(program, owner, dummy).unwrap_or_default();
    let (id, scope) = (ProcId::new(program.procedures.len()), program.add_scope(None, ScopeKind::Inner));
    program[scope].kind = ScopeKind::Procedure(id);
    let (name, span) = (program[dummy].name.clone(), program[dummy].span);
    let mut dummies = Vec::new();
    for (i, v) in arguments.into_iter().enumerate() {
        let own = Variable { dummy: Some(i), ..v };
        let name = Name::new(&format!("a{}", i + 1));
        dummies.push(program.add_symbol(scope, name, span, SymbolKind::Variable(Box::new(own))));
    }
    let mut kind = ProcKind::Subroutine;
    if let Some(ty) = info.ty {
        let own = Variable { result: true, ..Variable::scalar(ty, program.spell(ty)) };
        let name = Name::new("value");
        kind = ProcKind::Function(program.add_symbol(scope, name, span, SymbolKind::Variable(Box::new(own))));
    }
    let file = program[owner].file;
    program.procedures.push(Procedure {
        name,
        sym: dummy,
        scope,
        kind,
        dummies,
        prefix: Prefix::default(),
        bind: None,
        parent: ParentUnit::File(file),
        internals: Vec::new(),
        body: Block::new(),
        file,
        span,
        head: span,
        problems: Vec::new(),
        header: Vec::new(),
        copy_of: None,
        declared: true,
    });
    id
}

/// The derivative of a dummy procedure, as a dummy of the same procedure: with the interface that a generated one has.
fn twin(
    program: &mut Program,
    (procedure, dummy): (ProcId, SymId),
    declared: ProcId,
    mode: Mode,
    naming: &Naming,
) -> SymId {
    let scope = program[procedure].scope;
    let base = format!("{}{}", program[dummy].name, naming.procedure);
    let name = Taken::visible(program, scope).fresh(&base);
    let explicit = program[dummy].procedure().is_some_and(|p| p.interface.is_some());
    let mut info = program[dummy].procedure().cloned().unwrap_or_default();
    (info.definition, info.interface, info.ty, info.external) = (None, None, None, !explicit);
    if explicit {
        let own = interface_of_derivative(program, (declared, &name), mode, naming);
        let pure_ = program[procedure].prefix.is_pure();
        let p = &mut program[own];
        p.name = name.clone();
        p.prefix = Prefix { pure_, ..Prefix::default() };
        info.interface = Some(own);
    }
    let span = program[dummy].span;
    program.add_symbol(scope, name, span, SymbolKind::Procedure(Box::new(info)))
}

fn interface_of_derivative(
    program: &mut Program,
    (declared, name): (ProcId, &Name),
    mode: Mode,
    naming: &Naming,
) -> ProcId {
    let mut source = program[declared].clone();
    let result = match source.kind {
        ProcKind::Function(r) => Some(r),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    source.kind = ProcKind::Subroutine;
    source.dummies.extend(result);
    let own = body_of(program, &source);
    let scope = program[own].scope;
    let mut dummies = Vec::new();
    for (at, d) in program[own].dummies.clone().into_iter().enumerate() {
        let of_result = result.is_some() && at + 1 == source.dummies.len();
        let Some(v) = program.var(d).cloned() else { continue };
        let carries = v.ty.is_continuous();
        let mut taken = Taken::visible(program, scope);
        taken.insert(name.clone());
        let name = taken.fresh(&format!("{}{}", program[d].name, naming.variable));
        let own_intent = match (mode, v.intent) {
            (Mode::Tangent, _) if of_result => Some(Intent::Out),
            (Mode::Adjoint, Some(Intent::Out)) => Some(Intent::InOut),
            (_, intent) => intent,
        };
        if let SymbolKind::Variable(v) = &mut program[d].kind {
            (v.intent, v.result) = (own_intent, false);
        }
        if of_result && mode == Mode::Adjoint {
            let own = program[d].name.clone();
            program[scope].names.shift_remove(&own);
        } else {
            dummies.push(d);
        }
        if carries {
            let intent = match (mode, v.intent) {
                (Mode::Tangent, Some(Intent::In)) if !of_result => Some(Intent::In),
                (Mode::Tangent, None) if !of_result => None,
                (Mode::Tangent | Mode::Adjoint, _) => Some(Intent::InOut),
            };
            let attrs = Attrs { value: false, ..v.attrs };
            let own = Variable { intent, attrs, result: false, ..v };
            dummies.push(program.add_symbol(scope, name, program[d].span, SymbolKind::Variable(Box::new(own))));
        }
    }
    for (at, d) in dummies.iter().enumerate() {
        if let SymbolKind::Variable(v) = &mut program[*d].kind {
            v.dummy = Some(at);
        }
    }
    program[own].dummies = dummies;
    own
}

/// Visits all calls in a block.
fn for_each_call(block: &[Stmt], f: &mut impl FnMut(&Callee, &[Arg])) {
    for_each_stmt(block, &mut |s| {
        if let StmtKind::Call { callee, args } = &s.kind {
            f(callee, args);
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |e| {
                if let ExprKind::Call { callee, args } = &e.kind {
                    f(callee, args);
                }
            });
        }
    });
}

/// True where a statement calls or passes a procedure.
fn mentions(s: &Stmt, procedure: SymId) -> bool {
    let called = |c: &Callee| matches!(c, Callee::Proc { sym, .. } if *sym == procedure);
    let is = |e: &Expr| matches!(e.kind, ExprKind::ProcRef(s) if s == procedure);
    let mut found = matches!(&s.kind, StmtKind::Call { callee, .. } if called(callee));
    for e in s.exprs() {
        for_each_expr(e, &mut |e| found |= is(e) || matches!(&e.kind, ExprKind::Call { callee, .. } if called(callee)));
    }
    found
}
