//! What directives ask for a loop: all of those around it in one.

use std::borrow::Cow;
use std::collections::BTreeSet;

use costate_grammar::directives::{
    AccConstruct, Clause, ClauseKind, Construct, DefaultKind, Directive, OmpConstruct, parse,
};
use costate_grammar::ir::{
    Governing, Intent, LoopDirective, Name, Origin, Program, ScopeId, Stmt, SymId, Variable, for_each_stmt, words,
};
use costate_grammar::lines::Sentinel;

use crate::storage::is_global;

/// The directives around a statement, outer ones first, with the variables that they name.
#[derive(Clone, Debug, Default)]
pub(super) struct Team {
    around: Vec<(Directive, Vec<SymId>)>,
    /// A loop around it shares out its iterations.
    shares: bool,
    /// The scopes of `block` constructs inside: each thread has its own variables of these.
    blocks: Vec<ScopeId>,
}

impl Team {
    /// Inside one more.
    pub(super) fn within(&self, directive: &Directive, names: &[SymId]) -> Team {
        let mut out = self.clone();
        out.around.push((directive.clone(), names.to_vec()));
        out
    }

    /// Inside a `block` construct of these threads.
    pub(super) fn in_block(&self, scope: ScopeId) -> Team {
        let mut out = self.clone();
        out.blocks.push(scope);
        out
    }

    /// True for a variable that is declared in a `block` construct inside.
    pub(super) fn declares(&self, program: &Program, sym: SymId) -> bool {
        self.blocks.contains(&program[sym].scope)
    }

    /// Inside a loop that directives share out.
    pub(super) fn in_loop(self, own: &[LoopDirective]) -> Team {
        let shared = |d: &LoopDirective| !only_vectors(&d.directive) && !is_sequential(&d.directive);
        let shares = self.shares || own.iter().any(shared) || own.is_empty();
        Team { shares, ..self }
    }

    /// The loops in it are for the compiler to share out.
    pub(super) fn makes_kernels(&self) -> bool {
        !self.shares && self.is_kernels()
    }

    /// It is inside a region that is left to the compiler.
    pub(super) fn is_kernels(&self) -> bool {
        self.around.iter().any(|(d, _)| d.acc() == Some(&AccConstruct::Kernels))
    }

    /// The directives, outer ones first.
    pub(super) fn directives(&self) -> impl Iterator<Item = (&Directive, &[SymId])> {
        self.around.iter().map(|(d, names)| (d, names.as_slice()))
    }

    /// What data regions of OpenACC around it have on the device: code there works on that, scalars included.
    pub(super) fn on_device(&self, program: &Program) -> BTreeSet<SymId> {
        let regions = self.directives().filter(|(d, _)| d.acc() == Some(&AccConstruct::Data));
        regions.flat_map(|(_, names)| names).copied().filter(|s| program.var(*s).is_some()).collect()
    }

    /// True for a variable of which there isn't one for all threads where a task is made: the task gets a copy of it, unless it
    /// says otherwise (7.1.1 of OpenMP 5.2).
    pub(super) fn is_of_one_thread(&self, program: &Program, sym: SymId) -> bool {
        for (directive, names) in self.directives().collect::<Vec<_>>().into_iter().rev() {
            let d = Governing { directive, names };
            let own = [d.private(program), d.first_private(program), d.last_private(program), d.reduced(program)];
            if own.iter().any(|list| list.contains(&sym)) {
                return true;
            }
            let default = directive.clauses.iter().find_map(|c| match &c.kind {
                ClauseKind::Default(kind) => Some(*kind),
                _ => None,
            });
            let shared = d.shared(program).contains(&sym) || default == Some(DefaultKind::Shared);
            if shared || directive.makes_team() && directive.omp() != Some(&OmpConstruct::Sections) {
                return !shared && matches!(default, Some(DefaultKind::Private | DefaultKind::FirstPrivate));
            }
        }
        // In a procedure that is called in the region, what it has anew for each call.
        let of_call = |v: &Variable| {
            let lasting = v.attrs.save || v.init.is_some() || v.data || v.common.is_some() || v.directive;
            !lasting && !v.attrs.parameter
        };
        !is_global(program, sym) && program.var(sym).is_some_and(of_call)
    }

