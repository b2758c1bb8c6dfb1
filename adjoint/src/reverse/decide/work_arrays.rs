//! Work arrays: arrays of which an iteration uses no element that it hasn't assigned before, and what directives make
//! private. Their values at its start are of no use to it, nor to its adjoint.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::directives::{AccConstruct, ClauseKind, Construct, OmpConstruct};
use costate_grammar::ir::{
    Arg, Block, Component, Dim, Expr, Intent, LoopControl, LoopDirective, Parallel, Program, Stmt, StmtId, StmtKind,
    SymId, Variable, for_each_expr, for_each_stmt,
};

use crate::optimise::{self, Unused};
use crate::parallel::depth;
use crate::reverse::Reverse;
use crate::reverse::tree::node::{Loop, Node};
use costate_analysis::dataflow::variables::used_before_assigned;
use costate_analysis::effects::{bind, target};
use costate_analysis::loops::assigned;
use costate_analysis::normal;
use costate_analysis::sections::flow::facts_before;
use costate_analysis::sections::scene::Scene;
use costate_analysis::sections::{Facts, Section, Span};
use costate_analysis::storage::{LocSet, Root, all_components, component, holds_memory, symbols};

impl Reverse<'_, '_> {
    /// Notes the work arrays of every loop; `mentions` tells how many statements of the procedure mention each variable.
    pub(in crate::reverse) fn find_private(&mut self, nodes: &mut [Node], mentions: &BTreeMap<SymId, usize>) {
        if !self.b.shares_locals() {
            self.find_within(nodes, mentions, false);
        }
    }

