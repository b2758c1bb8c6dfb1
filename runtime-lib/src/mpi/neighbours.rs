//! Collective procedures between the neighbours of a topology. Who gets which block is found once for each communicator: every
//! process tells its neighbours which of its blocks they get. Adjoints of blocks go back the same ways.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use mpi::ffi;

use super::data::{Typed, Values};
use super::moves::{adjoints, tangents};
use super::vectors::Blocks;
use super::world::{inherit_nothing, intracommunicator};
use super::{Addr, At, Call, Fint, In, Out, count, fail, fortran, size};

/// The neighbours of this process.
struct Neighbours {
    /// A duplicate of the communicator.
    comm: ffi::MPI_Comm,
    /// Ranks that blocks come from, or `MPI_PROC_NULL`.
    sources: Vec<c_int>,
    /// Which block of its source each one is, for blocks of one size and for others: where two processes have several edges
    /// between them, MPI's procedures may differ.
    blocks: [Vec<c_int>; 2],
    /// Ranks that blocks go to.
    destinations: Vec<c_int>,
}

unsafe extern "C" fn forget(_: ffi::MPI_Comm, _: c_int, neighbours: *mut c_void, _: *mut c_void) -> c_int {
    // SAFETY: made by `find`, called once for it by all processes.
    unsafe {
        let mut neighbours = Box::from_raw(neighbours.cast::<Neighbours>());
        ffi::MPI_Comm_free(&mut neighbours.comm)
    }
}

/// The ranks of a topology that blocks come from and go to, in MPI's order.
pub(super) unsafe fn ranks(call: Call, comm: ffi::MPI_Comm) -> (Vec<c_int>, Vec<c_int>) {
    // SAFETY: the communicator exists; arrays are as long as MPI says that they must be.
    unsafe {
        let mut kind = 0;
        ffi::MPI_Topo_test(comm, &mut kind);
        if kind == ffi::RSMPI_CART {
            let mut dimensions = 0;
            ffi::MPI_Cartdim_get(comm, &mut dimensions);
            let mut all = Vec::new();
            for dimension in 0..dimensions {
                let (mut below, mut above) = (0, 0);
                ffi::MPI_Cart_shift(comm, dimension, 1, &mut below, &mut above);
                all.extend([below, above]);
            }
            (all.clone(), all)
        } else if kind == ffi::RSMPI_GRAPH {
            let (mut rank, mut number) = (0, 0);
            ffi::MPI_Comm_rank(comm, &mut rank);
            ffi::MPI_Graph_neighbors_count(comm, rank, &mut number);
            let mut all = vec![0; size(number)];
            ffi::MPI_Graph_neighbors(comm, rank, number, all.as_mut_ptr());
            (all.clone(), all)
        } else if kind == ffi::RSMPI_DIST_GRAPH {
            let (mut come, mut go, mut weighted) = (0, 0, 0);
            ffi::MPI_Dist_graph_neighbors_count(comm, &mut come, &mut go, &mut weighted);
            let (mut from, mut to) = (vec![0; size(come)], vec![0; size(go)]);
            // Unweighted graphs leave the weights alone.
            let (mut from_weights, mut to_weights) = (from.clone(), to.clone());
            let (from_weight, to_weight) = (from_weights.as_mut_ptr(), to_weights.as_mut_ptr());
            ffi::MPI_Dist_graph_neighbors(comm, come, from.as_mut_ptr(), from_weight, go, to.as_mut_ptr(), to_weight);
            (from, to)
        } else {
            fail::stop(&format_args!("{call}: the communicator has no topology"))
        }
    }
}

