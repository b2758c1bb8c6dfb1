//! A plan as a file that can be kept beside the sources: what is chosen at each site, and for which program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use costate_analysis::callgraph::Bodies;
use costate_analysis::request::Head;
use costate_grammar::ir::{ParentUnit, ProcId, Program, StmtId, StmtKind, for_each_stmt};
use costate_grammar::print::{self, Style};
use costate_grammar::source::{SourceMap, Span};
use serde::{Deserialize, Serialize};

use super::site_use::Use;
use super::{CallChoice, Choices, LoopChoice, Schedule, SiteKind, ValueChoice};
use crate::memory::amount;

/// The only version there is.
const VERSION: u32 = 3;

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
    /// No plan within the budget has a smaller one, as far as the model goes; known where the plan was looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// The most memory that it holds at a time, in bytes.
    pub peak: u64,
    /// Increments may be undone (`--allow-undo`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_undo: bool,
    /// The sizes that were given.
    #[serde(default)]
    pub sizes: BTreeMap<String, Vec<i64>>,
    /// Checksums of the statements of the procedures in which there is something to decide.
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
    /// Its number among the loops that the statement became, from 1, where these are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<usize>,
    /// The variable, where it is about a value that the statement computes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// What is chosen: `rerun`, `store-all`, `blocks`, `disk`, `schedule`, `joint`, `split`; of a value `store` or
    /// `recompute`.
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
        PlanFile {
            version: VERSION,
            heads: facts.head_names(),
            allow_undo: facts.allow_undo,
            sites,
            procedures: facts.checksums(&uses.iter().map(|u| facts.name(u.proc)).collect()),
            ..PlanFile::default()
        }
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
        let comment = "# What the generated adjoint stores and what runs again, as `costate plan` chose it; written by Costate.\n\
                       # Options `--plan` of other commands read it back; a plan for another program is refused.\n";
        format!("{comment}{}", toml::to_string(self).unwrap_or_default())
    }

    /// What of a program isn't what the plan was made for: its statements count where there is something to decide, and
    /// nothing else does.
    pub(crate) fn stale(&self, facts: &PlanFacts<'_>) -> Vec<String> {
        let now = facts.checksums(&self.procedures.keys().cloned().collect());
        let mut out = Vec::new();
        let heads = facts.head_names();
        if self.heads != heads {
            out.push(format!("the heads were {}, and are {}", quoted(&self.heads), quoted(&heads)));
        }
        match (self.allow_undo, facts.allow_undo) {
            (true, false) => out.push("it was made with `--allow-undo`, which isn't given".to_string()),
            (false, true) => out.push("it was made without `--allow-undo`, which is given".to_string()),
            _ => {}
        }
        for (name, sum) in &self.procedures {
            match now.get(name) {
                Some(same) if same == sum => {}
                Some(_) => out.push(format!("procedure `{name}` has changed")),
                None => out.push(format!("procedure `{name}` isn't differentiated any more")),
            }
        }
        out
    }

    /// Adds the choices for sites to others, and removes from `left` what was found. Returns what stands in the way of the
    /// others.
    pub(crate) fn apply(
        &self,
        facts: &PlanFacts<'_>,
        uses: &[Use],
        left: &mut Vec<Decided>,
        out: &mut Choices,
    ) -> Vec<String> {
        let labels = facts.labels(uses);
        let mut problems = Vec::new();
        left.retain(|decided| {
            let found = labels.iter().position(|l| *l == decided.label()).map(|i| &uses[i]);
            if found.and_then(|u| decided.apply(u, out)).is_some() {
                return false;
            }
            problems.push(match found {
                Some(_) => format!("`{}` can't be reversed as the plan says: {decided}", decided.statement),
                None => format!("there is nothing to decide about `{}` any more", decided.statement),
            });
            true
        });
        problems
    }
}

/// A procedure, the first line of a statement, its number among equal ones, that of a loop that it became, and a value.
type Label = (String, String, usize, Option<usize>, Option<String>);

impl Decided {
    fn label(&self) -> Label {
        (self.procedure.clone(), self.statement.clone(), self.nth, self.part, self.value.clone())
    }

