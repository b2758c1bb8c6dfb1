//! Which calls can be reversed in two halves: what is known before any adjoint is built.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::activity::ContextId;
use costate_analysis::effects::{bind, outlives};
use costate_analysis::storage::{LocSet, Overlap, overlap};
use costate_grammar::ir::{Expr, LoopControl, ParentUnit, ProcId, ProcKind, Stmt, StmtId, StmtKind};

use crate::call_form::CallForm;
pub use crate::call_form::CallForms;
use crate::interface::call_parts;
use crate::mode::Layout;
use crate::plan::CallChoice;
use crate::reverse::{Around, keepable, loop_around};
use crate::session::Session;

impl Session<'_> {
    /// Decides for every call of every context.
    pub(crate) fn choose_forms(&mut self) {
        if self.whole_calls.is_empty() {
            for (i, context) in self.activity.contexts.clone().iter().enumerate() {
                let body = self.effects.bodies.get(&context.proc).cloned().unwrap_or_default();
                let mut found = BTreeMap::new();
                self.whole_calls_in(&body, (&mut Vec::new(), false), &context.callees, &mut found);
                self.whole_calls.insert(ContextId(i as u32), found);
            }
        }
        // Messages are passed once, in the forward sweep.
        let passes = |s: &Self, id: ContextId, call: StmtId| {
            let callee = s.activity.get(id).callees.get(&call).map(|c| s.activity.get(*c).proc);
            callee.is_some_and(|p| s.communicates(p))
        };
        let mut forms = BTreeMap::new();
        for (id, calls) in &self.whole_calls {
            let form =
                |call: StmtId, why: Option<&'static str>| match (why, self.choices.call(call).unwrap_or_default()) {
                    (Some(why), _) => CallForm::Whole(why),
                    (None, CallChoice::Joint) if passes(self, *id, call) => CallForm::Split,
                    (None, CallChoice::Split) => CallForm::Split,
                    (None, CallChoice::Joint) => CallForm::Joint,
                };
            let own = calls.iter().map(|(call, why)| (*call, form(*call, *why))).collect();
            forms.insert(*id, own);
        }
        self.forms.extend(forms);
    }

    /// Notes for each call why it can't be split, if it can't. `chain` are the loops around the block, outermost first;
    /// `shared`: threads may share it out.
    fn whole_calls_in(
        &mut self,
        block: &[Stmt],
        (chain, shared): (&mut Vec<Around>, bool),
        callees: &BTreeMap<StmtId, ContextId>,
        found: &mut BTreeMap<StmtId, Option<&'static str>>,
    ) {
        for stmt in block {
            if let Some(child) = callees.get(&stmt.id) {
                found.insert(stmt.id, self.unsplit(*child, stmt, (chain, shared)));
            }
            let inside = chain.len();
            chain.extend(loop_around(self.program, &mut self.effects, stmt));
            let shared = shared || is_shared_out(stmt);
            stmt.blocks().into_iter().for_each(|b| self.whole_calls_in(b, (chain, shared), callees, found));
            chain.truncate(inside);
        }
    }

    /// True when some call asks for a context's adjoint in two halves, or for the whole.
    pub(crate) fn is_called(&self, id: ContextId, split: bool) -> bool {
        self.activity.contexts.iter().enumerate().any(|(i, c)| {
            let forms = &self.forms[&ContextId(i as u32)];
            let form = |s: &StmtId| forms.get(s).copied().unwrap_or(CallForm::Joint);
            c.callees.iter().any(|(s, child)| *child == id && (form(s) == CallForm::Split) == split)
        })
    }

    /// Why a call can't be split, if it can't.
    fn unsplit(&mut self, child: ContextId, stmt: &Stmt, (chain, shared): (&[Around], bool)) -> Option<&'static str> {
        let callee = self.activity.get(child).proc;
        // Where one thread runs the loops, records are a stack.
        self.whole_callee(child, callee).or_else(|| self.whole_site(callee, stmt)).or_else(|| {
            (shared && !keepable(self.program, chain))
                .then_some("the number of its records isn't known before the loops around it")
        })
    }

    pub(crate) fn whole_callee(&mut self, child: ContextId, callee: ProcId) -> Option<&'static str> {
        let p = self.program[callee].clone();
        let summary = self.effects.summaries.get(&callee).cloned().unwrap_or_default();
        let mut sizes = LocSet::new();
        self.effects.declaration_reads(self.program, callee, &mut sizes);
        if self.effects.externals.contains_key(&callee) {
            Some("its derivative is given")
        } else if self.signatures.get(&child).is_some_and(|s| !s.twins.is_empty()) {
            Some("it calls what is passed to it")
        } else if self.activity.get(child).head {
            Some("the procedure is a head")
        } else if self.activity.calls.is_recursive(child) {
            Some("the procedure is recursive")
        } else if !matches!(p.parent, ParentUnit::Module(_)) && !self.is_housed(callee) {
            Some("only procedures of modules are split")
        } else if !p.internals.is_empty() {
            Some("the procedure has internal procedures")
        } else if !summary.access.shapes.is_empty() {
            Some("the procedure allocates or frees what isn't its own")
        } else if !sizes.is_disjoint(&summary.access.writes) {
            Some("the procedure changes what its variables are declared with")
        } else if self.options.layout == Layout::Extend && !self.module_names_types(callee) {
            Some("the procedure's module doesn't have the types that a record would hold")
        } else {
            None
        }
    }

    /// True when the module of a procedure has a name for the type of each of the procedure's objects.
    fn module_names_types(&self, callee: ProcId) -> bool {
        let ParentUnit::Module(module) = self.program[callee].parent else { return false };
        let outside = &self.program[self.program[module].scope].names;
        let types = self.program[self.program[callee].scope].names.values();
        let mut types = types.filter_map(|s| self.program.var(*s)?.ty.derived());
        types.all(|t| outside.values().any(|s| *s == t))
    }

    /// What stands in the way at the place of the call.
    fn whole_site(&mut self, callee: ProcId, stmt: &Stmt) -> Option<&'static str> {
        let (args, result) = call_parts(stmt)?;
        if self.program[callee].prefix.elemental && args.iter().any(|a| a.value.rank > 0) {
            return Some("an elemental procedure is called for arrays");
        }
        let (ProcKind::Function(r), Some(to)) = (self.program[callee].kind, result) else { return None };
        let v = self.program.var(r)?;
        if v.ty != to.ty || v.rank() != to.rank {
            return Some("the result is assigned to a variable of another type or rank");
        }
        if v.attrs.allocatable {
            return Some("the procedure allocates or frees what isn't its own");
        }
        let clash = "the result is assigned to a variable that the procedure uses";
        let Some(d) = to.as_var() else { return Some(clash) };
        let passed: Vec<&Expr> = bind(self.program, &self.program[callee], args).into_iter().flatten().collect();
        let shared = passed.iter().any(|e| e.as_var().is_some_and(|p| overlap(self.program, p, d) != Overlap::Apart));
        let summary = self.effects.summaries.get(&callee).cloned().unwrap_or_default();
        let own: BTreeSet<_> = self.effects.locs.of(self.program, d).into_iter().collect();
        let outer = summary.access.reads.union(&summary.access.writes);
        let global =
            outer.into_iter().any(|l| own.contains(l) && outlives(self.program, callee, self.effects.locs.get(*l).sym));
        (shared || global).then_some(clash)
    }
}

/// True for what threads may share out, iterations or regions.
fn is_shared_out(stmt: &Stmt) -> bool {
    let concurrent = matches!(&stmt.kind, StmtKind::Do { control: LoopControl::Concurrent { .. }, .. });
    concurrent || stmt.is_region() || stmt.followed().is_some()
}
