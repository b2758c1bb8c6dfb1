//! Renames local entities of generated procedures, in their statements and in all text that mentions them.

use std::collections::BTreeSet;

use costate_grammar::directives::Directive;
use costate_grammar::ir::{
    Arg, Base, Block, Callee, Expr, ExprKind, LoopControl, Name, ProcId, Program, ScopeId, ScopeKind, StmtKind, SymId,
    SymbolKind, UseItem, Variable, map_expr, words,
};
use costate_grammar::source::Span;

/// A dummy of a generated procedure that has another name than its primal.
pub(super) struct Keyword {
    /// The procedure's symbol.
    pub procedure: SymId,
    /// The primal's name.
    pub old: Name,
    /// The dummy's name.
    pub new: Name,
}

/// Gives a symbol of a scope another name. A dummy's new name matters to calls with keywords.
pub(super) fn rename(program: &mut Program, scope: ScopeId, sym: SymId, new: &Name) -> Option<Keyword> {
    let old = std::mem::replace(&mut program[sym].name, new.clone());
    rekey(program, scope, &old, new);
    let words = |text: &str| replace_word(text, &old, new);
    program[scope].texts.iter_mut().for_each(|t| *t = words(t));
    for s in own(program, scope) {
        if let SymbolKind::Variable(v) = &mut program[s].kind
            && v.spelling_uses.contains(&sym)
        {
            v.spelling = words(&v.spelling);
        }
    }
    let ScopeKind::Procedure(p) = program[scope].kind else { return None };
    in_procedure(program, p, &old, &words);
    let dummy = program[p].dummies.contains(&sym);
    dummy.then(|| Keyword { procedure: program[p].sym, old, new: new.clone() })
}

/// Text in a procedure, and in those inside it that don't declare the name themselves.
fn in_procedure(program: &mut Program, p: ProcId, old: &Name, words: &dyn Fn(&str) -> String) {
    program[p].header.iter_mut().for_each(|h| *h = words(h));
    let mut body = std::mem::take(&mut program[p].body);
    in_block(&mut body, words);
    program[p].body = body;
    for inner in program[p].internals.clone() {
        let scope = program[inner].scope;
        if !program[scope].names.contains_key(old) {
            program[scope].texts.iter_mut().for_each(|t| *t = words(t));
            in_procedure(program, inner, old, words);
        }
    }
}

fn in_block(block: &mut Block, words: &dyn Fn(&str) -> String) {
    for s in block {
        match &mut s.kind {
            StmtKind::Io { text, .. } => *text = in_transfer(text, words),
            StmtKind::Unsupported { text, .. } => *text = words(text),
            StmtKind::Allocate { type_spec: Some(text), .. } => *text = words(text),
            StmtKind::Do { control: LoopControl::Concurrent { locality, .. }, .. } => *locality = words(locality),
            StmtKind::Directive { directive, .. } => in_directive(directive, words),
            _ => {}
        }
        if let StmtKind::Do { parallel: Some(p), .. } = &mut s.kind {
            p.directives.iter_mut().for_each(|d| in_directive(&mut d.directive, words));
        }
        s.blocks_mut().into_iter().for_each(|b| in_block(b, words));
    }
}

/// An input or output statement. `name=` is a keyword in its control list only.
fn in_transfer(text: &str, words: &dyn Fn(&str) -> String) -> String {
    let mut depth = 0;
    let close = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0 && *c == ')'
    });
    let list = !text.trim_start().to_ascii_lowercase().starts_with("print");
    let (control, items) = text.split_at(close.filter(|_| list).map_or(0, |(at, _)| at + 1));
    // What stands before a loop's `=` is a name: a blank that follows keeps it from being taken for a keyword.
    format!("{}{}", words(control), words(&items.replace('=', "\u{1}=")).replace('\u{1}', ""))
}

/// Its typed content only matters before this: what is printed is the text, or that of the clauses.
fn in_directive(directive: &mut Directive, words: &dyn Fn(&str) -> String) {
    let parse = |text: &str| costate_grammar::directives::parse(directive.sentinel, text, Span::default()).ok();
    let text = after_parenthesis(&directive.text, words);
    if parse(&directive.text).as_ref() == Some(directive)
        && let Some(new) = parse(&text)
    {
        *directive = new;
        return;
    }
    directive.text = text;
    directive.argument = directive.argument.as_deref().map(words);
    for clause in &mut directive.clauses {
        clause.text = after_parenthesis(&clause.text, words);
    }
}

/// The words before the first parenthesis name a directive or a clause.
fn after_parenthesis(text: &str, words: &dyn Fn(&str) -> String) -> String {
    let (head, tail) = text.split_at(text.find('(').unwrap_or(text.len()));
    format!("{head}{}", words(tail))
}

/// Brings in what a `use` statement of a scope brings under another name.
pub(super) fn used(program: &mut Program, scope: ScopeId, sym: SymId, old: &Name, new: &Name) {
    let names = |m: &Name| {
        let m = program.module_names.get(m)?;
        let names = &program[program[*m].scope].names;
        names.iter().find(|(_, s)| **s == sym).map(|(n, _)| n.clone())
    };
    let remotes: Vec<Option<Name>> = program[scope].uses.iter().map(|u| names(&u.module)).collect();
    for (u, remote) in program[scope].uses.iter_mut().zip(remotes) {
        let listed = u.items.iter_mut().find(|i| i.local == *old);
        match (listed, remote) {
            (Some(item), _) => item.local = new.clone(),
            (None, Some(remote)) if !u.only && remote == *old => {
                u.items.push(UseItem { local: new.clone(), remote });
            }
            (None, _) => {}
        }
    }
    rekey(program, scope, old, new);
    if let ScopeKind::Procedure(p) = program[scope].kind {
        in_procedure(program, p, old, &|text| replace_word(text, old, new));
    }
}

