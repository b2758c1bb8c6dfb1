//! Nonblocking collective procedures. What they move is in its place when the program waits, and nothing touches it before: the
//! adjoint is that of the blocking procedure, where the call is reversed.

use std::collections::HashMap;
use std::sync::Mutex;

use mpi::ffi;

use super::constants::{Op, here};
use super::{Addr, At, Call, Fint, In, Out, constants, fortran, locked, report};

/// Requests of tangents, by those of the values.
static TANGENTS: Mutex<Option<HashMap<Fint, Fint>>> = Mutex::new(None);

/// Waits for the tangents that belong to completed requests.
pub(super) fn completed(requests: impl Iterator<Item = Fint>) {
    for request in requests {
        let tangent = locked(&TANGENTS).get_or_insert_default().remove(&request);
        if let Some(mut tangent) = tangent {
            let (mut failure, mut status) = (0, vec![0; constants::get().status_size]);
            // SAFETY: the request is the library's own, and all processes have begun what it stands for.
            unsafe { fortran::mpi_wait_(&mut tangent, status.as_mut_ptr(), &mut failure) };
        }
    }
}

/// Whether a tangent is moved as the values are: unless they become one by another operation than a sum.
fn is_linear(op: Option<Fint>) -> bool {
    op.is_none_or(|op| constants::get().op(op) == Some(Op::Sum))
}

/// MPI's procedure, its derivatives and those of the blocking one, their arguments, those for values and for tangents, and the
/// operation.
macro_rules! begun {
    ($($primal:ident $d:ident $b:ident $blocking_d:ident $blocking_b:ident ($($argument:ident: $type:ty),*)
        [$($value:expr),*] [$($tangent:expr),*] $($op:ident in $comm:ident)?;)*) => {$(
        /// Begins to move values and their tangents.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        unsafe extern "C" fn $d($($argument: $type,)* request: Out, ierror: Out, at: At) {
            Call::begin(stringify!($d), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                #[allow(unused_mut, unused_assignments)]
                let mut op: Option<Fint> = None;
                $(op = Some(*$op);)?
                if is_linear(op) {
                    let mut own = 0;
                    fortran::$primal($($tangent,)* &mut own, &mut failure);
                    fortran::$primal($($value,)* request, &mut failure);
                    locked(&TANGENTS).get_or_insert_default().insert(*request, own);
                } else {
                    $blocking_d($($argument,)* &mut failure, at);
                    // A request that completes when the others have come here, as the program's would.
                    #[allow(unused_mut)]
                    let mut own = ffi::RSMPI_REQUEST_NULL;
                    $(ffi::MPI_Ibarrier(ffi::RSMPI_Comm_f2c(*$comm), &mut own);)?
                    *request = ffi::RSMPI_Request_c2f(own);
                }
                report(ierror, failure);
            }
        }

        /// The adjoint of the blocking procedure.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $b($($argument: $type,)* _request: Out, ierror: Out, at: At) {
            // SAFETY: the arguments are the program's.
            unsafe { $blocking_b($($argument,)* ierror, at) };
        }

        unsafe extern "C" {
            fn $blocking_d($($argument: $type,)* ierror: Out, at: At);
            fn $blocking_b($($argument: $type,)* ierror: Out, at: At);
        }
    )*};
}

