//! The command line as scripts see it: exit statuses, files, messages.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn costate(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_costate")).args(args).current_dir(folder).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const SQUARE: &str = "module m
  implicit none
contains
  subroutine f(n, x, y)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8), intent(out) :: y(n)
    y = x**2
  end subroutine f
end module m
";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

/// Names of the files in a folder.
fn listing(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn wrong_usage_exits_with_2() {
    let dir = folder(&[("s.f90", SQUARE)]);
    for args in [
        &["frobnicate"][..],
        &["tangent"],
        &["tangent", "s.f90"],
        &["adjoint", "s.f90", "--head", "m::f(y)"],
        &["adjoint", "s.f90", "--head", "f", "--form", "loose"],
        &["adjoint", "s.f90", "--head", "f", "--memory", "lots"],
        &["adjoint", "s.f90", "--head", "f", "--suffix-adjoint", "-b"],
        &["config"],
    ] {
        assert_eq!(code(&costate(dir.path(), args)), 2, "{args:?}");
    }
    assert_eq!(listing(dir.path()), ["s.f90"]);
}

#[test]
fn help_and_version_exit_with_0() {
    let dir = folder(&[]);
    assert_eq!(code(&costate(dir.path(), &["--help"])), 0);
    assert_eq!(code(&costate(dir.path(), &["--version"])), 0);
    let version = costate(dir.path(), &["config", "--version"]);
    assert_eq!(stdout(&version), format!("costate {}\n", env!("CARGO_PKG_VERSION")));
    assert!(stdout(&costate(dir.path(), &["config", "--fflags"])).starts_with("-I"));
    assert!(stdout(&costate(dir.path(), &["config", "--flibs"])).contains("-lcostate_rt"));
}

#[test]
fn the_libraries_of_mpis_that_are_there_are_named() {
    let dir = folder(&[]);
    // The executable finds what lies beside it.
    let tool = dir.path().join("costate");
    std::fs::copy(env!("CARGO_BIN_EXE_costate"), &tool).unwrap();
    let archive = dir.path().join("mpi/mpich/libcostate_rt_mpi.a");
    std::fs::create_dir_all(archive.parent().unwrap()).unwrap();
    for file in [dir.path().join("libcostate_rt.a"), archive] {
        std::fs::write(file, "").unwrap();
    }
    for flags in ["--fflags", "--flibs"] {
        let run = |mpi: &str| {
            let mut command = Command::new(&tool);
            command.args(["config", flags, mpi]).env_remove("COSTATE_MPI_LIB").env_remove("COSTATE_PREFIX");
            command.output().unwrap()
        };
        let missing = run("--mpi");
        assert!(!missing.status.success());
        assert!(String::from_utf8_lossy(&missing.stderr).contains("`--mpi=mpich` names one that is there"));
        assert!(String::from_utf8_lossy(&run("--mpi=mpich").stdout).contains("mpi/mpich"));
    }
}

#[test]
fn an_unreadable_file_is_refused() {
    let dir = folder(&[]);
    let out = costate(dir.path(), &["tangent", "none.f90", "--head", "f"]);
    assert_eq!(code(&out), 3);
    assert!(stderr(&out).starts_with("error[C0101]: "), "{}", stderr(&out));
}

#[test]
fn a_head_that_isnt_there_is_refused_and_nothing_is_written() {
    let dir = folder(&[("s.f90", SQUARE)]);
    for command in ["tangent", "adjoint", "check", "plan", "report"] {
        let mut args = vec![command, "s.f90", "--head", "m::ff"];
        if command == "report" {
            args.extend(["-o", "report.html"]);
        }
        let out = costate(dir.path(), &args);
        assert_eq!(code(&out), 3, "{command}: {}", stderr(&out));
        assert!(stderr(&out).contains("C0301") && stderr(&out).contains("did you mean `f`?"), "{}", stderr(&out));
    }
    assert_eq!(listing(dir.path()), ["s.f90"]);
}

#[test]
fn the_configuration_file_is_read_and_checked() {
    let dir = folder(&[("s.f90", SQUARE), ("costate.toml", "head = 'm::f(y'\n")]);
    let out = costate(dir.path(), &["tangent", "s.f90"]);
    assert_eq!(code(&out), 2);
    assert!(stderr(&out).contains("C0303"), "{}", stderr(&out));

    let dir = folder(&[("s.f90", SQUARE), ("costate.toml", "head = 'f'\nhaed = 'g'\n")]);
    let out = costate(dir.path(), &["tangent", "s.f90"]);
    assert_eq!(code(&out), 2);
    assert!(stderr(&out).contains("C0305") && stderr(&out).contains("costate.toml:2:1"), "{}", stderr(&out));
}

#[test]
fn options_say_what_fixed_form_means() {
    let text = format!(
        "      subroutine f(x, y)\n      real(8) x, y\n      intent(in) x\n      intent(out) y\n      y = x**2{:58}+ x\n\
         d     y = 3*y\n      end\n",
        ""
    );
    let dir = folder(&[("s.f", &text), ("costate.toml", "d-lines = 'code'\n")]);
    let run = |more: &[&str]| {
        let output = costate(dir.path(), &[&["tangent", "s.f", "--head", "f", "-o", "/dev/stdout"], more].concat());
        (code(&output), stdout(&output))
    };
    assert_eq!(run(&[]).0, 3);
    let (long, code) = ("2.0d0*x*x_d + x_d", "\n  y = 3*y");
    for (length, lines, has_long, has_code) in
        [("72", "comments", false, false), ("none", "code", true, true), ("132", "comments", true, false)]
    {
        let (status, made) = run(&["--fixed-line-length", length, "--d-lines", lines]);
        assert_eq!(
            (status, made.contains(long), made.contains(code)),
            (0, has_long, has_code),
            "{length} {lines}\n{made}"
        );
    }
    assert!(run(&["--fixed-line-length", "none"]).1.contains(code));
}

#[test]
fn messages_come_as_json_and_sarif() {
    let dir = folder(&[]);
    let out = costate(dir.path(), &["tangent", "none.f90", "--head", "f", "--message-format", "json"]);
    let line: serde_json::Value = serde_json::from_str(&stdout(&out)).unwrap();
    assert_eq!((line["code"].as_str(), line["severity"].as_str()), (Some("C0101"), Some("error")));
    let out = costate(dir.path(), &["tangent", "none.f90", "--head", "f", "--message-format", "sarif"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&out)).unwrap();
    assert_eq!(document["runs"][0]["results"][0]["ruleId"].as_str(), Some("C0101"));
    assert_eq!(code(&out), 3);
}

const HEAD: &str = "m::f(y)/(x)";

#[test]
fn generated_files_have_their_names_and_places() {
    let dir = folder(&[("s.f90", SQUARE)]);
    assert_eq!(code(&costate(dir.path(), &["tangent", "s.f90", "--head", HEAD])), 0);
    let made = ["adjoint", "s.f90", "--head", HEAD, "--out-dir", "made"];
    assert_eq!(code(&costate(dir.path(), &made)), 2, "no folder is made");
    std::fs::create_dir(dir.path().join("made")).unwrap();
    assert_eq!(code(&costate(dir.path(), &made)), 0);
    assert_eq!(code(&costate(dir.path(), &["adjoint", "s.f90", "--head", HEAD, "-o", "one.f90"])), 0);
    assert_eq!(listing(dir.path()), ["made", "one.f90", "s.f90", "s_d.f90"]);
    assert_eq!(listing(&dir.path().join("made")), ["s_b.f90"]);
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    assert_eq!(read("one.f90"), read("made/s_b.f90"));
    let folder = dir.path().join("made");
    assert_eq!(code(&costate(&folder, &["adjoint", "../s.f90", "--head", HEAD, "--naming", "tapenade"])), 0);
    assert!(read("made/s_b.f90").to_ascii_lowercase().contains("module m_diff"));
}

#[test]
fn an_up_to_date_file_is_left_alone() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let args = ["adjoint", "s.f90", "--head", HEAD];
    let check: Vec<&str> = args.iter().copied().chain(["--check-only"]).collect();
    let missing = costate(dir.path(), &check);
    assert_eq!(code(&missing), 1);
    assert!(stderr(&missing).starts_with("error[C0307]: `s_b.f90` is missing\n"), "{}", stderr(&missing));
    assert_eq!(listing(dir.path()), ["s.f90"]);
    assert_eq!(code(&costate(dir.path(), &args)), 0);
    let path = dir.path().join("s_b.f90");
    let stamp = || std::fs::metadata(&path).unwrap().modified().unwrap();
    let before = stamp();
    std::thread::sleep(std::time::Duration::from_millis(20));
    assert_eq!(code(&costate(dir.path(), &args)), 0);
    assert_eq!(stamp(), before);
    assert_eq!(code(&costate(dir.path(), &check)), 0);
    std::fs::write(&path, "stale\n").unwrap();
    assert_eq!(code(&costate(dir.path(), &check)), 1);
    let json: Vec<&str> = check.iter().copied().chain(["--message-format", "json"]).collect();
    let line: serde_json::Value = serde_json::from_str(&stdout(&costate(dir.path(), &json))).unwrap();
    assert_eq!((line["code"].as_str(), line["message"].as_str()), (Some("C0307"), Some("`s_b.f90` is out of date")));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "stale\n");
}

