//! Loops of generated procedures whose iterations are shared out, and what the user is told of them.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::activity::ContextId;
use costate_analysis::callgraph::{calls, reached};
use costate_analysis::effects::Effects;
use costate_analysis::externals::External;
use costate_analysis::normal::mentions;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::directives::{AccConstruct, ClauseKind, OmpConstruct, Strategy};
use costate_grammar::ir::{Block, Governing, Origin, ProcId, Role, ScopeId, Stmt, StmtKind, SymId, for_each_stmt};
use costate_grammar::source::Span;

use crate::decision::{Choice, Decision};
use crate::interface::Signatures;
use crate::mode::Mode;
use crate::parallel::{self, Added, Derivative, Divided, Library, Outcome, components};
use crate::region::outermost;
use crate::remap::SymMap;
use crate::runtime;
use crate::session::Session;

impl Session<'_> {
    /// Lets loops of generated code share out their iterations where it can be shown that they may; returns what is decided
    /// for the user's loops. `later` is code that uses what is left of the values, `dummies` are those of a procedure that
    /// may call itself.
    pub(crate) fn share_out(
        &mut self,
        id: ContextId,
        scope: ScopeId,
        shadows: &SymMap,
        (body, later, dummies): (&mut Block, &[Stmt], Option<&[SymId]>),
    ) -> Vec<Decision> {
        let primal = self.activity.get(id).proc;
        let tangent = self.mode == Mode::Tangent;
        let records = self.signatures.values().filter_map(|s| s.halves.as_ref()).map(|h| h.record).collect();
        let place = components::Where { primal, scope, later };
        let apart = components::separate(self.program, place, shadows.iter().chain(&self.globals), body);
        let shadows_of = shadows.iter().chain(&self.globals).chain(&apart.derivatives);
        let library = library(&self.effects, &self.signatures, self.mode);
        let outcomes = parallel::share_out(
            self.program,
            (primal, scope, tangent),
            (shadows_of, records, &library, &self.threads),
            (&mut *body, later, dummies.map(|list| (self.signatures[&id].sym, list))),
        );
        if self.orphaned {
            parallel::begin_regions(self.program, primal, body);
        }
        parallel::begin_regions_of_tasks(self.program, primal, body);
        self.note_unshared(primal, &outcomes.iter().map(|(s, _)| s.origin.span()).collect(), body);
        let mut decisions = Vec::new();
        for (stmt, outcome) in outcomes {
            match outcome {
                Outcome::Serial(reason) => {
                    self.note_serial(&stmt, &reason);
                    let words = format!("its derivative runs serially: {reason}");
                    decisions.push(Decision::new(self.sources, &stmt, Choice::Serial, words, Vec::new()));
                }
                Outcome::Shared(added) => decisions.extend(added.iter().map(|a| self.addition(&stmt, a))),
            }
        }
        if self.on_device {
            let derivatives = apart.derivatives.clone();
            let shadows_of = shadows.iter().chain(&self.globals).chain(&derivatives);
            let divided =
                parallel::keep_on_device(self.program, (primal, scope), shadows_of, (body, apart, &self.assumed));
            divided.into_iter().for_each(|d| self.refuse_divided(d));
        }
        self.note_left_to_host(primal, body);
        // What a device calls, its derivative does, unless it uses derivatives of a module's variables, which are the host's.
        if let Some(kind) = parallel::device_routine(self.program, primal).filter(|_| !self.uses_globals(body)) {
            let (id, from) = (self.program.fresh_stmt(), self.program.fresh_stmt());
            let origin = Origin::Derived { from, span: self.program[primal].head, role: Role::Layout };
            body.insert(0, Stmt::new(id, kind, origin));
        }
        decisions
    }

    fn refuse_divided(&mut self, divided: Divided) {
        let name = &self.program[divided.sym].name;
        let what =
            format!("it isn't known which copy of `{name}` is up to date behind this call, the host's or a device's");
        let found = Diagnostic::error(Code::DeviceData, divided.call, what)
            .reason("derivative code has updates of its own, which need that")
            .help("let the called procedure bring both up to date before it ends, whatever it does");
        if !self.problems.contains(&found) {
            self.problems.push(found);
        }
    }

    /// True where statements of generated code, or procedures that they call, use derivatives of a module's variables.
    fn uses_globals(&self, body: &Block) -> bool {
        let derivatives: BTreeSet<SymId> = self.globals.values().copied().collect();
        let uses = |b: &Block| mentions(self.program, b).keys().any(|s| derivatives.contains(s));
        uses(body) || reached(self.program, &calls(self.program, body)).iter().any(|p| uses(&self.program[*p].body))
    }

    fn note_serial(&mut self, stmt: &Stmt, reason: &str) {
        // What the user asks for needs no words.
        if reason != parallel::ASKED {
            let what = "a loop that comes from this one runs serially in derivative code";
            self.note_serial_at(stmt.origin.span(), what, reason);
        }
    }

    fn note_serial_at(&mut self, span: Span, what: &str, reason: &str) {
        // Several loops may come from one.
        if self.notes.iter().any(|k| k.code == Code::SerialLoop && k.span == Some(span)) {
            return;
        }
        let found = Diagnostic::error(Code::SerialLoop, span, what).severity(Severity::Warning).reason(reason);
        self.notes.push(found.help("the derivative is the same; only time is lost"));
    }

    /// Warns of regions of a procedure of which no loop is shared out, nor found to run serially (`told` are the places of those
    /// that are), though generated code has loops or calls that come from there.
    fn note_unshared(&mut self, primal: ProcId, told: &BTreeSet<Span>, body: &Block) {
        let mut found = Vec::new();
        for region in self.followed_regions(primal).filter(|r| !is_serial(r)) {
            self.find_unshared((primal, region), told, body, &mut found);
        }
        for span in found {
            self.note_serial_at(span, "what comes from this region runs serially in derivative code", UNSHARED);
        }
        let mut lost = Vec::new();
        for region in self.followed_regions(primal) {
            inner_teams(std::slice::from_ref(region), false, &mut lost);
        }
        lost.retain(|region| {
            let (places, own) = (spans(region), region.origin.span());
            let (mut there, mut kept) = (false, false);
            for_each_stmt(body, &mut |s| {
                there |= places.contains(&s.origin.span());
                kept |= s.origin.span() == own && matches!(s.kind, StmtKind::Do { .. }) && parallel::takes_threads(s);
            });
            there && !kept
        });
        let reason = "the iterations of a loop around it are shared out already";
        for span in lost.iter().map(|s| s.start().span()).collect::<Vec<_>>() {
            self.note_serial_at(span, LOST, reason);
        }
    }

    /// Regions of a procedure through which derivatives pass.
    fn followed_regions(&self, primal: ProcId) -> impl Iterator<Item = &Stmt> {
        let followed = |r: &&Stmt| self.options.rewrites.regions.contains(&r.start().span());
        outermost(&self.program[primal].body).into_iter().filter(followed)
    }

    /// Warns of regions for one thread of a device that the host runs in part.
    fn note_left_to_host(&mut self, primal: ProcId, body: &Block) {
        let mut regions = Vec::new();
        for region in self.followed_regions(primal) {
            for_each_stmt(std::slice::from_ref(region), &mut |s| {
                let serial = |d: &Governing<'_>| {
                    matches!(d.directive.acc(), Some(AccConstruct::Serial | AccConstruct::SerialLoop))
                };
                if s.governing().iter().any(serial) {
                    let inside: BTreeSet<Span> = s.blocks().into_iter().flatten().flat_map(spans).collect();
                    regions.push((s.start().span(), inside));
                }
            });
        }
        regions.retain(|(_, places)| parallel::runs_on_host(body, places));
        for (span, _) in regions {
            let reason =
                "assignments of elements of arrays that stay on the device run there, other statements on the host";
            self.note_serial_at(span, LOST, reason);
        }
    }

    /// The region, or else the constructs in it that share out work in other ways.
    fn find_unshared(
        &self,
        (primal, region): (ProcId, &Stmt),
        told: &BTreeSet<Span>,
        body: &Block,
        found: &mut Vec<Span>,
    ) {
        // Loops of procedures that are called are told of there.
        let told_there = |stmts: &[&Stmt]| {
            let called: Vec<ProcId> =
                stmts.iter().flat_map(|s| calls(self.program, std::slice::from_ref(*s))).collect();
            let shares = |p: &ProcId| *p != primal && !outermost(&self.program[*p].body).is_empty();
            reached(self.program, &called).iter().any(shares)
        };
        let groups = constructs(std::slice::from_ref(region));
        let inside: BTreeSet<Span> = groups.iter().flatten().flat_map(|s| spans(s)).collect();
        let rest: BTreeSet<Span> = spans(region).difference(&inside).copied().collect();
        // Tasks may wait for others, but not all of them in one sweep, and one that is left has nobody to share with.
        let unshared = |parts: &[BTreeSet<Span>], least: usize| {
            [false, true].into_iter().any(|backward| {
                let found = parts.iter().map(|p| works(body, (p, backward), false));
                let (alone, shared) = found.fold((0, false), |(n, s), w| (n + usize::from(w.alone), s || w.shared));
                alone >= least && !shared
            })
        };
        let lost = |group: &&Vec<&Stmt>| {
            let parts: Vec<BTreeSet<Span>> = group.iter().flat_map(|s| members(s)).collect();
            let told = parts.iter().flatten().any(|p| told.contains(p));
            !told && !told_there(group) && unshared(&parts, parts.len().min(2))
        };
        let whole = [rest.clone(), inside];
        let any = !rest.is_empty() && unshared(&[rest], 1) || groups.iter().any(|g| lost(&g));
        if any && unshared(&whole, 1) && whole.iter().all(|p| told.is_disjoint(p)) && !told_there(&[region]) {
            found.push(region.start().span());
        } else {
            found.extend(groups.iter().filter(lost).filter_map(|g| Some(g.first()?.start().span())));
        }
    }

    /// How the iterations of a loop add to a derivative.
    fn addition(&mut self, stmt: &Stmt, added: &Added) -> Decision {
        let (choice, how) = match added.strategy {
            Strategy::Serial => (Choice::Serial, "runs serially"),
            Strategy::Shared => (Choice::Shared, "iterations add to it at the same time"),
            Strategy::Gather => (Choice::Gather, "its elements are gathered"),
            Strategy::Reduction => (Choice::Reduction, "each thread adds up its own"),
            Strategy::Atomic => (Choice::Atomic, "updates are atomic"),
        };
        let name = self.program[added.of].name.to_string();
        if added.against {
            let span = stmt.origin.span();
            let message = format!("`!$ad parallel` asks for another way to add to the derivative of `{name}`");
            let found = Diagnostic::error(Code::UnsupportedDirective, span, message).severity(Severity::Warning);
            self.notes.push(found.reason(format!("{how}: {}", added.reason)));
        }
        let words = format!("the derivative is shared by parallel iterations; {how}: {}", added.reason);
        Decision::new(self.sources, stmt, choice, words, vec![name])
    }
}

