//! What one statement reads, writes and surely replaces.

use std::rc::Rc;

use costate_grammar::intrinsics::{Class, Intrinsic};
use costate_grammar::ir::{
    AllocItem, Arg, Base, Callee, DataKind, Designator, Expr, ExprKind, Intent, Name, Part, ProcId, ProcKind, Program,
    Stmt, SymId,
};

use super::shared::Shared;
use super::{Access, CallMap, Dependence, Effects, bind, clocks, target};
use crate::devices::moves_alone;
use crate::normal::kind::{Call, Control, Kind, Left, Outcome, kind};
use crate::storage::{Loc, LocSet, is_global, is_whole, resolve};

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

    pub(super) fn write(&mut self, program: &Program, target: &Expr, access: &mut Access) {
        if let ExprKind::Var(d) = &target.kind {
            let leaves = self.locs.of(program, d);
            if self.replaces(program, d) {
                access.kills.extend(leaves.iter().copied());
            }
            access.writes.extend(leaves);
            self.subscript_reads(program, d, &mut access.reads);
        }
    }

    /// What an allocation tells about itself: its status, and a message, which stays what it was without an error.
    fn outcome(&mut self, program: &Program, option: &Name, e: &Expr, access: &mut Access) {
        if option.as_str() == "errmsg" {
            self.reads(program, e, &mut access.reads);
        }
        self.write(program, e, access);
    }

    /// True when an assignment to a designator replaces the whole of every leaf it touches, for sure.
    pub fn replaces(&self, program: &Program, d: &Designator) -> bool {
        is_whole(program, d) && self.locs.is_certain(program, d.sym, &d.path())
    }

    /// True for a pointer.
    pub fn is_pointer(&self, program: &Program, d: &Designator) -> bool {
        resolve(program, d.sym, &d.path()).is_some_and(|v| v.attrs.pointer)
    }

    /// True when what is done to a pointer in a variable or a part of it replaces all associations that the variable has
    /// there, for sure or, for an element of a module's array, by what is presumed.
    pub(super) fn covers_pointer(&self, program: &Program, d: &Designator, path: &[Name]) -> bool {
        let whole = is_whole(program, d) || (self.presumes && is_global(program, d.sym));
        whole && self.locs.is_certain_pointer(program, d.sym, path)
    }

    /// What associates a pointer anew changes, whose bounds may be given.
    pub(super) fn associate(&mut self, program: &Program, pointer: &Expr, access: &mut Access) {
        let Some(d) = pointer.as_var() else { return };
        let cells = self.locs.association(program, d.sym, &d.path());
        if self.covers_pointer(program, &d.array(), &d.path()) {
            access.kills.extend(cells.iter().copied());
        }
        access.writes.extend(cells);
        access.reads.extend(self.locs.leading(program, d));
        self.only_subscripts(program, d, &mut access.reads);
    }

    /// What the target of a pointer assignment uses: no value of it.
    pub(super) fn pointed_at(&mut self, program: &Program, lhs: &Expr, rhs: &Expr, access: &mut Access) {
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

    pub(super) fn own_access(&mut self, program: &Program, stmt: &Stmt) -> Access {
        let mut a = Access::default();
        match kind(stmt) {
            Kind::Assign { lhs, rhs } | Kind::Product { lhs, rhs, .. } => {
                self.reads(program, rhs, &mut a.reads);
                self.unknown_function(program, stmt, lhs, rhs, &mut a);
                self.write(program, lhs, &mut a);
            }
            Kind::Call(Call { callee, args, result: None }) => return self.call(program, stmt, callee, args),
            Kind::Call(Call { callee, args, result: Some(result) }) => {
                self.function(program, stmt, (callee, args), &result, &mut a);
            }
            Kind::PointerAssign { lhs, rhs } => {
                self.pointed_at(program, lhs, rhs, &mut a);
                self.associate(program, lhs, &mut a);
            }
            Kind::Loop { control, .. } => self.control(program, control, &mut a),
            Kind::Region { control, body } => self.region(program, stmt, (control, body), &mut a),
            Kind::Allocate { items, options } => {
                for item in items {
                    self.allocate(program, item, &mut a);
                }
                for (name, e) in options {
                    match name.as_str() {
                        "stat" | "errmsg" => self.outcome(program, name, e, &mut a),
                        "mold" => {}
                        _ => self.reads(program, e, &mut a.reads),
                    }
                }
            }
            Kind::Deallocate { items, options } => {
                for (name, e) in options {
                    self.outcome(program, name, e, &mut a);
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
            Kind::Nullify(items) => items.iter().for_each(|e| self.associate(program, e, &mut a)),
            Kind::InputOutput { items, class } => {
                items.uses.iter().for_each(|e| self.reads(program, e, &mut a.reads));
                for e in &items.defines {
                    self.write(program, e, &mut a);
                }
                a.side_effect = true;
                if matches!(class, DataKind::Read) {
                    a.irreproducible = !items.internal;
                    // What a namelist doesn't name, or a record gives no value for, stays as it is.
                    a.kills.clear();
                }
            }
            Kind::Directive(_) if moves_alone(program, stmt) => a.on_device = true,
            Kind::Stop(code) => {
                a.side_effect = true;
                code.into_iter().for_each(|e| self.reads(program, e, &mut a.reads));
            }
            Kind::If { .. }
            | Kind::Select { .. }
            | Kind::Exit
            | Kind::Directive(_)
            | Kind::Nothing
            // Of what isn't in normal form only the expressions are known; `unknown.rs` sees to the rest.
            | Kind::Left(
                Left::Jump
                | Left::Goto
                | Left::Masked
                | Left::Concurrent
                | Left::Scope(_)
                | Left::Unsupported(_),
            ) => {
                stmt.exprs().into_iter().for_each(|e| self.reads(program, e, &mut a.reads));
            }
        }
        a
    }

    /// What the statement `v = f(...)` or `p => f(...)` does.
    fn function(
        &mut self,
        program: &Program,
        stmt: &Stmt,
        (callee, args): (&Callee, &[Arg]),
        result: &Outcome<'_>,
        a: &mut Access,
    ) {
        let lhs = result.to;
        if result.associates {
            self.pointed_at(program, lhs, result.value, a);
            return self.associate(program, lhs, a);
        }
        match target(program, callee) {
            Some(proc) => {
                *a = self.call_access(program, proc, args, Some(lhs));
                let result = matches!(program[proc].kind, ProcKind::Function(r)
                    if program.var(r).is_some_and(|v| v.attrs.allocatable));
                if result {
                    self.reshape(program, lhs, a);
                }
            }
            None => {
                self.reads(program, result.value, &mut a.reads);
                self.unknown_function(program, stmt, lhs, result.value, a);
            }
        }
        self.write(program, lhs, a);
    }

    pub(super) fn control(&mut self, program: &Program, control: Control<'_>, a: &mut Access) {
        match control {
            Control::Count { var, lo, hi, step } => {
                for e in [lo, hi].into_iter().chain(step) {
                    self.reads(program, e, &mut a.reads);
                }
                let leaves = self.locs.leaves(program, var, &[]);
                // Others may share its memory.
                a.kills.extend(leaves.first().copied());
                a.writes.extend(leaves);
            }
            Control::While(cond) => self.reads(program, cond, &mut a.reads),
            Control::Endless => {}
        }
    }

    pub(super) fn allocate(&mut self, program: &Program, item: &AllocItem, a: &mut Access) {
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
    pub(super) fn release(&mut self, program: &Program, object: &Expr, a: &mut Access) {
        let Some(d) = object.as_var() else { return };
        a.reads.extend(self.locs.association(program, d.sym, &d.path()));
        self.associate(program, object, a);
    }

    /// What `allocate` and `deallocate` do to an object.
    pub(super) fn note_shape(&mut self, program: &Program, object: &Expr, a: &mut Access) {
        if let ExprKind::Var(d) = &object.kind {
            a.shapes.extend(self.locs.of(program, d));
            if object.is_derived() {
                a.holders.insert(self.locs.id(Loc::named(d.sym, d.path())));
            }
        }
    }

    /// A function's allocatable result may give the variable another shape. Normal form sees to the shape for others.
    pub(super) fn reshape(&mut self, program: &Program, lhs: &Expr, a: &mut Access) {
        if let ExprKind::Var(d) = &lhs.kind
            && self.replaces(program, d)
            && resolve(program, d.sym, &d.path()).is_some_and(|v| v.attrs.allocatable)
        {
            self.note_shape(program, lhs, a);
        }
    }

    /// What a call does.
    pub(super) fn call(&mut self, program: &Program, stmt: &Stmt, callee: &Callee, args: &[Arg]) -> Access {
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
        let summary = self.summary(proc).unwrap_or_default();
        let mut out = Access {
            side_effect: summary.access.side_effect,
            irreproducible: summary.access.irreproducible,
            communicates: summary.access.communicates,
            on_device: summary.access.on_device,
            ..Access::default()
        };
        let map = CallMap::new(program, proc, args, result);
        for l in &summary.access.reads {
            out.reads.extend(map.locs(self, program, *l));
        }
        // A declaration without intents doesn't say what is surely left alone.
        let fixed = self.undefinable(program, proc, args);
        for l in &summary.access.writes {
            if fixed.contains(&self.locs.get(*l).sym) {
                continue;
            }
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
        self.reads_of_passing(program, Some(proc), args, &mut out.reads);
        out
    }

    /// The dummies of a procedure of which only the declaration is known whose actual arguments can't be changed by it. Of
    /// others the statements tell.
    pub fn undefinable(&self, program: &Program, proc: ProcId, args: &[Arg]) -> Vec<SymId> {
        if !self.externals.contains_key(&proc) {
            return Vec::new();
        }
        let p = &program[proc];
        let bound = p.dummies.iter().zip(bind(program, p, args));
        let fixed = |e: &Expr| e.as_var().is_none_or(|d| is_constant(program, d));
        bound.filter(|(_, e)| e.is_some_and(fixed)).map(|(d, _)| *d).collect()
    }

    /// Collects what the passing of actual arguments uses, whatever the procedure does with them.
    pub fn reads_of_passing(&mut self, program: &Program, proc: Option<ProcId>, args: &[Arg], out: &mut LocSet) {
        for arg in args {
            match &arg.value.kind {
                ExprKind::Var(d) => self.subscript_reads(program, d, out),
                _ => self.reads(program, &arg.value, out),
            }
        }
        let Some(p) = proc.map(|p| &program[p]) else { return };
        for (dummy, actual) in p.dummies.iter().zip(bind(program, p, args)) {
            // An allocatable text has its length from its value.
            let Some(d) = actual.and_then(Expr::as_var).filter(|d| is_changing_text(program, d)) else { continue };
            if !program.var(*dummy).is_some_and(|v| v.attrs.allocatable) {
                out.extend(self.locs.of(program, d));
            }
        }
    }

    /// How the outputs of a call depend on its inputs, in the caller's terms: pairs of output and inputs; the flag tells
    /// that the output is replaced as a whole.
    pub fn call_depends(
        &mut self,
        program: &Program,
        proc: ProcId,
        args: &[Arg],
        result: Option<&Expr>,
    ) -> Vec<Dependence> {
        let summary = self.summary(proc).unwrap_or_default();
        let map = CallMap::new(program, proc, args, result);
        let (mut out, mut known) = (Vec::new(), Shared::default());
        for (l, inputs) in &summary.depends {
            let from = known.of(inputs, |s| map.all_locs(self, program, s));
            let whole = summary.access.kills.contains(l) && map.replaces(self, program, *l);
            for to in map.locs(self, program, *l) {
                out.push((to, Rc::clone(&from), whole));
            }
        }
        out
    }
}

/// True for what no procedure may define that it is passed to: a part of a dummy of `intent(in)`, or of a named constant.
pub(super) fn is_constant(program: &Program, d: &Designator) -> bool {
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
