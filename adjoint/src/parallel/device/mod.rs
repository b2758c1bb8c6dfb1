//! Arrays stay on the device between the loops of generated code that run there. A loop alone copies what it uses there and
//! back; where a procedure has several, or other statements between them, one data region is around them all. In it
//! assignments of arrays become loops for the device ([`array_loops`]), and what the host does is put between updates
//! ([`host`]); what keeps its memory may be assigned as a whole ([`memory`]). Called procedures keep to the same rule
//! ([`callees`]), and what they leave on queues is waited for ([`queues`]). What these rely on there is brought there, where it isn't kept
//! ([`present`]).
//!
//! What holds: where a procedure begins and ends, memory of the host is up to date, or the device has a copy that is; in a
//! data region the copy on the device is.

mod alone;
mod array_loops;
mod callees;
mod code;
mod conditions;
mod current;
mod ending;
mod expanded;
mod flow;
mod host;
mod inside;
mod memory;
mod newer;
mod parts;
mod place;
mod present;
mod queues;
mod touch;

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::devices::{Moved, declared_on_devices};
use costate_grammar::ir::{Block, Program, ScopeId, ScopeKind, Stmt, StmtKind, SymId, Variable, for_each_stmt};
use costate_grammar::lines::Sentinel;
use costate_grammar::source::Span;

use super::arriving::arriving;
use crate::names::Taken;
use code::{mentioned, values};
use ending::{freed, left_to_the_end};
use host::Walk;
use memory::Memory;
use place::Place;

pub(super) use alone::places_of_one_thread;
pub(crate) use callees::Assumptions;
pub(super) use callees::{Callees, hold};
pub(super) use code::is_device_code;
pub(crate) use touch::Divided;

pub(super) use expanded::with_memory_before_loops;

/// Tells which variables outlive a procedure.
pub(super) type Left<'l> = &'l dyn Fn(&Program, SymId) -> bool;

/// Where arrays of a generated procedure are.
#[derive(Default)]
struct Kept {
    /// Those that are on the device.
    resident: BTreeSet<SymId>,
    /// Those that may be there by other directives; their copy is up to date then.
    entered: BTreeSet<SymId>,
    /// Those of which a call leaves it open where they are up to date.
    divided: BTreeSet<Divided>,
}

