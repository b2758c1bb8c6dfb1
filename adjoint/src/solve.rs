//! Derivatives of a procedure that solves `A x = b`. The tangent solves `A x_d = b_d - A_d x`, the adjoint `A^H w = x_b`, after
//! which `b_b` has grown by `w` and `A_b` fallen by `w x^H` in the elements that the matrix has (M. Giles, Collected matrix
//! derivative results for forward and reverse mode algorithmic differentiation, 2008). Both call the procedure itself.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::affine::{minus, plus};
use costate_analysis::externals::{Matrix, Solve, Triangle};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Designator, Dim, Expr, ExprKind, IfArm, LoopControl, Name, Part, StmtKind, Subscript, SymId, Ty,
};
use costate_grammar::operators::BinaryOp;

use crate::mode::Mode;
use crate::writer::{Actuals, Use, Writer};

/// The dummies of a solver.
pub(crate) struct System {
    arrays: Vec<SymId>,
    rhs: SymId,
    /// What the solution is in; the right-hand side where it takes its place.
    solution: SymId,
}

impl System {
    /// The dummies that a directive names, or a function's result.
    pub(crate) fn of(solve: &Solve, named: &[(Name, SymId)], result: Option<SymId>) -> Option<System> {
        let of = |name: &Name| named.iter().find(|(n, _)| n == name).map(|(_, s)| *s);
        let arrays: Option<Vec<SymId>> = solve.matrix.arrays().into_iter().map(of).collect();
        let rhs = of(&solve.rhs)?;
        let solution = match &solve.solution {
            Some(name) => of(name)?,
            None => result.unwrap_or(rhs),
        };
        Some(System { arrays: arrays?, rhs, solution })
    }

    pub(crate) fn rhs(&self) -> SymId {
        self.rhs
    }

    fn in_place(&self) -> bool {
        self.rhs == self.solution
    }

    /// All of them.
    pub(crate) fn dummies(&self) -> BTreeSet<SymId> {
        self.arrays.iter().copied().chain([self.rhs, self.solution]).collect()
    }

    /// Those that may hold something else afterwards of which no derivative is known.
    pub(crate) fn lost(&self) -> impl Iterator<Item = SymId> {
        self.arrays.iter().copied().chain((!self.in_place()).then_some(self.rhs))
    }

    /// The dummies whose values before the call an adjoint doesn't use, and the one that it uses as the procedure leaves it.
    pub(crate) fn values(
        &self,
        uses: &BTreeMap<SymId, Use>,
        derivatives: &BTreeSet<SymId>,
        unseen: bool,
    ) -> (BTreeSet<SymId>, Option<SymId>) {
        let both = BTreeSet::from([self.rhs, self.solution]);
        if !self.arrays.iter().any(|a| derivatives.contains(a)) {
            return (both, None);
        }
        match self.left(uses, unseen) {
            Some(x) => (both, Some(x)),
            None => (BTreeSet::new(), None),
        }
    }

    /// The dummy in which the procedure leaves the solution, where the adjoint can use that: all else that it uses is what it was
    /// before the call. Of a head nobody has run the procedure before, and a function's result is no dummy of its adjoint: then
    /// it is `unseen`.
    fn left(&self, uses: &BTreeMap<SymId, Use>, unseen: bool) -> Option<SymId> {
        let used = |s: SymId| uses.get(&s).copied().unwrap_or_default();
        let beside = |s: SymId| s != self.rhs && s != self.solution;
        let changed = uses.iter().any(|(s, u)| beside(*s) && u.read && u.written);
        let fixed = self.arrays.iter().all(|a| !used(*a).written);
        (fixed && !changed && !unseen).then_some(self.solution)
    }
}

/// A product of elements of the matrix with some of the solution, which is a part of some rows.
struct Term {
    array: SymId,
    entry: Vec<Subscript>,
    row: Subscript,
    column: Subscript,
}

fn range(lo: Expr, hi: Expr) -> Subscript {
    Subscript::Range { lo: Some(lo), hi: Some(hi), step: None }
}

fn one() -> Expr {
    Expr::int(1)
}

/// The complex conjugate of what is complex.
fn conjugate(e: Expr) -> Expr {
    if e.ty.base == Base::Complex { Expr::intrinsic(Intrinsic::Conjg, vec![e]) } else { e }
}

