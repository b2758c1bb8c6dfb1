//! The dependence test: in which iterations of a loop two references to one array meet at an element. Every pass that
//! moves, divides or merges loops asks it. Subscripts are compared dimension by dimension with the tests for none and one
//! index variable of Goff, Kennedy and Tseng, "Practical dependence testing" (1991); what they can't tell is `Anywhere`.

pub mod independence;
pub mod mentions;
pub mod segments;
pub mod wrapping;

use std::collections::BTreeSet;

use crate::affine::difference;
use crate::loops::slope;
use crate::storage::{any_symbol, has_symbol};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Callee, Designator, Expr, ExprKind, Subscript, SymId};
use costate_grammar::operators::BinaryOp;

/// In which iterations two references meet at an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// In none.
    Never,
    /// What the first one touches where the loop's variable is `i`, the second one touches where it is `i` plus this, and
    /// nowhere else.
    At(i64),
    /// Perhaps in any two.
    Anywhere,
}

impl Meeting {
    /// True when two different iterations share no element.
    pub fn in_one_iteration(self) -> bool {
        matches!(self, Meeting::Never | Meeting::At(0))
    }

    /// Both hold.
    fn and(self, other: Meeting) -> Meeting {
        match (self, other) {
            (Meeting::Anywhere, known) | (known, Meeting::Anywhere) => known,
            (Meeting::At(a), Meeting::At(b)) if a == b => self,
            _ => Meeting::Never,
        }
    }
}

/// Where two references to one array meet in the loop over `var`. The values of `moving` symbols may differ between the
/// references for other reasons than the loop's variable.
pub fn meeting(a: &Designator, b: &Designator, var: SymId, moving: &BTreeSet<SymId>) -> Meeting {
    if a.parts.len() != 1 || b.parts.len() != 1 || a.subscripts().count() != b.subscripts().count() {
        return Meeting::Anywhere;
    }
    a.subscripts().zip(b.subscripts()).fold(Meeting::Anywhere, |known, pair| match pair {
        (Subscript::Index(x), Subscript::Index(y)) => known.and(along(x, y, var, moving)),
        _ => known,
    })
}

/// The same for one dimension: `s*i + p` and `s*j + q` are one index where `j - i` is `(p - q)/s`.
fn along(x: &Expr, y: &Expr, var: SymId, moving: &BTreeSet<SymId>) -> Meeting {
    let other = |e: &Expr| any_symbol(e, |s| s != var && moving.contains(&s));
    if other(x) || other(y) {
        return Meeting::Anywhere;
    }
    if residues_differ(x, y) && ![x, y].iter().any(|e| has_symbol(e, var)) {
        return Meeting::Never;
    }
    let (Some(s), Some(t), Some(by)) = (slope(x, var), slope(y, var), difference(x, y)) else {
        return Meeting::Anywhere;
    };
    match (s == t, s) {
        (false, _) => Meeting::Anywhere,
        (true, 0) if by == 0 => Meeting::Anywhere,
        (true, 0) => Meeting::Never,
        (true, s) if by % s == 0 => Meeting::At(by / s),
        (true, _) => Meeting::Never,
    }
}

/// True for `mod(p, m)` and `mod(q, m)`, or `modulo`, with the same number added, where `p - q` is no multiple of `m`: they are
/// never the same.
pub fn residues_differ(x: &Expr, y: &Expr) -> bool {
    match (residue(x), residue(y)) {
        (Some((p, m, a)), Some((q, n, b))) => m == n && a == b && difference(p, q).is_some_and(|by| by % m != 0),
        _ => false,
    }
}

