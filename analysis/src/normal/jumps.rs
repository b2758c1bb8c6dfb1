//! Jumps become structure: afterwards the only jump is one `if (flag) exit` at the end of a loop's body.
//!
//! Every jump comes down to "set flags, then skip to the end of the innermost loop's body" (or of the procedure). What
//! stands between the jump and that end moves into the other branch, where there is only one, or is guarded by a flag.
//! While a statement is executed all flags are false. A branch that is left by its name is a loop of one round: to leave it
//! is to cycle.

use std::collections::BTreeSet;

use costate_grammar::diag::Code;
use costate_grammar::ir::{
    Base, Block, Expr, ExprKind, IfArm, LoopControl, Name, Parallel, SelectArm, Stmt, StmtKind, SymId, Ty,
};
use costate_grammar::operators::BinaryOp;

use super::context::Cx;

/// Where a jump leads; loops (and branches that are left by name) are counted from the outermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Return,
    Exit(usize),
    Cycle(usize),
}

/// A loop, or a branch that is left by its name.
#[derive(Clone, Default)]
struct Frame {
    name: Option<Name>,
    /// It is a branch: only jumps that name it mean it.
    branch: bool,
}

/// What stands at the head of a loop: its name, what drives it, what its directives ask for.
type Header = (Option<Name>, LoopControl, Option<Box<Parallel>>);

/// A frame that is being worked on.
#[derive(Default)]
struct Loop {
    frame: Frame,
    /// Set when the loop is left.
    leave: Option<SymId>,
    /// Set by `exit` of this loop from an inner one.
    exit: Option<SymId>,
    /// Set by `cycle` of this loop from an inner one.
    cycle: Option<SymId>,
}

struct Jumps<'a, 'p> {
    cx: &'a mut Cx<'p>,
    loops: Vec<Loop>,
    /// Flags that guard what follows within the innermost body.
    skips: Vec<SymId>,
    /// Set by `return` within a loop.
    returned: Option<SymId>,
}

/// Structures the jumps of a procedure's body.
pub(super) fn run(cx: &mut Cx, body: Block) -> Block {
    if let Some(at) = unstructured(&body) {
        cx.at(&at);
        cx.refuse(
            Code::UnsupportedControl,
            "a jump to a label can't be followed",
            "it leads into a loop or a construct that it doesn't stand in, or stands where nothing can be left by name",
            "write it with if, do, cycle, exit or return",
        );
        return body;
    }
    let mut jumps = Jumps { cx, loops: Vec::new(), skips: Vec::new(), returned: None };
    let mut out = jumps.list(body);
    if let Some(flag) = jumps.returned {
        let at = out.iter().position(|s| mentions(s, flag)).unwrap_or(0);
        jumps.cx.at(&out[at].clone());
        let init = jumps.set(flag, false);
        out.insert(at, init);
    }
    out
}

/// The first `goto`.
fn unstructured(block: &Block) -> Option<Stmt> {
    let mut found = None;
    costate_grammar::ir::for_each_stmt(block, &mut |s| {
        if matches!(s.kind, StmtKind::Goto(_)) && found.is_none() {
            found = Some(s.clone());
        }
    });
    found
}

/// True when a statement sets or reads a flag.
fn mentions(stmt: &Stmt, flag: SymId) -> bool {
    let mut found = false;
    costate_grammar::ir::for_each_stmt(std::slice::from_ref(stmt), &mut |s| {
        for e in s.exprs() {
            costate_grammar::ir::for_each_expr(e, &mut |e| found |= e.as_var().is_some_and(|d| d.sym == flag));
        }
    });
    found
}

