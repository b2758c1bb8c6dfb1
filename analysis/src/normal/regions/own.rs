//! Variables that passes made for statements of loops that are shared out, and those of blocks in them: each iteration has
//! its own.

use std::collections::BTreeMap;

use costate_grammar::ir::{Block, Program, Stmt, StmtKind, SymId};

use super::mentions;

/// Notes them where they stand in no other place.
pub(in crate::normal) fn note(program: &Program, body: &mut Block, made: &[SymId]) {
    let kept = |s: &SymId| program.var(*s).is_none_or(|v| v.attrs.save || v.init.is_some() || v.data);
    let made: Vec<SymId> = made.iter().copied().filter(|s| !kept(s)).collect();
    if !made.is_empty() {
        let all = mentions(program, body);
        body.iter_mut().for_each(|s| note_in(program, s, (&made, &all)));
    }
}

fn note_in(program: &Program, s: &mut Stmt, (made, all): (&[SymId], &BTreeMap<SymId, usize>)) {
    if let StmtKind::Do { parallel: Some(p), body, .. } = &mut s.kind
        && let Some(evidence) = &mut p.evidence
    {
        let inside = mentions(program, body);
        let own = |x: &SymId| inside.get(x).is_some_and(|n| all.get(x) == Some(n)) && !evidence.private.contains(x);
        let own: Vec<SymId> = made.iter().copied().filter(own).collect();
        evidence.private.extend(own);
    }
    s.blocks_mut().into_iter().flatten().for_each(|s| note_in(program, s, (made, all)));
}
