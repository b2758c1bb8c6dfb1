//! Components of objects that device code uses. A copy of an object on a device has none of the memory of its allocatable
//! components, so these become variables, which a device has as any other: those of an object that is the procedure's own are
//! declared, and those of others are the names of an `associate` construct around all that uses them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use costate_analysis::callgraph::{calls, reached};
use costate_analysis::effects::{bind, target};
use costate_analysis::loops::assigned;
use costate_analysis::normal::mentions;
use costate_analysis::storage::{all_components, holds_memory, resolve};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Component, Designator, Dim, Expr, ExprKind, Intent, Mention, Name, Origin, Part, ProcId,
    Program, Role, ScopeId, ScopeKind, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_expr, for_each_stmt,
    map_expr, mentions_of,
};
use costate_grammar::lower::integer;
use costate_grammar::source::Span;

use super::calls::on_tape;
use super::device::is_device_code;
use super::references::small;
use super::{device_routine, is_left};
use crate::names::Taken;
use crate::remap::{SymMap, mentioned};

/// Variables in place of components.
#[derive(Debug, Default)]
pub(crate) struct Components {
    /// Of which of them others are derivatives.
    pub(crate) derivatives: SymMap,
    /// Names of components of objects that others have, too.
    bound: Vec<(SymId, Expr)>,
}

/// The procedure whose body it is: the user's, the scope of the generated one, and what is used behind the body.
#[derive(Clone, Copy)]
pub(crate) struct Where<'w> {
    pub(crate) primal: ProcId,
    pub(crate) scope: ScopeId,
    pub(crate) later: &'w [Stmt],
}

type Leaves = BTreeMap<Vec<Name>, SymId>;

/// Lets a body refer to variables in place of the components of objects that loops for a device use, where all that refers
/// to such an object is known.
pub(crate) fn separate<'s>(
    program: &mut Program,
    place: Where<'_>,
    shadows: impl Iterator<Item = (&'s SymId, &'s SymId)>,
    body: &mut Block,
) -> Components {
    let mut objects = BTreeSet::new();
    objects_on_devices(program, body, &mut objects);
    let mut out = Components::default();
    if objects.is_empty() || device_routine(program, place.primal).is_some() {
        return out;
    }
    let shadows: Vec<(SymId, SymId)> = shadows.map(|(p, s)| (*p, *s)).collect();
    let of: BTreeMap<SymId, SymId> = shadows.iter().map(|(p, s)| (*s, *p)).collect();
    let mut names = Taken::visible(program, place.scope);
    names.extend(&Taken::visible(program, program[place.primal].scope));
    let known = Known::of(program, place, body);
    let of_others = |x: SymId| is_left(program, (place.primal, place.scope), &of, x);
    let mut found: BTreeMap<SymId, BTreeSet<Vec<Name>>> = BTreeMap::new();
    for x in objects {
        let Some(paths) = known.leaves(program, body, x) else { continue };
        if of_others(x) && !known.jumps || !of_others(x) && known.is_own(program, x, &paths) {
            found.insert(x, paths);
        }
    }
    let (mut others, own): (BTreeMap<_, _>, BTreeMap<_, _>) = found.into_iter().partition(|x| of_others(x.0));
    let segments = bound_in(program, body, &mut others);
    let mut made: BTreeMap<SymId, Leaves> = BTreeMap::new();
    let inner = (!others.is_empty()).then(|| program.add_scope(Some(place.scope), ScopeKind::Inner));
    let (mut first_values, mut copies) = (Block::new(), Vec::new());
    for (x, paths) in own.iter().chain(&others) {
        let mut leaves = Leaves::new();
        for path in paths {
            // No associate name may stand in a clause for sums.
            let large = resolve(program, *x, path).is_some_and(|v| v.rank() > 0 && !small(v));
            let bound = others.contains_key(x) && large;
            let scope = inner.filter(|_| bound).unwrap_or(place.scope);
            let Some(sym) = variable(program, (*x, path), (scope, bound), &mut names) else { continue };
            if bound {
                out.bound.push((sym, component(program, *x, path)));
            } else if others.contains_key(x) {
                copies.push((sym, component(program, *x, path)));
            } else {
                first_values.extend(first_value(program, (*x, path), sym, body));
            }
            leaves.insert(path.clone(), sym);
        }
        made.insert(*x, leaves);
    }
    let (bound, declared): (BTreeMap<_, _>, BTreeMap<_, _>) =
        made.iter().map(|(x, l)| (*x, l.clone())).partition(|x| others.contains_key(&x.0));
    replace(body, &declared);
    for r in segments.into_iter().rev() {
        replace(&mut body[r.clone()], &bound);
        copied(program, body, r, &copies);
    }
    body.splice(0..0, first_values);
    for (primal, shadow) in shadows {
        let (Some(own), Some(derivatives)) = (made.get(&primal), made.get(&shadow)) else { continue };
        let both = own.iter().filter_map(|(path, sym)| Some((*sym, *derivatives.get(path)?)));
        out.derivatives.extend(both);
    }
    out
}

