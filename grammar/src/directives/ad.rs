//! Costate's own directives, `!$ad`; Tapenade's spellings `binomial-ckp`, `fp-loop` and `ii-loop` are among them.

use super::{items, parenthesised};

/// How iterations that run at the same time add to a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// They don't run at the same time.
    Serial,
    /// To elements that no two of them share, as is known or promised.
    Shared,
    /// Each to elements of its own: what several iterations would add is added up by one.
    Gather,
    /// Each thread adds up what is its own; the sums are added at the end.
    Reduction,
    /// By updates that only one thread makes at a time.
    Atomic,
}

impl Strategy {
    /// All of them, with the names that directives give them.
    pub const ALL: [(&'static str, Strategy); 5] = [
        ("serial", Strategy::Serial),
        ("shared", Strategy::Shared),
        ("gather", Strategy::Gather),
        ("reduction", Strategy::Reduction),
        ("atomic", Strategy::Atomic),
    ];
}

/// An `!$ad` directive.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AdDirective {
    /// `inactive`, `inactive(x, y)`: the next statement, or the named variables, carry no derivative
    Inactive(Vec<String>),
    /// `binomial-ckp nsteps nsnaps first`: binomial checkpointing of the loop that follows
    BinomialCkp {
        /// How many steps the loop has.
        steps: String,
        /// How many snapshots may be held.
        snapshots: String,
        /// The number of the first step.
        first: String,
    },
    /// `checkpoint [schedule(...)] [snapshots(n)] [memory(...)]`: checkpointing of the loop that follows
    Checkpoint {
        /// The schedule's name and its parameters, as written.
        schedule: Option<String>,
        /// How many snapshots may be held.
        snapshots: Option<String>,
        /// How much memory may be held.
        memory: Option<String>,
    },
    /// `parallel strategy(atomic) strategy(shared: x, y)`: how the derivative of the parallel loop that follows adds to the
    /// derivatives of the named variables, or of all others
    Parallel(Vec<(Strategy, Vec<String>)>),
    /// `fixed-point [state(u, v)] [tolerance(1e-10)] [maxiterations(n)]`, `fp-loop u v`: the loop that follows iterates to a
    /// fixed point
    FixedPoint {
        /// What it iterates; nothing where the code is to tell.
        state: Vec<String>,
        /// How small what an iteration of the adjoint leaves to do must be, as written.
        tolerance: Option<String>,
        /// How many iterations the adjoint may take, as written.
        iterations: Option<String>,
    },
    /// `external adjoint(f_b) linear(x, y) self-adjoint`: the derivatives of the procedure that it stands in are told by its
    /// clauses, and not by its statements. Clauses are in lower case, with what stands in their parentheses.
    External(Vec<(String, Option<String>)>),
    /// `linear-solve matrix(a) rhs(b) solution(x)`: the procedure that it stands in solves a linear system. Clauses as above.
    LinearSolve(Vec<(String, Option<String>)>),
    /// `ii-loop`: the iterations of the loop that follows are independent
    IiLoop,
    /// `start-exclude`: the statements up to `end-exclude` serve diagnostics, no derivative goes through them
    StartExclude,
    /// `end-exclude`
    EndExclude,
}

/// The clauses of `external`, each with whether it has a value: it must have one, mustn't, or may.
const EXTERNAL: [(&str, Option<bool>); 7] = [
    ("tangent", Some(true)),
    ("adjoint", Some(true)),
    ("module", Some(true)),
    ("transpose", Some(true)),
    ("self-adjoint", Some(false)),
    ("linear", None),
    ("inactive", None),
];

/// The clauses of `linear-solve`.
const LINEAR_SOLVE: [(&str, Option<bool>); 9] = [
    ("matrix", Some(true)),
    ("tridiagonal", Some(true)),
    ("rhs", Some(true)),
    ("solution", Some(true)),
    ("size", Some(true)),
    ("transposed", Some(true)),
    ("work", Some(true)),
    ("triangle", Some(true)),
    ("symmetric", None),
];

/// Reads the text after `!$ad`.
pub(crate) fn parse(text: &str) -> Result<AdDirective, String> {
    let text = text.trim();
    let n = text.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
    let (word, rest) = text.split_at(n);
    let rest = rest.trim();
    match word.to_ascii_lowercase().as_str() {
        "inactive" => inactive(rest),
        "binomial-ckp" => {
            let parts = arguments(rest);
            match <[String; 3]>::try_from(parts) {
                Ok([steps, snapshots, first]) => Ok(AdDirective::BinomialCkp { steps, snapshots, first }),
                Err(parts) => {
                    Err(format!("`binomial-ckp` takes steps, snapshots and first step, not {} values", parts.len()))
                }
            }
        }
        "checkpoint" => checkpoint(rest),
        "fixed-point" => fixed_point(rest),
        "fp-loop" => fp_loop(rest),
        "parallel" => parallel(rest),
        "external" => Ok(AdDirective::External(clauses(rest, &EXTERNAL)?)),
        "linear-solve" => Ok(AdDirective::LinearSolve(clauses(rest, &LINEAR_SOLVE)?)),
        "ii-loop" if rest.is_empty() => Ok(AdDirective::IiLoop),
        "ii-loop" => Err(format!("`{rest}` isn't expected after `ii-loop`")),
        "start-exclude" if rest.is_empty() => Ok(AdDirective::StartExclude),
        "end-exclude" if rest.is_empty() => Ok(AdDirective::EndExclude),
        "start-exclude" | "end-exclude" => Err(format!("`{rest}` isn't expected after `{word}`")),
        "" => Err("an empty `!$ad` directive".to_string()),
        _ => Err(format!(
            "the directive `!$ad {word}` isn't known; there are inactive, binomial-ckp, checkpoint, fixed-point, \
             parallel, external, linear-solve, ii-loop, start-exclude and end-exclude"
        )),
    }
}

