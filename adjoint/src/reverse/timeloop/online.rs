//! Time loops whose number of steps is known only when they end: `do while`, and loops that are left by `exit`. They run
//! under an online schedule of the run-time library.
//!
//! The forward sweep runs the user's loop and asks the schedule before every step whether to take a snapshot; when the
//! loop has ended, the schedule is told so. The backward sweep follows the schedule like any other. It never asks whether
//! the loop goes on: the steps that run again are those that ran, and a test that ended the loop is replaced in them by
//! its known outcome. So what such tests use isn't recomputed, and rounding can't turn them.

use costate_analysis::storage::LocSet;
use costate_grammar::ir::{
    Arg, Block, Expr, ExprKind, IfArm, LoopControl, Name, Origin, Role, Stmt, StmtKind, SymId, Ty,
};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use crate::plan::Order;
use crate::reverse::Reverse;
use crate::reverse::decide::liveness::advancing;
use crate::reverse::tree::decisions::{Blocks, Decided, Follow, Left, Schedule, Steps};
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

/// What sets the flag of a loop's exit.
struct Exits<'a> {
    flag: SymId,
    /// The loop's name.
    name: &'a Name,
    /// Takes the number of the test that ended the loop.
    number: Option<SymId>,
    outcomes: Vec<SymId>,
    tests: i64,
}

impl Leaf {
    /// What the statement reads when it is run by the sweep of a level.
    pub(in crate::reverse) fn reads_at(&self, level: usize) -> &LocSet {
        match &self.decided {
            Some(d) if level == d.level + 1 || level == advancing(d.level) => &d.reads,
            _ => &self.access.reads,
        }
    }
}

impl Reverse<'_, '_> {
    /// The nodes that run a loop under an online schedule.
    pub(in crate::reverse) fn under_online_schedule(
        &mut self,
        mut l: Box<Loop>,
        mut blocks: Blocks,
        mut order: Order,
    ) -> Vec<Node> {
        let StmtKind::Do { name, control, .. } = &l.stmt.kind else { return vec![Node::Loop(l)] };
        let steps = match control.clone() {
            LoopControl::Count { var, lo, hi, step } => self.counted_steps((var, &lo, &hi, step)),
            _ => self.uncounted_steps(name.clone()),
        };
        let counts = self.counts(&mut order, &steps.name, &l);
        self.defined.insert(steps.to, steps.first.clone());
        let left = self.decide_exits(&mut l, &steps.name);
        // Right before its adjoint a step runs again: what was assigned earlier in it still stands.
        crate::reverse::tree::construct::settle(&mut l.body, &LocSet::new());
        self.choose_regions(&mut l.body);
        blocks.schedule = Some(Schedule { order, steps, single: true, left });
        l.region = true;
        l.blocks = Some(blocks);
        let mut nodes = Vec::new();
        self.with_counts(counts, l, &mut nodes);
        nodes
    }

    /// Numbers for steps that nothing counts.
    fn uncounted_steps(&mut self, name: Option<Name>) -> Steps {
        let name = name.unwrap_or_else(|| Name::new("step"));
        let [from, to] = ["from", "to"].map(|part| self.b.local(&format!("{name}_{part}"), Ty::INTEGER, Vec::new()));
        let var = self.b.local("step", Ty::INTEGER, Vec::new());
        let range = LoopControl::Count { var, lo: self.b.var(from), hi: self.b.var(to), step: None };
        Steps { name, first: Expr::int(1), last: Expr::int(0), from, to, range }
    }

