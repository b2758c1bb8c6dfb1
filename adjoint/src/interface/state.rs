//! State of extended modules: generated code of another unit saves and restores what a module keeps private by calling
//! public procedures that are added to that module ([`Layout::Extend`]).
//!
//! A statement that mentions private entities of a module moves into such a procedure, with everything else that it
//! mentions as arguments; an expression (`allocated(w)`) becomes a function. Variables of a private type get a public
//! type around it.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Arg, Attrs, Base, Block, Callee, Component, CtorItem, DerivedType, Designator, Dim, Expr, ExprKind, Handle, Intent,
    ModuleId, ModuleKind, Name, Origin, ParentUnit, Part, Prefix, ProcId, ProcKind, Procedure, Program, ScopeId,
    ScopeKind, Stmt, StmtKind, Subscript, SymId, SymbolKind, Ty, Variable, for_each_expr,
};
use costate_grammar::print::{self, Style};
use costate_grammar::source::Span;

use costate_analysis::effects::finals_of;
use costate_analysis::externals::messages::message_of;
use costate_analysis::storage::resolve;

use crate::interface::mentions::definitions;
use crate::interface::refusal;
use crate::mode::Layout;
use crate::names::Taken;
use crate::remap::in_expr;
use crate::session::Session;

/// The component of a public type that holds a value of the private one.
const VALUE: &str = "value";

/// Moves what generated code of other units can't do itself into the modules whose state it is.
pub(crate) fn run(session: &mut Session<'_>) {
    if session.options.layout != Layout::Extend {
        return;
    }
    let tops = session.generated();
    let mut made = Made::default();
    let mut queue: Vec<ProcId> = tops.into_iter().rev().collect();
    while let Some(p) = queue.pop() {
        queue.extend(session.program[p].internals.iter().rev());
        let mut outline = Outline { session, made: &mut made, procedure: p };
        outline.types();
        outline.declarations();
        let body = std::mem::take(&mut outline.session.program[p].body);
        let body = body.into_iter().map(|s| outline.statement(s)).collect();
        session.program[p].body = body;
    }
}

/// What was added to modules.
#[derive(Default)]
struct Made {
    /// Procedures by their module and their text without the name.
    procedures: BTreeMap<(ModuleId, String), SymId>,
    /// Public types around private ones.
    types: BTreeMap<SymId, SymId>,
}

struct Outline<'s, 'a> {
    session: &'s mut Session<'a>,
    made: &'s mut Made,
    procedure: ProcId,
}

/// A procedure in the making: its scope, its dummies and the arguments that they stand for.
struct Moved {
    module: ModuleId,
    scope: ScopeId,
    dummies: Vec<SymId>,
    actuals: Vec<Expr>,
}

impl Outline<'_, '_> {
    fn program(&self) -> &Program {
        self.session.program
    }

    /// The module that a procedure's generated module extends.
    fn own(&self) -> Option<ModuleId> {
        let m = self.program().module_of(self.program()[self.procedure].scope)?;
        Some(self.session.modules.iter().find(|(_, g)| **g == m).map_or(m, |(p, _)| *p))
    }

    /// The module of another unit that keeps an entity to itself.
    fn keeper(&self, sym: SymId, defines: bool) -> Option<ModuleId> {
        let symbol = &self.program()[sym];
        let ScopeKind::Module(m) = self.program()[symbol.scope].kind else { return None };
        let kept =
            symbol.var().is_some_and(|v| !v.attrs.parameter && (symbol.private || (defines && v.attrs.protected)));
        (kept && self.own() != Some(m)).then_some(m)
    }

    /// The module whose private state an expression touches; `None` for several too.
    fn touched(&self, e: &Expr, defines: bool) -> BTreeSet<ModuleId> {
        let mut out = BTreeSet::new();
        for_each_expr(e, &mut |x| {
            let ExprKind::Var(d) = &x.kind else { return };
            out.extend(self.keeper(d.sym, defines && std::ptr::eq(x, e)));
            if !d.path().is_empty() {
                out.extend(self.wrapped(d.sym));
            }
        });
        out
    }

    /// The module of the private type of a variable that has a public type around it.
    fn wrapped(&self, sym: SymId) -> Option<ModuleId> {
        let wrapper = self.program().var(sym)?.ty.derived()?;
        let (inner, _) = self.made.types.iter().find(|(_, w)| **w == wrapper)?;
        self.program().module_of(self.program()[*inner].scope)
    }

