//! Comparison of single values, for `fortran/costate_rt_verify.f90`.

use super::{Descriptor, content, string};
use crate::verify::{Difference, checksum};
use crate::{fatal, settings};

/// Stores the checksum of an object in `*sum`, or 0 where nothing is to be compared.
///
/// # Safety
/// `sum` can be written; `object` is a descriptor of a contiguous object of `elements` elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_note(sum: *mut u64, object: *const Descriptor, elements: i64) {
    // SAFETY: the caller's promise.
    unsafe {
        *sum = if settings::get().verify { checksum(content(object, elements)) } else { 0 };
    }
}

/// Ends the program where an object isn't what it was when `*sum` was stored, and that is to be compared.
///
/// # Safety
/// As for [`costate_rt_note`]; `place` and `name` have as many characters as their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_compare(
    place: *const u8,
    place_length: i64,
    name: *const u8,
    name_length: i64,
    object: *const Descriptor,
    elements: i64,
    sum: *const u64,
) {
    if !settings::get().verify {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        let (first, again) = (*sum, checksum(content(object, elements)));
        if first != again {
            let why = Difference { name: string(name, name_length), step: None, first, again };
            fatal::difference(&format_args!("procedure `{}`", string(place, place_length)), &why);
        }
    }
}
