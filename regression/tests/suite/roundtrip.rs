//! Printing what was read: an untouched file is the same bytes, and a printed program reads as it was printed.

use std::path::PathBuf;

use costate_grammar::ir::{ModuleKind, ParentUnit, Program};
use costate_grammar::print::{self, Style, source};
use costate_regression::chain;

fn programs() -> Vec<PathBuf> {
    let folder = std::fs::read_dir(chain::cases_folder()).expect("the folder of cases can be read");
    let mut out: Vec<PathBuf> = folder.map(|e| e.expect("an entry can be read").path()).collect();
    out.retain(|p| p.extension().is_some_and(|e| ["f90", "F90", "f", "F"].iter().any(|f| e == *f)));
    out.sort();
    out
}

fn print_all(program: &Program) -> String {
    let style = Style::default();
    let modules = program.modules().filter(|(_, m)| m.kind != ModuleKind::Intrinsic);
    let mut out: String = modules.map(|(id, _)| print::module(program, id, &style) + "\n").collect();
    for (id, p) in program.procedures() {
        if matches!(p.parent, ParentUnit::File(_)) {
            out += &print::procedure(program, id, &style);
            out.push('\n');
        }
    }
    out
}

#[test]
fn untouched_files_are_the_same_bytes() {
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a case can be read");
        let (sources, read) = chain::load(&[(path.display().to_string(), text.clone())]);
        let (files, _) = read.unwrap_or_else(|d| panic!("{}", chain::describe(&sources, &d)));
        let printed = source::file(&sources, files[0].file, &files[0].lines, &[]);
        assert_eq!(printed, text, "{}", path.display());
    }
}

#[test]
fn printed_programs_read_as_they_were_printed() {
    let mut failures = Vec::new();
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("a case can be read");
        let name = path.display().to_string();
        let first = chain::loaded(&name, &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let printed = print_all(&first.program);
        match chain::loaded("printed.f90", &printed) {
            Ok(second) => {
                let again = print_all(&second.program);
                if again != printed {
                    failures.push(format!("{name}: printed twice differs\n{printed}\n----\n{again}"));
                }
            }
            Err((s, d)) => failures.push(format!("{name}: {}\n{printed}", chain::describe(&s, &d))),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
