//! What a driver imports, and expressions of the user's in the driver's names.

use std::fmt::Write as _;

use costate_analysis::request::Head;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Callee, Designator, Expr, ExprKind, KindSuffix, Name, ParentUnit, Part, ProcKind, Program, Subscript, SymId,
    map_expr,
};
use costate_grammar::print;
use costate_grammar::source::FileId;
use indexmap::IndexMap;

use super::no_driver;
use super::slots::Slots;

/// The driver's `use` statements: module, name in it, local name.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    modules: IndexMap<String, IndexMap<String, String>>,
    count: usize,
}

impl Uses {
    /// Imports a name under a given local name.
    pub(super) fn import(&mut self, module: &str, name: &str, local: &str) {
        self.modules.entry(module.to_string()).or_default().insert(name.to_string(), local.to_string());
    }

    /// Imports a name under a local name that clashes with nothing.
    fn import_fresh(&mut self, module: &str, name: &str) -> String {
        if let Some(local) = self.modules.get(module).and_then(|m| m.get(name)) {
            return local.clone();
        }
        self.count += 1;
        let short: String = name.chars().take(50).collect();
        let local = format!("u{}_{short}", self.count);
        self.import(module, name, &local);
        local
    }

    pub(super) fn text(&self) -> Vec<String> {
        let item = |(name, local): (&String, &String)| format!("{local} => {name}");
        let line = |(module, names): (&String, &IndexMap<String, String>)| {
            format!("use {module}, only: {}", names.iter().map(item).collect::<Vec<_>>().join(", "))
        };
        self.modules.iter().map(line).collect()
    }
}

/// Names of the driver while it is being written.
pub(super) struct Names<'a> {
    pub(super) program: &'a Program,
    pub(super) head: &'a Head,
    /// The public name of a private head procedure, where its module was extended.
    pub(super) opening: Option<String>,
    pub(super) uses: Uses,
}

type Text = Result<String, Box<Diagnostic>>;

impl Names<'_> {
    /// The local name of a module's entity; refused when it is private.
    pub(super) fn module_entity(&mut self, sym: SymId) -> Text {
        let symbol = &self.program[sym];
        let module = self.program.module_of(symbol.scope).filter(|&m| self.program[m].scope == symbol.scope);
        let Some(module) = module else {
            return Err(Box::new(
                no_driver(self.head, self.program, format!("`{}` can't be reached from a driver", symbol.name))
                    .label(symbol.span, "declared here")
                    .help("declare it in a module"),
            ));
        };
        if symbol.private {
            return Err(Box::new(private(self.program, self.head, sym)));
        }
        Ok(self.uses.import_fresh(&self.program[module].name.clone(), &symbol.name.clone()))
    }

    /// The local name of the head procedure; `None` for an external one.
    pub(super) fn head_procedure(&mut self) -> Result<Option<String>, Box<Diagnostic>> {
        let procedure = &self.program[self.head.proc];
        let ParentUnit::Module(module) = procedure.parent else { return Ok(None) };
        let hidden = self.program[procedure.sym].private;
        let name = match &self.opening {
            Some(opening) if hidden => opening.clone(),
            _ if hidden => return Err(Box::new(private(self.program, self.head, procedure.sym))),
            _ => procedure.name.to_string(),
        };
        let mut module = &self.program[module];
        if let costate_grammar::ir::ModuleKind::Submodule { ancestor, .. } = &module.kind
            && let Some(&top) = self.program.module_names.get(ancestor)
        {
            module = &self.program[top];
        }
        self.uses.import(&module.name, &name, "primal_procedure");
        Ok(Some("primal_procedure".to_string()))
    }

    /// The local name of a procedure without arguments that sets modules up.
    pub(super) fn setup_procedure(&mut self, text: &str) -> Text {
        let program = self.program;
        let refuse = |message: String| {
            Box::new(
                Diagnostic::global(Code::CheckDriver, message)
                    .help("name a module procedure without arguments: `--setup module::procedure`"),
            )
        };
        if !text.contains("::") {
            return Err(refuse(format!("`--setup {text}` can't be read")));
        }
        let sym = setup_symbol(program, text);
        let definition = sym.and_then(|s| program[s].procedure()).and_then(|p| p.definition);
        match (sym, definition.map(|p| &program[p])) {
            (Some(sym), Some(p)) if p.dummies.is_empty() && p.kind == ProcKind::Subroutine => self.module_entity(sym),
            (Some(_), Some(_)) => Err(refuse(format!("`{text}` isn't a subroutine without arguments"))),
            _ => Err(refuse(format!("no procedure `{text}` is among the files"))),
        }
    }

    /// An expression in the driver's names; dummies become the driver's variables with prefix `p_`.
    pub(super) fn expr(&mut self, slots: &Slots<'_>, e: &Expr) -> Text {
        self.rewrite(e, &|sym| slots.index(sym).map(|i| format!("p_{}", slots.slots[i].stem)))
    }

    /// An expression within an interface body, where dummies have their own names.
    pub(super) fn expr_in_interface(&mut self, e: &Expr) -> Text {
        let program = self.program;
        self.rewrite(e, &|sym| {
            let dummy = program.var(sym).is_some_and(|v| v.dummy.is_some());
            dummy.then(|| program[sym].name.to_string())
        })
    }

    fn rewrite(&mut self, e: &Expr, local: &dyn Fn(SymId) -> Option<String>) -> Text {
        let mut problem = None;
        let program = self.program;
        let out = map_expr(e.clone(), &mut |mut node| {
            let text = match &mut node.kind {
                ExprKind::Var(d) => match local(d.sym) {
                    Some(name) => Some(Ok(designator(program, &name, d))),
                    None => Some(self.global(d, local)),
                },
                ExprKind::Int { suffix, .. } | ExprKind::Real { suffix, .. } | ExprKind::Logical { suffix, .. } => {
                    if let Some(KindSuffix::Named(_)) = suffix {
                        *suffix = Some(KindSuffix::Number(u32::from(node.ty.kind)));
                    }
                    None
                }
                ExprKind::Call { callee: Callee::Proc { .. } | Callee::Bound { .. }, .. } => Some(Err(Box::new(
                    no_driver(self.head, program, "a dummy's extent is given by a function of the user's")
                        .help("give the extent by a dummy or a module variable"),
                ))),
                _ => None,
            };
            match text {
                Some(Ok(text)) => node.kind = ExprKind::Opaque(text),
                Some(Err(d)) => problem = Some(d),
                None => {}
            }
            node
        });
        match problem {
            Some(d) => Err(d),
            None => Ok(print::expr(program, &out)),
        }
    }

    /// A module variable or constant; a private constant is replaced by its value.
    fn global(&mut self, d: &Designator, local: &dyn Fn(SymId) -> Option<String>) -> Text {
        let symbol = &self.program[d.sym];
        let constant = symbol.var().filter(|v| v.attrs.parameter && v.dims.is_empty()).and_then(|v| v.init.clone());
        if let (Some(value), true) = (constant, d.parts.is_empty()) {
            return Ok(format!("({})", self.rewrite(&value, local)?));
        }
        let name = self.module_entity(d.sym)?;
        Ok(designator(self.program, &name, d))
    }
}

