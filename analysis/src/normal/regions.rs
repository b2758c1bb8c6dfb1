//! Regions of OpenMP and OpenACC through which derivatives pass: their statements are followed as if one thread ran them
//! all, which is one of the orders that the directives allow. Loops keep what their directives ask for, and what they
//! prove ([`Evidence`]): whoever writes generated code decides for each loop that comes from them whether its iterations
//! may be shared out, too.

mod asked;
mod distribution;
mod doacross;
mod elements;
mod equal;
mod indices;
mod kept;
mod linear;
pub(super) mod own;
mod private;
mod proved;
mod reductions;
mod redundant;
mod scans;
pub(super) mod strategies;
mod sums;
mod tasks;
mod workshare;
mod wrapped;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::directives::{Directive, OmpConstruct};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Block, Callee, Dim, Evidence, Expr, ExprKind, Governing, LoopControl, LoopDirective, Parallel, ProcId,
    Program, Stmt, StmtId, StmtKind, SymId, Variable, for_each_stmt, map_expr,
};
use costate_grammar::source::Span;

use super::context::Cx;
use super::memory::memory_bounds;
use super::subst::{self, Map};
use crate::dataflow::distinct::{Pairs, in_loops};
use crate::dataflow::variables::{Call, used_after, used_before_assigned};
use crate::dependence::mentions::for_each_value;
use crate::devices::moves_alone;
use crate::effects::outlives;
use crate::storage::symbols;
use asked::Team;
pub use asked::stands;
use elements::Apart;
use private::{
    check_lasting, copies_unnamed, counters, may_change, may_change_by_calls, named_otherwise, privates, used_in,
};
use proved::Beside;
pub(super) use reductions::of_concurrent;
use tasks::only_task;

/// What of a region keeps it from being followed, as its text says it.
pub fn unserial(program: &Program, stmt: &Stmt) -> Option<String> {
    let mut found = None;
    for_each_stmt(std::slice::from_ref(stmt), &mut |s| {
        // Of what has another name here it isn't known whose it is.
        let other =
            |d: Governing<'_>| d.directive.listed().find(|item| d.named(program, item).is_none()).map(str::to_string);
        found = found.take().or_else(|| s.governing().into_iter().find_map(other));
        let mut own: Vec<&Directive> = s.governing().into_iter().map(|d| d.directive).collect();
        if let StmtKind::Directive { directive, body: None, .. } = &s.kind
            && directive.is_parallel()
        {
            own.push(directive);
        }
        found = found.take().or_else(|| own.iter().find_map(|d| d.unserial()).map(str::to_string));
    });
    found
}

/// Follows the statements of regions, given by the places where they begin.
pub(super) fn run(cx: &mut Cx, body: Block, regions: &BTreeSet<Span>) -> Block {
    let used = used_after(cx.program, &body, &|s| is_left(cx.program, cx.proc, s), &|_| Call::default());
    let mentions = mentions(cx.program, &body);
    let mut named = BTreeSet::new();
    assigned_outside(&body, &mut named);
    let distinct = in_loops(cx.program, cx.proc, &body);
    Regions { regions, used, mentions, distinct, named: RefCell::new(named) }.block(cx, body, None)
}

/// Variables that are assigned outside of regions: their values there are none that private ones in a region may take away.
fn assigned_outside(block: &[Stmt], out: &mut BTreeSet<SymId>) {
    for s in block.iter().filter(|s| !s.is_region()) {
        if let StmtKind::Assign { lhs, .. } = &s.kind {
            out.extend(lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym));
        }
        s.blocks().into_iter().for_each(|b| assigned_outside(b, out));
    }
}

