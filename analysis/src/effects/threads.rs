//! What pieces of code do with variables, in the order of the text, and by it which variables of modules and common blocks
//! each thread may have its own derivative of. Elements of an array aren't told apart: a directive that shares out iterations
//! vouches for it that none of them uses what another one has left in a variable of which each thread has its own.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::directives::{ClauseKind, Directive};
use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Arg, Callee, Designator, Dim, Expr, ExprKind, LoopControl, Module, ModuleKind, Origin, Parallel, ProcId, Program,
    Role, ScopeId, Stmt, StmtKind, Subscript, SymId, Variable, for_each_stmt,
};

use super::{Bodies, bind, target};
use crate::callgraph::{calls, functions, reached, reached_in};
use crate::dependence::independence::increments;
use crate::storage::{is_global, symbols};

/// Elements of an array of which each thread may have its own derivative.
const SMALL: i64 = 64;

/// What a piece of code does with a variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Use {
    /// Its value is used.
    pub read: bool,
    /// Something is added to it.
    pub added: bool,
    /// It gets another value.
    pub assigned: bool,
    /// The value from before may be used, even if loops have iterations, and a part that is assigned stands for all.
    pub exposed: bool,
    /// The value from before may be used.
    before: bool,
    /// Whatever way is taken, some of it is assigned, if loops have iterations.
    sure: bool,
    /// Whatever way is taken, all of it is assigned.
    whole: bool,
    /// A called procedure refers to it by its own name.
    pub by_call: bool,
}

/// The same of all variables that outlive the code, and of dummies.
pub type Uses = BTreeMap<SymId, Use>;

/// Procedures that were looked at.
#[derive(Debug, Default)]
pub struct KnownUses<'b> {
    /// Bodies in normal form; else those of the program.
    bodies: Option<&'b Bodies>,
    known: BTreeMap<ProcId, Uses>,
}

impl KnownUses<'_> {
    /// What statements do, one after the other.
    pub fn of(&mut self, program: &Program, block: &[Stmt]) -> Uses {
        let mut walk = Walk { known: self, program, uses: Uses::new(), filled: Filled::default(), left: false };
        walk.block(block);
        let Walk { mut uses, filled, .. } = walk;
        uses.iter_mut().for_each(|(sym, u)| u.whole = filled.holds(program, *sym, &Part::Whole));
        uses
    }

    /// What a procedure does; of one that calls itself, the first time.
    fn procedure(&mut self, program: &Program, proc: ProcId) -> Uses {
        if let Some(known) = self.known.get(&proc) {
            return known.clone();
        }
        self.known.insert(proc, Uses::new());
        let body = self.bodies.and_then(|b| b.get(&proc)).map_or(program[proc].body.as_slice(), |b| b.as_slice());
        let found = self.of(program, body);
        self.known.insert(proc, found.clone());
        found
    }
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Read,
    Added,
    Assigned,
}

