//! Interface blocks.

use super::layout::Lines;
use super::names::Cx;

/// Opens an interface block: `None` for nothing to open, else whether it is abstract.
pub(super) fn open(cx: &Cx<'_>, lines: &mut Lines<'_>, kind: Option<bool>) {
    if let Some(is_abstract) = kind {
        lines.line(&cx.kw(if is_abstract { "abstract interface" } else { "interface" }));
        lines.indent();
    }
}

/// Closes what [`open`] opened.
pub(super) fn close(cx: &Cx<'_>, lines: &mut Lines<'_>, kind: Option<bool>) {
    if kind.is_some() {
        lines.dedent();
        lines.line(&cx.end_unit("interface"));
    }
}
