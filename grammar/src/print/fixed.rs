//! Fixed form: free-form text set anew in columns 7 to 72.
//!
//! Blanks and line ends mean nothing to a fixed-form statement, so any statement that is understood in free form can be
//! set this way; only a character constant has to fill its line to the last column.

use super::layout::{Break, choose, tokens};

/// The last column of a statement.
const WIDTH: usize = 72;
/// Where statements begin.
const MARGIN: &str = "      ";
/// How a continued line begins.
const MORE: &str = "     &";
/// Deeper indentation isn't kept.
const MAX_INDENT: usize = 24;

/// Free-form text in fixed form.
pub fn fixed(text: &str) -> String {
    let mut out = Vec::new();
    let mut open: Option<Statement> = None;
    for line in text.lines() {
        let body = line.trim_start();
        if let Some(statement) = &mut open {
            if body.is_empty() || (body.starts_with('!') && statement.quote.is_none() && statement.directive.is_none())
            {
                out.push(body.to_string());
            } else if statement.go_on(body) {
                statement.set(&mut out);
                open = None;
            }
            continue;
        }
        if body.is_empty() || body.starts_with('#') || (body.starts_with('!') && directive(body).is_none()) {
            let indent = if body.starts_with('!') { line.len() - body.len() } else { 0 };
            // A `!` in column 6 would be a continuation.
            let indent =
                if indent == 0 { String::new() } else { format!("{MARGIN}{}", " ".repeat(indent.min(MAX_INDENT))) };
            out.push(format!("{indent}{body}"));
            continue;
        }
        let mut statement = Statement::new(line.len() - body.len(), directive(body));
        let body = &body[statement.directive.as_ref().map_or(0, String::len)..];
        if statement.go_on(body) {
            statement.set(&mut out);
        } else {
            open = Some(statement);
        }
    }
    if let Some(statement) = &open {
        statement.set(&mut out);
    }
    out.push(String::new());
    out.join("\n")
}

/// A part of a statement in fixed form that begins at a column, counted from 0: it fills its lines to the last column, so that
/// constants may stand in it.
pub(super) fn fit(text: &str, column: usize) -> String {
    let mut out = String::new();
    for (i, line) in text.split('\n').enumerate() {
        let mut column = if i == 0 { column } else { 0 };
        out.extend((i > 0).then_some('\n'));
        for c in line.chars() {
            if column >= WIDTH {
                out.push('\n');
                out.push_str(MORE);
                column = MORE.len();
            }
            out.push(c);
            column += c.len_utf8();
        }
    }
    out
}

/// The sentinel of a directive.
fn directive(body: &str) -> Option<String> {
    let low = body.to_ascii_lowercase();
    ["!$omp", "!$acc", "!$ad", "!$"].iter().find(|s| low.starts_with(**s)).map(|s| body[..s.len()].to_string())
}

/// A statement or directive being put together.
struct Statement {
    indent: usize,
    directive: Option<String>,
    code: String,
    /// The comment behind it.
    comment: String,
    /// The quote of the character constant that is open at the end of a line.
    quote: Option<char>,
    /// The line before ended in `&`, so that a leading `&` may follow.
    continued: bool,
}

impl Statement {
    fn new(indent: usize, directive: Option<String>) -> Statement {
        Statement { indent, directive, code: String::new(), comment: String::new(), quote: None, continued: false }
    }

    /// Takes another line; true where the statement ends with it.
    fn go_on(&mut self, body: &str) -> bool {
        let mut body = body;
        if self.continued {
            if let Some(sentinel) =
                self.directive.as_ref().filter(|s| body.to_ascii_lowercase().starts_with(&s.to_ascii_lowercase()))
            {
                body = body[sentinel.len()..].trim_start();
            }
            match body.strip_prefix('&') {
                Some(rest) => body = rest,
                None if self.code.ends_with(' ') => {}
                None => self.code.push(' '),
            }
        }
        let (code, comment) = self.take(body);
        let end = code.trim_end();
        self.continued = end.ends_with('&') && (self.quote.is_some() || comment.is_empty() || self.directive.is_none());
        self.code.push_str(if self.continued { &end[..end.len() - 1] } else { code });
        if !comment.is_empty() {
            let gap = if self.comment.is_empty() { "" } else { "  " };
            self.comment = format!("{}{gap}{comment}", self.comment);
        }
        !self.continued
    }