    /// The user's loop, with the snapshots that the schedule asks for on the way.
    pub(in crate::reverse) fn until_it_ends(
        &mut self,
        l: &Loop,
        schedule: &Schedule,
        follow: &Follow<'_>,
        level: usize,
    ) -> Block {
        let mut out: Block = schedule.left.iter().map(|left| self.none_left(left, follow, Role::Save)).collect();
        out.push(self.start(schedule, follow));
        out[0].leading.push(format!("! {} runs under the schedule {}", schedule.steps.name, schedule.order.kind));
        let mut taken = self.transfer("costate_put", l, follow, Role::Save);
        taken.push(self.next(follow));
        let arms = vec![IfArm { cond: self.asked(follow, "costate_snapshot"), body: taken }];
        let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        let mut body = vec![self.next(follow), self.b.derive(kind, follow.stmt, Role::Save)];
        let LoopControl::Count { var, .. } = &schedule.steps.range else { return out };
        let counted = matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::Count { .. }, .. });
        let step = if counted { self.b.var(*var) } else { follow.from.clone() };
        body.extend(self.verify_state(l, follow, &step));
        body.extend(self.primal(&l.body, &[level]));
        let body = self.with_exit(l, body);
        let mut run = self.rebuild_loop(l, body);
        out[0].leading.splice(0..0, std::mem::take(&mut run.leading));
        out.push(run);
        let ended = vec![Arg::new(follow.schedule.clone())];
        out.push(self.runtime_call("costate_stop", ended, follow.stmt, Role::Storage));
        out
    }

    pub(in crate::reverse) fn none_left(&mut self, left: &Left, follow: &Follow<'_>, role: Role) -> Stmt {
        let number = self.b.var(left.number);
        self.b.assign(number, Expr::int(0), follow.stmt, role)
    }

    /// The statement as sweeps of these levels run it.
    pub(in crate::reverse) fn run_at(&mut self, l: &Leaf, levels: &[usize]) -> Block {
        let Some(d) = &l.decided else { return vec![self.copy(&l.stmt)] };
        if levels.contains(&advancing(d.level)) {
            vec![self.copy(&d.advance)]
        } else if levels.contains(&(d.level + 1)) {
            vec![self.copy(&d.record)]
        } else if levels.contains(&d.level) {
            vec![self.copy(&l.stmt), self.copy(&d.note)]
        } else {
            vec![self.copy(&l.stmt)]
        }
    }

    /// Finds the tests that may end a loop before the end of a step, for which the way through the rest of the step
    /// depends on them. Returns how it is noted which one did.
    fn decide_exits(&mut self, l: &mut Loop, name: &Name) -> Option<Left> {
        let (stmt, flag, _) = l.exit.as_ref()?;
        // Normal form's own flag is false at the start of each iteration; one of the user's is part of the state.
        let own = matches!(stmt.origin, Origin::Derived { .. });
        let flag = flag.as_var().filter(|d| own && d.parts.is_empty())?.sym;
        let start = l.stmt.clone();
        let mut exits = Exits { flag, name, number: None, outcomes: Vec::new(), tests: 0 };
        let body = std::mem::take(&mut l.body);
        l.body = self.decide_in(body, &mut exits, Place { last: true, inner: false });
        let flag = self.b.var(flag);
        let reset = self.b.assign(flag, Expr::logical(false), &start, Role::Forward);
        l.body.splice(0..0, self.leaf(&reset));
        exits.number.map(|number| Left { number, outcomes: exits.outcomes })
    }

    fn decide_in(&mut self, nodes: Vec<Node>, exits: &mut Exits<'_>, place: Place) -> Vec<Node> {
        let count = nodes.len();
        let mut out = Vec::new();
        for (k, node) in nodes.into_iter().enumerate() {
            let place = Place { last: place.last && k + 1 == count, ..place };
            match node {
                Node::Leaf(mut leaf) => {
                    if let Some(test) = assigned(&leaf, exits.flag)
                        && !is_literal(test)
                        && !place.last
                    {
                        let test = test.clone();
                        self.decide_test(&mut leaf, &test, exits, place.inner);
                    }
                    out.push(Node::Leaf(leaf));
                }
                Node::Branch(mut b) => {
                    let arms = std::mem::take(&mut b.arms);
                    b.arms = arms.into_iter().map(|a| self.decide_in(a, exits, place)).collect();
                    out.extend(self.test_apart(b, exits, place.inner));
                }
                Node::Loop(mut l) => {
                    let body = std::mem::take(&mut l.body);
                    l.body = self.decide_in(body, exits, Place { last: false, inner: true });
                    out.push(Node::Loop(l));
                }
            }
        }
        out
    }

    /// Notes a leaf that assigns the outcome of a test.
    fn decide_test(&mut self, leaf: &mut Leaf, test: &Expr, exits: &mut Exits<'_>, inner: bool) {
        let StmtKind::Assign { lhs, .. } = &leaf.stmt.kind else { return };
        exits.tests += 1;
        let number =
            exits.number.unwrap_or_else(|| self.b.local(&format!("{}_exit", exits.name), Ty::INTEGER, Vec::new()));
        exits.number = Some(number);
        let number = self.b.var(number);
        let this = Expr::int(exits.tests);
        let noted = self.b.assign(number.clone(), this.clone(), &leaf.stmt, Role::Save);
        let arms = vec![IfArm { cond: lhs.clone(), body: vec![noted] }];
        let note = StmtKind::If { name: None, arms, otherwise: None, one_line: true };
        let note = self.b.derive(note, &leaf.stmt, Role::Save);
        let mut outcome = Expr::binary(BinaryOp::Eq, number, this);
        let mut reads = LocSet::new();
        if inner {
            // It is known that the step was left here, but not in which iteration of the inner loop.
            outcome = Expr::binary(BinaryOp::And, outcome, test.clone());
            self.effects.reads(self.b.program, test, &mut reads);
        }
        let record = self.b.assign(lhs.clone(), outcome, &leaf.stmt, Role::Forward);
        let advance = self.b.assign(lhs.clone(), Expr::logical(false), &leaf.stmt, Role::Forward);
        leaf.decided = Some(Box::new(Decided { level: 0, note, record, reads, advance }));
    }

    /// A branch with an arm that ends the loop, with the test for that arm as a statement of its own before it.
    fn test_apart(&mut self, mut b: Box<Branch>, exits: &mut Exits<'_>, inner: bool) -> Vec<Node> {
        let StmtKind::If { arms, .. } = &b.stmt.kind else { return vec![Node::Branch(b)] };
        let tests = arms.len();
        let leaves = |arm: &Vec<Node>| arm.iter().any(|n| matches!(n, Node::Leaf(l) if ends(l, exits.flag)));
        let Some(at) = b.arms.iter().take(tests).position(leaves) else { return vec![Node::Branch(b)] };
        let cut = if at > 0 { at } else { 1 };
        if cut < tests {
            let rest = self.cut(&mut b, cut);
            let rest = self.test_apart(Box::new(rest), exits, inner);
            b.arms.push(rest);
        }
        if at > 0 {
            return vec![Node::Branch(b)];
        }
        let sym = self.b.local("leaves", Ty::LOGICAL, Vec::new());
        exits.outcomes.push(sym);
        let outcome = self.b.var(sym);
        let StmtKind::If { arms, .. } = &mut b.stmt.kind else { return vec![Node::Branch(b)] };
        let test = std::mem::replace(&mut arms[0].cond, outcome.clone());
        b.reads = LocSet::new();
        self.effects.reads(self.b.program, &outcome, &mut b.reads);
        let set = self.b.assign(outcome, test.clone(), &b.stmt, Role::Forward);
        let mut out = Vec::new();
        if let Some(Node::Leaf(mut leaf)) = self.leaf(&set) {
            self.decide_test(&mut leaf, &test, exits, inner);
            out.push(Node::Leaf(leaf));
        }
        out.push(Node::Branch(b));
        out
    }

    /// Takes the arms of an `if` from a number on out of it, to be its `else`.
    fn cut(&mut self, b: &mut Branch, at: usize) -> Branch {
        let mut kind = b.stmt.kind.clone();
        if let StmtKind::If { arms, .. } = &mut kind {
            arms.drain(..at);
        }
        let stmt = self.b.derive(kind, &b.stmt, Role::Forward);
        if let StmtKind::If { arms, otherwise, .. } = &mut b.stmt.kind {
            arms.truncate(at);
            *otherwise = Some(vec![stmt.clone()]);
        }
        let [reads, own] = [&stmt, &b.stmt].map(|s| {
            let mut reads = LocSet::new();
            s.exprs().into_iter().for_each(|e| self.effects.reads(self.b.program, e, &mut reads));
            reads
        });
        b.reads = own;
        let arms = b.arms.split_off(at);
        let (exhaustive, asks_status) = (b.exhaustive, b.asks_status);
        b.exhaustive = true;
        Branch { stmt, reads, arms, exhaustive, asks_status, replay: Replay::Save }
    }
}

