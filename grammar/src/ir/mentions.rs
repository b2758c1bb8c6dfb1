//! What statements and expressions mention by name.

use super::{Callee, CtorItem, Expr, ExprKind, KindSuffix, LoopControl, Stmt, StmtKind, SymId, for_each_expr};
use crate::intrinsics::Intrinsic;

/// Something that stands in a text by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mention {
    /// A variable, procedure, type or constant.
    Entity(SymId),
    /// An intrinsic procedure.
    Intrinsic(Intrinsic),
}

/// Shows what a statement mentions, of a construct what stands beside its blocks.
pub fn mentions_of(s: &Stmt, add: &mut dyn FnMut(Mention)) {
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => add(Mention::Entity(*var)),
        StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. } | StmtKind::Forall { indices, .. } => {
            indices.iter().for_each(|i| add(Mention::Entity(i.0)));
        }
        StmtKind::Call { callee, .. } => called(callee, add),
        StmtKind::Directive { names, .. } => names.iter().for_each(|s| add(Mention::Entity(*s))),
        StmtKind::Select { arms, .. } => {
            let ranges = arms.iter().flat_map(|a| &a.ranges);
            ranges.flat_map(|r| r.exprs()).for_each(|e| mentions_in(e, add));
        }
        _ => {}
    }
    if let StmtKind::Do { parallel: Some(p), .. } = &s.kind {
        p.directives.iter().flat_map(|d| &d.names).for_each(|s| add(Mention::Entity(*s)));
    }
    s.exprs().into_iter().for_each(|e| mentions_in(e, add));
}

/// Shows what an expression mentions.
pub fn mentions_in(e: &Expr, add: &mut dyn FnMut(Mention)) {
    for_each_expr(e, &mut |x| match &x.kind {
        ExprKind::Var(d) => add(Mention::Entity(d.sym)),
        ExprKind::ProcRef(s) | ExprKind::StructCtor { ty: s, .. } => add(Mention::Entity(*s)),
        ExprKind::Call { callee, .. } => called(callee, add),
        ExprKind::Int { suffix: Some(KindSuffix::Named(s)), .. }
        | ExprKind::Real { suffix: Some(KindSuffix::Named(s)), .. }
        | ExprKind::Logical { suffix: Some(KindSuffix::Named(s)), .. } => add(Mention::Entity(*s)),
        ExprKind::ArrayCtor { items, .. } => items.iter().for_each(|i| counted(i, add)),
        ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::ComplexLit(..)
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::Unary(..)
        | ExprKind::Binary(..)
        | ExprKind::Paren(_)
        | ExprKind::Opaque(_) => {}
    });
}

fn counted(item: &CtorItem, add: &mut dyn FnMut(Mention)) {
    if let CtorItem::ImpliedDo { items, var, .. } = item {
        add(Mention::Entity(*var));
        items.iter().for_each(|i| counted(i, add));
    }
}

fn called(callee: &Callee, add: &mut dyn FnMut(Mention)) {
    match callee {
        Callee::Intrinsic(f) => add(Mention::Intrinsic(*f)),
        // The operand's type leads to it.
        Callee::Proc { generic: None, operator: Some(_), .. } | Callee::Bound { .. } => {}
        Callee::Proc { sym, generic, .. } => add(Mention::Entity(generic.unwrap_or(*sym))),
    }
}
