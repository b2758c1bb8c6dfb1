//! Persistent requests. What they are made for is kept by their handles; each start is a message of its own.

use std::collections::HashMap;
use std::ffi::c_int;
use std::slice;
use std::sync::Mutex;

use mpi::ffi;

use super::blocking::{check_buffer, send_too};
use super::data::Typed;
use super::places::{self, Array};
use super::sweep::{self, Handle, Started};
use super::{Addr, At, Call, Fint, In, Out, fail, fortran, locked, report, size, tangent, world};

/// What a request was made for.
#[derive(Clone, Copy)]
struct Template {
    sends: bool,
    address: usize,
    /// None for messages that have no derivatives.
    typed: Option<Typed>,
    datatype: Fint,
    peer: Fint,
    tag: Fint,
    comm: Fint,
}

/// By their handles.
static TEMPLATES: Mutex<Option<HashMap<Fint, Template>>> = Mutex::new(None);

fn with<T>(act: impl FnOnce(&mut HashMap<Fint, Template>) -> T) -> T {
    act(locked(&TEMPLATES).get_or_insert_default())
}

/// Keeps what a request is made for.
///
/// # Safety
/// The arguments are the program's.
unsafe fn keep(
    call: Call,
    (sends, passive): (bool, bool),
    buf: Addr,
    (count, datatype, peer, tag, comm): (In, In, In, In, In),
    request: Out,
) {
    check_buffer(call, buf);
    // SAFETY: the caller's promise.
    unsafe {
        let typed = (!passive).then(|| Typed::new(call, count, datatype).kept());
        let address = buf as usize;
        let template = Template { sends, address, typed, datatype: *datatype, peer: *peer, tag: *tag, comm: *comm };
        note(*request, template);
    }
}

/// Notes what a request is made for, in place of one with the same handle that is gone.
fn note(request: Fint, template: Template) {
    if let Some(typed) = with(|known| known.insert(request, template)).and_then(|old| old.typed) {
        typed.release();
    }
}

/// Notes what a request is for that the program made by itself.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_made(
    sends: c_int,
    buf: Addr,
    count: In,
    datatype: In,
    peer: In,
    tag: In,
    comm: In,
    request: In,
) {
    // SAFETY: the arguments are the program's, and the request was made.
    unsafe {
        let typed = Typed::of_reals(size(*count), *datatype).map(Typed::kept);
        let address = buf as usize;
        let (peer, tag, comm) = (*peer, *tag, *comm);
        note(*request, Template { sends: sends != 0, address, typed, datatype: *datatype, peer, tag, comm });
    }
}

/// Forgets a request that the program frees.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_unmade(request: In) {
    // SAFETY: the argument is the program's.
    forget(unsafe { *request });
}

/// Forgets what a request was made for.
pub(super) fn forget(request: Fint) {
    if let Some(typed) = with(|known| known.remove(&request)).and_then(|template| template.typed) {
        typed.release();
    }
}

macro_rules! made {
    ($($primal:ident $sends:expr, $passive:expr; $d:ident $fwd:ident $b:ident)*) => {$(
        /// Makes a request for values and their tangents.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d(
            buf: Addr, count: In, datatype: In, peer: In, tag: In, comm: In, request: Out, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($d), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                fortran::$primal(buf, count, datatype, peer, tag, comm, request, &mut failure);
                report(ierror, failure);
                keep(call, ($sends, $passive), buf, (count, datatype, peer, tag, comm), request);
            }
        }

        /// Makes a request, and notes it.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd(
            buf: Addr, count: In, datatype: In, peer: In, tag: In, comm: In, request: Out, ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($fwd), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                let before = *request;
                fortran::$primal(buf, count, datatype, peer, tag, comm, request, &mut failure);
                report(ierror, failure);
                keep(call, ($sends, $passive), buf, (count, datatype, peer, tag, comm), request);
                sweep::made(before);
            }
        }

        /// The program's variable is as it was. What the request is for stays known: a program that makes requests when it is first
        /// called uses them in later calls.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $b(
            _buf: Addr, _count: In, _datatype: In, _peer: In, _tag: In, _comm: In, request: Out, _ierror: Out, at: At,
        ) {
            let call = Call::begin(stringify!($b), at);
            let before = sweep::made_back(call);
            // SAFETY: the arguments are the program's.
            unsafe { *request = before };
        }
    )*};
}

