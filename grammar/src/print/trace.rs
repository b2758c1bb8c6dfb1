//! Where the lines of a printed text come from.

use super::layout::ORIGIN;
use crate::source::{FileId, Span};

/// A line of a text, and the user's statement that it was made from, where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedLine {
    /// The line.
    pub text: String,
    /// The user's statement.
    pub origin: Option<Span>,
}

/// The lines of a text that was printed with [`super::Style::origins`], without the comments that this adds.
pub fn traced(text: &str) -> Vec<TracedLine> {
    let mut origin = None;
    let mut out = Vec::new();
    for line in text.lines() {
        match line.strip_prefix(ORIGIN) {
            Some(place) => origin = span(place),
            None => {
                // What ends a unit, or begins one, comes from no statement.
                let word = line.trim_start();
                let unit = ["end subroutine", "end function", "end module", "end program"];
                if unit.iter().any(|u| word.len() >= u.len() && word[..u.len()].eq_ignore_ascii_case(u)) {
                    origin = None;
                }
                out.push(TracedLine { text: line.to_string(), origin });
            }
        }
    }
    out
}

fn span(text: &str) -> Option<Span> {
    let numbers: Vec<u32> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
    let [file, start, end] = numbers[..] else { return None };
    (end > start).then_some(Span { file: FileId(file), start, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_read_and_removed() {
        let text = "subroutine f\n!@ 0 10 20\n  x = 1\n!@ 0 0 0\n  y = 2\n!@ 1 3 4\nend subroutine\nend\n";
        let lines = traced(text);
        let origins: Vec<Option<u32>> = lines.iter().map(|l| l.origin.map(|s| s.start)).collect();
        assert_eq!(origins, [None, Some(10), None, None, None]);
        assert!(lines.iter().all(|l| !l.text.contains("!@")));
    }
}
