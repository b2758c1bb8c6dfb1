//! A tape: a chain of blocks that grows at one end and is used up from the same end.
//!
//! A value or array lies wholly in one block; what is left of a block when the next array does not fit stays
//! unused. Only the block at the end of the chain is open, and Fortran keeps count of its words in use. Of the
//! blocks before it the chain records how many of their words are in use.

use std::fmt;

use crate::blocks;
use crate::pool::{self, Block, FIRST_WORDS, LARGEST_WORDS, WORD_BYTES};
use crate::stats::Bytes;

/// The chain of blocks behind one tape of the generated code.
#[derive(Default)]
pub struct Tape {
    /// Blocks before the open one, each with at least one word in use.
    full: Vec<(Block, usize)>,
    open: Option<Block>,
}

/// The open block as Fortran sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// First word of the block.
    pub address: *mut u64,
    /// Number of words that fit.
    pub words: usize,
    /// Number of words in use.
    pub used: usize,
}

/// A reservation failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoMemory {
    /// Bytes asked for.
    pub asked: usize,
    /// Bytes and number of the blocks of this tape.
    pub tape: (usize, usize),
    /// Bytes in blocks of all tapes and threads.
    pub process: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bytes, blocks) = self.tape;
        write!(
            f,
            "a tape asked for {} ({}) more; it holds {} in {blocks} blocks, all tapes together hold {}",
            Bytes(self.asked),
            self.asked,
            Bytes(bytes),
            Bytes(self.process)
        )
    }
}

/// Pushes and pops do not mirror each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misuse {
    /// A value was popped from an empty tape.
    Empty {
        /// Words asked for.
        asked: usize,
    },
    /// Less is left in the last block than is to be popped, so it was pushed as something else.
    Split {
        /// Words asked for.
        asked: usize,
        /// Words that were left.
        left: usize,
    },
    /// A tape was released with values on it.
    NotEmpty {
        /// Words that were left.
        left: usize,
    },
    /// A count that cannot come from the Fortran interface.
    Count(i64),
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Empty { asked } => write!(f, "{asked} words were popped from an empty tape"),
            Self::Split { asked, left } => {
                write!(f, "{asked} words were popped from a tape where {left} were pushed last")
            }
            Self::NotEmpty { left } => write!(f, "a tape was released with {left} words on it"),
            Self::Count(count) => write!(f, "a tape was given the word count {count}"),
        }
    }
}

impl Tape {
    /// Opens a block with room for at least `need` words; of the block open so far `used` words are in use.
    ///
    /// # Errors
    /// When there is no memory for the block. The tape is unchanged then.
    pub fn grow(&mut self, used: usize, need: usize) -> Result<View, NoMemory> {
        let mut block = blocks::take(need.max(self.next_words())).ok_or_else(|| self.no_memory(need))?;
        let view = View { address: block.address(), words: block.words(), used: 0 };
        match self.open.replace(block) {
            Some(old) if used > 0 => self.full.push((old, used)),
            // An unused block is too small for the array to come. It must not stay in the chain: `shrink` goes back one block only.
            Some(old) => pool::give(old),
            None => {}
        }
        Ok(view)
    }

    /// Goes back to the block before the open one, of which `used` words are still in use, to pop `need` words.
    ///
    /// # Errors
    /// When the words asked for are not there or were not pushed in one piece.
    pub fn shrink(&mut self, used: usize, need: usize) -> Result<View, Misuse> {
        if used > 0 {
            return Err(Misuse::Split { asked: need, left: used });
        }
        let Some((mut block, used)) = self.full.pop() else {
            return Err(Misuse::Empty { asked: need });
        };
        if used < need {
            return Err(Misuse::Split { asked: need, left: used });
        }
        let view = View { address: block.address(), words: block.words(), used };
        if let Some(old) = self.open.replace(block) {
            pool::give(old);
        }
        Ok(view)
    }

