//! Writes the forward and the backward sweep of the node tree, everything that belongs together in one place.

use costate_analysis::loops::step_sign;
use costate_analysis::storage::is_allocatable;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, CaseRange, Expr, IfArm, LoopControl, Role, SelectArm, Stmt, StmtId, StmtKind, SymId, Ty, Variable,
};
use costate_grammar::operators::BinaryOp;

use super::around::{Around, places};
use crate::interface::call_arguments;
use crate::memory::{Call, Entry};
use crate::optimise::Pass;
use crate::region;
use crate::reverse::Reverse;
use crate::reverse::decide::allocations::item;
use crate::reverse::statements::objects::is_part;
use crate::reverse::tree::construct::ordered_blocks;
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

impl Reverse<'_, '_> {
    /// Forward and backward sweep of nodes at their own level. `chain` are the loops around them up to the region's border.
    pub(in crate::reverse) fn emit(&mut self, nodes: &[Node], level: usize, chain: &mut Vec<Around>) -> (Block, Block) {
        let mut forward = Vec::new();
        let mut groups: Vec<Block> = Vec::new();
        for node in nodes {
            self.forget_memory(node);
            let (f, b) = match node {
                Node::Leaf(l) => self.within(l.stmt.id, |s| s.emit_leaf(l, level, chain)),
                Node::Branch(b) => self.emit_branch(b, level, chain),
                Node::Loop(l) => self.within(l.own().stmt.id, |s| s.emit_loop(l, level, chain)),
            };
            self.note_memory(node);
            forward.extend(f);
            if !b.is_empty() {
                groups.push(b);
            }
        }
        let backward = groups.into_iter().rev().flatten().collect();
        (forward, backward)
    }

    /// Notes that what is emitted belongs to a loop or call.
    fn within<T>(&mut self, site: StmtId, emit: impl FnOnce(&mut Self) -> T) -> T {
        let new = self.path.last() != Some(&site);
        if new {
            self.path.push(site);
        }
        let out = emit(self);
        if new {
            self.path.pop();
        }
        out
    }

    /// The primal statements that sweeps of all these levels keep, without saves.
    pub(in crate::reverse) fn primal(&mut self, nodes: &[Node], levels: &[usize]) -> Block {
        let mut out = Vec::new();
        for node in nodes {
            match node {
                Node::Leaf(l) => {
                    let kept = levels.iter().all(|level| l.kept(*level));
                    if kept || l.storage.is_some() {
                        out.extend(self.run_at(l, levels));
                    }
                }
                Node::Branch(b) => {
                    let arms: Vec<Block> = b.arms.iter().map(|a| self.primal(a, levels)).collect();
                    out.extend(self.rebuild_branch(b, arms, None));
                }
                Node::Loop(l) => {
                    let mut body = self.primal(&l.body, levels);
                    if !body.is_empty() {
                        if let Some((stmt, _, _)) = &l.exit {
                            body.push(self.copy(stmt));
                        }
                        out.push(self.rebuild_loop(l, body));
                    }
                }
            }
        }
        out
    }

    pub(in crate::reverse) fn copy(&mut self, stmt: &Stmt) -> Stmt {
        if stmt.is_region() || matches!(stmt.kind, StmtKind::Do { .. }) {
            return region::copy(self.b, stmt, Role::Forward);
        }
        let mut s = self.b.derive(stmt.kind.clone(), stmt, Role::Forward);
        s.leading = stmt.leading.clone();
        s.trailing = stmt.trailing.clone();
        s
    }

