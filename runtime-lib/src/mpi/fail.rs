//! The end of all processes when going on would be wrong.

use std::ffi::{c_char, c_int};
use std::fmt::Display;
use std::process;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use mpi::ffi;

use super::{Call, size};
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

/// Tells a text and ends all processes, whatever this one is doing in MPI now: what starts programs of MPI ends the others.
pub(super) fn end(what: &str) -> ! {
    unsafe extern "C" {
        fn _exit(status: c_int) -> !;
    }
    tell(&what);
    // Others may tell what they wait for.
    thread::sleep(Duration::from_millis(500));
    // SAFETY: nothing of this process runs behind it.
    unsafe { _exit(1) }
}

/// Ends all processes where MPI finds an error, as it would do itself, with the call that it is found in.
unsafe extern "C" fn failed(_: *mut ffi::MPI_Comm, code: *mut c_int) {
    const LONGEST: usize = 1024;
    let (mut text, mut length) = ([0_u8; LONGEST], 0);
    // SAFETY: MPI passes a variable of its own; no MPI has longer messages.
    unsafe { ffi::MPI_Error_string(*code, text.as_mut_ptr().cast::<c_char>(), &mut length) };
    let text = String::from_utf8_lossy(&text[..size(length).min(LONGEST)]);
    match Call::last() {
        Some(call) => stop(&format_args!("{call}, or what the program has called behind it: {text}")),
        None => stop(&text),
    }
}

/// Has errors in a communicator name the call that they are found in: `always`, or where they would end all processes anyway.
pub(super) fn tell_errors(comm: ffi::MPI_Comm, always: bool) {
    struct Handler(ffi::MPI_Errhandler);
    // SAFETY: handles of MPI's may be used by any thread that may call MPI.
    unsafe impl Send for Handler {}
    unsafe impl Sync for Handler {}
    static HANDLER: OnceLock<Handler> = OnceLock::new();
    // SAFETY: the communicator exists. MPI declares handlers with more arguments, about which it says nothing; one that takes
    // the first two alone is called as any other.
    unsafe {
        let mut now = ffi::RSMPI_ERRORS_RETURN;
        ffi::MPI_Comm_get_errhandler(comm, &mut now);
        if always || now == ffi::RSMPI_ERRORS_ARE_FATAL {
            let own = HANDLER.get_or_init(|| {
                let mut own = Handler(now);
                type Declared = unsafe extern "C" fn(*mut ffi::MPI_Comm, *mut c_int, ...);
                let handler =
                    std::mem::transmute::<unsafe extern "C" fn(*mut ffi::MPI_Comm, *mut c_int), Declared>(failed);
                ffi::MPI_Comm_create_errhandler(Some(handler), &mut own.0);
                own
            });
            ffi::MPI_Comm_set_errhandler(comm, own.0);
        }
    }
}
