//! Sine and cosine of one argument, which the adjoint of either one brings together, are computed in loops of their own:
//! compilers would otherwise merge them into one scalar call, and the loop would not be vectorised. The loop runs in
//! blocks, so that the values of a block stay in the cache.

use std::collections::{BTreeSet, HashSet};

use costate_analysis::loops::changing;
use costate_analysis::storage::symbols;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Callee, Designator, Dim, Expr, ExprKind, LoopControl, Origin, Part, Role, Stmt, StmtKind, Subscript,
    SymId, for_each_expr, map_expr,
};

use super::code::Code;
use super::fission::distribute;
use super::pass::Pass;
use costate_analysis::dependence::independence::plain;
use costate_analysis::sections::scene::calls;

/// Iterations in a block.
const LENGTH: i64 = 256;

/// A loop that runs in blocks: its variable, as an expression too, the first value in the block, its own first and last value, and whether it
/// ascends.
struct Blocked {
    var: SymId,
    index: Expr,
    first: Expr,
    start: Expr,
    end: Expr,
    up: bool,
}

/// Gives sines and cosines of the same argument in innermost loops of the backward sweep loops of their own.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, facts| code.separate_in(backward, &facts.private));
}

impl Code<'_, '_> {
    /// Does so in the innermost loops of a block. `private` are scalars that are used only in the iteration that assigns
    /// them.
    pub(super) fn separate_in(&mut self, block: &mut [Stmt], private: &BTreeSet<SymId>) {
        for s in block.iter_mut().filter(|s| !s.is_region()) {
            if !self.separate(s, private) {
                s.blocks_mut().into_iter().for_each(|b| self.separate_in(b, private));
            }
        }
    }

    fn separate(&mut self, s: &mut Stmt, private: &BTreeSet<SymId>) -> bool {
        let StmtKind::Do { control: LoopControl::Count { var, lo, hi, step }, body, .. } = &s.kind else {
            return false;
        };
        // A loop in blocks can't be shared out.
        let backward = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. }) && s.followed().is_none();
        let up = match step.as_ref().map(Expr::as_int) {
            None | Some(Some(1)) => true,
            Some(Some(-1)) => false,
            Some(_) => return false,
        };
        let straight = body.iter().all(|s| matches!(s.kind, StmtKind::Assign { .. }) && !calls(s));
        let (Some(like), true) = (self.b.program.var(*var).cloned(), straight && backward) else { return false };
        let fits = |e: &Expr| e.ty == like.ty || e.as_int().is_some();
        let together = self.together(*var, body);
        if together.is_empty() || !fits(lo) || !fits(hi) {
            return false;
        }
        let (start, end, mut body) = (lo.clone(), hi.clone(), body.clone());
        let first = self.b.local_like("first", &like, Vec::new());
        let blocked = Blocked { var: *var, index: self.b.var(*var), first: self.b.var(first), start, end, up };
        let mut loops = Vec::new();
        for (f, name) in [(Intrinsic::Sin, "sine"), (Intrinsic::Cos, "cosine")] {
            let mut values = Vec::new();
            for x in &together {
                let work = self.b.local(name, x.ty, vec![Dim::Explicit(None, Expr::int(LENGTH))]);
                let element = blocked.element(work, x);
                let value = Expr::intrinsic(f, vec![x.clone()]);
                replace(&mut body, f, x, &element);
                values.push(self.b.assign(element, value, s, Role::Adjoint));
            }
            loops.push(self.block_of(&blocked, values, s));
        }
        let main = self.block_of(&blocked, body, s);
        loops.extend(distribute(self.b, &main, private, self.has(Pass::Peeling)).unwrap_or_else(|| vec![main]));
        let by = Expr::int(if up { LENGTH } else { -LENGTH });
        let control = LoopControl::Count { var: first, lo: blocked.start, hi: blocked.end, step: Some(by) };
        s.kind = StmtKind::repeat(control, loops);
        true
    }

    fn block_of(&mut self, l: &Blocked, body: Vec<Stmt>, from: &Stmt) -> Stmt {
        let last = match l.up {
            true => extreme(Intrinsic::Min, l.first.clone().add(Expr::int(LENGTH - 1)), &l.end),
            false => extreme(Intrinsic::Max, l.first.clone().sub(Expr::int(LENGTH - 1)), &l.end),
        };
        let step = (!l.up).then(|| Expr::int(1).neg());
        let control = LoopControl::Count { var: l.var, lo: l.first.clone(), hi: last, step };
        self.b.derive(StmtKind::repeat(control, body), from, Role::Adjoint)
    }

    /// Arguments of both a sine and a cosine, that the iterations don't change.
    fn together(&self, var: SymId, body: &[Stmt]) -> Vec<Expr> {
        let changed = changing(self.b.program, body);
        let (mut arguments, mut of_sine, mut of_cosine) = (Vec::new(), HashSet::new(), HashSet::new());
        for e in body.iter().flat_map(Stmt::exprs) {
            for_each_expr(e, &mut |e| {
                let ExprKind::Call { callee: Callee::Intrinsic(f), args } = &e.kind else { return };
                let [Arg { value, .. }] = args.as_slice() else { return };
                match f {
                    Intrinsic::Sin if of_sine.insert(value) => arguments.push(value),
                    Intrinsic::Cos => _ = of_cosine.insert(value),
                    _ => {}
                }
            });
        }
        let fits = |x: &Expr| {
            let used = symbols(x);
            x.ty.base == Base::Real
                && x.rank == 0
                && used.contains(&var)
                && used.is_disjoint(&changed)
                && plain(self.b.program, x)
                && of_cosine.contains(x)
        };
        arguments.into_iter().filter(|x| fits(x)).cloned().collect()
    }
}

impl Blocked {
    /// The element of a work array that belongs to the present iteration.
    fn element(&self, work: SymId, x: &Expr) -> Expr {
        let (a, b) = if self.up { (&self.index, &self.first) } else { (&self.first, &self.index) };
        let index = a.clone().sub(b.clone()).add(Expr::int(1));
        let d = Designator { sym: work, parts: vec![Part::Subscripts(vec![Subscript::Index(index)])] };
        Expr::new(ExprKind::Var(d), x.ty, 0)
    }
}

fn extreme(f: Intrinsic, a: Expr, b: &Expr) -> Expr {
    let b = match b.as_int() {
        Some(v) if b.ty != a.ty => Expr::literal(v as f64, a.ty),
        _ => b.clone(),
    };
    Expr::intrinsic(f, vec![a, b])
}

fn replace(body: &mut [Stmt], f: Intrinsic, x: &Expr, by: &Expr) {
    let mut new = |e: Expr| match &e.kind {
        ExprKind::Call { callee: Callee::Intrinsic(g), args } if *g == f && args.len() == 1 && args[0].value == *x => {
            by.clone()
        }
        _ => e,
    };
    for s in body {
        s.kind.map_exprs(&mut |e| map_expr(e.clone(), &mut new));
    }
}
