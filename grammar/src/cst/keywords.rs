//! Words that the parser's grammar reserves and Fortran doesn't.

/// Words with which statements, constructs and their clauses are written.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "abstract", "allocatable", "allocate", "assign", "assignment", "associate", "asynchronous", "automatic",
    "backspace", "bind", "block", "blockdata", "byte", "call", "case", "change", "character", "class", "close",
    "codimension", "common", "complex", "concurrent", "constant", "contains", "contiguous", "continue", "critical",
    "cycle", "data", "deallocate", "decode", "default", "deferred", "device", "dimension", "do", "double",
    "doublecomplex", "doubleprecision", "elemental", "else", "elseif", "elsewhere", "encode", "end", "endassociate",
    "endblock", "endblockdata", "endcritical", "enddo", "endenum", "endfile", "endforall", "endfunction", "endif",
    "endinterface", "endmodule", "endprocedure", "endprogram", "endselect", "endsubmodule", "endsubroutine",
    "endteam", "endtype", "endwhere", "entry", "enum", "enumeration", "enumerator", "equivalence", "error", "event",
    "exit", "extends", "external", "fail", "final", "flush", "fmt", "forall", "form", "format", "function", "generic",
    "global", "go", "goto", "if", "implicit", "import", "impure", "in", "include", "inout", "inquire", "integer",
    "intent", "interface", "intrinsic", "is", "local", "local_init", "lock", "logical", "managed", "module",
    "namelist", "nml", "non_intrinsic", "non_overridable", "non_recursive", "none", "nopass", "notify", "null",
    "nullify", "only", "open", "operator", "optional", "out", "parameter", "pass", "pause", "pinned", "pointer",
    "post", "precision", "print", "private", "procedure", "program", "protected", "public", "pure", "quiet", "rank",
    "read", "real", "recursive", "reduce", "result", "return", "rewind", "save", "select", "selectcase", "selectrank",
    "selecttype", "sequence", "shared", "simple", "static", "stop", "submodule", "subroutine", "sync", "target",
    "team", "texture", "then", "to", "type", "unit", "unlock", "use", "value", "volatile", "wait", "where", "while",
    "write",
];

/// Words that begin a declaration with a type.
pub(super) const TYPES: &[&str] = &[
    "byte",
    "character",
    "class",
    "complex",
    "double",
    "doublecomplex",
    "doubleprecision",
    "integer",
    "logical",
    "real",
    "type",
];

/// Statements that give attributes to the names after the keyword.
pub(super) const ATTRIBUTES: &[&str] = &[
    "allocatable",
    "asynchronous",
    "codimension",
    "common",
    "contiguous",
    "data",
    "dimension",
    "enumerator",
    "equivalence",
    "external",
    "final",
    "generic",
    "intrinsic",
    "namelist",
    "optional",
    "parameter",
    "pointer",
    "private",
    "protected",
    "public",
    "save",
    "target",
    "value",
    "volatile",
    "import",
    "procedure",
];

/// Is it such a word?
pub(super) fn is_keyword(word: &str) -> bool {
    let mut lower = [0; 16];
    let Some(lower) = lower.get_mut(..word.len()) else { return false };
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).is_ok_and(|w| KEYWORDS.binary_search(&w).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order() {
        assert!(KEYWORDS.is_sorted());
        assert!(KEYWORDS.iter().all(|w| w.len() <= 16));
    }
}
