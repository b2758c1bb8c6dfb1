//! Statements and constructs.

mod directive;

use super::decl;
use super::layout::Lines;
use super::names::Cx;
use crate::ir::{
    AllocItem, Callee, CaseRange, Expr, IfArm, LoopControl, Name, ScopeId, SelectArm, Stmt, StmtKind, SymId,
};
use crate::source::Span;

/// The statements of a block, one after the other.
pub(super) fn block(cx: &Cx<'_>, lines: &mut Lines<'_>, block: &[Stmt]) {
    for s in block {
        statement(cx, lines, s);
    }
}

/// One statement with its comments; a construct with all that is in it.
fn statement(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt) {
    if let StmtKind::Do { parallel: Some(p), .. } = &s.kind
        && let Some(directives) = p.region()
    {
        return directive::around(lines, directives, &|lines| itself(cx, lines, s));
    }
    itself(cx, lines, s);
}

/// The same without the directives before a loop.
fn itself(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt) {
    lines.comes_from(s.origin.span());
    for comment in &s.leading {
        lines.comment(comment);
    }
    if let Some(body) = s.kind.conditional_body() {
        return conditional(cx, lines, s, body);
    }
    match &s.kind {
        StmtKind::If { name, arms, otherwise, one_line } => {
            match one_line_body(*one_line && name.is_none() && otherwise.is_none(), arms) {
                Some((cond, inner)) => {
                    let text = format!("{} ({}) {}", cx.kw("if"), cx.expr(cond), inner_text(cx, inner));
                    one_line_statement(lines, s, inner, &text);
                }
                None => if_construct(cx, lines, s, name.as_ref(), arms, otherwise.as_deref()),
            }
        }
        StmtKind::Where { arms, otherwise, one_line } => match one_line_body(*one_line && otherwise.is_none(), arms) {
            Some((mask, inner)) => {
                let text = format!("{} ({}) {}", cx.kw("where"), cx.expr(mask), inner_text(cx, inner));
                one_line_statement(lines, s, inner, &text);
            }
            None => where_construct(cx, lines, s, arms, otherwise.as_deref()),
        },
        StmtKind::Select { name, selector, arms } => select_construct(cx, lines, s, name.as_ref(), selector, arms),
        StmtKind::Do { name, control, body, .. } => {
            let head = format!("{}{}", label_of_construct(name.as_ref()), loop_head(cx, control));
            construct(cx, lines, s, &head, body, &end_named(cx, "do", name.as_ref()));
        }
        StmtKind::Forall { indices, mask, body, one_line } => {
            let head = format!("{} ({})", cx.kw("forall"), index_list(cx, indices, mask.as_ref()));
            match body.as_slice() {
                [inner] if *one_line && is_simple(inner) => {
                    one_line_statement(lines, s, inner, &format!("{head} {}", inner_text(cx, inner)));
                }
                _ => construct(cx, lines, s, &head, body, &cx.end("forall")),
            }
        }
        StmtKind::Associate { name, scope, bindings, body } => {
            let head = associate_head(cx, name.as_ref(), *scope, bindings);
            lines.statement(s.label, &head, s.trailing.as_deref());
            indented(&cx.within(*scope), lines, body);
            lines.line(&end_named(cx, "associate", name.as_ref()));
        }
        StmtKind::BlockScope { name, scope, body } => block_construct(cx, lines, s, name.as_ref(), *scope, body),
        StmtKind::Directive { directive, body, .. } => directive::print(cx, lines, s, directive, body.as_deref()),
        StmtKind::Unsupported { what, text, body, .. } => unsupported(cx, lines, s, (what, text), body),
        StmtKind::Comment(text) => {
            label_alone(cx, lines, s);
            lines.remark(text);
            if let Some(comment) = &s.trailing {
                lines.comment(comment);
            }
        }
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call { .. }
        | StmtKind::Exit(_)
        | StmtKind::Cycle(_)
        | StmtKind::Return
        | StmtKind::Stop { .. }
        | StmtKind::Goto(_)
        | StmtKind::Continue
        | StmtKind::Allocate { .. }
        | StmtKind::Deallocate { .. }
        | StmtKind::Nullify(_)
        | StmtKind::Io { .. } => lines.statement(s.label, &summary(cx, s), s.trailing.as_deref()),
    }
}

