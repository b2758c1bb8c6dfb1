//! Type specifications.

use std::collections::HashMap;

use super::{Const, Ctx, Lowerer, constant};
use crate::cst::{Field, Kind, Node};
use crate::diag::Code;
use crate::ir::{Base, Dim, Expr, ExprKind, KindSuffix, Name, SymId, SymbolKind, Ty, Variable, map_expr};

/// A type as declared.
#[derive(Clone, Debug)]
pub(super) struct TypeSpec {
    pub(super) ty: Ty,
    /// As the user wrote it, in standard Fortran.
    pub(super) spelling: String,
    /// Symbols named in it.
    pub(super) uses: Vec<SymId>,
}

impl TypeSpec {
    pub(super) fn plain(ty: Ty, spelling: &str) -> TypeSpec {
        TypeSpec { ty, spelling: spelling.to_string(), uses: Vec::new() }
    }

    /// Gives a variable this type.
    pub(super) fn apply(&self, var: &mut Variable) {
        var.ty = self.ty;
        var.spelling.clone_from(&self.spelling);
        var.spelling_uses.clone_from(&self.uses);
    }
}

/// Puts other symbols into the bounds, the initial value and the type's spelling of a variable.
pub(super) fn rename_in_variable(v: &mut Variable, map: &HashMap<SymId, SymId>) {
    let rename = |e: &Expr| rename(e, map);
    v.spelling_uses.iter_mut().for_each(|s| *s = map.get(s).copied().unwrap_or(*s));
    v.init = v.init.as_ref().map(rename);
    for d in &mut v.dims {
        *d = match d {
            Dim::Explicit(lo, hi) => Dim::Explicit(lo.as_ref().map(rename), rename(hi)),
            Dim::Assumed(lo) => Dim::Assumed(lo.as_ref().map(rename)),
            Dim::AssumedSize(lo) => Dim::AssumedSize(lo.as_ref().map(rename)),
            Dim::Deferred => Dim::Deferred,
            Dim::AssumedRank => Dim::AssumedRank,
        };
    }
}

fn rename(e: &Expr, map: &HashMap<SymId, SymId>) -> Expr {
    map_expr(e.clone(), &mut |mut e| {
        match &mut e.kind {
            ExprKind::Var(d) => d.sym = map.get(&d.sym).copied().unwrap_or(d.sym),
            ExprKind::ProcRef(s) => *s = map.get(s).copied().unwrap_or(*s),
            _ => {}
        }
        e
    })
}

/// The canonical spelling of a type.
pub(super) fn spell(program: &crate::ir::Program, ty: Ty) -> String {
    let kinded = |name: &str, default: u8| match ty.kind {
        k if k == default => name.to_string(),
        k => format!("{name}({k})"),
    };
    match ty.base {
        Base::Integer => kinded("integer", 4),
        Base::Real => kinded("real", program.default_real().kind),
        Base::Complex => kinded("complex", program.default_real().kind),
        Base::Logical => kinded("logical", 4),
        Base::Character => "character(len=:)".to_string(),
        Base::Derived(t) => format!("type({})", program[t].name),
        Base::Class(t) => format!("class({})", program[t].name),
        Base::Unlimited => "class(*)".to_string(),
        Base::None => String::new(),
    }
}

impl<'t> Lowerer<'t> {
    /// A type specification node.
    pub(super) fn type_spec(&mut self, ctx: Ctx<'t>, node: Node<'t>) -> TypeSpec {
        match node.kind() {
            Kind::IntrinsicType => self.intrinsic_type(ctx, node),
            Kind::DerivedType => self.derived_type_spec(ctx, node),
            _ => {
                self.problem_at(
                    ctx,
                    Code::BadDeclaration,
                    node,
                    format!("the type `{}` isn't understood", node.text()),
                );
                TypeSpec::plain(Ty::NONE, node.text())
            }
        }
    }

