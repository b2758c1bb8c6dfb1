//! What a procedure does that is called in a loop: to its arguments, and to what it shares with others. Followed through
//! generated procedures and the user's alike.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::dataflow::variables::{self, used_and_assigned};
use costate_analysis::devices::is_on_devices;
use costate_analysis::effects::{
    CallMap, Ranges, bind, common_ranges, in_module, is_fixed, is_plain_global, section_of_actual, section_of_global,
    section_of_sequence, subscript, target,
};
use costate_analysis::storage::{is_global, symbols, through_pointer};
use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, Intent, LoopControl, Name, Part, ProcId, Program, Stmt, StmtKind,
    Subscript, SymId, for_each_expr, for_each_stmt,
};

use super::library::{Derivative, Library, is_read};
use super::references::{How, Passed, added};
use crate::runtime;

/// What a procedure does: nothing beside what this tells.
#[derive(Debug, Default)]
pub(super) struct Effect {
    /// What is done to what each dummy stands for.
    pub(super) dummies: Vec<How>,
    /// Each dummy that is surely assigned as a whole before it is used.
    sets: Vec<bool>,
    /// Each dummy with which nothing is done.
    ignores: Vec<bool>,
    /// Where each dummy is referred to.
    indices: Vec<Option<Ranges>>,
    /// The parts of each object to which alone is referred, in the procedure's own terms.
    parts: Vec<Option<Vec<Vec<Part>>>>,
    /// Variables of modules that are used.
    pub(super) reads: BTreeSet<SymId>,
    /// Arrays of modules of which certain elements alone are referred to: what is done with these, and where they are.
    globals: BTreeMap<SymId, (How, Ranges)>,
    /// It has tapes of its own.
    pub(super) tapes: bool,
}

/// The procedures that were looked at.
#[derive(Debug)]
pub(super) struct Calls<'l> {
    library: &'l Library<'l>,
    /// Variables of which each thread has its own, whatever procedures do with them.
    own: BTreeSet<SymId>,
    known: RefCell<BTreeMap<ProcId, Option<Rc<Effect>>>>,
}

impl<'l> Calls<'l> {
    pub(super) fn new(library: &'l Library<'l>, own: BTreeSet<SymId>) -> Self {
        Calls { library, own, known: RefCell::default() }
    }

    /// What a procedure does; `None` where it does more than to compute with its arguments.
    pub(super) fn effect(&self, program: &Program, callee: &Callee) -> Option<Rc<Effect>> {
        let proc = target(program, callee)?;
        if let Some(known) = self.known.borrow().get(&proc) {
            return known.clone();
        }
        // Of one that calls itself nothing is known.
        self.known.borrow_mut().insert(proc, None);
        let found = match program.declarations.contains(&program[proc].file) {
            true => self.library.procedures.contains(&proc).then(|| declared(program, proc)),
            false => Walk::new(self, program, proc).effect(),
        };
        let found = found.map(Rc::new);
        self.known.borrow_mut().insert(proc, found.clone());
        found
    }

