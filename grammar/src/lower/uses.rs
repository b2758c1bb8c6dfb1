//! `use` association: only lists, renames, private names, names of names.

use super::{Ctx, Lowerer};
use crate::cst::{Kind, Node};
use crate::diag::{Code, Diagnostic, Severity};
use crate::ir::{GenericSpec, ModuleId, ModuleKind, Name, ScopeId, SymId, SymbolKind, Use, UseItem};
use crate::operators::BinaryOp;
use crate::source::Span;

/// What stands for the kind of an unknown module's name.
const UNKNOWN: &str = "a name of a module that isn't among the files";

/// `operator(.EQ.)` as `operator(==)`, `assignment ( = )` as `assignment(=)`: generic operators as keys of a scope.
pub(super) fn generic_key(node: Node<'_>) -> Name {
    generic_key_text(&node.squeezed())
}

/// The same from text in lower case without blanks.
pub(super) fn generic_key_text(text: &str) -> Name {
    match text.strip_prefix("operator(").and_then(|t| t.strip_suffix(')')) {
        Some(op) => operator_key(op),
        None => Name::new(text),
    }
}

/// The key of an operator as spelt.
pub(super) fn operator_key(op: &str) -> Name {
    let canonical = BinaryOp::parse(op).map_or(op, |o| o.text());
    Name::new(&format!("operator({canonical})"))
}

impl<'t> Lowerer<'t> {
    /// `use m, only: ...`
    pub(super) fn use_statement(&mut self, ctx: Ctx<'t>, node: Node<'t>) {
        let Some(name) = node.child(Kind::ModuleName) else { return };
        let module = Name::new(name.text());
        let mut of = Use {
            module: module.clone(),
            intrinsic: node.has_token("intrinsic"),
            only: false,
            items: Vec::new(),
            conditional: ctx.lines.lines.get(node.line()).is_some_and(|l| l.conditional),
            header: ctx
                .lines
                .lines
                .get(node.line())
                .is_some_and(|l| l.derived && l.segments.iter().all(|s| !s.verbatim)),
            span: ctx.span(node),
        };
        let list = match node.child(Kind::IncludedItems) {
            Some(list) => {
                of.only = true;
                list
            }
            None => node,
        };
        for n in list.named() {
            match n.kind() {
                Kind::UseAlias => {
                    let (local, remote) = (n.child(Kind::LocalName), n.child(Kind::Identifier));
                    if let (Some(local), Some(remote)) = (local, remote) {
                        of.items.push(UseItem { local: generic_key(local), remote: generic_key(remote) });
                    }
                }
                Kind::Identifier | Kind::Operator | Kind::Assignment | Kind::DefinedIoProcedure => {
                    let key = generic_key(n);
                    of.items.push(UseItem { local: key.clone(), remote: key });
                }
                _ => {}
            }
        }
        let found = self.module(&module);
        self.program[ctx.scope].uses.push(of.clone());
        match found {
            Some(m) => self.associate(ctx, m, &of),
            None => self.unknown_module(ctx, &of, ctx.span(name)),
        }
    }

    /// A module that isn't among the files. With an only list it matters no more than the names in it do; without one any
    /// name might be the module's.
    fn unknown_module(&mut self, ctx: Ctx<'t>, of: &Use, span: Span) {
        let mut d =
            Diagnostic::error(Code::ModuleNotFound, span, format!("module `{}` isn't among the files", of.module))
                .help("give the file that holds it");
        if of.only {
            d = d.severity(Severity::Warning);
        } else {
            self.info(ctx.scope).unknown_module = true;
        }
        for item in &of.items {
            let sym = self.placeholder(&item.remote, of.span);
            self.program[ctx.scope].names.entry(item.local.clone()).or_insert(sym);
        }
        self.problem(ctx, d);
    }

    /// A symbol of which no more than the name is known.
    pub(super) fn placeholder(&mut self, name: &str, span: Span) -> SymId {
        let kind = SymbolKind::Other(UNKNOWN.to_string());
        self.program.add_symbol(self.elsewhere, Name::new(name), span, kind)
    }

