//! Adjoint of a call: the callee's adjoint procedure is called with the arguments' values from before the call. It runs
//! the callee's forward part again (joint reversal), so that nothing of the callee is saved here but what it overwrites.

use std::collections::BTreeSet;

use costate_analysis::affine::plus;
use costate_analysis::effects::{CallMap, bind, elements};
use costate_analysis::storage::{
    Loc, LocId, LocSet, Root, all_components, holds_memory, pointer_paths, resolve, symbols,
};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Arg, Base, Callee, Component, Dim, Expr, ExprKind, Name, Part, ProcId, ProcKind, Role, ScopeKind, Stmt, StmtKind,
    Subscript, SymId, for_each_stmt,
};

use super::arguments::Passing;
use super::pointer::association;
use crate::interface::Signature;
use crate::passed::twin_argument;
use crate::reverse::Reverse;
use crate::reverse::emit::around::is_sizeless;
use crate::reverse::tree::call_site::{CallAdjoint, CallSite};

fn push_target(out: &mut Vec<(Expr, LocSet)>, e: Expr, locs: LocSet) {
    if !out.iter().any(|(known, _)| *known == e) {
        out.push((e, locs));
    }
}

impl Reverse<'_, '_> {
    /// References through which a call may assign, with the locations behind each; an element passed to an array dummy
    /// stands for the whole array.
    pub(in crate::reverse) fn call_targets(&mut self, site: &CallSite<'_>) -> Vec<(Expr, LocSet)> {
        let mut out: Vec<(Expr, LocSet)> = Vec::new();
        let proc = costate_analysis::effects::target(self.b.program, site.callee);
        let dummies: Vec<Option<SymId>> = match proc {
            Some(p) => {
                let callee = self.b.program[p].clone();
                let bound = bind(self.b.program, &callee, site.args);
                site.args
                    .iter()
                    .map(|a| bound.iter().position(|e| e.is_some_and(|e| std::ptr::eq(e, &a.value))))
                    .map(|i| i.and_then(|i| callee.dummies.get(i).copied()))
                    .collect()
            }
            None => vec![None; site.args.len()],
        };
        let changed: Option<Vec<SymId>> = proc.map(|p| {
            // An adjoint runs the callee's statements again, so it changes no other dummies than the callee does.
            let summary = self.effects.summaries.get(&p).cloned().unwrap_or_default();
            let fixed = self.effects.undefinable(self.b.program, p, site.args);
            let written = summary.access.writes.iter().map(|w| self.effects.locs.get(*w).sym);
            written.filter(|s| !fixed.contains(s)).collect()
        });
        for (arg, dummy) in site.args.iter().zip(dummies) {
            if let (Some(list), Some(dummy)) = (&changed, dummy)
                && !list.contains(&dummy)
            {
                continue;
            }
            if dummy.is_some_and(|d| self.associates_first(proc, d)) {
                continue;
            }
            let array = dummy.and_then(|s| self.b.program.var(s)).is_some_and(|v| !v.dims.is_empty());
            let sequence = array && (arg.value.rank == 0 || is_sizeless(self.b.program, &arg.value));
            let target = match proc.zip(dummy) {
                to if sequence => self.sequence(site, to, &arg.value),
                Some((callee, dummy)) => {
                    let call = (site.args, site.result);
                    let part = self.effects.changed_part(self.b.program, callee, call, (dummy, &arg.value));
                    part.filter(|part| !self.is_iterations_own(part)).unwrap_or_else(|| arg.value.clone())
                }
                None => arg.value.clone(),
            };
            match proc.zip(dummy).and_then(|of| self.changed_components(of, &target)) {
                Some(parts) => out.extend(parts.iter().flat_map(|part| self.targets_of(part)).collect::<Vec<_>>()),
                None => out.extend(self.targets_of(&target)),
            }
        }
        if let Some(e) = site.result {
            out.extend(self.targets_of(e));
        }
        if !matches!(site.callee, Callee::Intrinsic(_)) {
            self.targets_beside(site, proc, &mut out);
        }
        out
    }

