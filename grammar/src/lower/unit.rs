//! Units: names of all modules and procedures, heads of procedures, and the order in which declarations are understood.

use super::{Ctx, Lowerer, State, What};
use crate::cst::{Field, Kind, Node};
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Module, ModuleKind, Name, ParentUnit, Prefix, ProcId, ProcInfo, ProcKind, Procedure, ScopeId, ScopeKind, SymId,
    SymbolKind, Ty, Variable,
};
use crate::source::Span;
use crate::units::UnitKind;

/// Why a fault of a statement is one of its unit.
const MISREAD: &str =
    "the statements around it can't be told for sure, and what isn't understood can't be differentiated";

impl<'t> Lowerer<'t> {
    /// First pass: names of all units.
    pub(super) fn declare_all(&mut self) {
        for u in 0..self.units.len() {
            match self.units[u].tree.kind {
                UnitKind::Module | UnitKind::Submodule => self.declare_module(u),
                UnitKind::BlockData => {}
                UnitKind::Program | UnitKind::Subroutine | UnitKind::Function | UnitKind::ModuleProcedure => {
                    self.declare_procedure(u);
                }
            }
        }
    }

    fn line_span(&self, u: usize, line: Option<usize>) -> Span {
        let unit = &self.units[u];
        let line = line.and_then(|l| self.files[unit.file].lines.lines.get(l));
        line.map_or(unit.tree.span, |l| l.span)
    }

    fn declare_module(&mut self, u: usize) {
        let tree = self.units[u].tree;
        let file = self.files[self.units[u].file].file;
        let id = crate::ir::ModuleId::new(self.program.modules.len());
        let scope = self.program.add_scope(None, ScopeKind::Module(id));
        let name = Name::new(&tree.name);
        let mut key = name.clone();
        let mut kind = ModuleKind::Module;
        if tree.kind == UnitKind::Submodule {
            let (ancestor, parent) = self.submodule_parents(u);
            key = Name::new(&format!("{ancestor}:{name}"));
            kind = ModuleKind::Submodule { ancestor, parent };
        }
        self.program.modules.push(Module {
            name: name.clone(),
            kind,
            scope,
            procedures: Vec::new(),
            file,
            span: tree.span,
            contains: tree.contains.map(|l| self.line_span(u, Some(l))),
            end: self.line_span(u, Some(tree.end)),
            default_private: false,
            passed_on: Vec::new(),
            problems: Vec::new(),
            header: Vec::new(),
        });
        if let Some(&first) = self.program.module_names.get(&key) {
            let head = self.line_span(u, tree.head);
            let d = Diagnostic::error(Code::DuplicateName, head, format!("module `{name}` is defined twice"))
                .label(self.program[first].span, "the first is here")
                .help("give only one of the files");
            self.diagnostics.push(d);
        } else {
            self.program.module_names.insert(key, id);
        }
        self.units[u].what = What::Module(id);
        self.unit_of_module.insert(id, u);
    }

    /// Names in `submodule (ancestor:parent) name`.
    fn submodule_parents(&self, u: usize) -> (Name, Option<Name>) {
        let statement = self.unit_nodes(u).into_iter().find(|n| n.kind() == Kind::SubmoduleStatement);
        let name = |f: Field| statement.and_then(|s| s.field(f)).map(|n| Name::new(n.text()));
        (name(Field::Ancestor).unwrap_or_else(|| Name::new("")), name(Field::Parent))
    }

    fn declare_procedure(&mut self, u: usize) {
        let tree = self.units[u].tree;
        let file = self.files[self.units[u].file].file;
        let name = Name::new(if tree.name.is_empty() { "main" } else { &tree.name });
        let id = ProcId::new(self.program.procedures.len());
        let (parent, host) = match self.units[u].parent.map(|p| self.units[p].what) {
            Some(What::Module(m)) => (ParentUnit::Module(m), Some(self.program[m].scope)),
            Some(What::Procedure(p)) => (ParentUnit::Procedure(p), Some(self.program[p].scope)),
            Some(What::BlockData) | None => (ParentUnit::File(file), None),
        };
        let scope = self.program.add_scope(host, ScopeKind::Procedure(id));
        let head = self.line_span(u, tree.head);
        let info = ProcInfo { definition: Some(id), external: host.is_none(), ..ProcInfo::default() };
        let sym = self.program.add_symbol(
            host.unwrap_or(self.root),
            name.clone(),
            head,
            SymbolKind::Procedure(Box::new(info)),
        );
        self.program.procedures.push(Procedure {
            name: name.clone(),
            sym,
            scope,
            kind: if tree.kind == UnitKind::Program { ProcKind::Program } else { ProcKind::Subroutine },
            dummies: Vec::new(),
            prefix: Prefix::default(),
            bind: None,
            parent,
            internals: Vec::new(),
            body: Vec::new(),
            file,
            span: tree.span,
            head,
            problems: Vec::new(),
            header: Vec::new(),
            copy_of: None,
            declared: false,
        });
        match parent {
            ParentUnit::Module(m) => self.program[m].procedures.push(id),
            ParentUnit::Procedure(p) => self.program[p].internals.push(id),
            ParentUnit::File(_) => self.declare_global(name, id, head),
            ParentUnit::Interface => {}
        }
        if let Some(host) = host {
            self.declare_entries(u, host);
        }
        self.units[u].what = What::Procedure(id);
        self.unit_of_proc.insert(id, u);
    }

