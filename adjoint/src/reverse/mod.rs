//! Reverse mode: from a procedure's normal form to its forward and backward sweep.
//!
//! 1. [`construct`] builds the tree of [`tree::node::Node`]s with the adjoint of every statement.
//! 2. [`regions`] chooses the loops whose iterations run again in the backward sweep.
//! 3. [`alternatives`] does without saves where that is possible, and [`recompute`] computes values again.
//! 4. [`liveness`] decides what the forward sweeps keep, [`saves`] where values are saved.
//! 5. [`emit`] writes both sweeps, saves and restores in pairs.

mod check;
mod decide;
mod emit;
mod statements;
mod timeloop;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::activity::Context;
use costate_analysis::devices::unpaired;
use costate_analysis::effects::{Effects, outlives};
use costate_analysis::storage::{LocId, LocSet};
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Block, Designator, Expr, Name, ProcKind, Stmt, StmtId, SymId, for_each_expr, for_each_stmt};
use costate_grammar::source::SourceMap;

use crate::build::Builder;
use crate::call_form::CallForms;
use crate::decision::Decision;
use crate::fixed_point::{FixedPoint, fixed_points};
use crate::interface::{Signature, Signatures};
use crate::memory::Entry;
use crate::optimise::{Code, Pass, PassSet, drop_unread};
use crate::options::Options;
use crate::plan::{Choices, Order, Site};
use check::Stage;
use emit::tapes::Tapes;
use tree::node::Node;

pub(crate) use emit::around::{Around, keepable, loop_around};
pub(crate) use emit::halves::{Backward, Halves, Kept};
pub(crate) use emit::zero::mold;

/// The generated body of an adjoint procedure and what it does to primal values.
#[derive(Debug, Default)]
pub struct Sweeps {
    /// The forward sweep, then the backward sweep.
    pub body: Block,
    /// Primal values it uses at its start.
    pub needs: LocSet,
    /// Primal values it may have changed at its end.
    pub clobbers: LocSet,
    /// There is a forward sweep.
    pub repeats: bool,
    /// The backward sweep uses values that the forward sweep saves, or leaves in variables of the procedure's own.
    pub crosses: bool,
    /// It uses the run-time library.
    pub runtime: bool,
    /// What was decided.
    pub plan: Vec<Decision>,
    /// What it holds in memory.
    pub ledger: Vec<Entry>,
    /// Where storing and recomputing can be traded for each other.
    pub sites: Vec<Site>,
    /// Directives that ask for something that isn't done.
    pub unfollowed: Vec<Diagnostic>,
}

/// The nodes of a body with all decisions.
struct Planned {
    nodes: Vec<Node>,
    /// Primal values that the sweeps use at their start.
    live: LocSet,
    /// Primal values that the backward sweep uses at its start.
    needed: LocSet,
}

/// Primal values that the sweeps may change.
fn clobbers(nodes: &[Node]) -> LocSet {
    let mut out = LocSet::new();
    nodes.iter().for_each(|n| {
        n.for_each_leaf(&mut |l| {
            if l.storage.is_some() || l.keep.contains(&true) {
                out.extend(l.access.writes.iter().copied());
            }
            out.extend(l.clobbers.iter().copied());
        });
    });
    out
}

