//! Those of collective procedures.

use crate::mpi::{Addr, In, Out};

unsafe extern "C" {
    pub(in crate::mpi) fn mpi_bcast_(buffer: Addr, count: In, datatype: In, root: In, comm: In, ierror: Out);
    #[rustfmt::skip]
    pub(in crate::mpi) fn mpi_reduce_(
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
    pub(in crate::mpi) fn mpi_allreduce_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        comm: In,
        ierror: Out,
    );
    pub(in crate::mpi) fn mpi_scan_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        comm: In,
        ierror: Out,
    );
    pub(in crate::mpi) fn mpi_exscan_(
        sendbuf: Addr,
        recvbuf: Addr,
        count: In,
        datatype: In,
        op: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(in crate::mpi) fn mpi_reduce_scatter_(
        sendbuf: Addr,
        recvbuf: Addr,
        recvcounts: In,
        datatype: In,
        op: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(in crate::mpi) fn mpi_reduce_scatter_block_(
        sendbuf: Addr,
        recvbuf: Addr,
        recvcount: In,
        datatype: In,
        op: In,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(in crate::mpi) fn mpi_gather_(
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
    pub(in crate::mpi) fn mpi_gatherv_(
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
    pub(in crate::mpi) fn mpi_scatter_(
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
    pub(in crate::mpi) fn mpi_scatterv_(
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
    pub(in crate::mpi) fn mpi_allgather_(
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
    pub(in crate::mpi) fn mpi_allgatherv_(
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
    pub(in crate::mpi) fn mpi_alltoall_(
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
    pub(in crate::mpi) fn mpi_alltoallv_(
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
    pub(in crate::mpi) fn mpi_ibcast_(
        buffer: Addr,
        count: In,
        datatype: In,
        root: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(in crate::mpi) fn mpi_igather_(
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
    pub(in crate::mpi) fn mpi_igatherv_(
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
    pub(in crate::mpi) fn mpi_iscatter_(
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
    pub(in crate::mpi) fn mpi_iscatterv_(
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
    pub(in crate::mpi) fn mpi_iallgather_(
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
    pub(in crate::mpi) fn mpi_iallgatherv_(
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
    pub(in crate::mpi) fn mpi_ialltoall_(
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
    pub(in crate::mpi) fn mpi_ialltoallv_(
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
    pub(in crate::mpi) fn mpi_ialltoallw_(
        sendbuf: Addr,
        sendcounts: In,
        sdispls: In,
        sendtypes: In,
        recvbuf: Addr,
        recvcounts: In,
        rdispls: In,
        recvtypes: In,
        comm: In,
        request: Out,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(in crate::mpi) fn mpi_ireduce_(
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
    pub(in crate::mpi) fn mpi_iallreduce_(
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
    pub(in crate::mpi) fn mpi_iscan_(
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
    pub(in crate::mpi) fn mpi_iexscan_(
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
    pub(in crate::mpi) fn mpi_ireduce_scatter_(
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
    pub(in crate::mpi) fn mpi_ireduce_scatter_block_(
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
    pub(in crate::mpi) fn mpi_neighbor_allgather_(
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
    pub(in crate::mpi) fn mpi_neighbor_allgatherv_(
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
    pub(in crate::mpi) fn mpi_neighbor_alltoall_(
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
    pub(in crate::mpi) fn mpi_neighbor_alltoallv_(
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
    pub(in crate::mpi) fn mpi_ineighbor_allgather_(
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
    pub(in crate::mpi) fn mpi_ineighbor_allgatherv_(
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
    pub(in crate::mpi) fn mpi_ineighbor_alltoall_(
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
    pub(in crate::mpi) fn mpi_ineighbor_alltoallv_(
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
    pub(in crate::mpi) fn mpi_alltoallw_(
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
