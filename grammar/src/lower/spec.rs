//! Specification parts: the order in which declarations are understood.
//!
//! Types come before bounds and initial values, so that `real :: a(n)` may stand before `integer :: n`; named constants
//! are evaluated where they stand, because kinds depend on them.

use super::pending::Spec;
use super::{Ctx, Lowerer, What};
use crate::cst::{Field, Kind, Node};
use crate::diag::{Code, Diagnostic};
use crate::intrinsics::Intrinsic;
use crate::ir::{
    Base, CtorItem, Dim, Expr, ExprKind, GenericSpec, Name, ProcInfo, ScopeKind, SymId, SymbolKind, Ty, Variable,
};
use crate::lower::uses::generic_key;

/// True for statements of a specification part. Assignments may be statement functions and aren't among them.
pub(super) fn is_specification(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::UseStatement
            | Kind::ImplicitStatement
            | Kind::SaveStatement
            | Kind::ImportStatement
            | Kind::PublicStatement
            | Kind::PrivateStatement
            | Kind::BindStatement
            | Kind::Enum
            | Kind::EnumerationType
            | Kind::NamelistStatement
            | Kind::CommonStatement
            | Kind::VariableDeclaration
            | Kind::VariableModification
            | Kind::ParameterStatement
            | Kind::EquivalenceStatement
            | Kind::DataStatement
            | Kind::CrayPointerDeclaration
            | Kind::Interface
            | Kind::DerivedTypeDefinition
    )
}

/// True for what frames a unit: its head, its end, its interior.
pub(super) fn is_frame(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ProgramStatement
            | Kind::EndProgramStatement
            | Kind::ModuleStatement
            | Kind::EndModuleStatement
            | Kind::SubmoduleStatement
            | Kind::EndSubmoduleStatement
            | Kind::BlockDataStatement
            | Kind::EndBlockDataStatement
            | Kind::SubroutineStatement
            | Kind::EndSubroutineStatement
            | Kind::FunctionStatement
            | Kind::EndFunctionStatement
            | Kind::ModuleProcedureStatement
            | Kind::EndModuleProcedureStatement
            | Kind::EndBlockConstructStatement
            | Kind::BlockLabelStart
            | Kind::StatementLabel
            | Kind::Comment
    )
}

