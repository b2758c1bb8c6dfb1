use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Index, IndexMut};

use indexmap::IndexMap;

use super::handle::{ModuleArena, ProcedureArena, ScopeArena, SymbolArena};
use super::name::words;
use super::{
    Base, Block, Expr, Handle, ModuleId, Name, ProcId, ScopeId, Stmt, StmtId, SymId, Symbol, SymbolKind, Ty, Variable,
};
use crate::diag::Diagnostic;
use crate::source::{FileId, Span};

/// One `use` statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The module's name.
    pub module: Name,
    /// `, intrinsic ::`
    pub intrinsic: bool,
    /// `only:` was given.
    pub only: bool,
    /// The only list, or the renames.
    pub items: Vec<UseItem>,
    /// It stands on conditional lines.
    pub conditional: bool,
    /// It stands for a library's header that is included: its names are the scope's own.
    pub header: bool,
    /// Where it stands.
    pub span: Span,
}

/// An item of a `use` statement.
#[derive(Clone, Debug, PartialEq)]
pub struct UseItem {
    /// Local name (for `operator(*)`: that text).
    pub local: Name,
    /// Name in the module.
    pub remote: Name,
}

/// What a scope belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeKind {
    /// A module or submodule.
    Module(ModuleId),
    /// A procedure or main program.
    Procedure(ProcId),
    /// A `block`, `associate`, interface body or statement-function scope.
    Inner,
    /// The predefined modules and whatever belongs to no file.
    Global,
}

/// A scoping unit.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The host.
    pub parent: Option<ScopeId>,
    /// What it belongs to.
    pub kind: ScopeKind,
    /// Names declared here or brought in by `use`, in order.
    pub names: IndexMap<Name, SymId>,
    /// Its `use` statements.
    pub uses: Vec<Use>,
    /// Common blocks (blank common has an empty name) with their variables in order of storage.
    pub commons: IndexMap<Name, Vec<SymId>>,
    /// `equivalence` sets: variables and elements that begin at the same place in storage.
    pub equivalences: Vec<Vec<Expr>>,
    /// Specification statements kept as text, in order: `namelist`, `data` that is no initial value of a whole
    /// variable, declarative directives (with their sentinel).
    pub texts: Vec<String>,
}

/// Module or submodule.
#[derive(Clone, Debug, PartialEq)]
pub enum ModuleKind {
    /// `module m`
    Module,
    /// `submodule (ancestor[:parent]) m`
    Submodule {
        /// The module at the top.
        ancestor: Name,
        /// The parent submodule.
        parent: Option<Name>,
    },
    /// One of the intrinsic modules.
    Intrinsic,
    /// The variables of a common block, or their derivatives, as one for all procedures. There is no such module in Fortran:
    /// every procedure that uses one of them declares the block.
    Common {
        /// The block; blank common has an empty name.
        block: Name,
    },
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: ModuleKind,
    /// Its scope.
    pub scope: ScopeId,
    /// Its procedures in order.
    pub procedures: Vec<ProcId>,
    /// The file.
    pub file: FileId,
    /// The whole module.
    pub span: Span,
    /// Where `contains` stands.
    pub contains: Option<Span>,
    /// Where the end statement stands.
    pub end: Span,
    /// `private` without a list.
    pub default_private: bool,
    /// Names from other modules that `public` or `private` statements make what names of this module aren't by default.
    pub passed_on: Vec<Name>,
    /// What could not be understood in its specification part.
    pub problems: Vec<Diagnostic>,
    /// Comment lines (without `!`) printed before a generated module.
    pub header: Vec<String>,
}

/// What a procedure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcKind {
    /// `subroutine`
    Subroutine,
    /// `function`, with its result variable
    Function(SymId),
    /// `program`
    Program,
}

/// What contains a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParentUnit {
    /// A module procedure.
    Module(ModuleId),
    /// An internal procedure.
    Procedure(ProcId),
    /// An external procedure or main program.
    File(FileId),
    /// An interface body.
    Interface,
}

/// Prefix keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    /// `pure`
    pub pure_: bool,
    /// `elemental`
    pub elemental: bool,
    /// `impure`
    pub impure: bool,
    /// `recursive`
    pub recursive: bool,
    /// `module`
    pub module: bool,
}

