//! Arrays of whose elements no two iterations of a loop touch the same: `t(i) = t(i)*exp(-t(i))`, or a column that a call
//! works on. What an iteration assigns is then of no use to the iterations after it, nor to their adjoints.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::dependence::meeting;
use costate_analysis::dependence::mentions::for_each_value;
use costate_analysis::dependence::segments::Iterations;
use costate_analysis::effects::{bind, call_parts, target};
use costate_analysis::loops::assigned;
use costate_analysis::sections::scene::calls;
use costate_analysis::storage::{is_global, symbols};
use costate_grammar::ir::{Designator, Expr, LoopControl, Stmt, StmtKind, SymId};

use crate::reverse::Reverse;
use crate::reverse::tree::node::{Loop, Node, writes};

/// The references of a loop's body to arrays.
#[derive(Default)]
struct References {
    /// By array; those that assign first.
    of: BTreeMap<SymId, [Vec<Designator>; 2]>,
    /// Arrays that are touched in a way that isn't looked into.
    opaque: BTreeSet<SymId>,
}

impl References {
    fn read(&mut self, e: &Expr) {
        for_each_value(e, &mut |x| {
            if let Some(d) = x.as_var() {
                self.of.entry(d.sym).or_default()[1].push(d.clone());
            }
        });
    }

    fn assign(&mut self, e: &Expr) {
        e.children().into_iter().for_each(|x| self.read(x));
        match e.as_var() {
            Some(d) => self.of.entry(d.sym).or_default()[0].push(d.clone()),
            None => self.opaque.extend(symbols(e)),
        }
    }
}

impl Reverse<'_, '_> {
    /// Notes for every loop the arrays that its iterations have elements of their own of.
    pub(in crate::reverse) fn find_disjoint(&mut self, nodes: &mut [Node]) {
        if self.b.shares_locals() {
            return;
        }
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_disjoint(a)),
                Node::Loop(l) => {
                    for sym in self.disjoint(l) {
                        l.disjoint.extend(self.effects.locs.leaves(self.b.program, sym, &[]));
                    }
                    self.find_disjoint(&mut l.body);
                }
            }
        }
    }

    fn disjoint(&mut self, l: &Loop) -> Vec<SymId> {
        let (StmtKind::Do { body, control: LoopControl::Count { step, .. }, .. }, Some(var)) =
            (&l.stmt.kind, l.range.var)
        else {
            return Vec::new();
        };
        let mut moving = assigned(body);
        moving.extend(writes(&l.body).iter().map(|x| self.effects.locs.get(*x).sym));
        if moving.contains(&var) {
            return Vec::new();
        }
        let mut found = References::default();
        self.references(body, &mut found);
        let scene = self.b.scene();
        let one = Expr::int(1);
        let iterations = Iterations { scene: &scene, var, step: step.as_ref().unwrap_or(&one), moving: &moving };
        let own = |(sym, [assigning, reading]): (&SymId, &[Vec<Designator>; 2])| {
            let section = |d: &Designator| scene.section(d).map(|(section, _)| section);
            let apart = |a: &Designator, b: &Designator| {
                let segments = || section(a).zip(section(b)).is_some_and(|(x, y)| iterations.have_segments(&x, &y));
                meeting(a, b, var, &moving).in_one_iteration() || segments()
            };
            let plain = scene.plain_array(*sym) && !found.opaque.contains(sym) && !assigning.is_empty();
            plain && assigning.iter().all(|a| assigning.iter().chain(reading).all(|b| apart(a, b)))
        };
        found.of.iter().filter(|entry| own(*entry)).map(|(sym, _)| *sym).collect()
    }

    /// Collects the references of a block.
    fn references(&mut self, block: &[Stmt], found: &mut References) {
        for s in block {
            match &s.kind {
                _ if call_parts(s).is_some_and(|(c, ..)| target(self.b.program, c).is_some()) => self.called(s, found),
                StmtKind::Assign { lhs, rhs } if !calls(s) => {
                    found.assign(lhs);
                    found.read(rhs);
                }
                StmtKind::If { .. } | StmtKind::Select { .. } | StmtKind::Do { .. } if !calls(s) && !s.is_region() => {
                    s.exprs().into_iter().for_each(|e| found.read(e));
                    if let StmtKind::Select { arms, .. } = &s.kind {
                        let ranges = arms.iter().flat_map(|a| &a.ranges);
                        ranges.flat_map(|r| r.exprs()).for_each(|e| found.read(e));
                    }
                    s.blocks().into_iter().for_each(|b| self.references(b, found));
                }
                _ => {
                    found.opaque.extend(s.exprs().into_iter().flat_map(symbols));
                    let access = self.effects.access(self.b.program, s);
                    let touched = access.reads.iter().chain(&access.writes);
                    found.opaque.extend(touched.map(|x| self.effects.locs.get(*x).sym));
                    s.blocks().into_iter().for_each(|b| self.references(b, found));
                }
            }
        }
    }

    /// Collects the references of a call: of an array that is passed as a whole the part that the callee refers to.
    fn called(&mut self, s: &Stmt, found: &mut References) {
        let Some((callee, args, result)) = call_parts(s) else { return };
        let Some(proc) = target(self.b.program, callee) else { return };
        let access = self.effects.access(self.b.program, s);
        let touched = access.reads.iter().chain(&access.writes).map(|x| self.effects.locs.get(*x).sym);
        let mut beside: BTreeSet<SymId> = touched.collect();
        result.into_iter().for_each(|e| found.assign(e));
        let passed: Vec<Option<Expr>> =
            bind(self.b.program, &self.b.program[proc], args).into_iter().map(|e| e.cloned()).collect();
        let dummies = self.b.program[proc].dummies.clone();
        for (dummy, e) in dummies.iter().zip(&passed) {
            let Some(e) = e else { continue };
            let array = self.b.program.var(*dummy).is_some_and(|v| !v.dims.is_empty());
            let Some(d) = e.as_var().cloned().filter(|_| !e.is_derived()) else {
                found.read(e);
                continue;
            };
            e.children().into_iter().for_each(|x| found.read(x));
            beside.remove(&d.sym);
            if array && e.rank == 0 {
                // The dummy may have more elements.
                found.opaque.insert(d.sym);
            } else if d.parts.is_empty() && array {
                match self.effects.touched_part(self.b.program, proc, (args, result), (*dummy, e)) {
                    Some(part) => found.assign(&part),
                    None => found.assign(e),
                }
            } else {
                found.assign(e);
            }
        }
        // What the callee reaches otherwise, in modules say.
        let passed = passed.iter().flatten().flat_map(symbols).collect::<BTreeSet<_>>();
        let named = |x: &SymId| passed.contains(x) || result.is_some_and(|e| symbols(e).contains(x));
        for sym in beside.iter().filter(|x| !named(x)) {
            match self.effects.part_of_global(self.b.program, proc, (args, result), (*sym, false)) {
                Some(part) => found.assign(&part),
                None => _ = found.opaque.insert(*sym),
            }
        }
        // It may refer to what it is passed by its own name, too.
        let twice = passed.into_iter().filter(|x| self.b.program[*x].scope != self.b.scope);
        found.opaque.extend(twice.filter(|x| is_global(self.b.program, *x) && self.effects.refers_to(proc, *x)));
    }
}
