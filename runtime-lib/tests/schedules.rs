//! Schedules as a user meets them: a hand-written adjoint of a time loop, driven through every kind of schedule.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use common::program;

/// The optimised program, compiled once.
fn optimised() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| program("schedule_test.f90", "schedules", &["-O2", "-fopenmp"]))
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("snapshots").join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The command for a case: kind of schedule, snapshots in memory and on disk.
fn command(program: &Path, case: &str, (kind, memory, disk): (&str, u32, u32), folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args([case, kind, &memory.to_string(), &disk.to_string()]).arg(folder).arg("0");
    command
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn passes(mut command: Command) -> String {
    let output = command.output().expect("the test program");
    assert!(output.status.success(), "{command:?}: {output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n", "{command:?}");
    errors(&output)
}

fn fails(mut command: Command, status: i32, messages: &[&str]) {
    let output = command.output().expect("the test program");
    let text = errors(&output);
    assert_eq!(output.status.code(), Some(status), "{command:?}: {text}");
    for message in messages {
        assert!(text.contains(message), "{message}: {text}");
    }
}

const SCHEDULES: [(&str, u32, u32); 15] = [
    ("store-all", 0, 0),
    ("two-level", 0, 0),
    ("two-level", 30, 0),
    ("two-level", 5, 20),
    ("revolve", 1, 0),
    ("revolve", 10, 0),
    ("revolve", 3, 20),
    ("revolve", 0, 30),
    ("mixed", 30, 0),
    ("dynamic", 20, 0),
    ("dynamic", 10, 10),
    ("online", 0, 0),
    ("online", 7, 0),
    ("online", 7, 20),
    ("online", 0, 3),
];

#[test]
fn gradients_agree_with_those_of_storing_all() {
    let folder = folder("gradients");
    for schedule in SCHEDULES {
        // One snapshot takes half a million steps.
        passes(command(optimised(), "gradient", schedule, &folder));
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0, "files are left");
}

#[test]
fn gradients_agree_with_every_check_of_the_compiler() {
    let program = program("schedule_test.f90", "schedules-checked", &["-O0", "-g", "-fcheck=all,no-array-temps"]);
    for schedule in [("two-level", 5, 20), ("revolve", 3, 20), ("online", 10, 0)] {
        passes(command(&program, "gradient", schedule, &folder("checked")));
    }
    passes(command(&program, "kinds", ("revolve", 1, 0), &folder("checked")));
}

#[test]
fn compressed_snapshots_are_the_same() {
    let mut command = command(optimised(), "gradient", ("revolve", 0, 10), &folder("compressed"));
    command.env("COSTATE_COMPRESS", "1");
    passes(command);
}

#[test]
fn threads_have_schedules_of_their_own() {
    for schedule in [("two-level", 30, 0), ("revolve", 5, 5), ("online", 10, 0)] {
        passes(command(optimised(), "threads", schedule, &folder("threads")));
    }
}

#[test]
fn variables_of_many_kinds_come_back() {
    for disk in [0, 1] {
        passes(command(optimised(), "kinds", ("revolve", 1, disk), &folder("kinds")));
    }
}

#[test]
fn recomputed_values_are_compared() {
    let run = |broken: &str| {
        let mut command = Command::new(optimised());
        command.args(["once", "revolve", "10", "0", "", broken]).env("COSTATE_VERIFY", "1");
        command
    };
    passes(run("0"));
    let message = "costate: schedule `burgers`: `u` at step ";
    fails(run("500"), 1, &[message, " is not what it was when it was computed first (checksum "]);
    let mut unverified = run("500");
    passes(std::mem::replace(unverified.env_remove("COSTATE_VERIFY"), Command::new("")));
}

#[test]
fn statistics_and_progress() {
    let run = |variable: &str, value: &str| {
        let mut command = command(optimised(), "once", ("revolve", 10, 0), &folder("statistics"));
        command.env(variable, value);
        passes(command)
    };
    // Forward steps of the binomial schedule: 1000 steps, 10 snapshots.
    let expected = costate_schedules::revolve::forward_steps(1000, 10).expect("a schedule");
    let text = run("COSTATE_STATS", "1");
    assert!(text.contains(&format!("forward steps            {expected}, of these 1000 with saving\n")), "{text}");
    let text = run("COSTATE_STATS", "json");
    assert!(text.contains(&format!("\"forward_steps\": {expected}, \"recorded_steps\": 1000")), "{text}");
    // At most 10 snapshots of 101 reals, a step number and what stands before four arrays. The first one has grown, so that it
    // has a little room to spare.
    let bytes = 10 * (101 * 8 + 4 + 4 * 16);
    let peak = text.split("\"memory\": ").nth(1).and_then(|rest| rest.split(',').next());
    let peak: u32 = peak.and_then(|peak| peak.parse().ok()).expect("a number");
    assert!((bytes..=bytes + 100).contains(&peak), "{peak}");
    let file = folder("statistics").join("run.json");
    assert_eq!(run("COSTATE_STATS", file.to_str().expect("a name")), "");
    let text = fs::read_to_string(file).expect("the statistics");
    // One step saves 101 reals, in a block of the next power of two.
    assert!(text.starts_with("{\"peak_tape_bytes\": 1024, ") && text.ends_with("}}\n"), "{text}");
    let text = run("COSTATE_PROGRESS", "1");
    let line = format!("costate: `burgers`: {expected} forward steps, 1000 of 1000 backward, ");
    assert!(text.contains(&line), "{text}");
    assert_eq!(run("COSTATE_STATS", "0"), "");
}

#[test]
fn a_full_disk_is_reported() {
    // A limit on the size of files stands for a full disk: 512 blocks of 512 or 1024 bytes.
    let script = r#"ulimit -f 64 && exec "$0" once two-level 0 500 "$1" 0"#;
    let mut command = Command::new("bash");
    let folder = folder("full");
    command.args(["-c", script]).arg(optimised()).arg(&folder);
    let place = format!("can't be written to {}, where snapshots take ", folder.display());
    fails(command, 1, &["costate: schedule `burgers`: a snapshot of 876 bytes ", &place, "File too large"]);
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 0, "files are left");
}

