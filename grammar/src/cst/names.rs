//! Names that look like keywords. Fortran has no reserved words, and the parser's grammar has many: the text that the
//! parser gets spells such a name another way, of the same length, while nodes keep the user's spelling.
//!
//! Only words whose place in the statement makes them names are changed; a statement that isn't known here stays as it is.

use std::ops::Range;

use super::keywords::{ATTRIBUTES, TYPES, is_keyword};
use super::tokens::{Token, TokenKind, tokens};
use crate::units::{StatementClass, UnitKind, classify};

/// The statement with every name that looks like a keyword spelt another way of the same length; `None` where there is none.
pub(super) fn respelt(text: &str) -> Option<String> {
    // Most statements have no such name: no second word of the kind, and no keyword that is assigned to.
    let tokens = tokens(text);
    let suspicious = |t: &Token| t.kind == TokenKind::Word && is_keyword(&text[t.range()]);
    if !tokens.iter().any(suspicious) {
        return None;
    }
    let mut finder = Finder { text, tokens: &tokens, names: Vec::new(), blanks: Vec::new(), words: Vec::new() };
    finder.members();
    finder.statement(0);
    if finder.names.is_empty() && finder.blanks.is_empty() && finder.words.is_empty() {
        return None;
    }
    let mut out = text.as_bytes().to_vec();
    for at in finder.words.into_iter().flat_map(|w| tokens[w.start].start..tokens[w.end - 1].end) {
        if !out[at].is_ascii_alphanumeric() {
            out[at] = b'_';
        }
    }
    for i in finder.blanks {
        out[tokens[i].start] = b' ';
    }
    for i in finder.names {
        // No keyword ends in an underscore.
        out[tokens[i].end - 1] = b'_';
    }
    String::from_utf8(out).ok()
}

struct Finder<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// Tokens that are names and look like keywords.
    names: Vec<usize>,
    /// What the parser doesn't know and statements mean the same without: stars between a name and its length in
    /// parentheses, the slashes of blank common and the commas before others.
    blanks: Vec<usize>,
    /// Tokens that together stand where the parser takes a name only.
    words: Vec<Range<usize>>,
}

impl<'a> Finder<'a> {
    fn kind(&self, i: usize) -> TokenKind {
        self.tokens.get(i).map_or(TokenKind::End, |t| t.kind)
    }

