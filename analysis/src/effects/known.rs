//! What is known of integers where a procedure is called: their values in terms of others, and inequalities.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Base, Block, Callee, CtorItem, Designator, Dim, Expr, ExprKind, LoopControl, Part, ProcId, Program, Stmt, StmtId,
    StmtKind, Subscript, SymId, for_each_expr, for_each_stmt, map_expr,
};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use super::Effects;
use crate::loops::substitute;
use crate::storage::{LocSet, symbols};

/// What holds as long as nothing that it reads is assigned.
#[derive(Clone, Debug)]
struct Fact {
    what: What,
    reads: LocSet,
}

#[derive(Clone, Debug)]
enum What {
    /// A variable has the value of an expression; the variable's own location.
    Value(SymId, Expr, LocSet),
    /// An expression isn't negative.
    NotNegative(Expr),
    /// An expression isn't zero.
    NotZero(Expr),
}

/// An element of an array that numbers pick.
type Element = (SymId, Vec<i64>);

fn element(d: &Designator) -> Option<Element> {
    let [Part::Subscripts(list)] = d.parts.as_slice() else { return None };
    let number = |s: &Subscript| match s {
        Subscript::Index(e) => e.as_int(),
        Subscript::Range { .. } => None,
    };
    Some((d.sym, list.iter().map(number).collect::<Option<_>>()?))
}

/// What is known of integers at a point.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Variables and their values, none of which is in terms of another of them.
    values: Vec<(SymId, Expr)>,
    /// Elements of arrays and their values.
    elements: Vec<(Element, i64)>,
    /// Expressions that aren't negative, in the same terms.
    pub(super) not_negative: Vec<Expr>,
    /// Expressions that aren't zero, in the same terms.
    pub(super) not_zero: Vec<Expr>,
    /// Variables that the procedure assigns anywhere.
    assigned: BTreeSet<SymId>,
}

impl Known {
    /// An expression with the values of variables in their place.
    pub(super) fn settle(&self, e: &Expr) -> Expr {
        let settled = self.values.iter().fold(e.clone(), |e, (s, by)| substitute(&e, *s, by));
        let number = |x: &Expr| {
            let at = element(x.as_var()?)?;
            self.elements.iter().find(|(e, _)| *e == at).map(|(_, n)| Expr { ty: x.ty, ..Expr::int(*n) })
        };
        map_expr(settled, &mut |x| number(&x).unwrap_or(x))
    }

    /// True for an expression that has one value throughout the procedure.
    pub(super) fn keeps(&self, e: &Expr) -> bool {
        symbols(e).is_disjoint(&self.assigned)
    }
}

/// What holds on the way to a call.
#[derive(Debug, Default)]
struct Way {
    facts: Vec<Fact>,
    /// Elements of arrays, their values, and the arrays' locations.
    elements: Vec<(Element, i64, LocSet)>,
}

impl Way {
    fn forget(&mut self, written: &LocSet) {
        self.facts.retain(|f| {
            let own = match &f.what {
                What::Value(_, _, own) => own.is_disjoint(written),
                What::NotNegative(_) | What::NotZero(_) => true,
            };
            own && f.reads.is_disjoint(written)
        });
        self.elements.retain(|(_, _, own)| own.is_disjoint(written));
    }
}

impl Effects {
    /// What is known of integers where a statement of a procedure begins.
    pub(super) fn known_at(&mut self, program: &Program, proc: ProcId, at: StmtId) -> Known {
        let body = self.bodies.get(&proc).cloned().unwrap_or_default();
        let mut known = Known::default();
        for_each_stmt(&body, &mut |s| {
            let written = self.written(program, s);
            known.assigned.extend(written.into_iter().map(|l| self.locs.get(l).sym));
        });
        let mut way = Way::default();
        if self.unstructured.contains(&proc) || !self.follow(program, &body, at, &mut way) {
            return known;
        }
        for f in &way.facts {
            if let What::Value(sym, value, _) = &f.what {
                known.values.push((*sym, value.clone()));
            }
        }
        known.elements = way.elements.into_iter().map(|(at, n, _)| (at, n)).collect();
        for f in way.facts {
            match f.what {
                What::NotNegative(e) => known.not_negative.push(known.settle(&e)),
                What::NotZero(e) => known.not_zero.push(known.settle(&e)),
                What::Value(..) => {}
            }
        }
        known
    }

