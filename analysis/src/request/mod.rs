//! The request: heads as the user writes them, resolved against the program.
//!
//! `syntax` reads the text of a head, [`resolve`] finds the procedure and the variables it names.

mod procedure;
mod syntax;
#[cfg(test)]
mod tests;
mod variables;

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{Name, ProcId, Program, SymId};

pub use procedure::nearest;
pub use syntax::{HeadText, NameText, parse_head, parse_heads};
pub use variables::{dummy_targets, holds_continuous};

/// A head, resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The procedure to differentiate.
    pub proc: ProcId,
    /// Its outputs.
    pub dependents: Vec<Target>,
    /// Its inputs.
    pub independents: Vec<Target>,
    /// The head as the user wrote it.
    pub text: String,
}

/// A variable that a head names, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Target {
    /// A dummy, a function's result or a module variable.
    pub sym: SymId,
    /// Components on the way to the part that is meant; empty for the whole variable.
    pub path: Vec<Name>,
}

impl Target {
    /// A whole variable.
    pub fn whole(sym: SymId) -> Target {
        Target { sym, path: Vec::new() }
    }

    /// The target as a user would write it: `x`, `s%t`, `m::v`.
    pub fn display(&self, program: &Program) -> String {
        let symbol = &program[self.sym];
        let variable = symbol.var();
        let own = variable.is_some_and(|v| v.dummy.is_some() || v.result);
        let mut text = match program.module_of(symbol.scope) {
            Some(module) if !own => format!("{}::{}", program[module].name, symbol.name),
            _ => symbol.name.to_string(),
        };
        for component in &self.path {
            text.push('%');
            text.push_str(component);
        }
        text
    }
}

/// Finds what a head names. All that is wrong with it is reported at once.
pub fn resolve(program: &Program, head: &HeadText) -> Result<Head, Vec<Diagnostic>> {
    let proc = procedure::find(program, head).map_err(|d| vec![*d])?;
    let mut problems = Vec::new();
    let mut list = |names: &Option<Vec<NameText>>, role| match names {
        Some(names) => variables::resolve_list(program, proc, names, role, &mut problems),
        None => dummy_targets(program, proc, role),
    };
    let dependents = list(&head.dependents, Side::Dependent);
    let independents = list(&head.independents, Side::Independent);
    if problems.is_empty() {
        for (targets, side) in [(&dependents, Side::Dependent), (&independents, Side::Independent)] {
            if targets.is_empty() {
                problems.push(nothing_on(program, proc, side));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Head { proc, dependents, independents, text: head.text.clone() })
}

/// The two lists of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Outputs.
    Dependent,
    /// Inputs.
    Independent,
}

impl Side {
    /// The word for one variable of the list.
    pub fn word(self) -> &'static str {
        match self {
            Side::Dependent => "dependent",
            Side::Independent => "independent",
        }
    }
}

fn nothing_on(program: &Program, proc: ProcId, side: Side) -> Diagnostic {
    let procedure = &program[proc];
    let (what, way) = match side {
        Side::Dependent => ("output", "`intent(out)` or `intent(inout)`"),
        Side::Independent => ("input", "`intent(in)` or `intent(inout)`"),
    };
    Diagnostic::error(
        Code::HeadVariable,
        procedure.head,
        format!("`{}` has no real {what} among its dummies", procedure.name),
    )
    .reason(format!("a head without variables stands for all real dummies, and none of them is {way}"))
    .help(format!(
        "name the variables: `--head '{}(dependents)/(independents)'`; module variables as `module::name`",
        procedure.name
    ))
}