/// A part of a body.
pub(crate) enum Segment {
    /// One construct, inside of which components have names.
    Named(Block),
    /// Statements without such names.
    Plain(Block),
}

impl Segment {
    /// Its statements.
    pub(crate) fn stmts(&self) -> &[Stmt] {
        let (Segment::Named(own) | Segment::Plain(own)) = self;
        own
    }
}

impl Components {
    /// Names the components around all that uses the names, between statements that refer to the objects otherwise. Takes the
    /// body's statements and returns them in parts.
    pub(crate) fn name_them(self, program: &mut Program, body: &mut Block) -> Vec<Segment> {
        let names: BTreeSet<SymId> = self.bound.iter().map(|b| b.0).collect();
        let objects: BTreeSet<SymId> = self.bound.iter().filter_map(|b| b.1.as_var()).map(|d| d.sym).collect();
        let mut ranges: Vec<Range<usize>> = Vec::new();
        let mut begun = false;
        for (k, s) in body.iter().enumerate() {
            let all = all_symbols(std::slice::from_ref(s));
            if !all.is_disjoint(&names) {
                match ranges.last_mut().filter(|_| begun) {
                    Some(last) => last.end = k + 1,
                    None => ranges.push(k..k + 1),
                }
                begun = true;
            }
            begun &= all.is_disjoint(&objects);
        }
        let (mut out, mut after) = (Vec::new(), std::mem::take(body));
        for r in ranges.into_iter().rev() {
            let behind = after.split_off(r.end);
            let inner = after.split_off(r.start);
            out.push(Segment::Plain(behind));
            out.push(Segment::Named(vec![self.construct(program, inner)]));
        }
        out.push(Segment::Plain(after));
        out.reverse();
        out.retain(|part| !part.stmts().is_empty());
        out
    }

    /// The construct around statements that use names.
    fn construct(&self, program: &mut Program, inner: Block) -> Stmt {
        let used = all_symbols(&inner);
        let origin = Origin::Derived { from: inner[0].id, span: inner[0].origin.span(), role: Role::Layout };
        let bindings = self.bound.iter().filter(|b| used.contains(&b.0)).cloned().collect();
        let scope = program[self.bound[0].0].scope;
        let kind = StmtKind::Associate { name: None, scope, bindings, body: inner };
        Stmt::new(program.fresh_stmt(), kind, origin)
    }
}

fn runs_on_device(s: &Stmt) -> bool {
    let mut found = false;
    for_each_stmt(std::slice::from_ref(s), &mut |x| {
        found |= is_device_code(x) || x.followed().is_some_and(|p| p.on_device());
    });
    found
}

/// All that a block mentions.
pub(super) fn all_symbols(block: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    mentioned(block, &mut out);
    out
}

/// Objects that loops for a device mention, of types with components that have memory of their own.
fn objects_on_devices(program: &Program, body: &[Stmt], out: &mut BTreeSet<SymId>) {
    for_each_stmt(body, &mut |s| {
        if s.followed().is_some_and(|p| p.on_device()) {
            let object = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() == 0 && holds_memory(program, v.ty));
            out.extend(mentions(program, std::slice::from_ref(s)).into_keys().filter(object));
        }
    });
}

