//! Activity: active = varied ∧ useful, per leaf of storage, sensitive to flow and to the calling context.
//!
//! A context of a procedure is what is varied at its entry and useful at its exit. What that makes varied and useful within
//! it are two problems of dataflow (`dataflow/varied.rs`, `dataflow/useful.rs`). They use the dependence summaries of callees,
//! so they are exact about which inputs reach which outputs of a call.

use std::collections::BTreeMap;
use std::rc::Rc;

use costate_grammar::ir::{ExprKind, ProcId, Program, Stmt, StmtId, StmtKind};
use indexmap::IndexMap;

use crate::callgraph::CallGraph;
use crate::dataflow::engine::solve;
use crate::dataflow::graph::of_body;
use crate::dataflow::useful::Useful;
use crate::dataflow::varied::Varied;
use crate::effects::{CallMap, Effects, Summary, target};
use crate::storage::{LocBits, LocId, LocSet};

/// Number of a context in [`Activity::contexts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContextId(pub u32);

/// Facts of one procedure in one context.
#[derive(Clone, Debug)]
pub struct Context {
    /// The procedure.
    pub proc: ProcId,
    /// True when a user's head asked for it; its derivative dummies are fixed by the head.
    pub head: bool,
    /// Varied at entry.
    pub varied_in: LocSet,
    /// Useful at exit.
    pub useful_out: LocSet,
    /// Varied before each leaf statement.
    pub varied: BTreeMap<StmtId, Rc<LocBits>>,
    /// Useful after each leaf statement.
    pub useful: BTreeMap<StmtId, Rc<LocBits>>,
    /// Locations that are varied and useful at some point.
    pub active: LocSet,
    /// Context of the callee of each call statement that has something varied or useful about it.
    pub callees: BTreeMap<StmtId, ContextId>,
    /// Varied at exit.
    pub varied_out: LocSet,
}

impl Context {
    /// The same for a procedure of which only the declaration is known.
    fn solve_declared(&mut self, summary: &Summary) {
        let kept = |l: &LocId| !summary.access.kills.contains(l);
        let depends = summary.depends.iter();
        let from_varied = |(_, from): &(&LocId, &Rc<LocBits>)| from.iter().any(|l| self.varied_in.contains(&l));
        let reached = depends.clone().filter(from_varied).map(|(to, _)| *to);
        let varied_out: LocSet = self.varied_in.iter().copied().filter(kept).chain(reached).collect();
        let for_useful = depends.filter(|(to, _)| self.useful_out.contains(to)).flat_map(|(_, from)| from.iter());
        let useful_in: LocSet = self.useful_out.iter().copied().filter(kept).chain(for_useful).collect();
        let before = useful_in.intersection(&self.varied_in);
        self.active = before.chain(varied_out.intersection(&self.useful_out)).copied().collect();
        self.varied_out = varied_out;
    }

    /// Finds what is varied, useful and active in the body.
    fn solve(&mut self, program: &Program, effects: &mut Effects, body: &[Stmt]) {
        let graph = of_body(body);
        let depends = &effects.dependences(program, &graph);
        let [entry, exit] = [&self.varied_in, &self.useful_out].map(|set| Rc::new(bits(set)));
        let mut varied = Varied { depends, entry: Rc::clone(&entry), before: BTreeMap::new() };
        let varied_out = solve(&graph, &mut varied).unwrap_or_default();
        self.varied = varied.before;
        let mut useful = Useful {
            depends,
            exit: Rc::clone(&exit),
            varied: &self.varied,
            after: BTreeMap::new(),
            active: LocBits::default(),
        };
        let useful_in = solve(&graph, &mut useful).unwrap_or_default();
        let Useful { after, active, .. } = useful;
        self.useful = after;
        self.active = active.iter().chain(useful_in.common(&entry)).chain(varied_out.common(&exit)).collect();
        self.varied_out = varied_out.iter().collect();
    }
}

/// Facts of all procedures in all their contexts.
#[derive(Debug, Default)]
pub struct Activity {
    /// All contexts, heads first.
    pub contexts: Vec<Context>,
    /// Associations of pointers through which derivatives pass. A procedure that changes one has a derivative.
    pub carrying: LocSet,
    /// Which context calls which.
    pub calls: CallGraph<ContextId>,
    keys: IndexMap<(ProcId, LocSet, LocSet), ContextId>,
}

impl Activity {
    /// The context behind a number.
    pub fn get(&self, id: ContextId) -> &Context {
        &self.contexts[id.0 as usize]
    }

    /// Analyses a head and all it calls.
    pub fn add_head(
        &mut self,
        program: &Program,
        effects: &mut Effects,
        proc: ProcId,
        varied_in: LocSet,
        useful_out: LocSet,
    ) -> ContextId {
        let id = self.push(proc, true, varied_in, useful_out);
        self.run(program, effects, id);
        let all = (0..).map(ContextId).zip(&self.contexts);
        self.calls = CallGraph::new(all.map(|(id, c)| (id, c.callees.values().copied())));
        id
    }