/// Keeps arrays of a generated procedure on the device; `left` tells which variables outlive it. `one_thread` are the places
/// of statements that one thread of the device runs.
pub(super) fn keep(
    program: &mut Program,
    callees: &Callees<'_>,
    (scope, left): (ScopeId, Left<'_>),
    one_thread: BTreeMap<Span, Sentinel>,
    names: &mut Taken,
    body: &mut Block,
) -> BTreeSet<Divided> {
    let kept = keep_arrays(program, callees, (scope, left), one_thread, names, body);
    let mut divided = present::bring(program, (callees, &kept), body);
    divided.extend(kept.divided);
    queues::wait_behind_calls(program, body);
    divided
}

/// Returns where arrays are.
fn keep_arrays(
    program: &mut Program,
    callees: &Callees<'_>,
    (scope, left): (ScopeId, Left<'_>),
    one_thread: BTreeMap<Span, Sentinel>,
    names: &mut Taken,
    body: &mut Block,
) -> Kept {
    let mut kept = Kept::default();
    let outlasting = outlasting(program, callees, body);
    let sentinel = sentinel(program, callees, (&one_thread, body)).or_else(|| outlasting.values().next().copied());
    let Some(sentinel) = sentinel else { return kept };
    let mut jumps = false;
    for_each_stmt(body, &mut |s| jumps |= matches!(s.kind, StmtKind::Return | StmtKind::Goto(_)));
    let copies = BTreeMap::new();
    let mut place = Place { program, scope, names, sentinel, callees, shapes: host::shapes(body), copies, one_thread };
    // Threads of OpenMP can't be started inside a data region of OpenACC.
    let mut threads = false;
    for_each_stmt(body, &mut |s| {
        threads |= !is_device_code(s) && s.governing().iter().any(|d| d.directive.omp().is_some());
    });
    if sentinel == Sentinel::Acc && place.is_conditional(body) {
        return kept;
    }
    let apart = jumps || sentinel == Sentinel::Acc && threads;
    let used = on_device(&place, body);
    let tracked: BTreeSet<SymId> = used.iter().copied().filter(|s| fits(place.program, *s)).collect();
    let entered = entered(&place, body, &outlasting);
    let (first, coming) = first_statement(&place, left, &tracked, body);
    let mut excluded: BTreeSet<SymId> = host::given_memory(&body[..first]);
    // Local arrays that have memory from there would be copied without need, and perhaps before they have any.
    excluded.retain(|x| !left(place.program, *x));
    let rest = body.split_off(first);
    let before = code::all_mentioned(body);
    let memory = Memory::of(&place, left, &rest);
    place.copies.clone_from(&memory.copies);
    excluded.extend(&memory.unsteady);
    excluded.extend(arriving(place.program, &rest));
    excluded.extend(code::used_by_address(&rest));
    excluded.extend(taken_off(place.program, [body.as_slice(), &rest]));
    if apart {
        excluded.extend(&tracked);
    }
    let made = loop {
        let resident: BTreeSet<SymId> = tracked.difference(&excluded).copied().collect();
        if resident.is_empty() && entered.is_empty() {
            break rest;
        }
        let mut walk = Walk::new(&mut place, (resident, &entered), &memory);
        let made = walk.block(&rest);
        match walk.finish() {
            Ok(found) if found.events > 1 || found.host || found.alone => {
                let ending = left_to_the_end(place.program, left, &made);
                let made = freed(&mut place, made, &found.copies.union(&ending).copied().collect());
                let made = held(&mut place, made, coming.intersection(&found.resident));
                kept.resident.clone_from(&found.resident);
                kept.divided.extend(found.divided);
                break around(&mut place, left, (made, &found.resident), &before);
            }
            Ok(found) => {
                kept.divided.extend(found.divided);
                break rest;
            }
            Err(unfit) => excluded.extend(unfit),
        }
    };
    if !entered.is_empty() {
        let mut walk = Walk::new(&mut place, (BTreeSet::new(), &entered), &memory);
        *body = walk.block(body);
        kept.divided.extend(walk.finish().map(|found| found.divided).unwrap_or_default());
    }
    body.extend(made);
    kept.divided.retain(|d| !is_there_inside(place.program, d, body));
    kept.entered = entered;
    kept
}

/// True where nothing but the call has the array on the device: it puts it there and takes it off again, and no other statement
/// leaves it there.
fn is_there_inside(program: &Program, divided: &Divided, body: &[Stmt]) -> bool {
    let (mut inside, mut outside) = (false, false);
    for_each_stmt(body, &mut |s| {
        if !s.blocks().is_empty() {
            return;
        }
        let mut moved = Moved::default();
        moved.add(program, s);
        let [put, taken] = [&moved.put, &moved.taken].map(|set| set.contains(&divided.sym));
        if s.origin.span() == divided.call {
            inside |= put && taken;
        } else {
            outside |= put && !taken;
        }
    });
    inside && !outside
}

/// Where the data region may begin at the earliest: after what gives memory to arrays that outlive the procedure, which may
/// stand before all that runs on the device. Also those of them that get or lose memory later.
fn first_statement(
    place: &Place<'_>,
    left: Left<'_>,
    tracked: &BTreeSet<SymId>,
    body: &[Stmt],
) -> (usize, BTreeSet<SymId>) {
    let touch = |s: &Stmt| place.callees.touch(place.program, s).unwrap_or_default();
    let runs = |s: &Stmt| {
        let mut found = false;
        for_each_stmt(std::slice::from_ref(s), &mut |x| {
            found |= is_device_code(x) || touch(x).is_about_device();
        });
        found
    };
    let lead = body.iter().position(runs).unwrap_or(body.len());
    let (mut first, mut later) = (0, BTreeSet::new());
    for (k, s) in body.iter().enumerate() {
        let mut changed = BTreeSet::new();
        for_each_stmt(std::slice::from_ref(s), &mut |x| {
            changed.extend(callees::given_memory(x));
            changed.extend(touch(x).allocated);
        });
        changed.retain(|x| tracked.contains(x) && left(place.program, *x));
        if k < lead && !changed.is_empty() {
            first = k + 1;
        } else {
            later.extend(changed);
        }
    }
    (first, later)
}

/// Arrays that directives of other procedures may have put on the device: those that called procedures put there, those of
/// modules with which any procedure does, and those that are declared there.
fn entered(place: &Place<'_>, body: &[Stmt], outlasting: &BTreeMap<SymId, Sentinel>) -> BTreeSet<SymId> {
    let program = &*place.program;
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        out.extend(place.callees.touch(program, s).into_iter().flat_map(|t| t.entered));
    });
    out.extend(outlasting.keys());
    out.retain(|x| is_nameable(program, *x));
    out
}

