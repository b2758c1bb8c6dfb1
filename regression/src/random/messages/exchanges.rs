//! Messages from process to process: with a wait in one call, and begun here and completed there.

use super::buffers::{Buffer, Held, Size};
use super::{Binding, Talk};
use crate::random::syntax::{Node, Statement};

/// One direction of an exchange.
pub(super) struct Way {
    pub(super) sent: Buffer,
    pub(super) received: Buffer,
    pub(super) size: Size,
    /// What is sent: fewer elements than the receiver has room for, maybe.
    pub(super) count: String,
    pub(super) to: String,
    pub(super) from: String,
    pub(super) tag: usize,
}

/// Requests, and how they are named.
pub(super) struct Requests {
    names: Vec<String>,
    /// The array that they are in, if any.
    array: Option<String>,
}

impl Requests {
    /// Their names.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }
}

impl Talk {
    /// One of the communicators.
    pub(super) fn letter(&mut self) -> char {
        let comms = self.comms.clone();
        *self.s.rng.pick(&comms)
    }

    /// A shift in a ring or a line: to whom, from whom.
    pub(super) fn shift(&mut self, c: char) -> (String, String) {
        let names = [("up", "lo"), ("lo", "up"), ("rt", "lt"), ("lt", "rt")];
        let (to, from) = *self.s.rng.pick(&names);
        (format!("{to}{c}"), format!("{from}{c}"))
    }

