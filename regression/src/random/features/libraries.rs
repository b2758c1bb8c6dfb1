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

const WORK: &[Entity] = &[
    TABLES[0],
    TABLES[1],
    TABLES[4],
    TABLES[5],
    TABLES[6],
    ("lgs", "real(8) :: lgs(4, 3)", "lgs = 0.1d0"),
    ("lgt", "real(8) :: lgt(3)", "lgt = 0.2d0"),
    ("lgq", "real(8) :: lgq(200)", "lgq = 0.1d0"),
];

/// The last three are private where they are used.
const SHARED: &[Entity] = &[
    TABLES[0],
    TABLES[1],
    TABLES[2],
    TABLES[3],
    TABLES[4],
    TABLES[5],
    TABLES[6],
    ("lgf", "real(8) :: lgf(3, 3)", ""),
    ("lgg", "real(8) :: lgg(3)", ""),
    ("lgk", "integer :: lgk", ""),
];

const COMPLEX: &[Entity] = &[
    TABLES[5],
    TABLES[6],
    ("lgz", "complex(8) :: lgz(3, 3)", "lgz = (0.3d0, 0.1d0)"),
    ("lgy", "complex(8) :: lgy(3, 3)", "lgy = cmplx(0.2d0, {x}(1), 8)"),
    ("lgx", "complex(8) :: lgx(6)", "lgx = cmplx(0.3d0*{x}(1), 0.4d0, 8)"),
];

