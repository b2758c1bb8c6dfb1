//! What the statements of a procedure do.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dataflow::variables::used_and_assigned;
use costate_analysis::devices::is_on_devices;
use costate_analysis::effects::{Counted, Ranges, within};
use costate_analysis::effects::{common_ranges, in_module, is_plain_global, subscript};
use costate_analysis::normal::mentions;
use costate_analysis::storage::{is_global, symbols, through_pointer};
use costate_grammar::directives::ClauseKind;
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, Intent, LoopControl, Name, Origin, Part, ProcId, Program, Stmt, StmtId,
    StmtKind, Subscript, SymId, Variable, for_each_expr, for_each_stmt,
};

use super::super::references::{How, Increments, Passed, added, is_number, is_single_number};
use super::{Calls, Effect, Global};

impl Calls<'_> {
    /// What a procedure with statements does.
    pub(super) fn walked(&self, program: &Program, proc: ProcId) -> Option<Effect> {
        Walk::new(self, program, proc).effect()
    }
}

/// The statements of a block that are atomic updates already.
fn atomic(block: &[Stmt]) -> BTreeSet<StmtId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        if let StmtKind::Directive { directive, body: Some(body), .. } = &s.kind
            && directive.is_atomic()
        {
            out.extend(body.iter().map(|s| s.id));
        }
    });
    out
}

/// The variables that a body leaves zero, as wholes.
fn left_zero(program: &Program, body: &[Stmt]) -> BTreeSet<SymId> {
    let (mut out, mut seen, mut returns) = (BTreeSet::new(), BTreeSet::new(), false);
    for_each_stmt(body, &mut |s| returns |= matches!(s.kind, StmtKind::Return));
    for s in body.iter().rev().take_while(|_| !returns) {
        if let StmtKind::Assign { lhs, rhs } = &s.kind
            && rhs.is_zero()
        {
            out.extend(lhs.as_var().filter(|d| d.parts.is_empty() && !seen.contains(&d.sym)).map(|d| d.sym));
        }
        seen.extend(mentions(program, std::slice::from_ref(s)).into_keys());
    }
    out
}

/// What directives of loops in a block sum up.
fn summed_up(block: &[Stmt]) -> BTreeSet<Name> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        let StmtKind::Do { parallel: Some(p), .. } = &s.kind else { return };
        for c in p.directives.iter().flat_map(|d| &d.directive.clauses) {
            if let ClauseKind::Reduction { list, .. } = &c.kind {
                out.extend(list.iter().map(|item| Name::new(item)));
            }
        }
    });
    out
}

/// What a statement gives memory or frees, and the variables that tell how that went.
fn objects(s: &Stmt) -> Vec<&Expr> {
    match &s.kind {
        StmtKind::Allocate { items, options, .. } => {
            items.iter().map(|i| &i.object).chain(options.iter().map(|o| &o.1)).collect()
        }
        StmtKind::Deallocate { items, options } => items.iter().chain(options.iter().map(|o| &o.1)).collect(),
        _ => Vec::new(),
    }
}

struct Walk<'w> {
    calls: &'w Calls<'w>,
    program: &'w Program,
    proc: ProcId,
    how: BTreeMap<SymId, How>,
    /// The subscripts of all references to a dummy, or to an array of a module; `None` where one has none.
    subscripts: BTreeMap<SymId, Option<Vec<Vec<Subscript>>>>,
    /// All references, by the names of the components.
    parts: BTreeMap<SymId, BTreeMap<Vec<Name>, Vec<Vec<Part>>>>,
    /// The statements that add to a variable; `None` where that isn't done number by number.
    adds: BTreeMap<SymId, Option<Increments>>,
    /// Statements that only one thread at a time runs, as they stand.
    atomic: BTreeSet<StmtId>,
    reads: BTreeSet<SymId>,
    tapes: bool,
    /// The loops around a statement.
    counted: Counted,
}

