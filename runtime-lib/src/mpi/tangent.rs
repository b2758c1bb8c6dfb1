//! Tangents of receives. They come in the order in which the receives were posted that got the values.

use std::sync::Mutex;
use std::thread;

use mpi::ffi;

use super::data::Typed;
use super::statuses::origin;
use super::watch::End;
use super::world::Wire;
use super::{Addr, Call, Fint, fail, locked, packed, traffic, world};

/// A receive whose tangent is still to come.
struct Late {
    request: Fint,
    /// It was found, and its receive isn't begun.
    message: Option<Fint>,
    comm: Fint,
    source: Fint,
    tag: Fint,
    address: usize,
    typed: Typed,
    /// Where the values came from and how many reals, once that is known.
    origin: Option<(Option<Wire>, usize)>,
    done: bool,
    /// Which call posted or found it.
    call: Call,
}

impl Late {
    /// Whether a message would have been received by this one, too.
    fn takes(&self, comm: Fint, source: Fint, tag: Fint) -> bool {
        // SAFETY: constants of the bindings.
        let (any_source, any_tag) = unsafe { (ffi::RSMPI_ANY_SOURCE, ffi::RSMPI_ANY_TAG) };
        self.comm == comm
            && (self.source == source || self.source == any_source)
            && (self.tag == tag || self.tag == any_tag)
    }

    /// Where the values come from. The receive has a message already, so that it is complete soon.
    fn find_origin(&mut self, call: Call) -> (Option<Wire>, usize) {
        if let Some(origin) = self.origin {
            return origin;
        }
        // SAFETY: the request is active: it is taken from the list when it is completed.
        let status = unsafe {
            let request = ffi::RSMPI_Request_f2c(self.request);
            let (mut complete, mut status) = (0, std::mem::zeroed());
            loop {
                ffi::MPI_Request_get_status(request, &mut complete, &mut status);
                if complete != 0 {
                    break status;
                }
                thread::yield_now();
            }
        };
        *self.origin.insert(origin(call, &self.typed, self.comm, &status))
    }

    /// Receives the tangent.
    fn finish(&mut self, call: Call) {
        if let Some((wire, reals)) = self.origin
            && !self.done
        {
            // SAFETY: the program leaves the buffer alone until it has waited for the request.
            unsafe { receive(call, &self.typed, self.address as Addr, reals, wire) };
        }
        self.done = true;
    }
}

/// In the order of posting.
static LATE: Mutex<Vec<Late>> = Mutex::new(Vec::new());

/// Receives the tangents of those that were posted before and have got messages of the same origin.
fn finish_earlier(call: Call, earlier: &mut [Late], (comm, source, tag): (Fint, Fint, Fint), wire: Option<Wire>) {
    for late in earlier {
        if !late.done && late.takes(comm, source, tag) && late.find_origin(call).0 == wire {
            if late.message.is_some() {
                fail::stop(&format_args!(
                    "{call}: a message from rank {source} with tag {tag} that was found before is still to be received"
                ));
            }
            late.finish(call);
        }
    }
}

/// Receives the tangents of so many reals. Those of packed data are kept by the library for the buffer itself.
///
/// # Safety
/// The buffer holds the elements.
unsafe fn receive(call: Call, typed: &Typed, to: Addr, reals: usize, wire: Option<Wire>) {
    // SAFETY: the caller's promise.
    unsafe {
        if !typed.is_packed() {
            typed.write(to, &traffic::receive(call, typed.single, reals, wire));
        } else if reals > 0 && wire.is_some() {
            packed::receive_tangents(call, packed::run(to, 0, reals), &traffic::receive_packed(call, wire));
        }
    }
}

/// Receives the tangent of what a blocking call has received.
///
/// # Safety
/// The arguments are the program's; the status is that of the call.
pub(super) unsafe fn receive_now(call: Call, buf_d: Addr, typed: Typed, comm: Fint, status: &ffi::MPI_Status) {
    let (wire, reals) = origin(call, &typed, comm, status);
    if wire.is_some() {
        finish_earlier(call, &mut locked(&LATE), (comm, status.MPI_SOURCE, status.MPI_TAG), wire);
        // SAFETY: the caller's promise.
        unsafe { receive(call, &typed, buf_d, reals, wire) };
    }
}

