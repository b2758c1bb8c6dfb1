//! Finishes generated procedures and modules: declarations, imports, interfaces.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::storage::{all_components, extensions};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Base, Block, Handle, Intent, Module, ModuleId, ModuleKind, Name, ParentUnit, ProcId, ProcInfo, ProcKind, Procedure,
    Program, ScopeId, ScopeKind, StmtKind, SymId, SymbolKind, Use, Variable, for_each_stmt, words,
};
use costate_grammar::source::Span;

use crate::assignments;
use crate::common;
use crate::mode::Layout;
use crate::names::Taken;
use crate::remap::{self, SymMap, mentioned};

/// Everything needed to finish one generated procedure.
pub struct Finish<'p> {
    /// The program.
    pub program: &'p mut Program,
    /// The primal.
    pub primal: ProcId,
    /// The new procedure's symbol.
    pub sym: SymId,
    /// Its scope.
    pub scope: ScopeId,
    /// The generated module, if the primal is a module procedure.
    pub module: Option<ModuleId>,
    /// Separate modules or extension of the primal's.
    pub layout: Layout,
    /// It changes derivatives of module variables.
    pub impure: bool,
    /// Derivative variables of the procedure, by primal variable.
    pub shadows: &'p BTreeMap<SymId, SymId>,
    /// The names of generated procedures, and of what generated modules declare.
    pub generated: Taken,
    /// What was found wrong.
    pub problems: Vec<Diagnostic>,
}