    /// What a call may assign that isn't given to it.
    fn targets_beside(&mut self, site: &CallSite<'_>, proc: Option<ProcId>, out: &mut Vec<(Expr, LocSet)>) {
        let values = site.args.iter().map(|a| &a.value).chain(site.result);
        let passed: BTreeSet<SymId> = values.flat_map(symbols).collect();
        let beside = match proc {
            Some(p) => self.effects.summaries.get(&p).map(|s| s.access.writes.clone()).unwrap_or_default(),
            None if self.effects.inactive.contains(&site.stmt.id) => LocSet::new(),
            None => self.effects.reach.clone(),
        };
        for w in beside {
            let loc = self.effects.locs.get(w).clone();
            if loc.association || loc.root != Root::Variable || !self.shared(loc.sym) {
                self.unnamed_target(site, proc, w, out);
                continue;
            }
            // What another call of this procedure changes of its own dummies, arguments are given for.
            if proc.is_some_and(|p| self.b.program[p].dummies.contains(&loc.sym)) {
                continue;
            }
            let part = proc.filter(|_| !passed.contains(&loc.sym)).and_then(|callee| {
                let call = (site.args, site.result);
                self.effects.part_of_global(self.b.program, callee, call, (loc.sym, true))
            });
            if let Some(part) = part {
                out.extend(self.targets_of(&part));
            } else if self.shared(loc.sym)
                && !out.iter().any(|(e, _)| e.as_var().is_some_and(|d| d.sym == loc.sym && d.parts.is_empty()))
            {
                let leaves: LocSet = self.effects.locs.leaves(self.b.program, loc.sym, &[]).into_iter().collect();
                out.push((self.b.var(loc.sym), leaves));
            }
        }
    }

    /// True for elements between limits of an array of which directives give each iteration its own: it begins anew where that
    /// comes back as a whole.
    fn is_iterations_own(&self, part: &Expr) -> bool {
        let Some(d) = part.as_var() else { return false };
        let limited = |s: &Subscript| matches!(s, Subscript::Range { lo: Some(_), .. });
        let mut own = false;
        if let Some(body) = self.effects.bodies.get(&self.b.primal).filter(|_| d.subscripts().any(limited)) {
            for_each_stmt(body, &mut |s| {
                own |= s.followed().and_then(|p| p.evidence).is_some_and(|e| e.private.contains(&d.sym));
            });
        }
        own
    }

    /// The components of an object that a call changes, where it leaves others alone, and what has memory of its own has the
    /// same behind the call.
    fn changed_components(&mut self, (callee, dummy): (ProcId, SymId), object: &Expr) -> Option<Vec<Expr>> {
        let program = &*self.b.program;
        let (Base::Derived(ty) | Base::Class(ty)) = object.ty.base else { return None };
        let declared = program.var(dummy)?;
        if object.rank > 0 || declared.ty.derived() != Some(ty) || declared.rank() > 0 {
            return None;
        }
        let summary = self.effects.summaries.get(&callee)?;
        let of_dummy = |set: &LocSet| -> Vec<Loc> {
            set.iter().map(|w| self.effects.locs.get(*w)).filter(|l| l.sym == dummy).cloned().collect()
        };
        let locs = of_dummy(&summary.access.writes);
        if locs.iter().any(|l| !l.is_named()) || !of_dummy(&summary.access.shapes).is_empty() {
            return None;
        }
        let changed: BTreeSet<&Name> = locs.iter().map(|l| l.path.first()).collect::<Option<_>>()?;
        // Those of an array's elements needn't have one size.
        let single = object.as_var().is_some_and(|d| d.parts.iter().all(|p| matches!(p, Part::Component(_))));
        let components = all_components(program, ty);
        let kept = |c: &Component| {
            let number = matches!(c.var.ty.base, Base::Integer | Base::Real | Base::Complex | Base::Logical);
            let array = single && c.var.attrs.allocatable && number && c.var.rank() > 0;
            !c.var.attrs.pointer && (array || !c.var.attrs.allocatable && !holds_memory(program, c.var.ty))
        };
        let found: Vec<&&Component> = components.iter().filter(|c| changed.contains(&c.name)).collect();
        if found.len() != changed.len() || changed.len() == components.len() || !found.iter().all(|c| kept(c)) {
            return None;
        }
        let changed: Vec<Name> = found.into_iter().map(|c| c.name.clone()).collect();
        Some(changed.into_iter().map(|name| self.extend(object, &[name])).collect())
    }