#[test]
fn a_depfile_names_targets_and_sources() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let out = costate(dir.path(), &["tangent", "s.f90", "--head", HEAD, "--depfile", "s.d"]);
    assert_eq!(code(&out), 0);
    assert_eq!(
        std::fs::read_to_string(dir.path().join("s.d")).unwrap(),
        "# Written by Costate.\ns_d.f90: \\\n  s.f90\n"
    );
}

#[test]
fn an_output_never_overwrites_a_source() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let out = costate(dir.path(), &["tangent", "s.f90", "--head", HEAD, "-o", "./s.f90"]);
    assert_eq!(code(&out), 2);
    assert_eq!(std::fs::read_to_string(dir.path().join("s.f90")).unwrap(), SQUARE);
}

/// A device is neither read nor replaced.
#[cfg(unix)]
#[test]
fn an_output_may_be_a_device() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let out = costate(dir.path(), &["tangent", "s.f90", "--head", HEAD, "-o", "/dev/stdout"]);
    assert_eq!(code(&out), 0);
    assert!(String::from_utf8_lossy(&out.stdout).contains("end module m_d"));
}

#[test]
fn the_command_line_wins_over_the_configuration_file() {
    let dir = folder(&[]);
    let src = dir.path().join("src");
    std::fs::create_dir_all(src.join("made")).unwrap();
    std::fs::write(src.join("s.f90"), SQUARE).unwrap();
    std::fs::write(src.join("costate.toml"), "head = 'm::f(y)/(x)'\nout-dir = 'made'\nsuffix-tangent = '_tl'\n")
        .unwrap();
    assert_eq!(code(&costate(dir.path(), &["tangent", "src/s.f90"])), 0);
    assert_eq!(listing(&src.join("made")), ["s_tl.f90"]);
    assert_eq!(code(&costate(dir.path(), &["tangent", "src/s.f90", "--suffix-tangent", "_d", "--out-dir", "."])), 0);
    assert_eq!(listing(dir.path()), ["s_d.f90", "src"]);
}

