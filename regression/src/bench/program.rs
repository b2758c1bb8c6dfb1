//! Generates, builds and runs the programs of a kernel.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use costate_adjoint::pipeline::{Differentiated, Mode, Options};
use costate_adjoint::plan::Trade;
use costate_analysis::request::Head;
use costate_grammar::diag::{Diagnostic, render};
use costate_regression::chain::{self, Loaded};
use costate_regression::fortran;

use crate::kernel::{HEEDED, Kernel};

/// What a program printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// Least wall time in seconds.
    pub(crate) seconds: f64,
    /// Derivative in the driver's direction.
    pub(crate) directional: f64,
    /// Sum of the sizes of its terms, against which rounding errors are judged.
    pub(crate) scale: f64,
    /// Peak memory in MB, beyond what the program starts with.
    pub(crate) peak: f64,
    /// Least processor time in seconds.
    pub(crate) busy: f64,
}

/// A program and the number of threads that it runs with.
#[derive(Clone, Copy)]
pub(crate) struct Launch<'a> {
    program: &'a Path,
    threads: usize,
}

impl<'a> Launch<'a> {
    /// With so many threads.
    pub(crate) fn new(program: &'a Path, threads: usize) -> Launch<'a> {
        Launch { program, threads }
    }
}

/// With one thread.
impl<'a, P: AsRef<Path> + ?Sized> From<&'a P> for Launch<'a> {
    fn from(program: &'a P) -> Launch<'a> {
        Launch::new(program.as_ref(), 1)
    }
}

/// How programs take turns.
#[derive(Clone, Copy)]
pub(crate) struct Alternation {
    /// How often each has its turn.
    pub(crate) rounds: usize,
    /// How many seconds a turn takes.
    pub(crate) round: f64,
    /// Which of its times counts of a run.
    pub(crate) clock: fn(&Run) -> f64,
}

/// Gradients that differ by more are wrong.
pub(crate) const TOLERANCE: f64 = 1e-11;

/// Folders of arrays: those that the programs start from, and gradients.
const DATA: [&str; 3] = ["data", "ours", "hand"];

/// How everything is compiled. Of OpenMP only `simd` is used, which adjoints written by hand ask for in their sums.
const FLAGS: [&str; 3] = ["-O3", "-march=native", "-fopenmp-simd"];

/// How often a thread of GNU's library looks whether others are done before it sleeps, some tenths of a millisecond in all.
/// By default it looks for ten milliseconds, which it waits for at the end of every loop where other programs take a processor.
const LOOKS: &str = "10000";

/// A program is repeated no more often than this in a round.
const MOST_RUNS: usize = 100;

/// The folder of the benchmarks' sources, and that of what is built from them.
pub(crate) fn folders() -> (PathBuf, PathBuf) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| here.join("../target"), PathBuf::from);
    (here.join("bench"), target.join("bench"))
}

/// The Fortran half of the run-time library, compiled once for all programs; its modules are beside it.
fn runtime(fc: &str) -> Result<&'static Path, String> {
    static OBJECT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    OBJECT.get_or_init(|| compiled(fc, "runtime", &fortran::runtime_interface())).as_deref().map_err(String::clone)
}

/// Its derivatives of BLAS and LAPACK procedures, for kernels that call these.
fn linear_algebra(fc: &str) -> Result<&'static Path, String> {
    static OBJECT: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    let compile = || compiled(fc, "linear_algebra", &fortran::linear_algebra_interface());
    OBJECT.get_or_init(compile).as_deref().map_err(String::clone)
}

/// The object of a source in the folder of the run-time library.
fn compiled(fc: &str, name: &str, text: &str) -> Result<PathBuf, String> {
    let folder = folders().1.join("runtime");
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (source, object) = (folder.join(format!("{name}.f90")), folder.join(format!("{name}.o")));
    write(&source, text.as_bytes())?;
    run(Command::new(fc).args(FLAGS).arg("-J").arg(&folder).arg("-c").arg(&source).arg("-o").arg(&object))?;
    Ok(object)
}

/// One kernel's folder of built programs and data.
pub(crate) struct Workshop<'a> {
    kernel: &'a Kernel,
    source: PathBuf,
    driver: PathBuf,
    folder: PathBuf,
    ints: &'a [i64],
    loaded: Loaded,
    heads: Vec<Head>,
    /// Without the kernel's, the options of its derivatives.
    options: Options,
}

