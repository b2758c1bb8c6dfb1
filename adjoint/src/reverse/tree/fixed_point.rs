//! Loops that iterate a state to a fixed point, `z = phi(z, x)`.
//!
//! In the forward sweep such a loop is one statement, and nothing of its iterations is kept. Behind it stands one iteration
//! that no forward sweep runs. The backward sweep runs it from the state that the loop has left, and repeats its adjoint
//! until what that hands on to the iteration before has gone: the series of `w = z_b + (d phi/d z)^T w`, of which each term
//! adds its part of `(d phi/d x)^T w` to the adjoints of what the iteration reads (B. Christianson, Reverse accumulation
//! and attractive fixed points, Optimization Methods and Software 3, 1994).

use std::collections::BTreeSet;

use costate_analysis::covers;
use costate_analysis::loops::has_iteration;
use costate_analysis::normal::kind::{Kind, kind};
use costate_analysis::storage::{LocId, LocSet, Root};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::ir::{Expr, ExprKind, IfArm, LoopControl, Origin, Role, Stmt, StmtKind, SymId, Ty, for_each_stmt};
use costate_grammar::operators::UnaryOp;

use super::decisions::Iterated;
use super::node::{Branch, Leaf, Loop, Node, Replay};
use crate::fixed_point::FixedPoint;
use crate::region;
use crate::reverse::Reverse;
use crate::reverse::emit::around::is_sizeless;
use costate_analysis::sections::Range;

