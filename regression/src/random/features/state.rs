//! Procedures with a state: saved variables, and functions with effects wherever an expression may stand.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "saved_integer",
        module: &[("svnext", "", "svi0 = -1\ncall svnext(svi0)"), ("svi0", "integer :: svi0 = 0", "")],
        procedures: &["subroutine svnext(k)
integer, intent(inout) :: k
integer, save :: c = 0
if (k < 0) c = 0
c = c + 1
k = c
end subroutine svnext"],
        locals: &[("svk", "integer :: svk", "svk = 0")],
        statements: &[
            "call svnext(svk)\n{t} = sin({t} + {A}(mod(svk, n) + 1))",
            "svk = 0\ndo {m} = 1, {3|n|{p}}\ncall svnext(svk)\n{t} = sin({t}*{A}(mod(svk, n) + 1) + svk)\nend do",
            "svk = {0|-1}\ncall svnext(svk)\nif (mod(svk, 2) == 0) {A}({i}) = sin({e})",
            "call svnext(svk)\ndo {m} = 1, min(svk, 4)\n{t} = sin({t} + {e})\nend do",
        ],
        observed: &["dble(svk)"],
        refused: &["C0408"],
        ..NONE
    },
    Feature {
        name: "saved_real",
        module: &[("srmix", "", "srt0 = 0d0\ncall srmix(0.3d0*x(1), srt0, .true.)"), ("srt0", "real(8) :: srt0", "")],
        procedures: &["subroutine srmix(u, r, start)
real(8), intent(in) :: u
real(8), intent(inout) :: r
logical, intent(in) :: start
real(8), save :: s
if (start) s = u
s = sin(s + u)
r = cos(r*s)
end subroutine srmix"],
        statements: &["call srmix(({e}), {t}, .false.)", "call srmix(({e}), {t}, {c})"],
        ..NONE
    },
    Feature {
        name: "saved_first",
        module: &[("sfrun", "", "sft0 = 0d0\ncall sfrun(0.3d0*x(1), sft0, .true.)"), ("sft0", "real(8) :: sft0", "")],
        procedures: &["subroutine sfrun(u, r, again)
real(8), intent(in) :: u
real(8), intent(inout) :: r
logical, intent(in) :: again
logical, save :: first = .true.
real(8), save :: table(3) = 0d0
integer :: i
if (again) first = .true.
if (first) then
do i = 1, 3
table(i) = sin(u*i)
end do
first = .false.
end if
r = sin(r*table(1) + table(3))
end subroutine sfrun"],
        statements: &["call sfrun(({e}), {t}, .false.)", "call sfrun(({e}), {t}, {c})"],
        ..NONE
    },
    Feature {
        name: "effects",
        module: &[("efs", "real(8) :: efs", "efs = 0.4d0*x(1)"), ("efk", "integer :: efk = 1", "efk = 1")],
        procedures: &[
            "real(8) function efg(a)
real(8), intent(in) :: a
efs = sin(efs + a)
efg = efs*a
end function efg",
            "integer function efi(k)
integer, intent(in) :: k
efk = mod(efk, k) + 1
efi = efk
end function efi",
            "logical function efl(a)
real(8), intent(in) :: a
efs = cos(efs*a)
efl = efs > 0.2d0
end function efl",
            "subroutine eftake(k, a, r)
integer, intent(in) :: k
real(8), intent(in) :: a
real(8), intent(inout) :: r
r = sin(r + a*k)
end subroutine eftake",
        ],
        statements: &[
            "{t} = sin(efg({e}))",
            "{t} = sin({t} + efs*{l})",
            "if (efg({e}) > 0.1d0) {t} = sin({t} + efs)",
            "if (efl({e})) {t} = cos({t})\n{t} = {t}*efs",
            "do {m} = 1, efi(3)\n{t} = sin({t} + {A}(min({m}, n)))\nend do\n{t} = {t}*efk",
            "{t} = sin({A}(efi(n)) + {l})",
            "{A}(efi(n)) = sin({e})\n{t} = sin({t} + {A}(efk))",
            "call eftake(efi(3), {t}, {v})\n{t} = {t}*efk",
            "call eftake(2, efg({e}), {t})\n{t} = sin({t}*efs)",
            "select case (efi(3))\ncase (1)\n{t} = sin({t}*efk)\ncase default\n{t} = cos({e})\nend select",
            "{t} = sum([{t}, efg({l})])\n{t} = sin({t} + efs)",
            "do while (efl({e}))\nif (efi(4) == 1) exit\n{t} = sin({t} + efs)\nend do",
            "{A}(1:efi(n)) = sin({e})\n{t} = sin({t} + {A}(efk))",
            "{A} = sin({b} + efg({e}))\n{t} = sin({t}*efs)",
        ],
        observed: &["efs*efk"],
        ..NONE
    },
    Feature {
        name: "output_list",
        module: &[("ols", "real(8) :: ols", "ols = 0.4d0*x(1)"), ("olk", "integer :: olk = 1", "olk = 1")],
        locals: &[("olb", "character(60) :: olb", "olb = ' '")],
        procedures: &[
            "real(8) function olg(a)
real(8), intent(in) :: a
ols = sin(ols + a)
olg = ols*a
end function olg",
            "integer function oli(k)
integer, intent(in) :: k
olk = mod(olk, k) + 1
oli = olk
end function oli",
        ],
        statements: &[
            "write(olb, *) olg({e})\n{t} = sin({t} + ols)",
            "write(olb, '(i4)') oli(n)\n{t} = sin({t} + {A}(olk))",
            "write(olb, *) 'a', {l}, olg({t})\n{t} = sin({t} + ols)",
            "{t} = sin({t}*ols)",
            "ols = cos({e})",
        ],
        observed: &["ols*olk"],
        ..NONE
    },
    Feature {
        name: "pure_module",
        module: &[
            ("pus", "real(8) :: pus", "pus = 0.3d0*x(n)"),
            ("puv", "real(8) :: puv(3)", "puv = [0.1d0, x(1), 0.4d0]"),
            ("puk", "integer :: puk = 1", "puk = 2"),
        ],
        procedures: &[
            "pure real(8) function pug(a)
real(8), intent(in) :: a
pug = sin(a*pus) + puv(puk)
end function pug",
            "elemental real(8) function pue(a)
real(8), intent(in) :: a
pue = cos(a + pus*puv(1))
end function pue",
            "pure subroutine pusub(a, r)
real(8), intent(in) :: a(:)
real(8), intent(inout) :: r
r = sin(r + sum(a)*puv(puk))
end subroutine pusub",
        ],
        statements: &[
            "{t} = sin(pug({e}))",
            "{A} = pue(0.9d0*{a})",
            "call pusub({A}, {t})",
            "pus = sin({e})\n{t} = pug({t})",
            "puv({1|2|3}) = cos({e})\n{t} = pug({t})",
            "puk = mod({k}, 3) + 1\n{t} = pug({t})",
            "do {m} = 1, n\n{A}({m}) = pug({A}({m}))\npus = sin(pus + {A}({m}))\nend do",
            "{t} = sin(sum(pue({A}))*{l})",
        ],
        observed: &["pus", "sum(puv*puk)"],
        ..NONE
    },
    Feature {
        name: "copies_before_functions",
        module: &[("cfp", "type cfp\n  integer :: k = 1\nend type cfp", "")],
        locals: &[
            ("cfk", "integer :: cfk", "cfk = 1"),
            ("cfc", "integer :: cfc", "cfc = 2"),
            ("cfo", "type(cfp) :: cfo", "cfo%k = 2"),
        ],
        procedures: &[
            "integer function cfnext(k)
integer, intent(inout) :: k
k = mod(k, 3) + 1
cfnext = k
end function cfnext",
            "integer function cfmove(o)
type(cfp), intent(inout) :: o
o%k = mod(o%k + 1, 3) + 1
cfmove = o%k
end function cfmove",
        ],
        statements: &[
            "cfc = cfk\n{t} = sin({t}*cfnext(cfk))\n{A}(mod(cfc, n) + 1) = sin({A}(mod(cfc, n) + 1)*{e})",
            "cfc = cfo%k\nif (cfmove(cfo) == 2) {t} = cos({e})\n{t} = sin({t}*{A}(mod(cfc, n) + 1) + cfo%k)",
            "cfc = cfk\ncfk = cfmove(cfo)\ndo {m} = cfc, min(n, cfk)\n{A}({m}) = cos({A}({m}) + {l})\nend do",
            "associate (cfq => {A}(mod(cfk, n) + 1))\n{t} = {t}*0.5d0*cfnext(cfk)\ncfq = sin(cfq*{l})\nend associate",
            "associate (cfq => {A}(mod(cfo%k, n) + 1))\nif (cfmove(cfo) == 3) cfq = sin(cfq + {t})\nend associate",
        ],
        observed: &["dble(cfk + cfo%k)"],
        ..NONE
    },
    Feature {
        name: "host_subscripts",
        locals: &[("hsk", "integer :: hsk", "hsk = 1"), ("hsl", "integer :: hsl(2)", "hsl = [1, 2]")],
        internal: &["integer function hsnext()
  call hsmove()
  hsnext = hsk
end function hsnext
subroutine hsmove()
  hsk = mod(hsk, 3) + 1
  hsl = hsl(2:1:-1)
end subroutine hsmove"],
        statements: &[
            "associate (hsq => {A}(mod(hsk, n) + 1))\ncall hsmove()\nhsq = sin(hsq*{l})\nend associate",
            "associate (hsq => {A}(mod(hsl(1), n) + 1), hsr => {B}(mod(hsk, n) + 1))\nhsq = sin(hsq*hsr*hsnext())\nhsr = cos(hsq + {t})\nend associate",
            "call hsmove()\n{t} = sin({t}*{A}(mod(hsl(2), n) + 1)*hsk)",
            "{t} = cos({t}*hsnext())\n{t} = sin({t} + {A}(mod(hsk, n) + 1)*{A}(mod(hsl(1), n) + 1))",
        ],
        observed: &["dble(hsk + hsl(1))"],
        ..NONE
    },
];