/// Puts a name in another's place.
fn rekey(program: &mut Program, scope: ScopeId, old: &Name, new: &Name) {
    let names = std::mem::take(&mut program[scope].names);
    let key = |n: Name| if n == *old { new.clone() } else { n };
    program[scope].names = names.into_iter().map(|(n, s)| (key(n), s)).collect();
}

fn own(program: &Program, scope: ScopeId) -> Vec<SymId> {
    program[scope].names.values().copied().filter(|s| program[*s].scope == scope).collect()
}

/// Calls with keywords say the new names.
pub(super) fn keywords(program: &mut Program, procedures: &BTreeSet<ProcId>, renamed: &[Keyword]) {
    if renamed.is_empty() {
        return;
    }
    let mut queue: Vec<ProcId> = procedures.iter().copied().collect();
    while let Some(p) = queue.pop() {
        queue.extend(&program[p].internals);
        let mut body = std::mem::take(&mut program[p].body);
        keywords_in(&mut body, renamed);
        program[p].body = body;
    }
}

fn keywords_in(block: &mut Block, renamed: &[Keyword]) {
    for s in block {
        if let StmtKind::Call { callee, args } = &mut s.kind {
            keywords_of(callee, args, renamed);
        }
        s.kind.map_exprs(&mut |e: &Expr| {
            map_expr(e.clone(), &mut |mut x| {
                if let ExprKind::Call { callee, args } = &mut x.kind {
                    keywords_of(callee, args, renamed);
                }
                x
            })
        });
        s.blocks_mut().into_iter().for_each(|b| keywords_in(b, renamed));
    }
}

fn keywords_of(callee: &Callee, args: &mut [Arg], renamed: &[Keyword]) {
    let Callee::Proc { sym, .. } = callee else { return };
    for a in args {
        let new = renamed.iter().find(|k| k.procedure == *sym && a.keyword.as_ref() == Some(&k.old));
        if let Some(k) = new {
            a.keyword = Some(k.new.clone());
        }
    }
}

/// Spells a variable's type anew where its words mean something else in a scope.
pub(super) fn respell(program: &mut Program, scope: ScopeId, sym: SymId) {
    let Some(v) = program.var(sym) else { return };
    if v.spelling_uses.is_empty() || program.spelling_holds(scope, v) {
        return;
    }
    let mut spelling = v.spelling.clone();
    for u in v.spelling_uses.clone() {
        let Some(local) = local_name(program, scope, u) else { continue };
        let word = written(program, &spelling, u, v.spelling_uses.len());
        if let Some(word) = word {
            spelling = replace_word(&spelling, &word, &local);
        }
    }
    let ty = v.ty;
    let respelt = Variable { spelling, ..v.clone() };
    let spelling = match program.spelling_holds(scope, &respelt) {
        true => respelt.spelling,
        // Printed from the type itself.
        false if ty.derived().is_some() => String::new(),
        false if ty.base == Base::Character => return,
        false => program.spell(ty),
    };
    if let SymbolKind::Variable(v) = &mut program[sym].kind {
        v.spelling = spelling;
    }
}

/// The word in a type's spelling that stands for a symbol: its name, or the only word that may be one.
fn written(program: &Program, spelling: &str, sym: SymId, count: usize) -> Option<Name> {
    const KEYWORDS: &[&str] =
        &["real", "integer", "logical", "complex", "character", "type", "class", "kind", "len", "double", "precision"];
    let is_name = |w: &&str| w.starts_with(|c: char| c.is_ascii_alphabetic());
    let words: Vec<Name> = words(spelling).filter(is_name).map(Name::new).collect();
    let own = &program[sym].name;
    if words.contains(own) {
        return Some(own.clone());
    }
    let mut left = words.into_iter().filter(|w| !KEYWORDS.contains(&w.as_str()));
    let only = left.next()?;
    (count == 1 && left.next().is_none()).then_some(only)
}

/// The name by which a scope knows a symbol.
fn local_name(program: &Program, scope: ScopeId, sym: SymId) -> Option<Name> {
    let mut at = Some(scope);
    while let Some(s) = at {
        for (n, other) in &program[s].names {
            if *other == sym && program.lookup(scope, n) == Some(sym) {
                return Some(n.clone());
            }
        }
        at = program[s].parent;
    }
    None
}

/// Replaces a name in Fortran text: not in character literals, not as a component, not as a keyword before `=`.
pub(super) fn replace_word(text: &str, old: &str, new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut quote = None;
    let mut word = String::new();
    let mut before = ' ';
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let in_word = c.is_ascii_alphanumeric() || c == '_';
        if quote.is_none() && in_word {
            word.push(c);
            if rest.peek().is_some_and(|(_, n)| n.is_ascii_alphanumeric() || *n == '_') {
                continue;
            }
            let after = text[at + 1..].trim_start();
            let keyword = after.starts_with('=') && !after.starts_with("==");
            let same = word.eq_ignore_ascii_case(old) && before != '%' && !keyword;
            out.push_str(if same { new } else { &word });
            word.clear();
            before = ' ';
            continue;
        }
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '\'' || c == '"' => quote = Some(c),
            Some(_) | None => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{in_transfer, replace_word};

    #[test]
    fn words_are_names_only() {
        let text = "write(t, fmt='(a,t)') 't=', t, s%t, tt, t == 1, (t, t = 1, 3)";
        let want = "write(t1, fmt='(a,t)') 't=', t1, s%t, tt, t1 == 1, (t1, t1 = 1, 3)";
        assert_eq!(in_transfer(text, &|t| replace_word(t, "t", "t1")), want);
        assert_eq!(replace_word("real(kind=kind)", "kind", "k"), "real(kind=k)");
    }
}
