//! What choices cost and hold: the adjoint is built with them, and its run time and memory are worked out.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::activity::ContextId;
use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{LoopControl, Name, ProcId, Program, Stmt, StmtId, StmtKind};
use costate_grammar::source::{SourceMap, Span};

use rayon::prelude::*;

use super::file::{PlanFacts, PlanFile};
use super::site_use::Use;
use super::trials::Trials;
use super::{Choices, Costs, FrameKey, MOST_FRAMES, Site, SiteId, Sizes, trips};
use crate::interface::call_arguments;
use crate::memory::{Call, Entry, LedgerFacts, Part, Path};
use crate::mode::Mode;
use crate::options::Options;
use crate::session::Session;

/// Beyond so many places at which memory is looked at, calls are no longer gone into.
const MOST_POINTS: usize = 2000;

/// So many threads evaluate choices at most, each of which has the facts of the program in memory; and so many choices at least are
/// worth finding these facts once more.
const MOST_THREADS: usize = 8;
const LEAST_SHARE: usize = 8;

/// A plan is applied to a program in so many passes at most.
const PASSES: usize = 4;

/// A program whose adjoint can be built with different choices.
pub(crate) struct Model<'a> {
    /// The user's text.
    pub sources: &'a SourceMap,
    /// What is differentiated.
    pub heads: &'a [Head],
    /// The user's options.
    pub options: &'a Options,
    /// The program without anything that is built for trials.
    original: &'a Program,
    trials: RefCell<Trials<'a>>,
    /// Run time of the heads.
    primal: OnceCell<f64>,
    /// What came of choices, by what is built for them and what numbers stand open in that.
    known: RefCell<BTreeMap<Variants, Evaluation>>,
}

/// An adjoint with certain choices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    /// Run time of the heads' adjoints, in the unit of [`Costs`].
    pub cost: f64,
    /// Run time of the heads.
    pub primal: f64,
    /// The most memory that a head's adjoint holds at a time.
    pub peak: u64,
    /// What is held at places of the backward sweep, by the site that it is held for.
    pub points: BTreeMap<Path, BTreeMap<Option<SiteId>, u64>>,
    /// Where there is something to decide.
    pub sites: Vec<Use>,
}

impl<'a> Model<'a> {
    /// Collects the facts of a program. What is built is added to its copy `program`.
    pub(crate) fn new(
        (original, program): (&'a Program, &'a mut Program),
        sources: &'a SourceMap,
        heads: &'a [Head],
        options: &'a Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let session = Session::new(program, sources, heads, Mode::Adjoint, options)?;
        Ok(Model {
            sources,
            heads,
            options,
            original,
            trials: RefCell::new(Trials::new(session)),
            primal: OnceCell::new(),
            known: RefCell::default(),
        })
    }

    /// The name of the first head's procedure, and where that begins.
    pub(crate) fn first_head(&self) -> Option<(String, Span)> {
        let trials = self.trials.borrow();
        let program = &trials.session().program;
        self.heads.first().map(|h| (program[h.proc].name.to_string(), program[h.proc].head))
    }

    /// How many statements the procedures have of which adjoints are built.
    pub(crate) fn statements(&self) -> usize {
        self.trials.borrow().statements()
    }

    /// The choices of a plan, which must have been made for this program.
    pub(crate) fn read(&self, file: &PlanFile) -> Result<Choices, Vec<Diagnostic>> {
        let stale = |session: &Session<'_>| file.stale(&plan_facts(session, self.heads));
        let mut problems = self.generated(&self.options.choices, |session| stale(session))?;
        let (mut left, mut out) = (file.sites.clone(), self.options.choices.clone());
        // With other choices for loops around them, other loops can run again: there are other sites.
        let mut open = Vec::new();
        for _ in 0..PASSES {
            let (before, count) = (out.clone(), left.len());
            open = self.generated(&before, |session| {
                file.apply(&plan_facts(session, self.heads), &uses(session), &mut left, &mut out)
            })?;
            if before == out || left.len() == count {
                break;
            }
        }
        problems.extend(open);
        let stale = |p: String| {
            Diagnostic::global(Code::StalePlan, p)
                .reason("the plan was made for another program, or for other heads or options")
                .help("make a new plan with `costate plan ... -o plan.toml`")
        };
        if problems.is_empty() { Ok(out) } else { Err(problems.into_iter().map(stale).collect()) }
    }

