//! The increments of a stencil gathered by element within one nest of loops, for a device: there each loop is a kernel of
//! its own, and all of them share out all their loops. So nothing is peeled off. The nest runs over all elements that are
//! incremented; in its interior, where each offset has an iteration for an element, all increments stand together, and
//! elsewhere a condition guards those of each offset.

use std::collections::BTreeMap;

use costate_analysis::affine::plus;
use costate_grammar::ir::{Block, Expr, IfArm, LoopControl, Role, Stmt, StmtKind, SymId};
use costate_grammar::operators::BinaryOp;

use super::distribution::add_increment;
use super::peeling::{last_ones, offset, shift};
use crate::build::Builder;
use costate_analysis::dependence::independence::{Body, Use};

/// The greatest number of elements by which offsets may differ along a loop.
const WIDTH: i64 = 8;

/// How a nest gathers.
pub(super) struct Gather {
    /// Statements by the offsets from the variables of the loops to the elements that they increment.
    groups: Vec<(Vec<i64>, Vec<usize>)>,
    /// The least and the greatest offset along each loop.
    hull: Vec<(i64, i64)>,
    /// Statements whose iterations come after all others.
    pub(super) last: Vec<usize>,
}

/// A loop's variable with its first and its last value.
pub(super) type Limits = (SymId, Expr, Expr);

/// How the increments of a nest over `vars` are gathered; `None` where there is nothing to gather, or where iterations
/// have to stay apart. `slice` adds the assignments of private scalars that statements use, `overwritten` tells whether
/// what a statement reads is assigned anew before it in the same iteration.
pub(super) fn gather(
    body: &Body<'_>,
    vars: &[SymId],
    slice: &dyn Fn(Vec<usize>) -> Vec<usize>,
    overwritten: &dyn Fn(usize) -> bool,
) -> Option<Gather> {
    let mut by_offset: BTreeMap<Vec<i64>, Vec<usize>> = BTreeMap::new();
    for (i, p) in body.parts.iter().enumerate() {
        let at = match body.uses.get(&p.target) {
            Some(Use::Private) => continue,
            Some(Use::Increments) if !p.lhs.parts.is_empty() => vars.iter().map(|v| offset(body, &[i], *v)).collect(),
            _ => vec![0; vars.len()],
        };
        by_offset.entry(at).or_default().push(i);
    }
    let own = by_offset.remove(&vec![0; vars.len()]).map(slice).unwrap_or_default();
    let others: Vec<(Vec<i64>, Vec<usize>)> = by_offset.into_iter().map(|(at, list)| (at, slice(list))).collect();
    if others.is_empty() || others.iter().flat_map(|g| &g.1).any(|i| overwritten(*i)) {
        return None;
    }
    let lists: Vec<Vec<usize>> = others.iter().map(|g| g.1.clone()).collect();
    let (own, last) = last_ones(body, &lists, &own)?;
    let mut groups = others;
    if !own.is_empty() {
        groups.insert(0, (vec![0; vars.len()], own));
    }
    let along = |k: usize| {
        let all = || groups.iter().map(|g| g.0[k]);
        Some((all().min()?, all().max()?))
    };
    let hull: Vec<(i64, i64)> = (0..vars.len()).map(along).collect::<Option<_>>()?;
    let narrow = hull.iter().all(|(least, most)| most - least <= WIDTH) && hull.iter().any(|(a, b)| a != b);
    narrow.then_some(Gather { groups, hull, last })
}

impl Gather {
    /// The range of the nest's loop number `k`.
    pub(super) fn control(&self, k: usize, (var, lo, hi): &Limits) -> LoopControl {
        let (least, most) = self.hull[k];
        LoopControl::Count { var: *var, lo: by(lo, least), hi: by(hi, most), step: None }
    }

    /// The statements of the nest: `stmts` are those of its body, `limits` those of its loops, `from` is the outermost one.
    pub(super) fn body(
        &self,
        b: &mut Builder<'_>,
        body: &Body<'_>,
        stmts: &[Stmt],
        (limits, from): (&[Limits], &Stmt),
    ) -> Vec<Stmt> {
        let mut interior = self.interior(body, stmts, limits);
        b.program.renumber(&mut interior);
        let mut edges = Vec::new();
        for (offsets, list) in &self.groups {
            let mut inner = chosen(stmts, list);
            inner.iter_mut().for_each(|s| move_by(s, limits, offsets));
            b.program.renumber(&mut inner);
            inner.iter_mut().for_each(|s| s.leading.clear());
            match self.guard(limits, offsets) {
                Some(cond) => edges.push(branch(b, from, cond, inner, None)),
                None => edges.extend(inner),
            }
        }
        match self.everywhere(limits) {
            Some(cond) => vec![branch(b, from, cond, interior, Some(edges))],
            None => interior,
        }
    }

