//! Time loops: loops that carry their state from iteration to iteration.
//!
//! Saving what the adjoint of every iteration needs would take memory in proportion to the number of iterations. Such a
//! loop runs in blocks of iterations instead, about as many blocks as there are iterations in each: the forward sweep
//! keeps a snapshot of the state at the start of each block, and the backward sweep runs a block forward again, saving
//! what its iterations need, right before their adjoints (two-level checkpointing; Griewank and Walther, Evaluating
//! Derivatives, 2008, section 12.2). This costs one more forward sweep, which is about what the traffic of saves costs that
//! no longer fit into the cache.

use std::collections::BTreeSet;
use std::rc::Rc;

use costate_analysis::affine::{self, plus};
use costate_analysis::loops::step_sign;
use costate_analysis::storage::{LocBits, LocId, LocSet, resolve, symbols};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Designator, Dim, Expr, ExprKind, LoopControl, Part, Role, Stmt, StmtId, StmtKind, Subscript, SymId, Ty,
};
use costate_grammar::operators::BinaryOp;

use super::to_be_recorded::push;
use crate::expressions::root;
use crate::reverse::Reverse;
use crate::reverse::tree::decisions::{Blocks, Widened};
use crate::reverse::tree::node::{Leaf, Loop, Node, writes};
use costate_analysis::sections::{Range, Span, swept};

/// A state of no more elements than this is saved in every iteration: the memory isn't worth running anything again.
const SMALL: i64 = 64;
/// So is that of a loop with fewer iterations than this.
const FEW: i64 = 16;

/// What a snapshot takes for a target of a statement.
fn wide<'e>(list: &'e Widened, stmt: StmtId, target: &'e Expr) -> &'e Expr {
    list.iter().find(|w| w.0 == stmt && w.1 == *target).map_or(target, |w| &w.2)
}

impl Blocks {
    /// True when a block is a single iteration.
    pub(in crate::reverse) fn single(&self) -> bool {
        self.schedule.as_ref().is_some_and(|s| s.single)
    }

    /// What snapshots may take.
    pub(in crate::reverse) fn parts(&self) -> impl Iterator<Item = &Expr> {
        self.wide.iter().map(|w| &w.2)
    }

    /// What of `needed` a block overwrites, in whichever sweep. A block starts from `start`; adjoints that run after those
    /// of the loop use `outside`.
    pub(in crate::reverse) fn hold(
        &self,
        body: &[Node],
        (needed, start, outside): (&LocBits, &LocSet, &LocBits),
    ) -> Held {
        let mut lost: Vec<(&Expr, LocSet)> = Vec::new();
        for n in body {
            n.for_each_leaf(&mut |l| {
                let kept = l.keep.contains(&true);
                let gone = |x: &LocId| kept && l.access.writes.contains(x) || l.clobbers.contains(x);
                for (target, locs) in l.targets.iter() {
                    let gone = locs.iter().filter(|x| gone(x) && needed.contains(x)).copied().collect();
                    lost.push((wide(&self.wide, l.stmt.id, target), gone));
                }
            });
            n.for_each_variable(&mut |v, locs| {
                lost.push((v, locs.iter().filter(|x| needed.contains(x)).copied().collect()));
            });
        }
        let mut held = Held::default();
        for (e, gone) in lost.into_iter().filter(|l| !l.1.is_empty()) {
            // Under a schedule, what is restored is kept apart from the snapshots.
            if self.schedule.is_none() || !gone.is_disjoint(start) {
                push(&mut held.snapshot, e);
            }
            if gone.iter().any(|x| outside.contains(x)) {
                push(&mut held.restored, e);
            }
            held.locs.extend(gone);
        }
        held
    }
}

/// What a snapshot takes at the start of a block.
#[derive(Default)]
pub(in crate::reverse) struct Held {
    /// What it holds.
    pub(in crate::reverse) locs: LocSet,
    /// References to that.
    pub(in crate::reverse) snapshot: Vec<Expr>,
    /// What is restored after the adjoint of a block, for those of earlier statements.
    pub(in crate::reverse) restored: Vec<Expr>,
}

