//! One run: facts, interfaces of all generated procedures, and the order in which their bodies are built.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use costate_analysis::activity::{Activity, ContextId};
use costate_analysis::effects::{Effects, ThreadVariables, calls, finalisers, outlives, thread_variables};
use costate_analysis::externals::External;
use costate_analysis::normal::{Level, Pair, Shared, normalise_with};
use costate_analysis::request::{Head, Target};
use costate_analysis::storage::{LocSet, Root, is_global};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::ir::{ModuleId, Name, ParentUnit, ProcId, Program, StmtId, SymId, SymbolKind};
use costate_grammar::source::{SourceMap, Span};

use crate::build::suffixed;
use crate::call_form::CallForms;
use crate::common;
use crate::decision::Decisions;
use crate::failure::{Failure, merged};
use crate::interface::{self, Signatures};
use crate::lift::Lifted;
use crate::memory::{LedgerFacts, Ledgers, Part};
use crate::mode::{Layout, Mode};
use crate::names::{Naming, Taken};
use crate::nesting::{check_end, check_nesting};
use crate::obstacles::{
    bound_calls, for_want_of_modules, jumps_unseen, misread, obstacle, unseen_defaults, untraceable,
};
use crate::options::Options;
use crate::parallel::Assumptions;
use crate::passed::twin_of;
use crate::plan::{Choices, Site};
use crate::region;
use crate::told;
use crate::unit::generated_module;

/// A head with its locations.
#[derive(Clone, Debug)]
pub struct HeadFacts {
    /// The request.
    pub head: Head,
    /// Its context.
    pub context: ContextId,
    /// Locations of the independents.
    pub independents: LocSet,
    /// Locations of the dependents.
    pub dependents: LocSet,
}

/// The state of a run.
pub struct Session<'a> {
    /// Everything that was read and is generated.
    pub program: &'a mut Program,
    /// The user's text.
    pub sources: &'a SourceMap,
    /// What the user asks for.
    pub options: &'a Options,
    /// What is chosen for loops, calls and values.
    pub choices: Choices,
    /// Tangent or adjoint.
    pub mode: Mode,
    /// Names.
    pub naming: Naming,
    /// Effects.
    pub effects: Effects,
    /// Activity.
    pub activity: Activity,
    /// Derivative storage by context.
    pub storage: Vec<LocSet>,
    /// Interfaces by context.
    pub signatures: Signatures,
    /// The program has loops or regions for a device.
    pub on_device: bool,
    /// Procedures share out loops among the threads that call them.
    pub orphaned: bool,
    /// Variables of which each thread may have its own derivative.
    pub(crate) threads: ThreadVariables,
    /// Derivatives of module variables.
    pub globals: BTreeMap<SymId, SymId>,
    /// Generated modules by primal module.
    pub modules: BTreeMap<ModuleId, ModuleId>,
    /// What stands for the primal module of procedures that have none.
    pub(crate) houses: BTreeMap<ProcId, ModuleId>,
    /// Generated procedures by context.
    pub procedures: BTreeMap<ContextId, ProcId>,
    /// Those in two halves.
    pub halves: BTreeMap<ContextId, [ProcId; 2]>,
    /// The generated procedures of the backward half alone.
    pub backward: BTreeMap<ContextId, ProcId>,
    /// Primals that associate derivative pointers too.
    pub associations: BTreeMap<ContextId, ProcId>,
    /// Heads.
    pub heads: Vec<HeadFacts>,
    /// What was found wrong.
    pub problems: Vec<Diagnostic>,
    /// What the user may want to know.
    pub notes: Vec<Diagnostic>,
    /// Procedures of which nothing is built, because they are refused.
    pub refused: BTreeSet<ProcId>,
    /// What stands in the way of differentiating a procedure, should a derivative need it.
    pub deferred: BTreeMap<ProcId, Vec<Diagnostic>>,
    /// Dummies that are refused for being one memory, where unequal subscripts would keep them apart.
    pub undecided: BTreeSet<Pair>,
    /// Variables that normal form added to procedures.
    pub temporaries: BTreeSet<SymId>,
    /// The plan, line by line; the first line of a context goes on from its procedure's name.
    pub plan: Vec<((ContextId, Part), Decisions)>,
    /// What generated adjoints hold in memory.
    pub ledgers: Ledgers,
    /// Where storing and recomputing can be traded for each other.
    pub sites: BTreeMap<ContextId, Vec<Site>>,
    /// How calls are reversed, by context.
    pub forms: BTreeMap<ContextId, CallForms>,
    /// Why calls can't be split, of each context, once that is found out; nothing for one that can.
    pub(crate) whole_calls: BTreeMap<ContextId, BTreeMap<StmtId, Option<&'static str>>>,
    /// Saved local variables that have moved to their modules.
    pub lifted: Vec<Lifted>,
    /// Private procedures that extended modules make accessible, with their public names.
    pub opened: BTreeMap<SymId, Name>,
    /// Types whose components are public in extended modules.
    pub widened: BTreeSet<SymId>,
    /// The run-time library is needed.
    pub uses_runtime: bool,
    /// What stands for messages between processes, where they carry derivatives.
    pub(crate) messages: LocSet,
    /// What generated procedures that call each other are taken to do on devices before they are there.
    pub(crate) assumed: Assumptions,
}

