//! Products of matrices and vectors: real and complex, of sections, transposed, in place, of every kind of array.

use super::{Feature, NONE};

const MATRIX: (&str, &str, &str) =
    ("pxa", "real(8) :: pxa({n},{n})", "pxa = 0.2d0/n\ndo i0 = 1, n\n  pxa(i0,i0) = 0.4d0*{x}(i0)\nend do");

pub(super) const FEATURES: &[Feature] = &[
    Feature {
        name: "products",
        locals: &[
            MATRIX,
            ("pxb", "real(8) :: pxb(0:{n}-1,2:{n}+1)", "do i0 = 1, n\n  pxb(:,i0+1) = 0.2d0*{x}\nend do"),
            ("pxl", "real(8), allocatable :: pxl(:,:)", "allocate(pxl(-1:n-2,n))\npxl = 0.3d0/n"),
            ("pxv", "real(8) :: pxv(0:{n}-1)", "pxv = 0.4d0*{x}"),
        ],
        statements: &[
            "{A} = {S}(matmul({pxa|pxb|pxl|transpose(pxb)}, {B}))",
            "{A} = {S}(matmul({B}, {pxa|pxb|pxl|transpose(pxa)}))",
            "pxv = matmul({pxa|pxb}, {B})\npxv = {S}(pxv)",
            "pxv = matmul(pxv, {pxa|pxl|transpose(pxb)})\npxv = {S}(pxv)",
            "{A} = {S}({A} + 0.3d0*{l}*matmul({pxb|pxl}, {b}))",
            "pxa = matmul({pxb|pxa|pxl}, {pxl|transpose(pxb)|pxa})\npxa = {S}(pxa)",
            "pxb = matmul({transpose(pxa)|pxl|pxa + pxb}, {pxa|sin(pxl)})\npxb = {S}(pxb + {l})",
            "pxl = {S}(0.3d0*matmul(pxa, {transpose(pxl)|pxb*{l}}))",
            "pxl = matmul(pxb, {pxa|transpose(pxa)})\npxl = {S}(pxl)",
            "pxa(:,n) = matmul(pxb, pxa(:,1))\npxa = {S}(pxa)",
            "pxa(1,:) = 0.4d0*matmul(pxa(n,:), pxl)",
            "pxb(0,:) = matmul(pxv, pxb)\npxb = {S}(pxb)",
            "pxv(0:n/2-1) = {S}(0.3d0*matmul(pxa(1:n/2,:), {B}))",
            "pxv(n/2:) = 0.4d0*matmul(pxb(n/2:,2:n/2+1), pxv(:n/2-1))",
            "do {m} = 1, n\npxa(:,{m}) = 0.4d0*matmul(pxb, pxa(:,{1|{m}}))\npxv = {S}(pxv + matmul(pxa, pxv)*{l})\nend do",
            "do {m} = 1, 2\npxv = matmul(pxa, pxv)\npxv = {S}(pxv)\npxa(:,{1|n}) = 0.5d0*pxa(:,1) + pxv/n\nend do",
            "{t} = sin({t} + dot_product(pxv, matmul(pxa, {b})))",
            "where (matmul(pxa, {b}) > 0.1d0) {A} = {S}(matmul({B}, pxl))",
        ],
        observed: &["sum(pxa)", "sum(pxb)", "sum(pxv)", "sum(pxl)"],
        ..NONE
    },
    Feature {
        name: "complex_products",
        locals: &[
            MATRIX,
            (
                "pxc",
                "complex(8) :: pxc({n},{n})",
                "pxc = (0.2d0,0.1d0)/n\ndo i0 = 1, n\n  pxc(i0,i0) = cmplx(0.3d0*{x}(i0), 0.2d0*{x}(1), 8)\nend do",
            ),
            ("pxz", "complex(8) :: pxz({n})", "pxz = cmplx(0.3d0*{x}, 0.1d0, 8)"),
            ("pxs", "real(4) :: pxs({n},{n})", "pxs = 0.25/n"),
        ],
        statements: &[
            "pxz = matmul({pxc|transpose(pxc)|conjg(pxc)|pxa}, pxz)\npxz = pxz/(1d0 + abs(pxz))",
            "pxz = 0.4d0*matmul({pxz|{B}}, {pxc|transpose(pxc)})\npxz = pxz/(1d0 + abs(pxz))",
            "pxc = matmul({pxc|pxa}, {transpose(pxc)|pxa|conjg(transpose(pxc))})*cmplx({l}, 0.2d0, 8)\npxc = pxc/(1d0 + abs(pxc))",
            "pxc(:,n) = matmul(pxa, pxc(:,1))\npxc = pxc/(1d0 + abs(pxc))",
            "pxz = 0.5d0*matmul(pxs, pxz) + {b}\npxz = pxz/(1d0 + abs(pxz))",
            "{A} = {S}(matmul(real(pxs, 8), {B}) + aimag(matmul(pxc, pxz)))",
            "{A} = {S}(matmul(pxs, {B}))",
            "pxa = matmul(pxa, pxs)\npxa(:,1) = 0.3d0*{B}",
        ],
        observed: &["sum(pxa)", "real(sum(pxc))", "aimag(sum(pxc*pxc))", "aimag(sum(pxz))", "real(sum(pxz))"],
        ..NONE
    },
];