    fn apply(&self, used: &Use, out: &mut Choices) -> Option<()> {
        let stmt = used.site.stmt;
        match (&used.site.kind, self.choice.as_str()) {
            (SiteKind::Nest(_), "rerun") => drop(out.loops.insert(stmt, LoopChoice::Rerun)),
            (SiteKind::Loop(_) | SiteKind::Open(_) | SiteKind::Nest(_), "store-all") => {
                drop(out.loops.insert(stmt, LoopChoice::StoreAll));
            }
            (SiteKind::Loop(_), "blocks") => drop(out.loops.insert(stmt, LoopChoice::Blocks(self.length))),
            (SiteKind::Open(_), "schedule") if self.kind.as_deref() != Some(Schedule::ONLINE) => return None,
            (SiteKind::Loop(_) | SiteKind::Open(_), "schedule") => {
                let [snapshots, on_disk] = [self.snapshots, self.on_disk].map(Option::unwrap_or_default);
                let schedule = Schedule { kind: self.kind.clone()?, snapshots, on_disk };
                schedule.is_known().then_some(())?;
                out.loops.insert(stmt, LoopChoice::Schedule(schedule));
            }
            // Without a choice its blocks have their snapshots on disk.
            (SiteKind::Loop(_), "disk") if out.disk.is_some() => {}
            (SiteKind::Call(_), "joint") => drop(out.calls.insert(stmt, CallChoice::Joint)),
            (SiteKind::Call(_), "split") => drop(out.calls.insert(stmt, CallChoice::Split)),
            (SiteKind::Value(name), "store") => out.values.extend([((stmt, name.clone()), ValueChoice::Store)]),
            (SiteKind::Value(name), "recompute") => out.values.extend([((stmt, name.clone()), ValueChoice::Recompute)]),
            _ => return None,
        }
        Some(())
    }
}

fn decided((procedure, statement, nth, part, value): Label, used: &Use, choices: &Choices) -> Decided {
    let plain = Decided { procedure, statement, nth, part, value, ..Decided::default() };
    let said = |choice: &str| Decided { choice: choice.to_string(), ..plain.clone() };
    let stmt = &used.site.stmt;
    match &used.site.kind {
        SiteKind::Nest(_) => match choices.loops.get(stmt) {
            Some(LoopChoice::StoreAll) => said("store-all"),
            _ => said("rerun"),
        },
        SiteKind::Loop(_) if choices.disk.is_some() && !choices.loops.contains_key(stmt) => said("disk"),
        SiteKind::Loop(_) | SiteKind::Open(_) => {
            match choices.time_loop(*stmt, matches!(used.site.kind, SiteKind::Open(_))) {
                LoopChoice::StoreAll => said("store-all"),
                LoopChoice::Rerun => said("rerun"),
                LoopChoice::Blocks(length) => Decided { length, ..said("blocks") },
                LoopChoice::Schedule(s) => Decided {
                    kind: Some(s.kind),
                    snapshots: Some(s.snapshots),
                    on_disk: Some(s.on_disk),
                    ..said("schedule")
                },
            }
        }
        SiteKind::Call(_) => match choices.call(*stmt).unwrap_or_default() {
            CallChoice::Joint => said("joint"),
            CallChoice::Split => said("split"),
        },
        SiteKind::Value(name) => match choices.value(*stmt, name).unwrap_or_default() {
            ValueChoice::Store => said("store"),
            ValueChoice::Recompute => said("recompute"),
        },
    }
}

impl Decided {
    /// What choices mean for a site.
    pub(crate) fn at(used: &Use, choices: &Choices) -> Decided {
        decided(Label::default(), used, choices)
    }
}

impl fmt::Display for PlanFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.sites.is_empty() {
            return Ok(());
        }
        let within = self.memory.map_or(String::new(), |m| format!(" within {}", amount(m)));
        write!(
            f,
            "chosen{within}: {} at most, predicted run time {:.2} times the primal's",
            amount(self.peak),
            self.ratio
        )?;
        if let Some(bound) = self.bound {
            let gap = if self.ratio > 0.0 { 100.0 * (self.ratio - bound).max(0.0) / self.ratio } else { 0.0 };
            write!(f, " (no plan of the model below {bound:.2}: gap {gap:.1} %)")?;
        }
        writeln!(f)?;
        let which = |s: &Decided| if s.nth > 1 { format!(" ({})", s.nth) } else { String::new() };
        let places: Vec<String> =
            self.sites.iter().map(|s| format!("{}: {}{}", s.procedure, s.statement, which(s))).collect();
        let width = places.iter().map(String::len).max().unwrap_or(0);
        self.sites.iter().zip(&places).try_for_each(|(s, place)| writeln!(f, "  {place:<width$}  {s}"))
    }
}

