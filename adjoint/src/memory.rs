//! The memory that an adjoint takes on top of its primal's, at given sizes: saved values and adjoint variables of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use costate_analysis::activity::{Activity, ContextId};
use costate_analysis::callgraph::Bodies;
use costate_analysis::loops::substitute;
use costate_grammar::ir::{Arg, Expr, Name, ProcId, Program, Stmt, StmtId, SymId, Ty};
use serde::Serialize;

use crate::decision::Decisions;
use crate::plan::{ASSUMED, FrameKey, MOST_FRAMES, Sizes};

/// Something that takes memory, in the order in which the forward sweep comes to it.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A variable that is held until the backward sweep has passed the same place.
    Slot(Slot),
    /// What the backward sweep takes for itself there: an iteration or a block runs again.
    Rerun(Rerun),
    /// The adjoint of a call.
    Call(Call),
    /// The records of a split call, and what its backward half takes beside them.
    Record(Records),
}

impl Entry {
    /// The same where a variable has a value.
    pub(crate) fn with(&self, var: SymId, value: &Expr) -> Entry {
        let put = |bounds: &[(Expr, Expr)]| {
            bounds.iter().map(|(lo, hi)| (substitute(lo, var, value), substitute(hi, var, value))).collect()
        };
        match self {
            Entry::Slot(s) => Entry::Slot(Slot { bounds: put(&s.bounds), ..s.clone() }),
            Entry::Rerun(a) => {
                let entries = a.entries.iter().map(|e| e.with(var, value)).collect();
                Entry::Rerun(Rerun { entries, ..a.clone() })
            }
            Entry::Call(c) => Entry::Call(c.clone()),
            Entry::Record(r) => Entry::Record(Records { bounds: put(&r.bounds), ..r.clone() }),
        }
    }
}

/// Records of a split call, which are held like a [`Slot`].
#[derive(Clone, Debug)]
pub struct Records {
    /// The variable, in words.
    pub what: String,
    /// The call of the backward half.
    pub call: Call,
    /// Bounds of the loops around it.
    pub bounds: Vec<(Expr, Expr)>,
}

/// Something that runs again.
#[derive(Clone, Debug)]
pub struct Rerun {
    /// The loops and calls around it, itself included, from the outermost in.
    pub path: Path,
    /// What is held while it runs.
    pub entries: Vec<Entry>,
}

/// Statements inside each other: loops and calls, the outermost first.
pub type Path = Vec<StmtId>;

/// A call of a procedure with an adjoint.
#[derive(Clone, Debug)]
pub struct Call {
    /// The loops and calls around it, itself included, from the outermost in.
    pub path: Path,
    /// The callee's context.
    pub context: ContextId,
    /// What of its adjoint is called.
    pub part: Part,
    /// The arguments of the primal's call.
    pub args: Vec<Arg>,
}

/// A variable of a generated procedure.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The variable.
    pub symbol: SymId,
    /// What it holds, in words.
    pub what: String,
    /// The saved reference as text; none for an adjoint.
    pub reference: Option<String>,
    /// The loops and calls for which it is held, from the outermost in.
    pub path: Path,
    /// It is the value of this name that this statement computes, which can be recomputed instead.
    pub value: Option<(StmtId, Name)>,
    /// Type of its elements.
    pub ty: Ty,
    /// Bounds of its dimensions, in terms of what the procedure is called with.
    pub bounds: Vec<(Expr, Expr)>,
}

/// Works out peaks, of one procedure after the other.
pub(crate) struct Peaks<'a, 'p> {
    facts: &'a LedgerFacts<'p>,
    sizes: Sizes<'p>,
    known: BTreeMap<(ContextId, Part), BTreeMap<FrameKey, Peak>>,
    /// Contexts whose peaks are being worked out: a recursive call, with whatever sizes, counts as nothing.
    pending: BTreeSet<ContextId>,
    /// There was such a call.
    recursive: bool,
}

/// The peak of a call.
#[derive(Clone, Debug)]
struct Peak {
    bytes: u64,
    /// Sizes that it was worked out with.
    used: BTreeMap<String, i64>,
    assumed: BTreeSet<String>,
    /// A recursive call in it counted as nothing, which may be otherwise elsewhere.
    recursive: bool,
}