    /// Parts a line into code and comment, and follows its quotes.
    fn take<'a>(&mut self, body: &'a str) -> (&'a str, &'a str) {
        for (i, c) in body.char_indices() {
            match (self.quote, c) {
                (None, '!') => return body.split_at(i),
                (None, '\'' | '"') => self.quote = Some(c),
                (Some(q), _) if q == c => self.quote = None,
                _ => {}
            }
        }
        (body, "")
    }

    fn set(&self, out: &mut Vec<String>) {
        let code = self.code.trim();
        let digits = code.bytes().take_while(u8::is_ascii_digit).count();
        let (label, code) = if self.directive.is_none() { code.split_at(digits) } else { ("", code) };
        let indent = " ".repeat(self.indent.min(MAX_INDENT));
        let (start, more) = match &self.directive {
            Some(sentinel) => (format!("{sentinel:6}"), format!("{sentinel:5}&")),
            None => (format!("{label:<6}{indent}"), format!("{MORE}{indent}  ")),
        };
        let code = code.trim_start();
        let mut lines = Vec::new();
        // A line that goes on behind a semicolon isn't understood by all compilers.
        let several = self.directive.is_none() && start.len() + code.len() > WIDTH;
        for (k, part) in if several { statements(code) } else { vec![code] }.into_iter().enumerate() {
            let start = if k == 0 { start.clone() } else { format!("{MARGIN}{indent}") };
            lines.extend(set(part, start, &more));
        }
        let last = lines.last().map_or(0, String::len);
        if self.comment.is_empty() || last + 2 + self.comment.len() > WIDTH {
            if !self.comment.is_empty() {
                out.push(self.comment.clone());
            }
            out.extend(lines);
        } else {
            out.extend(lines);
            if let Some(line) = out.last_mut() {
                line.push_str("  ");
                line.push_str(&self.comment);
            }
        }
    }
}

