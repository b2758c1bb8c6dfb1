//! Values of integers and extents of arrays at the sizes for which a plan is made.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::effects::bind;
use costate_analysis::storage::{is_global, resolve, symbols};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Callee, Designator, Dim, Expr, ExprKind, LoopControl, Name, Part, ProcId, Program, Stmt, StmtKind,
    Subscript, SymId, Ty, for_each_stmt, map_expr,
};
use costate_grammar::lower::{Const, fold, size};
use costate_grammar::source::Span;

/// The value of an integer, the extent of a dimension, or the trip count of a loop that isn't given.
pub const ASSUMED: i64 = 100;
/// The trip count of loops that find out when they end, for those that have no name or aren't given by it.
pub const TRIPS: &str = "trips";
/// Calls of a procedure are told apart by their sizes up to so many of these; others are taken to be like the worst of them.
/// Where procedures call each other several times, with other sizes each time, there is no end to them.
pub(crate) const MOST_FRAMES: usize = 100;
/// Integers may be defined by each other up to this depth.
const DEPTH: usize = 8;

/// What is known of integers and shapes, procedure by procedure.
#[derive(Clone, Debug)]
pub(crate) struct Sizes<'p> {
    program: &'p Program,
    given: BTreeMap<String, Vec<i64>>,
    /// Values and extents that were asked for and given.
    pub(crate) used: BTreeMap<String, i64>,
    /// Names of those that weren't.
    pub(crate) assumed: BTreeSet<String>,
    frame: Frame,
    depth: usize,
    /// What was found on the way to the value that is asked for: definitions and shapes name each other many times over.
    found: BTreeMap<(SymId, String, usize), Option<i64>>,
    /// Names of loops by where they stand, once one is asked for.
    loop_names: Option<BTreeMap<Span, &'p Name>>,
    /// The shapes in which the program allocates the variables of its modules, once one is asked for.
    shared: Option<Rc<Allocated>>,
}

/// What is known in one call of a procedure.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    values: BTreeMap<SymId, i64>,
    extents: BTreeMap<SymId, Vec<i64>>,
    /// Integers that the procedure assigns once.
    defined: BTreeMap<SymId, Expr>,
    /// The shapes in which it allocates arrays.
    allocated: Allocated,
}

/// The shapes in which arrays are allocated, by name.
type Allocated = BTreeMap<String, Vec<Shape>>;

/// The shape of an allocation.
#[derive(Clone, Debug)]
enum Shape {
    /// By its bounds.
    Bounds(Vec<(Option<Expr>, Expr)>),
    /// That of another array.
    Like(Expr),
}

/// What tells calls of a procedure apart.
pub(crate) type FrameKey = (BTreeMap<SymId, i64>, BTreeMap<SymId, Vec<i64>>);

impl<'p> Sizes<'p> {
    /// From `name`, values: one for an integer, one for each dimension for an array.
    pub(crate) fn new(program: &'p Program, given: &[(String, Vec<i64>)]) -> Self {
        let given = given.iter().map(|(n, v)| (n.to_ascii_lowercase(), v.clone())).collect();
        let (used, assumed, found) = Default::default();
        let frame = Frame::default();
        Sizes { program, given, used, assumed, frame, depth: 0, found, loop_names: None, shared: None }
    }

    /// Goes into a call of a procedure, whose body is still to be [learned](Sizes::learn): what the dummies are there
    /// follows from the actual arguments. Returns what to give to [`Sizes::leave`].
    pub(crate) fn enter(&mut self, proc: ProcId, args: &[Arg]) -> Frame {
        let program = self.program;
        let callee = &program[proc];
        let mut frame = Frame::default();
        for (dummy, actual) in callee.dummies.iter().zip(bind(program, callee, args)) {
            let (Some(actual), Some(v)) = (actual, program.var(*dummy)) else { continue };
            if v.dims.is_empty() {
                if v.ty.base == Base::Integer && actual.rank == 0 {
                    frame.values.insert(*dummy, self.value(actual));
                }
            } else if actual.rank > 0 {
                frame.extents.insert(*dummy, self.shape(actual));
            }
        }
        std::mem::replace(&mut self.frame, frame)
    }