    /// The derivative of the run-time library that is called.
    fn derivative(&self, callee: &Callee) -> Option<&'l Derivative> {
        if let Callee::Proc { sym, .. } = callee { self.library.derivatives.get(sym) } else { None }
    }

    /// What a call does to variables that it is given as a whole.
    pub(super) fn known(&self, program: &Program, s: &Stmt) -> variables::Call {
        let StmtKind::Call { callee, args } = &s.kind else { return variables::Call::default() };
        let whole = |e: &Expr| e.as_var().filter(|d| d.parts.is_empty()).map(|d| d.sym);
        if let (Some("costate_pop"), [_, Arg { value, .. }]) = (on_tape(program, callee), args.as_slice()) {
            return variables::Call { sets: whole(value).into_iter().collect(), ..variables::Call::default() };
        }
        if let Some(derivative) = self.derivative(callee) {
            return variables::Call { sets: derivative.sets(program, args), ..variables::Call::default() };
        }
        let (Some(effect), Some(proc)) = (self.effect(program, callee), target(program, callee)) else {
            return variables::Call::default();
        };
        let bound = bind(program, &program[proc], args);
        // What another argument reads is used.
        let read: BTreeSet<SymId> =
            args.iter().filter(|a| whole(&a.value).is_none()).flat_map(|a| symbols(&a.value)).collect();
        let of = |list: &[bool], all: bool| -> BTreeSet<SymId> {
            let mut by: BTreeMap<SymId, Vec<bool>> = BTreeMap::new();
            for (e, holds) in bound.iter().zip(list) {
                if let Some(sym) = e.and_then(whole).filter(|sym| !read.contains(sym)) {
                    by.entry(sym).or_default().push(*holds);
                }
            }
            let holds = |list: &[bool]| if all { list.iter().all(|x| *x) } else { list.contains(&true) };
            by.into_iter().filter(|(_, list)| holds(list)).map(|(sym, _)| sym).collect()
        };
        variables::Call { sets: of(&effect.sets, false), ignores: of(&effect.ignores, true) }
    }

    /// The elements of arrays of modules to which a procedure refers that is called, as they are found there.
    pub(super) fn globals(&self, program: &Program, callee: &Callee, args: &[Arg]) -> Vec<(How, Designator)> {
        let (Some(effect), Some(proc)) = (self.effect(program, callee), target(program, callee)) else {
            return Vec::new();
        };
        let found = effect.globals.iter().map(|(sym, (how, indices))| {
            let section = section_of_global(program, (proc, args, None), *sym, indices);
            (*how, section.and_then(|e| e.as_var().cloned()).unwrap_or(Designator::whole(*sym)))
        });
        found.collect()
    }

    /// The arguments of a call with what is done to each.
    pub(super) fn arguments<'e>(
        &self,
        program: &Program,
        callee: &Callee,
        args: &'e [Arg],
    ) -> Option<(Rc<Effect>, Vec<Passed<'e>>)> {
        if let Some(name) = on_tape(program, callee) {
            let how = |k: usize| if k == 0 || name == "costate_pop" { How::Assigned } else { How::Read };
            let passed = |(k, a): (usize, &'e Arg)| Passed::new(how(k), &a.value, a.value.rank, None);
            let list = args.iter().enumerate().map(passed).collect();
            return Some((Rc::new(Effect { tapes: true, ..Effect::default() }), list));
        }
        if let Some(derivative) = self.derivative(callee) {
            return Some((Rc::default(), derivative.arguments(program, self.library, args)?));
        }
        let effect = self.effect(program, callee)?;
        let proc = target(program, callee)?;
        let bound = bind(program, &program[proc], args);
        let rank = |d: &SymId| program.var(*d).map_or(0, |v| v.rank());
        let dummies = program[proc].dummies.iter().zip(&effect.dummies).zip(bound);
        let known = CallMap::new(program, proc, args, None);
        let passed = |(k, ((d, how), e)): (usize, ((&SymId, &How), Option<&'e Expr>))| {
            let of_callee = || {
                let indices = effect.indices.get(k)?.as_ref()?;
                section_of_actual(program, (proc, args, None), (*d, e?), indices)?.as_var().cloned()
            };
            let whole = e?.as_var().is_some_and(|d| d.parts.is_empty());
            if whole && effect.ignores.get(k) == Some(&true) {
                return None;
            }
            let sequence =
                || section_of_sequence(program, (*d, e?), &|e| Some(known.in_caller(e)), &|s| is_fixed(program, s));
            let within = self.library.section(program, &known, (proc, *d), e?).or_else(of_callee).or_else(sequence);
            let here = |list: &Vec<Vec<Part>>| list.iter().map(|p| in_caller(&known, p)).collect();
            let parts = effect.parts.get(k).and_then(|list| Some(here(list.as_ref()?)));
            Some(Passed { parts, ..Passed::new(*how, e?, rank(d), within) })
        };
        let list = dummies.enumerate().filter_map(passed).collect();
        Some((effect, list))
    }
}

/// A part of a dummy, with the caller's values in the subscripts.
fn in_caller(map: &CallMap, parts: &[Part]) -> Vec<Part> {
    let index = |s: &Subscript| match s {
        Subscript::Index(e) => Subscript::Index(map.in_caller(e)),
        Subscript::Range { lo, hi, step } => {
            let [lo, hi] = [lo, hi].map(|e| e.as_ref().map(|e| map.in_caller(e)));
            Subscript::Range { lo, hi, step: step.clone() }
        }
    };
    let of = |p: &Part| match p {
        Part::Subscripts(list) => Part::Subscripts(list.iter().map(index).collect()),
        Part::Component(_) | Part::Substring(..) => p.clone(),
    };
    parts.iter().map(of).collect()
}

/// The procedure of the run-time library that works on the tape it is given, and on nothing else, by its name.
pub(super) fn on_tape<'p>(program: &'p Program, callee: &Callee) -> Option<&'p str> {
    let Callee::Proc { sym, .. } = callee else { return None };
    let name = program[*sym].name.as_str();
    let known = ["costate_push", "costate_pop", "costate_release"].contains(&name);
    (known && runtime::is_of_library(program, *sym)).then_some(name)
}

