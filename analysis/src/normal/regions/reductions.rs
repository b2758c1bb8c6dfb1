//! Loops over which products, maxima and minima are formed, and loops that leave the values of their last iteration: written
//! so that each iteration has values of its own, and what is made of these stands behind the loop, or in one iteration.

use std::collections::BTreeSet;

use costate_grammar::directives::{Clause, ClauseKind, parse};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Callee, Dim, Expr, ExprKind, Governing, IfArm, LoopControl, LoopDirective, Parallel, Program, Stmt,
    StmtKind, SymId, Ty, Variable, for_each_stmt,
};
use costate_grammar::lines::Sentinel;
use costate_grammar::operators::BinaryOp;

use super::super::context::Cx;
use super::super::jumps;
use super::super::subst::{self, Map};
use super::asked::Team;
use super::distribution::exclusive_body;
use super::kept::Kept;
use super::{for_each_mut, local_like, proved};
use crate::loops::{assigned, ends};
use crate::storage::symbols;

/// An operator by which the values of iterations are put together, other than a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Product,
    Maximum,
    Minimum,
}

impl Operator {
    fn of(text: &str) -> Option<Operator> {
        match text {
            "*" => Some(Operator::Product),
            "max" => Some(Operator::Maximum),
            "min" => Some(Operator::Minimum),
            _ => None,
        }
    }

    fn text(self) -> &'static str {
        match self {
            Operator::Product => "*",
            Operator::Maximum => "max",
            Operator::Minimum => "min",
        }
    }

    /// What changes nothing.
    fn neutral(self, like: &Expr) -> Expr {
        let huge = Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Huge, vec![like.clone()]) };
        let huge = Expr { ty: like.ty, ..huge };
        match self {
            Operator::Product => Expr::int(1),
            Operator::Maximum => huge.neg(),
            Operator::Minimum => huge,
        }
    }

    fn together(self, a: Expr, b: Expr) -> Expr {
        let ty = a.ty;
        match self {
            Operator::Product => a.mul(b),
            Operator::Maximum => Expr { ty, rank: 0, ..Expr::intrinsic(Intrinsic::Max, vec![a, b]) },
            Operator::Minimum => Expr { ty, rank: 0, ..Expr::intrinsic(Intrinsic::Min, vec![a, b]) },
        }
    }
}