/// A statement's own text on one line, without label and comments: all of a simple statement, the first line of a construct.
pub(super) fn summary(cx: &Cx<'_>, s: &Stmt) -> String {
    if let Some(body) = s.kind.conditional_body() {
        return format!("!$ {}", body.first().map_or_else(String::new, |first| summary(cx, first)));
    }
    match &s.kind {
        StmtKind::Assign { lhs, rhs } => format!("{} = {}", cx.expr(lhs), cx.expr(rhs)),
        StmtKind::PointerAssign { lhs, rhs } => format!("{} => {}", cx.expr(lhs), cx.expr(rhs)),
        StmtKind::Call { callee: Callee::Proc { operator: Some(op), .. }, args }
            if args.len() == 2 && is_assignment(op) =>
        {
            format!("{} = {}", cx.expr(&args[0].value), cx.expr(&args[1].value))
        }
        StmtKind::Call { callee, args } => format!("{} {}({})", cx.kw("call"), cx.callee(callee), cx.args(args)),
        StmtKind::If { name, arms, .. } => {
            arms.first().map_or_else(String::new, |arm| if_head(cx, name.as_ref(), &arm.cond))
        }
        StmtKind::Where { arms, .. } => {
            arms.first().map_or_else(String::new, |arm| format!("{} ({})", cx.kw("where"), cx.expr(&arm.cond)))
        }
        StmtKind::Select { name, selector, .. } => select_head(cx, name.as_ref(), selector),
        StmtKind::Do { name, control, .. } => {
            format!("{}{}", label_of_construct(name.as_ref()), loop_head(cx, control))
        }
        StmtKind::Forall { indices, mask, .. } => {
            format!("{} ({})", cx.kw("forall"), index_list(cx, indices, mask.as_ref()))
        }
        StmtKind::Associate { name, scope, bindings, .. } => associate_head(cx, name.as_ref(), *scope, bindings),
        StmtKind::BlockScope { name, .. } => block_head(cx, name.as_ref()),
        StmtKind::Exit(name) => with_name(&cx.kw("exit"), name.as_ref()),
        StmtKind::Cycle(name) => with_name(&cx.kw("cycle"), name.as_ref()),
        StmtKind::Return => cx.kw("return").into_owned(),
        StmtKind::Stop { error, code } => {
            let word = cx.kw(if *error { "error stop" } else { "stop" });
            code.as_ref().map_or_else(|| word.to_string(), |c| format!("{word} {}", cx.expr(c)))
        }
        StmtKind::Goto(label) => format!("{} {label}", cx.kw("goto")),
        StmtKind::Continue => cx.kw("continue").into_owned(),
        StmtKind::Allocate { items, type_spec, options } => allocate(cx, items, type_spec.as_deref(), options),
        StmtKind::Deallocate { items, options } => {
            let list = items.iter().map(|e| cx.expr(e)).chain(keywords(cx, options)).collect::<Vec<_>>();
            format!("{}({})", cx.kw("deallocate"), list.join(", "))
        }
        StmtKind::Nullify(items) => {
            let list = items.iter().map(|e| cx.expr(e)).collect::<Vec<_>>();
            format!("{}({})", cx.kw("nullify"), list.join(", "))
        }
        StmtKind::Io { text, .. } => joined(text),
        StmtKind::Directive { directive, .. } => directive::summary(directive),
        StmtKind::Unsupported { text, .. } => text.lines().next().unwrap_or("").trim().to_string(),
        StmtKind::Comment(text) => format!("! {}", text.lines().next().unwrap_or("")),
    }
}

