//! Program units: a small statement classifier of our own, and the splitting of a file into nested units.
//!
//! It knows only the statements that open and close units, so that a syntax error elsewhere spoils one procedure and not
//! the file. Fortran has no reserved words: `end = 3`, `contains(1) = 2` and `program = 1` are assignments.

use std::ops::Range;

use crate::diag::{Code, Diagnostic};
use crate::lines::{FileLines, LogicalLine};
use crate::source::Span;

/// The kinds of program units and procedures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnitKind {
    /// `program`, or statements outside any unit.
    Program,
    /// `module`
    Module,
    /// `submodule`
    Submodule,
    /// `block data`
    BlockData,
    /// `subroutine`
    Subroutine,
    /// `function`
    Function,
    /// `module procedure name` with a body, in a submodule
    ModuleProcedure,
}

impl UnitKind {
    /// The keyword, as in the end statement.
    pub fn keyword(self) -> &'static str {
        match self {
            UnitKind::Program => "program",
            UnitKind::Module => "module",
            UnitKind::Submodule => "submodule",
            UnitKind::BlockData => "block data",
            UnitKind::Subroutine => "subroutine",
            UnitKind::Function => "function",
            UnitKind::ModuleProcedure => "procedure",
        }
    }
}

/// A unit, as ranges of [`FileLines::lines`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitTree {
    /// What it is.
    pub kind: UnitKind,
    /// Its name in lower case; empty for a main program without `program` and for nameless block data.
    pub name: String,
    /// Its first statement; `None` for a main program without `program`.
    pub head: Option<usize>,
    /// The statements between head and `contains` or end: interface blocks and type definitions are whole within.
    pub body: Range<usize>,
    /// Its `contains`.
    pub contains: Option<usize>,
    /// The procedures after `contains`; at the top, nothing else is nested.
    pub children: Vec<UnitTree>,
    /// Its end statement; its last statement where the end is missing (see `closed`).
    pub end: usize,
    /// False where the end statement is missing, which is reported as an error; `body` then includes `end`.
    pub closed: bool,
    /// From head to end.
    pub span: Span,
}

/// What an end statement says that it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndOf {
    /// `end` alone
    Any,
    /// `end program`, `end subroutine` and their like
    Unit(UnitKind),
    /// `end interface`
    Interface,
    /// `end type`
    Type,
}

/// A statement, as far as units are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementClass<'a> {
    /// The head of a unit with its name (as written; empty for nameless block data).
    Head(UnitKind, &'a str),
    /// `contains`
    Contains,
    /// `interface`, `abstract interface`
    Interface,
    /// `type :: name`: a derived type definition
    TypeDefinition,
    /// An end statement and the name that it repeats.
    End(EndOf, Option<&'a str>),
    /// Anything else.
    Other,
}

/// The procedures that interface blocks declare among the statements of a file, from head to end each.
pub fn interface_bodies(lines: &[LogicalLine]) -> Vec<Range<usize>> {
    let (mut out, mut inside, mut open) = (Vec::new(), 0usize, Vec::new());
    for (at, line) in lines.iter().enumerate() {
        match classify(&line.text) {
            StatementClass::Interface => inside += 1,
            StatementClass::End(EndOf::Interface, _) => inside = inside.saturating_sub(1),
            StatementClass::Head(UnitKind::Subroutine | UnitKind::Function, _) if inside > 0 => open.push(at),
            StatementClass::End(EndOf::Any | EndOf::Unit(_), _) if inside > 0 => {
                out.extend(open.pop().map(|head| head..at + 1));
            }
            _ => {}
        }
    }
    out
}

/// Classifies a statement (without label).
pub fn classify(text: &str) -> StatementClass<'_> {
    let (word, rest) = word(text);
    // The first letter decides for most statements that they are of no interest here.
    let class = match word.as_bytes().first().map(u8::to_ascii_lowercase) {
        Some(b'e') if starts(word, "end") => classify_end(word, rest),
        Some(b'c') if eq(word, "contains") && rest.is_empty() => Some(StatementClass::Contains),
        Some(
            b'a' | b'b' | b'c' | b'd' | b'e' | b'f' | b'i' | b'l' | b'm' | b'n' | b'p' | b'r' | b's' | b't' | b'v',
        ) => classify_head(text),
        _ => None,
    };
    match class {
        Some(class) if !is_assignment(text) => class,
        _ => StatementClass::Other,
    }
}