    fn intrinsic_type(&mut self, ctx: Ctx<'t>, node: Node<'t>) -> TypeSpec {
        let keyword: String = node.children().filter(|n| n.is_token()).map(|n| n.lower()).collect();
        let keyword = if keyword.is_empty() { node.squeezed() } else { keyword };
        let real = self.program.default_real().kind;
        let (base, name, default) = match keyword.as_str() {
            "integer" => (Base::Integer, "integer", 4),
            "byte" => return TypeSpec::plain(Ty::new(Base::Integer, 1), "integer(1)"),
            "real" => (Base::Real, "real", real),
            "doubleprecision" => return TypeSpec::plain(Ty::DOUBLE, "double precision"),
            "complex" => (Base::Complex, "complex", real),
            "doublecomplex" => return TypeSpec::plain(Ty::new(Base::Complex, 8), "complex(8)"),
            "logical" => (Base::Logical, "logical", 4),
            "character" => return self.character_type(ctx, node),
            _ => (Base::None, "", 0),
        };
        let Some(kind) = node.child(Kind::KindNode) else { return TypeSpec::plain(Ty::new(base, default), name) };
        let starred = kind.text().starts_with('*');
        let value = kind.named().find(|n| n.kind() != Kind::AssumedSize);
        let value = match value {
            Some(k) if k.kind() == Kind::KeywordArgument => k.field(Field::Value),
            other => other,
        };
        let folded = value.and_then(|v| {
            let e = self.expr(ctx, v);
            constant::fold(&self.program, &e)
                .and_then(|c| if let Const::Int(i) = c { u8::try_from(i).ok() } else { None })
        });
        let Some(number) = folded else {
            let text = kind.text().to_string();
            self.problem_at(ctx, Code::BadConstant, kind, format!("the kind `{text}` can't be evaluated"));
            return TypeSpec::plain(Ty::new(base, default), name);
        };
        if starred {
            let number = if base == Base::Complex { number / 2 } else { number };
            return TypeSpec::plain(Ty::new(base, number), &format!("{name}({number})"));
        }
        let uses = self.names_in(ctx, kind);
        TypeSpec { ty: Ty::new(base, number), spelling: format!("{name}{}", spaced(&kind.squeezed())), uses }
    }

    fn character_type(&mut self, ctx: Ctx<'t>, node: Node<'t>) -> TypeSpec {
        let Some(kind) = node.child(Kind::KindNode) else { return TypeSpec::plain(Ty::CHARACTER, "character") };
        let uses = self.names_in(ctx, kind);
        let text = kind.squeezed();
        let spelling = match text.strip_prefix('*') {
            Some(rest) => format!("character(len={})", rest.trim_start_matches('(').trim_end_matches(')')),
            None => format!("character{}", spaced(&text)),
        };
        let mut ty = Ty::CHARACTER;
        let by_keyword = kind.named().find(|n| {
            n.kind() == Kind::KeywordArgument
                && n.field(Field::Name).is_some_and(|k| k.text().eq_ignore_ascii_case("kind"))
        });
        let second = kind.named().nth(1).filter(|n| n.kind() != Kind::KeywordArgument && !text.starts_with('*'));
        if let Some(v) = by_keyword.and_then(|k| k.field(Field::Value)).or(second) {
            let e = self.expr(ctx, v);
            if let Some(Const::Int(k)) = constant::fold(&self.program, &e) {
                ty.kind = u8::try_from(k).unwrap_or(1);
            }
        }
        TypeSpec { ty, spelling, uses }
    }

