//! A random program as a tree that can be printed and made smaller.

use std::collections::BTreeSet;
use std::fmt::Write;

use costate_adjoint::optimise::PassSet;

use super::features;
use super::syntax::{Procedure, Statement};

/// What of the head is input and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeadKind {
    /// x is input, y output.
    Plain,
    /// x is input, y both.
    Update,
    /// Both are both.
    Both,
}

/// A program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RandomProgram {
    /// The seed it was made from.
    pub seed: u64,
    /// The head.
    pub kind: HeadKind,
    /// Declarations of the module: name and line.
    pub module: Vec<(String, String)>,
    /// The head procedure, then its helpers.
    pub procedures: Vec<Procedure>,
    /// The passes that arrange its adjoint.
    pub passes: PassSet,
    /// Codes of refusals that its constructs may meet.
    pub refused: Vec<String>,
}

/// The names in a text.
pub(super) fn words(text: &str, into: &mut BTreeSet<String>) {
    for w in text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        into.insert(w.to_string());
    }
}

/// True when a program with these names needs a declaration: one of the names that its first line declares is among them.
fn wanted(used: &BTreeSet<String>, name: &str, declaration: &str) -> bool {
    let line = declaration.lines().next().unwrap_or_default();
    let list = line.split_once("::").or_else(|| line.split_once("only:")).map_or("", |(_, list)| list);
    let mut depth = 0;
    let bare: String = list
        .chars()
        .filter(|c| {
            depth += i32::from(*c == '(') - i32::from(*c == ')');
            depth == 0 && *c != ')'
        })
        .collect();
    let first = |entity: &str| entity.split('=').next().unwrap_or_default().trim().to_string();
    used.contains(name) || bare.split(',').map(first).any(|e| !e.is_empty() && used.contains(&e))
}

pub(super) fn print_block(block: &[Statement], level: usize, out: &mut String) {
    let pad = "  ".repeat(level);
    for s in block {
        match s {
            Statement::Line(e) => writeln!(out, "{pad}{}", e.print()).unwrap_or_default(),
            Statement::Kept(text) => writeln!(out, "{pad}{text}").unwrap_or_default(),
            Statement::Construct { before, parts, end, .. } => {
                for b in before {
                    writeln!(out, "{pad}{b}").unwrap_or_default();
                }
                for p in parts {
                    writeln!(out, "{pad}{}", p.head.print()).unwrap_or_default();
                    for f in &p.fixed {
                        writeln!(out, "{pad}  {f}").unwrap_or_default();
                    }
                    print_block(&p.body, level + 1, out);
                }
                writeln!(out, "{pad}{end}").unwrap_or_default();
            }
            Statement::Together { parts, end } => {
                let lines = |text: &str, out: &mut String| {
                    text.lines().for_each(|l| writeln!(out, "{pad}{l}").unwrap_or_default());
                };
                for p in parts {
                    lines(&p.head.print(), out);
                    print_block(&p.body, level + 1, out);
                }
                lines(end, out);
            }
        }
    }
}

