//! Limits of sections: index expressions that are compared and copied far more often than they are made.

use std::rc::Rc;

use crate::affine::{Shifted, combine, difference, minus, plus, shifted};
use crate::loops::{slope, substitute};
use crate::storage::{any_symbol, has_symbol};
use costate_grammar::ir::{Expr, SymId};

/// An index expression. Copies share it, and whether it has the form that most have is found out once.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    expr: Rc<Expr>,
    form: Option<Shifted>,
}

impl PartialEq for Limit {
    fn eq(&self, other: &Limit) -> bool {
        Rc::ptr_eq(&self.expr, &other.expr) || self.form == other.form && self.expr == other.expr
    }
}

impl From<Expr> for Limit {
    fn from(e: Expr) -> Limit {
        Limit { form: shifted(&e), expr: Rc::new(e) }
    }
}

impl Limit {
    pub(super) fn expr(&self) -> &Expr {
        &self.expr
    }

    /// True when `self` is surely less than `other`, by `by` at least.
    pub(super) fn below(&self, other: &Limit, by: i64) -> bool {
        let apart = match (self.form, other.form) {
            (Some(a), Some(b)) => b.minus(a),
            _ => difference(&other.expr, &self.expr),
        };
        apart.is_some_and(|d| d >= by)
    }

    /// The limit so many elements further on.
    pub(super) fn plus(&self, by: i64) -> Limit {
        plus(&self.expr, &Expr::int(by)).into()
    }

    /// The limit so many times further on as it is from another one.
    pub(super) fn further(&self, from: &Limit, times: i64) -> Limit {
        combine(&self.expr, times, &minus(&self.expr, &from.expr)).into()
    }

    pub(super) fn mentions(&self, sym: SymId) -> bool {
        match self.form {
            Some(form) => form.var == Some(sym),
            None => has_symbol(&self.expr, sym),
        }
    }

    /// True when one of its symbols is among these.
    pub(super) fn any_symbol(&self, mut among: impl FnMut(SymId) -> bool) -> bool {
        match self.form {
            Some(form) => form.var.is_some_and(among),
            None => any_symbol(&self.expr, &mut among),
        }
    }

    /// By how much it grows with a variable; `None` when that isn't known.
    pub(super) fn slope(&self, var: SymId) -> Option<i64> {
        match self.form {
            Some(form) => Some(i64::from(form.var == Some(var))),
            None => slope(&self.expr, var),
        }
    }

    /// The limit for another value of a variable.
    pub(super) fn at(&self, var: SymId, value: &Limit) -> Limit {
        match self.form {
            Some(form) if form.var == Some(var) => value.plus(form.by),
            _ => plus(&substitute(&self.expr, var, &value.expr), &Expr::int(0)).into(),
        }
    }
}
