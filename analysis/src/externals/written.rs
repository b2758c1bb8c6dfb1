//! Procedures whose derivatives are made from what is said of them: they are linear, or solve a linear system.

use std::collections::BTreeSet;

use costate_grammar::ir::Name;
use serde::Deserialize;

/// How a procedure's derivatives are made.
#[derive(Clone, Debug, PartialEq)]
pub enum Written {
    /// The procedure is linear in some of its arguments together: its tangent is the procedure itself.
    Linear {
        /// These dummies (and a function's result); all real and complex ones where it isn't given.
        of: Option<BTreeSet<Name>>,
        /// The procedure that applies the transpose (of complex values, the conjugate one): with the same arguments, in
        /// which what comes in and what goes out have changed places.
        transpose: Option<Name>,
        /// By what the elements of the vector that is transformed in its place are multiplied before the transpose is called, and
        /// after that.
        weights: Box<[Weights; 2]>,
    },
    /// The procedure solves a linear system.
    Solve(Solve),
}

/// Factors of the elements of a vector, 1 where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Weights {
    /// Of each that isn't named below.
    pub all: Option<f64>,
    /// Of the first element.
    pub first: Option<f64>,
    /// Of the last one.
    pub last: Option<f64>,
    /// Of the last one, where their number is even.
    pub last_of_even: Option<f64>,
}

impl Written {
    /// True where enough is known for an adjoint.
    pub fn has_adjoint(&self) -> bool {
        !matches!(self, Written::Linear { transpose: None, .. })
    }
}

/// A procedure that solves `A x = b`, by the names of its dummies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solve {
    /// `A`.
    pub matrix: Matrix,
    /// `b`.
    pub rhs: Name,
    /// `x`. Without it, a function's result, or what takes the place of `b`.
    pub solution: Option<Name>,
    /// The number of equations; without it, the extent of `b`.
    pub size: Option<Name>,
    /// A procedure with the same arguments that solves with the transpose of the matrix that it is given.
    pub transposed: Option<Name>,
    /// What it only works in: nothing of what is in them comes from outside, and nothing of it is used there.
    pub work: BTreeSet<Name>,
}

/// Where the elements of a matrix stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matrix {
    /// In an array of rank two.
    Dense(Name),
    /// The same, and the matrix is symmetric.
    Symmetric(Name, Triangle),
    /// In a triangle of an array of rank two; the other elements are zero, whatever the array has there.
    Triangular(Name, Triangle),
    /// Below the diagonal, on it, and above: `l(i)*x(i-1) + d(i)*x(i) + u(i)*x(i+1) = b(i)`.
    Tridiagonal([Name; 3]),
}

/// Which elements of an array are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// All.
    Both,
    /// Those on the diagonal and above it.
    Upper,
    /// Those on the diagonal and below it.
    Lower,
}

impl Matrix {
    /// The arrays that hold it.
    pub fn arrays(&self) -> Vec<&Name> {
        match self {
            Matrix::Dense(a) | Matrix::Symmetric(a, _) | Matrix::Triangular(a, _) => vec![a],
            Matrix::Tridiagonal(all) => all.iter().collect(),
        }
    }
}

impl Solve {
    /// What the clauses of an `!$ad linear-solve` say.
    ///
    /// # Errors
    /// Why they can't be followed.
    pub fn told(clauses: &[(String, Option<String>)]) -> Result<Solve, String> {
        let given = |word: &str| clauses.iter().find(|(w, _)| w == word).map(|(_, value)| value.as_deref());
        let name = |word: &str| given(word).flatten().map(Name::new);
        let matrix = match (name("matrix"), given("tridiagonal").flatten()) {
            (Some(_), Some(_)) => return Err("it has `matrix` and `tridiagonal`".into()),
            (None, None) => return Err("it doesn't say where the matrix is".into()),
            (Some(a), None) => match (given("symmetric"), given("triangle").flatten()) {
                (Some(_), Some(_)) => return Err("it has `symmetric` and `triangle`".into()),
                (None, None) => Matrix::Dense(a),
                (Some(None), None) => Matrix::Symmetric(a, Triangle::Both),
                (Some(Some(part)), None) => Matrix::Symmetric(a, triangle(part)?),
                (None, Some(_)) if given("transposed").is_none() => {
                    return Err("the transpose of a triangle is the other one: it needs `transposed(...)`".into());
                }
                (None, Some(part)) => Matrix::Triangular(a, triangle(part)?),
            },
            (None, Some(list)) => {
                let names: Vec<Name> = list.split(',').map(|n| Name::new(n.trim())).collect();
                let three = <[Name; 3]>::try_from(names);
                Matrix::Tridiagonal(
                    three.map_err(|_| "`tridiagonal` takes three arrays: below the diagonal, on it, above")?,
                )
            }
        };
        if matches!(matrix, Matrix::Tridiagonal(_)) && (given("symmetric").is_some() || given("triangle").is_some()) {
            return Err("`symmetric` and `triangle` are for matrices in one array".into());
        }
        let work = given("work").flatten().unwrap_or_default().split(',').map(str::trim).filter(|n| !n.is_empty());
        let work = work.map(Name::new).collect();
        let rhs = name("rhs").ok_or("it doesn't say what the right-hand side is: `rhs(b)`")?;
        Ok(Solve { matrix, rhs, solution: name("solution"), size: name("size"), transposed: name("transposed"), work })
    }
}

fn triangle(name: &str) -> Result<Triangle, String> {
    match name {
        "upper" => Ok(Triangle::Upper),
        "lower" => Ok(Triangle::Lower),
        other => Err(format!("`{other}` is neither `upper` nor `lower`")),
    }
}
