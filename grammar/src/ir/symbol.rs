use super::{Expr, Name, ProcId, ScopeId, SymId, Ty};
use crate::intrinsics::Intrinsic;
use crate::source::Span;

/// A named entity.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name in lower case.
    pub name: Name,
    /// The scope that declares it.
    pub scope: ScopeId,
    /// Where it is declared.
    pub span: Span,
    /// What it is.
    pub kind: SymbolKind,
    /// `private` in its module.
    pub private: bool,
    /// Declared on conditional lines.
    pub conditional: bool,
}

/// The kinds of entity.
#[derive(Clone, Debug)]
pub enum SymbolKind {
    /// A variable or named constant.
    Variable(Box<Variable>),
    /// A procedure: defined here, external, dummy or known by an interface only.
    Procedure(Box<ProcInfo>),
    /// A generic name, operator or assignment.
    Generic(GenericSpec),
    /// A derived type.
    Type(Box<DerivedType>),
    /// A construct name, namelist group or anything else that only takes the name.
    Other(String),
}

/// Argument intent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// `intent(in)`
    In,
    /// `intent(out)`
    Out,
    /// `intent(inout)`
    InOut,
}

/// One dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Dim {
    /// `lo:hi`; `lo` is 1 when absent
    Explicit(Option<Expr>, Expr),
    /// `lo:` of an assumed-shape dummy
    Assumed(Option<Expr>),
    /// `:` of an allocatable or pointer
    Deferred,
    /// `lo:*`
    AssumedSize(Option<Expr>),
    /// `..`
    AssumedRank,
}

/// Attributes of a variable that are simply there or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attrs {
    /// `allocatable`
    pub allocatable: bool,
    /// `pointer`
    pub pointer: bool,
    /// `target`
    pub target: bool,
    /// `optional`
    pub optional: bool,
    /// `value`
    pub value: bool,
    /// `contiguous`
    pub contiguous: bool,
    /// `save`, explicit or implied by initialisation or by being a module's
    pub save: bool,
    /// `volatile`
    pub volatile: bool,
    /// `asynchronous`
    pub asynchronous: bool,
    /// `parameter`
    pub parameter: bool,
    /// `protected`
    pub protected: bool,
    /// A component that is private in its module, by an attribute or by the statement of its type.
    pub private: bool,
    /// `external` or a procedure pointer where a variable was expected
    pub bind_c: bool,
}

impl Attrs {
    /// True for a variable that may change where no statement shows it.
    pub fn changes_unseen(&self) -> bool {
        self.volatile || self.asynchronous
    }
}

/// A variable or named constant.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its type.
    pub ty: Ty,
    /// The type as the user spelt it, without attributes (`real(wp)`, `type(grid)`, `character(len=*)`), or made canonical for
    /// implicit types. Names in it are accessible in the declaring scope.
    pub spelling: String,
    /// Symbols that the spelling uses (the kind parameter, the type name).
    pub spelling_uses: Vec<SymId>,
    /// Its dimensions; empty for a scalar.
    pub dims: Vec<Dim>,
    /// Attributes.
    pub attrs: Attrs,
    /// Intent of a dummy.
    pub intent: Option<Intent>,
    /// Position among the dummies (from 0).
    pub dummy: Option<usize>,
    /// True for the result of a function, and for the dummy that stands for it in its derivative.
    pub result: bool,
    /// Initial value, or the value of a named constant.
    pub init: Option<Expr>,
    /// Initialised by a `data` statement.
    pub data: bool,
    /// Name of the common block it lies in (empty string for blank common).
    pub common: Option<Name>,
    /// Storage-associated by `equivalence`.
    pub equivalenced: bool,
    /// `threadprivate`, `declare target`, `declare create` and the like govern it.
    pub directive: bool,
}

/// What is known of a procedure.
#[derive(Clone, Debug, Default)]
pub struct ProcInfo {
    /// Its definition, if it is among the files.
    pub definition: Option<ProcId>,
    /// Its interface body, if one was given (an interface block, an abstract interface or a dummy procedure).
    pub interface: Option<ProcId>,
    /// Result type when known without an interface (`real(8), external :: f`).
    pub ty: Option<Ty>,
    /// Position among the dummies (from 0) of a dummy procedure.
    pub dummy: Option<usize>,
    /// A procedure pointer.
    pub pointer: bool,
    /// The derivative that generated procedures take beside a dummy procedure.
    pub twin: Option<SymId>,
    /// A procedure pointer that keeps its association from call to call.
    pub saved: bool,
    /// What a procedure pointer points to before any statement says so.
    pub init: Option<Expr>,
    /// `external`, or called without any declaration.
    pub external: bool,
    /// An `abstract interface` body.
    pub is_abstract: bool,
    /// A statement function: dummies and expression.
    pub statement_function: Option<(Vec<SymId>, Expr)>,
    /// `intrinsic :: sin` given by name.
    pub intrinsic: Option<Intrinsic>,
}

