//! Index variables whose value is known, such as `k` between `k = n` and the next assignment of `k`: in subscripts and
//! loop bounds the value stands for the variable, so that analyses of sections see which elements are meant.

use std::collections::BTreeMap;

use costate_analysis::affine::plus;
use costate_analysis::loops::substitute;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Base, Block, Designator, Expr, ExprKind, LoopControl, Part, Stmt, StmtKind, Subscript, SymId, map_expr,
};

use crate::reverse::Reverse;
use costate_analysis::sections::fixed;
use costate_analysis::sections::scene::{Changes, Scene};

/// Variables and their values, in terms of what the procedure never changes.
type Known = BTreeMap<SymId, Expr>;

impl Reverse<'_, '_> {
    /// The body with known values in place of index variables.
    pub(in crate::reverse) fn with_known_indices(&self, body: &[Stmt]) -> Block {
        let mut out = body.to_vec();
        if !self.b.shares_locals() {
            let scene = self.b.scene();
            let walk = Walk { scene: &scene, changes: scene.changes(body) };
            walk.block(&mut out, &mut Known::new());
        }
        out
    }
}

struct Walk<'a> {
    scene: &'a Scene<'a>,
    /// What the procedure changes.
    changes: Changes,
}

impl Walk<'_> {
    fn block(&self, block: &mut [Stmt], known: &mut Known) {
        for s in block {
            self.statement(s, known);
        }
    }

    fn statement(&self, s: &mut Stmt, known: &mut Known) {
        // Regions are left as they are.
        if s.is_region() {
            return self.forget(s, known);
        }
        match &mut s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let var = lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym);
                let value = valued(rhs, known);
                s.kind.map_exprs(&mut |e| in_subscripts(e, known));
                self.forget(s, known);
                if let Some(sym) = var.filter(|x| self.index(*x, &value)) {
                    known.insert(sym, value);
                }
            }
            StmtKind::Call { .. } => {
                s.kind.map_exprs(&mut |e| in_subscripts(e, known));
                self.forget(s, known);
            }
            StmtKind::Do { control, .. } => {
                if let LoopControl::Count { lo, hi, step, .. } = control {
                    [Some(lo), Some(hi), step.as_mut()].into_iter().flatten().for_each(|e| *e = valued(e, known));
                }
                self.forget(s, known);
                if let StmtKind::Do { parallel: Some(p), .. } = &mut s.kind {
                    let elements = p.evidence.iter_mut().flat_map(|e| e.elements_mut());
                    elements.for_each(|e| *e = in_subscripts(e, known));
                }
                self.blocks(s, known);
            }
            StmtKind::If { .. } | StmtKind::Select { .. } => {
                s.kind.map_exprs(&mut |e| in_subscripts(e, known));
                self.blocks(s, known);
                self.forget(s, known);
            }
            // Other statements are left as they are.
            _ => self.forget(s, known),
        }
    }

    fn blocks(&self, s: &mut Stmt, known: &Known) {
        s.blocks_mut().into_iter().for_each(|b| self.block(b, &mut known.clone()));
    }

    /// What a statement changes is no longer known.
    fn forget(&self, s: &Stmt, known: &mut Known) {
        let changes = self.scene.changes(std::slice::from_ref(s));
        known.retain(|x, _| !self.scene.changed(&changes, *x));
    }

    /// True for an integer of the procedure's own whose value may stand for it from its assignment on.
    fn index(&self, sym: SymId, value: &Expr) -> bool {
        let plain = |x: SymId| self.scene.program.var(x).is_some_and(|v| !v.has_other_names());
        let own = self.scene.program.var(sym).is_some_and(|v| {
            v.ty == value.ty && v.ty.base == Base::Integer && v.rank() == 0 && v.dummy.is_none() && !v.attrs.allocatable
        });
        own && self.scene.local(sym)
            && plain(sym)
            && fixed(value)
            && symbols(value).into_iter().all(plain)
            && !self.scene.changed_in(&self.changes, value)
    }
}

/// An expression with known values in the subscripts that stand in it.
fn in_subscripts(e: &Expr, known: &Known) -> Expr {
    map_expr(e.clone(), &mut |mut x| {
        if let ExprKind::Var(d) = &mut x.kind {
            subscripts(d, known);
        }
        x
    })
}

fn subscripts(d: &mut Designator, known: &Known) {
    for part in &mut d.parts {
        let Part::Subscripts(list) = part else { continue };
        for s in list {
            match s {
                Subscript::Index(e) => *e = valued(e, known),
                Subscript::Range { lo, hi, step } => {
                    lo.iter_mut().chain(hi).chain(step).for_each(|e| *e = valued(e, known));
                }
            }
        }
    }
}

/// An expression with known values.
fn valued(e: &Expr, known: &Known) -> Expr {
    let used: Vec<SymId> = symbols(e).into_iter().filter(|x| known.contains_key(x)).collect();
    if used.is_empty() || e.rank > 0 {
        return e.clone();
    }
    let new = used.iter().fold(e.clone(), |e, x| substitute(&e, *x, &known[x]));
    plus(&new, &Expr::int(0))
}