/// The symbol that `module::procedure` names.
fn setup_symbol(program: &Program, text: &str) -> Option<SymId> {
    let lower = text.to_ascii_lowercase();
    let (module, name) = lower.split_once("::")?;
    let scope = program[*program.module_names.get(module.trim())?].scope;
    program[scope].names.get(name.trim()).copied()
}

/// The files of the modules that `--setup` names.
pub(super) fn setup_files(program: &Program, setup: &[String]) -> Vec<FileId> {
    let definition = |s: SymId| program[s].procedure().and_then(|p| p.definition).map(|p| program[p].file);
    setup.iter().filter_map(|text| setup_symbol(program, text).and_then(definition)).collect()
}

fn designator(program: &Program, name: &str, d: &Designator) -> String {
    let mut out = name.to_string();
    for part in &d.parts {
        match part {
            Part::Component(c) => {
                let _ = write!(out, "%{c}");
            }
            Part::Subscripts(list) => {
                let text = |e: &Option<Expr>| e.as_ref().map_or(String::new(), |e| print::expr(program, e));
                let one = |s: &Subscript| match s {
                    Subscript::Index(e) => print::expr(program, e),
                    Subscript::Range { lo, hi, step: None } => format!("{}:{}", text(lo), text(hi)),
                    Subscript::Range { lo, hi, step } => format!("{}:{}:{}", text(lo), text(hi), text(step)),
                };
                let _ = write!(out, "({})", list.iter().map(one).collect::<Vec<_>>().join(", "));
            }
            Part::Substring(lo, hi) => {
                let text = |e: &Option<Box<Expr>>| e.as_ref().map_or(String::new(), |e| print::expr(program, e));
                let _ = write!(out, "({}:{})", text(lo), text(hi));
            }
        }
    }
    out
}

fn private(program: &Program, head: &Head, sym: SymId) -> Diagnostic {
    let name: &Name = &program[sym].name;
    Diagnostic::error(Code::CheckDriver, program[sym].span, format!("`{name}` is private, so no driver can reach it"))
        .reason(format!("the driver for `{}` is a program of its own and needs it", head.text))
        .help(match program[sym].procedure() {
            Some(_) => format!("check with `--layout extend`, or make it accessible: `public :: {name}`"),
            None => format!("make it accessible: `public :: {name}`"),
        })
}
