//! Effects: what a statement and a whole procedure read, write, surely replace, and how outputs depend on inputs.
//!
//! Everything works on normal form. Summaries speak of a procedure's dummies, its function result and of variables that
//! outlive a call; a call site maps them to its actual arguments.

mod access;
mod apart;
mod call_map;
mod changed;
mod clocks;
mod counted;
mod counters;
mod declared;
mod dependences;
mod extent;
mod finals;
mod flow;
mod known;
mod messages;
mod own_memory;
mod regions;
mod sequences;
mod shared;
mod sharing;
mod summary;
mod threads;
mod unknown;
mod uses;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use costate_grammar::ir::{ProcId, ProcKind, Program, StmtId, SymId};

pub use self::call_map::CallMap;
pub use self::changed::{Ranges, common_ranges, is_plain_global, section_of_actual, section_of_global, subscript};
pub use self::counted::Counted;
pub use self::dependences::Dependences;
pub use self::finals::{finalisers, finals_of, leaves_trace};
pub use self::messages::steers_messages_only;
pub use self::sequences::{is_fixed, section_of_sequence, window_of_sequence};
pub use self::sharing::{Piece, Sharing, elements};
pub use self::threads::{ThreadVariables, is_copied_in, thread_variables};
pub use self::unknown::inner_calls;
pub use self::uses::{KnownUses, Use, Uses, in_module};
use crate::callgraph::{Bodies, functions, reached_in};
pub use crate::callgraph::{calls, reached};
pub use crate::calls::{bind, call_parts, called, target};
use crate::externals::External;
use crate::storage::{Loc, LocBits, LocId, LocSet, Locs, is_global};

/// What one statement (for a construct: its header) does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Locations whose value may be used.
    pub reads: LocSet,
    /// Locations that may be assigned.
    pub writes: LocSet,
    /// Those of them that are replaced as a whole for sure.
    pub kills: LocSet,
    /// Locations that may be allocated, freed, or given another shape.
    pub shapes: LocSet,
    /// Allocatable variables of derived types that may themselves be allocated or freed, by their own paths.
    pub holders: LocSet,
    /// Input, output, stop: something the user can see.
    pub side_effect: bool,
    /// Can't be run twice with the same result (`read`, `random_number`).
    pub irreproducible: bool,
    /// Other processes take part: it runs again only where it does so on all of them.
    pub communicates: bool,
    /// Variables of modules are put on a device, or taken off: where some of that runs again, all of it does.
    pub on_device: bool,
    /// Locations that may be assigned a value of a clock, or one that depends on such a value.
    pub unsteady: LocSet,
}

/// What a location gets by a statement: the location, those that its new value depends on, and whether it is replaced as a
/// whole for sure.
pub type Dependence = (LocId, Rc<LocBits>, bool);

/// What a call of a procedure does, seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Accesses by dummies, result and outliving variables. `reads` are those that may see the value at entry.
    pub access: Access,
    /// For each output the inputs (values at entry) it depends on in a differentiable way. An output that is missing
    /// keeps its value.
    pub depends: BTreeMap<LocId, Rc<LocBits>>,
}

/// Normal forms and summaries of all procedures that matter.
#[derive(Debug, Default)]
pub struct Effects {
    /// The interner.
    pub locs: Locs,
    /// Normal-form bodies.
    pub bodies: Bodies,
    /// Procedures without source of which a table tells what they do. They have no bodies.
    pub externals: BTreeMap<ProcId, Arc<External>>,
    /// Procedures whose body has no normal form: nothing is sure about their order of execution.
    pub unstructured: BTreeSet<ProcId>,
    /// Summaries.
    pub summaries: BTreeMap<ProcId, Rc<Summary>>,
    /// The procedures whose summaries have been asked for while another one was made.
    consulted: RefCell<BTreeSet<ProcId>>,
    /// What a procedure without source may read and write beside its arguments.
    pub reach: LocSet,
    /// The variables behind it.
    reached: BTreeSet<SymId>,
    /// A procedure that goes down in components without end; nothing that is known of it holds.
    pub endless: Option<ProcId>,
    /// What stands for messages between processes on their way, where there are any: derivatives pass from what is sent to what
    /// is received. Each of several depends on all, so that a call that does nothing but wait is seen to have a part in it.
    pub under_way: Vec<SymId>,
    /// Calls that the user declares to have nothing to do with the derivative.
    pub inactive: BTreeSet<StmtId>,
    /// Associations of pointers from before the heads are called that they may use.
    pub exposed: BTreeSet<Loc>,
    /// Associations of module pointers that a head makes itself, in a loop that may run no time or in elements of an array
    /// that may be others than it uses: then it would use those from before. Their derivatives are associated with nothing at
    /// the head's start.
    pub presumed: BTreeSet<Loc>,
    /// Loops are taken to run at least once, and elements to be those that are used, as far as associations of module pointers
    /// are concerned.
    presumes: bool,
    /// Which pointers are apart where procedures are called, once that has been asked for.
    apart: Option<self::apart::Apart>,
    /// Variables that nothing else depends on, once that has been asked for.
    counters: Option<Rc<LocSet>>,
    /// Parts of arrays that procedures work on, as far as that has been asked for.
    parts: self::changed::Parts,
    /// What is known of integers in procedures, as far as that has been asked for.
    integers: BTreeMap<ProcId, Rc<self::known::Integers>>,
}

impl Effects {
    /// Where messages on their way are.
    pub fn messages(&mut self, program: &Program) -> Vec<LocId> {
        let symbols = self.under_way.clone();
        symbols.into_iter().flat_map(|s| self.locs.leaves(program, s, &[])).collect()
    }

    /// A procedure and all that it calls, directly or not, as they are in normal form.
    pub fn reached(&self, program: &Program, from: ProcId) -> Vec<ProcId> {
        reached_in(program, from, &self.bodies)
    }
}

/// True for what a caller can see of a procedure's variable.
pub fn outlives(program: &Program, proc: ProcId, sym: SymId) -> bool {
    let p = &program[proc];
    let own = program[sym].scope == p.scope || within(program, program[sym].scope, p.scope);
    let Some(var) = program.var(sym) else { return false };
    if !own || is_global(program, sym) {
        return true;
    }
    var.dummy.is_some()
        || p.kind == ProcKind::Function(sym)
        || (var.attrs.save && !var.attrs.parameter)
        || var.common.is_some()
}

/// True for a variable that a procedure, its hosts and those inside it have a name for, by their scopes.
pub fn is_named_in(program: &Program, proc: ProcId, sym: SymId) -> bool {
    let (home, own) = (program[sym].scope, program[proc].scope);
    is_global(program, sym) || home == own || within(program, home, own) || within(program, own, home)
}

/// True for a scope inside another.
pub fn within(program: &Program, inner: costate_grammar::ir::ScopeId, outer: costate_grammar::ir::ScopeId) -> bool {
    let mut at = program[inner].parent;
    while let Some(s) = at {
        if s == outer {
            return true;
        }
        at = program[s].parent;
    }
    false
}
