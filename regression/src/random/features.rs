//! Features of the language that not every program has: fixed helpers around random expressions, and the statements that
//! use them.

use super::procedure::local;
use super::program::{Node, Part, Procedure, Statement};
use super::scope::{Counter, Extent, Scope};

/// Declares the features, and the list of them all.
macro_rules! features {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// What a program may use.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature {
            $($(#[$meta])* $name,)*
        }

        /// All features.
        pub const ALL: &[Feature] = &[$(Feature::$name),*];
    };
}

features! {
    /// Optional arguments and keywords.
    Optional,
    /// Functions with array results, one of them allocatable.
    ArrayFunction,
    /// A recursive function.
    Recursive,
    /// An internal procedure that changes its host's variables.
    Internal,
    /// Arrays that are allocated, grown and freed, here and in called procedures.
    Memory,
    /// Complex numbers.
    Complex,
    /// Derived types within derived types, with allocatable components.
    Nested,
    /// Arguments of derived type.
    Structures,
    /// An elemental subroutine.
    ElementalSubroutine,
    /// `do concurrent`.
    Concurrent,
    /// Vector subscripts on the left.
    Permutation,
    /// Characters in conditions.
    Mode,
    /// Positions that depend on values.
    Located,
    /// Characters as arguments.
    Character,
    /// Generic names.
    Generic,
    /// Operators of the program's own.
    Operator,
    /// Optional arguments passed on.
    Forwarded,
    /// Arrays of derived types that hold arrays of derived types.
    Deep,
    /// Single precision on the way.
    Single,
    /// Variables of another module under names of their own.
    Renamed,
}

use Feature::*;

/// Locals of the head that features use.
pub fn locals() -> Vec<(String, String, String)> {
    vec![
        local("z", "real(8), allocatable :: z(:)", "z = 0.4d0*x"),
        local("cz", "complex(8) :: cz", "cz = cmplx(x(1), 0.3d0, 8)"),
        local("ca", "complex(8) :: ca(n)", "ca = cmplx(x, 0.2d0*x(n), 8)"),
        local(
            "o",
            "type(tt) :: o",
            "o%in%s = x(1)\no%in%v = 0.2d0\no%list(1) = o%in\no%list(2)%s = 0.5d0\no%list(2)%v = x(n)\no%d = 0.3d0*x",
        ),
        local("o2", "type(tt) :: o2", "o2 = o"),
        local("perm", "integer :: perm(n)", "do i0 = 1, n\n  perm(i0) = mod(i0, n) + 1\nend do"),
        local("dd", "type(td) :: dd(2)", DEEP_START),
        local("sr", "real(4) :: sr", "sr = real(0.5d0*x(1), 4)"),
        local("sa", "real(4) :: sa(n)", "sa = real(0.7d0*x, 4)"),
        local("gw", "", "gw = 0.2d0*x(n)"),
        local("gl", "", "gl = [0.3d0*x(1), 0.4d0]"),
        local("mode", "character(4) :: mode", "mode = 'up'\nif (x(1) > 0.2d0) mode = 'down'"),
    ]
}

/// The type that nested structures have.
pub const NESTED: &str = "type tt\n  type(t) :: in\n  type(t) :: list(2)\n  real(8), allocatable :: d(:)\nend type tt";

const DEEP_START: &str = "do i0 = 1, 2
  dd(i0)%row(1) = t(0.3d0*x(1), [0.1d0, x(n), 0.2d0])
  dd(i0)%row(2) = t(x(n), [0.4d0, 0.1d0, x(1)])
  dd(i0)%g = [0.2d0, 0.3d0*x(1), 0.1d0*i0]
end do";

/// Declarations of the module that features need, by name.
pub const DECLARATIONS: &[(&str, &str)] = &[
    ("gw", "use @_v, only: gw => gv"),
    ("gl", "use @_v, only: gl"),
    ("tt", NESTED),
    ("td", "type td\n  type(t) :: row(2)\n  real(8) :: g(3)\nend type td"),
    ("gn", "interface gn\n  module procedure gn1, gn2\nend interface gn"),
    ("mix", "interface operator(.mix.)\n  module procedure fx\nend interface"),
    (
        "plus",
        "interface operator(.plus.)\n  module procedure fp\nend interface\ninterface operator(+)\n  module procedure fp\nend interface",
    ),
];

/// A module that the program's module uses.
pub const OTHER: &str = "module @_v\n  implicit none\n  real(8) :: gv = 0d0, gl(2) = 0d0\nend module @_v\n";