/// What the statements of a time loop assign.
#[derive(Default)]
struct Targets {
    /// Much the same in every iteration.
    wide: Widened,
    /// Arrays of which the range that is assigned depends on the iteration.
    partial: BTreeSet<SymId>,
    /// References to a few elements, other ones in each iteration.
    few: Vec<(StmtId, Expr)>,
}

/// The loops between a time loop and a statement inside it, outermost first.
#[derive(Default)]
struct Inside {
    ranges: Vec<Range>,
    /// The statement may be left out.
    guarded: bool,
    /// An array may be taken as a whole where each iteration of the time loop assigns other elements.
    generous: bool,
    /// Objects of which a snapshot takes all, with their shape.
    objects: Vec<Expr>,
}

impl Inside {
    /// True when the loops run along every dimension of an array, over ranges of which the time loop moves one end at
    /// most: such iterations assign much of it, though not all the same elements.
    fn sweeps(&self, d: &Designator, var: SymId) -> bool {
        let fixed_end = |r: &Range| {
            r.span.limits().is_some_and(|(lo, hi)| !(symbols(&lo).contains(&var) && symbols(&hi).contains(&var)))
        };
        d.subscripts().all(|s| match s {
            Subscript::Index(e) => {
                let along = |r: &&Range| r.var.is_some_and(|v| symbols(e).contains(&v));
                self.ranges.iter().any(|r| along(&r)) && self.ranges.iter().filter(along).all(fixed_end)
            }
            Subscript::Range { .. } => false,
        })
    }
}