/// What is said of regions of which generated code has none.
const LOST: &str = "derivative code has no such region";

/// Regions that start threads in loops that are shared out; `within` tells whether the block stands in one.
fn inner_teams<'s>(block: &'s [Stmt], within: bool, out: &mut Vec<&'s Stmt>) {
    for s in block {
        let own = s.governing();
        let shares = matches!(s.kind, StmtKind::Do { .. }) && own.iter().any(|d| d.directive.omp().is_some());
        if within && own.iter().any(|d| d.directive.omp().is_some() && d.directive.makes_team()) {
            out.push(s);
        }
        s.blocks().into_iter().for_each(|b| inner_teams(b, within || shares, out));
    }
}

/// True for a region that runs serially by its own directives.
fn is_serial(region: &Stmt) -> bool {
    match &region.kind {
        StmtKind::Do { parallel: Some(p), .. } => {
            p.directives.iter().any(|d| d.directive.clauses.iter().any(|c| c.kind == ClauseKind::Seq))
        }
        StmtKind::Directive { directive, .. } if directive.acc() == Some(&AccConstruct::Serial) => true,
        StmtKind::Directive { body: Some(_), .. } if is_of_one_thread(region) => true,
        StmtKind::Directive { directive, body: Some(body), .. } if directive.omp() == Some(&OmpConstruct::Parallel) => {
            !body.is_empty() && body.iter().all(is_of_one_thread)
        }
        _ => false,
    }
}

