//! Procedures without source: what they do with their arguments, and which procedures are their derivatives.
//!
//! A row of a table stands for one procedure, or for one of each type. Its declaration is Fortran: dummies with types,
//! shapes and intents, and no statements. It is read with the user's files where these mention its name and don't define it.
//! Tables of well-known libraries are part of Costate (`*.toml` beside this file); users add their own.

pub mod blocks;
pub mod handles;
pub mod messages;
mod written;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use costate_grammar::ir::{Name, words};
use serde::Deserialize;
use toml::Spanned;

use self::messages::Traffic;
pub use self::written::{Matrix, Solve, Triangle, Weights, Written};

/// The name of the local array in a declaration that has as many elements as the procedure refers to of a dummy, from the first
/// on, in each dimension.
pub fn elements_of(dummy: &str) -> Name {
    Name::new(&format!("elements_of_{dummy}"))
}

/// The tables that come with Costate.
const TABLES: &[&str] = &[include_str!("blas.toml"), include_str!("fftpack.toml"), include_str!("lapack.toml")];

/// A row as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Row {
    /// The procedure's first statement, the declarations of its dummies, its end.
    declaration: Declaration,
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
    inactive: Choice,
    #[serde(default)]
    linear: Choice,
    transpose: Option<String>,
    #[serde(default)]
    self_adjoint: bool,
    #[serde(default)]
    weights_before: Weights,
    #[serde(default)]
    weights_after: Weights,
    #[serde(default)]
    values: BTreeMap<String, String>,
    #[serde(default)]
    after: Vec<String>,
    #[serde(default)]
    elements: BTreeMap<String, String>,
    #[serde(default)]
    keeps_values: bool,
}

/// A declaration, and where it stands.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
struct Declaration(Spanned<String>);

impl Default for Declaration {
    fn default() -> Self {
        Declaration(Spanned::new(0..0, String::new()))
    }
}

/// Of which dummies something is said.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "write true, false or a list of dummies")]
enum Choice {
    /// The whole procedure, or nothing.
    All(bool),
    /// Some dummies.
    Dummies(Vec<String>),
}

impl Default for Choice {
    fn default() -> Self {
        Choice::All(false)
    }
}

impl Choice {
    /// Those that are listed; nothing where all or none are meant.
    fn listed(&self) -> &[String] {
        match self {
            Choice::Dummies(list) => list,
            Choice::All(_) => &[],
        }
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    procedure: Vec<Spanned<Row>>,
}

/// What is known of a procedure without source.
#[derive(Clone, Debug, Default, PartialEq)]
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
    /// How its derivatives are made where none are named.
    pub written: Option<Written>,
    /// Where the declaration stands in the table of the user's that has it: the table's number, and bytes.
    pub place: Option<(usize, std::ops::Range<usize>)>,
    /// What it has to do with messages between processes. The types and ranks of such a procedure's arguments are no part of
    /// its interface.
    pub traffic: Option<Traffic>,
}

impl External {
    /// What the clauses of an `!$ad external` say of the procedure that it stands in.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn told(
        name: &Name,
        dummies: &BTreeSet<Name>,
        clauses: &[(String, Option<String>)],
    ) -> Result<External, String> {
        let of = |word: &str| clauses.iter().find(|(w, _)| w == word).map(|(_, value)| value.clone());
        let choice = |word: &str| match of(word) {
            None => Choice::default(),
            Some(None) => Choice::All(true),
            Some(Some(list)) => Choice::Dummies(list.split(',').map(|n| n.trim().to_string()).collect()),
        };
        let row = Row {
            tangent: of("tangent").flatten(),
            adjoint: of("adjoint").flatten(),
            module: of("module").flatten(),
            transpose: of("transpose").flatten(),
            self_adjoint: of("self-adjoint").is_some(),
            linear: choice("linear"),
            inactive: choice("inactive"),
            ..Row::default()
        };
        row.external(name, dummies, str::to_string)
    }

    /// True where a derivative is passed though nobody asks for it.
    pub fn requires(&self, dummy: &Name) -> bool {
        !self.without.contains(dummy) && (!self.behind || self.required.contains(dummy))
    }

    /// True where Costate writes the derivative itself.
    pub fn is_written(&self, adjoint: bool) -> bool {
        let made = self.written.as_ref().is_some_and(|w| !adjoint || w.has_adjoint());
        made && self.derivatives[usize::from(adjoint)].is_none()
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
    /// The user's tables: their names and their texts.
    tables: Vec<(String, String)>,
}

