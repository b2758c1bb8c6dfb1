use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Base, Component, DerivedType, Intent, Module, ModuleKind, Name, ParentUnit, Prefix, ProcId, ProcInfo, ProcKind,
    Procedure, Program, ScopeKind, SymId, SymbolKind, Ty, Variable,
};
use costate_grammar::ir::{Handle, ModuleId};
use costate_grammar::source::{FileId, Span};

use super::*;

fn text(head: &HeadText) -> String {
    let list = |l: &Option<Vec<NameText>>| {
        l.as_ref().map_or("*".to_string(), |l| l.iter().map(|n| n.text.as_str()).collect::<Vec<_>>().join(","))
    };
    let module = head.module.as_ref().map_or(String::new(), |m| format!("{m}::"));
    format!("{module}{}({})/({})", head.procedure, list(&head.dependents), list(&head.independents))
}

#[test]
fn heads_are_read_in_every_accepted_spelling() {
    for (written, meant) in [
        ("m::f(y)/(x)", "m::f(y)/(x)"),
        ("M%F(Y)/(X)", "m::f(y)/(x)"),
        ("m.f (y) / (x)", "m::f(y)/(x)"),
        ("f(x)>(y)", "f(y)/(x)"),
        ("f(y)\\(x)", "f(y)/(x)"),
        ("f", "f(*)/(*)"),
        ("f(y, g::v s%t%u)/(x)", "f(y,g::v,s%t%u)/(x)"),
    ] {
        assert_eq!(text(&parse_head(written).unwrap()), meant, "{written}");
    }
    let several: Vec<String> = parse_heads("f(y)/(x) g(z)>(w), h").unwrap().iter().map(text).collect();
    assert_eq!(several, ["f(y)/(x)", "g(w)/(z)", "h(*)/(*)"]);
    let written: Vec<String> = parse_heads("f(y)/(x) g , h").unwrap().into_iter().map(|h| h.text).collect();
    assert_eq!(written, ["f(y)/(x)", "g", "h"]);
}

#[test]
fn what_is_no_head_is_refused() {
    for written in
        ["", "  ", "f(y)", "f(y)/x", "f(y/(x)", "f()/(x)", "f(y)/()", "3f", "f(y%)/(x)", "m::", "f(é)/(x)", "f(y)(x)"]
    {
        let d = parse_heads(written).expect_err(written);
        assert_eq!(d.code, Code::HeadSyntax, "{written}");
        assert!(d.help.is_some());
    }
    assert_eq!(parse_head("f g").unwrap_err().code, Code::HeadSyntax);
}

#[test]
fn elements_are_refused_with_the_whole_as_the_way_out() {
    for (written, whole) in [("f(y)/(s%v(2:3)%t, x)", "s%v%t"), ("f(y(n(1)))/(x)", "y"), ("f(m::s(1))/(x)", "m::s")] {
        let d = parse_head(written).expect_err(written);
        assert_eq!(d.code, Code::HeadSyntax, "{written}");
        assert!(d.help.is_some_and(|h| h.contains(&format!("`{whole}`"))), "{written}");
    }
}

struct Maker {
    program: Program,
    module: ModuleId,
}

impl Maker {
    fn new(module: &str) -> Maker {
        let mut maker = Maker { program: Program::default(), module: Handle::new(0) };
        maker.add_module(module);
        maker
    }

    fn add_module(&mut self, name: &str) {
        let id: ModuleId = Handle::new(self.program.modules.len());
        let scope = self.program.add_scope(None, ScopeKind::Module(id));
        self.program.module_names.insert(name.into(), id);
        self.program.modules.push(Module {
            name: name.into(),
            kind: ModuleKind::Module,
            scope,
            procedures: Vec::new(),
            file: FileId(0),
            span: Span::default(),
            contains: None,
            end: Span::default(),
            default_private: false,
            passed_on: Vec::new(),
            problems: Vec::new(),
            header: Vec::new(),
        });
        self.module = id;
    }

    fn variable(&mut self, name: &str, ty: Ty) -> SymId {
        let scope = self.program[self.module].scope;
        let kind = SymbolKind::Variable(Box::new(Variable::scalar(ty, "")));
        self.program.add_symbol(scope, name.into(), Span::default(), kind)
    }

    fn procedure(&mut self, name: &str, dummies: &[(&str, Ty, Option<Intent>)], result: Option<Ty>) -> ProcId {
        let id: ProcId = Handle::new(self.program.procedures.len());
        let host = self.program[self.module].scope;
        let scope = self.program.add_scope(Some(host), ScopeKind::Procedure(id));
        let info = ProcInfo { definition: Some(id), ..ProcInfo::default() };
        let sym = self.program.add_symbol(host, name.into(), Span::default(), SymbolKind::Procedure(Box::new(info)));
        let mut symbols = Vec::new();
        for (i, (name, ty, intent)) in dummies.iter().enumerate() {
            let v = Variable { intent: *intent, dummy: Some(i), ..Variable::scalar(*ty, "real(8)") };
            symbols.push(self.program.add_symbol(
                scope,
                (*name).into(),
                Span::default(),
                SymbolKind::Variable(Box::new(v)),
            ));
        }
        let kind = match result {
            None => ProcKind::Subroutine,
            Some(ty) => {
                let v = Variable { result: true, ..Variable::scalar(ty, "real(8)") };
                ProcKind::Function(self.program.add_symbol(
                    scope,
                    name.into(),
                    Span::default(),
                    SymbolKind::Variable(Box::new(v)),
                ))
            }
        };
        self.program.procedures.push(Procedure {
            name: name.into(),
            sym,
            scope,
            kind,
            dummies: symbols,
            prefix: Prefix::default(),
            bind: None,
            parent: ParentUnit::Module(self.module),
            internals: Vec::new(),
            body: Vec::new(),
            file: FileId(0),
            span: Span::default(),
            head: Span::default(),
            problems: Vec::new(),
            header: Vec::new(),
            copy_of: None,
            declared: false,
        });
        let module = self.module;
        self.program[module].procedures.push(id);
        id
    }

