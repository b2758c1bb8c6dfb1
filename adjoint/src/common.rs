//! Common blocks as derivatives see them: the variables that procedures declare for one block, under whatever names and
//! layouts, become variables of one module that exists in no text ([`ModuleKind::Common`]). The analyses then know them as
//! they know module variables. A generated procedure that uses one of them declares the block as a whole, and beside it the
//! block of their derivatives ([`declare`]).

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::effects::reached;
use costate_analysis::storage::layout::{Association, Member, associations, equivalences, with_literal_bounds};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{
    Handle, Module, ModuleId, ModuleKind, Name, ParentUnit, ProcId, Program, ScopeId, ScopeKind, SymId, SymbolKind,
    Variable,
};
use costate_grammar::source::Span;

use crate::names::Taken;
use crate::remap::{self, SymMap};

/// A common block as one scope declares it.
struct View {
    scope: ScopeId,
    /// What is in the block by its own statement, in order, then what is associated by `equivalence`.
    members: Vec<Member>,
    /// How many are in the block by its own statement.
    listed: usize,
}

/// Unites the variables of common blocks in everything that the heads reach. Blocks whose layout isn't known stay as they
/// are, and are refused where derivatives need them.
pub(crate) fn unify(program: &mut Program, heads: &[ProcId]) {
    let mut procedures = reached(program, heads);
    for p in procedures.clone() {
        if let ParentUnit::Procedure(host) = program[p].parent {
            procedures.push(host);
        }
    }
    for p in procedures.clone() {
        procedures.extend(program[p].internals.iter().copied());
    }
    procedures.sort_unstable();
    procedures.dedup();
    let modules: Vec<ModuleId> =
        program.modules().filter(|(_, m)| m.kind == ModuleKind::Module).map(|(i, _)| i).collect();
    let homes = modules.iter().map(|m| program[*m].scope);
    let scopes: BTreeSet<ScopeId> = homes.chain(procedures.iter().map(|p| program[*p].scope)).collect();
    let mut blocks: BTreeMap<Name, Option<Vec<View>>> = BTreeMap::new();
    for &scope in &scopes {
        for Association { block, members, exact } in associations(program, scope) {
            let Some(block) = block else { continue };
            let listed = program[scope].commons.get(&block).map_or(0, Vec::len);
            match (blocks.entry(block).or_insert_with(|| Some(Vec::new())), exact) {
                (Some(views), true) => views.push(View { scope, members, listed }),
                (views, _) => *views = None,
            }
        }
    }
    let mut map = SymMap::new();
    for (block, views) in blocks {
        // Variables that one module declares in common are variables of the module to all that is read here.
        if let Some([View { scope, members, .. }]) = views.as_deref()
            && matches!(program[*scope].kind, ScopeKind::Module(_))
        {
            for m in members {
                if let SymbolKind::Variable(v) = &mut program[m.sym].kind {
                    v.common = None;
                }
            }
            continue;
        }
        map.extend(views.and_then(|views| module_of_block(program, &block, &views)).unwrap_or_default());
    }
    if !map.is_empty() {
        replace(program, &procedures, &map);
    }
}

/// Makes the module of a block. Returns by which of its variables each of the views is replaced; nothing where a layout
/// can't be expressed.
fn module_of_block(program: &mut Program, block: &Name, views: &[View]) -> Option<SymMap> {
    let whole = views.iter().rev().max_by_key(|v| v.members[..v.listed].iter().map(Member::end).max())?;
    let id = add_module(program, block, views);
    let scope = program[id].scope;
    let mut map = SymMap::new();
    let mut known: Vec<Member> = Vec::new();
    for view in std::iter::once(whole).chain(views) {
        for m in &view.members {
            if map.contains_key(&m.sym) {
                continue;
            }
            let var = with_literal_bounds(program, program.var(m.sym)?)?;
            let like = |k: &&Member| {
                k.offset == m.offset && program.var(k.sym).is_some_and(|v| v.ty == var.ty && v.dims == var.dims)
            };
            let sym = match known.iter().find(like) {
                Some(k) => k.sym,
                None => {
                    let sym = add_variable(program, scope, m.sym, var);
                    known.push(Member { sym, ..*m });
                    sym
                }
            };
            map.insert(m.sym, sym);
        }
    }
    let listed = whole.listed;
    // Compilers align what is in a block, unless an `equivalence` says where it is.
    if known.len() > listed && !known.iter().all(|m| is_aligned(program, m)) {
        return None;
    }
    program[scope].commons.insert(block.clone(), known[..listed].iter().map(|m| m.sym).collect());
    program[scope].equivalences = equivalences(program, &known, listed)?;
    for m in &known {
        if let SymbolKind::Variable(v) = &mut program[m.sym].kind {
            v.equivalenced = known.iter().any(|o| o.sym != m.sym && o.overlaps(m));
        }
    }
    Some(map)
}

