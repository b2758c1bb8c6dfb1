//! Directives as typed values: what an `!$omp`, `!$acc` or `!$ad` line says, every clause also as written.

pub mod acc;
pub mod ad;
pub(crate) mod declared;
mod followed;
pub mod omp;

use crate::diag::{Code, Diagnostic};
use crate::lines::Sentinel;
use crate::source::Span;

pub use acc::AccConstruct;
pub use ad::{AdDirective, Strategy};
pub use omp::OmpConstruct;

/// A directive attached to what it governs.
#[derive(Clone, Debug, PartialEq)]
pub struct Directive {
    /// Whose it is.
    pub sentinel: Sentinel,
    /// What it says.
    pub construct: Construct,
    /// The parenthesised text directly after the construct: the name of a `critical`, the list of a `flush`.
    pub argument: Option<String>,
    /// Its clauses in the user's order.
    pub clauses: Vec<Clause>,
    /// Its text after the sentinel.
    pub text: String,
}

/// The construct of a directive.
#[derive(Clone, Debug, PartialEq)]
pub enum Construct {
    /// `!$omp`
    Omp(OmpConstruct),
    /// `!$acc`
    Acc(AccConstruct),
    /// `!$ad`
    Ad(AdDirective),
    /// Conditional compilation and vendors' lines: kept, not interpreted.
    Uninterpreted,
}

/// A clause: its meaning, and its text as the user wrote it.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Its meaning.
    pub kind: ClauseKind,
    /// As written.
    pub text: String,
}

/// The meaning of a clause. Lists hold their items as written, trimmed: names, array sections, common blocks `/c/`.
#[derive(Clone, Debug, PartialEq)]
pub enum ClauseKind {
    /// `private(list)`
    Private(Vec<String>),
    /// `firstprivate(list)`
    FirstPrivate(Vec<String>),
    /// `lastprivate([conditional:] list)`
    LastPrivate(Vec<String>),
    /// `shared(list)`
    Shared(Vec<String>),
    /// `default(kind)`
    Default(DefaultKind),
    /// `reduction([modifier,] op: list)`
    Reduction {
        /// The operator, lower case: `+`, `max`, `.and.`, or a user's.
        op: String,
        /// What is reduced.
        list: Vec<String>,
    },
    /// `schedule([modifier:] kind [, chunk])`
    Schedule {
        /// `static`, `dynamic`, `guided`, `auto`, `runtime`, modifiers included, lower case.
        kind: String,
        /// The chunk size.
        chunk: Option<String>,
    },
    /// `collapse(n)`
    Collapse(u32),
    /// `num_threads(expr)`
    NumThreads(String),
    /// `if([modifier:] expr)`
    If(String),
    /// `nowait`
    NoWait,
    /// `copyin(list)`: OpenMP's broadcast to threads, OpenACC's transfer to the device.
    CopyIn(Vec<String>),
    /// `copyout(list)`
    CopyOut(Vec<String>),
    /// `copy(list)`
    Copy(Vec<String>),
    /// `create(list)`
    Create(Vec<String>),
    /// `present(list)`
    Present(Vec<String>),
    /// `gang[(expr)]`
    Gang(Option<String>),
    /// `worker[(expr)]`
    Worker(Option<String>),
    /// `vector[(expr)]`
    Vector(Option<String>),
    /// `seq`
    Seq,
    /// `independent`
    Independent,
    /// `async[(expr)]`
    Async(Option<String>),
    /// `wait[(list)]`
    Wait(Vec<String>),
    /// `map([type:] list)`
    Map {
        /// `to`, `from`, `tofrom`, ... with modifiers, lower case; `tofrom` when not given.
        kind: String,
        /// What is mapped.
        list: Vec<String>,
    },
    /// Any other clause.
    Other {
        /// Its name, lower case.
        name: String,
        /// The text between its parentheses, if it has any.
        text: Option<String>,
    },
}

/// What a `default` clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefaultKind {
    /// `default(shared)`
    Shared,
    /// `default(private)`
    Private,
    /// `default(firstprivate)`
    FirstPrivate,
    /// `default(none)`
    None,
    /// `default(present)`, of OpenACC
    Present,
}

impl Directive {
    /// The OpenMP construct, if it is one.
    pub fn omp(&self) -> Option<&OmpConstruct> {
        match &self.construct {
            Construct::Omp(c) => Some(c),
            _ => None,
        }
    }

    /// The OpenACC construct, if it is one.
    pub fn acc(&self) -> Option<&AccConstruct> {
        match &self.construct {
            Construct::Acc(c) => Some(c),
            _ => None,
        }
    }

    /// Costate's own directive, if it is one.
    pub fn ad(&self) -> Option<&AdDirective> {
        match &self.construct {
            Construct::Ad(d) => Some(d),
            _ => None,
        }
    }
}

