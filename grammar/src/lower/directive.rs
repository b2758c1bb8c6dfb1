//! Directives and what they govern: a loop, or the statements up to the matching end directive.

use std::collections::{BTreeSet, VecDeque};

use crate::directives::{AccConstruct, ClauseKind, Construct, Directive, OmpConstruct};
use crate::ir::{Block, LoopDirective, Program, ScopeId, Stmt, StmtKind, SymId, words};

/// A statement, or a directive that hasn't found its statements yet.
pub(super) enum Item {
    Directive(Stmt),
    Statement(Stmt),
}

/// What a directive governs.
enum Governs {
    Nothing,
    Loop,
    /// One statement (two for a capture), an end directive is optional.
    Statement,
    Region,
    /// It ends something.
    End,
}

fn governs(d: &Directive) -> Governs {
    match &d.construct {
        Construct::Omp(OmpConstruct::End(_)) | Construct::Acc(AccConstruct::End(_)) => Governs::End,
        Construct::Omp(OmpConstruct::Atomic) | Construct::Acc(AccConstruct::Atomic) => Governs::Statement,
        // `ordered depend(...)` and `ordered doacross(...)` stand alone.
        Construct::Omp(OmpConstruct::Ordered) if d.clauses.iter().any(|c| depends(&c.kind)) => Governs::Nothing,
        Construct::Omp(c) if c.governs_loop() => Governs::Loop,
        Construct::Omp(c) if c.begins_region() => Governs::Region,
        Construct::Acc(c) if c.governs_loop() => Governs::Loop,
        Construct::Acc(c) if c.begins_region() => Governs::Region,
        Construct::Omp(_) | Construct::Acc(_) | Construct::Ad(_) | Construct::Uninterpreted => Governs::Nothing,
    }
}

fn depends(clause: &ClauseKind) -> bool {
    matches!(clause, ClauseKind::Other { name, .. } if name == "depend" || name == "doacross")
}

fn ends(end: &Directive, of: &Directive) -> bool {
    match (&end.construct, &of.construct) {
        (Construct::Omp(OmpConstruct::End(e)), Construct::Omp(c)) => **e == *c,
        (Construct::Acc(AccConstruct::End(e)), Construct::Acc(c)) => **e == *c,
        _ => false,
    }
}

fn directive_of(item: &Item) -> Option<&Directive> {
    match item {
        Item::Directive(Stmt { kind: StmtKind::Directive { directive, .. }, .. }) => Some(directive),
        Item::Directive(_) | Item::Statement(_) => None,
    }
}

/// Gives each directive the statements that it governs.
pub(super) fn attach(items: Vec<Item>) -> Block {
    let mut rest: VecDeque<Item> = items.into();
    let mut out = Vec::new();
    while !rest.is_empty() {
        one(&mut rest, &mut out);
    }
    out
}

/// Takes the next item with all that belongs to it.
fn one(rest: &mut VecDeque<Item>, out: &mut Block) {
    match rest.pop_front() {
        Some(Item::Statement(stmt)) => stmt.join(out),
        Some(Item::Directive(stmt)) => {
            let stmt = governed(stmt, rest, out);
            stmt.join(out);
        }
        None => {}
    }
}

/// A directive with what it governs. Costate's own directives between it and its loop come to stand before it.
fn governed(mut stmt: Stmt, rest: &mut VecDeque<Item>, before: &mut Block) -> Stmt {
    let StmtKind::Directive { directive, body, .. } = &mut stmt.kind else { return stmt };
    match governs(directive) {
        Governs::Nothing | Governs::End => {}
        Governs::Loop => {
            let mut inner = Vec::new();
            if !rest.is_empty() {
                next_statement(rest, &mut inner);
            }
            skip_end(directive, rest);
            let outside = take_conditional(&mut inner);
            if let Some(mut governed) = inner.pop_if(|s| matches!(s.kind, StmtKind::Do { .. })) {
                before.append(&mut inner);
                let (directive, origin) = (directive.clone(), stmt.origin);
                let (leading, trailing) = (stmt.leading, stmt.trailing);
                governed.share_out(LoopDirective { leading, trailing, ..LoopDirective::new(directive, origin) });
                return in_branch(outside, governed);
            }
            *body = (!inner.is_empty()).then_some(inner);
            return in_branch(outside, stmt);
        }
        Governs::Statement => {
            let mut inner = Vec::new();
            next_statement(rest, &mut inner);
            let capture = directive
                .clauses
                .iter()
                .any(|c| matches!(&c.kind, ClauseKind::Other { name, .. } if name == "capture"));
            if capture && !skip_end(directive, rest) {
                next_statement(rest, &mut inner);
            }
            skip_end(directive, rest);
            let outside = take_conditional(&mut inner);
            *body = Some(inner);
            return in_branch(outside, stmt);
        }
        Governs::Region => {
            let mut inner = Vec::new();
            while !rest.is_empty() && !skip_end(directive, rest) {
                one(rest, &mut inner);
            }
            *body = Some(inner);
        }
    }
    stmt
}