/// True where nothing is known of a procedure, because its statements aren't understood.
pub(crate) fn unread(problems: &[Diagnostic]) -> bool {
    problems.iter().any(|d| matches!(d.code, Code::Syntax | Code::TooDeep | Code::DuplicateName))
}

/// How names of derivatives end.
fn suffixes(options: &Options, mode: Mode) -> Naming {
    Naming {
        variable: options.naming.variable_suffix(mode).into(),
        procedure: options.naming.procedure_suffix(mode).into(),
        module: options.naming.module_suffix(mode).into(),
    }
}

impl<'a> Session<'a> {
    /// Collects all facts for the heads.
    pub(crate) fn new(
        program: &'a mut Program,
        sources: &'a SourceMap,
        heads: &[Head],
        mode: Mode,
        options: &'a Options,
    ) -> Result<Self, Failure> {
        let naming = suffixes(options, mode);
        let procedures: Vec<ProcId> = heads.iter().map(|h| h.proc).collect();
        common::unify(program, &procedures);
        let mut session = Session {
            on_device: crate::parallel::runs_on_device(program),
            orphaned: crate::parallel::has_orphaned_loops(program),
            program,
            sources,
            options,
            choices: options.choices.clone(),
            mode,
            naming,
            effects: Effects::default(),
            activity: Activity::default(),
            storage: Vec::new(),
            signatures: Signatures::new(),
            threads: ThreadVariables::default(),
            globals: BTreeMap::new(),
            modules: BTreeMap::new(),
            houses: BTreeMap::new(),
            procedures: BTreeMap::new(),
            halves: BTreeMap::new(),
            backward: BTreeMap::new(),
            associations: BTreeMap::new(),
            heads: Vec::new(),
            problems: Vec::new(),
            refused: BTreeSet::new(),
            deferred: BTreeMap::new(),
            undecided: BTreeSet::new(),
            temporaries: BTreeSet::new(),
            plan: Vec::new(),
            ledgers: Ledgers::new(),
            sites: BTreeMap::new(),
            notes: Vec::new(),
            forms: BTreeMap::new(),
            whole_calls: BTreeMap::new(),
            lifted: Vec::new(),
            opened: BTreeMap::new(),
            widened: BTreeSet::new(),
            uses_runtime: false,
            messages: LocSet::new(),
            assumed: Assumptions::new(),
        };
        crate::passed::declare(session.program, &procedures, mode, &session.naming);
        session.collect(heads);
        session.meet_messages(heads);
        session.meet_unknown();
        // Without this, what follows would come to no end.
        check_nesting(session.program, &session.effects)?;
        session.effects.locs.associate(session.program);
        session.effects.associate_and_summarise(session.program, &procedures);
        // From here on they are procedures without statements.
        session.effects.bodies.retain(|p, _| !session.program.told.contains(p));
        check_end(session.program, session.effects.endless)?;
        session.find_active(heads);
        session.check_regions()?;
        let found = [
            session.check_procedures(),
            session.check_unknown(),
            session.check_aliasing(),
            session.check_variables(),
            session.check_directives(),
            session.check_pointers(heads),
            session.check_evaluation(),
        ];
        let problems = found.into_iter().filter_map(Result::err).fold(Vec::new(), merged);
        if !problems.is_empty() {
            return Err(session.refuse(problems));
        }
        session.sign();
        Ok(session)
    }