impl Left {
    /// Leaves out the branches for the end of the loop, in steps that others follow.
    pub(in crate::reverse) fn drop_ends(&self, block: &mut Block) {
        for mut stmt in std::mem::take(block) {
            stmt.blocks_mut().into_iter().for_each(|b| self.drop_ends(b));
            match stmt.kind {
                StmtKind::Assign { lhs, .. } if self.is_outcome(&lhs) => {}
                StmtKind::If { arms, otherwise, .. } if self.is_outcome(&arms[0].cond) => {
                    block.extend(otherwise.unwrap_or_default());
                }
                StmtKind::If { mut arms, .. } if self.is_opposite(&arms[0].cond) => block.append(&mut arms[0].body),
                kind => block.push(Stmt { kind, ..stmt }),
            }
        }
    }

    fn is_outcome(&self, e: &Expr) -> bool {
        e.as_var().is_some_and(|d| self.outcomes.contains(&d.sym))
    }

    fn is_opposite(&self, e: &Expr) -> bool {
        matches!(&e.kind, ExprKind::Unary(UnaryOp::Not, e) if self.is_outcome(e))
    }
}

/// Where nodes stand in the body of a loop.
#[derive(Clone, Copy)]
struct Place {
    /// Nothing of the body follows.
    last: bool,
    /// They belong to a loop inside.
    inner: bool,
}

/// What a leaf assigns to a scalar.
fn assigned(l: &Leaf, flag: SymId) -> Option<&Expr> {
    match &l.stmt.kind {
        StmtKind::Assign { lhs, rhs } if lhs.as_var().is_some_and(|d| d.sym == flag) => Some(rhs),
        _ => None,
    }
}

/// True for a statement that ends the loop of a flag.
fn ends(l: &Leaf, flag: SymId) -> bool {
    assigned(l, flag).is_some_and(|e| *e == Expr::logical(true))
}

fn is_literal(e: &Expr) -> bool {
    [true, false].into_iter().any(|value| *e == Expr::logical(value))
}
