//! Parts of complex variables: `z%re` is `real(z)` where its value counts, and `z%re = x` sets all of `z`.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Dim, Expr, ExprKind, Intent, Part, Program, Stmt, StmtKind, Subscript, Ty, for_each_expr,
    map_expr,
};

use super::callee;
use super::calls;
use super::context::Cx;
use super::designator::complex_variable;
use super::facts::Facts;
use super::temporary::Around;
use crate::storage::resolve;

/// A part of a complex variable.
#[derive(Clone, PartialEq)]
struct Reference {
    /// The variable.
    of: Expr,
    imaginary: bool,
}

/// Rewrites the references of a block.
pub(super) fn run(cx: &mut Cx, body: Block) -> Block {
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body.into_iter().peekable();
    while let Some(mut stmt) = rest.next() {
        if stmt.is_region() {
            out.push(stmt);
            continue;
        }
        for inner in stmt.blocks_mut() {
            *inner = run(cx, std::mem::take(inner));
        }
        if !mentioned(cx.program, &stmt) {
            out.push(stmt);
            continue;
        }
        cx.at(&stmt);
        let both = rest.peek().and_then(|next| both(cx, &stmt, next));
        if let Some(kind) = both {
            rest.next();
            out.push(cx.changed(stmt, kind));
            continue;
        }
        let mut around = Around::default();
        let kind = match stmt.kind.clone() {
            StmtKind::Assign { lhs, rhs } => assignment(cx, &lhs, &rhs, &mut around),
            StmtKind::Call { callee, args } => call(cx, callee, args, &mut around),
            // The text stays as the user wrote it.
            kind @ (StmtKind::Io { .. } | StmtKind::PointerAssign { .. }) => kind,
            mut kind => {
                kind.map_exprs(&mut |e| value(cx, e));
                kind
            }
        };
        out.extend(calls::finish(cx, stmt, kind, around));
    }
    out
}

fn mentioned(program: &Program, stmt: &Stmt) -> bool {
    let mut found = false;
    for e in stmt.exprs() {
        for_each_expr(e, &mut |e| found |= reference(program, e).is_some());
    }
    found
}

fn reference(program: &Program, e: &Expr) -> Option<Reference> {
    let d = e.as_var()?;
    let (of, ty) = complex_variable(program, d)?;
    let imaginary = matches!(d.parts.last(), Some(Part::Component(name)) if name.as_str() == "im");
    Some(Reference { of: Expr { kind: ExprKind::Var(of), ty, ..e.clone() }, imaginary })
}

fn part(r: &Reference, ty: Ty) -> Expr {
    let f = if r.imaginary { Intrinsic::Aimag } else { Intrinsic::Real };
    Expr { ty, rank: r.of.rank, ..Expr::intrinsic(f, vec![r.of.clone()]) }
}

/// An expression without references to parts.
fn value(cx: &mut Cx, e: &Expr) -> Expr {
    let mut changed = None;
    for_each_expr(e, &mut |e| {
        let ExprKind::Call { callee, args } = &e.kind else { return };
        let hit =
            |(i, a): (usize, &Arg)| reference(cx.program, &a.value).is_some() && changes(cx.program, callee, i, a);
        changed = changed.or(args.iter().enumerate().any(hit).then_some(e.span));
    });
    if changed.is_some() {
        cx.refuse(
            Code::UnsupportedExpression,
            "a function changes a part of a complex variable",
            "derivative code hands over the value of the part only",
            "hand over a real variable and set the part afterwards",
        );
    }
    let program = &*cx.program;
    map_expr(e.clone(), &mut |e| match reference(program, &e) {
        Some(r) => part(&r, e.ty),
        None => e,
    })
}

/// True when a procedure may change argument `i`.
fn changes(program: &Program, callee: &Callee, i: usize, arg: &Arg) -> bool {
    if matches!(callee, Callee::Intrinsic(f) if f.class() != costate_grammar::intrinsics::Class::Subroutine) {
        return false;
    }
    let Some(proc) = callee::interface(program, callee) else { return true };
    let Some(dummy) = callee::dummy_of(program, proc, callee, i, arg) else { return true };
    match program.var(dummy).map(|v| (v.intent, v.attrs.value)) {
        Some((Some(Intent::In), _) | (_, true)) => false,
        Some((None, false)) => Facts::of_block(program, &program[proc].body).changes(program, dummy),
        Some((Some(Intent::Out | Intent::InOut), false)) | None => true,
    }
}

/// `z = cmplx(x, aimag(z))`
fn whole(program: &Program, to: &Reference, x: Expr) -> StmtKind {
    let other = part(&Reference { imaginary: !to.imaginary, ..to.clone() }, Ty::new(Base::Real, to.of.ty.kind));
    let (re, im) = if to.imaginary { (other, real(x)) } else { (real(x), other) };
    StmtKind::Assign { lhs: kept_shape(program, &to.of), rhs: complex(re, im, &to.of) }
}

/// An assignment to a part takes the real part of a complex value.
fn real(x: Expr) -> Expr {
    if x.ty.base != Base::Complex {
        return x;
    }
    let ty = Ty::new(Base::Real, x.ty.kind);
    let rank = x.rank;
    Expr { ty, rank, ..Expr::intrinsic(Intrinsic::Real, vec![x]) }
}

