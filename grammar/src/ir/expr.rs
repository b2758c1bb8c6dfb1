use std::hash::{Hash, Hasher};

use super::{Base, Name, SymId, Ty};
use crate::intrinsics::Intrinsic;
use crate::operators::{BinaryOp, UnaryOp};
use crate::source::Span;

/// A typed expression. Two expressions are equal when they mean the same text; spans don't count.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Type and kind of its value.
    pub ty: Ty,
    /// Rank of its value; 0 for a scalar.
    pub rank: u8,
    /// Where the user wrote it.
    pub span: Span,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Expr {}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

/// How a literal's kind was spelt after the underscore.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KindSuffix {
    /// `_8`
    Number(u32),
    /// `_wp`
    Named(SymId),
}

/// The kinds of expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ExprKind {
    /// An integer literal.
    Int {
        /// Its value.
        value: i64,
        /// Its kind as spelt.
        suffix: Option<KindSuffix>,
    },
    /// A real literal.
    Real {
        /// Digits and exponent as spelt (`1.5d0`, `2.e-3`), without kind suffix.
        text: String,
        /// Its kind as spelt.
        suffix: Option<KindSuffix>,
    },
    /// `(re, im)`
    ComplexLit(Box<Expr>, Box<Expr>),
    /// `.true.` or `.false.`
    Logical {
        /// Its value.
        value: bool,
        /// Its kind as spelt.
        suffix: Option<KindSuffix>,
    },
    /// A character literal, with quotes and prefix as spelt.
    Str(String),
    /// `z'ff'` and the like, as spelt.
    Boz(String),
    /// A variable, named constant or part of one.
    Var(Designator),
    /// An operation by an intrinsic operator.
    Unary(UnaryOp, Box<Expr>),
    /// An operation by an intrinsic operator.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// A function reference (also one spelt as a defined operator).
    Call {
        /// What is called.
        callee: Callee,
        /// Its actual arguments.
        args: Vec<Arg>,
    },
    /// `[...]`
    ArrayCtor {
        /// The type before `::`, as text.
        type_spec: Option<String>,
        /// Its values.
        items: Vec<CtorItem>,
    },
    /// `t(...)`
    StructCtor {
        /// The derived type.
        ty: SymId,
        /// Component values; keywords name components.
        args: Vec<Arg>,
    },
    /// Parentheses the user wrote.
    Paren(Box<Expr>),
    /// A procedure name as an actual argument or target.
    ProcRef(SymId),
    /// `*label`, `null()` in odd places and whatever else isn't understood, as text. Never differentiated.
    Opaque(String),
}

/// A reference to (part of) a variable: a base symbol and what follows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Designator {
    /// The base.
    pub sym: SymId,
    /// What follows: `s%v(3)%w(:)` is component, subscripts, component, subscripts.
    pub parts: Vec<Part>,
}

/// One step of a designator.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// `%name`
    Component(Name),
    /// `(i, 2:n)`
    Subscripts(Vec<Subscript>),
    /// `(2:5)` of a character
    Substring(Option<Box<Expr>>, Option<Box<Expr>>),
}

/// One subscript.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subscript {
    /// An index; a vector subscript when its rank is 1.
    Index(Expr),
    /// `lo:hi:step`
    Range {
        /// First index.
        lo: Option<Expr>,
        /// Last index.
        hi: Option<Expr>,
        /// Stride.
        step: Option<Expr>,
    },
}

/// What a call refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    /// An intrinsic procedure.
    Intrinsic(Intrinsic),
    /// A specific procedure (module, external, internal, dummy, statement function).
    Proc {
        /// The specific procedure after generic resolution; the generic itself when it couldn't be resolved.
        sym: SymId,
        /// The generic name through which it was called.
        generic: Option<SymId>,
        /// For a defined operator: how it was spelt (`*`, `.cross.`). Arguments are its operands.
        operator: Option<String>,
    },
    /// A type-bound procedure or procedure pointer component, `a%b%add`.
    Bound {
        /// The object, without the binding's name.
        object: Box<Expr>,
        /// The binding.
        binding: Box<BindingName>,
        /// The specific procedure, when it is known statically.
        resolved: Option<SymId>,
    },
}

/// A binding by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BindingName {
    /// The name as the call has it.
    pub name: Name,
    /// The binding that a generic name stands for here.
    pub specific: Option<Name>,
}

