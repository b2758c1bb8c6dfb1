//! What procedures and statements do with arrays that the device may have.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{Designator, Dim, Expr, Part, Program, Stmt, Subscript, SymId};
use costate_grammar::source::Span;

use super::code::{is_fixed, values};
use super::conditions::Condition;
use super::current::{Current, Flow, Use};

/// What is done with arrays; with those that aren't there nothing is.
pub(super) type Flows = BTreeMap<SymId, Flow>;

/// What one of two does.
pub(super) fn join(mut a: Flows, b: &Flows) -> Flows {
    for (sym, flow) in &mut a {
        *flow = flow.join(b.get(sym).copied().unwrap_or(Flow::NOTHING));
    }
    for (sym, flow) in b {
        a.entry(*sym).or_insert_with(|| flow.join(Flow::NOTHING));
    }
    a
}

/// Tells what the procedures do that a statement calls itself; `None` where it calls none.
pub(super) type Called<'c> = &'c dyn Fn(&Stmt) -> Option<Touch>;

/// An array that may be on the device, and of which a call leaves parts up to date there and others on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Divided {
    /// Where the call stands.
    pub(crate) call: Span,
    /// The array.
    pub(crate) sym: SymId,
}

/// The states of an array that was up to date on both sides, as a condition decides that.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Case {
    pub(super) condition: Condition,
    /// Where it holds, and where it doesn't, whatever the program itself has on a device.
    pub(super) states: [Current; 2],
    /// Where the program itself has the array there.
    pub(super) there: [Current; 2],
}

impl Case {
    /// True where the condition tells more than is known without it.
    pub(super) fn tells(&self) -> bool {
        [self.states, self.there].iter().any(|states| states.iter().all(|s| s.is_of_one_side()))
    }

    /// The same for the opposite condition.
    pub(super) fn turned(mut self) -> Case {
        self.states.reverse();
        self.there.reverse();
        self
    }

    /// What decides whether the host's copy alone is up to date, as a clause says it; `None` where it never is.
    pub(super) fn on_host(&self, states: [Current; 2]) -> Option<String> {
        let text = self.condition.text();
        match states.map(|state| state == Current::Host) {
            [true, true] => Some("if(.true.)".to_string()),
            [true, false] => Some(format!("if({text})")),
            [false, true] => Some(format!("if(.not. ({text}))")),
            [false, false] => None,
        }
    }
}

/// Arrays that a procedure, or a statement with its calls, uses.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Touch {
    /// On the host, without a word about their copies on the device.
    pub(super) host: BTreeSet<SymId>,
    /// On the device.
    pub(super) device: BTreeSet<SymId>,
    /// Those that may change.
    pub(super) written: BTreeSet<SymId>,
    /// Those that get other memory, or lose theirs.
    pub(super) allocated: BTreeSet<SymId>,
    /// Those that directives put on the device, or take from there, for longer than the procedure lasts.
    pub(super) entered: BTreeSet<SymId>,
    /// Those of which updates bring one copy up to date.
    pub(super) updated: BTreeSet<SymId>,
    /// What becomes of the copies of arrays on the device and on the host.
    pub(super) flows: Flows,
    /// Arrays that the program itself has there: where they are up to date behind, as a condition decides that.
    pub(super) cases: BTreeMap<SymId, Case>,
    /// It has code for a device with directives of OpenACC; of OpenMP.
    pub(super) kinds: BTreeSet<bool>,
}

impl Touch {
    pub(super) fn add(&mut self, other: Touch) {
        self.host.extend(other.host);
        self.device.extend(other.device);
        self.written.extend(other.written);
        self.allocated.extend(other.allocated);
        self.entered.extend(other.entered);
        self.updated.extend(other.updated);
        // Of several calls in one statement it isn't known which comes last.
        self.cases.retain(|sym, _| !other.flows.contains_key(sym));
        let alone = other.cases.into_iter().filter(|(sym, _)| !self.flows.contains_key(sym));
        self.cases.extend(alone.collect::<Vec<_>>());
        other.flows.into_iter().for_each(|(sym, flow)| self.does(sym, flow));
        self.kinds.extend(other.kinds);
    }

    /// One of both happens.
    pub(super) fn join(&mut self, other: &Touch) {
        let flows = join(std::mem::take(&mut self.flows), &other.flows);
        let cases = std::mem::take(&mut self.cases);
        self.add(Touch { flows: Flows::new(), cases: BTreeMap::new(), ..other.clone() });
        self.cases = cases.into_iter().filter(|(sym, case)| other.cases.get(sym) == Some(case)).collect();
        self.flows = flows;
    }

    /// The same where all arrays that are used on the device stay there.
    pub(super) fn kept_there(&self, program: &Program) -> Touch {
        let mut out = self.clone();
        for s in self.device.iter().filter(|s| program.var(**s).is_some_and(|v| v.rank() > 0)) {
            out.host.remove(s);
            let done = if self.written.contains(s) { Use::DeviceWrites } else { Use::DeviceReads };
            out.flows.insert(*s, done.into());
        }
        out
    }

    /// The same by other names.
    pub(super) fn renamed(&self, names: &BTreeMap<SymId, SymId>) -> Touch {
        let name = |s: &SymId| names.get(s).copied().unwrap_or(*s);
        let all = |set: &BTreeSet<SymId>| set.iter().map(name).collect();
        Touch {
            host: all(&self.host),
            device: all(&self.device),
            written: all(&self.written),
            allocated: all(&self.allocated),
            entered: all(&self.entered),
            updated: all(&self.updated),
            flows: self.flows.iter().map(|(s, flow)| (name(s), *flow)).collect(),
            // Conditions may be on what has other names.
            cases: BTreeMap::new(),
            kinds: self.kinds.clone(),
        }
    }

