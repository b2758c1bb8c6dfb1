//! Where a difference starts: in a procedure that the head calls, in statements of it, or at lines that were edited.

use std::collections::{BTreeSet, HashMap};

use costate_analysis::effects::calls;
use costate_analysis::request::{Head, parse_heads, resolve};
use costate_grammar::ir::{ParentUnit, ProcId, Program};

use super::again::{Again, fails};
use super::edits::{self, Edited};
use super::point::Point;
use super::report::{HeadReport, Report};
use super::{Against, CheckOptions, against, check, check_generated, generate, statements};
use crate::options::Options;
use crate::progress;

/// So many called procedures are checked by themselves.
const MOST: usize = 8;

/// Says of every head that is wrong which of the procedures it calls are wrong by themselves, and in which statements the
/// difference starts.
pub(super) fn in_calls(report: &mut Report, again: Again<'_>, heads: &[Head]) {
    let mut again = again.with_one_variant();
    let mut known = Known::new();
    for (wrong, head) in report.heads.iter_mut().zip(heads).filter(|(r, _)| r.is_wrong()) {
        again.options.points = vec![wrong.point];
        let found = in_called(&again, head, &mut known, &mut wrong.explanations);
        let of = found.as_ref().unwrap_or(head);
        wrong.explanations.extend(statements::starts_in(&again, of));
    }
}

/// Called procedures and points, with whether the procedures are wrong there by themselves, where that can be checked:
/// heads that stand together often call the same ones.
type Known = HashMap<(String, Point), Option<bool>>;

/// The first of the called procedures that is wrong by itself.
fn in_called(again: &Again<'_>, head: &Head, known: &mut Known, said: &mut Vec<String>) -> Option<Head> {
    let program = again.program;
    let mut right = Vec::new();
    for name in called(program, head.proc) {
        let of_name = parse_heads(&name).ok().and_then(|list| resolve(program, list.first()?).ok());
        let Some(of_name) = of_name else { continue };
        let wrong = *known.entry((name.clone(), again.options.points[0])).or_insert_with(|| {
            let heads = std::slice::from_ref(&of_name);
            let found = check(program, again.sources, again.files, heads, &again.options).ok()?;
            Some(found.heads.iter().any(HeadReport::is_wrong))
        });
        let Some(wrong) = wrong else { continue };
        if wrong {
            said.push(format!(
                "`{name}`, which it calls, is wrong by itself, and what that calls isn't: the difference starts \
                 there; `--head {name}` checks it alone"
            ));
            return Some(of_name);
        }
        right.push(format!("`{name}`"));
    }
    if !right.is_empty() {
        said.push(format!(
            "right by themselves: {}; the difference starts in the statements of `{}` itself, or in what goes to \
             and from its calls",
            right.join(", "),
            program[head.proc].name
        ));
    }
    None
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

/// How files that stand for generated ones differ from these, and which of the differences make a check fail. `index` is
/// the number of a head that does.
pub(super) fn in_files(again: &Again<'_>, heads: &[Head], files: &[Against], index: usize) -> Vec<String> {
    let origins = Options { origins: true, ..again.options.generate.clone() };
    let traced = CheckOptions { generate: origins, against: files.to_vec(), ..again.options.clone() };
    let as_made = |options: &CheckOptions| generate(again.program, again.sources, again.files, heads, options).ok();
    // What stands in a file has the names of that file.
    let untraced = CheckOptions { generate: again.options.generate.clone(), ..traced.clone() };
    let (Some(made), Some(with_origins)) = (as_made(&untraced), as_made(&traced)) else { return Vec::new() };
    let edited: Vec<Edited<'_>> = files.iter().filter_map(|f| Edited::new(f, &with_origins)).collect();
    let mut fails = |files: &[Against]| {
        progress::stage("looking for the lines where the difference starts");
        let mut generated = made.clone();
        let replaced = against::replace(&mut generated, files).is_ok();
        let check = |g| check_generated(again.program, again.sources, again.files, heads, g, &again.options);
        replaced && self::fails(check(&generated), index)
    };
    edits::explain(&edited, again.sources, &mut fails)
}
