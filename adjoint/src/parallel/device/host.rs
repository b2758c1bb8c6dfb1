//! What the host does between the loops of a device: memory is brought up to date there before and on the device after.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::devices::is_lasting;
use costate_analysis::loops::assigned;
use costate_analysis::storage::symbols;
use costate_grammar::directives::Directive;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Callee, Expr, ExprKind, LoopControl, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt,
};
use costate_grammar::lines::Sentinel;

use super::callees::{self, allocated};
use super::code::{is_device_code, mentioned, own_values, values};
use super::current::{Current, Flow};
use super::memory::{Memory, branch};
use super::place::{Place, Shape};
use super::touch::{Case, Divided};
use super::{alone, array_loops, parts};

/// What was found on the way.
pub(super) struct Found {
    /// The arrays that stay on the device.
    pub(super) resident: BTreeSet<SymId>,
    /// How many loops for the device there are; one in a loop counts as several.
    pub(super) events: usize,
    /// The host uses or frees one of the arrays, too, or one that may be on the device.
    pub(super) host: bool,
    /// Copies that get their memory when they are assigned.
    pub(super) copies: BTreeSet<SymId>,
    /// One thread of the device makes some assignments.
    pub(super) alone: bool,
    /// Arrays that may be on the device by other directives, and of which a call leaves it open which copy is up to date.
    pub(super) divided: BTreeSet<Divided>,
}

/// A walk over the statements of a procedure that puts in what keeps both memories up to date.
pub(super) struct Walk<'w, 'p> {
    place: &'w mut Place<'p>,
    found: Found,
    /// Arrays that directives of other procedures may have put on the device.
    entered: &'w BTreeSet<SymId>,
    memory: &'w Memory,
    /// Arrays with which this can't be done.
    unfit: BTreeSet<SymId>,
    /// Loops around.
    depth: usize,
    /// Statements of the host that follow one another.
    pending: Block,
    /// Statements of one thread of the device that do.
    alone: Block,
    indices: Vec<SymId>,
}

