//! The memory that an adjoint takes on top of its primal's, at given sizes: saved values and adjoint variables of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use costate_analysis::activity::ContextId;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Callee, Dim, Expr, ExprKind, Program, SymId, Ty, map_expr};
use costate_grammar::lower::{Const, fold, size};
use serde::Serialize;

/// The value of an integer, or the extent of a dimension, that isn't given.
pub const ASSUMED: i64 = 100;

/// Something that takes memory, in the order in which the forward sweep comes to it.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A variable that is held until the backward sweep has passed the same place.
    Slot(Slot),
    /// What the backward sweep takes for itself there: an iteration or a block runs again.
    Again(Vec<Entry>),
    /// The adjoint of a call.
    Call(ContextId),
    /// The records of a split call, and what its backward half takes beside them.
    Record(Records),
}

/// Records of a split call, which are held like a [`Slot`].
#[derive(Clone, Debug)]
pub struct Records {
    /// The variable, in words.
    pub what: String,
    /// Whose records they are.
    pub callee: ContextId,
    /// Bounds of the loops around the call.
    pub bounds: Vec<(Expr, Expr)>,
}

/// A variable of a generated procedure.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The variable.
    pub symbol: SymId,
    /// What it holds, in words.
    pub what: String,
    /// Type of its elements.
    pub ty: Ty,
    /// Bounds of its dimensions, in terms of what the procedure is called with.
    pub bounds: Vec<(Expr, Expr)>,
}

/// Values of integers and extents of arrays by name.
#[derive(Debug, Default)]
struct Sizes {
    given: BTreeMap<String, Vec<i64>>,
    used: BTreeMap<String, i64>,
    assumed: BTreeSet<String>,
    peaks: BTreeMap<(ContextId, Part), u64>,
}

impl Sizes {
    /// From `name`, values: one for an integer, one for each dimension for an array.
    fn new(given: &[(String, Vec<i64>)]) -> Sizes {
        let given = given.iter().map(|(n, v)| (n.to_ascii_lowercase(), v.clone())).collect();
        Sizes { given, ..Sizes::default() }
    }

    fn find(&mut self, name: &str, at: usize) -> i64 {
        match self.given.get(name).and_then(|v| v.get(at).or(v.first())) {
            Some(v) => {
                self.used.insert(name.to_string(), *v);
                *v
            }
            None => {
                self.assumed.insert(name.to_string());
                ASSUMED
            }
        }
    }

    /// The value of an integer expression.
    fn value(&mut self, program: &Program, e: &Expr) -> i64 {
        let known = map_expr(e.clone(), &mut |x| match &x.kind {
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => match self.inquire(program, *f, args.as_slice()) {
                Some(v) => Expr::int(v),
                None => x,
            },
            ExprKind::Var(d) if x.rank == 0 && x.ty.base == Base::Integer && fold(program, &x).is_none() => {
                Expr::int(self.find(&program[d.sym].name.to_string().to_ascii_lowercase(), 0))
            }
            _ => x,
        });
        match fold(program, &known) {
            Some(Const::Int(v)) => v,
            _ => self.find("other sizes", 0),
        }
    }

    /// `size`, `lbound` and `ubound` of an array's dimension.
    fn inquire(&mut self, program: &Program, f: Intrinsic, args: &[costate_grammar::ir::Arg]) -> Option<i64> {
        let d = args.first()?.value.as_var()?;
        let dims = program.var(d.sym)?.dims.clone();
        let k = usize::try_from(args.get(1)?.value.as_int()? - 1).ok()?;
        let (lo, hi) = self.bounds(program, d.sym, &dims, k)?;
        match f {
            Intrinsic::Size => Some(hi.saturating_sub(lo).saturating_add(1).max(0)),
            Intrinsic::Lbound => Some(lo),
            Intrinsic::Ubound => Some(hi),
            _ => None,
        }
    }

    fn bounds(&mut self, program: &Program, sym: SymId, dims: &[Dim], k: usize) -> Option<(i64, i64)> {
        let lo = |s: &mut Sizes, e: &Option<Expr>| e.as_ref().map_or(1, |e| s.value(program, e));
        match dims.get(k)? {
            Dim::Explicit(first, last) => Some((lo(self, first), self.value(program, last))),
            Dim::Assumed(first) | Dim::AssumedSize(first) => {
                let first = lo(self, first);
                let name = program[sym].name.to_string().to_ascii_lowercase();
                Some((first, (first - 1).saturating_add(self.find(&name, k))))
            }
            Dim::Deferred | Dim::AssumedRank => {
                let name = program[sym].name.to_string().to_ascii_lowercase();
                Some((1, self.find(&name, k)))
            }
        }
    }

    /// The number of elements within bounds.
    fn count(&mut self, program: &Program, bounds: &[(Expr, Expr)]) -> u64 {
        bounds.iter().fold(1u64, |n, (lo, hi)| {
            let extent = self.value(program, hi).saturating_sub(self.value(program, lo)).saturating_add(1);
            n.saturating_mul(extent.max(0) as u64)
        })
    }

    /// Bytes of a slot.
    fn bytes(&mut self, program: &Program, slot: &Slot) -> u64 {
        self.count(program, &slot.bounds).saturating_mul(element(program, slot.ty))
    }

