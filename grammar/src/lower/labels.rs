//! Jumps to labels become structure: a jump forward leaves a construct that ends before the label, a jump back begins a
//! loop anew. What jumps into a construct stays a `goto`.

use super::{Ctx, Lowerer, What};
use crate::cst::{Kind, Node};
use crate::ir::{
    Base, Block, Callee, CaseRange, Expr, ExprKind, IfArm, LoopControl, Name, Origin, ProcId, ProcKind, ScopeId,
    ScopeKind, SelectArm, Stmt, StmtKind, SymId, Ty, Variable, for_each_expr, for_each_stmt,
};
use crate::operators::BinaryOp;
use crate::source::Span;

/// What a jump to a label becomes.
#[derive(Clone)]
enum Way {
    Leave(Name),
    Again(Name),
    Return,
}

impl<'t> Lowerer<'t> {
    /// Structures the jumps of a procedure's body.
    pub(super) fn structure(&mut self, ctx: Ctx<'t>, p: ProcId) {
        if self.jumps.is_empty() || names_labels(&self.program[p].body) {
            return;
        }
        let mut body = self.program[p].body.clone();
        if self.program[p].kind != ProcKind::Program {
            returns(&mut body);
            let end = ctx.lines.lines.get(self.units[ctx.unit].tree.end).and_then(|l| l.label);
            if let Some(label) = end {
                body.iter_mut().for_each(|s| redirect(s, label, &Way::Return));
            }
        }
        self.block_of_labels(ctx, &mut body);
        let mut left = false;
        for_each_stmt(&body, &mut |s| left |= matches!(s.kind, StmtKind::Goto(_)));
        if !left {
            drop_labels(&mut body);
            self.program[p].body = body;
        }
    }

    fn block_of_labels(&mut self, ctx: Ctx<'t>, block: &mut Block) {
        for s in block.iter_mut() {
            s.blocks_mut().into_iter().for_each(|b| self.block_of_labels(ctx, b));
        }
        self.backward(ctx, block);
        self.forward(ctx, block);
    }

    /// From the last label on: the loop of an earlier one may hold that of a later one, whole.
    fn backward(&mut self, ctx: Ctx<'t>, block: &mut Block) {
        let mut at = block.len();
        while at > 0 {
            at -= 1;
            let Some(label) = block[at].label else { continue };
            if rotate(block, at, label) {
                at += 1;
                continue;
            }
            let Some(last) = (at..block.len()).rev().find(|&i| jumps_to(&block[i], label)) else { continue };
            let name = self.unused(ctx, &format!("repeat_{label}"));
            let rest = block.split_off(last + 1);
            let mut body = block.split_off(at);
            let comments = std::mem::take(&mut body[0].leading);
            let span = body[0].origin.span();
            body[0].label = None;
            if matches!(body[0].kind, StmtKind::Continue) && body[0].trailing.is_none() {
                body.remove(0);
            }
            self.end_of_loop(&mut body, label, &name);
            self.forward(ctx, &mut body);
            body.iter_mut().for_each(|s| redirect(s, label, &Way::Again(name.clone())));
            let kind = StmtKind::Do { name: Some(name), control: LoopControl::Forever, body, parallel: None };
            let mut stmt = self.made(kind, Origin::Source(span));
            (stmt.label, stmt.leading) = (Some(label), comments);
            block.push(stmt);
            block.extend(rest);
        }
    }

    /// `if (c) goto label` at a loop's end is `if (.not. c) exit`; what ends otherwise leaves the loop.
    fn end_of_loop(&mut self, body: &mut Block, label: u32, name: &Name) {
        let origin = body.last().map_or(Origin::Source(Span::default()), |s| s.origin);
        if let Some(last) = body.last_mut() {
            if let Some(cond) = only_jumps(last, label) {
                let exit = self.made(StmtKind::Exit(Some(name.clone())), origin);
                let arms = vec![IfArm { cond: cond.negated(), body: vec![exit] }];
                last.kind = StmtKind::If { name: None, arms, otherwise: None, one_line: true };
                return;
            }
            if matches!(last.kind, StmtKind::Goto(l) if l == label) {
                last.kind = StmtKind::Continue;
                return;
            }
        }
        let exit = self.made(StmtKind::Exit(Some(name.clone())), origin);
        body.push(exit);
    }