/// A procedure without random parts.
fn fixed(name: &str, text: &str) -> Procedure {
    let mut lines: Vec<String> = text.lines().map(|l| l.trim_end().to_string()).collect();
    let end = lines.pop().unwrap_or_default();
    let head = lines.remove(0);
    let body = lines.into_iter().map(|l| Statement::Line(Node::leaf(l))).collect();
    let (dummies, locals, fixed) = (Vec::new(), Vec::new(), Vec::new());
    Procedure { name: name.into(), head, end, dummies, locals, fixed, body, internal: None }
}

/// The helpers that features call.
pub fn procedures() -> Vec<Procedure> {
    let list = [
        ("fa", include_str!("helpers/array_function.f90")),
        ("fb", include_str!("helpers/allocatable_function.f90")),
        ("fr", include_str!("helpers/recursive.f90")),
        ("fm", include_str!("helpers/make.f90")),
        ("fg", include_str!("helpers/grow.f90")),
        ("fd", include_str!("helpers/structures.f90")),
        ("fe", include_str!("helpers/elemental.f90")),
        ("fc", include_str!("helpers/character.f90")),
        ("fw", include_str!("helpers/forward.f90")),
        ("fo", include_str!("helpers/optional.f90")),
        ("fk", include_str!("helpers/deep.f90")),
        ("fs", include_str!("helpers/single.f90")),
        ("fv", include_str!("helpers/renamed.f90")),
        ("gn2", include_str!("helpers/generic_many.f90")),
        ("gn1", include_str!("helpers/generic_one.f90")),
        ("fx", include_str!("helpers/mix.f90")),
        ("fp", include_str!("helpers/plus.f90")),
    ];
    list.iter().map(|(n, t)| fixed(n, t.trim())).collect()
}

/// An internal procedure of the head.
pub fn internal() -> (String, String) {
    ("fi".to_string(), include_str!("helpers/internal.f90").trim().to_string())
}

