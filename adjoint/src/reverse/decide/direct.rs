//! Arrays that the adjoints of a time step use as they are at its start, themselves or in copies that the step makes. They
//! are saved as a whole there, and the adjoints refer to the save itself: nothing is copied back.

use std::collections::BTreeSet;

use costate_analysis::affine::difference;
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Block, Designator, Dim, Expr, ExprKind, Part, Role, Stmt, StmtKind, Subscript, SymId, map_expr,
};

use crate::reverse::Reverse;
use crate::reverse::emit::around::Around;
use crate::reverse::tree::decisions::{Direct, Saved};
use crate::reverse::tree::node::{Loop, Node, Replay, writes};

/// At how many places a step may leave elements of the array as they are: they are saved all the same.
const SPARED: i64 = 8;

impl Reverse<'_, '_> {
    /// Finds such arrays for the time loops among the nodes, whose state is restored at the start of a block.
    pub(in crate::reverse) fn find_direct(&mut self, nodes: &mut [Node], level: usize) {
        for node in nodes {
            match node {
                Node::Leaf(_) => {}
                Node::Branch(b) => b.arms.iter_mut().for_each(|a| self.find_direct(a, level)),
                Node::Loop(l) => {
                    if let Some(steps) = l.steps_mut() {
                        self.settle_direct(steps, level + 1);
                    }
                    let inner = if l.region { level + 1 } else { level };
                    self.find_direct(&mut l.body, inner);
                }
            }
        }
    }

    fn settle_direct(&mut self, steps: &mut Loop, level: usize) {
        let mut arrays = BTreeSet::new();
        steps.body.iter().for_each(|n| {
            n.for_each_leaf(&mut |l| arrays.extend(l.targets.iter().filter_map(|(e, _)| e.as_var()).map(|d| d.sym)));
        });
        for &array in &arrays {
            let locs = self.locs_of(array);
            let Some(first) = first_write(&steps.body, &locs) else { continue };
            let copies: Vec<SymId> =
                arrays.iter().filter(|c| self.holds_copy(steps, **c, array, (first, level))).copied().collect();
            let used = self.used_at_start(steps, array, (first, level));
            if used.is_some_and(|u| u || !copies.is_empty()) && self.overwritten(steps, array) {
                copies.iter().chain([&array]).for_each(|s| forget_needs(&mut steps.body, &self.locs_of(*s)));
                steps.direct.push(Direct { array, copies });
            }
        }
    }

    fn locs_of(&mut self, sym: SymId) -> LocSet {
        self.effects.locs.leaves(self.b.program, sym, &[]).into_iter().collect()
    }

    /// Whether the backward sweep uses an array that the node `first` is the first to assign; `None` when it uses other
    /// values than those from the start of the step, or does so in a way that isn't looked into.
    fn used_at_start(&mut self, steps: &Loop, sym: SymId, (first, level): (usize, usize)) -> Option<bool> {
        let reads = self.reads(steps, sym, level)?;
        reads.iter().all(|k| *k < first).then_some(!reads.is_empty())
    }

    /// True when all that the backward sweep uses of an array are copies of elements of `of`, made in the step before the
    /// node `first` is the first to assign that.
    fn holds_copy(&mut self, steps: &Loop, sym: SymId, of: SymId, (first, level): (usize, usize)) -> bool {
        let locs = self.locs_of(sym);
        if sym == of || locs.is_empty() || !locs.is_subset(&steps.private) {
            return false;
        }
        let mut fine = self.reads(steps, sym, level).is_some_and(|r| !r.is_empty());
        for (k, node) in steps.body.iter().enumerate() {
            node.for_each_leaf(&mut |l| {
                let assigned = !l.access.writes.is_disjoint(&locs);
                fine &= !assigned || k < first && is_copy(&l.stmt, sym, of);
            });
        }
        fine
    }

    /// The nodes of a step whose part of the backward sweep uses an array; `None` when that isn't looked into.
    fn reads(&mut self, steps: &Loop, sym: SymId, level: usize) -> Option<Vec<usize>> {
        let locs = self.locs_of(sym);
        let touches = |set: &LocSet| !set.is_disjoint(&locs);
        let mut fine = self.b.scene().plain_array(sym) && !touches(&steps.access.reads);
        let mut out = Vec::new();
        for (k, node) in steps.body.iter().enumerate() {
            fine &= headers_apart(node, &locs);
            out.extend(asked_again(node, &locs, false).then_some(k));
            node.for_each_leaf(&mut |l| {
                let again = l.keep.iter().skip(level + 1).any(|x| *x);
                let reads = touches(&l.needs) || again && touches(&l.access.reads);
                let plain = matches!(l.stmt.kind, StmtKind::Assign { .. })
                    && !costate_analysis::sections::scene::calls(&l.stmt);
                let touched = reads || touches(&l.access.reads) || touches(&l.access.writes);
                fine &= !(touched && !plain || touches(&l.clobbers) || again && touches(&l.access.writes));
                fine &= !touches(&l.after);
                out.extend(reads.then_some(k));
            });
        }
        fine.then_some(out)
    }

    /// True when a step assigns nearly all of an array of explicit shape.
    fn overwritten(&self, steps: &Loop, sym: SymId) -> bool {
        let Some(v) = self.b.program.var(sym) else { return false };
        if v.attrs.allocatable || v.dims.is_empty() {
            return false;
        }
        let mut out = false;
        steps.body.iter().for_each(|n| {
            n.for_each_leaf(&mut |l| {
                for (target, _) in l.targets.iter().filter(|(e, _)| e.as_var().is_some_and(|d| d.sym == sym)) {
                    out |= self.assigned_limits(&steps.body, (l.stmt.id, target)).is_some_and(|s| {
                        s.len() == v.dims.len() && s.iter().zip(&v.dims).all(|((lo, hi), dim)| nearly(lo, hi, dim))
                    });
                }
            });
        });
        out
    }

