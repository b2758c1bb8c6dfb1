//! The expressions of `#if` and `#elif`: C integer expressions with `defined`.

use super::macros::{Expansion, Macros, identifier};

/// Nesting of parentheses and conditionals in one expression.
const DEPTH: usize = 100;

/// Value of an expression, and the names in it that mean nothing and so count as 0.
pub(crate) struct Value {
    pub(crate) value: i64,
    pub(crate) undefined: Vec<String>,
}

/// Evaluates the text after `#if`.
pub(crate) fn evaluate(text: &str, macros: &Macros, expansion: &mut Expansion<'_>) -> Result<Value, String> {
    let text = replace_defined(text, macros);
    let text = expansion.text(&text, &mut Vec::new()).into_owned();
    let mut parser = Parser { macros, rest: &text, undefined: Vec::new(), depth: 0 };
    let value = parser.ternary(true)?;
    parser.blanks();
    if parser.rest.is_empty() {
        Ok(Value { value, undefined: parser.undefined })
    } else {
        Err(format!("`{}` isn't expected in a preprocessor expression", parser.rest.trim_end()))
    }
}

/// `defined X` and `defined(X)` must be answered before `X` is expanded.
fn replace_defined(text: &str, macros: &Macros) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let word = identifier(rest);
        if word == "defined"
            && let Some((name, after)) = operand(rest.get(word.len()..).unwrap_or(""))
        {
            out.push_str(if macros.defined(name) { " 1 " } else { " 0 " });
            rest = after;
            continue;
        }
        let n = if word.is_empty() { c.len_utf8() } else { word.len() };
        let (head, tail) = rest.split_at(n);
        out.push_str(head);
        rest = tail;
    }
    out
}

/// The operand of `defined` and what follows it.
fn operand(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (open, inner) = text.strip_prefix('(').map_or((false, text), |t| (true, t.trim_start()));
    let name = identifier(inner);
    let after = inner.get(name.len()..)?;
    if name.is_empty() {
        return None;
    }
    if open { after.trim_start().strip_prefix(')').map(|a| (name, a)) } else { Some((name, after)) }
}

/// Binary operators by precedence, the longer spelling first.
const OPERATORS: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

struct Parser<'t> {
    macros: &'t Macros,
    rest: &'t str,
    undefined: Vec<String>,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.blanks();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// `live` is false in a branch whose value doesn't matter: there nothing is reported.
    fn ternary(&mut self, live: bool) -> Result<i64, String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err("the expression nests too deeply".to_string());
        }
        let condition = self.binary(0, live)?;
        let value = if self.take("?") {
            let yes = self.ternary(live && condition != 0)?;
            if !self.take(":") {
                return Err("`:` is missing after `?`".to_string());
            }
            let no = self.ternary(live && condition == 0)?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, min: u8, live: bool) -> Result<i64, String> {
        let mut left = self.unary(live)?;
        loop {
            self.blanks();
            let Some(&(op, level)) = OPERATORS.iter().find(|(op, _)| self.rest.starts_with(op)) else {
                return Ok(left);
            };
            if level <= min {
                return Ok(left);
            }
            self.take(op);
            let matters = match op {
                "||" => left == 0,
                "&&" => left != 0,
                _ => true,
            };
            let right = self.binary(level, live && matters)?;
            left = apply(op, left, right, live)?;
        }
    }

    fn unary(&mut self, live: bool) -> Result<i64, String> {
        let mut pending = Vec::new();
        loop {
            self.blanks();
            match self.rest.bytes().next() {
                Some(b @ (b'!' | b'-' | b'+' | b'~')) => {
                    pending.push(b);
                    self.rest = self.rest.get(1..).unwrap_or("");
                }
                _ => break,
            }
        }
        let value = self.primary(live)?;
        Ok(pending.iter().rev().fold(value, |v, op| match op {
            b'!' => i64::from(v == 0),
            b'-' => v.wrapping_neg(),
            b'~' => !v,
            _ => v,
        }))
    }

    fn primary(&mut self, live: bool) -> Result<i64, String> {
        if self.take("(") {
            let value = self.ternary(live)?;
            return if self.take(")") { Ok(value) } else { Err("`)` is missing".to_string()) };
        }
        let name = identifier(self.rest);
        if name == "defined" {
            let (name, after) =
                operand(self.rest.get(7..).unwrap_or("")).ok_or_else(|| "`defined` needs a name".to_string())?;
            self.rest = after;
            return Ok(i64::from(self.macros.defined(name)));
        }
        if !name.is_empty() {
            self.rest = self.rest.get(name.len()..).unwrap_or("");
            if self.rest.trim_start().starts_with('(') {
                return Err(format!("`{name}(` isn't a macro with parameters"));
            }
            if live {
                self.undefined.push(name.to_string());
            }
            return Ok(0);
        }
        self.number()
    }

    fn number(&mut self) -> Result<i64, String> {
        let n = self.rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')).count();
        let (word, rest) = self.rest.split_at(n);
        if word.is_empty() {
            return Err(match self.rest.chars().next() {
                None => "the preprocessor expression isn't complete".to_string(),
                Some(_) => format!("`{}` isn't expected in a preprocessor expression", self.rest.trim_end()),
            });
        }
        self.rest = rest;
        let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
        let lower = digits.to_ascii_lowercase();
        let parsed = match (lower.strip_prefix("0x"), lower.strip_prefix('0')) {
            (Some(hex), _) => i64::from_str_radix(hex, 16),
            (None, Some(octal)) if !octal.is_empty() => i64::from_str_radix(octal, 8),
            _ => lower.parse(),
        };
        parsed.map_err(|_| format!("`{word}` isn't an integer"))
    }
}

fn apply(op: &str, a: i64, b: i64, live: bool) -> Result<i64, String> {
    Ok(match op {
        "||" => i64::from(a != 0 || b != 0),
        "&&" => i64::from(a != 0 && b != 0),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<<" => a.wrapping_shl(b as u32),
        ">>" => a.wrapping_shr(b as u32),
        "|" => a | b,
        "^" => a ^ b,
        "&" => a & b,
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        _ if b == 0 && live => return Err("division by zero".to_string()),
        _ if b == 0 => 0,
        "/" => a.wrapping_div(b),
        _ => a.wrapping_rem(b),
    })
}
