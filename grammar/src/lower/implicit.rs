//! Implicit typing.

use super::{Ctx, Lowerer};
use crate::cst::{Kind, Node};
use crate::diag::{Code, Diagnostic};
use crate::intrinsics::is_left_out;
use crate::ir::{Name, ScopeId, SymId, SymbolKind, Ty, Variable};
use crate::lower::types::TypeSpec;
use crate::source::Span;

/// The implicit rules of a scope.
#[derive(Clone)]
pub(super) struct Implicit {
    /// A type for each letter; `None` under `implicit none`.
    letters: Vec<Option<TypeSpec>>,
}

impl Implicit {
    /// The rules where no statement gives others.
    pub(super) fn usual(real: Ty) -> Self {
        let of = |i: u8| {
            let integer = (b'i'..=b'n').contains(&(b'a' + i));
            Some(if integer { TypeSpec::plain(Ty::INTEGER, "integer") } else { TypeSpec::plain(real, "real") })
        };
        Implicit { letters: (0..26).map(of).collect() }
    }
}

impl<'t> Lowerer<'t> {
    /// `implicit ...`
    pub(super) fn implicit_statement(&mut self, ctx: Ctx<'t>, node: Node<'t>) {
        let mut rules = self.implicit_rules(ctx.scope);
        if node.child(Kind::None).is_some() {
            // `implicit none (external)` alone leaves the types implicit.
            let only_external = node.has_token("external") && !node.has_token("type");
            if !only_external {
                rules.letters = vec![None; 26];
            }
        }
        let mut spec: Option<TypeSpec> = None;
        for n in node.named() {
            match n.kind() {
                Kind::IntrinsicType | Kind::DerivedType => spec = Some(self.type_spec(ctx, n)),
                Kind::ImplicitRange => {
                    let text = n.squeezed();
                    let letter = |b: Option<&u8>| b.filter(|b| b.is_ascii_lowercase()).map(|b| usize::from(b - b'a'));
                    let bytes = text.as_bytes();
                    if let (Some(from), Some(to)) = (letter(bytes.first()), letter(bytes.last())) {
                        rules.letters[from..=to.max(from)].fill(spec.clone());
                    }
                }
                _ => {}
            }
        }
        self.info(ctx.scope).implicit = Some(rules);
    }

    fn implicit_rules(&mut self, scope: ScopeId) -> Implicit {
        let mut at = Some(scope);
        while let Some(s) = at {
            if let Some(rules) = self.scope_info.get(s.index()).and_then(|i| i.implicit.clone()) {
                return rules;
            }
            at = self.program[s].parent;
        }
        Implicit::usual(self.program.default_real())
    }

    /// The implicit type of a name; `None` where names must be declared.
    pub(super) fn implicit_type(&mut self, scope: ScopeId, name: &str) -> Option<TypeSpec> {
        let letter = name.bytes().next().filter(u8::is_ascii_lowercase)?;
        let mut at = Some(scope);
        while let Some(s) = at {
            if let Some(rules) = self.scope_info.get(s.index()).and_then(|i| i.implicit.as_ref()) {
                return rules.letters[usize::from(letter - b'a')].clone();
            }
            at = self.program[s].parent;
        }
        Implicit::usual(self.program.default_real()).letters[usize::from(letter - b'a')].clone()
    }

    /// A variable that nobody declared: typed by the rules, or a problem.
    pub(super) fn implicit_variable(&mut self, ctx: Ctx<'t>, name: &str, span: Span) -> SymId {
        let scope = self.home(ctx.scope);
        let mut var = Variable::scalar(Ty::NONE, "");
        if self.may_be_elsewhere(scope) {
            self.undeclared(ctx, name, span);
            let sym = self.placeholder(name, span);
            self.program[sym].kind = SymbolKind::Variable(Box::new(var));
            self.program[scope].names.insert(Name::new(name), sym);
            return sym;
        }
        match self.implicit_type(scope, name) {
            Some(spec) => spec.apply(&mut var),
            None => self.undeclared(ctx, name, span),
        }
        var.attrs.save |= self.info(scope).save_all;
        self.program.add_symbol(scope, Name::new(name), span, SymbolKind::Variable(Box::new(var)))
    }

    /// Says that a name isn't declared.
    pub(super) fn undeclared(&mut self, ctx: Ctx<'t>, name: &str, span: Span) {
        let mut d = Diagnostic::error(Code::NameNotFound, span, format!("`{name}` isn't declared"));
        if self.may_be_elsewhere(ctx.scope)
            || self.program.lookup(ctx.scope, name).is_some_and(|s| self.program[s].scope == self.elsewhere)
        {
            let missing = self.program.missing_modules(ctx.scope);
            let missing: Vec<String> = missing.into_iter().map(|m| format!("`{m}`")).collect();
            d = match missing.as_slice() {
                [] => d.reason("a module used here isn't among the files").help("give the file that holds the module"),
                [one] => d
                    .reason(format!("it may belong to the module {one}, which isn't among the files"))
                    .help("give the file that holds the module"),
                several => d
                    .reason(format!("it may belong to a module that isn't among the files: {}", several.join(", ")))
                    .help("give the files that hold these modules"),
            };
        } else if is_left_out(name) {
            d = d
                .reason("it is no intrinsic procedure that derivatives are known of")
                .help("write what it does as statements, a loop for a reduction");
        }
        self.problem(ctx, d);
    }

    /// Gives variables of a finished specification part that have no type theirs.
    pub(super) fn type_the_rest(&mut self, ctx: Ctx<'t>) {
        let syms: Vec<SymId> = self.program[ctx.scope].names.values().copied().collect();
        for sym in syms {
            if !self.untyped.remove(&sym) || self.program[sym].scope != ctx.scope {
                continue;
            }
            let (name, span) = (self.program[sym].name.clone(), self.program[sym].span);
            let spec = self.implicit_type(ctx.scope, &name);
            let SymbolKind::Variable(var) = &mut self.program[sym].kind else { continue };
            match spec {
                Some(spec) => spec.apply(var),
                // It may turn out to be a dummy procedure.
                None if var.dummy.is_some() => {
                    self.untyped.insert(sym);
                }
                None => self.undeclared(ctx, &name, span),
            }
        }
    }
}
