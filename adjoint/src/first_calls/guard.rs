//! The condition of a set-up: which variables that keep their value it asks, and that they are settled afterwards.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Expr, ExprKind, Program, Stmt, StmtId, StmtKind, SymId, for_each_stmt};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use costate_analysis::storage::symbols;

use super::set_up::assigned;

/// A condition and the statements that it governs.
pub(super) struct Guard<'p> {
    pub program: &'p Program,
    /// What comes before the condition in its list.
    pub before: &'p [Stmt],
    pub block: &'p [Stmt],
    /// Variables that keep their value.
    pub saved: &'p BTreeSet<SymId>,
}

/// What a condition asks, where it is true in the first call and false in later ones, but for other keys.
#[derive(Default)]
pub(super) struct Settled {
    /// The variables that say whether the set-up was made, and for which keys.
    pub flags: BTreeSet<SymId>,
    /// The variables for whose values the set-up is made.
    pub keys: BTreeSet<SymId>,
    /// The statements of the set-up that settle the flags.
    pub ends: BTreeSet<StmtId>,
    /// The statement that counts calls.
    pub counts: Option<StmtId>,
}

/// A value that a flag is compared with.
#[derive(Clone, Copy, PartialEq)]
enum Constant {
    Logical(bool),
    Int(i64),
}