const COMPLEX_FUNCTIONS: &[Entity] = &[
    ("zdotu", "complex(8), external :: zdotu", ""),
    ("zdotc", "complex(8), external :: zdotc", ""),
    ("dznrm2", "real(8), external :: dznrm2", ""),
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
            "call dsyr('{u|l}', {3|2|0}, {0.5d0|{t}}, lgv({1|4}), {1|-1}, lga, 3)\nlga = sin(lga)",
            "call dsyr2('{u|l}', 3, {0.5d0|{t}}, lgv({1|4}), {1|-1}, lgw, 1, lga, 3)\nlga = sin(lga)",
            "call dsyr2k('{u|l}', '{n|t}', 3, 2, {0.4d0|{t}}, lga, 3, lgc, 3, {0d0|0.5d0}, lgb, 3)\nlgb = sin(lgb)",
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
    Feature {
        name: "library_shared_out",
        locals: SHARED,
        statements: &[
            "!$omp parallel do {|schedule(dynamic) }private(lgf, lgg, lgi, lgn, lgk)
do {m} = 1, 3
do lgk = 1, 3
lgf(:, lgk) = 0.2d0*sin(lgw*{m} + lgk*{t})
lgf(lgk, lgk) = 2d0
end do
lgg = lgv({m}:{m} + 2)
call dgesv(3, 1, lgf, 3, lgi, lgg, 3, lgn)
lgb(:, {m}) = lgg{*lgb(:, {m})|}
end do
lgi = 1
lgn = 0",
            "!$omp parallel do
do {m} = 1, {3|2}
call dgemv('{n|t}', 3, 3, {0.5d0|{t}}, lga, 3, lgb({1, {m}|:, {m}}), 1, {0d0|0.5d0}, lgc(1, {m}), 1)
lgb(2, {m}) = sin(lgb(2, {m}) + lgc({1|3}, {m}))
end do",
            "!$omp parallel do private(lgf)
do {m} = 1, 3
lgf = {t}
call dger(3, 2, {0.5d0|{l}}, lgb(:, {m}), 1, lgw, 1, lgf, 3)
lgc(:, {m}) = sin(lgf(:, {1|2|3}) + lgb(:, {m}))
end do",
        ],
        observed: &["sum(lgb*lga)", "sum(lgc(:, 2)*[3, 1, 2])"],
        ..NONE
    },
    Feature {
        name: "library_factors",
        locals: WORK,
        statements: &[
            "do {m} = 1, 3\nlgs(:3, {m}) = 0.3d0*sin(lgw*{m} + {t})\nlgs(3, {m}) = 2d0\nlgs(4, {m}) = {1d0|3d0}\nend do
call dgbsv(3, 1, 1, 1, lgs, 4, lgi, lgw, 3, lgn)\nlgw = sin(lgw)",
            "do {m} = 1, 3\nlgs({m}, :) = 0.3d0*sin(lgw + {t}*{m})\nend do\nlgs(3, :) = 2d0
call dgbtrf(3, 3, 1, 1, lgs, 4, lgi, lgn)\ndo {m} = 1, 2\nlgw = sin(lgw + {t})\ncall dgbtrs('{n|t}', 3, 1, 1, 1, lgs, 4, lgi, lgw, 3, lgn)\nend do",
            "lgs = 0.2d0*sin(lgs)\nlgs(:, 2) = 2d0\nlgs(:, 1) = {1d0|3d0}
call dgttrf(3, lgs(1, 1), lgs(1, 2), lgs(1, 3), lgt, lgi, lgn)\ncall dgttrs('{n|t}', 3, 1, lgs(1, 1), lgs(1, 2), lgs(1, 3), lgt, lgi, lgw, 3, lgn)
lgw = sin(lgw)",
            "lgs = 0.4d0*sin(lgs)\nlgt = 2d0 + 0.5d0*sin(lgt + {t})\ncall dptsv(3, 1, lgt, lgs(1, 2), lgw, 3, lgn)\nlgw = sin(lgw)",
            "do {m} = 1, 3\nlga(:, {m}) = 0.2d0*sin(lgw*{m} + {t})\nlga({m}, {m}) = 2d0\nend do
call dgeqrf(3, {3|2}, lga, 3, lgt, lgq, {64|200}, lgn)\ncall dormqr('l', '{n|t}', 3, 1, 2, lga, 3, lgt, lgw, 3, lgq, 64, lgn)",
            "do {m} = 1, 3\nlga(:, {m}) = 0.2d0*sin(lgw*{m} + {t})\nlga({m}, {m}) = 2d0\nend do
call dgeqrf(3, 2, lga, 3, lgt, lgq, 200, lgn)\ncall dorgqr(3, {3|2}, 2, lga, 3, lgt, lgq, 64, lgn)",
            "do {m} = 1, 3\nlga(:, {m}) = 0.2d0*sin(lgw*{m} + {t})\nlga({m}, {m}) = 2d0\nend do
call dgels('{n|t}', 3, 2, 1, lga, 3, lgw, 3, lgq, 200, lgn)\nlga = 0.3d0\nlgw(3) = 0.4d0",
            "do {m} = 1, 3\nlgb(:, {m}) = 0.1d0*sin(lgb(:, {m}) + {t})\nlgb({m}, {m}) = {m}\nend do
call dsyev('v', '{u|l}', 3, lgb, 3, lgw, lgq, {64|200}, lgn)\nlgw = sin(lgw)",
            "do {m} = 1, 3\nlgb(:, {m}) = 0.1d0*sin(lgb(:, {m}) + {t})\nlgb({m}, {m}) = {m}\nend do
call dsyev('n', '{u|l}', 3, lgb, 3, lgw, lgq, 200, lgn)\nlgb = 0.2d0*{t}\nlgw = sin(lgw)",
            "lgb = 0.1d0*sin(lgb)\ndo {m} = 1, 3\nlgb({m}, {m}) = 1.5d0\nend do
call dtrtrs('{u|l}', '{n|t}', '{n|u}', 3, 1, lgb, 3, lgw, 3, lgn)",
        ],
        observed: &["sum(lgw*[3, 1, 2])", "sum(lga)", "sum(lgb)", "sum(sin(lgs))", "sum(sin(lgt))"],
        ..NONE
    },
    Feature {
        name: "library_complex",
        locals: COMPLEX,
        module: COMPLEX_FUNCTIONS,
        statements: &[
            "call zaxpy({3|2|0}, cmplx({t}, {l}, 8), lgx, 1, lgx(4), {1|-1})\nlgx = 0.5d0*lgx/(1d0 + abs(lgx))",
            "call zdscal(3, {t}, lgx({1|4}), 1)\nlgx = 0.5d0*lgx/(1d0 + abs(lgx))",
            "{t} = sin(real(zdotu(3, lgx, {1|-1}, lgx(4), 1), 8) + {l})",
            "{t} = sin(aimag(zdotc(3, lgx, 1, lgx(4), 1)) + dznrm2(3, lgx, 1))",
            "call zgemv('{n|t|c}', 3, {3|2|0}, cmplx(0.5d0, {t}, 8), lgz, 3, lgx, 1, cmplx({l}, 0.5d0, 8), lgx(4), -1)
lgx = 0.5d0*lgx/(1d0 + abs(lgx))",
            "call zger{u|c}(3, 2, cmplx({t}, 0.5d0, 8), lgx, 1, lgx(4), 1, lgz, 3)\nlgz = 0.5d0*lgz/(1d0 + abs(lgz))",
            "call zgemm('{n|t|c}', '{n|t|c}', 3, {3|2}, 3, cmplx({t}, 0.5d0, 8), lgz, 3, lgz, 3, (0.3d0, 0.1d0), lgy, 3)
lgy = 0.5d0*lgy/(1d0 + abs(lgy))",
            "call z{sy|he}mm('{l|r}', '{u|l}', 3, 3, cmplx({t}, 0.5d0, 8), lgz, 3, lgz, 3, (0.3d0, 0.1d0), lgy, 3)
lgy = 0.5d0*lgy/(1d0 + abs(lgy))",
            "call zherk('{u|l}', '{n|c}', 3, 2, {t}, lgz, 3, {0d0|0.5d0}, lgy, 3)\nlgy = 0.5d0*lgy/(1d0 + abs(lgy))",
            "call ztrmv('{u|l}', '{n|t|c}', '{n|u}', 3, lgy, 3, lgx(2), 1)\nlgx = 0.5d0*lgx/(1d0 + abs(lgx))",
            "do {m} = 1, 3\nlgz(:, {m}) = 0.2d0*sin(lgx(4:6)*{m})\nlgz({m}, {m}) = (2d0, 1d0)\nend do
call zgetrf(3, 3, lgz, 3, lgi, lgn)\ncall zgetrs('{n|t|c}', 3, 1, lgz, 3, lgi, lgx, 3, lgn)",
            "do {m} = 1, 3\nlgz(:, {m}) = 0.2d0*sin(lgx(4:6)*{m})\nlgz({m}, {m}) = 2d0 + {t}**2\nend do
call zposv('{u|l}', 3, 1, lgz, 3, lgx, 3, lgn)\nlgz = 0.3d0*lgz",
        ],
        observed: &["real(sum(lgx*[1, 2, 3, 4, 5, 6]), 8)", "aimag(sum(lgx))", "real(sum(lgz*lgy), 8)", "abs(sum(lgy))"],
        ..NONE
    },
];