    /// Saves such arrays at the start of the step and lets its backward part refer to the saves.
    pub(in crate::reverse) fn save_direct(
        &mut self,
        steps: &Loop,
        body: &mut Block,
        back: &mut Block,
        chain: &[Around],
    ) -> Vec<Saved> {
        let mut out = Vec::new();
        for Direct { array, copies } in &steps.direct {
            let Some((slot, indices)) = self.slot_of_array(*array, chain) else {
                let name = self.b.program[*array].name.clone();
                self.problems.push(
                    Diagnostic::error(
                        Code::UnsupportedStatement,
                        steps.stmt.origin.span(),
                        format!("`{name}` can't be saved in each iteration of this loop"),
                    )
                    .reason("its bounds aren't known before the loop")
                    .help("give the loop bounds that it doesn't change"),
                );
                continue;
            };
            let v = self.b.var(*array);
            let mut parts = vec![Subscript::Range { lo: None, hi: None, step: None }; v.rank as usize];
            parts.extend(indices.iter().cloned());
            let whole = Designator { sym: slot, parts: vec![Part::Subscripts(parts)] };
            let whole = Expr::new(ExprKind::Var(whole), v.ty, v.rank);
            body.insert(0, self.b.assign(whole.clone(), v, &steps.stmt, Role::Save));
            let read = |x: Expr| match x.as_var() {
                Some(d) if d.sym == *array || copies.contains(&d.sym) => reference(d, &x, slot, &indices, &whole),
                _ => x,
            };
            back.iter_mut().for_each(|s| in_stmt(s, &read));
            out.push(Saved { array: *array, slot, indices });
        }
        out
    }
}

/// The first of the nodes that assigns one of the locations.
fn first_write(nodes: &[Node], locs: &LocSet) -> Option<usize> {
    nodes.iter().position(|n| !writes(std::slice::from_ref(n)).is_disjoint(locs))
}

/// True for `sym(...) = of(...)` with the same subscripts.
fn is_copy(s: &Stmt, sym: SymId, of: SymId) -> bool {
    let StmtKind::Assign { lhs, rhs } = &s.kind else { return false };
    let (Some(l), Some(r)) = (lhs.as_var(), rhs.as_var()) else { return false };
    l.sym == sym && r.sym == of && l.parts == r.parts && lhs.ty == rhs.ty && lhs.rank == 0 && !l.parts.is_empty()
}

/// The same elements in the save.
pub(in crate::reverse) fn reference(
    d: &Designator,
    x: &Expr,
    slot: SymId,
    indices: &[Subscript],
    whole: &Expr,
) -> Expr {
    match d.parts.as_slice() {
        [Part::Subscripts(list)] => {
            let list = list.iter().chain(indices).cloned().collect();
            let d = Designator { sym: slot, parts: vec![Part::Subscripts(list)] };
            Expr { kind: ExprKind::Var(d), ..x.clone() }
        }
        _ => whole.clone(),
    }
}

/// Maps the expressions of a statement and of those inside.
pub(in crate::reverse) fn in_stmt(s: &mut Stmt, read: &dyn Fn(Expr) -> Expr) {
    s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut |x| read(x)));
    s.blocks_mut().into_iter().flatten().for_each(|s| in_stmt(s, read));
}

/// True when a section leaves out only a few elements at the ends of a dimension.
fn nearly(lo: &Expr, hi: &Expr, dim: &Dim) -> bool {
    let Dim::Explicit(first, last) = dim else { return false };
    let first = first.clone().unwrap_or_else(|| Expr::int(1));
    let near = |d: Option<i64>| d.is_some_and(|d| (0..=SPARED).contains(&d));
    near(difference(lo, &first)) && near(difference(last, hi))
}

/// True when no loop bound and no condition that is evaluated again uses the array.
fn headers_apart(node: &Node, locs: &LocSet) -> bool {
    match node {
        Node::Leaf(_) => true,
        Node::Branch(b) => {
            (b.replay == Replay::Save || b.reads.is_disjoint(locs))
                && b.arms.iter().flatten().all(|n| headers_apart(n, locs))
        }
        Node::Loop(l) => {
            let exit = l.exit.as_ref().is_none_or(|e| e.2.is_disjoint(locs));
            exit && l.access.reads.is_disjoint(locs) && l.body.iter().all(|n| headers_apart(n, locs))
        }
    }
}

/// True when a condition that is saved uses the array and is evaluated in an iteration that runs again.
fn asked_again(node: &Node, locs: &LocSet, again: bool) -> bool {
    match node {
        Node::Leaf(_) => false,
        Node::Branch(b) => {
            again && !b.reads.is_disjoint(locs) || b.arms.iter().flatten().any(|n| asked_again(n, locs, again))
        }
        Node::Loop(l) => l.body.iter().any(|n| asked_again(n, locs, again || l.region)),
    }
}

/// The adjoints of a step no longer need the array itself.
fn forget_needs(nodes: &mut [Node], locs: &LocSet) {
    for node in nodes {
        match node {
            Node::Leaf(l) => l.needs.retain(|x| !locs.contains(x)),
            Node::Branch(b) => b.arms.iter_mut().for_each(|a| forget_needs(a, locs)),
            Node::Loop(l) => {
                l.needs.retain(|x| !locs.contains(x));
                forget_needs(&mut l.body, locs);
            }
        }
    }
}