    fn declare_global(&mut self, name: Name, id: ProcId, head: Span) {
        if let Some(&first) = self.program.globals.get(&name) {
            let d = Diagnostic::error(Code::DuplicateName, head, format!("procedure `{name}` is defined twice"))
                .label(self.program[first].head, "the first is here")
                .help("give only one of the files");
            self.diagnostics.push(d);
        } else {
            self.program.globals.insert(name, id);
        }
    }

    /// Names of `entry` statements: procedures that are known to exist, but not what they do.
    fn declare_entries(&mut self, u: usize, host: ScopeId) {
        let file = self.units[u].file;
        for n in self.unit_nodes(u).into_iter().filter(|n| n.kind() == Kind::EntryStatement) {
            let Some(name) = n.field(Field::Name) else { continue };
            let key = Name::new(name.text());
            if !self.program[host].names.contains_key(&key) {
                let span = name.span(&self.files[file].lines.lines);
                self.program.add_symbol(host, key, span, SymbolKind::Other(super::ENTRY.to_string()));
            }
        }
    }

    /// The statements of a unit: children of its node, or of what is left of it where the parser gave up.
    pub(super) fn unit_nodes(&self, u: usize) -> Vec<Node<'t>> {
        let unit = &self.units[u];
        let Some(root) = unit.cst.root() else { return Vec::new() };
        let mut out = Vec::new();
        for node in root.children() {
            match node.kind() {
                Kind::Program
                | Kind::Module
                | Kind::Submodule
                | Kind::BlockData
                | Kind::Subroutine
                | Kind::Function
                | Kind::Error => out.extend(node.children()),
                _ => out.push(node),
            }
        }
        out
    }

    /// Lowering's context within a unit.
    pub(super) fn ctx(&self, u: usize) -> Ctx<'t> {
        let unit = &self.units[u];
        let files: &'t [super::FileInput] = self.files;
        let scope = match unit.what {
            What::Module(m) => self.program[m].scope,
            What::Procedure(p) => self.program[p].scope,
            What::BlockData => self.root,
        };
        Ctx { lines: &files[unit.file].lines, file: unit.file, unit: u, scope, owner: unit.what }
    }

    /// Makes sure that the declarations of a unit are understood.
    pub(super) fn ensure(&mut self, u: usize) {
        if self.units[u].state != State::New {
            return;
        }
        self.units[u].state = State::Begun;
        if let Some(parent) = self.units[u].parent {
            self.ensure(parent);
        }
        let ctx = self.ctx(u);
        self.report_syntax(ctx);
        let nodes = self.unit_nodes(u);
        match self.units[u].what {
            What::BlockData => {}
            What::Module(m) => {
                self.link_submodule(ctx, m);
                self.spec_part(ctx, &nodes);
                self.close_module(m);
            }
            What::Procedure(p) => {
                let head = nodes.iter().copied().find(|n| is_head(*n));
                if self.units[u].tree.kind == UnitKind::ModuleProcedure {
                    self.head_from_interface(ctx, p);
                } else if let Some(head) = head {
                    self.head(ctx, p, head);
                }
                self.spec_part(ctx, &nodes);
                if let Some(head) = head {
                    self.prefix_type(ctx, p, head);
                }
                self.type_the_rest(ctx);
                self.link_module_procedure(p);
            }
        }
        self.units[u].state = State::Done;
    }

    /// Makes sure that a procedure's interface is understood.
    pub(super) fn ensure_procedure(&mut self, p: ProcId) {
        if let Some(&u) = self.unit_of_proc.get(&p) {
            self.ensure(u);
        }
    }

    /// Tells what the parser couldn't make sense of.
    fn report_syntax(&mut self, ctx: Ctx<'t>) {
        let cst = self.units[ctx.unit].cst;
        let beyond = cst.beyond(&ctx.lines.lines);
        for (span, limit) in &beyond {
            let d = Diagnostic::error(Code::TooDeep, *span, limit.message())
                .reason("code is followed only so deep")
                .help(limit.help());
            self.problem(ctx, d);
        }
        // What follows from that isn't worth a word.
        if !beyond.is_empty() || !cst.has_error() {
            return;
        }
        let faults = cst.faults(&ctx.lines.lines);
        if faults.is_empty() {
            let head = self.line_span(ctx.unit, self.units[ctx.unit].tree.head);
            let d = Diagnostic::error(Code::Syntax, head, "the statements of this unit don't fit together")
                .reason(MISREAD)
                .help("look for a construct without its end, or an end without its construct");
            self.fault(ctx, d);
        }
        for (span, text) in faults {
            let shown: String = text.chars().take(60).collect();
            let message = format!("can't parse `{shown}{}`", if shown.len() < text.len() { "..." } else { "" });
            let d = if returns_elsewhere(text) {
                Diagnostic::error(Code::Syntax, span, "alternate returns aren't read")
                    .help("return an integer in an argument, and jump or branch by it after the call")
            } else {
                Diagnostic::error(Code::Syntax, span, message)
                    .help("check the statement; an extension may have to be rewritten in standard Fortran")
            };
            self.fault(ctx, d.reason(MISREAD));
        }
    }

    /// Dummies, result and prefix of a procedure from its head statement.
    pub(super) fn head(&mut self, ctx: Ctx<'t>, p: ProcId, head: Node<'t>) {
        let mut prefix = Prefix::default();
        for n in head.children().filter(|n| n.kind() == Kind::ProcedureQualifier) {
            match n.lower().as_str() {
                "pure" | "simple" => prefix.pure_ = true,
                "elemental" => prefix.elemental = true,
                "impure" => prefix.impure = true,
                "recursive" => prefix.recursive = true,
                "module" => prefix.module = true,
                _ => {}
            }
        }
        self.program[p].prefix = prefix;
        if let Some(bind) = head.child(Kind::LanguageBinding) {
            let text = bind.text();
            let inner = text.find('(').map_or("", |i| text[i + 1..].trim_end_matches(')'));
            self.program[p].bind = Some(inner.trim().to_string());
        }
        let mut dummies = Vec::new();
        let list = head.child(Kind::Parameters);
        let given = list.iter().flat_map(|l| l.named().collect::<Vec<_>>()).filter(|n| n.kind() == Kind::Identifier);
        for (i, n) in given.enumerate() {
            let mut var = Variable::scalar(Ty::NONE, "");
            var.dummy = Some(i);
            let sym = self.new_variable(ctx, ctx.scope, Name::new(n.text()), ctx.span(n), var);
            self.untyped.insert(sym);
            dummies.push(sym);
        }
        self.program[p].dummies = dummies;
        if head.kind() == Kind::FunctionStatement {
            let clause = head.child(Kind::FunctionResult).and_then(|r| r.child(Kind::Identifier));
            let name_node = clause.or_else(|| head.field(Field::Name));
            let (name, span) = match name_node {
                Some(n) => (Name::new(n.text()), ctx.span(n)),
                None => (self.program[p].name.clone(), self.program[p].head),
            };
            self.result_variable(ctx, p, name, span);
        }
    }

    fn result_variable(&mut self, ctx: Ctx<'t>, p: ProcId, name: Name, span: Span) -> SymId {
        let mut var = Variable::scalar(Ty::NONE, "");
        var.result = true;
        let sym = self.new_variable(ctx, ctx.scope, name, span, var);
        self.untyped.insert(sym);
        self.program[p].kind = ProcKind::Function(sym);
        sym
    }

    /// The type before `function`, once the names in it are declared.
    pub(super) fn prefix_type(&mut self, ctx: Ctx<'t>, p: ProcId, head: Node<'t>) {
        let ProcKind::Function(result) = self.program[p].kind else { return };
        let Some(ty) = head.children().find(|n| n.field_of() == Field::Type) else { return };
        if !self.untyped.contains(&result) {
            return;
        }
        let spec = self.type_spec(ctx, ty);
        self.set_type(result, &spec);
    }

    /// Dummies and result of `module procedure f` from its interface in an ancestor.
    fn head_from_interface(&mut self, ctx: Ctx<'t>, p: ProcId) {
        let name = self.program[p].name.clone();
        let interface = self.ancestor_interface(p);
        let Some((_, from)) = interface else {
            let d = Diagnostic::error(
                Code::NameNotFound,
                self.program[p].head,
                format!("no interface of `{name}` is known"),
            )
            .help(
                "declare it as `module subroutine` or `module function` in an interface block of the ancestor module",
            );
            return self.problem(ctx, d);
        };
        self.program[p].prefix = Prefix { module: true, ..self.program[from].prefix };
        self.program[p].bind = self.program[from].bind.clone();
        let copy = |me: &mut Self, sym: SymId| {
            let s = me.program[sym].clone();
            let new = me.program.add_symbol(ctx.scope, s.name, s.span, s.kind);
            // Bounds and character lengths name the interface's own symbols; the copies take their place below.
            (sym, new)
        };
        let names: Vec<SymId> = self.program[self.program[from].scope].names.values().copied().collect();
        let own: Vec<SymId> =
            names.into_iter().filter(|s| self.program[*s].scope == self.program[from].scope).collect();
        let pairs: std::collections::HashMap<SymId, SymId> = own.into_iter().map(|s| copy(self, s)).collect();
        for &new in pairs.values() {
            if let SymbolKind::Variable(v) = &mut self.program[new].kind {
                super::types::rename_in_variable(v, &pairs);
            }
        }
        let map = |s: SymId| pairs.get(&s).copied().unwrap_or(s);
        self.program[p].dummies = self.program[from].dummies.iter().map(|s| map(*s)).collect();
        if let ProcKind::Function(r) = self.program[from].kind {
            self.program[p].kind = ProcKind::Function(map(r));
        }
        // Names that the interface had from `use` or `import` of its own.
        for (name, sym) in self.program[self.program[from].scope].names.clone() {
            if !self.program[ctx.scope].names.contains_key(&name) {
                self.program[ctx.scope].names.insert(name, sym);
            }
        }
    }

    /// The interface of a module procedure, from the scopes that contain its submodule.
    fn ancestor_interface(&self, p: ProcId) -> Option<(SymId, ProcId)> {
        let host = self.program[self.program[p].scope].parent?;
        let name = self.program[p].name.clone();
        let mut at = Some(host);
        while let Some(s) = at {
            if let Some(&sym) = self.program[s].names.get(&name)
                && let Some(i) = self.program[sym].procedure().and_then(|i| i.interface)
            {
                return Some((sym, i));
            }
            at = self.program[s].parent;
        }
        None
    }

    /// A body of a module procedure and the interface in its module share one symbol.
    fn link_module_procedure(&mut self, p: ProcId) {
        let ParentUnit::Module(m) = self.program[p].parent else { return };
        if !self.program[p].prefix.module {
            return;
        }
        let Some((sym, _)) = self.ancestor_interface(p) else { return };
        if let SymbolKind::Procedure(info) = &mut self.program[sym].kind {
            info.definition = Some(p);
            info.external = false;
        }
        self.program[p].sym = sym;
        let (scope, name) = (self.program[m].scope, self.program[p].name.clone());
        self.program[scope].names.insert(name, sym);
    }

    /// Hangs a submodule into the scope of its parent.
    fn link_submodule(&mut self, ctx: Ctx<'t>, m: crate::ir::ModuleId) {
        let ModuleKind::Submodule { ancestor, parent } = self.program[m].kind.clone() else { return };
        let key = parent.map_or_else(|| ancestor.clone(), |p| Name::new(&format!("{ancestor}:{p}")));
        let Some(&host) = self.program.module_names.get(&key) else {
            let d = Diagnostic::error(
                Code::ModuleNotFound,
                self.program[m].span,
                format!("module `{key}` isn't among the files"),
            )
            .help("give the file that holds it");
            return self.problem(ctx, d);
        };
        if host == m {
            return;
        }
        if let Some(&u) = self.unit_of_module.get(&host) {
            self.ensure(u);
        }
        // A chain that leads back here would never end.
        let mut at = Some(self.program[host].scope);
        while let Some(s) = at {
            if s == ctx.scope {
                return;
            }
            at = self.program[s].parent;
        }
        self.program[ctx.scope].parent = Some(self.program[host].scope);
    }

    /// The scope of the procedure or module around an inner scope.
    pub(super) fn home(&self, scope: ScopeId) -> ScopeId {
        let mut at = scope;
        while self.program[at].kind == ScopeKind::Inner
            && let Some(parent) = self.program[at].parent
        {
            at = parent;
        }
        at
    }
}

fn is_head(n: Node<'_>) -> bool {
    matches!(n.kind(), Kind::SubroutineStatement | Kind::FunctionStatement)
}

/// True for a call with labels among its arguments: `call f(x, *10)`.
fn returns_elsewhere(text: &str) -> bool {
    let call = text.get(..4).is_some_and(|w| w.eq_ignore_ascii_case("call"));
    let label = |(at, _): (usize, &str)| {
        let after = text[at + 1..].trim_start().strip_prefix('*').map(str::trim_start);
        let digits = after.map(|a| a.trim_start_matches(|c: char| c.is_ascii_digit()));
        digits.zip(after).is_some_and(|(rest, all)| rest.len() < all.len() && rest.trim_start().starts_with([',', ')']))
    };
    call && text.match_indices(['(', ',']).any(label)
}
