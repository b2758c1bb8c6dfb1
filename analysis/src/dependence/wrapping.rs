//! Subscripts that wrap around at the end of a loop, as those of periodic neighbours do: `mod(i, n) + 1`,
//! `modulo(i - 2, n) + 1`, `merge(1, i + 1, i == n)`, where `i` runs from 1 to `n`. Each iteration has an element of its own by
//! one of these, and by `i/2` where `i` runs in steps of two.

use crate::affine::{count, difference, minus, plus};
use crate::loops::{slope, substitute};
use crate::storage::has_symbol;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Callee, Expr, ExprKind, SymId};
use costate_grammar::operators::BinaryOp;

/// The values of a loop's variable.
#[derive(Clone, Copy)]
pub struct Values<'e> {
    /// The variable.
    pub var: SymId,
    /// Its least value.
    pub least: &'e Expr,
    /// Its greatest value, if that is known.
    pub greatest: Option<&'e Expr>,
    /// By how much one is from the next, if that is known.
    pub step: Option<i64>,
}

impl Values<'_> {
    /// True for an expression that is another number for each of the values. What it refers to besides stands still.
    pub fn are_told_apart_by(&self, e: &Expr) -> bool {
        let moves = |e: &Expr| has_symbol(e, self.var);
        if slope(e, self.var).is_some_and(|s| s != 0) {
            return true;
        }
        match &e.kind {
            ExprKind::Paren(inner) => self.are_told_apart_by(inner),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if !moves(b) => self.are_told_apart_by(a),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if !moves(a) => self.are_told_apart_by(b),
            ExprKind::Binary(BinaryOp::Div, a, b) => b.as_int().is_some_and(|by| self.by_quotient(a, by)),
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => match (f, args.as_slice()) {
                (Intrinsic::Mod | Intrinsic::Modulo, [a, n]) => self.by_remainder(&a.value, &n.value),
                (Intrinsic::Merge, [a, b, cond]) => self.by_choice(a, b, &cond.value),
                _ => false,
            },
            _ => false,
        }
    }

    /// How many of the least and of the greatest values have to be left out, so that the rest are told apart by an expression that
    /// `max`, `min`, or a choice keeps within bounds.
    pub fn are_told_apart_but_at_ends(&self, e: &Expr) -> Option<[i64; 2]> {
        let moves = |e: &Expr| has_symbol(e, self.var);
        let ends = match &e.kind {
            ExprKind::Paren(inner) => self.are_told_apart_but_at_ends(inner),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if !moves(b) => self.are_told_apart_but_at_ends(a),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) if !moves(a) => self.are_told_apart_but_at_ends(b),
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => match (f, args.as_slice()) {
                (Intrinsic::Max | Intrinsic::Min, [a, b]) => {
                    let (a, limit) = if moves(&a.value) { (&a.value, &b.value) } else { (&b.value, &a.value) };
                    (!moves(limit)).then(|| self.beyond(a, limit, *f == Intrinsic::Max)).flatten()
                }
                (Intrinsic::Merge, [a, b, cond]) => self.but_at_one_end(&a.value, &b.value, &cond.value),
                _ => None,
            },
            _ => None,
        };
        ends.filter(|ends| ends.iter().all(|n| (0..=2).contains(n)))
    }

    /// Values at the least and at the greatest end for which an expression is below a limit, or above it.
    fn beyond(&self, e: &Expr, limit: &Expr, below: bool) -> Option<[i64; 2]> {
        let rises = match slope(e, self.var)? {
            1 => true,
            -1 => false,
            _ => return None,
        };
        let at_least = rises == below;
        let end = substitute(e, self.var, if at_least { self.least } else { self.greatest? });
        let by = if below { difference(limit, &end)? } else { difference(&end, limit)? }.max(0);
        Some(if at_least { [by, 0] } else { [0, by] })
    }

    /// The same of a choice that is made for one value at an end.
    fn but_at_one_end(&self, a: &Expr, b: &Expr, cond: &Expr) -> Option<[i64; 2]> {
        let [first, second] = self.sides(cond)?;
        let one = |side: &[Expr; 2]| difference(&side[0], &side[1]) == Some(0);
        let (alone, rest) = if one(&first) { (first, b) } else { (second, a) };
        let moves = slope(rest, self.var).is_some_and(|s| s != 0);
        match () {
            () if !one(&alone) || !moves => None,
            () if difference(&alone[0], self.least) == Some(0) => Some([1, 0]),
            () if difference(&alone[0], self.greatest?) == Some(0) => Some([0, 1]),
            () => None,
        }
    }

    /// Quotients of numbers that are as far apart as the divisor is large, none of them negative.
    fn by_quotient(&self, a: &Expr, by: i64) -> bool {
        let apart = slope(a, self.var).zip(self.step).is_some_and(|(s, step)| (s * step).abs() >= by);
        let least = substitute(a, self.var, self.least);
        let positive = difference(&least, &Expr::int(0)).is_some_and(|d| d >= 0);
        by > 0 && apart && slope(a, self.var).is_some_and(|s| s > 0) && positive
    }

    /// Remainders of as many numbers in a row as the divisor is large, or fewer: those with the same are a multiple of it apart.
    fn by_remainder(&self, a: &Expr, n: &Expr) -> bool {
        let Some(greatest) = self.greatest else { return false };
        let fits = difference(n, &count(self.least, greatest)).is_some_and(|d| d >= 0);
        slope(a, self.var).is_some_and(|s| s.abs() == 1) && !has_symbol(n, self.var) && fits
    }

    /// One of two, by the side of a limit on which the variable is.
    fn by_choice(&self, a: &Arg, b: &Arg, cond: &Expr) -> bool {
        let Some([first, second]) = self.sides(cond) else { return false };
        let [Some(x), Some(y)] = [self.image(&a.value, &first), self.image(&b.value, &second)] else { return false };
        let below = |x: &[Expr; 2], y: &[Expr; 2]| difference(&y[0], &x[1]).is_some_and(|d| d > 0);
        below(&x, &y) || below(&y, &x)
    }

    /// The values for which a condition holds, and those for which it doesn't, each from the least to the greatest.
    fn sides(&self, cond: &Expr) -> Option<[[Expr; 2]; 2]> {
        let ExprKind::Binary(op, x, limit) = &cond.unparen().kind else { return None };
        if slope(x, self.var) != Some(1) || has_symbol(limit, self.var) {
            return None;
        }
        // The value of the variable at the limit.
        let at = minus(limit, &substitute(x, self.var, &Expr::int(0)));
        let (least, greatest) = (self.least.clone(), self.greatest?.clone());
        let up_to = |by: i64| [least.clone(), plus(&at, &Expr::int(by))];
        let from = |by: i64| [plus(&at, &Expr::int(by)), greatest.clone()];
        let last = || difference(&at, &greatest).is_some_and(|d| d >= 0);
        let first = || difference(&at, &least).is_some_and(|d| d <= 0);
        match op {
            BinaryOp::Gt => Some([from(1), up_to(0)]),
            BinaryOp::Ge => Some([from(0), up_to(-1)]),
            BinaryOp::Lt => Some([up_to(-1), from(0)]),
            BinaryOp::Le => Some([up_to(0), from(1)]),
            BinaryOp::Eq if last() => Some([from(0), up_to(-1)]),
            BinaryOp::Eq if first() => Some([up_to(0), from(1)]),
            BinaryOp::Ne if last() => Some([up_to(-1), from(0)]),
            BinaryOp::Ne if first() => Some([from(1), up_to(0)]),
            _ => None,
        }
    }

    /// The least and the greatest of different numbers that an expression is for values from one to another.
    fn image(&self, e: &Expr, [from, to]: &[Expr; 2]) -> Option<[Expr; 2]> {
        if has_symbol(e, self.var) {
            let ends = [from, to].map(|end| substitute(e, self.var, end));
            return (slope(e, self.var) == Some(1)).then_some(ends);
        }
        // It is so for one value at most.
        difference(to, from).is_some_and(|d| d <= 0).then(|| [e.clone(), e.clone()])
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use costate_grammar::intrinsics::Intrinsic;
    use costate_grammar::ir::{Callee, Expr, ExprKind, SymId, Ty};
    use costate_grammar::operators::BinaryOp;

    use super::Values;

    const INDEX: usize = 0;
    const SIZE: usize = 1;

    fn number(sym: usize) -> Expr {
        Expr::var(SymId::new(sym), Ty::INTEGER, 0)
    }

    fn plus(e: Expr, by: i64) -> Expr {
        Expr::binary(BinaryOp::Add, e, Expr::int(by))
    }

    /// The value where the index is `i` and the size `n`, as Fortran has it: division truncates.
    fn value(e: &Expr, i: i64, n: i64) -> i64 {
        let of = |e: &Expr| value(e, i, n);
        match &e.kind {
            ExprKind::Int { value, .. } => *value,
            ExprKind::Var(d) => [i, n][d.sym.index()],
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    BinaryOp::Gt => i64::from(a > b),
                    BinaryOp::Ge => i64::from(a >= b),
                    BinaryOp::Lt => i64::from(a < b),
                    BinaryOp::Le => i64::from(a <= b),
                    BinaryOp::Eq => i64::from(a == b),
                    BinaryOp::Ne => i64::from(a != b),
                    other => panic!("{other:?}"),
                }
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => {
                let args: Vec<i64> = args.iter().map(|a| of(&a.value)).collect();
                match f {
                    Intrinsic::Mod => args[0] % args[1],
                    Intrinsic::Modulo => args[0].rem_euclid(args[1]),
                    Intrinsic::Merge => args[if args[2] != 0 { 0 } else { 1 }],
                    Intrinsic::Max => args[0].max(args[1]),
                    Intrinsic::Min => args[0].min(args[1]),
                    other => panic!("{other:?}"),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    /// Subscripts of many forms, most of which meet somewhere.
    fn subscripts() -> Vec<Expr> {
        let shifts = [-3, -2, -1, 0, 1, 2, 3];
        let (i, n) = (|| number(INDEX), || number(SIZE));
        let mut out = Vec::new();
        for a in shifts {
            for divisor in [n(), plus(n(), 1), plus(n(), -1), Expr::int(3)] {
                for f in [Intrinsic::Mod, Intrinsic::Modulo] {
                    for e in [plus(i(), a), plus(Expr::binary(BinaryOp::Add, i(), n()), a), plus(n().sub(i()), a)] {
                        out.push(plus(Expr::intrinsic(f, vec![e, divisor.clone()]), 1));
                    }
                }
            }
            for by in [1, 2, 3] {
                out.push(plus(Expr::binary(BinaryOp::Div, plus(i(), a), Expr::int(by)), 1));
            }
            for other in [Expr::int(1), n(), plus(i(), a).sub(n()), plus(i(), 1), Expr::int(a)] {
                for op in [BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Eq, BinaryOp::Ne] {
                    for limit in [Expr::int(1), n(), plus(n(), -2)] {
                        for by in [-1, 0, 2] {
                            let cond = Expr::binary(op, plus(i(), by), limit.clone());
                            let args = vec![other.clone(), plus(i(), a), cond];
                            out.push(Expr::intrinsic(Intrinsic::Merge, args.clone()));
                            out.push(Expr::intrinsic(
                                Intrinsic::Merge,
                                vec![args[1].clone(), args[0].clone(), args[2].clone()],
                            ));
                        }
                    }
                }
            }
        }
        out
    }

    #[test]
    fn what_is_told_apart_is_another_number_in_each_iteration() {
        let all = subscripts();
        let mut told = 0;
        for (least, greatest) in
            [(Expr::int(1), number(SIZE)), (Expr::int(0), plus(number(SIZE), -1)), (Expr::int(2), number(SIZE))]
        {
            for step in [1, 2, 3] {
                let values =
                    Values { var: SymId::new(INDEX), least: &least, greatest: Some(&greatest), step: Some(step) };
                for e in all.iter().filter(|e| values.are_told_apart_by(e)) {
                    told += 1;
                    for n in 1..=7 {
                        let range = (value(&least, 0, n)..=value(&greatest, 0, n)).step_by(step as usize);
                        // Numbers to be divided by are there.
                        if range.clone().count() == 0
                            || matches!(&e.kind, ExprKind::Binary(_, a, _) if divides_by_zero(a, n))
                        {
                            continue;
                        }
                        let found: BTreeSet<i64> = range.clone().map(|i| value(e, i, n)).collect();
                        assert_eq!(found.len(), range.count(), "n = {n}, step {step}: {e:?}");
                    }
                }
            }
        }
        assert!(told > 500, "{told}");
    }

    #[test]
    fn but_for_a_few_at_the_ends_the_rest_are_told_apart() {
        let (i, n) = (number(INDEX), number(SIZE));
        let mut all = subscripts();
        for by in -3..=3 {
            for limit in [Expr::int(1), n.clone(), Expr::int(2), plus(n.clone(), -1)] {
                for f in [Intrinsic::Max, Intrinsic::Min] {
                    all.push(Expr::intrinsic(f, vec![plus(i.clone(), by), limit.clone()]));
                    all.push(Expr::intrinsic(f, vec![limit.clone(), plus(n.clone(), by).sub(i.clone())]));
                }
            }
        }
        let (least, mut told) = (Expr::int(1), 0);
        let values = Values { var: SymId::new(INDEX), least: &least, greatest: Some(&n), step: Some(1) };
        for e in &all {
            let Some([first, last]) = values.are_told_apart_but_at_ends(e) else { continue };
            told += 1;
            for size in 1..=7 {
                let rest: Vec<i64> = (1 + first..=size - last).map(|i| value(e, i, size)).collect();
                assert_eq!(rest.iter().collect::<BTreeSet<_>>().len(), rest.len(), "n = {size}: {e:?}");
            }
        }
        assert!(told > 40, "{told}");
    }

    fn divides_by_zero(e: &Expr, n: i64) -> bool {
        match &e.kind {
            ExprKind::Call { args, .. } => args.len() == 2 && value(&args[1].value, 0, n) == 0,
            _ => false,
        }
    }
}
