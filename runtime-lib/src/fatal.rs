//! The end of the program when going on would be wrong.
//!
//! Generated code has no caller that could handle these conditions, so each is one message to standard error
//! and a non-zero exit status. `process::exit` runs the C library's exit handlers, so that the Fortran
//! run-time library still writes out the buffers of the user's open files.

use std::process;

use crate::tape::{Misuse, NoMemory};

/// Exit status when the machine has no memory left.
const STATUS_NO_MEMORY: i32 = 1;
/// Exit status of an internal error (`EX_SOFTWARE`), the same as that of the `costate` command.
const STATUS_INTERNAL: i32 = 70;

/// Reports a failed reservation with its numbers and ends the program.
pub(crate) fn no_memory(why: &NoMemory) -> ! {
    eprintln!("costate: out of memory: {why}");
    process::exit(STATUS_NO_MEMORY)
}

/// Reports that forward and backward sweep do not match and ends the program.
pub(crate) fn misuse(why: &Misuse) -> ! {
    eprintln!(
        "costate: internal error: {why}\n\
         costate: the pushes and pops of a tape must mirror each other; please report the program that was differentiated"
    );
    process::exit(STATUS_INTERNAL)
}
