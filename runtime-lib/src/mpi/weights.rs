//! The derivative of a reduction's result for each process's elements.
//!
//! That of a sum is one. That of an extreme value is one for the first process that has it and zero for the others; that of
//! a product is the product of the others' elements, which is found without a division.

use std::ffi::c_int;

use mpi::ffi;

use super::constants::{self, Class, Op};
use super::data::{Typed, Values};
use super::world::{intracommunicator, place};
use super::{Addr, Call, Fint, In, count, fail};

/// A reduction of elements.
pub(super) struct Reduction {
    pub(super) op: Op,
    pub(super) typed: Typed,
    pub(super) comm: ffi::MPI_Comm,
}

impl Reduction {
    /// The reduction that `name` was called for.
    ///
    /// # Safety
    /// The arguments are the program's.
    pub(super) unsafe fn new(call: Call, elements: usize, datatype: In, op: In, comm: Fint) -> Self {
        // SAFETY: the caller's promise.
        let (typed, op) = unsafe { (Typed::of(call, elements, *datatype), constants::get().op(*op)) };
        let Some(op) = op else {
            fail::stop(&format_args!(
                "{call}: the derivative is known for MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD, MPI_MAXLOC and MPI_MINLOC alone"
            ))
        };
        let fits = match op {
            Op::Sum | Op::Prod => typed.class != Class::Pair,
            Op::Max | Op::Min => typed.class == Class::Real,
            Op::MaxLoc | Op::MinLoc => typed.class == Class::Pair,
        };
        if !fits {
            fail::stop(&format_args!("{call}: MPI has no such reduction of elements of this type"));
        }
        Self { op, typed, comm: intracommunicator(call, comm) }
    }

    /// The derivative for this process's elements, which are at `x`; none if it is one.
    unsafe fn factors(&self, x: Addr) -> Option<Vec<f64>> {
        if self.op == Op::Sum {
            return None;
        }
        // SAFETY: callers pass a buffer that holds the elements.
        let own = unsafe { self.typed.read(x) }.doubles();
        Some(match self.op {
            Op::Max | Op::Min => extreme(&own, self.op, self.comm),
            _ => {
                let all = gather(&own, self.comm);
                let all: Vec<_> = all.iter().map(Vec::as_slice).collect();
                factor(self.op, self.typed.class, &all, place(self.comm).0)
            }
        })
    }

    /// What a tangent of this process's elements adds to that of the result.
    ///
    /// # Safety
    /// The buffers hold the elements.
    pub(super) unsafe fn contribution(&self, x: Addr, x_d: Addr) -> Values {
        // SAFETY: the caller's promise.
        unsafe { self.scaled(x, self.typed.read(x_d), false) }
    }

    /// What an adjoint of the result adds to that of this process's elements.
    ///
    /// # Safety
    /// As for [`contribution`](Self::contribution).
    pub(super) unsafe fn share(&self, x: Addr, result_b: Values) -> Values {
        // SAFETY: the caller's promise.
        unsafe { self.scaled(x, result_b, true) }
    }

    unsafe fn scaled(&self, x: Addr, values: Values, adjoint: bool) -> Values {
        // SAFETY: callers pass a buffer that holds the elements.
        match unsafe { self.factors(x) } {
            None => values,
            Some(factors) => {
                let product = multiply(&factors, &values.doubles(), self.typed.class, adjoint);
                Values::from_doubles(values.is_single(), &product)
            }
        }
    }
}

/// Products of elements; of complex ones the factors are conjugated for adjoints.
pub(super) fn multiply(factors: &[f64], values: &[f64], class: Class, adjoint: bool) -> Vec<f64> {
    if class == Class::Complex {
        let pairs = factors.chunks_exact(2).zip(values.chunks_exact(2));
        let product = |(f, v): (&[f64], &[f64])| {
            let imaginary = if adjoint { -f[1] } else { f[1] };
            [f[0] * v[0] - imaginary * v[1], f[0] * v[1] + imaginary * v[0]]
        };
        pairs.flat_map(product).collect()
    } else {
        factors.iter().zip(values).map(|(factor, value)| factor * value).collect()
    }
}

