//! What the statements of an innermost loop of the backward sweep do to each other across iterations.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::slope;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Callee, Designator, Expr, ExprKind, Part, Program, Stmt, StmtKind, Subscript, SymId, for_each_expr,
};
use costate_grammar::operators::BinaryOp;

/// How a variable that the body assigns is used in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// A scalar that every iteration assigns before it uses it.
    Private,
    /// No two iterations touch the same element: every access has the same subscript in a dimension that moves with the
    /// loop.
    Own,
    /// It is only incremented, by amounts that don't depend on it: the order of the increments doesn't matter.
    Increments,
}

/// A body of assignments whose iterations may run in any order (sums may differ in rounding).
pub(super) struct Body<'a> {
    /// Its assignments.
    pub(super) parts: Vec<Assignment<'a>>,
    /// How each assigned variable is used.
    pub(super) uses: BTreeMap<SymId, Use>,
}

/// One assignment.
pub(super) struct Assignment<'a> {
    /// The statement.
    pub(super) stmt: &'a Stmt,
    /// Its left side.
    pub(super) lhs: &'a Designator,
    /// Symbols that it reads, those in subscripts of the left side included.
    pub(super) reads: BTreeSet<SymId>,
    /// It adds to its left side.
    pub(super) increment: bool,
}

/// Analyses the body of a loop, or of a nest of loops, over `vars`; `None` when the order of iterations may matter or isn't
/// understood. `private` are the scalars whose value is never used outside the iteration that assigns it.
pub(super) fn analyse<'a>(
    program: &Program,
    body: &'a [Stmt],
    vars: &[SymId],
    private: &BTreeSet<SymId>,
) -> Option<Body<'a>> {
    let parts: Vec<Assignment<'a>> = body.iter().map(|s| part(program, s)).collect::<Option<_>>()?;
    let written: BTreeSet<SymId> = parts.iter().map(|p| p.lhs.sym).collect();
    if vars.iter().any(|v| written.contains(v)) {
        return None;
    }
    let mut uses = BTreeMap::new();
    for &sym in &written {
        uses.insert(sym, usage(&parts, sym, vars, &written, private)?);
    }
    Some(Body { parts, uses })
}

/// True when an array is only referred to by elements that belong to one iteration of the loop over `var`.
pub(super) fn own_elements(body: &Body<'_>, sym: SymId, var: SymId) -> bool {
    let touching: Vec<&Assignment<'_>> =
        body.parts.iter().filter(|p| p.lhs.sym == sym || p.reads.contains(&sym)).collect();
    body.parts.iter().find(|p| p.lhs.sym == sym).is_some_and(|p| separates(&touching, p.lhs, var, &[var]))
}

/// True for an assignment of a number whose evaluation is plain arithmetic.
pub(super) fn simple(program: &Program, stmt: &Stmt) -> bool {
    part(program, stmt).is_some()
}

/// True for an assignment of a number that is elemental in what it reads.
pub(super) fn elementwise(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return false };
    lhs.as_var().is_some() && !lhs.is_derived() && elemental(program, lhs) && elemental(program, rhs)
}

fn part<'a>(program: &Program, stmt: &'a Stmt) -> Option<Assignment<'a>> {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return None };
    let d = lhs.as_var()?;
    if lhs.rank > 0 || lhs.is_derived() || !plain(program, lhs) || !plain(program, rhs) {
        return None;
    }
    let mut reads = symbols(rhs);
    d.subscripts().for_each(|s| {
        if let Subscript::Index(e) = s {
            reads.extend(symbols(e));
        }
    });
    Some(Assignment { stmt, lhs: d, reads, increment: is_increment(lhs, rhs) })
}

/// True for scalar expressions of variables without pointers and components, and of elemental intrinsics that are cheap
/// enough to be evaluated twice.
pub(super) fn plain(program: &Program, e: &Expr) -> bool {
    let mut all = true;
    for_each_expr(e, &mut |x| {
        all &= !matches!(&x.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if !cheap(*f));
    });
    all && elemental(program, e)
}

