//! Buffers of messages: which variables, how much of them, and what must leave them alone while messages are on their way.

use super::{Binding, Talk};
use crate::random::scope::Array;

/// How many elements are passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    Full,
    One,
    Short,
    Half,
    None,
}

impl Size {
    pub(super) fn count(self) -> &'static str {
        match self {
            Size::Full => "n",
            Size::One => "1",
            Size::Short => "n-1",
            Size::Half => "n/2",
            Size::None => "0",
        }
    }
}

/// A buffer.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    /// How it is passed.
    pub(super) text: String,
    /// What it shares memory with.
    pub(super) group: String,
    /// An assignment that keeps its values small.
    pub(super) bounded: String,
    /// One of its elements, or the first of what is there.
    pub(super) element: String,
}

/// Variables that messages on their way are made of, and those that they come to.
#[derive(Clone, Default)]
pub(super) struct Held {
    pub(super) sent: Vec<String>,
    pub(super) received: Vec<String>,
}

impl Talk {
    pub(super) fn size(&mut self) -> Size {
        let sizes = [Size::Full, Size::Full, Size::Full, Size::One, Size::One, Size::Short, Size::Half, Size::None];
        let at = if self.s.rng.chance(97) { self.s.rng.below(7) } else { 7 };
        sizes[at]
    }

    /// A buffer to send from, or to receive in where it is `set`. `kept` says that it isn't copied on its way: messages
    /// arrive later.
    pub(super) fn buffer(&mut self, size: Size, set: bool, kept: bool, other: &[&Buffer]) -> Option<Buffer> {
        let free = |s: &Talk, name: &str| {
            let g = s.s.group(name);
            other.iter().all(|b| b.group != g)
        };
        if size == Size::One && self.s.rng.chance(35) {
            let list: Vec<String> = self.s.scalars.iter().filter(|n| *n != "s1" && free(self, n)).cloned().collect();
            if !list.is_empty() {
                let name = self.s.rng.pick(&list).clone();
                let bounded = format!("{name} = sin({name})");
                return Some(Buffer { group: self.s.group(&name), text: name.clone(), bounded, element: name });
            }
        }
        if self.s.arrays.len() < 4 {
            return None;
        }
        let fits = |s: &Talk, a: &Array| (a.writable || !set) && (a.suffix.is_empty() || !kept) && free(s, &a.name);
        let list: Vec<Array> = self.s.arrays.iter().filter(|a| fits(self, a)).cloned().collect();
        if list.is_empty() {
            return None;
        }
        let a = self.s.rng.pick(&list).clone();
        Some(self.part(&a, size, kept))
    }

    /// Part of an array as a buffer.
    pub(super) fn part(&mut self, a: &Array, size: Size, kept: bool) -> Buffer {
        let n = &a.name;
        let mut texts: Vec<String> = match size {
            Size::Full => vec![format!("{n}(1)"), format!("{n}(1:n)")],
            Size::One => vec![format!("{n}(1)"), format!("{n}(n)"), format!("{n}((n+1)/2)")],
            Size::Short => vec![format!("{n}(1)"), format!("{n}(1:n-1)"), format!("{n}(min(2,n))")],
            Size::Half => vec![format!("{n}((n+1)/2)"), format!("{n}(1)")],
            Size::None => vec![n.clone(), format!("{n}(n)")],
        };
        match size {
            Size::Full if a.margin == 0 => texts.extend([n.clone(), n.clone()]),
            Size::One if a.margin > 0 => texts.extend([format!("{n}(0)"), format!("{n}(n+1)")]),
            _ => {}
        }
        // With `mpi_f08` an element is one number to compilers, and not where more begin.
        if self.binding == Binding::Types {
            texts = vec![match size {
                Size::Full => format!("{n}(1:n)"),
                Size::Short => format!("{n}(1:n-1)"),
                Size::Half => format!("{n}(1:n/2)"),
                Size::One | Size::None => format!("{n}((n+1)/2)"),
            }];
        }
        if !kept {
            texts.extend(match size {
                Size::Full => vec![format!("{n}(n:1:-1)")],
                Size::Half => vec![format!("{n}(2:n:2)")],
                Size::One | Size::Short | Size::None => Vec::new(),
            });
        }
        if !a.suffix.is_empty() {
            texts = vec![match size {
                Size::Full => format!("{n}%s"),
                Size::One => format!("{n}(n)%s"),
                Size::Short => format!("{n}(1:n-1)%s"),
                Size::Half => format!("{n}(1:n/2)%s"),
                Size::None => format!("{n}(1)%s"),
            }];
        }
        let (all, one) = (format!("{n}(1:n){}", a.suffix), format!("{n}(1){}", a.suffix));
        let whole = if a.name.starts_with('b') && a.name.len() == 2 { n.clone() } else { all };
        Buffer {
            text: self.s.rng.pick(&texts).clone(),
            group: self.s.group(n),
            bounded: format!("{whole} = sin({whole})"),
            element: one,
        }
    }

    /// Lets `made` write statements that leave messages on their way alone.
    pub(super) fn during<T>(&mut self, held: &Held, made: impl FnOnce(&mut Talk) -> T) -> T {
        let s = &self.s;
        let before = (
            (s.arrays.clone(), s.scalars.clone(), s.constants.clone(), s.triples.clone()),
            (s.structures.clone(), s.helpers.clone(), s.square, self.called.clone()),
        );
        let sent = |g: &str| held.sent.iter().any(|h| h == g);
        let received = |g: &str| held.received.iter().any(|h| h == g);
        let touched = |g: &str| sent(g) || received(g);
        let mut arrays = self.s.arrays.clone();
        arrays.retain(|a| !received(&self.s.group(&a.name)));
        for a in &mut arrays {
            a.writable &= !sent(&self.s.group(&a.name));
        }
        let (mut scalars, mut constants) = (self.s.scalars.clone(), self.s.constants.clone());
        constants.extend(scalars.iter().filter(|n| sent(&self.s.group(n)) && !received(&self.s.group(n))).cloned());
        scalars.retain(|n| !touched(&self.s.group(n)));
        let triples: Vec<String> = self.s.triples.iter().filter(|n| !touched(&self.s.group(n))).cloned().collect();
        self.s.structures.retain(|n| !touched(n));
        self.s.square &= !touched("cc");
        if ["gs", "ga", "mb", "ms"].into_iter().any(touched) {
            self.s.helpers.retain(|h| !h.globals);
            self.called.clear();
        }
        (self.s.arrays, self.s.scalars, self.s.constants, self.s.triples) = (arrays, scalars, constants, triples);
        let out = made(self);
        (self.s.arrays, self.s.scalars, self.s.constants, self.s.triples) = before.0;
        (self.s.structures, self.s.helpers, self.s.square, self.called) = before.1;
        out
    }
}
