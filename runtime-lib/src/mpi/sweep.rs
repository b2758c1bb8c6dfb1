//! What the forward sweep notes of messages for the backward sweep: receives with what they have got, and the order of
//! calls.
//!
//! Messages from one process to another with the same tag arrive in the order of their sending, which is the order in
//! which the receives were posted. Going backward the sender takes them in the reverse of the former, so the receiver sends
//! them in the reverse of the latter: a receive whose completion is passed early is held until those that were posted
//! after it have been sent.

mod matched;
mod started;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

pub(super) use matched::*;
pub(super) use started::*;

use super::data::{Typed, Values};
use super::packed::{self, Step};
use super::places::{Array, Place};
use super::watch::End;
use super::world::Wire;
use super::{Addr, Call, Fint, fail, locked, traffic};

/// A call that a buffer's content may have arrived before, with the address of the buffer's adjoint going backward.
type Arrival = Arc<AtomicUsize>;

/// The address in the adjoint that corresponds to a place in an array.
fn adjoint(place: &Place<Arrival>) -> Addr {
    place.with.load(Ordering::Relaxed).wrapping_add(place.offset) as Addr
}

/// A receive of the forward sweep.
struct Record {
    call: Call,
    address: usize,
    typed: Typed,
    comm: Fint,
    /// What was asked for, for messages.
    asked: (Fint, Fint),
    /// Where from and how many reals, once complete. No source where there is none.
    arrived: Option<(Option<Wire>, usize)>,
    place: Option<Place<Arrival>>,
    /// Whether its adjoint is on its way.
    sent: bool,
    /// Of a message that a persistent request has started.
    start: Start,
}

impl Record {
    /// The first adjoints of what was received, where the buffer is the adjoint of the receive's. Those of packed data are kept for
    /// the buffer itself.
    ///
    /// # Safety
    /// The buffer is that.
    unsafe fn adjoints(&self, buf_b: Addr, reals: usize) -> Values {
        if self.typed.is_packed() {
            return packed::send_adjoints((self.address, self.address + reals));
        }
        // SAFETY: the caller's promise.
        let mut values = unsafe { self.typed.read(buf_b) };
        values.truncate(reals);
        values
    }

    /// Sets these to zero, where reading them hasn't.
    ///
    /// # Safety
    /// As for [`adjoints`](Self::adjoints).
    unsafe fn clear(&self, buf_b: Addr, reals: usize) {
        if !self.typed.is_packed() {
            // SAFETY: the caller's promise.
            unsafe { self.typed.clear(buf_b, reals) };
        }
    }
}

/// What is kept of a message besides, where a persistent request has started it.
#[derive(Default)]
struct Start {
    /// Where to, if it was sent.
    leaves: Option<Wire>,
    place: Option<Place<Arrival>>,
}

/// What the program has freed, by its handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handle {
    Comm(Fint),
    Datatype(Fint),
    Request(Fint),
}

/// Messages that were started at once, and the arrays that were named before.
#[derive(Clone, Default)]
struct Reversal {
    ids: Vec<u64>,
    arrays: Vec<Arrival>,
}

/// A call of the forward sweep.
enum Event {
    Posted(u64),
    Received(u64),
    Matched(Option<u64>),
    Completed(Vec<u64>),
    Arrived(Arrival),
    Made(Fint),
    Started(Reversal),
    Freed(Handle),
    Packing(Step),
}

impl Event {
    fn name(&self) -> &'static str {
        match self {
            Self::Posted(_) => "a receive was posted",
            Self::Received(_) => "a message was received",
            Self::Matched(_) => "messages were looked for",
            Self::Completed(_) => "requests were completed",
            Self::Arrived(_) => "costate_mpi_arrived_fwd was called",
            Self::Made(_) => "a persistent request was made",
            Self::Started(_) => "a persistent request was started",
            Self::Packing(step) => step.name(),
            Self::Freed(Handle::Request(_)) => "a request was freed",
            Self::Freed(Handle::Comm(_)) => "a communicator was freed",
            Self::Freed(Handle::Datatype(_)) => "a datatype was freed",
        }
    }
}

