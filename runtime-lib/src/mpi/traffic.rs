//! Messages of derivatives. They leave from memory of the library's own, so that a sender never waits.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use mpi::ffi;

use super::data::Values;
use super::datatypes::real;
use super::watch::{self, limit};
use super::world::Wire;
use super::{Call, count, fail, locked, size};

/// A message on its way.
struct Outgoing {
    request: ffi::MPI_Request,
    /// What MPI reads until the request is complete.
    _values: Values,
    wire: Wire,
    /// Which call it is of.
    call: Call,
}

// SAFETY: handles of MPI's may be used by any thread that may call MPI.
unsafe impl Send for Outgoing {}

static OUTGOING: Mutex<VecDeque<Outgoing>> = Mutex::new(VecDeque::new());

/// Stops where waiting since some time is more than the limit.
fn check_time(since: Instant, what: &dyn Fn() -> String) {
    if let Some(limit) = limit().filter(|limit| since.elapsed() > *limit) {
        fail::stop(&watch::too_long(&what(), limit));
    }
}

fn waits(call: Call, wire: Wire) -> String {
    format!("{call} waits for a derivative from {wire}")
}

/// Waits for a request, within the limit.
fn wait(request: &mut ffi::MPI_Request, what: &dyn Fn() -> String) -> ffi::MPI_Status {
    // SAFETY: the request is one of MPI's; a status is plain data.
    unsafe {
        let mut status = std::mem::zeroed();
        if limit().is_none() {
            ffi::MPI_Wait(request, &mut status);
            return status;
        }
        let start = Instant::now();
        loop {
            let mut done = 0;
            ffi::MPI_Test(request, &mut done, &mut status);
            if done != 0 {
                return status;
            }
            check_time(start, what);
            thread::yield_now();
        }
    }
}

/// Starts a message of a call, if it has any content: no reals, no message.
pub(super) fn post(call: Call, values: Values, wire: Option<Wire>) {
    let Some(wire) = wire else { return };
    if values.len() == 0 {
        return;
    }
    let comm = wire.comm();
    let mut outgoing = locked(&OUTGOING);
    // SAFETY: a request that MPI sets; the values don't move in memory while their owner moves.
    let request = unsafe {
        let mut request = ffi::RSMPI_REQUEST_NULL;
        let (reals, datatype) = (count(values.len()), values.datatype());
        ffi::MPI_Isend(values.address(), reals, datatype, wire.peer, wire.tag, comm, &mut request);
        request
    };
    outgoing.push_back(Outgoing { request, _values: values, wire, call });
    // The memory of those that have arrived, of the oldest at least.
    while let Some(oldest) = outgoing.front_mut() {
        let mut done = 0;
        // SAFETY: the request is active.
        unsafe { ffi::MPI_Test(&mut oldest.request, &mut done, ffi::RSMPI_STATUS_IGNORE) };
        if done == 0 {
            break;
        }
        outgoing.pop_front();
    }
}

/// Receives up to `reals` reals for the call `name`.
pub(super) fn receive(call: Call, single: bool, reals: usize, wire: Option<Wire>) -> Values {
    let mut values = Values::zeros(single, if wire.is_some() { reals } else { 0 });
    let Some(wire) = wire else { return values };
    if reals == 0 {
        return values;
    }
    // SAFETY: the buffer has as many reals, and isn't touched before the message has arrived.
    unsafe {
        let mut request = ffi::RSMPI_REQUEST_NULL;
        let (address, comm) = (values.address_mut(), wire.comm());
        ffi::MPI_Irecv(address, count(reals), real(single), wire.peer, wire.tag, comm, &mut request);
        let status = wait(&mut request, &|| waits(call, wire));
        let mut arrived = 0;
        ffi::MPI_Get_count(&status, real(single), &mut arrived);
        if arrived < 0 {
            fail::stop(&format_args!(
                "{call}: a derivative from {wire} was sent in packed form, and is received as reals"
            ));
        }
        values.truncate(size(arrived));
    }
    values
}

/// Receives derivatives of a packed buffer for the call `name`.
pub(super) fn receive_packed(call: Call, wire: Option<Wire>) -> Values {
    let Some(wire) = wire else { return Values::Packed(Vec::new()) };
    let (Wire { peer, tag, .. }, comm) = (wire, wire.comm());
    let start = Instant::now();
    // SAFETY: a message that was found is received by its handle, into as many bytes.
    unsafe {
        let (mut found, mut message, mut status) = (0, ffi::RSMPI_MESSAGE_NULL, std::mem::zeroed());
        loop {
            ffi::MPI_Improbe(peer, tag, comm, &mut found, &mut message, &mut status);
            if found != 0 {
                break;
            }
            check_time(start, &|| waits(call, wire));
            thread::yield_now();
        }
        let mut values = Values::Packed(Vec::new());
        let (mut bytes, kind) = (0, values.datatype());
        ffi::MPI_Get_count(&status, kind, &mut bytes);
        values = Values::Packed(vec![0; size(bytes)]);
        ffi::MPI_Mrecv(values.address_mut(), bytes, kind, &mut message, ffi::RSMPI_STATUS_IGNORE);
        if !super::packed::is_message(&values) {
            fail::stop(&format_args!(
                "{call}: a derivative from {wire} was sent as reals, and is received in packed form"
            ));
        }
        values
    }
}

/// Waits until all messages have left.
pub(super) fn settle(when: &str) {
    loop {
        // The others may go on meanwhile.
        let Some(mut message) = locked(&OUTGOING).pop_front() else { return };
        let (wire, call) = (message.wire, message.call);
        let what = || format!("{when}: a derivative of {call} for {wire} is not received");
        wait(&mut message.request, &what);
    }
}
