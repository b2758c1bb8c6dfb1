//! The Fortran bindings of MPI.
//!
//! Derivatives that do the primal's work call what the primal would have called, with the addresses that it would have
//! passed: `MPI_STATUS_IGNORE` and its like are known by their addresses, to these procedures only.

mod collective;

use super::{Addr, In, Out};
pub(super) use collective::*;

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
    pub(super) fn mpi_mprobe_(source: In, tag: In, comm: In, message: Out, status: Out, ierror: Out);
    pub(super) fn mpi_improbe_(source: In, tag: In, comm: In, flag: Out, message: Out, status: Out, ierror: Out);
    pub(super) fn mpi_mrecv_(buf: Addr, count: In, datatype: In, message: Out, status: Out, ierror: Out);
    pub(super) fn mpi_imrecv_(buf: Addr, count: In, datatype: In, message: Out, request: Out, ierror: Out);
    #[rustfmt::skip]
    pub(super) fn mpi_pack_(
        inbuf: Addr,
        incount: In,
        datatype: In,
        outbuf: Addr,
        outsize: In,
        position: Out,
        comm: In,
        ierror: Out,
    );
    #[rustfmt::skip]
    pub(super) fn mpi_unpack_(
        inbuf: Addr,
        insize: In,
        position: Out,
        outbuf: Addr,
        outcount: In,
        datatype: In,
        comm: In,
        ierror: Out,
    );
    pub(super) fn mpi_comm_free_(comm: Out, ierror: Out);
    pub(super) fn mpi_type_free_(datatype: Out, ierror: Out);
}
