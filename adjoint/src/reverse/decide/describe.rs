//! The plan in words: for every statement what runs again, what is saved and why.

use costate_grammar::ir::{Expr, LoopControl, Origin, Program, Role, Stmt, StmtKind, Ty};
use costate_grammar::print;
use costate_grammar::source::{SourceMap, Span};

use crate::reverse::tree::node::{Branch, Leaf, Loop, Node, Replay};

const LEFT_OUT: &str = "left out: it has no derivative, and no adjoint needs its result";

/// Describes the decisions for nodes, in source order, after a line that sums up what is saved.
pub(in crate::reverse) fn describe(program: &Program, sources: &SourceMap, nodes: &[Node]) -> Vec<String> {
    let mut teller = Teller { program, sources, entries: Vec::new(), saved: Vec::new() };
    teller.nodes(nodes, 1, 0);
    // Some statements are several in normal form.
    for e in teller.entries.iter_mut().filter(|e| e.remarks.iter().any(|r| r != LEFT_OUT)) {
        e.remarks.retain(|r| r != LEFT_OUT);
    }
    let mut out = vec![match teller.saved.as_slice() {
        [] => "  saves nothing".to_string(),
        list => format!("  saves {}", list.join(", ")),
    }];
    for entry in &teller.entries {
        let indent = "  ".repeat(entry.depth);
        out.push(format!("{indent}{}", teller.heading(entry.span)));
        out.extend(entry.remarks.iter().map(|r| format!("{indent}    {r}")));
    }
    out
}

/// A statement of the source and what is said of it.
struct Entry {
    span: Span,
    depth: usize,
    remarks: Vec<String>,
}

