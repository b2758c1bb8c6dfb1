//! What pieces of code do with variables that outlive them, in the order of the text and through what they call.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::intrinsics::Class;
use costate_grammar::ir::{
    Arg, Callee, Designator, Expr, ExprKind, LoopControl, Module, ModuleKind, Origin, ProcId, Program, Role, ScopeId,
    Stmt, StmtKind, Subscript, SymId, for_each_stmt,
};
use costate_grammar::lower::{integer, size};

use super::{Bodies, bind, target};
use crate::dependence::independence::increments;
use crate::storage::is_global;

/// Iterations of a loop that are gone through one by one.
const FEW: i64 = 64;

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
    pub(super) before: bool,
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

impl<'b> KnownUses<'b> {
    /// By bodies in normal form.
    pub(super) fn by(bodies: &'b Bodies) -> KnownUses<'b> {
        KnownUses { bodies: Some(bodies), known: BTreeMap::new() }
    }

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
                let default = arms.iter().any(|a| a.ranges.is_empty());
                self.branches(&arms.iter().map(|a| a.body.as_slice()).collect::<Vec<_>>(), default);
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
        let number = |e: &Expr| integer(self.program, e);
        let range = match step.as_ref().map_or(Some(1), number) {
            Some(1) => number(lo).zip(number(hi)),
            Some(-1) => number(hi).zip(number(lo)),
            _ => None,
        };
        match range.filter(|(lo, hi)| lo <= hi && hi - lo < FEW && !jumps) {
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
    pub(super) fn begins_anew(self) -> bool {
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
            integer(program, e).map(Index::Number).or(counted.map(|d| Index::Of(d.sym)))
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
        program.var(sym).and_then(|v| size(program, &v.dims)).is_some_and(|n| n > 0 && numbers as i64 >= n)
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