    fn emit_leaf(&mut self, l: &Leaf, level: usize, chain: &[Around]) -> (Block, Block) {
        if let Some(how) = l.storage {
            let (mut forward, mut backward) = self.storage_sweeps(l, how, chain);
            for e in l.saves.iter().filter(|e| item(&l.stmt) != Some(e)) {
                let (save, restore) = self.save(e, chain, &l.stmt);
                forward.splice(0..0, save);
                backward.extend(restore);
            }
            return (forward, backward);
        }
        let mut forward = Vec::new();
        let mut backward = Vec::new();
        let halves = l.split.as_ref().map(|s| self.place_record(s, l, chain, level > 0));
        let moved = |e: &Expr| l.reshaped.iter().any(|r| r.object == *e || r.deep && is_part(e, &r.object));
        // An adjoint that uses the result comes before that is lost.
        let mut last = Vec::new();
        let (first, others): (Vec<&Expr>, Vec<&Expr>) =
            l.saves.iter().filter(|e| !moved(e)).partition(|e| l.restores_first(e));
        for (saved, to) in [(others, &mut last), (first, &mut backward)] {
            for e in saved {
                let (save, restore) = self.save(e, chain, &l.stmt);
                let (save, restore) = self.where_it_exists(e, (save, restore), &l.stmt);
                forward.extend(save);
                // Last saved is first restored: a tape gives values back in that order.
                to.splice(0..0, restore);
            }
        }
        let undone = l.undo.iter().filter(|_| l.undone).cloned();
        if l.by_result {
            last.extend(undone)
        } else {
            backward.extend(undone)
        }
        for r in l.reshaped.iter().filter(|r| !r.left || l.saves.contains(&r.object)) {
            let (save, restore) = self.save_status(r, l.saves.contains(&r.object), chain, &l.stmt);
            forward.extend(save);
            backward.splice(0..0, restore);
        }
        let compared = self.comparison(l, level, chain);
        forward.extend(compared.note);
        backward.splice(0..0, compared.restore);
        let mut after = Vec::new();
        let adjoint = match halves {
            Some((first, second)) => {
                forward.extend(first);
                if l.restores_late() {
                    // The backward half has its own values: the caller's are brought back once it is done with them.
                    after = std::mem::take(&mut backward);
                }
                second
            }
            None => {
                if l.kept(level) {
                    // The derivative of a pointer's target is found before subscripts can change with the pointer.
                    let first = matches!(l.stmt.kind, StmtKind::PointerAssign { .. } | StmtKind::Nullify(_));
                    let follow = l.follow.iter().cloned();
                    if let Some(recording) = &l.forward {
                        forward.push(self.copy(recording));
                    } else if first {
                        forward.extend(follow);
                        forward.extend(self.run_at(l, &[level]));
                    } else {
                        forward.extend(self.run_at(l, &[level]));
                        forward.extend(follow);
                    }
                }
                Block::clone(&l.adjoint)
            }
        };
        let mut restored = Vec::new();
        for e in l.kept_aside() {
            // A copy of the value around the adjoint call, whatever loops there are.
            let (keep, put) = self.save(e, &[], &l.stmt);
            let (keep, put) = match is_allocatable(self.b.program, e) && l.reshaped.iter().any(|r| r.object == *e) {
                true => self.where_allocated(e, keep, put, &l.stmt),
                false => (keep, put),
            };
            let (keep, put) = self.where_it_exists(e, (keep, put), &l.stmt);
            backward.extend(keep);
            restored.splice(0..0, put);
        }
        after.extend(restored);
        let joint = !l.adjoint.is_empty() && l.split.is_none();
        backward.extend(compared.before);
        if let Some(callee) = self.context.callees.get(&l.stmt.id).filter(|_| joint) {
            self.ledger.push(Entry::Call(Call {
                path: self.path.clone(),
                context: *callee,
                part: l.part,
                args: call_arguments(&l.stmt).to_vec(),
            }));
        }
        backward.extend(adjoint);
        backward.extend(compared.after);
        for r in l.reshaped.iter().filter(|r| !r.passed) {
            backward.extend(self.reset_shadow(r, &r.brought, &l.stmt));
        }
        backward.extend(after);
        backward.extend(last);
        if l.recompute.is_none() {
            self.comment(&l.stmt, &mut backward);
        }
        (forward, backward)
    }

    fn emit_branch(&mut self, b: &Branch, level: usize, chain: &mut Vec<Around>) -> (Block, Block) {
        let pairs: Vec<(Block, Block)> = b.arms.iter().map(|a| self.emit(a, level, chain)).collect();
        let (forward, backward): (Vec<Block>, Vec<Block>) = pairs.into_iter().unzip();
        if backward.iter().all(Vec::is_empty) {
            return (self.rebuild_branch(b, forward, None), Vec::new());
        }
        if b.replay == Replay::Evaluate {
            let out = self.rebuild_branch(b, forward, None);
            let mut back = self.rebuild_branch(b, backward, None);
            self.strip_comments(&mut back);
            return (out, back);
        }
        self.saved_branch(b, forward, backward, chain)
    }

