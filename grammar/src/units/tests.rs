use super::*;
use crate::form::free::free;
use crate::source::{SourceFile, SourceMap};

fn units(text: &str) -> (Vec<UnitTree>, Vec<Diagnostic>) {
    let mut source = SourceMap::default();
    let file = source.add(SourceFile::new("a.f90", text));
    split(&free(&source, file).0)
}

/// The tree in one line: `kind name[body](children)`, with `!` for a missing end.
fn show(units: &[UnitTree]) -> String {
    let one = |u: &UnitTree| {
        let children = if u.children.is_empty() { String::new() } else { format!("({})", show(&u.children)) };
        let open = if u.closed { "" } else { "!" };
        format!("{} {}[{}..{}]{open}{children}", u.kind.keyword(), u.name, u.body.start, u.body.end)
    };
    units.iter().map(one).collect::<Vec<_>>().join(" ")
}

#[test]
fn heads_with_prefixes_in_any_order() {
    use StatementClass::Head;
    use UnitKind::*;
    for (text, kind, name) in [
        ("pure real(8) function f(a) result(r) bind(c)", Function, "f"),
        ("real(kind=kind(1.d0)) recursive function g (x)", Function, "g"),
        ("type(t) function h()", Function, "h"),
        ("CHARACTER*(*) FUNCTION C(x)", Function, "C"),
        ("real*8 function r8(x)", Function, "r8"),
        ("double precision elemental function d(x)", Function, "d"),
        ("character(len=*, kind=k) function e()", Function, "e"),
        ("module pure subroutine s", Subroutine, "s"),
        ("subroutine s(a, *, b) bind(c, name='x=y')", Subroutine, "s"),
        ("subroutine s bind(c)", Subroutine, "s"),
        ("attributes(device) subroutine k(x)", Subroutine, "k"),
        ("module procedure", Module, "procedure"),
        ("module function", Module, "function"),
        ("module procedure p", ModuleProcedure, "p"),
        ("module m", Module, "m"),
        ("submodule (a:b) c", Submodule, "c"),
        ("program p", Program, "p"),
        ("block data", BlockData, ""),
        ("blockdata bd", BlockData, "bd"),
    ] {
        assert_eq!(classify(text), Head(kind, name), "{text}");
    }
}

#[test]
fn names_that_look_like_keywords() {
    for text in [
        "end = 3",
        "end(1) = 2",
        "end%x = 1",
        "endfunction = 2",
        "contains(1) = 2",
        "contains = 1",
        "function = x",
        "program = 1",
        "module = 2",
        "interface = 1",
        "interface(2) = 1",
        "type(1)%x = 2",
        "type = 3",
        "subroutine = 4",
        "real function(3)",
        "type(t) :: x",
        "type is (integer)",
        "end if",
        "enddo",
        "end do loop",
        "endif",
        "end block",
        "end select",
        "end associate",
        "endfile(3)",
        "endfile 3",
        "module procedure a, b",
        "module procedure :: a",
        "procedure(f), pointer :: p",
        "block",
        "call subroutine(x)",
        "recursive = 1",
        "pure => x",
        "x = 1",
        "",
        "integer functionx(3)",
        "real :: function",
        "end program (",
        "character(1",
        "type(",
        "real*(",
        "\u{e9} = 1",
    ] {
        assert_eq!(classify(text), StatementClass::Other, "{text}");
    }
    assert_eq!(classify("end type"), StatementClass::End(EndOf::Type, None));
    assert_eq!(classify("END BLOCK DATA x"), StatementClass::End(EndOf::Unit(UnitKind::BlockData), Some("x")));
    assert_eq!(classify("endsubroutine s"), StatementClass::End(EndOf::Unit(UnitKind::Subroutine), Some("s")));
    assert_eq!(classify("end interface operator(+)"), StatementClass::End(EndOf::Interface, None));
    assert_eq!(classify("type, extends(a) :: b"), StatementClass::TypeDefinition);
    assert_eq!(classify("interface assignment(=)"), StatementClass::Interface);
}

#[test]
fn nesting() {
    let text = "\
module M
  interface
    function f(x)
      real :: x, f
    end function
    module procedure a, b
    subroutine s
    end
  end interface
  type :: t
  contains
    procedure :: p
  end type
contains
  subroutine p(self)
    contains(1) = 2; end = 3
  contains
    real function inner(x)
      inner = x
    end
  end subroutine p
  subroutine q
  endsubroutine
end module m
x = 1
end
subroutine last
end";
    let (tree, diagnostics) = units(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(
        show(&tree),
        "module m[1..13](subroutine p[15..17](function inner[19..20]) subroutine q[23..23]) \
         program [25..26] subroutine last[28..28]"
    );
    assert_eq!((tree[0].contains, tree[0].end), (Some(13), 24));
    assert_eq!(tree[1].head, None);
}

#[test]
fn broken_nesting_gives_a_tree_and_errors() {
    for (text, tree, n) in [
        ("subroutine a\nx=1\nsubroutine b\nend", "subroutine a[1..2]! subroutine b[3..3]", 1),
        ("module m\ncontains\nsubroutine a\nx=1\nend module", "module m[1..1](subroutine a[3..4]!)", 1),
        ("subroutine a\nend function", "subroutine a[1..1]", 1),
        ("subroutine a\nend subroutine b", "subroutine a[1..1]", 1),
        ("subroutine a\ninterface\nfunction f(x)\nend subroutine", "subroutine a[1..3]", 2),
        ("subroutine a\nend\nend", "subroutine a[1..1]", 1),
        ("subroutine a\nend\nend subroutine", "subroutine a[1..1]", 1),
        ("program p\nx = 1", "program p[1..2]!", 1),
        ("program p\ntype t\nend", "program p[1..2]", 1),
        ("module procedure x\nend procedure", "procedure x[1..1]", 0),
        ("", "", 0),
    ] {
        let (units, diagnostics) = units(text);
        assert_eq!((show(&units).as_str(), diagnostics.len()), (tree, n), "{text}\n{diagnostics:?}");
    }
}
