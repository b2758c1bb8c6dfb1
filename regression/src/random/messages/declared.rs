//! What procedures that pass messages declare: ranks, communicators, datatypes and requests.

use super::{Binding, Talk};
use crate::random::procedure;
use crate::random::syntax::{Node, Statement, local};

impl Binding {
    /// The line that gives a module the names of MPI.
    pub(super) fn import(self) -> &'static str {
        match self {
            Binding::Module => "use mpi",
            Binding::Types => "use mpi_f08",
            Binding::Header => "include 'mpif.h'",
        }
    }

    /// A declaration in which `REQUEST`, `COMM`, `DATATYPE` and `STATUS` stand for types.
    pub(super) fn typed(self, text: &str) -> String {
        let mut out = text.to_string();
        for (word, name) in
            [("REQUEST", "mpi_request"), ("COMM", "mpi_comm"), ("DATATYPE", "mpi_datatype"), ("MESSAGE", "mpi_message")]
        {
            let by = if self == Binding::Types { format!("type({name})") } else { "integer".to_string() };
            out = out.replace(word, &by);
        }
        let status = match self {
            Binding::Types => "type(mpi_status)",
            Binding::Module | Binding::Header => "integer, dimension(mpi_status_size)",
        };
        out.replace("STATUS", status)
    }

    /// Who sent the message of the status `st`.
    pub(super) fn source(self) -> &'static str {
        if self == Binding::Types { "st%mpi_source" } else { "st(mpi_source)" }
    }
}

/// How communicators are made, by their letter.
const COMMS: &[(char, &str)] = &[
    ('d', "call mpi_comm_dup(mpi_comm_world, cmd, ierr)"),
    ('s', "call mpi_comm_split(mpi_comm_world, mod(mew, 2), mew, cms, ierr)"),
    ('r', "call mpi_comm_split(mpi_comm_world, 0, -mew, cmr, ierr)"),
    ('c', "call mpi_cart_create(mpi_comm_world, 1, [npw], [.true.], .false., cmc, ierr)"),
];

/// How the datatype of objects is made.
const OBJECTS: &str = "call mpi_type_create_struct(3, [4, 1, 1], &
  [0_mpi_address_kind, 32_mpi_address_kind, 40_mpi_address_kind], &
  [mpi_double_precision, mpi_integer, mpi_double_precision], to, ierr)";

/// Datatypes of rows of `cc`, blocks and pairs.
const TYPES: &[(&str, &str)] = &[
    ("tv", "call mpi_type_vector(n, 1, n, mpi_double_precision, tv, ierr)"),
    ("tc", "call mpi_type_contiguous(n, mpi_double_precision, tc, ierr)"),
    ("ti", "call mpi_type_indexed(2, [1, n/2], [n-1, 0], mpi_double_precision, ti, ierr)"),
    (
        "ts",
        "call mpi_type_create_subarray(2, [n, n], [n, 1], [0, n-1], mpi_order_fortran, mpi_double_precision, ts, ierr)",
    ),
    ("to", OBJECTS),
];

impl Talk {
    /// The variables of a procedure, of which a program prints those that it uses; its arrays are first filled from `x`.
    pub(super) fn declarations(&mut self, x: &str, head: bool) -> Vec<(String, String, String)> {
        let mut out = procedure::integers("n");
        out.extend([
            local("ierr", "integer :: ierr", ""),
            local("st", &self.binding.typed("STATUS :: st"), ""),
            local("ix", "integer :: ix", ""),
            local("oc", "integer :: oc", ""),
            local("ixs", "integer :: ixs(8)", ""),
            local("fl", "logical :: fl", "fl = .false."),
            local("lt", "integer :: lt", ""),
            local("lu", "integer :: lu", ""),
        ]);
        out.extend(procedure::variables(x, "n"));
        for letter in ['w', 'a', 'd', 's', 'r', 'c'] {
            if let Some((c, made)) = COMMS.iter().find(|(c, _)| *c == letter && head) {
                out.push(local(&format!("cm{c}"), &self.binding.typed(&format!("COMM :: cm{c}")), made));
            }
            out.extend(self.places(letter));
        }
        for (name, made) in TYPES {
            let made = format!("{made}\ncall mpi_type_commit({name}, ierr)");
            out.push(local(name, &self.binding.typed(&format!("DATATYPE :: {name}")), &made));
        }
        for (name, value) in [("bg", "0.2d0"), ("bh", "0.4d0")] {
            let made = format!("allocate({name}(0:n*(npw + 1) + 1))\n{name} = {value}*{x}(1)\n{name}(1:n) = 0.5d0*{x}");
            out.push(local(name, &format!("real(8), allocatable :: {name}(:)"), &made));
        }
        // Messages change buffers while other statements run, which compilers have to know.
        for (name, declaration, _) in &mut out {
            if matches!(name.as_str(), "s2" | "s3" | "a" | "b" | "w" | "h" | "p" | "cc" | "bg" | "bh") {
                *declaration = asynchronous(declaration);
            }
        }
        out.append(&mut self.locals);
        out
    }

    /// The place of a process in a communicator, its neighbours there, and counts and displacements for all of its processes:
    /// `cs` such that what one process sends another one is as long as what that receives from it.
    fn places(&self, l: char) -> Vec<(String, String, String)> {
        let comm = self.comm(l);
        let one = |name: &str, how: String| local(&format!("{name}{l}"), &format!("integer :: {name}{l}"), &how);
        let list = |name: &str, value: &str| {
            let how = format!("allocate({name}{l}(np{l}))\ndo i0 = 1, np{l}\n  {name}{l}(i0) = {value}\nend do");
            local(&format!("{name}{l}"), &format!("integer, allocatable :: {name}{l}(:)"), &how)
        };
        vec![
            one("me", format!("call mpi_comm_rank({comm}, me{l}, ierr)")),
            one("np", format!("call mpi_comm_size({comm}, np{l}, ierr)")),
            one("lt", format!("lt{l} = modulo(me{l} - 1, np{l})")),
            one("rt", format!("rt{l} = modulo(me{l} + 1, np{l})")),
            one("lo", format!("lo{l} = me{l} - 1\nif (me{l} == 0) lo{l} = mpi_proc_null")),
            one("up", format!("up{l} = merge(me{l} + 1, mpi_proc_null, me{l} < np{l} - 1)")),
            list("cs", &format!("mod(i0 + me{l}, n + 1)")),
            list("ct", "mod(i0 - 1, n + 1)"),
            list("ds", &format!("n*(np{l} - i0)")),
        ]
    }

    /// A communicator as text.
    pub(super) fn comm(&self, letter: char) -> String {
        if letter == 'w' { "mpi_comm_world".to_string() } else { format!("cm{letter}") }
    }

    /// Statements that free what the head has made.
    pub(super) fn freed(&mut self) -> Vec<Statement> {
        let made: Vec<char> = self.comms.iter().copied().filter(|c| *c != 'w').collect();
        made.iter().map(|c| Statement::Line(Node::leaf(format!("call mpi_comm_free(cm{c}, ierr)")))).collect()
    }

    /// A tag that no other message has.
    pub(super) fn next_tag(&mut self) -> usize {
        self.tag += 1;
        self.tag
    }

    /// Declares a variable that no other statement uses.
    pub(super) fn own(&mut self, name: &str, declaration: &str) {
        self.locals.push(local(name, &self.binding.typed(declaration), ""));
    }
}

/// A declaration of a variable that is a buffer of messages on their way.
pub(super) fn asynchronous(declaration: &str) -> String {
    declaration.replacen(" ::", ", asynchronous ::", 1)
}