/// What stands between semicolons, outside of character constants.
fn statements(code: &str) -> Vec<&str> {
    let (mut quote, mut from, mut out) = (None, 0, Vec::new());
    for (i, c) in code.char_indices() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), _) if q == c => quote = None,
            (None, ';') => {
                out.push(&code[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(&code[from..]);
    out.into_iter().map(str::trim).filter(|s| !s.is_empty()).collect()
}

/// The lines of a statement. `start` and `more` begin its first and its following lines.
fn set(code: &str, start: String, more: &str) -> Vec<String> {
    let mut tokens = tokens(code);
    let mut lines = Vec::new();
    let (mut start, mut next, mut from) = (start, 0, 0);
    while start.len() + code.len() - from > WIDTH {
        let room = WIDTH - start.len();
        let cut = match choose(code, &tokens, next, room, WIDTH - more.len()) {
            Break::Before(i) if i < tokens.len() && code[from..tokens[i].start].trim_end().len() <= room => {
                lines.push(format!("{start}{}", code[from..tokens[i].start].trim_end()));
                (start, next, from) = (more.to_string(), i, tokens[i].start);
                continue;
            }
            // What fits on no line fills this one, and goes on in the first column of the next.
            Break::Before(_) | Break::Within(_) => (from..=from + room).rev().find(|&i| code.is_char_boundary(i)),
        };
        let cut = cut.unwrap_or(code.len());
        lines.push(format!("{start}{}", &code[from..cut]));
        while next < tokens.len() && tokens[next].end <= cut {
            next += 1;
        }
        if let Some(token) = tokens.get_mut(next) {
            token.start = cut.max(token.start);
        }
        let inside = tokens.get(next).is_some_and(|t| t.start == cut);
        start = if inside { more[..6.min(more.len())].to_string() } else { more.to_string() };
        from = if inside { cut } else { tokens.get(next).map_or(code.len(), |t| t.start) };
    }
    if from < code.len() {
        lines.push(format!("{start}{}", &code[from..]));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::fixed;

    /// The statements of fixed-form text as one string: columns 7 to 72, padded, continuations joined.
    fn joined(text: &str) -> String {
        let mut out = String::new();
        for line in text.lines().filter(|l| !l.trim_start().starts_with('!')) {
            assert!(line.len() <= 72, "{line}");
            let line = format!("{line:72}");
            if !line.starts_with("     &") {
                out = out.trim_end().to_string();
                out.push('\n');
            }
            out.push_str(&line[6..]);
        }
        out.trim().to_string()
    }

    fn without_blanks(text: &str) -> String {
        text.chars().filter(|c| *c != ' ').collect()
    }

    #[test]
    fn statements_labels_and_comments() {
        let text = "  ! a comment\n10  continue\n  x = 1 + & ! why\n    2\n! outer\n#line\n\n  if (a) then  ! so\n";
        let expected = "        ! a comment\n10    continue\n        x = 1 + 2  ! why\n! outer\n#line\n\n        if (a) then  ! so\n";
        assert_eq!(fixed(text), expected);
    }

    #[test]
    fn long_statements_are_continued() {
        let sum: Vec<String> = (0..40).map(|i| format!("variable_{i}*(a({i}) + b({i}))")).collect();
        let code = format!("total = {}", sum.join(" + "));
        assert_eq!(without_blanks(&joined(&fixed(&format!("    {code}\n")))), without_blanks(&code));
    }

    #[test]
    fn long_strings_keep_their_blanks() {
        let string = format!("'{}it''s  the   end'", "a word  and ".repeat(12));
        let code = format!("write (*, *) {string}, x");
        let one = joined(&fixed(&format!("  {code}\n")));
        assert!(one.contains(&string), "{one}");
        let free = format!("  write (*, *) '{}&\n    &{}', x\n", "b ".repeat(30), "c ".repeat(30));
        let both = joined(&fixed(&free));
        assert!(both.contains(&format!("'{}{}'", "b ".repeat(30), "c ".repeat(30))), "{both}");
    }

    #[test]
    fn long_lines_of_several_statements_are_parted() {
        let text = "    if (c < n) then; if (a(c+1) < a(c)) c = c + 1; s = 'one; two'; call there(c); end if;  ! so\n";
        let expected = "          if (c < n) then\n          if (a(c+1) < a(c)) c = c + 1\n          s = 'one; two'\n          call there(c)\n          end if  ! so\n";
        assert_eq!(fixed(text), expected);
        assert_eq!(fixed("  a = 1; b = 2\n"), "        a = 1; b = 2\n");
    }

    #[test]
    fn long_names_in_deep_indentation_are_divided() {
        let name = "n".repeat(63);
        let code = format!("{name} = {name}");
        assert_eq!(without_blanks(&joined(&fixed(&format!("{}{code}\n", " ".repeat(60))))), without_blanks(&code));
    }

    #[test]
    fn parts_of_statements_fill_their_lines() {
        assert_eq!(super::fit("abc", 70), "ab\n     &c");
        assert_eq!(super::fit(&"x".repeat(70), 10), format!("{}\n     &{}", "x".repeat(62), "x".repeat(8)));
    }

    #[test]
    fn directives_stand_in_the_first_column() {
        let text = "    !$omp parallel do private(i) &\n    !$omp& shared(x)\n";
        assert_eq!(fixed(text), "!$omp parallel do private(i)  shared(x)\n");
        let long = format!("  !$omp parallel do private({})\n", vec!["name"; 20].join(", "));
        let set = fixed(&long);
        assert!(
            set.lines().count() > 1 && set.lines().skip(1).all(|l| l.starts_with("!$omp&") && l.len() <= 72),
            "{set}"
        );
    }
}
