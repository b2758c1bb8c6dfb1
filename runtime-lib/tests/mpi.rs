//! Derivatives of MPI procedures in programs of several processes, as a user builds them.
//!
//! `MPIFC` and `MPIEXEC` name the compiler and the starter of the MPI that the crate was built for (`MPICC`).

#![cfg(feature = "mpi")]

#[allow(dead_code)]
mod common;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

fn command(variable: &str, usual: &str) -> OsString {
    env::var_os(variable).unwrap_or_else(|| usual.into())
}

/// Compiles the interface and a test program, in a folder of its own.
fn program(name: &str, sources: &[&str]) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mpi").join(name);
    fs::create_dir_all(&folder).expect("a folder for the build");
    let interface = ["costate_mpi_constants.f90", "costate_mpi_constants_f08.F90", "costate_mpi.f90"];
    let output = Command::new(command("MPIFC", "mpif90"))
        .current_dir(&folder)
        .args(["-O1", "-g", "-fcheck=bounds"])
        .args(interface.map(|file| here.join("fortran").join(file)))
        .args(["c/costate_mpi_made.c", "c/costate_mpi_waits.c"].map(|file| here.join(file)))
        .args(sources.iter().map(|file| here.join("tests/mpi").join(file)))
        .arg(common::library())
        .args(["-lpthread", "-ldl", "-o", "program"])
        .output()
        .expect("an MPI's Fortran compiler; set MPIFC to use another one");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder.join("program")
}

fn run(program: &Path, processes: usize, argument: Option<&str>, limit: &str) -> Output {
    Command::new("timeout")
        .args(["-k", "5", "60"])
        .arg(command("MPIEXEC", "mpirun"))
        .args(["-n", &processes.to_string()])
        .arg(program)
        .args(argument)
        // More processes than processors, for any user.
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("COSTATE_MPI_TIMEOUT", limit)
        .output()
        .expect("an MPI's starter; set MPIEXEC to use another one")
}

fn passes(program: &Path, processes: usize) {
    // With a limit processes compare what they do, which takes its time where there are more of them than processors.
    let limit = if processes < 4 { "240" } else { "0" };
    let output = run(program, processes, None, limit);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text == "passed\n", "{processes} processes: {output:?}");
}

#[test]
fn adjoints_fit_tangents_and_those_fit_differences() {
    let program = program("dot", &["begun.f90", "cases.f90", "dot.f90"]);
    for processes in [1, 2, 3, 4, 7] {
        passes(&program, processes);
    }
}

#[test]
fn handles_of_the_module_mpi_f08_are_understood() {
    let program = program("handles", &["handles.f90"]);
    for processes in [1, 2, 3] {
        passes(&program, processes);
    }
}

#[test]
fn a_backward_sweep_passes_as_much_as_the_forward_sweep() {
    let program = program("volume", &["volume.f90", "count.c"]);
    for processes in [2, 3] {
        passes(&program, processes);
    }
}