    /// Notes the integers that a body assigns once, and the shapes in which it allocates arrays.
    pub(crate) fn learn(&mut self, body: &[Stmt]) {
        self.frame.allocated = allocations(self.program, body, &|_| true);
        let mut seen: BTreeMap<SymId, Option<Expr>> = BTreeMap::new();
        for_each_stmt(body, &mut |s| match &s.kind {
            StmtKind::Assign { lhs, rhs } if lhs.rank == 0 && lhs.ty.base == Base::Integer => {
                if let Some(d) = lhs.as_var().filter(|d| d.parts.is_empty()) {
                    seen.entry(d.sym).and_modify(|e| *e = None).or_insert_with(|| Some(rhs.clone()));
                }
            }
            StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => {
                seen.insert(*var, None);
            }
            _ => {}
        });
        self.frame.defined = seen.into_iter().filter_map(|(sym, e)| Some((sym, e?))).collect();
    }

    /// Goes back to the caller.
    pub(crate) fn leave(&mut self, caller: Frame) {
        self.frame = caller;
    }

    /// What is known of the call, to tell calls apart.
    pub(crate) fn key(&self) -> FrameKey {
        (self.frame.values.clone(), self.frame.extents.clone())
    }

    /// A variable has this value from here on.
    pub(crate) fn set(&mut self, sym: SymId, value: i64) {
        self.frame.values.insert(sym, value);
    }

    /// An array has these extents from here on.
    pub(crate) fn set_extents(&mut self, sym: SymId, extents: Vec<i64>) {
        self.frame.extents.insert(sym, extents);
    }

    /// The integers whose values are known.
    pub(crate) fn values(&self) -> BTreeMap<SymId, i64> {
        self.frame.values.clone()
    }

    /// After one iteration of a loop: integers that iterations add to are what all `count` iterations make of them.
    /// `before` is what was known before it.
    pub(crate) fn repeat(&mut self, before: &BTreeMap<SymId, i64>, body: &[Stmt], count: i64) {
        let mut set: BTreeMap<SymId, bool> = BTreeMap::new();
        for_each_stmt(body, &mut |s| {
            if let StmtKind::Assign { lhs, rhs } = &s.kind
                && let Some(d) = lhs.as_var().filter(|d| d.parts.is_empty() && lhs.ty.base == Base::Integer)
            {
                *set.entry(d.sym).or_insert(true) &= symbols(rhs).contains(&d.sym);
            }
        });
        for sym in set.into_iter().filter_map(|(sym, adds)| adds.then_some(sym)) {
            if let (Some(first), Some(value)) = (before.get(&sym), self.frame.values.get_mut(&sym)) {
                *value = first.saturating_add(value.saturating_sub(*first).saturating_mul(count));
            }
        }
    }

    /// How often a loop runs that finds out when it ends.
    pub(crate) fn open_trips(&mut self, name: Option<&str>) -> i64 {
        let name = name.map(str::to_ascii_lowercase);
        let given = self.trips_given(name.as_deref());
        let wanted = given.or(name.as_deref()).unwrap_or(TRIPS).to_string();
        self.find(&wanted, 0).max(0)
    }