/// Rewrites a loop that has directives; `used` are the variables that are used after it.
pub(super) fn run(cx: &mut Cx, stmt: Stmt, (all, team): (&[Governing<'_>], &Team), used: &BTreeSet<SymId>) -> Block {
    let StmtKind::Do { control, body, .. } = &stmt.kind else { return vec![stmt] };
    let (Some((var, ends)), LoopControl::Count { hi, .. }) = (ends(control), control) else { return vec![stmt] };
    let last = hi.clone();
    let changed = assigned(body);
    let scalar = |cx: &Cx, s: &SymId| cx.program.var(*s).is_some_and(|v| v.rank() == 0 && !v.attrs.allocatable);
    let real = |cx: &Cx, s: &SymId| cx.program.var(*s).is_some_and(|v| v.ty.base == Base::Real);
    let mut reduced: Vec<(SymId, Operator)> = Vec::new();
    let mut lasting: Vec<SymId> = Vec::new();
    for d in all {
        for c in &d.directive.clauses {
            if let ClauseKind::Reduction { op, list } = &c.kind
                && let Some(op) = Operator::of(op)
            {
                let named = list.iter().filter_map(|item| d.named(cx.program, item));
                reduced.extend(named.filter(|s| changed.contains(s) && real(cx, s)).map(|s| (s, op)));
            }
        }
        lasting.extend(d.last_private(cx.program).into_iter().filter(|s| changed.contains(s) && *s != var));
    }
    let private = all.iter().flat_map(|d| d.private(cx.program));
    let of_blocks = changed.iter().copied().filter(|s| team.declares(cx.program, *s));
    let all_own: BTreeSet<SymId> = private.chain(of_blocks).collect();
    let mut found: Vec<Extreme> = all_own.iter().filter_map(|s| Extreme::of(body, *s)).collect();
    found.retain(|e| real(cx, &e.sym) && e.all().all(|s| all_own.contains(&s) && scalar(cx, &s)));
    let own: BTreeSet<SymId> = all_own.iter().copied().filter(|s| real(cx, s)).collect();
    reduced.extend(own.into_iter().filter_map(|s| Some((s, by_hand(body, s)?))));
    reduced.retain(|(s, _)| scalar(cx, s));
    let declared = |v: &Variable| v.dims.iter().all(|d| matches!(d, Dim::Explicit(..))) && !v.attrs.pointer;
    let whole = |cx: &Cx, s: &SymId| cx.program.var(*s).is_some_and(|v| !v.attrs.allocatable && declared(v));
    lasting.retain(|s| whole(cx, s) && used.contains(s));
    reduced.dedup();
    lasting.dedup();
    cx.at(&stmt);
    if reduced.is_empty() && lasting.is_empty() && found.is_empty() {
        return vec![stmt];
    }
    let mut made = to_the_end(cx, stmt);
    for extreme in found {
        made.find_extreme(cx, &extreme, var, &ends);
    }
    for (sym, op) in reduced {
        made.reduce(cx, (sym, op), var, &ends);
    }
    for sym in lasting {
        let first = all.iter().any(|d| d.first_private(cx.program).contains(&sym));
        made.keep_last(cx, (sym, first), var, &last);
    }
    let Made { stmt, mut before, after } = made;
    before.push(stmt);
    before.extend(after);
    before
}

/// The same for a `do concurrent` that stands as such a loop, where its locality says `reduce`.
pub(in crate::normal) fn of_concurrent(cx: &mut Cx, stmt: Stmt, locality: &str) -> Block {
    let text = locality.to_ascii_lowercase();
    let mut clauses = String::new();
    let mut names = Vec::new();
    for part in text.split("reduce").skip(1) {
        let inside = part.trim_start().strip_prefix('(').and_then(|p| p.split_once(')'));
        let Some((op, list)) = inside.and_then(|(inside, _)| inside.split_once(':')) else { continue };
        clauses += &format!(" reduction({}:{list})", op.trim());
        names.extend(list.split(',').filter_map(|name| cx.program.lookup(cx.scope, name.trim())));
    }
    let directive = parse(Sentinel::Omp, &format!("parallel do{clauses}"), stmt.origin.span());
    match directive {
        Ok(directive) if !names.is_empty() => {
            let own = Governing { directive: &directive, names: &names };
            run(cx, stmt, (&[own], &Team::default()), &BTreeSet::new())
        }
        _ => vec![stmt],
    }
}

/// Asks for reductions where threads take turns at a maximum, a minimum or a product and at nothing else of it: which thread
/// comes first makes no difference. Iterations have `private` variables of their own.
pub(super) fn for_exclusive(program: &Program, stmt: &mut Stmt, own: &mut [LoopDirective], private: &[SymId]) {
    let StmtKind::Do { body, .. } = &mut stmt.kind else { return };
    let Some(directive) = own.last_mut() else { return };
    let mut free = body.clone();
    let mut found = BTreeSet::new();
    take_out_exclusive(&mut free, &mut found);
    let plain = |v: &Variable| v.ty.base == Base::Real && v.rank() == 0 && !v.has_other_names();
    let fits = |s: &SymId| !private.contains(s) && program.var(*s).is_some_and(plain);
    let ops: Option<Vec<_>> = found.iter().map(|s| by_hand(&free, *s).filter(|_| fits(s)).map(|op| (*s, op))).collect();
    let Some(ops) = ops.filter(|ops| !ops.is_empty()) else { return };
    *body = free;
    for (sym, op) in ops {
        let (op, list) = (op.text().to_string(), vec![program[sym].name.to_string()]);
        let text = format!("reduction({op}: {})", list[0]);
        directive.directive.clauses.push(Clause { kind: ClauseKind::Reduction { op, list }, text });
        directive.names.push(sym);
    }
}

/// Takes out the directives by which threads take turns at single assignments; `found` are the variables that these assign.
fn take_out_exclusive(block: &mut Block, found: &mut BTreeSet<SymId>) {
    for s in block {
        if let Some([only]) = exclusive_body(s).map(Vec::as_slice)
            && let [target] = assigned(std::slice::from_ref(only)).into_iter().collect::<Vec<_>>()[..]
        {
            found.insert(target);
            *s = only.clone();
        }
        s.blocks_mut().into_iter().for_each(|b| take_out_exclusive(b, found));
    }
}

/// The operator by which a body puts the values of a variable together that each thread has one of, if that is all that it does
/// with it: `v = max(v, x)`, or `if (x > v) v = x`.
fn by_hand(body: &[Stmt], sym: SymId) -> Option<Operator> {
    let mut found = Vec::new();
    updates(body, sym, &mut found);
    let first = found.first().copied().flatten()?;
    found.iter().all(|f| *f == Some(first)).then_some(first)
}

/// The operator of each statement that mentions a variable, if it has one.
fn updates(body: &[Stmt], sym: SymId, out: &mut Vec<Option<Operator>>) {
    for s in body {
        if let Some(op) = compared(s, sym) {
            out.push(Some(op));
            continue;
        }
        let mentioned = s.exprs().into_iter().any(|e| symbols(e).contains(&sym));
        let counts = matches!(&s.kind, StmtKind::Do { control: LoopControl::Count { var, .. }, .. } if *var == sym);
        if mentioned || counts {
            out.push(if let StmtKind::Assign { lhs, rhs } = &s.kind { updated(lhs, rhs, sym) } else { None });
        }
        s.blocks().into_iter().for_each(|b| updates(b, sym, out));
    }
}

/// The operator of `v = max(v, x)` and the like.
fn updated(lhs: &Expr, rhs: &Expr, sym: SymId) -> Option<Operator> {
    let is_v = |e: &Expr| e.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
    let (op, operands): (Operator, Vec<&Expr>) = match &rhs.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f @ (Intrinsic::Max | Intrinsic::Min)), args } => {
            let op = if *f == Intrinsic::Max { Operator::Maximum } else { Operator::Minimum };
            (op, args.iter().map(|a| &a.value).collect())
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) => (Operator::Product, vec![a, b]),
        _ => return None,
    };
    let (own, others): (Vec<_>, Vec<_>) = operands.into_iter().partition(|e| is_v(e));
    (is_v(lhs) && own.len() == 1 && !others.iter().any(|e| symbols(e).contains(&sym))).then_some(op)
}