/// How many statements mention each variable. What gives a variable of an intrinsic type its memory as a whole, or takes it,
/// says nothing of values.
pub fn mentions(program: &Program, body: &[Stmt]) -> BTreeMap<SymId, usize> {
    let mut out = BTreeMap::new();
    for_each_stmt(body, &mut |s| {
        let memory = |e: &Expr| {
            let filled = matches!(&s.kind, StmtKind::Allocate { options, .. } if !options.is_empty());
            let moved = matches!(s.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. }) && !filled;
            moved && !e.is_derived() && e.as_var().is_some_and(|d| d.parts.is_empty() && allocatable(program, d.sym))
        };
        let mut own = BTreeSet::new();
        for e in s.exprs().into_iter().filter(|e| !memory(e)) {
            match &s.kind {
                // What others get as much memory as isn't used for that.
                StmtKind::Allocate { .. } => for_each_value(e, &mut |x| own.extend(x.as_var().map(|d| d.sym))),
                _ => own.extend(symbols(e)),
            }
        }
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            own.insert(*var);
        }
        own.into_iter().for_each(|x| *out.entry(x).or_default() += 1);
    });
    out
}

/// Notes what `do concurrent` proves of the loops in each other that stand for it, as many as it has indices; of what
/// iterations assign only where it is `vouched` for.
pub(super) fn concurrent(program: &Program, (proc, vouched): (ProcId, bool), stmt: &mut Stmt, indices: usize) {
    let left = |s| vouched && is_left(program, proc, s);
    equal::replace(program, stmt, indices);
    let apart = proved::of_concurrent(program, stmt, indices, &left);
    note_concurrent(program, stmt, indices, &apart);
}

fn note_concurrent(program: &Program, stmt: &mut Stmt, indices: usize, apart: &Apart) {
    let own = proved::of_loop(
        program,
        stmt,
        &[],
        &Team::default(),
        Beside { used: None, alone: &|_| false, local: &|_| false },
    );
    let Apart { written, own: always, touched } = apart.clone();
    let evidence = Evidence { written, own: always, touched, ..own };
    let StmtKind::Do { parallel, body, .. } = &mut stmt.kind else { return };
    *parallel = Some(Box::new(Parallel { directives: Vec::new(), evidence: Some(Box::new(evidence)) }));
    if let [inner] = body.as_mut_slice()
        && indices > 1
    {
        note_concurrent(program, inner, indices - 1, apart);
    }
}

fn allocatable(program: &Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(|v| v.attrs.allocatable)
}

/// True for a variable whose value a caller may use.
fn is_left(program: &Program, proc: ProcId, sym: SymId) -> bool {
    outlives(program, proc, sym)
}

struct Regions<'r> {
    regions: &'r BTreeSet<Span>,
    /// The variables that are of use after each construct.
    used: BTreeMap<StmtId, BTreeSet<SymId>>,
    /// How many statements of the procedure mention each variable.
    mentions: BTreeMap<SymId, usize>,
    /// Pointers that are different memory in each loop.
    distinct: BTreeMap<StmtId, Pairs>,
    /// Variables whose names a loop has kept for its private ones, and those that are assigned outside of regions.
    named: RefCell<BTreeSet<SymId>>,
}