/// An actual argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Arg {
    /// `keyword=`
    pub keyword: Option<Name>,
    /// Its value.
    pub value: Expr,
}

/// An item of an array constructor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CtorItem {
    /// A value (scalar or array).
    Value(Expr),
    /// `(items, var = lo, hi, step)`
    ImpliedDo {
        /// Items.
        items: Vec<CtorItem>,
        /// The variable.
        var: SymId,
        /// First value.
        lo: Expr,
        /// Last value.
        hi: Expr,
        /// Step.
        step: Option<Box<Expr>>,
    },
}

impl BindingName {
    /// A name that is no generic's.
    pub fn of(name: Name) -> Box<BindingName> {
        Box::new(BindingName { name, specific: None })
    }

    /// The name of the specific binding.
    pub fn specific(&self) -> &Name {
        self.specific.as_ref().unwrap_or(&self.name)
    }
}

impl Arg {
    /// A positional argument.
    pub fn new(value: Expr) -> Arg {
        Arg { keyword: None, value }
    }
}

impl Designator {
    /// A whole variable.
    pub fn whole(sym: SymId) -> Designator {
        Designator { sym, parts: Vec::new() }
    }

    /// Names of the components on the way, without subscripts.
    pub fn path(&self) -> Vec<Name> {
        let component = |p: &Part| if let Part::Component(n) = p { Some(n.clone()) } else { None };
        self.parts.iter().filter_map(component).collect()
    }

    /// The reference without its last subscripts: the array that an element or a section is picked from.
    pub fn array(&self) -> Designator {
        let mut d = self.clone();
        if let Some(Part::Subscripts(_)) = d.parts.last() {
            d.parts.pop();
        }
        d
    }

    /// The subscript lists on the way.
    pub fn subscripts(&self) -> impl Iterator<Item = &Subscript> {
        self.parts.iter().flat_map(|p| if let Part::Subscripts(s) = p { s.as_slice() } else { &[] })
    }
}

impl Expr {
    /// An expression from its parts, without a place.
    pub fn new(kind: ExprKind, ty: Ty, rank: u8) -> Expr {
        Expr { kind, ty, rank, span: Span::default() }
    }

    /// The array that an element or a section is picked from, or a pointer without the bounds that it is given.
    pub fn array(&self) -> Expr {
        let ExprKind::Var(d) = &self.kind else { return self.clone() };
        let rank = match d.parts.last() {
            Some(Part::Subscripts(list)) => list.len() as u8,
            _ => self.rank,
        };
        Expr { kind: ExprKind::Var(d.array()), rank, ..self.clone() }
    }

    /// A default integer literal.
    pub fn int(value: i64) -> Expr {
        Expr::new(ExprKind::Int { value, suffix: None }, Ty::INTEGER, 0)
    }

    /// A default logical literal.
    pub fn logical(value: bool) -> Expr {
        Expr::new(ExprKind::Logical { value, suffix: None }, Ty::LOGICAL, 0)
    }

    /// The whole of a variable of type `ty` and rank `rank`.
    pub fn var(sym: SymId, ty: Ty, rank: u8) -> Expr {
        Expr::new(ExprKind::Var(Designator::whole(sym)), ty, rank)
    }

    /// The designator, if the expression is one.
    pub fn as_var(&self) -> Option<&Designator> {
        if let ExprKind::Var(d) = &self.kind { Some(d) } else { None }
    }

    /// The expression without the user's parentheses around it.
    pub fn unparen(&self) -> &Expr {
        let mut e = self;
        while let ExprKind::Paren(inner) = &e.kind {
            e = inner;
        }
        e
    }

    /// The value of an integer literal.
    pub fn as_int(&self) -> Option<i64> {
        match &self.unparen().kind {
            ExprKind::Int { value, .. } => Some(*value),
            ExprKind::Unary(UnaryOp::Minus, e) => e.as_int().map(|v| -v),
            _ => None,
        }
    }

    /// True for a value that can carry a derivative by its type (derived types are looked into elsewhere).
    pub fn is_continuous(&self) -> bool {
        self.ty.is_continuous()
    }

    /// True when the type is a derived type.
    pub fn is_derived(&self) -> bool {
        matches!(self.ty.base, Base::Derived(_) | Base::Class(_))
    }
}
