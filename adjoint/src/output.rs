//! Generated files from generated units: which unit goes to which file, and what a caller needs to know of it.

use std::collections::BTreeMap;

use costate_analysis::rules;
use costate_analysis::storage::is_global;
use costate_grammar::form::{Form, ReadFile};
use costate_grammar::ir::{ModuleId, ParentUnit, ProcId, ProcKind, SymId, for_each_stmt};
use costate_grammar::print::{self, Style, source};
use costate_grammar::source::FileId;

use crate::pipeline::{Differentiated, HeadArg, HeadInterface, Layout, ModuleDerivative, OutputFile};
use crate::session::Session;

/// Prints all generated units and describes the heads.
pub fn write(session: &mut Session<'_>, files: &[ReadFile]) -> Differentiated {
    let interfaces = interfaces(session);
    let mut texts: BTreeMap<FileId, String> = BTreeMap::new();
    for file in files {
        let style = Style::detect(&file.lines, session.sources);
        let text = match session.options.layout {
            Layout::Separate => separate(session, file.file, &style),
            Layout::Extend => extended(session, file, &style),
        };
        if let Some(text) = text {
            texts.insert(file.file, text);
        }
    }
    let order = compile_order(session, files);
    let suffix = session.naming.procedure.clone();
    let form = session.options.output_form.unwrap_or(Form::Free);
    let files = order
        .into_iter()
        .filter_map(|f| {
            let text = texts.remove(&f)?;
            let name = output_name(&session.sources.file(f).name, &suffix, form);
            let text = match form {
                Form::Free => text,
                Form::Fixed => print::fixed(&text),
            };
            Some(OutputFile { source: f, name, text })
        })
        .collect();
    Differentiated {
        files,
        interfaces,
        notes: Vec::new(),
        plan: session.plan.iter().map(|line| format!("{line}\n")).collect(),
        uses_runtime: session.uses_runtime,
    }
}

/// `dir/s.F90` gives `s_b.f90`, in fixed form `s_b.f`.
fn output_name(path: &str, suffix: &str, form: Form) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(s, _)| s);
    match form {
        Form::Free => format!("{stem}{suffix}.f90"),
        Form::Fixed => format!("{stem}{suffix}.f"),
    }
}

fn is_used(session: &Session<'_>, generated: ModuleId) -> bool {
    let m = &session.program[generated];
    !m.procedures.is_empty() || session.globals.values().any(|s| session.program[*s].scope == m.scope)
}

fn separate(session: &Session<'_>, file: FileId, style: &Style) -> Option<String> {
    let mut out = Vec::new();
    for generated in session.modules.values() {
        if session.program[*generated].file == file && is_used(session, *generated) {
            let text = print::module(session.program, *generated, style);
            out.push(with_helpers(text, &helpers(session, &session.program[*generated].procedures), "end module"));
        }
    }
    for p in session.procedures.values() {
        if session.program[*p].file == file && matches!(session.program[*p].parent, ParentUnit::File(_)) {
            let text = print::procedure(session.program, *p, style);
            let inner: String = helpers(session, &[*p]);
            let inner = if inner.is_empty() { inner } else { format!("contains\n{inner}") };
            out.push(with_helpers(text, &inner, "end subroutine"));
        }
    }
    (!out.is_empty()).then(|| out.join("\n"))
}

