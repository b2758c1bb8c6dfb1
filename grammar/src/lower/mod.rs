//! Text to IR. Units are parsed in parallel; lowering goes over everything twice: names of all files first, then
//! declarations (on demand, in the order in which they use each other), then bodies.

mod block;
mod call;
mod conditional;
pub mod constant;
mod control;
mod data;
mod decl;
mod derived;
mod designator;
mod directive;
mod expr;
mod generic;
mod implicit;
mod interface;
mod intrinsic_modules;
mod io;
mod labels;
mod pending;
mod spec;
mod stmt;
mod types;
mod unit;
mod uses;

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;

use crate::cst::{Node, Tree, TreeBuilder};
use crate::diag::{Code, Diagnostic};
use crate::form::ReadFile;
use crate::ir::{ModuleId, Name, ProcId, Program, ScopeId, StmtKind, SymId};
use crate::lines::{FileLines, Trivia};
use crate::source::{FileId, SourceMap, Span};
use crate::units::{UnitKind, UnitTree};

pub(crate) use call::{fits, result};
pub use constant::{Const, fold, integer, size};

/// A file, split into statements and units.
#[derive(Clone, Debug)]
pub struct FileInput {
    /// Its handle.
    pub file: FileId,
    /// Its statements and side table.
    pub lines: FileLines,
    /// Its program units.
    pub units: Vec<UnitTree>,
}

impl From<ReadFile> for FileInput {
    fn from(read: ReadFile) -> FileInput {
        FileInput { file: read.file, lines: read.lines, units: read.units }
    }
}

/// Lowers files to one program. What can't be understood within a unit is kept in the unit's `problems`; diagnostics tell
/// of what concerns the program as a whole.
pub fn lower(sources: &SourceMap, files: &[FileInput]) -> (Program, Vec<Diagnostic>) {
    lower_with(sources, files, false)
}

/// The same where default real may have 8 bytes (`wide_real`).
pub fn lower_with(sources: &SourceMap, files: &[FileInput], wide_real: bool) -> (Program, Vec<Diagnostic>) {
    let _ = sources;
    let mut work = Vec::new();
    for (i, file) in files.iter().enumerate() {
        for unit in &file.units {
            gather(i, unit, None, &mut work);
        }
    }
    let trees: Vec<Tree> = work.par_iter().map(|w| parse(&files[w.file].lines, w.unit)).collect();
    let sides: Vec<Side<'_>> = files.iter().map(|f| Side::new(&f.lines)).collect();
    // Nests of units, expressions and chains of `use` are followed recursively.
    let run = || Lowerer::new(files, &work, &trees, &sides, wide_real).run();
    std::thread::scope(|s| match std::thread::Builder::new().stack_size(1 << 29).spawn_scoped(s, run) {
        Ok(handle) => match handle.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        },
        Err(_) => Lowerer::new(files, &work, &trees, &sides, wide_real).run(),
    })
}

/// A unit to lower.
struct Work<'t> {
    file: usize,
    unit: &'t UnitTree,
    parent: Option<usize>,
}

fn gather<'t>(file: usize, unit: &'t UnitTree, parent: Option<usize>, out: &mut Vec<Work<'t>>) {
    out.push(Work { file, unit, parent });
    let me = out.len() - 1;
    for child in &unit.children {
        gather(file, child, Some(me), out);
    }
}

/// Parses a unit without its children.
fn parse(file: &FileLines, unit: &UnitTree) -> Tree {
    let mut b = TreeBuilder::default();
    // A body whose head says `module procedure f` parses only within a module: a subroutine's head and end stand in for it.
    let stand_in = unit.kind == UnitKind::ModuleProcedure;
    let mut add = |i: usize, stand: &str| match file.lines.get(i) {
        // It stands in the statements that use it.
        Some(line) if line.format().is_some() => {}
        Some(_) if stand_in && !stand.is_empty() => b.push_text(i, &format!("{stand} {}", unit.name)),
        Some(line) => b.push(i, line),
        None => {}
    };
    if let Some(head) = unit.head {
        add(head, "subroutine");
    }
    for i in unit.body.clone() {
        add(i, "");
    }
    if unit.closed {
        add(unit.end, "end subroutine");
    } else {
        b.push_text(usize::MAX, &format!("end {}", unit.kind.keyword()));
    }
    b.parse()
}

