//! Variables of which each iteration of a `do concurrent` loop has its own: where compilers would share them, they are
//! declared in a `block` construct inside it. A `local` clause would do, too, which few compilers know.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    AllocItem, Block, Callee, Dim, Expr, ExprKind, IfArm, LoopControl, Mention, Origin, Program, Role, ScopeId,
    ScopeKind, Stmt, StmtKind, SymId, SymbolKind, Variable, for_each_expr, for_each_stmt, mentions_of,
};
use costate_grammar::operators::UnaryOp;

use super::accesses::Accesses;
use super::references::How;
use super::sharing::Sharing;
use crate::remap;

/// The variables to declare, if there are any that need to be: arrays, objects, and scalars that only a called procedure
/// assigns.
/// Compilers see by its assignments what else an iteration has of its own. The error says what can't be declared.
pub(super) fn declared(
    program: &Program,
    sharing: &Sharing,
    accesses: &Accesses<'_, '_>,
) -> Result<Vec<SymId>, String> {
    let whole = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() > 0 || v.ty.derived().is_some());
    let seen = |x: &SymId| accesses.to(*x).any(|a| a.how == How::Assigned && !a.by_call);
    let by_call = |x: &SymId| accesses.assigned.contains(x) && !seen(x);
    if !sharing.private.iter().any(|x| whole(x) || by_call(x)) {
        return Ok(Vec::new());
    }
    let fits = |v: &Variable| v.attrs.allocatable || v.dims.iter().all(is_simple);
    let unfit = |x: &&SymId| program.var(**x).is_some_and(|v| v.dummy.is_some() || v.result || !fits(v));
    match sharing.private.iter().find(unfit) {
        Some(x) => Err(format!("each iteration needs a variable `{}` of its own in it", program[*x].name)),
        None => Ok(sharing.private.clone()),
    }
}

/// True for bounds that a declaration may have.
fn is_simple(d: &Dim) -> bool {
    let Dim::Explicit(lo, hi) = d else { return false };
    let mut simple = true;
    let calls = |e: &Expr| match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(f), .. } => f.class() != Class::Inquiry,
        ExprKind::Call { .. } | ExprKind::Opaque(_) => true,
        _ => false,
    };
    lo.iter().chain([hi]).for_each(|e| for_each_expr(e, &mut |x| simple &= !calls(x)));
    simple
}

/// Declares variables inside a loop.
pub(super) fn declare(program: &mut Program, s: &mut Stmt, variables: &[SymId], around: ScopeId) {
    if variables.is_empty() {
        return;
    }
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Layout };
    let scope = program.add_scope(Some(around), ScopeKind::Inner);
    let mut map = BTreeMap::new();
    let indices = match &s.kind {
        StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. } => indices.iter().map(|i| i.0).collect(),
        _ => Vec::new(),
    };
    for x in variables.iter().filter(|x| !indices.contains(x)) {
        let SymbolKind::Variable(v) = &program[*x].kind else { continue };
        let mut v = v.clone();
        let size = |s: &Stmt| {
            let StmtKind::Do { body, .. } = &s.kind else { return None };
            let changing = assigned(std::slice::from_ref(s)).into_iter().chain(variables.iter().copied()).collect();
            one_size(body, *x, &changing)
        };
        if let Some(dims) = v.attrs.allocatable.then(|| size(s)).flatten() {
            (v.attrs.allocatable, v.dims) = (false, dims);
            s.blocks_mut().into_iter().for_each(|b| drop_memory(b, *x));
        }
        let own = SymbolKind::Variable(v);
        let (name, span) = (program[*x].name.clone(), program[*x].span);
        map.insert(*x, program.add_symbol(scope, name, span, own));
    }
    let id = program.fresh_stmt();
    if let StmtKind::Do { body, .. } = &mut s.kind {
        let own = remap::block(body, &map);
        *body = vec![Stmt::new(id, StmtKind::BlockScope { name: None, scope, body: own }, origin)];
    }
}

/// The shape of an allocatable array that gets the same one wherever a block gives it memory, from bounds that don't change;
/// on its status nothing else depends. So it needs no memory but that of a declaration.
pub(super) fn one_size(body: &Block, x: SymId, changing: &BTreeSet<SymId>) -> Option<Vec<Dim>> {
    let mut given = Vec::new();
    allocated(body, x, &mut given);
    let (item, others) = given.split_first()?;
    let dims: Vec<Dim> = item.shape.iter().map(|(lo, hi)| Dim::Explicit(lo.clone(), hi.clone())).collect();
    let bounds = || item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi]));
    let same = others.iter().all(|o| o.shape == item.shape);
    let fixed = same && dims.iter().all(is_simple) && bounds().all(|e| symbols(e).is_disjoint(changing));
    let mut elsewhere = false;
    let mut rest = body.clone();
    drop_memory(&mut rest, x);
    for_each_stmt(&rest, &mut |inner| elsewhere |= depends_on_memory(inner, x));
    (fixed && !elsewhere).then_some(dims)
}