/// The vectors of all processes.
pub(super) fn gather(own: &[f64], comm: ffi::MPI_Comm) -> Vec<Vec<f64>> {
    let (_, processes) = place(comm);
    let mut all = vec![0.0; own.len() * processes];
    // SAFETY: the vectors of all processes have one length.
    unsafe {
        let (reals, double) = (count(own.len()), ffi::RSMPI_DOUBLE);
        ffi::MPI_Allgather(own.as_ptr().cast(), reals, double, all.as_mut_ptr().cast(), reals, double, comm);
    }
    (0..processes).map(|at| all[at * own.len()..(at + 1) * own.len()].to_vec()).collect()
}

/// One where this process is the first that has the extreme value.
fn extreme(own: &[f64], op: Op, comm: ffi::MPI_Comm) -> Vec<f64> {
    let (rank, processes) = place(comm);
    let (rank, processes) = (count(rank), count(processes));
    let mut best = vec![0.0_f64; own.len()];
    let mut winner = vec![0 as c_int; own.len()];
    // SAFETY: the vectors of all processes have one length.
    unsafe {
        let wanted = if op == Op::Max { ffi::RSMPI_MAX } else { ffi::RSMPI_MIN };
        let (from, to) = (own.as_ptr().cast(), best.as_mut_ptr().cast());
        ffi::MPI_Allreduce(from, to, count(own.len()), ffi::RSMPI_DOUBLE, wanted, comm);
        let candidates: Vec<c_int> =
            own.iter().zip(&best).map(|(x, best)| if x == best { rank } else { processes }).collect();
        let (from, to) = (candidates.as_ptr().cast(), winner.as_mut_ptr().cast());
        ffi::MPI_Allreduce(from, to, count(own.len()), ffi::RSMPI_INT32_T, ffi::RSMPI_MIN, comm);
    }
    winner.iter().map(|winner| f64::from(u8::from(*winner == rank))).collect()
}

/// The derivative of the reduction of vectors for the elements of one of them.
pub(super) fn factor(op: Op, class: Class, all: &[&[f64]], which: usize) -> Vec<f64> {
    let mut factors = vec![1.0; all[which].len()];
    let better = |a: f64, b: f64| if matches!(op, Op::Max | Op::MaxLoc) { a > b } else { a < b };
    match op {
        Op::Sum => {}
        Op::Prod => {
            if class == Class::Complex {
                factors.iter_mut().skip(1).step_by(2).for_each(|imaginary| *imaginary = 0.0);
            }
            for (_, other) in all.iter().enumerate().filter(|(at, _)| *at != which) {
                factors = multiply(&factors, other, class, false);
            }
        }
        Op::Max | Op::Min => {
            for (at, factor) in factors.iter_mut().enumerate() {
                let own = all[which][at];
                let beaten =
                    |(other, values): (usize, &&[f64])| better(values[at], own) || (other < which && values[at] == own);
                *factor = f64::from(u8::from(!all.iter().enumerate().any(beaten)));
            }
        }
        Op::MaxLoc | Op::MinLoc => {
            // What stands for an index goes with its value, derivative and all. Of equal values that with the smallest index is taken.
            for (at, factor) in factors.chunks_exact_mut(2).enumerate() {
                let (own, index) = (all[which][2 * at], all[which][2 * at + 1]);
                let beaten = |(other, values): (usize, &&[f64])| {
                    let (value, place) = (values[2 * at], values[2 * at + 1]);
                    better(value, own) || value == own && (place < index || place == index && other < which)
                };
                factor[0] = f64::from(u8::from(!all.iter().enumerate().any(beaten)));
                factor[1] = factor[0];
            }
        }
    }
    factors
}