/// The reverse pass over one procedure in one context.
pub struct Reverse<'a, 'p> {
    /// The procedure under construction.
    pub b: &'a mut Builder<'p>,
    /// Effects of everything.
    pub effects: &'a mut Effects,
    /// Activity of this procedure here.
    pub context: &'a Context,
    /// Locations with a derivative variable.
    pub storage: &'a LocSet,
    /// Interfaces of generated procedures.
    pub signatures: &'a Signatures,
    /// The user's text, for comments.
    pub sources: &'a SourceMap,
    /// What is chosen for time loops and calls.
    pub choices: &'a Choices,
    /// How calls are reversed.
    pub forms: &'a CallForms,
    /// What is wanted of the primal's outputs.
    pub live_out: LocSet,
    /// Increments may be undone by the opposite increment.
    pub allow_undo: bool,
    /// What is recomputed is compared with what was computed first.
    pub verify: bool,
    /// Where the statements of the forward sweep have run before, since the primal was called where it was its turn: arrays that
    /// they put on a device and don't take from there, or the other way round.
    unpaired: BTreeSet<SymId>,
    /// The passes that arrange both sweeps for speed.
    pub passes: PassSet,
    /// Variables of which each thread has its own, and that each iteration of a shared loop assigns before it uses them.
    work: BTreeSet<SymId>,
    /// The forms are checked after each decision and each pass.
    pub check_forms: bool,
    /// What is done to adjoints after the backward sweep.
    pub after: Block,
    /// What was found wrong.
    pub problems: Vec<Diagnostic>,
    /// Forms that don't hold what they promise.
    broken: Vec<Diagnostic>,
    /// Adjoint variables that hold zero at the start of the backward sweep must be set there.
    pub zeroed: BTreeMap<SymId, LocSet>,
    /// Variables of others, or parts of them, whose adjoints have memory whenever they have, as that of a local variable has.
    pub(crate) followed: BTreeSet<decide::allocations::Object>,
    inquired: BTreeSet<SymId>,
    temporary_objects: BTreeSet<decide::allocations::Object>,
    tapes: Tapes,
    /// A time loop runs under a schedule of the run-time library.
    scheduled: bool,
    /// The sweeps have to be two procedures: messages can't be passed twice.
    divided: bool,
    /// It notes checksums of values.
    compares: bool,
    /// Variables by which the forward sweep hands on values, and what it did, to the backward sweep.
    handed_on: Vec<SymId>,
    /// What the iterations around what is emitted don't bring back beside what they assign.
    unsettled: Vec<LocSet>,
    plan: Vec<Decision>,
    ledger: Vec<Entry>,
    sites: Vec<Site>,
    /// Values that can be recomputed in place of being saved: what they are of, the statements that may overwrite them
    /// next, and the statement that computes them.
    values: Vec<(LocId, BTreeSet<StmtId>, (StmtId, Name))>,
    unfollowed: Vec<Diagnostic>,
    /// The schedules that directives ask for.
    orders: BTreeMap<StmtId, Order>,
    /// The loops that directives call fixed points.
    fixed_points: BTreeMap<StmtId, FixedPoint>,
    /// The loops and calls around what is emitted.
    path: crate::memory::Path,
    /// What variables of its own stand for in the bounds of saves.
    defined: BTreeMap<SymId, Expr>,
    /// Scalar adjoints that calls leave zero.
    left_zero: BTreeMap<StmtId, SymId>,
    slots: emit::slots::Slots,
    /// Allocatable variables that have memory where statements are written now.
    steady: BTreeSet<SymId>,
    /// Records of split calls.
    records: BTreeSet<SymId>,
    /// The loops around the statement that is looked at, outermost first.
    ranges: Vec<costate_analysis::sections::Range>,
    temporaries: BTreeMap<(costate_grammar::ir::Ty, usize), SymId>,
    /// Variables of the loops over the elements of matrices, by dimension.
    indices_of_products: Vec<SymId>,
}

impl<'a, 'p> Reverse<'a, 'p> {
    /// Starts the pass.
    pub fn new(
        b: &'a mut Builder<'p>,
        effects: &'a mut Effects,
        context: &'a Context,
        storage: &'a LocSet,
        signatures: &'a Signatures,
        sources: &'a SourceMap,
        (choices, forms): (&'a Choices, &'a CallForms),
    ) -> Self {
        Reverse {
            b,
            effects,
            context,
            storage,
            signatures,
            sources,
            choices,
            forms,
            live_out: LocSet::new(),
            unpaired: BTreeSet::new(),
            allow_undo: false,
            verify: false,
            passes: PassSet::ALL,
            work: BTreeSet::new(),
            check_forms: false,
            after: Block::new(),
            problems: Vec::new(),
            broken: Vec::new(),
            zeroed: BTreeMap::new(),
            followed: BTreeSet::new(),
            inquired: BTreeSet::new(),
            temporary_objects: BTreeSet::new(),
            tapes: Tapes::default(),
            scheduled: false,
            divided: false,
            compares: false,
            handed_on: Vec::new(),
            unsettled: Vec::new(),
            plan: Vec::new(),
            ledger: Vec::new(),
            sites: Vec::new(),
            values: Vec::new(),
            unfollowed: Vec::new(),
            orders: BTreeMap::new(),
            fixed_points: BTreeMap::new(),
            path: Vec::new(),
            defined: BTreeMap::new(),
            left_zero: BTreeMap::new(),
            slots: emit::slots::Slots::default(),
            steady: BTreeSet::new(),
            records: BTreeSet::new(),
            ranges: Vec::new(),
            temporaries: BTreeMap::new(),
            indices_of_products: Vec::new(),
        }
    }

    /// Takes over what the user asks for.
    pub fn configure(&mut self, options: &Options, work: &BTreeSet<SymId>) {
        self.work.clone_from(work);
        self.allow_undo = options.allow_undo;
        self.verify = options.verify;
        self.passes = options.passes;
        self.check_forms = options.check_forms;
    }

