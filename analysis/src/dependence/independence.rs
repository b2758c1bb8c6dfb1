//! What the statements of an innermost loop of the backward sweep do to each other across iterations.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::affine::difference;
use crate::loops::assigned;
use crate::storage::{any_symbol, has_symbol};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Callee, Designator, Expr, ExprKind, Part, Program, Stmt, StmtId, StmtKind, Subscript, SymId, Variable,
    for_each_expr,
};
use costate_grammar::operators::BinaryOp;

use crate::dependence::meeting;

/// How a variable that the body assigns is used in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// A scalar that every iteration assigns before it uses it.
    Private,
    /// No two iterations touch the same element.
    Own,
    /// It is only incremented, by amounts that don't depend on it: the order of the increments doesn't matter.
    Increments,
}

/// A scalar or an array; of an array whose references lie at several places in the dimensions in which the loop stands
/// still, what lies at one of them, where these places are apart: `a(i, j-1)` and `a(i, j)` in a loop over `i`.
pub type Line = (SymId, usize);

/// A body of assignments whose iterations may run in any order (sums may differ in rounding).
pub struct Body<'a> {
    /// Its assignments.
    pub parts: Vec<Assignment<'a>>,
    /// How each assigned variable is used.
    pub uses: BTreeMap<Line, Use>,
}

impl Body<'_> {
    /// True when it assigns a variable.
    pub fn assigns(&self, sym: SymId) -> bool {
        self.uses.keys().any(|l| l.0 == sym)
    }

    /// Statements with the assignments of private scalars that they use, in order.
    pub fn slice(&self, start: Vec<usize>) -> Vec<usize> {
        let mut work = start.clone();
        let mut out: BTreeSet<usize> = start.into_iter().collect();
        while let Some(i) = work.pop() {
            let private = self.parts[i].reads.iter().filter(|l| self.uses.get(l) == Some(&Use::Private));
            for k in private.flat_map(|line| self.reaching(*line, i)) {
                if out.insert(k) {
                    work.push(k);
                }
            }
        }
        out.into_iter().collect()
    }

    /// The assignments before statement `i` that may give something the value that it has there.
    fn reaching(&self, line: Line, i: usize) -> Vec<usize> {
        let around = &self.parts[i].around;
        let mut out = Vec::new();
        for k in (0..i).rev().filter(|k| self.parts[*k].target == line) {
            if self.parts[k].excludes(&self.parts[i]) {
                continue;
            }
            out.push(k);
            if around.starts_with(&self.parts[k].around) {
                break;
            }
        }
        out
    }
}

/// One assignment.
pub struct Assignment<'a> {
    /// The statement.
    pub stmt: &'a Stmt,
    /// Its left side.
    pub lhs: &'a Designator,
    /// What it assigns.
    pub target: Line,
    /// The blocks of branches around it, outermost first: the branch, and which of its blocks.
    pub around: Vec<(StmtId, usize)>,
    /// What it reads, for subscripts of the left side and conditions around it too.
    pub reads: BTreeSet<Line>,
    /// All references in it and in these conditions.
    pub refs: Vec<(Line, &'a Designator)>,
    /// It adds to its left side.
    pub increment: bool,
}

impl Assignment<'_> {
    /// True when no iteration makes both assignments: they stand in different blocks of a branch.
    pub fn excludes(&self, other: &Assignment<'_>) -> bool {
        self.around.iter().any(|(s, block)| other.around.iter().any(|(t, b)| s == t && block != b))
    }
}

/// Analyses the body of a loop, or of a nest of loops, over `vars`; `None` when the order of iterations may matter or isn't
/// understood. `private` are the scalars whose value is never used outside the iteration that assigns it.
pub fn analyse<'a>(program: &Program, body: &'a [Stmt], vars: &[SymId], private: &BTreeSet<SymId>) -> Option<Body<'a>> {
    used(assignments(program, body, vars)?, vars, private)
}

