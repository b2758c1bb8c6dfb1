//! Generated files that stand in a repository, edited or not, in place of what would be generated now.

use costate_grammar::diag::{Code, Diagnostic};

use super::Generated;
use crate::differentiated::{Differentiated, OutputFile};

/// A file that is checked in place of generated code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Against {
    /// Its path.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Against {
    fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The modes of the heads' procedures that it holds, given generated code of a mode.
    pub(super) fn is_of(&self, code: &Differentiated) -> bool {
        let names: Vec<String> = units(&self.text);
        code.interfaces.iter().any(|i| names.contains(&i.procedure.to_ascii_lowercase()))
    }
}

/// Names of the modules and procedures that a text defines, in lower case.
fn units(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let line = line.trim().to_ascii_lowercase();
        let words: Vec<&str> = line.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).collect();
        let at = words.iter().position(|w| *w == "module" || *w == "subroutine" || *w == "function")?;
        // `end module m` ends it, `module procedure` begins none.
        let begins = words[..at].iter().all(|w| matches!(*w, "pure" | "elemental" | "recursive" | "impure" | "module"));
        let name = words.get(at + 1).filter(|n| !n.is_empty() && **n != "procedure" && **n != "subroutine")?;
        begins.then(|| (*name).to_string())
    };
    text.lines().filter_map(name).collect()
}

/// The name of a file's first unit.
fn first_unit(text: &str) -> Option<String> {
    units(text).into_iter().next()
}

/// Puts the files in the places of the generated ones that define the same units.
pub(super) fn replace(generated: &mut Generated, files: &[Against]) -> Result<(), Box<Diagnostic>> {
    for file in files {
        let names = units(&file.text);
        let holds = |f: &OutputFile| first_unit(&f.text).is_some_and(|n| names.contains(&n));
        let mut found = put(&mut generated.extended, file, &holds);
        let own = [&mut generated.tangent, &mut generated.adjoint];
        // Where modules of both modes have the same name, the procedures in them tell; a file without any of the heads'
        // own is known by its module alone.
        let both = own.iter().all(|code| code.files.iter().any(holds));
        for code in own {
            if (!both || file.is_of(code)) && put(&mut code.files, file, &holds) {
                code.uses_runtime = code.files.iter().any(|f| f.text.contains("costate_rt"));
                found = true;
            }
        }
        if !found {
            let all: Vec<String> = generated.files().filter_map(|f| first_unit(&f.text)).collect();
            return Err(Box::new(
                Diagnostic::global(
                    Code::Configuration,
                    format!("`{}` holds nothing that is generated for these heads", file.path),
                )
                .reason(format!("what is generated defines {}", all.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")))
                .help("give the heads and the options (`--naming`, suffixes, `--layout`) with which the file was generated"),
            ));
        }
    }
    Ok(())
}

/// The first of the files that it stands for gets its text, the others go.
fn put(files: &mut Vec<OutputFile>, file: &Against, holds: &dyn Fn(&OutputFile) -> bool) -> bool {
    let Some(first) = files.iter().position(holds) else { return false };
    let mut at = 0;
    files.retain(|f| {
        at += 1;
        at - 1 == first || !holds(f)
    });
    let name = if files[first].name == file.name() { None } else { Some(file.name().to_string()) };
    files[first].text.clone_from(&file.text);
    if let Some(name) = name {
        files[first].name = name;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_found_by_their_names() {
        let text = "module m_b\n use m\ncontains\n pure subroutine F_b(x)\n end subroutine f_b\nend module m_b\n";
        assert_eq!(units(text), ["m_b", "f_b"]);
    }
}
