//! Small errors put into generated code, as a slip of a generator or an editor would: a check must find them.

use crate::random::Rng;

/// A text with one error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The whole text.
    pub text: String,
    /// The line of the statement that was changed, from 1.
    pub line: usize,
    /// What it was.
    pub before: String,
    /// What it is.
    pub after: String,
}

/// A statement of executable code, with the lines it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Statement {
    first: usize,
    last: usize,
    text: String,
    kind: Kind,
    /// Loop variables of the procedure.
    counters: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// With the position of its `=`.
    Assignment(usize),
    Call,
    Loop,
    Condition,
}

/// One of the errors that the statements of a text in free form allow; `None` where there is none.
pub fn mutant(text: &str, rng: &mut Rng) -> Option<Mutant> {
    let statements = statements(text);
    if statements.is_empty() {
        return None;
    }
    // A statement may not allow the error that is drawn for it.
    for _ in 0..60 {
        let s = rng.pick(&statements);
        let Some(after) = change(s, rng).filter(|a| *a != s.text) else { continue };
        let mut lines: Vec<&str> = text.lines().collect();
        lines.splice(s.first..=s.last, after.lines());
        return Some(Mutant {
            text: lines.join("\n") + "\n",
            line: s.first + 1,
            before: s.text.clone(),
            after: after.clone(),
        });
    }
    None
}

/// The text with an end of the program before the statement that a mutant changes.
pub fn stopping(text: &str, mutant: &Mutant) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(mutant.line - 1, "error stop 99");
    lines.join("\n") + "\n"
}

/// The statements that can have an error.
fn statements(text: &str) -> Vec<Statement> {
    let mut out: Vec<Statement> = Vec::new();
    // Where the statements of the procedure begin.
    let mut begin = 0;
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while at < lines.len() {
        let first = at;
        let mut joined = uncommented(lines[at]).to_string();
        while joined.trim_end().ends_with('&') && at + 1 < lines.len() {
            at += 1;
            joined.truncate(joined.trim_end().len() - 1);
            joined.push_str(uncommented(lines[at]).trim_start().trim_start_matches('&'));
        }
        at += 1;
        let words = joined.trim().to_ascii_lowercase();
        if words.starts_with("end subroutine") || words.starts_with("end function") {
            let counters = counters(&out[begin..]);
            out[begin..].iter_mut().for_each(|s| s.counters.clone_from(&counters));
            begin = out.len();
        }
        if let Some(kind) = kind(&words) {
            out.push(Statement { first, last: at - 1, text: words, kind, counters: Vec::new() });
        }
    }
    // What stands outside of procedures isn't executed.
    out.truncate(begin);
    out
}

/// A line without its comment. Lines with texts are left alone altogether, and directives are comments here.
fn uncommented(line: &str) -> &str {
    line.split_once('!').map_or(line, |(code, _)| code)
}

fn kind(text: &str) -> Option<Kind> {
    if text.contains(['\'', '"', ';']) || text.contains("::") {
        return None;
    }
    if text.starts_with("call ") {
        return Some(Kind::Call);
    }
    if text.starts_with("do ") && text.contains('=') {
        return Some(Kind::Loop);
    }
    if (text.starts_with("if (") || text.starts_with("else if (")) && text.ends_with("then") {
        return Some(Kind::Condition);
    }
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let word: &str = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or("");
    let keyword =
        ["if", "where", "forall", "allocate", "deallocate", "do", "data", "parameter", "use", "read", "write"];
    let at = top_level(text, '=').first().copied()?;
    let plain = !text[at + 1..].starts_with(['=', '>']) && !text[..at].ends_with(['/', '<', '>', '=']);
    (starts && plain && !keyword.contains(&word)).then_some(Kind::Assignment(at))
}

/// Positions of a character outside of parentheses.
fn top_level(text: &str, wanted: char) -> Vec<usize> {
    let mut depth = 0;
    let mut out = Vec::new();
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            c if c == wanted && depth == 0 => out.push(i),
            _ => {}
        }
    }
    out
}

fn counters(statements: &[Statement]) -> Vec<String> {
    let name = |s: &Statement| Some(s.text.strip_prefix("do ")?.split_once('=')?.0.trim().to_string());
    let loops = statements.iter().filter(|s| s.kind == Kind::Loop);
    let mut out: Vec<String> = loops.filter_map(name).collect();
    out.sort();
    out.dedup();
    out
}

fn change(s: &Statement, rng: &mut Rng) -> Option<String> {
    let dropped = || Some("continue".to_string());
    match s.kind {
        Kind::Call => dropped(),
        Kind::Condition => {
            let (open, close) = (s.text.find('(')?, s.text.rfind(')')?);
            Some(format!("{}.not. ({}){}", &s.text[..=open], &s.text[open + 1..close], &s.text[close..]))
        }
        Kind::Loop => {
            let at = *rng.pick(&[s.text.find('=')? + 1, top_level(&s.text, ',').first()? + 1]);
            let end = top_level(&s.text, ',').into_iter().find(|c| *c >= at).unwrap_or(s.text.len());
            let by = rng.text(&["+ 1", "- 1"]);
            Some(format!("{} ({}) {by}{}", &s.text[..at], s.text[at..end].trim(), &s.text[end..]))
        }
        Kind::Assignment(at) => match rng.below(6) {
            0 | 1 => dropped(),
            2 => Some(format!("{}= -({})", &s.text[..at], s.text[at + 1..].trim()))
                .filter(|_| s.text[..at].contains('_')),
            3 => operator(&s.text, at, rng),
            4 => index(s, rng),
            _ => operand(&s.text, at, rng),
        },
    }
}

