//! Broken lines read back: the reader joins what the printer broke.

use costate_grammar::form::{self, ReadOptions};
use costate_grammar::ir::*;
use costate_grammar::lines::{FileLines, TriviaKind};
use costate_grammar::print::{self, Style};
use costate_grammar::source::SourceMap;

use crate::builder::*;

fn read(text: &str) -> FileLines {
    let mut sources = SourceMap::default();
    let read = form::read(&mut sources, "a.f90", text.to_string(), &ReadOptions::default());
    assert!(read.lines.lines.len() < 1000, "{text}");
    read.lines
}

/// Text without blanks outside of strings, in which the place of a break shows.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => {}
            None if c == '\'' || c == '"' => quote = Some(c),
            None if c == ' ' => continue,
            None => {}
        }
        out.push(c);
    }
    out
}

const STATEMENTS: &[&str] = &[
    "write (unit=10, fmt='(a, 1x, \"it''s\", ! no comment, & no continuation)', iostat = ierr) a, b(1:n, :)%c, 'x''y' // \"\"",
    "x = 1.0d-10*a**(-2)+1.eq.2.or.3.e-5_wp>z%field(kk).and..not.(.true._lk.neqv.l) + z'ff' + c_char_'text' + .5e3",
    "if (.not. associated(ptr%next%next%next%value, target_variable_with_a_very_long_name)) call something(a=1, b=[1,2,3])",
    "call sub('a very long text with an & and a ! in it, which has to be split over lines because it is too long', \"b\")",
    "print *, 'ééééééééééééééééééééééééééééééééééééééééééééééééééééééééé', '''''''''''''''''''''''''''''''''''''''''''''''''''''', x",
    "y = f(g(h(i(j(k(l(m(n(o(p(q(r(s(t(u(v(w(x(y(z(aa(bb(cc(dd(ee(ff(gg(hh(ii(jj)))))))))))))))))))))))))))))))))",
    "associate (first => some%deeply%nested%thing(1:10, 2), second => other(:, :, 3)%component%part) ",
];

#[test]
fn statements() {
    let mut b = Builder::new();
    for text in STATEMENTS {
        let s = b.stmt(StmtKind::Io { kind: DataKind::Write, text: (*text).into(), items: IoItems::default() });
        for width in (30..140).step_by(3) {
            for level in [0, 2, 9] {
                let style = Style { max_width: width, ..Style::default() };
                let printed = print::statements(&b.program, b.scope, std::slice::from_ref(&s), &style, level);
                assert!(width > 60 || printed.lines().count() > 1, "{printed}");
                let lines = read(&printed);
                assert_eq!(lines.lines.len(), 1, "{printed}");
                assert_eq!(squeezed(&lines.lines[0].text), squeezed(text), "{printed}");
            }
        }
    }
}

#[test]
fn directives() {
    let mut b = Builder::new();
    let text = "parallel do default(none) private(i, j, k, temporary) shared(a, b, c, nx, ny, nz) reduction(+: total, sum) schedule(static, 4)";
    let s = b.stmt(StmtKind::Directive { directive: omp(text), names: Vec::new(), body: None });
    for width in (30..170).step_by(7) {
        let style = Style { max_width: width, ..Style::default() };
        let printed = print::statements(&b.program, b.scope, std::slice::from_ref(&s), &style, 2);
        let lines = read(&printed);
        let found: Vec<&str> = lines
            .trivia
            .iter()
            .filter(|t| matches!(t.kind, TriviaKind::Directive(_)))
            .map(|t| t.text.as_str())
            .collect();
        assert_eq!(found.len(), 1, "{printed}");
        assert_eq!(squeezed(found[0]), squeezed(text), "{printed}");
    }
}
