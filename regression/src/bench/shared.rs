//! The parallel kernels: their arguments, sizes and goals.

use crate::kernel::{Array, Fill, Kernel};
use crate::kernels::{KERNELS, input};

/// A kernel that directives share out among threads, in `regression/bench/parallel`.
pub(crate) struct Shared {
    /// What it is given.
    pub(crate) kernel: &'static Kernel,
    /// The ratio of gradient to primal time to reach with the same number of threads.
    pub(crate) goal: f64,
}

/// Kernels with the arguments and sizes of those without directives.
const STENCILS: [&str; 5] = ["jacobi_2d", "heat_3d", "hdiff", "vadv", "fdtd_2d"];

/// All of them.
pub(crate) fn kernels() -> Vec<Shared> {
    let known = STENCILS.iter().filter_map(|name| KERNELS.iter().find(|k| k.name == *name));
    known
        .chain([&HYDRODYNAMICS, &HYDRODYNAMICS_ASKED, &DOCKING])
        .map(|kernel| Shared { kernel, goal: kernel.goal })
        .collect()
}

/// Places, radius, charge and hydrophobicity of atoms: numbers without order, in a cube around the origin.
const fn atoms(name: &'static str, shape: &'static [(&'static str, i64)], values: fn(&[i64], &[i64]) -> f64) -> Array {
    input(name, shape, Fill::Formula(values))
}

/// A number between 0 and 1 that looks random.
fn scattered(at: &[i64]) -> f64 {
    (43758.5453 * (78.233 * (at[0] * 7 + at[1] * 13 + 1) as f64).sin()).rem_euclid(1.0)
}

/// A value of an atom in a cube of this half width.
fn atom(at: &[i64], half: f64) -> f64 {
    match at[0] {
        0..3 => half * (2.0 * scattered(at) - 1.0),
        3 => 1.0 + 0.7 * scattered(at),
        4 => 2.0 * scattered(at) - 1.0,
        _ => scattered(at),
    }
}

static DOCKING: Kernel = Kernel {
    name: "docking",
    head: "kernel(f,energy)/(poses)",
    allow_undo: false,
    ints: &["nposes", "nligand", "nprotein"],
    doubles: &[],
    arrays: &[
        input("poses", &[("", 6), ("nposes", 0)], Fill::Random(6.0)),
        atoms("ligand", &[("", 6), ("nligand", 0)], |at, _| atom(at, 3.0)),
        atoms("protein", &[("", 6), ("nprotein", 0)], |at, _| atom(at, 12.0)),
        Array { name: "energy", shape: &[("nposes", 0)], fill: Fill::Zero, input: false },
    ],
    sizes: [&[64, 10, 100], &[256, 26, 400], &[1024, 26, 900]],
    goal: 2.5,
    in_mean: false,
};

static HYDRODYNAMICS_ASKED: Kernel = Kernel { name: "hydrodynamics with its directives", ..HYDRODYNAMICS };

const HYDRODYNAMICS: Kernel = Kernel {
    name: "hydrodynamics",
    head: "kernel(f)/(shift,v,e)",
    allow_undo: false,
    ints: &["m", "nelements", "nnodes", "nsteps"],
    doubles: &[0.3],
    arrays: &[
        input("shift", &[("", 3), ("nnodes", 0)], Fill::Random(0.2)),
        input("v", &[("", 3), ("nnodes", 0)], Fill::Random(0.2)),
        input("e", &[("nelements", 0)], Fill::Formula(|at, _| 1.5 + 0.5 * (0.1 * at[0] as f64).sin())),
    ],
    sizes: [&[8, 512, 729, 10], &[16, 4096, 4913, 20], &[30, 27000, 29791, 20]],
    goal: 3.0,
    in_mean: false,
};
