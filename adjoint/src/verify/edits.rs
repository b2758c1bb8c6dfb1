//! Which of the lines by which a file differs from what is generated make the derivatives wrong.

use std::ops::Range;

use costate_grammar::print::{TracedLine, traced};
use costate_grammar::source::{SourceMap, Span};

use super::subset::smallest;
use super::{Against, Generated};

/// So many groups of lines are shown.
const SHOWN: usize = 3;
/// So many checks are made to find the lines.
const TRIES: usize = 24;
/// Texts with more pairs of lines between their first and their last difference aren't compared line by line.
const COMPARED: usize = 4_000_000;

/// A group of lines that one text has in place of those of another.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hunk {
    old: Range<usize>,
    new: Range<usize>,
}

/// A file and the generated text that it is closest to.
pub(super) struct Edited<'a> {
    file: &'a Against,
    generated: Vec<TracedLine>,
    given: Vec<&'a str>,
    hunks: Vec<Hunk>,
}

impl<'a> Edited<'a> {
    /// Compares a file with what was generated with origins.
    pub(super) fn new(file: &'a Against, generated: &Generated) -> Option<Edited<'a>> {
        let given: Vec<&str> = file.text.lines().collect();
        let compared = |text: &str| {
            let generated = traced(text);
            let old: Vec<&str> = generated.iter().map(|l| l.text.as_str()).collect();
            let hunks = hunks(&old, &given);
            (generated, hunks)
        };
        let size = |hunks: &[Hunk]| hunks.iter().map(|h| h.old.len() + h.new.len()).sum::<usize>();
        let all = generated.files().map(|f| compared(&f.text));
        let (generated, hunks) = all.min_by_key(|(_, hunks)| size(hunks))?;
        Some(Edited { file, generated, given, hunks })
    }

    /// The generated text with some of the differences.
    fn with(&self, kept: &dyn Fn(usize) -> bool) -> Against {
        let mut out = String::new();
        let mut at = 0;
        let mut push = |line: &str| {
            out.push_str(line);
            out.push('\n');
        };
        for (i, hunk) in self.hunks.iter().enumerate() {
            self.generated[at..hunk.old.start].iter().for_each(|l| push(&l.text));
            match kept(i) {
                true => self.given[hunk.new.clone()].iter().for_each(|l| push(l)),
                false => self.generated[hunk.old.clone()].iter().for_each(|l| push(&l.text)),
            }
            at = hunk.old.end;
        }
        self.generated[at..].iter().for_each(|l| push(&l.text));
        Against { path: self.file.path.clone(), text: out }
    }

    /// The user's statement that a difference belongs to.
    fn origin(&self, hunk: &Hunk) -> Option<Span> {
        let own = self.generated[hunk.old.clone()].iter().find_map(|l| l.origin);
        // What was only added belongs to what stands before it.
        own.or_else(|| self.generated[..hunk.old.start].iter().rev().find(|l| is_code(&l.text))?.origin)
    }

    fn said(&self, hunk: &Hunk, sources: &SourceMap) -> String {
        let shown = |lines: Vec<&str>| {
            let text = lines.iter().map(|l| l.trim().trim_end_matches('&').trim_end()).filter(|l| is_code(l));
            shortened(&text.collect::<Vec<_>>().join(" "))
        };
        let new = shown(self.given[hunk.new.clone()].to_vec());
        let old = shown(self.generated[hunk.old.clone()].iter().map(|l| l.text.as_str()).collect());
        let path = &self.file.path;
        let mut out = match (new.is_empty(), old.is_empty()) {
            (true, _) => format!("`{path}` lacks `{old}` (line {} of the generated file)", hunk.old.start + 1),
            (false, true) => format!("line {} of `{path}`, `{new}`, isn't generated", hunk.new.start + 1),
            (false, false) => format!("line {} of `{path}` is `{new}`; generated is `{old}`", hunk.new.start + 1),
        };
        if let Some(origin) = self.origin(hunk) {
            out.push_str(&format!("\n      it belongs to {}", statement(sources, origin)));
        }
        out
    }
}

/// A user's statement, with its place.
pub(super) fn statement(sources: &SourceMap, span: Span) -> String {
    let file = sources.file(span.file);
    format!("{}:{}: `{}`", file.name, file.line_col(span.start).0, shortened(&sources.statement(span)))
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 90;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_string(),
    }
}

