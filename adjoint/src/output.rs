//! Generated files from generated units: which unit goes to which file, and what a caller needs to know of it.

mod budget;
mod extend;
mod guard;
mod order;

use std::collections::BTreeSet;

use costate_analysis::activity::ContextId;
use costate_analysis::request::Head;
use costate_analysis::rules;
use costate_analysis::storage::{LocId, is_global};
use costate_grammar::diag::{Code, Diagnostic, Severity};
use costate_grammar::form::{Form, ReadFile};
use costate_grammar::ir::{ModuleId, ModuleKind, Name, ParentUnit, ProcId, ProcKind, SymId, for_each_stmt};
use costate_grammar::print::source::Edit;
use costate_grammar::print::{self, Style};
use costate_grammar::source::{FileId, Span};

use crate::build::suffixed;
use crate::decision::{Choice, Decisions};
use crate::differentiated::{Differentiated, HeadArg, HeadInterface, ModuleDerivative, OutputFile};
use crate::memory::{LedgerFacts, MemoryPlan, Part, Peaks, ProcedurePlan};
use crate::mode::{Layout, Mode};
use crate::plan::{Costs, PlanFile, TRIPS, Times, Work, plan_facts, trip_names, uses};
use crate::precision::{self, Precision};
use crate::session::{HeadFacts, Session};
use extend::Additions;

pub(crate) use budget::within_budget;
pub(crate) use extend::opening_name;

/// The plans of all generated adjoints.
fn plans(session: &Session<'_>) -> Vec<ProcedurePlan> {
    let mut costs = Costs::new(session.program, &session.effects.bodies, &session.options.sizes);
    let facts = LedgerFacts::of(session);
    let mut peaks = facts.peaks(&session.options.sizes);
    let plan = |(id, decisions): &((ContextId, Part), Decisions)| ProcedurePlan {
        name: names(session, *id),
        decisions: with_prices(session, *id, decisions, (&mut peaks, &mut costs)),
        memory: peaks.plan(*id),
        ratio: ratio(session, &mut costs, *id),
        assumed_trips: assumed_trips(session, id.0),
    };
    session.plan.iter().map(plan).collect()
}

