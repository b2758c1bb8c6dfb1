//! Time loops under a schedule of the run-time library, which tells which steps run forward when, when snapshots of the
//! state are taken and restored, and which steps run backward.
//!
//! The node tree is that of a loop in blocks: a block is a range of steps. In the forward sweep the schedule comes to the
//! end of the loop with the first range that it wants recorded. That range starts from a copy of the state in the backward
//! sweep, like any other from a snapshot: so the forward sweep runs nothing but the primal, and nothing that a step saves
//! lives longer than from its record to its adjoint.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_analysis::affine::{self, plus};
use costate_grammar::ir::{
    Arg, Attrs, Base, Block, Callee, CaseRange, Expr, ExprKind, IfArm, LoopControl, Name, ProcInfo, Program, Role,
    SelectArm, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable,
};
use costate_grammar::operators::BinaryOp;
use costate_grammar::print;

use super::state::{Memory, StatePart};
use crate::expressions::{BYTES, in_kind, never_negative};
use crate::plan::Order;
use crate::reverse::Reverse;
use crate::reverse::decide::liveness::advancing;
use crate::reverse::tree::decisions::{Blocks, Follow, Schedule, Steps};
use crate::reverse::tree::node::{Loop, Node};

/// What runs in the backward sweep of a loop: steps forward, steps that are recorded, their adjoints.
type Again = (Block, Block, Block);

impl Schedule {
    /// What the schedule is, in words.
    pub(in crate::reverse) fn words(&self, program: &Program) -> String {
        let mut held = Vec::new();
        for (count, place) in [(&self.order.snapshots, "in memory"), (&self.order.on_disk, "on disk")] {
            if count.as_int() != Some(0) {
                held.push(format!("{} {place}", print::expr(program, count)));
            }
        }
        if let Some(memory) = &self.order.memory {
            held.insert(0, format!("as many as fit with tapes of steps into {} bytes", print::expr(program, memory)));
        }
        let held = if held.is_empty() { "as many as it chooses".to_string() } else { held.join(" and ") };
        format!("runs under the schedule {}, with snapshots: {held}", self.order.kind)
    }
}

