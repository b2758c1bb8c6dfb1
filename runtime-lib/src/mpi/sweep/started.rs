//! Messages that persistent requests have started.

use std::sync::atomic::Ordering;

use super::{Arrival, Call, Event, Record, Reversal, Start, adjoint, check_waited, unfinished, unreversed, with};
use crate::mpi::data::Typed;
use crate::mpi::places::{self, Array};
use crate::mpi::world::Wire;
use crate::mpi::{Addr, Fint, fail, traffic};

/// A message that a persistent request has started.
pub(in crate::mpi) struct Started {
    pub(in crate::mpi) address: usize,
    pub(in crate::mpi) typed: Typed,
    pub(in crate::mpi) comm: Fint,
    /// The other process and the tag, for messages.
    pub(in crate::mpi) asked: (Fint, Fint),
    pub(in crate::mpi) request: Fint,
    /// Where to, if it is sent.
    pub(in crate::mpi) leaves: Option<Wire>,
}

/// Notes messages that persistent requests have started.
pub(in crate::mpi) fn started(call: Call, all: &[Started]) {
    with(|sweep| {
        let named = std::mem::take(&mut sweep.named);
        let mut ids = Vec::new();
        for one in all {
            let &Started { address, typed, comm, asked, leaves, .. } = one;
            let start = Start { leaves, place: places::find(&named, address, typed.element_bytes()) };
            let record = Record { call, address, typed, comm, asked, arrived: None, place: None, sent: false, start };
            let id = sweep.note(record);
            if leaves.is_none() {
                sweep.pending.insert(one.request, id);
            }
            ids.push(id);
        }
        let arrays = named.into_iter().map(|array| array.with).collect();
        sweep.push(Event::Started(Reversal { ids, arrays }));
    });
}

/// Notes that what is started next may be in an array of so many elements, if that is known.
pub(in crate::mpi) fn named(array: Addr, elements: Option<usize>) {
    with(|sweep| sweep.named.push(Array { address: array as usize, elements, with: Arrival::default() }));
}

/// The reverse of [`started`]: it is finished when the adjoints of all arrays are named.
pub(in crate::mpi) fn started_back(call: Call) {
    with(|sweep| {
        let reversal = sweep.pop(call, |event| match event {
            Event::Started(reversal) => Some(reversal.clone()),
            _ => None,
        });
        sweep.reversing = Some(reversal);
    });
}

/// The reverse of [`named`]. With the first of the arrays the adjoints of what was sent come back, and what had arrived was
/// overwritten.
///
/// # Safety
/// As for [`completed_back`].
pub(in crate::mpi) unsafe fn named_back(call: Call, adjoint: Addr) {
    let records: Vec<Record> = with(|sweep| {
        let Some(array) = sweep.reversing.as_mut().and_then(|reversal| reversal.arrays.pop()) else {
            fail::stop(&format_args!("{call}: the forward sweep has named no array here"))
        };
        array.store(adjoint as usize, Ordering::Relaxed);
        match sweep.reversing.take_if(|reversal| reversal.arrays.is_empty()) {
            Some(reversal) => reversal.ids.iter().rev().filter_map(|id| sweep.records.remove(id)).collect(),
            None => Vec::new(),
        }
    });
    for record in records {
        // SAFETY: the caller's promise.
        unsafe { start_back(&record) };
    }
}

/// Reverses the start of one message.
unsafe fn start_back(record: &Record) {
    let (call, (peer, tag), typed) = (record.call, record.asked, record.typed);
    let reals = match (record.start.leaves, record.arrived) {
        (Some(_), _) => typed.reals(),
        (None, Some((_, reals))) if record.sent || reals == 0 => reals,
        (None, Some(_)) => unreversed(record),
        (None, None) => unfinished(record),
    };
    if reals == 0 {
        return;
    }
    let Some(place) = &record.start.place else {
        fail::stop(&format_args!(
            "{call}: a message between this process and rank {peer} with tag {tag} is in a buffer of no array that is known"
        ))
    };
    check_waited();
    // SAFETY: the address is in the adjoint of the array, as far from its start as the buffer was in the array.
    unsafe {
        match record.start.leaves {
            Some(wire) => typed.add(adjoint(place), &traffic::receive(call, typed.single, reals, Some(wire))),
            None => typed.clear(adjoint(place), reals),
        }
    }
}
