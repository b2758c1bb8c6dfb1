//! Time loops under every schedule, with any number of steps.

use super::{Feature, NONE};

const STATE: &[super::Entity] =
    &[("tsu", "real(8) :: tsu({n})", "tsu = 0.5d0*{x}"), ("tsk", "integer :: tsk", "tsk = n")];

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "time_loop",
        locals: STATE,
        arrays: &["tsu"],
        statements: &[
            "!$ad checkpoint {schedule(revolve) snapshots(2)|schedule(two-level) snapshots(2)|schedule(store-all) snapshots(2)|schedule(multistage) snapshots(2, 3)|schedule(mixed) snapshots(2)|schedule(dynamic) snapshots(2)|schedule(online) snapshots(3)}
do {m} = 1, {n|2|5|9}
tsu = sin(tsu + 0.1d0*{b})
{D}
end do
{t} = sin({t} + sum(tsu))",
            "!$ad checkpoint {schedule(two-level) |schedule(revolve) |}snapshots({2, 3|1|3})
do {m} = 1, {3|7}
tsu({i}) = sin(tsu({i})*tsu(1) + {e})
{D}
{D}
end do
{t} = sin({t} + sum(tsu))",
        ],
        observed: &["sum(tsu)"],
        refused: &["C0409"],
        ..NONE
    },
    Feature {
        name: "time_loop_empty",
        locals: STATE,
        arrays: &["tsu"],
        statements: &[
            "!$ad checkpoint {schedule(revolve) snapshots(2)|schedule(two-level) snapshots(2)|schedule(store-all) snapshots(2)|schedule(multistage) snapshots(2, 3)|schedule(mixed) snapshots(2)|schedule(dynamic) snapshots(2)|schedule(online) snapshots(3)}
do {m} = 1, {0|{p}-1}
tsu = sin(tsu + 0.1d0*{b})
end do
{t} = sin({t} + {m}*sum(tsu))",
            "!$ad checkpoint {schedule(revolve) snapshots(2)|schedule(two-level) snapshots(2)|schedule(multistage) snapshots(2, 3)|schedule(mixed) snapshots(2)|schedule(dynamic) snapshots(2)}
do {m} = {p}, {1|4}
tsu({i}) = sin(tsu({i})*tsu(1) + {e})
tsk = {m}
end do
{t} = sin({t} + min({m}, tsk)*sum(tsu))",
            "!$ad checkpoint snapshots({2|3})
do {m} = 1, {0|4|{p}}, {1|3}
tsu = tsu - 0.05d0*tsu**2*{A}(1) + 0.001d0*{m}*tsu
{t} = sin({t} + sum(tsu))
end do
{t} = sin({t} + {m}*sum(tsu))",
        ],
        observed: &["tsk*sum(tsu)"],
        refused: &["C0409"],
        ..NONE
    },
    Feature {
        name: "time_loop_pointers",
        locals: &[
            ("tpa", "real(8), target :: tpa({n})", "tpa = 0.7d0*{x}"),
            ("tpb", "real(8), target :: tpb({n})", "tpb = 0.1d0"),
            ("tpo", "real(8), pointer :: tpo(:)", "tpo => tpa"),
            ("tpn", "real(8), pointer :: tpn(:)", "tpn => tpb"),
            ("tpt", "real(8), pointer :: tpt(:)", "nullify(tpt)"),
        ],
        statements: &["tpo => tpa\ntpn => tpb
!$ad checkpoint {schedule(revolve) snapshots(2)|schedule(two-level) snapshots(2)|schedule(store-all) snapshots(2)|schedule(multistage) snapshots(2, 3)|schedule(mixed) snapshots(2)}
do {m} = 1, {n|0|5}
tpn = sin(tpo + 0.1d0*{b})
tpt => tpo\ntpo => tpn\ntpn => tpt
end do
{t} = sin({t} + sum(tpo))"],
        observed: &["sum(tpn)"],
        refused: &["C0409"],
        ..NONE
    },
    Feature {
        name: "time_loop_allocated",
        locals: &[
            ("tau", "real(8), allocatable :: tau(:)", "tau = 0.6d0*{x}"),
            ("tat", "real(8), allocatable :: tat(:)", "allocate(tat(2))\ntat = 0.3d0"),
        ],
        statements: &[
            "!$ad checkpoint {schedule(revolve) snapshots(2)|schedule(two-level) snapshots(2)|schedule(multistage) snapshots(2, 3)|snapshots(2)}
do {m} = 1, {2|5|7}
if (mod({m}, 2) == 0) then
tat = tau
deallocate(tau)
allocate(tau(size(tat)+1))
tau(1:size(tat)) = tat
tau(size(tau)) = sin({e})
end if
tau = sin(tau + 0.1d0*{t})
end do
{t} = sin({t} + sum(tau))",
            "!$ad checkpoint {schedule(revolve) snapshots(2)|schedule(two-level) snapshots(2)|schedule(store-all) snapshots(2)|schedule(mixed) snapshots(2)}
do {m} = 1, {3|6}
block
=real(8), allocatable :: v{u}(:)
=allocate(v{u}({m}))
=v{u} = sin({t} + {m})
{t} = sin({t} + sum(v{u})*{l})
deallocate(v{u})
end block
end do",
        ],
        observed: &["sum(tau)", "sum(tat)"],
        refused: &["C0409"],
        ..NONE
    },
];
