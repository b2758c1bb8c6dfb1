//! User functions are called in statements of their own, and actual arguments that carry derivatives are variables.

use costate_grammar::ir::{
    Arg, Base, Block, Callee, CtorItem, DataKind, Designator, Expr, ExprKind, IfArm, IoItems, LoopControl, Part,
    Program, Stmt, StmtKind, Subscript, for_each_expr,
};

use super::assumed_size::sized;
use super::callee::{elemental, has_user_call, is_user_call, pointer_result};
use super::context::Cx;
use super::designator;
use super::sequences::as_sections;
use super::temporary::{Around, store, store_in};
use crate::calls::{bind, target};
use crate::storage::{holds_memory, is_allocatable};

/// Pulls calls out before array statements are opened: references with array arguments of elemental functions stay.
pub(super) fn split_conditions(cx: &mut Cx, body: Block) -> Block {
    block(cx, body, true)
}

/// Pulls out every call.
pub(super) fn run(cx: &mut Cx, body: Block) -> Block {
    block(cx, body, false)
}

fn block(cx: &mut Cx, body: Block, keep: bool) -> Block {
    let mut out = Vec::with_capacity(body.len());
    for stmt in body {
        out.extend(statement(cx, stmt, keep));
    }
    out
}

/// One statement with its calls pulled out. With `keep`, elemental references to arrays stay in assignments.
pub(super) fn statement(cx: &mut Cx, mut stmt: Stmt, keep: bool) -> Block {
    // Regions of directives and what isn't understood stay as they are; `where` and `forall` are opened elsewhere.
    let kept = matches!(
        stmt.kind,
        StmtKind::Directive { .. } | StmtKind::Unsupported { .. } | StmtKind::Where { .. } | StmtKind::Forall { .. }
    );
    if kept || stmt.is_region() {
        return vec![stmt];
    }
    for inner in stmt.blocks_mut() {
        let old = std::mem::take(inner);
        *inner = block(cx, old, keep);
    }
    cx.at(&stmt);
    let mut around = Around::default();
    let kind = match stmt.kind.clone() {
        StmtKind::Assign { lhs, rhs } => assignment(cx, lhs, rhs, keep, &mut around),
        StmtKind::Call { callee, args } => {
            let scalar_later = keep && elemental(cx.program, &callee) && args.iter().any(|a| a.value.rank > 0);
            if scalar_later {
                StmtKind::Call { callee, args }
            } else {
                let (callee, args) = arguments(cx, callee, args, false, &mut around);
                if !keep {
                    super::allocate::release_outputs(cx, &callee, &args, &mut around);
                }
                StmtKind::Call { callee, args }
            }
        }
        StmtKind::If { name, arms, otherwise, one_line } => branch(cx, name, arms, otherwise, one_line, &mut around),
        StmtKind::Select { name, selector, arms } => {
            let selector = value(cx, &selector, false, &mut around);
            StmtKind::Select { name, selector, arms }
        }
        StmtKind::Do { name, control, body, parallel } => {
            let (control, body) = control_calls(cx, control, body, &mut around);
            StmtKind::Do { name, control, body, parallel }
        }
        mut kind @ StmtKind::Allocate { .. } => {
            kind.map_exprs(&mut |e| value(cx, e, false, &mut around));
            kind
        }
        StmtKind::Io { kind, text, items } => {
            super::transfer::refuse_defined(cx, &items);
            output(cx, kind, text, items, &mut around)
        }
        StmtKind::PointerAssign { lhs, rhs } => pointer_assignment(cx, &lhs, rhs, &mut around),
        other @ (StmtKind::Where { .. }
        | StmtKind::Forall { .. }
        | StmtKind::Associate { .. }
        | StmtKind::BlockScope { .. }
        | StmtKind::Exit(_)
        | StmtKind::Cycle(_)
        | StmtKind::Return
        | StmtKind::Stop { .. }
        | StmtKind::Goto(_)
        | StmtKind::Continue
        | StmtKind::Deallocate { .. }
        | StmtKind::Nullify(_)
        | StmtKind::Directive { .. }
        | StmtKind::Unsupported { .. }
        | StmtKind::Comment(_)) => other,
    };
    finish(cx, stmt, kind, around)
}

