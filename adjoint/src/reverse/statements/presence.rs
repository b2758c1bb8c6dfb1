//! What may not be there: absent optional dummies, and targets of pointers that point to nothing. A call may hand both on
//! without touching them.

use costate_analysis::effects::{bind, call_parts};
use costate_analysis::storage::{is_global, resolve, symbols};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Callee, Designator, Expr, IfArm, Part, Role, Stmt, StmtKind, Subscript, SymId, for_each_expr, for_each_stmt,
};

use super::pointer::association;
use crate::certain;
use crate::reverse::Reverse;

impl Reverse<'_, '_> {
    /// Blocks that save and restore something that a call may leave alone: they do so where it exists.
    pub(in crate::reverse) fn where_it_exists(
        &mut self,
        e: &Expr,
        blocks: (Block, Block),
        from: &Stmt,
    ) -> (Block, Block) {
        if !costate_analysis::sections::scene::calls(from) {
            return blocks;
        }
        let pointer = e.as_var().is_some_and(|d| {
            !matches!(d.parts.last(), Some(Part::Subscripts(_))) && self.effects.is_pointer(self.b.program, d)
        });
        let blocks = if pointer { self.under(association(e), blocks, from) } else { blocks };
        let blocks = if self.may_be_absent(e, from) { self.under(e.allocated(), blocks, from) } else { blocks };
        self.where_present(e, blocks, from)
    }

    /// Local pointers that a body asks about start as null ones: whether an undefined pointer is associated can't be asked.
    pub(in crate::reverse) fn define_pointers(&mut self, body: &mut Block, anchor: &Stmt) {
        let mut asked: Vec<Expr> = Vec::new();
        for_each_stmt(body, &mut |s| {
            for e in s.exprs() {
                for_each_expr(e, &mut |x| {
                    let known = super::pointer::associated(x).filter(|p| !asked.contains(p)).cloned();
                    asked.extend(known);
                });
            }
        });
        asked.retain(|p| p.as_var().is_some_and(|d| self.starts_undefined(d)));
        if !asked.is_empty() {
            body.insert(0, self.b.derive(StmtKind::Nullify(asked), anchor, Role::Storage));
        }
    }

    /// True for a pointer of a local variable that nothing defines at the beginning.
    fn starts_undefined(&self, d: &Designator) -> bool {
        let program = &*self.b.program;
        let own = [program[self.b.primal].scope, self.b.scope].contains(&program[d.sym].scope);
        let local = program.var(d.sym).is_some_and(|v| v.dummy.is_none() && !v.attrs.save && v.init.is_none());
        let direct = d.parts.iter().enumerate().all(|(k, p)| match p {
            Part::Component(_) => {
                let before = Designator { sym: d.sym, parts: d.parts[..k].to_vec() };
                resolve(program, d.sym, &before.path()).is_some_and(|v| !v.attrs.pointer && !v.attrs.allocatable)
            }
            Part::Subscripts(list) => list.iter().all(|s| matches!(s, Subscript::Index(e) if e.as_int().is_some())),
            Part::Substring(..) => false,
        });
        let pointer = resolve(program, d.sym, &d.path());
        own && local && direct && pointer.is_some_and(|v| v.attrs.pointer && v.init.is_none())
    }

    /// True for an allocatable that a call passes to an optional dummy, which is absent where it isn't allocated, for a
    /// component of an object that the call is passed, and for a variable of a module that the called procedure may leave alone:
    /// whether it has memory may be asked there.
    fn may_be_absent(&self, e: &Expr, from: &Stmt) -> bool {
        let Some((Callee::Proc { sym, .. }, args, _)) = call_parts(from) else { return false };
        let whole = |d: &&Designator| !matches!(d.parts.last(), Some(Part::Subscripts(_)));
        let Some(d) = e.as_var().filter(whole) else { return false };
        let info = self.b.program[*sym].procedure();
        let Some(callee) = info.and_then(|p| p.definition.or(p.interface)) else { return false };
        let proc = callee;
        let callee = &self.b.program[proc];
        let passed = bind(self.b.program, callee, args).into_iter().flatten().any(|e| symbols(e).contains(&d.sym));
        let elsewhere = is_global(self.b.program, d.sym) && d.parts.is_empty() && !passed;
        let left_alone = || elsewhere && !certain::uses_in(self.b.program, proc, d.sym);
        let optional = |dummy: &SymId| self.b.program.var(*dummy).is_some_and(|v| v.attrs.optional);
        let holds =
            |of: &Designator| of.sym == d.sym && of.parts.len() < d.parts.len() && d.parts.starts_with(&of.parts);
        let absent = |(dummy, actual): (&SymId, Option<&Expr>)| {
            actual == Some(e) && optional(dummy) || actual.and_then(Expr::as_var).is_some_and(holds)
        };
        let own = resolve(self.b.program, d.sym, &d.path());
        own.is_some_and(|v| v.attrs.allocatable)
            && (left_alone() || callee.dummies.iter().zip(bind(self.b.program, callee, args)).any(absent))
    }

    /// Blocks about what may belong to an absent dummy, under the condition that it is present.
    pub(in crate::reverse) fn where_present(
        &mut self,
        e: &Expr,
        blocks: (Block, Block),
        from: &Stmt,
    ) -> (Block, Block) {
        match self.presence(e) {
            Some(cond) => self.under(cond, blocks, from),
            None => blocks,
        }
    }

    /// `present(b)` for a reference to an optional dummy of the procedure.
    pub(in crate::reverse) fn presence(&self, e: &Expr) -> Option<Expr> {
        let d = super::pointer::associated(e).unwrap_or(e).as_var()?;
        let optional = self.b.program.var(d.sym).is_some_and(|v| v.attrs.optional);
        let own = self.b.program[self.b.primal].dummies.contains(&d.sym);
        (optional && own).then(|| Expr { rank: 0, ..Expr::intrinsic(Intrinsic::Present, vec![self.b.var(d.sym)]) })
    }

    pub(in crate::reverse) fn under(
        &mut self,
        cond: Expr,
        (save, restore): (Block, Block),
        from: &Stmt,
    ) -> (Block, Block) {
        let mut wrap = |body: Block| {
            if body.is_empty() {
                return body;
            }
            let arms = vec![IfArm { cond: cond.clone(), body }];
            vec![self.b.derive(StmtKind::If { name: None, arms, otherwise: None, one_line: false }, from, Role::Save)]
        };
        (wrap(save), wrap(restore))
    }
}
