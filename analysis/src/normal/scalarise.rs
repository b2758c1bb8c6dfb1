//! Array statements become loops over elements.

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Arg, Block, Callee, Expr, ExprKind, LoopControl, Stmt, StmtKind, for_each_expr};

use super::array_assignment::{assign, attempt, gives_shape};
use super::callee;
use super::context::Cx;
use super::designator::continuous;
use super::overlap::may_alias_designators;
use super::reduce::{self, prepare};
use super::temporary::Around;

/// Opens the array statements of a block.
pub(super) fn run(cx: &mut Cx, body: Block) -> Block {
    let mut out = Vec::with_capacity(body.len());
    for stmt in body {
        out.extend(statement(cx, stmt));
    }
    out
}

/// Opens one statement.
pub(super) fn statement(cx: &mut Cx, mut stmt: Stmt) -> Block {
    if stmt.is_region() {
        return vec![stmt];
    }
    cx.at(&stmt);
    let opened = match &stmt.kind {
        StmtKind::Where { .. } => super::where_::open(cx, &stmt),
        StmtKind::Forall { .. } => super::forall::open(cx, &stmt),
        StmtKind::Do { control: LoopControl::Concurrent { .. }, .. } => super::forall::concurrent(cx, &stmt),
        StmtKind::Assign { lhs, rhs } if lhs.rank > 0 => {
            let whole_call = callee::is_user_call(rhs) && rhs.rank > 0 && !elemental_call(cx, rhs);
            let worth = continuous(cx.program, lhs.ty) || callee::has_user_call(rhs) || gives_shape(cx, lhs, rhs);
            if worth && !whole_call { attempt(cx, |cx| assign(cx, lhs, rhs, None)) } else { None }
        }
        StmtKind::Assign { .. } => attempt(cx, |cx| reduce::statement(cx, &stmt)),
        StmtKind::Call { callee, args } if callee::elemental(cx.program, callee) => {
            if args.iter().any(|a| a.value.rank > 0) {
                attempt(cx, |cx| elemental_subroutine(cx, callee, args))
            } else {
                None
            }
        }
        _ => None,
    };
    if let Some(mut opened) = opened {
        cx.inherit(&stmt, &mut opened);
        return opened;
    }
    if matches!(
        stmt.kind,
        StmtKind::Directive { .. } | StmtKind::Unsupported { .. } | StmtKind::Where { .. } | StmtKind::Forall { .. }
    ) {
        return vec![stmt];
    }
    let var = match &stmt.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => Some(*var),
        _ => None,
    };
    let held = var.is_some_and(|v| cx.set_used(v, true));
    for inner in stmt.blocks_mut() {
        let old = std::mem::take(inner);
        *inner = run(cx, old);
    }
    if let (true, Some(v)) = (held, var) {
        cx.release(v);
    }
    vec![stmt]
}

fn elemental_call(cx: &Cx, e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { callee, .. } if callee::elemental(cx.program, callee))
}

/// True for a value that refers to other elements of what the call changes, be it through another section, through a
/// function of whole arrays, or as a scalar: it has to be known before the first element is.
fn read_elsewhere(cx: &Cx, callee: &Callee, args: &[Arg], at: usize) -> bool {
    let own = &args[at].value;
    let program = &*cx.program;
    let changed = |i: usize, a: &Arg| {
        let dummy = callee::interface(program, callee).and_then(|p| callee::dummy_of(program, p, callee, i, a));
        dummy.and_then(|d| program.var(d)).is_none_or(|v| v.intent != Some(costate_grammar::ir::Intent::In))
    };
    if own.rank == 0 && own.as_var().is_some() || changed(at, &args[at]) {
        return false;
    }
    let mut shifted = own.rank == 0;
    for_each_expr(own, &mut |e| {
        shifted |= matches!(&e.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if f.class() == Class::Transformational);
    });
    args.iter().enumerate().filter(|(i, a)| changed(*i, a)).filter_map(|(_, a)| a.value.as_var()).any(|d| {
        let mut reads = false;
        for_each_expr(own, &mut |e| {
            reads |= e.as_var().is_some_and(|r| (shifted || r != d) && may_alias_designators(cx.program, d, r));
        });
        reads
    })
}

/// A call of an elemental subroutine with array arguments: a loop of calls with elements.
fn elemental_subroutine(cx: &mut Cx, callee: &Callee, args: &[Arg]) -> Option<Block> {
    let mut around = Around::default();
    let mut prepared = Vec::new();
    for (i, a) in args.iter().enumerate() {
        let mut value = prepare(cx, &a.value, None, &mut around)?;
        if read_elsewhere(cx, callee, args, i) {
            value = reduce::evaluate(cx, &value, &mut around)?;
        }
        prepared.push(Arg { keyword: a.keyword.clone(), value });
    }
    let lead = prepared.iter().find(|a| a.value.rank > 0)?.value.clone();
    let axes = cx.axes_of(&lead)?;
    let offs: Vec<Expr> = axes.iter().map(|a| cx.offset(a)).collect();
    let mut body = Vec::new();
    let mut new = Vec::new();
    for a in &prepared {
        let value = cx.element(&a.value, &offs, &mut body)?;
        new.push(Arg { keyword: a.keyword.clone(), value });
    }
    body.push(cx.stmt(StmtKind::Call { callee: callee.clone(), args: new }));
    let nest = cx.nest(&axes, body);
    cx.release_axes(&axes);
    let mut out = around.before;
    out.extend(nest);
    out.extend(around.after);
    Some(out)
}
