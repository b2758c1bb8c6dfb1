//! The syntax tree of one program unit: tree-sitter's, copied into a plain arena. Nothing outside here and `lower` sees it.

mod build;
mod depth;
mod keywords;
mod kinds;
mod names;
mod tokens;

use crate::lines::LogicalLine;
use crate::source::Span;

pub(crate) use build::TreeBuilder;
pub(crate) use depth::Beyond;
use kinds::tables;
pub(crate) use kinds::{Field, Kind};

#[derive(Clone, Debug)]
struct NodeData {
    kind: Kind,
    field: Field,
    start: u32,
    end: u32,
    row: u32,
    end_row: u32,
    first: u32,
    count: u32,
}

/// A line of a tree's text.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Where its statement (without label) starts in the tree's text.
    start: u32,
    /// Index of the logical line in the file; `usize::MAX` for a line that stands for none.
    line: usize,
    /// Where something stands in the statement that isn't the user's, and its length.
    added: Option<(u32, u32)>,
}

/// The syntax tree of one unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    /// The user's text; what the parser got differs from it in the spelling of names only.
    text: String,
    nodes: Vec<NodeData>,
    rows: Vec<Row>,
    /// Children of nodes, as ranges named by `first` and `count`.
    links: Vec<u32>,
    has_error: bool,
    /// Rows of the statements that can't be parsed.
    faults: Vec<u32>,
    /// Statements that nest too deeply, by row, with what does.
    beyond: Vec<(u32, Beyond)>,
}

/// A node whose children are being copied.
struct Open {
    id: u32,
    /// Those so far.
    children: Vec<u32>,
    /// How many constructs it is in, itself included.
    constructs: u32,
    /// How many of them are loops.
    loops: u32,
    /// How many products in a row it ends.
    factors: u32,
}

/// `a*b`, `a/b` or `a**b`.
fn is_product(node: tree_sitter::Node<'_>) -> bool {
    (0..node.child_count()).filter_map(|i| node.child(i)).any(|c| matches!(c.kind(), "*" | "/" | "**"))
}

impl Tree {
    /// Copies the tree at the cursor, which may be very deep, node by node.
    fn copy(&mut self, cursor: &mut tree_sitter::TreeCursor<'_>) {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let id = self.add(cursor);
            let kind = self.nodes[id as usize].kind;
            let (constructs, loops, factors) = open.last().map_or((0, 0, 0), |o| (o.constructs, o.loops, o.factors));
            let constructs = constructs + u32::from(kind.is_construct());
            let loops = loops + u32::from(kind == Kind::DoLoop);
            let factors = if kind == Kind::MathExpression && is_product(cursor.node()) { factors + 1 } else { 0 };
            let depth = open.len() as u32;
            let depths = [
                (Beyond::Loops, loops),
                (Beyond::Constructs, constructs),
                (Beyond::Operations, depth),
                (Beyond::Factors, factors),
            ];
            let beyond = depths.into_iter().find(|(b, depth)| *depth > b.limit()).map(|(b, _)| b);
            if let Some(at) =
                beyond.map(|b| (self.nodes[id as usize].row, b)).filter(|at| self.beyond.last() != Some(at))
            {
                self.beyond.push(at);
            }
            open.push(Open { id, children: Vec::new(), constructs, loops, factors });
            if beyond.is_none() && cursor.goto_first_child() {
                continue;
            }
            loop {
                let Some(Open { id, children, .. }) = open.pop() else { return };
                let node = &mut self.nodes[id as usize];
                node.first = self.links.len() as u32;
                node.count = children.len() as u32;
                self.links.extend(children);
                let Some(parent) = open.last_mut() else { return };
                parent.children.push(id);
                if cursor.goto_next_sibling() {
                    break;
                }
                cursor.goto_parent();
            }
        }
    }

    /// Adds the node at the cursor, without its children.
    fn add(&mut self, cursor: &tree_sitter::TreeCursor<'_>) -> u32 {
        let node = cursor.node();
        let kind = if node.is_error() {
            Kind::Error
        } else if node.is_missing() {
            Kind::Missing
        } else {
            tables().kinds.get(usize::from(node.kind_id())).copied().unwrap_or(Kind::Unknown)
        };
        let field = cursor.field_id().and_then(|f| tables().fields.get(usize::from(f.get())).copied());
        self.nodes.push(NodeData {
            kind,
            field: field.unwrap_or(Field::Other),
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            row: node.start_position().row as u32,
            end_row: node.end_position().row as u32,
            first: 0,
            count: 0,
        });
        self.nodes.len() as u32 - 1
    }

    /// The root, unless nothing was parsed.
    pub(crate) fn root(&self) -> Option<Node<'_>> {
        (!self.nodes.is_empty()).then_some(Node { tree: self, id: 0 })
    }

    /// Does it contain ERROR or MISSING nodes?
    pub(crate) fn has_error(&self) -> bool {
        self.has_error
    }

    /// Does something in it nest too deeply?
    pub(crate) fn is_beyond(&self) -> bool {
        !self.beyond.is_empty()
    }

    /// The places that nest too deeply, with the limits: one of each limit, and the first of it.
    pub(crate) fn beyond(&self, lines: &[LogicalLine]) -> Vec<(Span, Beyond)> {
        let mut out: Vec<(Span, Beyond)> = Vec::new();
        for (row, b) in &self.beyond {
            if !out.iter().any(|(_, known)| known == b) {
                let start = self.rows.get(*row as usize).map_or(0, |r| r.start);
                out.push((self.span(lines, *row, start, start + 1), *b));
            }
        }
        out
    }

    /// The statements that can't be parsed: their places, and their texts as far as they are worth showing.
    pub(crate) fn faults(&self, lines: &[LogicalLine]) -> Vec<(Span, &str)> {
        let at = |row: &u32| {
            let start = self.rows.get(*row as usize)?.start;
            let length = self.row_rest(*row, start);
            let text = self.text.get(start as usize..start as usize + length)?;
            Some((self.span(lines, *row, start, start + length as u32), text))
        };
        self.faults.iter().filter_map(at).collect()
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    tree: &'t Tree,
    id: u32,
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} `{}`", self.kind(), self.text())
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && std::ptr::eq(self.tree, other.tree)
    }
}

