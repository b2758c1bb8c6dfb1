//! How far a procedure goes in an array of assumed size.

use costate_grammar::ir::{
    Block, Designator, Expr, LoopControl, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId, for_each_expr,
};

use super::Effects;
use crate::affine::difference;
use crate::loops::substitute;
use crate::storage::symbols;

/// The largest subscript of an array in what was looked at: nothing yet, or a bound in what the procedure doesn't change.
struct Largest {
    array: SymId,
    bound: Option<Expr>,
    known: bool,
}

impl Effects {
    /// The last element of a dummy array of rank 1 that a procedure may refer to, in terms of values at its entry.
    pub(super) fn last_element(&mut self, program: &Program, proc: ProcId, array: SymId) -> Option<Expr> {
        let body = self.bodies.get(&proc)?.clone();
        let mut largest = Largest { array, bound: None, known: true };
        largest.look(&body, &mut Vec::new());
        let bound = largest.bound.filter(|_| largest.known)?;
        let changed = self.summaries.get(&proc)?.access.writes.clone();
        let used = symbols(&bound);
        let stays = |s: &SymId| {
            let dummy = program[proc].dummies.contains(s) || program.var(*s).is_some_and(|v| v.attrs.parameter);
            dummy && !changed.iter().any(|l| self.locs.get(*l).sym == *s)
        };
        used.iter().all(stays).then_some(bound)
    }
}

impl Largest {
    /// Looks at statements within loops, each with its variable and the largest value of that.
    fn look(&mut self, block: &Block, loops: &mut Vec<(SymId, Expr)>) {
        for s in block {
            if let StmtKind::Call { .. } = &s.kind {
                self.known &= !mentions(s, self.array);
            }
            for e in s.exprs() {
                for_each_expr(e, &mut |x| {
                    if let Some(d) = x.as_var().filter(|d| d.sym == self.array) {
                        self.reference(d, loops);
                    }
                });
            }
            let depth = loops.len();
            if let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, .. } = &s.kind {
                let down = match step {
                    None => Some(false),
                    Some(e) => e.as_int().filter(|n| *n != 0).map(|n| n < 0),
                };
                // The bounds of an inner loop may use the variables of the outer ones.
                if let Some(down) = down {
                    loops.push((*var, highest(if down { lo } else { hi }, loops)));
                }
            }
            for inner in s.blocks() {
                self.look(inner, loops);
            }
            loops.truncate(depth);
        }
    }

    fn reference(&mut self, d: &Designator, loops: &[(SymId, Expr)]) {
        let [Part::Subscripts(list)] = d.parts.as_slice() else { return self.known = false };
        let [Subscript::Index(e)] = list.as_slice() else { return self.known = false };
        let bound = highest(e, loops);
        match &self.bound {
            None => self.bound = Some(bound),
            Some(known) => match difference(&bound, known) {
                Some(more) if more > 0 => self.bound = Some(bound),
                Some(_) => {}
                None => self.known = false,
            },
        }
    }
}

/// An index with the largest values of loop variables in the place of these; for an index that rises with all of them.
/// What falls with one is left alone, and is then no value at entry.
fn highest(e: &Expr, loops: &[(SymId, Expr)]) -> Expr {
    loops.iter().rev().fold(e.clone(), |e, (var, most)| {
        let next = substitute(&e, *var, &Expr::int(1));
        let first = substitute(&e, *var, &Expr::int(0));
        match difference(&next, &first) {
            Some(slope) if slope > 0 => substitute(&e, *var, most),
            _ => e,
        }
    })
}

fn mentions(s: &Stmt, array: SymId) -> bool {
    let mut found = false;
    for e in s.exprs() {
        for_each_expr(e, &mut |x| found |= x.as_var().is_some_and(|d| d.sym == array));
    }
    found
}
