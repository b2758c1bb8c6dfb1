//! Lines of free-form Fortran, indented and continued.

/// Collects lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Writer {
    out: String,
    depth: usize,
}

/// Where a line is broken.
const WIDTH: usize = 110;

impl Writer {
    pub(super) fn at_depth(depth: usize) -> Writer {
        Writer { out: String::new(), depth }
    }

    /// A line; a long one is continued after a comma, before a condition, or after one.
    pub(super) fn line(&mut self, text: &str) {
        let mut rest = text;
        let mut indent = 2 * self.depth;
        while rest.len() > WIDTH {
            let comma = |at: usize| at + 1;
            let near = rest[..WIDTH].rfind(", ").map(comma).or_else(|| rest[..WIDTH].rfind(" .and. "));
            let after = || rest[..WIDTH].rfind(") ").map(comma);
            let Some(cut) = near.or_else(after).or_else(|| rest.find(", ").map(comma)) else { break };
            self.push(indent, &format!("{} &", &rest[..cut]));
            rest = rest[cut..].trim_start();
            indent = 2 * self.depth + 4;
        }
        self.push(indent, rest);
    }

    fn push(&mut self, indent: usize, text: &str) {
        self.out.push_str(&" ".repeat(indent));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Opens a construct.
    pub(super) fn open(&mut self, text: &str) {
        self.line(text);
        self.depth += 1;
    }

    /// Closes it.
    pub(super) fn close(&mut self, text: &str) {
        self.depth = self.depth.saturating_sub(1);
        self.line(text);
    }

    pub(super) fn finish(self) -> String {
        self.out
    }
}
