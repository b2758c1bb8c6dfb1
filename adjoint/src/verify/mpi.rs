//! Checks of programs of several processes: how they are launched, and with which libraries.

use std::path::{Path, PathBuf};
use std::process::Command;

/// How a check runs in several processes.
#[derive(Clone, Debug)]
pub struct MpiRuns {
    /// How many.
    pub processes: u8,
    /// The command that launches them, up to `-n`.
    pub launcher: Vec<String>,
    /// Flags to link the run-time library for messages, where generated code uses it; the archive that is missing, else.
    pub runtime: Result<Vec<String>, PathBuf>,
}

/// What launchers need to know where it isn't set: tests run in containers, as root, with more processes than processors.
/// Processes that wait leave processors to others.
const ENVIRONMENT: [(&str, &str); 6] = [
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_rmaps_base_oversubscribe", "1"),
    ("OMPI_MCA_btl_vader_single_copy_mechanism", "none"),
    ("OMPI_MCA_mpi_yield_when_idle", "1"),
    ("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"),
];

impl MpiRuns {
    /// The compiler where none is named.
    pub const COMPILER: &str = "mpif90";

    /// The command that runs a program.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut words = self.words(program).into_iter();
        let mut command = Command::new(words.next().unwrap_or_else(|| "mpirun".to_string()));
        command.args(words);
        self.prepare(&mut command);
        command
    }

    /// Sets the environment that its launcher needs.
    pub fn prepare(&self, command: &mut Command) {
        for (name, value) in ENVIRONMENT.iter().filter(|(n, _)| std::env::var_os(n).is_none()) {
            command.env(name, value);
        }
    }

    /// The words of the command.
    pub fn words(&self, program: &Path) -> Vec<String> {
        let mut words = self.launcher.clone();
        words.extend(["-n".to_string(), self.processes.to_string(), program.to_string_lossy().into_owned()]);
        words
    }

    /// Lines of a script that set the environment.
    pub(super) fn exports() -> String {
        let line = |(name, value): &(&str, &str)| format!("export {name}=\"${{{name}-{value}}}\"\n");
        ENVIRONMENT.iter().map(line).collect()
    }
}

/// The launcher that belongs to a compiler: with the same suffix (`mpif90.mpich`), in the same folder, where that is there.
pub fn launcher(fc: &str) -> String {
    let is_there = |command: &str| match command.contains('/') {
        true => Path::new(command).exists(),
        false => std::env::var_os("PATH").is_some_and(|p| std::env::split_paths(&p).any(|d| d.join(command).exists())),
    };
    let (folder, suffix) = parts(fc);
    let plain = format!("{folder}mpirun");
    let suffixed = format!("{plain}.{suffix}");
    let found = [(suffixed, !suffix.is_empty()), (plain, true)].into_iter().find(|(c, ask)| *ask && is_there(c));
    found.map_or_else(|| "mpirun".to_string(), |(command, _)| command)
}

/// The folder of the run-time library for the MPI of a compiler, by its suffix.
pub fn flavour(fc: &str) -> &'static str {
    match parts(fc).1 {
        "mpich" => "mpich",
        "openmpi" => "openmpi",
        _ => "default",
    }
}

/// The folder of a compiler, with a slash after it, and the suffix of its name.
fn parts(fc: &str) -> (&str, &str) {
    let command = fc.split_whitespace().next().unwrap_or_default();
    let (folder, name) = command.split_at(command.rfind('/').map_or(0, |at| at + 1));
    (folder, name.split_once('.').map_or("", |(_, suffix)| suffix))
}

/// What processes said, without what launchers add and without places that have no name: little else would be left of the
/// last lines.
pub(super) fn own_words(lines: &[&str]) -> Vec<String> {
    let rule = |line: &str, of: char| line.len() >= 40 && line.chars().all(|c| c == of);
    let (mut out, mut quoting) = (Vec::new(), false);
    for line in lines.iter().map(|l| l.trim_end()) {
        if rule(line, '=') {
            break;
        }
        if rule(line, '-') {
            quoting = !quoting;
        } else if !quoting && !line.ends_with("in ???") {
            out.push(line.to_string());
        }
    }
    match out.is_empty() {
        true => lines.iter().map(ToString::to_string).collect(),
        false => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launcher_is_the_compilers() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
        for name in ["mpirun", "mpirun.mpich"] {
            std::fs::write(path(name), "").unwrap();
        }
        assert_eq!(launcher(&path("mpif90")), path("mpirun"));
        assert_eq!(launcher(&path("mpif90.mpich -g")), path("mpirun.mpich"));
        assert_eq!(launcher(&path("mpif90.other")), path("mpirun"));
        assert_eq!(launcher("/nowhere/mpif90"), "mpirun");
        assert_eq!(
            [flavour("mpif90"), flavour("/usr/bin/mpif90.mpich"), flavour("mpif90.openmpi")],
            ["default", "mpich", "openmpi"]
        );
    }

    #[test]
    fn launchers_words_are_left_out() {
        let (dashes, equals) = ("-".repeat(74), "=".repeat(83));
        let said =
            ["ERROR STOP ill", "#1  0x7f in ???", "#2  0x8f in f", &dashes, "Primary job", &dashes, &equals, "BAD"];
        assert_eq!(own_words(&said), ["ERROR STOP ill", "#2  0x8f in f"]);
        assert_eq!(own_words(&[&dashes, "not finalized", &dashes]).len(), 3);
    }

    #[test]
    fn programs_are_launched_with_their_number() {
        let mpi = MpiRuns { processes: 3, launcher: vec!["srun".into(), "--exact".into()], runtime: Ok(Vec::new()) };
        assert_eq!(mpi.words(Path::new("/a/check_1")).join(" "), "srun --exact -n 3 /a/check_1");
        let name = "OMPI_MCA_mpi_yield_when_idle";
        let set = mpi.command(Path::new("p")).get_envs().any(|(n, v)| n == name && v.is_some());
        assert!(set || std::env::var_os(name).is_some());
    }
}