    /// Notes the adjoints that the caller hands over: they don't start at zero.
    pub fn begin(&mut self, signature: &Signature) {
        for d in &signature.derivative {
            self.zeroed.insert(*d, Default::default());
        }
        if let ProcKind::Function(r) = self.b.program[self.b.primal].kind
            && (signature.result || !self.touches(r))
        {
            self.zeroed.insert(r, Default::default());
        }
    }

    /// Builds both sweeps of a body in normal form, or tells what stands in the way and where other choices can be made.
    pub fn run(mut self, body: &[Stmt]) -> Result<Sweeps, (Vec<Diagnostic>, Vec<Site>)> {
        let moves = self.effects.summaries.get(&self.context.proc).is_some_and(|s| s.access.on_device);
        if moves && !self.context.head {
            self.unpaired = unpaired(self.b.program, body);
        }
        self.sweeps(body).map_err(|found| {
            // Several sweeps may come to the same statement.
            let mut problems: Vec<Diagnostic> = Vec::new();
            for p in found {
                if !problems.contains(&p) {
                    problems.push(p);
                }
            }
            (problems, self.sites)
        })
    }

    fn sweeps(&mut self, body: &[Stmt]) -> Result<Sweeps, Vec<Diagnostic>> {
        let Planned { nodes, mut live, needed } = self.decide(body)?;
        // Derivatives of module variables that halves called from here change aren't values of the primal.
        live.retain(|l| !self.is_shadow(*l));
        let (mut out, backward) = self.write(&nodes)?;
        let clobbers = clobbers(&nodes);
        let repeats = decide::liveness::kept(nodes.iter(), 0);
        let own = |l: &LocId| !outlives(self.b.program, self.b.primal, self.effects.locs.get(*l).sym);
        let crosses = nodes.iter().any(Node::saves_something) || needed.iter().any(own);
        if !backward.is_empty() {
            let anchor = crate::build::anchor(self.b, body);
            let (kept, restored) = self.keep_outputs(&nodes, &backward, &anchor);
            if !self.problems.is_empty() {
                return Err(std::mem::take(&mut self.problems));
            }
            out.extend(kept);
            self.append(backward, &mut out, body);
            out.extend(restored);
        }
        self.finish(&mut out);
        if let Some(tape) = self.tapes.whole() {
            out.push(self.release_at_end(tape, body));
        }
        emit::comments::quote_once(&mut out);
        let anchor = crate::build::anchor(self.b, body);
        self.define_pointers(&mut out, &anchor);
        let unread = drop_unread(self.b.program, self.b.scope, &mut out, None);
        self.disown(&unread);
        if !self.broken.is_empty() {
            return Err(std::mem::take(&mut self.broken));
        }
        Ok(Sweeps {
            body: out,
            needs: live,
            clobbers,
            repeats,
            crosses,
            runtime: self.scheduled || self.compares || self.tapes.any(),
            plan: std::mem::take(&mut self.plan),
            ledger: std::mem::take(&mut self.ledger),
            sites: std::mem::take(&mut self.sites),
            unfollowed: std::mem::take(&mut self.unfollowed),
        })
    }

    /// Decides what runs when and what is saved.
    fn decide(&mut self, body: &[Stmt]) -> Result<Planned, Vec<Diagnostic>> {
        let scope = self.b.program[self.b.primal].scope;
        self.orders = crate::plan::orders(self.b.program, scope, body).0;
        self.fixed_points = fixed_points(self.b.program, scope, body, &self.orders).0;
        let body = &self.with_loop_values(body);
        let mut nodes = self.construct(&self.with_known_indices(body));
        self.heed_clocks(body, &mut nodes);
        if !self.problems.is_empty() {
            return Err(std::mem::take(&mut self.problems));
        }
        self.check_tree(&nodes, Stage::Planned, body);
        self.choose_regions(&mut nodes);
        self.check_tree(&nodes, Stage::Planned, body);
        self.settle_storage(&mut nodes);
        self.avoid_saves(&mut nodes);
        self.use_what_calls_leave(&mut nodes);
        self.check_tree(&nodes, Stage::Planned, body);
        self.recompute_values(&mut nodes);
        self.check_tree(&nodes, Stage::Planned, body);
        let live = decide::liveness::analyse(&mut nodes, 0, true, self.live_out.clone());
        self.check_iterated(&nodes);
        if !self.problems.is_empty() {
            return Err(std::mem::take(&mut self.problems));
        }
        self.find_unneeded(&mut nodes);
        if self.passes.has(Pass::DirectSaves) {
            self.find_direct(&mut nodes, 0);
        }
        let mut needed = LocSet::new();
        decide::to_be_recorded::analyse(&mut nodes, 0, &mut needed);
        #[cfg(test)]
        check::spoil(&mut nodes);
        self.check_tree(&nodes, Stage::Decided, body);
        if !self.broken.is_empty() {
            return Err(std::mem::take(&mut self.broken));
        }
        self.plan = decide::describe::describe(self.b.program, self.sources, &nodes);
        Ok(Planned { nodes, live, needed })
    }

