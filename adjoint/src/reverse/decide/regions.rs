//! Chooses the loops whose iterations run again in the backward sweep ("regions").
//!
//! In a region nothing is saved but the values from the start of an iteration that the iteration overwrites and that are
//! needed. Where that is nothing, forward and backward part run in one pass and the loop costs no memory at all; this is
//! taken at any level. An innermost loop is made a region as long as its snapshot can be taken at the start of the
//! iteration: running a short body again is cheaper than saving its intermediate values.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::affine::plus;
use costate_analysis::devices::unpaired;
use costate_analysis::effects::{called, calls};
use costate_analysis::externals::messages::{AWAITING, LEAVING, Traffic, is_request, messages};
use costate_analysis::loops::assigned;
use costate_analysis::sections::holds;
use costate_analysis::sections::scene::Scene;
use costate_analysis::storage::{LocSet, resolve, symbols};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Callee, DataKind, Expr, ExprKind, LoopControl, Name, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId,
    SymbolKind, Ty, Variable, for_each_expr, for_each_stmt,
};
use costate_grammar::operators::BinaryOp;
use costate_grammar::source::Span;

use super::{liveness, to_be_recorded};
use crate::expressions::root;
use crate::optimise;
use crate::plan::{self, Count, LoopChoice, Order, Site, SiteKind, TRIPS};
use crate::reverse::Reverse;
use crate::reverse::timeloop::scheduled::steps_from_one;
use crate::reverse::tree::construct::settle;
use crate::reverse::tree::decisions::Blocks;
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay, writes};

/// Why a loop in a loop has no snapshots.
const REPEATED: &str = "it lies in another loop, whose iterations save what their adjoints need";

impl Reverse<'_, '_> {
    /// Marks the regions among the nodes, and lets time loops run in blocks.
    pub(in crate::reverse) fn choose_regions(&mut self, nodes: &mut Vec<Node>) {
        self.pick(nodes, &LocSet::new(), false);
    }

    /// `outside` is what adjoints that run after these nodes' need; `repeated` that an enclosing loop comes here again.
    fn pick(&mut self, nodes: &mut Vec<Node>, outside: &LocSet, repeated: bool) {
        if !nodes.iter().any(Node::has_loop) {
            return;
        }
        let exposed: Vec<LocSet> = nodes.iter_mut().map(|n| used_by_adjoint(std::slice::from_mut(n))).collect();
        let mut earlier = outside.clone();
        if repeated {
            exposed.iter().for_each(|e| earlier.extend(e.iter().copied()));
        }
        for (node, own) in std::mem::take(nodes).into_iter().zip(exposed) {
            match node {
                Node::Leaf(_) => nodes.push(node),
                Node::Branch(mut b) => {
                    b.arms.iter_mut().for_each(|a| self.pick(a, &earlier, repeated));
                    nodes.push(Node::Branch(b));
                }
                Node::Loop(mut l) if l.iterated.is_some() => {
                    // Its adjoint follows right behind it, too.
                    settle(&mut l.body, &LocSet::new());
                    self.pick(&mut l.body, &LocSet::new(), false);
                    nodes.push(Node::Loop(l));
                }
                Node::Loop(l) => nodes.extend(self.pick_loop(l, &earlier, repeated)),
            }
            earlier.extend(own);
        }
    }

