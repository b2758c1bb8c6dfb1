//! Statuses of messages.

use std::ptr;

use mpi::ffi;

use super::data::Typed;
use super::{Call, Fint, Out, constants, world};

/// A status of a call that is made for the program.
pub(super) struct Statuses {
    own: Vec<Fint>,
}

impl Statuses {
    pub(super) fn new(number: usize) -> Self {
        Self { own: vec![0; number.max(1) * constants::get().status_size] }
    }

    pub(super) fn address(&mut self) -> Out {
        self.own.as_mut_ptr()
    }

    /// The status of a message.
    pub(super) fn get(&self, at: usize) -> ffi::MPI_Status {
        let from = at * constants::get().status_size;
        // SAFETY: a status is plain data; the array holds one of Fortran's here.
        unsafe {
            let mut status = std::mem::zeroed();
            ffi::MPI_Status_f2c(self.own[from..].as_ptr(), &mut status);
            status
        }
    }

    /// Gives the program the first `number` statuses, where it asked for them.
    ///
    /// # Safety
    /// `to` is what the program passed.
    pub(super) unsafe fn give(&self, to: Out, number: usize) {
        let constants = constants::get();
        if !to.is_null() && !constants.is_ignored(to) {
            let integers = (number * constants.status_size).min(self.own.len());
            // SAFETY: the program's array has as many statuses.
            unsafe { ptr::copy_nonoverlapping(self.own.as_ptr(), to, integers) };
        }
    }
}

/// The source of a message that has arrived, and the number of its reals.
pub(super) fn origin(call: Call, typed: &Typed, comm: Fint, status: &ffi::MPI_Status) -> (Option<world::Wire>, usize) {
    let wire = world::wire(call, comm, status.MPI_SOURCE, status.MPI_TAG);
    let reals = if wire.is_some() { typed.arrived(status) } else { 0 };
    (wire, reals)
}
