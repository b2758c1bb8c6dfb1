//! Storage association: which variables of a scope share memory by `common` and `equivalence`, and where each begins
//! (Fortran 2018, 19.5.3).

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{
    Base, Designator, Dim, Expr, ExprKind, Name, Part, Program, ScopeId, Subscript, SymId, Ty, Variable,
};
use costate_grammar::lower::{integer, size};

/// A variable in a piece of storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The variable.
    pub sym: SymId,
    /// Where it begins, in bytes from the start of the block, or from the first variable of an `equivalence`.
    pub offset: i64,
    /// Its size in bytes.
    pub bytes: i64,
}

impl Member {
    /// True where two members have bytes in common.
    pub fn overlaps(&self, other: &Member) -> bool {
        self.offset < other.offset + other.bytes && other.offset < self.offset + self.bytes
    }

    /// The byte after the last one.
    pub fn end(&self) -> i64 {
        self.offset + self.bytes
    }
}

/// Variables of one scope that are associated with each other: a common block with what is equivalenced to it, or an
/// equivalence class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Association {
    /// The common block; blank common has an empty name.
    pub block: Option<Name>,
    /// The variables, those of a common block in its order first.
    pub members: Vec<Member>,
    /// False where a size isn't known: offsets then mean nothing, and any two members may overlap.
    pub exact: bool,
}

impl Association {
    /// Pairs of variables that may have bytes in common.
    pub fn overlapping(&self) -> Vec<(SymId, SymId)> {
        let mut out = Vec::new();
        for (i, a) in self.members.iter().enumerate() {
            for b in &self.members[i + 1..] {
                if !self.exact || a.overlaps(b) {
                    out.push((a.sym, b.sym));
                }
            }
        }
        out
    }

    /// True when derivatives can be associated in the same way: whatever overlaps consists of reals, or of the parts of
    /// complex numbers, of one kind.
    pub fn carries_derivatives(&self, program: &Program, sym: SymId) -> bool {
        let part = |m: &Member| program.var(m.sym).map(|v| v.ty).filter(|t| t.is_continuous()).map(|t| t.kind);
        let Some(own) = self.members.iter().find(|m| m.sym == sym) else { return false };
        self.exact
            && self.members.iter().filter(|m| m.overlaps(own)).all(|m| {
                let apart = (m.offset - own.offset).rem_euclid(i64::from(part(own).unwrap_or(1)));
                part(m).is_some() && part(m) == part(own) && apart == 0
            })
    }
}

/// The size of one element of a type in bytes; `None` for types whose layout is the compiler's affair.
fn element_bytes(v: &Variable) -> Option<i64> {
    let Ty { base, kind } = v.ty;
    match base {
        Base::Integer | Base::Real | Base::Logical => Some(i64::from(kind)),
        Base::Complex => Some(2 * i64::from(kind)),
        Base::Character => length(&v.spelling),
        Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None => None,
    }
}

/// The length in a spelling such as `character(len=8)` or `character*8`, when it is a literal.
fn length(spelling: &str) -> Option<i64> {
    let rest = spelling.trim().to_ascii_lowercase();
    let rest = rest.strip_prefix("character")?.trim();
    if rest.is_empty() {
        return Some(1);
    }
    let inner = rest.strip_prefix('*').or_else(|| rest.strip_prefix('(').and_then(|r| r.strip_suffix(')')))?.trim();
    let inner = inner.strip_prefix("len").map_or(inner, |r| r.trim_start().trim_start_matches('=').trim());
    inner.parse().ok()
}

/// The size of a variable in bytes, when it is constant.
fn bytes(program: &Program, v: &Variable) -> Option<i64> {
    if v.attrs.pointer || v.attrs.allocatable {
        return None;
    }
    element_bytes(v)?.checked_mul(size(program, &v.dims)?)
}

/// Lower bound and extent of each dimension of an array of constant shape.
fn bounds(program: &Program, v: &Variable) -> Option<Vec<(i64, i64)>> {
    let value = |e: &Expr| integer(program, e);
    let one = |d: &Dim| match d {
        Dim::Explicit(lo, hi) => {
            let lo = lo.as_ref().map_or(Some(1), value)?;
            Some((lo, value(hi)? - lo + 1))
        }
        Dim::Assumed(_) | Dim::Deferred | Dim::AssumedSize(_) | Dim::AssumedRank => None,
    };
    v.dims.iter().map(one).collect()
}

/// A variable of constant shape with its bounds as literals, so that it can be declared anywhere.
pub fn with_literal_bounds(program: &Program, v: &Variable) -> Option<Variable> {
    let literal = |(lo, n): (i64, i64)| Dim::Explicit((lo != 1).then(|| Expr::int(lo)), Expr::int(lo + n - 1));
    let dims = bounds(program, v)?.into_iter().map(literal).collect();
    Some(Variable { dims, ..v.clone() })
}

/// Where the element or variable that an `equivalence` names begins within its variable, in bytes.
fn position(program: &Program, e: &Expr) -> Option<i64> {
    let ExprKind::Var(d) = &e.kind else { return None };
    let v = program.var(d.sym)?;
    let each = element_bytes(v)?;
    let index = |s: &Subscript| match s {
        Subscript::Index(i) => integer(program, i),
        Subscript::Range { .. } => None,
    };
    match d.parts.as_slice() {
        [] => Some(0),
        [Part::Subscripts(list)] => {
            let shape = bounds(program, v)?;
            // One subscript counts the elements of an array of any rank, by an old custom.
            if list.len() == 1 && shape.len() > 1 {
                return Some((index(&list[0])? - 1) * each);
            }
            let (mut stride, mut at) = (1, 0);
            for (s, (lo, n)) in list.iter().zip(shape) {
                at += (index(s)? - lo) * stride;
                stride *= n;
            }
            Some(at * each)
        }
        _ => None,
    }
}