impl Prefix {
    /// True for a pure procedure.
    pub fn is_pure(self) -> bool {
        self.pure_ || self.elemental && !self.impure
    }

    /// Makes it that of a procedure that isn't pure.
    pub fn give_up_purity(&mut self) {
        self.pure_ = false;
        self.impure |= self.elemental;
    }
}

/// A procedure or main program.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Name,
    /// Its symbol in the containing scope.
    pub sym: SymId,
    /// Its scope.
    pub scope: ScopeId,
    /// What it is.
    pub kind: ProcKind,
    /// Its dummies in order.
    pub dummies: Vec<SymId>,
    /// Prefix keywords.
    pub prefix: Prefix,
    /// `bind(c, name="...")`: the text inside the parentheses.
    pub bind: Option<String>,
    /// What contains it.
    pub parent: ParentUnit,
    /// Its internal procedures.
    pub internals: Vec<ProcId>,
    /// Its executable statements.
    pub body: Block,
    /// The file.
    pub file: FileId,
    /// The whole procedure.
    pub span: Span,
    /// Its first statement.
    pub head: Span,
    /// What could not be understood; an error only if the derivative needs the procedure.
    pub problems: Vec<Diagnostic>,
    /// Comment lines (without `!`) printed after the first statement of a generated procedure.
    pub header: Vec<String>,
    /// For a copy of a user's procedure: of which, and for what.
    pub copy_of: Option<CopyOf>,
    /// Made for one kind of calls of a library's procedure: it has no source, and its dummies are what these calls pass.
    pub declared: bool,
}

/// What a copy of a procedure was made of. The user's program doesn't have the copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyOf {
    /// The procedure's symbol.
    pub procedure: SymId,
    /// What its dummies at some positions are in the copy.
    pub given: Vec<(usize, Given)>,
}

/// What a dummy is known to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    /// This procedure. The copy doesn't have the dummy.
    Procedure(SymId),
    /// An object of this dynamic type.
    Type(SymId),
    /// An optional procedure that isn't given. The copy doesn't have the dummy.
    Absent,
    /// The variable that the dummy at this earlier position is. The copy doesn't have the dummy.
    Same(usize),
}

impl Given {
    /// True for a dummy that the copy doesn't have, and that is there in a call.
    pub fn is_left_out(&self) -> bool {
        matches!(self, Given::Procedure(_) | Given::Same(_))
    }
}

/// Everything that was read.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All symbols.
    pub symbols: Vec<Symbol>,
    /// All scopes.
    pub scopes: Vec<Scope>,
    /// All modules.
    pub modules: Vec<Module>,
    /// All procedures, internal ones and interface bodies included.
    pub procedures: Vec<Procedure>,
    /// Modules by name.
    pub module_names: IndexMap<Name, ModuleId>,
    /// External procedures and main programs by name.
    pub globals: IndexMap<Name, ProcId>,
    /// The next statement identity.
    pub next_stmt: u32,
    /// Default real has 8 bytes, as some codes are built; double precision has them, too.
    pub wide_real: bool,
    /// Modules that are used on conditional lines only: without OpenMP they may not exist.
    pub conditional_modules: BTreeSet<ModuleId>,
    /// Common blocks of which each thread has its own.
    pub thread_blocks: BTreeSet<Name>,
    /// Variables of which each thread has its own, those of common blocks left out.
    pub thread_variables: BTreeSet<SymId>,
    /// Some lines are conditional.
    pub has_conditional_lines: bool,
    /// What isn't understood in the declarations of modules' entities.
    pub misread: BTreeMap<SymId, Vec<Diagnostic>>,
    /// The files of procedures of which only the declaration is known.
    pub declarations: Vec<FileId>,
    /// Procedures whose statements aren't followed, since a directive in them tells what their derivatives are.
    pub told: BTreeSet<ProcId>,
}