/// The name at the start of `text` and what follows, without blanks between.
fn word(text: &str) -> (&str, &str) {
    let n = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    (text.get(..n).unwrap_or(""), text.get(n..).unwrap_or("").trim_start())
}

fn eq(word: &str, keyword: &str) -> bool {
    word.eq_ignore_ascii_case(keyword)
}

fn starts(text: &str, keyword: &str) -> bool {
    text.get(..keyword.len()).is_some_and(|t| t.eq_ignore_ascii_case(keyword))
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// True for an assignment or pointer assignment: a `=` outside parentheses and strings, with no `::` before it.
fn is_assignment(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut depth, mut quote) = (0i32, None);
    for (i, &b) in bytes.iter().enumerate() {
        match (quote, b) {
            (Some(q), _) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth -= 1,
            (None, b':') if depth == 0 && bytes.get(i + 1) == Some(&b':') => return false,
            (None, b'=') if depth <= 0 => return true,
            _ => {}
        }
    }
    false
}

/// The rest of `text` after a balanced `( ... )` at its start; `None` where it isn't balanced.
fn after_parentheses(text: &str) -> Option<&str> {
    let (mut depth, mut quote) = (0usize, None);
    for (i, b) in text.bytes().enumerate() {
        match (quote, b) {
            (Some(q), _) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(') => depth += 1,
            (None, b')') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return text.get(i + 1..).map(str::trim_start);
                }
            }
            _ => {}
        }
    }
    None
}

fn classify_end<'a>(first: &'a str, rest: &'a str) -> Option<StatementClass<'a>> {
    let glued = first.get(3..).unwrap_or("");
    if glued.is_empty() && rest.is_empty() {
        return Some(StatementClass::End(EndOf::Any, None));
    }
    let (what, after) = if glued.is_empty() { word(rest) } else { (glued, rest) };
    let (of, after) = if eq(what, "block") {
        let (data, after) = word(after);
        eq(data, "data").then_some((EndOf::Unit(UnitKind::BlockData), after))?
    } else {
        (end_keyword(what)?, after)
    };
    let generic = of == EndOf::Interface;
    let (name, after) = word(after);
    // `end interface operator(+)`: anything goes there; elsewhere only a name can follow.
    if generic || (after.is_empty() && (name.is_empty() || is_name(name))) {
        let name = Some(name).filter(|n| !n.is_empty() && !generic);
        return Some(StatementClass::End(of, name));
    }
    None
}

fn end_keyword(what: &str) -> Option<EndOf> {
    const UNITS: [(&str, UnitKind); 7] = [
        ("program", UnitKind::Program),
        ("module", UnitKind::Module),
        ("submodule", UnitKind::Submodule),
        ("blockdata", UnitKind::BlockData),
        ("subroutine", UnitKind::Subroutine),
        ("function", UnitKind::Function),
        ("procedure", UnitKind::ModuleProcedure),
    ];
    if eq(what, "interface") {
        return Some(EndOf::Interface);
    }
    if eq(what, "type") {
        return Some(EndOf::Type);
    }
    UNITS.iter().find(|(k, _)| eq(what, k)).map(|(_, kind)| EndOf::Unit(*kind))
}