impl Procedure {
    /// The procedure as text; `needed` are names that it must define beside those that it uses.
    fn print(&self, needed: &BTreeSet<String>) -> String {
        let mut body = String::new();
        print_block(&self.body, 2, &mut body);
        let mut used = needed.clone();
        words(&body, &mut used);
        let lines = self.dummies.iter().chain(&self.fixed);
        lines.for_each(|f| words(f, &mut used));
        let mut internal: Vec<&(String, String)> = Vec::new();
        for entry in &self.internal {
            if used.contains(&entry.0) {
                words(&entry.1, &mut used);
                internal.push(entry);
            }
        }
        // The definition of a local may need another one; those stand before it.
        let mut locals: Vec<&(String, String, String)> = Vec::new();
        for l in self.locals.iter().rev() {
            if wanted(&used, &l.0, &l.1) {
                words(&l.1, &mut used);
                words(&l.2, &mut used);
                locals.push(l);
            }
        }
        locals.reverse();
        let mut out = format!("  {}\n", self.head);
        let lines = self.dummies.iter().chain(locals.iter().map(|l| &l.1)).flat_map(|l| l.lines());
        lines.filter(|d| !d.is_empty()).for_each(|d| writeln!(out, "    {d}").unwrap_or_default());
        for f in &self.fixed {
            writeln!(out, "    {f}").unwrap_or_default();
        }
        for line in locals.iter().flat_map(|l| l.2.lines()) {
            writeln!(out, "    {line}").unwrap_or_default();
        }
        out.push_str(&body);
        for (k, (_, text)) in internal.into_iter().enumerate() {
            let start = if k == 0 { "  contains\n" } else { "" };
            writeln!(out, "{start}    {}", text.replace('\n', "\n    ")).unwrap_or_default();
        }
        writeln!(out, "  {}", self.end).unwrap_or_default();
        out
    }
}

impl RandomProgram {
    /// Adds the names in the declarations that a program with these names needs. A declaration may need one that stands
    /// before it.
    fn declared(&self, used: &mut BTreeSet<String>) {
        for (name, line) in self.module.iter().rev() {
            if wanted(used, name, line) {
                words(line, used);
            }
        }
        let outside: Vec<&str> = features::outside().filter(|(n, _)| used.contains(*n)).map(|(_, t)| *t).collect();
        outside.into_iter().for_each(|text| words(text, used));
    }

    /// The program as a module, after the units that it uses.
    pub fn print(&self, module: &str) -> String {
        let head = &self.procedures[0];
        // What isn't a local of the head is defined by it, whoever uses it. Its definition may need more.
        let global = |n: &String| head.locals.iter().any(|(m, declaration, _)| m == n && declaration.is_empty());
        let mut needed = BTreeSet::new();
        let (texts, used) = loop {
            let (texts, used) = self.texts(&needed);
            let now: BTreeSet<String> = used.iter().filter(|n| global(n)).cloned().collect();
            if now == needed {
                break (texts, used);
            }
            needed = now;
        };
        let (mut uses, mut lines) = (String::new(), String::new());
        for (_, text) in self.module.iter().filter(|(n, line)| wanted(&used, n, line)) {
            let to = if text.starts_with("use ") { &mut uses } else { &mut lines };
            text.lines().for_each(|l| writeln!(to, "  {l}").unwrap_or_default());
        }
        let own = format!("module @\n{uses}  implicit none\n{lines}contains\n{}end module @\n", texts.concat());
        let outside: String = features::outside().filter(|(n, _)| used.contains(*n)).map(|(_, t)| *t).collect();
        format!("{outside}{own}").replace('@', module)
    }

    /// The procedures that are called, as text, and all names that they use.
    fn texts(&self, needed: &BTreeSet<String>) -> (Vec<String>, BTreeSet<String>) {
        let mut used = needed.clone();
        let head = self.procedures[0].print(needed);
        words(&head, &mut used);
        let mut texts = vec![head];
        let mut rest: Vec<&Procedure> = self.procedures[1..].iter().collect();
        loop {
            self.declared(&mut used);
            let (called, others) = rest.iter().partition::<Vec<&Procedure>, _>(|p| used.contains(&p.name));
            if called.is_empty() {
                return (texts, used);
            }
            for p in called {
                let text = p.print(&BTreeSet::new());
                words(&text, &mut used);
                texts.push(text);
            }
            rest = others;
        }
    }

    /// The head for a module of this name.
    pub fn head(&self, module: &str) -> String {
        match self.kind {
            HeadKind::Plain => format!("{module}::f(y)/(x)"),
            HeadKind::Update => format!("{module}::f(y)/(x,y)"),
            HeadKind::Both => format!("{module}::f(x,y)/(x,y)"),
        }
    }

    /// A measure of its size.
    pub fn size(&self) -> usize {
        self.print("m").len()
    }
}
