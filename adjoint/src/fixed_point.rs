//! What `!$ad fixed-point` right before a loop asks for: the loop iterates a state to a fixed point, and its adjoint is
//! that of the fixed point.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::directives::{AdDirective, Construct};
use costate_grammar::ir::{Base, Expr, Intent, Program, ScopeId, Stmt, StmtId, StmtKind, SymId, Ty, Variable};
use costate_grammar::source::Span;

use crate::plan::{Order, the_loop};

/// How many iterations the adjoint may take where nobody says it.
const MOST_ITERATIONS: i64 = 10_000;

/// What is asked for a loop.
#[derive(Clone, Debug)]
pub(crate) struct FixedPoint {
    /// The directive.
    pub directive: Span,
    /// What the loop iterates, if the directive says it.
    pub state: BTreeSet<SymId>,
    /// How small, against the largest so far, what an iteration of the adjoint hands on must become.
    pub tolerance: Option<Expr>,
    /// How many iterations the adjoint may take.
    pub iterations: Expr,
}

impl FixedPoint {
    /// The tolerance for adjoints of a type. Without one of the user's it is about what the arithmetic allows.
    pub(crate) fn tolerance(&self, ty: Ty) -> Expr {
        let usual = if ty.kind == 4 { 1e-7 } else { 1e-14 };
        let number = |x| Expr::literal(x, Ty::new(Base::Real, ty.kind));
        let given = self.tolerance.as_ref();
        given.map_or(number(usual), |e| e.literal_value().map_or(e.clone(), number))
    }
}

/// What directives in a body ask for, by the loop, and what is wrong with them. Names in them are those of a scope; a loop
/// that has an order is reversed in another way.
pub(crate) fn fixed_points(
    program: &Program,
    scope: ScopeId,
    body: &[Stmt],
    orders: &BTreeMap<StmtId, Order>,
) -> (BTreeMap<StmtId, FixedPoint>, Vec<Diagnostic>) {
    let mut found = Found { program, scope, orders, asked: BTreeMap::new(), problems: Vec::new() };
    found.block(body);
    (found.asked, found.problems)
}

struct Found<'a> {
    program: &'a Program,
    scope: ScopeId,
    orders: &'a BTreeMap<StmtId, Order>,
    asked: BTreeMap<StmtId, FixedPoint>,
    problems: Vec<Diagnostic>,
}

impl Found<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for (k, stmt) in block.iter().enumerate() {
            if let StmtKind::Directive { directive, .. } = &stmt.kind
                && let Construct::Ad(AdDirective::FixedPoint { state, tolerance, iterations }) = &directive.construct
            {
                let read = self.read((state, tolerance.as_deref(), iterations.as_deref()), stmt.origin.span());
                let read = read.and_then(|asked| self.take(asked, the_loop(&block[k + 1..])));
                if let Err((reason, help)) = read {
                    let message = "this directive can't be followed";
                    let d = Diagnostic::error(Code::UnsupportedDirective, stmt.origin.span(), message);
                    self.problems.push(d.reason(reason).help(help));
                }
            }
            stmt.blocks().into_iter().for_each(|b| self.block(b));
        }
    }

    fn take(&mut self, asked: FixedPoint, l: Option<&Stmt>) -> Result<(), (String, &'static str)> {
        let Some(l) = l else {
            let reason = "it doesn't stand right before a loop, and it tells what the loop that follows does";
            return Err((reason.to_string(), "move it to the line before the `do`, or remove it"));
        };
        let again = self.asked.insert(l.id, asked).is_some();
        if again || self.orders.contains_key(&l.id) {
            let reason = "the loop that follows has two directives, and each tells how it is reversed";
            return Err((reason.to_string(), "keep one of them"));
        }
        Ok(())
    }

    fn read(
        &self,
        (state, tolerance, iterations): (&[String], Option<&str>, Option<&str>),
        directive: Span,
    ) -> Result<FixedPoint, (String, &'static str)> {
        let mut named = BTreeSet::new();
        for name in state {
            let root = name.split('%').next().unwrap_or_default().trim();
            let Some((sym, _)) = self.variable(root) else {
                let reason = format!("`{name}` isn't a variable");
                return Err((reason, "list the variables that the loop iterates, or leave `state` out"));
            };
            named.insert(sym);
        }
        let tolerance = tolerance.map(|text| self.tolerance(text)).transpose()?;
        let iterations = iterations.map_or(Ok(Expr::int(MOST_ITERATIONS)), |text| self.iterations(text))?;
        Ok(FixedPoint { directive, state: named, tolerance, iterations })
    }

    fn tolerance(&self, text: &str) -> Result<Expr, (String, &'static str)> {
        let number = text.to_ascii_lowercase().replace('d', "e").parse::<f64>();
        match number {
            Ok(x) if x > 0.0 && x < 1.0 => Ok(Expr::literal(x, Ty::new(Base::Real, 8))),
            Ok(_) => Err((format!("a tolerance of {text} says nothing"), "give a number between 0 and 1")),
            Err(_) => self.constant(text, Base::Real).ok_or_else(|| {
                let reason = format!("`{text}` is neither a number nor a real that stays the same");
                (reason, "give a number, a named constant, or a scalar dummy argument with `intent(in)`")
            }),
        }
    }

    fn iterations(&self, text: &str) -> Result<Expr, (String, &'static str)> {
        match text.parse::<i32>() {
            Ok(n) if n > 0 => Ok(Expr::int(i64::from(n))),
            Ok(_) => Err((format!("{text} iterations are none"), "give a positive number")),
            Err(_) => self.constant(text, Base::Integer).ok_or_else(|| {
                let reason = format!("`{text}` is neither a number of iterations nor an integer that stays the same");
                (reason, "give a number, a named constant, or a scalar dummy argument with `intent(in)`")
            }),
        }
    }

    /// A scalar that has the same value wherever it is asked for.
    fn constant(&self, name: &str, base: Base) -> Option<Expr> {
        let (sym, v) = self.variable(name)?;
        let given = v.dummy.is_some() && v.intent == Some(Intent::In) && !v.attrs.optional;
        let stays = v.attrs.parameter || given;
        (stays && v.ty.base == base && v.dims.is_empty()).then(|| Expr::var(sym, v.ty, 0))
    }

    fn variable(&self, name: &str) -> Option<(SymId, &Variable)> {
        let sym = self.program.lookup(self.scope, &name.trim().to_ascii_lowercase())?;
        self.program.var(sym).map(|v| (sym, v))
    }
}
