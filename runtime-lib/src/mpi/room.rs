//! How far the blocks of collective calls reach, where other components or variables of a common block lie behind what they begin
//! in: derivatives of these lie elsewhere.

use mpi::ffi;

use super::neighbours::ranks;
use super::world::place;
use super::{At, Call, In, fail, size};

/// The arguments that all of these have: who has blocks (all processes, or those that neighbours receive from, or send to), the
/// only process that has them or -1, the communicator, and for how many elements there is room.
#[derive(Clone, Copy)]
struct Asked {
    of: In,
    root: In,
    comm: In,
    room: In,
}

impl Asked {
    /// Stops where more elements are meant than there is room for; `elements` finds how many, given this process and the number of
    /// blocks.
    ///
    /// # Safety
    /// The arguments are the program's.
    unsafe fn check(self, call: Call, elements: impl FnOnce(usize, usize) -> i64) {
        // SAFETY: the caller's promise.
        let (rank, blocks, room) = unsafe {
            let comm = ffi::RSMPI_Comm_f2c(*self.comm);
            let (rank, processes) = place(comm);
            if *self.root >= 0 && size(*self.root) != rank {
                return;
            }
            let blocks = match *self.of {
                0 => processes,
                1 => ranks(call, comm).0.len(),
                _ => ranks(call, comm).1.len(),
            };
            (rank, blocks, i64::from(*self.room))
        };
        let elements = elements(rank, blocks);
        if elements > room {
            fail::stop(&format_args!(
                "{call}: blocks with {elements} elements go on behind what they begin with, which has {room} from there on"
            ));
        }
    }
}

/// The number at a position of a list.
unsafe fn at(list: In, position: usize) -> i64 {
    // SAFETY: the caller has as many.
    i64::from(unsafe { *list.add(position) })
}

/// What stops where blocks reach too far: name, arguments, and how many elements are meant.
macro_rules! asked {
    ($($name:ident ($($list:ident),*) $elements:expr;)*) => {$(
        /// Stops where blocks go on behind what they begin with.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($list: In,)* of: In, root: In, comm: In, room: In, at: At) {
            let asked = Asked { of, root, comm, room };
            // SAFETY: the arguments are the program's.
            #[allow(unused_unsafe)]
            unsafe { asked.check(Call::begin(stringify!($name), at), $elements) };
        }
    )*};
}

asked! {
    costate_mpi_even (elements) |_, blocks| i64::from(*elements) * i64::try_from(blocks).unwrap_or(i64::MAX);
    costate_mpi_listed (counts, starts) |_, blocks| (0..blocks)
        .map(|block| if at(counts, block) > 0 { at(starts, block) + at(counts, block) } else { 0 })
        .max().unwrap_or_default();
    costate_mpi_summed (counts) |_, blocks| (0..blocks).map(|block| at(counts, block)).sum();
    costate_mpi_own (counts) |rank, _| at(counts, rank);
}