/// All that is noted.
#[derive(Default)]
struct Sweep {
    /// By the order in which they were posted.
    records: BTreeMap<u64, Record>,
    next: u64,
    /// What was done, each with the call that did it or that it belongs to.
    stack: Vec<(Event, Option<Call>)>,
    /// Receives that aren't complete, by their requests.
    pending: HashMap<Fint, u64>,
    /// Messages that were found and aren't received, by their handles.
    matched: HashMap<Fint, u64>,
    /// Complete ones that aren't known to be part of an array.
    unplaced: Vec<u64>,
    /// Arrays that what is started next may be in.
    named: Vec<Array<Arrival>>,
    /// What was started, while the arrays' adjoints are being named.
    reversing: Option<Reversal>,
    /// Adjoints that wait for those of receives posted later.
    held: BTreeMap<u64, Values>,
    /// The height of the stack at the start of each forward sweep that is open.
    marks: Vec<usize>,
    /// Communicators that the program has freed and the backward sweep has passed.
    freed: Vec<Handle>,
}

static SWEEP: Mutex<Option<Sweep>> = Mutex::new(None);

fn with<T>(act: impl FnOnce(&mut Sweep) -> T) -> T {
    act(locked(&SWEEP).get_or_insert_default())
}

/// What was done, and where the program has it.
fn told((event, call): &(Event, Option<Call>)) -> String {
    let place = call.and_then(|call| call.place());
    place.map_or_else(|| event.name().to_string(), |place| format!("{} {place}", event.name()))
}

impl Sweep {
    fn push(&mut self, event: Event) {
        self.stack.push((event, Call::last()));
    }

    /// The last event, for a call that is the reverse of one of that kind.
    fn pop<T>(&mut self, call: Call, of_kind: impl FnOnce(&Event) -> Option<T>) -> T {
        let event = self.take(call);
        of_kind(&event.0).unwrap_or_else(|| unfit(call, &told(&event)))
    }

    /// The last event, which a call is the reverse of.
    fn take(&mut self, call: Call) -> (Event, Option<Call>) {
        self.stack.pop().unwrap_or_else(|| {
            fail::stop(&format_args!("{call}: the forward sweep has noted no call that this is the reverse of"))
        })
    }

    fn note(&mut self, record: Record) -> u64 {
        let id = self.next;
        self.next += 1;
        self.records.insert(id, record);
        id
    }

    /// Sends what isn't held any more.
    fn release(&mut self) {
        let mut waiting = std::mem::take(&mut self.held);
        // The last posted first: it may be what another waits for.
        while let Some((id, values)) = waiting.pop_last() {
            let Some(record) = self.records.get(&id) else { continue };
            let (call, Some((wire, _))) = (record.call, record.arrived) else { continue };
            let before = self.records.range(id + 1..).any(|(_, later)| {
                !later.sent && later.arrived.is_some_and(|(other, reals)| other == wire && reals > 0)
            });
            if before {
                self.held.insert(id, values);
            } else {
                traffic::post(call, values, wire);
                self.records.entry(id).and_modify(|record| record.sent = true);
            }
        }
    }
}

/// Notes a message that was received at once.
pub(super) fn received(call: Call, buf: Addr, typed: Typed, asked: (Fint, Fint), arrived: (Option<Wire>, usize)) {
    let (typed, arrived, address) = (typed.kept(), Some(arrived), buf as usize);
    with(|sweep| {
        let id = sweep.note(Record {
            call,
            address,
            typed,
            comm: 0,
            asked,
            arrived,
            place: None,
            sent: false,
            start: Start::default(),
        });
        sweep.push(Event::Received(id));
    });
}

/// Notes a receive that was posted. One from nowhere has no request that is told from others.
pub(super) fn posted(call: Call, buf: Addr, typed: Typed, asked: (Fint, Fint), comm: Fint, request: Option<Fint>) {
    let (typed, address) = (typed.kept(), buf as usize);
    let arrived = if request.is_some() { None } else { Some((None, 0)) };
    with(|sweep| {
        let id = sweep.note(Record {
            call,
            address,
            typed,
            comm,
            asked,
            arrived,
            place: None,
            sent: false,
            start: Start::default(),
        });
        sweep.push(Event::Posted(id));
        if let Some(request) = request
            && let Some(other) = sweep.pending.insert(request, id)
        {
            let Some(Record { call: earlier, asked: (source, tag), .. }) = sweep.records.get(&other) else { return };
            fail::stop(&format_args!(
                "{call}: the receive from rank {source} with tag {tag} of {earlier} was completed where its derivative didn't see it"
            ));
        }
    });
}

/// The other end of a message that a receive was posted for.
pub(super) fn awaited(id: u64) -> Option<End> {
    with(|sweep| {
        let record = sweep.records.get(&id).filter(|record| record.arrived.is_none())?;
        Some(End { rank: record.asked.0, tag: record.asked.1, comm: record.comm })
    })
}