/// What a directive governs that stands on conditional lines, with the branch that says so taken off.
fn take_conditional(inner: &mut Block) -> Option<Stmt> {
    let [only] = inner.as_mut_slice() else { return None };
    let body = std::mem::take(only.kind.conditional_body_mut()?);
    std::mem::replace(inner, body).pop()
}

/// A governed statement in the branch that was taken off it.
fn in_branch(outside: Option<Stmt>, governed: Stmt) -> Stmt {
    match outside {
        Some(branch) => Stmt { kind: StmtKind::conditional(vec![governed]), ..branch },
        None => governed,
    }
}

/// One statement with the stand-alone directives of Costate's before it.
fn next_statement(rest: &mut VecDeque<Item>, out: &mut Block) {
    while rest.front().and_then(directive_of).is_some_and(|d| matches!(d.construct, Construct::Ad(_))) {
        one(rest, out);
    }
    one(rest, out);
}

/// Takes the end directive of `of`, if it comes next; its clauses (`nowait`) go over to the beginning.
fn skip_end(of: &mut Directive, rest: &mut VecDeque<Item>) -> bool {
    let found = match rest.front().and_then(directive_of) {
        Some(end) if ends(end, of) => end.clauses.clone(),
        _ => return false,
    };
    rest.pop_front();
    for clause in found {
        if !of.clauses.contains(&clause) {
            of.clauses.push(clause);
        }
    }
    true
}

/// Notes which variables the texts of directives name, once all variables are known.
pub(super) fn name_variables(program: &Program, scope: ScopeId, block: &mut Block) {
    let named = |scope: ScopeId, d: &Directive| {
        let texts = std::iter::once(d.text.as_str()).chain(d.clauses.iter().map(|c| c.text.as_str()));
        let found = texts.flat_map(words).filter_map(|w| program.lookup(scope, &w.to_ascii_lowercase()));
        let all: BTreeSet<SymId> = found.filter(|s| program.var(*s).is_some()).collect();
        all.into_iter().collect()
    };
    for s in block {
        let mut within = scope;
        match &mut s.kind {
            StmtKind::Directive { directive, names, .. } if directive.is_parallel() => *names = named(scope, directive),
            StmtKind::Do { parallel: Some(p), .. } => {
                p.directives.iter_mut().for_each(|d| d.names = named(scope, &d.directive));
            }
            StmtKind::BlockScope { scope, .. } | StmtKind::Associate { scope, .. } => within = *scope,
            _ => {}
        }
        s.blocks_mut().into_iter().for_each(|b| name_variables(program, within, b));
    }
}

/// Variables (and `/blocks/`) that a declarative directive names.
pub(super) fn declared_names(d: &Directive) -> Vec<String> {
    let declarative = match &d.construct {
        Construct::Omp(OmpConstruct::ThreadPrivate) => true,
        Construct::Omp(OmpConstruct::Declare(what)) => what.contains("target"),
        Construct::Acc(AccConstruct::Declare) => true,
        Construct::Omp(_) | Construct::Acc(_) | Construct::Ad(_) | Construct::Uninterpreted => false,
    };
    if !declarative {
        return Vec::new();
    }
    let mut out: Vec<String> = Vec::new();
    let mut add = |text: &str| out.extend(text.split(',').map(|n| n.trim().to_string()).filter(|n| !n.is_empty()));
    if let Some(list) = &d.argument {
        add(list);
    }
    for c in &d.clauses {
        match &c.kind {
            ClauseKind::CopyIn(l)
            | ClauseKind::CopyOut(l)
            | ClauseKind::Copy(l)
            | ClauseKind::Create(l)
            | ClauseKind::Present(l)
            | ClauseKind::Map { list: l, .. } => l.iter().for_each(|n| add(n)),
            ClauseKind::Other { text: Some(text), .. } => add(text),
            _ => {}
        }
    }
    out
}
