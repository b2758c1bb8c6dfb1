//! A schedule for the true sizes: given the bytes of a snapshot, the bytes of a step's tape and a memory budget in bytes, it
//! keeps states or tapes, whatever saves more forward steps. In memory alone, up to 10,240 steps and 400 snapshots it is the
//! best schedule there is, so never worse than Revolve or the mixed schedule with slots that fit the same bytes. Beyond, so
//! that it is found within about a second, it divides the steps between blocks of steps, which was at most 0.02 % more
//! forward steps where it was measured (up to 40,000 steps), and is never worse than Revolve.
//!
//! With a disk, the forward sweep writes states to it at equal distances, and each of the segments between is reversed from
//! its state on disk, which may be read more than once, with all the memory (after G. Aupy, J. Herrmann, P. Hovland and
//! Y. Robert, Optimal multistage algorithm for adjoint computation, SIAM Journal on Scientific Computing 38 (2016)
//! C232-C255). The distance is the one that costs least, transfers included.

use crate::action::{Budget, Tier};
use crate::reversal::{Decision, Policy, Reversal, Segment};
use crate::table::{NEVER, Table};
use thiserror::Error;

/// What a snapshot costs to move to and from the disk, in units of one forward step. Costs are rounded to a thousandth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Transfer {
    /// To write one.
    pub write: f64,
    /// To read one.
    pub read: f64,
}

/// A budget that no schedule fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("reversing {steps} steps takes at least {needed} bytes of memory")]
pub struct TooSmall {
    /// The steps to reverse.
    pub steps: u64,
    /// The least memory that is enough without a disk.
    pub needed: u64,
}

/// The policy of the schedule.
#[derive(Debug, Clone)]
pub struct Dynamic {
    steps: u64,
    table: Table,
    disk: Disk,
}

/// The snapshots on disk.
#[derive(Debug, Clone, Default)]
struct Disk {
    /// How many the forward sweep writes, and how many steps lie between them.
    written: u64,
    distance: u64,
    /// How far to advance, by length of a segment that starts from the disk, before the snapshot is read again; 0 where it
    /// isn't.
    advance: Vec<u32>,
}

/// The schedule for `steps` steps in `budget`.
pub fn schedule(steps: u64, budget: Budget, transfer: Transfer) -> Result<Reversal<Dynamic>, TooSmall> {
    let Budget { snapshot, tape, memory, disk } = budget;
    let table = Table::new(steps, snapshot, tape, memory);
    let slots = disk.checked_div(snapshot).unwrap_or(u64::MAX).min(steps);
    let (cost, disk) = Disk::plan(steps, slots, &table, transfer);
    if cost >= thousandths(NEVER) {
        return Err(TooSmall { steps, needed: snapshot.min(tape.saturating_mul(steps - 1)) });
    }
    Ok(Reversal::new(steps, Dynamic { steps, table, disk }))
}

impl Policy for Dynamic {
    fn decide(&self, segment: Segment) -> Decision {
        let Segment { from, to, held, below } = segment;
        let Disk { written, distance, advance } = &self.disk;
        if to == self.steps && *written > 0 && from.is_multiple_of(*distance) && from / distance < *written {
            return Decision::Split { tier: Tier::Disk, advance: *distance };
        }
        let again = if held == Some(Tier::Disk) { advance[(to - from) as usize] } else { 0 };
        if again > 0 {
            return Decision::Split { tier: Tier::Disk, advance: u64::from(again) };
        }
        match self.table.advance(to - from, self.table.snapshots() - below.memory) {
            None => Decision::Tape,
            Some(advance) => Decision::Split { tier: Tier::Memory, advance },
        }
    }
}

impl Disk {
    /// The cheapest use of up to `slots` snapshots on disk, and what all of the schedule costs, in thousandths of a step.
    fn plan(steps: u64, slots: u64, table: &Table, transfer: Transfer) -> (u64, Self) {
        let in_memory = thousandths(table.forward_steps(steps));
        let mut best = (in_memory, 0, 0);
        // With all steps recorded in memory there is nothing to gain.
        if slots == 0 || in_memory == thousandths(steps) {
            return (best.0, Self::default());
        }
        let (write, read) = (rounded(transfer.write), rounded(transfer.read));
        let (value, advance) = from_disk(table, read);
        for distance in 1..(value.len() as u64).min(steps) {
            let segment = write + read + thousandths(distance) + value[distance as usize];
            let most = slots.min((steps - 1) / distance);
            let least = (steps.saturating_sub(table.rows())).div_ceil(distance).clamp(1, most);
            for written in least..=most {
                let rest = thousandths(table.forward_steps(steps - written * distance));
                let total = segment.saturating_mul(written).saturating_add(rest);
                best = best.min((total, written, distance));
            }
        }
        let (cost, written, distance) = best;
        (cost, Self { written, distance, advance })
    }
}

