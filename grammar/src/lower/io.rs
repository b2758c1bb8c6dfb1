//! Input and output: kept as text, with what it uses and defines.

use std::ops::Range;

use super::{Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::intrinsics::Intrinsic;
use crate::ir::{Base, DataKind, Expr, IfArm, IoItems, Origin, StmtKind, SymbolKind, Ty};
use crate::operators::BinaryOp;

/// Keywords whose variable the statement defines; for `inquire` all but these inputs.
const DEFINED: [&str; 6] = ["iostat", "iomsg", "size", "newunit", "id", "err"];
const INQUIRE_INPUT: [&str; 4] = ["unit", "file", "id", "err"];

/// What the control list of a statement says beside what it touches.
#[derive(Default)]
struct Control {
    /// Places in the text and what is to stand there.
    edits: Vec<(Range<usize>, String)>,
    /// `err=`, `end=` and `eor=` with their labels and places.
    labels: Vec<(String, u32, Range<usize>)>,
    /// What `iostat=` names.
    status: Option<Expr>,
}

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
        let mut list = Control::default();
        for c in n.named() {
            match c.kind() {
                Kind::UnitIdentifier => self.unit(ctx, c, kind, &mut items),
                Kind::FormatIdentifier => match c.named().next() {
                    Some(f) if self.is_namelist(ctx, f) => self.namelist(ctx, f, kind, &mut items),
                    Some(f) if self.format_of(f, n, &mut list) => {}
                    _ => self.uses(ctx, c, &mut items),
                },
                Kind::KeywordArgument => self.control(ctx, c, n, kind, (&mut items, &mut list)),
                // The list of `inquire(iolength=...)` is one of output too.
                Kind::OutputItemList => {
                    for item in c.named() {
                        if item.kind() != Kind::ImpliedDo {
                            items.places.push((items.uses.len(), item.place_in(n)));
                        }
                        self.item(ctx, item, false, &mut items);
                    }
                }
                Kind::InputItemList => self.transfer(ctx, c, true, &mut items),
                _ => {}
            }
        }
        let text = self.finished(ctx, n, kind, &mut items, list);
        StmtKind::Io { kind, text, items }
    }

    /// The constant takes the place of a format's label.
    fn format_of(&self, label: Node<'t>, of: Node<'t>, list: &mut Control) -> bool {
        let constant = label.text().parse().ok().and_then(|l: u32| self.formats.get(&l));
        list.edits.extend(constant.map(|c| (label.place_in(of), c.clone())));
        constant.is_some()
    }

    /// The text without labels. Where there were labels, what becomes of the statement is asked afterwards.
    fn finished(
        &mut self,
        ctx: Ctx<'t>,
        n: Node<'t>,
        kind: DataKind,
        items: &mut IoItems,
        mut list: Control,
    ) -> String {
        let text = n.text();
        if !list.labels.is_empty() {
            let asked = list.status.take();
            let status = asked.clone().unwrap_or_else(|| {
                let sym = self.status_variable(ctx, ctx.span(n));
                Expr::var(sym, Ty::INTEGER, 0)
            });
            for (at, (_, _, place)) in list.labels.iter().enumerate() {
                if at == 0 && asked.is_none() {
                    let name = status.as_var().map_or(String::new(), |d| self.program[d.sym].name.to_string());
                    list.edits.push((place.clone(), format!("iostat={name}")));
                } else {
                    list.edits.push((with_comma(text, place.clone()), String::new()));
                }
            }
            if asked.is_none() {
                items.defines.push(status.clone());
            }
            let stops = asked.is_none() && matches!(kind, DataKind::Read | DataKind::Write);
            self.branches(n, Origin::Source(ctx.span(n)), &status, &list.labels, stops);
        }
        let mut out = text.to_string();
        list.edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
        for (place, new) in list.edits {
            let (old, end) = (place.len(), place.end);
            out.replace_range(place, &new);
            let moved = |x: usize| if x >= end { x + new.len() - old } else { x };
            items.places.iter_mut().for_each(|(_, p)| *p = moved(p.start)..moved(p.end));
        }
        out
    }

    /// The jumps after a statement. `stops` says that it ends the program where no label is given for what happened.
    fn branches(
        &mut self,
        n: Node<'t>,
        origin: Origin,
        status: &Expr,
        labels: &[(String, u32, Range<usize>)],
        stops: bool,
    ) {
        let label = |word: &str| labels.iter().find(|l| l.0 == word).map(|l| l.1);
        let compare = |op| Expr::binary(op, status.clone(), Expr::int(0));
        let partial = label("eor").is_some() || n.lower().contains("advance");
        let (end, eor) = (Intrinsic::IsIostatEnd, Intrinsic::IsIostatEor);
        let is = |f| Expr { ty: Ty::LOGICAL, ..Expr::intrinsic(f, vec![status.clone()]) };
        let ends = if partial { is(end) } else { compare(BinaryOp::Lt) };
        let ways = [("err", compare(BinaryOp::Gt)), ("end", ends), ("eor", is(eor))];
        let mut arms = Vec::new();
        for (word, cond) in ways {
            let Some(label) = label(word) else { continue };
            let jump = self.goto(label);
            let body = vec![self.made(jump, origin)];
            arms.push(IfArm { cond, body });
        }
        let known = if partial { 3 } else { 2 };
        if stops && arms.len() < known {
            let stop = StmtKind::Stop { error: true, code: None };
            let body = vec![self.made(stop, origin)];
            arms.push(IfArm { cond: compare(BinaryOp::Ne), body });
        }
        let one_line = arms.len() == 1;
        self.after.push(StmtKind::If { name: None, arms, otherwise: None, one_line });
    }

    /// The unit: an internal file is read or written itself.
    fn unit(&mut self, ctx: Ctx<'t>, n: Node<'t>, kind: DataKind, items: &mut IoItems) {
        for e in self.values(ctx, n) {
            let internal = e.ty.base == Base::Character;
            items.internal |= internal;
            if internal && e.as_var().is_some() && kind == DataKind::Write {
                // The records of an array that aren't written stay as they are.
                items.define(e.clone(), e.rank > 0)
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

    fn control(
        &mut self,
        ctx: Ctx<'t>,
        n: Node<'t>,
        of: Node<'t>,
        kind: DataKind,
        (items, list): (&mut IoItems, &mut Control),
    ) {
        let (Some(name), Some(value)) = (n.field(Field::Name), n.field(Field::Value)) else { return };
        let name = name.lower();
        if name == "nml" {
            return self.namelist(ctx, value, kind, items);
        }
        // Labels, `*` and literals have no variables.
        let jump = matches!(name.as_str(), "err" | "end" | "eor");
        if let (true, Ok(label)) = (jump, value.text().parse()) {
            list.labels.push((name, label, n.place_in(of)));
            return;
        }
        let skip = jump
            || name == "fmt" && self.format_of(value, of, list)
            || matches!(
                value.kind(),
                Kind::NumberLiteral | Kind::StringLiteral | Kind::AssumedSize | Kind::AssumedShape
            );
        if skip {
            return;
        }
        let e = self.expr(ctx, value);
        let variable = e.as_var().is_some();
        if name == "iostat" {
            list.status = Some(e.clone());
        }
        items.internal |= name == "unit" && e.ty.base == Base::Character;
        let defined = match of.kind() {
            Kind::InquireStatement => !INQUIRE_INPUT.contains(&name.as_str()),
            _ => {
                DEFINED.contains(&name.as_str())
                    || (name == "unit" && kind == DataKind::Write && e.ty.base == Base::Character)
            }
        };
        // Without an error there is no message.
        let keeps = name == "iomsg" || e.rank > 0;
        if defined && variable { items.define(e, keeps) } else { items.uses.push(e) }
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

/// An item of a list with the comma before it, or after it where it is the first.
fn with_comma(text: &str, place: Range<usize>) -> Range<usize> {
    let before = text.get(..place.start).map_or("", str::trim_end);
    if before.ends_with(',') {
        return before.len() - 1..place.end;
    }
    let after = text.get(place.end..).unwrap_or("");
    let comma = after.find(',').map_or(0, |at| at + 1);
    place.start..place.end + comma
}
