//! Regions of OpenMP and OpenACC, and loops whose iterations they share out, in differentiated code: one in which no
//! derivative has a part stands in the derivative code as a whole, with its directives, as a single statement would.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::activity::Context;
use costate_analysis::covers;
use costate_analysis::effects::{Access, Effects, calls, inner_calls, target};
use costate_analysis::loops::assigned;
use costate_analysis::normal::unserial;
use costate_analysis::storage::{LocId, LocSet, is_allocatable, symbols};
use costate_grammar::ir::{
    Callee, DataKind, Expr, LoopControl, Name, Origin, ProcId, Program, Role, Stmt, StmtKind, SymId, for_each_stmt,
};

use crate::build::Builder;

/// Why a region can't stand in derivative code as it is, and the way out.
pub(crate) type Obstacle = (String, &'static str);

const REMOVE: &str = "remove the directive, or keep the region out of the differentiated code";

/// The facts of the procedure in which a region stands.
pub(crate) struct Surroundings<'a> {
    /// The program.
    pub program: &'a Program,
    /// Activity.
    pub context: &'a Context,
    /// What has a derivative.
    pub storage: &'a LocSet,
}

impl Surroundings<'_> {
    /// True when a region assigns what has derivatives.
    fn carries_in(&self, effects: &mut Effects, stmt: &Stmt) -> bool {
        let access = effects.block_access(self.program, std::slice::from_ref(stmt));
        access.writes.iter().any(|l| self.storage.contains(l))
    }
}

/// A region that stands in derivative code as a whole.
pub(crate) struct Passing {
    /// What it does to what is outside of it.
    pub access: Access,
    /// Variables with derivatives of which it assigns every element, values without derivatives all of them.
    pub zeroed: BTreeSet<SymId>,
}

/// How a region stands in derivative code as a whole, or what keeps it from that.
pub(crate) fn passing(around: &Surroundings<'_>, effects: &mut Effects, stmt: &Stmt) -> Result<Passing, Obstacle> {
    let Surroundings { program, context, storage } = *around;
    if let Some(found) = directives(program, stmt, false).or_else(|| statements(around, effects, stmt)) {
        return Err(found);
    }
    if asks_for_threads(program, effects, stmt) && around.carries_in(effects, stmt) {
        let why = "what is computed in the region may depend on which thread does it, or on how many there are";
        return Err((why.to_string(), "share out the work with directives for loops"));
    }
    let mut access = effects.block_access(program, std::slice::from_ref(stmt));
    let changing = changing(program, effects, context);
    let covered = covers::of_region(program, stmt, &changing);
    for sym in &covered {
        access.kills.extend(effects.locs.leaves(program, *sym, &[]));
    }
    let mut zeroed = BTreeSet::new();
    for active in access.writes.intersection(storage).copied().collect::<Vec<_>>() {
        let sym = effects.locs.get(active).sym;
        if !access.kills.contains(&active) || !covered.contains(&sym) || carries(around, effects, stmt, active) {
            let name = effects.locs.describe(program, active);
            let why = format!("a directive ({}) governs what assigns `{name}`, which carries derivatives", text(stmt));
            return Err((why, REMOVE));
        }
        zeroed.insert(sym);
    }
    if !access.shapes.is_empty() || access.irreproducible {
        let what = if access.irreproducible { "input" } else { "an allocation" };
        return Err((format!("{what} stands in the region of a directive ({})", text(stmt)), REMOVE));
    }
    let touched = access.reads.union(&access.writes).map(|l| effects.locs.get(*l).sym);
    let per_thread = |s: &SymId| program.var(*s).is_some_and(|v| v.directive);
    match touched.into_iter().find(per_thread) {
        Some(s) => {
            let name = &program[s].name;
            Err((format!("a directive governs the storage of `{name}`, which the region uses"), REMOVE))
        }
        None => Ok(Passing { access, zeroed }),
    }
}

/// True for a region whose statements can be followed one by one.
pub(crate) fn can_be_followed(program: &Program, effects: &Effects, stmt: &Stmt) -> bool {
    unserial(program, stmt).is_none() && !asks_for_threads(program, effects, stmt)
}

/// True where statements, or what they call, ask which thread runs them or how many there are.
pub(crate) fn asks_for_threads(program: &Program, effects: &Effects, stmt: &Stmt) -> bool {
    const ASKED: [&str; 7] = [
        "omp_get_thread_num",
        "omp_get_num_threads",
        "omp_get_team_num",
        "omp_get_num_teams",
        "omp_get_level",
        "omp_in_parallel",
        "omp_get_ancestor_thread_num",
    ];
    let asks = |block: &[Stmt]| {
        let mut mentioned = BTreeSet::new();
        crate::remap::mentioned(block, &mut mentioned);
        mentioned.iter().any(|s| ASKED.contains(&program[*s].name.as_str()) && program.var(*s).is_none())
    };
    let own = std::slice::from_ref(stmt);
    let mut called: BTreeSet<ProcId> = BTreeSet::new();
    for p in calls(program, own) {
        called.extend(effects.reached(program, p));
        called.insert(p);
    }
    asks(own) || called.iter().any(|p| effects.bodies.get(p).is_some_and(|b| asks(b)))
}

