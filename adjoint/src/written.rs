//! Derivatives that are written from what is said of a procedure, and not from its statements: it is linear (`linear`,
//! `transpose`, `self-adjoint`), or it solves a linear system (`solve.rs`). They have the interfaces that other generated
//! derivatives have, so that calls know no difference.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costate_analysis::activity::ContextId;
use costate_analysis::affine::plus;
use costate_analysis::externals::{External, Solve, Weights, Written};
use costate_analysis::storage::{LocId, is_global};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Dim, Expr, ExprKind, Intent, Name, ParentUnit, Part, ProcId, ProcInfo, ProcKind, ScopeKind, Subscript, SymId,
    SymbolKind, Ty,
};
use costate_grammar::source::Span;

use crate::interface::Signature;
use crate::mode::Mode;
use crate::open::Started;
use crate::procedure::{Finished, header};
use crate::runtime;
use crate::session::Session;
use crate::solve::System;
use crate::told::named;
use crate::writer::{Actuals, Use, Writer, has_copies};

impl Session<'_> {
    /// True where the derivative of a procedure is written from what is said of it.
    pub(crate) fn is_written(&self, row: &External) -> bool {
        row.is_written(self.mode == Mode::Adjoint)
    }

    /// What the written adjoint of a procedure uses of its values; it changes nothing but derivatives.
    pub(crate) fn sign_written(&self, signature: &mut Signature, row: &External) {
        let access = self.effects.summaries.get(&signature.primal).map(|s| s.access.clone()).unwrap_or_default();
        let uses = self.uses(signature.primal);
        let derivatives = carried(signature, self.result_of(signature.primal));
        let (unused, after): (BTreeSet<SymId>, Option<SymId>) = match &row.written {
            Some(Written::Linear { .. }) => (self.linear_dummies(signature.primal, row).into_iter().collect(), None),
            Some(Written::Solve(s)) => match self.system(signature.primal, s) {
                Some(system) => system.values(&uses, &derivatives, self.is_unseen(signature.context, &system)),
                None => Default::default(),
            },
            None => Default::default(),
        };
        let sym = |l: &LocId| self.effects.locs.get(*l).sym;
        let needs = access.reads.iter().copied().filter(|l| !unused.contains(&sym(l)));
        signature.needs = Some(needs.collect());
        signature.after = access.writes.iter().copied().filter(|l| after == Some(sym(l))).collect();
        let kept = |l: &LocId| {
            let name = &self.program[sym(l)].name;
            !row.without.contains(name) || has_copies(self.program, sym(l))
        };
        signature.clobbers = Some(access.writes.iter().copied().filter(|l| !kept(l)).collect());
        signature.repeats = false;
        signature.whole = Some("its derivative is written from what is said of it");
    }

    fn system(&self, proc: ProcId, solve: &Solve) -> Option<System> {
        System::of(solve, &named(self.program, &self.program[proc]), self.result_of(proc))
    }

    /// An integer from outside that may tell the number of equations, where nothing else does.
    fn counts<'l>(
        &self,
        solve: &Solve,
        system: &System,
        mut outside: impl Iterator<Item = &'l LocId>,
    ) -> Option<&'l LocId> {
        let extent = self.program.var(system.rhs()).and_then(|v| v.dims.first());
        let constant = matches!(extent, Some(Dim::Explicit(_, hi)) if hi.as_var().is_none());
        let integer = |l: &&LocId| {
            let of = self.program.var(self.effects.locs.get(**l).sym);
            of.is_some_and(|v| v.ty.base == Base::Integer && v.dims.is_empty())
        };
        outside.find(integer).filter(|_| solve.size.is_none() && constant)
    }

    /// True where an adjoint isn't given the solution that the procedure has left.
    fn is_unseen(&self, id: ContextId, system: &System) -> bool {
        let context = self.activity.get(id);
        context.head || self.result_of(context.proc).is_some_and(|r| system.dummies().contains(&r))
    }

    /// The arrays of a solver in which it leaves something else that may be used afterwards.
    fn overwritten(&self, id: ContextId, system: &System) -> Vec<SymId> {
        let context = self.activity.get(id);
        let uses = self.uses(context.proc);
        let useful = |d: SymId| context.useful_out.iter().any(|l| self.effects.locs.get(*l).sym == d);
        system.lost().filter(|d| useful(*d) && uses.get(d).is_some_and(|u| u.written)).collect()
    }

    fn result_of(&self, proc: ProcId) -> Option<SymId> {
        if let ProcKind::Function(r) = self.program[proc].kind { Some(r) } else { None }
    }

    /// What a procedure does with its dummies.
    fn uses(&self, proc: ProcId) -> BTreeMap<SymId, Use> {
        let mut out: BTreeMap<SymId, Use> =
            named(self.program, &self.program[proc]).into_iter().map(|(_, s)| (s, Use::default())).collect();
        let Some(summary) = self.effects.summaries.get(&proc) else { return out };
        let sym = |l: &LocId| self.effects.locs.get(*l).sym;
        for (set, read) in [(&summary.access.reads, true), (&summary.access.writes, false)] {
            for l in set {
                if let Some(u) = out.get_mut(&sym(l)) {
                    if read { u.read = true } else { u.written = true }
                }
            }
        }
        // What is declared to be left alone is, and what is declared to be set is.
        for (s, u) in &mut out {
            match self.program.var(*s).and_then(|v| v.intent) {
                Some(Intent::In) => u.written = false,
                Some(Intent::Out) => *u = Use { read: false, written: true },
                _ => {}
            }
        }
        out
    }

    /// The dummies in which a procedure is linear, and its result.
    fn linear_dummies(&self, proc: ProcId, row: &External) -> Vec<SymId> {
        let Some(Written::Linear { of, .. }) = &row.written else { return Vec::new() };
        let p = &self.program[proc];
        let result = self.result_of(proc);
        let listed = |n: &Name, s: SymId| of.as_ref().is_none_or(|l| l.contains(n) || result == Some(s));
        let real = |s: SymId| self.program.var(s).is_some_and(|v| v.ty.is_continuous());
        let all = named(self.program, p).into_iter();
        all.filter(|(n, s)| real(*s) && listed(n, *s) && !row.without.contains(n)).map(|(_, s)| s).collect()
    }

    /// What stands in the way of a linear procedure's derivative.
    pub(crate) fn check_linear(&self, proc: ProcId, row: &External, span: Span) -> Vec<Diagnostic> {
        let Some(Written::Linear { transpose, weights, .. }) = &row.written else { return Vec::new() };
        let p = &self.program[proc];
        let refuse = |reason: String, help: &str| {
            let message = format!("the derivative of `{}` can't be made from what is said of it", p.name);
            vec![Diagnostic::error(Code::UnsupportedDeclaration, span, message).reason(reason).help(help)]
        };
        let all = self.linear_dummies(proc, row);
        let var = |s: &SymId| self.program.var(*s);
        let moving = |s: &&SymId| {
            let array = |d: &Dim| matches!(d, Dim::Explicit(..) | Dim::Assumed(_));
            var(s)
                .is_none_or(|v| v.attrs.allocatable || v.attrs.pointer || v.attrs.optional || !v.dims.iter().all(array))
        };
        if let Some(s) = all.iter().find(moving) {
            let reason = format!(
                "`{}` has no shape that is known, is optional, or has memory of its own",
                self.program[*s].name
            );
            return refuse(reason, "declare its shape, `x(n)`, or name a tangent and an adjoint");
        }
        if p.prefix.elemental {
            return refuse("it is elemental".into(), "name a tangent and an adjoint");
        }
        let array = self.result_of(proc).is_some_and(|r| var(&r).is_some_and(|v| v.rank() > 0));
        if array && row.module.is_none() && !self.program.told.contains(&proc) {
            return refuse("it returns an array".into(), "name its module, which has its explicit interface");
        }
        let unsaid = |s: &&SymId| var(s).is_some_and(|v| v.intent.is_none() && !v.attrs.value && !v.result);
        if let Some(s) = all.iter().find(unsaid) {
            let reason = format!("nothing says whether `{}` comes in or goes out", self.program[*s].name);
            return refuse(reason, "give the dummies in which it is linear an intent");
        }
        if transpose.is_none() {
            return Vec::new();
        }
        let [ins, outs, changed] = self.intents(&all);
        let names = |list: &[SymId]| match list {
            [] => "nothing".to_string(),
            _ => list.iter().map(|s| format!("`{}`", self.program[*s].name)).collect::<Vec<_>>().join(", "),
        };
        if ins.len() != outs.len() {
            let reason = format!(
                "it has {} for what comes in, {} for what goes out, and {} for both",
                names(&ins),
                names(&outs),
                names(&changed)
            );
            return refuse(reason, "name as many that go out as come in (`intent(out)`), or name an adjoint");
        }
        let weighted = weights.iter().any(|w| *w != Weights::default());
        let vector = |s: &SymId| var(s).is_some_and(|v| matches!(v.dims.as_slice(), [Dim::Explicit(None, _)]));
        if weighted && !(ins.is_empty() && changed.iter().all(vector)) {
            let reason = "it has weights for what it doesn't transform in its place, or for what is no vector `x(n)`";
            return refuse(reason.into(), "leave the weights out, and name an adjoint");
        }
        let own = transpose.as_ref() == Some(&p.name);
        let unlike = |(a, b): &(&SymId, &SymId)| {
            let (Some(a), Some(b)) = (var(a), var(b)) else { return false };
            let explicit = |d: &&Dim| matches!(d, Dim::Explicit(..));
            let known = a.dims.iter().all(|d| explicit(&d)) && b.dims.iter().all(|d| explicit(&d));
            own && (a.ty != b.ty || a.rank() != b.rank() || known && a.dims != b.dims)
        };
        if let Some((a, b)) = ins.iter().zip(&outs).find(unlike) {
            let reason = format!(
                "`{}` and `{}` aren't of the same shape and type",
                self.program[*a].name, self.program[*b].name
            );
            return refuse(reason, "a self-adjoint procedure gives what it takes; otherwise name the `transpose`");
        }
        Vec::new()
    }

    /// Dummies by what their intents say.
    fn intents(&self, all: &[SymId]) -> [Vec<SymId>; 3] {
        let mut out: [Vec<SymId>; 3] = Default::default();
        for s in all {
            let at = match self.program.var(*s) {
                Some(v) if v.result || v.intent == Some(Intent::Out) => 1,
                Some(v) if v.intent == Some(Intent::InOut) => 2,
                _ => 0,
            };
            out[at].push(*s);
        }
        out
    }

    /// Refuses calls by which derivatives would pass that nobody has said anything of.
    pub(crate) fn untold(&self, proc: ProcId, child: ContextId, row: &External) -> Option<String> {
        let context = self.activity.get(child);
        let all = named(self.program, &self.program[proc]);
        let system = match &row.written {
            Some(Written::Solve(s)) => self.system(proc, s),
            Some(Written::Linear { .. }) | None => None,
        };
        let carried: BTreeSet<SymId> = match (&row.written, &system) {
            (Some(Written::Linear { .. }), _) => self.linear_dummies(proc, row).into_iter().collect(),
            (_, Some(system)) => system.dummies(),
            (_, None) => all.iter().map(|(_, d)| *d).collect(),
        };
        let sym = |l: &LocId| self.effects.locs.get(*l).sym;
        let named_inactive = |l: &LocId| row.without.contains(&self.program[sym(l)].name);
        if let Some(l) = context.active.iter().find(|l| !carried.contains(&sym(l)) && !named_inactive(l)) {
            let of = if is_global(self.program, sym(l)) { ", which isn't among its arguments," } else { "" };
            let name = &self.program[sym(l)].name;
            return Some(format!(
                "`{name}`{of} has a derivative here, and what is said of the procedure tells none of it"
            ));
        }
        if !self.is_written(row) {
            return None;
        }
        let access = self.effects.summaries.get(&proc).map(|s| &s.access)?;
        let outside = |l: &&LocId| !all.iter().any(|(_, d)| *d == sym(l));
        if let Some(l) = access.writes.iter().find(outside) {
            let name = &self.program[sym(l)].name;
            return Some(format!(
                "the derivative calls the procedure again, and it changes `{name}`, which isn't among its arguments"
            ));
        }
        if let (Some(system), Some(Written::Solve(s))) = (&system, &row.written)
            && let Some(l) = self.counts(s, system, access.reads.iter().filter(outside))
        {
            let name = &self.program[sym(l)].name;
            return Some(format!(
                "how many equations there are may depend on `{name}`, which isn't among its arguments"
            ));
        }
        if !access.unsteady.is_empty() {
            return Some(
                "the derivative calls the procedure again, and what it does depends on earlier calls, or on a clock"
                    .into(),
            );
        }
        let uses = self.uses(proc);
        let written = |s: SymId| uses.get(&s).is_some_and(|u| u.written);
        let beside = all.iter().filter(|(n, d)| written(*d) && !carried.contains(d) && !row.without.contains(n));
        let beside = beside.map(|(_, d)| *d);
        if let Some(d) = beside.clone().find(|d| !has_copies(self.program, *d)) {
            let name = &self.program[d].name;
            return Some(format!(
                "the derivative calls the procedure again, and what it changes in `{name}` can't be kept apart"
            ));
        }
        None
    }

    /// Builds the derivative of a context from what is said of its procedure.
    pub(crate) fn build_written(&mut self, id: ContextId, row: &Arc<External>) {
        let Some(started) = self.start(id, None) else { return };
        let Started { mut opened, dummies, before, inside, facts, anchor } = started;
        let (scope, home, signature, primal) =
            (opened.scope, opened.home, opened.signature.clone(), opened.context.proc);
        let (uses, directions) = (self.uses(primal), self.intents(&self.linear_dummies(primal, row)));
        let derivatives = carried(&signature, self.result_of(primal));
        let named = named(self.program, &self.program[primal]);
        let other = match &row.written {
            Some(Written::Linear { transpose, .. }) => transpose.clone(),
            Some(Written::Solve(s)) => s.transposed.clone(),
            None => None,
        };
        let name = self.program[primal].name.clone();
        let own = match &row.module {
            Some(_) if !self.program.told.contains(&primal) => self.procedure_called(primal, row, &name),
            Some(_) | None => self.program[primal].sym,
        };
        let other = other.map(|n| if n == name { own } else { self.procedure_called(primal, row, &n) });
        let system = match &row.written {
            Some(Written::Solve(s)) => self.system(primal, s),
            Some(Written::Linear { .. }) | None => None,
        };
        let unseen = system.as_ref().is_some_and(|s| self.is_unseen(id, s));
        let overwritten = system.as_ref().map(|s| self.overwritten(id, s)).unwrap_or_default();
        let keep_primal = self.options.keep_primal && self.result_of(primal).is_none();
        let mut builder = opened.builder(self.program, &mut self.globals);
        let mode = self.mode;
        let out = before;
        let mut w = Writer {
            b: &mut builder,
            uses,
            derivatives,
            named,
            unseen,
            overwritten,
            size: None,
            mode,
            from: &anchor,
            out,
        };
        match (&row.written, &system) {
            (Some(Written::Linear { weights, .. }), _) => w.linear(own, other, &directions, weights),
            (Some(Written::Solve(s)), Some(system)) => w.solve(s, system, own, other),
            (Some(Written::Solve(_)) | None, _) => {}
        }
        if facts.is_some() && mode == Mode::Adjoint && keep_primal {
            w.call(own, &Actuals::new());
        }
        let body = std::mem::take(&mut w.out);
        let header = header(&builder, &signature, self.mode, facts.as_ref(), &dummies);
        let shadows = std::mem::take(&mut builder.shadow);
        drop(builder);
        let adjoint = self.mode == Mode::Adjoint;
        self.finish(Finished { id, scope, home, dummies, body, header, shadows, adjoint }, &inside);
        self.place_written(id, primal);
        let impure = other.is_some() || self.program.is_declared_only(primal) && !self.program.told.contains(&primal);
        if let (true, Some(&made)) = (impure, self.procedures.get(&id)) {
            // Nothing says that what it calls is pure.
            self.program[made].prefix.pure_ = false;
        }
    }

    /// What is written for a procedure without source stands in the file of a caller.
    fn place_written(&mut self, id: ContextId, primal: ProcId) {
        let Some(&made) = self.procedures.get(&id) else { return };
        if let Some(caller) = self.caller_of_declared(id, primal) {
            let file = self.program[caller].file;
            let p = &mut self.program[made];
            (p.file, p.parent) = (file, ParentUnit::File(file));
        }
    }

    /// The first caller with source of a procedure without source.
    pub(crate) fn caller_of_declared(&self, id: ContextId, primal: ProcId) -> Option<ProcId> {
        let declared = |p: ProcId| self.program.declarations.contains(&self.program[p].file);
        let mut callers =
            self.activity.contexts.iter().filter(|c| c.callees.values().any(|k| *k == id)).map(|c| c.proc);
        callers.find(|p| declared(primal) && !declared(*p))
    }

    /// The symbol of a procedure that is named beside another one.
    pub(crate) fn procedure_called(&mut self, beside: ProcId, row: &External, name: &Name) -> SymId {
        let known = self.program.lookup(self.program[beside].scope, name);
        let known = known.filter(|s| self.program[*s].procedure().is_some());
        let kind = SymbolKind::Procedure(Box::new(ProcInfo { external: row.module.is_none(), ..ProcInfo::default() }));
        match (&row.module, known, self.program.globals.get(name)) {
            (Some(module), ..) => runtime::symbol_of(self.program, module, name, kind),
            (None, Some(known), _) => known,
            (None, None, Some(&defined)) => self.program[defined].sym,
            (None, None, None) => {
                let scope = self.program.add_scope(None, ScopeKind::Inner);
                self.program.add_symbol(scope, name.clone(), Span::default(), kind)
            }
        }
    }
}