    /// From the first label on: what a jump to a later one leaves may hold what a jump to an earlier one leaves.
    fn forward(&mut self, ctx: Ctx<'t>, block: &mut Block) {
        let mut at = 0;
        while at < block.len() {
            if let Some(label) = block[at].label
                && let Some(first) = (0..at).find(|&i| jumps_to(&block[i], label))
            {
                let rest = block.split_off(at);
                let mut part = block.split_off(first);
                if !self.leaves_loop(ctx, &mut part, label) {
                    part = self.skipping(ctx, part, label);
                }
                block.append(&mut part);
                at = block.len();
                block.extend(rest);
            }
            at += 1;
        }
    }

    /// Jumps out of a loop to what follows it.
    fn leaves_loop(&mut self, ctx: Ctx<'t>, part: &mut Block, label: u32) -> bool {
        let [stmt] = part.as_mut_slice() else { return false };
        let StmtKind::Do { name, control, parallel, .. } = &mut stmt.kind else { return false };
        if matches!(control, LoopControl::Concurrent { .. }) || parallel.is_some() {
            return false;
        }
        let name = name.get_or_insert_with(|| self.unused(ctx, &format!("before_{label}"))).clone();
        redirect(stmt, label, &Way::Leave(name));
        true
    }

    /// Statements whose jumps to a label lead to their end.
    fn skipping(&mut self, ctx: Ctx<'t>, mut part: Block, label: u32) -> Block {
        let Some(first) = part.iter().position(|s| jumps_to(s, label)) else { return part };
        if let Some(cond) = only_jumps(&part[first], label) {
            let rest = part.split_off(first + 1);
            let body = self.skipping(ctx, rest, label);
            if body.is_empty() {
                part[first].kind = StmtKind::Continue;
            } else {
                let arms = vec![IfArm { cond: cond.negated(), body }];
                part[first].kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
            }
            return part;
        }
        if part.len() == first + 1 && matches!(part[first].kind, StmtKind::Goto(l) if l == label) {
            part[first].kind = StmtKind::Continue;
            return part;
        }
        let mut body = part.split_off(first);
        let name = self.unused(ctx, &format!("before_{label}"));
        body.iter_mut().for_each(|s| redirect(s, label, &Way::Leave(name.clone())));
        let scope: ScopeId = self.program.add_scope(Some(ctx.scope), ScopeKind::Inner);
        let (origin, own) = (body[0].origin, body[0].label.take());
        let leading = std::mem::take(&mut body[0].leading);
        let mut stmt = self.made(StmtKind::BlockScope { name: Some(name), scope, body }, origin);
        (stmt.label, stmt.leading) = (own, leading);
        part.push(stmt);
        part
    }