macro_rules! arena {
    ($field:ident, $item:ty, $arena:ty) => {
        impl Index<Handle<$arena>> for Program {
            type Output = $item;
            fn index(&self, handle: Handle<$arena>) -> &$item {
                &self.$field[handle.index()]
            }
        }
        impl IndexMut<Handle<$arena>> for Program {
            fn index_mut(&mut self, handle: Handle<$arena>) -> &mut $item {
                &mut self.$field[handle.index()]
            }
        }
    };
}
arena!(symbols, Symbol, SymbolArena);
arena!(scopes, Scope, ScopeArena);
arena!(modules, Module, ModuleArena);
arena!(procedures, Procedure, ProcedureArena);

impl Program {
    /// A fresh statement identity.
    pub fn fresh_stmt(&mut self) -> StmtId {
        self.next_stmt += 1;
        StmtId(self.next_stmt - 1)
    }

    /// The modules that aren't among the files and that names of a scope may belong to, by way of other modules, too.
    pub fn missing_modules(&self, scope: ScopeId) -> Vec<&Name> {
        let (mut out, mut scopes, mut next) = (Vec::new(), vec![scope], 0);
        while let Some(&at) = scopes.get(next) {
            next += 1;
            let used = self[at].uses.iter().map(|u| (&u.module, self.module_names.get(&u.module)));
            for (name, found) in used {
                match found {
                    Some(m) if !scopes.contains(&self[*m].scope) => scopes.push(self[*m].scope),
                    None if !out.contains(&name) => out.push(name),
                    Some(_) | None => {}
                }
            }
            scopes.extend(self[at].parent.filter(|p| !scopes.contains(p)));
        }
        out
    }

    /// True for a variable of which each thread has its own (`threadprivate`), by itself or with its common block.
    pub fn is_of_each_thread(&self, sym: SymId) -> bool {
        let block = self.var(sym).and_then(|v| v.common.as_ref());
        self.thread_variables.contains(&sym) || block.is_some_and(|b| self.thread_blocks.contains(b))
    }

    /// True for a procedure of which only the declaration is known: it has no statements, whatever it does.
    pub fn is_declared_only(&self, proc: ProcId) -> bool {
        self[proc].declared || self.told.contains(&proc) || self.declarations.contains(&self[proc].file)
    }

    /// Makes copies of statements statements of their own.
    pub fn renumber(&mut self, block: &mut [Stmt]) {
        for s in block {
            s.id = self.fresh_stmt();
            s.blocks_mut().into_iter().for_each(|b| self.renumber(b));
        }
    }

    /// Adds a scope.
    pub fn add_scope(&mut self, parent: Option<ScopeId>, kind: ScopeKind) -> ScopeId {
        let (names, commons) = (IndexMap::new(), IndexMap::new());
        self.scopes.push(Scope {
            parent,
            kind,
            names,
            uses: Vec::new(),
            commons,
            equivalences: Vec::new(),
            texts: Vec::new(),
        });
        Handle::new(self.scopes.len() - 1)
    }

    /// The scope of a module that isn't among the files, made on first use.
    pub fn module_outside(&mut self, name: &str) -> ScopeId {
        if let Some(&m) = self.module_names.get(name) {
            return self[m].scope;
        }
        let id = Handle::new(self.modules.len());
        let scope = self.add_scope(None, ScopeKind::Module(id));
        self.modules.push(Module {
            name: Name::new(name),
            kind: ModuleKind::Intrinsic,
            scope,
            procedures: Vec::new(),
            file: FileId::default(),
            span: Span::default(),
            contains: None,
            end: Span::default(),
            default_private: false,
            passed_on: Vec::new(),
            problems: Vec::new(),
            header: Vec::new(),
        });
        self.module_names.insert(Name::new(name), id);
        scope
    }

    /// Adds a symbol to a scope under its own name.
    pub fn add_symbol(&mut self, scope: ScopeId, name: Name, span: Span, kind: SymbolKind) -> SymId {
        let id = Handle::new(self.symbols.len());
        self.symbols.push(Symbol { name: name.clone(), scope, span, kind, private: false, conditional: false });
        self[scope].names.insert(name, id);
        id
    }

    /// The symbol a name means in a scope: its own, brought in by `use`, or the host's.
    pub fn lookup(&self, scope: ScopeId, name: &str) -> Option<SymId> {
        let mut at = Some(scope);
        while let Some(s) = at {
            if let Some(&sym) = self[s].names.get(name) {
                return Some(sym);
            }
            at = self[s].parent;
        }
        None
    }

