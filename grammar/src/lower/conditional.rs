//! Conditional lines (`!$ `), which are compiled with OpenMP only: statements on them stand in a branch of their own. What
//! would be another construct, or another declaration, without them isn't followed.

use std::collections::BTreeSet;

use super::{Ctx, Lowerer, What};
use crate::cst::{Field, Kind, Node};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Expr, IfArm, ModuleId, Name, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable};
use crate::source::Span;

impl<'t> Lowerer<'t> {
    fn is_conditional(ctx: Ctx<'t>, line: usize) -> bool {
        ctx.lines.lines.get(line).is_some_and(|l| l.conditional)
    }

    fn refuse_conditional(&mut self, ctx: Ctx<'t>, span: Span, message: &str) {
        let d = Diagnostic::error(Code::ConditionalLine, span, message)
            .reason("without OpenMP the line is a comment, and what is around it would mean something else")
            .help("put whole statements, whole constructs or plain declarations on conditional lines, or use `#ifdef _OPENMP`");
        self.problem(ctx, d);
    }

    /// Does a statement or construct stand on conditional lines, and isn't part of one that does? All its lines have to.
    pub(super) fn on_conditional_lines(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> bool {
        let (first, last) = (n.line(), n.last_line());
        if !Self::is_conditional(ctx, first) || self.followed.contains(&(ctx.file, first)) {
            return false;
        }
        self.program.has_conditional_lines = true;
        self.followed.extend((first..=last).map(|l| (ctx.file, l)));
        let lines = ctx.lines.lines.get(first..=last).unwrap_or_default();
        if let Some(other) = lines.iter().find(|l| !l.conditional && l.format().is_none()) {
            let message = "this line stands in a construct that begins on a conditional line";
            self.refuse_conditional(ctx, other.span, message);
        }
        true
    }

    /// Is it a branch of which only the first and the last line are conditional? Without OpenMP its statements run in any case.
    fn is_half_conditional(ctx: Ctx<'t>, n: Node<'t>) -> bool {
        let (first, last) = (n.line(), n.last_line());
        let arms = n.children().filter(|c| matches!(c.kind(), Kind::ElseifClause | Kind::ElseClause)).count();
        let inside = ctx.lines.lines.get(first + 1..last).unwrap_or_default();
        n.kind() == Kind::IfStatement
            && arms == 0
            && Self::is_conditional(ctx, first)
            && Self::is_conditional(ctx, last)
            && inside.iter().any(|l| !l.conditional)
    }

    /// The statements for a branch that begins and ends on conditional lines around others:
    ///
    /// ```fortran
    /// !$ if (c) then       openmp_if = .true.
    ///      a = b           !$ openmp_if = c
    /// !$ end if            if (openmp_if) then
    ///                        a = b
    ///                      end if
    /// ```
    pub(super) fn half_conditional(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Option<[Stmt; 3]> {
        if !Self::is_half_conditional(ctx, n) {
            return None;
        }
        self.program.has_conditional_lines = true;
        self.followed.extend([n.line(), n.last_line()].map(|l| (ctx.file, l)));
        let StmtKind::If { arms, .. } = self.statement(ctx, n) else { return None };
        let [IfArm { cond, body }] = <[IfArm; 1]>::try_from(arms).ok()?;
        let runs = Expr::var(self.own_logical(ctx, n), Ty::LOGICAL, 0);
        let assign = |rhs| StmtKind::Assign { lhs: runs.clone(), rhs };
        let arms = vec![IfArm { cond: runs.clone(), body }];
        let first = self.stmt_at(ctx, n.line(), assign(Expr::logical(true)));
        let asked = self.stmt_at(ctx, n.line(), assign(cond));
        let asked = self.conditional(asked);
        let branch = StmtKind::If { name: None, arms, otherwise: None, one_line: false };
        Some([first, asked, self.stmt_at(ctx, n.line(), branch)])
    }

    /// A logical variable that the user's procedure doesn't have.
    fn own_logical(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> SymId {
        let names = std::iter::once("openmp_if".to_string()).chain((1..).map(|k| format!("openmp_if{k}")));
        let free = names.into_iter().find(|name| self.program.lookup(ctx.scope, name).is_none());
        let var = Variable::scalar(Ty::LOGICAL, "logical");
        let name = Name::new(&free.unwrap_or_default());
        self.program.add_symbol(ctx.scope, name, ctx.span(n), SymbolKind::Variable(Box::new(var)))
    }

    /// A statement in the branch for conditional lines.
    pub(super) fn conditional(&mut self, stmt: Stmt) -> Stmt {
        let id = self.program.fresh_stmt();
        let origin = stmt.origin;
        Stmt::new(id, StmtKind::conditional(vec![stmt]), origin)
    }

    /// Refuses conditional lines where no branch can stand: among masked assignments, and in what is kept as text.
    pub(super) fn refuse_parts(&mut self, ctx: Ctx<'t>, n: Node<'t>, kind: &StmtKind) {
        let branches = match kind {
            StmtKind::Where { one_line, .. } | StmtKind::Forall { one_line, .. } => *one_line,
            StmtKind::Unsupported { text, .. } => !text.contains('\n'),
            _ => true,
        };
        if branches || Self::is_conditional(ctx, n.line()) {
            return;
        }
        if let Some(line) = (n.line()..=n.last_line()).find(|l| Self::is_conditional(ctx, *l)) {
            let span = ctx.lines.lines[line].span;
            self.refuse_conditional(ctx, span, "a conditional line in this construct can't be followed");
        }
    }

    /// Notes what is declared on conditional lines. Such declarations may only add something.
    pub(super) fn declared_conditionally(&mut self, ctx: Ctx<'t>, n: Node<'t>) {
        let place = ctx.span(n);
        let mut given = false;
        for name in n.fields(Field::Declarator).filter_map(super::decl::declarator).map(|d| d.name.lower()) {
            let sym = self.program[ctx.scope].names.get(name.as_str()).copied();
            given |= sym.and_then(|s| self.program.var(s)).is_some_and(|v| v.dummy.is_some() || v.result);
        }
        let adds = match n.kind() {
            Kind::UseStatement | Kind::Interface | Kind::DerivedTypeDefinition | Kind::ParameterStatement => true,
            Kind::VariableDeclaration => !given,
            Kind::VariableModification => n.lower().starts_with("external") || n.lower().starts_with("intrinsic"),
            Kind::PublicStatement | Kind::PrivateStatement => n.named().next().is_some(),
            _ => false,
        };
        if !adds {
            return self.refuse_conditional(ctx, place, "this declaration can't stand on a conditional line");
        }
        let here = |s: &SymId| self.program[*s].scope == ctx.scope && place.contains(self.program[*s].span);
        let names: Vec<SymId> = self.program[ctx.scope].names.values().copied().filter(here).collect();
        for sym in names {
            self.program[sym].conditional = true;
        }
    }

    /// Refuses the conditional lines of a unit that belong to no statement which is followed.
    pub(super) fn refuse_unfollowed(&mut self, u: usize) {
        let (ctx, tree) = (self.ctx(u), self.units[u].tree);
        if self.units[u].cst.is_beyond() || self.units[u].what == What::BlockData {
            return;
        }
        let frame = tree.head.into_iter().chain(tree.contains).chain([tree.end]);
        for line in tree.body.clone().chain(frame).collect::<BTreeSet<usize>>() {
            let Some(logical) = ctx.lines.lines.get(line).filter(|l| l.conditional && l.format().is_none()) else {
                continue;
            };
            if self.followed.insert((ctx.file, line)) {
                self.refuse_conditional(ctx, logical.span, "a part of a construct or of a unit on a conditional line");
            }
        }
    }

    /// Notes which modules are used on conditional lines only.
    pub(super) fn note_conditional_modules(&mut self) {
        let uses = || self.program.scopes.iter().flat_map(|s| &s.uses);
        let modules = |conditional: bool| -> BTreeSet<ModuleId> {
            let of = uses().filter(|u| u.conditional == conditional);
            of.filter_map(|u| self.program.module_names.get(&u.module).copied()).collect()
        };
        let (only, always) = (modules(true), modules(false));
        self.program.conditional_modules = only.difference(&always).copied().collect();
    }
}