    /// `if (e) 10, 20, 30`: by the sign of a number. A call would be executed twice.
    pub(super) fn arithmetic_if(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Option<StmtKind> {
        let value = n.child(Kind::ParenthesizedExpression).and_then(|p| p.named().next())?;
        let value = self.expr(ctx, value);
        let mut calls = false;
        for_each_expr(&value, &mut |e| {
            calls |= matches!(&e.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. });
        });
        let numbers = n.named().filter(|l| l.kind() == Kind::StatementLabelReference);
        let labels: Vec<u32> = numbers.map(|l| l.text().parse()).collect::<Result<_, _>>().ok()?;
        let ([minus, zero, plus], false) = (labels.as_slice(), calls) else { return None };
        let origin = Origin::Source(ctx.span(n));
        let cases: &[(BinaryOp, u32)] = match (minus == zero, zero == plus, minus == plus) {
            (true, true, _) => return Some(self.goto(*minus)),
            (true, _, _) => &[(BinaryOp::Le, *minus)],
            (_, true, _) => &[(BinaryOp::Lt, *minus)],
            (_, _, true) => &[(BinaryOp::Eq, *zero)],
            _ => &[(BinaryOp::Lt, *minus), (BinaryOp::Eq, *zero)],
        };
        let zero = Expr::zero(value.ty);
        let mut arms = Vec::new();
        for (op, label) in cases {
            let jump = self.goto(*label);
            let body = vec![self.made(jump, origin)];
            arms.push(IfArm { cond: Expr::binary(*op, value.clone(), zero.clone()), body });
        }
        let last = self.goto(*plus);
        let otherwise = Some(vec![self.made(last, origin)]);
        Some(StmtKind::If { name: None, arms, otherwise, one_line: false })
    }

    /// `goto (10, 20, 30), i`: a choice by number.
    pub(super) fn computed_goto(&mut self, ctx: Ctx<'t>, n: Node<'t>, labels: &[Node<'t>]) -> Option<StmtKind> {
        let selector = n.named().last().filter(|s| s.kind() != Kind::StatementLabelReference)?;
        let selector = self.expr(ctx, selector);
        if selector.ty.base != Base::Integer {
            return None;
        }
        let mut arms = Vec::new();
        for (value, label) in (1..).zip(labels) {
            let jump = self.goto(label.text().parse().ok()?);
            let body = vec![self.made(jump, Origin::Source(ctx.span(n)))];
            arms.push(SelectArm { ranges: vec![CaseRange::Value(Expr::int(value))], body });
        }
        Some(StmtKind::Select { name: None, selector, arms })
    }

    /// A variable for the status of an input or output statement.
    pub(super) fn status_variable(&mut self, ctx: Ctx<'t>, span: Span) -> SymId {
        if let Some(known) = self.status {
            return known;
        }
        let name = self.unused(ctx, "io_status");
        let scope = match ctx.owner {
            What::Procedure(p) => self.program[p].scope,
            What::Module(_) | What::BlockData => ctx.scope,
        };
        let sym = self.new_variable(ctx, scope, name, span, Variable::scalar(Ty::INTEGER, "integer"));
        self.status = Some(sym);
        sym
    }

    /// A name that the file doesn't mention and that means nothing where it is to stand.
    fn unused(&mut self, ctx: Ctx<'t>, wanted: &str) -> Name {
        let mut number = 0;
        loop {
            number += 1;
            let name = if number == 1 { wanted.to_string() } else { format!("{wanted}_{number}") };
            let written = || ctx.lines.lines.iter().any(|l| l.text.to_ascii_lowercase().contains(&name));
            let taken = self.program.lookup(ctx.scope, &name).is_some() || self.made_names.contains(&name) || written();
            if !taken {
                self.made_names.insert(name.clone());
                return Name::new(&name);
            }
        }
    }

    /// A statement that stands for the user's.
    pub(super) fn made(&mut self, kind: StmtKind, origin: Origin) -> Stmt {
        let id = self.program.fresh_stmt();
        Stmt::new(id, kind, origin)
    }
}

/// Jumps to where the procedure returns are returns.
fn returns(body: &mut Block) {
    for at in 0..body.len() {
        let Some(label) = body[at].label else { continue };
        let idle = |s: &Stmt| matches!(s.kind, StmtKind::Continue | StmtKind::Comment(_));
        let returns = body[at..].iter().find(|s| !idle(s)).is_none_or(|s| matches!(s.kind, StmtKind::Return));
        if returns {
            body[..at].iter_mut().for_each(|s| redirect(s, label, &Way::Return));
        }
    }
}

/// True where statements that aren't understood name labels, or are places that a call may begin at.
fn names_labels(body: &Block) -> bool {
    const KINDS: [&str; 5] = ["entry", "assign", "a computed goto", "a call with alternate returns", "arithmetic if"];
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        found |= matches!(&s.kind, StmtKind::Unsupported { what, .. } if KINDS.contains(&what.as_str()));
    });
    found
}