#[test]
fn what_does_not_fit_ends_the_program() {
    let program = program("failing", &["failing.f90"]);
    let cases = [
        ("no-start", "costate_mpi_send_b (m.f90:1): a derivative of a message before costate_mpi_begin_fwd"),
        ("integers", "costate_mpi_bcast_b (m.f90:1): derivatives of this datatype aren't known"),
        ("operation", "costate_mpi_allreduce_b (m.f90:1): the derivative is known for MPI_SUM"),
        ("never-waited", "costate_mpi_irecv_fwd (m.f90:1): the receive from rank # with tag 4 was never waited for"),
        ("never-waited-d", "costate_mpi_irecv_d (m.f90:1): the receive from rank # with tag 4 was never waited for"),
        ("no-array", "costate_mpi_irecv_fwd (m.f90:1): a message from rank # with tag 4 has arrived in a buffer"),
        ("order", "costate_mpi_wait_b (m.f90:2): forward, a message was received (m.f90:1) where"),
        ("left", "costate_mpi_begin_b: forward, a message was received (m.f90:1), which"),
        (
            "not-made",
            "costate_mpi_start_fwd (m.f90:1): a persistent request that was made where its derivative didn't see",
        ),
        (
            "not-named",
            "costate_mpi_start_d (m.f90:5): a message between this process and rank # with tag 4 is in a buffer of no",
        ),
        ("two-communicators", "costate_mpi_isend_d (m.f90:2): this process and rank # pass messages with tag 4 in two"),
        (
            "found-before",
            "costate_mpi_mrecv_d (m.f90:5): a message from rank # with tag 4 that was found before is still",
        ),
        ("not-found", "costate_mpi_mrecv_fwd (m.f90:1): the message was found where its derivative didn't see it"),
        ("packed-copy", "costate_mpi_unpack_fwd (m.f90:3): what is unpacked isn't what was packed or received in this"),
        (
            "packed-sent",
            "costate_mpi_sendrecv_packed_b (m.f90:4): of what others have unpacked this buffer had something",
        ),
        ("packed-type", "costate_mpi_unpack_d (m.f90:2): what is unpacked was packed as something else"),
        ("packed-or-not", "costate_mpi_recv_packed_d (m.f90:2): a derivative from rank # with tag 4 was sent as reals"),
        (
            "reused",
            "costate_mpi_irecv_fwd (m.f90:2): the receive from rank # with tag 4 of costate_mpi_irecv_fwd (m.f90:1) was",
        ),
        ("longer", "costate_mpi_recv_fwd (m.f90:2), or what the program has called behind it:"),
        ("longer-back", "costate_mpi_isend_b (m.f90:4), or what the program has called behind it:"),
        (
            "not-received",
            "costate_mpi_begin_b: a derivative of costate_mpi_isend_d (m.f90:1) for rank # with tag 4 is not received",
        ),
        (
            "nobody",
            "costate_mpi_send_b (m.f90:1) waits for a derivative from rank # with tag 6 (COSTATE_MPI_TIMEOUT: 1 s",
        ),
        (
            "never",
            "costate_mpi_recv_fwd (m.f90:1) waits for a message from rank # with tag 6 (COSTATE_MPI_TIMEOUT: 1 s",
        ),
        ("sent-in-vain", "costate_mpi_send_fwd (m.f90:1) waits for its message to rank # with tag 6 to be received"),
        ("alone", "mpi_barrier in costate_mpi_bcast_fwd (m.f90:1), or called behind it, waits for other processes"),
        (
            "counts",
            "costate_mpi_bcast_fwd (m.f90:1) has 80 bytes, and costate_mpi_bcast_fwd (m.f90:1) of rank 1 has 72 b",
        ),
        (
            "roots",
            "costate_mpi_reduce_d (m.f90:1) has rank 0 as root, and costate_mpi_reduce_d (m.f90:1) of rank 1 has",
        ),
        (
            "blocks",
            "costate_mpi_allgather_fwd (m.f90:1) expects 16 bytes of rank 1, which sends 24 with costate_mpi_all",
        ),
        ("others", "costate_mpi_bcast_fwd (m.f90:1) meets costate_mpi_allreduce_fwd (m.f90:2) of rank 1"),
        (
            "too-far",
            "costate_mpi_listed (m.f90:4): blocks with 11 elements go on behind what they begin with, which has 10",
        ),
        ("not-waited", "costate_mpi_irecv_fwd (m.f90:1): the receive from rank # with tag 4 was never waited for"),
    ];
    for (case, message) in cases {
        let output = run(&program, 2, Some(case), "1");
        let errors = String::from_utf8_lossy(&output.stderr);
        // The first of both processes that stops ends the other one.
        let told = |rank: i32| format!("costate: rank {rank}: {}", message.replace('#', &(1 - rank).to_string()));
        assert!(!output.status.success() && (0..2).any(|rank| errors.contains(&told(rank))), "{case}: {errors}");
    }
}
