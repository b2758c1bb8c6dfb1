//! Loops of the backward sweep that assign the same elements one after the other become one loop, so that these elements
//! pass through the cache once (loop fusion; Allen and Kennedy, Optimizing Compilers for Modern Architectures, 2001,
//! section 6.2). Where the second loop needs part of what the first one does as a whole, the first one is divided before
//! ([`super::divide`]).

use std::collections::BTreeSet;

use costate_analysis::affine::{difference, plus};
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Expr, LoopControl, Origin, Parallel, Role, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::code::Code;
use super::divide::divided;
use super::fission::ascending;
use super::order::iterations_apart;
use crate::parallel::Places;
use costate_analysis::dependence::independence::{elementwise, moving};
use costate_analysis::dependence::mentions::{assigned_in, touch};
use costate_analysis::sections::scene::Scene;

/// How many statements may stand between two loops.
const BETWEEN: usize = 4;
/// How many iterations the first of two loops may have at its end that the second one doesn't have.
const MORE: i64 = 2;

/// Merges loops of the backward sweep.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, facts| code.merge_loops(backward, &facts.private));
}

impl Code<'_, '_> {
    /// Merges loops of a block. `private` are the scalars that are used in one iteration only.
    pub(super) fn merge_loops(&mut self, block: &mut Vec<Stmt>, private: &BTreeSet<SymId>) {
        for s in block.iter_mut().filter(|s| !s.is_region()) {
            s.blocks_mut().into_iter().for_each(|b| self.merge_loops(b, private));
        }
        let mut first = 0;
        while first < block.len() {
            if !self.merge_at(block, first, private) {
                first += 1;
            }
        }
    }

    /// Merges the loop at `first` with the one that follows; false when they stay as they are.
    fn merge_at(&mut self, block: &mut Vec<Stmt>, first: usize, private: &BTreeSet<SymId>) -> bool {
        let follows = |s: &Stmt| matches!(s.kind, StmtKind::Do { .. });
        let near = block.iter().enumerate().skip(first + 1).take(BETWEEN + 1);
        let Some((second, _)) = near.into_iter().find(|(_, s)| follows(s)) else { return false };
        let Some(early) = self.earlier(&block[first..=second]) else { return false };
        let Some(made) = self.merged(&block[first], &block[second], private) else { return false };
        let old: Vec<Stmt> = block.drain(first..=second).collect();
        let between = old[1..old.len() - 1].iter().cloned().enumerate();
        let (before, after): (Vec<_>, Vec<_>) = between.partition(|(k, _)| early.contains(k));
        let strip = |list: Vec<(usize, Stmt)>| list.into_iter().map(|(_, s)| s).collect::<Vec<_>>();
        block.splice(first..first, strip(before).into_iter().chain(made).chain(strip(after)));
        true
    }

    /// Which of the statements between two loops can stand before the first one, when all others can stand after the
    /// second one.
    fn earlier(&self, list: &[Stmt]) -> Option<BTreeSet<usize>> {
        let [a, between @ .., b] = list else { return None };
        let mut early = BTreeSet::new();
        let mut late: Vec<&Stmt> = vec![a];
        for (k, s) in between.iter().enumerate() {
            if !elementwise(self.b.program, s, &|v| !v.has_other_names()) {
                return None;
            }
            if late.iter().all(|l| !touch(l, s)) {
                early.insert(k);
            } else if !touch(s, b) {
                late.push(s);
            } else {
                return None;
            }
        }
        Some(early)
    }

