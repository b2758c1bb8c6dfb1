//! The specific procedures of `costate_push` and `costate_pop` differ in type and rank only. Their text is made
//! here and the files in `fortran/` must hold exactly that; `COSTATE_UPDATE=1 cargo test` rewrites them.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// A type that can be pushed: its name in procedure names, its declaration, how a scalar goes to words and back.
struct Kind {
    name: &'static str,
    declaration: &'static str,
    bytes: usize,
    word: &'static str,
    value: &'static str,
}

const fn kind(
    name: &'static str,
    declaration: &'static str,
    bytes: usize,
    word: &'static str,
    value: &'static str,
) -> Kind {
    Kind { name, declaration, bytes, word, value }
}

const KINDS: [Kind; 7] = [
    kind("r4", "real(real32)", 4, "int(transfer(v, 0_int32), int64)", "transfer(int(@, int32), v)"),
    kind("r8", "real(real64)", 8, "transfer(v, 0_int64)", "transfer(@, v)"),
    kind("c4", "complex(real32)", 8, "transfer(v, 0_int64)", "transfer(@, v)"),
    // Two words.
    kind("c8", "complex(real64)", 16, "", ""),
    kind("i4", "integer(int32)", 4, "int(v, int64)", "int(@, int32)"),
    kind("i8", "integer(int64)", 8, "v", "@"),
    kind("l4", "logical", 4, "merge(1_int64, 0_int64, v)", "@ /= 0_int64"),
];

const QUAD_KINDS: [(&str, &str); 2] = [("r16", "real(real128)"), ("c16", "complex(real128)")];

const MAX_RANK: usize = 7;

const VERBS: [(&str, &str); 2] = [("push", "in"), ("pop", "inout")];

fn interface(verb: &str, names: &[&str], ranks: std::ops::RangeInclusive<usize>) -> String {
    let mut text = format!("  interface costate_{verb}\n");
    for name in names {
        let specifics: Vec<_> = ranks.clone().map(|rank| format!("{verb}_{name}_{rank}")).collect();
        let _ = writeln!(text, "    module procedure :: {}", specifics.join(", "));
    }
    let _ = writeln!(text, "  end interface costate_{verb}");
    text
}

/// A whole procedure around the lines of its body.
fn procedure(name: &str, declaration: &str, intent: &str, rank: usize, body: &[String]) -> String {
    let intent = format!("intent({intent})");
    let shape = match rank {
        0 => String::new(),
        _ => format!("({})", vec![":"; rank].join(", ")),
    };
    let mut text = format!("\n  pure subroutine {name}(tape, v)\n    type(costate_tape), intent(inout) :: tape\n");
    let _ = writeln!(text, "    {declaration}, {intent} :: v{shape}\n");
    for line in body {
        let _ = writeln!(text, "    {line}");
    }
    let _ = writeln!(text, "  end subroutine {name}");
    text
}

fn scalar_body(verb: &str, kind: &Kind) -> Vec<String> {
    match (verb, kind.word) {
        ("push", "") => vec![
            "if (tape%used + 2 > tape%capacity) call grow(tape, 2_c_int64_t)".into(),
            "tape%words(tape%used + 1:tape%used + 2) = transfer(v, 0_int64, 2)".into(),
            "tape%used = tape%used + 2".into(),
        ],
        (_, "") => vec![
            "if (tape%used < 2) call shrink(tape, 2_c_int64_t)".into(),
            "tape%used = tape%used - 2".into(),
            "v = transfer(tape%words(tape%used + 1:tape%used + 2), v)".into(),
        ],
        ("push", word) => vec![
            "if (tape%used == tape%capacity) call grow(tape, 1_c_int64_t)".into(),
            "tape%used = tape%used + 1".into(),
            format!("tape%words(tape%used) = {word}"),
        ],
        _ => vec![
            "if (tape%used == 0) call shrink(tape, 1_c_int64_t)".into(),
            format!("v = {}", kind.value.replace('@', "tape%words(tape%used)")),
            "tape%used = tape%used - 1".into(),
        ],
    }
}

fn standard(verb: &str, intent: &str) -> (String, String) {
    let names: Vec<_> = KINDS.iter().map(|kind| kind.name).collect();
    let mut procedures = String::new();
    for kind in &KINDS {
        for rank in 0..=MAX_RANK {
            let body = match rank {
                0 => scalar_body(verb, kind),
                _ => vec![format!("call {verb}_bytes(tape, v, {} * size(v, kind=int64))", kind.bytes)],
            };
            // `pop` of an array is inout: elements that a strided copy-out touches must be defined.
            let intent = if verb == "pop" && rank == 0 { "out" } else { intent };
            let name = format!("{verb}_{}_{rank}", kind.name);
            procedures.push_str(&procedure(&name, kind.declaration, intent, rank, &body));
        }
    }
    (interface(verb, &names, 0..=MAX_RANK) + "\n", procedures)
}

fn quad() -> (String, String) {
    let names: Vec<_> = QUAD_KINDS.iter().map(|(name, _)| *name).collect();
    let (mut interfaces, mut procedures) = (String::new(), String::new());
    for (verb, _) in VERBS {
        interfaces.push_str(&interface(verb, &names, 0..=0));
        interfaces.push('\n');
        for (name, declaration) in QUAD_KINDS {
            let words = if name == "r16" { 2 } else { 4 };
            let procedure_name = format!("{verb}_{name}_0");
            let (intent, lines) = match verb {
                "push" => ("in", vec!["words = transfer(v, words)", "call costate_push(tape, words)"]),
                _ => ("out", vec!["call costate_pop(tape, words)", "v = transfer(words, v)"]),
            };
            let lines: Vec<_> = lines.into_iter().map(String::from).collect();
            let text = procedure(&procedure_name, declaration, intent, 0, &lines);
            procedures.push_str(&text.replace(" :: v\n", &format!(" :: v\n    integer(int64) :: words({words})\n")));
        }
    }
    (interfaces, procedures)
}

fn with_section(text: &str, section: &str, content: &str) -> String {
    let begin = format!("! generated: {section}\n");
    let start = text.find(&begin).expect("a marked section") + begin.len();
    let length = text[start..].find("! generated: end\n").expect("the end of the section");
    format!("{}{content}{}", &text[..start], &text[start + length..])
}

fn check(file: &str, (interfaces, procedures): (String, String)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fortran").join(file);
    let text = fs::read_to_string(&path).expect("the Fortran file");
    let wanted = with_section(&text, "interface", &format!("\n{interfaces}"));
    let wanted = with_section(&wanted, "procedures", &format!("{procedures}\n"));
    if env::var_os("COSTATE_UPDATE").is_some() {
        fs::write(&path, &wanted).expect("a writable source folder");
    } else {
        assert!(text == wanted, "{file} is out of date: run the tests with COSTATE_UPDATE=1");
    }
}

#[test]
fn standard_kinds_are_up_to_date() {
    for (verb, intent) in VERBS {
        check(&format!("costate_rt_{verb}.f90"), standard(verb, intent));
    }
}

#[test]
fn quad_kinds_are_up_to_date() {
    check("costate_rt_quad.f90", quad());
}
