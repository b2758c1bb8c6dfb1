//! Adjoints of one program, built with one set of choices after the other.
//!
//! The facts are found once. What is built of a procedure stands for all choices that come to the same code: those in other
//! procedures don't matter as long as its callees look the same from outside, and numbers of iterations and snapshots stand
//! open in it ([`Choices::open`]).

use std::collections::{BTreeMap, BTreeSet};
use std::mem::{replace, take};

use costate_analysis::activity::ContextId;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{DerivedType, ProcId, StmtId, SymbolKind, for_each_stmt};

use super::{Choices, LoopChoice, Site};
use crate::interface::{Signature, Signatures};
use crate::memory::{Entry, Part};
use crate::mode::Mode;
use crate::procedure::Asked;
use crate::session::Session;
use crate::split::CallForms;

/// A program's adjoint with any choices.
pub(crate) struct Trials<'a> {
    session: Session<'a>,
    /// The interfaces before anything is built.
    signed: Signatures,
    /// What stands in the way whatever is chosen.
    problems: Vec<Diagnostic>,
    /// Each context, and those of procedures inside its own that it reaches.
    inside: BTreeMap<ContextId, Vec<ContextId>>,
    /// The statements of the procedures of these.
    statements: BTreeMap<ContextId, BTreeSet<StmtId>>,
    variants: BTreeMap<ContextId, Vec<Variant>>,
    /// The variants that the session has now.
    chosen: Vec<(ContextId, usize)>,
}

/// What a context is built from.
#[derive(Clone, Debug, PartialEq)]
struct Recipe {
    choices: Choices,
    /// How the calls of the procedure, and of those inside it, are reversed.
    forms: Vec<CallForms>,
    /// How calls ask for it.
    asked: Asked,
    /// What the contexts that it calls look like.
    callees: Vec<(ContextId, Option<usize>)>,
}

/// What comes of it.
struct Variant {
    recipe: Recipe,
    /// The number of the first variant of this context that looks the same from outside.
    face: usize,
    problems: Vec<Diagnostic>,
    /// Those of the context, and of the ones inside it.
    parts: Vec<(ContextId, Built)>,
}

/// What is built for one context.
#[derive(Clone, Default)]
struct Built {
    signature: Option<Signature>,
    ledgers: Vec<(Part, Vec<Entry>)>,
    sites: Option<Vec<Site>>,
    whole: Option<ProcId>,
    halves: Option<[ProcId; 2]>,
    backward: Option<ProcId>,
    /// The type of the record between them.
    record: Option<Box<DerivedType>>,
    associations: Option<ProcId>,
}

impl<'a> Trials<'a> {
    /// Starts with a session of which nothing is built.
    pub(crate) fn new(mut session: Session<'a>) -> Self {
        debug_assert_eq!(session.mode, Mode::Adjoint);
        session.global_shadows();
        session.name_dummies();
        let contexts = (0..session.activity.contexts.len()).map(|i| ContextId(i as u32));
        let inside = contexts.map(|id| (id, std::iter::once(id).chain(session.inner_contexts(id)).collect()));
        let inside: BTreeMap<ContextId, Vec<ContextId>> = inside.collect();
        let statements = inside.iter().map(|(id, all)| {
            let mut own = BTreeSet::new();
            for c in all {
                let body = session.effects.bodies.get(&session.activity.get(*c).proc);
                for_each_stmt(body.map_or(&[], |b| b.as_slice()), &mut |s| own.extend([s.id]));
            }
            (*id, own)
        });
        let statements = statements.collect();
        let (signed, problems) = (session.signatures.clone(), take(&mut session.problems));
        Trials { session, signed, problems, inside, statements, variants: BTreeMap::new(), chosen: Vec::new() }
    }