/// True for statements that one thread runs, and of which it leaves nothing to others.
fn is_of_one_thread(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Directive { directive, body: Some(body), .. } => {
            let one =
                matches!(directive.omp(), Some(OmpConstruct::Single | OmpConstruct::Master | OmpConstruct::Masked));
            let mut others = false;
            for_each_stmt(body, &mut |x| others |= x.is_region());
            one && !others
        }
        StmtKind::Directive { body: None, .. } | StmtKind::Comment(_) | StmtKind::Continue => true,
        _ => false,
    }
}

/// The constructs with sections in a block, the tasks of one block together, and the loops of tasks.
fn constructs(block: &[Stmt]) -> Vec<Vec<&Stmt>> {
    let of = |s: &Stmt| match &s.kind {
        StmtKind::Directive { directive, body: Some(_), .. } => directive.omp().cloned(),
        _ => None,
    };
    let task = |s: &Stmt| of(s) == Some(OmpConstruct::Task);
    let sections = |s: &Stmt| {
        matches!(of(s), Some(OmpConstruct::Sections | OmpConstruct::ParallelSections)) && members(s).len() > 1
    };
    let of_tasks = |s: &Stmt| matches!(&s.kind, StmtKind::Do { body, .. } if body.iter().any(task));
    let tasks: Vec<&Stmt> = block.iter().filter(|s| task(s)).collect();
    let mut out = if tasks.is_empty() { Vec::new() } else { vec![tasks] };
    for s in block.iter().filter(|s| !task(s)) {
        if sections(s) || of_tasks(s) {
            out.push(vec![s]);
        } else {
            out.extend(s.blocks().into_iter().flat_map(|b| constructs(b)));
        }
    }
    out
}

