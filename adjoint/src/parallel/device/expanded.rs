//! Arrays that get memory in the iterations of a loop for a device, where none can be had: they get one more dimension, with an
//! element for each iteration, and their memory before the loop.

use std::collections::BTreeSet;

use costate_analysis::loops::{changing, ends};
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    AllocItem, Block, Dim, Expr, ExprKind, IfArm, Part, Program, Stmt, StmtId, StmtKind, Subscript, SymId, SymbolKind,
    for_each_expr, for_each_stmt, map_expr,
};

use crate::parallel::asks_before_it_frees;

/// Does so in a generated procedure.
pub(in crate::parallel) fn with_memory_before_loops(program: &mut Program, body: &mut Block) {
    let mut found = Vec::new();
    find(program, body, body, &mut found);
    for array in &found {
        carry_out(program, array, body);
    }
}

/// An array with the statement that gives it memory, in a loop over `var`.
struct Array {
    of: StmtId,
    item: AllocItem,
    sym: SymId,
    around: StmtId,
    var: SymId,
    ends: (Expr, Expr),
}

fn find(program: &Program, block: &[Stmt], all: &[Stmt], out: &mut Vec<Array>) {
    for (k, s) in block.iter().enumerate() {
        match &s.kind {
            StmtKind::Do { control, body, parallel: Some(p), .. } if p.on_device() && p.evidence.is_some() => {
                let Some((var, ends)) = ends(control) else { continue };
                let changed = changing(program, body);
                for inner in body {
                    let Some((item, sym)) = given_memory(inner) else { continue };
                    let bounds = item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi]));
                    let stands = bounds.flat_map(symbols).all(|x| x != var && !changed.contains(&x));
                    let array = Array { of: inner.id, item: item.clone(), sym, around: s.id, var, ends: ends.clone() };
                    if stands && array.is_freed_in(&block[k + 1..]) && array.is_used_by_element(s, all) {
                        out.push(array);
                    }
                }
            }
            _ => s.blocks().into_iter().for_each(|b| find(program, b, all, out)),
        }
    }
}

/// `if (.not. allocated(x)) allocate(x(n))`
fn given_memory(s: &Stmt) -> Option<(&AllocItem, SymId)> {
    let StmtKind::If { arms, otherwise: None, .. } = &s.kind else { return None };
    let [IfArm { cond, body }] = arms.as_slice() else { return None };
    let [Stmt { kind: StmtKind::Allocate { items, options, .. }, .. }] = body.as_slice() else { return None };
    let [item] = items.as_slice() else { return None };
    let sym = item.object.as_var().filter(|d| d.parts.is_empty())?.sym;
    (options.is_empty() && symbols(cond) == BTreeSet::from([sym])).then_some((item, sym))
}

impl Array {
    /// True where the loop refers to elements alone, and nothing else does but what frees the array.
    fn is_used_by_element(&self, around: &Stmt, all: &[Stmt]) -> bool {
        let (mut inside, mut fine) = (BTreeSet::new(), true);
        for_each_stmt(std::slice::from_ref(around), &mut |s| _ = inside.insert(s.id));
        let mut memory = BTreeSet::new();
        for_each_stmt(all, &mut |s| {
            if s.id == self.of {
                for_each_stmt(std::slice::from_ref(s), &mut |x| _ = memory.insert(x.id));
            }
        });
        for_each_stmt(all, &mut |s| {
            let mentions = s.exprs().into_iter().any(|e| symbols(e).contains(&self.sym));
            if !mentions || memory.contains(&s.id) {
                return;
            }
            let frees = matches!(s.kind, StmtKind::Deallocate { .. }) || self.is_freed_by(s);
            let assigns = matches!(s.kind, StmtKind::Assign { .. });
            fine &= if inside.contains(&s.id) { assigns && self.only_elements(s) } else { frees };
        });
        fine
    }

    /// True where the array has no memory again before the loop may come once more.
    fn is_freed_in(&self, behind: &[Stmt]) -> bool {
        behind.iter().any(|s| self.is_freed_by(s))
    }

    fn is_freed_by(&self, s: &Stmt) -> bool {
        asks_before_it_frees(s) && s.exprs().into_iter().any(|e| symbols(e).contains(&self.sym))
    }

    fn only_elements(&self, s: &Stmt) -> bool {
        let mut out = true;
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Var(d) = &x.kind
                    && d.sym == self.sym
                {
                    let single = |s: &Subscript| matches!(s, Subscript::Index(_));
                    out &= matches!(d.parts.as_slice(), [Part::Subscripts(list)] if list.iter().all(single));
                }
                out &= !matches!(x.kind, ExprKind::Opaque(_));
            });
        }
        out
    }
}

fn carry_out(program: &mut Program, array: &Array, body: &mut Block) {
    let Some(ty) = program.var(array.var).map(|v| v.ty) else { return };
    if let SymbolKind::Variable(v) = &mut program[array.sym].kind {
        v.dims.insert(0, Dim::Deferred);
    }
    let index = Expr::var(array.var, ty, 0);
    within(array, &index, body);
    let mut wholes = |e: Expr| {
        map_expr(e, &mut |x| match x.as_var() {
            Some(d) if d.sym == array.sym && d.parts.is_empty() => Expr { rank: x.rank + 1, ..x },
            _ => x,
        })
    };
    map_all(body, &mut wholes);
}

fn within(array: &Array, index: &Expr, block: &mut Block) {
    let Some(at) = block.iter().position(|s| s.id == array.around) else {
        for s in block {
            s.blocks_mut().into_iter().for_each(|b| within(array, index, b));
        }
        return;
    };
    let Array { item, ends, .. } = array;
    let StmtKind::Do { body, .. } = &mut block[at].kind else { return };
    let Some(k) = body.iter().position(|s| s.id == array.of) else { return };
    let mut memory = body.remove(k);
    let mut elements = |e: Expr| with_index(e, array.sym, index);
    map_all(body, &mut elements);
    let mut shape = vec![(Some(ends.0.clone()), ends.1.clone())];
    shape.extend(item.shape.iter().cloned());
    let items = vec![AllocItem { object: item.object.clone(), shape }];
    memory.kind = StmtKind::Allocate { items, type_spec: None, options: Vec::new() };
    block.insert(at, memory);
}

/// An expression in which elements of an array are those of an iteration.
fn with_index(e: Expr, sym: SymId, index: &Expr) -> Expr {
    map_expr(e, &mut |mut x| {
        if let ExprKind::Var(d) = &mut x.kind
            && d.sym == sym
            && let [Part::Subscripts(list)] = d.parts.as_mut_slice()
        {
            list.insert(0, Subscript::Index(index.clone()));
        }
        x
    })
}

fn map_all(block: &mut Block, f: &mut dyn FnMut(Expr) -> Expr) {
    for s in block {
        s.kind.map_exprs(&mut |e| f(e.clone()));
        s.blocks_mut().into_iter().for_each(|b| map_all(b, f));
    }
}
