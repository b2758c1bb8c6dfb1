//! Random programs: both modes must be right for every one of them.
//!
//! `COSTATE_RANDOM` sets how many are run, `COSTATE_RANDOM_TEXTS` how many more are only generated, `COSTATE_SEED` where to
//! begin, `COSTATE_SHRINK` how many failures are made smaller. A program that fails is printed with its seed, made as
//! small as can be, with the passes without which it is right.

use costate_regression::fortran::Fortran;
use costate_regression::random::batch::{self, Verdict};
use costate_regression::random::program::RandomProgram;
use costate_regression::random::{features, kernel, procedure, shrink};
use rayon::prelude::*;

/// Programs in one executable.
const BATCH: usize = 100;
/// Failures that are made smaller; the others are only counted.
const SHRUNK: u64 = 6;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The smallest program found that fails in the same way.
fn minimal(fortran: &Fortran, program: &RandomProgram, kind: &str) -> (RandomProgram, Verdict) {
    let mut best = program.clone();
    let mut verdict = Verdict::Skipped;
    for _ in 0..60 {
        let mut found = None;
        for candidates in shrink::smaller(&best).chunks(60) {
            let verdicts = batch::judge(fortran, candidates);
            found = candidates
                .iter()
                .zip(verdicts)
                .find(|(_, v)| v.kind().as_deref() == Some(kind))
                .map(|(p, v)| (p.clone(), v));
            if found.is_some() {
                break;
            }
        }
        match found {
            Some((p, v)) => (best, verdict) = (p, v),
            None => break,
        }
    }
    (best, verdict)
}

/// The helpers of all features, and what they declare, occur.
#[test]
fn every_feature_is_used() {
    let texts: String = (1..600).map(|seed| procedure::program(seed).print("m")).collect();
    let helpers = features::procedures();
    let names = helpers.iter().map(|p| p.name.as_str()).chain(features::DECLARATIONS.iter().map(|(n, _)| *n));
    let mut found: std::collections::BTreeSet<&str> = Default::default();
    found.extend(texts.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let missing: Vec<&str> = names.filter(|n| !found.contains(n)).collect();
    assert!(missing.is_empty(), "in no program: {missing:?}");
}

/// Generating takes a small part of the time that compiling and running take, so more programs are only generated.
#[test]
fn random_programs_are_accepted() {
    let (count, base) = (number("COSTATE_RANDOM_TEXTS", 2500), number("COSTATE_SEED", 1) + 1_000_000);
    let failures: Vec<String> = (base..base + count)
        .into_par_iter()
        .filter_map(|seed| {
            let failure = |p: &RandomProgram| batch::obstacle(p).map(|v| format!("seed {seed}: {v:?}"));
            failure(&procedure::program(seed)).or_else(|| failure(&kernel::program(seed)))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {count} programs fail\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn random_programs_are_right() {
    are_right(procedure::program);
}

#[test]
fn random_kernels_are_right() {
    are_right(kernel::program);
}

fn are_right(program: fn(u64) -> RandomProgram) {
    let (count, base) = (number("COSTATE_RANDOM", 1500), number("COSTATE_SEED", 1));
    println!("{count} programs from seed {base}");
    let fortran = Fortran::new(batch::FLAGS);
    let seeds: Vec<u64> = (base..base + count).collect();
    let judged: Vec<(RandomProgram, Verdict)> = seeds
        .par_chunks(BATCH)
        .flat_map_iter(|chunk| {
            let programs: Vec<RandomProgram> = chunk.iter().map(|s| program(*s)).collect();
            let verdicts = batch::judge(&fortran, &programs);
            programs.into_iter().zip(verdicts).collect::<Vec<_>>()
        })
        .collect();
    let skipped = judged.iter().filter(|(_, v)| *v == Verdict::Skipped).count();
    println!("{skipped} skipped");
    let mut failures: Vec<&(RandomProgram, Verdict)> = judged.iter().filter(|(_, v)| v.kind().is_some()).collect();
    // One of each kind is made smaller first.
    let mut report = String::new();
    for (p, v) in &failures {
        report += &format!("seed {}: {v:?}\n", p.seed);
    }
    let total = failures.len();
    println!("{report}");
    failures.sort_by_key(|(p, _)| p.size());
    let most = number("COSTATE_SHRINK", SHRUNK);
    let mut kinds: Vec<String> = Vec::new();
    let mut chosen = Vec::new();
    for f in &failures {
        let kind = f.1.kind().unwrap_or_default();
        if kinds.iter().filter(|k| **k == kind).count() < 2 && (chosen.len() as u64) < most {
            kinds.push(kind.clone());
            chosen.push((&f.0, kind));
        }
    }
    let small: Vec<String> = chosen
        .par_iter()
        .map(|(p, kind)| {
            let (small, verdict) = minimal(&fortran, p, kind);
            let blame: Vec<String> = batch::to_blame(&fortran, &small).iter().map(ToString::to_string).collect();
            let blame =
                if blame.is_empty() { String::new() } else { format!(", right without {}", blame.join(" or ")) };
            format!("\n==== seed {}: {kind}: {verdict:?}{blame}\n{}", p.seed, batch::show(&small))
        })
        .collect();
    assert!(total == 0, "{total} of {count} programs fail\n{report}\n{}", small.join("\n"));
    assert!(skipped * 10 <= judged.len(), "{skipped} of {count} programs were skipped");
}