impl<'t> Node<'t> {
    fn data(self) -> &'t NodeData {
        &self.tree.nodes[self.id as usize]
    }

    /// Its kind.
    pub(crate) fn kind(self) -> Kind {
        self.data().kind
    }

    /// True for a keyword or punctuation.
    pub(crate) fn is_token(self) -> bool {
        self.kind() == Kind::Token
    }

    /// True for the keyword or punctuation `text`.
    pub(crate) fn is(self, text: &str) -> bool {
        self.is_token() && self.text().eq_ignore_ascii_case(text)
    }

    /// The field through which its parent holds it.
    pub(crate) fn field_of(self) -> Field {
        self.data().field
    }

    /// Its text.
    pub(crate) fn text(self) -> &'t str {
        let d = self.data();
        self.tree.text.get(d.start as usize..d.end as usize).unwrap_or("").trim_end()
    }

    /// Where its text stands in that of a node around it.
    pub(crate) fn place_in(self, outer: Node<'_>) -> std::ops::Range<usize> {
        let start = self.data().start.saturating_sub(outer.data().start) as usize;
        start..start + self.text().len()
    }

    /// Its text in lower case without blanks.
    pub(crate) fn squeezed(self) -> String {
        self.text().chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect()
    }

    /// Its text in lower case.
    pub(crate) fn lower(self) -> String {
        self.text().to_ascii_lowercase()
    }

    /// Its children, comments left out.
    pub(crate) fn children(self) -> impl Iterator<Item = Node<'t>> + Clone {
        let d = self.data();
        let tree = self.tree;
        tree.links[d.first as usize..(d.first + d.count) as usize]
            .iter()
            .map(move |&id| Node { tree, id })
            .filter(|n| n.kind() != Kind::Comment)
    }

    /// Its named children.
    pub(crate) fn named(self) -> impl Iterator<Item = Node<'t>> + Clone {
        self.children().filter(|n| !n.is_token())
    }

    /// Its first child of a kind.
    pub(crate) fn child(self, kind: Kind) -> Option<Node<'t>> {
        self.children().find(|n| n.kind() == kind)
    }

    /// Its first child in a field.
    pub(crate) fn field(self, field: Field) -> Option<Node<'t>> {
        self.children().find(|n| n.field_of() == field)
    }

    /// All its children in a field.
    pub(crate) fn fields(self, field: Field) -> impl Iterator<Item = Node<'t>> + Clone {
        self.children().filter(move |n| n.field_of() == field)
    }

    /// Has it the token `text` among its children?
    pub(crate) fn has_token(self, text: &str) -> bool {
        self.children().any(|n| n.is(text))
    }

    /// Does it stand on one line?
    pub(crate) fn on_one_line(self) -> bool {
        let d = self.data();
        // A node's end may include the end of its line.
        d.end_row == d.row || self.text().len() <= self.tree.row_rest(d.row, d.start)
    }

    /// Index of the logical line it starts on.
    pub(crate) fn line(self) -> usize {
        self.tree.rows.get(self.data().row as usize).map_or(usize::MAX, |r| r.line)
    }

    /// Index of the logical line that it ends on.
    pub(crate) fn last_line(self) -> usize {
        let end = self.data().start + self.text().len().max(1) as u32;
        let row = self.tree.rows.partition_point(|r| r.start < end).max(1) - 1;
        self.tree.rows.get(row).map_or(usize::MAX, |r| r.line)
    }

    /// The user's place of it.
    pub(crate) fn span(self, lines: &[LogicalLine]) -> Span {
        let d = self.data();
        let end = d.start + self.text().len() as u32;
        self.tree.span(lines, d.row, d.start, end)
    }
}

impl Tree {
    /// Bytes from `start` to the end of its line.
    fn row_rest(&self, row: u32, start: u32) -> usize {
        let end = self.text[start as usize..].find('\n').map_or(self.text.len(), |i| i + start as usize);
        let _ = row;
        end - start as usize
    }

    /// The user's place of bytes `start..end`, that begin in row `row`.
    pub(crate) fn span(&self, lines: &[LogicalLine], row: u32, start: u32, end: u32) -> Span {
        let at = |row: usize, from: u32, to: u32| {
            let r = self.rows.get(row)?;
            let line = lines.get(r.line)?;
            let len = line.text.len() as u32;
            let clip = |x: u32| {
                let x = x.saturating_sub(r.start);
                let added = r.added.map_or(0, |(at, length)| x.saturating_sub(at).min(length));
                (x - added).min(len)
            };
            Some(line.span_of(clip(from), clip(to)))
        };
        let row = row as usize;
        let last = self.rows.partition_point(|r| r.start < end.max(start + 1)).max(1) - 1;
        let first = at(row, start, if last == row { end } else { u32::MAX });
        let span = first.unwrap_or_default();
        if last == row { span } else { at(last, 0, end).map_or(span, |s| span.to(s)) }
    }
}
