//! One generated procedure: its builder, its derivative dummies, its header comment.

use std::collections::BTreeSet;

use costate_analysis::activity::ContextId;
use costate_analysis::effects::within;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Block, Dim, Intent, ModuleId, ModuleKind, ParentUnit, ProcId, ProcKind, SymId};
use costate_grammar::print;

use crate::build::Builder;
use crate::decision::Decisions;
use crate::interface::Signature;
use crate::interface::mentions::mentions;
use crate::internal::{Host, Inside};
use crate::memory::Part;
use crate::mode::{Layout, Mode};
use crate::names::Taken;
use crate::open::Started;
use crate::passed::twin_of;
use crate::reverse::Reverse;
use crate::session::Session;
use crate::unit::{Finish, adjoint_intent, is_renewed};

/// How an adjoint is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// In one procedure.
    pub(crate) whole: bool,
    /// In two halves.
    pub(crate) halves: bool,
}

impl Session<'_> {
    /// Builds all generated procedures.
    pub fn build(&mut self) {
        self.global_shadows();
        self.name_dummies();
        if self.mode == Mode::Adjoint {
            self.choose_forms();
            let found = self.check_communication();
            self.problems.extend(found);
        }
        for together in self.activity.calls.components() {
            if self.on_device && self.activity.calls.is_recursive(together[0]) {
                self.build_until_settled(&together);
            } else {
                self.build_all(&together);
            }
        }
        self.give_up_uncalled();
    }

    /// Builds some of them, in this order.
    pub(crate) fn build_all(&mut self, contexts: &[ContextId]) {
        for &id in contexts {
            // Tangents are called in one way.
            let asked = if self.mode == Mode::Adjoint { self.asked_for(id) } else { Asked::default() };
            if self.build_context(id, asked) {
                self.unite(id);
            }
        }
    }

    /// How calls ask for the adjoint of a context. A head is asked for as a whole.
    pub(crate) fn asked_for(&self, id: ContextId) -> Asked {
        Asked { whole: self.activity.get(id).head || self.is_called(id, false), halves: self.is_called(id, true) }
    }

    /// Builds the derivative of a context; false where there is none.
    pub(crate) fn build_context(&mut self, id: ContextId, asked: Asked) -> bool {
        if self.signatures[&id].external.is_some() {
            return false;
        }
        if self.is_internal(id) || self.refused.contains(&self.activity.get(id).proc) {
            return false;
        }
        if let Some(row) = self.effects.externals.get(&self.activity.get(id).proc).cloned() {
            self.build_written(id, &row);
            return self.procedures.contains_key(&id);
        }
        match self.mode {
            Mode::Adjoint => {
                if self.signatures[&id].associates.is_some() {
                    self.build_associations(id);
                }
                if self.signatures[&id].only_associates {
                    self.forget_symbol(self.signatures[&id].sym);
                    return false;
                }
                self.build_adjoints(id, asked);
            }
            Mode::Tangent => self.build_tangent(id, None),
        }
        true
    }

    /// The adjoint of a context as its calls ask for it: in two halves, in one procedure, or both.
    fn build_adjoints(&mut self, id: ContextId, asked: Asked) {
        let halves = asked.halves && self.gains_from_halves(id) && self.build_halves(id);
        if !halves || asked.whole {
            let gains = self.build_adjoint(id, None);
            if gains && !halves {
                self.build_backward(id);
            }
        } else {
            self.forget_symbol(self.signatures[&id].sym);
        }
    }

    /// True when the adjoint of a context in one procedure would run something again.
    fn gains_from_halves(&mut self, id: ContextId) -> bool {
        let own = self.runs_again(id);
        self.note_repeats(id, own);
        let Some(s) = self.signatures.get_mut(&id) else { return false };
        if !s.repeats {
            s.whole = Some("nothing of the procedure would run again");
        }
        s.repeats
    }

    /// True for a procedure that is built together with its host.
    pub(crate) fn is_built_inside(&self, id: ContextId) -> bool {
        let parent = self.program[self.activity.get(id).proc].parent;
        self.activity.contexts.iter().any(|c| parent == ParentUnit::Procedure(c.proc))
    }

    /// True for an internal procedure. That its host isn't differentiated is refused.
    fn is_internal(&mut self, id: ContextId) -> bool {
        let context = self.activity.get(id);
        let ParentUnit::Procedure(_) = self.program[context.proc].parent else { return false };
        if !self.is_built_inside(id) {
            let p = &self.program[context.proc];
            self.problems.push(
                Diagnostic::error(
                    Code::HeadNotFound,
                    p.head,
                    format!("`{}` can't be differentiated by itself", p.name),
                )
                .reason("it is internal to another procedure and uses its variables")
                .help("name the host in the head"),
            );
        }
        true
    }

    /// Module that the generated procedure goes to.
    pub(crate) fn home(&mut self, id: ContextId) -> Option<ModuleId> {
        let home = self.primal_home(self.activity.get(id).proc)?;
        Some(self.module_for(home))
    }

    /// The module of a procedure; one that has none and is reversed in halves gets one, which exists in Costate only.
    pub(crate) fn primal_home(&mut self, proc: ProcId) -> Option<ModuleId> {
        match self.program[proc].parent {
            ParentUnit::Module(m) => Some(self.program.top_module(m)),
            ParentUnit::File(file) if self.is_housed(proc) => {
                if let Some(&house) = self.houses.get(&proc) {
                    return Some(house);
                }
                let name = Taken::global(self.program).fresh(&format!("{}_messages", self.program[proc].name));
                let scope = self.program.module_outside(&name);
                let house = self.program.module_of(scope)?;
                self.program[house].file = file;
                self.houses.insert(proc, house);
                Some(house)
            }
            ParentUnit::Procedure(_) | ParentUnit::File(_) | ParentUnit::Interface => None,
        }
    }

    /// True for a procedure of no module whose adjoint has two halves nevertheless.
    pub(crate) fn is_housed(&self, proc: ProcId) -> bool {
        let p = &self.program[proc];
        let asked = self.options.rewrites.housed && self.options.layout == Layout::Separate;
        asked
            && self.mode == Mode::Adjoint
            && matches!(p.parent, ParentUnit::File(_))
            && p.kind != ProcKind::Program
            && self.communicates(proc)
            && !self.activity.contexts.iter().any(|c| c.head && c.proc == proc)
    }

    /// Names that a generated procedure must keep clear of.
    pub(crate) fn taken(
        &self,
        primal_scope: costate_grammar::ir::ScopeId,
        home: Option<costate_grammar::ir::ModuleId>,
    ) -> Taken {
        let mut taken = Taken::visible(self.program, primal_scope);
        if let Some(m) = home {
            taken.extend(&Taken::visible(self.program, self.program[m].scope));
        }
        for s in self.signatures.values() {
            taken.insert(s.reserved.clone());
        }
        for m in self.modules.values() {
            for n in self.program[self.program[*m].scope].names.keys() {
                taken.insert(n.clone());
            }
        }
        taken
    }

    /// The names of generated procedures, and of what generated modules declare.
    pub(crate) fn generated_names(&self) -> Taken {
        let mut taken = Taken::default();
        for s in self.signatures.values() {
            taken.insert(s.reserved.clone());
        }
        let modules = self.modules.values().map(|m| &self.program[*m]);
        for m in modules.filter(|m| !matches!(m.kind, ModuleKind::Common { .. })) {
            self.program[m.scope].names.keys().for_each(|n| taken.insert(n.clone()));
        }
        taken
    }

    /// Refuses what can't have a generated procedure.
    pub(crate) fn refuse_kind(&mut self, primal: costate_grammar::ir::ProcId) -> bool {
        let p = &self.program[primal];
        if p.kind != ProcKind::Program {
            return false;
        }
        let d =
            Diagnostic::error(Code::UnsupportedDeclaration, p.head, format!("`{}` can't be differentiated", p.name))
                .reason("a main program has no arguments")
                .help("make it a module procedure and pass what it needs as arguments");
        self.problems.push(d);
        true
    }

    /// Builds the adjoint procedure of a context; true when its backward sweep could do with what a call of the primal leaves.
    pub(crate) fn build_adjoint(&mut self, id: ContextId, host: Option<&Host>) -> bool {
        let Some(started) = self.start(id, host) else { return false };
        let Started { mut opened, dummies, mut before, inside, facts, anchor } = started;
        let kept: BTreeSet<SymId> = self.lifted.iter().map(|l| l.sym).collect();
        let (primal, scope, home) = (opened.context.proc, opened.scope, opened.home);
        let (context, signature) = (opened.context.clone(), opened.signature.clone());
        let (body, storage) = (std::mem::take(&mut opened.body), std::mem::take(&mut opened.storage));
        let mut builder = opened.builder(self.program, &mut self.globals);
        let mut reverse = Reverse::new(
            &mut builder,
            &mut self.effects,
            &context,
            &storage,
            &self.signatures,
            self.sources,
            (&self.choices, &self.forms[&id]),
        );
        reverse.configure(self.options, &self.threads.work);
        reverse.begin(&signature);
        if let Some(f) = &facts {
            let summary = reverse.effects.summaries.get(&primal).cloned().unwrap_or_default();
            if self.options.keep_primal {
                reverse.live_out = summary.access.writes.clone();
                // The adjoint of a function doesn't return its value.
                if let ProcKind::Function(r) = reverse.b.program[primal].kind {
                    let own = reverse.leaves_of(r);
                    reverse.live_out.retain(|l| !own.contains(l));
                }
            } else {
                reverse.live_out = reverse.left_state(&summary.access, self.options.layout);
                // What was a local variable with a state is one to its user, whatever module it is in now.
                let moved = |l: &costate_analysis::storage::LocId| kept.contains(&reverse.effects.locs.get(*l).sym);
                reverse.live_out.extend(summary.access.writes.iter().copied().filter(moved));
            }
            let (b, a) = reverse.head_edges(f, &signature, &summary.access.writes, &anchor);
            before.extend(b);
            reverse.after = a;
        }
        let sweeps = match reverse.run(&body) {
            Ok(s) => s,
            Err((found, sites)) => {
                self.problems.extend(found);
                self.sites.insert(id, sites);
                return false;
            }
        };
        let outer = |l: &costate_analysis::storage::LocId,
                     e: &costate_analysis::effects::Effects,
                     p: &costate_grammar::ir::Program| {
            e.outer(p, primal, *l) && p[e.locs.get(*l).sym].scope != scope
        };
        let mut needs = sweeps.needs.clone();
        self.effects.declaration_reads(builder.program, primal, &mut needs);
        needs.retain(|l| outer(l, &self.effects, builder.program));
        let mut clobbers = sweeps.clobbers.clone();
        clobbers.retain(|l| outer(l, &self.effects, builder.program));
        self.uses_runtime |= sweeps.runtime;
        let (repeats, crosses) = (sweeps.repeats, sweeps.crosses);
        let heading = plan_heading(&builder, &signature, &self.effects);
        self.ledgers.insert((id, Part::Whole), sweeps.ledger);
        self.sites.insert(id, sweeps.sites);
        self.plan.push(((id, Part::Whole), Decisions { list: sweeps.plan, ..heading }));
        let mut text = before;
        text.extend(sweeps.body);
        let header = header(&builder, &signature, self.mode, facts.as_ref(), &dummies);
        let shadows = std::mem::take(&mut builder.shadow);
        drop(builder);
        self.warn(sweeps.unfollowed);
        if let Some(s) = self.signatures.get_mut(&id) {
            s.needs = Some(needs);
            s.clobbers = Some(clobbers);
        }
        self.note_repeats(id, repeats);
        self.finish(Finished { id, scope, home, dummies, body: text, header, shadows, adjoint: true }, &inside);
        repeats && !crosses
    }

    /// Names that a generated procedure keeps clear of; a host also keeps clear of those inside it.
    pub(crate) fn names_for(
        &self,
        primal: costate_grammar::ir::ProcId,
        home: Option<costate_grammar::ir::ModuleId>,
        host: Option<&Host>,
        inner: &[ContextId],
    ) -> Taken {
        let mut taken = self.taken(self.program[primal].scope, home);
        if let Some(h) = host {
            taken.extend(&h.taken);
        }
        for c in inner {
            let scope = self.program[self.activity.get(*c).proc].scope;
            taken.extend(&Taken::visible(self.program, scope));
            taken.insert(self.signatures[c].reserved.clone());
        }
        taken
    }

    /// What internal procedures mention of their host: its variables come along with the procedures that use them.
    fn host_mentions(&self, called: &[costate_grammar::ir::ProcId]) -> BTreeSet<SymId> {
        let outer = |p: &costate_grammar::ir::ProcId| {
            let own = self.program[*p].scope;
            let outside =
                |s: &SymId| self.program[*s].scope != own && !within(self.program, self.program[*s].scope, own);
            mentions(self.program, *p).into_iter().filter(outside).collect::<Vec<_>>()
        };
        called.iter().flat_map(outer).collect()
    }

    /// Declares everything and adds the procedure to its unit.
    pub(crate) fn finish(&mut self, done: Finished, inside: &Inside) {
        let Finished { id, scope, home, dummies, mut body, header, shadows, adjoint } = done;
        let decisions = self.share_out(id, scope, &shadows, (&mut body, &[], Some(&dummies)));
        if let Some((_, plan)) = self.plan.iter_mut().rev().find(|(part, _)| *part == (id, Part::Whole)) {
            decisions.into_iter().for_each(|d| plan.add(d));
        }
        let dummies = dummies.as_slice();
        let signature = self.signatures[&id].clone();
        let called = self.called_inside(&body, signature.primal, inside);
        let mentioned = &inside.mentions | &self.host_mentions(&called);
        let bind = bind_text(self.program[signature.primal].bind.as_deref(), &self.naming.procedure);
        let atomic = crate::parallel::calls_impure_one(self.program, &body);
        let impure = adjoint && self.is_impure(id) || self.calls_given(id) || atomic;
        let primal_dummies: BTreeSet<SymId> = dummies.iter().copied().collect();
        // What a user passes for an output may hold anything; within generated code, calls take care of that.
        let head = self.heads.iter().any(|h| h.context == id);
        let (mut finish, result) = self.finisher(&signature, (scope, home), &shadows);
        finish.impure = impure;
        let renewed: BTreeSet<SymId> = (dummies.iter().copied())
            .filter(|d| head && finish.program.var(*d).is_some_and(|v| is_renewed(finish.program, v)))
            .collect();
        let adjust = |s: SymId, v: &mut costate_grammar::ir::Variable| {
            if adjoint && primal_dummies.contains(&s) && !renewed.contains(&s) {
                adjoint_intent(v);
            }
            if !adjoint && result == Some(s) {
                v.intent = Some(Intent::Out);
                v.result = true;
            }
        };
        let (procedure, map) = finish.procedure(dummies, body, header, &adjust, bind, &mentioned);
        let problems = finish.problems;
        self.problems.extend(problems);
        self.procedures.insert(id, procedure);
        self.nest(procedure, &called, inside, &map);
    }
}