    /// All statements in the place of what they increment. Increments of one element that need nothing of what the others
    /// assign are made at once.
    fn interior(&self, body: &Body<'_>, stmts: &[Stmt], limits: &[Limits]) -> Vec<Stmt> {
        let assigned: Vec<_> = self.groups.iter().flat_map(|g| &g.1).map(|i| body.parts[*i].target).collect();
        let free = |i: usize| {
            let p = &body.parts[i];
            let alone = p.reads.iter().all(|s| *s == p.target || !assigned.contains(s));
            p.increment && alone && body.uses.get(&p.target) == Some(&Use::Increments)
        };
        let mut out: Vec<(Stmt, bool)> = Vec::new();
        for (offsets, list) in &self.groups {
            for mut s in chosen(stmts, list) {
                let joins = list.iter().any(|i| body.parts[*i].stmt.id == s.id && free(*i));
                move_by(&mut s, limits, offsets);
                let place = out.iter_mut().find(|(o, free)| *free && joins && same_target(o, &s));
                match place {
                    Some((o, _)) => add_increment(o, &s),
                    None => out.push((s, joins)),
                }
            }
        }
        out.into_iter().map(|o| o.0).collect()
    }

    /// What holds where an offset has an iteration for the element, as far as the range of the nest leaves it open.
    fn guard(&self, limits: &[Limits], offsets: &[i64]) -> Option<Expr> {
        let mut out: Option<Expr> = None;
        for (((var, lo, hi), (least, most)), at) in limits.iter().zip(&self.hull).zip(offsets) {
            let var = Expr::var(*var, lo.ty, 0);
            if at > least {
                out = Some(both(out, Expr::binary(BinaryOp::Ge, var.clone(), by(lo, *at))));
            }
            if at < most {
                out = Some(both(out, Expr::binary(BinaryOp::Le, var, by(hi, *at))));
            }
        }
        out
    }

    /// What holds where each offset has an iteration for the element.
    fn everywhere(&self, limits: &[Limits]) -> Option<Expr> {
        let mut out: Option<Expr> = None;
        for ((var, lo, hi), (least, most)) in limits.iter().zip(&self.hull).filter(|(_, (a, b))| a < b) {
            let var = Expr::var(*var, lo.ty, 0);
            out = Some(both(out, Expr::binary(BinaryOp::Ge, var.clone(), by(lo, *most))));
            out = Some(both(out, Expr::binary(BinaryOp::Le, var, by(hi, *least))));
        }
        out
    }
}

fn by(e: &Expr, k: i64) -> Expr {
    plus(e, &Expr::int(k))
}

fn both(a: Option<Expr>, b: Expr) -> Expr {
    match a {
        Some(a) => Expr::binary(BinaryOp::And, a, b),
        None => b,
    }
}

fn branch(b: &mut Builder<'_>, from: &Stmt, cond: Expr, body: Vec<Stmt>, otherwise: Option<Vec<Stmt>>) -> Stmt {
    let arms = vec![IfArm { cond, body }];
    b.derive(StmtKind::If { name: None, arms, otherwise, one_line: false }, from, Role::Adjoint)
}

/// Assignments of a body, by their positions, with the branches around them.
pub(super) fn chosen(stmts: &[Stmt], list: &[usize]) -> Vec<Stmt> {
    fn choose(block: &mut Block, list: &[usize], next: &mut usize) {
        block.retain_mut(|s| {
            let mut blocks = s.blocks_mut();
            if blocks.is_empty() {
                *next += 1;
                return list.contains(&(*next - 1));
            }
            blocks.iter_mut().for_each(|b| choose(b, list, next));
            let any = blocks.iter().any(|b| !b.is_empty());
            if let StmtKind::If { otherwise, .. } = &mut s.kind {
                otherwise.take_if(|b| b.is_empty());
            }
            any
        });
    }
    let mut out = stmts.to_vec();
    choose(&mut out, list, &mut 0);
    out
}

/// Moves a statement to the place of the element that it increments.
fn move_by(s: &mut Stmt, limits: &[Limits], offsets: &[i64]) {
    for ((var, ..), at) in limits.iter().zip(offsets) {
        s.kind.map_exprs(&mut |e| shift(e, *var, -at));
    }
    s.blocks_mut().into_iter().flatten().for_each(|s| move_by(s, limits, offsets));
}

fn same_target(a: &Stmt, b: &Stmt) -> bool {
    match (&a.kind, &b.kind) {
        (StmtKind::Assign { lhs: x, .. }, StmtKind::Assign { lhs: y, .. }) => x == y,
        _ => false,
    }
}
