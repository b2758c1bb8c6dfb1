//! Where a difference starts: in a procedure that the head calls, or at a line that was edited.

use std::collections::BTreeSet;

use costate_analysis::effects::calls;
use costate_analysis::request::{Head, parse_heads, resolve};
use costate_grammar::form::ReadFile;
use costate_grammar::ir::{ParentUnit, ProcId, Program};
use costate_grammar::source::SourceMap;

use super::report::{HeadReport, Report};
use super::variant::{Flags, Variant};
use super::{Against, CheckOptions, Generated, check};

/// So many called procedures are checked by themselves.
const MOST: usize = 8;
/// So many lines of an edited file are shown.
const SHOWN: usize = 3;

/// Says of every head that is wrong which of the procedures it calls are wrong by themselves.
pub(super) fn in_calls(
    report: &mut Report,
    program: &Program,
    (sources, files): (&SourceMap, &[ReadFile]),
    heads: &[Head],
    options: &CheckOptions,
) {
    // What a head is checked with, without what would start all of this again.
    let alone = CheckOptions {
        variants: vec![Flags { variant: Variant::Optimised, flags: Variant::Optimised.flags(&options.fc) }],
        keep: None,
        time_limit: options.time_limit.min(20),
        search: false,
        ..options.clone()
    };
    for (wrong, head) in report.heads.iter_mut().zip(heads).filter(|(r, _)| r.is_wrong()) {
        let mut right = Vec::new();
        for name in called(program, head.proc) {
            let of_name = parse_heads(&name).ok().and_then(|list| resolve(program, list.first()?).ok());
            let Some(of_name) = of_name else { continue };
            let Ok(found) = check(program, sources, files, &[of_name], &alone) else { continue };
            if found.heads.iter().any(HeadReport::is_wrong) {
                wrong.explanations.push(format!(
                    "`{name}`, which it calls, is wrong by itself, and what that calls isn't: the difference starts \
                     there; `--head {name}` checks it alone"
                ));
                return;
            }
            right.push(format!("`{name}`"));
        }
        if !right.is_empty() {
            wrong.explanations.push(format!(
                "right by themselves: {}; the difference starts in the statements of `{}` itself, or in what goes to \
                 and from its calls",
                right.join(", "),
                program[head.proc].name
            ));
        }
    }
}

/// The module procedures that a procedure calls, those first that others call.
fn called(program: &Program, proc: ProcId) -> Vec<String> {
    let mut order = Vec::new();
    visit(program, proc, &mut BTreeSet::new(), &mut order);
    let name = |p: &ProcId| match program[*p].parent {
        ParentUnit::Module(m) if !program[program[*p].sym].private => {
            Some(format!("{}::{}", program[m].name, program[*p].name))
        }
        _ => None,
    };
    order.iter().filter(|p| **p != proc).filter_map(name).take(MOST).collect()
}

fn visit(program: &Program, proc: ProcId, seen: &mut BTreeSet<ProcId>, order: &mut Vec<ProcId>) {
    if !seen.insert(proc) {
        return;
    }
    for callee in calls(program, &program[proc].body) {
        visit(program, callee, seen, order);
    }
    order.push(proc);
}

/// How files that stand for generated ones differ from these.
pub(super) fn in_files(report: &mut Report, generated: &Generated, files: &[Against]) {
    for wrong in report.heads.iter_mut().filter(|r| r.is_wrong()) {
        for file in files {
            let all: Vec<&str> = generated.files().map(|f| f.text.as_str()).collect();
            let closest = all.into_iter().min_by_key(|text| {
                let (added, dropped) = differences(text, &file.text);
                added.len() + dropped.len()
            });
            let Some((added, dropped)) = closest.map(|text| differences(text, &file.text)) else { continue };
            wrong.explanations.push(said(&file.path, &added, &dropped));
        }
    }
}

fn said(path: &str, added: &[(usize, &str)], dropped: &[(usize, &str)]) -> String {
    if added.is_empty() && dropped.is_empty() {
        return format!("`{path}` is what is generated now");
    }
    let mut out = format!("`{path}` isn't what is generated now:");
    for (line, text) in added.iter().take(SHOWN) {
        out.push_str(&format!("\n    line {line} is `{text}`"));
    }
    for (line, text) in dropped.iter().take(SHOWN) {
        out.push_str(&format!("\n    it lacks `{text}` (line {line} of the generated file)"));
    }
    let more = added.len().saturating_sub(SHOWN) + dropped.len().saturating_sub(SHOWN);
    if more > 0 {
        out.push_str(&format!("\n    and {more} more lines"));
    }
    out
}

type Lines<'a> = Vec<(usize, &'a str)>;

/// Lines that stand in the second text and not in the first, and those of the first that the second lacks; comments
/// and blanks apart.
fn differences<'a>(generated: &'a str, given: &'a str) -> (Lines<'a>, Lines<'a>) {
    let lines = |text: &'a str| -> Lines<'a> {
        let code = |(i, l): (usize, &'a str)| (i + 1, l.trim());
        text.lines().enumerate().map(code).filter(|(_, l)| !l.is_empty() && !l.starts_with('!')).collect()
    };
    let (mut old, mut new) = (lines(generated), lines(given));
    let same = old.iter().zip(&new).take_while(|(a, b)| a.1 == b.1).count();
    old.drain(..same);
    new.drain(..same);
    while old.last().zip(new.last()).is_some_and(|(a, b)| a.1 == b.1) {
        old.pop();
        new.pop();
    }
    // What was only moved counts as the same.
    let (mut rest, mut added) = (old, Vec::new());
    for (line, text) in new {
        match rest.iter().position(|(_, t)| *t == text) {
            Some(at) => {
                rest.remove(at);
            }
            None => added.push((line, text)),
        }
    }
    (added, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_differ_are_found() {
        let old = "a = 1\nb = 2\n! c\nc = 3\nd = 4\n";
        assert_eq!(differences(old, "a = 1\nb = 5\n\nc = 3\nd = 4\n"), (vec![(2, "b = 5")], vec![(2, "b = 2")]));
        assert_eq!(differences(old, "a = 1\nc = 3\nd = 4\n"), (vec![], vec![(2, "b = 2")]));
        assert_eq!(differences(old, old), (vec![], vec![]));
    }
}
