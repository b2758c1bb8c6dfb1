//! Adjoints of collective procedures that move values, in terms of blocks, one for each process.

use std::ffi::c_int;

use mpi::ffi;

use super::data::{Typed, Values};
use super::world::{self, place};
use super::{Addr, Call, Fint, In, count, size};

/// A buffer with a block of elements for each process.
pub(super) struct Blocks {
    single: bool,
    /// The elements of each block, and how many bytes behind the start of the buffer it starts.
    list: Vec<(Typed, isize)>,
}

impl Blocks {
    /// So many blocks of one size, one behind the other.
    ///
    /// # Safety
    /// The arguments are those of the program, on a process where they count.
    pub(super) unsafe fn even(call: Call, number: usize, elements: In, datatype: In) -> Self {
        // SAFETY: the caller's promise.
        let (typed, each) = unsafe { (Typed::new(call, elements, datatype), size(*elements)) };
        let list = (0..number).map(|at| (typed, typed.bytes((at * each).cast_signed()))).collect();
        Self { single: typed.single, list }
    }

    /// So many blocks of which each has a size and a place of its own.
    ///
    /// # Safety
    /// As for [`even`](Self::even).
    pub(super) unsafe fn listed(call: Call, number: usize, counts: In, starts: In, datatype: In) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let typed = Typed::of(call, 0, *datatype);
            let block = |at| (typed.with(size(*counts.add(at))), typed.bytes(*starts.add(at) as isize));
            Self { single: typed.single, list: (0..number).map(block).collect() }
        }
    }

    /// The same with starts in bytes and a datatype for each. That of a block without elements may be any.
    ///
    /// # Safety
    /// As for [`even`](Self::even).
    pub(super) unsafe fn of_types(call: Call, number: usize, counts: In, starts: In, datatypes: In) -> Self {
        // SAFETY: the caller's promise.
        unsafe {
            let some = (0..number).filter(|at| *counts.add(*at) > 0);
            let types: Vec<_> =
                some.map(|at| (at, Typed::of(call, size(*counts.add(at)), *datatypes.add(at)))).collect();
            // The others hold no reals of any precision.
            let Some((_, first)) = types.first().copied() else {
                return Self { single: false, list: vec![(Typed::nothing(), 0); number] };
            };
            let mut list = vec![(first.with(0), 0); number];
            types.into_iter().for_each(|(at, typed)| list[at] = (typed, *starts.add(at) as isize));
            Self { single: first.single, list }
        }
    }

    /// The reals of a block.
    pub(super) fn reals(&self, at: usize) -> usize {
        self.list[at].0.reals()
    }

    /// The reals of all blocks and where they start, one behind the other.
    fn layout(&self) -> (Vec<c_int>, Vec<c_int>) {
        let mut starts = Vec::new();
        let mut all = 0;
        let sizes = (0..self.list.len()).map(|at| self.reals(at));
        let sizes = sizes
            .map(|reals| {
                starts.push(count(all));
                all += reals;
                count(reals)
            })
            .collect();
        (sizes, starts)
    }

    fn zeros(&self) -> Values {
        Values::zeros(self.single, (0..self.list.len()).map(|at| self.reals(at)).sum())
    }

    /// A block as a buffer of its own.
    fn block(&self, buffer: Addr, at: usize) -> (Typed, Addr) {
        let (typed, start) = self.list[at];
        (typed, buffer.cast::<u8>().wrapping_offset(start).cast())
    }

    /// The reals of all blocks, one behind the other.
    unsafe fn read(&self, buffer: Addr) -> Values {
        let mut values = Values::zeros(self.single, 0);
        for at in 0..self.list.len() {
            let (typed, address) = self.block(buffer, at);
            // SAFETY: callers pass buffers that hold the blocks.
            values.append(unsafe { typed.read(address) });
        }
        values
    }

    /// Does something with each block and its part of reals that stand one behind the other.
    fn each(&self, buffer: Addr, values: &Values, act: impl Fn(&Typed, Addr, &Values)) {
        let mut from = 0;
        for at in 0..self.list.len() {
            let (typed, address) = self.block(buffer, at);
            act(&typed, address, &values.part(from, typed.reals()));
            from += typed.reals();
        }
    }

    unsafe fn write(&self, buffer: Addr, values: &Values) {
        // SAFETY: callers pass buffers that hold the blocks.
        self.each(buffer, values, |typed, address, part| unsafe { typed.write(address, part) });
    }

    unsafe fn add(&self, buffer: Addr, values: &Values) {
        // SAFETY: as above.
        self.each(buffer, values, |typed, address, part| unsafe { typed.add(address, part) });
    }

    pub(super) fn is_single(&self) -> bool {
        self.single
    }

    /// No reals.
    pub(super) fn nothing(&self) -> Values {
        Values::zeros(self.single, 0)
    }

    /// The reals of a block, which is zero then.
    ///
    /// # Safety
    /// The buffer holds the blocks.
    pub(super) unsafe fn take(&self, buffer: Addr, at: usize) -> Values {
        let (typed, address) = self.block(buffer, at);
        // SAFETY: the caller's promise.
        unsafe {
            let values = typed.read(address);
            typed.clear(address, typed.reals());
            values
        }
    }

    /// Adds reals to a block.
    ///
    /// # Safety
    /// As for [`take`](Self::take).
    pub(super) unsafe fn add_to(&self, buffer: Addr, at: usize, values: &Values) {
        let (typed, address) = self.block(buffer, at);
        // SAFETY: the caller's promise.
        unsafe { typed.add(address, values) };
    }

    /// Sets all blocks to zero but one.
    unsafe fn clear_but(&self, buffer: Addr, kept: Option<usize>) {
        for at in (0..self.list.len()).filter(|at| Some(*at) != kept) {
            let (typed, address) = self.block(buffer, at);
            // SAFETY: as above.
            unsafe { typed.clear(address, typed.reals()) };
        }
    }
}

