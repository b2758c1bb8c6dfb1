//! Constructs: statements with blocks inside.

use super::decl::extent;
use super::spec::is_specification;
use super::stmt::unsupported;
use super::types::{TypeSpec, spell};
use super::{Ctx, LoopEnd, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Base, Block, CaseRange, Dim, Expr, ExprKind, IfArm, LoopControl, Name, ScopeKind, SelectArm, StmtKind, SymId, Ty,
    Variable,
};
use crate::operators::BinaryOp;

/// Indices of a `forall` or `do concurrent`.
type Indices = Vec<(SymId, Expr, Expr, Option<Expr>)>;

/// A mask without what makes it one for the parser.
fn user_mask(e: Expr) -> Expr {
    match e.kind {
        ExprKind::Binary(BinaryOp::And, always, mask) if *always == Expr::logical(true) => *mask,
        kind => Expr { kind, ..e },
    }
}

/// The construct's name.
fn construct_name(n: Node<'_>) -> Option<Name> {
    let label = n.child(Kind::BlockLabelStart)?;
    Some(Name::new(label.text().trim_end_matches(':').trim()))
}

/// Is this node part of a construct's frame rather than a statement of its block?
fn is_part(n: Node<'_>) -> bool {
    n.is_token()
        || matches!(
            n.kind(),
            Kind::BlockLabelStart
                | Kind::BlockLabel
                | Kind::ParenthesizedExpression
                | Kind::ElseifClause
                | Kind::ElseClause
                | Kind::ElsewhereClause
                | Kind::EndIfStatement
                | Kind::EndWhereStatement
                | Kind::EndForallStatement
                | Kind::EndSelectStatement
                | Kind::EndDoLoopStatement
                | Kind::EndDoLabelLoopStatement
                | Kind::EndAssociateStatement
                | Kind::EndBlockConstructStatement
                | Kind::DoStatement
                | Kind::Selector
                | Kind::CaseValueRangeList
                | Kind::Default
                | Kind::AssociationList
                | Kind::TripletSpec
                | Kind::StatementLabel
        )
}

/// The statements directly in a construct.
fn inner<'t>(n: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    n.children().filter(|c| !is_part(*c))
}

/// The line of the first child of one of the kinds, or the last line.
fn stop_at(n: Node<'_>, kinds: &[Kind]) -> Option<usize> {
    n.children().find(|c| kinds.contains(&c.kind())).map(|c| c.line())
}

impl<'t> Lowerer<'t> {
    fn condition(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        match n.child(Kind::ParenthesizedExpression).and_then(|p| p.named().next()) {
            Some(c) => self.expr(ctx, c),
            None => Expr::new(ExprKind::Opaque(n.text().to_string()), Ty::LOGICAL, 0),
        }
    }

    pub(super) fn if_statement(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let cond = self.condition(ctx, n);
        if !n.has_token("then") {
            let body: Block = inner(n).next().map(|s| self.behind(ctx, s)).unwrap_or_default();
            let one_line = body.len() == 1;
            return StmtKind::If { name: None, arms: vec![IfArm { cond, body }], otherwise: None, one_line };
        }
        let clauses: Vec<Node<'t>> = n
            .children()
            .filter(|c| matches!(c.kind(), Kind::ElseifClause | Kind::ElseClause | Kind::EndIfStatement))
            .collect();
        let stop = |i: usize| clauses.get(i).map(|c| c.line());
        let mut arms = vec![IfArm { cond, body: self.block(ctx, inner(n), stop(0)) }];
        let mut otherwise = None;
        for (i, &c) in clauses.iter().enumerate() {
            match c.kind() {
                Kind::ElseifClause => {
                    let cond = self.condition(ctx, c);
                    arms.push(IfArm { cond, body: self.block(ctx, inner(c), stop(i + 1)) });
                }
                Kind::ElseClause => otherwise = Some(self.block(ctx, inner(c), stop(i + 1))),
                _ => {}
            }
        }
        StmtKind::If { name: construct_name(n), arms, otherwise, one_line: false }
    }