/// The condition of `if (c) goto label`.
fn only_jumps(s: &Stmt, label: u32) -> Option<Expr> {
    let StmtKind::If { name: None, arms, otherwise: None, .. } = &s.kind else { return None };
    let [arm] = arms.as_slice() else { return None };
    match arm.body.as_slice() {
        [Stmt { kind: StmtKind::Goto(l), label: None, .. }] if *l == label => Some(arm.cond.clone()),
        _ => None,
    }
}

/// The blocks that a statement's jumps may leave.
fn open(kind: &StmtKind) -> bool {
    match kind {
        StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Associate { .. } | StmtKind::BlockScope { .. } => {
            true
        }
        StmtKind::Do { control, parallel, .. } => {
            !matches!(control, LoopControl::Concurrent { .. }) && parallel.is_none()
        }
        _ => false,
    }
}

fn jumps_to(s: &Stmt, label: u32) -> bool {
    matches!(s.kind, StmtKind::Goto(l) if l == label)
        || open(&s.kind) && s.blocks().into_iter().any(|b| b.iter().any(|s| jumps_to(s, label)))
}

fn redirect(s: &mut Stmt, label: u32, way: &Way) {
    if matches!(s.kind, StmtKind::Goto(l) if l == label) {
        s.kind = match way {
            Way::Leave(name) => StmtKind::Exit(Some(name.clone())),
            Way::Again(name) => StmtKind::Cycle(Some(name.clone())),
            Way::Return => StmtKind::Return,
        };
    } else if open(&s.kind) {
        s.blocks_mut().into_iter().flatten().for_each(|s| redirect(s, label, way));
    }
}

/// `goto 20; 10 a; 20 if (c) goto 10` is a loop whose test comes first: `20 if (.not. c) goto 30; a; goto 20; 30 continue`.
fn rotate(block: &mut Block, at: usize, label: u32) -> bool {
    let Some(StmtKind::Goto(test)) = at.checked_sub(1).map(|before| block[before].kind.clone()) else { return false };
    let Some(middle) = (at..block.len()).find(|&i| block[i].label == Some(test)) else { return false };
    let jumps: Vec<usize> = (0..block.len()).filter(|&i| jumps_to(&block[i], label)).collect();
    let [last] = jumps.as_slice() else { return false };
    if middle <= at || *last < middle || only_jumps(&block[*last], label).is_none() {
        return false;
    }
    let rest = block.split_off(last + 1);
    let tested = block.split_off(middle);
    let mut body = block.split_off(at);
    // The label now stands for the end of the loop.
    body[0].label = None;
    let before = std::mem::replace(&mut block[at - 1].kind, StmtKind::Continue);
    let again = Stmt { kind: before, label: None, leading: Vec::new(), trailing: None, ..block[at - 1].clone() };
    let end = Stmt { kind: StmtKind::Continue, label: Some(label), ..again.clone() };
    block.extend(tested);
    if let Some(StmtKind::If { arms, .. }) = block.last_mut().map(|s| &mut s.kind) {
        arms[0].cond = arms[0].cond.clone().negated();
    }
    block.append(&mut body);
    block.extend([again, end]);
    block.extend(rest);
    true
}

/// Labels and the `continue` statements that only held one go.
fn drop_labels(block: &mut Block) {
    for s in block.iter_mut() {
        s.label = None;
        s.blocks_mut().into_iter().for_each(drop_labels);
    }
    let empty = |s: &Stmt| matches!(s.kind, StmtKind::Continue) && s.trailing.is_none() && s.leading.is_empty();
    block.retain(|s| !empty(s));
}
