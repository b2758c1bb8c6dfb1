//! Derivatives of packed buffers. To the program such a buffer is bytes without a type, and has no derivative of its own: the
//! reals that were packed are known here by their addresses, with their tangents going forward and their adjoints going
//! backward.
//!
//! What a program may do to such bytes beside packing and passing them isn't seen. So a copy of them is kept, and what is
//! unpacked or sent must be what was packed or received, byte by byte.

use std::collections::BTreeMap;
use std::slice;
use std::sync::Mutex;

use super::data::{Typed, Values};
use super::world::Wire;
use super::{Addr, Call, Fint, fail, locked};

/// Bytes in memory: addresses from the first to before the second.
pub(super) type Run = (usize, usize);

/// A derivative of a packed real.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Real {
    pub(super) value: f64,
    pub(super) single: bool,
}

/// What is known of packed buffers.
#[derive(Default)]
struct Packed {
    /// What was packed and received, by the addresses where it begins.
    known: BTreeMap<usize, Vec<u8>>,
    tangents: BTreeMap<usize, Real>,
    adjoints: BTreeMap<usize, Real>,
}

static PACKED: Mutex<Option<Packed>> = Mutex::new(None);

fn with<T>(act: impl FnOnce(&mut Packed) -> T) -> T {
    act(locked(&PACKED).get_or_insert_default())
}

/// The content of memory.
///
/// # Safety
/// The program's buffer holds these bytes.
unsafe fn bytes(at: usize, length: usize) -> &'static [u8] {
    if length == 0 {
        return &[];
    }
    // SAFETY: the caller's promise; nobody keeps them.
    unsafe { slice::from_raw_parts(at as *const u8, length) }
}

/// Bytes of a packed real.
fn width(single: bool) -> usize {
    if single { 4 } else { 8 }
}

/// Reals that begin in a run.
fn within(reals: &BTreeMap<usize, Real>, run: Run) -> Vec<(usize, Real)> {
    reals.range(run.0..run.1.max(run.0)).map(|(at, real)| (*at, *real)).collect()
}

impl Packed {
    /// Gives up what is known of some bytes.
    fn forget(&mut self, (from, to): Run) {
        // They don't overlap each other, so that those before end before.
        let reaches = |(at, kept): &(&usize, &Vec<u8>)| **at + kept.len() > from;
        let overlapping: Vec<usize> = self.known.range(..to).rev().take_while(reaches).map(|(at, _)| *at).collect();
        for at in overlapping {
            let Some(mut old) = self.known.remove(&at) else { continue };
            let end = at + old.len();
            if end > to {
                self.known.insert(to, old.split_off(to - at));
            }
            if at < from {
                old.truncate(from - at);
                self.known.insert(at, old);
            }
        }
        let first = from.saturating_sub(width(false) - 1);
        for (at, real) in within(&self.tangents, (first, to)) {
            if at + width(real.single) > from {
                self.tangents.remove(&at);
            }
        }
    }

    /// The parts of some bytes that are what was packed or received there.
    unsafe fn unchanged(&self, (from, to): Run) -> Vec<Run> {
        let mut out: Vec<Run> = Vec::new();
        let before = self.known.range(..from).next_back();
        for (at, kept) in before.into_iter().chain(self.known.range(from..to.max(from))) {
            let (first, end) = ((*at).max(from), (at + kept.len()).min(to));
            if first >= end {
                continue;
            }
            // SAFETY: the caller's promise.
            let now = unsafe { bytes(first, end - first) };
            for (k, _) in now.iter().zip(&kept[first - at..]).enumerate().filter(|(_, (now, kept))| now == kept) {
                match out.last_mut() {
                    Some(run) if run.1 == first + k => run.1 += 1,
                    _ => out.push((first + k, first + k + 1)),
                }
            }
        }
        out
    }
}

/// Forgets all, where a derivative begins.
pub(super) fn begin() {
    *locked(&PACKED) = None;
}

