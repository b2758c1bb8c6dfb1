//! Procedures without source of which an interface block tells: an `!$ad external` among the declarations there says what a row
//! of a table says, and what is declared is the row's declaration.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::externals::Externals;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::directives::{self, AdDirective, Construct, Directive};
use costate_grammar::form::{ReadFile, ReadOptions, read};
use costate_grammar::ir::{Name, words};
use costate_grammar::lines::{Sentinel, Trivia, TriviaKind};
use costate_grammar::source::SourceMap;
use costate_grammar::units::{StatementClass, UnitTree, classify, interface_bodies};

/// Declarations of procedures without source in interface blocks with an `!$ad external`.
pub(crate) struct Interfaces<'e> {
    externals: &'e Externals,
    /// The program units of all files.
    defined: &'e BTreeSet<&'e str>,
    /// Those found so far, with their texts.
    known: BTreeMap<Name, String>,
}

impl<'e> Interfaces<'e> {
    pub(crate) fn new(externals: &'e Externals, defined: &'e BTreeSet<&'e str>) -> Self {
        Interfaces { externals, defined, known: BTreeMap::new() }
    }

    /// True for a procedure that has been found.
    pub(crate) fn declares(&self, name: &Name) -> bool {
        self.known.contains_key(name)
    }

    /// Those of a file, read with all else of it blank, so that places are those in it.
    pub(crate) fn read(&mut self, sources: &mut SourceMap, file: &ReadFile) -> Option<ReadFile> {
        let all: Vec<&Trivia> = file.lines.trivia.iter().filter(|t| is_external(t)).collect();
        let source = sources.file(file.file).clone();
        let mut own: Vec<u8> = source.text.bytes().map(|b| if b == b'\n' { b'\n' } else { b' ' }).collect();
        let mut found = Vec::new();
        for body in interface_bodies(&file.lines.lines) {
            let inside: Vec<&Trivia> =
                all.iter().copied().filter(|t| t.before >= body.start && t.before < body.end).collect();
            let Some(t) = inside.first() else { continue };
            let lines = &file.lines.lines[body.clone()];
            let StatementClass::Head(_, name) = classify(&lines[0].text) else { continue };
            let name = Name::new(name);
            let mut written: Vec<&str> = lines.iter().map(|l| l.text.as_str()).collect();
            written.extend(inside.iter().map(|t| t.text.trim()));
            if let Some((reason, help)) = self.obstacle(file, &name, &body, &written) {
                let d = Diagnostic::error(Code::UnsupportedDirective, t.span, "this directive can't be followed");
                found.push(d.reason(reason).help(help));
            } else if self.known.insert(name, written.join("\n")).is_none() {
                for span in lines.iter().map(|l| l.span).chain(inside.iter().map(|t| t.span)) {
                    // A directive's sentinel isn't part of its place in each form.
                    let start = source.text[..span.start as usize].rfind('\n').map_or(0, |at| at + 1);
                    let place = start..span.end as usize;
                    own[place.clone()].copy_from_slice(&source.text.as_bytes()[place]);
                }
            }
        }
        if found.is_empty() && own.iter().all(u8::is_ascii_whitespace) {
            return None;
        }
        let options = ReadOptions { form: Some(source.form), ..ReadOptions::default() };
        let mut out = read(sources, &source.name, String::from_utf8_lossy(&own).into_owned(), &options);
        out.diagnostics.extend(found);
        Some(out)
    }

    /// Why a declaration isn't one of a procedure without source, and what to do.
    fn obstacle(
        &self,
        file: &ReadFile,
        name: &Name,
        body: &std::ops::Range<usize>,
        written: &[&str],
    ) -> Option<(String, &'static str)> {
        let within = file.units.iter().flat_map(|u| enclosing(u, body.start));
        let heads = within.filter_map(|u| file.lines.lines.get(u.head?));
        let dummy = heads.into_iter().any(|l| words(&l.text).skip(2).any(|w| name.as_str().eq_ignore_ascii_case(w)));
        let starts = |word: &str| written.iter().any(|l| l.to_ascii_lowercase().starts_with(word));
        let own_row = self.externals.find(name).is_some_and(|row| row.place.is_some());
        let other = self.known.get(name).is_some_and(|known| *known != written.join("\n"));
        let moved = file.lines.lines[body.clone()].iter().any(|l| l.derived);
        Some(match () {
            () if dummy => {
                (format!("`{name}` is a dummy procedure, another one each time"), "pass its derivative beside it")
            }
            () if self.defined.contains(name.as_str()) => {
                (format!("`{name}` is among the files"), "put the directive into the procedure itself")
            }
            () if starts("module ") => {
                (format!("`{name}` is a module procedure"), "put the directive into the procedure itself")
            }
            () if starts("import") => (
                "a declaration by itself can't import names".to_string(),
                "name the module that has them: `use m, only: ...`",
            ),
            () if moved => ("it is included, or made by a macro".to_string(), "write a row of a table for it"),
            () if own_row => (format!("a table has a row for `{name}`, too"), "keep one of them"),
            () if other => {
                (format!("`{name}` is declared in another way elsewhere"), "declare it in one way, in one place say")
            }
            () => return None,
        })
    }
}

/// The program units around a statement.
fn enclosing(unit: &UnitTree, line: usize) -> Vec<&UnitTree> {
    let within = unit.head.unwrap_or(unit.body.start) <= line && line <= unit.end;
    let mut out = if within { vec![unit] } else { Vec::new() };
    out.extend(unit.children.iter().flat_map(|c| enclosing(c, line)));
    out
}

/// True for an `!$ad external`.
fn is_external(t: &Trivia) -> bool {
    let external = |d: Directive| matches!(d.construct, Construct::Ad(AdDirective::External(_)));
    t.kind == TriviaKind::Directive(Sentinel::Ad)
        && directives::parse(Sentinel::Ad, &t.text, t.span).is_ok_and(external)
}
