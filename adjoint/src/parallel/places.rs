//! References to parts of variables as the names of components and all subscripts on the way.

use costate_analysis::effects::is_fixed;
use costate_analysis::sections::scene::Scene;
use costate_analysis::sections::{Section, Span};
use costate_analysis::storage::{resolve, symbols, value_paths};
use costate_grammar::ir::{Designator, Dim, Expr, Name, Part, Program, Subscript};

/// A reference as the names of its components, and all of its subscripts in one list.
pub(super) struct Place {
    pub(super) path: Vec<String>,
    pub(super) of: Designator,
}

/// `None` for a part of a string.
pub(super) fn in_one_part(d: &Designator) -> Option<Place> {
    let mut path = Vec::new();
    let mut subscripts = Vec::new();
    for part in &d.parts {
        match part {
            Part::Component(name) => path.push(name.to_string()),
            Part::Subscripts(list) => subscripts.extend(list.iter().cloned()),
            Part::Substring(..) => return None,
        }
    }
    let parts = if subscripts.is_empty() { Vec::new() } else { vec![Part::Subscripts(subscripts)] };
    Some(Place { path, of: Designator { sym: d.sym, parts } })
}

/// Two references, up to where one of them ends: `x(i)%p` and `x(j)` as `x(i)` and `x(j)`.
pub(super) fn up_to_common(a: &Designator, b: &Designator) -> Option<(Place, Place)> {
    let components = |d: &Designator| d.parts.iter().filter(|p| matches!(p, Part::Component(_))).count();
    let least = components(a).min(components(b));
    let cut = |d: &Designator| {
        let beyond = |(k, p): (usize, &Part)| {
            matches!(p, Part::Component(_))
                && components(&Designator { sym: d.sym, parts: d.parts[..k].to_vec() }) == least
        };
        let end = d.parts.iter().enumerate().position(beyond).unwrap_or(d.parts.len());
        in_one_part(&Designator { sym: d.sym, parts: d.parts[..end].to_vec() })
    };
    Some((cut(a)?, cut(b)?))
}

/// The section that a reference stands for, or more, in all arrays on the way to it: `x(i)%p` in two dimensions, where `p`
/// has one. The flag tells that it is no more. `None` where a part has memory of its own, or is one of a string. Of what is
/// `declared` with bounds that stay, the section begins and ends there.
pub(super) fn section(scene: &Scene<'_>, d: &Designator, declared: bool) -> Option<(Section, bool)> {
    let mut path: Vec<Name> = Vec::new();
    let (mut out, mut exact) = (Section::new(), true);
    let mut parts = d.parts.iter().peekable();
    loop {
        let v = resolve(scene.program, d.sym, &path)?;
        if !path.is_empty() && (v.attrs.allocatable || v.attrs.pointer) {
            return None;
        }
        let rank = usize::from(v.rank());
        match parts.next_if(|p| matches!(p, Part::Subscripts(_))) {
            Some(Part::Subscripts(list)) if list.len() == rank => {
                for s in list {
                    let (span, no_more) = of_subscript(s);
                    exact &= no_more;
                    out.push(span);
                }
            }
            Some(_) => return None,
            None if declared => out.extend(v.dims.iter().map(|d| of_dimension(scene, d))),
            None => out.extend(vec![Span::default(); rank]),
        }
        match parts.next() {
            None => return Some((out, exact)),
            Some(Part::Component(name)) => path.push(name.clone()),
            Some(_) => return None,
        }
    }
}

/// The span that a subscript stands for, or more. The flag tells that it is no more.
fn of_subscript(s: &Subscript) -> (Span, bool) {
    match s {
        Subscript::Index(e) => Span::point(e).map_or((Span::default(), false), |span| (span, true)),
        Subscript::Range { lo: None, hi: None, step: None } => (Span::default(), true),
        Subscript::Range { lo, hi, step: None } => (Span::with_ends(lo.as_ref(), hi.as_ref()), false),
        Subscript::Range { .. } => (Span::default(), false),
    }
}

/// From the lower to the upper bound of a dimension, where nothing can change what these are.
fn of_dimension(scene: &Scene<'_>, dim: &Dim) -> Span {
    let Dim::Explicit(lo, hi) = dim else { return Span::default() };
    let bounds = [lo.clone().unwrap_or_else(|| Expr::int(1)), hi.clone()].map(|e| scene.with_constants(e));
    match bounds.iter().flat_map(symbols).all(|s| is_fixed(scene.program, s)) {
        true => Span::between(&bounds[0], &bounds[1]).0,
        false => Span::default(),
    }
}

/// True where a reference is to what another one refers to, or to a component of that.
pub(super) fn is_below(part: &Designator, whole: &Designator) -> bool {
    part.sym == whole.sym && part.path().starts_with(&whole.path())
}

/// The parts of what a reference is to that hold values: the reference itself where it is to no object.
pub(super) fn values_in(program: &Program, d: &Designator) -> Vec<Designator> {
    let object = resolve(program, d.sym, &d.path()).filter(|v| v.ty.derived().is_some());
    let Some(object) = object else { return vec![d.clone()] };
    let below = |path: Vec<Name>| {
        let parts = d.parts.iter().cloned().chain(path.into_iter().map(Part::Component));
        Designator { sym: d.sym, parts: parts.collect() }
    };
    value_paths(program, object.ty).into_iter().map(below).collect()
}