struct Walk<'w, 'b> {
    known: &'w mut KnownUses<'b>,
    program: &'w Program,
    uses: Uses,
    filled: Filled,
    /// The procedure may have been left.
    left: bool,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        let role = match s.origin {
            Origin::Derived { role, .. } => Some(role),
            Origin::Source(_) => None,
        };
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => self.assignment(lhs, rhs, role == Some(Role::Save)),
            StmtKind::Call { callee, args } => match role {
                // What is kept is the value from before, which comes back.
                Some(Role::Save) => {}
                Some(Role::Restore) => args.iter().for_each(|a| self.note(&a.value, What::Assigned)),
                _ => self.call(callee, args),
            },
            StmtKind::If { arms, otherwise, .. } => {
                arms.iter().for_each(|a| self.read(&a.cond));
                let blocks: Vec<&[Stmt]> = arms.iter().map(|a| &a.body).chain(otherwise).map(Vec::as_slice).collect();
                self.branches(&blocks, otherwise.is_some());
            }
            StmtKind::Select { arms, .. } => {
                s.exprs().into_iter().for_each(|e| self.read(e));
                self.branches(&arms.iter().map(|a| a.body.as_slice()).collect::<Vec<_>>(), false);
            }
            StmtKind::Do { control, body, .. } => {
                s.exprs().into_iter().for_each(|e| self.read(e));
                self.repeated(control, body);
            }
            StmtKind::Directive { body, .. } => self.block(body.as_deref().unwrap_or_default()),
            StmtKind::Return | StmtKind::Goto(_) => self.left = true,
            StmtKind::Exit(_) | StmtKind::Cycle(_) | StmtKind::Continue | StmtKind::Comment(_) => {}
            StmtKind::Stop { .. } => s.exprs().into_iter().for_each(|e| self.read(e)),
            _ => {
                s.exprs().into_iter().for_each(|e| {
                    self.read(e);
                    self.changed(e);
                });
                let before = self.filled.clone();
                s.blocks().into_iter().for_each(|b| self.block(b));
                self.filled = before;
            }
        }
    }

    fn assignment(&mut self, lhs: &Expr, rhs: &Expr, save: bool) {
        let added = increments(lhs, rhs);
        match &added {
            Some(list) => list.iter().for_each(|e| self.read(e)),
            None if save => {}
            None => self.read(rhs),
        }
        lhs.children().into_iter().for_each(|e| self.read(e));
        self.note(lhs, if added.is_some() { What::Added } else { What::Assigned });
    }

    /// One of several blocks, or none unless they are `all` that there may be.
    fn branches(&mut self, blocks: &[&[Stmt]], all: bool) {
        let before = (self.uses.clone(), self.filled.clone());
        let mut ends = Vec::new();
        for b in blocks {
            (self.uses, self.filled) = before.clone();
            self.block(b);
            ends.push((std::mem::take(&mut self.uses), std::mem::take(&mut self.filled)));
        }
        if !all {
            ends.push(before);
        }
        let names: BTreeSet<SymId> = ends.iter().flat_map(|e| e.0.keys().copied()).collect();
        for sym in names {
            let of = |e: &Uses| e.get(&sym).copied().unwrap_or_default();
            let mut joined = ends.iter().map(|e| of(&e.0)).fold(Use::default(), Use::or);
            joined.sure = ends.iter().all(|e| of(&e.0).sure);
            self.uses.insert(sym, joined);
        }
        self.filled = ends.into_iter().map(|e| e.1).reduce(Filled::both).unwrap_or_default();
    }

    /// The iterations of a loop.
    fn repeated(&mut self, control: &LoopControl, body: &[Stmt]) {
        let mut jumps = false;
        for_each_stmt(body, &mut |s| jumps |= matches!(s.kind, StmtKind::Exit(_) | StmtKind::Cycle(_)));
        let before = self.filled.clone();
        let LoopControl::Count { var, lo, hi, step } = control else {
            self.block(body);
            self.filled = before;
            return;
        };
        self.note(&Expr::var(*var, lo.ty, 0), What::Assigned);
        self.filled.loops.push(*var);
        self.block(body);
        self.filled.loops.pop();
        let number = |e: &Expr| constant(self.program, e);
        let range = match step.as_ref().map_or(Some(1), number) {
            Some(1) => number(lo).zip(number(hi)),
            Some(-1) => number(hi).zip(number(lo)),
            _ => None,
        };
        match range.filter(|(lo, hi)| lo <= hi && hi - lo < SMALL && !jumps) {
            Some(range) => self.filled.over(*var, range),
            // There may be no iteration.
            None => self.filled = before,
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Arg]) {
        if let Callee::Intrinsic(f) = callee {
            if f.class() == Class::Inquiry {
                return args.iter().flat_map(|a| a.value.children()).for_each(|e| self.read(e));
            }
            args.iter().for_each(|a| self.read(&a.value));
            if !matches!(f.class(), Class::Elemental | Class::Transformational) {
                args.iter().for_each(|a| self.note(&a.value, What::Added));
            }
            return;
        }
        let known = target(self.program, callee).filter(|p| !self.program.is_declared_only(*p));
        let Some(proc) = known else {
            return args.iter().for_each(|a| {
                self.read(&a.value);
                self.changed(&a.value);
            });
        };
        let uses = self.known.procedure(self.program, proc);
        let bound = bind(self.program, &self.program[proc], args);
        for (dummy, actual) in self.program[proc].dummies.iter().zip(bound) {
            let Some(actual) = actual else { continue };
            match actual.as_var() {
                Some(d) => {
                    actual.children().into_iter().for_each(|e| self.read(e));
                    let done = uses.get(dummy).copied().unwrap_or_default();
                    let part = if d.parts.is_empty() { Part::Whole } else { Part::Unknown };
                    self.join(d.sym, &part, Use { by_call: false, ..done });
                }
                None => self.read(actual),
            }
        }
        for (sym, done) in uses.iter().filter(|(s, _)| is_global(self.program, **s)) {
            self.join(*sym, &Part::Whole, Use { by_call: true, ..*done });
        }
    }

    fn read(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::Var(_) => {
                e.children().into_iter().for_each(|x| self.read(x));
                self.note(e, What::Read);
            }
            _ => e.children().into_iter().for_each(|x| self.read(x)),
        }
    }

    /// Nobody knows what is done.
    fn changed(&mut self, e: &Expr) {
        if let Some(d) = e.as_var() {
            let all = Use { read: true, added: true, assigned: true, exposed: true, before: true, ..Use::default() };
            self.join(d.sym, &Part::Unknown, all);
        }
    }

    fn note(&mut self, e: &Expr, what: What) {
        let Some(d) = e.as_var() else { return };
        let part = self.filled.part(self.program, d);
        let exposed = what != What::Assigned;
        let done = Use {
            read: what == What::Read,
            added: what == What::Added,
            assigned: what == What::Assigned,
            exposed,
            before: exposed,
            sure: !exposed,
            whole: !exposed,
            by_call: false,
        };
        self.join(d.sym, &part, done);
    }

    /// Adds what is done with a part behind all else; what is whole in it is so for that part.
    fn join(&mut self, sym: SymId, part: &Part, done: Use) {
        let sym = in_module(self.program, sym);
        let Some(v) = self.program.var(sym).filter(|v| !v.attrs.parameter) else { return };
        if v.dummy.is_none() && !is_global(self.program, sym) {
            return;
        }
        let filled = self.filled.holds(self.program, sym, part);
        let own = self.uses.entry(sym).or_default();
        let exposed = own.exposed || done.exposed && !own.sure;
        let before = own.before || done.before && !filled;
        let sure = own.sure || done.sure && !self.left;
        *own = Use { exposed, before, sure, ..own.or(done) };
        if done.whole && !self.left {
            self.filled.add(sym, part.clone());
        }
    }
}

