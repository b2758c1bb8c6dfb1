//! Which tape takes a value that is saved, and the calls that push it there and pop it.
//!
//! What no parallel loop is around goes to one tape of the procedure. Iterations of a parallel loop have tapes of their own,
//! so that it doesn't matter which thread runs which of them, and in which order: an array with a tape for each iteration,
//! where they save for the backward sweep; and where an iteration takes back what it has pushed, because its forward part
//! runs again there, a tape that is empty before and after it.

use costate_analysis::storage::symbols;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Arg, Base, Block, Designator, Dim, Expr, ExprKind, Origin, Part, Role, Stmt, StmtId, StmtKind, Subscript, SymId,
    SymbolKind, Ty, Variable,
};
use costate_grammar::print;
use costate_grammar::source::Span;

use super::around::{Around, ascending, extents_before, loop_extents};
use crate::reverse::Reverse;
use crate::reverse::tree::node::Loop;

/// The tapes of a procedure.
#[derive(Debug, Default)]
pub(in crate::reverse) struct Tapes {
    /// The one for what no parallel loop is around.
    whole: Option<SymId>,
    /// Those for each iteration of the parallel loops around what is emitted.
    of_iterations: Vec<(StmtId, SymId)>,
    /// That of what an iteration runs again, while that is emitted, once there is one.
    in_iteration: Option<Option<SymId>>,
    /// There is a tape.
    any: bool,
    /// A copy of a text, of any length: what a tape takes.
    text: Option<SymId>,
}

impl Tapes {
    /// The one for what no parallel loop is around, if it is used.
    pub(in crate::reverse) fn whole(&self) -> Option<SymId> {
        self.whole
    }

    /// True where the procedure has tapes.
    pub(in crate::reverse) fn any(&self) -> bool {
        self.any
    }
}

impl Reverse<'_, '_> {
    /// Saves a value on a tape, whatever its type is, and restores it.
    pub(in crate::reverse) fn tape_save(&mut self, e: &Expr, chain: &[Around], from: &Stmt) -> (Block, Block) {
        if e.is_derived() {
            return match e.rank {
                0 => self.tape_components(e, chain, from),
                _ => self.tape_elements(e, chain, from),
            };
        }
        let shared = chain.iter().any(|a| a.shared.is_some());
        if matches!((e.ty.base, e.ty.kind), (Base::Character, 1)) && !shared {
            return match e.rank {
                0 => self.text_on_tape(e, chain, from),
                _ => self.tape_elements(e, chain, from),
            };
        }
        if !fits_tape(e.ty) {
            self.problems.push(
                Diagnostic::error(
                    Code::UnsupportedStatement,
                    from.origin.span(),
                    "a value that is overwritten here can't be saved",
                )
                .reason(format!(
                    "the trip count of the loop isn't known beforehand, and the tape doesn't take values of this type (`{}`)",
                    print::expr(self.b.program, e)
                ))
                .help(
                    "use a counted loop with bounds that don't change, or another type; of an object whose texts don't change \
                     in the loop assign the other components one by one",
                ),
            );
        }
        self.on_tape(e, chain, from)
    }

    /// A text by a copy: those on a tape have their lengths with them.
    fn text_on_tape(&mut self, e: &Expr, chain: &[Around], from: &Stmt) -> (Block, Block) {
        let sym = self.tapes.text.unwrap_or_else(|| {
            let mut var = Variable::scalar(Ty::CHARACTER, "character(len=:)");
            var.attrs.allocatable = true;
            self.b.add("text", var)
        });
        self.tapes.text = Some(sym);
        let text = Expr::var(sym, Ty::CHARACTER, 0);
        let (mut forward, mut backward) = self.on_tape(&text, chain, from);
        forward.insert(0, self.b.assign(text.clone(), e.clone(), from, Role::Save));
        backward.push(self.b.assign(e.clone(), text, from, Role::Restore));
        (forward, backward)
    }

    /// Pushes a value and pops it.
    pub(super) fn on_tape(&mut self, e: &Expr, chain: &[Around], from: &Stmt) -> (Block, Block) {
        let tape = self.tape_for(chain);
        let push = self.runtime_call("costate_push", [&tape, e].map(|x| Arg::new(x.clone())).into(), from, Role::Save);
        let pop = self.runtime_call("costate_pop", [&tape, e].map(|x| Arg::new(x.clone())).into(), from, Role::Restore);
        (vec![push], vec![pop])
    }

