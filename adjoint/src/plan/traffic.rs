//! What is saved, as caches see it: between a value's save and its use lies all that is saved in between, so that what
//! each byte takes depends on all of that and not on its array alone.

use std::collections::BTreeMap;

use costate_analysis::effects::bind;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, Name, ProcId, Program, Stmt, StmtKind, SymId, Ty, for_each_stmt,
};

/// Bytes of an array from which on it comes from a far level of cache or from memory, and what each byte of it takes.
const FAR: [(f64, f64); 2] = [(16e6, 0.08), (1e6, 0.015)];

/// What it takes beside for each byte of a part of a record, up to so many bytes: processors fetch ahead what follows in
/// memory, and wait for the first lines of each block.
const SCATTERED: (f64, f64) = (0.04, 4096.0);

/// Memory for a part of a record that stays while others get theirs, until it is freed: the allocator searches for it,
/// and joins it with its neighbours.
pub(super) const KEPT: f64 = 30.0;

/// Arrays of fewer bytes are work arrays of an iteration, and no saves.
const SAVES: f64 = 128e3;

/// What stands in a part of a record: a local variable that is moved there, or a component.
type PartOf = (SymId, Vec<Name>);

/// The records of a type.
#[derive(Default)]
struct Records {
    /// So many of them are there at a time.
    count: f64,
    /// Bytes of the parts of one of them.
    parts: BTreeMap<PartOf, f64>,
}

/// What is allocated and stays.
#[derive(Default)]
pub(super) struct Saved {
    /// Bytes of arrays.
    arrays: BTreeMap<SymId, f64>,
    /// By their derived type.
    records: BTreeMap<SymId, Records>,
    /// Variables that are moved into records of a type.
    moved: BTreeMap<SymId, SymId>,
    /// Types of records that procedures have as dummies, and those of the records that they are called with: adjoints that
    /// are built for trials may have copies of types.
    same: BTreeMap<SymId, SymId>,
}

impl Saved {
    /// Notes the types of records that a procedure is called with.
    pub(super) fn enter(&mut self, program: &Program, proc: ProcId, args: &[Arg]) {
        if self.records.is_empty() {
            return;
        }
        let callee = &program[proc];
        for (dummy, actual) in callee.dummies.iter().zip(bind(program, callee, args)) {
            let types = (program.var(*dummy).and_then(|v| v.ty.derived()), actual.and_then(|a| self.known(a.ty)));
            if let (Some(own), Some(known)) = types
                && own != known
            {
                self.same.insert(own, known);
            }
        }
    }

    /// The type of records, if there are records of it.
    fn known(&self, ty: Ty) -> Option<SymId> {
        let own = ty.derived()?;
        let known = self.same.get(&own).copied().unwrap_or(own);
        self.records.contains_key(&known).then_some(known)
    }

    /// Notes the variables that a body moves into records, or out of them.
    pub(super) fn learn(&mut self, program: &Program, body: &[Stmt]) {
        if self.records.is_empty() {
            return;
        }
        for_each_stmt(body, &mut |s| {
            let StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::MoveAlloc), args } = &s.kind else { return };
            let [a, b] = args.as_slice() else { return };
            for (local, part) in [(a, b), (b, a)] {
                let (Some(local), Some(part)) = (local.value.as_var(), part.value.as_var()) else { continue };
                if local.parts.is_empty()
                    && let Some(ty) = self.record(program, part)
                {
                    self.moved.insert(local.sym, ty);
                }
            }
        });
    }

    /// The type of the record that a reference is a part of.
    fn record(&self, program: &Program, d: &Designator) -> Option<SymId> {
        if d.path().is_empty() {
            return self.moved.get(&d.sym).copied();
        }
        self.known(program.var(d.sym)?.ty)
    }

    /// Notes memory that is allocated in a place that is come to so many times. Returns the run time that it takes beyond a
    /// call of the allocator, each time.
    pub(super) fn allocate(
        &mut self,
        program: &Program,
        object: &Expr,
        (elements, bytes): (f64, f64),
        times: f64,
    ) -> f64 {
        let Some(d) = object.as_var() else { return 0.0 };
        let holder = self.record(program, d);
        let holders = holder.and_then(|t| self.records.get(&t)).map_or(1.0, |r| r.count);
        if let Some(ty) = object.ty.derived().filter(|_| object.rank > 0) {
            self.add_records(program, ty, elements * holders);
        }
        match holder.and_then(|t| self.records.get_mut(&t)) {
            Some(records) => {
                records.parts.insert((d.sym, d.path()), bytes);
                // Where records are used again, their parts are there already.
                KEPT * (records.count / times.max(1.0)).min(1.0)
            }
            None => {
                if d.parts.is_empty() && bytes >= SAVES {
                    self.arrays.insert(d.sym, bytes);
                }
                0.0
            }
        }
    }

    /// Notes that there are so many records of a type, with those that they hold. What is held by value can't hold itself.
    fn add_records(&mut self, program: &Program, ty: SymId, count: f64) {
        let records = self.records.entry(ty).or_default();
        records.count = records.count.max(count);
        for c in program[ty].derived().iter().flat_map(|t| &t.components) {
            let by_value = c.var.dims.is_empty() && !c.var.attrs.allocatable && !c.var.attrs.pointer;
            if let Some(inner) = c.var.ty.derived().filter(|_| by_value) {
                self.add_records(program, inner, count);
            }
        }
    }

    /// The share of executions of a statement, of which there are so many, in which a part of a record has no memory yet.
    pub(super) fn share(&self, program: &Program, part: &Designator, times: f64) -> Option<f64> {
        let records = self.record(program, part).and_then(|t| self.records.get(&t))?;
        Some(records.count / times.max(1.0))
    }

    /// Notes that memory is freed.
    pub(super) fn free(&mut self, object: &Expr) {
        if let Some(d) = object.as_var().filter(|d| d.parts.is_empty()) {
            self.arrays.remove(&d.sym);
        }
    }

    /// What a byte of an array takes that has so many bytes.
    pub(super) fn each_byte(&self, program: &Program, d: &Designator, bytes: f64) -> f64 {
        let records = self.record(program, d).and_then(|t| self.records.get(&t));
        let together = match records {
            Some(r) => r.count * r.parts.values().sum::<f64>(),
            None if self.arrays.contains_key(&d.sym) => self.arrays.values().sum(),
            None => bytes,
        };
        let far = FAR.iter().find(|(size, _)| together.max(bytes) > *size).map(|(_, each)| *each);
        let start = records.map_or(0.0, |_| SCATTERED.0 * (SCATTERED.1 / bytes).min(1.0));
        far.map_or(0.0, |each| each + start)
    }
}