/// The operator of `if (x > v) v = x` and the like.
fn compared(s: &Stmt, sym: SymId) -> Option<Operator> {
    let StmtKind::If { arms, otherwise: None, .. } = &s.kind else { return None };
    let [IfArm { cond, body }] = arms.as_slice() else { return None };
    let [Stmt { kind: StmtKind::Assign { lhs, rhs }, .. }] = body.as_slice() else { return None };
    let is_v = |e: &Expr| e.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
    let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
    let larger = match op {
        BinaryOp::Gt | BinaryOp::Ge => true,
        BinaryOp::Lt | BinaryOp::Le => false,
        _ => return None,
    };
    let fits = |x: &Expr, v: &Expr| is_v(v) && x == rhs && !symbols(x).contains(&sym);
    let grows = if fits(a, b) {
        larger
    } else if fits(b, a) {
        !larger
    } else {
        return None;
    };
    is_v(lhs).then_some(if grows { Operator::Maximum } else { Operator::Minimum })
}

/// The statement by which a loop finds an extreme value, and what belongs to it: `if (x > v) then`, `v = x`, `k = i`.
struct Extreme {
    sym: SymId,
    op: Operator,
    /// What is noted of where it is.
    noted: Vec<SymId>,
    /// The comparison, of the value and the extreme one so far, or of these the other way about.
    comparison: BinaryOp,
    value_first: bool,
}