/// True where a region in a block mentions a variable.
pub(crate) fn uses(block: &[Stmt], sym: SymId) -> bool {
    outermost(block).into_iter().any(|s| {
        let mut mentioned = BTreeSet::new();
        crate::remap::mentioned(std::slice::from_ref(s), &mut mentioned);
        mentioned.contains(&sym)
    })
}

/// The regions of a block that no other region is around.
pub(crate) fn outermost<'a>(block: &'a [Stmt]) -> Vec<&'a Stmt> {
    let inside = |s: &'a Stmt| s.blocks().into_iter().flat_map(|b| outermost(b)).collect::<Vec<_>>();
    block.iter().flat_map(|s| if s.is_region() { vec![s] } else { inside(s) }).collect()
}

/// What the procedure may change.
pub(crate) fn changing(program: &Program, effects: &mut Effects, context: &Context) -> BTreeSet<SymId> {
    let body = effects.bodies.get(&context.proc).cloned().unwrap_or_default();
    let access = effects.block_access(program, &body);
    access.writes.iter().map(|l| effects.locs.get(*l).sym).collect()
}

/// True unless no statement of a region gives a location a value that has a derivative.
fn carries(around: &Surroundings<'_>, effects: &mut Effects, stmt: &Stmt, to: LocId) -> bool {
    let mut found = false;
    for_each_stmt(std::slice::from_ref(stmt), &mut |s| {
        if found || !s.blocks().is_empty() {
            return;
        }
        let access = effects.access(around.program, s);
        if access.writes.contains(&to) {
            let depends = effects.statement_depends(around.program, s, &access);
            let mut from = depends.iter().filter(|d| d.0 == to).flat_map(|d| d.1.iter());
            found = match around.context.varied.get(&s.id) {
                Some(varied) => from.any(|l| varied.contains(&l)),
                None => true,
            };
        }
    });
    found
}

/// The first statement of a region that can't be in one that stands in derivative code.
fn statements(around: &Surroundings<'_>, effects: &mut Effects, stmt: &Stmt) -> Option<Obstacle> {
    let mut told = None;
    for_each_stmt(std::slice::from_ref(stmt), &mut |s| {
        if told.is_some() {
            return;
        }
        let what = statement(around.program, effects, s);
        told = what.map(|what| (format!("{what} stands in the region of a directive"), REMOVE));
        if told.is_none() && around.context.callees.contains_key(&s.id) {
            let why = format!("derivatives pass through a call in the region of the directive ({})", text(stmt));
            told = Some((why, REMOVE));
        }
    });
    told
}

/// The text of a region's directive.
fn text(stmt: &Stmt) -> &str {
    stmt.governing().first().map_or("", |d| &d.directive.text)
}

/// The first directive of a region that isn't understood; `within` tells that the threads of a team wait for each other at
/// the end of what is around it.
fn directives(program: &Program, stmt: &Stmt, within: bool) -> Option<Obstacle> {
    let own = match &stmt.kind {
        StmtKind::Directive { directive, body: None, .. } if directive.ad().is_none() => vec![directive],
        _ => stmt.governing().into_iter().map(|d| d.directive).collect(),
    };
    let mut inside = within;
    for d in own {
        if let Some(part) = d.unfollowed(inside) {
            return Some((format!("what a directive does to data isn't known here ({part})"), REMOVE));
        }
        inside |= d.makes_team();
    }
    let unknown = stmt
        .governing()
        .into_iter()
        .find_map(|d| d.directive.listed().find(|item| d.named(program, item).is_none()).map(str::to_string));
    if let Some(item) = unknown {
        return Some((
            format!("a clause lists `{item}`, which is no variable that is known here by that name"),
            REMOVE,
        ));
    }
    stmt.blocks().into_iter().flatten().find_map(|s| directives(program, s, inside))
}

