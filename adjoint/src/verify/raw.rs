//! What a driver writes, read.

use std::collections::BTreeMap;

use super::figures::Step;

/// Figures as they were written, by input and output group; 0 stands for all.
#[derive(Default)]
pub(super) struct Raw {
    pub(super) sizes: BTreeMap<(bool, usize), usize>,
    pub(super) norms: BTreeMap<(usize, usize), [f64; 3]>,
    pub(super) steps: BTreeMap<(usize, usize), Vec<Step>>,
    pub(super) quotients: BTreeMap<(usize, usize), [f64; 3]>,
    pub(super) dots: BTreeMap<(usize, usize), [f64; 6]>,
    /// The output's element at which the tangent is farthest off: its number, the tangent, the difference quotient.
    pub(super) worst: BTreeMap<(usize, usize), [f64; 3]>,
    /// The first element of an input whose adjoint is wrong: its number, how many are wrong, of how many; adjoint, tangent.
    pub(super) elements: BTreeMap<(usize, usize), [f64; 5]>,
    /// How many elements of an input or an output each rank of MPI has.
    pub(super) shares: BTreeMap<(bool, usize), Vec<usize>>,
    pub(super) left: Vec<(usize, f64)>,
    pub(super) kept: Vec<(usize, f64)>,
    pub(super) again: Vec<(usize, f64, f64)>,
    pub(super) increment: Vec<(usize, f64, f64)>,
    /// The primal's values: norm and a sum for each output.
    pub(super) values: Vec<f64>,
    /// The primal leaves something behind that changes the next run.
    pub(super) stateful: bool,
    /// Outputs with numbers that aren't finite.
    pub(super) infinite: Vec<usize>,
    pub(super) complete: bool,
    pub(super) gave_up: Option<String>,
    pub(super) broken: Option<String>,
    /// Variables that aren't outputs: how far they are off after a tangent.
    pub(super) others: Vec<(usize, f64)>,
    /// Those that an adjoint changes though the primal doesn't.
    pub(super) disturbed: Vec<(usize, f64)>,
    /// How far they are off after an adjoint that keeps what the primal computes.
    pub(super) others_kept: Vec<(usize, f64)>,
    /// Outputs: size of the tangent, and of its difference to that of a second run.
    pub(super) repeated: Vec<(usize, f64, f64)>,
}

impl Raw {
    /// An element of an input or an output, by its number, as messages name it: with several processes, by rank and number
    /// there.
    pub(super) fn element(&self, is_input: bool, group: usize, number: f64) -> String {
        let mut left = number as usize;
        for (rank, share) in self.shares.get(&(is_input, group)).into_iter().flatten().enumerate() {
            if left <= *share {
                return format!("element {left} on rank {rank}");
            }
            left -= share;
        }
        format!("element {number}")
    }
}

/// Reads what a driver wrote.
pub(super) fn read(text: &str) -> Option<Raw> {
    let mut raw = Raw::default();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(key) = words.next() else { continue };
        if key == "gave-up" {
            raw.gave_up = Some(words.collect::<Vec<_>>().join(" "));
            continue;
        }
        if key == "broken" {
            raw.broken = Some(words.collect::<Vec<_>>().join(" "));
            continue;
        }
        let rest: Vec<&str> = words.collect();
        let int = |i: usize| rest.get(i).and_then(|w| w.parse::<usize>().ok());
        let num = |i: usize| rest.get(i + 2).map(|w| number(w));
        match key {
            "input" | "output" => {
                raw.sizes.insert((key == "input", int(0)?), int(1)?);
            }
            "share-of-input" | "share-of-output" => {
                raw.shares.entry((key == "share-of-input", int(0)?)).or_default().push(int(2)?);
            }
            "finite" if int(1)? == 0 => raw.infinite.push(int(0)?),
            "finite" => {}
            "stateless" => raw.stateful |= int(0)? == 0,
            "norm" => {
                raw.norms.insert((int(0)?, int(1)?), [num(0)?, num(1)?, num(2)?]);
            }
            "step" => {
                let step = Step { h: num(0)?, remainder: num(1)?, slope: num(2)? };
                raw.steps.entry((int(0)?, int(1)?)).or_default().push(step);
            }
            "quotient" => {
                raw.quotients.insert((int(0)?, int(1)?), [num(0)?, num(1)?, num(2)?]);
            }
            "dot" => {
                raw.dots.insert((int(0)?, int(1)?), [num(0)?, num(1)?, num(2)?, num(3)?, num(4)?, num(5)?]);
            }
            "worst" => {
                raw.worst.insert((int(0)?, int(1)?), [num(0)?, num(1)?, num(2)?]);
            }
            "element" => {
                raw.elements.insert((int(0)?, int(1)?), [num(0)?, num(1)?, num(2)?, num(3)?, num(4)?]);
            }
            "other" => raw.others.push((int(0)?, num(0)?)),
            "disturbed" => raw.disturbed.push((int(0)?, num(0)?)),
            "other-kept" => raw.others_kept.push((int(0)?, num(0)?)),
            "repeated" => raw.repeated.push((int(0)?, num(0)?, num(1)?)),
            "left" => raw.left.push((int(0)?, num(0)?)),
            "kept" => raw.kept.push((int(0)?, num(0)?)),
            "again" => raw.again.push((int(0)?, num(0)?, num(1)?)),
            "increment" => raw.increment.push((int(0)?, num(0)?, num(1)?)),
            "now" | "untrapped" | "unset" => {}
            "value" => raw.values.extend([num(0)?, num(1)?]),
            "end" => raw.complete = true,
            _ => return None,
        }
    }
    Some(raw)
}

/// A number as Fortran writes it; an overflowing field is no number.
fn number(word: &str) -> f64 {
    word.parse().unwrap_or(f64::NAN)
}
