//! The user's compiler, and what is compiled with it once for several checks.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use costate_grammar::diag::{Code, Diagnostic};

use crate::runtime;

/// A module that runs evaluations in processes of their own, and the part of every driver that doesn't depend on the head.
const PROBE: [&str; 7] = [
    include_str!("numbers.f90"),
    include_str!("processes.f90"),
    include_str!("head.f90"),
    MEMORY,
    include_str!("serial_ranks.f90"),
    include_str!("runs.f90"),
    include_str!("probe.f90"),
];
/// The same for the processes of MPI, of which the first evaluates for all.
const MPI_PROBE: [&str; 7] =
    [PROBE[0], include_str!("mpi_processes.f90"), PROBE[2], MEMORY, include_str!("ranks.f90"), PROBE[5], PROBE[6]];
/// What they know of memory.
const MEMORY: &str = if cfg!(all(target_os = "linux", target_env = "gnu")) {
    include_str!("memory.f90")
} else {
    include_str!("other_memory.f90")
};
/// How messages name generated code.
pub(super) const GENERATED: &str = "generated";
/// How they name a driver.
pub(super) const DRIVER: &str = "the driver";

/// Why nothing can be checked.
pub(super) type Failure = Box<Diagnostic>;

pub(super) fn cannot(what: &str, why: impl std::fmt::Display) -> Failure {
    Box::new(Diagnostic::global(Code::CheckDriver, format!("{what}: {why}")))
}

/// A new folder that goes when its owner does.
pub(super) fn temporary_folder() -> Result<tempfile::TempDir, Failure> {
    let made = tempfile::Builder::new().prefix("costate-check-").tempdir();
    made.map_err(|e| cannot("no temporary folder can be made", e))
}

/// Writes a file.
pub(super) fn put(folder: &Path, name: &str, text: &str) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    std::fs::write(&path, text).map_err(|e| cannot(&format!("`{}` can't be written", path.display()), e))?;
    Ok(path)
}

/// A compiler with its flags.
#[derive(Clone, Copy)]
pub(super) struct Compiler<'a> {
    pub(super) fc: &'a str,
    pub(super) fflags: &'a [String],
}

impl Compiler<'_> {
    /// The command, for a folder where it runs and where compiled modules go.
    pub(super) fn command(self, folder: &Path) -> Command {
        let mut words = self.fc.split_whitespace().map(from_here);
        let mut command = Command::new(words.next().unwrap_or_else(|| "gfortran".to_string()));
        // Compilers look for modules where they run first, and the user's folder may hold older ones.
        command.current_dir(folder).args(words).args(self.fflags.iter().map(|f| from_here(f)));
        let compiler = self.fc.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
        // MPI's names for compilers: `mpiifort`.
        let compiler = compiler.strip_prefix("mpi").unwrap_or(&compiler);
        let flag = if compiler.starts_with("if") || compiler.starts_with("nvf") || compiler.starts_with("pg") {
            "-module"
        } else if compiler.starts_with("nag") {
            "-mdir"
        } else {
            "-J"
        };
        command.arg(flag).arg(folder).arg("-I").arg(folder);
        command
    }

    /// Runs a command that compiles what messages name `shown`.
    pub(super) fn succeed(self, mut command: Command, shown: &str) -> Result<(), Failure> {
        let output = command.output().map_err(|e| {
            Box::new(
                Diagnostic::global(Code::CompilerFailed, format!("the compiler `{}` can't be run: {e}", self.fc))
                    .help("name another with `--fc`"),
            )
        })?;
        if output.status.success() {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&output.stderr);
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).take(40).collect();
        let help = if text.contains("-lcostate_rt") {
            "the run-time library isn't where `costate config --flibs` says: install it there, or set COSTATE_PREFIX"
        } else if shown.starts_with(GENERATED) {
            "unless the file was edited or flags of yours ask for it, this is a bug in Costate: please report it; \
             `--keep DIR` keeps the code"
        } else if text.contains("line-truncation") {
            "lines of more than 132 columns are compiled with `--fflags=-ffree-line-length-none`, as your build does"
        } else if text.contains("undefined reference") {
            "a procedure is called whose source isn't among the files: add its file, or name its library with `--ldflags`"
        } else if shown.starts_with(DRIVER) && text.contains("not found in module") {
            "where derivatives are added to the user's modules, a file for `--against` holds tangent and adjoint: that of \
             `costate adjoint --layout extend --with-tangent`"
        } else if shown.starts_with(DRIVER) {
            "values given with `--value` and `--size` must be Fortran that fits the dummies; `--ldflags` names libraries; \
             `--keep DIR` keeps the driver"
        } else {
            "flags for the compiler are given with `--fflags`, libraries with `--ldflags`; `--keep DIR` keeps everything"
        };
        Err(Box::new(
            Diagnostic::global(Code::CompilerFailed, format!("`{}` refused {shown}", self.fc))
                .reason(lines.join("\n"))
                .help(help),
        ))
    }
}