    fn head(&self, head: &str) -> Result<(String, String), Vec<Diagnostic>> {
        let head = resolve(&self.program, &parse_head(head).unwrap())?;
        let list = |l: &[Target]| l.iter().map(|t| t.display(&self.program)).collect::<Vec<_>>().join(" ");
        Ok((list(&head.dependents), list(&head.independents)))
    }

    fn refused(&self, head: &str) -> Diagnostic {
        let mut all = self.head(head).expect_err(head);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }
}

fn sample() -> Maker {
    let mut m = Maker::new("m");
    m.variable("v", Ty::DOUBLE);
    m.variable("k", Ty::INTEGER);
    let component = |name: &str, ty| Component::new(name.into(), Variable::scalar(ty, "integer"));
    let ty = DerivedType {
        components: vec![component("t", Ty::DOUBLE), component("n", Ty::INTEGER)],
        ..DerivedType::default()
    };
    let scope = m.program[m.module].scope;
    let ty = m.program.add_symbol(scope, Name::new("state"), Span::default(), SymbolKind::Type(Box::new(ty)));
    let state = Ty::new(Base::Derived(ty), 0);
    m.procedure(
        "step",
        &[
            ("n", Ty::INTEGER, Some(Intent::In)),
            ("x", Ty::DOUBLE, Some(Intent::In)),
            ("s", state, Some(Intent::InOut)),
            ("y", Ty::DOUBLE, Some(Intent::Out)),
            ("w", Ty::REAL, None),
        ],
        None,
    );
    m.procedure("energy", &[("x", Ty::DOUBLE, Some(Intent::In))], Some(Ty::DOUBLE));
    m
}

#[test]
fn names_are_found() {
    let m = sample();
    let found = |head: &str| m.head(head).unwrap();
    let pair = |a: &str, b: &str| (a.to_string(), b.to_string());
    assert_eq!(found("step"), pair("s y w", "x s w"));
    assert_eq!(found("m::step(Y, s%t)/(X)"), pair("y s%t", "x"));
    assert_eq!(found("step(m::v)/(v)"), pair("m::v", "m::v"));
    assert_eq!(found("energy"), pair("energy", "x"));
    assert_eq!(found("energy(energy)/(x)"), pair("energy", "x"));
}

#[test]
fn wrong_names_are_refused_with_the_way_out() {
    let m = sample();
    let stepp = m.refused("stepp");
    assert_eq!((stepp.code, stepp.help.as_deref()), (Code::HeadNotFound, Some("did you mean `step`?")));
    assert_eq!(m.refused("mm::step").help.as_deref(), Some("did you mean `m`?"));
    assert_eq!(m.refused("m::energi").help.as_deref(), Some("did you mean `energy`?"));
    for (head, message) in [
        ("step(y)/(n)", "the independent `n` isn't real"),
        ("step(x)/(x)", "the dependent `x` is `intent(in)`"),
        ("step(y)/(y)", "the independent `y` is `intent(out)`"),
        ("step(y)/(q)", "`step` has no dummy `q`"),
        ("step(s%u)/(x)", "`s` has no component `u`"),
        ("step(s%n)/(x)", "the dependent `s%n` isn't real"),
        ("step(y%t)/(x)", "`y` has no components"),
        ("step(y)/(m::k)", "the independent `m::k` isn't real"),
        ("step(y)/(m::vv)", "module `m` has no variable `vv`"),
        ("step(s, s%t)/(x)", "the dependent `s%t` overlaps `s`, which the head names too"),
        ("energy(energy)/(energy)", "the independent `energy` is the function's result"),
    ] {
        let d = m.refused(head);
        assert_eq!((d.code, d.message.as_str()), (Code::HeadVariable, message), "{head}");
    }
    assert_eq!(m.head("step(x)/(y)").unwrap_err().len(), 2);
}

#[test]
fn a_name_in_two_modules_is_ambiguous() {
    let mut m = sample();
    m.add_module("m2");
    m.procedure("step", &[("x", Ty::DOUBLE, None)], None);
    let d = m.refused("step");
    assert_eq!(d.code, Code::HeadNotFound);
    assert_eq!(d.help.as_deref(), Some("name one: `m::step`, `m2::step`"));
    assert!(m.head("m2::step").is_ok());
}

#[test]
fn a_procedure_without_real_outputs_is_refused() {
    let mut m = Maker::new("m");
    m.procedure("f", &[("x", Ty::DOUBLE, Some(Intent::In))], None);
    assert_eq!(m.refused("f").message, "`f` has no real output among its dummies");
}
