//! Procedures of the tables that come with Costate, and their derivatives in the run-time library: they compute with their
//! arguments, and keep nothing from call to call. What they do is what their declarations say.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::affine::{count, difference, plus};
use costate_analysis::effects::{CallMap, Effects, is_fixed};
use costate_analysis::storage::symbols;
use costate_grammar::ir::{
    Arg, Designator, Dim, Expr, Intent, Name, Part, ProcId, ProcKind, Program, Subscript, SymId,
};

use super::references::{How, Passed};

/// Those that a program calls.
#[derive(Debug)]
pub(crate) struct Library<'e> {
    /// What their rows say of them.
    pub(crate) effects: &'e Effects,
    /// The user's calls lead there: none of them has a body.
    pub(crate) procedures: BTreeSet<ProcId>,
    /// Their derivatives.
    pub(crate) derivatives: BTreeMap<SymId, Derivative>,
}

impl Library<'_> {
    /// Where an element of an array is passed for those behind it: the dimensions of that array in which a procedure
    /// refers to some of these, and to no others, as far as its row tells.
    pub(super) fn section(
        &self,
        program: &Program,
        map: &CallMap,
        (proc, dummy): (ProcId, SymId),
        e: &Expr,
    ) -> Option<Designator> {
        let mut d = e.as_var().filter(|_| e.rank == 0 && self.procedures.contains(&proc))?.clone();
        let dims = &program.var(d.sym)?.dims;
        let [Part::Subscripts(list)] = d.parts.as_mut_slice() else { return None };
        let counts = self.effects.told_elements(program, map, proc, dummy)?;
        let leading = program.var(dummy)?.dims.get(..counts.len().checked_sub(1)?)?;
        let leading = self.effects.extents_in_caller(program, map, proc, leading)?;
        for (k, n) in counts.iter().enumerate() {
            let (Subscript::Index(from), Dim::Explicit(lo, hi)) = (list.get(k)?, dims.get(k)?) else { return None };
            let lo = lo.clone().unwrap_or_else(|| Expr::int(1));
            let same = leading.get(k).is_none_or(|e| difference(e, &count(&lo, hi)) == Some(0));
            let inside = difference(hi, &plus(&plus(from, n), &Expr::int(-1))).is_some_and(|room| room >= 0);
            let kept = [&lo, hi].into_iter().flat_map(symbols).all(|s| is_fixed(program, s));
            if !(same && inside && kept) {
                return None;
            }
            list[k] = Subscript::Range { lo: None, hi: None, step: None };
        }
        Some(d)
    }
}

/// The derivative of a procedure, with the dummies of that and keywords for those of derivatives.
#[derive(Debug)]
pub(crate) struct Derivative {
    /// The procedure.
    pub(crate) of: ProcId,
    /// It is an adjoint: it adds to the derivatives of what the procedure only reads.
    pub(crate) adjoint: bool,
    /// It leaves all values but derivatives as they are.
    pub(crate) keeps_values: bool,
    /// Of which dummy, or result, a keyword names the derivative.
    pub(crate) keywords: BTreeMap<Name, SymId>,
}

impl Derivative {
    /// The arguments of a call with what is done to each, and the ranks of the dummies.
    pub(super) fn arguments<'e>(
        &self,
        program: &Program,
        library: &Library<'_>,
        args: &'e [Arg],
    ) -> Option<Vec<Passed<'e>>> {
        let own = args.iter().take_while(|a| a.keyword.is_none()).take(program[self.of].dummies.len());
        let map = CallMap::new(program, self.of, &own.cloned().collect::<Vec<_>>(), None);
        let one = |(k, a): (usize, &'e Arg)| {
            let (dummy, derivative) = self.stands_for(program, k, a)?;
            let read = is_read(program, dummy);
            let how = match (derivative, read) {
                (true, true) if self.adjoint => How::Added,
                (false, false) if self.adjoint && self.keeps_values => How::Read,
                (_, true) => How::Read,
                (_, false) => How::Assigned,
            };
            let within = library.section(program, &map, (self.of, dummy), &a.value);
            Some(Passed::new(how, &a.value, program.var(dummy).map_or(0, |v| v.rank()), within))
        };
        args.iter().enumerate().map(one).collect()
    }

    /// The dummy, or the result, for which the `k`th argument of a call stands, or for whose derivative. Tangents have a
    /// function's result behind its dummies.
    fn stands_for(&self, program: &Program, k: usize, a: &Arg) -> Option<(SymId, bool)> {
        let p = &program[self.of];
        let result = if let ProcKind::Function(r) = p.kind { Some(r) } else { None };
        match &a.keyword {
            None => Some((p.dummies.get(k).copied().or(result.filter(|_| k == p.dummies.len()))?, false)),
            Some(name) => match self.keywords.get(name) {
                Some(of) => Some((*of, true)),
                None => Some((p.dummies.iter().copied().find(|d| program[*d].name == *name)?, false)),
            },
        }
    }

    /// The scalar variables among the arguments that are assigned before anything else is done with them: what a procedure
    /// gives, and its derivative, by a tangent.
    pub(super) fn sets(&self, program: &Program, args: &[Arg]) -> BTreeSet<SymId> {
        let given = |(k, a): (usize, &Arg)| {
            let (dummy, _) = self.stands_for(program, k, a).filter(|_| !self.adjoint)?;
            let v = program.var(dummy).filter(|v| v.rank() == 0 && (v.intent == Some(Intent::Out) || v.result));
            a.value.as_var().filter(|d| v.is_some() && d.parts.is_empty()).map(|d| d.sym)
        };
        let uses = |s: &SymId| args.iter().filter(|a| symbols(&a.value).contains(s)).count();
        args.iter().enumerate().filter_map(given).filter(|s| uses(s) == 1).collect()
    }
}

/// True for a dummy that its procedure only reads.
pub(super) fn is_read(program: &Program, dummy: SymId) -> bool {
    program.var(dummy).is_some_and(|v| v.intent == Some(Intent::In))
}
