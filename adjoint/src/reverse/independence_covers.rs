//! Arrays that a loop nest assigns from end to end: what they held before is of no use afterwards.

use costate_analysis::storage::symbols;
use costate_grammar::ir::{Dim, Expr, ExprKind, LoopControl, Part, Program, StmtKind, Subscript, SymId};

use super::Reverse;
use super::node::{Branch, Loop, Node, writes};

/// An element, or a line or plane of elements, that is assigned for sure.
#[derive(Clone, Debug, PartialEq)]
struct Assigned {
    sym: SymId,
    /// `None` for a dimension that is covered.
    at: Vec<Option<Expr>>,
}

impl Reverse<'_, '_> {
    /// Finds what the loops of the body cover.
    pub(super) fn find_covers(&mut self, nodes: &mut [Node]) {
        let written = writes(nodes);
        let changing: Vec<SymId> = written.iter().map(|l| self.effects.locs.get(*l).sym).collect();
        for n in nodes {
            self.covers_of(n, &changing);
        }
    }

    /// Elements that the node assigns for sure; notes on the way what each loop covers.
    fn covers_of(&mut self, node: &mut Node, changing: &[SymId]) -> Vec<Assigned> {
        match node {
            Node::Leaf(l) => match &l.stmt.kind {
                StmtKind::Assign { lhs, .. } if l.access.kills.is_empty() => element(lhs).into_iter().collect(),
                _ => Vec::new(),
            },
            Node::Branch(b) => self.covers_of_branch(b, changing),
            Node::Loop(l) => self.covers_of_loop(l, changing),
        }
    }

    fn covers_of_branch(&mut self, b: &mut Branch, changing: &[SymId]) -> Vec<Assigned> {
        let mut common: Option<Vec<Assigned>> = (!b.exhaustive).then(Vec::new);
        for arm in &mut b.arms {
            let mut own = Vec::new();
            for n in arm {
                own.extend(self.covers_of(n, changing));
            }
            common = Some(match common {
                None => own,
                Some(c) => c.into_iter().filter(|a| own.contains(a)).collect(),
            });
        }
        common.unwrap_or_default()
    }

    fn covers_of_loop(&mut self, l: &mut Loop, changing: &[SymId]) -> Vec<Assigned> {
        let inner: Vec<Assigned> = l.body.iter_mut().flat_map(|n| self.covers_of(n, changing)).collect();
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } = &l.stmt.kind else {
            return Vec::new();
        };
        let (lo, hi) = match step.as_ref().map(Expr::as_int) {
            None | Some(Some(1)) => (lo, hi),
            Some(Some(-1)) => (hi, lo),
            Some(_) => return Vec::new(),
        };
        if l.exit.is_some() || writes(&l.body).iter().any(|w| self.effects.locs.get(*w).sym == *var) {
            return Vec::new();
        }
        let mut out: Vec<Assigned> = Vec::new();
        for a in inner {
            let Some(a) = extend(self.b.program, a, *var, lo, hi, changing) else { continue };
            if a.at.iter().all(Option::is_none) {
                l.covers.extend(self.effects.locs.leaves(self.b.program, a.sym, &[]));
            } else if !out.contains(&a) {
                out.push(a);
            }
        }
        out
    }
}

fn element(lhs: &Expr) -> Option<Assigned> {
    let d = lhs.as_var()?;
    let [Part::Subscripts(list)] = d.parts.as_slice() else { return None };
    let index = |s: &Subscript| match s {
        Subscript::Index(e) if e.rank == 0 => Some(Some(e.unparen().clone())),
        Subscript::Index(_) | Subscript::Range { .. } => None,
    };
    (lhs.rank == 0 && !lhs.is_derived()).then_some(())?;
    Some(Assigned { sym: d.sym, at: list.iter().map(index).collect::<Option<_>>()? })
}

/// What is assigned when `var` runs from `lo` to `hi`: the dimension it indexes is covered when that is its whole extent.
fn extend(program: &Program, a: Assigned, var: SymId, lo: &Expr, hi: &Expr, changing: &[SymId]) -> Option<Assigned> {
    let v = program.var(a.sym)?;
    if v.attrs.pointer || v.attrs.allocatable || v.attrs.target || v.equivalenced || v.dims.len() != a.at.len() {
        return None;
    }
    let using: Vec<usize> =
        (0..a.at.len()).filter(|k| a.at[*k].as_ref().is_some_and(|e| symbols(e).contains(&var))).collect();
    let [k] = using[..] else { return None };
    let whole = a.at[k].as_ref().and_then(Expr::as_var).is_some_and(|d| d.sym == var && d.parts.is_empty());
    let Dim::Explicit(first, last) = &v.dims[k] else { return None };
    let starts = match first {
        Some(f) => same(f, lo),
        None => lo.as_int() == Some(1),
    };
    let fixed = |e: &Expr| {
        !symbols(e).iter().any(|s| changing.contains(s))
            && matches!(e.unparen().kind, ExprKind::Int { .. } | ExprKind::Var(_) | ExprKind::Binary(..))
            && !has_call(e)
    };
    if !(whole && starts && same(last, hi) && fixed(lo) && fixed(hi)) {
        return None;
    }
    let mut at = a.at;
    at[k] = None;
    Some(Assigned { sym: a.sym, at })
}

fn same(a: &Expr, b: &Expr) -> bool {
    a.unparen() == b.unparen() || a.as_int().is_some() && a.as_int() == b.as_int()
}

fn has_call(e: &Expr) -> bool {
    let mut found = false;
    costate_grammar::ir::for_each_expr(e, &mut |x| {
        found |= matches!(x.kind, ExprKind::Call { .. } | ExprKind::Opaque(_))
    });
    found
}
