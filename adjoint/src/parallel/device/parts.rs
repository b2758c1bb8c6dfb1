//! Parts of arrays as subscripts tell them: those that the host changes, and those that updates bring to the device.

use std::collections::BTreeSet;

use costate_analysis::storage::symbols;

use costate_grammar::directives::{Directive, items};
use costate_grammar::ir::{
    Designator, Expr, LoopControl, Name, Part, Program, Stmt, StmtKind, Subscript, SymId, words,
};
use costate_grammar::print::expr;

/// What a subscript runs through: the texts of its first and of its last value.
pub(super) type Range = (String, String);

/// A part of an array, dimension by dimension; empty where it isn't known.
pub(super) type Section = Vec<Range>;

/// A part that the host has changed or reads, or that is brought there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    /// Empty where it isn't known.
    pub(super) at: Section,
    /// The variables of which subscripts make use, which are as they were.
    uses: BTreeSet<SymId>,
}

impl Piece {
    /// What an item of an update names, `names` being the variables of its text.
    pub(super) fn of_item(program: &Program, at: &Section, names: &[SymId]) -> Piece {
        let used = |n: &&SymId| at.iter().any(|r| [&r.0, &r.1].iter().any(|t| has_word(t, program[**n].name.as_str())));
        Piece { at: at.clone(), uses: names.iter().filter(used).copied().collect() }
    }

    /// True where it is surely among what another one is.
    pub(super) fn is_within(&self, other: &Piece) -> bool {
        is_within(&self.at, &other.at)
    }

    /// True where it depends on the value of one of some variables.
    pub(super) fn uses(&self, of: &impl Fn(SymId) -> bool) -> bool {
        self.uses.iter().any(|x| of(*x))
    }

    /// What a reference names.
    pub(super) fn by(program: &Program, d: &Designator) -> Piece {
        match d.parts.as_slice() {
            [Part::Subscripts(list)] => {
                let at = list.iter().map(|s| range(program, s)).collect();
                let mut uses = BTreeSet::new();
                list.iter().flat_map(exprs).for_each(|e| uses.extend(symbols(e)));
                Piece { at, uses }
            }
            _ => Piece::default(),
        }
    }

    /// The same once some variables have other values.
    pub(super) fn without(self, revised: &impl Fn(SymId) -> bool) -> Piece {
        if self.uses(revised) { Piece::default() } else { self }
    }

    /// The same behind a loop that counts with a variable.
    pub(super) fn behind(mut self, program: &Program, counted: &Counted) -> Piece {
        let name = program[counted.var].name.as_str();
        for r in self.at.iter_mut().filter(|r| r.0 == name && r.1 == name) {
            r.clone_from(&counted.range);
            self.uses.remove(&counted.var);
            self.uses.extend(&counted.uses);
        }
        let left = |r: &Range| [&r.0, &r.1].into_iter().any(|t| has_word(t, name));
        if self.at.iter().any(left) { Piece::default() } else { self }
    }
}

/// A variable that a loop counts with, and what it runs through.
#[derive(Clone)]
pub(super) struct Counted {
    pub(super) var: SymId,
    range: Range,
    uses: BTreeSet<SymId>,
}

/// What an item of an update brings up to date.
pub(super) struct Updated {
    pub(super) sym: SymId,
    pub(super) to_device: bool,
    /// The part; `None` for all of it.
    pub(super) section: Option<Section>,
}

/// What an update brings up to date; `names` are the variables that its text names.
pub(super) fn updated(program: &Program, directive: &Directive, names: &[SymId]) -> Vec<Updated> {
    let mut out = Vec::new();
    for (to_device, list) in directive.updated() {
        for item in list {
            let Some(sym) = base(program, &item, names) else { continue };
            let subscripts = item.trim_end().strip_suffix(')').and_then(|i| i.split_once('('));
            out.push(Updated { sym, to_device, section: subscripts.map(|(_, text)| dimensions(text)) });
        }
    }
    out
}

/// What a directive takes off the device without bringing its values to the host.
pub(super) fn dropped(program: &Program, directive: &Directive, names: &[SymId]) -> Vec<SymId> {
    directive.dropped().iter().filter_map(|item| base(program, item, names)).collect()
}

/// What a directive puts on the device without the host's values.
pub(super) fn created(program: &Program, directive: &Directive, names: &[SymId]) -> Vec<SymId> {
    directive.created().iter().filter_map(|item| base(program, item, names)).collect()
}

/// What a directive puts on the device with the host's values.
pub(super) fn entered(program: &Program, directive: &Directive, names: &[SymId]) -> Vec<SymId> {
    directive.entered().iter().filter_map(|item| base(program, item, names)).collect()
}

/// What a directive takes off the device with its values.
pub(super) fn copied_out(program: &Program, directive: &Directive, names: &[SymId]) -> Vec<SymId> {
    directive.copied_out().iter().filter_map(|item| base(program, item, names)).collect()
}