    /// In a loop, if they are in one, the nodes run several times.
    fn find_within(&mut self, nodes: &mut [Node], mentions: &BTreeMap<SymId, usize>, in_loop: bool) {
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_within(a, mentions, in_loop)),
                Node::Loop(l) => {
                    for sym in self.work_arrays(l) {
                        l.private.extend(self.effects.locs.leaves(self.b.program, sym, &[]));
                    }
                    self.find_proved(l, mentions, in_loop);
                    hold_for_collapsed(l);
                    self.find_within(&mut l.body, mentions, true);
                }
            }
        }
    }

    /// Of some variables directives say it.
    fn find_proved(&mut self, l: &mut Loop, mentions: &BTreeMap<SymId, usize>, in_loop: bool) {
        let Some(parallel) = l.stmt.followed() else { return };
        let own = Own { scalars: has_own_scalars(&parallel), again: in_loop };
        let Some(mut evidence) = parallel.evidence else { return };
        let inside = normal::mentions(self.b.program, std::slice::from_ref(&*l.stmt));
        for sym in self.work.clone() {
            let locs = self.effects.locs.leaves(self.b.program, sym, &[]);
            l.private.extend(locs.iter().copied());
            if mentions.get(&sym) == inside.get(&sym) {
                let whole = self.b.var(sym);
                l.plain.extend(self.saved_apart(whole));
                l.proved.extend(locs);
            }
        }
        let stands_here = |s: SymId| mentions.get(&s) == inside.get(&s);
        evidence.private.extend(self.made_private(&l.stmt, &evidence.private, own, stands_here));
        if let StmtKind::Do { parallel: Some(p), .. } = &mut Rc::make_mut(&mut l.stmt).kind {
            p.evidence = Some(evidence.clone());
        }
        for sym in evidence.private {
            if self.b.outlives(sym) {
                continue;
            }
            // Each iteration has a pointer of its own, but not what it points to.
            let mut locs = self.effects.locs.leaves(self.b.program, sym, &[]);
            locs.retain(|id| {
                let loc = self.effects.locs.get(*id);
                loc.sym == sym && loc.root == Root::Variable
            });
            l.private.extend(locs.iter().copied());
            if mentions.get(&sym) == inside.get(&sym) {
                // The loop's variable gets its values from the header of the reversal.
                let counts =
                    matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::Count { var, .. }, .. } if *var == sym);
                let plain = |v: &&Variable| is_plain(self.b.program, v) || keeps_memory(self.b.program, &l.stmt, sym);
                if let Some(v) = self.b.program.var(sym).filter(|v| !counts && plain(v)) {
                    let whole = Expr::var(sym, v.ty, v.rank());
                    l.plain.extend(self.saved_apart(whole));
                }
                l.proved.extend(locs);
            }
        }
    }

    /// What of a plain variable can be saved by itself, with what it consists of: components where it is no array.
    fn saved_apart(&mut self, e: Expr) -> Vec<(Expr, LocSet)> {
        let program = &*self.b.program;
        let Some(d) = e.as_var() else { return Vec::new() };
        let Some(of) = e.ty.derived().filter(|_| e.rank == 0) else {
            let locs = self.effects.locs.leaves(program, d.sym, &d.path());
            return vec![(e, locs.into_iter().collect())];
        };
        let part = |c: &Component| component(program, &e, &c.name, c.var.ty, c.var.rank());
        let parts: Vec<Expr> = all_components(program, of).into_iter().map(part).collect();
        parts.into_iter().flat_map(|part| self.saved_apart(part)).collect()
    }

    /// Variables that stand nowhere else, and that each iteration assigns before it uses them: the directives say nothing of
    /// those that stand for the user's expressions. Iterations of `do concurrent` see no scalar and no element of an array
    /// that another one assigns: where all of them name the same elements, each has assigned those that it uses. But what one
    /// alone assigns, others may see when the loop runs again.
    fn made_private(&self, s: &Stmt, known: &[SymId], own: Own, alone: impl Fn(SymId) -> bool) -> Vec<SymId> {
        let StmtKind::Do { body, parallel, .. } = &s.kind else { return Vec::new() };
        let program = &*self.b.program;
        let exposed = used_before_assigned(program, body);
        let plain = |s: SymId| program.var(s).is_some_and(Variable::is_working);
        let fits = |s: &SymId| !known.contains(s) && alone(*s) && plain(*s) && !self.b.outlives(*s);
        let mut made: BTreeSet<SymId> = assigned(body).into_iter().filter(fits).collect();
        let scene = self.b.scene();
        let concurrent = parallel.as_ref().is_some_and(|p| p.directives.is_empty());
        let of_numbers = |v: &Variable| v.rank() > 0 && v.ty.derived().is_none();
        let array = |s: &SymId| concurrent && program.var(*s).is_some_and(of_numbers);
        let scalar = |s: &SymId| program.var(*s).is_some_and(|v| v.rank() == 0);
        // Procedures may assign what they are given.
        let own_if_given = |s: &SymId| own.scalars && (scalar(s) || array(s)) && fits(s);
        for_each_stmt(body, &mut |s| made.extend(given(s).filter(own_if_given)));
        let apart = if concurrent { named_apart(s) } else { BTreeSet::new() };
        let arrays = made.iter().filter(|s| exposed.contains(s) && scene.plain_array(**s)).copied().collect();
        let facts = unused_before(&scene, body, &arrays);
        let changes = scene.changes(body);
        let anew = |s: &SymId| optimise::whole(&scene, *s, &changes).is_some_and(|e| facts.cover(*s, &e));
        let listed = |s: &SymId| parallel.iter().flat_map(|p| &p.directives).any(|d| d.names.contains(s));
        let kept = |s: &SymId| concurrent && own.again && !assigned_each_time(program, body, *s);
        let alone = |s: &SymId| (own.scalars && scalar(s) && !listed(s) || array(s) && !apart.contains(s)) && !kept(s);
        let fits = |s: &SymId| !exposed.contains(s) || alone(s) || arrays.contains(s) && anew(s);
        made.into_iter().filter(fits).collect()
    }

    fn work_arrays(&self, l: &Loop) -> Vec<SymId> {
        let StmtKind::Do { body, .. } = &l.stmt.kind else { return Vec::new() };
        let scene = self.b.scene();
        let mut arrays = BTreeSet::new();
        let mut adjoints = BTreeMap::new();
        l.body.iter().for_each(|n| {
            n.for_each_leaf(&mut |leaf| {
                let assigned = leaf.targets.iter().filter_map(|(e, _)| e.as_var()).map(|d| d.sym);
                arrays.extend(assigned.filter(|s| scene.plain_array(*s)));
                adjoints.insert(leaf.stmt.id, &*leaf.adjoint);
            });
        });
        let facts = unused_before(&scene, &with_adjoints(body, &adjoints), &arrays);
        arrays.into_iter().filter(|s| facts.cover(*s, &all_of(&scene, *s))).collect()
    }
}