impl Regions<'_> {
    fn block(&self, cx: &mut Cx, block: Block, team: Option<&Team>) -> Block {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            self.statement(cx, stmt, team, &mut out);
        }
        out
    }

    fn statement(&self, cx: &mut Cx, mut stmt: Stmt, team: Option<&Team>, out: &mut Block) {
        if stmt.is_region() && (team.is_some() || self.regions.contains(&stmt.start().span())) {
            return self.region(cx, stmt, team, out);
        }
        if let StmtKind::Directive { directive, body: None, .. } = &stmt.kind
            && !moves_alone(cx.program, &stmt)
            && (team.is_some() && directive.is_parallel() || self.regions.contains(&stmt.origin.span()))
        {
            return;
        }
        if let Some(team) = team.filter(|t| t.makes_kernels() && matches!(stmt.kind, StmtKind::Do { .. })) {
            return self.shared_loop(cx, stmt, Vec::new(), team, out);
        }
        if let (Some(team), Some((task, names))) = (team, only_task(&stmt)) {
            let own = vec![LoopDirective { names, ..LoopDirective::new(task, stmt.origin) }];
            return self.shared_loop(cx, stmt, own, team, out);
        }
        if let Some(team) = team
            && let Some(made) = tasks::taken_out(cx, &stmt, team)
        {
            return self.loops_of_tasks(cx, made, team, out);
        }
        let inside = match (&stmt.kind, team) {
            (StmtKind::BlockScope { scope, .. }, Some(team)) => Some(team.in_block(*scope)),
            _ => None,
        };
        for inner in stmt.blocks_mut() {
            let own = std::mem::take(inner);
            *inner = self.block(cx, own, inside.as_ref().or(team));
        }
        out.push(stmt);
    }

    /// The loop that makes tasks, and those of the tasks behind it.
    fn loops_of_tasks(&self, cx: &mut Cx, made: tasks::Made, team: &Team, out: &mut Block) {
        let (before, behind) = made.around;
        out.extend(before);
        let id = made.maker.id;
        out.push(made.maker);
        for (stmt, directive) in made.tasks {
            // What is of use behind the loop is so behind each of these.
            let mut loops = Block::new();
            self.shared_loop(cx, stmt, vec![directive], team, &mut loops);
            loops.iter_mut().filter(|s| s.id == id).for_each(|s| s.id = cx.program.fresh_stmt());
            out.extend(loops);
        }
        out.extend(behind);
    }

    /// The statements of a region without its directive, or the loop.
    fn region(&self, cx: &mut Cx, mut stmt: Stmt, team: Option<&Team>, out: &mut Block) {
        let outer = team.cloned().unwrap_or_default();
        match &mut stmt.kind {
            StmtKind::Directive { directive, names, body: Some(body) } => {
                redundant::check(cx, Governing { directive, names }, body);
                check_lasting(cx, body);
                let team = outer.within(directive, names);
                let private = self.kept_apart(cx.program, (&[Governing { directive, names }], &outer), body, stmt.id);
                let mut inside = std::mem::take(body);
                if makes_parts(directive) {
                    inside = self.in_parts(cx, inside, (&team, stmt.id));
                }
                if workshare::shares_statements(directive) {
                    inside = workshare::as_loops(cx, inside, &team);
                }
                let body = self.block(cx, inside, Some(&team));
                let mut made = apart(cx, &private, body);
                cx.inherit(&stmt, &mut made);
                out.extend(made);
            }
            StmtKind::Do { parallel, .. } => {
                let own = parallel.take().map(|p| p.directives).unwrap_or_default();
                let leading: Vec<String> =
                    own.iter().flat_map(|d| d.leading.iter().chain(&d.trailing)).cloned().collect();
                stmt.leading.splice(0..0, leading);
                self.shared_loop(cx, stmt, own, &outer, out);
            }
            _ => out.push(stmt),
        }
    }

    /// The statements of sections, or of a task, where each has private variables that no other one has.
    fn in_parts(&self, cx: &mut Cx, body: Block, (team, construct): (&Team, StmtId)) -> Block {
        let used = self.used.get(&construct);
        let private: Vec<SymId> = team
            .directives()
            .flat_map(|(directive, names)| Governing { directive, names }.private(cx.program))
            .filter(|s| used.is_some_and(|u| !u.contains(s)))
            .collect();
        let mut out = Block::with_capacity(body.len());
        for part in body.chunk_by(|_, next| !is_section(next)) {
            let exposed = used_before_assigned(cx.program, part);
            let changed = may_change(part);
            let inside = mentions(cx.program, part);
            let elsewhere = |s: &SymId| self.mentions.get(s) > inside.get(s);
            let anew = private.iter().filter(|s| changed.contains(s) && !exposed.contains(s) && elsewhere(s));
            let own: Vec<(SymId, bool)> =
                anew.filter(|s| !self.named.borrow_mut().insert(**s)).map(|s| (*s, false)).collect();
            out.extend(apart(cx, &own, part.to_vec()));
        }
        out
    }

    /// A loop with what directives ask for and prove.
    fn shared_loop(&self, cx: &mut Cx, mut stmt: Stmt, mut own: Vec<LoopDirective>, team: &Team, out: &mut Block) {
        let behind = linear::run(cx, &mut stmt, &mut own);
        self.loop_without_counters(cx, stmt, own, team, out);
        out.extend(behind);
    }

    /// A loop whose iterations hand on no counter.
    fn loop_without_counters(
        &self,
        cx: &mut Cx,
        mut stmt: Stmt,
        mut own: Vec<LoopDirective>,
        team: &Team,
        out: &mut Block,
    ) {
        if let StmtKind::Do { body, .. } = &mut stmt.kind {
            doacross::as_ordered(cx, body, &mut own);
            *body = distribution::without_locks(cx, std::mem::take(body));
            distribution::asked_once(body);
        }
        if distribution::has_exclusive_statements(cx.program, &stmt, &own, team) {
            let governing: Vec<Governing<'_>> = own.iter().map(LoopDirective::governing).collect();
            let private = self.proved(cx, &stmt, &governing, team).private;
            if let Some(parts) = distribution::parts(cx, &stmt, &own, team, &private) {
                return self.distributed(cx, stmt, (&own, team), parts, out);
            }
            reductions::for_exclusive(cx.program, &mut stmt, &mut own, &private);
        }
        equal::replace(cx.program, &mut stmt, 1);
        let governing: Vec<Governing<'_>> = own.iter().map(LoopDirective::governing).collect();
        let mut evidence = self.proved(cx, &stmt, &governing, team);
        if let StmtKind::Do { body, .. } = &mut stmt.kind {
            wrapped::as_one(body, &evidence.private);
        }
        if indices::replace(cx, &mut stmt, &evidence.private) {
            evidence = self.proved(cx, &stmt, &governing, team);
        }
        if let StmtKind::Do { body, .. } = &mut stmt.kind {
            sums::in_front(body, &evidence.sums);
        }
        let mut private = self.kept_apart(cx.program, (&governing, team), std::slice::from_ref(&stmt), stmt.id);
        private.extend(self.shared_names(cx.program, (&governing, team), (&stmt, &evidence.private), &private));
        let within = own.iter().fold(team.clone(), |t, d| t.within(&d.directive, &d.names)).in_loop(&own);
        let inside = stmt.blocks().into_iter().next().map_or(&[][..], Vec::as_slice);
        let asked = asked::directives(cx.program, (&own, inside), team, stmt.origin);
        if let StmtKind::Do { body, parallel, control, .. } = &mut stmt.kind {
            let inner = std::mem::take(body);
            *body = self.block(cx, inner, Some(&within));
            if !asked.is_empty() && matches!(control, LoopControl::Count { .. }) {
                *parallel = Some(Box::new(Parallel { directives: asked, evidence: Some(Box::new(evidence)) }));
            }
        }
        let of_team = team.directives().map(|(directive, names)| Governing { directive, names });
        let all: Vec<Governing<'_>> = governing.iter().copied().chain(of_team).collect();
        let none = BTreeSet::new();
        let made = match stmt.followed() {
            Some(p) if !p.evidence.as_ref().is_some_and(|e| e.ordered) => {
                let used = self.used.get(&stmt.id);
                reductions::run(cx, stmt, (&all, team), used.unwrap_or(&none))
            }
            _ => vec![stmt],
        };
        out.extend(apart(cx, &private, made));
    }

    /// What the directives of a loop prove.
    fn proved(&self, cx: &Cx, stmt: &Stmt, own: &[Governing<'_>], team: &Team) -> Evidence {
        let inside = mentions(cx.program, std::slice::from_ref(stmt));
        let alone = |s: SymId| self.mentions.get(&s) == inside.get(&s);
        let local = |s| !is_left(cx.program, cx.proc, s) && cx.program.var(s).is_some_and(|v| !v.attrs.pointer);
        let beside = Beside { used: self.used.get(&stmt.id), alone: &alone, local: &local };
        let distinct = self.distinct.get(&stmt.id).into_iter().flatten().copied().collect();
        Evidence { distinct, ..proved::of_loop(cx.program, stmt, own, team, beside) }
    }

    /// The loops into which one is split whose iterations take turns at some statements.
    fn distributed(
        &self,
        cx: &mut Cx,
        stmt: Stmt,
        (own, team): (&[LoopDirective], &Team),
        parts: distribution::Parts,
        out: &mut Block,
    ) {
        let StmtKind::Do { control, .. } = &stmt.kind else { return };
        let governing: Vec<Governing<'_>> = own.iter().map(LoopDirective::governing).collect();
        let within = own.iter().fold(team.clone(), |t, d| t.within(&d.directive, &d.names)).in_loop(own);
        let (mut made, behind) = parts.around;
        for (at, body) in parts.bodies.into_iter().enumerate().filter(|(_, b)| !b.is_empty()) {
            // What is of use behind the loop is so behind each of these.
            let mut part = Stmt::new(stmt.id, StmtKind::repeat(control.clone(), body), stmt.origin);
            let mut loops = Block::new();
            if at % 2 == 0 {
                self.shared_loop(cx, part, parts.own.clone(), team, &mut loops);
            } else {
                let private = self.kept_apart(cx.program, (&governing, team), std::slice::from_ref(&part), stmt.id);
                for inner in part.blocks_mut() {
                    let own = std::mem::take(inner);
                    *inner = self.block(cx, own, Some(&within));
                }
                loops = apart(cx, &private, vec![part]);
            }
            loops.iter_mut().filter(|s| s.id == stmt.id).for_each(|s| s.id = cx.program.fresh_stmt());
            made.extend(loops);
        }
        made.extend(behind);
        cx.inherit(&stmt, &mut made);
        out.extend(made);
    }

    /// The private variables of a loop that stand elsewhere for others, all loops but the first: what belongs to one loop
    /// alone is of no use outside an iteration. Of those of a team around it these are such that each iteration has anew
    /// (`proved`).
    fn shared_names(
        &self,
        program: &Program,
        (own, team): (&[Governing<'_>], &Team),
        (stmt, proved): (&Stmt, &[SymId]),
        known: &[(SymId, bool)],
    ) -> Vec<(SymId, bool)> {
        let body = std::slice::from_ref(stmt);
        let (changed, inside) = (may_change(body), mentions(program, body));
        let mut private: BTreeSet<SymId> = own.iter().flat_map(|d| d.private(program)).collect();
        let counts = counters(body);
        let around = team.directives().flat_map(|(directive, names)| Governing { directive, names }.private(program));
        private.extend(around.filter(|s| proved.contains(s) && !counts.contains(s)));
        let mut named = self.named.borrow_mut();
        let elsewhere = |s: &SymId| self.mentions.get(s) > inside.get(s);
        let candidates = private.into_iter().filter(|s| changed.contains(s) && !known.iter().any(|k| k.0 == *s));
        candidates.filter(elsewhere).filter(|s| !named.insert(*s)).map(|s| (s, false)).collect()
    }

    /// The variables of which a construct makes others, while those outside keep their values for a later use.
    fn kept_apart(
        &self,
        program: &Program,
        (own, team): (&[Governing<'_>], &Team),
        body: &[Stmt],
        id: StmtId,
    ) -> Vec<(SymId, bool)> {
        let Some(used) = self.used.get(&id) else { return Vec::new() };
        let changed = may_change_by_calls(program, body);
        let on_device = team.on_device(program);
        let kept = |s: &SymId| used.contains(s) && changed.contains(s) && !on_device.contains(s);
        let mut private = privates(program, own, body);
        if own.iter().any(copies_unnamed) {
            let listed: BTreeSet<SymId> = own.iter().flat_map(|d| named_otherwise(program, d)).collect();
            let copied = changed.iter().filter(|s| !listed.contains(s) && team.is_of_one_thread(program, **s));
            copied.for_each(|s| _ = private.entry(*s).or_insert(true));
        }
        private.into_iter().filter(|(s, _)| kept(s)).collect()
    }
}

/// True for a construct whose statements, or sections of these, other threads' may run beside.
fn makes_parts(d: &Directive) -> bool {
    matches!(d.omp(), Some(OmpConstruct::Sections | OmpConstruct::ParallelSections | OmpConstruct::Task))
}

/// True for the directive before a section.
fn is_section(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Directive { directive, .. } if directive.omp() == Some(&OmpConstruct::Section))
}

/// A local variable of the same type and shape.
fn local_like(v: &Variable) -> Variable {
    let mut own = v.clone();
    (own.dummy, own.intent, own.common, own.init) = (None, None, None, None);
    (own.result, own.attrs.save, own.attrs.optional) = (false, false, false);
    own
}

/// Statements in which other variables stand for some, so that these keep their values.
fn apart(cx: &mut Cx, private: &[(SymId, bool)], mut body: Block) -> Block {
    let Some(at) = body.first().cloned().filter(|_| !private.is_empty()) else { return body };
    cx.at(&at);
    let mut map = Map::new();
    let (mut before, mut after, mut present) = (Block::new(), Block::new(), Vec::new());
    for (sym, first) in private {
        let Some(outside) = cx.program.var(*sym) else { continue };
        let optional = outside.attrs.optional;
        let mut v = local_like(outside);
        let (ty, rank, pointer) = (v.ty, v.rank(), v.attrs.pointer);
        // A copy has as many elements as the variable outside has there.
        let (asked, known) = (v.attrs.allocatable, v.dims.iter().all(|d| matches!(d, Dim::Explicit(..))));
        let sized = !pointer && (asked || !known && !v.dims.iter().any(|d| matches!(d, Dim::AssumedSize(_))));
        if sized {
            v.attrs.allocatable = true;
            v.dims = vec![Dim::Deferred; usize::from(rank)];
        }
        let name = cx.program[*sym].name.clone();
        let name = cx.fresh_name(name.as_str());
        let own = Expr::var(cx.add_variable(name, v), ty, rank);
        let outside = Expr::var(*sym, ty, rank);
        let mut begin = Block::new();
        if sized {
            let items = vec![AllocItem { object: own.clone(), shape: memory_bounds(&outside) }];
            begin.push(cx.stmt(StmtKind::Allocate { items, type_spec: None, options: Vec::new() }));
            after.push(cx.deallocation(&own));
        }
        if *first {
            let (lhs, rhs) = (own.clone(), outside.clone());
            let copied = if pointer { cx.stmt(StmtKind::PointerAssign { lhs, rhs }) } else { cx.assign(lhs, rhs) };
            begin.push(copied);
        }
        let given = [(asked, Intrinsic::Allocated), (optional, Intrinsic::Present)].into_iter().filter(|g| g.0);
        for (_, asks) in given {
            let cond = Expr { rank: 0, ..Expr::intrinsic(asks, vec![outside.clone()]) };
            let inner = std::mem::take(&mut begin);
            begin.extend((!inner.is_empty()).then(|| cx.if_else(cond, inner, Block::new())));
        }
        before.extend(begin);
        if optional {
            present.push((own.clone(), outside));
        }
        map.insert(*sym, own);
    }
    subst::block(cx, &map, &mut body);
    for_each_mut(&mut body, &mut |s| proved::substitute(cx.program, &map, s));
    for_each_mut(&mut body, &mut |s| s.kind.map_exprs(&mut |e| asks_of_outside(e, &present)));
    before.extend(body);
    before.extend(after);
    before
}

/// Asks of the variable outside, in place of its copy, whether it is present.
fn asks_of_outside(e: &Expr, copies: &[(Expr, Expr)]) -> Expr {
    map_expr(e.clone(), &mut |mut x| {
        if let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Present), args } = &mut x.kind {
            for a in args {
                let outside = copies.iter().find(|(own, _)| *own == a.value).map(|(_, outside)| outside.clone());
                a.value = outside.unwrap_or(a.value.clone());
            }
        }
        x
    })
}

fn for_each_mut(block: &mut [Stmt], f: &mut dyn FnMut(&mut Stmt)) {
    for s in block {
        f(s);
        s.blocks_mut().into_iter().for_each(|b| for_each_mut(b, f));
    }
}