impl Writer<'_, '_> {
    /// Writes the derivative of a solver; `other` solves with the transpose.
    pub(crate) fn solve(&mut self, solve: &Solve, system: &System, own: SymId, other: Option<SymId>) {
        self.size = Some(self.equations(solve, system));
        self.stop_where_extents_differ(solve, system);
        match self.mode {
            Mode::Tangent => self.solve_tangent(solve, system, own),
            Mode::Adjoint => self.solve_adjoint(solve, system, own, other),
        }
    }

    /// The number of equations.
    fn equations(&self, solve: &Solve, system: &System) -> Expr {
        let given = solve.size.as_ref().and_then(|n| self.named.iter().find(|(name, _)| name == n));
        if let Some((_, n)) = given {
            return self.b.var(*n);
        }
        let rhs = self.b.var(system.rhs);
        match self.b.program.var(system.rhs).and_then(|v| v.dims.first()) {
            Some(Dim::Explicit(_, hi)) => hi.clone(),
            _ if rhs.rank == 1 => Expr::intrinsic(Intrinsic::Size, vec![rhs]),
            _ => Expr::intrinsic(Intrinsic::Size, vec![rhs, one()]),
        }
    }

    fn n(&self) -> Expr {
        self.size.clone().unwrap_or_else(one)
    }

    /// Elements of a variable that is declared like a dummy. Subscripts that are left out are those of further right-hand sides.
    fn pick(&self, e: &Expr, like: SymId, subscripts: &[Subscript], further: Option<&Expr>) -> Expr {
        let ExprKind::Var(d) = &e.kind else { return e.clone() };
        let dims = self.b.program.var(like).map(|v| v.dims.clone()).unwrap_or_default();
        let whole = |i: usize, s: &Subscript| {
            let Subscript::Range { lo: Some(lo), hi: Some(hi), .. } = s else { return false };
            let full = matches!(dims.get(i), Some(Dim::Explicit(None, end)) if *end == *hi);
            *lo == one() && full
        };
        let all = || Subscript::Range { lo: None, hi: None, step: None };
        let rest = (subscripts.len()..dims.len()).map(|_| further.map_or_else(all, |k| Subscript::Index(k.clone())));
        let own = subscripts.iter().enumerate().map(|(i, s)| if whole(i, s) { all() } else { s.clone() });
        let list: Vec<Subscript> = own.chain(rest).collect();
        if list.iter().all(|s| matches!(s, Subscript::Range { lo: None, hi: None, .. })) {
            return e.clone();
        }
        let rank = list.iter().filter(|s| matches!(s, Subscript::Range { .. })).count() as u8;
        let parts = vec![Part::Subscripts(list)];
        Expr { kind: ExprKind::Var(Designator { sym: d.sym, parts }), rank, ..e.clone() }
    }

    /// All of a variable that is declared like a dummy; where its last extent isn't declared, that of the system.
    fn whole(&self, e: &Expr, like: SymId) -> Expr {
        let dims = self.b.program.var(like).map(|v| v.dims.clone()).unwrap_or_default();
        let (ExprKind::Var(d), Some(Dim::AssumedSize(_))) = (&e.kind, dims.last()) else { return e.clone() };
        let mut list = vec![Subscript::Range { lo: None, hi: None, step: None }; dims.len() - 1];
        list.push(Subscript::Range { lo: None, hi: Some(self.n()), step: None });
        let parts = vec![Part::Subscripts(list)];
        Expr { kind: ExprKind::Var(Designator { sym: d.sym, parts }), ..e.clone() }
    }

    /// The rows of the system in a vector, or in several.
    fn rows(&self, e: &Expr, like: SymId) -> Expr {
        self.pick(e, like, &[range(one(), self.n())], None)
    }

