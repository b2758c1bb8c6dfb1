//! The kinds of statement of normal form. What a body in normal form consists of is decided here, and nowhere else.

use costate_grammar::directives::Directive;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Arg, Block, Callee, DataKind, Expr, ExprKind, IfArm, IoItems, LoopControl, Name, SelectArm, Stmt,
    StmtKind, SymId,
};

use crate::loops::exit_flag;

/// A statement of normal form.
#[derive(Clone, Copy, Debug)]
pub enum Kind<'a> {
    /// `lhs = rhs`, of a value that no function of the user's is asked for. Real and complex values go to scalars.
    Assign {
        /// A variable or element.
        lhs: &'a Expr,
        /// Its new value.
        rhs: &'a Expr,
    },
    /// `lhs = matmul(a, b)`, of arrays that have names or are transposed ones.
    Product {
        /// An array.
        lhs: &'a Expr,
        /// The product.
        rhs: &'a Expr,
        /// Its factors.
        factors: &'a [Arg],
    },
    /// `call f(...)`, `v = f(...)` or `p => f(...)`.
    Call(Call<'a>),
    /// `p => t`
    PointerAssign {
        /// A pointer, with bounds perhaps.
        lhs: &'a Expr,
        /// What it points to then.
        rhs: &'a Expr,
    },
    /// `if`
    If {
        /// Conditions with their blocks.
        arms: &'a [IfArm],
        /// The `else` block.
        otherwise: Option<&'a Block>,
    },
    /// `select case`
    Select {
        /// The selector.
        selector: &'a Expr,
        /// The cases.
        arms: &'a [SelectArm],
    },
    /// `do`
    Loop {
        /// What drives it.
        control: Control<'a>,
        /// Its statements, the exit at the end aside.
        body: &'a [Stmt],
        /// The statement `if (flag) exit` at the end, and its flag.
        exit: Option<(&'a Stmt, &'a Expr)>,
    },
    /// `exit`, of the loop at whose end `if (flag) exit` stands
    Exit,
    /// `allocate`
    Allocate {
        /// What is allocated.
        items: &'a [AllocItem],
        /// `stat=`, `errmsg=`, and `source=` or `mold=` where the type isn't known.
        options: &'a [(Name, Expr)],
    },
    /// `deallocate`
    Deallocate {
        /// What is freed.
        items: &'a [Expr],
        /// `stat=`, `errmsg=`.
        options: &'a [(Name, Expr)],
    },
    /// `nullify`
    Nullify(&'a [Expr]),
    /// Input and output
    InputOutput {
        /// Its class.
        class: DataKind,
        /// What it touches.
        items: &'a IoItems,
    },
    /// `stop` or `error stop`, with its code
    Stop(Option<&'a Expr>),
    /// A directive that governs nothing by itself
    Directive(&'a Directive),
    /// What directives of OpenMP or OpenACC govern: a region, or a loop whose iterations they share out. What is in it
    /// stays as the user wrote it, save that other names may stand there for the same things.
    Region {
        /// What drives the loop, for one.
        control: Option<Control<'a>>,
        /// Its statements.
        body: &'a Block,
    },
    /// `continue` or a comment
    Nothing,
    /// What no pass could bring into normal form. Whoever differentiates it refuses it.
    Left(Left<'a>),
}

/// A call of a procedure, of which a statement has one at most.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// What is called.
    pub callee: &'a Callee,
    /// Its arguments.
    pub args: &'a [Arg],
    /// What becomes of a function's value; `None` for a subroutine.
    pub result: Option<Outcome<'a>>,
}

/// What becomes of the value of a function.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The variable that it goes to.
    pub to: &'a Expr,
    /// The function's reference.
    pub value: &'a Expr,
    /// It is a pointer, and the variable, a pointer too, is associated with what it points to.
    pub associates: bool,
}

/// What drives a loop of normal form.
#[derive(Clone, Copy, Debug)]
pub enum Control<'a> {
    /// `do var = lo, hi, step`
    Count {
        /// The variable.
        var: SymId,
        /// First value.
        lo: &'a Expr,
        /// Limit.
        hi: &'a Expr,
        /// Step; 1 when absent.
        step: Option<&'a Expr>,
    },
    /// `do while (cond)`
    While(&'a Expr),
    /// `do`
    Endless,
}

/// What isn't normal form.
#[derive(Clone, Copy, Debug)]
pub enum Left<'a> {
    /// `exit` with a name, `cycle`, `return`
    Jump,
    /// `goto`
    Goto,
    /// `where` or `forall`
    Masked,
    /// `do concurrent`
    Concurrent,
    /// `associate` or `block`, with its statements
    Scope(&'a Block),
    /// What isn't understood, by its name
    Unsupported(&'a str),
}

/// What a statement is in normal form.
pub fn kind(stmt: &Stmt) -> Kind<'_> {
    match &stmt.kind {
        StmtKind::Assign { lhs, rhs } => assignment(lhs, rhs),
        StmtKind::PointerAssign { lhs, rhs } => match user_call(rhs) {
            Some((callee, args)) => {
                Kind::Call(Call { callee, args, result: Some(Outcome { to: lhs, value: rhs, associates: true }) })
            }
            None => Kind::PointerAssign { lhs, rhs },
        },
        StmtKind::Call { callee, args } => Kind::Call(Call { callee, args, result: None }),
        StmtKind::If { arms, otherwise, .. } => Kind::If { arms, otherwise: otherwise.as_ref() },
        StmtKind::Select { selector, arms, .. } => Kind::Select { selector, arms },
        StmtKind::Do { control, body, .. } if stmt.is_region() => Kind::Region { control: control_of(control), body },
        StmtKind::Do { control, body, .. } => match control_of(control) {
            Some(control) => {
                let exit = exit_flag(body).and_then(|flag| Some((body.last()?, flag)));
                let body = &body[..body.len() - usize::from(exit.is_some())];
                Kind::Loop { control, body, exit }
            }
            None => Kind::Left(Left::Concurrent),
        },
        StmtKind::Allocate { items, options, .. } => Kind::Allocate { items, options },
        StmtKind::Deallocate { items, options } => Kind::Deallocate { items, options },
        StmtKind::Nullify(items) => Kind::Nullify(items),
        StmtKind::Io { kind, items, .. } => Kind::InputOutput { class: *kind, items },
        StmtKind::Stop { code, .. } => Kind::Stop(code.as_ref()),
        StmtKind::Directive { body: Some(body), .. } => Kind::Region { control: None, body },
        StmtKind::Directive { directive, body: None, .. } => Kind::Directive(directive),
        StmtKind::Continue | StmtKind::Comment(_) => Kind::Nothing,
        StmtKind::Exit(None) => Kind::Exit,
        StmtKind::Exit(Some(_)) | StmtKind::Cycle(_) | StmtKind::Return => Kind::Left(Left::Jump),
        StmtKind::Goto(_) => Kind::Left(Left::Goto),
        StmtKind::Where { .. } | StmtKind::Forall { .. } => Kind::Left(Left::Masked),
        StmtKind::Associate { body, .. } | StmtKind::BlockScope { body, .. } => Kind::Left(Left::Scope(body)),
        StmtKind::Unsupported { what, .. } => Kind::Left(Left::Unsupported(what)),
    }
}

fn assignment<'a>(lhs: &'a Expr, rhs: &'a Expr) -> Kind<'a> {
    match &rhs.kind {
        ExprKind::Call { callee: Callee::Intrinsic(Intrinsic::Matmul), args } if rhs.ty.is_numeric() => {
            Kind::Product { lhs, rhs, factors: args }
        }
        _ => match user_call(rhs) {
            Some((callee, args)) => {
                Kind::Call(Call { callee, args, result: Some(Outcome { to: lhs, value: rhs, associates: false }) })
            }
            None => Kind::Assign { lhs, rhs },
        },
    }
}

/// The call of a function that isn't intrinsic, where an expression is one.
pub fn user_call(e: &Expr) -> Option<(&Callee, &[Arg])> {
    match &e.kind {
        ExprKind::Call { callee: callee @ (Callee::Proc { .. } | Callee::Bound { .. }), args } => Some((callee, args)),
        _ => None,
    }
}

fn control_of(control: &LoopControl) -> Option<Control<'_>> {
    match control {
        LoopControl::Count { var, lo, hi, step } => Some(Control::Count { var: *var, lo, hi, step: step.as_ref() }),
        LoopControl::While(cond) => Some(Control::While(cond)),
        LoopControl::Forever => Some(Control::Endless),
        LoopControl::Concurrent { .. } => None,
    }
}
