//! Expressions as text, fully parenthesised: placeholders print as the names they carry.

use costate_grammar::ir::{Callee, Expr, ExprKind, KindSuffix};

pub(crate) fn print(e: &Expr) -> String {
    let suffix = |s: &Option<KindSuffix>| match s {
        None => String::new(),
        Some(KindSuffix::Number(k)) => format!("_{k}"),
        Some(KindSuffix::Named(_)) => panic!("named kinds don't occur here"),
    };
    match &e.kind {
        ExprKind::Int { value, suffix: s } => format!("{value}{}", suffix(s)),
        ExprKind::Real { text, suffix: s } => format!("{text}{}", suffix(s)),
        ExprKind::ComplexLit(re, im) => format!("({}, {})", bare(re), bare(im)),
        ExprKind::Logical { value, .. } => format!(".{value}."),
        ExprKind::Opaque(text) => text.clone(),
        ExprKind::Unary(op, a) => format!("({}{})", op.text(), print(a)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", print(a), op.text(), print(b)),
        ExprKind::Paren(a) => format!("({})", print(a)),
        ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
            let arg = |a: &costate_grammar::ir::Arg| match &a.keyword {
                Some(k) => format!("{k}={}", print(&a.value)),
                None => print(&a.value),
            };
            format!("{}({})", f.name(), args.iter().map(arg).collect::<Vec<_>>().join(", "))
        }
        other => panic!("not printed here: {other:?}"),
    }
}

/// A part of a complex literal: a signed literal without parentheses.
fn bare(e: &Expr) -> String {
    print(e).trim_start_matches('(').trim_end_matches(')').to_string()
}
