//! The kernels: their arguments, sizes and goals.

use crate::kernel::{Array, Fill, Kernel};

/// An array whose first values count.
pub(crate) const fn input(name: &'static str, shape: &'static [(&'static str, i64)], fill: Fill) -> Array {
    Array { name, shape, fill, input: true }
}

const fn scratch(name: &'static str, shape: &'static [(&'static str, i64)], fill: Fill) -> Array {
    Array { name, shape, fill, input: false }
}

/// A vector.
pub(crate) const N: &[(&str, i64)] = &[("n", 0)];
/// A square matrix.
pub(crate) const NN: &[(&str, i64)] = &[("n", 0), ("n", 0)];
const NNN: &[(&str, i64)] = &[("n", 0), ("n", 0), ("n", 0)];
const MN: &[(&str, i64)] = &[("m", 0), ("n", 0)];
const NM: &[(&str, i64)] = &[("n", 0), ("m", 0)];
const DN: &[(&str, i64)] = &[("d", 0), ("n", 0)];
const XY: &[(&str, i64)] = &[("nx", 0), ("ny", 0)];
const IJK: &[(&str, i64)] = &[("ni", 0), ("nj", 0), ("nk", 0)];

fn slab(at: &[i64], ints: &[i64]) -> f64 {
    (at[0] + at[1] + (ints[0] - at[2])) as f64 * 10.0 / ints[0] as f64
}

/// A sine around one half.
pub(crate) fn wave(at: &[i64], ints: &[i64]) -> f64 {
    0.5 + 0.4 * (at.iter().sum::<i64>() as f64 * 12.0 / ints[0] as f64).sin()
}

/// All kernels. Sizes are NPBench's presets of the same names, but for some large ones: hdiff takes `paper`, atax `S` and
/// arc_distance `M`.
pub(crate) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "diffusion",
        head: "kernel(f,u)/(u)",
        allow_undo: false,
        ints: &["n", "nsteps"],
        doubles: &[],
        arrays: &[input("u", N, Fill::Formula(wave))],
        sizes: [&[20000, 400]; 3],
        goal: 6.0,
        in_mean: false,
    },
    Kernel {
        name: "advection",
        head: "kernel(f,u)/(c,u)",
        allow_undo: false,
        ints: &["n", "nsteps"],
        doubles: &[],
        arrays: &[input("c", N, Fill::Random(0.9)), input("u", N, Fill::Formula(wave))],
        sizes: [&[20000, 200]; 3],
        goal: 3.5,
        in_mean: false,
    },
    Kernel {
        name: "sweep",
        head: "kernel(f,u)/(u)",
        allow_undo: false,
        ints: &["n", "nsteps"],
        doubles: &[],
        arrays: &[input("u", NN, Fill::Formula(wave))],
        sizes: [&[400, 100], &[400, 100], &[1000, 100]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "jacobi_2d",
        head: "kernel(f,a,b)/(a,b)",
        allow_undo: false,
        ints: &["n", "tsteps"],
        doubles: &[],
        arrays: &[
            input("a", NN, Fill::Formula(|at, i| at[0] as f64 * (at[1] + 2) as f64 / i[0] as f64)),
            input("b", NN, Fill::Formula(|at, i| at[0] as f64 * (at[1] + 3) as f64 / i[0] as f64)),
        ],
        sizes: [&[150, 50], &[350, 80], &[700, 200]],
        goal: 1.4,
        in_mean: true,
    },
    Kernel {
        name: "heat_3d",
        head: "kernel(f,a,b)/(a,b)",
        allow_undo: false,
        ints: &["n", "tsteps"],
        doubles: &[],
        arrays: &[input("a", NNN, Fill::Formula(slab)), input("b", NNN, Fill::Formula(slab))],
        sizes: [&[25, 25], &[40, 50], &[70, 100]],
        goal: 2.0,
        in_mean: true,
    },
    Kernel {
        name: "seidel_2d",
        head: "kernel(f,a)/(a)",
        allow_undo: false,
        ints: &["n", "tsteps"],
        doubles: &[],
        arrays: &[input("a", NN, Fill::Formula(|at, i| (at[0] as f64 * (at[1] + 2) as f64 + 2.0) / i[0] as f64))],
        sizes: [&[50, 8], &[100, 15], &[200, 40]],
        goal: 1.3,
        in_mean: true,
    },
    Kernel {
        name: "hdiff",
        head: "kernel(f,outf)/(inf,outf,coeff)",
        allow_undo: false,
        ints: &["ni", "nj", "nk"],
        doubles: &[],
        arrays: &[
            input("inf", &[("ni", 4), ("nj", 4), ("nk", 0)], Fill::Random(1.0)),
            scratch("outf", IJK, Fill::Random(1.0)),
            input("coeff", IJK, Fill::Random(1.0)),
        ],
        sizes: [&[64, 64, 60], &[128, 128, 160], &[256, 256, 160]],
        goal: 2.2,
        in_mean: true,
    },
    Kernel {
        name: "vadv",
        head: "kernel(f,utens_stage)/(utens_stage,u_stage,wcon,u_pos,utens)",
        allow_undo: false,
        ints: &["ni", "nj", "nk"],
        doubles: &[3.0 / 20.0],
        arrays: &[
            input("utens_stage", IJK, Fill::Random(1.0)),
            input("u_stage", IJK, Fill::Random(1.0)),
            // Pivots stay away from zero: rounding errors would hide wrong gradients.
            input("wcon", &[("ni", 1), ("nj", 0), ("nk", 0)], Fill::Random(0.2)),
            input("u_pos", IJK, Fill::Random(1.0)),
            input("utens", IJK, Fill::Random(1.0)),
        ],
        sizes: [&[60, 60, 40], &[112, 112, 80], &[180, 180, 160]],
        goal: 2.8,
        in_mean: true,
    },
    Kernel {
        name: "atax",
        head: "kernel(f,y)/(a,x,y)",
        allow_undo: false,
        ints: &["m", "n"],
        doubles: &[],
        arrays: &[
            input("a", MN, Fill::Formula(|at, i| ((at[0] + at[1]) % i[1]) as f64 / (5.0 * i[0] as f64))),
            input("x", N, Fill::Formula(|at, i| 1.0 + at[0] as f64 / i[1] as f64)),
            scratch("y", N, Fill::Zero),
        ],
        sizes: [&[400, 500], &[1500, 2000], &[4000, 5000]],
        goal: 1.6,
        in_mean: true,
    },
    Kernel {
        name: "gramschmidt",
        head: "kernel(f,a,q,r)/(a,q,r)",
        allow_undo: true,
        ints: &["m", "n"],
        doubles: &[],
        arrays: &[input("a", MN, Fill::Random(1.0)), scratch("q", MN, Fill::Zero), scratch("r", NN, Fill::Zero)],
        sizes: [&[70, 60], &[220, 180], &[600, 500]],
        goal: 3.0,
        in_mean: true,
    },
    Kernel {
        name: "lu",
        head: "kernel(f,a)/(a)",
        allow_undo: true,
        ints: &["n"],
        doubles: &[],
        arrays: &[input("a", NN, Fill::Definite)],
        sizes: [&[60], &[220], &[700]],
        goal: 3.5,
        in_mean: true,
    },
    Kernel {
        name: "arc_distance",
        head: "kernel(f,d)/(t1,p1,t2,p2,d)",
        allow_undo: false,
        ints: &["n"],
        doubles: &[],
        arrays: &[
            input("t1", N, Fill::Random(1.0)),
            input("p1", N, Fill::Random(1.0)),
            input("t2", N, Fill::Random(1.0)),
            input("p2", N, Fill::Random(1.0)),
            scratch("d", N, Fill::Zero),
        ],
        sizes: [&[100_000], &[1_000_000], &[1_000_000]],
        goal: 1.8,
        in_mean: true,
    },
    Kernel {
        name: "cavity_flow",
        head: "kernel(f,u,v,p)/(u,v,p)",
        allow_undo: false,
        ints: &["nx", "ny", "nt", "nit"],
        doubles: &[1.0, 0.1],
        arrays: &[
            input("u", XY, Fill::Random(0.1)),
            input("v", XY, Fill::Random(0.1)),
            input("p", XY, Fill::Random(0.1)),
        ],
        sizes: [&[61, 61, 25, 5], &[121, 121, 50, 10], &[201, 201, 100, 20]],
        goal: 4.0,
        in_mean: true,
    },
    Kernel {
        name: "fdtd_2d",
        head: "kernel(f,ex,ey,hz)/(fict,ex,ey,hz)",
        allow_undo: false,
        ints: &["nx", "ny", "tmax"],
        doubles: &[],
        arrays: &[
            input("fict", &[("tmax", 0)], Fill::Formula(|at, _| at[0] as f64)),
            input("ex", &[("ny", 0), ("nx", 0)], Fill::Formula(|at, i| (at[1] * (at[0] + 1)) as f64 / i[0] as f64)),
            input("ey", &[("ny", 0), ("nx", 0)], Fill::Formula(|at, i| (at[1] * (at[0] + 2)) as f64 / i[1] as f64)),
            input("hz", &[("ny", 0), ("nx", 0)], Fill::Formula(|at, i| (at[1] * (at[0] + 3)) as f64 / i[0] as f64)),
        ],
        sizes: [&[200, 220, 20], &[400, 450, 60], &[800, 900, 150]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "adi",
        head: "kernel(f,u)/(u)",
        allow_undo: false,
        ints: &["n", "steps"],
        doubles: &[],
        arrays: &[input("u", NN, Fill::Formula(|at, i| (at[1] + i[0] - at[0]) as f64 / i[0] as f64))],
        sizes: [&[100, 5], &[200, 20], &[500, 50]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "cholesky",
        head: "kernel(f,a)/(a)",
        allow_undo: false,
        ints: &["n"],
        doubles: &[],
        arrays: &[input("a", NN, Fill::Definite)],
        sizes: [&[100], &[300], &[900]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "trisolv",
        head: "kernel(f,x)/(l,b,x)",
        allow_undo: false,
        ints: &["n"],
        doubles: &[],
        arrays: &[
            input("l", NN, Fill::Formula(|at, i| ((at[0] + i[0] - at[1] + 1) * 2) as f64 / i[0] as f64)),
            input("b", N, Fill::Formula(|at, _| at[0] as f64)),
            scratch("x", N, Fill::Zero),
        ],
        sizes: [&[2000], &[5000], &[14000]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "gemver",
        head: "kernel(f,a,x,w)/(a,u1,v1,u2,v2,w,x,y,z)",
        allow_undo: false,
        ints: &["n"],
        doubles: &[1.5, 1.2],
        arrays: &[
            input("a", NN, Fill::Formula(|at, i| (at[0] * at[1] % i[0]) as f64 / i[0] as f64)),
            input("u1", N, Fill::Formula(|at, _| at[0] as f64)),
            input("v1", N, Fill::Formula(|at, i| (at[0] + 1) as f64 / i[0] as f64 / 4.0)),
            input("u2", N, Fill::Formula(|at, i| (at[0] + 1) as f64 / i[0] as f64 / 2.0)),
            input("v2", N, Fill::Formula(|at, i| (at[0] + 1) as f64 / i[0] as f64 / 6.0)),
            input("w", N, Fill::Zero),
            input("x", N, Fill::Zero),
            input("y", N, Fill::Formula(|at, i| (at[0] + 1) as f64 / i[0] as f64 / 8.0)),
            input("z", N, Fill::Formula(|at, i| (at[0] + 1) as f64 / i[0] as f64 / 9.0)),
        ],
        sizes: [&[1000], &[3000], &[10000]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "syrk",
        head: "kernel(f,c)/(c,a)",
        allow_undo: false,
        ints: &["m", "n"],
        doubles: &[1.5, 1.2],
        arrays: &[
            input("c", NN, Fill::Formula(|at, i| ((at[0] * at[1] + 2) % i[1]) as f64 / i[0] as f64)),
            input("a", &[("n", 0), ("m", 0)], Fill::Formula(|at, i| ((at[0] * at[1] + 1) % i[1]) as f64 / i[1] as f64)),
        ],
        sizes: [&[50, 70], &[150, 200], &[500, 600]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "conv2d_bias",
        head: "kernel(f,out)/(x,weights,bias,out)",
        allow_undo: false,
        ints: &["n", "cin", "cout", "k", "h", "w"],
        doubles: &[],
        arrays: &[
            input("x", &[("w", 0), ("h", 0), ("cin", 0), ("n", 0)], Fill::Random(1.0)),
            input("weights", &[("k", 0), ("k", 0), ("cin", 0), ("cout", 0)], Fill::Random(1.0)),
            input("bias", &[("cout", 0)], Fill::Random(1.0)),
            scratch("out", &[("w", 0), ("h", 0), ("cout", 0), ("n", 0)], Fill::Zero),
        ],
        sizes: [&[8, 3, 16, 2, 32, 32], &[8, 3, 8, 5, 64, 64], &[8, 3, 8, 10, 128, 128]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "correlation",
        head: "kernel(f,data,corr)/(data,corr)",
        allow_undo: false,
        ints: &["m", "n"],
        doubles: &[],
        arrays: &[input("data", MN, Fill::Random(1.0)), scratch("corr", &[("m", 0), ("m", 0)], Fill::Zero)],
        sizes: [&[500, 600], &[1400, 1800], &[3200, 4000]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "durbin",
        head: "kernel(f,x)/(lag,x)",
        allow_undo: false,
        ints: &["n"],
        doubles: &[],
        arrays: &[
            input("lag", N, Fill::Formula(|at, _| 0.3 / ((at[0] + 1) as f64).powi(2))),
            scratch("x", N, Fill::Zero),
        ],
        sizes: [&[1000], &[6000], &[20000]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "deriche",
        head: "kernel(f,smooth)/(image,smooth)",
        allow_undo: false,
        ints: &["columns", "length"],
        doubles: &[0.25],
        arrays: &[
            input(
                "image",
                &[("length", 0), ("columns", 0)],
                Fill::Formula(|at, _| ((313 * at[1] + 991 * at[0]) % 65536) as f64 / 65535.0),
            ),
            scratch("smooth", &[("length", 0), ("columns", 0)], Fill::Zero),
        ],
        sizes: [&[400, 200], &[1500, 1000], &[6000, 3000]],
        goal: 4.0,
        in_mean: false,
    },
    Kernel {
        name: "picard_cg",
        head: "kernel(f)/(source,data)",
        allow_undo: false,
        ints: &["n", "outer", "most"],
        doubles: &[],
        arrays: &[input("source", NN, Fill::Random(4.0)), input("data", NN, Fill::Formula(wave))],
        sizes: [&[32, 10, 400], &[100, 10, 400], &[250, 10, 400]],
        goal: 8.0,
        in_mean: false,
    },
    BURGERS,
    Kernel { name: "burgers checkpoint snapshots(30)", goal: 7.4, ..BURGERS },
    Kernel { name: "burgers checkpoint snapshots(150)", goal: 6.0, ..BURGERS },
    Kernel { name: "burgers checkpoint snapshots(30, 120)", goal: 6.6, ..BURGERS },
    Kernel { name: "burgers checkpoint schedule(two-level) snapshots(99)", goal: 6.0, ..BURGERS },
    Kernel { name: "burgers checkpoint schedule(two-level) snapshots(0, 99)", goal: 6.6, ..BURGERS },
    PERCEPTRON,
    Kernel { name: "perceptron checkpoint schedule(store-all)", ..PERCEPTRON },
    Kernel {
        name: "attention",
        head: "kernel(f)/(q,k,v)",
        allow_undo: false,
        ints: &["d", "n"],
        doubles: &[],
        arrays: &[
            input("q", DN, Fill::Random(1.0)),
            input("k", DN, Fill::Random(1.0)),
            input("v", DN, Fill::Random(1.0)),
        ],
        sizes: [&[16, 60], &[64, 300], &[64, 1000]],
        goal: 3.5,
        in_mean: false,
    },
    Kernel {
        name: "likelihood",
        head: "kernel(f)/(x,s,y)",
        allow_undo: false,
        ints: &["d", "n"],
        doubles: &[],
        arrays: &[
            input("x", DN, Fill::Random(1.0)),
            input("s", &[("d", 0)], Fill::Random(2.0)),
            input("y", N, Fill::Random(1.0)),
        ],
        sizes: [&[3, 60], &[4, 250], &[6, 800]],
        goal: 4.0,
        in_mean: false,
    },
    IMPLICIT,
    Kernel { name: "implicit checkpoint schedule(store-all)", ..IMPLICIT },
    KALMAN,
    Kernel { name: "kalman checkpoint schedule(store-all)", ..KALMAN },
];

/// Without a directive: blocks.
const BURGERS: Kernel = Kernel {
    name: "burgers",
    head: "kernel(f,u)/(u)",
    allow_undo: false,
    ints: &["n", "nsteps"],
    doubles: &[],
    arrays: &[input("u", N, Fill::Formula(wave))],
    sizes: [&[500, 10000], &[4000, 10000], &[4000, 10000]],
    goal: 6.0,
    in_mean: false,
};

/// Layers of matrix products, also with all states stored.
const PERCEPTRON: Kernel = Kernel {
    name: "perceptron",
    head: "kernel(f)/(w,b,x)",
    allow_undo: false,
    ints: &["n", "m", "layers"],
    doubles: &[],
    arrays: &[
        input("w", &[("n", 0), ("n", 0), ("layers", 0)], Fill::Formula(|at, i| wave(at, i) * 2.0 / i[0] as f64)),
        input("b", &[("n", 0), ("layers", 0)], Fill::Random(0.1)),
        input("x", NM, Fill::Random(1.0)),
        input("t", NM, Fill::Random(1.0)),
    ],
    sizes: [&[50, 30, 4], &[150, 100, 6], &[300, 200, 8]],
    goal: 3.5,
    in_mean: false,
};

/// Steps that solve tridiagonal systems, also with all states stored.
const IMPLICIT: Kernel = Kernel {
    name: "implicit",
    head: "kernel(f,u)/(u)",
    allow_undo: false,
    ints: &["n", "nsteps"],
    doubles: &[],
    arrays: &[input("u", N, Fill::Formula(wave))],
    sizes: [&[500, 40], &[2000, 100], &[10000, 200]],
    goal: 3.5,
    in_mean: false,
};

/// A filter of products and solves, also with all states stored.
const KALMAN: Kernel = Kernel {
    name: "kalman",
    head: "kernel(f)/(a,q,y)",
    allow_undo: false,
    ints: &["n", "nsteps"],
    doubles: &[],
    arrays: &[
        input(
            "a",
            NN,
            Fill::Formula(|at, i| f64::from(u8::from(at[0] == at[1])) * 0.5 + 0.3 * wave(at, i) / i[0] as f64),
        ),
        input("q", N, Fill::Random(1.0)),
        input("y", &[("n", 0), ("nsteps", 0)], Fill::Random(1.0)),
    ],
    sizes: [&[30, 10], &[100, 20], &[200, 30]],
    goal: 3.5,
    in_mean: false,
};
