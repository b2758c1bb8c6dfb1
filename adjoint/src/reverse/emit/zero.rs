//! Statements that set adjoints to zero.

use costate_analysis::storage::{LocId, LocSet, is_global};
use costate_grammar::ir::{AllocItem, Expr, Name, Role, Stmt, StmtKind, SymId};

use crate::build::Builder;
use crate::reverse::Reverse;
use crate::shape::settle;

/// Statements that set the given leaf components of a derivative variable to zero. `refs` are references to the leaves.
pub(crate) fn zero_shadow(b: &mut Builder<'_>, refs: &[Expr], from: &Stmt) -> Vec<Stmt> {
    refs.iter().flat_map(|r| b.zero(r, from, Role::Storage)).collect()
}

/// `mold=` for an item without a shape of its own: the derivative takes the variable's.
pub(crate) fn mold(item: &AllocItem) -> Vec<(Name, Expr)> {
    if item.shape.is_empty() && item.object.rank > 0 { vec![("mold".into(), item.object.clone())] } else { Vec::new() }
}

impl Reverse<'_, '_> {
    /// The adjoint of a reference set to zero, component by component for derived types.
    pub(in crate::reverse) fn zero_reference(&mut self, e: &Expr, from: &Stmt) -> Vec<Stmt> {
        let refs = self.settled_refs(e);
        let mut kept = Vec::new();
        for r in refs {
            if let Some(d) = r.as_var().cloned()
                && self.has_storage(&d)
                && r.ty.is_continuous()
            {
                kept.push(r);
            }
        }
        zero_shadow(self.b, &kept, from)
    }

    /// The adjoint of a whole variable set to zero, storage or not.
    pub(crate) fn zero(&mut self, e: &Expr, from: &Stmt) -> Vec<Stmt> {
        let refs = self.settled_refs(e);
        zero_shadow(self.b, &refs, from)
    }

    /// References to the real leaves under `e` that exist as soon as `e` does: none below an allocatable component.
    pub(in crate::reverse) fn settled_refs(&mut self, e: &Expr) -> Vec<Expr> {
        let (true, Some(d)) = (e.is_derived(), e.as_var().cloned()) else { return vec![e.clone()] };
        let own = d.path();
        let mut out = Vec::new();
        for (path, r) in self.component_refs(e) {
            let full: Vec<Name> = own.iter().chain(&path).cloned().collect();
            let dynamic = (own.len() + 1..=full.len()).any(|n| {
                costate_analysis::storage::resolve(self.b.program, d.sym, &full[..n])
                    .is_some_and(|c| c.attrs.allocatable)
            });
            if !dynamic {
                out.push(r);
            }
        }
        out
    }

    /// Gives the adjoint of a variable or a component its shape, and zeros.
    pub(crate) fn settle(&mut self, e: &Expr, from: &Stmt) -> Vec<Stmt> {
        settle(self.b, &self.effects.locs, self.storage, e, from)
    }

    /// The leaves of a variable.
    pub(crate) fn leaves_of(&mut self, sym: SymId) -> Vec<LocId> {
        self.effects.locs.leaves(self.b.program, sym, &[])
    }

    /// True when the procedure has derivative storage for a variable.
    pub(crate) fn touches(&self, sym: SymId) -> bool {
        self.of_symbol(self.storage, sym)
    }

    /// Adjoints of local variables start at zero. Those of allocatable variables are set where they are allocated.
    pub(in crate::reverse) fn initial_zeros(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        let Some(from) = body.first() else { return Vec::new() };
        let shadows: Vec<SymId> = self.b.shadow.keys().copied().collect();
        let mut out = Vec::new();
        for sym in shadows {
            let foreign = self.b.program[self.b.shadow[&sym]].scope != self.b.scope;
            if foreign || is_global(self.b.program, sym) || self.zeroed.contains_key(&sym) {
                continue;
            }
            let Some(v) = self.b.program.var(sym).cloned() else { continue };
            if v.attrs.allocatable || v.attrs.pointer {
                continue;
            }
            let whole = self.b.var(sym);
            let refs = self.settled_refs(&whole);
            out.extend(zero_shadow(self.b, &refs, from));
        }
        out
    }

    /// `allocate(w_b(...))` and zeros for one item.
    pub(in crate::reverse) fn allocate_shadow(&mut self, item: &AllocItem, from: &Stmt) -> Vec<Stmt> {
        let object = self.b.shadow_ref(&item.object);
        let items = vec![AllocItem { object: object.clone(), shape: item.shape.clone() }];
        let options = mold(item);
        let mut out = vec![self.b.derive(StmtKind::Allocate { items, type_spec: None, options }, from, Role::Storage)];
        let mut reference = item.object.clone();
        reference.rank = reference.rank.max(item.shape.len() as u8);
        out.extend(self.zero_reference(&reference, from));
        out
    }

    /// Locations of a set that belong to a symbol.
    fn of_symbol(&self, set: &LocSet, sym: SymId) -> bool {
        set.iter().any(|l| self.effects.locs.get(*l).sym == sym)
    }
}
