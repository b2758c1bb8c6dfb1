//! Identities: handles into the arenas of a program, and those of statements.

use std::marker::PhantomData;

/// A handle into an arena of a program. `T` says which arena: it is no type of what lies there, so that what lies there may
/// hold handles.
#[derive(Debug)]
pub struct Handle<T>(pub u32, PhantomData<fn() -> T>);

impl<T> Handle<T> {
    /// The handle of position `index`.
    pub fn new(index: usize) -> Self {
        Handle(index as u32, PhantomData)
    }
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Handle<T> {}
impl<T> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}
impl<T> Eq for Handle<T> {}
impl<T> std::hash::Hash for Handle<T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}
impl<T> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<T> Ord for Handle<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

/// The arena of symbols.
#[derive(Debug)]
pub enum SymbolArena {}
/// The arena of scopes.
#[derive(Debug)]
pub enum ScopeArena {}
/// The arena of modules.
#[derive(Debug)]
pub enum ModuleArena {}
/// The arena of procedures.
#[derive(Debug)]
pub enum ProcedureArena {}

/// Handle of a symbol.
pub type SymId = Handle<SymbolArena>;
/// Handle of a scope.
pub type ScopeId = Handle<ScopeArena>;
/// Handle of a module.
pub type ModuleId = Handle<ModuleArena>;
/// Handle of a procedure.
pub type ProcId = Handle<ProcedureArena>;

/// Identity of a statement, unique within a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);
