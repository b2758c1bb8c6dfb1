//! The subcommands.

mod check;
mod config;
mod generate;
mod pareto;
mod plan;
mod report;
mod survey;

use costate_adjoint::pipeline::Mode;

use crate::cli::Command;
use crate::{Session, Status};

/// Runs a subcommand.
pub(crate) fn run(command: Command, session: &mut Session) -> Status {
    let result = match command {
        Command::Tangent(args) => generate::run(args, Mode::Tangent, session),
        Command::Adjoint(args) => generate::run(args, Mode::Adjoint, session),
        Command::Check(args) => check::run(args, session),
        Command::Plan(args) => plan::run(args, session),
        Command::Report(args) => report::run(args, session),
        Command::Survey(args) => survey::run(args, session),
        Command::Config(args) => Ok(config::run(&args, session)),
    };
    result.unwrap_or_else(|status| status)
}