impl Session<'_> {
    /// What declares a generated procedure, and the result of its primal.
    fn finisher<'s>(
        &'s mut self,
        signature: &Signature,
        (scope, module): (costate_grammar::ir::ScopeId, Option<costate_grammar::ir::ModuleId>),
        shadows: &'s crate::remap::SymMap,
    ) -> (Finish<'s>, Option<SymId>) {
        let result = match self.program[signature.primal].kind {
            ProcKind::Function(r) => Some(r),
            ProcKind::Subroutine | ProcKind::Program => None,
        };
        let generated = self.generated_names();
        let finish = Finish {
            program: self.program,
            primal: signature.primal,
            sym: signature.sym,
            scope,
            module,
            layout: self.options.layout,
            impure: false,
            shadows,
            generated,
            problems: Vec::new(),
        };
        (finish, result)
    }

    /// Declares everything of a procedure for forward sweeps and adds it to its unit.
    pub(crate) fn finish_associations(
        &mut self,
        signature: &Signature,
        place: (costate_grammar::ir::ScopeId, Option<costate_grammar::ir::ModuleId>),
        (dummies, body): (Vec<SymId>, Block),
        header: Vec<String>,
        shadows: &crate::remap::SymMap,
    ) {
        let inside = Inside::default();
        let called = self.called_inside(&body, signature.primal, &inside);
        let mentioned = self.host_mentions(&called);
        let (mut finish, result) = self.finisher(signature, place, shadows);
        let adjust = |s: SymId, v: &mut costate_grammar::ir::Variable| {
            if result == Some(s) {
                v.intent = Some(Intent::Out);
            }
        };
        let (procedure, map) = finish.procedure(&dummies, body, header, &adjust, None, &mentioned);
        let problems = finish.problems;
        self.problems.extend(problems);
        self.associations.insert(signature.context, procedure);
        self.nest(procedure, &called, &inside, &map);
    }
}

