//! Indices that an iteration computes, `i = list(k)` or `next = mod(j, n) + 1`: what they are stands in their place. Then it
//! is seen to which elements an iteration refers, also where it comes in the middle of it, or computes several, one after
//! the other, in one variable.

use std::collections::BTreeSet;

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Base, Block, Callee, Designator, Expr, ExprKind, Program, Stmt, StmtKind, SymId, Variable, for_each_expr,
    for_each_stmt,
};

use super::elements::times_assigned;
use super::{Cx, Map, subst};
use crate::callgraph::{self, reached};
use crate::calls::{for_each_call, target};
use crate::sections::scene::needed_as_variables;
use crate::storage::{has_symbol, is_global, symbols};

/// So many parts may an expression have that stands for an index.
const PARTS: usize = 16;

/// Replaces indices among the private variables of a loop; false where there are none.
pub(super) fn replace(cx: &mut Cx, stmt: &mut Stmt, private: &[SymId]) -> bool {
    let StmtKind::Do { body, .. } = &mut stmt.kind else { return false };
    let known = indices(cx.program, body, private);
    let calls = Calls::of(cx.program, body);
    !known.is_empty() && in_block(cx, body, &known, &calls)
}

/// What the calls of a body may change of modules' variables, by their names.
struct Calls {
    changed: BTreeSet<SymId>,
    /// Procedures are called of which nothing is known.
    unknown: bool,
}

impl Calls {
    fn of(program: &Program, body: &[Stmt]) -> Calls {
        let called = reached(program, &callgraph::calls(program, body));
        let changed = called.iter().flat_map(|p| super::may_change(&program[*p].body)).collect();
        let mut unknown = calls_unknown(program, body);
        unknown |= called.iter().any(|p| calls_unknown(program, &program[*p].body));
        Calls { changed, unknown }
    }

    /// True for a variable that the calls leave alone.
    fn leave(&self, program: &Program, sym: SymId) -> bool {
        !(self.changed.contains(&sym) || self.unknown && is_global(program, sym))
    }
}

/// True where a procedure is called that isn't known.
fn calls_unknown(program: &Program, body: &[Stmt]) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |s| for_each_call(s, &mut |callee, _| found |= target(program, callee).is_none()));
    found
}

/// Private integers that no procedure needs as variables.
fn indices(program: &Program, body: &[Stmt], private: &[SymId]) -> Vec<SymId> {
    let mut passed = BTreeSet::new();
    let mut named = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        s.governing().into_iter().for_each(|d| named.extend(d.names.iter().copied()));
        if let StmtKind::Call { callee, args } = &s.kind {
            passed.extend(needed_as_variables(program, callee, args));
        }
        for e in s.exprs() {
            for_each_expr(e, &mut |x| match &x.kind {
                ExprKind::Call { callee: Callee::Intrinsic(_), .. } => {}
                ExprKind::Call { callee, args } => passed.extend(needed_as_variables(program, callee, args)),
                ExprKind::Opaque(_) => passed.extend(symbols(x)),
                _ => {}
            });
        }
    });
    let fits = |s: &SymId| {
        let plain = |v: &costate_grammar::ir::Variable| v.ty.base == Base::Integer && v.rank() == 0;
        program.var(*s).is_some_and(|v| plain(v) && !v.has_other_names()) && !passed.contains(s) && !named.contains(s)
    };
    let covered = |s: &SymId| Covered { program, sym: *s }.block(body, false).is_some();
    private.iter().copied().filter(fits).filter(covered).collect()
}

/// Whether all uses of a variable in a block see what was assigned last in their own block, or in one around it.
struct Covered<'p> {
    program: &'p Program,
    sym: SymId,
}

