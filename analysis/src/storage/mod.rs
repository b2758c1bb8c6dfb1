//! Storage: which variables (down to the leaf components of derived types) a reference touches, and when two
//! references are surely the same or surely apart.

mod alias;
mod dummies;
pub mod layout;
mod loc;
mod loc_bits;
mod locs;
mod overlap;
mod targets;
mod types;

pub use self::alias::{pointer_paths, value_paths};
pub use self::loc::{
    Loc, LocId, LocSet, Root, any_symbol, canonical, component, drop_parent, has_symbol, is_allocatable, is_global,
    is_whole, resolve, symbols,
};
pub use self::loc_bits::LocBits;
pub use self::locs::Locs;
pub use self::overlap::{
    Overlap, deciding, ends, may_alias, offset_difference, overlap, overlap_by_parts, split_offset, through_pointer,
};
pub use self::types::{all_components, extended, extensions, holds_allocatables, holds_memory, holds_pointers};