/// Heads of units, interfaces and type definitions.
fn classify_head(text: &str) -> Option<StatementClass<'_>> {
    let (first, rest) = word(text);
    let (next, after) = word(rest);
    if eq(first, "program") || eq(first, "module") && !is_prefix_use(next, after) {
        let kind = if eq(first, "program") { UnitKind::Program } else { UnitKind::Module };
        return (is_name(next) && after.is_empty()).then_some(StatementClass::Head(kind, next));
    }
    if eq(first, "submodule") {
        let (name, after) = word(after_parentheses(rest)?);
        return (is_name(name) && after.is_empty()).then_some(StatementClass::Head(UnitKind::Submodule, name));
    }
    if eq(first, "interface") || eq(first, "abstract") && eq(next, "interface") && after.is_empty() {
        return (!rest.starts_with(['(', '%', ','])).then_some(StatementClass::Interface);
    }
    if eq(first, "blockdata") || eq(first, "block") && eq(next, "data") {
        let (name, after) = if eq(first, "block") { word(after) } else { (next, after) };
        return after.is_empty().then_some(StatementClass::Head(UnitKind::BlockData, name));
    }
    if eq(first, "module") && eq(next, "procedure") {
        let (name, after) = word(after);
        // With a list or `::` it names specifics of a generic.
        let single = is_name(name) && after.is_empty();
        return single.then_some(StatementClass::Head(UnitKind::ModuleProcedure, name));
    }
    if eq(first, "type") {
        // With parameters; `type is (t)` is a statement.
        let parameterised = after.starts_with('(') && after.ends_with(')') && !eq(next, "is");
        let named = is_name(next) && (after.is_empty() || parameterised);
        let definition = rest.starts_with(',') || rest.starts_with("::") || named;
        if definition {
            return Some(StatementClass::TypeDefinition);
        }
    }
    procedure_head(text)
}

/// After `module`: is it the prefix of a procedure rather than the head of a module (that may bear any name)?
fn is_prefix_use(next: &str, after: &str) -> bool {
    !after.is_empty() && is_name(next)
}

/// `[prefixes] subroutine name`, `[prefixes] function name(`, prefixes in any order.
fn procedure_head(text: &str) -> Option<StatementClass<'_>> {
    const PREFIXES: [&str; 6] = ["pure", "elemental", "impure", "recursive", "non_recursive", "module"];
    const TYPES: [&str; 9] =
        ["integer", "real", "complex", "logical", "character", "doubleprecision", "doublecomplex", "byte", "double"];
    let mut at = text;
    loop {
        let (first, rest) = word(at);
        let (name, after) = word(rest);
        if eq(first, "subroutine") && is_name(name) && (after.is_empty() || after.starts_with('(') || bind(after)) {
            return Some(StatementClass::Head(UnitKind::Subroutine, name));
        }
        if eq(first, "function") && is_name(name) && after.starts_with('(') {
            return Some(StatementClass::Head(UnitKind::Function, name));
        }
        at = if PREFIXES.iter().any(|p| eq(first, p)) {
            rest
        } else if eq(first, "type") || eq(first, "class") || eq(first, "attributes") {
            after_parentheses(rest.starts_with('(').then_some(rest)?)?
        } else if TYPES.iter().any(|t| eq(first, t)) {
            let both = eq(first, "double") && (eq(name, "precision") || eq(name, "complex"));
            after_kind(if both { after } else { rest })?
        } else {
            return None;
        };
    }
}

fn bind(text: &str) -> bool {
    let (w, rest) = word(text);
    eq(w, "bind") && rest.starts_with('(')
}

/// The text after a type's `(kind)`, `*8` or `*(*)`, if there is one.
fn after_kind(text: &str) -> Option<&str> {
    if text.starts_with('(') {
        return after_parentheses(text);
    }
    match text.strip_prefix('*') {
        Some(rest) => {
            let rest = rest.trim_start();
            if rest.starts_with('(') { after_parentheses(rest) } else { Some(word_digits(rest)) }
        }
        None => Some(text),
    }
}

fn word_digits(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start()
}

/// A unit that is still open.
struct Frame {
    tree: UnitTree,
    /// Depth of interface blocks, and of procedure bodies within the innermost.
    inner: Vec<Inner>,
}

/// What is open within a unit and stays in its body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inner {
    Interface,
    Type,
    Body(UnitKind),
}

struct Splitter<'a> {
    lines: &'a [LogicalLine],
    stack: Vec<Frame>,
    done: Vec<UnitTree>,
    diagnostics: Vec<Diagnostic>,
}

