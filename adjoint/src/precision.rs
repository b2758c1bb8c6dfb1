//! How exactly an output can be known: the coarsest kind of all that lies between a head's independents and the output.

use costate_analysis::activity::{Activity, Context};
use costate_analysis::operands::any_differentiable_operand;
use costate_analysis::storage::{Loc, LocBits, LocSet};
use costate_grammar::ir::{Base, Expr, ExprKind, Name, Stmt, StmtKind, SymId, Ty, for_each_expr, for_each_stmt};
use costate_grammar::print;

use crate::session::{HeadFacts, Session};

/// The precision of one output of a head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Precision {
    /// The output's variable.
    pub sym: SymId,
    /// Components on the way to it.
    pub path: Vec<Name>,
    /// The coarsest kind.
    pub kind: u8,
    /// Something of that kind, for people.
    pub because: String,
}

/// The precision of every output of a head that is known less exactly than in double.
pub fn of_outputs(session: &mut Session<'_>, head: &HeadFacts) -> Vec<Precision> {
    // Most programs have nothing coarse anywhere.
    let all = std::mem::take(&mut session.activity);
    let somewhere = coarsest(session, &all);
    session.activity = all;
    let mut out = Vec::new();
    if somewhere.is_none() {
        return out;
    }
    for l in head.dependents.clone() {
        let mut activity = Activity::default();
        let (x, y) = (&head.independents | &session.messages, &LocSet::from([l]) | &session.messages);
        activity.add_head(session.program, &mut session.effects, head.head.proc, x, y);
        if let Some(coarsest) = coarsest(session, &activity) {
            let Loc { sym, path, .. } = session.effects.locs.get(l).clone();
            out.push(Precision { sym, path, kind: coarsest.kind, because: coarsest.what });
        }
    }
    out
}

/// Kinds with fewer bytes are coarse.
const DOUBLE: u8 = 8;

/// What has the coarsest kind that was seen; of several the first, and what the user has named before all else.
struct Coarsest {
    kind: u8,
    named: bool,
    what: String,
}

fn is_coarse(ty: Ty) -> bool {
    ty.is_continuous() && ty.kind < DOUBLE
}

/// Keeps the coarser of two.
fn note(best: &mut Option<Coarsest>, ty: Ty, named: bool, what: impl FnOnce() -> String) {
    let better = |b: &Coarsest| (ty.kind, !named) < (b.kind, !b.named);
    if is_coarse(ty) && best.as_ref().is_none_or(better) {
        *best = Some(Coarsest { kind: ty.kind, named, what: what() });
    }
}

fn coarsest(session: &mut Session<'_>, activity: &Activity) -> Option<Coarsest> {
    let mut best = None;
    for context in &activity.contexts {
        let program = &*session.program;
        for l in &context.active {
            let sym = session.effects.locs.get(*l).sym;
            let Some(v) = session.effects.locs.variable(program, *l) else { continue };
            note(&mut best, v.ty, !session.temporaries.contains(&sym), || {
                described(&session.effects.locs.describe(program, *l), session, context, v.ty)
            });
        }
        let body = session.effects.bodies.get(&context.proc).cloned().unwrap_or_default();
        for_each_stmt(&body, &mut |s| values(session, context, s, &mut best));
    }
    best
}

fn described(text: &str, session: &Session<'_>, context: &Context, ty: Ty) -> String {
    let word = if ty.base == Base::Complex { "complex" } else { "real" };
    format!("`{text}` in `{}` is {word}({})", session.program[context.proc].name, ty.kind)
}

/// Looks at the values that a statement computes on the way.
fn values(session: &mut Session<'_>, context: &Context, stmt: &Stmt, best: &mut Option<Coarsest>) {
    let (Some(varied), Some(useful)) = (context.varied.get(&stmt.id), context.useful.get(&stmt.id)) else { return };
    let exprs: Vec<&Expr> = match &stmt.kind {
        StmtKind::Assign { lhs, rhs } => {
            let ExprKind::Var(d) = &lhs.kind else { return };
            let to = session.effects.locs.of(session.program, d);
            if to.iter().any(|l| useful.contains(l)) { vec![rhs] } else { Vec::new() }
        }
        StmtKind::Call { args, .. } if context.callees.contains_key(&stmt.id) => {
            args.iter().map(|a| &a.value).collect()
        }
        _ => Vec::new(),
    };
    for value in exprs.into_iter().flat_map(|e| carriers(session, varied, e)).collect::<Vec<_>>() {
        note(best, value.ty, false, || described(&print::expr(session.program, value), session, context, value.ty));
    }
}

/// An expression and its operands, as far as a varied value passes through them; none where nothing in it is coarse.
fn carriers<'e>(session: &mut Session<'_>, varied: &LocBits, e: &'e Expr) -> Vec<&'e Expr> {
    let mut coarse = false;
    for_each_expr(e, &mut |x| coarse |= is_coarse(x.ty));
    if !coarse {
        return Vec::new();
    }
    let locs = &mut session.effects.locs;
    let mut passes = |e: &Expr| {
        any_differentiable_operand(e, &mut |d| locs.of(session.program, d).iter().any(|l| varied.contains(l)))
    };
    let mut out = Vec::new();
    let mut queue = vec![e];
    while let Some(e) = queue.pop() {
        if passes(e) {
            out.push(e);
            queue.extend(e.children());
        }
    }
    out
}
