//! Checks that a body is in normal form, as far as the passes have come. Each pass establishes something more, and nothing
//! that is established is lost again.

#[cfg(test)]
mod tests;

use costate_grammar::check::{self, Finding};
use costate_grammar::ir::{Callee, Expr, ExprKind, Program, Stmt, StmtKind, for_each_expr};

use super::kind::{Control, Kind, Left, kind, user_call};

/// What the passes have established, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Established {
    /// Names are resolved, types fit.
    Types,
    /// No statement function is called.
    Inlined,
    /// `associate`, `block`, `forall` and `do concurrent` are gone.
    Structures,
    /// Real and complex values are assigned to scalars, or are products of arrays.
    Scalars,
    /// Functions of the user's are called in statements of their own, and not in conditions and bounds. (Masks become
    /// conditions, so that this holds of nothing before.)
    Calls,
    /// A loop's only jump is at its end.
    Jumps,
}

/// What a body lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// What is left that a pass couldn't bring into normal form. Whoever differentiates it refuses it.
    pub left: Vec<Finding>,
    /// What no body has, whatever the user wrote.
    pub broken: Vec<Finding>,
}

/// What a body lacks of normal form.
pub fn normal_form(program: &Program, body: &[Stmt]) -> Findings {
    findings(program, body, Established::Jumps)
}

/// What a body doesn't hold of what is established.
pub(super) fn findings(program: &Program, body: &[Stmt], established: Established) -> Findings {
    let out = Findings { left: Vec::new(), broken: check::statements(program, body) };
    let mut check = Check { program, established, out };
    check.block(body);
    check.out
}

struct Check<'p> {
    program: &'p Program,
    established: Established,
    out: Findings,
}

impl Check<'_> {
    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|s| self.stmt(s));
    }

    fn require(&mut self, since: Established, s: &Stmt, holds: bool, what: &str) {
        if self.established >= since && !holds {
            self.out.broken.push(Finding { span: s.origin.span(), what: what.to_string() });
        }
    }

    fn prefer(&mut self, since: Established, s: &Stmt, holds: bool, what: &str) {
        if self.established >= since && !holds {
            self.out.left.push(Finding { span: s.origin.span(), what: what.to_string() });
        }
    }

    fn stmt(&mut self, s: &Stmt) {
        let inlined = !s.exprs().into_iter().any(|e| holds(e, &mut |e| self.is_statement_function(e)));
        self.require(Established::Inlined, s, inlined, "a statement function is called");
        match kind(s) {
            Kind::Assign { lhs, rhs } => {
                let scalar = lhs.rank == 0 || !lhs.is_continuous();
                self.prefer(Established::Scalars, s, scalar, "real values are assigned as an array");
                self.simple(s, &[lhs, rhs]);
            }
            Kind::Product { lhs, factors, .. } => {
                let named = factors.iter().all(|f| f.value.unparen().as_var().is_some() || is_intrinsic(&f.value));
                self.require(Established::Scalars, s, named, "a factor of a product has no name");
                self.simple(s, &[lhs]);
                factors.iter().for_each(|f| self.simple(s, &[&f.value]));
            }
            Kind::Call(call) => {
                call.result.into_iter().for_each(|r| self.simple(s, &[r.to]));
                call.args.iter().for_each(|a| self.simple(s, &[&a.value]));
            }
            Kind::PointerAssign { lhs, rhs } => self.simple(s, &[lhs, rhs]),
            Kind::If { arms, otherwise } => {
                arms.iter().for_each(|a| self.condition(s, &a.cond));
                arms.iter().map(|a| &a.body).chain(otherwise).for_each(|b| self.block(b));
            }
            Kind::Select { selector, arms } => {
                self.condition(s, selector);
                arms.iter().for_each(|a| self.block(&a.body));
            }
            Kind::Loop { control, body, .. } => {
                match control {
                    Control::Count { lo, hi, step, .. } => {
                        [lo, hi].into_iter().chain(step).for_each(|e| self.condition(s, e));
                    }
                    Control::While(cond) => self.condition(s, cond),
                    Control::Endless => {}
                }
                self.block(body);
            }
            Kind::Allocate { items, options } => {
                for item in items {
                    item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi])).for_each(|e| self.simple(s, &[e]));
                }
                options.iter().for_each(|(_, e)| self.simple(s, &[e]));
            }
            Kind::InputOutput { items, .. } => items.uses.iter().for_each(|e| self.simple(s, &[e])),
            // The one at a loop's end isn't met here.
            Kind::Exit => self.jump(s),
            Kind::Deallocate { .. } | Kind::Nullify(_) | Kind::Stop(_) | Kind::Directive(_) | Kind::Nothing => {}
            // It stays as the user wrote it.
            Kind::Region { .. } => {}
            Kind::Left(left) => self.left(s, left),
        }
    }

    fn left(&mut self, s: &Stmt, left: Left<'_>) {
        match left {
            Left::Jump | Left::Goto => self.jump(s),
            Left::Masked => {
                let gone = matches!(s.kind, StmtKind::Where { .. });
                self.prefer(Established::Structures, s, gone, "`forall` is left");
                let masked = |b: &Vec<Stmt>| !b.iter().any(assigns_numbers);
                let fine = s.blocks().into_iter().all(masked);
                self.prefer(Established::Structures, s, fine, "`where` assigns real values");
            }
            Left::Concurrent => self.prefer(Established::Structures, s, false, "`do concurrent` is left"),
            Left::Scope(body) => {
                self.prefer(Established::Structures, s, false, "a construct with names of its own is left");
                self.block(body);
            }
            // Refused by whoever differentiates it, with all that stands in it.
            Left::Unsupported(_) => {}
        }
    }

    fn jump(&mut self, s: &Stmt) {
        self.prefer(Established::Jumps, s, false, "a jump stands elsewhere than at a loop's end");
    }

    /// Conditions and bounds.
    fn condition(&mut self, s: &Stmt, e: &Expr) {
        let holds = !calls(e);
        self.require(Established::Calls, s, holds, "a condition or bound calls a function of the user's");
    }

    /// Expressions beside which nothing else is called.
    fn simple(&mut self, s: &Stmt, list: &[&Expr]) {
        let holds = !list.iter().any(|e| calls(e));
        self.require(Established::Calls, s, holds, "a function of the user's is called within an expression");
    }

    fn is_statement_function(&self, e: &Expr) -> bool {
        let ExprKind::Call { callee: Callee::Proc { sym, .. }, .. } = &e.kind else { return false };
        self.program[*sym].procedure().is_some_and(|p| p.statement_function.is_some())
    }
}

fn holds(e: &Expr, what: &mut dyn FnMut(&Expr) -> bool) -> bool {
    let mut found = false;
    for_each_expr(e, &mut |x| found |= what(x));
    found
}

/// True where a function that isn't intrinsic is called.
fn calls(e: &Expr) -> bool {
    holds(e, &mut |x| user_call(x).is_some())
}

fn is_intrinsic(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Call { callee: Callee::Intrinsic(_), .. })
}

fn assigns_numbers(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Assign { lhs, .. } if lhs.is_continuous())
        || s.blocks().into_iter().flatten().any(assigns_numbers)
}
