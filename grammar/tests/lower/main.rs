//! Lowering: what the IR says of snippets.

mod control;
mod declarations;
mod expressions;
mod procedures;
mod programs;

use costate_grammar::diag::Diagnostic;
use costate_grammar::form::ReadOptions;
use costate_grammar::ir::{
    Arg, Base, Callee, CtorItem, Expr, ExprKind, Part, ProcId, Program, Stmt, StmtKind, Subscript, SymId, Ty, Variable,
};
use costate_grammar::program::parse_program;
use costate_grammar::source::{SourceMap, Span};

/// A lowered program with its texts.
pub(crate) struct Facts {
    pub(crate) program: Program,
    pub(crate) sources: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Lowers files without looking at what was said.
pub(crate) fn lower_files(files: &[(&str, &str)]) -> Facts {
    let mut sources = SourceMap::default();
    let inputs = files.iter().map(|(name, text)| (name.to_string(), text.to_string()));
    let (program, diagnostics) = parse_program(&mut sources, inputs, &ReadOptions::default());
    Facts { program, sources, diagnostics }
}

/// Lowers a file that has nothing wrong with it.
pub(crate) fn lower(text: &str) -> Facts {
    let facts = lower_files(&[("t.f90", text)]);
    assert_eq!(facts.all_problems(), Vec::<String>::new());
    facts
}

/// A subroutine `s` with declarations and statements around which nothing is wrong.
pub(crate) fn body(declarations: &str, statements: &str) -> Facts {
    lower(&format!("subroutine s\nimplicit none\n{declarations}\n{statements}\nend subroutine s\n"))
}

impl Facts {
    pub(crate) fn all_problems(&self) -> Vec<String> {
        let modules = self.program.modules().flat_map(|(_, m)| &m.problems);
        let procedures = self.program.procedures().flat_map(|(_, p)| &p.problems);
        self.diagnostics
            .iter()
            .chain(modules)
            .chain(procedures)
            .map(|d| format!("{}: {}", d.code.as_str(), d.message))
            .collect()
    }

    /// A procedure by name (the definition, not an interface).
    pub(crate) fn proc(&self, name: &str) -> ProcId {
        let found = self
            .program
            .procedures()
            .find(|(_, p)| p.name.as_str() == name && p.parent != costate_grammar::ir::ParentUnit::Interface);
        found.unwrap_or_else(|| panic!("no procedure {name}")).0
    }

    pub(crate) fn stmts(&self, procedure: &str) -> &[Stmt] {
        &self.program[self.proc(procedure)].body
    }

    /// The symbol of a name within a procedure.
    pub(crate) fn sym(&self, procedure: &str, name: &str) -> SymId {
        let scope = self.program[self.proc(procedure)].scope;
        self.program.lookup(scope, name).unwrap_or_else(|| panic!("no {name} in {procedure}"))
    }

    pub(crate) fn var(&self, procedure: &str, name: &str) -> &Variable {
        self.program.var(self.sym(procedure, name)).unwrap_or_else(|| panic!("{name} isn't a variable"))
    }

    pub(crate) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// The right sides of the assignments of a procedure, in order.
    pub(crate) fn rhs(&self, procedure: &str) -> Vec<&Expr> {
        let mut out = Vec::new();
        costate_grammar::ir::for_each_stmt(&self.program[self.proc(procedure)].body, &mut |s| {
            if let StmtKind::Assign { rhs, .. } = &s.kind {
                out.push(rhs);
            }
        });
        out
    }

    fn name(&self, s: SymId) -> &str {
        &self.program[s].name
    }

    /// An expression with its structure made visible: `(** a (** b c))`, `x[i,1:n]%v`, `call f(x)`, `sin(x)`.
    pub(crate) fn show(&self, e: &Expr) -> String {
        let list = |args: &[Arg]| {
            let one = |a: &Arg| match &a.keyword {
                Some(k) => format!("{k}={}", self.show(&a.value)),
                None => self.show(&a.value),
            };
            args.iter().map(one).collect::<Vec<_>>().join(",")
        };
        match &e.kind {
            ExprKind::Int { value, .. } => value.to_string(),
            ExprKind::Real { text, .. } => text.clone(),
            ExprKind::ComplexLit(a, b) => format!("({},{})", self.show(a), self.show(b)),
            ExprKind::Logical { value, .. } => value.to_string(),
            ExprKind::Str(s) | ExprKind::Boz(s) => s.clone(),
            ExprKind::Opaque(s) => format!("?{s}"),
            ExprKind::Unary(op, a) => format!("({} {})", op.text(), self.show(a)),
            ExprKind::Binary(op, a, b) => format!("({} {} {})", op.text(), self.show(a), self.show(b)),
            ExprKind::Paren(a) => format!("paren{{{}}}", self.show(a)),
            ExprKind::ProcRef(s) => format!("&{}", self.name(*s)),
            ExprKind::StructCtor { ty, args } => format!("new {}({})", self.name(*ty), list(args)),
            ExprKind::ArrayCtor { items, .. } => {
                format!("[{}]", items.iter().map(|i| self.item(i)).collect::<Vec<_>>().join(","))
            }
            ExprKind::Call { callee, args } => format!("{}({})", self.callee(callee), list(args)),
            ExprKind::Var(d) => {
                let mut out = self.name(d.sym).to_string();
                for p in &d.parts {
                    match p {
                        Part::Component(n) => out.push_str(&format!("%{n}")),
                        Part::Subscripts(s) => {
                            let s: Vec<String> = s.iter().map(|s| self.subscript(s)).collect();
                            out.push_str(&format!("[{}]", s.join(",")));
                        }
                        Part::Substring(a, b) => {
                            let side = |e: &Option<Box<Expr>>| e.as_ref().map_or(String::new(), |e| self.show(e));
                            out.push_str(&format!("<{}:{}>", side(a), side(b)));
                        }
                    }
                }
                out
            }
        }
    }

