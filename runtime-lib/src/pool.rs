//! Blocks of memory and their reuse.
//!
//! Blocks that a tape gives back are kept in a list of the thread, because the pages of a fresh block cost
//! more than writing to it: an adjoint that runs a thousand times pays for its blocks once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::stats;

/// Bytes of a word, the unit of every tape.
pub(crate) const WORD_BYTES: usize = size_of::<u64>();
/// Words of the first block of a tape: 256 bytes, since each iteration of a parallel loop may have a tape of its own.
pub(crate) const FIRST_WORDS: usize = 256 / WORD_BYTES;
/// Words at which blocks stop doubling: 8 MiB. A larger array gets a block of its own.
pub(crate) const LARGEST_WORDS: usize = 8 * 1024 * 1024 / WORD_BYTES;
/// What one thread keeps at most for reuse; the rest goes back to the system.
const KEPT_WORDS: usize = 256 * 1024 * 1024 / WORD_BYTES;

/// Bytes in blocks of all threads, in use or kept. For messages only, hence the relaxed accesses.
static RESERVED_BYTES: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::new()) };
}

/// Contiguous words that Fortran writes to and reads from. Their content is never looked at here.
pub(crate) struct Block {
    /// Always of length 0: only the reserved capacity is used, so that no page is touched before Fortran does.
    memory: Vec<u64>,
    words: usize,
}

impl Block {
    /// Reserves a block, or says that there is no memory for it.
    pub(crate) fn reserve(words: usize) -> Option<Self> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(words).ok()?;
        RESERVED_BYTES.fetch_add(words * WORD_BYTES, Ordering::Relaxed);
        Some(Self { memory, words })
    }

    /// Number of words that fit.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Address of the first word.
    pub(crate) fn address(&mut self) -> *mut u64 {
        self.memory.as_mut_ptr()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        RESERVED_BYTES.fetch_sub(self.words * WORD_BYTES, Ordering::Relaxed);
    }
}

/// Free blocks of one thread by their size.
struct Pool {
    free: BTreeMap<usize, Vec<Block>>,
    kept_words: usize,
}

impl Pool {
    const fn new() -> Self {
        Self { free: BTreeMap::new(), kept_words: 0 }
    }

    fn take(&mut self, words: usize) -> Option<Block> {
        let block = self.free.get_mut(&words)?.pop()?;
        self.kept_words -= block.words();
        Some(block)
    }

    fn keep(&mut self, block: Block) {
        if self.kept_words + block.words() <= KEPT_WORDS {
            self.kept_words += block.words();
            self.free.entry(block.words()).or_default().push(block);
        }
    }
}

/// A block of `words` words that this thread keeps.
pub(crate) fn kept(words: usize) -> Option<Block> {
    // `try_with`: a tape may be used while its thread ends, after the list is gone.
    POOL.try_with(|pool| pool.borrow_mut().take(words)).ok().flatten()
}

/// Keeps a block for reuse by this thread.
pub(crate) fn give(block: Block) {
    stats::TAPES.sub(block.words() * WORD_BYTES);
    // An error means that the thread is ending; the block is then freed with the closure.
    let _ = POOL.try_with(move |pool| pool.borrow_mut().keep(block));
}

/// Bytes in the blocks of all threads, in use or kept.
pub(crate) fn reserved_bytes() -> usize {
    RESERVED_BYTES.load(Ordering::Relaxed)
}

/// Gives blocks that this thread keeps up for `bytes` of fresh memory that a snapshot takes.
pub(crate) fn give_up(bytes: usize) {
    let _ = POOL.try_with(|pool| {
        let mut pool = pool.borrow_mut();
        let mut given = 0;
        while given < bytes {
            let Some(mut largest) = pool.free.last_entry() else { return };
            let words = *largest.key();
            // All blocks of a size may be in use again.
            let block = largest.get_mut().pop();
            if largest.get().is_empty() {
                largest.remove();
            }
            if block.is_some() {
                pool.kept_words -= words;
                given += words * WORD_BYTES;
            }
        }
    });
}

/// Gives all blocks that this thread keeps back to the system.
pub(crate) fn clear() {
    let _ = POOL.try_with(|pool| *pool.borrow_mut() = Pool::new());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::take;

    #[test]
    fn a_returned_block_is_used_again() {
        let mut block = take(FIRST_WORDS).expect("256 bytes");
        let address = block.address();
        give(block);
        assert_eq!(take(FIRST_WORDS).expect("256 bytes").address(), address);
    }

    #[test]
    fn kept_blocks_make_way_for_snapshots() {
        give(take(FIRST_WORDS).expect("256 bytes"));
        give(take(2 * FIRST_WORDS).expect("512 bytes"));
        give_up(1);
        assert_eq!(POOL.with(|pool| pool.borrow().kept_words), FIRST_WORDS);
        give_up(usize::MAX);
        assert_eq!(POOL.with(|pool| pool.borrow().kept_words), 0);
    }

    #[test]
    fn blocks_in_use_again_make_no_way() {
        give(take(FIRST_WORDS).expect("256 bytes"));
        let again = take(FIRST_WORDS).expect("256 bytes");
        give_up(1);
        assert_eq!(POOL.with(|pool| pool.borrow().kept_words), 0);
        give(again);
        assert_eq!(POOL.with(|pool| pool.borrow().kept_words), FIRST_WORDS);
    }

    #[test]
    fn only_so_much_is_kept() {
        for _ in 0..3 {
            let blocks: Vec<_> = (0..2).map(|_| take(KEPT_WORDS / 2 + 1).expect("virtual memory")).collect();
            blocks.into_iter().for_each(give);
        }
        let kept = POOL.with(|pool| pool.borrow().kept_words);
        assert!(kept <= KEPT_WORDS, "{kept}");
        assert!(kept > 0);
    }
}
