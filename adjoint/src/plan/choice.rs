//! Places at which storing and recomputing can be traded for each other, and the choices there.

use std::collections::BTreeMap;

use costate_grammar::ir::{Name, Origin, StmtId};

/// A place at which there is something to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The statement in normal form. Its number is the same in every run over the same program and heads.
    pub stmt: StmtId,
    /// Where it comes from.
    pub origin: Origin,
    /// What it is.
    pub kind: SiteKind,
    /// Variables whose values it overwrites, and which can be computed again in place of being saved.
    pub values: Vec<Name>,
}

/// What is to be decided about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// A time loop, by its variable.
    Loop(Name),
    /// A time loop that finds out when it ends, by its name or variable.
    Open(Name),
    /// A loop whose iterations can run again right before their adjoints, by its variable.
    Nest(Name),
    /// A call that can be joint or split, by its procedure.
    Call(Name),
    /// A statement of which only its values are of interest.
    Other,
}

/// How the backward sweep comes to the iterations of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopChoice {
    /// Each iteration runs again right before its adjoint. Not for time loops.
    Again,
    /// All iterations save what their adjoints need; on a tape that grows where nobody knows how many there are.
    StoreAll,
    /// Blocks of so many iterations, each with a snapshot at its start, run again before their adjoints; about as many
    /// blocks as iterations in each when no number is given.
    Blocks(Option<u64>),
    /// The run-time library tells which iterations run when.
    Schedule(Schedule),
}

/// A schedule of the run-time library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Its kind, as the run-time library calls it.
    pub kind: String,
    /// The number of snapshots in memory; the library chooses when this and `on_disk` are 0.
    pub snapshots: u64,
    /// The number of snapshots on disk.
    pub on_disk: u64,
}

impl Schedule {
    /// The kind for loops that find out when they end.
    pub const ONLINE: &str = "online";
}

/// How a call is reversed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallChoice {
    /// The callee runs again right before its adjoint.
    #[default]
    Joint,
    /// A forward procedure keeps a record, from which a backward procedure runs the adjoint.
    Split,
}

/// How the backward sweep comes to values that a statement overwrites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueChoice {
    /// They are saved.
    #[default]
    Store,
    /// What computed them runs again.
    Recompute,
}

/// Choices by statement; what isn't chosen is left to the generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Of time loops.
    pub loops: BTreeMap<StmtId, LoopChoice>,
    /// Of calls.
    pub calls: BTreeMap<StmtId, CallChoice>,
    /// Of statements that overwrite values.
    pub values: BTreeMap<StmtId, ValueChoice>,
    /// The folder of snapshots on disk.
    pub disk: Option<String>,
    /// Of all other calls.
    pub other_calls: Option<CallChoice>,
    /// Of all other values.
    pub other_values: Option<ValueChoice>,
}

impl Choices {
    /// What is chosen for a time loop, or what it has without a choice; `open` where it finds out when it ends.
    pub fn time_loop(&self, stmt: StmtId, open: bool) -> LoopChoice {
        match self.loops.get(&stmt) {
            Some(LoopChoice::Schedule(s)) if open && s.kind != Schedule::ONLINE => LoopChoice::StoreAll,
            Some(chosen @ LoopChoice::Schedule(_)) => chosen.clone(),
            Some(chosen) if !open => chosen.clone(),
            Some(_) | None if open => LoopChoice::StoreAll,
            Some(_) | None => LoopChoice::Blocks(None),
        }
    }

    /// What is chosen for a call, if anything is.
    pub fn call(&self, stmt: StmtId) -> Option<CallChoice> {
        self.calls.get(&stmt).copied().or(self.other_calls)
    }

    /// What is chosen for values that a statement overwrites, if anything is.
    pub fn value(&self, stmt: StmtId) -> Option<ValueChoice> {
        self.values.get(&stmt).copied().or(self.other_values)
    }
}