/// `p`, `m` and `a` of `mod(p, m) + a`.
fn residue(e: &Expr) -> Option<(&Expr, i64, i64)> {
    match &e.unparen().kind {
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Mod | Intrinsic::Modulo), args } => {
            let [p, m] = args.as_slice() else { return None };
            let m = m.value.as_int().filter(|m| *m > 1)?;
            Some((&p.value, m, 0))
        }
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => match (residue(a), residue(b), op) {
            (Some((p, m, c)), None, BinaryOp::Add) => Some((p, m, c.checked_add(b.as_int()?)?)),
            (Some((p, m, c)), None, _) => Some((p, m, c.checked_sub(b.as_int()?)?)),
            (None, Some((p, m, c)), BinaryOp::Add) => Some((p, m, c.checked_add(a.as_int()?)?)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use costate_grammar::ir::{Designator, Expr, Part, Subscript, SymId, Ty};
    use costate_grammar::operators::BinaryOp;

    use super::{Intrinsic, Meeting, meeting};

    fn symbol(name: &str) -> SymId {
        SymId::new(["a", "i", "n", "k"].iter().position(|x| *x == name).expect("a symbol of these tests"))
    }

    const RANGE: std::ops::RangeInclusive<i64> = -4..=4;

    /// `slope*i + size*n + inner*k + constant`
    #[derive(Clone, Copy)]
    struct Index([i64; 4]);

    impl Index {
        fn expr(self) -> Expr {
            let term = |c: i64, v| Expr::binary(BinaryOp::Mul, Expr::int(c), Expr::var(symbol(v), Ty::INTEGER, 0));
            let Index([s, n, k, c]) = self;
            let terms = [(s, "i"), (n, "n"), (k, "k")].into_iter().filter(|t| t.0 != 0).map(|(c, v)| term(c, v));
            terms.fold(Expr::int(c), |sum, t| Expr::binary(BinaryOp::Add, sum, t))
        }

        fn value(self, i: i64, k: i64) -> i64 {
            let Index([s, n, inner, c]) = self;
            s * i + 7 * n + inner * k + c
        }
    }

    fn reference(indices: &[Index]) -> Designator {
        let list = indices.iter().map(|x| Subscript::Index(x.expr())).collect();
        Designator { parts: vec![Part::Subscripts(list)], ..Designator::whole(symbol("a")) }
    }

    /// All distances between iterations in which two references touch one element.
    fn distances(a: &[Index], b: &[Index]) -> BTreeSet<i64> {
        let mut out = BTreeSet::new();
        for (i, j) in RANGE.flat_map(|i| RANGE.map(move |j| (i, j))) {
            for (k, l) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                if a.iter().zip(b).all(|(x, y)| x.value(i, k) == y.value(j, l)) {
                    out.insert(j - i);
                }
            }
        }
        out
    }

    #[test]
    fn no_meeting_is_missed_for_any_small_subscripts() {
        let mut indices = Vec::new();
        for s in -2..=2 {
            for (n, k) in [(0, 0), (1, 0), (0, 1)] {
                indices.extend([-1, 0, 1, 2].map(|c| Index([s, n, k, c])));
            }
        }
        let moving = BTreeSet::from([symbol("k")]);
        let mut exact = 0;
        for (p, a) in indices.iter().enumerate() {
            for (q, b) in indices.iter().enumerate() {
                // A second dimension takes part in some of them.
                let other = [indices[(p * 7 + q) % indices.len()], indices[(q * 5 + 3) % indices.len()]];
                for (a, b) in [(vec![*a], vec![*b]), (vec![*a, other[0]], vec![*b, other[1]])] {
                    let truth = distances(&a, &b);
                    let told = meeting(&reference(&a), &reference(&b), symbol("i"), &moving);
                    let fine = match told {
                        Meeting::Never => truth.is_empty(),
                        Meeting::At(by) => truth.iter().all(|d| *d == by),
                        Meeting::Anywhere => true,
                    };
                    assert!(fine, "{told:?}, but {truth:?}");
                    exact += usize::from(told != Meeting::Anywhere);
                }
            }
        }
        assert!(exact > 400, "{exact}");
    }

    #[test]
    fn offsets_are_distances_and_remainders_tell_apart() {
        let told = |a, b| meeting(&reference(&[Index(a)]), &reference(&[Index(b)]), symbol("i"), &BTreeSet::new());
        assert_eq!(told([1, 0, 0, 2], [1, 0, 0, 0]), Meeting::At(2));
        assert_eq!(told([-1, 1, 0, 0], [-1, 1, 0, 0]), Meeting::At(0));
        assert_eq!(told([2, 0, 0, 1], [2, 0, 0, 0]), Meeting::Never);
        assert_eq!(told([0, 1, 0, 1], [0, 1, 0, 0]), Meeting::Never);
        assert_eq!(told([0, 1, 0, 0], [0, 1, 0, 0]), Meeting::Anywhere);
        assert_eq!(told([1, 0, 0, 0], [2, 0, 0, 0]), Meeting::Anywhere);
    }

    #[test]
    fn residues_that_differ_never_meet() {
        let at = |k: i64, by: i64, more: i64| {
            let of = Expr::binary(BinaryOp::Add, Expr::var(symbol("n"), Ty::INTEGER, 0), Expr::int(k));
            let residue = Expr::intrinsic(Intrinsic::Mod, vec![of, Expr::int(by)]);
            let index = Expr::binary(BinaryOp::Add, residue, Expr::int(more));
            Designator { sym: symbol("a"), parts: vec![Part::Subscripts(vec![Subscript::Index(index)])] }
        };
        let met = |a: &Designator, b: &Designator, moving: &[SymId]| {
            meeting(a, b, symbol("i"), &moving.iter().copied().collect())
        };
        assert_eq!(met(&at(0, 2, 1), &at(1, 2, 1), &[]), Meeting::Never);
        assert_eq!(met(&at(0, 3, 1), &at(-2, 3, 1), &[]), Meeting::Never);
        // The same plane, other planes by other divisors or offsets, and a number that changes.
        assert_eq!(met(&at(0, 2, 1), &at(2, 2, 1), &[]), Meeting::Anywhere);
        assert_eq!(met(&at(0, 2, 1), &at(1, 3, 1), &[]), Meeting::Anywhere);
        assert_eq!(met(&at(0, 2, 1), &at(1, 2, 2), &[]), Meeting::Anywhere);
        assert_eq!(met(&at(0, 2, 1), &at(1, 2, 1), &[symbol("n")]), Meeting::Anywhere);
    }
}