/// True for scalar expressions of variables without pointers and components, and of elemental intrinsics.
fn elemental(program: &Program, e: &Expr) -> bool {
    let mut fine = true;
    for_each_expr(e, &mut |x| {
        fine &= x.rank == 0
            && match &x.kind {
                ExprKind::Var(d) => program.var(d.sym).is_some_and(|v| {
                    let a = &v.attrs;
                    !(a.pointer || a.target || a.volatile || v.equivalenced)
                        && match d.parts.as_slice() {
                            [] => true,
                            [Part::Subscripts(list)] => list.iter().all(|s| matches!(s, Subscript::Index(_))),
                            _ => false,
                        }
                }),
                ExprKind::Call { callee: Callee::Intrinsic(f), .. } => f.class() == Class::Elemental,
                ExprKind::Int { .. }
                | ExprKind::Real { .. }
                | ExprKind::Logical { .. }
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Paren(_) => true,
                ExprKind::Call { .. }
                | ExprKind::ComplexLit(..)
                | ExprKind::Str(_)
                | ExprKind::Boz(_)
                | ExprKind::ArrayCtor { .. }
                | ExprKind::StructCtor { .. }
                | ExprKind::ProcRef(_)
                | ExprKind::Opaque(_) => false,
            };
    });
    fine
}

fn cheap(f: Intrinsic) -> bool {
    f.class() == Class::Elemental
        && matches!(
            f,
            Intrinsic::Abs | Intrinsic::Max | Intrinsic::Min | Intrinsic::Sign | Intrinsic::Merge | Intrinsic::Sqrt
        )
}

/// `x + ...` with `x` nowhere else.
fn is_increment(lhs: &Expr, rhs: &Expr) -> bool {
    let Some(d) = lhs.as_var() else { return false };
    let mut first = rhs;
    while let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, _) = &first.kind {
        first = a;
    }
    first != rhs && first == lhs && mentions(rhs, d.sym) == 1 && !lhs.children().iter().any(|s| mentions(s, d.sym) > 0)
}

fn mentions(e: &Expr, sym: SymId) -> usize {
    let mut count = 0;
    for_each_expr(e, &mut |x| count += usize::from(x.as_var().is_some_and(|d| d.sym == sym)));
    count
}

fn usage(
    parts: &[Assignment<'_>],
    sym: SymId,
    vars: &[SymId],
    written: &BTreeSet<SymId>,
    private: &BTreeSet<SymId>,
) -> Option<Use> {
    let touching: Vec<&Assignment<'_>> = parts.iter().filter(|p| p.lhs.sym == sym || p.reads.contains(&sym)).collect();
    let stands = |d: &Designator| {
        d.subscripts().all(|s| match s {
            Subscript::Index(e) => !symbols(e).iter().any(|x| written.contains(x)),
            Subscript::Range { .. } => false,
        })
    };
    if touching.iter().all(|p| p.increment && p.lhs.sym == sym && stands(p.lhs)) {
        return Some(Use::Increments);
    }
    let first = touching.first()?;
    if first.lhs.parts.is_empty() && first.lhs.sym == sym {
        return (private.contains(&sym) && !first.reads.contains(&sym)).then_some(Use::Private);
    }
    let d = parts.iter().find(|p| p.lhs.sym == sym)?.lhs;
    let own = vars.iter().all(|v| separates(&touching, d, *v, vars));
    (own && stands(d)).then_some(Use::Own)
}

/// True when all references to an array have the same subscript as `d` in a dimension that moves with `var` and with no
/// other of the loops.
fn separates(touching: &[&Assignment<'_>], d: &Designator, var: SymId, vars: &[SymId]) -> bool {
    let index = |d: &Designator, k: usize| match d.subscripts().nth(k) {
        Some(Subscript::Index(e)) => Some(e.clone()),
        Some(Subscript::Range { .. }) | None => None,
    };
    (0..d.subscripts().count()).any(|k| {
        let Some(e) = index(d, k) else { return false };
        let others = symbols(&e).iter().any(|s| *s != var && vars.contains(s));
        let mut fine = !others && slope(&e, var).is_some_and(|k| k != 0);
        for x in touching.iter().flat_map(|p| p.stmt.exprs()) {
            for_each_expr(x, &mut |x| {
                fine &= x.as_var().is_none_or(|o| o.sym != d.sym || index(o, k).as_ref() == Some(&e));
            });
        }
        fine
    })
}

/// The subscripts of a reference that change with the loop.
pub(super) fn moving(d: &Designator, var: SymId) -> Vec<(usize, &Expr)> {
    let changes = |e: &Expr| symbols(e).contains(&var);
    d.subscripts()
        .enumerate()
        .filter_map(|(i, s)| match s {
            Subscript::Index(e) if changes(e) => Some((i, e)),
            Subscript::Index(_) | Subscript::Range { .. } => None,
        })
        .collect()
}
