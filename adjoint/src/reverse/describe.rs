//! The plan in words: what runs again, what is saved and why, a line for each decision.

use costate_grammar::ir::{Expr, Program, Stmt, StmtKind};
use costate_grammar::print;
use costate_grammar::source::SourceMap;

use super::node::{Leaf, Loop, Node, Replay};

/// Describes the decisions for nodes, in source order.
pub(super) fn describe(program: &Program, sources: &SourceMap, nodes: &[Node]) -> Vec<String> {
    let mut teller = Teller { program, sources, out: Vec::new() };
    teller.nodes(nodes, 1, 0);
    teller.out
}

struct Teller<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    out: Vec<String>,
}

impl Teller<'_> {
    fn nodes(&mut self, nodes: &[Node], depth: usize, level: usize) {
        for node in nodes {
            match node {
                Node::Leaf(l) => self.leaf(l, depth, level),
                Node::Branch(b) => {
                    let adjoint = b.arms.iter().flatten().any(Node::has_adjoint);
                    if adjoint && b.replay == Replay::Save {
                        self.line(
                            depth,
                            &b.stmt,
                            "the way taken is saved: its condition changes before the backward sweep",
                        );
                    }
                    b.arms.iter().for_each(|a| self.nodes(a, depth, level));
                }
                Node::Loop(l) => self.for_loop(l, depth, level),
            }
        }
    }

    fn leaf(&mut self, l: &Leaf, depth: usize, level: usize) {
        if !l.saves.is_empty() {
            let text = format!("saved before it is overwritten, since an adjoint needs it: {}", self.list(&l.saves));
            self.line(depth, &l.stmt, &text);
        }
        if !l.preserve.is_empty() {
            let text =
                format!("kept aside while the adjoint call runs the procedure again: {}", self.list(&l.preserve));
            self.line(depth, &l.stmt, &text);
        }
        if !l.adjoint.is_empty() && !l.keep.get(level).copied().unwrap_or(false) {
            let text = match level {
                0 => "not run in the forward sweep: no adjoint needs its result",
                _ => "not run again in the backward sweep: no adjoint needs its result",
            };
            self.line(depth, &l.stmt, text);
        }
    }

    fn for_loop(&mut self, l: &Loop, depth: usize, level: usize) {
        if !l.body.iter().any(Node::has_adjoint) {
            return;
        }
        let counted =
            matches!(&l.stmt.kind, StmtKind::Do { control: costate_grammar::ir::LoopControl::Count { .. }, .. });
        let text = match (l.region, l.snapshot.is_empty(), counted && l.exit.is_none()) {
            (true, true, _) => "each iteration runs again right before its adjoint; nothing is saved".to_string(),
            (true, false, _) => {
                format!(
                    "each iteration runs again right before its adjoint; saved at its start: {}",
                    self.list(&l.snapshot)
                )
            }
            (false, _, true) => "reversed with the values saved in its iterations".to_string(),
            (false, _, false) => {
                "its iterations are counted; values saved in them go to a tape where the count has no bound".to_string()
            }
        };
        self.line(depth, &l.stmt, &text);
        self.nodes(&l.body, depth + 1, if l.region { level + 1 } else { level });
    }

    fn list(&self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|e| print::expr(self.program, e)).collect();
        texts.join(", ")
    }

    fn line(&mut self, depth: usize, stmt: &Stmt, what: &str) {
        let span = stmt.origin.span();
        let (line, _) = self.sources.file(span.file).line_col(span.start);
        let text = self.sources.text(span).lines().next().unwrap_or("").trim().to_string();
        self.out.push(format!("{}{line}: {text}", "  ".repeat(depth)));
        self.out.push(format!("{}    {what}", "  ".repeat(depth)));
    }
}
