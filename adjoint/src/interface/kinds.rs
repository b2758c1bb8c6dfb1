//! Literals take the kind of their context as the user spells it: where variables are declared `real(wp)`, a generated
//! `0.0d0` becomes `0.0_wp`, so that generated code compiles in another precision too. What the user wrote stays.

use std::collections::BTreeSet;

use costate_analysis::storage::resolve;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Callee, CtorItem, Designator, Expr, ExprKind, KindSuffix, Program, StmtKind, SymId, Variable,
    for_each_expr, map_expr,
};
use costate_grammar::source::Span;

use crate::session::Session;

/// How variables of one kind are declared: by a named constant, or in another way.
type Spellings = BTreeSet<Option<SymId>>;

/// Spells the literals of all generated procedures.
pub(crate) fn run(session: &mut Session<'_>) {
    for p in session.all_generated() {
        let mut body = std::mem::take(&mut session.program[p].body);
        block(session.program, &mut body);
        if session.program.wide_real {
            narrow(&mut body);
        }
        session.program[p].body = body;
    }
}

fn block(program: &Program, stmts: &mut Block) {
    for s in stmts {
        for kind in kinds(s.exprs()) {
            let mut all = Spellings::new();
            s.exprs().into_iter().for_each(|e| spellings(program, e, kind, &mut all));
            if all.iter().all(Option::is_none) {
                continue;
            }
            let context = only(&all);
            let alone = matches!(s.kind, StmtKind::Assign { .. });
            s.kind.map_exprs(&mut |e| {
                let mut own = Spellings::new();
                spellings(program, e, kind, &mut own);
                // The parts of an assignment are of one kind; other expressions of a statement are on their own.
                let context = if own.is_empty() && !alone { context } else { only(&own).or(context) };
                spell(program, e, kind, context)
            });
        }
        s.blocks_mut().into_iter().for_each(|b| block(program, b));
    }
}

/// The kinds of the generated literals in expressions.
fn kinds(exprs: Vec<&Expr>) -> BTreeSet<u8> {
    let mut out = BTreeSet::new();
    for e in exprs {
        for_each_expr(e, &mut |x| {
            if is_generated(x) {
                out.insert(x.ty.kind);
            }
            if let Some(kind) = conversion(x) {
                out.insert(kind);
            }
        });
    }
    out
}

/// A literal that the user didn't write.
fn is_generated(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Real { suffix: None | Some(KindSuffix::Number(_)), .. }) && e.span == Span::default()
}

/// The kind that a generated `real(x, kind=8)` converts to.
fn conversion(e: &Expr) -> Option<u8> {
    let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Real | Intrinsic::Cmplx), args } = &e.kind else {
        return None;
    };
    let kind = args.iter().find(|a| a.keyword.as_ref().is_some_and(|k| k.as_str() == "kind"))?;
    let literal = matches!(kind.value.kind, ExprKind::Int { suffix: None, .. });
    (literal && kind.value.span == Span::default()).then_some(e.ty.kind)
}

/// The one named constant that gives the kind of all variables.
fn only(all: &Spellings) -> Option<SymId> {
    match all.iter().collect::<Vec<_>>().as_slice() {
        [Some(sym)] => Some(*sym),
        _ => None,
    }
}

/// How the variables of a kind in an expression are declared.
fn spellings(program: &Program, e: &Expr, kind: u8, out: &mut Spellings) {
    for_each_expr(e, &mut |x| {
        let ExprKind::Var(d) = &x.kind else { return };
        let Some(v) = resolve(program, d.sym, &d.path()) else { return };
        if v.ty.is_continuous() && v.ty.kind == kind {
            out.insert(named(v));
        }
    });
}

/// The named constant in `real(wp)`, `real(kind=wp)`, `complex(wp)`.
fn named(v: &Variable) -> Option<SymId> {
    let text: String = v.spelling.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let inside = text.strip_prefix("real(").or(text.strip_prefix("complex("))?.strip_suffix(')')?;
    let name = inside.strip_prefix("kind=").unwrap_or(inside);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match v.spelling_uses.as_slice() {
        [sym] if is_name => Some(*sym),
        _ => None,
    }
}

