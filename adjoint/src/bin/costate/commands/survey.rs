//! `costate survey`: which procedures can be differentiated, without a head, and what stands in the way of the others.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use costate_adjoint::pipeline::{self, Mode, Options};
use costate_analysis::request::{Head, Side, dummy_targets};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::form::ReadFile;
use costate_grammar::ir::{ParentUnit, ProcId, ProcKind, Program};
use costate_grammar::source::SourceMap;
use rayon::prelude::*;
use serde::Serialize;

use crate::cli::{MessageFormat, SurveyArgs};
use crate::front;
use crate::{Session, Status};

/// What is found of a procedure.
#[derive(Serialize)]
struct Verdict {
    procedure: String,
    file: String,
    line: usize,
    /// Has it real inputs and outputs among its arguments?
    real: bool,
    tangent: bool,
    adjoint: bool,
    /// Codes and places of what stands in the way.
    refusals: Vec<String>,
    #[serde(skip)]
    found: Vec<Diagnostic>,
}

/// So many refusals of a procedure are told with their places.
const PLACES: usize = 4;

impl Verdict {
    /// What stands in the way: codes with places, or with numbers where there are many, the most frequent first.
    fn in_short(&self) -> String {
        if self.refusals.len() <= PLACES {
            return self.refusals.join(", ");
        }
        let mut codes: BTreeMap<Code, usize> = BTreeMap::new();
        self.found.iter().for_each(|d| *codes.entry(d.code).or_default() += 1);
        let mut codes: Vec<(Code, usize)> = codes.into_iter().collect();
        codes.sort_by_key(|(_, count)| Reverse(*count));
        let words: Vec<String> = codes.iter().map(|(code, count)| format!("{} ({count})", code.as_str())).collect();
        words.join(", ")
    }
}

pub(crate) fn run(mut args: SurveyArgs, session: &mut Session) -> Result<Status, Status> {
    front::configure(session, &mut args.source)?;
    let options = front::checked_options(session, &args.source)?;
    let (files, mut problems) = front::read_all(session, &args.source);
    let (program, found) =
        pipeline::load_all(&mut session.sources, &files, &options.externals, args.source.wide_real());
    problems.extend(found);
    let procs: Vec<ProcId> = program.procedures().map(|(p, _)| p).filter(|p| is_head(&program, *p)).collect();
    let survey = |p: &ProcId| verdict(&program, &session.sources, &files, *p, &options);
    let mut verdicts: Vec<Verdict> = procs.par_iter().map(survey).collect();
    verdicts.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    let read = problems.iter().all(|d| d.severity != Severity::Error);
    tell(session, &verdicts, problems);
    // What can't be read at all is no answer.
    Ok(if read || !verdicts.is_empty() { Status::Done } else { Status::Refused })
}

/// True for procedures that a head can name.
fn is_head(program: &Program, p: ProcId) -> bool {
    let procedure = &program[p];
    let own = procedure.kind != ProcKind::Program && !program.is_declared_only(p);
    own && matches!(procedure.parent, ParentUnit::Module(_) | ParentUnit::File(_))
}

