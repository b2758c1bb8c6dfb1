//! Elements of derivatives that are passed to procedures that add to them, in loops to share out whose iterations may pass
//! the same ones: a scalar of each iteration's own is passed in their place, and added to them behind the call, where it is seen.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::sections::scene::Scene;
use costate_grammar::ir::{
    Arg, Block, Designator, Expr, ExprKind, Origin, Parallel, Program, Role, ScopeId, Stmt, StmtId, StmtKind, SymId, Ty,
};

use super::accesses::{Access, Accesses};
use super::blocks::FARTHEST;
use super::calls::Calls;
use super::library::Library;
use super::references::{How, is_element};
use super::{directives, nest_of, new_scalar, outermost};
use crate::names::Taken;

/// The elements, by the calls that get them.
type Passed = BTreeMap<StmtId, Vec<Designator>>;

/// Passes scalars instead.
pub(super) fn pass_scalars(
    program: &mut Program,
    (scopes, scope, names): ([ScopeId; 2], ScopeId, &mut Taken),
    library: &Library<'_>,
    body: &mut Block,
) {
    let mut found = Passed::new();
    let scene = Scene { program, scopes };
    let calls = Calls::new(library);
    outermost(body, &mut |s| {
        let (Some(p), Some((nest, inner))) = (s.followed(), nest_of(s, 1)) else { return };
        if let Ok(accesses) = Accesses::of(&scene, &nest, inner, &calls) {
            of_loop(&accesses, &p, &mut found);
        }
    });
    if !found.is_empty() {
        rewrite(program, (scope, names), body, &found);
    }
}

/// Those of a loop. Host threads may have a sum of the whole array each where no blocks of iterations are apart; devices and
/// `do concurrent` have none.
fn of_loop(accesses: &Accesses<'_, '_>, p: &Parallel, found: &mut Passed) {
    let passed = |a: &&Access<'_>| a.by_call && a.how == How::Added && is_element(&a.of);
    let syms: BTreeSet<SymId> = accesses.list.iter().filter(passed).map(|a| a.of.sym).collect();
    for sym in syms {
        let all: Vec<&Access<'_>> = accesses.to(sym).collect();
        let pairs = || all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b)));
        let near = |(a, b)| accesses.nearby(a, b).is_some_and(|(_, away)| away <= FARTHEST);
        let only_added = all.iter().all(|a| a.how == How::Added && is_element(&a.of));
        let apart = pairs().all(|(a, b)| accesses.apart(a, b));
        let one_by_one = directives::is_acc(p) || directives::is_concurrent(p);
        if only_added && !apart && (one_by_one || pairs().all(near)) {
            for a in all.iter().copied().filter(passed) {
                found.entry(a.stmt).or_default().push(a.of.clone().into_owned());
            }
        }
    }
}

fn rewrite(program: &mut Program, (scope, names): (ScopeId, &mut Taken), block: &mut Block, found: &Passed) {
    for mut s in std::mem::take(block) {
        for inner in s.blocks_mut() {
            rewrite(program, (scope, names), inner, found);
        }
        let (from, span) = (s.id, s.origin.span());
        let mut after = Block::new();
        if let (StmtKind::Call { args, .. }, Some(elements)) = (&mut s.kind, found.get(&from)) {
            let mut comments = std::mem::take(&mut s.leading);
            for arg in args.iter_mut().filter(|a| is_among(a, elements)) {
                let Some(sym) = arg.value.as_var().map(|d| d.sym) else { continue };
                let ty = arg.value.ty;
                let own = new_scalar(program, (scope, names), &format!("{}_part", program[sym].name), (ty, Some(sym)));
                let own = Expr::new(ExprKind::Var(Designator::whole(own)), ty, 0);
                let element = std::mem::replace(&mut arg.value, own.clone());
                let mut assign = |lhs: Expr, rhs: Expr| {
                    let origin = Origin::Derived { from, span, role: Role::Adjoint };
                    Stmt::new(program.fresh_stmt(), StmtKind::Assign { lhs, rhs }, origin)
                };
                let mut zero = assign(own.clone(), Expr::zero(ty));
                zero.leading = std::mem::take(&mut comments);
                block.push(zero);
                after.push(assign(element.clone(), element.add(own)));
            }
            s.leading = comments;
        }
        block.push(s);
        block.extend(after);
    }
}

/// True for an argument that is one of the elements.
fn is_among(a: &Arg, elements: &[Designator]) -> bool {
    a.value.rank == 0 && a.value.ty != Ty::INTEGER && a.value.as_var().is_some_and(|d| elements.contains(d))
}