    pub(in crate::reverse) fn strip_comments(&mut self, block: &mut Block) {
        for s in block {
            s.leading.clear();
            s.trailing = None;
        }
    }

    /// The way through a branch is saved: a logical for two ways, a number for more.
    fn saved_branch(
        &mut self,
        b: &Branch,
        forward: Vec<Block>,
        backward: Vec<Block>,
        chain: &mut [Around],
    ) -> (Block, Block) {
        let two = matches!(&b.stmt.kind, StmtKind::If { arms, .. } if arms.len() == 1);
        let ty = if two { Ty::LOGICAL } else { Ty::INTEGER };
        let sym = self.control("branch", ty);
        let flag = self.b.var(sym);
        let mut out = Vec::new();
        let mut back = Vec::new();
        if two {
            let cond = match &b.stmt.kind {
                StmtKind::If { arms, .. } => arms[0].cond.clone(),
                _ => return (out, back),
            };
            out.push(self.b.assign(flag.clone(), cond, &b.stmt, Role::Save));
            out.extend(self.rebuild_branch(b, forward, Some(&flag)));
            back.extend(self.rebuild_branch(b, backward, Some(&flag)));
        } else {
            let arms: Vec<Block> = forward
                .into_iter()
                .enumerate()
                .map(|(i, mut body)| {
                    let number = Expr::int(i as i64 + 1);
                    body.insert(0, self.b.assign(flag.clone(), number, &b.stmt, Role::Save));
                    body
                })
                .collect();
            if !b.exhaustive {
                out.push(self.b.assign(flag.clone(), Expr::int(0), &b.stmt, Role::Save));
            }
            out.extend(self.rebuild_branch(b, arms, None));
            back.extend(self.numbered(b, &flag, backward));
        }
        self.strip_comments(&mut back);
        if !chain.is_empty() {
            let var = self.b.spelt(ty);
            let (save, restore) = self.save_as(&flag, "branch_save", var, chain, &b.stmt);
            out.extend(save);
            // The saved way is read before the arms of this branch are reversed.
            let at = 0;
            for s in restore.into_iter().rev() {
                back.insert(at, s);
            }
        }
        (out, back)
    }

    fn numbered(&mut self, b: &Branch, flag: &Expr, backward: Vec<Block>) -> Block {
        let arms: Vec<SelectArm> = backward
            .into_iter()
            .enumerate()
            .filter(|(_, body)| !body.is_empty())
            .map(|(i, body)| SelectArm { ranges: vec![CaseRange::Value(Expr::int(i as i64 + 1))], body })
            .collect();
        vec![self.b.derive(StmtKind::Select { name: None, selector: flag.clone(), arms }, &b.stmt, Role::Adjoint)]
    }

    /// The branch with other bodies; with `flag` in place of the condition when it is given. Empty when all bodies are.
    fn rebuild_branch(&mut self, b: &Branch, mut bodies: Vec<Block>, flag: Option<&Expr>) -> Block {
        if bodies.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let kind = match &b.stmt.kind {
            StmtKind::If { arms, otherwise, .. } => {
                let mut last = if otherwise.is_some() { bodies.pop() } else { None };
                if last.as_ref().is_some_and(Vec::is_empty) {
                    last = None;
                }
                let conds: Vec<Expr> = arms.iter().map(|a| flag.cloned().unwrap_or_else(|| a.cond.clone())).collect();
                if let (1, Some(body), true) = (conds.len(), &last, bodies[0].is_empty()) {
                    let arms = vec![IfArm { cond: conds[0].clone().negated(), body: body.clone() }];
                    StmtKind::If { name: None, arms, otherwise: None, one_line: false }
                } else {
                    let arms = conds.into_iter().zip(bodies).map(|(cond, body)| IfArm { cond, body }).collect();
                    StmtKind::If { name: None, arms, otherwise: last, one_line: false }
                }
            }
            StmtKind::Select { arms, selector, .. } => {
                let order = ordered_blocks(&b.stmt);
                let place = |body: &Vec<Stmt>| order.iter().position(|o| std::ptr::eq(*o, body));
                let new = arms
                    .iter()
                    .map(|a| SelectArm {
                        ranges: a.ranges.clone(),
                        body: place(&a.body).and_then(|i| bodies.get(i).cloned()).unwrap_or_default(),
                    })
                    .collect();
                StmtKind::Select { name: None, selector: selector.clone(), arms: new }
            }
            other => other.clone(),
        };
        let mut s = self.b.derive(kind, &b.stmt, Role::Forward);
        s.leading = b.stmt.leading.clone();
        vec![s]
    }

