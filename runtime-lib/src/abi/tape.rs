//! Tapes, for `fortran/costate_rt_tape.f90` and the files of its pushes and pops.

use std::ptr;

use super::{count, process};
use crate::fatal;
use crate::tape::{Misuse, Tape, View};

/// Opens a block for at least `need` words. `*handle` is null for a tape that was not used yet.
///
/// # Safety
/// `handle` points to null or to a value that this function stored there; `block` and `capacity` are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_grow(
    handle: *mut *mut Tape,
    used: i64,
    need: i64,
    block: *mut *mut u64,
    capacity: *mut i64,
) {
    // SAFETY: the caller's promise; a non-null handle came from `Box::into_raw` below.
    unsafe {
        if (*handle).is_null() {
            process::prepare();
            *handle = Box::into_raw(Box::default());
        }
        match (**handle).grow(count(used), count(need)) {
            Ok(view) => show(view, block, capacity),
            Err(why) => fatal::no_memory(&why),
        }
    }
}

/// Goes back to the block before the open one, to pop `need` words. `used` is the count of the open block on
/// entry and that of the block gone back to on return.
///
/// # Safety
/// `handle` points to null or to a value that [`costate_rt_grow`] stored; the other pointers are writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_shrink(
    handle: *mut *mut Tape,
    used: *mut i64,
    need: i64,
    block: *mut *mut u64,
    capacity: *mut i64,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let need = count(need);
        let Some(tape) = (*handle).as_mut() else { fatal::misuse(&Misuse::Empty { asked: need }) };
        match tape.shrink(count(*used), need) {
            Ok(view) => {
                *used = words(view.used);
                show(view, block, capacity);
            }
            Err(why) => fatal::misuse(&why),
        }
    }
}

/// Frees a tape, used or not, and makes its handle null.
///
/// # Safety
/// `handle` points to null or to a value that [`costate_rt_grow`] stored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_release(handle: *mut *mut Tape, used: i64) {
    // SAFETY: the caller's promise; the handle is made null, so the box is taken back once only.
    unsafe {
        let tape = ptr::replace(handle, ptr::null_mut());
        if tape.is_null() {
            return;
        }
        if let Err(why) = Box::from_raw(tape).release(count(used)) {
            fatal::misuse(&why);
        }
    }
}

/// Copies an array to a tape.
///
/// # Safety
/// `bytes` bytes can be read at `from` and written at `to`, and the two do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_save(to: *mut u8, from: *const u8, bytes: i64) {
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(from, to, count(bytes)) }
}

/// Copies an array back from a tape.
///
/// # Safety
/// As for [`costate_rt_save`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_restore(from: *const u8, to: *mut u8, bytes: i64) {
    // SAFETY: the caller's promise.
    unsafe { ptr::copy_nonoverlapping(from, to, count(bytes)) }
}

/// # Safety
/// `block` and `capacity` are writable.
unsafe fn show(view: View, block: *mut *mut u64, capacity: *mut i64) {
    // SAFETY: the caller's promise.
    unsafe {
        *block = view.address;
        *capacity = words(view.words);
    }
}

/// A count of words that are in memory fits.
fn words(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_back_in_reverse() {
        const COUNT: i64 = 3_000_000;
        let mut handle = ptr::null_mut();
        let mut block = ptr::null_mut();
        let (mut used, mut capacity) = (0, 0);
        // SAFETY: local variables; every index is below the capacity that was returned with the block.
        unsafe {
            for value in 0..COUNT {
                if used == capacity {
                    costate_rt_grow(&raw mut handle, used, 1, &raw mut block, &raw mut capacity);
                    used = 0;
                }
                *block.add(count(used)) = value.unsigned_abs();
                used += 1;
            }
            for value in (0..COUNT).rev() {
                if used == 0 {
                    costate_rt_shrink(&raw mut handle, &raw mut used, 1, &raw mut block, &raw mut capacity);
                }
                used -= 1;
                assert_eq!(*block.add(count(used)), value.unsigned_abs());
            }
            costate_rt_release(&raw mut handle, used);
            assert!(handle.is_null());
            costate_rt_release(&raw mut handle, 0);
        }
    }
}