/// True for a member that begins at a multiple of what its numbers need.
fn is_aligned(program: &Program, m: &Member) -> bool {
    program.var(m.sym).is_some_and(|v| m.offset % i64::from(v.ty.kind.max(1)) == 0)
}

fn add_module(program: &mut Program, block: &Name, views: &[View]) -> ModuleId {
    let id: ModuleId = Handle::new(program.modules.len());
    let scope = program.add_scope(None, ScopeKind::Module(id));
    let file = views.iter().find_map(|v| match program[v.scope].kind {
        ScopeKind::Procedure(p) => Some(program[p].file),
        ScopeKind::Module(m) => Some(program[m].file),
        ScopeKind::Inner | ScopeKind::Global => None,
    });
    program.modules.push(Module {
        name: Name::new(&format!("/{block}/")),
        kind: ModuleKind::Common { block: block.clone() },
        scope,
        procedures: Vec::new(),
        file: file.unwrap_or_default(),
        span: Span::default(),
        contains: None,
        end: Span::default(),
        default_private: false,
        passed_on: Vec::new(),
        problems: Vec::new(),
        header: Vec::new(),
    });
    id
}

fn add_variable(program: &mut Program, scope: ScopeId, of: SymId, mut var: Variable) -> SymId {
    let (name, span) = (program[of].name.clone(), program[of].span);
    // Names of the block's variables in one scope don't hold in another, nor do those of their kinds.
    let name = Taken::visible(program, scope).fresh(&name);
    let everywhere = |s: &SymId| matches!(program[program[*s].scope].kind, ScopeKind::Module(_));
    if !var.spelling_uses.iter().all(everywhere) {
        var.spelling = program.spell(var.ty);
        var.spelling_uses.clear();
    }
    var.attrs.save = true;
    var.init = None;
    var.data = false;
    program.add_symbol(scope, name, span, SymbolKind::Variable(Box::new(var)))
}

/// Puts the variables of the modules in the place of those of procedures, in statements, declarations and names.
fn replace(program: &mut Program, procedures: &[ProcId], map: &SymMap) {
    for scope in &mut program.scopes {
        for sym in scope.names.values_mut() {
            *sym = map.get(sym).copied().unwrap_or(*sym);
        }
    }
    for &p in procedures {
        program[p].body = remap::block(&program[p].body, map);
        let symbols: Vec<SymId> = program[program[p].scope].names.values().copied().collect();
        for s in symbols {
            match &mut program[s].kind {
                SymbolKind::Variable(v) => {
                    v.dims = v.dims.iter().map(|d| remap::dim(d, map)).collect();
                    v.init = v.init.as_ref().map(|e| remap::expr(e, map));
                }
                SymbolKind::Procedure(info) => {
                    if let Some((_, e)) = &mut info.statement_function {
                        *e = remap::expr(e, map);
                    }
                }
                SymbolKind::Generic(_) | SymbolKind::Type(_) | SymbolKind::Other(_) => {}
            }
        }
    }
}

/// The module of a common block that a variable, or a derivative of one, belongs to.
pub(crate) fn block_of(program: &Program, sym: SymId) -> Option<ModuleId> {
    let home = program.module_of(program[sym].scope)?;
    matches!(program[home].kind, ModuleKind::Common { .. }).then_some(home)
}

/// The variables of a block that must have a derivative when some do, so that the block of derivatives has one layout: all
/// continuous ones that the block lists.
pub(crate) fn derivative_block(program: &Program, home: ModuleId) -> Vec<SymId> {
    let listed = program[program[home].scope].commons.values().flatten().copied();
    listed.filter(|s| program.var(*s).is_some_and(|v| v.ty.is_continuous())).collect()
}

/// The name of the block of derivatives: `blk_b`. It is a global name, as those of procedures and modules are.
pub(crate) fn derivative_name(program: &Program, block: &Name, suffix: &str) -> Name {
    let base = if block.is_empty() { "blank" } else { block.as_str() };
    Taken::global(program).fresh(&format!("{base}{suffix}"))
}