    /// Gives local variables of private types a public type.
    fn types(&mut self) {
        let scope = self.program()[self.procedure].scope;
        let locals: Vec<SymId> = self.program()[scope].names.values().copied().collect();
        for s in locals.into_iter().filter(|s| self.program()[*s].scope == scope).collect::<Vec<_>>() {
            let Some(ty) = self.program().var(s).and_then(|v| v.ty.derived()) else { continue };
            let Some(home) = self.program().module_of(self.program()[ty].scope) else { continue };
            if !self.program()[ty].private || self.own() == Some(home) {
                continue;
            }
            let wrapper = self.wrapper(ty, home);
            if let SymbolKind::Variable(v) = &mut self.session.program[s].kind {
                v.ty = Ty::new(Base::Derived(wrapper), v.ty.kind);
                v.spelling = String::new();
                v.spelling_uses = vec![wrapper];
            }
        }
    }

    /// The public type around a private one.
    fn wrapper(&mut self, ty: SymId, home: ModuleId) -> SymId {
        if let Some(&w) = self.made.types.get(&ty) {
            return w;
        }
        let name = self.free(home, &format!("{}_state", self.program()[ty].name));
        let mut var = Variable::scalar(Ty::new(Base::Derived(ty), 0), "");
        var.spelling_uses = vec![ty];
        let components = vec![Component::new(Name::new(VALUE), var)];
        let derived = DerivedType { components, ..DerivedType::default() };
        let module = self.session.module_for(home);
        let scope = self.program()[module].scope;
        let kind = SymbolKind::Type(Box::new(derived));
        let w = self.session.program.add_symbol(scope, name, Span::default(), kind);
        self.made.types.insert(ty, w);
        w
    }

    /// A name that is free in a module and where that is used.
    fn free(&mut self, m: ModuleId, base: &str) -> Name {
        let module = self.session.module_for(m);
        let mut taken = self.session.taken_by_users(m);
        taken.extend(&Taken::visible(self.program(), self.program()[module].scope));
        // Tangent and adjoint may stand in one module.
        taken.fresh(&format!("{base}{}", self.session.naming.procedure))
    }

    /// Bounds of local variables.
    fn declarations(&mut self) {
        let scope = self.program()[self.procedure].scope;
        let locals: Vec<SymId> = self.program()[scope].names.values().copied().collect();
        for s in locals {
            if self.program()[s].scope != scope {
                continue;
            }
            let Some(dims) = self.program().var(s).map(|v| v.dims.clone()) else { continue };
            let dims = dims
                .into_iter()
                .map(|d| match d {
                    Dim::Explicit(lo, hi) => Dim::Explicit(lo.map(|e| self.expression(&e)), self.expression(&hi)),
                    Dim::Assumed(_) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => d,
                })
                .collect();
            if let SymbolKind::Variable(v) = &mut self.session.program[s].kind {
                v.dims = dims;
            }
        }
    }

