//! Pointers that lead into objects, into what is passed beside them, and to what callees allocate.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "objects_led_into",
        module: &[("lio", "type lio\n  real(8), allocatable :: a(:), b(:)\n  real(8) :: c = 0.3d0\nend type lio", "")],
        locals: &[
            ("lis", "type(lio), target :: lis", "lis%a = 0.3d0*{x}\nlis%b = [0.2d0, {x}(1)]"),
            (
                "lit",
                "type(lio), target :: lit(2)",
                "lit(1)%a = [0.1d0, {x}(n)]\nlit(1)%b = [0.3d0]\nlit(2)%a = [{x}(1)]\nlit(2)%b = 0.2d0*{x}",
            ),
            ("lip", "real(8), pointer :: lip(:)", "lip => lis%a"),
        ],
        procedures: &[
            "subroutine liput(p, u)
real(8), pointer, intent(in) :: p(:)
real(8), intent(in) :: u
p = sin(p*u + 0.1d0)
end subroutine liput",
            "subroutine lichange(s, p, u)
type(lio), intent(inout), target :: s
real(8), pointer, intent(in) :: p(:)
real(8), intent(in) :: u
p(1) = sin(p(1)*u + s%a(1))
s%b = cos(s%b*u)
s%a(1) = sin(s%a(1)*s%b(1) + p(size(p)))
s%c = sin(s%c + p(1))
end subroutine lichange",
        ],
        statements: &[
            "call liput(lip, ({e}))",
            "call lichange(lis, lip, ({e}))",
            "call lichange(lit({1|2}), lip, ({l}))",
            "lip => {lis%a|lis%b|lit(1)%a|lit(2)%b}",
            "if ({c}) lip => {lis%b|lit(2)%a}",
            "{t} = sin({t} + sum(lip)*lis%c)",
            "lit({1|2})%a(1) = sin({e})",
            "do {m} = 1, 3\ncall liput(lip, ({l}))\nlip => lit(2)%a\ncall lichange(lis, lip, ({l}))\nend do",
        ],
        observed: &["sum(lis%a)*lis%c", "sum(lis%b)", "sum(lit(1)%a)*lit(2)%c", "lit(2)%a(1) + lit(2)%b(n)"],
        ..NONE
    },
    Feature {
        name: "targets_and_pointers",
        locals: &[
            ("tpb", "real(8), target :: tpb({n})", "tpb = 0.4d0*{x}"),
            ("tpc", "real(8), target :: tpc({n})", "tpc = 0.2d0 + 0.3d0*{x}"),
            ("tpp", "real(8), pointer :: tpp(:)", "tpp => tpb"),
        ],
        procedures: &[
            "subroutine tpboth(b, p, u)
real(8), intent(inout), target :: b(:)
real(8), pointer, intent(in) :: p(:)
real(8), intent(in) :: u
integer :: i
do i = 1, size(p)
b(i) = sin(b(i)*u + p(i))
p(i) = cos(p(size(p) + 1 - i)*b(1))
end do
end subroutine tpboth",
            "subroutine tpread(b, p)
real(8), intent(inout), target :: b(:)
real(8), pointer, intent(in) :: p(:)
integer :: i
do i = 1, size(p)
p(i) = sin(p(i)*0.9d0 + b(i)**2)
end do
end subroutine tpread",
        ],
        arrays: &["tpb", "tpc"],
        statements: &[
            "call tpboth({tpb|tpc}, tpp, ({e}))",
            "call {tpread|tpread}({tpb|tpc|tpb(n:1:-1)}, tpp)",
            "tpp => {tpb|tpc|tpb(n:1:-1)}",
            "if ({c}) tpp => {tpc|tpb}",
            "{t} = sin({t} + sum(tpp))",
            "do {m} = 1, 2\ncall tpread(tpb, tpp)\ntpp => tpb\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "memory_for_pointers",
        module: &[("mfp", "type mfp\n  real(8), allocatable :: c(:)\n  real(8) :: s = 0.5d0\nend type mfp", "")],
        locals: &[
            ("mfa", "type(mfp), target :: mfa(2)", "call mfnew(mfa, 2)"),
            ("mfq", "real(8), pointer :: mfq(:)", "mfq => mfa(1)%c"),
        ],
        procedures: &["subroutine mfnew(a, k)
type(mfp), intent(inout), target :: a(:)
integer, intent(in) :: k
integer :: i
do i = 1, size(a)
if (allocated(a(i)%c)) deallocate(a(i)%c)
allocate(a(i)%c(k))
a(i)%c = 0.3d0
end do
end subroutine mfnew"],
        statements: &[
            "call mfnew(mfa, {2|3})\nmfq => mfa({1|2})%c",
            "mfq(1) = sin(mfq(1) + {e})",
            "mfq => mfa({1|2})%c",
            "mfq(2) = sin(mfq(1)*{l})",
            "{t} = sin({t} + sum(mfa(1)%c)*mfa(2)%s)",
            "mfa({1|2})%s = cos({e})",
        ],
        observed: &["sum(mfa(1)%c)", "mfa(2)%c(2)*mfa(1)%s"],
        refused: &["C0410"],
        ..NONE
    },
];
