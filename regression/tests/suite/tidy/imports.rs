//! What files of a crate take from each other: `use` and paths in code, followed to the file that defines what is named.
//!
//! A module may use what lies in it, for it is made of that, and what lies in it may use what the module defines: that is no
//! circle. What a module exports of others is theirs. Tests within files may use anything.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use super::tokens::{Token, closing, tokens, without_tests};

/// A path by its words.
type Path = Vec<String>;

/// A module with a file of its own.
struct Module {
    file: String,
    /// What its names stand for that it imports from the same target.
    names: BTreeMap<String, Path>,
    /// What it mentions.
    mentions: BTreeSet<Path>,
}

/// What is compiled from one root file: a library, a program, or a test.
pub(super) struct Target {
    modules: BTreeMap<Path, Module>,
}

impl Target {
    /// The targets of a crate in a folder, from its files and their text.
    pub(super) fn all(folder: &str, files: &BTreeMap<&str, &str>) -> Vec<Target> {
        let is_root = |file: &str| {
            let parts: Vec<&str> = file[folder.len() + 1..].split('/').collect();
            matches!(
                parts[..],
                ["build.rs"]
                    | ["src", "lib.rs" | "main.rs"]
                    | ["src", "bin", _]
                    | ["tests" | "benches" | "examples", _]
            ) || matches!(parts[..], ["src", "bin", _, "main.rs"] | ["tests", _, "main.rs"])
        };
        let roots = files.keys().filter(|f| is_root(f));
        let target = |root: &&str| {
            let mut target = Target { modules: BTreeMap::new() };
            target.add(Vec::new(), root, files);
            target
        };
        roots.map(target).collect()
    }

    /// Adds a module and those in it that have files of their own.
    fn add(&mut self, path: Path, file: &str, files: &BTreeMap<&str, &str>) {
        let all = without_tests(&tokens(files[file]));
        let (folder, name) = file.rsplit_once('/').unwrap_or_default();
        let own = path.is_empty() || name == "mod.rs";
        let below = if own { folder.to_string() } else { file.trim_end_matches(".rs").to_string() };
        let inner = declared(&all);
        let mut module = Module { file: file.to_string(), names: BTreeMap::new(), mentions: BTreeSet::new() };
        module.read(&all, &path, &inner.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        self.modules.insert(path.clone(), module);
        for (name, given) in inner {
            let given = given.map(|place| within(folder, place));
            let usual = [format!("{below}/{name}.rs"), format!("{below}/{name}/mod.rs")];
            let places: Vec<String> = given.into_iter().chain(usual).collect();
            if let Some(place) = places.iter().find(|p| files.contains_key(p.as_str())) {
                self.add([path.as_slice(), &[name.to_string()]].concat(), place, files);
            }
        }
    }

    /// The module that defines what a path names.
    fn definition(&self, path: &[String]) -> &Path {
        let (mut path, mut seen) = (path.to_vec(), BTreeSet::new());
        loop {
            let len = (0..=path.len()).rev().find(|n| self.modules.contains_key(&path[..*n])).unwrap_or(0);
            let (module, found) = self.modules.get_key_value(&path[..len]).expect("the root is a module");
            let exported = path.get(len).and_then(|name| found.names.get(name));
            match exported {
                Some(real) if seen.insert(path.clone()) => path = [real.as_slice(), &path[len + 1..]].concat(),
                _ => return module,
            }
        }
    }

    /// Circles: their files, each with the files of the circle that it imports.
    pub(super) fn circles(&self) -> Vec<BTreeMap<String, Vec<String>>> {
        let mut graph = DiGraph::new();
        let nodes: BTreeMap<&Path, _> = self.modules.keys().map(|path| (path, graph.add_node(path))).collect();
        for (path, module) in &self.modules {
            for other in module.mentions.iter().map(|m| self.definition(m)).filter(|o| !o.starts_with(path)) {
                graph.update_edge(nodes[path], nodes[other], ());
            }
        }
        let circles = tarjan_scc(&graph).into_iter().filter(|c| c.len() > 1);
        let file = |path: &Path| self.modules[path].file.clone();
        let described = |circle: Vec<_>| {
            let ties = |node| graph.neighbors(node).filter(|n| circle.contains(n)).map(|n| file(graph[n])).collect();
            circle.iter().map(|&node| (file(graph[node]), ties(node))).collect()
        };
        circles.map(described).collect()
    }
}

impl Module {
    /// Finds what a file mentions of its target. `inner` are its modules that have files of their own.
    fn read(&mut self, all: &[Token<'_>], own: &[String], inner: &[&str]) {
        let mut ends: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < all.len() {
            ends.retain(|end| at < *end);
            let text = |i: usize| all.get(i).map_or("", |t| t.text);
            if text(at) == "mod" && text(at + 2) == "{" {
                ends.push(closing(all, at + 2));
            }
            let place = Place { own, inner, depth: ends.len() };
            if text(at) == "use" && text(at + 1) != "<" {
                let mut named = Vec::new();
                at += 1;
                imported(all, &mut at, &[], &mut named);
                for (path, name) in named {
                    let Some(path) = place.absolute(&path) else { continue };
                    if place.depth == 0 {
                        self.names.insert(name, path.clone());
                    }
                    self.mentions.insert(path);
                }
            } else if all[at].is_word() && text(at + 1) == "::" {
                let before: Vec<&str> = all[at.saturating_sub(3)..at].iter().map(|t| t.text).collect();
                let in_visibility = before == ["pub", "(", "in"];
                let mut path = vec![text(at).to_string()];
                while text(at + 1) == "::" && all.get(at + 2).is_some_and(Token::is_word) {
                    path.push(text(at + 2).to_string());
                    at += 2;
                }
                // `pub(in crate::a)` takes nothing.
                if !in_visibility {
                    self.mentions.extend(place.absolute(&path));
                }
            }
            at += 1;
        }
    }
}

/// The modules that a file says are in files of their own, and the file where it says which.
fn declared<'t>(all: &[Token<'t>]) -> Vec<(&'t str, Option<&'t str>)> {
    let mut out = Vec::new();
    for (i, w) in all.windows(3).enumerate().filter(|(_, w)| w[0].text == "mod" && w[2].text == ";") {
        let before: Vec<&str> = all[i.saturating_sub(6)..i].iter().map(|t| t.text).collect();
        let given = match before[..] {
            [.., "#", "[", "path", "=", place, "]"] => Some(place.trim_matches('"')),
            _ => None,
        };
        out.push((w[1].text, given));
    }
    out
}

