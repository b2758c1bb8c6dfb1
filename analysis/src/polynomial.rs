//! Integer expressions as polynomials, and proofs that one of them isn't negative.

use std::collections::BTreeMap;

use costate_grammar::ir::{Base, Expr, ExprKind, SymId};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use crate::storage::has_symbol;

/// Terms that a polynomial may have, and inequalities that a proof may use.
const LIMIT: usize = 64;

/// The largest factor with which an inequality is tried as it stands.
const FACTORS: i64 = 32;

/// The number of an atom: an expression that isn't taken apart, or a number of at least zero that a proof introduces.
type Atom = usize;

/// Factors by the atoms that are multiplied, these in order. No factor is zero.
#[derive(Clone, Debug, Default, PartialEq)]
struct Polynomial(BTreeMap<Vec<Atom>, i64>);

impl Polynomial {
    fn constant(value: i64) -> Polynomial {
        Polynomial::term(Vec::new(), value)
    }

    fn term(atoms: Vec<Atom>, factor: i64) -> Polynomial {
        Polynomial(BTreeMap::from([(atoms, factor)]).into_iter().filter(|t| t.1 != 0).collect())
    }

    /// `self + other * factor`; `None` for what gets too large.
    fn plus(mut self, other: &Polynomial, factor: i64) -> Option<Polynomial> {
        for (atoms, f) in &other.0 {
            let sum = self.0.get(atoms).copied().unwrap_or(0).checked_add(f.checked_mul(factor)?)?;
            match sum {
                0 => self.0.remove(atoms),
                _ => self.0.insert(atoms.clone(), sum),
            };
        }
        (self.0.len() <= LIMIT).then_some(self)
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut out = Polynomial::default();
        for (a, f) in &self.0 {
            for (b, g) in &other.0 {
                let mut atoms: Vec<Atom> = a.iter().chain(b).copied().collect();
                atoms.sort_unstable();
                out = out.plus(&Polynomial::term(atoms, f.checked_mul(*g)?), 1)?;
            }
        }
        Some(out)
    }

    /// The polynomial with another one in the place of an atom.
    fn replace(&self, atom: Atom, by: &Polynomial) -> Option<Polynomial> {
        let mut out = Polynomial::default();
        for (atoms, f) in &self.0 {
            let rest = atoms.iter().copied().filter(|a| *a != atom).collect();
            let mut product = Polynomial::term(rest, *f);
            for _ in atoms.iter().filter(|a| **a == atom) {
                product = product.times(by)?;
            }
            out = out.plus(&product, 1)?;
        }
        Some(out)
    }

    /// The factor of an atom that stands in one term only, by itself.
    fn factor_of(&self, atom: Atom) -> Option<i64> {
        let once = self.0.keys().filter(|atoms| atoms.contains(&atom)).count() == 1;
        self.0.get(&vec![atom]).copied().filter(|_| once)
    }
}

/// The atoms of a proof.
#[derive(Debug, Default)]
struct Proof {
    /// Expressions; nothing for what is known to be at least zero.
    atoms: Vec<Option<Expr>>,
}

impl Proof {
    fn atom(&mut self, e: &Expr) -> Polynomial {
        let known = self.atoms.iter().position(|a| a.as_ref() == Some(e));
        let at = known.unwrap_or_else(|| {
            self.atoms.push(Some(e.clone()));
            self.atoms.len() - 1
        });
        Polynomial::term(vec![at], 1)
    }

    /// An integer of which nothing is known but that it isn't negative.
    fn natural(&mut self) -> Polynomial {
        self.atoms.push(None);
        Polynomial::term(vec![self.atoms.len() - 1], 1)
    }

    fn of(&mut self, e: &Expr) -> Option<Polynomial> {
        if e.ty.base != Base::Integer || e.rank > 0 {
            return None;
        }
        match &e.kind {
            ExprKind::Paren(a) | ExprKind::Unary(UnaryOp::Plus, a) => self.of(a),
            ExprKind::Unary(UnaryOp::Minus, a) => Polynomial::default().plus(&self.of(a)?, -1),
            ExprKind::Binary(BinaryOp::Add, a, b) => self.of(a)?.plus(&self.of(b)?, 1),
            ExprKind::Binary(BinaryOp::Sub, a, b) => self.of(a)?.plus(&self.of(b)?, -1),
            ExprKind::Binary(BinaryOp::Mul, a, b) => self.of(a)?.times(&self.of(b)?),
            _ => Some(e.as_int().map_or_else(|| self.atom(e), Polynomial::constant)),
        }
    }

    /// True for a sum of products of what isn't negative.
    fn is_sum_of_naturals(&self, p: &Polynomial) -> bool {
        p.0.iter().all(|(atoms, f)| *f > 0 && atoms.iter().all(|a| self.atoms[*a].is_none()))
    }

    /// An atom and what it is, given that a polynomial isn't negative: the rest of that and a new natural number.
    fn solve(&mut self, p: &Polynomial) -> Option<(Atom, Polynomial)> {
        let candidates: Vec<Atom> = p.0.keys().filter(|k| k.len() == 1).map(|k| k[0]).collect();
        for atom in candidates {
            let Some(factor) = p.factor_of(atom) else { continue };
            let rest = p.clone().plus(&Polynomial::term(vec![atom], factor), -1)?;
            let by = match factor {
                1 => Polynomial::default().plus(&rest, -1)?,
                -1 => rest,
                // `2*n - 1 >= 0` is `n >= 1`.
                f if f > 1 && rest.0.keys().all(Vec::is_empty) => {
                    let least = rest.0.get(&Vec::new()).map_or(0, |c| c.checked_neg().unwrap_or(0));
                    Polynomial::constant(least.div_euclid(f) + i64::from(least.rem_euclid(f) > 0))
                }
                _ => continue,
            };
            let natural = self.atoms[atom].is_none();
            if natural && !(factor == 1 && self.is_sum_of_naturals(&by)) {
                // What was known of this atom would be lost.
                continue;
            }
            let sign = if factor < 0 { -1 } else { 1 };
            return Some((atom, by.plus(&self.natural(), sign)?));
        }
        None
    }