impl<'w, 'p> Walk<'w, 'p> {
    pub(super) fn new(
        place: &'w mut Place<'p>,
        (resident, entered): (BTreeSet<SymId>, &'w BTreeSet<SymId>),
        memory: &'w Memory,
    ) -> Self {
        let found =
            Found { resident, events: 0, host: false, copies: BTreeSet::new(), alone: false, divided: BTreeSet::new() };
        Walk {
            place,
            found,
            entered,
            memory,
            unfit: BTreeSet::new(),
            depth: 0,
            pending: Block::new(),
            alone: Block::new(),
            indices: Vec::new(),
        }
    }

    /// What was found, or the arrays that can't stay on the device.
    pub(super) fn finish(self) -> Result<Found, BTreeSet<SymId>> {
        if self.unfit.is_empty() { Ok(self.found) } else { Err(self.unfit) }
    }

    /// The statements of a block with what they need.
    pub(super) fn block(&mut self, block: &[Stmt]) -> Block {
        let before = [std::mem::take(&mut self.pending), std::mem::take(&mut self.alone)];
        let mut out = Block::new();
        for s in block {
            self.statement(s, &mut out);
        }
        self.flush(&mut out);
        [self.pending, self.alone] = before;
        out
    }

    fn statement(&mut self, s: &Stmt, out: &mut Block) {
        if is_device_code(s) {
            self.flush(out);
            self.count();
            self.reads(s.exprs(), s, out);
            return out.push(s.clone());
        }
        if alone::is_alone(self.place, s, &self.found.resident) {
            if self.alone.is_empty() {
                self.flush(out);
                self.count();
            }
            return self.alone.push(s.clone());
        }
        self.end_alone(out);
        let steady = self.steady(s, out);
        let s = steady.as_ref().unwrap_or(s);
        if let Some(made) = array_loops::for_device(self.place, s, &self.found.resident, &mut self.indices) {
            self.flush(out);
            self.count();
            return out.push(made);
        }
        match &s.kind {
            StmtKind::Allocate { items, options, .. } => {
                let list = self.resident_among(callees::given_memory(s).into_iter());
                if options.iter().any(|(name, _)| name.as_str() != "mold") {
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
            StmtKind::Deallocate { .. } => {
                let freed = callees::given_memory(s);
                let list = self.resident_among(freed.iter().copied());
                let entered: Vec<SymId> =
                    freed.into_iter().filter(|x| self.entered.contains(x) && !list.contains(x)).collect();
                self.flush(out);
                self.say(["exit data delete(", "target exit data map(delete: "], &list, s, out);
                if !entered.is_empty() {
                    self.found.host = true;
                    let names = self.place.list(&entered);
                    let acc = format!("exit data delete({names}) finalize");
                    let omp = format!("target exit data map(delete: {names})");
                    out.extend(self.place.directive([&acc, &omp], s, &entered, None));
                }
                out.push(s.clone());
            }
            StmtKind::Exit(_) | StmtKind::Cycle(_) => {
                self.flush(out);
                out.push(s.clone());
            }
            StmtKind::Directive { directive, names, body: None } if is_lasting(&directive.construct) => {
                self.lasting(s, (directive, names), out);
            }
            StmtKind::Call { .. } | StmtKind::Assign { .. } if self.uses_device(s) => self.call(s, out),
            // What is put on the device, or taken off, is there between such calls.
            StmtKind::Call { .. } if self.moves(s) => {
                self.flush(out);
                self.pending.push(s.clone());
                self.flush(out);
            }
            // OpenACC's directives would be there without OpenMP, too.
            _ if self.place.sentinel == Sentinel::Acc && s.kind.conditional_body().is_some() => {
                self.pending.push(s.clone());
            }
            _ if self.has_inside(s) => self.construct(s, out),
            _ => self.pending.push(s.clone()),
        }
    }

    /// A directive that puts arrays on the device, or takes them off: it takes the copy there as it is, and may take it away.
    fn lasting(&mut self, s: &Stmt, (directive, names): (&Directive, &[SymId]), out: &mut Block) {
        self.flush(out);
        let dropped = parts::dropped(self.place.program, directive, names);
        let created = parts::created(self.place.program, directive, names);
        let before = dropped.into_iter().chain(created.iter().copied());
        self.bring(["update self(", "target update from("], before, s, out);
        out.push(s.clone());
        self.bring(["update device(", "target update to("], created.into_iter(), s, out);
    }

    /// The assignment of a whole array that keeps its memory as one of all its elements; before it, a copy gets memory.
    fn steady(&mut self, s: &Stmt, out: &mut Block) -> Option<Stmt> {
        let StmtKind::Assign { lhs, .. } = &s.kind else { return None };
        if !lhs.as_var().is_some_and(|d| self.found.resident.contains(&d.sym)) {
            return None;
        }
        let memory = self.memory;
        let steady = memory.steady(self.place.program, s)?;
        if let Some((copy, allocate)) = memory.first(self.place, s) {
            self.flush(out);
            let mut body = vec![allocate];
            self.say(["enter data create(", "target enter data map(alloc: "], &[copy], s, &mut body);
            out.extend(branch(self.place, copy, false, body));
            self.found.copies.insert(copy);
        }
        Some(steady)
    }

    /// A call of what uses the device, with what the host does there between updates.
    fn call(&mut self, s: &Stmt, out: &mut Block) {
        let Some(touch) = self.place.callees.touch(self.place.program, s) else { return };
        self.flush(out);
        self.count();
        let (mut apart, mut cases) = (BTreeSet::new(), Vec::new());
        let (mut before, mut after) = (BTreeSet::new(), BTreeSet::new());
        for (sym, flow) in &touch.flows {
            let mut behind = flow.behind(Current::Device);
            if !behind.is_of_one_side() {
                before.insert(*sym);
                behind = flow.behind(Current::Both);
            }
            let there = self.entered.contains(sym) && !self.found.resident.contains(sym);
            if !behind.is_of_one_side() && there {
                behind = flow.behind_there(Current::Both);
            }
            if !behind.is_of_one_side() {
                let case = touch.cases.get(sym).map(|c| (c, if there { c.there } else { c.states }));
                if let Some((case, states)) = case.filter(|(_, states)| states.iter().all(|s| s.is_of_one_side())) {
                    // Behind the call the device's copy is brought up to date, as the condition says.
                    cases.push((*sym, case.clone(), states));
                    continue;
                }
                if there {
                    self.found.divided.insert(Divided { call: s.origin.span(), sym: *sym });
                }
            }
            if !behind.is_of_one_side() {
                apart.insert(*sym);
            } else if behind == Current::Host {
                after.insert(*sym);
            }
        }
        if let StmtKind::Assign { lhs, rhs } = &s.kind {
            // A function may compute its array in what is assigned, there or elsewhere.
            let to = lhs.as_var().map(|d| d.sym);
            apart.extend(to.filter(|_| rhs.rank > 0));
            after.extend(to);
            before.extend(to);
            let mut used = BTreeSet::new();
            own_values(rhs, &mut used);
            apart.extend(used.intersection(&touch.device));
            before.extend(used);
        }
        self.unfit.extend(self.resident_among(apart.union(&touch.allocated).copied()));
        after.retain(|x| !apart.contains(x));
        self.bring(["update self(", "target update from("], before.into_iter(), s, out);
        out.push(s.clone());
        self.bring(["update device(", "target update to("], after.into_iter(), s, out);
        for (sym, case, states) in cases {
            self.bring_if((sym, &case, states), s, out);
        }
    }

    /// Brings the device's copy of an array up to date behind a call, where a condition says that the host's alone is.
    fn bring_if(&mut self, (sym, case, states): (SymId, &Case, [Current; 2]), from: &Stmt, out: &mut Block) {
        let resident = self.found.resident.contains(&sym);
        let Some(clause) = case.on_host(states).filter(|_| resident || self.entered.contains(&sym)) else { return };
        self.found.host = true;
        let (name, if_present) = (self.place.list(&[sym]), if resident { "" } else { " if_present" });
        let texts =
            [format!("update device({name}){if_present} {clause}"), format!("target update to({name}) {clause}")];
        let names: Vec<SymId> = std::iter::once(sym).chain(case.condition.variables()).collect();
        out.extend(self.place.directive([&texts[0], &texts[1]], from, &names, None));
    }

    fn count(&mut self) {
        self.found.events += if self.depth > 0 { 2 } else { 1 };
    }

    fn resident_among(&self, syms: impl Iterator<Item = SymId>) -> Vec<SymId> {
        syms.filter(|s| self.found.resident.contains(s)).collect()
    }

    /// True for a call that uses the device for some of the arrays.
    fn uses_device(&self, s: &Stmt) -> bool {
        let touch = self.place.callees.touch(self.place.program, s);
        let ours = |x: &SymId| self.found.resident.contains(x) || self.entered.contains(x);
        touch.is_some_and(|t| t.device.iter().chain(&t.updated).any(ours))
    }

    /// True for a call that puts some of the arrays on the device, or takes them off.
    fn moves(&self, s: &Stmt) -> bool {
        let touch = self.place.callees.touch(self.place.program, s);
        touch.is_some_and(|t| !t.entered.is_disjoint(self.entered))
    }

    /// True for a call of what uses a device.
    fn is_about_device(&self, s: &Stmt) -> bool {
        self.place.callees.touch(self.place.program, s).is_some_and(|t| t.is_about_device())
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
                || matches!(&x.kind, StmtKind::Call { .. }) && (self.moves(x) || self.is_about_device(x))
                || matches!(&x.kind, StmtKind::Directive { directive, .. } if is_lasting(&directive.construct))
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
        let touch = self.place.callees.touch(self.place.program, s).unwrap_or_default();
        let kept = |flow: &Flow| matches!(flow.behind(Current::Both), Current::Both | Current::Device);
        let lost = touch.flows.iter().filter(|(_, flow)| !kept(flow)).map(|(sym, _)| *sym);
        self.unfit.extend(self.resident_among(lost));
        let loops = usize::from(matches!(s.kind, StmtKind::Do { .. }));
        self.depth += loops;
        let mut made = s.clone();
        for inner in made.blocks_mut() {
            let own = std::mem::take(inner);
            *inner = self.block(&own);
        }
        if again && let StmtKind::Do { body, .. } = &mut made.kind {
            self.reads(s.exprs(), s, body);
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
        self.bring(["update self(", "target update from("], used.into_iter(), s, out);
    }

    /// Lets statements of the host follow that have been held back.
    fn flush(&mut self, out: &mut Block) {
        self.end_alone(out);
        let run = std::mem::take(&mut self.pending);
        let Some(first) = run.first().cloned() else { return };
        let (mut used, mut changed, mut updated) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for_each_stmt(&run, &mut |x| {
            x.exprs().into_iter().for_each(|e| values(e, &mut used));
            if matches!(x.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. }) {
                return;
            }
            let program = &*self.place.program;
            self.unfit.extend(allocated(program, x).iter().filter(|x| self.found.resident.contains(x)));
            if let Some(touch) = self.place.callees.touch(program, x) {
                // In an expression it isn't known when.
                let lost = touch.device.iter().chain(&touch.allocated);
                self.unfit.extend(lost.filter(|x| self.found.resident.contains(x)));
                changed.extend(touch.written.difference(&touch.device));
                used.extend(touch.host);
                updated.extend(touch.updated);
            } else if !matches!(x.kind, StmtKind::Assign { .. }) && x.blocks().is_empty() && !is_note(x) {
                changed.extend(mentioned(x));
            }
        });
        changed.extend(assigned(&run));
        self.unfit.extend(self.resident_among(updated.intersection(&changed).copied()));
        used.extend(&changed);
        self.bring(["update self(", "target update from("], used.into_iter(), &first, out);
        out.extend(run);
        self.bring(["update device(", "target update to("], changed.into_iter(), &first, out);
    }

    fn end_alone(&mut self, out: &mut Block) {
        let alone = std::mem::take(&mut self.alone);
        self.found.alone |= !alone.is_empty();
        out.extend(alone::region(self.place, alone));
    }

    /// Brings arrays to the host, or to the device, where they stay there or may be.
    fn bring(&mut self, [acc, omp]: [&str; 2], syms: impl Iterator<Item = SymId>, from: &Stmt, out: &mut Block) {
        let syms: Vec<SymId> = syms.collect();
        let list = self.resident_among(syms.iter().copied());
        let entered = self.entered.difference(&self.found.resident);
        let perhaps: Vec<SymId> = entered.filter(|x| syms.contains(x)).copied().collect();
        self.found.host |= !list.is_empty() || !perhaps.is_empty();
        self.say([acc, omp], &list, from, out);
        if !perhaps.is_empty() {
            let names = self.place.list(&perhaps);
            let texts = [format!("{acc}{names}) if_present"), format!("{omp}{names})")];
            out.extend(self.place.directive([&texts[0], &texts[1]], from, &perhaps, None));
        }
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

/// What a block gives memory to, or frees, in statements for that.
pub(super) fn given_memory(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| out.extend(callees::given_memory(s)));
    out
}

/// The bounds that a block allocates arrays with, where they are always the same. Those that an array had before, and gets
/// again, are no others.
pub(super) fn shapes(block: &[Stmt]) -> BTreeMap<SymId, Shape> {
    let mut out: BTreeMap<SymId, Shape> = BTreeMap::new();
    let mut other = BTreeSet::new();
    let kept = kept_bounds(block);
    for_each_stmt(block, &mut |s| {
        let StmtKind::Allocate { items, .. } = &s.kind else { return };
        for item in items {
            let Some(d) = item.object.as_var().filter(|d| d.parts.is_empty()) else { continue };
            let again = |e: &Expr| e.as_var().and_then(|b| kept.get(&b.sym)) == Some(&Some(d.sym));
            let bounds: Vec<&Expr> = item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi])).collect();
            if !bounds.is_empty() && bounds.iter().all(|e| again(e)) {
                continue;
            }
            if item.shape.is_empty() || out.get(&d.sym).is_some_and(|known| *known != item.shape) {
                other.insert(d.sym);
            }
            out.insert(d.sym, item.shape.clone());
        }
    });
    out.retain(|s, _| !other.contains(s));
    out
}

/// Variables that hold the bounds of an array, with the array; `None` for other variables that are assigned.
fn kept_bounds(block: &[Stmt]) -> BTreeMap<SymId, Option<SymId>> {
    let mut out: BTreeMap<SymId, Option<SymId>> = BTreeMap::new();
    for_each_stmt(block, &mut |s| {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return };
        let Some(to) = lhs.as_var() else { return };
        let of = bounds_of(rhs).filter(|_| to.parts.is_empty());
        out.entry(to.sym).and_modify(|known| *known = known.filter(|k| of == Some(*k))).or_insert(of);
    });
    out
}

/// The array of which an expression is the lower and the upper bounds.
fn bounds_of(e: &Expr) -> Option<SymId> {
    let mut all = BTreeSet::new();
    let mut fine = matches!(e.kind, ExprKind::ArrayCtor { .. });
    for value in e.children() {
        match &value.kind {
            ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Lbound | Intrinsic::Ubound), args } => {
                let array = args.first().and_then(|a| a.value.as_var()).filter(|d| d.parts.is_empty());
                fine &= array.is_some() && args.len() == 1;
                all.extend(array.map(|d| d.sym));
            }
            _ => fine = false,
        }
    }
    if fine && all.len() == 1 { all.pop_first() } else { None }
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
