//! Elements as arguments that stand for the array behind them: what a call changes, and what is saved of it, is a section.
//!
//! ```fortran
//! call g(n, m, x(1, 1, k))    ->    call g(n, m, x(:, :, k))    ! where g declares its dummy as x(n, m), as the caller does
//! call h(m, y(i))             ->    call h(m, y(i:i + m - 1))    ! where h declares its dummy as y(m)
//! ```

use costate_grammar::ir::{Arg, Callee, Expr, ExprKind, Part, Subscript, SymId};

use super::callee::{dummy_of, interface};
use super::context::Cx;
use super::subst::{self, Map};
use crate::effects::{bind, is_fixed, section_of_sequence, window_of_sequence};
use crate::storage::symbols;

/// Names the sections in the arguments of a call.
pub(super) fn as_sections(cx: &Cx, callee: &Callee, args: Vec<Arg>) -> Vec<Arg> {
    let program = &*cx.program;
    let Some(proc) = interface(program, callee).filter(|p| !program.is_declared_only(*p)) else { return args };
    let bound: Vec<Option<Expr>> =
        bind(program, &program[proc], &args).into_iter().map(Option::<&Expr>::cloned).collect();
    let map: Map =
        program[proc].dummies.iter().copied().zip(&bound).filter_map(|(d, e)| Some((d, e.clone()?))).collect();
    let in_caller = |e: &Expr| {
        let e = subst::expr(program, &map, e);
        let own = |s: SymId| program[s].scope == program[proc].scope;
        (!symbols(&e).into_iter().any(own)).then_some(e)
    };
    let stays = |s: SymId| is_fixed(program, s) || program[s].scope == cx.scope && !cx.facts.changes(program, s);
    let passed: Vec<SymId> = args.iter().flat_map(|a| symbols(&a.value)).collect();
    let section = |(i, arg): (usize, Arg)| {
        let found = dummy_of(program, proc, callee, i, &arg).and_then(|dummy| {
            let whole = section_of_sequence(program, (dummy, &arg.value), &in_caller, &stays);
            // Parts of one work array are told apart by where they begin.
            let alone = arg.value.as_var().is_some_and(|d| passed.iter().filter(|x| **x == d.sym).count() == 1);
            let window = || window_of_sequence(program, (dummy, &arg.value), &in_caller, &stays);
            whole.or_else(|| window().filter(|_| alone))
        });
        let Some(d) = found else { return arg };
        let Some(Part::Subscripts(list)) = d.parts.last() else { return arg };
        let rank = list.iter().filter(|s| matches!(s, Subscript::Range { .. })).count() as u8;
        Arg { value: Expr { kind: ExprKind::Var(d), rank, ..arg.value }, ..arg }
    };
    args.into_iter().enumerate().map(section).collect()
}