/// Why something can't be, and the way out.
type Obstacle = (String, &'static str);

const REMOVE: &str = "remove the directive: the loop is then reversed iteration by iteration";

/// What an iteration does to what is carried from one to the next.
struct Carried {
    /// It may use their values from before, and assigns them.
    state: LocSet,
    /// It may use their values, and leaves them alone.
    parameters: LocSet,
    /// It assigns all of them, whatever they were.
    replaced: LocSet,
}

impl Reverse<'_, '_> {
    /// The nodes of a loop that a directive calls a fixed point; `None` for other loops, and where no derivative goes through.
    pub(super) fn fixed_point_at(
        &mut self,
        stmt: &Stmt,
        body: &[Stmt],
        exit: Option<(&Stmt, &Expr)>,
    ) -> Option<Vec<Node>> {
        let asked = &self.fixed_points.get(&stmt.id)?.clone();
        let own = exit.filter(|(s, _)| matches!(s.origin, Origin::Derived { .. }));
        let flag = own.and_then(|(_, e)| e.as_var()).filter(|d| d.parts.is_empty()).map(|d| d.sym);
        let iteration = match flag {
            Some(flag) => {
                let reset = self.b.assign(self.b.var(flag), Expr::logical(false), stmt, Role::Forward);
                std::iter::once(reset).chain(without_ends(body, flag)).collect()
            }
            None => body.to_vec(),
        };
        self.ranges.push(Range::default());
        let nodes = self.block(&iteration);
        self.ranges.pop();
        if !nodes.iter().any(Node::has_adjoint) {
            self.unfollowed.push(
                Diagnostic::error(Code::UnsupportedDirective, asked.directive, "the loop that follows has no adjoint")
                    .severity(Severity::Warning)
                    .reason("no derivative goes through it")
                    .help("remove the directive"),
            );
            return None;
        }
        if let Err((reason, help)) = self.can_repeat(stmt, &nodes, flag.map(|f| (body, f))) {
            self.refuse_fixed_point(asked, &reason, help);
            return Some(Vec::new());
        }
        let mut out = Vec::new();
        let StmtKind::Do { control, .. } = &stmt.kind else { return None };
        let sure = matches!(control, LoopControl::Forever) || has_iteration(control) == Some(true);
        let ran = (!sure).then(|| self.b.local("iterated", Ty::LOGICAL, Vec::new()));
        if let Some(ran) = ran {
            let none = self.b.assign(self.b.var(ran), Expr::logical(false), stmt, Role::Save);
            out.extend(self.leaf(&none));
        }
        out.extend(self.whole_loop(stmt, ran, asked));
        let repeated = self.last_iteration(stmt, (iteration, nodes), asked);
        match ran {
            Some(ran) => out.push(self.where_iterated(stmt, ran, repeated)),
            None => out.push(repeated),
        }
        Some(out)
    }

    fn refuse_fixed_point(&mut self, asked: &FixedPoint, reason: &str, help: &str) {
        let message = "the loop that follows can't be reversed as a fixed point";
        let d = Diagnostic::error(Code::UnsupportedDirective, asked.directive, message).reason(reason).help(help);
        if !self.problems.contains(&d) {
            self.problems.push(d);
        }
    }

    /// What keeps the last iteration from standing for all.
    fn can_repeat(&mut self, stmt: &Stmt, nodes: &[Node], left: Option<(&[Stmt], SymId)>) -> Result<(), Obstacle> {
        let (mut messages, mut input, mut pointers) = (false, false, false);
        nodes.iter().for_each(|n| {
            n.for_each_leaf(&mut |l| {
                messages |= l.access.communicates;
                input |= l.access.irreproducible;
                pointers |= l.associates;
            });
        });
        let around = self.ranges.iter().any(|r| r.var.is_some()) && stmt.followed().is_some();
        let found = match () {
            () if messages => "processes exchange messages in it, and each would repeat its adjoint as it finds fit",
            () if input => "an iteration reads input or draws random numbers, so that it can't run again",
            () if pointers => "it associates pointers anew",
            () if around => "its iterations are shared out among threads",
            () if left.is_some_and(|(body, flag)| ends(body, flag)) => "its first iteration is its last",
            () => "",
        };
        if !found.is_empty() {
            return Err((found.to_string(), REMOVE));
        }
        left.map_or(Ok(()), |(body, flag)| self.can_end(body, flag))
    }

    /// What keeps an iteration in which the loop is left from being like those that go on.
    fn can_end(&mut self, body: &[Stmt], flag: SymId) -> Result<(), Obstacle> {
        let mut parts = Parts::default();
        parts.collect(body, flag, false);
        if parts.unclear {
            return Err(("it is left from within a `select case`".to_string(), "write the test with `if`"));
        }
        if let Some(name) = self.carried_on(&parts.last).first().map(|x| self.effects.locs.describe(self.b.program, *x))
        {
            let reason = format!("`{name}` is assigned where the loop is left, and not as in iterations that go on");
            return Err((reason, "assign it behind the loop"));
        }
        let [before, after] = [&parts.before, &parts.after].map(|part| self.carried_on(part));
        let twice = before.intersection(&after).next().map(|x| self.effects.locs.describe(self.b.program, *x));
        twice.map_or(Ok(()), |name| {
            let reason = format!("`{name}` is assigned before the test that ends the loop, and again behind it");
            Err((reason, "test where an iteration ends"))
        })
    }

    /// What statements assign that has a derivative and is of use later.
    fn carried_on(&mut self, stmts: &[Stmt]) -> LocSet {
        let mut out = LocSet::new();
        for_each_stmt(stmts, &mut |s| {
            let writes = self.effects.access(self.b.program, s).writes;
            let Some(useful) = self.context.useful.get(&s.id) else { return };
            out.extend(writes.into_iter().filter(|x| useful.contains(x) && self.storage.contains(x)));
        });
        out
    }

    /// The loop as one statement, which notes that it has had an iteration.
    fn whole_loop(&mut self, stmt: &Stmt, ran: Option<SymId>, asked: &FixedPoint) -> Option<Node> {
        let mut whole = self.b.derive(stmt.kind.clone(), stmt, Role::Forward);
        whole.leading = stmt.leading.clone();
        if let (StmtKind::Do { body, .. }, Some(ran)) = (&mut whole.kind, ran) {
            body.insert(0, self.b.assign(self.b.var(ran), Expr::logical(true), stmt, Role::Save));
        }
        let access = self.effects.block_access(self.b.program, std::slice::from_ref(&whole));
        let Some(targets) = self.region_targets(&whole) else {
            let reason = "it assigns parts of an object that can't be named outside of it";
            self.refuse_fixed_point(asked, reason, "assign arrays of numbers in it, or remove the directive");
            return None;
        };
        let mut leaf = Leaf::new(whole, access);
        for e in &targets {
            leaf.add_targets(self.targets_of(e));
        }
        self.note_ways_to_targets(&mut leaf);
        Some(Node::Leaf(Box::new(leaf)))
    }

    /// The iteration whose adjoint is repeated.
    fn last_iteration(&mut self, stmt: &Stmt, (body, nodes): (Vec<Stmt>, Vec<Node>), asked: &FixedPoint) -> Node {
        let counter = match &stmt.kind {
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => self.leaves_of(*var),
            _ => Vec::new(),
        };
        let kind = StmtKind::repeat(LoopControl::Forever, body);
        let own = Stmt { id: stmt.id, ..self.b.derive(kind, stmt, Role::Adjoint) };
        let mut l = self.new_loop(&own, nodes);
        l.region = true;
        l.iterated = Some(Box::new(Iterated {
            asked: asked.clone(),
            counter: counter.into_iter().collect(),
            emptied: Vec::new(),
            settled: Vec::new(),
            needed: LocSet::new(),
        }));
        Node::Loop(Box::new(l))
    }

    /// The same where the loop has had an iteration.
    fn where_iterated(&mut self, stmt: &Stmt, ran: SymId, repeated: Node) -> Node {
        let cond = self.b.var(ran);
        let mut reads = LocSet::new();
        self.effects.reads(self.b.program, &cond, &mut reads);
        let arms = vec![IfArm { cond, body: Vec::new() }];
        let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        let stmt = self.b.derive(kind, stmt, Role::Save);
        let (replay, arms) = (Replay::Save, vec![vec![repeated]]);
        Node::Branch(Box::new(Branch { stmt, reads, arms, exhaustive: false, asks_status: false, replay }))
    }

    /// Finds out of which adjoints it is asked whether they still change, when the rest is known of the loops.
    pub(super) fn find_iterated(&mut self, nodes: &mut [Node]) {
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_iterated(a)),
                Node::Loop(l) => {
                    self.find_iterated(&mut l.body);
                    let Some(mut iterated) = l.iterated.take() else { continue };
                    // No forward sweep runs the iteration: behind it everything has the value from before.
                    l.covers.clear();
                    l.disjoint.clear();
                    if let Err((reason, help)) = self.find_watched(l, &mut iterated) {
                        self.refuse_fixed_point(&iterated.asked, &reason, help);
                    }
                    l.iterated = Some(iterated);
                }
            }
        }
    }

    fn find_watched(&mut self, l: &Loop, iterated: &mut Iterated) -> Result<(), Obstacle> {
        if !l.portable {
            let reason = "its iterations allocate or free what others use".to_string();
            return Err((
                reason,
                "allocate before the loop, and assign arrays as `a(:) = ...`, or remove the directive",
            ));
        }
        let StmtKind::Do { body, .. } = &l.stmt.kind else { return Ok(()) };
        let carried = self.carried(body, &l.private);
        self.check_named(&carried, iterated)?;
        let (replaced, kept): (LocSet, LocSet) =
            carried.state.iter().copied().partition(|x| carried.replaced.contains(x));
        for x in &kept {
            if !self.assigned_for_sure(body, *x) {
                let name = self.effects.locs.describe(self.b.program, *x);
                let reason = format!(
                    "whether an iteration assigns `{name}` is decided by what it computes, so that the last one may not"
                );
                return Err((reason, "leave the loop by `exit` where it has converged, or remove the directive"));
            }
        }
        iterated.emptied = self.compared(&replaced)?;
        if !kept.is_empty() {
            let watched = kept.union(&carried.parameters).copied().collect();
            iterated.settled = self.compared(&watched)?;
        }
        Ok(())
    }

    /// The variables that a directive names are among those that the loop carries on.
    fn check_named(&self, carried: &Carried, iterated: &Iterated) -> Result<(), Obstacle> {
        let state: BTreeSet<SymId> = carried.state.iter().map(|x| self.effects.locs.get(*x).sym).collect();
        match iterated.asked.state.iter().find(|s| !state.contains(s)) {
            Some(other) => {
                let name = &self.b.program[*other].name;
                let reason =
                    format!("no value of `{name}` goes from one iteration to the next and has a derivative there");
                Err((reason, "name what the loop iterates, or leave `state` out"))
            }
            None => Ok(()),
        }
    }

    fn carried(&mut self, body: &[Stmt], private: &LocSet) -> Carried {
        let changing = region::changing(self.b.program, self.effects, self.context);
        let association = |s: &Self, x: &LocId| s.effects.locs.get(*x).association;
        let (mut used, mut writes, mut replaced) = (LocSet::new(), LocSet::new(), LocSet::new());
        for s in body {
            let access = self.effects.block_access(self.b.program, std::slice::from_ref(s));
            used.extend(access.reads.difference(&replaced));
            writes.extend(access.writes);
            replaced.extend(access.kills);
            for sym in covers::of_loop(self.b.program, s, &changing) {
                replaced.extend(self.leaves_of(sym));
            }
        }
        used.retain(|x| self.storage.contains(x) && !private.contains(x) && !association(self, x));
        let (state, parameters) = used.into_iter().partition(|x| writes.contains(x));
        Carried { state, parameters, replaced }
    }

    /// True when a statement of an iteration assigns a part of a location whatever the iteration has computed before.
    fn assigned_for_sure(&mut self, body: &[Stmt], to: LocId) -> bool {
        let computed = self.effects.block_access(self.b.program, body).writes;
        let counters: LocSet = {
            let mut found = LocSet::new();
            for_each_stmt(body, &mut |s| {
                if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
                    found.extend(self.leaves_of(*var));
                }
            });
            found
        };
        let computed = computed.difference(&counters).copied().collect();
        self.assigns(body, to, &computed)
    }

    fn assigns(&mut self, block: &[Stmt], to: LocId, computed: &LocSet) -> bool {
        block.iter().any(|s| match kind(s) {
            Kind::If { .. } | Kind::Select { .. } => {
                let mut reads = LocSet::new();
                s.exprs().into_iter().for_each(|e| self.effects.reads(self.b.program, e, &mut reads));
                reads.is_disjoint(computed) && s.blocks().into_iter().any(|b| self.assigns(b, to, computed))
            }
            _ if !s.blocks().is_empty() => s.blocks().into_iter().any(|b| self.assigns(b, to, computed)),
            _ => self.effects.access(self.b.program, s).writes.contains(&to),
        })
    }

    /// References to variables and components of objects, for their adjoints.
    fn compared(&mut self, locs: &LocSet) -> Result<Vec<Expr>, Obstacle> {
        let roots: BTreeSet<SymId> = locs.iter().map(|x| self.effects.locs.get(*x).sym).collect();
        let mut out = Vec::new();
        let mut missing: LocSet = locs.clone();
        for sym in roots {
            for e in self.settled_refs(&self.b.var(sym)) {
                let Some(d) = e.as_var().cloned() else { continue };
                let own = self.leaves(&d);
                let simple = self.b.arrays_of(&d).len() < 2
                    && !is_sizeless(self.b.program, &e)
                    && self.presence(&e).is_none()
                    && own.iter().all(|x| self.effects.locs.get(*x).root == Root::Variable);
                if simple && own.iter().any(|x| missing.contains(x)) {
                    missing.retain(|x| !own.contains(x));
                    out.push(e);
                }
            }
        }
        match missing.first() {
            Some(x) => {
                let name = self.effects.locs.describe(self.b.program, *x);
                let reason = format!("the adjoint of `{name}` can't be compared as a whole with what it was before");
                Err((reason, "iterate arrays of numbers that have a size and are always there"))
            }
            None => Ok(out),
        }
    }

    /// Refuses iterations that depend on what they count, toggle or set and on no derivative: the last one doesn't stand
    /// for the others then.
    pub(in crate::reverse) fn check_iterated(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter().for_each(|a| self.check_iterated(a)),
                Node::Loop(l) => {
                    self.check_iterated(&l.body);
                    let Some(iterated) = &l.iterated else { continue };
                    if let Some(name) = self.other_state(l, iterated) {
                        let reason = format!(
                            "what an iteration computes depends on `{name}`, which changes from one to the next and has \
                             no derivative"
                        );
                        let help = "let it be the same in all iterations, or remove the directive";
                        self.refuse_fixed_point(&iterated.asked.clone(), &reason, help);
                    }
                }
            }
        }
    }

    fn other_state(&mut self, l: &Loop, iterated: &Iterated) -> Option<String> {
        let StmtKind::Do { body, .. } = &l.stmt.kind else { return None };
        let mut varied = LocSet::new();
        for_each_stmt(body, &mut |s| varied.extend(self.context.varied.get(&s.id).into_iter().flat_map(|v| v.iter())));
        let mut changed = self.effects.block_access(self.b.program, body).writes;
        changed.extend(iterated.counter.iter().copied());
        let mut other = l.needs.intersection(&changed);
        let other = other.find(|x| !(varied.contains(x) && self.storage.contains(x)));
        other.map(|x| self.effects.locs.describe(self.b.program, *x))
    }
}