    /// Follows the execution to a statement; true when that is reached in the block.
    fn follow(&mut self, program: &Program, block: &Block, at: StmtId, way: &mut Way) -> bool {
        for s in block {
            if s.id == at {
                return true;
            }
            if s.blocks().into_iter().any(|b| mentions(b, at)) {
                return self.enter(program, s, at, way);
            }
            let header = self.written(program, s);
            let numbers = self.numbers(program, s);
            let others = way.elements.iter().filter(|(at, ..)| numbers.len() == 1 && numbers[0].0.0 == at.0);
            let others: Vec<_> = others.filter(|(at, ..)| numbers[0].0 != *at).cloned().collect();
            way.forget(&self.written_within(program, s));
            way.elements.extend(others.into_iter().chain(numbers));
            match &s.kind {
                StmtKind::Assign { lhs, rhs } => self.assigned(program, lhs, rhs, way),
                StmtKind::If { arms, otherwise: None, .. } => {
                    if let [arm] = arms.as_slice()
                        && arm.body.last().is_some_and(leaves)
                    {
                        self.condition(program, &arm.cond, false, &header, way);
                    }
                }
                _ => {}
            }
        }
        false
    }

    /// Follows the execution into a construct.
    fn enter(&mut self, program: &Program, s: &Stmt, at: StmtId, way: &mut Way) -> bool {
        match &s.kind {
            StmtKind::If { arms, .. } => {
                let header = self.written(program, s);
                way.forget(&header);
                for arm in arms {
                    let facts = way.facts.len();
                    self.condition(program, &arm.cond, true, &header, way);
                    if mentions(&arm.body, at) {
                        return self.follow(program, &arm.body, at, way);
                    }
                    way.facts.truncate(facts);
                    self.condition(program, &arm.cond, false, &header, way);
                }
            }
            StmtKind::Do { control, .. } => {
                // Any iteration may have come before.
                let written = self.written_within(program, s);
                way.forget(&written);
                if let LoopControl::Count { var, lo, hi, step } = control {
                    let falls = step.as_ref().map_or(Some(1), Expr::as_int).map(|n| n < 0);
                    match falls {
                        Some(false) => self.bounds(program, (s, *var), (lo, hi), &written, way),
                        Some(true) => self.bounds(program, (s, *var), (hi, lo), &written, way),
                        None => {}
                    }
                }
            }
            _ => way.forget(&self.written_within(program, s)),
        }
        s.blocks().into_iter().find(|b| mentions(b, at)).is_some_and(|b| self.follow(program, b, at, way))
    }

    /// Notes between which bounds a loop's variable is.
    fn bounds(
        &mut self,
        program: &Program,
        (s, var): (&Stmt, SymId),
        (least, most): (&Expr, &Expr),
        written: &LocSet,
        way: &mut Way,
    ) {
        let own: LocSet = self.locs.leaves(program, var, &[]).into_iter().collect();
        let mut inner = LocSet::new();
        for b in s.blocks() {
            for_each_stmt(b, &mut |s| inner.extend(self.written(program, s)));
        }
        let Some(v) = program.var(var).filter(|_| own.is_disjoint(&inner)) else { return };
        let index = Expr::new(ExprKind::Var(Designator { sym: var, parts: Vec::new() }), v.ty, 0);
        let above = (least, index.clone().sub(least.clone()));
        for (bound, e) in [above, (most, most.clone().sub(index))] {
            if let Some(reads) = self.steady(program, bound).filter(|r| r.is_disjoint(written)) {
                way.facts.push(Fact { what: What::NotNegative(e), reads: &reads | &own });
            }
        }
    }

