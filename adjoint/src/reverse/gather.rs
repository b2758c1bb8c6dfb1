//! The adjoint of a stencil increments neighbouring elements in one iteration, which no compiler vectorises. The
//! increments are distributed over loops of their own, one for each offset, so that an iteration touches only elements
//! of its own. What scalars the increments use is computed again in each loop.

use std::collections::BTreeSet;

use costate_grammar::ir::{Callee, Expr, ExprKind, LoopControl, Origin, Role, Stmt, StmtKind, SymId, for_each_expr};

use super::independence::{Assignment, Body, Use, analyse, moving};
use crate::build::Builder;

/// A counted loop as several loops, with ascending index where the order of iterations doesn't matter; `None` when it
/// stays as it is.
pub(super) fn distribute(b: &mut Builder<'_>, stmt: &Stmt, private: &BTreeSet<SymId>) -> Option<Vec<Stmt>> {
    let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, body, .. } = &stmt.kind else {
        return None;
    };
    // A primal loop that runs again keeps its order: the value of its variable at the end may be used.
    if !matches!(stmt.origin, Origin::Derived { role: Role::Adjoint, .. }) || calls(lo) || calls(hi) {
        return None;
    }
    let analysed = analyse(b.program, body, *var, private)?;
    let assigned = |e: &Expr| costate_analysis::storage::symbols(e).iter().any(|s| analysed.uses.contains_key(s));
    if assigned(lo) || assigned(hi) {
        return None;
    }
    let control = match step.as_ref().map(Expr::as_int) {
        Some(Some(-1)) => LoopControl::Count { var: *var, lo: hi.clone(), hi: lo.clone(), step: None },
        None | Some(Some(1)) => LoopControl::Count { var: *var, lo: lo.clone(), hi: hi.clone(), step: None },
        Some(_) => return None,
    };
    let groups = split(&analysed, *var);
    let mut out: Vec<Stmt> = Vec::new();
    let mut shown = BTreeSet::new();
    for group in groups {
        let body: Vec<Stmt> = group
            .into_iter()
            .map(|i| {
                let mut s = body[i].clone();
                if !shown.insert(s.id) {
                    s.id = b.program.fresh_stmt();
                    s.leading.clear();
                }
                s
            })
            .collect();
        let mut s = b.derive(StmtKind::Do { name: None, control: control.clone(), body }, stmt, Role::Adjoint);
        if out.is_empty() {
            s.leading = stmt.leading.clone();
            s.trailing = stmt.trailing.clone();
        }
        out.push(s);
    }
    Some(out)
}

/// True when a procedure of the user's is called in an expression.
fn calls(e: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| {
        found |= matches!(&x.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. });
    });
    found
}

/// Which statements go to which loop, in the order of the loops.
fn split(body: &Body<'_>, var: SymId) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..body.parts.len()).collect();
    let mut keys: Vec<Vec<(usize, &Expr)>> = Vec::new();
    let mut of: Vec<Option<usize>> = vec![None; body.parts.len()];
    for (i, p) in body.parts.iter().enumerate() {
        if !conflicts(body, p, var) {
            continue;
        }
        let key = moving(p.lhs, var);
        let at = keys.iter().position(|k| *k == key).unwrap_or_else(|| {
            keys.push(key);
            keys.len() - 1
        });
        of[i] = Some(at);
    }
    if keys.len() < 2 {
        return vec![all];
    }
    let groups: Vec<Vec<usize>> =
        (0..keys.len()).map(|k| slice(body, (0..of.len()).filter(|i| of[*i] == Some(k)).collect())).collect();
    let rest =
        (0..of.len()).filter(|i| of[*i].is_none() && body.uses.get(&body.parts[*i].lhs.sym) != Some(&Use::Private));
    let mut rest = slice(body, rest.collect());
    let (mut before, mut after) = (Vec::new(), Vec::new());
    // One of the offsets shares a loop with the other statements: the one they have themselves.
    let own = rest.iter().find(|i| !body.parts[**i].lhs.parts.is_empty()).map(|i| moving(body.parts[*i].lhs, var));
    for (key, group) in keys.iter().zip(groups) {
        if own.as_ref() == Some(key) {
            rest = group.into_iter().chain(rest).collect::<BTreeSet<_>>().into_iter().collect();
            continue;
        }
        if group.iter().all(|i| !overwritten(body, *i, 0..*i)) {
            before.push(group);
        } else if group.iter().all(|i| !overwritten(body, *i, *i..of.len())) {
            after.push(group);
        } else {
            return vec![all];
        }
    }
    before.extend((!rest.is_empty()).then_some(rest));
    before.extend(after);
    before
}

/// True when other iterations increment the element that this statement increments.
fn conflicts(body: &Body<'_>, p: &Assignment<'_>, var: SymId) -> bool {
    if body.uses.get(&p.lhs.sym) != Some(&Use::Increments) || p.lhs.parts.is_empty() {
        return false;
    }
    let own = moving(p.lhs, var);
    body.parts.iter().any(|q| q.lhs.sym == p.lhs.sym && moving(q.lhs, var) != own)
}

/// True when one of the statements at `range` assigns an array that statement `i` reads.
fn overwritten(body: &Body<'_>, i: usize, range: std::ops::Range<usize>) -> bool {
    let reads = &body.parts[i].reads;
    range.into_iter().any(|k| {
        let sym = body.parts[k].lhs.sym;
        body.uses.get(&sym) == Some(&Use::Own) && reads.contains(&sym)
    })
}

/// The statements with the assignments of private scalars that they use, in order.
fn slice(body: &Body<'_>, start: Vec<usize>) -> Vec<usize> {
    let mut work = start.clone();
    let mut out: BTreeSet<usize> = start.into_iter().collect();
    while let Some(i) = work.pop() {
        for sym in &body.parts[i].reads {
            if body.uses.get(sym) != Some(&Use::Private) {
                continue;
            }
            let def = (0..i).rev().find(|k| body.parts[*k].lhs.sym == *sym);
            if let Some(k) = def
                && out.insert(k)
            {
                work.push(k);
            }
        }
    }
    out.into_iter().collect()
}
