//! What a random statement may refer to.

use super::Rng;
use super::syntax::Statement;

/// A loop variable and the range it is known to stay in: from 1 + low to n - high.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The variable.
    pub var: String,
    /// Distance from 1.
    pub low: i32,
    /// Distance from n.
    pub high: i32,
}

/// An array whose first dimension holds 1 to n, written `name(i)suffix`.
#[derive(Clone, Debug)]
pub struct Array {
    /// What stands before the subscript.
    pub name: String,
    /// What stands behind it.
    pub suffix: String,
    /// Elements below 1 and above n.
    pub margin: i32,
    /// It may be assigned.
    pub writable: bool,
}

/// What is passed for a dummy of a helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A scalar that is read.
    Value,
    /// A scalar that is changed.
    Changed,
    /// A scalar that is set.
    Set,
    /// An array that is read.
    Values,
    /// An array that is changed.
    ChangedAll,
    /// An array that is set.
    SetAll,
}

/// A helper subroutine.
#[derive(Clone, Debug)]
pub struct Helper {
    /// Its name.
    pub name: String,
    /// Its dummies after n, or all of them where it has assumed-shape arrays.
    pub passed: Vec<Passed>,
    /// Its arrays have assumed shape.
    pub assumed: bool,
    /// It refers to module variables.
    pub globals: bool,
}

/// Which elements an array expression takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// n of them.
    Full,
    /// n - 1.
    Short,
    /// Every other one.
    Odd,
}

/// A name, its declaration, and the statements that define it. `{x}` stands for an array of n values, `{n}` for its size
/// where it may be declared with.
pub type Entity = (&'static str, &'static str, &'static str);

/// Statements that text can't express.
pub type Made = fn(&mut Scope, usize) -> Option<Statement>;

/// A construct: what a program needs for it, and the statements that use it.
#[derive(Clone, Copy)]
pub struct Feature {
    /// Its name.
    pub name: &'static str,
    /// Local variables.
    pub locals: &'static [Entity],
    /// What the module declares; the head defines it.
    pub module: &'static [Entity],
    /// Module procedures.
    pub procedures: &'static [&'static str],
    /// Internal procedures of whoever calls them.
    pub internal: &'static [&'static str],
    /// Units that stand before the module: what tells that they are needed, and their text.
    pub outside: &'static [(&'static str, &'static str)],
    /// Names that any statement may use as scalars.
    pub scalars: &'static [&'static str],
    /// The same for arrays of n elements,
    pub arrays: &'static [&'static str],
    /// of three elements,
    pub triples: &'static [&'static str],
    /// and for integers between 1 and n.
    pub positions: &'static [&'static str],
    /// Scalar expressions for what it changes, by which the head's results differ in the end.
    pub observed: &'static [&'static str],
    /// Statements, as templates.
    pub statements: &'static [&'static str],
    /// Others.
    pub made: &'static [Made],
    /// Codes of refusals that may meet the construct.
    pub refused: &'static [&'static str],
}

/// A construct without anything.
pub const NONE: Feature = Feature {
    name: "",
    locals: &[],
    module: &[],
    procedures: &[],
    internal: &[],
    outside: &[],
    scalars: &[],
    arrays: &[],
    triples: &[],
    positions: &[],
    observed: &[],
    statements: &[],
    made: &[],
    refused: &[],
};

/// What a random statement may refer to, and the source of chance.
pub struct Scope {
    /// Chance.
    pub rng: Rng,
    /// Loops around, outermost first.
    pub counters: Vec<Counter>,
    /// Names of the loops around; empty where a loop has none.
    pub labels: Vec<String>,
    /// Scalars that may be assigned.
    pub scalars: Vec<String>,
    /// Scalars that may only be read.
    pub constants: Vec<String>,
    /// Arrays.
    pub arrays: Vec<Array>,
    /// Arrays of three elements.
    pub triples: Vec<String>,
    /// Loop variables not in use.
    pub free: Vec<String>,
    /// Counters of while loops not in use.
    pub trips: Vec<String>,
    /// Integers between 1 and n.
    pub positions: Vec<String>,
    /// Helpers that may be called.
    pub helpers: Vec<Helper>,
    /// Functions of two scalars.
    pub functions: Vec<String>,
    /// Elemental functions of one argument.
    pub elementals: Vec<String>,
    /// Derived-type variables that can be assigned as a whole.
    pub structures: Vec<String>,
    /// The n by n array, where there is one.
    pub square: bool,
    /// Index arrays may be used.
    pub index_arrays: bool,
    /// Logical variables.
    pub logicals: Vec<String>,
    /// Statements that may still be made.
    pub budget: usize,
    /// Calls may be made.
    pub calls: bool,
    /// Assigned values must not grow, however often the statements run.
    pub bounded_only: bool,
    /// Constructs that statements may use.
    pub features: Vec<&'static Feature>,
    /// Percent of the simple statements that use them.
    pub special: usize,
    /// Names that share memory: name, and what they share.
    pub groups: Vec<(String, String)>,
    /// A number for names.
    pub number: usize,
}

impl Scope {
    /// An index between 1 - margin and n + margin.
    pub fn index(&mut self, margin: i32) -> String {
        if !self.counters.is_empty() && self.rng.chance(80) {
            let at = if self.rng.chance(65) { self.counters.len() - 1 } else { self.rng.below(self.counters.len()) };
            let c = self.counters[at].clone();
            if self.index_arrays && self.rng.chance(10) {
                return format!("idx({})", c.var);
            }
            let (least, most) = (-(c.low + margin), c.high + margin);
            let shift = least + self.rng.below((most - least + 1) as usize) as i32;
            return match shift {
                0 if self.rng.chance(12) && c.low == c.high => format!("n+1-{}", c.var),
                0 => c.var,
                s if s > 0 => format!("{}+{s}", c.var),
                s => format!("{}-{}", c.var, -s),
            };
        }
        if !self.positions.is_empty() && self.rng.chance(45) {
            let p = self.rng.pick(&self.positions).clone();
            return if self.index_arrays && self.rng.chance(20) { format!("idx({p})") } else { p };
        }
        self.rng.text(&["1", "n", "(n+1)/2"])
    }

    /// An integer for conditions and selectors.
    pub fn integer(&mut self) -> String {
        if !self.counters.is_empty() && self.rng.chance(75) {
            return self.rng.pick(&self.counters).var.clone();
        }
        if self.positions.is_empty() { "n".to_string() } else { self.rng.pick(&self.positions).clone() }
    }

    /// A fresh number.
    pub fn fresh(&mut self) -> usize {
        self.number += 1;
        self.number
    }
}

/// The name that a reference begins with.
pub fn root(reference: &str) -> &str {
    reference.split(['(', '%']).next().unwrap_or(reference)
}
