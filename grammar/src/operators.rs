//! THE operator table: spelling, precedence and associativity (F2018 table 10.1). Lowering and printing both read it.

/// An intrinsic unary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UnaryOp {
    /// `-a`
    Minus,
    /// `+a`
    Plus,
    /// `.not. a`
    Not,
}

/// An intrinsic binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BinaryOp {
    /// `a ** b`
    Pow,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a // b`
    Concat,
    /// `a == b`
    Eq,
    /// `a /= b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
    /// `a .and. b`
    And,
    /// `a .or. b`
    Or,
    /// `a .eqv. b`
    Eqv,
    /// `a .neqv. b`
    Neqv,
}

/// How operands group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assoc {
    /// `a - b - c` is `(a - b) - c`
    Left,
    /// `a ** b ** c` is `a ** (b ** c)`
    Right,
    /// `a < b < c` isn't Fortran
    None,
}

/// Precedence of a defined unary operator, the highest.
pub const DEFINED_UNARY: u8 = 12;
/// Precedence of a defined binary operator, the lowest.
pub const DEFINED_BINARY: u8 = 1;

impl UnaryOp {
    /// Its spelling.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Minus => "-",
            UnaryOp::Plus => "+",
            UnaryOp::Not => ".not.",
        }
    }

    /// Its precedence; higher binds tighter. A sign binds like a binary `+`.
    pub fn precedence(self) -> u8 {
        match self {
            UnaryOp::Minus | UnaryOp::Plus => 8,
            UnaryOp::Not => 5,
        }
    }
}

impl BinaryOp {
    /// Its spelling in free form.
    pub fn text(self) -> &'static str {
        self.row().0
    }

    /// Its precedence; higher binds tighter.
    pub fn precedence(self) -> u8 {
        self.row().1
    }

    /// How it groups.
    pub fn assoc(self) -> Assoc {
        self.row().2
    }

    /// The operator of a spelling, old forms (`.eq.`) included, case aside.
    pub fn parse(text: &str) -> Option<BinaryOp> {
        let lower = text.to_ascii_lowercase();
        let old = match lower.as_str() {
            ".eq." => "==",
            ".ne." => "/=",
            ".lt." => "<",
            ".le." => "<=",
            ".gt." => ">",
            ".ge." => ">=",
            other => other,
        };
        BinaryOp::ALL.iter().copied().find(|op| op.text() == old)
    }

    /// Every binary operator.
    pub const ALL: &'static [BinaryOp] = &[
        BinaryOp::Pow,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Concat,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Eqv,
        BinaryOp::Neqv,
    ];

    fn row(self) -> (&'static str, u8, Assoc) {
        match self {
            BinaryOp::Pow => ("**", 10, Assoc::Right),
            BinaryOp::Mul => ("*", 9, Assoc::Left),
            BinaryOp::Div => ("/", 9, Assoc::Left),
            BinaryOp::Add => ("+", 8, Assoc::Left),
            BinaryOp::Sub => ("-", 8, Assoc::Left),
            BinaryOp::Concat => ("//", 7, Assoc::Left),
            BinaryOp::Eq => ("==", 6, Assoc::None),
            BinaryOp::Ne => ("/=", 6, Assoc::None),
            BinaryOp::Lt => ("<", 6, Assoc::None),
            BinaryOp::Le => ("<=", 6, Assoc::None),
            BinaryOp::Gt => (">", 6, Assoc::None),
            BinaryOp::Ge => (">=", 6, Assoc::None),
            BinaryOp::And => (".and.", 4, Assoc::Left),
            BinaryOp::Or => (".or.", 3, Assoc::Left),
            BinaryOp::Eqv => (".eqv.", 2, Assoc::Left),
            BinaryOp::Neqv => (".neqv.", 2, Assoc::Left),
        }
    }

    /// True for the numeric operators.
    pub fn is_arithmetic(self) -> bool {
        matches!(self, BinaryOp::Pow | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Add | BinaryOp::Sub)
    }
}
