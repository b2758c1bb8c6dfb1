//! Directives and the `end` directives of what they govern.

use super::super::layout::Lines;
use super::super::names::Cx;
use crate::directives::{self, AccConstruct, ClauseKind, Construct, Directive, OmpConstruct};
use crate::ir::{LoopDirective, Stmt, StmtKind};
use crate::lines::Sentinel;
use crate::source::Span;

/// Words that combined constructs are made of.
const WORDS: &[&str] =
    &["parallel", "distribute", "taskloop", "sections", "target", "masked", "master", "teams", "simd", "loop", "do"];

/// A directive and what it governs.
pub(super) fn print(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt, directive: &Directive, body: Option<&[Stmt]>) {
    super::label_alone(cx, lines, s);
    if let Some(comment) = &s.trailing {
        lines.comment(comment);
    }
    let Some(body) = body else {
        return lines.directive(directive.sentinel, &text(directive));
    };
    let (start, end) = start_and_end(directive, body);
    lines.directive(directive.sentinel, &start);
    // A loop keeps its place; a region is indented.
    let of_loop = matches!(body, [Stmt { kind: StmtKind::Do { .. } | StmtKind::Directive { .. }, .. }]);
    if end.is_none() || of_loop {
        super::block(cx, lines, body);
    } else {
        super::indented(cx, lines, body);
    }
    if let Some(end) = end {
        lines.directive(directive.sentinel, &end);
    }
}

/// A loop, which `inner` prints, between the directives before it and what ends them.
pub(super) fn around(lines: &mut Lines<'_>, outer: &[LoopDirective], inner: &dyn Fn(&mut Lines<'_>)) {
    let [first, rest @ ..] = outer else { return inner(lines) };
    lines.comes_from(first.origin.span());
    first.leading.iter().chain(&first.trailing).for_each(|c| lines.comment(c));
    let (start, end) = start_and_end(&first.directive, &[]);
    lines.directive(first.directive.sentinel, &start);
    around(lines, rest, inner);
    if let Some(end) = end {
        lines.directive(first.directive.sentinel, &end);
    }
}

/// The directive on one line.
pub(super) fn summary(directive: &Directive) -> String {
    let text = text(directive);
    match directive.sentinel {
        Sentinel::Omp => format!("!$omp {text}"),
        Sentinel::Acc => format!("!$acc {text}"),
        Sentinel::Ad => format!("!$ad {text}"),
        Sentinel::Vendor => text,
    }
}

/// The text after the sentinel: the user's while it says what the typed content says, else made from that.
fn text(d: &Directive) -> String {
    let as_written = directives::parse(d.sentinel, &d.text, Span::default()).is_ok_and(|p| p == *d);
    match construct_words(&d.construct) {
        Some(words) if !as_written => {
            assemble(&words, d.argument.as_deref(), d.clauses.iter().map(|c| c.text.as_str()))
        }
        _ => d.text.clone(),
    }
}

fn assemble<'a>(words: &str, argument: Option<&str>, clauses: impl Iterator<Item = &'a str>) -> String {
    let argument = argument.map_or_else(String::new, |a| format!("({a})"));
    let clauses: String = clauses.map(|c| format!(" {c}")).collect();
    format!("{words}{argument}{clauses}")
}

/// The directive's text, and that of the `end` directive where there is one. Before OpenMP 5.2, `nowait` and
/// `copyprivate` of worksharing constructs stand on the latter.
fn start_and_end(d: &Directive, body: &[Stmt]) -> (String, Option<String>) {
    let words = construct_words(&d.construct).filter(|_| has_end(d, body));
    let Some(words) = words else { return (text(d), None) };
    let argument = if d.construct == Construct::Omp(OmpConstruct::Critical) { d.argument.as_deref() } else { None };
    let late = |kind: &ClauseKind| match kind {
        ClauseKind::NoWait => true,
        ClauseKind::Other { name, .. } => name == "copyprivate",
        _ => false,
    };
    let moves = sharing(&d.construct) && d.clauses.iter().any(|c| late(&c.kind));
    if !moves {
        return (text(d), Some(assemble(&format!("end {words}"), argument, std::iter::empty())));
    }
    let clauses = |wanted: bool| d.clauses.iter().filter(move |c| late(&c.kind) == wanted).map(|c| c.text.as_str());
    let start = assemble(&words, d.argument.as_deref(), clauses(false));
    (start, Some(assemble(&format!("end {words}"), argument, clauses(true))))
}