    fn word(&self, i: usize) -> &'a str {
        match self.tokens.get(i) {
            Some(t) if t.kind == TokenKind::Word => &self.text[t.range()],
            _ => "",
        }
    }

    fn is(&self, i: usize, word: &str) -> bool {
        self.word(i).eq_ignore_ascii_case(word)
    }

    fn one_of(&self, i: usize, words: &[&str]) -> bool {
        let word = self.word(i);
        words.iter().any(|w| w.eq_ignore_ascii_case(word))
    }

    fn punct(&self, i: usize, text: &str) -> bool {
        self.tokens.get(i).is_some_and(|t| t.kind == TokenKind::Punct && &self.text[t.range()] == text)
    }

    fn follows(&self, i: usize, text: &str) -> bool {
        i > 0 && self.punct(i - 1, text)
    }

    /// The tokens within the brackets that open at `i`; `None` where none do.
    fn group(&self, i: usize) -> Option<Range<usize>> {
        if !(self.punct(i, "(") || self.punct(i, "[")) {
            return None;
        }
        let mut depth = 0usize;
        for at in i..self.tokens.len() {
            if self.punct(at, "(") || self.punct(at, "[") {
                depth += 1;
            } else if self.punct(at, ")") || self.punct(at, "]") {
                depth -= 1;
                if depth == 0 {
                    return Some(i + 1..at);
                }
            }
        }
        None
    }

    /// The token after the brackets that open at `i`, or `i`.
    fn after_group(&self, i: usize) -> usize {
        self.group(i).map_or(i, |g| g.end + 1)
    }

    /// A `::` outside brackets from `i` on.
    fn colons(&self, i: usize) -> Option<usize> {
        let mut at = i;
        while at < self.tokens.len() {
            if self.punct(at, "::") {
                return Some(at);
            }
            at = self.group(at).map_or(at + 1, |g| g.end + 1);
        }
        None
    }

    fn name(&mut self, i: usize) {
        // `p => null()`, `p => null(q)`
        let nothing = self.is(i, "null") && self.group(i + 1).is_some_and(|g| g.is_empty() || self.follows(i, "=>"));
        if is_keyword(self.word(i)) && !nothing {
            self.names.push(i);
        }
    }

    /// Components: words after `%`.
    fn members(&mut self) {
        for i in 1..self.tokens.len() {
            if self.punct(i - 1, "%") {
                self.name(i);
            }
        }
    }

    /// All words of an expression or a list of names.
    fn names(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let opens = self.punct(at, "[") || self.punct(at, "(") && self.punct(at + 1, "/");
            // `[real(8) :: ...]`
            let first = at + if self.punct(at, "[") { 1 } else { 2 };
            if opens && let Some(colons) = self.colons(first).filter(|c| *c < range.end && self.type_spec(first) == *c)
            {
                at = colons + 1;
                continue;
            }
            self.name(at);
            at += 1;
        }
    }

    /// The token after the type specification at `i`.
    fn type_spec(&self, i: usize) -> usize {
        let words = if self.is(i, "double") && self.one_of(i + 1, &["precision", "complex"]) { 2 } else { 1 };
        let mut at = self.after_group(i + words);
        if self.punct(at, "*") {
            at = if self.kind(at + 1) == TokenKind::Number { at + 2 } else { self.after_group(at + 1) };
        }
        at
    }

    /// Is `i` the start of an assignment: a designator and `=` or `=>`?
    fn is_assignment(&self, i: usize) -> bool {
        if self.kind(i) != TokenKind::Word {
            return false;
        }
        let mut at = i + 1;
        loop {
            if self.group(at).is_some() {
                at = self.after_group(at);
            } else if self.punct(at, "%") && self.kind(at + 1) == TokenKind::Word {
                at += 2;
            } else {
                return self.punct(at, "=") || self.punct(at, "=>");
            }
        }
    }

    fn statement(&mut self, i: usize) {
        let end = self.tokens.len();
        if self.is_assignment(i) {
            return self.names(i..end);
        }
        if self.kind(i) == TokenKind::Word && self.punct(i + 1, ":") {
            self.name(i);
            return self.statement(i + 2);
        }
        if i == 0 && self.unit(i) {
            return;
        }
        match self.word(i).to_ascii_lowercase().as_str() {
            "if" | "elseif" | "where" | "elsewhere" | "forall" => self.conditional(i + 1),
            "else" if self.one_of(i + 1, &["if", "where"]) => self.conditional(i + 2),
            "do" => self.do_statement(i + 1),
            "select" => self.header(i + 2),
            "selectcase" | "selecttype" | "selectrank" | "case" | "associate" | "rank" => self.header(i + 1),
            "call" | "else" | "cycle" | "exit" | "goto" | "return" | "print" | "stop" => self.names(i + 1..end),
            "go" if self.is(i + 1, "to") => self.names(i + 2..end),
            "error" if self.is(i + 1, "stop") => self.names(i + 2..end),
            "allocate" | "deallocate" | "nullify" => self.allocation(i + 1),
            "write" | "read" | "open" | "close" | "inquire" | "rewind" | "backspace" | "endfile" | "flush" | "wait" => {
                self.transfer(i + 1);
            }
            "use" => self.use_statement(i + 1),
            "intent" => {
                let at = self.after_group(i + 1);
                self.attribute(at);
            }
            "interface" => self.generic_names(i + 1..end),
            "type" | "class" if self.one_of(i + 1, &["is", "default"]) => {
                let at = self.after_group(i + 2);
                self.names(at..end);
            }
            "common" => {
                for at in i + 1..end {
                    // `common /a/ x, /b/ y // z`
                    if self.punct(at, "//") || self.punct(at, ",") && self.punct(at + 1, "/") {
                        self.blanks.push(at);
                    } else if self.punct(at, "/") && self.punct(at + 1, "/") {
                        self.blanks.extend([at, at + 1]);
                    }
                }
                self.names(i + 1..end);
            }
            word if ATTRIBUTES.contains(&word) => self.attribute(i + 1),
            word if TYPES.contains(&word) => self.declaration(i),
            word if word.starts_with("end") => self.end_statement(i),
            _ => {}
        }
    }

    /// Heads of program units: the name, dummies, the result. False for any other statement.
    fn unit(&mut self, i: usize) -> bool {
        let end = self.tokens.len();
        let word = match classify(self.text) {
            StatementClass::Head(UnitKind::BlockData, _) if self.is(i, "block") => "data",
            StatementClass::Head(UnitKind::BlockData, _) => "blockdata",
            StatementClass::Head(kind, _) => kind.keyword(),
            _ if self.is(i, "entry") && self.kind(i + 1) == TokenKind::Word => "entry",
            _ => return false,
        };
        let Some(keyword) = (i..end).find(|at| self.is(*at, word)) else { return true };
        // `submodule (ancestor:parent) name`
        if let Some(parents) = self.group(keyword + 1) {
            self.names(parents.clone());
            self.names(parents.end + 1..end);
            return true;
        }
        self.name(keyword + 1);
        let mut at = keyword + 2;
        if let Some(dummies) = self.group(at) {
            at = dummies.end + 1;
            self.names(dummies);
        }
        while at < end {
            if let Some(group) = self.group(at + 1).filter(|_| self.is(at, "result")) {
                self.names(group);
            }
            at = self.after_group(at + 1);
        }
        true
    }

    /// `(...)` of `if`, `where` and their like, and what follows.
    fn conditional(&mut self, i: usize) {
        let Some(condition) = self.group(i) else { return self.names(i..self.tokens.len()) };
        let rest = condition.end + 1;
        match self.colons(condition.start).filter(|c| *c < condition.end) {
            // `forall (integer :: i = 1:n)`
            Some(colons) => self.names(colons + 1..condition.end),
            None => self.names(condition),
        }
        if self.is(rest, "then") && !self.is_assignment(rest) {
            self.name(rest + 1);
        } else if self.kind(rest) == TokenKind::Word && rest + 1 < self.tokens.len() {
            // A statement of one word has no names.
            self.statement(rest);
        }
    }

    /// What follows `do`.
    fn do_statement(&mut self, i: usize) {
        let mut at = if self.kind(i) == TokenKind::Number { i + 1 } else { i };
        at += usize::from(self.punct(at, ","));
        let end = self.tokens.len();
        if self.kind(at) == TokenKind::Word && self.punct(at + 1, "=") {
            self.names(at..end);
        } else if self.is(at, "while") {
            self.names(at + 1..end);
        } else if self.is(at, "concurrent") {
            self.header(at + 1);
            let mut at = self.after_group(at + 1);
            while let Some(group) = self.group(at + 1) {
                if !self.is(at, "default") {
                    self.names(group.clone());
                }
                at = group.end + 1;
            }
        }
    }

    /// Names within `(...)` and the construct's name after it.
    fn header(&mut self, i: usize) {
        let Some(group) = self.group(i) else { return self.default_case(i) };
        let rest = group.end + 1;
        match self.colons(group.start).filter(|c| *c < group.end) {
            Some(colons) => self.names(colons + 1..group.end),
            None => self.names(group),
        }
        if rest + 1 == self.tokens.len() {
            self.name(rest);
        }
    }

    /// `case default name`
    fn default_case(&mut self, i: usize) {
        if self.is(i, "default") {
            self.name(i + 1);
        }
    }

    /// `allocate (type :: list)`
    fn allocation(&mut self, i: usize) {
        let Some(group) = self.group(i) else { return };
        match self.colons(group.start).filter(|c| *c < group.end) {
            Some(colons) => self.names(colons + 1..group.end),
            None => self.names(group),
        }
    }

    /// The rest of an input or output statement. Specifiers keep their names, such as `unit=`.
    fn transfer(&mut self, i: usize) {
        let Some(group) = self.group(i) else { return self.names(i..self.tokens.len()) };
        let rest = group.end + 1;
        let mut at = group.start;
        while at < group.end {
            if !self.punct(at + 1, "=") {
                match self.group(at) {
                    Some(inner) => self.names(inner),
                    None => self.name(at),
                }
            }
            at = self.after_group(at).max(at + 1);
        }
        self.names(rest..self.tokens.len());
    }

    /// `use[, nature ::] module[, [only:] list]`
    fn use_statement(&mut self, i: usize) {
        let module = self.colons(i).map_or(i, |c| c + 1);
        self.name(module);
        let mut at = module + 1;
        at += usize::from(self.punct(at, ","));
        if self.is(at, "only") && self.punct(at + 1, ":") {
            at += 2;
        }
        for i in at..self.tokens.len() {
            // `operator(.local.) => operator(.remote.)`
            let renamed = self.punct(self.after_group(i + 1), "=>") || self.follows(i, "=>");
            if renamed && self.is(i, "operator") && self.group(i + 1).is_some() {
                self.words.push(i..self.after_group(i + 1));
            }
        }
        self.generic_names(at..self.tokens.len());
    }

    /// A list of names among which `operator(+)`, `assignment(=)` and `read(formatted)` may stand.
    fn generic_names(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            if self.one_of(at, &["operator", "assignment", "read", "write"]) && self.group(at + 1).is_some() {
                at = self.after_group(at + 1);
            } else {
                self.name(at);
                at += 1;
            }
        }
    }

    /// What follows the keyword of an attribute statement.
    fn attribute(&mut self, i: usize) {
        let keyword = i.saturating_sub(1);
        let start = self.colons(i).map_or(i, |c| c + 1);
        let end = self.tokens.len();
        if self.one_of(keyword, &["generic", "public", "private", "import"]) {
            if self.is(keyword, "import") && self.punct(i, ",") {
                return self.names(start..end);
            }
            self.generic_names(start..end);
        } else if self.is(keyword, "procedure") && start == i {
            // `procedure(shape), pointer :: p` has its colons; without them it lists specifics.
            self.names(i..end);
        } else {
            self.names(start..end);
        }
    }

    /// `type[, attributes] :: names`, or without `::`; the definition of a type.
    fn declaration(&mut self, i: usize) {
        let end = self.tokens.len();
        let type_end = if self.is(i, "type") && self.group(i + 1).is_none() { i + 1 } else { self.type_spec(i) };
        if self.is(i, "character") {
            self.lengths(type_end);
        }
        let Some(colons) = self.colons(i) else { return self.names(type_end..end) };
        let mut at = type_end;
        if let Some(named) = self.group(i + 1).filter(|g| self.is(i, "type") && !self.is_intrinsic(g.start)) {
            self.names(named);
        }
        while at < colons {
            match self.group(at + 1).filter(|_| self.one_of(at, &["dimension", "extends", "codimension"])) {
                Some(group) => {
                    at = group.end + 1;
                    self.names(group);
                }
                None => at += 1,
            }
        }
        self.names(colons + 1..end);
    }

    /// `character c*(n+1)`
    fn lengths(&mut self, i: usize) {
        for at in i + 1..self.tokens.len() {
            let length = self.group(at + 1).filter(|g| self.punct(at, "*") && !self.punct(g.start, "*"));
            if length.is_some() && self.kind(at - 1) == TokenKind::Word {
                self.blanks.push(at);
            }
        }
    }

    /// Is it the name of an intrinsic type?
    fn is_intrinsic(&self, i: usize) -> bool {
        self.one_of(i, TYPES) && !self.is(i, "byte")
    }

    /// `end what name`
    fn end_statement(&mut self, i: usize) {
        let last = self.tokens.len() - 1;
        let keyword = if self.is(i, "end") { i + 1 } else { i };
        let keyword = if self.is(keyword, "block") && self.is(keyword + 1, "data") { keyword + 1 } else { keyword };
        if last == keyword + 1 {
            self.name(last);
        }
    }
}

#[cfg(test)]
mod tests;
