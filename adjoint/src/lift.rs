//! Local variables that keep their value from call to call become variables of the module ([`Layout::Extend`]): only there
//! can derivative code reach them, and there is one copy of the state. A procedure that belongs to no module gets one for
//! them, which it uses.
//!
//! [`Layout::Extend`]: crate::mode::Layout::Extend

mod list;

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::{reached, within};
use costate_grammar::form::ReadFile;
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    Dim, Expr, ExprKind, Handle, KindSuffix, Module, ModuleId, ModuleKind, Name, ParentUnit, ProcId, Program,
    ScopeKind, StmtKind, SymId, SymbolKind, Use, Variable, for_each_expr, for_each_stmt, map_expr, words,
};
use costate_grammar::lines::{FileLines, LogicalLine};
use costate_grammar::print::source::Edit;
use costate_grammar::print::{self, Style};
use costate_grammar::source::{SourceMap, Span};

use crate::kept::{changed, is_index, owner};
use crate::names::Taken;
use crate::remap::in_expr;
use list::List;

/// A variable that has moved to its module.
#[derive(Clone, Debug)]
pub struct Lifted {
    /// The variable.
    pub sym: SymId,
    /// Its module.
    pub module: ModuleId,
    /// Where the user's text changes: its declaration, and its name where the module has that already.
    edits: Vec<Rewrite>,
    /// Where a statement comes that uses a module which the text doesn't have: before this one.
    used: Option<Span>,
}

/// A change of the text.
#[derive(Clone, Debug)]
struct Rewrite {
    span: Span,
    text: String,
}

/// Moves the saved variables that the procedures below the heads change. Those that can't be moved stay, and are refused
/// where a derivative needs them.
///
/// `suffixes` end the names of derivatives, which moved variables don't take.
pub fn run(
    program: &mut Program,
    sources: &SourceMap,
    files: &[ReadFile],
    heads: &[ProcId],
    suffixes: &BTreeSet<&str>,
) -> Vec<Lifted> {
    let mut moves: BTreeMap<ProcId, (ModuleId, Vec<SymId>)> = BTreeMap::new();
    let procs = reached(program, heads);
    for &proc in &procs {
        // Copies of one procedure would each have a state of their own, where the user's has one.
        if procs.iter().any(|p| *p != proc && is_copy(program, *p, proc)) {
            continue;
        }
        let only_index = |s: &SymId| is_index(program, proc, *s, &|_| false);
        let mut chosen: Vec<SymId> = changed(program, proc).into_iter().filter(|s| !only_index(s)).collect();
        if chosen.is_empty() {
            continue;
        }
        let module = module_of(program, proc).unwrap_or_else(|| added_module(program, proc));
        if chosen.iter().any(|s| has_data(program, *s)) {
            // Data statements give values to others beside them.
            let own = program[program[proc].scope].names.values().copied();
            chosen.extend(own.filter(|s| owner(program, *s) == Some(proc) && has_data(program, *s)));
            chosen.sort_unstable();
            chosen.dedup();
        }
        chosen.retain(|s| movable(program, proc, module, *s));
        moves.insert(proc, (module, chosen));
    }
    let mut out = Vec::new();
    for (proc, (module, mut symbols)) in moves {
        let Some(file) = files.iter().find(|f| f.file == program[proc].file) else { continue };
        let own = program[program[proc].scope].names.iter();
        let names =
            own.map(|(n, s)| (n.clone(), *s)).filter(|(_, s)| program[*s].scope == program[proc].scope).collect();
        let written = symbols.iter().map(|s| (*s, program[*s].name.clone())).collect();
        let text = Text { sources, lines: own_lines(program, file, proc), suffixes, names, written, module };
        // What declares several variables changes for all of them or for none.
        while !symbols.is_empty() {
            let before = program.clone();
            let lifted: Vec<Option<Lifted>> = symbols.iter().map(|s| text.lift(program, proc, *s, &symbols)).collect();
            let failed: Vec<SymId> =
                symbols.iter().zip(&lifted).filter(|(_, l)| l.is_none()).map(|(s, _)| *s).collect();
            if failed.is_empty() {
                out.extend(lifted.into_iter().flatten());
                break;
            }
            *program = before;
            symbols.retain(|s| !failed.contains(s));
        }
    }
    out
}

