//! Effects: what a statement and a whole procedure read, write, surely replace, and how outputs depend on inputs.
//!
//! Everything works on normal form. Summaries speak of a procedure's dummies, its function result and of variables that
//! outlive a call; a call site maps them to its actual arguments.

mod call_map;
mod clocks;
mod extent;
mod finals;
mod flow;
mod sharing;
mod unknown;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    AllocItem, Arg, Base, Block, Callee, Designator, Dim, Expr, ExprKind, Intent, LoopControl, Part, ProcId, ProcKind,
    Procedure, Program, Stmt, StmtId, StmtKind, SymId,
};
use indexmap::IndexMap;

pub use self::call_map::CallMap;
pub use self::finals::finalisers;
use self::flow::Flow;
pub use self::sharing::{Piece, Sharing};
pub use self::unknown::inner_calls;
use crate::operands::differentiable_operands;
use crate::storage::{Loc, LocId, LocSet, Locs, Root, is_global, is_whole, resolve};

/// What one statement (for a construct: its header) does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Locations whose value may be used.
    pub reads: LocSet,
    /// Locations that may be assigned.
    pub writes: LocSet,
    /// Those of them that are replaced as a whole for sure.
    pub kills: LocSet,
    /// Locations that may be allocated, freed, or given another shape.
    pub shapes: LocSet,
    /// Allocatable variables of derived types that may themselves be allocated or freed, by their own paths.
    pub holders: LocSet,
    /// Input, output, stop: something the user can see.
    pub side_effect: bool,
    /// Can't be run twice with the same result (`read`, `random_number`).
    pub irreproducible: bool,
    /// Locations that may be assigned a value of a clock, or one that depends on such a value.
    pub unsteady: LocSet,
}

/// What a call of a procedure does, seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Accesses by dummies, result and outliving variables. `reads` are those that may see the value at entry.
    pub access: Access,
    /// For each output the inputs (values at entry) it depends on in a differentiable way. An output that is missing
    /// keeps its value.
    pub depends: BTreeMap<LocId, LocSet>,
}

/// Normal forms and summaries of all procedures that matter.
#[derive(Debug, Default)]
pub struct Effects {
    /// The interner.
    pub locs: Locs,
    /// Normal-form bodies.
    pub bodies: IndexMap<ProcId, Block>,
    /// Procedures whose body has no normal form: nothing is sure about their order of execution.
    pub unstructured: BTreeSet<ProcId>,
    /// Summaries.
    pub summaries: BTreeMap<ProcId, Summary>,
    /// What a procedure without source may read and write beside its arguments.
    pub reach: LocSet,
    /// The variables behind it.
    reached: BTreeSet<SymId>,
    /// Calls that the user declares to have nothing to do with the derivative.
    pub inactive: BTreeSet<StmtId>,
    /// Associations of pointers from before the heads are called that they may use.
    pub exposed: BTreeSet<Loc>,
}

/// The procedure a callee stands for, when its source is known.
pub fn target(program: &Program, callee: &Callee) -> Option<ProcId> {
    match callee {
        Callee::Proc { sym, .. } => program[*sym].procedure().and_then(|p| p.definition),
        // Normal form turns those that are known for certain into ordinary calls.
        Callee::Bound { .. } | Callee::Intrinsic(_) => None,
    }
}

/// Actual arguments by dummy position; `None` for an absent optional.
pub fn bind<'a>(program: &Program, callee: &Procedure, args: &'a [Arg]) -> Vec<Option<&'a Expr>> {
    let mut out = vec![None; callee.dummies.len()];
    for (i, arg) in args.iter().enumerate() {
        let at = match &arg.keyword {
            Some(k) => callee.dummies.iter().position(|d| &program[*d].name == k),
            None => Some(i),
        };
        if let Some(slot) = at.and_then(|i| out.get_mut(i)) {
            *slot = Some(&arg.value);
        }
    }
    out
}

/// All calls of known procedures in a block, in order.
pub fn calls(program: &Program, block: &[Stmt]) -> Vec<ProcId> {
    let mut out = Vec::new();
    costate_grammar::ir::for_each_stmt(block, &mut |s| {
        if let StmtKind::Call { callee, .. } = &s.kind {
            out.extend(target(program, callee));
        }
        for e in s.exprs() {
            costate_grammar::ir::for_each_expr(e, &mut |x| {
                if let ExprKind::Call { callee, .. } = &x.kind {
                    out.extend(target(program, callee));
                }
            });
        }
    });
    out
}

