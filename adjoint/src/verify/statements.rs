//! The statements of a procedure whose derivatives are wrong whatever the other statements are.
//!
//! Assignments are replaced by ones that are surely differentiated rightly, in the primal and so in what is generated for
//! it; those that must stay as they are for the derivatives to be wrong are where the difference starts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use costate_analysis::effects::reached;
use costate_analysis::request::{Head, holds_continuous};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Base, Block, Dim, Expr, Intent, Origin, ProcId, Program, Stmt, StmtId, StmtKind, SymId, Ty, Variable, for_each_stmt,
};
use costate_grammar::print::source::{self, Edit};
use costate_grammar::source::{FileId, Span};

use super::again::Again;
use super::edits::statement;

use super::subset::smallest;
use crate::differentiated::OutputFile;

/// So many checks are made.
const TRIES: usize = 40;
/// No further check begins after so long.
const LONGEST: Duration = Duration::from_secs(60);
/// A group of more statements says nothing.
const MOST: usize = 5;

/// An assignment that can be replaced.
struct Candidate {
    proc: ProcId,
    id: StmtId,
    span: Span,
    /// The text of its left side.
    target: String,
    ty: Ty,
}

/// The assignments that a search can replace, and the places of those that it can't.
#[derive(Default)]
struct Assignments {
    candidates: Vec<Candidate>,
    fixed: Vec<Span>,
}

/// Says in which statements of the head's procedure, or of one that it calls, the difference starts. The derivatives of
/// the head are known to be wrong.
pub(super) fn starts_in(again: &Again<'_>, head: &Head) -> Option<String> {
    let program = again.program;
    let Assignments { candidates, fixed } = assignments(again, head.proc);
    if candidates.is_empty() {
        return None;
    }
    let begun = Instant::now();
    let mut fails = |kept: &[usize]| {
        let replaced: Vec<&Candidate> =
            candidates.iter().enumerate().filter(|(i, _)| !kept.contains(i)).map(|(_, c)| c).collect();
        begun.elapsed() < LONGEST && is_wrong_with(again, head, &replaced)
    };
    let found = match fails(&[]) {
        true => Vec::new(),
        false => smallest(candidates.len(), TRIES, &mut fails),
    };
    let mut places: Vec<String> = found.iter().map(|i| statement(again.sources, candidates[*i].span)).collect();
    if places.len() > MOST {
        return None;
    }
    let shows = "with simpler statements in place of the other assignments, the derivatives are still wrong";
    let rest: Vec<String> = fixed.iter().take(MOST).map(|s| statement(again.sources, *s)).collect();
    let or = match rest.is_empty() {
        true => String::new(),
        false => format!("\n    or in one of these, which have no simpler form:\n      {}", rest.join("\n      ")),
    };
    let name = &program[head.proc].name;
    Some(match places.len() {
        0 => format!(
            "the difference starts in the calls or constructs of `{name}`: with simpler assignments in place of all others, \
             the derivatives are still wrong{or}"
        ),
        1 => format!("the difference starts in {}\n    {shows}{or}", places.remove(0)),
        _ => format!(
            "the difference starts in these statements together:\n      {}\n    {shows}{or}",
            places.join("\n      ")
        ),
    })
}

/// Assignments of the user's to numbers with derivatives, in a procedure and those that it calls.
fn assignments(again: &Again<'_>, head: ProcId) -> Assignments {
    let program = again.program;
    let mut out = Assignments::default();
    for proc in reached(program, &[head]) {
        for_each_stmt(&program[proc].body, &mut |s| {
            let (StmtKind::Assign { lhs, .. }, Origin::Source(span)) = (&s.kind, s.origin) else { return };
            let Some(designator) = lhs.as_var().filter(|_| holds_continuous(program, lhs.ty)) else { return };
            let text = &again.sources.file(span.file).text;
            let text = text.get(span.start as usize..span.end as usize).unwrap_or("");
            // The span of a statement behind a condition is the whole line, and macros may stand for anything.
            let name = program[designator.sym].name.as_str();
            let starts = text.get(..name.len()).is_some_and(|t| t.eq_ignore_ascii_case(name));
            match left_side(text).filter(|_| starts && lhs.is_continuous() && span.file == program[proc].file) {
                Some(target) => {
                    let target = target.to_string();
                    out.candidates.push(Candidate { proc, id: s.id, span, target, ty: lhs.ty });
                }
                None => out.fixed.push(span),
            }
        });
    }
    out
}