fn inactive(rest: &str) -> Result<AdDirective, String> {
    let list = if rest.starts_with('(') {
        match parenthesised(rest) {
            Some((inside, after)) if after.trim().is_empty() => inside,
            _ => return Err("the list of `inactive` isn't closed".to_string()),
        }
    } else {
        rest
    };
    let names = items(list, b',');
    let sound = |n: &String| n.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'%'));
    match names.iter().find(|n| !sound(n)) {
        Some(bad) => Err(format!("`{bad}` isn't a variable's name")),
        None => Ok(AdDirective::Inactive(names)),
    }
}

fn parallel(text: &str) -> Result<AdDirective, String> {
    let mut found = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            break;
        }
        let (word, after) = super::take_word(rest);
        let inside = parenthesised(after.trim_start()).filter(|_| word.eq_ignore_ascii_case("strategy"));
        let Some((inside, after)) = inside else {
            return Err(format!("`{rest}` isn't expected after `parallel`; it takes `strategy(...)`"));
        };
        let (name, list) = inside.split_once(':').unwrap_or((inside, ""));
        let name = name.trim().to_ascii_lowercase();
        let Some((_, strategy)) = Strategy::ALL.into_iter().find(|s| s.0 == name) else {
            let known = Strategy::ALL.map(|s| s.0).join(", ");
            return Err(format!("`{name}` isn't a strategy; there are {known}"));
        };
        found.push((strategy, items(list, b',')));
        rest = after;
    }
    if found.is_empty() {
        Err("`parallel` needs `strategy(...)`".to_string())
    } else {
        Ok(AdDirective::Parallel(found))
    }
}

/// Values separated by blanks or commas outside parentheses.
fn arguments(text: &str) -> Vec<String> {
    items(text, b',').iter().flat_map(|part| items(&part.replace('\t', " "), b' ')).collect()
}

fn checkpoint(text: &str) -> Result<AdDirective, String> {
    let [schedule, snapshots, memory] = values(text, "checkpoint", ["schedule", "snapshots", "memory"])?;
    Ok(AdDirective::Checkpoint { schedule, snapshots, memory })
}

fn fixed_point(text: &str) -> Result<AdDirective, String> {
    let [state, tolerance, iterations] = values(text, "fixed-point", ["state", "tolerance", "maxiterations"])?;
    let state = state.map_or(Vec::new(), |list| items(&list, b','));
    Ok(AdDirective::FixedPoint { state, tolerance, iterations })
}

/// Tapenade's spelling: a list of names, quoted or not.
fn fp_loop(text: &str) -> Result<AdDirective, String> {
    let names = text.replace(['"', '\'', '(', ')', ','], " ");
    let state: Vec<String> = names.split_whitespace().map(str::to_string).collect();
    match state.iter().find(|n| !n.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'%'))) {
        Some(bad) => Err(format!("`{bad}` isn't a variable's name")),
        None => Ok(AdDirective::FixedPoint { state, tolerance: None, iterations: None }),
    }
}

/// The values of these clauses, each of which may be there once: `word(value)`.
fn values<const N: usize>(text: &str, of: &str, words: [&str; N]) -> Result<[Option<String>; N], String> {
    let mut found = [const { None }; N];
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return Ok(found);
        }
        let (word, after) = super::take_word(rest);
        let Some(at) = words.iter().position(|w| w.eq_ignore_ascii_case(word)) else {
            return Err(format!("`{rest}` isn't expected after `{of}`"));
        };
        let (inside, after) =
            parenthesised(after.trim_start()).ok_or_else(|| format!("`{word}` needs a value in parentheses"))?;
        if inside.trim().is_empty() || found[at].replace(inside.trim().to_string()).is_some() {
            return Err(format!("`{word}` needs one value"));
        }
        rest = after;
    }
}

/// Clauses with and without a value, in order, each of which may be there once.
fn clauses(text: &str, known: &[(&str, Option<bool>)]) -> Result<Vec<(String, Option<String>)>, String> {
    let mut out: Vec<(String, Option<String>)> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.is_empty() {
            return Ok(out);
        }
        let n = rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')).count();
        let (word, after) = (rest[..n].to_ascii_lowercase(), rest[n..].trim_start());
        let Some((_, valued)) = known.iter().find(|(k, _)| *k == word) else {
            let all: Vec<&str> = known.iter().map(|(k, _)| *k).collect();
            return Err(format!("`{rest}` isn't expected here; there are {}", all.join(", ")));
        };
        let value = match after.starts_with('(') {
            true => Some(parenthesised(after).ok_or_else(|| format!("the parenthesis of `{word}` isn't closed"))?),
            false => None,
        };
        let inside = value.map(|(inside, _)| inside.trim().to_ascii_lowercase());
        if valued.is_some_and(|v| v != inside.is_some()) || inside.as_ref().is_some_and(String::is_empty) {
            return Err(format!(
                "`{word}` {}",
                if *valued == Some(false) { "has no value" } else { "needs a value in parentheses" }
            ));
        }
        if out.iter().any(|(known, _)| *known == word) {
            return Err(format!("`{word}` is there twice"));
        }
        out.push((word, inside));
        rest = value.map_or(after, |(_, rest)| rest);
    }
}