    pub(super) fn where_statement(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let cond = self.condition(ctx, n);
        if n.child(Kind::EndWhereStatement).is_none() {
            let body = inner(n).next().map(|s| self.inner_stmt(ctx, s)).into_iter().collect();
            return StmtKind::Where { arms: vec![IfArm { cond, body }], otherwise: None, one_line: true };
        }
        let clauses: Vec<Node<'t>> =
            n.children().filter(|c| matches!(c.kind(), Kind::ElsewhereClause | Kind::EndWhereStatement)).collect();
        let stop = |i: usize| clauses.get(i).map(|c| c.line());
        let mut arms = vec![IfArm { cond, body: self.block(ctx, inner(n), stop(0)) }];
        let mut otherwise = None;
        for (i, &c) in clauses.iter().enumerate() {
            if c.kind() != Kind::ElsewhereClause {
                continue;
            }
            if c.child(Kind::ParenthesizedExpression).is_some() {
                let cond = self.condition(ctx, c);
                arms.push(IfArm { cond, body: self.block(ctx, inner(c), stop(i + 1)) });
            } else {
                otherwise = Some(self.block(ctx, inner(c), stop(i + 1)));
            }
        }
        StmtKind::Where { arms, otherwise, one_line: false }
    }

    pub(super) fn select_case(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let Some(selector) = n.child(Kind::Selector).and_then(|s| s.named().next()) else {
            return unsupported("select case", n);
        };
        let selector = self.expr(ctx, selector);
        let cases: Vec<Node<'t>> =
            n.children().filter(|c| matches!(c.kind(), Kind::CaseStatement | Kind::EndSelectStatement)).collect();
        let mut arms = Vec::new();
        for (i, &c) in cases.iter().enumerate() {
            if c.kind() != Kind::CaseStatement {
                continue;
            }
            let mut ranges = Vec::new();
            for r in c.child(Kind::CaseValueRangeList).iter().flat_map(|l| l.named().collect::<Vec<_>>()) {
                ranges.push(if r.kind() == Kind::ExtentSpecifier {
                    let (lo, hi, _) = extent(r);
                    CaseRange::Range(lo.map(|e| self.expr(ctx, e)), hi.map(|e| self.expr(ctx, e)))
                } else {
                    CaseRange::Value(self.expr(ctx, r))
                });
            }
            let body = self.block(ctx, inner(c), cases.get(i + 1).map(|c| c.line()));
            arms.push(SelectArm { ranges, body });
        }
        StmtKind::Select { name: construct_name(n), selector, arms }
    }

    pub(super) fn do_loop(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let Some(head) = n.child(Kind::DoStatement) else { return unsupported("do", n) };
        let end = n.children().find(|c| matches!(c.kind(), Kind::EndDoLoopStatement | Kind::EndDoLabelLoopStatement));
        let by_label = head.child(Kind::StatementLabelReference).and_then(|l| l.text().parse().ok());
        let end_line = end.filter(|e| e.child(Kind::DoLabelVirtual).is_none()).map(|e| e.line());
        let label = by_label.or_else(|| ctx.lines.lines.get(end_line?).and_then(|l| l.label));
        let control = self.do_control(ctx, head);
        let idle = match end {
            Some(e) if e.child(Kind::DoLabelVirtual).is_some() => self.loops.last().is_none_or(|l| l.idle),
            Some(e) => terminal(e).is_none_or(is_continue),
            None => true,
        };
        self.loops.push(LoopEnd { label, idle, shared: shared_by(n).is_some() });
        let mut body = self.block(ctx, inner(n), end_line);
        self.terminal_statement(ctx, end, end_line, label, innermost(n, &mut body));
        self.loops.pop();
        match control {
            Some(control) => StmtKind::Do { name: construct_name(n), control, body, parallel: None },
            None => {
                StmtKind::Unsupported { what: "do".to_string(), text: head.text().to_string(), names: Vec::new(), body }
            }
        }
    }