/// The storage associations of a scope.
pub fn associations(program: &Program, scope: ScopeId) -> Vec<Association> {
    let s = &program[scope];
    let mut out: Vec<Association> = Vec::new();
    for (block, members) in &s.commons {
        let (mut offset, mut exact) = (0, true);
        let mut list = Vec::new();
        for &sym in members {
            let bytes = program.var(sym).and_then(|v| bytes(program, v));
            exact &= bytes.is_some();
            list.push(Member { sym, offset, bytes: bytes.unwrap_or(0) });
            offset += bytes.unwrap_or(0);
        }
        out.push(Association { block: Some(block.clone()), members: list, exact });
    }
    for set in &s.equivalences {
        out = joined(program, out, set);
    }
    out
}

/// The associations after one more `equivalence` set.
fn joined(program: &Program, known: Vec<Association>, set: &[Expr]) -> Vec<Association> {
    let symbols: BTreeSet<SymId> = set.iter().filter_map(|e| e.as_var()).map(|d| d.sym).collect();
    let (mut met, mut out): (Vec<Association>, Vec<Association>) =
        known.into_iter().partition(|a| a.members.iter().any(|m| symbols.contains(&m.sym)));
    // A common block fixes where everything lies, so it comes first.
    met.sort_by_key(|a| a.block.is_none());
    let mut whole =
        if met.is_empty() { Association { block: None, members: Vec::new(), exact: true } } else { met.remove(0) };
    // Where the place that all members of the set share lies, from each of them.
    let places: BTreeMap<SymId, Option<i64>> =
        set.iter().filter_map(|e| Some((e.as_var()?.sym, position(program, e)))).collect();
    let found = whole.members.iter().find_map(|m| Some((m, places.get(&m.sym)?)));
    let (mut at, sure) = match found {
        Some((m, Some(p))) => (m.offset + p, true),
        Some((_, None)) => (0, false),
        None => (0, true),
    };
    whole.exact &= sure;
    if whole.members.is_empty() {
        at = 0;
    }
    for other in met {
        let shift = other.members.iter().find_map(|m| Some(at - (m.offset + (*places.get(&m.sym)?)?)));
        whole.exact &= other.exact && shift.is_some();
        whole.members.extend(other.members.iter().map(|m| Member { offset: m.offset + shift.unwrap_or(0), ..*m }));
    }
    for (sym, place) in places {
        if whole.members.iter().any(|m| m.sym == sym) {
            continue;
        }
        let bytes = program.var(sym).and_then(|v| bytes(program, v));
        whole.exact &= bytes.is_some() && place.is_some();
        whole.members.push(Member { sym, offset: at - place.unwrap_or(0), bytes: bytes.unwrap_or(0) });
    }
    out.push(whole);
    out
}

/// The element of an array that begins at a byte counted from the array's start, or the variable itself.
fn element(program: &Program, sym: SymId, at: i64) -> Option<Expr> {
    let v = program.var(sym)?;
    let each = element_bytes(v)?;
    if at < 0 || at % each != 0 {
        return None;
    }
    let mut rest = at / each;
    let mut subscripts = Vec::new();
    for (lo, n) in bounds(program, v)? {
        subscripts.push(Subscript::Index(Expr::int(lo + rest % n.max(1))));
        rest /= n.max(1);
    }
    if rest > 0 {
        return None;
    }
    let parts = if subscripts.is_empty() { Vec::new() } else { vec![Part::Subscripts(subscripts)] };
    Some(Expr::new(ExprKind::Var(Designator { sym, parts }), v.ty, 0))
}

/// The `equivalence` set that associates two members: elements of each that begin at the same byte.
pub fn equivalence(program: &Program, a: &Member, b: &Member) -> Option<Vec<Expr>> {
    let steps = [a, b].map(|m| program.var(m.sym).and_then(element_bytes).unwrap_or(1).max(1));
    let from = a.offset.max(b.offset);
    let until = a.end().min(b.end());
    // Elements begin together after at most as many bytes as both sizes multiplied.
    (from..until.min(from + steps[0] * steps[1]))
        .find_map(|at| Some(vec![element(program, a.sym, at - a.offset)?, element(program, b.sym, at - b.offset)?]))
}

/// The `equivalence` sets that put members where they are; the first `placed` of them are in place already, by a common
/// block. `None` where a member begins within another's element.
pub fn equivalences(program: &Program, members: &[Member], placed: usize) -> Option<Vec<Vec<Expr>>> {
    // Members that are associated with each other so far have one number.
    let mut pieces: Vec<usize> = (0..members.len()).map(|i| if i < placed { 0 } else { i }).collect();
    let mut out = Vec::new();
    for (i, m) in members.iter().enumerate() {
        for (j, other) in members[..i].iter().enumerate() {
            if pieces[i] != pieces[j] && other.overlaps(m) {
                out.push(equivalence(program, other, m)?);
                let (from, to) = (pieces[i], pieces[j]);
                pieces.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::length;

    #[test]
    fn lengths_of_characters_are_read_from_their_spelling() {
        let found = ["character", "character(len=8)", "CHARACTER*12", "character(3)", "character(len=n)"].map(length);
        assert_eq!(found, [Some(1), Some(8), Some(12), Some(3), None]);
    }
}
