//! The end of all processes when going on would be wrong.

use std::fmt::Display;
use std::process;
use std::thread;
use std::time::Duration;

use mpi::ffi;

use crate::tell::tell;

/// The rank of this process in `MPI_COMM_WORLD`.
pub(super) fn rank() -> i32 {
    let mut rank = -1;
    // SAFETY: the communicator is one of MPI's own, and MPI runs while any procedure of the library does.
    unsafe { ffi::MPI_Comm_rank(ffi::RSMPI_COMM_WORLD, &mut rank) };
    rank
}

/// Reports what is wrong with the rank of this process and ends all processes.
pub(super) fn stop(why: &dyn Display) -> ! {
    // As one text: others may stop at the same time.
    tell(&format!("costate: rank {}: {why}", rank()));
    // The program that has started the processes ends them at once, and may not have passed on what they wrote.
    thread::sleep(Duration::from_millis(200));
    // SAFETY: as above.
    unsafe { ffi::MPI_Abort(ffi::RSMPI_COMM_WORLD, 1) };
    process::exit(1)
}
