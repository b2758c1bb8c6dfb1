//! Reductions whose result is that of all processes.

use std::ffi::c_int;

use mpi::ffi;

use super::constants::Op;
use super::data::Values;
use super::meeting::{Terms, meet};
use super::moves::adjoints;
use super::vectors::rooted;
use super::weights::Reduction;
use super::world::{intracommunicator, place};
use super::{Addr, At, Call, Fint, In, Out, constants, count, fortran, report, size};

/// The elements of this process, and the derivative of them.
#[derive(Clone, Copy)]
struct Operand {
    value: Addr,
    derivative: Addr,
    /// Whether the result takes their place.
    in_place: bool,
}

impl Operand {
    fn of(value: Addr, derivative: Addr) -> Self {
        Self { value, derivative, in_place: false }
    }

    fn in_place(value: Addr, derivative: Addr) -> Self {
        Self { value, derivative, in_place: true }
    }

    /// What the primal is called with.
    fn value_argument(self) -> Addr {
        if self.in_place { constants::get().in_place() } else { self.value }
    }

    /// What the same procedure is called with for derivatives.
    fn derivative_argument(self) -> Addr {
        if self.in_place { constants::get().in_place() } else { self.derivative }
    }

    /// Adds to the adjoint, or sets it.
    unsafe fn take(self, reduction: &Reduction, share: &Values) {
        // SAFETY: callers pass buffers that hold the elements.
        unsafe {
            if self.in_place {
                reduction.typed.write(self.derivative, share);
            } else {
                reduction.typed.add(self.derivative, share);
            }
        }
    }
}

/// The sum of all processes' values, for one of them or for all.
fn sum(values: &Values, root: Option<Fint>, comm: ffi::MPI_Comm) -> Values {
    let mut sums = Values::zeros(values.is_single(), values.len());
    let (reals, datatype) = (count(values.len()), values.datatype());
    let (from, to) = (values.address(), sums.address_mut());
    // SAFETY: all processes have as many reals.
    unsafe {
        match root {
            Some(root) => ffi::MPI_Reduce(from, to, reals, datatype, ffi::RSMPI_SUM, root, comm),
            None => ffi::MPI_Allreduce(from, to, reals, datatype, ffi::RSMPI_SUM, comm),
        };
    }
    sums
}

/// The tangent of a reduction to `root` or to all. That of a sum is found as the value is.
unsafe fn reduce_tangent(
    call: Call,
    operand: Operand,
    result: (Addr, Addr),
    (number, datatype, op, root, comm): (In, In, In, Option<In>, In),
    ierror: Out,
) {
    // SAFETY: callers pass arguments of the program.
    unsafe {
        let name = if root.is_some() { c"mpi_reduce" } else { c"mpi_allreduce" };
        let _watched = meet(call, name, comm, |_| Terms::reduction(root, op, number, datatype));
        let mut failure = 0;
        let mut primal = |from: Addr, to: Addr| match root {
            Some(root) => fortran::mpi_reduce_(from, to, number, datatype, op, root, comm, &mut failure),
            None => fortran::mpi_allreduce_(from, to, number, datatype, op, comm, &mut failure),
        };
        let reduction = Reduction::new(call, size(*number), datatype, op, *comm);
        if reduction.op == Op::Sum {
            primal(operand.derivative_argument(), result.1);
        } else {
            let sums =
                sum(&reduction.contribution(operand.value, operand.derivative), root.map(|root| *root), reduction.comm);
            if root.is_none_or(|root| place(reduction.comm).0 == size(*root)) {
                reduction.typed.write(result.1, &sums);
            }
        }
        primal(operand.value_argument(), result.0);
        report(ierror, failure);
    }
}

/// The adjoint of a reduction to `root`.
unsafe fn reduce_back(call: Call, operand: Operand, result_b: Addr, arguments: (In, In, In, In, In)) {
    let (number, datatype, op, root, comm) = arguments;
    // SAFETY: callers pass arguments of the program.
    unsafe {
        let (is_root, _) = rooted(call, *root, *comm);
        let reduction = Reduction::new(call, size(*number), datatype, op, *comm);
        let typed = reduction.typed;
        let mut result = if is_root { typed.read(result_b) } else { Values::zeros(typed.single, typed.reals()) };
        let (address, reals, real) = (result.address_mut(), count(result.len()), result.datatype());
        ffi::MPI_Bcast(address, reals, real, *root, reduction.comm);
        let share = reduction.share(operand.value, result);
        if is_root {
            typed.clear(result_b, typed.reals());
        }
        operand.take(&reduction, &share);
    }
}