impl Extreme {
    /// That of a variable, if a body does nothing else with it, and with what is noted.
    fn of(body: &[Stmt], sym: SymId) -> Option<Extreme> {
        let mut mentioning = Vec::new();
        for_each_stmt(body, &mut |s| {
            if s.exprs().into_iter().any(|e| symbols(e).contains(&sym)) {
                mentioning.push(s);
            }
        });
        let (asking, inside) = mentioning.split_first()?;
        let StmtKind::If { arms, otherwise: None, .. } = &asking.kind else { return None };
        let [IfArm { cond, body: arm }] = arms.as_slice() else { return None };
        let is = |e: &Expr, sym: SymId| e.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
        let ExprKind::Binary(comparison, a, b) = &cond.kind else { return None };
        let (value, value_first) = if is(b, sym) { (a, true) } else { (b, false) };
        let greater = match comparison {
            BinaryOp::Gt => value_first,
            BinaryOp::Lt => !value_first,
            // Where an iteration has no value, the neutral one must not be found.
            _ => return None,
        };
        let mut noted = Vec::new();
        let mut sets = false;
        for s in arm {
            let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
            let target = lhs.as_var().filter(|d| d.parts.is_empty())?.sym;
            match target == sym {
                true if rhs == &**value => sets = true,
                false if !symbols(rhs).contains(&sym) => noted.push(target),
                _ => return None,
            }
        }
        let alone = (is(a, sym) || is(b, sym)) && !symbols(value).contains(&sym) && sets && !noted.is_empty();
        // What is noted stands nowhere else.
        let mut times = 0;
        for_each_stmt(body, &mut |s| {
            times += s.exprs().into_iter().flat_map(symbols).filter(|x| noted.contains(x)).count();
        });
        let op = if greater { Operator::Maximum } else { Operator::Minimum };
        let fits = alone && inside.len() == 1 && times == noted.len();
        fits.then_some(Extreme { sym, op, noted, comparison: *comparison, value_first })
    }

    fn all(&self) -> impl Iterator<Item = SymId> {
        std::iter::once(self.sym).chain(self.noted.iter().copied())
    }
}

/// A loop of which all iterations come to the end of the body: what stands there isn't passed over by `cycle`.
fn to_the_end(cx: &mut Cx, mut stmt: Stmt) -> Made {
    let mut cycles = false;
    for_each_stmt(std::slice::from_ref(&stmt), &mut |s| cycles |= matches!(s.kind, StmtKind::Cycle(_)));
    let StmtKind::Do { parallel, .. } = &mut stmt.kind else { return Made::of(stmt) };
    if !cycles {
        return Made::of(stmt);
    }
    let (id, shared) = (stmt.id, parallel.take());
    let mut before = jumps::run(cx, vec![stmt]);
    let at = before.iter().position(|s| s.id == id).unwrap_or(0);
    let after = before.split_off(at + 1);
    let mut made = Made { stmt: before.remove(at), before, after };
    if let Some((_, parallel)) = made.parts() {
        *parallel = shared;
    }
    made
}

/// Another variable of the same type and shape.
fn alike(cx: &mut Cx, sym: SymId, base: &str) -> Option<Expr> {
    let v = local_like(cx.program.var(sym)?);
    let (ty, rank) = (v.ty, v.rank());
    let name = cx.fresh_name(base);
    Some(Expr::var(cx.add_variable(name, v), ty, rank))
}

struct Made {
    stmt: Stmt,
    before: Block,
    after: Block,
}

impl Made {
    fn of(stmt: Stmt) -> Made {
        Made { stmt, before: Block::new(), after: Block::new() }
    }

    fn parts(&mut self) -> Option<(&mut Block, &mut Option<Box<Parallel>>)> {
        match &mut self.stmt.kind {
            StmtKind::Do { body, parallel, .. } => Some((body, parallel)),
            _ => None,
        }
    }

    /// Lets another variable, of which each iteration has its own, stand for one in the body; returns it.
    fn own(&mut self, cx: &mut Cx, sym: SymId) -> Option<Expr> {
        let name = cx.program[sym].name.as_str().to_string();
        let own = alike(cx, sym, &name)?;
        let map = Map::from([(sym, own.clone())]);
        let own_sym = own.as_var()?.sym;
        let (body, parallel) = self.parts()?;
        subst::block(cx, &map, body);
        for_each_mut(body, &mut |s| proved::substitute(cx.program, &map, s));
        if let Some(evidence) = parallel.as_mut().and_then(|p| p.evidence.as_mut()) {
            evidence.private.push(own_sym);
        }
        Some(own)
    }