impl Covered<'_> {
    /// Whether a use behind a block sees such a value, where one before it does (`seen`); `None` where one in it doesn't.
    fn block(&self, block: &[Stmt], mut seen: bool) -> Option<bool> {
        for s in block {
            let used = |e: &Expr| match (value(s, self.sym), &s.kind) {
                (Some(_), StmtKind::Assign { lhs, .. }) if std::ptr::eq(e, lhs) => false,
                _ => has_symbol(e, self.sym),
            };
            if !seen && s.exprs().into_iter().any(used) {
                return None;
            }
            let assigns = self.assigns(std::slice::from_ref(s));
            let again = matches!(s.kind, StmtKind::Do { .. }) && assigns;
            for inner in s.blocks() {
                self.block(inner, seen && !again)?;
            }
            seen = value(s, self.sym).is_some() || seen && !assigns;
        }
        Some(seen)
    }

    fn assigns(&self, block: &[Stmt]) -> bool {
        times_assigned(self.program, block, &Designator::whole(self.sym)) > 0
    }
}

fn in_block(cx: &mut Cx, block: &mut Block, known: &[SymId], calls: &Calls) -> bool {
    let mut any = false;
    let mut k = 0;
    while k < block.len() {
        if let Some(sym) = index(cx.program, block, k, (known, calls)) {
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
                any |= in_block(cx, inner, known, calls);
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

/// The index that a statement of a block assigns, if what it stands for means the same all over what follows; all statements
/// there that assign it are the block's own.
fn index(program: &Program, block: &[Stmt], k: usize, (known, calls): (&[SymId], &Calls)) -> Option<SymId> {
    let StmtKind::Assign { lhs, .. } = &block[k].kind else { return None };
    let sym = lhs.as_var().filter(|d| d.parts.is_empty())?.sym;
    let own: Vec<&Stmt> = block[k..].iter().filter(|s| value(s, sym).is_some()).collect();
    let alone = own.len() == times_assigned(program, &block[k..], &Designator::whole(sym));
    (known.contains(&sym) && alone && own.iter().all(|s| stands_for(program, block, (s, sym), calls))).then_some(sym)
}

/// True for a statement that assigns a value to an index that may stand in its place.
fn stands_for(program: &Program, block: &[Stmt], (s, sym): (&Stmt, SymId), calls: &Calls) -> bool {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return false };
    let mut used = BTreeSet::new();
    values(program, rhs, &mut used);
    let mut fine = s.label.is_none() && rhs.ty == lhs.ty && rhs.rank == 0 && !used.contains(&sym);
    // A call may change what it is passed.
    fine &= used.iter().all(|s| times_assigned(program, block, &Designator::whole(*s)) == 0);
    let mut parts = 0;
    for_each_expr(rhs, &mut |e| {
        parts += 1;
        fine &= match &e.kind {
            ExprKind::Call { callee: Callee::Intrinsic(f), .. } => {
                f.class() == Class::Elemental || asks_for_extents(program, e)
            }
            ExprKind::Call { .. } => false,
            ExprKind::Opaque(_) | ExprKind::ProcRef(_) => false,
            _ => true,
        };
    });
    let steady = |s: &SymId| {
        let parameter = program.var(*s).is_some_and(|v| v.attrs.parameter);
        let other = program.var(*s).is_none_or(|v| v.has_other_names()) || !calls.leave(program, *s);
        parameter || !other
    };
    fine && parts <= PARTS && used.iter().all(steady)
}

/// The variables whose values an expression uses.
fn values(program: &Program, e: &Expr, out: &mut BTreeSet<SymId>) {
    if asks_for_extents(program, e) {
        return;
    }
    out.extend(e.as_var().map(|d| d.sym));
    e.children().into_iter().for_each(|x| values(program, x, out));
}

/// True where an array is asked for an extent or a bound that no statement changes.
fn asks_for_extents(program: &Program, e: &Expr) -> bool {
    let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &e.kind else { return false };
    let fixed = |v: &Variable| !v.attrs.allocatable && !v.attrs.pointer;
    let array = |x: &Expr| x.as_var().is_some_and(|d| d.parts.is_empty() && program.var(d.sym).is_some_and(fixed));
    let asks = matches!(f, Intrinsic::Size | Intrinsic::Lbound | Intrinsic::Ubound);
    asks && args.first().is_some_and(|a| array(&a.value)) && args[1..].iter().all(|a| a.value.as_int().is_some())
}
