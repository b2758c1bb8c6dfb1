//! The Fortran compiler and the run-time library that generated code is linked with.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use costate_adjoint::verify::{CheckOptions, Flags, MpiRuns, Parts, Point, Variant, mpi_launcher};

use crate::tool;

/// The compiler: `FC`, or gfortran.
pub fn compiler() -> String {
    std::env::var("FC").ok().filter(|f| !f.is_empty()).unwrap_or_else(|| "gfortran".to_string())
}

/// What the compiler says of itself.
///
/// # Panics
/// Where it can't be started.
pub fn version() -> String {
    output(Command::new(compiler()).arg("--version"))
}

/// The flags of a variant, or those that `COSTATE_FLAGS` gives in their place. `-g` is left out, which takes time and changes
/// no code, and GNU Fortran makes vectors of two numbers: of wider ones it makes so many copies of a loop that it takes up to six
/// times as long.
pub fn flags(variant: Variant) -> Vec<String> {
    if let Some(given) = std::env::var("COSTATE_FLAGS").ok().filter(|f| !f.is_empty()) {
        return given.split_whitespace().map(str::to_string).collect();
    }
    let mut flags: Vec<String> = variant.flags(&compiler()).into_iter().filter(|f| f != "-g").collect();
    if cfg!(target_arch = "x86_64") && version().starts_with("GNU Fortran") {
        flags.push("-mprefer-vector-width=128".to_string());
    }
    flags
}

/// The text of the Fortran interface of the run-time library.
pub fn runtime_interface() -> String {
    costate_adjoint::runtime::FILES.map(|(_, text)| text).concat()
}

/// The text of its derivatives of BLAS and LAPACK procedures, likewise.
pub fn linear_algebra_interface() -> String {
    let files = costate_adjoint::runtime::BLAS_FILES.iter().chain(costate_adjoint::runtime::LAPACK_FILES);
    files.map(|(_, text)| *text).collect()
}

/// Flags that link the run-time library. Its lines aren't written into the programs: that takes longer than all else the
/// linker does.
///
/// # Panics
/// Where cargo can't build it.
pub fn runtime_flags() -> Vec<String> {
    let mut flags = vec![format!("-L{}", tool::folder().display()), "-lcostate_rt".to_string()];
    flags.extend(["-lpthread", "-ldl", "-lm", "-Wl,--strip-debug"].map(str::to_string));
    flags
}

/// The same for tests, which link a shared object.
fn test_runtime_flags() -> Vec<String> {
    let folder = tool::shared_runtime().display();
    vec![format!("-L{folder}"), "-lcostate_rt".to_string(), format!("-Wl,-rpath,{folder}")]
}

/// Has the compiler link with the faster of the linkers of GNU, where it is there.
fn linker_flags() -> Vec<String> {
    static GOLD: OnceLock<bool> = OnceLock::new();
    let gold = || Command::new("ld.gold").arg("--version").output().is_ok_and(|o| o.status.success());
    if *GOLD.get_or_init(gold) { vec!["-fuse-ld=gold".to_string()] } else { Vec::new() }
}

/// The compiler with flags. What doesn't depend on a program is compiled once for all of them, also for clones.
#[derive(Clone)]
pub struct Fortran {
    /// The compiler.
    fc: String,
    /// How programs of several processes are launched.
    mpi: Option<MpiRuns>,
    flags: Vec<String>,
    parts: Parts,
    /// Objects that checked programs are linked with, too.
    objects: Vec<PathBuf>,
}

impl Fortran {
    /// With these flags.
    pub fn new(flags: &[&str]) -> Fortran {
        let flags = flags.iter().map(|f| (*f).to_string()).collect();
        Fortran { fc: compiler(), mpi: None, flags, parts: Parts::shared(), objects: Vec::new() }
    }

    /// The same with a compiler of an MPI, for programs of so many processes.
    ///
    /// # Panics
    /// Where the run-time library isn't built for it.
    pub fn with_messages(fc: &str, processes: u8, flags: &[&str]) -> Fortran {
        let archive = tool::messages(fc);
        let mut runtime = vec![archive.display().to_string()];
        runtime.extend(["-lpthread", "-ldl", "-lm", "-Wl,--strip-debug"].map(str::to_string));
        let mpi = MpiRuns { processes, launcher: vec![mpi_launcher(fc)], runtime: Ok(runtime) };
        Fortran { fc: fc.to_string(), mpi: Some(mpi), ..Fortran::new(flags) }
    }

    /// The same for programs of another number of processes.
    pub fn of_processes(&self, processes: u8) -> Fortran {
        let mpi = self.mpi.clone().map(|runs| MpiRuns { processes, ..runs });
        Fortran { mpi, ..self.clone() }
    }

    /// How its programs are launched, where several processes run them.
    pub fn launcher(&self) -> Option<&MpiRuns> {
        self.mpi.as_ref()
    }

    /// The words of the command that runs a program.
    pub fn run_words(&self, program: &Path) -> Vec<String> {
        self.mpi.as_ref().map_or_else(|| vec![program.display().to_string()], |m| m.words(program))
    }

