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

/// Entries, rows and levels of a table at most: what is computed in about a second. For longer segments a second table counts
/// in blocks of steps: they are divided between blocks until the first table has their parts. With more snapshots than
/// levels, the levels are those with the most free. Where Revolve's division promises less it is taken instead.
const ENTRIES: u64 = 4 << 20;
const ROWS: u64 = 10_240;
/// Rows of each of the two tables where one isn't enough.
const BLOCKS: u64 = 4096;
const LEVELS: u64 = 1024;

/// The values with a number of snapshots free.
#[derive(Debug, Clone)]
struct Level {
    /// Steps in a block.
    block: u64,
    /// Forward steps, by number of blocks.
    value: Vec<u64>,
    /// How many blocks to advance; 0 for a segment that isn't divided here.
    advance: Vec<u32>,
    /// Where the slope of `value` grows, and its last entry.
    kinks: Vec<Kink>,
}

/// A number of blocks where the slope of a level's values grows, and the value there.
#[derive(Debug, Clone, Copy)]
struct Kink {
    blocks: usize,
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
    /// The fewest free snapshots that there is a level for; with fewer, and with so many, segments are divided without one.
    base: u64,
    /// By single steps, up to `rows`.
    levels: Vec<Level>,
    /// By blocks of steps; empty where there are no more steps than rows.
    coarse: Vec<Level>,
}

impl Table {
    /// For up to `steps` steps with `memory` bytes.
    pub(crate) fn new(steps: u64, snapshot: u64, tape: u64, memory: u64) -> Self {
        let snapshots = memory.checked_div(snapshot).unwrap_or(u64::MAX).min(steps);
        let mut table =
            Self { snapshot, tape, memory, snapshots, rows: 0, base: 0, levels: Vec::new(), coarse: Vec::new() };
        // Nothing to choose where all is recorded at once.
        if table.recorded(snapshots) >= steps {
            return table;
        }
        let count = (snapshots + 1).min(LEVELS);
        let single = ROWS.min(ENTRIES / count);
        let rows = if steps <= single { steps } else { single.min(BLOCKS) };
        // No segment of a schedule as good as Revolve takes more steps beyond its own than Revolve does in all. Where the
        // table is but a part, any segment may be asked for.
        let whole = rows == steps && count == snapshots + 1;
        let bound = revolve::forward_steps(steps, snapshots).filter(|_| whole).unwrap_or(NEVER - 1);
        table.rows = rows;
        table.base = snapshots + 1 - count;
        for free in table.base..=snapshots {
            let known = |steps| table.without_table(steps, free);
            let level = Level::new(1, rows, bound - rows, known, table.levels.last());
            table.levels.push(level);
        }
        if rows < steps {
            table.add_blocks(steps);
        }
        table
    }

    /// Makes the table by blocks from the one by steps.
    fn add_blocks(&mut self, steps: u64) {
        let block = steps.div_ceil(self.rows);
        for free in self.base..=self.snapshots {
            let by_steps = |steps| {
                let value = || self.entry(steps, free).map_or(NEVER, |(value, _)| value);
                self.without_table(steps, free).or_else(|| (steps <= self.rows).then(value))
            };
            let level = Level::new(block, steps.div_ceil(block), NEVER - 1 - steps, by_steps, self.coarse.last());
            self.coarse.push(level);
        }
    }

    /// Forward steps for a segment that needs no table: one that is recorded, or has no more snapshots free than the lowest
    /// level where that isn't 0.
    fn without_table(&self, steps: u64, free: u64) -> Option<u64> {
        if steps <= self.recorded(free) {
            return Some(steps);
        }
        let lowest = self.base > 0 && free <= self.base;
        lowest.then(|| self.plainly(steps, free).map_or(NEVER, |(value, _)| value))
    }

    /// Snapshots that fit into the memory.
    pub(crate) fn snapshots(&self) -> u64 {
        self.snapshots
    }

    /// The longest segment that is divided in the best way.
    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    /// How many steps can be recorded at once with so many snapshots free.
    fn recorded(&self, free: u64) -> u64 {
        let bytes = self.memory - (self.snapshots - free) * self.snapshot;
        bytes.checked_div(self.tape).unwrap_or(u64::MAX).saturating_add(1)
    }

    /// Forward steps for a segment with all the memory, `NEVER` where they don't fit. For a segment above `rows` it is no
    /// more than a bound.
    pub(crate) fn forward_steps(&self, steps: u64) -> u64 {
        let divided = |(value, _)| std::cmp::min(value, NEVER);
        if steps <= self.recorded(self.snapshots) {
            steps
        } else {
            self.divide(steps, self.snapshots).map_or(NEVER, divided)
        }
    }