struct Teller<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    entries: Vec<Entry>,
    /// All that is saved, each once.
    saved: Vec<String>,
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
        if l.again.is_some() {
            return self.say(
                depth,
                &l.stmt,
                "computed again in the backward sweep, where an adjoint needs it".to_string(),
            );
        }
        if !l.saves.is_empty() {
            let list = self.save(&l.saves);
            self.say(depth, &l.stmt, format!("saved before it is overwritten, since an adjoint needs it: {list}"));
        }
        if l.undone {
            let remark = match super::undo::scales(&l.stmt) {
                true => "undone by the opposite scaling: an adjoint needs the value that it overwrites",
                false => "undone by the opposite increment: an adjoint needs the value that it overwrites",
            };
            self.say(depth, &l.stmt, remark.to_string());
        }
        if l.by_result {
            self.say(depth, &l.stmt, "its adjoint uses the result".to_string());
        }
        let aside: Vec<Expr> = l.kept_aside().cloned().collect();
        if !aside.is_empty() {
            let list = self.save(&aside);
            let what =
                if l.split.is_some() { "the backward half runs" } else { "the adjoint call runs the procedure again" };
            self.say(depth, &l.stmt, format!("kept aside while {what}: {list}"));
        }
        if l.split.is_some() {
            self.say(depth, &l.stmt, "split: its forward half keeps a record for its backward half".to_string());
        }
        if let Some(why) = l.whole {
            self.say(depth, &l.stmt, format!("not split: {why}"));
        }
        let first = l.keep.first().copied().unwrap_or(false);
        let again = l.keep.iter().skip(1).take(level).any(|k| *k);
        if first {
            self.say(depth, &l.stmt, "run in the forward sweep: its result is used later".to_string());
        }
        if again {
            self.say(depth, &l.stmt, "run again in the backward sweep: an adjoint uses its result".to_string());
        }
        let remark = match (first || again, l.adjoint.is_empty()) {
            (true, _) => return,
            (false, false) => "not run: no adjoint needs its result",
            (false, true) => LEFT_OUT,
        };
        self.say(depth, &l.stmt, remark.to_string());
    }

    fn branch(&mut self, b: &Branch, depth: usize, level: usize) {
        let adjoint = b.arms.iter().flatten().any(Node::has_adjoint);
        let remark = match (adjoint, b.replay) {
            (false, _) => "has no derivative",
            (true, Replay::Save) => "the way taken is kept for its adjoint",
            (true, Replay::Evaluate) => "its condition is evaluated again for its adjoint: it has the same value there",
        };
        self.say(depth, &b.stmt, remark.to_string());
        // A one-line `if` and its statement are one.
        let place = self.place(b.stmt.origin.span());
        let same = b.arms.iter().flatten().any(|n| self.place(n.statement().origin.span()) == place);
        b.arms.iter().for_each(|a| self.nodes(a, depth + usize::from(!same), level));
    }

    fn for_loop(&mut self, l: &Loop, depth: usize, level: usize) {
        let within = if l.region { level + 1 } else { level };
        let span = l.stmt.origin.span();
        if let Some(blocks) = &l.blocks {
            let list = self.save(&l.snapshot);
            let how = match &blocks.schedule {
                None => format!(
                    "runs in blocks of iterations; each block runs again right before its adjoints; saved at its start: {list}"
                ),
                Some(s) => format!("{}; a snapshot holds: {list}", s.words(self.program)),
            };
            self.say(depth, &l.stmt, format!("carries its state: {how}"));
            return self.nodes(&l.body, depth, within);
        }
        if !l.direct.is_empty() {
            let arrays: Vec<Expr> = l.direct.iter().map(|d| Expr::var(d.array, Ty::NONE, 0)).collect();
            let list = self.save(&arrays);
            self.say(
                depth,
                &l.stmt,
                format!("saved at the start of each iteration, where its adjoints read it: {list}"),
            );
        }
        if l.body.iter().any(|n| n.statement().origin.span() == span) {
            // An array statement, element by element.
            if !l.snapshot.is_empty() {
                let list = self.save(&l.snapshot);
                self.say(depth, &l.stmt, format!("saved for each element: {list}"));
            }
            return self.nodes(&l.body, depth, within);
        }
        let counted =
            matches!(&l.stmt.kind, StmtKind::Do { control: LoopControl::Count { .. }, .. }) && l.exit.is_none();
        let adjoint = l.body.iter().any(Node::has_adjoint);
        let remark = match (adjoint, l.region, l.snapshot.is_empty()) {
            (false, _, _) => "has no derivative".to_string(),
            (true, true, true) => {
                "each iteration runs again right before its adjoint; nothing is saved for it".to_string()
            }
            (true, true, false) => {
                let list = self.save(&l.snapshot);
                format!("each iteration runs again right before its adjoint; saved at its start: {list}")
            }
            (true, false, _) if counted => match super::recompute::saves(&l.body) {
                true => "reversed with what its iterations save".to_string(),
                false => "reversed; its iterations save nothing".to_string(),
            },
            (true, false, _) => {
                "its iterations are counted; what they save goes to a tape where the count has no bound".to_string()
            }
        };
        self.say(depth, &l.stmt, remark);
        self.nodes(&l.body, depth + 1, within);
    }

    /// Expressions as text, which count as saved.
    fn save(&mut self, exprs: &[Expr]) -> String {
        let texts: Vec<String> = exprs.iter().map(|e| print::expr(self.program, e)).collect();
        for text in &texts {
            if !self.saved.contains(text) {
                self.saved.push(text.clone());
            }
        }
        texts.join(", ")
    }

    /// A statement of the source may have become several: they share an entry.
    fn say(&mut self, depth: usize, stmt: &Stmt, remark: String) {
        let span = stmt.origin.span();
        if self.entries.last().is_none_or(|e| self.place(e.span) != self.place(span)) {
            self.entries.push(Entry { span, depth, remarks: Vec::new() });
        }
        if let Some(entry) = self.entries.last_mut()
            && !entry.remarks.contains(&remark)
        {
            entry.remarks.push(remark);
        }
    }

    /// File and line.
    fn place(&self, span: Span) -> (u32, usize) {
        (span.file.0, self.sources.file(span.file).line_col(span.start).0)
    }

    /// The line and its text.
    fn heading(&self, span: Span) -> String {
        let file = self.sources.file(span.file);
        let (_, line) = self.place(span);
        let text = file.line(line).trim();
        let text = text.strip_suffix('&').map_or_else(|| text.to_string(), |t| format!("{} ...", t.trim_end()));
        format!("{line}: {text}")
    }
}
