//! Pointers: to variables, sections, columns and components, in modules and as results, swapped, allocated, of integers.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "pointer_target",
        locals: &[
            ("ptg", "real(8), target :: ptg({n})", "ptg = 0.4d0*{x}"),
            ("ptf", "real(8), target :: ptf({n})", "ptf = cos({x})"),
            ("pta", "real(8), pointer :: pta(:)", "pta => ptg"),
            ("ptb", "real(8), pointer :: ptb(:)", "ptb => ptf"),
            ("ptc", "real(8), pointer :: ptc(:)", "nullify(ptc)"),
        ],
        arrays: &["ptg", "ptf", "pta", "ptb"],
        statements: &[
            "pta => {ptg|ptf|ptb|ptg(n:1:-1)}",
            "ptb => {ptf|ptg|pta}",
            "if ({c}) then\npta => ptg\nelse\npta => ptf\nend if",
            "pta = sin({a})",
            "pta({i}) = cos(ptg({i})*{e})",
            "{t} = sin(sum(pta*ptf) + {l})",
            "do {m} = 1, n\npta({m}) = sin(ptg({m}) + {e})\nend do",
            "ptc => pta\npta => ptb\nptb => ptc",
            "if (associated(pta, ptg)) {t} = cos({e})",
        ],
        observed: &["sum(pta*[(i0, i0 = 1, n)])", "sum(ptb)"],
        ..NONE
    },
    Feature {
        name: "pointer_scalar",
        locals: &[
            ("pss", "real(8), target :: pss", "pss = 0.6d0*{x}(1)"),
            ("psa", "real(8), target :: psa({n})", "psa = 0.2d0 + {x}"),
            ("psp", "real(8), pointer :: psp", "psp => pss"),
        ],
        scalars: &["pss", "psp"],
        arrays: &["psa"],
        statements: &[
            "psp => {pss|psa(1)|psa({i})|psa(n)}",
            "psp = sin(psp + {e})",
            "{t} = cos(psp*{e} + psa({i}))",
            "if ({c}) psp => psa({i})",
            "do {m} = 1, n\npsp => psa({m})\npsp = sin(psp*{e})\nend do",
        ],
        observed: &["psp"],
        ..NONE
    },
    Feature {
        name: "pointer_elements",
        module: &[
            ("tpe", "type tpe\n  integer :: k = 0\n  real(8), pointer :: w(:) => null()\nend type tpe", ""),
            ("pet", "real(8), target :: pet(2,3)", "pet(1,:) = x(1)\npet(2,:) = [0.3d0, x(n), 0.2d0]"),
            ("pea", "type(tpe) :: pea(0:2)", "do i0 = 0, 2\n  pea(i0)%w => pet(:,i0+1)\n  pea(i0)%k = i0\nend do"),
        ],
        procedures: &["subroutine peshift(o, k)
type(tpe), intent(inout) :: o
integer, intent(in) :: k
o%w => pet(:,k+1)
o%w(1) = sin(o%w(1) + o%w(2))
end subroutine peshift"],
        statements: &[
            "pea(mod({k},3))%w({1|2}) = sin({e})",
            "pea({0|1|2})%w => pet(:,{1|2|3})\n{t} = sin({t} + sum(pea({0|1|2})%w))",
            "call peshift(pea({0|1|2}), {0|1|2})",
            "do {m} = 0, 2\npea({m})%w = sin(pea({m})%w*{l})\nend do",
        ],
        observed: &["sum(pet*reshape([(i0, i0 = 1, 6)], [2, 3]))", "pea(0)%w(2)*pea(1)%w(1)"],
        // Procedures that associate elements of the array, called by others.
        refused: &["C0410"],
        ..NONE
    },
    Feature {
        name: "pointer_memory_made",
        module: &[("tpk", "type tpk\n  real(8) :: s\n  real(8), pointer :: w(:) => null()\nend type tpk", "")],
        locals: &[("pmk", "real(8), pointer :: pmk(:)", "nullify(pmk)"), ("pmo", "type(tpk) :: pmo", "pmo%s = {x}(1)")],
        procedures: &[
            "function pmmake(v, k) result(p)
real(8), intent(in) :: v(:)
integer, intent(in) :: k
real(8), pointer :: p(:)
allocate(p(k:k+size(v)-1))
p = sin(v)
if (size(v) < 2) return
p(k) = p(k) + v(2)
end function pmmake",
            "function pmobject(v) result(o)
real(8), intent(in) :: v(:)
type(tpk) :: o
allocate(o%w(size(v)))
o%w = v
o%s = sin(sum(v))
end function pmobject",
            "subroutine pmsetup(o, v, h)
type(tpk), intent(out) :: o
real(8), intent(in) :: v(:), h
allocate(o%w(0:size(v)))
o%w(0) = h
o%w(1:) = v*h
o%s = h**2
end subroutine pmsetup",
        ],
        statements: &[
            "pmk => pmmake({a} + {l}, {0|1|3})\n{t} = sin({t} + sum(pmk)*pmk(lbound(pmk, 1)))\ndeallocate(pmk)",
            "pmo = pmobject(cos({a}))\n{t} = sin({t} + sum(pmo%w)*pmo%s)\ndeallocate(pmo%w)",
            "call pmsetup(pmo, {a}*{l}, ({e}))\n{t} = sin({t} + pmo%w(n)*pmo%w(0) + pmo%s)\ndeallocate(pmo%w)",
            "do {m} = 1, 2\npmk => pmmake({a}*{m}, {m})\npmk = pmk*{l}\n{t} = cos({t} + sum(pmk))\ndeallocate(pmk)\nend do",
        ],
        observed: &["pmo%s"],
        refused: &["C0401", "C0410"],
        ..NONE
    },
    Feature {
        name: "pointer_view",
        locals: &[
            ("pvc", "real(8), target :: pvc({n},{n})", "do i0 = 1, n\n  pvc(:,i0) = 0.3d0*{x}(i0)\nend do"),
            ("pvf", "real(8), target :: pvf({n}*{n})", "pvf = 0.3d0\npvf(1:n) = {x}"),
            ("pvl", "real(8), target :: pvl({n})", "pvl = 0.5d0*{x}"),
            ("pvv", "real(8), pointer :: pvv(:)", "pvv => pvl"),
            ("pvw", "real(8), pointer :: pvw(:)", "pvw(0:) => pvl"),
            ("pvm", "real(8), pointer :: pvm(:,:)", "pvm => pvc"),
        ],
        arrays: &["pvl", "pvv"],
        statements: &[
            "pvv => {pvl|pvc(:,{i})|pvc({i},:)|pvf(1:n)}",
            "if ({c}) then\npvv => pvc(:,{i})\nelse\npvv => pvl\nend if\npvv({i}) = sin(pvv({i})*{e})",
            "pvw(0:) => {pvc(:,{i})|pvl}\npvw(n-1) = sin(pvw(0) + {e})\n{t} = cos({t}*pvw(0))",
            "pvm(1:n,1:n) => pvf\npvm({i},{i}) = sin(pvm(1,n)*{e})",
            "pvm => {pvc|pvc(n:1:-1,:)}\n{t} = sin(pvm({i},n)*{e})",
            "{t} = sin(sum(pvc(:,{i}))*{l} + sum(pvm))",
            "do {m} = 1, n\npvv => pvc(:,{m})\npvv = sin(pvv + {e})\nend do",
        ],
        observed: &["sum(pvv)", "sum(pvc(:,n))", "sum(pvf)", "pvm(1,n)", "pvw(0)"],
        ..NONE
    },
    Feature {
        name: "pointer_component",
        locals: &[
            ("pct", "real(8), target :: pct({n})", "pct = 0.4d0*{x}"),
            ("pcs", "real(8), target :: pcs({n})", "pcs = 0.3d0 - {x}"),
            ("pco", "type(tpcell) :: pco", "pco%v => pct"),
            ("pcd", "type(tpcell) :: pcd(2)", "pcd(1)%v => pcs\npcd(2)%v => pct"),
        ],
        module: &[("tpcell", "type tpcell\n  real(8), pointer :: v(:) => null()\nend type tpcell", "")],
        procedures: &[
            "subroutine pclink(s, a)
type(tpcell), intent(inout) :: s
real(8), target, intent(in) :: a(:)
s%v => a
end subroutine pclink",
            "subroutine pcread(s, r)
type(tpcell), intent(in) :: s
real(8), intent(inout) :: r
r = sin(r + sum(s%v**2))
end subroutine pcread",
            "subroutine pcwrite(s, u)
type(tpcell), intent(in) :: s
real(8), intent(in) :: u
s%v(1) = sin(s%v(1)*u)
end subroutine pcwrite",
        ],
        // Not `pco%v`: gfortran takes `pco%v(2:n) = pct(1:n-1)` for one that needs no copy.
        arrays: &["pct"],
        statements: &[
            "call pclink(pco, {pct|pcs})",
            "call pcread({pco|pcd(mod({k},2)+1)}, {t})",
            "call pcwrite({pco|pcd(1)|pcd(mod({k},2)+1)}, ({e}))",
            "pco%v => {pct|pcs|pcd(2)%v}",
            "pcd(mod({k},2)+1)%v => {pct|pcs}",
            "pcd(2) = pco",
            "{t} = sin(pcd(mod({k},2)+1)%v({i})*{e})",
            "pcd(1)%v({i}) = cos(pco%v({i}) + {e})",
        ],
        observed: &["sum(pco%v*[(i0, i0 = 1, n)])", "sum(pcd(1)%v)", "sum(pcs)"],
        refused: &["C0401"],
        ..NONE
    },
    Feature {
        name: "pointer_module",
        module: &[
            ("pma", "real(8), target :: pma(4)", "pma = 0.3d0*x(1)"),
            ("pmb", "real(8), target :: pmb(4)", "pmb = [0.1d0, x(n), 0.3d0, x(1)]"),
            ("pmq", "real(8), pointer :: pmq(:) => null()", "pmq => pma"),
        ],
        procedures: &[
            "subroutine pmset(k)
integer, intent(in) :: k
if (mod(k, 2) == 0) then
pmq => pma
else
pmq => pmb(4:1:-1)
end if
end subroutine pmset",
            "subroutine pmuse(r)
real(8), intent(inout) :: r
r = sin(r + sum(pmq)*pmq(2))
end subroutine pmuse",
            "subroutine pmput(u)
real(8), intent(in) :: u
pmq(2) = sin(pmq(3)*u)
end subroutine pmput",
        ],
        statements: &[
            "call pmset({k})",
            "call pmuse({t})",
            "call pmput(({e}))",
            "{t} = sin(pmq({1|2|3})*{e})",
            "pma = cos(pma + {e})",
            "pmb({1|2}) = sin({e})",
            "pmq => {pma|pmb}",
            "call pmset({k})\ncall pmput(({e}))\ncall pmuse({t})",
        ],
        observed: &["sum(pmq*[1, 2, 3, 4])", "sum(pma)", "sum(pmb)"],
        ..NONE
    },
    Feature {
        name: "pointer_dummy",
        locals: &[("pdt", "real(8), target :: pdt({n})", "pdt = 0.3d0*{x}")],
        module: &[("pds", "real(8), target :: pds", "pds = 0.4d0*x(1)")],
        procedures: &[
            "subroutine pdwork(n, u, v)
integer, intent(in) :: n
real(8), intent(in) :: u(n)
real(8), intent(inout), target :: v(n)
real(8), pointer :: p(:)
integer :: i
p => v
do i = 1, n
p(i) = sin(p(i)*u(i))
end do
end subroutine pdwork",
            "subroutine pdmodule(u)
real(8), intent(in) :: u
real(8), pointer :: p
p => pds
p = sin(p*u)
end subroutine pdmodule",
        ],
        arrays: &["pdt"],
        statements: &[
            "call pdwork(n, 0.9d0*{a}, {pdt|{A}})",
            "call pdwork(n, 0.9d0*{a}, {pdt(n:1:-1)|pdt})",
            "call pdmodule(({e}))",
            "{t} = sin(pds*{e})",
            "pds = cos(pds + {e})",
        ],
        observed: &["pds"],
        ..NONE
    },
    Feature {
        name: "pointer_result",
        locals: &[
            ("prt", "real(8), target :: prt({n})", "prt = 0.3d0 + {x}"),
            ("prp", "real(8), pointer :: prp", "prp => prt(1)"),
        ],
        procedures: &["function prpick(a, i) result(r)
real(8), target, intent(in) :: a(:)
integer, intent(in) :: i
real(8), pointer :: r
r => a(i)
end function prpick"],
        arrays: &["prt"],
        statements: &[
            "{t} = sin(prpick(prt, {i}) + {l})",
            "prp => prpick(prt, {i})",
            "prp = sin(prp*{e})",
            "{t} = cos({t} + prp)",
        ],
        observed: &["prp", "sum(prt)"],
        ..NONE
    },
    Feature {
        name: "pointer_integer",
        locals: &[
            ("pik", "integer, target :: pik", "pik = 1"),
            ("pil", "integer, target :: pil", "pil = n"),
            ("pip", "integer, pointer :: pip", "pip => pik"),
            ("pit", "integer, target :: pit({n})", "do i0 = 1, n\n  pit(i0) = n + 1 - i0\nend do"),
            ("piv", "integer, pointer :: piv(:)", "piv => pit"),
        ],
        positions: &["pik", "pil", "pip"],
        statements: &[
            "pip => {pik|pil|pit({i})}",
            "pip = mod({k} + 1, n) + 1",
            "{t} = sin({A}(pik)*{l})*{B}(pip)",
            "do {m} = 1, pip\n{t} = sin({t} + {A}({m}))\nend do",
            "piv => {pit|pit(n:1:-1)}",
            "pit({i}) = pip",
            "{t} = sin({t} + {A}(piv({i}))*{l})",
            "{A}(piv({i})) = sin({e})\npiv({i}) = pil",
        ],
        observed: &["x(pip)", "dble(sum(piv*[(i0, i0 = 1, n)]))"],
        ..NONE
    },
    Feature {
        name: "pointer_integer_module",
        module: &[
            ("pjk", "integer, target :: pjk = 1", "pjk = 1"),
            ("pjl", "integer, target :: pjl = 1", "pjl = n"),
            ("pjp", "integer, pointer :: pjp => pjk", "pjp => pjk"),
        ],
        procedures: &[
            "subroutine pjset(k)
integer, intent(in) :: k
pjp = k
end subroutine pjset",
            "subroutine pjlink(k)
integer, intent(in) :: k
pjp => pjk
if (mod(k, 2) == 0) pjp => pjl
end subroutine pjlink",
            "subroutine pjuse(a, r)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: r
integer :: i
do i = 1, min(pjp, size(a))
r = sin(r + a(min(pjk, size(a)))*i)
end do
end subroutine pjuse",
        ],
        statements: &[
            "call pjset(({i}))",
            "call pjlink({k})",
            "call pjuse({A}, {t})",
            "{t} = sin({A}(min(pjk, n))*{l} + {A}(min(pjp, n)))",
            "pjp = mod(pjk + 1, n) + 1",
            "do {m} = 1, min(pjp, n)\n{t} = sin({t} + {A}({m}))\nend do",
        ],
        observed: &["x(pjp)", "dble(pjk)"],
        ..NONE
    },
    Feature {
        name: "pointer_allocated",
        locals: &[
            ("pal", "real(8), pointer :: pal(:)", "allocate(pal({n}))\npal = 0.2d0*{x}"),
            ("pav", "real(8), pointer :: pav(:)", "nullify(pav)"),
            ("pat", "real(8), target :: pat({n})", "pat = 0.6d0*{x}"),
        ],
        arrays: &["pal"],
        statements: &[
            "deallocate(pal)\n=allocate(pal(n))\n=pal = 0.1d0\npal = sin({a})",
            "pav => pal\n{t} = sin(pav({i})*{e})\npav({i}) = cos({e})",
            "allocate(pav({k}))\npav = sin({e})\n{t} = sin({t} + sum(pav))\ndeallocate(pav)",
            "if ({c}) then\npav => pat\nelse\nallocate(pav(n))\npav = cos({a})\nend if\n{t} = sin(sum(pav)*{l})",
            "allocate(pav(n))\n=pav = 0.1d0\npav = pal*{l}\ndeallocate(pal)\n=pal => pav",
        ],
        observed: &["sum(pal*[(i0, i0 = 1, n)])"],
        refused: &["C0410"],
        ..NONE
    },
    Feature {
        name: "pointer_argument",
        locals: &[
            ("pgt", "real(8), target :: pgt({n})", "pgt = 0.5d0*{x}"),
            ("pgs", "real(8), target :: pgs({n})", "pgs = sin({x})"),
            ("pgp", "real(8), pointer :: pgp(:)", "pgp => pgt"),
        ],
        procedures: &[
            "subroutine pgmove(p, a, k)
real(8), pointer, intent(inout) :: p(:)
real(8), target, intent(in) :: a(:)
integer, intent(in) :: k
p(1) = sin(p(1)*p(size(p)))
if (mod(k, 2) == 1) p => a
end subroutine pgmove",
            "subroutine pgread(p, r)
real(8), pointer, intent(in) :: p(:)
real(8), intent(inout) :: r
r = r*cos(sum(p))
end subroutine pgread",
        ],
        arrays: &["pgt", "pgp"],
        statements: &[
            "call pgmove(pgp, {pgt|pgs}, {k})",
            "call pgread(pgp, {t})",
            "pgp => {pgt|pgs|pgt(n:1:-1)}",
            "{t} = sin(pgp({i})*{e})",
        ],
        observed: &["sum(pgp*[(i0, i0 = 1, n)])", "sum(pgs)"],
        refused: &["C0407"],
        ..NONE
    },
    Feature {
        name: "pointer_list",
        locals: &[
            ("plh", "type(tpl), pointer :: plh", "nullify(plh)\ncall pladd(plh, {x}(1))"),
            ("plp", "type(tpl), pointer :: plp", "plp => plh"),
        ],
        module: &[("tpl", "type tpl\n  real(8) :: v\n  type(tpl), pointer :: next => null()\nend type tpl", "")],
        procedures: &[
            "subroutine plsum(head, r)
type(tpl), pointer, intent(in) :: head
real(8), intent(inout) :: r
type(tpl), pointer :: p
p => head
do while (associated(p))
r = sin(r + p%v)
p%v = cos(p%v*r)
p => p%next
end do
end subroutine plsum",
            "subroutine pladd(head, u)
type(tpl), pointer, intent(inout) :: head
real(8), intent(in) :: u
type(tpl), pointer :: p
allocate(p)
p%v = sin(u)
p%next => head
head => p
end subroutine pladd",
        ],
        statements: &[
            "call pladd(plh, ({e}))",
            "call plsum(plh, {t})",
            "{t} = sin(plh%v*{e})",
            "plp => plh\ndo while (associated(plp))\nplp%v = sin(plp%v*{l})\nplp => plp%next\nend do",
        ],
        observed: &["plh%v"],
        ..NONE
    },
    Feature {
        name: "pointer_table",
        module: &[
            ("pbt", "real(8), target :: pbt(5) = [0.2d0, 0.5d0, 0.1d0, 0.9d0, 0.4d0]", ""),
            ("pbp", "real(8), pointer :: pbp(:) => null()", "pbp => pbt"),
        ],
        procedures: &["subroutine pblook(u, r)
real(8), intent(in) :: u
real(8), intent(inout) :: r
integer :: k
k = min(4, max(1, int(abs(u)*3d0) + 1))
r = sin(r) + (pbp(k) + (pbp(k+1) - pbp(k))*u)*0.2d0
end subroutine pblook"],
        statements: &["call pblook(sin({e}), {t})", "{t} = sin({e})*pbp(mod({k}, 5) + 1)", "pbp => {pbt|pbt(5:1:-1)}"],
        observed: &["pbp(1)*s1"],
        ..NONE
    },
    Feature {
        name: "pointer_swap",
        locals: &[
            ("pwa", "real(8), target :: pwa({n})", "pwa = 0.7d0*{x}"),
            ("pwb", "real(8), target :: pwb({n})", "pwb = 0.1d0"),
            ("pwo", "real(8), pointer :: pwo(:)", "pwo => pwa"),
            ("pwn", "real(8), pointer :: pwn(:)", "pwn => pwb"),
            ("pwt", "real(8), pointer :: pwt(:)", "nullify(pwt)"),
        ],
        arrays: &["pwo"],
        statements: &[
            "pwo => pwa\npwn => pwb\ndo {m} = 1, {2|3|n|{p}}
pwn = sin(pwo + 0.1d0*{a})
pwt => pwo\npwo => pwn\npwn => pwt
end do",
            "{t} = sin(sum(pwo)*{l})",
            "do {m} = 1, n\npwo({m}) = cos(pwn({m})*{e})\nend do\npwt => pwo\npwo => pwn\npwn => pwt",
        ],
        observed: &["sum(pwo)", "sum(pwn)"],
        ..NONE
    },
    Feature {
        name: "view_lists",
        module: &[("xlv", "type xlv\n  real(8), pointer :: p(:) => null()\nend type xlv", "")],
        locals: &[
            ("xlt", "real(8), target :: xlt(4)", "xlt = 0.2d0*{x}(1)"),
            ("xll", "type(xlv), allocatable :: xll(:)", "allocate(xll(2))\nxll(1)%p => xlt(1:2)\nxll(2)%p => xlt(3:4)"),
        ],
        statements: &[
            "xll = [xll(2), xll(1)]",
            "if (size(xll) < 4) xll = [xll, xll(1:1)]",
            "xll = cshift(xll, 1)",
            "xll(1:2) = xll(2:1:-1)",
            "xll(1) = merge(xll(1), xll(2), {t} > 0)",
            "xll(1)%p(2) = sin(xll(2)%p(1)*{e})",
            "xll(2)%p => xlt(2:)\nxll(2)%p(1) = cos(xll(1)%p(1) + {l})",
            "{t} = sin({t}*xll(size(xll))%p(1))",
        ],
        observed: &["xll(1)%p(1)", "xll(size(xll))%p(1)*size(xll)", "sum(xlt)"],
        ..NONE
    },
    Feature {
        name: "pointers_to_parts_of_complex",
        locals: &[
            ("pcz", "complex(8), target :: pcz(2)", "pcz = cmplx({x}(1), [0.3d0, 0.4d0 + {x}(n)], 8)"),
            ("pcr", "real(8), pointer :: pcr", "pcr => pcz(1)%im"),
            ("pca", "real(8), pointer :: pca(:)", "pca => pcz%re"),
            ("pcp", "complex(8), pointer :: pcp(:)", "pcp => pcz"),
        ],
        statements: &[
            "pcr => pcz({1|2})%{re|im}\npcr = sin(abs(pcz({1|2}))*{e})",
            "pca => pcz%{re|im}\npca = cos(abs(pcz)*{l})",
            "pca = sin(pca + aimag(pcz({1|2}))*{l})",
            "pcp({1|2})%{re|im} = cos(abs(pcz({1|2})) + {e})",
            "pcz({1|2})%{re|im} = sin(abs(pcp({1|2})*pcr) + {l})",
            "{t} = sin({t} + pcr*abs(pcz({1|2})))",
            "pcz = pcz/(1d0 + abs(pcz)*pcr**2)",
            "do {m} = 1, 3\npcr = sin(pcr*abs(pcz({1|2})) + {l})\nend do",
        ],
        observed: &["dble(sum(pcz))", "aimag(pcz(1)*pcz(2))"],
        ..NONE
    },
];
