//! An adjoint in two halves: the forward sweep as one procedure, the backward sweep as another, and between them a record
//! of all that crosses. Local variables move to the record at the end of the forward half and come back at the start of
//! the backward half; so do the callers' variables that the procedure changes, where the backward half uses their last
//! values.

use std::collections::BTreeSet;

use costate_analysis::effects::outlives;
use costate_analysis::loops::assigned;
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    AllocItem, Block, Designator, Dim, Expr, ExprKind, Name, Part, Role, ScopeId, Stmt, StmtKind, SymId, Variable,
    map_expr,
};

use super::crossing::{Crossing, Refusal, Way};
use super::reuse::without_freeing;
use crate::decision::Decision;
use crate::interface::Uses;
use crate::memory::{Entry, Slot};
use crate::names::Taken;
use crate::optimise::Unused;
use crate::optimise::drop_unread;
use crate::plan::Site;
use crate::remap::SymMap;
use crate::remap::mentioned;
use crate::reverse::tree::node::{Leaf, Node};
use crate::reverse::{Planned, Reverse};
use crate::runtime;
use costate_analysis::sections::flow::facts_before;
use costate_analysis::sections::{Facts, Span};

/// The two halves of an adjoint.
pub(crate) struct Halves {
    /// Statements of the forward half.
    pub forward: Block,
    /// Statements of the backward half.
    pub backward: Block,
    /// Variables of both that are to be allocatable.
    pub owned: Vec<SymId>,
    /// Components of the record.
    pub record: Vec<Kept>,
    /// What they use and change of the primal's values.
    pub uses: Uses,
    /// They use the run-time library.
    pub runtime: bool,
    /// What was decided, a line each.
    pub plan: Vec<Decision>,
    /// What the record holds in memory.
    pub held: Vec<Entry>,
    /// What the backward half takes beside it.
    pub rest: Vec<Entry>,
    /// Where storing and recomputing can be traded for each other.
    pub sites: Vec<Site>,
    /// Directives that ask for something that isn't done.
    pub unfollowed: Vec<Diagnostic>,
    /// Derivatives of the procedure's variables.
    pub shadows: SymMap,
}

/// The backward sweep of a procedure that follows calls of the primal itself.
pub(crate) struct Backward {
    /// Its statements.
    pub body: Block,
    /// What it uses and changes of the primal's values.
    pub uses: Uses,
    /// What was decided, a line each.
    pub plan: Vec<Decision>,
    /// What it holds in memory.
    pub ledger: Vec<Entry>,
    /// Derivatives of the procedure's variables.
    pub shadows: SymMap,
}

/// Both sweeps before anything goes through a record.
struct Apart {
    planned: Planned,
    forward: Block,
    backward: Block,
    /// Values of the primal that the backward sweep uses.
    used: LocSet,
    crossing: Vec<Crossing>,
}

/// A component of a record.
pub(crate) struct Kept {
    /// Its name.
    pub name: Name,
    /// Its declaration.
    pub var: Variable,
}

const REFUSED: Refusal = "the procedure's adjoint is refused";
const NOTHING: Refusal = "the procedure keeps nothing that its adjoint needs";
const POINTERS: Refusal = "the procedure uses pointers, whose associations a record doesn't keep";
const SCHEDULE: Refusal = "the procedure has a loop that runs under a schedule";
const TYPE: Refusal = "the procedure would keep a variable of a type that can't be a component of a record";

impl Reverse<'_, '_> {
    /// True when the adjoint of a body in normal form runs statements of the primal before its backward sweep.
    pub(crate) fn repeats(mut self, body: &[Stmt]) -> bool {
        self.decide(body).is_ok_and(|p| crate::reverse::decide::liveness::kept(p.nodes.iter(), 0))
    }