/// Between which statements components of objects may have names: around loops for a device, where they keep their memory,
/// and have it whatever happens. Objects of which that can't be said are dropped.
fn bound_in(program: &Program, body: &[Stmt], objects: &mut BTreeMap<SymId, BTreeSet<Vec<Name>>>) -> Vec<Range<usize>> {
    let steady = |s: &Stmt, x: SymId| {
        let mut steady = true;
        for_each_stmt(std::slice::from_ref(s), &mut |s| steady &= keeps_memory(program, s, x));
        steady
    };
    loop {
        let mut out: Vec<Range<usize>> = Vec::new();
        let mut begun = false;
        for (k, s) in body.iter().enumerate() {
            if runs_on_device(s) {
                match out.last_mut().filter(|_| begun) {
                    Some(last) => last.end = k + 1,
                    None => out.push(k..k + 1),
                }
                begun = true;
            }
            begun &= objects.keys().all(|x| steady(s, *x));
        }
        let unfit: Vec<SymId> = objects
            .iter()
            .filter(|(x, paths)| {
                let fits = |r: &Range<usize>| {
                    let part = &body[r.clone()];
                    part.iter().all(|s| steady(s, **x)) && paths.iter().all(|p| is_there(program, part, (**x, p)))
                };
                !out.iter().all(fits)
            })
            .map(|o| *o.0)
            .collect();
        if unfit.is_empty() {
            return out;
        }
        unfit.iter().for_each(|x| _ = objects.remove(x));
    }
}

/// True for a component that has memory wherever some statements run, or that they don't refer to.
fn is_there(program: &Program, part: &[Stmt], (x, path): (SymId, &Vec<Name>)) -> bool {
    let allocatable = resolve(program, x, path).is_some_and(|v| v.attrs.allocatable);
    let refers = |s: &Stmt| refers_to(program, s.exprs(), (x, path));
    let mut any = false;
    for_each_stmt(part, &mut |s| any |= refers(s));
    !allocatable || !any || is_used_anyway(program, part, (x, path))
}

fn refers_to(program: &Program, exprs: Vec<&Expr>, (x, path): (SymId, &Vec<Name>)) -> bool {
    let mut found = false;
    exprs.into_iter().for_each(|e| {
        for_each_expr(e, &mut |e| {
            let own = e.as_var().filter(|d| d.sym == x).and_then(|d| leaf(program, d));
            found |= own.as_ref() == Some(path);
        });
    });
    found
}

/// Numbers and small arrays of objects have copies in a segment: GNU Fortran 12 takes addresses for the values of numbers that
/// have associate names.
fn copied(program: &mut Program, body: &mut Block, r: Range<usize>, copies: &[(SymId, Expr)]) {
    let part = &body[r.clone()];
    let mut changed = assigned(part);
    for_each_stmt(part, &mut |s| {
        if let StmtKind::Call { callee, args } = &s.kind {
            let changing = passed(program, callee, args).into_iter();
            let changing = changing.filter(|(_, dummy)| dummy.is_none_or(|v| v.intent != Some(Intent::In)));
            changed.extend(changing.filter_map(|(e, _)| e.as_var()).map(|d| d.sym));
        }
    });
    let used = all_symbols(part);
    let origin = Origin::Derived { from: part[0].id, span: part[0].origin.span(), role: Role::Layout };
    let (mut before, mut after) = (Block::new(), Block::new());
    for (sym, whole) in copies.iter().filter(|x| used.contains(&x.0)) {
        let copy = Expr::var(*sym, whole.ty, whole.rank);
        let mut stmt = |lhs: &Expr, rhs: &Expr| {
            let kind = StmtKind::Assign { lhs: lhs.clone(), rhs: rhs.clone() };
            Stmt::new(program.fresh_stmt(), kind, origin)
        };
        before.push(stmt(&copy, whole));
        if changed.contains(sym) {
            after.push(stmt(whole, &copy));
        }
    }
    body.splice(r.end..r.end, after);
    body.splice(r.start..r.start, before);
}

/// The value that a component has where its object comes into being.
fn first_value(program: &mut Program, (x, path): (SymId, &[Name]), sym: SymId, body: &[Stmt]) -> Option<Stmt> {
    let v = resolve(program, x, path)?.clone();
    let from = body.first()?;
    let origin = Origin::Derived { from: from.id, span: from.origin.span(), role: Role::Layout };
    let kind = StmtKind::Assign { lhs: Expr::var(sym, v.ty, v.rank()), rhs: v.init? };
    Some(Stmt::new(program.fresh_stmt(), kind, origin))
}

/// What is known of a body.
struct Known {
    /// What else may use objects: procedures inside the user's, what is called, and what comes behind.
    elsewhere: BTreeSet<SymId>,
    /// It jumps.
    jumps: bool,
}

