//! Tests of the command and of what it refuses and decides. They are one program: linking each takes longer than running them.

mod cli;
mod decisions;
mod dump;
mod externals;
mod passed;
mod products;
mod refusals;
