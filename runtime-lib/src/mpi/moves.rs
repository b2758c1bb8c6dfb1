//! Collective procedures that move values. The tangent is the same procedure once more.

use mpi::ffi;

use super::constants::here;
use super::data::{Typed, Values};
use super::vectors::{Blocks, allgather_back, alltoall_back, gather_back, rooted, scatter_back};
use super::world::{intracommunicator, place};
use super::{Addr, At, Call, In, Out, count, fortran};

/// The procedure for values, as forward sweeps call it, and again for tangents.
macro_rules! tangents {
    ($($primal:ident $own:ident $name:ident ($($argument:ident: $type:ty),*) [$($value:expr),*] [$($tangent:expr),*];)*) => {$(
        /// Moves values and their tangents.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        unsafe extern "C" fn $name($($argument: $type,)* ierror: Out, at: At) {
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                let call = Call::begin(stringify!($name), at);
                $crate::mpi::forward::$own(call, $($value,)* ierror);
                let _watched = $crate::mpi::watch::watch_all(call);
                fortran::$primal($($tangent,)* &mut failure);
            }
        }
    )*};
}

/// Adjoints: their names, their arguments, the name of the call, what they do.
macro_rules! adjoints {
    ($($name:ident ($($argument:ident: $type:ty),*) $call:ident $body:block)*) => {$(
        /// The adjoint of the collective procedure.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        unsafe extern "C" fn $name($($argument: $type,)* ierror: Out, at: At) {
            let $call = Call::begin(stringify!($name), at);
            let _watched = $crate::mpi::watch::watch_all($call);
            // SAFETY: the arguments are the program's.
            unsafe { $body }
        }
    )*};
}
pub(super) use {adjoints, tangents};

tangents! {
    mpi_bcast_ bcast costate_mpi_bcast_d(buffer: Addr, buffer_d: Addr, count: In, datatype: In, root: In, comm: In)
        [buffer, count, datatype, root, comm] [buffer_d, count, datatype, root, comm];
    mpi_gather_ gather costate_mpi_gather_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, root, comm];
    mpi_gather_ gather_in_place costate_mpi_gather_in_place_d(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcount, recvtype, root, comm];
    mpi_gatherv_ gatherv costate_mpi_gatherv_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, displs: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, root, comm];
    mpi_gatherv_ gatherv_in_place costate_mpi_gatherv_in_place_d(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, displs: In, recvtype: In, root: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, root, comm];
    mpi_scatter_ scatter costate_mpi_scatter_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, root, comm];
    mpi_scatter_ scatter_in_place costate_mpi_scatter_in_place_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, here(), recvcount, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, here(), recvcount, recvtype, root, comm];
    mpi_scatterv_ scatterv costate_mpi_scatterv_d(sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, displs: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [sendbuf_d, sendcounts, displs, sendtype, recvbuf_d, recvcount, recvtype, root, comm];
    mpi_scatterv_ scatterv_in_place costate_mpi_scatterv_in_place_d(sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, displs: In, sendtype: In,
        recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcounts, displs, sendtype, here(), recvcount, recvtype, root, comm]
        [sendbuf_d, sendcounts, displs, sendtype, here(), recvcount, recvtype, root, comm];
    mpi_allgather_ allgather costate_mpi_allgather_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm];
    mpi_allgather_ allgather_in_place costate_mpi_allgather_in_place_d(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm];
    mpi_allgatherv_ allgatherv costate_mpi_allgatherv_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, displs: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, comm];
    mpi_allgatherv_ allgatherv_in_place costate_mpi_allgatherv_in_place_d(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, displs: In, recvtype: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, comm];
    mpi_alltoall_ alltoall costate_mpi_alltoall_d(sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm];
    mpi_alltoall_ alltoall_in_place costate_mpi_alltoall_in_place_d(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm];
    mpi_alltoallv_ alltoallv costate_mpi_alltoallv_d(sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, sdispls: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm]
        [sendbuf_d, sendcounts, sdispls, sendtype, recvbuf_d, recvcounts, rdispls, recvtype, comm];
    mpi_alltoallv_ alltoallv_in_place costate_mpi_alltoallv_in_place_d(sendbuf: Addr, sendcounts: In, sdispls: In, sendtype: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [here(), sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm]
        [here(), sendcounts, sdispls, sendtype, recvbuf_d, recvcounts, rdispls, recvtype, comm];
    mpi_alltoallw_ alltoallw costate_mpi_alltoallw_d(sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, sdispls: In, sendtypes: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, rdispls: In, recvtypes: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm]
        [sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf_d, recvcounts, rdispls, recvtypes, comm];
    mpi_alltoallw_ alltoallw_in_place costate_mpi_alltoallw_in_place_d(sendbuf: Addr, sendcounts: In, sdispls: In, sendtypes: In,
        recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, rdispls: In, recvtypes: In, comm: In)
        [here(), sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm]
        [here(), sendcounts, sdispls, sendtypes, recvbuf_d, recvcounts, rdispls, recvtypes, comm];
}