    /// Is nothing known of the symbol but that a module that isn't among the files has it?
    pub(super) fn is_placeholder(&self, sym: SymId) -> bool {
        self.program[sym].scope == self.elsewhere && matches!(&self.program[sym].kind, SymbolKind::Other(_))
    }

    /// May a name that isn't declared belong to a module that isn't among the files?
    pub(super) fn may_be_elsewhere(&self, scope: ScopeId) -> bool {
        let mut at = Some(scope);
        while let Some(s) = at {
            if self.scope_info.get(s.index()).is_some_and(|i| i.unknown_module) {
                return true;
            }
            at = self.program[s].parent;
        }
        false
    }

    /// The module of a name, its declarations understood.
    fn module(&mut self, name: &str) -> Option<ModuleId> {
        if let Some(&m) = self.program.module_names.get(name) {
            if let Some(&u) = self.unit_of_module.get(&m) {
                self.ensure(u);
            }
            return Some(m);
        }
        self.intrinsic_module(name)
    }

    /// Brings the names of a module into a scope.
    fn associate(&mut self, ctx: Ctx<'t>, m: ModuleId, of: &Use) {
        let from = self.program[m].scope;
        if from == ctx.scope {
            return;
        }
        if self.is_open(m) {
            self.info(ctx.scope).open.push(m);
        }
        self.forget_renamed(ctx.scope, m, of);
        for item in &of.items {
            let sym = self.exported(m, &item.remote).or_else(|| self.open_name(m, &item.remote));
            match sym {
                Some(sym) => self.bring(ctx.scope, item.local.clone(), sym, of),
                None => {
                    let text = format!("module `{}` has no public name `{}`", of.module, item.remote);
                    let mut d = Diagnostic::error(Code::NameNotFound, of.span, text);
                    if self.scope_info.get(from.index()).is_some_and(|i| i.unknown_module) {
                        d = d
                            .reason("a module that it uses isn't among the files")
                            .help("give the file that holds that module");
                    }
                    self.problem(ctx, d);
                }
            }
        }
        if of.only {
            return;
        }
        let names: Vec<(Name, SymId)> = self.program[from].names.iter().map(|(n, s)| (n.clone(), *s)).collect();
        for (name, sym) in names {
            if !self.is_renamed(ctx.scope, &of.module, &name) && self.is_public(m, &name) {
                self.bring(ctx.scope, name, sym, of);
            }
        }
        if self.scope_info.get(from.index()).is_some_and(|i| i.unknown_module) {
            self.info(ctx.scope).unknown_module = true;
        }
        let open = self.scope_info.get(from.index()).map_or_else(Vec::new, |i| i.open.clone());
        self.info(ctx.scope).open.extend(open);
    }

    /// Is a name of a module to be known in a scope by other names alone? All `use` statements of the module count as one
    /// (Fortran 2018, 14.2.2).
    fn is_renamed(&self, scope: ScopeId, module: &Name, name: &Name) -> bool {
        let uses = self.program[scope].uses.iter().filter(|u| u.module == *module);
        let mut locals = uses.flat_map(|u| &u.items).filter(|i| i.remote == *name).map(|i| &i.local).peekable();
        locals.peek().is_some() && locals.all(|local| local != name)
    }

    /// Takes back the names that an earlier `use` of the module has brought and this one gives other names to, unless
    /// another module has them too.
    fn forget_renamed(&mut self, scope: ScopeId, m: ModuleId, of: &Use) {
        for item in &of.items {
            let sym = self.exported(m, &item.remote);
            if sym.is_none() || self.program[scope].names.get(&item.remote).copied() != sym {
                continue;
            }
            let elsewhere = self.program[scope].uses.iter().any(|u| {
                let other = self.program.module_names.get(&u.module).filter(|other| **other != m);
                let named = !u.only || u.items.iter().any(|i| i.local == item.remote);
                named && other.is_some_and(|o| self.exported(*o, &item.remote) == sym)
            });
            if !elsewhere && self.is_renamed(scope, &of.module, &item.remote) {
                self.program[scope].names.shift_remove(&item.remote);
            }
        }
    }

    fn exported(&self, m: ModuleId, name: &Name) -> Option<SymId> {
        let sym = *self.program[self.program[m].scope].names.get(name)?;
        self.is_public(m, name).then_some(sym)
    }

