//! The front end over nasty files: reading, mapping back, splitting; and that no bytes make it panic.

use costate_grammar::diag::render::{Format, render};
use costate_grammar::directives;
use costate_grammar::form::{ReadFile, ReadOptions, read};
use costate_grammar::lines::{Sentinel, TriviaKind};
use costate_grammar::source::SourceMap;
use costate_grammar::units::UnitTree;

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
    assert_eq!(texts(&file), ["program p", "x = a +  b", "y = 'it''s ! no comment'", "call foo(1)", "continue", "end"]);
    assert_eq!(file.lines.lines[4].label, Some(10));
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
}

fn read_cpp(text: &str) -> (SourceMap, ReadFile) {
    let mut source = SourceMap::default();
    let loader = |path: &str| match path {
        "src/defs.h" => {
            Some("#ifndef DEFS\n#define DEFS 1\n#define WP 8\n#endif\n/* C comment\n over lines */\n".to_string())
        }
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
    for part in [
        "`NOPE` isn't defined",
        "isn't complete",
        "`#else` without",
        "`none.h` isn't found",
        "nest too deeply",
        "`#bogus`",
        "#error stop",
        "takes 1 arguments, not 2",
        "aren't closed",
        "without its `#endif`",
    ] {
        assert!(said.iter().any(|m| m.contains(part)), "{part} not in {said:?}");
    }
}

/// A file with about everything that free form allows.
const NASTY: &str = r#"! début: comment in UTF-8
program nasty ; implicit none
	integer :: end, contains(3), i ! trailing
  character(len=*), parameter :: s = 'it''s & ! not; a α comment', t = "a&
     ! a comment between

     &b"
  end = 3; contains(1) = 2;; i = 1 ;
!$omp parallel do private(i, & ! why
!$omp& j) reduction(+: &

!$omp   s)
  do 10 i = 1, &
  & 3
10 contains(i) = i + &
     end
!$ i = omp_get_num_threads()
!dir$ ivdep
!$AD II-LOOP
  call sub&
&routine_(1, '&', "&&", i)
20 format('x', & 
   i5)
contains
  real function f(x); real x; f = x; end function
end program nasty"#;

const NASTY_CPP: &str = r#"/* C comment
 over lines */ 
#include "defs.h"
#define SWAP(a, b) t = a; a = b; b = t
#define LONG(x) x + \
  x /* note */
#if defined(ON) && (TWO >= 2 || NOPE)
module m; contains
subroutine s(x, y) ! don't
  real(WP) :: x, y, t, __LINE__
  SWAP(x, &
#ifdef NOT
    t)
#else
    & y)
#endif
  SWAP(x, &  ! one
     ! two
       y); x = LONG(y) // 'WP &
       &WP' // WP
!$acc parallel loop vector_length(TWO) &
!$acc   copy(x)
  include 'decl.inc'
end subroutine ; end module
#endif
"#;

/// The sample with the line ends and the byte order mark of another system.
fn nasty() -> String {
    format!("\u{feff}{}", NASTY.replace('\n', "\r\n"))
}

fn read_nasty(text: &str, cpp: bool) -> (SourceMap, ReadFile) {
    if cpp { read_cpp(text) } else { read_text("nasty.f90", text) }
}

#[test]
fn nasty_free_form() {
    let (source, file) = read_text("nasty.f90", &nasty());
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    let got = texts(&file);
    assert_eq!(got[3], "character(len=*), parameter :: s = 'it''s & ! not; a \u{3b1} comment', t = \"ab\"");
    assert_eq!(&got[4..7], ["end = 3", "contains(1) = 2", "i = 1"]);
    assert_eq!(got[8], "contains(i) = i +  end");
    assert_eq!(got[10], "call subroutine_(1, '&', \"&&\", i)");
    assert_eq!((file.lines.lines[8].label, file.lines.lines[11].label), (Some(10), Some(20)));
    let kinds: Vec<_> = file.lines.trivia.iter().map(|t| (&t.kind, t.text.as_str(), t.before, t.trailing)).collect();
    let omp = kinds.iter().position(|k| k.1 == "parallel do private(i,  j) reduction(+: s)").expect("joined");
    assert_eq!(*kinds[omp].0, TriviaKind::Directive(Sentinel::Omp));
    assert_eq!(source.text(file.lines.trivia[omp].span).lines().count(), 4);
    assert_eq!(kinds[1], (&TriviaKind::Comment, "! trailing", 3, true));
    assert!(kinds.iter().any(|k| *k.0 == TriviaKind::Directive(Sentinel::Ad) && k.1 == "II-LOOP"));
    assert!(kinds.iter().any(|k| *k.0 == TriviaKind::Directive(Sentinel::Vendor) && k.1 == "!dir$ ivdep"));
    assert_eq!(got.iter().filter(|t| **t == "i = omp_get_num_threads()").count(), 1);
    assert_eq!(file.lines.lines.iter().filter(|l| l.conditional).count(), 1);
    assert_eq!(file.units.len(), 1);
    assert_eq!((file.units[0].name.as_str(), file.units[0].children[0].name.as_str()), ("nasty", "f"));
}