    /// What an element that is passed to an array stands for: the whole array, or as many elements as the dummy has where
    /// the array's own size isn't known. That stays the whole array where their number isn't known either.
    fn sequence(&mut self, site: &CallSite<'_>, to: Option<(ProcId, SymId)>, actual: &Expr) -> Expr {
        let whole = actual.array();
        let Some((callee, dummy)) = to.filter(|_| is_sizeless(self.b.program, &whole)) else { return whole };
        let map = CallMap::new(self.b.program, callee, site.args, site.result);
        let Some(piece) = self.effects.piece(self.b.program, &map, (self.b.primal, callee), dummy, actual) else {
            return whole;
        };
        let (Some(length), mut section) = (piece.sequence.flatten(), piece.actual) else { return whole };
        let dims = whole.as_var().and_then(|d| resolve(self.b.program, d.sym, &d.path())).map(|v| v.dims.clone());
        let (Some(Part::Subscripts(list)), Some(dims)) = (section.parts.last_mut(), dims) else { return whole };
        if list.len() > 1
            && let Some(elements) = self.effects.told_elements(self.b.program, &map, callee, dummy)
            && self.strides_agree(&map, (callee, dummy), &dims)
            && elements.len() == list.len()
        {
            let to = |from: &Expr, n: &Expr| plus(&plus(from, n), &Expr::int(-1));
            for (s, n) in list.iter_mut().zip(&elements) {
                let Subscript::Index(from) = &*s else { return whole };
                *s = Subscript::Range { lo: Some(from.clone()), hi: Some(to(from, n)), step: None };
            }
            return Expr { kind: ExprKind::Var(section), rank: elements.len() as u8, ..actual.clone() };
        }
        if let [Subscript::Index(from)] = list.as_slice() {
            let last = plus(&plus(from, &length), &Expr::int(-1));
            *list = vec![Subscript::Range { lo: Some(from.clone()), hi: Some(last), step: None }];
            return Expr { kind: ExprKind::Var(section), rank: 1, ..actual.clone() };
        }
        let Some(leading) = self.whole_dimensions(list, &dims, &length) else { return whole };
        list[..leading].fill(Subscript::Range { lo: None, hi: None, step: None });
        Expr { kind: ExprKind::Var(section), rank: leading as u8, ..actual.clone() }
    }

    /// True where a dummy's elements stand in a row, a column and so on of the actual array: all its leading extents are those of
    /// this one.
    fn strides_agree(&self, map: &CallMap, (callee, dummy): (ProcId, SymId), dims: &[Dim]) -> bool {
        let leading = |dims: &[Dim]| dims.split_last().map(|(_, leading)| leading.to_vec());
        let own = self.b.program.var(dummy).and_then(|v| leading(&v.dims));
        let inside = own.and_then(|own| self.effects.extents_in_caller(self.b.program, map, callee, &own));
        let outside = leading(dims).and_then(|d| d.iter().map(|d| elements(std::slice::from_ref(d))).collect());
        inside.is_some_and(|list| Some(list) == outside)
    }

    /// The number of leading dimensions that a number of elements behind an element fills: `w(:, k)` for `n` elements from
    /// `w(1, k)` on, where `w` has the extents `n` and `*`.
    fn whole_dimensions(&self, list: &[Subscript], dims: &[Dim], length: &Expr) -> Option<usize> {
        let summary = self.effects.summaries.get(&self.b.primal)?;
        let changed = |s: SymId| summary.access.writes.iter().any(|l| self.effects.locs.get(*l).sym == s);
        let steady = |e: &Expr| !symbols(e).into_iter().any(changed);
        let begins = |(s, dim): &(&Subscript, &Dim)| {
            let Dim::Explicit(lo, hi) = dim else { return false };
            let lo = lo.clone().unwrap_or(Expr::int(1));
            matches!(s, Subscript::Index(e) if *e == lo) && steady(&lo) && steady(hi)
        };
        let most = list.iter().zip(dims).take_while(begins).count();
        (1..=most).find(|k| elements(&dims[..*k]).is_some_and(|n| n == *length))
    }