/// `.not. c`, written as the opposite comparison where that is exact.
pub(super) fn negate(c: Expr) -> Expr {
    let c = match c.kind {
        ExprKind::Paren(inner) => *inner,
        kind => Expr { kind, ..c },
    };
    if let ExprKind::Binary(op, a, b) = &c.kind {
        let whole = a.ty.base == Base::Integer && b.ty.base == Base::Integer;
        let turned = match op {
            BinaryOp::Eq => Some(BinaryOp::Ne),
            BinaryOp::Ne => Some(BinaryOp::Eq),
            BinaryOp::Lt if whole => Some(BinaryOp::Ge),
            BinaryOp::Le if whole => Some(BinaryOp::Gt),
            BinaryOp::Gt if whole => Some(BinaryOp::Le),
            BinaryOp::Ge if whole => Some(BinaryOp::Lt),
            _ => None,
        };
        if let Some(op) = turned {
            return Expr { kind: ExprKind::Binary(op, a.clone(), b.clone()), ..c };
        }
    }
    c.negated()
}

/// True when nothing after the statements of a block is reached from within it.
fn always_leaves(block: &Block) -> bool {
    block.iter().any(|s| match &s.kind {
        StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return | StmtKind::Stop { .. } => true,
        StmtKind::If { arms, otherwise: Some(other), .. } => {
            left_by(s).is_none() && arms.iter().all(|a| always_leaves(&a.body)) && always_leaves(other)
        }
        StmtKind::Select { arms, .. } if left_by(s).is_none() => {
            arms.iter().any(|a| a.ranges.is_empty()) && arms.iter().all(|a| always_leaves(&a.body))
        }
        _ => false,
    })
}

/// True when a construct of this name is left from within its block by `exit`.
pub(super) fn left_by_name(name: Option<&Name>, block: &[Stmt]) -> bool {
    let mut found = false;
    costate_grammar::ir::for_each_stmt(block, &mut |s| {
        found |= matches!(&s.kind, StmtKind::Exit(Some(n)) if Some(n) == name);
    });
    found
}

/// The name by which a branch is left.
fn left_by(stmt: &Stmt) -> Option<&Name> {
    let (StmtKind::If { name, .. } | StmtKind::Select { name, .. }) = &stmt.kind else { return None };
    name.as_ref().filter(|n| stmt.blocks().into_iter().any(|b| left_by_name(Some(n), b)))
}

/// True when nothing in a block does anything.
fn idle(block: &[Stmt]) -> bool {
    block.iter().all(|s| matches!(s.kind, StmtKind::Continue | StmtKind::Comment(_)))
}

/// `if (flag) exit` at the end of a body, the form that this pass makes.
fn normal_exit(stmt: &Stmt) -> bool {
    let StmtKind::If { arms, otherwise: None, .. } = &stmt.kind else {
        return false;
    };
    let [arm] = arms.as_slice() else { return false };
    let plain = arm.cond.as_var().is_some_and(|d| d.parts.is_empty());
    plain && matches!(arm.body.as_slice(), [Stmt { kind: StmtKind::Exit(None), .. }])
}

impl Jumps<'_, '_> {
    /// The frame a jump means: the innermost loop or the one it names.
    fn find(&self, name: Option<&Name>, inner: &[Frame]) -> Option<usize> {
        let frames: Vec<&Frame> = self.loops.iter().map(|l| &l.frame).chain(inner).collect();
        frames.iter().rposition(|f| match name {
            None => !f.branch,
            Some(_) => f.name.as_ref() == name,
        })
    }

    /// Where `exit` leads.
    fn exit(&self, name: Option<&Name>, inner: &[Frame]) -> Option<Target> {
        let found = self.find(name, inner)?;
        let frame = self.loops.get(found).map_or_else(|| &inner[found - self.loops.len()], |l| &l.frame);
        Some(if frame.branch { Target::Cycle(found) } else { Target::Exit(found) })
    }