impl Use {
    fn or(self, other: Use) -> Use {
        Use {
            read: self.read || other.read,
            added: self.added || other.added,
            assigned: self.assigned || other.assigned,
            exposed: self.exposed || other.exposed,
            before: self.before || other.before,
            sure: self.sure || other.sure,
            whole: self.whole || other.whole,
            by_call: self.by_call || other.by_call,
        }
    }

    /// True where each run assigns the variable before it uses it, if its loops have iterations.
    fn begins_anew(self) -> bool {
        self.sure && !self.exposed
    }
}

/// An index: a number, or the variable of a loop around.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Index {
    Number(i64),
    Of(SymId),
}

/// A part of a variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Whole,
    Element(Vec<Index>),
    Unknown,
}

/// What has surely been assigned.
#[derive(Clone, Debug, Default)]
struct Filled {
    parts: BTreeSet<(SymId, Part)>,
    /// The variables of the loops around.
    loops: Vec<SymId>,
}

impl Filled {
    /// The part that a reference means.
    fn part(&self, program: &Program, d: &Designator) -> Part {
        let [costate_grammar::ir::Part::Subscripts(list)] = d.parts.as_slice() else {
            return if d.parts.is_empty() { Part::Whole } else { Part::Unknown };
        };
        if list.iter().all(|s| matches!(s, Subscript::Range { lo: None, hi: None, step: None })) {
            return Part::Whole;
        }
        let index = |s: &Subscript| {
            let Subscript::Index(e) = s else { return None };
            let counted = e.as_var().filter(|d| d.parts.is_empty() && self.loops.contains(&d.sym));
            constant(program, e).map(Index::Number).or(counted.map(|d| Index::Of(d.sym)))
        };
        list.iter().map(index).collect::<Option<_>>().map_or(Part::Unknown, Part::Element)
    }

