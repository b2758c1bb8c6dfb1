//! The smallest part of a list that still shows a failure.

/// Leaves items out as long as what is left fails, first halves, then ever smaller parts, with at most `most` tries. All
/// items together are known to fail. Returns the items of the smallest list that was found, in order.
pub(super) fn smallest(count: usize, most: usize, fails: &mut dyn FnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..count).collect();
    let mut parts = 2;
    let mut left = most;
    let mut fails = |list: &[usize]| {
        left = left.saturating_sub(1);
        (left > 0).then(|| fails(list))
    };
    while kept.len() > 1 {
        parts = parts.min(kept.len());
        let size = kept.len().div_ceil(parts);
        let chunks: Vec<Vec<usize>> = kept.chunks(size).map(<[usize]>::to_vec).collect();
        let without = |chunk: &Vec<usize>| kept.iter().copied().filter(|i| !chunk.contains(i)).collect::<Vec<_>>();
        // With two parts, what is left without one is the other.
        let rests: Vec<Vec<usize>> = if chunks.len() > 2 { chunks.iter().map(without).collect() } else { Vec::new() };
        let mut next = None;
        for (list, is_chunk) in chunks.iter().map(|c| (c, true)).chain(rests.iter().map(|r| (r, false))) {
            match fails(list) {
                None => return kept,
                Some(true) => {
                    next = Some((list.clone(), is_chunk));
                    break;
                }
                Some(false) => {}
            }
        }
        match next {
            Some((list, true)) => (kept, parts) = (list, 2),
            Some((list, false)) => (kept, parts) = (list, (parts - 1).max(2)),
            None if size == 1 => return kept,
            None => parts *= 2,
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::smallest;

    #[test]
    fn the_items_that_matter_are_left() {
        for wanted in [vec![0], vec![6], vec![2, 9], vec![1, 4, 5]] {
            let mut tries = 0;
            let found = smallest(10, 100, &mut |list| {
                tries += 1;
                wanted.iter().all(|w| list.contains(w))
            });
            assert!(found == wanted && tries < 50, "{found:?} after {tries}");
        }
        assert_eq!(smallest(1, 0, &mut |_| panic!("one can't be made smaller")), [0]);
        assert_eq!(smallest(8, 2, &mut |list| list.contains(&3)), [0, 1, 2, 3]);
    }
}