/// The dummies, and the result, that have a derivative.
fn carried(signature: &Signature, result: Option<SymId>) -> BTreeSet<SymId> {
    signature.derivative.iter().copied().chain(result.filter(|_| signature.result)).collect()
}

impl Writer<'_, '_> {
    /// The derivative of a linear procedure: the procedure itself for tangents; its transpose for adjoints, in which what comes
    /// in and what goes out have changed places.
    fn linear(
        &mut self,
        own: SymId,
        transpose: Option<SymId>,
        [ins, outs, both]: &[Vec<SymId>; 3],
        [before, after]: &[Weights; 2],
    ) {
        let told: BTreeSet<SymId> = ins.iter().chain(outs).chain(both).copied().collect();
        let mut actuals = self.spared(&told);
        let zero = |w: &Self, s: SymId| Expr::zero(w.b.var(s).ty);
        let shadow_or_zero = |w: &mut Self, s: SymId| match w.shadow(s) {
            Some(e) => e,
            None => {
                let (own, zero) = (w.b.var(s), zero(w, s));
                w.local(s, "_zero", &own, Some(zero))
            }
        };
        if self.mode == Mode::Tangent {
            for s in &told {
                let passed = shadow_or_zero(self, *s);
                actuals.insert(*s, passed);
            }
            self.call(own, &actuals);
            self.call(own, &Actuals::new());
            return;
        }
        let Some(transpose) = transpose else { return };
        let mut added = Vec::new();
        for (from, to) in ins.iter().zip(outs) {
            let passed = shadow_or_zero(self, *to);
            actuals.insert(*from, passed);
            let shape = self.shadow(*from).unwrap_or_else(|| self.b.var(*from));
            let zero = zero(self, *from);
            let received = self.local(*from, "_part", &shape, Some(zero));
            actuals.insert(*to, received.clone());
            added.push((*from, received));
        }
        for s in both {
            let passed = shadow_or_zero(self, *s);
            self.weigh(&passed, *s, before);
            actuals.insert(*s, passed);
        }
        self.call(transpose, &actuals);
        for s in both {
            self.weigh(&actuals[s].clone(), *s, after);
        }
        for (from, received) in added {
            if let Some(sum) = self.shadow(from) {
                self.set(sum.clone(), sum.add(received));
            }
        }
        for to in outs {
            if let Some(used) = self.shadow(*to) {
                let zero = Expr::zero(used.ty);
                self.set(used, zero);
            }
        }
    }

