//! What is decided for the statements of a procedure, as data and in words.

use std::fmt;

use costate_grammar::ir::{Stmt, StmtId};
use costate_grammar::source::{SourceMap, Span};
use serde::Serialize;

/// What is done with a statement, or for its adjoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Values are saved before the statement overwrites them.
    Save,
    /// Values are saved at the start of each iteration, or of each block of iterations.
    SaveAtStart,
    /// What it overwrites is computed back by the opposite statement.
    Undo,
    /// Its adjoint uses its result, so that what it overwrites isn't needed.
    UseResult,
    /// Values are kept aside while the adjoint of a call runs.
    KeepAside,
    /// A call is reversed in two halves.
    Split,
    /// A call isn't reversed in two halves.
    Joint,
    /// It runs in the forward sweep.
    Run,
    /// It runs once more in the backward sweep.
    Rerun,
    /// It computes a value once more where an adjoint needs it.
    Recompute,
    /// It has an adjoint, and needn't run itself.
    Skip,
    /// It has no derivative, and nothing needs it.
    LeaveOut,
    /// It has no derivative.
    Passive,
    /// Which way was taken is saved.
    SaveBranch,
    /// Its condition is evaluated once more for its adjoint.
    EvaluateCondition,
    /// Blocks of iterations run once more, each from a snapshot.
    Blocks,
    /// A schedule says which steps run forward when, and where snapshots are taken.
    Schedule,
    /// Each iteration runs once more right before its adjoint.
    RerunIterations,
    /// The iterations are reversed with what they save.
    Reverse,
    /// The iterations are counted, and reversed with what they put on a tape.
    CountIterations,
    /// The derivative of a parallel loop runs serially.
    Serial,
    /// Iterations of it that run at the same time add to elements that they don't share.
    Shared,
    /// One iteration of it adds up what several would add to an element.
    Gather,
    /// Each thread adds up what is its own.
    Reduction,
    /// Updates are atomic.
    Atomic,
}

/// A decision for a statement of the source.
#[derive(Clone, Debug, Serialize)]
pub struct Decision {
    /// The file of the statement.
    pub file: String,
    /// Its line.
    pub line: usize,
    /// Its first line as the user wrote it.
    pub statement: String,
    /// What is done.
    pub choice: Choice,
    /// The values that this is about, as references of the source.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// What is done and why, in words.
    pub reason: String,
    /// Memory that the values take at the given sizes, where they take any beside the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Predicted run time of what is done, in run times of the primal procedure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// How many constructs stand around the statement.
    #[serde(skip)]
    pub(crate) depth: usize,
    /// Where it stands.
    #[serde(skip)]
    pub(crate) span: Span,
    /// The statements of normal form that it is about.
    #[serde(skip)]
    pub(crate) stmts: Vec<StmtId>,
}

impl Decision {
    /// A decision for a statement, of no memory and run time yet.
    pub(crate) fn new(
        sources: &SourceMap,
        stmt: &Stmt,
        choice: Choice,
        reason: String,
        values: Vec<String>,
    ) -> Decision {
        let span = stmt.origin.span();
        let file = sources.file(span.file);
        let line = file.line_col(span.start).0;
        let text = file.line(line).trim();
        Decision {
            file: file.name.clone(),
            line,
            statement: text.strip_suffix('&').map_or_else(|| text.to_string(), |t| format!("{} ...", t.trim_end())),
            choice,
            values,
            reason,
            bytes: None,
            cost: None,
            depth: 0,
            span,
            stmts: vec![stmt.id],
        }
    }

    /// Its file and line.
    pub(crate) fn place(&self) -> (&str, usize) {
        (&self.file, self.line)
    }

    /// Values whose memory is of its making.
    pub(crate) fn holds_memory(&self) -> bool {
        matches!(
            self.choice,
            Choice::Save | Choice::SaveAtStart | Choice::KeepAside | Choice::Split | Choice::Blocks | Choice::Schedule
        )
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)?;
        if self.values.is_empty() { Ok(()) } else { write!(f, ": {}", self.values.join(", ")) }
    }
}

/// All that is decided for a procedure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Decisions {
    /// The primal procedure.
    pub primal: String,
    /// Its active dummies, and active module variables.
    pub active: Vec<String>,
    /// By statement, in source order.
    #[serde(rename = "decisions")]
    pub list: Vec<Decision>,
}

impl Decisions {
    /// The same with more decisions.
    pub(crate) fn with(mut self, more: Vec<Decision>) -> Decisions {
        more.into_iter().for_each(|d| self.add(d));
        self
    }

    /// Adds a decision behind those for the same statement. Several loops may come from one: the same is said once.
    pub(crate) fn add(&mut self, mut d: Decision) {
        let here = |x: &Decision| x.place() == d.place();
        if self.list.iter().any(|x| here(x) && x.choice == d.choice && x.values == d.values) {
            return;
        }
        let at = self.list.iter().rposition(here);
        d.depth = at.map_or(1, |at| self.list[at].depth);
        self.list.insert(at.map_or(self.list.len(), |at| at + 1), d);
    }

    /// The values that are saved, each once.
    fn saved(&self) -> Vec<&str> {
        let mut out: Vec<&str> = Vec::new();
        for value in self.list.iter().flat_map(|d| &d.values) {
            if !out.contains(&value.as_str()) {
                out.push(value);
            }
        }
        out
    }
}

/// To be read after the name of the adjoint.
impl fmt::Display for Decisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, ", adjoint of {}; active: {}", self.primal, self.active.join(", "))?;
        match self.saved().as_slice() {
            [] => write!(f, "  saves nothing")?,
            list => write!(f, "  saves {}", list.join(", "))?,
        }
        let mut last = None;
        for d in &self.list {
            let indent = "  ".repeat(d.depth);
            if last != Some((d.span.file, d.line)) {
                write!(f, "\n{indent}{}: {}", d.line, d.statement)?;
                last = Some((d.span.file, d.line));
            }
            write!(f, "\n{indent}    {d}")?;
        }
        Ok(())
    }
}
