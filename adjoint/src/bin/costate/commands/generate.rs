//! `costate tangent` and `costate adjoint`.

use std::path::PathBuf;

use costate_adjoint::pipeline::{self, Differentiated, Mode};
use costate_grammar::diag::{Code, Diagnostic};

use crate::cli::GenerateArgs;
use crate::front::{self, refuse};
use crate::output::{self, Planned, State};
use crate::{Session, Status};

pub(crate) fn run(mut args: GenerateArgs, mode: Mode, session: &mut Session) -> Result<Status, Status> {
    front::configure(session, &mut args.source)?.complete_generate(&mut args);
    let mut front = front::open(session, &args.source)?;
    front.options.output_form = args.output_form.map(front::form);
    let made =
        pipeline::differentiate(&mut front.program, &session.sources, &front.files, &front.heads, mode, &front.options)
            .map_err(|d| refuse(session, &d))?;
    session.messages.emit(&session.sources, &made.notes);
    let mut planned = plan_files(&args, &made);
    let inputs: Vec<String> = session.sources.iter().map(|(_, f)| f.name.clone()).collect();
    output::refuse_clashes(&planned, &inputs).map_err(|d| refuse(session, &[*d]))?;
    if args.check_only == Some(true) {
        return Ok(compare(session, &planned));
    }
    if let Some(depfile) = args.depfile {
        let targets: Vec<PathBuf> = planned.iter().map(|p| p.path.clone()).collect();
        planned.push(Planned { path: depfile, text: output::dependencies(&targets, &inputs) });
    }
    let written = output::write(&planned).map_err(|d| refuse(session, &[*d]))?;
    for file in &planned {
        let what = if written.contains(&file.path) { "wrote" } else { "unchanged" };
        session.messages.note(&format!("{what} {}", file.path.display()));
    }
    Ok(Status::Done)
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
