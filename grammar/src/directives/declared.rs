//! Reductions that programs declare themselves: one that does what a built-in one does goes by the name of that.

use std::ops::Range;

use super::{before_colon, items, parenthesised, take_word};
use crate::lines::{FileLines, Sentinel, Trivia, TriviaKind};
use crate::units::UnitTree;

/// A declared reduction.
struct Declared {
    /// Where the directive stands in the side table.
    at: usize,
    name: String,
    /// The operator that does the same.
    operator: &'static str,
}

/// Replaces declared reductions by built-in ones, in the unit that declares them. Where another unit may give the name
/// another meaning, all stays as it is.
pub(crate) fn settle(lines: &mut FileLines, units: &[UnitTree]) {
    let found: Vec<Declared> = (0..lines.trivia.len()).filter_map(|at| declared(&lines.trivia[at], at)).collect();
    let mut done = Vec::new();
    for d in &found {
        if let Some(changed) = replaced(d, lines, units) {
            changed.into_iter().for_each(|(at, text)| lines.trivia[at].text = text);
            done.push(d.at);
        }
    }
    done.into_iter().rev().for_each(|at| drop(lines.trivia.remove(at)));
}

/// The argument of a directive that declares a reduction, and what follows it.
fn declaration(t: &Trivia) -> Option<(&str, &str)> {
    if t.kind != TriviaKind::Directive(Sentinel::Omp) {
        return None;
    }
    let mut rest = t.text.as_str();
    let mut words = String::new();
    while words.len() < "declarereduction".len() {
        let (word, after) = take_word(rest.trim_start());
        if word.is_empty() {
            return None;
        }
        words.push_str(&word.to_ascii_lowercase());
        rest = after;
    }
    if words == "declarereduction" { parenthesised(rest.trim_start()) } else { None }
}

fn compact(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase()
}

/// A declaration that a built-in reduction stands for: values of numbers are combined by its operator, and begin with its
/// neutral element.
fn declared(t: &Trivia, at: usize) -> Option<Declared> {
    let (list, rest) = declaration(t)?;
    let (name, list) = before_colon(list)?;
    let (types, combiner) = before_colon(list)?;
    let numbers = ["real", "integer", "complex", "doubleprecision"];
    let word = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if !word || !items(types, b',').iter().all(|t| numbers.iter().any(|n| compact(t).starts_with(n))) {
        return None;
    }
    let (initializer, start) = take_word(rest.trim_start());
    let (start, after) =
        parenthesised(start.trim_start()).filter(|_| initializer.eq_ignore_ascii_case("initializer"))?;
    let start = compact(start).strip_prefix("omp_priv=")?.to_string();
    let value = || start.split('_').next()?.replace('d', "e").parse::<f64>().ok();
    let extreme = |value: Option<&str>| {
        let of = value.and_then(|v| v.strip_prefix("huge(")?.strip_suffix(')'));
        let alike = |of| items(types, b',').iter().all(|t| is_of_type(of, &compact(t)));
        start == "omp_orig" || of.is_some_and(|of| of == "omp_priv" || alike(of))
    };
    let operator = match compact(combiner).strip_prefix("omp_out=")? {
        "omp_out+omp_in" | "omp_in+omp_out" if value() == Some(0.0) => "+",
        "omp_out*omp_in" | "omp_in*omp_out" if value() == Some(1.0) => "*",
        "max(omp_out,omp_in)" | "max(omp_in,omp_out)" if extreme(start.strip_prefix('-')) => "max",
        "min(omp_out,omp_in)" | "min(omp_in,omp_out)" if extreme(Some(&start)) => "min",
        _ => return None,
    };
    after.trim().is_empty().then(|| Declared { at, name: name.to_ascii_lowercase(), operator })
}

