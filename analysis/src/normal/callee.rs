//! Calls: the procedures behind them, their dummies and results.

use costate_grammar::ir::{Arg, Callee, Expr, ExprKind, ProcId, ProcKind, Program, SymId, Variable, for_each_expr};

/// What is known of the procedure behind a call: its definition or interface.
pub(super) fn interface(program: &Program, callee: &Callee) -> Option<ProcId> {
    let sym = match callee {
        Callee::Proc { sym, .. } => *sym,
        Callee::Bound { resolved, .. } => (*resolved)?,
        Callee::Intrinsic(_) => return None,
    };
    let info = program[sym].procedure()?;
    info.definition.or(info.interface)
}

/// The dummy that argument `i` of a call goes to.
pub(super) fn dummy_of(program: &Program, proc: ProcId, callee: &Callee, i: usize, arg: &Arg) -> Option<SymId> {
    let dummies = &program[proc].dummies;
    match &arg.keyword {
        Some(k) => dummies.iter().copied().find(|&d| program[d].name == *k),
        None => dummies.get(i + usize::from(passes_object(program, callee))).copied(),
    }
}

/// True when a type-bound call hands its object on as the first argument.
pub(super) fn passes_object(program: &Program, callee: &Callee) -> bool {
    let Callee::Bound { object, binding, .. } = callee else {
        return false;
    };
    // What is no binding is a procedure pointer component.
    object.ty.derived().and_then(|t| program.binding(t, &binding.name)).is_none_or(|(_, b)| !b.nopass)
}

/// The result variable of a function.
pub(super) fn result_variable<'a>(program: &'a Program, callee: &Callee) -> Option<&'a Variable> {
    match program[interface(program, callee)?].kind {
        ProcKind::Function(result) => program.var(result),
        ProcKind::Subroutine | ProcKind::Program => None,
    }
}

/// The result variable of a function that returns a pointer.
pub(super) fn pointer_result(program: &Program, call: &Expr) -> Option<Variable> {
    let ExprKind::Call { callee, .. } = &call.kind else { return None };
    result_variable(program, callee).filter(|v| v.attrs.pointer).cloned()
}

/// True for a call of an elemental procedure.
pub(super) fn elemental(program: &Program, callee: &Callee) -> bool {
    interface(program, callee).is_some_and(|p| program[p].prefix.elemental)
}

/// True for a reference to a user's function.
pub(super) fn is_user_call(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. })
}

/// True when an expression refers to a user's function.
pub(super) fn has_user_call(e: &Expr) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |e| found |= is_user_call(e));
    found
}
