//! Blocking messages.

use super::data::Typed;
use super::statuses::{Statuses, origin};
use super::watch::{End, Watched, watch};
use super::{Addr, At, Call, In, Out, constants, fail, fortran, report, sweep, tangent, traffic, world};

/// A buffer that has an address of its own.
pub(super) fn check_buffer(call: Call, buf: Addr) {
    if constants::get().is_bottom(buf) {
        fail::stop(&format_args!("{call}: the derivative isn't known for MPI_BOTTOM"));
    }
}

/// A call that waits for a message.
///
/// # Safety
/// The arguments are the program's.
pub(super) unsafe fn awaits(call: Call, (rank, tag, comm): (In, In, In)) -> Option<Watched> {
    // SAFETY: the caller's promise.
    let (rank, tag, comm) = unsafe { (*rank, *tag, *comm) };
    watch(call, || format!("a message from {}", End { rank, tag, comm }))
}

/// A call that waits for others to receive its message.
///
/// # Safety
/// The arguments are the program's.
unsafe fn leaves(call: Call, (rank, tag, comm): (In, In, In)) -> Option<Watched> {
    // SAFETY: the caller's promise.
    let (rank, tag, comm) = unsafe { (*rank, *tag, *comm) };
    watch(call, || format!("its message to {} to be received", End { rank, tag, comm }))
}

/// Starts the message of a derivative beside that of the value.
///
/// # Safety
/// The arguments are the program's.
pub(super) unsafe fn send_too(call: Call, buf_d: Addr, count: In, datatype: In, (dest, tag, comm): (In, In, In)) {
    check_buffer(call, buf_d);
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(wire) = world::wire(call, *comm, *dest, *tag) {
            traffic::post(call, Typed::new(call, count, datatype).read(buf_d), Some(wire));
        }
    }
}

/// The adjoint of a message sent: what comes back is added.
///
/// # Safety
/// The arguments are the program's.
pub(super) unsafe fn send_back(call: Call, buf_b: Addr, count: In, datatype: In, (dest, tag, comm): (In, In, In)) {
    check_buffer(call, buf_b);
    // SAFETY: the caller's promise.
    unsafe {
        let wire = world::wire(call, *comm, *dest, *tag);
        if wire.is_some() {
            sweep::check_waited();
            let typed = Typed::new(call, count, datatype);
            typed.add(buf_b, &traffic::receive(call, typed.single, typed.reals(), wire));
        }
    }
}

macro_rules! sends {
    ($($primal:ident $d:ident $fwd:ident $b:ident)*) => {$(
        /// Sends values.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd(
            buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($fwd), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                let _watched = leaves(call, (dest, tag, comm));
                fortran::$primal(buf, count, datatype, dest, tag, comm, &mut failure);
                report(ierror, failure);
            }
        }

        /// Sends values and their tangents.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d(
            buf: Addr, buf_d: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($d), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                send_too(call, buf_d, count, datatype, (dest, tag, comm));
                let _watched = leaves(call, (dest, tag, comm));
                fortran::$primal(buf, count, datatype, dest, tag, comm, &mut failure);
                report(ierror, failure);
            }
        }

        /// Receives what is added to the adjoint.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $b(
            _buf: Addr, buf_b: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, _ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($b), at);
            // SAFETY: the arguments are the program's.
            unsafe { send_back(call, buf_b, count, datatype, (dest, tag, comm)) };
        }
    )*};
}

sends! {
    mpi_send_ costate_mpi_send_d costate_mpi_send_fwd costate_mpi_send_b
    mpi_ssend_ costate_mpi_ssend_d costate_mpi_ssend_fwd costate_mpi_ssend_b
    mpi_bsend_ costate_mpi_bsend_d costate_mpi_bsend_fwd costate_mpi_bsend_b
    mpi_rsend_ costate_mpi_rsend_d costate_mpi_rsend_fwd costate_mpi_rsend_b
}

/// Receives values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_recv_d(
    buf: Addr,
    buf_d: Addr,
    count: In,
    datatype: In,
    source: In,
    tag: In,
    comm: In,
    status: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_recv_d", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    check_buffer(call, buf_d);
    // SAFETY: the arguments are the program's.
    unsafe {
        let watched = awaits(call, (source, tag, comm));
        fortran::mpi_recv_(buf, count, datatype, source, tag, comm, own.address(), &mut failure);
        drop(watched);
        own.give(status, 1);
        tangent::receive_now(call, buf_d, Typed::new(call, count, datatype), *comm, &own.get(0));
        report(ierror, failure);
    }
}

/// Receives values, and notes where they came from.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_recv_fwd(
    buf: Addr,
    count: In,
    datatype: In,
    source: In,
    tag: In,
    comm: In,
    status: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_recv_fwd", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        let watched = awaits(call, (source, tag, comm));
        fortran::mpi_recv_(buf, count, datatype, source, tag, comm, own.address(), &mut failure);
        drop(watched);
        own.give(status, 1);
        let typed = Typed::new(call, count, datatype);
        sweep::received(call, buf, typed, (*source, *tag), origin(call, &typed, *comm, &own.get(0)));
        report(ierror, failure);
    }
}