impl Default for Externals {
    fn default() -> Self {
        static KNOWN: OnceLock<Externals> = OnceLock::new();
        let read = || {
            // A test reads them all.
            let rows = TABLES.iter().filter_map(|text| Externals::parse(text).ok());
            let mut all: BTreeMap<Name, Arc<External>> = rows.flat_map(|t| Arc::unwrap_or_clone(t.rows)).collect();
            // Their places are in no table of the user's.
            all.values_mut().for_each(|row| Arc::make_mut(row).place = None);
            Externals { rows: Arc::new(all), tables: Vec::new() }
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
        for spanned in &file.procedure {
            let row = spanned.get_ref();
            let place = row.verbatim(text).map_or(row.declaration.0.span(), |p| first_line(text, p));
            let letters: Vec<Option<char>> =
                if row.types.is_empty() { vec![None] } else { row.types.chars().map(Some).collect() };
            for letter in letters {
                let found = row.for_type(letter);
                let (name, mut external) = found.map_err(|message| TableError { message, place: place.clone() })?;
                let verbatim = letter.is_none() && row.elements.is_empty();
                external.place = row.verbatim(text).filter(|_| verbatim).map(|place| (0, place));
                if rows.insert(name.clone(), Arc::new(external)).is_some() {
                    return Err(TableError { message: format!("`{name}` is declared twice"), place });
                }
            }
        }
        Ok(Externals { rows: Arc::new(rows), tables: Vec::new() })
    }

    /// Adds a table of the user's, which has a name and a text. Its rows stand in the place of those with the same names.
    pub fn add(&mut self, more: Externals, name: &str, text: &str) {
        let number = self.tables.len();
        let placed = |row: &Arc<External>| {
            let mut row = External::clone(row);
            row.place = row.place.map(|(_, place)| (number, place));
            Arc::new(row)
        };
        let rows = more.rows.iter().map(|(name, row)| (name.clone(), placed(row)));
        Arc::make_mut(&mut self.rows).extend(rows);
        self.tables.push((name.to_string(), text.to_string()));
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

    /// The declarations of some procedures, one after the other; without those that stand in a table of the user's.
    pub fn declarations(&self, wanted: &BTreeSet<Name>) -> String {
        let rows = wanted.iter().filter_map(|name| self.find(name));
        rows.filter(|row| row.place.is_none()).map(|row| row.declaration.as_str()).collect()
    }

    /// Those in the user's tables, with the names of these: all else of a table is blank, so that places are those in it.
    pub fn declarations_in_tables(&self, wanted: &BTreeSet<Name>) -> Vec<(&str, String)> {
        let mut out = Vec::new();
        for (number, (name, text)) in self.tables.iter().enumerate() {
            let blank = |b: u8| if b == b'\n' { b'\n' } else { b' ' };
            let mut own: Vec<u8> = text.bytes().map(blank).collect();
            let mut any = false;
            for (_, place) in wanted.iter().filter_map(|n| self.find(n)?.place.as_ref()).filter(|p| p.0 == number) {
                own[place.clone()].copy_from_slice(&text.as_bytes()[place.clone()]);
                any = true;
            }
            if any {
                out.push((name.as_str(), String::from_utf8_lossy(&own).into_owned()));
            }
        }
        out
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
    /// Where the declaration stands in a table, letter by letter.
    fn verbatim(&self, table: &str) -> Option<std::ops::Range<usize>> {
        let (declaration, end) = (self.declaration.0.get_ref(), self.declaration.0.span().end);
        let before = |quotes: usize| Some((end - quotes).checked_sub(declaration.len())?..end - quotes);
        [3, 1].into_iter().filter_map(before).find(|p| table.get(p.clone()) == Some(declaration))
    }

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
        let text = |text: &str| -> String {
            match types {
                Some((letter, own, real)) => {
                    let words = text.replace('?', letter);
                    words.lines().map(|line| with_types(line, own, real) + "\n").collect()
                }
                None => text.to_string(),
            }
        };
        let declaration: String = text(self.declaration.0.get_ref());
        let declaration = format!("{}\n", declaration.trim());
        let name = declared_name(&declaration).ok_or_else(|| {
            let first = declaration.lines().next().unwrap_or_default();
            format!("`{first}` begins no declaration: write `subroutine` or `function` with its dummies, their types, and `end`")
        })?;
        let dummies = declared_dummies(&declaration, &name);
        let external = self.external(&name, &dummies, text)?;
        let declaration = self.with_elements(declaration);
        Ok((name, External { declaration, ..external }))
    }

    /// The declaration with a local array for each dummy of which the row says how many elements are referred to: its shape says
    /// it, so that what the numbers consist of is read as all else of the declaration is.
    fn with_elements(&self, declaration: String) -> String {
        let Some((body, end)) = declaration.trim_end().rsplit_once('\n').filter(|_| !self.elements.is_empty()) else {
            return declaration;
        };
        let shape = |(dummy, list): (&String, &String)| format!("  integer :: {}({list})\n", elements_of(dummy));
        let shapes: String = self.elements.iter().map(shape).collect();
        format!("{body}\n{shapes}{end}\n")
    }

    /// What is known of a procedure with these dummies; `text` puts in the type.
    fn external(
        &self,
        name: &Name,
        dummies: &BTreeSet<Name>,
        text: impl Fn(&str) -> String,
    ) -> Result<External, String> {
        let named = |n: &Option<String>| n.as_ref().map(|n| Name::new(text(n).trim()));
        let names = |list: &str| list.split_whitespace().map(Name::new).collect();
        let (inactive, without) = match &self.inactive {
            Choice::All(all) => (*all, BTreeSet::new()),
            Choice::Dummies(list) => (false, list.iter().map(|n| Name::new(n)).collect()),
        };
        let lists = [&self.required[..], &self.after, self.linear.listed()].into_iter().flatten();
        let mut mentioned: Vec<Name> = lists.map(|n| Name::new(n)).chain(without.iter().cloned()).collect();
        mentioned.extend(self.elements.keys().map(|n| Name::new(n)));
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
        if let Some(wrong) = given.iter().flatten().find(|n| !is_name(n) || *n == name) {
            return Err(format!("`{wrong}` can't be the name of a derivative of `{name}`, or of its module"));
        }
        Ok(External {
            derivatives: [named(&self.tangent), named(&self.adjoint)],
            module: named(&self.module),
            behind: self.behind,
            required: self.required.iter().map(|n| Name::new(n)).collect(),
            inactive,
            without,
            after: self.after.iter().map(|n| Name::new(n)).collect(),
            keeps_values: self.keeps_values,
            written: self.written(name, named(&self.transpose))?,
            values: self.values.iter().map(|(of, list)| (Name::new(of), names(list))).collect(),
            ..External::default()
        })
    }

    /// How Costate makes the derivatives of a procedure that is linear.
    fn written(&self, name: &Name, transpose: Option<Name>) -> Result<Option<Written>, String> {
        let transpose = match (transpose, self.self_adjoint) {
            (Some(_), true) => return Err(format!("`self-adjoint` says what the transpose of `{name}` is")),
            (given, false) => given,
            (None, true) => Some(name.clone()),
        };
        if let Some(wrong) = transpose.iter().find(|n| !is_name(n)) {
            return Err(format!("`{wrong}` can't be the name of the transpose of `{name}`"));
        }
        let of = match &self.linear {
            Choice::Dummies(list) => Some(list.iter().map(|n| Name::new(n)).collect()),
            Choice::All(true) => None,
            Choice::All(false) if transpose.is_some() => None,
            Choice::All(false) => return Ok(None),
        };
        if matches!(self.inactive, Choice::All(true)) {
            return Err(format!("no derivative goes through `{name}`, and its row says what its derivative is"));
        }
        if transpose.is_some() && self.adjoint.is_some() {
            return Err(format!("the row of `{name}` names an adjoint and a transpose"));
        }
        let weights = Box::new([self.weights_before.clone(), self.weights_after.clone()]);
        Ok(Some(Written::Linear { of, transpose, weights }))
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

/// The first line of a text with something in it.
fn first_line(text: &str, place: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let own = &text[place.clone()];
    let start = place.start + own.len() - own.trim_start().len();
    start..start + own.trim_start().lines().next().map_or(0, str::len)
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
    fn linear_procedures_need_no_names() {
        let row = |keys: &str| {
            let text = format!("[[procedure]]\ndeclaration = 'subroutine f(a, x)'\n{keys}");
            Externals::parse(&text).map(|t| External::clone(t.find("f").unwrap())).map_err(|e| e.message)
        };
        let written = |keys: &str| {
            let row = row(keys).unwrap();
            [row.is_written(false), row.is_written(true)]
        };
        assert_eq!(written("linear = true"), [true, false]);
        assert_eq!(written("linear = ['x']\nadjoint = 'f_b'"), [true, false]);
        assert_eq!(written("transpose = 'g'"), [true, true]);
        assert_eq!(written("self-adjoint = true"), [true, true]);
        assert!(row("self-adjoint = true\ntranspose = 'g'").unwrap_err().contains("`self-adjoint` says"));
        assert!(row("linear = ['y']").unwrap_err().contains("no dummy"));
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
