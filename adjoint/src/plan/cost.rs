//! Predicted run time of code at given sizes: arithmetic, references to memory, what of it doesn't fit in caches, and what
//! iterations wait for.
//!
//! The unit is a nanosecond of one core at about 3 GHz with vectors of four doubles. What matters are ratios: of an adjoint
//! to its primal, and of one plan to another.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::callgraph::Bodies;
use costate_analysis::effects::target;
use costate_analysis::loops::{exit_flag, is_counted};
use costate_analysis::storage::resolve;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Arg, Base, Block, Callee, Expr, ExprKind, IfArm, LoopControl, Origin, Part, ProcId, Program, Role, Stmt,
    StmtKind, SymId, for_each_expr,
};
use costate_grammar::operators::{BinaryOp, UnaryOp};

use super::counts::Counts;
use super::latency::carried;
use super::sizes::{FrameKey, MOST_FRAMES, Sizes, element, trips};
use super::traffic::Saved;
use super::work::{Attribution, Times};

/// Addition, multiplication, comparison.
const SIMPLE: f64 = 0.03;
const DIVISION: f64 = 0.4;
const ROOT: f64 = 0.5;
/// An elementary function in the C library.
const FUNCTION: f64 = 5.0;
const POWER: f64 = 12.0;
const LOAD: f64 = 0.03;
const STORE: f64 = 0.06;
/// A call, an allocation.
const CALL: f64 = 3.0;
/// Input or output.
const IO: f64 = 1000.0;
/// Arrays of at least so many bytes get memory from the system when they are allocated, the second number of bytes on each
/// time, else where that happens several times; and what each byte takes until it is there: pages are found, cleared, and
/// given back in the end. (`M_MMAP_THRESHOLD` in mallopt(3): it grows with what is freed, up to 32 MiB.)
const FRESH: ([f64; 2], f64) = ([128e3, 32e6], 0.1);

/// Predicts run times.
pub(crate) struct Costs<'p> {
    pub(super) program: &'p Program,
    bodies: &'p Bodies,
    /// What integers and extents are.
    pub(crate) sizes: Sizes<'p>,
    /// Run times of procedures that were called, by sizes.
    known: BTreeMap<ProcId, BTreeMap<FrameKey, f64>>,
    /// Schedules that were started.
    pub(super) schedules: BTreeMap<SymId, Counts>,
    /// Procedures whose run time is being worked out: what they call of themselves, with whatever sizes, counts as nothing.
    pending: BTreeSet<ProcId>,
    /// Whose work run time is, where that is asked for.
    pub(super) attribution: Option<Attribution>,
    /// A directive allows iterations in any order.
    reordered: bool,
    /// What is allocated and stays.
    saved: Saved,
    /// So many times what is looked at is executed, and so many times its procedure is called.
    weight: f64,
    entered: f64,
}

impl<'p> Costs<'p> {
    /// Where `bodies` has no body of a procedure, it is the one in the program.
    pub(crate) fn new(program: &'p Program, bodies: &'p Bodies, given: &[(String, Vec<i64>)]) -> Self {
        let sizes = Sizes::new(program, given);
        let (known, schedules) = Default::default();
        Costs {
            program,
            bodies,
            sizes,
            known,
            schedules,
            pending: BTreeSet::new(),
            attribution: None,
            reordered: false,
            saved: Saved::default(),
            weight: 1.0,
            entered: 1.0,
        }
    }

