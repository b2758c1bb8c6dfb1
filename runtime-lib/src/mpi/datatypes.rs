//! What datatypes of MPI are made of.

use std::ffi::c_int;

use mpi::ffi;

use super::constants::{self, Class, Combiner};
use super::size;

/// MPI's datatype of reals.
pub(super) fn real(single: bool) -> ffi::MPI_Datatype {
    // SAFETY: constants of the bindings.
    unsafe { if single { ffi::RSMPI_FLOAT } else { ffi::RSMPI_DOUBLE } }
}

/// The elements that a datatype is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Basic {
    pub(super) class: Class,
    pub(super) handle: ffi::MPI_Datatype,
}

impl Basic {
    /// True for reals, and what is made of two of them.
    pub(super) fn is_real(&self) -> bool {
        matches!(self.class, Class::Real | Class::Complex | Class::Pair)
    }
}

/// The number of bytes of a datatype.
///
/// # Safety
/// It is one.
pub(super) unsafe fn type_size(datatype: ffi::MPI_Datatype) -> usize {
    let mut bytes: c_int = 0;
    // SAFETY: callers pass datatypes.
    unsafe { ffi::MPI_Type_size(datatype, &mut bytes) };
    size(bytes)
}

/// How a datatype is made that isn't one of MPI's own.
pub(super) struct Contents {
    pub(super) combiner: c_int,
    pub(super) integers: Vec<c_int>,
    pub(super) addresses: Vec<ffi::MPI_Aint>,
    pub(super) parts: Vec<ffi::MPI_Datatype>,
}

/// How a datatype is made, if it isn't one of MPI's own; its parts have to be [given back](give_back).
///
/// # Safety
/// It is one.
pub(super) unsafe fn contents(datatype: ffi::MPI_Datatype) -> Option<Contents> {
    let constants = constants::get();
    let (mut integers, mut addresses, mut datatypes, mut combiner) = (0, 0, 0, 0);
    // SAFETY: the caller's promise; the arrays are as long as MPI says that they must be.
    unsafe {
        ffi::MPI_Type_get_envelope(datatype, &mut integers, &mut addresses, &mut datatypes, &mut combiner);
        if combiner == constants.named || combiner == constants.f90_real || combiner == constants.f90_complex {
            return None;
        }
        let mut integer = vec![0; size(integers)];
        let mut address = vec![0; size(addresses)];
        let mut parts = vec![ffi::RSMPI_DATATYPE_NULL; size(datatypes)];
        let (to_integers, to_addresses) = (integer.as_mut_ptr(), address.as_mut_ptr());
        #[rustfmt::skip]
        ffi::MPI_Type_get_contents(
            datatype, integers, addresses, datatypes, to_integers, to_addresses, parts.as_mut_ptr(),
        );
        Some(Contents { combiner, integers: integer, addresses: address, parts })
    }
}

/// What a datatype of MPI's own is, if that is known; reals are of 4 or 8 bytes.
///
/// # Safety
/// It is one.
pub(super) unsafe fn named(datatype: ffi::MPI_Datatype) -> Option<Basic> {
    let constants = constants::get();
    let (mut integers, mut addresses, mut datatypes, mut combiner) = (0, 0, 0, 0);
    // SAFETY: callers pass datatypes.
    unsafe {
        ffi::MPI_Type_get_envelope(datatype, &mut integers, &mut addresses, &mut datatypes, &mut combiner);
        let class = if combiner == constants.f90_real {
            Class::Real
        } else if combiner == constants.f90_complex {
            Class::Complex
        } else if datatype == ffi::RSMPI_FLOAT || datatype == ffi::RSMPI_DOUBLE {
            Class::Real
        } else if datatype == ffi::RSMPI_FLOAT_COMPLEX || datatype == ffi::RSMPI_DOUBLE_COMPLEX {
            Class::Complex
        } else {
            constants.class(ffi::RSMPI_Type_c2f(datatype))?
        };
        let basic = Basic { class, handle: datatype };
        let reals = type_size(datatype) / if class == Class::Real { 1 } else { 2 };
        (!basic.is_real() || matches!(reals, 4 | 8)).then_some(basic)
    }
}

/// What a datatype is made of, if that is one type of reals or complex numbers of 4 or 8 bytes a real.
///
/// # Safety
/// It is one.
pub(super) unsafe fn basic(datatype: ffi::MPI_Datatype) -> Option<Basic> {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(mut made) = contents(datatype) else { return named(datatype).filter(Basic::is_real) };
        let found: Vec<_> = made.parts.iter().map(|part| basic(*part)).collect();
        made.parts.iter_mut().for_each(|part| give_back(part));
        let first = found.first().copied().flatten()?;
        found.iter().all(|part| *part == Some(first)).then_some(first)
    }
}

/// True for a datatype that has no element twice, as its kind tells.
///
/// # Safety
/// It is one.
pub(super) unsafe fn is_apart(datatype: ffi::MPI_Datatype) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(mut made) = contents(datatype) else { return true };
        let (mut low, mut extent) = (0, 0);
        if let Some(part) = made.parts.first() {
            ffi::MPI_Type_get_extent(*part, &mut low, &mut extent);
        }
        let Contents { combiner, integers, addresses, .. } = &made;
        let steps = match constants::get().combiner(*combiner) {
            Some(Combiner::Dup | Combiner::Contiguous | Combiner::Subarray) => true,
            Some(Combiner::Vector) => integers[2].abs() >= integers[1],
            Some(Combiner::Hvector) => addresses[0].abs() >= integers[1] as ffi::MPI_Aint * extent,
            _ => false,
        };
        let apart = steps && made.parts.iter().all(|part| is_apart(*part));
        made.parts.iter_mut().for_each(|part| give_back(part));
        apart
    }
}

/// Frees a datatype that MPI has given a handle of, unless it is one of MPI's own.
///
/// # Safety
/// It is one.
pub(super) unsafe fn give_back(datatype: &mut ffi::MPI_Datatype) {
    let constants = constants::get();
    let (mut integers, mut addresses, mut datatypes, mut combiner) = (0, 0, 0, 0);
    // SAFETY: callers pass datatypes.
    unsafe {
        ffi::MPI_Type_get_envelope(*datatype, &mut integers, &mut addresses, &mut datatypes, &mut combiner);
        if combiner != constants.named && combiner != constants.f90_real && combiner != constants.f90_complex {
            ffi::MPI_Type_free(datatype);
        }
    }
}
