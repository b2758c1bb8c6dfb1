//! Random programs: both modes must be right for every one of them.
//!
//! `COSTATE_RANDOM` sets how many are run, `COSTATE_RANDOM_TEXTS` how many more are only generated, `COSTATE_SEED` where to
//! begin, `COSTATE_SHRINK` how many failures are made smaller (with 0 they are shown as they are), `COSTATE_OPTIMISED=k` that
//! every k-th batch is compiled with optimisation too, `COSTATE_FEATURES` which constructs are drawn (see `features`),
//! `COSTATE_PROCESSES` how many processes pass messages, `COSTATE_TALLY` that each construct is drawn alone and only figures are shown. A program that fails is printed with its seed, made as small as can be, with the
//! passes without which it is right.

use costate_regression::fortran::{self, Fortran};
use costate_regression::random::batch::{self, Verdict};
use costate_regression::random::program::RandomProgram;
use costate_regression::random::{features, kernel, messages, procedure, shrink};
use costate_regression::tool;
use rayon::prelude::*;
use std::sync::OnceLock;

/// Programs in one executable; compilers take more than four times as long for four times as many, on one processor.
const BATCH: usize = 8;
/// Failures that are made smaller; the others are only counted.
const SHRUNK: u64 = 6;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The smallest program found that fails in the same way.
fn minimal(compilers: &[&Fortran], program: &RandomProgram, kind: &str) -> (RandomProgram, Verdict) {
    let mut best = program.clone();
    let mut verdict = Verdict::Skipped;
    for _ in 0..60 {
        let mut found = None;
        for candidates in shrink::smaller(&best).chunks(60) {
            let verdicts = batch::judge(compilers, candidates);
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

/// The helpers of all constructs, and what they declare, occur.
#[test]
fn every_construct_is_used() {
    let alone = |f| features::Selection { features: vec![f], every: true };
    let texts: String = features::all()
        .flat_map(|f| (1..40).map(|seed| procedure::program_of(seed, &alone(f)).print("m")).collect::<Vec<_>>())
        .collect();
    let helpers = features::procedures();
    let names = helpers.iter().map(|p| p.name.as_str()).chain(features::declarations().map(|d| d.0));
    let locals = features::all().flat_map(|f| f.locals.iter().map(|l| l.0));
    let mut found: std::collections::BTreeSet<&str> = Default::default();
    found.extend(texts.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let missing: Vec<&str> = names.chain(locals).filter(|n| !found.contains(n) && !n.starts_with('_')).collect();
    assert!(missing.is_empty(), "in no program: {missing:?}");
}

/// Figures for each construct that is asked for, drawn alone.
#[test]
fn constructs_are_tallied() {
    if std::env::var_os("COSTATE_TALLY").is_none() {
        return;
    }
    let (count, base) = (number("COSTATE_RANDOM", 100), number("COSTATE_SEED", 1));
    let checked = Fortran::new(batch::CHECKED);
    let features = &features::Selection::asked().features;
    let alone = |f| features::Selection { features: vec![f], every: true };
    println!("construct right skipped declined refused wrong not-compiled died | the first");
    features.par_iter().for_each(|f| {
        let programs: Vec<RandomProgram> = (base..base + count).map(|s| procedure::program_of(s, &alone(*f))).collect();
        let verdicts: Vec<Verdict> = programs.chunks(BATCH).flat_map(|c| batch::judge(&[&checked], c)).collect();
        println!("{} {}", f.name, tallied(&programs, &verdicts));
    });
}

/// How many programs there are of each verdict, and the first that fails.
fn tallied(programs: &[RandomProgram], verdicts: &[Verdict]) -> String {
    let mut figures = [0; 7];
    let mut first = String::new();
    for (p, v) in programs.iter().zip(verdicts) {
        let k = match v {
            Verdict::Right => 0,
            Verdict::Skipped => 1,
            Verdict::Declined(_) => 2,
            Verdict::Refused(_) => 3,
            Verdict::Wrong(text) if text.starts_with("not compiled") => 5,
            Verdict::Wrong(text) if text.contains("died") || text.starts_with("panic") => 6,
            Verdict::Wrong(_) => 4,
        };
        figures[k] += 1;
        if first.is_empty() && v.kind().is_some() {
            first = format!("{}: {v:?}", p.seed).chars().take(400).collect();
        }
    }
    let figures: Vec<String> = figures.iter().map(ToString::to_string).collect();
    format!("{} | {first}", figures.join(" "))
}

/// Constructs that are drawn together mean the same by a name.
#[test]
fn constructs_share_no_names() {
    let mut declared = std::collections::BTreeMap::new();
    for (name, declaration, _) in features::all().flat_map(|f| f.locals) {
        let known = declared.entry(*name).or_insert(*declaration);
        assert_eq!(known, declaration, "{name} is declared in two ways");
    }
}

/// Generating takes a small part of the time that compiling and running take, so more programs are only generated.
#[test]
fn random_programs_are_accepted() {
    let (count, base) = (number("COSTATE_RANDOM_TEXTS", 200), number("COSTATE_SEED", 1) + 1_000_000);
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
    are_right(procedure::program, &serial(), (24, 1));
}

/// What is drawn where loops are shared out: the themes with directives, and those that stand around them.
const SHARED: &str = "parallel,shared_loops,shared_kept,shared_tables,shared_exclusive,shared_called,shared_limits,shared_periodic,shared_recursive,shared_columns,shared_threads,basic,\
loops,arguments,types,memory";

/// The program of a seed, or of one that belongs to it, that has directives or `do concurrent`.
fn parallel_program(seed: u64) -> RandomProgram {
    static DRAWN: OnceLock<features::Selection> = OnceLock::new();
    let drawn = DRAWN.get_or_init(|| match std::env::var("COSTATE_FEATURES") {
        Ok(_) => features::Selection::asked().clone(),
        Err(_) => features::Selection::of(SHARED),
    });
    let programs = (0..64).map(|k| procedure::program_of(seed + (k << 40), drawn));
    let mut shared = programs.skip_while(|p| {
        let text = p.print("m");
        !["!$omp", "!$acc", "do concurrent"].iter().any(|word| text.contains(word))
    });
    shared.next().expect("some programs have directives")
}

/// Programs with directives, on three threads.
#[test]
fn random_parallel_programs_are_right() {
    are_right(parallel_program, &[Fortran::new(batch::SHARED), optimised()], (16, 1));
}

#[test]
fn random_kernels_are_right() {
    are_right(kernel::program, &serial(), (24, 1));
}

/// Several processes run programs that pass messages: with run-time checks and one MPI, optimised and with the other one.
#[test]
fn random_messages_are_right() {
    let processes = u8::try_from(number("COSTATE_PROCESSES", 3)).unwrap_or(3);
    let with = |fc: &str, flags: &[&str]| {
        // Calls of procedures that `mpif.h` doesn't declare pass variables of any type.
        Fortran::with_messages(fc, processes, &[flags, &["-fallow-argument-mismatch"]].concat())
    };
    match tool::mpi_compilers().as_slice() {
        [] => println!("no MPI is here: no programs that pass messages are run"),
        [one, rest @ ..] => {
            let other = rest.first().unwrap_or(one);
            are_right(messages::program, &[with(one, batch::CHECKED), with(other, batch::OPTIMISED)], (6, 9));
        }
    }
}

#[test]
fn random_messages_have_objects() {
    let texts: Vec<String> = (1..=60).map(|seed| messages::program(seed).print("m")).collect();
    for call in ["mpi_bcast(oa", "mpi_sendrecv(oa", "mpi_sendrecv_replace(oa", "mpi_irecv(ob", "mpi_irecv(na", "%hcs("]
    {
        assert!(texts.iter().any(|t| t.contains(call)), "{call}");
    }
}

/// With run-time checks, and optimised.
fn serial() -> [Fortran; 2] {
    [Fortran::new(batch::CHECKED), optimised()]
}

/// Optimised; a device has memory of its own, where it can be emulated.
fn optimised() -> Fortran {
    static MADE: OnceLock<(tempfile::TempDir, Fortran)> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let fortran = Fortran::new(batch::OPTIMISED);
        let gnu = fortran::version().starts_with("GNU Fortran");
        let fortran = if gnu { fortran.with_separate_memory(folder.path()) } else { fortran };
        (folder, fortran)
    });
    made.1.clone()
}

/// `asked`: how many programs where nobody says, and from which seed.
fn are_right(program: fn(u64) -> RandomProgram, [checked, optimised]: &[Fortran; 2], asked: (u64, u64)) {
    let (count, base) = (number("COSTATE_RANDOM", asked.0), number("COSTATE_SEED", asked.1));
    println!("{count} programs from seed {base}");
    let every = number("COSTATE_OPTIMISED", 5).max(1);
    let seeds: Vec<u64> = (base..base + count).collect();
    let judged: Vec<(RandomProgram, Verdict)> = seeds
        .par_chunks(BATCH)
        .flat_map_iter(|chunk| {
            let programs: Vec<RandomProgram> = chunk.iter().map(|s| program(*s)).collect();
            let both = (chunk[0] / BATCH as u64).is_multiple_of(every);
            let compilers: &[&Fortran] = if both { &[checked, optimised] } else { &[checked] };
            let verdicts = batch::judge(compilers, &programs);
            programs.into_iter().zip(verdicts).collect::<Vec<_>>()
        })
        .collect();
    let skipped = judged.iter().filter(|(_, v)| *v == Verdict::Skipped).count();
    println!("{skipped} skipped");
    let mut failures: Vec<&(RandomProgram, Verdict)> = judged.iter().filter(|(_, v)| v.kind().is_some()).collect();
    // One of each kind is made smaller first.
    let mut report = String::new();
    let most = number("COSTATE_SHRINK", SHRUNK);
    for (p, v) in &failures {
        report += &format!("seed {}: {v:?}\n", p.seed);
        if most == 0 {
            report += &batch::show(p);
        }
    }
    let total = failures.len();
    println!("{report}");
    failures.sort_by_key(|(p, _)| p.size());
    let mut kinds: Vec<String> = Vec::new();
    let mut chosen = Vec::new();
    for f in &failures {
        let kind = f.1.kind().unwrap_or_default();
        if kinds.iter().filter(|k| **k == kind).count() < 2 && (chosen.len() as u64) < most {
            kinds.push(kind.clone());
            chosen.push((&f.0, &f.1, kind));
        }
    }
    let small: Vec<String> = chosen
        .par_iter()
        .map(|(p, v, kind)| {
            let compilers: &[&Fortran] = if v.level_is(optimised.level()) { &[optimised] } else { &[checked] };
            let (small, verdict) = minimal(compilers, p, kind);
            let blame: Vec<String> = batch::to_blame(compilers, &small).iter().map(ToString::to_string).collect();
            let blame =
                if blame.is_empty() { String::new() } else { format!(", right without {}", blame.join(" or ")) };
            format!("\n==== seed {}: {kind}: {verdict:?}{blame}\n{}", p.seed, batch::show(&small))
        })
        .collect();
    assert!(total == 0, "{total} of {count} programs fail\n{report}\n{}", small.join("\n"));
    assert!(skipped * 10 <= judged.len(), "{skipped} of {count} programs were skipped");
}
