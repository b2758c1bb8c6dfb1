//! Calls that are reversed in two halves: in the forward sweep a procedure that keeps a record of what its adjoint needs,
//! in the backward sweep one that runs the adjoint from the record. Nothing of the callee runs twice.

use costate_analysis::effects::{CallMap, bind};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    AllocItem, Arg, Base, Block, Callee, Component, Designator, Expr, ExprKind, Name, Part, ProcKind, Role, Stmt,
    StmtKind, SymId, SymbolKind, Ty, Variable, map_expr,
};

use crate::call_form::CallForm;
use crate::communication::{runs_again, runs_once};
use crate::interface::{HalvesOf, Signature};
use crate::plan::{Site, SiteKind};
use crate::reverse::Reverse;
use crate::reverse::emit::around::{Around, loop_extents};
use crate::reverse::tree::call_site::{CallAdjoint, CallSite};
use crate::reverse::tree::decisions::SplitCall;
use crate::reverse::tree::node::Leaf;

impl SplitCall {
    /// True for a call of this forward half's procedure.
    pub(in crate::reverse) fn is(&self, stmt: &Stmt) -> bool {
        let called = |s: &Stmt| match &s.kind {
            StmtKind::Call { callee: Callee::Proc { sym, .. }, .. } => Some(*sym),
            _ => None,
        };
        called(stmt).is_some() && called(stmt) == called(&self.forward)
    }
}

impl Leaf {
    /// True when the values that a split call overwrites can be brought back after its backward half, which uses none of
    /// them.
    pub(in crate::reverse) fn restores_late(&self) -> bool {
        self.split.is_some() && !self.saves.iter().any(|e| self.uses_as_before(e))
    }

    /// True where its adjoint uses the value that a target has before the statement.
    fn uses_as_before(&self, target: &Expr) -> bool {
        self.targets.iter().any(|(t, locs)| t == target && !locs.is_disjoint(&self.needs))
    }

    /// Whether the value of a target is brought back before the adjoint. One that uses the result of its statement runs before
    /// that is lost. Only a given adjoint of a call may use some values of before beside others of after; a backward half uses
    /// all as they are left. That of an assignment uses of an array's other elements what they have before and after.
    pub(in crate::reverse) fn restores_first(&self, target: &Expr) -> bool {
        let assigns = matches!(self.stmt.kind, StmtKind::Assign { .. });
        let both = self.split.is_none() && !self.after.is_empty() && !assigns;
        !self.by_result || both && self.uses_as_before(target)
    }

    /// What is copied before its adjoint and brought back after it. What is restored late needs no copy.
    pub(in crate::reverse) fn kept_aside(&self) -> impl Iterator<Item = &Expr> {
        self.preserve.iter().filter(|e| !(self.restores_late() && self.saves.contains(e)))
    }
}

impl Reverse<'_, '_> {
    /// The halves by which a call is reversed; `None` when it is reversed in one piece.
    pub(in crate::reverse) fn halves_for(
        &mut self,
        site: &CallSite<'_>,
        signature: &Signature,
        leaf: &mut Leaf,
    ) -> Option<HalvesOf> {
        let form = self.forms.get(&site.stmt.id).copied().unwrap_or(CallForm::Joint);
        if let CallForm::Whole(why) = form {
            leaf.whole = Some(why);
            return None;
        }
        // Where nothing runs again there is nothing to gain.
        if signature.repeats {
            let kind = SiteKind::Call(self.b.program[signature.primal].name.clone());
            self.sites.push(Site { stmt: site.stmt.id, origin: site.stmt.origin, kind, readers: Vec::new() });
        }
        if form == CallForm::Joint {
            return None;
        }
        if signature.halves.is_none() {
            leaf.whole = signature.whole;
            if signature.external.is_none() && runs_once(self.b.program, self.effects, signature.primal) {
                let why = signature.whole.unwrap_or("what it keeps isn't known");
                let d = runs_again(self.b.program, signature.primal, site.stmt, why);
                self.problems.push(d);
            }
        }
        signature.halves.clone()
    }

