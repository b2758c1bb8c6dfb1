//! What is not understood reads and writes everything that it can reach: calls of procedures without source, calls through
//! dummy procedures and procedure pointers, statements that are kept as text. And calls that stand within other statements:
//! what they do is known, but no derivative is made of them there.

use std::rc::Rc;

use costate_grammar::ir::{
    Arg, Attrs, Callee, Dim, Expr, ExprKind, Intent, LoopControl, ParentUnit, ProcId, Program, ScopeKind, Stmt,
    StmtKind, SymId, for_each_expr, for_each_stmt,
};

use super::access::is_constant;
use super::{Access, Dependence, Effects, call_parts, called, target};
use crate::storage::{LocId, LocSet, is_global};

/// A call of a user's procedure somewhere in a statement.
type Reference<'a> = (&'a Callee, &'a [Arg]);

impl Effects {
    /// Finds what a procedure without source may read and write beside its arguments: what lives longer than a call, what
    /// pointers may lead to, and what internal procedures share with their hosts, as far as any known procedure uses it.
    /// `hidden` stands for all the rest: values that only unknown procedures exchange.
    pub fn find_reach(&mut self, program: &Program, hidden: SymId) {
        let mut mentioned: std::collections::BTreeSet<SymId> = std::collections::BTreeSet::from([hidden]);
        for (proc, body) in &self.bodies {
            for_each_stmt(body, &mut |s| {
                if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
                    mentioned.insert(*var);
                }
                if let StmtKind::Unsupported { names, .. } = &s.kind {
                    mentioned.extend(names);
                }
                for e in s.exprs() {
                    for_each_expr(e, &mut |e| mentioned.extend(e.as_var().map(|d| d.sym)));
                }
            });
            for sym in program[program[*proc].scope].names.values() {
                let dims = program.var(*sym).into_iter().flat_map(|v| &v.dims);
                for e in dims.flat_map(bounds) {
                    for_each_expr(e, &mut |e| mentioned.extend(e.as_var().map(|d| d.sym)));
                }
            }
        }
        mentioned.retain(|sym| reachable(program, *sym));
        self.reached = mentioned;
        self.settle_reach(program);
    }

    /// The same for what pointers are known to point to now, and for their associations.
    pub(super) fn settle_reach(&mut self, program: &Program) {
        for sym in self.reached.clone() {
            let leaves = self.locs.leaves(program, sym, &[]);
            self.reach.extend(leaves);
            self.reach.extend(self.locs.association(program, sym, &[]));
        }
    }

    /// True when a procedure without source is called that may do anything.
    pub(super) fn calls_unknown(&self, program: &Program) -> bool {
        let mut found = false;
        for body in self.bodies.values() {
            for_each_stmt(body, &mut |s| {
                let own = match &s.kind {
                    StmtKind::Call { callee, .. } => Some(callee),
                    StmtKind::Assign { rhs, .. } | StmtKind::PointerAssign { rhs, .. } => match &rhs.kind {
                        ExprKind::Call { callee, .. } => Some(callee),
                        _ => None,
                    },
                    _ => None,
                };
                let unknown = |c: &Callee| match target(program, c) {
                    Some(p) => self.is_passed(p) && !program[p].prefix.is_pure(),
                    None => !matches!(c, Callee::Intrinsic(_)),
                };
                let any = own.is_some_and(unknown) || inner_calls(s).iter().any(|(c, _)| unknown(c));
                found |= any && !self.inactive.contains(&s.id);
            });
        }
        found
    }

    /// True for a dummy procedure of which only the interface is known.
    pub fn is_passed(&self, proc: ProcId) -> bool {
        self.externals.get(&proc).is_some_and(|row| row.passed)
    }

    /// What an unknown procedure may reach, but for what no code names.
    pub(super) fn named_reach(&self, program: &Program) -> LocSet {
        let named = |l: &LocId| !matches!(program[program[self.locs.get(*l).sym].scope].kind, ScopeKind::Global);
        self.reach.iter().copied().filter(named).collect()
    }

    /// Adds what a dummy procedure may do beside what its arguments show: what it reaches gives values to these, and gets values from
    /// them where it isn't pure.
    fn passed_depends(&mut self, program: &Program, proc: ProcId, stmt: &Stmt, out: &mut Vec<Dependence>) {
        let reach = self.named_reach(program);
        let Some((_, args, result)) = call_parts(stmt).filter(|_| !reach.is_empty()) else { return };
        let access = self.call_access(program, proc, args, result);
        let beside = self.continuous_bits(program, &reach);
        let outputs: LocSet = access.writes.difference(&reach).copied().collect();
        let outputs = self.continuous(program, &outputs);
        out.extend(outputs.into_iter().map(|to| (to, Rc::clone(&beside), false)));
        if !program[proc].prefix.is_pure() {
            self.all_on_all(program, &reach, &access.reads, out);
        }
    }

    /// Adds what a call of an unknown procedure may do.
    pub(super) fn unknown_call(&mut self, program: &Program, (callee, args): Reference<'_>, out: &mut Access) {
        let interface = interface(program, callee);
        let pure = interface.is_some_and(|p| program[p].prefix.is_pure());
        let apart = is_of_parallel_runtime(program, callee);
        if !apart {
            out.reads.extend(self.reach.iter().copied());
        }
        let mut writes = if pure || apart { LocSet::new() } else { self.reach.clone() };
        for (i, arg) in args.iter().enumerate() {
            self.reads(program, &arg.value, &mut out.reads);
            let Some(d) = arg.value.as_var() else { continue };
            self.subscript_reads(program, d, &mut out.reads);
            if !kept(program, interface, i, arg) && !is_constant(program, d) {
                writes.extend(self.locs.of(program, d));
            }
        }
        if let Callee::Bound { object, .. } = callee {
            self.reads(program, object, &mut out.reads);
            writes.extend(object.as_var().into_iter().flat_map(|d| self.locs.of(program, d)));
        }
        out.side_effect |= !pure;
        // What it does may depend on how often it was called.
        if !pure {
            out.unsteady.extend(writes.iter().copied());
        }
        out.writes.extend(writes);
    }

    /// Adds what an unknown function does whose value is assigned.
    pub(super) fn unknown_function(
        &mut self,
        program: &Program,
        stmt: &Stmt,
        lhs: &Expr,
        rhs: &Expr,
        out: &mut Access,
    ) {
        if let ExprKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } = &rhs.kind
            && !self.inactive.contains(&stmt.id)
        {
            self.unknown_call(program, (callee, args), out);
            if !out.unsteady.is_empty() || is_clock(program, callee) {
                out.unsteady.extend(lhs.as_var().into_iter().flat_map(|d| self.locs.of(program, d)));
            }
        }
    }

    /// Adds what calls within the expressions of a statement do, and what a statement that is kept as text may do.
    pub(super) fn inner_access(&mut self, program: &Program, stmt: &Stmt, out: &mut Access) {
        for (callee, args) in inner_calls(stmt) {
            match target(program, callee) {
                Some(proc) => {
                    let a = self.call_access(program, proc, args, None);
                    out.reads.extend(a.reads);
                    out.writes.extend(a.writes);
                    out.shapes.extend(a.shapes);
                    out.holders.extend(a.holders);
                    out.unsteady.extend(a.unsteady);
                    out.side_effect |= a.side_effect;
                    out.irreproducible |= a.irreproducible;
                    out.communicates |= a.communicates;
                    out.on_device |= a.on_device;
                }
                None => self.unknown_call(program, (callee, args), out),
            }
        }
        if let StmtKind::Unsupported { names, .. } = &stmt.kind {
            let touched = self.named(program, names);
            out.reads.extend(touched.iter().copied());
            out.writes.extend(touched);
        }
    }

    /// What a statement that is kept as text may touch: what it names, and all that a procedure among these reaches.
    fn named(&mut self, program: &Program, names: &[SymId]) -> LocSet {
        let mut out = LocSet::new();
        for sym in names {
            if program[*sym].procedure().is_some() {
                out.extend(self.reach.iter().copied());
            } else if program.var(*sym).is_some_and(|v| !v.attrs.parameter) {
                out.extend(self.locs.leaves(program, *sym, &[]));
            }
        }
        out
    }

    /// Pairs (output, inputs, never replaced as a whole) of what a statement does beside what it is differentiated for.
    pub fn opaque_depends(&mut self, program: &Program, stmt: &Stmt) -> Vec<Dependence> {
        let mut out = Vec::new();
        for (callee, args) in inner_calls(stmt) {
            match target(program, callee) {
                Some(proc) => {
                    let known = self.call_depends(program, proc, args, None);
                    out.extend(known.into_iter().map(|(to, from, _)| (to, from, false)));
                }
                None => self.unknown_depends(program, (callee, args), &[], &mut out),
            }
        }
        if let Some(proc) = called(program, stmt).map(|(p, _)| p).filter(|p| self.is_passed(*p)) {
            self.passed_depends(program, proc, stmt, &mut out);
        }
        match &stmt.kind {
            StmtKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args }
                if target(program, callee).is_none() =>
            {
                self.unknown_depends(program, (callee, args), &[], &mut out);
            }
            StmtKind::Assign { lhs, rhs } => {
                if let ExprKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } =
                    &rhs.kind
                    && target(program, callee).is_none()
                {
                    let result = lhs.as_var().map(|d| self.locs.of(program, d)).unwrap_or_default();
                    self.unknown_depends(program, (callee, args), &result, &mut out);
                }
            }
            StmtKind::Unsupported { names, .. } => {
                let touched = self.named(program, names);
                self.all_on_all(program, &touched, &touched, &mut out);
            }
            _ => {}
        }
        out
    }

    fn unknown_depends(&mut self, program: &Program, call: Reference<'_>, result: &[LocId], out: &mut Vec<Dependence>) {
        let mut a = Access::default();
        self.unknown_call(program, call, &mut a);
        a.writes.extend(result);
        self.all_on_all(program, &a.writes, &a.reads, out);
    }

    /// Each output may keep its value, or get one that depends on all inputs.
    fn all_on_all(&self, program: &Program, outputs: &LocSet, inputs: &LocSet, out: &mut Vec<Dependence>) {
        let inputs = self.continuous_bits(program, inputs);
        for to in self.continuous(program, outputs) {
            let mut from = Rc::clone(&inputs);
            if !from.contains(&to) {
                Rc::make_mut(&mut from).insert(to);
            }
            out.push((to, from, false));
        }
    }
}

