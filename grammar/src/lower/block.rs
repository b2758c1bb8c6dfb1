//! Bodies and blocks: which nodes are statements, and the comments and directives that stand between them.

use std::collections::HashMap;

use super::directive::{self, Item};
use super::spec::{is_frame, is_specification};
use super::{Ctx, Lowerer, What};
use crate::cst::{Field, Kind, Node};
use crate::diag::{Code, Diagnostic};
use crate::directives::{self, AdDirective, Construct};
use crate::ir::{Block, Origin, Stmt, StmtKind};
use crate::lines::{LogicalLine, Sentinel, Trivia, TriviaKind};
use crate::source::Span;
use crate::units::interface_bodies;

impl<'t> Lowerer<'t> {
    /// Lowers the executable part of a procedure.
    pub(super) fn body(&mut self, u: usize) {
        let What::Procedure(p) = self.units[u].what else { return };
        let ctx = self.ctx(u);
        if self.units[u].cst.is_beyond() {
            return;
        }
        self.jumps.clear();
        self.loops.clear();
        self.made_names.clear();
        self.status = None;
        self.formats = formats(ctx.lines.lines.get(self.units[u].tree.body.clone()).unwrap_or_default());
        let nodes: Vec<Node<'t>> = self.unit_nodes(u);
        let mut executable = Vec::new();
        for n in nodes {
            let other = is_specification(n.kind()) || is_frame(n.kind()) || n.is_token();
            if !(other || n.kind() == Kind::AssignmentStatement && self.is_statement_function(ctx, n)) {
                executable.push(n);
            }
        }
        let tree = self.units[u].tree;
        let end = tree.contains.unwrap_or(tree.end);
        let first = executable.iter().map(|n| n.line()).find(|l| *l != usize::MAX).unwrap_or(end);
        let mut items = Vec::new();
        self.directives_at_head(ctx, tree.head, &mut items);
        let interfaces = interface_bodies(ctx.lines.lines.get(tree.body.start..first).unwrap_or_default());
        for line in tree.body.start..first {
            if interfaces.iter().any(|r| r.contains(&(line - tree.body.start))) {
                self.directives_in_interface(ctx, line);
            } else {
                self.directives_before(ctx, line, &mut items);
            }
        }
        self.items(ctx, executable.into_iter(), Some(end), &mut items);
        self.program[p].body = directive::attach(items);
        self.structure(ctx, p);
        let mut body = std::mem::take(&mut self.program[p].body);
        directive::name_variables(&self.program, ctx.scope, &mut body);
        self.program[p].body = body;
    }

    fn is_statement_function(&self, ctx: Ctx<'t>, n: Node<'t>) -> bool {
        let Some(left) = n.field(Field::Left).filter(|l| l.kind() == Kind::CallExpression) else { return false };
        let Some(name) = left.named().next().filter(|c| c.kind() == Kind::Identifier) else { return false };
        let sym = self.program.lookup(ctx.scope, &name.lower());
        sym.and_then(|s| self.program[s].procedure()).is_some_and(|p| p.statement_function.is_some())
    }

    /// Lowers statements up to the line at which the block ends.
    pub(super) fn block(&mut self, ctx: Ctx<'t>, nodes: impl Iterator<Item = Node<'t>>, stop: Option<usize>) -> Block {
        let mut items = Vec::new();
        self.items(ctx, nodes, stop, &mut items);
        directive::attach(items)
    }

    fn items(&mut self, ctx: Ctx<'t>, nodes: impl Iterator<Item = Node<'t>>, stop: Option<usize>, out: &mut Vec<Item>) {
        for n in nodes {
            if n.is_token() || is_frame(n.kind()) {
                continue;
            }
            let line = n.line();
            let leading = self.trivia_before(ctx, line, out);
            if let Some(mut list) = self.half_conditional(ctx, n) {
                list[0].leading = leading;
                out.extend(list.map(Item::Statement));
                continue;
            }
            let conditional = self.on_conditional_lines(ctx, n);
            let kind = self.statement(ctx, n);
            let mut stmt = self.stmt_at(ctx, line, kind);
            stmt.label = ctx.lines.lines.get(line).and_then(|l| l.label);
            stmt.leading = leading;
            stmt.trailing = self.sides[ctx.file].trailing.get(&line).map(|t| t.text.clone());
            let after = std::mem::take(&mut self.after);
            let after: Block = after.into_iter().map(|kind| self.stmt_at(ctx, line, kind)).collect();
            for stmt in std::iter::once(stmt).chain(after) {
                out.push(Item::Statement(if conditional { self.conditional(stmt) } else { stmt }));
            }
        }
        if let Some(stop) = stop {
            for text in self.trivia_before(ctx, stop, out) {
                let text = text.trim_start_matches('!');
                let kind = StmtKind::Comment(text.strip_prefix(' ').unwrap_or(text).to_string());
                let stmt = self.stmt_at(ctx, stop, kind);
                out.push(Item::Statement(stmt));
            }
        }
    }