    fn pick_loop(&mut self, mut l: Box<Loop>, earlier: &LocSet, repeated: bool) -> Vec<Node> {
        let messages = communicates(&l.body);
        // Processes run again what others run again too: that the user has to say.
        let matched = !messages || self.orders.contains_key(&l.stmt.id);
        if messages && matched && leaves_messages(self.b.program, &l.body) {
            self.refuse_order(&l, "a step completes messages that an earlier one has begun");
        }
        if messages && matched && self.starts_in_freed_memory(&l.body) {
            self.refuse_order(
                &l,
                "its persistent requests are made for memory that the procedure frees before it ends",
            );
        }
        if messages && matched && self.takes_from_anyone(&l.body) {
            self.refuse_order(
                &l,
                "a step takes messages from any process: one that is ahead may have sent it in another run of the step",
            );
        }
        let left = self.leaves_on_device(&l);
        if messages && self.orders.get(&l.stmt.id).is_some_and(|o| o.memory.is_some()) {
            self.refuse_order(
                &l,
                "processes may have snapshots of other sizes, and would run other steps again than their partners",
            );
        }
        if l.body.iter().any(Node::has_adjoint) && again(&l) && matched && !left {
            let start: LocSet = exposure(&mut l.body).difference(&l.private).copied().collect();
            if !messages && counted(&l) && l.portable && eligible(&self.b.scene(), &l, &start, earlier) {
                let asked = self.orders.get(&l.stmt.id).is_some_and(|o| o.kind == "store-all");
                if asked || self.stores(&l) {
                    self.pick(&mut l.body, earlier, true);
                    return vec![Node::Loop(l)];
                }
                self.drop_order(&l, "each iteration runs again by itself, right before its adjoint");
                l.region = true;
                // Right before its adjoint the iteration runs again: what was assigned earlier in it still stands.
                settle(&mut l.body, &LocSet::new());
                self.pick(&mut l.body, &LocSet::new(), false);
                return vec![Node::Loop(l)];
            }
            // A loop that is come to again would have to size its snapshots each time.
            let state = if repeated { Err(REPEATED) } else { self.carried_state(&l, &start) };
            match state {
                Ok(state) if self.spares_state(&l, &state, earlier) => {}
                Ok(state) => return self.pick_time_loop(l, state, earlier),
                Err(reason) => self.refuse_order(&l, reason),
            }
        } else if l.body.iter().any(Node::has_adjoint) {
            let why = if left { "a step leaves variables on a device" } else { "its iterations can't be run again" };
            self.refuse_order(&l, why);
        } else {
            self.drop_order(&l, "no derivative goes through it, and nothing of it is reversed");
        }
        self.pick(&mut l.body, earlier, true);
        vec![Node::Loop(l)]
    }

    /// Whether a loop whose iterations can run again saves what their adjoints need instead, which is worth a thought where
    /// it takes long to run them.
    fn stores(&mut self, l: &Loop) -> bool {
        let mut long = false;
        l.body.iter().for_each(|n| n.for_each_leaf(&mut |x| long |= takes_long(&x.stmt)));
        if long && let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &l.stmt.kind {
            let kind = SiteKind::Nest(self.b.program[*var].name.clone());
            self.sites.push(Site { stmt: l.stmt.id, origin: l.stmt.origin, kind, readers: Vec::new() });
        }
        long && self.choices.loops.get(&l.stmt.id) == Some(&LoopChoice::StoreAll)
    }

    /// True when snapshots of a loop's state would take more than what is saved without them: iterations assign different
    /// parts of its arrays, and nothing of these needs to be saved.
    fn spares_state(&mut self, l: &Loop, state: &Blocks, earlier: &LocSet) -> bool {
        let asked = self.orders.contains_key(&l.stmt.id) || self.choices.loops.contains_key(&l.stmt.id);
        let outside = |s: &Self| earlier.iter().any(|x| state.partial.contains(&s.effects.locs.get(*x).sym));
        if asked || state.partial.is_empty() || outside(self) {
            return false;
        }
        let noted = (self.sites.len(), self.problems.len(), self.unfollowed.len());
        let mut trial = l.clone();
        self.pick(&mut trial.body, earlier, true);
        self.sites.truncate(noted.0);
        self.problems.truncate(noted.1);
        self.unfollowed.truncate(noted.2);
        let all = writes(&l.body);
        let wanted = std::mem::replace(&mut self.live_out, all);
        let saved = self.avoid_saves(&mut [Node::Loop(Box::new(trial))]);
        self.live_out = wanted;
        saved.is_disjoint(&state.partial)
    }