made! {
    mpi_send_init_ true, false; costate_mpi_send_init_d costate_mpi_send_init_fwd costate_mpi_send_init_b
    mpi_send_init_ true, true; costate_mpi_send_init_passive_d costate_mpi_send_init_passive_fwd costate_mpi_send_init_passive_b
    mpi_ssend_init_ true, false; costate_mpi_ssend_init_d costate_mpi_ssend_init_fwd costate_mpi_ssend_init_b
    mpi_ssend_init_ true, true; costate_mpi_ssend_init_passive_d costate_mpi_ssend_init_passive_fwd costate_mpi_ssend_init_passive_b
    mpi_bsend_init_ true, false; costate_mpi_bsend_init_d costate_mpi_bsend_init_fwd costate_mpi_bsend_init_b
    mpi_bsend_init_ true, true; costate_mpi_bsend_init_passive_d costate_mpi_bsend_init_passive_fwd costate_mpi_bsend_init_passive_b
    mpi_rsend_init_ true, false; costate_mpi_rsend_init_d costate_mpi_rsend_init_fwd costate_mpi_rsend_init_b
    mpi_rsend_init_ true, true; costate_mpi_rsend_init_passive_d costate_mpi_rsend_init_passive_fwd costate_mpi_rsend_init_passive_b
    mpi_recv_init_ false, false; costate_mpi_recv_init_d costate_mpi_recv_init_fwd costate_mpi_recv_init_b
    mpi_recv_init_ false, true; costate_mpi_recv_init_passive_d costate_mpi_recv_init_passive_fwd costate_mpi_recv_init_passive_b
}

/// The requests of an array with messages that have derivatives, each with what it was made for.
///
/// # Safety
/// The array has as many.
unsafe fn templates(call: Call, count: usize, requests: Out) -> Vec<(Fint, Template, Typed)> {
    // SAFETY: the caller's promise. An empty array may have no address.
    let requests = if count == 0 { &[][..] } else { unsafe { slice::from_raw_parts(requests, count) } };
    let known = |request: &Fint| {
        let template = with(|known| known.get(request).copied());
        let Some(template) = template else {
            fail::stop(&format_args!("{call}: a persistent request that was made where its derivative didn't see it"))
        };
        // SAFETY: a constant of the bindings.
        let typed = template.typed.filter(|_| template.peer != unsafe { ffi::RSMPI_PROC_NULL })?;
        (typed.elements > 0).then_some((*request, template, typed))
    };
    requests.iter().filter_map(known).collect()
}

/// Arrays that messages may be in, and the addresses of their tangents, which were named since the last start.
static NAMED: Mutex<Vec<Array<usize>>> = Mutex::new(Vec::new());

/// The address of the tangent of a buffer.
fn tangent_of(call: Call, t: &Template, typed: &Typed, named: &[Array<usize>]) -> Addr {
    let Some(place) = places::find(named, t.address, typed.element_bytes()) else {
        fail::stop(&format_args!(
            "{call}: a message between this process and rank {} with tag {} is in a buffer of no array that is known",
            t.peer, t.tag
        ))
    };
    place.with.wrapping_add(place.offset) as Addr
}

/// Sends tangents of what is about to be sent.
unsafe fn before(call: Call, all: &[(Fint, Template, Typed)], named: &[Array<usize>]) {
    for (_, t, typed) in all.iter().filter(|(_, t, _)| t.sends) {
        let elements = super::count(typed.elements);
        let buf_d = tangent_of(call, t, typed, named);
        // SAFETY: the address is in the tangent of the array, as far from its start as the buffer is in the array.
        unsafe { send_too(call, buf_d, &elements, &t.datatype, (&t.peer, &t.tag, &t.comm)) };
    }
}

/// Notes receives whose tangents are still to come.
fn behind(call: Call, all: &[(Fint, Template, Typed)], named: &[Array<usize>]) {
    for (request, t, typed) in all.iter().filter(|(_, t, _)| !t.sends) {
        tangent::posted(call, tangent_of(call, t, typed, named), *typed, (t.peer, t.tag, t.comm), *request);
    }
}

/// Notes what was started.
fn forward(call: Call, all: &[(Fint, Template, Typed)]) {
    let started = |(request, t, typed): &(Fint, Template, Typed)| Started {
        address: t.address,
        typed: *typed,
        comm: t.comm,
        asked: (t.peer, t.tag),
        request: *request,
        leaves: t.sends.then(|| world::wire(call, t.comm, t.peer, t.tag)).flatten(),
    };
    sweep::started(call, &all.iter().map(started).collect::<Vec<_>>());
}