impl Known {
    fn of(program: &Program, place: Where<'_>, body: &[Stmt]) -> Known {
        let mut elsewhere: BTreeSet<SymId> = mentions(program, place.later).into_keys().collect();
        let inside = program[place.primal].internals.iter().copied();
        for p in reached(program, &calls(program, body)).into_iter().chain(inside) {
            elsewhere.extend(mentions(program, &program[p].body).into_keys());
        }
        let mut jumps = false;
        for_each_stmt(body, &mut |s| jumps |= matches!(s.kind, StmtKind::Goto(_)));
        Known { elsewhere, jumps }
    }

    /// The components of an object that a body refers to, where it refers to nothing else of it.
    fn leaves(&self, program: &Program, body: &[Stmt], x: SymId) -> Option<BTreeSet<Vec<Name>>> {
        let v = program.var(x)?;
        let a = &v.attrs;
        let odd =
            a.allocatable || a.pointer || a.target || a.optional || a.parameter || a.changes_unseen() || v.directive;
        if odd || v.has_other_names() || !matches!(v.ty.base, Base::Derived(_)) || self.elsewhere.contains(&x) {
            return None;
        }
        let (mut out, mut fits) = (BTreeSet::new(), true);
        for_each_stmt(body, &mut |s| {
            let (mut all, mut known) = (0, 0);
            mentions_of(s, &mut |m| all += usize::from(matches!(m, Mention::Entity(sym) if sym == x)));
            // What the user's clauses say of data isn't carried over.
            let users = s.followed().into_iter().flat_map(|p| p.directives).flat_map(|d| d.names);
            all -= users.filter(|sym| *sym == x).count();
            let mut visit = |e: &Expr| {
                if let Some(path) = e.as_var().filter(|d| d.sym == x).and_then(|d| leaf(program, d)) {
                    known += 1;
                    out.insert(path);
                }
            };
            s.exprs().into_iter().for_each(|e| for_each_expr(e, &mut visit));
            fits &= all == known;
        });
        fits.then_some(out)
    }

    /// True for an object of the procedure's own whose components may be variables.
    fn is_own(&self, program: &Program, x: SymId, paths: &BTreeSet<Vec<Name>>) -> bool {
        let plain = |path: &Vec<Name>| {
            let first = |n: usize| resolve(program, x, &path[..n]).and_then(|v| v.init.as_ref());
            let number = |e: &Expr| e.as_int().is_some() || matches!(e.kind, ExprKind::Real { suffix: None, .. });
            first(path.len()).is_none_or(number) && (1..path.len()).all(|n| first(n).is_none())
        };
        let of_procedure = |v: &Variable| !v.attrs.save && v.init.is_none() && !ends_with_call(program, v.ty);
        program.var(x).is_some_and(of_procedure) && paths.iter().all(plain)
    }
}

/// True for a type whose objects, or parts of them, call a procedure where they end.
fn ends_with_call(program: &Program, ty: Ty) -> bool {
    let is_part = |c: &Component| !c.var.attrs.pointer && !c.var.attrs.allocatable;
    ty.derived().is_some_and(|t| {
        let own = program[t].derived().is_some_and(|d| !d.finals.is_empty());
        own || all_components(program, t).iter().any(|c| is_part(c) && ends_with_call(program, c.var.ty))
    })
}

/// The path to a component of an intrinsic type that has its own memory or that of its object, if a reference is to one.
fn leaf(program: &Program, d: &Designator) -> Option<Vec<Name>> {
    let mut path = Vec::new();
    let mut parts = d.parts.iter();
    for part in parts.by_ref() {
        let Part::Component(name) = part else { return None };
        path.push(name.clone());
        let v = resolve(program, d.sym, &path)?;
        match v.ty.base {
            Base::Derived(_) if v.rank() == 0 && !v.attrs.allocatable && !v.attrs.pointer => {}
            Base::Real | Base::Integer | Base::Logical | Base::Complex if !v.attrs.pointer => {
                return parts.all(|p| matches!(p, Part::Subscripts(_))).then_some(path);
            }
            _ => return None,
        }
    }
    None
}

/// True where a component is used outside of branches: it has memory whenever the statements run.
fn is_used_anyway(program: &Program, body: &[Stmt], (x, path): (SymId, &Vec<Name>)) -> bool {
    body.iter().any(|s| match &s.kind {
        StmtKind::Do { body, .. } | StmtKind::BlockScope { body, .. } => is_used_anyway(program, body, (x, path)),
        StmtKind::Assign { .. } | StmtKind::Call { .. } => refers_to(program, s.exprs(), (x, path)),
        _ => false,
    })
}

