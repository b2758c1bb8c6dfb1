//! Statements: what is assigned, what loops count with, where jumps stand, what directives govern.

use super::Finding;
use super::exprs::{Exprs, differ};
use crate::directives::{Construct, Directive};
use crate::ir::{AllocItem, Base, CaseRange, Expr, IfArm, LoopControl, Name, Part, Program, Stmt, StmtKind, SymId};

/// Looks at statements in their constructs.
pub(super) struct Stmts<'p, 'o> {
    program: &'p Program,
    out: &'o mut Vec<Finding>,
    /// The variables of the loops around.
    counting: Vec<SymId>,
    /// How many loops are around.
    loops: usize,
    /// The names of the constructs around.
    named: Vec<Name>,
}

impl<'p, 'o> Stmts<'p, 'o> {
    pub(super) fn new(program: &'p Program, out: &'o mut Vec<Finding>) -> Self {
        Stmts { program, out, counting: Vec::new(), loops: 0, named: Vec::new() }
    }

    pub(super) fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|s| self.stmt(s));
    }

    fn exprs(&mut self, s: &Stmt) -> Exprs<'p, '_> {
        Exprs { program: self.program, span: s.origin.span(), out: self.out }
    }

    fn stmt(&mut self, s: &Stmt) {
        let mut look = self.exprs(s);
        s.exprs().into_iter().for_each(|e| look.check(e));
        if s.kind.conditional_body().is_none() && s.exprs().into_iter().any(Expr::depends_on_openmp) {
            look.amiss("only conditional lines depend on whether there is OpenMP");
        }
        match &s.kind {
            StmtKind::Assign { lhs, rhs } => {
                look.assign(lhs, rhs);
                self.keeps(s, lhs);
            }
            StmtKind::PointerAssign { lhs, rhs } => look.associate(lhs, rhs),
            StmtKind::Call { callee, args } => look.subroutine(callee, args),
            StmtKind::If { name, arms, otherwise, .. } => {
                arms.iter().for_each(|a| look.scalar(&a.cond, |b| b == Base::Logical, "a logical scalar"));
                self.within(name.as_ref(), |own| own.arms(arms, otherwise.as_ref()));
            }
            StmtKind::Where { arms, otherwise, .. } => {
                for mask in arms.iter().map(|a| &a.cond) {
                    if mask.rank == 0 || mask.ty.base != Base::Logical {
                        look.wrong(mask, "a mask is a logical array");
                    }
                }
                self.arms(arms, otherwise.as_ref());
            }
            StmtKind::Select { name, selector, arms } => {
                let fits = |b| matches!(b, Base::Integer | Base::Character | Base::Logical);
                look.scalar(selector, fits, "an integer, character or logical scalar");
                for range in arms.iter().flat_map(|a| &a.ranges) {
                    match range {
                        CaseRange::Value(e) => look.case(selector, e),
                        CaseRange::Range(lo, hi) => lo.iter().chain(hi).for_each(|e| look.case(selector, e)),
                    }
                }
                self.within(name.as_ref(), |own| arms.iter().for_each(|a| own.block(&a.body)));
            }
            StmtKind::Do { name, control, body, .. } => self.within(name.as_ref(), |own| own.run(s, control, body)),
            StmtKind::Forall { indices, body, .. } => self.over(indices.iter().map(|i| i.0), body),
            StmtKind::Associate { name, body, .. } | StmtKind::BlockScope { name, body, .. } => {
                self.within(name.as_ref(), |own| own.block(body));
            }
            StmtKind::Exit(name) | StmtKind::Cycle(name) => {
                let found = match name {
                    Some(n) => self.named.contains(n),
                    None => self.loops > 0,
                };
                if !found {
                    self.exprs(s).amiss("a jump leaves a construct that isn't around it");
                }
            }
            StmtKind::Allocate { items, options, .. } => {
                let shaped = options.iter().any(|(n, _)| matches!(n.as_str(), "source" | "mold"));
                items.iter().for_each(|i| look.allocate(i, shaped));
            }
            StmtKind::Deallocate { items, .. } => items.iter().for_each(|e| look.has_memory(e)),
            StmtKind::Nullify(items) => items.iter().for_each(|e| look.pointer(e)),
            StmtKind::Io { items, .. } => items.defines.iter().for_each(|e| self.keeps(s, e)),
            StmtKind::Directive { directive, body, .. } => {
                if governs_loop(directive) && !body.as_deref().is_some_and(begins_with_loop) {
                    look.amiss(format!("the directive `{}` stands before no loop", directive.text));
                }
                body.iter().for_each(|b| self.block(b));
            }
            StmtKind::Unsupported { body, .. } => {
                // Which construct it is isn't known: it may be one that is left by `exit`.
                self.loops += 1;
                self.block(body);
                self.loops -= 1;
            }
            StmtKind::Return
            | StmtKind::Stop { .. }
            | StmtKind::Goto(_)
            | StmtKind::Continue
            | StmtKind::Comment(_) => {}
        }
    }

    fn arms(&mut self, arms: &[IfArm], otherwise: Option<&Vec<Stmt>>) {
        arms.iter().map(|a| &a.body).chain(otherwise).for_each(|b| self.block(b));
    }

    fn within(&mut self, name: Option<&Name>, f: impl FnOnce(&mut Self)) {
        self.named.extend(name.cloned());
        f(self);
        if name.is_some() {
            self.named.pop();
        }
    }

    fn run(&mut self, s: &Stmt, control: &LoopControl, body: &[Stmt]) {
        self.loops += 1;
        let mut look = self.exprs(s);
        match control {
            LoopControl::Count { var, lo, hi, step } => {
                let number = |b| matches!(b, Base::Integer | Base::Real);
                let v = look.program.var(*var);
                if v.is_none_or(|v| v.rank() > 0 || !number(v.ty.base)) {
                    look.amiss(format!("a loop counts with `{}`, which is no scalar number", look.program[*var].name));
                }
                [lo, hi].into_iter().chain(step).for_each(|e| look.scalar(e, number, "a scalar number"));
                if step.as_ref().and_then(Expr::as_int) == Some(0) {
                    look.amiss("the step of a loop is zero");
                }
                self.over([*var].into_iter(), body);
            }
            LoopControl::While(cond) => {
                look.scalar(cond, |b| b == Base::Logical, "a logical scalar");
                self.block(body);
            }
            LoopControl::Forever => self.block(body),
            LoopControl::Concurrent { indices, .. } => self.over(indices.iter().map(|i| i.0), body),
        }
        self.loops -= 1;
    }

    /// The statements of a loop over some variables.
    fn over(&mut self, variables: impl Iterator<Item = SymId>, body: &[Stmt]) {
        let before = self.counting.len();
        for var in variables {
            if self.counting.contains(&var) {
                let span = body.first().map_or_else(Default::default, |s| s.origin.span());
                let name = &self.program[var].name;
                self.out.push(Finding { span, what: format!("a loop over `{name}` stands in another one") });
            }
            self.counting.push(var);
        }
        self.block(body);
        self.counting.truncate(before);
    }

    /// A variable that a loop around counts with keeps its value.
    fn keeps(&mut self, s: &Stmt, e: &Expr) {
        let counted = e.as_var().filter(|d| d.parts.is_empty() && self.counting.contains(&d.sym));
        if let Some(d) = counted {
            let name = &self.program[d.sym].name;
            self.exprs(s).amiss(format!("`{name}` is assigned in a loop that counts with it"));
        }
    }
}

