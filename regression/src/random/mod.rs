//! Random programs: written from a seed, differentiated, compiled and run in batches, made smaller when they fail.

pub mod batch;
pub mod call;
pub mod construct;
pub mod expr;
pub mod features;
pub mod kernel;
pub mod messages;
pub mod procedure;
pub mod program;
pub mod scope;
pub mod shrink;
pub mod stmt;
pub mod syntax;

/// A small generator of random numbers (SplitMix64): the same seed gives the same program on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator for a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.draw() % n.max(1) as u64) as usize
    }

    /// True in `percent` of 100 calls.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of a list.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// One of a list of texts.
    pub fn text(&mut self, list: &[&str]) -> String {
        (*self.pick(list)).to_string()
    }
}
