//! `costate report`: plan and generated code as a page that needs nothing else.

use std::fmt::Write as _;

use costate_adjoint::memory::{ProcedurePlan, amount};
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
    let front = front::open(session, &args.source)?;
    let mut made = Vec::new();
    for mode in [Mode::Tangent, Mode::Adjoint] {
        // Each mode gets the program as it was read.
        let mut program = front.program.clone();
        let one =
            pipeline::differentiate(&mut program, &session.sources, &front.files, &front.heads, mode, &front.options)
                .map_err(|d| refuse(session, &d))?;
        made.push((mode, one));
    }
    let heads: Vec<&str> = front.heads.iter().map(|h| h.text.as_str()).collect();
    let text = page(&session.sources, &heads, &made);
    let read = front::files_read(session, &args.source);
    let planned = [Planned { path, text }];
    output::refuse_clashes(&planned, &read, args.write.force).map_err(|d| refuse(session, &[*d]))?;
    output::write(&planned).map_err(|d| refuse(session, &[*d]))?;
    Ok(Status::Done)
}

const STYLE: &str = include_str!("report.css");

fn page(sources: &SourceMap, heads: &[&str], made: &[(Mode, Differentiated)]) -> String {
    let title = escape(&heads.join(", "));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Costate: {title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>Tangent and adjoint code by Costate {}.</p>\n",
        env!("CARGO_PKG_VERSION")
    );
    for (_, one) in made.iter().filter(|(mode, _)| *mode == Mode::Adjoint) {
        out.push_str("<h2>Plan of the adjoint: what is saved, what runs again, and why</h2>\n");
        one.plans.iter().for_each(|p| plan(&mut out, p));
    }
    for (mode, one) in made {
        let word = match mode {
            Mode::Tangent => "Tangent",
            Mode::Adjoint => "Adjoint",
        };
        let _ = writeln!(out, "<h2>{word} code</h2>");
        for file in &one.files {
            let source = sources.file(file.source);
            out.push_str("<div class=\"pair\">\n");
            for (name, text) in [(&source.name, &source.text), (&file.name, &file.text)] {
                let _ = writeln!(out, "<section><h3>{}</h3>\n<pre>{}</pre></section>", escape(name), fortran(text));
            }
            out.push_str("</div>\n");
        }
        for note in &one.notes {
            let _ = writeln!(out, "<p>{}: {}</p>", note.code.as_str(), escape(&note.message));
        }
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// The plan of a procedure: its first line goes on from the name, the deepest lines are remarks on the line before.
fn plan(out: &mut String, plan: &ProcedurePlan) {
    let text = [plan.name.as_str(), &plan.decisions.to_string()].concat();
    let mut lines = text.lines();
    let heading = lines.next().unwrap_or_default();
    let _ = writeln!(out, "<section class=\"plan\"><h3>{}</h3>", escape(heading));
    for line in lines {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.split_once(": ").is_some_and(|(n, _)| n.bytes().all(|b| b.is_ascii_digit())) {
            let (number, code) = text.split_once(": ").unwrap_or_default();
            let _ = writeln!(
                out,
                "<p style=\"margin-left:{}em\"><span class=\"n\">{number}</span> <code>{}</code></p>",
                indent - 2,
                escape(code)
            );
        } else {
            let kind = if text.contains("save") && !text.contains("nothing") { "remark saved" } else { "remark" };
            let _ = writeln!(out, "<p class=\"{kind}\" style=\"margin-left:{indent}em\">{}</p>", escape(text));
        }
    }
    let memory = &plan.memory;
    let _ = writeln!(
        out,
        "<p>Memory{}: {} at most, with the adjoints of its calls</p>",
        escape(&memory.at()),
        amount(memory.most)
    );
    out.push_str("<table>\n");
    for h in &memory.held {
        let _ =
            writeln!(out, "<tr><td class=\"n\">{}</td><td><code>{}</code></td></tr>", amount(h.bytes), escape(&h.what));
    }
    out.push_str("</table>\n</section>\n");
}

/// Text with its lines numbered and its comment lines set apart.
fn fortran(text: &str) -> String {
    let mut out = String::new();
    for (i, line) in text.lines().enumerate() {
        let kind = if line.trim_start().starts_with('!') { " class=\"c\"" } else { "" };
        let _ = writeln!(out, "<span class=\"n\">{:4}</span> <span{kind}>{}</span>", i + 1, escape(line));
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
