//! The script that does a kept check again without Costate.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::driver::Driver;
use super::{MpiRuns, Point};

/// What runs in one folder.
pub(super) struct Step {
    pub(super) folder: PathBuf,
    /// Commands that build.
    pub(super) commands: Vec<Vec<String>>,
    /// The programs that they make, one for each driver.
    pub(super) programs: Vec<PathBuf>,
}

/// What reads the figures that a driver writes. A difference quotient is only known so well: the tangent may be off by
/// eight times that.
const JUDGE: &str = r#"judge() { # judge FIGURES LIMIT INPUTS OUTPUTS: says what the figures mean; fails where they are wrong
  awk -v limit="$2" -v inputs="$3" -v outputs="$4" '
    function name(list, i,  parts) { split(list, parts, ";"); return i == 0 ? "all" : parts[i] }
    function block() { return name(outputs, $3) " / " name(inputs, $2) }
    function abs(v) { return v < 0 ? -v : v }
    function verdict(good) { if (!good) bad = 1; return good ? "" : "  WRONG" }
    $1 == "quotient" { printf "  %-30s tangent off by %.2e, difference quotient by %.2e%s\n", block(), $4, $5, verdict($4 <= 8*$5) }
    $1 == "dot" { size = $6 > $7 ? $6 : $7; off = abs($4 - $5)
      printf "  %-30s dot products %.14e %.14e%s\n", block(), $4, $5, verdict(off <= limit*size || off <= 64*$8) }
    $1 == "left" && $4 != 0 { printf "  the adjoint of %s is not zero on exit%s\n", name(outputs, $2), verdict(0) }
    # What adds up to nothing leaves rounding errors of the largest adjoint.
    $1 == "again" { again++; of[again] = $2; top[again] = $4; apart[again] = $5; if ($4 > most) most = $4 }
    $1 == "increment" && !($5 <= limit*$4) { printf "  the adjoint of %s is not incremented%s\n", name(inputs, $2), verdict(0) }
    $1 == "broken" || $1 == "gave-up" { print "  " $0; bad = 1 }
    $1 == "end" { complete = 1 }
    END { epsilon = limit > 1e-8 ? 1.2e-7 : 2.3e-16
      for (k = 1; k <= again; k++) if (!(apart[k] <= limit*top[k] || apart[k] <= 64*epsilon*most))
        printf "  a second run gives another adjoint of %s%s\n", name(inputs, of[k]), verdict(0)
      if (!complete) print "  the program did not come to its end"; exit bad || !complete }
  ' "$1"
}
"#;

/// The text of the script in a folder. `points` says at which of them each driver runs.
pub(super) fn text(
    folder: &Path,
    steps: &[Step],
    (drivers, points): (&[Driver], &[Point]),
    mpi: Option<&MpiRuns>,
) -> String {
    let mut out =
        String::from("#!/bin/sh\n# Builds and runs a check again: ./run.sh\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\n");
    out.push_str("status=0\n");
    if mpi.is_some() {
        out.push_str(&MpiRuns::exports());
    }
    out.push_str(JUDGE);
    for step in steps {
        let _ = writeln!(out, "\ncd {} || exit 2", quoted(&step.folder.to_string_lossy(), folder));
        for command in &step.commands {
            let words: Vec<String> = command.iter().map(|w| quoted(w, folder)).collect();
            let _ = writeln!(out, "{} || exit 2", words.join(" "));
        }
        let variant = step.folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        for ((program, driver), point) in step.programs.iter().zip(drivers).zip(points) {
            let command = mpi.map_or_else(|| vec![program.to_string_lossy().into_owned()], |m| m.words(program));
            let command = command.iter().map(|w| quoted(w, folder)).collect::<Vec<_>>().join(" ");
            let program = quoted(&program.to_string_lossy(), folder);
            let limit = if driver.kinds.iter().all(|k| *k >= 8) { "1e-12" } else { "1e-5" };
            let _ = writeln!(out, "echo {}", quoted(&format!("{}, {variant}:", driver.head), folder));
            let point = point.word();
            let _ = writeln!(out, "{command} {program}.txt {variant} {point} || status=1");
            let names = |list: &[String]| quoted(&list.join(";"), folder);
            let (inputs, outputs) = (names(&driver.inputs), names(&driver.outputs));
            let _ = writeln!(out, "judge {program}.txt {limit} {inputs} {outputs} || status=1");
        }
    }
    out.push_str("exit $status\n");
    out
}

/// A word for the shell; the folder is where the script lies.
fn quoted(word: &str, folder: &Path) -> String {
    let folder = folder.to_string_lossy();
    let single = |text: &str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:%@".contains(c);
        if !text.is_empty() && text.chars().all(plain) {
            text.to_string()
        } else {
            format!("'{}'", text.replace('\'', "'\\''"))
        }
    };
    match word.split_once(folder.as_ref()) {
        Some((before, after)) => {
            let after = if after.is_empty() { String::new() } else { single(after) };
            let before = if before.is_empty() { String::new() } else { single(before) };
            format!("{before}\"$here\"{after}")
        }
        None => single(word),
    }
}