    pub(super) fn status(&mut self) -> &'static str {
        if self.s.rng.chance(70) { "mpi_status_ignore" } else { "st" }
    }

    /// A direction; its buffers have nothing to do with others.
    pub(super) fn way(&mut self, c: char, kept: bool, other: &[&Buffer]) -> Option<Way> {
        let size = self.size();
        let received = self.buffer(size, true, kept, other)?;
        let apart: Vec<&Buffer> = other.iter().copied().chain([&received]).collect();
        let sent = self.buffer(size, false, kept, &apart)?;
        let (to, from) = self.shift(c);
        let count = match size {
            Size::Full if self.s.rng.chance(15) => format!("min(n, me{c} + 1)"),
            Size::Full if self.s.rng.chance(10) => "(n+1)/2".to_string(),
            _ => size.count().to_string(),
        };
        Some(Way { sent, received, size, count, to, from, tag: self.next_tag() })
    }

    /// A message and its answer in one call.
    pub(super) fn exchange(&mut self) -> Option<Statement> {
        let c = self.letter();
        let w = self.way(c, false, &[])?;
        let comm = self.comm(c);
        let st = self.status();
        let (from, tag) = self.wild(&w);
        let text = if self.s.rng.chance(25) {
            let (b, n) = (&w.received.text, w.size.count());
            format!(
                "call mpi_sendrecv_replace({b}, {n}, mpi_double_precision, {}, {}, {from}, {tag}, {comm}, {st}, ierr)",
                w.to, w.tag
            )
        } else {
            let sent = if self.s.rng.chance(15) && w.size == Size::Full {
                self.s.array(crate::random::scope::Extent::Full, 1).print()
            } else {
                w.sent.text.clone()
            };
            let sent = if sent.contains(&w.received.group) { w.sent.text.clone() } else { sent };
            format!(
                "call mpi_sendrecv({sent}, {}, mpi_double_precision, {}, {}, {}, {}, mpi_double_precision, {from}, {tag}, \
                 {comm}, {st}, ierr)",
                w.count,
                w.to,
                w.tag,
                w.received.text,
                w.size.count()
            )
        };
        Some(Statement::Line(Node::leaf(text)))
    }

    /// Source and tag of a receive: where one message alone can come, any will do.
    pub(super) fn wild(&mut self, w: &Way) -> (String, String) {
        // In a line the first process receives from nobody.
        let ring = w.from.starts_with("lt") || w.from.starts_with("rt");
        let from = if ring && self.s.rng.chance(20) { "mpi_any_source".to_string() } else { w.from.clone() };
        (from, w.tag.to_string())
    }

    /// Names of `count` requests.
    pub(super) fn requests(&mut self, count: usize) -> Requests {
        let u = self.s.fresh();
        let at = |base: &str| (1..=count).map(|k| format!("{base}({k})")).collect::<Vec<_>>();
        match self.s.rng.below(8) {
            0 | 1 => {
                let names: Vec<String> = (0..count).map(|k| format!("rs{u}_{k}")).collect();
                names.iter().for_each(|n| self.own(n, &format!("REQUEST :: {n}")));
                Requests { names, array: None }
            }
            2 => {
                if !self.module.iter().any(|(name, _)| name == "tq") {
                    let text = self.binding.typed("type tq\n  integer :: k\n  REQUEST :: rq(4)\nend type tq");
                    self.module.push(("tq".into(), text));
                }
                self.own(&format!("ob{u}"), &format!("type(tq) :: ob{u}"));
                let base = format!("ob{u}%rq");
                Requests { names: at(&base), array: Some(base) }
            }
            3 => {
                let base = format!("mq{u}");
                self.module.push((base.clone(), self.binding.typed(&format!("REQUEST :: {base}(4)"))));
                Requests { names: at(&base), array: Some(base) }
            }
            4 => {
                let base = format!("rp{u}");
                self.own(&base, &format!("REQUEST :: {base}(2, 4)"));
                let names = (1..=count).map(|k| format!("{base}(2, {k})")).collect();
                Requests { names, array: None }
            }
            _ => {
                let base = format!("rq{u}");
                self.own(&base, &format!("REQUEST :: {base}(4)"));
                Requests { names: at(&base), array: Some(base) }
            }
        }
    }

    /// Messages that are begun, with statements before they are completed.
    pub(super) fn begun(&mut self, depth: usize) -> Option<Vec<Statement>> {
        let c = self.letter();
        let (ways, held) = self.ways(c, 2)?;
        let comm = self.comm(c);
        let mut lines = Vec::new();
        let requests = self.requests(2 * ways.len());
        for (k, w) in ways.iter().enumerate() {
            let send = self.s.rng.text(&["isend", "isend", "issend"]);
            let (from, tag) = self.wild(w);
            let (r, s) = (&requests.names[2 * k], &requests.names[2 * k + 1]);
            let both = [
                format!(
                    "call mpi_irecv({}, {}, mpi_double_precision, {from}, {tag}, {comm}, {r}, ierr)",
                    w.received.text,
                    w.size.count()
                ),
                format!(
                    "call mpi_{send}({}, {}, mpi_double_precision, {}, {}, {comm}, {s}, ierr)",
                    w.sent.text, w.count, w.to, w.tag
                ),
            ];
            if self.s.rng.chance(70) { lines.extend(both) } else { lines.extend(both.into_iter().rev()) }
        }
        let begin = lines.join("\n");
        let mut out = vec![self.completed(begin, &ways, &held, &requests, depth)];
        out.extend(self.small(&ways));
        Some(out)
    }

    /// Directions whose buffers have nothing to do with each other, or share what is sent.
    pub(super) fn ways(&mut self, c: char, most: usize) -> Option<(Vec<Way>, Held)> {
        let mut ways: Vec<Way> = Vec::new();
        let mut held = Held::default();
        for _ in 0..=self.s.rng.below(most) {
            let other: Vec<Buffer> = ways.iter().flat_map(|w| [w.sent.clone(), w.received.clone()]).collect();
            let list: Vec<&Buffer> = other.iter().collect();
            let Some(mut w) = self.way(c, true, &list) else { break };
            let shared = self.s.rng.chance(25);
            if let Some(first) = ways.first().filter(|f| shared && f.size == w.size) {
                w.sent = first.sent.clone();
            }
            held.sent.push(w.sent.group.clone());
            held.received.push(w.received.group.clone());
            ways.push(w);
        }
        if ways.is_empty() { None } else { Some((ways, held)) }
    }

    /// What was received, kept small where it may come again.
    pub(super) fn small(&mut self, ways: &[Way]) -> Vec<Statement> {
        if !self.s.bounded_only || self.s.rng.chance(60) {
            return Vec::new();
        }
        ways.iter().map(|w| Statement::Line(Node::leaf(w.received.bounded.clone()))).collect()
    }

    /// The completion of what was begun by some lines.
    fn completed(&mut self, begin: String, ways: &[Way], held: &Held, q: &Requests, depth: usize) -> Statement {
        let count = q.names.len();
        let Some(array) = q.array.clone() else { return self.one_by_one(begin, ways, held, q, depth) };
        let body = self.meanwhile(held, depth);
        let st = self.status();
        let var = self.s.free.last().cloned();
        let (before, end) = match (self.s.rng.below(9), var) {
            (0..=2, _) => {
                let all = if self.s.rng.chance(70) { format!("{array}(1:{count})") } else { array };
                (String::new(), format!("call mpi_waitall({count}, {all}, mpi_statuses_ignore, ierr)"))
            }
            (3, Some(var)) => {
                let used = self.used_at_once(&begin, ways, held, q);
                let wait = format!("call mpi_waitany({count}, {array}, ix, {st}, ierr){used}");
                (String::new(), format!("do {var} = 1, {count}\n{wait}\nend do"))
            }
            (4, _) => {
                let c = format!("kc{}", self.s.fresh());
                self.own(&c, &format!("integer :: {c}"));
                let call = self.s.rng.text(&["waitsome", "testsome"]);
                let some = format!("call mpi_{call}({count}, {array}, oc, ixs, mpi_statuses_ignore, ierr)");
                let loops = format!("do while ({c} < {count})\n{some}\nif (oc > 0) {c} = {c} + oc\nend do");
                (format!("\n{c} = 0"), loops)
            }
            (5, _) => {
                let test = format!("call mpi_testall({count}, {array}, fl, mpi_statuses_ignore, ierr)");
                // Statements between may test others, and leave the flag set.
                (String::new(), format!("do\n{test}\nif (fl) exit\nend do"))
            }
            (6, Some(var)) => {
                (String::new(), format!("do {var} = 1, {count}\ncall mpi_wait({array}({var}), {st}, ierr)\nend do"))
            }
            _ => {
                let rest = self.one_by_one(begin, ways, held, q, depth);
                let Statement::Together { mut parts, end } = rest else { return rest };
                parts[0].body.splice(0..0, body);
                return Statement::Together { parts, end };
            }
        };
        Statement::together(vec![(begin + &before, body)], end)
    }

    /// What the first message has brought is used as soon as it is there.
    fn used_at_once(&mut self, begin: &str, ways: &[Way], held: &Held, q: &Requests) -> String {
        let first = &ways[0].received;
        let t = self.s.rng.pick(&self.s.scalars.clone()).clone();
        let g = self.s.group(&t);
        // MPICH's `mpi_waitany` of the module mpi_f08 (4.0.2) counts the requests from 0, where others count from 1.
        if self.binding == Binding::Types || g == first.group || held.sent.contains(&g) || held.received.contains(&g) {
            return String::new();
        }
        let of_first = |line: &&str| line.contains(&format!("irecv({}", first.text));
        let line = begin.lines().find(of_first).unwrap_or_default();
        let at = 1 + q.names.iter().position(|n| line.contains(n.as_str())).unwrap_or(0);
        format!("\nif (ix == {at}) {t} = 0.5d0*{t} + sin({})", first.element)
    }

    /// Each request is waited for by itself, with statements between that may use what is there.
    fn one_by_one(&mut self, begin: String, ways: &[Way], held: &Held, q: &Requests, depth: usize) -> Statement {
        let mut order: Vec<usize> = (0..q.names.len()).collect();
        for k in (1..order.len()).rev() {
            let j = self.s.rng.below(k + 1);
            order.swap(j, k);
        }
        let mut open: Vec<usize> = order.clone();
        let mut now = held.clone();
        let (mut parts, mut text) = (Vec::new(), begin);
        for k in order {
            let body = self.meanwhile(&now, depth);
            parts.push((text, body));
            let st = self.status();
            text = if self.s.rng.chance(80) {
                format!("call mpi_wait({}, {st}, ierr)", q.names[k])
            } else {
                format!("fl = .false.\ndo while (.not. fl)\ncall mpi_test({}, fl, {st}, ierr)\nend do", q.names[k])
            };
            open.retain(|o| *o != k);
            now = Held::default();
            for o in &open {
                let w = &ways[o / 2];
                // Either request of a pair may be the send: both buffers stay.
                now.sent.push(w.sent.group.clone());
                now.received.push(w.received.group.clone());
            }
        }
        Statement::together(parts, text)
    }

    /// Persistent requests, started in a loop.
    pub(super) fn persistent(&mut self, depth: usize) -> Option<Vec<Statement>> {
        let c = self.letter();
        let var = self.s.free.pop()?;
        let made = self.persistent_over(c, &var, depth);
        self.s.free.push(var);
        made
    }

    fn persistent_over(&mut self, c: char, var: &str, depth: usize) -> Option<Vec<Statement>> {
        let (ways, held) = self.ways(c, 2)?;
        let comm = self.comm(c);
        let q = self.requests(2 * ways.len());
        let (count, array) = (q.names.len(), q.array.clone()?);
        let mut lines = Vec::new();
        for (w, r) in ways.iter().zip(q.names.chunks(2)) {
            let (b, n) = (&w.received.text, w.size.count());
            let tail = format!("{}, {comm}", w.tag);
            lines.push(format!(
                "call mpi_recv_init({b}, {n}, mpi_double_precision, {}, {tail}, {}, ierr)",
                w.from, r[0]
            ));
            let (b, n) = (&w.sent.text, &w.count);
            lines.push(format!("call mpi_send_init({b}, {n}, mpi_double_precision, {}, {tail}, {}, ierr)", w.to, r[1]));
        }
        let range = self.s.rng.text(&["1, 3", "1, 2", "1, n", "1, 1"]);
        lines.push(format!("do {var} = {range}"));
        let each = |call: &str, before: &str| {
            let line = |n: &String| format!("call mpi_{call}({n}{before}, ierr)");
            q.names.iter().rev().map(line).collect::<Vec<_>>().join("\n")
        };
        let start = format!("call mpi_startall({count}, {array}, ierr)");
        let start = if self.s.rng.chance(60) { start } else { each("start", "") };
        let wait = format!("call mpi_waitall({count}, {array}, mpi_statuses_ignore, ierr)");
        let wait = if self.s.rng.chance(60) { wait } else { each("wait", ", mpi_status_ignore") };
        let again = std::mem::replace(&mut self.s.bounded_only, true);
        let before = self.serial(depth);
        let body = self.meanwhile(&held, depth);
        let mut after = self.serial(depth);
        after.extend(self.small(&ways));
        self.s.bounded_only = again;
        let parts = vec![(lines.join("\n"), before), (start, body), (wait, after)];
        Some(vec![Statement::together(parts, format!("end do\n{}", each("request_free", "")))])
    }
}
