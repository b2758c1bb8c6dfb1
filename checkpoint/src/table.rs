//! The fewest forward steps within a number of bytes of memory, for every number of steps up to one.
//!
//! With `m` bytes free and the first state of `n` steps at hand, one may
//!
//! * record all steps and reverse them, if `n - 1` tapes fit into `m`: `n` steps;
//! * hold the state, advance `i` steps, reverse the rest with `m - snapshot` bytes, come back and reverse the first `i`
//!   with all `m`: `i + V(n - i, m - snapshot) + V(i, m)` steps.
//!
//! Keeping the tape of the first step alone, and then holding a state, is no better: the state held one step earlier
//! instead, that step is advanced over rather than recorded, and the rest has the bytes of its tape besides, with which it
//! saves a step or takes one more step on its tape. So `m` takes one value for each number of snapshots held, which makes
//! the table small. (J. R. Maddison, Step-based checkpointing with high-level algorithmic differentiation, Journal of
//! Computational Science 82 (2024) 102405, is the case of a tape as large as a snapshot.)
//!
//! The minimum over `i` of a sum `f(i) + g(n - i)` lies at an end or where the slope of `f` or of `g` grows, because
//! elsewhere the sum is concave and one neighbour is no larger. Those places are few: the values are nearly piecewise
//! linear, as in the binomial schedule.

use crate::revolve;

/// A number of steps that cannot be met; three orders of magnitude below overflow.
pub(crate) const NEVER: u64 = 1 << 50;

/// Entries, rows and levels of a table at most: what is computed in about a second. Longer segments, or ones with more
/// snapshots free, are divided in two that can be recorded, or else as in Revolve, until the table has their parts.
const ENTRIES: u64 = 4 << 20;
const ROWS: u64 = 10_240;
const LEVELS: u64 = 2048;

/// The values with a number of snapshots free.
#[derive(Debug, Clone)]
struct Level {
    /// Forward steps, by number of steps.
    value: Vec<u64>,
    /// How far to advance; 0 for a segment that is recorded.
    advance: Vec<u32>,
    /// Where the slope of `value` grows, and its last entry.
    kinks: Vec<Kink>,
}

/// A number of steps where the slope of a level's values grows, and the value there.
#[derive(Debug, Clone, Copy)]
struct Kink {
    steps: usize,
    value: u64,
}

/// What the memory holds, and the values for every number of snapshots free.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    snapshot: u64,
    tape: u64,
    memory: u64,
    /// Snapshots that fit into the memory, no more than there are steps.
    snapshots: u64,
    rows: u64,
    levels: Vec<Level>,
}

impl Table {
    /// For up to `steps` steps with `memory` bytes.
    pub(crate) fn new(steps: u64, snapshot: u64, tape: u64, memory: u64) -> Self {
        let snapshots = memory.checked_div(snapshot).unwrap_or(u64::MAX).min(steps);
        let mut table = Self { snapshot, tape, memory, snapshots, rows: 0, levels: Vec::new() };
        let count = (snapshots + 1).min(LEVELS);
        // Nothing to choose where all is recorded at once.
        let rows = if table.recorded(snapshots) >= steps { 0 } else { steps.min(ENTRIES / count).min(ROWS) };
        table.rows = rows;
        // No segment of a schedule as good as Revolve takes more steps beyond its own than Revolve does in all. Where the
        // table is but a part, any segment may be asked for.
        let whole = rows == steps && count == snapshots + 1;
        let bound = revolve::forward_steps(steps, snapshots).filter(|_| whole).unwrap_or(NEVER - 1);
        for free in 0..count {
            let level = Level::new(table.recorded(free), table.rows, bound - rows, table.levels.last());
            table.levels.push(level);
        }
        table
    }

    /// Snapshots that fit into the memory.
    pub(crate) fn snapshots(&self) -> u64 {
        self.snapshots
    }