/// The same of a body in which assignments may stand in branches whose conditions have the same value wherever they stand
/// in an iteration, once the private scalars that they use are assigned.
pub fn analyse_in_branches<'a>(
    program: &Program,
    body: &'a [Stmt],
    vars: &[SymId],
    private: &BTreeSet<SymId>,
) -> Option<Body<'a>> {
    let mut parts = Vec::new();
    flatten(program, body, &Around::default(), &mut parts)?;
    let out = used(referring(body, &parts, vars)?, vars, private)?;
    let steady = |at: &Around<'_>| {
        at.conds.iter().flat_map(|c| references(c.1)).all(|d| {
            let inside = |p: &Assignment<'_>| p.around.iter().any(|b| at.conds.iter().any(|c| c.0 == b.0));
            let mut assigning = out.parts.iter().filter(|p| p.target.0 == d.sym);
            assigning.all(|p| out.uses.get(&p.target) == Some(&Use::Private) && !inside(p))
        })
    };
    parts.iter().all(|(_, at)| steady(at)).then_some(out)
}

fn used<'a>(parts: Vec<Assignment<'a>>, vars: &[SymId], private: &BTreeSet<SymId>) -> Option<Body<'a>> {
    let mut uses = BTreeMap::new();
    for line in parts.iter().map(|p| p.target) {
        if let Entry::Vacant(free) = uses.entry(line) {
            free.insert(usage(&parts, line, vars, private)?);
        }
    }
    Some(Body { parts, uses })
}

/// The assignments of such a body; `None` when there is anything else in it, or the variable of a loop is assigned.
pub fn assignments<'a>(program: &Program, body: &'a [Stmt], vars: &[SymId]) -> Option<Vec<Assignment<'a>>> {
    if !body.iter().all(|s| simple(program, s)) {
        return None;
    }
    let parts: Vec<_> = body.iter().map(|s| (s, Around::default())).collect();
    referring(body, &parts, vars)
}

/// The branches around a statement: the blocks, outermost first, and the conditions with what they stand in.
#[derive(Clone, Default)]
struct Around<'a> {
    blocks: Vec<(StmtId, usize)>,
    conds: Vec<(StmtId, &'a Expr)>,
}

/// The assignments of a block and of the branches in it; `None` when there is anything else.
fn flatten<'a>(
    program: &Program,
    block: &'a [Stmt],
    at: &Around<'a>,
    out: &mut Vec<(&'a Stmt, Around<'a>)>,
) -> Option<()> {
    for s in block {
        if simple(program, s) {
            out.push((s, at.clone()));
            continue;
        }
        let branch = matches!(s.kind, StmtKind::If { .. } | StmtKind::Select { .. });
        (branch && !s.blocks().is_empty() && s.exprs().into_iter().all(|e| elemental(program, e))).then_some(())?;
        for (k, inner) in s.blocks().into_iter().enumerate() {
            let mut at = at.clone();
            at.blocks.push((s.id, k));
            at.conds.extend(s.exprs().into_iter().map(|e| (s.id, e)));
            flatten(program, inner, &at, out)?;
        }
    }
    Some(())
}

/// What assignments of a body refer to.
fn referring<'a>(body: &'a [Stmt], parts: &[(&'a Stmt, Around<'a>)], vars: &[SymId]) -> Option<Vec<Assignment<'a>>> {
    let conds = parts.iter().flat_map(|(_, at)| at.conds.iter().map(|c| c.1));
    let lines = Lines::of(assigned(body), parts.iter().flat_map(|(s, _)| s.exprs()).chain(conds), vars);
    (!vars.iter().any(|v| lines.written.contains(v))).then_some(())?;
    parts.iter().map(|(s, at)| lines.part(s, at)).collect()
}

/// True when an array is only referred to by elements that belong to one iteration of the loop over `var`.
pub fn own_elements(body: &Body<'_>, line: Line, var: SymId) -> bool {
    separates(&body.parts, line, var, &[var])
}