/// Arrays that directives may take off the device while they are kept there: those that were put there by nothing else, and those
/// that aren't there for the whole region.
fn taken_off(program: &Program, [before, kept]: [&[Stmt]; 2]) -> BTreeSet<SymId> {
    let mut moved = Moved::default();
    [before, kept].into_iter().for_each(|block| for_each_stmt(block, &mut |s| moved.add(program, s)));
    let inside = host::given_memory(kept);
    moved.taken.difference(&moved.put).chain(moved.at_last.intersection(&inside)).copied().collect()
}

/// True for an array that directives can name.
fn is_nameable(program: &Program, sym: SymId) -> bool {
    let nameable = |v: &Variable| v.ty.derived().is_none() && !v.attrs.optional && super::has_whole(v);
    program.var(sym).is_some_and(|v| v.rank() > 0 && !v.attrs.parameter && nameable(v))
}

/// Arrays that a body uses and that it puts on the device for longer than it lasts, and those of modules with which any procedure
/// does, by what puts them there.
fn outlasting(program: &Program, callees: &Callees<'_>, body: &[Stmt]) -> BTreeMap<SymId, Sentinel> {
    let mut put = BTreeMap::new();
    let of_module = |x: &SymId| matches!(program[program[*x].scope].kind, ScopeKind::Module(_));
    for (_, p) in program.procedures() {
        for_each_stmt(&p.body, &mut |s| {
            let StmtKind::Directive { directive, .. } = &s.kind else { return };
            let entered = callees::entered(s).into_iter().filter(of_module);
            put.extend(entered.map(|x| (x, directive.sentinel)));
        });
    }
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Directive { directive, .. } = &s.kind {
            put.extend(callees::entered(s).into_iter().map(|x| (x, directive.sentinel)));
        }
    });
    let mut used = code::all_mentioned(body);
    for_each_stmt(body, &mut |s| {
        used.extend(callees::entered(s));
        used.extend(callees.touch(program, s).into_iter().flat_map(|t| t.host.into_iter().chain(t.device)));
    });
    let kind = |x: SymId| {
        let declared = [("!$acc declare", Sentinel::Acc), ("!$omp declare target", Sentinel::Omp)];
        let found = declared.into_iter().find(|(words, _)| declared_on_devices(program, x, words));
        found.map(|(_, kind)| kind).or_else(|| put.get(&x).copied())
    };
    let nameable = used.into_iter().filter(|x| is_nameable(program, *x));
    nameable.filter_map(|x| Some((x, kind(x)?))).collect()
}

/// Puts arrays on the device at the start, where they have memory, and takes them back at the end.
fn held<'s>(place: &mut Place<'_>, mut body: Block, coming: impl Iterator<Item = &'s SymId>) -> Block {
    let (Some(first), Some(last)) = (body.first().cloned(), body.last().cloned()) else { return body };
    let mut before = Block::new();
    for sym in coming {
        let list = [*sym];
        let name = place.list(&list);
        let mut at = |acc: &str, omp: &str, from: &Stmt| {
            let texts = [format!("{acc}({name})"), format!("target {omp}: {name})")];
            let inner: Block = place.directive([&texts[0], &texts[1]], from, &list, None).into_iter().collect();
            memory::branch(place, *sym, true, inner)
        };
        before.extend(at("enter data copyin", "enter data map(to", &first));
        body.extend(at("exit data copyout", "exit data map(from", &last));
    }
    before.extend(body);
    before
}

/// The directives that a procedure's loops for a device have; `None` where there are none, or some of each kind.
fn sentinel(
    program: &Program,
    callees: &Callees<'_>,
    (one_thread, body): (&BTreeMap<Span, Sentinel>, &[Stmt]),
) -> Option<Sentinel> {
    let mut found = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if is_device_code(s) {
            found.insert(s.governing().iter().any(|d| d.directive.acc().is_some()));
        } else if let Some(touch) = callees.touch(program, s) {
            found.extend(touch.kinds);
        }
        found.extend(one_thread.get(&s.origin.span()).map(|kind| *kind == Sentinel::Acc));
    });
    match found.into_iter().collect::<Vec<_>>()[..] {
        [true] => Some(Sentinel::Acc),
        [false] => Some(Sentinel::Omp),
        _ => None,
    }
}

