//! The interfaces of derivatives of MPI procedures: their text is made here from the arguments of MPI's procedures.
//! `COSTATE_UPDATE=1 cargo test` rewrites the file.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

/// MPI's procedures without `ierror`, which all have behind the others, and `at`: which derivatives there are, the name and the
/// arguments. A star marks what has a derivative.
const PROCEDURES: &[(&str, &str)] = &[
    ("d fwd b", "send(buf*, count, datatype, dest, tag, comm)"),
    ("d fwd b", "ssend(buf*, count, datatype, dest, tag, comm)"),
    ("d fwd b", "bsend(buf*, count, datatype, dest, tag, comm)"),
    ("d fwd b", "rsend(buf*, count, datatype, dest, tag, comm)"),
    ("d fwd b", "recv(buf*, count, datatype, source, tag, comm, status)"),
    (
        "d fwd b",
        "sendrecv(sendbuf*, sendcount, sendtype, dest, sendtag, recvbuf*, recvcount, recvtype, source, recvtag, comm, status)",
    ),
    ("d fwd b", "sendrecv_replace(buf*, count, datatype, dest, sendtag, source, recvtag, comm, status)"),
    ("d fwd b", "isend(buf*, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "issend(buf*, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "ibsend(buf*, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "irsend(buf*, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "irecv(buf*, count, datatype, source, tag, comm, request)"),
    ("d fwd b", "mprobe(source, tag, comm, message, status)"),
    ("d fwd b", "improbe(source, tag, comm, flag, message, status)"),
    ("d fwd b", "mrecv(buf*, count, datatype, message, status)"),
    ("d fwd b", "mrecv_passive(buf, count, datatype, message, status)"),
    ("d fwd b", "imrecv(buf*, count, datatype, message, request)"),
    ("d fwd b", "imrecv_passive(buf, count, datatype, message, request)"),
    ("d fwd b", "pack(inbuf*, incount, datatype, outbuf, outsize, position, comm)"),
    ("d fwd b", "unpack(inbuf, insize, position, outbuf*, outcount, datatype, comm)"),
    ("d fwd b", "send_packed(buf, count, datatype, dest, tag, comm)"),
    ("d fwd b", "ssend_packed(buf, count, datatype, dest, tag, comm)"),
    ("d fwd b", "bsend_packed(buf, count, datatype, dest, tag, comm)"),
    ("d fwd b", "rsend_packed(buf, count, datatype, dest, tag, comm)"),
    ("d fwd b", "recv_packed(buf, count, datatype, source, tag, comm, status)"),
    (
        "d fwd b",
        "sendrecv_packed(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status)",
    ),
    ("d fwd b", "isend_packed(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "issend_packed(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "ibsend_packed(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "irsend_packed(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "irecv_packed(buf, count, datatype, source, tag, comm, request)"),
    ("d fwd b", "bcast_packed(buffer, count, datatype, root, comm)"),
    ("d fwd b", "send_init(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "send_init_passive(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "ssend_init(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "ssend_init_passive(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "bsend_init(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "bsend_init_passive(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "rsend_init(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "rsend_init_passive(buf, count, datatype, dest, tag, comm, request)"),
    ("d fwd b", "recv_init(buf, count, datatype, source, tag, comm, request)"),
    ("d fwd b", "recv_init_passive(buf, count, datatype, source, tag, comm, request)"),
    ("d fwd b", "start(request)"),
    ("d fwd b", "startall(count, requests)"),
    ("d fwd b", "request_free(request)"),
    ("d fwd b", "wait(request, status)"),
    ("d fwd b", "waitall(count, requests, statuses)"),
    ("d fwd b", "waitany(count, requests, index, status)"),
    ("d fwd b", "waitsome(count, requests, outcount, indices, statuses)"),
    ("d fwd b", "test(request, flag, status)"),
    ("d fwd b", "testall(count, requests, flag, statuses)"),
    ("d fwd b", "testany(count, requests, index, flag, status)"),
    ("d fwd b", "testsome(count, requests, outcount, indices, statuses)"),
    ("d fwd b", "comm_free(comm)"),
    ("d fwd b", "type_free(datatype)"),
    ("d fwd b", "bcast(buffer*, count, datatype, root, comm)"),
    ("d fwd b", "reduce(sendbuf*, recvbuf*, count, datatype, op, root, comm)"),
    ("d fwd b", "reduce_in_place(sendbuf, recvbuf*, count, datatype, op, root, comm)"),
    ("d fwd b", "allreduce(sendbuf*, recvbuf*, count, datatype, op, comm)"),
    ("d fwd b", "allreduce_in_place(sendbuf, recvbuf*, count, datatype, op, comm)"),
    ("d fwd b", "scan(sendbuf*, recvbuf*, count, datatype, op, comm)"),
    ("d fwd b", "scan_in_place(sendbuf, recvbuf*, count, datatype, op, comm)"),
    ("d fwd b", "exscan(sendbuf*, recvbuf*, count, datatype, op, comm)"),
    ("d fwd b", "exscan_in_place(sendbuf, recvbuf*, count, datatype, op, comm)"),
    ("d fwd b", "reduce_scatter(sendbuf*, recvbuf*, recvcounts, datatype, op, comm)"),
    ("d fwd b", "reduce_scatter_in_place(sendbuf, recvbuf*, recvcounts, datatype, op, comm)"),
    ("d fwd b", "reduce_scatter_block(sendbuf*, recvbuf*, recvcount, datatype, op, comm)"),
    ("d fwd b", "reduce_scatter_block_in_place(sendbuf, recvbuf*, recvcount, datatype, op, comm)"),
    ("d fwd b", "gather(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, root, comm)"),
    ("d fwd b", "gather_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcount, recvtype, root, comm)"),
    ("d fwd b", "gatherv(sendbuf*, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, root, comm)"),
    ("d fwd b", "gatherv_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, root, comm)"),
    ("d fwd b", "scatter(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, root, comm)"),
    ("d fwd b", "scatter_in_place(sendbuf*, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)"),
    ("d fwd b", "scatterv(sendbuf*, sendcounts, displs, sendtype, recvbuf*, recvcount, recvtype, root, comm)"),
    ("d fwd b", "scatterv_in_place(sendbuf*, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm)"),
    ("d fwd b", "allgather(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm)"),
    ("d fwd b", "allgather_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm)"),
    ("d fwd b", "allgatherv(sendbuf*, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, comm)"),
    ("d fwd b", "allgatherv_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, comm)"),
    ("d fwd b", "alltoall(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm)"),
    ("d fwd b", "alltoall_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm)"),
    ("d fwd b", "alltoallv(sendbuf*, sendcounts, sdispls, sendtype, recvbuf*, recvcounts, rdispls, recvtype, comm)"),
    (
        "d fwd b",
        "alltoallv_in_place(sendbuf, sendcounts, sdispls, sendtype, recvbuf*, recvcounts, rdispls, recvtype, comm)",
    ),
    ("d b", "ibcast(buffer*, count, datatype, root, comm, request)"),
    ("d b", "ireduce(sendbuf*, recvbuf*, count, datatype, op, root, comm, request)"),
    ("d b", "ireduce_in_place(sendbuf, recvbuf*, count, datatype, op, root, comm, request)"),
    ("d b", "iallreduce(sendbuf*, recvbuf*, count, datatype, op, comm, request)"),
    ("d b", "iallreduce_in_place(sendbuf, recvbuf*, count, datatype, op, comm, request)"),
    ("d b", "iscan(sendbuf*, recvbuf*, count, datatype, op, comm, request)"),
    ("d b", "iscan_in_place(sendbuf, recvbuf*, count, datatype, op, comm, request)"),
    ("d b", "iexscan(sendbuf*, recvbuf*, count, datatype, op, comm, request)"),
    ("d b", "iexscan_in_place(sendbuf, recvbuf*, count, datatype, op, comm, request)"),
    ("d b", "ireduce_scatter(sendbuf*, recvbuf*, recvcounts, datatype, op, comm, request)"),
    ("d b", "ireduce_scatter_in_place(sendbuf, recvbuf*, recvcounts, datatype, op, comm, request)"),
    ("d b", "ireduce_scatter_block(sendbuf*, recvbuf*, recvcount, datatype, op, comm, request)"),
    ("d b", "ireduce_scatter_block_in_place(sendbuf, recvbuf*, recvcount, datatype, op, comm, request)"),
    ("d b", "igather(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, root, comm, request)"),
    ("d b", "igather_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcount, recvtype, root, comm, request)"),
    ("d b", "igatherv(sendbuf*, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, root, comm, request)"),
    (
        "d b",
        "igatherv_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, root, comm, request)",
    ),
    ("d b", "iscatter(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, root, comm, request)"),
    ("d b", "iscatter_in_place(sendbuf*, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)"),
    ("d b", "iscatterv(sendbuf*, sendcounts, displs, sendtype, recvbuf*, recvcount, recvtype, root, comm, request)"),
    (
        "d b",
        "iscatterv_in_place(sendbuf*, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request)",
    ),
    ("d b", "iallgather(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm, request)"),
    ("d b", "iallgather_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm, request)"),
    ("d b", "iallgatherv(sendbuf*, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, comm, request)"),
    (
        "d b",
        "iallgatherv_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, comm, request)",
    ),
    ("d b", "ialltoall(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm, request)"),
    ("d b", "ialltoall_in_place(sendbuf, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm, request)"),
    (
        "d b",
        "ialltoallv(sendbuf*, sendcounts, sdispls, sendtype, recvbuf*, recvcounts, rdispls, recvtype, comm, request)",
    ),
    (
        "d b",
        "ialltoallv_in_place(sendbuf, sendcounts, sdispls, sendtype, recvbuf*, recvcounts, rdispls, recvtype, comm, request)",
    ),
    (
        "d b",
        "ialltoallw(sendbuf*, sendcounts, sdispls, sendtypes, recvbuf*, recvcounts, rdispls, recvtypes, comm, request)",
    ),
    (
        "d b",
        "ialltoallw_in_place(sendbuf, sendcounts, sdispls, sendtypes, recvbuf*, recvcounts, rdispls, recvtypes, comm, request)",
    ),
    ("d fwd b", "alltoallw(sendbuf*, sendcounts, sdispls, sendtypes, recvbuf*, recvcounts, rdispls, recvtypes, comm)"),
    (
        "d fwd b",
        "alltoallw_in_place(sendbuf, sendcounts, sdispls, sendtypes, recvbuf*, recvcounts, rdispls, recvtypes, comm)",
    ),
    ("d fwd b", "neighbor_allgather(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm)"),
    ("d fwd b", "neighbor_allgatherv(sendbuf*, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, comm)"),
    ("d fwd b", "neighbor_alltoall(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm)"),
    (
        "d fwd b",
        "neighbor_alltoallv(sendbuf*, sendcounts, sdispls, sendtype, recvbuf*, recvcounts, rdispls, recvtype, comm)",
    ),
    ("d b", "ineighbor_allgather(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm, request)"),
    (
        "d b",
        "ineighbor_allgatherv(sendbuf*, sendcount, sendtype, recvbuf*, recvcounts, displs, recvtype, comm, request)",
    ),
    ("d b", "ineighbor_alltoall(sendbuf*, sendcount, sendtype, recvbuf*, recvcount, recvtype, comm, request)"),
    (
        "d b",
        "ineighbor_alltoallv(sendbuf*, sendcounts, sdispls, sendtype, recvbuf*, recvcounts, rdispls, recvtype, comm, request)",
    ),
];

/// Procedures that MPI hasn't, which have no `ierror`.
const OWN: &[(&str, &str)] = &[
    ("d fwd b", "begin()"),
    ("d fwd b", "arrived(buf*, n)"),
    ("d fwd b", "leaving(buf*, n)"),
    ("d fwd b", "awaiting(buf*, n)"),
    // Programs call the one without an end for what they make outside of heads.
    (" d fwd b", "communicator(comm)"),
    ("", "world(comm)"),
];

/// The same with a place: how far collective calls reach, which programs never ask for.
const ASKED: &[(&str, &str)] = &[
    ("", "even(size, of, root, comm, room)"),
    ("", "listed(counts, displs, of, root, comm, room)"),
    ("", "summed(counts, of, root, comm, room)"),
    ("", "own(counts, of, root, comm, room)"),
];

/// Arguments that a procedure may change, besides buffers.
const CHANGED: [&str; 11] = [
    "status", "message", "position", "statuses", "request", "requests", "index", "indices", "outcount", "flag",
    "ierror",
];

const HEAD: &str = "\
! Made by tests/mpi_text.rs.
! Derivatives of MPI procedures: _d is the tangent, _fwd what a forward sweep calls, _b the adjoint. Their arguments are those of
! MPI's procedure, each buffer followed by its derivative; what they do is told in README.md. They serve programs with mpif.h,
! the module mpi and the module mpi_f08 alike: all arguments go by their addresses, whatever their types. Messages of the library
! name the place at which the program has the call; it is a text in parentheses: at=\"(halo.f90:42)\".
module costate_mpi
  implicit none
  private
";

/// Words with commas between them, in lines that are indented by `indent` and not too long.
fn list(start: &str, words: &[String], end: &str, indent: &str) -> String {
    let mut text = String::new();
    let mut line = start.to_string();
    for (at, word) in words.iter().enumerate() {
        let word = if at + 1 < words.len() { format!("{word}, ") } else { format!("{word}{end}") };
        if line.len() + word.len() > 120 {
            let _ = writeln!(text, "{line}&");
            line = indent.to_string();
        }
        line += &word;
    }
    if words.is_empty() {
        line += end;
    }
    text + &line + "\n"
}

/// Declarations of arguments. A directive can't be continued.
fn declared(text: &mut String, arguments: &[String]) {
    for some in arguments.chunks(8) {
        let _ = writeln!(text, "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {}", some.join(", "));
        let _ = writeln!(text, "      !DIR$ IGNORE_TKR {}", some.join(", "));
    }
}

fn procedure(derivative: &str, signature: &str, (own, placed): (bool, bool)) -> (String, String) {
    let (name, arguments) = signature.split_once('(').expect("a parenthesis");
    let name = format!("costate_mpi_{name}{}{derivative}", if derivative.is_empty() { "" } else { "_" });
    let mut all = Vec::new();
    let mut changed = Vec::new();
    let mut read = Vec::new();
    for argument in arguments.trim_end_matches(')').split(", ").filter(|argument| !argument.is_empty()) {
        let bare = argument.trim_end_matches('*');
        let buffer = bare.contains("buf");
        let to =
            if buffer || CHANGED.contains(&bare) || signature.contains("_free(") { &mut changed } else { &mut read };
        all.push(bare.to_string());
        to.push(bare.to_string());
        if argument.ends_with('*') && derivative != "fwd" {
            all.push(format!("{bare}_{derivative}"));
            to.push(format!("{bare}_{derivative}"));
        }
    }
    if !own {
        all.push("ierror".to_string());
    }
    let any_type = all.clone();
    if placed {
        all.push("at".to_string());
    }
    let mut text =
        list(&format!("    subroutine {name}("), &all, &format!(") &\n      bind(c, name=\"{name}\")"), "      ");
    declared(&mut text, &any_type);
    if !changed.is_empty() {
        text += &list("      type(*), dimension(*) :: ", &changed, "", "        ");
    }
    if !read.is_empty() {
        text += &list("      type(*), dimension(*), intent(in) :: ", &read, "", "        ");
    }
    if !own {
        text += "      type(*), dimension(*), optional :: ierror\n";
    }
    if placed {
        text += "      character, dimension(*), intent(in), optional :: at\n";
    }
    text += "    end subroutine\n";
    (name, text)
}

#[test]
fn interfaces_are_up_to_date() {
    let mut names = Vec::new();
    let mut interfaces = String::new();
    let of = |list: &'static [(&str, &str)], kind: (bool, bool)| list.iter().map(move |procedure| (procedure, kind));
    let all = of(OWN, (true, false)).chain(of(ASKED, (true, true))).chain(of(PROCEDURES, (false, true)));
    for ((derivatives, signature), own) in all {
        for derivative in derivatives.split(' ') {
            let (name, text) = procedure(derivative, signature, own);
            names.push(name);
            interfaces += &text;
        }
    }
    let mut wanted = HEAD.to_string();
    for some in names.chunks(3) {
        wanted += &list("  public :: ", some, "", "    ");
    }
    let _ = write!(wanted, "\n  interface\n{interfaces}  end interface\nend module\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fortran/costate_mpi.f90");
    if env::var_os("COSTATE_UPDATE").is_some() {
        fs::write(&path, &wanted).expect("a writable source folder");
    } else {
        let known = fs::read_to_string(&path).unwrap_or_default();
        assert!(known == wanted, "costate_mpi.f90 is out of date: run the tests with COSTATE_UPDATE=1");
    }
}