/// True for a statement that neither gives components of an object memory, nor takes it, nor asks for it.
fn keeps_memory(program: &Program, s: &Stmt, x: SymId) -> bool {
    let whole = |e: &Expr| {
        e.as_var().is_some_and(|d| d.sym == x && d.parts.iter().all(|p| matches!(p, Part::Component(_))) && e.rank > 0)
    };
    let mut asks = false;
    for e in s.exprs() {
        for_each_expr(e, &mut |e| {
            if let ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Allocated | Intrinsic::MoveAlloc), args } =
                &e.kind
            {
                asks |= args.iter().any(|a| whole(&a.value));
            }
        });
    }
    let given = match &s.kind {
        StmtKind::Allocate { items, .. } => items.iter().any(|i| whole(&i.object)),
        StmtKind::Deallocate { items, .. } => items.iter().any(whole),
        StmtKind::Assign { lhs, rhs } => {
            let users = matches!(s.origin, Origin::Source(_) | Origin::Derived { role: Role::Forward, .. });
            whole(lhs) && rhs.rank > 0 && users
        }
        StmtKind::Call { callee, args } => {
            let fixed = |v: &Variable| !v.attrs.allocatable && !v.attrs.pointer;
            let all = || passed(program, callee, args).into_iter();
            on_tape(program, callee).is_none() && all().any(|(e, dummy)| whole(e) && !dummy.is_some_and(fixed))
        }
        _ => false,
    };
    !asks && !given
}

/// What is passed to a procedure, with what stands for it there as far as that is known.
fn passed<'a>(program: &'a Program, callee: &Callee, args: &'a [Arg]) -> Vec<(&'a Expr, Option<&'a Variable>)> {
    match target(program, callee).map(|p| &program[p]) {
        Some(p) => {
            let bound = p.dummies.iter().zip(bind(program, p, args));
            bound.filter_map(|(d, actual)| Some((actual?, program.var(*d)))).collect()
        }
        None => args.iter().map(|a| (&a.value, None)).collect(),
    }
}

/// A variable in place of a component, or the name of one.
fn variable(
    program: &mut Program,
    (x, path): (SymId, &[Name]),
    (scope, bound): (ScopeId, bool),
    names: &mut Taken,
) -> Option<SymId> {
    let like = resolve(program, x, path)?.clone();
    let mut v = Variable::scalar(like.ty, program.spell(like.ty));
    let number = |e: &Expr| integer(program, e).map_or_else(|| e.clone(), Expr::int);
    let dims = like.dims.iter().map(|d| match d {
        Dim::Explicit(lo, hi) => Dim::Explicit(lo.as_ref().map(number), number(hi)),
        _ if bound => Dim::Assumed(None),
        other => other.clone(),
    });
    v.dims = dims.collect();
    let list: Vec<&str> = path.iter().map(|n| n.as_str()).collect();
    v.attrs.allocatable = like.attrs.allocatable && !bound;
    let name = names.fresh(&format!("{}_{}", program[x].name, list.join("_")));
    Some(program.add_symbol(scope, name, Span::default(), SymbolKind::Variable(Box::new(v))))
}

fn component(program: &Program, x: SymId, path: &[Name]) -> Expr {
    let parts = path.iter().cloned().map(Part::Component).collect();
    let (ty, rank) = resolve(program, x, path).map_or((Ty::INTEGER, 0), |v| (v.ty, v.rank()));
    Expr::new(ExprKind::Var(Designator { sym: x, parts }), ty, rank)
}

fn replace(block: &mut [Stmt], made: &BTreeMap<SymId, Leaves>) {
    for s in block {
        s.kind.map_exprs(&mut |e| {
            map_expr(e.clone(), &mut |mut x| {
                if let ExprKind::Var(d) = &mut x.kind
                    && let Some(leaves) = made.get(&d.sym)
                {
                    let length = d.parts.iter().take_while(|p| matches!(p, Part::Component(_))).count();
                    if let Some(sym) = leaves.get(&d.path()) {
                        *d = Designator { sym: *sym, parts: d.parts.split_off(length) };
                    }
                }
                x
            })
        });
        s.blocks_mut().into_iter().for_each(|b| replace(b, made));
    }
}
