//! Procedures without source whose derivatives are given by name: their declarations are read with the user's files, and
//! their derivatives are called where those of other procedures are generated.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costate_analysis::activity::ContextId;
use costate_analysis::effects::{bind, call_parts, called};
use costate_analysis::externals::messages::Traffic;
use costate_analysis::externals::{External, Externals, Written};
use costate_analysis::storage::{LocSet, resolve};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::form::{ReadFile, ReadOptions, read};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, CtorItem, Designator, Dim, Expr, ExprKind, Intent, Name, Part, ProcId, ProcKind, Program,
    Role, Stmt, StmtKind, SymId, Ty, for_each_stmt,
};
use costate_grammar::source::SourceMap;

use crate::build::Builder;
use crate::communication::{begun_elsewhere, one_sided, unknown_call};
use crate::interface::{Signature, derivative_dummies};
use crate::interface_blocks::Interfaces;
use crate::mode::Mode;
use crate::objects::is_object;
use crate::passed::twin_of;
use crate::runtime;
use crate::session::Session;
use crate::told;

/// What the declarations are called in messages.
pub const DECLARATIONS: &str = "declarations of external procedures";

/// The declarations of what some files mention and none of them defines; those of the user's tables are in files by the names
/// of these.
pub fn declarations(sources: &mut SourceMap, files: &[ReadFile], externals: &Externals) -> Vec<ReadFile> {
    let lines = files.iter().flat_map(|f| &f.lines.lines);
    let mut wanted = externals.mentioned(lines.map(|l| l.text.as_str()));
    let defined: BTreeSet<&str> = files.iter().flat_map(|f| &f.units).map(|u| u.name.as_str()).collect();
    let mut told = Interfaces::new(externals, &defined);
    let mut out: Vec<ReadFile> = files.iter().filter_map(|f| told.read(sources, f)).collect();
    wanted.retain(|name| !defined.contains(name.as_str()) && !told.declares(name));
    let own = externals.declarations(&wanted);
    let own = (!own.is_empty()).then_some((DECLARATIONS, own));
    let all = externals.declarations_in_tables(&wanted).into_iter().chain(own);
    out.extend(all.map(|(name, text)| read(sources, name, text, &ReadOptions::default())));
    out
}

/// A row for the procedure that a statement calls, as far as the call tells; what is left to say are intents and shapes.
pub(crate) fn row_for(program: &Program, s: &Stmt) -> Option<String> {
    let (callee, args, result) = call_parts(s)?;
    let Callee::Proc { sym, .. } = callee else { return None };
    let name = &program[*sym].name;
    let (mut dummies, mut lines) = (Vec::<String>::new(), Vec::new());
    for (i, arg) in args.iter().enumerate() {
        let variable = arg.value.as_var().filter(|d| d.parts.is_empty()).map(|d| program[d.sym].name.to_string());
        let named = arg.keyword.as_ref().map(Name::to_string).or(variable);
        let dummy = named.filter(|n| !dummies.contains(n)).unwrap_or_else(|| format!("a{}", i + 1));
        let shape = if arg.value.rank > 0 || is_element(&arg.value) { "(*)" } else { "" };
        lines.push(declared_as(program, arg.value.ty, &format!("{dummy}{shape}"))?);
        dummies.push(dummy);
    }
    let list = dummies.join(", ");
    let (head, end) = match result {
        None => (format!("subroutine {name}({list})"), "end subroutine"),
        Some(to) => {
            lines.push(declared_as(program, to.ty, "r")?);
            (format!("function {name}({list}) result(r)"), "end function")
        }
    };
    let lines: String = lines.iter().map(|l| format!("  {l}\n")).collect();
    Some(format!(
        "[[procedure]]\ndeclaration = '''\n{head}\n{lines}{end}'''\ntangent = \"{name}_d\"\nadjoint = \"{name}_b\""
    ))
}