/// The assignments that assign or read something.
fn touching<'p, 'a>(parts: &'p [Assignment<'a>], line: Line) -> impl Iterator<Item = &'p Assignment<'a>> {
    parts.iter().filter(move |p| p.target == line || p.reads.contains(&line))
}

/// True for an assignment of a number whose evaluation is plain arithmetic.
pub fn simple(program: &Program, stmt: &Stmt) -> bool {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return false };
    let number = lhs.as_var().is_some() && lhs.rank == 0 && !lhs.is_derived();
    number && plain(program, lhs) && plain(program, rhs)
}

/// True for an assignment of a number that is elemental in what it reads; `fits` says of which variables.
pub fn elementwise(program: &Program, stmt: &Stmt, fits: &dyn Fn(&Variable) -> bool) -> bool {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return false };
    let elemental = |e: &Expr| elemental_in(program, e, fits);
    lhs.as_var().is_some() && !lhs.is_derived() && elemental(lhs) && elemental(rhs)
}

/// The subscripts of a reference that stand still.
type Place<'a> = Vec<Option<&'a Expr>>;

/// The lines of the arrays that a body assigns.
struct Lines<'a, 'v> {
    /// What is assigned.
    written: BTreeSet<SymId>,
    vars: &'v [SymId],
    /// The places of arrays that have several, all apart.
    places: BTreeMap<SymId, Vec<Place<'a>>>,
}

impl<'a, 'v> Lines<'a, 'v> {
    fn of(written: BTreeSet<SymId>, exprs: impl Iterator<Item = &'a Expr>, vars: &'v [SymId]) -> Lines<'a, 'v> {
        let mut out = Lines { written, vars, places: BTreeMap::new() };
        let mut places: BTreeMap<SymId, Vec<Place<'a>>> = BTreeMap::new();
        for d in exprs.flat_map(references).filter(|d| out.written.contains(&d.sym)) {
            let (list, place) = (places.entry(d.sym).or_default(), out.place(d));
            if !list.contains(&place) {
                list.push(place);
            }
        }
        let apart = |a: &Place<'_>, b: &Place<'_>| {
            a.iter().zip(b).any(|p| matches!(p, (Some(x), Some(y)) if difference(x, y).is_some_and(|d| d != 0)))
        };
        places.retain(|_, list| (1..list.len()).all(|k| list[..k].iter().all(|other| apart(other, &list[k]))));
        out.places = places;
        out
    }

    fn place<'e>(&self, d: &'e Designator) -> Place<'e> {
        let moves = |x: &SymId| self.vars.contains(x) || self.written.contains(x);
        let still = |s: &'e Subscript| match s {
            Subscript::Index(e) => (!any_symbol(e, |s| moves(&s))).then_some(e),
            Subscript::Range { .. } => None,
        };
        d.subscripts().map(still).collect()
    }

    fn line(&self, d: &Designator) -> Line {
        let place = self.places.get(&d.sym).and_then(|list| list.iter().position(|p| *p == self.place(d)));
        (d.sym, place.unwrap_or(0))
    }

    fn part(&self, stmt: &'a Stmt, at: &Around<'a>) -> Option<Assignment<'a>> {
        let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return None };
        let d = lhs.as_var()?;
        let target = self.line(d);
        let mut refs: Vec<(Line, &Designator)> = lhs
            .children()
            .into_iter()
            .chain([rhs])
            .chain(at.conds.iter().map(|c| c.1))
            .flat_map(references)
            .map(|d| (self.line(d), d))
            .collect();
        let reads: BTreeSet<Line> = refs.iter().map(|r| r.0).collect();
        let once = refs.iter().filter(|r| r.0 == target).count() == 1;
        refs.push((target, d));
        let around = at.blocks.clone();
        Some(Assignment {
            stmt,
            lhs: d,
            target,
            around,
            reads,
            refs,
            increment: once && increments(lhs, rhs).is_some(),
        })
    }
}

