//! Derivatives of MPI procedures, for `fortran/costate_mpi.f90`.
//!
//! All derivatives are those of the whole system: the adjoint of a message is a message the other way. Messages of
//! derivatives go through a communicator of the library's own (`world.rs`), so that none meets a receive of the program
//! with a wildcard; collective derivatives use the program's communicator.
//!
//! * `blocking.rs`, `requests.rs`, `persistent.rs`, `completion.rs`: messages. What a receive has got is kept in its record (`sweep.rs`); the
//!   adjoint of a completed receive is sent when the backward sweep passes the completion, from a copy, so that no
//!   adjoint blocks where the primal doesn't.
//! * `matched.rs`: messages that are received by their handles.
//! * `moves.rs`, `vectors.rs`, `reductions.rs`, `scans.rs`, `nonblocking.rs`, `neighbours.rs`: collective procedures.
//! * `packing.rs`, `packed_messages.rs`, `packed.rs`: packed buffers, whose derivatives the library keeps.
//! * `datatypes.rs`, `objects.rs`: what datatypes are made of, and those of reals with other things between them.
//! * `watch.rs`, `meeting.rs`, `forward.rs`: who waits for whom, and what all processes of a collective call have to agree upon.
//! * `room.rs`: how far collective calls reach.
//! * `data.rs`: buffers of any datatype whose elements are reals, as vectors of reals.
//!
//! Every function that Fortran calls takes addresses alone. Those of the program's buffers are passed on to MPI or used as
//! MPI would use them, which is what makes them valid; on processes where MPI doesn't look at an argument nothing does.

#![allow(unsafe_code)]
#![allow(clippy::too_many_arguments)]

mod blocking;
mod call;
mod completion;
mod constants;
mod data;
mod datatypes;
mod fail;
mod fortran;
mod forward;
mod matched;
mod meeting;
mod moves;
mod neighbours;
mod nonblocking;
mod objects;
mod packed;
mod packed_messages;
mod packing;
mod persistent;
mod places;
mod reductions;
mod requests;
mod room;
mod scans;
mod statuses;
mod sweep;
mod tangent;
mod traffic;
mod vectors;
mod watch;
mod weights;
mod world;

use std::ffi::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use call::{At, Call};

/// An integer of MPI's Fortran interface.
type Fint = c_int;
/// The address of a buffer.
type Addr = *mut c_void;
/// The address of an argument that is only read.
type In = *const Fint;
/// The address of an argument that may be written to; `ierror` may be absent.
type Out = *mut Fint;

/// The content of a mutex; nothing panics while it holds one.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets `ierror` where it is present.
///
/// # Safety
/// It is null or can be written.
unsafe fn report(ierror: Out, value: Fint) {
    if !ierror.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *ierror = value };
    }
}

/// A number of elements that MPI was given, which isn't negative.
fn size(count: Fint) -> usize {
    usize::try_from(count).unwrap_or_default()
}

/// The number of elements of an array, where it is known.
///
/// # Safety
/// It can be read.
unsafe fn elements(n: In) -> Option<usize> {
    // SAFETY: the caller's promise.
    usize::try_from(unsafe { *n }).ok()
}

/// A number of elements for MPI.
fn count(elements: usize) -> c_int {
    c_int::try_from(elements)
        .unwrap_or_else(|_| fail::stop(&format_args!("a message of {elements} reals is longer than MPI allows")))
}
