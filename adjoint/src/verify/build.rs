//! Compiling what is checked: sources once for all variants, programs once for each.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::Program;
use costate_grammar::source::{FileId, SourceFile, SourceMap, Span};

use super::compiler::{Compiler, DRIVER, Failure, GENERATED, Part, Which, absolute, cannot, from_here};
use super::compiler::{put, temporary_folder, words};
use super::driver::Driver;
use super::run::{self, Run};
use super::variant::{Flags, ParallelRuns, Variant};
use super::{CheckOptions, Generated, MpiRuns, Point, order, script};
use crate::differentiated::OutputFile;
use crate::progress;

/// A source to compile.
struct Source {
    path: PathBuf,
    /// How messages name it.
    shown: String,
    /// The user's file that its lines come from: the user's flags and that file's folder come with them.
    user: Option<String>,
}

/// A folder in which everything is built.
pub(super) struct Build<'a> {
    options: &'a CheckOptions,
    /// Flags for OpenMP and OpenACC.
    parallel: Vec<String>,
    folder: PathBuf,
    /// Removes the folder at the end, unless it is to be kept.
    _temporary: Option<tempfile::TempDir>,
    sources: Vec<Source>,
    drivers: Vec<PathBuf>,
    /// The part of every driver that doesn't depend on the head.
    probes: Vec<Arc<Part>>,
    /// The run-time library's modules, where they are needed.
    runtime: Vec<Arc<Part>>,
    /// Whether generated code uses the run-time library's derivatives of MPI's procedures.
    messages: bool,
    /// Sends that wait for their receives, where there are processes.
    sends: Option<Arc<Part>>,
}

