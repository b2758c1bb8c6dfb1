//! The programs of the table of plans: their arguments and sizes.

use crate::kernel::{Array, Fill, Kernel};
use crate::kernels::{N, NN, input, wave};

/// What they have in common: no goal of their own.
const PLANNED: Kernel = Kernel {
    name: "",
    head: "",
    allow_undo: false,
    ints: &["n", "nsteps"],
    doubles: &[],
    arrays: &[],
    sizes: [&[], &[], &[]],
    goal: 0.0,
    in_mean: false,
};

const fn random(name: &'static str, shape: &'static [(&'static str, i64)], scale: f64) -> Array {
    input(name, shape, Fill::Random(scale))
}

const COLUMNS: &[(&str, i64)] = &[("nz", 0), ("columns", 0)];

/// All of them, in `regression/bench/plans`.
pub(crate) const PROGRAMS: &[Kernel] = &[
    Kernel {
        name: "explicit_steps",
        head: "kernel(f,u)/(u,source)",
        arrays: &[input("u", N, Fill::Formula(wave)), random("source", N, 1.0)],
        sizes: [&[500, 200], &[4000, 1000], &[4000, 4000]],
        ..PLANNED
    },
    Kernel {
        name: "tridiagonal",
        head: "kernel(f,u)/(u,k)",
        arrays: &[input("u", N, Fill::Formula(wave)), random("k", N, 2.0)],
        sizes: [&[500, 50], &[2000, 500], &[4000, 1000]],
        ..PLANNED
    },
    Kernel {
        name: "runge_kutta",
        head: "kernel(f,x)/(x,forcing)",
        arrays: &[input("x", N, Fill::Formula(wave)), random("forcing", N, 8.0)],
        sizes: [&[500, 50], &[2000, 500], &[4000, 1000]],
        ..PLANNED
    },
    Kernel {
        name: "leap_frog",
        head: "kernel(f,u,h)/(u,h)",
        arrays: &[random("u", N, 0.1), input("h", N, Fill::Formula(|_, _| 1.0))],
        sizes: [&[500, 100], &[2000, 1000], &[4000, 2000]],
        ..PLANNED
    },
    Kernel {
        name: "layered_calls",
        head: "kernel(f,t)/(t,k)",
        ints: &["n", "layers", "nsteps"],
        arrays: &[random("t", &[("n", 0), ("layers", 1)], 1.0), random("k", N, 0.1)],
        sizes: [&[100, 8, 20], &[500, 8, 100], &[1000, 10, 200]],
        ..PLANNED
    },
    Kernel {
        name: "columns",
        head: "kernel(f,t,q)/(t,q)",
        ints: &["nz", "columns", "nsteps"],
        arrays: &[random("t", COLUMNS, 1.0), random("q", COLUMNS, 1.0)],
        sizes: [&[20, 50, 10], &[40, 250, 60], &[60, 1000, 60]],
        ..PLANNED
    },
    Kernel {
        name: "relaxation",
        head: "kernel(f,u)/(u,rate)",
        ints: &["n", "nsteps", "most"],
        arrays: &[input("u", N, Fill::Formula(wave)), random("rate", N, 1.0)],
        sizes: [&[200, 10, 30], &[2000, 40, 30], &[4000, 100, 30]],
        ..PLANNED
    },
    Kernel {
        name: "two_phases",
        head: "kernel(f,u)/(u,k)",
        ints: &["n", "first", "second"],
        arrays: &[input("u", NN, Fill::Formula(wave)), random("k", NN, 0.1)],
        sizes: [&[40, 20, 30], &[150, 100, 150], &[300, 200, 300]],
        ..PLANNED
    },
    Kernel {
        name: "stages",
        head: "kernel(f,c)/(c,u,v)",
        arrays: &[
            input("c", NN, Fill::Formula(wave)),
            input("u", NN, Fill::Formula(|at, i| 0.3 * (at[1] - i[0] / 2) as f64 / i[0] as f64)),
            input("v", NN, Fill::Formula(|at, i| 0.3 * (i[0] / 2 - at[0]) as f64 / i[0] as f64)),
        ],
        sizes: [&[30, 20], &[100, 100], &[200, 200]],
        ..PLANNED
    },
    Kernel {
        name: "recurrence",
        head: "kernel(f)/(rate,food)",
        ints: &["n"],
        arrays: &[random("rate", N, 1.0), random("food", N, 1.0)],
        sizes: [&[20_000], &[1_000_000], &[4_000_000]],
        ..PLANNED
    },
];
