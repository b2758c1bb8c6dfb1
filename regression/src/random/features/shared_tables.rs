//! Shared loops whose iterations find their elements by tables, by limits of their own, or in components of objects: some of
//! these elements are an iteration's own, others it only reads, beside the iterations next to it.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_tables",
    module: &[("stz", "type stz\n  real(8), allocatable :: v(:), w(:)\nend type stz", "")],
    locals: &[
        ("sta", "real(8) :: sta(19)", "sta = 0.4d0\nsta(2) = 0.3d0*{x}(1)\nsta(7) = 0.2d0 + 0.1d0*{x}(n)"),
        ("stb", "real(8) :: stb(6)", "stb = 0.5d0\nstb(1) = 0.4d0 + 0.1d0*{x}(1)"),
        ("stc", "real(8) :: stc(6, 3)", "stc = 0.3d0\nstc(2, :) = 0.2d0 + 0.1d0*{x}(1)"),
        ("std", "real(8) :: std(2, 6)", "std = 0.6d0"),
        (
            "sto",
            "type(stz) :: sto(2)",
            "allocate (sto(1)%v(6), sto(2)%v(6), sto(1)%w(6), sto(2)%w(6))
sto(1)%v = 0.4d0*{x}(1)
sto(2)%v = 0.7d0
sto(1)%w = 0.3d0
sto(2)%w = 0.5d0*{x}(n)",
        ),
        ("sts", "real(8) :: sts", "sts = 0.3d0"),
        // Between the parts from `stl` to `sth` are elements that are nobody's.
        ("stl", "integer :: stl(6)", "stl = [2, 5, 8, 11, 14, 17]"),
        ("sth", "integer :: sth(6)", "sth = [3, 6, 9, 12, 15, 18]"),
        ("stp", "integer :: stp(6)", "stp = [3, 1, 6, 2, 5, 4]"),
        // Even places have elements of their own.
        ("stq", "integer :: stq(6)", "stq = [1, 2, 1, 4, 1, 6]"),
        ("stk", "integer :: stk", "stk = 1"),
        ("stj", "integer :: stj(2)", "stj = 1"),
        ("stn", "integer :: stn", "stn = 1"),
    ],
    procedures: &["pure function stflux(a, b) result(c)
real(8), intent(in) :: a, b
real(8) :: c(2)
c(1) = sin(a)*b
c(2) = a*c(1) + b
end function stflux"],
    statements: &[
        "!$omp parallel do private(stk, sts)
do {m} = 1, {6|5|0}
do stk = stl({m}), sth({m})
sta(stk) = {sta(stk)*|}stb({m}) + 0.1d0*{t}
end do
sts = 0
do stk = stl({m}){| - 1}, sth({m}){| + 1}
sts = sts + sta(stk){**2|}
end do
stb({m}) = sin(sts + stb({m}))
end do
sts = 0.2d0",
        "!$omp parallel do
do {m} = 1, 6
if (mod({m}, 2) == 0) sta(stq({m})) = {sta(stq({m}))|{l}}*stb({m})
stb({m}) = sin(stb({m})*{t} + {2|stb({m})}*sta(stq({m})))
end do",
        "do stn = 1, {p}
!$omp parallel do private(stk)
do {m} = 1, 6
stk = stp({m})
stb(stk) = sin(stb(stk)*sta({m}))
stk = stq({m})
stc({m}, 1) = sta(stk)*{t} + 0.2d0*stc({m}, 2)
end do
end do",
        "!$omp parallel do private(stj, stk)
do {m} = 1, 3
stj(1) = ({m} - 1)*19/3 + 1
stj(2) = {m}*19/3
do stk = stj(1), stj(2)
sta(stk) = sin(sta(stk)*{l})
if (stk > stj(1)) sta(stk) = sta(stk) + 0.3d0*sta(stk - 1)
end do
end do
stj = 1",
        "!$omp parallel do
do {m} = 1, 6
sto(1)%v(stp({m})) = sin(sto({1|2})%w({m}))*{t}
end do
!$omp parallel do
do {m} = 2, 5
sto(2)%w({m}) = sto(2)%w({m})*sto(1)%v({m} - 1) + sto(2)%v({m} + 1)*sto(1)%v({m})
end do",
        "!$omp parallel do
do {m} = 2, {6|5|1}
stb({m}) = stb({m})*stb(1)
end do
!$omp parallel do private(stk)
do {m} = 2, 6
stc({m}, 1) = stc({m}, 1)/(1 + stc(1, 1)**2)
do stk = 2, 3
stc({m}, stk) = stc({m}, stk) - stc({m}, 1)*stc(1, stk)
end do
end do",
        "!$omp parallel do
do {m} = 1, 6
std(:, {m}) = stflux(stb({m}), sta({m}))*{t}
end do",
        "do concurrent ({m} = 2:5)
do concurrent (stk = 1:3, mod({m} + stk, 2) == 0)
stc({m}, stk) = 0.25d0*(stc({m} - 1, stk) + stc({m} + 1, stk))*stc({m}, stk)
end do
end do",
    ],
    observed: &[
        "sum(sta)",
        "sum(stb*[2, 1, 4, 3, 6, 5])",
        "sum(stc(:, 1) - stc(:, 2)*stc(:, 3))",
        "sum(matmul(std, [1, 2, 3, 4, 5, 6])*[3, 1])",
        "sum(sto(1)%v + sto(2)%w*[1, 2, 3, 4, 5, 6])",
    ],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];
