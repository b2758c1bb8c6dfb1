//! Objects that hold memory at several levels, all of which a call may change: lists of objects with allocatable components.
//! The whole is saved before the call as one value, whose assignment copies the memory at every level (Fortran 2018,
//! 10.2.1.3), and brought back from there.

use costate_analysis::storage::{holds_allocatables, resolve};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    AllocItem, Attrs, Block, Designator, Dim, Expr, ExprKind, Name, Part, Role, Stmt, StmtKind, Subscript, Variable,
};

use super::Reverse;
use super::slots::Around;
use super::storage::{Reshaped, object};

impl Reverse<'_, '_> {
    /// One object in place of all that it holds: of nested ones the outermost, and arrays in place of what their elements
    /// hold.
    pub(super) fn united(&self, found: Vec<Reshaped>) -> Vec<Reshaped> {
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
        let mut prefix = Designator { parts: Vec::new(), ..d.clone() };
        for (k, part) in d.parts.iter().enumerate() {
            let rank = resolve(self.b.program, d.sym, &prefix.path()).map_or(0, Variable::rank);
            match part {
                Part::Subscripts(list) if !list.iter().all(is_single) => break,
                Part::Component(_) if rank > 0 && !matches!(prefix.parts.last(), Some(Part::Subscripts(_))) => break,
                _ => prefix.parts.push(d.parts[k].clone()),
            }
        }
        if prefix.parts.len() == d.parts.len() {
            return r;
        }
        let Some(v) = resolve(self.b.program, d.sym, &prefix.path()) else { return r };
        let object = Expr { ty: v.ty, rank: v.rank(), kind: ExprKind::Var(prefix), span: r.object.span };
        Reshaped { object, deep: true, ..r }
    }

    /// Refuses to save objects with pointers whose derivatives would have to follow.
    pub(super) fn check_pointers(&mut self, stmt: &Stmt, reshaped: &[Reshaped]) {
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
    pub(super) fn save_object(&mut self, e: &Expr, chain: &[Around], stmt: &Stmt) -> (Block, Block) {
        let base = self.short_name(e);
        let var = self.holder(e);
        if chain.is_empty() {
            let held = Expr::var(self.b.add(&format!("{base}_save"), var), e.ty, e.rank);
            return (self.copy_object(e, &held, stmt), self.return_object(&held, e, stmt));
        }
        let name = Name::new("v");
        let stack = self.stack(&format!("{base}_entry"), vec![(name.clone(), var)]);
        let (pushed, popped) = (self.entry_part(stack, &name, e), self.top_part(stack, &name, e));
        let mut save = vec![self.new_entry(stack, stmt)];
        save.extend(self.copy_object(e, &pushed, stmt));
        save.extend(self.link_entry(stack, stmt));
        let mut restore = self.return_object(&popped, e, stmt);
        restore.extend(self.drop_entry(stack, stmt));
        (save, restore)
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
        match self.is_allocatable(e) {
            true => vec![self.when(e.allocated(), out, stmt)],
            false => out,
        }
    }

    fn return_object(&mut self, held: &Expr, e: &Expr, stmt: &Stmt) -> Block {
        if self.is_allocatable(e) {
            let moved = self.move_to(held, e, stmt, Role::Restore);
            return vec![self.free_any(e, stmt), self.when(held.allocated(), vec![moved], stmt)];
        }
        vec![self.b.assign(e.clone(), held.clone(), stmt, Role::Restore), self.free(held.clone(), stmt)]
    }

    /// True for an object that may be without memory.
    pub(super) fn is_allocatable(&self, e: &Expr) -> bool {
        e.as_var().is_some_and(|d| {
            let element = matches!(d.parts.last(), Some(Part::Subscripts(_)));
            !element && resolve(self.b.program, d.sym, &d.path()).is_some_and(|v| v.attrs.allocatable)
        })
    }

    /// A declaration of what takes the memory of an object.
    pub(super) fn holder(&self, e: &Expr) -> Variable {
        let mut v = self.like(e);
        v.attrs = Attrs { allocatable: true, ..Attrs::default() };
        v.dims = vec![Dim::Deferred; e.rank as usize];
        v
    }
}

fn is_single(s: &Subscript) -> bool {
    matches!(s, Subscript::Index(i) if i.rank == 0)
}

fn parts(e: &Expr) -> &[Part] {
    e.as_var().map_or(&[], |d| &d.parts)
}

/// True for an object, or a part of it.
pub(super) fn is_part(e: &Expr, of: &Expr) -> bool {
    let sym = |e: &Expr| e.as_var().map(|d| d.sym);
    sym(e).is_some() && sym(e) == sym(of) && parts(e).starts_with(parts(of))
}