#[test]
fn no_memory_is_reported() {
    let script = r#"ulimit -v 120000 && exec "$0" memory two-level 999 0 "" 0"#;
    let mut command = Command::new("bash");
    command.args(["-c", script]).arg(optimised());
    fails(command, 1, &["costate: schedule `large`: out of memory: a snapshot asked for 7.6 MiB (800"]);
}

#[test]
fn an_unusable_folder_is_reported() {
    let nowhere = Path::new("/proc/no/such/folder");
    let message = "costate: schedule `burgers`: no file for snapshots can be made in /proc/no/such/folder: ";
    fails(command(optimised(), "once", ("revolve", 3, 3), nowhere), 1, &[message]);
    // The environment names another one.
    let mut redirected = command(optimised(), "once", ("revolve", 3, 3), nowhere);
    redirected.env("COSTATE_DISK", folder("redirected"));
    passes(redirected);
}

#[test]
fn wrong_use_is_reported() {
    let run = |case: &str, kind: &str| command(optimised(), case, (kind, 3, 0), Path::new(""));
    let kinds =
        "there is no schedule `best`; there are store-all, two-level, revolve, multistage, mixed, dynamic, online";
    fails(run("wrong", "best"), 70, &["costate: schedule `wrong`: internal error: ", kinds]);
    let small = "costate: schedule `small`: reversing 10 steps takes at least 800 bytes of memory";
    fails(run("small-budget", "dynamic"), 1, &[small]);
    fails(run("assumed-size", ""), 70, &["an array of assumed size was to be kept as a whole"]);
    let sizes = "an array of 72 bytes was asked for where one of 80 bytes was put";
    fails(run("other-array", ""), 70, &["costate: schedule `wrong`: internal error: ", sizes]);
}