fn declared_as(program: &Program, ty: Ty, what: &str) -> Option<String> {
    let spelling = match ty.base {
        Base::Integer | Base::Real | Base::Complex | Base::Logical => program.spell(ty),
        Base::Character => "character(len=*)".into(),
        Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None => return None,
    };
    Some(format!("{spelling} :: {what}"))
}

/// True for an element of an array, or an array's section.
fn is_element(e: &Expr) -> bool {
    e.as_var().is_some_and(|d| matches!(d.parts.last(), Some(Part::Subscripts(_))))
}

/// A variable of the shape of an actual argument that is zero, for a derivative that nobody has: what gives it shape and value,
/// and what is passed. Behind an element stand those that follow it. Of an array whose size isn't known it has as many elements
/// as are used; there is none where `used` doesn't tell.
pub(crate) fn zero_like(
    b: &mut Builder<'_>,
    base: &str,
    actual: &Expr,
    used: impl FnOnce(&Program) -> Option<Expr>,
    (from, role): (&Stmt, Role),
) -> Option<(Block, Expr)> {
    let whole = if actual.rank == 0 && is_element(actual) { actual.array() } else { actual.clone() };
    let known = whole.as_var().filter(|_| !is_element(&whole)).and_then(|d| resolve(b.program, d.sym, &d.path()));
    if known.is_some_and(|v| v.dims.iter().any(|d| matches!(d, Dim::AssumedSize(_)))) {
        let length = used(b.program)?;
        return Some(zeros(b, base, (actual.ty, length), (from, role)));
    }
    let (out, zero) = zeroed(b, base, &whole, (from, role));
    let last = actual.as_var().and_then(|d| d.parts.last()).filter(|_| whole.rank > actual.rank);
    let passed = match (&zero.kind, last) {
        (ExprKind::Var(d), Some(last)) => {
            let parts = vec![last.clone()];
            Expr { kind: ExprKind::Var(Designator { sym: d.sym, parts }), ..actual.clone() }
        }
        _ => zero,
    };
    Some((out, passed))
}

/// A new array with so many zeros, and what makes it.
pub(crate) fn zeros(
    b: &mut Builder<'_>,
    base: &str,
    (ty, length): (Ty, Expr),
    (from, role): (&Stmt, Role),
) -> (Block, Expr) {
    let sym = b.local(&format!("{base}{}", b.naming.variable), ty, vec![Dim::Deferred]);
    let zero = Expr::var(sym, ty, 1);
    let value = Expr::intrinsic(Intrinsic::Spread, vec![Expr::zero(ty), Expr::int(1), length]);
    let made = b.assign(zero.clone(), Expr { rank: 1, ..value }, from, role);
    (vec![made], zero)
}

/// A new variable of the shape of another one, and what makes it zero.
pub(crate) fn zeroed(b: &mut Builder<'_>, base: &str, like: &Expr, (from, role): (&Stmt, Role)) -> (Block, Expr) {
    let sym = b.local(&format!("{base}{}", b.naming.variable), like.ty, vec![Dim::Deferred; like.rank as usize]);
    let zero = Expr::var(sym, like.ty, like.rank);
    let mut out = Block::new();
    if like.rank > 0 {
        // Multiplying by zero would keep infinities; the allocation takes the shape, the next statement the zeros.
        out.push(b.assign(zero.clone(), like.clone(), from, role));
    }
    out.push(b.assign(zero.clone(), Expr::zero(like.ty), from, role));
    (out, zero)
}

/// Why there is no such variable.
pub(crate) const SIZELESS: &str = "an array without a known size is passed where no derivative is asked for";

impl Signature {
    /// What is passed for a dummy: for a procedure without source, a scalar that stands for an array of one element is one, as an
    /// explicit interface asks for.
    pub(crate) fn as_passed(&self, program: &Program, dummy: SymId, actual: &Expr) -> Expr {
        // Where ranks are no part of the interface, a scalar is passed as it is.
        let declared = self.external.as_ref().is_some_and(|row| row.traffic.is_none());
        let array = declared && program.var(dummy).is_some_and(|v| v.rank() > 0);
        if !array || actual.rank > 0 || is_element(actual) {
            return actual.clone();
        }
        let items = vec![CtorItem::Value(actual.clone())];
        Expr::new(ExprKind::ArrayCtor { type_spec: None, items }, actual.ty, 1)
    }