/// A statement of a new kind among those around it; it stays as it is where nothing has changed.
pub(super) fn finish(cx: &mut Cx, stmt: Stmt, kind: StmtKind, around: Around) -> Block {
    if around.before.is_empty() && around.after.is_empty() && kind == stmt.kind {
        return vec![stmt];
    }
    let (label, leading, trailing) = (stmt.label, stmt.leading.clone(), stmt.trailing.clone());
    let mut out = around.before;
    cx.at(&stmt);
    out.push(cx.stmt(kind));
    let last = out.len() - 1;
    if let StmtKind::Do { .. } = stmt.kind {
        // It stays a loop of the user's.
        out[last].origin = stmt.origin;
    }
    out[last].trailing = trailing;
    out[0].label = label;
    out[0].leading = leading;
    out.extend(around.after);
    out
}

/// An output statement with the calls among its items pulled out. Elsewhere in input and output they stay.
fn output(cx: &mut Cx, kind: DataKind, mut text: String, mut items: IoItems, around: &mut Around) -> StmtKind {
    let (mut shift, mut at) = (0_isize, 0);
    while let Some((of, place)) = items.places.get(at).cloned() {
        let moved = |x: usize| x.saturating_add_signed(shift);
        let place = moved(place.start)..moved(place.end);
        items.places[at].1 = place.clone();
        at += 1;
        let Some(item) = items.uses.get(of).filter(|e| has_user_call(e)).cloned() else { continue };
        let item = value(cx, &item, false, around);
        let new = costate_grammar::print::expr(cx.program, &item);
        if text.get(place.clone()).is_none() {
            continue;
        }
        text.replace_range(place.clone(), &new);
        shift += new.len() as isize - place.len() as isize;
        items.places[at - 1].1 = place.start..place.start + new.len();
        items.uses[of] = item;
    }
    StmtKind::Io { kind, text, items }
}

fn assignment(cx: &mut Cx, lhs: Expr, rhs: Expr, keep: bool, around: &mut Around) -> StmtKind {
    if let Some(call) = super::defined::assignment(cx, &lhs, &rhs) {
        return match call {
            StmtKind::Call { callee, args } => {
                let (callee, args) = arguments(cx, callee, args, false, around);
                StmtKind::Call { callee, args }
            }
            other => other,
        };
    }
    let lhs = value(cx, &lhs, keep, around);
    let by_element =
        |e: &Expr| matches!(&e.kind, ExprKind::Call { callee, .. } if e.rank > 0 && elemental(cx.program, callee));
    if !is_user_call(&rhs) || (keep && by_element(&rhs)) {
        let rhs = value(cx, &rhs, keep, around);
        return StmtKind::Assign { lhs, rhs };
    }
    let ExprKind::Call { callee, args } = rhs.kind.clone() else {
        return StmtKind::Assign { lhs, rhs };
    };
    let (callee, args) = arguments(cx, callee, args, false, around);
    let call = Expr { kind: ExprKind::Call { callee, args }, ..rhs };
    let pointer = pointer_result(cx.program, &call).is_some();
    let direct = !pointer
        && call.ty == lhs.ty
        && !gathered(&lhs)
        && call.rank == lhs.rank
        && lhs.as_var().is_some_and(|d| !super::reach::reaches(cx, d, &call))
        && super::allocate::fits(cx, &lhs, &call);
    if direct || call.ty.base == Base::Character && !pointer {
        if !keep
            && super::allocate::takes_shape(cx, &lhs, &call)
            && let Some(bounds) = bounds_of_result(cx, &call, around)
        {
            super::memory::reallocate(cx, &lhs, &call, &bounds, around);
        }
        return StmtKind::Assign { lhs, rhs: call };
    }
    let tmp = pull(cx, call, around);
    StmtKind::Assign { lhs, rhs: tmp }
}

