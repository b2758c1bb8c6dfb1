//! What the host does between the loops of a device: memory is brought up to date there before and on the device after.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Block, Callee, Expr, ExprKind, LoopControl, Program, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};
use costate_grammar::lines::Sentinel;

use super::array_loops;
use super::code::{is_device_code, mentioned, values};
use super::place::{Place, Shape};

/// What was found on the way.
pub(super) struct Found {
    /// The arrays that stay on the device.
    pub(super) resident: BTreeSet<SymId>,
    /// How many loops for the device there are; one in a loop counts as several.
    pub(super) events: usize,
    /// The host uses one of the arrays, too.
    pub(super) host: bool,
}

/// A walk over the statements of a procedure that puts in what keeps both memories up to date.
pub(super) struct Walk<'w, 'p> {
    place: &'w mut Place<'p>,
    found: Found,
    /// Arrays with which this can't be done.
    unfit: BTreeSet<SymId>,
    /// Loops around.
    depth: usize,
    /// Statements of the host that follow one another.
    pending: Block,
    indices: Vec<SymId>,
}

impl<'w, 'p> Walk<'w, 'p> {
    pub(super) fn new(place: &'w mut Place<'p>, resident: BTreeSet<SymId>) -> Self {
        let found = Found { resident, events: 0, host: false };
        Walk { place, found, unfit: BTreeSet::new(), depth: 0, pending: Block::new(), indices: Vec::new() }
    }

    /// What was found, or the arrays that can't stay on the device.
    pub(super) fn finish(self) -> Result<Found, BTreeSet<SymId>> {
        if self.unfit.is_empty() { Ok(self.found) } else { Err(self.unfit) }
    }

    /// The statements of a block with what they need.
    pub(super) fn block(&mut self, block: &[Stmt]) -> Block {
        let before = std::mem::take(&mut self.pending);
        let mut out = Block::new();
        for s in block {
            self.statement(s, &mut out);
        }
        self.flush(&mut out);
        self.pending = before;
        out
    }

    fn statement(&mut self, s: &Stmt, out: &mut Block) {
        if is_device_code(s) {
            self.flush(out);
            self.count();
            self.reads(s.exprs(), s, out);
            return out.push(s.clone());
        }
        if let Some(made) = array_loops::for_device(self.place, s, &self.found.resident, &mut self.indices) {
            self.flush(out);
            self.count();
            return out.push(made);
        }
        match &s.kind {
            StmtKind::Allocate { items, options, .. } => {
                let list = self.resident_among(items.iter().filter_map(|i| i.object.as_var()).map(|d| d.sym));
                if !options.is_empty() {
                    // What has a source is written where it gets memory.
                    self.unfit.extend(&list);
                }
                self.flush(out);
                self.reads(
                    items.iter().flat_map(|i| i.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi]))),
                    s,
                    out,
                );
                out.push(s.clone());
                self.say(["enter data create(", "target enter data map(alloc: "], &list, s, out);
            }
            StmtKind::Deallocate { items, .. } => {
                let list = self.resident_among(items.iter().filter_map(Expr::as_var).map(|d| d.sym));
                self.flush(out);
                self.say(["exit data delete(", "target exit data map(delete: "], &list, s, out);
                out.push(s.clone());
            }
            StmtKind::Exit(_) | StmtKind::Cycle(_) => {
                self.flush(out);
                out.push(s.clone());
            }
            StmtKind::Call { .. } if self.is_on_device(s) => {
                self.flush(out);
                self.count();
                out.push(s.clone());
            }
            // OpenACC's directives would be there without OpenMP, too.
            _ if self.place.sentinel == Sentinel::Acc && s.kind.conditional_body().is_some() => {
                self.pending.push(s.clone());
            }
            _ if self.has_inside(s) => self.construct(s, out),
            _ => self.pending.push(s.clone()),
        }
    }

    fn count(&mut self) {
        self.found.events += if self.depth > 0 { 2 } else { 1 };
    }

    fn resident_among(&self, syms: impl Iterator<Item = SymId>) -> Vec<SymId> {
        syms.filter(|s| self.found.resident.contains(s)).collect()
    }

    /// True for a call that uses the device for all of the arrays that it uses.
    fn is_on_device(&mut self, s: &Stmt) -> bool {
        let touch = self.place.callees.touch(self.place.program, s);
        let Some(touch) = touch else {
            return false;
        };
        let ours = |set: &BTreeSet<SymId>| set.intersection(&self.found.resident).copied().collect::<Vec<_>>();
        let (host, device) = (ours(&touch.host), ours(&touch.device));
        // It works on a copy that the host doesn't see, or the other way round.
        let torn: Vec<SymId> = host.iter().filter(|x| touch.device.contains(x)).copied().collect();
        self.unfit.extend(torn);
        host.is_empty() && !device.is_empty()
    }

    /// True for a construct inside of which there is something for the device, or a way out of it.
    fn has_inside(&self, s: &Stmt) -> bool {
        if s.blocks().is_empty() {
            return false;
        }
        let mut found = false;
        for_each_stmt(std::slice::from_ref(s), &mut |x| {
            found |= is_device_code(x)
                || matches!(x.kind, StmtKind::Exit(Some(_)) | StmtKind::Cycle(Some(_)))
                || matches!(x.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. })
                || matches!(&x.kind, StmtKind::Call { .. })
                    && self.place.callees.touch(self.place.program, x).is_some_and(|t| !t.device.is_empty())
                || array_loops::is_candidate(x, &self.found.resident);
            found |= !matches!(s.kind, StmtKind::Do { .. })
                && matches!(x.kind, StmtKind::Exit(None) | StmtKind::Cycle(None));
        });
        found
    }

    fn construct(&mut self, s: &Stmt, out: &mut Block) {
        self.flush(out);
        let again = matches!(&s.kind, StmtKind::Do { control: LoopControl::While(_), .. });
        if again {
            let used: BTreeSet<SymId> = s.exprs().into_iter().flat_map(symbols).collect();
            self.unfit.extend(used.intersection(&self.found.resident));
        }
        self.reads(s.exprs(), s, out);
        let loops = usize::from(matches!(s.kind, StmtKind::Do { .. }));
        self.depth += loops;
        let mut made = s.clone();
        for inner in made.blocks_mut() {
            let own = std::mem::take(inner);
            *inner = self.block(&own);
        }
        if let StmtKind::If { one_line, .. } = &mut made.kind {
            *one_line = false;
        }
        self.depth -= loops;
        out.push(made);
    }

    /// Brings to the host what expressions there use.
    fn reads<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>, s: &Stmt, out: &mut Block) {
        let mut used = BTreeSet::new();
        for e in exprs {
            values(e, &mut used);
        }
        let list = self.resident_among(used.into_iter());
        self.found.host |= !list.is_empty();
        self.say(["update self(", "target update from("], &list, s, out);
    }

    /// Lets statements of the host follow that have been held back.
    fn flush(&mut self, out: &mut Block) {
        let run = std::mem::take(&mut self.pending);
        let Some(first) = run.first().cloned() else { return };
        let (mut used, mut changed) = (BTreeSet::new(), BTreeSet::new());
        for s in &run {
            for_each_stmt(std::slice::from_ref(s), &mut |x| {
                x.exprs().into_iter().for_each(|e| values(e, &mut used));
                if matches!(x.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. }) {
                    return;
                }
                if let Some(touch) = self.place.callees.touch(self.place.program, x) {
                    used.extend(touch.host);
                    changed.extend(touch.written);
                } else if !matches!(x.kind, StmtKind::Assign { .. }) && x.blocks().is_empty() && !is_note(x) {
                    changed.extend(mentioned(x));
                }
            });
            changed.extend(assigned(std::slice::from_ref(s)));
        }
        used.extend(&changed);
        let before = self.resident_among(used.into_iter());
        let after = self.resident_among(changed.into_iter());
        self.found.host |= !before.is_empty();
        self.unfit.extend(reallocated(self.place.program, &run, &self.found.resident));
        self.say(["update self(", "target update from("], &before, &first, out);
        out.extend(run);
        self.say(["update device(", "target update to("], &after, &first, out);
    }

    fn say(&mut self, [acc, omp]: [&str; 2], list: &[SymId], from: &Stmt, out: &mut Block) {
        if list.is_empty() {
            return;
        }
        let names = self.place.list(list);
        out.extend(self.place.directive([&format!("{acc}{names})"), &format!("{omp}{names})")], from, list, None));
    }
}

