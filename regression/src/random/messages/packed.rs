//! Packed buffers, and messages that are found before they are received.

use super::declared::asynchronous;
use super::exchanges::Way;
use super::{Binding, Talk};
use crate::random::syntax::{Node, Statement};

const DP: &str = "mpi_double_precision";

impl Talk {
    /// A packed buffer that is exchanged or broadcast, and unpacked.
    pub(super) fn packed(&mut self, depth: usize) -> Option<Statement> {
        let c = self.letter();
        // With Open MPI's `mpi_f08` a section with a stride comes back from being unpacked into another one's memory.
        let w = self.way(c, self.binding == Binding::Types, &[])?;
        let (comm, u, count) = (self.comm(c), self.s.fresh(), w.size.count());
        let of_bytes = self.s.rng.chance(70);
        for name in [format!("pa{u}"), format!("pb{u}")] {
            let declared =
                if of_bytes { format!("character :: {name}(400)") } else { format!("integer :: {name}(100)") };
            self.own(&name, &asynchronous(&declared));
        }
        self.own(&format!("ps{u}"), &format!("integer :: ps{u}"));
        self.own(&format!("pn{u}"), &format!("integer :: pn{u}"));
        let (with_integer, twice) = (self.s.rng.chance(50), self.s.rng.chance(30));
        let put = |what: &str, n: &str, of: &str| {
            format!("call mpi_pack({what}, {n}, {of}, pa{u}, 400, ps{u}, {comm}, ierr)")
        };
        let mut head = vec![format!("ps{u} = 0")];
        if with_integer {
            head.push(format!("pn{u} = 1 + me{c}"));
            head.push(put(&format!("pn{u}"), "1", "mpi_integer"));
        }
        head.push(put(&w.sent.text, count, DP));
        let (pass, wait, into) = self.passed(&w, c, u);
        head.push(pass);
        let get = |what: &str, n: &str, of: &str| {
            format!("call mpi_unpack({into}{u}, 400, ps{u}, {what}, {n}, {of}, {comm}, ierr)")
        };
        let mut end = vec![wait];
        if into == "pb" {
            end.push(format!("if ({} /= mpi_proc_null) then", w.from));
        }
        for _ in 0..=usize::from(twice) {
            end.push(format!("ps{u} = 0"));
            if with_integer {
                end.push(get(&format!("pn{u}"), "1", "mpi_integer"));
            }
            end.push(get(&w.received.text, count, DP));
        }
        if into == "pb" {
            end.push("end if".to_string());
        }
        end.retain(|line| !line.is_empty());
        let body = self.serial(depth);
        Some(Statement::together(vec![(head.join("\n"), body)], end.join("\n")))
    }

    /// How a packed buffer is passed: what begins that, what ends it, and in which buffer it is then.
    fn passed(&mut self, w: &Way, c: char, u: usize) -> (String, String, &'static str) {
        let (comm, Way { to, from, tag, .. }) = (self.comm(c), w);
        match self.s.rng.below(4) {
            0 => (format!("call mpi_bcast(pa{u}, 400, mpi_packed, 0, {comm}, ierr)"), String::new(), "pa"),
            1 => {
                let sent = format!("pa{u}, ps{u}, mpi_packed, {to}, {tag}");
                let received = format!("pb{u}, 400, mpi_packed, {from}, {tag}");
                (format!("call mpi_sendrecv({sent}, {received}, {comm}, mpi_status_ignore, ierr)"), String::new(), "pb")
            }
            _ => {
                let q = self.requests(2).names().to_vec();
                let received = format!("call mpi_irecv(pb{u}, 400, mpi_packed, {from}, {tag}, {comm}, {}, ierr)", q[0]);
                let sent = format!("call mpi_isend(pa{u}, ps{u}, mpi_packed, {to}, {tag}, {comm}, {}, ierr)", q[1]);
                let wait = |r: &String| format!("call mpi_wait({r}, mpi_status_ignore, ierr)");
                (format!("{received}\n{sent}"), format!("{}\n{}", wait(&q[0]), wait(&q[1])), "pb")
            }
        }
    }

    /// A message that is found before it is received.
    pub(super) fn found(&mut self) -> Option<Statement> {
        let c = self.letter();
        let w = self.way(c, true, &[])?;
        let (comm, u) = (self.comm(c), self.s.fresh());
        self.own(&format!("mg{u}"), &format!("MESSAGE :: mg{u}"));
        let q = self.requests(2).names().to_vec();
        let (from, tag) = self.wild(&w);
        let mut lines = vec![
            format!("call mpi_isend({}, {}, {DP}, {}, {}, {comm}, {}, ierr)", w.sent.text, w.count, w.to, w.tag, q[0]),
            format!("call mpi_mprobe({from}, {tag}, {comm}, mg{u}, mpi_status_ignore, ierr)"),
        ];
        let (into, room) = (&w.received.text, w.size.count());
        if self.s.rng.chance(50) {
            lines.push(format!("call mpi_mrecv({into}, {room}, {DP}, mg{u}, mpi_status_ignore, ierr)"));
        } else {
            lines.push(format!("call mpi_imrecv({into}, {room}, {DP}, mg{u}, {}, ierr)", q[1]));
            lines.push(format!("call mpi_wait({}, mpi_status_ignore, ierr)", q[1]));
        }
        lines.push(format!("call mpi_wait({}, mpi_status_ignore, ierr)", q[0]));
        Some(Statement::Line(Node::leaf(lines.join("\n"))))
    }
}