/// What it costs to reverse a segment whose first state is the working state and held on disk, in thousandths of a step, by
/// its length; and how far to advance before the snapshot is read again, 0 if it isn't.
fn from_disk(table: &Table, read: u64) -> (Vec<u64>, Vec<u32>) {
    let in_memory: Vec<u64> = (0..=table.rows()).map(|steps| thousandths(table.forward_steps(steps))).collect();
    let (mut value, mut advance) = (vec![0], vec![0]);
    for steps in 1..in_memory.len() {
        let again = (1..steps).map(|i| (thousandths(i as u64) + in_memory[steps - i] + read + value[i], i as u32));
        let (cost, i) = again.chain([(in_memory[steps], 0)]).min().unwrap_or((0, 0));
        value.push(cost);
        advance.push(i);
    }
    (value, advance)
}

const fn thousandths(steps: u64) -> u64 {
    steps.saturating_mul(1000)
}

/// A cost in thousandths; one that isn't a number, or negative, is nothing.
fn rounded(cost: f64) -> u64 {
    ((cost * 1000.0).round() as u64).min(thousandths(NEVER))
}

#[cfg(test)]
mod tests {
    use super::{Disk, Transfer, from_disk, rounded, schedule, thousandths};
    use crate::action::{Budget, Counts, Simulator};
    use crate::table::Table;
    use crate::{mixed, revolve};
    use proptest::prelude::*;
    use std::collections::HashMap;

    const FREE: Transfer = Transfer { write: 0.0, read: 0.0 };

    fn run(steps: u64, budget: Budget, transfer: Transfer) -> Counts {
        let actions = schedule(steps, budget, transfer).expect("a budget that is enough");
        Simulator::run(steps, budget, actions).expect("a legal schedule")
    }

    fn in_memory(steps: u64, snapshot: u64, tape: u64, memory: u64) -> u64 {
        run(steps, Budget { snapshot, tape, memory, disk: 0 }, FREE).forward_steps
    }

    /// The optimum where states and the tapes of single steps may be kept in any order.
    fn optimum(steps: u64, budget: Budget, known: &mut HashMap<(u64, u64), u64>) -> u64 {
        if steps <= 1 {
            return steps;
        }
        if let Some(&value) = known.get(&(steps, budget.memory)) {
            return value;
        }
        let with = |bytes: u64| Some(Budget { memory: budget.memory.checked_sub(bytes)?, ..budget });
        let mut best = u64::MAX / 8;
        if let Some(rest) = with(budget.tape) {
            best = 1 + optimum(steps - 1, rest, known);
        }
        if let Some(rest) = with(budget.snapshot) {
            for i in 1..steps {
                best = best.min(i + optimum(steps - i, rest, known) + optimum(i, budget, known));
            }
        }
        known.insert((steps, budget.memory), best);
        best
    }

    fn cost(counts: Counts, transfer: Transfer) -> f64 {
        let Counts { forward_steps, writes, reads, .. } = counts;
        forward_steps as f64 + writes.disk as f64 * transfer.write + reads.disk as f64 * transfer.read
    }

    #[test]
    fn ten_thousand_steps() {
        // The counts are facts of the recursion; the binomial schedule takes 29848.
        for (snapshot, tape, expected) in [(1, 1, 19_946), (1, 5, 27_665), (2, 1, 19_773), (1, 1000, 29_848)] {
            assert_eq!(in_memory(10_000, snapshot, tape, 150 * snapshot), expected, "{snapshot} {tape}");
        }
    }

    #[test]
    fn bytes_that_are_not_enough_are_refused_with_those_that_are() {
        let budget = |memory| Budget { snapshot: 100, tape: 70, memory, disk: 0 };
        for (steps, needed) in [(2, 70), (3, 100), (50, 100)] {
            let refused = schedule(steps, budget(needed - 1), FREE).expect_err("too small");
            assert_eq!((refused.steps, refused.needed), (steps, needed));
            assert!(schedule(steps, budget(needed), FREE).is_ok());
        }
        assert!(schedule(1, budget(0), FREE).is_ok() && schedule(0, budget(0), FREE).is_ok());
    }

    #[test]
    fn nothing_to_store_costs_nothing() {
        let stateless = Budget { snapshot: 0, tape: 1, memory: 0, disk: 0 };
        assert_eq!(run(100, stateless, FREE).forward_steps, 199);
        let tapeless = Budget { snapshot: 1, tape: 0, memory: 0, disk: 0 };
        assert_eq!(run(100, tapeless, FREE).forward_steps, 100);
    }