    /// True for a pointer that a callee associates before it uses it: it may be undefined at the call, and what it led to
    /// isn't touched by its name.
    fn associates_first(&mut self, callee: Option<ProcId>, dummy: SymId) -> bool {
        let pointer = self.b.program.var(dummy).is_some_and(|v| v.attrs.pointer);
        let Some(callee) = callee.filter(|_| pointer) else { return false };
        let cells = self.effects.locs.association(self.b.program, dummy, &[]);
        let summary = self.effects.summaries.get(&callee);
        summary.is_some_and(|s| cells.iter().all(|c| s.access.kills.contains(c) && !s.access.reads.contains(c)))
    }

    /// True for a variable of a module or of a host: one that a call may change beside its arguments, and that this procedure
    /// can name.
    fn shared(&self, sym: SymId) -> bool {
        let scope = self.b.program[sym].scope;
        let own = self.b.program[self.b.primal].scope;
        match self.b.program[scope].kind {
            ScopeKind::Module(_) => true,
            ScopeKind::Procedure(_) | ScopeKind::Inner => {
                scope == own || costate_analysis::effects::within(self.b.program, own, scope)
            }
            ScopeKind::Global => false,
        }
    }

    /// An association, or memory that pointers of a callee may reach, among what it changes.
    fn unnamed_target(&mut self, site: &CallSite<'_>, callee: Option<ProcId>, w: LocId, out: &mut Vec<(Expr, LocSet)>) {
        let loc = self.effects.locs.get(w).clone();
        let own = callee.map(|p| self.b.program[p].scope);
        let theirs = loc.root == Root::Variable && Some(self.b.program[loc.sym].scope) == own;
        // What only procedures without source know of is nothing that could be saved.
        if loc.root == Root::Variable && matches!(self.b.program[self.b.program[loc.sym].scope].kind, ScopeKind::Global)
        {
            return;
        }
        if loc.association {
            if theirs {
                // What actual arguments stand for a pointer, or hold it.
                let args = site.args.iter().map(|a| &a.value).chain(site.result);
                for e in args.filter(|e| e.as_var().is_some()).cloned().collect::<Vec<_>>() {
                    for (pointer, cells) in self.pointers_of_argument(&e) {
                        push_target(out, association(&pointer), cells);
                    }
                }
            } else if self.shared(loc.sym) && loc.root == Root::Variable {
                let whole = self.b.var(loc.sym);
                let pointer = self.extend(&whole, &loc.path);
                push_target(out, association(&pointer), LocSet::from([w]));
            }
            return;
        }
        if theirs || !self.may_exist(w) {
            return;
        }
        if let Some(actuals) = callee.and_then(|p| self.reached_by_dummies(site, p, w)) {
            for e in actuals {
                let element = e.as_var().is_some_and(|d| matches!(d.parts.last(), Some(Part::Subscripts(_))));
                let target = if element { e.array() } else { e };
                let locs = target.as_var().cloned().map(|d| self.leaves(&d)).unwrap_or_default();
                push_target(out, target, locs.into_iter().collect());
            }
            return;
        }
        let name = self.effects.locs.describe(self.b.program, w);
        self.problems.push(
            Diagnostic::error(Code::UnsupportedCall, site.stmt.origin.span(), "this call can't be differentiated")
                .reason(format!("it changes {name} through a pointer, which can't be saved here"))
                .help("pass the variable, or a pointer to it, as an argument"),
        );
    }

    /// The actual arguments of the pointer dummies by which a callee reaches memory, where it does so by nothing else.
    fn reached_by_dummies(&mut self, site: &CallSite<'_>, callee: ProcId, w: LocId) -> Option<Vec<Expr>> {
        let summary = self.effects.summaries.get(&callee).cloned().unwrap_or_default();
        let p = self.b.program[callee].clone();
        let bound: Vec<Option<Expr>> = bind(self.b.program, &p, site.args).into_iter().map(|e| e.cloned()).collect();
        let mut out = Vec::new();
        for &cell in &summary.access.reads {
            let loc = self.effects.locs.get(cell).clone();
            if !loc.association || !self.effects.locs.points_at(self.b.program, cell, &[w]) {
                continue;
            }
            let at = p.dummies.iter().position(|d| *d == loc.sym && loc.root == Root::Variable)?;
            if !self.effects.locs.is_certain_pointer(self.b.program, loc.sym, &loc.path) {
                return None;
            }
            let Some(actual) = bound.get(at).cloned().flatten().filter(|e| e.as_var().is_some()) else { continue };
            if loc.path.is_empty() {
                out.push(actual);
                continue;
            }
            let rank = costate_analysis::storage::resolve(self.b.program, loc.sym, &loc.path)?.rank();
            if actual.rank > 0 {
                return None;
            }
            out.push(Expr { rank, ..self.extend(&actual, &loc.path) });
        }
        // What no pointer from outside leads to is new.
        Some(out)
    }