    /// A time loop, as it is chosen for it.
    fn pick_time_loop(&mut self, mut l: Box<Loop>, state: Blocks, earlier: &LocSet) -> Vec<Node> {
        let mut order = self.orders.get(&l.stmt.id).cloned();
        let open = !counted(&l);
        if order.is_none() && !open && !self.choices.loops.contains_key(&l.stmt.id) && self.choices.disk.is_some() {
            order = two_level(&l, None, true);
        }
        let mut chosen = self.choices.time_loop(l.stmt.id, open);
        let unfit = self.unfit(&state);
        let none = self.orders.contains_key(&l.stmt.id) || open && unfit.is_some();
        if !none {
            let name = self.name_of(&l);
            let kind = if open { SiteKind::Open(name) } else { SiteKind::Loop(name) };
            self.sites.push(Site { stmt: l.stmt.id, origin: l.stmt.origin, kind, readers: Vec::new() });
        }
        let fits = unfit.is_none();
        if let Some(reason) = unfit {
            self.refuse_order(&l, reason);
            order = None;
            chosen = match chosen {
                LoopChoice::Schedule(_) if open => LoopChoice::StoreAll,
                LoopChoice::Schedule(_) => LoopChoice::Blocks(None),
                other => other,
            };
        }
        let all = order.as_ref().map_or(chosen == LoopChoice::StoreAll, |o| o.kind == "store-all");
        if all {
            self.pick(&mut l.body, earlier, true);
            return vec![Node::Loop(l)];
        }
        let (mut order, length) = match (order, chosen) {
            (Some(order), _) => (Some(order), None),
            (None, LoopChoice::Schedule(schedule)) => (Some(self.order_of(&l, &schedule)), None),
            // The run-time library compares the states of a loop under a schedule.
            (None, LoopChoice::Blocks(length)) => {
                let length = length.map(|k| self.chosen_count(&l, Count::Length, k));
                if self.verify && fits && !self.divided { (two_level(&l, length, false), None) } else { (None, length) }
            }
            (None, LoopChoice::StoreAll | LoopChoice::Rerun) => (None, None),
        };
        if let Some(order) = order.take_if(|o| o.is_online()) {
            return self.under_online_schedule(l, state, order);
        }
        let single = order.as_ref().is_some_and(Order::records_single_steps);
        if single {
            // Right before its adjoint a step runs again: what was assigned earlier in it still stands.
            settle(&mut l.body, &LocSet::new());
        }
        self.pick(&mut l.body, &LocSet::new(), !single);
        match order {
            Some(order) => self.under_schedule(l, state, order),
            None => self.in_blocks(l, state, length),
        }
    }

    /// A schedule that is chosen for a loop.
    fn order_of(&mut self, l: &Loop, schedule: &plan::Schedule) -> Order {
        let snapshots = self.chosen_count(l, Count::Snapshots, schedule.snapshots);
        let on_disk = self.chosen_count(l, Count::OnDisk, schedule.on_disk);
        Order { kind: schedule.kind.clone(), snapshots, on_disk, memory: None, directive: None }
    }

    /// A number that is chosen for a loop: a variable for it where it stands open, unless it is 0.
    fn chosen_count(&mut self, l: &Loop, count: Count, number: u64) -> Expr {
        if !self.choices.counts_are_open || number == 0 {
            return Expr::int(i64::try_from(number).unwrap_or(i64::MAX));
        }
        let name = Name::new(&count.variable(l.stmt.id));
        let kind = SymbolKind::Variable(Box::new(Variable::scalar(Ty::INTEGER, "integer")));
        let sym = self.b.program.add_symbol(self.b.scope, name, Span::default(), kind);
        self.b.made.insert(sym);
        self.b.var(sym)
    }

    /// A loop's variable or name.
    fn name_of(&self, l: &Loop) -> Name {
        match &l.stmt.kind {
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => self.b.program[*var].name.clone(),
            StmtKind::Do { name: Some(name), .. } => name.clone(),
            _ => Name::new(TRIPS),
        }
    }

    /// Warns that the directive before a loop is left aside, which makes no difference to derivatives.
    fn drop_order(&mut self, l: &Loop, reason: &str) {
        let Some(span) = self.orders.get(&l.stmt.id).and_then(|o| o.directive) else { return };
        self.unfollowed.push(
            Diagnostic::error(Code::UnsupportedDirective, span, "the loop that follows needs no schedule")
                .severity(Severity::Warning)
                .reason(reason)
                .help("remove the directive"),
        );
    }

    /// Refuses a directive that asks for a schedule of a loop that can't have one.
    fn refuse_order(&mut self, l: &Loop, reason: &str) {
        let order = self.orders.get(&l.stmt.id).filter(|o| o.kind != "store-all");
        let Some(span) = order.and_then(|o| o.directive) else { return };
        self.problems.push(
            Diagnostic::error(Code::UnsupportedDirective, span, "the loop that follows can't run under a schedule")
                .reason(reason)
                .help("remove the directive: the loop is then reversed with what its iterations save"),
        );
    }
}

