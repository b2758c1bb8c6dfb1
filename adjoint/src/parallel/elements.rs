//! Sums of what iterations add to one element, and sums over iterations where directives know none.

use std::collections::BTreeSet;

use costate_analysis::loops::step_sign;
use costate_analysis::storage::{resolve, symbols};
use costate_grammar::directives::{Clause, ClauseKind};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Block, Designator, Dim, Expr, ExprKind, IfArm, LoopControl, Origin, Part, Program, Role, ScopeId, Stmt,
    StmtId, StmtKind, Subscript, SymId, SymbolKind, Ty, map_expr,
};
use costate_grammar::operators::BinaryOp;

use super::accesses::Access;
use super::new_scalar;
use super::references::{all_added, is_single_number};
use crate::names::Taken;

/// Elements of an array of which each thread has its own sum, one by one.
const FEW: usize = 4;

/// A sum that stands for increments of an element.
pub(super) struct Sum {
    /// The variable of the sum.
    pub(super) variable: SymId,
    /// It starts at zero.
    pub(super) before: Stmt,
    /// The element gets all of it,
    pub(super) after: Stmt,
    /// by this statement.
    pub(super) adds: StmtId,
}

/// A few elements of an array of numbers, or numbers in an object, to which statements add, no procedures, with these
/// statements.
pub(super) fn summed_elements(program: &Program, added: &[&Access<'_>]) -> Option<Vec<(Expr, BTreeSet<StmtId>)>> {
    if added.is_empty() || !added.iter().all(|a| is_single_number(program, &a.of) && !a.by_call) {
        return None;
    }
    let mut elements: Vec<(Expr, BTreeSet<StmtId>)> = Vec::new();
    for a in added {
        let ty = resolve(program, a.of.sym, &a.of.path())?.ty;
        let e = Expr::new(ExprKind::Var(a.of.clone().into_owned()), ty, 0);
        match elements.iter_mut().find(|(known, _)| *known == e) {
            Some((_, list)) => _ = list.insert(a.stmt),
            None => elements.push((e, BTreeSet::from([a.stmt]))),
        }
    }
    (elements.len() <= FEW).then_some(elements)
}

/// Lets the statements of a loop that add to an element add to a variable of the given scope instead.
pub(super) fn sum_up(
    program: &mut Program,
    s: &mut Stmt,
    (element, stmts): (&Expr, &BTreeSet<StmtId>),
    (scope, names): (ScopeId, &mut Taken),
) -> Sum {
    let of = element.as_var().map(|d| d.sym);
    let base = of.map_or("sum".to_string(), |x| format!("{}_sum", program[x].name));
    let variable = new_scalar(program, (scope, names), &base, (element.ty, of));
    let sum = Expr::new(ExprKind::Var(Designator::whole(variable)), element.ty, 0);
    replace(s, element, &|id| stmts.contains(&id), &sum);
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let mut stmt = |lhs, rhs| Stmt::new(program.fresh_stmt(), StmtKind::Assign { lhs, rhs }, origin);
    let before = stmt(sum.clone(), Expr::zero(element.ty));
    let after = stmt(element.clone(), element.clone().add(sum.clone()));
    let adds = after.id;
    let after = if is_there(program, element) { after } else { where_there_is_some(program, after, &sum) };
    Sum { variable, before, after, adds }
}

/// A statement that adds an amount to an element, where there is something to add: there may be no such element where no
/// iteration has one.
pub(super) fn where_there_is_some(program: &mut Program, add: Stmt, amount: &Expr) -> Stmt {
    let origin = add.origin;
    let cond = Expr::binary(BinaryOp::Ne, amount.clone(), Expr::zero(amount.ty));
    let arms = vec![IfArm { cond, body: vec![add] }];
    let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: true };
    Stmt::new(program.fresh_stmt(), kind, origin)
}

/// True for an element that an array has whatever happens.
fn is_there(program: &Program, element: &Expr) -> bool {
    let Some(d) = element.as_var() else { return false };
    let Some(v) = program.var(d.sym) else { return false };
    let within = |(s, dim): (&Subscript, &Dim)| match (s, dim) {
        (Subscript::Index(e), Dim::Explicit(lo, hi)) => {
            let lo = lo.as_ref().map_or(Some(1), Expr::as_int);
            e.as_int().zip(lo).zip(hi.as_int()).is_some_and(|((e, lo), hi)| lo <= e && e <= hi)
        }
        _ => false,
    };
    match d.parts.as_slice() {
        [] => true,
        [Part::Subscripts(list)] => list.iter().zip(&v.dims).all(within),
        [Part::Component(_)] => {
            resolve(program, d.sym, &d.path()).is_some_and(|v| !v.attrs.allocatable && !v.attrs.pointer)
        }
        _ => false,
    }
}

