//! The names that a specification statement lists, as its text has them: `real(8) :: a(3), b`, `dimension a(3)`, `save a`.

/// What a statement lists, after what stands before it.
pub(super) struct List {
    prefix: String,
    /// Names in lower case, and the text of each.
    items: Vec<(String, String)>,
}

impl List {
    /// The list of a statement that declares variables, or gives them an attribute; `None` for other statements.
    pub(super) fn of(text: &str) -> Option<List> {
        let text = text.trim();
        let body = parts(text, "::").get(1).map_or(0, |second| text.len() - second.len());
        let mut prefix = text[..body].to_string();
        let mut items = Vec::new();
        for part in parts(&text[body..], ",") {
            let mut part = part.trim();
            if items.is_empty() && body == 0 {
                let at = last_word(part)?;
                prefix = part[..at].to_string();
                part = &part[at..];
            }
            let end = part.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(part.len());
            items.push((part[..end].to_ascii_lowercase(), part.to_string()));
        }
        let first = prefix.trim_start().to_ascii_lowercase();
        let known = KEYWORDS.iter().any(|k| first.starts_with(k));
        (known && items.iter().all(|(name, _)| !name.is_empty())).then_some(List { prefix, items })
    }

    pub(super) fn lists(&self, name: &str) -> bool {
        self.items.iter().any(|(n, _)| n == name)
    }

    /// The statement without some names; nothing where no name is left.
    pub(super) fn without(&self, names: &[&str]) -> Option<String> {
        let left: Vec<&str> =
            self.items.iter().filter(|(n, _)| !names.contains(&n.as_str())).map(|(_, text)| text.as_str()).collect();
        let blank = if self.prefix.ends_with(' ') { "" } else { " " };
        (!left.is_empty()).then(|| format!("{}{blank}{}", self.prefix, left.join(", ")))
    }
}

/// What statements begin with whose lists can be shortened.
const KEYWORDS: [&str; 14] = [
    "real",
    "integer",
    "logical",
    "complex",
    "character",
    "double",
    "type",
    "class",
    "save",
    "dimension",
    "target",
    "pointer",
    "allocatable",
    "volatile",
];

/// The text between separators that stand outside of parentheses, texts and lists of values between slashes.
fn parts<'t>(text: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut depth, mut quote, mut slashes, mut set) = (0_usize, None, false, false);
    let (mut out, mut from) = (Vec::new(), 0);
    for (i, c) in text.char_indices() {
        match (quote, c) {
            (Some(q), _) => {
                if c == q {
                    quote = None;
                }
                continue;
            }
            (None, '\'' | '"') => quote = Some(c),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth = depth.saturating_sub(1),
            // A slash after an equals sign divides.
            (None, '/') if depth == 0 && !set => slashes = !slashes,
            (None, '=') if depth == 0 => set = true,
            _ => {}
        }
        if depth == 0 && !slashes && i >= from && text[i..].starts_with(separator) {
            out.push(&text[from..i]);
            from = i + separator.len();
            set = false;
        }
    }
    out.push(&text[from..]);
    out
}

/// Where the last word outside of parentheses begins, before any value.
fn last_word(part: &str) -> Option<usize> {
    let (mut depth, mut inside, mut last) = (0_usize, false, None);
    for (i, c) in part.char_indices() {
        match c {
            '=' | '/' if depth == 0 => break,
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let word = c.is_ascii_alphanumeric() || c == '_';
        if word && !inside && depth == 0 && c.is_ascii_alphabetic() {
            last = Some(i);
        }
        inside = word;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::List;

    fn without(text: &str, names: &[&str]) -> Option<String> {
        List::of(text).and_then(|l| l.without(names))
    }

    #[test]
    fn names_leave_a_list_and_the_rest_stays_as_it_is_written() {
        let left = |text, names: &[&str]| without(text, names).unwrap_or_default();
        assert_eq!(left("real(8) :: x(2), y, sgn", &["sgn"]), "real(8) :: x(2), y");
        assert_eq!(left("REAL*8 X(2,3), Sgn /1d0/, k(2) /1d0, 2d0/", &["x", "k"]), "REAL*8 Sgn /1d0/");
        assert_eq!(left("real(8), save :: a = 1d0/3, b = f(1, 2), c", &["b"]), "real(8), save :: a = 1d0/3, c");
        assert_eq!(left("character*4 s*8, t", &["s"]), "character*4 t");
        assert_eq!(left("character(2) :: s = 'a,', t = \",b\"", &["s"]), "character(2) :: t = \",b\"");
        assert_eq!(left("dimension x(2), t(3)", &["t"]), "dimension x(2)");
        assert_eq!(without("save a, b", &["a", "b"]), None);
    }

    #[test]
    fn other_statements_are_no_lists() {
        for text in ["common /a/ b, c", "namelist /n/ a, b", "data a, b /1, 2/", "equivalence (a, b)", "intent(in) a"] {
            assert!(List::of(text).is_none(), "{text}");
        }
    }
}
