//! Adjoints in two halves: two procedures and the type of the record between them, added to the generated module; or the
//! backward half alone, where the primal itself is the forward half.

use std::collections::BTreeSet;

use costate_analysis::activity::ContextId;
use costate_grammar::ir::{
    Base, Block, Component, DerivedType, Dim, Intent, ModuleId, ModuleKind, Name, ProcId, ProcKind, Procedure, ScopeId,
    Stmt, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_stmt,
};
use costate_grammar::source::Span;

use crate::build::{new_scope, suffixed};
use crate::decision::Decisions;
use crate::dummies::derivative_dummies;
use crate::interface::{BackwardOf, HalvesOf, Signature};
use crate::memory::Part;
use crate::mode::{Layout, Mode};
use crate::procedure::{header, plan_heading};
use crate::remap::{self, SymMap, in_expr, mentioned};
use crate::reverse::{Backward, Halves, Kept, Reverse};
use crate::runtime;
use crate::session::Session;
use crate::specialise::described;
use crate::unit::{Finish, adjoint_intent};

/// One of the two procedures before its declarations.
struct Half {
    sym: SymId,
    home: ModuleId,
    /// The scope of what was made for both.
    made: ScopeId,
    dummies: Vec<SymId>,
    /// The record, where there is one.
    record: Option<SymId>,
    /// It is the forward half.
    forward: bool,
    owned: Vec<SymId>,
    body: Block,
    header: Vec<String>,
}

/// What halves have in common, as known before their statements.
struct Begun {
    made: ScopeId,
    with_derivatives: Vec<SymId>,
    header: Vec<String>,
    heading: Decisions,
}

impl Begun {
    /// Prepares the reverse pass, whose forward half leaves all outputs.
    fn new(reverse: &mut Reverse<'_, '_>, signature: &Signature, mode: Mode) -> Begun {
        let with_derivatives = derivative_dummies(reverse.b, signature);
        let header = header(reverse.b, signature, mode, None, &with_derivatives);
        let heading = plan_heading(reverse.b, signature, reverse.effects);
        reverse.begin(signature);
        let summary = reverse.effects.summaries.get(&signature.primal);
        reverse.live_out = summary.map(|s| s.access.writes.clone()).unwrap_or_default();
        Begun { made: reverse.b.scope, with_derivatives, header, heading }
    }
}

/// The dummies of a procedure, and its result behind them.
fn dummies_and_result(p: &Procedure) -> Vec<SymId> {
    let result = if let ProcKind::Function(r) = p.kind { Some(r) } else { None };
    p.dummies.iter().copied().chain(result).collect()
}

/// Makes an array allocatable.
fn own_memory(v: &mut Variable) {
    v.attrs.allocatable = true;
    v.dims = vec![Dim::Deferred; v.dims.len()];
}