/// The receives that requests stand for, in pairs with their positions.
pub(super) fn pending(requests: &[Fint]) -> Vec<(usize, u64)> {
    with(|sweep| {
        let known = |(at, request): (usize, &Fint)| sweep.pending.get(request).map(|id| (at, *id));
        requests.iter().enumerate().filter_map(known).collect()
    })
}

/// What is needed to find out what a receive has got: what it was to get, and its communicator.
pub(super) fn typed(id: u64) -> Option<(Typed, Fint)> {
    with(|sweep| sweep.records.get(&id).map(|record| (record.typed, record.comm)))
}

/// Notes the completion of receives, each with its request, its source and the number of its reals.
pub(super) fn completed(all: &[(Fint, u64, Option<Wire>, usize)]) {
    with(|sweep| {
        if !all.is_empty() {
            // No array of a later message tells more about these.
            let Sweep { unplaced, records, .. } = sweep;
            unplaced.retain(|id| records.get(id).is_some_and(|record| record.place.is_none()));
        }
        for (request, id, wire, reals) in all {
            sweep.pending.remove(request);
            let Some(record) = sweep.records.get_mut(id) else { continue };
            record.arrived = Some((*wire, *reals));
            if record.typed.is_packed() {
                // SAFETY: the message has arrived in the buffer.
                unsafe { packed::know((record.address, record.address + reals)) };
            } else if *reals > 0 {
                sweep.unplaced.push(*id);
            }
        }
        sweep.push(Event::Completed(all.iter().map(|(_, id, ..)| *id).collect()));
    });
}

/// Notes that messages may have arrived in an array of so many elements, if that is known.
pub(super) fn arrived(array: Addr, elements: Option<usize>) {
    with(|sweep| {
        let arrival = Arrival::default();
        let array = Array { address: array as usize, elements, with: arrival.clone() };
        let Sweep { unplaced, records, .. } = sweep;
        unplaced.retain(|id| {
            let Some(record) = records.get_mut(id) else { return false };
            Place::better(&mut record.place, &array, record.address, record.typed.element_bytes());
            !record.place.as_ref().is_some_and(Place::is_certain)
        });
        sweep.push(Event::Arrived(arrival));
    });
}

/// The reverse of [`arrived`].
pub(super) fn arrived_back(adjoint: Addr) {
    with(|sweep| {
        let arrival = sweep.pop(Call::own("costate_mpi_arrived_b"), |event| match event {
            Event::Arrived(arrival) => Some(arrival.clone()),
            _ => None,
        });
        arrival.store(adjoint as usize, Ordering::Relaxed);
    });
}

/// The reverse of [`completed`]: the adjoints of what had arrived go back.
///
/// # Safety
/// The adjoint arrays that were passed since the last call are still there.
pub(super) unsafe fn completed_back(call: Call) {
    with(|sweep| {
        let ids = sweep.pop(call, |event| match event {
            Event::Completed(ids) => Some(ids.clone()),
            _ => None,
        });
        for id in ids {
            let Some(record) = sweep.records.get_mut(&id) else { continue };
            sweep.unplaced.retain(|other| *other != id);
            let reals = record.arrived.map_or(0, |(_, reals)| reals);
            if reals == 0 {
                record.sent = true;
                continue;
            }
            if record.typed.is_packed() {
                sweep.held.insert(id, packed::send_adjoints((record.address, record.address + reals)));
                continue;
            }
            let Some(place) = &record.place else {
                let (call, (source, tag)) = (record.call, record.asked);
                fail::stop(&format_args!(
                    "{call}: a message from rank {source} with tag {tag} has arrived in a buffer of no array that is known"
                ))
            };
            // SAFETY: the address is in the adjoint of the array, as far from its start as the buffer was in the array.
            let values = unsafe { record.adjoints(adjoint(place), reals) };
            sweep.held.insert(id, values);
        }
        sweep.release();
    });
}

/// The reverse of [`posted`]: what had arrived was overwritten.
///
/// # Safety
/// The buffer is the adjoint of the receive's.
pub(super) unsafe fn posted_back(call: Call, buf_b: Addr) {
    let record = with(|sweep| {
        let id = sweep.pop(call, |event| match event {
            Event::Posted(id) => Some(*id),
            _ => None,
        });
        sweep.records.remove(&id)
    });
    let Some(record) = record else { return };
    match record.arrived {
        Some((_, reals)) if record.sent || reals == 0 => {
            // SAFETY: the caller's promise.
            unsafe { record.clear(buf_b, reals) };
            record.typed.release();
        }
        Some(_) => unreversed(&record),
        None => unfinished(&record),
    }
}

