//! `where` becomes loops with `if`: one loop where every statement stays within its element, else masks kept in arrays.

use costate_grammar::ir::{Block, Designator, Expr, ExprKind, IfArm, Stmt, StmtKind, Ty};

use super::array_assignment::{assign, attempt, fill, with_open_objects};
use super::callee;
use super::calls;
use super::context::Cx;
use super::element::element_at;
use super::overlap::{in_place, may_alias_designators, reads_of};
use super::reduce::prepare;
use super::temporary::{Around, room};

/// Opens a `where`; `None` leaves it as it is.
pub(super) fn open(cx: &mut Cx, stmt: &Stmt) -> Option<Block> {
    let StmtKind::Where { arms, otherwise, .. } = &stmt.kind else {
        return None;
    };
    if let Some(out) = attempt(cx, |cx| fused(cx, arms, otherwise.as_ref())) {
        return Some(out);
    }
    attempt(cx, |cx| by_masks(cx, arms, otherwise.as_ref(), None))
}

/// Left sides of the assignments in a block; `None` if it holds anything else.
fn targets<'a>(block: &'a Block, out: &mut Vec<&'a Designator>) -> Option<()> {
    for s in block {
        match &s.kind {
            StmtKind::Assign { lhs, .. } => out.push(lhs.as_var()?),
            StmtKind::Comment(_) | StmtKind::Continue => {}
            _ => return None,
        }
    }
    Some(())
}

/// One loop nest; every statement may only touch its own element of what the construct changes.
fn fused(cx: &mut Cx, arms: &[IfArm], otherwise: Option<&Block>) -> Option<Block> {
    let mut changed = Vec::new();
    arms.iter().map(|a| &a.body).chain(otherwise).try_for_each(|b| targets(b, &mut changed))?;
    let changed: Vec<Designator> = changed.into_iter().cloned().collect();
    let mut around = Around::default();
    let lead = Expr { kind: ExprKind::Var(changed.first()?.clone()), ..arms.first()?.cond.clone() };
    let axes = cx.axes_of(&lead)?;
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let mut new_arms = Vec::new();
    let mut pre = Vec::new();
    let mut all = Vec::new();
    for arm in arms {
        let mask = plain(cx, &arm.cond, &changed, &mut around)?;
        let cond = cx.element(&mask, &offs, &mut pre)?;
        let body = arm_body(cx, &arm.body, &changed, &offs, &mut around)?;
        all.extend(body.iter().cloned());
        new_arms.push(IfArm { cond, body });
    }
    let otherwise = match otherwise {
        Some(b) => Some(arm_body(cx, b, &changed, &offs, &mut around)?),
        None => None,
    };
    all.extend(otherwise.iter().flatten().cloned());
    all.extend(pre.iter().cloned());
    let conds: Vec<&Expr> = new_arms.iter().map(|a| &a.cond).collect();
    let reads = reads_of(&conds, &all);
    let mut elements = Vec::new();
    for s in &all {
        if let StmtKind::Assign { lhs, .. } = &s.kind {
            elements.push(lhs);
        }
        if let StmtKind::Assign { lhs, .. } = &s.kind
            && let Some(d) = lhs.as_var()
            && changed.iter().any(|c| c.sym == d.sym)
            && !reads.iter().all(|r| in_place(cx, d, r, &axes))
        {
            return None;
        }
    }
    pre.push(cx.stmt(StmtKind::If { name: None, arms: new_arms, otherwise, one_line: false }));
    let pre = with_open_objects(cx, &elements, pre);
    let nest = cx.nest(&axes, pre);
    cx.release_axes(&axes);
    let mut out = around.before;
    out.extend(nest);
    out.extend(around.after);
    Some(out)
}

/// An expression that needs nothing evaluated before the construct that the construct may change.
fn plain(cx: &mut Cx, e: &Expr, changed: &[Designator], around: &mut Around) -> Option<Expr> {
    let only_elemental = {
        let mut ok = true;
        costate_grammar::ir::for_each_expr(e, &mut |e| {
            if let ExprKind::Call { callee, .. } = &e.kind
                && callee::is_user_call(e)
            {
                ok &= e.rank > 0 && callee::elemental(cx.program, callee);
            }
        });
        ok
    };
    if !only_elemental {
        return None;
    }
    let mut own = Around::default();
    let done = prepare(cx, e, None, &mut own)?;
    let reads = reads_of(&[], &own.before);
    if reads.iter().any(|r| changed.iter().any(|c| may_alias_designators(cx.program, c, r))) {
        return None;
    }
    around.before.extend(own.before);
    around.after.extend(own.after);
    Some(done)
}