#[test]
fn check_prints_figures_and_exits_with_0() {
    let dir = folder(&[("s.f90", SQUARE), ("main.f90", "program main\n  use m\nend program main\n")]);
    let out = costate(dir.path(), &["check", "main.f90", "s.f90", "--head", HEAD, "--size", "n=5"]);
    assert_eq!(code(&out), 0, "{}{}", stdout(&out), stderr(&out));
    assert!(stdout(&out).starts_with("m::f(y)/(x): right\n"), "{}", stdout(&out));
    assert!(stdout(&out).contains("seed 42"));
    let out = costate(dir.path(), &["check", "s.f90", "--head", HEAD, "--message-format", "json", "--seed", "7"]);
    let report: serde_json::Value = serde_json::from_str(&stdout(&out)).unwrap();
    assert_eq!((report["seed"].as_u64(), report["heads"][0]["passed"].as_bool()), (Some(7), Some(true)));
    assert_eq!(listing(dir.path()), ["main.f90", "s.f90"]);
}

#[test]
fn rounding_errors_at_other_points_speak_against_nothing() {
    // Numbers of both signs leave the reservoir empty: terms of 1e24 cancel, and with them goes what adjoints held on entry.
    let text = "module m
  implicit none
contains
  subroutine f(n, p, c, h, q)
    real(8), intent(in) :: n, p, c
    real(8), intent(inout) :: h
    real(8), intent(out) :: q
    real(8) :: filled, m
    m = n - 1
    filled = max(1d-6, h + p/c)
    h = ((filled*c)**(-m) + c**(-m))**(-1/m)/c
    q = (filled - h)*c
  end subroutine
end module
";
    let dir = folder(&[("r.f90", text)]);
    for seed in ["3", "12", "29"] {
        let args = ["check", "r.f90", "--head", "m::f(h,q)/(n,p,c,h)", "--value", "n=5", "--seed", seed];
        let out = costate(dir.path(), &args);
        assert_eq!(code(&out), 0, "{}{}", stdout(&out), stderr(&out));
    }
}