/// Says how files differ from what is generated, and which of the differences matter. `fails` checks the derivatives with
/// other files in place of the generated ones.
pub(super) fn explain(
    edited: &[Edited<'_>],
    sources: &SourceMap,
    fails: &mut dyn FnMut(&[Against]) -> bool,
) -> Vec<String> {
    let all: Vec<(usize, usize)> =
        edited.iter().enumerate().flat_map(|(f, e)| (0..e.hunks.len()).map(move |h| (f, h))).collect();
    if all.is_empty() {
        return edited.iter().map(|e| format!("`{}` is what is generated now", e.file.path)).collect();
    }
    let mut with = |kept: &[usize]| {
        let is_kept = |f: usize, h: usize| kept.iter().any(|k| all[*k] == (f, h));
        let files: Vec<Against> = edited.iter().enumerate().map(|(f, e)| e.with(&|h| is_kept(f, h))).collect();
        fails(&files)
    };
    if with(&[]) {
        return vec!["what is generated now is wrong, too".to_string()];
    }
    let found = smallest(all.len(), TRIES, &mut with);
    let said = |k: &usize| edited[all[*k].0].said(&edited[all[*k].0].hunks[all[*k].1], sources);
    let head = match found.len() {
        1 => "the difference starts in one place: as it is generated, the derivatives are right",
        _ => "the difference starts in these places together: as they are generated, the derivatives are right",
    };
    let mut out = String::from(head);
    for k in found.iter().take(SHOWN) {
        out.push_str("\n    ");
        out.push_str(&said(k));
    }
    if found.len() > SHOWN {
        out.push_str(&format!("\n    and {} more", found.len() - SHOWN));
    }
    vec![out]
}

fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && (!line.starts_with('!') || line.starts_with("!$"))
}

/// The groups of lines in which a text differs from another, by a longest common subsequence; indentation, blank lines
/// and comments apart.
fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let code = |lines: &[&str]| -> Vec<usize> { (0..lines.len()).filter(|i| is_code(lines[*i])).collect() };
    let (a, b) = (code(old), code(new));
    let same = |i: usize, j: usize| old[a[i]].trim() == new[b[j]].trim();
    let shorter = a.len().min(b.len());
    let first = (0..shorter).take_while(|i| same(*i, *i)).count();
    let last = (0..shorter - first).take_while(|i| same(a.len() - 1 - i, b.len() - 1 - i)).count();
    let (a_end, b_end) = (a.len() - last, b.len() - last);
    let mut pairs: Vec<(usize, usize)> = (0..first).map(|i| (i, i)).collect();
    pairs.extend(common((first..a_end, first..b_end), &same));
    pairs.extend((0..last).map(|i| (a_end + i, b_end + i)));
    // Lines between those that both have.
    let mut out = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (p, q) in pairs.into_iter().chain([(a.len(), b.len())]) {
        if p > i || q > j {
            let range = |list: &[usize], from: usize, to: usize, len: usize| match from < to {
                true => list[from]..list[to - 1] + 1,
                false => {
                    // Right behind the last line that both have.
                    let at = from.checked_sub(1).map_or(0, |k| list[k] + 1).min(len);
                    at..at
                }
            };
            out.push(Hunk { old: range(&a, i, p, old.len()), new: range(&b, j, q, new.len()) });
        }
        (i, j) = (p + 1, q + 1);
    }
    out
}

/// Pairs of a longest common subsequence.
fn common((a, b): (Range<usize>, Range<usize>), same: &dyn Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let (rows, width) = (a.len(), b.len());
    if rows * width > COMPARED {
        return Vec::new();
    }
    let mut length = vec![0u32; (rows + 1) * (width + 1)];
    let at = |i: usize, j: usize| i * (width + 1) + j;
    for i in (0..rows).rev() {
        for j in (0..width).rev() {
            length[at(i, j)] = match same(a.start + i, b.start + j) {
                true => length[at(i + 1, j + 1)] + 1,
                false => length[at(i + 1, j)].max(length[at(i, j + 1)]),
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < rows && j < width {
        if same(a.start + i, b.start + j) {
            out.push((a.start + i, b.start + j));
            (i, j) = (i + 1, j + 1);
        } else if length[at(i + 1, j)] >= length[at(i, j + 1)] {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(old: &str, new: &str) -> Vec<(Vec<String>, Vec<String>)> {
        let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let texts = |lines: &[&str]| lines.iter().map(|l| (*l).to_string()).collect::<Vec<_>>();
        hunks(&old, &new).into_iter().map(|h| (texts(&old[h.old]), texts(&new[h.new]))).collect()
    }

    #[test]
    fn lines_that_differ_are_found() {
        let old = "a = 1\nb = 2\n! c\nc = 3\nd = 4\n";
        let pair = |a: &[&str], b: &[&str]| {
            let texts = |l: &[&str]| l.iter().map(|t| (*t).to_string()).collect::<Vec<_>>();
            (texts(a), texts(b))
        };
        assert_eq!(found(old, "a = 1\nb = 5\n\nc = 3\nd = 4\n"), [pair(&["b = 2"], &["b = 5"])]);
        assert_eq!(found(old, "a = 1\nc = 3\nd = 4\n"), [pair(&["b = 2"], &[])]);
        assert_eq!(
            found(old, "a = 1\nb = 2\nx = 1\nc = 3\nd = 5"),
            [pair(&[], &["x = 1"]), pair(&["d = 4"], &["d = 5"])]
        );
        assert_eq!(found(old, "  a = 1\nb = 2\nc = 3\n! d\nd = 4\n"), []);
        assert_eq!(found("", "a = 1"), [pair(&[], &["a = 1"])]);
    }
}