/// Lets the iterations of loops in each other, `depth` of them, add to a variable of their own: a part of an array with
/// further dimensions for the iterations, which is added up behind the loops. Returns what comes before and behind.
pub(super) fn by_iteration(
    program: &mut Program,
    s: &mut Stmt,
    (sum, depth): (SymId, usize),
    place: (ScopeId, &mut Taken),
) -> [Block; 2] {
    let Some((ty, dims)) = program.var(sum).map(|v| (v.ty, v.dims.clone())) else { return Default::default() };
    let indices: Vec<Index> = limits(s, depth).into_iter().rev().collect();
    let base = format!("{}_sums", program[sum].name);
    let sums = Indexed::new(program, (sum, ty, &dims), (&base, &indices), place);
    let at: Vec<Subscript> = sums.at.iter().cloned().map(Subscript::Index).collect();
    s.blocks_mut().into_iter().for_each(|b| extend(b, sum, (sums.array, &at)));
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let rank = dims.len() as u8;
    let mut all = sums.whole();
    while all.rank > rank {
        let left = all.rank - 1;
        all = match rank {
            0 => Expr::intrinsic(Intrinsic::Sum, vec![all]),
            _ => Expr { rank: left, ..Expr::intrinsic(Intrinsic::Sum, vec![all, Expr::int(i64::from(left) + 1)]) },
        };
    }
    let lhs = Expr::var(sum, ty, rank);
    let kind = StmtKind::Assign { rhs: lhs.clone().add(all), lhs };
    let after = vec![Stmt::new(program.fresh_stmt(), kind, origin), sums.free(program, origin)];
    [sums.begin(program, origin), after]
}

/// Refers to parts of an array in place of a variable: with further subscripts.
fn extend(block: &mut Block, old: SymId, (array, at): (SymId, &[Subscript])) {
    for s in block {
        s.kind.map_exprs(&mut |e| {
            map_expr(e.clone(), &mut |mut x| {
                let rank = usize::from(x.rank);
                let ExprKind::Var(d) = &mut x.kind else { return x };
                if d.sym == old {
                    let own = match d.parts.as_slice() {
                        [Part::Subscripts(list)] => list.clone(),
                        _ => vec![Subscript::Range { lo: None, hi: None, step: None }; rank],
                    };
                    *d = Designator { sym: array, parts: vec![Part::Subscripts([own.as_slice(), at].concat())] };
                }
                x
            })
        });
        s.blocks_mut().into_iter().for_each(|b| extend(b, old, (array, at)));
    }
}

/// The variable of a loop with its least and greatest value.
pub(super) type Index = (SymId, Expr, Expr);

/// An array with a part for each iteration.
pub(super) struct Indexed {
    pub(super) array: SymId,
    shape: Vec<(Option<Expr>, Expr)>,
    /// The subscripts of an iteration's part, behind those that the part has.
    pub(super) at: Vec<Expr>,
    ty: Ty,
}

impl Indexed {
    /// Declares one for iterations over `indices`, the innermost loop first, with parts of the given type and dimensions.
    pub(super) fn new(
        program: &mut Program,
        (like, ty, dims): (SymId, Ty, &[Dim]),
        (base, indices): (&str, &[Index]),
        place: (ScopeId, &mut Taken),
    ) -> Indexed {
        let own = dims
            .iter()
            .filter_map(|d| if let Dim::Explicit(lo, hi) = d { Some((lo.clone(), hi.clone())) } else { None });
        let by_index = indices.iter().map(|(_, lo, hi)| (Some(lo.clone()), hi.clone()));
        let shape: Vec<(Option<Expr>, Expr)> = own.chain(by_index).collect();
        let at = indices.iter().map(|(index, lo, _)| Expr::var(*index, lo.ty, 0)).collect();
        let array = new_scalar(program, place, base, (ty, Some(like)));
        if let SymbolKind::Variable(v) = &mut program[array].kind {
            v.attrs.allocatable = true;
            v.dims = vec![Dim::Deferred; shape.len()];
        }
        Indexed { array, shape, at, ty }
    }

    fn whole(&self) -> Expr {
        Expr::var(self.array, self.ty, self.shape.len() as u8)
    }

    /// The element of an iteration, of an array whose parts are elements.
    pub(super) fn element(&self) -> Expr {
        Expr::element(self.array, self.ty, self.at.clone())
    }

