//! Arrays that a loop nest assigns from end to end: what they held before is of no use afterwards.

use std::collections::BTreeSet;

use costate_grammar::directives::{ClauseKind, DefaultKind};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Callee, Dim, Expr, ExprKind, Governing, LoopControl, Part, Program, Stmt, StmtKind, Subscript, SymId, Variable,
};

use costate_grammar::lower::integer;

use crate::loops::{assigned, exit_flag};
use crate::storage::symbols;

/// An element, or a line or plane of elements, that is assigned for sure.
#[derive(Clone, Debug, PartialEq)]
struct Assigned {
    sym: SymId,
    /// `None` for a dimension that is covered.
    at: Vec<Option<Expr>>,
}

/// Arrays of which a loop assigns every element, whatever its trip count. `changing` are the variables that may have
/// another value than where the arrays were declared. The loop is in normal form.
pub fn of_loop(program: &Program, stmt: &Stmt, changing: &BTreeSet<SymId>) -> BTreeSet<SymId> {
    let found = Covers { program, changing }.of(stmt);
    found.into_iter().filter(|a| a.at.iter().all(Option::is_none)).map(|a| a.sym).collect()
}

/// Variables of which a region, or a loop whose iterations are shared out, assigns every element.
pub fn of_region(program: &Program, stmt: &Stmt, changing: &BTreeSet<SymId>) -> BTreeSet<SymId> {
    let mut out = of_loop(program, stmt, changing);
    if let [d] = stmt.governing()[..]
        && !matches!(stmt.kind, StmtKind::Do { .. })
    {
        for s in stmt.blocks().into_iter().flatten() {
            out.extend(if s.is_region() { of_region(program, s, changing) } else { of_loop(program, s, changing) });
            out.extend(whole(program, s));
        }
        out.retain(|x| shares(program, d, *x));
    }
    out
}

/// The array that a statement assigns as a whole.
fn whole(program: &Program, s: &Stmt) -> Option<SymId> {
    let StmtKind::Assign { lhs, .. } = &s.kind else { return None };
    let d = lhs.as_var().filter(|d| d.parts.is_empty() && !lhs.is_derived())?;
    let plain = |v: &Variable| !(v.attrs.pointer || v.attrs.allocatable || v.attrs.target || v.equivalenced);
    program.var(d.sym).is_some_and(plain).then_some(d.sym)
}

struct Covers<'a> {
    program: &'a Program,
    changing: &'a BTreeSet<SymId>,
}