    /// What the matrix has of elements; `j` is a column of one in an array of rank two.
    fn terms(&self, matrix: &Matrix, arrays: &[SymId], j: &Expr) -> Vec<Term> {
        let (n, to) = (self.n(), |hi: Expr| range(one(), hi));
        let at = |e: &Expr| Subscript::Index(e.clone());
        let (before, behind) = (minus(j, &one()), plus(j, &one()));
        let term = |array: usize, entry: Vec<Subscript>, row: Subscript, column: Subscript| Term {
            array: arrays[array],
            entry,
            row,
            column,
        };
        match matrix {
            Matrix::Dense(_) | Matrix::Symmetric(_, Triangle::Both) => {
                vec![term(0, vec![to(n.clone()), at(j)], to(n), at(j))]
            }
            Matrix::Triangular(_, Triangle::Lower) => {
                vec![term(0, vec![range(j.clone(), n.clone()), at(j)], range(j.clone(), n), at(j))]
            }
            Matrix::Triangular(..) => vec![term(0, vec![to(j.clone()), at(j)], to(j.clone()), at(j))],
            Matrix::Symmetric(_, Triangle::Upper) => vec![
                term(0, vec![to(j.clone()), at(j)], to(j.clone()), at(j)),
                term(0, vec![to(before.clone()), at(j)], at(j), to(before)),
            ],
            Matrix::Symmetric(_, Triangle::Lower) => vec![
                term(0, vec![range(j.clone(), n.clone()), at(j)], range(j.clone(), n.clone()), at(j)),
                term(0, vec![range(behind.clone(), n.clone()), at(j)], at(j), range(behind, n)),
            ],
            Matrix::Tridiagonal(_) => {
                let (first, last) = (to(minus(&n, &one())), range(Expr::int(2), n.clone()));
                vec![
                    term(0, vec![last.clone()], last.clone(), first.clone()),
                    term(1, vec![to(n.clone())], to(n.clone()), to(n)),
                    term(2, vec![first.clone()], first, last),
                ]
            }
        }
    }

    /// Visits the elements of the matrix that have a derivative, with their rows of one vector and columns of the other.
    fn for_elements(
        &mut self,
        solve: &Solve,
        system: &System,
        (rows, columns): ((&Expr, SymId), (&Expr, SymId)),
        write: impl Fn(&mut Self, Expr, Expr, Expr),
    ) {
        let outer = std::mem::take(&mut self.out);
        let counter = |w: &mut Self, name: &str| {
            let sym = w.b.local(name, one().ty, Vec::new());
            w.b.var(sym)
        };
        let dense = !matches!(solve.matrix, Matrix::Tridiagonal(_));
        let j = if dense { counter(self, "j") } else { one() };
        let k = (rows.0.rank == 2).then(|| counter(self, "k"));
        for t in self.terms(&solve.matrix, &system.arrays, &j) {
            let Some(shadow) = self.shadow(t.array) else { continue };
            let entry = self.pick(&shadow, t.array, &t.entry, None);
            let row = self.pick(rows.0, rows.1, &[t.row], k.as_ref());
            let column = self.pick(columns.0, columns.1, &[t.column], k.as_ref());
            write(self, entry, row, column);
        }
        let mut body = std::mem::replace(&mut self.out, outer);
        let many = Expr::intrinsic(Intrinsic::Size, vec![rows.0.clone(), Expr::int(2)]);
        for (index, hi) in [dense.then(|| (j, self.n())), k.map(|k| (k, many))].into_iter().flatten() {
            let ExprKind::Var(d) = &index.kind else { continue };
            let control = LoopControl::Count { var: d.sym, lo: one(), hi, step: None };
            body = vec![self.made(StmtKind::repeat(control, body))];
        }
        self.out.extend(body);
    }

    /// What is passed for arrays that the procedure changes: copies of them.
    fn copied(&mut self, arrays: &[SymId], actuals: &mut Actuals) {
        for a in arrays {
            if self.uses.get(a).is_some_and(|u| u.written) {
                let own = self.b.var(*a);
                let value = self.whole(&own, *a);
                let copy = self.local(*a, "_copy", &own, Some(value));
                actuals.insert(*a, copy);
            }
        }
    }

