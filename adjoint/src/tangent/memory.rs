//! Memory and associations of derivatives beside those of their primals.

use costate_grammar::diag::Code;
use costate_grammar::ir::{AllocItem, Block, Expr, Role, Stmt, StmtKind};

use super::Forward;
use crate::objects::real_parts;
use crate::obstacles::{VALUES, takes_values};
use crate::pointers::{carries, derivative_of_association};

impl Forward<'_, '_> {
    pub(super) fn frees_pointer(&self, items: &[Expr]) -> bool {
        items.iter().filter_map(Expr::as_var).any(|d| self.effects.is_pointer(self.b.program, d))
    }

    /// True for a pointer through which derivatives pass.
    pub(super) fn carries(&mut self, e: &Expr) -> bool {
        carries(self.b.program, self.effects, self.storage, e)
    }

    /// `p_d => x_d`, before `p => x`.
    pub(super) fn associate(&mut self, stmt: &Stmt, lhs: &Expr, rhs: &Expr, out: &mut Block) {
        match derivative_of_association(self.b, self.effects, self.storage, lhs, rhs) {
            Ok(kind) => out.extend(kind.map(|k| self.b.derive(k, stmt, Role::Tangent))),
            Err((reason, help)) => self.refuse(stmt, Code::UnsupportedStatement, reason, help),
        }
    }

    pub(super) fn allocate(&mut self, item: &AllocItem, stmt: &Stmt, out: &mut Block) {
        let Some(d) = item.object.as_var().cloned() else { return };
        let pointer = self.effects.is_pointer(self.b.program, &d);
        if !(if pointer { self.carries(&item.object) } else { self.has_storage(&d) }) {
            return;
        }
        if takes_values(stmt) {
            let (reason, help) = VALUES;
            self.refuse(stmt, Code::UnsupportedStatement, reason, help);
        }
        let object = self.b.shadow_ref(&item.object);
        let items = vec![AllocItem { object: object.clone(), shape: item.shape.clone() }];
        let options = crate::reverse::mold(item);
        let mut body = vec![self.b.derive(StmtKind::Allocate { items, type_spec: None, options }, stmt, Role::Storage)];
        let mut whole = item.object.clone();
        whole.rank = whole.rank.max(item.shape.len() as u8);
        for r in real_parts(self.b, &whole) {
            body.extend(self.b.zero(&r, stmt, Role::Storage));
        }
        if !pointer && costate_analysis::effects::outlives(self.b.program, self.b.primal, d.sym) {
            let cond = object.allocated().negated();
            let arms = vec![costate_grammar::ir::IfArm { cond, body }];
            let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
            out.push(self.b.derive(kind, stmt, Role::Storage));
        } else {
            out.extend(body);
        }
    }
}
