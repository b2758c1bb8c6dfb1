//! What the driver's variables are given: `--size`, `--value`, or a default that fits most code.

use std::collections::BTreeMap;

use costate_analysis::request::Head;
use costate_grammar::ir::{
    Base, Dim, Expr, ExprKind, LoopControl, Program, ScopeKind, StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::CheckOptions;
use super::slots::{Part, Slots};

/// Extent and value of size dummies where nothing is said.
const DEFAULT: i64 = 8;

/// What is known of the values.
pub(super) struct Values {
    sizes: BTreeMap<String, Vec<i64>>,
    values: BTreeMap<String, String>,
    /// Dummies that are upper bounds of arrays and loops.
    upper: Vec<SymId>,
    /// Extent of what has no other.
    extent: i64,
    /// Some size is given: the others may have to go with it.
    given: bool,
    /// The smallest size: what an index may be at most.
    smallest: i64,
}

impl Values {
    pub(super) fn new(slots: &Slots<'_>, head: &Head, options: &CheckOptions) -> Values {
        let lower = |s: &str| s.to_ascii_lowercase();
        let mut out = Values {
            sizes: options.generate.sizes.iter().map(|(n, v)| (lower(n), v.clone())).collect(),
            values: options.values.iter().map(|(n, v)| (lower(n), v.clone())).collect(),
            upper: upper_bounds(slots.program, head),
            extent: DEFAULT,
            given: false,
            smallest: DEFAULT,
        };
        let scalar = |s: &&super::slots::Slot<'_>| s.var.ty.base == Base::Integer && s.var.dims.is_empty();
        let dummies = slots.slots.iter().filter(scalar).filter(|s| out.upper.contains(&s.sym));
        let sizes: Vec<i64> =
            dummies.filter_map(|s| out.asked(&s.shown, s.sym).parse().ok()).filter(|v| *v > 0).collect();
        out.extent = sizes.iter().copied().max().unwrap_or(DEFAULT);
        out.smallest = sizes.iter().copied().min().unwrap_or(DEFAULT);
        let named = |s: &super::slots::Slot<'_>| out.given(&s.shown).is_some();
        out.given =
            !out.sizes.is_empty() || slots.slots.iter().filter(scalar).any(|s| out.upper.contains(&s.sym) && named(s));
        out
    }

    /// Value of an integer dummy at the first point.
    fn asked(&self, shown: &str, sym: SymId) -> String {
        let default = if self.upper.contains(&sym) { DEFAULT } else { 1 };
        let size = || self.sizes.get(shown).and_then(|v| v.first()).map(i64::to_string);
        self.given(shown).or_else(size).unwrap_or_else(|| default.to_string())
    }

    /// Value of an integer dummy as Fortran text.
    fn integer(&self, shown: &str, sym: SymId) -> String {
        let default = || if self.upper.contains(&sym) { self.sized(DEFAULT) } else { "1".to_string() };
        self.given_integer(shown).unwrap_or_else(default)
    }

    /// The same of one that is an integer: of a range a number is drawn.
    fn integer_given(&self, shown: &str) -> Option<String> {
        let given = self.given(shown)?;
        Some(match given.split_once(':') {
            Some((lo, hi)) => format!("drawn_among({lo}, {hi})"),
            None => given,
        })
    }

    /// The value that the user gave for a name.
    pub(super) fn given(&self, shown: &str) -> Option<String> {
        self.values.get(shown).cloned()
    }

    /// Whether a size or a value is given for a name.
    pub(super) fn names(&self, shown: &str) -> bool {
        self.values.contains_key(shown) || self.sizes.contains_key(shown)
    }

    /// The same for an integer scalar, which may be a size.
    fn given_integer(&self, shown: &str) -> Option<String> {
        self.integer_given(shown).or_else(|| self.sizes.get(shown).and_then(|v| v.first()).map(|n| given_size(*n)))
    }

    /// Extent of dimension `dim` (from 0) of an array whose declaration doesn't give it, as Fortran text.
    pub(super) fn extent_of(&self, shown: &str, dim: usize) -> String {
        let given = self.sizes.get(shown).and_then(|v| v.get(dim).or(v.last()));
        given.map_or_else(|| self.sized(self.extent), |n| given_size(*n))
    }

    /// A size that isn't given, as Fortran text.
    fn sized(&self, asked: i64) -> String {
        if self.given { given_size(asked) } else { format!("sized({asked})") }
    }

    /// The value of an intrinsic leaf, as Fortran text; `k` counts the elements of an array.
    pub(super) fn of_leaf(&self, shown: &str, sym: SymId, part: &Part<'_>) -> String {
        let ty = part.ty();
        let given = self.given(shown);
        let whole = part.steps.len() == 1;
        match ty.base {
            Base::Real => format!("real({}, {})", range(given.as_deref()), ty.kind),
            Base::Complex => match given {
                Some(value) if value.starts_with('(') => value,
                _ => format!("cmplx({r}, {r}, {})", ty.kind, r = range(given.as_deref())),
            },
            Base::Integer if !part.last().dims.is_empty() => {
                let other = || format!("1 + mod(k - 1, {})", self.sized(self.smallest));
                self.integer_given(shown).unwrap_or_else(other)
            }
            Base::Integer if whole => self.integer(shown, sym),
            Base::Integer => self.given_integer(shown).unwrap_or_else(|| self.sized(self.extent)),
            Base::Logical => given.unwrap_or_else(|| "holds()".to_string()),
            Base::Character => given.unwrap_or_else(|| "'a'".to_string()),
            Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None => String::new(),
        }
    }
}

/// A size that `--size` gives, as Fortran text.
fn given_size(asked: i64) -> String {
    format!("given({asked})")
}

/// A random number, in the given range or equal to the given value.
fn range(given: Option<&str>) -> String {
    match given {
        None => "drawn()".to_string(),
        Some(text) => match text.split_once(':') {
            Some((lo, hi)) => format!("draw(real({lo}, wk_), real({hi}, wk_))"),
            None => format!("({text})"),
        },
    }
}

/// Integer dummies that bound arrays or loops from above, or are named as if they did.
fn upper_bounds(program: &Program, head: &Head) -> Vec<SymId> {
    let procedure = &program[head.proc];
    let (mut upper, mut limits, mut lower) = (Vec::new(), Vec::new(), Vec::new());
    let collect = |e: &Expr, out: &mut Vec<SymId>| {
        for_each_expr(e, &mut |e| {
            if let ExprKind::Var(d) = &e.kind {
                out.push(d.sym);
            }
        });
    };
    for symbol in &program.symbols {
        let inside = match program[symbol.scope].kind {
            ScopeKind::Procedure(p) => p == head.proc,
            ScopeKind::Inner => true,
            ScopeKind::Module(_) | ScopeKind::Global => false,
        };
        let Some(var) = symbol.var().filter(|_| inside) else { continue };
        for dim in &var.dims {
            match dim {
                Dim::Explicit(lo, hi) => {
                    lo.iter().for_each(|e| collect(e, &mut lower));
                    collect(hi, &mut upper);
                }
                Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| collect(e, &mut lower)),
                Dim::Deferred | Dim::AssumedRank => {}
            }
        }
    }
    for_each_stmt(&procedure.body, &mut |stmt| {
        if let StmtKind::Do { control: LoopControl::Count { lo, hi, step, .. }, .. } = &stmt.kind {
            let down = step.as_ref().and_then(Expr::as_int).is_some_and(|s| s < 0);
            let (first, last) = if down { (hi, lo) } else { (lo, hi) };
            collect(first, &mut lower);
            collect(last, &mut limits);
        }
    });
    let named = |name: &str| {
        name.starts_with('n') || name.starts_with("ld") || name == "m" || name.contains("size") || name.contains("len")
    };
    let is_upper =
        |s: &SymId| upper.contains(s) || (!lower.contains(s) && (limits.contains(s) || named(&program[*s].name)));
    procedure.dummies.iter().copied().filter(is_upper).collect()
}