impl Reverse<'_, '_> {
    /// The nodes that run a time loop under a schedule.
    pub(in crate::reverse) fn under_schedule(
        &mut self,
        l: Box<Loop>,
        mut blocks: Blocks,
        mut order: Order,
    ) -> Vec<Node> {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, body, .. } = l.stmt.kind.clone() else {
            return vec![Node::Loop(l)];
        };
        let steps = self.counted_steps((var, &lo, &hi, step));
        let mut nodes = Vec::new();
        // The loop variable has this value where there is no step at all.
        let variable = self.b.var(var);
        let start = self.b.assign(variable, lo.clone(), &l.stmt, Role::Save);
        nodes.extend(self.leaf(&start));
        let counts = self.counts(&mut order, &steps.name, &l);
        let single = order.records_single_steps();
        blocks.schedule = Some(Schedule { order, steps, single, left: None });
        let mut node = if single { l } else { self.around_ranges(l, &blocks, body) };
        node.region = true;
        node.blocks = Some(blocks);
        self.with_counts(counts, node, &mut nodes);
        nodes
    }

    /// The steps of a loop that counts them.
    pub(in crate::reverse) fn counted_steps(
        &mut self,
        (var, lo, hi, step): (SymId, &Expr, &Expr, Option<Expr>),
    ) -> Steps {
        let own = self.b.program.var(var).map_or(Ty::INTEGER, |v| v.ty);
        // The schedule counts in default or in long integers.
        let ty = if own.kind == 8 { own } else { Ty::INTEGER };
        let name = self.b.program[var].name.clone();
        let [from, to] = ["from", "to"].map(|part| self.b.local(&format!("{name}_{part}"), ty, Vec::new()));
        let by = step.as_ref().and_then(Expr::as_int).unwrap_or(1);
        let plain = by == 1 && own == ty;
        let (first, last) = match plain {
            true => (lo.clone(), hi.clone()),
            false => steps_from_one(lo, hi, step.as_ref()),
        };
        let value = |sym: SymId| match plain {
            true => Expr::var(sym, ty, 0),
            false => plus(lo, &Expr::var(sym, ty, 0).sub(Expr::int(1)).mul(Expr::int(by))),
        };
        let [first, last] = [first, last].map(|e| in_kind(e, ty));
        let range = LoopControl::Count { var, lo: value(from), hi: value(to), step };
        Steps { name, first, last, from, to, range }
    }

    /// Variables for the numbers of snapshots and of bytes that the program works out, with the statements that set them.
    pub(in crate::reverse) fn counts(&mut self, order: &mut Order, name: &Name, l: &Loop) -> Vec<Stmt> {
        let mut out = Vec::new();
        let memory = order.memory.iter_mut().map(|m| (m, "memory", BYTES));
        let counts = [(&mut order.snapshots, "snapshots", Ty::INTEGER), (&mut order.on_disk, "on_disk", Ty::INTEGER)];
        for (count, base, ty) in counts.into_iter().chain(memory) {
            if count.as_int().is_none() {
                let sym = self.b.local(&format!("{name}_{base}"), ty, Vec::new());
                self.defined.insert(sym, count.clone());
                let v = self.b.var(sym);
                let value = in_kind(std::mem::replace(count, v.clone()), ty);
                out.push(self.b.assign(v, value, &l.stmt, Role::Save));
            }
        }
        out
    }

    /// Puts the numbers of snapshots before the loop that uses them.
    pub(in crate::reverse) fn with_counts(&mut self, counts: Vec<Stmt>, mut l: Box<Loop>, nodes: &mut Vec<Node>) {
        for set in counts {
            Rc::make_mut(&mut l.access).reads.extend(self.effects.access(self.b.program, &set).writes);
            nodes.extend(self.leaf(&set));
        }
        nodes.push(Node::Loop(l));
    }

    /// A loop over ranges of steps, each of which is recorded as a whole.
    fn around_ranges(&mut self, mut l: Box<Loop>, blocks: &Blocks, body: Block) -> Box<Loop> {
        let Some(schedule) = &blocks.schedule else { return l };
        let header = std::mem::take(&mut Rc::make_mut(&mut l.stmt).leading);
        Rc::make_mut(&mut l.stmt).kind = StmtKind::repeat(schedule.steps.range.clone(), body);
        l.access = Rc::new(self.effects.access(self.b.program, &l.stmt));
        self.measure(&mut l);
        let (covers, private, own) = (std::mem::take(&mut l.covers), l.private.clone(), l.own.clone());
        let (lo, hi) = (schedule.steps.first.clone(), schedule.steps.last.clone());
        let control = LoopControl::Count { var: schedule.steps.from, lo, hi, step: None };
        let [start, end] = [schedule.steps.from, schedule.steps.to].map(|s| self.b.var(s));
        let range = self.b.assign(end, start, &l.stmt, Role::Save);
        let kind = StmtKind::repeat(control, vec![range.clone(), Stmt::clone(&l.stmt)]);
        let mut stmt = self.b.derive(kind, &l.stmt, Role::Forward);
        stmt.leading = header;
        let body = self.leaf(&range).into_iter().chain([Node::Loop(l)]).collect();
        let mut outer = Box::new(self.new_loop(&stmt, body));
        (outer.covers, outer.private, outer.own) = (covers, private, own);
        outer
    }

    /// Both sweeps of a loop under a schedule.
    pub(in crate::reverse) fn emit_scheduled(&mut self, l: &Loop, schedule: &Schedule, level: usize) -> (Block, Block) {
        self.scheduled = true;
        let follow = self.follow_schedule(l, schedule);
        let (mut forward, mut backward) = (Vec::new(), Vec::new());
        for part in self.restored(l) {
            let (save, restore) = self.save_values(&part, &[], &l.stmt);
            forward.extend(save);
            backward.splice(0..0, restore);
        }
        let online = schedule.order.is_online();
        let copied = if online { Vec::new() } else { self.state_parts(l) };
        let (keep, back_to): (Vec<Block>, Vec<Block>) =
            copied.iter().map(|part| self.save_part(part, &[], &l.stmt)).unzip();
        let (schedule, sizes, again) = self.run_again(l, schedule, &follow, level);
        let mut out = if online {
            forward.extend(self.until_it_ends(l, &schedule, &follow, level));
            vec![self.next(&follow)]
        } else {
            let mut primal = self.steps_forward(l, &schedule, &[level]);
            self.verify_steps(l, &schedule, &follow, &mut primal);
            let mut first = self.forward_sweep(l, &schedule, &follow, (keep.concat(), primal));
            if let Some(StmtKind::Call { args, .. }) = first.first_mut().map(|s| &mut s.kind) {
                args.extend(sizes);
            }
            forward.extend(first);
            self.where_recorded(&follow, back_to.concat(), Role::Restore)
        };
        forward.extend(self.settle_adjoints(l, level));
        out.extend(self.backward_sweep(l, &follow, again));
        out.extend(backward);
        self.save_variable(l, &[], (&mut forward, &mut out));
        if level == 0 {
            out.extend(self.free_lasting(&l.stmt));
        }
        (forward, out)
    }

    /// What runs in the backward sweep: steps that others follow, steps that are recorded, and their adjoints. With the
    /// schedule that it is for, and the sizes that this is told.
    fn run_again(
        &mut self,
        l: &Loop,
        schedule: &Schedule,
        follow: &Follow<'_>,
        level: usize,
    ) -> (Schedule, Vec<Arg>, Again) {
        let noted = std::mem::take(&mut self.ledger);
        self.enter(l);
        self.unsettled.push(l.private.clone());
        // A schedule that goes by bytes asks what each step allocates.
        let counted = if schedule.order.goes_by_bytes() { level + 1 } else { level };
        let (mut record, mut reverse) = self.rerunning(l, counted, |s| s.recorded(l, schedule, level + 1));
        self.unsettled.pop();
        let held = std::mem::replace(&mut self.ledger, noted);
        let mut schedule = schedule.clone();
        let sizes = self.sizes_told(l, &mut schedule, &record);
        self.hold_states(l, &schedule, &held);
        // What the state of later steps takes, and nothing that is for the outside or for the adjoint of the step itself.
        let mut advance = match schedule.single {
            true => self.steps_forward(l, &schedule, &[advancing(level)]),
            false => self.steps_forward(l, &schedule, &[level, level + 1]),
        };
        self.verify_steps(l, &schedule, follow, &mut advance);
        self.verify_steps(l, &schedule, follow, &mut record);
        // Only the last step was left, which is reversed first.
        if let Some(left) = &schedule.left {
            left.drop_ends(&mut advance);
            reverse.push(self.none_left(left, follow, Role::Adjoint));
        }
        (schedule, sizes, (advance, record, reverse))
    }

    /// Has the state before each step of a sweep compared with what it was there the first time: before the steps of a
    /// loop over them, or before the single step.
    fn verify_steps(&mut self, l: &Loop, schedule: &Schedule, follow: &Follow<'_>, sweep: &mut Block) {
        let LoopControl::Count { var, lo, .. } = &schedule.steps.range else { return };
        let step = self.b.var(*var);
        if !matches!(step.ty.kind, 4 | 8) {
            return;
        }
        let over_steps =
            |s: &Stmt| matches!(&s.kind, StmtKind::Do { control: LoopControl::Count { var: v, .. }, .. } if v == var);
        match sweep.iter_mut().find(|s| over_steps(s)).map(|s| &mut s.kind) {
            Some(StmtKind::Do { body, .. }) => {
                let compared = self.verify_state(l, follow, &step);
                body.splice(0..0, compared);
            }
            _ if schedule.single => {
                let compared = self.verify_state(l, follow, lo);
                sweep.splice(0..0, compared);
            }
            _ => {}
        }
    }

    pub(in crate::reverse) fn verify_state(&mut self, l: &Loop, follow: &Follow<'_>, step: &Expr) -> Block {
        let role = Role::Save;
        let compare = |s: &mut Self, part: &StatePart, name: &str| {
            let args = vec![follow.schedule.clone(), text(name), step.clone(), never_negative(part.e.clone())];
            let call = s.runtime_call("costate_verify", args.into_iter().map(Arg::new).collect(), follow.stmt, role);
            let call = match part.memory {
                Memory::Fixed => call,
                Memory::Optional | Memory::Changing => s.when(part.e.allocated(), vec![call], follow.stmt),
            };
            s.where_present(&part.e, (vec![call], Block::new()), follow.stmt).0
        };
        // What is compared has a name, which the elements of an array whose bytes aren't its value don't have.
        let mut parts = self.state_parts(l);
        parts.retain(|p| p.values && !self.by_components(p.e.ty));
        let names = names_apart(self.b.program, &parts);
        let body: Block = parts.iter().zip(&names).flat_map(|(p, name)| compare(self, p, name)).collect();
        if body.is_empty() {
            return body;
        }
        let info = ProcInfo { external: true, ..ProcInfo::default() };
        let asks = self.runtime_symbol("costate_verifies", SymbolKind::Procedure(Box::new(info)));
        let callee = Callee::Proc { sym: asks, generic: None, operator: None };
        let kind = ExprKind::Call { callee, args: vec![Arg::new(follow.schedule.clone())] };
        let arms = vec![IfArm { cond: Expr::new(kind, Ty::LOGICAL, 0), body }];
        let one_line = false;
        vec![self.b.derive(StmtKind::If { name: None, arms, otherwise: None, one_line }, follow.stmt, role)]
    }

    /// A loop over the steps of a range, without saves.
    fn steps_forward(&mut self, l: &Loop, schedule: &Schedule, levels: &[usize]) -> Block {
        let own = l.own();
        let body = self.primal(&own.body, levels);
        if body.is_empty() {
            return body;
        }
        let kind = StmtKind::repeat(schedule.steps.range.clone(), body);
        vec![self.b.derive(kind, &own.stmt, Role::Forward)]
    }

    /// Both sweeps of a range that is recorded.
    fn recorded(&mut self, l: &Loop, schedule: &Schedule, level: usize) -> (Block, Block) {
        let Some(Node::Loop(_)) = l.body.last().filter(|_| !schedule.single) else {
            let (mut record, mut reverse) = self.emit(&l.body, level, &mut Vec::new());
            if let LoopControl::Count { var, lo, .. } = &schedule.steps.range {
                for (sweep, role) in [(&mut record, Role::Forward), (&mut reverse, Role::Adjoint)] {
                    let mut mentioned = BTreeSet::new();
                    crate::remap::mentioned(sweep, &mut mentioned);
                    if !mentioned.contains(var) {
                        continue;
                    }
                    let variable = self.b.var(*var);
                    sweep.insert(0, self.b.assign(variable, lo.clone(), &l.stmt, role));
                }
            }
            return (record, reverse);
        };
        self.emit(&l.body[l.body.len() - 1..], level, &mut Vec::new())
    }

    fn follow_schedule<'l>(&mut self, l: &'l Loop, schedule: &Schedule) -> Follow<'l> {
        let ty = self.runtime_symbol("costate_schedule", SymbolKind::Type(Box::default()));
        let var = Variable::scalar(Ty::new(Base::Derived(ty), 0), "type(costate_schedule)");
        let object = self.b.add(&format!("{}_schedule", schedule.steps.name), var);
        let action = self.b.local(&format!("{}_action", schedule.steps.name), Ty::INTEGER, Vec::new());
        let [schedule, action, from, to] =
            [object, action, schedule.steps.from, schedule.steps.to].map(|s| self.b.var(s));
        Follow { stmt: &l.stmt, schedule, action, from, to }
    }

    /// The primal's steps, with the snapshots that the schedule asks for on the way.
    fn forward_sweep(
        &mut self,
        l: &Loop,
        schedule: &Schedule,
        follow: &Follow<'_>,
        (keep, steps): (Block, Block),
    ) -> Block {
        let mut start = self.start(schedule, follow);
        start.leading.clone_from(&l.stmt.leading);
        start.leading.push(format!("! {} runs under the schedule {}", schedule.steps.name, schedule.order.kind));
        let done = self.constant("costate_done");
        let set = self.b.assign(follow.action.clone(), done, follow.stmt, Role::Save);
        let before = plus(&schedule.steps.first, &Expr::int(-1));
        let none = self.b.assign(follow.to.clone(), before, follow.stmt, Role::Save);
        let mut body = vec![self.next(follow)];
        let snapshot = self.transfer("costate_put", l, follow, Role::Save);
        let mut run = self.where_recorded(follow, keep, Role::Save);
        run.extend(steps);
        let arms = vec![IfArm { cond: self.asked(follow, "costate_snapshot"), body: snapshot }];
        let kind = StmtKind::If { name: None, arms, otherwise: Some(run), one_line: false };
        body.push(self.b.derive(kind, follow.stmt, Role::Forward));
        let goes_on = Expr::binary(BinaryOp::Lt, follow.to.clone(), schedule.steps.last.clone());
        vec![start, set, none, self.while_loop(goes_on, body, follow, Role::Forward)]
    }

    /// Statements for the range that ends the forward sweep; there is none when the loop has no steps.
    fn where_recorded(&mut self, follow: &Follow<'_>, body: Block, role: Role) -> Block {
        if body.is_empty() {
            return body;
        }
        let arm = IfArm { cond: self.asked(follow, "costate_record"), body };
        let kind = StmtKind::If { name: None, arms: vec![arm], otherwise: None, one_line: false };
        vec![self.b.derive(kind, follow.stmt, role)]
    }

    /// The rest of the schedule's actions.
    fn backward_sweep(
        &mut self,
        l: &Loop,
        follow: &Follow<'_>,
        (advance, record, reverse): (Block, Block, Block),
    ) -> Block {
        let put = self.transfer("costate_put", l, follow, Role::Save);
        let get = self.transfer("costate_get", l, follow, Role::Restore);
        let arms = [
            ("costate_advance", advance),
            ("costate_snapshot", put),
            ("costate_restore", get),
            ("costate_record", record),
            ("costate_reverse", reverse),
        ];
        let arms = arms.map(|(name, body)| SelectArm { ranges: vec![CaseRange::Value(self.constant(name))], body });
        let kind = StmtKind::Select { name: None, selector: follow.action.clone(), arms: arms.into() };
        let select = self.b.derive(kind, follow.stmt, Role::Adjoint);
        let body = vec![select, self.next(follow)];
        let done = self.constant("costate_done");
        let goes_on = Expr::binary(BinaryOp::Ne, follow.action.clone(), done);
        let finish = vec![Arg::new(follow.schedule.clone())];
        let finish = self.runtime_call("costate_finish", finish, follow.stmt, Role::Storage);
        vec![self.while_loop(goes_on, body, follow, Role::Adjoint), finish]
    }

    fn while_loop(&mut self, cond: Expr, body: Block, follow: &Follow<'_>, role: Role) -> Stmt {
        self.b.derive(StmtKind::repeat(LoopControl::While(cond), body), follow.stmt, role)
    }

    pub(in crate::reverse) fn start(&mut self, schedule: &Schedule, follow: &Follow<'_>) -> Stmt {
        let order = &schedule.order;
        let given = |name: &str, value: Expr| Arg { keyword: Some(Name::new(name)), value };
        let mut args: Vec<Arg> =
            [follow.schedule.clone(), text(&order.kind), schedule.steps.first.clone(), schedule.steps.last.clone()]
                .map(Arg::new)
                .into();
        for (name, count) in [("snapshots", &order.snapshots), ("on_disk", &order.on_disk)] {
            if count.as_int() != Some(0) {
                args.push(given(name, count.clone()));
            }
        }
        if let (Some(folder), true) = (&self.choices.disk, order.on_disk.as_int() != Some(0)) {
            args.push(given("folder", text(folder)));
        }
        args.push(given("name", text(&schedule.steps.name)));
        self.runtime_call("costate_start", args, follow.stmt, Role::Storage)
    }

    pub(in crate::reverse) fn next(&mut self, follow: &Follow<'_>) -> Stmt {
        let args = [&follow.schedule, &follow.action, &follow.from, &follow.to].map(|e| Arg::new(e.clone()));
        self.runtime_call("costate_next", args.into(), follow.stmt, Role::Storage)
    }

    /// Puts the state into a snapshot or gets it from there.
    pub(in crate::reverse) fn transfer(&mut self, procedure: &str, l: &Loop, follow: &Follow<'_>, role: Role) -> Block {
        self.state_parts(l).iter().flat_map(|part| self.transfer_part(procedure, part, follow, role)).collect()
    }

    pub(in crate::reverse) fn asked(&mut self, follow: &Follow<'_>, action: &str) -> Expr {
        let action = self.constant(action);
        Expr::binary(BinaryOp::Eq, follow.action.clone(), action)
    }

    fn constant(&mut self, name: &str) -> Expr {
        let mut v = Variable::scalar(Ty::INTEGER, "integer");
        v.attrs = Attrs { parameter: true, ..Attrs::default() };
        let sym = self.runtime_symbol(name, SymbolKind::Variable(Box::new(v)));
        Expr::var(sym, Ty::INTEGER, 0)
    }

    /// Why a loop with this state can't run under a schedule: snapshots take the bytes of a variable, which aren't its
    /// value where it refers to other memory.
    pub(in crate::reverse) fn unfit(&self, blocks: &Blocks) -> Option<&'static str> {
        let hidden = |e: &Expr| match e.ty.base {
            Base::Derived(t) | Base::Class(t) => self.by_components(e.ty) && !self.is_reachable(t, 0),
            _ => false,
        };
        blocks.parts().any(hidden).then_some("part of its state has pointer components, or components of a class")
    }

    pub(in crate::reverse) fn indirect(&self, ty: Ty) -> bool {
        match ty.base {
            Base::Class(_) => true,
            Base::Derived(t) => self.b.program[t].derived().is_none_or(|d| {
                let own = |v: &Variable| v.attrs.allocatable || v.attrs.pointer || self.indirect(v.ty);
                d.components.iter().any(|c| own(&c.var))
                    || d.extends.is_some_and(|p| self.indirect(Ty::new(Base::Derived(p), 0)))
            }),
            _ => false,
        }
    }
}

