//! Sums that iterations use on their way (`scan`): what an iteration does with the sum before its own part of it (`exclusive`)
//! may stand behind that part, with the sum as it was.

use std::collections::BTreeSet;

use costate_grammar::directives::{ClauseKind, Construct, Directive, OmpConstruct};
use costate_grammar::ir::{Block, Program, Stmt, StmtKind, SymId, Variable};

use super::{may_change, used_in};

/// What iterations sum up where `scan` stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scan {
    /// What comes behind sees an iteration's own part.
    Inclusive,
    /// What comes before sees the sum without it.
    Exclusive,
}

/// The kind of a `scan`, and the variables that it lists.
pub(super) fn scanned(d: &Directive) -> Option<(Scan, Vec<&str>)> {
    if !matches!(&d.construct, Construct::Omp(OmpConstruct::Other(word)) if word == "scan") {
        return None;
    }
    d.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Other { name, text: Some(list) } => {
            let kind = match name.as_str() {
                "inclusive" => Scan::Inclusive,
                "exclusive" => Scan::Exclusive,
                _ => return None,
            };
            Some((kind, list.split(',').map(str::trim).collect()))
        }
        _ => None,
    })
}

/// Takes out of a body the statements before `scan exclusive` that use the sums, `together`, and all that depends on these: they
/// may come last. Empty where there is no such directive; `None` where they may not.
pub(super) fn taken_out(program: &Program, body: &mut Block, together: &BTreeSet<SymId>) -> Option<Block> {
    let Some(at) = body.iter().position(is_exclusive) else { return Some(Block::new()) };
    let behind = body.split_off(at);
    let (mut stay, mut moved) = (Block::new(), Block::new());
    for s in std::mem::take(body) {
        let own = std::slice::from_ref(&s);
        let uses = !used_in(own).is_disjoint(together);
        if uses || meet(program, own, &moved, &BTreeSet::new()) { moved.push(s) } else { stay.push(s) }
    }
    let apart = may_change(&moved).is_disjoint(together) && !meet(program, &moved, &behind, together);
    *body = stay;
    body.extend(behind);
    apart.then_some(moved)
}

fn is_exclusive(s: &Stmt) -> bool {
    let of = |d: &Directive| scanned(d).is_some_and(|(kind, _)| kind == Scan::Exclusive);
    matches!(&s.kind, StmtKind::Directive { directive, body: None, .. } if of(directive))
}

/// True where one of two blocks changes what the other one uses, but for some variables.
fn meet(program: &Program, a: &[Stmt], b: &[Stmt], but: &BTreeSet<SymId>) -> bool {
    let changed: BTreeSet<SymId> = may_change(a).union(&may_change(b)).copied().collect();
    let (a, b) = (used_in(a), used_in(b));
    let hidden = |s: &SymId| program.var(*s).is_some_and(Variable::has_other_names);
    let both = a.intersection(&b).any(|s| changed.contains(s) && !but.contains(s));
    both || changed.iter().any(hidden) && !a.is_empty() && !b.is_empty()
}