/// Comments and directives of a file by the statement they belong to.
struct Side<'t> {
    leading: HashMap<usize, Vec<&'t Trivia>>,
    trailing: HashMap<usize, &'t Trivia>,
}

impl<'t> Side<'t> {
    fn new(lines: &'t FileLines) -> Side<'t> {
        let mut side = Side { leading: HashMap::new(), trailing: HashMap::new() };
        for t in &lines.trivia {
            let within = lines.lines.get(t.before).is_some_and(|l| l.span.start <= t.span.start);
            if t.trailing && !within && t.before > 0 {
                side.trailing.insert(t.before - 1, t);
            } else {
                let format = |l: &usize| lines.lines.get(*l).is_some_and(|l| l.format().is_some());
                let before = (t.before..).find(|l| !format(l)).unwrap_or(t.before);
                side.leading.entry(before).or_default().push(t);
            }
        }
        side
    }
}

/// What stands for the kind of an `entry`'s name.
const ENTRY: &str = "entry";

/// How far the declarations of a unit are understood.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Begun,
    Done,
}

/// What a unit became.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Module(ModuleId),
    Procedure(ProcId),
    BlockData,
}

/// A unit being lowered.
struct Unit<'t> {
    tree: &'t UnitTree,
    cst: &'t Tree,
    file: usize,
    parent: Option<usize>,
    what: What,
    state: State,
}

/// Where lowering stands: the scope names are looked up in, the unit whose problems they are.
#[derive(Clone, Copy)]
struct Ctx<'t> {
    lines: &'t FileLines,
    file: usize,
    unit: usize,
    scope: ScopeId,
    /// The procedure or module that collects problems.
    owner: What,
}

impl Ctx<'_> {
    fn span(&self, node: Node<'_>) -> Span {
        node.span(&self.lines.lines)
    }

    fn within(self, scope: ScopeId) -> Self {
        Ctx { scope, ..self }
    }
}

/// Beside a scope: what lowering knows of it.
#[derive(Clone, Default)]
struct ScopeInfo {
    implicit: Option<implicit::Implicit>,
    /// Local variables keep their values, those without a declaration too.
    save_all: bool,
    /// Modules used here whose names aren't all known.
    open: Vec<ModuleId>,
    /// Uses a module that isn't among the files: an unknown name may be its.
    unknown_module: bool,
}

/// Which names of a module are public.
#[derive(Clone, Default)]
struct Access {
    default_private: bool,
    public: HashSet<Name>,
    private: HashSet<Name>,
}

/// Where a loop ends.
struct LoopEnd {
    /// Its label, of a labelled loop.
    label: Option<u32>,
    /// True where nothing is executed there.
    idle: bool,
    /// True where a loop within ends there too: jumps of this loop don't lead to what belongs to the innermost.
    shared: bool,
}

struct Lowerer<'t> {
    program: Program,
    diagnostics: Vec<Diagnostic>,
    files: &'t [FileInput],
    sides: &'t [Side<'t>],
    units: Vec<Unit<'t>>,
    unit_of_proc: HashMap<ProcId, usize>,
    unit_of_module: HashMap<ModuleId, usize>,
    scope_info: Vec<ScopeInfo>,
    access: HashMap<ModuleId, Access>,
    /// Scope of external procedures.
    root: ScopeId,
    /// Names of modules that aren't among the files.
    elsewhere: ScopeId,
    /// Names that have no type yet because none was declared (their symbols have type `NONE`).
    untyped: HashSet<SymId>,
    /// The loops around the statement being lowered, innermost last.
    loops: Vec<LoopEnd>,
    /// Labels that a jump of the procedure being lowered names.
    jumps: HashSet<u32>,
    /// The formats of that procedure by their labels.
    formats: HashMap<u32, String>,
    /// What follows the statement that was lowered last, where one statement stands for several.
    after: Vec<StmtKind>,
    /// Names that were made up in that procedure.
    made_names: HashSet<String>,
    /// The variable there that holds what came of input and output.
    status: Option<SymId>,
    /// Conditional lines that belong to statements that were lowered, by file and line.
    followed: HashSet<(usize, usize)>,
}