/// The procedures that some call, directly or not, and these themselves.
pub fn reached(program: &Program, from: &[ProcId]) -> Vec<ProcId> {
    let mut out: Vec<ProcId> = from.to_vec();
    let mut next = 0;
    while let Some(&proc) = out.get(next) {
        next += 1;
        for callee in calls(program, &program[proc].body) {
            if !out.contains(&callee) {
                out.push(callee);
            }
        }
    }
    out
}

impl Effects {
    /// Collects the locations whose value an expression uses.
    pub fn reads(&mut self, program: &Program, e: &Expr, out: &mut LocSet) {
        match &e.kind {
            ExprKind::Var(d) => {
                out.extend(self.locs.of(program, d));
                self.subscript_reads(program, d, out);
            }
            ExprKind::Call { callee: Callee::Intrinsic(f), args } if f.class() == Class::Inquiry => {
                // An inquiry uses no value of its first argument, only of what stands inside it.
                for a in args {
                    match &a.value.kind {
                        // A text that is allocated by its assignments has its length from its value.
                        ExprKind::Var(d) if is_changing_text(program, d) => {
                            out.extend(self.locs.of(program, d));
                            self.subscript_reads(program, d, out);
                        }
                        ExprKind::Var(d) => self.subscript_reads(program, d, out),
                        _ => self.reads(program, &a.value, out),
                    }
                }
            }
            ExprKind::Call { callee, args } => {
                if let Some(proc) = target(program, callee) {
                    let access = self.call_access(program, proc, args, None);
                    out.extend(access.reads);
                } else {
                    if !matches!(callee, Callee::Intrinsic(_)) {
                        out.extend(self.reach.iter().copied());
                    }
                    for child in e.children() {
                        self.reads(program, child, out);
                    }
                }
            }
            _ => {
                for child in e.children() {
                    self.reads(program, child, out);
                }
            }
        }
    }

    /// Collects what the subscripts of a designator use, and the associations of the pointers in it.
    pub fn subscript_reads(&mut self, program: &Program, d: &Designator, out: &mut LocSet) {
        out.extend(self.locs.pointers(program, d));
        self.only_subscripts(program, d, out);
    }

    /// Collects what the subscripts of a designator use, and nothing else.
    pub fn only_subscripts(&mut self, program: &Program, d: &Designator, out: &mut LocSet) {
        for part in &d.parts {
            let exprs: Vec<&Expr> = match part {
                Part::Component(_) => Vec::new(),
                Part::Subscripts(list) => list.iter().flat_map(subscript_exprs).collect(),
                Part::Substring(a, b) => a.iter().chain(b).map(|b| &**b).collect(),
            };
            for e in exprs {
                self.reads(program, e, out);
            }
        }
    }

    fn write(&mut self, program: &Program, target: &Expr, access: &mut Access) {
        if let ExprKind::Var(d) = &target.kind {
            let leaves = self.locs.of(program, d);
            if self.replaces(program, d) {
                access.kills.extend(leaves.iter().copied());
            }
            access.writes.extend(leaves);
            self.subscript_reads(program, d, &mut access.reads);
        }
    }

    /// True when an assignment to a designator replaces the whole of every leaf it touches, for sure.
    pub fn replaces(&self, program: &Program, d: &Designator) -> bool {
        is_whole(program, d) && self.locs.is_certain(program, d.sym, &d.path())
    }

    /// True for a pointer.
    pub fn is_pointer(&self, program: &Program, d: &Designator) -> bool {
        resolve(program, d.sym, &d.path()).is_some_and(|v| v.attrs.pointer)
    }

    /// What associates a pointer anew changes, whose bounds may be given.
    fn associate(&mut self, program: &Program, pointer: &Expr, access: &mut Access) {
        let Some(d) = pointer.as_var() else { return };
        let cells = self.locs.association(program, d.sym, &d.path());
        let mut bare = d.clone();
        if let Some(Part::Subscripts(_)) = bare.parts.last() {
            bare.parts.pop();
        }
        if is_whole(program, &bare) && self.locs.is_certain_pointer(program, d.sym, &d.path()) {
            access.kills.extend(cells.iter().copied());
        }
        access.writes.extend(cells);
        access.reads.extend(self.locs.leading(program, d));
        self.only_subscripts(program, d, &mut access.reads);
    }

