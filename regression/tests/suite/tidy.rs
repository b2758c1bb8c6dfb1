//! The sources are in order: files don't import each other in circles, files and functions are short, and a crate names no
//! dependency that it doesn't use; messages, names and documents use the terms of the field. What is not so yet is listed here by name, and a name that needs no longer stand
//! here fails the test, too: the lists only become shorter.

mod imports;
mod tokens;
mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use imports::Target;
use tokens::{Token, tokens};

/// The most lines of a file.
const FILE: usize = 600;
/// The most lines of a function, from its name to its last brace.
const FUNCTION: usize = 80;

/// Longer files.
const LONG_FILES: &[&str] = &["adjoint/tests/suite/cli.rs", "regression/tests/suite/plans.rs"];

/// Longer functions.
const LONG_FUNCTIONS: &[&str] = &[
    "adjoint/src/reverse/emit/sweeps.rs: emit_leaf",
    "adjoint/src/tangent/mod.rs: statement",
    "adjoint/src/unit.rs: procedure",
    "adjoint/src/verify/driver.rs: write",
    "analysis/src/rules/elemental.rs: row",
    "analysis/tests/normal/jumps.rs: jumps",
    "grammar/src/lower/intrinsic_modules.rs: mpi_name",
    "grammar/tests/print/roundtrip.rs: units",
    "regression/src/bench/large.rs: procedures",
    "regression/src/random/procedure.rs: helper",
];

/// Dependencies that no code uses: the features of what others depend on are chosen with them.
const UNUSED: &[&str] = &["adjoint: getrandom", "adjoint: libc", "adjoint: once_cell", "adjoint: regex-syntax"];

/// A crate: its folder in the workspace and its sources.
struct Member {
    name: String,
    manifest: String,
    sources: Vec<(String, String)>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Rust files in a folder and below it, without those of crates that lie in it.
fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            let name = entry.file_name().unwrap_or_default();
            if name != "target" && !entry.join("Cargo.toml").exists() {
                rust_files(&entry, out);
            }
        } else if entry.extension().is_some_and(|e| e == "rs") {
            out.push(entry);
        }
    }
}

fn members() -> Vec<Member> {
    let root = root();
    let manifest = read(&root.join("Cargo.toml"));
    let list = manifest.split_once("members = [").and_then(|(_, rest)| rest.split_once(']')).unwrap().0;
    let names = list.split(',').map(|n| n.trim().trim_matches('"').to_string()).filter(|n| !n.is_empty());
    let member = |name: String| {
        let folder = root.join(&name);
        let mut files = Vec::new();
        rust_files(&folder, &mut files);
        files.sort();
        let sources = files.iter().map(|f| (format!("{name}/{}", f.strip_prefix(&folder).unwrap().display()), read(f)));
        Member { manifest: read(&folder.join("Cargo.toml")), sources: sources.collect(), name }
    };
    names.map(member).collect()
}

/// Fails with what is found but not known, and with what is known but no longer found.
fn compare(what: &str, found: &BTreeMap<String, String>, known: &[&str]) {
    let known: BTreeSet<&str> = known.iter().copied().collect();
    let new = found.iter().filter(|(name, _)| !known.contains(name.as_str()));
    let new: Vec<String> = new.map(|(name, detail)| format!("  {name}{detail}\n")).collect();
    let gone: Vec<String> = known.iter().filter(|k| !found.contains_key(**k)).map(|k| format!("  {k}\n")).collect();
    assert!(new.is_empty(), "{what}:\n{}", new.concat());
    assert!(gone.is_empty(), "{what} no longer, to be taken off the list of this test:\n{}", gone.concat());
}

#[test]
fn files_dont_import_each_other_in_circles() {
    let mut found = BTreeMap::new();
    for member in members() {
        let files: BTreeMap<&str, &str> = member.sources.iter().map(|(f, text)| (f.as_str(), text.as_str())).collect();
        for target in Target::all(&member.name, &files) {
            for circle in target.circles() {
                for (file, ties) in circle {
                    found.insert(file, format!(" imports {}", ties.join(", ")));
                }
            }
        }
    }
    compare("files import each other in circles", &found, &[]);
}

#[test]
fn files_are_short() {
    let mut found = BTreeMap::new();
    for (file, text) in members().into_iter().flat_map(|m| m.sources) {
        let lines = text.lines().count();
        if lines > FILE {
            found.insert(file, format!(": {lines} lines"));
        }
    }
    compare(&format!("files of more than {FILE} lines"), &found, LONG_FILES);
}

/// The functions of a file with their lines.
fn functions(tokens: &[Token<'_>]) -> Vec<(String, usize)> {
    let mut out = Vec::new();
    for (i, pair) in tokens.windows(2).enumerate() {
        // `fn` in a type is followed by a parenthesis.
        let [Token { text: "fn", line }, name] = pair else { continue };
        if !name.is_word() {
            continue;
        }
        let mut depth = 0usize;
        for (j, token) in tokens.iter().enumerate().skip(i + 2) {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                ";" if depth == 0 => break,
                "{" if depth == 0 => {
                    let end = tokens::closing(tokens, j);
                    out.push((name.text.to_string(), tokens[end].line - line + 1));
                    break;
                }
                _ => {}
            }
        }
    }
    out
}

