//! Expressions as generated code shows them; placeholders print as the names they carry.

use costate_grammar::ir::{Expr, Program};

pub(crate) fn print(e: &Expr) -> String {
    costate_grammar::print::expr(&Program::default(), e)
}