/// All references to variables in an expression.
fn references(e: &Expr) -> Vec<&Designator> {
    let mut out: Vec<&Designator> = e.as_var().into_iter().collect();
    out.extend(e.children().into_iter().flat_map(references));
    out
}

/// True for scalar expressions of variables without pointers and components, and of elemental intrinsics that are cheap
/// enough to be evaluated twice.
pub fn plain(program: &Program, e: &Expr) -> bool {
    let mut all = true;
    for_each_expr(e, &mut |x| {
        all &= !matches!(&x.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if !cheap(*f));
    });
    all && elemental(program, e)
}

/// True for scalar expressions of variables without pointers and components, and of elemental intrinsics.
pub fn elemental(program: &Program, e: &Expr) -> bool {
    elemental_in(program, e, &|v| !v.has_other_names())
}

/// True for scalar expressions of variables without components for which `fits` holds, and of elemental intrinsics.
pub fn elemental_in(program: &Program, e: &Expr, fits: &dyn Fn(&Variable) -> bool) -> bool {
    let mut fine = true;
    for_each_expr(e, &mut |x| {
        fine &= x.rank == 0
            && match &x.kind {
                ExprKind::Var(d) => program.var(d.sym).is_some_and(|v| {
                    fits(v)
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

/// What `rhs` adds to `lhs` (or takes from it); `None` for another assignment.
pub fn increments<'e>(lhs: &Expr, rhs: &'e Expr) -> Option<Vec<&'e Expr>> {
    let mut first = rhs;
    let mut out = Vec::new();
    while let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = &first.kind {
        out.push(&**b);
        first = a;
    }
    (first == lhs && !out.is_empty()).then_some(out)
}

/// How a line is used; `None` when the order of iterations may matter to it.
pub fn usage(parts: &[Assignment<'_>], line: Line, vars: &[SymId], private: &BTreeSet<SymId>) -> Option<Use> {
    let touching: Vec<&Assignment<'_>> = touching(parts, line).collect();
    let written = |x: &SymId| parts.iter().any(|p| p.target.0 == *x);
    let stands = |d: &Designator| {
        d.subscripts().all(|s| match s {
            Subscript::Index(e) => !any_symbol(e, |s| written(&s)),
            Subscript::Range { .. } => false,
        })
    };
    if touching.iter().all(|p| p.increment && p.target == line && stands(p.lhs)) {
        return Some(Use::Increments);
    }
    let first = touching.first()?;
    if first.lhs.parts.is_empty() && first.target == line {
        return (private.contains(&line.0) && !first.reads.contains(&line)).then_some(Use::Private);
    }
    vars.iter().all(|v| separates(parts, line, *v, vars)).then_some(Use::Own)
}

/// True when no element that one iteration of the loop over `var` assigns is touched by another one.
fn separates(parts: &[Assignment<'_>], line: Line, var: SymId, vars: &[SymId]) -> bool {
    let moving = parts.iter().map(|p| p.target.0).chain(vars.iter().copied()).collect();
    let refs = |p: &Assignment<'_>, d| p.refs.iter().filter(|r| r.0 == line).all(|r| alone(d, r.1, var, &moving));
    parts.iter().filter(|p| p.target == line).all(|w| touching(parts, line).all(|p| refs(p, w.lhs)))
}

fn alone(a: &Designator, b: &Designator, var: SymId, moving: &BTreeSet<SymId>) -> bool {
    meeting(a, b, var, moving).in_one_iteration()
}

/// The subscripts of a reference that change with the loop.
pub fn moving(d: &Designator, var: SymId) -> Vec<(usize, &Expr)> {
    let changes = |e: &Expr| has_symbol(e, var);
    d.subscripts()
        .enumerate()
        .filter_map(|(i, s)| match s {
            Subscript::Index(e) if changes(e) => Some((i, e)),
            Subscript::Index(_) | Subscript::Range { .. } => None,
        })
        .collect()
}