impl Peaks<'_, '_> {
    /// What the adjoint of a context holds.
    pub(crate) fn plan(&mut self, (id, part): (ContextId, Part)) -> MemoryPlan {
        self.known.values_mut().for_each(|peaks| peaks.retain(|_, p| !p.recursive));
        (self.sizes.used, self.sizes.assumed) = Default::default();
        let caller = self.sizes.enter(self.facts.procedure(id), &[]);
        self.sizes.learn(self.facts.body(id));
        let record = if part == Part::Halves { self.facts.entries((id, Part::Record)) } else { &[] };
        let entries = [record, self.facts.entries((id, part))].concat();
        let most = self.of(&entries);
        let mut rows: BTreeMap<String, u64> = BTreeMap::new();
        self.collect(&entries, &mut rows);
        self.sizes.leave(caller);
        let mut held: Vec<Held> = rows.into_iter().map(|(what, bytes)| Held { what, bytes }).collect();
        held.sort_by_key(|h| std::cmp::Reverse(h.bytes));
        let (sizes, assumed) = (std::mem::take(&mut self.sizes.used), std::mem::take(&mut self.sizes.assumed));
        MemoryPlan { most, sizes, assumed, held }
    }

    /// The memory of what an adjoint holds for each statement of normal form at which it saves something, by reference; the
    /// records of a split call and the table of a schedule have none.
    pub(crate) fn by_statement(&mut self, (id, part): (ContextId, Part)) -> BTreeMap<(StmtId, Option<String>), u64> {
        let caller = self.sizes.enter(self.facts.procedure(id), &[]);
        self.sizes.learn(self.facts.body(id));
        let record = if part == Part::Halves { self.facts.entries((id, Part::Record)) } else { &[] };
        let mut out = BTreeMap::new();
        self.attribute(&[record, self.facts.entries((id, part))].concat(), &mut out);
        self.sizes.leave(caller);
        out
    }

    fn attribute(&mut self, entries: &[Entry], out: &mut BTreeMap<(StmtId, Option<String>), u64>) {
        for e in entries {
            let (path, reference, bytes) = match e {
                Entry::Slot(s) => (&s.path, s.reference.clone(), self.sizes.bytes(s.ty, &s.bounds)),
                Entry::Record(r) => (&r.call.path, None, self.records(r)),
                Entry::Rerun(inner) => {
                    self.attribute(&inner.entries, out);
                    continue;
                }
                Entry::Call(_) => continue,
            };
            if let Some(at) = path.last() {
                let held = out.entry((*at, reference)).or_default();
                *held = held.saturating_add(bytes);
            }
        }
    }

    /// The most that is held at a time while the entries' backward sweep runs, calls included. A recursive call counts
    /// once.
    fn of(&mut self, entries: &[Entry]) -> u64 {
        let (mut held, mut most) = (0u64, 0u64);
        for e in entries {
            let here = match e {
                Entry::Slot(s) => {
                    held = held.saturating_add(self.sizes.bytes(s.ty, &s.bounds));
                    0
                }
                Entry::Rerun(inner) => self.of(&inner.entries),
                Entry::Call(call) => self.of_call(call),
                Entry::Record(r) => {
                    held = held.saturating_add(self.records(r));
                    self.of_call(&r.call)
                }
            };
            most = most.max(held.saturating_add(here));
        }
        most
    }

    fn of_call(&mut self, call: &Call) -> u64 {
        // Nothing need be known of what a procedure without source is called with.
        if self.facts.entries((call.context, call.part)).is_empty() {
            return 0;
        }
        if !self.pending.insert(call.context) {
            self.recursive = true;
            return 0;
        }
        let caller = self.sizes.enter(self.facts.procedure(call.context), &call.args);
        let (id, key) = ((call.context, call.part), self.sizes.key());
        let peak = match self.known.get(&id) {
            Some(known) if known.contains_key(&key) => known.get(&key).cloned(),
            Some(known) if known.len() >= MOST_FRAMES => known.values().max_by_key(|p| p.bytes).cloned(),
            _ => None,
        };
        let peak = peak.unwrap_or_else(|| {
            let peak = self.peak(id);
            self.known.entry(id).or_default().insert(key, peak.clone());
            peak
        });
        self.sizes.leave(caller);
        self.pending.remove(&call.context);
        self.sizes.used.extend(peak.used);
        self.sizes.assumed.extend(peak.assumed);
        self.recursive |= peak.recursive;
        peak.bytes
    }

