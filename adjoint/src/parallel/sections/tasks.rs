//! Parts that become tasks: of a procedure whose callers have the region, and that may call itself.

use std::collections::BTreeSet;

use costate_grammar::directives::parse;
use costate_grammar::ir::{Block, Origin, Program, Stmt, StmtId, StmtKind, SymId, for_each_stmt};
use costate_grammar::lines::Sentinel;

use super::super::atomic::wrap;
use super::super::directives::inner_vectors;
use super::marked::Conditions;
use super::names;

/// A task for each part, but for what the thread does itself that makes them; then it waits for them. Variables are shared, but
/// for the `private` ones: of dummies and local variables of such a procedure tasks would have copies.
pub(super) fn of(
    program: &mut Program,
    parts: Vec<Block>,
    (conditions, private): (&[Option<Conditions>], &[SymId]),
    origin: Origin,
) -> Block {
    let Ok(wait) = parse(Sentinel::Omp, "taskwait", origin.span()) else { return parts.concat() };
    let own = if private.is_empty() { String::new() } else { format!(" private({})", names(program, private)) };
    let (mut out, mut itself) = (Block::new(), Block::new());
    for (part, said) in parts.into_iter().zip(conditions) {
        let text = |said: &Conditions| format!("task default(shared){own}{}", said.text);
        match said.as_ref().map(|s| (parse(Sentinel::Omp, &text(s), origin.span()), &s.names)) {
            Some((Ok(directive), mentioned)) => {
                let names = private.iter().chain(mentioned).copied().collect();
                let kind = StmtKind::Directive { directive, names, body: Some(part) };
                out.push(Stmt::new(program.fresh_stmt(), kind, origin));
            }
            _ => itself.extend(part),
        }
    }
    out.extend(itself);
    let kind = StmtKind::Directive { directive: wait, names: Vec::new(), body: None };
    out.push(Stmt::new(program.fresh_stmt(), kind, origin));
    out
}

/// Lets one thread at a time add to some arrays.
pub(super) fn add_one_at_a_time(program: &mut Program, block: &mut Block, arrays: &BTreeSet<SymId>) {
    let mut adds = BTreeSet::new();
    for_each_stmt(block, &mut |s| {
        if matches!(&s.kind, StmtKind::Assign { lhs, .. } if lhs.as_var().is_some_and(|d| arrays.contains(&d.sym))) {
            adds.insert(s.id);
        }
    });
    inner_vectors(block, (1, false, &adds), &mut BTreeSet::new());
    wrap_all(program, block, &adds);
}

fn wrap_all(program: &mut Program, block: &mut Block, adds: &BTreeSet<StmtId>) {
    for s in block {
        if adds.contains(&s.id) {
            // A row is found by the numbers of its statements.
            let id = std::mem::replace(&mut s.id, program.fresh_stmt());
            wrap(s, id, (Sentinel::Omp, "atomic"));
            continue;
        }
        if matches!(&s.kind, StmtKind::Directive { directive, .. } if directive.is_atomic()) {
            continue;
        }
        let inside = s.blocks().iter().any(|b| b.iter().any(|x| adds.contains(&x.id)));
        if let StmtKind::If { one_line, .. } = &mut s.kind {
            *one_line &= !inside;
        }
        s.blocks_mut().into_iter().for_each(|b| wrap_all(program, b, adds));
    }
}
