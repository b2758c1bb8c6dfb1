//! The binomial schedule ("Revolve": A. Griewank and A. Walther, Algorithm 799, ACM TOMS 26 (2000) 19-45).

/// Forward steps that reversing `steps` time steps takes with `snapshots` states in memory (the initial state among
/// them), counting the step that is run again right before each adjoint step. `None` without a snapshot, or where the
/// count doesn't fit.
///
/// With `r` the least number for which `binomial(snapshots + r, snapshots) >= steps`, the schedule advances
/// `r*steps - binomial(snapshots + r, r - 1)` times between snapshots (Griewank and Walther 2000, theorem 1), and once
/// more for every step.
pub fn forward_steps(steps: u64, snapshots: u64) -> Option<u64> {
    if steps == 0 {
        return Some(0);
    }
    if snapshots == 0 {
        return None;
    }
    let mut repetitions = 0;
    while binomial(snapshots + repetitions, snapshots)? < u128::from(steps) {
        repetitions += 1;
    }
    let advance = match repetitions {
        0 => 0,
        r => u128::from(r) * u128::from(steps) - binomial(snapshots + r, r - 1)?,
    };
    u64::try_from(advance + u128::from(steps)).ok()
}

/// `n` over `k`; `None` on overflow.
fn binomial(n: u64, k: u64) -> Option<u128> {
    let k = k.min(n - k);
    let mut value: u128 = 1;
    for i in 0..k {
        value = value.checked_mul(u128::from(n - i))? / u128::from(i + 1);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::forward_steps;

    /// The optimum by dynamic programming: a snapshot after `m` steps splits the rest from the first `m`.
    fn optimum(steps: u64, snapshots: u64) -> u64 {
        let (n, s) = (steps as usize, snapshots as usize);
        let mut best = vec![vec![0u64; s + 1]; n + 1];
        for k in 1..=s {
            for l in 2..=n {
                let all_from_start = (l as u64) * (l as u64 - 1) / 2;
                let split = (1..l).filter(|_| k > 1).map(|m| m as u64 + best[m][k] + best[l - m][k - 1]).min();
                best[l][k] = split.unwrap_or(all_from_start).min(all_from_start);
            }
        }
        best[n][s] + steps
    }

    #[test]
    fn published_counts() {
        assert_eq!(forward_steps(10, 3), Some(25));
        assert_eq!(forward_steps(20, 2), Some(85));
    }

    #[test]
    fn the_formula_is_the_optimum() {
        for steps in 0..40 {
            for snapshots in 1..8 {
                let expected = if steps == 0 { 0 } else { optimum(steps, snapshots) };
                assert_eq!(forward_steps(steps, snapshots), Some(expected), "{steps} steps, {snapshots} snapshots");
            }
        }
    }

    #[test]
    fn edges() {
        assert_eq!(forward_steps(5, 0), None);
        assert_eq!(forward_steps(1, 1), Some(1));
        assert_eq!(forward_steps(1000, 1000), Some(2000 - 1));
    }
}
