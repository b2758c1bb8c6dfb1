//! A plan as a file that can be kept beside the sources: what is chosen at each site, and for which program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{ProcId, Program};
use costate_grammar::print::{self, Style};
use costate_grammar::source::SourceMap;
use serde::{Deserialize, Serialize};

use super::evaluate::Use;
use super::{CallChoice, Choices, LoopChoice, Schedule, SiteKind};
use crate::memory::amount;
use crate::session::Session;

/// The only version there is.
const VERSION: u32 = 1;

/// A plan. Its form on disk is TOML.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// Version of the format.
    pub version: u32,
    /// What is differentiated: the procedures of the heads.
    pub heads: Vec<String>,
    /// The budget in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Predicted run time of the adjoint, in run times of its primal.
    pub ratio: f64,
    /// The most memory that it holds at a time, in bytes.
    pub peak: u64,
    /// The sizes that were given.
    #[serde(default)]
    pub sizes: BTreeMap<String, Vec<i64>>,
    /// Checksums of the procedures that the plan was made for.
    #[serde(default)]
    pub procedures: BTreeMap<String, String>,
    /// What is chosen.
    #[serde(default, rename = "site")]
    pub sites: Vec<Decided>,
}

/// What is chosen at a site.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decided {
    /// The procedure that it is in.
    pub procedure: String,
    /// The first line of the statement.
    pub statement: String,
    /// Its number among equal statements of the procedure, from 1.
    pub nth: usize,
    /// What is chosen: `store-all`, `blocks`, `schedule`, `joint`, `split`.
    pub choice: String,
    /// Of blocks: their length; the square root of the trip count when it isn't there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<u64>,
    /// Of a schedule: its kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Of a schedule: the number of snapshots in memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshots: Option<u64>,
    /// Of a schedule: the number of snapshots on disk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_disk: Option<u64>,
}

impl PlanFile {
    /// The choices for sites of a program.
    pub(crate) fn new(facts: &PlanFacts<'_>, uses: &[Use], choices: &Choices) -> PlanFile {
        let sites = facts.labels(uses).into_iter().zip(uses).map(|(label, u)| decided(label, u, choices)).collect();
        let heads = facts.heads.iter().map(|h| facts.program[h.proc].name.to_string()).collect();
        PlanFile { version: VERSION, heads, sites, procedures: facts.checksums(), ..PlanFile::default() }
    }

    /// Reads a plan from the text of its file.
    pub fn parse(text: &str) -> Result<PlanFile, String> {
        let file: PlanFile = toml::from_str(text).map_err(|e| e.to_string())?;
        match file.version {
            VERSION => Ok(file),
            other => Err(format!("version {other} of the format isn't known")),
        }
    }

    /// The text of its file.
    pub fn text(&self) -> String {
        let comment = "# What the generated adjoint stores and what runs again, as `costate plan` chose it.\n\
                       # Options `--plan` of other commands read it back; a plan for another program is refused.\n";
        format!("{comment}{}", toml::to_string(self).unwrap_or_default())
    }

    /// The choices for the sites of a program, or what of it isn't what the plan was made for.
    pub(crate) fn choices(&self, facts: &PlanFacts<'_>, uses: &[Use]) -> Result<Choices, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let now = facts.checksums();
        for (name, sum) in &self.procedures {
            match now.get(name) {
                Some(same) if same == sum => {}
                Some(_) => problems.push(format!("procedure `{name}` has changed")),
                None => problems.push(format!("procedure `{name}` isn't differentiated any more")),
            }
        }
        let new = now.keys().filter(|n| !self.procedures.contains_key(*n));
        problems.extend(new.map(|n| format!("procedure `{n}` is new")));
        let labels = facts.labels(uses);
        let mut out = Choices { disk: facts.disk.cloned(), ..Choices::default() };
        for decided in &self.sites {
            let found = labels.iter().position(|l| *l == decided.label()).map(|i| &uses[i]);
            let applied = found.and_then(|u| decided.apply(u, &mut out));
            if applied.is_none() {
                problems.push(format!("there is nothing to decide about `{}` any more", decided.statement));
            }
        }
        for label in labels.iter().filter(|l| !self.sites.iter().any(|d| d.label() == **l)) {
            problems.push(format!("nothing is chosen for `{}` in `{}`", label.1, label.0));
        }
        let stale = |p: String| {
            Diagnostic::global(Code::StalePlan, p)
                .reason("the plan was made for another program, or for other heads or options")
                .help("make a new plan with `costate plan ... -o plan.toml`")
        };
        if problems.is_empty() { Ok(out) } else { Err(problems.into_iter().map(stale).collect()) }
    }
}

/// A procedure, the first line of a statement, and its number among equal ones.
type Label = (String, String, usize);

impl Decided {
    fn label(&self) -> Label {
        (self.procedure.clone(), self.statement.clone(), self.nth)
    }