    /// The pointers that an actual argument is or holds.
    fn pointers_of_argument(&mut self, e: &Expr) -> Vec<(Expr, LocSet)> {
        let Some(d) = e.as_var().cloned() else { return Vec::new() };
        let mut out = Vec::new();
        let own = self.effects.locs.association(self.b.program, d.sym, &d.path());
        if !own.is_empty() {
            out.push((e.clone(), own.into_iter().collect()));
        }
        for path in pointer_paths(self.b.program, e.ty) {
            let full: Vec<_> = d.path().into_iter().chain(path.iter().cloned()).collect();
            let cells = self.effects.locs.association(self.b.program, d.sym, &full);
            let mut part = self.extend(e, &path);
            part.rank = costate_analysis::storage::resolve(self.b.program, d.sym, &full).map_or(0, |v| v.rank());
            out.push((part, cells.into_iter().collect()));
        }
        out
    }

    /// False for a local variable of a procedure that isn't running while this one does.
    fn may_exist(&self, l: LocId) -> bool {
        let loc = self.effects.locs.get(l);
        if loc.root != Root::Variable {
            return true;
        }
        let home = self.b.program[loc.sym].scope;
        let owner = self.effects.bodies.keys().find(|p| self.b.program[**p].scope == home).copied();
        owner.is_none_or(|p| self.effects.reached(self.b.program, p).contains(&self.b.primal))
    }

    /// The adjoint of a call of a procedure with a generated adjoint.
    pub(in crate::reverse) fn adjoint_of_call(&mut self, site: &CallSite<'_>, signature: &Signature) -> CallAdjoint {
        let mut out = CallAdjoint::default();
        let program = &*self.b.program;
        let callee = program[signature.primal].clone();
        let map = CallMap::new(program, signature.primal, site.args, site.result);
        let summary = self.effects.summaries.get(&signature.primal).cloned().unwrap_or_default();
        let needs = signature.needs.clone().unwrap_or_else(|| summary.access.reads.clone());
        let clobbers = signature.clobbers.clone().unwrap_or_else(|| summary.access.writes.clone());
        let result = match callee.kind {
            ProcKind::Function(r) => Some(r),
            ProcKind::Subroutine | ProcKind::Program => None,
        };
        for (from, to) in [(&needs, &mut out.needs), (&clobbers, &mut out.clobbers), (&signature.after, &mut out.after)]
        {
            for l in from {
                // The adjoint of a function has a result of its own.
                if Some(self.effects.locs.get(*l).sym) != result {
                    to.extend(map.locs(self.effects, self.b.program, *l));
                }
            }
        }
        let bound = bind(self.b.program, &callee, site.args);
        let named = site.args.iter().any(|a| a.keyword.is_some()) || bound.iter().any(Option::is_none);
        let mut args = Vec::new();
        let mut passing = Passing::new(self, site, signature);
        for (dummy, actual) in callee.dummies.iter().zip(bound) {
            let Some(actual) = actual else { continue };
            let keyword = |s: SymId, r: &Self| named.then(|| r.b.program[s].name.clone());
            let value = signature.as_passed(self.b.program, *dummy, actual);
            if value != *actual {
                // Its value is used, whether the derivative does so or not.
                self.effects.reads(self.b.program, actual, &mut out.needs);
                if signature.derivative.contains(dummy) {
                    self.refuse_call(site, "a scalar with a derivative is passed for an array");
                }
            }
            args.push(Arg { keyword: keyword(*dummy, self), value });
            args.extend(twin_argument(self.b.program, signature, *dummy, (actual, named)));
            let derivative = match signature.derivative.contains(dummy) {
                true => self.derivative_argument(&mut passing, *dummy, actual),
                false if signature.takes_unread(self.b.program, *dummy) => {
                    self.unread_derivative(&mut passing, *dummy, actual)
                }
                false => continue,
            };
            let name = (named || signature.has_behind()).then(|| signature.names[dummy].clone());
            args.push(Arg { keyword: name, value: derivative });
        }
        if signature.result
            && let (ProcKind::Function(r), Some(result)) = (callee.kind, site.result)
        {
            let shadow = self.b.shadow_ref(result);
            let name = (named || signature.has_behind()).then(|| signature.names[&r].clone());
            args.push(Arg { keyword: name, value: shadow });
        }
        let args = signature.arranged(args);
        let target = Callee::Proc { sym: signature.sym, generic: None, operator: None };
        out.stmts = passing.before;
        let call = self.b.derive(StmtKind::Call { callee: target, args }, site.stmt, Role::Adjoint);
        if let (true, Some(r), Some(to)) = (signature.result, result, site.result)
            && let (0, Some(to)) = (to.rank, to.as_var())
            && self.leaves_of(r).iter().all(|l| summary.access.kills.contains(l))
            && to.parts.is_empty()
        {
            // A result that is always assigned hands its adjoint on as a whole.
            self.left_zero.insert(call.id, self.b.shadow_of(to.sym));
        }
        out.stmts.push(call);
        out.stmts.extend(passing.after);
        out.stmts.extend(self.zero_overwritten(site, signature, &map));
        // What stands in the argument list beside whole variables is evaluated again.
        let reads = self.argument_reads(site);
        out.needs.extend(reads);
        out
    }