impl Scope {
    /// A statement that uses a feature of the program.
    pub fn special(&mut self, depth: usize) -> Option<Statement> {
        if self.features.is_empty() || !self.calls {
            return None;
        }
        let f = *self.rng.pick(&self.features.clone());
        let line = |text: &str, operands: Vec<Node>| Some(Statement::Line(Node::fixed(text, operands)));
        match f {
            Optional => {
                let (a, b) = (self.scalar(1), self.scalar(1));
                let t = self.scalar_target();
                match self.rng.below(5) {
                    0 => line(&format!("call fo((#), {t})"), vec![a]),
                    1 => line(&format!("call fo((#), {t}, (#))"), vec![a, b]),
                    2 => line(&format!("call fo(b={t}, a=(#))"), vec![a]),
                    3 if t != "s1" => line(&format!("call fo((#), d=s1, b={t})"), vec![a]),
                    _ => line(&format!("call fo((#), {t}, c=(#))"), vec![a, b]),
                }
            }
            ArrayFunction => {
                let (a, s, t) = (self.array(Extent::Full, 1), self.scalar(0), self.full_target());
                match self.rng.below(3) {
                    0 => line(&format!("{t} = fa(n, 0.5d0*#, #)"), vec![a, s]),
                    1 => line(&format!("{t} = sin(fb(0.5d0*#))*#"), vec![a, s]),
                    _ => line(&format!("{t} = tanh(fa(n, fb(0.5d0*#), #))"), vec![a, s]),
                }
            }
            Recursive => {
                let (a, t) = (self.scalar(1), self.scalar_target());
                let k = self.rng.below(4);
                line(&format!("{t} = fr({k}, sin(#))"), vec![a])
            }
            Internal => {
                let a = self.scalar(1);
                let i = self.index(0);
                line(&format!("call fi({i}, (#))"), vec![a])
            }
            Memory => Some(self.memory(depth)),
            Complex => self.complex(),
            Nested => {
                let a = self.scalar(1);
                match self.rng.below(6) {
                    0 => line("o%list(2) = o%in", vec![]),
                    1 => line("o%in = t(sin(#), [0.1d0, o%in%s, 0.3d0])", vec![a]),
                    2 => line("o2 = o", vec![]),
                    3 => line("o%d = o2%d*cos(#)", vec![a]),
                    4 => line("o%list%s = sin(o%list%s + #)", vec![a]),
                    _ => line("o%list(mod(m1,2)+1)%v(2) = tanh(#)", vec![a]),
                }
            }
            Structures => {
                let t = self.rng.text(&["p", "r"]);
                line(&format!("call fd(n, q, {t})"), vec![])
            }
            ElementalSubroutine => {
                let (a, t) = (self.array(Extent::Full, 1), self.full_target());
                line(&format!("call fe(0.5d0*#, {t})"), vec![a])
            }
            Concurrent => self.concurrent(),
            Permutation => {
                let writable = self.full_names();
                let a = self.rng.pick(&writable).clone();
                let e = self.array(Extent::Full, 1);
                line(&format!("{a}(perm) = sin(#)"), vec![e])
            }
            Mode => {
                let e = self.scalar(1);
                let t = self.scalar_target();
                let m = self.rng.text(&["'up'", "'down'"]);
                match self.rng.below(2) {
                    _ if !self.labels.is_empty() => line(&format!("if (mode == {m}) {t} = sin(#)"), vec![e]),
                    0 => line(&format!("if (mode == {m}) {t} = sin(#)"), vec![e]),
                    _ => line(&format!("if (# > 0.4d0) mode = {m}"), vec![e]),
                }
            }
            Character => {
                let (a, t) = (self.scalar(1), self.scalar_target());
                let how = self.rng.text(&["'up'", "'down'", "mode", "trim(mode)//'per'", "mode(1:2)"]);
                line(&format!("call fc({how}, (#), {t})"), vec![a])
            }
            Generic => {
                if self.rng.chance(50) {
                    let (a, t) = (self.scalar(1), self.scalar_target());
                    line(&format!("call gn((#), {t})"), vec![a])
                } else {
                    let (a, t) = (self.array(Extent::Full, 1), self.full_target());
                    line(&format!("call gn(0.5d0*#, {t})"), vec![a])
                }
            }
            Operator => {
                let (a, b, t) = (self.scalar(1), self.scalar(0), self.scalar_target());
                match self.rng.below(4) {
                    0 => line(&format!("{t} = (#) .mix. (#)"), vec![a, b]),
                    1 => line(&format!("{t} = cos((#) .mix. {t} .mix. (#))"), vec![a, b]),
                    2 => line("p = (p .plus. r) + r", vec![]),
                    _ => line("r = t(sin(#), p%v) .plus. p", vec![a]),
                }
            }
            Forwarded => {
                let (a, b, t) = (self.scalar(1), self.scalar(0), self.scalar_target());
                match self.rng.below(4) {
                    0 => line(&format!("call fw((#), {t})"), vec![a]),
                    1 => line(&format!("call fw((#), {t}, (#))"), vec![a, b]),
                    2 if t != "s1" => line(&format!("call fw(d=s1, b={t}, a=(#))"), vec![a]),
                    3 if t != "s1" => line(&format!("call fw((#), {t}, (#), s1)"), vec![a, b]),
                    _ => line(&format!("call fw(c=(#), b={t}, a=(#))"), vec![a, b]),
                }
            }
            Deep => {
                let (a, t, i) = (self.scalar(1), self.scalar_target(), self.integer());
                match self.rng.below(7) {
                    0 => line(&format!("dd(1)%row(2)%v(mod({i},3)+1) = sin(#)"), vec![a]),
                    1 => line(&format!("dd(mod({i},2)+1) = dd(2)"), vec![]),
                    2 => line("dd%g(2) = cos(dd%g(1) + #)", vec![a]),
                    3 => line(&format!("dd(2)%row = dd(mod({i},2)+1)%row"), vec![]),
                    4 => line(&format!("{t} = sin(dd(1)%row(2)%s + sum(dd(2)%g)*#)"), vec![a]),
                    5 => line("dd(1)%row%v(3) = tanh(dd(2)%row%s*#)", vec![a]),
                    _ => line(&format!("call fk(dd(mod({i},2)+1), (#))"), vec![a]),
                }
            }
            Single => {
                let (a, t, i) = (self.scalar(1), self.scalar_target(), self.index(0));
                match self.rng.below(7) {
                    0 => line("sr = sin(real(#, 4))", vec![a]),
                    1 => line(&format!("{t} = sin(dble(sr)*#)"), vec![a]),
                    2 => line(&format!("{t} = sngl(tanh(#))*0.9"), vec![a]),
                    3 => line(&format!("sa({i}) = cos(sa({i})*sr) + 0.1*real({t})"), vec![]),
                    4 => {
                        let (e, f) = (self.array(Extent::Full, 1), self.full_target());
                        line(&format!("{f} = cos(sa + #)"), vec![e])
                    }
                    5 => {
                        let e = self.array(Extent::Full, 1);
                        line("sa = real(sin(#), kind(sr))", vec![e])
                    }
                    _ => line(&format!("call fs(sr, (#), {t})"), vec![a]),
                }
            }
            Renamed => {
                let (a, t) = (self.scalar(1), self.scalar_target());
                match self.rng.below(5) {
                    0 => line("call fv((#))", vec![a]),
                    1 => line(&format!("{t} = sin(gw*# + gl(2))"), vec![a]),
                    2 => line("gw = cos(gw + #)", vec![a]),
                    3 => line("gl = sin(gl*#)", vec![a]),
                    _ => line(&format!("gl(1) = tanh(gw*{t})"), vec![]),
                }
            }
            Located => {
                let a = self.array(Extent::Full, 1);
                match self.rng.below(2) {
                    0 => line("m1 = maxloc(#, 1)", vec![a]),
                    _ => line("m2 = max(1, count(# > 0.2d0))", vec![a]),
                }
            }
        }
    }

