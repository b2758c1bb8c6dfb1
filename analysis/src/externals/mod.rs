//! Procedures without source: what they do with their arguments, and which procedures are their derivatives.
//!
//! A row of a table stands for one procedure, or for one of each type. Its declaration is Fortran: dummies with types,
//! shapes and intents, and no statements. It is read with the user's files where these mention its name and don't define it.
//! Tables of well-known libraries are part of Costate (`*.toml` beside this file); users add their own.

pub mod handles;
pub mod messages;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use costate_grammar::ir::{Name, words};
use serde::Deserialize;

use self::messages::Traffic;

/// The tables that come with Costate.
const TABLES: &[&str] = &[include_str!("blas.toml"), include_str!("lapack.toml")];

/// A row as it is written.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Row {
    /// The procedure's first statement, the declarations of its dummies, its end.
    declaration: String,
    /// The letters that `?` in names stands for: `s`, `d`, `c`, `z`, with `T` and `R` for the type and its real type.
    #[serde(default)]
    types: String,
    tangent: Option<String>,
    adjoint: Option<String>,
    module: Option<String>,
    #[serde(default)]
    behind: bool,
    #[serde(default)]
    required: Vec<String>,
    #[serde(default)]
    inactive: Inactive,
    #[serde(default)]
    values: BTreeMap<String, String>,
    #[serde(default)]
    after: Vec<String>,
    #[serde(default)]
    keeps_values: bool,
}

/// What has no part in the derivative.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "`inactive` is true, false or a list of dummies")]
enum Inactive {
    /// The whole procedure, or nothing.
    All(bool),
    /// Some dummies.
    Dummies(Vec<String>),
}

impl Default for Inactive {
    fn default() -> Self {
        Inactive::All(false)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    procedure: Vec<Row>,
}

/// What is known of a procedure without source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct External {
    /// Its declaration.
    pub declaration: String,
    /// Its tangent and its adjoint. Both have the dummies of the procedure, those that may carry derivatives followed by
    /// these, and at the end a function's result with its derivative (tangent), or the derivative alone (adjoint).
    pub derivatives: [Option<Name>; 2],
    /// The module of these two. They are external procedures where it isn't given.
    pub module: Option<Name>,
    /// Derivative dummies stand behind all others and have keywords; those that a call doesn't ask for are left out.
    /// Otherwise each stands behind its primal one, and a call that doesn't ask for it passes a variable that nobody reads.
    pub behind: bool,
    /// Dummies whose derivatives are passed nevertheless.
    pub required: BTreeSet<Name>,
    /// It has no part in any derivative, and does more than its dummies show: it writes, or stops the program.
    pub inactive: bool,
    /// Dummies that have no derivative, whatever their type.
    pub without: BTreeSet<Name>,
    /// Values that the adjoint doesn't always use: each only where one of some dummies has a derivative.
    pub values: BTreeMap<Name, BTreeSet<Name>>,
    /// Dummies whose values the adjoint uses as the procedure left them, and not as they were before.
    pub after: BTreeSet<Name>,
    /// The adjoint leaves all values but derivatives as they are. Others may change what the procedure itself does.
    pub keeps_values: bool,
    /// What the forward sweep calls in its place, with the same arguments: it keeps what the adjoint needs to know.
    pub forward: Option<Name>,
    /// It is a dummy procedure: another one each time, perhaps, whose derivative is passed beside it. Unless it is pure, it may do
    /// more than its dummies show.
    pub passed: bool,
    /// What it has to do with messages between processes. The types and ranks of such a procedure's arguments are no part of
    /// its interface.
    pub traffic: Option<Traffic>,
}

impl External {
    /// True where a derivative is passed though nobody asks for it.
    pub fn requires(&self, dummy: &Name) -> bool {
        !self.without.contains(dummy) && (!self.behind || self.required.contains(dummy))
    }

    /// True where the adjoint uses the value of a dummy before the call, given which dummies have derivatives there.
    pub fn uses(&self, dummy: &Name, derivative: impl Fn(&Name) -> bool) -> bool {
        !self.after.contains(dummy) && self.values.get(dummy).is_none_or(|of| of.iter().any(derivative))
    }
}

/// Tables of procedures without source. Those that come with Costate are the default.
#[derive(Clone, Debug)]
pub struct Externals {
    rows: Arc<BTreeMap<Name, Arc<External>>>,
}

impl Default for Externals {
    fn default() -> Self {
        static KNOWN: OnceLock<Externals> = OnceLock::new();
        let read = || {
            // A test reads them all.
            let rows = TABLES.iter().filter_map(|text| Externals::parse(text).ok());
            Externals { rows: Arc::new(rows.flat_map(|t| Arc::unwrap_or_clone(t.rows)).collect()) }
        };
        KNOWN.get_or_init(read).clone()
    }
}

