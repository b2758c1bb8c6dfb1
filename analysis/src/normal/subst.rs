//! Replacing variables in statements: names by what they stand for, loop indices by others.

use super::designator;
use crate::devices::is_lasting;
use std::collections::BTreeMap;

use costate_grammar::ir::{
    Arg, Block, Callee, CaseRange, CtorItem, Designator, Dim, Expr, ExprKind, LoopControl, Part, Program, SelectArm,
    Stmt, StmtKind, Subscript, SymId, Variable,
};

/// What symbols stand for: a designator or, for a statement function's dummy, any expression.
pub(super) type Map = BTreeMap<SymId, Expr>;

/// Replaces symbols in the extents and the value that a variable is declared with.
pub(super) fn declaration(program: &Program, map: &Map, v: &mut Variable) {
    for d in &mut v.dims {
        if let Dim::Explicit(lo, hi) = d {
            *lo = lo.as_ref().map(|e| expr(program, map, e));
            *hi = expr(program, map, hi);
        }
    }
    v.init = v.init.take().map(|e| expr(program, map, &e));
}

/// Rebuilds an expression with symbols replaced; later parts of a designator go on after what replaces its base.
pub(super) fn expr(program: &Program, map: &Map, e: &Expr) -> Expr {
    let sub = |e: &Expr| expr(program, map, e);
    let bx = |e: &Expr| Box::new(expr(program, map, e));
    let kind = match &e.kind {
        ExprKind::Var(d) => {
            let parts: Vec<Part> = d.parts.iter().map(|p| part(program, map, p)).collect();
            let Some(with) = map.get(&d.sym) else {
                return Expr { kind: ExprKind::Var(Designator { sym: d.sym, parts }), ..e.clone() };
            };
            return join(program, with, parts, e);
        }
        ExprKind::Unary(op, a) => ExprKind::Unary(*op, bx(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, bx(a), bx(b)),
        ExprKind::Call { callee: c, args: a } => {
            ExprKind::Call { callee: callee(program, map, c), args: args(program, map, a) }
        }
        ExprKind::ArrayCtor { type_spec, items } => ExprKind::ArrayCtor {
            type_spec: type_spec.clone(),
            items: items.iter().map(|i| item(program, map, i)).collect(),
        },
        ExprKind::StructCtor { ty, args: a } => ExprKind::StructCtor { ty: *ty, args: args(program, map, a) },
        ExprKind::Paren(a) => ExprKind::Paren(bx(a)),
        ExprKind::ComplexLit(a, b) => ExprKind::ComplexLit(Box::new(sub(a)), Box::new(sub(b))),
        ExprKind::ProcRef(s) => ExprKind::ProcRef(*s),
        ExprKind::Int { .. }
        | ExprKind::Real { .. }
        | ExprKind::Logical { .. }
        | ExprKind::Str(_)
        | ExprKind::Boz(_)
        | ExprKind::Opaque(_) => e.kind.clone(),
    };
    Expr { kind, ..e.clone() }
}

/// `with` followed by the parts that followed the name it replaces.
fn join(program: &Program, with: &Expr, parts: Vec<Part>, was: &Expr) -> Expr {
    if parts.is_empty() {
        return Expr { span: was.span, ..with.clone() };
    }
    let Some(d) = with.as_var() else {
        // Parts of an expression: only substrings of statement functions' dummies; not worth a temporary.
        return was.clone();
    };
    if let Some((of, _)) = designator::complex_variable(program, d) {
        // The subscripts of `z%re` stand behind `z`.
        let of = Expr { kind: ExprKind::Var(of), ..with.clone() };
        let mut joined = join(program, &of, parts, was);
        if let ExprKind::Var(joined) = &mut joined.kind {
            joined.parts.extend(d.parts.last().cloned());
        }
        return joined;
    }
    let mut parts = parts.into_iter();
    let mut joined = d.clone();
    if let Some(Part::Subscripts(list)) = parts.as_slice().first()
        && designator::is_section(program, d)
    {
        // An element or section of a section.
        if let Some(composed) = designator::subsection(program, d, list) {
            joined = composed;
            parts.next();
        }
    }
    joined.parts.extend(parts);
    Expr { kind: ExprKind::Var(joined), ..was.clone() }
}

fn part(program: &Program, map: &Map, p: &Part) -> Part {
    match p {
        Part::Component(n) => Part::Component(n.clone()),
        Part::Subscripts(list) => {
            Part::Subscripts(list.iter().map(|s| subscript(s, &|e| expr(program, map, e))).collect())
        }
        Part::Substring(lo, hi) => {
            let bound = |b: &Option<Box<Expr>>| b.as_ref().map(|e| Box::new(expr(program, map, e)));
            Part::Substring(bound(lo), bound(hi))
        }
    }
}

/// A subscript with its expressions rebuilt.
pub(super) fn subscript(s: &Subscript, f: &dyn Fn(&Expr) -> Expr) -> Subscript {
    match s {
        Subscript::Index(e) => Subscript::Index(f(e)),
        Subscript::Range { lo, hi, step } => {
            Subscript::Range { lo: lo.as_ref().map(f), hi: hi.as_ref().map(f), step: step.as_ref().map(f) }
        }
    }
}

fn args(program: &Program, map: &Map, list: &[Arg]) -> Vec<Arg> {
    list.iter().map(|a| Arg { keyword: a.keyword.clone(), value: expr(program, map, &a.value) }).collect()
}

fn callee(program: &Program, map: &Map, c: &Callee) -> Callee {
    match c {
        Callee::Bound { object, binding, resolved } => Callee::Bound {
            object: Box::new(expr(program, map, object)),
            binding: binding.clone(),
            resolved: *resolved,
        },
        Callee::Proc { sym, generic, operator } => match map.get(sym).map(|e| &e.kind) {
            Some(ExprKind::ProcRef(new)) => Callee::Proc { sym: *new, generic: *generic, operator: operator.clone() },
            _ => c.clone(),
        },
        Callee::Intrinsic(_) => c.clone(),
    }
}

fn item(program: &Program, map: &Map, i: &CtorItem) -> CtorItem {
    match i {
        CtorItem::Value(e) => CtorItem::Value(expr(program, map, e)),
        CtorItem::ImpliedDo { items, var, lo, hi, step } => CtorItem::ImpliedDo {
            items: items.iter().map(|i| item(program, map, i)).collect(),
            var: symbol(map, *var),
            lo: expr(program, map, lo),
            hi: expr(program, map, hi),
            step: step.as_ref().map(|s| Box::new(expr(program, map, s))),
        },
    }
}

/// The symbol that replaces a whole variable (a loop's index, say).
fn symbol(map: &Map, sym: SymId) -> SymId {
    map.get(&sym).and_then(|e| e.as_var()).filter(|d| d.parts.is_empty()).map_or(sym, |d| d.sym)
}

/// Replaces symbols in the statements of a block. Statements that change get a derived origin.
pub(super) fn block(cx: &mut super::context::Cx, map: &Map, stmts: &mut Block) {
    for s in stmts {
        stmt(cx, map, s);
    }
}

fn stmt(cx: &mut super::context::Cx, map: &Map, s: &mut Stmt) {
    for inner in s.blocks_mut() {
        block(cx, map, inner);
    }
    let named = directives_name(cx.program, map, s);
    if !named.is_empty() {
        // The text of a directive stays as it is.
        let body = s.blocks_mut().into_iter().flat_map(std::mem::take).collect();
        let what = "a region whose directive names what stands for something else".to_string();
        s.kind = StmtKind::Unsupported { what, text: String::new(), names: named, body };
        return;
    }
    if !uses(s, map) {
        return;
    }
    let program = &*cx.program;
    let ex = |e: &mut Expr| *e = expr(program, map, e);
    match &mut s.kind {
        StmtKind::Assign { lhs, rhs } | StmtKind::PointerAssign { lhs, rhs } => [lhs, rhs].into_iter().for_each(ex),
        StmtKind::Call { callee: c, args: a } => {
            *c = callee(program, map, c);
            *a = args(program, map, a);
        }
        StmtKind::If { arms, .. } | StmtKind::Where { arms, .. } => arms.iter_mut().for_each(|a| ex(&mut a.cond)),
        StmtKind::Select { selector, arms, .. } => {
            ex(selector);
            arms.iter_mut().for_each(|a| ranges(program, map, a));
        }
        StmtKind::Do { control, .. } => loop_control(program, map, control),
        StmtKind::Forall { indices, mask, .. } => {
            index_list(program, map, indices);
            mask.iter_mut().for_each(ex);
        }
        StmtKind::Associate { bindings, .. } => bindings.iter_mut().for_each(|b| ex(&mut b.1)),
        StmtKind::Stop { code, .. } => code.iter_mut().for_each(ex),
        StmtKind::Allocate { items, options, .. } => {
            for i in items {
                ex(&mut i.object);
                for (lo, hi) in &mut i.shape {
                    lo.iter_mut().for_each(ex);
                    ex(hi);
                }
            }
            options.iter_mut().for_each(|o| ex(&mut o.1));
        }
        StmtKind::Deallocate { items, options } => {
            items.iter_mut().for_each(ex);
            options.iter_mut().for_each(|o| ex(&mut o.1));
        }
        StmtKind::Nullify(items) => items.iter_mut().for_each(ex),
        StmtKind::Io { items, text, .. } => {
            items.uses.iter_mut().for_each(ex);
            items.defines.iter_mut().for_each(ex);
            *text = retext(program, map, text);
            items.places.clear();
        }
        StmtKind::BlockScope { .. }
        | StmtKind::Exit(_)
        | StmtKind::Cycle(_)
        | StmtKind::Return
        | StmtKind::Goto(_)
        | StmtKind::Continue
        | StmtKind::Directive { .. }
        | StmtKind::Unsupported { .. }
        | StmtKind::Comment(_) => return,
    }
    let old = s.clone();
    // A loop stays one of the user's, of which directives may say how it is reversed.
    let origin = matches!(old.kind, StmtKind::Do { .. }).then_some(old.origin);
    *s = cx.changed(old.clone(), old.kind);
    s.origin = origin.unwrap_or(s.origin);
}

/// Replaces variables that the text of a directive names where it may stay as it is: what stands for them has the same name. Returns
/// the others.
fn directives_name(program: &Program, map: &Map, s: &mut Stmt) -> Vec<SymId> {
    let mut others = Vec::new();
    let replace = |n: &mut SymId| {
        if !map.contains_key(n) {
            return;
        }
        let with = symbol(map, *n);
        if with != *n && program[with].name == program[*n].name { *n = with } else { others.push(*n) }
    };
    match &mut s.kind {
        StmtKind::Do { parallel: Some(p), .. } => {
            p.directives.iter_mut().flat_map(|d| &mut d.names).for_each(replace);
        }
        StmtKind::Directive { names, .. } => names.iter_mut().for_each(replace),
        _ => {}
    }
    // What others say is written anew, or isn't carried over.
    let lasting = matches!(&s.kind, StmtKind::Directive { directive, .. } if is_lasting(&directive.construct));
    if lasting || !s.governing().is_empty() { others } else { Vec::new() }
}

fn ranges(program: &Program, map: &Map, arm: &mut SelectArm) {
    for r in &mut arm.ranges {
        match r {
            CaseRange::Value(e) => *e = expr(program, map, e),
            CaseRange::Range(lo, hi) => {
                for e in lo.iter_mut().chain(hi) {
                    *e = expr(program, map, e);
                }
            }
        }
    }
}

type Indices = [(SymId, Expr, Expr, Option<Expr>)];

fn index_list(program: &Program, map: &Map, indices: &mut Indices) {
    for (var, lo, hi, step) in indices {
        *var = symbol(map, *var);
        *lo = expr(program, map, lo);
        *hi = expr(program, map, hi);
        *step = step.as_ref().map(|s| expr(program, map, s));
    }
}

fn loop_control(program: &Program, map: &Map, control: &mut LoopControl) {
    match control {
        LoopControl::Count { var, lo, hi, step } => {
            *var = symbol(map, *var);
            *lo = expr(program, map, lo);
            *hi = expr(program, map, hi);
            *step = step.as_ref().map(|s| expr(program, map, s));
        }
        LoopControl::While(cond) => *cond = expr(program, map, cond),
        LoopControl::Forever => {}
        LoopControl::Concurrent { indices, mask, .. } => {
            index_list(program, map, indices);
            *mask = mask.as_ref().map(|m| expr(program, map, m));
        }
    }
}

/// True when a statement itself (not those inside it) uses a symbol of the map.
fn uses(s: &Stmt, map: &Map) -> bool {
    let mut found = false;
    for e in s.exprs() {
        costate_grammar::ir::for_each_expr(e, &mut |e| match &e.kind {
            ExprKind::Var(d) => found |= map.contains_key(&d.sym),
            ExprKind::ArrayCtor { items, .. } => found |= items.iter().any(|i| implied_uses(i, map)),
            _ => {}
        });
    }
    match &s.kind {
        StmtKind::Do { control: LoopControl::Count { var, .. }, .. } => found |= map.contains_key(var),
        StmtKind::Do { control: LoopControl::Concurrent { indices, .. }, .. } | StmtKind::Forall { indices, .. } => {
            found |= indices.iter().any(|i| map.contains_key(&i.0));
        }
        _ => {}
    }
    found
}

fn implied_uses(item: &CtorItem, map: &Map) -> bool {
    match item {
        CtorItem::Value(_) => false,
        CtorItem::ImpliedDo { items, var, .. } => map.contains_key(var) || items.iter().any(|i| implied_uses(i, map)),
    }
}

/// The text of an input/output statement with names replaced.
pub(super) fn retext(program: &Program, map: &Map, text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::with_capacity(text.len());
    let (mut i, mut last) = (0, b' ');
    while i < bytes.len() {
        let c = bytes[i];
        let start = i;
        if c == b'\'' || c == b'"' {
            i += 1;
            while i < bytes.len() && bytes[i] != c {
                i += 1;
            }
            i = (i + 1).min(bytes.len());
            out.push_str(&text[start..i]);
        } else if c.is_ascii_alphabetic() || c == b'_' {
            while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
                i += 1;
            }
            let word = &text[start..i];
            let rest = text[i..].trim_start();
            let keyword = rest.starts_with('=') && !rest.starts_with("==");
            let with = map.iter().find(|(s, _)| program[**s].name.as_str().eq_ignore_ascii_case(word));
            match with {
                Some((_, e)) if last != b'%' && !keyword => out.push_str(&plain_text(program, e)),
                _ => out.push_str(word),
            }
        } else {
            // A byte of a longer character ends where the next character starts.
            i += 1;
            while !text.is_char_boundary(i) {
                i += 1;
            }
            out.push_str(&text[start..i]);
        }
        if !text[start..i].trim().is_empty() {
            last = bytes[i - 1];
        }
    }
    out
}

/// A designator as text.
fn plain_text(program: &Program, e: &Expr) -> String {
    costate_grammar::print::expr(program, e)
}