impl fmt::Display for Decided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.choice.as_str(), self.length) {
            ("store-all", _) => f.write_str("all iterations save what their adjoints need"),
            ("rerun", _) => f.write_str("each iteration runs again right before its adjoint"),
            ("blocks", Some(1)) => f.write_str("a snapshot for every iteration, which runs again"),
            ("blocks", Some(length)) => write!(f, "a snapshot every {length} iterations, which run again"),
            ("blocks", None) => f.write_str("a snapshot for each of about as many blocks as they have iterations"),
            ("disk", _) => f.write_str("a snapshot on disk for each of about as many blocks as they have iterations"),
            ("schedule", _) => {
                write!(f, "schedule {}", self.kind.as_deref().unwrap_or_default())?;
                let counts = [(self.snapshots, "in memory"), (self.on_disk, "on disk")];
                let told = counts.iter().filter_map(|(n, place)| {
                    n.filter(|n| *n > 0).map(|n| format!(", {n} snapshot{} {place}", if n == 1 { "" } else { "s" }))
                });
                f.write_str(&told.collect::<String>())
            }
            ("joint", _) => f.write_str("joint: it runs again before its adjoint"),
            ("split", _) => f.write_str("split: a record is kept from its forward sweep"),
            ("store", _) => write!(f, "{} is saved where it is overwritten", self.value.as_deref().unwrap_or_default()),
            ("recompute", _) => write!(f, "{} is recomputed", self.value.as_deref().unwrap_or_default()),
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
    /// Increments may be undone.
    pub allow_undo: bool,
    /// The procedures with an adjoint.
    pub procedures: Vec<ProcId>,
    /// Their bodies in normal form.
    pub bodies: &'a Bodies,
}

impl PlanFacts<'_> {
    /// The procedures of the heads.
    fn head_names(&self) -> Vec<String> {
        self.heads.iter().map(|h| self.program[h.proc].name.to_string()).collect()
    }

    /// A checksum of the statements of each of these procedures. Comments, the layout of the source and what is declared, the
    /// values of constants say, don't count.
    fn checksums(&self, wanted: &BTreeSet<String>) -> BTreeMap<String, String> {
        let one = |(name, p): (String, ProcId)| {
            let procedure = &self.program[p];
            let text = print::statements(self.program, procedure.scope, &procedure.body, &Style::default(), 0);
            let lines = text.lines().map(str::trim).filter(|l| !l.starts_with('!'));
            let sum = lines
                .flat_map(|l| l.bytes().chain([b'\n']))
                .fold(FNV_OFFSET, |h, b| (h ^ u64::from(b)).wrapping_mul(FNV_PRIME));
            (name, format!("{sum:016x}"))
        };
        let named = self.procedures.iter().map(|p| (self.name(*p), *p));
        named.filter(|(name, _)| wanted.contains(name)).map(one).collect()
    }

    /// The name of a procedure, with its module where several have it.
    fn name(&self, proc: ProcId) -> String {
        let name = &self.program[proc].name;
        let several = self.procedures.iter().filter(|p| self.program[**p].name == *name).count() > 1;
        match self.program[proc].parent {
            ParentUnit::Module(m) if several => format!("{}::{name}", self.program[m].name),
            ParentUnit::Procedure(host) if several => format!("{}::{name}", self.program[host].name),
            _ => name.to_string(),
        }
    }

    fn labels(&self, uses: &[Use]) -> Vec<Label> {
        let mut parts: BTreeMap<ProcId, BTreeMap<StmtId, usize>> = BTreeMap::new();
        let labelled = uses.iter().map(|u| {
            let parts = parts.entry(u.proc).or_insert_with(|| self.parts(u.proc));
            self.label(u, parts.get(&u.site.stmt).copied().filter(|part| *part > 1))
        });
        labelled.collect()
    }

    /// For every statement in normal form its number among the loops, or among the other statements, that one statement
    /// became.
    fn parts(&self, proc: ProcId) -> BTreeMap<StmtId, usize> {
        let mut seen: BTreeMap<(Span, bool), usize> = BTreeMap::new();
        let mut out = BTreeMap::new();
        for_each_stmt(self.bodies.get(&proc).map_or(&[], |b| b.as_slice()), &mut |s| {
            let part = seen.entry((s.origin.span(), matches!(s.kind, StmtKind::Do { .. }))).or_default();
            *part += 1;
            out.insert(s.id, *part);
        });
        out
    }

    /// Equal statements are told apart by their order in the procedure.
    fn label(&self, used: &Use, part: Option<usize>) -> Label {
        let span = used.site.origin.span();
        let line = self.line(span);
        let mut before = BTreeSet::new();
        for_each_stmt(&self.program[used.proc].body, &mut |s| {
            let other = s.origin.span();
            if other.start < span.start && self.line(other) == line {
                before.insert(other.start);
            }
        });
        let value = used.site.id().value.map(|v| v.to_string());
        (self.name(used.proc), line, before.len() + 1, part, value)
    }

    /// The first line of a statement.
    fn line(&self, span: Span) -> String {
        let text = self.sources.text(span);
        text.lines().next().unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// Names in a row.
fn quoted(names: &[String]) -> String {
    match names {
        [] => "none".to_string(),
        _ => names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "),
    }
}

/// The hash FNV-1a of 64 bits, by Fowler, Noll and Vo: it is the same on every machine.
const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0000_0100_0000_01b3;