impl Reverse<'_, '_> {
    /// True when the nodes, or procedures that they call, mention what stands for any process as the source of a message.
    fn takes_from_anyone(&self, nodes: &[Node]) -> bool {
        let program = &*self.b.program;
        let named =
            |e: &Expr| symbols(e).iter().any(|x| program[*x].name.as_str().eq_ignore_ascii_case("mpi_any_source"));
        let (mut found, mut callees) = (false, Vec::new());
        let mut look = |s: &Stmt| found |= s.exprs().into_iter().any(named);
        nodes.iter().for_each(|n| {
            n.for_each_leaf(&mut |l| {
                look(&l.stmt);
                callees.extend(calls(program, std::slice::from_ref(&l.stmt)));
            })
        });
        let all: BTreeSet<ProcId> = callees.into_iter().flat_map(|p| self.effects.reached(program, p)).collect();
        all.iter().filter_map(|p| self.effects.bodies.get(p)).for_each(|body| for_each_stmt(body, &mut look));
        found
    }

    /// True when a step puts variables on a device and doesn't take them from there, or the other way round: steps that run again
    /// would do so again.
    fn leaves_on_device(&self, l: &Loop) -> bool {
        let mut moves = false;
        l.body.iter().for_each(|n| n.for_each_leaf(&mut |l| moves |= l.access.on_device));
        moves && l.stmt.blocks().into_iter().any(|b| !unpaired(self.b.program, b).is_empty())
    }

    /// True when persistent requests that are started in the nodes know memory that is freed: the backward sweep has it at another
    /// address, where steps run again.
    fn starts_in_freed_memory(&self, nodes: &[Node]) -> bool {
        let mut freed = BTreeSet::new();
        let body = self.effects.bodies.get(&self.context.proc);
        for_each_stmt(body.map_or(&[][..], |b| b.as_slice()), &mut |s: &Stmt| {
            if let StmtKind::Deallocate { items, .. } = &s.kind {
                freed.extend(items.iter().filter_map(Expr::as_var).map(|d| d.sym));
            }
        });
        let mut found = false;
        let mut look = |s: &Stmt| {
            let Some((proc, args)) = called(self.b.program, s) else { return };
            let named = [LEAVING, AWAITING].contains(&self.b.program[proc].name.as_str());
            let buffer = args.first().and_then(|a| a.value.as_var());
            found |= named && buffer.is_some_and(|d| freed.contains(&d.sym));
        };
        nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| look(&l.stmt)));
        found
    }
}

/// True for a statement with more in it than simple arithmetic.
fn takes_long(stmt: &Stmt) -> bool {
    use Intrinsic as I;
    let mut found = false;
    for e in stmt.exprs() {
        for_each_expr(e, &mut |x| {
            found |= match &x.kind {
                ExprKind::Call { callee: Callee::Intrinsic(f), .. } if x.is_continuous() => {
                    !matches!(f.generic(), I::Abs | I::Max | I::Min | I::Sign | I::Merge | I::Real | I::Dble | I::Sqrt)
                }
                ExprKind::Call { callee: Callee::Proc { .. }, .. } => true,
                ExprKind::Binary(BinaryOp::Pow, _, power) => power.as_int().is_none(),
                _ => false,
            };
        });
    }
    found || matches!(stmt.kind, StmtKind::Call { .. })
}

/// Blocks of so many iterations, or about as many as there are blocks, with their snapshots in memory or on disk.
fn two_level(l: &Loop, length: Option<Expr>, on_disk: bool) -> Option<Order> {
    let StmtKind::Do { control: LoopControl::Count { lo, hi, step, .. }, .. } = &l.stmt.kind else { return None };
    let (_, trips) = steps_from_one(lo, hi, step.as_ref());
    let count = match length {
        Some(k) => plus(&plus(&trips, &k), &Expr::int(-1)).div(k),
        None => root(trips),
    };
    let (snapshots, on_disk) = if on_disk { (Expr::int(0), count) } else { (count, Expr::int(0)) };
    Some(Order { kind: "two-level".into(), snapshots, on_disk, memory: None, directive: None })
}

/// What the adjoints of the nodes use of the state at their start.
fn exposure(nodes: &mut [Node]) -> LocSet {
    let out = liveness::analyse(nodes, 1, true, LocSet::new());
    liveness::forget(nodes);
    out
}

/// What the adjoints of the nodes may use of the state at their start, and of what they leave.
fn used_by_adjoint(nodes: &mut [Node]) -> LocSet {
    let mut out = used(nodes);
    // In a loop whose iterations run again conditions are evaluated again rather than saved.
    let mut saved = Vec::new();
    for_each_branch(nodes, &mut |b| {
        saved.push(b.replay == Replay::Save && !b.asks_status);
        if saved.last() == Some(&true) {
            b.replay = Replay::Evaluate;
        }
    });
    if saved.contains(&true) {
        out.extend(used(nodes));
        let mut saved = saved.into_iter();
        for_each_branch(nodes, &mut |b| {
            if saved.next() == Some(true) {
                b.replay = Replay::Save;
            }
        });
    }
    out
}