    /// How far to advance in a segment with so many snapshots free; `None` where it is recorded.
    pub(crate) fn advance(&self, steps: u64, free: u64) -> Option<u64> {
        if steps <= self.recorded(free) { None } else { self.divide(steps, free).map(|(_, advance)| advance) }
    }

    /// Forward steps for a segment that isn't recorded, or a bound of them, and how far to advance for it.
    fn divide(&self, steps: u64, free: u64) -> Option<(u64, u64)> {
        self.entry(steps, free).or_else(|| {
            let ways = [self.between_blocks(steps, free), self.plainly(steps, free)];
            ways.into_iter().flatten().min()
        })
    }

    /// The better of a division into two parts that are recorded and of Revolve's.
    fn plainly(&self, steps: u64, free: u64) -> Option<(u64, u64)> {
        let as_revolve = revolve::forward_steps(steps, free).zip(revolve::advance(steps, free));
        [self.in_two(steps, free), as_revolve].into_iter().flatten().min()
    }

    /// What the table by steps says.
    fn entry(&self, steps: u64, free: u64) -> Option<(u64, u64)> {
        let level = self.levels.get(usize::try_from(free.checked_sub(self.base)?).ok()?)?;
        level.entry(steps).filter(|(_, advance)| *advance > 0)
    }

    /// What the table by blocks says of the least number of blocks that has all the steps: the last block may be short.
    fn between_blocks(&self, steps: u64, free: u64) -> Option<(u64, u64)> {
        let level = self.coarse.get(usize::try_from(free.checked_sub(self.base)?).ok()?)?;
        let (value, blocks) = level.entry(steps.div_ceil(level.block))?;
        (blocks > 0).then_some((value, blocks * level.block))
    }

    /// A division into two parts that can both be recorded, the second in all the memory left.
    fn in_two(&self, steps: u64, free: u64) -> Option<(u64, u64)> {
        let second = self.recorded(free.checked_sub(1)?);
        let advance = steps.checked_sub(second)?;
        (advance <= self.recorded(free)).then_some((steps + advance, advance))
    }
}

impl Level {
    /// From the values that are known, by number of steps, and the ones with one snapshot less, if there is one to hold; as
    /// far as there are rows and no more than `extra` steps run again.
    fn new(block: u64, rows: u64, extra: u64, known: impl Fn(u64) -> Option<u64>, less: Option<&Level>) -> Self {
        let mut level = Self { block, value: Vec::new(), advance: Vec::new(), kinks: Vec::new() };
        for blocks in 0..=rows {
            let steps = blocks * block;
            let divided = || less.map_or((NEVER, 0), |less| level.divide(less, blocks as usize));
            let (value, advance) = known(steps).map_or_else(divided, |value| (value, 0));
            if value - steps > extra {
                break;
            }
            level.value.push(value);
            level.advance.push(advance as u32);
            if let [.., a, b, c] = level.value[1.min(level.last())..]
                && c - b > b - a
            {
                level.kinks.push(Kink { blocks: level.last() - 1, value: b });
            }
        }
        let last = level.last();
        level.kinks.push(Kink { blocks: last, value: level.value[last] });
        level.value.shrink_to_fit();
        level.advance.shrink_to_fit();
        level.kinks.shrink_to_fit();
        level
    }

    /// The most blocks.
    fn last(&self) -> usize {
        self.value.len() - 1
    }

    /// The value for a number of blocks, and how many to advance.
    fn entry(&self, blocks: u64) -> Option<(u64, u64)> {
        let blocks = usize::try_from(blocks).ok()?;
        Some((*self.value.get(blocks)?, u64::from(*self.advance.get(blocks)?)))
    }

    /// The least forward steps for a segment that is divided, and how many blocks to advance for it.
    fn divide(&self, less: &Level, blocks: usize) -> (u64, usize) {
        let steps = |blocks: usize| blocks as u64 * self.block;
        let least = blocks.saturating_sub(less.last()).max(1);
        if least >= self.value.len() || blocks - 1 < least || less.last() == 0 {
            return (NEVER, 0);
        }
        let total = |advance: usize| steps(advance) + less.value[blocks - advance] + self.value[advance];
        let mut best = (total(least), least);
        let mut consider = |total: u64, advance: usize| {
            if total < best.0 {
                best = (total, advance);
            }
        };
        consider(total(blocks - 1), blocks - 1);
        let longer = self.kinks.partition_point(|kink| kink.blocks < least);
        for &Kink { blocks: first, value } in &self.kinks[longer..] {
            consider(steps(first) + value + less.value[blocks - first], first);
        }
        let shorter = less.kinks.partition_point(|kink| kink.blocks < blocks);
        for &Kink { blocks: rest, value } in &less.kinks[..shorter] {
            consider(steps(blocks - rest) + value + self.value[blocks - rest], blocks - rest);
        }
        best
    }
}
