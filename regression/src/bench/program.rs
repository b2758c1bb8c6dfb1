//! Generates, builds and runs the programs of a kernel.

use std::path::{Path, PathBuf};
use std::process::Command;

use costate_adjoint::pipeline::{self, Mode, Options};
use costate_analysis::request::{parse_heads, resolve};
use costate_grammar::diag::{Diagnostic, render};
use costate_grammar::form::{ReadOptions, read};
use costate_grammar::source::SourceMap;
use costate_regression::fortran;

use crate::kernel::Kernel;

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
}

/// Folders of arrays: those that the programs start from, and gradients.
const DATA: [&str; 3] = ["data", "ours", "hand"];

/// How everything is compiled. Of OpenMP only `simd` is used, which adjoints written by hand ask for in their sums.
const FLAGS: [&str; 3] = ["-O3", "-march=native", "-fopenmp-simd"];

/// One kernel's folder of built programs and data.
pub(crate) struct Workshop<'a> {
    kernel: &'a Kernel,
    source: PathBuf,
    folder: PathBuf,
    ints: &'a [i64],
    /// The text of the kernel.
    text: String,
}

impl<'a> Workshop<'a> {
    /// Prepares the folder: data and `case.h`.
    pub(crate) fn new(kernel: &'a Kernel, ints: &'a [i64], bench: &Path, work: &Path) -> Result<Self, String> {
        let folder = work.join(kernel.file_name());
        let (name, directive) = kernel.source();
        let source = bench.join(name);
        let path = source.join("kernel.f90");
        let mut text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        if let Some(directive) = directive {
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
        Ok(Workshop { kernel, source, folder, ints, text })
    }

    /// Generates derivative code of the kernel; returns its file.
    pub(crate) fn generate(&self, mode: Mode) -> Result<PathBuf, String> {
        let mut sources = SourceMap::default();
        let files = vec![read(&mut sources, "kernel.f90", self.text.clone(), &ReadOptions::default())];
        let options = Options { allow_undo: self.kernel.allow_undo, ..Options::default() };
        let result = (|| {
            let mut program = pipeline::load(&sources, &files)?;
            let mut heads = Vec::new();
            for h in parse_heads(self.kernel.head).map_err(|d| vec![d])? {
                heads.push(resolve(&program, &h)?);
            }
            pipeline::differentiate(&mut program, &sources, &files, &heads, mode, &options)
        })();
        let out = result.map_err(|d: Vec<Diagnostic>| render::human(&d, &sources, false))?;
        let file = out.files.first().ok_or("nothing was generated")?;
        let to = self.folder.join(&file.name);
        let runtime = if out.uses_runtime { fortran::runtime_interface() } else { String::new() };
        write(&to, (runtime + &file.text).as_bytes())?;
        Ok(to)
    }

    /// The hand-written adjoint, where there is one.
    pub(crate) fn by_hand(&self) -> Option<PathBuf> {
        Some(self.source.join("hand_b.f90")).filter(|p| p.exists())
    }

    /// Compiles the driver with the kernel and a derivative of it.
    pub(crate) fn build(&self, name: &str, derivative: Option<(&Path, &str)>) -> Result<PathBuf, String> {
        let fc = std::env::var("FC").unwrap_or_else(|_| "gfortran".into());
        let cc = std::env::var("CC").unwrap_or_else(|_| "gcc".into());
        let object = self.folder.join(format!("{name}_driver.o"));
        let driver = self.source.with_file_name("driver.c");
        let mut c = Command::new(&cc);
        c.args(["-O2", "-c", "-o"]).arg(&object).arg(&driver).arg("-I").arg(&self.folder);
        if let Some((_, define)) = derivative {
            c.arg(format!("-D{define}"));
        }
        run(&mut c)?;
        let program = self.folder.join(name);
        let mut f = Command::new(&fc);
        f.args(FLAGS).arg("-J").arg(&self.folder).arg("-o").arg(&program);
        f.arg(self.source.join("kernel.f90"));
        if let Some((file, _)) = derivative {
            f.arg(file);
        }
        f.arg(&object).args(fortran::runtime_flags());
        run(&mut f)?;
        Ok(program)
    }

    /// Runs a program; gradients go to the folder `store`.
    pub(crate) fn run(&self, program: &Path, reps: usize, store: Option<&str>) -> Result<Run, String> {
        let mut c = Command::new(program);
        c.current_dir(&self.folder).arg(DATA[0]).arg(store.unwrap_or("-")).arg(reps.to_string());
        c.args(self.ints.iter().map(i64::to_string));
        c.args(self.kernel.doubles.iter().map(f64::to_string));
        let text = run(&mut c)?;
        let figures: Vec<f64> = text.split_whitespace().filter_map(|w| w.parse().ok()).collect();
        match figures[..] {
            [seconds, _, directional, scale, peak] => Ok(Run { seconds, directional, scale, peak }),
            _ => Err(format!("{} printed {text:?}", program.display())),
        }
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
