//! Memory of snapshots and its reuse.
//!
//! Buffers that are given back are kept for any thread, because the pages of fresh memory cost more than writing to
//! them. Kept buffers and those in use never take more together than was once in use at a time.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Mutex, MutexGuard};

use crate::abi::process;
use crate::pool;
use crate::stats;

/// No memory for a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoMemory {
    /// Bytes asked for.
    pub asked: usize,
    /// Bytes in buffers of all snapshots.
    pub held: usize,
}

/// Buffers of so many bytes leave holes that matter.
const LARGE: usize = 1 << 20;

#[derive(Default)]
struct Free {
    /// By capacity.
    buffers: BTreeMap<usize, Vec<Vec<u8>>>,
    kept: usize,
    used: usize,
    /// The largest value of `used` so far.
    peak: usize,
    /// Schedules that take snapshots.
    users: usize,
}

static FREE: Mutex<Free> = Mutex::new(Free { buffers: BTreeMap::new(), kept: 0, used: 0, peak: 0, users: 0 });

fn free() -> MutexGuard<'static, Free> {
    FREE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Free {
    /// The smallest kept buffer that fits, unless it is far too large.
    fn take(&mut self, bytes: usize) -> Option<Vec<u8>> {
        let (&capacity, list) = self.buffers.range_mut(bytes..=bytes.saturating_mul(2)).next()?;
        let buffer = list.pop();
        if list.is_empty() {
            self.buffers.remove(&capacity);
        }
        self.kept -= capacity;
        self.count(capacity);
        buffer
    }

    /// Makes room for `bytes` of fresh memory: what is kept goes first, and so do blocks that tapes have given back.
    fn make_room(&mut self, bytes: usize) {
        while self.kept > 0 && self.used.saturating_add(self.kept).saturating_add(bytes) > self.peak {
            self.let_go();
        }
        pool::give_up(bytes);
    }

    /// Gives the largest kept buffer up, and says how large it was.
    fn let_go(&mut self) -> usize {
        let Some(mut largest) = self.buffers.last_entry() else { return 0 };
        let bytes = *largest.key();
        self.kept -= bytes;
        largest.get_mut().pop();
        if largest.get().is_empty() {
            largest.remove();
        }
        bytes
    }

    fn count(&mut self, bytes: usize) {
        self.used += bytes;
        self.peak = self.peak.max(self.used);
    }

    fn give(&mut self, buffer: Vec<u8>) {
        let capacity = buffer.capacity();
        self.used -= capacity;
        if capacity > 0 && self.used + self.kept + capacity <= self.peak {
            self.kept += capacity;
            self.buffers.entry(capacity).or_default().push(buffer);
        }
    }
}

/// Gives kept buffers up for `bytes` of fresh memory that a tape takes.
pub(crate) fn give_up(bytes: usize) {
    let mut free = free();
    let mut given = 0;
    while free.kept > 0 && given < bytes {
        given += free.let_go();
    }
    if given >= LARGE {
        process::give_memory_back();
    }
}

/// A schedule that takes snapshots. What is kept when it ends is for the next time that it runs; while others run on,
/// theirs and what the program itself allocates by then are to have the memory.
#[derive(Debug)]
pub(crate) struct User(());

impl User {
    /// A schedule starts.
    pub(crate) fn new() -> Self {
        free().users += 1;
        Self(())
    }
}

impl Drop for User {
    fn drop(&mut self) {
        let mut free = free();
        free.users -= 1;
        if free.users > 0 {
            free.buffers.clear();
            free.kept = 0;
        }
    }
}

/// Bytes that grow at their end. The memory is kept for reuse at the end of the value.
#[derive(Debug)]
pub(crate) struct Buffer(Vec<u8>);

impl Buffer {
    /// An empty buffer with room for `bytes`.
    pub(crate) fn new(bytes: usize) -> Result<Self, NoMemory> {
        let mut free = free();
        if let Some(mut buffer) = free.take(bytes) {
            buffer.clear();
            stats::MEMORY.add(buffer.capacity());
            return Ok(Self(buffer));
        }
        free.make_room(bytes);
        let mut buffer = Vec::new();
        buffer.try_reserve_exact(bytes).map_err(|_| NoMemory { asked: bytes, held: free.used })?;
        free.count(buffer.capacity());
        stats::MEMORY.add(buffer.capacity());
        Ok(Self(buffer))
    }