    /// The last statement of a labelled loop is one of its body, unless it is a mere `continue` that no jump names.
    fn terminal_statement(
        &mut self,
        ctx: Ctx<'t>,
        end: Option<Node<'t>>,
        line: Option<usize>,
        label: Option<u32>,
        body: &mut Block,
    ) {
        let (Some(end), Some(line)) = (end, line) else { return };
        let jumped = label.is_some_and(|l| self.jumps.contains(&l));
        let kind = match terminal(end) {
            Some(s) if !is_continue(s) => self.statement(ctx, s),
            _ => StmtKind::Continue,
        };
        if kind != StmtKind::Continue || jumped {
            let mut stmt = self.stmt_at(ctx, line, kind);
            stmt.label = label.filter(|_| jumped);
            body.push(stmt);
            for kind in std::mem::take(&mut self.after) {
                let stmt = self.stmt_at(ctx, line, kind);
                body.push(stmt);
            }
        }
    }

    fn do_control(&mut self, ctx: Ctx<'t>, head: Node<'t>) -> Option<LoopControl> {
        if let Some(c) = head.child(Kind::LoopControl) {
            let (var, lo, hi, step) = self.loop_control(ctx, c)?;
            self.real_loop(ctx, c, var, [Some(&lo), Some(&hi), step.as_ref()]);
            return Some(LoopControl::Count { var, lo, hi, step });
        }
        if let Some(w) = head.child(Kind::WhileStatement) {
            return Some(LoopControl::While(self.condition(ctx, w)));
        }
        let Some(c) = head.child(Kind::ConcurrentStatement) else { return Some(LoopControl::Forever) };
        let header = c.child(Kind::ConcurrentHeader)?;
        let ty = header.field(Field::Type).map(|t| self.type_spec(ctx, t));
        let mut indices = Vec::new();
        let mut mask = None;
        for part in header.named() {
            if part.kind() == Kind::ConcurrentControl {
                let var = part.child(Kind::Identifier)?;
                let (lo, hi) = (part.field(Field::Initial)?, part.field(Field::Final)?);
                let var = self.index_variable(ctx, var, ty.as_ref())?;
                let (lo, hi) = (self.expr(ctx, lo), self.expr(ctx, hi));
                let step = part.field(Field::Step).map(|s| self.expr(ctx, s));
                indices.push((var, lo, hi, step));
            } else if part.field_of() != Field::Type && part.kind() != Kind::IntrinsicType {
                let inside = if part.kind() == Kind::ConcurrentMask { part.named().next() } else { Some(part) };
                mask = inside.map(|m| self.expr(ctx, m));
            }
        }
        let locality: Vec<&str> =
            c.named().filter(|l| l.kind() == Kind::ConcurrentLocality).map(|l| l.text()).collect();
        Some(LoopControl::Concurrent { indices, mask, locality: locality.join(" ") })
    }

    /// Loops that count in reals were deleted from Fortran: how often they run hangs on rounding.
    fn real_loop(&mut self, ctx: Ctx<'t>, n: Node<'t>, var: SymId, bounds: [Option<&Expr>; 3]) {
        let real = |ty: Ty| matches!(ty.base, Base::Real | Base::Complex);
        let counter = self.program.var(var).is_some_and(|v| real(v.ty));
        if counter || bounds.into_iter().flatten().any(|e| real(e.ty)) {
            let d = Diagnostic::error(Code::UnsupportedStatement, ctx.span(n), "this loop counts in reals")
                .reason("how often it runs depends on rounding, and has no derivative; Fortran 95 deleted such loops")
                .help("count in integers, and compute the real from the count");
            self.problem(ctx, d);
        }
    }

    pub(super) fn forall(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let mut indices: Indices = Vec::new();
        let mut mask = None;
        let mut statements = Vec::new();
        let one_line = n.child(Kind::EndForallStatement).is_none();
        let mut closed = false;
        for c in n.children() {
            closed |= c.is(")");
            match c.kind() {
                Kind::TripletSpec => {
                    let parts: Vec<Node<'t>> = c.named().collect();
                    let (Some(var), Some(lo), Some(hi)) = (parts.first(), parts.get(1), parts.get(2)) else { continue };
                    let Some(var) = self.index_variable(ctx, *var, None) else { continue };
                    let (lo, hi) = (self.expr(ctx, *lo), self.expr(ctx, *hi));
                    let step = parts.get(3).map(|s| self.expr(ctx, *s));
                    indices.push((var, lo, hi, step));
                }
                _ if !closed && !c.is_token() && !is_part(c) => mask = Some(user_mask(self.expr(ctx, c))),
                _ if !is_part(c) => statements.push(c),
                _ => {}
            }
        }
        let body = if one_line {
            statements.first().map(|s| self.inner_stmt(ctx, *s)).into_iter().collect()
        } else {
            self.block(ctx, statements.into_iter(), stop_at(n, &[Kind::EndForallStatement]))
        };
        StmtKind::Forall { indices, mask, body, one_line }
    }

