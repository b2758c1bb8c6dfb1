//! The vocabulary: terms of the field, and no words of our own for what has a term.

use super::tokens::Token;

/// What isn't said in strings and in documents, and what is said instead.
const PHRASES: &[(&str, &str)] = &[
    ("computed again", "recomputed"),
    ("computes again", "recomputes"),
    ("compute again", "recompute"),
    ("put back", "restored"),
    ("puts back", "restores"),
    ("take turns", "double buffering"),
    ("in turns", "double buffering"),
];

/// Parts of names that stand for the same.
const PARTS: &[(&str, &str)] = &[
    ("turns", "double buffering"),
    ("tame", "what is meant: small, freed inside"),
    ("strips", "ends, blocks"),
    ("put_back", "restore"),
    ("computed_again", "recompute"),
];

/// Such phrases in a text, with what is said instead.
pub(super) fn phrases(text: &str) -> Vec<String> {
    let flat = text.to_ascii_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    let found = PHRASES.iter().filter(|(p, _)| flat.contains(p));
    found.map(|(p, instead)| format!("`{p}` for {instead}")).collect()
}

/// Such words in the strings and names of a source.
pub(super) fn words(tokens: &[Token<'_>]) -> Vec<String> {
    let mut out = Vec::new();
    for token in tokens {
        if !token.is_word() {
            out.extend(phrases(token.text));
            continue;
        }
        let name = format!("_{}_", token.text.to_ascii_lowercase());
        let found = PARTS.iter().filter(|(p, _)| name.contains(&format!("_{p}_")));
        out.extend(found.map(|(p, instead)| format!("`{p}` in `{}` for {instead}", token.text)));
    }
    out.sort();
    out.dedup();
    out
}