pub(super) fn bounds(d: &Dim) -> Vec<&Expr> {
    match d {
        Dim::Explicit(lo, hi) => lo.iter().chain([hi]).collect(),
        Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().collect(),
        Dim::Deferred | Dim::AssumedRank => Vec::new(),
    }
}

/// True for a variable that more than the procedure that declares it may change while that runs.
fn reachable(program: &Program, sym: SymId) -> bool {
    let Some(v) = program.var(sym) else { return false };
    let Attrs { parameter, save, target, pointer, .. } = v.attrs;
    !parameter && (is_global(program, sym) || v.common.is_some() || save || target || pointer || shared(program, sym))
}

/// True for a variable of a host that one of its internal procedures may change when it is called from elsewhere.
fn shared(program: &Program, sym: SymId) -> bool {
    let costate_grammar::ir::ScopeKind::Procedure(host) = program[program[sym].scope].kind else { return false };
    let internal = |s: SymId| {
        let definition = program[s].procedure().and_then(|p| p.definition);
        definition.is_some_and(|d| matches!(program[d].parent, ParentUnit::Procedure(_)))
    };
    let mut found = false;
    let procs = std::iter::once(host).chain(program[host].internals.iter().copied());
    for p in procs {
        for_each_stmt(&program[p].body, &mut |s| {
            for e in s.exprs() {
                for_each_expr(e, &mut |e| found |= matches!(e.kind, ExprKind::ProcRef(s) if internal(s)));
            }
        });
    }
    found
}

