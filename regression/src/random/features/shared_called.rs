//! Shared loops whose iterations call procedures with tables of the module, pass elements that stand for windows, name sections
//! by pointers, and set flags.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "shared_called",
    module: &[
        ("srt", "real(8) :: srt(2000)", "srt = 0.4d0\nsrt(2:5) = 0.2d0 + 0.1d0*x(1)"),
        ("srg", "real(8) :: srg", "srg = 0.6d0"),
    ],
    locals: &[
        ("sra", "real(8) :: sra(8)", "sra = 0.4d0\nsra(2:7) = 0.3d0*{x}(1)"),
        ("srr", "real(8) :: srr(6)", "srr = 0.7d0\nsrr(2) = 0.2d0*{x}(n)"),
        ("srw", "real(8), target :: srw(6, 2)", "srw = 0.5d0\nsrw(:, 2) = 0.4d0*{x}(1)"),
        ("srp", "real(8), pointer :: srp(:)", "nullify (srp)"),
        ("srf", "integer :: srf", "srf = 0"),
        ("srk", "integer :: srk", "srk = 1"),
    ],
    procedures: &[
        "pure real(8) function srlook(k, v)
integer, intent(in) :: k
real(8), intent(in) :: v
srlook = srt(k)*v + 0.1d0*sin(srt(k + 1))*srg
end function srlook",
        "pure subroutine srtwice(k, v, r)
integer, intent(in) :: k
real(8), intent(in) :: v
real(8), intent(inout) :: r
r = 0.5d0*sin(r) + srlook(k, v)*srt(2)
end subroutine srtwice",
        "pure subroutine srthree(a, r)
real(8), intent(in) :: a(3)
real(8), intent(inout) :: r
r = 0.5d0*sin(r) + a(1)*a(2) - 0.3d0*a(3)**2
end subroutine srthree",
        "subroutine srmove(k, a)
integer, intent(in) :: k
real(8), intent(inout) :: a(k)
a(1) = sin(a(1)*a(k)) + 0.1d0
end subroutine srmove",
    ],
    statements: &[
        "!$omp parallel do{| schedule(static, 1)}
do {m} = 1, {6|5|0}
srr({m}) = 0.5d0*srr({m}) + srlook(1 + mod({m}*{1|2|5}, 6), {t})
end do",
        "do srk = 1, {p}
!$omp parallel do
do {m} = 1, 6
{call srtwice({m}, {t}, srr({m}))|call srtwice(7 - {m}, srr({m}), srw({m}, 1))}
end do
srt(3) = sin(srt(3)*srr(1))
end do
srk = 1",
        "!$omp parallel do
do {m} = 1, {6|3|0}
call srthree(sra({m}), srr({m}))
end do",
        "!$omp parallel do
do {m} = {1, 6, 3|2, 5, 3|6, 1, -3}
call srmove({3|2|1}, sra({m}))
end do",
        "!$omp parallel do private(srp)
do {m} = 1, 2
srp => srw(:, {m})
srp = sin(srp*{t}){ + srw(:, {m})|}
srr({m}) = 0.5d0*srr({m})*srp({2|1}) + srw(3, {m})
end do
nullify (srp)",
        "do srk = 1, 2
srp => srw({2:|:|1:5:2}, {srk|3 - srk|1})
srp(1) = sin(srp(2)*{t})
srw(2, 1) = srp({3|1})*{t}
call srmove({2|3}, srp)
end do
srk = 1
nullify (srp)",
        "!$omp parallel do
do {m} = 1, 6
if (sra({m}) > {0.3d0|{l}}) then
!$omp atomic write
srf = 1
end if
srr({m}) = sin(srr({m})*sra({m} + 1))
end do
if (srf == 1) srr(1) = srr(1)*{t}
srf = 0",
    ],
    observed: &[
        "sum(sra*[1, 2, 3, 4, 5, 6, 7, 8])",
        "sum(srr*[2, 1, 4, 3, 6, 5])",
        "sum(srw(:, 1)*srw(:, 2))",
        "sum(srt(1:8)*[1, 2, 3, 4, 5, 6, 7, 8])",
    ],
    refused: &["C0408", "C0409", "C0411"],
    ..NONE
}];
