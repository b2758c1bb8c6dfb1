//! What a procedure does that is called in a loop: to its arguments, and to what it shares with others. Followed through
//! generated procedures and the user's alike.

mod walk;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::callgraph::{calls, reached};
use costate_analysis::dataflow::variables;
use costate_analysis::effects::{
    CallMap, Ranges, bind, is_fixed, section_of_actual, section_of_global, section_of_sequence, target,
    window_of_sequence,
};
use costate_analysis::normal::mentions;
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, Intent, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId, for_each_stmt,
};

use super::library::{Derivative, Library, is_read};
use super::references::{How, Increments, Passed, added, is_single_number};
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
    /// Each dummy that is zero behind it.
    zeroed: Vec<bool>,
    /// Where each dummy is referred to.
    indices: Vec<Option<Ranges>>,
    /// The parts of each object to which alone is referred, in the procedure's own terms.
    parts: Vec<Option<Vec<Vec<Part>>>>,
    /// Variables of modules that are used.
    pub(super) reads: BTreeSet<SymId>,
    /// Arrays of modules, and numbers of theirs to which is only added: what is done with these, and where they are.
    globals: BTreeMap<SymId, (How, Ranges)>,
    /// What is only added to, number by number, of what is the caller's or a module's: where that is done.
    adds: BTreeMap<SymId, Increments>,
    /// It has tapes of its own.
    pub(super) tapes: bool,
}

/// What a procedure does with a variable of a module.
pub(super) struct Global {
    pub(super) how: How,
    /// The variable, or the elements of it.
    pub(super) of: Designator,
    /// The statements that only add to it.
    pub(super) adds: Option<Increments>,
}

/// A procedure that is being generated, as calls of itself see it: it computes with its arguments alone.
#[derive(Debug)]
pub(super) struct Itself {
    sym: SymId,
    /// Its dummies with what is done to each.
    dummies: Vec<(SymId, How)>,
}

impl Itself {
    fn is_called(&self, callee: &Callee) -> bool {
        matches!(callee, Callee::Proc { sym, .. } if *sym == self.sym)
    }
}

/// The procedures that were looked at.
#[derive(Debug)]
pub(super) struct Calls<'l> {
    library: &'l Library<'l>,
    /// The procedure whose calls these are, where it may call itself.
    itself: Option<Itself>,
    /// Variables of which each thread has its own, whatever procedures do with them.
    own: BTreeSet<SymId>,
    known: RefCell<BTreeMap<ProcId, Option<Rc<Effect>>>>,
}

impl<'l> Calls<'l> {
    pub(super) fn new(library: &'l Library<'l>, own: BTreeSet<SymId>) -> Self {
        Calls { library, itself: None, own, known: RefCell::default() }
    }

    /// The same for the body of a generated procedure that may call itself, with the variables of which it is the derivative
    /// (`of`), or the tangent: if its primal computes with its arguments alone, and all that it calls is known, so does it.
    pub(super) fn of_one_that_calls_itself(
        mut self,
        program: &Program,
        (primal, body): (ProcId, &[Stmt]),
        (sym, dummies): super::Own<'_>,
        (of, tangent): (&BTreeMap<SymId, SymId>, bool),
    ) -> Self {
        let alone = self.effect_of(program, primal).is_some_and(|e| e.reads.is_empty() && e.globals.is_empty());
        // To the derivative of a dummy that is only read an adjoint adds.
        let how = |d: &SymId| match (of.get(d), tangent) {
            (Some(p), false) if is_read(program, *p) => How::Added,
            (Some(p), true) if is_read(program, *p) => How::Read,
            (None, _) if is_read(program, *d) => How::Read,
            _ => How::Assigned,
        };
        let itself = Itself { sym, dummies: dummies.iter().map(|d| (*d, how(d))).collect() };
        let mut others = false;
        for_each_stmt(body, &mut |s| {
            let StmtKind::Call { callee, .. } = &s.kind else { return };
            let known = || self.derivative(callee).is_some() || self.effect(program, callee).is_some();
            others |= !(itself.is_called(callee) || matches!(callee, Callee::Intrinsic(_)) || known());
        });
        self.itself = (alone && !others).then_some(itself);
        self
    }

    /// True for a dummy to which the procedure adds that is being generated, if it calls itself, and only number by number.
    pub(super) fn adds_to_numbers_of(&self, program: &Program, sym: SymId, body: &[Stmt]) -> bool {
        let Some(itself) = &self.itself else { return false };
        let mut fine = itself.dummies.contains(&(sym, How::Added));
        for_each_stmt(body, &mut |s| {
            fine &= match &s.kind {
                StmtKind::Call { callee, .. } if itself.is_called(callee) => true,
                // Loops that are shared out may have sums of their own, which they put in at once.
                StmtKind::Do { parallel: Some(p), .. } if p.among_threads() || p.on_device() => {
                    !mentions(program, std::slice::from_ref(s)).contains_key(&sym)
                }
                StmtKind::Assign { lhs, rhs } if lhs.as_var().is_some_and(|d| d.sym == sym) => {
                    added(lhs, rhs).is_some() && lhs.as_var().is_some_and(|d| is_single_number(program, d))
                }
                _ => !s.exprs().into_iter().any(|e| symbols(e).contains(&sym)),
            };
        });
        fine
    }