/// Gives the module of a block's derivatives the block's layout. `shadows` has the derivative of each variable.
pub(crate) fn lay_out_derivatives(
    program: &mut Program,
    home: ModuleId,
    shadow: ModuleId,
    shadows: &BTreeMap<SymId, SymId>,
) {
    let (from, to) = (program[home].scope, program[shadow].scope);
    let ModuleKind::Common { block } = program[shadow].kind.clone() else { return };
    let list: Vec<SymId> = derivative_block(program, home).iter().filter_map(|s| shadows.get(s).copied()).collect();
    for s in &list {
        if let SymbolKind::Variable(v) = &mut program[*s].kind {
            v.common = Some(block.clone());
        }
    }
    let sets = program[from].equivalences.clone();
    let both = |set: &Vec<_>| {
        set.iter().all(|e: &costate_grammar::ir::Expr| e.as_var().is_some_and(|d| shadows.contains_key(&d.sym)))
    };
    program[to].equivalences =
        sets.into_iter().filter(both).map(|set| set.iter().map(|e| remap::expr(e, shadows)).collect()).collect();
    program[to].commons.insert(block, list);
}

/// Repeats, in the scope `to`, the equivalences of the variables of the scope `from` for what stands for them there, or for
/// their derivatives: what takes part in a common block aside. Returns what can't be repeated.
pub(crate) fn associate(program: &mut Program, from: ScopeId, to: ScopeId, map: &SymMap) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for whole in associations(program, from) {
        let there = |m: &Member| Some(Member { sym: *map.get(&m.sym)?, ..*m });
        let members: Vec<Member> = whole.members.iter().filter_map(there).collect();
        if whole.block.is_some() || members.len() < 2 {
            continue;
        }
        match equivalences(program, &members, 0) {
            Some(sets) if whole.exact => program[to].equivalences.extend(sets),
            _ => problems.push(
                Diagnostic::error(
                    Code::UnsupportedDeclaration,
                    program[members[0].sym].span,
                    format!("the equivalence of `{}` can't be repeated", program[members[0].sym].name),
                )
                .reason("its variables don't begin together at elements of known place")
                .help("use separate variables"),
            ),
        }
    }
    problems
}

/// Declares in `scope` the blocks to which wanted variables belong: all variables of the block, and those associated with
/// them that are wanted. Returns what stands for what. `taken` are the names that mean something else there.
pub(crate) fn declare(
    program: &mut Program,
    scope: ScopeId,
    primal: ScopeId,
    wanted: &BTreeSet<SymId>,
    taken: &Taken,
) -> SymMap {
    let homes: BTreeSet<ModuleId> = wanted.iter().filter_map(|s| block_of(program, *s)).collect();
    let mut map = SymMap::new();
    for home in homes {
        let ModuleKind::Common { block } = program[home].kind.clone() else { continue };
        let from = program[home].scope;
        let listed: Vec<SymId> = program[from].commons.values().flatten().copied().collect();
        let others = wanted.iter().filter(|s| program[**s].scope == from && !listed.contains(s));
        let symbols: Vec<SymId> = listed.iter().chain(others).copied().collect();
        for s in &symbols {
            // What a module declares in common has another meaning for the procedures that use it.
            let own = program[primal].commons.contains_key(&block);
            let local = program[primal].names.iter().find(|(_, x)| own && *x == s).map(|(n, _)| n.clone());
            let name = match local {
                Some(name) if !program[scope].names.contains_key(&name) => name,
                _ => {
                    let mut taken = taken.clone();
                    taken.extend(&Taken::visible(program, primal));
                    taken.extend(&Taken::visible(program, scope));
                    taken.fresh(&program[*s].name.clone())
                }
            };
            let mut var = program.var(*s).cloned();
            if let Some(v) = &mut var {
                v.attrs.save = false;
                v.common = listed.contains(s).then(|| block.clone());
                let kind = SymbolKind::Variable(Box::new(v.clone()));
                map.insert(*s, program.add_symbol(scope, name, Span::default(), kind));
            }
        }
        let members = listed.iter().filter_map(|s| map.get(s).copied()).collect();
        program[scope].commons.insert(block, members);
        let sets = program[from].equivalences.clone();
        let declared = |set: &Vec<costate_grammar::ir::Expr>| {
            set.iter().all(|e| e.as_var().is_some_and(|d| map.contains_key(&d.sym)))
        };
        let sets: Vec<_> = sets.into_iter().filter(declared).collect();
        let sets = sets.iter().map(|set| set.iter().map(|e| remap::expr(e, &map)).collect());
        program[scope].equivalences.extend(sets);
    }
    map
}
