//! Loops of the backward sweep that run backwards for no reason: caches fetch what comes next in ascending order, and
//! compilers give up on some loops that descend.
//! Where two iterations never touch the same element but to add to it, the loop ascends (sums may differ in rounding).
//! gfortran 12 compiles some that descend wrongly (`regression/faults/descending_sum.f90`).

use std::collections::BTreeSet;

use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Designator, Expr, ExprKind, LoopControl, Origin, Role, Stmt, StmtKind, SymId, Variable, for_each_expr,
};

use super::code::Code;
use super::fission::ascending;
use costate_analysis::dependence::independence::{elemental_in, elementwise, increments};
use costate_analysis::dependence::meeting;
use costate_analysis::sections::scene::Scene;
use costate_analysis::sections::{Range, Section, apart, swept};

/// Lets loops of the backward sweep ascend where the order of iterations doesn't matter.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, facts| code.ascend(backward, &facts.private));
}

impl Code<'_, '_> {
    /// Turns loops round. `private` are the scalars that are used in one iteration only.
    pub(super) fn ascend(&self, block: &mut [Stmt], private: &BTreeSet<SymId>) {
        for s in block {
            if s.is_region() {
                continue;
            }
            s.blocks_mut().into_iter().for_each(|b| self.ascend(b, private));
            let backward = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
            let Some(header) = ascending(s).filter(|_| backward) else { continue };
            if let StmtKind::Do { control, body, .. } = &mut s.kind
                && any_order(&self.b.scene(), control, body, private)
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
    /// The values of the loop's variable.
    range: Range,
    references: Vec<Reference<'s>>,
    /// Scalars that are assigned, and whether they are only added to.
    scalars: Vec<(SymId, bool)>,
    /// Scalars that are used otherwise than to be added to, but for variables inside their loops.
    used: BTreeSet<SymId>,
    /// Scalars that may be used, or added to, before the body has assigned them: an iteration may get them from another.
    carried: BTreeSet<SymId>,
    /// Variables of loops in the body.
    vars: BTreeSet<SymId>,
    /// Arrays that have other names as well: pointers, targets, and what shares memory.
    elsewhere: BTreeSet<SymId>,
}

/// True for a variable whose elements can be told apart: an array whatever other names its memory has, a scalar without
/// any.
fn is_apart(v: &Variable) -> bool {
    !v.attrs.changes_unseen() && (v.rank() > 0 || !v.has_other_names())
}

/// True when the iterations of a loop may run in any order.
fn any_order(scene: &Scene<'_>, control: &LoopControl, body: &[Stmt], private: &BTreeSet<SymId>) -> bool {
    iterations_apart(scene, control, [body, body], private)
}

/// True when an iteration of one body and another iteration of the other may change places. `private` are the scalars that
/// are used in one iteration only.
pub(super) fn iterations_apart(
    scene: &Scene<'_>,
    control: &LoopControl,
    bodies: [&[Stmt]; 2],
    private: &BTreeSet<SymId>,
) -> bool {
    let Some(all) = bodies.into_iter().map(|b| Body::of(scene, control, b)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let [a, b] = &all[..] else { return false };
    // Elements of one array are apart whatever its memory is called besides; those of two may be the same.
    if a.elsewhere.union(&b.elsewhere).nth(1).is_some() {
        return false;
    }
    let Some(var) = a.range.var else { return false };
    let mut moving = assigned(bodies[0]);
    moving.extend(assigned(bodies[1]).into_iter().chain(a.vars.iter().chain(&b.vars).copied()));
    // The header may not use what the loops assign, nor may anything use the variable of an inner loop outside of that.
    let mut header = BTreeSet::new();
    if let LoopControl::Count { lo, hi, .. } = control {
        header.extend(symbols(lo).into_iter().chain(symbols(hi)));
    }
    let loose = [a, b].into_iter().any(|x| !x.used.is_disjoint(&a.vars) || !x.used.is_disjoint(&b.vars));
    if loose || moving.contains(&var) || !header.is_disjoint(&moving) {
        return false;
    }
    let fine = |x: &Body<'_, '_>, y: &Body<'_, '_>| x.scalars_apart(y, private) && x.elements_apart(y, (var, &moving));
    fine(a, b) && fine(b, a)
}

impl<'s, 'p> Body<'s, 'p> {
    /// `None` when there is more in the body than assignments, branches and loops.
    fn of(scene: &'s Scene<'p>, control: &LoopControl, body: &'s [Stmt]) -> Option<Self> {
        let mut out = Body {
            scene,
            range: scene.range_of(control, body),
            references: Vec::new(),
            scalars: Vec::new(),
            used: BTreeSet::new(),
            carried: BTreeSet::new(),
            vars: BTreeSet::new(),
            elsewhere: BTreeSet::new(),
        };
        out.block(body, &mut Vec::new(), BTreeSet::new())?;
        Some(out)
    }

    /// True when the scalars that it assigns are nothing to another iteration of the other body.
    fn scalars_apart(&self, other: &Body<'_, '_>, private: &BTreeSet<SymId>) -> bool {
        self.scalars.iter().all(|(sym, adds)| {
            let added = other.scalars.iter().filter(|s| s.0 == *sym).all(|s| s.1);
            let assigned = other.scalars.iter().any(|s| s.0 == *sym);
            let carried = self.carried.contains(sym) || assigned && other.carried.contains(sym);
            let met = assigned || other.used.contains(sym);
            !met || private.contains(sym) && !carried
                || *adds && added && !self.used.contains(sym) && !other.used.contains(sym)
        })
    }

    /// True when the elements that it assigns are nothing to another iteration of the other body, but that both may add to
    /// them.
    fn elements_apart(&self, other: &Body<'_, '_>, (var, moving): (SymId, &BTreeSet<SymId>)) -> bool {
        let section = |b: &Body<'_, '_>, r: &Reference<'_>| -> Option<Section> {
            let (section, _) = self.scene.section(r.of)?;
            let inner = r.within.iter().rev().fold(section, |s, range| swept(&s, range, &|_| false));
            Some(swept(&swept(&inner, &b.range, &|_| false), &Range::default(), &|s| s == var || moving.contains(&s)))
        };
        self.references.iter().filter(|w| w.assigned).all(|w| {
            let mut others = other.references.iter().filter(|r| r.of.sym == w.of.sym).peekable();
            others.peek().is_none()
                || self.scene.continuous_array(w.of.sym)
                    && others.all(|r| {
                        w.added_to && r.added_to
                            || meeting(w.of, r.of, var, moving).in_one_iteration()
                            || matches!((section(self, w), section(other, r)), (Some(a), Some(b)) if apart(&a, &b))
                    })
        })
    }

    /// `defined` are the scalars that the body has assigned before the block.
    fn block(&mut self, block: &'s [Stmt], within: &mut Vec<Range>, mut defined: BTreeSet<SymId>) -> Option<()> {
        for s in block {
            match &s.kind {
                StmtKind::Assign { lhs, rhs } if elementwise(self.scene.program, s, &is_apart) => {
                    for e in [rhs].into_iter().chain(lhs.children()) {
                        self.carried.extend(symbols(e).difference(&defined));
                    }
                    self.assignment(lhs, rhs, within);
                    defined.extend(lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym));
                }
                StmtKind::Do { control: control @ LoopControl::Count { var, .. }, body, .. } if !s.is_region() => {
                    s.exprs().into_iter().for_each(|e| self.read(e, within));
                    self.vars.insert(*var);
                    within.push(self.scene.range_of(control, body));
                    self.block(body, within, defined.clone())?;
                    within.pop();
                }
                StmtKind::If { arms, otherwise, .. } => {
                    for arm in arms {
                        if !elemental_in(self.scene.program, &arm.cond, &is_apart) {
                            return None;
                        }
                        self.carried.extend(symbols(&arm.cond).difference(&defined));
                        self.read(&arm.cond, within);
                    }
                    for body in arms.iter().map(|a| &a.body).chain(otherwise) {
                        self.block(body, within, defined.clone())?;
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn assignment(&mut self, lhs: &'s Expr, rhs: &'s Expr, within: &[Range]) {
        let Some(d) = lhs.as_var() else { return };
        let amounts = increments(lhs, rhs);
        let added_to = amounts.is_some();
        amounts.unwrap_or_else(|| vec![rhs]).into_iter().for_each(|e| self.read(e, within));
        lhs.children().into_iter().for_each(|e| self.read(e, within));
        if d.parts.is_empty() {
            self.scalars.push((d.sym, added_to));
        } else {
            self.elsewhere.extend(self.scene.has_other_names(d.sym).then_some(d.sym));
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
                self.elsewhere.extend(self.scene.has_other_names(d.sym).then_some(d.sym));
                self.references.push(Reference { of: d, assigned: false, added_to: false, within: within.to_vec() });
            }
            _ => {}
        });
    }
}