impl Guard<'_> {
    pub(super) fn settled(&self, cond: &Expr) -> Option<Settled> {
        let mut out = Settled::default();
        self.add(cond, &mut out)?;
        Some(out)
    }

    fn add(&self, cond: &Expr, out: &mut Settled) -> Option<()> {
        match &cond.unparen().kind {
            ExprKind::Var(_) => self.flag(self.kept(cond)?, &|c| c == Constant::Logical(true), out),
            ExprKind::Unary(UnaryOp::Not, a) => match self.kept(a) {
                Some(sym) => self.flag(sym, &|c| c == Constant::Logical(false), out),
                None => self.memory(a),
            },
            ExprKind::Binary(BinaryOp::Or, a, b) => {
                self.add(a, out)?;
                self.add(b, out)
            }
            ExprKind::Binary(op, a, b) => match (self.kept(a), self.kept(b), constant(a), constant(b)) {
                (Some(sym), None, None, Some(with)) => self.comparison(*op, sym, with, out),
                (None, Some(sym), Some(with), None) if matches!(op, BinaryOp::Eq | BinaryOp::Ne) => {
                    self.comparison(*op, sym, with, out)
                }
                (Some(sym), None, None, None) if *op == BinaryOp::Ne => self.key(sym, b, out),
                (None, Some(sym), None, None) if *op == BinaryOp::Ne => self.key(sym, a, out),
                _ => None,
            },
            _ => None,
        }
    }

    /// A scalar that keeps its value.
    fn kept(&self, e: &Expr) -> Option<SymId> {
        self.scalar(e).filter(|s| self.saved.contains(s))
    }

    fn scalar(&self, e: &Expr) -> Option<SymId> {
        let d = e.unparen().as_var().filter(|d| d.parts.is_empty() && e.rank == 0)?;
        Some(d.sym)
    }

    fn comparison(&self, op: BinaryOp, sym: SymId, with: Constant, out: &mut Settled) -> Option<()> {
        let asks = move |c: Constant| match (op, c, with) {
            (BinaryOp::Eq, ..) => c == with,
            (BinaryOp::Ne, ..) => c != with,
            (BinaryOp::Lt, Constant::Int(a), Constant::Int(b)) => a < b,
            (BinaryOp::Le, Constant::Int(a), Constant::Int(b)) => a <= b,
            _ => false,
        };
        let comparison = matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le);
        if comparison && self.flag(sym, &asks, out).is_some() {
            return Some(());
        }
        self.count(sym, &asks, out)
    }

    /// A flag that asks for the set-up at first, and that the set-up gives a value by which it doesn't any more.
    fn flag(&self, sym: SymId, asks: &dyn Fn(Constant) -> bool, out: &mut Settled) -> Option<()> {
        let initial = constant(self.program.var(sym)?.init.as_ref()?)?;
        let (end, value) = self.last(sym)?;
        (asks(initial) && !asks(constant(value)?)).then_some(())?;
        out.ends.insert(end);
        out.flags.insert(sym);
        Some(())
    }

    /// A number of calls, counted right before, that asks for the set-up in the first one alone.
    fn count(&self, sym: SymId, asks: &dyn Fn(Constant) -> bool, out: &mut Settled) -> Option<()> {
        let Constant::Int(initial) = constant(self.program.var(sym)?.init.as_ref()?)? else { return None };
        let counts = |s: &&Stmt| match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                self.kept(lhs) == Some(sym) && is_next(rhs, &|e| self.kept(e) == Some(sym))
            }
            _ => false,
        };
        let at = self.before.iter().rposition(|s| counts(&s))?;
        let counter = &self.before[at];
        let mut leaves = false;
        for_each_stmt(&self.before[at + 1..], &mut |s| {
            leaves |= matches!(s.kind, StmtKind::Return | StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Goto(_));
        });
        if leaves {
            return None;
        }
        let settled =
            asks(Constant::Int(initial + 1)) && !asks(Constant::Int(initial + 2)) && !asks(Constant::Int(i64::MAX));
        (settled && out.counts.is_none()).then_some(())?;
        out.counts = Some(counter.id);
        out.flags.insert(sym);
        Some(())
    }

    /// A variable that has the key of the set-up that was made last: the set-up gives it the value of the variable with
    /// which it is compared.
    fn key(&self, sym: SymId, with: &Expr, out: &mut Settled) -> Option<()> {
        let key = self.scalar(with).filter(|k| self.program.var(*k).is_some_and(|v| !v.attrs.changes_unseen()))?;
        let (end, value) = self.last(sym)?;
        let assigned = assigned(self.program, self.block);
        let same = self.scalar(value) == Some(key) && self.program.var(sym)?.ty == self.program.var(key)?.ty;
        (same && !assigned.contains(&key)).then_some(())?;
        out.ends.insert(end);
        out.flags.insert(sym);
        out.keys.insert(key);
        Some(())
    }

    /// Memory that the set-up gets, and that isn't there at first.
    fn memory(&self, e: &Expr) -> Option<()> {
        let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Allocated), args } = &e.unparen().kind else {
            return None;
        };
        let sym = args.first()?.value.as_var().filter(|d| d.parts.is_empty() && self.saved.contains(&d.sym))?.sym;
        let allocates = |s: &Stmt| match &s.kind {
            StmtKind::Allocate { items, .. } => items.iter().any(|i| i.object.as_var().is_some_and(|d| d.sym == sym)),
            _ => false,
        };
        self.block.iter().any(allocates).then_some(())
    }

    /// The one statement of the set-up that mentions a variable, not inside of others: its value.
    fn last(&self, sym: SymId) -> Option<(StmtId, &Expr)> {
        let mut found = None;
        for s in self.block {
            if let StmtKind::Assign { lhs, rhs } = &s.kind
                && self.scalar(lhs) == Some(sym)
                && !symbols(rhs).contains(&sym)
            {
                if found.is_some() {
                    return None;
                }
                found = Some((s.id, rhs));
            }
        }
        found
    }
}

fn constant(e: &Expr) -> Option<Constant> {
    match &e.unparen().kind {
        ExprKind::Logical { value, .. } => Some(Constant::Logical(*value)),
        ExprKind::Int { value, .. } => Some(Constant::Int(*value)),
        ExprKind::Unary(UnaryOp::Minus, a) => match constant(a)? {
            Constant::Int(value) => Some(Constant::Int(-value)),
            Constant::Logical(_) => None,
        },
        _ => None,
    }
}

/// True for `n + 1`.
fn is_next(e: &Expr, is: &dyn Fn(&Expr) -> bool) -> bool {
    let ExprKind::Binary(BinaryOp::Add, a, b) = &e.unparen().kind else { return false };
    let one = |e: &Expr| constant(e) == Some(Constant::Int(1));
    is(a) && one(b) || one(a) && is(b)
}
