//! Loops whose iterations keep what they add to elements that they may share ([`super::handed`]), and the loops behind that
//! add it.

use costate_analysis::affine::plus;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Expr, ExprKind, LoopControl, Origin, Parallel, Part, Program, Role, ScopeId, Stmt, StmtKind, Subscript,
    SymId,
};

use super::Form;
use super::directives;
use super::elements::{Index, Indexed, index, limits, replace, where_there_is_some};
use super::handed::Handed;
use super::nests::{innermost_body, nest_of};
use super::sharing::Sharing;
use crate::expressions::extreme;
use crate::names::Taken;

/// Lets iterations hand something over. Returns what comes before and behind the loop.
pub(super) fn hand_over(
    program: &mut Program,
    s: &mut Stmt,
    (handed, form, asked): (&Handed, Form, &Parallel),
    (scope, names): (ScopeId, &mut Taken),
) -> [Block; 2] {
    let Some(of) = handed.element.as_var().map(|d| d.sym) else { return Default::default() };
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let inside = handed.within.iter().filter_map(|c| match c {
        LoopControl::Count { var, lo, hi, step } => Some(index(*var, lo, hi, step.as_ref())),
        _ => None,
    });
    let mut indices: Vec<Index> = limits(s, form.depth).into_iter().chain(inside).collect();
    // The innermost loop runs along the first dimension.
    indices.reverse();
    let base = format!("{}_parts", program[of].name);
    let amounts = Indexed::new(program, (of, handed.element.ty, &[]), (&base, &indices), (scope, names));
    let mut before = amounts.begin(program, origin);
    // What belongs to an iteration it sets to zero itself.
    if handed.within.is_empty()
        && let Some(body) = innermost_body(s, form.depth)
    {
        before.truncate(1);
        let zero = StmtKind::Assign { lhs: amounts.element(), rhs: Expr::zero(handed.element.ty) };
        body.insert(0, Stmt::new(program.fresh_stmt(), zero, origin));
    }
    let mut element = handed.element.clone();
    let (mut places, mut number) = (Vec::new(), 0);
    element = map_children(element, &mut |e| {
        let kept = handed.kept.contains(&number);
        number += 1;
        if !kept {
            return e;
        }
        let base = format!("{}_at", program[of].name);
        let place = Indexed::new(program, (of, e.ty, &[]), (&base, &indices), (scope, names));
        before.extend(place.begin(program, origin));
        let at = place.element();
        places.push((place, e));
        at
    });
    note_places(program, s, (handed, &places));
    replace(s, &handed.element, &|id| handed.stmts.contains(&id), &amounts.element());
    let shared = (amounts.array, asked);
    let mut after = behind(program, s, (handed, form, shared), (element, amounts.element()));
    after.push(amounts.free(program, origin));
    after.extend(places.iter().map(|(place, _)| place.free(program, origin)));
    [before, after]
}

/// An expression with other subscripts, in the order in which `children` has them.
fn map_children(e: Expr, f: &mut dyn FnMut(Expr) -> Expr) -> Expr {
    let ExprKind::Var(mut d) = e.kind else { return e };
    for part in &mut d.parts {
        let Part::Subscripts(list) = part else { continue };
        for s in list {
            if let Subscript::Index(i) = s {
                *i = f(i.clone());
            }
        }
    }
    Expr { kind: ExprKind::Var(d), ..e }
}

/// Keeps subscripts before the statements that use them.
fn note_places(program: &mut Program, s: &mut Stmt, (handed, places): (&Handed, &[(Indexed, Expr)])) {
    for block in s.blocks_mut() {
        for mut inner in std::mem::take(block) {
            note_places(program, &mut inner, (handed, places));
            if handed.stmts.contains(&inner.id) {
                for (place, e) in places {
                    let kind = StmtKind::Assign { lhs: place.element(), rhs: e.clone() };
                    block.push(Stmt::new(program.fresh_stmt(), kind, inner.origin));
                }
            }
            block.push(inner);
        }
    }
}

/// The loops that add to the element what iterations have handed over.
fn behind(
    program: &mut Program,
    s: &Stmt,
    (handed, form, (amounts, asked)): (&Handed, Form, (SymId, &Parallel)),
    (element, amount): (Expr, Expr),
) -> Block {
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let of = element.as_var().map(|d| d.sym);
    let nest = nest_of(s, form.depth).map_or_else(Vec::new, |n| n.0);
    let controls: Vec<LoopControl> = nest.into_iter().map(|(_, control)| control.clone()).collect();
    // The variables of the loops are each iteration's own.
    let counts = |x: &SymId| {
        let all = controls.iter().chain(&handed.within);
        all.into_iter().any(|c| matches!(c, LoopControl::Count { var, .. } if var == x))
    };
    let named: Vec<SymId> = symbols(&element).into_iter().filter(|x| Some(*x) != of && !counts(x)).collect();
    let mut out = Block::new();
    for mut controls in apart_from_ends(controls, handed.ends) {
        let add = StmtKind::Assign { lhs: element.clone(), rhs: element.clone().add(amount.clone()) };
        let mut inner = Stmt::new(program.fresh_stmt(), add, origin);
        if !handed.certain {
            inner = where_there_is_some(program, inner, &amount);
        }
        controls.extend(handed.within.iter().cloned());
        for control in controls.into_iter().rev() {
            inner = Stmt::new(program.fresh_stmt(), StmtKind::repeat(control, vec![inner]), origin);
        }
        if handed.apart {
            let read = named.iter().copied().chain([amounts]).collect();
            let written = of.into_iter().collect();
            directives::write(program, &mut inner, asked, &Sharing { read, written, ..Sharing::default() }, form);
        }
        out.push(inner);
    }
    out
}

/// The headers of loops in each other, and those of the same with one iteration of one of them, for the few of that at its ends
/// that are left out first.
fn apart_from_ends(controls: Vec<LoopControl>, ends: Option<(usize, [i64; 2])>) -> Vec<Vec<LoopControl>> {
    let Some((k, [first, last])) = ends else { return vec![controls] };
    let Some(LoopControl::Count { var, lo, hi, step }) = controls.get(k) else { return vec![controls] };
    let (_, least, greatest) = index(*var, lo, hi, step.as_ref());
    let by = |e: &Expr, n: i64| plus(e, &Expr::int(n));
    let range = |lo: Expr, hi: Expr| LoopControl::Count { var: *var, lo, hi, step: None };
    let mut ranges = vec![range(by(&least, first), by(&greatest, -last))];
    ranges.extend((0..first).map(|n| range(by(&least, n), extreme(Intrinsic::Min, by(&least, n), greatest.clone()))));
    ranges
        .extend((0..last).map(|n| range(extreme(Intrinsic::Max, by(&greatest, -n), least.clone()), by(&greatest, -n))));
    let with = |c: LoopControl| {
        controls.iter().cloned().enumerate().map(|(j, own)| if j == k { c.clone() } else { own }).collect()
    };
    ranges.into_iter().map(with).collect()
}
