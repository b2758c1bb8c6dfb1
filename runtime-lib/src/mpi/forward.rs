//! Collective procedures as forward sweeps call them: MPI's own, of which is known who waits for whom.

use super::constants::here;
use super::meeting::{Terms, meet};
use super::{Addr, At, Call, In, Out, fortran, report};

/// MPI's procedure and its name, those of the library, arguments, what MPI is given, and what the processes have to agree upon.
macro_rules! forwards {
    ($($primal:ident $name:literal $own:ident $fwd:ident ($($argument:ident: $type:ty),*) [$($value:expr),*]
        $comm:ident $terms:expr;)*) => {$(
        /// The procedure, in a call of the library's.
        ///
        /// # Safety
        /// The arguments are the program's.
        #[allow(unused_variables)]
        pub(super) unsafe fn $own(call: Call, $($argument: $type,)* ierror: Out) {
            let mut failure = 0;
            // SAFETY: the caller's promise.
            #[allow(unused_unsafe)]
            unsafe {
                let _watched = meet(call, $name, $comm, $terms);
                fortran::$primal($($value,)* &mut failure);
                report(ierror, failure);
            }
        }

        /// Moves values.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd($($argument: $type,)* ierror: Out, at: At) {
            // SAFETY: the arguments are the program's.
            unsafe { $own(Call::begin(stringify!($fwd), at), $($argument,)* ierror) };
        }
    )*};
}

