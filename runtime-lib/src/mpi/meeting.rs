//! What all processes of a collective call have to agree upon: the procedure, its root, the operation, how much each of them
//! sends and expects. MPI finds little of that, and goes on with other values or waits for ever. Where there is a limit to
//! waiting (`watch.rs`) it is compared before the call.

use std::ffi::CStr;
use std::iter;

use mpi::ffi;

use super::constants::{self, Op};
use super::datatypes::type_size;
use super::watch::{Watched, limit, watch_all};
use super::world::{place, rank_of};
use super::{Call, Fint, In, count, fail, size};

/// Where an amount isn't told.
const UNTOLD: i64 = -1;

/// The processes of a call.
#[derive(Clone, Copy)]
pub(super) struct Group {
    rank: usize,
    processes: usize,
}

/// Numbers of bytes, one for each process.
pub(super) type Amounts = Vec<i64>;

/// The bytes of so many elements.
///
/// # Safety
/// The datatype is one.
unsafe fn bytes(elements: Fint, datatype: Fint) -> i64 {
    // SAFETY: the caller's promise.
    let each = unsafe { type_size(ffi::RSMPI_Type_f2c(datatype)) };
    i64::from(elements).saturating_mul(i64::try_from(each).unwrap_or(i64::MAX))
}

/// All functions take addresses of arguments that count on this process.
impl Group {
    /// Nothing is told.
    pub(super) fn untold(self) -> Amounts {
        vec![UNTOLD; self.processes]
    }

    /// As much for each process.
    pub(super) unsafe fn each(self, elements: In, datatype: In) -> Amounts {
        // SAFETY: the caller's promise.
        vec![unsafe { bytes(*elements, *datatype) }; self.processes]
    }

    /// Something for the root alone.
    pub(super) unsafe fn to(self, root: In, elements: In, datatype: In) -> Amounts {
        let mut all = vec![0; self.processes];
        // SAFETY: the caller's promise.
        unsafe {
            if let Some(amount) = all.get_mut(size(*root)) {
                *amount = bytes(*elements, *datatype);
            }
        }
        all
    }

    /// What a function tells, on the root.
    pub(super) unsafe fn on(self, root: In, told: impl FnOnce() -> Amounts) -> Amounts {
        // SAFETY: the caller's promise.
        if unsafe { size(*root) } == self.rank { told() } else { vec![0; self.processes] }
    }

    /// Another number of elements for each process.
    pub(super) unsafe fn listed(self, counts: In, datatype: In) -> Amounts {
        // SAFETY: the caller's promise.
        (0..self.processes).map(|at| unsafe { bytes(*counts.add(at), *datatype) }).collect()
    }

    /// The same with a datatype for each.
    pub(super) unsafe fn of_types(self, counts: In, datatypes: In) -> Amounts {
        let amount = |at| {
            // SAFETY: the caller's promise. Without elements the datatype may be any.
            unsafe { if *counts.add(at) > 0 { bytes(*counts.add(at), *datatypes.add(at)) } else { 0 } }
        };
        (0..self.processes).map(amount).collect()
    }

    /// For each process as much as this one has in a list.
    pub(super) unsafe fn own(self, counts: In, datatype: In) -> Amounts {
        // SAFETY: the caller's promise.
        unsafe { self.each(counts.add(self.rank), datatype) }
    }
}

/// What one process says of a call.
#[derive(Default)]
pub(super) struct Terms {
    root: Option<Fint>,
    op: Option<Fint>,
    /// Bytes that are as many on all processes.
    alike: Option<i64>,
    /// How much each process gets of this one, and what this one expects of each.
    blocks: Option<(Amounts, Amounts)>,
}

impl Terms {
    /// As many elements on all processes.
    pub(super) unsafe fn alike(elements: In, datatype: In) -> Self {
        // SAFETY: the caller passes arguments of the program.
        Self { alike: Some(unsafe { bytes(*elements, *datatype) }), ..Self::default() }
    }

    /// What each process gets of this one, and what this one expects of each.
    pub(super) fn blocks(gives: Amounts, expects: Amounts) -> Self {
        Self { blocks: Some((gives, expects)), ..Self::default() }
    }

    /// A reduction, to a root or to all.
    pub(super) unsafe fn reduction(root: Option<In>, op: In, elements: In, datatype: In) -> Self {
        // SAFETY: the caller passes arguments of the program.
        unsafe {
            let terms = Self { op: Some(*op), ..Self::alike(elements, datatype) };
            match root {
                Some(root) => terms.root(root),
                None => terms,
            }
        }
    }

    /// A reduction of which each process gets a part: `even` ones, or as many elements as a list says.
    pub(super) unsafe fn parts(group: Group, (counts, even): (In, bool), op: In, datatype: In) -> Self {
        // SAFETY: the caller passes arguments of the program.
        unsafe {
            if even {
                return Self::reduction(None, op, counts, datatype);
            }
            let blocks = Self::blocks(group.listed(counts, datatype), group.own(counts, datatype));
            Self { op: Some(*op), ..blocks }
        }
    }

    /// With one process that the others send to or receive from.
    pub(super) unsafe fn root(self, root: In) -> Self {
        // SAFETY: the caller passes an argument of the program.
        Self { root: Some(unsafe { *root }), ..self }
    }

