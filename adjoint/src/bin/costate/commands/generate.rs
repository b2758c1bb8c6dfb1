//! `costate tangent` and `costate adjoint`.

use std::path::PathBuf;

use costate_adjoint::optimise::{Pass, PassSet};
use costate_adjoint::pipeline::{self, Differentiated, Layout, Mode};
use costate_grammar::diag::{Code, Diagnostic};

use crate::cli::GenerateArgs;
use crate::front::{self, Front, refuse};
use crate::output::{self, Planned, State};
use crate::{Session, Status};

pub(crate) fn run(mut args: GenerateArgs, mode: Mode, session: &mut Session) -> Result<Status, Status> {
    front::configure(session, &mut args.source)?.complete_generate(&mut args);
    let mut front = front::open(session, &args.source)?;
    front.options.output_form = args.output_form.map(front::form);
    if let Some(last) = args.dump_after {
        front.options.passes = up_to(front.options.passes, last, mode).map_err(|d| refuse(session, &[*d]))?;
    }
    let made = match args.with_tangent {
        Some(true) => both(&front, mode, session).map_err(|d| refuse(session, &d))?,
        Some(false) | None => {
            let Front { files, heads, options, program } = &mut front;
            pipeline::differentiate(program, &session.sources, files, heads, mode, options)
                .map_err(|d| refuse(session, &d))?
        }
    };
    session.messages.emit(&session.sources, &made.notes);
    let mut planned = plan_files(&args, &made);
    if args.dump_after.is_some() {
        planned.iter().for_each(|file| session.messages.print(&file.text));
        return Ok(Status::Done);
    }
    if args.check_only == Some(true) {
        return Ok(compare(session, &planned));
    }
    let inputs: Vec<String> = front::sources_read(session).collect();
    if let Some(depfile) = args.depfile {
        let targets: Vec<PathBuf> = planned.iter().map(|p| p.path.clone()).collect();
        planned.push(Planned { path: depfile, text: output::dependencies(&targets, &inputs) });
    }
    let read = front::files_read(session, &args.source);
    output::refuse_clashes(&planned, &read, args.write.force).map_err(|d| refuse(session, &[*d]))?;
    let written = output::write(&planned).map_err(|d| refuse(session, &[*d]))?;
    for file in &planned {
        let what = if written.contains(&file.path) { "wrote" } else { "unchanged" };
        session.messages.note(&format!("{what} {}", file.path.display()));
    }
    Ok(Status::Done)
}

/// Tangent and adjoint code in the same extended modules.
fn both(front: &Front, mode: Mode, session: &Session) -> Result<Differentiated, Vec<Diagnostic>> {
    let wrong = |message, help| Err(vec![Diagnostic::global(Code::Configuration, message).help(help)]);
    if mode == Mode::Tangent {
        return wrong("`--with-tangent` adds tangent code to adjoint code", "use it with `costate adjoint`");
    }
    if front.options.layout != Layout::Extend {
        return wrong(
            "`--with-tangent` is for extended modules",
            "give `--layout extend`; otherwise tangent and adjoint code stand in modules of their own, which link as they are",
        );
    }
    let (files, [tangent, mut adjoint]) = pipeline::extend_with_both(
        &front.program,
        &session.sources,
        &front.files,
        &front.heads,
        &front.options,
        false,
    )?;
    adjoint.notes.extend(tangent.notes.into_iter().filter(|n| !adjoint.notes.contains(n)).collect::<Vec<_>>());
    Ok(Differentiated { files, ..adjoint })
}

/// The passes that run before the code is printed as it is after `last`.
fn up_to(passes: PassSet, last: Pass, mode: Mode) -> Result<PassSet, Box<Diagnostic>> {
    let wrong = |message: String, help| Err(Box::new(Diagnostic::global(Code::Configuration, message).help(help)));
    if mode == Mode::Tangent {
        return wrong("tangent code isn't optimised".into(), "use `--dump-after` with `costate adjoint`");
    }
    match passes.up_to(last) {
        Some(passes) => Ok(passes),
        None => wrong(
            format!("`{last}` isn't a pass over finished sweeps"),
            "it decides what the sweeps are; compare the output with that of `--without-pass`",
        ),
    }
}

fn plan_files(args: &GenerateArgs, made: &Differentiated) -> Vec<Planned> {
    match &args.output {
        Some(path) => {
            let texts: Vec<&str> = made.files.iter().map(|f| f.text.as_str()).collect();
            vec![Planned { path: path.clone(), text: texts.join("\n") }]
        }
        None => {
            let folder = args.out_dir.clone().unwrap_or_default();
            made.files.iter().map(|f| Planned { path: folder.join(&f.name), text: f.text.clone() }).collect()
        }
    }
}

/// What `--check-only` says.
fn compare(session: &mut Session, planned: &[Planned]) -> Status {
    let found: Vec<Diagnostic> = planned
        .iter()
        .filter_map(|file| {
            let what = match file.state() {
                State::Same => return None,
                State::Missing => "is missing",
                State::Changed => "is out of date",
            };
            let message = format!("`{}` {what}", file.path.display());
            Some(Diagnostic::global(Code::OutOfDate, message).help("run the same command without `--check-only`"))
        })
        .collect();
    if found.is_empty() { Status::Done } else { refuse(session, &found) }
}
