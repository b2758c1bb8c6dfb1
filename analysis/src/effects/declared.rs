//! What a procedure does of which only the declaration is known: dummies are read and changed as their intents say, and each
//! real value that it leaves depends on all real values that it finds.

use std::collections::BTreeMap;
use std::rc::Rc;

use costate_grammar::ir::{Intent, ProcId, ProcKind, Program};

use super::{Access, Effects, Summary};
use crate::externals::External;
use crate::externals::messages::Traffic;
use crate::storage::{LocBits, LocId};

impl Effects {
    /// How what a procedure leaves depends on what it finds, where its statements don't tell that but what is said of it: each
    /// real value that it changes on all that it reads.
    pub(super) fn told_depends(
        &self,
        program: &Program,
        row: &External,
        access: &Access,
    ) -> BTreeMap<LocId, Rc<LocBits>> {
        let active = |l: &LocId| !row.inactive && !row.without.contains(&program[self.locs.get(*l).sym].name);
        let real = |l: &&LocId| self.locs.is_continuous(program, **l);
        let inputs: Rc<LocBits> = Rc::new(access.reads.iter().filter(real).copied().filter(active).collect());
        let from = |l: &LocId| match active(l) {
            true if access.kills.contains(l) => Rc::clone(&inputs),
            // What isn't replaced for sure may keep its value.
            true => Rc::new(inputs.iter().chain([*l]).collect()),
            false if !access.kills.contains(l) => Rc::new(std::iter::once(*l).collect()),
            false => Rc::default(),
        };
        access.writes.iter().filter(real).map(|l| (*l, from(l))).collect()
    }

    /// The summary of a procedure by its declaration and its row in a table.
    pub(super) fn declared(&mut self, program: &Program, proc: ProcId, row: &External) -> Summary {
        let p = &program[proc];
        let result = if let ProcKind::Function(r) = p.kind { Some(r) } else { None };
        let mut out = Summary::default();
        let pure = p.prefix.is_pure();
        let local = row.traffic == Some(Traffic::Local);
        out.access.communicates = row.traffic.is_some_and(Traffic::communicates);
        out.access.side_effect = row.inactive && !pure && !local || out.access.communicates;
        let (mut inputs, mut outputs) = (LocBits::default(), Vec::new());
        for sym in p.dummies.iter().copied().chain(result) {
            let Some(v) = program.var(sym) else { continue };
            let given = result != Some(sym) && v.intent != Some(Intent::Out);
            let changed = result == Some(sym) || v.intent != Some(Intent::In) && !v.attrs.value;
            let leaves = self.locs.leaves(program, sym, &[]);
            if given {
                out.access.reads.extend(leaves.iter().copied());
            }
            if changed {
                out.access.writes.extend(leaves.iter().copied());
                if !given {
                    out.access.kills.extend(leaves.iter().copied());
                }
            }
            let real = leaves.into_iter().filter(|l| self.locs.is_continuous(program, *l));
            let active = !row.inactive && !row.without.contains(&program[sym].name);
            for l in real {
                if given && active {
                    inputs.insert(l);
                }
                if changed {
                    outputs.push((l, given, active));
                }
            }
        }
        if row.passed {
            let reach = self.named_reach(program);
            out.access.reads.extend(reach.iter().copied());
            if !pure {
                out.access.writes.extend(reach);
                out.access.side_effect = true;
            }
        }
        // What it writes may come from a file, or from another call.
        if row.inactive && !pure && row.traffic.is_none() {
            out.access.unsteady = out.access.writes.clone();
        }
        if row.traffic.is_some_and(Traffic::is_matched) {
            self.match_messages(program, row, &outputs, &inputs, &mut out);
            return out;
        }
        let inputs = Rc::new(inputs);
        for (l, given, active) in outputs {
            let from = match active {
                true => Rc::clone(&inputs),
                // What keeps a part of its value keeps the derivative of that.
                false if given => Rc::new(std::iter::once(l).collect()),
                false => Rc::default(),
            };
            out.depends.insert(l, from);
        }
        out
    }

    /// What a procedure receives depends on all that is sent, here or on other processes, before or behind.
    fn match_messages(
        &mut self,
        program: &Program,
        row: &External,
        outputs: &[(LocId, bool, bool)],
        inputs: &LocBits,
        out: &mut Summary,
    ) {
        let messages = self.messages(program);
        let mut sent: LocBits = messages.iter().copied().collect();
        let assigned = |l: LocId| outputs.iter().any(|(o, ..)| *o == l);
        let replaces = inputs.iter().all(assigned);
        let collective = row.traffic == Some(Traffic::Branched);
        if row.traffic != Some(Traffic::Receives) {
            sent.extend(inputs.iter().filter(|l| collective || replaces || !assigned(*l)));
        }
        for (l, given, active) in outputs {
            // What a collective call gives comes from its own arguments, too.
            let own = inputs.iter().filter(|i| collective || *given && i == l);
            let from = own.chain(messages.iter().copied().filter(|_| *active));
            out.depends.insert(*l, Rc::new(from.collect()));
        }
        let sent = Rc::new(sent);
        out.depends.extend(messages.into_iter().map(|l| (l, Rc::clone(&sent))));
    }
}
