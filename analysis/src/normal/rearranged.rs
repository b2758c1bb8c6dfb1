//! Functions that pick, or rearrange, objects whose components have memory of their own: derivatives of that memory follow
//! where each object is assigned from a variable, so the objects are picked by their numbers.

use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Block, Callee, CtorItem, Expr, ExprKind, Part, Stmt, StmtKind, Subscript, Ty, for_each_expr, map_expr,
};

use super::callee::has_user_call;
use super::context::Cx;
use super::element::element_at;
use super::intrinsic::argument;
use super::temporary::{Around, room, store};
use crate::storage::holds_memory;

/// True for a function that gives objects with pointers or allocatable components.
fn picks(cx: &Cx<'_>, e: &Expr) -> bool {
    let called = matches!(&e.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if *f != Intrinsic::Null);
    called && e.is_derived() && holds_memory(cx.program, e.ty)
}

/// The assignments in whose place `lhs = f(...)` stands.
pub(super) fn open(cx: &mut Cx<'_>, lhs: &Expr, rhs: &Expr) -> Option<Block> {
    let rhs = rhs.unparen();
    let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &rhs.kind else { return None };
    if !picks(cx, rhs) || has_user_call(rhs) {
        return None;
    }
    match f {
        Intrinsic::Merge => merged(cx, lhs, args),
        Intrinsic::Pack | Intrinsic::Cshift if rhs.rank == 1 => by_number(cx, lhs, *f, rhs, args),
        _ => None,
    }
}

/// `lhs = merge(a, b, mask)` with one mask.
fn merged(cx: &mut Cx<'_>, lhs: &Expr, args: &[Arg]) -> Option<Block> {
    let f = Intrinsic::Merge;
    let mask = argument(f, args, "mask").filter(|m| m.rank == 0)?.clone();
    let [yes, no] = ["tsource", "fsource"].map(|name| argument(f, args, name).filter(|e| e.rank == lhs.rank));
    let [yes, no] = [yes?.clone(), no?.clone()].map(|value| vec![cx.assign(lhs.clone(), value)]);
    Some(vec![cx.if_else(mask, yes, no)])
}

/// `lhs = f(array, ...)` becomes `lhs = array(numbers)`, where the numbers are those of the elements, rearranged.
fn by_number(cx: &mut Cx<'_>, lhs: &Expr, f: Intrinsic, rhs: &Expr, args: &[Arg]) -> Option<Block> {
    let array = argument(f, args, "array")?.clone();
    let d = array.as_var().filter(|d| array.rank == 1 && !matches!(d.parts.last(), Some(Part::Subscripts(_))))?;
    if argument(f, args, "vector").is_some() {
        return None;
    }
    let (lo, hi) = cx.range(&array, 0)?;
    let mut around = Around::default();
    let all = room(cx, "at", Ty::INTEGER, &lo, vec![(Expr::int(1), crate::affine::count(&lo, &hi))], &mut around);
    let axes = cx.axes_of(&all)?;
    let number = crate::affine::plus(&lo, &cx.offset(&axes[0]));
    let set = cx.assign(element_at(cx, &all, &axes), number);
    let fill = cx.nest(&axes, vec![set]);
    cx.release_axes(&axes);
    around.before.extend(fill);
    let mut args = args.to_vec();
    let place = args.iter().position(|a| a.value == array)?;
    args[place].value = all;
    let kind = ExprKind::Call { callee: Callee::Intrinsic(f), args };
    let numbers = store(cx, "at", Expr { kind, ty: Ty::INTEGER, ..rhs.clone() }, &mut around);
    let mut picked = d.clone();
    picked.parts.push(Part::Subscripts(vec![Subscript::Index(numbers)]));
    let value = Expr { kind: ExprKind::Var(picked), ..array.clone() };
    let mut out = around.before;
    out.push(cx.assign(lhs.clone(), value));
    out.extend(around.after);
    Some(out)
}

/// Gives such a function within an expression, or in a call's arguments, a variable of its own.
pub(super) fn lift(cx: &mut Cx<'_>, stmt: &mut Stmt, around: &mut Around) {
    match &mut stmt.kind {
        StmtKind::Assign { rhs, .. } => match &mut rhs.kind {
            ExprKind::Call { args, .. } => args.iter_mut().for_each(|a| lift_from(cx, &mut a.value, around)),
            _ => lift_from(cx, rhs, around),
        },
        StmtKind::Call { args, .. } => args.iter_mut().for_each(|a| lift_from(cx, &mut a.value, around)),
        _ => {}
    }
}

fn lift_from(cx: &mut Cx<'_>, e: &mut Expr, around: &mut Around) {
    let (mut found, mut in_loop) = (false, false);
    for_each_expr(e, &mut |x| {
        found |= picks(cx, x);
        let ExprKind::ArrayCtor { items, .. } = &x.kind else { return };
        in_loop |= items.iter().any(|i| matches!(i, CtorItem::ImpliedDo { .. }));
    });
    if found && !in_loop {
        let mut stored = |x: Expr| if picks(cx, &x) { store(cx, "tmp", x, around) } else { x };
        *e = map_expr(std::mem::replace(e, Expr::int(0)), &mut stored);
    }
}

/// Refuses what is left of such functions.
pub(super) fn refuse(cx: &mut Cx<'_>, stmt: &Stmt) {
    let mut found = false;
    for e in stmt.exprs() {
        for_each_expr(e, &mut |x| found |= picks(cx, x));
    }
    if found {
        cx.refuse(
            Code::UnsupportedStatement,
            "an intrinsic function gives objects that hold pointers or allocatable components",
            "the memory of their derivatives would have to follow theirs",
            "assign the objects one by one",
        );
    }
}
