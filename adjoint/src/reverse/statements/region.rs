//! Regions of OpenMP and OpenACC, and loops whose iterations they share out.

use std::rc::Rc;

use costate_analysis::effects::{inner_calls, target};
use costate_analysis::loops::assigned;
use costate_analysis::normal::kind::{Call, Kind, kind};
use costate_grammar::diag::Code;
use costate_grammar::ir::{Expr, Stmt, for_each_stmt};

use crate::region::{self, Surroundings};
use crate::reverse::Reverse;
use crate::reverse::emit::around::is_sizeless;
use crate::reverse::tree::call_site::CallSite;
use crate::reverse::tree::node::{Leaf, Node};

impl Reverse<'_, '_> {
    /// A region without derivatives, which the sweeps run or leave out as a whole.
    pub(in crate::reverse) fn region(&mut self, stmt: &Stmt) -> Option<Node> {
        let around = Surroundings { program: self.b.program, context: self.context, storage: self.storage };
        let passing = match region::passing(&around, self.effects, stmt) {
            Ok(passing) => passing,
            Err((reason, help)) => {
                self.refuse_region(stmt, &reason, help);
                return None;
            }
        };
        let mut leaf = Leaf::new(stmt.clone(), passing.access);
        for sym in passing.zeroed {
            let e = self.b.var(sym);
            Rc::make_mut(&mut leaf.adjoint).extend(self.zero_reference(&e, stmt));
        }
        leaf.needs = self.primal_reads(&leaf.adjoint);
        let Some(targets) = self.region_targets(stmt) else {
            self.refuse_region(
                stmt,
                "the region of a directive assigns parts of an object that can't be named outside of it",
                "assign arrays of numbers in it, or remove the directive",
            );
            return None;
        };
        for e in &targets {
            leaf.add_targets(self.targets_of(e));
        }
        self.note_ways_to_targets(&mut leaf);
        Some(Node::Leaf(Box::new(leaf)))
    }

    fn refuse_region(&mut self, stmt: &Stmt, reason: &str, help: &str) {
        let at = Stmt { origin: stmt.start(), ..stmt.clone() };
        self.refuse(&at, Code::UnsupportedDirective, reason, help);
    }

    /// The variables by which the values are saved that a region overwrites; `None` where one has no name or no extent
    /// outside.
    pub(in crate::reverse) fn region_targets(&mut self, stmt: &Stmt) -> Option<Vec<Expr>> {
        let mut out = region::assigned_whole(stmt)?;
        out.extend(region::loop_variables(stmt).into_iter().map(|v| self.b.var(v)));
        let mut all: Vec<&Stmt> = Vec::new();
        for_each_stmt(std::slice::from_ref(stmt), &mut |s| all.push(s));
        for s in all {
            let mut found = Vec::new();
            if let Kind::Call(Call { callee, args, result }) = kind(s) {
                let site = CallSite { stmt: s, callee, args, result: result.map(|r| r.to) };
                found.extend(self.call_targets(&site));
            }
            for (callee, args) in inner_calls(s) {
                // One that isn't known was refused.
                if target(self.b.program, callee).is_some() {
                    found.extend(self.call_targets(&CallSite { stmt: s, callee, args, result: None }));
                }
            }
            out.extend(found.into_iter().map(|(e, _)| e.array()));
        }
        let changing = assigned(std::slice::from_ref(stmt));
        let named = |e: &Expr| region::stands_still(e, &changing) && !is_sizeless(self.b.program, e);
        let mut once: Vec<Expr> = Vec::new();
        for e in out {
            if !named(&e) {
                return None;
            }
            if !once.contains(&e) {
                once.push(e);
            }
        }
        Some(once)
    }
}
