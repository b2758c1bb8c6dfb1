//! Variables of modules and common blocks of which each thread has its own, and that iterations use by themselves or by
//! the procedures that they call: work arrays that each iteration fills anew, and values that it only uses. So have their
//! derivatives: those of work arrays begin each iteration at zero and end it so, and what the others have got by an
//! iteration is added up at its end.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{KnownUses, ThreadVariables, Use};
use costate_grammar::directives::Strategy;
use costate_grammar::ir::{
    Block, Dim, Expr, Origin, Program, Role, ScopeId, Stmt, StmtKind, SymId, SymbolKind, Variable,
};
use costate_grammar::lower::integer;
use costate_grammar::source::Span;

use super::accesses::Accesses;
use super::elements::Sum;
use super::nests::innermost_body;
use super::sharing::{Added, Means, Sharing};
use super::{Facts, outermost};
use crate::names::Taken;

/// What a variable of which each thread has its own is.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Each iteration assigns it before it uses it.
    Work,
    /// Iterations only use it.
    Input,
    /// The derivative of one of these.
    WorkDerivative,
    InputDerivative,
}

/// These variables.
#[derive(Debug, Default)]
pub(super) struct OwnCopies {
    kinds: BTreeMap<SymId, Kind>,
    /// Work arrays of which a value is used in an iteration, or behind all of them, that another one has left.
    handed_on: BTreeSet<SymId>,
    known: RefCell<KnownUses<'static>>,
}

impl OwnCopies {
    /// Finds them; `primal` has of which variable a derivative is.
    pub(super) fn of(program: &Program, threads: &ThreadVariables, primal: &BTreeMap<SymId, SymId>) -> OwnCopies {
        let of_each = |x: &SymId| program.is_of_each_thread(*x);
        let mut kinds = BTreeMap::new();
        kinds.extend(threads.work.iter().map(|x| (*x, Kind::Work)));
        kinds.extend(threads.inputs.iter().filter(|x| of_each(x)).map(|x| (*x, Kind::Input)));
        for (shadow, of) in primal.iter().filter(|(x, _)| of_each(x)) {
            if threads.work.contains(of) {
                kinds.insert(*shadow, Kind::WorkDerivative);
            } else if threads.inputs.contains(of) {
                kinds.insert(*shadow, Kind::InputDerivative);
            }
        }
        OwnCopies { kinds, ..OwnCopies::default() }
    }

    /// Looks for work arrays whose values generated code hands on, where the user's doesn't; `bodies` run one after the other.
    pub(super) fn follow(&mut self, program: &Program, bodies: [&[Stmt]; 2]) {
        let mut handed_on = BTreeSet::new();
        let mut note = |block: &[Stmt]| {
            let uses = self.known.borrow_mut().of(program, block);
            handed_on.extend(uses.into_iter().filter(|(_, u)| u.exposed).map(|(sym, _)| sym));
        };
        for body in bodies.into_iter().filter(|_| !self.kinds.is_empty()) {
            outermost(body, &mut |s| s.blocks().into_iter().for_each(|b| note(b)));
            let mut rest = body.to_vec();
            drop_shared(&mut rest);
            note(&rest);
        }
        self.handed_on = handed_on;
    }

    /// All of them.
    pub(super) fn all(&self) -> BTreeSet<SymId> {
        self.kinds.keys().copied().collect()
    }

    /// True for one of them.
    pub(super) fn holds(&self, sym: SymId) -> bool {
        self.kinds.contains_key(&sym)
    }

    /// True for statements that use some.
    pub(super) fn are_used(&self, facts: &Facts<'_>, block: &[Stmt]) -> bool {
        !self.used(facts, block).is_empty()
    }

    fn used(&self, facts: &Facts<'_>, block: &[Stmt]) -> Vec<(SymId, Kind, Use)> {
        if self.kinds.is_empty() {
            return Vec::new();
        }
        let uses = self.known.borrow_mut().of(facts.scene.program, block);
        uses.into_iter().filter_map(|(sym, u)| Some((sym, *self.kinds.get(&sym)?, u))).collect()
    }