impl Reverse<'_, '_> {
    /// What snapshots of a loop's state take, when it is a time loop, or why it isn't. `start` is what an iteration's
    /// adjoint needs of the state at its start.
    pub(in crate::reverse) fn carried_state(&self, l: &Loop, start: &LocSet) -> Result<Blocks, &'static str> {
        // Whoever asks for a schedule gets one, however little it saves.
        let asked = self.orders.contains_key(&l.stmt.id);
        let mut counter = None;
        if let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } = &l.stmt.kind {
            counter = Some(*var);
            if !asked && affine::difference(hi, lo).is_some_and(|d| d.abs() < FEW) {
                return Err("it has only a few iterations");
            }
            if !l.stable_bounds || step_sign(step.as_ref()).is_none_or(|s| s == 0) {
                return Err("its bounds change, or the sign of its step isn't known");
            }
        }
        let objects = self.changing_objects(l)?;
        let inside = writes(&l.body);
        let changing: Vec<SymId> = inside.iter().map(|x| self.effects.locs.get(*x).sym).chain(counter).collect();
        let mut targets = Targets::default();
        let mut place = Inside { generous: asked, objects: objects.clone(), ..Inside::default() };
        let found = self.widen_all(&l.body, &mut place, (counter, &changing), &mut targets);
        let partial = targets.partial.clone();
        let out =
            found.and_then(|()| self.unite(targets)).ok_or("its iterations assign different elements of an array")?;
        let mut elements = 0i64;
        let mut carried = LocSet::new();
        l.body.iter().for_each(|n| {
            n.for_each_leaf(&mut |x| {
                for (target, locs) in x.targets.iter() {
                    let mut new = false;
                    for loc in locs.iter().filter(|i| x.access.writes.contains(i) && start.contains(i)) {
                        new |= carried.insert(*loc);
                    }
                    let section = wide(&out, x.stmt.id, target);
                    if new && section.rank > 0 {
                        elements = elements.saturating_add(self.elements(section).unwrap_or(SMALL + 1));
                    }
                }
            });
        });
        if elements <= SMALL && !asked {
            return Err("its state is small");
        }
        Ok(Blocks {
            wide: out,
            partial,
            changing: objects,
            restored: Vec::new(),
            first: None,
            length: None,
            schedule: None,
        })
    }

    /// Takes an array as a whole where different sections of it are assigned.
    fn unite(&self, targets: Targets) -> Option<Widened> {
        let place = |e: &Expr| e.as_var().map(|d| (d.sym, d.path()));
        let Targets { wide: mut list, few, .. } = targets;
        for (stmt, target) in few {
            let whole = self.whole(target.as_var()?, target.ty)?;
            // Only what is taken anyway: the array may be far larger than what all iterations together assign.
            if !list.iter().any(|o| o.2 == whole) {
                return None;
            }
            list.push((stmt, target, whole));
        }
        let seen = list.clone();
        for (_, _, section) in &mut list {
            let differs = seen.iter().any(|o| o.2 != *section && place(&o.2) == place(section));
            if let (true, Some(d)) = (differs, section.as_var().cloned())
                && !d.parts.is_empty()
                && !matches!(d.parts.last(), Some(Part::Component(_)))
            {
                *section = self.whole(&d, section.ty)?;
            }
        }
        Some(list)
    }

    /// The number of elements of a whole array, where it is known beforehand.
    fn elements(&self, e: &Expr) -> Option<i64> {
        let d = e.as_var()?;
        let v = resolve(self.b.program, d.sym, &d.path())?;
        v.dims.iter().try_fold(1i64, |n, dim| match dim {
            Dim::Explicit(lo, hi) => {
                let lo = lo.as_ref().map_or(Some(1), Expr::as_int)?;
                n.checked_mul(hi.as_int()? - lo + 1)
            }
            Dim::Assumed(_) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => None,
        })
    }

    /// Notes what stands for each target; `None` when the iterations of the time loop assign different elements.
    fn widen_all(
        &self,
        nodes: &[Node],
        at: &mut Inside,
        (counter, changing): (Option<SymId>, &[SymId]),
        out: &mut Targets,
    ) -> Option<()> {
        for node in nodes {
            match node {
                Node::Leaf(l) => self.widen_leaf(l, at, (counter, changing), out)?,
                Node::Branch(b) => {
                    let guarded = std::mem::replace(&mut at.guarded, true);
                    for arm in &b.arms {
                        self.widen_all(arm, at, (counter, changing), out)?;
                    }
                    at.guarded = guarded;
                }
                Node::Loop(l) => {
                    at.ranges.push(l.range.clone());
                    self.widen_all(&l.body, at, (counter, changing), out)?;
                    at.ranges.pop();
                }
            }
        }
        Some(())
    }

    fn widen_leaf(
        &self,
        l: &Leaf,
        at: &Inside,
        (counter, changing): (Option<SymId>, &[SymId]),
        out: &mut Targets,
    ) -> Option<()> {
        let moves = |e: &Expr| symbols(e).iter().any(|s| changing.contains(s));
        for (target, _) in l.targets.iter() {
            let d = target.as_var()?;
            let same = |o: &&Expr| o.as_var().is_some_and(|x| x.sym == d.sym && x.path() == d.path());
            if let Some(object) = at.objects.iter().find(same) {
                out.wide.push((l.stmt.id, target.clone(), object.clone()));
                continue;
            }
            let moving = d.subscripts().any(|s| subscript_parts(s).into_iter().any(moves));
            if !moving {
                out.wide.push((l.stmt.id, target.clone(), target.clone()));
                continue;
            }
            // Subscripts that only the time loop moves pick other elements in each iteration.
            let by_inner = |e: &Expr| symbols(e).iter().any(|s| at.ranges.iter().any(|r| r.var == Some(*s)));
            let own = d
                .subscripts()
                .flat_map(subscript_parts)
                .any(|e| counter.is_some_and(|c| symbols(e).contains(&c)) || moves(e) && !by_inner(e));
            let bound = counter.filter(|c| at.ranges.iter().any(|r| r.span.mentions(*c)));
            if (own || bound.is_some_and(|c| !at.sweeps(d, c))) && !at.generous {
                out.few.push((l.stmt.id, target.clone()));
                continue;
            }
            let moved = own || bound.is_some();
            out.partial.extend(moved.then_some(d.sym));
            let section = (!moved).then(|| self.section_of(d, target.ty, at, &moves)).flatten();
            let section = section.or_else(|| self.whole(d, target.ty))?;
            out.wide.push((l.stmt.id, target.clone(), section));
        }
        Some(())
    }

    /// The section of a plain array that inner loops assign from end to end.
    fn section_of(&self, d: &Designator, ty: Ty, at: &Inside, moves: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
        let limits = self.limits_of(d, at)?;
        if limits.iter().any(|(lo, hi)| moves(lo) || moves(hi)) {
            return None;
        }
        let parts: Vec<Subscript> = limits
            .into_iter()
            .map(|(lo, hi)| match lo == hi {
                true => Subscript::Index(lo),
                false => Subscript::Range { lo: Some(lo), hi: Some(hi), step: None },
            })
            .collect();
        let rank = parts.iter().filter(|p| matches!(p, Subscript::Range { .. })).count() as u8;
        let parts = vec![Part::Subscripts(parts)];
        Some(Expr::new(ExprKind::Var(Designator { sym: d.sym, parts }), ty, rank))
    }

    /// First and last index in each dimension of what inner loops assign of a plain array, for sure and from end to end.
    fn limits_of(&self, d: &Designator, at: &Inside) -> Option<Vec<(Expr, Expr)>> {
        let scene = self.b.scene();
        if at.guarded || !scene.plain_array(d.sym) {
            return None;
        }
        let (section, true) = scene.section(d)? else { return None };
        let swept = at.ranges.iter().rev().fold(section, |s, r| swept(&s, r, &|_| false));
        swept.iter().map(Span::limits).collect()
    }

    /// The same for a target of a statement somewhere among nodes, on the whole of which loops around it run.
    pub(in crate::reverse) fn assigned_limits(&self, nodes: &[Node], of: (StmtId, &Expr)) -> Option<Vec<(Expr, Expr)>> {
        let mut at = Inside::default();
        self.find_limits(nodes, of, &mut at)
    }

    fn find_limits(&self, nodes: &[Node], of: (StmtId, &Expr), at: &mut Inside) -> Option<Vec<(Expr, Expr)>> {
        nodes.iter().find_map(|n| match n {
            Node::Leaf(l) => (l.stmt.id == of.0).then(|| self.limits_of(of.1.as_var()?, at)).flatten(),
            Node::Branch(_) => None,
            Node::Loop(l) => {
                at.ranges.push(l.range.clone());
                let found = self.find_limits(&l.body, of, at);
                at.ranges.pop();
                found
            }
        })
    }

    /// The array that a reference is an element or a section of, all of it: `a` for `a(i)`, `c%u` for `c(i)%u`, and `c` for
    /// `c(i)%v(j)`, as Fortran has no name for the components of all elements where those are arrays.
    fn whole(&self, d: &Designator, ty: Ty) -> Option<Expr> {
        let at = d.parts.iter().position(|p| matches!(p, Part::Subscripts(_)))?;
        let array = Designator { sym: d.sym, parts: d.parts[..at].to_vec() };
        let all = resolve(self.b.program, d.sym, &array.path())?;
        if all.dims.iter().any(|x| matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank)) {
            return None;
        }
        let rest = &d.parts[at + 1..];
        let mut inner = (at + 1..d.parts.len()).map(|end| {
            let part = Designator { sym: d.sym, parts: d.parts[..=end].to_vec() };
            resolve(self.b.program, d.sym, &part.path())
        });
        let scalars = inner.all(|v| v.is_some_and(|v| v.rank() == 0 && !v.attrs.pointer && !v.attrs.allocatable));
        if !(scalars && rest.iter().all(|p| matches!(p, Part::Component(_)))) {
            return (!self.indirect(all.ty)).then(|| Expr::new(ExprKind::Var(array), all.ty, all.rank()));
        }
        let whole = Designator { sym: d.sym, parts: d.parts[..at].iter().chain(rest).cloned().collect() };
        let own = resolve(self.b.program, d.sym, &whole.path())?.ty;
        (own == ty).then(|| Expr::new(ExprKind::Var(whole), ty, all.rank()))
    }

    /// The nodes that run a time loop in blocks of a number of iterations, the square root of all when it isn't given.
    pub(in crate::reverse) fn in_blocks(
        &mut self,
        mut l: Box<Loop>,
        blocks: Blocks,
        per_block: Option<Expr>,
    ) -> Vec<Node> {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, body, .. } = l.stmt.kind.clone() else {
            return vec![Node::Loop(l)];
        };
        let ty = self.b.program.var(var).map_or(Ty::INTEGER, |v| v.ty);
        let name = self.b.program[var].name.clone();
        let [block, length] =
            ["block", "per_block"].map(|part| self.b.local(&format!("{name}_{part}"), ty, Vec::new()));
        let [number, length] = [block, length].map(|s| self.b.var(s));
        let by = step.as_ref().and_then(Expr::as_int).unwrap_or(1);
        let trips = affine::combine(&affine::minus(&hi, &lo), 1, &Expr::int(by));
        let trips = if by == 1 { trips } else { trips.div(Expr::int(by)) };
        let mut nodes = Vec::new();
        let header = std::mem::take(&mut Rc::make_mut(&mut l.stmt).leading);
        // The loop variable has this value where there is no block at all.
        let variable = self.b.var(var);
        let first = self.b.assign(variable, lo.clone(), &l.stmt, Role::Save);
        nodes.extend(self.leaf(&first));
        let size = per_block.unwrap_or_else(|| root(trips.clone()));
        if let Some(d) = length.as_var() {
            self.defined.insert(d.sym, size.clone());
        }
        let mut assigned = self.b.assign(length.clone(), size, &l.stmt, Role::Save);
        assigned.leading = vec![format!("! {name} runs in blocks, each with a snapshot at its start")];
        nodes.extend(self.leaf(&assigned));

        let before = number.clone().sub(Expr::int(1)).mul(length.clone());
        let start = plus(&lo, &before.mul(Expr::int(by)));
        let through = number.mul(length.clone());
        let end = plus(&plus(&lo, &Expr::int(-by)), &through.mul(Expr::int(by)));
        let nearer = if by > 0 { Intrinsic::Min } else { Intrinsic::Max };
        let first = Some(lo);
        let control = LoopControl::Count { var, lo: start, hi: Expr::intrinsic(nearer, vec![end, hi]), step };
        Rc::make_mut(&mut l.stmt).kind = StmtKind::repeat(control, body);
        l.access = Rc::new(self.effects.access(self.b.program, &l.stmt));
        self.measure(&mut l);

        let count = plus(&trips, &plus(&length, &Expr::int(-1)));
        let count = Expr::binary(BinaryOp::Div, count, length.clone());
        let control = LoopControl::Count { var: block, lo: Expr::int(1), hi: count, step: None };
        let kind = StmtKind::repeat(control, vec![Stmt::clone(&l.stmt)]);
        let mut stmt = self.b.derive(kind, &l.stmt, Role::Forward);
        stmt.leading = header;
        let (covers, private, own) = (std::mem::take(&mut l.covers), l.private.clone(), l.own.clone());
        let mut outer = Box::new(self.new_loop(&stmt, vec![Node::Loop(l)]));
        outer.region = true;
        (outer.covers, outer.private, outer.own) = (covers, private, own);
        outer.blocks = Some(Blocks { first, length: Some(length), ..blocks });
        nodes.push(Node::Loop(outer));
        nodes
    }

    pub(in crate::reverse) fn measure(&self, l: &mut Loop) {
        if let StmtKind::Do { control, body, .. } = &l.stmt.kind {
            l.range = self.b.scene().range_of(control, body);
        }
    }

    /// A loop node of which nothing is known yet.
    pub(in crate::reverse) fn new_loop(&mut self, stmt: &Stmt, body: Vec<Node>) -> Loop {
        let variable = match &stmt.kind {
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => Some(self.b.var(*var)),
            _ => None,
        };
        let mut out = Loop {
            stmt: Rc::new(stmt.clone()),
            access: Rc::new(self.effects.access(self.b.program, stmt)),
            body,
            exit: None,
            stable_bounds: true,
            region: false,
            blocks: None,
            iterated: None,
            direct: Vec::new(),
            snapshot: Vec::new(),
            needs: LocSet::new(),
            save_variable: false,
            variable,
            covers: LocSet::new(),
            private: LocSet::new(),
            proved: LocSet::new(),
            plain: Vec::new(),
            last: Vec::new(),
            disjoint: LocSet::new(),
            range: Range::default(),
            portable: true,
            own: LocSet::new(),
            after: LocSet::new(),
        };
        self.measure(&mut out);
        out
    }
}

fn subscript_parts(s: &Subscript) -> Vec<&Expr> {
    match s {
        Subscript::Index(e) => vec![e],
        Subscript::Range { lo, hi, step } => lo.iter().chain(hi).chain(step).collect(),
    }
}