impl<'a> Workshop<'a> {
    /// Prepares the folder: data and `case.h`. The kernel's folder is in `sources`, a folder of `bench` or that itself.
    pub(crate) fn new(kernel: &'a Kernel, ints: &'a [i64], sources: &Path) -> Result<Self, String> {
        let (bench, work) = folders();
        let folder = work.join(kernel.file_name());
        let (name, directive) = kernel.source();
        let source = sources.join(name);
        let path = source.join("kernel.f90");
        let mut text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        if directive == Some(HEEDED) {
            text = text.replace("! $ad ", "!$ad ");
        } else if let Some(directive) = directive {
            text = text.replacen("  do it = ", &format!("  !$ad {directive}\n  do it = "), 1);
        }
        for d in DATA {
            let d = folder.join(d);
            std::fs::create_dir_all(&d).map_err(|e| format!("{}: {e}", d.display()))?;
        }
        for (i, a) in kernel.arrays.iter().enumerate() {
            let bytes: Vec<u8> = kernel.values(i, ints).iter().flat_map(|x| x.to_ne_bytes()).collect();
            write(&folder.join(DATA[0]).join(format!("{}.bin", a.name)), &bytes)?;
        }
        write(&folder.join("case.h"), kernel.case().as_bytes())?;
        write(&folder.join("kernel.f90"), text.as_bytes())?;
        let loaded = chain::loaded("kernel.f90", &text).map_err(|(s, d)| render::human(&d, &s, false))?;
        let heads = chain::heads(&loaded.program, kernel.head);
        let heads = heads.map_err(|d| render::human(&d, &loaded.sources, false))?;
        let options = Options { allow_undo: kernel.allow_undo, ..Options::default() };
        Ok(Workshop { kernel, source, driver: bench.join("driver.c"), folder, ints, loaded, heads, options })
    }

    /// The same with the sizes that the kernel is called with told to the generator.
    pub(crate) fn with_sizes(mut self) -> Self {
        let sizes = self.kernel.ints.iter().zip(self.ints);
        self.options.sizes = sizes.map(|(name, n)| ((*name).to_string(), vec![*n])).collect();
        self
    }

    /// The options of its derivatives, for others to be added.
    pub(crate) fn options(&self) -> Options {
        self.options.clone()
    }

    fn told(&self, d: &[Diagnostic]) -> String {
        render::human(d, &self.loaded.sources, false)
    }

    /// Derivative code of the kernel.
    pub(crate) fn differentiate(&self, mode: Mode, options: &Options) -> Result<Differentiated, String> {
        self.loaded.differentiate_with(&self.heads, mode, options).map_err(|d| self.told(&d))
    }

    /// The best plans for a number of budgets.
    pub(crate) fn trades(&self, count: usize) -> Result<Vec<Trade>, String> {
        self.loaded.trades(&self.heads, &self.options, count).map_err(|d| self.told(&d))
    }

    /// Writes derivative code to a file of this name.
    pub(crate) fn write(&self, name: &str, made: &Differentiated) -> Result<PathBuf, String> {
        let to = self.folder.join(format!("{name}.f90"));
        write(&to, made.files.first().ok_or("nothing was generated")?.text.as_bytes())?;
        Ok(to)
    }

    /// Generates derivative code of the kernel; returns its file.
    pub(crate) fn generate(&self, mode: Mode) -> Result<PathBuf, String> {
        let name = if mode == Mode::Tangent { "kernel_d" } else { "kernel_b" };
        self.write(name, &self.differentiate(mode, &self.options)?)
    }

    /// The adjoint as another `costate` command generates it: its text and its file.
    pub(crate) fn generate_by(&self, command: &Path, name: &str) -> Result<(String, PathBuf), String> {
        let file = self.folder.join(format!("{name}.f90"));
        let mut c = Command::new(command);
        c.arg("adjoint").arg(self.folder.join("kernel.f90")).args(["--head", self.kernel.head, "--force", "-o"]);
        c.arg(&file).args(self.kernel.allow_undo.then_some("--allow-undo"));
        run(&mut c)?;
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        Ok((text, file))
    }

    /// The hand-written adjoint, where there is one.
    pub(crate) fn by_hand(&self) -> Option<PathBuf> {
        Some(self.source.join("hand_b.f90")).filter(|p| p.exists())
    }

    /// Compiles the driver with the kernel and a derivative of it.
    pub(crate) fn build(&self, name: &str, derivative: Option<(&Path, &str)>) -> Result<PathBuf, String> {
        self.build_with(&[], name, derivative)
    }

    /// The same with flags for the kernel and its derivative beside those that all have.
    pub(crate) fn build_with(
        &self,
        flags: &[&str],
        name: &str,
        derivative: Option<(&Path, &str)>,
    ) -> Result<PathBuf, String> {
        let fc = std::env::var("FC").unwrap_or_else(|_| "gfortran".into());
        let cc = std::env::var("CC").unwrap_or_else(|_| "gcc".into());
        let object = self.folder.join(format!("{name}_driver.o"));
        let mut c = Command::new(&cc);
        c.args(["-O2", "-c", "-o"]).arg(&object).arg(&self.driver).arg("-I").arg(&self.folder);
        if let Some((_, define)) = derivative {
            c.arg(format!("-D{define}"));
        }
        run(&mut c)?;
        let program = self.folder.join(name);
        let mut f = Command::new(&fc);
        f.args(FLAGS).args(flags).arg("-J").arg(&self.folder).arg("-o").arg(&program);
        f.arg(self.source.join("kernel.f90"));
        if let Some((file, _)) = derivative {
            let runtime = runtime(&fc)?;
            f.arg("-I").arg(runtime.with_file_name(""));
            let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
            let of_libraries = (text.contains("use costate_blas") || text.contains("use costate_lapack"))
                .then(|| linear_algebra(&fc))
                .transpose()?;
            f.arg(file).args(of_libraries).arg(runtime);
        }
        f.arg(&object).args(fortran::runtime_flags()).args(["-llapack", "-lblas"]);
        run(&mut f)?;
        Ok(program)
    }

