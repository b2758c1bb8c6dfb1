//! `--layout extend`: the user's file as it is, with derivative variables and procedures added to its modules.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::rules;
use costate_grammar::form::{Form, ReadFile};
use costate_grammar::ir::{Module, ModuleId, PrivateWord};
use costate_grammar::print::{self, Style, source};
use costate_grammar::source::{FileId, SourceMap};

use super::{helper_text, helpers_of, is_used, with_helpers};
use crate::lift::{self, Lifted};
use crate::session::Session;

/// What is added to one module.
#[derive(Default)]
struct Addition {
    /// The text of a module that the file doesn't have.
    unit: Option<String>,
    declarations: String,
    public: Vec<String>,
    /// Declarations that make private procedures accessible; tangent and adjoint may need the same.
    opened: BTreeSet<String>,
    procedures: String,
    helpers: Vec<rules::Helper>,
}

/// What is added to one file. Tangent and adjoint may both be added.
#[derive(Default)]
pub(crate) struct Additions {
    modules: BTreeMap<ModuleId, Addition>,
    external: String,
    edits: Vec<source::Edit>,
}

/// A public generic name for a private procedure, by which another program can call it: `public :: f` would contradict
/// a `private :: f`. Head procedures are numbered.
pub(crate) fn opening_name(head: usize) -> String {
    format!("costate_primal_{}", head + 1)
}

/// The change that makes private components of a type public, where the type stands in a file.
fn public(word: PrivateWord, file: FileId) -> Option<source::Edit> {
    let (span, text) = match word {
        PrivateWord::Statement(span) => (span, ""),
        PrivateWord::Attribute(span) => (span, "public"),
    };
    (span.file == file).then(|| source::Edit::Replace { span, text: text.into() })
}

impl Additions {
    /// Adds what a run generated for a file.
    pub(crate) fn add(&mut self, session: &Session<'_>, file: &ReadFile, style: &Style) {
        for (primal, generated) in &session.modules {
            if session.program[*primal].file == file.file && is_used(session, *generated) {
                self.modules.entry(*primal).or_default().add(session, *generated, style);
            }
        }
        let own = |l: &&Lifted| session.program[l.module].file == file.file;
        let lifted: Vec<Lifted> = session.lifted.iter().filter(own).cloned().collect();
        let (edits, declarations) = lift::rewrite(session.program, &file.lines, &lifted, style);
        self.edits.extend(edits);
        for (module, text) in declarations {
            let addition = self.modules.entry(module).or_default();
            match lift::is_added(&session.program[module]) {
                true => addition.unit = Some(format!("{}\n", print::module(session.program, module, style))),
                false => addition.declarations.insert_str(0, &text),
            }
        }
        for (procedure, name) in &session.opened {
            let symbol = &session.program[*procedure];
            if let Some(m) = session.program.module_of(symbol.scope).filter(|m| session.program[*m].file == file.file) {
                self.open(m, &symbol.name, name);
            }
        }
        let widened = session.widened.iter().filter_map(|t| session.program[*t].derived());
        for edit in widened.flat_map(|t| &t.private_words).filter_map(|word| public(*word, file.file)) {
            // Tangent and adjoint may both need it.
            if !self.edits.contains(&edit) {
                self.edits.push(edit);
            }
        }
        for p in super::externals(session, file.file) {
            self.external.push('\n');
            self.external.push_str(&super::external(session, p, style));
        }
    }

    /// Makes a private procedure of a module accessible by another name.
    pub(crate) fn open(&mut self, module: ModuleId, procedure: &str, name: &str) {
        let text =
            format!("  interface {name}\n    module procedure :: {procedure}\n  end interface\n  public :: {name}\n");
        self.modules.entry(module).or_default().opened.insert(text);
    }

    /// The file with everything added; `None` where there is nothing to add. `edits` are further changes of the user's
    /// text. `module` gives the user's modules.
    pub(crate) fn write<'m>(
        self,
        sources: &SourceMap,
        file: &ReadFile,
        mut edits: Vec<source::Edit>,
        module: impl Fn(ModuleId) -> &'m Module,
    ) -> Option<String> {
        if self.modules.is_empty() && self.external.is_empty() && self.edits.is_empty() {
            return None;
        }
        edits.extend(self.edits);
        for (id, addition) in self.modules {
            match &addition.unit {
                Some(unit) => {
                    let unit = with_helpers(unit.clone(), &addition.declarations, "end module");
                    edits.push(source::Edit::before(&file.lines, module(id).end, unit));
                }
                None => addition.edit(file, module(id), &mut edits),
            }
        }
        let mut text = source::file(sources, file.file, &file.lines, &edits);
        match sources.file(file.file).form {
            Form::Free => text.push_str(&self.external),
            Form::Fixed => text.push_str(&print::fixed(&self.external)),
        }
        Some(text)
    }
}

impl Addition {
    fn add(&mut self, session: &Session<'_>, generated: ModuleId, style: &Style) {
        let program = &*session.program;
        let scope = program[generated].scope;
        for s in program[scope].names.values() {
            if program[*s].scope == scope && program[*s].derived().is_some() {
                self.declarations.push_str(&print::derived_type(program, *s, style));
                self.public.push(program[*s].name.to_string());
            }
        }
        for s in program[scope].names.values() {
            if program[*s].scope == scope && program.var(*s).is_some_and(|v| !v.attrs.parameter) {
                self.declarations.push_str(&format!("  {}\n", print::declaration(program, *s, style)));
                self.public.push(program[*s].name.to_string());
            }
        }
        self.declarations.push_str(&print::equivalences(program, scope, style));
        self.declarations.extend(program[scope].texts.iter().map(|text| format!("  {text}\n")));
        for p in &program[generated].procedures {
            self.public.push(program[*p].name.to_string());
            self.procedures.push('\n');
            self.procedures.push_str(&print::procedure_at(program, *p, style, 1));
        }
        for helper in helpers_of(session, &program[generated].procedures) {
            if !self.helpers.contains(&helper) {
                self.helpers.push(helper);
            }
        }
    }

    fn edit(self, file: &ReadFile, module: &Module, edits: &mut Vec<source::Edit>) {
        let mut declarations = self.declarations;
        declarations.extend(self.opened);
        if module.default_private {
            self.public.iter().for_each(|name| declarations.push_str(&format!("  public :: {name}\n")));
        }
        let mut procedures = self.procedures;
        procedures.push_str(&helper_text(&self.helpers));
        if module.contains.is_none() && !procedures.is_empty() {
            procedures.insert_str(0, "contains\n");
        }
        if !declarations.is_empty() {
            edits.push(source::Edit::before(&file.lines, module.contains.unwrap_or(module.end), declarations));
        }
        if !procedures.is_empty() {
            edits.push(source::Edit::before(&file.lines, module.end, procedures));
        }
    }
}
