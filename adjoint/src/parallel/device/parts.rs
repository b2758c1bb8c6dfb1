//! Parts of arrays as subscripts tell them: those that the host changes, and those that updates bring to the device.

use std::collections::BTreeMap;

use costate_grammar::ir::{Designator, Expr, LoopControl, Part, Program, Stmt, StmtKind, Subscript, SymId};
use costate_grammar::print::expr;

/// What a subscript runs through: the texts of its first and of its last value.
pub(super) type Range = (String, String);

/// A part of an array, dimension by dimension; empty where it isn't known.
pub(super) type Section = Vec<Range>;

/// The part that a reference names, given what the variables of loops around run through.
pub(super) fn named(program: &Program, d: &Designator, loops: &BTreeMap<SymId, Range>) -> Section {
    match d.parts.as_slice() {
        [Part::Subscripts(list)] => list.iter().map(|s| range(program, s, loops)).collect(),
        _ => Section::new(),
    }
}

/// The part that an item of a list names, as written; `None` for one that names all of it.
pub(super) fn written(item: &str) -> Option<Section> {
    let (_, subscripts) = item.trim_end().strip_suffix(')')?.split_once('(')?;
    Some(dimensions(subscripts))
}

/// The subscripts of a section as written, cut at commas outside parentheses and each at its colon.
fn dimensions(text: &str) -> Section {
    let (mut depth, mut all, mut from) = (0i32, Vec::new(), 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                all.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    all.push(&text[from..]);
    let plain = |t: &str| t.to_ascii_lowercase().split_whitespace().collect::<String>();
    all.into_iter().map(|t| t.split_once(':').map_or((plain(t), plain(t)), |(lo, hi)| (plain(lo), plain(hi)))).collect()
}

fn range(program: &Program, s: &Subscript, loops: &BTreeMap<SymId, Range>) -> Range {
    let text = |e: &Expr| expr(program, e).to_ascii_lowercase().split_whitespace().collect::<String>();
    match s {
        Subscript::Index(e) => {
            let counted = e.as_var().filter(|d| d.parts.is_empty()).and_then(|d| loops.get(&d.sym));
            counted.cloned().unwrap_or_else(|| (text(e), text(e)))
        }
        Subscript::Range { lo, hi, .. } => {
            let bound = |e: &Option<Expr>| e.as_ref().map(&text).unwrap_or_default();
            (bound(lo), bound(hi))
        }
    }
}

/// The variables that a loop counts with, with what they run through.
pub(super) fn counted(program: &Program, s: &Stmt) -> Vec<(SymId, Range)> {
    let text = |e: &Expr| expr(program, e).to_ascii_lowercase().split_whitespace().collect::<String>();
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, lo, hi, .. }, .. } => vec![(*var, (text(lo), text(hi)))],
        StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. } | StmtKind::Forall { indices, .. } => {
            indices.iter().map(|(var, lo, hi, _)| (*var, (text(lo), text(hi)))).collect()
        }
        _ => Vec::new(),
    }
}

/// True where each subscript of an element or a section is surely among those of another section.
pub(super) fn is_within(at: &[Range], section: &[Range]) -> bool {
    let between = |text: &String, (lo, hi): &Range| {
        let number = |t: &String| t.parse::<i64>().ok();
        let known = [lo, text, hi].map(number);
        let counted = matches!(known, [Some(lo), Some(x), Some(hi)] if lo <= x && x <= hi);
        text == lo || text == hi || counted
    };
    let dimension = |(own, of): (&Range, &Range)| {
        let whole = of.0.is_empty() && of.1.is_empty();
        whole || own == of || between(&own.0, of) && between(&own.1, of)
    };
    !at.is_empty() && at.len() == section.len() && at.iter().zip(section).all(dimension)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(at: &str, section: &str) -> bool {
        is_within(&dimensions(at), &dimensions(section))
    }

    #[test]
    fn sections_hold_elements_that_are_surely_among_theirs() {
        assert!(within("1", "1:1"));
        assert!(within("n", "n"));
        assert!(within("2, 3", ":, 1:5"));
        assert!(within("i, f(j, k)", "i:i, f(j,k)"));
        assert!(within("1:n", "1 : N"));
        assert!(!within("n", "1:1"));
        assert!(!within("i", "1:n"));
        assert!(!within("2", "3:5"));
        assert!(!within("1", "1, 1"));
    }
}
