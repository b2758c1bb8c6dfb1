//! Iterations that wait for earlier ones (`ordered depend(sink: i - 1)`, `ordered doacross(sink: i - 1)`) and let later ones go on
//! (`source`): what stands between these they do one after the other, as in an `ordered` block.

use costate_grammar::directives::{ClauseKind, OmpConstruct, parse};
use costate_grammar::ir::{Block, LoopDirective, Stmt, StmtKind, for_each_stmt};
use costate_grammar::lines::Sentinel;

use super::super::context::Cx;

/// Puts an `ordered` block in place of the directives by which iterations of a loop wait for each other, where these stand in
/// the loop itself.
pub(super) fn as_ordered(cx: &mut Cx, block: &mut Block, own: &mut [LoopDirective]) {
    let mut all = 0;
    for_each_stmt(block, &mut |s| all += usize::from(waits(s, "sink") || waits(s, "source")));
    let places = |word: &str| -> Vec<usize> { (0..block.len()).filter(|k| waits(&block[*k], word)).collect() };
    let (sinks, sources) = (places("sink"), places("source"));
    let (Some(&first), [last]) = (sinks.first(), sources.as_slice()) else { return };
    if sinks.len() + 1 != all || sinks.iter().any(|s| s > last) {
        return;
    }
    // More loops in each other would make a wave.
    for clause in own.iter_mut().flat_map(|d| &mut d.directive.clauses) {
        let ClauseKind::Other { name, text } = &mut clause.kind else { continue };
        if name == "ordered" && text.as_ref().is_some_and(|t| t.trim() == "1") {
            *text = None;
            clause.text = "ordered".to_string();
        }
    }
    let Ok(directive) = parse(Sentinel::Omp, "ordered", block[first].origin.span()) else { return };
    let mut rest = block.split_off(first);
    let behind = rest.split_off(last - first + 1);
    let from = rest.remove(0);
    rest.retain(|s| !(waits(s, "sink") || waits(s, "source")));
    let kind = StmtKind::Directive { directive, names: Vec::new(), body: Some(rest) };
    block.push(cx.changed(from, kind));
    block.extend(behind);
}

/// True for `ordered` with a clause of such a word.
fn waits(s: &Stmt, word: &str) -> bool {
    let StmtKind::Directive { directive, body: None, .. } = &s.kind else { return false };
    let clause = |text: &str| {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
        ["depend(", "doacross("].iter().any(|c| text.strip_prefix(c).is_some_and(|t| t.starts_with(word)))
    };
    directive.omp() == Some(&OmpConstruct::Ordered) && directive.clauses.iter().any(|c| clause(&c.text))
}
