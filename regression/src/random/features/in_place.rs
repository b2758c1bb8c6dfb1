//! Recurrences in place, as in tridiagonal solvers: adjoints that use the results of statements beside other elements of the
//! same array, where what is overwritten is needed further back.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[Feature {
    name: "in_place",
    locals: &[
        ("ipa", "real(8) :: ipa(6)", "ipa = 0.3d0 + 0.1d0*sin({x}(1))"),
        ("ipb", "real(8) :: ipb(6)", "ipb = 2.5d0 + 0.1d0*cos({x}(n))"),
        ("ipc", "real(8) :: ipc(6)", "ipc = 0.2d0"),
        ("ipd", "real(8) :: ipd(6)", "ipd = 0.5d0\nipd(2) = sin({x}(1))"),
    ],
    statements: &[
        "{do {m} = 2, 6
ipd({m}) = ipd({m}) - ipa({m})*ipd({m} - 1)
end do
|}{ipd(6) = ipd(6)/ipb(6)
|ipd(6) = 0.3d0*ipd(6)
|}do {m} = 5, 1, -1
ipd({m}) = {(ipd({m}) - ipc({m})*ipd({m} + 1))/ipb({m})|ipd({m})/(2 + ipb({m})*ipd({m} + 1)**2)|{t}*ipd({m})/(3 + ipd({m} + 1)**2)}
end do",
        "do {m} = 2, 6
ipb({m}) = 2.5d0 + sin(ipb({m}))*0.3d0 - ipa({m})*ipc({m} - 1)/ipb({m} - 1)
ipd({m}) = ipd({m}) - ipa({m})/ipb({m} - 1)*ipd({m} - 1)
end do
ipd(6) = ipd(6)/ipb(6)
do {m} = 5, 1, -1
ipd({m}) = (ipd({m}) - ipc({m})*ipd({m} + 1))/ipb({m})
end do",
        "do {m} = 1, 5
ipd({m}) = {0.4d0*exp(0.1d0*ipd({m})*ipd({m} + 1))|0.3d0*sqrt(1 + ipd({m})**2 + ipd({m} + 1)**2)|tanh(ipd({m})*ipd({m} + 1) + {t})}
{ipa({m}) = sin(ipa({m})*ipd({m}))
|}end do",
        "do {m} = 1, 6
ipc({m}) = sin(ipc({m})*{ipd({m})|ipd(7 - {m})} + ipa({m}))*0.3d0
end do",
    ],
    observed: &["sum(ipd*[2, 1, 4, 3, 6, 5])", "sum(ipa - ipb*ipc)"],
    ..NONE
}];
