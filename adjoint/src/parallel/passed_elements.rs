//! Elements of derivatives that are passed to procedures that add to them, in loops to share out whose iterations may pass
//! the same ones: a scalar of each iteration's own is passed in their place, and added to them behind the call, where it is
//! seen. The same with vectors where the dummies declare how long they are, and with objects of whose numbers that stand
//! alone a procedure adds to some.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::sections::scene::Scene;
use costate_analysis::storage::{holds_memory, resolve};
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, LoopControl, Name, Origin, Parallel, Part, Program,
    Role, ScopeId, Stmt, StmtId, StmtKind, Subscript, SymId, SymbolKind, Ty,
};
use costate_grammar::source::Span;

use super::accesses::{Access, Accesses};
use super::blocks::FARTHEST;
use super::calls::Calls;
use super::library::Library;
use super::nests::nest_of;
use super::references::{How, is_declared_whole, is_element, small};
use super::{directives, new_scalar, outermost};
use crate::names::Taken;
use crate::vectors::{declared_length, nth};

/// The elements, by the calls that get them.
type Passed = BTreeMap<StmtId, Vec<Designator>>;

/// Passes scalars instead.
pub(super) fn pass_scalars(
    program: &mut Program,
    (scopes, scope, names): ([ScopeId; 2], ScopeId, &mut Taken),
    (library, own): (&Library<'_>, BTreeSet<SymId>),
    body: &mut Block,
) {
    let mut found = Passed::new();
    let scene = Scene { program, scopes };
    let calls = Calls::new(library, own);
    outermost(body, &mut |s| {
        let (Some(p), Some((nest, inner))) = (s.followed(), nest_of(s, 1)) else { return };
        if let Ok(accesses) = Accesses::of(&scene, &nest, inner, &calls) {
            of_loop(program, &accesses, &p, &mut found);
        }
    });
    if !found.is_empty() {
        rewrite(program, (scope, names), body, &found);
    }
}

/// Those of a loop. Host threads may have a sum of the whole array each where no blocks of iterations are apart; devices and
/// `do concurrent` have none.
fn of_loop(program: &Program, accesses: &Accesses<'_, '_>, p: &Parallel, found: &mut Passed) {
    let number = |a: &Access<'_>| {
        let known = resolve(program, a.of.sym, &a.of.path());
        let [first, rest @ ..] = a.of.parts.as_slice() else { return false };
        let element = |list: &[Subscript]| list.iter().all(|s| matches!(s, Subscript::Index(_)));
        let of_one = matches!(first, Part::Component(_)) || matches!(first, Part::Subscripts(l) if element(l));
        of_one
            && rest.iter().all(|p| matches!(p, Part::Component(_)))
            && known.is_some_and(|v| v.ty.is_continuous() && v.rank() == 0 && !v.attrs.pointer && !v.attrs.allocatable)
    };
    let of_object = |a: &Access<'_>| {
        let v = program.var(a.of.sym);
        v.is_some_and(|v| is_simple_object(program, v.ty)) && !a.of.path().is_empty() && number(a)
    };
    let fits = |a: &Access<'_>| a.how == How::Added && (is_element(&a.of) || is_vector(&a.of) || of_object(a));
    let passed = |a: &&Access<'_>| a.by_call && fits(a);
    let syms: BTreeSet<SymId> = accesses.list.iter().filter(passed).map(|a| a.of.sym).collect();
    for sym in syms {
        let all: Vec<&Access<'_>> = accesses.to(sym).collect();
        let pairs = || all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b)));
        let near = |(a, b)| accesses.nearby(a, b).is_some_and(|(_, away)| away <= FARTHEST);
        let only_added = all.iter().all(|a| fits(a));
        let summed_up = program.var(sym).is_some_and(|v| is_declared_whole(v) || small(v));
        let vectors = all.iter().any(|a| is_vector(&a.of));
        let apart = pairs().all(|(a, b)| accesses.apart(a, b));
        let objects = all.iter().any(|a| of_object(a));
        // What each iteration adds to another element by may be kept for a loop behind.
        let told_apart = || pairs().all(near) || all.iter().all(|a| accesses.apart(a, a));
        let one_by_one = directives::is_acc(p) || directives::is_concurrent(p);
        if only_added && !apart && (objects || one_by_one || !summed_up || !vectors && told_apart()) {
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
        if let (StmtKind::Call { callee, args }, Some(elements)) = (&mut s.kind, found.get(&from)) {
            let mut comments = std::mem::take(&mut s.leading);
            for (at, arg) in args.iter_mut().enumerate() {
                let ty = arg.value.ty;
                if is_simple_object(program, ty) {
                    let (before, behind) = own_object(program, (scope, &mut *names), arg, elements, (from, span));
                    for mut zero in before {
                        zero.leading = std::mem::take(&mut comments);
                        block.push(zero);
                    }
                    after.extend(behind);
                    continue;
                }
                let Some(sym) = arg.value.as_var().filter(|d| elements.contains(d)).map(|d| d.sym) else { continue };
                let length = match arg.value.rank {
                    0 => None,
                    _ => match length(program, callee, (at, arg)) {
                        Some(n) => Some(n),
                        None => continue,
                    },
                };
                if ty == Ty::INTEGER {
                    continue;
                }
                let own =
                    new_scalar(program, (scope, &mut *names), &format!("{}_part", program[sym].name), (ty, Some(sym)));
                let stmt = |program: &mut Program, kind| {
                    Stmt::new(program.fresh_stmt(), kind, Origin::Derived { from, span, role: Role::Adjoint })
                };
                let part = Expr::var(own, ty, arg.value.rank);
                let passed = std::mem::replace(&mut arg.value, part.clone());
                let zero = StmtKind::Assign { lhs: part.clone(), rhs: Expr::zero(ty) };
                let mut zero = stmt(program, zero);
                zero.leading = std::mem::take(&mut comments);
                block.push(zero);
                let Some(length) = length else {
                    let sum = StmtKind::Assign { lhs: passed.clone(), rhs: passed.add(part) };
                    after.push(stmt(program, sum));
                    continue;
                };
                if let SymbolKind::Variable(v) = &mut program[own].kind {
                    v.dims = vec![Dim::Explicit(None, Expr::int(length))];
                }
                let var = new_scalar(program, (scope, &mut *names), "i", (Ty::INTEGER, None));
                let k = Expr::var(var, Ty::INTEGER, 0);
                let Some(element) = nth(program, &passed, &k) else { continue };
                let sum = StmtKind::Assign { lhs: element.clone(), rhs: element.add(Expr::element(own, ty, vec![k])) };
                let sum = stmt(program, sum);
                let control = LoopControl::Count { var, lo: Expr::int(1), hi: Expr::int(length), step: None };
                after.push(stmt(program, StmtKind::repeat(control, vec![sum])));
            }
            s.leading = comments;
        }
        block.push(s);
        block.extend(after);
    }
}

