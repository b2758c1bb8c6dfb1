//! What is decided for every statement: what runs again, what is saved and why.

use costate_grammar::ir::{Expr, LoopControl, Origin, Program, Role, Stmt, StmtKind, Ty};
use costate_grammar::print;
use costate_grammar::source::{SourceMap, Span};

use crate::decision::{Choice, Decision};
use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

/// Describes the decisions for nodes, in source order.
pub(in crate::reverse) fn describe(program: &Program, sources: &SourceMap, nodes: &[Node]) -> Vec<Decision> {
    let mut teller = Teller { program, sources, list: Vec::new() };
    teller.nodes(nodes, 1, 0);
    // Some statements are several in normal form: what is left out of them doesn't matter beside what isn't.
    let kept: Vec<(u32, usize)> =
        teller.list.iter().filter(|d| d.choice != Choice::LeaveOut).map(|d| (d.span.file.0, d.line)).collect();
    teller.list.retain(|d| d.choice != Choice::LeaveOut || !kept.contains(&(d.span.file.0, d.line)));
    teller.list
}

struct Teller<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    list: Vec<Decision>,
}

impl Teller<'_> {
    fn nodes(&mut self, nodes: &[Node], depth: usize, level: usize) {
        for node in nodes {
            match node {
                Node::Leaf(l) => self.leaf(l, depth, level),
                Node::Branch(b) => self.branch(b, depth, level),
                Node::Loop(l) => self.for_loop(l, depth, level),
            }
        }
    }

    fn leaf(&mut self, l: &Leaf, depth: usize, level: usize) {
        if matches!(l.stmt.origin, Origin::Derived { role: Role::Save, .. }) {
            return;
        }
        if l.recompute.is_some() {
            return self.say(
                depth,
                &l.stmt,
                Choice::Recompute,
                "recomputed in the backward sweep, where an adjoint needs it",
            );
        }
        if !l.saves.is_empty() {
            let why = "saved before it is overwritten, since an adjoint needs it";
            self.say_of(depth, &l.stmt, Choice::Save, why, &l.saves);
        }
        if l.undone {
            let remark = match super::undo::scales(&l.stmt) {
                true => "undone by the opposite scaling: an adjoint needs the value that it overwrites",
                false => "undone by the opposite increment: an adjoint needs the value that it overwrites",
            };
            self.say(depth, &l.stmt, Choice::Undo, remark);
        }
        if l.by_result {
            self.say(depth, &l.stmt, Choice::UseResult, "its adjoint uses the result");
        }
        let aside: Vec<Expr> = l.kept_aside().cloned().collect();
        if !aside.is_empty() {
            let why = match l.split {
                Some(_) => "kept aside while the backward half runs",
                None => "kept aside while the adjoint call runs the procedure again",
            };
            self.say_of(depth, &l.stmt, Choice::KeepAside, why, &aside);
        }
        if l.split.is_some() {
            self.say(depth, &l.stmt, Choice::Split, "split: its forward half keeps a record for its backward half");
        }
        if let Some(why) = l.whole {
            self.say(depth, &l.stmt, Choice::Joint, &format!("not split: {why}"));
        }
        let first = l.keep.first().copied().unwrap_or(false);
        let again = l.keep.iter().skip(1).take(level).any(|k| *k);
        if first {
            self.say(depth, &l.stmt, Choice::Run, "run in the forward sweep: its result is used later");
        }
        if again {
            self.say(depth, &l.stmt, Choice::Rerun, "run again in the backward sweep: an adjoint uses its result");
        }
        let (choice, remark) = match (first || again, l.adjoint.is_empty()) {
            (true, _) => return,
            (false, false) => (Choice::Skip, "not run: no adjoint needs its result"),
            (false, true) => (Choice::LeaveOut, "left out: it has no derivative, and no adjoint needs its result"),
        };
        self.say(depth, &l.stmt, choice, remark);
    }

    fn branch(&mut self, b: &Branch, depth: usize, level: usize) {
        let adjoint = b.arms.iter().flatten().any(Node::has_adjoint);
        let (choice, remark) = match (adjoint, b.replay) {
            (false, _) => (Choice::Passive, "has no derivative"),
            (true, Replay::Save) => (Choice::SaveBranch, "the way taken is kept for its adjoint"),
            (true, Replay::Evaluate) => (
                Choice::EvaluateCondition,
                "its condition is evaluated again for its adjoint: it has the same value there",
            ),
        };
        self.say(depth, &b.stmt, choice, remark);
        // A one-line `if` and its statement are one.
        let place = self.place(b.stmt.origin.span());
        let same = b.arms.iter().flatten().any(|n| self.place(n.statement().origin.span()) == place);
        b.arms.iter().for_each(|a| self.nodes(a, depth + usize::from(!same), level));
    }

    fn for_loop(&mut self, l: &Loop, depth: usize, level: usize) {
        let within = if l.region { level + 1 } else { level };
        let span = l.stmt.origin.span();
        if let Some(blocks) = &l.blocks {
            let (choice, how) = match &blocks.schedule {
                None => (
                    Choice::Blocks,
                    "runs in blocks of iterations; each block runs again right before its adjoints; saved at its start"
                        .into(),
                ),
                Some(s) => (Choice::Schedule, format!("{}; a snapshot holds", s.words(self.program))),
            };
            // The loop over blocks is made for the user's loop.
            self.say_of(depth, &l.own().stmt, choice, &format!("carries its state: {how}"), &l.snapshot);
            return self.nodes(&l.body, depth, within);
        }
        if !l.direct.is_empty() {
            let arrays: Vec<Expr> = l.direct.iter().map(|d| Expr::var(d.array, Ty::NONE, 0)).collect();
            let why = "saved at the start of each iteration, where its adjoints read it";
            self.say_of(depth, &l.stmt, Choice::SaveAtStart, why, &arrays);
        }
        if l.body.iter().any(|n| n.statement().origin.span() == span) {
            // An array statement, element by element.
            if !l.snapshot.is_empty() {
                self.say_of(depth, &l.stmt, Choice::SaveAtStart, "saved for each element", &l.snapshot);
            }
            return self.nodes(&l.body, depth, within);
        }
        if !l.last.is_empty() {
            let why = "saved where each iteration ends, since its adjoint begins with it";
            self.say_of(depth, &l.stmt, Choice::Save, why, &l.last);
        }
        let counted =
            matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::Count { .. }, .. }) && l.exit.is_none();
        let adjoint = l.body.iter().any(Node::has_adjoint);
        let (choice, remark) = match (adjoint, l.region, l.snapshot.is_empty()) {
            (false, _, _) => (Choice::Passive, "has no derivative"),
            (true, true, true) => {
                (Choice::RerunIterations, "each iteration runs again right before its adjoint; nothing is saved for it")
            }
            (true, true, false) => {
                (Choice::SaveAtStart, "each iteration runs again right before its adjoint; saved at its start")
            }
            (true, false, _) if counted => match super::recompute::saves(&l.body) {
                true => (Choice::Reverse, "reversed with what its iterations save"),
                false => (Choice::Reverse, "reversed; its iterations save nothing"),
            },
            (true, false, _) => (
                Choice::CountIterations,
                "its iterations are counted; what they save goes to a tape where the count has no bound",
            ),
        };
        let saved: &[Expr] = if choice == Choice::SaveAtStart { &l.snapshot } else { &[] };
        self.say_of(depth, &l.stmt, choice, remark, saved);
        self.nodes(&l.body, depth + 1, within);
    }

    fn say(&mut self, depth: usize, stmt: &Stmt, choice: Choice, reason: &str) {
        self.say_of(depth, stmt, choice, reason, &[]);
    }

    /// A statement of the source may have become several, of which the same is said once.
    fn say_of(&mut self, depth: usize, stmt: &Stmt, choice: Choice, reason: &str, values: &[Expr]) {
        let span = stmt.origin.span();
        let place = self.place(span);
        let values: Vec<String> = values.iter().map(|e| print::expr(self.program, e)).collect();
        let here = self.list.iter_mut().rev().take_while(|d| (d.span.file.0, d.line) == place);
        let same = here.into_iter().find(|d| d.reason == reason && d.values == values);
        if let Some(d) = same {
            d.stmts.push(stmt.id);
            return;
        }
        let depth = match self.list.last() {
            Some(d) if (d.span.file.0, d.line) == place => d.depth,
            _ => depth,
        };
        let made = Decision::new(self.sources, stmt, choice, reason.to_string(), values);
        self.list.push(Decision { depth, ..made });
    }

    /// File and line.
    fn place(&self, span: Span) -> (u32, usize) {
        (span.file.0, self.sources.file(span.file).line_col(span.start).0)
    }
}