    /// A statement of a line.
    pub(super) fn stmt_at(&mut self, ctx: Ctx<'t>, line: usize, kind: StmtKind) -> Stmt {
        let span = ctx.lines.lines.get(line).map_or_else(Default::default, |l| l.span);
        let id = self.program.fresh_stmt();
        Stmt::new(id, kind, Origin::Source(span))
    }

    /// The statement that stands behind a condition, on its line.
    pub(super) fn behind(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Block {
        let stmt = self.inner_stmt(ctx, n);
        let origin = stmt.origin;
        let after = std::mem::take(&mut self.after);
        std::iter::once(stmt).chain(after.into_iter().map(|kind| self.made(kind, origin))).collect()
    }

    /// A statement that stands within another one's line.
    pub(super) fn inner_stmt(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Stmt {
        let kind = self.statement(ctx, n);
        let span = ctx.span(n);
        let id = self.program.fresh_stmt();
        Stmt::new(id, kind, Origin::Source(span))
    }

    /// Directives before a line become items; its comments are the answer.
    fn trivia_before(&mut self, ctx: Ctx<'t>, line: usize, out: &mut Vec<Item>) -> Vec<String> {
        let mut comments = Vec::new();
        let list = self.sides[ctx.file].leading.get(&line).cloned().unwrap_or_default();
        for t in list {
            match t.kind {
                TriviaKind::Comment => comments.push(t.text.clone()),
                TriviaKind::Directive(Sentinel::Vendor) => {
                    let text = t.text.trim();
                    comments.push(if text.starts_with('!') { text.to_string() } else { format!("!{text}") });
                }
                TriviaKind::Directive(sentinel @ (Sentinel::Omp | Sentinel::Acc | Sentinel::Ad)) => {
                    let kind = match directives::parse(sentinel, &t.text, t.span) {
                        Ok(directive) if directive.is_about_blocks() => continue,
                        Ok(directive) => {
                            let directive = self.without_own_name(ctx, directive);
                            StmtKind::Directive { directive, names: Vec::new(), body: None }
                        }
                        Err(d) => {
                            self.problem(ctx, d);
                            let mark = match sentinel {
                                Sentinel::Omp => "!$omp",
                                Sentinel::Acc => "!$acc",
                                Sentinel::Ad => "!$ad",
                                Sentinel::Vendor => "!",
                            };
                            let text = format!("{mark} {}", t.text.trim());
                            StmtKind::Unsupported {
                                what: "directive".to_string(),
                                text,
                                names: Vec::new(),
                                body: Vec::new(),
                            }
                        }
                    };
                    let id = self.program.fresh_stmt();
                    let mut stmt = Stmt::new(id, kind, Origin::Source(t.span));
                    stmt.leading = std::mem::take(&mut comments);
                    out.push(match &stmt.kind {
                        StmtKind::Directive { .. } => Item::Directive(stmt),
                        _ => Item::Statement(stmt),
                    });
                }
                TriviaKind::Blank(_) | TriviaKind::Preprocessor => {}
            }
        }
        comments
    }

    /// Directives among the declarations; comments there stay with the declarations.
    fn directives_before(&mut self, ctx: Ctx<'t>, line: usize, out: &mut Vec<Item>) {
        self.trivia_before(ctx, line, out);
        if let Some(Item::Directive(s) | Item::Statement(s)) = out.last_mut() {
            s.leading.clear();
        }
    }

    /// Costate's directives right before a procedure's first statement: what tells something of the procedure counts as standing
    /// in it, all else is refused.
    fn directives_at_head(&mut self, ctx: Ctx<'t>, head: Option<usize>, out: &mut Vec<Item>) {
        for (t, parsed) in head.map(|line| self.own_directives(ctx, line)).unwrap_or_default() {
            match parsed {
                Ok(d) if d.tells_of_procedure() => {
                    let id = self.program.fresh_stmt();
                    let kind = StmtKind::Directive { directive: d, names: Vec::new(), body: None };
                    out.push(Item::Directive(Stmt::new(id, kind, Origin::Source(t.span))));
                }
                Ok(_) => self.misplaced(ctx, t.span, "it stands before a procedure, and is about what stands in one"),
                Err(d) => self.problem(ctx, d),
            }
        }
    }

    /// The same within an interface block, where `external` tells something of the procedure that is declared; it is looked at
    /// elsewhere.
    fn directives_in_interface(&mut self, ctx: Ctx<'t>, line: usize) {
        for (t, parsed) in self.own_directives(ctx, line) {
            match parsed {
                Ok(d) if matches!(d.construct, Construct::Ad(AdDirective::External(_))) => {}
                Ok(_) => {
                    self.misplaced(ctx, t.span, "it stands in an interface block, where `external` alone has a meaning")
                }
                Err(d) => self.problem(ctx, d),
            }
        }
    }

    /// Costate's own directives before a line.
    fn own_directives(
        &self,
        ctx: Ctx<'t>,
        line: usize,
    ) -> Vec<(&'t Trivia, Result<directives::Directive, Diagnostic>)> {
        let list = self.sides[ctx.file].leading.get(&line).cloned().unwrap_or_default();
        let own = list.into_iter().filter(|t| t.kind == TriviaKind::Directive(Sentinel::Ad));
        own.map(|t| (t, directives::parse(Sentinel::Ad, &t.text, t.span))).collect()
    }

    fn misplaced(&mut self, ctx: Ctx<'t>, span: Span, why: &str) {
        let d = Diagnostic::error(Code::UnsupportedDirective, span, "this directive can't be followed");
        self.problem(ctx, d.reason(why).help("put it among the declarations or statements that it is about"));
    }

    /// Marks variables that directives among the declarations govern: `threadprivate`, `declare target`, `declare create`.
    pub(super) fn declaration_directives(&mut self, ctx: Ctx<'t>) {
        let unit = &self.units[ctx.unit];
        if ctx.scope != self.ctx(ctx.unit).scope {
            return;
        }
        let stop = unit.tree.contains.unwrap_or(unit.tree.end);
        for line in unit.tree.body.start..=stop {
            let list = self.sides[ctx.file].leading.get(&line).cloned().unwrap_or_default();
            for t in list {
                let TriviaKind::Directive(sentinel) = t.kind else { continue };
                let Ok(d) = directives::parse(sentinel, &t.text, t.span) else { continue };
                let d = self.without_own_name(ctx, d);
                self.declare_of_threads(ctx, &d);
                let names = directive::declared_names(&d);
                // A procedure's body has the directive as a statement; a module has no body.
                if !names.is_empty() && matches!(self.program[ctx.scope].kind, crate::ir::ScopeKind::Module(_)) {
                    let word = match sentinel {
                        Sentinel::Acc => "!$acc",
                        Sentinel::Omp | Sentinel::Ad | Sentinel::Vendor => "!$omp",
                    };
                    self.program[ctx.scope].texts.push(format!("{word} {}", d.text));
                }
                for name in names {
                    self.mark_declared(ctx, &name);
                }
            }
        }
    }

    /// A directive that names nothing but the procedure in which it stands, without the name.
    fn without_own_name(&self, ctx: Ctx<'t>, d: directives::Directive) -> directives::Directive {
        match ctx.owner {
            What::Procedure(p) => d.without_name(&self.program[p].name),
            What::Module(_) | What::BlockData => d,
        }
    }

    /// Notes of which variables and common blocks each thread has its own: all procedures that declare a block have to say so.
    fn declare_of_threads(&mut self, ctx: Ctx<'t>, d: &directives::Directive) {
        if d.omp() != Some(&directives::OmpConstruct::ThreadPrivate) {
            return;
        }
        for name in directive::declared_names(d) {
            if let Some(block) = name.strip_prefix('/').and_then(|n| n.strip_suffix('/')) {
                self.program.thread_blocks.insert(crate::ir::Name::new(block.trim()));
            } else if let Some(&sym) = self.program[ctx.scope].names.get(name.to_ascii_lowercase().as_str()) {
                self.program.thread_variables.insert(sym);
            }
        }
    }

    fn mark_declared(&mut self, ctx: Ctx<'t>, name: &str) {
        let lower = name.to_ascii_lowercase();
        if let Some(block) = lower.strip_prefix('/').and_then(|n| n.strip_suffix('/')) {
            let block = crate::ir::Name::new(block.trim());
            for sym in self.program[ctx.scope].names.values().copied().collect::<Vec<_>>() {
                self.with_variable(sym, |v| v.directive |= v.common.as_ref() == Some(&block));
            }
        } else if let Some(&sym) = self.program[ctx.scope].names.get(lower.as_str()) {
            self.with_variable(sym, |v| v.directive = true);
        }
    }
}

/// Formats by their labels, as character constants.
fn formats(lines: &[LogicalLine]) -> HashMap<u32, String> {
    let constant = |l: &LogicalLine| Some((l.label?, format!("'{}'", l.format()?.replace('\'', "''"))));
    lines.iter().filter_map(constant).collect()
}
