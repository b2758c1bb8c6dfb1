//! Interfaces of generated procedures (contract, section 3): which dummies carry a derivative, for each context.

mod bindings;
pub(crate) mod body;
pub(crate) mod explicit;
pub(crate) mod kinds;
pub(crate) mod mentions;
pub(crate) mod places;
mod refusal;
mod rename;
pub(crate) mod scope;
pub(crate) mod state;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use costate_analysis::activity::{Activity, Context, ContextId};
use costate_analysis::effects::{self, CallMap, Effects, within};
use costate_analysis::externals::External;
use costate_analysis::storage::{LocId, LocSet, Root, is_global};
use costate_grammar::ir::{Arg, Expr, Name, ProcId, ProcKind, Program, Stmt, SymId, for_each_stmt};

/// The interface of one generated procedure, and what a call of it does to primal values.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its context.
    pub context: ContextId,
    /// Its primal.
    pub primal: ProcId,
    /// Its name.
    pub name: Name,
    /// The name set aside for it; it goes to another procedure of the primal when this one is given up.
    pub reserved: Name,
    /// Its symbol in the generated unit.
    pub sym: SymId,
    /// Dummies that are followed by a derivative.
    pub derivative: BTreeSet<SymId>,
    /// Dummy procedures that are followed by theirs.
    pub twins: BTreeSet<SymId>,
    /// A function's result carries a derivative.
    pub result: bool,
    /// Names of the derivative dummies, by what they are derivatives of; calls with keywords need them.
    pub names: BTreeMap<SymId, Name>,
    /// Locations with derivative storage inside.
    pub storage: LocSet,
    /// Primal values that it uses (dummies and outliving variables), as far as known.
    pub needs: Option<LocSet>,
    /// Primal values that it may change.
    pub clobbers: Option<LocSet>,
    /// Values that it uses as the primal leaves them.
    pub after: LocSet,
    /// It runs statements of the primal before the backward sweep.
    pub repeats: bool,
    /// All that it does to derivatives is to associate pointers: there is no adjoint beside `associates`.
    pub only_associates: bool,
    /// The primal procedure with the associations of derivative pointers beside those of its pointers, for forward sweeps.
    pub associates: Option<SymId>,
    /// The same procedure in two halves, where calls are split.
    pub halves: Option<HalvesOf>,
    /// Why there are none, where a call asks for them.
    pub whole: Option<&'static str>,
    /// The backward half alone, where the primal itself is a forward half.
    pub backward: Option<BackwardOf>,
    /// It isn't generated: what is known of the procedure without source that it is the derivative of.
    pub external: Option<Arc<External>>,
}

impl Signature {
    /// That of a procedure of which no more is known than what carries derivatives: its dummies and its result, and locations
    /// inside.
    pub(crate) fn new(
        (context, primal): (ContextId, ProcId),
        (name, sym): (Name, SymId),
        (derivative, result): (BTreeSet<SymId>, bool),
        storage: LocSet,
    ) -> Signature {
        Signature {
            context,
            primal,
            reserved: name.clone(),
            name,
            sym,
            derivative,
            twins: BTreeSet::new(),
            result,
            names: BTreeMap::new(),
            storage,
            needs: None,
            clobbers: None,
            after: LocSet::new(),
            repeats: true,
            only_associates: false,
            associates: None,
            halves: None,
            whole: None,
            backward: None,
            external: None,
        }
    }

    /// That of the backward half with a symbol, which uses and changes other values of the primal's than the whole.
    pub(crate) fn of_backward_half(&self, sym: SymId, uses: &Uses) -> Signature {
        Signature {
            sym,
            needs: Some(uses.needs.clone()),
            after: uses.after.clone(),
            clobbers: Some(uses.clobbers.clone()),
            ..self.clone()
        }
    }

