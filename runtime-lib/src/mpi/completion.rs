//! Waits for requests and tests of them. All are the same to derivatives: requests that were pending, and those of them
//! that are complete afterwards.

use std::slice;

use mpi::ffi;

use super::statuses::{Statuses, origin};
use super::watch::{End, Watched, watch};
use super::{At, Call, Fint, In, Out, fortran, nonblocking, report, size, sweep, tangent};

/// The requests of a call before it was made; it changes them.
struct Waiting {
    requests: Vec<Fint>,
    /// Receives that are noted, by their positions.
    known: Vec<(usize, u64)>,
}

/// Which requests a call has completed, by their positions, each with the position of its status.
type Done = Vec<(usize, usize)>;

impl Waiting {
    /// # Safety
    /// The arguments are the program's.
    unsafe fn new(count: usize, requests: Out) -> Self {
        // SAFETY: the caller's promise. An empty array may have no address.
        let requests = if count == 0 { Vec::new() } else { unsafe { slice::from_raw_parts(requests, count).to_vec() } };
        Self { known: sweep::pending(&requests), requests }
    }

    /// The call that waits for these requests.
    fn watched(&self, call: Call) -> Option<Watched> {
        watch(call, || {
            let received = |(_, id): &(usize, u64)| sweep::awaited(*id);
            let mut ends: Vec<End> = self.known.iter().filter_map(received).collect();
            ends.extend(tangent::awaited(&self.requests));
            let named: Vec<String> = ends.iter().take(3).map(End::to_string).collect();
            let more = if ends.len() > 3 { " and others" } else { "" };
            match named.as_slice() {
                [] => "what it has begun".to_string(),
                _ => format!("messages from {}{more}", named.join(", ")),
            }
        })
    }

    /// Notes what is complete.
    fn forward(&self, call: Call, statuses: &Statuses, done: &Done) {
        let mut all = Vec::new();
        for (at, id) in &self.known {
            let status = done.iter().find(|(request, _)| request == at).map(|(_, status)| statuses.get(*status));
            if let (Some(status), Some((typed, comm))) = (status, sweep::typed(*id)) {
                let (wire, reals) = origin(call, &typed, comm, &status);
                all.push((self.requests[*at], *id, wire, reals));
            }
        }
        sweep::completed(&all);
    }

    /// Receives tangents of what is complete.
    fn tangent(&self, call: Call, statuses: &Statuses, done: &Done) {
        let completed: Vec<(Fint, ffi::MPI_Status)> =
            done.iter().map(|(request, status)| (self.requests[*request], statuses.get(*status))).collect();
        tangent::completed(call, &completed);
        nonblocking::completed(completed.iter().map(|(request, _)| *request));
    }
}

/// All of so many requests.
fn all(count: usize) -> Done {
    (0..count).map(|at| (at, at)).collect()
}

/// The request of an index of Fortran's, if there is one.
fn one(index: Fint) -> Done {
    // `MPI_UNDEFINED` is negative.
    if index > 0 { vec![(size(index) - 1, 0)] } else { Vec::new() }
}

/// The requests of an array of indices, of which there are `number`, or none.
///
/// # Safety
/// The array has as many elements.
unsafe fn some(number: Fint, indices: Out) -> Done {
    // SAFETY: the caller's promise.
    (0..size(number)).map(|at| (size(unsafe { *indices.add(at) }).saturating_sub(1), at)).collect()
}

/// One of MPI's procedures: its derivatives, its arguments, the number of requests, how many statuses the program gets, and
/// what is complete.
macro_rules! completions {
    ($($primal:ident $d:ident $fwd:ident $b:ident ($($argument:ident: $type:ty),*)
        [$requests:ident; $count:expr] $status:ident => $given:expr, $done:expr;)*) => {$(
        /// Waits for values and their tangents.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d($($argument: $type,)* ierror: Out, at: At) {
            let call = Call::begin(stringify!($d), at);
            // SAFETY: the arguments are the program's.
            unsafe {
                let waiting = Waiting::new($count, $requests);
                let (mut own, mut failure) = (Statuses::new($count), 0);
                let given = $status;
                let watched = waiting.watched(call);
                {
                    let $status = own.address();
                    fortran::$primal($($argument,)* &mut failure);
                }
                drop(watched);
                own.give(given, $given);
                waiting.tangent(call, &own, &$done);
                report(ierror, failure);
            }
        }

        /// Waits for values, and notes what has arrived.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd($($argument: $type,)* ierror: Out, at: At) {
            let call = Call::begin(stringify!($fwd), at);
            // SAFETY: the arguments are the program's.
            unsafe {
                let waiting = Waiting::new($count, $requests);
                let (mut own, mut failure) = (Statuses::new($count), 0);
                let given = $status;
                let watched = waiting.watched(call);
                {
                    let $status = own.address();
                    fortran::$primal($($argument,)* &mut failure);
                }
                drop(watched);
                own.give(given, $given);
                waiting.forward(call, &own, &$done);
                report(ierror, failure);
            }
        }

        /// Sends the adjoints of what had arrived.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        unsafe extern "C" fn $b($($argument: $type,)* ierror: Out, at: At) {
            let call = Call::begin(stringify!($b), at);
            // SAFETY: generated code has passed the adjoint arrays, which are still there.
            unsafe { sweep::completed_back(call) };
        }
    )*};
}

completions! {
    mpi_wait_ costate_mpi_wait_d costate_mpi_wait_fwd costate_mpi_wait_b (request: Out, status: Out)
        [request; 1] status => 1, all(1);
    mpi_waitall_ costate_mpi_waitall_d costate_mpi_waitall_fwd costate_mpi_waitall_b
        (count: In, requests: Out, statuses: Out)
        [requests; size(*count)] statuses => size(*count), all(size(*count));
    mpi_waitany_ costate_mpi_waitany_d costate_mpi_waitany_fwd costate_mpi_waitany_b
        (count: In, requests: Out, index: Out, status: Out)
        [requests; size(*count)] status => 1, one(*index);
    mpi_waitsome_ costate_mpi_waitsome_d costate_mpi_waitsome_fwd costate_mpi_waitsome_b
        (count: In, requests: Out, outcount: Out, indices: Out, statuses: Out)
        [requests; size(*count)] statuses => size(*outcount), some(*outcount, indices);
    mpi_test_ costate_mpi_test_d costate_mpi_test_fwd costate_mpi_test_b (request: Out, flag: Out, status: Out)
        [request; 1] status => usize::from(*flag != 0), all(usize::from(*flag != 0));
    mpi_testall_ costate_mpi_testall_d costate_mpi_testall_fwd costate_mpi_testall_b
        (count: In, requests: Out, flag: Out, statuses: Out)
        [requests; size(*count)] statuses =>
        if *flag != 0 { size(*count) } else { 0 }, all(if *flag != 0 { size(*count) } else { 0 });
    mpi_testany_ costate_mpi_testany_d costate_mpi_testany_fwd costate_mpi_testany_b
        (count: In, requests: Out, index: Out, flag: Out, status: Out)
        [requests; size(*count)] status => usize::from(*flag != 0), if *flag != 0 { one(*index) } else { Vec::new() };
    mpi_testsome_ costate_mpi_testsome_d costate_mpi_testsome_fwd costate_mpi_testsome_b
        (count: In, requests: Out, outcount: Out, indices: Out, statuses: Out)
        [requests; size(*count)] statuses => size(*outcount), some(*outcount, indices);
}
