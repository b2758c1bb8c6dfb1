//! The `costate` command. Libraries do no input and output: all of it happens here.

mod cli;
mod commands;
mod config;
mod front;
mod messages;
mod needed;
mod output;
mod tables;
mod threads;
mod ticker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use costate_adjoint::progress;
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::source::SourceMap;

use cli::{Cli, Command, MessageArgs};
use messages::Messages;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// All is done.
    Done,
    /// `check` or `--check-only` found a difference.
    Difference,
    /// Wrong usage.
    Usage,
    /// The input was refused.
    Refused,
    /// A bug in Costate.
    Bug,
}

impl Status {
    fn code(self) -> u8 {
        match self {
            Status::Done => 0,
            Status::Difference => 1,
            Status::Usage => 2,
            Status::Refused => 3,
            Status::Bug => 70,
        }
    }

    /// The status that a failure with these diagnostics ends with.
    pub(crate) fn of(diagnostics: &[Diagnostic]) -> Status {
        let errors = || diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| d.code);
        if errors().any(|c| c == Code::Internal) {
            Status::Bug
        } else if errors().any(|c| matches!(c, Code::HeadSyntax | Code::Configuration | Code::FileUnwritable)) {
            Status::Usage
        } else if errors().any(|c| matches!(c, Code::CheckFailed | Code::OutOfDate)) {
            Status::Difference
        } else {
            Status::Refused
        }
    }
}

/// State of a run that outlives a panic.
pub(crate) struct Session {
    /// All files that were read.
    pub(crate) sources: SourceMap,
    /// Where messages go.
    pub(crate) messages: Messages,
}

fn main() -> ExitCode {
    let cli = Cli::parse_from(cli::arguments(std::env::args_os()));
    std::panic::set_hook(Box::new(|_| {}));
    let status = threads::with_large_stack(|| execute(cli)).unwrap_or(Status::Bug);
    ExitCode::from(status.code())
}

/// Runs a command to its end, whatever happens on the way.
fn execute(cli: Cli) -> Status {
    let mut session = Session { sources: SourceMap::default(), messages: Messages::new(message_args(&cli.command)) };
    if let Some(d) = threads::start_pool() {
        session.messages.emit(&session.sources, &[d]);
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| commands::run(cli.command, &mut session)));
    let status = outcome.unwrap_or_else(|panic| {
        report_bug(&mut session, panic.as_ref());
        Status::Bug
    });
    session.messages.finish(&session.sources);
    status
}

/// The message options, needed before anything else can be said.
fn message_args(command: &Command) -> MessageArgs {
    match command {
        Command::Tangent(a) | Command::Adjoint(a) => a.source.message.clone(),
        Command::Check(a) => a.source.message.clone(),
        Command::Plan(a) => a.source.message.clone(),
        Command::Report(a) => a.source.message.clone(),
        Command::Survey(a) => a.source.message.clone(),
        Command::Config(_) => MessageArgs::default(),
    }
}

fn report_bug(session: &mut Session, panic: &(dyn std::any::Any + Send)) {
    let d = bug(&session.sources, panic);
    session.messages.emit(&session.sources, &[d]);
}

/// What is said of a panic.
fn bug(sources: &SourceMap, panic: &(dyn std::any::Any + Send)) -> Diagnostic {
    let text = panic
        .downcast_ref::<&str>()
        .map(|s| (*s).to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "an unknown failure".to_string());
    let d = match progress::last() {
        Some(span) => Diagnostic::error(Code::Internal, span, "Costate failed while it worked on this line"),
        None => {
            let last = sources.iter().last().map(|(_, f)| f.name.clone());
            let place = last.map_or(String::new(), |f| format!(" while it worked on `{f}`"));
            Diagnostic::global(Code::Internal, format!("Costate failed{place}"))
        }
    };
    d.reason(text)
        .help("this is a bug in Costate, not in your code: please report it with the lines above; nothing was written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bug_exits_with_70_and_asks_for_a_report() {
        let d = bug(&SourceMap::default(), &"index out of bounds");
        assert_eq!(Status::of(std::slice::from_ref(&d)).code(), 70);
        assert_eq!(d.reason.as_deref(), Some("index out of bounds"));
        assert!(d.help.is_some_and(|h| h.contains("report") && h.contains("nothing was written")));
    }
}