fn arm_body(cx: &mut Cx, body: &Block, changed: &[Designator], offs: &[Expr], around: &mut Around) -> Option<Block> {
    let mut out = Vec::new();
    for s in body {
        cx.at(s);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let lhs = plain(cx, lhs, changed, around)?;
                let rhs = plain(cx, rhs, changed, around)?;
                let mut pre = Vec::new();
                let element = cx.element(&lhs, offs, &mut pre)?;
                pre.extend(fill(cx, &element, &rhs, offs)?);
                cx.inherit(s, &mut pre);
                out.extend(pre);
            }
            _ => out.push(s.clone()),
        }
    }
    Some(out)
}

/// Masks are evaluated into arrays; every assignment becomes a loop of its own.
fn by_masks(cx: &mut Cx, arms: &[IfArm], otherwise: Option<&Block>, outer: Option<&Expr>) -> Option<Block> {
    let mut around = Around::default();
    let mut out = Vec::new();
    // What no earlier mask took, `None` for everything.
    let mut pending: Option<Expr> = outer.cloned();
    let count = arms.len() + usize::from(otherwise.is_some());
    for (i, arm) in arms.iter().enumerate() {
        let mut own = Around::default();
        let cond = calls::value(cx, &arm.cond, true, &mut own);
        let cond = prepare(cx, &cond, None, &mut own)?;
        let control = keep(cx, &cond, pending.as_ref(), &mut own, &mut around)?;
        out.append(&mut own.before);
        out.append(&mut own.after);
        out.extend(masked(cx, &arm.body, &control)?);
        if i + 1 < count {
            let rest = Expr { rank: control.rank, ..control.clone().negated() };
            let mut own = Around::default();
            pending = Some(keep(cx, &rest, pending.as_ref(), &mut own, &mut around)?);
            out.append(&mut own.before);
        }
    }
    if let (Some(body), Some(control)) = (otherwise, pending) {
        out.extend(masked(cx, body, &control)?);
    }
    let mut all = around.before;
    all.extend(out);
    all.extend(around.after);
    Some(all)
}

/// A mask array: `pending .and. cond`, the condition evaluated only where it is pending.
fn keep(cx: &mut Cx, cond: &Expr, pending: Option<&Expr>, own: &mut Around, around: &mut Around) -> Option<Expr> {
    let lead = pending.unwrap_or(cond).clone();
    let axes = cx.axes_of(&lead)?;
    let bounds = axes.iter().map(|a| (a.lo.clone(), a.hi.clone())).collect();
    let mut storage = Around::default();
    let whole = room(cx, "mask", Ty::LOGICAL, &Expr::logical(true), bounds, &mut storage);
    own.before.append(&mut storage.before);
    around.after.splice(0..0, storage.after);
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let slot = element_at(cx, &whole, &axes);
    let mut body = Vec::new();
    let value = cx.element(cond, &offs, &mut body)?;
    body.push(cx.assign(slot.clone(), value));
    if let Some(p) = pending {
        let mut pre = Vec::new();
        let test = cx.element(p, &offs, &mut pre)?;
        let none = cx.assign(slot, Expr::logical(false));
        pre.push(cx.if_else(test, body, vec![none]));
        body = pre;
    }
    let nest = cx.nest(&axes, body);
    own.before.extend(nest);
    cx.release_axes(&axes);
    Some(whole)
}

fn masked(cx: &mut Cx, body: &Block, mask: &Expr) -> Option<Block> {
    let mut out = Vec::new();
    for s in body {
        cx.at(s);
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let mut own = Around::default();
                let lhs = calls::value(cx, lhs, true, &mut own);
                let rhs = calls::value(cx, rhs, true, &mut own);
                let done = assign(cx, &lhs, &rhs, Some(mask))?;
                let mut all = own.before;
                all.extend(done);
                all.extend(own.after);
                cx.inherit(s, &mut all);
                out.extend(all);
            }
            StmtKind::Where { arms, otherwise, .. } => {
                let mut inner = by_masks(cx, arms, otherwise.as_ref(), Some(mask))?;
                cx.inherit(s, &mut inner);
                out.extend(inner);
            }
            StmtKind::Comment(_) | StmtKind::Continue => out.push(s.clone()),
            _ => return None,
        }
    }
    Some(out)
}