/// Those of the variables that a list of a clause names.
pub(super) fn named<'n>(
    program: &Program,
    list: &[String],
    names: &'n [SymId],
) -> impl Iterator<Item = SymId> + use<'n> {
    let base = |item: &String| item.split(['%', '(']).next().map(|b| b.trim().to_ascii_lowercase());
    let bases: BTreeSet<String> = list.iter().filter_map(base).collect();
    let found: Vec<bool> =
        names.iter().map(|s| bases.contains(&program[*s].name.as_str().to_ascii_lowercase())).collect();
    names.iter().zip(found).filter(|(_, hit)| *hit).map(|(s, _)| *s)
}

/// The variable of an item of a list.
fn base(program: &Program, item: &str, names: &[SymId]) -> Option<SymId> {
    let base = Name::new(item.split(['%', '(']).next().unwrap_or_default().trim());
    names.iter().copied().find(|n| program[*n].name == base)
}

/// The subscripts of a section as written, cut at commas outside parentheses and each at its colon.
fn dimensions(text: &str) -> Section {
    items(text, b',')
        .iter()
        .map(|t| t.split_once(':').map_or((plain(t), plain(t)), |(lo, hi)| (plain(lo), plain(hi))))
        .collect()
}

fn has_word(text: &str, word: &str) -> bool {
    words(text).any(|w| w == word)
}

/// A text without blanks, in lower case.
fn plain(text: &str) -> String {
    text.to_ascii_lowercase().split_whitespace().collect()
}

fn text(program: &Program, e: &Expr) -> String {
    plain(&expr(program, e))
}

fn range(program: &Program, s: &Subscript) -> Range {
    match s {
        Subscript::Index(e) => (text(program, e), text(program, e)),
        Subscript::Range { lo, hi, .. } => {
            let bound = |e: &Option<Expr>| e.as_ref().map(|e| text(program, e)).unwrap_or_default();
            (bound(lo), bound(hi))
        }
    }
}

/// The expressions of a subscript.
pub(super) fn exprs(s: &Subscript) -> Vec<&Expr> {
    match s {
        Subscript::Index(e) => vec![e],
        Subscript::Range { lo, hi, step } => [lo, hi, step].into_iter().flatten().collect(),
    }
}

/// The variables that a loop counts with.
pub(super) fn counted(program: &Program, s: &Stmt) -> Vec<Counted> {
    let of = |var: SymId, [lo, hi]: [&Expr; 2], step: Option<&Expr>| {
        let uses = symbols(lo).into_iter().chain(symbols(hi)).collect();
        let [lo, hi] = [lo, hi].map(|e| text(program, e));
        let range = match step.map(|e| e.as_int()) {
            None | Some(Some(1..)) => (lo, hi),
            Some(Some(..=0)) => (hi, lo),
            // What no text of the program says is no part of anything.
            Some(_) => ("?".into(), "?".into()),
        };
        Counted { var, range, uses }
    };
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } => {
            vec![of(*var, [lo, hi], step.as_ref())]
        }
        StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. } | StmtKind::Forall { indices, .. } => {
            indices.iter().map(|(var, lo, hi, step)| of(*var, [lo, hi], step.as_ref())).collect()
        }
        _ => Vec::new(),
    }
}

/// The number that a text ends with, its sign before it, and the text without it; a number alone is one.
fn offset(text: &str) -> (&str, i64) {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let base = digits.strip_suffix(['+', '-']).unwrap_or(digits);
    let signed = base.len() < digits.len() || digits.is_empty();
    match text[base.len()..].parse() {
        Ok(number) if signed => (base, number),
        _ => (text, 0),
    }
}

/// True where each subscript of an element or a section is surely among those of another section.
pub(super) fn is_within(at: &[Range], section: &[Range]) -> bool {
    // Between bounds of which nothing is known there may be nothing; a bound that isn't there is that of the array.
    let between = |text: &String, (lo, hi): &Range| {
        let (of, at) = offset(text);
        let bound = |t: &String, fits: fn(i64, i64) -> bool| t.is_empty() || offset(t).0 == of && fits(offset(t).1, at);
        !text.is_empty() && bound(lo, |lo, at| lo <= at) && bound(hi, |hi, at| at <= hi)
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
        assert!(within("1", ":1"));
        assert!(within("n", "n:"));
        assert!(!within("2", ":1"));
        assert!(!within("n", ":m"));
        assert!(!within("n-1", "n:"));
        assert!(within("n", "n:n"));
        assert!(within("n", "n - 1:n"));
        assert!(within("n + 1", "n:n+2"));
        assert!(!within("n", "2:n"));
        assert!(!within("n1", "n0:n2"));
        assert!(!within("n", "n+1:n-1"));
        assert!(within("2, 3", ":, 1:5"));
        assert!(within("i, f(j, k)", "i:i, f(j,k)"));
        assert!(within("1:n", "1 : N"));
        assert!(!within("n", "1:1"));
        assert!(!within("i", "1:n"));
        assert!(!within("2", "3:5"));
        assert!(!within("1", "1, 1"));
    }
}