#[test]
fn a_compiler_that_isnt_there_is_reported() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let out = costate(dir.path(), &["check", "s.f90", "--head", HEAD, "--fc", "no-such-compiler"]);
    assert_eq!(code(&out), 3);
    assert!(stderr(&out).contains("C0502") && stderr(&out).contains("--fc"), "{}", stderr(&out));
}

#[test]
fn plan_and_report_are_written() {
    let dir = folder(&[("s.f90", SQUARE)]);
    assert_eq!(code(&costate(dir.path(), &["plan", "s.f90", "--head", HEAD])), 0);
    assert_eq!(code(&costate(dir.path(), &["report", "s.f90", "--head", HEAD])), 2);
    assert_eq!(code(&costate(dir.path(), &["report", "s.f90", "--head", HEAD, "-o", "r.html"])), 0);
    let page = std::fs::read_to_string(dir.path().join("r.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("s_d.f90") && page.contains("s_b.f90"));
    assert!(!page.contains("http"), "the page needs nothing else");
}

#[test]
fn a_head_given_twice_is_one() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let args = ["adjoint", "s.f90", "--head", HEAD, "--head", "m%f(x)>(y)"];
    assert_eq!(code(&costate(dir.path(), &args)), 0);
    let text = std::fs::read_to_string(dir.path().join("s_b.f90")).unwrap();
    assert_eq!(text.matches("end subroutine").count(), 1, "{text}");
}

#[test]
fn definitions_and_sizes_of_the_command_line_win() {
    let text = SQUARE.replace("    y = x**2\n", "#ifdef CUBE\n    y = x**3\n#else\n    y = x**2\n#endif\n");
    let toml = "head = 'm::f(y)/(x)'\ndefine = 'CUBE'\n[value]\nn = 3\n";
    let dir = folder(&[("s.F90", &text), ("costate.toml", toml)]);
    let derivative = |args: &[&str]| {
        assert_eq!(code(&costate(dir.path(), &[&["tangent", "s.F90"], args].concat())), 0);
        let text = std::fs::read_to_string(dir.path().join("s_d.F90")).unwrap();
        text.lines().find(|l| l.contains("y_d(i") && l.contains('=')).map(str::to_string).unwrap()
    };
    assert!(derivative(&[]).contains("3.0d0*"));
    assert!(derivative(&["-UCUBE"]).contains("2.0d0*"));
    std::fs::write(dir.path().join("costate.toml"), toml.replace("define", "undefine")).unwrap();
    assert!(derivative(&["-DCUBE=1"]).contains("3.0d0*"));
    let out = costate(dir.path(), &["check", "s.F90", "--size", "n=5", "--keep", "kept"]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    assert!(std::fs::read_to_string(dir.path().join("kept/check_1.f90")).unwrap().contains("p_n = given(5)"));
}

#[test]
fn sizes_of_nothing_are_warned_of() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let plan = |size: &str| costate(dir.path(), &["plan", "s.f90", "--head", HEAD, "--size", size]);
    let (right, wrong) = (plan("N=5"), plan("nn=5"));
    assert_eq!((code(&right), stderr(&right).as_str()), (0, ""));
    assert_eq!(code(&wrong), 0);
    assert!(stderr(&wrong).contains("a size is given for `nn`, and nothing has this name"), "{}", stderr(&wrong));
}

#[test]
fn older_modules_in_the_folder_dont_reach_a_check() {
    let dir = folder(&[("s.f90", SQUARE), ("m.mod", "nothing that a compiler reads")]);
    std::fs::create_dir(dir.path().join("inc")).unwrap();
    std::fs::write(dir.path().join("inc/body.inc"), "    y = x**3\n").unwrap();
    std::fs::write(dir.path().join("t.f90"), SQUARE.replace("    y = x**2\n", "    include 'body.inc'\n")).unwrap();
    let out = costate(dir.path(), &["check", "s.f90", "--head", HEAD]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let out = costate(dir.path(), &["check", "t.f90", "--head", HEAD, "-Iinc", "--fflags", "-O0 -Iinc"]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    assert_eq!(std::fs::read_to_string(dir.path().join("m.mod")).unwrap(), "nothing that a compiler reads");
}

/// A primal that says or does something after its result.
fn with(statement: &str) -> String {
    SQUARE.replace("    y = x**2\n", &format!("    y = x**2\n    {statement}\n"))
}

#[test]
fn what_keeps_a_check_from_running_is_told() {
    for (statement, options, parts) in [
        (
            "error stop 'no ice'",
            &[][..],
            &["the primal of `m::f(y)/(x)` stops at s.f90:9: ERROR STOP no ice", "--value module::name=..."][..],
        ),
        ("stop", &[], &["the primal of `m::f(y)/(x)` stops the program", "`--setup`"]),
        ("y = log(y - 5)", &[], &["gives no finite numbers", "NaN or infinity in `y`", "`--value x=0.5`"]),
        (
            "call g('a')\n  contains\n subroutine g(i)\n integer :: i\n end subroutine",
            &[],
            &["refused s.f90", "Type mismatch"],
        ),
        ("", &["--value", "x=abc"], &["refused the driver", "abc", "`--value`"]),
        ("do while (n > 0)\n end do", &["--time-limit", "1"], &["stopped after 1 s", "`--time-limit`"]),
    ] {
        let dir = folder(&[("s.f90", &with(statement))]);
        let out = costate(dir.path(), &[&["check", "s.f90", "--head", HEAD], options].concat());
        let text = stderr(&out);
        assert!(parts.iter().all(|p| text.contains(p)), "{text}");
        assert_eq!(code(&out), 3, "{text}");
    }
}

#[test]
fn a_check_bears_a_model_that_writes_much() {
    let dir = folder(&[(
        "s.f90",
        &with("write (*, '(a)') (repeat('much ', 2000), i = 1, 100)")
            .replace("    y = x", "    integer :: i\n    y = x"),
    )]);
    let out = costate(dir.path(), &["check", "s.f90", "--head", HEAD]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
}

#[test]
fn what_isnt_verified_isnt_called_wrong() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let out = costate(dir.path(), &["check", "s.f90", "--head", HEAD, "--size", "n=0"]);
    assert_eq!(code(&out), 1);
    assert!(
        stdout(&out).contains("m::f(y)/(x): NOT VERIFIED") && stdout(&out).contains("--size n=8"),
        "{}",
        stdout(&out)
    );
}

/// Text in continued lines.
fn continued(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    chars.chunks(100).map(|c| c.iter().collect::<String>()).collect::<Vec<_>>().join("&\n&")
}

/// Code that nests deeply is refused with its place, and nothing overflows: neither a stack nor the machine.
#[test]
fn deep_code_is_refused_with_its_place() {
    let nested = |open: &str, close: &str| format!("{}x{}", open.repeat(10_000), close.repeat(10_000));
    let construct = |open: &str, close: &str| format!("{}y = x*x\n{}", open.repeat(10_000), close.repeat(10_000));
    for (what, body, place) in [
        ("parentheses", continued(&format!("y = {}", nested("(", ")"))), "s.f90:8:"),
        ("calls", continued(&format!("y = {}", nested("sin(", ")"))), "s.f90:8:"),
        ("subscripts", continued(&format!("y = {}", nested("x(", ")"))), "s.f90:8:"),
        ("signs", continued(&format!("y = {}", nested("-(", ")"))), "s.f90:8:"),
        ("arrays", continued(&format!("y = {}", nested("[", "]"))), "s.f90:8:"),
        ("terms", continued(&format!("y = x{}", " + x".repeat(100_000))), "s.f90:8:"),
        ("factors", continued(&format!("y = x{}", "*x".repeat(100_000))), "s.f90:8:"),
        ("if", construct("if (n > 0) then\n", "end if\n"), "s.f90:508:"),
        ("do", construct("do\n", "end do\n"), "s.f90:72:"),
        ("block", construct("block\n", "end block\n"), "s.f90:508:"),
    ] {
        let dir = folder(&[("s.f90", &SQUARE.replace("    y = x**2\n", &format!("{body}\n")))]);
        let out = costate(dir.path(), &["adjoint", "s.f90", "--head", HEAD]);
        let text = stderr(&out);
        assert!(code(&out) == 3 && text.contains("C0109") && text.contains(place), "{what}: {text:.300}");
        assert_eq!(listing(dir.path()), ["s.f90"]);
    }
}

#[test]
fn code_as_deep_as_the_limits_is_differentiated() {
    let construct = |open: &str, close: &str, n: usize| format!("{}y = x*x\n{}", open.repeat(n), close.repeat(n));
    for (what, body) in [
        ("parentheses", continued(&format!("y = {}x{}", "(x + ".repeat(990), ")".repeat(990)))),
        ("calls", continued(&format!("y = {}x{}", "sin(".repeat(200), ")".repeat(200)))),
        ("if", construct("if (n > 0) then\n", "end if\n", 490)),
        ("do", construct("do\nif (x(1) > 2d0) exit\n", "exit\nend do\n", 64)),
    ] {
        let dir = folder(&[("s.f90", &SQUARE.replace("    y = x**2\n", &format!("{body}\n")))]);
        for mode in ["tangent", "adjoint"] {
            let out = costate(dir.path(), &[mode, "s.f90", "--head", HEAD]);
            assert!(code(&out) == 0, "{what}: {:.300}", stderr(&out));
        }
    }
}

#[test]
fn a_number_of_threads_that_makes_no_sense_is_told() {
    let dir = folder(&[("s.f90", SQUARE)]);
    for wrong in ["1000000000", "-1", "many", ""] {
        let out = Command::new(env!("CARGO_BIN_EXE_costate"))
            .args(["adjoint", "s.f90", "--head", HEAD])
            .current_dir(dir.path())
            .env("RAYON_NUM_THREADS", wrong)
            .output()
            .unwrap();
        assert_eq!(code(&out), 0, "{}", stderr(&out));
        assert!(stderr(&out).contains("C0305") && stderr(&out).contains("RAYON_NUM_THREADS"), "{}", stderr(&out));
    }
}

/// No option overwrites what was read, what the run writes elsewhere, or what somebody else wrote.
#[test]
fn nothing_is_overwritten() {
    let files = [("s.f90", SQUARE), ("theirs.f90", "! not ours\n"), ("costate.toml", "naming = 'costate'\n")];
    let dir = folder(&files);
    std::fs::write(dir.path().join("plan.toml"), "").unwrap();
    let before = listing(dir.path());
    for args in [
        &["adjoint", "-o", "s.f90"][..],
        &["adjoint", "-o", "s.f90", "--force"],
        &["adjoint", "-o", "./s.f90"],
        &["adjoint", "-o", "costate.toml", "--force"],
        &["adjoint", "-o", "theirs.f90"],
        &["adjoint", "--depfile", "s.f90", "--force"],
        &["adjoint", "--depfile", "theirs.f90"],
        &["adjoint", "--depfile", "q", "-o", "q"],
        &["adjoint", "--depfile", "./q", "-o", "q"],
        &["adjoint", "-o", "none/q"],
        &["adjoint", "--out-dir", "none"],
        &["plan", "--pareto", "s.f90", "--force"],
        &["plan", "--pareto", "theirs.f90"],
        &["plan", "-o", "s.f90"],
        &["plan", "-o", "theirs.f90"],
        &["plan", "-o", "q", "--pareto", "q"],
        &["report", "-o", "s.f90", "--force"],
        &["report", "-o", "theirs.f90"],
    ] {
        let out = costate(dir.path(), &[args, &["s.f90", "--head", HEAD]].concat());
        assert_eq!(code(&out), 2, "{args:?}: {}", stderr(&out));
        assert!(stderr(&out).contains("C0306") && stderr(&out).ends_with("1 error\n"), "{}", stderr(&out));
        assert_eq!(listing(dir.path()), before, "{args:?}");
        for (name, text) in files {
            assert_eq!(std::fs::read_to_string(dir.path().join(name)).unwrap(), text, "{args:?}");
        }
    }
    let forced = ["adjoint", "s.f90", "--head", HEAD, "-o", "theirs.f90", "--force"];
    assert_eq!(code(&costate(dir.path(), &forced)), 0);
    // What Costate wrote it writes again.
    for args in [
        &["adjoint", "-o", "theirs.f90", "--depfile", "d"][..],
        &["adjoint", "-o", "theirs.f90", "--depfile", "d", "--keep-primal"],
        &["plan", "-o", "p.toml", "--pareto", "p.svg"],
        &["plan", "-o", "p.toml", "--pareto", "p.svg", "--size", "n=1000"],
        &["report", "-o", "r.html"],
        &["report", "-o", "r.html", "--keep-primal"],
    ] {
        let out = costate(dir.path(), &[args, &["s.f90", "--head", HEAD]].concat());
        assert_eq!(code(&out), 0, "{args:?}: {}", stderr(&out));
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let (long, suffix) = ("d".repeat(2000), format!("_{}", "b".repeat(70)));
    for args in [
        &["--disk", "a\nb"][..],
        &["--disk", ""],
        &["--disk", &long],
        &["--size", "n=-5"],
        &["--size", "=5"],
        &["--size", "n=4", "--size", "N=5"],
        &["-D", ""],
        &["-D=1"],
        &["-D", "1x"],
        &["-U", "a-b"],
        &["--head", "m::f(y)/(x);"],
        &["--head", "m::f,"],
        &["--head", ""],
    ] {
        let out = costate(dir.path(), &[&["adjoint", "s.f90", "--head", HEAD][..], args].concat());
        assert_eq!(code(&out), 2, "{args:?}: {}", stderr(&out));
        assert!(stderr(&out).contains("help:"), "{}", stderr(&out));
    }
    let out = costate(dir.path(), &["adjoint", "s.f90", "--head", HEAD, "--suffix-adjoint", &suffix]);
    assert!(code(&out) == 3 && stderr(&out).contains("63 characters"), "{}", stderr(&out));
    assert_eq!(listing(dir.path()), ["s.f90"]);
}

#[test]
fn heads_are_read_as_others_write_them() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let text = |args: &[&str]| {
        let out = costate(dir.path(), &[&["adjoint", "s.f90", "-o", "one.f90"], args].concat());
        assert_eq!(code(&out), 0, "{args:?}: {}", stderr(&out));
        let text = std::fs::read_to_string(dir.path().join("one.f90")).unwrap();
        text.lines().filter(|l| !l.contains("Head:")).map(str::to_string).collect::<Vec<_>>()
    };
    let plain = text(&["--head", HEAD]);
    for args in [
        &["--head", "m%f(y)/(x)"][..],
        &["--head", "m.f(y)/(x)"],
        &["--head", "f(x)>(y)"],
        &["--head", "m%f(x)>(y)"],
        &["-head", HEAD],
        &["-head=m::f(y)/(x)"],
    ] {
        assert_eq!(text(args), plain, "{args:?}");
    }
    assert_eq!(code(&costate(dir.path(), &["adjoint", "-head", "f"])), 2);
}

/// A pipe would be waited for without end.
#[cfg(unix)]
#[test]
fn readers_that_go_away_change_no_status() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_costate"));
    command.args(["adjoint", "s.f90", "--head", "m::g(y)/(x)"]).current_dir(dir.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop((child.stdout.take(), child.stderr.take()));
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn pipes_and_devices_are_no_sources() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let made = Command::new("mkfifo").arg(dir.path().join("pipe.f90")).status().unwrap();
    assert!(made.success());
    std::fs::write(dir.path().join("t.f90"), "include 'pipe.f90'\n").unwrap();
    for (file, option) in [("pipe.f90", &[][..]), ("/dev/zero", &[]), (".", &[]), ("s.f90", &["--plan", "pipe.f90"])] {
        let out = costate(dir.path(), &[&["adjoint", file, "--head", HEAD][..], option].concat());
        assert!([2, 3].contains(&code(&out)) && stderr(&out).contains("can't be read"), "{file}: {}", stderr(&out));
    }
    let out = costate(dir.path(), &["adjoint", "t.f90", "--head", HEAD]);
    assert!(code(&out) == 3 && stderr(&out).contains("C0105"), "{}", stderr(&out));
}

#[test]
fn a_generated_file_is_checked_as_it_stands() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let run = |args: &[&str]| {
        costate(dir.path(), &[&["check", "s.f90", "--head", HEAD, "--build", "checked"], args].concat())
    };
    for naming in ["costate", "tapenade"] {
        let made = ["adjoint", "s.f90", "--head", HEAD, "--naming", naming, "-o", "kept_b.f90"];
        assert_eq!(code(&costate(dir.path(), &made)), 0);
        let against = ["--naming", naming, "--against", "kept_b.f90"];
        assert_eq!(code(&run(&against)), 0);
        let text = std::fs::read_to_string(dir.path().join("kept_b.f90")).unwrap();
        let edited = text.replace("2.0d0*", "3.0d0*");
        assert_ne!(text, edited);
        std::fs::write(dir.path().join("kept_b.f90"), edited).unwrap();
        assert_eq!(code(&run(&against)), 1);
        std::fs::remove_file(dir.path().join("kept_b.f90")).unwrap();
    }
    let out = run(&["--against", "s.f90"]);
    assert_eq!(code(&out), 2);
    assert!(stderr(&out).contains("`s.f90` holds nothing that is generated for these heads"), "{}", stderr(&out));
}

/// The file of a called module has none of the heads' procedures.
#[test]
fn a_file_of_several_is_checked_as_it_stands() {
    let called = SQUARE.replace("module m", "module low").replace("subroutine f", "subroutine g");
    let head = SQUARE.replace("  implicit none", "  use low\n  implicit none").replace("y = x**2", "call g(n, x, y)");
    let dir = folder(&[("low.f90", &called), ("s.f90", &head)]);
    let run =
        |args: &[&str]| costate(dir.path(), &[&args[..1], &["low.f90", "s.f90", "--head", HEAD], &args[1..]].concat());
    assert_eq!(code(&run(&["adjoint", "--out-dir", "."])), 0);
    let text = std::fs::read_to_string(dir.path().join("low_b.f90")).unwrap();
    let check = || run(&["check", "--build", "checked", "--against", "low_b.f90"]);
    assert_eq!(code(&check()), 0);
    std::fs::write(dir.path().join("low_b.f90"), text.replace("2.0d0*", "3.0d0*")).unwrap();
    let out = check();
    assert_eq!(code(&out), 1, "{}", stderr(&out));
    let said = stdout(&out);
    assert!(said.contains("the adjoint is wrong") && said.contains("the difference starts in one place"), "{said}");
    assert!(said.contains("of `low_b.f90` is `x_b") && said.contains("low.f90:8: `y = x**2`"), "{said}");
}

#[test]
fn a_configuration_file_serves_several_heads() {
    let text = SQUARE.replace("end module", "subroutine g(k, z)\n integer, intent(in) :: k\n real(8), intent(inout) :: z(k)\n z = z**2\nend subroutine\nend module");
    let with = |toml: &str| {
        let dir = folder(&[("s.f90", text.as_str()), ("costate.toml", toml)]);
        costate(dir.path(), &["check", "s.f90", "--head", HEAD, "--build", "checked"])
    };
    let heads = "head = ['m::f(y)/(x)', 'm::g(z)/(z)']\n";
    assert_eq!(code(&with(&format!("{heads}[size]\nn = 4\nk = 5\n"))), 0);
    let out = with(&format!("{heads}[size]\nn = 4\nkk = 5\n"));
    assert_eq!(code(&out), 2, "{}", stderr(&out));
}

#[test]
fn a_kept_check_runs_again_without_the_command() {
    let dir = folder(&[("s.f90", SQUARE)]);
    let out = costate(dir.path(), &["check", "s.f90", "--head", HEAD, "--keep", "kept"]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    let again = || std::process::Command::new(dir.path().join("kept/run.sh")).output().unwrap();
    let out = again();
    let text = stdout(&out);
    assert!(out.status.success() && text.contains("optimised:") && text.contains("checked:"), "{text}{}", stderr(&out));
    let adjoint = dir.path().join("kept/adjoint_s_b.f90");
    let text = std::fs::read_to_string(&adjoint).unwrap();
    std::fs::write(&adjoint, text.replace("2.0d0*", "3.0d0*")).unwrap();
    let out = again();
    assert!(!out.status.success() && stdout(&out).contains("WRONG"), "{}", stdout(&out));
}