/// The changes of a file's text, and the declarations that its modules get.
pub fn rewrite(
    program: &Program,
    lines: &FileLines,
    lifted: &[Lifted],
    style: &Style,
) -> (Vec<Edit>, BTreeMap<ModuleId, String>) {
    let mut edits: Vec<Edit> = Vec::new();
    let mut declarations: BTreeMap<ModuleId, String> = BTreeMap::new();
    for l in lifted {
        let (module, name) = (&program[l.module].name, &program[l.sym].name);
        edits.extend(l.used.map(|at| Edit::before(lines, at, format!("      use {module}, only: {name}\n"))));
        for r in &l.edits {
            let edit = Edit::Replace { span: r.span, text: r.text.clone() };
            if !edits.contains(&edit) {
                edits.push(edit);
            }
        }
        let text = declarations.entry(l.module).or_default();
        text.push_str(&format!("  {}\n", print::declaration(program, l.sym, style)));
        if !program[l.module].default_private {
            text.push_str(&format!("  private :: {}\n", program[l.sym].name));
        }
    }
    (edits, declarations)
}

/// The module that a procedure, or its host, belongs to.
fn module_of(program: &Program, proc: ProcId) -> Option<ModuleId> {
    match program[proc].parent {
        ParentUnit::Module(m) => Some(m),
        ParentUnit::Procedure(host) => module_of(program, host),
        ParentUnit::File(_) | ParentUnit::Interface => None,
    }
}

/// True for a variable with a value from a data statement.
fn has_data(program: &Program, sym: SymId) -> bool {
    program.var(sym).is_some_and(|v| v.data && v.init.is_some())
}

/// A module that the text doesn't have yet, for what a procedure outside of modules keeps. It knows the modules that the
/// procedure uses.
fn added_module(program: &mut Program, proc: ProcId) -> ModuleId {
    let id: ModuleId = Handle::new(program.modules.len());
    let scope = program.add_scope(None, ScopeKind::Module(id));
    let base = format!("{}_saved", program[proc].name);
    let name = Taken::global(program).fresh(&base);
    let home = &program[program[proc].scope];
    let (uses, own) = (home.uses.clone(), program[proc].scope);
    let used: Vec<(Name, SymId)> = home.names.iter().map(|(n, s)| (n.clone(), *s)).collect();
    program[scope].names = used.into_iter().filter(|(_, s)| program[*s].scope != own).collect();
    program[scope].uses = uses;
    program.module_names.insert(name.clone(), id);
    program.modules.push(Module {
        name,
        kind: ModuleKind::Module,
        scope,
        procedures: Vec::new(),
        file: program[proc].file,
        span: Span::default(),
        contains: None,
        // It stands before the procedure and its host.
        end: program[outermost(program, proc)].head,
        default_private: false,
        passed_on: Vec::new(),
        problems: Vec::new(),
        header: Vec::new(),
    });
    id
}

fn outermost(program: &Program, proc: ProcId) -> ProcId {
    match program[proc].parent {
        ParentUnit::Procedure(host) => outermost(program, host),
        ParentUnit::Module(_) | ParentUnit::File(_) | ParentUnit::Interface => proc,
    }
}

/// True for a module that isn't in the user's text.
pub(crate) fn is_added(module: &Module) -> bool {
    module.span == Span::default()
}

/// True for two procedures of which one is a copy of the other, or both are copies of a third.
fn is_copy(program: &Program, a: ProcId, b: ProcId) -> bool {
    let (p, q) = (&program[a], &program[b]);
    (p.copy_of.is_some() || q.copy_of.is_some()) && p.file == q.file && p.span == q.span
}