    fn statement(&mut self, mut s: Stmt) -> Stmt {
        let mut modules = BTreeSet::new();
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                modules.extend(self.touched(lhs, true));
                modules.extend(self.touched(rhs, false));
            }
            StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } | StmtKind::Nullify(_) => {
                s.exprs().into_iter().for_each(|e| modules.extend(self.touched(e, true)));
            }
            StmtKind::Call { callee, args } if self.predefined(callee) => {
                args.iter().for_each(|a| modules.extend(self.touched(&a.value, true)));
            }
            StmtKind::Call { callee: Callee::Proc { sym, .. }, args } if self.hidden(*sym, args).is_some() => {
                modules.extend(self.hidden(*sym, args));
            }
            _ => {
                let mut kind = s.kind.clone();
                kind.map_exprs(&mut |e| self.expression(e));
                s.kind = kind;
                for b in s.blocks_mut() {
                    let inner: Block = std::mem::take(b);
                    *b = inner.into_iter().map(|s| self.statement(s)).collect();
                }
                return s;
            }
        }
        match modules.pop_first() {
            Some(m) if modules.is_empty() => self.outlined(m, s),
            // What belongs to two modules is refused where names are resolved.
            Some(_) | None => s,
        }
    }

    /// True for intrinsic procedures, those of the run-time library and of MPI. Others may use the module themselves.
    fn predefined(&self, callee: &Callee) -> bool {
        match callee {
            Callee::Intrinsic(_) => true,
            Callee::Proc { sym, .. } if self.passes_messages(*sym) => true,
            Callee::Proc { sym, .. } => {
                let home = self.program().module_of(self.program()[*sym].scope);
                home.is_some_and(|m| self.program()[m].kind == ModuleKind::Intrinsic)
            }
            Callee::Bound { .. } => false,
        }
    }

    /// True for a procedure of MPI, which has no source.
    fn passes_messages(&self, sym: SymId) -> bool {
        let symbol = &self.program()[sym];
        let written = symbol.procedure().and_then(|p| p.definition).is_some_and(|p| !self.program()[p].declared);
        !written && message_of(&symbol.name).is_some()
    }

    /// The module of another unit that keeps a final procedure to itself.
    fn hidden(&self, sym: SymId, args: &[Arg]) -> Option<ModuleId> {
        let symbol = &self.program()[sym];
        let ScopeKind::Module(m) = self.program()[symbol.scope].kind else { return None };
        let [object] = args else { return None };
        let ends = finals_of(self.program(), object.value.ty);
        let procedure = symbol.procedure().and_then(|p| p.definition);
        let known = symbol.private && self.own() != Some(m) && object.value.rank == 0;
        (known && procedure.is_some_and(|p| ends.contains(&p))).then_some(m)
    }

    /// A statement as a call of a procedure of a module.
    fn outlined(&mut self, m: ModuleId, s: Stmt) -> Stmt {
        let mut moved = self.begin(m);
        let mut kind = s.kind.clone();
        let base = base_name(self.program(), &s.kind, &|sym| self.keeper(sym, true).is_some());
        let mut place = definitions(&kind);
        if matches!(&kind, StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } if self.program()[*sym].name.as_str() == "costate_verify")
        {
            // Comparing changes nothing but what the schedule knows.
            place.retain(|at| *at == 0);
        }
        let mut number = 0;
        kind.map_exprs(&mut |e| {
            let defines = place.contains(&number);
            number += 1;
            self.carve(&mut moved, e, defines)
        });
        let id = self.session.program.fresh_stmt();
        let inner = Stmt::new(id, kind, s.origin);
        let (sym, actuals) = self.finish(moved, vec![inner], &base, None);
        let callee = Callee::Proc { sym, generic: None, operator: None };
        Stmt { kind: StmtKind::Call { callee, args: actuals.into_iter().map(Arg::new).collect() }, ..s }
    }

    /// An expression whose parts that touch private state are calls of functions.
    fn expression(&mut self, e: &Expr) -> Expr {
        let mut modules = self.touched(e, false);
        let Some(m) = modules.pop_first() else { return e.clone() };
        if !modules.is_empty() || e.rank > 0 {
            return e.clone();
        }
        let mut moved = self.begin(m);
        let inner = self.carve(&mut moved, e, false);
        let base = match &e.kind {
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
                let of = args.first().and_then(|a| a.value.as_var()).map(|d| self.program()[d.sym].name.clone());
                format!("{}_{}", f.name(), of.unwrap_or_else(|| Name::new("state")))
            }
            _ => "value_of_state".to_string(),
        };
        let result = Variable::scalar(e.ty, self.program().spell(e.ty));
        let kind = SymbolKind::Variable(Box::new(Variable { result: true, ..result }));
        let name = Taken::visible(self.program(), moved.scope).fresh("answer");
        let result = self.session.program.add_symbol(moved.scope, name, Span::default(), kind);
        let id = self.session.program.fresh_stmt();
        let set = StmtKind::Assign { lhs: Expr::var(result, e.ty, 0), rhs: inner };
        let (sym, actuals) = self.finish(moved, vec![Stmt::new(id, set, Origin::Source(e.span))], &base, Some(result));
        let callee = Callee::Proc { sym, generic: None, operator: None };
        let args = actuals.into_iter().map(Arg::new).collect();
        Expr { kind: ExprKind::Call { callee, args }, ..e.clone() }
    }

    fn begin(&mut self, m: ModuleId) -> Moved {
        let module = self.session.module_for(m);
        let host = self.program()[module].scope;
        let scope = self.session.program.add_scope(Some(host), ScopeKind::Inner);
        Moved { module, scope, dummies: Vec::new(), actuals: Vec::new() }
    }

    /// An expression as the moved procedure has it: what doesn't touch the module's state becomes an argument.
    fn carve(&mut self, moved: &mut Moved, e: &Expr, defines: bool) -> Expr {
        let literal = matches!(
            e.kind,
            ExprKind::Int { suffix: None, .. }
                | ExprKind::Real { suffix: None, .. }
                | ExprKind::Logical { suffix: None, .. }
                | ExprKind::Str(_)
        );
        if literal {
            return e.clone();
        }
        let mut deep = false;
        for_each_expr(e, &mut |x| {
            if let ExprKind::Var(d) = &x.kind {
                deep |= self.keeper(d.sym, true).is_some() || (!d.path().is_empty() && self.wrapped(d.sym).is_some());
            }
        });
        if !deep {
            return if self.belongs(moved, e) { e.clone() } else { self.argument(moved, e, defines) };
        }
        match &e.kind {
            ExprKind::Var(d) if self.keeper(d.sym, true).is_none() && self.wrapped(d.sym).is_some() => {
                // A component of a variable that has a public type around its private one.
                let at = d.parts.iter().position(|p| matches!(p, Part::Component(_))).unwrap_or(d.parts.len());
                let base = Designator { sym: d.sym, parts: d.parts[..at].to_vec() };
                let ty = self.program().var(d.sym).map_or(e.ty, |v| v.ty);
                let rank = base.subscripts().count() as u8;
                let rank = if rank == 0 { self.program().var(d.sym).map_or(0, |v| v.rank()) } else { 0 };
                let whole = Expr { kind: ExprKind::Var(base), ty, rank, span: e.span };
                let mut dummy = self.argument(moved, &whole, defines);
                if let ExprKind::Var(x) = &mut dummy.kind {
                    x.parts.extend(d.parts[at..].iter().cloned());
                }
                Expr { kind: dummy.kind, ..e.clone() }
            }
            ExprKind::Var(d) if self.keeper(d.sym, true).is_some() => {
                let parts = d.parts.iter().map(|p| self.carve_part(moved, p)).collect();
                Expr { kind: ExprKind::Var(Designator { sym: d.sym, parts }), ..e.clone() }
            }
            ExprKind::Var(d) => {
                // An element of a variable of the other unit, by a subscript that the module keeps to itself.
                let d = d.clone().map_subscripts(&mut |e| self.expression(&e));
                self.argument(moved, &Expr { kind: ExprKind::Var(d), ..e.clone() }, defines)
            }
            ExprKind::Unary(op, a) => {
                Expr { kind: ExprKind::Unary(*op, Box::new(self.carve(moved, a, false))), ..e.clone() }
            }
            ExprKind::Paren(a) => Expr { kind: ExprKind::Paren(Box::new(self.carve(moved, a, false))), ..e.clone() },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.carve(moved, a, false), self.carve(moved, b, false));
                Expr { kind: ExprKind::Binary(*op, Box::new(a), Box::new(b)), ..e.clone() }
            }
            ExprKind::Call { callee, args } => {
                let args = args
                    .iter()
                    .map(|a| Arg { keyword: a.keyword.clone(), value: self.carve(moved, &a.value, false) })
                    .collect();
                Expr { kind: ExprKind::Call { callee: callee.clone(), args }, ..e.clone() }
            }
            ExprKind::ArrayCtor { type_spec, items } => {
                let items = items
                    .iter()
                    .map(|i| match i {
                        CtorItem::Value(v) => CtorItem::Value(self.carve(moved, v, false)),
                        CtorItem::ImpliedDo { .. } => i.clone(),
                    })
                    .collect();
                Expr { kind: ExprKind::ArrayCtor { type_spec: type_spec.clone(), items }, ..e.clone() }
            }
            ExprKind::Int { .. }
            | ExprKind::Real { .. }
            | ExprKind::ComplexLit(..)
            | ExprKind::Logical { .. }
            | ExprKind::Str(_)
            | ExprKind::Boz(_)
            | ExprKind::StructCtor { .. }
            | ExprKind::ProcRef(_)
            | ExprKind::Opaque(_) => e.clone(),
        }
    }

    fn carve_part(&mut self, moved: &mut Moved, part: &Part) -> Part {
        let Part::Subscripts(list) = part else { return part.clone() };
        let mut one = |e: &Expr| self.carve(moved, e, false);
        let list = list
            .iter()
            .map(|s| match s {
                Subscript::Index(e) => Subscript::Index(one(e)),
                Subscript::Range { lo, hi, step } => Subscript::Range {
                    lo: lo.as_ref().map(&mut one),
                    hi: hi.as_ref().map(&mut one),
                    step: step.as_ref().map(&mut one),
                },
            })
            .collect();
        Part::Subscripts(list)
    }

    /// True for what the module of the moved procedure has itself, or can use as well: names of modules that aren't among the
    /// files, an MPI's say.
    fn belongs(&self, moved: &Moved, e: &Expr) -> bool {
        let mut all = BTreeSet::new();
        in_expr(e, &mut all);
        let primal = self.session.modules.iter().find(|(_, g)| **g == moved.module).map(|(p, _)| *p);
        !all.is_empty()
            && all.iter().all(|s| match self.program()[self.program()[*s].scope].kind {
                ScopeKind::Module(m) => {
                    m == moved.module || Some(m) == primal || self.program()[m].kind == ModuleKind::Intrinsic
                }
                ScopeKind::Procedure(_) | ScopeKind::Inner | ScopeKind::Global => false,
            })
    }

    /// A dummy of the moved procedure for an expression.
    fn argument(&mut self, moved: &mut Moved, e: &Expr, defines: bool) -> Expr {
        let wrapper = self.is_wrapper(e);
        let known = moved.actuals.iter().position(|a| a == e);
        let sym = match known {
            Some(at) => moved.dummies[at],
            None => {
                if e.ty.base == Base::None {
                    let problem = refusal::private_pointer(self.program(), moved.module, e);
                    self.session.problems.extend(Some(problem).filter(|p| !self.session.problems.contains(p)));
                }
                let whole = e.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym);
                let allocatable = whole.and_then(|s| self.program().var(s)).is_some_and(|v| v.attrs.allocatable);
                // The expression still has the private type.
                let ty = self.wrapped_type(e).unwrap_or(e.ty);
                let mut v = Variable::scalar(ty, "");
                v.spelling_uses = ty.derived().into_iter().collect();
                let like = e.as_var().and_then(|d| resolve(self.program(), d.sym, &d.path()));
                if e.ty.base == Base::Character {
                    v.spelling = "character(len=*)".to_string();
                } else if let Some(like) = like.filter(|v| v.ty == ty && ty.derived().is_none()) {
                    // The user's kind; it is spelt anew where it isn't known.
                    (v.spelling, v.spelling_uses) = (like.spelling.clone(), like.spelling_uses.clone());
                }
                let dim = if allocatable { Dim::Deferred } else { Dim::Assumed(None) };
                v.dims = vec![dim; usize::from(e.rank)];
                v.attrs = Attrs { allocatable, ..Attrs::default() };
                v.dummy = Some(moved.dummies.len());
                v.intent = Some(Intent::In);
                let name = Taken::visible(self.program(), moved.scope).fresh("copy");
                let kind = SymbolKind::Variable(Box::new(v));
                let sym = self.session.program.add_symbol(moved.scope, name, Span::default(), kind);
                moved.dummies.push(sym);
                moved.actuals.push(e.clone());
                sym
            }
        };
        let may_change = |v: &Variable| !v.attrs.parameter && v.intent != Some(Intent::In);
        let changes = defines && e.as_var().is_some_and(|d| self.program().var(d.sym).is_some_and(may_change));
        if let (true, SymbolKind::Variable(v)) = (changes, &mut self.session.program[sym].kind) {
            v.intent = Some(Intent::InOut);
        }
        let mut out = Expr { rank: e.rank, ..Expr::var(sym, e.ty, e.rank) };
        if let (Some(inner), ExprKind::Var(d)) = (wrapper, &mut out.kind) {
            d.parts.push(Part::Component(Name::new(VALUE)));
            out.ty = Ty::new(Base::Derived(inner), 0);
        }
        out
    }

    /// The type of a variable whose private type has a public one around it.
    fn wrapped_type(&self, e: &Expr) -> Option<Ty> {
        self.is_wrapper(e)?;
        self.program().var(e.as_var()?.sym).map(|v| v.ty)
    }

    /// The private type in an expression of the public type around it.
    fn is_wrapper(&self, e: &Expr) -> Option<SymId> {
        let d = e.as_var()?;
        let wrapper = self.program().var(d.sym)?.ty.derived()?;
        d.path().is_empty().then_some(())?;
        self.made.types.iter().find(|(_, w)| **w == wrapper).map(|(inner, _)| *inner)
    }

    /// Adds the procedure to its module, unless there is one like it already; returns it with the actual arguments.
    fn finish(&mut self, moved: Moved, body: Block, base: &str, result: Option<SymId>) -> (SymId, Vec<Expr>) {
        let Moved { module, scope, dummies, actuals } = moved;
        let actuals: Vec<Expr> = actuals;
        let program = &mut *self.session.program;
        let id: ProcId = Handle::new(program.procedures.len());
        let nowhere = program.add_scope(None, ScopeKind::Inner);
        let kind = SymbolKind::Procedure(Box::default());
        let sym = program.add_symbol(nowhere, Name::new(""), Span::default(), kind);
        let (file, span) = (program[module].file, program[module].span);
        program.procedures.push(Procedure {
            name: Name::new(""),
            sym,
            scope,
            kind: result.map_or(ProcKind::Subroutine, ProcKind::Function),
            dummies,
            prefix: Prefix { pure_: result.is_some(), ..Prefix::default() },
            bind: None,
            parent: ParentUnit::Module(module),
            internals: Vec::new(),
            body,
            file,
            span,
            head: span,
            problems: Vec::new(),
            header: vec!["State of this module for derivative code of other units, generated by Costate.".to_string()],
            copy_of: None,
            declared: false,
        });
        program[scope].kind = ScopeKind::Procedure(id);
        let text = print::procedure(program, id, &Style::default());
        let key = (module, text);
        if let Some(&known) = self.made.procedures.get(&key) {
            return (known, actuals);
        }
        let primal = self.session.modules.iter().find(|(_, g)| **g == module).map_or(module, |(p, _)| *p);
        let name = self.free(primal, base);
        let program = &mut *self.session.program;
        let home = program[module].scope;
        program[sym].name = name.clone();
        program[sym].scope = home;
        program[home].names.insert(name.clone(), sym);
        program[id].name = name;
        if let SymbolKind::Procedure(info) = &mut program[sym].kind {
            info.definition = Some(id);
        }
        program[module].procedures.push(id);
        self.made.procedures.insert(key, sym);
        (sym, actuals)
    }
}

