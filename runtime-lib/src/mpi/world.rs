//! Where messages of derivatives go: a duplicate of `MPI_COMM_WORLD`, made once by all processes, or of the communicator of those
//! that take part in derivatives ([`costate_mpi_world`]).
//!
//! Making a communicator is collective and messages aren't, so that there is none for a communicator of the program which
//! nobody has told about when it was made ([`costate_mpi_communicator`]). Ranks are translated then, and the communicator's
//! processes leave a mark in the tag. Messages in two communicators of the same processes have no order, and derivatives of
//! one may be taken for those of the other: that is found where a process uses both.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::fmt::{self, Display, Formatter};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use mpi::ffi;

use super::{Call, Fint, In, constants, fail, locked};

/// The other end of a message of a derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wire {
    /// The library's own communicator.
    comm: Fint,
    /// Rank in it.
    pub(super) peer: c_int,
    /// The program's tag, with the mark of its communicator where that has no other one of its own, and with that of the mode.
    pub(super) tag: c_int,
    /// The rank among all processes that take part, and the program's tag, for messages.
    named: (c_int, Fint),
}

impl Display for Wire {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} with tag {}", self.named.0, self.named.1)
    }
}

impl Wire {
    /// The communicator that the message goes through.
    pub(super) fn comm(&self) -> ffi::MPI_Comm {
        // SAFETY: the handle is one of the library's.
        unsafe { ffi::RSMPI_Comm_f2c(self.comm) }
    }
}

/// What is kept with a communicator of the program.
struct Members {
    /// Which one of all this process has seen.
    number: usize,
    /// Ranks among all processes that take part.
    ranks: Vec<c_int>,
    /// A number that communicators of other processes probably don't have.
    mark: c_int,
    /// A duplicate for derivatives.
    own: Option<ffi::MPI_Comm>,
}

#[derive(Clone, Copy)]
struct World {
    comm: ffi::MPI_Comm,
    /// What has to be done before the communicator is freed; it is told when.
    settle: fn(&str),
}

// SAFETY: handles of MPI's may be used by any thread that may call MPI.
unsafe impl Send for World {}

static WORLD: Mutex<Option<World>> = Mutex::new(None);

/// The bits of a tag that hold the mark of a communicator.
const MARK_BITS: u32 = 8;

unsafe extern "C" fn forget_members(_: ffi::MPI_Comm, _: c_int, members: *mut c_void, _: *mut c_void) -> c_int {
    // SAFETY: made by `members`, called once for it, by all processes where there is a duplicate.
    unsafe {
        let members = Box::from_raw(members.cast::<Members>());
        // One that is made later has its messages after those of this one, on all processes.
        locked(&USERS).iter_mut().for_each(|users| users.retain(|_, number| *number != members.number));
        members.own.map_or(0, |mut own| ffi::MPI_Comm_free(&mut own))
    }
}

/// What a duplicate of a communicator inherits: nothing.
pub(super) unsafe extern "C" fn inherit_nothing(
    _: ffi::MPI_Comm,
    _: c_int,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: MPI passes a variable of its own.
    unsafe { *flag = 0 };
    0
}

/// Called when the program ends MPI.
unsafe extern "C" fn at_finalize(_: ffi::MPI_Comm, _: c_int, _: *mut c_void, _: *mut c_void) -> c_int {
    let world = *locked(&WORLD);
    if let Some(mut world) = world {
        (world.settle)("at the end of MPI");
        *locked(&WORLD) = None;
        // SAFETY: MPI still runs, on all processes, and nothing uses the communicator any more.
        unsafe { ffi::MPI_Comm_free(&mut world.comm) };
    }
    0
}

/// The handle of the communicator of all processes that take part in derivatives.
static ALL: Mutex<Option<Fint>> = Mutex::new(None);

/// The communicator of all processes that take part in derivatives.
fn all() -> ffi::MPI_Comm {
    let told = *locked(&ALL);
    // SAFETY: the program has told of it, or MPI runs.
    unsafe { told.map_or(ffi::RSMPI_COMM_WORLD, |comm| ffi::RSMPI_Comm_f2c(comm)) }
}

/// Tells which processes take part in derivatives, where it isn't all: a model beside a server of its output, say. All of them
/// call it, before the first derivative; the communicator lives as long as derivatives are computed.
///
/// # Safety
/// The argument is a communicator.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_world(comm: In) {
    // SAFETY: the caller's promise.
    let comm = unsafe { *comm };
    if locked(&WORLD).is_some() {
        fail::stop(&"costate_mpi_world: derivatives have been computed before");
    }
    *locked(&ALL) = Some(comm);
}