/// True for a statement that does nothing.
fn is_note(s: &Stmt) -> bool {
    matches!(s.kind, StmtKind::Comment(_) | StmtKind::Continue | StmtKind::Directive { .. })
}

/// Arrays to which an assignment may give other memory.
fn reallocated(program: &Program, run: &[Stmt], resident: &BTreeSet<SymId>) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    let allocatable = |s: &SymId| program.var(*s).is_some_and(|v| v.attrs.allocatable);
    for_each_stmt(run, &mut |s| match &s.kind {
        StmtKind::Assign { lhs, .. } => {
            out.extend(lhs.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym).filter(allocatable));
        }
        StmtKind::Call { .. } | StmtKind::Unsupported { .. } => {
            // A procedure may allocate what is allocatable there.
            let whole = s.exprs().into_iter().filter_map(Expr::as_var).filter(|d| d.parts.is_empty());
            out.extend(whole.map(|d| d.sym).filter(allocatable));
        }
        _ => {}
    });
    out.retain(|s| resident.contains(s));
    out
}

/// What gets memory in a block, or is freed.
pub(super) fn allocated(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| match &s.kind {
        StmtKind::Allocate { items, .. } => out.extend(items.iter().filter_map(|i| i.object.as_var()).map(|d| d.sym)),
        StmtKind::Deallocate { items, .. } => out.extend(items.iter().filter_map(Expr::as_var).map(|d| d.sym)),
        _ => {}
    });
    out
}

/// The bounds that a block allocates arrays with, where they are always the same.
pub(super) fn shapes(block: &[Stmt]) -> BTreeMap<SymId, Shape> {
    let mut out: BTreeMap<SymId, Shape> = BTreeMap::new();
    let mut other = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        let StmtKind::Allocate { items, .. } = &s.kind else { return };
        for item in items {
            let Some(d) = item.object.as_var().filter(|d| d.parts.is_empty()) else { continue };
            if item.shape.is_empty() || out.get(&d.sym).is_some_and(|known| *known != item.shape) {
                other.insert(d.sym);
            }
            out.insert(d.sym, item.shape.clone());
        }
    });
    out.retain(|s, _| !other.contains(s));
    out
}

/// What a block may assign.
pub(super) fn written(place: &Place<'_>, block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = assigned(block);
    for_each_stmt(block, &mut |s| match place.callees.touch(place.program, s) {
        Some(touch) => out.extend(touch.written),
        None if matches!(s.kind, StmtKind::Assign { .. } | StmtKind::Do { .. } | StmtKind::If { .. }) => {}
        None => out.extend(s.exprs().into_iter().flat_map(symbols)),
    });
    for_each_stmt(block, &mut |s| {
        // Functions in expressions may change what they are passed.
        for e in s.exprs() {
            for_each_expr(e, &mut |x| {
                if let ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, args } = &x.kind {
                    out.extend(args.iter().filter_map(|a| a.value.as_var()).map(|d| d.sym));
                }
            });
        }
    });
    out
}