    /// True when it makes no difference to callers which of two adjoints of a procedure they call.
    pub(crate) fn looks_like(&self, other: &Signature) -> bool {
        let halves = |s: &Signature| s.halves.as_ref().map(|h| h.uses.clone());
        (self.name == other.name && self.names == other.names)
            && (self.needs == other.needs && self.clobbers == other.clobbers)
            && (self.repeats == other.repeats && self.whole == other.whole)
            && halves(self) == halves(other)
            && self.backward.as_ref().map(|b| &b.uses) == other.backward.as_ref().map(|b| &b.uses)
    }
}

/// The two halves of an adjoint: the forward one keeps a record, from which the backward one runs.
#[derive(Clone, Debug)]
pub struct HalvesOf {
    /// The forward half.
    pub forward: SymId,
    /// The backward half.
    pub backward: SymId,
    /// The record's type.
    pub record: SymId,
    /// The name of the dummy that stands for the record, in both.
    pub dummy: Name,
    /// What they use and change.
    pub uses: Uses,
}

/// The backward sweep of an adjoint as a procedure of its own, which uses what a call of the primal left in its arguments.
#[derive(Clone, Debug)]
pub struct BackwardOf {
    /// Its symbol.
    pub sym: SymId,
    /// What it uses and changes.
    pub uses: Uses,
}

/// What the halves of an adjoint use and change of the primal's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Values that the forward half uses.
    pub reads: LocSet,
    /// Values that the backward half uses where they are; the callee doesn't change them.
    pub needs: LocSet,
    /// Values that it uses where they are as the callee leaves them.
    pub after: LocSet,
    /// Values that the backward half may change.
    pub clobbers: LocSet,
}

impl Uses {
    /// Without what isn't to be seen outside.
    pub(crate) fn retain(&mut self, seen: impl Fn(&LocId) -> bool) {
        [&mut self.reads, &mut self.needs, &mut self.after, &mut self.clobbers]
            .into_iter()
            .for_each(|s| s.retain(&seen));
    }
}

/// The derivative storage of every context: its active locations and those that a callee wants a derivative of. A
/// callee's derivative dummies and a caller's storage depend on each other, hence the fixed point.
pub fn storage(program: &Program, effects: &mut Effects, activity: &Activity) -> Vec<LocSet> {
    let mut sets: Vec<LocSet> = activity
        .contexts
        .iter()
        .map(|c| {
            let mut set = c.active.clone();
            // An active value that is overwritten by an inactive one still needs its adjoint set to zero.
            if let Some(s) = effects.summaries.get(&c.proc) {
                // The adjoint of a head's output is zero afterwards, whether or not the input has any influence.
                let zeroed = |w: &&LocId| c.useful_out.contains(w) && (c.head || c.varied_in.contains(w));
                let real = |w: &&LocId| effects.locs.is_continuous(program, **w);
                set.extend(s.access.writes.iter().filter(zeroed).filter(real));
            }
            set
        })
        .collect();
    loop {
        let mut changed = false;
        for (i, context) in activity.contexts.iter().enumerate() {
            let body = effects.bodies.get(&context.proc).cloned().unwrap_or_default();
            let mut add = LocSet::new();
            for_each_stmt(&body, &mut |s| {
                let Some(&child) = context.callees.get(&s.id) else { return };
                let inner = sets[child.0 as usize].clone();
                add.extend(map_call(program, effects, activity.get(child).proc, s, &inner));
            });
            let size = sets[i].len();
            sets[i].extend(add);
            changed |= sets[i].len() != size;
        }
        // Where a pointer may point to two variables and one of them has a derivative, its derivative must have something
        // to point to for the other one too.
        let all: LocSet = sets.iter().flatten().copied().collect();
        let connected = effects.locs.connected(program, &all);
        let mut add: Vec<(usize, LocSet)> = (0..sets.len()).map(|i| (i, connected.clone())).collect();
        for context in &activity.contexts {
            add.extend(given_memory(program, effects, activity, context, &connected));
        }
        for (i, more) in add {
            let size = sets[i].len();
            sets[i].extend(more);
            changed |= sets[i].len() != size;
        }
        if !changed {
            return sets;
        }
    }
}