/// Reads a directive from its joined text after the sentinel, which stands at `span`.
pub fn parse(sentinel: Sentinel, text: &str, span: Span) -> Result<Directive, Diagnostic> {
    let bad = |why: String| {
        Diagnostic::error(Code::BadDirective, span, why)
            .reason("a directive that isn't understood could change what the derivative has to be")
            .help("correct the directive, or make it a plain comment")
    };
    let text = text.trim();
    let (construct, argument, rest) = match sentinel {
        Sentinel::Omp => {
            let head = split_head(text, omp::lookup).map_err(bad)?;
            (Construct::Omp(head.construct), head.argument, head.rest)
        }
        Sentinel::Acc => {
            let head = split_head(text, acc::lookup).map_err(bad)?;
            (Construct::Acc(head.construct), head.argument, head.rest)
        }
        Sentinel::Ad => (Construct::Ad(ad::parse(text).map_err(bad)?), None, ""),
        Sentinel::Vendor => (Construct::Uninterpreted, None, ""),
    };
    let clauses = clauses(rest).map_err(bad)?;
    Ok(Directive { sentinel, construct, argument, clauses, text: text.to_string() })
}

struct Head<'t, C> {
    construct: C,
    argument: Option<String>,
    rest: &'t str,
}

/// Splits off the construct: the longest run of words that `lookup` knows when they are written as one.
fn split_head<'t, C>(text: &'t str, lookup: impl Fn(&str) -> Option<C>) -> Result<Head<'t, C>, String> {
    let mut words = Vec::new();
    let mut rest = text;
    while words.len() < 9 {
        let (word, after) = take_word(rest);
        if word.is_empty() {
            break;
        }
        words.push((word, after));
        rest = after.trim_start();
    }
    for n in (1..=words.len()).rev() {
        let squeezed: String = words.iter().take(n).map(|(w, _)| w.to_ascii_lowercase()).collect();
        let Some((construct, after)) = lookup(&squeezed).zip(words.get(n - 1).map(|w| w.1)) else { continue };
        let after = after.trim_start();
        if !after.starts_with('(') {
            return Ok(Head { construct, argument: None, rest: after });
        }
        let (inside, rest) = parenthesised(after).ok_or_else(|| "a parenthesis isn't closed".to_string())?;
        return Ok(Head { construct, argument: Some(inside.trim().to_string()), rest });
    }
    match words.first() {
        Some((word, _)) => Err(format!("the directive `{word}` isn't known")),
        None => Err("an empty directive".to_string()),
    }
}

/// The word at the start of `text`, and the rest.
pub(crate) fn take_word(text: &str) -> (&str, &str) {
    let n = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    (text.get(..n).unwrap_or(""), text.get(n..).unwrap_or(""))
}

/// The text within the parentheses that `text` starts with, and the rest; `None` if they aren't closed.
pub(crate) fn parenthesised(text: &str) -> Option<(&str, &str)> {
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
                    return Some((text.get(1..i)?, text.get(i + 1..)?));
                }
            }
            _ => {}
        }
    }
    None
}

/// Cuts at each `mark` outside parentheses and strings; items are trimmed, empty ones left out.
pub fn items(text: &str, mark: u8) -> Vec<String> {
    let (mut depth, mut quote, mut from) = (0i32, None, 0);
    let mut out = Vec::new();
    for (i, b) in text.bytes().enumerate() {
        match (quote, b) {
            (Some(q), _) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(' | b'[') => depth += 1,
            (None, b')' | b']') => depth -= 1,
            (None, _) if b == mark && depth == 0 => {
                out.push(text.get(from..i).unwrap_or("").trim().to_string());
                from = i + 1;
            }
            _ => {}
        }
    }
    out.push(text.get(from..).unwrap_or("").trim().to_string());
    out.retain(|item| !item.is_empty());
    out
}

/// Cuts at the first `:` outside parentheses, as in `reduction(+: x)`; `::` doesn't count.
fn before_colon(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0i32;
    let bytes = text.as_bytes();
    for (i, &b) in bytes.iter().enumerate() {
        match b {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b':' if depth == 0 => {
                let double = bytes.get(i + 1) == Some(&b':');
                return (!double).then(|| (text.get(..i).unwrap_or("").trim(), text.get(i + 1..).unwrap_or("").trim()));
            }
            _ => {}
        }
    }
    None
}

/// Reads clauses separated by blanks or commas.
fn clauses(text: &str) -> Result<Vec<Clause>, String> {
    let mut out = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return Ok(out);
        }
        let (name, after) = take_word(rest);
        if name.is_empty() {
            return Err(format!("`{rest}` isn't expected in a directive"));
        }
        let open = after.trim_start();
        let (inside, after) = if open.starts_with('(') {
            let (inside, after) =
                parenthesised(open).ok_or_else(|| format!("the parenthesis of `{name}` isn't closed"))?;
            (Some(inside.trim()), after)
        } else {
            (None, after)
        };
        let text = rest.get(..rest.len() - after.len()).unwrap_or("").trim_end().to_string();
        out.push(Clause { kind: clause(&name.to_ascii_lowercase(), inside)?, text });
        rest = after;
    }
}