    fn push(&mut self, proc: ProcId, head: bool, varied_in: LocSet, useful_out: LocSet) -> ContextId {
        self.contexts.push(Context {
            proc,
            head,
            varied_in,
            useful_out,
            varied: BTreeMap::new(),
            useful: BTreeMap::new(),
            active: LocSet::new(),
            callees: BTreeMap::new(),
            varied_out: LocSet::new(),
        });
        ContextId(self.contexts.len() as u32 - 1)
    }

    fn run(&mut self, program: &Program, effects: &mut Effects, id: ContextId) {
        let mut queue = vec![id];
        while let Some(id) = queue.pop() {
            let mut context = self.contexts[id.0 as usize].clone();
            if effects.externals.contains_key(&context.proc) {
                if let Some(summary) = effects.summaries.get(&context.proc) {
                    context.solve_declared(summary);
                }
                self.contexts[id.0 as usize] = context;
                continue;
            }
            let body = effects.bodies.get(&context.proc).cloned().unwrap_or_default();
            context.solve(program, effects, &body);
            costate_grammar::ir::for_each_stmt(&body, &mut |s| {
                if let Some((proc, v, u)) = callee_context(program, effects, (&context, &self.carrying), s) {
                    let key = (proc, v.clone(), u.clone());
                    let child = self.keys.get(&key).copied().unwrap_or_else(|| {
                        let child = self.push(proc, false, v, u);
                        self.keys.insert(key, child);
                        queue.push(child);
                        child
                    });
                    context.callees.insert(s.id, child);
                }
            });
            self.contexts[id.0 as usize] = context;
        }
    }
}

/// The procedure and context that a call statement asks for; `None` when no derivative passes through it.
fn callee_context(
    program: &Program,
    effects: &mut Effects,
    (context, carrying): (&Context, &LocSet),
    stmt: &Stmt,
) -> Option<(ProcId, LocSet, LocSet)> {
    let (callee, args, result) = match &stmt.kind {
        StmtKind::Call { callee, args } => (callee, args, None),
        StmtKind::Assign { lhs, rhs } => match &rhs.kind {
            ExprKind::Call { callee, args } => (callee, args, Some(lhs)),
            _ => return None,
        },
        StmtKind::PointerAssign { lhs, rhs } => match &rhs.kind {
            ExprKind::Call { callee, args } => (callee, args, Some(lhs)),
            _ => return None,
        },
        _ => return None,
    };
    let proc = target(program, callee)?;
    // What it leaves has no derivative, and that is all there is to it.
    if effects.externals.get(&proc).is_some_and(|row| row.inactive) {
        return None;
    }
    let summary = effects.summaries.get(&proc)?.clone();
    let map = CallMap::new(program, proc, args, result);
    let varied = context.varied.get(&stmt.id)?;
    let useful = context.useful.get(&stmt.id)?;
    let mut v = LocSet::new();
    let mut u = LocSet::new();
    for l in summary.access.reads.iter().chain(&summary.access.writes).chain(summary.depends.keys()) {
        if !effects.locs.is_continuous(program, *l) {
            continue;
        }
        let to = map.locs(effects, program, *l);
        // What comes in varied only matters where the callee may still see it.
        let seen = summary.access.reads.contains(l) || !summary.access.kills.contains(l);
        if seen && to.iter().any(|t| varied.contains(t)) {
            v.insert(*l);
        }
        // What the callee leaves alone may be useful afterwards and is none of its concern.
        let changed = summary.access.writes.contains(l) || summary.depends.contains_key(l);
        if changed && to.iter().any(|t| useful.contains(t)) {
            u.insert(*l);
        }
    }
    // A varied value that is replaced by one that isn't: the callee sets its derivative to zero. A function's result is
    // set to zero by the caller, unless the callee has a derivative for other reasons.
    let replaced: Vec<LocId> = (summary.access.writes.iter().copied())
        .filter(|l| u.contains(l) && !v.contains(l))
        .filter(|l| !summary.depends.get(l).is_some_and(|from| from.iter().any(|i| v.contains(&i))))
        .filter(|l| map.locs(effects, program, *l).iter().any(|t| varied.contains(t)))
        .collect();
    let is_result = |effects: &Effects, l: LocId| program.var(effects.locs.get(l).sym).is_some_and(|v| v.result);
    let (results, others): (Vec<LocId>, Vec<LocId>) = replaced.into_iter().partition(|l| is_result(effects, *l));
    v.extend(others);
    let passes = summary.depends.iter().any(|(out, ins)| u.contains(out) && ins.iter().any(|i| v.contains(&i)));
    let overwrites = summary.access.writes.iter().any(|w| u.contains(w) && v.contains(w));
    v.extend(results);
    let associates = summary
        .access
        .writes
        .iter()
        .any(|w| carrying.contains(w) || map.locs(effects, program, *w).iter().any(|l| carrying.contains(l)));
    (passes || overwrites || associates).then_some((proc, v, u))
}

fn bits(set: &LocSet) -> LocBits {
    set.iter().copied().collect()
}

/// True when one of the blocks of a branch runs for sure.
pub fn exhaustive(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::If { otherwise, .. } => otherwise.is_some(),
        StmtKind::Select { arms, .. } => arms.iter().any(|a| a.ranges.is_empty()),
        _ => false,
    }
}
