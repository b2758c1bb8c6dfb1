//! Compiling and running drivers.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::Program;
use costate_grammar::source::{FileId, SourceFile, SourceMap, Span};

use super::compiler::{Compiler, DRIVER, Failure, GENERATED, Part, Which, absolute, cannot, from_here};
use super::compiler::{put, temporary_folder};
use super::driver::Driver;
use super::figures::running;
use super::{CheckOptions, Generated, order};

/// A folder in which everything is built.
pub(super) struct Build<'a> {
    options: &'a CheckOptions,
    folder: PathBuf,
    /// Removes the folder at the end, unless it is to be kept.
    _temporary: Option<tempfile::TempDir>,
    objects: std::cell::RefCell<Vec<PathBuf>>,
    /// The run-time library's modules, where they are needed.
    runtime: std::cell::RefCell<Option<Arc<Part>>>,
}

impl<'a> Build<'a> {
    pub(super) fn new(options: &'a CheckOptions) -> Result<Build<'a>, Failure> {
        let (folder, temporary) = match &options.keep {
            Some(folder) => {
                std::fs::create_dir_all(folder)
                    .map_err(|e| cannot(&format!("`{}` can't be made", folder.display()), e))?;
                (folder.clone(), None)
            }
            None => {
                let t = temporary_folder()?;
                (t.path().to_path_buf(), Some(t))
            }
        };
        let folder = absolute(&folder);
        Ok(Build { options, folder, _temporary: temporary, objects: Default::default(), runtime: Default::default() })
    }

    /// Compiles the user's files in the given order, then tangent and adjoint.
    pub(super) fn compile_all(
        &self,
        program: &Program,
        sources: &SourceMap,
        order: &[FileId],
        generated: &Generated,
    ) -> Result<(), Failure> {
        if generated.tangent.uses_runtime || generated.adjoint.uses_runtime {
            let files = generated.tangent.files.iter().chain(&generated.adjoint.files).chain(&generated.extended);
            let quad = files.into_iter().any(|f| f.text.contains("costate_rt_quad"));
            *self.runtime.borrow_mut() = Some(self.part(Which::Runtime { quad })?);
        }
        for &id in order {
            let file = sources.file(id);
            match generated.extended.iter().find(|f| f.source == id) {
                Some(extended) => {
                    let path = put(&self.folder, &format!("file{}_{}", id.0 + 1, extended.name), &extended.text)?;
                    self.compile(&path, &format!("{GENERATED} code {}", extended.name), Some(&file.name))?;
                }
                None => {
                    let path = self.primal_source(program, file, id)?;
                    self.compile(&path, &file.name, Some(&file.name))?;
                }
            }
        }
        for (code, mode) in [(&generated.tangent, "tangent"), (&generated.adjoint, "adjoint")] {
            for file in &code.files {
                let path = put(&self.folder, &format!("{mode}_{}", file.name), &file.text)?;
                self.compile(&path, &format!("{GENERATED} {mode} code {}", file.name), None)?;
            }
        }
        Ok(())
    }

    /// A part that other checks may have compiled; a folder that is kept holds its own.
    fn part(&self, which: Which) -> Result<Arc<Part>, Failure> {
        match self.options.keep {
            Some(_) => which.compile(self.compiler(), &self.folder, None),
            None => self.options.parts.get(which, self.compiler()),
        }
    }

    /// The user's file where it is; a copy without its main program where it has one, or where it isn't on disk.
    fn primal_source(&self, program: &Program, file: &SourceFile, id: FileId) -> Result<PathBuf, Failure> {
        let mains = order::main_programs(program, id);
        let path = Path::new(&file.name);
        if mains.is_empty() && std::fs::read(path).is_ok_and(|bytes| bytes == file.text.as_bytes()) {
            return Ok(path.to_path_buf());
        }
        let name = path.file_name().map_or_else(|| "source.f90".into(), |n| n.to_string_lossy().into_owned());
        // Two folders may hold files of the same name.
        put(&self.folder, &format!("source{}_{name}", id.0 + 1), &without(&file.text, file, &mains))
    }

    fn compiler(&self) -> Compiler<'a> {
        Compiler { fc: &self.options.fc, fflags: &self.options.fflags }
    }

    /// The compiler's command, which finds the run-time library's modules too.
    fn command(&self) -> Command {
        let mut command = self.compiler().command(&self.folder);
        if let Some(part) = self.runtime.borrow().as_ref() {
            command.arg("-I").arg(part.folder());
        }
        command
    }

    /// Compiles a file, named `shown` in messages. The user's flags and the folder of the user's file come with the
    /// user's lines.
    fn compile(&self, path: &Path, shown: &str, user: Option<&str>) -> Result<(), Failure> {
        let mut objects = self.objects.borrow_mut();
        let object = self.folder.join(format!("part{}.o", objects.len() + 1));
        let mut command = self.command();
        if let Some(user) = user {
            command.args(self.options.cpp_flags.iter().map(|f| from_here(f)));
            let folder = Path::new(user).parent().filter(|p| !p.as_os_str().is_empty());
            command.arg("-I").arg(absolute(folder.unwrap_or(Path::new("."))));
        }
        command.arg("-c").arg(absolute(path)).arg("-o").arg(&object);
        self.compiler().succeed(command, shown)?;
        objects.push(object);
        Ok(())
    }

