//! The first increment of a scalar adjoint that is known to be zero assigns it: `x_b = x_b + e` becomes `x_b = e`.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Expr, ExprKind, LoopControl, Stmt, StmtId, StmtKind, SymId};

use super::code::Code;
use super::statements::has_other_blocks;
use crate::expressions::without_first;

/// Assigns scalar adjoints where the backward sweep increments them for the first time.
pub(super) fn run(code: &mut Code<'_, '_>) {
    let scalars = Scalars { among: &code.facts.adjoints, left_zero: code.left_zero };
    scalars.assign_first(&mut code.backward, &mut BTreeSet::new());
}

/// Scalars that may be known to be zero.
struct Scalars<'a> {
    among: &'a BTreeSet<SymId>,
    /// Those that a call leaves zero.
    left_zero: &'a BTreeMap<StmtId, SymId>,
}

impl Scalars<'_> {
    /// Turns `x = x + e` into `x = e` where `x` is known to be zero. `zero` holds those that are zero here.
    fn assign_first(&self, block: &mut [Stmt], zero: &mut BTreeSet<SymId>) {
        for s in block {
            match &mut s.kind {
                StmtKind::Assign { lhs, rhs } => assign(lhs, rhs, self.among, zero),
                StmtKind::Do { control, body, .. } => {
                    if let LoopControl::Count { var, .. } = control {
                        zero.remove(var);
                    }
                    // Zero at the start of each iteration is what the iterations before left zero.
                    let change = self.change(body);
                    zero.retain(|x| !change.lost.contains(x));
                    self.assign_first(body, &mut zero.clone());
                }
                StmtKind::If { arms, otherwise, .. } => {
                    let mut joined = otherwise.is_none().then(|| zero.clone());
                    for body in arms.iter_mut().map(|a| &mut a.body).chain(otherwise) {
                        self.join(body, zero, &mut joined);
                    }
                    *zero = joined.unwrap_or_default();
                }
                StmtKind::Select { arms, .. } => {
                    let mut joined = arms.iter().all(|a| !a.ranges.is_empty()).then(|| zero.clone());
                    for arm in arms {
                        self.join(&mut arm.body, zero, &mut joined);
                    }
                    *zero = joined.unwrap_or_default();
                }
                other => {
                    if has_other_blocks(other) {
                        zero.clear();
                    }
                    forget(other, zero);
                    zero.extend(self.left_zero.get(&s.id).filter(|x| self.among.contains(x)));
                }
            }
        }
    }

    fn join(&self, body: &mut [Stmt], zero: &BTreeSet<SymId>, joined: &mut Option<BTreeSet<SymId>>) {
        let mut own = zero.clone();
        self.assign_first(body, &mut own);
        *joined = Some(match joined.take() {
            None => own,
            Some(j) => j.intersection(&own).copied().collect(),
        });
    }
}

/// What a block does to the set of scalars that are known to be zero. No scalar is in both.
#[derive(Clone, Default)]
struct Change {
    /// Zero at its end, whatever they were.
    gained: BTreeSet<SymId>,
    /// Not known to be zero at its end, whatever they were.
    lost: BTreeSet<SymId>,
}

impl Change {
    fn gain(&mut self, x: SymId) {
        self.lost.remove(&x);
        self.gained.insert(x);
    }

    fn lose(&mut self, x: SymId) {
        self.gained.remove(&x);
        self.lost.insert(x);
    }

    /// First this, then `next`.
    fn then(&mut self, next: &Change) {
        next.lost.iter().for_each(|x| self.lose(*x));
        next.gained.iter().for_each(|x| self.gain(*x));
    }

    /// Either this or `other`.
    fn or(mut self, other: &Change) -> Change {
        self.lost.extend(&other.lost);
        self.gained.retain(|x| other.gained.contains(x));
        self
    }
}

impl Scalars<'_> {
    /// What [`Scalars::assign_first`] does to the set while it goes over a block.
    fn change(&self, block: &[Stmt]) -> Change {
        let mut out = Change::default();
        for s in block {
            match &s.kind {
                StmtKind::Assign { lhs, rhs } => {
                    if let Some(d) = lhs.as_var().filter(|d| self.among.contains(&d.sym)) {
                        let zero = d.parts.is_empty() && *rhs == Expr::zero(lhs.ty);
                        if zero { out.gain(d.sym) } else { out.lose(d.sym) }
                    }
                }
                StmtKind::Do { control, body, .. } => {
                    if let LoopControl::Count { var, .. } = control {
                        out.lose(*var);
                    }
                    // There may be no iteration.
                    self.change(body).lost.into_iter().for_each(|x| out.lose(x));
                }
                StmtKind::If { arms, otherwise, .. } => {
                    out.then(&self.any_of(arms.iter().map(|a| &a.body).chain(otherwise), otherwise.is_some()));
                }
                StmtKind::Select { arms, .. } => {
                    let complete = arms.iter().any(|a| a.ranges.is_empty());
                    out.then(&self.any_of(arms.iter().map(|a| &a.body), complete));
                }
                other => {
                    if has_other_blocks(other) {
                        self.among.iter().for_each(|x| out.lose(*x));
                    }
                    let mut kept = self.among.clone();
                    forget(other, &mut kept);
                    self.among.difference(&kept).for_each(|x| out.lose(*x));
                    self.left_zero.get(&s.id).filter(|x| self.among.contains(x)).into_iter().for_each(|x| out.gain(*x));
                }
            }
        }
        out
    }

    /// One of several blocks; none of them, perhaps, unless they are `complete`.
    fn any_of<'b>(&self, bodies: impl Iterator<Item = &'b Vec<Stmt>>, complete: bool) -> Change {
        let nothing = (!complete).then(Change::default);
        let changes = bodies.map(|b| self.change(b));
        nothing.into_iter().chain(changes).reduce(|a, b| a.or(&b)).unwrap_or_default()
    }
}

fn assign(lhs: &Expr, rhs: &mut Expr, among: &BTreeSet<SymId>, zero: &mut BTreeSet<SymId>) {
    let Some(d) = lhs.as_var() else { return };
    if !among.contains(&d.sym) {
        return;
    }
    if d.parts.is_empty() && *rhs == Expr::zero(lhs.ty) {
        zero.insert(d.sym);
        return;
    }
    if !zero.remove(&d.sym) || !d.parts.is_empty() {
        return;
    }
    if let Some(short) = without_first(rhs, lhs)
        && !symbols(&short).contains(&d.sym)
        && short.ty == lhs.ty
    {
        *rhs = short;
    }
    if let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Merge), args } = &mut rhs.kind {
        args.iter_mut().filter(|a| a.value == *lhs).for_each(|a| a.value = Expr::zero(lhs.ty));
    }
}

/// What a statement mentions is no longer known to be zero.
fn forget(kind: &StmtKind, zero: &mut BTreeSet<SymId>) {
    if let StmtKind::Call { .. } | StmtKind::Io { .. } | StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } = kind
    {
        let probe = Stmt::new(
            costate_grammar::ir::StmtId(0),
            kind.clone(),
            costate_grammar::ir::Origin::Source(Default::default()),
        );
        for e in probe.exprs() {
            symbols(e).iter().for_each(|s| {
                zero.remove(s);
            });
        }
    }
}