/// The statements of an iteration of a loop that may be left in the middle, by when they are executed.
#[derive(Default)]
struct Parts {
    /// Before the test, or without one.
    before: Vec<Stmt>,
    /// Only where the loop goes on.
    after: Vec<Stmt>,
    /// Only where the loop is left.
    last: Vec<Stmt>,
    /// It is left in a way that can't be told from the other ones.
    unclear: bool,
}

impl Parts {
    fn collect(&mut self, block: &[Stmt], flag: SymId, goes_on: bool) {
        for s in block.iter().filter(|s| assigned(s, flag).is_none()) {
            let blocks = s.blocks();
            let left = blocks.iter().any(|b| ends(b, flag));
            self.unclear |= left && !matches!(s.kind, StmtKind::If { .. });
            let within = goes_on || left || is_rest(s, flag);
            for b in &blocks {
                if ends(b, flag) {
                    self.last.extend(b.iter().cloned());
                } else {
                    self.collect(b, flag, within);
                }
            }
            if blocks.is_empty() {
                if goes_on { &mut self.after } else { &mut self.before }.push(s.clone());
            }
        }
    }
}

/// True for a block in which the loop of a flag is left.
fn ends(block: &[Stmt], flag: SymId) -> bool {
    block.iter().any(|s| assigned(s, flag).is_some_and(|e| *e == Expr::logical(true)))
}