    fn holds(&mut self, goal: &Expr, given: &[Expr]) -> Option<bool> {
        let mut goal = self.of(goal)?;
        let mut given: Vec<Polynomial> = given.iter().filter_map(|e| self.of(e)).take(LIMIT).collect();
        for g in &given {
            for k in 1..=FACTORS {
                let left = goal.clone().plus(g, -k)?;
                if self.is_sum_of_naturals(&left) {
                    return Some(true);
                }
            }
        }
        while !given.is_empty() {
            if self.is_sum_of_naturals(&goal) {
                return Some(true);
            }
            let shortest = (0..given.len()).min_by_key(|k| given[*k].0.len()).unwrap_or_default();
            let next = given.remove(shortest);
            let Some((atom, by)) = self.solve(&next) else { continue };
            goal = goal.replace(atom, &by)?;
            given = given.iter().filter_map(|g| g.replace(atom, &by)).collect();
        }
        Some(self.is_sum_of_naturals(&goal))
    }
}

/// True for an integer expression that surely isn't negative where those that are given aren't.
pub fn is_not_negative(e: &Expr, given: &[Expr]) -> bool {
    Proof::default().holds(e, given).unwrap_or(false)
}

/// True for an integer expression that never falls, or never rises, where a variable does: a sum of its products with what
/// stands still, or such a sum divided by what stands still.
pub fn is_monotone_in(e: &Expr, var: SymId) -> bool {
    let mut proof = Proof::default();
    let Some(p) = proof.of(e) else { return false };
    let known = |a: Atom| proof.atoms[a].as_ref();
    let moves = |a: &Atom| known(*a).is_some_and(|e| has_symbol(e, var));
    let of_terms = p.0.keys().map(|atoms| atoms.iter().copied().filter(moves).collect::<Vec<Atom>>());
    let moving: Vec<Vec<Atom>> = of_terms.filter(|m| !m.is_empty()).collect();
    let itself = |a: Atom| known(a).and_then(Expr::as_var).is_some_and(|d| d.sym == var && d.parts.is_empty());
    if moving.iter().all(|m| m.len() == 1 && itself(m[0])) {
        return true;
    }
    let [only] = moving.as_slice() else { return false };
    let [atom] = only.as_slice() else { return false };
    match known(*atom).map(|e| &e.kind) {
        Some(ExprKind::Binary(BinaryOp::Div, a, b)) => !has_symbol(b, var) && is_monotone_in(a, var),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use costate_grammar::ir::{Designator, SymId, Ty};

    fn var(k: usize) -> Expr {
        let d = Designator { sym: SymId::new(k), parts: Vec::new() };
        Expr::new(ExprKind::Var(d), Ty::INTEGER, 0)
    }

    fn int(k: i64) -> Expr {
        Expr::int(k)
    }

    #[test]
    fn products_of_positive_factors_are_positive() {
        let (n, k) = (var(0), var(1));
        let area = n.clone().mul(k.clone());
        let given = [n.clone().sub(int(1)), k.clone().sub(int(1))];
        assert!(is_not_negative(&area.clone().sub(int(1)), &given));
        assert!(!is_not_negative(&area.clone().sub(int(2)), &given));
        assert!(!is_not_negative(&area, &given[..1]));
        assert!(!is_not_negative(&area, &[]));
    }

    #[test]
    fn sums_in_products_are_multiplied_out() {
        let (n, k) = (var(0), var(1));
        let long = k.clone().sub(int(1)).add(k.clone()).mul(n.clone());
        let short = int(2).mul(k).sub(int(1)).mul(n);
        assert!(is_not_negative(&long.clone().sub(short.clone()), &[]));
        assert!(!is_not_negative(&long.sub(short).sub(int(1)), &[]));
    }

    #[test]
    fn a_chain_of_inequalities_is_followed() {
        let (i, j, n) = (var(0), var(1), var(2));
        let given = [j.clone().sub(i.clone()).sub(int(1)), n.clone().sub(int(1))];
        let gap = j.clone().sub(i.clone()).mul(n.clone()).sub(n.clone());
        assert!(is_not_negative(&gap, &given));
        assert!(!is_not_negative(&gap.sub(int(1)), &given));
        let bounds = [i.clone().sub(int(1)), n.clone().sub(j.clone()), j.clone().sub(i.clone())];
        assert!(is_not_negative(&n.clone().sub(int(1)), &bounds));
        assert!(!is_not_negative(&n.sub(int(2)), &bounds));
    }

    #[test]
    fn products_and_their_quotients_are_monotone() {
        let (i, n) = (var(0), var(1));
        let by = i.clone().mul(n.clone());
        let monotone = |e: Expr| is_monotone_in(&e, SymId::new(0));
        assert!(monotone(by.clone().sub(n.clone()).add(int(1))));
        assert!(monotone(by.clone().div(n.clone()).add(n.clone())));
        assert!(monotone(n.clone()));
        assert!(!monotone(by.clone().mul(i.clone())));
        assert!(!monotone(by.clone().div(n.clone()).sub(i.clone())));
        assert!(!monotone(n.div(i)));
    }

    #[test]
    fn factors_round_to_whole_numbers() {
        let n = var(0);
        let given = [int(2).mul(n.clone()).sub(int(1))];
        assert!(is_not_negative(&n.clone().sub(int(1)), &given));
        assert!(!is_not_negative(&n.sub(int(2)), &given));
    }
}
