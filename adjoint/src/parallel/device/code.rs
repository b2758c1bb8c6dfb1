//! What is asked of single statements, apart from any procedure.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;
use costate_grammar::directives::{AccConstruct, Construct, OmpConstruct};
use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{Callee, Designator, Expr, ExprKind, Intent, Program, Stmt, SymId, Variable, for_each_stmt};

/// True for a loop or a region that runs on a device.
pub(in crate::parallel) fn is_device_code(s: &Stmt) -> bool {
    s.is_region() && s.governing().iter().any(|d| computes(&d.directive.construct))
}

fn computes(c: &Construct) -> bool {
    use AccConstruct as A;
    match c {
        Construct::Acc(c) => {
            matches!(c, A::Parallel | A::ParallelLoop | A::Kernels | A::KernelsLoop | A::Serial | A::SerialLoop)
        }
        Construct::Omp(c) => matches!(c, OmpConstruct::Target | OmpConstruct::TargetCombined(_)),
        Construct::Ad(_) | Construct::Uninterpreted => false,
    }
}

/// All variables that a statement and those inside mention.
pub(super) fn mentioned(s: &Stmt) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(std::slice::from_ref(s), &mut |x| out.extend(x.exprs().into_iter().flat_map(symbols)));
    out
}

/// All variables that the statements of a block mention.
pub(super) fn all_mentioned(block: &[Stmt]) -> BTreeSet<SymId> {
    block.iter().flat_map(mentioned).collect()
}

/// Variables whose copy on the device called procedures get, to do with it what no directive tells.
pub(super) fn used_by_address(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        let own = s.governing().into_iter().filter(|d| d.directive.acc() == Some(&AccConstruct::HostData));
        out.extend(own.flat_map(|d| d.names.iter().copied()));
    });
    out
}

/// The references of whose values an expression makes use.
fn references<'e>(e: &'e Expr, see: &mut impl FnMut(&'e Designator)) {
    match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() == Class::Inquiry => {
            args.iter().flat_map(|a| a.value.children()).for_each(|c| references(c, see));
        }
        _ => {
            e.as_var().into_iter().for_each(&mut *see);
            e.children().into_iter().for_each(|c| references(c, see));
        }
    }
}

/// The references of whose values an expression makes use itself, apart from what it passes to functions of the program.
pub(super) fn own_references<'e>(e: &'e Expr, see: &mut impl FnMut(&'e Designator)) {
    match &e.kind {
        ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. } => {}
        ExprKind::Var(_) | ExprKind::Call { .. } => references(e, see),
        _ => e.children().into_iter().for_each(|c| own_references(c, see)),
    }
}

/// The variables of whose values an expression makes use.
pub(super) fn values(e: &Expr, out: &mut BTreeSet<SymId>) {
    references(e, &mut |d| _ = out.insert(d.sym));
}

/// The variables of whose values an expression makes use itself, apart from what it passes to functions of the program.
pub(super) fn own_values(e: &Expr, out: &mut BTreeSet<SymId>) {
    own_references(e, &mut |d| _ = out.insert(d.sym));
}

/// True for an expression that has the same value all through a procedure.
pub(super) fn is_fixed(program: &Program, e: &Expr) -> bool {
    let given = |v: &Variable| v.attrs.parameter || v.rank() == 0 && v.intent == Some(Intent::In);
    symbols(e).iter().all(|s| program.var(*s).is_some_and(given))
}
