//! The order in which files can be compiled.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::request::Head;
use costate_grammar::form::ReadFile;
use costate_grammar::ir::{ModuleKind, Name, ParentUnit, ProcKind, Program, ScopeId, ScopeKind, SymbolKind};
use costate_grammar::source::{FileId, Span};

/// The files that a driver of the heads needs, in an order in which every module is compiled before it is used; files in
/// a cycle keep their order. `also` are further files that it needs.
pub(super) fn compile_order(
    program: &Program,
    files: &[ReadFile],
    heads: &[Head],
    also: impl IntoIterator<Item = FileId>,
) -> Vec<FileId> {
    let uses = used_files(program);
    let mut links = uses.clone();
    external_files(program, &mut links);
    let mut needed = BTreeSet::new();
    let targets = |h: &Head| h.dependents.iter().chain(&h.independents).map(|t| t.sym).collect::<Vec<_>>();
    let mut queue: Vec<FileId> = heads.iter().map(|h| program[h.proc].file).chain(also).collect();
    queue.extend(heads.iter().flat_map(targets).filter_map(|s| file_of(program, program[s].scope)));
    while let Some(file) = queue.pop() {
        if needed.insert(file) {
            queue.extend(links.get(&file).into_iter().flatten());
        }
    }
    let mut out = Vec::new();
    let mut visiting = BTreeSet::new();
    for file in files {
        visit(file.file, &uses, &mut visiting, &mut out);
    }
    out.retain(|f| needed.contains(f));
    out
}

type Needs = BTreeMap<FileId, BTreeSet<FileId>>;

/// The files whose modules a file uses. A submodule comes after its parent, and a parent can't be linked without it.
fn used_files(program: &Program) -> Needs {
    let mut home: BTreeMap<&Name, FileId> = BTreeMap::new();
    for (_, module) in program.modules().filter(|(_, m)| m.kind != ModuleKind::Intrinsic) {
        home.insert(&module.name, module.file);
    }
    let mut needs = Needs::new();
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
    needs
}

/// Adds the files whose external procedures a file names, and those of the submodules of its modules.
fn external_files(program: &Program, needs: &mut Needs) {
    for symbol in &program.symbols {
        let SymbolKind::Procedure(p) = &symbol.kind else { continue };
        let Some(definition) = p.definition.map(|d| &program[d]) else { continue };
        if let (ParentUnit::File(_), Some(file)) = (definition.parent, file_of(program, symbol.scope)) {
            needs.entry(file).or_default().insert(definition.file);
        }
    }
    for (_, module) in program.modules() {
        if let ModuleKind::Submodule { ancestor, .. } = &module.kind
            && let Some(top) = program.module_names.get(ancestor)
        {
            needs.entry(program[*top].file).or_default().insert(module.file);
        }
    }
}

fn visit(file: FileId, needs: &Needs, seen: &mut BTreeSet<FileId>, out: &mut Vec<FileId>) {
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