    /// Has code for a device run on copies in a memory of its own, as `regression/devices` emulates it, by an object that
    /// is made in a folder.
    ///
    /// # Panics
    /// Where it can't be compiled.
    pub fn with_separate_memory(mut self, folder: &Path) -> Fortran {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("devices/separate_memory.c");
        let object = folder.join("separate_memory.o");
        let mut command = Command::new("cc");
        command.args(["-std=gnu11", "-O1", "-c"]).arg(source).arg("-o").arg(&object);
        output(&mut command);
        self.objects.push(object);
        self
    }

    /// The level of optimisation, as it stands among the flags.
    pub fn level(&self) -> &str {
        self.flags.iter().find(|f| f.starts_with("-O")).map_or("", |f| f)
    }

    /// Options for checks, which build one variant alone. What optimisation changes shows at one point; the others are for
    /// the variant with run-time checks.
    pub fn check_options(&self, variant: Variant) -> CheckOptions {
        let points = match variant {
            Variant::Checked => Point::ALL.to_vec(),
            Variant::Optimised => vec![Point::Asked],
        };
        CheckOptions {
            fc: self.fc.clone(),
            mpi: self.mpi.clone(),
            variants: vec![Flags { variant, flags: self.flags.clone() }],
            runtime: test_runtime_flags(),
            ldflags: self.objects.iter().map(|o| o.display().to_string()).chain(linker_flags()).collect(),
            parts: self.parts.clone(),
            points,
            ..CheckOptions::default()
        }
    }

    /// Compiles files, given as (name, text), in a folder. What the compiler says where it refuses them.
    pub fn objects(&self, folder: &Path, files: &[(&str, &str)]) -> Result<(), String> {
        compile(self.command(folder, files)?.arg("-c"))
    }

    /// The same, linked with the run-time library and with objects that were compiled before. Also gives the program.
    pub fn program(&self, folder: &Path, objects: &[&str], files: &[(&str, &str)]) -> Result<PathBuf, String> {
        let mut command = self.command(folder, files)?;
        let linear_algebra = self.linear_algebra(files)?;
        command.args(objects).args(linear_algebra.iter().flat_map(|p| p.objects())).args(self.runtime()?.objects());
        match &self.mpi {
            Some(MpiRuns { runtime: Ok(flags), .. }) => {
                command.args(self.messages()?.iter().flat_map(|p| p.objects())).args(flags);
            }
            _ => {
                command.args(test_runtime_flags());
            }
        }
        command.args(&self.objects).args(linker_flags());
        // Primals use these libraries without their derivatives.
        command.args(["-llapack", "-lblas", "-o", "program"]);
        compile(&mut command)?;
        Ok(folder.join("program"))
    }

    /// The command up to the files, which it writes.
    fn command(&self, folder: &Path, files: &[(&str, &str)]) -> Result<Command, String> {
        for (name, text) in files {
            std::fs::write(folder.join(name), text).map_err(|e| format!("{name}: {e}"))?;
        }
        let mut command = Command::new(&self.fc);
        command.current_dir(folder).args(&self.flags).arg("-I").arg(self.runtime()?.folder());
        for part in self.messages()? {
            command.arg("-I").arg(part.folder());
        }
        if let Some(part) = self.linear_algebra(files)? {
            command.arg("-I").arg(part.folder());
        }
        command.args(files.iter().map(|f| f.0));
        Ok(command)
    }

    /// The derivatives of BLAS and LAPACK procedures, where files use them.
    fn linear_algebra(
        &self,
        files: &[(&str, &str)],
    ) -> Result<Option<std::sync::Arc<costate_adjoint::verify::Part>>, String> {
        if !files.iter().any(|f| f.1.contains("use costate_blas") || f.1.contains("use costate_lapack")) {
            return Ok(None);
        }
        self.parts.linear_algebra(&self.fc, &self.flags).map(Some).map_err(|d| format!("{d:?}"))
    }

    fn runtime(&self) -> Result<std::sync::Arc<costate_adjoint::verify::Part>, String> {
        self.parts.runtime(&self.fc, &self.flags).map_err(|d| format!("{d:?}"))
    }

    /// The derivatives of MPI's procedures, and where programs aren't optimised sends that wait for their receives.
    fn messages(&self) -> Result<Vec<std::sync::Arc<costate_adjoint::verify::Part>>, String> {
        if self.mpi.is_none() {
            return Ok(Vec::new());
        }
        let mut parts = vec![self.parts.messages(&self.fc, &self.flags)];
        if self.level() == "-O0" {
            parts.push(self.parts.sends(&self.fc, &self.flags));
        }
        parts.into_iter().collect::<Result<_, _>>().map_err(|d| format!("{d:?}"))
    }
}

fn compile(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{command:?}: {e}"))?;
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// What a program writes.
///
/// # Panics
/// Where it can't be started or fails.
pub fn output(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The numbers that a program writes.
///
/// # Panics
/// Where it writes anything else, or fails.
pub fn numbers(command: &mut Command) -> Vec<f64> {
    let text = output(command);
    text.split_whitespace().map(|w| w.parse().unwrap_or_else(|e| panic!("{command:?}: `{w}`: {e}"))).collect()
}