/// Sends the adjoint of what had arrived to where it had come from, and sets it to zero.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_recv_b(
    _buf: Addr,
    buf_b: Addr,
    _count: In,
    _datatype: In,
    _source: In,
    _tag: In,
    _comm: In,
    _status: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_recv_b", at);
    check_buffer(call, buf_b);
    // SAFETY: the arguments are the program's.
    unsafe { sweep::received_back(call, buf_b) };
}

/// Exchanges values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_d(
    sendbuf: Addr,
    sendbuf_d: Addr,
    sendcount: In,
    sendtype: In,
    dest: In,
    sendtag: In,
    recvbuf: Addr,
    recvbuf_d: Addr,
    recvcount: In,
    recvtype: In,
    source: In,
    recvtag: In,
    comm: In,
    status: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_sendrecv_d", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        send_too(call, sendbuf_d, sendcount, sendtype, (dest, sendtag, comm));
        let watched = awaits(call, (source, recvtag, comm));
        #[rustfmt::skip]
        fortran::mpi_sendrecv_(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
            own.address(), &mut failure,
        );
        drop(watched);
        own.give(status, 1);
        tangent::receive_now(call, recvbuf_d, Typed::new(call, recvcount, recvtype), *comm, &own.get(0));
        report(ierror, failure);
    }
}

/// Exchanges values, and notes where those that came did so from.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_fwd(
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
    at: At,
) {
    let call = Call::begin("costate_mpi_sendrecv_fwd", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        let watched = awaits(call, (source, recvtag, comm));
        #[rustfmt::skip]
        fortran::mpi_sendrecv_(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
            own.address(), &mut failure,
        );
        drop(watched);
        own.give(status, 1);
        let typed = Typed::new(call, recvcount, recvtype);
        sweep::received(call, recvbuf, typed, (*source, *recvtag), origin(call, &typed, *comm, &own.get(0)));
        report(ierror, failure);
    }
}

/// Exchanges adjoints the other way.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_b(
    _sendbuf: Addr,
    sendbuf_b: Addr,
    sendcount: In,
    sendtype: In,
    dest: In,
    sendtag: In,
    _recvbuf: Addr,
    recvbuf_b: Addr,
    _recvcount: In,
    _recvtype: In,
    _source: In,
    _recvtag: In,
    comm: In,
    _status: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_sendrecv_b", at);
    check_buffer(call, recvbuf_b);
    // SAFETY: the arguments are the program's.
    unsafe {
        sweep::received_back(call, recvbuf_b);
        send_back(call, sendbuf_b, sendcount, sendtype, (dest, sendtag, comm));
    }
}

/// Replaces values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_replace_d(
    buf: Addr,
    buf_d: Addr,
    count: In,
    datatype: In,
    dest: In,
    sendtag: In,
    source: In,
    recvtag: In,
    comm: In,
    status: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_sendrecv_replace_d", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        send_too(call, buf_d, count, datatype, (dest, sendtag, comm));
        let to = own.address();
        let watched = awaits(call, (source, recvtag, comm));
        fortran::mpi_sendrecv_replace_(buf, count, datatype, dest, sendtag, source, recvtag, comm, to, &mut failure);
        drop(watched);
        own.give(status, 1);
        tangent::receive_now(call, buf_d, Typed::new(call, count, datatype), *comm, &own.get(0));
        report(ierror, failure);
    }
}

/// Replaces values, and notes where the new ones came from.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_replace_fwd(
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
    at: At,
) {
    let call = Call::begin("costate_mpi_sendrecv_replace_fwd", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        let to = own.address();
        let watched = awaits(call, (source, recvtag, comm));
        fortran::mpi_sendrecv_replace_(buf, count, datatype, dest, sendtag, source, recvtag, comm, to, &mut failure);
        drop(watched);
        own.give(status, 1);
        let typed = Typed::new(call, count, datatype);
        sweep::received(call, buf, typed, (*source, *recvtag), origin(call, &typed, *comm, &own.get(0)));
        report(ierror, failure);
    }
}

/// Sends the adjoint of what came, which is zero then, and adds what comes for what was sent.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_replace_b(
    _buf: Addr,
    buf_b: Addr,
    count: In,
    datatype: In,
    dest: In,
    sendtag: In,
    _source: In,
    _recvtag: In,
    comm: In,
    _status: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_sendrecv_replace_b", at);
    check_buffer(call, buf_b);
    // SAFETY: the arguments are the program's.
    unsafe {
        sweep::received_back(call, buf_b);
        send_back(call, buf_b, count, datatype, (dest, sendtag, comm));
    }
}