    /// Brings the heads and everything they call into normal form. What is wrong with a procedure only matters once a
    /// derivative goes through it.
    fn collect(&mut self, heads: &[Head]) {
        let mut queue: Vec<ProcId> = heads.iter().map(|h| h.proc).collect();
        let messages = Shared::of(self.program);
        let mut next = 0;
        while next < queue.len() {
            let proc = queue[next];
            next += 1;
            if self.effects.bodies.contains_key(&proc) {
                continue;
            }
            let told = self.program.told.contains(&proc);
            if self.program.is_declared_only(proc) {
                let found = self.declared(proc);
                if !found.is_empty() {
                    self.deferred.insert(proc, found);
                }
                if !told {
                    continue;
                }
            }
            let mut problems = self.unread(proc);
            let (rewrites, check) = (&self.options.rewrites, self.options.check_forms);
            let body = match normalise_with(self.program, proc, Level::Adjoint, (rewrites, &messages), check) {
                Ok(normal) => {
                    self.temporaries.extend(normal.temporaries);
                    normal.body
                }
                Err(found) => {
                    // What follows from statements that aren't understood isn't worth a word.
                    problems.extend(found.into_iter().filter(|_| !unread(&problems)).collect::<Vec<_>>());
                    self.effects.unstructured.insert(proc);
                    self.program[proc].body.clone()
                }
            };
            if told {
                // What can't be differentiated needn't be, as long as it is known what is read and changed.
                problems.retain(|d| matches!(d.code, Code::Syntax | Code::TooDeep | Code::DuplicateName));
                problems.extend(self.deferred.remove(&proc).unwrap_or_default());
            }
            if !problems.is_empty() {
                self.effects.unstructured.insert(proc);
                self.deferred.insert(proc, problems);
            } else if jumps_unseen(&body) {
                self.effects.unstructured.insert(proc);
            }
            queue.extend(calls(self.program, &body));
            queue.extend(finalisers(self.program, proc).into_iter().map(|(p, _)| p));
            self.effects.bodies.insert(proc, Rc::new(body));
        }
    }

    /// Notes what is known of a procedure whose statements aren't followed, and returns what is wrong with that.
    fn declared(&mut self, proc: ProcId) -> Vec<Diagnostic> {
        let (row, mut found) = match told::is_told(self.program, proc) {
            true => told::row(self.program, proc),
            false => (External::clone(&self.row_of(proc)), Vec::new()),
        };
        found.extend(self.misdeclared(proc, &row));
        self.effects.externals.insert(proc, Arc::new(row));
        found
    }

    /// What is known of a procedure of which there is no more than a declaration.
    fn row_of(&self, proc: ProcId) -> Arc<External> {
        match twin_of(self.program, self.program[proc].sym) {
            Some(twin) => {
                let name = Some(self.program[twin].name.clone());
                Arc::new(External { derivatives: [name.clone(), name], passed: true, ..External::default() })
            }
            None => self.options.externals.of_declared(&self.program[proc].name),
        }
    }