/// Of the loops that a directive makes one, an iteration is one of the innermost loop's.
fn hold_for_collapsed(l: &mut Loop) {
    let loops = l.stmt.followed().map_or(1, |p| depth(&p, &l.stmt));
    let (proved, plain) = (l.proved.clone(), l.plain.clone());
    let mut at = l;
    for _ in 1..loops {
        let [Node::Loop(inner)] = at.body.as_mut_slice() else { return };
        inner.private.extend(proved.iter().copied());
        inner.proved.extend(proved.iter().copied());
        // The loop's variable gets its values from the header of the reversal.
        let counts = |e: &Expr| match &inner.stmt.kind {
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => e.as_var().is_some_and(|d| d.sym == *var),
            _ => false,
        };
        inner.plain.extend(plain.iter().filter(|p| !counts(&p.0)).cloned());
        at = inner;
    }
}

/// What is known of the variables of a loop's iterations.
#[derive(Clone, Copy)]
struct Own {
    /// No iteration sees a scalar of another one.
    scalars: bool,
    /// The loop may run again, with what it has left.
    again: bool,
}

/// True where a block that mentions a variable assigns it whatever happens, a scalar first of all, and no part of an array
/// under conditions. Counted loops are taken to have iterations.
fn assigned_each_time(program: &Program, block: &[Stmt], sym: SymId) -> bool {
    let mentioning: Vec<&Stmt> = block.iter().filter(|s| mention(program, std::slice::from_ref(s), sym)).collect();
    if let [only] = mentioning.as_slice()
        && !only.exprs().into_iter().any(|e| symbols(e).contains(&sym))
    {
        let mut inside = only.blocks().into_iter().filter(|b| mention(program, b, sym));
        return inside.all(|b| assigned_each_time(program, b, sym));
    }
    let first = mentioning.first().is_some_and(|s| begins(program, s, sym));
    let scalar = program.var(sym).is_some_and(|v| v.rank() == 0);
    first && (scalar || !mentioning.iter().any(|s| assigns_in_some_cases(s, sym)))
}

/// True where a statement assigns a variable, or gives it to a procedure that does, before anything else is done with it.
fn begins(program: &Program, s: &Stmt, sym: SymId) -> bool {
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            let used = lhs.children().into_iter().chain([rhs]).any(|e| symbols(e).contains(&sym));
            lhs.as_var().is_some_and(|d| d.sym == sym) && !used
        }
        StmtKind::Call { callee, args } => target(program, callee).is_some_and(|p| {
            let bound = program[p].dummies.iter().zip(bind(program, &program[p], args));
            let uses = bound.filter(|(_, e)| e.is_some_and(|e| symbols(e).contains(&sym)));
            let intents = uses.map(|(d, _)| program.var(*d).and_then(|v| v.intent));
            let all: Vec<Option<Intent>> = intents.collect();
            !all.is_empty() && all.iter().all(|i| *i == Some(Intent::Out))
        }),
        StmtKind::Do { control: LoopControl::Count { .. }, body, .. } => {
            let first = body.iter().find(|s| mention(program, std::slice::from_ref(s), sym));
            first.is_some_and(|s| begins(program, s, sym))
        }
        _ => false,
    }
}

/// True where something inside a statement, and not in each iteration of a counted loop, may assign a variable.
fn assigns_in_some_cases(s: &Stmt, sym: SymId) -> bool {
    let counted = matches!(s.kind, StmtKind::Do { control: LoopControl::Count { .. }, .. });
    s.blocks().into_iter().any(|block| {
        let mut changed = assigned(block);
        for_each_stmt(block, &mut |x| changed.extend(given(x)));
        !counted && changed.contains(&sym) || block.iter().any(|inner| assigns_in_some_cases(inner, sym))
    })
}

fn mention(program: &Program, block: &[Stmt], sym: SymId) -> bool {
    normal::mentions(program, block).contains_key(&sym)
}

/// The variables that a call is given as a whole.
fn given(s: &Stmt) -> impl Iterator<Item = SymId> {
    let args: &[Arg] = if let StmtKind::Call { args, .. } = &s.kind { args } else { &[] };
    args.iter().filter_map(|a| a.value.as_var()).filter(|d| d.parts.is_empty()).map(|d| d.sym)
}