    /// Two loops as one, after what of the first one stays by itself.
    fn merged(&mut self, a: &Stmt, b: &Stmt, private: &BTreeSet<SymId>) -> Option<Vec<Stmt>> {
        let (StmtKind::Do { body: own, .. }, StmtKind::Do { body: next, .. }) = (&a.kind, &b.kind) else { return None };
        let backward = |s: &Stmt| matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
        if !backward(a) || !backward(b) || a.is_region() || b.is_region() || self.are_side_by_side(a, b) {
            return None;
        }
        let scene = self.b.scene();
        let (control, more) = common_range(&scene, [a, b], private)?;
        let serial = |s: &Stmt, body: &[Stmt]| {
            s.followed().is_none() && !iterations_apart(&scene, &control, [body, body], private)
        };
        if a.followed().is_some() && serial(b, next) || b.followed().is_some() && serial(a, own) {
            return None;
        }
        let (stays, goes) = if fits(&scene, &control, [own, next], private) {
            (Vec::new(), own.clone())
        } else {
            divided(&scene, &control, own, next, private)
                .filter(|(_, goes)| fits(&scene, &control, [goes, next], private))?
        };
        let over = |control: &LoopControl, body| StmtKind::repeat_as(control.clone(), body, a.followed());
        let mut out = Vec::new();
        if let Some(more) = &more {
            let mut rest = own.clone();
            self.b.program.renumber(&mut rest);
            out.push(self.b.derive(over(more, rest), a, Role::Adjoint));
        }
        if !stays.is_empty() {
            let mut stays = stays;
            self.b.program.renumber(&mut stays);
            out.push(self.b.derive(over(&control, stays), a, Role::Adjoint));
        }
        let mut together: Vec<Stmt> = goes.into_iter().chain(next.iter().cloned()).collect();
        let loops = innermost(&together);
        self.merge_loops(&mut together, private);
        // Where the loops inside stay apart, it must not cost a loop of its own for what is beyond.
        if loops > 1 && innermost(&together) == loops && more.is_some() {
            return None;
        }
        let kind = StmtKind::repeat_as(control, together, self.common_evidence(a, b));
        let mut made = self.b.derive(kind, b, Role::Adjoint);
        made.leading.clone_from(&b.leading);
        out.push(made);
        out[0].leading.splice(0..0, a.leading.iter().cloned());
        Some(out)
    }

    /// True for statements of two sections of one construct, or of two tasks: threads may share these out.
    fn are_side_by_side(&self, a: &Stmt, b: &Stmt) -> bool {
        let apart = |list: &Places| matches!((list.part_of(a), list.part_of(b)), (Some(x), Some(y)) if x != y);
        self.sections.iter().any(apart)
    }

    /// What the directives of two loops prove of both in one: of variables and elements that belong to one of the loops what
    /// is proved there, of others nothing.
    fn common_evidence(&self, a: &Stmt, b: &Stmt) -> Option<Box<Parallel>> {
        let [first, second] = [a, b].map(|s| s.followed().filter(|p| p.evidence.is_some()));
        let (Some(mut p), Some(other)) = (first.clone().or(second.clone()), first.and(second)) else {
            let only = a.followed().or(b.followed())?;
            return Some(Box::new(Parallel { evidence: Some(Box::default()), ..*only }));
        };
        if *p == *other {
            return Some(p);
        }
        let [in_a, in_b] = [a, b].map(|s| self.primal_names(s));
        let (Some(own), Some(next)) = (&mut p.evidence, other.evidence) else { return None };
        let both = |x: &SymId| in_a.contains(x) && in_b.contains(x);
        own.again &= next.again;
        own.gathered |= next.gathered;
        own.strategies.extend(next.strategies);
        own.private.retain(|x| !both(x) || next.private.contains(x));
        own.private.extend(next.private.iter().filter(|x| !both(x)));
        own.sums.retain(|x| !both(x) || next.sums.contains(x));
        own.sums.extend(next.sums.iter().filter(|x| !both(x)));
        let alone = |e: &Expr| e.as_var().is_some_and(|d| !both(&d.sym));
        let join = |own: &mut Vec<Expr>, next: &[Expr]| {
            own.retain(alone);
            own.extend(next.iter().filter(|e| alone(e)).cloned());
        };
        join(&mut own.written, &next.written);
        own.touched.iter_mut().zip(&next.touched).for_each(|(x, y)| join(x, y));
        Some(p)
    }

    /// The variables that a statement mentions, and for derivatives those of which they are.
    fn primal_names(&self, s: &Stmt) -> BTreeSet<SymId> {
        let mut out: BTreeSet<SymId> =
            costate_analysis::normal::mentions(self.b.program, std::slice::from_ref(s)).into_keys().collect();
        let shadows = self.b.shadow.iter().chain(self.b.globals.iter());
        let of: Vec<SymId> = shadows.filter(|(_, s)| out.contains(s)).map(|(p, _)| *p).collect();
        out.extend(of);
        out
    }
}

