//! What one thread of the device does between the loops that it shares out: assignments of elements, and statements of
//! regions for one thread.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::devices::is_on_devices;
use costate_analysis::loops::assigned;
use costate_grammar::directives::{AccConstruct, Directive, OmpConstruct};
use costate_grammar::ir::{Expr, LoopControl, Stmt, StmtKind, SymId, for_each_stmt};
use costate_grammar::lines::Sentinel;
use costate_grammar::source::Span;

use super::array_loops::{data, stays};
use super::code::{is_device_code, mentioned, values};
use super::place::Place;
use crate::region::loop_variables;

/// The places of the statements of a procedure that its directives, of OpenACC or of OpenMP, give to one thread of the device.
pub(in crate::parallel) fn places_of_one_thread(body: &[Stmt]) -> BTreeMap<Span, Sentinel> {
    let mut out = BTreeMap::new();
    for_each_stmt(body, &mut |s| {
        let shares = || {
            let mut found = false;
            s.blocks().into_iter().for_each(|b| for_each_stmt(b, &mut |x| found |= x.is_region()));
            found
        };
        let alone = |d: &Directive| match (d.acc(), d.omp()) {
            (Some(AccConstruct::Serial | AccConstruct::SerialLoop), _) => Some(Sentinel::Acc),
            (_, Some(OmpConstruct::Target)) if !shares() => Some(Sentinel::Omp),
            _ => None,
        };
        if let Some(kind) = s.governing().iter().find_map(|d| alone(d.directive)) {
            for_each_stmt(std::slice::from_ref(s), &mut |x| _ = out.insert(x.origin.span(), kind));
        }
    });
    out
}

/// True for a statement that one thread of the device can run.
pub(super) fn is_alone(place: &Place<'_>, s: &Stmt, resident: &BTreeSet<SymId>) -> bool {
    let there = |e: &Expr| stays(place.program, e, resident);
    let asked = || place.one_thread.contains_key(&s.origin.span());
    let inside = || s.blocks().into_iter().flatten().all(|x| is_alone(place, x, resident));
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            // Of a scalar that is declared for devices the host's value would stay as it was.
            let scalar = |s: SymId| asked() && !is_on_devices(place.program, s);
            let fits = lhs.as_var().is_some_and(|d| resident.contains(&d.sym) || d.parts.is_empty() && scalar(d.sym));
            fits && lhs.rank == 0 && there(lhs) && there(rhs)
        }
        StmtKind::Do { control: LoopControl::Count { .. }, .. } | StmtKind::If { .. } => {
            asked() && !is_device_code(s) && s.exprs().into_iter().all(there) && inside()
        }
        _ => false,
    }
}

/// Statements for one thread, in a region.
pub(super) fn region(place: &mut Place<'_>, mut stmts: Vec<Stmt>) -> Vec<Stmt> {
    let Some(first) = stmts.first().cloned() else { return stmts };
    let counts: BTreeSet<SymId> = stmts.iter().flat_map(loop_variables).collect();
    let to = assigned(&stmts).into_iter().filter(|s| !counts.contains(s)).collect::<Vec<_>>();
    let text = data(place, &stmts, &to);
    let leading = std::mem::take(&mut stmts[0].leading);
    let texts = [format!("serial{text}"), format!("target{text}")];
    match place.directive([&texts[0], &texts[1]], &first, &to, Some(stmts.clone())) {
        Some(mut region) => {
            region.leading = leading;
            vec![region]
        }
        None => {
            stmts[0].leading = leading;
            stmts
        }
    }
}

/// Assignments of elements between what runs on the device, by one thread there if all they use is there, and none of it is
/// used by the host otherwise.
pub(super) fn candidates<'s>(place: &Place<'_>, body: &'s [Stmt]) -> Vec<&'s Stmt> {
    let (mut found, mut host) = (Vec::new(), BTreeSet::new());
    divide(place, body, &mut found, &mut host);
    host.retain(|x| place.program.var(*x).is_some_and(|v| v.rank() > 0));
    found.retain(|s| mentioned(s).is_disjoint(&host));
    found
}

fn divide<'s>(place: &Place<'_>, body: &'s [Stmt], found: &mut Vec<&'s Stmt>, host: &mut BTreeSet<SymId>) {
    for s in body.iter().filter(|s| !is_device_code(s)) {
        let element = |lhs: &Expr| lhs.rank == 0 && lhs.as_var().is_some_and(|d| !d.parts.is_empty());
        let asked = place.one_thread.contains_key(&s.origin.span());
        match &s.kind {
            StmtKind::Assign { lhs, .. } if asked || element(lhs) => found.push(s),
            StmtKind::Assign { lhs, .. } if lhs.rank > 0 => {}
            StmtKind::Allocate { .. } | StmtKind::Deallocate { .. } | StmtKind::Directive { body: None, .. } => {}
            _ if !s.blocks().is_empty() && (asked || runs_on_device(s)) => {
                s.exprs().into_iter().for_each(|e| values(e, host));
                s.blocks().into_iter().for_each(|b| divide(place, b, found, host));
            }
            _ => host.extend(mentioned(s)),
        }
    }
}

fn runs_on_device(s: &Stmt) -> bool {
    let mut any = false;
    for_each_stmt(std::slice::from_ref(s), &mut |x| any |= is_device_code(x));
    any
}
