//! Damaged programs: whatever the text, Costate answers with code or diagnostics, never with a panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use costate_adjoint::pipeline::Mode;
use costate_regression::chain;
use costate_regression::random::Rng;
use rayon::prelude::*;

/// Seeds that each case has.
const SEEDS: u64 = 200;

/// Mutations of all cases together: the test takes as long with more of them.
const MUTATIONS: u64 = 6_000;

/// Words that a mutation may put in.
const WORDS: &[&str] = &[
    "(",
    ")",
    ",",
    "::",
    "%",
    "&",
    "'",
    "\"",
    "=>",
    "=",
    "*",
    "**",
    "end",
    "end do",
    "end if",
    "do",
    "if",
    "then",
    "else",
    "call",
    "x",
    "y",
    "n",
    "i",
    "0",
    "1d0",
    ":",
    ";",
    "!",
    "contains",
    "use",
    "module",
    "type",
    "real(8)",
    "integer",
    "intent(in)",
    "intent(out)",
    "allocatable",
    "pointer",
    "(:)",
    "function",
    "subroutine",
    "where",
    "select case",
    "exit",
    "cycle",
    "return",
    "result(y)",
    "é",
    "\t",
    "\n",
    "1e999",
    "99999999999999999999",
    "x(",
    ")y",
    "(1:n:0)",
];

fn mutate(text: &str, others: &[String], rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    for _ in 0..1 + rng.below(4) {
        if lines.is_empty() {
            break;
        }
        let at = rng.below(lines.len());
        match rng.below(9) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[rng.below(lines.len())].clone()),
            2 => {
                let to = rng.below(lines.len());
                lines.swap(at, to);
            }
            3 => {
                let other: Vec<&str> = rng.pick(others).lines().collect();
                if !other.is_empty() {
                    lines.insert(at, (*rng.pick(&other)).to_string());
                }
            }
            4 => lines.truncate(at + 1),
            5 => {
                let chars: Vec<char> = lines[at].chars().collect();
                if !chars.is_empty() {
                    let cut = rng.below(chars.len());
                    lines[at] = chars[..cut].iter().chain(chars.iter().skip(cut + 1)).collect();
                }
            }
            _ => {
                let words: Vec<String> =
                    lines[at].split_inclusive([' ', '(', ',', ')', '=']).map(str::to_string).collect();
                if !words.is_empty() {
                    let k = rng.below(words.len());
                    let mut new = words;
                    let word = rng.text(WORDS);
                    if rng.chance(50) {
                        new[k] = format!("{word} ");
                    } else {
                        new.insert(k, word);
                    }
                    lines[at] = new.concat();
                }
            }
        }
    }
    lines.join("\n")
}

fn everything(name: &str, text: &str) {
    let Ok(loaded) = chain::loaded(name, text) else { return };
    for head in ["m::f(y)/(x)", "f"] {
        if let Ok(heads) = chain::heads(&loaded.program, head) {
            let _ = loaded.differentiate(&heads, Mode::Tangent);
            let _ = loaded.differentiate(&heads, Mode::Adjoint);
        }
    }
}

#[test]
fn damaged_programs_never_panic() {
    let mut paths: Vec<_> = std::fs::read_dir(chain::cases_folder())
        .expect("the folder of cases can be read")
        .map(|e| e.expect("an entry can be read").path())
        .filter(|p| p.extension().is_some_and(|e| e == "f90" || e == "F90"))
        .collect();
    paths.sort();
    let texts: Vec<String> = paths.iter().map(|p| std::fs::read_to_string(p).expect("a case can be read")).collect();
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let each = (MUTATIONS / texts.len() as u64).clamp(1, SEEDS);
    let failures: Vec<String> = (0..texts.len() as u64 * each)
        .into_par_iter()
        .filter_map(|i| {
            let (at, seed) = ((i / each) as usize, i / each * SEEDS + i % each);
            let text = mutate(&texts[at], &texts, &mut Rng::new(seed));
            let name = paths[at].display().to_string();
            let panicked = catch_unwind(AssertUnwindSafe(|| everything(&name, &text))).err()?;
            let why = panicked.downcast_ref::<String>().cloned();
            let why = why.or_else(|| panicked.downcast_ref::<&str>().map(|s| (*s).to_string())).unwrap_or_default();
            Some(format!("seed {seed} ({name}): {why}\n{text}"))
        })
        .collect();
    std::panic::set_hook(hook);
    assert!(failures.is_empty(), "{} panics\n{}", failures.len(), failures[..failures.len().min(5)].join("\n\n"));
}
