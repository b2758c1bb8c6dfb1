//! Blocks of memory for tapes: kept ones, or fresh ones for which others make room.

use crate::pool::{self, Block, FIRST_WORDS, LARGEST_WORDS, WORD_BYTES};
use crate::stats;
use crate::store::buffer;

/// A block of at least `words` words, from the thread's list or else from the system.
///
/// When the system has none, the kept blocks of other sizes are given back before the second and last attempt.
pub(crate) fn take(words: usize) -> Option<Block> {
    let block = take_rounded(rounded(words)?)?;
    stats::TAPES.add(block.words() * WORD_BYTES);
    Some(block)
}

fn take_rounded(words: usize) -> Option<Block> {
    if let Some(block) = pool::kept(words) {
        return Some(block);
    }
    // What snapshots have given back is for the tape then: a budget counts what is in use.
    buffer::give_up(words * WORD_BYTES);
    Block::reserve(words).or_else(|| {
        pool::clear();
        Block::reserve(words)
    })
}

/// The few sizes that blocks have, so that they can stand in for each other: doubling, then multiples of the largest.
fn rounded(words: usize) -> Option<usize> {
    if words <= LARGEST_WORDS {
        Some(words.next_power_of_two().max(FIRST_WORDS))
    } else {
        words.checked_next_multiple_of(LARGEST_WORDS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_few() {
        assert_eq!(rounded(1), Some(FIRST_WORDS));
        assert_eq!(rounded(FIRST_WORDS + 1), Some(2 * FIRST_WORDS));
        assert_eq!(rounded(LARGEST_WORDS), Some(LARGEST_WORDS));
        assert_eq!(rounded(LARGEST_WORDS + 1), Some(2 * LARGEST_WORDS));
        assert_eq!(rounded(usize::MAX), None);
    }

    #[test]
    fn no_memory_is_an_answer() {
        assert!(take(usize::MAX).is_none());
        assert!(take(isize::MAX as usize / WORD_BYTES - LARGEST_WORDS).is_none());
    }
}
