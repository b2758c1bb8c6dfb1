//! What printing needs to know of its place: the program, the scope and the style.

use std::borrow::Cow;

use super::Style;
use crate::ir::{Name, Program, ScopeId, SymId};

/// Where something is printed.
#[derive(Clone, Copy)]
pub(super) struct Cx<'a> {
    pub(super) program: &'a Program,
    /// The innermost scope; names are as they were declared where there is none.
    pub(super) scope: Option<ScopeId>,
    pub(super) style: &'a Style,
}

impl<'a> Cx<'a> {
    pub(super) fn new(program: &'a Program, scope: Option<ScopeId>, style: &'a Style) -> Self {
        Cx { program, scope, style }
    }

    /// The same in an inner scope.
    pub(super) fn within(self, scope: ScopeId) -> Self {
        Cx { scope: Some(scope), ..self }
    }

    /// A keyword in the style's case.
    pub(super) fn kw(&self, lower: &'static str) -> Cow<'static, str> {
        if self.style.keyword_upper { Cow::Owned(lower.to_ascii_uppercase()) } else { Cow::Borrowed(lower) }
    }

    /// `end do` or `enddo` of a construct.
    pub(super) fn end(&self, what: &'static str) -> String {
        let gap = if self.style.end_spaced { " " } else { "" };
        format!("{}{gap}{}", self.kw("end"), self.kw(what))
    }

    /// `end subroutine`: program units and definitions keep the blank, also where `enddo` has none.
    pub(super) fn end_unit(&self, what: &'static str) -> String {
        format!("{} {}", self.kw("end"), self.kw(what))
    }

    /// The name of a symbol as it is accessible here: its own name, or a local name from a renaming `use`.
    pub(super) fn name(&self, sym: SymId) -> Name {
        let own = &self.program[sym].name;
        let Some(scope) = self.scope else { return own.clone() };
        if self.program.lookup(scope, own) == Some(sym) {
            return own.clone();
        }
        let mut at = Some(scope);
        while let Some(s) = at {
            for (name, &other) in &self.program[s].names {
                if other == sym && self.program.lookup(scope, name) == Some(sym) {
                    return name.clone();
                }
            }
            at = self.program[s].parent;
        }
        own.clone()
    }
}
