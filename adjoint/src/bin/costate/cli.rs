//! The command line.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use costate_adjoint::optimise::Pass;
use serde::Deserialize;

/// Tangent and adjoint code for Fortran.
#[derive(Debug, Parser)]
#[command(name = "costate", version, about, max_term_width = 100, arg_required_else_help = true)]
#[command(
    after_help = "Exit status: 0 done; 1 a difference was found; 2 wrong usage; 3 the input was refused; 70 a bug in Costate."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The arguments as they are meant: `-head` is `--head`, as Tapenade's users write it, and not `-h` with letters after it.
pub(crate) fn arguments(given: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let command = Cli::command();
    let long: BTreeSet<&str> =
        command.get_subcommands().flat_map(|c| c.get_arguments()).filter_map(|a| a.get_long()).collect();
    // What follows these is for other programs.
    let foreign = |option: &OsString| option == "--fflags" || option == "--ldflags";
    let mut out: Vec<OsString> = Vec::new();
    for argument in given {
        // As compilers have it.
        let argument = match argument.to_str() {
            Some("-r8") if !out.last().is_some_and(foreign) => OsString::from("--default-real=8"),
            _ => argument,
        };
        let name = argument.to_str().and_then(|a| a.strip_prefix('-')).and_then(|a| a.split('=').next());
        let known = name.is_some_and(|n| long.contains(n) && n.len() > 1) && !out.last().is_some_and(foreign);
        let mut text = OsString::from(if known { "-" } else { "" });
        text.push(argument);
        out.push(text);
    }
    out
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Writes tangent (forward) code
    Tangent(GenerateArgs),
    /// Writes adjoint (reverse) code
    Adjoint(GenerateArgs),
    /// Builds and runs tangent and adjoint, and verifies them by numbers
    Check(CheckArgs),
    /// Says what is stored, what is recomputed, and why
    Plan(PlanArgs),
    /// Writes plan and generated code as a page to look at
    Report(ReportArgs),
    /// Says what can be differentiated, and what stands in the way of the rest; no head
    Survey(SurveyArgs),
    /// Flags for build systems
    Config(ConfigArgs),
}

/// What to read, and what to differentiate.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct SourceArgs {
    /// Fortran sources, in any order
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// What to differentiate: `[module::]procedure(dependents)/(independents)`, or a procedure's name alone
    #[arg(long, value_name = "HEAD")]
    pub(crate) head: Vec<String>,
    /// Source form [default: by suffix]
    #[arg(long, value_enum)]
    pub(crate) form: Option<FormArg>,
    /// The last column of statements in fixed form [default: 72, and code beyond it is refused]
    #[arg(long, value_enum)]
    pub(crate) fixed_line_length: Option<LineLengthArg>,
    /// What lines with `d` in column 1 of fixed form are
    #[arg(long, value_enum)]
    pub(crate) d_lines: Option<DLinesArg>,
    /// Preprocess the sources [default: by suffix]
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) cpp: Option<bool>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub(crate) undefine: Vec<String>,
    /// Search included files in a folder
    #[arg(short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<PathBuf>,
    /// What is known of procedures without source [default: externals.toml beside the first source, if it is there]
    #[arg(long, value_name = "FILE.toml")]
    pub(crate) externals: Vec<PathBuf>,
    /// Bytes of default `real`, as the sources are compiled: 8 for `-fdefault-real-8 -fdefault-double-8`; `-r8` says the
    /// same [default: 4]
    #[arg(long, value_name = "BYTES", value_parser = bytes_of_real)]
    pub(crate) default_real: Option<u8>,
    #[command(flatten)]
    pub(crate) message: MessageArgs,
    #[command(flatten)]
    pub(crate) code: CodeArgs,
}

impl SourceArgs {
    /// Has default real 8 bytes?
    pub(crate) fn wide_real(&self) -> bool {
        self.default_real == Some(8)
    }
}

/// 4 or 8.
fn bytes_of_real(text: &str) -> Result<u8, String> {
    text.parse().ok().filter(|b| matches!(b, 4 | 8)).ok_or_else(|| "default real has 4 or 8 bytes".to_string())
}

/// How messages are given.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct MessageArgs {
    /// Format of messages [default: human]
    #[arg(long, value_enum)]
    pub(crate) message_format: Option<MessageFormat>,
    /// Colour messages [default: auto]
    #[arg(long, value_enum)]
    pub(crate) color: Option<ColorArg>,
    /// Only errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// More messages; from `plan` also the facts that it rests on
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// How generated code looks.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Generated code")]
pub(crate) struct CodeArgs {
    /// Names of derivatives: `x_b, m_b` or `xb, m_diff` [default: costate]
    #[arg(long, value_enum)]
    pub(crate) naming: Option<NamingArg>,
    /// Suffix of names in tangent code
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_tangent: Option<String>,
    /// Suffix of names in adjoint code
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_adjoint: Option<String>,
    /// A module of its own, or the user's module extended [default: separate]
    #[arg(long, value_enum)]
    pub(crate) layout: Option<LayoutArg>,
    /// Compute the primal's outputs in adjoint code too
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) keep_primal: Option<bool>,
    /// How adjoints of calls come by the callee's values: it runs again, or keeps a record [default: joint]
    #[arg(long, value_enum)]
    pub(crate) calls: Option<CallsArg>,
    /// Undo increments (`a = a + e`) by the opposite increment instead of saving what they overwrite, and likewise
    /// divisions. Values come back with rounding errors, large ones where `e` is much larger than `a`
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) allow_undo: Option<bool>,
    /// Have adjoints compare what they recompute with what was computed first, when they run with COSTATE_VERIFY=1.
    /// They need the run-time library then
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) verify: Option<bool>,
    /// Memory that saved values may take, `4GiB` say
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    /// Keep snapshots of time loops on disk, in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) disk: Option<String>,
    /// Follow a plan that `costate plan -o FILE` wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Value of an integer dummy, or extent of an array: `n=64`, `s%d=5`, `a=4,6`; for plans also how often loops run
    /// that find out when they end, for all of them or by a loop's name: `trips=500`
    #[arg(long, value_name = "NAME=N")]
    pub(crate) size: Vec<String>,
    /// Leave out a pass that arranges adjoint code for speed
    #[arg(long, value_name = "NAME", hide = true)]
    pub(crate) without_pass: Vec<Pass>,
    /// Check the forms of the program between the stages
    #[arg(long, hide = true)]
    pub(crate) check_forms: bool,
}