    fn derived_type_spec(&mut self, ctx: Ctx<'t>, node: Node<'t>) -> TypeSpec {
        let class = node.children().next().is_some_and(|n| n.is("class"));
        let word = if class { "class" } else { "type" };
        if node.child(Kind::UnlimitedPolymorphic).is_some() {
            return TypeSpec::plain(Ty::new(Base::Unlimited, 0), &format!("{word}(*)"));
        }
        let Some(name) = node.field(Field::Name) else { return TypeSpec::plain(Ty::NONE, node.text()) };
        if name.kind() == Kind::IntrinsicType {
            return self.intrinsic_type(ctx, name);
        }
        if let Some(kind) = node.child(Kind::KindNode) {
            self.parameterised(ctx, kind, name);
            return TypeSpec::plain(Ty::NONE, node.text());
        }
        let text = name.lower();
        let Some(sym) = self.find_type(ctx, &text) else {
            self.undeclared(ctx, &text, ctx.span(name));
            return TypeSpec::plain(Ty::NONE, &format!("{word}({text})"));
        };
        let base = if class { Base::Class(sym) } else { Base::Derived(sym) };
        TypeSpec { ty: Ty::new(base, 0), spelling: format!("{word}({text})"), uses: vec![sym] }
    }

    /// The derived type of a name.
    pub(super) fn find_type(&mut self, ctx: Ctx<'t>, name: &str) -> Option<SymId> {
        let sym = self.lookup(ctx, name)?;
        match &self.program[sym].kind {
            SymbolKind::Type(_) => Some(sym),
            SymbolKind::Generic(g) => g.derived,
            SymbolKind::Variable(_) | SymbolKind::Procedure(_) | SymbolKind::Other(_) => None,
        }
    }

    /// Symbols that a piece of a declaration names.
    pub(super) fn names_in(&mut self, ctx: Ctx<'t>, node: Node<'t>) -> Vec<SymId> {
        let mut out = Vec::new();
        self.collect_names(ctx, node, &mut out);
        out
    }

    fn collect_names(&mut self, ctx: Ctx<'t>, node: Node<'t>, out: &mut Vec<SymId>) {
        for n in node.named() {
            let keyword = node.kind() == Kind::KeywordArgument && n.field_of() == Field::Name;
            if n.kind() == Kind::Identifier && !keyword {
                let name = n.lower();
                if let Some(sym) = self.lookup(ctx, &name).filter(|s| !out.contains(s)) {
                    out.push(sym);
                }
            } else {
                self.collect_names(ctx, n, out);
            }
        }
    }

    /// The symbol of a name: declared, associated, or of a module whose names are known by their prefix.
    pub(super) fn lookup(&mut self, ctx: Ctx<'t>, name: &str) -> Option<SymId> {
        if let Some(sym) = self.program.lookup(ctx.scope, name) {
            return Some(sym);
        }
        self.open_module_name(ctx, name)
    }

    /// Adds a variable to a scope.
    pub(super) fn new_variable(
        &mut self,
        _ctx: Ctx<'t>,
        scope: crate::ir::ScopeId,
        name: Name,
        span: crate::source::Span,
        var: Variable,
    ) -> SymId {
        self.program.add_symbol(scope, name, span, SymbolKind::Variable(Box::new(var)))
    }

    /// Gives a symbol its declared type.
    pub(super) fn set_type(&mut self, sym: SymId, spec: &TypeSpec) {
        self.untyped.remove(&sym);
        match &mut self.program[sym].kind {
            SymbolKind::Variable(v) => spec.apply(v),
            SymbolKind::Procedure(p) => p.ty = Some(spec.ty),
            SymbolKind::Generic(_) | SymbolKind::Type(_) | SymbolKind::Other(_) => {}
        }
    }
}

/// A blank after each comma.
fn spaced(text: &str) -> String {
    text.replace(',', ", ")
}

/// The kind suffix of a literal, if it is spelt.
pub(super) fn suffix_value(program: &crate::ir::Program, suffix: Option<&KindSuffix>) -> Option<u8> {
    match suffix? {
        KindSuffix::Number(n) => u8::try_from(*n).ok(),
        KindSuffix::Named(sym) => {
            let init = program.var(*sym)?.init.as_ref()?;
            match constant::fold(program, init)? {
                Const::Int(i) => u8::try_from(i).ok(),
                Const::Real(_) | Const::Logical(_) | Const::Str(_) => None,
            }
        }
    }
}
