//! Who waits for whom: with `COSTATE_MPI_TIMEOUT` a process that waits longer for a message says so and ends all processes. That
//! of a derivative is asked for again and again (`traffic.rs`); that of a value MPI waits for, which a thread watches.

use std::env;
use std::ffi::{CStr, c_char, c_ulong};
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use mpi::ffi;

use super::{Call, Fint, fail, locked, world};

/// How long a process may wait for a message: the seconds in `COSTATE_MPI_TIMEOUT`, or for ever.
pub(super) fn limit() -> Option<Duration> {
    static LIMIT: OnceLock<Option<Duration>> = OnceLock::new();
    *LIMIT.get_or_init(|| {
        let seconds: f64 = env::var("COSTATE_MPI_TIMEOUT").ok()?.trim().parse().ok()?;
        Duration::try_from_secs_f64(seconds).ok().filter(|limit| !limit.is_zero())
    })
}

/// What is told where waiting for something is more than the limit.
pub(super) fn too_long(what: &dyn Display, limit: Duration) -> String {
    format!("{what} (COSTATE_MPI_TIMEOUT: {} s have passed)", limit.as_secs_f64())
}

/// The other end of a message of the program's.
#[derive(Clone, Copy)]
pub(super) struct End {
    /// Its rank in `comm`, or a constant of MPI's.
    pub(super) rank: Fint,
    pub(super) tag: Fint,
    pub(super) comm: Fint,
}

impl Display for End {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // SAFETY: constants of the bindings, and a handle of the program's.
        let (any, any_tag, comm) =
            unsafe { (ffi::RSMPI_ANY_SOURCE, ffi::RSMPI_ANY_TAG, ffi::RSMPI_Comm_f2c(self.comm)) };
        match world::rank_of(comm, self.rank).filter(|_| self.rank != any) {
            Some(rank) => write!(f, "rank {rank}")?,
            None => f.write_str("any rank")?,
        }
        if self.tag == any_tag { f.write_str(" with any tag") } else { write!(f, " with tag {}", self.tag) }
    }
}

/// A process in a call of MPI's, which may wait there.
struct Waiting {
    number: c_ulong,
    since: Instant,
    /// What it waits for, beside the rank of this process.
    what: String,
}

static WAITING: Mutex<(c_ulong, Vec<Waiting>)> = Mutex::new((0, Vec::new()));

/// Has the thread know of a call that may wait for other processes, until this is dropped.
pub(super) struct Watched(c_ulong);

impl Drop for Watched {
    fn drop(&mut self) {
        locked(&WAITING).1.retain(|w| w.number != self.0);
    }
}

/// Has a call watched that may wait for other processes, where there is a limit.
pub(super) fn watch(call: impl Display, what: impl FnOnce() -> String) -> Option<Watched> {
    static THREAD: Once = Once::new();
    let limit = limit()?;
    let what =
        format!("costate: rank {}: {}", fail::rank(), too_long(&format_args!("{call} waits for {}", what()), limit));
    THREAD.call_once(|| drop(thread::Builder::new().name("costate-watch".into()).spawn(move || observe(limit))));
    let (last, all) = &mut *locked(&WAITING);
    *last += 1;
    all.push(Waiting { number: *last, since: Instant::now(), what });
    Some(Watched(*last))
}

/// Has a call watched that waits for whoever else takes part in it.
pub(super) fn watch_all(call: impl Display) -> Option<Watched> {
    watch(call, || "other processes".to_string())
}

/// Whether a derivative has begun in this process.
static BEGUN: AtomicBool = AtomicBool::new(false);

/// A derivative begins, on all processes: from now on all calls are watched. This is, too, until what is returned is dropped.
pub(super) fn begin() -> Option<Watched> {
    BEGUN.store(true, Ordering::Relaxed);
    watch_all("the start of a derivative")
}

/// Begins to watch a call of MPI's procedure `name`, once a derivative has begun; `c/costate_mpi_waits.c` calls it. Where the program
/// has the call isn't known, but what it has called of the library's before. Returns a number for [`costate_mpi_waited`], or zero.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_waits(name: *const c_char) -> c_ulong {
    if limit().is_none() || !BEGUN.load(Ordering::Relaxed) {
        return 0;
    }
    // SAFETY: a constant of the caller's.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    let watched = match Call::last() {
        Some(call) => watch_all(format_args!("{name} in {call}, or called behind it,")),
        None => watch_all(&name),
    };
    let number = watched.as_ref().map_or(0, |watched| watched.0);
    std::mem::forget(watched);
    number
}

/// The end of such a call.
#[unsafe(no_mangle)]
extern "C" fn costate_mpi_waited(number: c_ulong) {
    if number != 0 {
        drop(Watched(number));
    }
}

/// Ends the program where something waits too long.
fn observe(limit: Duration) {
    loop {
        thread::sleep((limit / 10).clamp(Duration::from_millis(10), Duration::from_secs(1)));
        let found = locked(&WAITING).1.iter().find(|w| w.since.elapsed() > limit).map(|w| w.what.clone());
        if let Some(what) = found {
            fail::end(&what);
        }
    }
}