/// Makes the communicator of derivatives. The first call is collective over all processes that take part. At the end of MPI messages that are
/// still on their way are settled.
pub(super) fn prepare(settle: fn(&str)) {
    if locked(&WORLD).is_some() {
        return;
    }
    let world = unsafe {
        // SAFETY: MPI runs; the functions are of the types that it asks for, and keep to their contracts.
        let mut world = World { comm: ffi::RSMPI_COMM_NULL, settle };
        fail::tell_errors(ffi::RSMPI_COMM_WORLD, false);
        ffi::MPI_Comm_dup(all(), &mut world.comm);
        fail::tell_errors(world.comm, true);
        let mut end = 0;
        ffi::MPI_Comm_create_keyval(Some(inherit_nothing), Some(at_finalize), &mut end, ptr::null_mut());
        ffi::MPI_Comm_set_attr(ffi::RSMPI_COMM_SELF, end, ptr::null_mut());
        world
    };
    *locked(&WORLD) = Some(world);
}

fn get(call: Call) -> World {
    locked(&WORLD).unwrap_or_else(|| {
        fail::stop(&format_args!(
            "{call}: a derivative of a message before costate_mpi_begin_fwd or costate_mpi_begin_d was called"
        ))
    })
}

/// A communicator of this process alone, for copies from one datatype to another.
pub(super) fn own() -> ffi::MPI_Comm {
    struct Own(ffi::MPI_Comm);
    // SAFETY: handles of MPI's may be used by any thread that may call MPI.
    unsafe impl Send for Own {}
    unsafe impl Sync for Own {}
    static OWN: OnceLock<Own> = OnceLock::new();
    OWN.get_or_init(|| {
        let mut own = Own(unsafe { ffi::RSMPI_COMM_NULL });
        // SAFETY: MPI runs.
        unsafe { ffi::MPI_Comm_dup(ffi::RSMPI_COMM_SELF, &mut own.0) };
        fail::tell_errors(own.0, true);
        own
    })
    .0
}

/// The communicator of a handle, which must be one of one group.
pub(super) fn intracommunicator(call: Call, comm: Fint) -> ffi::MPI_Comm {
    let mut between = 0;
    // SAFETY: the handle is the program's.
    let comm = unsafe {
        let comm = ffi::RSMPI_Comm_f2c(comm);
        ffi::MPI_Comm_test_inter(comm, &mut between);
        comm
    };
    if between != 0 {
        fail::stop(&format_args!("{call}: the derivative isn't known for communicators between groups"));
    }
    comm
}

/// The rank of this process and the number of processes.
pub(super) fn place(comm: ffi::MPI_Comm) -> (usize, usize) {
    let (mut rank, mut size) = (0, 0);
    // SAFETY: the communicator exists.
    unsafe {
        ffi::MPI_Comm_rank(comm, &mut rank);
        ffi::MPI_Comm_size(comm, &mut size);
    }
    (super::size(rank), super::size(size))
}

/// Where the derivative of a message to or from `rank` goes or comes from, if anywhere.
pub(super) fn wire(call: Call, comm: Fint, rank: Fint, tag: Fint) -> Option<Wire> {
    // SAFETY: constants of the bindings.
    if rank == unsafe { ffi::RSMPI_PROC_NULL } {
        return None;
    }
    // SAFETY: the handle is the library's.
    let shared = unsafe { ffi::RSMPI_Comm_c2f(get(call).comm) };
    let comm = intracommunicator(call, comm);
    let bits = constants::get().largest_tag.saturating_add(1).ilog2().min(30);
    // What is sent in vain in one mode isn't taken for a derivative of the other one.
    let moved = call.is_tangent() && tag < 1 << bits;
    let tag_of_mode = if moved { tag ^ (1 << (bits - MARK_BITS - 1)) } else { tag };
    let (number, peer, mark) = if comm == all() {
        (0, rank, 0)
    } else {
        // SAFETY: it lives as long as the communicator, which the program uses now.
        let members = unsafe { &*members(comm) };
        if let Some(own) = members.own {
            // SAFETY: as above.
            let own = unsafe { ffi::RSMPI_Comm_c2f(own) };
            let named = (members.ranks[super::size(rank)], tag);
            return Some(Wire { comm: own, peer: rank, tag: tag_of_mode, named });
        }
        (members.number, members.ranks[super::size(rank)], members.mark)
    };
    // SAFETY: as above.
    if peer == unsafe { ffi::RSMPI_UNDEFINED } {
        fail::stop(&format_args!(
            "{call}: the process of rank {rank} is not one of those that take part in derivatives"
        ));
    }
    let marked = (tag_of_mode ^ (mark << (bits - MARK_BITS))) & ((1 << bits) - 1);
    let first = *locked(&USERS).get_or_insert_default().entry((peer, marked)).or_insert(number);
    if first != number {
        fail::stop(&format_args!(
            "{call}: this process and rank {peer} pass messages with tag {tag} in two communicators, whose derivatives can't be \
             told apart: call costate_mpi_communicator(comm) for one of them on all its processes where it is made"
        ));
    }
    Some(Wire { comm: shared, peer, tag: marked, named: (peer, tag) })
}