    /// The statements of the forward and of the backward sweep.
    fn write(&mut self, nodes: &[Node]) -> Result<(Block, Block), Vec<Diagnostic>> {
        let sweeps = self.emit(nodes, 0, &mut Vec::new());
        self.hold_adjoints();
        if self.problems.is_empty() { Ok(sweeps) } else { Err(std::mem::take(&mut self.problems)) }
    }

    /// Puts the backward sweep after what there is, arranged for speed. Returns where it starts.
    fn append(&mut self, backward: Block, out: &mut Block, body: &[Stmt]) -> usize {
        let start = out.len();
        let zeros = self.initial_zeros(body);
        out.extend(zeros);
        out.extend(backward);
        self.finish(out);
        self.optimise(out, start)
    }

    /// Optimises both sweeps, of which the backward one begins at statement `start`; returns where it starts then.
    fn optimise(&mut self, out: &mut Block, start: usize) -> usize {
        if self.b.shares_locals() {
            return start;
        }
        let mut code = Code::new(self.b, &self.left_zero, std::mem::take(out), start, self.passes);
        code.check_forms = self.check_forms;
        code.run();
        self.broken.append(&mut code.broken);
        let (body, start, gone) = code.finish();
        *out = body;
        self.disown(&gone);
        start
    }

    /// Adds what is done after the backward sweep and hasn't been done at its end already.
    fn finish(&mut self, body: &mut Block) {
        for s in std::mem::take(&mut self.after) {
            if !emit::comments::is_said(body, &s) {
                body.push(s);
            }
        }
    }

    /// True when the leaf a scalar reference touches has a derivative variable.
    fn has_storage(&mut self, d: &Designator) -> bool {
        self.leaves(d).iter().any(|l| self.storage.contains(l))
    }

    fn leaves(&mut self, d: &Designator) -> Vec<LocId> {
        self.effects.locs.of(self.b.program, d)
    }

    /// Primal values that generated statements use.
    fn primal_reads(&mut self, stmts: &[Stmt]) -> LocSet {
        let mut out = LocSet::new();
        for_each_stmt(stmts, &mut |s| {
            // Of a construct that is what its header uses.
            let access = self.effects.access(self.b.program, s);
            out.extend(access.reads);
        });
        out.extend(self.pointers_in(stmts));
        out.retain(|l| !self.b.made.contains(&self.effects.locs.get(*l).sym) && !self.is_shadow(*l));
        out
    }

    /// The associations that generated statements use. A derivative pointer is associated as its primal is.
    fn pointers_in(&mut self, stmts: &[Stmt]) -> LocSet {
        let shadows = self.b.shadow.iter().chain(self.b.globals.iter());
        let primal: BTreeMap<SymId, SymId> = shadows.map(|(p, s)| (*s, *p)).collect();
        let mut used: Vec<Designator> = Vec::new();
        for_each_stmt(stmts, &mut |s| {
            for e in s.exprs() {
                for_each_expr(e, &mut |x| {
                    let Some(d) = x.as_var() else { return };
                    if let Some(sym) = primal.get(&d.sym) {
                        used.push(Designator { sym: *sym, parts: d.parts.clone() });
                    }
                });
            }
        });
        used.iter().flat_map(|d| self.effects.locs.pointers(self.b.program, d)).collect()
    }

    fn is_shadow(&self, l: LocId) -> bool {
        let sym = self.effects.locs.get(l).sym;
        self.b.globals.values().any(|s| *s == sym) || self.b.shadow.values().any(|s| *s == sym)
    }

    /// A scalar variable for the adjoint of an inner node; reused from statement to statement.
    fn adjoint_temporary(&mut self, ty: costate_grammar::ir::Ty, number: usize) -> Expr {
        if let Some(&sym) = self.temporaries.get(&(ty, number)) {
            return self.b.var(sym);
        }
        let base = format!("tmp{}", self.b.naming.variable);
        let sym = self.b.local(&base, ty, Vec::new());
        self.temporaries.insert((ty, number), sym);
        self.b.var(sym)
    }
}