impl<'w> Walk<'w> {
    fn new(calls: &'w Calls<'w>, program: &'w Program, proc: ProcId) -> Self {
        Walk {
            calls,
            program,
            proc,
            how: BTreeMap::new(),
            subscripts: BTreeMap::new(),
            parts: BTreeMap::new(),
            adds: BTreeMap::new(),
            atomic: atomic(&program[proc].body),
            reads: BTreeSet::new(),
            tapes: false,
            counted: Counted::default(),
        }
    }

    fn effect(mut self) -> Option<Effect> {
        let p = &self.program[self.proc];
        if !p.problems.is_empty() {
            return None;
        }
        self.block(&p.body)?;
        let intent = |d: &SymId| self.program.var(*d).and_then(|v| v.intent);
        let how = |d: &SymId| match self.how.get(d) {
            _ if intent(d) == Some(Intent::In) => How::Read,
            Some(how) => *how,
            None => How::Read,
        };
        let dummies = p.dummies.iter().map(how).collect();
        let known = |s: &Stmt| self.calls.known(self.program, s);
        let (used, assigned) = used_and_assigned(self.program, &p.body, &known);
        let ignores = p.dummies.iter().map(|d| !used.contains(d) && !self.how.contains_key(d)).collect();
        // The result of a function has no value before the call.
        let result = |d: &SymId| self.program.var(*d).is_some_and(|v| v.result);
        let sets = p.dummies.iter().map(|d| assigned.contains(d) && !used.contains(d) || result(d)).collect();
        let zero = left_zero(self.program, &p.body);
        let zeroed = p.dummies.iter().map(|d| zero.contains(d)).collect();
        let indices = p.dummies.iter().map(|d| self.indices(*d)).collect();
        let parts = p.dummies.iter().map(|d| self.parts_of(*d)).collect();
        let (mut globals, mut whole) = (BTreeMap::new(), Vec::new());
        let outside = |s: &SymId| self.is_array_outside(*s) || self.adds_outside(*s);
        for (sym, how) in self.how.iter().filter(|(s, _)| outside(s)) {
            let read = self.reads.contains(sym);
            if read && *how != How::Read {
                return None;
            }
            match self.indices(*sym).filter(|_| !read) {
                Some(indices) => _ = globals.insert(*sym, (*how, indices)),
                None if *how == How::Read => whole.push(*sym),
                None => {
                    let rank = self.program.var(*sym).map_or(0, |v| v.dims.len());
                    globals.insert(*sym, (*how, vec![None; rank]));
                }
            }
        }
        self.reads.extend(whole);
        // Of what loops in it sum up threads have sums of their own, which are added behind them.
        let summed = summed_up(&p.body);
        let mut adds = std::mem::take(&mut self.adds);
        adds.retain(|sym, _| self.how.get(sym) == Some(&How::Added) && !summed.contains(&self.program[*sym].name));
        let adds = adds.into_iter().filter_map(|(sym, list)| Some((sym, list?))).collect();
        Some(Effect {
            dummies,
            sets,
            ignores,
            zeroed,
            indices,
            parts,
            globals,
            adds,
            reads: self.reads,
            tapes: self.tapes,
        })
    }

    /// Notes by which statements is added to a variable; `None` if not number by number.
    fn adds_by(&mut self, sym: SymId, list: Option<Increments>) {
        let known = self.adds.entry(sym).or_insert_with(|| Some(Increments::new()));
        match (known.as_mut(), list) {
            (Some(all), Some(list)) => all.extend(list),
            _ => *known = None,
        }
    }

    /// The statement that adds to a number, unless it is atomic as it stands. The user's stay as they are.
    fn increment(&self, s: &Stmt, d: &Designator) -> Option<Increments> {
        match s.origin {
            _ if self.atomic.contains(&s.id) => Some(Increments::new()),
            Origin::Derived { .. } if is_single_number(self.program, d) => Some(BTreeSet::from([(self.proc, s.id)])),
            Origin::Derived { .. } | Origin::Source(_) => None,
        }
    }