/// True when the declaration means the same in the module.
fn movable(program: &Program, proc: ProcId, module: ModuleId, sym: SymId) -> bool {
    let Some(v) = program.var(sym).map(|v| without_constants(program, proc, v)) else { return false };
    let v = &v;
    let bound = v.common.is_some() || v.equivalenced || v.directive || v.data && v.init.is_none();
    let mut uses: BTreeSet<SymId> = v.spelling_uses.iter().copied().collect();
    uses.extend(v.ty.derived());
    v.init.iter().for_each(|e| in_expr(e, &mut uses));
    bounds(v, &mut uses);
    let scope = program[module].scope;
    let known = |s: &SymId| program.lookup(scope, &program[*s].name) == Some(*s);
    let reachable = is_added(&program[module]) || within(program, program[proc].scope, scope);
    !bound && reachable && uses.iter().all(known)
}

/// A declaration with the values of the procedure's own named constants in place of their names.
fn without_constants(program: &Program, proc: ProcId, v: &Variable) -> Variable {
    let own = |s: SymId| {
        let constant = program.var(s).filter(|v| program[s].scope == program[proc].scope && v.attrs.parameter);
        constant.filter(|v| v.rank() == 0).and_then(|v| v.init.clone())
    };
    let mut v = v.clone();
    if v.spelling_uses.iter().any(|s| own(*s).is_some()) && v.ty.is_numeric() {
        v.spelling = program.spell(v.ty);
        v.spelling_uses.clear();
    }
    let one = |e: &Expr| inlined(e, &own, 0);
    v.init = v.init.as_ref().map(one);
    for d in &mut v.dims {
        if let Dim::Explicit(lo, hi) = d {
            *lo = lo.as_ref().map(one);
            *hi = one(hi);
        }
    }
    v
}

fn inlined(e: &Expr, value: &dyn Fn(SymId) -> Option<Expr>, depth: u8) -> Expr {
    map_expr(e.clone(), &mut |mut x| {
        let kind = x.ty.kind;
        match &mut x.kind {
            ExprKind::Var(d) if d.parts.is_empty() && depth < 8 => {
                if let Some(with) = value(d.sym) {
                    let with = inlined(&with, value, depth + 1);
                    let plain = matches!(with.kind, ExprKind::Int { .. } | ExprKind::Real { .. });
                    return if plain { with } else { Expr { kind: ExprKind::Paren(Box::new(with.clone())), ..with } };
                }
            }
            ExprKind::Int { suffix, .. } | ExprKind::Real { suffix, .. } => {
                if matches!(suffix, Some(KindSuffix::Named(s)) if value(*s).is_some()) {
                    *suffix = Some(KindSuffix::Number(u32::from(kind)));
                }
            }
            _ => {}
        }
        x
    })
}

fn bounds(v: &Variable, out: &mut BTreeSet<SymId>) {
    for d in &v.dims {
        match d {
            Dim::Explicit(lo, hi) => lo.iter().chain([hi]).for_each(|e| in_expr(e, out)),
            Dim::Assumed(lo) | Dim::AssumedSize(lo) => lo.iter().for_each(|e| in_expr(e, out)),
            Dim::Deferred | Dim::AssumedRank => {}
        }
    }
}

/// The statements of a procedure, its internal ones included.
fn own_lines<'f>(program: &Program, file: &'f ReadFile, proc: ProcId) -> Vec<&'f LogicalLine> {
    let span = program[proc].span;
    let inside = |l: &&LogicalLine| l.span.file == span.file && span.start <= l.span.start && l.span.end <= span.end;
    file.lines.lines.iter().filter(inside).collect()
}

struct Text<'f> {
    sources: &'f SourceMap,
    lines: Vec<&'f LogicalLine>,
    suffixes: &'f BTreeSet<&'f str>,
    /// The procedure's own names, before any variable moves.
    names: BTreeMap<Name, SymId>,
    /// The names of those that may move, as the text has them.
    written: BTreeMap<SymId, Name>,
    /// Where they move.
    module: ModuleId,
}

