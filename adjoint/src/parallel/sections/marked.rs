//! What the text of a procedure says of sections, and of tasks side by side.

use costate_analysis::callgraph::{calls, reached};
use costate_analysis::normal::stands;
use costate_grammar::directives::{ClauseKind, Directive, OmpConstruct};
use costate_grammar::ir::{Name, ProcId, Program, Stmt, StmtKind, SymId, for_each_stmt, words};
use costate_grammar::source::Span;

/// The sections of a construct, or tasks side by side.
pub(crate) struct Places {
    /// Where each stands in the text.
    parts: Vec<Span>,
    /// For tasks of a procedure that calls itself, and whose callers have the region: what each says of when it is one.
    /// `None` for statements of the thread that makes them.
    pub(super) tasks: Option<Vec<Option<Conditions>>>,
}

impl Places {
    /// Of which of them a statement is.
    pub(crate) fn part_of(&self, s: &Stmt) -> Option<usize> {
        self.parts.iter().position(|p| p.contains(s.origin.span()))
    }
}

/// Those of a procedure of the user's. One that calls itself makes tasks again: in a construct of sections within another one
/// a single thread would run all.
pub(crate) fn places(program: &Program, proc: ProcId) -> Vec<Places> {
    let body = &program[proc].body;
    let calls_itself = reached(program, &calls(program, body)).contains(&proc);
    let mut out = Vec::new();
    collect(program, body, !calls_itself, &mut out);
    out.retain(|places| places.parts.len() > 1);
    out
}

/// `in_team` tells whether the block stands in a region of its own procedure, or counts as such.
fn collect(program: &Program, block: &[Stmt], in_team: bool, out: &mut Vec<Places>) {
    let mut tasks = Tasks::default();
    for s in block {
        match &s.kind {
            StmtKind::Directive { directive, body: Some(inside), names } => match directive.omp() {
                Some(OmpConstruct::Task) => {
                    if tasks.own.is_some() {
                        out.push(tasks.ended(in_team));
                    }
                    tasks.push(extent(inside), Conditions::of(program, directive, names));
                }
                Some(OmpConstruct::Sections | OmpConstruct::ParallelSections) => {
                    let marks = |s: &Stmt| matches!(&s.kind, StmtKind::Directive { directive, .. } if directive.omp() == Some(&OmpConstruct::Section));
                    let parts = inside.split(marks).filter_map(extent).collect();
                    out.push(Places { parts, tasks: None });
                }
                _ => out.push(tasks.ended(in_team)),
            },
            StmtKind::Directive { directive, body: None, .. } if directive.omp() == Some(&OmpConstruct::TaskWait) => {
                tasks.wait();
                out.push(tasks.ended(in_team));
            }
            _ if s.blocks().is_empty() => tasks.go_on(s),
            _ => out.push(tasks.ended(in_team)),
        }
        let team = in_team || s.governing().iter().any(|d| d.directive.makes_team());
        s.blocks().into_iter().for_each(|b| collect(program, b, team, out));
    }
    out.push(tasks.ended(in_team));
}

/// Tasks in a row, and what the thread does that makes them until it waits for them.
#[derive(Default)]
struct Tasks {
    parts: Vec<Span>,
    conditions: Vec<Option<Conditions>>,
    /// From where to where its own statements stand behind the last task.
    own: Option<Span>,
}

impl Tasks {
    fn push(&mut self, part: Option<Span>, conditions: Conditions) {
        if let Some(part) = part {
            self.parts.push(part);
            self.conditions.push(Some(conditions));
        }
    }

    fn go_on(&mut self, s: &Stmt) {
        if !self.parts.is_empty() && !matches!(s.kind, StmtKind::Comment(_)) {
            let span = s.origin.span();
            self.own = Some(self.own.map_or(span, |known| known.to(span)));
        }
    }

    /// The thread's own statements are one more part.
    fn wait(&mut self) {
        if let Some(own) = self.own.take() {
            self.parts.push(own);
            self.conditions.push(None);
        }
    }

    fn ended(&mut self, in_team: bool) -> Places {
        let Tasks { parts, conditions, .. } = std::mem::take(self);
        Places { parts, tasks: (!in_team).then_some(conditions) }
    }
}

/// What a task says of when it is one that another thread may run.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    /// The clauses.
    pub(super) text: String,
    /// The variables in them.
    pub(super) names: Vec<SymId>,
}

impl Conditions {
    /// The clauses whose variables have the same values all through the procedure.
    fn of(program: &Program, directive: &Directive, names: &[SymId]) -> Conditions {
        let mut out = Conditions::default();
        for clause in &directive.clauses {
            let asks = match &clause.kind {
                ClauseKind::If(_) => true,
                ClauseKind::Other { name, .. } => name == "final",
                _ => false,
            };
            if asks && stands(program, clause, names) {
                let mentioned: Vec<Name> = words(&clause.text).map(Name::new).collect();
                out.text += &format!(" {}", clause.text);
                out.names.extend(names.iter().copied().filter(|s| mentioned.contains(&program[*s].name)));
            }
        }
        out
    }
}

/// From where to where statements stand.
fn extent(block: &[Stmt]) -> Option<Span> {
    let mut out: Option<Span> = None;
    for_each_stmt(block, &mut |s| out = Some(out.map_or(s.origin.span(), |known| known.to(s.origin.span()))));
    out
}