/// True for a literal of a type, both as they are spelt: `0d0` of `real(8)`, `1.0_wp` of `real(wp)`.
fn is_of_type(literal: &str, ty: &str) -> bool {
    let (digits, suffix) = literal.split_once('_').map_or((literal, None), |(digits, kind)| (digits, Some(kind)));
    let real = digits.contains(['.', 'e', 'd']);
    let number = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if !number || digits.replace('d', "e").parse::<f64>().is_err() {
        return false;
    }
    let kind = |name: &str| {
        let rest = ty.strip_prefix(name)?;
        let rest = rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')).unwrap_or(rest);
        Some(rest.strip_prefix("kind=").or_else(|| rest.strip_prefix('*')).unwrap_or(rest).to_string())
    };
    match (real, suffix) {
        (true, None) if digits.contains('d') => {
            ty == "doubleprecision" || kind("real").is_some_and(|k| k == "8" || k == "kind(0d0)" || k == "kind(0.0d0)")
        }
        (true, suffix) => kind("real").is_some_and(|k| k == suffix.unwrap_or_default()),
        (false, suffix) => kind("integer").is_some_and(|k| k == suffix.unwrap_or_default()),
    }
}

/// Where in a clause `reduction(... name: ...)` the name stands, for each such clause of a directive; also in clauses that
/// no built-in operator replaces (`task_reduction`).
fn uses(text: &str, name: &str) -> Vec<(bool, Range<usize>)> {
    let low = text.to_ascii_lowercase();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut out = Vec::new();
    for (at, clause) in low.match_indices("reduction") {
        let open = at + clause.len();
        let Some((list, _)) = parenthesised(low[open..].trim_start()) else { continue };
        let Some((modified, _)) = before_colon(list) else { continue };
        let operator = modified.rsplit(',').next().unwrap_or(modified).trim();
        if operator == name {
            let colon = low[open..].find(':').map_or(low.len(), |i| open + i);
            let start = low[..colon].rfind(name).unwrap_or(colon);
            let plain = at == 0 || !word(low.as_bytes()[at - 1]);
            out.push((plain && !modified.contains(','), start..start + name.len()));
        }
    }
    out
}

/// The units around a place, the outermost first.
fn around(units: &[UnitTree], before: usize) -> Vec<&UnitTree> {
    let mut out: Vec<&UnitTree> = Vec::new();
    let mut level = units;
    while let Some(unit) = level.iter().find(|u| u.head.unwrap_or(u.body.start) < before && before <= u.end) {
        out.push(unit);
        level = &unit.children;
    }
    out
}

/// The directives that name a reduction, with the operator in place of the name.
fn replaced(d: &Declared, lines: &FileLines, units: &[UnitTree]) -> Option<Vec<(usize, String)>> {
    let place = lines.trivia[d.at].before;
    let home = *around(units, place).last()?;
    let first = home.head.unwrap_or(home.body.start);
    // In a block the name would be known there alone.
    let block = |text: &str| compact(text).rsplit(':').next() == Some("block");
    if lines.lines.get(first..place)?.iter().any(|l| block(&l.text)) {
        return None;
    }
    let mut out = Vec::new();
    for (at, t) in lines.trivia.iter().enumerate().filter(|(at, _)| *at != d.at) {
        let again = declaration(t)
            .and_then(|(list, _)| before_colon(list))
            .is_some_and(|(n, _)| n.eq_ignore_ascii_case(&d.name));
        if again {
            return None;
        }
        let found = if t.kind == TriviaKind::Directive(Sentinel::Omp) { uses(&t.text, &d.name) } else { Vec::new() };
        if found.is_empty() {
            continue;
        }
        let units = around(units, t.before);
        let inside = units.iter().position(|u| u.head == home.head && u.end == home.end)?;
        // A module that an inner unit uses may declare the name, too.
        let imports = |u: &&UnitTree| {
            let own = lines.lines.get(u.head.unwrap_or(u.body.start)..=u.end).unwrap_or_default();
            own.iter().any(|l| take_word(&l.text).0.eq_ignore_ascii_case("use"))
        };
        if found.iter().any(|(plain, _)| !plain) || units[inside + 1..].iter().any(imports) {
            return None;
        }
        let mut text = t.text.clone();
        found.into_iter().rev().for_each(|(_, range)| text.replace_range(range, d.operator));
        out.push((at, text));
    }
    Some(out)
}