fn verdict(program: &Program, sources: &SourceMap, files: &[ReadFile], p: ProcId, options: &Options) -> Verdict {
    let procedure = &program[p];
    let name = match procedure.parent {
        ParentUnit::Module(m) => format!("{}::{}", program[m].name, procedure.name),
        ParentUnit::Procedure(_) | ParentUnit::File(_) | ParentUnit::Interface => procedure.name.to_string(),
    };
    let file = sources.file(procedure.head.file);
    let mut out = Verdict {
        procedure: name.clone(),
        file: file.name.clone(),
        line: file.line_col(procedure.head.start).0,
        real: false,
        tangent: false,
        adjoint: false,
        refusals: Vec::new(),
        found: Vec::new(),
    };
    let dependents = dummy_targets(program, p, Side::Dependent);
    let independents = dummy_targets(program, p, Side::Independent);
    out.real = !dependents.is_empty() && !independents.is_empty();
    if !out.real {
        return out;
    }
    let head = Head { proc: p, dependents, independents, text: name };
    for mode in [Mode::Adjoint, Mode::Tangent] {
        let run = || {
            let heads = std::slice::from_ref(&head);
            pipeline::differentiate(&mut program.clone(), sources, files, heads, mode, options).map(|_| ())
        };
        let found = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(result) => result.err(),
            Err(_) => {
                let d = Diagnostic::error(Code::Internal, procedure.head, "Costate failed on this procedure");
                Some(vec![d.help("this is a bug in Costate, not in your code: please report it")])
            }
        };
        match mode {
            Mode::Tangent => out.tangent = found.is_none(),
            Mode::Adjoint => out.adjoint = found.is_none(),
        }
        for d in found.unwrap_or_default() {
            if d.severity == Severity::Error && !out.found.contains(&d) {
                out.found.push(d);
            }
        }
    }
    out.refusals = out.found.iter().map(|d| shown(sources, d)).collect();
    out
}

/// `C0404 at m.f90:12`
fn shown(sources: &SourceMap, d: &Diagnostic) -> String {
    let at = |s: costate_grammar::source::Span| {
        let file = sources.file(s.file);
        format!(" at {}:{}", file.name, file.line_col(s.start).0)
    };
    format!("{}{}", d.code.as_str(), d.span.map(at).unwrap_or_default())
}

fn tell(session: &mut Session, verdicts: &[Verdict], problems: Vec<Diagnostic>) {
    // Each reason once, those that stop most procedures first.
    let mut reasons: Vec<(Diagnostic, usize)> = Vec::new();
    for d in problems.into_iter().chain(verdicts.iter().flat_map(|v| v.found.iter().cloned())) {
        match reasons.iter_mut().find(|(known, _)| *known == d) {
            Some((_, count)) => *count += 1,
            None => reasons.push((d, 1)),
        }
    }
    reasons.sort_by_key(|(_, count)| Reverse(*count));
    let count = reasons.len();
    let list: Vec<Diagnostic> = reasons.into_iter().map(|(d, _)| d.severity(Severity::Warning)).collect();
    session.messages.emit(&session.sources, &list);
    match session.messages.format() {
        MessageFormat::Human => session.messages.print(&table(verdicts, count)),
        MessageFormat::Json => {
            let line = |v: &Verdict| serde_json::to_string(v).unwrap_or_default() + "\n";
            session.messages.print(&verdicts.iter().map(line).collect::<String>());
        }
        MessageFormat::Sarif => {}
    }
}

/// A line for each procedure, by files, and the sum.
fn table(verdicts: &[Verdict], reasons: usize) -> String {
    let width = verdicts.iter().map(|v| v.procedure.len()).max().unwrap_or(0);
    let (mut out, mut file) = (String::new(), "");
    for v in verdicts {
        if v.file != file {
            out.push_str(&format!("{}\n", v.file));
            file = &v.file;
        }
        let what = match (v.real, v.tangent, v.adjoint) {
            (false, _, _) => "no real inputs and outputs among its arguments".to_string(),
            (true, true, true) => "tangent and adjoint".to_string(),
            (true, true, false) => format!("tangent; no adjoint: {}", v.in_short()),
            (true, false, true) => format!("adjoint; no tangent: {}", v.in_short()),
            (true, false, false) => format!("refused: {}", v.in_short()),
        };
        out.push_str(&format!("  {:width$}  {what}\n", v.procedure));
    }
    let of = |f: fn(&&Verdict) -> bool| verdicts.iter().filter(f).count();
    let real = of(|v| v.real);
    out.push_str(&format!(
        "{} of {real} procedures with real inputs and outputs have tangent and adjoint, {} a tangent only, {} are refused; \
         {reasons} reason{}\n",
        of(|v| v.tangent && v.adjoint),
        of(|v| v.real && v.tangent && !v.adjoint),
        of(|v| v.real && !v.tangent),
        if reasons == 1 { "" } else { "s" },
    ));
    out
}