    /// Where a dummy, or an array of a module, is referred to.
    fn indices(&self, array: SymId) -> Option<Ranges> {
        let known = self.program.var(array).is_some_and(|v| v.rank() > 0 && !v.has_other_names());
        let references = self.subscripts.get(&array).filter(|_| known)?.as_ref()?;
        common_ranges(self.program, self.proc, references, &self.changed())
    }

    /// The parts to which alone is referred of a dummy that is one object.
    fn parts_of(&self, dummy: SymId) -> Option<Vec<Vec<Part>>> {
        let object = self.program.var(dummy).is_some_and(|v| v.rank() == 0 && v.ty.derived().is_some());
        let found = self.parts.get(&dummy).filter(|list| object && !list.contains_key(&Vec::new()))?;
        let components = |path: &Vec<Name>| path.iter().cloned().map(Part::Component).collect();
        let of =
            |(path, list): (&Vec<Name>, &Vec<Vec<Part>>)| self.common_part(list).unwrap_or_else(|| components(path));
        Some(found.iter().map(of).collect())
    }

    /// What references to one component have in common: the subscripts that tell where all of them are.
    fn common_part(&self, references: &[Vec<Part>]) -> Option<Vec<Part>> {
        let subscripts = |p: &Part| if let Part::Subscripts(list) = p { list.clone() } else { Vec::new() };
        let all: Vec<Vec<Subscript>> =
            references.iter().map(|parts| parts.iter().flat_map(subscripts).collect()).collect();
        let form = |parts: &[Part]| parts.iter().map(|p| subscripts(p).len()).collect::<Vec<_>>();
        let first = references.first()?;
        let whole = |p: &Part| !matches!(p, Part::Substring(..));
        if !first.iter().all(whole) || !references.iter().all(|r| form(r) == form(first)) {
            return None;
        }
        let mut common = common_ranges(self.program, self.proc, &all, &self.changed())?.into_iter();
        let place = |range: Option<(Expr, Expr)>| subscript(range.as_ref(), &Expr::clone);
        let of = |p: &Part| match p {
            Part::Subscripts(list) => Part::Subscripts(common.by_ref().take(list.len()).map(place).collect()),
            Part::Component(_) | Part::Substring(..) => p.clone(),
        };
        Some(first.iter().map(of).collect())
    }

    /// What the procedure changes of what is its caller's.
    fn changed(&self) -> BTreeSet<SymId> {
        self.how.iter().filter(|(_, how)| **how != How::Read).map(|(s, _)| *s).collect()
    }