    /// Gives it memory and sets it to zero.
    pub(super) fn begin(&self, program: &mut Program, origin: Origin) -> Block {
        let items = vec![AllocItem { object: self.whole(), shape: self.shape.clone() }];
        let allocate = StmtKind::Allocate { items, type_spec: None, options: Vec::new() };
        let zero = StmtKind::Assign { lhs: self.whole(), rhs: Expr::zero(self.ty) };
        [allocate, zero].into_iter().map(|kind| Stmt::new(program.fresh_stmt(), kind, origin)).collect()
    }

    /// Frees its memory.
    pub(super) fn free(&self, program: &mut Program, origin: Origin) -> Stmt {
        let kind = StmtKind::Deallocate { items: vec![self.whole()], options: Vec::new() };
        Stmt::new(program.fresh_stmt(), kind, origin)
    }
}

/// The variables of loops in each other, with their least and greatest values.
pub(super) fn limits(s: &Stmt, depth: usize) -> Vec<Index> {
    let mut out = Vec::new();
    let mut at = s;
    while out.len() < depth {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, body, .. } = &at.kind else { break };
        out.push(index(*var, lo, hi, step.as_ref()));
        let Some(inner) = body.first() else { break };
        at = inner;
    }
    out
}

/// The variable of a loop whose direction is known, with its least and greatest value.
pub(super) fn index(var: SymId, lo: &Expr, hi: &Expr, step: Option<&Expr>) -> Index {
    let (lo, hi) = if step_sign(step) == Some(-1) { (hi, lo) } else { (lo, hi) };
    (var, lo.clone(), hi.clone())
}

/// Lets a scalar have what a statement adds to an element of a variable, where other elements of it are used for that: an
/// atomic update names its variable nowhere else. Returns the scalars, of which each iteration has its own.
pub(super) fn named_amounts(
    program: &mut Program,
    s: &mut Stmt,
    wanted: &BTreeSet<StmtId>,
    (scope, names): (ScopeId, &mut Taken),
) -> Vec<SymId> {
    let mut out = Vec::new();
    for block in s.blocks_mut() {
        for mut inner in std::mem::take(block) {
            let inside = named_amounts(program, &mut inner, wanted, (scope, names));
            make_private(program, &mut inner, &inside);
            out.extend(inside);
            let (id, origin) = (inner.id, inner.origin);
            if let StmtKind::Assign { lhs, rhs } = &mut inner.kind
                && wanted.contains(&id)
                && let Some((sym, amount)) = lhs.as_var().map(|d| d.sym).zip(all_added(rhs))
                && symbols(&amount).contains(&sym)
            {
                let base = format!("{}_part", program[sym].name);
                let own = new_scalar(program, (scope, names), &base, (amount.ty, Some(sym)));
                let value = Expr::var(own, amount.ty, 0);
                *rhs = Expr::binary(BinaryOp::Add, lhs.clone(), value.clone());
                let kind = StmtKind::Assign { lhs: value, rhs: amount };
                let mut first = Stmt::new(program.fresh_stmt(), kind, origin);
                first.leading = std::mem::take(&mut inner.leading);
                block.push(first);
                out.push(own);
            }
            block.push(inner);
        }
    }
    out
}

/// Lets each iteration of a loop that has its directive have variables of its own, too.
fn make_private(program: &Program, s: &mut Stmt, own: &[SymId]) {
    let StmtKind::Do { parallel: Some(p), .. } = &mut s.kind else { return };
    let Some(asked) = p.directives.last_mut().filter(|_| !own.is_empty()) else { return };
    let mut names: Vec<String> = own.iter().map(|x| program[*x].name.to_string()).collect();
    let clauses = &mut asked.directive.clauses;
    let listed = clauses.iter().position(|c| matches!(c.kind, ClauseKind::Private(_)));
    if let Some(Clause { kind: ClauseKind::Private(before), .. }) = listed.map(|at| clauses.remove(at)) {
        names.splice(0..0, before);
    }
    let text = format!("private({})", names.join(", "));
    clauses.insert(listed.unwrap_or(0), Clause { kind: ClauseKind::Private(names), text });
    asked.names.extend(own);
}

/// Lets assignments to an element, those that are wanted, add to a sum instead.
pub(super) fn replace(s: &mut Stmt, element: &Expr, wanted: &dyn Fn(StmtId) -> bool, sum: &Expr) {
    for block in s.blocks_mut() {
        for inner in block.iter_mut() {
            match &mut inner.kind {
                StmtKind::Assign { lhs, rhs } if wanted(inner.id) && lhs == element => {
                    let before = std::mem::replace(rhs, sum.clone());
                    *rhs = map_expr(before, &mut |x| if x == *element { sum.clone() } else { x });
                    *lhs = sum.clone();
                }
                _ => replace(inner, element, wanted, sum),
            }
        }
    }
}
