//! Derivative storage that exists as far as the primal's does: allocatable variables and components of them.

use costate_analysis::storage::{LocSet, Locs, all_components, component, resolve};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{AllocItem, Block, Component, Expr, IfArm, Name, Part, Role, Stmt, StmtKind};

use crate::build::Builder;

/// Gives the derivative of a reference the reference's shape, and zeros, as far as there is derivative storage.
pub fn settle(b: &mut Builder<'_>, locs: &Locs, storage: &LocSet, e: &Expr, from: &Stmt) -> Block {
    settle_all_but(b, locs, storage, &LocSet::new(), e, from)
}

/// The same, where some locations have kept theirs.
pub fn settle_all_but(
    b: &mut Builder<'_>,
    locs: &Locs,
    storage: &LocSet,
    kept: &LocSet,
    e: &Expr,
    from: &Stmt,
) -> Block {
    let Some(sym) = e.as_var().map(|d| d.sym) else { return Vec::new() };
    let paths = |set: &LocSet| -> Vec<Vec<Name>> {
        set.iter().map(|l| locs.get(*l)).filter(|l| l.sym == sym).map(|l| l.path.clone()).collect()
    };
    let (wanted, kept) = (paths(&(storage - kept)), paths(kept));
    let settle = Settle {
        wanted: &|path| wanted.iter().any(|w| w == path),
        holds: &|path| kept.iter().any(|k| k.starts_with(path)),
        from,
    };
    settle.reference(b, e)
}

/// Statements that give derivatives the primal's shape.
struct Settle<'s> {
    /// Whether there is a derivative for a component path of the variable.
    wanted: &'s dyn Fn(&[Name]) -> bool,
    /// Whether something below a path has kept its derivative.
    holds: &'s dyn Fn(&[Name]) -> bool,
    /// The statement that the new ones are derived from.
    from: &'s Stmt,
}

