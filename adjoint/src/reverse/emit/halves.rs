//! An adjoint in two halves: the forward sweep as one procedure, the backward sweep as another, and between them a record
//! of all that crosses. Local variables move to the record at the end of the forward half and come back at the start of
//! the backward half; so do the callers' variables that the procedure changes, where the backward half uses their last
//! values.

use std::collections::BTreeSet;

use costate_analysis::effects::{finals_of, outlives};
use costate_analysis::loops::assigned;
use costate_analysis::storage::{LocSet, holds_allocatables};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    AllocItem, Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, Name, Part, Program, Role, ScopeId, Stmt,
    StmtKind, SymId, Variable, map_expr,
};
use costate_grammar::lower::{Const, fold};

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
    crossing: Vec<(SymId, Way)>,
}

/// A component of a record.
pub(crate) struct Kept {
    /// Its name.
    pub name: Name,
    /// Its declaration.
    pub var: Variable,
}

/// How a variable goes through the record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Its memory does.
    Move,
    /// Its memory does, for which it becomes allocatable.
    Own,
    /// Its value does.
    Copy,
    /// It is nothing but a component.
    Component,
}

type Refusal = &'static str;

const REFUSED: Refusal = "the procedure's adjoint is refused";
const NOTHING: Refusal = "the procedure keeps nothing that its adjoint needs";
const POINTERS: Refusal = "the procedure uses pointers, whose associations a record doesn't keep";
const SCHEDULE: Refusal = "the procedure has a loop that runs under a schedule";
const ADJOINTS: Refusal = "the procedure's forward sweep handles adjoints of its arguments";
const SIZE: Refusal = "the procedure changes an array whose size isn't known";
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
        let owned: Vec<SymId> = crossing.iter().filter(|(_, w)| *w == Way::Own).map(|(s, _)| *s).collect();
        forward.splice(0..0, self.own_memory(&owned, &anchor));
        let moves = |s: &Self, sym: &SymId, way: &Way| *way == Way::Own || *way == Way::Move && s.b.made.contains(sym);
        let moved: Vec<SymId> = crossing.iter().filter(|(s, w)| moves(&self, s, w)).map(|(s, _)| *s).collect();
        let keeping = self.keeping(&moved, &forward);
        self.allocate_where_missing(&mut forward, &keeping);
        without_freeing(&mut backward, &keeping);
        let (mut found, mut left) = (Block::new(), Block::new());
        let mut names = Taken::default();
        for (sym, way) in &crossing {
            let var = self.component(*sym, *way, module).ok_or(TYPE)?;
            let name = names.fresh(self.b.program[*sym].name.as_str());
            let parts = vec![Part::Component(name.clone())];
            let rank = var.rank();
            let place = Expr::new(ExprKind::Var(Designator { sym: record, parts }), var.ty, rank);
            kept.push(Kept { name, var });
            match way {
                Way::Component => {
                    replace(&mut forward, *sym, &place);
                    replace(&mut backward, *sym, &place);
                }
                Way::Move | Way::Own | Way::Copy => {
                    let whole = self.b.var(*sym);
                    if keeping.contains(sym) {
                        found.push(self.move_memory(&place, &whole, &anchor, Role::Storage));
                        left.push(self.move_memory(&whole, &place, &anchor, Role::Storage));
                    }
                    if *way == Way::Copy && self.b.program.var(*sym).is_some_and(|v| v.attrs.allocatable) {
                        // Where there is nothing to keep, the record holds nothing of an earlier call either.
                        found.push(self.free_any(&place, &anchor));
                    }
                    last.push(self.hand_over(*way, &whole, &place, &anchor, Role::Save));
                    first.push(self.hand_over(*way, &place, &whole, &anchor, Role::Restore));
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
        let asking = without_unused(self.b.program, &backward);
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
    fn uses_of_halves(&mut self, (used, live): (LocSet, LocSet), crossing: &[(SymId, Way)], clobbers: LocSet) -> Uses {
        let (mut needs, mut reads) = (used, live);
        let own: LocSet = crossing.iter().flat_map(|(s, _)| self.leaves_of(*s)).collect();
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

    /// The variables that go through a record, or that would have to go through one.
    fn crossing(
        &mut self,
        used: &LocSet,
        (forward, backward): (&Block, &Block),
        record: bool,
    ) -> Result<Vec<(SymId, Way)>, Refusal> {
        let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
        mentioned(forward, &mut before);
        mentioned(backward, &mut after);
        let foreign = |p: &SymId| outlives(self.b.program, self.b.primal, *p);
        let mut adjoints =
            self.b.shadow.iter().filter(|(p, _)| foreign(p)).map(|(_, s)| s).chain(self.b.globals.values());
        if adjoints.any(|s| before.contains(s)) {
            return Err(ADJOINTS);
        }
        let symbols: BTreeSet<SymId> = used.iter().map(|l| self.effects.locs.get(*l).sym).collect();
        let summary = self.effects.summaries.get(&self.b.primal).cloned().unwrap_or_default();
        let lost: BTreeSet<SymId> =
            summary.access.writes.iter().filter(|l| used.contains(l)).map(|l| self.effects.locs.get(*l).sym).collect();
        let shadows: BTreeSet<SymId> = self.b.shadow.values().copied().collect();
        let mut out = Vec::new();
        for sym in symbols.iter().chain(&after).copied().collect::<BTreeSet<_>>() {
            let Some(v) = self.b.program.var(sym).filter(|v| !v.attrs.parameter) else { continue };
            let both = before.contains(&sym) && after.contains(&sym);
            let foreign = !self.b.made.contains(&sym) && outlives(self.b.program, self.b.primal, sym);
            // Compilers fail at components that are arrays of objects with final procedures, unless they are allocatable.
            let array = v.ty.base != Base::Character && !v.dims.is_empty();
            let own = array && (!self.is_fixed(v) || !finals_of(self.b.program, v.ty).is_empty());
            let local = if own { Way::Own } else { Way::Copy };
            let way = if foreign {
                if lost.contains(&sym) && self.stays_with_callers(sym, record) {
                    continue;
                }
                if lost.contains(&sym) && v.dims.iter().any(|d| matches!(d, Dim::AssumedSize(_) | Dim::AssumedRank)) {
                    return Err(SIZE);
                }
                lost.contains(&sym).then_some(Way::Copy)
            } else if v.rank() == 0 && (self.records.contains(&sym) || runtime::is_tape(self.b.program, sym)) {
                both.then_some(Way::Component)
            } else if v.attrs.pointer && self.b.made.contains(&sym) {
                // What stacks of records are taken apart with.
                None
            } else if v.attrs.allocatable {
                both.then_some(Way::Move)
            } else {
                // The forward sweep gives memory to components of adjoints, and the backward half frees the memory of
                // components and asks for their bounds.
                let holds = holds_allocatables(self.b.program, v.ty);
                let crosses = holds || shadows.contains(&sym) || symbols.contains(&sym);
                (both && crosses).then_some(local)
            };
            out.extend(way.map(|w| (sym, w)));
        }
        Ok(out)
    }

    /// True for an argument whose last value is left to callers to bring back: they save it where they overwrite it, and most
    /// have it still when the backward half runs. A record that there is anyway takes what is small.
    fn stays_with_callers(&self, sym: SymId, record: bool) -> bool {
        let (program, scene) = (&*self.b.program, self.b.scene());
        let plain = |v: &Variable| {
            let memory = v.attrs.allocatable || v.attrs.pointer || v.attrs.value;
            !memory
                && v.ty.derived().is_none()
                && !matches!(v.ty.base, Base::Character | Base::Class(_) | Base::Unlimited)
        };
        program[self.b.primal].dummies.contains(&sym)
            && if record {
                scene.plain_array(sym)
            } else {
                program.var(sym).is_some_and(plain) && !scene.has_other_names(sym)
            }
    }

    /// The declaration of a component for a variable.
    fn component(&self, sym: SymId, way: Way, module: ScopeId) -> Option<Variable> {
        let program = &*self.b.program;
        let v = program.var(sym)?;
        let known = v.spelling_uses.iter().all(|s| program.var(*s).is_none_or(|v| v.attrs.parameter));
        let lasting = known && program.spelling_holds(module, v);
        let mut out = Variable::scalar(v.ty, if lasting { v.spelling.clone() } else { program.spell(v.ty) });
        if lasting {
            out.spelling_uses.clone_from(&v.spelling_uses);
        }
        out.attrs.allocatable = v.attrs.allocatable;
        out.attrs.pointer = v.attrs.pointer;
        match v.ty.base {
            Base::Derived(t) => {
                if !costate_analysis::storage::is_global(program, t) {
                    return None;
                }
                if !out.spelling_uses.contains(&t) {
                    out.spelling_uses.push(t);
                }
            }
            Base::Character if !lasting || v.spelling.contains(['*', ':']) => {
                if way != Way::Copy || v.rank() > 0 {
                    return None;
                }
                out.spelling = program.spell(v.ty);
                out.spelling_uses.clear();
                out.attrs.allocatable = true;
            }
            Base::Class(_) | Base::Unlimited | Base::None => return None,
            _ => {}
        }
        if way == Way::Copy && self.is_fixed(v) {
            let number = |e: &Expr| match fold(program, e) {
                Some(Const::Int(n)) => Expr::int(n),
                _ => e.clone(),
            };
            let plain = |d: &Dim| match d {
                Dim::Explicit(lo, hi) => Dim::Explicit(lo.as_ref().map(number), number(hi)),
                other => other.clone(),
            };
            out.dims = v.dims.iter().map(plain).collect();
        } else {
            out.dims = vec![Dim::Deferred; v.dims.len()];
            out.attrs.allocatable |= !v.dims.is_empty();
        }
        Some(out)
    }

    /// True for a variable whose bounds are constants.
    fn is_fixed(&self, v: &Variable) -> bool {
        let constant = |e: &Expr| matches!(fold(self.b.program, e), Some(Const::Int(_)));
        v.dims.iter().all(|d| match d {
            Dim::Explicit(lo, hi) => lo.as_ref().is_none_or(constant) && constant(hi),
            Dim::Assumed(_) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => false,
        })
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

    /// `to = from`, or the same for memory, where there is something to hand over.
    fn hand_over(&mut self, way: Way, from: &Expr, to: &Expr, anchor: &Stmt, role: Role) -> Stmt {
        if matches!(way, Way::Move | Way::Own) {
            return self.move_memory(from, to, anchor, role);
        }
        let own = if role == Role::Save { from } else { to };
        let attrs = own.as_var().and_then(|d| self.b.program.var(d.sym)).map(|v| v.attrs).unwrap_or_default();
        let mut out = self.b.assign(to.clone(), from.clone(), anchor, role);
        if attrs.allocatable {
            out = self.when(from.allocated(), vec![out], anchor);
        }
        if let Some(present) = self.presence(own) {
            out = self.when(present, vec![out], anchor);
        }
        out
    }

    /// Variables of others that the backward half may change.
    fn half_clobbers(
        &mut self,
        nodes: &[Node],
        first: &[Stmt],
        backward: &[Stmt],
        crossing: &[(SymId, Way)],
    ) -> LocSet {
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
        own.extend(crossing.iter().map(|(s, _)| *s));
        for sym in own {
            out.extend(self.leaves_of(sym));
        }
        out.retain(|l| outlives(self.b.program, self.b.primal, self.effects.locs.get(*l).sym));
        out.retain(|l| !self.is_shadow(*l));
        out
    }

    /// Divides what is held into what the record holds and the rest, and notes what isn't noted yet.
    fn divide_ledger(&mut self, crossing: &[(SymId, Way)]) -> (Vec<Entry>, Vec<Entry>) {
        let mut symbols: BTreeSet<SymId> = crossing.iter().map(|(s, _)| *s).collect();
        let (mut held, mut rest) = (Vec::new(), Vec::new());
        for e in std::mem::take(&mut self.ledger) {
            match e {
                Entry::Slot(s) if crossing.iter().any(|(c, _)| *c == s.symbol) => {
                    symbols.remove(&s.symbol);
                    held.push(Entry::Slot(s));
                }
                Entry::Record(r) => {
                    rest.push(Entry::Call(r.call.clone()));
                    held.push(Entry::Record(r));
                }
                other => rest.push(other),
            }
        }
        for sym in symbols {
            let Some(v) = self.b.program.var(sym).filter(|v| v.rank() > 0 && !self.records.contains(&sym)) else {
                continue;
            };
            let array = Expr::var(sym, v.ty, v.rank());
            let what = format!("{}: in the record", self.b.program[sym].name);
            let bounds = self.shape(&array);
            held.push(Entry::Slot(Slot {
                symbol: sym,
                what,
                reference: None,
                path: Vec::new(),
                value: None,
                ty: array.ty,
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

/// Statements without the arguments of derivatives that the run-time library has: which values these use is known from the calls
/// that they belong to, and subscripts are evaluated anyway.
fn without_unused(program: &Program, block: &Block) -> Block {
    let mut out = block.clone();
    for s in &mut out {
        if let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &mut s.kind
            && runtime::has_derivative(program, *sym)
        {
            let all = std::mem::take(args);
            for arg in all {
                if arg.value.as_var().is_none() {
                    args.push(arg);
                    continue;
                }
                let subscripts = arg.value.children().into_iter().cloned();
                args.extend(subscripts.map(|value| Arg { keyword: None, value }));
            }
        }
        for inner in s.blocks_mut() {
            *inner = without_unused(program, inner);
        }
    }
    out
}
