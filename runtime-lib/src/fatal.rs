//! The end of the program when going on would be wrong.
//!
//! Generated code has no caller that could handle these conditions, so each is one message to standard error
//! and a non-zero exit status. `process::exit` runs the C library's exit handlers, so that the Fortran
//! run-time library still writes out the buffers of the user's open files.

use std::fmt::Display;
use std::process;

use crate::store::Failure;
use crate::tape::{Misuse, NoMemory};
use crate::tell::tell;
use crate::verify::Difference;

/// Exit status when the machine has no memory or disk space left, or a recomputed value differs.
const STATUS_FAILURE: i32 = 1;
/// Exit status of an internal error (`EX_SOFTWARE`), the same as that of the `costate` command.
const STATUS_INTERNAL: i32 = 70;

/// Reports a failed reservation with its numbers and ends the program.
pub(crate) fn no_memory(why: &NoMemory) -> ! {
    end(STATUS_FAILURE, &format_args!("out of memory: {why}"))
}

/// Reports that forward and backward sweep do not match and ends the program.
pub(crate) fn misuse(why: &Misuse) -> ! {
    end(
        STATUS_INTERNAL,
        &format_args!(
            "internal error: {why}\n\
             costate: the pushes and pops of a tape must mirror each other; please report the program that was differentiated"
        ),
    )
}

/// Reports why a snapshot of the schedule `name` can't be kept or read and ends the program.
pub(crate) fn snapshot(name: &str, why: &Failure) -> ! {
    match why {
        Failure::Misuse(_) => schedule(name, why),
        _ => end(STATUS_FAILURE, &format_args!("schedule `{name}`: {why}")),
    }
}

/// Reports a call that doesn't fit the schedule `name` and ends the program.
pub(crate) fn schedule(name: &str, why: &dyn Display) -> ! {
    end(STATUS_INTERNAL, &format_args!("schedule `{name}`: internal error: {why}"))
}

/// Reports a wrong recomputation in a procedure or under a schedule and ends the program.
pub(crate) fn difference(place: &dyn Display, why: &Difference) -> ! {
    end(STATUS_FAILURE, &format_args!("{place}: {why}"))
}

/// Reports an object whose size isn't known and ends the program.
pub(crate) fn assumed_size() -> ! {
    end(STATUS_INTERNAL, &"an array of assumed size was to be kept as a whole; name a section of it, as in v(1:n)")
}

fn end(status: i32, message: &dyn Display) -> ! {
    tell(&format_args!("costate: {message}"));
    process::exit(status)
}
