//! Reductions over the processes up to each one. The adjoint of a sum is a sum over the processes from each one on.

use std::ops::Range;

use mpi::ffi;

use super::constants::Op;
use super::data::Values;
use super::meeting::{Terms, meet};
use super::moves::adjoints;
use super::weights::{Reduction, factor, gather, multiply};
use super::world::place;
use super::{Addr, At, Call, In, Out, constants, count, fortran, report, size};

/// The buffers of a scan.
struct Buffers {
    value: Addr,
    derivative: Addr,
    result: Addr,
    result_derivative: Addr,
    in_place: bool,
}

impl Buffers {
    fn of(value: Addr, derivative: Addr, result: Addr, result_derivative: Addr) -> Self {
        Self { value, derivative, result, result_derivative, in_place: false }
    }

    fn in_place(buffer: Addr, derivative: Addr) -> Self {
        let (result, result_derivative) = (buffer, derivative);
        Self { value: buffer, derivative, result, result_derivative, in_place: true }
    }
}

/// The processes whose elements a process gets the reduction of.
fn range(rank: usize, exclusive: bool) -> Range<usize> {
    0..if exclusive { rank } else { rank + 1 }
}

unsafe fn tangent(
    call: Call,
    buffers: &Buffers,
    (number, datatype, op, comm): (In, In, In, In),
    exclusive: bool,
    ierror: Out,
) {
    // SAFETY: callers pass arguments of the program.
    unsafe {
        let name = if exclusive { c"mpi_exscan" } else { c"mpi_scan" };
        let _watched = meet(call, name, comm, |_| Terms::reduction(None, op, number, datatype));
        let mut failure = 0;
        let mut primal = |from: Addr, to: Addr| {
            let from = if buffers.in_place { constants::get().in_place() } else { from };
            if exclusive {
                fortran::mpi_exscan_(from, to, number, datatype, op, comm, &mut failure);
            } else {
                fortran::mpi_scan_(from, to, number, datatype, op, comm, &mut failure);
            }
        };
        let reduction = Reduction::new(call, size(*number), datatype, op, *comm);
        if reduction.op == Op::Sum {
            primal(buffers.derivative, buffers.result_derivative);
        } else {
            let typed = reduction.typed;
            let values = gather(&typed.read(buffers.value).doubles(), reduction.comm);
            let derivatives = gather(&typed.read(buffers.derivative).doubles(), reduction.comm);
            let range = range(place(reduction.comm).0, exclusive);
            let values: Vec<_> = values[range.clone()].iter().map(Vec::as_slice).collect();
            let mut sums = Values::zeros(typed.single, if range.is_empty() { 0 } else { typed.reals() });
            for from in range {
                let factors = factor(reduction.op, typed.class, &values, from);
                let product = multiply(&factors, &derivatives[from], typed.class, false);
                sums.add(&Values::from_doubles(typed.single, &product));
            }
            typed.write(buffers.result_derivative, &sums);
        }
        primal(buffers.value, buffers.result);
        report(ierror, failure);
    }
}

/// Sums over the processes from each one on, or from the next one on.
fn sums_behind(values: &Values, exclusive: bool, comm: ffi::MPI_Comm) -> Values {
    let (rank, processes) = place(comm);
    let mut sums = Values::zeros(values.is_single(), values.len());
    // SAFETY: all processes have as many reals.
    unsafe {
        let mut reverse = ffi::RSMPI_COMM_NULL;
        ffi::MPI_Comm_split(comm, 0, -count(rank), &mut reverse);
        let (from, to, reals) = (values.address(), sums.address_mut(), count(values.len()));
        if exclusive {
            ffi::MPI_Exscan(from, to, reals, values.datatype(), ffi::RSMPI_SUM, reverse);
        } else {
            ffi::MPI_Scan(from, to, reals, values.datatype(), ffi::RSMPI_SUM, reverse);
        }
        ffi::MPI_Comm_free(&mut reverse);
    }
    // MPI says nothing about the result of the process without others behind it.
    if exclusive && rank + 1 == processes { Values::zeros(values.is_single(), values.len()) } else { sums }
}

