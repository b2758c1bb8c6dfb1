//! Conditions of directives for a device: where one doesn't hold, the host does what the directive is about.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::callgraph::reached;
use costate_analysis::devices::{is_lasting, moves};
use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::directives::{AccConstruct, ClauseKind, Directive};
use costate_grammar::ir::{
    Expr, ExprKind, Name, ProcId, Program, ScopeKind, Stmt, StmtKind, SymId, for_each_expr, words,
};
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
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Condition {
    text: String,
    /// The variables of which it makes use.
    uses: BTreeSet<SymId>,
    /// It is the opposite of the text.
    opposite: bool,
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
        uses.iter().all(scalar).then(|| Condition::new(&text, uses))
    }

    /// A condition without signs that turn it round, and without parentheses around it.
    fn new(text: &str, uses: BTreeSet<SymId>) -> Condition {
        let (mut rest, mut opposite) = (text, false);
        loop {
            if let Some(inner) = rest.strip_prefix(".not.").filter(|t| is_one(t)) {
                (rest, opposite) = (inner, !opposite);
            } else if let Some(inner) =
                rest.strip_prefix('(').and_then(|t| t.strip_suffix(')')).filter(|_| is_one(rest))
            {
                rest = inner;
            } else {
                return Condition { text: rest.to_string(), uses, opposite };
            }
        }
    }

    /// The condition that the text says, and whether this is its opposite.
    pub(super) fn base(&self) -> (Condition, bool) {
        (Condition { opposite: false, ..self.clone() }, self.opposite)
    }

    /// The same where a procedure is called: in its text, what is passed stands for dummies. `None` where that isn't the procedure's
    /// own, so that it may change, or isn't known.
    pub(super) fn passed(&self, program: &Program, actuals: &BTreeMap<SymId, Option<&Expr>>) -> Option<Condition> {
        let (mut text, mut uses) = (String::new(), BTreeSet::new());
        let mut texts = BTreeMap::new();
        for x in &self.uses {
            let e = (*actuals.get(x)?)?;
            let own = Condition::of_branch(program, e)?;
            let module = |y: SymId| matches!(program[program[y].scope].kind, ScopeKind::Module(_));
            if own.uses(&|y| module(y) && !program.var(y).is_some_and(|v| v.attrs.parameter)) {
                return None;
            }
            let sign = if own.opposite { ".not." } else { "" };
            let plain = e.children().is_empty();
            let with = if plain { own.text.clone() } else { format!("({sign}({}))", own.text) };
            texts.insert(program[*x].name.to_string(), with);
            uses.extend(own.uses);
        }
        let mut rest = self.text.as_str();
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            text.push_str(texts.get(word).map_or(word, |t| t.as_str()));
            let sign = behind.chars().next().map_or(0, char::len_utf8);
            text.push_str(&behind[..sign]);
            rest = &behind[sign..];
        }
        Some(Condition::new(&text, uses))
    }

    /// How the program says it.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The variables of which it makes use.
    pub(super) fn variables(&self) -> impl Iterator<Item = SymId> + '_ {
        self.uses.iter().copied()
    }

    /// The same of a branch.
    pub(super) fn of_branch(program: &Program, e: &Expr) -> Option<Condition> {
        let text: String = expr(program, e).to_ascii_lowercase().split_whitespace().collect();
        let mut calls = false;
        for_each_expr(e, &mut |x| calls |= matches!(x.kind, ExprKind::Call { .. }));
        let uses: BTreeSet<SymId> = symbols(e).into_iter().collect();
        let scalar = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() == 0 && !v.has_other_names());
        (!calls && uses.iter().all(scalar)).then(|| Condition::new(&text, uses))
    }

    /// True where it depends on the value of one of some variables.
    pub(super) fn uses(&self, of: &impl Fn(SymId) -> bool) -> bool {
        self.uses.iter().any(|x| of(*x))
    }
}

/// True for a name, or for what parentheses enclose as a whole.
fn is_one(text: &str) -> bool {
    let inner = text.strip_prefix(".not.").unwrap_or(text);
    let Some(inside) = inner.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else {
        return inner.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    };
    let mut depth = 0i32;
    inside.chars().all(|c| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        depth >= 0
    })
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

/// True for code for a device that runs on the host under a condition.
pub(super) fn is_conditional(s: &Stmt) -> bool {
    side(&directives(s), || None) == Side::Either
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
    // A flag may say that arrays are there already, and change where they are put there.
    let movers: Vec<ProcId> = program.procedures().map(|(p, _)| p).filter(|p| moves(program, *p)).collect();
    let changed: BTreeSet<SymId> =
        reached(program, &movers).into_iter().flat_map(|p| assigned(&program[p].body)).collect();
    let of_module = |x: SymId| matches!(program[program[x].scope].kind, ScopeKind::Module(_));
    out.retain(|c| !c.uses(&|x| !of_module(x) || changed.contains(&x)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_told_from_their_opposites() {
        let of = |text: &str| {
            let found = Condition::new(text, BTreeSet::new());
            (found.text, found.opposite)
        };
        assert_eq!(of("(a)"), ("a".to_string(), false));
        assert_eq!(of(".not.(n>3)"), ("n>3".to_string(), true));
        assert_eq!(of(".not.a"), ("a".to_string(), true));
        assert_eq!(of(".not.(.not.a)"), ("a".to_string(), false));
        assert_eq!(of(".not.a.or.b"), (".not.a.or.b".to_string(), false));
        assert_eq!(of("(a).or.(b)"), ("(a).or.(b)".to_string(), false));
    }
}