    /// The tape for what is saved in the loops of `chain`.
    pub(super) fn tape_for(&mut self, chain: &[Around]) -> Expr {
        self.tapes.any = true;
        if let Some(own) = self.tapes.in_iteration {
            let sym = own.unwrap_or_else(|| self.new_tape(Vec::new()));
            self.tapes.in_iteration = Some(Some(sym));
            return self.b.var(sym);
        }
        let shared = chain.iter().position(|a| a.shared.is_some());
        if let Some(tape) = shared.and_then(|at| self.tape_of_iteration(&chain[..=at])) {
            return tape;
        }
        let sym = self.tapes.whole.unwrap_or_else(|| self.new_tape(Vec::new()));
        self.tapes.whole = Some(sym);
        self.b.var(sym)
    }

    /// That of the present iteration of the last loop of `chain`, among those for all of its iterations; none where the
    /// values of its variable aren't known before the outermost loop.
    fn tape_of_iteration(&mut self, chain: &[Around]) -> Option<Expr> {
        let (last, outer) = chain.split_last()?;
        let (site, var) = (last.shared?, last.var?);
        // A tape takes little room where nothing is on it.
        let last = &ascending(last);
        let chain: Vec<Around> = outer.iter().chain([last]).cloned().collect();
        let known = self.tapes.of_iterations.iter().find(|(s, _)| *s == site).map(|(_, sym)| *sym);
        let sym = match known {
            Some(sym) => sym,
            None => {
                let own = || {
                    let bounds = extents_before(self.b.program, std::slice::from_ref(last), chain.first()?)?;
                    let moves = |s: SymId| outer.iter().any(|a| a.var == Some(s) || a.assigns(s));
                    let steady = |(lo, hi): &(Expr, Expr)| ![lo, hi].into_iter().flat_map(symbols).any(moves);
                    bounds.iter().all(steady).then_some(bounds)
                };
                let bounds = loop_extents(self.b.program, &chain).or_else(own)?;
                let bounds = bounds.into_iter().take(1).collect();
                let sym = self.new_tape(vec![Dim::Deferred]);
                self.tapes.of_iterations.push((site, sym));
                self.add_slot(sym, bounds);
                sym
            }
        };
        let place = vec![Part::Subscripts(vec![Subscript::Index(self.b.var(var))])];
        let ty = self.b.program.var(sym)?.ty;
        Some(Expr::new(ExprKind::Var(Designator { sym, parts: place }), ty, 0))
    }

    fn new_tape(&mut self, dims: Vec<Dim>) -> SymId {
        let ty = self.runtime_symbol("costate_tape", SymbolKind::Type(Box::default()));
        let mut var = Variable::scalar(Ty::new(Base::Derived(ty), 0), "type(costate_tape)");
        var.spelling_uses = vec![ty];
        var.attrs.allocatable = !dims.is_empty();
        var.dims = dims;
        self.b.add("tape", var)
    }

    /// Emits what an iteration of a loop runs again with its adjoint: where threads share out iterations, of this loop or of
    /// one of those around it, it gets a tape of its own. Returns what frees that, too.
    pub(super) fn with_tape_of_iteration<T>(
        &mut self,
        l: &Loop,
        chain: &[Around],
        emit: impl FnOnce(&mut Self) -> T,
    ) -> (T, Option<Stmt>) {
        let own = self.tapes.in_iteration.is_none() && chain.iter().any(|a| a.shared.is_some());
        if own {
            self.tapes.in_iteration = Some(None);
        }
        let out = emit(self);
        let tape = if own { self.tapes.in_iteration.take().flatten() } else { None };
        (out, tape.map(|tape| self.release(tape, &l.stmt)))
    }

    /// Frees the memory of those for iterations, before they are freed themselves.
    pub(super) fn settle_tapes(&mut self, sym: SymId, from: &Stmt) -> Option<Stmt> {
        let at = self.tapes.of_iterations.iter().position(|(_, s)| *s == sym)?;
        self.tapes.of_iterations.remove(at);
        Some(self.release(sym, from))
    }

    /// Frees the tape at the end of a body.
    pub(in crate::reverse) fn release_at_end(&mut self, tape: SymId, body: &[Stmt]) -> Stmt {
        let span = body.first().map_or(Span::default(), |s| s.origin.span());
        let origin = Stmt::new(StmtId(0), StmtKind::Continue, Origin::Source(span));
        self.release(tape, &origin)
    }

    fn release(&mut self, tape: SymId, from: &Stmt) -> Stmt {
        let tape = self.b.var(tape);
        self.runtime_call("costate_release", vec![Arg::new(tape)], from, Role::Storage)
    }
}

/// True for a type of which a tape takes values.
pub(super) fn fits_tape(ty: Ty) -> bool {
    match ty.base {
        Base::Real | Base::Complex | Base::Integer => matches!(ty.kind, 4 | 8),
        Base::Logical => ty.kind == 4,
        _ => false,
    }
}
