//! Every program of `mpi/`, differentiated and verified over several processes, with each MPI that is there.
//!
//! The head comment of a program names what is checked: `head`, `size`, `setup`, `layout` where modules are extended, and
//! `processes` for the first MPI; others run every second one in two processes; those with `only` are for an MPI, since others
//! fail by themselves. Of several numbers of processes the last is taken, and all where `COSTATE_EVERY` or `COSTATE_CASE` is set,
//! which names part of the programs. Those in `mpi/refused` have a code under `refused`, and under `times` how often it is given.

use std::path::{Path, PathBuf};
use std::process::Command;

use costate_adjoint::pipeline::{Layout, Options};
use costate_adjoint::verify::{self, CheckOptions, Variant};
use costate_regression::fortran::Fortran;
use costate_regression::{chain, tool};
use rayon::prelude::*;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("mpi")
}

/// What the comment at the start of a program says under a key.
fn said<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let comments = text.lines().take_while(|l| l.starts_with('!'));
    comments.filter_map(|l| l.trim_start_matches('!').trim().strip_prefix(key)?.strip_prefix(':')).next().map(str::trim)
}

/// The sizes that a program asks for.
fn sizes(text: &str) -> Vec<(String, Vec<i64>)> {
    let words = said(text, "size").unwrap_or("").split_whitespace();
    let pairs = words.filter_map(|word| word.split_once('='));
    let number = |extent: &str| extent.parse().expect("a size is a number");
    pairs.map(|(name, value)| (name.to_string(), value.split(',').map(number).collect())).collect()
}

/// One check: what went wrong, if anything.
fn check(program: &Path, fortran: &Fortran, variant: Variant) -> Option<String> {
    let text = std::fs::read_to_string(program).expect("a program can be read");
    let (sources, read) = chain::load(&[(program.display().to_string(), text.clone())]);
    let outcome = read.and_then(|(files, program)| {
        let heads = chain::heads(&program, said(&text, "head").expect("a head"))?;
        let layout = said(&text, "layout").map_or(Layout::Separate, |_| Layout::Extend);
        let options = CheckOptions {
            setup: said(&text, "setup").into_iter().map(str::to_string).collect(),
            generate: Options { sizes: sizes(&text), layout, ..costate_regression::checked() },
            ..fortran.check_options(variant)
        };
        verify::check(&program, &sources, &files, &heads, &options)
    });
    let failure = match outcome {
        Ok(report) if report.passed() => return None,
        Ok(report) => report.to_string(),
        Err(found) => chain::describe(&sources, &found),
    };
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    Some(format!("{name}, {:?}:\n{failure}", fortran.run_words(Path::new(""))))
}