    /// Gives the memory of an empty tape back; of the open block `used` words are in use.
    ///
    /// # Errors
    /// When there are values on the tape.
    pub fn release(mut self, used: usize) -> Result<(), Misuse> {
        let left = used + self.full.iter().map(|(_, used)| used).sum::<usize>();
        if left > 0 {
            return Err(Misuse::NotEmpty { left });
        }
        if let Some(block) = self.open.take() {
            pool::give(block);
        }
        Ok(())
    }

    /// Blocks double with the tape, so that a short tape is small and a long one has few blocks.
    fn next_words(&self) -> usize {
        self.open.as_ref().map_or(FIRST_WORDS, |open| (2 * open.words()).min(LARGEST_WORDS))
    }

    fn no_memory(&self, need: usize) -> NoMemory {
        let blocks = self.full.iter().map(|(block, _)| block).chain(&self.open);
        let (words, count) = blocks.fold((0, 0), |(words, count), block| (words + block.words(), count + 1));
        NoMemory {
            asked: need.max(self.next_words()).saturating_mul(WORD_BYTES),
            tape: (words * WORD_BYTES, count),
            process: pool::reserved_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_double_up_to_the_largest() {
        let mut tape = Tape::default();
        let sizes: Vec<_> = (0..20).map(|_| tape.grow(1, 1).expect("memory").words).collect();
        assert_eq!(sizes[0], FIRST_WORDS);
        assert!(sizes.windows(2).all(|pair| pair[1] == (2 * pair[0]).min(LARGEST_WORDS)));
        assert_eq!(sizes[19], LARGEST_WORDS);
    }

    #[test]
    fn shrinking_mirrors_growing() {
        let mut tape = Tape::default();
        let mut views = vec![tape.grow(0, 1).expect("memory")];
        for used in 1..20 {
            views.push(tape.grow(used, 1).expect("memory"));
        }
        views.pop();
        for used in (1..20).rev() {
            let view = tape.shrink(0, 1).expect("a block");
            assert_eq!(View { used, ..views.pop().expect("a view") }, view);
        }
        assert_eq!(tape.shrink(0, 3), Err(Misuse::Empty { asked: 3 }));
        assert_eq!(tape.release(0), Ok(()));
    }

    #[test]
    fn a_large_array_gets_a_block_of_its_own() {
        let mut tape = Tape::default();
        tape.grow(0, 1).expect("memory");
        // The small block is unused, so it leaves the chain.
        assert!(tape.grow(0, 3 * LARGEST_WORDS + 5).expect("memory").words >= 3 * LARGEST_WORDS + 5);
        assert_eq!(tape.shrink(0, 1), Err(Misuse::Empty { asked: 1 }));
        // After it, blocks are of the usual size again.
        assert_eq!(tape.grow(7, 1).expect("memory").words, LARGEST_WORDS);
        assert_eq!(tape.shrink(0, 7).expect("a block").used, 7);
    }

    #[test]
    fn a_mismatch_is_seen() {
        let mut tape = Tape::default();
        tape.grow(0, 1).expect("memory");
        assert_eq!(tape.shrink(2, 3), Err(Misuse::Split { asked: 3, left: 2 }));
        tape.grow(2, 1).expect("memory");
        assert_eq!(tape.shrink(0, 3), Err(Misuse::Split { asked: 3, left: 2 }));

        let mut tape = Tape::default();
        tape.grow(0, 1).expect("memory");
        tape.grow(2, 1).expect("memory");
        assert_eq!(tape.release(3), Err(Misuse::NotEmpty { left: 5 }));
    }

    #[test]
    fn no_memory_tells_the_numbers() {
        let mut tape = Tape::default();
        tape.grow(0, 1).expect("memory");
        let why = tape.grow(5, usize::MAX / 16).expect_err("more than there is");
        assert_eq!(why.tape, (FIRST_WORDS * WORD_BYTES, 1));
        let text = why.to_string();
        assert!(text.contains("it holds 256 bytes in 1 blocks"), "{text}");
        // Nothing was lost.
        assert_eq!(tape.release(5), Err(Misuse::NotEmpty { left: 5 }));
    }
}
