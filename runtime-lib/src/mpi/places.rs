//! In which array a buffer is.

/// An array that buffers may be in.
#[derive(Clone)]
pub(super) struct Array<T> {
    pub(super) address: usize,
    /// How many elements it has, if that is known.
    pub(super) elements: Option<usize>,
    /// What belongs to it.
    pub(super) with: T,
}

/// How well a buffer fits into an array; the better is the greater.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Fit {
    /// Of arrays whose ends aren't known the one that starts last before the buffer holds it.
    Possible {
        array: usize,
    },
    Certain,
}

/// The bytes between the start of an array and a buffer.
pub(super) struct Place<T> {
    pub(super) offset: usize,
    pub(super) with: T,
    fit: Fit,
}

impl<T: Clone> Place<T> {
    /// True where no other array can be the right one.
    pub(super) fn is_certain(&self) -> bool {
        self.fit == Fit::Certain
    }

    /// The place in an array of what begins at an address, its elements being so many bytes long, where that is better than
    /// one that was found before.
    pub(super) fn better(found: &mut Option<Self>, array: &Array<T>, address: usize, bytes_each: usize) {
        let Some(offset) = address.checked_sub(array.address) else { return };
        let bytes = array.elements.map(|elements| elements.saturating_mul(bytes_each));
        // Two reals of a message may be one complex element of the array.
        let fit = match bytes {
            Some(bytes) if offset < bytes => Fit::Certain,
            Some(bytes) if offset >= bytes.saturating_mul(2) => return,
            _ => Fit::Possible { array: array.address },
        };
        if found.as_ref().is_none_or(|place| !place.is_certain() && place.fit <= fit) {
            *found = Some(Self { offset, with: array.with.clone(), fit });
        }
    }
}

/// The place of what begins at an address among some arrays.
pub(super) fn find<T: Clone>(arrays: &[Array<T>], address: usize, bytes_each: usize) -> Option<Place<T>> {
    let mut found = None;
    arrays.iter().for_each(|array| Place::better(&mut found, array, address, bytes_each));
    found
}