/// Modules and objects that are the same for every program.
#[derive(Debug)]
pub struct Part {
    folder: PathBuf,
    objects: Vec<PathBuf>,
    /// How they were made.
    commands: Vec<Vec<String>>,
    /// Removes the folder in the end, where it is the part's own.
    _temporary: Option<tempfile::TempDir>,
}

impl Part {
    /// The folder of the modules.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What is linked.
    pub fn objects(&self) -> &[PathBuf] {
        &self.objects
    }

    /// How they were made.
    pub(super) fn commands(&self) -> &[Vec<String>] {
        &self.commands
    }
}

/// Which part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Which {
    /// The run-time library's modules, without or with those for kinds of 16 bytes. Compiled modules are of no use to
    /// another compiler, so those that were installed don't count.
    Runtime { quad: bool },
    /// Its derivatives of BLAS procedures.
    Blas,
    /// Those of BLAS and LAPACK procedures.
    Lapack,
    /// Its derivatives of MPI's procedures.
    Mpi,
    /// What takes the place of MPI's blocking sends.
    Sends,
    /// The part of every driver that doesn't depend on the head, for reals of a kind.
    Probe { kind: u8, mpi: bool },
}

impl Which {
    fn shown(self) -> &'static str {
        match self {
            Which::Runtime { .. } | Which::Blas | Which::Lapack | Which::Mpi => "the run-time library's module",
            Which::Probe { .. } | Which::Sends => DRIVER,
        }
    }

    fn files(self) -> Vec<(String, String)> {
        match self {
            Which::Runtime { quad } => {
                let files = runtime::FILES.iter().chain(quad.then_some(&runtime::QUAD_FILE));
                files.map(|(name, text)| ((*name).to_string(), (*text).to_string())).collect()
            }
            Which::Blas => owned(runtime::BLAS_FILES),
            Which::Lapack => owned(&[runtime::BLAS_FILES, runtime::LAPACK_FILES].concat()),
            Which::Mpi => owned(&runtime::MPI_FILES),
            Which::Sends => owned(&[("synchronous_sends.f90", include_str!("synchronous_sends.f90"))]),
            Which::Probe { kind, mpi } => {
                let text =
                    if mpi { MPI_PROBE } else { PROBE }.join("\n").replacen("wk_ = 8", &format!("wk_ = {kind}"), 1);
                vec![(format!("costate_check_{kind}.f90"), text)]
            }
        }
    }

    /// Compiles it in a folder.
    pub(super) fn compile(
        self,
        compiler: Compiler<'_>,
        folder: &Path,
        temporary: Option<tempfile::TempDir>,
    ) -> Result<Arc<Part>, Failure> {
        let (mut objects, mut commands) = (Vec::new(), Vec::new());
        for (name, text) in self.files() {
            let source = put(folder, &name, &text)?;
            let object = source.with_extension("o");
            let mut command = compiler.command(folder);
            command.arg("-c").arg(&source).arg("-o").arg(&object);
            commands.push(words(&command));
            compiler.succeed(command, self.shown())?;
            objects.push(object);
        }
        Ok(Arc::new(Part { folder: folder.to_path_buf(), objects, commands, _temporary: temporary }))
    }
}

