//! Loops of the backward sweep that add up a scalar are marked with `!$omp simd reduction`: without it, compilers keep the
//! order in which the terms are added, and don't vectorise the loop. All other iterations must be proven independent.

use std::collections::BTreeSet;

use costate_grammar::directives;
use costate_grammar::ir::{LoopControl, Origin, Program, Role, Stmt, StmtKind, SymId};
use costate_grammar::lines::Sentinel;
use costate_grammar::source::Span;

use super::Reverse;
use super::independence::{Body, Use, analyse, separated};

impl Reverse<'_, '_> {
    /// Marks such loops in a block. `private` are scalars that are used only in the iteration that assigns them.
    pub(super) fn mark_sums(&mut self, block: &mut [Stmt], private: &BTreeSet<SymId>) {
        for s in block {
            match clauses(self.b.program, s, private) {
                Some(text) => self.govern(s, &text),
                None => s.blocks_mut().into_iter().for_each(|b| self.mark_sums(b, private)),
            }
        }
    }

    fn govern(&mut self, s: &mut Stmt, text: &str) {
        let Ok(directive) = directives::parse(Sentinel::Omp, text, Span::default()) else { return };
        let mut marked = self.b.derive(StmtKind::Directive { directive, body: None }, s, Role::Adjoint);
        marked.leading = std::mem::take(&mut s.leading);
        let inner = std::mem::replace(s, marked);
        if let StmtKind::Directive { body, .. } = &mut s.kind {
            *body = Some(vec![inner]);
        }
    }
}

/// What the directive says, for a loop whose iterations share nothing but sums.
fn clauses(program: &Program, s: &Stmt, private: &BTreeSet<SymId>) -> Option<String> {
    let StmtKind::Do { control: LoopControl::Count { var, .. }, body, .. } = &s.kind else { return None };
    if !matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. }) {
        return None;
    }
    let body = analyse(program, body, &[*var], private)?;
    let (mut sums, mut own) = (Vec::new(), Vec::new());
    for (&sym, how) in &body.uses {
        match how {
            Use::Private => own.push(&*program[sym].name),
            Use::Own => {}
            Use::Increments if is_scalar(program, &body, sym) => sums.push(&*program[sym].name),
            Use::Increments if separated(&body, sym, *var) => {}
            Use::Increments => return None,
        }
    }
    let list = |clause: &str, names: &[&str]| match names {
        [] => String::new(),
        _ => format!(" {clause}{})", names.join(", ")),
    };
    (!sums.is_empty()).then(|| format!("simd{}{}", list("reduction(+:", &sums), list("private(", &own)))
}

/// True for a plain scalar number that the body adds to.
fn is_scalar(program: &Program, body: &Body<'_>, sym: SymId) -> bool {
    let plain = program.var(sym).is_some_and(|v| v.rank() == 0 && v.ty.is_continuous() && !v.attrs.allocatable);
    plain && body.parts.iter().all(|p| p.lhs.sym != sym || p.lhs.parts.is_empty())
}
