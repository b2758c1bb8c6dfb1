//! Printing: hand-built IR to text, and what a compiler says about it.

mod builder;
mod compile;
mod decls;
mod exprs;
mod layout;
mod reread;
mod stmts;
mod units;
