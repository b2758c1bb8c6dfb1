//! Constructs of the language that not every program has: a table of fixed helpers, declarations, and statements with
//! random expressions in their gaps. A file holds the constructs of one theme.
//!
//! `COSTATE_FEATURES` chooses among them, by name or theme, with commas between: `a,b` draws programs with just these,
//! `-a` leaves `a` out, `all` takes in those of [`LEARNING`], which are left out otherwise.

mod aliases;
mod arguments;
mod basic;
mod calculus;
mod device_calls;
mod device_objects;
mod in_place;
mod led;
mod libraries;
mod loops;
mod masks;
mod memory;
mod names;
mod objects;
mod parallel;
mod pointers;
mod products;
mod schedules;
mod sections;
mod shared_called;
mod shared_columns;
mod shared_exclusive;
mod shared_kept;
mod shared_limits;
mod shared_loops;
mod shared_periodic;
mod shared_recursive;
mod shared_tables;
mod shared_threads;
mod state;
mod storage;
pub mod template;
mod types;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::scope::{Array, Entity, Feature, NONE, Scope};
use super::syntax::{Procedure, Statement};

/// The themes.
pub const THEMES: &[(&str, &[Feature])] = &[
    ("basic", basic::FEATURES),
    ("pointers", pointers::FEATURES),
    ("storage", storage::FEATURES),
    ("aliases", aliases::FEATURES),
    ("sections", sections::FEATURES),
    ("loops", loops::FEATURES),
    ("schedules", schedules::FEATURES),
    ("arguments", arguments::FEATURES),
    ("types", types::FEATURES),
    ("objects", objects::FEATURES),
    ("state", state::FEATURES),
    ("names", names::FEATURES),
    ("memory", memory::FEATURES),
    ("calculus", calculus::FEATURES),
    ("masks", masks::FEATURES),
    ("products", products::FEATURES),
    ("led", led::FEATURES),
    ("parallel", parallel::FEATURES),
    ("shared_loops", shared_loops::FEATURES),
    ("device_calls", device_calls::FEATURES),
    ("device_objects", device_objects::FEATURES),
    ("shared_kept", shared_kept::FEATURES),
    ("shared_limits", shared_limits::FEATURES),
    ("shared_periodic", shared_periodic::FEATURES),
    ("shared_recursive", shared_recursive::FEATURES),
    ("shared_tables", shared_tables::FEATURES),
    ("shared_exclusive", shared_exclusive::FEATURES),
    ("shared_called", shared_called::FEATURES),
    ("shared_columns", shared_columns::FEATURES),
    ("shared_threads", shared_threads::FEATURES),
    ("in_place", in_place::FEATURES),
    ("libraries", libraries::FEATURES),
];

/// Constructs that are still wrong or refused, and why: the default run leaves them out.
pub const LEARNING: &[(&str, &str)] = &[
    ("pointer_list", "procedures that compute values and leave memory with a pointer are refused"),
    ("time_loop_pointers", "most of their associations are refused under schedules"),
    ("polymorphic", "polymorphic objects are refused"),
    ("select_rank", "select rank is refused"),
    (
        "shared_periodic",
        "beside others than shared loops, one in hundreds is refused by the check of forms, though it is right",
    ),
];

/// All constructs.
pub fn all() -> impl Iterator<Item = &'static Feature> {
    THEMES.iter().flat_map(|(_, list)| *list)
}

/// Which constructs programs are drawn with.
#[derive(Clone)]
pub struct Selection {
    /// These may be drawn.
    pub features: Vec<&'static Feature>,
    /// Every program is to have them all.
    pub every: bool,
}

impl Selection {
    /// What a list of names asks for.
    pub fn of(text: &str) -> Selection {
        let words: Vec<&str> = text.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
        let named = |word: &str, f: &Feature| {
            let theme = THEMES.iter().find(|(n, _)| *n == word);
            word == "all"
                || f.name == word
                || theme.is_some_and(|(_, list)| list.iter().any(|g| g.name == f.name))
                || (word == "learning" && LEARNING.iter().any(|(n, _)| *n == f.name))
        };
        let asked: Vec<&str> = words.iter().filter(|w| !w.starts_with('-')).copied().collect();
        let mut features: Vec<&'static Feature> = if asked.is_empty() {
            all().filter(|f| !LEARNING.iter().any(|(n, _)| *n == f.name)).collect()
        } else {
            all().filter(|f| asked.iter().any(|w| named(w, f))).collect()
        };
        features.retain(|f| !words.iter().any(|w| w.strip_prefix('-').is_some_and(|w| named(w, f))));
        let every = !asked.is_empty() && features.len() <= 3;
        Selection { features, every }
    }

    /// What the environment asks for.
    pub fn asked() -> &'static Selection {
        static ASKED: OnceLock<Selection> = OnceLock::new();
        ASKED.get_or_init(|| Selection::of(&std::env::var("COSTATE_FEATURES").unwrap_or_default()))
    }
}

/// What modules declare for constructs, and the definitions that the head begins with.
pub fn declarations() -> impl Iterator<Item = &'static Entity> {
    let mut seen = BTreeSet::new();
    all().flat_map(|f| f.module).filter(move |e| seen.insert(e.0))
}

/// The helpers that constructs call. One that calls another stands before it.
pub fn procedures() -> Vec<Procedure> {
    let mut seen = BTreeSet::new();
    let texts = all().flat_map(|f| f.procedures).filter(|text| seen.insert(**text));
    texts.map(|text| template::procedure(text)).collect()
}

/// Units that stand before the module where it mentions them.
pub fn outside() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    all().flat_map(|f| f.outside)
}

impl Scope {
    /// Lets statements use constructs, and the names that they bring along.
    pub fn admit(&mut self, features: &[&'static Feature]) {
        for f in features {
            self.features.push(f);
            let own = |list: &'static [&'static str]| list.iter().map(|s| (*s).to_string());
            self.scalars.extend(own(f.scalars));
            self.triples.extend(own(f.triples));
            self.positions.extend(own(f.positions));
            let array = |name| Array { name, suffix: String::new(), margin: 0, writable: true };
            self.arrays.extend(own(f.arrays).map(array));
            let names = [f.scalars, f.arrays, f.triples, f.positions].concat();
            for name in names.into_iter().chain(f.locals.iter().map(|l| l.0)) {
                self.groups.push((super::scope::root(name).to_string(), f.name.to_string()));
            }
        }
    }

    /// Statements that use one of the constructs of the program.
    pub fn special(&mut self, depth: usize) -> Vec<Statement> {
        if self.features.is_empty() || !self.calls {
            return Vec::new();
        }
        let f = *self.rng.pick(&self.features.clone());
        self.special_of(f, depth)
    }

    /// Statements that use a construct.
    pub fn special_of(&mut self, f: &'static Feature, depth: usize) -> Vec<Statement> {
        let k = self.rng.below(f.statements.len() + f.made.len());
        match f.statements.get(k) {
            Some(text) => self.fill(f, text, depth),
            None => f.made[k - f.statements.len()](self, depth).into_iter().collect(),
        }
    }
}
