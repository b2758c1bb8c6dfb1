//! References: `a(i)` is an element, a section, a substring, a function reference, a structure constructor. The symbol
//! table decides.

use super::call::Actual;
use super::decl::extent;
use super::{Ctx, Lowerer};
use crate::cst::{Kind, Node};
use crate::diag::Code;
use crate::intrinsics::{Class, Intrinsic};
use crate::ir::{
    Arg, Base, Callee, Designator, Dim, Expr, ExprKind, Name, Part, ProcKind, ScopeKind, Subscript, SymId, SymbolKind,
    Ty,
};
use crate::source::Span;

/// One step of a reference after its base.
#[derive(Clone, Copy)]
pub(super) enum Step<'t> {
    Component(Node<'t>),
    Args(Node<'t>),
}

/// Base and steps of a reference; `None` when the base isn't a name.
pub(super) fn steps(n: Node<'_>) -> Option<(Node<'_>, Vec<Step<'_>>)> {
    match n.kind() {
        Kind::Identifier | Kind::Name | Kind::MethodName => Some((n, Vec::new())),
        Kind::MemberExpression => {
            let (base, mut list) = steps(n.named().next()?)?;
            list.push(Step::Component(n.child(Kind::TypeMember)?));
            Some((base, list))
        }
        Kind::CallExpression => {
            let (base, mut list) = steps(n.named().next()?)?;
            list.extend(n.named().skip(1).filter(|c| c.kind() == Kind::ArgumentList).map(Step::Args));
            Some((base, list))
        }
        _ => None,
    }
}

/// A reference as far as it is understood: the designator, and what it designates.
struct Walk {
    designator: Designator,
    ty: Ty,
    /// Rank gathered by the parts before the last.
    rank: u8,
    /// Dimensions of the last part, not yet subscripted.
    dims: Vec<Dim>,
    /// The last part is a parent component.
    in_parent: bool,
    span: Span,
}

impl Walk {
    fn expr(self) -> Expr {
        let rank = self.rank.max(self.dims.len() as u8);
        Expr { span: self.span, ..Expr::new(ExprKind::Var(self.designator), self.ty, rank) }
    }
}

impl<'t> Lowerer<'t> {
    /// A name with what follows it.
    pub(super) fn reference(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Expr {
        let Some((base, list)) = steps(n) else {
            // `'abc'(1:2)` and the like.
            let ty = n.named().next().filter(|c| c.kind() == Kind::StringLiteral).map_or(Ty::NONE, |_| Ty::CHARACTER);
            if ty == Ty::NONE {
                self.problem_at(ctx, Code::BadExpression, n, format!("the expression `{}` isn't understood", n.text()));
            }
            return Expr::new(ExprKind::Opaque(n.text().to_string()), ty, 0);
        };
        let name = base.lower();
        let called = matches!(list.first(), Some(Step::Args(_)));
        if let Some(sym) = self.lookup(ctx, &name).filter(|s| self.program[*s].scope == self.elsewhere) {
            self.undeclared(ctx, &name, ctx.span(base));
            if self.is_placeholder(sym) {
                // From here on it is what it looks like.
                self.program[sym].kind = if called {
                    SymbolKind::Procedure(Box::new(crate::ir::ProcInfo { external: true, ..Default::default() }))
                } else {
                    SymbolKind::Variable(Box::new(crate::ir::Variable::scalar(Ty::NONE, "")))
                };
            }
        }
        let sym = match self.lookup(ctx, &name) {
            Some(sym) => self.in_place_of_result(ctx, sym, &name, called),
            None => match self.unknown(ctx, base, &name, &list) {
                Ok(sym) => sym,
                Err(e) => return *e,
            },
        };
        self.known(ctx, n, base, sym, &list)
    }

    /// With parentheses a function's own name is a call of itself when a result clause names another variable.
    fn in_place_of_result(&self, ctx: Ctx<'t>, sym: SymId, name: &str, called: bool) -> SymId {
        let Some(var) = self.program.var(sym) else { return sym };
        if !called || !var.result || !var.dims.is_empty() || var.ty.base == Base::Character {
            return sym;
        }
        // The result bears the function's name: `f(x)` within `f` can only be a recursive call.
        match self.program[self.program[sym].scope].kind {
            ScopeKind::Procedure(p) if self.program[p].name.as_str() == name && ctx.scope.index() > 0 => {
                self.program[p].sym
            }
            _ => sym,
        }
    }

    /// A name without a symbol: an intrinsic, an external function, or an implicitly typed variable.
    fn unknown(&mut self, ctx: Ctx<'t>, base: Node<'t>, name: &str, list: &[Step<'t>]) -> Result<SymId, Box<Expr>> {
        let span = ctx.span(base);
        if let Some(Step::Args(args)) = list.first() {
            if let Some(f) = Intrinsic::find(name).filter(|f| f.class() != Class::Subroutine) {
                let args = self.arguments(ctx, *args);
                let mut e = self.intrinsic_call(ctx, f, args);
                e.span = span.to(list_span(ctx, list));
                return Err(Box::new(e));
            }
            return Ok(self.external_function(ctx, name, span));
        }
        if list.is_empty()
            && let Some(&p) = self.program.globals.get(name)
            && self.implicit_type(ctx.scope, name).is_none()
        {
            // A procedure of another file as an actual argument, without `external`.
            let _ = p;
            return Ok(self.external_symbol(ctx, name, span));
        }
        Ok(self.implicit_variable(ctx, name, span))
    }

    fn external_function(&mut self, ctx: Ctx<'t>, name: &str, span: Span) -> SymId {
        let sym = self.external_symbol(ctx, name, span);
        let ty = self.implicit_type(ctx.scope, name).map(|t| t.ty);
        if self.program.globals.contains_key(name) {
            return sym;
        }
        if let SymbolKind::Procedure(p) = &mut self.program[sym].kind {
            p.ty = ty;
        }
        sym
    }

    /// A symbol for an external procedure that nothing declares.
    pub(super) fn external_symbol(&mut self, ctx: Ctx<'t>, name: &str, span: Span) -> SymId {
        let info = crate::ir::ProcInfo {
            definition: self.program.globals.get(name).copied(),
            external: true,
            ..crate::ir::ProcInfo::default()
        };
        let home = self.home(ctx.scope);
        let scope = if info.definition.is_none() && self.may_be_elsewhere(home) { self.elsewhere } else { home };
        let sym = self.program.add_symbol(scope, Name::new(name), span, SymbolKind::Procedure(Box::new(info)));
        self.program[home].names.insert(Name::new(name), sym);
        sym
    }

    fn known(&mut self, ctx: Ctx<'t>, n: Node<'t>, base: Node<'t>, sym: SymId, list: &[Step<'t>]) -> Expr {
        let first_args = match list.first() {
            Some(Step::Args(a)) => Some(*a),
            Some(Step::Component(_)) | None => None,
        };
        match (&self.program[sym].kind, first_args) {
            (SymbolKind::Variable(_), _) => {
                if let Some(args) = first_args
                    && self.is_function_in_disguise(ctx, sym)
                {
                    return self.called_variable(ctx, n, sym, args, list);
                }
                self.type_if_untyped(ctx, sym);
                self.walk(ctx, base, sym, list)
            }
            (SymbolKind::Procedure(_), Some(args)) => {
                let actual = self.arguments(ctx, args);
                let e = self.procedure_reference(ctx, n, sym, actual);
                self.after_call(ctx, n, e, &list[1..])
            }
            (SymbolKind::Generic(g), Some(args)) => {
                let g = g.clone();
                let actual = self.arguments(ctx, args);
                let e = self.generic_reference(ctx, n, sym, &g, actual);
                self.after_call(ctx, n, e, &list[1..])
            }
            (SymbolKind::Type(_), Some(args)) => {
                let args = self.arguments(ctx, args);
                let args = args.into_iter().map(Actual::into_arg).collect();
                Expr::new(ExprKind::StructCtor { ty: sym, args }, Ty::new(Base::Derived(sym), 0), 0)
            }
            (SymbolKind::Procedure(_), None) => {
                let ty = self.result_of(sym).map_or(Ty::NONE, |(t, _)| t);
                Expr::new(ExprKind::ProcRef(sym), ty, 0)
            }
            (SymbolKind::Generic(_), None) => Expr::new(ExprKind::ProcRef(sym), Ty::NONE, 0),
            (SymbolKind::Type(_), None) | (SymbolKind::Other(_), _) => {
                self.problem_at(
                    ctx,
                    Code::BadExpression,
                    n,
                    format!("`{}` isn't a value that is understood", n.text()),
                );
                Expr::new(ExprKind::Opaque(n.text().to_string()), Ty::NONE, 0)
            }
        }
    }

    /// Nothing can follow a function reference in standard Fortran.
    fn after_call(&mut self, ctx: Ctx<'t>, n: Node<'t>, e: Expr, rest: &[Step<'t>]) -> Expr {
        if rest.is_empty() {
            return e;
        }
        self.problem_at(
            ctx,
            Code::BadExpression,
            n,
            format!("part of a function's result, `{}`, isn't standard", n.text()),
        );
        Expr::new(ExprKind::Opaque(n.text().to_string()), Ty::NONE, 0)
    }

    /// Is a scalar variable with parentheses after it really an external (or intrinsic) function whose type was declared?
    fn is_function_in_disguise(&self, ctx: Ctx<'t>, sym: SymId) -> bool {
        let Some(v) = self.program.var(sym) else { return false };
        let waits = self.units[ctx.unit].state != super::State::Done;
        let local = matches!(self.program[self.program[sym].scope].kind, ScopeKind::Procedure(_));
        v.dims.is_empty()
            && v.ty.base != Base::Character
            && !v.result
            && !v.attrs.parameter
            && !v.attrs.allocatable
            && !v.attrs.pointer
            && v.init.is_none()
            && v.common.is_none()
            && local
            && !(waits && v.dummy.is_some())
    }

    fn called_variable(&mut self, ctx: Ctx<'t>, n: Node<'t>, sym: SymId, args: Node<'t>, list: &[Step<'t>]) -> Expr {
        let name = self.program[sym].name.clone();
        let dummy = self.program.var(sym).is_some_and(|v| v.dummy.is_some());
        if self.untyped.contains(&sym) {
            let scope = self.program[sym].scope;
            if let Some(spec) = self.implicit_type(scope, &name) {
                self.set_type(sym, &spec);
            }
        }
        let intrinsic = Intrinsic::find(&name).filter(|f| !dummy && f.class() != Class::Subroutine);
        let info = self.make_procedure(sym);
        if let Some(f) = intrinsic {
            // `double precision dabs`: the type of an intrinsic was declared, as old codes do.
            info.intrinsic = Some(f);
            info.external = false;
        }
        let actual = self.arguments(ctx, args);
        let e = self.procedure_reference(ctx, n, sym, actual);
        self.after_call(ctx, n, e, &list[1..])
    }

    /// Follows components and subscripts from a variable on.
    fn walk(&mut self, ctx: Ctx<'t>, base: Node<'t>, sym: SymId, list: &[Step<'t>]) -> Expr {
        let (ty, dims) = self.program.var(sym).map_or((Ty::NONE, Vec::new()), |v| (v.ty, v.dims.clone()));
        let mut walk =
            Walk { designator: Designator::whole(sym), ty, rank: 0, dims, in_parent: false, span: ctx.span(base) };
        let mut i = 0;
        while i < list.len() {
            match list[i] {
                Step::Component(name) => {
                    let next = match list.get(i + 1) {
                        Some(Step::Args(a)) => Some(*a),
                        Some(Step::Component(_)) | None => None,
                    };
                    walk = match self.component(ctx, walk, name, next) {
                        Ok(w) => w,
                        Err(e) => {
                            let used = if next.is_some() { 2 } else { 1 };
                            let rest = list.get(i + used..).unwrap_or_default();
                            return self.after_call(ctx, base, *e, rest);
                        }
                    };
                }
                Step::Args(args) => self.subscripts(ctx, &mut walk, args),
            }
            i += 1;
        }
        walk.expr()
    }

    /// `%name`: a component, or (as `Err`) the value of a type-bound function.
    fn component(
        &mut self,
        ctx: Ctx<'t>,
        mut walk: Walk,
        name: Node<'t>,
        args: Option<Node<'t>>,
    ) -> Result<Walk, Box<Expr>> {
        let text = name.lower();
        walk.rank = walk.rank.max(walk.dims.len() as u8);
        walk.dims = Vec::new();
        walk.span = walk.span.to(ctx.span(name));
        let Some(t) = walk.ty.derived() else {
            if walk.ty.base == Base::Complex && matches!(text.as_str(), "re" | "im") {
                walk.ty.base = Base::Real;
                walk.designator.parts.push(Part::Component(Name::new(&text)));
                return Ok(walk);
            }
            if !matches!(text.as_str(), "kind" | "len") {
                let d = format!("`{text}` isn't a component: what stands before it isn't of a derived type");
                // Something else was said when the type itself isn't known.
                if walk.ty.base != Base::None {
                    self.problem_at(ctx, Code::NameNotFound, name, d);
                }
            }
            walk.designator.parts.push(Part::Component(Name::new(&text)));
            walk.ty = if matches!(text.as_str(), "kind" | "len") { Ty::INTEGER } else { Ty::NONE };
            return Ok(walk);
        };
        if let Some(c) = self.program.component(t, &text) {
            let procedure = c.attrs.pointer && c.spelling.starts_with("procedure");
            if procedure && let Some(args) = args {
                return Err(Box::new(self.bound_reference(ctx, walk.expr(), t, name, args)));
            }
            walk.ty = c.ty;
            walk.dims.clone_from(&c.dims);
            // `o%t%v` is `o%v`: a parent component is no memory of its own.
            if std::mem::replace(&mut walk.in_parent, self.program.is_parent_component(t, &text)) {
                walk.designator.parts.pop();
            }
            walk.designator.parts.push(Part::Component(Name::new(&text)));
            return Ok(walk);
        }
        if let Some(args) = args
            && self.program.binding(t, &text).is_some()
        {
            return Err(Box::new(self.bound_reference(ctx, walk.expr(), t, name, args)));
        }
        if self.program.binding(t, &text).is_none() {
            let of = self.program[t].name.clone();
            self.problem_at(ctx, Code::NameNotFound, name, format!("type `{of}` has no component `{text}`"));
        }
        walk.designator.parts.push(Part::Component(Name::new(&text)));
        walk.ty = Ty::NONE;
        Ok(walk)
    }

    fn subscripts(&mut self, ctx: Ctx<'t>, walk: &mut Walk, args: Node<'t>) {
        walk.span = walk.span.to(ctx.span(args));
        if walk.dims.is_empty() && walk.ty.base == Base::Character {
            let bounds = args.named().next().filter(|n| n.kind() == Kind::ExtentSpecifier);
            match bounds {
                Some(n) => {
                    let (lo, hi, _) = extent(n);
                    let lo = lo.map(|e| Box::new(self.expr(ctx, e)));
                    let hi = hi.map(|e| Box::new(self.expr(ctx, e)));
                    walk.designator.parts.push(Part::Substring(lo, hi));
                }
                None => self.problem_at(ctx, Code::BadExpression, args, "a substring needs `first:last`"),
            }
            return;
        }
        let mut out = Vec::new();
        let mut rank = 0;
        for n in args.named() {
            if n.kind() == Kind::ExtentSpecifier {
                let (lo, hi, step) = extent(n);
                let mut side = |e: Option<Node<'t>>| e.map(|e| self.expr(ctx, e));
                out.push(Subscript::Range { lo: side(lo), hi: side(hi), step: side(step) });
                rank += 1;
            } else {
                let e = self.expr(ctx, n);
                rank += e.rank;
                out.push(Subscript::Index(e));
            }
        }
        let declared = walk.dims.len();
        let any_rank = matches!(walk.dims.first(), Some(Dim::AssumedRank)) || walk.ty.base == Base::None;
        if out.len() != declared && !any_rank {
            let name = self.program[walk.designator.sym].name.clone();
            let said = match declared {
                0 => format!("`{name}` is subscripted but isn't an array there"),
                n => format!("{} subscripts where `{name}` has {n} dimensions", out.len()),
            };
            self.problem_at(ctx, Code::BadExpression, args, said);
        }
        walk.rank += rank;
        walk.dims = Vec::new();
        walk.designator.parts.push(Part::Subscripts(out));
    }

    /// Type and rank of a function's value; `None` for what isn't known to be a function.
    pub(super) fn result_of(&mut self, sym: SymId) -> Option<(Ty, u8)> {
        let info = self.program[sym].procedure()?.clone();
        let p = info.interface.or(info.definition);
        if let Some(p) = p {
            self.ensure_procedure(p);
            return match self.program[p].kind {
                ProcKind::Function(result) => {
                    let v = self.program.var(result)?;
                    Some((v.ty, v.rank()))
                }
                ProcKind::Subroutine | ProcKind::Program => None,
            };
        }
        info.ty.map(|t| (t, 0))
    }

    /// `f(args)` for a procedure symbol.
    pub(super) fn procedure_reference(&mut self, ctx: Ctx<'t>, n: Node<'t>, sym: SymId, args: Vec<Actual<'t>>) -> Expr {
        let info = self.program[sym].procedure().cloned().unwrap_or_default();
        if let Some(f) = info.intrinsic {
            return self.intrinsic_call(ctx, f, args);
        }
        let highest = args.iter().map(Actual::rank).max().unwrap_or(0);
        let args: Vec<Arg> = args.into_iter().map(Actual::into_arg).collect();
        let (mut ty, mut rank) = self.result_of(sym).unwrap_or((Ty::NONE, 0));
        let p = info.interface.or(info.definition);
        if p.is_some_and(|p| self.program[p].prefix.elemental) {
            rank = rank.max(highest);
        }
        if ty == Ty::NONE {
            let elsewhere = self.program[sym].scope == self.elsewhere;
            let implicit =
                self.implicit_type(ctx.scope, &self.program[sym].name.clone()).filter(|_| p.is_none() && !elsewhere);
            if let Some(spec) = implicit {
                ty = spec.ty;
                if let SymbolKind::Procedure(info) = &mut self.program[sym].kind {
                    info.ty = Some(ty);
                }
            } else if p.is_none() && info.ty.is_none() && !self.is_predefined(sym) {
                let name = self.program[sym].name.clone();
                self.undeclared(ctx, &name, ctx.span(n));
            } else if self.is_predefined(sym) {
                ty = args.first().map_or(Ty::NONE, |a| a.value.ty);
                rank = rank.max(highest);
            }
        }
        let callee = Callee::Proc { sym, generic: None, operator: None };
        Expr::new(ExprKind::Call { callee, args }, ty, rank)
    }

    /// Does a symbol belong to a module of the compiler's?
    pub(super) fn is_predefined(&self, sym: SymId) -> bool {
        match self.program[self.program[sym].scope].kind {
            ScopeKind::Module(m) => self.program[m].kind == crate::ir::ModuleKind::Intrinsic,
            ScopeKind::Procedure(_) | ScopeKind::Inner | ScopeKind::Global => false,
        }
    }
}

fn list_span(ctx: Ctx<'_>, list: &[Step<'_>]) -> Span {
    match list.last() {
        Some(Step::Args(n) | Step::Component(n)) => ctx.span(*n),
        None => Span::default(),
    }
}
