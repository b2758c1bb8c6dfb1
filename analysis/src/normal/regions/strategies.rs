//! What `!$ad parallel` asks of the loop that follows becomes part of what is known of that loop.

use costate_grammar::directives::{AdDirective, Construct, Strategy};
use costate_grammar::ir::{Block, Name, Stmt, StmtKind};

/// Does so in a body in normal form. A directive that no such loop follows stays where it is.
pub(in crate::normal) fn run(block: &mut Block) {
    let mut k = 0;
    while k < block.len() {
        match asked(&block[k]) {
            Some(strategies) => {
                let (start, rest) = block.split_at_mut(k + 1);
                let found = following_loops(rest);
                if !found.is_empty() {
                    found.into_iter().for_each(|l| give(l, &strategies));
                    let comments = std::mem::take(&mut start[k].leading);
                    rest[0].leading.splice(0..0, comments);
                    block.remove(k);
                    continue;
                }
            }
            None => block[k].blocks_mut().into_iter().for_each(run),
        }
        k += 1;
    }
}

fn asked(s: &Stmt) -> Option<Vec<(Strategy, Vec<Name>)>> {
    let StmtKind::Directive { directive, .. } = &s.kind else { return None };
    let Construct::Ad(AdDirective::Parallel(strategies)) = &directive.construct else { return None };
    Some(strategies.iter().map(|(s, names)| (*s, names.iter().map(|n| Name::new(n)).collect())).collect())
}

/// The loop that comes next, but for statements that were made for it: it may be in parts.
fn following_loops(rest: &mut [Stmt]) -> Vec<&mut Stmt> {
    let Some(at) = rest.iter().position(|s| s.followed().is_some()) else { return Vec::new() };
    let span = rest[at].origin.span();
    let made = rest[..at].iter().all(|s| s.origin.span().start >= span.start || asked(s).is_some());
    let parts = rest[at..].iter_mut().filter(|s| made && s.followed().is_some());
    parts.take_while(|s| s.origin.span() == span).collect()
}

fn give(s: &mut Stmt, strategies: &[(Strategy, Vec<Name>)]) {
    if let StmtKind::Do { parallel: Some(p), .. } = &mut s.kind
        && let Some(evidence) = &mut p.evidence
    {
        evidence.strategies.extend_from_slice(strategies);
    }
    s.blocks_mut().into_iter().flatten().for_each(|inner| give(inner, strategies));
}
