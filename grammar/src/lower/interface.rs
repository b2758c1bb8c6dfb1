//! Interface blocks: generics, operators, abstract interfaces, bodies.

use super::pending::Spec;
use super::uses::generic_key;
use super::{Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::ir::{Name, ParentUnit, Prefix, ProcId, ProcInfo, ProcKind, Procedure, ScopeKind, SymId, SymbolKind};

impl<'t> Lowerer<'t> {
    /// `interface ... end interface`
    pub(super) fn interface(&mut self, ctx: Ctx<'t>, n: Node<'t>, spec: &mut Spec<'t>) {
        let Some(head) = n.child(Kind::InterfaceStatement) else { return };
        let is_abstract = head.child(Kind::AbstractSpecifier).is_some();
        let named = head
            .named()
            .find(|c| matches!(c.kind(), Kind::Name | Kind::Operator | Kind::Assignment | Kind::DefinedIoProcedure));
        let generic = named.map(|name| {
            let key = generic_key(name);
            self.generic(ctx, key, ctx.span(name))
        });
        for item in n.named() {
            match item.kind() {
                Kind::ProcedureStatement => {
                    for d in item.fields(Field::Declarator) {
                        if let Some(g) = generic {
                            spec.specifics.push((g, d));
                        }
                    }
                }
                Kind::Subroutine | Kind::Function => {
                    let specific = self.interface_body(ctx, item, is_abstract);
                    if let (Some(g), Some(s)) = (generic, specific)
                        && let SymbolKind::Generic(spec) = &mut self.program[g].kind
                        && !spec.specifics.contains(&s)
                    {
                        spec.specifics.push(s);
                    }
                }
                _ => {}
            }
        }
    }

    /// The interface of one procedure.
    fn interface_body(&mut self, ctx: Ctx<'t>, n: Node<'t>, is_abstract: bool) -> Option<SymId> {
        let head = n.named().find(|h| matches!(h.kind(), Kind::SubroutineStatement | Kind::FunctionStatement))?;
        let name_node = head.field(Field::Name)?;
        let name = Name::new(name_node.text());
        let id = ProcId::new(self.program.procedures.len());
        let scope = self.program.add_scope(None, ScopeKind::Procedure(id));
        let sym = self.interface_symbol(ctx, name_node, id, is_abstract);
        self.program.procedures.push(Procedure {
            name,
            sym,
            scope,
            kind: ProcKind::Subroutine,
            dummies: Vec::new(),
            prefix: Prefix::default(),
            bind: None,
            parent: ParentUnit::Interface,
            internals: Vec::new(),
            body: Vec::new(),
            file: ctx.lines.file,
            span: ctx.span(n),
            head: ctx.span(head),
            problems: Vec::new(),
            header: Vec::new(),
            copy_of: None,
            declared: false,
        });
        let inner = ctx.within(scope);
        self.head(inner, id, head);
        if self.program[id].prefix.module {
            // The interface of a module procedure sees its host without `import`.
            self.program[scope].parent = Some(ctx.scope);
            if let SymbolKind::Procedure(info) = &mut self.program[sym].kind {
                info.external = false;
                info.definition = None;
            }
        }
        let nodes: Vec<Node<'t>> = n.children().collect();
        for &i in nodes.iter().filter(|i| i.kind() == Kind::ImportStatement) {
            self.import_statement(inner, i, ctx.scope);
        }
        // Without `import` nothing of the host's is seen, its implicit rules included.
        if self.program[scope].parent.is_none() {
            let usual = super::implicit::Implicit::usual(self.program.default_real());
            self.info(scope).implicit = Some(usual);
        }
        self.spec_part(inner, &nodes);
        self.prefix_type(inner, id, head);
        self.type_the_rest(inner);
        Some(sym)
    }

    fn interface_symbol(&mut self, ctx: Ctx<'t>, name: Node<'t>, id: ProcId, is_abstract: bool) -> SymId {
        let key = Name::new(name.text());
        let own = self.program[ctx.scope].names.get(&key).copied().filter(|s| self.program[*s].scope == ctx.scope);
        let sym = match own {
            // A specific that bears its generic's name has a symbol that the name doesn't lead to.
            Some(s) if matches!(self.program[s].kind, SymbolKind::Generic(_)) => {
                let kind = SymbolKind::Procedure(Box::default());
                let s2 = self.program.add_symbol(ctx.scope, key.clone(), ctx.span(name), kind);
                self.program[ctx.scope].names.insert(key.clone(), s);
                s2
            }
            Some(s) => s,
            None => {
                let kind = SymbolKind::Procedure(Box::default());
                self.program.add_symbol(ctx.scope, key.clone(), ctx.span(name), kind)
            }
        };
        let global = self.program.globals.get(&key).copied();
        let info: &mut ProcInfo = self.make_procedure(sym);
        info.interface = Some(id);
        info.is_abstract = is_abstract;
        info.external = !is_abstract && info.dummy.is_none();
        if info.external && info.definition.is_none() {
            info.definition = global;
        }
        sym
    }
}
