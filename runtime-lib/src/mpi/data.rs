//! Buffers of any datatype as vectors of reals. A complex number is two reals.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;

use mpi::ffi;

use super::constants::Class;
use super::datatypes::{basic, is_apart, real, type_size};
use super::{Addr, Call, Fint, In, count, fail, objects, size, world};

/// Reals of one precision.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Values {
    Single(Vec<f32>),
    Double(Vec<f64>),
    /// Those of a packed buffer, as `packed.rs` has them in messages.
    Packed(Vec<u8>),
}

impl Values {
    /// Zeros.
    pub(super) fn zeros(single: bool, reals: usize) -> Self {
        if single { Self::Single(vec![0.0; reals]) } else { Self::Double(vec![0.0; reals]) }
    }

    /// Values that were computed in double precision.
    pub(super) fn from_doubles(single: bool, values: &[f64]) -> Self {
        if single {
            Self::Single(values.iter().map(|value| *value as f32).collect())
        } else {
            Self::Double(values.to_vec())
        }
    }

    pub(super) fn doubles(&self) -> Vec<f64> {
        match self {
            Self::Single(values) => values.iter().map(|value| f64::from(*value)).collect(),
            Self::Double(values) => values.clone(),
            Self::Packed(_) => Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Single(values) => values.len(),
            Self::Double(values) => values.len(),
            Self::Packed(bytes) => bytes.len(),
        }
    }

    pub(super) fn truncate(&mut self, reals: usize) {
        match self {
            Self::Single(values) => values.truncate(reals),
            Self::Double(values) => values.truncate(reals),
            // Its length is another one than that of what was packed.
            Self::Packed(_) => {}
        }
    }

    /// The reals from `from` on.
    pub(super) fn part(&self, from: usize, reals: usize) -> Self {
        match self {
            Self::Single(values) => Self::Single(values[from..from + reals].to_vec()),
            Self::Double(values) => Self::Double(values[from..from + reals].to_vec()),
            Self::Packed(bytes) => Self::Packed(bytes[from..from + reals].to_vec()),
        }
    }

    /// More reals behind these.
    pub(super) fn append(&mut self, more: Self) {
        match (self, more) {
            (Self::Single(all), Self::Single(more)) => all.extend(more),
            (Self::Double(all), Self::Double(more)) => all.extend(more),
            _ => fail::stop(&"buffers of a procedure of MPI differ in precision"),
        }
    }

    /// Adds others, of which there may be fewer.
    pub(super) fn add(&mut self, others: &Self) {
        match (self, others) {
            (Self::Single(sums), Self::Single(others)) => sums.iter_mut().zip(others).for_each(|(sum, x)| *sum += x),
            (Self::Double(sums), Self::Double(others)) => sums.iter_mut().zip(others).for_each(|(sum, x)| *sum += x),
            _ => fail::stop(&"a derivative came in another precision than its value"),
        }
    }

    /// The sums with others, of which there may be fewer, where several may be of one place.
    fn with_shared(&self, others: &Self, places: &[usize]) -> Self {
        let mut sums = self.doubles();
        others.doubles().iter().zip(places).for_each(|(x, place)| sums[*place] += x);
        let all: Vec<f64> = places.iter().map(|place| sums[*place]).collect();
        Self::from_doubles(self.is_single(), &all)
    }

    pub(super) fn is_single(&self) -> bool {
        matches!(self, Self::Single(_))
    }

    pub(super) fn datatype(&self) -> ffi::MPI_Datatype {
        match self {
            // SAFETY: a constant of the bindings.
            Self::Packed(_) => unsafe { ffi::RSMPI_UINT8_T },
            _ => real(self.is_single()),
        }
    }

    pub(super) fn address(&self) -> *const c_void {
        match self {
            Self::Single(values) => values.as_ptr().cast(),
            Self::Double(values) => values.as_ptr().cast(),
            Self::Packed(bytes) => bytes.as_ptr().cast(),
        }
    }

    pub(super) fn address_mut(&mut self) -> Addr {
        match self {
            Self::Single(values) => values.as_mut_ptr().cast(),
            Self::Double(values) => values.as_mut_ptr().cast(),
            Self::Packed(bytes) => bytes.as_mut_ptr().cast(),
        }
    }
}

/// A number of elements of a datatype, whose parts are reals or complex numbers of one kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed {
    datatype: ffi::MPI_Datatype,
    /// That of the program's, where it has other things beside reals.
    object: Option<ffi::MPI_Datatype>,
    basic: ffi::MPI_Datatype,
    pub(super) single: bool,
    pub(super) class: Class,
    /// Whether the elements stand one behind the other.
    plain: bool,
    /// Reals of one element of the datatype.
    pub(super) each: usize,
    /// Bytes from an element to the next.
    extent: isize,
    pub(super) elements: usize,
}

// SAFETY: handles of MPI's may be used by any thread that may call MPI.
unsafe impl Send for Typed {}

