//! Indices that an iteration computes, `i = list(k)` or `next = mod(j, n) + 1`: what they are stands in their place. Then it
//! is seen to which elements an iteration refers, also where it comes in the middle of it, or computes several, one after
//! the other, in one variable.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Base, Block, Callee, Designator, Expr, ExprKind, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::elements::times_assigned;
use super::{Cx, Map, mentions, subst};
use crate::sections::scene::calls;
use crate::storage::{is_global, symbols};

/// So many parts may an expression have that stands for an index.
const PARTS: usize = 12;

/// Replaces indices among the private variables of a loop; false where there are none.
pub(super) fn replace(cx: &mut Cx, stmt: &mut Stmt, private: &[SymId]) -> bool {
    let StmtKind::Do { body, .. } = &mut stmt.kind else { return false };
    let known = indices(cx.program, body, private);
    !known.is_empty() && in_block(cx, body, &known)
}

/// An index.
struct Index {
    variable: SymId,
    /// So many statements mention it,
    mentioned: usize,
    /// and so many assign it.
    assigned: usize,
}

/// Private integers that no procedure gets as an argument.
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
        program.var(*s).is_some_and(|v| plain(v) && !v.has_other_names()) && !passed.contains(s) && !named.contains(s)
    };
    let index = |s: SymId| Index {
        variable: s,
        mentioned: counts.get(&s).copied().unwrap_or(0),
        assigned: times_assigned(program, body, &Designator::whole(s)),
    };
    private.iter().copied().filter(fits).map(index).collect()
}

fn in_block(cx: &mut Cx, block: &mut Block, known: &[Index]) -> bool {
    let mut any = false;
    let mut k = 0;
    while k < block.len() {
        if let Some(sym) = index(cx.program, block, k, known) {
            let mut map = Map::new();
            for s in block.split_off(k) {
                match value(&s, sym) {
                    Some(value) => _ = map.insert(sym, value.clone()),
                    None => {
                        let mut own = vec![s];
                        subst::block(cx, &map, &mut own);
                        block.append(&mut own);
                    }
                }
            }
            any = true;
            continue;
        }
        if !block[k].is_region() {
            for inner in block[k].blocks_mut() {
                any |= in_block(cx, inner, known);
            }
        }
        k += 1;
    }
    any
}

/// What a statement assigns to a variable.
fn value(s: &Stmt, sym: SymId) -> Option<&Expr> {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
    lhs.as_var().filter(|d| d.sym == sym && d.parts.is_empty()).map(|_| rhs)
}

/// The index that a statement of a block assigns, if what it stands for means the same all over what follows, and it stands
/// nowhere else; all statements that assign it are the block's own.
fn index(program: &Program, block: &[Stmt], k: usize, known: &[Index]) -> Option<SymId> {
    let StmtKind::Assign { lhs, .. } = &block[k].kind else { return None };
    let sym = lhs.as_var().filter(|d| d.parts.is_empty())?.sym;
    let index = known.iter().find(|i| i.variable == sym)?;
    let here = mentions(program, &block[k..]).get(&sym) == Some(&index.mentioned);
    let own: Vec<&Stmt> = block[k..].iter().filter(|s| value(s, sym).is_some()).collect();
    (here && own.len() == index.assigned && own.iter().all(|s| stands_for(program, block, s, sym))).then_some(sym)
}

/// True for a statement that assigns a value to an index that may stand in its place.
fn stands_for(program: &Program, block: &[Stmt], s: &Stmt, sym: SymId) -> bool {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return false };
    let used = symbols(rhs);
    let mut fine = s.label.is_none() && rhs.ty == lhs.ty && rhs.rank == 0 && !used.contains(&sym);
    // A call may change what it is passed.
    fine &= used.iter().all(|s| times_assigned(program, block, &Designator::whole(*s)) == 0);
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
    fine && parts <= PARTS && used.iter().all(steady)
}