    /// Numbers by which these terms are told from others: root, operation, bytes.
    fn numbers(&self) -> [i64; 3] {
        // Operations of the program's own have other handles on each process.
        let op = self.op.map(|op| constants::get().op(op).map_or(UNTOLD, |op: Op| op as i64));
        [self.root.map_or(UNTOLD, i64::from), op.unwrap_or(UNTOLD), self.alike.unwrap_or(UNTOLD)]
    }
}

/// What is sent of a call: the procedure and the call as texts, and the numbers of its terms.
const TEXT: usize = 96;
const NAME: usize = 32;
const RECORD: usize = NAME + TEXT + 3 * size_of::<i64>();

fn padded(text: &str, length: usize) -> impl Iterator<Item = u8> {
    text.bytes().chain(iter::repeat(0)).take(length)
}

fn text_of(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

/// The name of an operation by its number among the library's.
fn op_named(number: i64) -> &'static str {
    const NAMES: [&str; 6] = ["MPI_SUM", "MPI_MAX", "MPI_MIN", "MPI_PROD", "MPI_MAXLOC", "MPI_MINLOC"];
    usize::try_from(number).ok().and_then(|at| NAMES.get(at).copied()).unwrap_or("another one")
}

/// The numbers at the end of a record.
fn numbers_of(record: &[u8]) -> Vec<i64> {
    let words = record[NAME + TEXT..].chunks_exact(size_of::<i64>());
    words.map(|word| word.try_into().map_or(UNTOLD, i64::from_ne_bytes)).collect()
}

/// A collective call begins, of MPI's procedure `name`: with a limit to waiting it is watched until what is returned is dropped,
/// and all processes of the communicator compare their terms.
pub(super) fn meet(call: Call, name: &CStr, comm: In, terms: impl FnOnce(Group) -> Terms) -> Option<Watched> {
    limit()?;
    let watched = watch_all(call);
    let mut between = 0;
    // SAFETY: the communicator is the program's.
    let comm = unsafe {
        let comm = ffi::RSMPI_Comm_f2c(*comm);
        ffi::MPI_Comm_test_inter(comm, &mut between);
        comm
    };
    if between == 0 {
        let (rank, processes) = place(comm);
        let group = Group { rank, processes };
        compare(call, &name.to_string_lossy(), comm, group, &terms(group));
    }
    watched
}

/// Stops where what the processes say of a call doesn't fit.
fn compare(call: Call, name: &str, comm: ffi::MPI_Comm, group: Group, terms: &Terms) {
    let mut own: Vec<u8> = padded(name, NAME).chain(padded(&call.to_string(), TEXT)).collect();
    own.extend(terms.numbers().iter().flat_map(|number| number.to_ne_bytes()));
    let mut all = vec![0_u8; RECORD * group.processes];
    // SAFETY: all processes send records of one length.
    unsafe {
        let (byte, length) = (ffi::RSMPI_UINT8_T, count(RECORD));
        ffi::MPI_Allgather(own.as_ptr().cast(), length, byte, all.as_mut_ptr().cast(), length, byte, comm);
    }
    let records: Vec<&[u8]> = all.chunks_exact(RECORD).collect();
    let named = |at: usize| rank_of(comm, count(at)).unwrap_or(-1);
    let theirs = |at: usize| {
        let text = text_of(&records[at][NAME..NAME + TEXT]);
        // What another call has sent may be anything.
        if text.starts_with("costate_mpi_") { text } else { "another call".to_string() }
    };
    let told = |which: usize, number: i64| match which {
        0 => format!("rank {number} as root"),
        1 => format!("{} as operation", op_named(number)),
        _ => format!("{number} bytes"),
    };
    for (at, record) in records.iter().enumerate() {
        if record[..NAME] != own[..NAME] {
            fail::stop(&format_args!("{call} meets {} of rank {}", theirs(at), named(at)));
        }
        let pairs = terms.numbers().into_iter().zip(numbers_of(record)).enumerate();
        if let Some((which, (own, other))) = pairs.into_iter().find(|(_, (own, other))| own != other) {
            let (own, other) = (told(which, own), told(which, other));
            fail::stop(&format_args!("{call} has {own}, and {} of rank {} has {other}", theirs(at), named(at)));
        }
    }
    let Some((gives, expects)) = &terms.blocks else { return };
    let mut given = vec![UNTOLD; group.processes];
    // SAFETY: the procedure is the same on all processes, and tells as many numbers.
    unsafe {
        let (from, to) = (gives.as_ptr().cast(), given.as_mut_ptr().cast());
        ffi::MPI_Alltoall(from, 1, ffi::RSMPI_INT64_T, to, 1, ffi::RSMPI_INT64_T, comm);
    }
    for (at, (given, expected)) in given.iter().zip(expects).enumerate() {
        if given != expected && *given != UNTOLD && *expected != UNTOLD {
            let (there, rank) = (theirs(at), named(at));
            fail::stop(&format_args!(
                "{call} expects {expected} bytes of rank {rank}, which sends {given} with {there}"
            ));
        }
    }
}
