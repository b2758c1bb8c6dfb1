//! What a whole procedure does, seen from outside, and how what it leaves depends on what it finds.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::ir::{
    Callee, Designator, Dim, Expr, ExprKind, ProcId, ProcKind, Program, Stmt, StmtKind, SymId, for_each_expr,
    for_each_stmt,
};

use super::flow::Flow;
use super::{Access, CallMap, Dependence, Effects, Summary, inner_calls, outlives, target, within};
use crate::callgraph::of_bodies;
use crate::devices::moves;
use crate::operands::differentiable_operands;
use crate::storage::{Loc, LocBits, LocId, LocSet, Root, is_global};

impl Effects {
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
        self.presumed.clear();
        loop {
            let before = exposed.len();
            self.locs.find_targets(program, &self.bodies, heads, &exposed);
            self.settle_reach(program);
            if unknown {
                // Procedures without source may associate what they reach.
                let reached = self.reach.iter().map(|l| self.locs.get(*l));
                exposed.extend(reached.filter(|l| l.association && l.root == Root::Variable).cloned());
            }
            self.apart = None;
            // A loop that associates a module's pointer is taken to run, and elements that hold pointers to be those that are
            // used: see `presumed`.
            self.presumes = self.locs.known_associations().into_iter().any(|c| self.outlasts(program, c));
            self.summarise(program);
            exposed.extend(self.found_associated(heads));
            if exposed.len() == before {
                break;
            }
        }
        if self.presumes {
            self.presumes = false;
            self.summarise(program);
            self.presumed = self.found_associated(heads).difference(&exposed).cloned().collect();
        }
        self.exposed = exposed;
    }

    /// The associations that heads may use as they were before.
    fn found_associated(&self, heads: &[ProcId]) -> BTreeSet<Loc> {
        let reads = heads.iter().filter_map(|h| self.summaries.get(h)).flat_map(|s| &s.access.reads);
        reads.map(|l| self.locs.get(*l)).filter(|l| l.association && l.root == Root::Variable).cloned().collect()
    }

    /// True for the association of a pointer that outlasts the call of a head and isn't handed to it.
    pub(super) fn outlasts(&self, program: &Program, cell: LocId) -> bool {
        let loc = self.locs.get(cell);
        loc.association && loc.root == Root::Variable && is_global(program, loc.sym)
    }

    /// Summaries of all bodies, to the fixed point that recursion needs.
    pub fn summarise(&mut self, program: &Program) {
        self.summaries.clear();
        self.integers.clear();
        self.parts = Default::default();
        for (proc, row) in self.externals.clone() {
            // One with statements has its summary from these.
            if self.bodies.contains_key(&proc) {
                continue;
            }
            let summary = self.declared(program, proc, &row);
            self.summaries.insert(proc, Rc::new(summary));
        }
        let mut procs = of_bodies(program, &self.bodies).callees_first();
        procs.retain(|p| self.bodies.contains_key(p));
        let mut due: BTreeSet<ProcId> = procs.iter().copied().collect();
        let mut consulted: BTreeMap<ProcId, BTreeSet<ProcId>> = BTreeMap::new();
        while !due.is_empty() {
            for &p in &procs {
                if !due.remove(&p) {
                    continue;
                }
                self.consulted.take();
                let new = self.summary_of(program, p);
                consulted.insert(p, self.consulted.take());
                if self.summaries.get(&p).is_none_or(|known| **known != new) {
                    self.summaries.insert(p, Rc::new(new));
                    due.extend(consulted.iter().filter(|(_, asked)| asked.contains(&p)).map(|(caller, _)| *caller));
                }
            }
        }
    }

    /// What a call of a procedure does. Who asks is asked again when that changes.
    pub(super) fn summary(&self, proc: ProcId) -> Option<Rc<Summary>> {
        self.consulted.borrow_mut().insert(proc);
        self.summaries.get(&proc).cloned()
    }

    pub(super) fn summary_of(&mut self, program: &Program, proc: ProcId) -> Summary {
        let body = self.bodies.get(&proc).cloned().unwrap_or_default();
        let changing = self.changed(program, &body);
        let mut reads = LocSet::new();
        self.declaration_reads(program, proc, &mut reads);
        let mut flow = self.flow(program, &body, Some(&changing));
        flow.access.reads.extend(reads);
        self.finalise(program, proc, &mut flow);
        let state = self.state(program, proc, &flow.access);
        if !flow.access.unsteady.is_empty() || !state.is_empty() {
            flow.access.unsteady = self.unsteady_with(program, &body, state);
        }
        if self.unstructured.contains(&proc) {
            self.loosen(program, &body, &mut flow);
        }
        let outer = |s: &Effects, l: LocId| s.outer(program, proc, l);
        let mut depends = flow.dependences(|l| outer(self, l));
        let mut access = Access { kills: flow.killed(), ..flow.access };
        access.on_device |= moves(program, proc);
        let Access { reads, writes, kills, shapes, holders, unsteady, .. } = &mut access;
        for set in [reads, writes, kills, shapes, holders, unsteady] {
            set.retain(|l| outer(self, *l));
        }
        // What is assigned to a `value` dummy stays within the procedure.
        let own_value = |s: &Effects, l: LocId| program.var(s.locs.get(l).sym).is_some_and(|v| v.attrs.value);
        for set in [writes, kills, shapes, holders, unsteady] {
            set.retain(|l| !own_value(self, *l));
        }
        depends.retain(|l, _| !own_value(self, *l));
        if let Some(row) = self.externals.get(&proc).cloned() {
            depends = self.told_depends(program, &row, &access);
        }
        Summary { access, depends }
    }

    /// The local variables of a procedure that tell it in one call what it did in an earlier one: nothing outside can reach
    /// them, so a further call goes on from the last. What only steers messages tells it nothing else.
    pub(super) fn state(&self, program: &Program, proc: ProcId, access: &Access) -> LocSet {
        let p = &program[proc];
        if p.kind == ProcKind::Program {
            return LocSet::new();
        }
        let own = |s: SymId| {
            let scope = program[s].scope;
            let kept = program.var(s).is_some_and(|v| v.attrs.save && !v.attrs.parameter && v.common.is_none());
            kept && (scope == p.scope || within(program, scope, p.scope))
        };
        let both = access.reads.intersection(&access.writes).copied();
        let mut state: LocSet = both.filter(|l| own(self.locs.get(*l).sym)).collect();
        if let (false, Some(body)) = (state.is_empty(), self.bodies.get(&proc)) {
            let messages = super::steers_messages_only(program, proc, body);
            state.retain(|l| !messages.contains(&self.locs.get(*l).sym));
        }
        state
    }

    /// The variables that a block may change.
    pub(super) fn changed(&mut self, program: &Program, block: &[Stmt]) -> BTreeSet<SymId> {
        let mut out = BTreeSet::new();
        for_each_stmt(block, &mut |s| {
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
                    Dim::Explicit(lo, hi) => lo.iter().chain([hi]).for_each(|e| self.bound_reads(program, e, out)),
                    Dim::Assumed(lo) | Dim::AssumedSize(lo) => {
                        lo.iter().for_each(|e| self.bound_reads(program, e, out));
                    }
                    Dim::Deferred | Dim::AssumedRank => {}
                }
            }
        }
    }

    /// What a bound reads. A specification function, of which nothing need be known yet, may read its arguments and all
    /// variables of elsewhere that it mentions.
    fn bound_reads(&mut self, program: &Program, bound: &Expr, out: &mut LocSet) {
        self.reads(program, bound, out);
        let mut functions = Vec::new();
        for_each_expr(bound, &mut |e| {
            if let ExprKind::Call { callee, args } = &e.kind
                && let Some(p) = super::target(program, callee)
            {
                functions.push(p);
                args.iter().for_each(|a| self.reads(program, &a.value, out));
            }
        });
        for p in super::reached(program, &functions) {
            for_each_stmt(&program[p].body, &mut |s| {
                for e in s.exprs() {
                    for_each_expr(e, &mut |e| {
                        if e.as_var().is_some_and(|d| program[d.sym].scope != program[p].scope) {
                            self.reads(program, e, out);
                        }
                    });
                }
            });
        }
    }

    /// Without an order of execution every read may see the value at entry, nothing is replaced for sure, and every output
    /// may depend on every input.
    pub(super) fn loosen(&mut self, program: &Program, body: &[Stmt], flow: &mut Flow) {
        flow.forget_killed();
        let mut reads = LocSet::new();
        let mut accesses = Vec::new();
        for_each_stmt(body, &mut |s| accesses.push(s.clone()));
        for s in &accesses {
            reads.extend(self.access(program, s).reads);
        }
        flow.access.reads.extend(reads);
        let inputs: Rc<LocBits> = Rc::new(flow.access.reads.union(&flow.access.writes).copied().collect());
        for l in flow.access.writes.clone() {
            flow.set_depends(l, &inputs);
        }
    }

    /// What a block does; its reads are those that may see a value from before it.
    pub fn block_access(&mut self, program: &Program, block: &[Stmt]) -> Access {
        let flow = self.flow(program, block, None);
        Access { kills: flow.killed(), ..flow.access }
    }

    /// Pairs (output, inputs, replaced as a whole) of a leaf statement: differentiable dependence, and what passes through
    /// what isn't understood.
    pub fn statement_depends(&mut self, program: &Program, stmt: &Stmt, a: &Access) -> Vec<Dependence> {
        let mut out = self.known_depends(program, stmt, a);
        if !self.inactive.contains(&stmt.id) {
            out.extend(self.opaque_depends(program, stmt));
        }
        // Functions that are called within expressions may use more than their arguments.
        let from = self.inputs_of_inner_calls(program, stmt);
        if from.iter().next().is_some() {
            let from = Rc::new(from);
            let to = self.continuous(program, &a.writes);
            out.extend(to.into_iter().map(|l| (l, Rc::clone(&from), false)));
        }
        out
    }

    /// What the values of functions depend on that a statement calls within expressions.
    fn inputs_of_inner_calls(&mut self, program: &Program, stmt: &Stmt) -> LocBits {
        let mut out = LocBits::default();
        for (callee, args) in inner_calls(stmt) {
            let Some(proc) = target(program, callee) else { continue };
            let (ProcKind::Function(result), Some(summary)) = (program[proc].kind, self.summary(proc)) else {
                continue;
            };
            let map = CallMap::new(program, proc, args, None);
            for (l, inputs) in &summary.depends {
                if self.locs.get(*l).sym == result {
                    out.extend(map.all_locs(self, program, inputs).iter());
                }
            }
        }
        out
    }

    pub(super) fn known_depends(&mut self, program: &Program, stmt: &Stmt, a: &Access) -> Vec<Dependence> {
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
                None => {
                    let from = self.continuous_bits(program, &a.reads);
                    a.writes.iter().map(|w| (*w, Rc::clone(&from), false)).collect()
                }
            },
            // A function may compute values behind the pointer that it returns.
            StmtKind::PointerAssign { lhs, rhs } => {
                let mut out: Vec<Dependence> =
                    a.writes.iter().map(|w| (*w, Rc::default(), a.kills.contains(w))).collect();
                if let ExprKind::Call { callee, args } = &rhs.unparen().kind
                    && let Some(proc) = target(program, callee)
                {
                    let within = self.call_depends(program, proc, args, Some(lhs));
                    out.retain(|(to, ..)| !within.iter().any(|(w, ..)| w == to));
                    out.extend(within);
                }
                out
            }
            StmtKind::Unsupported { .. } => Vec::new(),
            // Where normal form leaves the source to the statement, what gets memory has its values.
            StmtKind::Allocate { items, options, .. } if options.iter().any(|o| o.0.as_str() == "source") => {
                let from = self.continuous_bits(program, &a.reads);
                let made: LocSet =
                    items.iter().filter_map(|i| i.object.as_var()).flat_map(|d| self.locs.of(program, d)).collect();
                let others = a.writes.difference(&made).map(|w| (*w, Rc::default(), a.kills.contains(w)));
                made.iter().map(|l| (*l, Rc::clone(&from), a.kills.contains(l))).chain(others).collect()
            }
            _ => a.writes.iter().map(|w| (*w, Rc::default(), a.kills.contains(w))).collect(),
        }
    }

    pub(super) fn continuous(&self, program: &Program, set: &LocSet) -> LocSet {
        set.iter().copied().filter(|l| self.locs.is_continuous(program, *l)).collect()
    }

    /// The same as a dense set for several outputs.
    pub(super) fn continuous_bits(&self, program: &Program, set: &LocSet) -> Rc<LocBits> {
        Rc::new(set.iter().copied().filter(|l| self.locs.is_continuous(program, *l)).collect())
    }

    pub(super) fn assign_depends(&mut self, program: &Program, lhs: &Designator, rhs: &Expr) -> Vec<Dependence> {
        let whole = self.replaces(program, lhs);
        let to = self.locs.of(program, lhs);
        // Assigning a derived type as a whole copies component by component.
        if rhs.is_derived()
            && let ExprKind::Var(d) = &rhs.unparen().kind
        {
            let from = self.locs.of(program, d);
            let certain = |s: &Self, d: &Designator| s.locs.is_certain(program, d.sym, &d.path());
            if from.len() == to.len() && certain(self, d) && certain(self, lhs) {
                return to.iter().zip(from).map(|(t, f)| (*t, Rc::new(LocBits::from_iter([f])), whole)).collect();
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
        let from: Rc<LocBits> = Rc::new(from.into_iter().collect());
        to.into_iter()
            .map(|t| {
                let carries = self.locs.is_continuous(program, t);
                (t, if carries { Rc::clone(&from) } else { Rc::default() }, whole)
            })
            .collect()
    }
}