/// What a procedure of a library does, by its declaration.
fn declared(program: &Program, proc: ProcId) -> Effect {
    let dummies = &program[proc].dummies;
    let how = |d: &SymId| if is_read(program, *d) { How::Read } else { How::Assigned };
    let set = |d: &SymId| program.var(*d).is_some_and(|v| v.intent == Some(Intent::Out) && v.rank() == 0);
    Effect {
        dummies: dummies.iter().map(how).collect(),
        sets: dummies.iter().map(set).collect(),
        ignores: vec![false; dummies.len()],
        ..Effect::default()
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
    reads: BTreeSet<SymId>,
    tapes: bool,
}

impl<'w> Walk<'w> {
    fn new(calls: &'w Calls<'w>, program: &'w Program, proc: ProcId) -> Self {
        let (how, subscripts, parts) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Walk { calls, program, proc, how, subscripts, parts, reads: BTreeSet::new(), tapes: false }
    }

    fn effect(mut self) -> Option<Effect> {
        let p = &self.program[self.proc];
        if !p.problems.is_empty() {
            return None;
        }
        let mut fine = Some(());
        for_each_stmt(&p.body, &mut |s| fine = fine.and_then(|()| self.statement(s)));
        fine?;
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
        let indices = p.dummies.iter().map(|d| self.indices(*d)).collect();
        let parts = p.dummies.iter().map(|d| self.parts_of(*d)).collect();
        let mut globals = BTreeMap::new();
        for (sym, how) in self.how.iter().filter(|(s, _)| is_plain_global(self.program, **s)) {
            match self.indices(*sym) {
                Some(indices) => _ = globals.insert(*sym, (*how, indices)),
                None if *how == How::Read => _ = self.reads.insert(*sym),
                None => return None,
            }
        }
        Some(Effect { dummies, sets, ignores, indices, parts, globals, reads: self.reads, tapes: self.tapes })
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
            Some(Part::Subscripts(list)) => Some(list.clone()),
            _ => None,
        };
        let known = self.subscripts.entry(d.sym).or_insert_with(|| Some(Vec::new()));
        match (known.as_mut(), list) {
            (Some(all), Some(list)) => all.push(list),
            _ => *known = None,
        }
    }

    fn statement(&mut self, s: &Stmt) -> Option<()> {
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                let d = lhs.as_var()?;
                self.refer(d);
                match added(lhs, rhs) {
                    Some(list) => {
                        list.into_iter().try_for_each(|e| self.read(e))?;
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
                // Subscripts of what is allocated count as written here, which is more than there is.
                let all: BTreeSet<SymId> = s.exprs().into_iter().flat_map(symbols).collect();
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
        for (how, d) in self.calls.globals(self.program, callee, args) {
            self.refer(&d);
            match how {
                How::Read => self.mention(d.sym)?,
                How::Added | How::Assigned => self.assigned(d.sym, how)?,
            }
        }
        for passed in list {
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
                How::Added | How::Assigned => self.assigned_to(d, how)?,
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
        if v.dummy.is_some() && self.is_own(sym) || is_plain_global(self.program, sym) {
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
        let outside = is_plain_global(self.program, sym);
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

    fn is_own(&self, sym: SymId) -> bool {
        let (home, own) = (self.program[sym].scope, self.program[self.proc].scope);
        home == own || costate_analysis::effects::within(self.program, home, own)
    }
}