impl<'a> Build<'a> {
    /// Writes the sources: the user's files in the given order, tangent and adjoint, drivers.
    pub(super) fn new(
        options: &'a CheckOptions,
        (program, sources): (&Program, &SourceMap),
        order: &[FileId],
        generated: &Generated,
        drivers: &[Driver],
    ) -> Result<Build<'a>, Failure> {
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
        let mut build = Build {
            options,
            parallel: options.parallel.flags(&options.fc, &options.fflags),
            folder: absolute(&folder),
            _temporary: temporary,
            sources: Vec::new(),
            drivers: Vec::new(),
            probes: Vec::new(),
            runtime: Vec::new(),
            messages: false,
            sends: None,
        };
        build.write_sources(program, sources, order, generated)?;
        build.messages = generated.files().any(|f| f.text.contains("costate_mpi"));
        if build.messages {
            build.can_pass_messages()?;
        }
        if build.messages || generated.tangent.uses_runtime || generated.adjoint.uses_runtime {
            let quad = generated.files().any(|f| f.text.contains("costate_rt_quad"));
            build.runtime.push(build.part(Which::Runtime { quad })?);
            let uses = |module: &str| generated.files().any(|f| f.text.contains(module));
            let parts = [
                (uses("costate_lapack"), Which::Lapack),
                (uses("costate_blas") && !uses("costate_lapack"), Which::Blas),
                (uses("costate_mpi"), Which::Mpi),
            ];
            for (_, part) in parts.into_iter().filter(|p| p.0) {
                build.runtime.push(build.part(part)?);
            }
        }
        for (i, driver) in drivers.iter().enumerate() {
            build.drivers.push(put(&build.folder, &format!("check_{}.f90", i + 1), &driver.text)?);
            build.probes.push(build.part(Which::Probe { kind: driver.kind, mpi: options.mpi.is_some() })?);
        }
        if options.mpi.is_some() {
            build.sends = Some(build.part(Which::Sends)?);
        }
        Ok(build)
    }

    /// Refuses programs that pass messages where they can't.
    fn can_pass_messages(&self) -> Result<(), Failure> {
        let refuse =
            |message: &str, help: &str| Err(Box::new(Diagnostic::global(Code::CheckDriver, message).help(help)));
        match self.options.mpi.as_ref().map(|m| &m.runtime) {
            None => {
                refuse("the program calls MPI, and runs in one process", "`--mpi 2` verifies it with two processes")
            }
            Some(Err(missing)) => refuse(
                &format!("the run-time library for MPI isn't there: `{}`", missing.display()),
                "`make runtime-mpi` builds it; COSTATE_MPI_LIB names a folder that holds another",
            ),
            Some(Ok(_)) => Ok(()),
        }
    }

    /// Flags to link the run-time library.
    fn runtime_flags(&self) -> &[String] {
        match &self.options.mpi {
            Some(MpiRuns { runtime: Ok(flags), .. }) if self.messages => flags,
            _ => &self.options.runtime,
        }
    }

    fn write_sources(
        &mut self,
        program: &Program,
        sources: &SourceMap,
        order: &[FileId],
        generated: &Generated,
    ) -> Result<(), Failure> {
        for &id in order {
            let file = sources.file(id);
            let user = Some(file.name.clone());
            let (path, shown) = match generated.extended.iter().find(|f| f.source == id) {
                Some(extended) => (
                    put(&self.folder, &format!("file{}_{}", id.0 + 1, extended.name), &extended.text)?,
                    format!("{GENERATED} code {}", extended.name),
                ),
                None => {
                    let edited = generated.edited.iter().find(|f| f.source == id);
                    (self.primal_source(program, (file, edited), id)?, file.name.clone())
                }
            };
            self.sources.push(Source { path: absolute(&path), shown, user });
        }
        for (code, mode) in [(&generated.tangent, "tangent"), (&generated.adjoint, "adjoint")] {
            for file in &code.files {
                let path = put(&self.folder, &format!("{mode}_{}", file.name), &file.text)?;
                let shown = format!("{GENERATED} {mode} code {}", file.name);
                self.sources.push(Source { path: absolute(&path), shown, user: None });
            }
        }
        Ok(())
    }

    /// A part that other checks may have compiled; a folder that is kept holds its own.
    fn part(&self, which: Which) -> Result<Arc<Part>, Failure> {
        let compiler = Compiler { fc: &self.options.fc, fflags: &self.options.fflags };
        match self.options.keep {
            Some(_) => which.compile(compiler, &self.folder, None),
            None => self.options.parts.get(which, compiler),
        }
    }

    /// The user's file where it is; a copy without its main program where it has one, or where it isn't on disk.
    fn primal_source(
        &self,
        program: &Program,
        (file, edited): (&SourceFile, Option<&OutputFile>),
        id: FileId,
    ) -> Result<PathBuf, Failure> {
        let mains = order::main_programs(program, id);
        let edited = edited.map(|e| SourceFile::new(file.name.clone(), e.text.clone()));
        let file = edited.as_ref().unwrap_or(file);
        let path = Path::new(&file.name);
        if mains.is_empty() && std::fs::read(path).is_ok_and(|bytes| bytes == file.text.as_bytes()) {
            return Ok(path.to_path_buf());
        }
        let name = path.file_name().map_or_else(|| "source.f90".into(), |n| n.to_string_lossy().into_owned());
        // Two folders may hold files of the same name.
        put(&self.folder, &format!("source{}_{name}", id.0 + 1), &without(&file.text, file, &mains))
    }

    /// Compiles everything in one variant, and links a program for each driver.
    pub(super) fn compile(&self, flags: &Flags) -> Result<Programs<'_>, Failure> {
        let folder = self.folder.join(flags.variant.name());
        std::fs::create_dir_all(&folder).map_err(|e| cannot(&format!("`{}` can't be made", folder.display()), e))?;
        let fflags = [flags.flags.clone(), self.parallel.clone(), self.options.fflags.clone()].concat();
        let mut programs = Programs {
            build: self,
            variant: flags.variant,
            folder,
            fflags,
            commands: Vec::new(),
            objects: Vec::new(),
            list: Vec::new(),
        };
        for source in &self.sources {
            programs.compile(source)?;
        }
        for i in 0..self.drivers.len() {
            programs.link(i)?;
        }
        Ok(programs)
    }

    /// Leaves a script that does all of this again, in a folder that is kept.
    pub(super) fn leave_script(
        &self,
        programs: &[&Programs<'_>],
        drivers: &[Driver],
        points: &[Point],
    ) -> Result<(), Failure> {
        let Some(_) = self.options.keep else { return Ok(()) };
        let parts =
            self.runtime.iter().chain(&self.probes).chain(&self.sends).flat_map(|p| p.commands().to_vec()).collect();
        let mut steps = vec![script::Step { folder: self.folder.clone(), commands: parts, programs: Vec::new() }];
        steps.extend(programs.iter().map(|p| script::Step {
            folder: p.folder.clone(),
            commands: p.commands.clone(),
            programs: p.list.clone(),
        }));
        let path = put(
            &self.folder,
            "run.sh",
            &script::text(&self.folder, &steps, (drivers, points), self.options.mpi.as_ref()),
        )?;
        run::make_executable(&path).map_err(|e| cannot("`run.sh` can't be made executable", e))
    }
}