    fn apply(&self, used: &Use, out: &mut Choices) -> Option<()> {
        let stmt = used.site.stmt;
        match (&used.site.kind, self.choice.as_str()) {
            (SiteKind::Loop(_), "store-all") => drop(out.loops.insert(stmt, LoopChoice::StoreAll)),
            (SiteKind::Loop(_), "blocks") => drop(out.loops.insert(stmt, LoopChoice::Blocks(self.length))),
            (SiteKind::Loop(_), "schedule") => {
                let [snapshots, on_disk] = [self.snapshots, self.on_disk].map(Option::unwrap_or_default);
                let schedule = Schedule { kind: self.kind.clone()?, snapshots, on_disk };
                out.loops.insert(stmt, LoopChoice::Schedule(schedule));
            }
            (SiteKind::Call(_), "joint") => drop(out.calls.insert(stmt, CallChoice::Joint)),
            (SiteKind::Call(_), "split") => drop(out.calls.insert(stmt, CallChoice::Split)),
            _ => return None,
        }
        Some(())
    }
}

fn decided((procedure, statement, nth): Label, used: &Use, choices: &Choices) -> Decided {
    let plain = Decided { procedure, statement, nth, ..Decided::default() };
    let said = |choice: &str| Decided { choice: choice.to_string(), ..plain.clone() };
    let stmt = &used.site.stmt;
    match used.site.kind {
        SiteKind::Loop(_) => match choices.loops.get(stmt).unwrap_or(&LoopChoice::Blocks(None)) {
            LoopChoice::StoreAll => said("store-all"),
            LoopChoice::Blocks(length) => Decided { length: *length, ..said("blocks") },
            LoopChoice::Schedule(s) => Decided {
                kind: Some(s.kind.clone()),
                snapshots: Some(s.snapshots),
                on_disk: Some(s.on_disk),
                ..said("schedule")
            },
        },
        SiteKind::Call(_) => match choices.call(*stmt).unwrap_or_default() {
            CallChoice::Joint => said("joint"),
            CallChoice::Split => said("split"),
        },
    }
}

impl fmt::Display for PlanFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(longest) = self.sites.iter().map(|s| s.procedure.len() + s.statement.len()).max() else {
            return Ok(());
        };
        let within = self.memory.map_or(String::new(), |m| format!(" within {}", amount(m)));
        writeln!(
            f,
            "chosen{within}: {} at most, predicted run time {:.2} times the primal's",
            amount(self.peak),
            self.ratio
        )?;
        self.sites.iter().try_for_each(|s| {
            let place = format!("{}: {}", s.procedure, s.statement);
            writeln!(f, "  {place:<width$}  {s}", width = longest + 2)
        })
    }
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.choice.as_str(), self.length) {
            ("store-all", _) => f.write_str("all iterations save what their adjoints need"),
            ("blocks", Some(1)) => f.write_str("a snapshot for every iteration, which runs again"),
            ("blocks", Some(length)) => write!(f, "a snapshot every {length} iterations, which run again"),
            ("blocks", None) => f.write_str("a snapshot for each of about as many blocks as they have iterations"),
            ("schedule", _) => {
                write!(f, "schedule {}", self.kind.as_deref().unwrap_or_default())?;
                let counts = [(self.snapshots, "in memory"), (self.on_disk, "on disk")];
                let told = counts
                    .iter()
                    .filter_map(|(n, place)| n.filter(|n| *n > 0).map(|n| format!(", {n} snapshots {place}")));
                f.write_str(&told.collect::<String>())
            }
            ("joint", _) => f.write_str("joint: it runs again before its adjoint"),
            ("split", _) => f.write_str("split: a record is kept from its forward sweep"),
            (other, _) => f.write_str(other),
        }
    }
}

/// What of a program a plan depends on.
pub(crate) struct PlanFacts<'a> {
    /// The program.
    pub program: &'a Program,
    /// The user's text.
    pub sources: &'a SourceMap,
    /// What is differentiated.
    pub heads: &'a [Head],
    /// The folder of snapshots on disk.
    pub disk: Option<&'a String>,
    /// The procedures with an adjoint.
    pub procedures: Vec<ProcId>,
}

impl<'a> PlanFacts<'a> {
    /// Those of a run.
    pub(crate) fn of(session: &'a Session<'_>, heads: &'a [Head]) -> Self {
        let procedures: BTreeSet<ProcId> = session.activity.contexts.iter().map(|c| c.proc).collect();
        let procedures = procedures.into_iter().collect();
        let disk = session.options.choices.disk.as_ref();
        PlanFacts { program: session.program, sources: session.sources, heads, disk, procedures }
    }

    /// A checksum for each procedure. Lines of comment and the layout of the source don't count.
    fn checksums(&self) -> BTreeMap<String, String> {
        let one = |p: &ProcId| {
            let text = print::procedure(self.program, *p, &Style::default());
            let lines = text.lines().map(str::trim).filter(|l| !l.starts_with('!'));
            let sum = lines
                .flat_map(|l| l.bytes().chain([b'\n']))
                .fold(FNV_OFFSET, |h, b| (h ^ u64::from(b)).wrapping_mul(FNV_PRIME));
            (self.program[*p].name.to_string(), format!("{sum:016x}"))
        };
        self.procedures.iter().map(one).collect()
    }

    fn labels(&self, uses: &[Use]) -> Vec<Label> {
        let mut seen: BTreeMap<(String, String), usize> = BTreeMap::new();
        let mut out = Vec::new();
        for u in uses {
            let text = self.sources.text(u.site.origin.span());
            let line = text.lines().next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
            let nth = seen.entry((u.procedure.clone(), line.clone())).or_default();
            *nth += 1;
            out.push((u.procedure.clone(), line, *nth));
        }
        out
    }
}

/// The hash FNV-1a of 64 bits, by Fowler, Noll and Vo: it is the same on every machine.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;
