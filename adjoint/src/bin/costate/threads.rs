//! Where the command runs: on a thread whose stack is large, because expressions, constructs, chains of calls and of `use`
//! are followed recursively, and with a pool of threads like it.

use std::sync::Mutex;
use std::thread;

use costate_grammar::diag::{Code, Diagnostic, Severity};

/// Bytes of stack that are asked for, the most first. Memory is taken only where the stack grows into it; a limit on
/// address space (`ulimit -v`) may leave room for a smaller one only.
const STACKS: [usize; 5] = [8 << 30, 1 << 30, 256 << 20, 64 << 20, 16 << 20];

/// The most threads of the pool: more are a slip of the pen.
const MOST_THREADS: usize = 1024;

/// Runs `work` on a thread with the largest stack that there is; on this one where no thread can be started.
pub(crate) fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    // A thread that can't be started takes its closure with it, so the work lies outside.
    let work = Mutex::new(Some(work));
    let run = || work.lock().ok().and_then(|mut w| w.take()).map(|w| w());
    let done = thread::scope(|scope| {
        let start = |bytes: usize| thread::Builder::new().stack_size(bytes).spawn_scoped(scope, run).ok();
        let thread = STACKS.into_iter().find_map(start)?;
        Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    done.unwrap_or_else(run)
}

/// Sets up the pool; says what is wrong with `RAYON_NUM_THREADS`.
pub(crate) fn start_pool() -> Option<Diagnostic> {
    let wanted = std::env::var_os("RAYON_NUM_THREADS");
    let number = wanted.as_ref().map(|w| w.to_string_lossy().trim().parse::<usize>().ok());
    let (count, wrong) = match number {
        // None, or zero: as many as there are processors.
        None => (0, false),
        Some(Some(n)) if n <= MOST_THREADS => (n, false),
        Some(_) => (0, true),
    };
    let count =
        if count == 0 { thread::available_parallelism().map_or(1, |n| n.get().min(MOST_THREADS)) } else { count };
    // Where so many or so large can't be had, fewer and smaller do as well.
    let tries = [(count, 256 << 20), (count.min(4), 64 << 20), (1, 8 << 20)];
    let build = |(threads, stack): (usize, usize)| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(stack).build_global().is_ok()
    };
    if !tries.into_iter().any(build) {
        let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
    }
    wrong.then(|| {
        let value = wanted.unwrap_or_default();
        let message = format!("RAYON_NUM_THREADS is `{}`, which isn't a number of threads", value.to_string_lossy());
        Diagnostic::global(Code::Configuration, message)
            .severity(Severity::Warning)
            .reason(format!("it is a number from 1 to {MOST_THREADS}; as many threads run as there are processors"))
            .help("set another number, or unset it")
    })
}

#[cfg(test)]
mod tests {
    use super::with_large_stack;

    #[test]
    fn the_stack_is_large_and_panics_come_through() {
        fn depth(n: u64) -> u64 {
            let filler = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { 1 + depth(n - 1) + (filler[0] - n) }
        }
        assert_eq!(with_large_stack(|| depth(100_000)), Some(100_000));
        assert!(std::panic::catch_unwind(|| with_large_stack(|| panic!("seen"))).is_err());
    }
}