    /// Builds both sweeps of a body in normal form as two procedures with `record` as a dummy of both. `module` is where
    /// the record's type will be. A call of what is refused stays whole; `bugs` takes what is Costate's own fault.
    pub(crate) fn run_halves(
        mut self,
        body: &[Stmt],
        (record, module): (SymId, ScopeId),
        bugs: &mut Vec<Diagnostic>,
    ) -> Result<Halves, Refusal> {
        let Apart { planned, mut forward, mut backward, used, crossing } = self.apart(body, true, bugs)?;
        if crossing.is_empty() && !self.communicates() {
            return Err(NOTHING);
        }
        let anchor = crate::build::anchor(self.b, body);
        let mut kept = Vec::new();
        let (mut last, mut first) = (Block::new(), Block::new());
        let owned: Vec<SymId> = crossing.iter().filter(|c| c.way == Way::Own).map(|c| c.sym).collect();
        forward.splice(0..0, self.own_memory(&owned, &anchor));
        let moves = |s: &Self, c: &Crossing| c.way == Way::Own || c.way == Way::Move && s.b.made.contains(&c.sym);
        let moved: Vec<SymId> = crossing.iter().filter(|c| moves(&self, c)).map(|c| c.sym).collect();
        let keeping = self.keeping(&moved, &forward);
        self.allocate_where_missing(&mut forward, &keeping);
        without_freeing(&mut backward, &keeping);
        let (mut found, mut left) = (Block::new(), Block::new());
        let mut names = Taken::default();
        for c in &crossing {
            let var = self.component(c, module).ok_or(TYPE)?;
            let name = names.fresh(&c.name(self.b.program));
            let parts = vec![Part::Component(name.clone())];
            let rank = var.rank();
            let place = Expr::new(ExprKind::Var(Designator { sym: record, parts }), var.ty, rank);
            kept.push(Kept { name, var });
            match c.way {
                Way::Component => {
                    replace(&mut forward, c.sym, &place);
                    replace(&mut backward, c.sym, &place);
                }
                Way::Move | Way::Own | Way::Copy => {
                    let own = c.reference(self.b.program);
                    if keeping.contains(&c.sym) {
                        found.push(self.move_memory(&place, &own, &anchor, Role::Storage));
                        left.push(self.move_memory(&own, &place, &anchor, Role::Storage));
                    }
                    if c.way == Way::Copy && c.declared(self.b.program).is_some_and(|v| v.attrs.allocatable) {
                        // Where there is nothing to keep, the record holds nothing of an earlier call either.
                        found.push(self.free_any(&place, &anchor));
                    }
                    last.push(self.hand_over(c, &place, &anchor, Role::Save));
                    first.push(self.hand_over(c, &place, &anchor, Role::Restore));
                }
            }
        }
        let clobbers = self.half_clobbers(&planned.nodes, &first, &backward, &crossing);
        let uses = self.uses_of_halves((used, planned.live), &crossing, clobbers);
        forward.splice(0..0, found);
        forward.extend(last);
        first.extend(backward);
        first.extend(left);
        let mut unread = drop_unread(self.b.program, self.b.scope, &mut first, Some(record));
        let mut before = BTreeSet::new();
        mentioned(&forward, &mut before);
        unread.retain(|s| !before.contains(s));
        unread.extend(drop_unread(self.b.program, self.b.scope, &mut forward, Some(record)));
        self.disown(&unread);
        let (held, rest) = self.divide_ledger(&crossing);
        Ok(Halves {
            forward,
            backward: first,
            owned,
            record: kept,
            uses,
            runtime: self.compares || self.tapes.any(),
            plan: self.plan,
            held,
            rest,
            sites: self.sites,
            unfollowed: self.unfollowed,
            shadows: self.b.shadow.clone(),
        })
    }

    /// Builds the backward sweep of a body alone, where nothing crosses to it but values that calls of the primal leave.
    pub(crate) fn run_backward(mut self, body: &[Stmt], bugs: &mut Vec<Diagnostic>) -> Option<Backward> {
        let Apart { planned, mut backward, used, crossing, .. } = self.apart(body, false, bugs).ok()?;
        if !crossing.is_empty() || self.communicates() || self.compares {
            return None;
        }
        let clobbers = self.half_clobbers(&planned.nodes, &[], &backward, &[]);
        let uses = self.uses_of_halves((used, planned.live), &[], clobbers);
        let unread = drop_unread(self.b.program, self.b.scope, &mut backward, None);
        self.disown(&unread);
        let (_, ledger) = self.divide_ledger(&[]);
        Some(Backward { body: backward, uses, plan: self.plan, ledger, shadows: self.b.shadow.clone() })
    }