/// Whether this process is the root, and the communicator.
pub(super) fn rooted(call: Call, root: Fint, comm: Fint) -> (bool, ffi::MPI_Comm) {
    let comm = world::intracommunicator(call, comm);
    (place(comm).0 == size(root), comm)
}

/// The adjoint of a gathering: the root's blocks go to their processes. In place the root has no buffer that it sends, and
/// its own block stays.
pub(super) unsafe fn gather_back(
    send: Option<(Addr, Typed)>,
    receive: Option<(Addr, Blocks)>,
    root: Fint,
    comm: ffi::MPI_Comm,
) {
    let (rank, _) = place(comm);
    // SAFETY: callers pass buffers that hold what they are said to.
    unsafe {
        let all = receive.as_ref().map(|(buffer, blocks)| (blocks.read(*buffer), blocks.layout()));
        let (single, reals) = match (&send, &receive) {
            (Some((_, typed)), _) => (typed.single, typed.reals()),
            (None, Some((_, blocks))) => (blocks.single, blocks.reals(rank)),
            (None, None) => return,
        };
        let mut own = Values::zeros(single, reals);
        let nothing = (Values::zeros(single, 0), (Vec::new(), Vec::new()));
        let (values, (counts, starts)) = all.as_ref().unwrap_or(&nothing);
        let (datatype, number) = (own.datatype(), count(reals));
        let (from, counts, starts, to) = (values.address(), counts.as_ptr(), starts.as_ptr(), own.address_mut());
        ffi::MPI_Scatterv(from, counts, starts, datatype, to, number, datatype, root, comm);
        if let Some((buffer, blocks)) = &receive {
            blocks.clear_but(*buffer, send.is_none().then_some(rank));
        }
        if let Some((buffer, typed)) = send {
            typed.add(buffer, &own);
        }
    }
}

/// The adjoint of a scattering: the processes' blocks go to the root. In place the root has no buffer that it receives in.
pub(super) unsafe fn scatter_back(
    send: Option<(Addr, Blocks)>,
    receive: Option<(Addr, Typed)>,
    root: Fint,
    comm: ffi::MPI_Comm,
) {
    let (rank, _) = place(comm);
    // SAFETY: as above.
    unsafe {
        let own = match (&receive, &send) {
            (Some((buffer, typed)), _) => typed.read(*buffer),
            (None, Some((_, blocks))) => Values::zeros(blocks.single, blocks.reals(rank)),
            (None, None) => return,
        };
        let mut all = send.as_ref().map_or(Values::zeros(own.is_single(), 0), |(_, blocks)| blocks.zeros());
        let (counts, starts) = send.as_ref().map_or((Vec::new(), Vec::new()), |(_, blocks)| blocks.layout());
        let (datatype, number, to) = (own.datatype(), count(own.len()), all.address_mut());
        let (counts, starts) = (counts.as_ptr(), starts.as_ptr());
        ffi::MPI_Gatherv(own.address(), number, datatype, to, counts, starts, datatype, root, comm);
        if let Some((buffer, typed)) = &receive {
            typed.clear(*buffer, typed.reals());
        }
        if let Some((buffer, blocks)) = &send {
            blocks.add(*buffer, &all);
        }
    }
}

/// The adjoint of a gathering on all processes: sums over them go to where the blocks came from.
pub(super) unsafe fn allgather_back(send: Option<(Addr, Typed)>, buffer: Addr, blocks: &Blocks, comm: ffi::MPI_Comm) {
    let (rank, _) = place(comm);
    // SAFETY: as above.
    unsafe {
        let all = blocks.read(buffer);
        let (counts, _) = blocks.layout();
        let mut own = Values::zeros(blocks.single, blocks.reals(rank));
        let (from, to, datatype) = (all.address(), own.address_mut(), all.datatype());
        ffi::MPI_Reduce_scatter(from, to, counts.as_ptr(), datatype, ffi::RSMPI_SUM, comm);
        blocks.clear_but(buffer, None);
        if let Some((buffer, typed)) = send {
            typed.add(buffer, &own);
        } else {
            let (typed, address) = blocks.block(buffer, rank);
            typed.write(address, &own);
        }
    }
}

/// The adjoint of an exchange of all with all: the blocks go back.
pub(super) unsafe fn alltoall_back(send: Option<(Addr, Blocks)>, buffer: Addr, blocks: &Blocks, comm: ffi::MPI_Comm) {
    // SAFETY: as above.
    unsafe {
        let come = blocks.read(buffer);
        let go = send.as_ref().map_or(blocks, |(_, blocks)| blocks);
        let mut back = go.zeros();
        let ((counts, starts), (to_counts, to_starts)) = (blocks.layout(), go.layout());
        let (datatype, from, to) = (come.datatype(), come.address(), back.address_mut());
        let (from_counts, from_starts) = (counts.as_ptr(), starts.as_ptr());
        let (to_counts, to_starts) = (to_counts.as_ptr(), to_starts.as_ptr());
        ffi::MPI_Alltoallv(from, from_counts, from_starts, datatype, to, to_counts, to_starts, datatype, comm);
        match &send {
            Some((to, go)) => {
                blocks.clear_but(buffer, None);
                go.add(*to, &back);
            }
            None => blocks.write(buffer, &back),
        }
    }
}
