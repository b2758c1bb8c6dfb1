//! Smaller programs that may fail in the same way.

use super::program::{HeadKind, RandomProgram};
use super::syntax::{Node, Statement};

/// Programs that are one step smaller, largest steps first.
pub fn smaller(p: &RandomProgram) -> Vec<RandomProgram> {
    let mut out = Vec::new();
    for (i, procedure) in p.procedures.iter().enumerate() {
        for body in blocks(&procedure.body) {
            let mut q = p.clone();
            q.procedures[i].body = body;
            out.push(q);
        }
    }
    if p.kind != HeadKind::Plain {
        // Intents stay as they are: a variable that is no longer differentiated stays inout.
        let mut q = p.clone();
        q.kind = HeadKind::Plain;
        q.procedures[0].dummies[1] = "real(8), intent(in) :: x(n)".to_string();
        q.procedures[0].dummies[2] = "real(8), intent(out) :: y(n)".to_string();
        q.procedures[0].fixed.push("y = 0.7d0*x".to_string());
        out.push(q);
    }
    let size = p.size();
    out.retain(|q| q.size() < size || q.kind != p.kind);
    out.sort_by_key(RandomProgram::size);
    out.dedup();
    out
}

fn with(block: &[Statement], i: usize, new: Vec<Statement>) -> Vec<Statement> {
    let mut out = block[..i].to_vec();
    out.extend(new);
    out.extend_from_slice(&block[i + 1..]);
    out
}

fn blocks(block: &[Statement]) -> Vec<Vec<Statement>> {
    let mut out = Vec::new();
    let half = block.len() / 2;
    if half > 1 {
        let kept = |part: &[Statement]| part.iter().filter(|s| matches!(s, Statement::Kept(_))).cloned().collect();
        let (first, last): (Vec<Statement>, Vec<Statement>) = (kept(&block[..half]), kept(&block[half..]));
        out.push([&first, &block[half..]].concat());
        out.push([&block[..half], &last].concat());
    }
    for (i, s) in block.iter().enumerate() {
        out.push(with(block, i, Vec::new()));
        match s {
            Statement::Kept(_) => {
                out.pop();
            }
            Statement::Together { parts, end } => {
                for (k, part) in parts.iter().enumerate() {
                    for body in blocks(&part.body) {
                        let mut changed = parts.clone();
                        changed[k].body = body;
                        out.push(with(block, i, vec![Statement::Together { parts: changed, end: end.clone() }]));
                    }
                }
            }
            Statement::Line(e) => out.extend(nodes(e).into_iter().map(|n| with(block, i, vec![Statement::Line(n)]))),
            Statement::Construct { before, parts, end, open } => {
                for (k, part) in parts.iter().enumerate() {
                    if *open {
                        out.push(with(block, i, part.body.clone()));
                    }
                    let remake =
                        |parts| Statement::Construct { before: before.clone(), parts, end: end.clone(), open: *open };
                    if k > 0 {
                        let mut fewer = parts.clone();
                        fewer.remove(k);
                        out.push(with(block, i, vec![remake(fewer)]));
                    }
                    let mut change = |f: &dyn Fn(&mut super::syntax::Part)| {
                        let mut changed = parts.clone();
                        f(&mut changed[k]);
                        out.push(with(block, i, vec![remake(changed)]));
                    };
                    for body in blocks(&part.body) {
                        change(&|p| p.body = body.clone());
                    }
                    for head in nodes(&part.head) {
                        change(&|p| p.head = head.clone());
                    }
                }
            }
        }
    }
    out
}

fn nodes(e: &Node) -> Vec<Node> {
    let mut out = Vec::new();
    if e.replaceable {
        out.extend(e.operands.iter().cloned());
    }
    for (i, o) in e.operands.iter().enumerate() {
        for smaller in nodes(o) {
            let mut new = e.clone();
            new.operands[i] = smaller;
            out.push(new);
        }
    }
    out
}