/// The reverse of [`received`]: the adjoint of what had arrived goes back, and is zero.
///
/// # Safety
/// As for [`posted_back`].
pub(super) unsafe fn received_back(call: Call, buf_b: Addr) {
    let record = with(|sweep| {
        let id = sweep.pop(call, |event| match event {
            Event::Received(id) => Some(*id),
            _ => None,
        });
        let record = sweep.records.get(&id)?;
        let reals = record.arrived.map_or(0, |(_, reals)| reals);
        if reals > 0 {
            // SAFETY: the caller's promise.
            let values = unsafe { record.adjoints(buf_b, reals) };
            sweep.held.insert(id, values);
            sweep.release();
        }
        let record = sweep.records.remove(&id);
        // Those that waited for this one.
        sweep.release();
        record
    });
    let Some(record) = record else { return };
    // SAFETY: the caller's promise.
    unsafe { record.clear(buf_b, record.arrived.map_or(0, |(_, reals)| reals)) };
    record.typed.release();
}

/// Notes that the program has freed what the backward sweep needs still.
pub(super) fn freed(handle: Handle) {
    with(|sweep| sweep.push(Event::Freed(handle)));
}

/// The reverse of [`freed`]: it is there again, and `remains` until the end of the backward sweep.
pub(super) fn freed_back(call: Call, remains: impl FnOnce(&Handle) -> bool) -> Handle {
    with(|sweep| {
        let handle = sweep.pop(call, |event| match event {
            Event::Freed(handle) => Some(*handle),
            _ => None,
        });
        if remains(&handle) {
            sweep.freed.push(handle);
        }
        handle
    })
}

/// Notes what was done with a packed buffer.
pub(super) fn packing(step: Step) {
    with(|sweep| sweep.push(Event::Packing(step)));
}

/// The reverse of [`packing`], for what is of that kind.
pub(super) fn packing_back(call: Call) -> Step {
    match with(|sweep| sweep.take(call)) {
        (Event::Packing(step), _) => step,
        other => unfit(call, &told(&other)),
    }
}

/// Notes that a persistent request was made, in a variable that had another value before.
pub(super) fn made(before: Fint) {
    with(|sweep| sweep.push(Event::Made(before)));
}

/// The reverse of [`made`].
pub(super) fn made_back(call: Call) -> Fint {
    with(|sweep| {
        sweep.pop(call, |event| match event {
            Event::Made(before) => Some(*before),
            _ => None,
        })
    })
}

/// Stops where a call isn't the reverse of what the forward sweep has done.
pub(super) fn unfit(call: Call, forward: &str) -> ! {
    fail::stop(&format_args!("{call}: forward, {forward} where this is expected to be reversed"))
}

fn unreversed(record: &Record) -> ! {
    let (call, (source, tag)) = (record.call, record.asked);
    fail::stop(&format_args!(
        "{call}: the completion of the receive from rank {source} with tag {tag} was not reversed"
    ))
}

fn unfinished(record: &Record) -> ! {
    let (call, (source, tag)) = (record.call, record.asked);
    fail::stop(&format_args!("{call}: the receive from rank {source} with tag {tag} was never waited for"))
}

/// Stops where the forward sweep has left a receive that nobody has waited for: in the backward sweep the other process would wait
/// for its adjoint.
pub(super) fn check_waited() {
    with(|sweep| {
        let first = sweep.pending.values().min().and_then(|id| sweep.records.get(id));
        if let Some(record) = first {
            unfinished(record);
        }
    });
}

/// The start of a forward sweep.
pub(super) fn open() {
    with(|sweep| sweep.marks.push(sweep.stack.len()));
}

/// True between the start of a forward sweep and the end of its backward sweep.
pub(super) fn is_open() -> bool {
    with(|sweep| !sweep.marks.is_empty())
}

/// The end of a backward sweep. Returns what nothing needs any more.
pub(super) fn close() -> Vec<Handle> {
    with(|sweep| {
        let Some(mark) = sweep.marks.pop() else {
            fail::stop(&"costate_mpi_begin_b: no call of costate_mpi_begin_fwd that this is the reverse of")
        };
        if sweep.stack.len() > mark {
            let what = sweep.stack.last().map(told).unwrap_or_default();
            fail::stop(&format_args!(
                "costate_mpi_begin_b: forward, {what}, which the backward sweep has not reversed"
            ));
        }
        if sweep.stack.len() < mark {
            fail::stop(
                &"costate_mpi_begin_b: the backward sweep has reversed more calls than the forward sweep had noted",
            );
        }
        if sweep.marks.is_empty() { std::mem::take(&mut sweep.freed) } else { Vec::new() }
    })
}