/// Decisions with the memory and the run time that they take.
fn with_prices(
    session: &Session<'_>,
    id: (ContextId, Part),
    decisions: &Decisions,
    (peaks, costs): (&mut Peaks<'_, '_>, &mut Costs<'_>),
) -> Decisions {
    let primal = costs.procedure(session.activity.get(id.0).proc).max(1.0);
    let bytes = peaks.by_statement(id);
    let mut times = Times::new();
    procedures(session, id).into_iter().for_each(|p| costs.by_statement(p, &mut times));
    let mut out = decisions.clone();
    for d in &mut out.list {
        if d.holds_memory() {
            // Records of a call, and what a schedule takes beside its snapshots, are of no reference.
            let beside = matches!(d.choice, Choice::Split | Choice::Schedule).then_some(None);
            let values: Vec<Option<String>> = d.values.iter().cloned().map(Some).chain(beside).collect();
            let places = d.stmts.iter().flat_map(|s| values.iter().map(|v| (*s, v.clone())));
            let found: Vec<u64> = places.filter_map(|p| bytes.get(&p).copied()).collect();
            d.bytes = (!found.is_empty()).then(|| found.into_iter().sum());
        }
        let work = match d.choice {
            Choice::Run => Work::Forward,
            Choice::Rerun | Choice::Recompute | Choice::EvaluateCondition => Work::Rerun,
            Choice::Save | Choice::SaveAtStart | Choice::SaveBranch | Choice::KeepAside => Work::Saving,
            _ => continue,
        };
        d.cost = times.get(&(d.span, work)).map(|t| (1e4 * t / primal).round() / 1e4);
    }
    out
}

/// The names of trip counts of a procedure's loops that aren't given.
fn assumed_trips(session: &Session<'_>, id: ContextId) -> BTreeSet<String> {
    let given = |name: &str| session.options.sizes.iter().any(|(n, _)| n.eq_ignore_ascii_case(name));
    let mut names = trip_names(LedgerFacts::of(session).body(id));
    names.retain(|n| !(given(n) || given(TRIPS)));
    names
}

/// The procedures of an adjoint.
fn procedures(session: &Session<'_>, (id, part): (ContextId, Part)) -> Vec<ProcId> {
    match part {
        Part::Whole => session.procedures.get(&id).copied().into_iter().collect(),
        Part::Backward => session.backward.get(&id).copied().into_iter().collect(),
        Part::Halves | Part::Record => session.halves.get(&id).into_iter().flatten().copied().collect(),
    }
}

/// What the procedures of a plan are called.
fn names(session: &Session<'_>, id: (ContextId, Part)) -> String {
    let names = procedures(session, id).into_iter().map(|p| session.program[p].name.to_string());
    names.collect::<Vec<_>>().join(", ")
}

/// The predicted run time of an adjoint, in run times of its primal.
fn ratio(session: &Session<'_>, costs: &mut Costs<'_>, id: (ContextId, Part)) -> f64 {
    let primal = costs.procedure(session.activity.get(id.0).proc);
    let adjoint: f64 = procedures(session, id).into_iter().map(|p| costs.procedure(p)).sum();
    // Something always runs, if only the call.
    adjoint / primal.max(1.0)
}

/// What is chosen, for the heads together.
fn plan_file(session: &Session<'_>) -> PlanFile {
    if session.mode != Mode::Adjoint {
        return PlanFile::default();
    }
    let heads: Vec<Head> = session.heads.iter().map(|h| h.head.clone()).collect();
    let file = PlanFile::new(&plan_facts(session, &heads), &uses(session), &session.choices);
    let mut costs = Costs::new(session.program, &session.effects.bodies, &session.options.sizes);
    PlanFile {
        memory: session.options.memory,
        sizes: session.options.sizes.iter().cloned().collect(),
        peak: session.heads.iter().map(|h| memory_plan(session, (h.context, Part::Whole)).most).max().unwrap_or(0),
        ratio: (1e3
            * session.heads.iter().map(|h| ratio(session, &mut costs, (h.context, Part::Whole))).fold(0.0, f64::max))
        .round()
            / 1e3,
        ..file
    }
}

fn memory_plan(session: &Session<'_>, id: (ContextId, Part)) -> MemoryPlan {
    LedgerFacts::of(session).peaks(&session.options.sizes).plan(id)
}

/// Prints all generated units and describes the heads.
pub fn write(session: &mut Session<'_>, files: &[ReadFile]) -> Differentiated {
    session.warn(numbered_names(session));
    session.warn(budget::notes(session));
    let interfaces = interfaces(session);
    let suffix = session.naming.procedure.clone();
    let layout = session.options.layout;
    let guard = guard::text(files, session.options);
    let mut made = Vec::new();
    for file in order::files(session, files) {
        let style = Style { origins: session.options.origins, ..Style::detect(&file.lines, session.sources) };
        let text = match layout {
            Layout::Separate => separate(session, file.file, &style),
            Layout::Extend => {
                let mut additions = Additions::default();
                additions.add(session, file, &style);
                additions.write(session.sources, file, Vec::new(), |m| &session.program[m])
            }
        };
        if let Some(text) = text {
            made.push(output_file(session, file, &suffix, layout, text, &guard));
        }
    }
    Differentiated {
        files: made,
        interfaces,
        precisions: precisions(session),
        unsteady: unsteady(session),
        notes: session.notes.clone(),
        facts: crate::facts::describe(session),
        plans: plans(session),
        plan_file: plan_file(session),
        uses_runtime: session.uses_runtime,
    }
}

/// Tangent and adjoint of the same heads, both added to the user's files ([`Layout::Extend`]). For a driver of another
/// program their main programs are left out, and their head procedures are accessible. Returns the complete files, and the
/// two without files.
pub fn write_both(
    mut sessions: [&mut Session<'_>; 2],
    files: &[ReadFile],
    for_driver: bool,
) -> (Vec<OutputFile>, [Differentiated; 2]) {
    if !for_driver {
        sessions.iter_mut().for_each(|s| s.warn(numbered_names(s)));
    }
    let guard = guard::text(files, sessions[0].options);
    let suffix = if for_driver { "_extended".to_string() } else { sessions[1].naming.procedure.clone() };
    let mut made = Vec::new();
    for file in order::files(sessions[0], files) {
        let origins = sessions[0].options.origins;
        let style = Style { origins, ..Style::detect(&file.lines, sessions[0].sources) };
        let mut additions = Additions::default();
        sessions.iter().for_each(|s| additions.add(s, file, &style));
        let program = &*sessions[0].program;
        let mut edits = Vec::new();
        if for_driver {
            for (i, head) in sessions[0].heads.iter().enumerate() {
                let p = &program[head.head.proc];
                if let (true, ParentUnit::Module(m)) = (program[p.sym].private && p.file == file.file, p.parent) {
                    additions.open(m, &p.name, &opening_name(i));
                }
            }
            let mains = program.procedures.iter().filter(|p| p.kind == ProcKind::Program && p.file == file.file);
            edits.extend(mains.map(|p| Edit::Replace { span: p.span, text: String::new() }));
        }
        if let Some(text) = additions.write(sessions[0].sources, file, edits, |m| &program[m]) {
            made.push(output_file(sessions[0], file, &suffix, Layout::Extend, text, &guard));
        }
    }
    let described = sessions.map(|s| Differentiated {
        interfaces: interfaces(s),
        precisions: precisions(s),
        unsteady: unsteady(s),
        notes: s.notes.clone(),
        uses_runtime: s.uses_runtime,
        ..Differentiated::default()
    });
    (made, described)
}

/// Warns where what the user's program calls and uses isn't named as usual, since something else has that name.
fn numbered_names(session: &Session<'_>) -> Vec<Diagnostic> {
    let program = &*session.program;
    let mut out = Vec::new();
    let mut compare =
        |of: &Name, suffix: &str, made: &Name, span: Span| {
            let usual = suffixed(of, suffix);
            if !usual.eq_ignore_ascii_case(made) {
                let told = format!(
                    "what is generated of `{of}` is called `{made}`, since `{usual}` is another name of the program"
                );
                let option = if session.mode == Mode::Tangent { "--suffix-tangent" } else { "--suffix-adjoint" };
                out.push(Diagnostic::error(Code::NumberedName, span, told).severity(Severity::Warning).help(format!(
                    "call it so, rename what is called `{usual}`, or give another suffix with `{option}`"
                )));
            }
        };
    for h in &session.heads {
        let symbol = &program[program[h.head.proc].sym];
        let Some(made) = session.procedures.get(&h.context) else { continue };
        compare(&symbol.name, &session.naming.procedure, &program[*made].name, symbol.span);
    }
    for (primal, made) in &session.modules {
        if session.options.layout == Layout::Separate && is_used(session, *made) {
            compare(&program[*primal].name, &session.naming.module, &program[*made].name, program[*primal].span);
        }
    }
    out
}

/// What stands in every file that Costate writes, and shows that it may be written anew.
pub const MARK: &str = "by Costate";

/// A text that shows by a comment who wrote it: a file of variables alone has no procedure that does.
fn marked(text: String) -> String {
    if text.contains(MARK) { text } else { format!("! Derivatives of variables, generated {MARK}.\n{text}") }
}

/// A file in its source form. `dir/s.F90` gives `s_b.f90`, in fixed form `s_b.f`; where the user's lines, or the guard of
/// macros, need the preprocessor: `s_b.F90`.
fn output_file(
    session: &Session<'_>,
    file: &ReadFile,
    suffix: &str,
    layout: Layout,
    text: String,
    guard: &str,
) -> OutputFile {
    let source = file.file;
    let written = if layout == Layout::Extend { session.sources.file(source).form } else { Form::Free };
    let path = session.sources.file(source).name.as_str();
    let name = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    let own = layout == Layout::Extend && extension.starts_with(|c: char| c.is_ascii_uppercase());
    let text = marked(text);
    let (ending, text) = match (session.options.output_form.unwrap_or(Form::Free), written) {
        // The user's own lines stay as they are.
        (_, Form::Fixed) => ("f", text),
        (Form::Free, _) => ("f90", text),
        (Form::Fixed, _) => ("f", print::fixed(&text)),
    };
    let ending = if own || !guard.is_empty() { ending.to_uppercase() } else { ending.to_string() };
    OutputFile { source, name: format!("{stem}{suffix}.{ending}"), text: format!("{guard}{text}") }
}

fn is_used(session: &Session<'_>, generated: ModuleId) -> bool {
    let m = &session.program[generated];
    if m.kind != ModuleKind::Module {
        return false;
    }
    !m.procedures.is_empty() || session.globals.values().any(|s| session.program[*s].scope == m.scope)
}

fn separate(session: &Session<'_>, file: FileId, style: &Style) -> Option<String> {
    let mut out = Vec::new();
    for generated in order::modules(session) {
        if session.program[generated].file == file && is_used(session, generated) {
            let text = print::module(session.program, generated, style);
            let helpers = helpers_of(session, &session.program[generated].procedures);
            out.push(with_helpers(text, &helper_text(&helpers), "end module"));
        }
    }
    out.extend(externals(session, file).map(|p| external(session, p, style)));
    (!out.is_empty()).then(|| out.join("\n"))
}

/// The generated external procedures that belong to a file of the user's.
fn externals(session: &Session<'_>, file: FileId) -> impl Iterator<Item = ProcId> {
    let made = session.procedures.values().chain(session.associations.values()).copied();
    let external = |p: &ProcId| matches!(session.program[*p].parent, ParentUnit::File(_));
    made.filter(move |p| session.program[*p].file == file && external(p))
}

/// An external procedure with the functions that it needs inside.
fn external(session: &Session<'_>, procedure: ProcId, style: &Style) -> String {
    let text = print::procedure(session.program, procedure, style);
    let inner = helper_text(&helpers_of(session, &[procedure]));
    let inner = if inner.is_empty() { inner } else { format!("contains\n{inner}") };
    with_helpers(text, &inner, "end subroutine")
}

/// The functions that partials call and that Fortran doesn't have, as used by some procedures.
fn helpers_of(session: &Session<'_>, procedures: &[ProcId]) -> Vec<rules::Helper> {
    let mut used: Vec<rules::Helper> = Vec::new();
    for p in procedures {
        for_each_stmt(&session.program[*p].body, &mut |s| {
            for e in s.exprs() {
                for h in rules::helpers_used(e) {
                    if !used.contains(&h) {
                        used.push(h);
                    }
                }
            }
        });
    }
    used
}

fn helper_text(helpers: &[rules::Helper]) -> String {
    let mut out = String::new();
    for h in helpers {
        out.push('\n');
        for line in h.text.lines() {
            out.push_str("  ");
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Puts text before the last line, which starts with `end`.
fn with_helpers(mut text: String, helpers: &str, end: &str) -> String {
    if !helpers.is_empty()
        && let Some(at) = text.to_ascii_lowercase().rfind(end)
    {
        text.insert_str(at, &format!("{helpers}\n"));
    }
    text
}

fn interfaces(session: &mut Session<'_>) -> Vec<HeadInterface> {
    let heads = session.heads.clone();
    heads
        .iter()
        .map(|h| {
            let signature = session.signatures[&h.context].clone();
            let p = session.program[signature.primal].clone();
            let mut args = Vec::new();
            for d in &p.dummies {
                args.push(HeadArg::Primal(*d));
                if signature.derivative.contains(d) {
                    args.push(HeadArg::Derivative(*d));
                }
            }
            if let ProcKind::Function(_) = p.kind {
                if session.mode == crate::mode::Mode::Tangent {
                    args.push(HeadArg::PrimalResult);
                }
                if signature.result {
                    args.push(HeadArg::DerivativeResult);
                }
            }
            let mut symbols: Vec<SymId> = h.head.dependents.iter().chain(&h.head.independents).map(|t| t.sym).collect();
            symbols.retain(|s| is_global(session.program, *s));
            symbols.dedup();
            let module_vars = symbols.into_iter().filter_map(|s| module_derivative(session, s)).collect();
            let module = match p.parent {
                ParentUnit::Module(m) => Some(module_name(session, session.program.top_module(m))),
                _ => None,
            };
            let bind = session.procedures.get(&h.context).and_then(|p| session.program[*p].bind.clone());
            HeadInterface { module, procedure: signature.name.to_string(), args, module_vars, bind }
        })
        .collect()
}

fn precisions(session: &mut Session<'_>) -> Vec<Vec<Precision>> {
    let heads = session.heads.clone();
    heads.iter().map(|h| precision::of_outputs(session, h)).collect()
}

/// The variables of every head that may hold another value each time it runs.
fn unsteady(session: &mut Session<'_>) -> Vec<BTreeSet<(SymId, Vec<Name>)>> {
    let heads = session.heads.clone();
    let of = |h: &HeadFacts| {
        let body = session.effects.bodies.get(&h.head.proc).cloned().unwrap_or_default();
        let found = session.effects.unsteady(session.program, &body);
        let place = |l: &LocId| (session.effects.locs.get(*l).sym, session.effects.locs.get(*l).path.clone());
        found.iter().map(place).collect()
    };
    heads.iter().map(of).collect()
}

fn module_name(session: &Session<'_>, primal: ModuleId) -> String {
    match (session.options.layout, session.modules.get(&primal)) {
        (Layout::Separate, Some(g)) => session.program[*g].name.to_string(),
        _ => session.program[primal].name.to_string(),
    }
}

fn module_derivative(session: &Session<'_>, primal: SymId) -> Option<ModuleDerivative> {
    let shadow = session.globals.get(&primal)?;
    let home = session.program.module_of(session.program[primal].scope)?;
    Some(ModuleDerivative {
        primal,
        module: module_name(session, home),
        name: session.program[*shadow].name.to_string(),
    })
}