    /// Builds the adjoint with choices, and works out what it costs and holds.
    pub(crate) fn evaluate(&self, choices: &Choices) -> Result<Evaluation, Vec<Diagnostic>> {
        let (evaluation, problems) = self.survey(choices);
        if problems.is_empty() { Ok(evaluation) } else { Err(problems) }
    }

    /// The same for many choices, several at a time: each thread builds adjoints in a copy of the program.
    pub(crate) fn evaluate_all(&self, list: &[Choices]) -> Vec<Result<Evaluation, Vec<Diagnostic>>> {
        let threads = rayon::current_num_threads().min(MOST_THREADS).min(list.len() / LEAST_SHARE);
        if threads < 2 {
            return list.iter().map(|c| self.evaluate(c)).collect();
        }
        // Choices beside each other have procedures in common, which are built once.
        let shares = list.par_chunks(list.len().div_ceil(threads));
        let (original, sources, heads, options) = (self.original, self.sources, self.heads, self.options);
        let of_share = |share: &[Choices]| {
            let mut own = original.clone();
            match Model::new((original, &mut own), sources, heads, options) {
                Ok(model) => share.iter().map(|c| model.evaluate(c)).collect::<Vec<_>>(),
                Err(problems) => vec![Err(problems); share.len()],
            }
        };
        shares.flat_map_iter(of_share).collect()
    }

    /// The same, with what stands in the way of generating this adjoint.
    pub(crate) fn survey(&self, choices: &Choices) -> (Evaluation, Vec<Diagnostic>) {
        let (open, numbers) = choices.open();
        let mut trials = self.trials.borrow_mut();
        trials.build(&open);
        let session = trials.session();
        let mut known = self.known.borrow_mut();
        let found = known.entry((trials.chosen().to_vec(), numbers)).or_insert_with_key(|(_, numbers)| {
            let given = [self.options.sizes.as_slice(), numbers].concat();
            let primal = self.primal.get_or_init(|| {
                let mut costs = Costs::new(session.program, &session.effects.bodies, &given);
                session.heads.iter().map(|h| costs.procedure(h.head.proc)).sum()
            });
            Evaluation { primal: *primal, ..evaluation(session, &given) }
        });
        (found.clone(), session.problems.clone())
    }

    /// Looks at the adjoint with choices.
    fn generated<T>(&self, choices: &Choices, look: impl FnOnce(&Session<'_>) -> T) -> Result<T, Vec<Diagnostic>> {
        let mut trials = self.trials.borrow_mut();
        let session = trials.build(&choices.open().0);
        match session.problems.as_slice() {
            [] => Ok(look(session)),
            problems => Err(problems.to_vec()),
        }
    }
}

/// What is built for each context, and the numbers that stand open in that.
type Variants = (Vec<(ContextId, usize)>, Numbers);

/// Values of integers and extents of arrays by name.
type Numbers = Vec<(String, Vec<i64>)>;

fn evaluation(session: &Session<'_>, given: &Numbers) -> Evaluation {
    let facts = LedgerFacts::of(session);
    let sites: BTreeSet<SiteId> = session.sites.values().flatten().map(Site::id).collect();
    let mut out = Evaluation::default();
    for head in &session.heads {
        let time = |proc| Costs::new(session.program, &session.effects.bodies, given).procedure(proc);
        out.cost += session.procedures.get(&head.context).map_or(0.0, |p| time(*p));
        out.peak = out.peak.max(facts.peaks(given).plan((head.context, Part::Whole)).most);
        let mut sizes = Sizes::new(session.program, given);
        sizes.learn(facts.body(head.context));
        let mut walk =
            Walk { facts: &facts, sites: &sites, sizes, held: Vec::new(), points: &mut out.points, calls: Vec::new() };
        walk.entries(facts.entries((head.context, Part::Whole)), &Path::new(), &Path::new());
    }
    out.sites = uses(session);
    out
}

/// What a plan for the program of a run depends on.
pub(crate) fn plan_facts<'a>(session: &'a Session<'_>, heads: &'a [Head]) -> PlanFacts<'a> {
    let procedures: BTreeSet<ProcId> = session.activity.contexts.iter().map(|c| c.proc).collect();
    let procedures = procedures.into_iter().collect();
    let allow_undo = session.options.allow_undo;
    let bodies = &session.effects.bodies;
    PlanFacts { program: session.program, sources: session.sources, heads, allow_undo, procedures, bodies }
}

