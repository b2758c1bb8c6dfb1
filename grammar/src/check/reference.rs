//! What a reference is by the declarations that it leads through.

use crate::ir::{Attrs, Base, Designator, Dim, Part, Program, Subscript, Ty, Variable};

/// What the declarations say of a reference.
pub(super) struct Reference<'p> {
    pub(super) ty: Ty,
    /// `None` for an object of assumed rank.
    pub(super) rank: Option<u8>,
    /// The variable or component that its name ends with.
    pub(super) last: &'p Variable,
}

impl Reference<'_> {
    pub(super) fn attrs(&self) -> Attrs {
        self.last.attrs
    }
}

/// Follows a reference, or says what can't be followed. `Ok(None)` where the declarations aren't known.
pub(super) fn follow<'p>(program: &'p Program, d: &Designator) -> Result<Option<Reference<'p>>, String> {
    let Some(mut last) = program.var(d.sym) else { return Ok(None) };
    // Ranks of the parts before the last one, and of the last one as far as it has been subscripted.
    let (mut before, mut own) = (0, last.rank());
    for part in &d.parts {
        match part {
            Part::Component(name) if last.ty.is_numeric() => {
                let complex = last.ty.base == Base::Complex && matches!(name.as_str(), "re" | "im");
                let ty = match name.as_str() {
                    "kind" => Ty::INTEGER,
                    _ if complex => Ty::new(Base::Real, last.ty.kind),
                    _ => return Err(format!("`%{name}` follows a number")),
                };
                let rank = (!is_assumed_rank(last)).then_some(before + own);
                return Ok(Some(Reference { ty, rank, last }));
            }
            Part::Component(name) => {
                let Some(ty) = last.ty.derived() else {
                    return Err(format!("`%{name}` follows what is no object of a derived type"));
                };
                let known = program[ty].derived().is_some_and(|t| !t.components.is_empty() || t.extends.is_some());
                let Some(component) = program.component(ty, name.as_str()) else {
                    let missing = format!("`{}` has no component `{name}`", program[ty].name);
                    return if known { Err(missing) } else { Ok(None) };
                };
                before += own;
                (last, own) = (component, component.rank());
            }
            Part::Subscripts(list) if is_assumed_rank(last) => {
                return Err(format!("{} subscripts follow an object of assumed rank", list.len()));
            }
            Part::Subscripts(list) => {
                if list.len() != usize::from(own) {
                    return Err(format!("{} subscripts follow what has rank {own}", list.len()));
                }
                own = list.iter().map(rank_of).sum();
            }
            Part::Substring(..) => {}
        }
    }
    let rank = (!is_assumed_rank(last)).then_some(before + own);
    Ok(Some(Reference { ty: last.ty, rank, last }))
}

fn is_assumed_rank(v: &Variable) -> bool {
    v.dims.iter().any(|d| matches!(d, Dim::AssumedRank))
}

fn rank_of(s: &Subscript) -> u8 {
    match s {
        Subscript::Index(e) => e.rank,
        Subscript::Range { .. } => 1,
    }
}
