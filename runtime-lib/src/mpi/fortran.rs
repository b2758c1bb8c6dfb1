//! The Fortran bindings of MPI.
//!
//! Derivatives that do the primal's work call what the primal would have called, with the addresses that it would have
//! passed: `MPI_STATUS_IGNORE` and its like are known by their addresses, to these procedures only.

use super::{Addr, In, Out};

unsafe extern "C" {
    pub(super) fn mpi_send_(buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, ierror: Out);
    pub(super) fn mpi_ssend_(buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, ierror: Out);
    pub(super) fn mpi_bsend_(buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, ierror: Out);
    pub(super) fn mpi_rsend_(buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, ierror: Out);
    #[rustfmt::skip]
    pub(super) fn mpi_recv_(
        buf: Addr,
        count: In,
        datatype: In,
        source: In,
        tag: In,
        comm: In,
        status: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_sendrecv_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        dest: In,
        sendtag: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        source: In,
        recvtag: In,
        comm: In,
        status: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_sendrecv_replace_(
        buf: Addr,
        count: In,
        datatype: In,
        dest: In,
        sendtag: In,
        source: In,
        recvtag: In,
        comm: In,
        status: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_isend_(
        buf: Addr,
        count: In,
        datatype: In,
        dest: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_issend_(
        buf: Addr,
        count: In,
        datatype: In,
        dest: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ibsend_(
        buf: Addr,
        count: In,
        datatype: In,
        dest: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_irsend_(
        buf: Addr,
        count: In,
        datatype: In,
        dest: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_irecv_(
        buf: Addr,
        count: In,
        datatype: In,
        source: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_send_init_(
        buf: Addr,
        count: In,
        datatype: In,
        peer: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ssend_init_(
        buf: Addr,
        count: In,
        datatype: In,
        peer: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_bsend_init_(
        buf: Addr,
        count: In,
        datatype: In,
        peer: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_rsend_init_(
        buf: Addr,
        count: In,
        datatype: In,
        peer: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_recv_init_(
        buf: Addr,
        count: In,
        datatype: In,
        peer: In,
        tag: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    pub(super) fn mpi_start_(request: Out, ierror: Out);
    pub(super) fn mpi_startall_(count: In, requests: Out, ierror: Out);
    pub(super) fn mpi_request_free_(request: Out, ierror: Out);
    pub(super) fn mpi_wait_(request: Out, status: Out, ierror: Out);
    pub(super) fn mpi_waitall_(count: In, requests: Out, statuses: Out, ierror: Out);
    pub(super) fn mpi_waitany_(count: In, requests: Out, index: Out, status: Out, ierror: Out);
    pub(super) fn mpi_waitsome_(count: In, requests: Out, outcount: Out, indices: Out, statuses: Out, ierror: Out);
    pub(super) fn mpi_test_(request: Out, flag: Out, status: Out, ierror: Out);
    pub(super) fn mpi_testall_(count: In, requests: Out, flag: Out, statuses: Out, ierror: Out);
    pub(super) fn mpi_testany_(count: In, requests: Out, index: Out, flag: Out, status: Out, ierror: Out);
    pub(super) fn mpi_testsome_(count: In, requests: Out, outcount: Out, indices: Out, statuses: Out, ierror: Out);
    pub(super) fn mpi_comm_free_(comm: Out, ierror: Out);
    pub(super) fn mpi_type_free_(datatype: Out, ierror: Out);
    pub(super) fn mpi_bcast_(buffer: Addr, count: In, datatype: In, root: In, comm: In, ierror: Out);
    #[rustfmt::skip]
    pub(super) fn mpi_reduce_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        root: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_allreduce_(sendbuf: Addr, recvbuf: Addr, count: In, datatype: In, op: In, comm: In, ierror: Out);
    pub(super) fn mpi_scan_(sendbuf: Addr, recvbuf: Addr, count: In, datatype: In, op: In, comm: In, ierror: Out);
    pub(super) fn mpi_exscan_(sendbuf: Addr, recvbuf: Addr, count: In, datatype: In, op: In, comm: In, ierror: Out);
    #[rustfmt::skip]
    pub(super) fn mpi_reduce_scatter_(
        sendbuf: Addr,
        recvbuf: Addr,
        recvcounts: In,
        datatype: In,
        op: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_reduce_scatter_block_(
        sendbuf: Addr,
        recvbuf: Addr,
        recvcount: In,
        datatype: In,
        op: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_gather_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        root: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_gatherv_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        displs: In,
        recvtype: In,
        root: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_scatter_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        root: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_scatterv_(
        sendbuf: Addr,
        sendcounts: In,
        displs: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        root: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_allgather_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_allgatherv_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        displs: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_alltoall_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_alltoallv_(
        sendbuf: Addr,
        sendcounts: In,
        sdispls: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        rdispls: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ibcast_(buffer: Addr, count: In, datatype: In, root: In, comm: In, request: Out, ierror: Out);
    #[rustfmt::skip]
    pub(super) fn mpi_igather_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        root: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_igatherv_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        displs: In,
        recvtype: In,
        root: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_iscatter_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        root: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_iscatterv_(
        sendbuf: Addr,
        sendcounts: In,
        displs: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        root: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_iallgather_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_iallgatherv_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        displs: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ialltoall_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ialltoallv_(
        sendbuf: Addr,
        sendcounts: In,
        sdispls: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        rdispls: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ireduce_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        root: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_iallreduce_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_iscan_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_iexscan_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ireduce_scatter_(
        sendbuf: Addr,
        recvbuf: Addr,
        recvcounts: In,
        datatype: In,
        op: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ireduce_scatter_block_(
        sendbuf: Addr,
        recvbuf: Addr,
        recvcount: In,
        datatype: In,
        op: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_neighbor_allgather_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_neighbor_allgatherv_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        displs: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_neighbor_alltoall_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_neighbor_alltoallv_(
        sendbuf: Addr,
        sendcounts: In,
        sdispls: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        rdispls: In,
        recvtype: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ineighbor_allgather_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ineighbor_allgatherv_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        displs: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ineighbor_alltoall_(
        sendbuf: Addr,
        sendcount: In,
        sendtype: In,
        recvbuf: Addr,
        recvcount: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_ineighbor_alltoallv_(
        sendbuf: Addr,
        sendcounts: In,
        sdispls: In,
        sendtype: In,
        recvbuf: Addr,
        recvcounts: In,
        rdispls: In,
        recvtype: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_alltoallw_(
        sendbuf: Addr,
        sendcounts: In,
        sdispls: In,
        sendtypes: In,
        recvbuf: Addr,
        recvcounts: In,
        rdispls: In,
        recvtypes: In,
        comm: In,
        ierror: Out,
    );
}
