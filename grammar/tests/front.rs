//! The front end over nasty files: reading, mapping back, splitting; and that no bytes make it panic.

use costate_grammar::form::{ReadFile, ReadOptions, read};
use costate_grammar::source::SourceMap;

fn read_text(path: &str, text: &str) -> (SourceMap, ReadFile) {
    let mut source = SourceMap::default();
    let file = read(&mut source, path, text.to_string(), &ReadOptions::default());
    (source, file)
}

fn texts(file: &ReadFile) -> Vec<&str> {
    file.lines.lines.iter().map(|l| l.text.as_str()).collect()
}

#[test]
fn continuation_joins_tokens_strings_and_statements() {
    let text = "program p; x = a + & ! why\n  ! own line\n\n   b; y = 'it''&\n  &s ! no comment' ; call fo&\n&o(1) ! yes\n10 continue\nend";
    let (_, file) = read_text("a.f90", text);
    assert_eq!(
        texts(&file),
        ["program p", "x = a +  b", "y = 'it''s ! no comment'", "call foo(1)", "continue", "end"]
    );
    assert_eq!(file.lines.lines[4].label, Some(10));
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
}