/// Notes a receive that was posted.
pub(super) fn posted(call: Call, buf_d: Addr, typed: Typed, (source, tag, comm): (Fint, Fint, Fint), request: Fint) {
    let typed = typed.kept();
    let (address, message, origin) = (buf_d as usize, None, None);
    let late = Late { request, message, comm, source, tag, address, typed, origin, done: false, call };
    locked(&LATE).push(late);
}

/// The other ends of messages that requests stand for.
pub(super) fn awaited(requests: &[Fint]) -> Vec<End> {
    let all = locked(&LATE);
    let of_these = all.iter().filter(|late| !late.done && late.origin.is_none() && requests.contains(&late.request));
    of_these.map(|late| End { rank: late.source, tag: late.tag, comm: late.comm }).collect()
}

/// Notes a message that was found: its tangent comes before those of messages that follow it.
pub(super) fn matched(call: Call, message: Fint, comm: Fint, status: &ffi::MPI_Status) {
    let typed = Typed::nothing();
    let (source, tag) = (status.MPI_SOURCE, status.MPI_TAG);
    let origin = Some((world::wire(call, comm, source, tag), 0));
    let (request, message, address) = (0, Some(message), 0);
    locked(&LATE).push(Late { request, message, comm, source, tag, address, typed, origin, done: false, call });
}

/// The position of a message that was found.
fn find(all: &[Late], message: Fint) -> Option<usize> {
    all.iter().position(|late| late.message == Some(message))
}

/// Forgets a message that was found.
pub(super) fn without_derivatives(message: Fint) {
    let mut all = locked(&LATE);
    find(&all, message).map(|at| all.remove(at));
}

/// Receives the tangent of a message that was found.
///
/// # Safety
/// The arguments are the program's; the status is that of the call.
pub(super) unsafe fn receive_matched(call: Call, message: Fint, buf_d: Addr, typed: Typed, status: &ffi::MPI_Status) {
    let mut all = locked(&LATE);
    let Some(at) = find(&all, message) else { unseen(call) };
    let mut late = all.remove(at);
    (late.typed, late.address) = (typed, buf_d as usize);
    let (wire, reals) = origin(call, &typed, late.comm, status);
    late.origin = Some((wire, reals));
    finish_earlier(call, &mut all[..at], (late.comm, late.source, late.tag), wire);
    late.finish(call);
}

/// Notes that the receive of a message that was found has begun.
pub(super) fn posted_matched(call: Call, message: Fint, buf_d: Addr, typed: Typed, request: Fint) {
    let mut all = locked(&LATE);
    let Some(at) = find(&all, message) else { unseen(call) };
    let late = &mut all[at];
    (late.typed, late.address, late.message) = (typed.kept(), buf_d as usize, None);
    (late.request, late.origin, late.call) = (request, None, call);
}

/// Stops where a message was found without its derivative.
pub(super) fn unseen(call: Call) -> ! {
    fail::stop(&format_args!("{call}: the message was found where its derivative didn't see it"))
}

/// Receives the tangents of what completed requests have received; `completed` are the requests with their statuses.
pub(super) fn completed(call: Call, completed: &[(Fint, ffi::MPI_Status)]) {
    let mut all = locked(&LATE);
    let mut ends = Vec::new();
    for (request, status) in completed {
        if let Some(at) = all.iter().position(|late| late.request == *request) {
            let late = &mut all[at];
            if late.origin.is_none() {
                late.origin = Some(origin(call, &late.typed, late.comm, status));
            }
            ends.push(*request);
            // Others with messages of the same origin may still be pending.
            late.source = status.MPI_SOURCE;
            late.tag = status.MPI_TAG;
        }
    }
    for at in 0..all.len() {
        if ends.contains(&all[at].request) {
            let (earlier, rest) = all.split_at_mut(at);
            let late = &mut rest[0];
            if let Some((wire @ Some(_), _)) = late.origin
                && !late.done
            {
                finish_earlier(call, earlier, (late.comm, late.source, late.tag), wire);
            }
            late.finish(call);
        }
    }
    let mut kept = Vec::new();
    for late in all.drain(..) {
        if ends.contains(&late.request) { late.typed.release() } else { kept.push(late) }
    }
    *all = kept;
}

/// Stops where a receive was never waited for, at the end of MPI: its tangent has not arrived.
pub(super) fn check_finished() {
    let all = locked(&LATE);
    // What was found and not received is MPI's to complain of.
    if let Some(Late { call, source, tag, .. }) = all.iter().find(|late| !late.done && late.message.is_none()) {
        fail::stop(&format_args!("{call}: the receive from rank {source} with tag {tag} was never waited for"));
    }
}