    /// Multiplies the elements of a vector.
    fn weigh(&mut self, e: &Expr, like: SymId, weights: &Weights) {
        let real = Ty::new(Base::Real, e.ty.kind);
        let all = weights.all.unwrap_or(1.0);
        let scale = |w: &mut Self, part: Expr, by: f64| {
            if by != 1.0 {
                w.set(part.clone(), Expr::literal(by, real).mul(part));
            }
        };
        scale(self, e.clone(), all);
        let extent = self.b.program.var(like).and_then(|v| v.dims.first().cloned());
        let Some(Dim::Explicit(_, n)) = extent else { return };
        let part = |from: Expr, to: Expr| {
            let range = Subscript::Range { lo: Some(from), hi: Some(to), step: None };
            let mut d = e.as_var()?.clone();
            d.parts.push(Part::Subscripts(vec![range]));
            Some(Expr { kind: ExprKind::Var(d), ..e.clone() })
        };
        let odd = Expr::intrinsic(Intrinsic::Mod, vec![n.clone(), Expr::int(2)]);
        let ends = [
            (weights.first, Expr::int(1), Expr::int(1)),
            (weights.last, n.clone(), n.clone()),
            (weights.last_of_even, plus(&n, &odd), n),
        ];
        for (by, from, to) in ends {
            if let (Some(by), Some(part)) = (by, part(from, to)) {
                scale(self, part, by / all);
            }
        }
    }
}