    /// True when all of a part has been assigned.
    fn holds(&self, program: &Program, sym: SymId, part: &Part) -> bool {
        let known = |part: &Part| self.parts.contains(&(sym, part.clone()));
        if known(&Part::Whole) || matches!(part, Part::Element(_)) && known(part) {
            return true;
        }
        let number = |p: &Part| matches!(p, Part::Element(list) if list.iter().all(|i| matches!(i, Index::Number(_))));
        let numbers = self.parts.iter().filter(|(s, p)| *s == sym && number(p)).count();
        program.var(sym).and_then(|v| size(program, v)).is_some_and(|n| n > 0 && numbers as i64 >= n)
    }

    fn add(&mut self, sym: SymId, part: Part) {
        if part != Part::Unknown {
            self.parts.insert((sym, part));
        }
    }

    /// What is filled on both ways.
    fn both(self, other: Filled) -> Filled {
        let parts = self.parts.into_iter().filter(|p| other.parts.contains(p)).collect();
        Filled { parts, loops: self.loops }
    }

    /// Behind a loop over a range: what an iteration has filled by the loop's variable is filled for all of its values.
    fn over(&mut self, var: SymId, (lo, hi): (i64, i64)) {
        for (sym, part) in std::mem::take(&mut self.parts) {
            match part {
                Part::Element(list) if list.contains(&Index::Of(var)) => {
                    for k in lo..=hi {
                        let number = |i: &Index| if *i == Index::Of(var) { Index::Number(k) } else { i.clone() };
                        self.parts.insert((sym, Part::Element(list.iter().map(number).collect())));
                    }
                }
                other => _ = self.parts.insert((sym, other)),
            }
        }
    }
}

/// The value of a number, or of a named constant that is one.
fn constant(program: &Program, e: &Expr) -> Option<i64> {
    let named = || {
        let d = e.as_var().filter(|d| d.parts.is_empty())?;
        program.var(d.sym).filter(|v| v.attrs.parameter)?.init.as_ref()?.as_int()
    };
    e.as_int().or_else(named)
}

/// The number of elements that a declaration tells.
fn size(program: &Program, v: &Variable) -> Option<i64> {
    let extent = |d: &Dim| {
        let Dim::Explicit(lo, hi) = d else { return None };
        Some(constant(program, hi)? - lo.as_ref().map_or(Some(1), |lo| constant(program, lo))? + 1)
    };
    v.dims.iter().try_fold(1, |n, d| Some(n * extent(d)?))
}

/// Variables of which each thread may have its own derivative, as all loops that threads share out use them alike.
#[derive(Clone, Debug, Default)]
pub struct ThreadVariables {
    /// Each thread has its own, each iteration that uses it assigns it first, and nobody uses it between loops: its
    /// derivative is zero between iterations.
    pub work: BTreeSet<SymId>,
    /// Numbers that called procedures use in iterations, and nobody changes there: each thread may add up its own
    /// derivative of them.
    pub inputs: BTreeSet<SymId>,
}