adjoints! {
    costate_mpi_bcast_b(buffer: Addr, buffer_b: Addr, number: In, datatype: In, root: In, comm: In) call {
        let (is_root, comm) = rooted(call, *root, *comm);
        let typed = Typed::new(call, number, datatype);
        let own = typed.read(buffer_b);
        let mut sums = Values::zeros(typed.single, own.len());
        let (reals, to) = (count(own.len()), sums.address_mut());
        ffi::MPI_Reduce(own.address(), to, reals, own.datatype(), ffi::RSMPI_SUM, *root, comm);
        if is_root { typed.write(buffer_b, &sums) } else { typed.clear(buffer_b, own.len()) }
    }
    costate_mpi_gather_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, root: In, comm: In) call {
        let (is_root, comm) = rooted(call, *root, *comm);
        let receive = is_root.then(|| (recvbuf_b, Blocks::even(call, place(comm).1, recvcount, recvtype)));
        gather_back(Some((sendbuf_b, Typed::new(call, sendcount, sendtype))), receive, *root, comm);
    }
    costate_mpi_gather_in_place_b(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, root: In, comm: In) call {
        let (_, comm) = rooted(call, *root, *comm);
        gather_back(None, Some((recvbuf_b, Blocks::even(call, place(comm).1, recvcount, recvtype))), *root, comm);
    }
    costate_mpi_gatherv_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, displs: In, recvtype: In, root: In, comm: In) call {
        let (is_root, comm) = rooted(call, *root, *comm);
        let receive = is_root.then(|| (recvbuf_b, Blocks::listed(call, place(comm).1, recvcounts, displs, recvtype)));
        gather_back(Some((sendbuf_b, Typed::new(call, sendcount, sendtype))), receive, *root, comm);
    }
    costate_mpi_gatherv_in_place_b(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, displs: In, recvtype: In, root: In, comm: In) call {
        let (_, comm) = rooted(call, *root, *comm);
        gather_back(None, Some((recvbuf_b, Blocks::listed(call, place(comm).1, recvcounts, displs, recvtype))), *root, comm);
    }
    costate_mpi_scatter_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, root: In, comm: In) call {
        let (is_root, comm) = rooted(call, *root, *comm);
        let send = is_root.then(|| (sendbuf_b, Blocks::even(call, place(comm).1, sendcount, sendtype)));
        scatter_back(send, Some((recvbuf_b, Typed::new(call, recvcount, recvtype))), *root, comm);
    }
    costate_mpi_scatter_in_place_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In) call {
        let (_, comm) = rooted(call, *root, *comm);
        scatter_back(Some((sendbuf_b, Blocks::even(call, place(comm).1, sendcount, sendtype))), None, *root, comm);
    }
    costate_mpi_scatterv_b(sendbuf: Addr, sendbuf_b: Addr, sendcounts: In, displs: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, root: In, comm: In) call {
        let (is_root, comm) = rooted(call, *root, *comm);
        let send = is_root.then(|| (sendbuf_b, Blocks::listed(call, place(comm).1, sendcounts, displs, sendtype)));
        scatter_back(send, Some((recvbuf_b, Typed::new(call, recvcount, recvtype))), *root, comm);
    }
    costate_mpi_scatterv_in_place_b(sendbuf: Addr, sendbuf_b: Addr, sendcounts: In, displs: In, sendtype: In,
        recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In) call {
        let (_, comm) = rooted(call, *root, *comm);
        scatter_back(Some((sendbuf_b, Blocks::listed(call, place(comm).1, sendcounts, displs, sendtype))), None, *root, comm);
    }
    costate_mpi_allgather_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        let send = Some((sendbuf_b, Typed::new(call, sendcount, sendtype)));
        allgather_back(send, recvbuf_b, &Blocks::even(call, place(comm).1, recvcount, recvtype), comm);
    }
    costate_mpi_allgather_in_place_b(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        allgather_back(None, recvbuf_b, &Blocks::even(call, place(comm).1, recvcount, recvtype), comm);
    }
    costate_mpi_allgatherv_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, displs: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        let send = Some((sendbuf_b, Typed::new(call, sendcount, sendtype)));
        allgather_back(send, recvbuf_b, &Blocks::listed(call, place(comm).1, recvcounts, displs, recvtype), comm);
    }
    costate_mpi_allgatherv_in_place_b(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, displs: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        allgather_back(None, recvbuf_b, &Blocks::listed(call, place(comm).1, recvcounts, displs, recvtype), comm);
    }
    costate_mpi_alltoall_b(sendbuf: Addr, sendbuf_b: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        let send = Some((sendbuf_b, Blocks::even(call, place(comm).1, sendcount, sendtype)));
        alltoall_back(send, recvbuf_b, &Blocks::even(call, place(comm).1, recvcount, recvtype), comm);
    }
    costate_mpi_alltoall_in_place_b(sendbuf: Addr, sendcount: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcount: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        alltoall_back(None, recvbuf_b, &Blocks::even(call, place(comm).1, recvcount, recvtype), comm);
    }
    costate_mpi_alltoallv_b(sendbuf: Addr, sendbuf_b: Addr, sendcounts: In, sdispls: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        let send = Some((sendbuf_b, Blocks::listed(call, place(comm).1, sendcounts, sdispls, sendtype)));
        alltoall_back(send, recvbuf_b, &Blocks::listed(call, place(comm).1, recvcounts, rdispls, recvtype), comm);
    }
    costate_mpi_alltoallv_in_place_b(sendbuf: Addr, sendcounts: In, sdispls: In, sendtype: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        alltoall_back(None, recvbuf_b, &Blocks::listed(call, place(comm).1, recvcounts, rdispls, recvtype), comm);
    }
    costate_mpi_alltoallw_b(sendbuf: Addr, sendbuf_b: Addr, sendcounts: In, sdispls: In, sendtypes: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, rdispls: In, recvtypes: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        let send = Some((sendbuf_b, Blocks::of_types(call, place(comm).1, sendcounts, sdispls, sendtypes)));
        alltoall_back(send, recvbuf_b, &Blocks::of_types(call, place(comm).1, recvcounts, rdispls, recvtypes), comm);
    }
    costate_mpi_alltoallw_in_place_b(sendbuf: Addr, sendcounts: In, sdispls: In, sendtypes: In,
        recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, rdispls: In, recvtypes: In, comm: In) call {
        let comm = intracommunicator(call, *comm);
        alltoall_back(None, recvbuf_b, &Blocks::of_types(call, place(comm).1, recvcounts, rdispls, recvtypes), comm);
    }
}