    /// What the target of a pointer assignment uses: no value of it.
    fn pointed_at(&mut self, program: &Program, lhs: &Expr, rhs: &Expr, access: &mut Access) {
        match &rhs.unparen().kind {
            ExprKind::Var(d) => self.subscript_reads(program, d, &mut access.reads),
            ExprKind::Call { callee, args } if target(program, callee).is_some() => {
                if let Some(proc) = target(program, callee) {
                    *access = self.call_access(program, proc, args, Some(lhs));
                }
            }
            _ => self.reads(program, rhs, &mut access.reads),
        }
    }

    /// What a statement does by itself; for a construct what its header does.
    pub fn access(&mut self, program: &Program, stmt: &Stmt) -> Access {
        let mut a = self.own_access(program, stmt);
        if !self.inactive.contains(&stmt.id) {
            self.inner_access(program, stmt, &mut a);
        }
        a
    }

    fn own_access(&mut self, program: &Program, stmt: &Stmt) -> Access {
        let mut a = Access::default();
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs } => {
                if let ExprKind::Call { callee, args } = &rhs.kind
                    && let Some(proc) = target(program, callee)
                {
                    a = self.call_access(program, proc, args, Some(lhs));
                    if matches!(program[proc].kind, ProcKind::Function(r) if program.var(r).is_some_and(|v| v.attrs.allocatable))
                    {
                        self.reshape(program, lhs, &mut a);
                    }
                } else {
                    self.reads(program, rhs, &mut a.reads);
                    self.unknown_function(program, stmt, lhs, rhs, &mut a);
                }
                self.write(program, lhs, &mut a);
            }
            StmtKind::PointerAssign { lhs, rhs } => {
                self.pointed_at(program, lhs, rhs, &mut a);
                self.associate(program, lhs, &mut a);
            }
            StmtKind::Call { callee, args } => return self.call(program, stmt, callee, args),
            StmtKind::Do { control, .. } => self.control(program, control, &mut a),
            StmtKind::Allocate { items, options, .. } => {
                for item in items {
                    self.allocate(program, item, &mut a);
                }
                for (name, e) in options {
                    if matches!(name.as_str(), "stat" | "errmsg") {
                        self.write(program, e, &mut a);
                    } else if name.as_str() != "mold" {
                        self.reads(program, e, &mut a.reads);
                    }
                }
            }
            StmtKind::Deallocate { items, options } => {
                for (_, e) in options {
                    self.write(program, e, &mut a);
                }
                for e in items {
                    if e.as_var().is_some_and(|d| self.is_pointer(program, d)) {
                        self.release(program, e, &mut a);
                        continue;
                    }
                    self.write(program, e, &mut a);
                    self.note_shape(program, e, &mut a);
                }
            }
            StmtKind::Nullify(items) => {
                for e in items {
                    self.associate(program, e, &mut a);
                }
            }
            StmtKind::Io { items, kind, .. } => {
                for e in &items.uses {
                    self.reads(program, e, &mut a.reads);
                }
                for e in &items.defines {
                    self.write(program, e, &mut a);
                }
                a.side_effect = true;
                if matches!(kind, costate_grammar::ir::DataKind::Read) {
                    a.irreproducible = !items.internal;
                    // What a namelist doesn't name, or a record gives no value for, stays as it is.
                    a.kills.clear();
                }
            }
            StmtKind::Stop { code, .. } => {
                a.side_effect = true;
                if let Some(e) = code {
                    self.reads(program, e, &mut a.reads);
                }
            }
            _ => {
                for e in stmt.exprs() {
                    self.reads(program, e, &mut a.reads);
                }
            }
        }
        a
    }

    fn control(&mut self, program: &Program, control: &LoopControl, a: &mut Access) {
        match control {
            LoopControl::Count { var, lo, hi, step } => {
                for e in [lo, hi].into_iter().chain(step) {
                    self.reads(program, e, &mut a.reads);
                }
                let leaves = self.locs.leaves(program, *var, &[]);
                // Others may share its memory.
                a.kills.extend(leaves.first().copied());
                a.writes.extend(leaves);
            }
            LoopControl::While(cond) => self.reads(program, cond, &mut a.reads),
            LoopControl::Forever => {}
            LoopControl::Concurrent { indices, mask, .. } => {
                for (_, lo, hi, step) in indices {
                    for e in [lo, hi].into_iter().chain(step) {
                        self.reads(program, e, &mut a.reads);
                    }
                }
                if let Some(m) = mask {
                    self.reads(program, m, &mut a.reads);
                }
            }
        }
    }

    fn allocate(&mut self, program: &Program, item: &AllocItem, a: &mut Access) {
        for (lo, hi) in &item.shape {
            for e in lo.iter().chain([hi]) {
                self.reads(program, e, &mut a.reads);
            }
        }
        if item.object.as_var().is_some_and(|d| self.is_pointer(program, d)) {
            self.associate(program, &item.object, a);
            return;
        }
        self.write(program, &item.object, a);
        self.note_shape(program, &item.object, a);
    }

    /// `deallocate(p)` for a pointer: its association is lost.
    fn release(&mut self, program: &Program, object: &Expr, a: &mut Access) {
        let Some(d) = object.as_var() else { return };
        a.reads.extend(self.locs.association(program, d.sym, &d.path()));
        self.associate(program, object, a);
    }

    /// What `allocate` and `deallocate` do to an object.
    fn note_shape(&mut self, program: &Program, object: &Expr, a: &mut Access) {
        if let ExprKind::Var(d) = &object.kind {
            a.shapes.extend(self.locs.of(program, d));
            if object.is_derived() {
                a.holders.insert(self.locs.id(Loc::named(d.sym, d.path())));
            }
        }
    }

    /// A function's allocatable result may give the variable another shape. Normal form sees to the shape for others.
    fn reshape(&mut self, program: &Program, lhs: &Expr, a: &mut Access) {
        if let ExprKind::Var(d) = &lhs.kind
            && self.replaces(program, d)
            && resolve(program, d.sym, &d.path()).is_some_and(|v| v.attrs.allocatable)
        {
            self.note_shape(program, lhs, a);
        }
    }

    /// What a call does.
    fn call(&mut self, program: &Program, stmt: &Stmt, callee: &Callee, args: &[Arg]) -> Access {
        if let Some(proc) = target(program, callee) {
            return self.call_access(program, proc, args, None);
        }
        if let Callee::Intrinsic(f) = callee
            && let Some(only) = clocks::asked(*f)
        {
            return self.clock(program, only, args);
        }
        let mut a = Access { side_effect: true, ..Access::default() };
        if !matches!(callee, Callee::Intrinsic(_)) && !self.inactive.contains(&stmt.id) {
            self.unknown_call(program, (callee, args), &mut a);
            return a;
        }
        for arg in args {
            self.reads(program, &arg.value, &mut a.reads);
            if !arg.value.as_var().is_some_and(|d| is_constant(program, d)) {
                self.write(program, &arg.value, &mut a);
            }
            if let Some(d) = arg.value.as_var() {
                a.writes.extend(self.locs.association(program, d.sym, &d.path()));
            }
        }
        match callee {
            Callee::Intrinsic(Intrinsic::MoveAlloc) => {
                a.side_effect = false;
                args.iter().for_each(|x| self.note_shape(program, &x.value, &mut a));
            }
            Callee::Intrinsic(Intrinsic::RandomNumber | Intrinsic::RandomSeed | Intrinsic::RandomInit) => {
                a.irreproducible = true;
            }
            _ => a.kills.clear(),
        }
        a
    }

    /// What a call of a known procedure does, in the caller's terms. `result` is what takes a function's value.
    pub fn call_access(&mut self, program: &Program, proc: ProcId, args: &[Arg], result: Option<&Expr>) -> Access {
        let summary = self.summaries.get(&proc).cloned().unwrap_or_default();
        let mut out = Access {
            side_effect: summary.access.side_effect,
            irreproducible: summary.access.irreproducible,
            ..Access::default()
        };
        let map = CallMap::new(program, proc, args, result);
        for l in &summary.access.reads {
            out.reads.extend(map.locs(self, program, *l));
        }
        for l in &summary.access.writes {
            let to = map.locs(self, program, *l);
            if summary.access.kills.contains(l) && map.replaces(self, program, *l) {
                out.kills.extend(to.iter().copied());
            }
            if summary.access.shapes.contains(l) {
                out.shapes.extend(to.iter().copied());
            }
            if summary.access.unsteady.contains(l) {
                out.unsteady.extend(to.iter().copied());
            }
            out.writes.extend(to);
        }
        out.holders.extend(summary.access.holders.iter().filter_map(|l| map.place(self, program, *l)));
        for arg in args {
            match &arg.value.kind {
                ExprKind::Var(d) => self.subscript_reads(program, d, &mut out.reads),
                _ => self.reads(program, &arg.value, &mut out.reads),
            }
        }
        out
    }

    /// How the outputs of a call depend on its inputs, in the caller's terms: pairs of output and inputs; the flag tells
    /// that the output is replaced as a whole.
    pub fn call_depends(
        &mut self,
        program: &Program,
        proc: ProcId,
        args: &[Arg],
        result: Option<&Expr>,
    ) -> Vec<(LocId, LocSet, bool)> {
        let summary = self.summaries.get(&proc).cloned().unwrap_or_default();
        let map = CallMap::new(program, proc, args, result);
        let mut out = Vec::new();
        for (l, inputs) in &summary.depends {
            let mut from = LocSet::new();
            for i in inputs {
                from.extend(map.locs(self, program, *i));
            }
            let whole = summary.access.kills.contains(l) && map.replaces(self, program, *l);
            for to in map.locs(self, program, *l) {
                out.push((to, from.clone(), whole));
            }
        }
        out
    }

    /// True for what callers of a procedure can see of a location: all memory of pointers that nothing names.
    pub fn outer(&self, program: &Program, proc: ProcId, l: LocId) -> bool {
        let loc = self.locs.get(l);
        loc.root != Root::Variable || outlives(program, proc, loc.sym)
    }

    /// Finds what pointers point to, and then summarises all bodies. What is associated before a head is called matters
    /// where the head may use it.
    pub fn associate_and_summarise(&mut self, program: &Program, heads: &[ProcId]) {
        let mut exposed: BTreeSet<Loc> = BTreeSet::new();
        let unknown = self.calls_unknown(program);
        loop {
            let before = exposed.len();
            self.locs.find_targets(program, &self.bodies, heads, &exposed);
            self.settle_reach(program);
            if unknown {
                // Procedures without source may associate what they reach.
                let reached = self.reach.iter().map(|l| self.locs.get(*l));
                exposed.extend(reached.filter(|l| l.association && l.root == Root::Variable).cloned());
            }
            self.summaries.clear();
            self.summarise(program);
            for h in heads {
                let reads = self.summaries.get(h).map(|s| s.access.reads.clone()).unwrap_or_default();
                let cells =
                    reads.iter().map(|l| self.locs.get(*l)).filter(|l| l.association && l.root == Root::Variable);
                exposed.extend(cells.cloned());
            }
            if exposed.len() == before {
                self.exposed = exposed;
                return;
            }
        }
    }

    /// Summaries of all bodies, to the fixed point that recursion needs.
    pub fn summarise(&mut self, program: &Program) {
        let procs: Vec<ProcId> = self.bodies.keys().copied().collect();
        loop {
            let mut changed = false;
            // Callees come after callers in discovery order, so the reverse settles most calls in one round.
            for &p in procs.iter().rev() {
                let new = self.summary_of(program, p);
                if self.summaries.get(&p) != Some(&new) {
                    self.summaries.insert(p, new);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn summary_of(&mut self, program: &Program, proc: ProcId) -> Summary {
        let body = self.bodies.get(&proc).cloned().unwrap_or_default();
        let changing = self.changed(program, &body);
        let mut flow = Flow { changing: Some(Rc::new(changing)), ..Flow::default() };
        self.declaration_reads(program, proc, &mut flow.access.reads);
        self.flow(program, &body, &mut flow);
        self.finalise(program, proc, &mut flow);
        let state = self.state(program, proc, &flow.access);
        if !flow.access.unsteady.is_empty() || !state.is_empty() {
            flow.access.unsteady = self.unsteady_with(program, &body, state);
        }
        if self.unstructured.contains(&proc) {
            self.loosen(program, &body, &mut flow);
        }
        let outer = |s: &Effects, l: LocId| s.outer(program, proc, l);
        let mut access = flow.access;
        access.kills = flow.killed;
        let Access { reads, writes, kills, shapes, holders, unsteady, .. } = &mut access;
        for set in [reads, writes, kills, shapes, holders, unsteady] {
            set.retain(|l| outer(self, *l));
        }
        // What is assigned to a `value` dummy stays within the procedure.
        let own_value = |s: &Effects, l: LocId| program.var(s.locs.get(l).sym).is_some_and(|v| v.attrs.value);
        for set in [writes, kills, shapes, holders, unsteady] {
            set.retain(|l| !own_value(self, *l));
        }
        let mut depends = BTreeMap::new();
        for (l, mut inputs) in flow.depends {
            if outer(self, l) && !own_value(self, l) {
                inputs.retain(|i| outer(self, *i));
                depends.insert(l, inputs);
            }
        }
        Summary { access, depends }
    }

    /// The local variables of a procedure that tell it in one call what it did in an earlier one: nothing outside can reach
    /// them, so a further call goes on from the last.
    fn state(&self, program: &Program, proc: ProcId, access: &Access) -> LocSet {
        let p = &program[proc];
        let own = |s: SymId| {
            let scope = program[s].scope;
            let kept = program.var(s).is_some_and(|v| v.attrs.save && !v.attrs.parameter && v.common.is_none());
            kept && (scope == p.scope || within(program, scope, p.scope))
        };
        let both = access.reads.intersection(&access.writes).copied();
        if p.kind == ProcKind::Program { LocSet::new() } else { both.filter(|l| own(self.locs.get(*l).sym)).collect() }
    }

    /// The variables that a block may change.
    fn changed(&mut self, program: &Program, block: &[Stmt]) -> BTreeSet<SymId> {
        let mut out = BTreeSet::new();
        costate_grammar::ir::for_each_stmt(block, &mut |s| {
            let writes = self.access(program, s).writes;
            out.extend(writes.iter().map(|l| self.locs.get(*l).sym));
        });
        out
    }

    /// Bounds of arrays are evaluated when the procedure is entered.
    pub fn declaration_reads(&mut self, program: &Program, proc: ProcId, out: &mut LocSet) {
        for sym in program[program[proc].scope].names.values() {
            let Some(v) = program.var(*sym) else { continue };
            for d in &v.dims {
                match d {
                    Dim::Explicit(lo, hi) => lo.iter().chain([hi]).for_each(|e| self.reads(program, e, out)),
                    Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| self.reads(program, e, out)),
                    Dim::Deferred | Dim::AssumedRank => {}
                }
            }
        }
    }

    /// Without an order of execution every read may see the value at entry, nothing is replaced for sure, and every output
    /// may depend on every input.
    fn loosen(&mut self, program: &Program, body: &[Stmt], flow: &mut Flow) {
        flow.killed.clear();
        let mut reads = LocSet::new();
        let mut accesses = Vec::new();
        costate_grammar::ir::for_each_stmt(body, &mut |s| accesses.push(s.clone()));
        for s in &accesses {
            reads.extend(self.access(program, s).reads);
        }
        flow.access.reads.extend(reads);
        let inputs: LocSet = flow.access.reads.union(&flow.access.writes).copied().collect();
        for l in flow.access.writes.clone() {
            flow.depends.insert(l, inputs.clone());
        }
    }

    /// What a block does; its reads are those that may see a value from before it.
    pub fn block_access(&mut self, program: &Program, block: &[Stmt]) -> Access {
        let mut flow = Flow::default();
        self.flow(program, block, &mut flow);
        Access { kills: flow.killed, ..flow.access }
    }

    /// Pairs (output, inputs, replaced as a whole) of a leaf statement: differentiable dependence, and what passes through
    /// what isn't understood.
    pub fn statement_depends(&mut self, program: &Program, stmt: &Stmt, a: &Access) -> Vec<(LocId, LocSet, bool)> {
        let mut out = self.known_depends(program, stmt, a);
        if !self.inactive.contains(&stmt.id) {
            out.extend(self.opaque_depends(program, stmt));
        }
        out
    }

    fn known_depends(&mut self, program: &Program, stmt: &Stmt, a: &Access) -> Vec<(LocId, LocSet, bool)> {
        match &stmt.kind {
            StmtKind::Assign { lhs, rhs } => {
                if let ExprKind::Call { callee, args } = &rhs.kind
                    && let Some(proc) = target(program, callee)
                {
                    return self.call_depends(program, proc, args, Some(lhs));
                }
                let ExprKind::Var(d) = &lhs.kind else { return Vec::new() };
                self.assign_depends(program, d, rhs)
            }
            StmtKind::Call { callee, args } => match target(program, callee) {
                Some(proc) => self.call_depends(program, proc, args, None),
                None if !matches!(callee, Callee::Intrinsic(_)) => Vec::new(),
                None => a.writes.iter().map(|w| (*w, self.continuous(program, &a.reads), false)).collect(),
            },
            StmtKind::Unsupported { .. } => Vec::new(),
            _ => a.writes.iter().map(|w| (*w, LocSet::new(), a.kills.contains(w))).collect(),
        }
    }

    fn continuous(&self, program: &Program, set: &LocSet) -> LocSet {
        set.iter().copied().filter(|l| self.locs.is_continuous(program, *l)).collect()
    }

    fn assign_depends(&mut self, program: &Program, lhs: &Designator, rhs: &Expr) -> Vec<(LocId, LocSet, bool)> {
        let whole = self.replaces(program, lhs);
        let to = self.locs.of(program, lhs);
        // Assigning a derived type as a whole copies component by component.
        if rhs.is_derived()
            && let ExprKind::Var(d) = &rhs.unparen().kind
        {
            let from = self.locs.of(program, d);
            let certain = |s: &Self, d: &Designator| s.locs.is_certain(program, d.sym, &d.path());
            if from.len() == to.len() && certain(self, d) && certain(self, lhs) {
                return to.iter().zip(from).map(|(t, f)| (*t, LocSet::from([f]), whole)).collect();
            }
        }
        let mut from = LocSet::new();
        if rhs.is_derived()
            && let ExprKind::Var(d) = &rhs.unparen().kind
        {
            from.extend(self.locs.of(program, d));
            from.retain(|l| self.locs.is_continuous(program, *l));
        }
        for d in differentiable_operands(rhs) {
            let leaves = self.locs.of(program, d);
            from.extend(leaves.into_iter().filter(|l| self.locs.is_continuous(program, *l)));
        }
        to.into_iter()
            .map(|t| {
                let carries = self.locs.is_continuous(program, t);
                (t, if carries { from.clone() } else { LocSet::new() }, whole)
            })
            .collect()
    }
}

/// True for what no procedure may define that it is passed to: a part of a dummy of `intent(in)`, or of a named constant.
fn is_constant(program: &Program, d: &Designator) -> bool {
    let path = d.path();
    let behind_pointer = (0..=path.len()).any(|n| resolve(program, d.sym, &path[..n]).is_none_or(|v| v.attrs.pointer));
    let fixed = program.var(d.sym).is_some_and(|v| v.attrs.parameter || v.intent == Some(Intent::In));
    fixed && !behind_pointer
}

/// True for an allocatable of type character, whose shape and length assignments may change.
fn is_changing_text(program: &Program, d: &Designator) -> bool {
    resolve(program, d.sym, &d.path()).is_some_and(|v| v.ty.base == Base::Character && v.attrs.allocatable)
}

/// The expressions of a subscript.
fn subscript_exprs(s: &costate_grammar::ir::Subscript) -> Vec<&Expr> {
    match s {
        costate_grammar::ir::Subscript::Index(e) => vec![e],
        costate_grammar::ir::Subscript::Range { lo, hi, step } => [lo, hi, step].into_iter().flatten().collect(),
    }
}

/// True for what a caller can see of a procedure's variable.
pub fn outlives(program: &Program, proc: ProcId, sym: SymId) -> bool {
    let p = &program[proc];
    let own = program[sym].scope == p.scope || within(program, program[sym].scope, p.scope);
    let Some(var) = program.var(sym) else { return false };
    if !own || is_global(program, sym) {
        return true;
    }
    var.dummy.is_some()
        || p.kind == ProcKind::Function(sym)
        || (var.attrs.save && !var.attrs.parameter)
        || var.common.is_some()
}

/// True for a scope inside another.
pub fn within(program: &Program, inner: costate_grammar::ir::ScopeId, outer: costate_grammar::ir::ScopeId) -> bool {
    let mut at = program[inner].parent;
    while let Some(s) = at {
        if s == outer {
            return true;
        }
        at = program[s].parent;
    }
    false
}