    fn is_public(&self, m: ModuleId, name: &Name) -> bool {
        match self.access.get(&m) {
            Some(a) if a.public.contains(name) => true,
            Some(a) => !a.default_private && !a.private.contains(name),
            None => true,
        }
    }

    /// Adds an associated name; generics of the same name from several modules become one.
    fn bring(&mut self, scope: ScopeId, name: Name, sym: SymId, of: &Use) {
        let Some(&old) = self.program[scope].names.get(&name) else {
            self.program[scope].names.insert(name, sym);
            return;
        };
        if old == sym {
            return;
        }
        let generic =
            |s: SymId| if let SymbolKind::Generic(g) = &self.program[s].kind { Some(g.clone()) } else { None };
        match (generic(old), generic(sym)) {
            (Some(a), Some(b)) => {
                let merged = merge(a, &b);
                if self.program[old].scope == scope {
                    self.program[old].kind = SymbolKind::Generic(merged);
                } else {
                    self.program.add_symbol(scope, name, of.span, SymbolKind::Generic(merged));
                }
            }
            // A generic and a type of the same name: the generic knows both.
            (Some(_), None) if self.program[sym].derived().is_some() => self.know_type(old, sym),
            (None, Some(_)) if self.program[old].derived().is_some() => {
                self.know_type(sym, old);
                self.program[scope].names.insert(name, sym);
            }
            _ => {}
        }
    }

    fn know_type(&mut self, generic: SymId, ty: SymId) {
        if let SymbolKind::Generic(g) = &mut self.program[generic].kind {
            g.derived.get_or_insert(ty);
        }
    }

    /// `import ...` in an interface body whose host is `host`.
    pub(super) fn import_statement(&mut self, ctx: Ctx<'t>, node: Node<'t>, host: ScopeId) {
        let names: Vec<Node<'t>> = node.named().filter(|n| n.kind() == Kind::Identifier).collect();
        if names.is_empty() {
            if !node.has_token("none") {
                self.program[ctx.scope].parent = Some(host);
            }
            return;
        }
        for n in names {
            let name = Name::new(n.text());
            match self.lookup(ctx.within(host), &name) {
                Some(sym) => {
                    self.program[ctx.scope].names.insert(name, sym);
                }
                None => self.undeclared(ctx, &name, ctx.span(n)),
            }
        }
    }

    /// `private` and `public` of a module.
    pub(super) fn access_statement(&mut self, m: ModuleId, node: Node<'t>) {
        let private = node.kind() == Kind::PrivateStatement;
        let names: Vec<Name> = node.named().map(generic_key).collect();
        let access = self.access.entry(m).or_default();
        if names.is_empty() {
            access.default_private = private;
        } else if private {
            access.private.extend(names);
        } else {
            access.public.extend(names);
        }
    }

    /// Marks the private symbols of a module whose declarations are read.
    pub(super) fn close_module(&mut self, m: ModuleId) {
        let scope = self.program[m].scope;
        self.program[m].default_private = self.access.get(&m).is_some_and(|a| a.default_private);
        // Nothing outside knows what a submodule declares.
        let hidden = matches!(self.program[m].kind, ModuleKind::Submodule { .. });
        let names: Vec<(Name, SymId)> = self.program[scope].names.iter().map(|(n, s)| (n.clone(), *s)).collect();
        for (name, sym) in names {
            if self.program[sym].scope == scope && (hidden || !self.is_public(m, &name)) {
                self.program[sym].private = true;
            } else if self.program[sym].scope != scope && self.is_public(m, &name) == self.program[m].default_private {
                self.program[m].passed_on.push(name);
            }
        }
    }
}

/// Two generics as one.
pub(super) fn merge(mut a: GenericSpec, b: &GenericSpec) -> GenericSpec {
    for s in &b.specifics {
        if !a.specifics.contains(s) {
            a.specifics.push(*s);
        }
    }
    a.derived = a.derived.or(b.derived);
    a.operator = a.operator.or_else(|| b.operator.clone());
    a.intrinsic = a.intrinsic.or(b.intrinsic);
    a
}
