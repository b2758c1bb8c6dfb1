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

/// The text without comments and blanks.
fn code(text: &str) -> String {
    let counts = |l: &&str| !l.trim_start().starts_with('!') || l.trim_start().starts_with("!$");
    let line = |l: &str| l.split("  ! ").next().unwrap_or_default().replace(' ', "");
    text.lines().filter(counts).map(line).collect::<Vec<_>>().join("\n")
}

/// Statements of fixed form without blanks, where these mean nothing.
fn glued(text: &str) -> String {
    let mut quote = None;
    let mut out = String::new();
    for line in text.lines() {
        // By its blanks alone `module procedures` differs from `module procedure s`.
        let parted = line.trim_start().starts_with("module ");
        let statement = !line.starts_with(['!', '#']) && line.len() > 6 && !parted;
        if line.as_bytes().get(5).is_none_or(|b| *b == b' ') {
            quote = None;
        }
        for (i, c) in line.char_indices() {
            match quote {
                Some(q) if c == q => quote = None,
                None if statement && i > 5 && c == '!' => {
                    out.push_str(&line[i..]);
                    break;
                }
                None if statement && i > 5 && (c == '\'' || c == '"') => quote = Some(c),
                None if statement && i > 5 && c == ' ' => continue,
                _ => {}
            }
            out.push(c);
        }
        if quote.is_some() {
            // The constant takes in the blanks up to the last column.
            return String::new();
        }
        out.push('\n');
    }
    out
}

/// Fixed form means what free form means, with the blanks that the user wrote and without.
#[test]
fn programs_are_the_same_in_fixed_form() {
    let mut failures = Vec::new();
    let chosen = programs().into_iter().filter(|p| p.extension().is_some_and(|e| e == "f90"));
    for path in chosen {
        let text = std::fs::read_to_string(&path).expect("a case can be read");
        // Included files are in free form, and constants that count their characters get quotes.
        if text.contains("  include ") || text.contains("5hhello") {
            continue;
        }
        let name = path.display().to_string();
        let free = chain::loaded(&name, &text).unwrap_or_else(|(s, d)| panic!("{}", chain::describe(&s, &d)));
        let expected = code(&print_all(&free.program));
        let set = print::fixed(&text);
        for fixed in [glued(&set), set].iter().filter(|t| !t.is_empty()) {
            match chain::loaded("set.f", fixed) {
                Ok(read) if code(&print_all(&read.program)) == expected => {}
                Ok(read) => failures.push(format!("{name}: {}\n----\n{expected}", code(&print_all(&read.program)))),
                Err((s, d)) => failures.push(format!("{name}: {}", chain::describe(&s, &d))),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