    fn is_on_device(&self) -> bool {
        self.around.iter().any(|(d, _)| targets(d))
    }
}

/// True for a loop that is to run as it stands, with what is shared out inside it.
fn is_sequential(d: &Directive) -> bool {
    d.clauses.iter().any(|c| c.kind == ClauseKind::Seq)
}

/// True for a construct of OpenMP whose region runs on a device.
fn targets(d: &Directive) -> bool {
    matches!(d.omp(), Some(OmpConstruct::Target | OmpConstruct::TargetCombined(_)))
}

/// True for a directive that asks for nothing but vector operations.
fn only_vectors(d: &Directive) -> bool {
    d.omp() == Some(&OmpConstruct::Simd)
}

/// One directive that asks for all that those of a loop and those around it do, save what is said of data: that differs
/// from loop to loop in generated code.
/// `body` is the loop's.
pub(super) fn directives(
    program: &Program,
    (own, body): (&[LoopDirective], &[Stmt]),
    team: &Team,
    origin: Origin,
) -> Vec<LoopDirective> {
    let acc = own.iter().any(|d| d.directive.acc().is_some()) || team.around.iter().any(|(d, _)| d.acc().is_some());
    let sentinel = if acc { Sentinel::Acc } else { Sentinel::Omp };
    let words = if acc { acc_words(own, team) } else { omp_words(own, body, team) };
    let Some(mut text) = words else { return Vec::new() };
    let device = acc || team.is_on_device() || own.iter().any(|d| targets(&d.directive));
    let all = team.around.iter().map(|(d, _)| d).chain(own.iter().map(|d| &d.directive));
    let inner = team.shares;
    let mut names: Vec<SymId> = own.iter().flat_map(|d| d.names.iter().copied()).collect();
    names.extend(team.around.iter().flat_map(|(_, n)| n.iter().copied()));
    let mut kept: Vec<Cow<'_, str>> = Vec::new();
    let kernels = own.iter().any(|d| d.directive.acc() == Some(&AccConstruct::KernelsLoop)) || team.is_kernels();
    for c in all.filter(|d| !inner || own.iter().any(|o| std::ptr::eq(&o.directive, *d))).flat_map(|d| &d.clauses) {
        let text = wording(c, kernels);
        if is_kept(c, acc, device) && stands(program, c, &names) && !kept.contains(&text) {
            kept.push(text);
        }
    }
    kept.iter().for_each(|c| text += &format!(" {c}"));
    match parse(sentinel, &text, origin.span()) {
        Ok(directive) => vec![LoopDirective { names, ..LoopDirective::new(directive, origin) }],
        Err(_) => Vec::new(),
    }
}

fn omp_words(own: &[LoopDirective], body: &[Stmt], team: &Team) -> Option<String> {
    let vectors = own.iter().any(|d| match d.directive.omp() {
        Some(OmpConstruct::Simd | OmpConstruct::DoSimd | OmpConstruct::ParallelDoSimd) => true,
        Some(OmpConstruct::TargetCombined(w) | OmpConstruct::TeamsCombined(w) | OmpConstruct::Other(w)) => {
            w.ends_with("simd")
        }
        _ => false,
    });
    // A region inside another one on the host has threads of its own, and so has one inside what is distributed among teams.
    let distributed = team.around.iter().any(|(d, _)| only_distributes(d));
    let nested = (!team.is_on_device() || distributed) && own.iter().any(|d| starts_threads(&d.directive));
    if team.shares && !nested || own.iter().all(|d| only_vectors(&d.directive)) {
        return vectors.then(|| "simd".to_string());
    }
    let device = team.is_on_device() || own.iter().any(|d| targets(&d.directive));
    let mut inside = false;
    for_each_stmt(body, &mut |s| inside |= s.governing().iter().any(|d| starts_threads(d.directive)));
    let base = match () {
        () if nested && distributed => "parallel do",
        () if device && inside && own.iter().any(|d| only_distributes(&d.directive)) => "target teams distribute",
        () if device => "target teams distribute parallel do",
        () => "parallel do",
    };
    Some(if vectors { format!("{base} simd") } else { base.to_string() })
}