    /// Bytes of the records of a call.
    fn recorded(&mut self, program: &Program, records: &Records, ledgers: &Ledgers) -> u64 {
        self.count(program, &records.bounds).saturating_mul(self.record(program, records.callee, ledgers))
    }

    /// Bytes of one record.
    fn record(&mut self, program: &Program, callee: ContextId, ledgers: &Ledgers) -> u64 {
        let mut sum = 0u64;
        for e in entries(ledgers, (callee, Part::Record)) {
            sum = sum.saturating_add(match e {
                Entry::Slot(s) => self.bytes(program, s),
                Entry::Record(r) => self.recorded(program, r, ledgers),
                Entry::Again(_) | Entry::Call(_) => 0,
            });
        }
        sum
    }

    /// The most that is held at a time while the entries' backward sweep runs, calls included. A recursive call counts
    /// once.
    fn peak(&mut self, program: &Program, entries: &[Entry], ledgers: &Ledgers) -> u64 {
        let (mut held, mut most) = (0u64, 0u64);
        for e in entries {
            let here = match e {
                Entry::Slot(s) => {
                    held = held.saturating_add(self.bytes(program, s));
                    0
                }
                Entry::Again(inner) => self.peak(program, inner, ledgers),
                Entry::Call(id) => self.peak_of(program, (*id, Part::Whole), ledgers),
                Entry::Record(r) => {
                    held = held.saturating_add(self.recorded(program, r, ledgers));
                    let all = self.peak_of(program, (r.callee, Part::Halves), ledgers);
                    all.saturating_sub(self.record(program, r.callee, ledgers))
                }
            };
            most = most.max(held.saturating_add(here));
        }
        most
    }

    fn peak_of(&mut self, program: &Program, id: (ContextId, Part), ledgers: &Ledgers) -> u64 {
        if let Some(known) = self.peaks.get(&id) {
            return *known;
        }
        // Zero until it is known: that is what a recursive call finds.
        self.peaks.insert(id, 0);
        let peak = self.peak(program, entries(ledgers, id), ledgers);
        self.peaks.insert(id, peak);
        peak
    }
}

/// A part of what is generated for a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The adjoint in one procedure.
    Whole,
    /// The adjoint in two halves.
    Halves,
    /// The record between the halves.
    Record,
}

/// What the generated adjoint of each context holds.
pub type Ledgers = BTreeMap<(ContextId, Part), Vec<Entry>>;

fn entries(ledgers: &Ledgers, id: (ContextId, Part)) -> &[Entry] {
    ledgers.get(&id).map_or(&[], Vec::as_slice)
}

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
    /// For an adjoint, with values of integers and extents of arrays by name.
    pub fn new(
        program: &Program,
        id: (ContextId, Part),
        ledgers: &Ledgers,
        given: &[(String, Vec<i64>)],
    ) -> MemoryPlan {
        let mut sizes = Sizes::new(given);
        let most = sizes.peak_of(program, id, ledgers);
        let mut rows: BTreeMap<String, u64> = BTreeMap::new();
        collect(program, id, ledgers, &mut sizes, &mut rows);
        let mut held: Vec<Held> = rows.into_iter().map(|(what, bytes)| Held { what, bytes }).collect();
        held.sort_by_key(|h| std::cmp::Reverse(h.bytes));
        MemoryPlan { most, sizes: sizes.used, assumed: sizes.assumed, held }
    }

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
    /// What is decided, in words, by statement.
    pub decisions: Vec<String>,
    /// What it holds in memory.
    pub memory: MemoryPlan,
}

impl fmt::Display for ProcedurePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}{}", self.name, self.decisions.join("\n"))?;
        write!(f, "{}", self.memory)
    }
}

/// Bytes of a value; what a component of another type has allocated doesn't count.
fn element(program: &Program, ty: Ty) -> u64 {
    match ty.base {
        Base::Complex => 2 * u64::from(ty.kind),
        Base::Derived(t) | Base::Class(t) => {
            let Some(of) = program[t].derived() else { return 0 };
            let own = of.components.iter().map(|c| &c.var).filter(|v| !(v.attrs.allocatable || v.attrs.pointer));
            let base = of.extends.map_or(0, |p| element(program, Ty::new(Base::Derived(p), 0)));
            let parts = own.map(|v| {
                let count = size(program, &v.dims);
                count.map_or(0, |n| n as u64 * element(program, v.ty))
            });
            base + parts.sum::<u64>()
        }
        _ => u64::from(ty.kind).max(1),
    }
}

fn collect(
    program: &Program,
    id: (ContextId, Part),
    ledgers: &Ledgers,
    sizes: &mut Sizes,
    rows: &mut BTreeMap<String, u64>,
) {
    let mut queue: Vec<&Entry> = entries(ledgers, id).iter().rev().collect();
    while let Some(e) = queue.pop() {
        match e {
            Entry::Slot(s) => *rows.entry(s.what.clone()).or_default() += sizes.bytes(program, s),
            Entry::Record(r) => *rows.entry(r.what.clone()).or_default() += sizes.recorded(program, r, ledgers),
            Entry::Again(inner) => queue.extend(inner.iter().rev()),
            Entry::Call(_) => {}
        }
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