/// What stands before the first `=` outside of parentheses.
fn left_side(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '=' if depth == 0 => return Some(&text[..i]),
            '\n' | '&' | '!' | '\'' | '"' => return None,
            _ => {}
        }
    }
    None
}

/// An input of a procedure as a number, with its text.
fn link(program: &Program, head: &Head, proc: ProcId) -> Option<(Expr, String)> {
    let usable = |v: &Variable| {
        let known = v.dims.iter().all(|d| !matches!(d, Dim::AssumedSize(_) | Dim::AssumedRank));
        v.ty.base == Base::Real && known && !v.attrs.optional && v.intent != Some(Intent::Out)
    };
    let is_input =
        |sym: &SymId| proc != head.proc || head.independents.iter().any(|t| t.path.is_empty() && t.sym == *sym);
    let dummies = program[proc].dummies.iter().copied().filter(is_input);
    let mut found: Vec<_> = dummies.filter_map(|s| Some((s, program.var(s).filter(|v| usable(v))?))).collect();
    found.sort_by_key(|(_, v)| v.dims.len());
    let (sym, var) = *found.first()?;
    let name = &program[sym].name;
    let whole = Expr::var(sym, var.ty, var.dims.len() as u8);
    Some(match var.dims.is_empty() {
        true => (whole, name.to_string()),
        false => (Expr::intrinsic(Intrinsic::Sum, vec![whole]), format!("sum({name})")),
    })
}

/// Whether the derivatives of a head are wrong with assignments replaced.
fn is_wrong_with(again: &Again<'_>, head: &Head, replaced: &[&Candidate]) -> bool {
    let mut program = again.program.clone();
    let mut edits: BTreeMap<FileId, Vec<Edit>> = BTreeMap::new();
    for c in replaced {
        let (value, text) = simple(c.ty, link(&program, head, c.proc));
        // Lines keep their numbers.
        let old = &again.sources.file(c.span.file).text[c.span.start as usize..c.span.end as usize];
        let text = format!("{}= {text}{}", c.target, "\n".repeat(old.matches('\n').count()));
        edits.entry(c.span.file).or_default().push(Edit::Replace { span: c.span, text });
        put(&mut program[c.proc].body, c.id, &value);
    }
    let edited = |(file, edits): (FileId, Vec<Edit>)| {
        let read = again.files.iter().find(|f| f.file == file)?;
        let text = source::file(again.sources, file, &read.lines, &edits);
        Some(OutputFile { source: file, name: again.sources.file(file).name.clone(), text })
    };
    let edited: Vec<OutputFile> = edits.into_iter().filter_map(edited).collect();
    again.fails(&program, head, edited)
}

/// A value that depends on an input where there is one, and its text.
fn simple(ty: Ty, link: Option<(Expr, String)>) -> (Expr, String) {
    match link {
        Some((e, text)) => {
            let (half, quarter) = (Expr::literal(0.5, e.ty), Expr::literal(0.25, e.ty));
            let suffix = if half.ty.kind == 4 { "" } else { "d0" };
            (half.add(quarter.mul(e)), format!("0.5{suffix} + 0.25{suffix}*{text}"))
        }
        None => (
            Expr::literal(0.5, Ty::new(Base::Real, ty.kind.min(8))),
            format!("0.5{}", if ty.kind == 4 { "" } else { "d0" }),
        ),
    }
}

/// Gives an assignment another right side.
fn put(block: &mut Block, id: StmtId, value: &Expr) {
    let each = |s: &mut Stmt| {
        if s.id == id
            && let StmtKind::Assign { rhs, .. } = &mut s.kind
        {
            *rhs = value.clone();
        }
        s.blocks_mut().into_iter().for_each(|b| put(b, id, value));
    };
    block.iter_mut().for_each(each);
}