/// True for a procedure of the run-time library of OpenMP or OpenACC, with their modules or declared by the user, and for clocks: it does nothing
/// to the program's variables but its arguments. Names with these beginnings are reserved for them.
fn is_of_parallel_runtime(program: &Program, callee: &Callee) -> bool {
    let Callee::Proc { sym, .. } = callee else { return false };
    let symbol = &program[*sym];
    let undefined = symbol.procedure().is_some_and(|p| p.external && p.definition.is_none() && p.dummy.is_none());
    undefined && ["omp_", "acc_"].iter().any(|begin| symbol.name.starts_with(begin)) || is_clock(program, callee)
}

/// True for a clock that isn't Fortran's own.
fn is_clock(program: &Program, callee: &Callee) -> bool {
    let Callee::Proc { sym, .. } = callee else { return false };
    let symbol = &program[*sym];
    let undefined = symbol.procedure().is_some_and(|p| p.definition.is_none() && p.dummy.is_none() && !p.pointer);
    undefined && ["omp_get_wtime", "mpi_wtime", "pmpi_wtime"].contains(&symbol.name.as_str())
}

/// The interface of an unknown procedure, if there is one.
fn interface(program: &Program, callee: &Callee) -> Option<ProcId> {
    match callee {
        Callee::Proc { sym, .. } => program[*sym].procedure().and_then(|p| p.interface),
        Callee::Bound { .. } | Callee::Intrinsic(_) => None,
    }
}

/// True for an argument that the procedure promises not to change.
fn kept(program: &Program, interface: Option<ProcId>, i: usize, arg: &Arg) -> bool {
    let Some(p) = interface else { return false };
    let dummies = &program[p].dummies;
    let dummy = match &arg.keyword {
        Some(k) => dummies.iter().copied().find(|d| program[*d].name == *k),
        None => dummies.get(i).copied(),
    };
    dummy.and_then(|d| program.var(d)).is_some_and(|v| v.intent == Some(Intent::In) || v.attrs.value)
}

/// The calls of users' procedures within the expressions of a statement. The one that a statement consists of isn't among
/// them.
pub fn inner_calls(stmt: &Stmt) -> Vec<Reference<'_>> {
    let mut roots: Vec<&Expr> = Vec::new();
    match &stmt.kind {
        StmtKind::Call { callee, args } => {
            roots.extend(args.iter().map(|a| &a.value));
            if let Callee::Bound { object, .. } = callee {
                roots.push(object);
            }
        }
        StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => {
            roots.push(lhs);
            match &rhs.kind {
                ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. } => {
                    roots.extend(rhs.children())
                }
                _ => roots.push(rhs),
            }
        }
        _ => roots.extend(stmt.exprs()),
    }
    let mut out = Vec::new();
    for e in roots {
        for_each_expr(e, &mut |e| {
            if let ExprKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } = &e.kind {
                out.push((callee, args.as_slice()));
            }
        });
    }
    out
}