    /// True when the names in the spelling of a variable's type mean in a scope what they mean where it was written.
    pub fn spelling_holds(&self, scope: ScopeId, v: &Variable) -> bool {
        let words: Vec<&str> = words(&v.spelling).collect();
        let means = |sym: &SymId| words.iter().any(|w| self.lookup(scope, &w.to_ascii_lowercase()) == Some(*sym));
        !v.spelling.is_empty() && v.spelling_uses.iter().all(means)
    }

    /// The type `real`.
    pub fn default_real(&self) -> Ty {
        if self.wide_real { Ty::DOUBLE } else { Ty::REAL }
    }

    /// A type with its kind as a number.
    pub fn spell(&self, ty: Ty) -> String {
        let with_kind = |name: &str, default: u8| {
            if ty.kind == default { name.to_string() } else { format!("{name}({})", ty.kind) }
        };
        let real = self.default_real().kind;
        match ty.base {
            Base::Integer => with_kind("integer", 4),
            Base::Real => with_kind("real", real),
            Base::Complex => with_kind("complex", real),
            Base::Logical => with_kind("logical", 4),
            Base::Character => "character(len=:)".into(),
            Base::Derived(t) => format!("type({})", self[t].name),
            Base::Class(t) => format!("class({})", self[t].name),
            Base::Unlimited => "class(*)".into(),
            Base::None => String::new(),
        }
    }

    /// The variable behind a symbol, if it is one.
    pub fn var(&self, sym: SymId) -> Option<&Variable> {
        self[sym].var()
    }

    /// All procedures with their handles.
    pub fn procedures(&self) -> impl Iterator<Item = (ProcId, &Procedure)> {
        self.procedures.iter().enumerate().map(|(i, p)| (Handle::new(i), p))
    }

    /// All modules with their handles.
    pub fn modules(&self) -> impl Iterator<Item = (ModuleId, &Module)> {
        self.modules.iter().enumerate().map(|(i, m)| (Handle::new(i), m))
    }

    /// The module that a scope lies in, if any.
    pub fn module_of(&self, scope: ScopeId) -> Option<ModuleId> {
        let mut at = Some(scope);
        while let Some(s) = at {
            if let ScopeKind::Module(m) = self[s].kind {
                return Some(m);
            }
            at = self[s].parent;
        }
        None
    }

    /// The module that a submodule belongs to; any other module itself.
    pub fn top_module(&self, m: ModuleId) -> ModuleId {
        match &self[m].kind {
            ModuleKind::Submodule { ancestor, .. } => self.module_names.get(ancestor).copied().unwrap_or(m),
            ModuleKind::Module | ModuleKind::Intrinsic | ModuleKind::Common { .. } => m,
        }
    }

    /// True when a component of a type is the parent component, or that of a type it extends.
    pub fn is_parent_component(&self, ty: SymId, name: &str) -> bool {
        let mut at = self[ty].derived();
        while let Some(d) = at {
            if d.components.iter().any(|c| c.name.as_str() == name) {
                return false;
            }
            if d.parent.as_ref().is_some_and(|c| c.name.as_str() == name) {
                return true;
            }
            at = d.extends.and_then(|e| self[e].derived());
        }
        false
    }

    /// Whether a type is another one or an extension of it.
    pub fn extends(&self, ty: SymId, base: SymId) -> bool {
        std::iter::successors(Some(ty), |t| self[*t].derived()?.extends).any(|t| t == base)
    }

    /// The component of a derived type, inherited ones included.
    pub fn component(&self, ty: SymId, name: &str) -> Option<&Variable> {
        self.component_with_owner(ty, name).map(|(_, v)| v)
    }

    /// The component of a derived type, inherited ones included, with the type that declares it.
    pub fn component_with_owner(&self, ty: SymId, name: &str) -> Option<(SymId, &Variable)> {
        let mut at = Some(ty);
        while let Some(t) = at {
            let derived = self[t].derived()?;
            let own = derived.components.iter().chain(&derived.parent);
            if let Some(c) = own.into_iter().find(|c| c.name.as_str() == name) {
                return Some((t, &c.var));
            }
            at = derived.extends;
        }
        None
    }
}