#[test]
fn functions_are_short() {
    let mut found = BTreeMap::new();
    for (file, text) in members().into_iter().flat_map(|m| m.sources) {
        for (name, lines) in functions(&tokens(&text)).into_iter().filter(|(_, lines)| *lines > FUNCTION) {
            found.insert(format!("{file}: {name}"), format!(": {lines} lines"));
        }
    }
    compare(&format!("functions of more than {FUNCTION} lines"), &found, LONG_FUNCTIONS);
}

#[test]
fn words_are_terms_of_the_field() {
    let mut found = BTreeMap::new();
    let own = |file: &str| file.ends_with("tidy/words.rs");
    for (file, text) in members().into_iter().flat_map(|m| m.sources).filter(|(f, _)| !own(f)) {
        let words = words::words(&tokens(&text));
        if !words.is_empty() {
            found.insert(file, format!(": {}", words.join(", ")));
        }
    }
    for file in
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "runtime-lib/README.md", "regression/bench/README.md"]
    {
        let phrases = words::phrases(&read(&root().join(file)));
        if !phrases.is_empty() {
            found.insert(file.into(), format!(": {}", phrases.join(", ")));
        }
    }
    compare("words for what the field has a term for", &found, &[]);
}

/// The names in the sections of a manifest whose titles end in `dependencies`.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut inside = false;
    let mut out = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            inside = line.ends_with("dependencies]");
        } else if inside && let Some((name, _)) = line.split_once([' ', '.', '=']).filter(|(n, _)| !n.starts_with('#'))
        {
            out.push(name);
        }
    }
    out
}

#[test]
fn dependencies_are_used() {
    let mut found = BTreeMap::new();
    let members = members();
    for member in &members {
        // A path begins with the name, or a `use` has nothing else.
        let mut named = BTreeSet::new();
        for (_, text) in &member.sources {
            let all = tokens(text);
            let whole = |w: &&[Token<'_>]| w[1].text == "::" || w[1].text == ";";
            named.extend(all.windows(2).filter(whole).map(|w| w[0].text.to_string()));
        }
        for name in dependencies(&member.manifest) {
            if !named.contains(&name.replace('-', "_")) {
                found.insert(format!("{}: {name}", member.name), String::new());
            }
        }
    }
    let named: BTreeSet<&str> = members.iter().flat_map(|m| dependencies(&m.manifest)).collect();
    for name in dependencies(&read(&root().join("Cargo.toml"))).into_iter().filter(|n| !named.contains(n)) {
        found.insert(format!("workspace: {name}"), String::new());
    }
    compare("dependencies that no code uses", &found, UNUSED);
}

#[test]
fn circles_are_found() {
    let circles = |files: &[(&str, &str)]| {
        let files = files.iter().copied().collect();
        let found = Target::all("x", &files).iter().flat_map(Target::circles).collect::<Vec<_>>();
        let names = |c: BTreeMap<String, Vec<String>>| c.into_keys().collect::<Vec<_>>();
        found.into_iter().map(names).collect::<Vec<_>>()
    };
    let root = ("x/src/lib.rs", "mod a; mod b { /* mod c; */ } pub mod d;");
    let two = vec![vec!["x/src/a.rs".to_string(), "x/src/d.rs".to_string()]];
    assert_eq!(
        circles(&[root, ("x/src/a.rs", "use crate::d::{self, X};"), ("x/src/d.rs", "use super::a::Y as Z;")]),
        two
    );
    assert_eq!(circles(&[root, ("x/src/a.rs", "fn f() { crate::d::g(); }"), ("x/src/d.rs", "use super::{a};")]), two);
    // Text, comments and tests of a file aren't imports.
    let text = "const A: &str = \"crate::a::f\"; // crate::a::f\n#[cfg(test)] mod tests { use crate::a::f; }";
    assert!(circles(&[root, ("x/src/a.rs", "use crate::d::X;"), ("x/src/d.rs", text)]).is_empty());
    // What a file exports of another one is the other one's.
    let inner = ("x/src/d.rs", "mod e; mod f; pub use e::X;");
    let through =
        [root, ("x/src/a.rs", ""), inner, ("x/src/d/e.rs", "use super::f::Y;"), ("x/src/d/f.rs", "use super::X;")];
    assert_eq!(circles(&through), vec![vec!["x/src/d/e.rs".to_string(), "x/src/d/f.rs".to_string()]]);
    // A module may use what lies in it, and that what the module defines.
    let within =
        [root, ("x/src/a.rs", ""), ("x/src/d.rs", "mod e; fn f() { e::g(); }"), ("x/src/d/e.rs", "use super::f;")];
    assert!(circles(&within).is_empty());
}