/// True for a construct that starts threads where it stands.
fn starts_threads(d: &Directive) -> bool {
    d.omp().is_some() && d.makes_team() && !targets(d)
}

/// True for a construct that shares out a loop among teams, and not among the threads of each.
fn only_distributes(d: &Directive) -> bool {
    match d.omp() {
        Some(OmpConstruct::Distribute) => true,
        Some(OmpConstruct::TargetCombined(w) | OmpConstruct::TeamsCombined(w)) => w.ends_with("distribute"),
        _ => false,
    }
}

fn acc_words(own: &[LoopDirective], team: &Team) -> Option<String> {
    let serial = |d: &Directive| matches!(d.acc(), Some(AccConstruct::Serial | AccConstruct::SerialLoop));
    let itself = own.iter().any(|d| serial(&d.directive) || is_sequential(&d.directive));
    if itself || team.around.iter().any(|(d, _)| serial(d)) {
        return None;
    }
    // In a routine that a device calls, the caller's region is shared out.
    let in_region = team.around.iter().any(|(d, _)| d.acc().is_some_and(|c| *c != AccConstruct::Data));
    let orphaned = !in_region && own.iter().all(|d| d.directive.acc() == Some(&AccConstruct::Loop));
    Some(if team.shares || orphaned { "loop" } else { "parallel loop" }.to_string())
}

/// The text of a clause. In `kernels` the words for levels may say how many there are, elsewhere not. Tiles are for the
/// user's statements: of derivative code as many loops are one.
fn wording(c: &Clause, kernels: bool) -> Cow<'_, str> {
    match &c.kind {
        ClauseKind::Gang(Some(_)) if kernels => "gang".into(),
        ClauseKind::Worker(Some(_)) if kernels => "worker".into(),
        ClauseKind::Vector(Some(_)) if kernels => "vector".into(),
        ClauseKind::Other { name, text: Some(sizes) } if name == "tile" => {
            format!("collapse({})", sizes.split(',').count()).into()
        }
        _ => c.text.as_str().into(),
    }
}

/// True for a clause that says how the work is shared out. Whether a loop runs on a `device` depends on no condition:
/// arrays stay there.
fn is_kept(c: &Clause, acc: bool, device: bool) -> bool {
    match &c.kind {
        ClauseKind::Schedule { .. } | ClauseKind::NumThreads(_) | ClauseKind::CopyIn(_) => !acc,
        ClauseKind::If(text) => !text.contains(':') && !device,
        ClauseKind::Collapse(_) => true,
        ClauseKind::Gang(_) | ClauseKind::Worker(_) | ClauseKind::Vector(_) => acc,
        ClauseKind::Default(kind) => !acc && *kind == DefaultKind::None,
        ClauseKind::Other { name, .. } => match name.as_str() {
            "proc_bind" => !acc,
            "dist_schedule" | "num_teams" | "thread_limit" => !acc && device,
            "num_gangs" | "num_workers" | "vector_length" | "tile" => acc,
            _ => false,
        },
        _ => false,
    }
}

/// True where the variables in a clause have the same value all through a procedure: sweeps compute what statements need,
/// and no value for a clause.
pub fn stands(program: &Program, c: &Clause, names: &[SymId]) -> bool {
    if matches!(c.kind, ClauseKind::CopyIn(_)) {
        return true;
    }
    let words: Vec<Name> = words(&c.text).map(Name::new).collect();
    let fixed = |v: &Variable| v.attrs.parameter || v.intent == Some(Intent::In) && !v.attrs.pointer;
    names.iter().filter(|s| words.contains(&program[**s].name)).all(|s| program.var(*s).is_some_and(fixed))
}

/// True for a construct of which only one thread at a time runs the statements.
pub(super) fn one_at_a_time(d: &Directive) -> bool {
    match &d.construct {
        Construct::Omp(OmpConstruct::Critical | OmpConstruct::Atomic | OmpConstruct::Ordered) => true,
        Construct::Acc(AccConstruct::Atomic) => true,
        Construct::Omp(OmpConstruct::Task) => {
            d.clauses.iter().any(|c| matches!(&c.kind, ClauseKind::Other { name, .. } if name == "depend"))
        }
        _ => false,
    }
}