    /// True for what uses a device, or copies there.
    pub(super) fn is_about_device(&self) -> bool {
        !self.device.is_empty() || !self.updated.is_empty()
    }

    /// What becomes of arrays where nothing is known of the order.
    pub(super) fn in_any_order(&self) -> Flows {
        let all: BTreeSet<SymId> = self.host.iter().chain(&self.device).chain(&self.updated).copied().collect();
        let of = |s: &SymId| match (self.host.contains(s), self.device.contains(s), self.written.contains(s)) {
            (true, false, changed) if !self.updated.contains(s) => {
                if changed {
                    Use::HostWrites.into()
                } else {
                    Use::HostReads.into()
                }
            }
            (false, true, changed) if !self.updated.contains(s) => {
                if changed {
                    Use::DeviceWrites.into()
                } else {
                    Use::DeviceReads.into()
                }
            }
            _ => Flow::ANYTHING,
        };
        all.into_iter().map(|s| (s, of(&s))).collect()
    }

    /// Something is done with an array, before or after what is done with it otherwise.
    pub(super) fn does(&mut self, sym: SymId, done: impl Into<Flow>) {
        let done = done.into();
        let known = self.flows.entry(sym).or_insert(Flow::NOTHING);
        *known = known.then(done).join(done.then(*known));
    }

    pub(super) fn all_do(&mut self, syms: &BTreeSet<SymId>, done: Use) {
        syms.iter().for_each(|s| self.does(*s, done));
    }

    /// What becomes of an array that is passed, given what a procedure does with its dummy.
    pub(super) fn passed(&mut self, program: &Program, (dummy, d, whole): (SymId, &Designator, bool), inside: &Touch) {
        let (host, device) = (inside.host.contains(&dummy), inside.device.contains(&dummy));
        let changed = inside.written.contains(&dummy);
        let flow = inside.flows.get(&dummy).copied().unwrap_or(Flow::NOTHING);
        // What isn't in one piece may be passed as a copy, or where it stands. An element that stands for a scalar
        // is found on the device by its address where it is mapped, and its value is the host's otherwise.
        let scalar = program.var(dummy).is_some_and(|v| v.rank() == 0);
        let element = scalar && d.parts.iter().any(|p| matches!(p, Part::Subscripts(_)));
        let either = device && (element || !in_one_piece(d));
        let flow = match (either, changed, whole) {
            (true, true, _) => Use::EitherWrites.into(),
            (true, false, _) => Use::EitherReads.into(),
            (false, _, true) => flow,
            (false, _, false) => flow.of_part(),
        };
        self.does(d.sym, flow);
        let mut add = |held: bool, set: fn(&mut Touch) -> &mut BTreeSet<SymId>| {
            if held {
                set(self).insert(d.sym);
            }
        };
        add(host || either, |t| &mut t.host);
        add(device, |t| &mut t.device);
        add(changed, |t| &mut t.written);
        add(inside.allocated.contains(&dummy), |t| &mut t.allocated);
        add(inside.entered.contains(&dummy), |t| &mut t.entered);
        add(inside.updated.contains(&dummy), |t| &mut t.updated);
        let subscripts: BTreeSet<SymId> = d.subscripts().flat_map(subscript_values).collect();
        self.all_do(&subscripts, Use::HostReads);
        self.host.extend(subscripts);
    }
}

/// True where a dummy is all of the array that is passed.
pub(super) fn is_whole(
    program: &Program,
    (dummy, passed): (SymId, SymId),
    actuals: &BTreeMap<SymId, Option<&Expr>>,
) -> bool {
    let (Some(inside), Some(outside)) = (program.var(dummy), program.var(passed)) else { return false };
    let same = |pair: (&Dim, &Dim)| match pair {
        (Dim::Explicit(a, b), Dim::Explicit(c, d)) => {
            let given = b.as_var().filter(|x| x.parts.is_empty()).and_then(|x| actuals.get(&x.sym));
            a == c && is_fixed(program, d) && given.map_or(b == d, |e| *e == Some(d))
        }
        (Dim::Explicit(..) | Dim::AssumedSize(_), _) => false,
        _ => true,
    };
    inside.rank() == outside.rank() && inside.dims.iter().zip(&outside.dims).all(same)
}

/// True for what is passed as it stands in memory.
fn in_one_piece(d: &Designator) -> bool {
    match d.parts.as_slice() {
        [] => true,
        [Part::Subscripts(list)] => {
            let whole = |s: &&Subscript| matches!(s, Subscript::Range { lo: None, hi: None, step: None });
            let full = list.iter().take_while(whole).count();
            let run = matches!(list.get(full), Some(Subscript::Range { step: None, .. }));
            list[full + usize::from(run)..].iter().all(|s| matches!(s, Subscript::Index(e) if e.rank == 0))
        }
        _ => false,
    }
}

fn subscript_values(s: &Subscript) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    match s {
        Subscript::Index(e) => values(e, &mut out),
        Subscript::Range { lo, hi, step } => {
            [lo, hi, step].into_iter().flatten().for_each(|e| values(e, &mut out));
        }
    }
    out
}
