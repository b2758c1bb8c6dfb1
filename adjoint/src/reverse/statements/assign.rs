//! Adjoint of an assignment.

use std::collections::HashMap;

use costate_analysis::rules::placeholder;
use costate_analysis::storage::{LocId, LocSet, Overlap, drop_parent, overlap, value_paths};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Arg, Designator, Expr, ExprKind, Name, Part, Role, Stmt, SymId, Ty, for_each_expr, map_expr,
};

use crate::partials::{Active, Step, is_active, transpose_by};
use crate::reverse::Reverse;

/// Answers the transposer for one statement.
struct Site<'r, 'a, 'p> {
    reverse: &'r mut Reverse<'a, 'p>,
    stmt: &'r Stmt,
    temporaries: usize,
}

impl Active for Site<'_, '_, '_> {
    fn active(&mut self, d: &Designator) -> bool {
        let varied = self.reverse.context.varied.get(&self.stmt.id);
        let leaves = self.reverse.effects.locs.of(self.reverse.b.program, d);
        leaves.iter().any(|l| self.reverse.storage.contains(l) && varied.is_some_and(|v| v.contains(l)))
    }

    fn temporary(&mut self, ty: Ty) -> Expr {
        self.temporaries += 1;
        self.reverse.adjoint_temporary(ty, self.temporaries)
    }

    fn derivative(&mut self, operand: &Expr) -> Expr {
        self.reverse.b.shadow_ref(operand)
    }
}