forwards! {
    mpi_bcast_ c"mpi_bcast" bcast costate_mpi_bcast_fwd
        (buffer: Addr, number: In, datatype: In, root: In, comm: In)
        [buffer, number, datatype, root, comm] comm |_| Terms::alike(number, datatype).root(root);
    mpi_reduce_ c"mpi_reduce" reduce costate_mpi_reduce_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, root: In, comm: In)
        [sendbuf, recvbuf, number, datatype, op, root, comm] comm |_| Terms::reduction(Some(root), op, number, datatype);
    mpi_reduce_ c"mpi_reduce" reduce_in_place costate_mpi_reduce_in_place_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, root: In, comm: In)
        [here(), recvbuf, number, datatype, op, root, comm] comm |_| Terms::reduction(Some(root), op, number, datatype);
    mpi_allreduce_ c"mpi_allreduce" allreduce costate_mpi_allreduce_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, number, datatype, op, comm] comm |_| Terms::reduction(None, op, number, datatype);
    mpi_allreduce_ c"mpi_allreduce" allreduce_in_place costate_mpi_allreduce_in_place_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, number, datatype, op, comm] comm |_| Terms::reduction(None, op, number, datatype);
    mpi_scan_ c"mpi_scan" scan costate_mpi_scan_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, number, datatype, op, comm] comm |_| Terms::reduction(None, op, number, datatype);
    mpi_scan_ c"mpi_scan" scan_in_place costate_mpi_scan_in_place_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, number, datatype, op, comm] comm |_| Terms::reduction(None, op, number, datatype);
    mpi_exscan_ c"mpi_exscan" exscan costate_mpi_exscan_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, number, datatype, op, comm] comm |_| Terms::reduction(None, op, number, datatype);
    mpi_exscan_ c"mpi_exscan" exscan_in_place costate_mpi_exscan_in_place_fwd
        (sendbuf: Addr, recvbuf: Addr, number: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, number, datatype, op, comm] comm |_| Terms::reduction(None, op, number, datatype);
    mpi_reduce_scatter_block_ c"mpi_reduce_scatter_block" reduce_scatter_block costate_mpi_reduce_scatter_block_fwd
        (sendbuf: Addr, recvbuf: Addr, recvcount: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, recvcount, datatype, op, comm] comm |group| Terms::parts(group, (recvcount, true), op, datatype);
    mpi_reduce_scatter_block_ c"mpi_reduce_scatter_block" reduce_scatter_block_in_place costate_mpi_reduce_scatter_block_in_place_fwd
        (sendbuf: Addr, recvbuf: Addr, recvcount: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, recvcount, datatype, op, comm] comm |group| Terms::parts(group, (recvcount, true), op, datatype);
    mpi_reduce_scatter_ c"mpi_reduce_scatter" reduce_scatter costate_mpi_reduce_scatter_fwd
        (sendbuf: Addr, recvbuf: Addr, recvcounts: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, recvcounts, datatype, op, comm] comm |group| Terms::parts(group, (recvcounts, false), op, datatype);
    mpi_reduce_scatter_ c"mpi_reduce_scatter" reduce_scatter_in_place costate_mpi_reduce_scatter_in_place_fwd
        (sendbuf: Addr, recvbuf: Addr, recvcounts: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, recvcounts, datatype, op, comm] comm |group| Terms::parts(group, (recvcounts, false), op, datatype);
    mpi_gather_ c"mpi_gather" gather costate_mpi_gather_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm] comm |group| Terms::blocks(group.to(root, sendcount, sendtype), group.on(root, || group.each(recvcount, recvtype))).root(root);
    mpi_gather_ c"mpi_gather" gather_in_place costate_mpi_gather_in_place_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm] comm |group| Terms::blocks(group.untold(), group.on(root, || group.each(recvcount, recvtype))).root(root);
    mpi_gatherv_ c"mpi_gatherv" gatherv costate_mpi_gatherv_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcounts: In, displs: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm] comm |group| Terms::blocks(group.to(root, sendcount, sendtype), group.on(root, || group.listed(recvcounts, recvtype))).root(root);
    mpi_gatherv_ c"mpi_gatherv" gatherv_in_place costate_mpi_gatherv_in_place_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcounts: In, displs: In, recvtype: In, root: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm] comm |group| Terms::blocks(group.untold(), group.on(root, || group.listed(recvcounts, recvtype))).root(root);
    mpi_scatter_ c"mpi_scatter" scatter costate_mpi_scatter_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm] comm |group| Terms::blocks(group.on(root, || group.each(sendcount, sendtype)), group.to(root, recvcount, recvtype)).root(root);
    mpi_scatter_ c"mpi_scatter" scatter_in_place costate_mpi_scatter_in_place_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, here(), recvcount, recvtype, root, comm] comm |group| Terms::blocks(group.on(root, || group.each(sendcount, sendtype)), group.untold()).root(root);
    mpi_scatterv_ c"mpi_scatterv" scatterv costate_mpi_scatterv_fwd
        (sendbuf: Addr, sendcounts: In, displs: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm] comm |group| Terms::blocks(group.on(root, || group.listed(sendcounts, sendtype)), group.to(root, recvcount, recvtype)).root(root);
    mpi_scatterv_ c"mpi_scatterv" scatterv_in_place costate_mpi_scatterv_in_place_fwd
        (sendbuf: Addr, sendcounts: In, displs: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcounts, displs, sendtype, here(), recvcount, recvtype, root, comm] comm |group| Terms::blocks(group.on(root, || group.listed(sendcounts, sendtype)), group.untold()).root(root);
    mpi_allgather_ c"mpi_allgather" allgather costate_mpi_allgather_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm] comm |group| Terms::blocks(group.each(sendcount, sendtype), group.each(recvcount, recvtype));
    mpi_allgather_ c"mpi_allgather" allgather_in_place costate_mpi_allgather_in_place_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, comm] comm |group| Terms::blocks(group.each(recvcount, recvtype), group.each(recvcount, recvtype));
    mpi_alltoall_ c"mpi_alltoall" alltoall costate_mpi_alltoall_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm] comm |group| Terms::blocks(group.each(sendcount, sendtype), group.each(recvcount, recvtype));
    mpi_alltoall_ c"mpi_alltoall" alltoall_in_place costate_mpi_alltoall_in_place_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, comm] comm |group| Terms::blocks(group.each(recvcount, recvtype), group.each(recvcount, recvtype));
    mpi_allgatherv_ c"mpi_allgatherv" allgatherv costate_mpi_allgatherv_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcounts: In, displs: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm] comm |group| Terms::blocks(group.each(sendcount, sendtype), group.listed(recvcounts, recvtype));
    mpi_allgatherv_ c"mpi_allgatherv" allgatherv_in_place costate_mpi_allgatherv_in_place_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcounts: In, displs: In, recvtype: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm] comm |group| Terms::blocks(group.own(recvcounts, recvtype), group.listed(recvcounts, recvtype));
    mpi_alltoallv_ c"mpi_alltoallv" alltoallv costate_mpi_alltoallv_fwd
        (sendbuf: Addr, sendcounts: In, sdispls: In, sendtype: In, recvbuf: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm] comm |group| Terms::blocks(group.listed(sendcounts, sendtype), group.listed(recvcounts, recvtype));
    mpi_alltoallv_ c"mpi_alltoallv" alltoallv_in_place costate_mpi_alltoallv_in_place_fwd
        (sendbuf: Addr, sendcounts: In, sdispls: In, sendtype: In, recvbuf: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [here(), sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm] comm |group| Terms::blocks(group.listed(recvcounts, recvtype), group.listed(recvcounts, recvtype));
    mpi_alltoallw_ c"mpi_alltoallw" alltoallw costate_mpi_alltoallw_fwd
        (sendbuf: Addr, sendcounts: In, sdispls: In, sendtypes: In, recvbuf: Addr, recvcounts: In, rdispls: In, recvtypes: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm] comm |group| Terms::blocks(group.of_types(sendcounts, sendtypes), group.of_types(recvcounts, recvtypes));
    mpi_alltoallw_ c"mpi_alltoallw" alltoallw_in_place costate_mpi_alltoallw_in_place_fwd
        (sendbuf: Addr, sendcounts: In, sdispls: In, sendtypes: In, recvbuf: Addr, recvcounts: In, rdispls: In, recvtypes: In, comm: In)
        [here(), sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm] comm |group| Terms::blocks(group.of_types(recvcounts, recvtypes), group.of_types(recvcounts, recvtypes));
    mpi_neighbor_allgather_ c"mpi_neighbor_allgather" neighbor_allgather costate_mpi_neighbor_allgather_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm] comm |_| Terms::default();
    mpi_neighbor_alltoall_ c"mpi_neighbor_alltoall" neighbor_alltoall costate_mpi_neighbor_alltoall_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm] comm |_| Terms::default();
    mpi_neighbor_allgatherv_ c"mpi_neighbor_allgatherv" neighbor_allgatherv costate_mpi_neighbor_allgatherv_fwd
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcounts: In, displs: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm] comm |_| Terms::default();
    mpi_neighbor_alltoallv_ c"mpi_neighbor_alltoallv" neighbor_alltoallv costate_mpi_neighbor_alltoallv_fwd
        (sendbuf: Addr, sendcounts: In, sdispls: In, sendtype: In, recvbuf: Addr, recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm] comm |_| Terms::default();
}
