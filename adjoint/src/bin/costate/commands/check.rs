//! `costate check`.

use std::path::Path;

use costate_adjoint::verify::{self, Against, CheckOptions, Flags, MpiRuns, ParallelRuns, Variant};
use costate_analysis::request::{Head, parse_heads, resolve};
use costate_grammar::diag::{Code, Diagnostic};

use super::config;
use crate::cli::{BuildArg, CheckArgs, FormArg, MessageFormat};
use crate::config::Config;
use crate::front::{self, Front, refuse};
use crate::{Session, Status};

pub(crate) fn run(mut args: CheckArgs, session: &mut Session) -> Result<Status, Status> {
    let given = [args.source.code.size.clone(), args.value.clone()].concat();
    let config = front::configure(session, &mut args.source)?;
    config.complete_check(&mut args);
    let mut options = options(&args).map_err(|d| refuse(session, &[*d]))?;
    let front = front::open(session, &args.source)?;
    options.generate = front.options.clone();
    let unknown = unknown_names(&front, &options, &config, &given);
    if !unknown.is_empty() {
        return Err(refuse(session, &unknown));
    }
    let report = verify::check(&front.program, &session.sources, &front.files, &front.heads, &options)
        .map_err(|d| refuse(session, &d))?;
    if !report.passed() {
        // They may say why.
        session.messages.emit(&session.sources, &report.warnings);
    }
    match session.messages.format() {
        MessageFormat::Human => session.messages.print(&report.to_string()),
        MessageFormat::Json => session.messages.print(&format!("{}\n", report.json())),
        MessageFormat::Sarif => {}
    }
    if report.passed() {
        return Ok(Status::Done);
    }
    if session.messages.format() != MessageFormat::Human {
        let wrong = report.heads.iter().zip(&front.heads).filter(|(r, _)| !r.passed);
        let diagnostics: Vec<Diagnostic> = wrong
            .map(|(r, head)| {
                let place = front.program[head.proc].head;
                let how = if r.is_wrong() { "are wrong" } else { "aren't verified" };
                Diagnostic::error(Code::CheckFailed, place, format!("the derivatives of `{}` {how}", r.name))
                    .reason(r.to_string())
                    .help("`--keep DIR` keeps the driver and the generated code; `--size` and `--value` set it up")
            })
            .collect();
        session.messages.emit(&session.sources, &diagnostics);
    }
    Ok(Status::Difference)
}

/// Sizes and values that nothing is there for. Those of the configuration file are for all heads of its list.
fn unknown_names(front: &Front, options: &CheckOptions, config: &Config, given: &[String]) -> Vec<Diagnostic> {
    let unknown = verify::unknown_names(&front.program, &front.heads, options);
    let heads = config.heads().into_iter().filter_map(|text| parse_heads(&text).ok()).flatten();
    let listed: Vec<Head> = heads.filter_map(|h| resolve(&front.program, &h).ok()).collect();
    let known_to_list = |name: &str| {
        let unknown = verify::unknown_names(&front.program, &listed, options);
        listed.is_empty() || !unknown.iter().any(|(n, _)| n == name)
    };
    let by_hand =
        |name: &str| given.iter().any(|g| g.split('=').next().is_some_and(|n| n.trim().eq_ignore_ascii_case(name)));
    let excused = |name: &str| !by_hand(name) && config.gives(name) && known_to_list(name);
    unknown.into_iter().filter(|(name, _)| !excused(name)).map(|(_, d)| d).collect()
}

fn read(path: &Path) -> Result<Against, Box<Diagnostic>> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        Box::new(Diagnostic::global(Code::FileUnreadable, format!("`{}` can't be read: {e}", path.display())))
    })?;
    Ok(Against { path: path.display().to_string(), text })
}

fn wrong(message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::global(Code::Configuration, message).help(help))
}

