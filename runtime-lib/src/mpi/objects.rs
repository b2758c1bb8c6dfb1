//! Datatypes of objects: reals with integers and the like between them. Derivatives are those of the reals, in objects of the
//! same type.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Mutex, OnceLock};

use mpi::ffi;

use super::constants::{self, Combiner};
use super::datatypes::{Basic, Contents, contents, give_back, named};
use super::{count, locked, size};

/// The reals of a datatype.
#[derive(Clone, Copy)]
pub(super) struct Reals {
    /// A datatype of these alone, at the same places.
    pub(super) datatype: ffi::MPI_Datatype,
    pub(super) basic: Basic,
    /// How many there are.
    pub(super) number: usize,
}

// SAFETY: handles of MPI's may be used by any thread that may call MPI.
unsafe impl Send for Reals {}

/// Those that were found, by a number that their datatype keeps.
static FOUND: Mutex<Option<HashMap<usize, Reals>>> = Mutex::new(None);

unsafe extern "C" fn inherit_nothing(
    _: ffi::MPI_Datatype,
    _: c_int,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: MPI passes a variable of its own.
    unsafe { *flag = 0 };
    0
}

unsafe extern "C" fn forget(_: ffi::MPI_Datatype, _: c_int, number: *mut c_void, _: *mut c_void) -> c_int {
    let found = locked(&FOUND).get_or_insert_default().remove(&(number as usize));
    // SAFETY: the datatype is the library's own.
    found.map_or(0, |mut reals| unsafe { ffi::MPI_Type_free(&mut reals.datatype) })
}

/// The key of what is kept with a datatype.
fn keyval() -> c_int {
    static KEYVAL: OnceLock<c_int> = OnceLock::new();
    *KEYVAL.get_or_init(|| {
        let mut keyval = 0;
        // SAFETY: MPI runs; the functions are of the types that it asks for, and keep to their contracts.
        unsafe { ffi::MPI_Type_create_keyval(Some(inherit_nothing), Some(forget), &mut keyval, ptr::null_mut()) };
        keyval
    })
}

/// The reals of a datatype that the program has made; none where they are of several kinds, or where they are isn't known.
///
/// # Safety
/// It is one.
pub(super) unsafe fn reals(datatype: ffi::MPI_Datatype) -> Option<Reals> {
    let (mut number, mut flag): (*mut c_void, c_int) = (ptr::null_mut(), 0);
    // SAFETY: the caller's promise.
    unsafe {
        ffi::MPI_Type_get_attr(datatype, keyval(), (&raw mut number).cast(), &mut flag);
        if flag != 0 {
            return locked(&FOUND).get_or_insert_default().get(&(number as usize)).copied();
        }
        let mut made = Vec::new();
        find(datatype, 0, &mut made)?;
        let basic = made.first()?.1;
        let alike = made.iter().all(|(_, other)| *other == basic);
        let found = alike.then(|| only(datatype, &made, basic))?;
        let mut all = locked(&FOUND);
        let all = all.get_or_insert_default();
        let free = (1..).find(|n| !all.contains_key(n)).unwrap_or_default();
        all.insert(free, found);
        ffi::MPI_Type_set_attr(datatype, keyval(), free as *mut c_void);
        Some(found)
    }
}

/// A datatype of the reals of another one.
unsafe fn only(datatype: ffi::MPI_Datatype, places: &[(ffi::MPI_Aint, Basic)], basic: Basic) -> Reals {
    let at: Vec<ffi::MPI_Aint> = places.iter().map(|(at, _)| *at).collect();
    let (mut low, mut extent) = (0, 0);
    // SAFETY: the caller's promise; the array is as long as is said.
    unsafe {
        let (mut bare, mut own) = (ffi::RSMPI_DATATYPE_NULL, ffi::RSMPI_DATATYPE_NULL);
        ffi::MPI_Type_get_extent(datatype, &mut low, &mut extent);
        ffi::MPI_Type_create_hindexed_block(count(at.len()), 1, at.as_ptr(), basic.handle, &mut bare);
        ffi::MPI_Type_create_resized(bare, low, extent, &mut own);
        ffi::MPI_Type_free(&mut bare);
        ffi::MPI_Type_commit(&mut own);
        Reals { datatype: own, basic, number: at.len() }
    }
}

/// Adds the reals of a datatype that begins at some place, with their places; none where something may be bytes of reals.
unsafe fn find(datatype: ffi::MPI_Datatype, at: ffi::MPI_Aint, out: &mut Vec<(ffi::MPI_Aint, Basic)>) -> Option<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(mut made) = contents(datatype) else {
            out.extend(Some(named(datatype)?).filter(Basic::is_real).map(|basic| (at, basic)));
            return Some(());
        };
        let found = blocks(&made).map(|blocks| {
            blocks.into_iter().try_for_each(|(part, from, number)| {
                let (mut low, mut extent) = (0, 0);
                ffi::MPI_Type_get_extent(made.parts[part], &mut low, &mut extent);
                let from = from.unwrap_or_else(|elements| elements * extent);
                (0..number).try_for_each(|k| find(made.parts[part], at + from + k * extent, out))
            })
        });
        made.parts.iter_mut().for_each(|part| give_back(part));
        found.flatten()
    }
}

/// The blocks of a datatype: of which other one, where in bytes or else in elements of that, and how many elements.
type Block = (usize, Result<ffi::MPI_Aint, ffi::MPI_Aint>, ffi::MPI_Aint);

/// What a datatype is made of (MPI 4.0, section 5.1.13).
fn blocks(made: &Contents) -> Option<Vec<Block>> {
    let Contents { combiner, integers, addresses, parts } = made;
    let long = |n: &c_int| *n as ffi::MPI_Aint;
    let first = integers.first().map_or(0, long);
    let number = size(integers.first().copied().unwrap_or_default());
    let lengths = || integers[1..].iter().map(long);
    let even = |stride: ffi::MPI_Aint| (0..first).map(move |k| k * stride);
    Some(match constants::get().combiner(*combiner)? {
        Combiner::Dup | Combiner::Resized => vec![(0, Ok(0), 1)],
        Combiner::Contiguous => vec![(0, Ok(0), first)],
        Combiner::Vector => even(long(&integers[2])).map(|from| (0, Err(from), long(&integers[1]))).collect(),
        Combiner::Hvector => even(addresses[0]).map(|from| (0, Ok(from), long(&integers[1]))).collect(),
        Combiner::Indexed => {
            lengths().zip(&integers[1 + number..]).map(|(length, from)| (0, Err(long(from)), length)).collect()
        }
        Combiner::Hindexed => lengths().zip(addresses).map(|(length, from)| (0, Ok(*from), length)).collect(),
        Combiner::IndexedBlock => integers[2..].iter().map(|n| (0, Err(long(n)), long(&integers[1]))).collect(),
        Combiner::HindexedBlock => addresses.iter().map(|from| (0, Ok(*from), long(&integers[1]))).collect(),
        Combiner::Struct => {
            let all = lengths().zip(addresses).zip(0..parts.len());
            all.map(|((length, from), part)| (part, Ok(*from), length)).collect()
        }
        Combiner::Subarray => return None,
    })
}