    fn command(&self, launch: Launch<'_>, reps: usize, store: Option<&str>) -> Command {
        let mut c = Command::new(launch.program);
        c.env("OMP_NUM_THREADS", launch.threads.to_string()).env("OMP_DYNAMIC", "false");
        if std::env::var_os("OMP_WAIT_POLICY").is_none() && std::env::var_os("GOMP_SPINCOUNT").is_none() {
            c.env("GOMP_SPINCOUNT", LOOKS);
        }
        c.current_dir(&self.folder).arg(DATA[0]).arg(store.unwrap_or("-")).arg(reps.to_string());
        c.args(self.ints.iter().map(i64::to_string));
        c.args(self.kernel.doubles.iter().map(f64::to_string));
        c
    }

    /// Runs a program; gradients go to the folder `store`.
    pub(crate) fn run<'p>(
        &self,
        launch: impl Into<Launch<'p>>,
        reps: usize,
        store: Option<&str>,
    ) -> Result<Run, String> {
        let launch = launch.into();
        let text = run(&mut self.command(launch, reps, store))?;
        let figures: Vec<f64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        match figures[..] {
            [seconds, _, directional, scale, peak, busy] => Ok(Run { seconds, directional, scale, peak, busy }),
            _ => Err(format!("{} printed {text:?}", launch.program.display())),
        }
    }

    /// The most MB that a run has allocated at a time, to the byte, without the arrays that it is called with (those are
    /// aligned): the C library's own tool counts requests. What a process holds of pages would add what it starts with, and
    /// holes.
    pub(crate) fn allocated(&self, program: &Path) -> Result<f64, String> {
        let mut c = self.command(program.into(), 1, None);
        let out = c.env("LD_PRELOAD", "libmemusage.so").output().map_err(|e| format!("{}: {e}", program.display()))?;
        let told = String::from_utf8_lossy(&out.stderr);
        let peak = told.split("heap peak: ").nth(1).and_then(|t| t.split(',').next());
        let bytes = peak.and_then(|p| p.trim().parse::<f64>().ok());
        Ok(bytes.ok_or_else(|| format!("libmemusage.so counts nothing:\n{told}"))? / f64::from(1 << 20))
    }

    /// Runs programs in turns, so that what else the machine does meets them alike, and notes the least time of each: a
    /// round gives each so many seconds. Programs that take longer than that run a second time, with memory that they have
    /// had before.
    pub(crate) fn alternate<'p, L: Into<Launch<'p>> + Copy>(
        &self,
        programs: &mut [(L, &mut f64)],
        Alternation { rounds, round, clock }: Alternation,
    ) -> Result<(), String> {
        for number in 0..rounds {
            for (program, least) in programs.iter_mut() {
                let reps = (round / least.max(1e-9)) as usize;
                if reps > 0 || number == 0 {
                    **least = least.min(clock(&self.run(*program, reps.clamp(2, MOST_RUNS), None)?));
                }
            }
        }
        Ok(())
    }

    /// The greatest relative difference, in norm, between the gradients of two runs over all input arrays.
    pub(crate) fn difference(&self, a: &str, b: &str) -> Result<f64, String> {
        let mut worst: f64 = 0.0;
        for array in self.kernel.arrays.iter().filter(|x| x.input) {
            let file = format!("{}.bin", array.name);
            let (x, y) = (load(&self.folder.join(a).join(&file))?, load(&self.folder.join(b).join(&file))?);
            let norm = y.iter().map(|v| v * v).sum::<f64>().sqrt();
            let apart = x.iter().zip(&y).map(|(p, q)| (p - q) * (p - q)).sum::<f64>().sqrt();
            let relative = if apart == 0.0 { 0.0 } else { apart / norm };
            // NaN counts as a difference.
            worst = if relative > worst || relative.is_nan() { relative } else { worst };
        }
        Ok(worst)
    }

    /// Removes the data, which may be large.
    pub(crate) fn clear(&self) {
        for d in DATA {
            // What is left is overwritten by the next run.
            let _ = std::fs::remove_dir_all(self.folder.join(d));
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|e| format!("{}: {e}", path.display()))
}

fn load(path: &Path) -> Result<Vec<f64>, String> {
    let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (words, _) = bytes.as_chunks::<8>();
    Ok(words.iter().map(|w| f64::from_ne_bytes(*w)).collect())
}

/// Runs a command to its end and returns what it printed.
fn run(c: &mut Command) -> Result<String, String> {
    let out = c.output().map_err(|e| format!("{}: {e}", c.get_program().display()))?;
    if out.status.success() {
        return Ok(String::from_utf8_lossy(&out.stdout).into_owned());
    }
    Err(format!("{:?} failed ({}):\n{}", c, out.status, String::from_utf8_lossy(&out.stderr)))
}
