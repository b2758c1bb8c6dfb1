//! Loops whose iterations keep what they add to elements that they may share ([`super::handed`]), and the loops behind that
//! add it.

use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Block, Expr, ExprKind, LoopControl, Origin, Parallel, Part, Program, Role, ScopeId, Stmt, StmtKind, Subscript,
    SymId,
};

use super::Form;
use super::directives;
use super::elements::{Index, Indexed, index, limits, replace, where_there_is_some};
use super::handed::Handed;
use super::sharing::Sharing;
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
    let mut after = vec![behind(program, s, (handed, form, shared), (element, amounts.element()))];
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

/// The loop that adds to the element what iterations have handed over.
fn behind(
    program: &mut Program,
    s: &Stmt,
    (handed, form, (amounts, asked)): (&Handed, Form, (SymId, &Parallel)),
    (element, amount): (Expr, Expr),
) -> Stmt {
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let of = element.as_var().map(|d| d.sym);
    let add = StmtKind::Assign { lhs: element.clone(), rhs: element.clone().add(amount.clone()) };
    let mut out = Stmt::new(program.fresh_stmt(), add, origin);
    if !handed.certain {
        out = where_there_is_some(program, out, &amount);
    }
    let mut at = s;
    let mut controls = Vec::new();
    while let StmtKind::Do { control, body, .. } = &at.kind
        && controls.len() < form.depth
    {
        controls.push(control.clone());
        let Some(inner) = body.first() else { break };
        at = inner;
    }
    controls.extend(handed.within.iter().cloned());
    for control in controls.into_iter().rev() {
        out = Stmt::new(program.fresh_stmt(), StmtKind::repeat(control, vec![out]), origin);
    }
    if handed.apart {
        let read = symbols(&element).into_iter().filter(|x| Some(*x) != of).chain([amounts]).collect();
        let written = of.into_iter().collect();
        directives::write(program, &mut out, asked, &Sharing { read, written, ..Sharing::default() }, form);
    }
    out
}
