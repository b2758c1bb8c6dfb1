//! What statements may change, and the sections that references stand for where they stand.

use std::collections::BTreeSet;

use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, Intent, LoopControl, Part, ProcId, Program, ScopeId, Stmt, StmtKind,
    Subscript, SymId, Variable, for_each_expr, for_each_stmt, map_expr,
};
use costate_grammar::lower::integer;

use super::{Range, Section, Span, apart, limited};
use crate::effects::{bind, target};
use crate::loops::step_sign;
use crate::storage::{any_symbol, has_symbol, symbols};

/// Where statements stand.
pub struct Scene<'p> {
    /// Everything that was read, and what is generated.
    pub program: &'p Program,
    /// The scopes of the primal and of the derivative.
    pub scopes: [ScopeId; 2],
}

/// What a block changes.
#[derive(Debug, Default)]
pub struct Changes {
    pub(super) symbols: BTreeSet<SymId>,
    /// It changes memory that other variables may name too.
    shared: bool,
    calls: bool,
}

impl Scene<'_> {
    /// True for an array whose elements can only be reached by its name, as far as this procedure goes.
    pub fn plain_array(&self, sym: SymId) -> bool {
        self.continuous_array(sym) && !self.has_other_names(sym)
    }

    /// True for an array of real or complex numbers.
    pub fn continuous_array(&self, sym: SymId) -> bool {
        self.program.var(sym).is_some_and(|v| v.rank() > 0 && v.ty.is_continuous())
    }

    /// True for a variable of the procedure's own.
    pub fn local(&self, sym: SymId) -> bool {
        self.scopes.contains(&self.program[sym].scope)
    }

    /// The section that a reference to a plain array stands for, or more. The flag tells that it is no more.
    pub fn section(&self, d: &Designator) -> Option<(Section, bool)> {
        let rank = usize::from(self.program.var(d.sym)?.rank());
        match d.parts.as_slice() {
            [] => Some((vec![Span::default(); rank], true)),
            [Part::Subscripts(list)] if list.len() == rank => {
                let mut exact = true;
                let section = list
                    .iter()
                    .map(|s| match s {
                        Subscript::Index(e) => Span::point(e).unwrap_or_else(|| {
                            exact = false;
                            Span::default()
                        }),
                        Subscript::Range { lo: None, hi: None, step: None } => Span::default(),
                        Subscript::Range { .. } => {
                            exact = false;
                            Span::default()
                        }
                    })
                    .collect();
                Some((section, exact))
            }
            _ => None,
        }
    }

    /// The section that a reference stands for inside loops, outermost first, or more.
    pub fn place(&self, d: &Designator, within: &[Range]) -> Option<Section> {
        let (section, _) = self.section(d)?;
        Some(within.iter().rev().fold(section, limited))
    }

    /// An expression with numbers in place of named constants.
    pub fn with_constants(&self, e: Expr) -> Expr {
        let constant = |s: SymId| self.program.var(s).is_some_and(|v| v.attrs.parameter);
        map_expr(e, &mut |x| match x.as_var().filter(|d| constant(d.sym)).and_then(|_| integer(self.program, &x)) {
            Some(n) => Expr { span: x.span, ..Expr::int(n) },
            None => x,
        })
    }

    /// True when two references to one array surely share no element, in the same iteration of the loops around them.
    pub fn apart(&self, a: &Designator, b: &Designator, within: &[Range]) -> bool {
        match (self.place(a, within), self.place(b, within)) {
            (Some(x), Some(y)) => a.sym == b.sym && apart(&x, &y),
            _ => false,
        }
    }

    /// The values of a loop's variable, as far as they are known anywhere in its body.
    pub fn range_of(&self, control: &LoopControl, body: &[Stmt]) -> Range {
        self.range(control, &self.changes(body), body)
    }

    pub(super) fn range(&self, control: &LoopControl, changes: &Changes, body: &[Stmt]) -> Range {
        let LoopControl::Count { var, lo, hi, step } = control else { return Range::default() };
        let sign = step_sign(step.as_ref()).unwrap_or(0);
        let moves = [lo, hi].into_iter().any(|e| self.changed_in(changes, e));
        let (span, exact) = match sign {
            1 if !moves => Span::between(lo, hi),
            -1 if !moves => Span::between(hi, lo),
            _ => (Span::default(), false),
        };
        let dense = exact
            && crate::loops::exit_flag(body).is_none()
            && matches!(step.as_ref().map(Expr::as_int), None | Some(Some(1 | -1)));
        Range { var: Some(*var), span, dense, sign }
    }

    /// What a block may change.
    pub fn changes(&self, block: &[Stmt]) -> Changes {
        let mut out = Changes { symbols: crate::loops::assigned(block), shared: false, calls: false };
        for_each_stmt(block, &mut |s| {
            match &s.kind {
                StmtKind::Assign { .. } | StmtKind::Do { .. } | StmtKind::If { .. } => {}
                StmtKind::Allocate { items, options, .. } => {
                    let objects = items.iter().map(|i| &i.object).chain(options.iter().map(|o| &o.1));
                    out.symbols.extend(objects.filter_map(Expr::as_var).map(|d| d.sym));
                }
                StmtKind::Call { callee, args } => out.symbols.extend(changed_arguments(self.program, callee, args)),
                _ => s.exprs().into_iter().for_each(|e| out.symbols.extend(symbols(e))),
            }
            out.calls |= calls(s);
            s.exprs().into_iter().for_each(|e| given_to_functions(self.program, e, &mut out.symbols));
        });
        out.shared = out.calls || out.symbols.iter().any(|x| self.has_other_names(*x));
        out
    }

    /// True when the value of an expression may change.
    pub fn changed_in(&self, changes: &Changes, e: &Expr) -> bool {
        any_symbol(e, |s| self.changed(changes, s))
    }

    /// True when a variable may be among what a block changes.
    pub fn changed(&self, changes: &Changes, sym: SymId) -> bool {
        changes.symbols.contains(&sym)
            || changes.shared && self.has_other_names(sym)
            || changes.calls && !self.local(sym)
    }

    /// True for a variable whose memory may be reached otherwise too.
    pub fn has_other_names(&self, sym: SymId) -> bool {
        self.program.var(sym).is_some_and(costate_grammar::ir::Variable::has_other_names)
    }
}

