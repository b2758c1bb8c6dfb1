//! Lossless compression of snapshots.
//!
//! Neighbours in a field differ little, so the first bytes of their floating-point numbers are mostly the same. Sorting
//! the bytes by their place in a word puts them side by side, where LZ4 finds them.

use lz4_flex::block;

const WORD: usize = 8;

/// The compressed form; `None` where it would not be smaller.
pub(super) fn pack(bytes: &[u8]) -> Option<Vec<u8>> {
    let packed = block::compress(&by_place(bytes));
    (packed.len() < bytes.len()).then_some(packed)
}

/// The inverse of [`pack`] for `length` bytes; `None` where the input can't be its result.
pub(super) fn unpack(packed: &[u8], length: usize) -> Option<Vec<u8>> {
    let sorted = block::decompress(packed, length).ok()?;
    (sorted.len() == length).then(|| by_word(&sorted))
}

/// All first bytes of words, all second ones and so on, then what is left after the last whole word.
fn by_place(bytes: &[u8]) -> Vec<u8> {
    let (words, rest) = bytes.as_chunks::<WORD>();
    let places = (0..WORD).flat_map(|place| words.iter().map(move |word| word[place]));
    places.chain(rest.iter().copied()).collect()
}

fn by_word(bytes: &[u8]) -> Vec<u8> {
    let words = bytes.len() / WORD;
    let whole = (0..words).flat_map(|word| (0..WORD).map(move |place| bytes[place * words + word]));
    whole.chain(bytes[words * WORD..].iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        for length in [0, 1, 7, 8, 9, 1000, 4099] {
            let bytes: Vec<u8> = (0..length).map(|i| u8::try_from(i * i % 251).expect("small") / 16).collect();
            assert_eq!(by_word(&by_place(&bytes)), bytes);
            if let Some(packed) = pack(&bytes) {
                assert_eq!(unpack(&packed, length), Some(bytes));
            }
        }
    }

    #[test]
    fn smooth_fields_become_smaller() {
        let bytes: Vec<u8> = (0..10_000).flat_map(|i| (f64::from(i) * 1e-4).sin().to_ne_bytes()).collect();
        let packed = pack(&bytes).expect("smaller");
        assert!(packed.len() < bytes.len() * 9 / 10, "{} of {}", packed.len(), bytes.len());
        assert_eq!(unpack(&packed, bytes.len()), Some(bytes));
    }

    #[test]
    fn damage_is_seen() {
        let packed = pack(&[7; 800]).expect("smaller");
        assert_eq!(unpack(&packed[..packed.len() - 1], 800), None);
        assert_eq!(unpack(&packed, 801), None);
    }
}
