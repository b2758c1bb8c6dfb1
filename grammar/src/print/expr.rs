//! Expressions: the fewest parentheses that keep the meaning, and blanks where they help reading.

use super::Style;
use super::names::Cx;
use crate::ir::{Arg, Callee, CtorItem, Designator, Expr, ExprKind, KindSuffix, Part, Program, Subscript};
use crate::operators::{Assoc, BinaryOp, DEFINED_BINARY, DEFINED_UNARY, UnaryOp};

/// Precedence of what needs no parentheses anywhere.
const PRIMARY: u8 = 100;

/// An expression in the default style, with names as they were declared.
pub fn expr(program: &Program, e: &Expr) -> String {
    Cx::new(program, None, &Style::default()).expr(e)
}

/// An operator by its place in the operator table, intrinsic or defined.
#[derive(Clone, Copy)]
struct Infix {
    precedence: u8,
    assoc: Assoc,
}

impl Infix {
    fn of(op: BinaryOp) -> Infix {
        Infix { precedence: op.precedence(), assoc: op.assoc() }
    }

    fn left_needs_parens(self, operand: u8) -> bool {
        operand < self.precedence || (operand == self.precedence && self.assoc != Assoc::Left)
    }

    fn right_needs_parens(self, operand: u8) -> bool {
        operand < self.precedence || (operand == self.precedence && self.assoc != Assoc::Right)
    }
}

impl Cx<'_> {
    /// An expression.
    pub(super) fn expr(&self, e: &Expr) -> String {
        let mut w = Writer { cx: *self, out: String::new(), tight: false };
        w.expr(e);
        w.out
    }

    /// An expression among subscripts and bounds: no blanks round `+` and `-`.
    pub(super) fn tight(&self, e: &Expr) -> String {
        let mut w = Writer { cx: *self, out: String::new(), tight: true };
        w.expr(e);
        w.out
    }

    /// Actual arguments without the parentheses round them.
    pub(super) fn args(&self, args: &[Arg]) -> String {
        let mut w = Writer { cx: *self, out: String::new(), tight: false };
        w.args(args);
        w.out
    }

    /// What a `call` names.
    pub(super) fn callee(&self, callee: &Callee) -> String {
        let mut w = Writer { cx: *self, out: String::new(), tight: false };
        w.callee(callee);
        w.out
    }
}

