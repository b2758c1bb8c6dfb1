//! Cases that say themselves what is expected of them, in comments before their first statement:
//!
//! ```text
//! ! head: m::f(y)/(x)          one line for each head; a program has none of these lines or is described by them alone
//! ! size: n=8 nt=5             `--size`
//! ! value: nu=0.1d0            `--value`
//! ! setup: init                `--setup`
//! ! layout: extend             `--layout`
//! ! calls: split               `--calls`
//! ! memory: 20000              `--memory`, in bytes
//! ! with: other.f90            more files of the program
//! ! refused: C0404 at 12       in place of right
//! ! threads: 4               compiled with OpenMP, and run with up to so many threads
//! ! acc: host                compiled with OpenACC
//! ! link: -llapack -lblas    flags for linking
//! ! loose: why                 not run with trapping undefined reals, for the reason that is given
//! ```

use std::fs;

use costate_adjoint::pipeline::Layout;
use costate_grammar::diag::Code;
use costate_regression::chain;

use super::{Case, Expected, right};

/// Texts of cases live as long as the test process, like those of the table.
fn kept(text: &str) -> &'static str {
    text.to_string().leak()
}

fn sizes(text: &str) -> &'static [(&'static str, &'static [i64])] {
    let list: Vec<(&'static str, &'static [i64])> = text
        .split_whitespace()
        .map(|item| {
            let (name, values) = item.split_once('=').unwrap_or_else(|| panic!("not a size: {item}"));
            let values: Vec<i64> = values.split(',').map(|v| v.parse().expect("a size is a number")).collect();
            (kept(name), &*values.leak())
        })
        .collect();
    list.leak()
}

fn refusal(text: &str) -> Expected {
    let (code, line) = text.split_once(" at ").unwrap_or_else(|| panic!("not a refusal: {text}"));
    let code = Code::ALL.iter().find(|c| c.as_str() == code).unwrap_or_else(|| panic!("no code {code}"));
    Expected::Refused(*code, line.trim().parse().expect("a line is a number"))
}

/// The cases that a text describes, one for each head.
fn cases_of(file: &'static str, text: &str) -> Vec<Case> {
    let mut heads = Vec::new();
    let mut case = Case { sizes: &[], ..right(file) };
    for line in text.lines().map_while(|l| l.trim().strip_prefix('!')) {
        let Some((key, value)) = line.trim().split_once(": ") else { continue };
        let value = value.trim();
        match key {
            "head" => heads.push(kept(value)),
            "size" => case.sizes = sizes(value),
            "value" => {
                let list: Vec<_> = value.split_whitespace().filter_map(|v| v.split_once('=')).collect();
                case.values = list.iter().map(|(n, v)| (kept(n), kept(v))).collect::<Vec<_>>().leak();
            }
            "setup" => case.setup = value.split_whitespace().map(kept).collect::<Vec<_>>().leak(),
            "layout" => {
                case.layout = match value {
                    "extend" => Layout::Extend,
                    _ => panic!("{file}: no layout {value}"),
                }
            }
            "calls" => case.split = value == "split",
            "memory" => case.memory = Some(value.parse().expect("bytes")),
            "with" => case.with = value.split_whitespace().map(kept).collect::<Vec<_>>().leak(),
            "refused" => (case.expected, case.strict) = (refusal(value), false),
            "loose" => case.strict = false,
            "threads" => case.parallel.threads = Some(value.parse().expect("a number of threads")),
            "acc" => case.parallel.acc = true,
            "link" => case.link = value.split_whitespace().map(kept).collect::<Vec<_>>().leak(),
            _ => {}
        }
    }
    heads.into_iter().map(|head| Case { head, ..case.clone() }).collect()
}

/// All programs in the folder that describe themselves, by name.
pub(crate) fn cases() -> Vec<Case> {
    let folder = fs::read_dir(chain::cases_folder()).expect("the folder of cases can be read");
    let mut names: Vec<String> =
        folder.filter_map(|e| e.ok()?.file_name().into_string().ok()).filter(|n| super::is_program(n)).collect();
    names.sort();
    let text = |name: &String| fs::read_to_string(chain::cases_folder().join(name)).unwrap_or_default();
    names.iter().flat_map(|n| cases_of(kept(n), &text(n))).collect()
}
