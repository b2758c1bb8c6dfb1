use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use costate_analysis::normal::check::{self, Findings};
use costate_analysis::normal::{Level, normalise};
use costate_grammar::form::ReadOptions;
use costate_grammar::ir::{ModuleId, ProcId, Program};
use costate_grammar::print::{Style, module};
use costate_grammar::program::parse_program;
use costate_grammar::source::SourceMap;

/// A group of snippets that are compiled together. Each is the body of a subroutine with the dummies
/// `n, x(n), y(n), z(n), a(n,n), b(n,n), c(n), s, t, k`: doubles, complex `c`, integer `k`.
pub(crate) struct Group {
    pub name: &'static str,
    /// Declarations of the module, before `contains`.
    pub module: &'static str,
    /// Procedures of the module.
    pub helpers: &'static str,
    /// Name and text (declarations and statements).
    pub snippets: &'static [(&'static str, &'static str)],
    pub sizes: &'static [usize],
}

const HEAD: &str = "  integer, intent(in) :: n
  real(8), intent(inout) :: x(n), y(n), z(n), a(n,n), b(n,n), s, t
  complex(8), intent(inout) :: c(n)
  integer, intent(inout) :: k
";

fn source(group: &Group) -> String {
    let mut text = format!("module m\n  implicit none\n{}\ncontains\n", group.module);
    for (name, body) in group.snippets {
        let _ =
            writeln!(text, "subroutine {name}(n, x, y, z, a, b, c, s, t, k)\n{HEAD}{body}\nend subroutine {name}\n");
    }
    text.push_str(group.helpers);
    text.push_str("\nend module m\n");
    text
}

pub(crate) fn parse(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let load = |_: &str| None;
    let opts = ReadOptions { loader: &load, ..Default::default() };
    let (program, problems) = parse_program(&mut sources, [("m.f90".to_string(), text.to_string())], &opts);
    assert!(problems.is_empty(), "{problems:#?}");
    for (_, p) in program.procedures() {
        assert!(p.problems.is_empty(), "{}: {:#?}", p.name, p.problems);
    }
    for (_, m) in program.modules() {
        assert!(m.problems.is_empty(), "{:#?}", m.problems);
    }
    program
}

/// The program with every procedure of a module in normal form.
pub(crate) fn normal(program: &mut Program, level: Level) {
    let procs: Vec<ProcId> = program.procedures().map(|(id, _)| id).collect();
    for id in procs {
        let name = program[id].name.clone();
        let done = normalise(program, id, level).unwrap_or_else(|e| panic!("{name}: {e:#?}"));
        program[id].body = done.body;
        if level == Level::Adjoint {
            check_form(program, id);
        }
        let again = normalise(program, id, level).unwrap_or_else(|e| panic!("{name}: {e:#?}"));
        assert!(again.body == program[id].body, "{name} changes in a second run\n{}", show(program));
        assert!(again.temporaries.is_empty(), "{name} has new temporaries in a second run");
    }
}

fn own_module(program: &Program) -> ModuleId {
    program.modules().find(|(_, m)| ["m", "m_normal"].contains(&m.name.as_str())).expect("module m").0
}

pub(crate) fn show(program: &Program) -> String {
    module(program, own_module(program), &Style::default())
}

/// Nothing must be left.
fn check_form(program: &Program, id: ProcId) {
    let found = check::normal_form(program, &program[id].body);
    assert_eq!(found, Findings::default(), "{}\n{}", program[id].name, show(program));
}