    /// The name by which that is given, if it is.
    pub(crate) fn trips_given<'n>(&self, name: Option<&'n str>) -> Option<&'n str> {
        name.into_iter().chain([TRIPS]).find(|n| self.given.contains_key(&n.to_ascii_lowercase()))
    }

    /// The same for the loop whose statement stands at a place.
    pub(crate) fn open_trips_at(&mut self, place: Span) -> i64 {
        let program = self.program;
        let names = self.loop_names.get_or_insert_with(|| loop_names(program));
        let found = names.get(&place).copied();
        self.open_trips(found.map(Name::as_str))
    }

    fn find(&mut self, name: &str, at: usize) -> i64 {
        match self.given.get(name).and_then(|v| v.get(at).or(v.first())) {
            Some(v) => {
                self.used.insert(name.to_string(), *v);
                *v
            }
            None => {
                self.assumed.insert(name.to_string());
                ASSUMED
            }
        }
    }

    /// The name by which a user gives the size of something.
    fn name(&self, d: &Designator) -> String {
        size_name(self.program, d)
    }

    /// The value of an integer expression.
    pub(crate) fn value(&mut self, e: &Expr) -> i64 {
        let known = map_expr(e.clone(), &mut |x| match &x.kind {
            ExprKind::Call { callee: Callee::Intrinsic(f), args } => match self.inquire(*f, args.as_slice()) {
                Some(v) => Expr::int(v),
                None => x,
            },
            ExprKind::Opaque(text) => match loop_of(text) {
                Some(name) => Expr::int(self.open_trips(name)),
                None => x,
            },
            ExprKind::Var(d) if x.rank == 0 && x.ty.base == Base::Integer && fold(self.program, &x).is_none() => {
                Expr::int(self.variable(d))
            }
            _ => x,
        });
        match fold(self.program, &known) {
            Some(Const::Int(v)) => v,
            _ => self.find("other sizes", 0),
        }
    }

    fn variable(&mut self, d: &Designator) -> i64 {
        if d.parts.is_empty() {
            if let Some(v) = self.frame.values.get(&d.sym) {
                return *v;
            }
            let name = self.name(d);
            if let Some(e) = self.frame.defined.get(&d.sym).cloned()
                && !self.given.contains_key(&name)
                && self.depth < DEPTH
            {
                let key = (d.sym, name.clone(), 0);
                if let Some(value) = self.deeper(key, |s| Some(s.value(&e))) {
                    return value;
                }
            }
        }
        let name = self.name(d);
        self.find(&name, 0)
    }

    /// `size`, `lbound` and `ubound` of an array or its dimension, `storage_size` of its elements.
    fn inquire(&mut self, f: Intrinsic, args: &[Arg]) -> Option<i64> {
        let array = &args.first()?.value;
        let args = match args.split_last() {
            Some((last, rest)) if last.keyword.as_ref().is_some_and(|k| k.as_str() == "kind") => rest,
            _ => args,
        };
        match f {
            Intrinsic::StorageSize => i64::try_from(8 * element(self.program, array.ty)).ok(),
            Intrinsic::Size if args.len() == 1 => Some(self.shape(array).into_iter().product()),
            Intrinsic::Size => self.shape(array).get(dimension(args)?).copied(),
            Intrinsic::Lbound => Some(self.bounds(array.as_var()?, dimension(args)?)?.0),
            Intrinsic::Ubound => Some(self.bounds(array.as_var()?, dimension(args)?)?.1),
            _ => None,
        }
    }

    /// First and last index of an array's dimension.
    fn bounds(&mut self, d: &Designator, k: usize) -> Option<(i64, i64)> {
        let program = self.program;
        let v = resolve(program, d.sym, &d.path())?;
        let first = |s: &mut Self, lo: &Option<Expr>| lo.as_ref().map_or(1, |e| s.value(e));
        match v.dims.get(k)? {
            Dim::Explicit(lo, hi) => Some((first(self, lo), self.value(hi))),
            Dim::Assumed(lo) | Dim::AssumedSize(lo) => {
                let lo = first(self, lo);
                Some((lo, lo.saturating_sub(1).saturating_add(self.extent(d, k))))
            }
            Dim::Deferred | Dim::AssumedRank => Some((1, self.extent(d, k))),
        }
    }

    fn extent(&mut self, d: &Designator, k: usize) -> i64 {
        match self.frame.extents.get(&d.sym).and_then(|e| e.get(k)) {
            Some(n) if d.parts.is_empty() => *n,
            _ => {
                let name = self.name(d);
                match self.allocated_extent(d.sym, &name, k) {
                    Some(n) => n,
                    None => self.find(&name, k),
                }
            }
        }
    }

    /// The extent that an array has where it is allocated, the largest of several; unless it is given.
    fn allocated_extent(&mut self, sym: SymId, name: &str, k: usize) -> Option<i64> {
        if self.given.contains_key(name) || self.depth >= DEPTH {
            return None;
        }
        let shapes = match self.frame.allocated.get(name) {
            None if is_global(self.program, sym) => {
                let program = self.program;
                let shared = self.shared.get_or_insert_with(|| Rc::new(shared_allocations(program)));
                shared.get(name)?.clone()
            }
            own => own?.clone(),
        };
        self.deeper((sym, name.to_string(), k), |s| {
            let extents = shapes.iter().filter_map(|shape| match shape {
                Shape::Bounds(bounds) => {
                    let (lo, hi) = bounds.get(k)?;
                    let lo = lo.as_ref().map_or(1, |e| s.value(e));
                    Some(trips(lo, s.value(hi), 1))
                }
                Shape::Like(e) => s.shape(e).get(k).copied(),
            });
            extents.max()
        })
    }

    /// What is found one level deeper, once for each value that is asked for.
    fn deeper(&mut self, key: (SymId, String, usize), find: impl FnOnce(&mut Self) -> Option<i64>) -> Option<i64> {
        if let Some(known) = self.found.get(&key) {
            return *known;
        }
        self.depth += 1;
        let value = find(self);
        self.depth -= 1;
        if self.depth == 0 {
            self.found.clear();
        } else {
            self.found.insert(key, value);
        }
        value
    }

    /// The extents of an expression.
    pub(crate) fn shape(&mut self, e: &Expr) -> Vec<i64> {
        match &e.kind {
            _ if e.rank == 0 => Vec::new(),
            ExprKind::Var(d) => self.shape_of(d, usize::from(e.rank)),
            ExprKind::ArrayCtor { items, .. } => vec![items.len() as i64],
            _ => match e.children().into_iter().find(|c| c.rank == e.rank) {
                Some(part) => self.shape(part),
                None => (0..usize::from(e.rank)).map(|k| self.find("other sizes", k)).collect(),
            },
        }
    }

    fn shape_of(&mut self, d: &Designator, rank: usize) -> Vec<i64> {
        let mut out = Vec::new();
        for (i, part) in d.parts.iter().enumerate() {
            let Part::Subscripts(list) = part else { continue };
            let base = Designator { sym: d.sym, parts: d.parts[..i].to_vec() };
            for (k, s) in list.iter().enumerate() {
                match s {
                    Subscript::Index(e) if e.rank == 0 => {}
                    Subscript::Index(e) => out.extend(self.shape(e)),
                    Subscript::Range { lo, hi, step } => {
                        let whole = self.bounds(&base, k).unwrap_or((1, ASSUMED));
                        let lo = lo.as_ref().map_or(whole.0, |e| self.value(e));
                        let hi = hi.as_ref().map_or(whole.1, |e| self.value(e));
                        out.push(trips(lo, hi, step.as_ref().map_or(1, |e| self.value(e))));
                    }
                }
            }
        }
        for k in out.len()..rank {
            let bounds = self.bounds(d, k).unwrap_or((1, ASSUMED));
            out.push(trips(bounds.0, bounds.1, 1));
        }
        out
    }

    /// The number of elements of an expression.
    pub(crate) fn elements(&mut self, e: &Expr) -> f64 {
        self.shape(e).into_iter().map(|n| n as f64).product()
    }

    /// Bytes of an array with these bounds.
    pub(crate) fn bytes(&mut self, ty: Ty, bounds: &[(Expr, Expr)]) -> u64 {
        self.count(bounds).saturating_mul(element(self.program, ty))
    }

    /// The number of elements within bounds.
    pub(crate) fn count(&mut self, bounds: &[(Expr, Expr)]) -> u64 {
        bounds.iter().fold(1u64, |n, (lo, hi)| n.saturating_mul(trips(self.value(lo), self.value(hi), 1) as u64))
    }
}

