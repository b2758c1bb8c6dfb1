//! Sums in innermost loops of the backward sweep. A compiler that keeps to the order of additions can't vectorise them:
//! where nothing else depends on the order of iterations, the loop gets a directive that lets it, `!$omp simd
//! reduction(+:...)`. Without OpenMP it is a comment.

use std::collections::BTreeSet;

use costate_analysis::affine::difference;
use costate_analysis::storage::symbols;
use costate_grammar::directives::parse;
use costate_grammar::ir::{Expr, LoopDirective, Origin, Role, ScopeKind, Stmt, StmtKind, SymId};
use costate_grammar::lines::Sentinel;

use super::code::Code;
use super::fission::ascending;
use costate_analysis::dependence::independence::{Use, analyse, own_elements};

/// Loops of fewer iterations than this are left to the compiler.
const FEW: i64 = 8;

/// Marks the loops of the backward sweep that compute sums.
pub(super) fn run(code: &mut Code<'_, '_>) {
    code.in_backward(|code, backward, facts| code.mark_reductions(backward, &facts.private));
}

impl Code<'_, '_> {
    /// Marks the loops of a block that compute sums. `private` are the scalars that are used in one iteration only.
    pub(super) fn mark_reductions(&mut self, block: &mut [Stmt], private: &BTreeSet<SymId>) {
        for s in block {
            if s.is_region() {
                continue;
            }
            if s.followed().is_some() {
                // How its sums are computed is for what directives ask for to say.
                s.blocks_mut().into_iter().for_each(|b| self.mark_reductions(b, private));
                continue;
            }
            match self.reduction(s, private) {
                Some(marked) => *s = marked,
                None => s.blocks_mut().into_iter().for_each(|b| self.mark_reductions(b, private)),
            }
        }
    }

    /// The loop with a directive, when it computes sums and its iterations may run in any order.
    fn reduction(&mut self, s: &Stmt, private: &BTreeSet<SymId>) -> Option<Stmt> {
        let StmtKind::Do { control: costate_grammar::ir::LoopControl::Count { var, lo, hi, .. }, body, .. } = &s.kind
        else {
            return None;
        };
        let backward = matches!(s.origin, Origin::Derived { role: Role::Adjoint, .. });
        if !backward || difference(hi, lo).is_some_and(|d| d.abs() < FEW) {
            return None;
        }
        let control = ascending(s)?;
        let analysed = analyse(self.b.program, body, &[*var], private)?;
        let (mut sums, mut own) = (Vec::new(), Vec::new());
        for (line, how) in &analysed.uses {
            let sym = &line.0;
            let v = self.b.program.var(*sym)?;
            match how {
                Use::Increments if v.rank() == 0 => {
                    let of_thread = self.b.program.is_of_each_thread(*sym);
                    if !v.ty.is_continuous() || v.attrs.allocatable || of_thread || self.is_of_host(*sym) {
                        return None;
                    }
                    sums.push(self.b.program[*sym].name.to_string());
                }
                Use::Increments if !own_elements(&analysed, *line, *var) => return None,
                Use::Private => own.push(self.b.program[*sym].name.to_string()),
                Use::Increments | Use::Own => {}
            }
        }
        let moves = |e: &Expr| symbols(e).iter().any(|x| analysed.assigns(*x));
        if sums.is_empty() || s.exprs().into_iter().any(moves) {
            return None;
        }
        let mut text = format!("simd reduction(+:{})", sums.join(", "));
        if !own.is_empty() {
            text += &format!(" private({})", own.join(", "));
        }
        let directive = parse(Sentinel::Omp, &text, s.origin.span()).ok()?;
        let mut out = s.clone();
        out.kind = StmtKind::repeat(control, body.clone());
        let leading = std::mem::take(&mut out.leading);
        out.share_out(LoopDirective { leading, ..LoopDirective::new(directive, s.origin) });
        Some(out)
    }

    /// True for a variable of the procedure around: iterations that call this one may add to it by atomic updates.
    fn is_of_host(&self, sym: SymId) -> bool {
        let of = self.b.shadow.iter().find(|(_, s)| **s == sym).map_or(sym, |(primal, _)| *primal);
        let (home, own) = (self.b.program[of].scope, self.b.program[self.b.primal].scope);
        home != own && home != self.b.scope && matches!(self.b.program[home].kind, ScopeKind::Procedure(_))
    }
}
