//! The ways in which the programs of a check are compiled.

use std::process::Command;

use serde::Serialize;

/// A way to compile the programs of a check; a difference in either fails it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// As users compile for production: a compiler that optimises relies on the rules of Fortran that no run-time check
    /// covers, those on two names for one memory among them.
    Optimised,
    /// With run-time checks, and reals that are undefined until they are set.
    Checked,
}

/// Compilers whose flags are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Gnu,
    Flang,
    Intel,
    Nvidia,
    Nag,
    Other,
}

impl Family {
    /// By what the command says about itself, for wrappers have any name.
    fn of(fc: &str) -> Family {
        let mut words = fc.split_whitespace();
        let name = words.next().unwrap_or("gfortran");
        let asked = Command::new(name).args(words).arg("--version").output();
        let said = asked.map_or(String::new(), |o| String::from_utf8_lossy(&o.stdout).to_ascii_lowercase());
        let name = name.rsplit('/').next().unwrap_or("").to_ascii_lowercase();
        let is = |words: &[&str], names: &[&str]| {
            words.iter().any(|w| said.contains(w)) || names.iter().any(|n| name.starts_with(n))
        };
        match () {
            () if is(&["gnu fortran"], &["gfortran"]) => Family::Gnu,
            () if is(&["nvfortran", "nvidia compilers"], &["nvf", "pgf"]) => Family::Nvidia,
            () if is(&["flang"], &["flang"]) => Family::Flang,
            () if is(&["(ifx)", "ifx (", "(ifort)", "ifort ("], &["ifx", "ifort"]) => Family::Intel,
            () if is(&["nag fortran"], &["nagfor"]) => Family::Nag,
            () => Family::Other,
        }
    }
}

impl Variant {
    /// Both.
    pub const ALL: [Variant; 2] = [Variant::Optimised, Variant::Checked];

    /// A word for folders and messages.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Optimised => "optimised",
            Variant::Checked => "checked",
        }
    }

    /// How messages speak of it.
    pub fn described(self) -> &'static str {
        match self {
            Variant::Optimised => "compiled with optimisation",
            Variant::Checked => "compiled with run-time checks",
        }
    }

    /// Flags of a compiler. Products and sums aren't contracted: otherwise the same expression has other rounding errors
    /// in the primal than in the tangent, and iterations may take other numbers of steps.
    pub fn flags(self, fc: &str) -> Vec<String> {
        let text = match (self, Family::of(fc)) {
            (Variant::Optimised, Family::Gnu | Family::Flang) => "-O3 -march=native -ffp-contract=off",
            (Variant::Optimised, Family::Intel) => "-O3 -xHost -fp-model=precise -no-fma",
            (Variant::Optimised, Family::Nvidia) => "-O3 -Kieee -Mnofma",
            (Variant::Optimised, Family::Nag | Family::Other) => "-O3",
            (Variant::Checked, Family::Gnu) => "-O0 -g -fcheck=all,no-array-temps -finit-real=snan -finit-derived",
            (Variant::Checked, Family::Intel) => {
                "-O0 -g -traceback -check all,noarg_temp_created -init=snan,arrays -fpe0"
            }
            (Variant::Checked, Family::Nvidia) => "-O0 -g -Mbounds -Mchkptr -Ktrap=inv",
            (Variant::Checked, Family::Nag) => "-O0 -gline -C=all -nan",
            (Variant::Checked, Family::Flang | Family::Other) => "-O0 -g",
        };
        text.split_whitespace().map(str::to_string).collect()
    }
}

/// Flags with which one variant is compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Flags {
    /// Which variant.
    pub variant: Variant,
    /// Its flags; the user's follow.
    pub flags: Vec<String>,
}

/// How the directives of parallel code are heeded when derivatives are verified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ParallelRuns {
    /// OpenMP, with up to so many threads; its directives are comments otherwise.
    pub threads: Option<usize>,
    /// OpenACC; its directives are comments otherwise.
    pub acc: bool,
}

impl ParallelRuns {
    /// How often derivatives are computed with each number of threads: a race doesn't show in every run.
    pub const RUNS: usize = 20;

    /// The numbers of threads.
    pub(super) fn counts(most: usize) -> Vec<usize> {
        let mut out: Vec<usize> = [1, 2].into_iter().filter(|n| *n < most).collect();
        out.push(most);
        out
    }

    /// Flags of a compiler; `users` are the user's. Without a word about devices the host stands for them: where gfortran
    /// has a compiler for devices, it would need libraries there that nobody has named.
    pub(super) fn flags(self, fc: &str, users: &[String]) -> Vec<String> {
        if self == ParallelRuns::default() {
            return Vec::new();
        }
        let host = Family::of(fc) == Family::Gnu && !users.iter().any(|f| f.starts_with("-foffload"));
        let (omp, acc) = match Family::of(fc) {
            Family::Gnu | Family::Flang | Family::Other => ("-fopenmp", "-fopenacc"),
            Family::Intel => ("-qopenmp", "-fopenacc"),
            Family::Nvidia => ("-mp", "-acc"),
            Family::Nag => ("-openmp", "-openacc"),
        };
        let asked = [self.threads.map(|_| omp), self.acc.then_some(acc), host.then_some("-foffload=disable")];
        asked.into_iter().flatten().map(str::to_string).collect()
    }
}