    /// The elements that get numbers for their values: `ip(2) = 7`, or `ip = [1, 7, 13]`.
    fn numbers(&mut self, program: &Program, s: &Stmt) -> Vec<(Element, i64, LocSet)> {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return Vec::new() };
        let Some((d, v)) = lhs.as_var().and_then(|d| program.var(d.sym).map(|v| (d, v))) else { return Vec::new() };
        if v.has_other_names() || v.ty.base != Base::Integer {
            return Vec::new();
        }
        let all = match (&rhs.unparen().kind, v.dims.as_slice()) {
            (ExprKind::ArrayCtor { items, .. }, [Dim::Explicit(lo, _)]) if d.parts.is_empty() => {
                let number = |item: &CtorItem| match item {
                    CtorItem::Value(e) if e.rank == 0 => e.as_int(),
                    _ => None,
                };
                let from = lo.as_ref().map_or(Some(1), Expr::as_int);
                let list: Option<Vec<i64>> = items.iter().map(number).collect();
                from.zip(list).map(|(from, list)| (from..).zip(list).map(|(k, n)| ((d.sym, vec![k]), n)).collect())
            }
            _ => element(d).zip(rhs.as_int()).map(|one| vec![one]),
        };
        let own: LocSet = self.locs.leaves(program, d.sym, &[]).into_iter().collect();
        all.unwrap_or_default().into_iter().map(|(at, n)| (at, n, own.clone())).collect()
    }

    /// Notes the value of a variable that is assigned.
    fn assigned(&mut self, program: &Program, lhs: &Expr, rhs: &Expr, way: &mut Way) {
        let Some(d) = lhs.as_var().filter(|d| d.parts.is_empty() && lhs.rank == 0) else { return };
        let plain = program.var(d.sym).is_some_and(|v| !v.has_other_names() && v.ty.base == Base::Integer);
        let own: LocSet = self.locs.leaves(program, d.sym, &[]).into_iter().collect();
        let Some(mut reads) = self.steady(program, rhs).filter(|_| plain) else { return };
        let mut value = rhs.clone();
        let used = symbols(rhs);
        for f in &way.facts {
            if let What::Value(sym, by, others) = &f.what
                && used.contains(sym)
            {
                value = substitute(&value, *sym, by);
                reads = &(&reads - others) | &f.reads;
            }
        }
        if reads.is_disjoint(&own) {
            way.facts.push(Fact { what: What::Value(d.sym, value, own), reads });
        }
    }

    /// Notes the inequalities that follow from a condition, or from its opposite.
    fn condition(&mut self, program: &Program, e: &Expr, holds: bool, header: &LocSet, way: &mut Way) {
        let ExprKind::Binary(op, a, b) = &e.kind else {
            match &e.kind {
                ExprKind::Paren(a) => self.condition(program, a, holds, header, way),
                ExprKind::Unary(UnaryOp::Not, a) => self.condition(program, a, !holds, header, way),
                _ => {}
            }
            return;
        };
        let differ = matches!((op, holds), (BinaryOp::Eq, false) | (BinaryOp::Ne, true));
        // Each pair is of what is surely no smaller than the other one, and by how much.
        let known: &[(&Expr, &Expr, i64)] = match (op, holds) {
            (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                self.condition(program, a, holds, header, way);
                self.condition(program, b, holds, header, way);
                return;
            }
            (BinaryOp::Lt, true) | (BinaryOp::Ge, false) => &[(b, a, 1)],
            (BinaryOp::Le, true) | (BinaryOp::Gt, false) => &[(b, a, 0)],
            (BinaryOp::Gt, true) | (BinaryOp::Le, false) => &[(a, b, 1)],
            (BinaryOp::Ge, true) | (BinaryOp::Lt, false) => &[(a, b, 0)],
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => &[(a, b, 0), (b, a, 0)],
            _ if differ => &[],
            _ => return,
        };
        let (Some(x), Some(y)) = (self.steady(program, a), self.steady(program, b)) else { return };
        let reads = &x | &y;
        if reads.is_disjoint(header) {
            if differ {
                let gap = a.clone().sub((**b).clone());
                way.facts.push(Fact { what: What::NotZero(gap), reads: reads.clone() });
            }
            way.facts.extend(known.iter().map(|(more, less, by)| {
                let gap = (*more).clone().sub((*less).clone()).sub(Expr::int(*by));
                Fact { what: What::NotNegative(gap), reads: reads.clone() }
            }));
        }
    }

    /// What an integer expression depends on, the shapes of arrays included; nothing for one that calls procedures of the
    /// program.
    fn steady(&mut self, program: &Program, e: &Expr) -> Option<LocSet> {
        let mut known = e.ty.base == Base::Integer && e.rank == 0;
        for_each_expr(e, &mut |x| {
            known &= !matches!(&x.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. });
        });
        let mut out = LocSet::new();
        self.reads(program, e, &mut out);
        for sym in symbols(e) {
            known &= program.var(sym).is_none_or(|v| !v.attrs.changes_unseen());
            out.extend(self.locs.leaves(program, sym, &[]));
            out.extend(self.locs.association(program, sym, &[]));
        }
        known.then_some(out)
    }

    /// What a statement by itself may assign, or give another shape.
    fn written(&mut self, program: &Program, s: &Stmt) -> LocSet {
        let a = self.access(program, s);
        a.writes.into_iter().chain(a.shapes).chain(a.holders).collect()
    }

    fn written_within(&mut self, program: &Program, s: &Stmt) -> LocSet {
        let mut out = LocSet::new();
        for_each_stmt(std::slice::from_ref(s), &mut |s| out.extend(self.written(program, s)));
        out
    }
}

/// True for a statement that doesn't go on to the next one.
fn leaves(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Return | StmtKind::Stop { .. })
}

fn mentions(block: &Block, at: StmtId) -> bool {
    let mut found = false;
    for_each_stmt(block, &mut |s| found |= s.id == at);
    found
}
