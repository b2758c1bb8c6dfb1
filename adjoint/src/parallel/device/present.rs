//! What procedures of the user's rely on finding on the device, where generated code keeps it on the host: objects, and arrays that
//! pointers may lead to. It is there while such a procedure runs.

use std::collections::{BTreeMap, BTreeSet};

use costate_analysis::devices::is_on_devices;
use costate_analysis::effects::{bind, target};
use costate_analysis::storage::holds_memory;
use costate_grammar::directives::{AccConstruct, ClauseKind, Construct, DefaultKind, Directive, parse};
use costate_grammar::ir::{
    Arg, Block, Callee, Expr, Origin, ProcId, Program, Role, Stmt, StmtKind, SymId, for_each_stmt,
};
use costate_grammar::lines::Sentinel;

use super::code::{is_device_code, mentioned};

/// Brings to the device what called procedures rely on there, and back. Of the rest (`resident` tells) the copy on the device
/// isn't the one that counts.
pub(super) fn bring(program: &mut Program, body: &mut Block, resident: &dyn Fn(&Program, SymId) -> bool) {
    bring_in(program, body, resident, &mut BTreeMap::new());
}

/// What procedures rely on that were looked at.
type Known = BTreeMap<ProcId, BTreeSet<SymId>>;

fn bring_in(program: &mut Program, block: &mut Block, resident: &dyn Fn(&Program, SymId) -> bool, known: &mut Known) {
    for mut s in std::mem::take(block) {
        let leaf = s.blocks().is_empty();
        let syms = match &s.kind {
            StmtKind::Call { callee, args } if leaf => of_call(program, callee, args, known),
            _ => BTreeSet::new(),
        };
        let moved = |x: &SymId| {
            let whole = program.var(*x).is_some_and(|v| !holds_memory(program, v.ty) && !v.attrs.pointer);
            whole && !resident(program, *x) && !is_on_devices(program, *x)
        };
        let list: Vec<SymId> = syms.into_iter().filter(moved).collect();
        if !is_device_code(&s) {
            s.blocks_mut().into_iter().for_each(|b| bring_in(program, b, resident, known));
        }
        block.push(if list.is_empty() { s } else { within_region(program, s, list) });
    }
}

/// A call while variables are on the device. They may have been there before.
fn within_region(program: &mut Program, call: Stmt, list: Vec<SymId>) -> Stmt {
    let names: Vec<String> = list.iter().map(|s| program[*s].name.to_string()).collect();
    let names = names.join(", ");
    let (from, span) = (call.id, call.origin.span());
    let origin = Origin::Derived { from, span, role: Role::Layout };
    let texts = ["data copy", "update device", "update self"].map(|words| format!("{words}({names})"));
    let [Ok(region), Ok(there), Ok(back)] = texts.map(|text| parse(Sentinel::Acc, &text, span)) else { return call };
    let mut directive = |directive, body| {
        let kind = StmtKind::Directive { directive, names: list.clone(), body };
        Stmt::new(program.fresh_stmt(), kind, origin)
    };
    let body = vec![directive(there, None), call, directive(back, None)];
    directive(region, Some(body))
}

/// The variables that a called procedure relies on finding on the device, as they are named where it is called.
fn of_call(program: &Program, callee: &Callee, args: &[Arg], known: &mut Known) -> BTreeSet<SymId> {
    let Some(proc) = target(program, callee) else { return BTreeSet::new() };
    let inside = of_procedure(program, proc, known);
    let passed = bind(program, &program[proc], args);
    let actual = |s: SymId| match program[proc].dummies.iter().position(|d| *d == s) {
        Some(k) => passed[k].and_then(Expr::as_var).map(|d| d.sym),
        None => Some(s),
    };
    inside.into_iter().filter_map(actual).collect()
}

/// The same of a procedure: dummies, and variables from outside.
fn of_procedure(program: &Program, proc: ProcId, known: &mut Known) -> BTreeSet<SymId> {
    if let Some(known) = known.get(&proc) {
        return known.clone();
    }
    known.insert(proc, BTreeSet::new());
    let mut out = BTreeSet::new();
    for_each_stmt(&program[proc].body, &mut |s| {
        for d in s.governing() {
            out.extend(relied_on(program, d.directive, d.names, s));
        }
        match &s.kind {
            StmtKind::Directive { directive, names, body: None } => {
                out.extend(relied_on(program, directive, names, s));
            }
            StmtKind::Call { callee, args } => out.extend(of_call(program, callee, args, known)),
            _ => {}
        }
    });
    let own = program[proc].scope;
    let mut entered = BTreeSet::new();
    for_each_stmt(&program[proc].body, &mut |s| entered.extend(super::callees::entered(s)));
    out.retain(|s| program[*s].scope != own || program.var(*s).is_some_and(|v| v.dummy.is_some()));
    out.retain(|s| !entered.contains(s));
    known.insert(proc, out.clone());
    out
}

/// What a directive relies on finding on the device; `names` are the variables that it names, `s` is the statement that it governs.
fn relied_on(program: &Program, d: &Directive, names: &[SymId], s: &Stmt) -> BTreeSet<SymId> {
    if d.construct == Construct::Acc(AccConstruct::Update) {
        return names.iter().copied().collect();
    }
    let mut out = BTreeSet::new();
    for c in &d.clauses {
        match &c.kind {
            ClauseKind::Present(list) => {
                let words: Vec<String> = list.iter().map(|item| item.to_ascii_lowercase()).collect();
                let base = |word: &String| word.split(['%', '(']).next().map(str::trim).map(str::to_string);
                let bases: Vec<String> = words.iter().filter_map(base).collect();
                out.extend(
                    names.iter().filter(|s| bases.iter().any(|b| program[**s].name.as_str().eq_ignore_ascii_case(b))),
                );
            }
            ClauseKind::Default(DefaultKind::Present) => {
                let counts = |x: &SymId| program.var(*x).is_some_and(|v| v.rank() > 0 || v.ty.derived().is_some());
                out.extend(mentioned(s).into_iter().filter(counts));
            }
            _ => {}
        }
    }
    out
}
