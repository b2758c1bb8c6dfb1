//! Places with something to decide, as a plan sees them.

use costate_grammar::ir::ProcId;

use super::{Site, SiteKind};
use crate::memory::Path;

/// A site, and where its procedure is called from.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    /// The site.
    pub site: Site,
    /// The procedure that it is in.
    pub proc: ProcId,
    /// Its name.
    pub procedure: String,
    /// Other sites around it, from the outermost in.
    pub chain: Path,
    /// The trip count of a loop, at most.
    pub trips: u64,
    /// That isn't known: the count is only taken to be this.
    pub guessed: bool,
}

impl Use {
    /// The site in words.
    pub(crate) fn place(&self) -> String {
        let what = match &self.site.kind {
            SiteKind::Loop(name) | SiteKind::Open(name) | SiteKind::Nest(name) => format!("loop {name}"),
            SiteKind::Call(name) => format!("call of {name}"),
            SiteKind::Value(name) => name.to_string(),
        };
        format!("{}, {what}", self.procedure)
    }
}
