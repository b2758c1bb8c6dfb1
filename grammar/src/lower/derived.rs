//! Derived type definitions.

use super::decl::{AttrList, declarator};
use super::uses::generic_key;
use super::{Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Base, Binding, Component, DerivedType, Dim, Name, PrivateWord, ScopeKind, SymId, SymbolKind, Ty, Variable,
};

impl<'t> Lowerer<'t> {
    /// Makes the symbol of a type before any definition is read, so that types may name each other.
    pub(super) fn announce_type(&mut self, ctx: Ctx<'t>, n: Node<'t>) {
        let Some((head, name)) = head(n) else { return };
        let key = Name::new(name.text());
        let kind = SymbolKind::Type(Box::default());
        self.program.add_symbol(ctx.scope, key.clone(), ctx.span(name), kind);
        if let (Some(a), ScopeKind::Module(m)) = (head.child(Kind::AccessSpecifier), self.program[ctx.scope].kind) {
            let access = self.access.entry(m).or_default();
            if a.lower() == "private" {
                access.private.insert(key);
            } else {
                access.public.insert(key);
            }
        }
    }

    /// Reads the definition of an announced type.
    pub(super) fn derived_type(&mut self, ctx: Ctx<'t>, n: Node<'t>) {
        let Some((head, name)) = head(n) else { return };
        let Some(sym) = self.announced(ctx, &name.lower()) else { return };
        let mut ty = DerivedType { sequence: head.child(Kind::LanguageBinding).is_some(), ..DerivedType::default() };
        if let Some(base) = head.child(Kind::BaseTypeSpecifier).and_then(|b| b.child(Kind::Identifier)) {
            ty.extends = self.find_type(ctx, &base.lower());
            ty.parent = ty.extends.map(|parent| {
                let (name, ty) = (self.program[parent].name.clone(), Ty::new(Base::Derived(parent), 0));
                let mut var = Variable::scalar(ty, format!("type({name})"));
                var.spelling_uses = vec![parent];
                Component::new(name, var)
            });
            if ty.extends.is_some_and(|b| self.holds(b, sym)) {
                (ty.extends, ty.parent) = (None, None);
                self.problem_at(ctx, Code::BadDeclaration, base, "a type can't extend itself, or one that contains it");
            } else if ty.extends.is_none() {
                self.undeclared(ctx, &base.lower(), ctx.span(base));
            }
        }
        if let Some(p) = head.child(Kind::DerivedTypeParameterList) {
            return self.parameterised(ctx, p, name);
        }
        for part in n.named() {
            match part.kind() {
                Kind::PrivateStatement => {
                    ty.private_components = true;
                    ty.private_words.push(PrivateWord::Statement(ctx.span(part)));
                }
                Kind::SequenceStatement => ty.sequence = true,
                Kind::VariableDeclaration => self.components(ctx, sym, part, &mut ty),
                Kind::DerivedTypeProcedures => bindings(part, &mut ty),
                Kind::Error => {}
                _ => {}
            }
        }
        if let SymbolKind::Type(t) = &mut self.program[sym].kind {
            **t = ty;
        }
    }

    /// Refuses a type with parameters, where it is defined or used.
    pub(super) fn parameterised(&mut self, ctx: Ctx<'t>, at: Node<'t>, name: Node<'t>) {
        let what = format!("`{}` is a parameterised derived type", name.text());
        let d = Diagnostic::error(Code::UnsupportedDeclaration, ctx.span(at), what)
            .reason("what its parameters mean for its components isn't followed")
            .help("write a type for each kind, with allocatable components in place of lengths");
        self.problem(ctx, d);
    }

    /// The type's own symbol; a generic of the same name may have taken the name.
    fn announced(&self, ctx: Ctx<'t>, name: &str) -> Option<SymId> {
        let sym = *self.program[ctx.scope].names.get(name)?;
        match &self.program[sym].kind {
            SymbolKind::Type(_) => Some(sym),
            SymbolKind::Generic(g) => g.derived,
            SymbolKind::Variable(_) | SymbolKind::Procedure(_) | SymbolKind::Other(_) => None,
        }
    }