#[test]
fn calls_of_macros_over_lines() {
    let text = NASTY_CPP.replace("  SWAP(x, &\n#ifdef NOT\n    t)\n#else\n    & y)\n#endif\n", "");
    let (_, file) = read_cpp(&text);
    assert!(file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    let got = texts(&file);
    assert_eq!(&got[4..8], ["t = x", "x = y", "y = t", "x = y +    y // 'WP WP' // 8"]);
    let words: Vec<_> = file.lines.trivia.iter().map(|t| t.text.as_str()).collect();
    for part in ["! one", "! two", "! don't", "parallel loop vector_length(2) copy(x)", "! note"] {
        assert!(words.contains(&part), "{part} not in {words:?}");
    }
}

/// What holds for every file, however broken.
fn check(source: &SourceMap, file: &ReadFile) {
    for line in &file.lines.lines {
        let text = line.text.as_str();
        assert!(!text.is_empty() && !line.segments.is_empty());
        assert_eq!(line.segments[0].offset, 0);
        for (i, s) in line.segments.iter().enumerate() {
            let end = line.segments.get(i + 1).map_or(text.len(), |n| n.offset as usize);
            assert!((s.offset as usize) < end, "{line:?}");
            if s.verbatim {
                assert_eq!(source.text(s.span), &text[s.offset as usize..end], "{line:?}");
            }
        }
        assert!(line.span.start <= line.span.end);
        line.span_of(0, text.len() as u32);
    }
    let mut before = 0;
    for t in &file.lines.trivia {
        assert!(t.before >= before && t.before <= file.lines.lines.len());
        before = t.before;
    }
    fn nested(units: &[UnitTree], n: usize) {
        for u in units {
            assert!(u.body.start <= u.body.end && u.body.end <= n && u.end < n, "{u:?}");
            nested(&u.children, n);
        }
    }
    nested(&file.units, file.lines.lines.len());
    for t in &file.lines.trivia {
        if let TriviaKind::Directive(s) = t.kind {
            let _ = directives::parse(s, &t.text, t.span);
        }
    }
    for format in [Format::Human, Format::Json] {
        render(&file.diagnostics, source, format, false);
    }
}

#[test]
fn verbatim_segments_reconstruct_the_user_s_text() {
    for (text, cpp) in [(nasty().as_str(), false), (NASTY_CPP, true), (NASTY, true)] {
        let (source, file) = read_nasty(text, cpp);
        check(&source, &file);
    }
}

#[test]
fn no_bytes_cause_a_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n.max(1) as u64) as usize
    };
    const BYTES: &[u8] = b"&&&!'\"\n\r;#()\\$ 1/*\tae\xc3\xa9\0=:,ABWPSWAP";
    for round in 0..4000 {
        let (text, cpp) = if round % 2 == 0 { (nasty(), round % 4 == 0) } else { (NASTY_CPP.to_string(), true) };
        let mut bytes = text.into_bytes();
        for _ in 0..=next(6) {
            let at = next(bytes.len());
            match next(4) {
                0 => bytes[at] = BYTES[next(BYTES.len())],
                1 => bytes.insert(at, BYTES[next(BYTES.len())]),
                2 => drop(bytes.drain(at..(at + next(20)).min(bytes.len()))),
                _ => {
                    let to = (at + next(60)).min(bytes.len());
                    let copy = bytes[at..to].to_vec();
                    let place = next(bytes.len());
                    bytes.splice(place..place, copy);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (source, file) = read_nasty(&text, cpp);
        check(&source, &file);
    }
}

#[test]
fn reading_time_grows_with_length_only() {
    // The promise is well under a second for 100,000 lines; debug builds and busy machines get a margin.
    let mut text = String::from("#define WP 8\nsubroutine s\n");
    for i in 0..50_000 {
        text.push_str(&format!("  x({i}) = a(i)*b(j) + 'str' // c_{i} & ! why\n     & + 2.0_WP*WP\n"));
    }
    text.push_str("end\n");
    for path in ["a.f90", "a.F90"] {
        let start = std::time::Instant::now();
        let (_, file) = read_text(path, &text);
        println!("{path}: {:?}", start.elapsed());
        assert_eq!(file.lines.lines.len(), 50_002);
        assert!(start.elapsed().as_secs() < 10);
    }
}
