//! The facts that derivatives are built on, as text: what is varied and useful, what a call reads, replaces and lets
//! its outputs depend on.

use std::rc::Rc;

use costate_analysis::activity::Context;
use costate_analysis::effects::Summary;
use costate_analysis::storage::{LocBits, LocId, LocSet};

use crate::session::Session;

/// Facts of every procedure in every context, one paragraph each.
pub fn describe(session: &Session<'_>) -> String {
    session.activity.contexts.iter().map(|c| paragraph(session, c)).collect::<Vec<_>>().join("\n")
}

fn paragraph(session: &Session<'_>, context: &Context) -> String {
    let mut out = format!("{}\n", session.program[context.proc].name);
    let mut line = |what: &str, text: String| {
        if !text.is_empty() {
            out.push_str(&format!("  {what}: {text}\n"));
        }
    };
    line("varied at entry", names(session, &context.varied_in));
    line("useful at exit", names(session, &context.useful_out));
    line("active", names(session, &context.active));
    if let Some(summary) = session.effects.summaries.get(&context.proc) {
        line("reads", names(session, &summary.access.reads));
        line("writes", names(session, &summary.access.writes));
        line("replaces as a whole", names(session, &summary.access.kills));
        line("depends", dependence(session, summary));
    }
    out
}

fn dependence(session: &Session<'_>, summary: &Summary) -> String {
    let one = |(to, from): (&LocId, &Rc<LocBits>)| {
        format!("{}({})", name(session, *to), names(session, &from.iter().collect()))
    };
    summary.depends.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn names(session: &Session<'_>, set: &LocSet) -> String {
    set.iter().map(|l| name(session, *l)).collect::<Vec<_>>().join(", ")
}

fn name(session: &Session<'_>, l: LocId) -> String {
    let loc = session.effects.locs.get(l);
    let mut text = session.program[loc.sym].name.to_string();
    for part in &loc.path {
        text.push('%');
        text.push_str(part);
    }
    text
}