/// The adjoint of a reduction to all.
unsafe fn allreduce_back(call: Call, operand: Operand, result_b: Addr, (number, datatype, op, comm): (In, In, In, In)) {
    // SAFETY: callers pass arguments of the program.
    unsafe {
        let reduction = Reduction::new(call, size(*number), datatype, op, *comm);
        let result = sum(&reduction.typed.read(result_b), None, reduction.comm);
        let share = reduction.share(operand.value, result);
        reduction.typed.clear(result_b, reduction.typed.reals());
        operand.take(&reduction, &share);
    }
}

/// The parts of a reduction's result: one for each process, with as many elements as are listed.
unsafe fn parts(call: Call, counts: In, even: bool, comm: Fint) -> Vec<usize> {
    let (_, processes) = place(intracommunicator(call, comm));
    // SAFETY: callers pass the program's array, which has a count for each process, or one for all.
    (0..processes).map(|at| size(unsafe { *counts.add(if even { 0 } else { at }) })).collect()
}

/// The tangent of a reduction whose result is cut into parts.
unsafe fn scatter_tangent(
    call: Call,
    operand: Operand,
    result: (Addr, Addr),
    (counts, even, datatype, op, comm): (In, bool, In, In, In),
    ierror: Out,
) {
    // SAFETY: callers pass arguments of the program.
    unsafe {
        let name = if even { c"mpi_reduce_scatter_block" } else { c"mpi_reduce_scatter" };
        let _watched = meet(call, name, comm, |group| Terms::parts(group, (counts, even), op, datatype));
        let mut failure = 0;
        let mut primal = |from: Addr, to: Addr| {
            if even {
                fortran::mpi_reduce_scatter_block_(from, to, counts, datatype, op, comm, &mut failure);
            } else {
                fortran::mpi_reduce_scatter_(from, to, counts, datatype, op, comm, &mut failure);
            }
        };
        let parts = parts(call, counts, even, *comm);
        let reduction = Reduction::new(call, parts.iter().sum(), datatype, op, *comm);
        if reduction.op == Op::Sum {
            primal(operand.derivative_argument(), result.1);
        } else {
            let all = reduction.contribution(operand.value, operand.derivative);
            let typed = reduction.typed;
            let reals: Vec<c_int> = parts.iter().map(|part| count(part * typed.each)).collect();
            let own = typed.with(parts[place(reduction.comm).0]);
            let mut sums = Values::zeros(typed.single, own.reals());
            let (from, to, real) = (all.address(), sums.address_mut(), all.datatype());
            ffi::MPI_Reduce_scatter(from, to, reals.as_ptr(), real, ffi::RSMPI_SUM, reduction.comm);
            own.write(result.1, &sums);
        }
        primal(operand.value_argument(), result.0);
        report(ierror, failure);
    }
}

/// The adjoint of a reduction whose result is cut into parts.
unsafe fn scatter_back(
    call: Call,
    operand: Operand,
    result_b: Addr,
    (counts, even, datatype, op, comm): (In, bool, In, In, In),
) {
    // SAFETY: callers pass arguments of the program.
    unsafe {
        let parts = parts(call, counts, even, *comm);
        let reduction = Reduction::new(call, parts.iter().sum(), datatype, op, *comm);
        let typed = reduction.typed;
        let own = typed.with(parts[place(reduction.comm).0]);
        let part = own.read(result_b);
        let reals: Vec<c_int> = parts.iter().map(|part| count(part * typed.each)).collect();
        let starts: Vec<c_int> = reals
            .iter()
            .scan(0, |next, reals| {
                *next += reals;
                Some(*next - reals)
            })
            .collect();
        let mut all = Values::zeros(typed.single, typed.reals());
        let (from, to, real, number) = (part.address(), all.address_mut(), part.datatype(), count(part.len()));
        ffi::MPI_Allgatherv(from, number, real, to, reals.as_ptr(), starts.as_ptr(), real, reduction.comm);
        let mut share = reduction.share(operand.value, all);
        own.clear(result_b, own.reals());
        if operand.in_place {
            // What the result leaves of the elements, of which zeros are left where it was.
            share.add(&typed.read(result_b));
        }
        operand.take(&reduction, &share);
    }
}

/// Tangents: their names, arguments, operand, result, and the function with the other arguments.
macro_rules! tangents {
    ($($name:ident ($($argument:ident: $type:ty),*) $function:ident $operand:expr, $result:expr, $others:expr;)*) => {$(
        /// Reduces values and their tangents.
        #[unsafe(no_mangle)]
        #[allow(unused_variables)]
        unsafe extern "C" fn $name($($argument: $type,)* ierror: Out, at: At) {
            let call = Call::begin(stringify!($name), at);
            // SAFETY: the arguments are the program's.
            unsafe { $function(call, $operand, $result, $others, ierror) };
        }
    )*};
}