    pub(super) fn associate_construct(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let scope = self.program.add_scope(Some(ctx.scope), ScopeKind::Inner);
        let mut bindings = Vec::new();
        for a in n.child(Kind::AssociationList).iter().flat_map(|l| l.named().collect::<Vec<_>>()) {
            let (Some(name), Some(selector)) = (a.field(Field::Name), a.field(Field::Selector)) else { continue };
            let e = self.expr(ctx, selector);
            let var = self.stand_in(&e);
            let sym = self.new_variable(ctx, scope, Name::new(name.text()), ctx.span(name), var);
            bindings.push((sym, e));
        }
        let body = self.block(ctx.within(scope), inner(n), stop_at(n, &[Kind::EndAssociateStatement]));
        StmtKind::Associate { name: construct_name(n), scope, bindings, body }
    }

    /// A variable that stands for an expression.
    fn stand_in(&self, e: &Expr) -> Variable {
        let mut var = Variable::scalar(e.ty, spell(&self.program, e.ty));
        var.spelling_uses = e.ty.derived().into_iter().collect();
        var.dims = vec![Dim::Assumed(None); usize::from(e.rank)];
        var
    }

    pub(super) fn block_construct(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let scope = self.program.add_scope(Some(ctx.scope), ScopeKind::Inner);
        let inner_ctx = ctx.within(scope);
        let nodes: Vec<Node<'t>> = inner(n).collect();
        let declarations: Vec<Node<'t>> = nodes.iter().copied().filter(|s| is_specification(s.kind())).collect();
        self.spec_part(inner_ctx, &declarations);
        self.type_the_rest(inner_ctx);
        let executable = nodes.into_iter().filter(|s| !is_specification(s.kind()));
        let body = self.block(inner_ctx, executable, stop_at(n, &[Kind::EndBlockConstructStatement]));
        StmtKind::BlockScope { name: construct_name(n), scope, body }
    }

    /// `select type`: the selector's name has the guard's type within each block.
    pub(super) fn select_type(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let selector = n.child(Kind::Selector).and_then(|s| s.named().next());
        let (name, value) = match selector {
            Some(s) if s.kind() == Kind::PointerAssociationStatement => {
                let mut parts = s.named();
                (parts.next(), parts.next())
            }
            other => (other.filter(|s| s.kind() == Kind::Identifier), other),
        };
        let value = value.map(|v| self.expr(ctx, v));
        let guards: Vec<Node<'t>> =
            n.children().filter(|c| matches!(c.kind(), Kind::TypeStatement | Kind::EndSelectStatement)).collect();
        let mut arms = Vec::new();
        for (i, &g) in guards.iter().enumerate() {
            if g.kind() != Kind::TypeStatement {
                continue;
            }
            let mut within = ctx;
            let mut bound = None;
            if let (Some(name), Some(value)) = (name, &value) {
                let mut var = self.stand_in(value);
                if let Some(spec) = self.guard_type(ctx, g) {
                    spec.apply(&mut var);
                }
                let scope = self.program.add_scope(Some(ctx.scope), ScopeKind::Inner);
                let sym = self.new_variable(ctx, scope, Name::new(name.text()), ctx.span(name), var);
                bound = Some((scope, sym, value.clone()));
                within = ctx.within(scope);
            }
            let statements = inner(g).filter(|c| c.field_of() != Field::Type && c.kind() != Kind::IntrinsicType);
            let mut body = self.block(within, statements, guards.get(i + 1).map(|g| g.line()));
            if let Some((scope, sym, value)) = bound {
                let bindings = vec![(sym, value)];
                let named = StmtKind::Associate { name: None, scope, bindings, body };
                body = vec![self.stmt_at(ctx, g.line(), named)];
            }
            // Which of the blocks runs isn't followed.
            let cond = Expr::new(ExprKind::Opaque(g.text().lines().next().unwrap_or("").to_string()), Ty::LOGICAL, 0);
            arms.push(IfArm { cond, body });
        }
        let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        let body = vec![self.stmt_at(ctx, n.line(), kind)];
        let text = n.text().to_string();
        StmtKind::Unsupported { what: "select type".to_string(), text, names: Vec::new(), body }
    }