    /// Against what the table counts where it is given the rows for all of these.
    #[test]
    fn blocks_are_nearly_the_best() {
        let facts = [
            (11_000, 30, 1, 38_754),
            (20_000, 30, 5, 87_810),
            (20_000, 150, 1, 48_583),
            (40_000, 100, 2, 117_908),
            (5000, 2000, 3, 9335),
            (20_000, 1000, 1, 39_019),
        ];
        for (steps, snapshots, tape, best) in facts {
            let taken = in_memory(steps, 1, tape, snapshots);
            assert!(taken >= best && taken as f64 <= 1.0002 * best as f64, "{taken} {best}");
        }
    }

    #[test]
    fn more_than_the_table_holds() {
        for (steps, snapshots) in [(100_000, 20), (1_000_000, 150), (200_000, 60_000), (1_000_000, 400_000)] {
            let counts = in_memory(steps, 1, 3, snapshots);
            let binomial = revolve::forward_steps(steps, snapshots).expect("a snapshot");
            assert!(counts < binomial, "{counts} {binomial}");
        }
        let budget = Budget { snapshot: 1, tape: 3, memory: 5, disk: 200 };
        let transfer = Transfer { write: 2.0, read: 1.0 };
        let with_disk = cost(run(100_000, budget, transfer), transfer);
        assert!(with_disk < revolve::forward_steps(100_000, 5).expect("a snapshot") as f64, "{with_disk}");
    }

    /// The cheapest where the segments on disk may be of any lengths, unlike here, but otherwise by the same rules.
    fn any_lengths(steps: usize, table: &Table, transfer: Transfer) -> u64 {
        let (write, read) = (rounded(transfer.write), rounded(transfer.read));
        let (value, _) = from_disk(table, read);
        let mut best: Vec<u64> = (0..=steps).map(|n| thousandths(table.forward_steps(n as u64))).collect();
        for n in 1..=steps {
            for i in 1..n {
                best[n] = best[n].min(write + read + thousandths(i as u64) + value[i] + best[n - i]);
            }
        }
        best[steps]
    }

    proptest! {
        #[test]
        fn the_optimum(steps in 1u64..40, snapshot in 1u64..8, tape in 1u64..8, memory in 8u64..60) {
            let budget = Budget { snapshot, tape, memory, disk: 0 };
            prop_assert_eq!(run(steps, budget, FREE).forward_steps, optimum(steps, budget, &mut HashMap::new()));
        }

        #[test]
        fn never_worse_than_revolve_or_mixed(steps in 1u64..500, snapshot in 1u64..9, tape in 1u64..30, memory in 30u64..300) {
            let taken = in_memory(steps, snapshot, tape, memory);
            prop_assert!(Some(taken) <= revolve::forward_steps(steps, memory / snapshot));
            let slots = memory / snapshot.max(tape);
            let mixed = Simulator::run(steps, Budget::slots(slots), mixed::schedule(steps, slots).expect("a slot"));
            prop_assert!(taken <= mixed.expect("a legal schedule").forward_steps);
            prop_assert!(in_memory(steps, snapshot, tape, memory + 1) <= taken);
        }

        #[test]
        fn the_disk_is_used_as_planned(
            steps in 1u64..400, memory in 0u64..20, slots in 0u64..20, write in 0.0..40.0f64, read in 0.0..40.0f64,
        ) {
            let budget = Budget { snapshot: 2, tape: 5, memory, disk: 2 * slots };
            let transfer = Transfer { write: write.round(), read: read.round() };
            prop_assume!(memory > 1 || slots > 0 || steps == 1);
            let counts = run(steps, budget, transfer);
            let table = Table::new(steps, 2, 5, memory);
            let (planned, _) = Disk::plan(steps, slots.min(steps), &table, transfer);
            prop_assert_eq!(cost(counts, transfer), planned as f64 / 1000.0);
            prop_assert!(planned <= thousandths(table.forward_steps(steps)));
        }

        #[test]
        fn equal_distances_are_nearly_the_best(steps in 1u64..300, memory in 2u64..30, write in 0.0..20.0f64, read in 0.0..20.0f64) {
            let transfer = Transfer { write, read };
            let table = Table::new(steps, 2, 5, memory);
            prop_assume!(table.rows() > 0);
            let (planned, _) = Disk::plan(steps, steps, &table, transfer);
            let best = any_lengths(steps as usize, &table, transfer);
            prop_assert!(planned >= best && planned as f64 <= 1.02 * best as f64, "{} {}", planned, best);
        }
    }
}
