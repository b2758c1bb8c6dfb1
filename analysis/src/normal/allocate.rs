//! `allocate(a, source=e)` becomes an allocation of the same shape and an assignment, which derivatives understand.

use costate_grammar::ir::{Base, Block, Expr, StmtKind};

use super::context::Cx;

/// Splits sourced allocations.
pub(super) fn run(cx: &mut Cx<'_>, block: Block) -> Block {
    let mut out = Block::new();
    for mut stmt in block {
        for inner in stmt.blocks_mut() {
            *inner = run(cx, std::mem::take(inner));
        }
        let StmtKind::Allocate { items, type_spec, options } = &stmt.kind else {
            out.push(stmt);
            continue;
        };
        let source = options.iter().find(|(n, _)| n.as_str() == "source").map(|(_, e)| e.clone());
        let plain = |e: &Expr| !matches!(e.ty.base, Base::Class(_) | Base::Unlimited | Base::Character);
        let Some(source) = source.filter(|e| plain(e) && items.iter().all(|i| plain(&i.object))) else {
            out.push(stmt);
            continue;
        };
        cx.at(&stmt);
        let mut rest: Vec<_> = options.iter().filter(|(n, _)| n.as_str() != "source").cloned().collect();
        if items.iter().any(|i| i.shape.is_empty()) && source.rank > 0 {
            rest.push(("mold".into(), source.clone()));
        }
        let assigned: Vec<(Expr, u8)> = items.iter().map(|i| (i.object.clone(), i.shape.len() as u8)).collect();
        let kind = StmtKind::Allocate { items: items.clone(), type_spec: type_spec.clone(), options: rest };
        out.push(cx.changed(stmt.clone(), kind));
        for (object, rank) in assigned {
            let rank = object.rank.max(rank);
            let target = Expr { rank, ..object };
            out.push(cx.assign(target, source.clone()));
        }
    }
    out
}
