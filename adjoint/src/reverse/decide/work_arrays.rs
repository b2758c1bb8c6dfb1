//! Work arrays: arrays of which an iteration uses no element that it hasn't assigned before, and what directives make
//! private. Their values at its start are of no use to it, nor to its adjoint.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_grammar::directives::{AccConstruct, ClauseKind, Construct, OmpConstruct};
use costate_grammar::ir::{
    Arg, Block, Dim, Expr, LoopControl, LoopDirective, Parallel, Stmt, StmtId, StmtKind, SymId, Variable,
    for_each_expr, for_each_stmt,
};

use crate::optimise::{self, Unused};
use crate::reverse::Reverse;
use crate::reverse::tree::node::{Loop, Node};
use costate_analysis::dataflow::variables::used_before_assigned;
use costate_analysis::loops::assigned;
use costate_analysis::normal;
use costate_analysis::sections::flow::facts_before;
use costate_analysis::sections::scene::Scene;
use costate_analysis::sections::{Facts, Section, Span};
use costate_analysis::storage::symbols;

impl Reverse<'_, '_> {
    /// Notes the work arrays of every loop; `mentions` tells how many statements of the procedure mention each variable.
    pub(in crate::reverse) fn find_private(&mut self, nodes: &mut [Node], mentions: &BTreeMap<SymId, usize>) {
        if self.b.shares_locals() {
            return;
        }
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_private(a, mentions)),
                Node::Loop(l) => {
                    for sym in self.work_arrays(l) {
                        l.private.extend(self.effects.locs.leaves(self.b.program, sym, &[]));
                    }
                    self.find_proved(l, mentions);
                    self.find_private(&mut l.body, mentions);
                }
            }
        }
    }

    /// Of some variables directives say it.
    fn find_proved(&mut self, l: &mut Loop, mentions: &BTreeMap<SymId, usize>) {
        let Some(parallel) = l.stmt.followed() else { return };
        let alone = has_own_scalars(&parallel);
        let Some(mut evidence) = parallel.evidence else { return };
        let inside = normal::mentions(std::slice::from_ref(&*l.stmt));
        let stands_here = |s: SymId| mentions.get(&s) == inside.get(&s);
        evidence.private.extend(self.made_private(&l.stmt, &evidence.private, alone, stands_here));
        if let StmtKind::Do { parallel: Some(p), .. } = &mut Rc::make_mut(&mut l.stmt).kind {
            p.evidence = Some(evidence.clone());
        }
        for sym in evidence.private {
            if self.b.outlives(sym) {
                continue;
            }
            let locs: Vec<_> = self.effects.locs.leaves(self.b.program, sym, &[]).into_iter().collect();
            l.private.extend(locs.iter().copied());
            if mentions.get(&sym) == inside.get(&sym) {
                // The loop's variable gets its values from the header of the reversal.
                let counts =
                    matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::Count { var, .. }, .. } if *var == sym);
                if let Some(v) = self.b.program.var(sym).filter(|v| !counts && is_plain(v)) {
                    l.plain.push((Expr::var(sym, v.ty, v.rank()), locs.iter().copied().collect()));
                }
                l.proved.extend(locs);
            }
        }
    }

    /// Variables that stand nowhere else, and that each iteration assigns before it uses them: the directives say nothing of
    /// those that stand for the user's expressions. With `own` no iteration sees a scalar of another one, and those of
    /// `do concurrent` see no element of an array that another one assigns: where all of them name the same elements, each
    /// iteration has assigned those that it uses.
    fn made_private(&self, s: &Stmt, known: &[SymId], own: bool, alone: impl Fn(SymId) -> bool) -> Vec<SymId> {
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
        let own_if_given = |s: &SymId| own && (scalar(s) || array(s)) && fits(s);
        for_each_stmt(body, &mut |s| made.extend(given(s).filter(own_if_given)));
        let apart = if concurrent { named_apart(s) } else { BTreeSet::new() };
        let arrays = made.iter().filter(|s| exposed.contains(s) && scene.plain_array(**s)).copied().collect();
        let facts = unused_before(&scene, body, &arrays);
        let changes = scene.changes(body);
        let anew = |s: &SymId| optimise::whole(&scene, *s, &changes).is_some_and(|e| facts.cover(*s, &e));
        let listed = |s: &SymId| parallel.iter().flat_map(|p| &p.directives).any(|d| d.names.contains(s));
        let alone = |s: &SymId| own && scalar(s) && !listed(s) || array(s) && !apart.contains(s);
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

/// True for a variable of an intrinsic type whose memory comes with its declaration.
fn is_plain(v: &Variable) -> bool {
    let declared = v.dims.iter().all(|d| matches!(d, Dim::Explicit(..)));
    declared && v.ty.derived().is_none() && !v.attrs.allocatable && !v.attrs.pointer && !v.spelling.contains(':')
}