impl Covers<'_> {
    /// What a statement assigns for sure.
    fn of(&self, stmt: &Stmt) -> Vec<Assigned> {
        match &stmt.kind {
            StmtKind::Assign { lhs, .. } => element(lhs).into_iter().collect(),
            StmtKind::If { arms, otherwise: Some(last), .. } => {
                self.common(arms.iter().map(|a| a.body.as_slice()).chain([last.as_slice()]))
            }
            StmtKind::Select { arms, .. } if arms.iter().any(|a| a.ranges.is_empty()) => {
                self.common(arms.iter().map(|a| a.body.as_slice()))
            }
            StmtKind::Do { control, body, parallel, .. } => {
                let mut out = self.of_counted(control, body);
                let directives = parallel.iter().flat_map(|p| &p.directives);
                directives.for_each(|d| out.retain(|a| shares(self.program, d.governing(), a.sym)));
                out
            }
            _ => Vec::new(),
        }
    }

    /// What each of some blocks assigns.
    fn common<'b>(&self, blocks: impl Iterator<Item = &'b [Stmt]>) -> Vec<Assigned> {
        let each = blocks.map(|b| b.iter().flat_map(|s| self.of(s)).collect::<Vec<_>>());
        each.reduce(|a, b| a.into_iter().filter(|x| b.contains(x)).collect()).unwrap_or_default()
    }

    fn of_counted(&self, control: &LoopControl, body: &[Stmt]) -> Vec<Assigned> {
        let LoopControl::Count { var, lo, hi, step } = control else { return Vec::new() };
        let (lo, hi) = match step.as_ref().map(Expr::as_int) {
            None | Some(Some(1)) => (lo, hi),
            Some(Some(-1)) => (hi, lo),
            Some(_) => return Vec::new(),
        };
        if exit_flag(body).is_some() || !runs_through(body) || assigned(body).contains(var) {
            return Vec::new();
        }
        let mut out: Vec<Assigned> = Vec::new();
        for a in body.iter().flat_map(|s| self.of(s)) {
            let covered = a.at.iter().all(Option::is_none);
            let Some(a) = (if covered { None } else { self.extend(a, *var, lo, hi) }) else { continue };
            if !out.contains(&a) {
                out.push(a);
            }
        }
        out
    }

    /// What is assigned when `var` runs from `lo` to `hi`: the dimension it indexes is covered when that is its whole
    /// extent.
    fn extend(&self, a: Assigned, var: SymId, lo: &Expr, hi: &Expr) -> Option<Assigned> {
        let v = self.program.var(a.sym)?;
        if v.attrs.pointer || v.attrs.allocatable || v.attrs.target || v.equivalenced || v.dims.len() != a.at.len() {
            return None;
        }
        let using: Vec<usize> =
            (0..a.at.len()).filter(|k| a.at[*k].as_ref().is_some_and(|e| symbols(e).contains(&var))).collect();
        let [k] = using[..] else { return None };
        let own = a.at[k].as_ref().and_then(Expr::as_var).is_some_and(|d| d.sym == var && d.parts.is_empty());
        if !(own && self.whole_extent(a.sym, v, k, lo, hi)) {
            return None;
        }
        let mut at = a.at;
        at[k] = None;
        Some(Assigned { sym: a.sym, at })
    }

    /// True when a dimension goes from `lo` to `hi`.
    fn whole_extent(&self, sym: SymId, v: &Variable, k: usize, lo: &Expr, hi: &Expr) -> bool {
        let starts = |first: &Option<Expr>| match first {
            Some(f) => self.same(f, lo) && self.fixed(lo),
            None => integer(self.program, lo) == Some(1),
        };
        match &v.dims[k] {
            Dim::Explicit(first, last) => starts(first) && self.same(last, hi) && self.fixed(hi),
            Dim::Assumed(None) => integer(self.program, lo) == Some(1) && is_size(hi, sym, k, v.dims.len()),
            Dim::Assumed(Some(_)) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => false,
        }
    }

    fn same(&self, a: &Expr, b: &Expr) -> bool {
        a.unparen() == b.unparen() || integer(self.program, a).is_some_and(|n| integer(self.program, b) == Some(n))
    }

    fn fixed(&self, e: &Expr) -> bool {
        !symbols(e).iter().any(|s| self.changing.contains(s))
            && matches!(e.unparen().kind, ExprKind::Int { .. } | ExprKind::Var(_) | ExprKind::Binary(..))
            && !has_call(e)
    }
}

/// True where a variable in what a directive governs is the one outside: it says so, or says nothing of it.
fn shares(program: &Program, d: Governing<'_>, sym: SymId) -> bool {
    let own = |k: &ClauseKind| matches!(k, ClauseKind::Default(DefaultKind::Private | DefaultKind::FirstPrivate));
    let unnamed = !d.names.contains(&sym) && !d.directive.clauses.iter().any(|c| own(&c.kind));
    unnamed || d.shared(program).contains(&sym)
}

/// True when no statement of a block leaves it, save by what [`exit_flag`] finds.
fn runs_through(block: &[Stmt]) -> bool {
    block.iter().all(|s| match &s.kind {
        StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return | StmtKind::Goto(_) => false,
        StmtKind::Do { body, .. } if exit_flag(body).is_some() => true,
        _ => s.blocks().into_iter().all(|b| runs_through(b)),
    })
}

fn element(lhs: &Expr) -> Option<Assigned> {
    let d = lhs.as_var()?;
    let [Part::Subscripts(list)] = d.parts.as_slice() else { return None };
    let index = |s: &Subscript| match s {
        Subscript::Index(e) if e.rank == 0 => Some(Some(e.unparen().clone())),
        Subscript::Range { lo: None, hi: None, step: None } => Some(None),
        Subscript::Index(_) | Subscript::Range { .. } => None,
    };
    (!lhs.is_derived()).then_some(())?;
    Some(Assigned { sym: d.sym, at: list.iter().map(index).collect::<Option<_>>()? })
}

/// True for the size of a dimension of an array, which begins at 1.
fn is_size(e: &Expr, sym: SymId, k: usize, rank: usize) -> bool {
    let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Size | Intrinsic::Ubound), args } = &e.unparen().kind
    else {
        return false;
    };
    let of = args.first().and_then(|a| a.value.as_var()).is_some_and(|d| d.sym == sym && d.parts.is_empty());
    let along = match args.get(1..) {
        Some([]) => rank == 1 && e.rank == 0,
        Some([dim]) => dim.value.as_int() == i64::try_from(k + 1).ok(),
        _ => false,
    };
    of && along
}

fn has_call(e: &Expr) -> bool {
    let mut found = false;
    costate_grammar::ir::for_each_expr(e, &mut |x| {
        found |= matches!(x.kind, ExprKind::Call { .. } | ExprKind::Opaque(_))
    });
    found
}
