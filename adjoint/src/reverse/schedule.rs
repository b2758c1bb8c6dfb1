//! Arranges the statements of the finished backward sweep for speed: adjoints of scalars that are known to be zero are
//! assigned instead of incremented, fixed multiples are written out ([`super::scaled`]), elements are summed in scalars
//! ([`super::sums`]), innermost loops are distributed ([`super::gather`]), zeros of arrays are settled ([`super::zeros`]),
//! copies go ([`super::copies`]), loops over the same elements are merged ([`super::merge`]), elements that are used in one
//! iteration only stand in scalars ([`super::contract`]), and sums are marked ([`super::reductions`]).

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::outlives;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Callee, Expr, ExprKind, LoopControl, ParentUnit, Stmt, StmtId, StmtKind, SymId};

use super::Reverse;
use super::copies::without_copies;
use super::expressions::without_first;
use super::flow::Changes;
use super::gather::distribute;
use super::scaled::write_out;
use super::statements::has_other_blocks;
use super::tidy::{drop_unused, drop_unused_of_both};
use super::zeros::settle_zeros;
use crate::passes::Pass;

/// The backward sweep, and what is known of it.
struct Sweep {
    backward: Vec<Stmt>,
    /// Scalars whose value is never used outside the iteration that assigns it, or that are used only after they were
    /// assigned.
    private: BTreeSet<SymId>,
    /// Scalars that stand for elements of arrays.
    made: BTreeSet<SymId>,
    /// What the whole procedure changes.
    changes: Changes,
}

impl Reverse<'_, '_> {
    /// Arranges the backward sweep, which begins at statement `start` of the body, and tells where it begins then.
    pub(super) fn arrange(&mut self, body: &mut Vec<Stmt>, start: usize) -> usize {
        self.check_statements(body, "emission");
        if self.shares_locals() {
            return start;
        }
        let (adjoints, arrays): (BTreeSet<SymId>, BTreeSet<SymId>) =
            self.local_adjoints().partition(|s| self.b.program.var(*s).is_some_and(|v| v.rank() == 0));
        if self.passes.has(Pass::Selection) {
            self.select_in(&mut body[start..]);
            self.check_statements(body, Pass::Selection.name());
        }
        if self.passes.has(Pass::FirstUse) {
            let scalars = Scalars { among: &adjoints, left_zero: &self.left_zero };
            scalars.assign_first(&mut body[start..], &mut BTreeSet::new());
            self.check_statements(body, Pass::FirstUse.name());
        }
        let mut backward = body.split_off(start.min(body.len()));
        if self.passes.has(Pass::DeadCode) {
            // The forward sweep gets shorter too: assignments of variables to themselves are dropped.
            drop_unused_of_both(body, &mut backward, &adjoints);
        }
        let start = body.len();
        body.extend(backward);
        self.check_statements(body, Pass::DeadCode.name());
        let private = self.private_scalars(body, &exposed(body));
        let changes = self.scene().changes(body);
        let mut sweep = Sweep { backward: body.split_off(start), private, made: BTreeSet::new(), changes };
        let passes = self.passes;
        for pass in Pass::ALL.into_iter().filter(|p| passes.has(*p)) {
            self.apply(pass, &mut sweep, &arrays);
            self.check_statements(&sweep.backward, pass.name());
        }
        let Sweep { backward, made, .. } = sweep;
        body.extend(backward);
        let mut used = BTreeSet::new();
        crate::remap::mentioned(body, &mut used);
        self.disown(&arrays.union(&made).filter(|s| !used.contains(s)).copied().collect());
        start
    }

    /// Runs a pass over the backward sweep. `arrays` are of no use after it.
    fn apply(&mut self, pass: Pass, sweep: &mut Sweep, arrays: &BTreeSet<SymId>) {
        let Sweep { backward, private, made, changes } = sweep;
        match pass {
            Pass::Factors => write_out(self.b.program, backward, private),
            Pass::Accumulators => private.extend(self.sum_in_scalars(backward, changes)),
            Pass::Fission => *backward = self.distribute_in(std::mem::take(backward), private),
            Pass::Zeroing => settle_zeros(&self.scene(), backward, arrays, changes),
            Pass::Copies => without_copies(&self.scene(), backward, arrays),
            Pass::Fusion => self.merge_loops(backward, private),
            Pass::VectorMath => self.separate_in(backward, private),
            Pass::Order => self.ascend(backward, private),
            Pass::ScalarReplacement => {
                let scalars = self.contract(backward, changes);
                private.extend(&scalars);
                made.extend(scalars);
            }
            Pass::UnusedScalars => drop_unused(backward, private),
            Pass::Simd => self.mark_reductions(backward, private),
            // They come before it is known which scalars are private, look at both sweeps, or are part of others.
            Pass::Selection
            | Pass::FirstUse
            | Pass::DeadCode
            | Pass::Peeling
            | Pass::DirectSaves
            | Pass::SavedStates
            | Pass::DoubleBuffering => {}
        }
    }

    /// True when calls may use local variables, by host association.
    pub(super) fn shares_locals(&self) -> bool {
        let own = &self.b.program[self.b.primal];
        !own.internals.is_empty() || matches!(own.parent, ParentUnit::Procedure(_))
    }