/// The arrays that loops for the device use, here and in procedures that are called, and those that assignments connect
/// with them: snapshots, say.
fn on_device(place: &Place<'_>, body: &[Stmt]) -> BTreeSet<SymId> {
    let mut out = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if is_device_code(s) || place.one_thread.contains_key(&s.origin.span()) {
            out.extend(mentioned(s));
        } else if let Some(touch) = place.callees.touch(place.program, s) {
            out.extend(touch.device);
        }
    });
    let array = |x: &SymId| place.program.var(*x).is_some_and(|v| v.rank() > 0);
    out.retain(array);
    let connect = |s: &Stmt, out: &mut BTreeSet<SymId>| {
        let StmtKind::Assign { lhs, rhs } = &s.kind else { return };
        let mut used = BTreeSet::from_iter(lhs.as_var().map(|d| d.sym));
        values(rhs, &mut used);
        used.retain(array);
        if !used.is_disjoint(out) && used.iter().all(|x| fits(place.program, *x)) {
            out.extend(used);
        }
    };
    let elements = alone::candidates(place, body);
    loop {
        let before = out.len();
        for_each_stmt(body, &mut |s| {
            if let StmtKind::Assign { lhs, .. } = &s.kind
                && lhs.rank > 0
            {
                connect(s, &mut out);
            }
        });
        elements.iter().for_each(|s| connect(s, &mut out));
        if out.len() == before {
            return out;
        }
    }
}

/// True for an array that a clause can name and that has no other name.
fn fits(program: &Program, sym: SymId) -> bool {
    let plain = |v: &Variable| {
        let a = &v.attrs;
        v.rank() > 0
            && v.ty.derived().is_none()
            && !(v.has_other_names() || a.parameter || a.optional || v.directive)
            && super::has_whole(v)
    };
    program.var(sym).is_some_and(plain)
}

/// The data region, from the first statement that mentions one of the arrays to the last.
/// `before` it stand these variables.
fn around(
    place: &mut Place<'_>,
    left: Left<'_>,
    (mut body, resident): (Block, &BTreeSet<SymId>),
    before: &BTreeSet<SymId>,
) -> Block {
    let concerns = |s: &Stmt| {
        let mut found = !mentioned(s).is_disjoint(resident);
        for_each_stmt(std::slice::from_ref(s), &mut |x| {
            if let StmtKind::Directive { names, .. } = &x.kind {
                found |= names.iter().any(|n| resident.contains(n));
            }
            let touch = place.callees.touch(place.program, x);
            found |= touch.is_some_and(|t| [&t.host, &t.device, &t.updated].iter().any(|s| !s.is_disjoint(resident)));
        });
        found
    };
    let (Some(first), Some(last)) = (body.iter().position(concerns), body.iter().rposition(concerns)) else {
        return body;
    };
    let after = body.split_off(last + 1);
    let inner = body.split_off(first);
    let allocated = host::given_memory(&inner);
    let written = host::written(place, &inner);
    let (mut read, mut both, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for sym in resident.iter().filter(|s| !allocated.contains(s)) {
        let kept = place.program.var(*sym).is_none_or(|v| v.attrs.save || v.init.is_some() || v.data);
        if !kept && !left(place.program, *sym) && !before.contains(sym) {
            made.push(*sym);
        } else if written.contains(sym) {
            both.push(*sym);
        } else {
            read.push(*sym);
        }
    }
    let clause = |name: &str, list: &[SymId]| match list {
        [] => String::new(),
        _ => format!(" {name}{})", place.list(list)),
    };
    let acc = format!("data{}{}{}", clause("copyin(", &read), clause("copy(", &both), clause("create(", &made));
    let omp = format!(
        "target data{}{}{}",
        clause("map(to: ", &read),
        clause("map(tofrom: ", &both),
        clause("map(alloc: ", &made)
    );
    let all: Vec<SymId> = read.iter().chain(&both).chain(&made).copied().collect();
    let Some(from) = inner.first().cloned() else { return body };
    if all.is_empty() {
        body.extend(inner);
    } else {
        match place.directive([&acc, &omp], &from, &all, Some(inner.clone())) {
            Some(region) => body.push(region),
            None => body.extend(inner),
        }
    }
    body.extend(after);
    body
}