/// True for a statement that gives a variable memory, takes it, or asks for it.
pub(super) fn depends_on_memory(s: &Stmt, x: SymId) -> bool {
    let memory = matches!(s.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. });
    s.exprs().into_iter().any(|e| {
        let mut asked = false;
        for_each_expr(e, &mut |e| asked |= is_inquiry(e));
        (memory || asked) && symbols(e).contains(&x)
    })
}

fn is_inquiry(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Call { callee: Callee::Intrinsic(f), .. } if f.class() == Class::Inquiry)
}

/// What a statement allocates for a variable, and for no other one: `allocate(x(n))`, also where it has no memory yet.
fn given(s: &Stmt, x: SymId) -> Option<&AllocItem> {
    match &s.kind {
        StmtKind::Allocate { items, options, .. } if options.is_empty() => match items.as_slice() {
            [only] => only.object.as_var().is_some_and(|d| d.sym == x && d.parts.is_empty()).then_some(only),
            _ => None,
        },
        StmtKind::If { arms, otherwise: None, .. } => match arms.as_slice() {
            [IfArm { cond: Expr { kind: ExprKind::Unary(UnaryOp::Not, e), .. }, body }] if is_inquiry(e) => {
                let [only] = body.as_slice() else { return None };
                given(only, x).filter(|_| symbols(e) == BTreeSet::from([x]))
            }
            _ => None,
        },
        _ => None,
    }
}

/// All that a block allocates for a variable.
fn allocated<'s>(block: &'s [Stmt], x: SymId, out: &mut Vec<&'s AllocItem>) {
    for s in block {
        match given(s, x) {
            Some(item) => out.push(item),
            None => s.blocks().into_iter().for_each(|b| allocated(b, x, out)),
        }
    }
}

/// Drops what gives a variable its memory and takes it.
pub(super) fn drop_memory(block: &mut Block, x: SymId) {
    block.retain(|s| given(s, x).is_none() && freed(s) != Some(x));
    block.iter_mut().for_each(|s| s.blocks_mut().into_iter().for_each(|b| drop_memory(b, x)));
}

/// What a statement frees, and nothing else: `deallocate(x)`, also where it is asked first whether it has memory.
fn freed(s: &Stmt) -> Option<SymId> {
    match &s.kind {
        StmtKind::Deallocate { items, options } if options.is_empty() => match items.as_slice() {
            [only] => only.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym),
            _ => None,
        },
        StmtKind::If { arms, .. } if super::asks_before_it_frees(s) => arms.first()?.body.first().and_then(freed),
        _ => None,
    }
}

/// Gives up variables that nothing uses any more, since loops have declared their own.
pub(super) fn drop_unused(program: &mut Program, body: &mut Block, declared: &BTreeSet<SymId>) {
    if declared.is_empty() {
        return;
    }
    let mut tidying = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        let inside = s.blocks().into_iter().flatten().filter(|_| super::asks_before_it_frees(s));
        tidying.extend(inside.map(|x| x.id));
    });
    let mut mentioned = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        let own = begun(s);
        if !tidying.contains(&s.id) {
            mentions_of(s, &mut |m| match m {
                Mention::Entity(x) if own != Some(x) => _ = mentioned.insert(x),
                _ => {}
            });
        }
    });
    let unused: BTreeSet<SymId> = declared.difference(&mentioned).copied().collect();
    drop_begun(body, &unused);
    for x in unused {
        let (scope, name) = (program[x].scope, program[x].name.clone());
        program[scope].names.shift_remove(&name);
    }
}

fn drop_begun(block: &mut Block, unused: &BTreeSet<SymId>) {
    block.retain(|s| begun(s).is_none_or(|x| !unused.contains(&x)));
    block.iter_mut().for_each(|s| s.blocks_mut().into_iter().for_each(|b| drop_begun(b, unused)));
}

/// The variable that a statement sets to a constant, or that it frees if it has memory.
fn begun(s: &Stmt) -> Option<SymId> {
    if super::asks_before_it_frees(s) {
        return freed(s);
    }
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return None };
    let constant = matches!(rhs.kind, ExprKind::Real { .. } | ExprKind::Int { .. } | ExprKind::ComplexLit(..));
    lhs.as_var().filter(|_| constant).map(|d| d.sym)
}