    /// The peak of a call that is gone into.
    fn peak(&mut self, id: (ContextId, Part)) -> Peak {
        let before = (std::mem::take(&mut self.sizes.used), std::mem::take(&mut self.sizes.assumed));
        let recursive = std::mem::take(&mut self.recursive);
        self.sizes.learn(self.facts.body(id.0));
        let bytes = self.of(self.facts.entries(id));
        let used = std::mem::replace(&mut self.sizes.used, before.0);
        let assumed = std::mem::replace(&mut self.sizes.assumed, before.1);
        Peak { bytes, used, assumed, recursive: std::mem::replace(&mut self.recursive, recursive) }
    }

    /// With what is known in the callee of a call.
    fn within<T>(&mut self, call: &Call, of: impl FnOnce(&mut Self) -> T) -> T {
        let caller = self.sizes.enter(self.facts.procedure(call.context), &call.args);
        self.sizes.learn(self.facts.body(call.context));
        let out = of(self);
        self.sizes.leave(caller);
        out
    }

    /// The records of a call in all iterations of the loops around it.
    fn records(&mut self, r: &Records) -> u64 {
        let one = self.within(&r.call, |s| s.record(r.call.context));
        self.sizes.count(&r.bounds).saturating_mul(one)
    }

    /// One record of a procedure.
    fn record(&mut self, id: ContextId) -> u64 {
        let parts = self.facts.entries((id, Part::Record)).iter().map(|e| match e {
            Entry::Slot(s) => self.sizes.bytes(s.ty, &s.bounds) + beside(s.bounds.len()),
            Entry::Record(r) => self.records(r) + beside(r.bounds.len()),
            Entry::Rerun(_) | Entry::Call(_) => 0,
        });
        parts.fold(0, u64::saturating_add)
    }

    fn collect(&mut self, entries: &[Entry], rows: &mut BTreeMap<String, u64>) {
        for e in entries {
            match e {
                Entry::Slot(s) => *rows.entry(s.what.clone()).or_default() += self.sizes.bytes(s.ty, &s.bounds),
                Entry::Record(r) => *rows.entry(r.what.clone()).or_default() += self.records(r),
                Entry::Rerun(inner) => self.collect(&inner.entries, rows),
                Entry::Call(_) => {}
            }
        }
    }
}

/// Bytes beside the elements of an allocated component: its descriptor, and what the C library adds to a block. Records of
/// columns and cells have short components.
fn beside(rank: usize) -> u64 {
    if rank == 0 { 0 } else { 56 + 24 * rank as u64 }
}

/// What memory is worked out from.
pub(crate) struct LedgerFacts<'p> {
    pub(crate) program: &'p Program,
    pub(crate) activity: &'p Activity,
    pub(crate) bodies: &'p Bodies,
    pub(crate) ledgers: &'p Ledgers,
}

impl<'p> LedgerFacts<'p> {
    /// The procedure of a context.
    pub(crate) fn procedure(&self, id: ContextId) -> ProcId {
        self.activity.get(id).proc
    }

    /// Its body in normal form.
    pub(crate) fn body(&self, id: ContextId) -> &'p [Stmt] {
        self.bodies.get(&self.procedure(id)).map_or(&[][..], |b| b.as_slice())
    }

    /// What its adjoint holds, or a part of it.
    pub(crate) fn entries(&self, id: (ContextId, Part)) -> &'p [Entry] {
        self.ledgers.get(&id).map_or(&[][..], Vec::as_slice)
    }

    /// Bytes of the records of a call.
    pub(crate) fn records(&self, r: &Records, sizes: &Sizes<'p>) -> u64 {
        self.peaks_with(sizes.clone()).records(r)
    }

    /// Works out peaks with values of integers and extents of arrays by name.
    pub(crate) fn peaks(&self, given: &[(String, Vec<i64>)]) -> Peaks<'_, 'p> {
        self.peaks_with(Sizes::new(self.program, given))
    }

    fn peaks_with(&self, sizes: Sizes<'p>) -> Peaks<'_, 'p> {
        Peaks { facts: self, sizes, known: BTreeMap::new(), pending: BTreeSet::new(), recursive: false }
    }
}

