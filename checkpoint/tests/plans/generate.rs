//! Random problems, the same on every machine.

use costate_checkpoint::block::{Call, Loop};
use costate_checkpoint::item::{Item, Kept, Slice, Within, add_items};
use costate_checkpoint::problem::{Choice, Point, Problem};

/// Knuth's linear congruential generator.
struct Random(u64);

impl Random {
    /// A number less than `n`.
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn cost(&mut self) -> f64 {
        self.below(40) as f64 * 0.25
    }
}

fn points(number: usize, bytes: impl FnMut() -> u64) -> Vec<Point> {
    let bytes = std::iter::repeat_with(bytes);
    (0..number).zip(bytes).map(|(i, bytes)| Point { name: format!("p{i}"), bytes }).collect()
}

/// A few items in chains, some of them in a loop, and a call.
pub(crate) fn small(seed: u64) -> Problem {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let number = 2 + random.below(3) as usize;
    let mut problem = Problem { points: points(2 * number, || random.below(3)), decisions: Vec::new() };
    let time_loop = (random.below(3) == 0).then(|| loop_decision(&mut problem, &mut random, number));
    if random.below(3) == 0 {
        problem.decide("call", call(&mut random, number));
    }
    let items: Vec<Item> = (0..number).map(|i| item(&mut random, i, number, &time_loop)).collect();
    add_items(&mut problem, &items).unwrap();
    problem
}

fn call(random: &mut Random, number: usize) -> Vec<Choice> {
    let forward = random.below(number as u64) as usize;
    let call = Call {
        forward,
        backward: 2 * number - 1 - forward,
        run: random.cost(),
        inputs: random.below(5),
        inputs_cost: random.cost(),
        record: random.below(12),
        record_cost: random.cost(),
    };
    call.options()
}

fn loop_decision(problem: &mut Problem, random: &mut Random, number: usize) -> Within {
    let backward = (number, 2 * number - 1);
    let data = Loop {
        forward: 0,
        backward,
        iterations: 6,
        step: random.cost(),
        snapshot: random.below(6),
        snapshot_cost: 0.25,
        tape: random.below(3),
        tape_cost: 0.25,
    };
    let decision = problem.decide("loop", data.options(&[2]));
    let kept = [(6, 0), (1, number), (2, number)].map(|(iterations, first)| Kept { iterations, first });
    Within { decision, kept: kept.to_vec() }
}

fn item(random: &mut Random, index: usize, number: usize, time_loop: &Option<Within>) -> Item {
    let first = 2 * number - 1 - index;
    let last = (first + random.below(3) as usize).min(2 * number - 1);
    let mut slice = |chance: u64| {
        (random.below(chance) > 0).then(|| Slice {
            cost: random.cost(),
            scratch: random.below(4),
            inputs: (0..index).filter(|_| random.below(3) == 0).collect(),
        })
    };
    let (recompute, undo) = (slice(4), slice(1));
    let within = time_loop.clone().filter(|_| random.below(2) == 0);
    let (bytes, store) = (1 + random.below(10), random.cost());
    Item { name: format!("v{index}"), bytes, defined: index, needed: (first, last), store, recompute, undo, within }
}

/// Many values that are saved in order and needed in reverse, some of them recomputed from earlier ones.
pub(crate) fn large(number: usize, chains: bool) -> Problem {
    let mut random = Random(1);
    let mut problem = Problem { points: points(2 * number, || 0), decisions: Vec::new() };
    let item = |index: usize| {
        let bytes = 8 * (1 + random.below(100_000));
        let mut inputs: Vec<usize> = Vec::new();
        if chains && index > 0 {
            let number = random.below(3);
            inputs.extend((0..number).map(|_| index - 1 - random.below(5.min(index as u64)) as usize));
            inputs.sort_unstable();
            inputs.dedup();
        }
        let cost = bytes as f64 * (0.1 + random.below(100) as f64 * 0.05);
        let slice = Slice { cost, scratch: 8 * random.below(1000), inputs };
        let at = 2 * number - 1 - index;
        Item {
            name: format!("v{index}"),
            bytes,
            defined: index,
            needed: (at, at),
            store: bytes as f64 * 0.2,
            recompute: Some(slice).filter(|_| random.below(10) > 0),
            undo: None,
            within: None,
        }
    };
    let items: Vec<Item> = (0..number).map(item).collect();
    add_items(&mut problem, &items).unwrap();
    problem
}