    fn components(&mut self, ctx: Ctx<'t>, owner: SymId, n: Node<'t>, ty: &mut DerivedType) {
        let Some(type_node) = n.field(Field::Type) else { return };
        let mut attrs = AttrList::default();
        let beside = type_node.children().filter(|a| a.kind() == Kind::ProcedureAttribute);
        for a in n.fields(Field::Attribute).chain(beside) {
            attrs.add(a);
            if a.lower() == "private" {
                ty.private_words.push(PrivateWord::Attribute(ctx.span(a)));
            }
        }
        let procedure = type_node.kind() == Kind::Procedure;
        let spec = (!procedure).then(|| self.type_spec(ctx, type_node));
        for d in n.fields(Field::Declarator) {
            let Some(parts) = declarator(d) else { continue };
            let mut var = Variable::scalar(Ty::NONE, "");
            let name = Name::new(parts.name.text());
            match &spec {
                Some(spec) => spec.apply(&mut var),
                None => {
                    // Attributes may stand beside the interface.
                    let text = type_node.text();
                    let end = text.find(')').filter(|_| type_node.child(Kind::ProcedureInterface).is_some());
                    var.spelling = end.map_or(text, |end| &text[..=end]).to_string();
                    var.attrs.pointer = true;
                }
            }
            attrs.apply(&mut var);
            var.attrs.private = attrs.private || ty.private_components && !attrs.public;
            if let Some(size) = parts.size.or(attrs.dimension) {
                var.dims = self.array_spec(ctx, size);
                if var.attrs.allocatable || var.attrs.pointer {
                    var.dims.iter_mut().filter(|d| **d == Dim::Assumed(None)).for_each(|d| *d = Dim::Deferred);
                }
            }
            if let Some(l) = parts.length {
                let text = l.squeezed();
                let text = super::decl::length_text(&text);
                var.spelling = format!("character(len={text})");
            }
            var.init = parts.init.map(|i| self.expr(ctx, i));
            if let Some(c) = parts.coarray {
                self.problem_at(ctx, Code::UnsupportedDeclaration, c, "a coarray isn't supported");
            }
            let by_value = !var.attrs.allocatable && !var.attrs.pointer;
            if by_value && var.ty.derived().is_some_and(|t| self.holds(t, owner)) {
                self.problem_at(ctx, Code::BadDeclaration, d, "a type can't contain itself");
                continue;
            }
            let procedure = procedure.then(|| Box::new(pointed(&name, n, type_node)));
            ty.components.push(Component { name, var, procedure });
        }
        // Defaults of later components may name the type itself through `null()`; components are visible as they come.
        if let SymbolKind::Type(t) = &mut self.program[owner].kind {
            t.components.clone_from(&ty.components);
            t.extends = ty.extends;
            t.parent.clone_from(&ty.parent);
        }
    }

    /// Is `t` the type `part`, or has it a component of that type, by value and at any depth?
    fn holds(&self, t: SymId, part: SymId) -> bool {
        let Some(derived) = self.program[t].derived() else { return false };
        let by_value = derived.components.iter().filter(|c| !c.var.attrs.allocatable && !c.var.attrs.pointer);
        let mut inner = derived.extends.into_iter().chain(by_value.filter_map(|c| c.var.ty.derived()));
        t == part || inner.any(|i| self.holds(i, part))
    }
}

fn head(n: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let head = n.child(Kind::DerivedTypeStatement)?;
    Some((head, head.child(Kind::TypeName)?))
}

/// The dummy that `pass(...)` names.
fn pass(s: Node<'_>) -> Option<Name> {
    let attributes = s.children().filter(|a| a.kind() == Kind::ProcedureAttribute).map(Node::squeezed);
    let mut named = attributes.filter_map(|t| Some(Name::new(t.strip_prefix("pass(")?.strip_suffix(')')?)));
    named.next()
}

/// How a component that points to a procedure is called. `type_node` has the interface, and attributes stand beside it or in it.
fn pointed(name: &Name, n: Node<'_>, type_node: Node<'_>) -> Binding {
    let attributes = n.fields(Field::Attribute).chain(type_node.children()).map(Node::squeezed);
    let words: Vec<String> = attributes.collect();
    let passed = words.iter().find_map(|t| Some(Name::new(t.strip_prefix("pass(")?.strip_suffix(')')?)));
    Binding {
        name: name.clone(),
        targets: type_node.child(Kind::ProcedureInterface).map(|i| Name::new(i.text())).into_iter().collect(),
        nopass: words.iter().any(|w| w == "nopass"),
        pass: passed,
        deferred: true,
        generic: false,
        private: false,
    }
}

fn bindings(n: Node<'_>, ty: &mut DerivedType) {
    let mut all_private = false;
    for s in n.named() {
        let attr =
            |word: &str| s.children().any(|a| a.kind() == Kind::ProcedureAttribute && a.squeezed().starts_with(word));
        let private = attr("private") || all_private && !attr("public");
        match s.kind() {
            Kind::PrivateStatement => all_private = true,
            Kind::ProcedureStatement => {
                for d in s.fields(Field::Declarator) {
                    let (name, target) = match d.kind() {
                        Kind::Binding => (d.child(Kind::BindingName), d.child(Kind::MethodName)),
                        _ => (Some(d), Some(d)),
                    };
                    let (Some(name), Some(target)) = (name, target) else { continue };
                    let deferred = attr("deferred");
                    ty.bindings.push(Binding {
                        name: generic_key(name),
                        targets: if deferred {
                            s.child(Kind::ProcedureInterface).map(|i| Name::new(i.text())).into_iter().collect()
                        } else {
                            vec![Name::new(target.text())]
                        },
                        nopass: attr("nopass"),
                        pass: pass(s),
                        deferred,
                        generic: false,
                        private,
                    });
                }
            }
            Kind::GenericStatement => {
                let Some(list) = s.field(Field::Declarator) else { continue };
                let Some(name) = list.child(Kind::BindingName) else { continue };
                let targets =
                    list.named().filter(|m| m.kind() == Kind::MethodName).map(|m| Name::new(m.text())).collect();
                ty.bindings.push(Binding {
                    name: generic_key(name),
                    targets,
                    nopass: false,
                    pass: None,
                    deferred: false,
                    generic: true,
                    private,
                });
            }
            Kind::FinalStatement => ty.finals.extend(finals(s)),
            _ => {}
        }
    }
}

/// The procedures of a `final` statement.
fn finals(s: Node<'_>) -> Vec<Name> {
    let text = s.squeezed();
    let list = text.strip_prefix("final").unwrap_or(&text);
    list.trim_start_matches("::").split(',').filter(|n| !n.is_empty()).map(Name::new).collect()
}