/// What a statement of a region is, where it can't be in one that stands in derivative code.
fn statement(program: &Program, effects: &mut Effects, s: &Stmt) -> Option<&'static str> {
    let bound = |c: &Callee| matches!(c, Callee::Bound { .. });
    if inner_calls(s).iter().any(|(c, _)| bound(c)) {
        return Some("a call through an object");
    }
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            let whole = lhs.rank > 0 && rhs.rank > 0 && is_allocatable(program, lhs);
            if lhs.is_derived() {
                Some("the assignment of an object")
            } else if whole {
                Some("an assignment that may allocate its variable")
            } else {
                None
            }
        }
        StmtKind::Call { callee, args } => {
            let source = matches!(callee, Callee::Intrinsic(_)) || target(program, callee).is_some();
            if bound(callee) || !source && !effects.inactive.contains(&s.id) {
                Some("a call of a procedure whose source isn't known")
            } else if args.iter().any(|a| a.value.is_derived()) {
                Some("a call with an object")
            } else {
                None
            }
        }
        StmtKind::Do { control: LoopControl::Concurrent { .. }, .. } => Some("a do concurrent loop"),
        StmtKind::Io { kind: DataKind::Read | DataKind::File, .. } => Some("input, or the control of a file,"),
        StmtKind::If { .. }
        | StmtKind::Select { .. }
        | StmtKind::Do { .. }
        | StmtKind::Where { .. }
        | StmtKind::Forall { .. }
        | StmtKind::Exit(_)
        | StmtKind::Cycle(_)
        | StmtKind::Stop { .. }
        | StmtKind::Continue
        | StmtKind::Io { .. }
        | StmtKind::Directive { .. }
        | StmtKind::Comment(_) => None,
        StmtKind::PointerAssign { .. } | StmtKind::Nullify(_) => Some("the association of a pointer"),
        StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } => Some("an allocation"),
        StmtKind::Associate { .. } | StmtKind::BlockScope { .. } => Some("a construct with names of its own"),
        StmtKind::Return | StmtKind::Goto(_) => Some("a jump"),
        StmtKind::Unsupported { .. } => Some("what isn't understood"),
    }
}

/// The variables that the statements of a region assign by themselves, each as a whole; `None` where one can't be named
/// outside.
pub(crate) fn assigned_whole(stmt: &Stmt) -> Option<Vec<Expr>> {
    let changing: BTreeSet<SymId> = assigned(std::slice::from_ref(stmt));
    let mut out: Vec<Expr> = Vec::new();
    let mut fine = true;
    for_each_stmt(std::slice::from_ref(stmt), &mut |s| {
        let list: Vec<&Expr> = match &s.kind {
            StmtKind::Assign { lhs, .. } => vec![lhs],
            StmtKind::Io { items, .. } => items.defines.iter().collect(),
            _ => Vec::new(),
        };
        for e in list {
            let whole = e.array();
            fine &= whole.as_var().is_some() && stands_still(&whole, &changing);
            if !out.contains(&whole) {
                out.push(whole);
            }
        }
    });
    fine.then_some(out)
}

/// True for a reference that means the same before a region as in it.
pub(crate) fn stands_still(e: &Expr, changing: &BTreeSet<SymId>) -> bool {
    e.children().into_iter().all(|c| symbols(c).is_disjoint(changing))
}

/// The variables of the loops in a region.
pub(crate) fn loop_variables(stmt: &Stmt) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(std::slice::from_ref(stmt), &mut |s| {
        if let StmtKind::Do { control: LoopControl::Count { var, .. }, .. } = &s.kind {
            out.insert(*var);
        }
    });
    out
}

/// A region for derivative code, which may be there several times: its constructs get names of their own.
pub(crate) fn copy(b: &mut Builder<'_>, stmt: &Stmt, role: Role) -> Stmt {
    let mut out = derived(b, stmt, role);
    let mut names: BTreeMap<Name, Name> = BTreeMap::new();
    rename(std::slice::from_mut(&mut out), &mut |n| {
        let fresh = || b.taken.fresh(n.as_str());
        names.entry(n.clone()).or_insert_with(fresh).clone()
    });
    out
}

/// Renames the constructs of a block.
fn rename(block: &mut [Stmt], new: &mut dyn FnMut(&Name) -> Name) {
    for s in block {
        match &mut s.kind {
            StmtKind::If { name, .. }
            | StmtKind::Select { name, .. }
            | StmtKind::Do { name, .. }
            | StmtKind::Exit(name)
            | StmtKind::Cycle(name) => *name = name.as_ref().map(&mut *new),
            _ => {}
        }
        s.blocks_mut().into_iter().for_each(|b| rename(b, new));
    }
}

fn derived(b: &mut Builder<'_>, stmt: &Stmt, role: Role) -> Stmt {
    let mut out = b.derive(stmt.kind.clone(), stmt, role);
    (out.leading, out.trailing) = (stmt.leading.clone(), stmt.trailing.clone());
    for block in out.blocks_mut() {
        for s in block {
            *s = derived(b, s, role);
        }
    }
    if let StmtKind::Do { parallel: Some(p), .. } = &mut out.kind {
        for d in &mut p.directives {
            d.origin = Origin::Derived { from: stmt.id, span: d.origin.span(), role };
        }
    }
    out
}