fn driver(group: &Group) -> String {
    let mut text = String::from("program driver\n");
    for (name, _) in group.snippets {
        let _ = writeln!(text, "  use m, only: {name}\n  use m_normal, only: {name}_n => {name}");
    }
    let sizes = group.sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let _ = write!(
        text,
        "  implicit none
  logical :: moved({all}) = .false.
  integer, parameter :: sizes({count}) = [{sizes}]
  integer :: trial, n, k, k1, k2
  real(8), allocatable :: x(:), y(:), z(:), a(:,:), b(:,:), x1(:), y1(:), z1(:), a1(:,:), b1(:,:)
  real(8), allocatable :: x2(:), y2(:), z2(:), a2(:,:), b2(:,:), re(:), im(:)
  complex(8), allocatable :: c(:), c1(:), c2(:)
  real(8) :: s, t, s1, t1, s2, t2
  do trial = 1, 3 * size(sizes)
    n = sizes(1 + mod(trial, size(sizes)))
    if (allocated(x)) deallocate(x, y, z, a, b, re, im)
    allocate(x(n), y(n), z(n), a(n,n), b(n,n), re(n), im(n))
    call random_number(x); call random_number(y); call random_number(z); call random_number(a)
    call random_number(b); call random_number(re); call random_number(im)
    call random_number(s); call random_number(t)
    x = 2*x - 1; y = 2*y - 1; a = 2*a - 1; z = z + 0.1d0
    c = cmplx(re, im, 8) - (0.5d0, 0.5d0)
    k = 1 + mod(trial, n)
",
        count = group.sizes.len(),
        all = group.snippets.len()
    );
    for (i, (name, _)) in group.snippets.iter().enumerate() {
        text.push_str("    call begin()\n");
        for (f, v) in [(name.to_string(), 1), (format!("{name}_n"), 2)] {
            let _ = writeln!(text, "    call {f}(n, x{v}, y{v}, z{v}, a{v}, b{v}, c{v}, s{v}, t{v}, k{v})");
        }
        let _ = writeln!(text, "    call compare('{name}', moved({}))", i + 1);
    }
    text.push_str("  end do\n");
    for (i, (name, _)) in group.snippets.iter().enumerate() {
        let _ = writeln!(text, "  if (.not. moved({})) print *, 'IDLE {name}'", i + 1);
    }
    text.push_str("  print *, 'done'\ncontains\n");
    text.push_str(&comparisons());
    text.push_str("end program\n");
    text
}

/// The driver's own procedures: compilers take far longer for the same statements in one long program.
fn comparisons() -> String {
    let mut text = String::from("  subroutine begin()\n");
    for w in ["x", "y", "z", "a", "b", "c", "s", "t", "k"] {
        let _ = writeln!(text, "    {w}1 = {w}; {w}2 = {w}");
    }
    text.push_str("  end subroutine\n  subroutine compare(name, moves)\n    character(*), intent(in) :: name\n");
    text.push_str("    logical, intent(inout) :: moves\n");
    for w in ["x", "y", "z", "a", "b", "c"] {
        let far = format!("any(.not. (abs({w}1 - {w}2) <= 1d-11*(1 + abs({w}1))))");
        let _ = writeln!(text, "    if ({far}) print *, 'FAIL ', name, ' {w}', n");
        let _ = writeln!(text, "    moves = moves .or. any({w}1 /= {w})");
    }
    for w in ["s", "t"] {
        let far = format!(".not. (abs({w}1 - {w}2) <= 1d-11*(1 + abs({w}1)))");
        let _ = writeln!(text, "    if ({far}) print *, 'FAIL ', name, ' {w}', n, {w}1, {w}2");
        let _ = writeln!(text, "    moves = moves .or. {w}1 /= {w}");
    }
    text.push_str("    if (k1 /= k2) print *, 'FAIL ', name, ' k', n, k1, k2\n    moves = moves .or. k1 /= k\n");
    text.push_str("  end subroutine\n");
    text
}

/// Compiles and runs a group, at both levels.
pub(crate) fn check(group: &Group) {
    for level in [Level::Adjoint, Level::Tangent] {
        check_at(group, level);
    }
}

fn check_at(group: &Group, level: Level) {
    let original = source(group);
    let mut program = parse(&original);
    normal(&mut program, level);
    let id = own_module(&program);
    program[id].name = "m_normal".into();
    let text = show(&program);
    let dir: PathBuf =
        std::env::temp_dir().join(format!("costate-normal-{}-{}-{level:?}", group.name, std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(dir.join(name), text).expect("a file");
    write("m.f90", &original);
    write("m_normal.f90", &text);
    write("driver.f90", &driver(group));
    let compile = Command::new("gfortran")
        .args(["-g", "-O0", "-fcheck=all", "m.f90", "m_normal.f90", "driver.f90", "-o", "run"])
        .current_dir(&dir)
        .output()
        .expect("gfortran");
    assert!(compile.status.success(), "{}\n{text}", String::from_utf8_lossy(&compile.stderr));
    let run = Command::new("./run").current_dir(&dir).output().expect("the program");
    let output = String::from_utf8_lossy(&run.stdout).into_owned();
    let errors = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(output.trim() == "done" && run.status.success(), "{output}{errors}\n{text}");
    std::fs::remove_dir_all(&dir).ok();
}