    /// True for a dummy of a procedure without source whose derivative is passed even where nobody asks for it.
    pub(crate) fn takes_unread(&self, program: &Program, dummy: SymId) -> bool {
        let symbol = &program[dummy];
        let required = self.external.as_ref().is_some_and(|row| row.requires(&symbol.name));
        required && (symbol.var().is_some_and(|v| v.ty.is_continuous()) || is_object(program, self, dummy))
    }

    /// True where derivatives stand behind all other arguments, with keywords.
    pub(crate) fn has_behind(&self) -> bool {
        self.external.as_ref().is_some_and(|row| row.behind)
    }

    /// The actual arguments in the order in which the derivative takes them.
    pub(crate) fn arranged(&self, args: Vec<Arg>) -> Vec<Arg> {
        if !self.has_behind() {
            return args;
        }
        let derivative = |a: &Arg| a.keyword.as_ref().is_some_and(|k| self.names.values().any(|n| n == k));
        let (derivatives, mut all): (Vec<Arg>, Vec<Arg>) = args.into_iter().partition(derivative);
        all.extend(derivatives);
        all
    }
}

impl Session<'_> {
    /// The interface of the given derivative of a procedure without source.
    pub(crate) fn sign_external(&mut self, id: ContextId, primal: ProcId, row: &Arc<External>) -> Signature {
        let storage = self.storage[id.0 as usize].clone();
        let (mut derivative, result) = derivative_dummies(self.program, &mut self.effects, primal, &storage);
        derivative.retain(|d| !row.without.contains(&self.program[*d].name));
        let name = row.derivatives[self.mode as usize].clone().unwrap_or_else(|| self.program[primal].name.clone());
        let sym = match twin_of(self.program, self.program[primal].sym).filter(|_| row.passed) {
            Some(twin) => twin,
            None => self.procedure_called(primal, row, &name),
        };
        let suffix = self.naming_of(row);
        let own = match self.program[primal].kind {
            ProcKind::Function(r) => Some(r),
            ProcKind::Subroutine | ProcKind::Program => None,
        };
        let all = self.program[primal].dummies.iter().copied().chain(own);
        let names: BTreeMap<SymId, Name> =
            all.map(|d| (d, Name::new(&format!("{}{suffix}", self.program[d].name)))).collect();
        let with: BTreeSet<Name> = derivative.iter().map(|d| self.program[*d].name.clone()).collect();
        let access = self.effects.summaries.get(&primal).map(|s| s.access.clone()).unwrap_or_default();
        let needed = |l: &costate_analysis::storage::LocId| {
            row.uses(&self.program[self.effects.locs.get(*l).sym].name, |n| with.contains(n))
        };
        let needs = access.reads.iter().copied().filter(needed).collect();
        let left = |l: &costate_analysis::storage::LocId| {
            row.after.contains(&self.program[self.effects.locs.get(*l).sym].name)
        };
        let after = access.writes.iter().copied().filter(left).collect();
        let clobbers = if row.keeps_values { LocSet::new() } else { access.writes };
        self.uses_runtime |= row.module.as_ref().is_some_and(|m| runtime::is_module(m));
        Signature {
            names,
            needs: Some(needs),
            clobbers: Some(clobbers),
            after,
            repeats: false,
            whole: Some("its derivative is given"),
            external: Some(Arc::clone(row)),
            ..Signature::new((id, primal), (name, sym), (derivative, result), storage)
        }
    }

    /// The ends of the names of derivative dummies of given derivatives.
    fn naming_of(&self, row: &External) -> String {
        match (row.module.as_ref().is_some_and(|m| runtime::is_module(m)), self.mode) {
            (true, Mode::Tangent) => "_d".into(),
            (true, Mode::Adjoint) => "_b".into(),
            (false, _) => self.naming.variable.clone(),
        }
    }

    /// Refuses calls that don't fit the declaration of what they call.
    pub(crate) fn check_calls_of_declared(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for body in self.effects.bodies.values() {
            for_each_stmt(body, &mut |s: &Stmt| {
                let declared = |(p, _): &(ProcId, &[Arg])| self.program.declarations.contains(&self.program[*p].file);
                let Some((proc, args)) = called(self.program, s).filter(declared) else {
                    return;
                };
                let subroutine = matches!(s.kind, StmtKind::Call { .. });
                if let Some(why) = self.misfit(proc, args, subroutine) {
                    let message = format!("this call doesn't fit the declaration of `{}`", self.program[proc].name);
                    let d = Diagnostic::error(Code::ExternalProcedure, s.origin.span(), message).reason(why);
                    out.push(d.help("correct the call, or the row that declares the procedure"));
                }
            });
        }
        out
    }

    fn misfit(&self, proc: ProcId, args: &[Arg], subroutine: bool) -> Option<String> {
        let p = &self.program[proc];
        if subroutine != (p.kind == ProcKind::Subroutine) {
            return Some(format!(
                "`{}` is declared as a {}",
                p.name,
                if subroutine { "function" } else { "subroutine" }
            ));
        }
        let name = |d: &SymId| &self.program[*d].name;
        if let Some(k) =
            args.iter().filter_map(|a| a.keyword.as_ref()).find(|k| !p.dummies.iter().any(|d| name(d) == *k))
        {
            return Some(format!("it has no dummy `{k}`"));
        }
        if args.len() > p.dummies.len() {
            return Some(format!("it has {} dummies, and {} arguments are passed", p.dummies.len(), args.len()));
        }
        for (dummy, actual) in p.dummies.iter().zip(bind(self.program, p, args)) {
            let v = self.program.var(*dummy)?;
            let Some(actual) = actual else {
                if v.attrs.optional {
                    continue;
                }
                return Some(format!("nothing is passed for `{}`", name(dummy)));
            };
            let same = actual.ty == v.ty || actual.ty.base == v.ty.base && v.ty.base == Base::Character;
            if !same && actual.ty.base != Base::None {
                return Some(format!("what is passed for `{}` is of another type or kind", name(dummy)));
            }
            let scalar = v.dims.is_empty();
            if scalar && actual.rank > 0 && !p.prefix.elemental {
                return Some(format!("an array is passed for the scalar `{}`", name(dummy)));
            }
            let lone = actual.rank == 0 && !is_element(actual) && !scalar;
            if lone && !(v.intent == Some(Intent::In) && matches!(v.dims.as_slice(), [Dim::AssumedSize(_)])) {
                return Some(format!("a scalar is passed for the array `{}`", name(dummy)));
            }
        }
        None
    }

    /// What is wrong with a declaration, or can't be told by one.
    pub(crate) fn misdeclared(&self, proc: ProcId, row: &External) -> Vec<Diagnostic> {
        let mut out = self.program[proc].problems.clone();
        out.retain(|d| d.severity == Severity::Error);
        let p = &self.program[proc];
        let has_source = self.program.told.contains(&proc);
        for sym in &p.dummies {
            let symbol = &self.program[*sym];
            if p.dummies.iter().filter(|d| *d == sym).count() > 1 {
                let message = format!("`{}` is a dummy twice", symbol.name);
                let d = Diagnostic::error(Code::UnsupportedDeclaration, symbol.span, message);
                out.push(d.reason("each dummy has a name of its own").help("correct the declaration"));
            }
            let plain = symbol.var().is_some_and(|v| {
                let moving = v.attrs.allocatable || v.attrs.pointer || v.attrs.changes_unseen();
                !moving && !matches!(v.ty.base, Base::Class(_) | Base::Unlimited | Base::None)
            });
            let described = symbol.var().is_some_and(|v| {
                let shape = v.dims.iter().any(|d| matches!(d, Dim::Assumed(_) | Dim::Deferred | Dim::AssumedRank));
                shape || v.attrs.optional || v.attrs.value
            });
            if described && !has_source && !row.inactive && !row.passed && row.module.is_none() {
                let message = format!("derivatives of `{}` need an explicit interface", p.name);
                let d = Diagnostic::error(Code::UnsupportedDeclaration, symbol.span, message)
                    .reason(format!("`{}` is of assumed shape, optional, or passed by value", symbol.name))
                    .help("put them into a module, and name it in the row: `module = \"...\"`");
                out.push(d);
            }
            if !plain && !has_source {
                let message =
                    format!("`{}` can't be a dummy of a procedure of which only the declaration is known", symbol.name);
                let d = Diagnostic::error(Code::UnsupportedDeclaration, symbol.span, message)
                    .reason("what becomes of its memory, or what is called, isn't told by a declaration")
                    .help("declare variables that are neither allocatable nor pointers nor of a class");
                out.push(d);
            }
        }
        if !row.passed && out.is_empty() {
            let span = if has_source { told::place(self.program, proc) } else { p.head };
            out.extend(self.check_linear(proc, row, span));
        }
        if p.body.iter().any(|s| !matches!(s.kind, StmtKind::Directive { .. })) && !has_source {
            let d = Diagnostic::error(
                Code::UnsupportedDeclaration,
                p.head,
                format!("the declaration of `{}` has statements", p.name),
            )
            .reason("they aren't looked at")
            .help("leave them out, or give the procedure as a source file");
            out.push(d);
        }
        out
    }

    /// Refuses calls of procedures without source whose derivative is asked for and isn't given.
    pub(crate) fn check_given(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for context in &self.activity.contexts {
            let Some(body) = self.effects.bodies.get(&context.proc) else { continue };
            for_each_stmt(body, &mut |s: &Stmt| {
                let callee = context.callees.get(&s.id).map(|c| self.activity.get(*c).proc);
                let row = callee.and_then(|p| Some((p, self.effects.externals.get(&p)?)));
                let Some((proc, row)) = row.filter(|(p, _)| !self.deferred.contains_key(p)) else { return };
                if row.written.is_some() || self.program.told.contains(&proc) {
                    let child = context.callees[&s.id];
                    out.extend(self.untold(proc, child, row).map(|why| {
                        let message = format!("the derivative of `{}` can't be used here", self.program[proc].name);
                        Diagnostic::error(Code::ExternalProcedure, s.origin.span(), message)
                            .reason(why)
                            .help(match &row.written {
                                Some(Written::Solve(_)) => "name arrays that it only works in, `work(w)`, or remove the directive",
                                _ => "name what has no derivative, `inactive = [\"w\"]` or `inactive(w)`, or a tangent and an adjoint",
                            })
                    }));
                }
                if self.is_written(row) || row.derivatives[self.mode as usize].is_some() {
                    return;
                }
                if one_sided(self.program, s).is_some() {
                    return;
                }
                if let Some(traffic) = row.traffic {
                    let elsewhere = matches!(traffic, Traffic::Starts | Traffic::Completes);
                    out.push(if elsewhere { begun_elsewhere(s) } else { unknown_call(s) });
                    return;
                }
                let (which, suffix) = match self.mode {
                    Mode::Tangent => ("tangent", "_d"),
                    Mode::Adjoint => ("adjoint", "_b"),
                };
                let name = &self.program[proc].name;
                let message = format!("the {which} of `{name}` isn't given");
                out.push(
                    Diagnostic::error(Code::ExternalProcedure, s.origin.span(), message)
                        .reason("derivatives pass through this call, and the procedure has no source")
                        .help(format!("name it in the procedure's row: `{which} = \"{name}{suffix}\"`")),
                );
            });
        }
        out
    }
}
