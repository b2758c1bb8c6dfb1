//! Arrays that get their memory in a loop for a device. A device allocates nothing, and few compilers have private variables
//! there that are allocatable. Where the bounds are known at the procedure's entry, the array is declared with them.

use std::collections::BTreeSet;

use costate_analysis::loops::assigned;
use costate_analysis::sections::scene::calls;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Block, Designator, Dim, Expr, ExprKind, Intent, Part, Program, ScopeId, Stmt, StmtKind, Subscript, SymId,
    SymbolKind, for_each_stmt,
};
use costate_grammar::operators::BinaryOp;

use super::calls::on_tape;
use super::own_variables::{depends_on_memory, drop_memory, one_size};

/// Declares with their bounds the local arrays of a generated procedure that get memory in loops for a device, the same
/// wherever they get some. `scopes` are the primal's and the procedure's.
pub(super) fn declare(program: &mut Program, [primal, scope]: [ScopeId; 2], body: &mut Block) {
    let mut found = BTreeSet::new();
    super::outermost(body, &mut |s| {
        if s.followed().is_some_and(|p| p.on_device()) {
            for_each_stmt(std::slice::from_ref(s), &mut |inner| {
                let items = if let StmtKind::Allocate { items, .. } = &inner.kind { items.as_slice() } else { &[] };
                found.extend(items.iter().filter_map(|i| i.object.as_var()).map(|d| d.sym));
                found.extend(kept_whole(program, inner).map(|(x, _)| x));
            });
        }
    });
    let changing = assigned(body);
    let others = may_change_others(program, body);
    let entry = |program: &Program, x: SymId| {
        let local = [primal, scope].contains(&program[x].scope);
        program.var(x).is_some_and(|v| {
            let plain = v.rank() == 0 && !(v.attrs.optional || v.attrs.allocatable || v.attrs.pointer || v.directive);
            let same = !changing.contains(&x) && (!others || v.dummy.is_some() && v.intent == Some(Intent::In));
            plain && (v.attrs.parameter || same && (v.dummy.is_some() || !local))
        })
    };
    for x in found {
        let own = program[x].scope == scope && program.var(x).is_some_and(|v| v.attrs.allocatable && v.dummy.is_none());
        let given = || one_size(body, x, &changing).or_else(|| one_extent(program, body, x));
        let Some(dims) = own.then(given).flatten() else { continue };
        let known = |d: &Dim| match d {
            Dim::Explicit(lo, hi) => lo.iter().chain([hi]).all(|e| is_known(e, &|x| entry(program, x))),
            _ => false,
        };
        if !dims.iter().all(known) {
            continue;
        }
        if let SymbolKind::Variable(v) = &mut program[x].kind {
            (v.attrs.allocatable, v.dims) = (false, dims);
            drop_memory(body, x);
        }
    }
}

/// An allocatable array that gets memory, or another size, as it is assigned all of a section; and the section.
fn kept_whole<'s>(program: &Program, s: &'s Stmt) -> Option<(SymId, &'s Designator)> {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
    let to = lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym)?;
    let allocatable = program.var(to).is_some_and(|v| v.attrs.allocatable && v.rank() > 0);
    Some((to, rhs.as_var()?)).filter(|_| allocatable && rhs.rank > 0)
}

/// The shape of an array that gets the same extents wherever it gets memory, all by such assignments; nothing asks for it.
fn one_extent(program: &Program, body: &Block, x: SymId) -> Option<Vec<Dim>> {
    let mut rest = body.clone();
    drop_memory(&mut rest, x);
    let (mut shapes, mut fine) = (Vec::new(), true);
    for_each_stmt(&rest, &mut |s| {
        let assigned = kept_whole(program, s).filter(|(to, _)| *to == x);
        if let Some((_, of)) = assigned {
            shapes.push(extents(program, of));
        }
        let passed = matches!(s.kind, StmtKind::Call { .. }) && s.exprs().into_iter().any(|e| symbols(e).contains(&x));
        let otherwise =
            |lhs: &Expr| assigned.is_none() && lhs.as_var().is_some_and(|d| d.sym == x && d.parts.is_empty());
        fine &=
            !passed && !depends_on_memory(s, x) && !matches!(&s.kind, StmtKind::Assign { lhs, .. } if otherwise(lhs));
    });
    let (first, others) = shapes.split_first()?;
    let same = fine && others.iter().all(|o| o == first);
    first.clone().filter(|_| same)
}

/// The extents of a section of an array that is declared with bounds.
fn extents(program: &Program, d: &Designator) -> Option<Vec<Dim>> {
    let v = program.var(d.sym)?;
    let all = vec![Subscript::Range { lo: None, hi: None, step: None }; v.dims.len()];
    let list = match d.parts.as_slice() {
        [] => &all,
        [Part::Subscripts(list)] => list,
        _ => return None,
    };
    let mut out = Vec::new();
    for (subscript, dim) in list.iter().zip(&v.dims) {
        let Dim::Explicit(declared_lo, declared_hi) = dim else { return None };
        match subscript {
            Subscript::Index(e) if e.rank == 0 => {}
            Subscript::Range { lo, hi, step: None } => {
                let hi = hi.as_ref().unwrap_or(declared_hi).clone();
                let extent = match lo.as_ref().or(declared_lo.as_ref()).filter(|e| e.as_int() != Some(1)) {
                    Some(lo) => hi.sub(lo.clone()).add(Expr::int(1)),
                    None => hi,
                };
                out.push(Dim::Explicit(None, extent));
            }
            _ => return None,
        }
    }
    Some(out)
}

/// True where a block may change variables that it assigns nowhere.
fn may_change_others(program: &Program, body: &Block) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| {
        found |= match &s.kind {
            StmtKind::Call { callee, .. } => on_tape(program, callee).is_none(),
            StmtKind::Io { .. } => true,
            _ => calls(s),
        }
    });
    found
}

/// True for sums and products of what has its value at the procedure's entry.
fn is_known(e: &Expr, at_entry: &dyn Fn(SymId) -> bool) -> bool {
    match &e.kind {
        ExprKind::Int { .. } => true,
        ExprKind::Var(d) => d.parts.is_empty() && at_entry(d.sym),
        ExprKind::Unary(_, a) | ExprKind::Paren(a) => is_known(a, at_entry),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => {
            is_known(a, at_entry) && is_known(b, at_entry)
        }
        _ => false,
    }
}
