//! Messages with packed buffers. The adjoint knows from the forward sweep which buffer it was; of what it is passed it uses
//! nothing.

use mpi::ffi;

use super::data::Typed;
use super::packed::{self, Sent, Step, run};
use super::statuses::{Statuses, origin};
use super::{Addr, At, Call, In, Out, fortran, report, size, sweep, tangent, traffic, world};

/// The tangents of a packed buffer leave, too.
///
/// # Safety
/// The arguments are the program's.
unsafe fn send_too(call: Call, buf: Addr, count: In, (dest, tag, comm): (In, In, In)) {
    // SAFETY: the caller's promise.
    unsafe {
        let buffer = run(buf, 0, size(*count));
        let wire = world::wire(call, *comm, *dest, *tag);
        if buffer.1 > buffer.0 && wire.is_some() {
            traffic::post(call, packed::send_tangents(buffer), wire);
        }
    }
}

/// Notes a packed buffer that is sent.
///
/// # Safety
/// The arguments are the program's.
unsafe fn note_sent(call: Call, buf: Addr, count: In, (dest, tag, comm): (In, In, In)) {
    // SAFETY: the caller's promise.
    unsafe {
        let wire = world::wire(call, *comm, *dest, *tag);
        sweep::packing(Step::Sent(Sent::new(run(buf, 0, size(*count)), wire)));
    }
}

/// The adjoints of a packed buffer that was sent come back.
fn sent_back(call: Call) {
    let sent = match sweep::packing_back(call) {
        Step::Sent(sent) => sent,
        other => sweep::unfit(call, other.name()),
    };
    if sent.run.1 > sent.run.0 && sent.wire.is_some() {
        sent.add(call, &traffic::receive_packed(call, sent.wire));
    }
}

macro_rules! sends {
    ($($primal:ident $d:ident $fwd:ident $b:ident ($($request:ident)?);)*) => {$(
        /// Sends packed values and their tangents.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d(
            buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, $($request: Out,)? ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($d), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                send_too(call, buf, count, (dest, tag, comm));
                fortran::$primal(buf, count, datatype, dest, tag, comm, $($request,)? &mut failure);
                report(ierror, failure);
            }
        }

        /// Sends packed values, and notes that.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd(
            buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, $($request: Out,)? ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($fwd), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                note_sent(call, buf, count, (dest, tag, comm));
                fortran::$primal(buf, count, datatype, dest, tag, comm, $($request,)? &mut failure);
                report(ierror, failure);
            }
        }

        /// Receives what is added to the adjoints.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        extern "C" fn $b(
            buf: Addr, count: In, datatype: In, dest: In, tag: In, comm: In, $($request: Out,)? ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($b), at);
            sent_back(call);
        }
    )*};
}

sends! {
    mpi_send_ costate_mpi_send_packed_d costate_mpi_send_packed_fwd costate_mpi_send_packed_b ();
    mpi_ssend_ costate_mpi_ssend_packed_d costate_mpi_ssend_packed_fwd costate_mpi_ssend_packed_b ();
    mpi_bsend_ costate_mpi_bsend_packed_d costate_mpi_bsend_packed_fwd costate_mpi_bsend_packed_b ();
    mpi_rsend_ costate_mpi_rsend_packed_d costate_mpi_rsend_packed_fwd costate_mpi_rsend_packed_b ();
    mpi_isend_ costate_mpi_isend_packed_d costate_mpi_isend_packed_fwd costate_mpi_isend_packed_b (request);
    mpi_issend_ costate_mpi_issend_packed_d costate_mpi_issend_packed_fwd costate_mpi_issend_packed_b (request);
    mpi_ibsend_ costate_mpi_ibsend_packed_d costate_mpi_ibsend_packed_fwd costate_mpi_ibsend_packed_b (request);
    mpi_irsend_ costate_mpi_irsend_packed_d costate_mpi_irsend_packed_fwd costate_mpi_irsend_packed_b (request);
}

/// Notes a packed message that was received at once.
///
/// # Safety
/// The arguments are the program's; the status is that of the message.
unsafe fn note_received(call: Call, buf: Addr, typed: Typed, (source, tag, comm): (In, In, In), own: &Statuses) {
    // SAFETY: the caller's promise.
    unsafe {
        let (wire, bytes) = origin(call, &typed, *comm, &own.get(0));
        packed::know(run(buf, 0, bytes));
        sweep::received(call, buf, typed, (*source, *tag), (wire, bytes));
    }
}

/// Receives packed values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_recv_packed_d(
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
    let call = Call::begin("costate_mpi_recv_packed_d", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_recv_(buf, count, datatype, source, tag, comm, own.address(), &mut failure);
        own.give(status, 1);
        tangent::receive_now(call, buf, Typed::packed(count, datatype), *comm, &own.get(0));
        report(ierror, failure);
    }
}