    fn subscript(&self, s: &Subscript) -> String {
        let side = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| self.show(e));
        match s {
            Subscript::Index(e) => self.show(e),
            Subscript::Range { lo, hi, step: None } => format!("{}:{}", side(lo), side(hi)),
            Subscript::Range { lo, hi, step } => format!("{}:{}:{}", side(lo), side(hi), side(step)),
        }
    }

    fn item(&self, i: &CtorItem) -> String {
        match i {
            CtorItem::Value(e) => self.show(e),
            CtorItem::ImpliedDo { items, var, lo, hi, .. } => {
                let items: Vec<String> = items.iter().map(|i| self.item(i)).collect();
                format!("({},{}={},{})", items.join(","), self.name(*var), self.show(lo), self.show(hi))
            }
        }
    }

    pub(crate) fn callee(&self, c: &Callee) -> String {
        match c {
            Callee::Intrinsic(f) => f.name().to_string(),
            Callee::Proc { sym, generic: None, operator: None } => format!("call {}", self.name(*sym)),
            Callee::Proc { sym, operator: Some(op), .. } => format!("op{op} {}", self.name(*sym)),
            Callee::Proc { sym, generic: Some(g), .. } => format!("call {}->{}", self.name(*g), self.name(*sym)),
            Callee::Bound { object, binding, resolved } => {
                let target = resolved.map_or("?", |r| self.name(r));
                format!("call {}%{}->{target}", self.show(object), binding.name)
            }
        }
    }

    /// A statement in one line, blocks in braces.
    pub(crate) fn stmt(&self, s: &Stmt) -> String {
        let block = |b: &[Stmt]| b.iter().map(|s| self.stmt(s)).collect::<Vec<_>>().join("; ");
        let label = s.label.map_or(String::new(), |l| format!("{l} "));
        let name = |n: &Option<costate_grammar::ir::Name>| n.as_ref().map_or(String::new(), |n| format!("{n}: "));
        let text = match &s.kind {
            StmtKind::Assign { lhs, rhs } => format!("{} = {}", self.show(lhs), self.show(rhs)),
            StmtKind::PointerAssign { lhs, rhs } => format!("{} => {}", self.show(lhs), self.show(rhs)),
            StmtKind::Call { callee, args } => {
                let args: Vec<String> = args.iter().map(|a| self.show(&a.value)).collect();
                format!("{}({})", self.callee(callee), args.join(","))
            }
            StmtKind::If { name: n, arms, otherwise, .. } => {
                let mut out = name(n);
                for a in arms {
                    out.push_str(&format!("if {} {{{}}} ", self.show(&a.cond), block(&a.body)));
                }
                if let Some(o) = otherwise {
                    out.push_str(&format!("else {{{}}}", block(o)));
                }
                out.trim_end().to_string()
            }
            StmtKind::Associate { bindings, body, .. } => {
                let shown: Vec<String> =
                    bindings.iter().map(|(s, e)| format!("{}=>{}", self.name(*s), self.show(e))).collect();
                format!("associate {} {{{}}}", shown.join(", "), block(body))
            }
            StmtKind::Do { name: n, control, body, parallel } => {
                use costate_grammar::ir::LoopControl as L;
                let head = match control {
                    L::Count { var, lo, hi, step } => {
                        let step = step.as_ref().map_or(String::new(), |s| format!(",{}", self.show(s)));
                        format!("{}={},{}{step}", self.name(*var), self.show(lo), self.show(hi))
                    }
                    L::While(c) => format!("while {}", self.show(c)),
                    L::Forever => "forever".into(),
                    L::Concurrent { indices, mask, locality } => {
                        let i: Vec<&str> = indices.iter().map(|(s, ..)| self.name(*s)).collect();
                        format!(
                            "concurrent {} {} {locality}",
                            i.join(","),
                            mask.as_ref().map_or(String::new(), |m| self.show(m))
                        )
                    }
                };
                let own = format!("{}do {head} {{{}}}", name(n), block(body));
                let lines = parallel.iter().flat_map(|p| p.directives.iter().rev());
                lines.fold(own, |own, d| format!("!{} {{{own}}}", d.directive.text))
            }
            StmtKind::Directive { directive, body, .. } => match body {
                Some(b) => format!("!{} {{{}}}", directive.text, block(b)),
                None => format!("!{}", directive.text),
            },
            StmtKind::Unsupported { what, body, .. } => format!("unsupported {what} {{{}}}", block(body)),
            StmtKind::Exit(n) => format!("exit {}", n.as_deref().unwrap_or("")).trim_end().to_string(),
            StmtKind::Cycle(n) => format!("cycle {}", n.as_deref().unwrap_or("")).trim_end().to_string(),
            StmtKind::Comment(c) => format!("comment {c}"),
            other => format!("{other:?}"),
        };
        format!("{label}{text}")
    }

    pub(crate) fn all(&self, procedure: &str) -> Vec<String> {
        self.stmts(procedure).iter().map(|s| self.stmt(s)).collect()
    }
}

pub(crate) const DOUBLE: Ty = Ty::DOUBLE;

pub(crate) fn int(kind: u8) -> Ty {
    Ty::new(Base::Integer, kind)
}