    /// Appends bytes.
    pub(crate) fn append(&mut self, bytes: &[u8]) -> Result<(), NoMemory> {
        self.reserve(self.0.len() + bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    /// Appends zeros up to a length of `bytes`.
    pub(crate) fn fill(&mut self, bytes: usize) -> Result<&mut [u8], NoMemory> {
        self.reserve(bytes)?;
        self.0.resize(bytes, 0);
        Ok(&mut self.0)
    }

    /// Makes room for a length of `bytes`.
    fn reserve(&mut self, bytes: usize) -> Result<(), NoMemory> {
        let capacity = self.0.capacity();
        if bytes <= capacity {
            return Ok(());
        }
        if capacity == 0 {
            *self = Self::new(bytes)?;
            return Ok(());
        }
        // The size is known after the first snapshot. Until then a buffer grows where it is, by little more than it must:
        // a second one beside it would count among what was in use at a time.
        let mut free = free();
        let more = bytes.max(capacity + capacity / 8) - capacity;
        free.make_room(more);
        let asked = capacity + more - self.0.len();
        self.0.try_reserve_exact(asked).map_err(|_| NoMemory { asked: bytes, held: free.used })?;
        let grown = self.0.capacity() - capacity;
        free.count(grown);
        stats::MEMORY.add(grown);
        Ok(())
    }

    /// Gives the memory up without keeping it for other snapshots.
    pub(crate) fn give_back(mut self) {
        let capacity = mem::take(&mut self.0).capacity();
        stats::MEMORY.sub(capacity);
        free().used -= capacity;
        if capacity >= LARGE {
            process::give_memory_back();
        }
    }

    /// Where the next byte goes, unless memory has to grow for it.
    pub(crate) fn end(&self) -> *const u8 {
        self.0.as_ptr().wrapping_add(self.0.len())
    }

    /// The bytes written so far.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        stats::MEMORY.sub(self.0.capacity());
        free().give(mem::take(&mut self.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list() -> Free {
        Free::default()
    }

    #[test]
    fn a_returned_buffer_is_used_again() {
        let mut free = list();
        free.count(100);
        free.give(Vec::with_capacity(100));
        assert_eq!(free.take(101), None);
        assert_eq!(free.take(40), None);
        assert_eq!(free.take(60).map(|b| b.capacity()), Some(100));
        assert_eq!((free.used, free.kept), (100, 0));
    }

    #[test]
    fn the_largest_kept_buffer_makes_way_first() {
        let mut free = list();
        free.count(170);
        free.give(Vec::with_capacity(100));
        free.give(Vec::with_capacity(70));
        assert_eq!([free.let_go(), free.let_go(), free.let_go()], [100, 70, 0]);
        assert_eq!(free.kept, 0);
    }

    #[test]
    fn no_more_is_held_than_was_once_in_use() {
        let mut free = list();
        free.count(100);
        free.give(Vec::with_capacity(100));
        free.make_room(70);
        assert_eq!(free.kept, 0);
        free.count(70);
        free.give(Vec::with_capacity(70));
        assert_eq!(free.kept, 70);
        free.make_room(30);
        assert_eq!(free.kept, 70);
    }

    #[test]
    fn bytes_come_back() {
        let mut buffer = Buffer::new(3).expect("memory");
        buffer.append(&[1, 2]).expect("memory");
        buffer.append(&[3, 4, 5]).expect("memory");
        assert_eq!(buffer.bytes(), [1, 2, 3, 4, 5]);
    }

    #[test]
    fn what_is_given_back_is_counted_once() {
        let before = stats::MEMORY.now();
        let buffer = Buffer::new(1 << 26).expect("memory");
        assert!(stats::MEMORY.now() >= 1 << 26);
        buffer.give_back();
        assert!(stats::MEMORY.now() < before + (1 << 26));
    }

    #[test]
    fn no_memory_is_an_answer() {
        let why = Buffer::new(usize::MAX).expect_err("more than there is");
        assert_eq!(why.asked, usize::MAX);
    }
}