/// Receives packed values, and notes where they came from.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_recv_packed_fwd(
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
    let call = Call::begin("costate_mpi_recv_packed_fwd", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_recv_(buf, count, datatype, source, tag, comm, own.address(), &mut failure);
        own.give(status, 1);
        let typed = Typed::packed(count, datatype);
        note_received(call, buf, typed, (source, tag, comm), &own);
        report(ierror, failure);
    }
}

/// Sends the adjoints of what had arrived to where it had come from.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_recv_packed_b(
    buf: Addr,
    _count: In,
    _datatype: In,
    _source: In,
    _tag: In,
    _comm: In,
    _status: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_recv_packed_b", at);
    // SAFETY: the buffer of a packed message isn't used.
    unsafe { sweep::received_back(call, buf) };
}

/// Posts a receive of packed values; that of their tangents follows when it is complete.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_irecv_packed_d(
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
    let call = Call::begin("costate_mpi_irecv_packed_d", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_irecv_(buf, count, datatype, source, tag, comm, request, &mut failure);
        report(ierror, failure);
        if *source != ffi::RSMPI_PROC_NULL {
            tangent::posted(call, buf, Typed::packed(count, datatype), (*source, *tag, *comm), *request);
        }
    }
}

/// Posts a receive of packed values, and notes it.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_irecv_packed_fwd(
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
    let call = Call::begin("costate_mpi_irecv_packed_fwd", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        fortran::mpi_irecv_(buf, count, datatype, source, tag, comm, request, &mut failure);
        report(ierror, failure);
        let request = (*source != ffi::RSMPI_PROC_NULL).then(|| *request);
        let typed = Typed::packed(count, datatype);
        sweep::posted(call, buf, typed, (*source, *tag), *comm, request);
    }
}

/// The reverse of [`costate_mpi_irecv_packed_fwd`]: adjoints were sent when the completion was passed.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_irecv_packed_b(
    buf: Addr,
    _count: In,
    _datatype: In,
    _source: In,
    _tag: In,
    _comm: In,
    _request: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_irecv_packed_b", at);
    // SAFETY: the buffer of a packed message isn't used.
    unsafe { sweep::posted_back(call, buf) };
}

/// The program's arguments of an exchange: what is sent where, and what is received from where.
type Exchange = ((Addr, In, In, In, In), (Addr, In, In, In, In), In);

/// Exchanges packed values.
///
/// # Safety
/// The arguments are the program's.
unsafe fn exchange((sent, received, comm): Exchange, status: Out, ierror: Out) -> Statuses {
    let (mut own, mut failure) = (Statuses::new(1), 0);
    let (sendbuf, sendcount, sendtype, dest, sendtag) = sent;
    let (recvbuf, recvcount, recvtype, source, recvtag) = received;
    // SAFETY: the caller's promise.
    unsafe {
        #[rustfmt::skip]
        fortran::mpi_sendrecv_(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm,
            own.address(), &mut failure,
        );
        own.give(status, 1);
        report(ierror, failure);
    }
    own
}

/// Exchanges packed values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_packed_d(
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
    let call = Call::begin("costate_mpi_sendrecv_packed_d", at);
    let received = (recvbuf, recvcount, recvtype, source, recvtag);
    // SAFETY: the arguments are the program's.
    unsafe {
        send_too(call, sendbuf, sendcount, (dest, sendtag, comm));
        let own = exchange(((sendbuf, sendcount, sendtype, dest, sendtag), received, comm), status, ierror);
        tangent::receive_now(call, recvbuf, Typed::packed(recvcount, recvtype), *comm, &own.get(0));
    }
}

/// Exchanges packed values, and notes where those that came did so from.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_packed_fwd(
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
    let call = Call::begin("costate_mpi_sendrecv_packed_fwd", at);
    let received = (recvbuf, recvcount, recvtype, source, recvtag);
    // SAFETY: the arguments are the program's.
    unsafe {
        note_sent(call, sendbuf, sendcount, (dest, sendtag, comm));
        let own = exchange(((sendbuf, sendcount, sendtype, dest, sendtag), received, comm), status, ierror);
        note_received(call, recvbuf, Typed::packed(recvcount, recvtype), (source, recvtag, comm), &own);
    }
}

/// Exchanges adjoints the other way.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_sendrecv_packed_b(
    _sendbuf: Addr,
    _sendcount: In,
    _sendtype: In,
    _dest: In,
    _sendtag: In,
    recvbuf: Addr,
    _recvcount: In,
    _recvtype: In,
    _source: In,
    _recvtag: In,
    _comm: In,
    _status: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_sendrecv_packed_b", at);
    // SAFETY: the buffer of a packed message isn't used.
    unsafe { sweep::received_back(call, recvbuf) };
    sent_back(call);
}
