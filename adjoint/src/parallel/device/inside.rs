//! What a procedure puts on a device and takes off again, which means something else where its caller has it there.

use std::collections::{BTreeMap, BTreeSet};

use costate_grammar::directives::ClauseKind;
use costate_grammar::ir::{Designator, Program, Stmt, StmtKind, SymId, for_each_stmt};

use super::callees::is_data;
use super::code::{is_device_code, values};
use super::parts;

/// What directives of a body put on the device and take off again: where it is there already, these do nothing.
pub(super) fn moved_inside(program: &Program, body: &[Stmt]) -> BTreeSet<SymId> {
    let (mut put, mut taken, mut out) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for_each_stmt(body, &mut |s| match &s.kind {
        StmtKind::Directive { directive, names, body: None } => {
            put.extend(parts::entered(program, directive, names));
            put.extend(parts::created(program, directive, names));
            taken.extend(parts::dropped(program, directive, names));
            taken.extend(parts::copied_out(program, directive, names));
        }
        StmtKind::Directive { directive, names, body: Some(_) } if is_data(directive) => out.extend(names),
        _ => {}
    });
    out.extend(put.intersection(&taken));
    out
}

/// What directives of a body create on the device if it isn't there, where it has to be, since the values there are used: code for
/// the device reads it first, or what is there at last is copied to the host.
pub(super) fn created_where_absent(program: &Program, body: &[Stmt]) -> BTreeSet<SymId> {
    let (mut made, mut created, mut copied, mut seen) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeMap::new());
    for_each_stmt(body, &mut |s| {
        if let StmtKind::Directive { directive, names, body: None } = &s.kind {
            made.extend(parts::created(program, directive, names));
            copied.extend(parts::copied_out(program, directive, names));
        }
        for d in s.governing() {
            for c in &d.directive.clauses {
                if let ClauseKind::Create(list) = &c.kind {
                    created.extend(parts::named(program, list, d.names));
                }
            }
        }
        if is_device_code(s) {
            for_each_stmt(std::slice::from_ref(s), &mut |x| first_uses(x, &mut seen));
        }
    });
    let read = |x: &SymId| seen.get(x) == Some(&true);
    made.iter().chain(&created).copied().filter(|x| read(x) || made.contains(x) && copied.contains(x)).collect()
}

/// Adds whether a statement reads the variables that it uses first; else it assigns them.
fn first_uses(s: &Stmt, seen: &mut BTreeMap<SymId, bool>) {
    let mut used = BTreeSet::new();
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => {
            values(rhs, &mut used);
            lhs.as_var()
                .into_iter()
                .flat_map(Designator::subscripts)
                .flat_map(parts::exprs)
                .for_each(|e| values(e, &mut used));
        }
        _ => s.exprs().into_iter().for_each(|e| values(e, &mut used)),
    }
    for x in used {
        seen.entry(x).or_insert(true);
    }
    if let StmtKind::Assign { lhs, .. } = &s.kind {
        lhs.as_var().into_iter().for_each(|d| _ = seen.entry(d.sym).or_insert(false));
    }
}