    /// The arguments of a call of the procedure itself with what is done to each.
    fn of_own_call<'e>(&self, program: &Program, callee: &Callee, args: &'e [Arg]) -> Option<Vec<Passed<'e>>> {
        let itself @ Itself { dummies, .. } = self.itself.as_ref()?;
        if !itself.is_called(callee) || dummies.len() != args.len() || args.iter().any(|a| a.keyword.is_some()) {
            return None;
        }
        let rank = |d: SymId| program.var(d).map_or(0, |v| v.rank());
        let passed = |((d, how), a): (&(SymId, How), &'e Arg)| Passed::new(*how, &a.value, rank(*d), None);
        Some(dummies.iter().zip(args).map(passed).collect())
    }

    /// What a procedure does; `None` where it does more than to compute with its arguments.
    pub(super) fn effect(&self, program: &Program, callee: &Callee) -> Option<Rc<Effect>> {
        self.effect_of(program, target(program, callee)?)
    }

    fn effect_of(&self, program: &Program, proc: ProcId) -> Option<Rc<Effect>> {
        if let Some(known) = self.known.borrow().get(&proc) {
            return known.clone();
        }
        // Of procedures that call each other nothing is known.
        self.known.borrow_mut().insert(proc, None);
        let found = match program.declarations.contains(&program[proc].file) {
            true => self.library.procedures.contains(&proc).then(|| declared(program, proc)),
            false if calls_itself(program, proc) => self.of_itself(program, proc),
            false => self.walked(program, proc),
        };
        let found = found.map(Rc::new);
        self.known.borrow_mut().insert(proc, found.clone());
        found
    }

    /// What a procedure does that calls itself: what it does if the calls inside do that. They are taken to add at first, where
    /// they may assign.
    fn of_itself(&self, program: &Program, proc: ProcId) -> Option<Effect> {
        let mut assumed = Effect { sets: vec![false; program[proc].dummies.len()], ..declared(program, proc) };
        for (how, d) in assumed.dummies.iter_mut().zip(&program[proc].dummies).filter(|(how, _)| **how != How::Read) {
            *how = How::Added;
            assumed.adds.insert(*d, Increments::new());
        }
        for _ in 0..=2 * program[proc].dummies.len() {
            let before = assumed.dummies.clone();
            self.known.borrow_mut().insert(proc, Some(Rc::new(assumed)));
            let found = self.walked(program, proc).filter(|e| e.globals.is_empty())?;
            if found.dummies == before {
                return Some(found);
            }
            let adds = found.adds.keys().map(|d| (*d, Increments::new())).collect();
            assumed =
                Effect { sets: vec![false; before.len()], dummies: found.dummies, adds, ..declared(program, proc) };
        }
        None
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

    /// The variables that a statement's call leaves zero.
    pub(super) fn zeroed(&self, program: &Program, s: &Stmt) -> BTreeSet<SymId> {
        let StmtKind::Call { callee, args } = &s.kind else { return BTreeSet::new() };
        let (Some(effect), Some(proc)) = (self.effect(program, callee), target(program, callee)) else {
            return BTreeSet::new();
        };
        let mentioned = |sym: SymId| args.iter().filter(|a| symbols(&a.value).contains(&sym)).count();
        let bound = bind(program, &program[proc], args).into_iter().zip(&effect.zeroed);
        let whole = bound.filter(|(_, zero)| **zero).filter_map(|(e, _)| e?.as_var().filter(|d| d.parts.is_empty()));
        whole.map(|d| d.sym).filter(|sym| mentioned(*sym) == 1).collect()
    }

    /// The elements of arrays of modules to which a procedure refers that is called, as they are found there, with the
    /// statements that add to them.
    pub(super) fn globals(&self, program: &Program, callee: &Callee, args: &[Arg]) -> Vec<Global> {
        let (Some(effect), Some(proc)) = (self.effect(program, callee), target(program, callee)) else {
            return Vec::new();
        };
        let found = effect.globals.iter().map(|(sym, (how, indices))| {
            let section = section_of_global(program, (proc, args, None), *sym, indices);
            let of = section.and_then(|e| e.as_var().cloned()).unwrap_or(Designator::whole(*sym));
            Global { how: *how, of, adds: effect.adds.get(sym).cloned() }
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
        if let Some(list) = self.of_own_call(program, callee, args) {
            return Some((Rc::default(), list));
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
            let (here, fixed) = (|e: &Expr| Some(known.in_caller(e)), |s| is_fixed(program, s));
            let sequence = || {
                let whole = section_of_sequence(program, (*d, e?), &here, &fixed);
                whole.or_else(|| window_of_sequence(program, (*d, e?), &here, &fixed))
            };
            let within = self.library.section(program, &known, (proc, *d), e?).or_else(of_callee).or_else(sequence);
            let here = |list: &Vec<Vec<Part>>| list.iter().map(|p| in_caller(&known, p)).collect();
            let parts = effect.parts.get(k).and_then(|list| Some(here(list.as_ref()?)));
            let adds = effect.adds.get(d).cloned();
            Some(Passed { parts, adds, ..Passed::new(*how, e?, rank(d), within) })
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

/// True for a procedure that calls itself, and is called by none of the others that it calls.
fn calls_itself(program: &Program, proc: ProcId) -> bool {
    let own = calls(program, &program[proc].body);
    let others: Vec<ProcId> = own.iter().copied().filter(|p| *p != proc).collect();
    own.contains(&proc) && !reached(program, &others).contains(&proc)
}

/// What a procedure does that computes with its arguments alone, by its declaration.
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
