//! How a file is written: indentation, case, spelling.

use crate::lines::{FileLines, LogicalLine};
use crate::source::SourceMap;

/// The style in which text is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Blanks for each level.
    pub indent: usize,
    /// `END DO` rather than `end do`.
    pub keyword_upper: bool,
    /// `end do` rather than `enddo`; program units and definitions always have the blank.
    pub end_spaced: bool,
    /// `.lt.` rather than `<`.
    pub operator_dots: bool,
    /// The longest line that is printed.
    pub max_width: usize,
    /// Every statement has a comment before it that says where it comes from: [`super::traced`] reads these.
    pub origins: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style {
            indent: 2,
            keyword_upper: false,
            end_spaced: true,
            operator_dots: false,
            max_width: 132,
            origins: false,
        }
    }
}

/// Statements whose first word tells the case of keywords.
const KEYWORDS: &[&str] = &[
    "allocate",
    "associate",
    "block",
    "call",
    "case",
    "character",
    "close",
    "contains",
    "continue",
    "cycle",
    "deallocate",
    "do",
    "else",
    "elseif",
    "elsewhere",
    "end",
    "endassociate",
    "enddo",
    "endfunction",
    "endif",
    "endmodule",
    "endprogram",
    "endselect",
    "endsubroutine",
    "endwhere",
    "exit",
    "forall",
    "function",
    "if",
    "implicit",
    "integer",
    "interface",
    "logical",
    "module",
    "open",
    "private",
    "program",
    "public",
    "real",
    "return",
    "select",
    "stop",
    "subroutine",
    "type",
    "use",
    "where",
    "write",
];

/// Constructs whose `end` statement is written with or without a blank. Units don't count: `enddo` goes well with
/// `end subroutine`.
const END_OF: &[&str] = &["associate", "do", "forall", "if", "select", "where"];

/// The widest indentation that counts as one level.
const MAX_INDENT: usize = 8;

impl Style {
    /// The style of a file by majority; the default where the file says nothing.
    pub fn detect(lines: &FileLines, sources: &SourceMap) -> Style {
        let default = Style::default();
        let mut indents = [0usize; MAX_INDENT + 1];
        let (mut upper, mut lower, mut spaced, mut joined, mut dots, mut signs) = (0, 0, 0, 0, 0, 0);
        let mut previous: Option<(usize, bool)> = None;
        for line in &lines.lines {
            let word = first_word(&line.text);
            let low = word.to_ascii_lowercase();
            if KEYWORDS.contains(&low.as_str()) {
                upper += usize::from(word.bytes().all(|b| b.is_ascii_uppercase()));
                lower += usize::from(word.bytes().all(|b| b.is_ascii_lowercase()));
            }
            match low.strip_prefix("end") {
                Some("") => spaced += usize::from(END_OF.contains(&second_word(&line.text).as_str())),
                Some(rest) => joined += usize::from(END_OF.contains(&rest)),
                None => {}
            }
            let (d, s) = relational(&line.text);
            dots += d;
            signs += s;
            let column = column(line, sources);
            if let (Some((before, true)), Some(now)) = (previous, column)
                && now > before
                && now - before <= MAX_INDENT
            {
                indents[now - before] += 1;
            }
            previous = column.map(|c| (c, opens(&line.text)));
        }
        let best = (1..=MAX_INDENT).rev().max_by_key(|&i| indents[i]).filter(|&i| indents[i] > 0);
        Style {
            indent: best.unwrap_or(default.indent),
            keyword_upper: upper > lower,
            end_spaced: spaced >= joined,
            operator_dots: dots > signs,
            ..default
        }
    }
}

/// The column (from 0) of an unlabelled statement that is the first on its line.
fn column(line: &LogicalLine, sources: &SourceMap) -> Option<usize> {
    let file = sources.file(line.span.file);
    let (number, col) = file.line_col(line.span.start);
    let before = file.text.get(file.line_start(number) as usize..line.span.start as usize)?;
    (line.label.is_none() && before.bytes().all(|b| b == b' ')).then_some(col - 1)
}

/// True when the statements after this one are indented, as most people have it.
fn opens(text: &str) -> bool {
    let low = text.to_ascii_lowercase();
    let word = first_word(&low);
    match word {
        "do" | "subroutine" | "program" => true,
        "if" => low.ends_with("then"),
        "where" | "function" | "select" | "interface" => false,
        _ => false,
    }
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn second_word(text: &str) -> String {
    let rest = text[first_word(text).len()..].trim_start();
    first_word(rest).to_ascii_lowercase()
}

/// How many comparisons a statement has in dotted and in sign spelling, strings left out.
fn relational(text: &str) -> (usize, usize) {
    let mut code = String::new();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None => code.push(c.to_ascii_lowercase()),
        }
    }
    let count = |words: &[&str]| words.iter().map(|w| code.matches(w).count()).sum();
    (
        count(&[".eq.", ".ne.", ".lt.", ".le.", ".gt.", ".ge."]),
        count(&["==", "/=", "<", ">"]) - code.matches("=>").count(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::Segment;
    use crate::source::{SourceFile, Span};

    fn detect(text: &str) -> Style {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("a.f90", text));
        let mut lines = FileLines { file, ..FileLines::default() };
        let mut at = 0u32;
        for line in text.split_inclusive('\n') {
            let code = line.trim();
            if !code.is_empty() {
                let start = at + (line.len() - line.trim_start().len()) as u32;
                let span = Span::new(file, start, start + code.len() as u32);
                let segments = vec![Segment { offset: 0, span, verbatim: true }];
                lines.lines.push(LogicalLine {
                    text: code.into(),
                    label: None,
                    segments,
                    span,
                    derived: false,
                    conditional: false,
                });
            }
            at += line.len() as u32;
        }
        Style::detect(&lines, &sources)
    }

    #[test]
    fn of_a_modern_file() {
        let text = "module m\ncontains\n  subroutine f(x)\n    real :: x\n    if (x > 0) then\n      x = 1\n    end if\n  \
                    end subroutine f\nend module m\n";
        assert_eq!(detect(text), Style::default());
    }

    #[test]
    fn of_an_old_file() {
        let text = "SUBROUTINE F(X)\n   REAL X\n   DO I=1,3\n      IF (X.GT.0.AND.S.EQ.'a<b') THEN\n         X = 1\n      \
                    ENDIF\n   ENDDO\nEND\n";
        let style = detect(text);
        assert_eq!(style.indent, 3);
        assert!(style.keyword_upper && !style.end_spaced && style.operator_dots);
    }

    #[test]
    fn of_nothing() {
        assert_eq!(detect(""), Style::default());
        assert_eq!(detect("p => q\n"), Style::default());
    }
}