    /// Each iteration forms its own value; behind the loop they are put together.
    fn reduce(&mut self, cx: &mut Cx, (sym, op): (SymId, Operator), var: SymId, ends: &(Expr, Expr)) {
        let Some((whole, values)) = self.by_iteration(cx, sym, |whole| op.neutral(whole), (var, ends)) else { return };
        self.put_together(cx, (var, ends), |cx, index| {
            let element = values.of(cx, index);
            cx.assign(whole.clone(), op.together(whole, element))
        });
    }

    /// Each iteration has its own value, and what is noted of it; behind the loop the extreme one is found.
    fn find_extreme(&mut self, cx: &mut Cx, extreme: &Extreme, var: SymId, ends: &(Expr, Expr)) {
        let mut found = Vec::new();
        for sym in extreme.all() {
            let neutral =
                |whole: &Expr| if sym == extreme.sym { extreme.op.neutral(whole) } else { Expr::zero(whole.ty) };
            let Some(own) = self.by_iteration(cx, sym, neutral, (var, ends)) else { return };
            found.push(own);
        }
        self.put_together(cx, (var, ends), |cx, index| {
            let updates = found.iter().map(|(whole, values)| cx.assign(whole.clone(), values.of(cx, index))).collect();
            let (whole, values) = &found[0];
            let (value, whole) = (values.of(cx, index), whole.clone());
            let (a, b) = if extreme.value_first { (value, whole) } else { (whole, value) };
            cx.if_else(Expr::binary(extreme.comparison, a, b), updates, Block::new())
        });
    }

    /// Lets each iteration begin with a neutral value of a variable of its own, and keeps what it ends with; returns the
    /// variable outside, and these values.
    fn by_iteration(
        &mut self,
        cx: &mut Cx,
        sym: SymId,
        neutral: impl FnOnce(&Expr) -> Expr,
        (var, ends): (SymId, &(Expr, Expr)),
    ) -> Option<(Expr, Kept)> {
        let own = self.own(cx, sym)?;
        let whole = Expr::var(sym, own.ty, 0);
        let mut values = Kept::new(cx, "value", &whole, ends);
        self.before.append(&mut values.before);
        self.after.append(&mut values.after);
        let first = cx.assign(own.clone(), neutral(&whole));
        let last = cx.assign(values.of(cx, var), own);
        if let Some((body, _)) = self.parts() {
            body.insert(0, first);
            body.push(last);
        }
        Some((whole, values))
    }

    /// Puts the values of all iterations together, one after the other, in a loop right behind.
    fn put_together(
        &mut self,
        cx: &mut Cx,
        (var, ends): (SymId, &(Expr, Expr)),
        update: impl FnOnce(&mut Cx, SymId) -> Stmt,
    ) {
        let kind = cx.program.var(var).map_or(Ty::INTEGER, |v| v.ty);
        let index = cx.index(kind.kind);
        let update = update(cx, index);
        cx.release(index);
        let control = LoopControl::Count { var: index, lo: ends.0.clone(), hi: ends.1.clone(), step: None };
        let put = cx.stmt(StmtKind::repeat(control, vec![update]));
        self.after.insert(0, put);
    }

    /// The last iteration hands its value on. They begin with the value before the loop, where that is wanted (`first`).
    fn keep_last(&mut self, cx: &mut Cx, (sym, first): (SymId, bool), var: SymId, last: &Expr) {
        let Some(own) = self.own(cx, sym) else { return };
        if first {
            let name = format!("{}_before", cx.program[sym].name);
            let Some(kept) = alike(cx, sym, &name) else { return };
            let keep = cx.assign(kept.clone(), Expr::var(sym, own.ty, own.rank));
            let begin = cx.assign(own.clone(), kept);
            self.before.push(keep);
            if let Some((body, _)) = self.parts() {
                body.insert(0, begin);
            }
        }
        let index = cx.program.var(var).map(|v| Expr::var(var, v.ty, 0));
        let Some(index) = index else { return };
        let set = cx.assign(Expr::var(sym, own.ty, own.rank), own);
        let cond = Expr::binary(BinaryOp::Eq, index, last.clone());
        let hand_on = cx.if_one(cond, set);
        if let Some((body, _)) = self.parts() {
            body.push(hand_on);
        }
    }
}