impl Settle<'_> {
    /// For a reference to a variable, a component or an element: allocates its derivative anew like the primal, and sets it to
    /// zero.
    fn reference(&self, b: &mut Builder<'_>, e: &Expr) -> Block {
        let Some(d) = e.as_var().cloned() else { return Vec::new() };
        let path = d.path();
        let Some(var) = resolve(b.program, d.sym, &path).cloned() else { return Vec::new() };
        if !self.any(b, e, &path) {
            return Vec::new();
        }
        // What a pointer points to has a derivative of its own.
        if var.attrs.pointer {
            return Vec::new();
        }
        let element = matches!(d.parts.last(), Some(Part::Subscripts(_)));
        if !var.attrs.allocatable || element {
            return self.inside(b, e);
        }
        let shadow = b.shadow_ref(e);
        if (self.holds)(&path) {
            let parts = self.inside(b, e);
            return vec![self.branch(b, e.allocated(), parts)];
        }
        let free = self.derive(b, StmtKind::Deallocate { items: vec![shadow.clone()], options: Vec::new() });
        let mut make = vec![self.allocate(b, e, &shadow, var.rank())];
        make.extend(self.inside(b, e));
        vec![self.branch(b, shadow.allocated(), vec![free]), self.branch(b, e.allocated(), make)]
    }

    /// True when a part of `e` has a derivative.
    fn any(&self, b: &Builder<'_>, e: &Expr, path: &[Name]) -> bool {
        let Some(d) = e.as_var() else { return false };
        match resolve(b.program, d.sym, path).and_then(|v| v.ty.derived()) {
            None => (self.wanted)(path),
            // A type that holds its own kind would never end.
            Some(_) if path.len() >= 8 => false,
            Some(t) => held(all_components(b.program, t)).any(|c| self.any(b, e, &below(path, c))),
        }
    }

    /// True when something below `e` is allocatable.
    fn dynamic(&self, b: &Builder<'_>, e: &Expr, path: &[Name]) -> bool {
        let Some(d) = e.as_var() else { return false };
        let Some(t) = resolve(b.program, d.sym, path).and_then(|v| v.ty.derived()) else { return false };
        path.len() < 8
            && held(all_components(b.program, t))
                .any(|c| c.var.attrs.allocatable || self.dynamic(b, e, &below(path, c)))
    }

    /// The same for what exists as soon as `e` does.
    fn inside(&self, b: &mut Builder<'_>, e: &Expr) -> Block {
        let Some(d) = e.as_var().cloned() else { return Vec::new() };
        let path = d.path();
        let Some(var) = resolve(b.program, d.sym, &path).cloned() else { return Vec::new() };
        let Some(derived) = var.ty.derived() else {
            let real = var.ty.is_continuous() && (self.wanted)(&path);
            return if real { b.zero(e, self.from, Role::Storage) } else { Vec::new() };
        };
        if !b.arrays_of(&d).is_empty() && self.dynamic(b, e, &path) {
            return for_elements(b, e, self.from, |b, element| self.inside(b, element));
        }
        let mut out = Vec::new();
        for c in held(all_components(b.program, derived)).cloned().collect::<Vec<Component>>() {
            let part = component(b.program, e, &c.name, c.var.ty, c.var.rank().max(e.rank));
            if !self.any(b, &part, &below(&path, &c)) {
                continue;
            }
            if c.var.attrs.allocatable {
                out.extend(self.reference(b, &part));
            } else {
                out.extend(self.inside(b, &part));
            }
        }
        out
    }

    /// Allocates the derivative of an allocatable. gfortran 12 refuses `mold=` for arrays of types with allocatable
    /// components, so those get their bounds one by one.
    fn allocate(&self, b: &mut Builder<'_>, e: &Expr, shadow: &Expr, rank: u8) -> Stmt {
        let (mut shape, mut options) = (Vec::new(), Vec::new());
        if e.is_derived() {
            let bound = |which, i| Expr::intrinsic(which, vec![e.clone(), Expr::int(i)]);
            let range = |i| (Some(bound(Intrinsic::Lbound, i)), bound(Intrinsic::Ubound, i));
            shape.extend((1..=i64::from(rank)).map(range));
        } else {
            options.push(("mold".into(), e.clone()));
        }
        let items = vec![AllocItem { object: shadow.clone(), shape }];
        self.derive(b, StmtKind::Allocate { items, type_spec: None, options })
    }

    fn branch(&self, b: &mut Builder<'_>, cond: Expr, body: Block) -> Stmt {
        branch(b, cond, body, self.from)
    }

    fn derive(&self, b: &mut Builder<'_>, kind: StmtKind) -> Stmt {
        b.derive(kind, self.from, Role::Storage)
    }
}

/// Loops over the elements of an array or a section of a derived type; none where there is nothing to do for an element.
pub(crate) fn for_elements(
    b: &mut Builder<'_>,
    e: &Expr,
    from: &Stmt,
    each: impl FnOnce(&mut Builder<'_>, &Expr) -> Block,
) -> Block {
    let mut element = [e.clone()];
    let loops = b.elements(&mut element);
    let [element] = element;
    let body = each(b, &element);
    if body.is_empty() { body } else { b.nested(loops, body, from, Role::Storage) }
}

/// Statements under a condition.
pub(crate) fn branch(b: &mut Builder<'_>, cond: Expr, body: Block, from: &Stmt) -> Stmt {
    let one_line = matches!(body.as_slice(), [s] if !matches!(s.kind, StmtKind::Do { .. }));
    let arms = vec![IfArm { cond, body }];
    b.derive(StmtKind::If { name: None, arms, otherwise: None, one_line }, from, Role::Storage)
}

/// The components that an object holds. What a pointer component is associated with is no part of the object: it has a
/// derivative of its own, and there need be none.
fn held(components: Vec<&Component>) -> impl Iterator<Item = &Component> {
    components.into_iter().filter(|c| !c.var.attrs.pointer)
}

fn below(path: &[Name], c: &Component) -> Vec<Name> {
    [path, std::slice::from_ref(&c.name)].concat()
}
