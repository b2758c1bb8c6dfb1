//! The order in which files can be compiled.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::form::ReadFile;
use costate_grammar::ir::{ModuleKind, Name, ProcKind, Program, ScopeId, ScopeKind};
use costate_grammar::source::{FileId, Span};

/// The files in an order in which every module is compiled before it is used; files in a cycle keep their order.
pub(super) fn compile_order(program: &Program, files: &[ReadFile]) -> Vec<FileId> {
    let mut home: BTreeMap<&Name, FileId> = BTreeMap::new();
    for (_, module) in program.modules().filter(|(_, m)| m.kind != ModuleKind::Intrinsic) {
        home.insert(&module.name, module.file);
    }
    let mut needs: BTreeMap<FileId, BTreeSet<FileId>> = BTreeMap::new();
    let mut need = |file: FileId, module: &Name| {
        if let Some(&other) = home.get(module)
            && other != file
        {
            needs.entry(file).or_default().insert(other);
        }
    };
    for (i, scope) in program.scopes.iter().enumerate() {
        let Some(file) = file_of(program, ScopeId::new(i)) else { continue };
        scope.uses.iter().for_each(|u| need(file, &u.module));
    }
    for (_, module) in program.modules() {
        if let ModuleKind::Submodule { ancestor, parent } = &module.kind {
            need(module.file, ancestor);
            parent.iter().for_each(|p| need(module.file, p));
        }
    }
    let mut out = Vec::new();
    let mut visiting = BTreeSet::new();
    for file in files {
        visit(file.file, &needs, &mut visiting, &mut out);
    }
    out
}

fn visit(file: FileId, needs: &BTreeMap<FileId, BTreeSet<FileId>>, seen: &mut BTreeSet<FileId>, out: &mut Vec<FileId>) {
    if !seen.insert(file) {
        return;
    }
    for &other in needs.get(&file).into_iter().flatten() {
        visit(other, needs, seen, out);
    }
    out.push(file);
}

fn file_of(program: &Program, scope: ScopeId) -> Option<FileId> {
    let mut at = Some(scope);
    while let Some(s) = at {
        match program[s].kind {
            ScopeKind::Module(m) => return Some(program[m].file),
            ScopeKind::Procedure(p) => return Some(program[p].file),
            ScopeKind::Inner => at = program[s].parent,
            ScopeKind::Global => return None,
        }
    }
    None
}

/// Main programs of a file: the driver takes their place.
pub(super) fn main_programs(program: &Program, file: FileId) -> Vec<Span> {
    let main = |p: &&costate_grammar::ir::Procedure| p.kind == ProcKind::Program && p.file == file;
    program.procedures.iter().filter(main).map(|p| p.span).collect()
}