/// Worksharing constructs.
fn sharing(construct: &Construct) -> bool {
    use OmpConstruct as C;
    match construct {
        Construct::Omp(c) => match c {
            C::Do | C::DoSimd | C::Sections | C::Workshare | C::Single => true,
            C::Other(word) => word == "scope",
            _ => false,
        },
        Construct::Acc(_) | Construct::Ad(_) | Construct::Uninterpreted => false,
    }
}

/// True when what a directive governs is closed by an `end` directive.
fn has_end(d: &Directive, body: &[Stmt]) -> bool {
    let capture = || d.clauses.iter().any(|c| c.text.eq_ignore_ascii_case("capture"));
    let several = || body.len() > 1 || capture();
    match &d.construct {
        Construct::Omp(OmpConstruct::Atomic) | Construct::Acc(AccConstruct::Atomic) => several(),
        Construct::Omp(OmpConstruct::Other(word)) if matches!(word.as_str(), "unroll" | "tile" | "dispatch") => false,
        // gfortran 12 takes `simd` in pure procedures, but not its `end`.
        Construct::Omp(OmpConstruct::Simd) | Construct::Acc(AccConstruct::Loop) => false,
        Construct::Omp(c) => !c.stands_alone(),
        Construct::Acc(c) => !c.stands_alone(),
        Construct::Ad(_) | Construct::Uninterpreted => false,
    }
}

/// A construct as it is written, in lower case.
fn construct_words(construct: &Construct) -> Option<String> {
    match construct {
        Construct::Omp(c) => Some(omp(c)),
        Construct::Acc(c) => Some(acc(c)),
        Construct::Ad(_) | Construct::Uninterpreted => None,
    }
}

fn omp(construct: &OmpConstruct) -> String {
    use OmpConstruct as C;
    let text = match construct {
        C::Parallel => "parallel",
        C::Do => "do",
        C::ParallelDo => "parallel do",
        C::DoSimd => "do simd",
        C::ParallelDoSimd => "parallel do simd",
        C::Simd => "simd",
        C::Sections => "sections",
        C::Section => "section",
        C::ParallelSections => "parallel sections",
        C::Workshare => "workshare",
        C::ParallelWorkshare => "parallel workshare",
        C::Single => "single",
        C::Master => "master",
        C::Masked => "masked",
        C::Critical => "critical",
        C::Atomic => "atomic",
        C::Barrier => "barrier",
        C::Flush => "flush",
        C::Ordered => "ordered",
        C::Task => "task",
        C::TaskWait => "taskwait",
        C::TaskYield => "taskyield",
        C::TaskGroup => "taskgroup",
        C::TaskLoop => "taskloop",
        C::Loop => "loop",
        C::ThreadPrivate => "threadprivate",
        C::Declare(what) => return format!("declare {what}"),
        C::Target => "target",
        C::TargetData => "target data",
        C::TargetEnterData => "target enter data",
        C::TargetExitData => "target exit data",
        C::TargetUpdate => "target update",
        C::Teams => "teams",
        C::Distribute => "distribute",
        C::TargetCombined(word) | C::TeamsCombined(word) | C::Other(word) => return spaced(word),
        C::End(of) => return format!("end {}", omp(of)),
    };
    text.to_string()
}

fn acc(construct: &AccConstruct) -> String {
    use AccConstruct as C;
    let text = match construct {
        C::Parallel => "parallel",
        C::ParallelLoop => "parallel loop",
        C::Kernels => "kernels",
        C::KernelsLoop => "kernels loop",
        C::Serial => "serial",
        C::SerialLoop => "serial loop",
        C::Loop => "loop",
        C::Data => "data",
        C::EnterData => "enter data",
        C::ExitData => "exit data",
        C::HostData => "host_data",
        C::Update => "update",
        C::Wait => "wait",
        C::Atomic => "atomic",
        C::Routine => "routine",
        C::Declare => "declare",
        C::Cache => "cache",
        C::Init => "init",
        C::Shutdown => "shutdown",
        C::Set => "set",
        C::End(of) => return format!("end {}", acc(of)),
    };
    text.to_string()
}

/// The words of a combined construct that is kept as one word; a word that isn't made of known ones stays whole.
fn spaced(word: &str) -> String {
    let mut words = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        match WORDS.iter().find(|w| rest.starts_with(**w)) {
            Some(w) => {
                words.push(*w);
                rest = &rest[w.len()..];
            }
            None => return word.to_string(),
        }
    }
    words.join(" ")
}
