//! Input and output: kept as text, with what it uses and defines.

use super::{Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::ir::{Base, DataKind, Expr, IoItems, StmtKind, SymbolKind};

/// Keywords whose variable the statement defines; for `inquire` all but these inputs.
const DEFINED: [&str; 6] = ["iostat", "iomsg", "size", "newunit", "id", "err"];
const INQUIRE_INPUT: [&str; 4] = ["unit", "file", "id", "err"];

impl<'t> Lowerer<'t> {
    /// An input/output statement.
    pub(super) fn io(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> StmtKind {
        let kind = match n.kind() {
            Kind::PrintStatement => DataKind::Print,
            Kind::WriteStatement => DataKind::Write,
            Kind::ReadStatement => DataKind::Read,
            _ => DataKind::File,
        };
        let mut items = IoItems::default();
        for c in n.named() {
            match c.kind() {
                Kind::UnitIdentifier => self.unit(ctx, c, kind, &mut items),
                Kind::FormatIdentifier => match c.named().next() {
                    Some(f) if self.is_namelist(ctx, f) => self.namelist(ctx, f, kind, &mut items),
                    _ => self.uses(ctx, c, &mut items),
                },
                Kind::KeywordArgument => self.control(ctx, c, n, kind, &mut items),
                Kind::OutputItemList if n.kind() != Kind::InquireStatement => {
                    for item in c.named() {
                        if item.kind() != Kind::ImpliedDo {
                            items.places.push((items.uses.len(), item.place_in(n)));
                        }
                        self.item(ctx, item, false, &mut items);
                    }
                }
                Kind::OutputItemList => self.transfer(ctx, c, true, &mut items),
                Kind::InputItemList => self.transfer(ctx, c, true, &mut items),
                _ => {}
            }
        }
        StmtKind::Io { kind, text: n.text().to_string(), items }
    }

    /// The unit: an internal file is read or written itself.
    fn unit(&mut self, ctx: Ctx<'t>, n: Node<'t>, kind: DataKind, items: &mut IoItems) {
        for e in self.values(ctx, n) {
            let internal = e.ty.base == Base::Character;
            items.internal |= internal;
            if internal && e.as_var().is_some() && kind == DataKind::Write {
                items.defines.push(e)
            } else {
                items.uses.push(e)
            }
        }
    }

    fn uses(&mut self, ctx: Ctx<'t>, n: Node<'t>, items: &mut IoItems) {
        items.uses.extend(self.values(ctx, n));
    }

    fn values(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> Vec<Expr> {
        let mut out = Vec::new();
        for c in n.named() {
            if !matches!(
                c.kind(),
                Kind::NumberLiteral | Kind::StringLiteral | Kind::StatementLabelReference | Kind::AssumedSize
            ) {
                out.push(self.expr(ctx, c));
            }
        }
        out
    }

    fn control(&mut self, ctx: Ctx<'t>, n: Node<'t>, of: Node<'t>, kind: DataKind, items: &mut IoItems) {
        let (Some(name), Some(value)) = (n.field(Field::Name), n.field(Field::Value)) else { return };
        let name = name.lower();
        if name == "nml" {
            return self.namelist(ctx, value, kind, items);
        }
        // Labels, `*` and literals have no variables.
        let skip = matches!(name.as_str(), "err" | "end" | "eor")
            || matches!(
                value.kind(),
                Kind::NumberLiteral | Kind::StringLiteral | Kind::AssumedSize | Kind::AssumedShape
            );
        if skip {
            return;
        }
        let e = self.expr(ctx, value);
        let variable = e.as_var().is_some();
        items.internal |= name == "unit" && e.ty.base == Base::Character;
        let defined = match of.kind() {
            Kind::InquireStatement => !INQUIRE_INPUT.contains(&name.as_str()),
            _ => {
                DEFINED.contains(&name.as_str())
                    || (name == "unit" && kind == DataKind::Write && e.ty.base == Base::Character)
            }
        };
        if defined && variable { items.defines.push(e) } else { items.uses.push(e) }
    }

    fn is_namelist(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> bool {
        let sym = if n.kind() == Kind::Identifier { self.lookup(ctx, &n.lower()) } else { None };
        sym.is_some_and(|s| matches!(&self.program[s].kind, SymbolKind::Other(text) if text.starts_with("namelist ")))
    }

    /// The variables of a namelist group.
    fn namelist(&mut self, ctx: Ctx<'t>, group: Node<'t>, kind: DataKind, items: &mut IoItems) {
        let Some(sym) = self.lookup(ctx, &group.lower()) else { return };
        let scope = self.program[sym].scope;
        let SymbolKind::Other(text) = &self.program[sym].kind else { return };
        let members: Vec<String> =
            text.rsplit('/').next().unwrap_or("").split(',').map(|m| m.trim().to_string()).collect();
        for m in members {
            let Some(s) = self.program.lookup(scope, &m) else { continue };
            let Some(v) = self.program.var(s) else { continue };
            let e = Expr::var(s, v.ty, v.rank());
            if kind == DataKind::Read { items.defines.push(e) } else { items.uses.push(e) }
        }
    }

    fn transfer(&mut self, ctx: Ctx<'t>, n: Node<'t>, input: bool, items: &mut IoItems) {
        for c in n.named() {
            self.item(ctx, c, input, items);
        }
    }

    fn item(&mut self, ctx: Ctx<'t>, n: Node<'t>, input: bool, items: &mut IoItems) {
        if n.kind() != Kind::ImpliedDo {
            let e = self.expr(ctx, n);
            if input && e.as_var().is_some() {
                items.defines.push(e)
            } else {
                items.uses.push(e)
            }
            return;
        }
        if let Some(control) = n.child(Kind::LoopControl)
            && let Some((var, lo, hi, step)) = self.loop_control(ctx, control)
        {
            let ty = self.program.var(var).map_or(crate::ir::Ty::INTEGER, |v| v.ty);
            items.defines.push(Expr::var(var, ty, 0));
            items.uses.extend([lo, hi]);
            items.uses.extend(step);
        }
        for c in n.named().filter(|c| !matches!(c.kind(), Kind::LoopControl | Kind::IntrinsicType)) {
            self.item(ctx, c, input, items);
        }
    }
}
