//! Tangents of receives. They come in the order in which the receives were posted that got the values.

use std::sync::Mutex;
use std::thread;

use mpi::ffi;

use super::data::Typed;
use super::statuses::origin;
use super::world::Wire;
use super::{Addr, Fint, fail, locked, packed, traffic, world};

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
    fn find_origin(&mut self, name: &str) -> (Option<Wire>, usize) {
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
        *self.origin.insert(origin(name, &self.typed, self.comm, &status))
    }

    /// Receives the tangent.
    fn finish(&mut self, name: &str) {
        if let Some((wire, reals)) = self.origin
            && !self.done
        {
            // SAFETY: the program leaves the buffer alone until it has waited for the request.
            unsafe { receive(name, &self.typed, self.address as Addr, reals, wire) };
        }
        self.done = true;
    }
}

/// In the order of posting.
static LATE: Mutex<Vec<Late>> = Mutex::new(Vec::new());

/// Receives the tangents of those that were posted before and have got messages of the same origin.
fn finish_earlier(name: &str, earlier: &mut [Late], (comm, source, tag): (Fint, Fint, Fint), wire: Option<Wire>) {
    for late in earlier {
        if !late.done && late.takes(comm, source, tag) && late.find_origin(name).0 == wire {
            if late.message.is_some() {
                fail::stop(&format_args!(
                    "{name}: a message from rank {source} with tag {tag} that was found before is still to be received"
                ));
            }
            late.finish(name);
        }
    }
}

/// Receives the tangents of so many reals. Those of packed data are kept by the library for the buffer itself.
///
/// # Safety
/// The buffer holds the elements.
unsafe fn receive(name: &str, typed: &Typed, to: Addr, reals: usize, wire: Option<Wire>) {
    // SAFETY: the caller's promise.
    unsafe {
        if !typed.is_packed() {
            typed.write(to, &traffic::receive(name, typed.single, reals, wire));
        } else if reals > 0 && wire.is_some() {
            packed::receive_tangents(name, packed::run(to, 0, reals), &traffic::receive_packed(name, wire));
        }
    }
}

/// Receives the tangent of what a blocking call has received.
///
/// # Safety
/// The arguments are the program's; the status is that of the call.
pub(super) unsafe fn receive_now(name: &str, buf_d: Addr, typed: Typed, comm: Fint, status: &ffi::MPI_Status) {
    let (wire, reals) = origin(name, &typed, comm, status);
    if wire.is_some() {
        finish_earlier(name, &mut locked(&LATE), (comm, status.MPI_SOURCE, status.MPI_TAG), wire);
        // SAFETY: the caller's promise.
        unsafe { receive(name, &typed, buf_d, reals, wire) };
    }
}

/// Notes a receive that was posted.
pub(super) fn posted(buf_d: Addr, typed: Typed, (source, tag, comm): (Fint, Fint, Fint), request: Fint) {
    let typed = typed.kept();
    let (address, message, origin) = (buf_d as usize, None, None);
    let late = Late { request, message, comm, source, tag, address, typed, origin, done: false };
    locked(&LATE).push(late);
}

/// Notes a message that was found: its tangent comes before those of messages that follow it.
pub(super) fn matched(name: &str, message: Fint, comm: Fint, status: &ffi::MPI_Status) {
    let typed = Typed::nothing();
    let (source, tag) = (status.MPI_SOURCE, status.MPI_TAG);
    let origin = Some((world::wire(name, comm, source, tag), 0));
    let (request, message, address) = (0, Some(message), 0);
    locked(&LATE).push(Late { request, message, comm, source, tag, address, typed, origin, done: false });
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
pub(super) unsafe fn receive_matched(name: &str, message: Fint, buf_d: Addr, typed: Typed, status: &ffi::MPI_Status) {
    let mut all = locked(&LATE);
    let Some(at) = find(&all, message) else { unseen(name) };
    let mut late = all.remove(at);
    (late.typed, late.address) = (typed, buf_d as usize);
    let (wire, reals) = origin(name, &typed, late.comm, status);
    late.origin = Some((wire, reals));
    finish_earlier(name, &mut all[..at], (late.comm, late.source, late.tag), wire);
    late.finish(name);
}

/// Notes that the receive of a message that was found has begun.
pub(super) fn posted_matched(name: &str, message: Fint, buf_d: Addr, typed: Typed, request: Fint) {
    let mut all = locked(&LATE);
    let Some(at) = find(&all, message) else { unseen(name) };
    let late = &mut all[at];
    (late.typed, late.address, late.message) = (typed.kept(), buf_d as usize, None);
    (late.request, late.origin) = (request, None);
}

/// Stops where a message was found without its derivative.
pub(super) fn unseen(name: &str) -> ! {
    fail::stop(&format_args!("{name}: the message was found where its derivative didn't see it"))
}

/// Receives the tangents of what completed requests have received; `completed` are the requests with their statuses.
pub(super) fn completed(name: &str, completed: &[(Fint, ffi::MPI_Status)]) {
    let mut all = locked(&LATE);
    let mut ends = Vec::new();
    for (request, status) in completed {
        if let Some(at) = all.iter().position(|late| late.request == *request) {
            let late = &mut all[at];
            if late.origin.is_none() {
                late.origin = Some(origin(name, &late.typed, late.comm, status));
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
                finish_earlier(name, earlier, (late.comm, late.source, late.tag), wire);
            }
            late.finish(name);
        }
    }
    let mut kept = Vec::new();
    for late in all.drain(..) {
        if ends.contains(&late.request) { late.typed.release() } else { kept.push(late) }
    }
    *all = kept;
}