fn clause(name: &str, inside: Option<&str>) -> Result<ClauseKind, String> {
    let list =
        || inside.map(|t| items(t, b',')).filter(|l| !l.is_empty()).ok_or_else(|| format!("`{name}` needs a list"));
    let owned = || inside.map(str::to_string);
    let needed = || owned().filter(|t| !t.is_empty()).ok_or_else(|| format!("`{name}` needs a value"));
    Ok(match name {
        "private" => ClauseKind::Private(list()?),
        "firstprivate" => ClauseKind::FirstPrivate(list()?),
        "lastprivate" => ClauseKind::LastPrivate(match inside.and_then(before_colon) {
            // The last iteration that assigns the variable, whichever that is.
            Some((modifier, _)) if modifier.trim().eq_ignore_ascii_case("conditional") => {
                return Ok(ClauseKind::Other { name: name.to_string(), text: owned() });
            }
            Some((_, rest)) => items(rest, b','),
            None => list()?,
        }),
        "shared" => ClauseKind::Shared(list()?),
        "default" => match default_kind(inside.unwrap_or("")) {
            Some(kind) => ClauseKind::Default(kind),
            None => ClauseKind::Other { name: name.to_string(), text: owned() },
        },
        "reduction" | "task_reduction" | "in_reduction" => reduction(&needed()?)?,
        "schedule" => {
            let mut parts = items(&needed()?, b',');
            let chunk = if parts.len() > 1 && !parts[parts.len() - 1].contains(':') { parts.pop() } else { None };
            ClauseKind::Schedule { kind: parts.join(",").to_ascii_lowercase(), chunk }
        }
        "collapse" => match needed()?.trim_start_matches("force:").trim().parse() {
            Ok(n) => ClauseKind::Collapse(n),
            Err(_) => ClauseKind::Other { name: name.to_string(), text: owned() },
        },
        "num_threads" => ClauseKind::NumThreads(needed()?),
        "if" => ClauseKind::If(needed()?),
        "nowait" if inside.is_none() => ClauseKind::NoWait,
        "copyin" | "pcopyin" | "present_or_copyin" => ClauseKind::CopyIn(transfer(inside, name)?),
        "copyout" | "pcopyout" | "present_or_copyout" => ClauseKind::CopyOut(transfer(inside, name)?),
        "copy" | "pcopy" | "present_or_copy" => ClauseKind::Copy(transfer(inside, name)?),
        "create" | "pcreate" | "present_or_create" => ClauseKind::Create(transfer(inside, name)?),
        "present" => ClauseKind::Present(list()?),
        "gang" => ClauseKind::Gang(owned()),
        "worker" => ClauseKind::Worker(owned()),
        "vector" => ClauseKind::Vector(owned()),
        "seq" => ClauseKind::Seq,
        "independent" => ClauseKind::Independent,
        "async" => ClauseKind::Async(owned()),
        "wait" => ClauseKind::Wait(inside.map(|t| items(t, b',')).unwrap_or_default()),
        "map" => {
            let text = needed()?;
            let (kind, rest) = before_colon(&text).unwrap_or(("tofrom", text.as_str()));
            ClauseKind::Map { kind: kind.to_ascii_lowercase(), list: items(rest, b',') }
        }
        _ => ClauseKind::Other { name: name.to_string(), text: owned() },
    })
}

/// The list of a data clause, without OpenACC's `readonly:` and `zero:`.
fn transfer(inside: Option<&str>, name: &str) -> Result<Vec<String>, String> {
    let text = inside.unwrap_or("");
    let list = match before_colon(text) {
        Some((modifier, rest)) if matches!(modifier.to_ascii_lowercase().as_str(), "readonly" | "zero" | "always") => {
            items(rest, b',')
        }
        _ => items(text, b','),
    };
    if list.is_empty() { Err(format!("`{name}` needs a list")) } else { Ok(list) }
}

fn reduction(text: &str) -> Result<ClauseKind, String> {
    let (op, rest) = before_colon(text).ok_or_else(|| "`reduction` needs `operator: list`".to_string())?;
    // `reduction(inscan, +: x)`: the operator comes last.
    let op = op.rsplit(',').next().unwrap_or(op).trim().to_ascii_lowercase();
    let list = items(rest, b',');
    if op.is_empty() || list.is_empty() {
        return Err("`reduction` needs `operator: list`".to_string());
    }
    Ok(ClauseKind::Reduction { op, list })
}

fn default_kind(text: &str) -> Option<DefaultKind> {
    Some(match text.trim().to_ascii_lowercase().as_str() {
        "shared" => DefaultKind::Shared,
        "private" => DefaultKind::Private,
        "firstprivate" => DefaultKind::FirstPrivate,
        "none" => DefaultKind::None,
        "present" => DefaultKind::Present,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