/// The range over which both loops run, and what the first one has at its end beyond that.
fn common_range(
    scene: &Scene<'_>,
    [a, b]: [&Stmt; 2],
    private: &BTreeSet<SymId>,
) -> Option<(LoopControl, Option<LoopControl>)> {
    let (first, second) = (ascending(a)?, ascending(b)?);
    let (LoopControl::Count { var, lo, hi, .. }, LoopControl::Count { var: other, lo: from, hi: to, .. }) =
        (&first, &second)
    else {
        return None;
    };
    let more = difference(hi, to)?;
    if var != other || difference(lo, from) != Some(0) || !(0..=MORE).contains(&more) {
        return None;
    }
    let (StmtKind::Do { control: of_a, body: own, .. }, StmtKind::Do { control: of_b, body: next, .. }) =
        (&a.kind, &b.kind)
    else {
        return None;
    };
    let free = |body: &[Stmt], c: &LoopControl| iterations_apart(scene, c, [body, body], private);
    // The order of iterations stays where it matters, and ascends where it doesn't.
    let control = match (free(own, &first), free(next, &second)) {
        (true, true) => second.clone(),
        (true, false) => of_b.clone(),
        (false, true) if more == 0 => of_a.clone(),
        (false, false) if more == 0 && (*of_a == first) == (*of_b == second) => of_b.clone(),
        _ => return None,
    };
    if more == 0 {
        return Some((control, None));
    }
    // Where the second loop has no iteration, these are all.
    let beyond = plus(to, &Expr::int(1));
    if beyond.ty != lo.ty && lo.as_int().is_none() {
        return None;
    }
    let start = match difference(&beyond, lo) {
        Some(0..) => beyond,
        Some(_) => lo.clone(),
        None => {
            let lo = lo.as_int().map_or_else(|| lo.clone(), |v| Expr::literal(v as f64, beyond.ty));
            Expr::intrinsic(Intrinsic::Max, vec![lo, beyond])
        }
    };
    Some((control, Some(LoopControl::Count { var: *var, lo: start, hi: hi.clone(), step: None })))
}

/// True when two bodies can be one and assign elements in common.
fn fits(scene: &Scene<'_>, control: &LoopControl, [first, second]: [&[Stmt]; 2], private: &BTreeSet<SymId>) -> bool {
    let LoopControl::Count { var, .. } = control else { return false };
    if !shares(first, second, *var) || !iterations_apart(scene, control, [first, second], private) {
        return false;
    }
    let straight = |body: &[Stmt]| body.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }));
    if !straight(first) || !straight(second) {
        return true;
    }
    // What vectorises by itself is not kept from it.
    let all: Vec<Stmt> = first.iter().chain(second).cloned().collect();
    aligned(&all, *var) && iterations_apart(scene, control, [&all, &all], private)
}

/// True when all references to an array that is assigned are to the same elements, as far as the loop moves them.
fn aligned(body: &[Stmt], var: SymId) -> bool {
    let mut seen = Vec::new();
    for e in body.iter().flat_map(Stmt::exprs) {
        for_each_expr(e, &mut |x| seen.extend(x.as_var().filter(|d| !d.parts.is_empty()).cloned()));
    }
    let targets = assigned_in(body);
    seen.iter()
        .all(|d| !targets.contains(&d.sym) || seen.iter().all(|o| o.sym != d.sym || moving(o, var) == moving(d, var)))
}

/// True when both bodies assign the same elements where their loops are deepest, so that these are as many as iterations.
fn shares(first: &[Stmt], second: &[Stmt], var: SymId) -> bool {
    let [a, b] = [first, second].map(|body| {
        let mut found = Vec::new();
        deepest(body, &mut vec![var], &mut found);
        let most = found.iter().map(|f| f.0).max().unwrap_or(0);
        found.into_iter().filter(|f| f.0 == most).filter_map(|f| f.1).collect::<Vec<_>>()
    });
    a.iter().any(|e| b.contains(e))
}

/// The number of loops around each assignment, and what it assigns if that moves with all of them.
fn deepest(block: &[Stmt], vars: &mut Vec<SymId>, found: &mut Vec<(usize, Option<Expr>)>) {
    for s in block {
        match &s.kind {
            StmtKind::Assign { lhs, .. } => {
                let used = symbols(lhs);
                let whole = vars.iter().all(|v| used.contains(v));
                found.push((vars.len(), whole.then(|| lhs.clone())));
            }
            StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } => {
                vars.push(*var);
                deepest(body, vars, found);
                vars.pop();
            }
            _ => {}
        }
    }
}

/// The number of loops without loops in them.
fn innermost(block: &[Stmt]) -> usize {
    let mut found = 0;
    for_each_stmt(block, &mut |s| {
        let inner = |b: &Stmt| !matches!(b.kind, StmtKind::Do { .. });
        found += usize::from(matches!(&s.kind, StmtKind::Do { body, .. } if body.iter().all(inner)));
    });
    found
}
