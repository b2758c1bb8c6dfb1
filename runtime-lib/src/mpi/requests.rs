//! Nonblocking messages. A send needs no record: its adjoint is received when the backward sweep reaches the send, in the
//! order in which the other process sends.

use mpi::ffi;

use super::blocking::{check_buffer, send_back, send_too};
use super::data::Typed;
use super::sweep::Handle;
use super::{
    Addr, At, Call, In, Out, elements, fortran, packed, persistent, report, sweep, tangent, traffic, watch, world,
};

macro_rules! sends {
    ($($primal:ident $d:ident $fwd:ident $b:ident)*) => {$(
        /// Sends values and their tangents.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d(
            buf: Addr, buf_d: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, request: Out, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($d), at);
            // SAFETY: the arguments are the program's.
            unsafe {
                send_too(call, buf_d, count, datatype, (dest, tag, comm));
                $fwd(buf, count, datatype, dest, tag, comm, request, ierror, at);
            }
        }

        /// Sends values.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd(
            buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, request: Out, ierror: Out, at: At,
        ) {
            Call::begin(stringify!($fwd), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                fortran::$primal(buf, count, datatype, dest, tag, comm, request, &mut failure);
                report(ierror, failure);
            }
        }

        /// Receives what is added to the adjoint.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $b(
            _buf: Addr, buf_b: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, _request: Out, _ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($b), at);
            // SAFETY: the arguments are the program's.
            unsafe { send_back(call, buf_b, count, datatype, (dest, tag, comm)) };
        }
    )*};
}

sends! {
    mpi_isend_ costate_mpi_isend_d costate_mpi_isend_fwd costate_mpi_isend_b
    mpi_issend_ costate_mpi_issend_d costate_mpi_issend_fwd costate_mpi_issend_b
    mpi_ibsend_ costate_mpi_ibsend_d costate_mpi_ibsend_fwd costate_mpi_ibsend_b
    mpi_irsend_ costate_mpi_irsend_d costate_mpi_irsend_fwd costate_mpi_irsend_b
}

/// Posts a receive of values; that of their tangents follows when it is complete.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_irecv_d(
    buf: Addr,
    buf_d: Addr,
    count: In,
    datatype: In,
    source: In,
    tag: In,
    comm: In,
    request: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_irecv_d", at);
    let mut failure = 0;
    check_buffer(call, buf_d);
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_irecv_(buf, count, datatype, source, tag, comm, request, &mut failure);
        report(ierror, failure);
        if *source != ffi::RSMPI_PROC_NULL {
            tangent::posted(call, buf_d, Typed::new(call, count, datatype), (*source, *tag, *comm), *request);
        }
    }
}

/// Posts a receive of values, and notes it.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_irecv_fwd(
    buf: Addr,
    count: In,
    datatype: In,
    source: In,
    tag: In,
    comm: In,
    request: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_irecv_fwd", at);
    let mut failure = 0;
    check_buffer(call, buf);
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_irecv_(buf, count, datatype, source, tag, comm, request, &mut failure);
        report(ierror, failure);
        let request = (*source != ffi::RSMPI_PROC_NULL).then(|| *request);
        sweep::posted(call, buf, Typed::new(call, count, datatype), (*source, *tag), *comm, request);
    }
}

/// Sets the adjoint of what had arrived to zero; it was sent when the completion was passed.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_irecv_b(
    _buf: Addr,
    buf_b: Addr,
    _count: In,
    _datatype: In,
    _source: In,
    _tag: In,
    _comm: In,
    _request: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_irecv_b", at);
    // SAFETY: the arguments are the program's.
    unsafe { sweep::posted_back(call, buf_b) };
}

/// Nothing: tangents are in their arrays when the wait is over.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_arrived_d(_buf: Addr, _buf_d: Addr, _n: In) {}

/// Notes an array of `n` elements that completed receives may have written to.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_arrived_fwd(buf: Addr, n: In) {
    // SAFETY: the arguments are those of generated code.
    sweep::arrived(buf, unsafe { elements(n) });
}

/// Notes where the adjoint of such an array is.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_arrived_b(_buf: Addr, buf_b: Addr, _n: In) {
    sweep::arrived_back(buf_b);
}

/// The start of a forward sweep, on all processes.
#[unsafe(no_mangle)]
extern "C" fn costate_mpi_begin_fwd() {
    begin();
    sweep::open();
}

/// Messages of derivatives have arrived at the end of MPI.
fn settle(when: &str) {
    traffic::settle(when);
    tangent::check_finished();
}

/// The start of a derivative on all processes.
fn begin() {
    let watched = watch::begin();
    world::prepare(settle);
    drop(watched);
    if !sweep::is_open() {
        world::begin();
        packed::begin();
    }
}

/// The start of a tangent, on all processes.
#[unsafe(no_mangle)]
extern "C" fn costate_mpi_begin_d() {
    begin();
}

/// The end of a backward sweep, on all processes.
#[unsafe(no_mangle)]
extern "C" fn costate_mpi_begin_b() {
    let freed = sweep::close();
    traffic::settle("costate_mpi_begin_b");
    for handle in freed {
        let mut failure = 0;
        // SAFETY: the program has freed it, and no message needs it any more.
        unsafe {
            match handle {
                Handle::Comm(mut comm) => fortran::mpi_comm_free_(&mut comm, &mut failure),
                Handle::Datatype(mut datatype) => fortran::mpi_type_free_(&mut datatype, &mut failure),
                Handle::Request(mut request) => {
                    persistent::forget(request);
                    fortran::mpi_request_free_(&mut request, &mut failure);
                }
            }
        }
    }
}

/// Frees a communicator.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_comm_free_d(comm: Out, ierror: Out, at: At) {
    Call::begin("costate_mpi_comm_free_d", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_comm_free_(comm, &mut failure);
        report(ierror, failure);
    }
}

/// Frees a communicator for the program, but not yet for the backward sweep.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_comm_free_fwd(comm: Out, ierror: Out, _at: At) {
    // SAFETY: the arguments are the program's.
    unsafe {
        sweep::freed(Handle::Comm(*comm));
        *comm = ffi::RSMPI_Comm_c2f(ffi::RSMPI_COMM_NULL);
        report(ierror, 0);
    }
}

/// Gives the program its communicator back; it is freed at the end of the backward sweep.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_comm_free_b(comm: Out, _ierror: Out, at: At) {
    let call = Call::begin("costate_mpi_comm_free_b", at);
    if let Handle::Comm(handle) = sweep::freed_back(call, |_| true) {
        // SAFETY: the arguments are the program's.
        unsafe { *comm = handle };
    }
}

/// Frees a datatype.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_type_free_d(datatype: Out, ierror: Out, at: At) {
    Call::begin("costate_mpi_type_free_d", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_type_free_(datatype, &mut failure);
        report(ierror, failure);
    }
}

/// Frees a datatype for the program, but not yet for the backward sweep.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_type_free_fwd(datatype: Out, ierror: Out, _at: At) {
    // SAFETY: the arguments are the program's.
    unsafe {
        sweep::freed(Handle::Datatype(*datatype));
        *datatype = ffi::RSMPI_Type_c2f(ffi::RSMPI_DATATYPE_NULL);
        report(ierror, 0);
    }
}

/// Gives the program its datatype back; it is freed at the end of the backward sweep.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_type_free_b(datatype: Out, _ierror: Out, at: At) {
    let call = Call::begin("costate_mpi_type_free_b", at);
    if let Handle::Datatype(handle) = sweep::freed_back(call, |_| true) {
        // SAFETY: the arguments are the program's.
        unsafe { *datatype = handle };
    }
}
