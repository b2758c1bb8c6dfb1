//! Messages in branches on ranks, one after the other from process to process, and by datatypes.

use super::buffers::Size;
use super::{Binding, Talk};
use crate::random::syntax::{Node, Statement};

impl Talk {
    /// A message, or several that belong together.
    pub(super) fn message(&mut self, depth: usize) -> Option<Vec<Statement>> {
        match self.s.rng.below(25) {
            0..=4 => self.begun(depth),
            5 | 6 => self.exchange().map(|s| vec![s]),
            7 => self.chain(depth).map(|s| vec![s]),
            8 => self.pair(depth).map(|s| vec![s]),
            9 | 10 => self.persistent(depth),
            11 => self.workers(depth).map(|s| vec![s]),
            12 => self.typed().map(|s| vec![s]),
            13 => self.halo(depth),
            14 | 15 => self.packed(depth).map(|s| vec![s]),
            16 => self.found().map(|s| vec![s]),
            17 => self.objects(depth).map(|s| vec![s]),
            18 if self.s.rng.chance(50) => self.objects(depth).map(|s| vec![s]),
            18 => self.listed(depth).map(|s| vec![s]),
            19 => self.of_class(depth).map(|s| vec![s]),
            _ => self.collective(depth),
        }
    }

    /// Each process waits for the one before it.
    fn chain(&mut self, depth: usize) -> Option<Statement> {
        let c = self.letter();
        let w = self.way(c, false, &[])?;
        let (comm, st) = (self.comm(c), self.status());
        let (to, from) = if self.s.rng.chance(50) { ("up", "lo") } else { ("lo", "up") };
        let receive = format!(
            "call mpi_recv({}, {}, mpi_double_precision, {from}{c}, {}, {comm}, {st}, ierr)",
            w.received.text,
            w.size.count(),
            w.tag
        );
        let call = self.s.rng.text(&["send", "send", "ssend"]);
        let send = format!(
            "call mpi_{call}({}, {}, mpi_double_precision, {to}{c}, {}, {comm}, ierr)",
            w.sent.text, w.count, w.tag
        );
        let body = self.serial(depth);
        Some(if self.s.rng.chance(60) {
            Statement::together(vec![(receive, body)], send)
        } else {
            Statement::together(vec![(send, body)], receive)
        })
    }

    /// One process sends, another one receives.
    fn pair(&mut self, depth: usize) -> Option<Statement> {
        let c = self.letter();
        let w = self.way(c, true, &[])?;
        let (comm, st) = (self.comm(c), self.status());
        let (sender, receiver) = if self.s.rng.chance(50) {
            ("0".to_string(), format!("np{c}-1"))
        } else {
            (format!("np{c}-1"), "0".to_string())
        };
        let count = w.size.count();
        let (source, tag) = match self.s.rng.below(4) {
            0 => ("mpi_any_source".to_string(), w.tag.to_string()),
            _ => (sender.clone(), w.tag.to_string()),
        };
        let arguments = format!("{count}, mpi_double_precision, {source}, {tag}, {comm}");
        let sent = format!("{}, {count}, mpi_double_precision, {receiver}, {}, {comm}", w.sent.text, w.tag);
        let (first, second, third) = (self.serial(depth), self.serial(depth), self.serial(depth));
        let open = format!("if (me{c} == {sender} .and. np{c} > 1) then");
        let other = format!("else if (me{c} == {receiver} .and. np{c} > 1) then");
        let u = self.s.fresh();
        if self.s.rng.chance(50) {
            let send = format!("call mpi_send({sent}, ierr)\n{other}");
            let receive = format!("call mpi_recv({}, {arguments}, {st}, ierr)", w.received.text);
            return Some(Statement::together(vec![(open, first), (send, second), (receive, third)], "end if".into()));
        }
        let q = format!("rb{u}");
        self.own(&q, &format!("REQUEST :: {q}"));
        let held = super::buffers::Held { sent: vec![w.sent.group.clone()], received: vec![w.received.group.clone()] };
        let during = self.during(&held, |t| t.serial(depth));
        let also = self.during(&held, |t| t.serial(depth));
        let wait = format!("call mpi_wait({q}, mpi_status_ignore, ierr)");
        let parts = vec![
            (open, first),
            (format!("call mpi_isend({sent}, {q}, ierr)"), during),
            (format!("{wait}\n{other}\ncall mpi_irecv({}, {arguments}, {q}, ierr)", w.received.text), also),
            (wait, third),
        ];
        Some(Statement::together(parts, "end if".into()))
    }

    /// One process receives from all others, and answers.
    fn workers(&mut self, depth: usize) -> Option<Statement> {
        let c = self.letter();
        let var = self.s.free.pop()?;
        let made = self.workers_over(c, &var, depth);
        self.s.free.push(var);
        made
    }

