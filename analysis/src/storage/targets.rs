//! What pointers are known to point to.

use std::collections::BTreeMap;

use costate_grammar::ir::{Base, Name, Program, SymId, Ty, Variable};

use super::loc::{Loc, Root, resolve};

/// What is known of pointers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Targets {
    /// Objects by association.
    pub(super) known: BTreeMap<Loc, Vec<Loc>>,
    /// What target dummies stand for that a pointer outside their procedures may point to.
    pub(super) dummies: BTreeMap<SymId, Vec<Loc>>,
    /// The memory of a type that comes from outside.
    pub(super) outside: Vec<(Ty, Loc)>,
    /// Variables with the `target` attribute that procedures outside can reach.
    pub(super) visible: Vec<SymId>,
}

impl Targets {
    /// What stands for a variable.
    pub(super) fn of_dummy(&self, sym: SymId) -> Vec<Loc> {
        self.dummies.get(&sym).cloned().unwrap_or_else(|| vec![Loc::named(sym, Vec::new())])
    }

    /// The associations of which objects are known.
    pub(super) fn associations(&self) -> impl Iterator<Item = &Loc> {
        self.known.keys()
    }

    /// True for a dummy that its actual arguments stand for.
    pub(super) fn stands_for_others(&self, sym: SymId) -> bool {
        self.dummies.contains_key(&sym)
    }

    /// The objects of an association. A pointer that nothing is known to be assigned to has memory of its own.
    pub(super) fn of(&self, program: &Program, cell: &Loc, pointer: &Variable) -> Vec<Loc> {
        let mut out = Vec::new();
        let initial = pointer.init.as_ref().and_then(|e| e.unparen().as_var()).map(|d| Loc::named(d.sym, d.path()));
        let known = self.known.get(cell).into_iter().flatten().cloned().chain(initial);
        let mut own = Vec::new();
        if cell.root == Root::Outside {
            own = self.outside_of(program, pointer.ty);
        }
        for o in known.chain(own) {
            for object in self.real(program, &o) {
                if !out.contains(&object) {
                    out.push(object);
                }
            }
        }
        if out.is_empty() {
            out.push(Loc { association: false, ..cell.clone() });
        }
        out
    }

    /// True when something may associate a pointer.
    pub(super) fn knows(&self, cell: &Loc, pointer: &Variable) -> bool {
        let initial = pointer.init.as_ref().is_some_and(|e| !e.is_null());
        initial || cell.root != Root::Variable || self.known.get(cell).is_some_and(|objects| !objects.is_empty())
    }

    /// What an object is: a dummy may stand for others.
    fn real(&self, program: &Program, o: &Loc) -> Vec<Loc> {
        if o.root != Root::Variable {
            return vec![o.clone()];
        }
        match self.dummies.get(&o.sym) {
            None => vec![o.clone()],
            Some(list) => {
                let below =
                    |l: &Loc| shortened(program, Loc { path: [l.path.as_slice(), &o.path].concat(), ..l.clone() });
                list.iter().map(below).collect()
            }
        }
    }

    /// What a pointer of a type may point to when it comes from outside.
    pub(super) fn outside_of(&self, program: &Program, ty: Ty) -> Vec<Loc> {
        let mut out: Vec<Loc> =
            self.outside.iter().filter(|(t, _)| compatible(program, *t, ty)).map(|(_, l)| l.clone()).collect();
        for &sym in &self.visible {
            let Some(v) = program.var(sym) else { continue };
            of_type(program, Loc::named(sym, Vec::new()), v, ty, &mut out);
        }
        out
    }
}

/// True when a pointer of one type can point to memory of the other.
pub(super) fn compatible(program: &Program, a: Ty, b: Ty) -> bool {
    let root = |mut t: SymId| {
        while let Some(parent) = program[t].derived().and_then(|d| d.extends) {
            t = parent;
        }
        t
    };
    match (a.base, b.base) {
        (Base::Unlimited, _) | (_, Base::Unlimited) => true,
        (Base::Derived(x) | Base::Class(x), Base::Derived(y) | Base::Class(y)) => root(x) == root(y),
        // A pointer may point to the parts of a complex variable.
        (Base::Real | Base::Complex, Base::Real | Base::Complex) => a.kind == b.kind,
        (x, y) => x == y && a.kind == b.kind,
    }
}

/// The parts of a variable that a pointer of a type may point to.
pub(super) fn of_type(program: &Program, place: Loc, v: &Variable, ty: Ty, out: &mut Vec<Loc>) {
    if compatible(program, v.ty, ty) {
        out.push(place.clone());
    }
    let Some(derived) = v.ty.derived().filter(|_| place.path.len() < 8).and_then(|t| program[t].derived()) else {
        return;
    };
    for c in &derived.components {
        if !c.var.attrs.pointer {
            let path = [place.path.as_slice(), std::slice::from_ref(&c.name)].concat();
            of_type(program, Loc { path, ..place.clone() }, &c.var, ty, out);
        }
    }
}

/// Memory far down a recursive type stands for all that comes after it: otherwise there would be no end to what pointers
/// point to. The place of the same type that is named by a part of the path takes the place of the whole.
pub(super) fn shortened(program: &Program, mut place: Loc) -> Loc {
    const LONGEST: usize = 4;
    let ty = |l: &Loc| resolve(program, l.sym, &l.path).map(|v| v.ty);
    while place.path.len() > LONGEST {
        let own = ty(&place);
        let cut = (0..place.path.len()).find_map(|i| {
            let again = (i + 1..place.path.len()).rev().find(|j| place.path[*j] == place.path[i])?;
            let path: Vec<Name> = place.path[..i].iter().chain(&place.path[again..]).cloned().collect();
            let shorter = Loc { path, ..place.clone() };
            (ty(&shorter) == own).then_some(shorter)
        });
        match cut {
            Some(shorter) => place = shorter,
            None => break,
        }
    }
    place
}
