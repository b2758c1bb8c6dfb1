//! Every function that Fortran calls. The files of `fortran/` declare the same signatures.
//!
//! All unsafe code of the library is in this folder and, for MPI, in `mpi/`. The Fortran modules are the only callers; they
//! pass addresses of their own variables and never share a tape or a schedule between two calls that run at the same time.

#![allow(unsafe_code)]

pub mod process;
pub mod schedule;
pub mod tape;
pub mod verify;

use std::slice;

use crate::fatal;
use crate::tape::Misuse;

/// The descriptor of a Fortran object (`CFI_cdesc_t`). Its first two members are the same in every compiler (Fortran
/// 2018, 18.5.3), and the objects are contiguous, so that the others are hardly needed.
#[repr(C)]
pub struct Descriptor {
    base: *mut u8,
    element_bytes: usize,
    version: i32,
    rank: u8,
    /// Type and attribute, which differ in order.
    kind: [u8; 3],
    /// For each dimension lower bound, extent and stride.
    dimensions: [[isize; 3]; 0],
}

/// Bytes of an object that has `elements` elements according to Fortran's `size`.
///
/// # Safety
/// The descriptor is one that the Fortran compiler made.
unsafe fn bytes(object: *const Descriptor, elements: i64) -> usize {
    // SAFETY: the caller's promise.
    unsafe { (*object).element_bytes.saturating_mul(usize::try_from(elements).unwrap_or_else(|_| unknown(object))) }
}

/// The number of elements where `size` is negative: 0, or else the object has no size that is known.
///
/// An array of assumed size, passed as a whole, has a last extent of -1. But gfortran 12 takes some arrays without
/// elements for such; its descriptor tells the two apart. This layout is that of gfortran and flang.
///
/// # Safety
/// As for [`bytes`].
unsafe fn unknown(object: *const Descriptor) -> usize {
    // SAFETY: the descriptor has as many dimensions as its rank says.
    let dimensions = unsafe {
        let start = (&raw const (*object).dimensions).cast::<[isize; 3]>();
        slice::from_raw_parts(start, usize::from((*object).rank.min(15)))
    };
    let empty = dimensions.iter().any(|[_, extent, _]| *extent == 0);
    if empty && dimensions.iter().all(|[_, extent, _]| *extent >= 0) { 0 } else { fatal::assumed_size() }
}

/// The content of an object of `elements` elements.
///
/// # Safety
/// The descriptor is one that the Fortran compiler made for a contiguous object of that many elements.
unsafe fn content<'a>(object: *const Descriptor, elements: i64) -> &'a [u8] {
    // SAFETY: the caller's promise. An empty object may have no address.
    unsafe {
        match bytes(object, elements) {
            0 => &[],
            bytes => slice::from_raw_parts((*object).base, bytes),
        }
    }
}

/// The same to write to.
///
/// # Safety
/// As for [`content`]; nothing else refers to the object meanwhile.
unsafe fn content_mut<'a>(object: *const Descriptor, elements: i64) -> &'a mut [u8] {
    // SAFETY: as above.
    unsafe {
        match bytes(object, elements) {
            0 => &mut [],
            bytes => slice::from_raw_parts_mut((*object).base, bytes),
        }
    }
}

/// A Fortran character string, without the blanks at its end.
///
/// # Safety
/// `length` characters can be read at `text`.
unsafe fn string(text: *const u8, length: i64) -> String {
    // SAFETY: the caller's promise. An empty string may have no address.
    let bytes = match count(length) {
        0 => &[][..],
        length => unsafe { slice::from_raw_parts(text, length) },
    };
    String::from_utf8_lossy(bytes).trim_end_matches(' ').to_string()
}

/// Fortran has no unsigned integers; a negative count is an error of the interface.
fn count(value: i64) -> usize {
    usize::try_from(value).unwrap_or_else(|_| fatal::misuse(&Misuse::Count(value)))
}
