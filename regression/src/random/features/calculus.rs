//! Expressions that optimisers of derivative code meet: loop-invariant elements, sums and products of the same operands in
//! every combination; powers at zero.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "combinations",
        // Its elements exist whatever n is, so that optimisers may touch them where loops over n elements don't run.
        locals: &[("cbe", "real(8) :: cbe(2)", "cbe = [{x}(1), {x}(n)]")],
        statements: &[
            "{A} = {S}(cbe({1|2}){*|+}{b} {+|-|*} {|0.3d0*}sum({b}))",
            "{A} = {S}((cbe(1) {+|-} {B}){*|+}{b} {+|-} 0.2d0*sum({B}{|*cbe(2)}))",
            "cbe({1|2}) = sin({t}{*|+}cbe({1|2}) {+|-} sum({A}{*|+}cbe(2)))",
            "{A} = {S}({B}({1|n|{i}}){*|+|-}{b} {+|-|*} 0.3d0*sum({b}))",
            "{A} = {S}(0.2d0*{A}({1|n|{i}})*{b} + {A} {+|*} {B}({1|n|{i}}))",
            "{A} = sin({B}{*|+|-}{B}({1|n}) {+|*} sum({B}{|*{b}}))",
            "{A} = {S}({A}*{B}({1|n|{i}})/(1d0 + {B}({1|n})**2) + 0.1d0*sum({A})*{B})",
            "{A} = {S}(({B} {-|+} sum({B})/n){*|+}cos({B}({1|n|{i}})) {*|+} {t})",
            "{t} = sin(sum({A}){*|+}sum({A}**2) {+|-} {A}({1|n|{i}})*sum({B}{*|+}{A}))",
            "{t} = sin({t}*{t} + {t}*{l} {+|-} {l}*{t}{|**2})",
            "{A} = {S}({t}*{B} {+|-} {t}*{A}({1|n|{i}}) {+|*} cos({t}))",
        ],
        observed: &["cbe(1)*cbe(2)"],
        ..NONE
    },
    Feature {
        name: "combinations_in_loops",
        locals: &[("cbl", "real(8) :: cbl(2)", "cbl = [{x}(n), {x}(1)]")],
        statements: &[
            "{t} = 0d0\ndo {m} = 1, n\n{t} = {t} + 0.3d0*{B}({m})\nend do
do {m} = 1, n\n{A}({m}) = {S}(cbl({1|2}){*|+}{B}({m}) {+|-} {t})\nend do",
            "{t} = 0d0\ndo {m} = 1, n\n{t} = {t} + 0.3d0*{B}({m})\nend do
do {m} = 1, n\n{A}({m}) = sin({B}({1|n|{i}}){*|+}{B}({m}) {+|*} {t})\nend do",
            "do {m} = 1, n\n{A}({m}) = sin({A}({m}){*|+}{B}({1|n|{p}}) {+|-} {t}*{B}({m}))\n{t} = sin({t}{+|*}{A}({1|n|{m}}))
end do",
            "do {m} = 2, n\n{A}({m}) = {S}(cos({A}({m}-1){*|+}{A}({1|n})) {+|*} {B}({1|{m}|{m}-1}))\nend do",
            "do {m} = 1, n\n{t} = sin({t}{+|*}{A}({m})*{A}({1|n}))\n{A}({1|n|{m}}) = sin({t} {+|*} {B}({m}))\nend do",
            "do {m} = 1, n\n{A}({1|n|{p}}) = sin({A}({1|n|{p}}){+|*}{B}({m}))\n{B}({m}) = sin({A}({1|n|{m}})*{t})\nend do",
            "do {m} = 1, n-1\n{t} = sin({t}{+|*}{B}({m}+1))\n{A}({m}) = {t}*{B}({1|n|{m}}) {+|-} {t}*{A}({1|n|{m}+1})*0.1d0
{A}({m}) = sin({A}({m}))\nend do",
        ],
        observed: &["cbl(1)*cbl(2)"],
        ..NONE
    },
    Feature {
        name: "power_at_zero",
        locals: &[
            ("pzz", "real(8) :: pzz", "pzz = max({x}(1) - 5d0, 0d0)"),
            ("pze", "real(8) :: pze", "pze = 0.5d0"),
        ],
        module: &[("pzt", "real(8), parameter :: pzt = 1d0/3d0", "")],
        statements: &[
            "{t} = sin({t} + pzz**{pzt|0.3333d0|(1./3.)|pze|2|0|1.5d0})",
            "{t} = sin({t} + min(pzz, pzz**{pzt|pze|0.5d0}) + {l})",
            "{t} = sin({t}*{l} + sqrt(pzz))",
            "{t} = sin({t} + (pzz*{t})**{pzt|pze|3})",
            "pzz = max({e} - 50d0, 0d0)",
            "{A} = sin({a} + max({A} - 50d0, 0d0)**{pzt|pze|0.4d0})",
        ],
        observed: &["pzz*s1"],
        ..NONE
    },
    Feature {
        name: "dimensions_by_name",
        module: &[("dnr", "integer, parameter :: dnr = 1", "")],
        locals: &[("dnm", "real(8) :: dnm(3, 2)", "dnm(:, 1) = {x}(1)*[0.2d0, 0.3d0, 0.5d0]\ndnm(:, 2) = {x}(n)*[0.4d0, 0.1d0, 0.6d0]")],
        statements: &[
            "dnm(1, :) = sin({sum|product|maxval|minval}(dnm, dim={dnr|2*dnr-1})*{l})",
            "dnm(:, 2) = cos({sum|product|maxval|minval}(dnm, {dnr+1|3-dnr})*{l} + {e})",
            "dnm = {cshift|eoshift}(dnm, {1|-1}, dim={dnr|dnr+1})*{S}({l})",
            "dnm = sin(dnm + spread(dnm(:, 1), dnr + 1, 2)*{l})",
            "{t} = sin({t}*sum(norm2(dnm, dim={dnr|dnr+1}) + 0.1d0))",
            "dnm(1:2, 1) = sin({e}*maxloc(dnm(1:2, :), dim=dnr+1))",
        ],
        observed: &["sum(dnm)", "sum(dnm(:, 1)*dnm(:, 2))"],
        ..NONE
    },
];
