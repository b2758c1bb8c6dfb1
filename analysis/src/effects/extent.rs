//! How far a procedure goes in an array of assumed size.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Block, Callee, Designator, Dim, Expr, ExprKind, LoopControl, Part, ProcId, Program, Stmt, StmtKind, Subscript,
    SymId, for_each_expr, map_expr,
};
use costate_grammar::lower::constant::{self, Const};

use super::{CallMap, Effects};
use crate::affine::{count, difference, minus, plus};
use crate::externals::elements_of;
use crate::loops::substitute;
use crate::storage::symbols;

/// The largest subscript of an array in what was looked at: nothing yet, or a bound in what the procedure doesn't change.
struct Largest {
    array: SymId,
    bound: Option<Expr>,
    known: bool,
}

impl Effects {
    /// The last subscript of a dummy array of assumed size by which a procedure may refer to an element, in terms of values at
    /// its entry.
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

    /// How many elements of a dummy a procedure without source refers to in each dimension, from the first on, where its row
    /// says so: in the caller's terms.
    pub fn told_elements(&self, program: &Program, map: &CallMap, callee: ProcId, dummy: SymId) -> Option<Vec<Expr>> {
        self.externals.get(&callee)?;
        let scope = &program[program[callee].scope];
        let shape = &program.var(*scope.names.get(&elements_of(&program[dummy].name))?)?.dims;
        self.extents_in_caller(program, map, callee, shape)
    }

    /// The extents of explicit dimensions in a callee, in the caller's terms.
    pub fn extents_in_caller(
        &self,
        program: &Program,
        map: &CallMap,
        callee: ProcId,
        dims: &[Dim],
    ) -> Option<Vec<Expr>> {
        let extent = |d: &Dim| match d {
            Dim::Explicit(lo, hi) => here(program, callee, map, &count(lo.as_ref().unwrap_or(&Expr::int(1)), hi)),
            _ => None,
        };
        dims.iter().map(extent).collect()
    }

    /// How many elements behind each other these are in memory, from the first to the last one.
    pub fn told_length(&self, program: &Program, map: &CallMap, callee: ProcId, dummy: SymId) -> Option<Expr> {
        let elements = self.told_elements(program, map, callee, dummy)?;
        let (last, leading) = elements.split_last()?;
        let declared = &program.var(dummy)?.dims;
        let declared = self.extents_in_caller(program, map, callee, declared.get(..leading.len())?)?;
        let (mut length, mut stride) = (Expr::int(1), Expr::int(1));
        for (own, all) in leading.iter().zip(&declared) {
            length = plus(&length, &minus(own, &Expr::int(1)).mul(stride.clone()));
            stride = stride.mul(all.clone());
        }
        let full = leading.iter().zip(&declared).all(|(own, all)| own == all);
        if full {
            return Some(match stride.as_int() {
                Some(1) => last.clone(),
                _ => last.clone().mul(stride),
            });
        }
        let others = minus(last, &Expr::int(1));
        if others.as_int() == Some(0) {
            return Some(length);
        }
        // Of no rows there is nothing behind the first one either.
        let any = leading.iter().map(|n| Expr::intrinsic(Intrinsic::Min, vec![n.clone(), Expr::int(1)]));
        let stride = any.fold(stride, Expr::mul);
        Some(plus(&length, &others.mul(stride)))
    }
}

/// An expression of a declaration in the caller's terms, if it means something there.
fn here(program: &Program, callee: ProcId, map: &CallMap, e: &Expr) -> Option<Expr> {
    let known = |x: Expr| match &x.kind {
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Merge), args } => {
            let [yes, no, mask] = args.as_slice() else { return x };
            match constant::fold(program, &mask.value) {
                Some(Const::Logical(true)) => yes.value.clone(),
                Some(Const::Logical(false)) => no.value.clone(),
                _ => x,
            }
        }
        ExprKind::Call { .. } => constant::integer(program, &x).map_or(x, Expr::int),
        _ => x,
    };
    let e = map_expr(map.in_caller(e), &mut |x| known(x));
    let own = symbols(&e).iter().any(|s| program[*s].scope == program[callee].scope);
    (!own).then(|| plus(&e, &Expr::int(0)))
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
        let Some(Subscript::Index(e)) = list.last() else { return self.known = false };
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
