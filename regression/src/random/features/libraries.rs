//! Procedures of BLAS and LAPACK, on arrays of their own. Matrices are made such that they can be solved with right before that.

use super::{Entity, Feature, NONE};

const TABLES: &[Entity] = &[
    ("lga", "real(8) :: lga(3, 3)", "lga = 0.3d0"),
    ("lgb", "real(8) :: lgb(3, 3)", "lgb = 0.2d0*{x}(1)"),
    ("lgc", "real(8) :: lgc(3, 3)", "lgc = 0.1d0"),
    ("lgv", "real(8) :: lgv(6)", "lgv = [0.5d0, {x}(1), 0.3d0, 0.2d0, {x}(n), 0.1d0]"),
    ("lgw", "real(8) :: lgw(3)", "lgw = [0.4d0, 0.2d0, 0.5d0*{x}(1)]"),
    ("lgi", "integer :: lgi(3)", "lgi = 1"),
    ("lgn", "integer :: lgn", "lgn = 0"),
];

const FUNCTIONS: &[Entity] = &[
    ("ddot", "real(8), external :: ddot", ""),
    ("dnrm2", "real(8), external :: dnrm2", ""),
    ("idamax", "integer, external :: idamax", ""),
];

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "library_vectors",
        locals: TABLES,
        module: FUNCTIONS,
        statements: &[
            "call daxpy({3|2|0}, {0.5d0|{t}|0.3d0*{l}}, lgw, 1, lgv({1|4}), {1|-1})",
            "call daxpy(3, {0.4d0|{t}}, lgv(1), 1, lgv(4), 1)\nlgv = sin(lgv)",
            "call dscal({3|2|0}, {t}, lgv({1|2|4}), 1)",
            "call dcopy(3, lgv({1|2}), 2, lgw, {1|-1})",
            "call dswap(3, lgv, 2, lgw, 1)",
            "call drot(3, lgv(4), 1, lgw, 1, cos({t}), sin({t}))",
            "{t} = sin(ddot(3, lgv, {1|2|-1}, lgw, 1) + {l})",
            "{t} = sin({t}*ddot(3, lgw, 1, lgw, 1))",
            "{t} = sin({t} + dnrm2(3, [lgw(1), 0.5d0, {l}], 1))",
            "if (ddot(2, lgw, 1, lgv, 1) > {l}) then\n{t} = sin({t} + lgv(idamax(6, lgv, 1)))\nend if",
            "do {m} = 1, 3\ncall daxpy(3 - {m}, lgw({m}), lgv({m}), 1, lgv(4), 1)\nlgv({m}) = sin(lgv({m}) + ddot({m}, lgw, 1, lgv, 1))\nend do
lgv = sin(lgv)",
        ],
        observed: &["sum(lgv*[1, 2, 3, 4, 5, 6])", "sum(lgw*[3, 1, 2])"],
        ..NONE
    },
    Feature {
        name: "library_matrices",
        locals: TABLES,
        statements: &[
            "call dgemv('{n|t}', 3, {3|2|0}, {0.5d0|{t}}, lga, 3, lgw, 1, {0d0|0.5d0|{t}}, lgv, 2)\nlgv = sin(lgv)",
            "call dger(3, 2, {0.5d0|{t}}, lgw, 1, lgv({1|4}), 1, lga, 3)\nlga = sin(lga)",
            "lgc = lgb\ncall dgemm('{n|t}', '{n|t}', 3, {3|2}, 3, {0.5d0|{t}}, lga, 3, lgb, 3, {0d0|0.3d0}, lgc, 3)\nlgb = sin(lgc)",
            "call dsymv('{u|l}', 3, {0.5d0|{t}}, lga, 3, lgw, 1, 0.3d0, lgv(4), -1)\nlgv = sin(lgv)",
            "call dsyrk('{u|l}', '{n|t}', 3, 2, 0.4d0, lga, 3, {0d0|0.5d0}, lgb, 3)\nlgb = sin(lgb)",
            "call dtrmv('{u|l}', '{n|t}', '{n|u}', 3, lga, 3, lgv(2), 1)\nlgv = sin(lgv)",
        ],
        observed: &["sum(lga(:, 1)*lgw)", "sum(lgb(2, :)*lgw)", "sum(lgv)"],
        ..NONE
    },
    Feature {
        name: "library_solvers",
        locals: TABLES,
        statements: &[
            "do {m} = 1, 3\nlga(:, {m}) = 0.2d0*sin(lgw*{m} + {t})\nlga({m}, {m}) = 2d0 + 0.5d0*sin({l})\nend do
call dgesv(3, {1|0}, lga, 3, lgi, lgv({1|4}), 3, lgn)",
            "do {m} = 1, 3\nlga(:, {m}) = 0.2d0*sin(lgv(4:6)*{m})\nlga({m}, {m}) = 2d0\nend do
call dgetrf(3, 3, lga, 3, lgi, lgn)\ndo {m} = 1, 2\nlgw = sin(lgw + {t})\ncall dgetrs('{n|t}', 3, 1, lga, 3, lgi, lgw, 3, lgn)\nend do",
            "lgb = 0.1d0*sin(lgb)\ndo {m} = 1, 3\nlgb({m}, {m}) = 1d0 + 0.3d0*lgw({m})**2/(1d0 + lgw({m})**2)\nend do
call dposv('{u|l}', 3, 2, lgb, 3, lgv, 3, lgn)",
            "lgb = 0.1d0*sin(lgb + {t})\ndo {m} = 1, 3\nlgb({m}, {m}) = 1d0\nend do\ncall dpotrf('{u|l}', 3, lgb, 3, lgn)\nlgw = lgw*lgb(2, 2)",
            "lgb = 0.1d0*sin(lgb)\ndo {m} = 1, 3\nlgb({m}, {m}) = 1.5d0\nend do
call dtrsv('{u|l}', '{n|t}', 'n', 3, lgb, 3, lgw, 1)",
            "lga = sin(lga)\nlga(:, 2) = 3d0 + 0.2d0*lga(:, 2)\ncall dgtsv(3, 1, lga(1, 1), lga(1, 2), lga(1, 3), lgw, 3, lgn)
lga = 0.3d0",
        ],
        observed: &["sum(lgw*[3, 1, 2])", "sum(lgv)", "sum(lga)", "sum(lgb)"],
        ..NONE
    },
];
