//! Expressions, statements and subprograms of random programs.

/// An expression: text with expressions in the gaps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// Text before, between and after the operands; one more than there are operands.
    pub text: Vec<String>,
    /// The operands.
    pub operands: Vec<Node>,
    /// Each operand may stand in for the whole expression.
    pub replaceable: bool,
}

impl Node {
    /// Text alone.
    pub fn leaf(text: impl Into<String>) -> Node {
        Node { text: vec![text.into()], operands: Vec::new(), replaceable: false }
    }

    /// A template with `#` for each operand, any of which may stand in for the whole.
    pub fn of(template: &str, operands: Vec<Node>) -> Node {
        let text = template.split('#').map(str::to_string).collect();
        Node { text, operands, replaceable: true }
    }

    /// A template whose operands can't stand in for the whole.
    pub fn fixed(template: &str, operands: Vec<Node>) -> Node {
        Node { replaceable: false, ..Node::of(template, operands) }
    }

    /// The expression as text.
    pub fn print(&self) -> String {
        let mut out = String::new();
        for (i, t) in self.text.iter().enumerate() {
            out.push_str(t);
            if let Some(o) = self.operands.get(i) {
                out.push_str(&o.print());
            }
        }
        out
    }
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Statement {
    /// One line: an assignment, a call, a jump.
    Line(Node),
    /// A line that others rely on.
    Kept(String),
    /// A construct.
    Construct {
        /// Lines before it that belong to it.
        before: Vec<String>,
        /// Its parts: first line and statements.
        parts: Vec<Part>,
        /// Its last line.
        end: String,
        /// The statements of each part make sense without the construct.
        open: bool,
    },
    /// Lines that make sense together only, such as those of a message and of its completion, with statements between.
    Together {
        /// Lines, and statements behind them.
        parts: Vec<Part>,
        /// The last lines.
        end: String,
    },
}

impl Statement {
    /// Texts of one or more lines that belong together, each with what stands behind it, and the last lines.
    pub fn together(parts: Vec<(String, Vec<Statement>)>, end: String) -> Statement {
        let part = |(text, body)| Part { head: Node::leaf(text), fixed: Vec::new(), body };
        Statement::Together { parts: parts.into_iter().map(part).collect(), end }
    }
}

/// A part of a construct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// The line that begins it.
    pub head: Node,
    /// Statements that can't be taken away.
    pub fixed: Vec<String>,
    /// The rest.
    pub body: Vec<Statement>,
}

/// A subprogram.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Procedure {
    /// Its name.
    pub name: String,
    /// The first line.
    pub head: String,
    /// The last line.
    pub end: String,
    /// Declarations of its dummies.
    pub dummies: Vec<String>,
    /// Locals: name, declaration, statement that defines it.
    pub locals: Vec<(String, String, String)>,
    /// Statements that can't be taken away.
    pub fixed: Vec<String>,
    /// The rest.
    pub body: Vec<Statement>,
    /// Internal procedures: name and text.
    pub internal: Vec<(String, String)>,
}

/// A local variable: name, declaration, definition.
pub fn local(name: &str, declaration: &str, definition: &str) -> (String, String, String) {
    (name.to_string(), declaration.to_string(), definition.to_string())
}
