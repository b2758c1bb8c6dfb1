//! `costate report`: plan and generated code as a page that needs nothing else.

use std::fmt::Write as _;

use costate_adjoint::pipeline::{self, Differentiated, Mode};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::source::SourceMap;

use crate::cli::ReportArgs;
use crate::front::{self, refuse};
use crate::output::{self, Planned};
use crate::{Session, Status};

pub(crate) fn run(mut args: ReportArgs, session: &mut Session) -> Result<Status, Status> {
    front::configure(session, &mut args.source)?.complete_report(&mut args);
    let Some(path) = args.output.clone() else {
        let d = Diagnostic::global(Code::Configuration, "no page is named").help("give one: `-o report.html`");
        return Err(refuse(session, &[d]));
    };
    let mut front = front::open(session, &args.source)?;
    let mut made = Vec::new();
    for mode in [Mode::Tangent, Mode::Adjoint] {
        // Each mode gets the program as it was read.
        let mut program = front.program.clone();
        let one =
            pipeline::differentiate(&mut program, &session.sources, &front.files, &front.heads, mode, &front.options)
                .map_err(|d| refuse(session, &d))?;
        made.push((mode, one));
    }
    front.heads.dedup();
    let heads: Vec<&str> = front.heads.iter().map(|h| h.text.as_str()).collect();
    let text = page(&session.sources, &heads, &made);
    let inputs: Vec<String> = session.sources.iter().map(|(_, f)| f.name.clone()).collect();
    let planned = [Planned { path, text }];
    output::refuse_clashes(&planned, &inputs).map_err(|d| refuse(session, &[*d]))?;
    output::write(&planned).map_err(|d| refuse(session, &[*d]))?;
    Ok(Status::Done)
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid #ccc}\
pre{background:#f6f6f4;padding:.8rem;overflow-x:auto;font:13px/1.45 ui-monospace,monospace}\
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(30rem,1fr));gap:1rem}.pair>div{min-width:0}\
.c{color:#6a7a6a}summary{cursor:pointer}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#1b1b1b}pre{background:#262626}.c{color:#8fa88f}}";

fn page(sources: &SourceMap, heads: &[&str], made: &[(Mode, Differentiated)]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Costate: {title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n",
        title = escape(&heads.join(", "))
    );
    for (mode, one) in made {
        if *mode == Mode::Adjoint && !one.plan.is_empty() {
            let _ = writeln!(
                out,
                "<h2>Plan: what is stored, what is recomputed, and why</h2>\n<pre>{}</pre>",
                escape(&one.plan)
            );
        }
    }
    for (mode, one) in made {
        let word = match mode {
            Mode::Tangent => "Tangent",
            Mode::Adjoint => "Adjoint",
        };
        let _ = writeln!(out, "<h2>{word} code</h2>");
        for file in &one.files {
            let source = sources.file(file.source);
            let _ = writeln!(
                out,
                "<div class=\"pair\"><div><h3>{}</h3><pre>{}</pre></div><div><h3>{}</h3><pre>{}</pre></div></div>",
                escape(&source.name),
                fortran(&source.text),
                escape(&file.name),
                fortran(&file.text)
            );
        }
        for note in &one.notes {
            let _ = writeln!(out, "<p>{}: {}</p>", note.code.as_str(), escape(&note.message));
        }
    }
    out.push_str("</body></html>\n");
    out
}

/// Text with its comment lines set apart.
fn fortran(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let line_text = escape(line);
        if line.trim_start().starts_with('!') {
            let _ = writeln!(out, "<span class=\"c\">{line_text}</span>");
        } else {
            let _ = writeln!(out, "{line_text}");
        }
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