/// Notes what was packed or received.
///
/// # Safety
/// The program's buffer holds these bytes.
pub(super) unsafe fn know(run: Run) {
    with(|packed| {
        packed.forget(run);
        if run.1 > run.0 {
            // SAFETY: the caller's promise.
            packed.known.insert(run.0, unsafe { bytes(run.0, run.1 - run.0).to_vec() });
        }
    });
}

/// The parts of a buffer that are what was packed or received there.
///
/// # Safety
/// As for [`know`].
pub(super) unsafe fn unchanged(run: Run) -> Vec<Run> {
    // SAFETY: the caller's promise.
    with(|packed| unsafe { packed.unchanged(run) })
}

/// Stops where something is unpacked that wasn't packed or received as it is.
///
/// # Safety
/// As for [`know`].
pub(super) unsafe fn check(call: Call, run: Run) {
    // SAFETY: the caller's promise.
    if run.1 > run.0 && unsafe { unchanged(run) } != [run] {
        fail::stop(&format_args!(
            "{call}: what is unpacked isn't what was packed or received in this buffer, where the derivative saw it"
        ));
    }
}

/// Where the reals of a buffer stand that were packed from an address on to another one.
pub(super) fn places(call: Call, typed: &Typed, run: Run) -> impl Iterator<Item = usize> + use<> {
    let (width, reals) = (width(typed.single), typed.reals());
    if run.1 - run.0 != reals * width {
        fail::stop(&format_args!(
            "{call}: {reals} reals take {} bytes in packed form, and derivatives are known where it is that of memory",
            run.1 - run.0
        ));
    }
    (0..reals).map(move |k| run.0 + k * width)
}

/// Keeps tangents of what was packed.
pub(super) fn put_tangents(places: impl Iterator<Item = usize>, values: &Values) {
    let single = values.is_single();
    let reals = values.doubles().into_iter().map(|value| Real { value, single });
    with(|packed| packed.tangents.extend(places.zip(reals)));
}

/// The tangents of what is unpacked.
pub(super) fn tangents(call: Call, places: impl Iterator<Item = usize>, single: bool) -> Values {
    let find = |packed: &Packed, at: usize| packed.tangents.get(&at).filter(|real| real.single == single).copied();
    let found = with(|packed| places.map(|at| find(packed, at).map(|real| real.value)).collect::<Option<Vec<f64>>>());
    Values::from_doubles(single, &found.unwrap_or_else(|| of_another_type(call)))
}

/// Adds adjoints of what was unpacked.
pub(super) fn add_adjoints(call: Call, places: impl Iterator<Item = usize>, values: &Values) {
    let single = values.is_single();
    for (at, value) in places.zip(values.doubles()) {
        add(call, at, Real { value, single });
    }
}

fn add(call: Call, at: usize, more: Real) {
    let fits = with(|packed| {
        let sum = packed.adjoints.entry(at).or_insert(Real { value: 0.0, single: more.single });
        sum.value += more.value;
        sum.single == more.single
    });
    if !fits {
        of_another_type(call);
    }
}

/// The adjoints of what was packed, which are zero then.
pub(super) fn take_adjoints(call: Call, typed: &Typed, run: Run) -> Values {
    let (found, each) = (take(run), width(typed.single));
    let mut values = vec![0.0; typed.reals()];
    for (at, real) in found {
        if real.single != typed.single || !(at - run.0).is_multiple_of(each) {
            of_another_type(call);
        }
        values[(at - run.0) / each] = real.value;
    }
    Values::from_doubles(typed.single, &values)
}

fn of_another_type(call: Call) -> ! {
    fail::stop(&format_args!(
        "{call}: what is unpacked was packed as something else, or where the derivative didn't see it"
    ))
}

/// The adjoints of the reals in some bytes, which are zero then.
fn take(run: Run) -> Vec<(usize, Real)> {
    with(|packed| {
        let found = within(&packed.adjoints, run);
        for (at, _) in &found {
            packed.adjoints.remove(at);
        }
        found
    })
}

/// Bytes of one real in a message: its distance from the start of the buffer, which real it is, its derivative.
const ENTRY: usize = 8 + 4 + 8;

