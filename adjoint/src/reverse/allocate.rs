//! Allocation in both sweeps: made and undone in pairs.
//!
//! The forward sweep allocates a variable together with its adjoint and frees neither; the backward sweep frees both where
//! the primal allocates. A variable that outlives the procedure may still be allocated from the first run when the
//! procedure runs again within an adjoint, so its allocation is guarded.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{AllocItem, Block, Expr, IfArm, Part, Role, Stmt, StmtKind};

use costate_analysis::effects::Access;

use super::Reverse;
use super::call::CallSite;

impl Reverse<'_, '_> {
    /// Refuses pointers and objects whose adjoint can't follow them.
    pub(super) fn check_allocation<'e>(&mut self, stmt: &Stmt, objects: impl Iterator<Item = &'e Expr>) {
        for e in objects {
            let Some(d) = e.as_var() else { continue };
            let pointer =
                costate_analysis::storage::resolve(self.b.program, d.sym, &d.path()).is_some_and(|v| v.attrs.pointer);
            if pointer {
                self.problems.push(
                    Diagnostic::error(
                        Code::UnsupportedStatement,
                        stmt.origin.span(),
                        "a pointer is allocated in differentiated code",
                    )
                    .reason("pointers aren't followed")
                    .help("make the variable allocatable"),
                );
            }
        }
    }

    /// Forward and backward statements of an `allocate` or `deallocate` that is kept.
    pub(super) fn storage_sweeps(&mut self, stmt: &Stmt, looped: bool) -> (Block, Block) {
        match &stmt.kind {
            StmtKind::Allocate { items, type_spec, options } => {
                if looped {
                    self.problems.push(
                        Diagnostic::error(Code::UnsupportedStatement, stmt.origin.span(), "an allocation inside a loop can't be reversed here")
                            .reason("the loop carries values from one iteration to the next, so its iterations can't run again by themselves")
                            .help("allocate before the loop, or move the loop's body to a procedure"),
                    );
                }
                let (mut forward, mut backward) = (Vec::new(), Vec::new());
                for item in items.iter() {
                    let kind = StmtKind::Allocate {
                        items: vec![item.clone()],
                        type_spec: type_spec.clone(),
                        options: options.clone(),
                    };
                    let primal = self.b.derive(kind, stmt, Role::Forward);
                    forward.extend(self.guard(item, vec![primal], false, stmt));
                    if let Some(d) = item.object.as_var().cloned()
                        && self.has_storage(&d)
                        && !costate_analysis::storage::is_global(self.b.program, d.sym)
                    {
                        let shadow = self.allocate_shadow(item, stmt);
                        forward.extend(self.guard(item, shadow, true, stmt));
                        let object = self.b.shadow_ref(&item.object);
                        backward.push(self.free(object, stmt));
                    }
                    backward.push(self.free(item.object.clone(), stmt));
                }
                (forward, backward)
            }
            _ => (Vec::new(), Vec::new()),
        }
    }

    fn free(&mut self, object: Expr, stmt: &Stmt) -> Stmt {
        self.b.derive(StmtKind::Deallocate { items: vec![object], options: Vec::new() }, stmt, Role::Storage)
    }

    fn guard(&mut self, item: &AllocItem, body: Block, shadow: bool, stmt: &Stmt) -> Block {
        let Some(d) = item.object.as_var() else { return body };
        if !costate_analysis::effects::outlives(self.b.program, self.b.primal, d.sym) {
            return body;
        }
        let object = if shadow { self.b.shadow_ref(&item.object) } else { item.object.clone() };
        let cond = Expr::intrinsic(Intrinsic::Allocated, vec![object]).negated();
        let kind = StmtKind::If { name: None, arms: vec![IfArm { cond, body }], otherwise: None, one_line: false };
        vec![self.b.derive(kind, stmt, Role::Storage)]
    }

    /// After a call that may allocate components or allocatable arguments: their derivatives get the same shape.
    pub(super) fn follow_allocation(&mut self, site: &CallSite<'_>, access: &Access) -> Block {
        let mut out = Vec::new();
        for arg in site.args.iter().map(|a| &a.value).chain(site.result) {
            let Some(d) = arg.as_var().cloned() else { continue };
            let prefix = d.path().len();
            // An element or a section of an allocatable array keeps its place.
            let part = matches!(d.parts.last(), Some(Part::Subscripts(_)));
            for leaf in self.leaves(&d) {
                if part && self.effects.locs.get(leaf).path.len() == prefix {
                    continue;
                }
                let allocatable = self.effects.locs.variable(self.b.program, leaf).is_some_and(|v| v.attrs.allocatable);
                if !allocatable
                    || !access.writes.contains(&leaf)
                    || !self.storage.contains(&leaf)
                    || arg.rank > 0 && arg.is_derived()
                {
                    continue;
                }
                let path = self.effects.locs.get(leaf).path[prefix..].to_vec();
                let object = self.extend(arg, &path);
                let shadow = self.b.shadow_ref(&object);
                let missing = Expr::intrinsic(Intrinsic::Allocated, vec![shadow.clone()]).negated();
                let cond = Expr::intrinsic(Intrinsic::Allocated, vec![object.clone()]).and(missing);
                let items = vec![AllocItem { object: shadow.clone(), shape: Vec::new() }];
                let kind = StmtKind::Allocate { items, type_spec: None, options: vec![("mold".into(), object)] };
                let zero = Expr::zero(shadow.ty);
                let body = vec![
                    self.b.derive(kind, site.stmt, Role::Storage),
                    self.b.assign(shadow, zero, site.stmt, Role::Storage),
                ];
                let arms = vec![IfArm { cond, body }];
                let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
                out.push(self.b.derive(kind, site.stmt, Role::Storage));
            }
        }
        out
    }
}