impl Reverse<'_, '_> {
    /// The adjoint of `lhs = rhs`.
    pub(in crate::reverse) fn adjoint_of_assign(&mut self, stmt: &Stmt, lhs: &Expr, rhs: &Expr) -> Vec<Stmt> {
        let ExprKind::Var(d) = &lhs.kind else { return Vec::new() };
        if !self.has_storage(d) {
            return Vec::new();
        }
        if lhs.is_derived() {
            return self.adjoint_of_derived(stmt, lhs, rhs);
        }
        let lhs_b = self.b.shadow_ref(lhs);
        let useful = self.context.useful.get(&stmt.id).cloned().unwrap_or_default();
        let reached = self.leaves(d).iter().any(|l| useful.contains(l));
        let mut site = Site { reverse: self, stmt, temporaries: 0 };
        if !reached || !is_active(rhs, &mut site) {
            let zero = Expr::zero(lhs_b.ty);
            return vec![self.b.assign(lhs_b, zero, stmt, Role::Adjoint)];
        }
        if lhs.rank > 0 {
            let active = |s: &mut Self, d: &Designator| Site { reverse: s, stmt, temporaries: 0 }.active(d);
            if let Some(out) = self.adjoint_of_product(stmt, (lhs, rhs), &active) {
                return out;
            }
            self.problems.push(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    stmt.origin.span(),
                    "this array assignment can't be differentiated",
                )
                .reason("normal form could not turn it into loops over elements")
                .help("write the assignment as loops"),
            );
            return Vec::new();
        }
        match self.assign_steps(stmt, d, &lhs_b, (rhs, rhs)) {
            Ok(out) => out,
            Err(problem) => {
                self.problems.push(problem);
                Vec::new()
            }
        }
    }

    /// The adjoint of `lhs = rhs` for a scalar where it can be written by the result, with that in place of operands; and
    /// what it needs of the values from before the statement.
    pub(in crate::reverse) fn adjoint_by_result(
        &mut self,
        stmt: &Stmt,
        lhs: &Expr,
        rhs: &Expr,
    ) -> Option<(Vec<Stmt>, LocSet)> {
        let d = lhs.as_var()?;
        let rhs = rhs.unparen();
        let useful = self.context.useful.get(&stmt.id)?;
        if !self.effects.locs.of(self.b.program, d).iter().any(|l| useful.contains(l) && self.storage.contains(l)) {
            return None;
        }
        let mut site = Site { reverse: self, stmt, temporaries: 0 };
        if lhs.rank > 0 || lhs.ty != rhs.ty || rhs.as_var().is_some() || !is_active(rhs, &mut site) {
            return None;
        }
        let result = placeholder(0, lhs.ty, 0);
        let lhs_b = self.b.shadow_ref(lhs);
        let mut adjoint = self.assign_steps(stmt, d, &lhs_b, (rhs, &result)).ok()?;
        let mut references = Vec::new();
        let mut used = false;
        for e in adjoint.iter().flat_map(Stmt::exprs) {
            for_each_expr(e, &mut |x| {
                used |= *x == result;
                references.extend(x.as_var().cloned());
            });
        }
        // An element of the same array has the value from before the statement only if it is surely another one.
        if !used || references.iter().any(|o| o == d || self.may_alias(o, d)) {
            return None;
        }
        let needs = self.primal_reads(&adjoint);
        for s in &mut adjoint {
            s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut |x| if x == result { lhs.clone() } else { x }));
        }
        Some((adjoint, needs))
    }

    /// `rhs` comes with the expression that its value is taken from.
    fn assign_steps(
        &mut self,
        stmt: &Stmt,
        d: &Designator,
        lhs_b: &Expr,
        (rhs, result): (&Expr, &Expr),
    ) -> Result<Vec<Stmt>, Diagnostic> {
        let operands = costate_analysis::operands::differentiable_operands(rhs);
        let clash = operands.iter().any(|o| self.may_alias(o, d));
        let mut out = Vec::new();
        let mut first = 0;
        let seed = if clash {
            // The left side may be one of the operands: its adjoint is taken out and set to zero before any increment.
            first = 1;
            let t = self.adjoint_temporary(lhs_b.ty, 1);
            out.push(self.b.assign(t.clone(), lhs_b.clone(), stmt, Role::Adjoint));
            out.push(self.b.assign(lhs_b.clone(), Expr::zero(lhs_b.ty), stmt, Role::Adjoint));
            t
        } else {
            lhs_b.clone()
        };
        let mut steps = Vec::new();
        let mut site = Site { reverse: self, stmt, temporaries: first };
        transpose_by(rhs, result, seed, &mut site, &mut steps)?;
        let mut increments: Vec<(Expr, Vec<Expr>)> = Vec::new();
        let mut places: HashMap<Expr, usize> = HashMap::new();
        let mut own: Option<Expr> = None;
        let mut number = first;
        for step in steps {
            match step {
                Step::Temporary(ty, value) => {
                    number += 1;
                    let t = self.adjoint_temporary(ty, number);
                    out.push(self.b.assign(t, value, stmt, Role::Adjoint));
                }
                Step::Increment { of, by } => {
                    if !clash && of.as_var() == Some(d) {
                        own = Some(match own {
                            None => by,
                            Some(sum) => sum.add(by),
                        });
                        continue;
                    }
                    let place = *places.entry(of.clone()).or_insert(increments.len());
                    match increments.get_mut(place) {
                        Some((_, list)) => list.push(by),
                        None => increments.push((of, vec![by])),
                    }
                }
            }
        }
        for (of, list) in increments {
            let target = self.b.shadow_ref(&of);
            let sum = list.into_iter().fold(target.clone(), Expr::add);
            out.push(self.b.assign(target, sum, stmt, Role::Adjoint));
        }
        if !clash {
            let rest = own.unwrap_or_else(|| Expr::zero(lhs_b.ty));
            if rest != *lhs_b {
                out.push(self.b.assign(lhs_b.clone(), rest, stmt, Role::Adjoint));
            }
        }
        Ok(out)
    }

    /// True when an operand may share an element with the left side without being written the same way.
    pub(in crate::reverse) fn may_alias(&mut self, operand: &Designator, lhs: &Designator) -> bool {
        // Different elements may hold pointers to the same memory.
        let last = |d: &Designator| d.parts.iter().rposition(|p| matches!(p, Part::Component(_)));
        let components = operand != lhs && (last(operand).is_some() || last(lhs).is_some());
        if operand.sym == lhs.sym && components && self.by_pointers(operand, lhs) {
            return true;
        }
        match overlap(self.b.program, operand, lhs) {
            Overlap::Maybe if operand.sym != lhs.sym => {
                let own = self.leaves(lhs);
                self.leaves(operand).iter().any(|l| own.contains(l))
            }
            Overlap::Apart => false,
            Overlap::Same => operand != lhs,
            Overlap::Maybe => !self.b.scene().apart(operand, lhs, &self.ranges),
        }
    }

    /// True when two references to a variable lead through pointers among its components to the same memory.
    fn by_pointers(&mut self, a: &Designator, b: &Designator) -> bool {
        let leading = |s: &Self, d: &Designator| {
            (1..=d.path().len()).any(|n| {
                costate_analysis::storage::resolve(s.b.program, d.sym, &d.path()[..n]).is_some_and(|v| v.attrs.pointer)
            })
        };
        if !leading(self, a) && !leading(self, b) {
            return false;
        }
        let own = self.leaves(a);
        // Both go through the same pointer where all up to it is the same.
        let same = a.parts.iter().zip(&b.parts).take_while(|(x, y)| x == y).count();
        let pointer = |d: &Designator| {
            let shared = Designator { sym: d.sym, parts: d.parts[..same].to_vec() };
            let own = shared.path().len();
            (own + 1..=d.path().len()).any(|n| {
                costate_analysis::storage::resolve(self.b.program, d.sym, &d.path()[..n])
                    .is_some_and(|v| v.attrs.pointer)
            })
        };
        let apart = pointer(a) || pointer(b);
        apart && self.leaves(b).iter().any(|l| own.contains(l))
    }

    /// Component-wise adjoint of `a = b` and of `a = t(...)` for derived types.
    fn adjoint_of_derived(&mut self, stmt: &Stmt, lhs: &Expr, rhs: &Expr) -> Vec<Stmt> {
        let refuse = |s: &mut Self, why: &str| {
            s.problems.push(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    stmt.origin.span(),
                    "this assignment can't be differentiated",
                )
                .reason(why.to_string())
                .help("assign the components one by one"),
            );
            Vec::new()
        };
        let pairs: Vec<(Expr, Option<Expr>)> = match &rhs.unparen().kind {
            ExprKind::Var(_) => {
                let rhs = rhs.unparen();
                self.component_refs(lhs).into_iter().map(|(path, e)| (e, Some(self.extend(rhs, &path)))).collect()
            }
            ExprKind::StructCtor { ty, args } => match self.constructor_pairs(lhs, *ty, args) {
                Some(pairs) => pairs,
                None => return refuse(self, "a component of derived type is given by an expression"),
            },
            _ => return refuse(self, "its right side is neither a variable nor a structure constructor"),
        };
        let mut out = Vec::new();
        for (target, value) in pairs {
            let Some(d) = target.as_var().cloned() else { continue };
            if !self.has_storage(&d) {
                continue;
            }
            match value {
                Some(v) if target.rank == 0 => out.extend(self.adjoint_of_assign(stmt, &target, &v)),
                Some(v) if v.rank == 0 => return refuse(self, "an array component is given by a scalar"),
                Some(v) => match v.as_var() {
                    Some(from) if lhs.rank == 0 && rhs.rank == 0 && self.in_steps(from, &d) => {
                        out.extend(self.element_copies(stmt, target, v));
                    }
                    Some(from) if self.in_steps(from, &d) => {
                        return refuse(self, "arrays of structures with arrays in them are assigned");
                    }
                    Some(_) => out.extend(self.array_copy(stmt, &target, &v)),
                    None => return refuse(self, "an array component is given by an expression"),
                },
                None => {
                    let t = self.b.shadow_ref(&target);
                    let zero = Expr::zero(t.ty);
                    out.push(self.b.assign(t, zero, stmt, Role::Adjoint));
                }
            }
        }
        out
    }

    /// True for a copy of an array that takes a loop: it lies in other arrays, or may be a copy of itself.
    fn in_steps(&mut self, from: &Designator, to: &Designator) -> bool {
        self.b.arrays_of(to).len() > 1 || (from != to && self.may_alias(from, to))
    }

    /// The adjoint of a copy of an array component, element by element.
    fn element_copies(&mut self, stmt: &Stmt, to: Expr, from: Expr) -> Vec<Stmt> {
        let mut refs = [to, from];
        let loops = self.b.elements(&mut refs);
        let [to, from] = refs;
        let body = self.adjoint_of_assign(stmt, &to, &from);
        self.b.nested(loops, body, stmt, Role::Adjoint)
    }

    fn constructor_pairs(&self, lhs: &Expr, ty: SymId, args: &[Arg]) -> Option<Vec<(Expr, Option<Expr>)>> {
        let derived = self.b.program[ty].derived().filter(|d| d.extends.is_none())?;
        let mut pairs = Vec::new();
        for (i, c) in derived.components.iter().enumerate() {
            let arg = args.iter().enumerate().find(|(k, a)| match &a.keyword {
                Some(name) => *name == c.name,
                None => *k == i,
            });
            let mut target = self.extend(lhs, std::slice::from_ref(&c.name));
            target.rank = c.var.rank();
            if c.var.ty.derived().is_some() {
                return None;
            }
            pairs.push((target, arg.map(|(_, a)| a.value.clone())));
        }
        Some(pairs)
    }

    fn array_copy(&mut self, stmt: &Stmt, lhs: &Expr, rhs: &Expr) -> Vec<Stmt> {
        let (Some(l), Some(r)) = (lhs.as_var().cloned(), rhs.as_var().cloned()) else { return Vec::new() };
        if l == r {
            return Vec::new();
        }
        let to = self.b.shadow_ref(lhs);
        let mut out = Vec::new();
        let varied = self.context.varied.get(&stmt.id).cloned().unwrap_or_default();
        let leaves: Vec<LocId> = self.leaves(&r);
        if leaves.iter().any(|x| self.storage.contains(x) && varied.contains(x)) {
            let from = self.b.shadow_ref(rhs);
            out.push(self.b.assign(from.clone(), from.add(to.clone()), stmt, Role::Adjoint));
        }
        let zero = Expr::zero(to.ty);
        out.push(self.b.assign(to, zero, stmt, Role::Adjoint));
        out
    }

    /// References to the continuous leaves under a reference of derived type, with the path to each.
    pub(in crate::reverse) fn component_refs(&mut self, e: &Expr) -> Vec<(Vec<Name>, Expr)> {
        let Some(d) = e.as_var().cloned() else { return Vec::new() };
        let own = d.path();
        let mut out = Vec::new();
        for path in value_paths(self.b.program, e.ty) {
            let full: Vec<Name> = own.iter().chain(&path).cloned().collect();
            let leaf = costate_analysis::storage::resolve(self.b.program, d.sym, &full);
            if leaf.is_some_and(|v| v.ty.is_continuous()) {
                out.push((path.clone(), self.extend(e, &path)));
            }
        }
        out
    }

    /// `e%path`, typed.
    pub(in crate::reverse) fn extend(&self, e: &Expr, path: &[Name]) -> Expr {
        let mut e = e.clone();
        if let ExprKind::Var(d) = &mut e.kind
            && !path.is_empty()
        {
            drop_parent(self.b.program, d);
        }
        self.b.extend(&e, path)
    }
}
