//! Checksums of values that are computed more than once.
//!
//! What an adjoint recomputes must be what was computed first, to the last bit. A wrong recomputation is otherwise a
//! wrong gradient that nobody notices.

use std::collections::BTreeMap;
use std::fmt;

/// Checksums of the values seen first, by variable and step.
#[derive(Default)]
pub(crate) struct Verify {
    first: BTreeMap<(String, i64), u64>,
}

/// A value that came out otherwise when it was recomputed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) name: String,
    /// The step of a loop, where it is the state of one.
    pub(crate) step: Option<i64>,
    pub(crate) first: u64,
    pub(crate) again: u64,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, step, first, again } = self;
        let at = step.map(|s| format!(" at step {s}")).unwrap_or_default();
        write!(
            f,
            "`{name}`{at} is not what it was when it was computed first \
             (checksum {again:016x} instead of {first:016x})"
        )
    }
}

impl Verify {
    /// Compares a value with what it was at the same step before, or keeps its checksum.
    pub(crate) fn see(&mut self, name: &str, step: i64, value: &[u8]) -> Result<(), Difference> {
        let again = checksum(value);
        let first = *self.first.entry((name.to_string(), step)).or_insert(again);
        if first == again { Ok(()) } else { Err(Difference { name: name.to_string(), step: Some(step), first, again }) }
    }
}

/// A fast hash whose value depends on every bit: for each word rotate, add, multiply, as in FxHash.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(bytes.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, &byte| mix(sum, byte.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let mut verify = Verify::default();
        let state = [1.5f64, -2.0, 3.25].map(f64::to_ne_bytes).concat();
        assert_eq!(verify.see("u", 7, &state), Ok(()));
        assert_eq!(verify.see("u", 8, &state[8..]), Ok(()));
        assert_eq!(verify.see("v", 7, &[]), Ok(()));
        assert_eq!(verify.see("u", 7, &state), Ok(()));
        for bit in 0..state.len() * 8 {
            let mut other = state.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            let text = verify.see("u", 7, &other).expect_err("a difference").to_string();
            assert!(text.starts_with("`u` at step 7 is not what it was"), "{text}");
        }
    }

    #[test]
    fn order_and_length_count() {
        assert_ne!(checksum(&[1, 2]), checksum(&[2, 1]));
        assert_ne!(checksum(&[0; 8]), checksum(&[0; 16]));
        assert_ne!(checksum(&[]), checksum(&[0]));
    }
}