impl Typed {
    /// The elements of a buffer that `name` was called with.
    ///
    /// # Safety
    /// Both can be read; the datatype is one.
    pub(super) unsafe fn new(call: Call, elements: In, datatype: In) -> Self {
        // SAFETY: the caller's promise.
        unsafe { Self::of(call, size(*elements), *datatype) }
    }

    /// The same of values.
    ///
    /// # Safety
    /// The datatype is one.
    pub(super) unsafe fn of(call: Call, elements: usize, datatype: Fint) -> Self {
        // SAFETY: the caller's promise.
        let Some(typed) = (unsafe { Self::of_reals(elements, datatype) }) else {
            fail::stop(&format_args!(
                "{call}: derivatives of this datatype aren't known: it has no reals, some of several kinds, or bytes that may be reals"
            ))
        };
        typed
    }

    /// The same; none where the datatype has reals or complex numbers of several kinds, or bytes that may be such.
    ///
    /// # Safety
    /// The datatype is one.
    pub(super) unsafe fn of_reals(elements: usize, datatype: Fint) -> Option<Self> {
        // SAFETY: the caller's promise.
        unsafe {
            let handle = ffi::RSMPI_Type_f2c(datatype);
            let (basic, datatype, number) = match basic(handle) {
                Some(basic) => (basic, handle, type_size(handle) / type_size(basic.handle)),
                None => objects::reals(handle).map(|reals| (reals.basic, reals.datatype, reals.number))?,
            };
            let bytes = type_size(basic.handle);
            let real_bytes = if basic.class == Class::Real { bytes } else { bytes / 2 };
            let (mut low, mut extent) = (0, 0);
            ffi::MPI_Type_get_extent(handle, &mut low, &mut extent);
            // Where it is another type than MPI's.
            #[allow(clippy::unnecessary_cast)]
            let extent = extent as isize;
            Some(Self {
                datatype,
                object: (datatype != handle).then_some(handle),
                basic: basic.handle,
                single: real_bytes == 4,
                class: basic.class,
                plain: handle == basic.handle,
                each: number * bytes / real_bytes,
                extent,
                elements,
            })
        }
    }

    /// The same for another number of elements.
    pub(super) fn with(self, elements: usize) -> Self {
        Self { elements, ..self }
    }

    /// A datatype that lives as long as the record that it is for, which a derived one of the program's may not.
    pub(super) fn kept(mut self) -> Self {
        if !self.plain {
            for datatype in [Some(&mut self.datatype), self.object.as_mut()].into_iter().flatten() {
                // SAFETY: the datatype exists.
                unsafe { ffi::MPI_Type_dup(*datatype, datatype) };
            }
        }
        self
    }

    /// Gives a datatype back that was [`kept`](Self::kept).
    pub(super) fn release(mut self) {
        if !self.plain {
            for datatype in [Some(&mut self.datatype), self.object.as_mut()].into_iter().flatten() {
                // SAFETY: it is the library's own.
                unsafe { ffi::MPI_Type_free(datatype) };
            }
        }
    }

    pub(super) fn reals(&self) -> usize {
        self.elements * self.each
    }

    /// Bytes of one of the reals or complex numbers.
    pub(super) fn element_bytes(&self) -> usize {
        let real = if self.single { 4 } else { 8 };
        if self.class == Class::Complex { 2 * real } else { real }
    }

    /// No elements.
    pub(super) fn nothing() -> Self {
        let datatype = real(false);
        let (basic, class) = (datatype, Class::Real);
        Self { datatype, object: None, basic, single: false, class, plain: true, each: 1, extent: 8, elements: 0 }
    }

    /// A buffer of packed data. Its bytes count as its elements and its reals.
    ///
    /// # Safety
    /// Both can be read.
    pub(super) unsafe fn packed(elements: In, datatype: In) -> Self {
        // SAFETY: the caller's promise.
        let (elements, datatype) = unsafe { (size(*elements), ffi::RSMPI_Type_f2c(*datatype)) };
        Self { datatype, basic: datatype, class: Class::Packed, extent: 1, elements, ..Self::nothing() }
    }

    /// True for a buffer of packed data.
    pub(super) fn is_packed(&self) -> bool {
        self.class == Class::Packed
    }

    /// The bytes between the first element and another one.
    pub(super) fn bytes(&self, element: isize) -> isize {
        self.extent * element
    }

    /// Reals in one element of the type that the datatype is made of.
    fn width(&self) -> usize {
        if matches!(self.class, Class::Real | Class::Packed) { 1 } else { 2 }
    }

    /// Reals of a message, by its status.
    pub(super) fn arrived(&self, status: &ffi::MPI_Status) -> usize {
        let mut basics: c_int = 0;
        if let Some(object) = self.object {
            // SAFETY: the status is that of a message of this datatype.
            unsafe { ffi::MPI_Get_count(status, object, &mut basics) };
            if basics < 0 {
                fail::stop(&"a part of an object has arrived, whose derivative isn't known");
            }
            return (size(basics) * self.each).min(self.reals());
        }
        // SAFETY: the status is that of a message of this datatype.
        unsafe { ffi::MPI_Get_elements(status, self.datatype, &mut basics) };
        // Elements of a pair count one by one, except where the pair is a type of its own to MPI.
        let width = if self.class == Class::Pair { 1 } else { self.width() };
        (size(basics) * width).min(self.reals())
    }

