//! How deeply code may nest.

/// A limit on how deeply code may nest. Everything after the parser follows the tree recursively, and some of it goes
/// over the inside of a construct once for each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// Brackets in a statement.
    Brackets,
    /// Constructs: `if`, `do`, `block` and their like.
    Constructs,
    /// Loops among them, which what is found out of the inside goes through several times.
    Loops,
    /// Operations in a chain: terms of a sum, say.
    Operations,
    /// Products, quotients and powers in a chain: the derivative of each factor names all others.
    Factors,
}

impl Beyond {
    /// How deep is deep enough.
    pub(crate) const fn limit(self) -> u32 {
        match self {
            Beyond::Brackets => 1000,
            Beyond::Constructs => 500,
            Beyond::Loops => 64,
            Beyond::Operations => 20_000,
            Beyond::Factors => 500,
        }
    }

    /// What is said of it.
    pub(crate) fn message(self) -> String {
        let limit = self.limit();
        match self {
            Beyond::Brackets => format!("more than {limit} parentheses are open in this statement"),
            Beyond::Constructs => format!("more than {limit} constructs are nested here"),
            Beyond::Loops => format!("more than {limit} loops are nested here"),
            Beyond::Operations => format!("an expression has more than {limit} operations in a row"),
            Beyond::Factors => format!("an expression has more than {limit} products, quotients or powers in a row"),
        }
    }

    /// The way out.
    pub(crate) fn help(self) -> &'static str {
        match self {
            Beyond::Brackets | Beyond::Operations | Beyond::Factors => "divide the expression among several statements",
            Beyond::Constructs | Beyond::Loops => "move inner constructs to a procedure of their own",
        }
    }
}

/// The most brackets that are open at a time in a statement.
pub(super) fn brackets(text: &str) -> u32 {
    let (mut depth, mut most, mut quote) = (0u32, 0, None);
    for b in text.bytes() {
        match (quote, b) {
            (Some(q), _) if b == q => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(b),
            (None, b'(' | b'[') => {
                depth += 1;
                most = most.max(depth);
            }
            (None, b')' | b']') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::super::TreeBuilder;
    use super::*;

    #[test]
    fn depth_is_limited() {
        let found = |text: &str| {
            let mut b = TreeBuilder::default();
            text.lines().enumerate().for_each(|(i, line)| b.push_text(i, line));
            b.parse().beyond
        };
        let program = |body: &str| format!("subroutine s\n{body}end subroutine s\n");
        let nested = |n: usize| program(&format!("x = {}y{}\n", "(".repeat(n), ")".repeat(n)));
        assert_eq!(found(&nested(1000)), []);
        assert_eq!(found(&nested(1001)), [(1, Beyond::Brackets)]);
        assert_eq!(found(&program(&format!("x = '{}'\n", "(".repeat(2000)))), []);
        let blocks = |n: usize| program(&format!("{}{}", "block\n".repeat(n), "end block\n".repeat(n)));
        assert_eq!(found(&blocks(500)), []);
        assert_eq!(found(&blocks(501)), [(501, Beyond::Constructs)]);
        let loops = |n: usize| program(&format!("{}{}", "do\nif (c) then\n".repeat(n), "end if\nend do\n".repeat(n)));
        assert_eq!(found(&loops(64)), []);
        assert_eq!(found(&loops(65)), [(129, Beyond::Loops)]);
        let sum = |n: usize| program(&format!("x = y{}\n", " + y".repeat(n)));
        assert_eq!(found(&sum(15_000)), []);
        assert_eq!(found(&sum(100_000)), [(1, Beyond::Operations)]);
        let product = |n: usize| program(&format!("x = {}y\n", "y * ".repeat(n)));
        assert_eq!(found(&product(400)), []);
        assert_eq!(found(&product(600)), [(1, Beyond::Factors)]);
    }
}