    /// A call in two halves: notes the forward one and returns the backward one.
    pub(in crate::reverse) fn split_call(
        &mut self,
        site: &CallSite<'_>,
        signature: &Signature,
        halves: &HalvesOf,
        leaf: &mut Leaf,
    ) -> CallAdjoint {
        let ty = Ty::new(Base::Derived(halves.record), 0);
        let mut var = Variable::scalar(ty, "");
        var.spelling_uses = vec![halves.record];
        let name = format!("{}_kept", self.b.program[signature.primal].name);
        let record = self.b.add(&name, var);
        self.records.insert(record);
        let mut adjoint = self.adjoint_of_call(site, &signature.of_backward_half(halves.backward, &halves.uses));
        for s in &mut adjoint.stmts {
            if let StmtKind::Call { callee: Callee::Proc { sym, .. }, args } = &mut s.kind
                && *sym == halves.backward
            {
                let named = args.iter().any(|a| a.keyword.is_some());
                args.push(Arg { keyword: named.then(|| halves.dummy.clone()), value: self.b.var(record) });
            }
        }
        let map = CallMap::new(self.b.program, signature.primal, site.args, site.result);
        let reads = halves.uses.reads.iter().flat_map(|l| map.locs(self.effects, self.b.program, *l)).collect();
        let forward = self.forward_half(site, signature, halves, record);
        leaf.split = Some(SplitCall { forward, record, reads });
        adjoint
    }

    /// The adjoint of a call by what the call leaves, where nothing else is asked of it in the forward sweep and it uses
    /// nothing of what the call overwrites.
    pub(in crate::reverse) fn adjoint_by_what_is_left(
        &mut self,
        site: &CallSite<'_>,
        signature: &Signature,
        leaf: &Leaf,
    ) -> Option<CallAdjoint> {
        let of = signature.backward.as_ref()?;
        let elemental = self.b.program[signature.primal].prefix.elemental;
        if leaf.forward.is_some() || leaf.associates || !leaf.reshaped.is_empty() || elemental {
            return None;
        }
        let adjoint = self.adjoint_of_call(site, &signature.of_backward_half(of.sym, &of.uses));
        let apart = adjoint.after.is_empty() || adjoint.needs.is_disjoint(&leaf.access.writes);
        apart.then_some(adjoint)
    }

    fn forward_half(&mut self, site: &CallSite<'_>, signature: &Signature, halves: &HalvesOf, record: SymId) -> Stmt {
        let callee = &self.b.program[signature.primal];
        let bound = bind(self.b.program, callee, site.args);
        let named = site.args.iter().any(|a| a.keyword.is_some()) || bound.iter().any(Option::is_none);
        let word = |s: SymId| named.then(|| self.b.program[s].name.clone());
        let passed = callee.dummies.iter().zip(bound).filter_map(|(d, e)| Some((*d, e?)));
        let mut args: Vec<Arg> = passed.map(|(d, e)| Arg { keyword: word(d), value: e.clone() }).collect();
        if let (ProcKind::Function(r), Some(to)) = (callee.kind, site.result) {
            args.push(Arg { keyword: word(r), value: to.clone() });
        }
        args.push(Arg { keyword: named.then(|| halves.dummy.clone()), value: self.b.var(record) });
        let callee = Callee::Proc { sym: halves.forward, generic: None, operator: None };
        let mut call = self.b.derive(StmtKind::Call { callee, args }, site.stmt, Role::Forward);
        call.leading = site.stmt.leading.clone();
        call.trailing = site.stmt.trailing.clone();
        call
    }

