//! Comments of generated code, and statements that would be there twice.

use std::collections::BTreeSet;

use costate_grammar::ir::{Block, Origin, Role, Stmt, StmtKind};

use crate::reverse::Reverse;
use crate::reverse::tree::node::Loop;

impl Reverse<'_, '_> {
    /// Says in a comment which primal statement a group of the backward sweep belongs to.
    pub(in crate::reverse) fn comment(&mut self, stmt: &Stmt, block: &mut Block) {
        let mut line = self.sources.statement(stmt.origin.span());
        if line.is_empty() || line.starts_with('!') {
            return;
        }
        if line.chars().count() > 100 {
            line = line.chars().take(97).collect::<String>() + "...";
        }
        if let Some(first) = block.first_mut() {
            first.leading = vec![format!("! {line}")];
        }
    }

    /// One statement of the user's may have become a loop nest: then its comment stands before the nest, not inside.
    pub(in crate::reverse) fn strip_first_comment(&mut self, l: &Loop, back: &mut Block) -> bool {
        let text = self.sources.text(l.stmt.origin.span()).trim_start().to_ascii_lowercase();
        let made = !text.starts_with("do") || text.contains('=') && !text.starts_with("do ");
        if made {
            self.strip_comments(back);
        }
        made
    }
}

/// Removes the comments that quote the same statement of the primal as what stands right before.
pub(in crate::reverse) fn quote_once(block: &mut Block) {
    let quoted = |s: &Stmt| match s.origin {
        Origin::Derived { span, role, .. } if role != Role::Forward => Some(span),
        _ => None,
    };
    for k in 1..block.len() {
        if quoted(&block[k]).is_some() && quoted(&block[k]) == quoted(&block[k - 1]) {
            block[k].comments_mut().clear();
        }
    }
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(quote_once);
}

/// True when an assignment of a constant has been made already: often the backward sweep has set the adjoint of an output
/// to zero.
pub(in crate::reverse) fn is_said(text: &[Stmt], stmt: &Stmt) -> bool {
    let StmtKind::Assign { lhs, rhs } = &stmt.kind else { return false };
    let Some(d) = lhs.as_var().filter(|_| rhs.literal_value().is_some()) else { return false };
    let mentions = |s: &&Stmt| {
        let mut symbols = BTreeSet::new();
        crate::remap::mentioned(std::slice::from_ref(*s), &mut symbols);
        symbols.contains(&d.sym)
    };
    text.iter().rev().find(mentions).is_some_and(|last| last.kind == stmt.kind)
}
