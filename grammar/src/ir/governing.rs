//! What directives of OpenMP and OpenACC govern, and the variables that their clauses list.

use super::{LoopDirective, Name, Origin, Parallel, Program, Stmt, StmtKind, SymId};
use crate::directives::{ClauseKind, Construct, Directive};

/// A directive with the variables that it names, by which the lists of its clauses are variables.
#[derive(Clone, Copy, Debug)]
pub struct Governing<'a> {
    /// What it says.
    pub directive: &'a Directive,
    /// The variables that its text names.
    pub names: &'a [SymId],
}

impl Governing<'_> {
    /// How many loops in each other it is about, 1 where it doesn't say.
    pub fn collapse(self) -> u32 {
        let said = |k: &ClauseKind| if let ClauseKind::Collapse(n) = k { Some(*n) } else { None };
        self.directive.clauses.iter().find_map(|c| said(&c.kind)).unwrap_or(1)
    }

    /// What `private` lists.
    pub fn private(self, program: &Program) -> Vec<SymId> {
        self.listed(program, |k| if let ClauseKind::Private(l) = k { Some(l) } else { None })
    }

    /// What `firstprivate` lists.
    pub fn first_private(self, program: &Program) -> Vec<SymId> {
        self.listed(program, |k| if let ClauseKind::FirstPrivate(l) = k { Some(l) } else { None })
    }

    /// What `lastprivate` lists.
    pub fn last_private(self, program: &Program) -> Vec<SymId> {
        self.listed(program, |k| if let ClauseKind::LastPrivate(l) = k { Some(l) } else { None })
    }

    /// What `shared` lists.
    pub fn shared(self, program: &Program) -> Vec<SymId> {
        self.listed(program, |k| if let ClauseKind::Shared(l) = k { Some(l) } else { None })
    }

    /// What `reduction` lists, of all operators.
    pub fn reduced(self, program: &Program) -> Vec<SymId> {
        self.listed(program, |k| if let ClauseKind::Reduction { list, .. } = k { Some(list) } else { None })
    }

    fn listed(self, program: &Program, of: impl Fn(&ClauseKind) -> Option<&Vec<String>>) -> Vec<SymId> {
        let items = self.directive.clauses.iter().filter_map(|c| of(&c.kind)).flatten();
        items.filter_map(|item| self.named(program, item)).collect()
    }

    /// The variable that an item of a list is.
    pub fn named(self, program: &Program, item: &str) -> Option<SymId> {
        let name = Name::new(item);
        self.names.iter().copied().find(|s| program[*s].name == name)
    }
}

impl Directive {
    /// True for a directive of OpenMP or OpenACC.
    pub fn is_parallel(&self) -> bool {
        matches!(self.construct, Construct::Omp(_) | Construct::Acc(_))
    }
}

impl Stmt {
    /// The directives of OpenMP and OpenACC that govern what is in it: those before a loop, outer ones first, or the one
    /// whose region it is.
    pub fn governing(&self) -> Vec<Governing<'_>> {
        match &self.kind {
            StmtKind::Do { parallel: Some(p), .. } => {
                p.region().unwrap_or_default().iter().map(LoopDirective::governing).collect()
            }
            StmtKind::Directive { directive, names, body: Some(_) } if directive.is_parallel() => {
                vec![Governing { directive, names }]
            }
            _ => Vec::new(),
        }
    }

    /// True for a region of OpenMP or OpenACC, and for a loop whose iterations they share out, unless it is followed
    /// statement by statement.
    pub fn is_region(&self) -> bool {
        match &self.kind {
            StmtKind::Do { parallel, .. } => parallel.as_ref().is_some_and(|p| p.evidence.is_none()),
            StmtKind::Directive { directive, body, .. } => body.is_some() && directive.is_parallel(),
            _ => false,
        }
    }

    /// Where its text begins: of a loop with directives, where the first of them stands.
    pub fn start(&self) -> Origin {
        match &self.kind {
            StmtKind::Do { parallel: Some(p), .. } => {
                p.region().and_then(<[_]>::first).map_or(self.origin, |d| d.origin)
            }
            _ => self.origin,
        }
    }

    /// The comments before it: of a loop with directives, those before the first of them.
    pub fn comments_mut(&mut self) -> &mut Vec<String> {
        match &mut self.kind {
            StmtKind::Do { parallel: Some(p), .. } if p.region().is_some_and(|d| !d.is_empty()) => {
                &mut p.directives[0].leading
            }
            _ => &mut self.leading,
        }
    }

    /// Puts a directive before a loop, around those that it has. Nothing happens to other statements.
    pub fn share_out(&mut self, directive: LoopDirective) {
        match &mut self.kind {
            StmtKind::Do { parallel: Some(p), .. } => p.directives.insert(0, directive),
            StmtKind::Do { parallel: none, .. } => {
                *none = Some(Box::new(Parallel { directives: vec![directive], evidence: None }));
            }
            _ => {}
        }
    }
}

impl LoopDirective {
    /// It with the variables that it names.
    pub fn governing(&self) -> Governing<'_> {
        Governing { directive: &self.directive, names: &self.names }
    }
}