    pub(in crate::reverse) fn rebuild_loop(&mut self, l: &Loop, body: Block) -> Stmt {
        let control = match &l.stmt.kind {
            StmtKind::Do { control, .. } => control.clone(),
            _ => LoopControl::Forever,
        };
        let kind = StmtKind::repeat_as(control, body, l.stmt.followed());
        let mut s = self.b.derive(kind, &l.stmt, Role::Forward);
        s.leading = l.stmt.leading.clone();
        s
    }

    fn emit_loop(&mut self, l: &Loop, level: usize, chain: &mut Vec<Around>) -> (Block, Block) {
        if let Some(schedule) = l.blocks.as_ref().and_then(|b| b.schedule.as_ref()) {
            return self.emit_scheduled(l, schedule, level);
        }
        if let Some(iterated) = &l.iterated {
            return self.emit_iterated(l, iterated, level);
        }
        let outermost = chain.is_empty();
        let (mark, collected) = (self.slot_mark(), self.collected_mark());
        let noted = self.ledger.len();
        let mut around = self.around(l);
        let collects = self.collects(&around, chain);
        around.collects = collects;
        chain.push(around);
        let ((mut body, mut back), own) = match l.region {
            true => self.emit_region(l, level, chain),
            false => (self.emit(&l.body, level, chain), Vec::new()),
        };
        let lasts = if l.region || back.is_empty() { &[] } else { l.last.as_slice() };
        for e in lasts {
            let (save, restore) = self.save(e, chain, &l.stmt);
            body.extend(save);
            back.splice(0..0, restore);
        }
        let saved = self.save_direct(l, &mut body, &mut back, chain);
        chain.pop();
        let settled = if collects { self.settle_collected(collected, chain, &l.stmt) } else { Default::default() };
        let mut forward = Vec::new();
        let mut backward = Vec::new();
        if back.is_empty() {
            if !body.is_empty() {
                let body = self.with_exit(l, body);
                forward.push(self.rebuild_loop(l, body));
            }
        } else {
            let quoted = self.strip_first_comment(l, &mut back);
            let stepped = self.in_snapshots(l, &saved, &body, &back);
            let (f, mut b) = self.loop_pair(l, body, back, (chain, own));
            b.splice(0..0, settled.before_back);
            b.extend(settled.after_back);
            let f = if self.passes.has(Pass::DoubleBuffering) { self.double_buffered(l, f, chain) } else { f };
            if quoted {
                self.comment(&l.stmt, &mut b);
            }
            forward.extend(settled.before);
            forward.extend(stepped.unwrap_or(f));
            forward.extend(settled.after);
            forward.extend(self.settle_adjoints(l, level));
            backward.extend(b);
        }
        if !(forward.is_empty() && backward.is_empty()) {
            self.save_variable(l, chain, (&mut forward, &mut backward));
        }
        if outermost {
            // What is saved in the loop is held while any of its iterations runs again.
            self.ledger[noted..].sort_by_key(|e| !matches!(e, Entry::Slot(_)));
            let (before, after) = self.settle_slots(mark, &l.stmt);
            self.name_count([&mut forward, &mut backward], &l.stmt);
            forward.splice(0..0, before);
            backward.extend(after);
        }
        if level == 0 && l.region {
            backward.extend(self.free_lasting(&l.stmt));
        }
        (forward, backward)
    }