/// Another operator: `+` and `-` for each other, `*` and `/` likewise.
fn operator(text: &str, at: usize, rng: &mut Rng) -> Option<String> {
    let bytes = text.as_bytes();
    let is_operator = |i: &usize| {
        let near = |j: usize| bytes.get(j).copied().unwrap_or(b' ');
        match bytes[*i] {
            // Signs of exponents and of what a parenthesis begins with aren't operators.
            b'+' | b'-' => {
                let exponent = near(i - 1) == b'd' || near(i - 1) == b'e';
                let before = text[..*i].trim_end().bytes().last().unwrap_or(b'=');
                !exponent && !b"=(,*/".contains(&before)
            }
            b'*' => near(i - 1) != b'*' && near(i + 1) != b'*',
            b'/' => near(i + 1) != b'=' && near(i + 1) != b')' && near(i - 1) != b'(',
            _ => false,
        }
    };
    let places: Vec<usize> = (at + 1..bytes.len()).filter(is_operator).collect();
    if places.is_empty() {
        return None;
    }
    let place = *rng.pick(&places);
    let other = match bytes[place] {
        b'+' => "-",
        b'-' => "+",
        b'*' => "/",
        _ => "*",
    };
    Some(format!("{}{other}{}", &text[..place], &text[place + 1..]))
}

/// A loop variable within a subscript is off by one.
fn index(s: &Statement, rng: &mut Rng) -> Option<String> {
    let inside = |place: &(usize, usize)| {
        let open = s.text[..place.0].matches('(').count();
        open > s.text[..place.0].matches(')').count()
    };
    let places: Vec<(usize, usize)> = names(&s.text)
        .into_iter()
        .filter(|(a, b)| s.counters.iter().any(|c| *c == s.text[*a..*b]))
        .filter(inside)
        .collect();
    if places.is_empty() {
        return None;
    }
    let (a, b) = *rng.pick(&places);
    let by = rng.text(&["+1", "-1"]);
    Some(format!("{}({}{by}){}", &s.text[..a], &s.text[a..b], &s.text[b..]))
}

/// A factor is another number, or an operand is missing its derivative's name's ending.
fn operand(text: &str, at: usize, rng: &mut Rng) -> Option<String> {
    let start = at + 1;
    let numbers: Vec<(usize, usize)> = text[start..]
        .match_indices(".0")
        .filter_map(|(i, _)| {
            let point = start + i;
            let first = text[..point].rfind(|c: char| !c.is_ascii_digit()).map_or(0, |p| p + 1);
            let single = first < point && !text[first..point].starts_with('0');
            single.then_some((first, point))
        })
        .collect();
    if !numbers.is_empty() && rng.chance(50) {
        let (a, b) = *rng.pick(&numbers);
        return Some(format!("{}{}{}", &text[..a], text[a..b].parse::<u64>().ok()? + 1, &text[b..]));
    }
    // The value in place of its derivative, or the other way round.
    let list = names(text);
    let swapped = list.iter().filter(|(a, _)| *a > at).find_map(|(a, b)| {
        let name = &text[*a..*b];
        let primal = name.strip_suffix("_b").or_else(|| name.strip_suffix("_d"))?;
        Some(format!("{}{primal}{}", &text[..*a], &text[*b..]))
    });
    swapped.filter(|_| rng.chance(50))
}

/// Where names begin and end.
fn names(text: &str) -> Vec<(usize, usize)> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, word(c)) {
            (None, true) => start = Some(i),
            (Some(a), false) => {
                let before = text[..a].bytes().last().unwrap_or(b' ');
                if text[a..].starts_with(|c: char| c.is_ascii_alphabetic()) && before != b'%' && before != b'.' {
                    out.push((a, i));
                }
                start = None;
            }
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "subroutine f_b(n, x, x_b, y_b)
  integer, intent(in) :: n
  real(8) :: x(n), x_b(n), y_b
  ! x = 1
  do i = n, 1, -1
    if (x(i) > 0.0d0) then
      x_b(i) = x_b(i) + 2.0d0*x(i)* &
        y_b
    end if
  end do
  call g_b(x)
  y_b = 0.0d0
end subroutine
";

    #[test]
    fn statements_are_found_with_their_loops() {
        let found = statements(TEXT);
        let kinds: Vec<Kind> = found.iter().map(|s| s.kind).collect();
        assert_eq!(kinds, [Kind::Loop, Kind::Condition, Kind::Assignment(7), Kind::Call, Kind::Assignment(4)]);
        assert_eq!((found[2].first, found[2].last), (6, 7));
        assert!(found.iter().all(|s| s.counters == ["i"]));
    }

    #[test]
    fn every_error_is_drawn() {
        let mut rng = Rng::new(1);
        let all: std::collections::BTreeSet<String> =
            (0..3000).filter_map(|_| mutant(TEXT, &mut rng)).map(|m| m.after).collect();
        for wanted in [
            "do i =  (n) + 1, 1, -1",
            "if (.not. (x(i) > 0.0d0)) then",
            "continue",
            "x_b(i) = -(x_b(i) + 2.0d0*x(i)* y_b)",
            "x_b(i) = x_b(i) - 2.0d0*x(i)* y_b",
            "x_b(i) = x_b(i) + 2.0d0*x((i-1))* y_b",
            "x_b((i+1)) = x_b(i) + 2.0d0*x(i)* y_b",
            "x_b(i) = x_b(i) + 3.0d0*x(i)* y_b",
            "x_b(i) = x_b(i) + 2.0d0/x(i)* y_b",
            "x_b(i) = x(i) + 2.0d0*x(i)* y_b",
        ] {
            let near: Vec<&String> =
                all.iter().filter(|a| a.split_whitespace().eq(wanted.split_whitespace())).collect();
            assert_eq!(near.len(), 1, "{wanted}: {all:#?}");
        }
    }
}