    /// Refuses procedures that a derivative goes through and that can't carry one, and calls of procedures that are not
    /// understood and may change real values.
    fn check_procedures(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        let mut add = |d: Diagnostic| {
            if !problems.contains(&d) {
                problems.push(d);
            }
        };
        let active: BTreeSet<ProcId> = self.activity.contexts.iter().map(|c| c.proc).collect();
        for (proc, found) in &self.deferred {
            let writes = self
                .effects
                .summaries
                .get(proc)
                .is_some_and(|s| s.access.writes.iter().any(|l| self.effects.locs.is_continuous(self.program, *l)));
            // What such a procedure does isn't known at all.
            let unread = unread(found);
            let declared = self.effects.externals.contains_key(proc);
            if active.contains(proc) || writes || unread || declared {
                found.iter().cloned().for_each(&mut add);
            }
        }
        for proc in &active {
            let body = self.effects.bodies.get(proc).cloned().unwrap_or_default();
            bound_calls(self.program, &body).into_iter().for_each(&mut add);
            if !self.heads.iter().any(|h| h.head.proc == *proc) {
                crate::text::result(self.program, *proc).into_iter().for_each(&mut add);
            }
            let mut mentioned = BTreeSet::new();
            crate::remap::mentioned(&body, &mut mentioned);
            for sym in mentioned {
                misread(self.program, sym).into_iter().for_each(&mut add);
                let Some((what, help)) = untraceable(self.program, &mut self.effects, *proc, sym) else { continue };
                let symbol = &self.program[sym];
                let d = Diagnostic::error(
                    Code::UnsupportedDeclaration,
                    symbol.span,
                    format!("`{}` is used in differentiated code, and {what}", symbol.name),
                );
                let d = d.reason("values can't be followed through that").help(help);
                add(for_want_of_modules(self.program, sym, d));
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Warns of each of these once.
    pub fn warn(&mut self, found: Vec<Diagnostic>) {
        for d in found {
            if !self.notes.contains(&d) {
                self.notes.push(d);
            }
        }
    }

    /// What could not be understood in a procedure that the derivative needs, or in its module. Warnings are for the user
    /// to know, and stand in no one's way.
    fn unread(&mut self, proc: ProcId) -> Vec<Diagnostic> {
        let p = &self.program[proc];
        let mut out = p.problems.clone();
        if let ParentUnit::Module(m) = p.parent {
            out.extend(self.program[m].problems.clone());
        }
        // They may explain an error.
        if out.iter().all(|d| d.severity != Severity::Error) {
            self.warn(std::mem::take(&mut out));
        }
        out
    }

    /// Activity and derivative storage. Procedures that associate pointers with what has a derivative have a derivative
    /// themselves.
    fn find_active(&mut self, heads: &[Head]) {
        let mut carrying = LocSet::new();
        self.messages = self.derivative_messages(heads);
        loop {
            self.activity = Activity::default();
            self.activity.carrying.clone_from(&carrying);
            self.heads.clear();
            heads.iter().for_each(|h| self.add_head(h));
            self.storage = interface::storage(self.program, &mut self.effects, &self.activity);
            let before = carrying.len();
            carrying.extend(self.storage.iter().flatten().filter(|l| self.effects.locs.get(**l).association));
            if carrying.len() == before {
                return;
            }
        }
    }

    pub(crate) fn target_locs(&mut self, targets: &[Target]) -> LocSet {
        let mut out = LocSet::new();
        for t in targets {
            let leaves = self.effects.locs.leaves(self.program, t.sym, &t.path);
            out.extend(leaves.into_iter().filter(|l| self.effects.locs.is_continuous(self.program, *l)));
        }
        out
    }

    fn add_head(&mut self, head: &Head) {
        let independents = self.target_locs(&head.independents);
        let dependents = self.target_locs(&head.dependents);
        let (v, u) = (&independents | &self.messages, &dependents | &self.messages);
        let context = self.activity.add_head(self.program, &mut self.effects, head.proc, v, u);
        self.heads.push(HeadFacts { head: head.clone(), context, independents, dependents });
    }

    /// Refuses active variables whose storage can't be followed.
    fn check_variables(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        for (id, c) in self.activity.contexts.iter().enumerate() {
            let output = |l| self.heads.iter().any(|h| h.context.0 as usize == id && h.dependents.contains(l));
            for l in &c.active {
                let sym = self.effects.locs.get(*l).sym;
                let symbol = &self.program[sym];
                let Some(v) = self.program.var(sym) else { continue };
                let unseen = || unseen_defaults(self.program, v).filter(|_| output(l));
                let of_threads = || {
                    let kept = v.directive && self.effects.bodies.values().any(|b| region::uses(b, sym));
                    kept.then_some((
                        "a directive governs its storage, and a region uses it in which derivatives have no part",
                        "remove the directive from differentiated code",
                    ))
                };
                if let Some((what, help)) = obstacle(self.program, v, sym).or_else(unseen).or_else(of_threads) {
                    let d = Diagnostic::error(
                        Code::UnsupportedDeclaration,
                        symbol.span,
                        format!("`{}` is active, and {what}", symbol.name),
                    );
                    let d = d.reason("its derivative can't be followed through that").help(help);
                    let d = for_want_of_modules(self.program, sym, d);
                    if !problems.contains(&d) {
                        problems.push(d);
                    }
                }
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// Refuses directives that the derivative would not honour, and values that go through text.
    fn check_directives(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut problems: Vec<Diagnostic> = Vec::new();
        let mut unused = Vec::new();
        for c in &self.activity.contexts {
            for d in crate::directives::check(self.program, &mut self.effects, c, self.mode) {
                if !problems.contains(&d) {
                    problems.push(d);
                }
            }
            if self.mode == Mode::Adjoint {
                unused.extend(crate::directives::unused(&self.effects, c));
            }
        }
        self.warn(unused);
        problems.extend(crate::text::check(self.program, &mut self.effects, &self.activity));
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    /// All generated procedures but those inside others.
    pub(crate) fn generated(&self) -> BTreeSet<ProcId> {
        let halves = self.halves.values().flatten().chain(self.backward.values());
        self.procedures.values().chain(halves).chain(self.associations.values()).copied().collect()
    }

    /// The same with those of generated modules, and with their internal procedures.
    pub(crate) fn all_generated(&self) -> BTreeSet<ProcId> {
        let of_modules = self.modules.values().flat_map(|m| self.program[*m].procedures.clone());
        let mut queue: Vec<ProcId> = self.generated().into_iter().chain(of_modules).collect();
        let mut all = BTreeSet::new();
        while let Some(p) = queue.pop() {
            if !matches!(self.program[p].parent, ParentUnit::Interface) && all.insert(p) {
                queue.extend(&self.program[p].internals);
            }
        }
        all
    }

    /// True for a context whose procedure changes associations that its caller sees and through which derivatives pass.
    pub(crate) fn associates(&self, proc: ProcId, id: ContextId) -> bool {
        let writes = self.effects.summaries.get(&proc).map(|s| &s.access.writes);
        let set = &self.storage[id.0 as usize];
        writes.is_some_and(|w| w.iter().any(|l| self.effects.locs.get(*l).association && set.contains(l)))
    }

    /// The generated module of a primal module: itself when it is extended.
    pub fn module_for(&mut self, m: ModuleId) -> ModuleId {
        generated_module(self.program, &mut self.modules, m, &self.naming.module.clone(), self.options.layout)
    }

    /// Names in the scopes that an extended module's new entities become visible in.
    pub(crate) fn taken_by_users(&self, m: ModuleId) -> Taken {
        match self.options.layout {
            Layout::Separate => Taken::default(),
            Layout::Extend => Taken::by_users(self.program, m),
        }
    }

    /// Contexts with callees before callers (a recursive call comes after its caller).
    pub fn order(&self) -> Vec<ContextId> {
        self.activity.calls.callees_first()
    }

    /// The derivative of a module variable, declared once in the generated module.
    pub fn global_shadows(&mut self) {
        let mut symbols: BTreeSet<SymId> = BTreeSet::new();
        for (i, set) in self.storage.iter().enumerate() {
            let proc = self.activity.contexts[i].proc;
            symbols.extend(
                set.iter()
                    .map(|l| self.effects.locs.get(*l))
                    .filter(|l| l.root == Root::Variable)
                    .map(|l| l.sym)
                    .filter(|s| is_global(self.program, *s) && outlives(self.program, proc, *s)),
            );
        }
        for h in &self.heads {
            let targets = h.head.dependents.iter().chain(&h.head.independents);
            symbols.extend(targets.map(|t| t.sym).filter(|s| is_global(self.program, *s)));
        }
        // Derivatives of one memory are one memory, under whatever name a procedure uses it.
        let overlaid: Vec<SymId> = symbols.iter().flat_map(|s| self.effects.locs.overlaid(*s)).collect();
        symbols.extend(overlaid.into_iter().filter(|s| is_global(self.program, *s)));
        for home in symbols.clone().iter().filter_map(|s| common::block_of(self.program, *s)) {
            symbols.extend(common::derivative_block(self.program, home));
        }
        for s in symbols {
            let Some(home) = self.program.module_of(self.program[s].scope) else { continue };
            let module = self.module_for(home);
            let scope = self.program[module].scope;
            let Some(mut v) = self.program.var(s).cloned() else { continue };
            v.init = v.init.take().filter(|e| v.attrs.pointer && e.is_null());
            v.data = false;
            v.attrs.protected = false;
            v.attrs.save = true;
            // All threads have one derivative of what each of them has, unless more is known below.
            v.directive &= !self.program.is_of_each_thread(s);
            let mut taken = Taken::visible(self.program, self.program[s].scope);
            taken.extend(&Taken::visible(self.program, scope));
            taken.extend(&self.taken_by_users(home));
            if self.options.layout == Layout::Extend {
                self.modules.values().for_each(|m| taken.extend(&Taken::visible(self.program, self.program[*m].scope)));
            }
            let name = taken.fresh(&suffixed(&self.program[s].name.clone(), &self.naming.variable));
            let shadow = self.program.add_symbol(scope, name, Span::default(), SymbolKind::Variable(Box::new(v)));
            self.globals.insert(s, shadow);
        }
        for (home, shadow) in &self.modules {
            common::lay_out_derivatives(self.program, *home, *shadow, &self.globals);
            let (from, to) = (self.program[*home].scope, self.program[*shadow].scope);
            self.problems.extend(common::associate(self.program, from, to, &self.globals));
        }
        self.derivatives_of_threads();
    }

    /// Gives each thread its own derivative of variables that iterations of shared loops use by themselves.
    fn derivatives_of_threads(&mut self) {
        let heads: Vec<ProcId> = self.heads.iter().map(|h| h.head.proc).collect();
        let targets = self.heads.iter().flat_map(|h| h.head.dependents.iter().chain(&h.head.independents));
        let asked = targets.map(|t| t.sym).collect();
        self.threads = thread_variables(self.program, &self.effects.bodies, &heads, &asked);
        for (s, shadow) in &self.globals {
            let of_each = self.program.is_of_each_thread(*s);
            // A tangent only uses the derivative of what is only used.
            let input = self.threads.inputs.contains(s) && (of_each || self.mode == Mode::Adjoint);
            if !input && !self.threads.work.contains(s) {
                continue;
            }
            match self.program.var(*shadow).and_then(|v| v.common.clone()) {
                Some(block) => _ = self.program.thread_blocks.insert(block),
                None => {
                    self.program.thread_variables.insert(*shadow);
                    let (scope, name) = (self.program[*shadow].scope, self.program[*shadow].name.clone());
                    self.program[scope].texts.push(format!("!$omp threadprivate({name})"));
                }
            }
        }
    }
}

impl<'p> LedgerFacts<'p> {
    /// Those of a run whose adjoints are built.
    pub(crate) fn of(session: &'p Session<'_>) -> Self {
        LedgerFacts {
            program: session.program,
            activity: &session.activity,
            bodies: &session.effects.bodies,
            ledgers: &session.ledgers,
        }
    }
}
