//! Directives and the `end` directives of what they govern.

use super::super::layout::Lines;
use super::super::names::Cx;
use crate::directives::Directive;
use crate::ir::{Stmt, StmtKind};
use crate::lines::Sentinel;

/// Words that make up the names of directives; a name is the longest run of them at the start of the text.
const WORDS: &[&str] = &[
    "atomic", "critical", "data", "distribute", "do", "for", "host_data", "kernels", "loop", "masked", "master", "metadirective",
    "ordered", "parallel", "scope", "sections", "serial", "simd", "single", "target", "task", "taskgroup", "taskloop",
    "teams", "workshare",
];

/// Clauses that OpenMP before 5.2 wants on the `end` directive.
const END_CLAUSES: &[&str] = &["nowait", "copyprivate"];

/// A directive and what it governs.
pub(super) fn print(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt, directive: &Directive, body: Option<&[Stmt]>) {
    super::label_alone(cx, lines, s);
    let Some(body) = body else {
        return text(lines, s, directive.sentinel, &directive.text);
    };
    let name = name(&directive.text);
    let (start, moved) = split_clauses(directive, &name);
    text(lines, s, directive.sentinel, &start);
    if !has_end(directive.sentinel, &name) {
        return super::block(cx, lines, body);
    }
    // A loop keeps its place; a region is indented.
    let single_loop = matches!(body, [Stmt { kind: StmtKind::Do { .. }, .. }]);
    if single_loop {
        super::block(cx, lines, body);
    } else {
        super::indented(cx, lines, body);
    }
    lines.directive(directive.sentinel, format!("end {name} {moved}").trim_end());
}

/// The directive on one line.
pub(super) fn summary(directive: &Directive) -> String {
    match directive.sentinel {
        Sentinel::Omp => format!("!$omp {}", directive.text),
        Sentinel::Acc => format!("!$acc {}", directive.text),
        Sentinel::Ad => format!("!$ad {}", directive.text),
        Sentinel::Cond => format!("!$ {}", directive.text),
        Sentinel::Vendor => directive.text.clone(),
    }
}

fn text(lines: &mut Lines<'_>, s: &Stmt, sentinel: Sentinel, text: &str) {
    if let Some(comment) = &s.trailing {
        lines.comment(comment);
    }
    lines.directive(sentinel, text);
}

/// True when what a directive governs is closed by an `end` directive. `acc loop` has none, nor has a loop nest's `ad`.
fn has_end(sentinel: Sentinel, name: &str) -> bool {
    match sentinel {
        Sentinel::Omp => !name.is_empty(),
        Sentinel::Acc => !name.is_empty() && name != "loop",
        Sentinel::Ad | Sentinel::Cond | Sentinel::Vendor => false,
    }
}

/// The name of a directive, with the name in parentheses of a `critical`.
fn name(text: &str) -> String {
    let mut name = String::new();
    let mut rest = text.trim_start();
    loop {
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let word = &rest[..end];
        if !WORDS.contains(&word.to_ascii_lowercase().as_str()) {
            return name;
        }
        let after = rest[end..].trim_start();
        // `ordered(1)`, `data(...)`: a clause, not a part of the name.
        if !name.is_empty() && after.starts_with('(') {
            return name;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
        if word.eq_ignore_ascii_case("critical")
            && after.starts_with('(')
            && let Some(close) = after.find(')')
        {
            name.push_str(&format!(" {}", &after[..=close]));
            return name;
        }
        rest = after;
    }
}

/// The text without the clauses that belong to the `end` directive, and those clauses.
fn split_clauses(directive: &Directive, name: &str) -> (String, String) {
    let low = name.to_ascii_lowercase();
    let work = matches!(low.as_str(), "do" | "do simd" | "sections" | "single" | "workshare" | "scope");
    if directive.sentinel != Sentinel::Omp || !work {
        return (directive.text.clone(), String::new());
    }
    let (mut kept, mut moved) = (Vec::new(), Vec::new());
    for clause in clauses(&directive.text) {
        let end = clause.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(clause.len());
        let word = clause[..end].to_ascii_lowercase();
        if END_CLAUSES.contains(&word.as_str()) { moved.push(clause) } else { kept.push(clause) }
    }
    if moved.is_empty() {
        return (directive.text.clone(), String::new());
    }
    (kept.join(" "), moved.join(" "))
}

/// Words and clauses at the top level, each with its parentheses.
fn clauses(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut depth = 0usize;
    let mut fresh = true;
    for c in text.chars() {
        match c {
            ' ' | '\t' | ',' if depth == 0 => {
                fresh = true;
                continue;
            }
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let starts = fresh && (c != '(' || out.is_empty());
        match out.last_mut() {
            Some(last) if !starts => last.push(c),
            _ => out.push(c.to_string()),
        }
        fresh = false;
    }
    out
}
