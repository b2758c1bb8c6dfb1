//! `costate check`.

use crate::cli::CheckArgs;
use crate::front;
use crate::{Session, Status};

pub(crate) fn run(mut args: CheckArgs, session: &mut Session) -> Result<Status, Status> {
    front::configure(session, &mut args.source)?.complete_check(&mut args);
    front::open(session, &args.source)?;
    Ok(Status::Bug)
}
