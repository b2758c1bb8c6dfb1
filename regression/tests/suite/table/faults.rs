//! Cases that a compiler is known to compile wrongly, or to which its own numbers give another meaning. A difference there
//! is the compiler's; `regression/faults/` has programs that show it without generated code.

/// What a compiler does to a case.
#[derive(Debug)]
pub(crate) struct Fault {
    /// How `--version` names the compiler.
    compiler: &'static str,
    /// The levels of optimisation that show it, or all.
    levels: &'static [&'static str],
    /// The case's file.
    file: &'static str,
    /// What goes wrong.
    pub(crate) what: &'static str,
}

const FLANG: &str = "flang version 22.";

const FAULTS: &[Fault] = &[
    Fault {
        compiler: "12.2.0",
        levels: &["-O3"],
        file: "variables_of_each_thread.f90",
        what: "the address of the entry that holds a thread variable's offset is taken, which linkers refuse or rewrite wrongly",
    },
    Fault {
        compiler: FLANG,
        levels: &["-O2", "-O3"],
        file: "aliasing_call.f90",
        what: "a loop that carries a value from one call's argument to the next is vectorised",
    },
    Fault {
        compiler: FLANG,
        levels: &["-O1", "-O2", "-O3"],
        file: "complex_parts.f90",
        what: "the imaginary parts of an array are overwritten while their reversed section is still to be read",
    },
    Fault {
        compiler: FLANG,
        levels: &[],
        file: "concurrent_masks_assigned.f90",
        what: "the mask of `do concurrent` is evaluated before each iteration, after those before",
    },
    Fault {
        compiler: FLANG,
        levels: &[],
        file: "intrinsics_specific_names.f90",
        what: "specific names that GNU Fortran adds (`dacosh`, `zexp`) aren't known",
    },
    Fault {
        compiler: FLANG,
        levels: &[],
        file: "kind_arrays.f90",
        what: "the second of `real_kinds` is kind 3, in which the case's program can't be called with double precision",
    },
];

/// What is known of a case with this compiler at this level.
pub(crate) fn known(version: &str, level: &str, file: &str) -> Option<&'static Fault> {
    FAULTS
        .iter()
        .find(|f| version.contains(f.compiler) && (f.levels.is_empty() || f.levels.contains(&level)) && f.file == file)
}