    fn workers_over(&mut self, c: char, var: &str, depth: usize) -> Option<Statement> {
        let bg = self.s.arrays.iter().find(|a| a.name == "bg" && a.writable)?.clone();
        let bg = self.part(&bg, Size::Full, true);
        let w = self.way(c, false, &[&bg])?;
        let (comm, count, there, back) = (self.comm(c), w.size.count(), w.tag, self.next_tag());
        let receive = if self.s.rng.chance(50) {
            format!(
                "call mpi_recv(bg(1 + n*{var}:n + n*{var}), {count}, mpi_double_precision, {var}, {there}, {comm}, mpi_status_ignore, ierr)"
            )
        } else {
            let u = self.s.fresh();
            self.own(&format!("wk{u}"), &format!("real(8) :: wk{u}(n)"));
            format!(
                "call mpi_recv(wk{u}, {count}, mpi_double_precision, mpi_any_source, {there}, {comm}, st, ierr)\n\
                 ix = {}\nif ({count} > 0) bg(1 + n*ix:n*ix + {count}) = sin(wk{u}(1:{count}))",
                self.binding.source()
            )
        };
        let first = self.serial(depth);
        let second = self.serial(depth);
        let head = format!("if (me{c} == 0) then\ndo {var} = 1, np{c} - 1\n{receive}\nend do");
        let answer = format!(
            "do {var} = np{c} - 1, 1, -1\ncall mpi_send(bg(1 + n*{var}:n + n*{var}), {count}, mpi_double_precision, {var}, {back}, {comm}, \
             ierr)\nend do\nelse\ncall mpi_send({}, {count}, mpi_double_precision, 0, {there}, {comm}, ierr)",
            w.sent.text
        );
        let end = format!(
            "call mpi_recv({}, {count}, mpi_double_precision, 0, {back}, {comm}, mpi_status_ignore, ierr)\nend if\n\
             call mpi_barrier({comm}, ierr)",
            w.received.text
        );
        Some(Statement::together(vec![(head, first), (answer, second)], end))
    }

    /// Rows and blocks by datatypes.
    fn typed(&mut self) -> Option<Statement> {
        let c = self.letter();
        let comm = self.comm(c);
        let (to, from) = self.shift(c);
        let tag = self.next_tag();
        let dp = "mpi_double_precision";
        let text = match self.s.rng.below(5) {
            0 if self.s.square && self.binding != Binding::Types => {
                let b = self.buffer(Size::Full, true, true, &[])?;
                format!("cc(n,1), 1, tv, {to}, {tag}, {}, n, {dp}, {from}", b.text)
            }
            1 if self.s.square && self.binding != Binding::Types => {
                let b = self.buffer(Size::Full, false, true, &[])?;
                format!("{}, n, {dp}, {to}, {tag}, cc(1,1), 1, tv, {from}", b.text)
            }
            2 if self.s.square => {
                let b = self.buffer(Size::Full, true, true, &[])?;
                format!("cc, 1, ts, {to}, {tag}, {}, 1, tc, {from}", b.text)
            }
            3 if self.s.square => {
                let b = self.buffer(Size::Full, false, true, &[])?;
                format!("{}, 1, tc, {to}, {tag}, cc, 1, ts, {from}", b.text)
            }
            _ => {
                let names = self.s.full_names();
                if names.len() < 2 {
                    return None;
                }
                let a = self.s.rng.pick(&names).clone();
                let rest: Vec<String> = names.into_iter().filter(|n| *n != a).collect();
                let b = self.s.rng.pick(&rest).clone();
                format!("{a}, 1, ti, {to}, {tag}, {b}, 1, ti, {from}")
            }
        };
        let st = self.status();
        Some(Statement::Line(Node::leaf(format!("call mpi_sendrecv({text}, {tag}, {comm}, {st}, ierr)"))))
    }

    /// The ends of an array with margins go to its neighbours.
    fn halo(&mut self, depth: usize) -> Option<Vec<Statement>> {
        let h =
            self.s.arrays.iter().find(|a| a.margin > 0 && a.writable && a.name != "bg" && a.name != "bh")?.name.clone();
        let c = self.letter();
        let comm = self.comm(c);
        let (t, v) = (self.next_tag(), self.next_tag());
        let u = self.s.fresh();
        let q = format!("rh{u}");
        self.own(&q, &format!("REQUEST :: {q}(4)"));
        let (right, left) = if self.s.rng.chance(60) { ("up", "lo") } else { ("rt", "lt") };
        let dp = "mpi_double_precision";
        let begin = format!(
            "call mpi_irecv({h}(0), 1, {dp}, {left}{c}, {t}, {comm}, {q}(1), ierr)\n\
             call mpi_irecv({h}(n+1), 1, {dp}, {right}{c}, {v}, {comm}, {q}(2), ierr)\n\
             call mpi_isend({h}(n), 1, {dp}, {right}{c}, {t}, {comm}, {q}(3), ierr)\n\
             call mpi_isend({h}(1), 1, {dp}, {left}{c}, {v}, {comm}, {q}(4), ierr)"
        );
        let held = super::buffers::Held { sent: Vec::new(), received: vec![h.clone()] };
        let body = self.meanwhile(&held, depth);
        let end = format!("call mpi_waitall(4, {q}, mpi_statuses_ignore, ierr)");
        let step = Node::leaf(format!("{h}(1:n) = sin({h}(1:n) + 0.3d0*{h}(0:n-1)*{h}(2:n+1))"));
        Some(vec![Statement::together(vec![(begin, body)], end), Statement::Line(step)])
    }
}