/// An expression whose literals of a kind are spelt; each takes the spelling of the nearest variables around it.
fn spell(program: &Program, e: &Expr, kind: u8, context: Option<SymId>) -> Expr {
    let mut own = Spellings::new();
    spellings(program, e, kind, &mut own);
    if own.len() <= 1 {
        let context = if own.is_empty() { context } else { only(&own) };
        return match context {
            Some(sym) => map_expr(e.clone(), &mut |x| one(x, kind, sym)),
            None => e.clone(),
        };
    }
    let mut children: Vec<Spellings> = Vec::new();
    for c in e.children() {
        let mut set = Spellings::new();
        spellings(program, c, kind, &mut set);
        children.push(set);
    }
    // A part without variables takes the spelling of the parts beside it.
    let beside = |at: usize| {
        let near = [at.checked_sub(1), Some(at + 1)];
        near.into_iter().flatten().filter_map(|i| children.get(i)).filter(|s| !s.is_empty()).find_map(only)
    };
    let mut at = 0;
    let mut next = |c: &Expr| {
        let context = beside(at).or(context);
        at += 1;
        spell(program, c, kind, context)
    };
    let kind_of = match &e.kind {
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, Box::new(next(a))),
        ExprKind::Paren(a) => ExprKind::Paren(Box::new(next(a))),
        ExprKind::Binary(op, a, b) => {
            let a = next(a);
            ExprKind::Binary(*op, Box::new(a), Box::new(next(b)))
        }
        ExprKind::Call { callee: callee @ (Callee::Intrinsic(_) | Callee::Proc { .. }), args } => {
            let args = args.iter().map(|a| costate_grammar::ir::Arg { value: next(&a.value), ..a.clone() }).collect();
            ExprKind::Call { callee: callee.clone(), args }
        }
        ExprKind::ArrayCtor { type_spec, items } if items.iter().all(|i| matches!(i, CtorItem::Value(_))) => {
            let items = items.iter().map(|i| match i {
                CtorItem::Value(v) => CtorItem::Value(next(v)),
                CtorItem::ImpliedDo { .. } => i.clone(),
            });
            ExprKind::ArrayCtor { type_spec: type_spec.clone(), items: items.collect() }
        }
        _ => return e.clone(),
    };
    Expr { kind: kind_of, ..e.clone() }
}

/// One expression with the named constant in the place of the kind.
fn one(mut x: Expr, kind: u8, sym: SymId) -> Expr {
    if x.ty.kind != kind {
        return x;
    }
    if conversion(&x).is_some()
        && let ExprKind::Call { args, .. } = &mut x.kind
    {
        for a in args.iter_mut().filter(|a| a.keyword.as_ref().is_some_and(|k| k.as_str() == "kind")) {
            a.value.kind = ExprKind::Var(Designator::whole(sym));
        }
        return x;
    }
    if x.ty.base == Base::Real
        && is_generated(&x)
        && let ExprKind::Real { text, suffix } = &mut x.kind
    {
        let lower = text.to_ascii_lowercase().replace('d', "e");
        *text = match lower.split_once('e') {
            Some((digits, power)) if power.parse() == Ok(0) => digits.to_string(),
            Some(_) | None => lower,
        };
        *suffix = Some(KindSuffix::Named(sym));
    }
    x
}

/// Where default real has 8 bytes, what has 4 says so.
fn narrow(stmts: &mut Block) {
    for s in stmts {
        s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut four_bytes));
        s.blocks_mut().into_iter().for_each(narrow);
    }
}

fn four_bytes(mut x: Expr) -> Expr {
    if !x.ty.is_continuous() || x.ty.kind != 4 {
        return x;
    }
    match &mut x.kind {
        ExprKind::Real { suffix, .. } if suffix.is_none() => *suffix = Some(KindSuffix::Number(4)),
        ExprKind::Call { callee: Callee::Intrinsic(f @ (Intrinsic::Real | Intrinsic::Cmplx)), args } => {
            let by_keyword = args.iter().any(|a| a.keyword.is_some());
            let most = if *f == Intrinsic::Real { 1 } else { 2 };
            let of_complex = *f == Intrinsic::Real && args.first().is_some_and(|a| a.value.ty.base == Base::Complex);
            if !by_keyword && args.len() <= most && !of_complex {
                args.push(costate_grammar::ir::Arg { keyword: Some("kind".into()), value: Expr::int(4) });
            }
        }
        _ => {}
    }
    x
}