/// The subscripts of a pointer assignment, and the arguments of a function that it takes its target from, without calls.
fn pointer_assignment(cx: &mut Cx, lhs: &Expr, rhs: Expr, around: &mut Around) -> StmtKind {
    let lhs = value(cx, lhs, false, around);
    let rhs = match rhs.kind.clone() {
        ExprKind::Call { callee, args } if is_user_call(&rhs) => {
            let (callee, args) = arguments(cx, callee, args, false, around);
            let call = Expr { kind: ExprKind::Call { callee, args }, ..rhs };
            // The pointer itself takes the place of the function's result where it gets no bounds of its own.
            let bounded = lhs.as_var().is_some_and(|d| matches!(d.parts.last(), Some(Part::Subscripts(_))));
            if bounded { pull(cx, call, around) } else { call }
        }
        _ => value(cx, &rhs, false, around),
    };
    StmtKind::PointerAssign { lhs, rhs }
}

fn branch(
    cx: &mut Cx,
    name: Option<costate_grammar::ir::Name>,
    mut arms: Vec<IfArm>,
    otherwise: Option<Block>,
    one_line: bool,
    around: &mut Around,
) -> StmtKind {
    // An `else if` whose condition calls a function becomes an `if` within the `else`.
    if let Some(k) = arms.iter().skip(1).position(|a| has_user_call(&a.cond)) {
        let later = arms.split_off(k + 1);
        let inner = cx.stmt(StmtKind::If { name: None, arms: later, otherwise, one_line: false });
        // The blocks within are done already; only the conditions are not.
        let mut nested = Around::default();
        let kind = match inner.kind.clone() {
            StmtKind::If { name, arms, otherwise, one_line } => {
                branch(cx, name, arms, otherwise, one_line, &mut nested)
            }
            other => other,
        };
        let mut body = nested.before;
        body.push(Stmt { kind, ..inner });
        body.extend(nested.after);
        let cond = condition(cx, &arms[0].cond, around);
        arms[0].cond = cond;
        return StmtKind::If { name, arms, otherwise: Some(body), one_line: false };
    }
    if let Some(first) = arms.first_mut() {
        first.cond = condition(cx, &first.cond, around);
    }
    StmtKind::If { name, arms, otherwise, one_line }
}

/// A condition; what its evaluation allocates is freed before the branch.
fn condition(cx: &mut Cx, e: &Expr, around: &mut Around) -> Expr {
    let mut own = Around::default();
    let cond = value(cx, e, false, &mut own);
    around.before.extend(own.before);
    if own.after.is_empty() {
        return cond;
    }
    let flag = cx.scalar("test", cond.ty, &cond);
    let set = cx.assign(flag.clone(), cond);
    around.before.push(set);
    around.before.extend(own.after);
    flag
}

fn control_calls(cx: &mut Cx, control: LoopControl, mut body: Block, around: &mut Around) -> (LoopControl, Block) {
    let control = match control {
        LoopControl::Count { var, lo, hi, step } => {
            let mut own = Around::default();
            let lo = value(cx, &lo, false, &mut own);
            let hi = value(cx, &hi, false, &mut own);
            let step = step.map(|s| value(cx, &s, false, &mut own));
            around.before.extend(own.before);
            around.after.extend(own.after);
            LoopControl::Count { var, lo, hi, step }
        }
        LoopControl::While(cond) if has_user_call(&cond) => {
            let mut own = Around::default();
            let cond = condition(cx, &cond, &mut own);
            let exit = cx.stmt(StmtKind::Exit(None));
            let test = cx.if_one(super::jumps::negate(cond), exit);
            own.before.push(test);
            body.splice(0..0, own.before);
            LoopControl::Forever
        }
        other @ (LoopControl::While(_) | LoopControl::Forever | LoopControl::Concurrent { .. }) => other,
    };
    (control, body)
}