/// The sites of a run whose adjoints are built, in the order in which the heads come to them.
pub(crate) fn uses(session: &Session<'_>) -> Vec<Use> {
    let sites: BTreeSet<SiteId> = session.sites.values().flatten().map(Site::id).collect();
    let mut found = Vec::new();
    for head in &session.heads {
        let sizes = Sizes::new(session.program, &session.options.sizes);
        let (frames, around, pending) = Default::default();
        let mut finder = Finder { session, sites: &sites, sizes, found: &mut found, frames, around, pending };
        finder.context(head.context, &Path::new());
    }
    found
}

/// Goes through what adjoints hold.
struct Walk<'a, 'p> {
    facts: &'a LedgerFacts<'p>,
    sites: &'a BTreeSet<SiteId>,
    sizes: Sizes<'p>,
    held: Vec<(Option<SiteId>, u64)>,
    points: &'a mut BTreeMap<Path, BTreeMap<Option<SiteId>, u64>>,
    calls: Vec<ContextId>,
}

impl Walk<'_, '_> {
    /// `outer` are the calls and loops down to the procedure, `own` those inside it down to these entries.
    fn entries(&mut self, entries: &[Entry], outer: &Path, own: &Path) {
        let start = self.held.len();
        for e in entries {
            match e {
                Entry::Slot(s) => {
                    let bytes = self.sizes.bytes(s.ty, &s.bounds);
                    let value = s.value.clone().map(|(stmt, name)| SiteId { stmt, value: Some(name) });
                    let site = value.filter(|v| self.sites.contains(v));
                    self.held.push((site.or_else(|| self.site(&joined(outer, &s.path))), bytes));
                }
                Entry::Rerun(a) => self.entries(&a.entries, outer, &a.path),
                Entry::Call(c) => self.call(c, outer),
                Entry::Record(r) => {
                    let bytes = self.facts.records(r, &self.sizes);
                    let site = self.site(&joined(outer, &r.call.path));
                    self.held.push((site, bytes));
                    self.call(&r.call, outer);
                }
            }
        }
        let point = self.points.entry(joined(outer, own)).or_default();
        let mut here: BTreeMap<Option<SiteId>, u64> = BTreeMap::new();
        for (site, bytes) in &self.held {
            *here.entry(site.clone()).or_default() += bytes;
        }
        for (site, bytes) in here {
            let most = point.entry(site).or_default();
            *most = bytes.max(*most);
        }
        self.held.truncate(start);
    }

    fn call(&mut self, c: &Call, outer: &Path) {
        if self.points.len() > MOST_POINTS || self.calls.contains(&c.context) {
            return;
        }
        let caller = self.sizes.enter(self.facts.procedure(c.context), &c.args);
        self.sizes.learn(self.facts.body(c.context));
        self.calls.push(c.context);
        self.entries(self.facts.entries((c.context, c.part)), &joined(outer, &c.path), &Path::new());
        self.calls.pop();
        self.sizes.leave(caller);
    }

    /// The innermost site on a path.
    fn site(&self, path: &Path) -> Option<SiteId> {
        path.iter().rev().map(|s| SiteId::of(*s)).find(|s| self.sites.contains(s))
    }
}