impl Session<'_> {
    /// Builds the adjoint of a context in two halves; false where that can't be.
    pub(crate) fn build_halves(&mut self, id: ContextId) -> bool {
        let Some(home) = self.home(id) else { return false };
        let module = self.program[home].scope;
        let primal = self.activity.get(id).proc;
        let mut taken = self.taken(self.program[primal].scope, Some(home));
        let base = self.program[primal].name.clone();
        let names = ["_fwd", "_bwd", "_record"].map(|s| taken.fresh(&suffixed(&base, s)));
        let ty = SymbolKind::Type(Box::default());
        let ty = self.program.add_symbol(module, names[2].clone(), Span::default(), ty);
        match self.halves_of(id, home, &names, ty) {
            Ok(()) => true,
            Err(why) => {
                self.forget_symbol(ty);
                if let Some(s) = self.signatures.get_mut(&id) {
                    s.whole = Some(why);
                }
                false
            }
        }
    }

    /// Builds the backward half of a context's adjoint for calls that leave all that it uses: where the adjoint in one
    /// procedure would run the primal again for that.
    pub(crate) fn build_backward(&mut self, id: ContextId) {
        let primal = self.activity.get(id).proc;
        if self.is_built_inside(id) || self.whole_callee(id, primal).is_some() {
            return;
        }
        let Some(home) = self.home(id).filter(|m| self.program[*m].kind == ModuleKind::Module) else { return };
        let module = self.program[home].scope;
        let mut taken = self.taken(self.program[primal].scope, Some(home));
        let name = taken.fresh(&suffixed(&self.program[primal].name, "_bwd"));
        let mode = self.mode;
        let mut bugs = Vec::new();
        let made = self.in_reverse(id, Some(home), std::slice::from_ref(&name), |mut reverse, signature, body| {
            let begun = Begun::new(&mut reverse, signature, mode);
            reverse.run_backward(body, &mut bugs).map(|backward| (backward, begun))
        });
        self.problems.append(&mut bugs);
        let Some((Backward { mut body, mut uses, plan, ledger, shadows }, begun)) = made else { return };
        let Begun { made, with_derivatives: dummies, header, heading } = begun;
        uses.retain(|l| self.program[self.effects.locs.get(*l).sym].scope != made);
        // What the first thread is left with isn't what the last iteration has left.
        if uses.after.iter().any(|l| self.program.is_of_each_thread(self.effects.locs.get(*l).sym)) {
            return;
        }
        let decisions = self.share_out(id, made, &shadows, (&mut body, &[], None));
        let of = described(self.program, primal);
        let first =
            format!("Backward half of the adjoint of {of}, generated by Costate; calls of {of} come before it.");
        let header = [vec![first], header[1..].to_vec()].concat();
        let sym = self.program.add_symbol(module, name, Span::default(), SymbolKind::Procedure(Box::default()));
        let half = Half { sym, home, made, dummies, record: None, forward: false, owned: Vec::new(), body, header };
        let procedure = self.finish_half(id, half);
        let sym = self.program[procedure].sym;
        self.backward.insert(id, procedure);
        self.ledgers.insert((id, Part::Backward), ledger);
        self.plan.push(((id, Part::Backward), Decisions { list: plan, ..heading }.with(decisions)));
        if let Some(s) = self.signatures.get_mut(&id) {
            s.backward = Some(BackwardOf { sym, uses });
        }
    }

    /// Notes whether the adjoint of a context in one procedure runs statements of the primal again, its calls included.
    pub(crate) fn note_repeats(&mut self, id: ContextId, own: bool) {
        let callees = self.activity.get(id).callees.clone();
        let repeats = own || callees.values().any(|c| self.signatures[c].repeats);
        if let Some(s) = self.signatures.get_mut(&id) {
            s.repeats = repeats;
        }
    }

    /// True when it does so by itself.
    pub(crate) fn runs_again(&mut self, id: ContextId) -> bool {
        let home = self.home(id);
        self.in_reverse(id, home, &[], |mut reverse, signature, body| {
            derivative_dummies(reverse.b, signature);
            reverse.begin(signature);
            reverse.repeats(body)
        })
    }

    /// What the reverse pass over a context makes of it.
    fn in_reverse<T>(
        &mut self,
        id: ContextId,
        home: Option<ModuleId>,
        reserved: &[Name],
        make: impl FnOnce(Reverse<'_, '_>, &Signature, &[Stmt]) -> T,
    ) -> T {
        let mut opened = self.open(id, None, home);
        opened.reserve(reserved);
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
        make(reverse, &signature, &body)
    }

    fn halves_of(&mut self, id: ContextId, home: ModuleId, names: &[Name; 3], ty: SymId) -> Result<(), &'static str> {
        if self.program[home].kind != ModuleKind::Module {
            return Err("the procedure is in a submodule");
        }
        // A record has a place of its own for each variable.
        if !self.program[self.program[self.activity.get(id).proc].scope].equivalences.is_empty() {
            return Err("variables of the procedure share memory by equivalence");
        }
        let p = self.program[self.activity.get(id).proc].clone();
        let module = self.program[home].scope;
        let mode = self.mode;
        let mut bugs = Vec::new();
        let made = self.in_reverse(id, Some(home), names, |mut reverse, signature, body| {
            let begun = Begun::new(&mut reverse, signature, mode);
            let mut record = Variable::scalar(Ty::new(Base::Derived(ty), 0), "");
            record.spelling_uses = vec![ty];
            let record = reverse.b.add("record", record);
            reverse.run_halves(body, (record, module), &mut bugs).map(|halves| (halves, begun, record))
        });
        self.problems.append(&mut bugs);
        let (halves, begun, record) = made?;
        let Halves {
            forward,
            backward,
            owned,
            record: kept,
            mut uses,
            runtime,
            plan,
            held,
            rest,
            sites,
            unfollowed,
            shadows,
        } = halves;
        self.warn(unfollowed);
        self.uses_runtime |= runtime;
        let Begun { made, with_derivatives, header, heading } = begun;
        // Variables of the halves themselves are nothing to their callers.
        uses.retain(|l| self.program[self.effects.locs.get(*l).sym].scope != made);
        self.declare_record(home, ty, kept)?;
        let dummies = dummies_and_result(&p);
        let of = described(self.program, self.activity.get(id).proc);
        let mut decisions = Vec::new();
        let left = backward.clone();
        let [forward, backward] = [
            (forward, dummies, true, "Forward", Vec::new()),
            (backward, with_derivatives, false, "Backward", header[1..].to_vec()),
        ]
        .map(|(mut body, dummies, forward, which, more)| {
            let later: &[Stmt] = if forward { &left } else { &[] };
            decisions.extend(self.share_out(id, made, &shadows, (&mut body, later, None)));
            let header = [vec![format!("{which} half of the adjoint of {of}, generated by Costate.")], more].concat();
            let name = &names[usize::from(!forward)];
            let kind = SymbolKind::Procedure(Box::default());
            let sym = self.program.add_symbol(module, name.clone(), Span::default(), kind);
            let owned = owned.clone();
            let record = Some(record);
            self.finish_half(id, Half { sym, home, made, dummies, record, forward, owned, body, header })
        });
        let of = HalvesOf {
            forward: self.program[forward].sym,
            backward: self.program[backward].sym,
            record: ty,
            dummy: self.program[record].name.clone(),
            uses,
        };
        self.halves.insert(id, [forward, backward]);
        self.ledgers.insert((id, Part::Halves), rest);
        self.ledgers.insert((id, Part::Record), held);
        self.sites.insert(id, sites);
        self.plan.push(((id, Part::Halves), Decisions { list: plan, ..heading }.with(decisions)));
        if let Some(s) = self.signatures.get_mut(&id) {
            s.halves = Some(of);
        }
        Ok(())
    }

    /// Gives the record its components; types of other modules are made accessible.
    fn declare_record(&mut self, home: ModuleId, ty: SymId, kept: Vec<Kept>) -> Result<(), &'static str> {
        let scope = self.program[home].scope;
        for k in &kept {
            let Some(t) = k.var.ty.derived() else { continue };
            let name = self.program[t].name.clone();
            if self.program.lookup(scope, &name) == Some(t) {
                continue;
            }
            let owner = self.program.module_of(self.program[t].scope);
            // Modules of the user's that are extended use what they did.
            let foreign = self.options.layout == Layout::Extend && runtime::is_of_library(self.program, t);
            if owner.is_none() || self.program[t].private || foreign {
                return Err("the procedure keeps a variable of a type that its module doesn't know");
            }
        }
        let components = kept.into_iter().map(|k| Component::new(k.name, k.var)).collect();
        self.program[ty].kind = SymbolKind::Type(Box::new(DerivedType { components, ..DerivedType::default() }));
        Ok(())
    }

    /// Declares what one of the halves uses and adds it to its module.
    fn finish_half(&mut self, id: ContextId, half: Half) -> ProcId {
        let Half { sym, home, made, dummies, record, forward, owned, body, header } = half;
        let primal = self.activity.get(id).proc;
        let mut wanted: BTreeSet<SymId> = dummies.iter().copied().chain(record).collect();
        mentioned(&body, &mut wanted);
        let blocks = block_scopes(&body);
        wanted.extend(blocks.iter().flat_map(|b| self.program[*b].names.values()));
        let (scope, map) = self.own_scope(made, &wanted);
        self.adopt(&blocks, (scope, &map));
        let own = |s: &SymId| map.get(s).copied().unwrap_or(*s);
        if let Some(record) = &record
            && let SymbolKind::Variable(v) = &mut self.program[own(record)].kind
        {
            // The forward half uses the memory that it finds there.
            v.intent = Some(Intent::InOut);
        }
        for s in owned.iter().filter_map(|s| map.get(s)) {
            if let SymbolKind::Variable(v) = &mut self.program[*s].kind {
                own_memory(v);
            }
        }
        let result = match self.program[primal].kind {
            ProcKind::Function(r) => Some(r),
            ProcKind::Subroutine | ProcKind::Program => None,
        };
        let all: Vec<SymId> = dummies.iter().chain(&record).map(own).collect();
        let adjust = |s: SymId, v: &mut Variable| {
            if owned.contains(&s) {
                own_memory(v);
            }
            match forward {
                true if result == Some(s) => v.intent = Some(Intent::Out),
                false if dummies.contains(&s) => adjoint_intent(v),
                true | false => {}
            }
        };
        let impure = !forward && (self.is_impure(id) || crate::parallel::calls_impure_one(self.program, &body));
        let generated = self.generated_names();
        let mut finish = Finish {
            program: self.program,
            primal,
            sym,
            scope,
            module: Some(home),
            layout: self.options.layout,
            impure,
            shadows: &SymMap::new(),
            generated,
            problems: Vec::new(),
        };
        let body = remap::block(&body, &map);
        let (procedure, _) = finish.procedure(&all, body, header, &adjust, None, &BTreeSet::new());
        self.problems.append(&mut finish.problems);
        procedure
    }

    /// A scope with clones of what was made in another one and is wanted.
    fn own_scope(&mut self, made: ScopeId, wanted: &BTreeSet<SymId>) -> (ScopeId, SymMap) {
        let scope = new_scope(self.program);
        let mut wanted = wanted.clone();
        let mut queue: Vec<SymId> = wanted.iter().copied().collect();
        while let Some(s) = queue.pop() {
            let mut more = BTreeSet::new();
            for d in self.program.var(s).iter().flat_map(|v| &v.dims) {
                if let Dim::Explicit(lo, hi) = d {
                    lo.iter().chain([hi]).for_each(|e| in_expr(e, &mut more));
                }
            }
            queue.extend(more.into_iter().filter(|m| wanted.insert(*m)));
        }
        let mut map = SymMap::new();
        for (name, s) in self.program[made].names.clone() {
            if wanted.contains(&s) && self.program[s].scope == made {
                let kind = self.program[s].kind.clone();
                map.insert(s, self.program.add_symbol(scope, name, Span::default(), kind));
            }
        }
        for s in map.values() {
            if let SymbolKind::Variable(v) = &mut self.program[*s].kind {
                v.dims = v.dims.iter().map(|d| remap::dim(d, &map)).collect();
            }
        }
        (scope, map)
    }

    /// Lets blocks stand in another scope, by whose variables their arrays are declared.
    fn adopt(&mut self, blocks: &[ScopeId], (scope, map): (ScopeId, &SymMap)) {
        for block in blocks {
            self.program[*block].parent = Some(scope);
            let inside: Vec<SymId> = self.program[*block].names.values().copied().collect();
            for s in inside {
                if let SymbolKind::Variable(v) = &mut self.program[s].kind {
                    v.dims = v.dims.iter().map(|d| remap::dim(d, map)).collect();
                }
            }
        }
    }

    /// The name of a symbol that isn't generated after all is free again.
    pub(crate) fn forget_symbol(&mut self, sym: SymId) {
        let (scope, name) = (self.program[sym].scope, self.program[sym].name.clone());
        if self.program[scope].names.get(&name) == Some(&sym) {
            self.program[scope].names.shift_remove(&name);
        }
    }
}

/// The scopes of blocks, and of other constructs with names of their own.
fn block_scopes(body: &[Stmt]) -> Vec<ScopeId> {
    let mut out = Vec::new();
    for_each_stmt(body, &mut |s| {
        if let StmtKind::BlockScope { scope, .. } | StmtKind::Associate { scope, .. } = &s.kind {
            out.push(*scope);
        }
    });
    out
}