/// An expression with its calls pulled out, left to right, inner before outer.
pub(super) fn value(cx: &mut Cx, e: &Expr, keep: bool, around: &mut Around) -> Expr {
    if !has_user_call(e) {
        return e.clone();
    }
    let kind = match &e.kind {
        ExprKind::Var(d) => ExprKind::Var(designator(cx, d, keep, around)),
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(value(cx, a, keep, around))),
        ExprKind::Paren(a) => ExprKind::Paren(Box::new(value(cx, a, keep, around))),
        ExprKind::Binary(op, a, b) => {
            let a = value(cx, a, keep, around);
            ExprKind::Binary(*op, Box::new(a), Box::new(value(cx, b, keep, around)))
        }
        ExprKind::ComplexLit(a, b) => {
            let a = value(cx, a, keep, around);
            ExprKind::ComplexLit(Box::new(a), Box::new(value(cx, b, keep, around)))
        }
        ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
            let args =
                args.iter().map(|a| Arg { keyword: a.keyword.clone(), value: value(cx, &a.value, keep, around) });
            ExprKind::Call { callee: Callee::Intrinsic(*f), args: args.collect() }
        }
        ExprKind::Call { callee, args } => {
            let by_element = keep && e.rank > 0 && elemental(cx.program, callee);
            if by_element {
                let args =
                    args.iter().map(|a| Arg { keyword: a.keyword.clone(), value: value(cx, &a.value, keep, around) });
                let args = args.collect();
                return Expr { kind: ExprKind::Call { callee: callee.clone(), args }, ..e.clone() };
            }
            let (callee, args) = arguments(cx, callee.clone(), args.clone(), keep, around);
            return pull(cx, Expr { kind: ExprKind::Call { callee, args }, ..e.clone() }, around);
        }
        ExprKind::ArrayCtor { type_spec, items } => {
            let items = items.iter().map(|i| match i {
                CtorItem::Value(v) => CtorItem::Value(value(cx, v, keep, around)),
                // What depends on the implied index can't be pulled out; array assignment opens it.
                CtorItem::ImpliedDo { .. } => i.clone(),
            });
            ExprKind::ArrayCtor { type_spec: type_spec.clone(), items: items.collect() }
        }
        ExprKind::StructCtor { ty, args } => {
            let args =
                args.iter().map(|a| Arg { keyword: a.keyword.clone(), value: value(cx, &a.value, keep, around) });
            ExprKind::StructCtor { ty: *ty, args: args.collect() }
        }
        ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_) => e.kind.clone(),
    };
    Expr { kind, ..e.clone() }
}

fn designator(cx: &mut Cx, d: &Designator, keep: bool, around: &mut Around) -> Designator {
    let mut parts = Vec::with_capacity(d.parts.len());
    for part in &d.parts {
        parts.push(match part {
            Part::Component(n) => Part::Component(n.clone()),
            Part::Subscripts(list) => {
                let mut new = Vec::with_capacity(list.len());
                for s in list {
                    new.push(match s {
                        Subscript::Index(e) => Subscript::Index(value(cx, e, keep, around)),
                        Subscript::Range { lo, hi, step } => Subscript::Range {
                            lo: lo.as_ref().map(|e| value(cx, e, keep, around)),
                            hi: hi.as_ref().map(|e| value(cx, e, keep, around)),
                            step: step.as_ref().map(|e| value(cx, e, keep, around)),
                        },
                    });
                }
                Part::Subscripts(new)
            }
            Part::Substring(lo, hi) => {
                let lo = lo.as_ref().map(|e| Box::new(value(cx, e, keep, around)));
                let hi = hi.as_ref().map(|e| Box::new(value(cx, e, keep, around)));
                Part::Substring(lo, hi)
            }
        });
    }
    Designator { sym: d.sym, parts }
}

/// Actual arguments: expressions that carry a derivative by their type become variables.
fn arguments(cx: &mut Cx, callee: Callee, args: Vec<Arg>, keep: bool, around: &mut Around) -> (Callee, Vec<Arg>) {
    let user = !matches!(callee, Callee::Intrinsic(_));
    // Derivatives of what isn't generated are called with what the user wrote.
    let given = target(cx.program, &callee).is_some_and(|p| cx.program.is_declared_only(p));
    let callee = match callee {
        Callee::Bound { object, binding, resolved } => {
            Callee::Bound { object: Box::new(value(cx, &object, keep, around)), binding, resolved }
        }
        other => other,
    };
    let args = if given { by_position(cx.program, &callee, args) } else { args };
    let mut out = Vec::with_capacity(args.len());
    for arg in args {
        let e = value(cx, &arg.value, keep, around);
        let plain = matches!(e.kind, ExprKind::Var(_) | ExprKind::ProcRef(_) | ExprKind::Opaque(_)) && !gathered(&e)
            || !designator::continuous(cx.program, e.ty)
            || matches!(e.ty.base, Base::None | Base::Unlimited)
            || given && is_number(&e);
        let e = if user && !plain { store(cx, "tmp", e, around) } else { e };
        out.push(Arg { keyword: arg.keyword, value: e });
    }
    let out = sized(cx, &callee, out);
    let mut out = as_sections(cx, &callee, out);
    if user {
        hold_places(cx, &callee, &mut out, around);
    }
    (callee, out)
}

