//! A small program to hang things on: one external subroutine `f` in an otherwise empty program.

use costate_grammar::directives::{self, Directive};
use costate_grammar::ir::*;
use costate_grammar::lines::Sentinel;
use costate_grammar::operators::{BinaryOp, UnaryOp};
use costate_grammar::print::{self, Style};
use costate_grammar::source::{FileId, Span};

pub(crate) struct Builder {
    pub(crate) program: Program,
    /// The scope in which names are made.
    pub(crate) scope: ScopeId,
    pub(crate) proc: ProcId,
}

pub(crate) const D: Ty = Ty::DOUBLE;
pub(crate) const I: Ty = Ty::INTEGER;
pub(crate) const L: Ty = Ty::LOGICAL;

impl Builder {
    pub(crate) fn new() -> Builder {
        let mut program = Program::default();
        let global = program.add_scope(None, ScopeKind::Global);
        let proc = add_procedure(&mut program, global, "f", ProcKind::Subroutine, ParentUnit::File(FileId(0)));
        let scope = program[proc].scope;
        Builder { program, scope, proc }
    }

    /// A procedure in the present scope; its own scope becomes the present one.
    pub(crate) fn procedure(&mut self, name: &str, kind: ProcKind, parent: ParentUnit) -> ProcId {
        let id = add_procedure(&mut self.program, self.scope, name, kind, parent);
        self.scope = self.program[id].scope;
        id
    }

    pub(crate) fn add(&mut self, name: &str, kind: SymbolKind) -> SymId {
        self.program.add_symbol(self.scope, name.into(), Span::default(), kind)
    }

    pub(crate) fn var_with(&mut self, name: &str, ty: Ty, spelling: &str, change: impl FnOnce(&mut Variable)) -> SymId {
        let mut v = Variable::scalar(ty, spelling);
        change(&mut v);
        self.add(name, SymbolKind::Variable(Box::new(v)))
    }

    pub(crate) fn scalar(&mut self, name: &str, ty: Ty) -> SymId {
        self.var_with(name, ty, spelling(ty), |_| {})
    }

    pub(crate) fn array(&mut self, name: &str, ty: Ty, n: Expr) -> SymId {
        self.var_with(name, ty, spelling(ty), |v| v.dims = vec![Dim::Explicit(None, n)])
    }

    pub(crate) fn dummy(&mut self, name: &str, ty: Ty, intent: Intent) -> SymId {
        let at = self.program[self.proc].dummies.len();
        let sym = self.var_with(name, ty, spelling(ty), |v| {
            v.intent = Some(intent);
            v.dummy = Some(at);
        });
        self.program[self.proc].dummies.push(sym);
        sym
    }

    /// A reference to the whole of a variable, made as a double precision scalar when it isn't there yet.
    pub(crate) fn v(&mut self, name: &str) -> Expr {
        let sym = self.program.lookup(self.scope, name).unwrap_or_else(|| self.scalar(name, D));
        let v = self.program.var(sym).expect("a variable").clone();
        Expr::var(sym, v.ty, v.rank())
    }

    pub(crate) fn stmt(&mut self, kind: StmtKind) -> Stmt {
        let id = self.program.fresh_stmt();
        Stmt::new(id, kind, Origin::Source(Span::default()))
    }

    pub(crate) fn assign(&mut self, lhs: Expr, rhs: Expr) -> Stmt {
        self.stmt(StmtKind::Assign { lhs, rhs })
    }

    pub(crate) fn body(&mut self, body: Vec<Stmt>) {
        self.program[self.proc].body = body;
    }

    pub(crate) fn show(&self, e: &Expr) -> String {
        print::expr(&self.program, e)
    }

    pub(crate) fn statements(&self, body: &[Stmt]) -> String {
        print::statements(&self.program, self.scope, body, &Style::default(), 0)
    }

    pub(crate) fn text(&self) -> String {
        print::procedure(&self.program, self.proc, &Style::default())
    }
}

pub(crate) fn add_procedure(
    program: &mut Program,
    host: ScopeId,
    name: &str,
    kind: ProcKind,
    parent: ParentUnit,
) -> ProcId {
    let id = ProcId::new(program.procedures.len());
    let scope = program.add_scope(Some(host), ScopeKind::Procedure(id));
    let info = ProcInfo { definition: Some(id), ..ProcInfo::default() };
    let sym = program.add_symbol(host, name.into(), Span::default(), SymbolKind::Procedure(Box::new(info)));
    program.procedures.push(Procedure {
        name: name.into(),
        sym,
        scope,
        kind,
        dummies: Vec::new(),
        prefix: Prefix::default(),
        bind: None,
        parent,
        internals: Vec::new(),
        body: Vec::new(),
        file: FileId(0),
        span: Span::default(),
        head: Span::default(),
        problems: Vec::new(),
        header: Vec::new(),
        copy_of: None,
        declared: false,
    });
    id
}

pub(crate) fn add_module(program: &mut Program, name: &str) -> ModuleId {
    let id = ModuleId::new(program.modules.len());
    let scope = program.add_scope(None, ScopeKind::Module(id));
    program.modules.push(Module {
        name: name.into(),
        kind: ModuleKind::Module,
        scope,
        procedures: Vec::new(),
        file: FileId(0),
        span: Span::default(),
        contains: None,
        end: Span::default(),
        default_private: false,
        passed_on: Vec::new(),
        problems: Vec::new(),
        header: Vec::new(),
    });
    program.module_names.insert(name.into(), id);
    id
}

pub(crate) fn spelling(ty: Ty) -> &'static str {
    match (ty.base, ty.kind) {
        (Base::Integer, _) => "integer",
        (Base::Real, 8) => "real(8)",
        (Base::Real, _) => "real",
        (Base::Complex, _) => "complex(8)",
        (Base::Logical, _) => "logical",
        (Base::Character, _) => "character(len=8)",
        (Base::Derived(_) | Base::Class(_) | Base::Unlimited | Base::None, _) => "",
    }
}

pub(crate) fn bin(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b)
}

/// An operation without the folding of the builders.
pub(crate) fn un(op: UnaryOp, a: Expr) -> Expr {
    let (ty, rank) = (a.ty, a.rank);
    Expr::new(ExprKind::Unary(op, Box::new(a)), ty, rank)
}

pub(crate) fn paren(a: Expr) -> Expr {
    let (ty, rank) = (a.ty, a.rank);
    Expr::new(ExprKind::Paren(Box::new(a)), ty, rank)
}

pub(crate) fn real(text: &str, suffix: Option<KindSuffix>) -> Expr {
    Expr::new(ExprKind::Real { text: text.into(), suffix }, D, 0)
}

pub(crate) fn string(text: &str) -> Expr {
    Expr::new(ExprKind::Str(text.into()), Ty::CHARACTER, 0)
}

pub(crate) fn range(lo: Option<Expr>, hi: Option<Expr>, step: Option<Expr>) -> Subscript {
    Subscript::Range { lo, hi, step }
}

/// `sym` with parts after it.
pub(crate) fn part(of: &Expr, parts: Vec<Part>, rank: u8) -> Expr {
    let sym = of.as_var().expect("a variable").sym;
    Expr::new(ExprKind::Var(Designator { sym, parts }), of.ty, rank)
}

pub(crate) fn omp(text: &str) -> Directive {
    directives::parse(Sentinel::Omp, text, Span::default()).expect("an OpenMP directive")
}