/// Number of the first and of the last step of a loop whose steps are counted from one. The last may be negative.
pub(in crate::reverse) fn steps_from_one(lo: &Expr, hi: &Expr, step: Option<&Expr>) -> (Expr, Expr) {
    let by = step.and_then(Expr::as_int).unwrap_or(1);
    let (near, far) = if by > 0 { (lo, hi) } else { (hi, lo) };
    let range = plus(&affine::minus(far, near), &Expr::int(by.abs()));
    (Expr::int(1), if by.abs() == 1 { range } else { range.div(Expr::int(by.abs())) })
}

pub(in crate::reverse) fn text(value: &str) -> Expr {
    let quoted = format!("'{}'", value.replace('\'', "''"));
    Expr::new(ExprKind::Str(quoted), Ty::new(Base::Character, 1), 0)
}

/// What the run-time library calls the parts of a state: as they are written, with their modules where several are written
/// the same way.
fn names_apart(program: &Program, parts: &[StatePart]) -> Vec<String> {
    let written: Vec<String> = parts.iter().map(|p| print::expr(program, &p.e)).collect();
    let named = |(p, name): (&StatePart, &String)| {
        let several = written.iter().filter(|w| w.eq_ignore_ascii_case(name)).count() > 1;
        let home = p.e.as_var().and_then(|d| program.module_of(program[d.sym].scope)).filter(|_| several);
        home.map_or_else(|| name.clone(), |m| format!("{}::{name}", program[m].name))
    };
    parts.iter().zip(&written).map(named).collect()
}
