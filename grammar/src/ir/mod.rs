//! The typed intermediate representation.
//!
//! Symbols, scopes, modules and procedures live in arenas of a [`Program`] and are named by typed handles. Statements
//! and expressions are owned trees: a derivative is built by composing copies of the primal's expressions, and every
//! statement carries an identity and an [`Origin`] so that analyses can keep their facts in side tables.

mod bound;
mod build;
mod conditional;
mod expr;
mod governing;
mod handle;
mod mentions;
mod name;
mod origin;
mod parallel;
mod stmt;
mod symbol;
mod types;
mod unit;
mod walk;

pub use expr::{Arg, BindingName, Callee, CtorItem, Designator, Expr, ExprKind, KindSuffix, Part, Subscript};
pub use governing::Governing;
pub use handle::{Handle, ModuleId, ProcId, ScopeId, StmtId, SymId};
pub use mentions::{Mention, mentions_in, mentions_of};
pub use name::{Name, words};
pub use origin::{Origin, Role};
pub use parallel::{Evidence, LoopDirective, Parallel};
pub use stmt::{AllocItem, Block, CaseRange, DataKind, IfArm, IoItems, LoopControl, SelectArm, Stmt, StmtKind};
pub use symbol::{
    Attrs, Binding, Component, DerivedType, Dim, GenericSpec, Intent, PrivateWord, ProcInfo, Symbol, SymbolKind,
    Variable,
};
pub use types::{Base, Ty};
pub use unit::{
    CopyOf, Given, Module, ModuleKind, ParentUnit, Prefix, ProcKind, Procedure, Program, Scope, ScopeKind, Use, UseItem,
};
pub use walk::{for_each_expr, for_each_stmt, map_expr};
