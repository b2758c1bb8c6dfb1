//! Outer loops of the backward sweep that run backwards for no reason: caches fetch what comes next in ascending order.
//! Where two iterations never touch the same element but to add to it, the loop ascends (sums may differ in rounding).

use std::collections::BTreeSet;

use costate_analysis::loops::{assigned, slope};
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Designator, Expr, ExprKind, LoopControl, Origin, Role, Stmt, StmtKind, Subscript, SymId, for_each_expr,
};
use costate_grammar::operators::BinaryOp;

use super::Reverse;
use super::flow::Scene;
use super::gather::ascending;
use super::independence::simple;
use super::sections::{Range, Section, apart, swept};

impl Reverse<'_, '_> {
    /// Turns loops that hold loops round. `private` are the scalars that are used in one iteration only.
    pub(super) fn ascend(&self, block: &mut [Stmt], private: &BTreeSet<SymId>) {
        for s in block {
            if matches!(s.kind, StmtKind::Directive { .. }) {
                continue;
            }
            s.blocks_mut().into_iter().for_each(|b| self.ascend(b, private));
            let backward = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
            let Some(header) = ascending(s).filter(|_| backward) else { continue };
            if let StmtKind::Do { control, body, .. } = &mut s.kind
                && body.iter().any(|s| matches!(s.kind, StmtKind::Do { .. }))
                && any_order(&self.scene(), control, body, private)
            {
                *control = header;
            }
        }
    }
}

/// A reference to an array in the body of a loop.
struct Reference<'s> {
    of: &'s Designator,
    assigned: bool,
    /// It stands for what is added to.
    added_to: bool,
    /// The loops around it inside the loop, outermost first.
    within: Vec<Range>,
}

/// Collects what the body of a loop refers to.
struct Body<'s, 'p> {
    scene: &'s Scene<'p>,
    references: Vec<Reference<'s>>,
    /// Scalars that are assigned, and whether they are only added to.
    scalars: Vec<(SymId, bool)>,
    /// Scalars that are used otherwise than to be added to, but for variables inside their loops.
    used: BTreeSet<SymId>,
    /// Variables of loops in the body.
    vars: BTreeSet<SymId>,
}

/// True when the iterations of a loop may run in any order.
fn any_order(scene: &Scene<'_>, control: &LoopControl, body: &[Stmt], private: &BTreeSet<SymId>) -> bool {
    let range = scene.range_of(control, body);
    let Some(var) = range.var else { return false };
    let mut all =
        Body { scene, references: Vec::new(), scalars: Vec::new(), used: BTreeSet::new(), vars: BTreeSet::new() };
    if all.block(body, &mut Vec::new()).is_none() {
        return false;
    }
    let mut moving = assigned(body);
    moving.extend(all.vars.iter().copied());
    let fine = |(sym, adds): &(SymId, bool)| private.contains(sym) || *adds && !all.used.contains(sym);
    // The header may not use what the loop assigns, nor may anything use the variable of an inner loop outside of that.
    let mut header = BTreeSet::new();
    if let LoopControl::Count { lo, hi, .. } = control {
        header.extend(symbols(lo).into_iter().chain(symbols(hi)));
    }
    if !all.scalars.iter().all(fine)
        || moving.contains(&var)
        || !header.is_disjoint(&moving)
        || !all.used.is_disjoint(&all.vars)
    {
        return false;
    }
    let section = |r: &Reference<'_>| -> Option<Section> {
        let (section, _) = scene.section(r.of)?;
        let inner = r.within.iter().rev().fold(section, |s, range| swept(&s, range, &|_| false));
        Some(swept(&swept(&inner, &range, &|_| false), &Range::default(), &|s| s == var || moving.contains(&s)))
    };
    all.references.iter().filter(|w| w.assigned).all(|w| {
        let others = all.references.iter().filter(|r| r.of.sym == w.of.sym);
        scene.plain_array(w.of.sym)
            && others.into_iter().all(|r| {
                w.added_to && r.added_to
                    || own(w.of, r.of, var, &moving)
                    || matches!((section(w), section(r)), (Some(a), Some(b)) if apart(&a, &b))
            })
    })
}

/// True when both references have the same subscript somewhere, one that is another in each iteration.
fn own(a: &Designator, b: &Designator, var: SymId, moving: &BTreeSet<SymId>) -> bool {
    a.parts.len() == 1
        && b.parts.len() == 1
        && a.subscripts().zip(b.subscripts()).any(|pair| match pair {
            (Subscript::Index(x), Subscript::Index(y)) => {
                x == y && slope(x, var).is_some_and(|s| s != 0) && symbols(x).is_disjoint(moving)
            }
            _ => false,
        })
}

impl<'s> Body<'s, '_> {
    fn block(&mut self, block: &'s [Stmt], within: &mut Vec<Range>) -> Option<()> {
        for s in block {
            match &s.kind {
                StmtKind::Assign { lhs, rhs } if simple(self.scene.program, s) => self.assignment(lhs, rhs, within),
                StmtKind::Do { control: control @ LoopControl::Count { var, .. }, body, .. } => {
                    s.exprs().into_iter().for_each(|e| self.read(e, within));
                    self.vars.insert(*var);
                    within.push(self.scene.range_of(control, body));
                    self.block(body, within)?;
                    within.pop();
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn assignment(&mut self, lhs: &'s Expr, rhs: &'s Expr, within: &[Range]) {
        let Some(d) = lhs.as_var() else { return };
        let mut first = rhs;
        let mut amounts = Vec::new();
        while let ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) = &first.kind {
            amounts.push(&**b);
            first = a;
        }
        let added_to = first == lhs && !amounts.is_empty();
        if added_to {
            amounts.into_iter().for_each(|e| self.read(e, within));
        } else {
            self.read(rhs, within);
        }
        lhs.children().into_iter().for_each(|e| self.read(e, within));
        if d.parts.is_empty() {
            self.scalars.push((d.sym, added_to));
        } else {
            self.references.push(Reference { of: d, assigned: true, added_to, within: within.to_vec() });
        }
    }

    fn read(&mut self, e: &'s Expr, within: &[Range]) {
        for_each_expr(e, &mut |x| match &x.kind {
            ExprKind::Var(d) if d.parts.is_empty() => {
                let loose = !within.iter().any(|r| r.var == Some(d.sym));
                self.used.extend(loose.then_some(d.sym));
            }
            ExprKind::Var(d) => {
                self.references.push(Reference { of: d, assigned: false, added_to: false, within: within.to_vec() });
            }
            _ => {}
        });
    }
}
