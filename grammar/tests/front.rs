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

fn read_cpp(text: &str) -> (SourceMap, ReadFile) {
    let mut source = SourceMap::default();
    let loader = |path: &str| match path {
        "src/defs.h" => Some("#ifndef DEFS\n#define DEFS 1\n#define WP 8\n#endif\n/* C comment\n over lines */\n".to_string()),
        "inc/decl.inc" => Some("integer :: from_include ! note\n".to_string()),
        "src/self.h" => Some("#include \"self.h\"\n#include \"self.h\"\n".to_string()),
        _ => None,
    };
    let opts = ReadOptions {
        defines: vec![("ON".into(), None), ("TWO".into(), Some("2".into())), ("OFF".into(), None)],
        undefines: vec!["OFF".into()],
        include_dirs: vec!["inc".into()],
        loader: &loader,
        ..ReadOptions::default()
    };
    let file = read(&mut source, "src/a.F90", text.to_string(), &opts);
    (source, file)
}

#[test]
fn macros_conditionals_and_includes() {
    let text = "\
#include \"defs.h\"
#define SQ(x) ((x)*(x))
#define CAT(a,b) a/**/b
#define PASTE(a,b) a ## _ ## b
#define STR(s) \"s\"
#define ALIAS SQ
program p
include 'decl.inc'
real(WP) :: a, b(WP) ! WP here stays
print *, 'WP', \"it's WP\", STR(a b), 1_WP, 1.WP
a = SQ(a + TWO) // CAT(x,y) + PASTE(x,y) + ALIAS(3) + SQ
b = SQ(a + & ! first
       & 1 ) &
#ifdef ON
    + 1
#else
    + 2
#endif
#if defined(OFF) || !defined ON
a = 0
#elif TWO*3 == 6 && (TWO << 2) > 7 && ON
a = __LINE__
#else
a = 1
#endif
!$omp parallel do num_threads(TWO) ! TWO
end program p
";
    let (source, file) = read_cpp(text);
    assert_eq!(
        texts(&file),
        [
            "program p",
            "integer :: from_include",
            "real(8) :: a, b(8)",
            "print *, 'WP', \"it's WP\", \"a b\", 1_WP, 1.8",
            "a = ((a + 2)*(a + 2)) // xy + x_y + ((3)*(3)) + SQ",
            "b = ((a +  1)*(a +  1))  + 1",
            "a = 22",
            "end program p",
        ]
    );
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    let omp = file.lines.trivia.iter().find(|t| t.text.contains("num_threads")).expect("kept");
    assert_eq!(omp.text, "parallel do num_threads(2)");
    let line = &file.lines.lines[2];
    assert_eq!(source.text(line.position(5)), "WP");
    assert!(file.lines.trivia.iter().any(|t| t.text == "! first"));
}

#[test]
fn preprocessor_errors_are_reported() {
    let text = "#if NOPE > 1\n#endif\n#if 1 +\n#endif\n#else\n#include \"none.h\"\n#include \"self.h\"\n#bogus\n#error stop\n\
                #define A B B\n#define B A A\nx = A\n#define F(x) x\ny = F(1,2)\nz = F(1\n#if 1\n";
    let (_, file) = read_cpp(text);
    let said: Vec<&str> = file.diagnostics.iter().map(|d| d.message.as_str()).collect();
    for part in ["`NOPE` isn't defined", "isn't complete", "`#else` without", "`none.h` isn't found", "nest too deeply",
        "`#bogus`", "#error stop", "takes 1 arguments, not 2", "aren't closed", "without its `#endif`"]
    {
        assert!(said.iter().any(|m| m.contains(part)), "{part} not in {said:?}");
    }
}
