use super::StmtId;
use crate::source::Span;

/// Why a derived statement exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Made by bringing the primal into normal form.
    Normal,
    /// An allocation that normal form lets fail for its status and message, with the statements that set it up. Together
    /// they leave memory as it was.
    Failure,
    /// A primal statement within a forward sweep.
    Forward,
    /// A tangent statement.
    Tangent,
    /// An adjoint statement of a backward sweep.
    Adjoint,
    /// Saves a value that is needed later.
    Save,
    /// Restores a saved value.
    Restore,
    /// Computes a value again within a backward sweep.
    Recompute,
    /// Sets up or frees storage.
    Storage,
    /// Comment or layout.
    Layout,
}

/// Where a statement comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The user wrote it; the span is the whole statement (for a construct: its first line).
    Source(Span),
    /// Made from statement `from`, whose text stands at `span`, in a role.
    Derived {
        /// The statement it was made from.
        from: StmtId,
        /// Where that one stands.
        span: Span,
        /// Why.
        role: Role,
    },
}

impl Origin {
    /// Where the user's statement stands.
    pub fn span(self) -> Span {
        match self {
            Origin::Source(span) | Origin::Derived { span, .. } => span,
        }
    }
}
