//! Parts that become tasks: of a procedure whose callers have the region, and that may call itself.

use costate_grammar::directives::parse;
use costate_grammar::ir::{Block, Origin, Program, Stmt, StmtKind, SymId};
use costate_grammar::lines::Sentinel;

use super::marked::Conditions;
use super::names;

/// A task for each part, but for what the thread does itself that makes them; then it waits for them. Variables are shared, but
/// for the `private` ones: of dummies and local variables of such a procedure tasks would have copies.
pub(super) fn of(
    program: &mut Program,
    parts: Vec<Block>,
    (conditions, private): (&[Option<Conditions>], &[SymId]),
    origin: Origin,
) -> Block {
    let Ok(wait) = parse(Sentinel::Omp, "taskwait", origin.span()) else { return parts.concat() };
    let own = if private.is_empty() { String::new() } else { format!(" private({})", names(program, private)) };
    let (mut out, mut itself) = (Block::new(), Block::new());
    for (part, said) in parts.into_iter().zip(conditions) {
        let text = |said: &Conditions| format!("task default(shared){own}{}", said.text);
        match said.as_ref().map(|s| (parse(Sentinel::Omp, &text(s), origin.span()), &s.names)) {
            Some((Ok(directive), mentioned)) => {
                let names = private.iter().chain(mentioned).copied().collect();
                let kind = StmtKind::Directive { directive, names, body: Some(part) };
                out.push(Stmt::new(program.fresh_stmt(), kind, origin));
            }
            _ => itself.extend(part),
        }
    }
    out.extend(itself);
    let kind = StmtKind::Directive { directive: wait, names: Vec::new(), body: None };
    out.push(Stmt::new(program.fresh_stmt(), kind, origin));
    out
}
