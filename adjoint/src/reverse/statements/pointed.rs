//! Memory that pointers point to. What the forward sweep frees, the backward sweep can't simply allocate again: pointers
//! that point there, and those saved from before, would be left without a target. So the memory isn't freed: `move_alloc`
//! hands it to a variable that holds it, which keeps pointers associated (Fortran 2018, 16.9.137), and back.

use costate_analysis::effects::is_named_in;
use costate_grammar::diag::Code;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Block, Callee, Expr, Name, Role, Stmt, StmtKind};

use crate::reverse::Reverse;
use crate::reverse::decide::allocations::Object;
use crate::reverse::emit::around::Around;
use crate::reverse::tree::node::Leaf;

/// Statements that hand what the first reference names to the second.
type HandOver<R> = fn(&mut R, &Expr, &Expr, &Stmt) -> Block;

impl Reverse<'_, '_> {
    /// True for an allocatable object with memory that a pointer of this procedure, of its hosts or of a module may point
    /// to.
    pub(in crate::reverse) fn is_pointed_at(&mut self, object: &Object) -> bool {
        let leaves = self.effects.locs.leaves(self.b.program, object.0, &object.1);
        let cells = self.effects.locs.known_associations();
        cells.into_iter().any(|c| {
            let sym = self.effects.locs.get(c).sym;
            is_named_in(self.b.program, self.b.primal, sym) && self.effects.locs.points_at(self.b.program, c, &leaves)
        })
    }

    /// Refuses a call that frees memory which pointers here may point to, and which the backward sweep needs.
    pub(in crate::reverse) fn check_moved(&mut self, l: &Leaf, object: &Object) {
        let hit = |e: &Expr| e.as_var().is_some_and(|d| d.sym == object.0 && d.path() == object.1);
        if !l.reshaped.iter().any(|r| r.undone && !r.fresh && hit(&r.object)) || !self.is_pointed_at(object) {
            return;
        }
        self.refuse(
            &l.stmt,
            Code::UnsupportedCall,
            "it may free memory that a pointer points to, and the backward sweep may need both",
            "free and allocate the memory in the procedure that associates the pointer, pass an object of fixed size, or let \
             the loops after it save what their iterations need (no schedule, more memory)",
        );
    }

    /// Sweeps of a `deallocate` of an object whose memory moves to its save and back, and of its adjoint.
    pub(in crate::reverse) fn keep_memory(
        &mut self,
        object: &Expr,
        active: bool,
        chain: &[Around],
        stmt: &Stmt,
    ) -> (Block, Block) {
        let mut objects = vec![object.clone()];
        if active {
            objects.push(self.b.shadow_ref(object));
        }
        let save = |s: &mut Self, e: &Expr, held: &Expr, stmt: &Stmt| vec![s.move_to(e, held, stmt, Role::Save)];
        let restore = |s: &mut Self, held: &Expr, e: &Expr, stmt: &Stmt| vec![s.move_to(held, e, stmt, Role::Restore)];
        self.kept(&objects, chain, stmt, [save, restore])
    }

    /// Holds objects in variables, and in loops in the entries of a stack, which are allocated one by one, as often as the
    /// statement runs. `hold` hands an object to its variable, `give_back` the other way.
    pub(in crate::reverse) fn kept(
        &mut self,
        objects: &[Expr],
        chain: &[Around],
        stmt: &Stmt,
        [hold, give_back]: [HandOver<Self>; 2],
    ) -> (Block, Block) {
        let (mut save, mut restore) = (Block::new(), Block::new());
        if chain.is_empty() {
            for e in objects {
                let mut v = self.holder(e);
                v.attrs.target = true;
                let base = format!("{}_save", self.short_name(e));
                let held = Expr::var(self.b.add(&base, v), e.ty, e.rank);
                save.extend(hold(self, e, &held, stmt));
                restore.extend(give_back(self, &held, e, stmt));
            }
            return (save, restore);
        }
        let names: Vec<Name> = (0..objects.len()).map(|i| Name::new(["v", "d"][i.min(1)])).collect();
        let parts = names.iter().cloned().zip(objects.iter().map(|e| self.holder(e))).collect();
        let stack = self.stack(&format!("{}_entry", self.short_name(&objects[0])), parts);
        save.push(self.new_entry(stack, stmt));
        for (e, n) in objects.iter().zip(&names) {
            let (pushed, popped) = (self.entry_part(stack, n, e), self.top_part(stack, n, e));
            save.extend(hold(self, e, &pushed, stmt));
            restore.extend(give_back(self, &popped, e, stmt));
        }
        save.extend(self.link_entry(stack, stmt));
        restore.extend(self.drop_entry(stack, stmt));
        (save, restore)
    }

    pub(in crate::reverse) fn move_to(&mut self, from: &Expr, to: &Expr, stmt: &Stmt, role: Role) -> Stmt {
        let args = [from, to].map(|e| Arg::new(e.clone())).into();
        self.b.derive(StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), args }, stmt, role)
    }
}