/// Arguments whose memory a call may replace keep their places: what a subscript reads is held where the call may change it.
fn hold_places(cx: &mut Cx, callee: &Callee, args: &mut [Arg], around: &mut Around) {
    let passed: Vec<Option<Designator>> = args.iter().map(|a| a.value.as_var().cloned()).collect();
    for (at, arg) in args.iter_mut().enumerate() {
        let ExprKind::Var(d) = &arg.value.kind else { continue };
        if !holds_memory(cx.program, arg.value.ty) && !is_allocatable(cx.program, &arg.value) {
            continue;
        }
        let others: Vec<&Designator> =
            passed.iter().enumerate().filter(|(i, _)| *i != at).filter_map(|(_, d)| d.as_ref()).collect();
        let d = d.clone().map_subscripts(&mut |s| {
            let mut read = Vec::new();
            for_each_expr(&s, &mut |e| read.extend(e.as_var().cloned()));
            let changes = |v: &Designator| {
                others.iter().any(|o| super::reach::same_memory(cx.program, o, v))
                    || !super::reach::private(cx, v.sym) && super::reach::inside(cx.program, v, callee)
            };
            if s.rank == 0 && read.iter().any(changes) { store(cx, "at", s, around) } else { s }
        });
        arg.value.kind = ExprKind::Var(d);
    }
}

/// The arguments of a procedure of which only the declaration is known, in their order: the user's interface may have other
/// names for its dummies.
fn by_position(program: &Program, callee: &Callee, args: Vec<Arg>) -> Vec<Arg> {
    let Callee::Proc { sym, .. } = callee else { return args };
    let interface = program[*sym].procedure().and_then(|p| p.interface.or(p.definition));
    let Some(p) = interface else { return args };
    let bound: Vec<Arg> = bind(program, &program[p], &args)
        .into_iter()
        .map_while(|e| e.map(|e| Arg { keyword: None, value: e.clone() }))
        .collect();
    if bound.len() == args.len() { bound } else { args }
}

/// True for a number, with or without a sign.
fn is_number(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Real { .. } | ExprKind::Int { .. } => true,
        ExprKind::Unary(_, a) => is_number(a),
        _ => false,
    }
}

/// True for a section with a vector subscript: no procedure may change it, nor its derivative.
fn gathered(e: &Expr) -> bool {
    e.as_var().is_some_and(|d| {
        d.parts.iter().any(|p| match p {
            Part::Subscripts(list) => list.iter().any(|s| matches!(s, Subscript::Index(i) if i.rank > 0)),
            Part::Component(_) | Part::Substring(..) => false,
        })
    })
}

/// Replaces a function reference by a temporary that holds its value.
pub(super) fn pull(cx: &mut Cx, call: Expr, around: &mut Around) -> Expr {
    if let Some(result) = pointer_result(cx.program, &call) {
        // The value is behind the pointer, and so is its derivative.
        let sym = cx.pointer("tmp", &result, &call);
        let pointer = Expr::var(sym, call.ty, call.rank);
        around.before.push(cx.stmt(StmtKind::PointerAssign { lhs: pointer.clone(), rhs: call }));
        return pointer;
    }
    if call.rank > 0
        && let Some(bounds) = bounds_of_result(cx, &call, around)
    {
        return store_in(cx, "tmp", call, bounds, around);
    }
    store(cx, "tmp", call, around)
}

/// Bounds of an array-valued function's result, in which nothing is called.
pub(super) fn bounds_of_result(cx: &mut Cx, call: &Expr, around: &mut Around) -> Option<Vec<(Expr, Expr)>> {
    let bounds = super::result::result_bounds(cx, call)?;
    let mut evaluated = |e: &Expr| value(cx, e, false, around);
    Some(bounds.iter().map(|(lo, hi)| (evaluated(lo), evaluated(hi))).collect())
}