begun! {
    mpi_ibcast_ costate_mpi_ibcast_d costate_mpi_ibcast_b costate_mpi_bcast_d costate_mpi_bcast_b
        (buffer: Addr, buffer_d: Addr, count: In, datatype: In, root: In, comm: In)
        [buffer, count, datatype, root, comm]
        [buffer_d, count, datatype, root, comm] ;
    mpi_igather_ costate_mpi_igather_d costate_mpi_igather_b costate_mpi_gather_d costate_mpi_gather_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, root, comm] ;
    mpi_igather_ costate_mpi_igather_in_place_d costate_mpi_igather_in_place_b costate_mpi_gather_in_place_d costate_mpi_gather_in_place_b
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In,
        root: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcount, recvtype, root, comm] ;
    mpi_igatherv_ costate_mpi_igatherv_d costate_mpi_igatherv_b costate_mpi_gatherv_d costate_mpi_gatherv_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In,
        displs: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, root, comm] ;
    mpi_igatherv_ costate_mpi_igatherv_in_place_d costate_mpi_igatherv_in_place_b costate_mpi_gatherv_in_place_d costate_mpi_gatherv_in_place_b
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, displs: In,
        recvtype: In, root: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, root, comm] ;
    mpi_iscatter_ costate_mpi_iscatter_d costate_mpi_iscatter_b costate_mpi_scatter_d costate_mpi_scatter_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        recvtype: In, root: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, root, comm] ;
    mpi_iscatter_ costate_mpi_iscatter_in_place_d costate_mpi_iscatter_in_place_b costate_mpi_scatter_in_place_d costate_mpi_scatter_in_place_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvcount: In, recvtype: In,
        root: In, comm: In)
        [sendbuf, sendcount, sendtype, here(), recvcount, recvtype, root, comm]
        [sendbuf_d, sendcount, sendtype, here(), recvcount, recvtype, root, comm] ;
    mpi_iscatterv_ costate_mpi_iscatterv_d costate_mpi_iscatterv_b costate_mpi_scatterv_d costate_mpi_scatterv_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, displs: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr,
        recvcount: In, recvtype: In, root: In, comm: In)
        [sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm]
        [sendbuf_d, sendcounts, displs, sendtype, recvbuf_d, recvcount, recvtype, root, comm] ;
    mpi_iscatterv_ costate_mpi_iscatterv_in_place_d costate_mpi_iscatterv_in_place_b costate_mpi_scatterv_in_place_d costate_mpi_scatterv_in_place_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, displs: In, sendtype: In, recvbuf: Addr, recvcount: In,
        recvtype: In, root: In, comm: In)
        [sendbuf, sendcounts, displs, sendtype, here(), recvcount, recvtype, root, comm]
        [sendbuf_d, sendcounts, displs, sendtype, here(), recvcount, recvtype, root, comm] ;
    mpi_iallgather_ costate_mpi_iallgather_d costate_mpi_iallgather_b costate_mpi_allgather_d costate_mpi_allgather_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm] ;
    mpi_iallgather_ costate_mpi_iallgather_in_place_d costate_mpi_iallgather_in_place_b costate_mpi_allgather_in_place_d costate_mpi_allgather_in_place_b
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In,
        comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm] ;
    mpi_iallgatherv_ costate_mpi_iallgatherv_d costate_mpi_iallgatherv_b costate_mpi_allgatherv_d costate_mpi_allgatherv_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In,
        displs: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, comm] ;
    mpi_iallgatherv_ costate_mpi_iallgatherv_in_place_d costate_mpi_iallgatherv_in_place_b costate_mpi_allgatherv_in_place_d costate_mpi_allgatherv_in_place_b
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, displs: In,
        recvtype: In, comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, comm] ;
    mpi_ialltoall_ costate_mpi_ialltoall_d costate_mpi_ialltoall_b costate_mpi_alltoall_d costate_mpi_alltoall_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm] ;
    mpi_ialltoall_ costate_mpi_ialltoall_in_place_d costate_mpi_ialltoall_in_place_b costate_mpi_alltoall_in_place_d costate_mpi_alltoall_in_place_b
        (sendbuf: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In, recvtype: In,
        comm: In)
        [here(), sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [here(), sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm] ;
    mpi_ialltoallv_ costate_mpi_ialltoallv_d costate_mpi_ialltoallv_b costate_mpi_alltoallv_d costate_mpi_alltoallv_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, sdispls: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr,
        recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm]
        [sendbuf_d, sendcounts, sdispls, sendtype, recvbuf_d, recvcounts, rdispls, recvtype, comm] ;
    mpi_ialltoallv_ costate_mpi_ialltoallv_in_place_d costate_mpi_ialltoallv_in_place_b costate_mpi_alltoallv_in_place_d costate_mpi_alltoallv_in_place_b
        (sendbuf: Addr, sendcounts: In, sdispls: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In,
        rdispls: In, recvtype: In, comm: In)
        [here(), sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm]
        [here(), sendcounts, sdispls, sendtype, recvbuf_d, recvcounts, rdispls, recvtype, comm] ;
    mpi_ialltoallw_ costate_mpi_ialltoallw_d costate_mpi_ialltoallw_b costate_mpi_alltoallw_d costate_mpi_alltoallw_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, sdispls: In, sendtypes: In, recvbuf: Addr, recvbuf_d: Addr,
        recvcounts: In, rdispls: In, recvtypes: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm]
        [sendbuf_d, sendcounts, sdispls, sendtypes, recvbuf_d, recvcounts, rdispls, recvtypes, comm] ;
    mpi_ialltoallw_ costate_mpi_ialltoallw_in_place_d costate_mpi_ialltoallw_in_place_b costate_mpi_alltoallw_in_place_d costate_mpi_alltoallw_in_place_b
        (sendbuf: Addr, sendcounts: In, sdispls: In, sendtypes: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In,
        rdispls: In, recvtypes: In, comm: In)
        [here(), sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm]
        [here(), sendcounts, sdispls, sendtypes, recvbuf_d, recvcounts, rdispls, recvtypes, comm] ;
    mpi_ireduce_ costate_mpi_ireduce_d costate_mpi_ireduce_b costate_mpi_reduce_d costate_mpi_reduce_b
        (sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, root: In,
        comm: In)
        [sendbuf, recvbuf, count, datatype, op, root, comm]
        [sendbuf_d, recvbuf_d, count, datatype, op, root, comm] op in comm;
    mpi_ireduce_ costate_mpi_ireduce_in_place_d costate_mpi_ireduce_in_place_b costate_mpi_reduce_in_place_d costate_mpi_reduce_in_place_b
        (sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, root: In, comm: In)
        [here(), recvbuf, count, datatype, op, root, comm]
        [here(), recvbuf_d, count, datatype, op, root, comm] op in comm;
    mpi_iallreduce_ costate_mpi_iallreduce_d costate_mpi_iallreduce_b costate_mpi_allreduce_d costate_mpi_allreduce_b
        (sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, count, datatype, op, comm]
        [sendbuf_d, recvbuf_d, count, datatype, op, comm] op in comm;
    mpi_iallreduce_ costate_mpi_iallreduce_in_place_d costate_mpi_iallreduce_in_place_b costate_mpi_allreduce_in_place_d costate_mpi_allreduce_in_place_b
        (sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, count, datatype, op, comm]
        [here(), recvbuf_d, count, datatype, op, comm] op in comm;
    mpi_iscan_ costate_mpi_iscan_d costate_mpi_iscan_b costate_mpi_scan_d costate_mpi_scan_b
        (sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, count, datatype, op, comm]
        [sendbuf_d, recvbuf_d, count, datatype, op, comm] op in comm;
    mpi_iscan_ costate_mpi_iscan_in_place_d costate_mpi_iscan_in_place_b costate_mpi_scan_in_place_d costate_mpi_scan_in_place_b
        (sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, count, datatype, op, comm]
        [here(), recvbuf_d, count, datatype, op, comm] op in comm;
    mpi_iexscan_ costate_mpi_iexscan_d costate_mpi_iexscan_b costate_mpi_exscan_d costate_mpi_exscan_b
        (sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, comm: In)
        [sendbuf, recvbuf, count, datatype, op, comm]
        [sendbuf_d, recvbuf_d, count, datatype, op, comm] op in comm;
    mpi_iexscan_ costate_mpi_iexscan_in_place_d costate_mpi_iexscan_in_place_b costate_mpi_exscan_in_place_d costate_mpi_exscan_in_place_b
        (sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, count: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, count, datatype, op, comm]
        [here(), recvbuf_d, count, datatype, op, comm] op in comm;
    mpi_ireduce_scatter_ costate_mpi_ireduce_scatter_d costate_mpi_ireduce_scatter_b costate_mpi_reduce_scatter_d costate_mpi_reduce_scatter_b
        (sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, datatype: In, op: In, comm:
        In)
        [sendbuf, recvbuf, recvcounts, datatype, op, comm]
        [sendbuf_d, recvbuf_d, recvcounts, datatype, op, comm] op in comm;
    mpi_ireduce_scatter_ costate_mpi_ireduce_scatter_in_place_d costate_mpi_ireduce_scatter_in_place_b costate_mpi_reduce_scatter_in_place_d costate_mpi_reduce_scatter_in_place_b
        (sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, recvcounts, datatype, op, comm]
        [here(), recvbuf_d, recvcounts, datatype, op, comm] op in comm;
    mpi_ireduce_scatter_block_ costate_mpi_ireduce_scatter_block_d costate_mpi_ireduce_scatter_block_b costate_mpi_reduce_scatter_block_d costate_mpi_reduce_scatter_block_b
        (sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcount: In, datatype: In, op: In, comm:
        In)
        [sendbuf, recvbuf, recvcount, datatype, op, comm]
        [sendbuf_d, recvbuf_d, recvcount, datatype, op, comm] op in comm;
    mpi_ireduce_scatter_block_ costate_mpi_ireduce_scatter_block_in_place_d costate_mpi_ireduce_scatter_block_in_place_b costate_mpi_reduce_scatter_block_in_place_d costate_mpi_reduce_scatter_block_in_place_b
        (sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcount: In, datatype: In, op: In, comm: In)
        [here(), recvbuf, recvcount, datatype, op, comm]
        [here(), recvbuf_d, recvcount, datatype, op, comm] op in comm;
    mpi_ineighbor_allgather_ costate_mpi_ineighbor_allgather_d costate_mpi_ineighbor_allgather_b costate_mpi_neighbor_allgather_d costate_mpi_neighbor_allgather_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm] ;
    mpi_ineighbor_allgatherv_ costate_mpi_ineighbor_allgatherv_d costate_mpi_ineighbor_allgatherv_b costate_mpi_neighbor_allgatherv_d costate_mpi_neighbor_allgatherv_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In,
        displs: In, recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcounts, displs, recvtype, comm] ;
    mpi_ineighbor_alltoall_ costate_mpi_ineighbor_alltoall_d costate_mpi_ineighbor_alltoall_b costate_mpi_neighbor_alltoall_d costate_mpi_neighbor_alltoall_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcount: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        recvtype: In, comm: In)
        [sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm]
        [sendbuf_d, sendcount, sendtype, recvbuf_d, recvcount, recvtype, comm] ;
    mpi_ineighbor_alltoallv_ costate_mpi_ineighbor_alltoallv_d costate_mpi_ineighbor_alltoallv_b costate_mpi_neighbor_alltoallv_d costate_mpi_neighbor_alltoallv_b
        (sendbuf: Addr, sendbuf_d: Addr, sendcounts: In, sdispls: In, sendtype: In, recvbuf: Addr, recvbuf_d: Addr,
        recvcounts: In, rdispls: In, recvtype: In, comm: In)
        [sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm]
        [sendbuf_d, sendcounts, sdispls, sendtype, recvbuf_d, recvcounts, rdispls, recvtype, comm] ;
}