impl<'t> Lowerer<'t> {
    fn new(
        files: &'t [FileInput],
        work: &[Work<'t>],
        trees: &'t [Tree],
        sides: &'t [Side<'t>],
        wide_real: bool,
    ) -> Self {
        let mut program = Program { wide_real, ..Program::default() };
        let root = program.add_scope(None, crate::ir::ScopeKind::Global);
        let elsewhere = program.add_scope(None, crate::ir::ScopeKind::Global);
        let unit = |(w, cst): (&Work<'t>, &'t Tree)| Unit {
            tree: w.unit,
            cst,
            file: w.file,
            parent: w.parent,
            what: What::BlockData,
            state: State::New,
        };
        Lowerer {
            program,
            diagnostics: Vec::new(),
            files,
            sides,
            units: work.iter().zip(trees).map(unit).collect(),
            unit_of_proc: HashMap::new(),
            unit_of_module: HashMap::new(),
            scope_info: Vec::new(),
            access: HashMap::new(),
            root,
            elsewhere,
            untyped: HashSet::new(),
            loops: Vec::new(),
            jumps: HashSet::new(),
            formats: HashMap::new(),
            after: Vec::new(),
            made_names: HashSet::new(),
            status: None,
            followed: HashSet::new(),
        }
    }

    fn run(mut self) -> (Program, Vec<Diagnostic>) {
        self.declare_all();
        for u in 0..self.units.len() {
            self.ensure(u);
        }
        // A host comes before what it contains, so that names it types implicitly are known within.
        for u in 0..self.units.len() {
            self.body(u);
            self.refuse_unfollowed(u);
        }
        self.note_conditional_modules();
        (self.program, self.diagnostics)
    }

    fn info(&mut self, scope: ScopeId) -> &mut ScopeInfo {
        if self.scope_info.len() <= scope.index() {
            self.scope_info.resize(scope.index() + 1, ScopeInfo::default());
        }
        &mut self.scope_info[scope.index()]
    }

    /// Keeps a problem with the unit that has it. Where a statement couldn't be parsed, the rest of the unit is misread
    /// because of it, and nothing but the [`Lowerer::fault`] is said of it.
    fn problem(&mut self, ctx: Ctx<'t>, d: Diagnostic) {
        let cst = self.units[ctx.unit].cst;
        if !cst.has_error() || cst.is_beyond() {
            self.fault(ctx, d);
        }
    }

    /// Keeps what the parser couldn't make sense of with the unit that has it.
    fn fault(&mut self, ctx: Ctx<'t>, d: Diagnostic) {
        let list = match ctx.owner {
            What::Module(m) => &mut self.program[m].problems,
            What::Procedure(p) => &mut self.program[p].problems,
            What::BlockData => return,
        };
        if !list.contains(&d) {
            list.push(d);
        }
    }

    fn problem_at(&mut self, ctx: Ctx<'t>, code: Code, node: Node<'t>, message: impl Into<String>) {
        let help = match code {
            Code::NameNotFound => "check the spelling, or add the file that declares it",
            Code::NoSpecific => "check types and ranks of the arguments, or add the file that holds the procedure",
            _ => "check it with a compiler, or write it in a simpler way",
        };
        let d = Diagnostic::error(code, ctx.span(node), message)
            .reason("what isn't understood can't be differentiated")
            .help(help);
        self.problem(ctx, d);
    }
}
