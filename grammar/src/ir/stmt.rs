use super::{Arg, Callee, Expr, Name, Origin, Parallel, ScopeId, StmtId, SymId};
use crate::directives::Directive;

/// Statements in order.
pub type Block = Vec<Stmt>;

/// A statement or construct.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Identity, the key of side tables.
    pub id: StmtId,
    /// Numeric label.
    pub label: Option<u32>,
    /// What it is.
    pub kind: StmtKind,
    /// Where it comes from.
    pub origin: Origin,
    /// Comments before it, each from `!` on.
    pub leading: Vec<String>,
    /// The comment after it on the same line.
    pub trailing: Option<String>,
}

/// One arm of an `if`.
#[derive(Clone, Debug, PartialEq)]
pub struct IfArm {
    /// Its condition.
    pub cond: Expr,
    /// Its statements.
    pub body: Block,
}

/// One value or range of a `case`.
#[derive(Clone, Debug, PartialEq)]
pub enum CaseRange {
    /// `case (v)`
    Value(Expr),
    /// `case (lo:hi)`
    Range(Option<Expr>, Option<Expr>),
}

impl CaseRange {
    /// Its bounds.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            CaseRange::Value(e) => vec![e],
            CaseRange::Range(a, b) => a.iter().chain(b).collect(),
        }
    }
}

/// One `case`; no ranges means `case default`.
#[derive(Clone, Debug, PartialEq)]
pub struct SelectArm {
    /// Its values.
    pub ranges: Vec<CaseRange>,
    /// Its statements.
    pub body: Block,
}

/// What drives a `do` construct.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopControl {
    /// `do var = lo, hi, step`
    Count {
        /// The variable.
        var: SymId,
        /// First value.
        lo: Expr,
        /// Limit.
        hi: Expr,
        /// Step; 1 when absent.
        step: Option<Expr>,
    },
    /// `do while (cond)`
    While(Expr),
    /// `do`
    Forever,
    /// `do concurrent (i = lo:hi, ..., mask) locality`
    Concurrent {
        /// Indices with bounds and stride.
        indices: Vec<(SymId, Expr, Expr, Option<Expr>)>,
        /// The mask.
        mask: Option<Expr>,
        /// Locality clauses as text.
        locality: String,
    },
}

/// What an `allocate` or `deallocate` names.
#[derive(Clone, Debug, PartialEq)]
pub struct AllocItem {
    /// The object, without its shape.
    pub object: Expr,
    /// Its shape: optional lower bound and upper bound of each dimension.
    pub shape: Vec<(Option<Expr>, Expr)>,
}

/// Class of an input/output statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataKind {
    /// `print`
    Print,
    /// `write`
    Write,
    /// `read`
    Read,
    /// `open`, `close`, `inquire`, `rewind`, `flush`, ...
    File,
}

/// What an input/output statement touches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IoItems {
    /// Expressions whose value is used.
    pub uses: Vec<Expr>,
    /// Variables that are defined (input items, `iostat=`, an internal file).
    pub defines: Vec<Expr>,
    /// The unit is a character variable.
    pub internal: bool,
    /// Where items of the output list stand in the text: position among the uses, and place.
    pub places: Vec<(usize, std::ops::Range<usize>)>,
}

impl IoItems {
    /// A variable is defined. One that may keep its value, or a part of it, counts as used too.
    pub fn define(&mut self, variable: Expr, keeps: bool) {
        if keeps {
            self.uses.push(variable.clone());
        }
        self.defines.push(variable);
    }
}

