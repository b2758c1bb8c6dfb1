//! Dense sets of locations.

use fixedbitset::FixedBitSet;

use super::loc::LocId;

/// A set of locations with a bit for each: for sets with many of all locations that there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LocBits(FixedBitSet);

impl LocBits {
    /// The locations, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = LocId> + '_ {
        self.0.ones().map(|n| LocId(n as u32))
    }

    /// How many locations there are.
    pub fn len(&self) -> usize {
        self.0.count_ones(..)
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_clear()
    }

    /// True for a location of the set.
    pub fn contains(&self, l: &LocId) -> bool {
        self.0.contains(l.0 as usize)
    }

    /// Adds a location.
    pub fn insert(&mut self, l: LocId) {
        self.0.grow_and_insert(l.0 as usize);
    }

    /// Takes a location out.
    pub fn remove(&mut self, l: LocId) {
        if self.contains(&l) {
            self.0.remove(l.0 as usize);
        }
    }

    /// True when it has a location in common with another set.
    pub fn meets(&self, other: &LocBits) -> bool {
        !self.0.is_disjoint(&other.0)
    }

    /// The locations that it has in common with another set.
    pub fn common<'a>(&'a self, other: &'a LocBits) -> impl Iterator<Item = LocId> + 'a {
        self.0.intersection(&other.0).map(|n| LocId(n as u32))
    }

    /// Adds all locations of another set.
    pub fn union_with(&mut self, other: &LocBits) {
        self.0.union_with(&other.0);
    }

    /// True when another set has all locations of this one.
    pub fn is_subset(&self, other: &LocBits) -> bool {
        self.0.is_subset(&other.0)
    }
}

impl FromIterator<LocId> for LocBits {
    fn from_iter<I: IntoIterator<Item = LocId>>(locs: I) -> Self {
        LocBits(locs.into_iter().map(|l| l.0 as usize).collect())
    }
}

impl Extend<LocId> for LocBits {
    fn extend<I: IntoIterator<Item = LocId>>(&mut self, locs: I) {
        locs.into_iter().for_each(|l| self.insert(l));
    }
}