/// Passes an object of each iteration's own, of which some numbers are zero before the call, and are added behind it.
fn own_object(
    program: &mut Program,
    (scope, names): (ScopeId, &mut Taken),
    arg: &mut Arg,
    elements: &[Designator],
    (from, span): (StmtId, Span),
) -> (Block, Block) {
    let (mut before, mut behind) = (Block::new(), Block::new());
    let Some(whole) = arg.value.as_var().cloned() else { return (before, behind) };
    let of = whole.sym;
    let mut parts: Vec<&Designator> = Vec::new();
    for d in elements.iter().filter(|d| d.sym == of && d.parts.starts_with(&whole.parts)) {
        // An object may be passed twice.
        if !parts.contains(&d) {
            parts.push(d);
        }
    }
    if parts.is_empty() {
        return (before, behind);
    }
    let ty = arg.value.ty;
    let own = new_scalar(program, (scope, names), &format!("{}_part", program[of].name), (ty, Some(of)));
    for d in parts {
        let number = resolve(program, of, &d.path()).map_or(Ty::DOUBLE, |v| v.ty);
        let rest = d.parts[whole.parts.len()..].to_vec();
        let [sum, part] =
            [(*d).clone(), Designator { sym: own, parts: rest }].map(|d| Expr::new(ExprKind::Var(d), number, 0));
        let mut stmt = |lhs: &Expr, rhs| {
            let kind = StmtKind::Assign { lhs: lhs.clone(), rhs };
            Stmt::new(program.fresh_stmt(), kind, Origin::Derived { from, span, role: Role::Adjoint })
        };
        before.push(stmt(&part, Expr::zero(number)));
        behind.push(stmt(&sum, sum.clone().add(part.clone())));
    }
    arg.value = Expr::var(own, ty, 0);
    (before, behind)
}

/// True for the type of objects that hold nothing in memory of its own.
fn is_simple_object(program: &Program, ty: Ty) -> bool {
    matches!(ty.base, Base::Derived(_)) && !holds_memory(program, ty)
}

/// True for a section with one range.
fn is_vector(d: &Designator) -> bool {
    let [Part::Subscripts(list)] = d.parts.as_slice() else { return false };
    list.iter().filter(|s| matches!(s, Subscript::Range { .. })).count() == 1
}

/// How many elements of a vector the dummy declares that stands for an argument.
fn length(program: &Program, callee: &Callee, (at, arg): (usize, &Arg)) -> Option<i64> {
    let Callee::Proc { sym, .. } = callee else { return None };
    let proc = program[*sym].procedure()?.definition?;
    let dummies = &program[proc].dummies;
    let named = |k: &Name| dummies.iter().copied().find(|d| program[*d].name == *k);
    let dummy = match &arg.keyword {
        Some(k) => named(k)?,
        None => *dummies.get(at)?,
    };
    nth(program, &arg.value, &Expr::int(1))?;
    declared_length(program, dummy)
}