fn size_name(program: &Program, d: &Designator) -> String {
    let mut name = program[d.sym].name.to_string().to_ascii_lowercase();
    for part in d.path() {
        name = format!("{name}%{}", part.to_string().to_ascii_lowercase());
    }
    name
}

/// The shapes in which a body allocates these of its variables.
fn allocations(program: &Program, body: &[Stmt], wanted: &dyn Fn(SymId) -> bool) -> Allocated {
    let mut out = Allocated::new();
    for_each_stmt(body, &mut |s| {
        let StmtKind::Allocate { items, options, .. } = &s.kind else { return };
        let like = options.iter().find(|(name, _)| matches!(name.as_str(), "source" | "mold"));
        for item in items {
            let Some(d) = item.object.as_var().filter(|d| wanted(d.sym)) else { continue };
            let shape = match like {
                Some((_, e)) if item.shape.is_empty() => Shape::Like(e.clone()),
                _ => Shape::Bounds(item.shape.clone()),
            };
            out.entry(size_name(program, d)).or_default().push(shape);
        }
    });
    out
}

/// The same for variables of modules, wherever that is.
fn shared_allocations(program: &Program) -> Allocated {
    let mut out = Allocated::new();
    for procedure in &program.procedures {
        for (name, shapes) in allocations(program, &procedure.body, &|s| is_global(program, s)) {
            out.entry(name).or_default().extend(shapes);
        }
    }
    out
}