/// A part of what is generated for a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The adjoint in one procedure.
    Whole,
    /// The adjoint in two halves; what it holds beside the record.
    Halves,
    /// The record between the halves.
    Record,
    /// The backward half alone.
    Backward,
}

/// What the generated adjoint of each context holds.
pub type Ledgers = BTreeMap<(ContextId, Part), Vec<Entry>>;

/// What an adjoint holds in memory at given sizes.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MemoryPlan {
    /// The most at a time, with the adjoints of its calls, in bytes.
    pub most: u64,
    /// The values that it was worked out with.
    pub sizes: BTreeMap<String, i64>,
    /// Values that aren't given and are taken to be [`ASSUMED`].
    pub assumed: BTreeSet<String>,
    /// What it holds itself, largest first.
    pub held: Vec<Held>,
}

/// A variable, or variables of one kind, that an adjoint holds.
#[derive(Clone, Debug, Serialize)]
pub struct Held {
    /// Its name and what it holds.
    pub what: String,
    /// Its size.
    pub bytes: u64,
}

impl MemoryPlan {
    /// What the sizes are.
    pub fn at(&self) -> String {
        let used: Vec<String> = self.sizes.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let assumed: Vec<String> = self.assumed.iter().map(|n| format!("{n} = {ASSUMED}")).collect();
        match (used.is_empty(), assumed.is_empty()) {
            (true, true) => String::new(),
            (false, true) => format!(" at {}", used.join(", ")),
            (true, false) => format!(" assuming {}", assumed.join(", ")),
            (false, false) => format!(" at {}, assuming {}", used.join(", "), assumed.join(", ")),
        }
    }
}

impl fmt::Display for MemoryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.most == 0 {
            return writeln!(f, "  memory: none of its own");
        }
        writeln!(f, "  memory{}: {} at most, with the adjoints of its calls", self.at(), amount(self.most))?;
        self.held.iter().try_for_each(|h| writeln!(f, "    {:>10}  {}", amount(h.bytes), h.what))
    }
}

/// The plan of a generated adjoint.
#[derive(Clone, Debug, Serialize)]
pub struct ProcedurePlan {
    /// Its name.
    pub name: String,
    /// What is decided.
    #[serde(flatten)]
    pub decisions: Decisions,
    /// What it holds in memory.
    pub memory: MemoryPlan,
    /// Its run time, with the adjoints of its calls, in run times of its primal: a prediction for the same sizes.
    pub ratio: f64,
    /// Names of the trip counts, of loops that find out when they end, that aren't given and are taken to be [`ASSUMED`].
    pub assumed_trips: BTreeSet<String>,
}

impl fmt::Display for ProcedurePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}{}", self.name, self.decisions)?;
        writeln!(f, "  predicted run time: {:.1} times that of its primal", self.ratio)?;
        if !self.assumed_trips.is_empty() {
            let options: Vec<String> = self.assumed_trips.iter().map(|n| format!("`--size {n}=N`")).collect();
            let options = options.join(", ");
            writeln!(
                f,
                "  loops that find out when they end are taken to run {ASSUMED} times; {options} says how often"
            )?;
        }
        write!(f, "{}", self.memory)
    }
}

/// Bytes for people.
pub fn amount(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// Bytes of `4GiB`, `500 MB`, `1024` and the like.
pub fn bytes(text: &str) -> Option<u64> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.bytes().take_while(|b| b.is_ascii_digit() || matches!(b, b'.')).count();
    let (number, unit) = lower.split_at(digits);
    let factor = match unit.trim() {
        "" | "b" => 1.0,
        "k" | "kib" => 1024.0,
        "m" | "mib" => 1024.0 * 1024.0,
        "g" | "gib" => 1024.0 * 1024.0 * 1024.0,
        "t" | "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        "kb" => 1e3,
        "mb" => 1e6,
        "gb" => 1e9,
        "tb" => 1e12,
        _ => return None,
    };
    number.parse::<f64>().ok().filter(|n| *n > 0.0).map(|n| (n * factor) as u64)
}
