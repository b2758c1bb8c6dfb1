//! Places at which storing and recomputing can be traded for each other, and the choices there.

use std::collections::{BTreeMap, BTreeSet};

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
    /// Of a value: other values that are computed from it when they are recomputed.
    pub readers: Vec<SiteId>,
}

/// What tells a site from the others.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SiteId {
    /// Its statement.
    pub stmt: StmtId,
    /// The value that it is about, when it isn't about the statement itself.
    pub value: Option<Name>,
}

impl SiteId {
    /// That of a loop or call.
    pub fn of(stmt: StmtId) -> SiteId {
        SiteId { stmt, value: None }
    }
}

impl Site {
    /// What tells it from the others.
    pub fn id(&self) -> SiteId {
        let value = match &self.kind {
            SiteKind::Value(name) => Some(name.clone()),
            SiteKind::Loop(_) | SiteKind::Open(_) | SiteKind::Nest(_) | SiteKind::Call(_) => None,
        };
        SiteId { stmt: self.stmt, value }
    }
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
    /// A value that the statement computes and that can be recomputed where it would be saved, by its variable.
    Value(Name),
}

/// How the backward sweep comes to the iterations of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoopChoice {
    /// Each iteration runs again right before its adjoint. Not for time loops.
    Rerun,
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

/// How the backward sweep comes to a value that is overwritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ValueChoice {
    /// It is saved.
    #[default]
    Store,
    /// What computed it runs again.
    Recompute,
}

/// Choices by statement; what isn't chosen is left to the generator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Of time loops.
    pub loops: BTreeMap<StmtId, LoopChoice>,
    /// Of calls.
    pub calls: BTreeMap<StmtId, CallChoice>,
    /// Of values, by the statement that computes them and the variable.
    pub values: BTreeMap<(StmtId, Name), ValueChoice>,
    /// The folder of snapshots on disk.
    pub disk: Option<String>,
    /// Of all other calls.
    pub other_calls: Option<CallChoice>,
    /// Of all other values.
    pub other_values: Option<ValueChoice>,
    /// Numbers of iterations and of snapshots stand open: generated code takes them from variables that are given
    /// elsewhere ([`Choices::open`]).
    pub counts_are_open: bool,
}

/// A number that is chosen for a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Iterations of a block.
    Length,
    /// Snapshots in memory.
    Snapshots,
    /// Snapshots on disk.
    OnDisk,
}

impl Count {
    /// The variable that stands for the number in code that isn't written out. No variable of a program has such a name.
    pub fn variable(self, stmt: StmtId) -> String {
        let what = match self {
            Count::Length => "length",
            Count::Snapshots => "snapshots",
            Count::OnDisk => "on disk",
        };
        format!("{what} {}", stmt.0)
    }
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

    /// The same choices with numbers of iterations and of snapshots left open, and these numbers by their variables. That
    /// there are none is a choice, too.
    pub fn open(&self) -> (Choices, Vec<(String, Vec<i64>)>) {
        let mut out = Choices { counts_are_open: true, ..self.clone() };
        let mut numbers = Vec::new();
        for (stmt, chosen) in &mut out.loops {
            let mut leave_open = |count: Count, number: &mut u64| {
                let value = i64::try_from(*number).unwrap_or(i64::MAX);
                numbers.push((count.variable(*stmt), vec![value]));
                *number = 1;
            };
            match chosen {
                LoopChoice::Blocks(Some(length)) => leave_open(Count::Length, length),
                LoopChoice::Schedule(s) => {
                    let counts = [(Count::Snapshots, &mut s.snapshots), (Count::OnDisk, &mut s.on_disk)];
                    counts.into_iter().filter(|c| *c.1 > 0).for_each(|(count, number)| leave_open(count, number));
                }
                LoopChoice::Rerun | LoopChoice::StoreAll | LoopChoice::Blocks(None) => {}
            }
        }
        (out, numbers)
    }

    /// Those for some statements.
    pub fn of(&self, statements: &BTreeSet<StmtId>) -> Choices {
        let mut out = self.clone();
        out.loops.retain(|s, _| statements.contains(s));
        out.calls.retain(|s, _| statements.contains(s));
        out.values.retain(|(s, _), _| statements.contains(s));
        out
    }

    /// What is chosen for a call, if anything is.
    pub fn call(&self, stmt: StmtId) -> Option<CallChoice> {
        self.calls.get(&stmt).copied().or(self.other_calls)
    }

    /// What is chosen for the value that a statement computes, if anything is.
    pub fn value(&self, stmt: StmtId, name: &Name) -> Option<ValueChoice> {
        self.values.get(&(stmt, name.clone())).copied().or(self.other_values)
    }
}