/// A message of derivatives. It has one byte more than its entries, so that no message of reals is as long.
fn message(start: usize, reals: &[(usize, Real)]) -> Values {
    let mut out = vec![0];
    for (at, real) in reals {
        out.extend(((at - start) as u64).to_ne_bytes());
        out.extend(u32::from(real.single).to_ne_bytes());
        out.extend(real.value.to_ne_bytes());
    }
    Values::Packed(out)
}

/// True for a message of derivatives of packed data: those of reals have other lengths.
pub(super) fn is_message(message: &Values) -> bool {
    message.len() % ENTRY == 1
}

/// The reals of a message for a buffer.
fn reals(call: Call, start: usize, message: &Values) -> Vec<(usize, Real)> {
    let Values::Packed(bytes) = message else {
        fail::stop(&format_args!("{call}: a derivative of packed data is none"))
    };
    let entries = bytes.get(1..).unwrap_or_default().chunks_exact(ENTRY);
    let of = |entry: &[u8], from: usize| <[u8; 8]>::try_from(&entry[from..from + 8]).unwrap_or_default();
    let real = |e: &[u8]| {
        let real = Real { value: f64::from_ne_bytes(of(e, 12)), single: e[8..12] != [0; 4] };
        (start + usize::try_from(u64::from_ne_bytes(of(e, 0))).unwrap_or_default(), real)
    };
    entries.map(real).collect()
}

/// The tangents of a packed buffer, as a message.
///
/// # Safety
/// As for [`know`].
pub(super) unsafe fn send_tangents(run: Run) -> Values {
    // SAFETY: the caller's promise.
    let fresh = unsafe { unchanged(run) };
    let mut found = with(|packed| within(&packed.tangents, run));
    found.retain(|(at, real)| fresh.iter().any(|r| r.0 <= *at && at + width(real.single) <= r.1));
    message(run.0, &found)
}

/// Keeps the tangents of a packed buffer that was received.
///
/// # Safety
/// As for [`know`].
pub(super) unsafe fn receive_tangents(call: Call, run: Run, message: &Values) {
    // SAFETY: the caller's promise.
    unsafe { know(run) };
    let found = reals(call, run.0, message);
    with(|packed| packed.tangents.extend(found));
}

/// The adjoints of a packed buffer that was received, as a message; they are zero then.
pub(super) fn send_adjoints(run: Run) -> Values {
    message(run.0, &take(run))
}

/// A packed buffer that was sent, or packed, or unpacked.
pub(super) enum Step {
    Packed(Run, Typed),
    Unpacked(Run, Typed),
    Sent(Sent),
    /// With the root and the communicator.
    Broadcast(Sent, Fint, Fint),
}

impl Step {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Packed(..) => "something was packed",
            Self::Unpacked(..) => "something was unpacked",
            Self::Sent(_) => "a packed buffer was sent",
            Self::Broadcast(..) => "a packed buffer was broadcast",
        }
    }
}

/// A packed buffer that was sent.
pub(super) struct Sent {
    pub(super) run: Run,
    /// What was packed or received in it.
    fresh: Vec<Run>,
    /// Where to.
    pub(super) wire: Option<Wire>,
}

impl Sent {
    /// # Safety
    /// As for [`know`].
    pub(super) unsafe fn new(run: Run, wire: Option<Wire>) -> Self {
        // SAFETY: the caller's promise.
        Self { run, fresh: unsafe { unchanged(run) }, wire }
    }

    /// Adds the adjoints that have come back.
    pub(super) fn add(&self, call: Call, message: &Values) {
        for (at, real) in reals(call, self.run.0, message) {
            let end = at + width(real.single);
            if !self.fresh.iter().any(|run| run.0 <= at && end <= run.1) {
                fail::stop(&format_args!(
                    "{call}: of what others have unpacked this buffer had something that wasn't packed or received in it, where \
                     the derivative saw it"
                ));
            }
            add(call, at, real);
        }
    }
}

/// The bytes of a buffer.
pub(super) fn run(buffer: Addr, from: usize, to: usize) -> Run {
    (buffer as usize + from, buffer as usize + to)
}
