//! The adjoint of a copy is a copy: `u(i) = un(i)` gives `un_b(i) = u_b(i)`. Where nothing is left to be done but to read
//! it, what is copied is read itself, as long as it is still what it was: one pass over memory less.

use std::collections::BTreeSet;

use costate_grammar::ir::{Expr, ExprKind, Part, Stmt, StmtKind, SymId, for_each_expr, for_each_stmt, map_expr};

use super::code::Code;
use super::statements::generated;
use costate_analysis::sections::flow::{Event, Known, Property, rewrite};
use costate_analysis::sections::scene::{Scene, calls};

/// Does without copies of arrays in the backward sweep.
pub(super) fn run(code: &mut Code<'_, '_>) {
    let Code { b, backward, facts, .. } = code;
    without_copies(&b.scene(), backward, &facts.arrays);
}

/// Does without arrays among `own`, which are of no use after the block, that only hold copies.
pub(super) fn without_copies(scene: &Scene<'_>, backward: &mut Vec<Stmt>, own: &BTreeSet<SymId>) {
    for &copy in own.iter().filter(|s| scene.plain_array(**s)) {
        for of in originals(scene, backward, copy) {
            let mut trial = backward.clone();
            delay(&mut trial, &Copy { copy, of });
            rewrite(&Copy { copy, of }, scene, &mut trial, Default::default());
            if reads(&trial, copy) == 0 {
                forget(&mut trial, copy, &mut Vec::new());
                *backward = trial;
                break;
            }
        }
    }
}

/// An element of one array is equal to that of another.
struct Copy {
    copy: SymId,
    of: SymId,
}

impl Property for Copy {
    const BACKWARD: bool = false;

    fn events(&self, scene: &Scene<'_>, s: &Stmt) -> Vec<Event> {
        let StmtKind::Assign { lhs, rhs } = &s.kind else {
            let header = matches!(s.kind, StmtKind::Do { .. } | StmtKind::If { .. } | StmtKind::Select { .. });
            let touched = calls(s) || !header && mentions(s, |x| x == self.copy || x == self.of);
            return touched.then_some(Event::Forget(self.copy)).into_iter().collect();
        };
        let mut out: Vec<Event> = calls(s).then_some(Event::Forget(self.copy)).into_iter().collect();
        let Some(d) = lhs.as_var().filter(|d| d.sym == self.copy || d.sym == self.of) else { return out };
        out.push(match scene.section(d) {
            Some((section, true)) if original(lhs, rhs) == Some(self.of) && d.sym == self.copy => {
                Event::Make(self.copy, section)
            }
            Some((section, _)) => Event::Break(self.copy, section),
            None => Event::Forget(self.copy),
        });
        out
    }

    fn rewrite(&self, scene: &Scene<'_>, s: &mut Stmt, known: &Known<'_>) -> bool {
        if let StmtKind::Assign { rhs, .. } = &mut s.kind {
            *rhs = map_expr(rhs.clone(), &mut |mut x| {
                if let ExprKind::Var(d) = &mut x.kind
                    && d.sym == self.copy
                    && known.holds(scene, d)
                {
                    d.sym = self.of;
                }
                x
            });
        }
        true
    }
}

/// The array of which an assignment copies the element at the same place.
fn original(lhs: &Expr, rhs: &Expr) -> Option<SymId> {
    let (l, r) = (lhs.as_var()?, rhs.as_var()?);
    let element = matches!(l.parts.as_slice(), [Part::Subscripts(_)]) && lhs.rank == 0;
    (element && l.parts == r.parts && lhs.ty == rhs.ty && l.sym != r.sym).then_some(r.sym)
}

/// The arrays of which an array holds copies.
fn originals(scene: &Scene<'_>, block: &[Stmt], copy: SymId) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        if let StmtKind::Assign { lhs, rhs } = &s.kind
            && generated(s)
            && lhs.as_var().is_some_and(|d| d.sym == copy)
        {
            out.extend(original(lhs, rhs).filter(|x| scene.plain_array(*x)));
        }
    });
    out
}

/// In innermost loops, assigns what was copied only after the copy was used, where the statements have nothing else to do
/// with each other.
fn delay(block: &mut [Stmt], c: &Copy) {
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(|b| delay(b, c));
    if !block.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }) && !calls(s)) {
        return;
    }
    let target = |s: &Stmt| match &s.kind {
        StmtKind::Assign { lhs, .. } => lhs.as_var().map(|d| d.sym),
        _ => None,
    };
    for k in (0..block.len()).rev().filter(|k| target(&block[*k]) == Some(c.of)).collect::<Vec<_>>() {
        let uses = |s: &Stmt, x: Option<SymId>| x.is_none_or(|x| mentions(s, |y| y == x));
        let commute = |a: &Stmt, b: &Stmt| !uses(a, target(b)) && !uses(b, target(a));
        let Some(last) = (k + 1..block.len()).rev().find(|j| uses(&block[*j], Some(c.copy))) else { continue };
        if !(k + 1..=last).all(|j| commute(&block[k], &block[j])) {
            continue;
        }
        let comments = std::mem::take(&mut block[k].leading);
        block[k..=last].rotate_left(1);
        block[k].leading.splice(0..0, comments);
    }
}

fn mentions(s: &Stmt, of: impl Fn(SymId) -> bool) -> bool {
    let mut found = false;
    for e in s.exprs() {
        for_each_expr(e, &mut |x| found |= x.as_var().is_some_and(|d| of(d.sym)));
    }
    found
}

/// How often an array is used otherwise than as the target of a statement that goes with it.
fn reads(block: &[Stmt], sym: SymId) -> usize {
    let mut n = 0;
    for_each_stmt(block, &mut |s| {
        for e in s.exprs() {
            for_each_expr(e, &mut |x| n += usize::from(x.as_var().is_some_and(|d| d.sym == sym)));
        }
        n -= usize::from(idle(s, sym));
    });
    n
}

/// True for an assignment to the array that does nothing else.
fn idle(s: &Stmt, sym: SymId) -> bool {
    matches!(&s.kind, StmtKind::Assign { lhs, .. } if lhs.as_var().is_some_and(|d| d.sym == sym)) && !calls(s)
}

/// Removes the assignments to an array; their comments stay with what follows.
fn forget(block: &mut Vec<Stmt>, sym: SymId, comments: &mut Vec<String>) {
    let mut kept = Vec::new();
    for mut s in std::mem::take(block) {
        if idle(&s, sym) {
            comments.append(&mut s.leading);
            continue;
        }
        let had = s.blocks().iter().any(|b| !b.is_empty());
        let before = std::mem::take(comments);
        s.blocks_mut().into_iter().for_each(|b| forget(b, sym, comments));
        if had && s.blocks().iter().all(|b| b.is_empty()) {
            comments.splice(0..0, before.into_iter().chain(std::mem::take(&mut s.leading)));
            continue;
        }
        s.leading.splice(0..0, before);
        kept.push(s);
    }
    *block = kept;
}