impl Finish<'_> {
    /// Declares what `body` and the dummies use and adds the procedure. `dummies` are symbols of the primal (cloned here)
    /// or new ones; `intent` changes a clone.
    pub fn procedure(
        &mut self,
        dummies: &[SymId],
        body: Block,
        header: Vec<String>,
        adjust: &dyn Fn(SymId, &mut Variable),
        bind: Option<String>,
        inside: &BTreeSet<SymId>,
    ) -> (ProcId, SymMap) {
        let home = self.program[self.primal].scope;
        let mut body = assignments::spell_out(self.program, [home, self.scope], body, &mut self.problems);
        crate::specialise::restore_calls(self.program, &mut body);
        crate::runtime::without_hidden(self.program, &mut body);
        let mut wanted: BTreeSet<SymId> = dummies.iter().copied().collect();
        mentioned(&body, &mut wanted);
        wanted.extend(inside.iter().copied());
        let wanted = remap::declared_with(self.program, wanted, |s| self.is_local(s));
        let mut map = self.clone_locals(dummies, &wanted, adjust);
        let scope = self.program[self.primal].scope;
        map.extend(common::declare(self.program, self.scope, scope, &wanted, &self.generated));
        self.associate(scope, &map);
        self.associate(scope, self.shadows);
        for s in &wanted {
            self.import(*s);
        }
        let new_dummies: Vec<SymId> = dummies.iter().map(|d| map.get(d).copied().unwrap_or(*d)).collect();
        for (i, d) in new_dummies.iter().enumerate() {
            if let SymbolKind::Variable(v) = &mut self.program[*d].kind {
                v.dummy = Some(i);
                // The derivative of an object is of any type that the object may be of.
                if let (Base::Class(_), Some(of)) = (v.ty.base, v.spelling.strip_prefix("type(")) {
                    v.spelling = format!("class({of}");
                }
            }
        }
        self.order_names(&new_dummies);
        remap::declarations(self.program, self.scope, &map);
        self.repeat_namelists(&body);
        let primal = &self.program[self.primal];
        let (file, span, head, outer, own) = (primal.file, primal.span, primal.head, primal.scope, primal.parent);
        let id = Handle::new(self.program.procedures.len());
        let mut prefix = primal.prefix;
        prefix.module = false;
        if self.impure {
            prefix.give_up_purity();
        }
        let uses = self.program[outer].uses.clone();
        for (n, s) in self.program[outer].names.clone() {
            if self.program[s].scope != outer {
                self.program[self.scope].names.entry(n).or_insert(s);
            }
        }
        self.program[self.scope].uses.splice(0..0, uses);
        let parent = match self.module {
            Some(m) => ParentUnit::Module(m),
            // An internal procedure's new host isn't there yet; it takes its place in `nest`.
            None if matches!(own, ParentUnit::Procedure(_)) => own,
            None => ParentUnit::File(file),
        };
        self.program.procedures.push(Procedure {
            name: self.program[self.sym].name.clone(),
            sym: self.sym,
            scope: self.scope,
            kind: ProcKind::Subroutine,
            dummies: new_dummies,
            prefix,
            bind,
            parent,
            internals: Vec::new(),
            body: remap::block(&body, &map),
            file,
            span,
            head,
            problems: Vec::new(),
            header,
            copy_of: None,
            declared: false,
        });
        self.program[self.scope].kind = ScopeKind::Procedure(id);
        self.program[self.scope].parent = self.module.map(|m| self.program[m].scope);
        if let SymbolKind::Procedure(info) = &mut self.program[self.sym].kind {
            info.definition = Some(id);
        }
        if let Some(m) = self.module {
            self.program[m].procedures.push(id);
        }
        (id, map)
    }

    /// Repeats the equivalences of the primal's variables for what stands for them here, or for their derivatives.
    fn associate(&mut self, primal: ScopeId, map: &SymMap) {
        self.problems.extend(common::associate(self.program, primal, self.scope, map));
    }

    /// Namelist groups of the primal that input and output statements name.
    fn repeat_namelists(&mut self, body: &Block) {
        let mut texts = Vec::new();
        for_each_stmt(body, &mut |s| {
            if let StmtKind::Io { text, .. } = &s.kind {
                texts.push(text.to_ascii_lowercase());
            }
        });
        let scope = self.program[self.primal].scope;
        for (name, s) in self.program[scope].names.clone() {
            let SymbolKind::Other(group) = &self.program[s].kind else { continue };
            let named = texts.iter().any(|t| words(t).any(|w| w == name.as_str()));
            if self.program[s].scope == scope && group.starts_with("namelist ") && named {
                let text = group.clone();
                self.program[self.scope].texts.push(text);
                let kind = self.program[s].kind.clone();
                self.program.add_symbol(self.scope, name, Span::default(), kind);
            }
        }
    }

    fn is_local(&self, s: SymId) -> bool {
        let primal = self.program[self.primal].scope;
        let mut at = Some(self.program[s].scope);
        while let Some(scope) = at {
            if scope == primal {
                return true;
            }
            at = self.program[scope].parent;
        }
        false
    }

    fn clone_locals(
        &mut self,
        dummies: &[SymId],
        wanted: &BTreeSet<SymId>,
        adjust: &dyn Fn(SymId, &mut Variable),
    ) -> SymMap {
        let mut map = BTreeMap::new();
        let primal = self.program[self.primal].scope;
        let mut order: Vec<SymId> = dummies.to_vec();
        order.extend(self.program[primal].names.values().copied());
        order.extend(wanted.iter().copied());
        for s in order {
            if !wanted.contains(&s) || map.contains_key(&s) || !self.is_local(s) || self.program[s].scope == self.scope
            {
                continue;
            }
            let definition = self.program[s].procedure().and_then(|p| p.definition);
            if definition.is_some_and(|d| matches!(self.program[d].parent, ParentUnit::Procedure(_))) {
                // An internal procedure comes along as a whole, under its own name.
                continue;
            }
            self.check_data(s);
            let mut symbol = self.program[s].clone();
            if let SymbolKind::Variable(v) = &mut symbol.kind {
                v.dummy = None;
                v.result = false;
                if v.attrs.save && !v.attrs.parameter && v.init.is_none() && !v.data {
                    v.attrs.save = false;
                }
                if !dummies.contains(&s) {
                    v.intent = None;
                    v.attrs.optional = false;
                    v.attrs.value = false;
                }
                adjust(s, v);
            }
            let new = self.program.add_symbol(self.scope, symbol.name.clone(), symbol.span, symbol.kind);
            map.insert(s, new);
        }
        map
    }

    /// Values that a `data` statement gives to parts of a variable can't be declared again.
    fn check_data(&mut self, s: SymId) {
        let lost = self.program.var(s).is_some_and(|v| v.data && v.init.is_none());
        if lost {
            let symbol = &self.program[s];
            self.problems.push(
                Diagnostic::error(
                    Code::UnsupportedDeclaration,
                    symbol.span,
                    format!("`{}` gets its values from a data statement", symbol.name),
                )
                .reason("generated code needs these values, and the statement is too involved to repeat")
                .help("make it a named constant, or a module variable"),
            );
        }
    }

    /// Dummies first, in order; then the rest as it came.
    fn order_names(&mut self, dummies: &[SymId]) {
        let names = std::mem::take(&mut self.program[self.scope].names);
        let mut out = indexmap::IndexMap::new();
        for d in dummies {
            out.insert(self.program[*d].name.clone(), *d);
        }
        for (n, s) in names {
            out.entry(n).or_insert(s);
        }
        self.program[self.scope].names = out;
    }

    /// Declares an external procedure. All other names are resolved when the code is finished.
    fn import(&mut self, s: SymId) {
        if self.is_local(s) || self.program[s].scope == self.scope || s == self.sym {
            return;
        }
        if matches!(self.program[self.program[s].scope].kind, ScopeKind::Module(_)) {
            return;
        }
        let definition = self.program[s].procedure().and_then(|p| p.definition);
        let internal = definition.is_some_and(|d| matches!(self.program[d].parent, ParentUnit::Procedure(_)));
        if self.program[s].procedure().is_some() && !internal {
            self.declare_external(s);
        }
    }

    fn declare_external(&mut self, s: SymId) {
        let name = self.program[s].name.clone();
        if !self.program[self.scope].names.contains_key(&name) {
            let definition = self.program[s].procedure().and_then(|p| p.definition);
            let result = definition.and_then(|d| match self.program[d].kind {
                ProcKind::Function(r) => self.program.var(r).map(|v| v.ty),
                ProcKind::Subroutine | ProcKind::Program => None,
            });
            let info = ProcInfo { external: true, ty: result, ..ProcInfo::default() };
            self.program.add_symbol(self.scope, name, Span::default(), SymbolKind::Procedure(Box::new(info)));
        }
    }
}

