//! The order in which generated units can be compiled: used modules first.

use costate_grammar::form::ReadFile;
use costate_grammar::ir::{ModuleId, ScopeId, ScopeKind};
use costate_grammar::source::FileId;

use crate::mode::Layout;
use crate::session::Session;

/// Generated modules. Calls through procedure pointers lead to modules that the primal ones don't use.
pub(super) fn modules(session: &Session<'_>) -> Vec<ModuleId> {
    let mut out = Vec::new();
    session.modules.values().for_each(|m| visit_module(session, *m, &mut out, &mut Vec::new()));
    out
}

fn visit_module(session: &Session<'_>, m: ModuleId, out: &mut Vec<ModuleId>, open: &mut Vec<ModuleId>) {
    if out.contains(&m) || open.contains(&m) {
        return;
    }
    open.push(m);
    used_by(session, m).into_iter().for_each(|u| visit_module(session, u, out, open));
    out.push(m);
}

/// The generated modules that a generated module and its procedures use.
fn used_by(session: &Session<'_>, m: ModuleId) -> Vec<ModuleId> {
    let program = &*session.program;
    let own = program[m].procedures.iter().map(|p| program[*p].scope);
    let scopes: Vec<ScopeId> = std::iter::once(program[m].scope).chain(own).collect();
    let used = scopes.iter().flat_map(|s| &program[*s].uses).filter_map(|u| program.module_names.get(&u.module));
    used.copied().filter(|u| *u != m && session.modules.values().any(|g| g == u)).collect()
}

/// Files, as the user's own can be compiled, and those that others need generated code of before these.
pub(super) fn files<'f>(session: &Session<'_>, files: &'f [ReadFile]) -> Vec<&'f ReadFile> {
    let mut order = Vec::new();
    for f in files {
        visit_file(session, f.file, &mut order, &mut Vec::new());
    }
    if session.options.layout == Layout::Separate {
        let mut made = Vec::new();
        order.iter().for_each(|f| visit_generated(session, *f, &mut made, &mut Vec::new()));
        order = made;
    }
    order.into_iter().filter_map(|id| files.iter().find(|f| f.file == id)).collect()
}

fn visit_generated(session: &Session<'_>, file: FileId, out: &mut Vec<FileId>, open: &mut Vec<FileId>) {
    if out.contains(&file) || open.contains(&file) {
        return;
    }
    open.push(file);
    let own = session.modules.values().filter(|m| session.program[**m].file == file);
    let needed: Vec<FileId> = own.flat_map(|m| used_by(session, *m)).map(|m| session.program[m].file).collect();
    needed.into_iter().for_each(|f| visit_generated(session, f, out, open));
    out.push(file);
}

fn visit_file(session: &Session<'_>, file: FileId, out: &mut Vec<FileId>, open: &mut Vec<FileId>) {
    if out.contains(&file) || open.contains(&file) {
        return;
    }
    open.push(file);
    let mut needed = Vec::new();
    for s in &session.program.scopes {
        let home = match s.kind {
            ScopeKind::Module(m) => session.program[m].file,
            ScopeKind::Procedure(p) => session.program[p].file,
            ScopeKind::Inner | ScopeKind::Global => continue,
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
            visit_file(session, n, out, open);
        }
    }
    out.push(file);
}