/// A compiler of an MPI with the flags of a variant.
fn compiler(fc: &str, variant: Variant) -> Fortran {
    let flags: Vec<String> = variant.flags(fc).into_iter().filter(|f| f != "-g").collect();
    Fortran::with_messages(fc, 2, &flags.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn programs_are_right() {
    let compilers = tool::mpi_compilers();
    if compilers.is_empty() {
        println!("no MPI is here: nothing of messages between processes is tested");
        return;
    }
    let filter = std::env::var("COSTATE_CASE").unwrap_or_default();
    let every = !filter.is_empty() || std::env::var_os("COSTATE_EVERY").is_some();
    let mut programs: Vec<PathBuf> =
        std::fs::read_dir(folder()).expect("a folder").flatten().map(|e| e.path()).collect();
    programs.retain(|p| p.extension().is_some_and(|e| e == "f90") && p.to_string_lossy().contains(&filter));
    programs.sort();
    let mut runs = Vec::new();
    for (k, fc) in compilers.iter().enumerate() {
        let variant = if k == 0 { Variant::Checked } else { Variant::Optimised };
        let fortran = compiler(fc, variant);
        // The library's own tests run in full with each of them.
        for (at, program) in programs.iter().enumerate() {
            let text = std::fs::read_to_string(program).expect("a program can be read");
            let taken = match said(&text, "only") {
                Some(mpi) => fc.contains(mpi),
                None => k == 0 || at % 2 == 0,
            };
            if !taken {
                continue;
            }
            let several = said(&text, "processes").unwrap_or("2");
            let counts = if k == 0 || several == "1" { several } else { "2" };
            let mut counts: Vec<&str> = counts.split_whitespace().collect();
            if !every {
                counts.drain(..counts.len() - 1);
            }
            let counts = counts.into_iter().map(|n| n.parse().expect("a number of processes"));
            runs.extend(counts.map(|n| (program.clone(), fortran.of_processes(n), variant)));
        }
    }
    // Processes that start and wait for each other leave processors idle.
    let threads = 2 * rayon::current_num_threads();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started");
    let judge = || runs.par_iter().filter_map(|(p, fortran, variant)| check(p, fortran, *variant)).collect();
    let failures: Vec<String> = pool.install(judge);
    assert!(failures.is_empty(), "{} of {} checks fail\n\n{}", failures.len(), runs.len(), failures.join("\n\n"));
}

#[test]
fn an_order_that_needs_buffers_is_found() {
    let Some(fc) = tool::mpi_compilers().first().copied() else { return };
    let program = folder().join("waiting/both_send_first.f90");
    let verdict = |build: &str| {
        let mut command = Command::new(tool::tool());
        command.arg("check").arg(&program).args(["--mpi", "2", "--fc", fc, "--build", build, "--time-limit", "10"]);
        let output = command.args(["--head", "m::f(y)/(x)", "--size", "n=3"]).output().expect("the command can be run");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    assert_eq!(verdict("optimised").0, Some(0));
    let (status, told) = verdict("checked");
    assert!(status == Some(3) && told.contains("in blocking sends, which wait for their receives"), "{told}");
}

#[test]
fn a_miswired_exchange_names_its_line() {
    let Some(fc) = tool::mpi_compilers().first().copied() else { return };
    let mut command = Command::new(tool::tool());
    command.arg("check").arg(folder().join("waiting/sent_in_vain.f90")).args(["--mpi", "2", "--fc", fc]);
    command.args(["--build", "optimised", "--head", "m::f(y)/(x)", "--size", "n=3"]).env("COSTATE_MPI_TIMEOUT", "1");
    let output = command.output().expect("the command can be run");
    let told = String::from_utf8_lossy(&output.stderr);
    let waits = |peer: i32| {
        format!("costate_mpi_isend_b (sent_in_vain.f90:14) waits for a derivative from rank {peer} with tag 2")
    };
    assert!(output.status.code() == Some(1) && (0..2).any(|peer| told.contains(&waits(peer))), "{told}");
}

#[test]
fn messages_longer_than_what_they_begin_with_stop() {
    let mut command = Command::new(tool::tool());
    command.arg("adjoint").arg(folder().join("components_as_buffers.f90")).args(["--head", "m::f(y)/(x)"]);
    let output = command.args(["-o", "/dev/stdout"]).output().expect("the command can be run");
    let text = String::from_utf8_lossy(&output.stdout);
    for test in ["if (m > 4 - (m - 2)) then", "if (m - 1 > 2) then"] {
        assert!(text.contains(test) && text.contains("error stop"), "{test}: {text}");
    }
}

#[test]
fn what_has_no_adjoint_is_refused() {
    let mut programs: Vec<PathBuf> =
        std::fs::read_dir(folder().join("refused")).expect("a folder").flatten().map(|e| e.path()).collect();
    programs.sort();
    assert!(!programs.is_empty());
    for program in programs {
        let text = std::fs::read_to_string(&program).expect("a program can be read");
        let made = std::env::temp_dir().join(format!("costate_refused_{}.f90", std::process::id()));
        let mut command = Command::new(tool::tool());
        command
            .arg("adjoint")
            .arg(&program)
            .args(["--head", said(&text, "head").expect("a head")])
            .arg("-o")
            .arg(&made);
        let output = command.output().expect("the command can be run");
        let messages = String::from_utf8_lossy(&output.stderr);
        let code = said(&text, "refused").expect("a code");
        let times = said(&text, "times").map_or(1, |n| n.parse().expect("a number"));
        let found = messages.matches(code).count();
        assert!(output.status.code() == Some(3) && found >= times, "{}: {messages}", program.display());
        assert!(!made.exists(), "{}", program.display());
    }
}

#[test]
fn no_device_has_what_arrives_meanwhile() {
    let program = folder().join("devices/arriving.f90");
    let text = std::fs::read_to_string(&program).expect("a program can be read");
    for mode in ["tangent", "adjoint"] {
        let made = std::env::temp_dir().join(format!("costate_arriving_{mode}_{}.f90", std::process::id()));
        let mut command = Command::new(tool::tool());
        command.arg(mode).arg(&program).args(["--head", said(&text, "head").expect("a head"), "-o"]).arg(&made);
        let output = command.output().expect("the command can be run");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.contains("receiving a message"), "{told}");
        let code = std::fs::read_to_string(&made).expect("code");
        let names = |line: &str| line.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "b");
        let directives: Vec<&str> = code.lines().filter(|l| l.trim_start().starts_with("!$acc")).collect();
        assert!(directives.len() > 4 && !directives.iter().any(|l| names(l)), "{code}");
        std::fs::remove_file(&made).expect("a file of this test's");
    }
}

/// Runs the program of a folder, a model with an adjoint and a main program, in so many processes; how it ended, and what it wrote.
/// `disk` is where it may have snapshots.
fn run_with_adjoint(sources: &Path, fc: &str, processes: &str, (own, disk): (&Path, &Path)) -> (bool, String) {
    let run = |command: &mut Command| {
        let output = command.current_dir(own).output().expect("the command can be run");
        let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        (output.status.success(), told)
    };
    let model = sources.join("model.f90");
    let made = ["--head", "m::f(y)/(x)", "-o", "model_b.f90"];
    let (made, told) = run(Command::new(tool::tool()).arg("adjoint").arg(&model).args(made));
    assert!(made, "{told}");
    let flags = |kind: &str| {
        let mpi = format!("--mpi={}", costate_adjoint::verify::mpi_flavour(fc));
        let (_, told) = run(Command::new(tool::tool()).args(["config", kind, &mpi]));
        told.split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    let mut build = Command::new(fc);
    build.args(flags("--fflags")).arg(&model).arg("model_b.f90").arg(sources.join("main.f90"));
    let (built, told) = run(build.args(flags("--flibs")).args(["-o", "program"]));
    assert!(built, "{told}");
    let mut start = Command::new("timeout");
    start.args(["-k", "5", "60", &fc.replace("mpif90", "mpirun"), "-n", processes, "./program"]);
    start.env("COSTATE_DISK", disk).env("OMPI_MCA_rmaps_base_oversubscribe", "1");
    start.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    run(&mut start)
}

#[test]
fn a_killed_process_ends_all_and_leaves_no_snapshots() {
    for fc in tool::mpi_compilers() {
        tool::messages(fc);
        let own = std::env::temp_dir().join(format!("costate_killed_{fc}_{}", std::process::id()));
        let disk = own.join("disk");
        std::fs::create_dir_all(&disk).expect("a folder of this test's");
        let (ended, told) = run_with_adjoint(&folder().join("killed"), fc, "2", (&own, &disk));
        assert!(!ended && told.to_lowercase().contains("killed"), "{fc}: {told}");
        assert_eq!(std::fs::read_dir(&disk).expect("the folder").count(), 0, "{fc}");
        std::fs::remove_dir_all(&own).expect("a folder of this test's");
    }
}

/// Some processes compute derivatives while others do something else.
#[test]
fn a_part_of_the_processes_has_derivatives() {
    for fc in tool::mpi_compilers() {
        tool::messages(fc);
        let own = tempfile::tempdir().expect("a folder of this test's");
        let (ended, told) = run_with_adjoint(&folder().join("part"), fc, "3", (own.path(), own.path()));
        assert!(ended && told.matches("right derivative").count() == 2, "{fc}: {told}");
    }
}
