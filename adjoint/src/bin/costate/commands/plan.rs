//! `costate plan`.

use costate_adjoint::pipeline::{self, Mode};

use crate::cli::PlanArgs;
use crate::front::{self, refuse};
use crate::{Session, Status};

pub(crate) fn run(mut args: PlanArgs, session: &mut Session) -> Result<Status, Status> {
    front::configure(session, &mut args.source)?;
    let mut front = front::open(session, &args.source)?;
    let options = &front.options;
    let made = pipeline::differentiate(
        &mut front.program,
        &session.sources,
        &front.files,
        &front.heads,
        Mode::Adjoint,
        options,
    )
    .map_err(|d| refuse(session, &d))?;
    session.messages.emit(&session.sources, &made.notes);
    if session.messages.verbose() {
        session.messages.print(&format!("{}\n", made.facts));
    }
    if args.json {
        let text = serde_json::to_string_pretty(&made.plans).unwrap_or_default();
        session.messages.print(&format!("{text}\n"));
    } else {
        session.messages.print(&made.plan());
    }
    Ok(Status::Done)
}
