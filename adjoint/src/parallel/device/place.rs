//! Where statements are made.

use std::collections::BTreeMap;

use costate_grammar::directives::parse;
use costate_grammar::ir::{
    Block, Expr, Origin, Program, Role, ScopeId, Stmt, StmtKind, SymId, SymbolKind, Ty, Variable, for_each_stmt,
};
use costate_grammar::lines::Sentinel;
use costate_grammar::source::Span;

use super::callees::Callees;
use super::code::is_device_code;
use crate::names::Taken;

/// The bounds of an array, dimension by dimension.
pub(super) type Shape = Vec<(Option<Expr>, Expr)>;

/// The procedure in which statements are made.
pub(super) struct Place<'p> {
    pub(super) program: &'p mut Program,
    pub(super) scope: ScopeId,
    pub(super) names: &'p mut Taken,
    /// Directives of OpenACC or of OpenMP.
    pub(super) sentinel: Sentinel,
    /// Called procedures.
    pub(super) callees: &'p Callees<'p>,
    /// The bounds that arrays are allocated with.
    pub(super) shapes: BTreeMap<SymId, Shape>,
    /// Copies of arrays, by the array whose bounds they have.
    pub(super) copies: BTreeMap<SymId, SymId>,
    /// The places of statements that one thread of the device runs, with what says so.
    pub(super) one_thread: BTreeMap<Span, Sentinel>,
}

impl Place<'_> {
    /// A directive of OpenACC, or the one of OpenMP that means the same, with the arrays that it names.
    pub(super) fn directive(
        &mut self,
        [acc, omp]: [&str; 2],
        from: &Stmt,
        names: &[SymId],
        body: Option<Block>,
    ) -> Option<Stmt> {
        let span = from.origin.span();
        let text = if self.sentinel == Sentinel::Acc { acc } else { omp };
        let directive = parse(self.sentinel, text, span).ok()?;
        let kind = StmtKind::Directive { directive, names: names.to_vec(), body };
        let origin = Origin::Derived { from: from.id, span, role: Role::Layout };
        Some(Stmt::new(self.program.fresh_stmt(), kind, origin))
    }

    /// True where something for the device, or what gives arrays their memory, stands on conditional lines: there a directive
    /// would have to be conditional, too.
    pub(super) fn is_conditional(&self, body: &[Stmt]) -> bool {
        let mut found = false;
        let mut look = |s: &Stmt| {
            let memory = matches!(s.kind, StmtKind::Allocate { .. } | StmtKind::Deallocate { .. });
            let jump = matches!(s.kind, StmtKind::Exit(_) | StmtKind::Cycle(_));
            let touch = || self.callees.touch(self.program, s).is_some_and(|t| t.is_about_device());
            found |= memory || jump || is_device_code(s) || touch();
        };
        for_each_stmt(body, &mut |s| {
            if let Some(inner) = s.kind.conditional_body() {
                for_each_stmt(inner, &mut look);
            }
        });
        found
    }

    pub(super) fn list(&self, syms: &[SymId]) -> String {
        syms.iter().map(|s| self.program[*s].name.to_string()).collect::<Vec<_>>().join(", ")
    }
}

/// A statement that is made from another one.
pub(super) fn statement(place: &mut Place<'_>, from: &Stmt, kind: StmtKind, role: Role) -> Stmt {
    let origin = Origin::Derived { from: from.id, span: from.origin.span(), role };
    Stmt::new(place.program.fresh_stmt(), kind, origin)
}

/// An integer variable of the procedure.
pub(super) fn index(place: &mut Place<'_>, base: &str) -> SymId {
    let ty = Ty::INTEGER;
    let var = Variable::scalar(ty, "integer");
    let kind = SymbolKind::Variable(Box::new(var));
    let name = place.names.fresh(base);
    place.program.add_symbol(place.scope, name, Span::default(), kind)
}
