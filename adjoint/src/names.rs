//! Names of generated entities (contract, section 2): a suffix, and the shortest free number where that clashes.

use std::collections::{BTreeSet, HashSet};

use costate_grammar::ir::{Handle, ModuleId, Name, Program, ScopeId, ScopeKind, Symbol};

/// How derivative entities are named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    /// Suffix of variables.
    pub variable: String,
    /// Suffix of procedures.
    pub procedure: String,
    /// Suffix of modules.
    pub module: String,
}

impl Naming {
    /// `x_d`, `f_d`, `m_d` or the same with another suffix.
    pub fn suffix(text: &str) -> Naming {
        Naming { variable: text.into(), procedure: text.into(), module: text.into() }
    }
}

/// The names that are taken in a scope and the scopes it sees.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    names: HashSet<Name>,
}

impl Taken {
    /// All names visible in a scope. The module of a `use` statement is named in its scope as well: nothing local can have
    /// that name beside it.
    pub fn visible(program: &Program, scope: ScopeId) -> Taken {
        let mut names = HashSet::new();
        let mut at = Some(scope);
        while let Some(s) = at {
            names.extend(program[s].names.keys().cloned());
            names.extend(program[s].uses.iter().map(|u| u.module.clone()));
            at = program[s].parent;
        }
        Taken { names }
    }

    /// The names in the scopes that new entities of a module become visible in: those that use the module, or use one that
    /// does.
    pub fn by_users(program: &Program, m: ModuleId) -> Taken {
        let mut taken = Taken::default();
        let mut reached = BTreeSet::from([m]);
        loop {
            let before = reached.len();
            for scope in &program.scopes {
                let used = scope.uses.iter().filter(|u| !u.only);
                let reaches = used.filter_map(|u| program.module_names.get(&u.module)).any(|u| reached.contains(u));
                if let (true, ScopeKind::Module(user)) = (reaches, scope.kind) {
                    reached.insert(user);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        for (i, scope) in program.scopes.iter().enumerate() {
            let direct = scope.uses.iter().filter_map(|u| program.module_names.get(&u.module));
            let own = matches!(scope.kind, ScopeKind::Module(u) if reached.contains(&u));
            if own || direct.into_iter().any(|u| reached.contains(u)) {
                taken.extend(&Taken::visible(program, Handle::new(i)));
            }
        }
        taken
    }

    /// The names of all program units and common blocks: no two of them have the same name.
    pub fn global(program: &Program) -> Taken {
        let mut names: HashSet<Name> = program.globals.keys().chain(program.module_names.keys()).cloned().collect();
        names.extend(program.scopes.iter().flat_map(|s| s.commons.keys().cloned()));
        let external = |s: &&Symbol| s.procedure().is_some_and(|p| p.external);
        names.extend(program.symbols.iter().filter(external).map(|s| s.name.clone()));
        Taken { names }
    }

    /// Marks a name as taken.
    pub fn insert(&mut self, name: Name) {
        self.names.insert(name);
    }

    /// Marks all names of another set as taken.
    pub fn extend(&mut self, other: &Taken) {
        self.names.extend(other.names.iter().cloned());
    }

    /// True when a name is taken.
    pub fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The name `base`, or with the lowest number that is free; taken from then on. Names stay within the 63 characters
    /// of the standard: of a longer one the suffix is kept, so that tangent and adjoint stay apart.
    pub fn fresh(&mut self, base: &str) -> Name {
        let mut name = Name::new(&within(base, LENGTH));
        let mut number = 0;
        while self.names.contains(&name) {
            number += 1;
            let digits = number.to_string();
            name = Name::new(&format!("{}{digits}", within(base, LENGTH - digits.len())));
        }
        self.names.insert(name.clone());
        name
    }
}

/// The longest name of the standard.
const LENGTH: usize = 63;

/// A name cut to a length before its suffix.
fn within(base: &str, length: usize) -> String {
    if base.len() <= length {
        return base.to_string();
    }
    let suffix = base.rfind('_').map_or("", |at| &base[at..]);
    let suffix = if suffix.len() < length / 2 { suffix } else { "" };
    format!("{}{suffix}", &base[..length - suffix.len()])
}

#[cfg(test)]
mod tests {
    use super::Taken;

    #[test]
    fn long_names_keep_their_suffix() {
        let long = "a".repeat(63);
        let mut taken = Taken::default();
        let first = taken.fresh(&format!("{long}_b"));
        let second = taken.fresh(&format!("{long}_b"));
        assert_eq!(first.as_str(), format!("{}_b", "a".repeat(61)));
        assert_eq!(second.as_str(), format!("{}_b1", "a".repeat(60)));
        assert_eq!(taken.fresh("x_b").as_str(), "x_b");
        assert_eq!(taken.fresh("x_b").as_str(), "x_b1");
    }
}