    fn body(&self, proc: ProcId) -> &'p [Stmt] {
        self.bodies.get(&proc).map_or(&self.program[proc].body, |b| b.as_ref())
    }

    /// The run time of a procedure that is called with what the user gives.
    pub(crate) fn procedure(&mut self, proc: ProcId) -> f64 {
        let body = self.body(proc);
        let caller = self.sizes.enter(proc, &[]);
        self.sizes.learn(body);
        let cost = self.block(body);
        self.sizes.leave(caller);
        cost
    }

    fn call(&mut self, proc: ProcId, args: &[Arg]) -> f64 {
        // What the callee does is the work of the call.
        let asked = self.attribution.take();
        let cost = self.callee(proc, args);
        self.attribution = asked;
        cost
    }

    fn callee(&mut self, proc: ProcId, args: &[Arg]) -> f64 {
        if !self.pending.insert(proc) {
            return CALL;
        }
        let caller = self.sizes.enter(proc, args);
        let key = self.sizes.key();
        let cost = match self.known.get(&proc) {
            Some(known) if known.contains_key(&key) => known[&key],
            Some(known) if known.len() >= MOST_FRAMES => known.values().fold(0.0, |a, b| b.max(a)),
            _ => {
                let body = self.body(proc);
                self.sizes.learn(body);
                self.saved.enter(self.program, proc, args);
                self.saved.learn(self.program, body);
                let entered = std::mem::replace(&mut self.entered, self.weight);
                let cost = self.block(body);
                self.entered = entered;
                self.known.entry(proc).or_default().insert(key, cost);
                cost
            }
        };
        self.sizes.leave(caller);
        self.pending.remove(&proc);
        cost + CALL
    }

    pub(super) fn block(&mut self, block: &[Stmt]) -> f64 {
        block.iter().map(|s| self.statement(s)).sum()
    }

    fn statement(&mut self, stmt: &Stmt) -> f64 {
        self.inside(stmt, |s| s.cost_of(stmt))
    }

    fn cost_of(&mut self, stmt: &Stmt) -> f64 {
        match &stmt.kind {
            // What is restored is what was saved, where that is known.
            StmtKind::Assign { lhs, .. } if is_restored_integer(stmt, lhs) => SIMPLE,
            StmtKind::Assign { lhs, rhs } => self.assignment(lhs, rhs),
            StmtKind::Call { callee, args } => {
                self.runtime_call(stmt, callee, args).unwrap_or_else(|| self.call_of(callee, args))
            }
            StmtKind::If { arms, otherwise, .. } => self.branches(arms, otherwise.as_ref()),
            StmtKind::Where { arms, otherwise, .. } => {
                let masks: f64 = arms.iter().map(|a| self.value(&a.cond)).sum();
                masks + arms.iter().map(|a| &a.body).chain(otherwise).map(|b| self.block(b)).sum::<f64>()
            }
            StmtKind::Select { selector, arms, .. } => {
                let each = 1.0 / arms.len().max(1) as f64;
                let inside = self.often(each, |s| arms.iter().map(|a| s.block(&a.body)).sum());
                self.value(selector) + SIMPLE + inside
            }
            StmtKind::Do { control, body, parallel, .. } => {
                let shared_out = self.reordered || parallel.is_some();
                let before = std::mem::replace(&mut self.reordered, shared_out);
                let cost = self.iterations(stmt, control, body);
                self.reordered = before;
                cost
            }
            StmtKind::Forall { indices, body, .. } => {
                let count: f64 =
                    indices.iter().map(|(var, lo, hi, step)| self.count(*var, lo, hi, step.as_ref())).product();
                self.often(count, |s| s.block(body))
            }
            StmtKind::Io { .. } => IO,
            StmtKind::Allocate { items, .. } => items.iter().map(|i| CALL + self.allocated(i)).sum(),
            StmtKind::Deallocate { items, .. } => {
                items.iter().for_each(|o| self.saved.free(o));
                CALL
            }
            StmtKind::Directive { body: Some(body), .. } => {
                let before = std::mem::replace(&mut self.reordered, true);
                let cost = self.block(body);
                self.reordered = before;
                cost
            }
            _ => {
                let own: f64 = stmt.exprs().into_iter().map(|e| self.value(e)).sum();
                own + stmt.blocks().into_iter().map(|b| self.block(b)).sum::<f64>()
            }
        }
    }

    /// Notes the shape of an array that is allocated; the run time that its memory takes.
    fn allocated(&mut self, item: &AllocItem) -> f64 {
        let one = Expr::int(1);
        let bounds = item.shape.iter().map(|(lo, hi)| (lo.as_ref().unwrap_or(&one), hi));
        let extents = bounds.map(|(lo, hi)| trips(self.sizes.value(lo), self.sizes.value(hi), 1)).collect();
        self.fresh(&item.object, extents)
    }

    /// The same for an array or component that gets these extents.
    fn fresh(&mut self, array: &Expr, extents: Vec<i64>) -> f64 {
        let elements: f64 = extents.iter().map(|n| *n as f64).product();
        if let Some(d) = array.as_var().filter(|d| d.parts.is_empty()) {
            self.sizes.set_extents(d.sym, extents);
        }
        let bytes = elements * element(self.program, array.ty) as f64;
        let kept = self.saved.allocate(self.program, array, (elements, bytes), self.weight);
        // Else what is allocated once stands where an earlier evaluation left its memory.
        let least = FRESH.0[usize::from(self.weight < 1.5)];
        kept + if bytes < least { 0.0 } else { bytes * FRESH.1 }
    }

    /// Branches are taken to be equally frequent.
    fn branches(&mut self, arms: &[IfArm], otherwise: Option<&Block>) -> f64 {
        let conditions: f64 = arms.iter().map(|a| self.value(&a.cond)).sum();
        let each = self.first_time(arms, otherwise).unwrap_or(1.0 / (arms.len() + 1) as f64);
        let bodies = arms.iter().map(|a| &a.body).chain(otherwise);
        conditions + self.often(each, |s| bodies.map(|b| s.block(b)).sum())
    }

    /// How often an `if` is true that gives memory to what has none: the first time in its procedure, or for each record.
    fn first_time(&self, arms: &[IfArm], otherwise: Option<&Block>) -> Option<f64> {
        let ([arm], None) = (arms, otherwise) else { return None };
        let ExprKind::Unary(UnaryOp::Not, asked) = &arm.cond.kind else { return None };
        let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Allocated), args } = &asked.kind else { return None };
        let object = args.first()?.value.as_var()?;
        Some(self.saved.share(self.program, object, self.weight).unwrap_or(self.entered / self.weight).min(1.0))
    }

    fn iterations(&mut self, stmt: &Stmt, control: &LoopControl, body: &[Stmt]) -> f64 {
        if let Some(cost) = self.following(control, body) {
            return cost;
        }
        let (count, header) = match control {
            LoopControl::Count { var, lo, hi, step } => (self.count(*var, lo, hi, step.as_ref()), 0.0),
            LoopControl::While(cond) => (self.sizes.open_trips_at(stmt.origin.span()) as f64, self.value(cond)),
            LoopControl::Forever => (self.sizes.open_trips_at(stmt.origin.span()) as f64, 0.0),
            LoopControl::Concurrent { indices, .. } => {
                (indices.iter().map(|(var, lo, hi, step)| self.count(*var, lo, hi, step.as_ref())).product(), 0.0)
            }
        };
        // How often a loop ran that found out itself is counted in it.
        let before = (!is_counted(control) || exit_flag(body).is_some()).then(|| self.sizes.values());
        let waits = if self.reordered { 0.0 } else { carried(control, body) };
        let cost = self.often(count, |s| (s.block(body) + header).max(waits));
        if let Some(before) = before {
            self.sizes.repeat(&before, body, count as i64);
        }
        cost
    }

    /// The trip count of a loop, inside which its variable has the value in the middle.
    fn count(&mut self, var: SymId, lo: &Expr, hi: &Expr, step: Option<&Expr>) -> f64 {
        let (lo, hi) = (self.sizes.value(lo), self.sizes.value(hi));
        let step = step.map_or(1, |s| self.sizes.value(s));
        self.sizes.set(var, lo + (hi - lo) / 2);
        trips(lo, hi, step) as f64
    }

    fn assignment(&mut self, lhs: &Expr, rhs: &Expr) -> f64 {
        if let (0, Base::Integer, Some(d)) = (lhs.rank, lhs.ty.base, lhs.as_var())
            && d.parts.is_empty()
        {
            let value = self.sizes.value(rhs);
            self.sizes.set(d.sym, value);
            return SIMPLE;
        }
        let allocated = self.allocating(lhs, rhs);
        let elements = if lhs.rank == 0 { 1.0 } else { self.sizes.elements(lhs) };
        let mut cost = self.expression(rhs) + STORE;
        let mut seen = BTreeSet::new();
        cost += 2.0 * self.traffic(lhs, &mut seen);
        for_each_expr(rhs, &mut |e| cost += self.traffic(e, &mut seen));
        elements * cost + self.calls(rhs) + allocated
    }

    /// What an assignment takes that allocates its left side, an allocatable variable or component as a whole.
    fn allocating(&mut self, lhs: &Expr, rhs: &Expr) -> f64 {
        let Some(d) = lhs.as_var().filter(|_| lhs.rank > 0 && rhs.rank > 0) else { return 0.0 };
        let whole = !matches!(d.parts.last(), Some(Part::Subscripts(_)));
        if !whole || !resolve(self.program, d.sym, &d.path()).is_some_and(|v| v.attrs.allocatable) {
            return 0.0;
        }
        let extents = self.sizes.shape(rhs);
        self.fresh(lhs, extents)
    }

    /// The run time of an expression that is evaluated by itself.
    fn value(&mut self, e: &Expr) -> f64 {
        let elements = if e.rank == 0 { 1.0 } else { self.sizes.elements(e) };
        elements * self.expression(e) + self.calls(e)
    }

    /// What it takes to bring an element of a large array from memory, the first time in a statement.
    fn traffic(&mut self, e: &Expr, seen: &mut BTreeSet<SymId>) -> f64 {
        let Some(d) = e.as_var() else { return 0.0 };
        let varies = e.rank > 0 || d.subscripts().next().is_some();
        if !varies || !seen.insert(d.sym) {
            return 0.0;
        }
        let bytes = element(self.program, e.ty) as f64;
        let Some(v) = resolve(self.program, d.sym, &d.path()) else { return 0.0 };
        let whole = Expr::var(d.sym, v.ty, v.rank());
        let all = if v.dims.is_empty() { 1.0 } else { self.sizes.elements(&whole) };
        bytes * self.saved.each_byte(self.program, d, all * bytes)
    }

    /// The run time for one element of an expression, without calls of procedures.
    fn expression(&mut self, e: &Expr) -> f64 {
        let parts = |s: &mut Self| e.children().into_iter().map(|c| s.expression(c)).sum::<f64>();
        match &e.kind {
            ExprKind::Var(d) if e.rank > 0 || !d.parts.is_empty() => LOAD,
            ExprKind::Binary(op, _, b) => self.operation(*op, b, e.ty.base) + parts(self),
            ExprKind::Unary(..) => SIMPLE + parts(self),
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => self.intrinsic(*f, args, e),
            ExprKind::Call { .. } => 0.0,
            _ => parts(self),
        }
    }

    fn operation(&mut self, op: BinaryOp, right: &Expr, base: Base) -> f64 {
        match op {
            BinaryOp::Div if base != Base::Integer => DIVISION,
            BinaryOp::Pow if right.as_int().is_none() => POWER,
            BinaryOp::Pow => 2.0 * SIMPLE,
            _ => SIMPLE,
        }
    }

    fn intrinsic(&mut self, f: Intrinsic, args: &[Arg], e: &Expr) -> f64 {
        use Intrinsic as I;
        let inside: f64 = args.iter().map(|a| self.expression(&a.value)).sum();
        let reduced = |s: &mut Self| args.first().map_or(1.0, |a| s.sizes.elements(&a.value));
        match f.generic() {
            I::Abs
            | I::Max
            | I::Min
            | I::Sign
            | I::Merge
            | I::Real
            | I::Dble
            | I::Int
            | I::Dim
            | I::Aimag
            | I::Conjg => SIMPLE + inside,
            I::Sqrt => ROOT + inside,
            I::Size | I::Lbound | I::Ubound | I::Present | I::Allocated | I::Kind => SIMPLE,
            I::WithOpenmp => 0.0,
            I::Sum
            | I::Product
            | I::Maxval
            | I::Minval
            | I::Norm2
            | I::DotProduct
            | I::Maxloc
            | I::Minloc
            | I::Count
            | I::Any
            | I::All
                if e.rank == 0 =>
            {
                reduced(self) * (SIMPLE + inside)
            }
            I::Matmul => {
                let shape = args.first().map(|a| self.sizes.shape(&a.value)).unwrap_or_default();
                shape.last().map_or(1.0, |n| *n as f64) * (2.0 * SIMPLE + inside)
            }
            I::Transpose | I::Reshape | I::Spread | I::Cshift | I::Eoshift | I::Pack | I::Unpack => LOAD + inside,
            _ => FUNCTION + inside,
        }
    }

    /// The run time of the calls of procedures in an expression.
    fn calls(&mut self, e: &Expr) -> f64 {
        let mut found = Vec::new();
        for_each_expr(e, &mut |x| {
            if let ExprKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } = &x.kind {
                found.push((callee, args));
            }
        });
        found.into_iter().map(|(callee, args)| self.call_of(callee, args)).sum()
    }

    fn call_of(&mut self, callee: &Callee, args: &[Arg]) -> f64 {
        let own: f64 = args.iter().filter(|a| a.value.as_var().is_none()).map(|a| self.value(&a.value)).sum();
        own + match target(self.program, callee) {
            Some(proc) => self.call(proc, args),
            None => CALL,
        }
    }
}