impl<'t> Lowerer<'t> {
    /// Understands the declarations among `nodes`, in the scope of `ctx`.
    pub(super) fn spec_part(&mut self, ctx: Ctx<'t>, nodes: &[Node<'t>]) {
        let mut spec = Spec::default();
        let declared: Vec<Node<'t>> = nodes.iter().copied().filter(|n| is_specification(n.kind())).collect();
        for &n in declared.iter().filter(|n| n.kind() == Kind::UseStatement) {
            self.use_statement(ctx, n);
        }
        for &n in declared.iter().filter(|n| n.kind() == Kind::DerivedTypeDefinition) {
            self.announce_type(ctx, n);
        }
        for &n in &declared {
            let conditional = self.on_conditional_lines(ctx, n);
            self.specification(ctx, n, &mut spec);
            if conditional {
                self.declared_conditionally(ctx, n);
            }
        }
        self.finish(ctx, spec);
        self.note_misread(ctx, &declared);
        self.statement_functions(ctx, nodes);
    }

    /// Notes which entities of a module have types that aren't understood: procedures of other modules may use them.
    fn note_misread(&mut self, ctx: Ctx<'t>, declared: &[Node<'t>]) {
        let What::Module(m) = ctx.owner else { return };
        let inside = |d: &Diagnostic, n: Node<'t>| d.span.is_some_and(|s| ctx.span(n).contains(s));
        for &n in
            declared.iter().filter(|n| matches!(n.kind(), Kind::VariableDeclaration | Kind::DerivedTypeDefinition))
        {
            let found = self.program[m].problems.iter().filter(|d| inside(d, n)).cloned();
            let found: Vec<Diagnostic> = found.collect();
            if !found.iter().any(|d| d.code == Code::BadConstant) {
                continue;
            }
            let names = self.program[ctx.scope].names.values().copied();
            let here: Vec<SymId> = names.filter(|s| ctx.span(n).contains(self.program[*s].span)).collect();
            here.into_iter().for_each(|s| self.program.misread.entry(s).or_default().extend(found.iter().cloned()));
        }
    }

    fn specification(&mut self, ctx: Ctx<'t>, n: Node<'t>, spec: &mut Spec<'t>) {
        match n.kind() {
            Kind::ImplicitStatement => self.implicit_statement(ctx, n),
            Kind::SaveStatement => self.save_statement(ctx, n, spec),
            Kind::PublicStatement | Kind::PrivateStatement => {
                if let ScopeKind::Module(m) = self.program[ctx.scope].kind {
                    self.access_statement(m, n);
                }
            }
            Kind::BindStatement => {
                for name in n.named().filter(|n| n.kind() == Kind::Identifier) {
                    let sym = self.declare(ctx, name);
                    self.with_variable(sym, |v| v.attrs.bind_c = true);
                }
            }
            Kind::Enum | Kind::EnumerationType => self.enumeration(ctx, n),
            Kind::NamelistStatement => {
                self.keep_text(ctx, n);
                for group in n.named().filter(|g| g.kind() == Kind::VariableGroup) {
                    self.namelist_group(ctx, group);
                }
            }
            Kind::CommonStatement => self.common_statement(ctx, n, spec),
            Kind::VariableDeclaration => self.variable_declaration(ctx, n, spec),
            Kind::VariableModification => self.variable_modification(ctx, n, spec),
            Kind::ParameterStatement => {
                for a in n.named().filter(|a| a.kind() == Kind::ParameterAssignment) {
                    let mut parts = a.named();
                    if let (Some(name), Some(value)) = (parts.next(), parts.next()) {
                        let sym = self.declare(ctx, name);
                        self.with_variable(sym, |v| v.attrs.parameter = true);
                        self.named_constant(ctx, sym, value, spec);
                    }
                }
            }
            Kind::EquivalenceStatement => spec.equivalences.push(n),
            Kind::DataStatement => spec.data.push(n),
            Kind::CrayPointerDeclaration => {
                self.problem_at(ctx, Code::UnsupportedDeclaration, n, "a Cray pointer isn't supported");
            }
            Kind::Interface => self.interface(ctx, n, spec),
            Kind::DerivedTypeDefinition => self.derived_type(ctx, n),
            // `use` and `import` were read before.
            _ => {}
        }
    }

    /// A namelist group is a symbol whose kind says the whole statement.
    fn namelist_group(&mut self, ctx: Ctx<'t>, group: Node<'t>) {
        let Some(name) = group.child(Kind::Name) else { return };
        let key = Name::new(name.text());
        let members: Vec<String> = group.named().filter(|m| m.kind() != Kind::Name).map(|m| m.lower()).collect();
        let members = members.join(", ");
        match self.program[ctx.scope].names.get(&key).copied() {
            Some(sym) if self.program[sym].scope == ctx.scope => {
                if let SymbolKind::Other(text) = &mut self.program[sym].kind {
                    text.push_str(", ");
                    text.push_str(&members);
                }
            }
            _ => {
                let kind = SymbolKind::Other(format!("namelist /{key}/ {members}"));
                self.program.add_symbol(ctx.scope, key, ctx.span(name), kind);
            }
        }
    }

    /// The scope's own symbol of a declared name, made if there is none.
    pub(super) fn declare(&mut self, ctx: Ctx<'t>, name: Node<'t>) -> SymId {
        let key = Name::new(name.text());
        if let Some(&sym) = self.program[ctx.scope].names.get(&key)
            && self.program[sym].scope == ctx.scope
        {
            return sym;
        }
        let sym = self.new_variable(ctx, ctx.scope, key, ctx.span(name), Variable::scalar(Ty::NONE, ""));
        self.untyped.insert(sym);
        sym
    }

    pub(super) fn with_variable(&mut self, sym: SymId, f: impl FnOnce(&mut Variable)) {
        if let SymbolKind::Variable(v) = &mut self.program[sym].kind {
            f(v);
        }
    }

    /// Turns a symbol into a procedure, keeping what is known of it.
    pub(super) fn make_procedure(&mut self, sym: SymId) -> &mut ProcInfo {
        let name = self.program[sym].name.clone();
        if let SymbolKind::Variable(v) = &self.program[sym].kind {
            let ty = (v.ty != Ty::NONE && !self.untyped.contains(&sym)).then_some(v.ty);
            let definition =
                if v.dummy.is_none() && !v.attrs.pointer { self.program.globals.get(&name).copied() } else { None };
            let info = ProcInfo {
                definition,
                ty,
                dummy: v.dummy,
                pointer: v.attrs.pointer,
                saved: v.attrs.save,
                external: true,
                ..ProcInfo::default()
            };
            self.program[sym].kind = SymbolKind::Procedure(Box::new(info));
            self.untyped.remove(&sym);
        }
        if !matches!(self.program[sym].kind, SymbolKind::Procedure(_)) {
            self.program[sym].kind = SymbolKind::Procedure(Box::default());
        }
        match &mut self.program[sym].kind {
            SymbolKind::Procedure(p) => p,
            _ => unreachable!("made one just now"),
        }
    }

    fn save_statement(&mut self, ctx: Ctx<'t>, n: Node<'t>, spec: &mut Spec<'t>) {
        let mut any = false;
        for name in n.named() {
            any = true;
            // A common block keeps its variables in any case here: its name needs no symbol.
            if name.kind() == Kind::Identifier {
                let sym = self.declare(ctx, name);
                match &mut self.program[sym].kind {
                    SymbolKind::Procedure(p) => p.saved = true,
                    _ => self.with_variable(sym, |v| v.attrs.save = true),
                }
            }
        }
        spec.save_all |= !any;
    }

    fn common_statement(&mut self, ctx: Ctx<'t>, n: Node<'t>, spec: &mut Spec<'t>) {
        for part in n.named() {
            if part.kind() == Kind::VariableGroup {
                let block = part.child(Kind::Name).map_or_else(|| Name::new(""), |b| Name::new(b.text()));
                for d in part.named().filter(|d| d.kind() != Kind::Name) {
                    self.common_variable(ctx, d, &block, spec);
                }
            } else {
                self.common_variable(ctx, part, &Name::new(""), spec);
            }
        }
    }

    fn common_variable(&mut self, ctx: Ctx<'t>, d: Node<'t>, block: &Name, spec: &mut Spec<'t>) {
        let Some(parts) = super::decl::declarator(d) else { return };
        let sym = self.declare(ctx, parts.name);
        self.with_variable(sym, |v| v.common = Some(block.clone()));
        let members = self.program[ctx.scope].commons.entry(block.clone()).or_default();
        if !members.contains(&sym) {
            members.push(sym);
        }
        if let Some(size) = parts.size {
            spec.dims.push((sym, size));
        }
    }

    fn enumeration(&mut self, ctx: Ctx<'t>, n: Node<'t>) {
        let mut next = 0;
        for s in n.named().filter(|s| s.kind() == Kind::EnumeratorStatement) {
            for d in s.fields(Field::Declarator) {
                let Some(parts) = super::decl::declarator(d) else { continue };
                if let Some(init) = parts.init {
                    let e = self.expr(ctx, init);
                    if let Some(super::Const::Int(i)) = super::fold(&self.program, &e) {
                        next = i;
                    }
                }
                let sym = self.declare(ctx, parts.name);
                self.untyped.remove(&sym);
                self.with_variable(sym, |v| {
                    *v = Variable::scalar(Ty::INTEGER, "integer");
                    v.attrs.parameter = true;
                    v.init = Some(Expr::int(next));
                });
                next += 1;
            }
        }
    }

    /// A named constant's value, where it stands.
    pub(super) fn named_constant(&mut self, ctx: Ctx<'t>, sym: SymId, value: Node<'t>, spec: &mut Spec<'t>) {
        if self.untyped.contains(&sym) {
            let name = self.program[sym].name.clone();
            if let Some(ty) = self.implicit_type(ctx.scope, &name) {
                self.set_type(sym, &ty);
            }
        }
        let dims: Vec<(SymId, Node<'t>)> = spec.dims.iter().copied().filter(|(s, _)| *s == sym).collect();
        for (s, node) in dims {
            self.dims(ctx, s, node);
        }
        spec.dims.retain(|(s, _)| *s != sym);
        let e = self.expr(ctx, value);
        let count = constructor_size(&e);
        self.with_variable(sym, |v| {
            if let ([Dim::AssumedSize(lo)], Some(n)) = (v.dims.as_slice(), count) {
                v.dims = vec![match lo {
                    None => Dim::Explicit(None, Expr::int(n)),
                    Some(lo) => Dim::Explicit(Some(lo.clone()), lo.clone().add(Expr::int(n - 1))),
                }];
            }
            v.init = Some(e);
        });
    }

    /// Bounds, initial values and whatever else had to wait for the types.
    fn finish(&mut self, ctx: Ctx<'t>, spec: Spec<'t>) {
        for (sym, iface) in &spec.interfaces {
            self.procedure_interface(ctx, *sym, *iface);
        }
        for (generic, name) in &spec.specifics {
            self.add_specific(ctx, *generic, *name);
        }
        for (sym, node) in &spec.dims {
            self.dims(ctx, *sym, *node);
        }
        for (sym, node, pointer) in &spec.inits {
            let e = self.expr(ctx, *node);
            let in_procedure = matches!(self.program[ctx.scope].kind, ScopeKind::Procedure(_) | ScopeKind::Inner);
            self.with_variable(*sym, |v| {
                v.init = Some(e);
                v.attrs.save |= in_procedure;
                v.attrs.pointer |= *pointer;
            });
        }
        self.data_statements(ctx, &spec.data);
        for n in &spec.equivalences {
            self.equivalence(ctx, *n);
        }
        let in_module = matches!(self.program[ctx.scope].kind, ScopeKind::Module(_));
        self.info(ctx.scope).save_all |= spec.save_all;
        let syms: Vec<SymId> = self.program[ctx.scope].names.values().copied().collect();
        for sym in syms {
            if self.program[sym].scope != ctx.scope {
                continue;
            }
            self.with_variable(sym, |v| {
                if v.attrs.allocatable || v.attrs.pointer {
                    v.dims.iter_mut().filter(|d| **d == Dim::Assumed(None)).for_each(|d| *d = Dim::Deferred);
                }
                let local = v.dummy.is_none() && !v.result && !v.attrs.parameter;
                v.attrs.save |= local && (in_module || spec.save_all);
            });
            if let SymbolKind::Procedure(p) = &mut self.program[sym].kind {
                p.saved |= p.pointer && spec.save_all;
            }
            if in_module && self.untyped.remove(&sym) {
                let (name, span) = (self.program[sym].name.clone(), self.program[sym].span);
                match self.implicit_type(ctx.scope, &name) {
                    Some(ty) => self.set_type(sym, &ty),
                    None => self.undeclared(ctx, &name, span),
                }
            }
        }
        self.declaration_directives(ctx);
    }

    /// Keeps a specification statement for printing.
    pub(super) fn keep_text(&mut self, ctx: Ctx<'t>, n: Node<'t>) {
        let text = n.text().to_string();
        self.program[ctx.scope].texts.push(text);
    }

    fn equivalence(&mut self, ctx: Ctx<'t>, n: Node<'t>) {
        for set in n.named().filter(|s| s.kind() == Kind::EquivalenceSet) {
            let mut members = Vec::new();
            for item in set.named() {
                let name = if item.kind() == Kind::CallExpression { item.named().next() } else { Some(item) };
                let Some(name) = name.filter(|n| n.kind() == Kind::Identifier) else { continue };
                let sym = match self.lookup(ctx, &name.lower()) {
                    Some(sym) => sym,
                    None => self.declare(ctx, name),
                };
                self.with_variable(sym, |v| v.equivalenced = true);
                members.push(self.expr(ctx, item));
            }
            self.program[ctx.scope].equivalences.push(members);
        }
    }

    /// `f(x) = ...` before the first executable statement, where `f` is no array.
    fn statement_functions(&mut self, ctx: Ctx<'t>, nodes: &[Node<'t>]) {
        for &n in nodes {
            if is_specification(n.kind())
                || is_frame(n.kind())
                || matches!(n.kind(), Kind::FormatStatement | Kind::Token)
            {
                continue;
            }
            if n.kind() != Kind::AssignmentStatement || !self.statement_function(ctx, n) {
                return;
            }
        }
    }

    fn statement_function(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> bool {
        if !matches!(ctx.owner, What::Procedure(_)) {
            return false;
        }
        let (Some(left), Some(right)) = (n.field(Field::Left), n.field(Field::Right)) else { return false };
        if left.kind() != Kind::CallExpression {
            return false;
        }
        let parts: Vec<Node<'t>> = left.named().collect();
        let [name, list] = parts.as_slice() else { return false };
        if name.kind() != Kind::Identifier || list.named().any(|a| a.kind() != Kind::Identifier) {
            return false;
        }
        let key = name.lower();
        let existing = self.program.lookup(ctx.scope, &key);
        let known = existing.and_then(|s| self.program.var(s).map(|v| (s, v)));
        let scalar = match known {
            Some((s, v)) => {
                v.dims.is_empty()
                    && v.ty.base != Base::Character
                    && v.dummy.is_none()
                    && !v.result
                    && self.program[s].scope == ctx.scope
            }
            None => existing.is_none(),
        };
        if !scalar {
            return false;
        }
        let sym = existing.unwrap_or_else(|| self.declare(ctx, *name));
        if self.untyped.contains(&sym)
            && let Some(ty) = self.implicit_type(ctx.scope, &key)
        {
            self.set_type(sym, &ty);
        }
        let scope = self.program.add_scope(Some(ctx.scope), ScopeKind::Inner);
        let mut dummies = Vec::new();
        for (i, a) in list.named().enumerate() {
            let text = a.lower();
            let mut var = Variable::scalar(Ty::NONE, "");
            if let Some(outer) =
                self.program.lookup(ctx.scope, &text).and_then(|s| self.program.var(s)).filter(|v| v.ty != Ty::NONE)
            {
                var = Variable::scalar(outer.ty, outer.spelling.clone());
            } else if let Some(ty) = self.implicit_type(ctx.scope, &text) {
                ty.apply(&mut var);
            }
            var.dummy = Some(i);
            dummies.push(self.new_variable(ctx, scope, Name::new(&text), ctx.span(a), var));
        }
        self.type_mentioned(ctx, right);
        let e = self.expr(ctx.within(scope), right);
        let info = self.make_procedure(sym);
        info.external = false;
        info.definition = None;
        info.statement_function = Some((dummies, e));
        true
    }

    /// Gives variables that are mentioned in a statement function, and have no type by now, the implicit one: all
    /// declarations come before it.
    fn type_mentioned(&mut self, ctx: Ctx<'t>, n: Node<'t>) {
        if n.kind() == Kind::Identifier
            && let Some(sym) = self.program.lookup(ctx.scope, &n.lower())
            && self.program.var(sym).is_some_and(|v| !v.result)
        {
            self.type_by_name(ctx, sym);
        }
        n.named().for_each(|child| self.type_mentioned(ctx, child));
    }

    /// A generic's own symbol in a scope, with what an associated generic of the same name brings.
    pub(super) fn generic(&mut self, ctx: Ctx<'t>, name: Name, span: crate::source::Span) -> SymId {
        let mut spec = GenericSpec { intrinsic: Intrinsic::find(&name), ..GenericSpec::default() };
        if let Some(op) = name.strip_prefix("operator(").and_then(|t| t.strip_suffix(')')) {
            spec.operator = Some(op.to_string());
        } else if name.as_str() == "assignment(=)" {
            spec.operator = Some("=".to_string());
        }
        if let Some(old) = self.program.lookup(ctx.scope, &name) {
            let own = self.program[old].scope == ctx.scope;
            match &self.program[old].kind {
                SymbolKind::Generic(_) if own => return old,
                SymbolKind::Generic(g) => spec = super::uses::merge(spec, &g.clone()),
                SymbolKind::Type(_) => spec.derived = Some(old),
                // A specific may bear the name of its generic.
                SymbolKind::Procedure(_) if own => spec.specifics.push(old),
                SymbolKind::Procedure(_) | SymbolKind::Variable(_) | SymbolKind::Other(_) => {}
            }
        }
        self.program.add_symbol(ctx.scope, name, span, SymbolKind::Generic(spec))
    }

    fn add_specific(&mut self, ctx: Ctx<'t>, generic: SymId, node: Node<'t>) {
        let key = generic_key(node);
        let found = self.lookup(ctx, &key);
        let own_name = found == Some(generic);
        match found.filter(|_| !own_name) {
            Some(sym) => {
                if let SymbolKind::Generic(g) = &mut self.program[generic].kind
                    && !g.specifics.contains(&sym)
                {
                    g.specifics.push(sym);
                }
            }
            None if own_name => {}
            None => self.undeclared(ctx, &key, ctx.span(node)),
        }
    }
}

/// How many values an array constructor of scalars has.
fn constructor_size(e: &Expr) -> Option<i64> {
    match &e.unparen().kind {
        ExprKind::ArrayCtor { items, .. } => {
            let scalar = |i: &CtorItem| matches!(i, CtorItem::Value(v) if v.rank == 0);
            items.iter().all(scalar).then_some(items.len() as i64)
        }
        _ => None,
    }
}