impl Text<'_> {
    /// Moves one variable; `all` are those of its procedure that are meant to move.
    fn lift(&self, program: &mut Program, proc: ProcId, sym: SymId, all: &[SymId]) -> Option<Lifted> {
        let module = self.module;
        let name = program[sym].name.clone();
        let mut edits = self.declaration(program, proc, sym, all)?;
        let new = free_name(program, (proc, sym), module, &name, self.suffixes);
        if new != name {
            let declared: Vec<Span> = edits.iter().map(|r| r.span).collect();
            edits.extend(self.references(program, proc, sym, (&new, &declared))?);
        }
        let (own, target) = (program[sym].scope, program[module].scope);
        program[own].names.shift_remove(&name);
        let added = is_added(&program[module]);
        let used = if added { Some(self.second(program, proc)?) } else { None };
        if added {
            let home = program[proc].scope;
            program[home].names.insert(new.clone(), sym);
            if !program[home].uses.iter().any(|u| u.module == program[module].name) {
                let module = program[module].name.clone();
                let items = Vec::new();
                let only = false;
                let used = Use {
                    module,
                    intrinsic: false,
                    only,
                    items,
                    conditional: false,
                    header: false,
                    span: Span::default(),
                };
                program[home].uses.push(used);
            }
        }
        program[target].names.insert(new.clone(), sym);
        if let Some(v) = program.var(sym).map(|v| without_constants(program, proc, v)) {
            program[sym].kind = SymbolKind::Variable(Box::new(v));
        }
        let symbol = &mut program[sym];
        symbol.name = new;
        symbol.scope = target;
        symbol.private = !added;
        Some(Lifted { sym, module, edits, used })
    }

    /// The procedure's second statement.
    fn second(&self, program: &Program, proc: ProcId) -> Option<Span> {
        let second = self.lines.get(1).filter(|l| !l.derived && l.span.file == program[proc].span.file)?;
        Some(second.span)
    }

    /// What becomes of the statements that declare the variable; `None` where they are more than that.
    fn declaration(&self, program: &Program, proc: ProcId, sym: SymId, all: &[SymId]) -> Option<Vec<Rewrite>> {
        let holds = |l: &LogicalLine, s: Span| l.span.file == s.file && l.span.start <= s.start && s.end <= l.span.end;
        let at = self.lines.iter().find(|l| holds(l, program[sym].span) && !l.derived)?;
        let home = program[sym].scope;
        let moved: Vec<&str> = all.iter().filter_map(|s| self.written.get(s)).map(Name::as_str).collect();
        let first = program[proc].body.first().map_or(u32::MAX, |s| s.origin.span().start);
        // What has its type by its name alone stands first in a statement that uses it, or that gives it a value. Blocks
        // declare theirs among the statements.
        let own = home == program[proc].scope;
        let implicit = own && (at.span.start >= first || is_data(&at.text.to_ascii_lowercase()));
        let mut out = if implicit { Vec::new() } else { vec![self.without(at, program[sym].name.as_str(), &moved)?] };
        if !own {
            // A `save` statement of a block is none of the procedure's.
            let attribute =
                at.text.to_ascii_lowercase().split_once("::").is_some_and(|(a, _)| words(a).any(|w| w == "save"));
            return attribute.then_some(out);
        }
        let name = program[sym].name.as_str();
        for line in self.lines.iter().filter(|l| implicit || l.span != at.span) {
            let text = line.text.to_ascii_lowercase();
            let data = is_data(&text);
            if line.span.start >= first && !data || !words(&text).any(|w| w == name) {
                continue;
            }
            if data {
                // The values are in the declarations.
                let named = words(&text).filter_map(|w| self.names.get(w).copied());
                let mut variables = named.filter(|s| program.var(*s).is_some_and(|v| !v.attrs.parameter));
                let moved = |s: SymId| all.contains(&s) && program.var(s).is_some_and(|v| v.init.is_some());
                if line.label.is_some() || !variables.all(moved) {
                    return None;
                }
                out.push(Rewrite { span: self.whole_line(line.span), text: String::new() });
                continue;
            }
            out.push(self.without(line, name, &moved)?);
        }
        Some(out)
    }

    /// A statement that declares a variable, or gives it an attribute, without what moves to the module.
    fn without(&self, line: &LogicalLine, name: &str, moved: &[&str]) -> Option<Rewrite> {
        let list = List::of(&line.text).filter(|l| l.lists(name))?;
        Some(match list.without(moved) {
            Some(text) => Rewrite { span: line.span, text },
            None => Rewrite { span: self.whole_line(line.span), text: String::new() },
        })
    }

    /// A statement with its line, where nothing else stands in that.
    fn whole_line(&self, span: Span) -> Span {
        let text = self.sources.file(span.file).text.as_str();
        let (start, end) = (span.start as usize, span.end as usize);
        let from = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let to = text[end..].find('\n').map_or(text.len(), |i| end + i + 1);
        if !text[from..start].trim().is_empty() || !text[end..to].trim().is_empty() {
            return span;
        }
        Span { start: from as u32, end: to as u32, ..span }
    }

    /// The variable's name replaced wherever the procedure refers to it, but for the statements that declare it: these
    /// change as wholes.
    fn references(
        &self,
        program: &Program,
        proc: ProcId,
        sym: SymId,
        (new, declared): (&Name, &[Span]),
    ) -> Option<Vec<Rewrite>> {
        let mut places = Vec::new();
        let mut loops = false;
        let mut bodies = vec![&program[proc].body];
        bodies.extend(program[proc].internals.iter().map(|p| &program[*p].body));
        for body in bodies {
            for_each_stmt(body, &mut |s| {
                loops |= matches!(&s.kind, StmtKind::Do { control: costate_grammar::ir::LoopControl::Count { var, .. }, .. } if *var == sym);
                // The texts of directives stay as they are.
                loops |= s.governing().iter().any(|d| d.names.contains(&sym));
                for e in s.exprs() {
                    for_each_expr(e, &mut |x| {
                        if x.as_var().is_some_and(|d| d.sym == sym) {
                            places.push(x.span);
                        }
                    });
                }
            });
        }
        let old = program[sym].name.as_str();
        let declares = |l: &LogicalLine| {
            declared.iter().any(|s| s.file == l.span.file && s.start <= l.span.start && l.span.end <= s.end)
        };
        let others = self.lines.iter().filter(|l| !declares(l));
        let mentions: usize = others.map(|l| words(&l.text.to_ascii_lowercase()).filter(|w| *w == old).count()).sum();
        let mut out = Vec::new();
        places.sort_by_key(|s| s.start);
        places.dedup();
        for place in places {
            let span = Span { end: place.start + old.len() as u32, ..place };
            if !self.sources.text(span).eq_ignore_ascii_case(old) {
                return None;
            }
            out.push(Rewrite { span, text: new.to_string() });
        }
        // Every mention must be accounted for.
        (!loops && out.len() == mentions).then_some(out)
    }
}