impl Externals {
    /// The table in a text.
    ///
    /// # Errors
    /// What is wrong with it, and where.
    pub fn parse(text: &str) -> Result<Externals, TableError> {
        let file: File = toml::from_str(text)
            .map_err(|e| TableError { message: e.message().replace('\n', " "), place: e.span().unwrap_or(0..0) })?;
        let mut rows = BTreeMap::new();
        for row in &file.procedure {
            let letters: Vec<Option<char>> =
                if row.types.is_empty() { vec![None] } else { row.types.chars().map(Some).collect() };
            for letter in letters {
                let (name, external) = row.for_type(letter).map_err(|message| TableError { message, place: 0..0 })?;
                if rows.insert(name.clone(), Arc::new(external)).is_some() {
                    return Err(TableError { message: format!("`{name}` is declared twice"), place: 0..0 });
                }
            }
        }
        Ok(Externals { rows: Arc::new(rows) })
    }

    /// Adds a table. Its rows stand in the place of those with the same names.
    pub fn add(&mut self, more: Externals) {
        let rows = more.rows.iter().map(|(name, row)| (name.clone(), Arc::clone(row)));
        Arc::make_mut(&mut self.rows).extend(rows);
    }

    /// The row of a procedure.
    pub fn find(&self, name: &str) -> Option<&Arc<External>> {
        self.rows.get(name)
    }

    /// What is known of a procedure of which there is no more than a declaration.
    pub fn of_declared(&self, name: &str) -> Arc<External> {
        self.find(name).cloned().or_else(|| messages::row_of(name)).unwrap_or_default()
    }

    /// The procedures of the tables whose names stand in some lines.
    pub fn mentioned<'t>(&self, lines: impl Iterator<Item = &'t str>) -> BTreeSet<Name> {
        let (mut out, mut lower) = (BTreeSet::new(), String::new());
        for word in lines.flat_map(words) {
            lower.clear();
            lower.extend(word.chars().map(|c| c.to_ascii_lowercase()));
            if let Some((name, _)) = self.rows.get_key_value(lower.as_str()) {
                out.insert(name.clone());
            }
        }
        out
    }

    /// The declarations of some procedures, one after the other.
    pub fn declarations(&self, wanted: &BTreeSet<Name>) -> String {
        wanted.iter().filter_map(|name| self.find(name)).map(|row| row.declaration.as_str()).collect()
    }
}

/// What is wrong with a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableError {
    /// What it is.
    pub message: String,
    /// Where it stands in the text, in bytes; empty where that isn't known.
    pub place: std::ops::Range<usize>,
}

impl Row {
    /// The row for one type.
    fn for_type(&self, letter: Option<char>) -> Result<(Name, External), String> {
        let types = match letter {
            None => None,
            Some('s') => Some(("s", "real(4)", "real(4)")),
            Some('d') => Some(("d", "real(8)", "real(8)")),
            Some('c') => Some(("c", "complex(4)", "real(4)")),
            Some('z') => Some(("z", "complex(8)", "real(8)")),
            Some(other) => return Err(format!("`{other}` is no type: write some of `sdcz`")),
        };
        let text = |text: &str| match types {
            Some((letter, own, real)) => {
                let words = text.replace('?', letter);
                words.lines().map(|line| with_types(line, own, real) + "\n").collect()
            }
            None => text.to_string(),
        };
        let declaration: String = text(&self.declaration);
        let declaration = format!("{}\n", declaration.trim());
        let name = declared_name(&declaration).ok_or_else(|| {
            let first = declaration.lines().next().unwrap_or_default();
            format!("`{first}` begins no declaration: write `subroutine` or `function` with its dummies, their types, and `end`")
        })?;
        let named = |n: &Option<String>| n.as_ref().map(|n| Name::new(text(n).trim()));
        let names = |list: &str| list.split_whitespace().map(Name::new).collect();
        let (inactive, without) = match &self.inactive {
            Inactive::All(all) => (*all, BTreeSet::new()),
            Inactive::Dummies(list) => (false, list.iter().map(|n| Name::new(n)).collect()),
        };
        let dummies = declared_dummies(&declaration, &name);
        let lists = [&self.required, &self.after].into_iter().flatten().cloned();
        let mut mentioned: Vec<Name> = lists.map(|n| Name::new(&n)).chain(without.iter().cloned()).collect();
        for (of, list) in &self.values {
            mentioned.push(Name::new(of));
            mentioned.extend(list.split_whitespace().map(Name::new));
        }
        if let Some(unknown) = mentioned.iter().find(|n| !dummies.contains(n.as_str())) {
            return Err(format!("`{unknown}` is no dummy of `{name}`"));
        }
        if !self.required.is_empty() && !self.behind {
            return Err(format!("`required` without `behind` says nothing of `{name}`: all derivatives are passed"));
        }
        let given = [&self.tangent, &self.adjoint, &self.module].map(named);
        if let Some(wrong) = given.iter().flatten().find(|n| !is_name(n) || **n == name) {
            return Err(format!("`{wrong}` can't be the name of a derivative of `{name}`, or of its module"));
        }
        let external = External {
            derivatives: [named(&self.tangent), named(&self.adjoint)],
            module: named(&self.module),
            behind: self.behind,
            required: self.required.iter().map(|n| Name::new(n)).collect(),
            inactive,
            without,
            after: self.after.iter().map(|n| Name::new(n)).collect(),
            keeps_values: self.keeps_values,
            forward: None,
            passed: false,
            traffic: None,
            values: self.values.iter().map(|(of, list)| (Name::new(of), names(list))).collect(),
            declaration,
        };
        Ok((name, external))
    }
}