/// Which communicator has been used with a process and a tag in the common one, since the start of the derivative.
static USERS: Mutex<Option<HashMap<(c_int, c_int), usize>>> = Mutex::new(None);

/// Derivatives of all messages so far are received before those that follow: what is used next may be another communicator.
pub(super) fn begin() {
    *locked(&USERS) = None;
}

/// The key of what is kept with a communicator.
fn keyval() -> c_int {
    static KEYVAL: OnceLock<c_int> = OnceLock::new();
    *KEYVAL.get_or_init(|| {
        let mut keyval = 0;
        // SAFETY: MPI runs; the functions are of the types that it asks for, and keep to their contracts.
        unsafe {
            ffi::MPI_Comm_create_keyval(Some(inherit_nothing), Some(forget_members), &mut keyval, ptr::null_mut());
        }
        keyval
    })
}

/// What is kept with a communicator, found at its first use.
fn members(comm: ffi::MPI_Comm) -> *mut Members {
    let mut kept: *mut Members = ptr::null_mut();
    let mut found = 0;
    // SAFETY: the communicator exists; the attribute is a pointer to what this function made.
    unsafe {
        ffi::MPI_Comm_get_attr(comm, keyval(), (&raw mut kept).cast(), &mut found);
        if found == 0 {
            kept = Box::into_raw(Box::new(find_members(comm)));
            ffi::MPI_Comm_set_attr(comm, keyval(), kept.cast());
        }
    }
    kept
}

/// The rank of a process of a communicator among all that take part; none where it isn't one of these.
pub(super) fn rank_of(comm: ffi::MPI_Comm, rank: Fint) -> Option<c_int> {
    let mut between = 0;
    // SAFETY: the communicator exists, and what is kept with it lives as long.
    unsafe {
        ffi::MPI_Comm_test_inter(comm, &mut between);
        if comm == all() || between != 0 {
            return Some(rank);
        }
        usize::try_from(rank).ok().and_then(|rank| {
            let members = &*members(comm);
            members.ranks.get(rank).copied()
        })
    }
}

fn find_members(comm: ffi::MPI_Comm) -> Members {
    static NUMBER: AtomicUsize = AtomicUsize::new(1);
    fail::tell_errors(comm, false);
    let (_, size) = place(comm);
    let of_group: Vec<c_int> = (0..super::count(size)).collect();
    let mut ranks = vec![0; size];
    // SAFETY: both communicators exist, and both arrays have as many elements as the group has members.
    unsafe {
        let (mut group, mut whole) = (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL);
        ffi::MPI_Comm_group(comm, &mut group);
        ffi::MPI_Comm_group(all(), &mut whole);
        ffi::MPI_Group_translate_ranks(group, super::count(size), of_group.as_ptr(), whole, ranks.as_mut_ptr());
        ffi::MPI_Group_free(&mut group);
        ffi::MPI_Group_free(&mut whole);
    }
    // FNV-1a; 0 is the mark of the communicator of all.
    let sum = ranks.iter().fold(0x811c_9dc5_u32, |sum, rank| (sum ^ rank.cast_unsigned()).wrapping_mul(0x0100_0193));
    let mark = (sum ^ (sum >> 8) ^ (sum >> 16) ^ (sum >> 24)) & 0xff;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    Members { number, ranks, mark: mark.max(1).cast_signed(), own: None }
}

/// Gives the derivatives of messages in a communicator one of their own. All its processes call this where it is new, or
/// before messages pass in it.
///
/// # Safety
/// The argument is a communicator, or `MPI_COMM_NULL`.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_communicator(comm: In) {
    let mut between = 0;
    // SAFETY: the caller's promise; what is kept lives as long as the communicator.
    unsafe {
        let comm = ffi::RSMPI_Comm_f2c(*comm);
        if comm == ffi::RSMPI_COMM_NULL || comm == all() {
            return;
        }
        ffi::MPI_Comm_test_inter(comm, &mut between);
        if between != 0 {
            return;
        }
        let members = &mut *members(comm);
        if members.own.is_none() {
            let mut own = ffi::RSMPI_COMM_NULL;
            ffi::MPI_Comm_dup(comm, &mut own);
            fail::tell_errors(own, true);
            members.own = Some(own);
        }
    }
}

/// Nothing: the communicator keeps what the forward sweep gave it.
#[unsafe(no_mangle)]
extern "C" fn costate_mpi_communicator_b(_comm: In) {}

macro_rules! told {
    ($($name:ident)*) => {$(
        /// See [`costate_mpi_communicator`].
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(comm: In) {
            // SAFETY: the caller's promise.
            unsafe { costate_mpi_communicator(comm) };
        }
    )*};
}

told! { costate_mpi_communicator_d costate_mpi_communicator_fwd }
