//! The procedure that a head names.

use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::ir::{ModuleId, ModuleKind, Name, ParentUnit, ProcId, ProcKind, Program, SymbolKind};

use super::HeadText;

type Found = Result<ProcId, Box<Diagnostic>>;

pub(super) fn find(program: &Program, head: &HeadText) -> Found {
    match &head.module {
        Some(module) => in_named_module(program, head, module),
        None => anywhere(program, head),
    }
}

fn not_found(head: &HeadText, message: String) -> Diagnostic {
    Diagnostic::global(Code::HeadNotFound, message).reason(format!("`--head '{}'` names it", head.text))
}

fn in_named_module(program: &Program, head: &HeadText, module: &Name) -> Found {
    let Some(&id) = program.module_names.get(module) else {
        let known = program.modules().filter(|(_, m)| m.kind != ModuleKind::Intrinsic).map(|(_, m)| m.name.as_str());
        let d = not_found(head, format!("no module `{module}` is among the files"));
        return Err(Box::new(with_nearest(d, module, known, "add its file to the command line")));
    };
    let found = procedures_of(program, id).into_iter().find(|&p| program[p].name == head.procedure);
    if let Some(proc) = found {
        return Ok(proc);
    }
    if let Some(&sym) = program[program[id].scope].names.get(&head.procedure) {
        match &program[sym].kind {
            SymbolKind::Procedure(info) if info.definition.is_some() => {
                return info.definition.ok_or_else(|| Box::new(not_found(head, String::new())));
            }
            SymbolKind::Generic(generic) => return specific(program, head, &generic.specifics),
            SymbolKind::Procedure(_) | SymbolKind::Variable(_) | SymbolKind::Type(_) | SymbolKind::Other(_) => {}
        }
    }
    let names: Vec<Name> = procedures_of(program, id).into_iter().map(|p| program[p].name.clone()).collect();
    let d = not_found(head, format!("module `{module}` has no procedure `{}`", head.procedure));
    Err(Box::new(with_nearest(
        d,
        &head.procedure,
        names.iter().map(Name::as_str),
        "name one of the module's procedures",
    )))
}

/// A generic stands for its only specific; of several the user must choose.
fn specific(program: &Program, head: &HeadText, specifics: &[costate_grammar::ir::SymId]) -> Found {
    let definition = |s: &costate_grammar::ir::SymId| program[*s].procedure().and_then(|p| p.definition);
    let known: Vec<ProcId> = specifics.iter().filter_map(definition).collect();
    if let [only] = known[..] {
        return Ok(only);
    }
    let names: Vec<String> = known.iter().map(|&p| format!("`{}`", qualified(program, p))).collect();
    Err(Box::new(
        not_found(head, format!("`{}` is a generic name with {} specific procedures", head.procedure, known.len()))
            .help(format!("name the specific procedure: {}", names.join(", "))),
    ))
}

fn anywhere(program: &Program, head: &HeadText) -> Found {
    let mut found: Vec<ProcId> = program.globals.get(&head.procedure).copied().into_iter().collect();
    for (id, module) in program.modules() {
        if module.kind == ModuleKind::Module {
            found.extend(procedures_of(program, id).into_iter().filter(|&p| program[p].name == head.procedure));
        }
    }
    found.retain(|&p| program[p].kind != ProcKind::Program);
    match found[..] {
        [one] => Ok(one),
        [] => Err(Box::new(nowhere(program, head))),
        _ => {
            let names: Vec<String> = found.iter().map(|&p| format!("`{}`", qualified(program, p))).collect();
            let mut d = not_found(head, format!("{} procedures are named `{}`", found.len(), head.procedure))
                .help(format!("name one: {}", names.join(", ")));
            for &p in &found {
                d = d.label(program[p].head, "one of them");
            }
            Err(Box::new(d))
        }
    }
}

fn nowhere(program: &Program, head: &HeadText) -> Diagnostic {
    let same = |p: &&costate_grammar::ir::Procedure| p.name == head.procedure;
    if let Some(p) = program.procedures.iter().filter(same).find(|p| matches!(p.parent, ParentUnit::Procedure(_))) {
        return not_found(head, format!("`{}` is an internal procedure", p.name))
            .reason("only module procedures and external procedures can be called from outside")
            .help("name the procedure that contains it")
            .label(p.head, "declared here");
    }
    for (_, module) in program.modules() {
        if let Some(&sym) = program[module.scope].names.get(&head.procedure)
            && let SymbolKind::Generic(generic) = &program[sym].kind
        {
            return match specific(program, head, &generic.specifics) {
                Err(d) => *d,
                Ok(p) => not_found(head, format!("`{}` is a generic name", head.procedure))
                    .help(format!("name its specific procedure: `{}`", qualified(program, p))),
            };
        }
    }
    let candidates = program
        .procedures
        .iter()
        .filter(|p| matches!(p.parent, ParentUnit::Module(_) | ParentUnit::File(_)) && p.kind != ProcKind::Program);
    let d = not_found(head, format!("no procedure `{}` is among the files", head.procedure));
    with_nearest(d, &head.procedure, candidates.map(|p| p.name.as_str()), "add its file to the command line")
}

/// The procedures with a body that a module offers, those of its submodules included.
fn procedures_of(program: &Program, module: ModuleId) -> Vec<ProcId> {
    let name = &program[module].name;
    let mut out = program[module].procedures.clone();
    for (_, sub) in program.modules() {
        if matches!(&sub.kind, ModuleKind::Submodule { ancestor, .. } if ancestor == name) {
            out.extend(sub.procedures.iter().copied().filter(|&p| program[p].prefix.module));
        }
    }
    out.retain(|&p| program[p].parent != ParentUnit::Interface);
    out
}

fn qualified(program: &Program, proc: ProcId) -> String {
    let procedure = &program[proc];
    match procedure.parent {
        ParentUnit::Module(m) => format!("{}::{}", program[m].name, procedure.name),
        ParentUnit::Procedure(_) | ParentUnit::File(_) | ParentUnit::Interface => procedure.name.to_string(),
    }
}

pub(super) fn with_nearest<'a>(
    d: Diagnostic,
    name: &str,
    known: impl Iterator<Item = &'a str>,
    otherwise: &str,
) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    match nearest(name, known.iter().copied()) {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None if known.is_empty() || known.len() > 12 => d.help(otherwise),
        None => {
            let list: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
            d.help(format!("known are {}; or {otherwise}", list.join(", ")))
        }
    }
}

/// The candidate closest in spelling to `name`, if any is close.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.len() / 3).max(1);
    let scored = candidates.map(|c| (edit_distance(name, c), c));
    scored.filter(|(d, _)| *d > 0 && *d <= limit).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<u8> = b.bytes().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
