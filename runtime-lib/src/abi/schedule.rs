//! Schedules of time loops, for `fortran/costate_rt_schedule.f90`.

use std::ptr;

use super::{Descriptor, content, content_mut, process, string};
use crate::driver::{Request, Schedule, Sizes};
use crate::{fatal, settings};

/// Numbers of a request, in the order of the Fortran type.
#[repr(C)]
pub struct Numbers {
    /// Number of the first step.
    pub first: i64,
    /// Number of the last step.
    pub last: i64,
    /// Snapshots in memory.
    pub snapshots: i64,
    /// Snapshots on disk.
    pub on_disk: i64,
    /// Bytes of a snapshot, of a step's tape, of memory.
    pub bytes: [i64; 3],
    /// How many of these are given.
    pub sizes: i64,
    /// Lengths of the strings.
    pub lengths: [i64; 3],
}

/// Starts a schedule; a schedule that the handle held is ended. `*verify` says whether values are to be compared.
///
/// # Safety
/// `handle` points to null or to a value that this function stored; `numbers` to lengths of the three strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_schedule_start(
    handle: *mut *mut Schedule,
    numbers: *const Numbers,
    kind: *const u8,
    name: *const u8,
    folder: *const u8,
    verify: *mut i32,
) {
    // SAFETY: the caller's promise.
    unsafe {
        costate_rt_schedule_end(handle);
        let numbers = &*numbers;
        let request = Request {
            kind: string(kind, numbers.lengths[0]),
            name: string(name, numbers.lengths[1]),
            first: numbers.first,
            last: numbers.last,
            snapshots: positive(numbers.snapshots),
            on_disk: positive(numbers.on_disk),
            bytes: (numbers.sizes >= 2).then(|| Sizes {
                snapshot: positive(numbers.bytes[0]),
                tape: positive(numbers.bytes[1]),
                memory: (numbers.sizes == 3).then(|| positive(numbers.bytes[2])),
            }),
            folder: Some(string(folder, numbers.lengths[2])).filter(|f| !f.is_empty()).map(Into::into),
        };
        process::prepare();
        if request.on_disk > 0 {
            process::report_file_limit();
        }
        let name = request.name.clone();
        let schedule = Schedule::start(request).unwrap_or_else(|why| fatal::snapshot(&name, &why));
        *verify = settings::get().verify.into();
        *handle = Box::into_raw(Box::new(schedule));
    }
}

/// Tells the next action and the steps that it concerns.
///
/// # Safety
/// `handle` points to null or to a value that [`costate_rt_schedule_start`] stored; the rest is writable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_schedule_next(
    handle: *mut *mut Schedule,
    action: *mut i32,
    from: *mut i64,
    to: *mut i64,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let schedule = started(handle);
        match schedule.next() {
            Ok(order) => (*action, *from, *to) = (order.what as i32, order.from, order.to),
            Err(why) => fatal::snapshot(schedule.name(), &why),
        }
    }
}

/// Appends an object of `elements` elements to the snapshot that is being taken.
///
/// # Safety
/// As for [`costate_rt_schedule_next`]; `object` describes such an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_schedule_put(handle: *mut *mut Schedule, object: *const Descriptor, elements: i64) {
    // SAFETY: the caller's promise.
    unsafe {
        let schedule = started(handle);
        if let Err(why) = schedule.put(content(object, elements)) {
            fatal::snapshot(schedule.name(), &why);
        }
    }
}

/// Reads the next object of the snapshot that is being restored.
///
/// # Safety
/// As for [`costate_rt_schedule_put`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_schedule_get(handle: *mut *mut Schedule, object: *const Descriptor, elements: i64) {
    // SAFETY: the caller's promise.
    unsafe {
        let schedule = started(handle);
        if let Err(why) = schedule.get(content_mut(object, elements)) {
            fatal::snapshot(schedule.name(), &why);
        }
    }
}

/// Announces that the step that ran last was the last one of the loop.
///
/// # Safety
/// As for [`costate_rt_schedule_next`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_schedule_stop(handle: *mut *mut Schedule) {
    // SAFETY: the caller's promise.
    unsafe {
        let schedule = started(handle);
        if let Err(why) = schedule.stop() {
            fatal::snapshot(schedule.name(), &why);
        }
    }
}

/// Compares the object `name` at a step with what it was when it was computed first.
///
/// # Safety
/// As for [`costate_rt_schedule_put`]; `name` has `length` characters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_schedule_verify(
    handle: *mut *mut Schedule,
    name: *const u8,
    length: i64,
    step: i64,
    object: *const Descriptor,
    elements: i64,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let schedule = started(handle);
        if let Err(why) = schedule.verify(&string(name, length), step, content(object, elements)) {
            fatal::difference(&format_args!("schedule `{}`", schedule.name()), &why);
        }
    }
}

/// Ends a schedule, started or not, and makes its handle null.
///
/// # Safety
/// `handle` points to null or to a value that [`costate_rt_schedule_start`] stored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn costate_rt_schedule_end(handle: *mut *mut Schedule) {
    // SAFETY: the caller's promise; the handle is made null, so the box is taken back once only.
    unsafe {
        let schedule = ptr::replace(handle, ptr::null_mut());
        if schedule.is_null() {
            return;
        }
        let schedule = Box::from_raw(schedule);
        let name = schedule.name().to_string();
        if let Err(why) = schedule.end() {
            fatal::snapshot(&name, &why);
        }
    }
}

/// A number that is 0 where it is negative.
fn positive(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// # Safety
/// `handle` points to null or to a schedule that nothing else refers to.
unsafe fn started<'a>(handle: *mut *mut Schedule) -> &'a mut Schedule {
    // SAFETY: the caller's promise.
    unsafe { (*handle).as_mut() }.unwrap_or_else(|| fatal::schedule("", &"it was not started"))
}