    fn solve_tangent(&mut self, solve: &Solve, system: &System, own: SymId) {
        let Some(tangent) = self.shadow(system.solution) else {
            self.call(own, &Actuals::new());
            return;
        };
        let mut actuals = self.spared(&system.dummies());
        self.copied(&system.arrays, &mut actuals);
        let (rhs, x) = (self.b.var(system.rhs), self.b.var(system.solution));
        let rest = match system.in_place() {
            true => tangent.clone(),
            false => {
                let given = self.shadow(system.rhs).map(|e| self.whole(&e, system.rhs));
                let given = given.unwrap_or_else(|| Expr::zero(rhs.ty));
                self.local(system.rhs, "_rest", &rhs, Some(given))
            }
        };
        self.call(own, &Actuals::new());
        self.for_elements(solve, system, ((&rest, system.rhs), (&x, system.solution)), |w, entry, row, column| {
            let (product, scalar) = (entry.mul(column), row.rank == 0);
            let vector = product.rank > 0;
            let product = if scalar && vector { Expr::intrinsic(Intrinsic::Sum, vec![product]) } else { product };
            w.set(row.clone(), row.sub(product));
        });
        for s in self.overwritten.clone() {
            // What the factors and the like change by isn't known.
            if let Some(lost) = self.shadow(s) {
                let huge = Expr::intrinsic(Intrinsic::Huge, vec![Expr::zero(Ty::new(Base::Real, lost.ty.kind))]);
                let lost = self.equations_of(&lost, s, system);
                self.set(lost, huge);
            }
        }
        actuals.insert(system.rhs, rest);
        if !system.in_place() {
            if self.uses.get(&system.solution).is_some_and(|u| u.read) {
                let zero = Expr::zero(tangent.ty);
                let rows = self.rows(&tangent, system.solution);
                self.set(rows, zero);
            }
            actuals.insert(system.solution, tangent);
        }
        self.call(own, &actuals);
    }

    /// The elements of an array that belong to the system.
    fn equations_of(&self, e: &Expr, like: SymId, system: &System) -> Expr {
        let all = range(one(), self.n());
        let matrix = e.rank == 2 && system.arrays.contains(&like);
        let all = vec![all; if matrix { 2 } else { 1 }];
        self.pick(e, like, &all, None)
    }

    /// Stops where the derivative of what the procedure leaves in an array is asked for and isn't known.
    fn stop_where_lost(&mut self, system: &System) {
        for s in self.overwritten.clone() {
            let Some(lost) = self.shadow(s) else { continue };
            let lost = self.equations_of(&lost, s, system);
            let differs = Expr::binary(BinaryOp::Ne, lost.clone(), Expr::zero(lost.ty));
            let differs = Expr::intrinsic(Intrinsic::Any, vec![Expr { rank: lost.rank, ..differs }]);
            let text = format!("the derivative of what it leaves in {} is not known", self.b.program[s].name);
            self.stop_where(differs, &text);
        }
    }

    /// Stops where the arrays of a tridiagonal matrix come with different extents: which rows their elements belong to isn't
    /// known then.
    fn stop_where_extents_differ(&mut self, solve: &Solve, system: &System) {
        let (Matrix::Tridiagonal(_), [lower, diagonal, upper]) = (&solve.matrix, &system.arrays[..]) else { return };
        let assumed = |s: &SymId| self.b.program.var(*s).is_some_and(|v| matches!(v.dims[..], [Dim::Assumed(_)]));
        if !system.arrays.iter().any(assumed) {
            return;
        }
        let extent = |s: &SymId| Expr::intrinsic(Intrinsic::Size, vec![self.b.var(*s)]);
        let differs = |s: &SymId| Expr::binary(BinaryOp::Ne, extent(s), extent(diagonal));
        let differs = Expr::binary(BinaryOp::Or, differs(lower), differs(upper));
        self.stop_where(differs, "the three diagonals have different extents");
    }

    /// Stops the program with a text where a condition holds.
    fn stop_where(&mut self, cond: Expr, text: &str) {
        let text = format!("'{}: {text}'", self.b.program[self.b.primal].name);
        let code = Expr::new(ExprKind::Str(text), Ty::new(Base::Character, 1), 0);
        let stop = self.made(StmtKind::Stop { error: true, code: Some(code) });
        let arms = vec![IfArm { cond, body: vec![stop] }];
        let test = self.made(StmtKind::If { name: None, arms, otherwise: None, one_line: false });
        self.out.push(test);
    }