/// Files with their texts.
fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(name, text)| ((*name).to_string(), (*text).to_string())).collect()
}

/// Compiler, flags and part.
type Key = (String, Vec<String>, Which);
type Slot = Arc<OnceLock<Result<Arc<Part>, Failure>>>;
pub(super) type Shared = Mutex<HashMap<Key, Slot>>;

/// What doesn't depend on a program, compiled once for each compiler and its flags: all clones share it. It vanishes with
/// the last of them.
#[derive(Clone, Debug, Default)]
pub struct Parts(pub(super) Arc<Shared>);

impl Parts {
    /// The run-time library's Fortran modules, but those for kinds of 16 bytes.
    pub fn runtime(&self, fc: &str, fflags: &[String]) -> Result<Arc<Part>, Box<Diagnostic>> {
        self.get(Which::Runtime { quad: false }, Compiler { fc, fflags })
    }

    /// Its derivatives of BLAS and LAPACK procedures.
    pub fn linear_algebra(&self, fc: &str, fflags: &[String]) -> Result<Arc<Part>, Box<Diagnostic>> {
        self.get(Which::Lapack, Compiler { fc, fflags })
    }

    /// Its derivatives of MPI's procedures.
    pub fn messages(&self, fc: &str, fflags: &[String]) -> Result<Arc<Part>, Box<Diagnostic>> {
        self.get(Which::Mpi, Compiler { fc, fflags })
    }

    /// What takes the place of MPI's blocking sends, and waits for their receives.
    pub fn sends(&self, fc: &str, fflags: &[String]) -> Result<Arc<Part>, Box<Diagnostic>> {
        self.get(Which::Sends, Compiler { fc, fflags })
    }

    /// Those that others in this process hold at the time, or new ones.
    pub fn shared() -> Parts {
        static HELD: Mutex<Weak<Shared>> = Mutex::new(Weak::new());
        let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = held.upgrade().unwrap_or_default();
        *held = Arc::downgrade(&shared);
        Parts(shared)
    }

    pub(super) fn get(&self, which: Which, compiler: Compiler<'_>) -> Result<Arc<Part>, Failure> {
        // Programs are small where they are checked: compilers take longer to optimise the library than it runs.
        let little = |f: &String| if ["-O2", "-O3", "-Ofast"].contains(&f.as_str()) { "-O1".into() } else { f.clone() };
        let fflags: Vec<String> = compiler.fflags.iter().map(little).collect();
        let compiler = Compiler { fflags: &fflags, ..compiler };
        let key = (compiler.fc.to_string(), compiler.fflags.to_vec(), which);
        let slot = Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        slot.get_or_init(|| {
            let temporary = temporary_folder()?;
            let folder = absolute(temporary.path());
            which.compile(compiler, &folder, Some(temporary))
        })
        .clone()
    }
}

/// The words of a command.
pub(super) fn words(command: &Command) -> Vec<String> {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|w| w.to_string_lossy().into_owned()).collect()
}

/// A path that means the same in every folder.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A word of a command line whose path, alone or after `-I` or `-L`, is seen from the current folder.
pub(super) fn from_here(word: &str) -> String {
    let (option, path) = ["-I", "-L"].iter().find_map(|o| Some((*o, word.strip_prefix(o)?))).unwrap_or(("", word));
    // A bare word is a command or an option's value rather than a file.
    let is_path = !option.is_empty() || path.contains(['/', '.']);
    match std::fs::canonicalize(path) {
        Ok(full) if is_path => format!("{option}{}", full.display()),
        _ => word.to_string(),
    }
}