/// Text of the functions that partials call and that Fortran doesn't have, as used by some procedures.
fn helpers(session: &Session<'_>, procedures: &[ProcId]) -> String {
    let mut used: Vec<rules::Helper> = Vec::new();
    for p in procedures {
        for_each_stmt(&session.program[*p].body, &mut |s| {
            for e in s.exprs() {
                for h in rules::helpers_used(e) {
                    if !used.contains(&h) {
                        used.push(h);
                    }
                }
            }
        });
    }
    let mut out = String::new();
    for h in used {
        out.push('\n');
        for line in h.text.lines() {
            out.push_str("  ");
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Puts text before the last line, which starts with `end`.
fn with_helpers(mut text: String, helpers: &str, end: &str) -> String {
    if !helpers.is_empty()
        && let Some(at) = text.to_ascii_lowercase().rfind(end)
    {
        text.insert_str(at, &format!("{helpers}\n"));
    }
    text
}

/// The user's file with derivative variables and procedures added to its modules.
fn extended(session: &Session<'_>, file: &ReadFile, style: &Style) -> Option<String> {
    let mut edits = Vec::new();
    for (primal, generated) in &session.modules {
        let module = &session.program[*primal];
        if module.file != file.file || !is_used(session, *generated) {
            continue;
        }
        let scope = session.program[*generated].scope;
        let mut declarations = String::new();
        for s in session.program[scope].names.values() {
            if session.program[*s].scope == scope && session.program.var(*s).is_some_and(|v| !v.attrs.parameter) {
                declarations.push_str("  ");
                declarations.push_str(&print::declaration(session.program, *s, style));
                declarations.push('\n');
            }
        }
        let mut procedures = String::new();
        for p in &session.program[*generated].procedures {
            procedures.push('\n');
            procedures.push_str(&print::procedure_at(session.program, *p, style, 1));
        }
        procedures.push_str(&helpers(session, &session.program[*generated].procedures));
        match module.contains {
            Some(at) => {
                if !declarations.is_empty() {
                    edits.push(source::Edit::before(&file.lines, at, declarations));
                }
            }
            None => procedures = format!("{declarations}contains\n{procedures}"),
        }
        let names: Vec<String> =
            session.program[*generated].procedures.iter().map(|p| session.program[*p].name.to_string()).collect();
        if module.default_private && !names.is_empty() {
            let text = format!("  public :: {}\n", names.join(", "));
            edits.push(source::Edit::before(&file.lines, module.contains.unwrap_or(module.end), text));
        }
        edits.push(source::Edit::before(&file.lines, module.end, procedures));
    }
    if edits.is_empty() {
        return None;
    }
    let mut text = source::file(session.sources, file.file, &file.lines, &edits);
    for p in session.procedures.values() {
        if session.program[*p].file == file.file && matches!(session.program[*p].parent, ParentUnit::File(_)) {
            text.push('\n');
            text.push_str(&print::procedure(session.program, *p, style));
        }
    }
    Some(text)
}

/// Files in an order in which they can be compiled: used modules first.
fn compile_order(session: &Session<'_>, files: &[ReadFile]) -> Vec<FileId> {
    let mut out = Vec::new();
    for f in files {
        visit(session, f.file, &mut out, &mut Vec::new());
    }
    out
}

fn visit(session: &Session<'_>, file: FileId, out: &mut Vec<FileId>, open: &mut Vec<FileId>) {
    if out.contains(&file) || open.contains(&file) {
        return;
    }
    open.push(file);
    let mut needed = Vec::new();
    for s in &session.program.scopes {
        let home = match s.kind {
            costate_grammar::ir::ScopeKind::Module(m) => session.program[m].file,
            costate_grammar::ir::ScopeKind::Procedure(p) => session.program[p].file,
            costate_grammar::ir::ScopeKind::Inner | costate_grammar::ir::ScopeKind::Global => continue,
        };
        if home != file {
            continue;
        }
        for u in &s.uses {
            if let Some(m) = session.program.module_names.get(&u.module) {
                needed.push(session.program[*m].file);
            }
        }
    }
    for n in needed {
        if n != file {
            visit(session, n, out, open);
        }
    }
    out.push(file);
}

fn interfaces(session: &mut Session<'_>) -> Vec<HeadInterface> {
    let heads = session.heads.clone();
    heads
        .iter()
        .map(|h| {
            let signature = session.signatures[&h.context].clone();
            let p = session.program[signature.primal].clone();
            let mut args = Vec::new();
            for d in &p.dummies {
                args.push(HeadArg::Primal(*d));
                if signature.derivative.contains(d) {
                    args.push(HeadArg::Derivative(*d));
                }
            }
            if let ProcKind::Function(_) = p.kind {
                if session.mode == crate::pipeline::Mode::Tangent {
                    args.push(HeadArg::PrimalResult);
                }
                if signature.result {
                    args.push(HeadArg::DerivativeResult);
                }
            }
            let mut symbols: Vec<SymId> = h.head.dependents.iter().chain(&h.head.independents).map(|t| t.sym).collect();
            symbols.retain(|s| is_global(session.program, *s));
            symbols.dedup();
            let module_vars = symbols.into_iter().filter_map(|s| module_derivative(session, s)).collect();
            let module = match p.parent {
                ParentUnit::Module(m) => Some(module_name(session, m)),
                _ => None,
            };
            let bind = session.procedures.get(&h.context).and_then(|p| session.program[*p].bind.clone());
            HeadInterface { module, procedure: signature.name.to_string(), args, module_vars, bind }
        })
        .collect()
}

fn module_name(session: &Session<'_>, primal: ModuleId) -> String {
    match (session.options.layout, session.modules.get(&primal)) {
        (Layout::Separate, Some(g)) => session.program[*g].name.to_string(),
        _ => session.program[primal].name.to_string(),
    }
}

fn module_derivative(session: &Session<'_>, primal: SymId) -> Option<ModuleDerivative> {
    let shadow = session.globals.get(&primal)?;
    let home = session.program.module_of(session.program[primal].scope)?;
    Some(ModuleDerivative {
        primal,
        module: module_name(session, home),
        name: session.program[*shadow].name.to_string(),
    })
}