    /// The session, of which nothing need be built.
    pub(crate) fn session(&self) -> &Session<'a> {
        &self.session
    }

    /// How many statements there are in all contexts.
    pub(crate) fn statements(&self) -> usize {
        let own = |(id, all): (&ContextId, &BTreeSet<StmtId>)| match self.session.is_built_inside(*id) {
            true => 0,
            false => all.len(),
        };
        self.statements.iter().map(own).sum()
    }

    /// What is built for each context, by its number among all that was built for that.
    pub(crate) fn chosen(&self) -> &[(ContextId, usize)] {
        &self.chosen
    }

    /// The session with the adjoint that choices come to.
    pub(crate) fn build(&mut self, choices: &Choices) -> &Session<'a> {
        let session = &mut self.session;
        session.choices = choices.clone();
        session.signatures = self.signed.clone();
        session.problems.clone_from(&self.problems);
        session.plan.clear();
        (session.sites, session.ledgers) = Default::default();
        (session.procedures, session.halves, session.associations) = Default::default();
        session.backward.clear();
        session.choose_forms();
        self.chosen.clear();
        let mut faces: BTreeMap<ContextId, usize> = BTreeMap::new();
        for id in self.session.order() {
            if self.session.is_built_inside(id) {
                continue;
            }
            let recipe = self.recipe(id, &faces);
            let number = self.variant(id, recipe);
            self.choose(id, number);
            self.chosen.push((id, number));
            faces.insert(id, self.variants[&id][number].face);
        }
        &self.session
    }

    fn recipe(&self, id: ContextId, faces: &BTreeMap<ContextId, usize>) -> Recipe {
        let session = &self.session;
        let inside = &self.inside[&id];
        let forms = inside.iter().map(|c| session.forms.get(c).cloned().unwrap_or_default()).collect();
        let called: BTreeSet<ContextId> =
            inside.iter().flat_map(|c| session.activity.get(*c).callees.values().copied()).collect();
        let callees = called.into_iter().map(|c| (c, faces.get(&c).copied())).collect();
        let mut choices = session.choices.of(&self.statements[&id]);
        // The forms of calls say it all, and iterations run again where nothing else is chosen.
        choices.calls.clear();
        choices.loops.retain(|_, chosen| *chosen != LoopChoice::Rerun);
        Recipe { choices, forms, asked: session.asked_for(id), callees }
    }

    /// The number of the variant of a context that a recipe gives.
    fn variant(&mut self, id: ContextId, recipe: Recipe) -> usize {
        let known = self.variants.entry(id).or_default().iter().position(|v| v.recipe == recipe);
        known.unwrap_or_else(|| {
            let (problems, parts) = match recipe.asked {
                Asked { whole: true, halves: true } if self.comes_apart(id, &recipe) => self.both(id, &recipe),
                asked => self.built(id, asked),
            };
            self.add(id, Variant { recipe, face: 0, problems, parts })
        })
    }

    /// True for a context of which the adjoint in one procedure and its halves can be built one after the other.
    fn comes_apart(&self, id: ContextId, recipe: &Recipe) -> bool {
        let recursive = recipe.callees.iter().any(|(c, _)| *c == id);
        self.inside[&id].len() == 1 && !recursive && self.signed[&id].associates.is_none()
    }

    /// A context in one procedure and in halves, of what is built for each.
    fn both(&mut self, id: ContextId, recipe: &Recipe) -> (Vec<Diagnostic>, Vec<(ContextId, Built)>) {
        let alone = |whole| Recipe { asked: Asked { whole, halves: !whole }, ..recipe.clone() };
        let numbers = [false, true].map(|whole| self.variant(id, alone(whole)));
        let [halves, whole] = numbers.map(|n| &self.variants[&id][n]);
        let ([(_, in_halves)], [(_, in_one)]) = (halves.parts.as_slice(), whole.parts.as_slice()) else {
            return (halves.problems.clone(), halves.parts.clone());
        };
        if in_halves.halves.is_none() {
            // There are none, and their place is taken by the adjoint in one procedure.
            return (halves.problems.clone(), halves.parts.clone());
        }
        let mut made = in_halves.clone();
        made.ledgers.extend(in_one.ledgers.iter().cloned());
        (made.sites, made.whole) = (in_one.sites.clone(), in_one.whole);
        if let (Some(s), Some(own)) = (&mut made.signature, &in_one.signature) {
            (s.needs, s.clobbers, s.repeats) = (own.needs.clone(), own.clobbers.clone(), own.repeats);
        }
        ([halves.problems.as_slice(), &whole.problems].concat(), vec![(id, made)])
    }

    /// Builds a context as it is asked for: what is wrong with it, and what there is of it and of the ones inside it.
    fn built(&mut self, id: ContextId, asked: Asked) -> (Vec<Diagnostic>, Vec<(ContextId, Built)>) {
        let session = &mut self.session;
        let before = take(&mut session.problems);
        for c in &self.inside[&id] {
            session.signatures.extend(self.signed.get(c).map(|s| (*c, s.clone())));
        }
        session.build_context(id, asked);
        let problems = replace(&mut session.problems, before);
        (problems, self.inside[&id].iter().map(|c| (*c, Built::take(session, *c))).collect())
    }

    /// Adds a variant, and returns its number.
    fn add(&mut self, id: ContextId, mut variant: Variant) -> usize {
        let list = self.variants.entry(id).or_default();
        let number = list.len();
        let like = |v: &Variant| v.signature().zip(variant.signature()).is_some_and(|(a, b)| a.looks_like(b));
        variant.face = list.iter().position(like).unwrap_or(number);
        list.push(variant);
        number
    }

    /// Makes a variant what the session has of a context. Callers refer to it by the symbols of the first one that looks
    /// like it.
    fn choose(&mut self, id: ContextId, number: usize) {
        let list = &self.variants[&id];
        let variant = &list[number];
        let session = &mut self.session;
        session.problems.extend(variant.problems.iter().cloned());
        variant.parts.iter().for_each(|(c, built)| built.put(session, *c));
        let (Some((_, own)), Some(face)) = (variant.parts.first(), list[variant.face].signature()) else { return };
        session.signatures.insert(id, face.clone());
        let mut called = vec![(Some(face.sym), own.whole), (face.associates, own.associations)];
        called.extend(face.backward.as_ref().map(|b| (Some(b.sym), own.backward)));
        if let Some(halves) = &face.halves {
            let [forward, backward] = own.halves.map_or([None; 2], |h| h.map(Some));
            called.extend([(Some(halves.forward), forward), (Some(halves.backward), backward)]);
            if let Some(record) = &own.record {
                session.program[halves.record].kind = SymbolKind::Type(record.clone());
            }
        }
        for (sym, definition) in called.into_iter().filter_map(|(sym, proc)| sym.zip(proc)) {
            if let SymbolKind::Procedure(info) = &mut session.program[sym].kind {
                info.definition = Some(definition);
            }
        }
    }
}