/// The same where conditions are replayed as the nodes say.
fn used(nodes: &mut [Node]) -> LocSet {
    let mut out = liveness::analyse(nodes, 1, true, LocSet::new());
    let mut left = LocSet::new();
    to_be_recorded::analyse(nodes, 1, &mut left);
    liveness::forget(nodes);
    out.extend(left);
    out
}

/// Calls `f` on every branch, outer ones first.
fn for_each_branch(nodes: &mut [Node], f: &mut dyn FnMut(&mut Branch)) {
    for n in nodes {
        match n {
            Node::Leaf(_) => {}
            Node::Branch(b) => {
                f(b);
                b.arms.iter_mut().for_each(|a| for_each_branch(a, f));
            }
            Node::Loop(l) => for_each_branch(&mut l.body, f),
        }
    }
}

/// True when the header tells how many iterations there are.
fn counted(l: &Loop) -> bool {
    matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::Count { .. }, .. }) && l.exit.is_none()
}

/// True when an iteration of the loop can run again.
fn again(l: &Loop) -> bool {
    let inside = writes(&l.body);
    repeatable(&l.body) && !associates(&l.body) && l.access.writes.is_disjoint(&inside)
}

/// True when pointers may be associated anew. What an iteration that runs again saves must not depend on them.
fn associates(nodes: &[Node]) -> bool {
    let mut found = false;
    nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| found |= l.associates));
    found
}

fn eligible(scene: &Scene<'_>, l: &Loop, start: &LocSet, outside: &LocSet) -> bool {
    let inside = writes(&l.body);
    let touched: LocSet =
        inside.difference(&l.own).copied().filter(|w| start.contains(w) || outside.contains(w)).collect();
    if touched.is_empty() {
        return true;
    }
    // What threads share out saves as little as it can.
    let shared = l.stmt.followed().is_some();
    let short = !l.body.iter().any(Node::has_loop) || shared;
    let fits = |target: &Expr, leaf: &Leaf, top_level: bool| {
        let fixed = fixed(target, leaf, &inside) || shared && fixed_section(target, l);
        fixed && (top_level || mentioned(scene.program, target, &l.body) || shared && exists(scene, target, l))
    };
    short && l.body.iter().all(|n| snapshots(n, &touched, &fits))
}

/// True when running the nodes again does nothing else than the first time.
fn repeatable(nodes: &[Node]) -> bool {
    let mut fine = true;
    for n in nodes {
        n.for_each_leaf(&mut |l| {
            fine &= !l.access.irreproducible;
            if let StmtKind::Io { kind: DataKind::File | DataKind::Read, .. } = l.stmt.kind {
                fine = false;
            }
        });
    }
    fine
}

/// True when nodes complete messages that they haven't begun, or leave some to others.
fn leaves_messages(program: &Program, nodes: &[Node]) -> bool {
    let (mut pending, mut early) = (BTreeMap::new(), false);
    let mut look = |s: &Stmt| {
        let Some((proc, args)) = called(program, s).filter(|(p, _)| program[*p].declared) else { return };
        let named = |d: &SymId| is_request(&program[*d].name);
        let request = program[proc].dummies.iter().position(named).and_then(|k| args.get(k)?.value.as_var());
        let Some(place) = request.map(|d| (d.sym, d.path())) else { return };
        match messages().get(program[proc].name.split(' ').next().unwrap_or_default()).map(|m| m.traffic) {
            Some(Traffic::Completes) => early |= pending.insert(place, false).is_none(),
            Some(Traffic::Frees) => drop(pending.remove(&place)),
            _ => drop(pending.insert(place, true)),
        }
    };
    nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| look(&l.stmt)));
    early || pending.into_values().any(|p| p)
}

/// True when other processes take part in what the nodes do.
fn communicates(nodes: &[Node]) -> bool {
    let mut found = false;
    nodes.iter().for_each(|n| n.for_each_leaf(&mut |l| found |= l.access.communicates));
    found
}