/// What the user's functions in an expression may change of their arguments.
fn given_to_functions(program: &Program, e: &Expr, out: &mut BTreeSet<SymId>) {
    for_each_expr(e, &mut |x| {
        if let ExprKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } = &x.kind {
            out.extend(changed_arguments(program, callee, args));
        }
    });
}

/// The variables among the arguments of a call that it may change.
pub fn changed_arguments(program: &Program, callee: &Callee, args: &[Arg]) -> BTreeSet<SymId> {
    arguments_for(program, callee, args, &|procedure, dummy| may_assign(program, procedure, dummy))
}

/// Those in whose place no value can stand: what a call may change, stands for an array there, or may be pointed to.
pub fn needed_as_variables(program: &Program, callee: &Callee, args: &[Arg]) -> BTreeSet<SymId> {
    let variable = |v: &Variable| v.rank() > 0 || v.has_other_names();
    arguments_for(program, callee, args, &|procedure, dummy| {
        program.var(dummy).is_none_or(variable) || may_assign(program, procedure, dummy)
    })
}

fn arguments_for(
    program: &Program,
    callee: &Callee,
    args: &[Arg],
    chosen: &dyn Fn(ProcId, SymId) -> bool,
) -> BTreeSet<SymId> {
    let mut out: BTreeSet<SymId> = BTreeSet::new();
    match target(program, callee) {
        Some(p) => {
            let bound = program[p].dummies.iter().zip(bind(program, &program[p], args));
            let list = bound.filter(|(dummy, _)| chosen(p, **dummy));
            out.extend(list.filter_map(|(_, actual)| actual?.as_var()).map(|d| d.sym));
        }
        None => out.extend(args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym)),
    }
    if let Callee::Bound { object, .. } = callee {
        out.extend(object.as_var().map(|d| d.sym));
    }
    out
}

/// Whether a procedure may assign its dummy, by what is declared and else by its statements.
fn may_assign(program: &Program, procedure: ProcId, dummy: SymId) -> bool {
    if program.var(dummy).is_some_and(|v| v.intent == Some(Intent::In) && !v.attrs.pointer || v.attrs.value) {
        return false;
    }
    let body = &program[procedure].body;
    // A procedure that is made has no statements yet.
    let mut may = body.is_empty() || crate::loops::assigned(body).contains(&dummy);
    for_each_stmt(body, &mut |s| {
        let looked_into = matches!(
            s.kind,
            StmtKind::Assign { .. } | StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. }
        ) && !calls(s);
        may |= !looked_into && s.exprs().into_iter().any(|e| has_symbol(e, dummy));
    });
    may || !program[procedure].internals.is_empty()
}

/// True when a procedure of the user's is called in a statement or the header of a construct.
pub fn calls(s: &Stmt) -> bool {
    let mut found = matches!(s.kind, StmtKind::Call { .. });
    for e in s.exprs() {
        for_each_expr(e, &mut |x| {
            found |= matches!(x.kind, ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. });
        });
    }
    found
}