struct Writer<'a> {
    cx: Cx<'a>,
    out: String,
    tight: bool,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Int { value, suffix } => self.int(*value, suffix.as_ref()),
            ExprKind::Real { text, suffix } => {
                self.push(text);
                // `1.0d0_8` isn't Fortran: the exponent letter gives the kind already.
                if !text.contains(['d', 'D', 'q', 'Q']) {
                    self.suffix(suffix.as_ref());
                }
            }
            ExprKind::ComplexLit(re, im) => {
                self.push("(");
                self.expr(re);
                self.push(", ");
                self.expr(im);
                self.push(")");
            }
            ExprKind::Logical { value, suffix } => {
                let word = self.cx.kw(if *value { ".true." } else { ".false." });
                self.push(&word);
                self.suffix(suffix.as_ref());
            }
            ExprKind::Str(text) | ExprKind::Boz(text) | ExprKind::Opaque(text) => self.push(text),
            ExprKind::Var(d) => self.designator(d),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Call { callee: Callee::Proc { sym, generic, operator: Some(spelt) }, args } => {
                match args.as_slice() {
                    [a] => self.defined_unary(spelt, &a.value),
                    [a, b] => self.defined_binary(spelt, &a.value, &b.value),
                    // An operator has one or two operands; anything else can only be meant as a plain reference.
                    _ => self.call(&Callee::Proc { sym: *sym, generic: *generic, operator: None }, args),
                }
            }
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::ArrayCtor { type_spec, items } => self.array(type_spec.as_deref(), items),
            ExprKind::StructCtor { ty, args } => {
                let name = self.cx.name(*ty);
                self.push(&name);
                self.push("(");
                self.args(args);
                self.push(")");
            }
            ExprKind::Paren(a) => self.parens(a),
            ExprKind::ProcRef(sym) => {
                let name = self.cx.name(*sym);
                self.push(&name);
            }
        }
    }

    fn int(&mut self, value: i64, suffix: Option<&KindSuffix>) {
        if value == i64::MIN {
            // Its magnitude is no literal of its own kind.
            self.push(&(value + 1).to_string());
            self.suffix(suffix);
            self.push(" - 1");
            return self.suffix(suffix);
        }
        self.push(&value.to_string());
        self.suffix(suffix);
    }

    fn suffix(&mut self, suffix: Option<&KindSuffix>) {
        match suffix {
            None => {}
            Some(KindSuffix::Number(n)) => self.push(&format!("_{n}")),
            Some(KindSuffix::Named(sym)) => {
                let name = self.cx.name(*sym);
                self.push("_");
                self.push(&name);
            }
        }
    }

    fn parens(&mut self, e: &Expr) {
        self.push("(");
        self.expr(e);
        self.push(")");
    }

    fn operand(&mut self, e: &Expr, parens: bool) {
        if parens { self.parens(e) } else { self.expr(e) }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) {
        let word = self.cx.kw(op.text());
        self.push(&word);
        if op == UnaryOp::Not {
            self.push(" ");
        }
        self.operand(a, precedence(a) <= op.precedence());
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) {
        let infix = Infix::of(op);
        self.operand(a, infix.left_needs_parens(precedence(a)));
        self.operator(op);
        self.operand(b, infix.right_needs_parens(precedence(b)));
    }

    fn operator(&mut self, op: BinaryOp) {
        let blanks = match op {
            BinaryOp::Pow | BinaryOp::Mul | BinaryOp::Div => false,
            BinaryOp::Add | BinaryOp::Sub => !self.tight,
            BinaryOp::Concat
            | BinaryOp::Eq
            | BinaryOp::Ne
            | BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Gt
            | BinaryOp::Ge
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Eqv
            | BinaryOp::Neqv => true,
        };
        let text = if self.cx.style.operator_dots { dotted(op) } else { op.text() };
        let text = self.cx.kw(text);
        let gap = if blanks { " " } else { "" };
        self.push(&format!("{gap}{text}{gap}"));
    }

    fn defined_unary(&mut self, spelt: &str, a: &Expr) {
        match unary_op(spelt) {
            Some(op) => self.unary(op, a),
            None => {
                self.push(spelt);
                self.push(" ");
                // The operand of a defined unary operator is a primary.
                self.operand(a, precedence(a) <= DEFINED_UNARY);
            }
        }
    }

    fn defined_binary(&mut self, spelt: &str, a: &Expr, b: &Expr) {
        match BinaryOp::parse(spelt) {
            Some(op) => self.binary(op, a, b),
            None => {
                let infix = Infix { precedence: DEFINED_BINARY, assoc: Assoc::Left };
                self.operand(a, infix.left_needs_parens(precedence(a)));
                self.push(&format!(" {spelt} "));
                self.operand(b, infix.right_needs_parens(precedence(b)));
            }
        }
    }

    fn call(&mut self, callee: &Callee, args: &[Arg]) {
        self.callee(callee);
        self.push("(");
        self.args(args);
        self.push(")");
    }

    fn callee(&mut self, callee: &Callee) {
        match callee {
            Callee::Intrinsic(f) => self.push(f.name()),
            Callee::Proc { sym, generic, .. } => {
                let name = self.cx.name(generic.unwrap_or(*sym));
                self.push(&name);
            }
            Callee::Bound { object, binding, .. } => {
                self.expr(object);
                self.push("%");
                self.push(&binding.name);
            }
        }
    }

    fn args(&mut self, args: &[Arg]) {
        for (i, arg) in args.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            if let Some(keyword) = &arg.keyword {
                self.push(keyword);
                self.push("=");
            }
            self.expr(&arg.value);
        }
    }

    fn designator(&mut self, d: &Designator) {
        let name = self.cx.name(d.sym);
        self.push(&name);
        let tight = std::mem::replace(&mut self.tight, true);
        for part in &d.parts {
            match part {
                Part::Component(name) => {
                    self.push("%");
                    self.push(name);
                }
                Part::Subscripts(list) => {
                    self.push("(");
                    for (i, s) in list.iter().enumerate() {
                        if i > 0 {
                            self.push(", ");
                        }
                        self.subscript(s);
                    }
                    self.push(")");
                }
                Part::Substring(lo, hi) => {
                    self.push("(");
                    self.range(lo.as_deref(), hi.as_deref(), None);
                    self.push(")");
                }
            }
        }
        self.tight = tight;
    }

    fn subscript(&mut self, s: &Subscript) {
        match s {
            Subscript::Index(e) => self.expr(e),
            Subscript::Range { lo, hi, step } => self.range(lo.as_ref(), hi.as_ref(), step.as_ref()),
        }
    }

    fn range(&mut self, lo: Option<&Expr>, hi: Option<&Expr>, step: Option<&Expr>) {
        if let Some(lo) = lo {
            self.expr(lo);
        }
        self.push(":");
        if let Some(hi) = hi {
            self.expr(hi);
        }
        if let Some(step) = step {
            self.push(":");
            self.expr(step);
        }
    }

    fn array(&mut self, type_spec: Option<&str>, items: &[CtorItem]) {
        self.push("[");
        if let Some(spec) = type_spec {
            self.push(spec);
            self.push(if items.is_empty() { " ::" } else { " :: " });
        }
        self.items(items);
        self.push("]");
    }

    fn items(&mut self, items: &[CtorItem]) {
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.push(", ");
            }
            match item {
                CtorItem::Value(e) => self.expr(e),
                CtorItem::ImpliedDo { items, var, lo, hi, step } => {
                    self.push("(");
                    self.items(items);
                    let name = self.cx.name(*var);
                    self.push(&format!(", {name} = "));
                    self.expr(lo);
                    self.push(", ");
                    self.expr(hi);
                    if let Some(step) = step {
                        self.push(", ");
                        self.expr(step);
                    }
                    self.push(")");
                }
            }
        }
    }
}