/// True for a data statement, which is no assignment to a variable of a like name.
fn is_data(text: &str) -> bool {
    text.strip_prefix("data").is_some_and(|rest| rest.starts_with([' ', '(']) && rest.contains('/'))
        && !text.contains('=')
}

/// The variable's own name, unless the module, or another procedure of it, has that too, or it is the name of an intrinsic or one
/// that a derivative goes by.
fn free_name(
    program: &Program,
    (proc, sym): (ProcId, SymId),
    module: ModuleId,
    name: &Name,
    suffixes: &BTreeSet<&str>,
) -> Name {
    let mut taken = Taken::visible(program, program[module].scope);
    taken.insert(program[module].name.clone());
    if program[sym].scope != program[proc].scope {
        taken.extend(&Taken::visible(program, program[proc].scope));
    }
    let mut others = Vec::new();
    for p in program.procedures().map(|(id, _)| id) {
        if module_of(program, p) == Some(module) && p != proc {
            others.push(p);
        }
    }
    for p in others {
        taken.extend(&Taken::visible(program, program[p].scope));
    }
    let mut all = taken.clone();
    all.extend(&Taken::visible(program, program[proc].scope));
    let derivative = |n: &str| suffixes.iter().any(|s| n.strip_suffix(s).is_some_and(|of| all.contains(of)));
    // Other procedures of the module may call an intrinsic of that name.
    if !taken.contains(name) && !derivative(name) && Intrinsic::find(name.as_str()).is_none() {
        return name.clone();
    }
    let (first, second) = (format!("{}_{name}", program[proc].name), format!("{}_{name}_saved", program[proc].name));
    let base = if derivative(&first) { second } else { first };
    all.clone().fresh(&base)
}