/// Finds them in what is reached from some procedures, by bodies in normal form. What is `asked` for has a use outside.
pub fn thread_variables(
    program: &Program,
    bodies: &Bodies,
    heads: &[ProcId],
    asked: &BTreeSet<SymId>,
) -> ThreadVariables {
    let mut loops = Vec::new();
    let reached: BTreeSet<ProcId> = heads.iter().flat_map(|p| reached_in(program, *p, bodies)).collect();
    for body in reached.iter().filter_map(|p| bodies.get(p)) {
        shared_loops(body, &mut loops);
    }
    if !loops.iter().any(|(_, p)| p.among_threads()) {
        return ThreadVariables::default();
    }
    let mut known = KnownUses { bodies: Some(bodies), ..KnownUses::default() };
    let inside: Vec<(Uses, Parallel)> = loops.into_iter().map(|(body, p)| (known.of(program, body), p)).collect();
    let outside = outside(program, bodies, heads);
    let anywhere = anywhere(program, bodies);
    let all: BTreeSet<SymId> = inside.iter().flat_map(|(u, _)| u.keys().copied()).collect();
    let of = |sym: &SymId| inside.iter().filter_map(|(u, p)| Some((*u.get(sym)?, p))).collect::<Vec<_>>();
    let mut out = ThreadVariables::default();
    for sym in all.iter().copied() {
        let Some(v) = program.var(sym).filter(|v| is_global(program, sym) && is_plain(program, sym, v)) else {
            continue;
        };
        let uses = of(&sym);
        if !uses.iter().all(|(_, p)| p.among_threads() && !p.directives.is_empty()) {
            continue;
        }
        let own = program.is_of_each_thread(sym);
        // Where nobody sets it outside, it has no value at first.
        let unset = || v.init.is_none() && !v.data && !anywhere.contains(&sym);
        let copied = || uses.iter().any(|(_, p)| is_copied_in(program, p, sym));
        let anew = || uses.iter().all(|(u, _)| !u.before);
        // One thread may hand values on, and a scalar needs no loop to be assigned.
        let alone = || uses.iter().any(|(_, p)| p.directives.iter().any(|d| is_for_one_thread(&d.directive)));
        let as_vouched =
            || v.rank() > 0 && uses.iter().all(|(u, _)| u.begins_anew()) && unset() && !copied() && !alone();
        if own && !outside.contains(&sym) && !asked.contains(&sym) && (anew() || as_vouched()) {
            out.work.insert(sym);
        } else if (uses.iter().any(|(u, _)| u.by_call) || v.common.is_some())
            && uses.iter().all(|(u, p)| !u.added && !u.assigned && (!own || is_copied_in(program, p, sym)))
            && size(program, v).is_some_and(|n| n <= SMALL)
        {
            out.inputs.insert(sym);
        }
    }
    out.without_parts_of_blocks(program, &all);
    out
}

impl ThreadVariables {
    /// Of a common block threads have all derivatives or none; `used` is what loops use at all.
    fn without_parts_of_blocks(&mut self, program: &Program, used: &BTreeSet<SymId>) {
        let found = |s: &SymId| self.work.contains(s) || self.inputs.contains(s);
        let parts = used.iter().filter(|s| !found(s)).filter_map(|s| program.var(*s));
        let blocks: BTreeSet<_> = parts.filter(|v| v.ty.is_continuous()).filter_map(|v| v.common.clone()).collect();
        let whole = |s: &SymId| program.var(*s).is_some_and(|v| v.common.as_ref().is_none_or(|b| !blocks.contains(b)));
        self.work.retain(whole);
        self.inputs.retain(whole);
    }
}

/// True for a variable with memory of its own and a size that is known, of which each thread may have a copy. What devices
/// have too isn't one.
fn is_plain(program: &Program, sym: SymId, v: &Variable) -> bool {
    let own = program.is_of_each_thread(sym);
    let a = &v.attrs;
    let named = !(a.pointer || a.target || a.allocatable || a.parameter || a.changes_unseen() || v.equivalenced);
    let fixed = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..)));
    v.ty.is_continuous() && named && fixed && (own || !v.directive && v.common.is_none())
}

/// The loops that are followed and shared out, but for those in others.
fn shared_loops<'s>(block: &'s [Stmt], out: &mut Vec<(&'s [Stmt], Parallel)>) {
    for s in block {
        match (s.followed(), &s.kind) {
            (Some(p), StmtKind::Do { body, .. }) => out.push((body, *p)),
            _ => s.blocks().into_iter().for_each(|b| shared_loops(b, out)),
        }
    }
}