/// A generated procedure before its declarations.
pub(crate) struct Finished {
    /// Its context.
    pub id: ContextId,
    /// Its scope.
    pub scope: costate_grammar::ir::ScopeId,
    /// The generated module.
    pub home: Option<costate_grammar::ir::ModuleId>,
    /// Its dummies.
    pub dummies: Vec<SymId>,
    /// Its statements.
    pub body: Block,
    /// Its header comment.
    pub header: Vec<String>,
    /// Its derivative variables, by primal variable.
    pub shadows: crate::remap::SymMap,
    /// Adjoint or tangent.
    pub adjoint: bool,
}

/// What is active in an adjoint; the decisions are still to come.
pub(crate) fn plan_heading(
    b: &Builder<'_>,
    signature: &Signature,
    effects: &costate_analysis::effects::Effects,
) -> Decisions {
    let p = &b.program[signature.primal];
    let mut names: Vec<String> =
        p.dummies.iter().filter(|d| signature.derivative.contains(d)).map(|d| b.program[*d].name.to_string()).collect();
    for l in &signature.storage {
        let sym = effects.locs.get(*l).sym;
        if let (true, Some(home)) =
            (costate_analysis::storage::is_global(b.program, sym), b.program.module_of(b.program[sym].scope))
        {
            let name = format!("{}::{}", b.program[home].name, b.program[sym].name);
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Decisions { primal: p.name.to_string(), active: names, list: Vec::new() }
}

/// `c, name="f"` with the suffix on the name.
fn bind_text(bind: Option<&str>, suffix: &str) -> Option<String> {
    let text = bind?;
    let Some(at) = text.to_ascii_lowercase().find("name") else { return Some(text.to_string()) };
    let quote = text[at..].find(['"', '\''])? + at;
    let mark = text[quote..].chars().next()?;
    let end = text[quote + 1..].find(mark)? + quote + 1;
    Some(format!("{}{suffix}{}", &text[..end], &text[end..]))
}

/// The header comment: each derivative argument with its role and shape.
pub(crate) fn header(
    b: &Builder<'_>,
    signature: &Signature,
    mode: Mode,
    facts: Option<&crate::session::HeadFacts>,
    dummies: &[SymId],
) -> Vec<String> {
    let what = match mode {
        Mode::Tangent => "Tangent",
        Mode::Adjoint => "Adjoint",
    };
    let mut out =
        vec![format!("{what} of {}, generated by Costate.", crate::specialise::described(b.program, signature.primal))];
    if let Some(f) = facts {
        out.push(format!("Head: {}", f.head.text));
    }
    let reverse: std::collections::BTreeMap<SymId, SymId> = b.shadow.iter().map(|(k, v)| (*v, *k)).collect();
    for d in dummies {
        let of = signature.twins.iter().find(|g| twin_of(b.program, **g) == Some(*d));
        if let Some(g) = of {
            let kind = what.to_lowercase();
            out.push(format!(
                "  {}: {kind} of the procedure that is passed as {}",
                b.program[*d].name, b.program[*g].name
            ));
        }
        let Some(primal) = reverse.get(d) else { continue };
        let Some(v) = b.program.var(*primal) else { continue };
        let role = role(b, mode, facts, *primal, v);
        let shape: Vec<String> = v
            .dims
            .iter()
            .map(|d| match d {
                Dim::Explicit(None, hi) => print::expr(b.program, hi),
                Dim::Explicit(Some(lo), hi) => format!("{}:{}", print::expr(b.program, lo), print::expr(b.program, hi)),
                Dim::Assumed(_) | Dim::Deferred => ":".into(),
                Dim::AssumedSize(_) => "*".into(),
                Dim::AssumedRank => "..".into(),
            })
            .collect();
        let shape = if shape.is_empty() { "scalar".to_string() } else { format!("({})", shape.join(", ")) };
        out.push(format!("  {}: {role}, {shape}, derivative of {}", b.program[*d].name, b.program[*primal].name));
    }
    out
}

fn role(
    b: &Builder<'_>,
    mode: Mode,
    facts: Option<&crate::session::HeadFacts>,
    primal: SymId,
    v: &costate_grammar::ir::Variable,
) -> &'static str {
    let result = v.result || matches!(b.program[b.primal].kind, ProcKind::Function(r) if r == primal);
    let (mut input, mut output) = match v.intent {
        Some(Intent::In) => (true, false),
        Some(Intent::Out) => (false, true),
        Some(Intent::InOut) | None => (!result, true),
    };
    if let Some(f) = facts {
        input = f.head.independents.iter().any(|t| t.sym == primal);
        output = f.head.dependents.iter().any(|t| t.sym == primal);
    }
    match (mode, input, output) {
        (Mode::Tangent, true, true) => "inout",
        (Mode::Tangent, true, false) => "in",
        (Mode::Tangent, false, _) => "out",
        (Mode::Adjoint, true, false) => "increment",
        (Mode::Adjoint, _, true) => "inout",
        (Mode::Adjoint, false, false) => "inout",
    }
}