    /// Around both sweeps of a loop, the value that its variable had before.
    pub(in crate::reverse) fn save_variable(
        &mut self,
        l: &Loop,
        chain: &[Around],
        (forward, backward): (&mut Block, &mut Block),
    ) {
        if l.save_variable
            && let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &l.own().stmt.kind
        {
            let e = self.b.var(*var);
            let (save, restore) = self.save(&e, chain, &l.stmt);
            forward.splice(0..0, save);
            backward.extend(restore);
        }
    }

    pub(in crate::reverse) fn with_exit(&mut self, l: &Loop, mut body: Block) -> Block {
        if let Some((stmt, _, _)) = &l.exit {
            body.push(self.copy(stmt));
        }
        body
    }

    pub(in crate::reverse) fn around(&self, l: &Loop) -> Around {
        let body = match &l.stmt.kind {
            StmtKind::Do { body, .. } => body.as_slice(),
            _ => &[],
        };
        let mut writes = l.access.writes.clone();
        l.body.iter().for_each(|n| n.writes(&mut writes));
        let places = places(self.b.program, body, writes.iter().map(|w| self.effects.locs.get(*w)));
        let steady = self.steady.clone();
        let shared = l.stmt.followed().filter(|p| p.among_threads()).map(|_| l.stmt.id);
        match &l.stmt.kind {
            StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } => {
                let (lo, hi, step) = (lo.clone(), hi.clone(), step.clone());
                let (var, exits) = (Some(*var), l.exit.is_some());
                Around { var, lo, hi, step, places, steady, collects: false, exits, shared }
            }
            StmtKind::Do { name, .. } => Around { places, steady, ..Around::unknown(name.as_ref()) },
            _ => Around { places, steady, ..Around::unknown(None) },
        }
    }

    /// A forward loop and its reversal. `own` are variables that iterations of a region have of their own, beside the
    /// user's.
    fn loop_pair(
        &mut self,
        l: &Loop,
        body: Block,
        back: Block,
        (chain, own): (&[Around], Vec<SymId>),
    ) -> (Block, Block) {
        let control = match &l.stmt.kind {
            StmtKind::Do { control, .. } => control.clone(),
            _ => LoopControl::Forever,
        };
        match (&control, &l.exit) {
            (LoopControl::Count { var, lo, hi, step }, None) => {
                let (mut forward, mut backward, mut kept) = (Block::new(), Block::new(), Block::new());
                let mut bounds = [lo.clone(), hi.clone(), step.clone().unwrap_or_else(|| Expr::int(1))];
                let [first, last, by] = &mut bounds;
                let named = [(first, "first"), (last, "last"), (by, "step")];
                self.hold_bounds(l, named, chain, (&mut forward, &mut kept, &mut backward));
                if !body.is_empty() {
                    forward.push(self.rebuild_loop(l, body));
                }
                // After the loop, so that a tape gives them back before it.
                forward.extend(kept);
                let [lo, hi, st] = bounds;
                let reversed = reverse_count(*var, lo, hi, step.is_some().then_some(st));
                let mut shared = l.stmt.followed();
                if let Some(evidence) = shared.as_mut().and_then(|p| p.evidence.as_mut()) {
                    evidence.again = l.region;
                    evidence.private.extend(own);
                }
                let kind = StmtKind::repeat_as(reversed, back, shared);
                backward.push(self.b.derive(kind, &l.stmt, Role::Adjoint));
                (forward, backward)
            }
            _ => self.counted_pair(l, &control, body, back, chain),
        }
    }

    /// Lets variables of the adjoint stand for what a loop's header asks for, where the loop changes that: they are set
    /// before the loop (`forward`), and kept behind it for the backward sweep, where other loops are around.
    fn hold_bounds<'b>(
        &mut self,
        l: &Loop,
        bounds: impl IntoIterator<Item = (&'b mut Expr, &'static str)>,
        chain: &[Around],
        (forward, kept, backward): (&mut Block, &mut Block, &mut Block),
    ) {
        for (bound, name) in bounds {
            if l.stable_bounds || bound.as_int().is_some() {
                continue;
            }
            let sym = self.control(name, bound.ty);
            let v = self.b.var(sym);
            forward.push(self.b.assign(v.clone(), bound.clone(), &l.stmt, Role::Save));
            if !chain.is_empty() {
                let var = self.b.spelt(bound.ty);
                let (save, restore) = self.save_as(&v, &format!("{name}_save"), var, chain, &l.stmt);
                kept.extend(save);
                backward.splice(0..0, restore);
            }
            *bound = v;
        }
    }

    /// A loop whose trip count is only known when it has ended: the iterations are counted.
    fn counted_pair(
        &mut self,
        l: &Loop,
        control: &LoopControl,
        body: Block,
        back: Block,
        chain: &[Around],
    ) -> (Block, Block) {
        let sym = self.control("trips", Ty::INTEGER);
        let trips = self.b.var(sym);
        let mut forward = vec![self.b.assign(trips.clone(), Expr::int(0), &l.stmt, Role::Save)];
        let mut inner = vec![self.b.assign(trips.clone(), trips.clone().add(Expr::int(1)), &l.stmt, Role::Save)];
        inner.extend(body);
        let inner = self.with_exit(l, inner);
        let (mut kept, mut backward) = (Block::new(), Block::new());
        let mut control = control.clone();
        if let LoopControl::Count { lo, step, .. } = &mut control {
            let named = std::iter::once((lo, "first")).chain(step.as_mut().map(|s| (s, "step")));
            self.hold_bounds(l, named, chain, (&mut forward, &mut kept, &mut backward));
        }
        forward.push(self.rebuild_loop(l, inner));
        forward.extend(kept);
        if !chain.is_empty() {
            let var = Variable::scalar(Ty::INTEGER, "integer");
            let (save, restore) = self.save_as(&trips, "trips_save", var, chain, &l.stmt);
            forward.extend(save);
            backward.splice(0..0, restore);
        }
        let reversed = match &control {
            LoopControl::Count { var, lo, step, .. } => {
                let st = step.clone().unwrap_or_else(|| Expr::int(1));
                let last = lo.clone().add(trips.clone().sub(Expr::int(1)).mul(st));
                reverse_count(*var, lo.clone(), last, step.clone())
            }
            _ => {
                let k = self.b.local("trip", Ty::INTEGER, Vec::new());
                LoopControl::Count { var: k, lo: trips, hi: Expr::int(1), step: Some(Expr::int(1).neg()) }
            }
        };
        backward.push(self.b.derive(StmtKind::repeat(reversed, back), &l.stmt, Role::Adjoint));
        (forward, backward)
    }
}