impl Neighbours {
    /// The neighbours in a communicator, on all its processes.
    unsafe fn of(call: Call, comm: Fint) -> &'static Self {
        static KEYVAL: OnceLock<c_int> = OnceLock::new();
        // SAFETY: the communicator exists; the attribute is a pointer to what `find` made.
        unsafe {
            let keyval = *KEYVAL.get_or_init(|| {
                let mut keyval = 0;
                ffi::MPI_Comm_create_keyval(Some(inherit_nothing), Some(forget), &mut keyval, ptr::null_mut());
                keyval
            });
            let comm = intracommunicator(call, comm);
            let (mut kept, mut found): (*mut Self, c_int) = (ptr::null_mut(), 0);
            ffi::MPI_Comm_get_attr(comm, keyval, (&raw mut kept).cast(), &mut found);
            if found == 0 {
                kept = Box::into_raw(Box::new(Self::find(call, comm)));
                ffi::MPI_Comm_set_attr(comm, keyval, kept.cast());
            }
            // It lives as long as the communicator, which the program uses now.
            &*kept
        }
    }

    unsafe fn find(call: Call, comm: ffi::MPI_Comm) -> Self {
        // SAFETY: the communicator exists; both arrays have an element for each neighbour.
        unsafe {
            let (sources, destinations) = ranks(call, comm);
            let numbers = |all: &[c_int]| (0..count(all.len())).collect::<Vec<c_int>>();
            let (own, ones) = (numbers(&destinations), vec![1; destinations.len().max(sources.len())]);
            let (starts, ones) = (numbers(&sources), ones.as_ptr());
            let mut blocks = [vec![0; sources.len()], vec![0; sources.len()]];
            let (integer, from) = (ffi::RSMPI_INT32_T, own.as_ptr().cast());
            let [even, listed] = blocks.each_mut().map(|blocks| blocks.as_mut_ptr().cast());
            ffi::MPI_Neighbor_alltoall(from, 1, integer, even, 1, integer, comm);
            let (own_starts, starts) = (own.as_ptr(), starts.as_ptr());
            ffi::MPI_Neighbor_alltoallv(from, ones, own_starts, integer, listed, ones, starts, integer, comm);
            let mut duplicate = ffi::RSMPI_COMM_NULL;
            ffi::MPI_Comm_dup(comm, &mut duplicate);
            Self { comm: duplicate, sources, blocks, destinations }
        }
    }

    /// Sends blocks back to where they came from. Returns those that come back, in the order of the destinations; `expected`
    /// says how many reals each has.
    unsafe fn back(
        &self,
        (come, even): (&[Values], bool),
        single: bool,
        expected: impl Fn(usize) -> usize,
    ) -> Vec<Values> {
        let mut requests = Vec::new();
        let null = |rank: c_int| {
            // SAFETY: a constant of the bindings.
            rank == unsafe { ffi::RSMPI_PROC_NULL }
        };
        let sizes = (0..self.destinations.len()).map(|at| if null(self.destinations[at]) { 0 } else { expected(at) });
        let mut all: Vec<Values> = sizes.map(|reals| Values::zeros(single, reals)).collect();
        // SAFETY: nothing touches the buffers before all messages have arrived.
        unsafe {
            let mut request = ffi::RSMPI_REQUEST_NULL;
            for (at, values) in all.iter_mut().enumerate().filter(|(_, values)| values.len() > 0) {
                let (address, reals, real) = (values.address_mut(), count(values.len()), values.datatype());
                ffi::MPI_Irecv(address, reals, real, self.destinations[at], count(at), self.comm, &mut request);
                requests.push(request);
            }
            let blocks = self.sources.iter().zip(&self.blocks[usize::from(!even)]);
            for (values, (rank, block)) in come.iter().zip(blocks).filter(|(values, _)| values.len() > 0) {
                let (address, reals, real) = (values.address(), count(values.len()), values.datatype());
                ffi::MPI_Isend(address, reals, real, *rank, *block, self.comm, &mut request);
                requests.push(request);
            }
            for request in &mut requests {
                ffi::MPI_Wait(request, ffi::RSMPI_STATUS_IGNORE);
            }
        }
        all
    }

    /// Takes the adjoints of the blocks that were received.
    unsafe fn take(&self, buffer: Addr, blocks: &Blocks) -> Vec<Values> {
        let taken = |(at, rank): (usize, &c_int)| {
            // SAFETY: callers pass buffers that hold the blocks; blocks from nowhere stay.
            unsafe { if *rank == ffi::RSMPI_PROC_NULL { blocks.nothing() } else { blocks.take(buffer, at) } }
        };
        self.sources.iter().enumerate().map(taken).collect()
    }
}

