//! Target dummies that pointers lead to as well: those of outside, to the dummy, and those of its procedure, to what is passed
//! for it. Their actual arguments stand for them.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::ir::{ProcId, Program, SymId};

use super::alias::Place;
use super::loc::{Loc, Root, is_global};
use super::locs::Locs;
use crate::effects::within;

impl Locs {
    /// Target dummies that pointers outside their procedures may point to: their actual arguments stand for them.
    pub(super) fn find_escaping(
        &mut self,
        program: &Program,
        actuals: &BTreeMap<SymId, Vec<Option<Place>>>,
        heads: &[ProcId],
    ) {
        let mut escaping: BTreeSet<SymId> = self.targets.dummies.keys().copied().collect();
        for (cell, objects) in &self.targets.known {
            for o in objects.iter().filter(|o| o.root == Root::Variable) {
                let dummy = program.var(o.sym).is_some_and(|v| v.dummy.is_some());
                let home = program[o.sym].scope;
                let local = program[cell.sym].scope == home
                    && cell.root == Root::Variable
                    && program.var(cell.sym).is_some_and(|v| v.dummy.is_none() && !v.result && !v.attrs.save);
                if dummy && !local {
                    escaping.insert(o.sym);
                }
            }
        }
        escaping.extend(self.met_by_pointers(program, actuals));
        let of_heads: BTreeSet<SymId> = heads.iter().flat_map(|h| &program[*h].dummies).copied().collect();
        for dummy in escaping {
            let mut list = Vec::new();
            let own = Loc::named(dummy, Vec::new());
            let given = actuals.get(&dummy).cloned().unwrap_or_default();
            if of_heads.contains(&dummy) || given.is_empty() || given.iter().any(Option::is_none) {
                list.push(own.clone());
            }
            for p in given.into_iter().flatten() {
                for o in self.way(program, p.0, &p.1).objects {
                    if !list.contains(&o) && o.sym != dummy {
                        list.push(o);
                    }
                }
            }
            if list != [own] {
                self.targets.dummies.insert(dummy, list);
            }
        }
    }

    /// Target dummies whose actual arguments pointers of their procedures may point to, which come from elsewhere.
    fn met_by_pointers(&self, program: &Program, actuals: &BTreeMap<SymId, Vec<Option<Place>>>) -> Vec<SymId> {
        let mut out = Vec::new();
        for (&dummy, given) in actuals {
            let home = program[dummy].scope;
            let usable = |cell: &Loc| {
                let scope = program[cell.sym].scope;
                cell.root != Root::Variable
                    || is_global(program, cell.sym)
                    || home == scope
                    || within(program, home, scope)
            };
            let passed: Vec<Loc> = given.iter().flatten().flat_map(|p| self.way(program, p.0, &p.1).objects).collect();
            let meets = |o: &Loc| passed.iter().any(|a| may_meet(a, o));
            let mut cells = self.targets.known.iter().filter(|(cell, _)| usable(cell));
            if cells.any(|(_, objects)| objects.iter().any(|o| o.sym != dummy && meets(o))) {
                out.push(dummy);
            }
        }
        out
    }
}

/// Whether one place is the other, or lies in it.
fn may_meet(a: &Loc, b: &Loc) -> bool {
    let inside = |x: &Loc, y: &Loc| y.path.starts_with(&x.path);
    a.sym == b.sym && a.root == b.root && (inside(a, b) || inside(b, a))
}
