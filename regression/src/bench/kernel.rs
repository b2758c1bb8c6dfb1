//! A kernel: what it is given, and how it is called.

/// A kernel of `regression/bench`.
pub(crate) struct Kernel {
    /// Its folder; after a blank the directive that stands before its time loop.
    pub(crate) name: &'static str,
    /// What is differentiated.
    pub(crate) head: &'static str,
    /// Increments of the adjoint may be undone by the opposite increment.
    pub(crate) allow_undo: bool,
    /// Integer arguments, in order.
    pub(crate) ints: &'static [&'static str],
    /// Real scalar arguments, in order.
    pub(crate) doubles: &'static [f64],
    /// Array arguments, in order.
    pub(crate) arrays: &'static [Array],
    /// Values of the integers: small, medium, large.
    pub(crate) sizes: [&'static [i64]; 3],
    /// The ratio of gradient to primal time to reach at the large size.
    pub(crate) goal: f64,
    /// Whether the ratio counts in the geometric mean.
    pub(crate) in_mean: bool,
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

/// In place of a directive: those that stand in the kernel as comments, `! $ad`, are heeded.
pub(crate) const HEEDED: &str = "with its directives";

impl Kernel {
    /// Its folder and the directive that stands before its time loop, or [`HEEDED`].
    pub(crate) fn source(&self) -> (&'static str, Option<&'static str>) {
        self.name.split_once(' ').map_or((self.name, None), |(folder, directive)| (folder, Some(directive)))
    }

    /// A name for files.
    pub(crate) fn file_name(&self) -> String {
        self.name.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_")
    }

    /// True for an array that the head names.
    fn has_derivative(&self, array: &Array) -> bool {
        self.head.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == array.name)
    }

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
            if self.has_derivative(&self.arrays[q]) {
                derivative.push(("double *".into(), format!("g[{q}]")));
            }
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