tangents! {
    costate_mpi_reduce_d(sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, number: In, datatype: In, op: In,
        root: In, comm: In)
        reduce_tangent Operand::of(sendbuf, sendbuf_d), (recvbuf, recvbuf_d), (number, datatype, op, Some(root), comm);
    costate_mpi_reduce_in_place_d(sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, number: In, datatype: In, op: In,
        root: In, comm: In)
        reduce_tangent Operand::in_place(recvbuf, recvbuf_d), (recvbuf, recvbuf_d),
        (number, datatype, op, Some(root), comm);
    costate_mpi_allreduce_d(sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, number: In, datatype: In,
        op: In, comm: In)
        reduce_tangent Operand::of(sendbuf, sendbuf_d), (recvbuf, recvbuf_d), (number, datatype, op, None, comm);
    costate_mpi_allreduce_in_place_d(sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, number: In, datatype: In, op: In,
        comm: In)
        reduce_tangent Operand::in_place(recvbuf, recvbuf_d), (recvbuf, recvbuf_d), (number, datatype, op, None, comm);
    costate_mpi_reduce_scatter_d(sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In,
        datatype: In, op: In, comm: In)
        scatter_tangent Operand::of(sendbuf, sendbuf_d), (recvbuf, recvbuf_d), (recvcounts, false, datatype, op, comm);
    costate_mpi_reduce_scatter_in_place_d(sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcounts: In, datatype: In,
        op: In, comm: In)
        scatter_tangent Operand::in_place(recvbuf, recvbuf_d), (recvbuf, recvbuf_d),
        (recvcounts, false, datatype, op, comm);
    costate_mpi_reduce_scatter_block_d(sendbuf: Addr, sendbuf_d: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        datatype: In, op: In, comm: In)
        scatter_tangent Operand::of(sendbuf, sendbuf_d), (recvbuf, recvbuf_d), (recvcount, true, datatype, op, comm);
    costate_mpi_reduce_scatter_block_in_place_d(sendbuf: Addr, recvbuf: Addr, recvbuf_d: Addr, recvcount: In,
        datatype: In, op: In, comm: In)
        scatter_tangent Operand::in_place(recvbuf, recvbuf_d), (recvbuf, recvbuf_d),
        (recvcount, true, datatype, op, comm);
}

adjoints! {
    costate_mpi_reduce_b(sendbuf: Addr, sendbuf_b: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In, op: In,
        root: In, comm: In) call {
        let operand = Operand::of(sendbuf, sendbuf_b);
        reduce_back(call, operand, recvbuf_b, (number, datatype, op, root, comm));
    }
    costate_mpi_reduce_in_place_b(sendbuf: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In, op: In,
        root: In, comm: In) call {
        let operand = Operand::in_place(recvbuf, recvbuf_b);
        reduce_back(call, operand, recvbuf_b, (number, datatype, op, root, comm));
    }
    costate_mpi_allreduce_b(sendbuf: Addr, sendbuf_b: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In,
        op: In, comm: In) call {
        let operand = Operand::of(sendbuf, sendbuf_b);
        allreduce_back(call, operand, recvbuf_b, (number, datatype, op, comm));
    }
    costate_mpi_allreduce_in_place_b(sendbuf: Addr, recvbuf: Addr, recvbuf_b: Addr, number: In, datatype: In, op: In,
        comm: In) call {
        let operand = Operand::in_place(recvbuf, recvbuf_b);
        allreduce_back(call, operand, recvbuf_b, (number, datatype, op, comm));
    }
    costate_mpi_reduce_scatter_b(sendbuf: Addr, sendbuf_b: Addr, recvbuf: Addr, recvbuf_b: Addr, recvcounts: In,
        datatype: In, op: In, comm: In) call {
        let operand = Operand::of(sendbuf, sendbuf_b);
        scatter_back(call, operand, recvbuf_b, (recvcounts, false, datatype, op, comm));
    }
    costate_mpi_reduce_scatter_in_place_b(sendbuf: Addr, recvbuf: Addr, recvbuf_b: Addr, recvcounts: In, datatype: In,
        op: In, comm: In) call {
        let operand = Operand::in_place(recvbuf, recvbuf_b);
        scatter_back(call, operand, recvbuf_b, (recvcounts, false, datatype, op, comm));
    }
    costate_mpi_reduce_scatter_block_b(sendbuf: Addr, sendbuf_b: Addr, recvbuf: Addr, recvbuf_b: Addr, recvcount: In,
        datatype: In, op: In, comm: In) call {
        let operand = Operand::of(sendbuf, sendbuf_b);
        scatter_back(call, operand, recvbuf_b, (recvcount, true, datatype, op, comm));
    }
    costate_mpi_reduce_scatter_block_in_place_b(sendbuf: Addr, recvbuf: Addr, recvbuf_b: Addr, recvcount: In,
        datatype: In, op: In, comm: In) call {
        let operand = Operand::in_place(recvbuf, recvbuf_b);
        scatter_back(call, operand, recvbuf_b, (recvcount, true, datatype, op, comm));
    }
}