/// What a procedure is called that a statement moves to: `save_t_b`, `restore_t_b`, `zero_t_b`,
/// `allocate_t_b`, `push_t_b`, with the suffix of the mode.
fn base_name(program: &Program, kind: &StmtKind, kept: &dyn Fn(SymId) -> bool) -> String {
    let of = |e: &Expr| {
        let mut all = BTreeSet::new();
        in_expr(e, &mut all);
        all.into_iter().find(|s| kept(*s)).map(|s| program[s].name.clone())
    };
    let name = |e: Option<&Expr>| e.and_then(of).unwrap_or_else(|| Name::new("state"));
    match kind {
        StmtKind::Assign { lhs, rhs } => match of(lhs) {
            Some(n) if rhs.literal_value() == Some(0.0) => format!("zero_{n}"),
            Some(n) => format!("restore_{n}"),
            None => format!("save_{}", name(Some(rhs))),
        },
        StmtKind::Allocate { items, options, .. } => {
            let all = items.iter().map(|i| &i.object).chain(options.iter().map(|(_, e)| e));
            format!("allocate_{}", name(all.into_iter().find(|e| of(e).is_some())))
        }
        StmtKind::Deallocate { items, .. } => format!("deallocate_{}", name(items.first())),
        StmtKind::Call { callee, args } => {
            let word = match callee {
                Callee::Proc { sym, .. } => program[*sym].name.as_str().trim_start_matches("costate_").to_string(),
                Callee::Intrinsic(f) => f.name().to_string(),
                Callee::Bound { binding, .. } => binding.name.to_string(),
            };
            let first = args.iter().map(|a| &a.value).find(|e| of(e).is_some());
            format!("{word}_{}", name(first))
        }
        _ => "state".to_string(),
    }
}
