//! Which parts of an array that the program itself has on a device are newer there than on the host, and the other way round.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{LoopControl, Program, Stmt, StmtKind, SymId};

use super::current::{Current, Flow};
use super::parts::{Counted, Piece, counted};

type Pieces = BTreeMap<SymId, BTreeSet<Piece>>;

/// Parts that one side has changed since they were the same on both; all that isn't known is a part of which nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Newer {
    host: Pieces,
    device: Pieces,
}

impl Newer {
    /// The host changes a part.
    pub(super) fn on_host(&mut self, sym: SymId, piece: Piece) {
        self.host.entry(sym).or_default().insert(piece);
    }

    /// The device changes a part.
    pub(super) fn on_device(&mut self, sym: SymId, piece: Piece) {
        self.device.entry(sym).or_default().insert(piece);
    }

    /// A part of one copy is brought up to date; `None` for all of it.
    pub(super) fn brought(&mut self, sym: SymId, to_device: bool, part: Option<&Piece>) {
        let Some(part) = part else {
            self.host.remove(&sym);
            self.device.remove(&sym);
            return;
        };
        let pieces = if to_device { &mut self.host } else { &mut self.device };
        if let Some(all) = pieces.get_mut(&sym) {
            all.retain(|p| !p.is_within(part));
        }
    }

    /// Something else is done with an array.
    pub(super) fn does(&mut self, sym: SymId, flow: Flow) {
        let [both, host, device] = [Current::Both, Current::Host, Current::Device].map(|c| flow.behind_there(c));
        match both {
            Current::Both if host == Current::Both && device == Current::Both => self.brought(sym, true, None),
            Current::Both if host == Current::Both => _ = self.host.remove(&sym),
            Current::Both if device == Current::Both => _ = self.device.remove(&sym),
            Current::Both => {}
            Current::Host => self.on_host(sym, Piece::default()),
            Current::Device => self.on_device(sym, Piece::default()),
            _ => {
                self.on_host(sym, Piece::default());
                self.on_device(sym, Piece::default());
            }
        }
    }

    /// The state of an array that was up to date on both sides.
    pub(super) fn state(&self, sym: SymId) -> Current {
        let some = |pieces: &Pieces| pieces.get(&sym).is_some_and(|all| !all.is_empty());
        match (some(&self.host), some(&self.device)) {
            (false, false) => Current::Both,
            (true, false) => Current::Host,
            (false, true) => Current::Device,
            (true, true) => Current::Unknown,
        }
    }

    /// What may be so after one of both.
    pub(super) fn join(&mut self, other: Newer) {
        for (all, others) in [(&mut self.host, other.host), (&mut self.device, other.device)] {
            for (sym, pieces) in others {
                all.entry(sym).or_default().extend(pieces);
            }
        }
    }

    /// Some variables have other values.
    pub(super) fn revise(&mut self, revised: &impl Fn(SymId) -> bool) {
        self.map(|p| p.without(revised));
    }

    /// The same behind a loop that counts with a variable.
    pub(super) fn behind(&mut self, program: &Program, by: &Counted) {
        self.map(|p| p.behind(program, by));
    }

    fn map(&mut self, to: impl Fn(Piece) -> Piece) {
        for all in self.host.values_mut().chain(self.device.values_mut()) {
            *all = std::mem::take(all).into_iter().map(&to).collect();
        }
    }
}

/// The parts of an array that assignments in a block change, where nothing else changes it; `None` where they aren't known.
pub(super) fn assigned_parts(program: &Program, block: &[Stmt], sym: SymId) -> Option<BTreeSet<Piece>> {
    let mut out = BTreeSet::new();
    for s in block {
        match &s.kind {
            StmtKind::Assign { lhs, .. } => {
                let own = lhs.as_var().filter(|d| d.sym == sym);
                out.extend(own.map(|d| Piece::by(program, d)));
            }
            StmtKind::Do { control: LoopControl::While(_) | LoopControl::Forever, .. } => return None,
            StmtKind::Do { body, .. } => {
                let by = counted(program, s);
                let inside = assigned_parts(program, body, sym)?;
                out.extend(inside.into_iter().map(|p| by.iter().fold(p, |p, c| p.behind(program, c))));
            }
            StmtKind::If { .. } | StmtKind::Directive { .. } => {
                for b in s.blocks() {
                    out.extend(assigned_parts(program, b, sym)?);
                }
            }
            StmtKind::Comment(_) | StmtKind::Continue => {}
            _ => return None,
        }
    }
    Some(out)
}
