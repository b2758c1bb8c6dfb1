//! What only MPI's Fortran interface knows: addresses that stand for an absent argument, and values of constants.
//!
//! `fortran/costate_mpi_constants*.f90` are compiled with the MPI's compiler and call the two functions below.

use std::ffi::c_void;
use std::sync::{Mutex, OnceLock};

use super::{Addr, Fint, locked};

/// The operation of a reduction, by the numbers of the Fortran file from 20 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Sum,
    Max,
    Min,
    Prod,
    MaxLoc,
    MinLoc,
}

/// How a datatype is made of others; the order is that of the numbers in the Fortran file from 30 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Combiner {
    Dup,
    Resized,
    Contiguous,
    Vector,
    Hvector,
    Indexed,
    Hindexed,
    IndexedBlock,
    HindexedBlock,
    Struct,
    Subarray,
}

/// All of them.
pub(super) const COMBINERS: [Combiner; 11] = [
    Combiner::Dup,
    Combiner::Resized,
    Combiner::Contiguous,
    Combiner::Vector,
    Combiner::Hvector,
    Combiner::Indexed,
    Combiner::Hindexed,
    Combiner::IndexedBlock,
    Combiner::HindexedBlock,
    Combiner::Struct,
    Combiner::Subarray,
];

/// What the elements of a datatype with a name are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Real,
    Complex,
    /// A real value with an index that is kept as a real, too.
    Pair,
    /// Bytes of packed data.
    Packed,
    /// A number, truth value or character that isn't real.
    Other,
}

/// See the module.
#[derive(Debug, Default)]
pub(super) struct Constants {
    ignored: Vec<usize>,
    in_place: Vec<usize>,
    bottom: Vec<usize>,
    pub(super) status_size: usize,
    pub(super) named: Fint,
    pub(super) f90_real: Fint,
    pub(super) f90_complex: Fint,
    pub(super) largest_tag: Fint,
    classes: Vec<(Fint, Class)>,
    ops: Vec<(Fint, Op)>,
    combiners: Vec<(Fint, Combiner)>,
}

impl Constants {
    /// Whether this is the address of `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`.
    pub(super) fn is_ignored(&self, status: *const Fint) -> bool {
        self.ignored.contains(&(status as usize))
    }

    /// Whether this is the address of `MPI_BOTTOM`.
    pub(super) fn is_bottom(&self, buffer: *const c_void) -> bool {
        self.bottom.contains(&(buffer as usize))
    }

    /// The address of `MPI_IN_PLACE` of those procedures that are called here; that of `mpi_f08` may be another one.
    pub(super) fn in_place(&self) -> *mut c_void {
        self.in_place.first().copied().unwrap_or_default() as *mut c_void
    }

    /// What the elements of a datatype with a name are.
    pub(super) fn class(&self, datatype: Fint) -> Option<Class> {
        self.classes.iter().find(|(known, _)| *known == datatype).map(|(_, class)| *class)
    }

    /// How a datatype is made that isn't one of MPI's own.
    pub(super) fn combiner(&self, value: Fint) -> Option<Combiner> {
        self.combiners.iter().find(|(known, _)| *known == value).map(|(_, combiner)| *combiner)
    }

    /// The operation of a handle.
    pub(super) fn op(&self, handle: Fint) -> Option<Op> {
        self.ops.iter().find(|(known, _)| *known == handle).map(|(_, op)| *op)
    }
}

static NOTED: Mutex<Option<Constants>> = Mutex::new(None);

unsafe extern "C" {
    fn costate_mpi_constants();
    fn costate_mpi_constants_f08();
}

/// The constants. MPI has been initialised.
pub(super) fn get() -> &'static Constants {
    static CONSTANTS: OnceLock<Constants> = OnceLock::new();
    CONSTANTS.get_or_init(|| {
        *locked(&NOTED) = Some(Constants::default());
        // SAFETY: both call nothing but the functions below. The first is that of the procedures that are called here.
        unsafe {
            costate_mpi_constants();
            costate_mpi_constants_f08();
        }
        locked(&NOTED).take().unwrap_or_default()
    })
}

/// The address that stands for a buffer in place.
pub(super) fn here() -> Addr {
    get().in_place()
}

/// Called by the Fortran files.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_note_address(what: *const Fint, address: *const c_void) {
    if let Some(noted) = &mut *locked(&NOTED) {
        // SAFETY: the Fortran files pass a variable of their own.
        match unsafe { *what } {
            1 => noted.ignored.push(address as usize),
            2 => noted.in_place.push(address as usize),
            _ => noted.bottom.push(address as usize),
        }
    }
}

/// Called by the Fortran files.
#[unsafe(no_mangle)]
unsafe extern "C" fn costate_mpi_note_value(what: *const Fint, value: *const Fint) {
    let Some(noted) = &mut *locked(&NOTED) else { return };
    // SAFETY: the Fortran files pass variables of their own.
    let (what, value) = unsafe { (*what, *value) };
    match what {
        1 => noted.status_size = usize::try_from(value).unwrap_or_default(),
        2 => noted.named = value,
        3 => noted.f90_real = value,
        4 => noted.f90_complex = value,
        5 => noted.largest_tag = value,
        10 => noted.classes.push((value, Class::Real)),
        11 => noted.classes.push((value, Class::Complex)),
        12 => noted.classes.push((value, Class::Pair)),
        13 => noted.classes.push((value, Class::Other)),
        20 => noted.ops.push((value, Op::Sum)),
        21 => noted.ops.push((value, Op::Max)),
        22 => noted.ops.push((value, Op::Min)),
        23 => noted.ops.push((value, Op::Prod)),
        24 => noted.ops.push((value, Op::MaxLoc)),
        25 => noted.ops.push((value, Op::MinLoc)),
        _ => {
            let which = usize::try_from(what).ok().and_then(|what| COMBINERS.get(what.checked_sub(30)?));
            noted.combiners.extend(which.map(|which| (value, *which)));
        }
    }
}
