//! Where all iterations of the loops around a reference refer to: from the least to the greatest index.

use costate_grammar::ir::{Expr, LoopControl, Stmt, StmtKind, Subscript, SymId};

use crate::affine::{Affine, combine};
use crate::loops::ends;
use crate::storage::symbols;

/// As many counters as are replaced in one index.
const MOST: usize = 8;

/// The counters of the loops around a statement with their least and greatest values, outer ones first.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Both ends are to be indices of some iteration.
    reached: bool,
    loops: Vec<(SymId, Option<(Expr, Expr)>)>,
}

impl Counted {
    /// No loops yet, and of those around a statement later only such that come to both ends of their range, if they run.
    pub(super) fn reached() -> Counted {
        Counted { reached: true, loops: Vec::new() }
    }

    /// Inside one more loop.
    pub fn enter(&mut self, control: &LoopControl) {
        let LoopControl::Count { var, .. } = control else { return };
        // With other steps the last index may be beyond the last iteration.
        let range = ends(control).map(|(_, range)| range);
        // Where both limits move with an outer loop, no iteration of that may have the least and the greatest of them.
        let range = range.filter(|(lo, hi)| !(self.reached && self.count_in(lo) && self.count_in(hi)));
        self.loops.push((*var, range));
    }

    /// The ranges of all indices that subscripts are.
    pub fn all_of_each(&self, list: &[Subscript]) -> Vec<Subscript> {
        list.iter().map(|s| self.all_of(s)).collect()
    }

    /// The range of all indices that a subscript is, or the subscript where that isn't known.
    pub fn all_of(&self, s: &Subscript) -> Subscript {
        let (lo, hi) = match s {
            Subscript::Index(e) if self.count_in(e) => (self.extreme(e, false), self.extreme(e, true)),
            Subscript::Range { lo: Some(lo), hi: Some(hi), step: None } => {
                (self.extreme(lo, false), self.extreme(hi, true))
            }
            _ => return s.clone(),
        };
        match (lo, hi) {
            (Some(lo), Some(hi)) => Subscript::Range { lo: Some(lo), hi: Some(hi), step: None },
            _ => s.clone(),
        }
    }

    fn count_in(&self, e: &Expr) -> bool {
        let names = symbols(e);
        self.loops.iter().any(|l| names.contains(&l.0))
    }

    /// The least or the greatest value of an index, in which no counter is left.
    fn extreme(&self, e: &Expr, greatest: bool) -> Option<Expr> {
        let mut out = e.clone();
        for _ in 0..MOST {
            if !self.count_in(&out) {
                return Some(out);
            }
            let sum = Affine::of(&out);
            let counter = |t: &Expr| t.as_var().filter(|d| d.parts.is_empty() && self.count_in(t)).map(|d| d.sym);
            let (term, factor) = sum.terms().find(|t| counter(t.0).is_some())?;
            let var = counter(term)?;
            let (lo, hi) = self.loops.iter().rev().find(|l| l.0 == var)?.1.as_ref()?;
            let end = if greatest == (factor > 0) { hi } else { lo };
            out = combine(&combine(&out, -factor, term), factor, end);
        }
        None
    }
}

/// The statements of a block in the order of the text, with the loops around each.
pub(super) fn with_loops<'s>(block: &'s [Stmt], around: &Counted, out: &mut Vec<(&'s Stmt, Counted)>) {
    for s in block {
        out.push((s, around.clone()));
        let mut inside = around.clone();
        if let StmtKind::Do { control, .. } = &s.kind {
            inside.enter(control);
        }
        s.blocks().into_iter().for_each(|b| with_loops(b, &inside, out));
    }
}