/// True when what the node overwrites of `touched` can be saved at the start of the iteration: `fits` says it of a reference in
/// a statement, which may stand at the top level of the body.
fn snapshots(node: &Node, touched: &LocSet, fits: &dyn Fn(&Expr, &Leaf, bool) -> bool) -> bool {
    let mut fine = true;
    let top_level = matches!(node, Node::Leaf(_));
    node.for_each_leaf(&mut |l| {
        let overwritten = |locs: &LocSet| locs.iter().any(|x| l.access.writes.contains(x) && touched.contains(x));
        for (target, _) in l.targets.iter().filter(|(_, locs)| overwritten(locs)) {
            fine &= fits(target, l, top_level);
        }
    });
    fine
}

/// True for an element or lines of elements of an array whose subscripts are numbers and variables that the iteration
/// doesn't assign.
fn fixed_section(target: &Expr, l: &Loop) -> bool {
    let StmtKind::Do { body, .. } = &l.stmt.kind else { return false };
    let Some([Part::Subscripts(list)]) = target.as_var().map(|d| d.parts.as_slice()) else { return false };
    let moving = assigned(body);
    let mut calls = false;
    for_each_expr(target, &mut |x| calls |= matches!(x.kind, ExprKind::Call { .. } | ExprKind::Opaque(_)));
    let still = |s: &Subscript| match s {
        Subscript::Index(e) => e.rank == 0 && symbols(e).is_disjoint(&moving),
        Subscript::Range { lo: None, hi: None, step: None } => true,
        Subscript::Range { .. } => false,
    };
    !calls && !target.is_derived() && list.iter().all(still)
}

/// True for an element of an array that exists whatever the loop's variable is.
fn exists(scene: &Scene<'_>, target: &Expr, l: &Loop) -> bool {
    let Some(d) = target.as_var().filter(|d| scene.plain_array(d.sym)) else { return false };
    let extents = optimise::whole(scene, d.sym, &scene.changes(std::slice::from_ref(&*l.stmt)));
    let place = scene.place(d, std::slice::from_ref(&l.range));
    matches!((extents, place), (Some(all), Some(part)) if holds(&all, &part))
}

/// True for a scalar or an element whose subscripts stand still during the iteration.
fn fixed(target: &Expr, leaf: &Leaf, inside: &LocSet) -> bool {
    if target.rank > 0 || target.is_derived() {
        return false;
    }
    let Some(d) = target.as_var() else { return false };
    if !matches!(leaf.stmt.kind, StmtKind::Assign { .. })
        && !d.parts.is_empty()
        && leaf.access.reads.iter().any(|r| inside.contains(r))
    {
        return false;
    }
    d.parts.is_empty() || !leaf.subscripts.iter().any(|r| inside.contains(r))
}

/// True when the reference is evaluated at the top level of the body, so that evaluating it at the start is safe even
/// where a branch guards its assignment.
fn mentioned(program: &Program, target: &Expr, body: &[Node]) -> bool {
    let Some(d) = target.as_var() else { return false };
    let subscripted = matches!(d.parts.last(), Some(Part::Subscripts(_)));
    let attrs = resolve(program, d.sym, &d.path()).map(|v| v.attrs).unwrap_or_default();
    let may_be_absent = !subscripted && (attrs.allocatable || attrs.pointer);
    if d.parts.is_empty() && !may_be_absent {
        return true;
    }
    body.iter().any(|n| match n {
        Node::Leaf(l) => match &l.stmt.kind {
            StmtKind::Assign { lhs, rhs } => [lhs, rhs].into_iter().any(|e| evaluates(e, target, may_be_absent)),
            _ => !may_be_absent && l.stmt.exprs().into_iter().any(|e| evaluates(e, target, false)),
        },
        // The first condition is always evaluated.
        Node::Branch(b) => b.stmt.exprs().first().is_some_and(|e| evaluates(e, target, may_be_absent)),
        Node::Loop(_) => false,
    })
}

/// True when the value of an expression can't be had without that of the reference: questions about the reference don't
/// need it, nor does an operation that may be left out. What needn't exist may be passed to a procedure all the same.
fn evaluates(e: &Expr, target: &Expr, may_be_absent: bool) -> bool {
    let inside = |e: &Expr| evaluates(e, target, may_be_absent);
    match &e.kind {
        _ if e == target => true,
        ExprKind::Call { callee: Callee::Intrinsic(f), .. }
            if f.class() == Class::Inquiry || f.generic() == Intrinsic::Merge =>
        {
            false
        }
        ExprKind::Call { callee: Callee::Proc { .. }, .. } if may_be_absent => false,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, first, _) => inside(first),
        _ => e.children().into_iter().any(inside),
    }
}
