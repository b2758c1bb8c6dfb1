//! `costate plan`.

use costate_adjoint::output::MARK;
use costate_adjoint::pipeline::{self, Differentiated, Mode};
use costate_adjoint::plan::{PlanFile, Trade};
use costate_analysis::request::Head;
use serde::Serialize;

use super::pareto;
use crate::cli::PlanArgs;
use crate::front::{self, Front, refuse};
use crate::output::{self, Planned};
use crate::{Session, Status};

/// Budgets of a drawing.
const BUDGETS: usize = 10;

/// All there is to say of a plan.
#[derive(Serialize)]
struct Told<'a> {
    /// By generated procedure.
    procedures: &'a [costate_adjoint::memory::ProcedurePlan],
    /// What is chosen.
    plan: &'a PlanFile,
    /// Run time against memory.
    #[serde(skip_serializing_if = "<[Trade]>::is_empty")]
    trades: &'a [Trade],
}

pub(crate) fn run(mut args: PlanArgs, session: &mut Session) -> Result<Status, Status> {
    front::configure(session, &mut args.source)?.complete_plan(&mut args);
    let mut front = front::open(session, &args.source)?;
    let trades = match args.pareto {
        Some(_) => trades(session, &front)?,
        None => Vec::new(),
    };
    let Front { files, program, heads, options } = &mut front;
    let made = pipeline::differentiate(program, &session.sources, files, heads, Mode::Adjoint, options)
        .map_err(|d| refuse(session, &d))?;
    session.messages.emit(&session.sources, &made.notes);
    if session.messages.verbose() {
        session.messages.print(&format!("{}\n", made.facts));
    }
    let mut planned = Vec::new();
    if let Some(path) = &args.output {
        planned.push(Planned { path: path.clone(), text: made.plan_file.text() });
    }
    if let Some(path) = &args.pareto {
        let svg = pareto::draw(&title(heads, &made.plan_file), &trades).map_err(|e| {
            let d = costate_grammar::diag::Diagnostic::global(costate_grammar::diag::Code::Internal, e);
            refuse(session, &[d])
        })?;
        planned.push(Planned { path: path.clone(), text: format!("<!-- Drawn {MARK}. -->\n{svg}") });
    }
    let read = front::files_read(session, &args.source);
    output::refuse_clashes(&planned, &read, args.write.force).map_err(|d| refuse(session, &[*d]))?;
    output::write(&planned).map_err(|d| refuse(session, &[*d]))?;
    tell(session, &made, &trades, args.json);
    Ok(Status::Done)
}

fn trades(session: &mut Session, front: &Front) -> Result<Vec<Trade>, Status> {
    let Front { files, program, heads, options } = front;
    pipeline::trades(program, &session.sources, files, heads, options, BUDGETS).map_err(|d| refuse(session, &d))
}

fn tell(session: &mut Session, made: &Differentiated, trades: &[Trade], json: bool) {
    if json {
        let told = Told { procedures: &made.plans, plan: &made.plan_file, trades };
        let text = serde_json::to_string_pretty(&told).unwrap_or_default();
        session.messages.print(&format!("{text}\n"));
        return;
    }
    session.messages.print(&format!("{}{}", made.plan(), made.plan_file));
    for (i, t) in trades.iter().enumerate() {
        let from = costate_adjoint::memory::amount(t.budget);
        session.messages.print(&format!("from {from} on: run time {:.2} times the primal's\n", t.ratio));
        let before = i.checked_sub(1).and_then(|b| trades.get(b));
        t.differences(before).iter().for_each(|c| session.messages.print(&format!("  {c}\n")));
    }
}

/// What a drawing is about: the heads, and the sizes that are given.
fn title(heads: &[Head], plan: &PlanFile) -> String {
    let sizes = plan.sizes.iter().map(|(name, values)| {
        let values: Vec<String> = values.iter().map(i64::to_string).collect();
        format!("{name} = {}", values.join(" x "))
    });
    let sizes: Vec<String> = sizes.collect();
    let at = if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) };
    let heads: Vec<&str> = heads.iter().map(|h| h.text.as_str()).collect();
    format!("Adjoint of {}{at}", heads.join(", "))
}