/// The places of the statements in a construct, by sections where it has some.
fn members(s: &Stmt) -> Vec<BTreeSet<Span>> {
    let mark = |s: &Stmt| matches!(&s.kind, StmtKind::Directive { directive, .. } if directive.omp() == Some(&OmpConstruct::Section));
    let of = |block: &[Stmt]| block.iter().flat_map(spans).collect::<BTreeSet<Span>>();
    match &s.kind {
        StmtKind::Directive { body: Some(body), .. } => body.split(mark).map(of).filter(|m| !m.is_empty()).collect(),
        _ => vec![spans(s)],
    }
}

/// The places of a statement, and of all in it.
fn spans(s: &Stmt) -> BTreeSet<Span> {
    let mut out = BTreeSet::new();
    for_each_stmt(std::slice::from_ref(s), &mut |s| _ = out.insert(s.origin.span()));
    out
}

/// Loops and calls that come from some places.
#[derive(Default)]
struct Works {
    /// There are some in what is shared out,
    shared: bool,
    /// and in what isn't.
    alone: bool,
}

/// Those of one sweep in a block; `shared` tells whether it stands in something that is shared out.
fn works(block: &[Stmt], (places, backward): (&BTreeSet<Span>, bool), shared: bool) -> Works {
    let mut out = Works::default();
    for s in block {
        let sweep = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. }) == backward;
        let counts = sweep && places.contains(&s.origin.span());
        let shared = shared || parallel::takes_threads(s);
        let work = counts && matches!(&s.kind, StmtKind::Do { .. } | StmtKind::Call { .. });
        out.shared |= work && shared;
        out.alone |= work && !shared;
        for inner in s.blocks() {
            let inside = works(inner, (places, backward), shared);
            out.shared |= inside.shared;
            // A loop with several in it is one piece of work.
            out.alone |= inside.alone;
        }
    }
    out
}

/// Why nothing of a region is shared out.
const UNSHARED: &str =
    "no loop of it is shared out there, and its sections, tasks and array statements come one after the other";

/// The procedures without source that come with Costate's own tables, and their derivatives in the run-time library.
fn library<'e>(effects: &'e Effects, signatures: &Signatures, mode: Mode) -> Library<'e> {
    let own = |row: &External| row.behind && row.module.as_ref().is_some_and(|m| runtime::is_module(m));
    let declared = effects.externals.iter().filter(|(_, row)| own(row));
    let procedures = declared.map(|(proc, _)| *proc).collect();
    let mut derivatives = BTreeMap::new();
    for s in signatures.values() {
        let Some(row) = s.external.as_ref().filter(|row| own(row)) else { continue };
        let derivative = derivatives.entry(s.sym).or_insert_with(|| Derivative {
            of: s.primal,
            adjoint: mode == Mode::Adjoint,
            keeps_values: row.keeps_values,
            keywords: BTreeMap::new(),
        });
        derivative.keywords.extend(s.names.iter().map(|(of, name)| (name.clone(), *of)));
    }
    Library { effects, procedures, derivatives }
}
