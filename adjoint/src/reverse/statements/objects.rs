//! Objects that hold memory at several levels, all of which a call may change: lists of objects with allocatable components.
//! The whole is saved before the call as one value, whose assignment copies the memory at every level (Fortran 2018,
//! 10.2.1.3), and brought back from there.

use costate_analysis::storage::{holds_allocatables, is_allocatable, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    AllocItem, Attrs, Block, Designator, Dim, Expr, ExprKind, Part, Role, Stmt, StmtKind, Variable,
};

use crate::reverse::Reverse;
use crate::reverse::decide::allocations::object;
use crate::reverse::emit::around::Around;
use crate::reverse::tree::decisions::Reshaped;

impl Reverse<'_, '_> {
    /// One object in place of all that it holds: of nested ones the outermost, and arrays in place of what their elements
    /// hold.
    pub(in crate::reverse) fn united(&self, found: Vec<Reshaped>) -> Vec<Reshaped> {
        let whole: Vec<Reshaped> = found.into_iter().map(|r| self.in_array(r)).collect();
        let mut out: Vec<Reshaped> = Vec::new();
        for r in &whole {
            let outer = whole.iter().filter(|o| is_part(&r.object, &o.object)).min_by_key(|o| parts(&o.object).len());
            let outer = outer.unwrap_or(r);
            match out.iter_mut().find(|o| o.object == outer.object) {
                Some(known) => known.result |= r.result,
                None => out.push(outer.clone()),
            }
        }
        for r in &mut out {
            r.deep |= holds_allocatables(self.b.program, r.object.ty);
        }
        out
    }

    /// The array whose elements hold an object, which `allocate` can't name without them.
    fn in_array(&self, r: Reshaped) -> Reshaped {
        let Some(d) = r.object.as_var() else { return r };
        let Some(at) = self.b.arrays_of(d).first().copied().filter(|at| *at < d.parts.len()) else { return r };
        let prefix = Designator { sym: d.sym, parts: d.parts[..at].to_vec() };
        let Some(v) = resolve(self.b.program, d.sym, &prefix.path()) else { return r };
        let object = Expr { ty: v.ty, rank: v.rank(), kind: ExprKind::Var(prefix), span: r.object.span };
        Reshaped { object, deep: true, ..r }
    }

    /// Refuses to save objects with pointers whose derivatives would have to follow.
    pub(in crate::reverse) fn check_pointers(&mut self, stmt: &Stmt, reshaped: &[Reshaped]) {
        for r in reshaped.iter().filter(|r| r.deep) {
            let Some(o) = object(&r.object).filter(|o| self.holds_active_pointers(o)) else { continue };
            let name = self.b.program[o.0].name.clone();
            self.problems.push(
                Diagnostic::error(Code::UnsupportedCall, stmt.origin.span(), "this call can't be differentiated")
                    .reason(format!("it allocates or frees memory in `{name}`, which has pointer components too"))
                    .help("allocate the memory before the call, or keep what the pointers lead to in arrays"),
            );
        }
    }

    /// Saves an object with all that it holds, and brings it back.
    pub(in crate::reverse) fn save_object(&mut self, e: &Expr, chain: &[Around], stmt: &Stmt) -> (Block, Block) {
        self.kept(std::slice::from_ref(e), chain, stmt, [Self::copy_object, Self::return_object])
    }

    /// A copy of an object in a variable without memory.
    fn copy_object(&mut self, e: &Expr, held: &Expr, stmt: &Stmt) -> Block {
        let mut out = Block::new();
        if e.rank == 0 {
            let item = AllocItem { object: held.clone(), shape: Vec::new() };
            out.push(self.b.derive(
                StmtKind::Allocate { items: vec![item], type_spec: None, options: Vec::new() },
                stmt,
                Role::Save,
            ));
        }
        out.push(self.b.assign(held.clone(), e.clone(), stmt, Role::Save));
        match is_allocatable(self.b.program, e) {
            true => vec![self.when(e.allocated(), out, stmt)],
            false => out,
        }
    }

    fn return_object(&mut self, held: &Expr, e: &Expr, stmt: &Stmt) -> Block {
        if is_allocatable(self.b.program, e) {
            let moved = self.move_to(held, e, stmt, Role::Restore);
            return vec![self.free_any(e, stmt), self.when(held.allocated(), vec![moved], stmt)];
        }
        vec![self.b.assign(e.clone(), held.clone(), stmt, Role::Restore), self.free(held.clone(), stmt)]
    }

    /// A declaration of what takes the memory of an object.
    pub(in crate::reverse) fn holder(&self, e: &Expr) -> Variable {
        let mut v = self.like(e);
        v.attrs = Attrs { allocatable: true, ..Attrs::default() };
        v.dims = vec![Dim::Deferred; e.rank as usize];
        v
    }
}

fn parts(e: &Expr) -> &[Part] {
    e.as_var().map_or(&[], |d| &d.parts)
}

/// True for an object, or a part of it.
pub(in crate::reverse) fn is_part(e: &Expr, of: &Expr) -> bool {
    let sym = |e: &Expr| e.as_var().map(|d| d.sym);
    sym(e).is_some() && sym(e) == sym(of) && parts(e).starts_with(parts(of))
}
