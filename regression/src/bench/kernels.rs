//! The kernels: what they are given, and how large.

/// A kernel of `regression/bench`.
pub(crate) struct Kernel {
    /// Its folder.
    pub(crate) name: &'static str,
    /// What is differentiated.
    pub(crate) head: &'static str,
    /// Integer arguments, in order.
    pub(crate) ints: &'static [&'static str],
    /// Real scalar arguments, in order.
    pub(crate) doubles: &'static [f64],
    /// Array arguments, in order.
    pub(crate) arrays: &'static [Array],
    /// Values of the integers: small, medium, large.
    pub(crate) sizes: [&'static [i64]; 3],
    /// The ratio of gradient to primal time to reach, and what Tapenade 3.16 reaches.
    pub(crate) goal: Option<(f64, &'static str)>,
}

/// An array argument.
pub(crate) struct Array {
    /// Its name.
    pub(crate) name: &'static str,
    /// Extents as `integer + constant`.
    pub(crate) shape: &'static [(&'static str, i64)],
    /// Its values.
    pub(crate) fill: Fill,
    /// False for an array that the kernel overwrites before use.
    pub(crate) input: bool,
}

/// Where an array's values come from.
pub(crate) enum Fill {
    /// All zero.
    Zero,
    /// Uniform in `0..scale`.
    Random(f64),
    /// A function of the indices (from 0) and the kernel's integers.
    Formula(fn(&[i64], &[i64]) -> f64),
    /// `a a^T` of a unit lower triangle, for a factorisation without pivoting.
    Definite,
}