/// The generated module of a primal one, made on first use. With [`Layout::Extend`] it only collects what is added to the
/// primal one: it goes by that one's name in `use` statements, and everything private is known in it.
pub fn generated_module(
    program: &mut Program,
    made: &mut BTreeMap<ModuleId, ModuleId>,
    primal: ModuleId,
    suffix: &str,
    layout: Layout,
) -> ModuleId {
    if let Some(&m) = made.get(&primal) {
        return m;
    }
    // What a submodule has is differentiated in the module that it belongs to.
    let top = program.top_module(primal);
    if top != primal {
        return generated_module(program, made, top, suffix, layout);
    }
    let source = program[primal].clone();
    let id: ModuleId = Handle::new(program.modules.len());
    let scope = program.add_scope(None, ScopeKind::Module(id));
    // Users write this name: where it is too long, they are told so.
    // Where it is used, nothing else can have its name: neither what the module has nor what its users have.
    let (mut taken, base) = (Taken::global(program), format!("{}{suffix}", source.name));
    if layout == Layout::Separate {
        taken.extend(&Taken::by_users(program, primal));
    }
    let numbered = (1..).map(|n| format!("{base}{n}"));
    let free = std::iter::once(base.clone()).chain(numbered).find(|n| !taken.contains(n));
    let name = Name::new(&free.unwrap_or(base));
    // What a header declares is the module's own.
    let mut uses = program[source.scope].uses.clone();
    uses.retain(|u| !u.header || source.default_private);
    // One that exists in Costate only has nothing that could be used.
    if source.kind != ModuleKind::Intrinsic {
        uses.push(Use {
            module: source.name.clone(),
            intrinsic: false,
            only: false,
            items: Vec::new(),
            conditional: false,
            header: false,
            span: Span::default(),
        });
    }
    program[scope].uses = uses;
    // Everything the primal module knows is known under the same name.
    let names = program[source.scope].names.clone();
    let known = |s: SymId| layout == Layout::Extend || !program[s].private || program[s].scope != source.scope;
    program[scope].names = names.into_iter().filter(|(_, s)| known(*s)).collect();
    program.module_names.insert(name.clone(), id);
    let kind = match source.kind {
        ModuleKind::Common { block } => ModuleKind::Common { block: common::derivative_name(program, &block, suffix) },
        ModuleKind::Module | ModuleKind::Submodule { .. } | ModuleKind::Intrinsic => ModuleKind::Module,
    };
    program.modules.push(Module {
        name: if layout == Layout::Extend { source.name } else { name },
        kind,
        scope,
        procedures: Vec::new(),
        file: source.file,
        span: source.span,
        contains: None,
        end: source.end,
        default_private: false,
        passed_on: Vec::new(),
        problems: Vec::new(),
        header: Vec::new(),
    });
    made.insert(primal, id);
    id
}

/// True for a variable that gets other contents where it becomes an output: it has components that are freed, or set to
/// default values, or may have them where it is of a class.
pub fn is_renewed(program: &Program, v: &Variable) -> bool {
    let Some(ty) = v.ty.derived() else { return false };
    let renewed = |ty: SymId| {
        all_components(program, ty).into_iter().any(|c| {
            let a = &c.var.attrs;
            a.allocatable || c.var.init.is_some() || (!a.pointer && is_renewed(program, &c.var))
        })
    };
    renewed(ty) || matches!(v.ty.base, Base::Class(_)) && extensions(program, ty).into_iter().any(renewed)
}

/// Intent of a primal dummy in an adjoint procedure: outputs aren't set unless asked for.
pub fn adjoint_intent(v: &mut Variable) {
    if v.intent == Some(Intent::Out) {
        v.intent = Some(Intent::InOut);
    }
}
