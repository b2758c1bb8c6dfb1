//! What most programs do: optional arguments, functions with array results, allocatable memory, complex numbers, types
//! within types, generic names.

use super::{Feature, NONE};
use crate::random::scope::{Counter, Scope};
use crate::random::syntax::{Node, Part, Statement};

const NESTED: &str = "type tt\n  type(t) :: in\n  type(t) :: list(2)\n  real(8), allocatable :: d(:)\nend type tt";

const DEEP_START: &str = "do i0 = 1, 2
  dd(i0)%row(1) = t(0.3d0*{x}(1), [0.1d0, {x}(n), 0.2d0])
  dd(i0)%row(2) = t({x}(n), [0.4d0, 0.1d0, {x}(1)])
  dd(i0)%g = [0.2d0, 0.3d0*{x}(1), 0.1d0*i0]
end do";

const NESTED_START: &str = "o%in%s = {x}(1)\no%in%v = 0.2d0\no%list(1) = o%in\no%list(2)%s = 0.5d0
o%list(2)%v = {x}(n)\no%d = 0.3d0*{x}";

const PLUS: &str = "interface operator(.plus.)
  module procedure fp
end interface
interface operator(+)
  module procedure fp
end interface";

const Z: (&str, &str, &str) = ("z", "real(8), allocatable :: z(:)", "z = 0.4d0*{x}");

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "optional",
        procedures: &[include_str!("helpers/optional.f90")],
        statements: &[
            "call fo(({e}), {t})",
            "call fo(({e}), {t}, ({e}))",
            "call fo(b={t}, a=({e}))",
            "call fo(({e}), d=s1, b={w})",
            "call fo(({e}), {t}, c=({e}))",
        ],
        ..NONE
    },
    Feature {
        name: "array_function",
        procedures: &[include_str!("helpers/array_function.f90"), include_str!("helpers/allocatable_function.f90")],
        statements: &[
            "{A} = fa(n, 0.5d0*{a}, {l})",
            "{A} = sin(fb(0.5d0*{a}))*{l}",
            "{A} = tanh(fa(n, fb(0.5d0*{a}), {l}))",
        ],
        ..NONE
    },
    Feature {
        name: "recursive",
        procedures: &[include_str!("helpers/recursive.f90")],
        statements: &["{t} = fr({0|1|2|3}, sin({e}))"],
        ..NONE
    },
    Feature {
        name: "internal",
        internal: &[include_str!("helpers/internal.f90")],
        statements: &["call fi({i}, ({e}))"],
        ..NONE
    },
    Feature {
        name: "memory",
        locals: &[Z],
        procedures: &[include_str!("helpers/make.f90"), include_str!("helpers/grow.f90")],
        statements: &[
            "z = tanh({a})",
            "call fm(z, 0.7d0*{a})",
            "call fg(z, ({e}))",
            "z = [z(1:1), sin({e})]",
            "z = fb(z)*0.4d0",
            "{t} = cos(sum(z) + {e})",
            "{t} = sin(z(size(z))*{e})",
            "block
=real(8), allocatable :: u{u}(:)
=allocate(u{u}({k}))
=u{u} = 0.5d0*z(1)
={t} = {t}*0.9d0 + 0.1d0*sin(sum(u{u}))
{D}
{t} = sin({t}*u{u}(1))
deallocate(u{u})
end block",
        ],
        observed: &["sum(z)"],
        ..NONE
    },
    Feature {
        name: "complex",
        locals: &[
            ("cz", "complex(8) :: cz", "cz = cmplx({x}(1), 0.3d0, 8)"),
            ("ca", "complex(8) :: ca({n})", "ca = cmplx({x}, 0.2d0*{x}(n), 8)"),
        ],
        statements: &[
            "cz = cmplx(sin({e}), {l}, 8)/(2d0 + abs(cz))",
            "cz = conjg(cz)*exp((0d0, 1d0)*{e})/(1d0 + abs(cz)**2)",
            "{t} = sin(real(cz, 8)*{e} - aimag(cz))",
            "{t} = tanh(real(cz*conjg(cz), 8) + {e})",
            "ca({i}) = ca({i})*cz/(1d0 + abs(ca({i})*cz)**2)",
            "{t} = cos(abs(sum(ca*conjg(ca))) + real(ca({i}), 8)*{e})",
            "ca = cmplx(aimag(ca), real(ca, 8)*cos({e}), 8)",
        ],
        observed: &["abs(cz)", "real(sum(ca), 8)"],
        ..NONE
    },
    Feature {
        name: "nested",
        locals: &[("o", "type(tt) :: o", NESTED_START), ("o2", "type(tt) :: o2", "o2 = o")],
        module: &[("tt", NESTED, "")],
        scalars: &["o%in%s", "o%list(2)%s"],
        triples: &["o%in%v", "o%list(1)%v"],
        arrays: &["o%d"],
        statements: &[
            "o%list(2) = o%in",
            "o%in = t(sin({e}), [0.1d0, o%in%s, 0.3d0])",
            "o2 = o",
            "o%d = o2%d*cos({e})",
            "o%list%s = sin(o%list%s + {e})",
            "o%list(mod(m1,2)+1)%v(2) = tanh({e})",
        ],
        observed: &["o2%list(2)%s", "sum(o%list%v(2))"],
        ..NONE
    },
    Feature {
        name: "structures",
        procedures: &[include_str!("helpers/structures.f90")],
        statements: &["call fd(n, q, {p|r})\n{t} = sin({t} + {p|r}%s*q(1)%s)"],
        observed: &["q(1)%s", "p%v(1)"],
        ..NONE
    },
    Feature {
        name: "elemental_subroutine",
        procedures: &[include_str!("helpers/elemental.f90")],
        statements: &["call fe(0.5d0*{a}, {A})"],
        ..NONE
    },
    Feature { name: "concurrent", made: &[concurrent], ..NONE },
    Feature {
        name: "permutation",
        locals: &[("perm", "integer :: perm({n})", "do i0 = 1, n\n  perm(i0) = mod(i0, n) + 1\nend do")],
        statements: &["{A}(perm) = sin({a})", "perm = perm(n:1:-1)"],
        observed: &["dble(perm(1))"],
        ..NONE
    },
    Feature {
        name: "mode",
        locals: &[("mode", "character(4) :: mode", "mode = 'up'\nif ({x}(1) > 0.2d0) mode = 'down'")],
        statements: &["if (mode == {'up'|'down'}) {t} = sin({e})", "if ({e} > 0.4d0) mode = {'up'|'down'}"],
        ..NONE
    },
    Feature { name: "located", statements: &["m1 = maxloc({a}, 1)", "m2 = max(1, count({a} > 0.2d0))"], ..NONE },
    Feature {
        name: "character",
        locals: &[("cmode", "character(4) :: cmode", "cmode = 'up'\nif ({x}(1) > 0.2d0) cmode = 'down'")],
        procedures: &[include_str!("helpers/character.f90")],
        statements: &["call fc({'up'|'down'|cmode|trim(cmode)//'per'|cmode(1:2)}, ({e}), {t})"],
        ..NONE
    },
    Feature {
        name: "generic",
        module: &[("gn", "interface gn\n  module procedure gn1, gn2\nend interface gn", "")],
        procedures: &[include_str!("helpers/generic_many.f90"), include_str!("helpers/generic_one.f90")],
        statements: &["call gn(({e}), {t})", "call gn(0.5d0*{a}, {A})"],
        ..NONE
    },
    Feature {
        name: "operator",
        module: &[("mix", "interface operator(.mix.)\n  module procedure fx\nend interface", ""), ("plus", PLUS, "")],
        procedures: &[include_str!("helpers/mix.f90"), include_str!("helpers/plus.f90")],
        statements: &[
            "{t} = ({e}) .mix. ({l})",
            "{t} = cos(({e}) .mix. {t} .mix. ({l}))",
            "p = (p .plus. r) + r\n{t} = sin({t} + p%s*{l})",
            "r = t(sin({e}), p%v) .plus. p\n{t} = sin({t}*r%v(2))",
        ],
        observed: &["p%s", "r%v(2)"],
        ..NONE
    },
    Feature {
        name: "forwarded",
        procedures: &[include_str!("helpers/forward.f90")],
        statements: &[
            "call fw(({e}), {t})",
            "call fw(({e}), {t}, ({e}))",
            "call fw(d=s1, b={w}, a=({e}))",
            "call fw(({e}), {w}, ({e}), s1)",
            "call fw(c=({e}), b={t}, a=({e}))",
        ],
        ..NONE
    },
    Feature {
        name: "deep",
        locals: &[("dd", "type(td) :: dd(2)", DEEP_START)],
        module: &[("td", "type td\n  type(t) :: row(2)\n  real(8) :: g(3)\nend type td", "")],
        procedures: &[include_str!("helpers/deep.f90")],
        statements: &[
            "dd(1)%row(2)%v(mod({k},3)+1) = sin({e})",
            "dd%g(2) = cos(dd%g(1) + {e})",
            "dd(2)%row = dd(mod({k},2)+1)%row",
            "{t} = sin(dd(1)%row(2)%s + sum(dd(2)%g)*{e})",
            "dd(1)%row%v(3) = tanh(dd(2)%row%s*{e})",
            "call fk(dd(mod({k},2)+1), ({e}))",
        ],
        observed: &["sum(dd%g(2))", "sum(dd(1)%row%s)"],
        ..NONE
    },
    Feature {
        name: "deep_copied",
        locals: &[("dd", "type(td) :: dd(2)", DEEP_START)],
        observed: &["sum(dd%g(2))", "sum(dd(1)%row%s)"],
        statements: &["dd(mod({k},2)+1) = dd(2)\ndd(2)%row%s = sin({e})", "dd(1) = dd(mod({k},2)+1)"],
        ..NONE
    },
    Feature {
        name: "single",
        locals: &[
            ("sr", "real(4) :: sr", "sr = real(0.5d0*{x}(1), 4)"),
            ("sa", "real(4) :: sa({n})", "sa = real(0.7d0*{x}, 4)"),
        ],
        procedures: &[include_str!("helpers/single.f90")],
        statements: &[
            "sr = sin(real({e}, 4))",
            "{t} = sin(dble(sr)*{e})",
            "{t} = sngl(tanh({e}))*0.9",
            "sa({i}) = cos(sa({i})*sr) + 0.1*real({t})",
            "{A} = cos(sa + {a})",
            "sa = real(sin({a}), kind(sr))",
            "call fs(sr, ({e}), {t})",
        ],
        observed: &["dble(sr)", "sum(dble(sa))"],
        ..NONE
    },
    Feature {
        name: "renamed",
        module: &[
            ("gw", "use @_v, only: gw => gv", "gw = 0.2d0*x(n)"),
            ("gl", "use @_v, only: gl", "gl = [0.3d0*x(1), 0.4d0]"),
        ],
        procedures: &[include_str!("helpers/renamed.f90")],
        outside: &[("_v", "module @_v\n  implicit none\n  real(8) :: gv = 0d0, gl(2) = 0d0\nend module @_v\n")],
        statements: &[
            "call fv(({e}))",
            "{t} = sin(gw*{e} + gl(2))",
            "gw = cos(gw + {e})",
            "gl = sin(gl*{e})",
            "gl(1) = tanh(gw*{t})",
        ],
        observed: &["gw", "sum(gl)"],
        ..NONE
    },
];

fn concurrent(s: &mut Scope, _depth: usize) -> Option<Statement> {
    if !s.free.iter().any(|v| v == "l") {
        return None;
    }
    let names = s.full_names();
    if names.is_empty() {
        return None;
    }
    let name = s.rng.pick(&names).clone();
    let group = s.group(&name);
    s.counters.push(Counter { var: "l".into(), low: 0, high: 0 });
    let (functions, arrays) = (std::mem::take(&mut s.functions), s.arrays.clone());
    let groups: Vec<bool> = arrays.iter().map(|a| s.group(&a.name) != group).collect();
    s.arrays = arrays.iter().zip(groups).filter(|(_, other)| *other).map(|(a, _)| a.clone()).collect();
    let e = s.scalar(1);
    s.functions = functions;
    s.arrays = arrays;
    s.counters.pop();
    let body = vec![Statement::Line(Node::fixed(&format!("{name}(l) = sin({name}(l) + #)"), vec![e]))];
    let parts = vec![Part { head: Node::leaf("do concurrent (l = 1:n)"), fixed: Vec::new(), body }];
    Some(Statement::Construct { before: Vec::new(), parts, end: "end do".into(), open: false })
}