/// The kinds of statement.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `lhs = rhs`
    Assign {
        /// A variable.
        lhs: Expr,
        /// Its new value.
        rhs: Expr,
    },
    /// `lhs => rhs`
    PointerAssign {
        /// A pointer, bounds remapping as subscripts.
        lhs: Expr,
        /// Its target.
        rhs: Expr,
    },
    /// `call f(...)`
    Call {
        /// What is called.
        callee: Callee,
        /// Its arguments.
        args: Vec<Arg>,
    },
    /// `if`, block or one line
    If {
        /// Construct name.
        name: Option<Name>,
        /// `if` and `else if` arms.
        arms: Vec<IfArm>,
        /// The `else` block.
        otherwise: Option<Block>,
        /// Written as `if (c) stmt`.
        one_line: bool,
    },
    /// `select case`
    Select {
        /// Construct name.
        name: Option<Name>,
        /// The selector.
        selector: Expr,
        /// Its cases in source order.
        arms: Vec<SelectArm>,
    },
    /// `do` in all its forms
    Do {
        /// Construct name.
        name: Option<Name>,
        /// What drives it.
        control: LoopControl,
        /// Its statements.
        body: Block,
        /// The directives that share out its iterations.
        parallel: Option<Box<Parallel>>,
    },
    /// `where`, construct or one line
    Where {
        /// Masked arms; `cond` is the mask.
        arms: Vec<IfArm>,
        /// The final `elsewhere`.
        otherwise: Option<Block>,
        /// Written as `where (m) a = b`.
        one_line: bool,
    },
    /// `forall`
    Forall {
        /// Indices with bounds and stride.
        indices: Vec<(SymId, Expr, Expr, Option<Expr>)>,
        /// The mask.
        mask: Option<Expr>,
        /// Its statements.
        body: Block,
        /// Written on one line.
        one_line: bool,
    },
    /// `associate`; names are symbols of `scope`
    Associate {
        /// Construct name.
        name: Option<Name>,
        /// Scope of the names.
        scope: ScopeId,
        /// Name and what it stands for.
        bindings: Vec<(SymId, Expr)>,
        /// Its statements.
        body: Block,
    },
    /// `block`; declarations are symbols of `scope`
    BlockScope {
        /// Construct name.
        name: Option<Name>,
        /// Scope of its declarations.
        scope: ScopeId,
        /// Its statements.
        body: Block,
    },
    /// `exit`
    Exit(Option<Name>),
    /// `cycle`
    Cycle(Option<Name>),
    /// `return`
    Return,
    /// `stop` or `error stop`
    Stop {
        /// `error stop`
        error: bool,
        /// The stop code.
        code: Option<Expr>,
    },
    /// `goto`
    Goto(u32),
    /// `continue`
    Continue,
    /// `allocate`
    Allocate {
        /// What is allocated.
        items: Vec<AllocItem>,
        /// `type-spec ::`, as text.
        type_spec: Option<String>,
        /// `stat=`, `errmsg=`, `source=`, `mold=`.
        options: Vec<(Name, Expr)>,
    },
    /// `deallocate`
    Deallocate {
        /// What is freed.
        items: Vec<Expr>,
        /// `stat=`, `errmsg=`.
        options: Vec<(Name, Expr)>,
    },
    /// `nullify`
    Nullify(Vec<Expr>),
    /// Input and output
    Io {
        /// Its class.
        kind: DataKind,
        /// The statement as text (normalised spacing not required).
        text: String,
        /// What it touches.
        items: IoItems,
    },
    /// A directive, with the statements it governs where it governs a region; those that govern a loop stand at the loop
    Directive {
        /// Its typed content.
        directive: Directive,
        /// The variables that its text names.
        names: Vec<SymId>,
        /// The governed statements; `None` for a stand-alone directive.
        body: Option<Block>,
    },
    /// Something that is understood no further: passed through in primal code, refused where a derivative needs it
    Unsupported {
        /// What it is, for the message: `select type`, `goto`, ...
        what: String,
        /// Its text.
        text: String,
        /// What its text names, and what it may therefore change, beside what the statements inside it do.
        names: Vec<SymId>,
        /// Statements inside it.
        body: Block,
    },
    /// A comment of its own in generated code, without `!`
    Comment(String),
}

impl StmtKind {
    /// A loop without a name and without directives.
    pub fn repeat(control: LoopControl, body: Block) -> StmtKind {
        StmtKind::repeat_as(control, body, None)
    }

    /// The same of which something is known from directives.
    pub fn repeat_as(control: LoopControl, body: Block, parallel: Option<Box<Parallel>>) -> StmtKind {
        StmtKind::Do { name: None, control, body, parallel }
    }
}

impl Stmt {
    /// What directives ask for a loop that is followed statement by statement.
    pub fn followed(&self) -> Option<Box<Parallel>> {
        match &self.kind {
            StmtKind::Do { parallel: Some(p), .. } if p.evidence.is_some() => Some(p.clone()),
            _ => None,
        }
    }
}

impl PartialEq for Stmt {
    fn eq(&self, other: &Self) -> bool {
        self.label == other.label && self.kind == other.kind
    }
}

impl Stmt {
    /// A statement without label and comments.
    pub fn new(id: StmtId, kind: StmtKind, origin: Origin) -> Stmt {
        Stmt { id, label: None, kind, origin, leading: Vec::new(), trailing: None }
    }
}