    /// The sweeps of a body by themselves, and what crosses from one to the other, with a record or without.
    fn apart(&mut self, body: &[Stmt], record: bool, bugs: &mut Vec<Diagnostic>) -> Result<Apart, Refusal> {
        self.divided = self.communicates();
        let planned = self.decide(body).map_err(|found| {
            bugs.extend(found.into_iter().filter(|d| d.code == Code::Internal));
            REFUSED
        })?;
        let touched =
            |l: &Leaf| l.associates || !l.pointers.is_empty() || l.needs.iter().any(|x| self.behind_pointers(*x));
        let mut pointers = false;
        planned.nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| pointers |= touched(l)));
        if pointers {
            return Err(POINTERS);
        }
        let (mut forward, backward) = self.write(&planned.nodes).map_err(|_| REFUSED)?;
        if self.scheduled {
            return Err(SCHEDULE);
        }
        let start = self.append(backward, &mut forward, body);
        let mut backward = forward.split_off(start.min(forward.len()));
        if let Some(tape) = self.tapes.whole() {
            backward.push(self.release_at_end(tape, body));
        }
        super::comments::quote_once(&mut forward);
        super::comments::quote_once(&mut backward);
        let asking = runtime::without_unused(self.b.program, &backward);
        let mut used = self.effects.block_access(self.b.program, &asking).reads;
        used.extend(planned.needed.iter().copied());
        self.forget_assigned_first(&mut used, &backward);
        let crossing = self.crossing(&used, (&forward, &backward), record)?;
        Ok(Apart { planned, forward, backward, used, crossing })
    }

    /// True for what passes messages: it runs once, whether it keeps something else or not.
    fn communicates(&self) -> bool {
        self.effects.summaries.get(&self.b.primal).is_some_and(|s| s.access.communicates)
    }

    /// What the halves use and change of the primal's values: `used` are those that the backward half uses, `live` those
    /// that the forward half does.
    fn uses_of_halves(&mut self, (used, live): (LocSet, LocSet), crossing: &[Crossing], clobbers: LocSet) -> Uses {
        let (mut needs, mut reads) = (used, live);
        let own: LocSet = crossing.iter().flat_map(|c| self.leaves_that_cross(c)).collect();
        needs.retain(|l| !own.contains(l));
        let changed = self.effects.summaries.get(&self.b.primal).map(|s| s.access.writes.clone()).unwrap_or_default();
        let mut after: LocSet = needs.intersection(&changed).copied().collect();
        needs.retain(|l| !changed.contains(l));
        for set in [&mut needs, &mut reads] {
            self.effects.declaration_reads(self.b.program, self.b.primal, set);
        }
        for set in [&mut needs, &mut after, &mut reads] {
            set.retain(|l| outlives(self.b.program, self.b.primal, self.effects.locs.get(*l).sym));
            // Derivatives of module variables that halves called from here change aren't values of the primal.
            set.retain(|l| !self.is_shadow(*l));
        }
        Uses { reads, needs, after, clobbers }
    }

    /// Takes out arrays of which the backward sweep uses no element that it hasn't assigned before.
    fn forget_assigned_first(&mut self, used: &mut LocSet, backward: &Block) {
        if self.b.shares_locals() {
            return;
        }
        let scene = self.b.scene();
        let arrays: BTreeSet<SymId> =
            used.iter().map(|l| self.effects.locs.get(*l).sym).filter(|s| scene.plain_array(*s)).collect();
        let whole = |sym: SymId| vec![Span::default(); scene.program.var(sym).map_or(0, |v| usize::from(v.rank()))];
        let mut unused = Facts::default();
        arrays.iter().for_each(|s| unused.add(*s, whole(*s)));
        let facts = facts_before(&Unused::default(), &scene, backward, unused);
        let idle: BTreeSet<SymId> = arrays.into_iter().filter(|s| facts.cover(*s, &whole(*s))).collect();
        used.retain(|l| !idle.contains(&self.effects.locs.get(*l).sym));
    }

    /// Allocates variables with the bounds that they are declared with.
    fn own_memory(&mut self, owned: &[SymId], anchor: &Stmt) -> Block {
        let mut out = Block::new();
        for sym in owned {
            let dims = self.b.program.var(*sym).map(|v| v.dims.clone()).unwrap_or_default();
            let bounds = dims.into_iter().filter_map(|d| match d {
                Dim::Explicit(lo, hi) => Some((lo, hi)),
                Dim::Assumed(_) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => None,
            });
            let items = vec![AllocItem { object: self.b.var(*sym), shape: bounds.collect() }];
            let kind = StmtKind::Allocate { items, type_spec: None, options: Vec::new() };
            out.push(self.b.derive(kind, anchor, Role::Storage));
        }
        out
    }

    /// Variables of others that the backward half may change.
    fn half_clobbers(&mut self, nodes: &[Node], first: &[Stmt], backward: &[Stmt], crossing: &[Crossing]) -> LocSet {
        let mut out = LocSet::new();
        nodes.iter().for_each(|n| {
            n.for_each_leaf(&mut |l| {
                out.extend(l.clobbers.iter().copied());
                if l.keep.iter().skip(1).any(|k| *k) {
                    out.extend(l.access.writes.iter().copied());
                }
            });
        });
        let mut own = assigned(backward);
        own.extend(assigned(first));
        for sym in own {
            out.extend(self.leaves_of(sym));
        }
        crossing.iter().for_each(|c| out.extend(self.leaves_that_cross(c)));
        out.retain(|l| outlives(self.b.program, self.b.primal, self.effects.locs.get(*l).sym));
        out.retain(|l| !self.is_shadow(*l));
        out
    }

    /// Divides what is held into what the record holds and the rest, and notes what isn't noted yet.
    fn divide_ledger(&mut self, crossing: &[Crossing]) -> (Vec<Entry>, Vec<Entry>) {
        let mut left: Vec<&Crossing> = crossing.iter().collect();
        let (mut held, mut rest) = (Vec::new(), Vec::new());
        for e in std::mem::take(&mut self.ledger) {
            match e {
                Entry::Slot(s) if crossing.iter().any(|c| c.sym == s.symbol) => {
                    left.retain(|c| c.sym != s.symbol);
                    held.push(Entry::Slot(s));
                }
                Entry::Record(r) => {
                    rest.push(Entry::Call(r.call.clone()));
                    held.push(Entry::Record(r));
                }
                other => rest.push(other),
            }
        }
        for c in left {
            let own = c.reference(self.b.program);
            if own.rank == 0 || self.records.contains(&c.sym) {
                continue;
            }
            let what = format!("{}: in the record", c.name(self.b.program));
            let bounds = self.shape(&own);
            held.push(Entry::Slot(Slot {
                symbol: c.sym,
                what,
                reference: None,
                path: Vec::new(),
                value: None,
                ty: own.ty,
                bounds,
            }));
        }
        (held, rest)
    }
}

/// Puts a component in the place of a variable.
fn replace(block: &mut Block, sym: SymId, by: &Expr) {
    let placed = |x: Expr| match (x.as_var(), by.as_var()) {
        (Some(d), Some(place)) if d.sym == sym => {
            let parts = [place.parts.clone(), d.parts.clone()].concat();
            Expr { kind: ExprKind::Var(Designator { sym: place.sym, parts }), ..x }
        }
        _ => x,
    };
    for s in block {
        s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut |x| placed(x)));
        s.blocks_mut().into_iter().for_each(|b| replace(b, sym, by));
    }
}