    /// A scalar that may be passed and changed: no element whose subscript might change.
    fn scalar_target(&mut self) -> String {
        self.rng.pick(&self.scalars.clone()).clone()
    }

    fn full_names(&self) -> Vec<String> {
        let fits = |a: &&super::scope::Array| a.writable && a.suffix.is_empty() && a.margin == 0;
        self.arrays.iter().filter(fits).map(|a| a.name.clone()).collect()
    }

    fn full_target(&mut self) -> String {
        let names = self.full_names();
        self.rng.pick(&names).clone()
    }

    /// Statements on the allocatable `z`, which has at least one element between statements.
    fn memory(&mut self, depth: usize) -> Statement {
        let (a, e) = (self.array(Extent::Full, 1), self.scalar(1));
        let t = self.scalar_target();
        let line = |text: &str, operands: Vec<Node>| Statement::Line(Node::fixed(text, operands));
        match self.rng.below(8) {
            0 => line("z = tanh(#)", vec![a]),
            1 => line("call fm(z, 0.7d0*#)", vec![a]),
            2 => line("call fg(z, (#))", vec![e]),
            3 => line("z = [z(1:1), sin(#)]", vec![e]),
            4 => line("z = fb(z)*0.4d0", vec![]),
            5 => line(&format!("{t} = cos(sum(z) + #)"), vec![e]),
            6 => line(&format!("{t} = sin(z(size(z))*#)"), vec![e]),
            _ => {
                let k = self.integer();
                let labels = std::mem::take(&mut self.labels);
                let body = if depth > 0 { self.block(2, depth - 1) } else { Vec::new() };
                self.labels = labels;
                let number = self.fresh();
                let name = format!("u{number}");
                let fixed = vec![
                    format!("real(8), allocatable :: {name}(:)"),
                    format!("allocate({name}({k}))"),
                    format!("{name} = 0.5d0*z(1)"),
                    format!("{t} = {t}*0.9d0 + 0.1d0*sin(sum({name}))"),
                ];
                let mut body = body;
                body.push(Statement::Line(Node::fixed(&format!("{t} = sin({t}*{name}(1))"), vec![])));
                body.push(Statement::Line(Node::leaf(format!("deallocate({name})"))));
                let parts = vec![Part { head: Node::leaf("block"), fixed, body }];
                Statement::Construct { before: Vec::new(), parts, end: "end block".into(), open: false }
            }
        }
    }

    fn complex(&mut self) -> Option<Statement> {
        let (a, b) = (self.scalar(1), self.scalar(0));
        let t = self.scalar_target();
        let i = self.index(0);
        let line = |text: &str, operands: Vec<Node>| Some(Statement::Line(Node::fixed(text, operands)));
        match self.rng.below(7) {
            0 => line("cz = cmplx(sin(#), #, 8)/(2d0 + abs(cz))", vec![a, b]),
            1 => line("cz = conjg(cz)*exp((0d0, 1d0)*#)/(1d0 + abs(cz)**2)", vec![a]),
            2 => line(&format!("{t} = sin(real(cz, 8)*# - aimag(cz))"), vec![a]),
            3 => line(&format!("{t} = tanh(real(cz*conjg(cz), 8) + #)"), vec![a]),
            4 => line(&format!("ca({i}) = ca({i})*cz/(1d0 + abs(ca({i})*cz)**2)"), vec![]),
            5 => line(&format!("{t} = cos(abs(sum(ca*conjg(ca))) + real(ca({i}), 8)*#)"), vec![a]),
            _ => line("ca = cmplx(aimag(ca), real(ca, 8)*cos(#), 8)", vec![a]),
        }
    }

    fn concurrent(&mut self) -> Option<Statement> {
        if !self.free.iter().any(|v| v == "l") {
            return None;
        }
        let name = self.full_target();
        self.counters.push(Counter { var: "l".into(), low: 0, high: 0 });
        let (functions, arrays) = (std::mem::take(&mut self.functions), self.arrays.clone());
        self.arrays.retain(|a| a.name != name);
        let e = self.scalar(1);
        self.functions = functions;
        self.arrays = arrays;
        self.counters.pop();
        let body = vec![Statement::Line(Node::fixed(&format!("{name}(l) = sin({name}(l) + #)"), vec![e]))];
        let parts = vec![Part { head: Node::leaf("do concurrent (l = 1:n)"), fixed: Vec::new(), body }];
        Some(Statement::Construct { before: Vec::new(), parts, end: "end do".into(), open: false })
    }
}