fn complex(re: Expr, im: Expr, like: &Expr) -> Expr {
    let call = Expr::intrinsic(Intrinsic::Cmplx, vec![re, im]);
    Expr { ty: like.ty, rank: like.rank, ..call.with_keyword("kind", Expr::int(i64::from(like.ty.kind))) }
}

/// Assigning to a part never gives an allocatable array another shape.
fn kept_shape(program: &Program, e: &Expr) -> Expr {
    let mut out = e.clone();
    if let ExprKind::Var(d) = &mut out.kind
        && !matches!(d.parts.last(), Some(Part::Subscripts(_)))
        && let Some(v) = resolve(program, d.sym, &d.path())
        && v.attrs.allocatable
        && v.dims.iter().any(|d| matches!(d, Dim::Deferred))
    {
        let all = Subscript::Range { lo: None, hi: None, step: None };
        d.parts.push(Part::Subscripts(vec![all; v.dims.len()]));
    }
    out
}

fn assignment(cx: &mut Cx, lhs: &Expr, rhs: &Expr, around: &mut Around) -> StmtKind {
    let (to, rhs) = (reference(cx.program, lhs), value(cx, rhs));
    let Some(to) = to else {
        return StmtKind::Assign { lhs: value(cx, lhs), rhs };
    };
    let to = Reference { of: subscripted(cx, &to.of), ..to };
    if rhs.ty.is_numeric() {
        return whole(cx.program, &to, rhs);
    }
    let lhs = stand_in(cx, &to, lhs, around);
    StmtKind::Assign { lhs, rhs }
}

/// The variable is named twice: what its subscripts call must not have effects.
fn subscripted(cx: &mut Cx, of: &Expr) -> Expr {
    let mut calls = false;
    for_each_expr(of, &mut |e| {
        let ExprKind::Call { callee, .. } = &e.kind else { return };
        let pure = |p: costate_grammar::ir::ProcId| cx.program[p].prefix.pure_ || cx.program[p].prefix.elemental;
        calls |= callee::is_user_call(e) && !callee::interface(cx.program, callee).is_some_and(pure);
    });
    if calls {
        cx.refuse(
            Code::UnsupportedExpression,
            "a part of a complex variable is set whose subscript calls a function",
            "derivative code names the variable twice, and the function isn't pure",
            "put the subscript into a variable before",
        );
    }
    value(cx, of)
}

/// A real variable that has the value of a part before a statement and gives it back after it.
fn stand_in(cx: &mut Cx, to: &Reference, like: &Expr, around: &mut Around) -> Expr {
    let tmp = if like.rank == 0 {
        cx.scalar("part", like.ty, like)
    } else {
        let sym = cx.deferred("part", like.ty, like, like.rank);
        Expr::var(sym, like.ty, like.rank)
    };
    around.before.push(cx.assign(tmp.clone(), part(to, like.ty)));
    let back = whole(cx.program, to, tmp.clone());
    around.after.push(cx.stmt(back));
    tmp
}

fn call(cx: &mut Cx, callee: Callee, args: Vec<Arg>, around: &mut Around) -> StmtKind {
    let mut new = Vec::with_capacity(args.len());
    for (i, arg) in args.into_iter().enumerate() {
        let value = match reference(cx.program, &arg.value) {
            Some(to) if changes(cx.program, &callee, i, &arg) => {
                let to = Reference { of: subscripted(cx, &to.of), ..to };
                stand_in(cx, &to, &arg.value, around)
            }
            _ => value(cx, &arg.value),
        };
        new.push(Arg { keyword: arg.keyword, value });
    }
    StmtKind::Call { callee, args: new }
}

/// Both parts of a variable set by one statement, where the second value doesn't depend on the first.
fn both(cx: &mut Cx, stmt: &Stmt, next: &Stmt) -> Option<StmtKind> {
    let (StmtKind::Assign { lhs, rhs }, StmtKind::Assign { lhs: lhs2, rhs: rhs2 }) = (&stmt.kind, &next.kind) else {
        return None;
    };
    let (first, second) = (reference(cx.program, lhs)?, reference(cx.program, lhs2)?);
    let sym = first.of.as_var()?.sym;
    let mut plain = first.of == second.of && first.imaginary != second.imaginary;
    plain &= next.label.is_none() && next.leading.is_empty() && next.trailing.is_none();
    plain &= [&first.of, rhs, rhs2].iter().all(|e| !callee::has_user_call(e) && e.ty.is_numeric());
    for_each_expr(rhs2, &mut |e| plain &= e.as_var().is_none_or(|d| d.sym != sym));
    if !plain {
        return None;
    }
    let (re, im) = if first.imaginary { (rhs2, rhs) } else { (rhs, rhs2) };
    let of = value(cx, &first.of);
    let (re, im) = (real(value(cx, re)), real(value(cx, im)));
    Some(StmtKind::Assign { lhs: kept_shape(cx.program, &of), rhs: complex(re, im, &of) })
}