unsafe fn back(call: Call, buffers: &Buffers, (number, datatype, op, comm): (In, In, In, In), exclusive: bool) {
    // SAFETY: callers pass arguments of the program.
    unsafe {
        let reduction = Reduction::new(call, size(*number), datatype, op, *comm);
        let typed = reduction.typed;
        let (rank, processes) = place(reduction.comm);
        // The first process gets nothing of an exclusive scan.
        let untouched = exclusive && rank == 0;
        let result = typed.read(if untouched { buffers.derivative } else { buffers.result_derivative });
        let share = if reduction.op == Op::Sum {
            sums_behind(&result, exclusive, reduction.comm)
        } else {
            let values = gather(&typed.read(buffers.value).doubles(), reduction.comm);
            let results = gather(&result.doubles(), reduction.comm);
            let mut share = Values::zeros(typed.single, typed.reals());
            for to in (0..processes).filter(|to| range(*to, exclusive).contains(&rank)) {
                let values: Vec<_> = values[range(to, exclusive)].iter().map(Vec::as_slice).collect();
                let factors = factor(reduction.op, typed.class, &values, rank);
                let product = multiply(&factors, &results[to], typed.class, true);
                share.add(&Values::from_doubles(typed.single, &product));
            }
            share
        };
        if !untouched {
            typed.clear(buffers.result_derivative, typed.reals());
        }
        if buffers.in_place && !untouched {
            typed.write(buffers.derivative, &share);
        } else {
            typed.add(buffers.derivative, &share);
        }
    }
}

macro_rules! tangents {
    ($($name:ident ($($argument:ident: $type:ty),*) $buffers:expr, $exclusive:expr;)*) => {$(
        /// Scans values and their tangents.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        unsafe extern "C" fn $name($($argument: $type,)* number: In, datatype: In, op: In, comm: In, ierror: Out, at: At) {
            let call = Call::begin(stringify!($name), at);
            // SAFETY: the arguments are the program's.
            unsafe { tangent(call, &$buffers, (number, datatype, op, comm), $exclusive, ierror) };
        }
    )*};
}

tangents! {
    costate_mpi_scan_d(sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr)
        Buffers::of(sendbuf, sendbuf_d, recvbuf, recvbuf_d), false;
    costate_mpi_scan_in_place_d(sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr)
        Buffers::in_place(recvbuf, recvbuf_d), false;
    costate_mpi_exscan_d(sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr)
        Buffers::of(sendbuf, sendbuf_d, recvbuf, recvbuf_d), true;
    costate_mpi_exscan_in_place_d(sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr)
        Buffers::in_place(recvbuf, recvbuf_d), true;
}

adjoints! {
    costate_mpi_scan_b(sendbuf: Addr, sendbuf_b: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In, op: In,
        comm: In) call {
        let buffers = Buffers::of(sendbuf, sendbuf_b, recvbuf, recvbuf_b);
        back(call, &buffers, (number, datatype, op, comm), false);
    }
    costate_mpi_scan_in_place_b(sendbuf: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In, op: In,
        comm: In) call {
        let buffers = Buffers::in_place(recvbuf, recvbuf_b);
        back(call, &buffers, (number, datatype, op, comm), false);
    }
    costate_mpi_exscan_b(sendbuf: Addr, sendbuf_b: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In, op: In,
        comm: In) call {
        let buffers = Buffers::of(sendbuf, sendbuf_b, recvbuf, recvbuf_b);
        back(call, &buffers, (number, datatype, op, comm), true);
    }
    costate_mpi_exscan_in_place_b(sendbuf: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In, op: In,
        comm: In) call {
        let buffers = Buffers::in_place(recvbuf, recvbuf_b);
        back(call, &buffers, (number, datatype, op, comm), true);
    }
}
