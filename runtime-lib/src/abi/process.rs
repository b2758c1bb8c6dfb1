//! What the library asks of the C library, once for the process.

use std::sync::Once;

use crate::{settings, stats};

unsafe extern "C" {
    fn atexit(function: extern "C" fn()) -> i32;
    fn signal(number: i32, handler: usize) -> usize;
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn malloc_trim(pad: usize) -> i32;
}

/// The signal of a write beyond the limit on the size of files, on Linux and BSD.
const SIGXFSZ: i32 = 25;
const SIG_IGN: usize = 1;

extern "C" fn at_exit() {
    stats::report();
}

/// Has memory that was freed given back to the system. The C library of GNU keeps it otherwise where something behind it
/// is in use.
pub(crate) fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: it changes nothing but what the allocator keeps, and may be called at any time in any thread.
    unsafe {
        malloc_trim(0);
    }
}

/// Makes sure that statistics are reported at the end of the program, where they are wanted.
pub(crate) fn prepare() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if settings::get().stats.is_some() {
            // SAFETY: the function takes and returns nothing and doesn't unwind.
            unsafe { atexit(at_exit) };
        }
    });
}

/// Makes a write beyond the limit on the size of files an error of that write, which can be reported with its numbers,
/// where the signal would end the program first.
pub(crate) fn report_file_limit() {
    static ONCE: Once = Once::new();
    // SAFETY: ignoring this signal changes nothing but the way in which the failure of a write is reported.
    ONCE.call_once(|| unsafe {
        signal(SIGXFSZ, SIG_IGN);
    });
}
