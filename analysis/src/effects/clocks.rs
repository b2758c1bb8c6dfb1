//! Values that are others each time they are asked for: those of clocks, of procedures that keep a state of their own or whose
//! source isn't known, and what is worked out from them.
//!
//! Unlike `read` and `random_number`, a statement that asks for one may run again: it leaves nothing behind. What matters is
//! who uses the value.

use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{Arg, Program, Stmt, StmtKind, for_each_stmt};

use super::{Access, Effects};
use crate::storage::LocSet;

/// The argument of a call that takes a clock's value; all of them where none is named. `None` for other intrinsics.
pub(super) fn asked(f: Intrinsic) -> Option<Option<&'static str>> {
    match f {
        Intrinsic::CpuTime | Intrinsic::DateAndTime => Some(None),
        // The rate and the maximum of a clock stay the same.
        Intrinsic::SystemClock => Some(Some("count")),
        _ => None,
    }
}

impl Effects {
    /// What a call of a clock does.
    pub(super) fn clock(&mut self, program: &Program, only: Option<&str>, args: &[Arg]) -> Access {
        let mut out = Access::default();
        for (i, arg) in args.iter().enumerate() {
            let mut one = Access::default();
            self.write(program, &arg.value, &mut one);
            let name = arg.keyword.as_ref().map(|k| k.as_str());
            if only.is_none_or(|o| name.map_or(i == 0, |n| n == o)) {
                out.unsteady.extend(one.writes.iter().copied());
            }
            out.reads.extend(one.reads);
            out.writes.extend(one.writes);
            // The array of `date_and_time` may be longer than what it is given.
            if arg.value.rank == 0 {
                out.kills.extend(one.kills);
            }
        }
        out
    }

    /// All that may hold other values when a block runs again from the same state: it takes them from a clock, from what
    /// does, or is assigned where such a value says so. Nothing is known of the order of statements here.
    pub fn unsteady(&mut self, program: &Program, block: &[Stmt]) -> LocSet {
        self.unsteady_with(program, block, LocSet::new())
    }

    /// The same where some variables hold such values to begin with.
    pub(super) fn unsteady_with(&mut self, program: &Program, block: &[Stmt], from: LocSet) -> LocSet {
        let mut out = from;
        loop {
            let before = out.len();
            if self.spread(program, block, false, &mut out) {
                // A clock decides what runs at all.
                for_each_stmt(block, &mut |s| out.extend(self.access(program, s).writes));
                return out;
            }
            if out.len() == before {
                return out;
            }
        }
    }

    /// Such values that something else may depend on.
    pub fn unsteady_in_use(&mut self, program: &Program, block: &[Stmt]) -> LocSet {
        let found = self.unsteady(program, block);
        found.difference(&self.counters(program)).copied().collect()
    }

    /// True when such a value decides about a jump.
    fn spread(&mut self, program: &Program, block: &[Stmt], guarded: bool, out: &mut LocSet) -> bool {
        let mut jumps = false;
        let counters = self.counters(program);
        for stmt in block {
            let a = self.access(program, stmt);
            // A counter has a part in nothing but what is assigned to others.
            let guarded = guarded || a.reads.intersection(out).any(|l| !counters.contains(l));
            let counts = matches!(stmt.kind, StmtKind::Assign { .. }) && !a.reads.is_disjoint(out);
            out.extend(if guarded || counts { a.writes } else { a.unsteady });
            let jump = matches!(
                stmt.kind,
                StmtKind::Exit(_)
                    | StmtKind::Cycle(_)
                    | StmtKind::Return
                    | StmtKind::Goto(_)
                    | StmtKind::Unsupported { .. }
            );
            jumps |= jump && guarded;
            for b in stmt.blocks() {
                jumps |= self.spread(program, b, guarded, out);
            }
        }
        jumps
    }
}