fn options(args: &CheckArgs) -> Result<CheckOptions, Box<Diagnostic>> {
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let defaults = CheckOptions::default();
    let mut values = Vec::new();
    for text in &args.value {
        let (name, value) =
            text.split_once('=').filter(|(n, v)| !n.trim().is_empty() && !v.trim().is_empty()).ok_or_else(|| {
                wrong(format!("`--value {text}` can't be read"), "write `--value nu=0.1`, or a range `--value x=1:2`")
            })?;
        values.push((name.trim().to_string(), value.trim().to_string()));
    }
    let fc = args.fc.clone().unwrap_or_else(|| args.mpi.map_or(defaults.fc, |_| MpiRuns::COMPILER.to_string()));
    let mpi = mpi_runs(args, &fc)?;
    let variants = match args.build.unwrap_or(BuildArg::Both) {
        BuildArg::Optimised => vec![Variant::Optimised],
        BuildArg::Checked => vec![Variant::Checked],
        BuildArg::Both => Variant::ALL.to_vec(),
    };
    Ok(CheckOptions {
        variants: variants.into_iter().map(|v| Flags { variant: v, flags: v.flags(&fc) }).collect(),
        fflags: [args.fflags.as_deref().map_or(defaults.fflags, words), real_flags(args, &fc)].concat(),
        ldflags: args.ldflags.as_deref().map(words).unwrap_or_default(),
        cpp_flags: source_flags(args),
        runtime: words(&config::runtime_flags()),
        values,
        setup: args.setup.clone(),
        against: args.against.iter().map(|f| read(f)).collect::<Result<_, _>>()?,
        search: defaults.search,
        altered: defaults.altered,
        points: defaults.points.clone(),
        seed: args.seed.unwrap_or(defaults.seed),
        keep: args.keep.clone(),
        time_limit: args.time_limit.unwrap_or(defaults.time_limit),
        parallel: ParallelRuns { threads: args.threads.map(|n| usize::from(n.get())), acc: args.acc },
        mpi,
        parts: defaults.parts,
        generate: defaults.generate,
        fc,
    })
}

/// How a program of several processes runs.
fn mpi_runs(args: &CheckArgs, fc: &str) -> Result<Option<MpiRuns>, Box<Diagnostic>> {
    let Some(processes) = args.mpi else { return Ok(None) };
    if !(1..=64).contains(&processes) {
        return Err(wrong(format!("a check can't run in {processes} processes"), "between 1 and 64 are possible"));
    }
    let launcher = args.mpirun.clone().unwrap_or_else(|| verify::mpi_launcher(fc));
    let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
    let runtime = config::mpi_runtime_flags(verify::mpi_flavour(fc)).map(|flags| words(&flags));
    Ok(Some(MpiRuns { processes, launcher: words(&launcher), runtime }))
}

/// What tells the compiler how wide default real is.
fn real_flags(args: &CheckArgs, fc: &str) -> Vec<String> {
    let name = fc.rsplit('/').next().unwrap_or(fc);
    let flags: &[&str] = match args.source.wide_real() {
        false => &[],
        true if ["ifort", "ifx", "nvfortran", "pgf", "ftn"].iter().any(|n| name.starts_with(n)) => &["-r8"],
        true => &["-fdefault-real-8", "-fdefault-double-8"],
    };
    flags.iter().map(|f| (*f).to_string()).collect()
}

/// What the compiler must know to read the sources as Costate did.
fn source_flags(args: &CheckArgs) -> Vec<String> {
    let source = &args.source;
    let mut out: Vec<String> = source.define.iter().map(|d| format!("-D{d}")).collect();
    out.extend(source.undefine.iter().map(|u| format!("-U{u}")));
    out.extend(source.include.iter().map(|i| format!("-I{}", i.display())));
    match source.form {
        Some(FormArg::Free) => out.push("-ffree-form".to_string()),
        Some(FormArg::Fixed) => out.push("-ffixed-form".to_string()),
        None => {}
    }
    if source.cpp == Some(true) {
        out.push("-cpp".to_string());
    }
    out
}