/// What a statement assigns to a flag.
fn assigned(s: &Stmt, flag: SymId) -> Option<&Expr> {
    match &s.kind {
        StmtKind::Assign { lhs, rhs } if lhs.as_var().is_some_and(|d| d.sym == flag) => Some(rhs),
        _ => None,
    }
}

fn is_flag(e: &Expr, flag: SymId) -> bool {
    e.as_var().is_some_and(|d| d.sym == flag && d.parts.is_empty())
}

/// True for what is executed unless the loop of a flag has been left.
fn is_rest(s: &Stmt, flag: SymId) -> bool {
    match &s.kind {
        StmtKind::If { arms, otherwise: None, .. } if arms.len() == 1 => {
            matches!(&arms[0].cond.kind, ExprKind::Unary(UnaryOp::Not, e) if is_flag(e, flag))
        }
        _ => false,
    }
}

/// A block of an iteration that goes on to its end: what is executed where the loop of a flag is left is left out.
fn without_ends(block: &[Stmt], flag: SymId) -> Vec<Stmt> {
    let mut out = Vec::new();
    for s in block.iter().filter(|s| assigned(s, flag).is_none()) {
        match &s.kind {
            StmtKind::If { arms, .. } if is_rest(s, flag) => out.extend(without_ends(&arms[0].body, flag)),
            StmtKind::If { name, arms, otherwise, one_line } => {
                let goes_on = |a: &&IfArm| !ends(&a.body, flag) && !is_flag(&a.cond, flag);
                let arm = |a: &IfArm| IfArm { cond: a.cond.clone(), body: without_ends(&a.body, flag) };
                let mut left: Vec<IfArm> = arms.iter().filter(goes_on).map(arm).collect();
                let last = match otherwise {
                    // One of the conditions holds, then.
                    Some(last) if ends(last, flag) => left.pop().map(|a| a.body),
                    Some(last) => Some(without_ends(last, flag)),
                    None => None,
                };
                if left.is_empty() {
                    out.extend(last.unwrap_or_default());
                    continue;
                }
                let kind = StmtKind::If { name: name.clone(), arms: left, otherwise: last, one_line: *one_line };
                out.push(Stmt { kind, ..s.clone() });
            }
            _ => {
                let mut s = s.clone();
                s.blocks_mut().into_iter().for_each(|b| *b = without_ends(b, flag));
                out.push(s);
            }
        }
    }
    out
}
