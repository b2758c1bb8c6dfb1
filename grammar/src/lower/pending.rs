//! What is left for later while a specification part is read.

use crate::cst::Node;
use crate::ir::SymId;

/// What is left for later while a specification part is read.
#[derive(Default)]
pub(super) struct Spec<'t> {
    pub(super) dims: Vec<(SymId, Node<'t>)>,
    pub(super) inits: Vec<(SymId, Node<'t>, bool)>,
    pub(super) data: Vec<Node<'t>>,
    pub(super) equivalences: Vec<Node<'t>>,
    /// Procedures declared by `procedure(interface)`.
    pub(super) interfaces: Vec<(SymId, Node<'t>)>,
    /// Specifics of generics.
    pub(super) specifics: Vec<(SymId, Node<'t>)>,
    pub(super) save_all: bool,
}