/// A line with `T` and `R` at its start, or before `function`, as types.
fn with_types(line: &str, own: &str, real: &str) -> String {
    let (blanks, rest) = line.split_at(line.len() - line.trim_start().len());
    let with = [("T", own), ("R", real)].into_iter().find_map(|(word, ty)| {
        let rest = rest.strip_prefix(word)?;
        (rest.starts_with(',') || rest.starts_with(' ')).then(|| format!("{blanks}{ty}{rest}"))
    });
    with.unwrap_or_else(|| line.to_string())
}

/// The names in `subroutine f(a, b)`, whose list may go on in further lines.
fn declared_dummies(declaration: &str, name: &Name) -> BTreeSet<Name> {
    let lower = declaration.to_ascii_lowercase();
    let behind = lower.split_once(name.as_str()).map_or("", |(_, rest)| rest);
    let list = behind.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(list, _)| list);
    words(list).filter(|w| !w.is_empty()).map(Name::new).collect()
}

fn is_name(n: &Name) -> bool {
    n.starts_with(|c: char| c.is_ascii_alphabetic()) && n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The name in `subroutine f(...)` or `type function f(...)`.
fn declared_name(declaration: &str) -> Option<Name> {
    let first = declaration.lines().find(|l| !l.trim().is_empty() && !l.trim_start().starts_with('!'))?;
    let words: Vec<&str> = first.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
    let at = words.iter().position(|w| w.eq_ignore_ascii_case("subroutine") || w.eq_ignore_ascii_case("function"))?;
    words.get(at + 1).filter(|w| !w.is_empty()).map(|w| Name::new(w))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_costate_are_read() {
        for text in TABLES {
            Externals::parse(text).unwrap();
        }
        let all = Externals::default();
        let dgemv = all.find("dgemv").unwrap();
        assert!(dgemv.declaration.starts_with("subroutine dgemv(trans"), "{}", dgemv.declaration);
        assert!(dgemv.declaration.contains("real(8), intent(in) :: alpha"), "{}", dgemv.declaration);
        assert_eq!(dgemv.derivatives[1].as_deref(), Some("costate_dgemv_b"));
        assert!(all.find("sgemm").is_some() && all.find("izamax").is_some());
    }

    #[test]
    fn what_is_wrong_with_a_table_is_said() {
        let wrong = |text: &str| Externals::parse(text).unwrap_err().message;
        assert!(wrong("[[procedure]]\ndeclaration = 'integer :: n'").contains("begins no declaration"));
        assert!(wrong("[[procedure]]\nadjoint = 'f_b'").contains("declaration"));
        let twice = "[[procedure]]\ndeclaration = 'subroutine f()'\n".repeat(2);
        assert!(wrong(&twice).contains("declared twice"));
        assert!(wrong("[[procedure]]\ndeclaration = 'subroutine ?f()'\ntypes = 'dx'").contains("`x` is no type"));
    }

    #[test]
    fn values_are_used_where_a_derivative_asks_for_them() {
        let text = "[[procedure]]\ndeclaration = 'subroutine f(a, x, y)'\nvalues = { x = 'a', y = '' }";
        let table = Externals::parse(text).unwrap();
        let row = table.find("f").unwrap();
        let [a, x, y] = ["a", "x", "y"].map(Name::new);
        assert!(row.uses(&a, |_| false));
        assert!(row.uses(&x, |n| *n == a) && !row.uses(&x, |n| *n == x));
        assert!(!row.uses(&y, |_| true));
    }
}
