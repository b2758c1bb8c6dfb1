//! Temporaries that hold values around a statement.

use costate_grammar::diag::Code;
use costate_grammar::ir::{AllocItem, Base, Block, Expr, ExprKind, StmtKind, Ty};

use super::callee::result_variable;
use super::context::Cx;

/// Statements around one that is worked on.
#[derive(Default)]
pub(super) struct Around {
    pub(super) before: Block,
    pub(super) after: Block,
}

/// A temporary that holds the value of an expression.
pub(super) fn store(cx: &mut Cx, base: &str, e: Expr, around: &mut Around) -> Expr {
    if e.rank == 0 && gives_memory(cx, &e) {
        return store_in_memory(cx, base, e, around);
    }
    if e.rank == 0 {
        let tmp = cx.scalar(base, e.ty, &e);
        let set = cx.assign(tmp.clone(), unwrap(e));
        around.before.push(set);
        return tmp;
    }
    let bounds: Option<Vec<_>> = (0..usize::from(e.rank)).map(|k| cx.range(&e, k)).collect();
    match bounds {
        Some(bounds) => store_in(cx, base, e, bounds, around),
        None => {
            if let ExprKind::Call { callee, .. } = &e.kind
                && result_variable(cx.program, callee).is_some_and(|v| !v.attrs.allocatable)
            {
                cx.refuse(
                    Code::UnsupportedCall,
                    "the shape of this function's result can't be expressed here",
                    "derivative code allocates a variable for it, and its bounds depend on what isn't accessible",
                    "make what the bounds depend on public, or return the result in an argument",
                );
            }
            store_in_memory(cx, base, e, around)
        }
    }
}

/// True for a call of a function whose result is allocatable: so is what takes it in derivative code.
fn gives_memory(cx: &Cx, e: &Expr) -> bool {
    let ExprKind::Call { callee, .. } = &e.kind else { return false };
    e.ty.base != Base::Character && result_variable(cx.program, callee).is_some_and(|v| v.attrs.allocatable)
}

/// An allocatable temporary that gets its memory with its value.
fn store_in_memory(cx: &mut Cx, base: &str, e: Expr, around: &mut Around) -> Expr {
    let sym = cx.deferred(base, e.ty, &e, e.rank);
    cx.facts.keep_at_one(sym);
    let whole = Expr::var(sym, e.ty, e.rank);
    let set = cx.assign(whole.clone(), unwrap(e));
    around.before.push(set);
    around.after.push(cx.stmt(StmtKind::Deallocate { items: vec![whole.clone()], options: Vec::new() }));
    whole
}

fn unwrap(e: Expr) -> Expr {
    match e.kind {
        ExprKind::Paren(inner) => *inner,
        kind => Expr { kind, ..e },
    }
}

/// A temporary with these bounds that holds the value of an array expression.
pub(super) fn store_in(cx: &mut Cx, base: &str, e: Expr, bounds: Vec<(Expr, Expr)>, around: &mut Around) -> Expr {
    let whole = room(cx, base, e.ty, &e, bounds, around);
    let set = cx.assign(whole.clone(), unwrap(e));
    around.before.push(set);
    whole
}

/// An array temporary, allocated and freed around the statement if its declaration can't give it bounds.
pub(super) fn room(
    cx: &mut Cx,
    base: &str,
    ty: Ty,
    like: &Expr,
    bounds: Vec<(Expr, Expr)>,
    around: &mut Around,
) -> Expr {
    let (sym, fixed) = cx.array(base, ty, like, &bounds);
    let whole = Expr::var(sym, ty, bounds.len() as u8);
    if !fixed {
        cx.set_fresh(sym);
        let shape = bounds.into_iter().map(|(lo, hi)| ((lo.as_int() != Some(1)).then_some(lo), hi)).collect();
        let item = AllocItem { object: whole.clone(), shape };
        let allocate = StmtKind::Allocate { items: vec![item], type_spec: None, options: Vec::new() };
        around.before.push(cx.stmt(allocate));
        let free = StmtKind::Deallocate { items: vec![whole.clone()], options: Vec::new() };
        around.after.insert(0, cx.stmt(free));
    }
    whole
}