    /// Adds the jumps of a block that lead out of it; `inner` are the frames between `self.loops` and the block.
    fn scan(&self, block: &[Stmt], inner: &mut Vec<Frame>, out: &mut BTreeSet<Target>) {
        for s in block {
            let frame = match &s.kind {
                StmtKind::Do { name, .. } => Some(Frame { name: name.clone(), branch: false }),
                _ => left_by(s).map(|name| Frame { name: Some(name.clone()), branch: true }),
            };
            match (&s.kind, frame) {
                (StmtKind::Return, _) => drop(out.insert(Target::Return)),
                (StmtKind::Exit(n), _) => out.extend(self.exit(n.as_ref(), inner)),
                (StmtKind::Cycle(n), _) => out.extend(self.find(n.as_ref(), inner).map(Target::Cycle)),
                (_, Some(frame)) => {
                    inner.push(frame);
                    let depth = self.loops.len() + inner.len() - 1;
                    let mut within = BTreeSet::new();
                    s.blocks().into_iter().for_each(|b| self.scan(b, inner, &mut within));
                    inner.pop();
                    out.extend(within.into_iter().filter(|t| *t != Target::Exit(depth) && *t != Target::Cycle(depth)));
                }
                (_, None) => s.blocks().into_iter().for_each(|b| self.scan(b, inner, out)),
            }
        }
    }

    fn jumps_of(&self, block: &[Stmt]) -> BTreeSet<Target> {
        let mut out = BTreeSet::new();
        self.scan(block, &mut Vec::new(), &mut out);
        out
    }

    fn set(&mut self, flag: SymId, value: bool) -> Stmt {
        let lhs = Expr::var(flag, Ty::LOGICAL, 0);
        self.cx.assign(lhs, Expr::logical(value))
    }

    /// The flag of a jump that crosses a loop.
    fn flag(&mut self, target: Target) -> SymId {
        let slot = match target {
            Target::Return => self.returned,
            Target::Exit(l) => self.loops[l].exit,
            Target::Cycle(l) => self.loops[l].cycle,
        };
        if let Some(flag) = slot {
            return flag;
        }
        let next = matches!(target, Target::Cycle(l) if !self.loops[l].frame.branch);
        let flag = self.cx.flag(if next { "next" } else { "leave" });
        match target {
            Target::Return => self.returned = Some(flag),
            Target::Exit(l) => self.loops[l].exit = Some(flag),
            Target::Cycle(l) => self.loops[l].cycle = Some(flag),
        }
        flag
    }

    /// The flags a jump sets where it stands.
    fn flags_of(&mut self, target: Target) -> Vec<SymId> {
        let depth = self.loops.len();
        let (first_left, mut flags) = match target {
            Target::Return if depth == 0 => (0, Vec::new()),
            Target::Return => (0, vec![self.flag(target)]),
            Target::Exit(l) => (l, vec![self.flag(target)]),
            Target::Cycle(l) if l + 1 == depth => (depth, Vec::new()),
            Target::Cycle(l) => (l + 1, vec![self.flag(target)]),
        };
        flags.extend(self.loops[first_left..].iter().filter_map(|l| l.leave));
        flags.extend(&self.skips);
        let mut seen = BTreeSet::new();
        flags.retain(|f| seen.insert(*f));
        flags
    }

    /// The flag that every one of some jumps sets, if there is one.
    fn common_flag(&mut self, jumps: &BTreeSet<Target>, crossing: bool) -> Option<SymId> {
        let own = self.loops.len().checked_sub(1).map(Target::Cycle);
        if jumps.iter().any(|j| Some(*j) == own) {
            return (crossing && jumps.len() == 1).then(|| self.flag(own.unwrap_or(Target::Return)));
        }
        match self.loops.last() {
            Some(l) => l.leave,
            None if crossing => Some(self.flag(Target::Return)),
            None => None,
        }
    }

