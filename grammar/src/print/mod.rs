//! IR to text, in the style of the file it came from.

mod decl;
mod expr;
mod fixed;
mod heading;
mod interface;
mod layout;
mod names;
pub mod source;
mod stmt;
mod style;
mod trace;
mod unit;

use crate::ir::{Expr, Name, ProcId, Program, ScopeId, Stmt, SymId};

pub use expr::expr;
pub use fixed::fixed;
pub use style::Style;
pub use trace::{TracedLine, traced};
pub use unit::{module, procedure, procedure_at};

use layout::Lines;
use names::Cx;

/// The symbols that a symbol's declaration refers to, in order of appearance.
pub fn dependencies(program: &Program, sym: SymId) -> Vec<SymId> {
    decl::dependencies(program, sym)
}

/// True for an entity that is there with OpenMP only: where it is used, lines are conditional.
pub fn needs_openmp(program: &Program, sym: SymId) -> bool {
    decl::needs_openmp(program, sym)
}

/// The name by which a symbol goes in a scope: its own, or a local name from a renaming `use`.
pub fn name_in(program: &Program, scope: ScopeId, sym: SymId) -> Name {
    Cx::new(program, Some(scope), &Style::default()).name(sym)
}

/// An expression as it reads in a scope: names that `use` renamed appear under their local name.
pub fn expr_in(program: &Program, scope: ScopeId, e: &Expr, style: &Style) -> String {
    Cx::new(program, Some(scope), style).expr(e)
}

/// Statements as they read in a scope, at indentation level `level`; every line ends in a newline.
pub fn statements(program: &Program, scope: ScopeId, block: &[Stmt], style: &Style, level: usize) -> String {
    let mut lines = Lines::new(style, level);
    stmt::block(&Cx::new(program, Some(scope), style), &mut lines, block);
    lines.finish()
}

/// A statement on one line without its comments, for messages and provenance comments: constructs give their first line.
pub fn summary(program: &Program, scope: ScopeId, statement: &Stmt) -> String {
    stmt::summary(&Cx::new(program, Some(scope), &Style::default()), statement)
}

/// The declaration of a variable on one line (`real(8), intent(in) :: x(n)`); empty for what isn't a variable.
pub fn declaration(program: &Program, sym: SymId, style: &Style) -> String {
    let cx = Cx::new(program, Some(program[sym].scope), style);
    program.var(sym).map_or_else(String::new, |v| decl::variable(&cx, &program[sym].name, v))
}

/// The `equivalence` statements of a module's scope; every line ends in a newline.
pub fn equivalences(program: &Program, scope: ScopeId, style: &Style) -> String {
    let mut lines = Lines::new(style, 1);
    decl::equivalences(&Cx::new(program, Some(scope), style), &mut lines, scope);
    lines.finish()
}

/// The definition of a derived type in a module, every line ends in a newline; empty for what isn't one.
pub fn derived_type(program: &Program, sym: SymId, style: &Style) -> String {
    let cx = Cx::new(program, Some(program[sym].scope), style);
    let mut lines = Lines::new(style, 1);
    if let Some(derived) = program[sym].derived() {
        decl::derived_type(&cx, &mut lines, &program[sym].name, derived);
    }
    lines.finish()
}

/// The first statement of a procedure on one line, without its comments: `subroutine f(n, x)`.
pub fn heading(program: &Program, id: ProcId, style: &Style) -> String {
    heading::heading(&Cx::new(program, Some(program[id].scope), style), id)
}