/// How tightly the outermost operation of an expression binds as it is printed.
fn precedence(e: &Expr) -> u8 {
    match &e.kind {
        ExprKind::Int { value, .. } if *value < 0 => UnaryOp::Minus.precedence(),
        ExprKind::Real { text, .. } if text.starts_with(['-', '+']) => UnaryOp::Minus.precedence(),
        ExprKind::Unary(op, _) => op.precedence(),
        ExprKind::Binary(op, ..) => op.precedence(),
        ExprKind::Call { callee: Callee::Proc { operator: Some(spelt), .. }, args } => match args.len() {
            1 => unary_op(spelt).map_or(DEFINED_UNARY, UnaryOp::precedence),
            2 => BinaryOp::parse(spelt).map_or(DEFINED_BINARY, BinaryOp::precedence),
            _ => PRIMARY,
        },
        ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::ComplexLit(..)
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::Var(_)
        | ExprKind::Call { .. }
        | ExprKind::ArrayCtor { .. }
        | ExprKind::StructCtor { .. }
        | ExprKind::Paren(_)
        | ExprKind::ProcRef(_)
        | ExprKind::Opaque(_) => PRIMARY,
    }
}

fn unary_op(spelt: &str) -> Option<UnaryOp> {
    match spelt.to_ascii_lowercase().as_str() {
        "-" => Some(UnaryOp::Minus),
        "+" => Some(UnaryOp::Plus),
        ".not." => Some(UnaryOp::Not),
        _ => None,
    }
}

/// The old spelling of a comparison; other operators have one spelling only.
fn dotted(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Eq => ".eq.",
        BinaryOp::Ne => ".ne.",
        BinaryOp::Lt => ".lt.",
        BinaryOp::Le => ".le.",
        BinaryOp::Gt => ".gt.",
        BinaryOp::Ge => ".ge.",
        BinaryOp::Pow
        | BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Concat
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Eqv
        | BinaryOp::Neqv => op.text(),
    }
}