const fn input(name: &'static str, shape: &'static [(&'static str, i64)], fill: Fill) -> Array {
    Array { name, shape, fill, input: true }
}

const fn scratch(name: &'static str, shape: &'static [(&'static str, i64)], fill: Fill) -> Array {
    Array { name, shape, fill, input: false }
}

const N: &[(&str, i64)] = &[("n", 0)];
const NN: &[(&str, i64)] = &[("n", 0), ("n", 0)];
const NNN: &[(&str, i64)] = &[("n", 0), ("n", 0), ("n", 0)];
const MN: &[(&str, i64)] = &[("m", 0), ("n", 0)];
const XY: &[(&str, i64)] = &[("nx", 0), ("ny", 0)];
const IJK: &[(&str, i64)] = &[("ni", 0), ("nj", 0), ("nk", 0)];

fn slab(at: &[i64], ints: &[i64]) -> f64 {
    (at[0] + at[1] + (ints[0] - at[2])) as f64 * 10.0 / ints[0] as f64
}

fn wave(at: &[i64], ints: &[i64]) -> f64 {
    0.5 + 0.4 * (at.iter().sum::<i64>() as f64 * 12.0 / ints[0] as f64).sin()
}

/// All kernels.
pub(crate) const KERNELS: &[Kernel] = &[
    Kernel {
        name: "diffusion",
        head: "kernel(f,u)/(u)",
        ints: &["n", "nsteps"],
        doubles: &[],
        arrays: &[input("u", N, Fill::Formula(wave))],
        sizes: [&[20000, 400]; 3],
        goal: Some((8.0, "19-21")),
    },
    Kernel {
        name: "advection",
        head: "kernel(f,u)/(c,u)",
        ints: &["n", "nsteps"],
        doubles: &[],
        arrays: &[input("c", N, Fill::Random(0.9)), input("u", N, Fill::Formula(wave))],
        sizes: [&[20000, 200]; 3],
        goal: Some((5.0, "7.3")),
    },
    Kernel {
        name: "sweep",
        head: "kernel(f,u)/(u)",
        ints: &["n", "nsteps"],
        doubles: &[],
        arrays: &[input("u", NN, Fill::Formula(wave))],
        sizes: [&[400, 100], &[400, 100], &[1000, 100]],
        goal: Some((4.0, "")),
    },
    Kernel {
        name: "jacobi_2d",
        head: "kernel(f,a,b)/(a,b)",
        ints: &["n", "tsteps"],
        doubles: &[],
        arrays: &[
            input("a", NN, Fill::Formula(|at, i| at[0] as f64 * (at[1] + 2) as f64 / i[0] as f64)),
            input("b", NN, Fill::Formula(|at, i| at[0] as f64 * (at[1] + 3) as f64 / i[0] as f64)),
        ],
        sizes: [&[150, 50], &[350, 80], &[700, 200]],
        goal: None,
    },
    Kernel {
        name: "heat_3d",
        head: "kernel(f,a,b)/(a,b)",
        ints: &["n", "tsteps"],
        doubles: &[],
        arrays: &[input("a", NNN, Fill::Formula(slab)), input("b", NNN, Fill::Formula(slab))],
        sizes: [&[25, 25], &[40, 50], &[70, 100]],
        goal: None,
    },
    Kernel {
        name: "seidel_2d",
        head: "kernel(f,a)/(a)",
        ints: &["n", "tsteps"],
        doubles: &[],
        arrays: &[input("a", NN, Fill::Formula(|at, i| (at[0] as f64 * (at[1] + 2) as f64 + 2.0) / i[0] as f64))],
        sizes: [&[50, 8], &[100, 15], &[200, 40]],
        goal: None,
    },
    Kernel {
        name: "hdiff",
        head: "kernel(f,outf)/(inf,outf,coeff)",
        ints: &["ni", "nj", "nk"],
        doubles: &[],
        arrays: &[
            input("inf", &[("ni", 4), ("nj", 4), ("nk", 0)], Fill::Random(1.0)),
            scratch("outf", IJK, Fill::Random(1.0)),
            input("coeff", IJK, Fill::Random(1.0)),
        ],
        sizes: [&[64, 64, 60], &[128, 128, 160], &[384, 384, 160]],
        goal: None,
    },
    Kernel {
        name: "vadv",
        head: "kernel(f,utens_stage)/(utens_stage,u_stage,wcon,u_pos,utens)",
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
        goal: None,
    },
    Kernel {
        name: "atax",
        head: "kernel(f,y)/(a,x,y)",
        ints: &["m", "n"],
        doubles: &[],
        arrays: &[
            input("a", MN, Fill::Formula(|at, i| ((at[0] + at[1]) % i[1]) as f64 / (5.0 * i[0] as f64))),
            input("x", N, Fill::Formula(|at, i| 1.0 + at[0] as f64 / i[1] as f64)),
            scratch("y", N, Fill::Zero),
        ],
        sizes: [&[400, 500], &[1500, 2000], &[4000, 5000]],
        goal: None,
    },
    Kernel {
        name: "gramschmidt",
        head: "kernel(f,a,q,r)/(a,q,r)",
        ints: &["m", "n"],
        doubles: &[],
        arrays: &[input("a", MN, Fill::Random(1.0)), scratch("q", MN, Fill::Zero), scratch("r", NN, Fill::Zero)],
        sizes: [&[70, 60], &[220, 180], &[600, 500]],
        goal: None,
    },
    Kernel {
        name: "lu",
        head: "kernel(f,a)/(a)",
        ints: &["n"],
        doubles: &[],
        arrays: &[input("a", NN, Fill::Definite)],
        sizes: [&[60], &[220], &[700]],
        goal: None,
    },
    Kernel {
        name: "arc_distance",
        head: "kernel(f,d)/(t1,p1,t2,p2,d)",
        ints: &["n"],
        doubles: &[],
        arrays: &[
            input("t1", N, Fill::Random(1.0)),
            input("p1", N, Fill::Random(1.0)),
            input("t2", N, Fill::Random(1.0)),
            input("p2", N, Fill::Random(1.0)),
            scratch("d", N, Fill::Zero),
        ],
        sizes: [&[100_000], &[1_000_000], &[4_000_000]],
        goal: None,
    },
    Kernel {
        name: "cavity_flow",
        head: "kernel(f,u,v,p)/(u,v,p)",
        ints: &["nx", "ny", "nt", "nit"],
        doubles: &[1.0, 0.1],
        arrays: &[
            input("u", XY, Fill::Random(0.1)),
            input("v", XY, Fill::Random(0.1)),
            input("p", XY, Fill::Random(0.1)),
        ],
        sizes: [&[61, 61, 25, 5], &[121, 121, 50, 10], &[201, 201, 100, 20]],
        goal: None,
    },
];

impl Kernel {
    /// Extents of an array for given integers.
    fn extents(&self, array: &Array, ints: &[i64]) -> Vec<i64> {
        let value = |name: &str| self.ints.iter().position(|n| *n == name).map_or(0, |k| ints[k]);
        array.shape.iter().map(|(name, c)| value(name) + c).collect()
    }

    /// The initial values of an array, first index fastest.
    pub(crate) fn values(&self, number: usize, ints: &[i64]) -> Vec<f64> {
        let array = &self.arrays[number];
        let extents = self.extents(array, ints);
        let count = extents.iter().product::<i64>() as usize;
        match array.fill {
            Fill::Zero => vec![0.0; count],
            Fill::Random(scale) => random(number as u64, count, scale),
            Fill::Formula(f) => {
                let mut at = vec![0; extents.len()];
                let mut out = Vec::with_capacity(count);
                for _ in 0..count {
                    out.push(f(&at, ints));
                    for (i, n) in at.iter_mut().zip(&extents) {
                        *i += 1;
                        if *i < *n {
                            break;
                        }
                        *i = 0;
                    }
                }
                out
            }
            Fill::Definite => definite(extents[0] as usize),
        }
    }

    /// What `case.h` tells the driver.
    pub(crate) fn case(&self) -> String {
        let names: Vec<String> = self.arrays.iter().map(|a| format!("\"{}\"", a.name)).collect();
        let ints = (0..self.ints.len()).map(|i| ("int *".to_string(), format!("&k[{i}]")));
        let doubles = (0..self.doubles.len()).map(|i| ("double *".to_string(), format!("&c[{i}]")));
        let scalars: Vec<_> = ints.chain(doubles).collect();
        let mut primal = scalars.clone();
        let mut derivative = scalars;
        for q in 0..self.arrays.len() {
            primal.push(("double *".into(), format!("w[{q}]")));
            derivative.push(("double *".into(), format!("w[{q}]")));
            derivative.push(("double *".into(), format!("g[{q}]")));
        }
        primal.push(("double *".into(), "&f".into()));
        derivative.push(("double *".into(), "&f".into()));
        derivative.push(("double *".into(), "&fd".into()));
        let join = |list: &[(String, String)], types: bool| {
            let items: Vec<&str> = list.iter().map(|(t, a)| if types { t.as_str() } else { a.as_str() }).collect();
            items.join(", ")
        };
        format!(
            "#define NAMES {}\n#define NA {}\n#define NI {}\n#define ND {}\n#define PRIMAL_TYPES {}\n#define PRIMAL_ARGS {}\n\
             #define DERIVATIVE_TYPES {}\n#define DERIVATIVE_ARGS {}\n",
            names.join(", "),
            self.arrays.len(),
            self.ints.len(),
            self.doubles.len(),
            join(&primal, true),
            join(&primal, false),
            join(&derivative, true),
            join(&derivative, false),
        )
    }
}

/// Uniform numbers (splitmix64), the same on every machine.
fn random(seed: u64, count: usize, scale: f64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(42);
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..count).map(|_| scale * next()).collect()
}

fn definite(n: usize) -> Vec<f64> {
    let mut lower = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..i {
            lower[i * n + j] = ((n - j) % n) as f64 / n as f64 + 1.0;
        }
        lower[i * n + i] = 1.0;
    }
    let mut out = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..n {
            let row = |k: usize| &lower[k * n..k * n + i.min(j) + 1];
            out[j * n + i] = row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum();
        }
    }
    out
}