    fn solve_adjoint(&mut self, solve: &Solve, system: &System, own: SymId, other: Option<SymId>) {
        self.stop_where_lost(system);
        let Some(adjoint) = self.shadow(system.solution) else { return };
        let wanted = system.arrays.iter().any(|a| self.derivatives.contains(a));
        let x = match wanted {
            true => self.solved(system, own),
            false => self.b.var(system.solution),
        };
        let mut actuals = self.spared(&system.dummies());
        self.transposed(solve, system, other.is_some(), &mut actuals);
        let rhs = self.b.var(system.rhs);
        let given = self.rows(&adjoint, system.solution);
        let w = if system.in_place() {
            let w = self.local(system.rhs, "_w", &rhs, None);
            let rows = self.rows(&w, system.rhs);
            self.set(rows, given.clone());
            w
        } else {
            let rest = self.local(system.rhs, "_rest", &rhs, None);
            let rows = self.rows(&rest, system.rhs);
            self.set(rows, given.clone());
            actuals.insert(system.rhs, rest);
            let zero = Expr::zero(adjoint.ty);
            self.local(system.solution, "_w", &adjoint, Some(zero))
        };
        actuals.insert(system.solution, w.clone());
        self.call(other.unwrap_or(own), &actuals);
        let rows = self.rows(&w, system.solution);
        if system.in_place() {
            self.set(given, rows);
        } else {
            if let Some(sum) = self.shadow(system.rhs) {
                let sum = self.rows(&sum, system.rhs);
                self.set(sum.clone(), sum.add(rows));
            }
            let zero = Expr::zero(given.ty);
            self.set(given, zero);
        }
        self.for_elements(solve, system, ((&w, system.solution), (&x, system.solution)), |w, entry, row, column| {
            w.set(entry.clone(), entry.sub(row.mul(conjugate(column))));
        });
    }

    /// The solution: as the procedure has left it, or found again.
    fn solved(&mut self, system: &System, own: SymId) -> Expr {
        if let Some(x) = system.left(&self.uses, self.unseen) {
            return self.b.var(x);
        }
        let mut actuals = self.spared(&system.dummies());
        self.copied(&system.arrays, &mut actuals);
        if !system.in_place() {
            self.copied(&[system.rhs], &mut actuals);
        }
        let u = self.uses.get(&system.solution).copied().unwrap_or_default();
        let value = (u.read || system.in_place()).then(|| self.whole(&self.b.var(system.solution), system.solution));
        let shape = self.shadow(system.solution).unwrap_or_else(|| self.b.var(system.solution));
        let x = self.local(system.solution, "_solved", &shape, value);
        actuals.insert(system.solution, x.clone());
        self.call(own, &actuals);
        x
    }

    /// The transpose of the matrix, unless it is symmetric or another procedure solves with it.
    fn transposed(&mut self, solve: &Solve, system: &System, other: bool, actuals: &mut Actuals) {
        if other || matches!(solve.matrix, Matrix::Symmetric(..)) {
            self.copied(&system.arrays, actuals);
            return;
        }
        let n = self.n();
        if let [a] = system.arrays[..] {
            let (own, all) = (self.b.var(a), [range(one(), n.clone()), range(one(), n)]);
            let copy = self.local(a, "_t", &own, None);
            let (to, from) = (self.pick(&copy, a, &all, None), self.pick(&own, a, &all, None));
            let flipped = Expr { rank: 2, ..Expr::intrinsic(Intrinsic::Transpose, vec![from]) };
            self.set(to, conjugate(flipped));
            actuals.insert(a, copy);
            return;
        }
        let [lower, diagonal, upper] = system.arrays[..] else { return };
        let (first, last) = (range(one(), minus(&n, &one())), range(Expr::int(2), n));
        for (to, from, [there, here]) in [(lower, upper, [&last, &first]), (upper, lower, [&first, &last])] {
            let (like, own) = (self.b.var(to), self.b.var(from));
            let zero = Expr::zero(like.ty);
            let copy = self.local(to, "_t", &like, Some(zero));
            let (target, value) = (
                self.pick(&copy, to, std::slice::from_ref(there), None),
                self.pick(&own, from, std::slice::from_ref(here), None),
            );
            self.set(target, conjugate(value));
            actuals.insert(to, copy);
        }
        let own = self.b.var(diagonal);
        if own.ty.base == Base::Complex {
            let copy = self.local(diagonal, "_t", &own, None);
            let (to, from) = (self.rows(&copy, diagonal), self.rows(&own, diagonal));
            self.set(to, conjugate(from));
            actuals.insert(diagonal, copy);
        } else {
            self.copied(&[diagonal], actuals);
        }
    }
}