    /// Decides what the directive of a loop with this body has to say of them, or tells what stands in the way. Returns
    /// those that it uses.
    pub(super) fn decide(
        &self,
        (facts, accesses): (&Facts<'_>, &Accesses<'_, '_>),
        body: &[Stmt],
        means: Means,
        out: &mut Sharing,
    ) -> Result<BTreeSet<SymId>, String> {
        let used = self.used(facts, body);
        let name = |sym: &SymId| facts.scene.program[*sym].name.as_str();
        if let Some((sym, ..)) = used.first().filter(|_| !means.threads || means.concurrent) {
            return Err(format!("each thread has a variable `{}` of its own", name(sym)));
        }
        for (sym, kind, u) in &used {
            let copied = |x: &SymId| facts.copied_in.contains(x);
            let fits = match kind {
                Kind::Work => !self.handed_on.contains(sym),
                Kind::Input => !u.assigned && !u.added && copied(sym),
                Kind::WorkDerivative if facts.tangent => !u.exposed,
                Kind::WorkDerivative => {
                    out.begun.push(*sym);
                    true
                }
                Kind::InputDerivative if facts.tangent => {
                    out.copied.push(*sym);
                    !u.assigned && !u.added && facts.primal.get(sym).is_some_and(copied)
                }
                Kind::InputDerivative => {
                    add_up(facts, accesses, (*sym, *u), out);
                    !u.assigned && !u.read
                }
            };
            if !fits {
                return Err(format!("each thread has a variable `{}` of its own", name(sym)));
            }
        }
        Ok(used.into_iter().map(|u| u.0).collect())
    }
}

/// What iterations add to a thread's own derivative of a value is added up: in a scalar of the loop's, unless called
/// procedures add to it.
fn add_up(facts: &Facts<'_>, accesses: &Accesses<'_, '_>, (sym, u): (SymId, Use), out: &mut Sharing) {
    let program = facts.scene.program;
    if let Some(v) = program.var(sym).filter(|v| v.rank() == 0 && !u.by_call) {
        out.elements.push((Expr::var(sym, v.ty, 0), accesses.to(sym).map(|a| a.stmt).collect()));
    } else {
        out.begun.push(sym);
        out.own_sums.push(sym);
    }
    if let Some(of) = facts.primal.get(&sym).copied() {
        let reason = "called procedures add to the derivative of which each thread has its own";
        out.strategies.push(Added { of, strategy: Strategy::Reduction, reason, against: false });
    }
}

/// Drops loops that are shared out.
fn drop_shared(block: &mut Block) {
    block.retain(|s| s.followed().is_none());
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(drop_shared);
}

/// Lets iterations of loops in each other, `depth` of them, add what they leave in a thread's own variable to a sum, which
/// is the variable's value behind the loops.
pub(super) fn sum_up(
    program: &mut Program,
    s: &mut Stmt,
    (sym, depth): (SymId, usize),
    (scope, names): (ScopeId, &mut Taken),
) -> Option<Sum> {
    let own = program.var(sym).cloned()?;
    let mut var = Variable::scalar(own.ty, own.spelling.clone());
    var.spelling_uses.clone_from(&own.spelling_uses);
    // Named constants of the module may have no name here.
    let number = |e: &Expr| integer(program, e).map_or_else(|| e.clone(), Expr::int);
    let fixed = |d: &Dim| match d {
        Dim::Explicit(lo, hi) => Dim::Explicit(lo.as_ref().map(&number), number(hi)),
        other => other.clone(),
    };
    var.dims = own.dims.iter().map(fixed).collect();
    let fresh = names.fresh(&format!("{}_sum", program[sym].name));
    let variable = program.add_symbol(scope, fresh, Span::default(), SymbolKind::Variable(Box::new(var)));
    let whole = |x: SymId| Expr::var(x, own.ty, own.rank());
    let (sum, value) = (whole(variable), whole(sym));
    let origin = Origin::Derived { from: s.id, span: s.origin.span(), role: Role::Adjoint };
    let mut stmt =
        |lhs: &Expr, rhs: Expr| Stmt::new(program.fresh_stmt(), StmtKind::Assign { lhs: lhs.clone(), rhs }, origin);
    let before = stmt(&sum, value.clone());
    let adds = stmt(&sum, sum.clone().add(value.clone()));
    let after = stmt(&value, sum.clone());
    let id = adds.id;
    if let Some(body) = innermost_body(s, depth) {
        body.push(adds);
    }
    Some(Sum { variable, before, after, adds: id })
}