/// What is used outside of such loops, by procedures that are called outside, too.
fn outside(program: &Program, bodies: &Bodies, heads: &[ProcId]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_outside(program, bodies, heads.to_vec(), &mut |s| match &s.kind {
        StmtKind::Assign { lhs, rhs } => out.extend(lhs.children().into_iter().chain([rhs]).flat_map(symbols)),
        _ => out.extend(s.exprs().into_iter().flat_map(symbols)),
    });
    out
}

/// What is mentioned outside of such loops in the whole program.
fn anywhere(program: &Program, bodies: &Bodies) -> BTreeSet<SymId> {
    let mut inside = BTreeSet::new();
    let mut all: Vec<ProcId> = program.procedures().map(|(p, _)| p).collect();
    for p in &all {
        let mut loops = Vec::new();
        shared_loops(body_of(program, bodies, *p), &mut loops);
        let called = loops.iter().flat_map(|(body, _)| calls(program, body));
        inside.extend(called.flat_map(|q| reached(program, &[q])));
    }
    all.retain(|p| !inside.contains(p));
    let mut out = BTreeSet::new();
    for_each_outside(program, bodies, all, &mut |s| out.extend(s.exprs().into_iter().flat_map(symbols)));
    out
}

fn body_of<'b>(program: &'b Program, bodies: &'b Bodies, p: ProcId) -> &'b [Stmt] {
    bodies.get(&p).map_or(program[p].body.as_slice(), |b| b.as_slice())
}

/// Shows the statements outside of loops that are shared out, in some procedures and in those that are called there.
fn for_each_outside<'b>(program: &'b Program, bodies: &'b Bodies, mut procs: Vec<ProcId>, f: &mut dyn FnMut(&'b Stmt)) {
    let mut next = 0;
    while let Some(&p) = procs.get(next) {
        next += 1;
        outside_loops(body_of(program, bodies, p), &mut |s| {
            f(s);
            let mut called = functions(program, s);
            if let StmtKind::Call { callee, .. } = &s.kind {
                called.extend(target(program, callee));
            }
            called.retain(|c| !procs.contains(c));
            procs.extend(called.into_iter().collect::<BTreeSet<_>>());
        });
    }
}

/// True where a number of threads is asked for, which may be one, or a condition for having more.
fn is_for_one_thread(d: &Directive) -> bool {
    d.clauses.iter().any(|c| matches!(c.kind, ClauseKind::NumThreads(_) | ClauseKind::If(_)))
}

/// Shows the statements outside of loops that are shared out, and the headers of these.
fn outside_loops<'s>(block: &'s [Stmt], f: &mut dyn FnMut(&'s Stmt)) {
    for s in block {
        f(s);
        if s.followed().is_none() {
            s.blocks().into_iter().for_each(|b| outside_loops(b, f));
        }
    }
}

/// The variable of a block's module for what a procedure declares itself as part of the common block.
pub fn in_module(program: &Program, sym: SymId) -> SymId {
    let Some(block) = program.var(sym).and_then(|v| v.common.as_ref()).filter(|_| !is_global(program, sym)) else {
        return sym;
    };
    let of = |scope: ScopeId| program[scope].commons.get(block);
    let found = || {
        let place = of(program[sym].scope)?.iter().position(|s| *s == sym)?;
        let same = |m: &Module| matches!(&m.kind, ModuleKind::Common { block: b } if b == block);
        let (_, home) = program.modules().find(|(_, m)| same(m))?;
        of(home.scope)?.get(place).copied()
    };
    found().unwrap_or(sym)
}

/// True for a variable of which each thread gets the first one's value where a loop begins.
pub fn is_copied_in(program: &Program, p: &Parallel, sym: SymId) -> bool {
    let block = program.var(sym).and_then(|v| v.common.clone());
    p.directives.iter().filter(|d| d.directive.omp().is_some()).any(|d| {
        d.directive.clauses.iter().any(|c| {
            let ClauseKind::CopyIn(list) = &c.kind else { return false };
            list.iter().any(|item| match item.trim().strip_prefix('/').and_then(|x| x.strip_suffix('/')) {
                Some(name) => block.as_ref().is_some_and(|b| b.as_str().eq_ignore_ascii_case(name.trim())),
                None => d.governing().named(program, item) == Some(sym),
            })
        })
    })
}
