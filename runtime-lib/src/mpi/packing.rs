//! Procedures that pack and unpack, and the broadcast of what is packed. The adjoint knows from the forward sweep where everything was; what it
//! is passed are the adjoints of reals alone.

use mpi::ffi;

use super::data::{Typed, Values};
use super::packed::{self, Run, Sent, Step, run};
use super::world::{intracommunicator, place};
use super::{Addr, At, Call, Fint, In, Out, count, fortran, report, size, sweep};

/// Packs, and returns where.
///
/// # Safety
/// The arguments are the program's.
unsafe fn pack(
    inbuf: Addr,
    (incount, datatype): (In, In),
    (outbuf, outsize, position): (Addr, In, Out),
    comm: In,
    ierror: Out,
) -> Run {
    let mut failure = 0;
    // SAFETY: the caller's promise.
    unsafe {
        let from = size(*position);
        fortran::mpi_pack_(inbuf, incount, datatype, outbuf, outsize, position, comm, &mut failure);
        report(ierror, failure);
        let packed = run(outbuf, from, size(*position));
        packed::know(packed);
        packed
    }
}

/// Packs values, and keeps their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_pack_d(
    inbuf: Addr,
    inbuf_d: Addr,
    incount: In,
    datatype: In,
    outbuf: Addr,
    outsize: In,
    position: Out,
    comm: In,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_pack_d", at);
    // SAFETY: the arguments are the program's.
    unsafe {
        let typed = Typed::new(call, incount, datatype);
        let packed = pack(inbuf, (incount, datatype), (outbuf, outsize, position), comm, ierror);
        packed::put_tangents(packed::places(call, &typed, packed), &typed.read(inbuf_d));
    }
}

/// Packs values, and notes where.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_pack_fwd(
    inbuf: Addr,
    incount: In,
    datatype: In,
    outbuf: Addr,
    outsize: In,
    position: Out,
    comm: In,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_pack_fwd", at);
    // SAFETY: the arguments are the program's.
    unsafe {
        let typed = Typed::new(call, incount, datatype).kept();
        let packed = pack(inbuf, (incount, datatype), (outbuf, outsize, position), comm, ierror);
        sweep::packing(Step::Packed(packed, typed));
    }
}

/// Adds the adjoints of what was packed.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_pack_b(
    _inbuf: Addr,
    inbuf_b: Addr,
    _incount: In,
    _datatype: In,
    _outbuf: Addr,
    _outsize: In,
    _position: Out,
    _comm: In,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_pack_b", at);
    let (packed, typed) = match sweep::packing_back(call) {
        Step::Packed(packed, typed) => (packed, typed),
        other => sweep::unfit(call, other.name()),
    };
    // Where others have unpacked less, the rest is zero.
    packed::places(call, &typed, packed).for_each(drop);
    // SAFETY: the arguments are the program's.
    unsafe { typed.add(inbuf_b, &packed::take_adjoints(call, &typed, packed)) };
    typed.release();
}

/// Unpacks, and returns from where.
///
/// # Safety
/// The arguments are the program's.
unsafe fn unpack(
    call: Call,
    (inbuf, insize, position): (Addr, In, Out),
    (outbuf, outcount, datatype): (Addr, In, In),
    comm: In,
    ierror: Out,
) -> Run {
    let mut failure = 0;
    // SAFETY: the caller's promise.
    unsafe {
        let from = size(*position);
        fortran::mpi_unpack_(inbuf, insize, position, outbuf, outcount, datatype, comm, &mut failure);
        report(ierror, failure);
        let packed = run(inbuf, from, size(*position));
        packed::check(call, packed);
        packed
    }
}

/// Unpacks values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_unpack_d(
    inbuf: Addr,
    insize: In,
    position: Out,
    outbuf: Addr,
    outbuf_d: Addr,
    outcount: In,
    datatype: In,
    comm: In,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_unpack_d", at);
    // SAFETY: the arguments are the program's.
    unsafe {
        let typed = Typed::new(call, outcount, datatype);
        let packed = unpack(call, (inbuf, insize, position), (outbuf, outcount, datatype), comm, ierror);
        typed.write(outbuf_d, &packed::tangents(call, packed::places(call, &typed, packed), typed.single));
    }
}

/// Unpacks values, and notes from where.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_unpack_fwd(
    inbuf: Addr,
    insize: In,
    position: Out,
    outbuf: Addr,
    outcount: In,
    datatype: In,
    comm: In,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_unpack_fwd", at);
    // SAFETY: the arguments are the program's.
    unsafe {
        let typed = Typed::new(call, outcount, datatype).kept();
        let packed = unpack(call, (inbuf, insize, position), (outbuf, outcount, datatype), comm, ierror);
        sweep::packing(Step::Unpacked(packed, typed));
    }
}

