//! Messages that are looked for and then received by their handles.

use mpi::ffi;

use super::blocking::awaits;
use super::data::Typed;
use super::statuses::{Statuses, origin};
use super::{Addr, At, Call, Fint, In, Out, fortran, report, sweep, tangent};

/// True for the handle of a message from nowhere.
fn is_from_nowhere(message: Fint) -> bool {
    // SAFETY: a constant of the bindings.
    message == unsafe { ffi::RSMPI_Message_c2f(ffi::RSMPI_MESSAGE_NO_PROC) }
}

/// MPI's procedure and its derivatives, with what tells whether a message was found.
macro_rules! probes {
    ($($primal:ident $d:ident $fwd:ident $b:ident ($($flag:ident)?);)*) => {$(
        /// Looks for a message.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d(
            source: In, tag: In, comm: In, $($flag: Out,)? message: Out, status: Out, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($d), at);
            let (mut own, mut failure) = (Statuses::new(1), 0);
            // SAFETY: the arguments are the program's.
            unsafe {
                let watched = awaits(call, (source, tag, comm));
                fortran::$primal(source, tag, comm, $($flag,)? message, own.address(), &mut failure);
                drop(watched);
                report(ierror, failure);
                let found = true $(&& *$flag != 0)?;
                if found {
                    own.give(status, 1);
                    if !is_from_nowhere(*message) {
                        tangent::matched(call, *message, *comm, &own.get(0));
                    }
                }
            }
        }

        /// Looks for a message, and notes which one it is.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd(
            source: In, tag: In, comm: In, $($flag: Out,)? message: Out, status: Out, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($fwd), at);
            let (mut own, mut failure) = (Statuses::new(1), 0);
            // SAFETY: the arguments are the program's.
            unsafe {
                let watched = awaits(call, (source, tag, comm));
                fortran::$primal(source, tag, comm, $($flag,)? message, own.address(), &mut failure);
                drop(watched);
                report(ierror, failure);
                let found = true $(&& *$flag != 0)?;
                if found {
                    own.give(status, 1);
                }
                let found = (found && !is_from_nowhere(*message)).then(|| (*message, *comm, (*source, *tag)));
                sweep::matched(call, found);
            }
        }

        /// The reverse of looking for a message.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        extern "C" fn $b(
            source: In, tag: In, comm: In, $($flag: Out,)? message: Out, status: Out, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($b), at);
            sweep::matched_back(call);
        }
    )*};
}

probes! {
    mpi_mprobe_ costate_mpi_mprobe_d costate_mpi_mprobe_fwd costate_mpi_mprobe_b ();
    mpi_improbe_ costate_mpi_improbe_d costate_mpi_improbe_fwd costate_mpi_improbe_b (flag);
}

/// Receives values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_mrecv_d(
    buf: Addr,
    buf_d: Addr,
    count: In,
    datatype: In,
    message: Out,
    status: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_mrecv_d", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        let handle = *message;
        fortran::mpi_mrecv_(buf, count, datatype, message, own.address(), &mut failure);
        own.give(status, 1);
        report(ierror, failure);
        if !is_from_nowhere(handle) {
            tangent::receive_matched(call, handle, buf_d, Typed::new(call, count, datatype), &own.get(0));
        }
    }
}

/// Receives values, and notes where they came from.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_mrecv_fwd(
    buf: Addr,
    count: In,
    datatype: In,
    message: Out,
    status: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_mrecv_fwd", at);
    let (mut own, mut failure) = (Statuses::new(1), 0);
    // SAFETY: the arguments are the program's.
    unsafe {
        let handle = *message;
        fortran::mpi_mrecv_(buf, count, datatype, message, own.address(), &mut failure);
        own.give(status, 1);
        report(ierror, failure);
        let typed = Typed::new(call, count, datatype);
        if is_from_nowhere(handle) {
            sweep::received(call, buf, typed, (ffi::RSMPI_PROC_NULL, 0), (None, 0));
            return;
        }
        let Some(comm) = sweep::comm_of(handle) else { tangent::unseen(call) };
        sweep::received_matched(handle, buf, typed, origin(call, &typed, comm, &own.get(0)));
    }
}

/// Sends the adjoint of what had arrived to where it had come from, and sets it to zero.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_mrecv_b(
    _buf: Addr,
    buf_b: Addr,
    _count: In,
    _datatype: In,
    _message: Out,
    _status: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_mrecv_b", at);
    // SAFETY: the arguments are the program's.
    unsafe { sweep::received_back(call, buf_b) };
}

/// Begins to receive values; their tangents follow.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_imrecv_d(
    buf: Addr,
    buf_d: Addr,
    count: In,
    datatype: In,
    message: Out,
    request: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_imrecv_d", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        let handle = *message;
        fortran::mpi_imrecv_(buf, count, datatype, message, request, &mut failure);
        report(ierror, failure);
        if !is_from_nowhere(handle) {
            tangent::posted_matched(call, handle, buf_d, Typed::new(call, count, datatype), *request);
        }
    }
}

/// Begins to receive values, and notes that.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_imrecv_fwd(
    buf: Addr,
    count: In,
    datatype: In,
    message: Out,
    request: Out,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_imrecv_fwd", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        let handle = *message;
        fortran::mpi_imrecv_(buf, count, datatype, message, request, &mut failure);
        report(ierror, failure);
        let typed = Typed::new(call, count, datatype);
        if is_from_nowhere(handle) {
            sweep::posted(call, buf, typed, (ffi::RSMPI_PROC_NULL, 0), 0, None);
            return;
        }
        if sweep::comm_of(handle).is_none() {
            tangent::unseen(call);
        }
        sweep::posted_matched(handle, buf, typed, *request);
    }
}

/// Sets the adjoint of what had arrived to zero; it was sent when the completion was passed.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_imrecv_b(
    _buf: Addr,
    buf_b: Addr,
    _count: In,
    _datatype: In,
    _message: Out,
    _request: Out,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_imrecv_b", at);
    // SAFETY: the arguments are the program's.
    unsafe { sweep::posted_back(call, buf_b) };
}

/// Receives of what has no derivatives.
macro_rules! passive {
    ($($primal:ident $d:ident $fwd:ident $b:ident;)*) => {$(
        /// Receives.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d(buf: Addr, count: In, datatype: In, message: Out, result: Out, ierror: Out, at: At) {
            Call::begin(stringify!($d), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                tangent::without_derivatives(*message);
                fortran::$primal(buf, count, datatype, message, result, &mut failure);
                report(ierror, failure);
            }
        }

        /// Receives.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd(buf: Addr, count: In, datatype: In, message: Out, result: Out, ierror: Out, at: At) {
            Call::begin(stringify!($fwd), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                sweep::without_derivatives(*message);
                fortran::$primal(buf, count, datatype, message, result, &mut failure);
                report(ierror, failure);
            }
        }

        /// Nothing.
        #[unsafe(no_mangle)]
        extern "C" fn $b(_buf: Addr, _count: In, _datatype: In, _message: Out, _result: Out, _ierror: Out, _at: At) {}
    )*};
}

passive! {
    mpi_mrecv_ costate_mpi_mrecv_passive_d costate_mpi_mrecv_passive_fwd costate_mpi_mrecv_passive_b;
    mpi_imrecv_ costate_mpi_imrecv_passive_d costate_mpi_imrecv_passive_fwd costate_mpi_imrecv_passive_b;
}