    /// The reals of a buffer.
    ///
    /// # Safety
    /// The buffer holds the elements.
    pub(super) unsafe fn read(&self, buffer: Addr) -> Values {
        let mut values = Values::zeros(self.single, self.reals());
        if values.len() > 0 {
            // SAFETY: the caller's promise.
            unsafe {
                if self.plain {
                    let bytes = self.reals() * if self.single { 4 } else { 8 };
                    ptr::copy_nonoverlapping(buffer.cast::<u8>(), values.address_mut().cast(), bytes);
                } else {
                    let reals = values.len();
                    let to = (values.address_mut(), reals / self.width(), self.basic);
                    exchange((buffer.cast_const(), self.elements, self.datatype), to);
                }
            }
        }
        values
    }

    /// Writes reals to the start of a buffer; the others stay.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    pub(super) unsafe fn write(&self, buffer: Addr, values: &Values) {
        if values.len() == 0 {
            return;
        }
        if values.is_single() != self.single || values.len() > self.reals() {
            fail::stop(&"a derivative came in another precision or length than its value");
        }
        // SAFETY: the caller's promise; the length was checked.
        unsafe {
            if self.plain {
                let bytes = values.len() * if self.single { 4 } else { 8 };
                ptr::copy_nonoverlapping(values.address().cast::<u8>(), buffer.cast(), bytes);
            } else {
                let from = (values.address(), values.len() / self.width(), self.basic);
                exchange(from, (buffer, self.elements, self.datatype));
            }
        }
    }

    /// Adds reals to the start of a buffer.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    pub(super) unsafe fn add(&self, buffer: Addr, values: &Values) {
        if values.len() == 0 {
            return;
        }
        // SAFETY: the caller's promise.
        unsafe {
            match values {
                Values::Single(values) if self.plain && self.single => {
                    add_plain(buffer, &values[..values.len().min(self.reals())])
                }
                Values::Double(values) if self.plain && !self.single => {
                    add_plain(buffer, &values[..values.len().min(self.reals())]);
                }
                _ => {
                    let mut sums = self.read(buffer);
                    match self.same_places(buffer, &sums) {
                        Some(places) => sums = sums.with_shared(values, &places),
                        None => {
                            sums.truncate(values.len());
                            sums.add(values);
                        }
                    }
                    self.write(buffer, &sums);
                }
            }
        }
    }

    /// For each real of a buffer, whose values are given, one that stands in the same place: what is sent may have elements
    /// twice (MPI 4.0, section 5.1.11). `None` where none does, as the datatype tells.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    unsafe fn same_places(&self, buffer: Addr, values: &Values) -> Option<Vec<usize>> {
        // SAFETY: the caller's promise.
        unsafe {
            if is_apart(self.datatype) {
                return None;
            }
            // Each place is given its number. All are whole in either precision.
            let numbers: Vec<f64> = (0..values.len()).map(|k| k as f64).collect();
            if self.single && values.len() > 1 << 24 {
                fail::stop(&"the derivative of a message of so many reals of a datatype like this isn't known");
            }
            self.write(buffer, &Values::from_doubles(self.single, &numbers));
            let places = self.read(buffer).doubles();
            self.write(buffer, values);
            Some(places.into_iter().map(|place| place as usize).collect())
        }
    }

    /// Sets reals at the start of a buffer to zero.
    ///
    /// # Safety
    /// As for [`read`](Self::read).
    pub(super) unsafe fn clear(&self, buffer: Addr, reals: usize) {
        // SAFETY: the caller's promise.
        unsafe { self.write(buffer, &Values::zeros(self.single, reals.min(self.reals()))) };
    }
}

/// # Safety
/// The buffer holds as many numbers.
unsafe fn add_plain<T: Copy + std::ops::AddAssign>(buffer: Addr, values: &[T]) {
    // SAFETY: the caller's promise; Fortran's reals are aligned.
    let sums = unsafe { slice::from_raw_parts_mut(buffer.cast::<T>(), values.len()) };
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += *value);
}

/// Copies from one datatype to another with the same elements.
///
/// # Safety
/// Both buffers are what they are said to be.
unsafe fn exchange(
    (from, sent, sent_type): (*const c_void, usize, ffi::MPI_Datatype),
    (to, received, received_type): (Addr, usize, ffi::MPI_Datatype),
) {
    let own = world::own();
    // SAFETY: the caller's promise.
    unsafe {
        let ignore = ffi::RSMPI_STATUS_IGNORE;
        ffi::MPI_Sendrecv(from, count(sent), sent_type, 0, 0, to, count(received), received_type, 0, 0, own, ignore);
    }
}
