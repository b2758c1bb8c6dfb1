//! The memory that an adjoint takes on top of its primal's, at given sizes: saved values and adjoint variables of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use costate_analysis::activity::ContextId;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Base, Callee, Dim, Expr, ExprKind, Program, SymId, Ty, map_expr};
use costate_grammar::lower::{Const, fold};

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
}

/// A variable of a generated procedure.
#[derive(Clone, Debug)]
pub struct Slot {
    /// What it holds, in words.
    pub what: String,
    /// Type of its elements.
    pub ty: Ty,
    /// Bounds of its dimensions, in terms of what the procedure is called with.
    pub bounds: Vec<(Expr, Expr)>,
}

/// Values of integers and extents of arrays by name.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    given: BTreeMap<String, Vec<i64>>,
    used: BTreeMap<String, i64>,
    assumed: BTreeSet<String>,
}

impl Sizes {
    /// From `name`, values: one for an integer, one for each dimension for an array.
    pub fn new(given: &[(String, Vec<i64>)]) -> Sizes {
        let given = given.iter().map(|(n, v)| (n.to_ascii_lowercase(), v.clone())).collect();
        Sizes { given, ..Sizes::default() }
    }

    /// The values that were used, and those that had to be assumed.
    pub fn remark(&self) -> String {
        let list = |of: Vec<String>| of.join(", ");
        let used: Vec<String> = self.used.iter().map(|(n, v)| format!("{n} = {v}")).collect();
        let assumed: Vec<String> = self.assumed.iter().map(|n| format!("{n} = {ASSUMED}")).collect();
        match (used.is_empty(), assumed.is_empty()) {
            (true, true) => String::new(),
            (false, true) => format!(" at {}", list(used)),
            (true, false) => format!(" assuming {}", list(assumed)),
            (false, false) => format!(" at {}, assuming {}", list(used), list(assumed)),
        }
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
            Intrinsic::Size => Some((hi - lo + 1).max(0)),
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
                Some((first, first - 1 + self.find(&name, k)))
            }
            Dim::Deferred | Dim::AssumedRank => {
                let name = program[sym].name.to_string().to_ascii_lowercase();
                Some((1, self.find(&name, k)))
            }
        }
    }

    /// Bytes of a slot.
    pub fn bytes(&mut self, program: &Program, slot: &Slot) -> u64 {
        let count = slot.bounds.iter().fold(1u64, |n, (lo, hi)| {
            let extent = self.value(program, hi) - self.value(program, lo) + 1;
            n.saturating_mul(extent.max(0) as u64)
        });
        count.saturating_mul(element(program, slot.ty))
    }

    /// The most that is held at a time while the entries' backward sweep runs. A recursive call counts once.
    pub fn peak(
        &mut self,
        program: &Program,
        entries: &[Entry],
        ledgers: &BTreeMap<ContextId, Vec<Entry>>,
        within: &mut Vec<ContextId>,
    ) -> u64 {
        let (mut held, mut most) = (0u64, 0u64);
        for e in entries {
            let here = match e {
                Entry::Slot(s) => {
                    held = held.saturating_add(self.bytes(program, s));
                    0
                }
                Entry::Again(inner) => self.peak(program, inner, ledgers, within),
                Entry::Call(id) if within.contains(id) => 0,
                Entry::Call(id) => {
                    within.push(*id);
                    let inner = ledgers.get(id).map_or(&[][..], Vec::as_slice);
                    let inner = self.peak(program, inner, ledgers, within);
                    within.pop();
                    inner
                }
            };
            most = most.max(held.saturating_add(here));
        }
        most
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
                let count = v.dims.iter().try_fold(1i64, |n, d| match d {
                    Dim::Explicit(lo, hi) => {
                        let int = |e: &Expr| match fold(program, e) {
                            Some(Const::Int(i)) => Some(i),
                            _ => None,
                        };
                        let lo = lo.as_ref().map_or(Some(1), int)?;
                        Some(n * (int(hi)? - lo + 1).max(0))
                    }
                    Dim::Deferred | Dim::Assumed(_) | Dim::AssumedSize(_) | Dim::AssumedRank => None,
                });
                count.map_or(0, |n| n as u64 * element(program, v.ty))
            });
            base + parts.sum::<u64>()
        }
        _ => u64::from(ty.kind).max(1),
    }
}

/// A table of what an adjoint holds, largest first.
pub fn table(program: &Program, entries: &[Entry], sizes: &mut Sizes, most: u64) -> String {
    let mut rows: BTreeMap<String, u64> = BTreeMap::new();
    collect(program, entries, sizes, &mut rows);
    let mut rows: Vec<(String, u64)> = rows.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut out = format!("  memory{}: {} at most, with the adjoints of its calls\n", sizes.remark(), amount(most));
    for (what, bytes) in rows {
        let _ = writeln!(out, "    {:>10}  {what}", amount(bytes));
    }
    out
}

fn collect(program: &Program, entries: &[Entry], sizes: &mut Sizes, rows: &mut BTreeMap<String, u64>) {
    for e in entries {
        match e {
            Entry::Slot(s) => *rows.entry(s.what.clone()).or_default() += sizes.bytes(program, s),
            Entry::Again(inner) => collect(program, inner, sizes, rows),
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