/// The names of a program's loops, by where they stand.
fn loop_names(program: &Program) -> BTreeMap<Span, &Name> {
    let mut out = BTreeMap::new();
    for procedure in &program.procedures {
        for_each_stmt(&procedure.body, &mut |s| {
            if let StmtKind::Do { name: Some(name), .. } = &s.kind {
                out.insert(s.origin.span(), name);
            }
        });
    }
    out
}

/// The names by which trip counts can be given, for the loops of a body that find out when they end.
pub(crate) fn trip_names(body: &[Stmt]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Do { name, control: LoopControl::While(_) | LoopControl::Forever, .. } = &s.kind {
            out.insert(name.as_ref().map_or(TRIPS.to_string(), |n| n.as_str().to_ascii_lowercase()));
        }
    });
    out
}

/// The same for all loops of a program.
pub fn trip_counts(program: &Program) -> BTreeSet<String> {
    let mut out: BTreeSet<String> = program.procedures.iter().flat_map(|p| trip_names(&p.body)).collect();
    if !out.is_empty() {
        out.insert(TRIPS.to_string());
    }
    out
}

/// How often a loop of a name runs that finds out when it ends: for memory only, no code can tell.
pub(crate) fn open_count(name: Option<&Name>) -> Expr {
    let text = name.map_or(TRIPS.to_string(), |n| format!("{TRIPS} {n}"));
    Expr::new(ExprKind::Opaque(text), Ty::INTEGER, 0)
}

/// The loop that is meant by [`open_count`].
fn loop_of(text: &str) -> Option<Option<&str>> {
    let name = text.strip_prefix(TRIPS)?;
    match name.strip_prefix(' ') {
        Some(name) => Some(Some(name)),
        None => name.is_empty().then_some(None),
    }
}

/// The number of iterations of `do i = lo, hi, step`.
pub(crate) fn trips(lo: i64, hi: i64, step: i64) -> i64 {
    let step = if step == 0 { 1 } else { step };
    (hi.saturating_sub(lo).saturating_add(step) / step).max(0)
}

fn dimension(args: &[Arg]) -> Option<usize> {
    usize::try_from(args.get(1)?.value.as_int()? - 1).ok()
}

/// Bytes of a value; what a component of another type has allocated doesn't count.
pub(crate) fn element(program: &Program, ty: Ty) -> u64 {
    match ty.base {
        Base::Complex => 2 * u64::from(ty.kind),
        Base::Derived(t) | Base::Class(t) => {
            let Some(of) = program[t].derived() else { return 0 };
            let own = of.components.iter().map(|c| &c.var).filter(|v| !(v.attrs.allocatable || v.attrs.pointer));
            let base = of.extends.map_or(0, |p| element(program, Ty::new(Base::Derived(p), 0)));
            let parts = own.map(|v| {
                let count = size(program, &v.dims);
                count.map_or(0, |n| n as u64 * element(program, v.ty))
            });
            base + parts.sum::<u64>()
        }
        _ => u64::from(ty.kind).max(1),
    }
}