    fn guard_type(&mut self, ctx: Ctx<'t>, g: Node<'t>) -> Option<TypeSpec> {
        let t = g.field(Field::Type)?;
        if t.kind() == Kind::IntrinsicType {
            return Some(self.type_spec(ctx, t));
        }
        let class = g.has_token("class") || g.children().next().is_some_and(|c| c.lower().starts_with("class"));
        let text = t.lower();
        let Some(sym) = self.find_type(ctx, &text) else {
            self.undeclared(ctx, &text, ctx.span(t));
            return None;
        };
        let base = if class { Base::Class(sym) } else { Base::Derived(sym) };
        let word = if class { "class" } else { "type" };
        Some(TypeSpec { ty: Ty::new(base, 0), spelling: format!("{word}({text})"), uses: vec![sym] })
    }

    /// `select rank`, which isn't understood: which of its blocks runs isn't followed.
    pub(super) fn select_rank(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let first_line = |n: Node<'t>| n.text().lines().next().unwrap_or("").to_string();
        if first_line(n).contains("=>") {
            return unsupported("select rank", n);
        }
        let guards: Vec<Node<'t>> = inner(n).filter(|c| c.kind() == Kind::RankStatement).collect();
        let mut arms = Vec::new();
        for (i, g) in guards.iter().enumerate() {
            let cond = Expr::new(ExprKind::Opaque(first_line(*g)), Ty::LOGICAL, 0);
            arms.push(IfArm { cond, body: self.block(ctx, inner(*g), guards.get(i + 1).map(|g| g.line())) });
        }
        let kind = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        let body = vec![self.stmt_at(ctx, n.line(), kind)];
        StmtKind::Unsupported { what: "select rank".to_string(), text: n.text().to_string(), names: Vec::new(), body }
    }

    /// A construct that isn't understood, with the statements in it.
    pub(super) fn with_body(&mut self, ctx: Ctx<'t>, n: Node<'t>, what: &str) -> StmtKind {
        let kept = |c: &Node<'t>| !matches!(c.kind(), Kind::ArgumentList | Kind::Unknown);
        let body = self.block(ctx, inner(n).filter(kept), None);
        if body.iter().any(|s| matches!(s.kind, StmtKind::Unsupported { .. })) && what.is_empty() {
            self.problem_at(ctx, Code::Syntax, n, "a construct isn't understood");
        }
        StmtKind::Unsupported { what: what.to_string(), text: n.text().to_string(), names: Vec::new(), body }
    }
}

/// The statement that a loop ends at, other than `end do`.
fn terminal(end: Node<'_>) -> Option<Node<'_>> {
    end.named().find(|s| !matches!(s.kind(), Kind::StatementLabel | Kind::BlockLabel | Kind::DoLabelVirtual))
}

fn is_continue(s: Node<'_>) -> bool {
    s.kind() == Kind::KeywordStatement && s.squeezed() == "continue"
}

/// The loop in another that ends at the same label.
fn shared_by(n: Node<'_>) -> Option<Node<'_>> {
    let shares = |d: &Node<'_>| {
        let end = d.children().find(|c| c.kind() == Kind::EndDoLabelLoopStatement);
        end.is_some_and(|e| e.child(Kind::DoLabelVirtual).is_some())
    };
    n.children().filter(|c| c.kind() == Kind::DoLoop).last().filter(shares)
}

/// The body of the innermost of the loops that end at one label, which the statement there belongs to.
fn innermost<'b>(n: Node<'_>, body: &'b mut Block) -> &'b mut Block {
    let Some(next) = shared_by(n) else { return body };
    let Some(at) = body.iter().rposition(|s| matches!(s.kind, StmtKind::Do { .. })) else { return body };
    match &mut body[at].kind {
        StmtKind::Do { body, .. } => innermost(next, body),
        _ => unreachable!("only loops are looked for"),
    }
}