/// Arrays of which iterations of a loop name different elements only: by its variable, by what is assigned in it, or by the
/// variable of an inner loop that begins and ends at such a place. Copies of these would take much memory.
fn named_apart(s: &Stmt) -> BTreeSet<SymId> {
    let StmtKind::Do { body, .. } = &s.kind else { return BTreeSet::new() };
    let mut moving = assigned(std::slice::from_ref(s));
    for_each_stmt(body, &mut |x| {
        if let StmtKind::Do { control: LoopControl::Count { var, lo, hi, .. }, .. } = &x.kind
            && [lo, hi].into_iter().any(|e| symbols(e).is_disjoint(&moving))
        {
            moving.remove(var);
        }
    });
    let moves = |e: &Expr| !symbols(e).is_disjoint(&moving);
    let [mut apart, mut again] = [BTreeSet::new(), BTreeSet::new()];
    let mut note = |e: &Expr| {
        for_each_expr(e, &mut |x| {
            let list = if x.children().into_iter().any(moves) { &mut apart } else { &mut again };
            list.extend(x.as_var().map(|d| d.sym));
        });
    };
    for_each_stmt(body, &mut |x| x.exprs().into_iter().for_each(&mut note));
    apart.retain(|s| !again.contains(s));
    apart
}

/// True for a loop on a device, and for `do concurrent`: of a scalar that isn't listed each iteration has its own, or must
/// have assigned it (2.5.1 of OpenACC 3.3, 5.8 of OpenMP 5.2, 11.1.7.5 of Fortran 2018). Where it has no value, as behind an
/// inner loop without iterations, it isn't used.
fn has_own_scalars(p: &Parallel) -> bool {
    let device = |d: &LoopDirective| match &d.directive.construct {
        Construct::Acc(c) => *c == AccConstruct::ParallelLoop,
        Construct::Omp(c) => matches!(c, OmpConstruct::TargetCombined(_)),
        Construct::Ad(_) | Construct::Uninterpreted => false,
    };
    let in_turn = |d: &LoopDirective| d.directive.clauses.iter().any(|c| c.kind == ClauseKind::Seq);
    p.directives.iter().all(|d| device(d) && !in_turn(d))
}

/// True for an allocatable array that gets no memory in a loop, and loses none.
fn keeps_memory(program: &Program, s: &Stmt, sym: SymId) -> bool {
    let array = program.var(sym).is_some_and(|v| v.attrs.allocatable && v.rank() > 0 && v.ty.derived().is_none());
    let whole = |e: &Expr| e.as_var().is_some_and(|d| d.sym == sym && d.parts.is_empty());
    let mut moved = false;
    for_each_stmt(std::slice::from_ref(s), &mut |x| {
        moved |= match &x.kind {
            StmtKind::Call { args, .. } => args.iter().any(|a| whole(&a.value)),
            StmtKind::Assign { lhs, .. } => whole(lhs),
            StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } => x.exprs().into_iter().any(whole),
            _ => false,
        };
    });
    array && !moved
}

/// What of some arrays, which are of no use behind a block, is of none where it begins.
fn unused_before(scene: &Scene<'_>, block: &[Stmt], arrays: &BTreeSet<SymId>) -> Facts {
    let mut unused = Facts::default();
    arrays.iter().for_each(|s| unused.add(*s, all_of(scene, *s)));
    facts_before(&Unused::default(), scene, block, unused)
}

fn all_of(scene: &Scene<'_>, sym: SymId) -> Section {
    vec![Span::default(); scene.program.var(sym).map_or(0, |v| usize::from(v.rank()))]
}

/// The block with each statement's adjoint in front of it: that is where the values stand that it uses.
fn with_adjoints(block: &[Stmt], adjoints: &BTreeMap<StmtId, &Block>) -> Block {
    let mut out = Block::new();
    for s in block {
        out.extend(adjoints.get(&s.id).into_iter().flat_map(|b| b.iter().cloned()));
        let mut s = s.clone();
        for inner in s.blocks_mut() {
            *inner = with_adjoints(inner, adjoints);
        }
        out.push(s);
    }
    out
}

/// True for a variable whose memory comes with its declaration.
fn is_plain(program: &Program, v: &Variable) -> bool {
    let declared = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..)));
    declared && !holds_memory(program, v.ty) && !v.attrs.allocatable && !v.attrs.pointer && !v.spelling.contains(':')
}
