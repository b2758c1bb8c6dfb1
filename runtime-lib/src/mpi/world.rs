//! Where messages of derivatives go: a duplicate of `MPI_COMM_WORLD`, made once by all processes.
//!
//! Making a communicator is collective and messages aren't, so that there can be none for each communicator of the program.
//! Ranks are translated, and the communicator's processes leave a mark in the tag.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Mutex, OnceLock};

use mpi::ffi;

use super::{Fint, constants, fail, locked};

/// The other end of a message of a derivative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wire {
    /// Rank in `MPI_COMM_WORLD`.
    pub(super) peer: c_int,
    /// The program's tag with the mark of its communicator.
    pub(super) tag: c_int,
}

/// What is kept with a communicator of the program.
struct Members {
    /// Ranks in `MPI_COMM_WORLD`.
    ranks: Vec<c_int>,
    /// A number that communicators of other processes probably don't have.
    mark: c_int,
}

#[derive(Clone, Copy)]
struct World {
    comm: ffi::MPI_Comm,
    keyval: c_int,
    /// What has to be done before the communicator is freed; it is told when.
    settle: fn(&str),
}

// SAFETY: handles of MPI's may be used by any thread that may call MPI.
unsafe impl Send for World {}

static WORLD: Mutex<Option<World>> = Mutex::new(None);

/// The bits of a tag that hold the mark of a communicator.
const MARK_BITS: u32 = 8;

unsafe extern "C" fn forget_members(_: ffi::MPI_Comm, _: c_int, members: *mut c_void, _: *mut c_void) -> c_int {
    // SAFETY: made by `members`, called once for it.
    drop(unsafe { Box::from_raw(members.cast::<Members>()) });
    0
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

/// Makes the communicator of derivatives. The first call is collective over all processes. At the end of MPI messages that are
/// still on their way are settled.
pub(super) fn prepare(settle: fn(&str)) {
    if locked(&WORLD).is_some() {
        return;
    }
    let world = unsafe {
        // SAFETY: MPI runs; the functions are of the types that it asks for, and keep to their contracts.
        let mut world = World { comm: ffi::RSMPI_COMM_NULL, keyval: 0, settle };
        ffi::MPI_Comm_dup(ffi::RSMPI_COMM_WORLD, &mut world.comm);
        ffi::MPI_Comm_create_keyval(Some(inherit_nothing), Some(forget_members), &mut world.keyval, ptr::null_mut());
        let mut end = 0;
        ffi::MPI_Comm_create_keyval(Some(inherit_nothing), Some(at_finalize), &mut end, ptr::null_mut());
        ffi::MPI_Comm_set_attr(ffi::RSMPI_COMM_SELF, end, ptr::null_mut());
        world
    };
    *locked(&WORLD) = Some(world);
}

fn get() -> World {
    locked(&WORLD).unwrap_or_else(|| {
        fail::stop(&"a derivative of a message before costate_mpi_begin_fwd or costate_mpi_begin_d was called")
    })
}

/// The communicator of derivatives.
pub(super) fn comm() -> ffi::MPI_Comm {
    get().comm
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
        own
    })
    .0
}

/// The communicator of a handle, which must be one of one group.
pub(super) fn intracommunicator(name: &str, comm: Fint) -> ffi::MPI_Comm {
    let mut between = 0;
    // SAFETY: the handle is the program's.
    let comm = unsafe {
        let comm = ffi::RSMPI_Comm_f2c(comm);
        ffi::MPI_Comm_test_inter(comm, &mut between);
        comm
    };
    if between != 0 {
        fail::stop(&format_args!("{name}: the derivative isn't known for communicators between groups"));
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
pub(super) fn wire(name: &str, comm: Fint, rank: Fint, tag: Fint) -> Option<Wire> {
    // SAFETY: constants of the bindings.
    if rank == unsafe { ffi::RSMPI_PROC_NULL } {
        return None;
    }
    let world = get();
    let comm = intracommunicator(name, comm);
    // SAFETY: as above.
    let (peer, mark) = if comm == unsafe { ffi::RSMPI_COMM_WORLD } {
        (rank, 0)
    } else {
        let members = members(world, comm);
        // SAFETY: it lives as long as the communicator, which the program uses now.
        let members = unsafe { &*members };
        (members.ranks[super::size(rank)], members.mark)
    };
    // SAFETY: as above.
    if peer == unsafe { ffi::RSMPI_UNDEFINED } {
        fail::stop(&format_args!("{name}: the process of rank {rank} is not one of MPI_COMM_WORLD"));
    }
    let bits = constants::get().largest_tag.saturating_add(1).ilog2().min(30);
    let tag = (tag ^ (mark << (bits - MARK_BITS))) & ((1 << bits) - 1);
    Some(Wire { peer, tag })
}

/// What is kept with a communicator, found at its first use.
fn members(world: World, comm: ffi::MPI_Comm) -> *const Members {
    let mut kept: *mut Members = ptr::null_mut();
    let mut found = 0;
    // SAFETY: the communicator exists; the attribute is a pointer to what this function made.
    unsafe {
        ffi::MPI_Comm_get_attr(comm, world.keyval, (&raw mut kept).cast(), &mut found);
        if found == 0 {
            kept = Box::into_raw(Box::new(find_members(world, comm)));
            ffi::MPI_Comm_set_attr(comm, world.keyval, kept.cast());
        }
    }
    kept
}

fn find_members(world: World, comm: ffi::MPI_Comm) -> Members {
    let (_, size) = place(comm);
    let of_group: Vec<c_int> = (0..super::count(size)).collect();
    let mut ranks = vec![0; size];
    // SAFETY: both communicators exist, and both arrays have as many elements as the group has members.
    unsafe {
        let (mut group, mut all) = (ffi::RSMPI_GROUP_NULL, ffi::RSMPI_GROUP_NULL);
        ffi::MPI_Comm_group(comm, &mut group);
        ffi::MPI_Comm_group(world.comm, &mut all);
        ffi::MPI_Group_translate_ranks(group, super::count(size), of_group.as_ptr(), all, ranks.as_mut_ptr());
        ffi::MPI_Group_free(&mut group);
        ffi::MPI_Group_free(&mut all);
    }
    // FNV-1a; 0 is the mark of MPI_COMM_WORLD.
    let sum = ranks.iter().fold(0x811c_9dc5_u32, |sum, rank| (sum ^ rank.cast_unsigned()).wrapping_mul(0x0100_0193));
    let mark = (sum ^ (sum >> 8) ^ (sum >> 16) ^ (sum >> 24)) & 0xff;
    Members { ranks, mark: mark.max(1).cast_signed() }
}