macro_rules! starts {
    ($($primal:ident $d:ident $fwd:ident $b:ident ($($argument:ident: $type:ty),*) $requests:ident $count:expr;)*) => {$(
        /// Starts messages and those of their tangents.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d($($argument: $type,)* ierror: Out, at: At) {
            let call = Call::begin(stringify!($d), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                let all = templates(call, $count, $requests);
                let named = std::mem::take(&mut *locked(&NAMED));
                before(call, &all, &named);
                fortran::$primal($($argument,)* &mut failure);
                behind(call, &all, &named);
                report(ierror, failure);
            }
        }

        /// Starts messages, and notes them.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd($($argument: $type,)* ierror: Out, at: At) {
            let call = Call::begin(stringify!($fwd), at);
            let mut failure = 0;
            // SAFETY: the arguments are the program's.
            unsafe {
                let all = templates(call, $count, $requests);
                fortran::$primal($($argument,)* &mut failure);
                forward(call, &all);
                report(ierror, failure);
            }
        }

        /// The adjoint arrays that are named next are those of what was started.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        unsafe extern "C" fn $b($($argument: $type,)* ierror: Out, at: At) {
            let call = Call::begin(stringify!($b), at);
            sweep::started_back(call);
        }
    )*};
}

starts! {
    mpi_start_ costate_mpi_start_d costate_mpi_start_fwd costate_mpi_start_b (request: Out) request 1;
    mpi_startall_ costate_mpi_startall_d costate_mpi_startall_fwd costate_mpi_startall_b (count: In, requests: Out)
        requests size(*count);
}

/// Frees a request.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_request_free_d(request: Out, ierror: Out, at: At) {
    Call::begin("costate_mpi_request_free_d", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        forget(*request);
        fortran::mpi_request_free_(request, &mut failure);
        report(ierror, failure);
    }
}

/// Frees a request for the program; one that can be started again is freed at the end of the backward sweep.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_request_free_fwd(request: Out, ierror: Out, at: At) {
    Call::begin("costate_mpi_request_free_fwd", at);
    let mut failure = 0;
    // SAFETY: the arguments are the program's.
    unsafe {
        sweep::freed(Handle::Request(*request));
        if with(|known| known.contains_key(&*request)) {
            *request = ffi::RSMPI_Request_c2f(ffi::RSMPI_REQUEST_NULL);
        } else {
            fortran::mpi_request_free_(request, &mut failure);
        }
        report(ierror, failure);
    }
}

/// Gives the program its request back.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_request_free_b(request: Out, _ierror: Out, at: At) {
    let call = Call::begin("costate_mpi_request_free_b", at);
    let persistent = |handle: Fint| with(|known| known.contains_key(&handle));
    if let Handle::Request(handle) = sweep::freed_back(call, |handle| match handle {
        Handle::Request(handle) => persistent(*handle),
        Handle::Comm(_) | Handle::Datatype(_) => true,
    }) {
        // SAFETY: the arguments are the program's.
        unsafe { *request = handle };
    }
}

/// What is said before a start of the arrays that are sent or received in, and in a backward sweep behind it of their adjoints.
macro_rules! arrays {
    ($($d:ident $fwd:ident $b:ident)*) => {$(
        /// Notes an array of `n` elements that messages may be in, and its tangent.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $d(buf: Addr, buf_d: Addr, n: In) {
            // SAFETY: the arguments are those of generated code.
            let elements = unsafe { super::elements(n) };
            locked(&NAMED).push(Array { address: buf as usize, elements, with: buf_d as usize });
        }

        /// Notes an array of `n` elements that messages may be in.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $fwd(buf: Addr, n: In) {
            // SAFETY: the arguments are those of generated code.
            sweep::named(buf, unsafe { super::elements(n) });
        }

        /// Notes where the adjoint of such an array is; with the last of them messages are reversed.
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $b(_buf: Addr, buf_b: Addr, _n: In) {
            // SAFETY: generated code has passed the adjoint arrays.
            unsafe { sweep::named_back(Call::own(stringify!($b)), buf_b) };
        }
    )*};
}

arrays! {
    costate_mpi_leaving_d costate_mpi_leaving_fwd costate_mpi_leaving_b
    costate_mpi_awaiting_d costate_mpi_awaiting_fwd costate_mpi_awaiting_b
}