impl Variant {
    fn signature(&self) -> Option<&Signature> {
        self.parts.first().and_then(|p| p.1.signature.as_ref())
    }
}

const PARTS: [Part; 4] = [Part::Whole, Part::Halves, Part::Record, Part::Backward];

impl Built {
    /// Takes from a session what was built for a context.
    fn take(session: &mut Session<'_>, id: ContextId) -> Built {
        let ledgers = PARTS.into_iter().filter_map(|p| Some((p, session.ledgers.remove(&(id, p))?)));
        let halves = session.signatures.get(&id).and_then(|s| s.halves.as_ref());
        let record = halves.and_then(|h| session.program[h.record].derived());
        Built {
            record: record.cloned().map(Box::new),
            ledgers: ledgers.collect(),
            signature: session.signatures.get(&id).cloned(),
            sites: session.sites.remove(&id),
            whole: session.procedures.remove(&id),
            halves: session.halves.remove(&id),
            backward: session.backward.remove(&id),
            associations: session.associations.remove(&id),
        }
    }

    fn put(&self, session: &mut Session<'_>, id: ContextId) {
        session.ledgers.extend(self.ledgers.iter().map(|(part, entries)| ((id, *part), entries.clone())));
        session.signatures.extend(self.signature.iter().map(|s| (id, s.clone())));
        session.sites.extend(self.sites.iter().map(|s| (id, s.clone())));
        session.procedures.extend(self.whole.map(|p| (id, p)));
        session.halves.extend(self.halves.map(|p| (id, p)));
        session.backward.extend(self.backward.map(|p| (id, p)));
        session.associations.extend(self.associations.map(|p| (id, p)));
    }
}