    /// True for a variable that is of use after the procedure, and for its derivative.
    pub(super) fn outlives(&self, sym: SymId) -> bool {
        let program = &self.b.program;
        match self.b.shadow.iter().find(|(_, s)| **s == sym) {
            Some((primal, _)) => outlives(program, self.b.primal, *primal),
            None if program[sym].scope == self.b.scope => program.var(sym).is_some_and(|v| v.dummy.is_some()),
            None => outlives(program, self.b.primal, sym),
        }
    }

    /// Local variables that hold the adjoint of a local variable.
    fn local_adjoints(&self) -> impl Iterator<Item = SymId> {
        let local = |(p, s): (&SymId, &SymId)| {
            let v = self.b.program.var(*s)?;
            let simple = !(v.attrs.allocatable || v.has_other_names());
            let own = !outlives(self.b.program, self.b.primal, *p);
            (simple && own && v.ty.is_continuous()).then_some(*s)
        };
        self.b.shadow.iter().filter_map(local)
    }

    /// Local scalars whose value is never used outside the iteration that assigns it; `used` are used somewhere before
    /// they are assigned.
    fn private_scalars(&self, body: &[Stmt], used: &BTreeSet<SymId>) -> BTreeSet<SymId> {
        let fine = |s: &SymId| {
            self.b.program.var(*s).is_some_and(|v| {
                v.rank() == 0
                    && !(v.attrs.save || v.attrs.allocatable || v.has_other_names())
                    && matches!(v.ty.base, Base::Real | Base::Integer | Base::Logical)
                    && !used.contains(s)
                    && !self.outlives(*s)
            })
        };
        costate_analysis::loops::assigned(body).into_iter().filter(fine).collect()
    }

    fn distribute_in(&mut self, block: Vec<Stmt>, private: &BTreeSet<SymId>) -> Vec<Stmt> {
        let mut out = Vec::new();
        for mut s in block {
            if let Some(loops) = distribute(self.b, &s, private, self.passes.has(Pass::Peeling)) {
                out.extend(loops);
                continue;
            }
            if matches!(s.kind, StmtKind::Directive { .. }) {
                // A directive governs the loop as it stands.
                out.push(s);
                continue;
            }
            for inner in s.blocks_mut() {
                let stmts = std::mem::take(inner);
                *inner = self.distribute_in(stmts, private);
            }
            out.push(s);
        }
        out
    }
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

/// Symbols whose value may be used where the block (a loop's body, an arm of a branch) did not assign it before, nor those
/// around it, or after a loop that assigns it.
pub(super) fn exposed(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    scan(block, &mut BTreeSet::new(), &mut out);
    out
}

fn scan(block: &[Stmt], defined: &mut BTreeSet<SymId>, out: &mut BTreeSet<SymId>) {
    for s in block {
        let mut read = |e: &Expr, defined: &BTreeSet<SymId>| {
            out.extend(symbols(e).into_iter().filter(|x| !defined.contains(x)));
        };
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                read(rhs, defined);
                lhs.children().into_iter().for_each(|e| read(e, defined));
                match lhs.as_var() {
                    Some(d) if d.parts.is_empty() => {
                        defined.insert(d.sym);
                    }
                    Some(_) => {}
                    None => read(lhs, defined),
                }
            }
            StmtKind::Do { control, body, .. } => {
                s.exprs().into_iter().for_each(|e| read(e, defined));
                if let LoopControl::While(cond) = control {
                    // It is evaluated after each iteration too.
                    read(cond, &BTreeSet::new());
                }
                let assigned = costate_analysis::loops::assigned(body);
                // What the loop doesn't change is in each iteration what it was before.
                defined.retain(|x| !assigned.contains(x));
                let mut inner = defined.clone();
                if let LoopControl::Count { var, .. } = control {
                    inner.insert(*var);
                    defined.remove(var);
                }
                scan(body, &mut inner, out);
            }
            StmtKind::If { arms, otherwise, .. } => {
                s.exprs().into_iter().for_each(|e| read(e, defined));
                let mut after = otherwise.is_none().then(|| defined.clone());
                for body in arms.iter().map(|a| &a.body).chain(otherwise) {
                    let mut own = defined.clone();
                    scan(body, &mut own, out);
                    after = Some(match after {
                        None => own,
                        Some(a) => a.intersection(&own).copied().collect(),
                    });
                }
                *defined = after.unwrap_or_default();
            }
            _ => {
                s.exprs().into_iter().for_each(|e| {
                    read(e, defined);
                    symbols(e).iter().for_each(|x| {
                        defined.remove(x);
                    });
                });
                if let StmtKind::Select { arms, .. } = &s.kind {
                    for range in arms.iter().flat_map(|a| &a.ranges) {
                        match range {
                            costate_grammar::ir::CaseRange::Value(e) => read(e, defined),
                            costate_grammar::ir::CaseRange::Range(a, b) => {
                                a.iter().chain(b).for_each(|e| read(e, defined));
                            }
                        }
                    }
                }
                for body in s.blocks() {
                    let assigned = costate_analysis::loops::assigned(body);
                    scan(body, &mut BTreeSet::new(), out);
                    defined.retain(|x| !assigned.contains(x));
                }
            }
        }
    }
}