/// A generic.
#[derive(Clone, Debug, Default)]
pub struct GenericSpec {
    /// Its specifics.
    pub specifics: Vec<SymId>,
    /// For `operator(*)` and `assignment(=)`: the operator.
    pub operator: Option<String>,
    /// A derived type of the same name (a constructor overloaded).
    pub derived: Option<SymId>,
    /// An intrinsic of the same name that is extended.
    pub intrinsic: Option<Intrinsic>,
}

/// A component of a derived type.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name.
    pub name: Name,
    /// Its declaration; `dims` and initialisation as for variables.
    pub var: Variable,
    /// How one that points to a procedure is called: as a deferred binding whose target is the pointer's interface.
    pub procedure: Option<Box<Binding>>,
}

impl Component {
    /// A component that holds data, or points to a procedure that isn't called through it.
    pub fn new(name: Name, var: Variable) -> Component {
        let called = Binding {
            name: name.clone(),
            targets: Vec::new(),
            nopass: true,
            pass: None,
            deferred: true,
            generic: false,
            private: false,
        };
        let procedure = var.points_to_procedure().then(|| Box::new(called));
        Component { name, var, procedure }
    }
}

/// The word `private` in a type definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrivateWord {
    /// A statement.
    Statement(Span),
    /// An attribute of components.
    Attribute(Span),
}

/// A type-bound procedure.
#[derive(Clone, Debug)]
pub struct Binding {
    /// Its name.
    pub name: Name,
    /// The specific procedure (a generic binding lists several).
    pub targets: Vec<Name>,
    /// `nopass`
    pub nopass: bool,
    /// The dummy that `pass(...)` names.
    pub pass: Option<Name>,
    /// `deferred`
    pub deferred: bool,
    /// `generic ::`
    pub generic: bool,
    /// Only the module of its type can call it.
    pub private: bool,
}

/// A derived type.
#[derive(Clone, Debug, Default)]
pub struct DerivedType {
    /// Its components in order.
    pub components: Vec<Component>,
    /// The type it extends.
    pub extends: Option<SymId>,
    /// The parent component: all that it inherits, as an object of the type it extends.
    pub parent: Option<Component>,
    /// Its bindings.
    pub bindings: Vec<Binding>,
    /// Its final procedures, by their names in the scope of the type.
    pub finals: Vec<Name>,
    /// `sequence` or `bind(c)`
    pub sequence: bool,
    /// Components are private.
    pub private_components: bool,
    /// Where that is said of all components, and where of some.
    pub private_words: Vec<PrivateWord>,
}

impl Symbol {
    /// The variable, if it is one.
    pub fn var(&self) -> Option<&Variable> {
        if let SymbolKind::Variable(v) = &self.kind { Some(v) } else { None }
    }

    /// The procedure, if it is one.
    pub fn procedure(&self) -> Option<&ProcInfo> {
        if let SymbolKind::Procedure(p) = &self.kind { Some(p) } else { None }
    }

    /// The derived type, if it is one.
    pub fn derived(&self) -> Option<&DerivedType> {
        if let SymbolKind::Type(t) = &self.kind { Some(t) } else { None }
    }
}

impl Variable {
    /// A local scalar of a type.
    pub fn scalar(ty: Ty, spelling: impl Into<String>) -> Variable {
        Variable {
            ty,
            spelling: spelling.into(),
            spelling_uses: Vec::new(),
            dims: Vec::new(),
            attrs: Attrs::default(),
            intent: None,
            dummy: None,
            result: false,
            init: None,
            data: false,
            common: None,
            equivalenced: false,
            directive: false,
        }
    }

    /// True where its memory may be seen under another name: through a pointer, by `equivalence` or `common`, or by what
    /// makes it `volatile`.
    pub fn has_other_names(&self) -> bool {
        let a = &self.attrs;
        a.pointer || a.target || a.changes_unseen() || self.equivalenced || self.common.is_some()
    }

    /// True for a variable that has its memory from where it is declared, keeps nothing for the next call of its procedure, and
    /// is known by its name only.
    pub fn is_working(&self) -> bool {
        let a = &self.attrs;
        let lasting = a.save || a.allocatable || a.parameter || self.init.is_some() || self.data || self.directive;
        !lasting && !self.has_other_names()
    }

    /// True for a pointer that leads to a procedure, and to no values.
    pub fn points_to_procedure(&self) -> bool {
        self.attrs.pointer && self.ty == Ty::NONE
    }

    /// Its rank.
    pub fn rank(&self) -> u8 {
        self.dims.len() as u8
    }
}
