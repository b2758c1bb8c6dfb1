use costate_grammar::ir::*;
use costate_grammar::operators::BinaryOp as Op;
use costate_grammar::print::{self, Style};

use crate::builder::*;

fn narrow() -> Style {
    Style { max_width: 40, ..Style::default() }
}

fn at(b: &Builder, body: &[Stmt], level: usize) -> String {
    let text = print::statements(&b.program, b.scope, body, &narrow(), level);
    assert!(text.lines().all(|l| l.len() <= 40), "{text}");
    text
}

#[test]
fn long_statements_break_at_the_outermost_operators() {
    let mut b = Builder::new();
    let (x, y) = (b.v("xvalue"), b.v("yvalue"));
    let product = bin(Op::Mul, bin(Op::Add, x.clone(), y.clone()), y.clone());
    let sum = bin(Op::Add, bin(Op::Add, product.clone(), product.clone()), product);
    let s = b.assign(x, sum);
    let expected = "  xvalue = (xvalue + yvalue)*yvalue + &
      (xvalue + yvalue)*yvalue + &
      (xvalue + yvalue)*yvalue
";
    assert_eq!(at(&b, &[s], 1), expected);
}

#[test]
fn argument_lists_break_after_commas() {
    let mut b = Builder::new();
    let g = b.add("g", SymbolKind::Procedure(Box::default()));
    let args = (1..=9).map(|i| Arg::new(b.v(&format!("argument{i}")))).collect();
    let s = b.stmt(StmtKind::Call { callee: Callee::Proc { sym: g, generic: None, operator: None }, args });
    let expected = "call g(argument1, argument2, &
    argument3, argument4, argument5, &
    argument6, argument7, argument8, &
    argument9)
";
    assert_eq!(at(&b, &[s], 0), expected);
}

#[test]
fn tokens_are_never_split() {
    let mut b = Builder::new();
    let text = "write(unit,'(a,1x,''it''''s'',e12.4)') 1.0d-10+x**2/=y.and.1.eq.2.or.3.e-5_wp>z%field(kkkkkk)";
    let s = b.stmt(StmtKind::Io { kind: DataKind::Write, text: text.into(), items: IoItems::default() });
    let printed = at(&b, &[s], 0);
    let squeezed: String = printed.replace(" &\n", "").split_whitespace().collect();
    assert_eq!(squeezed, text.replace(' ', ""));
    for token in ["1.0d-10", "**", "/=", ".and.", "1.eq.2", "3.e-5_wp", "'(a,1x,''it''''s'',e12.4)'"] {
        let pieces = if token == "1.eq.2" { vec!["1", ".eq.", "2"] } else { vec![token] };
        assert!(pieces.iter().all(|p| printed.lines().any(|l| l.contains(p))), "{token} in\n{printed}");
    }
}

#[test]
fn a_string_longer_than_a_line_is_split() {
    let mut b = Builder::new();
    let x = b.v("x");
    let content = "é ''quoted'' & a very long text ".repeat(6);
    let s = b.assign(x, string(&format!("'{content}'")));
    let printed = at(&b, &[s], 2);
    let mut joined = String::new();
    for line in printed.lines() {
        let line = line.trim_start();
        let line = line.strip_prefix('&').unwrap_or(line);
        joined.push_str(line.strip_suffix('&').unwrap_or(line));
    }
    assert!(printed.lines().count() > 3);
    assert_eq!(joined, format!("x = '{content}'"));
}

#[test]
fn quotes_only() {
    let mut b = Builder::new();
    let x = b.v("x");
    let s = b.assign(x, string(&format!("'{}'", "''".repeat(60))));
    let text = print::statements(&b.program, b.scope, &[s], &narrow(), 0);
    assert_eq!(text.matches('\'').count(), 122);
}

#[test]
fn comments_are_wrapped_and_directives_continued() {
    let mut b = Builder::new();
    let mut s = b.stmt(StmtKind::Comment("one two three four five six seven eight nine ten".into()));
    s.leading.push("!> a comment of the user's that is too long for this line".into());
    let expected = "    !> a comment of the user's that is\n    !> too long for this line\n    \
                    ! one two three four five six seven\n    ! eight nine ten\n";
    assert_eq!(at(&b, &[s], 2), expected);
    let directive = omp("parallel do private(a, b, c) shared(x, y, z)");
    let s = b.stmt(StmtKind::Directive { directive, names: Vec::new(), body: None });
    assert_eq!(at(&b, &[s], 1), "  !$omp parallel do private(a, b, c) &\n  !$omp& shared(x, y, z)\n");
}

#[test]
fn trailing_comments_that_dont_fit_go_before() {
    let mut b = Builder::new();
    let (x, y) = (b.v("x"), b.v("y"));
    let mut s = b.assign(x, y);
    s.trailing = Some("! short".into());
    assert_eq!(at(&b, std::slice::from_ref(&s), 0), "x = y  ! short\n");
    s.trailing = Some("! too long to stand beside it".into());
    s.label = Some(10);
    assert_eq!(at(&b, &[s], 3), "      ! too long to stand beside it\n10    x = y\n");
}

#[test]
fn deep_nesting_leaves_room() {
    let mut b = Builder::new();
    let (x, y) = (b.v("x"), b.v("y"));
    let s = b.assign(x, y);
    assert_eq!(at(&b, &[s], 50), format!("{}x = y\n", " ".repeat(20)));
}

#[test]
fn the_same_text_every_time() {
    let mut b = Builder::new();
    let x = b.v("x");
    let long = (0..300).fold(x.clone(), |e, _| bin(Op::Add, e, x.clone()));
    let s = b.assign(x, long);
    let once = b.statements(std::slice::from_ref(&s));
    assert_eq!(once, b.statements(&[s]));
    assert!(once.lines().all(|l| l.len() <= 132) && once.lines().count() > 5);
}