    /// Notes all references in an expression but those of arguments. Of what is only asked for its shape no element is used.
    fn refer_in(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() == Class::Inquiry => {
                args.iter().flat_map(|a| a.value.children()).for_each(|x| self.refer_in(x));
            }
            ExprKind::Call { callee, .. } if !matches!(callee, Callee::Intrinsic(_)) => {}
            ExprKind::Var(d) => {
                self.refer(d);
                e.children().into_iter().for_each(|x| self.refer_in(x));
            }
            _ => e.children().into_iter().for_each(|x| self.refer_in(x)),
        }
    }

    /// Notes a reference to a dummy, or to some elements of it.
    fn refer(&mut self, d: &Designator) {
        self.parts.entry(d.sym).or_default().entry(d.path()).or_default().push(d.parts.clone());
        let list = match d.parts.first() {
            Some(Part::Subscripts(list)) => Some(self.counted.all_of_each(list)),
            _ => None,
        };
        let known = self.subscripts.entry(d.sym).or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), list) {
            (Some(all), Some(list)) => all.push(list),
            _ => *known = None,
        }
    }

    fn block(&mut self, block: &[Stmt]) -> Option<()> {
        for s in block {
            self.statement(s)?;
            let inside = self.counted.clone();
            if let StmtKind::Do { control, .. } = &s.kind {
                self.counted.enter(control);
            }
            s.blocks().into_iter().try_for_each(|b| self.block(b))?;
            self.counted = inside;
        }
        Some(())
    }

    fn statement(&mut self, s: &Stmt) -> Option<()> {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let d = lhs.as_var()?;
                self.refer(d);
                match added(lhs, rhs) {
                    Some(list) => {
                        list.into_iter().try_for_each(|e| self.read(e))?;
                        self.adds_by(d.sym, self.increment(s, d));
                        self.assigned_to(d, How::Added)?;
                    }
                    None => {
                        self.read(rhs)?;
                        self.assigned_to(d, How::Assigned)?;
                    }
                }
                lhs.children().into_iter().try_for_each(|e| self.read(e))
            }
            StmtKind::Call { callee, args } => self.call(callee, args),
            StmtKind::Do { control, .. } => {
                match control {
                    LoopControl::Count { var, .. } => self.assigned(*var, How::Assigned)?,
                    LoopControl::Concurrent { .. } | LoopControl::While(_) | LoopControl::Forever => {}
                }
                s.exprs().into_iter().try_for_each(|e| self.read(e))
            }
            StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } => {
                if let StmtKind::Allocate { items, .. } = &s.kind {
                    let bounds = items.iter().flat_map(|i| &i.shape).flat_map(|(lo, hi)| lo.iter().chain([hi]));
                    bounds.into_iter().try_for_each(|e| self.read(e))?;
                }
                // Subscripts of what is allocated count as written here, which is more than there is.
                let all: BTreeSet<SymId> = objects(s).into_iter().flat_map(symbols).collect();
                let program = self.program;
                let moving = |x: SymId| program.var(x).is_some_and(|v| v.attrs.allocatable || v.ty.derived().is_some());
                for sym in all {
                    self.refer(&Designator::whole(sym));
                    if self.is_own(sym) && moving(sym) {
                        self.assigned(sym, How::Assigned)?;
                    } else {
                        self.mention(sym)?;
                    }
                }
                Some(())
            }
            StmtKind::If { .. }
            | StmtKind::Select { .. }
            | StmtKind::Stop { .. }
            | StmtKind::Exit(_)
            | StmtKind::Cycle(_)
            | StmtKind::Return
            | StmtKind::Continue
            | StmtKind::Where { .. }
            | StmtKind::Comment(_) => {
                s.exprs().into_iter().try_for_each(|e| self.read(e))?;
                if let StmtKind::Select { arms, .. } = &s.kind {
                    let ranges = arms.iter().flat_map(|a| &a.ranges);
                    return ranges.flat_map(costate_grammar::ir::CaseRange::exprs).try_for_each(|e| self.read(e));
                }
                Some(())
            }
            StmtKind::Directive { .. } => Some(()),
            StmtKind::PointerAssign { .. }
            | StmtKind::Nullify(_)
            | StmtKind::Forall { .. }
            | StmtKind::Associate { .. }
            | StmtKind::BlockScope { .. }
            | StmtKind::Goto(_)
            | StmtKind::Io { .. }
            | StmtKind::Unsupported { .. } => None,
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Arg]) -> Option<()> {
        if let (Callee::Intrinsic(Intrinsic::MoveAlloc), [from, to]) = (callee, args) {
            return [from, to].into_iter().try_for_each(|a| {
                let d = a.value.as_var()?;
                self.refer(&Designator::whole(d.sym));
                self.assigned_to(d, How::Assigned)
            });
        }
        let (effect, list) = self.calls.arguments(self.program, callee, args)?;
        self.reads.extend(effect.reads.iter().copied());
        // What procedures inside this one use of it.
        effect.reads.iter().for_each(|s| self.refer(&Designator::whole(*s)));
        self.tapes |= effect.tapes;
        for Global { how, of, adds } in self.calls.globals(self.program, callee, args) {
            self.refer(&of);
            self.adds_by(of.sym, adds);
            match how {
                How::Read => self.mention(of.sym)?,
                How::Added | How::Assigned => self.assigned(of.sym, how)?,
            }
        }
        for mut passed in list {
            let adds = passed.adds.take();
            let Passed { how, value: e, rank, .. } = passed;
            let Some(d) = e.as_var() else {
                self.read(e)?;
                continue;
            };
            match passed.known() {
                Some(list) => list.iter().for_each(|d| self.refer(d)),
                // An element may stand for those behind it.
                None if rank > 0 && e.rank == 0 => self.refer(&Designator::whole(d.sym)),
                None => self.refer(d),
            }
            match how {
                How::Read => self.mention(d.sym)?,
                How::Added | How::Assigned => {
                    self.adds_by(d.sym, adds);
                    self.assigned_to(d, how)?;
                }
            }
            e.children().into_iter().try_for_each(|e| self.read(e))?;
        }
        Some(())
    }

    fn read(&mut self, e: &Expr) -> Option<()> {
        let mut fine = Some(());
        self.refer_in(e);
        for_each_expr(e, &mut |x| {
            fine = fine.and_then(|()| match &x.kind {
                ExprKind::Var(d) => self.mention(d.sym),
                ExprKind::Call { callee: Callee::Intrinsic(f), .. } => {
                    matches!(f.class(), Class::Elemental | Class::Inquiry | Class::Transformational).then_some(())
                }
                ExprKind::Call { callee, args } => self.call(callee, args),
                ExprKind::Opaque(_) => None,
                _ => Some(()),
            });
        });
        fine
    }

    fn mention(&mut self, sym: SymId) -> Option<()> {
        let Some(v) = self.program.var(sym) else { return Some(()) };
        if v.attrs.parameter || self.calls.own.contains(&in_module(self.program, sym)) {
            return Some(());
        }
        if v.dummy.is_some() && self.is_own(sym) || self.is_array_outside(sym) {
            let how = self.how.entry(sym).or_insert(How::Read);
            if *how == How::Added {
                *how = How::Assigned;
            }
            return Some(());
        }
        if !self.is_own(sym) {
            self.reads.insert(sym);
        }
        // What is kept from call to call is the same for all threads, but that of which each has its own.
        let of_threads = v.directive && !is_on_devices(self.program, sym);
        (!(of_threads || self.is_own(sym) && v.attrs.save)).then_some(())
    }

    /// Pointers in several objects may lead to the same memory.
    fn assigned_to(&mut self, d: &Designator, how: How) -> Option<()> {
        if through_pointer(self.program, d) { None } else { self.assigned(d.sym, how) }
    }

    fn assigned(&mut self, sym: SymId, how: How) -> Option<()> {
        let v = self.program.var(sym)?;
        if self.calls.own.contains(&in_module(self.program, sym)) {
            return Some(());
        }
        let outside = self.is_array_outside(sym) || how == How::Added && self.adds_outside(sym);
        let kept = !self.is_own(sym) || is_global(self.program, sym) || v.attrs.save;
        if !outside && (kept || v.directive || v.attrs.pointer) {
            return None;
        }
        if outside || v.dummy.is_some() {
            let known = self.how.entry(sym).or_insert(how);
            if *known != how {
                *known = How::Assigned;
            }
        } else if v.init.is_some() || v.data || v.common.is_some() || v.equivalenced {
            return None;
        }
        Some(())
    }

    /// True for an array of a module or of the procedure around this one that no pointer leads to, and that has no other name.
    fn is_array_outside(&self, sym: SymId) -> bool {
        let plain = |v: &Variable| v.rank() > 0 && v.ty.derived().is_none() && !v.has_other_names() && !v.directive;
        is_plain_global(self.program, sym) || !self.is_own(sym) && self.program.var(sym).is_some_and(plain)
    }

    /// True for a number or for objects of a module or of the procedure around this one that no pointer leads to, and that
    /// have no other name.
    fn adds_outside(&self, sym: SymId) -> bool {
        let number = |v: &Variable| v.rank() == 0 && is_number(v) || v.ty.derived().is_some();
        let plain = |v: &Variable| number(v) && !v.has_other_names() && !v.directive;
        !self.is_own(sym) && self.program.var(sym).is_some_and(plain)
    }

    fn is_own(&self, sym: SymId) -> bool {
        let (home, own) = (self.program[sym].scope, self.program[self.proc].scope);
        home == own || within(self.program, home, own)
    }
}
