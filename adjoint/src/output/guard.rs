//! Generated code holds for the macros that the primal was read under. A file that is generated under `-D` or `-U` stops
//! the compiler where others are given.

use std::collections::BTreeSet;

use costate_grammar::form::{MacroFact, ReadFile};

use crate::mode::Layout;
use crate::options::Options;

/// Lines for the start of every generated file; empty where no macro matters. An extended file holds the user's own
/// conditions, so that it also depends on macros that weren't given.
pub(super) fn text(files: &[ReadFile], options: &Options) -> String {
    let facts: BTreeSet<&MacroFact> = files.iter().flat_map(|f| &f.macros).collect();
    if options.layout == Layout::Separate && !options.macros {
        return String::new();
    }
    facts.into_iter().map(one).collect()
}

fn one(fact: &MacroFact) -> String {
    let name = &fact.name;
    let (condition, how) = match (&fact.value, fact.defined) {
        (_, false) => (format!("defined({name})"), format!("without {name}")),
        (Some(v), true) if v.trim().parse::<i64>().is_ok() => {
            (format!("!defined({name}) || {name} != {}", v.trim()), format!("with {name} = {}", v.trim()))
        }
        (_, true) => (format!("!defined({name})"), format!("with {name}")),
    };
    format!("#if {condition}\n#error This file was generated {how}: compile it so, or generate it again.\n#endif\n")
}

#[cfg(test)]
mod tests {
    use super::{MacroFact, one};

    #[test]
    fn conditions_stop_the_compiler_where_macros_differ() {
        let fact =
            |defined, value: Option<&str>| MacroFact { name: "CUBE".into(), defined, value: value.map(str::to_string) };
        assert!(one(&fact(false, None)).starts_with("#if defined(CUBE)\n#error "));
        assert!(one(&fact(true, None)).starts_with("#if !defined(CUBE)\n#error "));
        assert!(one(&fact(true, Some("3"))).starts_with("#if !defined(CUBE) || CUBE != 3\n#error "));
        assert!(one(&fact(true, Some("wp"))).starts_with("#if !defined(CUBE)\n#error "));
    }
}
