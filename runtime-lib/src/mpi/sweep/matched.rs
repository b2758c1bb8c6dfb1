//! Messages that were found and are received by their handles. One that is found has its place among those that were posted:
//! others that follow it arrive after it.

use super::{Call, Event, Record, Start, with};
use crate::mpi::data::Typed;
use crate::mpi::world::Wire;
use crate::mpi::{Addr, Fint};

/// Notes a message that was found, if one was.
pub(in crate::mpi) fn matched(call: Call, found: Option<(Fint, Fint, (Fint, Fint))>) {
    with(|sweep| {
        let id = found.map(|(message, comm, asked)| {
            let (typed, start) = (Typed::nothing(), Start::default());
            let arrived = None;
            let record = Record { call, address: 0, typed, comm, asked, arrived, place: None, sent: false, start };
            let id = sweep.note(record);
            sweep.matched.insert(message, id);
            id
        });
        sweep.push(Event::Matched(id));
    });
}

/// The reverse of [`matched`].
pub(in crate::mpi) fn matched_back(call: Call) {
    with(|sweep| {
        let id = sweep.pop(call, |event| match event {
            Event::Matched(id) => Some(*id),
            _ => None,
        });
        // What was received has gone back.
        id.map(|id| sweep.records.remove(&id));
    });
}

/// The communicator of a message that was found.
pub(in crate::mpi) fn comm_of(message: Fint) -> Option<Fint> {
    with(|sweep| Some(sweep.records.get(sweep.matched.get(&message)?)?.comm))
}

/// Notes that a message with this handle is received at once.
pub(in crate::mpi) fn received_matched(message: Fint, buf: Addr, typed: Typed, arrived: (Option<Wire>, usize)) {
    let typed = typed.kept();
    with(|sweep| {
        let Some(id) = sweep.matched.remove(&message) else { return };
        if let Some(record) = sweep.records.get_mut(&id) {
            (record.address, record.typed, record.arrived) = (buf as usize, typed, Some(arrived));
        }
        sweep.push(Event::Received(id));
    });
}

/// Notes that its receive was begun.
pub(in crate::mpi) fn posted_matched(message: Fint, buf: Addr, typed: Typed, request: Fint) {
    let typed = typed.kept();
    with(|sweep| {
        let Some(id) = sweep.matched.remove(&message) else { return };
        if let Some(record) = sweep.records.get_mut(&id) {
            (record.address, record.typed) = (buf as usize, typed);
        }
        sweep.pending.insert(request, id);
        sweep.push(Event::Posted(id));
    });
}

/// Notes that it has no derivatives.
pub(in crate::mpi) fn without_derivatives(message: Fint) {
    with(|sweep| sweep.matched.remove(&message));
}