    /// The longest segment that the table has.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// How many steps can be recorded at once with so many snapshots free.
    fn recorded(&self, free: u64) -> u64 {
        let bytes = self.memory - (self.snapshots - free) * self.snapshot;
        bytes.checked_div(self.tape).unwrap_or(u64::MAX).saturating_add(1)
    }

    /// Forward steps for a segment with all the memory, `NEVER` where they don't fit. For a segment that the table hasn't it
    /// is no more than a bound.
    pub(crate) fn forward_steps(&self, steps: u64) -> u64 {
        let free = self.snapshots;
        if steps <= self.recorded(free) {
            return steps;
        }
        if let Some((value, _)) = self.entry(steps, free) {
            return value;
        }
        let in_two = self.in_two(steps, free).map(|advance| steps + advance);
        in_two.or_else(|| revolve::forward_steps(steps, free)).unwrap_or(NEVER).min(NEVER)
    }

    /// How far to advance in a segment with so many snapshots free; `None` where it is recorded.
    pub(crate) fn advance(&self, steps: u64, free: u64) -> Option<u64> {
        if steps <= self.recorded(free) {
            return None;
        }
        let entry = self.entry(steps, free).map(|(_, advance)| advance);
        entry.or_else(|| self.in_two(steps, free)).or_else(|| revolve::advance(steps, free))
    }

    fn entry(&self, steps: u64, free: u64) -> Option<(u64, u64)> {
        let level = self.levels.get(usize::try_from(free).ok()?)?;
        let steps = usize::try_from(steps).ok()?;
        Some((*level.value.get(steps)?, u64::from(*level.advance.get(steps)?)))
    }

    /// How far to advance where both parts can then be recorded, the second in all the memory left.
    fn in_two(&self, steps: u64, free: u64) -> Option<u64> {
        let second = self.recorded(free.checked_sub(1)?);
        let advance = steps.checked_sub(second)?;
        (advance <= self.recorded(free)).then_some(advance)
    }
}

impl Level {
    /// From the number of steps that can be recorded at once, and the values with one snapshot less, if there is one to
    /// hold; as far as there are rows and no more than `extra` steps run again.
    fn new(recorded: u64, rows: u64, extra: u64, less: Option<&Level>) -> Self {
        let mut level = Self { value: Vec::new(), advance: Vec::new(), kinks: Vec::new() };
        for steps in 0..=rows {
            let divided = || less.map_or((NEVER, 0), |less| level.divide(less, steps as usize));
            let (value, advance) = if steps <= recorded { (steps, 0) } else { divided() };
            if value - steps > extra {
                break;
            }
            level.value.push(value);
            level.advance.push(advance as u32);
            if let [.., a, b, c] = level.value[1.min(level.last())..]
                && c - b > b - a
            {
                level.kinks.push(Kink { steps: level.last() - 1, value: b });
            }
        }
        let last = level.last();
        level.kinks.push(Kink { steps: last, value: level.value[last] });
        level
    }

    /// The longest segment.
    fn last(&self) -> usize {
        self.value.len() - 1
    }

    /// The least forward steps for a segment that is divided, and how far to advance for it.
    fn divide(&self, less: &Level, steps: usize) -> (u64, usize) {
        let total = |advance: usize| advance as u64 + less.value[steps - advance] + self.value[advance];
        let least = steps.saturating_sub(less.last()).max(1);
        let mut best = (total(least), least);
        let mut consider = |total: u64, advance: usize| {
            if total < best.0 {
                best = (total, advance);
            }
        };
        consider(total(steps - 1), steps - 1);
        let longer = self.kinks.partition_point(|kink| kink.steps < least);
        for &Kink { steps: first, value } in &self.kinks[longer..] {
            consider(first as u64 + value + less.value[steps - first], first);
        }
        let shorter = less.kinks.partition_point(|kink| kink.steps < steps);
        for &Kink { steps: rest, value } in &less.kinks[..shorter] {
            consider((steps - rest) as u64 + value + self.value[steps - rest], steps - rest);
        }
        best
    }
}