impl Exprs<'_, '_> {
    fn assign(&mut self, lhs: &Expr, rhs: &Expr) {
        if !self.definable(lhs) {
            self.wrong(lhs, "it is assigned, and it can't be defined");
        }
        if rhs.rank > 0 && rhs.rank != lhs.rank {
            self.wrong(lhs, format!("it has rank {} and is assigned a value of rank {}", lhs.rank, rhs.rank));
        }
        // What objects of derived types may be assigned is a matter of defined assignments.
        let intrinsic = |e: &Expr| !e.is_derived() && !matches!(e.ty.base, Base::None | Base::Unlimited);
        let numbers = lhs.ty.is_numeric() && rhs.ty.is_numeric();
        if intrinsic(lhs) && intrinsic(rhs) && !numbers && lhs.ty.base != rhs.ty.base {
            self.wrong(lhs, format!("it is assigned what is {}", self.shown(rhs.ty, rhs.rank)));
        }
    }

    fn associate(&mut self, lhs: &Expr, rhs: &Expr) {
        self.pointer(lhs);
        let bounds = lhs.as_var().is_some_and(|d| matches!(d.parts.last(), Some(Part::Subscripts(_))));
        if rhs.is_null() || rhs.as_var().is_none() {
            return;
        }
        if differ(lhs.ty, rhs.ty) || lhs.rank != rhs.rank && !bounds {
            let (a, b) = (self.shown(lhs.ty, lhs.rank), self.shown(rhs.ty, rhs.rank));
            self.wrong(lhs, format!("it is {a} and is associated with what is {b}"));
        }
    }

    fn pointer(&mut self, e: &Expr) {
        if self.reference(e).is_some_and(|f| !f.attrs().pointer) {
            self.wrong(e, "it is used as a pointer and is none");
        }
    }

    fn has_memory(&mut self, e: &Expr) {
        if self.reference(e).is_some_and(|f| !(f.attrs().pointer || f.attrs().allocatable)) {
            self.wrong(e, "its memory is asked for or freed, and it is neither allocatable nor a pointer");
        }
    }

    fn allocate(&mut self, item: &AllocItem, shaped: bool) {
        self.has_memory(&item.object);
        let Some(rank) = self.reference(&item.object).and_then(|f| f.rank) else { return };
        if item.shape.len() != usize::from(rank) && !(shaped && item.shape.is_empty()) {
            self.wrong(&item.object, format!("it has rank {rank} and is allocated with {} bounds", item.shape.len()));
        }
        let bounds = item.shape.iter().flat_map(|(lo, hi)| lo.iter().chain([hi]));
        bounds.for_each(|e| self.scalar(e, |b| b == Base::Integer, "an integer scalar"));
    }

    fn case(&mut self, selector: &Expr, e: &Expr) {
        self.check(e);
        let base = selector.ty.base;
        self.scalar(e, |b| b == base || base == Base::None, "a scalar of the selector's type");
    }
}

fn governs_loop(d: &Directive) -> bool {
    match &d.construct {
        Construct::Omp(c) => c.governs_loop(),
        Construct::Acc(c) => c.governs_loop(),
        Construct::Ad(_) | Construct::Uninterpreted => false,
    }
}

fn begins_with_loop(body: &[Stmt]) -> bool {
    let mut rest = body.iter().filter(|s| match &s.kind {
        StmtKind::Comment(_) => false,
        StmtKind::Directive { directive, body: None, .. } => directive.ad().is_none(),
        _ => true,
    });
    rest.next().is_some_and(|s| match &s.kind {
        StmtKind::Do { .. } => true,
        StmtKind::Directive { body: Some(inner), .. } => begins_with_loop(inner),
        _ => false,
    })
}