/// The header that runs through the same values the other way round.
pub(in crate::reverse) fn reverse_count(var: SymId, lo: Expr, hi: Expr, step: Option<Expr>) -> LoopControl {
    let Some(st) = step else {
        return LoopControl::Count { var, lo: hi, hi: lo, step: Some(Expr::int(1).neg()) };
    };
    let last = match step_sign(Some(&st)) {
        Some(_) if matches!(st.as_int(), Some(1 | -1)) => hi,
        _ => match (lo.as_int(), hi.as_int(), st.as_int()) {
            (Some(a), Some(b), Some(s)) if s != 0 => Expr::int(a + (((b - a + s) / s).max(0) - 1) * s),
            _ => {
                // The last value that the loop reaches; a loop without iterations stays one.
                // Truncation toward zero would give one iteration to an empty range shorter than the step.
                let trips = Expr::binary(BinaryOp::Div, hi.sub(lo.clone()).add(st.clone()), st.clone());
                let none = Expr::zero(trips.ty);
                let last = Expr::intrinsic(Intrinsic::Max, vec![trips, none]).sub(Expr::int(1));
                lo.clone().add(last.mul(st.clone()))
            }
        },
    };
    let back = match st.as_int() {
        Some(s) => Expr::int(-s),
        None => st.neg(),
    };
    let back = match back.as_int() {
        Some(v) if v < 0 => Expr::int(-v).neg(),
        _ => back,
    };
    LoopControl::Count { var, lo: last, hi: lo, step: (back.as_int() != Some(1)).then_some(back) }
}