/// Statements on conditional lines. Directives among them are comments without OpenMP by themselves.
fn conditional(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt, body: &[Stmt]) {
    label_alone(cx, lines, s);
    s.trailing.iter().for_each(|c| lines.comment(c));
    let outside = (lines.set_conditional(true), lines.comes_from(Span::default()));
    block(cx, lines, body);
    lines.comes_from(outside.1);
    lines.set_conditional(outside.0);
}

/// Lines of a text put on one.
fn joined(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

fn is_assignment(operator: &str) -> bool {
    let bare: String = operator.chars().filter(|c| !c.is_whitespace()).collect();
    bare == "=" || bare.eq_ignore_ascii_case("assignment(=)")
}

/// True for a statement that may follow `if (c)` on its line.
fn is_simple(s: &Stmt) -> bool {
    let plain = match &s.kind {
        StmtKind::Assign { .. }
        | StmtKind::PointerAssign { .. }
        | StmtKind::Call { .. }
        | StmtKind::Exit(_)
        | StmtKind::Cycle(_)
        | StmtKind::Return
        | StmtKind::Stop { .. }
        | StmtKind::Goto(_)
        | StmtKind::Continue
        | StmtKind::Allocate { .. }
        | StmtKind::Deallocate { .. }
        | StmtKind::Nullify(_)
        | StmtKind::Io { .. } => true,
        StmtKind::Unsupported { text, body, .. } => body.is_empty() && !text.contains('\n'),
        StmtKind::Where { arms, otherwise, one_line } => {
            one_line_body(*one_line && otherwise.is_none(), arms).is_some()
        }
        StmtKind::Forall { body, one_line, .. } => *one_line && matches!(body.as_slice(), [b] if is_simple(b)),
        StmtKind::If { .. }
        | StmtKind::Select { .. }
        | StmtKind::Do { .. }
        | StmtKind::Associate { .. }
        | StmtKind::BlockScope { .. }
        | StmtKind::Directive { .. }
        | StmtKind::Comment(_) => false,
    };
    plain && s.leading.is_empty() && s.label.is_none()
}

/// Condition and statement of a construct that can still stand on one line.
fn one_line_body(wanted: bool, arms: &[IfArm]) -> Option<(&Expr, &Stmt)> {
    match arms {
        [arm] if wanted => match arm.body.as_slice() {
            [inner] if is_simple(inner) => Some((&arm.cond, inner)),
            _ => None,
        },
        _ => None,
    }
}

/// The text of a statement that stands behind a condition.
fn inner_text(cx: &Cx<'_>, s: &Stmt) -> String {
    match &s.kind {
        StmtKind::Where { arms, .. } => match one_line_body(true, arms) {
            Some((_, inner)) => format!("{} {}", summary(cx, s), inner_text(cx, inner)),
            None => summary(cx, s),
        },
        StmtKind::Forall { body, .. } => match body.as_slice() {
            [inner] => format!("{} {}", summary(cx, s), inner_text(cx, inner)),
            _ => summary(cx, s),
        },
        _ => summary(cx, s),
    }
}

/// Prints an outer and an inner statement that share a line, with the comments of both.
fn one_line_statement(lines: &mut Lines<'_>, outer: &Stmt, inner: &Stmt, text: &str) {
    match (&outer.trailing, &inner.trailing) {
        (Some(a), Some(b)) => {
            lines.comment(a);
            lines.statement(outer.label, text, Some(b));
        }
        (a, b) => lines.statement(outer.label, text, a.as_deref().or(b.as_deref())),
    }
}

/// A construct of one block.
fn construct(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt, head: &str, body: &[Stmt], end: &str) {
    lines.statement(s.label, head, s.trailing.as_deref());
    indented(cx, lines, body);
    lines.line(end);
}

fn indented(cx: &Cx<'_>, lines: &mut Lines<'_>, body: &[Stmt]) {
    lines.indent();
    let outside = lines.comes_from(Span::default());
    block(cx, lines, body);
    lines.comes_from(outside);
    lines.dedent();
}

fn label_of_construct(name: Option<&Name>) -> String {
    name.map_or_else(String::new, |n| format!("{n}: "))
}

fn with_name(word: &str, name: Option<&Name>) -> String {
    name.map_or_else(|| word.to_string(), |n| format!("{word} {n}"))
}

fn end_named(cx: &Cx<'_>, what: &'static str, name: Option<&Name>) -> String {
    with_name(&cx.end(what), name)
}

fn if_head(cx: &Cx<'_>, name: Option<&Name>, cond: &Expr) -> String {
    format!("{}{} ({}) {}", label_of_construct(name), cx.kw("if"), cx.expr(cond), cx.kw("then"))
}

fn if_construct(
    cx: &Cx<'_>,
    lines: &mut Lines<'_>,
    s: &Stmt,
    name: Option<&Name>,
    arms: &[IfArm],
    otherwise: Option<&[Stmt]>,
) {
    for (i, arm) in arms.iter().enumerate() {
        if i == 0 {
            lines.statement(s.label, &if_head(cx, name, &arm.cond), s.trailing.as_deref());
        } else {
            let word = if cx.style.end_spaced { "else if" } else { "elseif" };
            lines.line(&format!("{} ({}) {}", cx.kw(word), cx.expr(&arm.cond), cx.kw("then")));
        }
        indented(cx, lines, &arm.body);
    }
    if let Some(body) = otherwise {
        lines.line(&cx.kw("else"));
        indented(cx, lines, body);
    }
    lines.line(&end_named(cx, "if", name));
}

fn where_construct(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt, arms: &[IfArm], otherwise: Option<&[Stmt]>) {
    for (i, arm) in arms.iter().enumerate() {
        let word = cx.kw(if i == 0 { "where" } else { "elsewhere" });
        let text = format!("{word} ({})", cx.expr(&arm.cond));
        if i == 0 {
            lines.statement(s.label, &text, s.trailing.as_deref());
        } else {
            lines.line(&text);
        }
        indented(cx, lines, &arm.body);
    }
    if let Some(body) = otherwise {
        lines.line(&cx.kw("elsewhere"));
        indented(cx, lines, body);
    }
    lines.line(&cx.end("where"));
}

fn select_head(cx: &Cx<'_>, name: Option<&Name>, selector: &Expr) -> String {
    format!("{}{} ({})", label_of_construct(name), cx.kw("select case"), cx.expr(selector))
}

fn select_construct(
    cx: &Cx<'_>,
    lines: &mut Lines<'_>,
    s: &Stmt,
    name: Option<&Name>,
    selector: &Expr,
    arms: &[SelectArm],
) {
    lines.statement(s.label, &select_head(cx, name, selector), s.trailing.as_deref());
    for arm in arms {
        if arm.ranges.is_empty() {
            lines.line(&cx.kw("case default"));
        } else {
            let list = arm.ranges.iter().map(|r| case_range(cx, r)).collect::<Vec<_>>();
            lines.line(&format!("{} ({})", cx.kw("case"), list.join(", ")));
        }
        indented(cx, lines, &arm.body);
    }
    lines.line(&end_named(cx, "select", name));
}

fn case_range(cx: &Cx<'_>, range: &CaseRange) -> String {
    let text = |e: &Option<Expr>| e.as_ref().map_or_else(String::new, |e| cx.tight(e));
    match range {
        CaseRange::Value(e) => cx.tight(e),
        CaseRange::Range(lo, hi) => format!("{}:{}", text(lo), text(hi)),
    }
}

fn loop_head(cx: &Cx<'_>, control: &LoopControl) -> String {
    let word = cx.kw("do");
    match control {
        LoopControl::Count { var, lo, hi, step } => {
            let step = step.as_ref().map_or_else(String::new, |s| format!(", {}", cx.expr(s)));
            format!("{word} {} = {}, {}{step}", cx.name(*var), cx.expr(lo), cx.expr(hi))
        }
        LoopControl::While(cond) => format!("{} ({})", cx.kw("do while"), cx.expr(cond)),
        LoopControl::Forever => word.into_owned(),
        LoopControl::Concurrent { indices, mask, locality } => {
            let head = format!("{} ({})", cx.kw("do concurrent"), index_list(cx, indices, mask.as_ref()));
            if locality.trim().is_empty() { head } else { format!("{head} {}", locality.trim()) }
        }
    }
}

fn index_list(cx: &Cx<'_>, indices: &[(SymId, Expr, Expr, Option<Expr>)], mask: Option<&Expr>) -> String {
    let one = |(var, lo, hi, step): &(SymId, Expr, Expr, Option<Expr>)| {
        let step = step.as_ref().map_or_else(String::new, |s| format!(":{}", cx.tight(s)));
        format!("{} = {}:{}{step}", cx.name(*var), cx.tight(lo), cx.tight(hi))
    };
    indices.iter().map(one).chain(mask.map(|m| cx.expr(m))).collect::<Vec<_>>().join(", ")
}

fn associate_head(cx: &Cx<'_>, name: Option<&Name>, scope: ScopeId, bindings: &[(SymId, Expr)]) -> String {
    let inner = cx.within(scope);
    let list = bindings.iter().map(|(sym, e)| format!("{} => {}", inner.name(*sym), cx.expr(e))).collect::<Vec<_>>();
    format!("{}{} ({})", label_of_construct(name), cx.kw("associate"), list.join(", "))
}

fn block_head(cx: &Cx<'_>, name: Option<&Name>) -> String {
    format!("{}{}", label_of_construct(name), cx.kw("block"))
}

fn block_construct(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt, name: Option<&Name>, scope: ScopeId, body: &[Stmt]) {
    lines.statement(s.label, &block_head(cx, name), s.trailing.as_deref());
    let inner = cx.within(scope);
    lines.indent();
    decl::uses(&inner, lines, scope);
    decl::declarations(&inner, lines, scope, decl::Place::Block);
    block(&inner, lines, body);
    lines.dedent();
    lines.line(&end_named(cx, "block", name));
}

fn allocate(cx: &Cx<'_>, items: &[AllocItem], type_spec: Option<&str>, options: &[(Name, Expr)]) -> String {
    let dim = |(lo, hi): &(Option<Expr>, Expr)| {
        lo.as_ref().map_or_else(|| cx.tight(hi), |lo| format!("{}:{}", cx.tight(lo), cx.tight(hi)))
    };
    let one = |item: &AllocItem| {
        let shape = item.shape.iter().map(dim).collect::<Vec<_>>();
        let shape = if shape.is_empty() { String::new() } else { format!("({})", shape.join(", ")) };
        format!("{}{shape}", cx.expr(&item.object))
    };
    let list = items.iter().map(one).chain(keywords(cx, options)).collect::<Vec<_>>();
    let spec = type_spec.map_or_else(String::new, |t| format!("{t} :: "));
    format!("{}({spec}{})", cx.kw("allocate"), list.join(", "))
}

fn keywords(cx: &Cx<'_>, options: &[(Name, Expr)]) -> Vec<String> {
    options.iter().map(|(name, e)| format!("{name}={}", cx.expr(e))).collect()
}

/// A label whose statement can't carry it stands on a `continue` of its own.
fn label_alone(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt) {
    if s.label.is_some() {
        lines.statement(s.label, &cx.kw("continue"), None);
    }
}

/// Text that isn't understood goes through as it is. Text of several lines is all of a construct, its statements included;
/// one line is the head of the statements that follow.
fn unsupported(cx: &Cx<'_>, lines: &mut Lines<'_>, s: &Stmt, (what, text): (&str, &str), body: &[Stmt]) {
    if text.contains('\n') {
        label_alone(cx, lines, s);
        lines.verbatim(text);
        if let Some(comment) = &s.trailing {
            lines.comment(comment);
        }
        return;
    }
    lines.statement(s.label, text, s.trailing.as_deref());
    if !body.is_empty() {
        indented(cx, lines, body);
        lines.line(&format!("{} {what}", cx.kw("end")));
    }
}
