//! The text of a head: `[module::]procedure(dependents)/(independents)`.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::Name;

/// The text of a head, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadText {
    /// The module before the procedure's name.
    pub module: Option<Name>,
    /// The procedure's name.
    pub procedure: Name,
    /// Outputs; `None` for all real ones.
    pub dependents: Option<Vec<NameText>>,
    /// Inputs; `None` for all real ones.
    pub independents: Option<Vec<NameText>>,
    /// The head as written.
    pub text: String,
}

/// A variable as a head writes it: `x`, `s%t`, `m::v%c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameText {
    /// The module before `::`.
    pub module: Option<Name>,
    /// The variable.
    pub base: Name,
    /// Its components.
    pub path: Vec<Name>,
    /// As written, without blanks.
    pub text: String,
}

/// Reads one head.
pub fn parse_head(text: &str) -> Result<HeadText, Diagnostic> {
    let mut heads = parse_heads(text)?;
    match (heads.pop(), heads.is_empty()) {
        (Some(head), true) => Ok(head),
        _ => Err(syntax(text, "holds more than one head", text.len())),
    }
}

/// Reads the heads of one `--head`: usually one; several are separated by blanks or commas.
pub fn parse_heads(text: &str) -> Result<Vec<HeadText>, Diagnostic> {
    let mut reader = Reader { text, at: 0 };
    let mut heads = Vec::new();
    loop {
        reader.blanks();
        if reader.done() {
            break;
        }
        let start = reader.at;
        let mut head = reader.head()?;
        head.text = text[start..reader.at].trim().to_string();
        heads.push(head);
        if (reader.eat(",") || reader.eat(";")) && reader.rest().trim().is_empty() {
            return Err(reader.error("needs another head"));
        }
    }
    if heads.is_empty() {
        return Err(syntax(text, "is empty", 0));
    }
    Ok(heads)
}

fn syntax(text: &str, what: &str, at: usize) -> Diagnostic {
    let (before, after) = text.split_at(at.min(text.len()));
    let place = match (before.trim(), after.trim()) {
        ("", _) => "at its start".to_string(),
        (b, "") => format!("at its end, after `{b}`"),
        (b, a) => format!("after `{b}`, at `{a}`"),
    };
    Diagnostic::global(Code::HeadSyntax, format!("the head `{text}` {what}, {place}"))
        .help("write `[module::]procedure(dependents)/(independents)`, as in `--head 'm::f(y)/(x)'`, or the procedure's name alone")
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn done(&self) -> bool {
        self.at >= self.text.len()
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn error(&self, what: &str) -> Diagnostic {
        syntax(self.text, what, self.at)
    }

    fn name(&mut self, what: &str) -> Result<Name, Diagnostic> {
        self.blanks();
        let rest = self.rest();
        let length = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let name = &rest[..length];
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(self.error(&format!("needs {what}")));
        }
        let name = Name::new(name);
        self.at += length;
        Ok(name)
    }

    fn head(&mut self) -> Result<HeadText, Diagnostic> {
        let first = self.name("a procedure's name")?;
        let qualified = self.eat("::") || self.eat("%") || self.eat(".");
        let (module, procedure) =
            if qualified { (Some(first), self.name("a procedure's name")?) } else { (None, first) };
        let mut head = HeadText { module, procedure, dependents: None, independents: None, text: String::new() };
        if !self.eat("(") {
            return Ok(head);
        }
        let left = self.list()?;
        let inputs_first = if self.eat("/") || self.eat("\\") {
            false
        } else if self.eat(">") {
            true
        } else {
            return Err(self.error("needs `/` (or `>`) and a second list in parentheses"));
        };
        if !self.eat("(") {
            return Err(self.error("needs a list in parentheses"));
        }
        let right = self.list()?;
        let (outputs, inputs) = if inputs_first { (right, left) } else { (left, right) };
        head.dependents = Some(outputs);
        head.independents = Some(inputs);
        Ok(head)
    }

    /// The names up to the closing parenthesis, separated by commas or blanks.
    fn list(&mut self) -> Result<Vec<NameText>, Diagnostic> {
        let mut names = Vec::new();
        while !self.eat(")") {
            names.push(self.variable()?);
            self.eat(",");
        }
        if names.is_empty() {
            return Err(self.error("has an empty list"));
        }
        Ok(names)
    }

    /// The refusal of a variable with subscripts, which starts at `start`.
    fn element(&self, start: usize) -> Diagnostic {
        let (mut depth, mut whole) = (0, String::new());
        for c in self.text[start..].chars() {
            match c {
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                ')' | ',' | ' ' if depth == 0 => break,
                _ if depth == 0 => whole.push(c),
                _ => {}
            }
        }
        let message = format!("the head `{}` names elements of an array, at `{}`", self.text, &self.text[start..]);
        Diagnostic::global(Code::HeadSyntax, message)
            .help(format!("name all of it, `{whole}`, and give the elements that don't count a derivative of zero"))
    }

    fn variable(&mut self) -> Result<NameText, Diagnostic> {
        self.blanks();
        let start = self.at;
        let mut base = self.name("a variable's name or `)`")?;
        let mut module = None;
        if self.eat("::") {
            module = Some(base);
            base = self.name("a module variable's name")?;
        }
        let mut path = Vec::new();
        while self.eat("%") {
            path.push(self.name("a component's name")?);
        }
        if self.rest().starts_with('(') {
            return Err(self.element(start));
        }
        let mut text = module.as_ref().map_or(String::new(), |m| format!("{m}::"));
        text.push_str(&base);
        for component in &path {
            text.push('%');
            text.push_str(component);
        }
        Ok(NameText { module, base, path, text })
    }
}