/// Hands the adjoints of what was unpacked on to the buffer, and sets them to zero.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_unpack_b(
    _inbuf: Addr,
    _insize: In,
    _position: Out,
    _outbuf: Addr,
    outbuf_b: Addr,
    _outcount: In,
    _datatype: In,
    _comm: In,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_unpack_b", at);
    let (packed, typed) = match sweep::packing_back(call) {
        Step::Unpacked(packed, typed) => (packed, typed),
        other => sweep::unfit(call, other.name()),
    };
    // SAFETY: the arguments are the program's.
    unsafe {
        packed::add_adjoints(call, packed::places(call, &typed, packed), &typed.read(outbuf_b));
        typed.clear(outbuf_b, typed.reals());
    }
    typed.release();
}

/// Broadcasts values; true on the root.
///
/// # Safety
/// The arguments are the program's.
unsafe fn broadcast(call: Call, (buffer, number, datatype, root, comm): (Addr, In, In, In, In), ierror: Out) -> bool {
    let mut failure = 0;
    // SAFETY: the caller's promise.
    unsafe {
        fortran::mpi_bcast_(buffer, number, datatype, root, comm, &mut failure);
        report(ierror, failure);
        size(*root) == place(intracommunicator(call, *comm)).0
    }
}

/// Broadcasts packed values and their tangents.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_bcast_packed_d(
    buffer: Addr,
    number: In,
    datatype: In,
    root: In,
    comm: In,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_bcast_packed_d", at);
    // SAFETY: the arguments are the program's; all processes pass as much.
    unsafe {
        let is_root = broadcast(call, (buffer, number, datatype, root, comm), ierror);
        let all = run(buffer, 0, size(*number));
        let comm = intracommunicator(call, *comm);
        let mut message = if is_root { packed::send_tangents(all) } else { Values::Packed(Vec::new()) };
        let mut length = count(message.len());
        ffi::MPI_Bcast((&raw mut length).cast(), 1, ffi::RSMPI_INT32_T, *root, comm);
        if !is_root {
            message = Values::Packed(vec![0; size(length)]);
        }
        ffi::MPI_Bcast(message.address_mut(), length, message.datatype(), *root, comm);
        if !is_root {
            packed::receive_tangents(call, all, &message);
        }
    }
}

/// Broadcasts packed values, and notes that.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_bcast_packed_fwd(
    buffer: Addr,
    number: In,
    datatype: In,
    root: In,
    comm: In,
    ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_bcast_packed_fwd", at);
    // SAFETY: the arguments are the program's.
    unsafe {
        let all = run(buffer, 0, size(*number));
        if !broadcast(call, (buffer, number, datatype, root, comm), ierror) {
            packed::know(all);
        }
        sweep::packing(Step::Broadcast(Sent::new(all, None), *root, *comm));
    }
}

/// Adds the adjoints of all processes to those of the root; the others' are zero then.
#[unsafe(no_mangle)]
extern "C" fn costate_mpi_bcast_packed_b(
    _buffer: Addr,
    _number: In,
    _datatype: In,
    _root: In,
    _comm: In,
    _ierror: Out,
    at: At,
) {
    let call = Call::begin("costate_mpi_bcast_packed_b", at);
    let (sent, root, comm) = match sweep::packing_back(call) {
        Step::Broadcast(sent, root, comm) => (sent, root, comm),
        other => sweep::unfit(call, other.name()),
    };
    let comm = intracommunicator(call, comm);
    let (rank, ranks) = place(comm);
    let is_root = size(root) == rank;
    let own = if is_root { Values::Packed(Vec::new()) } else { packed::send_adjoints(sent.run) };
    let (length, kind) = (count(own.len()), own.datatype());
    let mut lengths = vec![0; if is_root { ranks } else { 0 }];
    // SAFETY: the communicator exists, and what is gathered has its place on the root.
    unsafe {
        let (from, to) = ((&raw const length).cast(), lengths.as_mut_ptr());
        ffi::MPI_Gather(from, 1, ffi::RSMPI_INT32_T, to.cast(), 1, ffi::RSMPI_INT32_T, root, comm);
        let starts: Vec<Fint> =
            lengths.iter().scan(0, |next: &mut Fint, n| Some(std::mem::replace(next, *next + n))).collect();
        // One byte more: where nothing comes, MPI is given an address that isn't the sender's.
        let mut all = vec![0_u8; lengths.iter().map(|n| size(*n)).sum::<usize>() + 1];
        let (to, many) = (all.as_mut_ptr().cast(), lengths.as_ptr());
        ffi::MPI_Gatherv(own.address(), length, kind, to, many, starts.as_ptr(), kind, root, comm);
        for (start, n) in starts.iter().zip(&lengths).filter(|(_, n)| **n > 0) {
            let message = Values::Packed(all[size(*start)..size(*start) + size(*n)].to_vec());
            sent.add(call, &message);
        }
    }
}
