//! Indices that an iteration computes once, `i = list(k)` or `next = mod(j, n) + 1`: what they are stands in their place.
//! Then it is seen to which elements an iteration refers, also where it comes in the middle of it.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Base, Block, Callee, Expr, ExprKind, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::proved::times_assigned;
use super::{Cx, Map, mentions, subst};
use crate::sections::scene::calls;
use crate::storage::{is_global, symbols};

/// So many parts may an expression have that stands for an index.
const PARTS: usize = 12;

/// Replaces indices among the private variables of a loop; false where there are none.
pub(super) fn replace(cx: &mut Cx, stmt: &mut Stmt, private: &[SymId]) -> bool {
    let StmtKind::Do { body, .. } = &mut stmt.kind else { return false };
    let once = indices(cx.program, body, private);
    !once.is_empty() && in_block(cx, body, &once)
}

/// An index, and how many statements mention it.
type Index = (SymId, usize);

/// Private integers that one statement assigns, and that no procedure gets as an argument.
fn indices(program: &Program, body: &[Stmt], private: &[SymId]) -> Vec<Index> {
    let counts = mentions(program, body);
    let mut passed = BTreeSet::new();
    let mut named = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        s.governing().into_iter().for_each(|d| named.extend(d.names.iter().copied()));
        for e in s.exprs() {
            for_each_expr(e, &mut |x| match &x.kind {
                ExprKind::Call { callee: Callee::Intrinsic(_), .. } => {}
                ExprKind::Call { .. } | ExprKind::Opaque(_) => passed.extend(symbols(x)),
                _ => {}
            });
        }
    });
    let fits = |s: &SymId| {
        let plain = |v: &costate_grammar::ir::Variable| v.ty.base == Base::Integer && v.rank() == 0;
        program.var(*s).is_some_and(|v| plain(v) && !v.has_other_names())
            && !passed.contains(s)
            && !named.contains(s)
            && times_assigned(body, *s) == 1
    };
    private.iter().copied().filter(fits).map(|s| (s, counts.get(&s).copied().unwrap_or(0))).collect()
}

fn in_block(cx: &mut Cx, block: &mut Block, once: &[Index]) -> bool {
    let mut any = false;
    let mut k = 0;
    while k < block.len() {
        if let Some((sym, value)) = index(cx.program, block, k, once) {
            block.remove(k);
            let mut rest = block.split_off(k);
            subst::block(cx, &Map::from([(sym, value)]), &mut rest);
            block.extend(rest);
            any = true;
            continue;
        }
        if !block[k].is_region() {
            for inner in block[k].blocks_mut() {
                any |= in_block(cx, inner, once);
            }
        }
        k += 1;
    }
    any
}

/// The index that a statement of a block assigns, if it stands for the same all over what follows, and nowhere else.
fn index(program: &Program, block: &[Stmt], k: usize, once: &[Index]) -> Option<(SymId, Expr)> {
    let StmtKind::Assign { lhs, rhs } = &block[k].kind else { return None };
    let sym = lhs.as_var().filter(|d| d.parts.is_empty())?.sym;
    let (_, count) = once.iter().find(|i| i.0 == sym)?;
    let here = mentions(program, &block[k..]).get(&sym) == Some(count);
    let used = symbols(rhs);
    let mut fine = here && block[k].label.is_none() && rhs.ty == lhs.ty && rhs.rank == 0 && !used.contains(&sym);
    // A call may change what it is passed.
    fine &= used.iter().all(|s| times_assigned(block, *s) == 0);
    let mut parts = 0;
    for_each_expr(rhs, &mut |e| {
        parts += 1;
        fine &= match &e.kind {
            ExprKind::Call { callee, .. } => matches!(callee, Callee::Intrinsic(f) if f.class() == Class::Elemental),
            ExprKind::Opaque(_) | ExprKind::ProcRef(_) => false,
            _ => true,
        };
    });
    let mut called = false;
    for_each_stmt(block, &mut |s| called |= calls(s));
    let steady = |s: &SymId| {
        let parameter = program.var(*s).is_some_and(|v| v.attrs.parameter);
        let other = program.var(*s).is_none_or(|v| v.has_other_names()) || called && is_global(program, *s);
        parameter || !other
    };
    fine &= parts <= PARTS && used.iter().all(steady);
    fine.then(|| (sym, rhs.clone()))
}
