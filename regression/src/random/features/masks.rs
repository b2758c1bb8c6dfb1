//! Masks and subscripts that are evaluated before what is assigned under them.

use super::{Feature, NONE};

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "where_of_integers",
        locals: &[
            ("mkl", "integer :: mkl({n})", "mkl = 2\nmkl(1) = 1"),
            ("mkd", "logical :: mkd({n})", "mkd = {x} > 0.3d0"),
        ],
        statements: &[
            "where ({A} > 0.1d0) mkl = {1|2|3}",
            "where (mkl == {1|2|3} .and. {a} > -0.2d0)\nmkl = mkl(n:1:-1)\n{A} = sin({A}*{l})\nelsewhere\nmkl = max(1, mkl - 1)\nend where",
            "where (.not. mkd)\nmkd = {A} > 0.2d0\nelsewhere (mkl > 1)\nmkd = mkl(n:1:-1) < 3\nend where",
            "where (mkd) {A} = sin({a}*mkl)",
            "{A} = sin({A}*mkl + {l})",
        ],
        observed: &["sum(mkl)*s1", "count(mkd)*s2"],
        ..NONE
    },
    Feature {
        name: "concurrent_masks",
        locals: &[("cmv", "real(8) :: cmv({n})", "cmv = 0.3d0*{x}")],
        arrays: &["cmv"],
        statements: &[
            "do concurrent ({m} = 2:n, cmv({m} - 1) > 0.1d0)\ncmv({m}) = sin(cmv({m})*{l})\nend do",
            "do concurrent ({m} = n:1:-1, cmv(n + 1 - {m}) < {0.4d0|0.2d0})\ncmv({m}) = cos({B}({m})*0.3d0 + cmv({m}))\nend do",
            "do concurrent ({m} = 1:n, sum(cmv) > {B}({m}))\ncmv({m}) = sin({B}({m}))\nend do",
        ],
        ..NONE
    },
    Feature {
        name: "forall_subscripts",
        locals: &[("fsp", "integer :: fsp({n})", "do i0 = 1, n\n  fsp(i0) = n + 1 - i0\nend do")],
        statements: &[
            "forall ({m} = 1:n) fsp(fsp({m})) = fsp(n + 1 - {m})",
            "forall ({m} = 1:n, {A}(n) > 0.1d0) fsp(fsp(n + 1 - {m})) = fsp({m})",
            "forall ({m} = 1:n) {A}(fsp({m})) = sin({A}({m})*{l})",
            "forall ({m} = 1:n, {A}(fsp({m})) > 0.2d0) {A}(fsp({m})) = {A}({m})*0.9d0",
            "{A} = {A}(fsp)",
            "{t} = sin({t} + {A}(fsp({1|n|{p}})))",
        ],
        observed: &["fsp(1)*s1"],
        ..NONE
    },
    Feature {
        name: "masks_by_reduction",
        locals: &[("mra", "real(8) :: mra(3, {n})", "mra = spread({x}, 1, 3)\nmra(2, :) = 0.5d0 - {x}")],
        statements: &[
            "{t} = sin(sum(mra({1|2|3}, :)**2, mask={maxval|sum|minval}(mra, 1) > 0.2d0) + {l})",
            "{t} = {cos|sin}({maxval|product|minval}(mra(1, :)*{l}, mask=norm2(mra, 1) > 0.3d0 .or. mra(1, :) > -9))",
            "mra({1|2|3}, :) = sin({a})",
            "mra(:, 1) = sin(mra(:, n)*{l})",
            "{A} = sin({A} + {sum|product}(mra**2, 1, mask=spread(sum(mra, 2), 2, n) > 0.3d0))",
        ],
        observed: &["sum(mra(:, n))", "sum(mra(2, :)**2)"],
        ..NONE
    },
];
