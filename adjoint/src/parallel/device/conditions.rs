//! Conditions of directives for a device: where one doesn't hold, the host does what the directive is about.

use std::collections::BTreeSet;

use costate_analysis::devices::is_lasting;
use costate_analysis::storage::symbols;
use costate_grammar::directives::{AccConstruct, ClauseKind, Directive};
use costate_grammar::ir::{Expr, ExprKind, Name, Program, ScopeKind, Stmt, StmtKind, SymId, for_each_expr, words};
use costate_grammar::print::expr;

/// Where statements run for which there is a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Device,
    Host,
    /// It isn't known where.
    Either,
}

/// A condition whose value may be the same for several directives.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    text: String,
    /// The variables of which it makes use.
    uses: BTreeSet<SymId>,
}

impl Condition {
    /// The one condition of directives with the variables that they name, where it makes use of no more than scalars.
    pub(super) fn of(program: &Program, directives: &[(&Directive, &[SymId])]) -> Option<Condition> {
        let mut texts = Vec::new();
        for (d, names) in directives {
            texts.extend(conditions(d).map(|text| (text, *names)));
        }
        let [(text, names)] = texts[..] else { return None };
        // `if(target: n > 3)`
        let text = text.split_once(':').map_or(text, |(_, condition)| condition);
        let text: String = text.to_ascii_lowercase().split_whitespace().collect();
        let mut uses = BTreeSet::new();
        for word in words(&text).filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic())) {
            let sym = names.iter().copied().find(|n| program[*n].name == Name::new(word));
            match sym {
                Some(sym) => _ = uses.insert(sym),
                None if OPERATORS.contains(&word) => {}
                None => return None,
            }
        }
        let scalar = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() == 0 && !v.has_other_names());
        uses.iter().all(scalar).then_some(Condition { text, uses })
    }

    /// The same of a branch.
    pub(super) fn of_branch(program: &Program, e: &Expr) -> Option<Condition> {
        let text = expr(program, e).to_ascii_lowercase().split_whitespace().collect();
        let mut calls = false;
        for_each_expr(e, &mut |x| calls |= matches!(x.kind, ExprKind::Call { .. }));
        let uses: BTreeSet<SymId> = symbols(e).into_iter().collect();
        let scalar = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() == 0 && !v.has_other_names());
        (!calls && uses.iter().all(scalar)).then_some(Condition { text, uses })
    }

    /// True where it depends on the value of one of some variables.
    pub(super) fn uses(&self, of: &impl Fn(SymId) -> bool) -> bool {
        self.uses.iter().any(|x| of(*x))
    }
}

const OPERATORS: [&str; 13] = ["and", "or", "not", "eqv", "neqv", "true", "false", "lt", "le", "eq", "ne", "gt", "ge"];

/// What decides where code runs, or whether a directive does anything.
fn conditions(d: &Directive) -> impl Iterator<Item = &str> {
    let updates = d.acc() == Some(&AccConstruct::Update);
    d.clauses.iter().filter_map(move |c| match &c.kind {
        ClauseKind::If(text) => Some(text.as_str()),
        // Its opposite decides.
        ClauseKind::Other { name, .. } if name == "self" && !updates => Some("self"),
        _ => None,
    })
}

/// The directives of code for a device, or one that stands alone, with the variables that they name.
pub(super) fn directives(s: &Stmt) -> Vec<(&Directive, &[SymId])> {
    match &s.kind {
        StmtKind::Directive { directive, names, body: None } => vec![(directive, names)],
        _ => s.governing().into_iter().map(|d| (d.directive, d.names)).collect(),
    }
}

/// Where what directives are about runs; `known` tells whether their condition holds.
pub(super) fn side(directives: &[(&Directive, &[SymId])], known: impl FnOnce() -> Option<bool>) -> Side {
    if !directives.iter().any(|(d, _)| conditions(d).next().is_some()) {
        return Side::Device;
    }
    match known() {
        Some(true) => Side::Device,
        Some(false) => Side::Host,
        None => Side::Either,
    }
}

/// Conditions on variables of modules under which the program puts arrays on a device: where these are there, the conditions hold.
pub(super) fn entering(program: &Program) -> Vec<Condition> {
    let mut out = Vec::new();
    for (_, p) in program.procedures() {
        entering_in(program, &p.body, None, &mut out);
    }
    let of_module = |x: SymId| matches!(program[program[x].scope].kind, ScopeKind::Module(_));
    out.retain(|c| !c.uses(&|x| !of_module(x)));
    out
}

fn entering_in(program: &Program, block: &[Stmt], around: Option<&Condition>, out: &mut Vec<Condition>) {
    for s in block {
        match &s.kind {
            StmtKind::Directive { directive, names, body: None } if is_lasting(&directive.construct) => {
                out.extend(Condition::of(program, &[(directive, names)]));
                out.extend(around.cloned());
            }
            StmtKind::If { arms, .. } if arms.len() == 1 => {
                let own = Condition::of_branch(program, &arms[0].cond);
                entering_in(program, &arms[0].body, own.as_ref(), out);
            }
            _ => s.blocks().into_iter().for_each(|b| entering_in(program, b, None, out)),
        }
    }
}

/// True for a variable that nothing but the procedure's own statements changes, or a call that it is passed to.
pub(super) fn is_own(program: &Program, sym: SymId) -> bool {
    let Some(v) = program.var(sym) else { return false };
    let ScopeKind::Procedure(p) = program[program[sym].scope].kind else { return v.attrs.parameter };
    program[p].internals.is_empty() && !v.attrs.save
}