/// What callees allocate or free of their dummies that pointers elsewhere lead to, by callee: the derivatives that those
/// pointers are to lead to get their memory there.
fn given_memory(
    program: &Program,
    effects: &mut Effects,
    activity: &Activity,
    context: &Context,
    connected: &LocSet,
) -> Vec<(usize, LocSet)> {
    let body = effects.bodies.get(&context.proc).cloned().unwrap_or_default();
    let mut out = Vec::new();
    for_each_stmt(&body, &mut |s| {
        let Some(&child) = context.callees.get(&s.id) else { return };
        let proc = activity.get(child).proc;
        let Some(summary) = effects.summaries.get(&proc) else { return };
        let real = |l: &&LocId| effects.locs.is_continuous(program, **l);
        let shaped: Vec<LocId> = summary.access.shapes.iter().filter(real).copied().collect();
        let leads =
            |l: &LocId| map_call(program, effects, proc, s, &LocSet::from([*l])).iter().any(|m| connected.contains(m));
        out.push((child.0 as usize, shaped.into_iter().filter(leads).collect()));
    });
    out
}

/// The arguments of a call statement, and what takes a function's value.
pub(crate) fn call_parts(stmt: &Stmt) -> Option<(&[Arg], Option<&Expr>)> {
    effects::call_parts(stmt).map(|(_, args, result)| (args, result))
}

/// The arguments of a call statement, which in normal form stands alone or on the right of an assignment.
pub(crate) fn call_arguments(stmt: &Stmt) -> &[Arg] {
    call_parts(stmt).map_or(&[], |(args, _)| args)
}

/// A callee's locations in the terms of a call statement.
pub fn map_call(program: &Program, effects: &mut Effects, proc: ProcId, stmt: &Stmt, set: &LocSet) -> LocSet {
    let Some((args, result)) = call_parts(stmt) else { return LocSet::new() };
    let map = CallMap::new(program, proc, args, result);
    let ids: Vec<LocId> = set.iter().copied().collect();
    ids.into_iter().flat_map(|l| map.locs(effects, program, l)).collect()
}

/// The variables that have a derivative variable in a procedure when some locations have derivatives.
pub(crate) fn roots(program: &Program, effects: &mut Effects, proc: ProcId, storage: &LocSet) -> BTreeSet<SymId> {
    let named = storage.iter().map(|l| effects.locs.get(*l)).filter(|l| l.root == Root::Variable).map(|l| l.sym);
    let own = program[proc].scope;
    let visible = |s: &SymId| {
        let home = program[*s].scope;
        home == own || is_global(program, *s) || within(program, own, home) || within(program, home, own)
    };
    let mut out: BTreeSet<SymId> = named.filter(visible).collect();
    // Other variables stand for a dummy that pointers outside the procedure may point to.
    for d in &program[proc].dummies {
        let leaves = effects.locs.leaves(program, *d, &[]);
        let pointer = effects.locs.association(program, *d, &[]);
        if !effects.locs.is_certain(program, *d, &[]) && leaves.iter().chain(&pointer).any(|l| storage.contains(l)) {
            out.insert(*d);
        }
    }
    out
}

/// Dummies (and whether the result) with derivative storage in a context that isn't a head.
pub fn derivative_dummies(
    program: &Program,
    effects: &mut Effects,
    proc: ProcId,
    storage: &LocSet,
) -> (BTreeSet<SymId>, bool) {
    let p = &program[proc];
    let roots = roots(program, effects, proc, storage);
    let dummies = p.dummies.iter().copied().filter(|d| roots.contains(d)).collect();
    let result = matches!(p.kind, ProcKind::Function(r) if roots.contains(&r));
    (dummies, result)
}

/// Signatures by context.
pub type Signatures = BTreeMap<ContextId, Signature>;
