//! Storage: which variables (down to the leaf components of derived types) a reference touches, and when two
//! references are surely the same or surely apart.

mod locs;
mod overlap;

pub use self::locs::{Loc, LocId, LocSet, Locs, is_global, is_whole, resolve, symbols};
pub use self::overlap::{Overlap, offset_difference, overlap, split_offset};