    /// The statements of a block; its end is the end of the innermost body, or what follows is guarded by `self.skips`.
    fn list(&mut self, stmts: Block) -> Block {
        let mut out = Vec::with_capacity(stmts.len());
        let mut rest = stmts.into_iter();
        while let Some(stmt) = rest.next() {
            self.cx.at(&stmt);
            let jumps = self.jumps_of(std::slice::from_ref(&stmt));
            if jumps.is_empty() {
                let inner = self.inside(stmt);
                out.extend(inner);
                continue;
            }
            match &stmt.kind {
                StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return => {
                    let target = jumps.first().copied().unwrap_or(Target::Return);
                    let flags = self.flags_of(target);
                    let mut sets: Block = flags.into_iter().map(|f| self.set(f, true)).collect();
                    if sets.is_empty() {
                        let comments = stmt.leading.iter().chain(&stmt.trailing);
                        let texts: Vec<String> =
                            comments.map(|c| c.trim_start_matches('!').trim().to_string()).collect();
                        sets = texts.into_iter().map(|t| self.cx.stmt(StmtKind::Comment(t))).collect();
                    } else {
                        self.cx.inherit(&stmt, &mut sets);
                    }
                    out.extend(sets);
                    return out;
                }
                StmtKind::If { .. } | StmtKind::Select { .. } if left_by(&stmt).is_none() => {
                    let rest: Block = rest.collect();
                    self.branch(stmt, &jumps, rest, &mut out);
                    return out;
                }
                StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. } if !stmt.is_region() => {
                    let rest: Block = rest.collect();
                    let inner = self.inside(stmt);
                    out.extend(inner);
                    let guarded = self.after_loop(&jumps, rest);
                    out.extend(guarded);
                    return out;
                }
                _ => {
                    self.cx.refuse(
                        Code::UnsupportedControl,
                        "a jump out of this construct can't be reversed",
                        "the adjoint retraces the way through the code, which a jump doesn't keep",
                        "write it with if, do, cycle, exit or return",
                    );
                    out.push(stmt);
                }
            }
        }
        out
    }

    /// What follows a loop that is left by jumps to further out.
    fn after_loop(&mut self, jumps: &BTreeSet<Target>, rest: Block) -> Block {
        let own = self.loops.len().checked_sub(1).map(Target::Cycle);
        let (cycles, leaves): (BTreeSet<Target>, BTreeSet<Target>) = jumps.iter().partition(|j| Some(**j) == own);
        let mut cond: Option<Expr> = None;
        for group in [leaves, cycles].iter().filter(|g| !g.is_empty()) {
            if let Some(flag) = self.common_flag(group, true) {
                let flag = Expr::var(flag, Ty::LOGICAL, 0);
                cond = Some(match cond {
                    None => flag,
                    Some(c) => Expr::binary(BinaryOp::Or, c, flag),
                });
            }
        }
        let Some(cond) = cond else {
            return self.list(rest);
        };
        let skips: Vec<SymId> = self.skips.clone();
        let sets: Block = skips.into_iter().map(|f| self.set(f, true)).collect();
        if idle(&rest) && sets.is_empty() {
            return rest;
        }
        let rest = self.list(rest);
        if sets.is_empty() {
            return vec![self.cx.if_else(negate(cond), rest, Vec::new())];
        }
        vec![self.cx.if_else(cond, sets, rest)]
    }

    /// A branch with jumps in it, and what follows it.
    fn branch(&mut self, mut stmt: Stmt, jumps: &BTreeSet<Target>, rest: Block, out: &mut Block) {
        if !idle(&rest) && !self.push_rest(&mut stmt, &rest) {
            let crossing = self.only_crossing(std::slice::from_ref(&stmt));
            let common = self.common_flag(jumps, crossing);
            let flag = match common {
                Some(flag) => flag,
                None => {
                    let flag = self.cx.flag("skip");
                    let init = self.set(flag, false);
                    out.push(init);
                    self.skips.push(flag);
                    flag
                }
            };
            let done = self.arms(stmt);
            if common.is_none() {
                self.skips.pop();
            }
            out.push(done);
            let rest = self.list(rest);
            out.push(self.cx.if_else(negate(Expr::var(flag, Ty::LOGICAL, 0)), rest, Vec::new()));
            return;
        }
        let tail: Block = if idle(&rest) { rest } else { Vec::new() };
        let done = self.arms(stmt);
        out.push(done);
        out.extend(tail);
    }

    /// True when all jumps of a block start within a loop of the block.
    fn only_crossing(&self, block: &[Stmt]) -> bool {
        block.iter().all(|s| match &s.kind {
            StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return => false,
            StmtKind::Do { .. } => true,
            _ if left_by(s).is_some() => true,
            _ => s.blocks().into_iter().all(|b| self.only_crossing(b)),
        })
    }

    /// Moves what follows a branch into its only arm that is left at its end; false when there are several.
    fn push_rest(&mut self, stmt: &mut Stmt, rest: &Block) -> bool {
        match &mut stmt.kind {
            // Conditional lines have no `else`.
            kind if kind.conditional_body().is_some() => return false,
            StmtKind::If { arms, otherwise, one_line, .. } => {
                let falls: Vec<usize> = (0..arms.len()).filter(|&i| !always_leaves(&arms[i].body)).collect();
                let other = otherwise.as_ref().is_none_or(|b| !always_leaves(b));
                match (falls.as_slice(), other) {
                    ([], true) => otherwise.get_or_insert_default().extend(rest.iter().cloned()),
                    ([one], false) => arms[*one].body.extend(rest.iter().cloned()),
                    ([], false) => {}
                    _ => return false,
                }
                *one_line = false;
            }
            StmtKind::Select { arms, .. } => {
                let falls: Vec<usize> = (0..arms.len()).filter(|&i| !always_leaves(&arms[i].body)).collect();
                let default = arms.iter().any(|a| a.ranges.is_empty());
                match (falls.as_slice(), default) {
                    ([], false) => arms.push(SelectArm { ranges: Vec::new(), body: rest.clone() }),
                    ([one], true) => arms[*one].body.extend(rest.iter().cloned()),
                    ([], true) => {}
                    _ => return false,
                }
            }
            _ => return false,
        }
        true
    }

    /// A branch whose end is the end of the innermost body (or guarded).
    fn arms(&mut self, mut stmt: Stmt) -> Stmt {
        self.cx.at(&stmt);
        for block in stmt.blocks_mut() {
            let inner = std::mem::take(block);
            *block = self.list(inner);
        }
        self.cx.at(&stmt);
        let mut kind = stmt.kind.clone();
        if let StmtKind::If { arms, otherwise, one_line, .. } = &mut kind {
            if otherwise.as_ref().is_some_and(|b| b.is_empty()) {
                *otherwise = None;
            }
            *one_line = false;
            if let ([arm], other) = (arms.as_mut_slice(), otherwise) {
                if let (None, [Stmt { kind: StmtKind::Assign { lhs, rhs }, .. }]) = (&other, arm.body.as_slice())
                    && !arm.cond.is_with_openmp()
                    && *rhs == Expr::logical(true)
                    && lhs.as_var().is_some_and(|d| self.is_flag(d.sym))
                {
                    // The flag is false when this is reached.
                    let kind = StmtKind::Assign { lhs: lhs.clone(), rhs: arm.cond.unparen().clone() };
                    return self.cx.changed(stmt, kind);
                }
                if arm.body.is_empty()
                    && let Some(rest) = other.take()
                {
                    *arm = IfArm { cond: negate(arm.cond.clone()), body: rest };
                }
            }
        }
        self.cx.changed(stmt, kind)
    }

    fn is_flag(&self, sym: SymId) -> bool {
        self.returned == Some(sym)
            || self.skips.contains(&sym)
            || self.loops.iter().any(|l| [l.leave, l.exit, l.cycle].contains(&Some(sym)))
    }

    /// A statement without jumps out of it; within it there may be loops with jumps of their own.
    fn inside(&mut self, mut stmt: Stmt) -> Block {
        if stmt.is_region() {
            return vec![stmt];
        }
        match stmt.kind {
            StmtKind::Do { name, control, body, parallel } => {
                stmt.kind = StmtKind::Continue;
                self.loop_(stmt, (name, control, parallel), body)
            }
            StmtKind::Unsupported { .. } => vec![stmt],
            StmtKind::If { .. } | StmtKind::Select { .. } if left_by(&stmt).is_some() => self.left_branch(stmt),
            _ => {
                for block in stmt.blocks_mut() {
                    let inner = std::mem::take(block);
                    *block = self.list(inner);
                }
                vec![stmt]
            }
        }
    }

    /// Makes the flag that says that a frame is left by jumps that lead out of it.
    fn flag_leaving(&mut self, own: usize, jumps: &BTreeSet<Target>) {
        let Some(first) = jumps.first().copied() else { return };
        let target = if jumps.len() == 1 { first } else { Target::Exit(own) };
        self.loops[own].leave = Some(self.flag(target));
    }

    /// A branch that is left by its name.
    fn left_branch(&mut self, stmt: Stmt) -> Block {
        let frame = Frame { name: left_by(&stmt).cloned(), branch: true };
        self.loops.push(Loop { frame, ..Loop::default() });
        let own = self.loops.len() - 1;
        let mut jumps = BTreeSet::new();
        stmt.blocks().into_iter().for_each(|b| jumps.append(&mut self.jumps_of(b)));
        jumps.remove(&Target::Cycle(own));
        self.flag_leaving(own, &jumps);
        let skips = std::mem::take(&mut self.skips);
        let done = self.arms(stmt);
        self.skips = skips;
        let this = self.loops.pop().unwrap_or_default();
        let mut out: Block = this.cycle.into_iter().chain(this.exit).map(|flag| self.set(flag, false)).collect();
        match done.kind {
            // A construct without a condition.
            StmtKind::If { mut arms, otherwise: None, .. } if arms[0].cond == Expr::logical(true) => {
                out.append(&mut arms[0].body);
            }
            _ => out.push(done),
        }
        out
    }

    fn loop_(&mut self, stmt: Stmt, (name, control, parallel): Header, mut body: Block) -> Block {
        let frame = Frame { name: name.clone(), branch: false };
        self.loops.push(Loop { frame, ..Loop::default() });
        let own = self.loops.len() - 1;
        let ends_well = body.last().is_some_and(normal_exit);
        if ends_well && self.jumps_of(&body[..body.len() - 1]).is_empty() && !matches!(control, LoopControl::While(_)) {
            let last = body.pop();
            let skips = std::mem::take(&mut self.skips);
            body = self.list(body);
            self.skips = skips;
            body.extend(last);
            self.loops.pop();
            return vec![Stmt { kind: StmtKind::Do { name, control, body, parallel }, ..stmt }];
        }
        let mut jumps = self.jumps_of(&body);
        let cycles = jumps.remove(&Target::Cycle(own));
        let control = match control {
            LoopControl::While(cond) if !jumps.is_empty() => {
                let exit = self.cx.stmt(StmtKind::Exit(None));
                let first = self.cx.if_one(negate(cond), exit);
                body.insert(0, first);
                jumps.insert(Target::Exit(own));
                LoopControl::Forever
            }
            other => other,
        };
        self.flag_leaving(own, &jumps);
        let skips = std::mem::take(&mut self.skips);
        let mut body = self.list(body);
        self.skips = skips;
        self.cx.at(&stmt);
        let this = self.loops.pop().unwrap_or_default();
        if let Some(flag) = this.cycle {
            let init = self.set(flag, false);
            body.insert(0, init);
        }
        if let Some(flag) = this.leave {
            let exit = self.cx.stmt(StmtKind::Exit(None));
            body.push(self.cx.if_one(Expr::var(flag, Ty::LOGICAL, 0), exit));
        }
        let kind = StmtKind::Do { name, control, body, parallel };
        let changed = cycles || this.leave.is_some();
        // It stays a loop of the user's.
        let origin = stmt.origin;
        let done = if changed { Stmt { origin, ..self.cx.changed(stmt, kind) } } else { Stmt { kind, ..stmt } };
        match this.exit {
            Some(flag) => {
                let mut out = vec![self.set(flag, false), done];
                let leading = std::mem::take(&mut out[1].leading);
                out[0].leading = leading;
                out
            }
            None => vec![done],
        }
    }
}