/// How files are written.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct WriteArgs {
    /// Replace files that Costate didn't write, too
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    /// Put all generated units in one file
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    pub(crate) output: Option<PathBuf>,
    /// Folder of generated files [default: the current one]
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Source form of generated files [default: free]
    #[arg(long, value_enum)]
    pub(crate) output_form: Option<FormArg>,
    /// `costate adjoint --layout extend` also adds the tangent code: both then stand in one file and link into one program
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) with_tangent: Option<bool>,
    /// Write a make dependency file
    #[arg(long, value_name = "FILE")]
    pub(crate) depfile: Option<PathBuf>,
    /// Write nothing; exit 1 when a generated file on disk is out of date
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) check_only: Option<bool>,
    /// Print adjoint code as it is after a pass of the optimiser, `fission` say, and write no file
    #[arg(long, value_name = "PASS")]
    pub(crate) dump_after: Option<Pass>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Fortran compiler [default: gfortran]
    #[arg(long, value_name = "COMMAND")]
    pub(crate) fc: Option<String>,
    /// How programs are compiled: with optimisation, with run-time checks, or both ways [default: both]
    #[arg(long, value_enum)]
    pub(crate) build: Option<BuildArg>,
    /// Flags for the compiler, after those of a build
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) fflags: Option<String>,
    /// Flags for linking, after all files: libraries
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub(crate) ldflags: Option<String>,
    /// Value of a dummy or a module variable: `nu=0.1`, `x=1:2` (drawn from a range), `flag=.true.`,
    /// `constants::grav=9.81`, `settings::physics%drag=0.1`
    #[arg(long, value_name = "NAME=V")]
    pub(crate) value: Vec<String>,
    /// Call a procedure without arguments first: it sets up module variables
    #[arg(long, value_name = "MODULE::PROCEDURE")]
    pub(crate) setup: Vec<String>,
    /// Check a generated file as it stands, edited or not, in place of what would be generated now
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Vec<PathBuf>,
    /// Seed of random values
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Compile with OpenMP, and verify with 1, 2 and N threads, several times each
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<std::num::NonZeroU16>,
    /// Compile with OpenACC
    #[arg(long)]
    pub(crate) acc: bool,
    /// Verify a program of N processes of MPI, up to 64; the compiler is mpif90 then
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) mpi: Option<u8>,
    /// Command that launches them [default: the compiler's mpirun]
    #[arg(long, value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) mpirun: Option<String>,
    /// Keep driver, generated code and build in a folder, with a script `run.sh` that does it again
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,
    /// Seconds that the driver may run [default: 120]
    #[arg(long, value_name = "SECONDS")]
    pub(crate) time_limit: Option<u64>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct PlanArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    /// Print the plan as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Write what is chosen to a file, for `--plan`
    #[arg(short, long, value_name = "PLAN")]
    pub(crate) output: Option<PathBuf>,
    /// Draw predicted run time against memory, for ten budgets
    #[arg(long, value_name = "FILE.svg")]
    pub(crate) pareto: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct SurveyArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ReportArgs {
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) write: WriteArgs,
    /// The page to write
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(flatten)]
    pub(crate) what: ConfigWhat,
    /// With `--fflags` and `--flibs`: the library for programs of several processes, of the MPI that is named: `mpich`, `openmpi`
    #[arg(long, value_name = "MPI", num_args = 0..=1, require_equals = true, default_missing_value = "default")]
    pub(crate) mpi: Option<String>,
}

/// What is asked for.
#[derive(Clone, Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct ConfigWhat {
    /// Version of Costate
    #[arg(long)]
    pub(crate) version: bool,
    /// Where Costate is installed
    #[arg(long)]
    pub(crate) prefix: bool,
    /// Flags to compile generated code that uses the run-time library
    #[arg(long)]
    pub(crate) fflags: bool,
    /// Flags to link it
    #[arg(long)]
    pub(crate) flibs: bool,
}

/// How programs are compiled for a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BuildArg {
    Optimised,
    Checked,
    Both,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FormArg {
    Free,
    Fixed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
pub(crate) enum LineLengthArg {
    #[value(name = "72")]
    #[serde(rename = "72")]
    Card,
    #[value(name = "80")]
    #[serde(rename = "80")]
    WholeCard,
    #[value(name = "132")]
    #[serde(rename = "132")]
    Extended,
    #[value(name = "none")]
    #[serde(rename = "none")]
    Unlimited,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DLinesArg {
    Code,
    Comments,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MessageFormat {
    #[default]
    Human,
    Json,
    Sarif,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ColorArg {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NamingArg {
    #[default]
    Costate,
    Tapenade,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum CallsArg {
    #[default]
    Joint,
    Split,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum LayoutArg {
    #[default]
    Separate,
    Extend,
}