/// A file by its place relative to a folder.
fn within(folder: &str, place: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in place.split('/') {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

/// Where a path stands: in a module, and in so many modules within its file.
struct Place<'a> {
    own: &'a [String],
    inner: &'a [&'a str],
    depth: usize,
}

impl Place<'_> {
    /// A path from the root of the target; `None` for one that leads out of it or stays inside the file.
    fn absolute(&self, path: &[String]) -> Option<Path> {
        let first = path.first()?.as_str();
        if first == "crate" {
            return Some(path[1..].to_vec());
        }
        let up = path.iter().take_while(|p| *p == "super" || *p == "self").count();
        let supers = path[..up].iter().filter(|p| *p == "super").count();
        let above = supers.checked_sub(self.depth)?;
        if up == 0 && !self.inner.contains(&first) {
            return None;
        }
        let base = &self.own[..self.own.len().checked_sub(above)?];
        Some([base, &path[up..]].concat())
    }
}

/// The paths of a tree of imports, and the names that they have here.
fn imported(all: &[Token<'_>], at: &mut usize, before: &[String], out: &mut Vec<(Path, String)>) {
    let mut path = before.to_vec();
    while let Some(token) = all.get(*at) {
        match token.text {
            ";" | "," | "}" => break,
            "{" => {
                while all.get(*at).is_some_and(|t| t.text != "}") {
                    *at += 1;
                    imported(all, at, &path, out);
                }
                *at += 1;
                return;
            }
            "as" => {
                *at += 2;
                out.push((path, all[*at - 1].text.to_string()));
                return;
            }
            "self" if !path.is_empty() => {}
            word if token.is_word() => path.push(word.to_string()),
            _ => {}
        }
        *at += 1;
    }
    if path != before || all.get(at.saturating_sub(1)).is_some_and(|t| matches!(t.text, "self" | "*")) {
        let name = path.last().cloned().unwrap_or_default();
        out.push((path, name));
    }
}
