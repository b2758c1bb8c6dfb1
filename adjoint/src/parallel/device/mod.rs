//! Arrays stay on the device between the loops of generated code that run there. A loop alone copies what it uses there and
//! back; where a procedure has several, or other statements between them, one data region is around them all. In it
//! assignments of arrays become loops for the device ([`array_loops`]), and what the host does is put between updates
//! ([`host`]). Called procedures keep to the same rule ([`callees`]).
//!
//! What holds: where a procedure begins and ends, memory of the host is up to date, or the device has a copy that is; in a
//! data region the copy on the device is.

mod array_loops;
mod callees;
mod code;
mod host;
mod place;

use std::collections::BTreeSet;

use costate_grammar::ir::{Block, Program, ScopeId, Stmt, StmtKind, SymId, Variable, for_each_stmt};
use costate_grammar::lines::Sentinel;

use crate::names::Taken;
use callees::Callees;
use code::{mentioned, values};
use host::Walk;
use place::Place;

pub(super) use code::is_device_code;

/// Tells which variables outlive a procedure.
pub(super) type Left<'l> = &'l dyn Fn(&Program, SymId) -> bool;

/// Keeps arrays of a generated procedure on the device; `left` tells which variables outlive it.
pub(super) fn keep(program: &mut Program, (scope, left): (ScopeId, Left<'_>), names: &mut Taken, body: &mut Block) {
    let callees = Callees::default();
    let Some(sentinel) = sentinel(program, &callees, body) else { return };
    let mut jumps = false;
    for_each_stmt(body, &mut |s| jumps |= matches!(s.kind, StmtKind::Return | StmtKind::Goto(_)));
    let mut excluded = BTreeSet::new();
    let mut place = Place { program, scope, names, sentinel, callees, shapes: host::shapes(body) };
    // Threads of OpenMP can't be started inside a data region of OpenACC.
    let mut threads = false;
    for_each_stmt(body, &mut |s| {
        threads |= !is_device_code(s) && s.governing().iter().any(|d| d.directive.omp().is_some());
    });
    if jumps || sentinel == Sentinel::Acc && (threads || place.is_conditional(body)) {
        return;
    }
    loop {
        let resident: BTreeSet<SymId> =
            on_device(&place, body).difference(&excluded).copied().filter(|s| fits(&place, *s)).collect();
        if resident.is_empty() {
            return;
        }
        let mut walk = Walk::new(&mut place, resident);
        let made = walk.block(body);
        match walk.finish() {
            Ok(found) => {
                if found.events > 1 || found.host {
                    *body = around(&mut place, left, (made, &found.resident));
                }
                return;
            }
            Err(unfit) => excluded.extend(unfit),
        }
    }
}

/// The directives that a procedure's loops for a device have; `None` where there are none, or some of each kind.
fn sentinel(program: &Program, callees: &Callees, body: &[Stmt]) -> Option<Sentinel> {
    let mut found = BTreeSet::new();
    for_each_stmt(body, &mut |s| {
        if is_device_code(s) {
            found.insert(s.governing().iter().any(|d| d.directive.acc().is_some()));
        } else if let Some(touch) = callees.touch(program, s) {
            found.extend(touch.kinds);
        }
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
        if is_device_code(s) {
            out.extend(mentioned(s));
        } else if let Some(touch) = place.callees.touch(place.program, s) {
            out.extend(touch.device);
        }
    });
    let array = |x: &SymId| place.program.var(*x).is_some_and(|v| v.rank() > 0);
    out.retain(array);
    loop {
        let before = out.len();
        for_each_stmt(body, &mut |s| {
            if let StmtKind::Assign { lhs, rhs } = &s.kind
                && lhs.rank > 0
            {
                let mut used = BTreeSet::from_iter(lhs.as_var().map(|d| d.sym));
                values(rhs, &mut used);
                used.retain(array);
                if !used.is_disjoint(&out) && used.iter().all(|x| fits(place, *x)) {
                    out.extend(used);
                }
            }
        });
        if out.len() == before {
            return out;
        }
    }
}

/// True for an array that a clause can name and that has no other name.
fn fits(place: &Place<'_>, sym: SymId) -> bool {
    let program = &*place.program;
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
fn around(place: &mut Place<'_>, left: Left<'_>, (mut body, resident): (Block, &BTreeSet<SymId>)) -> Block {
    let concerns = |s: &Stmt| {
        let mut found = !mentioned(s).is_disjoint(resident);
        for_each_stmt(std::slice::from_ref(s), &mut |x| {
            if let StmtKind::Directive { names, .. } = &x.kind {
                found |= names.iter().any(|n| resident.contains(n));
            }
            let touch = place.callees.touch(place.program, x);
            found |= touch.is_some_and(|t| !t.host.is_disjoint(resident) || !t.device.is_disjoint(resident));
        });
        found
    };
    let (Some(first), Some(last)) = (body.iter().position(concerns), body.iter().rposition(concerns)) else {
        return body;
    };
    let after = body.split_off(last + 1);
    let inner = body.split_off(first);
    let allocated = host::allocated(&inner);
    let written = host::written(place, &inner);
    let (mut read, mut both, mut made) = (Vec::new(), Vec::new(), Vec::new());
    for sym in resident.iter().filter(|s| !allocated.contains(s)) {
        let kept = place.program.var(*sym).is_none_or(|v| v.attrs.save || v.init.is_some() || v.data);
        if !kept && !left(place.program, *sym) {
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