fn joined(outer: &Path, inner: &Path) -> Path {
    outer.iter().chain(inner).copied().collect()
}

/// Finds the sites on the way from a head down. There may be far more ways down than procedures: a procedure is gone into
/// again only where a way tells more of the sites in it.
struct Finder<'a, 'p> {
    session: &'a Session<'p>,
    sites: &'a BTreeSet<SiteId>,
    sizes: Sizes<'a>,
    found: &'a mut Vec<Use>,
    /// The sizes with which contexts were gone into.
    frames: BTreeMap<ContextId, BTreeSet<FrameKey>>,
    /// The sites on ways down to contexts that were gone into.
    around: BTreeMap<ContextId, BTreeSet<StmtId>>,
    /// Contexts that are being gone into: recursive calls with other sizes tell nothing new.
    pending: Vec<ContextId>,
}

impl Finder<'_, '_> {
    fn context(&mut self, id: ContextId, chain: &Path) {
        let around = self.around.entry(id).or_default();
        let before = around.len();
        around.extend(chain);
        let further = around.len() > before;
        let frames = self.frames.entry(id).or_default();
        let other_sizes = frames.len() < MOST_FRAMES && frames.insert(self.sizes.key());
        if !further && (!other_sizes || self.pending.contains(&id)) {
            return;
        }
        let body = LedgerFacts::of(self.session).body(id);
        self.sizes.learn(body);
        self.pending.push(id);
        self.block(id, body, chain);
        self.pending.pop();
    }

    fn block(&mut self, id: ContextId, block: &[Stmt], chain: &Path) {
        for stmt in block {
            let mut inner = chain.clone();
            if self.sites.contains(&SiteId::of(stmt.id)) {
                inner.push(stmt.id);
            }
            self.note(id, stmt, (chain, &inner));
            let session = self.session;
            let context = session.activity.get(id);
            if let Some(&callee) = context.callees.get(&stmt.id) {
                let caller = self.sizes.enter(session.activity.get(callee).proc, call_arguments(stmt));
                self.context(callee, &inner);
                self.sizes.leave(caller);
            }
            for b in stmt.blocks() {
                self.block(id, b, &inner);
            }
        }
    }

    /// Notes the sites of a statement: those of its values are inside its own.
    fn note(&mut self, id: ContextId, stmt: &Stmt, (around, inner): (&Path, &Path)) {
        let all = self.session.sites.get(&id).into_iter().flatten();
        let sites: Vec<Site> = all.filter(|s| s.stmt == stmt.id).cloned().collect();
        if sites.is_empty() {
            return;
        }
        let mut guessed = false;
        let trips = match &stmt.kind {
            StmtKind::Do { control: LoopControl::Count { lo, hi, step, .. }, .. } => {
                let step = step.as_ref().map_or(1, |s| self.sizes.value(s));
                trips(self.sizes.value(lo), self.sizes.value(hi), step).unsigned_abs()
            }
            StmtKind::Do { name, control: LoopControl::While(_) | LoopControl::Forever, .. } => {
                let name = name.as_ref().map(Name::as_str);
                guessed = self.sizes.trips_given(name).is_none();
                self.sizes.open_trips(name).unsigned_abs()
            }
            _ => 1,
        };
        let proc = self.session.activity.get(id).proc;
        let procedure = &self.session.program[proc].name;
        for site in sites {
            let chain = if site.id().value.is_some() { inner } else { around };
            match self.found.iter_mut().find(|u| u.site.id() == site.id()) {
                Some(known) => {
                    known.trips = known.trips.max(trips);
                    let more: Path = chain.iter().filter(|s| !known.chain.contains(s)).copied().collect();
                    known.chain.extend(more);
                }
                None => {
                    let (procedure, chain) = (procedure.to_string(), chain.clone());
                    self.found.push(Use { site, proc, procedure, chain, trips, guessed });
                }
            }
        }
    }
}