    /// Builds and runs driver number `index`; returns the figures that it wrote.
    pub(super) fn run_driver(&self, index: usize, driver: &Driver) -> Result<String, Failure> {
        let probe = self.part(Which::Probe { kind: driver.kind })?;
        let stem = format!("check_{}", index + 1);
        let source = put(&self.folder, &format!("{stem}.f90"), &driver.text)?;
        let program = self.folder.join(&stem);
        let mut command = self.command();
        command.arg("-I").arg(probe.folder()).arg(&source).args(probe.objects()).args(self.objects.borrow().iter());
        if let Some(part) = self.runtime.borrow().as_ref() {
            command.args(part.objects()).args(&self.options.runtime);
        }
        command.arg("-o").arg(&program);
        command.args(self.options.ldflags.iter().map(|f| from_here(f)));
        self.compiler().succeed(command, &format!("{DRIVER} of `{}`", driver.head))?;
        let figures = self.folder.join(format!("{stem}.txt"));
        self.run(&program, &figures, driver)?;
        std::fs::read_to_string(&figures).map_err(|e| cannot("the driver wrote no figures", e))
    }

    fn run(&self, program: &Path, figures: &Path, driver: &Driver) -> Result<(), Failure> {
        let unkept = |e| cannot("the driver's output can't be kept", e);
        let (reader, writer) = std::io::pipe().map_err(unkept)?;
        let copy = writer.try_clone().map_err(unkept)?;
        let mut child = Command::new(absolute(program))
            .arg(figures)
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(copy)
            .spawn()
            .map_err(|e| cannot("the driver can't be run", e))?;
        let output = Output::of(reader);
        let crashed = |how: &str| crashed(driver, &output.last_lines(), figures, how);
        let start = Instant::now();
        let limit = Duration::from_secs(self.options.time_limit);
        let mut pause = Duration::from_millis(2);
        loop {
            match child.try_wait().map_err(|e| cannot("the driver can't be waited for", e))? {
                Some(status) if status.success() || status.code() == Some(3) => return Ok(()),
                Some(status) => return Err(Box::new(crashed(&ending(status)))),
                None if start.elapsed() > limit => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(Box::new(
                        crashed(&format!("stopped after {} s", limit.as_secs()))
                            .help("give smaller sizes (`--size n=16`) or more time (`--time-limit`)"),
                    ));
                }
                None => std::thread::sleep(pause),
            }
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
}

/// The end of what a driver writes: a model may write more than anyone wants to keep.
struct Output {
    tail: Arc<Mutex<Vec<u8>>>,
    closed: mpsc::Receiver<()>,
}

/// So many bytes of it are kept.
const TAIL: usize = 1 << 15;

impl Output {
    fn of(mut reader: std::io::PipeReader) -> Output {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let (close, closed) = mpsc::channel();
        let kept = Arc::clone(&tail);
        std::thread::spawn(move || {
            let mut chunk = [0; 1 << 14];
            while let Ok(n @ 1..) = reader.read(&mut chunk) {
                let Ok(mut kept) = kept.lock() else { break };
                kept.extend_from_slice(&chunk[..n]);
                let extra = kept.len().saturating_sub(TAIL);
                kept.drain(..extra);
            }
            let _ = close.send(());
        });
        Output { tail, closed }
    }

    /// The last lines; waits a little for those on the way, but not for a process that was left behind.
    fn last_lines(&self) -> Vec<String> {
        let _ = self.closed.recv_timeout(Duration::from_millis(500));
        let text = self.tail.lock().map(|t| String::from_utf8_lossy(&t).into_owned()).unwrap_or_default();
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(25)..].iter().map(|l| (*l).to_string()).collect()
    }
}

/// How a driver ended. Above 128 it passes on the signal that ended a run.
fn ending(status: std::process::ExitStatus) -> String {
    match status.code() {
        Some(code @ 129..160) => format!("signal: {}", code - 128),
        _ => status.to_string(),
    }
}

/// A primal that doesn't end can't be checked; a derivative of one that does is wrong if it doesn't end.
fn crashed(driver: &Driver, lines: &[String], figures: &Path, how: &str) -> Diagnostic {
    let written = std::fs::read_to_string(figures).unwrap_or_default();
    let what = running(&written).unwrap_or("driver");
    let code = if matches!(what, "tangent" | "adjoint") { Code::CheckFailed } else { Code::CheckDriver };
    let message = format!("the {what} of `{}` didn't come to its end: {how}", driver.head);
    Diagnostic::error(code, driver.procedure, message)
        .reason(if lines.is_empty() { "the program said nothing".to_string() } else { lines.join("\n") })
        .help("give sizes and values of dummies with `--size` and `--value`, name procedures that set up modules with `--setup`; `--keep DIR` keeps the driver")
}

/// A file's text with some units blanked, so that lines keep their numbers.
fn without(text: &str, file: &SourceFile, spans: &[Span]) -> String {
    let inside = |line: usize| {
        spans.iter().any(|s| (file.line_col(s.start).0..=file.line_col(s.end.saturating_sub(1)).0).contains(&line))
    };
    let keep = |(i, line): (usize, &str)| {
        if inside(i + 1) && !line.starts_with('#') { String::new() } else { line.to_string() }
    };
    let mut out = text.lines().enumerate().map(keep).collect::<Vec<_>>().join("\n");
    out.push('\n');
    out
}