    fn argument_reads(&mut self, site: &CallSite<'_>) -> LocSet {
        let mut out = LocSet::new();
        let proc = costate_analysis::effects::target(self.b.program, site.callee);
        self.effects.reads_of_passing(self.b.program, proc, site.args, &mut out);
        if let Some(d) = site.result.and_then(Expr::as_var) {
            self.effects.subscript_reads(self.b.program, d, &mut out);
        }
        out
    }

    pub(in crate::reverse) fn refuse_call(&mut self, site: &CallSite<'_>, why: &str) {
        self.problems.push(
            Diagnostic::error(Code::UnsupportedCall, site.stmt.origin.span(), "this call can't be differentiated")
                .reason(why.to_string())
                .help("assign the argument to a variable first"),
        );
    }

    /// Adjoints of what the callee overwrites with inactive values: the callee has no derivative of it to set to zero.
    fn zero_overwritten(&mut self, site: &CallSite<'_>, signature: &Signature, map: &CallMap) -> Vec<Stmt> {
        let summary = self.effects.summaries.get(&signature.primal).cloned().unwrap_or_default();
        let mut out = Vec::new();
        let mut seen = Vec::new();
        for w in &summary.access.kills {
            let sym = self.effects.locs.get(*w).sym;
            // What may be without memory is set to zero where it gets memory.
            if signature.storage.contains(w) || summary.access.shapes.contains(w) {
                continue;
            }
            let result = matches!(self.b.program[signature.primal].kind, ProcKind::Function(r) if r == sym);
            if signature.derivative.contains(&sym) || (result && signature.result) {
                continue;
            }
            for to in map.locs(self.effects, self.b.program, *w) {
                if !self.storage.contains(&to) || seen.contains(&to) {
                    continue;
                }
                seen.push(to);
                let loc = self.effects.locs.get(to).clone();
                if self.b.program[loc.sym].scope == self.b.program[signature.primal].scope {
                    continue;
                }
                let target = self.actual_of(site, &loc.sym).unwrap_or_else(|| self.b.var(loc.sym));
                if target.is_derived() {
                    continue;
                }
                let shadow = self.b.shadow_ref(&target);
                let zero = Expr::zero(shadow.ty);
                let cleared = vec![self.b.assign(shadow, zero, site.stmt, Role::Adjoint)];
                out.extend(self.where_present(&target, (cleared, Vec::new()), site.stmt).0);
            }
        }
        out
    }

    fn actual_of(&self, site: &CallSite<'_>, sym: &SymId) -> Option<Expr> {
        let args = site.args.iter().map(|a| &a.value).chain(site.result);
        args.into_iter().find(|e| e.as_var().is_some_and(|d| d.sym == *sym)).cloned()
    }
}