    /// Both halves, with the record of the present iteration of the loops around them.
    /// `lasting`: they run again for other iterations of a loop around these.
    pub(in crate::reverse) fn place_record(
        &mut self,
        split: &SplitCall,
        l: &Leaf,
        chain: &[Around],
        lasting: bool,
    ) -> (Block, Block) {
        let bounds = loop_extents(self.b.program, chain).unwrap_or_else(|| open_extents(chain));
        self.hold_record(split.record, l, bounds, chain);
        let (mut forward, mut backward) = (split.forward.clone(), Block::clone(&l.adjoint));
        if chain.is_empty() {
            return (vec![forward], backward);
        }
        let Some(subscripts) = self.slot_of_iterations(split.record, chain, lasting) else {
            if chain.iter().all(|a| a.shared.is_none()) {
                return self.on_stack(split, l);
            }
            // Threads would take each other's records from a stack.
            self.problems.push(
                Diagnostic::error(Code::UnsupportedCall, l.stmt.origin.span(), "this call can't be split")
                    .reason("the number of its records isn't known before the loops around it")
                    .help("leave it joint"),
            );
            return (vec![forward], backward);
        };
        let parts = vec![Part::Subscripts(subscripts)];
        let place = |x: Expr| match x.as_var() {
            Some(d) if d.sym == split.record => {
                let d = Designator { sym: d.sym, parts: parts.clone() };
                Expr { kind: ExprKind::Var(d), rank: 0, ..x }
            }
            _ => x,
        };
        for s in backward.iter_mut().chain([&mut forward]) {
            s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut |x| place(x)));
        }
        (vec![forward], backward)
    }

    /// Both halves where nobody knows how often they run: records are a stack, each with a pointer to the one before.
    fn on_stack(&mut self, split: &SplitCall, l: &Leaf) -> (Block, Block) {
        let previous = self.link(split.record);
        let mut var = self.b.program.var(split.record).cloned().unwrap_or_else(|| Variable::scalar(Ty::NONE, ""));
        var.attrs.pointer = true;
        if let SymbolKind::Variable(v) = &mut self.b.program[split.record].kind {
            v.attrs.pointer = true;
        }
        let name = format!("{}_before", self.b.program[split.record].name);
        let before = self.b.add(&name, var);
        self.add_slot(split.record, Vec::new());
        let (top, before) = (self.b.var(split.record), self.b.var(before));
        let place = Designator { sym: split.record, parts: vec![Part::Component(previous)] };
        let link = Expr::new(ExprKind::Var(place), top.ty, 0);
        let mut point = |to: &Expr, at: &Expr, role| {
            let kind = StmtKind::PointerAssign { lhs: to.clone(), rhs: at.clone() };
            self.b.derive(kind, &l.stmt, role)
        };
        let mut forward = vec![point(&before, &top, Role::Storage)];
        let linked = point(&link, &before, Role::Storage);
        let mut rest = vec![point(&before, &link, Role::Storage)];
        let popped = point(&top, &before, Role::Storage);
        forward.push(self.allocate(&AllocItem { object: top.clone(), shape: Vec::new() }, &l.stmt));
        forward.extend([linked, split.forward.clone()]);
        rest.extend([self.free(top, &l.stmt), popped]);
        (forward, Block::clone(&l.adjoint).into_iter().chain(rest).collect())
    }

    /// The component of a record that points to the one before it.
    fn link(&mut self, record: SymId) -> Name {
        let ty = self.b.program.var(record).map(|v| v.ty).unwrap_or(Ty::NONE);
        let name = Name::new("previous_record");
        let Some(SymbolKind::Type(t)) = ty.derived().map(|t| &mut self.b.program[t].kind) else { return name };
        if t.components.iter().all(|c| c.name != name) {
            let mut var = Variable::scalar(ty, "");
            var.attrs.pointer = true;
            var.spelling_uses = ty.derived().into_iter().collect();
            t.components.push(Component::new(name.clone(), var));
        }
        name
    }
}

/// Bounds of loops of which nobody knows how often they run.
fn open_extents(chain: &[Around]) -> Vec<(Expr, Expr)> {
    chain.iter().rev().map(|a| (a.lo.clone(), a.hi.clone())).collect()
}