/// Splits a file into its units.
pub fn split(lines: &FileLines) -> (Vec<UnitTree>, Vec<Diagnostic>) {
    let mut s = Splitter { lines: &lines.lines, stack: Vec::new(), done: Vec::new(), diagnostics: Vec::new() };
    for (i, line) in lines.lines.iter().enumerate() {
        s.statement(i, classify(&line.text));
    }
    while let Some(frame) = s.stack.last() {
        let (at, kind) = (lines.lines.len().saturating_sub(1), frame.tree.kind);
        s.missing_end(kind, at);
        s.pop(at, false);
    }
    (s.done, s.diagnostics)
}

impl Splitter<'_> {
    fn statement(&mut self, i: usize, class: StatementClass<'_>) {
        let inner = self.stack.last().and_then(|f| f.inner.last().copied());
        match (inner, class) {
            (Some(inner), class) => self.within(i, inner, class),
            (None, StatementClass::Head(kind, name)) => self.head(i, kind, name),
            (None, StatementClass::End(of, name)) => self.end(i, of, name),
            (None, StatementClass::Contains) => self.contains(i),
            (None, StatementClass::Interface) => self.open(i, Inner::Interface),
            (None, StatementClass::TypeDefinition) => self.open(i, Inner::Type),
            (None, StatementClass::Other) => self.other(i),
        }
    }

    /// A statement within an interface block, a procedure body of one, or a type definition.
    fn within(&mut self, i: usize, inner: Inner, class: StatementClass<'_>) {
        let closes = match (inner, class) {
            (Inner::Type, StatementClass::End(EndOf::Type, _)) => true,
            (Inner::Interface, StatementClass::End(EndOf::Interface, _)) => true,
            (Inner::Body(_), StatementClass::End(EndOf::Any, _)) => true,
            (Inner::Body(kind), StatementClass::End(EndOf::Unit(of), _)) if of == kind => true,
            (Inner::Interface, StatementClass::Head(kind @ (UnitKind::Subroutine | UnitKind::Function), _)) => {
                return self.open(i, Inner::Body(kind));
            }
            (Inner::Body(_), StatementClass::Interface) => return self.open(i, Inner::Interface),
            (Inner::Body(_), StatementClass::TypeDefinition) => return self.open(i, Inner::Type),
            // The end of something outside: what is open here lacks its end.
            (_, StatementClass::End(..)) => return self.unclosed(i, inner, class),
            (Inner::Type, StatementClass::Head(UnitKind::Subroutine | UnitKind::Function, _)) => {
                return self.unclosed(i, inner, class);
            }
            _ => false,
        };
        if closes && let Some(frame) = self.stack.last_mut() {
            frame.inner.pop();
        }
    }

    fn unclosed(&mut self, i: usize, inner: Inner, class: StatementClass<'_>) {
        let what = match inner {
            Inner::Interface => "interface",
            Inner::Type => "type",
            Inner::Body(kind) => kind.keyword(),
        };
        self.error(i, format!("`end {what}` is missing before this statement"), "add it");
        if let Some(frame) = self.stack.last_mut() {
            frame.inner.pop();
        }
        self.statement(i, class);
    }

    fn open(&mut self, i: usize, inner: Inner) {
        self.other(i);
        if let Some(frame) = self.stack.last_mut() {
            frame.inner.push(inner);
        }
    }

    /// Any statement belongs to a unit; outside all of them it begins a main program.
    fn other(&mut self, i: usize) {
        if self.stack.is_empty() {
            self.push(UnitKind::Program, String::new(), None, i);
        }
    }

    fn push(&mut self, kind: UnitKind, name: String, head: Option<usize>, i: usize) {
        let start = if head.is_some() { i + 1 } else { i };
        let span = self.lines.get(i).map_or(Span::default(), |l| l.span);
        let tree = UnitTree {
            kind,
            name,
            head,
            body: start..start,
            contains: None,
            children: Vec::new(),
            end: i,
            closed: false,
            span,
        };
        self.stack.push(Frame { tree, inner: Vec::new() });
    }

    fn head(&mut self, i: usize, kind: UnitKind, name: &str) {
        let nests = matches!(kind, UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure);
        // A head where no unit can begin: the units before it lack their ends.
        while let Some(top) = self.stack.last() {
            if nests && top.tree.contains.is_some() {
                break;
            }
            if kind == UnitKind::ModuleProcedure {
                return;
            }
            let open = top.tree.kind;
            self.missing_end(open, i);
            self.pop(i.saturating_sub(1), false);
        }
        self.push(kind, name.to_ascii_lowercase(), Some(i), i);
    }

    fn contains(&mut self, i: usize) {
        self.other(i);
        let Some(top) = self.stack.last_mut() else { return };
        if top.tree.contains.is_none() {
            top.tree.contains = Some(i);
            top.tree.body.end = i;
        } else {
            self.error(
                i,
                "a second `contains` in the same unit".to_string(),
                "remove it, or add the missing end statement",
            );
        }
    }

    fn end(&mut self, i: usize, of: EndOf, name: Option<&str>) {
        let wanted = match of {
            EndOf::Any => None,
            EndOf::Unit(kind) => Some(kind),
            EndOf::Interface | EndOf::Type => {
                let what = if of == EndOf::Type { "type" } else { "interface" };
                return self.error(
                    i,
                    format!("an `end {what}` without its beginning"),
                    "remove it, or add the beginning",
                );
            }
        };
        let Some(depth) =
            wanted.map_or(self.stack.len().checked_sub(1), |k| self.stack.iter().rposition(|f| f.tree.kind == k))
        else {
            let found = self.lines.get(i).map_or("", |l| l.text.as_str());
            self.error(i, format!("`{found}` without its beginning"), "remove it, or add the beginning");
            // It surely ends something: taking the innermost keeps its siblings apart.
            if !self.stack.is_empty() {
                self.pop(i, true);
            }
            return;
        };
        while self.stack.len() > depth + 1 {
            let open = self.stack[self.stack.len() - 1].tree.kind;
            self.missing_end(open, i);
            self.pop(i.saturating_sub(1), false);
        }
        let expected = self.stack.last().map_or("", |f| f.tree.name.as_str());
        if let Some(name) = name.filter(|n| !eq(n, expected)) {
            let message = format!("the end statement names `{name}`, the unit is `{expected}`");
            self.error(i, message, "give both the same name");
        }
        self.pop(i, true);
    }

    /// Closes the innermost unit at statement `i`.
    fn pop(&mut self, i: usize, closed: bool) {
        let Some(Frame { mut tree, .. }) = self.stack.pop() else { return };
        let i = i.max(tree.head.unwrap_or(tree.body.start));
        tree.end = i;
        tree.closed = closed;
        if tree.contains.is_none() {
            let stop = if closed { i } else { i + 1 };
            tree.body.end = stop.max(tree.body.start);
        }
        if let Some(line) = self.lines.get(i) {
            tree.span = tree.span.to(line.span);
        }
        match self.stack.last_mut() {
            Some(parent) => parent.tree.children.push(tree),
            None => self.done.push(tree),
        }
    }

    fn missing_end(&mut self, kind: UnitKind, i: usize) {
        let Some(top) = self.stack.last() else { return };
        let name = if top.tree.name.is_empty() { "the main program" } else { top.tree.name.as_str() };
        let Some(at) = self.lines.get(i) else { return };
        let mut d =
            Diagnostic::error(Code::UnitStructure, at.span, format!("`{}` of {name} is missing", end_text(kind)))
                .help(format!("add `{}`", end_text(kind)));
        if let Some(head) = self.lines.get(top.tree.head.unwrap_or(top.tree.body.start)) {
            d = d.label(head.span, "the unit begins here");
        }
        self.diagnostics.push(d);
    }

    fn error(&mut self, i: usize, message: String, help: &str) {
        if let Some(line) = self.lines.get(i) {
            self.diagnostics.push(Diagnostic::error(Code::UnitStructure, line.span, message).help(help));
        }
    }
}

fn end_text(kind: UnitKind) -> String {
    format!("end {}", kind.keyword())
}

#[cfg(test)]
mod tests;