tangents! {
    mpi_neighbor_allgather_ neighbor_allgather costate_mpi_neighbor_allgather_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm];
    mpi_neighbor_allgatherv_ neighbor_allgatherv costate_mpi_neighbor_allgatherv_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In,
        sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, displs: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, comm];
    mpi_neighbor_alltoall_ neighbor_alltoall costate_mpi_neighbor_alltoall_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm];
    mpi_neighbor_alltoallv_ neighbor_alltoallv costate_mpi_neighbor_alltoallv_d(sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, sdispls: In,
        sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm]
        [sendbuf_d, sendcounts, sdispls, sendtype, recvbuf_d, recvcounts, rdispls, recvtype, comm];
}

/// The adjoint of a gathering from neighbours: what comes back from all of them is added.
unsafe fn gather_back(neighbours: &Neighbours, (sent, typed): (Addr, Typed), received: Addr, blocks: &Blocks) {
    // SAFETY: callers pass buffers that hold what they are said to.
    unsafe {
        let come = neighbours.take(received, blocks);
        for values in neighbours.back((&come, true), typed.single, |_| typed.reals()) {
            typed.add(sent, &values);
        }
    }
}

/// The adjoint of an exchange with neighbours: the blocks go back.
unsafe fn exchange_back(
    neighbours: &Neighbours,
    even: bool,
    (sent, go): (Addr, &Blocks),
    (received, blocks): (Addr, &Blocks),
) {
    // SAFETY: as above.
    unsafe {
        let come = neighbours.take(received, blocks);
        let back = neighbours.back((&come, even), go.is_single(), |at| go.reals(at));
        back.iter().enumerate().for_each(|(at, values)| go.add_to(sent, at, values));
    }
}

adjoints! {
    costate_mpi_neighbor_allgather_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, comm: In) call {
        let neighbours = Neighbours::of(call, *comm);
        let blocks = Blocks::even(call, neighbours.sources.len(), recvcount, recvtype);
        gather_back(neighbours, (sendbuf_b, Typed::new(call, sendcount, sendtype)), recvbuf_b, &blocks);
    }
    costate_mpi_neighbor_allgatherv_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, displs: In, recvtype: In, comm: In) call {
        let neighbours = Neighbours::of(call, *comm);
        let blocks = Blocks::listed(call, neighbours.sources.len(), recvcounts, displs, recvtype);
        gather_back(neighbours, (sendbuf_b, Typed::new(call, sendcount, sendtype)), recvbuf_b, &blocks);
    }
    costate_mpi_neighbor_alltoall_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, comm: In) call {
        let neighbours = Neighbours::of(call, *comm);
        let go = Blocks::even(call, neighbours.destinations.len(), sendcount, sendtype);
        let blocks = Blocks::even(call, neighbours.sources.len(), recvcount, recvtype);
        exchange_back(neighbours, true, (sendbuf_b, &go), (recvbuf_b, &blocks));
    }
    costate_mpi_neighbor_alltoallv_b(sendbuf: Addr, sendbuf_b: Addr, sendcounts: In, sdispls: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In) call {
        let neighbours = Neighbours::of(call, *comm);
        let go = Blocks::listed(call, neighbours.destinations.len(), sendcounts, sdispls, sendtype);
        let blocks = Blocks::listed(call, neighbours.sources.len(), recvcounts, rdispls, recvtype);
        exchange_back(neighbours, false, (sendbuf_b, &go), (recvbuf_b, &blocks));
    }
}