/// What was built in one variant.
pub(super) struct Programs<'a> {
    build: &'a Build<'a>,
    variant: Variant,
    folder: PathBuf,
    fflags: Vec<String>,
    commands: Vec<Vec<String>>,
    objects: Vec<PathBuf>,
    list: Vec<PathBuf>,
}

impl Programs<'_> {
    fn compiler(&self) -> Compiler<'_> {
        Compiler { fc: &self.build.options.fc, fflags: &self.fflags }
    }

    /// The compiler's command, which finds the run-time library's modules too.
    fn command(&self) -> Command {
        let mut command = self.compiler().command(&self.folder);
        for part in &self.build.runtime {
            command.arg("-I").arg(part.folder());
        }
        command
    }

    fn run(&mut self, command: Command, shown: &str) -> Result<(), Failure> {
        progress::stage(&format!("compiling {shown}, {}", self.variant.name()));
        self.commands.push(words(&command));
        self.compiler().succeed(command, shown)
    }

    fn compile(&mut self, source: &Source) -> Result<(), Failure> {
        let options = self.build.options;
        let object = self.folder.join(format!("part{}.o", self.objects.len() + 1));
        let mut command = self.command();
        if source.user.is_none() {
            // Generated code guards the macros that it depends on.
            let macros = |f: &&String| f.starts_with("-D") || f.starts_with("-U");
            command.args(options.cpp_flags.iter().filter(macros));
        }
        if let Some(user) = &source.user {
            command.args(options.cpp_flags.iter().map(|f| from_here(f)));
            let folder = Path::new(user).parent().filter(|p| !p.as_os_str().is_empty());
            command.arg("-I").arg(absolute(folder.unwrap_or(Path::new("."))));
        }
        command.arg("-c").arg(&source.path).arg("-o").arg(&object);
        self.run(command, &source.shown)?;
        self.objects.push(object);
        Ok(())
    }

    fn link(&mut self, index: usize) -> Result<(), Failure> {
        let build = self.build;
        let program = self.folder.join(format!("check_{}", index + 1));
        let probe = &build.probes[index];
        let mut command = self.command();
        // The driver's own statements needn't be fast.
        command.arg("-O0").arg("-I").arg(probe.folder()).arg(&build.drivers[index]);
        command.args(probe.objects()).args(&self.objects);
        // MPI may hold messages back or not: each variant is one of these.
        if let Some(sends) = build.sends.as_ref().filter(|_| self.variant == Variant::Checked) {
            command.args(sends.objects());
        }
        for part in build.runtime.iter().rev() {
            command.args(part.objects());
        }
        if !build.runtime.is_empty() {
            command.args(build.runtime_flags());
        }
        command.arg("-o").arg(&program);
        command.args(build.options.ldflags.iter().map(|f| from_here(f)));
        self.run(command, &format!("{DRIVER} number {}", index + 1))?;
        self.list.push(program);
        Ok(())
    }

    /// Runs a driver at a point.
    pub(super) fn check(&self, index: usize, point: Point) -> Result<Run, Failure> {
        self.launch(index, point, self.build.options.parallel.threads.unwrap_or(1), 0)
    }

    /// Runs a driver with so many threads at the point that is asked for, and its derivatives many times.
    pub(super) fn check_with(&self, index: usize, threads: usize) -> Result<Run, Failure> {
        self.launch(index, Point::Asked, threads, ParallelRuns::RUNS)
    }

    fn launch(&self, index: usize, point: Point, threads: usize, further: usize) -> Result<Run, Failure> {
        let figures = self.folder.join(format!("check_{}_{}.txt", index + 1, point.word()));
        let asked = self.build.options.time_limit;
        let limit = if point == Point::Asked { asked } else { asked.min(Point::LONGEST) };
        progress::stage(&format!("running check number {}, {}", index + 1, self.variant.name()));
        let mpi = self.build.options.mpi.as_ref();
        run::run((&self.list[index], mpi), &figures, (self.variant, point, threads, further), limit)
    }
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