impl Costs<'_> {
    /// Adds the run times of a generated procedure by statement, without those of the procedures that it calls.
    pub(crate) fn by_statement(&mut self, proc: ProcId, times: &mut Times) {
        self.attribution = Some(Attribution { times: std::mem::take(times), weight: 1.0, backward: false });
        self.procedure(proc);
        if let Some(found) = self.attribution.take() {
            *times = found.times;
        }
    }

    /// The run time of what runs several times, or in one of several cases.
    pub(super) fn often(&mut self, times: f64, of: impl FnOnce(&mut Self) -> f64) -> f64 {
        let before = self.attribution.as_mut().map(|a| {
            let before = a.weight;
            a.weight *= times;
            before
        });
        let weight = self.weight;
        self.weight = weight * times;
        let cost = of(self);
        self.weight = weight;
        if let (Some(a), Some(before)) = (&mut self.attribution, before) {
            a.weight = before;
        }
        times * cost
    }

    /// The run time of a statement, inside which code that was made as part of the backward sweep is that.
    pub(super) fn inside(&mut self, stmt: &Stmt, of: impl FnOnce(&mut Self) -> f64) -> f64 {
        let backward = matches!(stmt.origin, Origin::Derived { role: Role::Adjoint, .. });
        let before = self.attribution.as_mut().map(|a| {
            let before = a.backward;
            a.backward |= backward;
            before
        });
        let cost = of(self);
        if let (Some(a), Some(before)) = (&mut self.attribution, before) {
            a.backward = before;
            if stmt.blocks().is_empty() {
                a.note(stmt, cost);
            }
        }
        cost
    }
}

/// True for a statement that restores an integer.
fn is_restored_integer(stmt: &Stmt, lhs: &Expr) -> bool {
    lhs.rank == 0 && lhs.ty.base == Base::Integer && matches!(stmt.origin, Origin::Derived { role: Role::Restore, .. })
}
