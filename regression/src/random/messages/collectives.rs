//! Collective calls, with and without waiting.

use super::buffers::{Buffer, Held, Size};
use super::{Binding, Talk};
use crate::random::syntax::{Node, Statement};

const DP: &str = "mpi_double_precision";

/// A call without its communicator, and what it needs.
struct Call {
    /// Its name.
    name: &'static str,
    /// Its arguments before the communicator.
    arguments: String,
    held: Held,
    /// Assignments that keep what it computes small.
    bounded: Vec<String>,
    /// It may be begun and waited for.
    begins: bool,
}

impl Talk {
    /// A collective call.
    pub(super) fn collective(&mut self, depth: usize) -> Option<Vec<Statement>> {
        let c = self.letter();
        let comm = self.comm(c);
        let call = match self.s.rng.below(12) {
            0 => self.broadcast(c)?,
            1..=4 => self.reduction(c)?,
            5..=9 => self.redistribution(c)?,
            10 if self.comms.contains(&'c') => return self.neighbours(),
            10 => return self.integers(c),
            _ => return self.in_place_at_root(c),
        };
        let mut out = Vec::new();
        let kept =
            !call.arguments.contains("n:1:-1") && !call.arguments.contains(":n:2") && !call.arguments.contains('%');
        if call.begins && kept && self.s.rng.chance(40) {
            let u = self.s.fresh();
            let q = format!("ri{u}");
            self.own(&q, &format!("REQUEST :: {q}"));
            let body = self.meanwhile(&call.held, depth);
            let begin = format!("call mpi_i{}({}, {comm}, {q}, ierr)", call.name, call.arguments);
            let end = if self.s.rng.chance(80) {
                format!("call mpi_wait({q}, mpi_status_ignore, ierr)")
            } else {
                format!("fl = .false.\ndo while (.not. fl)\ncall mpi_test({q}, fl, mpi_status_ignore, ierr)\nend do")
            };
            out.push(Statement::together(vec![(begin, body)], end));
        } else {
            let text = format!("call mpi_{}({}, {comm}, ierr)", call.name, call.arguments);
            out.push(Statement::Line(Node::leaf(text)));
        }
        if self.s.bounded_only || self.s.rng.chance(30) {
            out.extend(call.bounded.into_iter().map(|b| Statement::Line(Node::leaf(b))));
        }
        Some(out)
    }

    fn root(&mut self, c: char) -> String {
        self.s.rng.text(&["0", &format!("np{c}-1"), &format!("np{c}/2")])
    }

    fn operation(&mut self) -> String {
        self.s.rng.text(&["mpi_sum", "mpi_sum", "mpi_sum", "mpi_max", "mpi_min", "mpi_prod"])
    }

    fn broadcast(&mut self, c: char) -> Option<Call> {
        let size = self.size();
        let b = self.buffer(size, true, false, &[])?;
        let root = self.root(c);
        Some(Call {
            name: "bcast",
            arguments: format!("{}, {}, {DP}, {root}", b.text, size.count()),
            held: Held { sent: Vec::new(), received: vec![b.group] },
            bounded: Vec::new(),
            begins: true,
        })
    }

    /// What a reduction gives and what it takes. With `mpi_f08` a section with a stride is a datatype to MPICH (4.0.2), of which
    /// it computes no sums.
    fn reduced(&mut self, size: Size) -> Option<[Buffer; 2]> {
        let dense = self.binding == Binding::Types;
        let b = self.buffer(size, true, dense, &[])?;
        let a = self.buffer(size, false, dense, &[&b])?;
        Some([b, a])
    }

    fn reduction(&mut self, c: char) -> Option<Call> {
        let size = self.size();
        let [b, a] = self.reduced(size)?;
        let (op, root, count) = (self.operation(), self.root(c), size.count());
        let both = format!("{}, {}, {count}, {DP}, {op}", a.text, b.text);
        let alone = format!("mpi_in_place, {}, {count}, {DP}, {op}", b.text);
        let (name, arguments) = match self.s.rng.below(8) {
            0 | 1 => ("reduce", format!("{both}, {root}")),
            2 | 3 => ("allreduce", both),
            4 => ("allreduce", alone),
            5 => ("scan", both),
            6 => ("scan", alone),
            _ => ("allreduce", both),
        };
        Some(Call {
            name,
            arguments,
            held: Held { sent: vec![a.group], received: vec![b.group] },
            bounded: vec![b.bounded],
            begins: true,
        })
    }

    /// One of the large arrays.
    fn large(&self, name: &str, set: bool) -> Option<Buffer> {
        self.s.arrays.iter().find(|a| a.name == name && (a.writable || !set))?;
        let from = if self.binding == Binding::Types { "1:" } else { "1" };
        Some(Buffer {
            text: format!("{name}({from})"),
            group: name.to_string(),
            bounded: format!("{name} = sin({name})"),
            element: format!("{name}(1)"),
        })
    }

    /// Blocks that go to or come from all processes.
    fn redistribution(&mut self, c: char) -> Option<Call> {
        let (first, second) = if self.s.rng.chance(50) { ("bg", "bh") } else { ("bh", "bg") };
        let size = if self.s.rng.chance(70) { Size::Full } else { self.size() };
        let (name, arguments, sent, received) = match self.s.rng.below(15) {
            k @ 0..=3 => self.collected(c, k, first, size)?,
            k @ 4..=8 => self.dealt(c, k, first, size)?,
            9 => {
                let all = self.large(first, true)?;
                let none = if self.s.rng.chance(50) { "mpi_datatype_null" } else { DP };
                let arguments = format!("mpi_in_place, 0, {none}, {}, {}, {DP}", all.text, size.count());
                ("allgather", arguments, all.clone(), all)
            }
            k => {
                let (to, from) = (self.large(second, true)?, self.large(first, false)?);
                let (f, t, n, cs, ds) = (&from.text, &to.text, size.count(), format!("cs{c}"), format!("ds{c}"));
                let (name, arguments) = match k {
                    10 | 11 => ("alltoall", format!("{f}, {n}, {DP}, {t}, {n}, {DP}")),
                    12 => ("alltoall", format!("mpi_in_place, 0, {DP}, {t}, {n}, {DP}")),
                    _ => ("alltoallv", format!("{f}, {cs}, {ds}, {DP}, {t}, {cs}, {ds}, {DP}")),
                };
                (name, arguments, from, to)
            }
        };
        let bounded = if name.starts_with("reduce") { vec![received.bounded.clone()] } else { Vec::new() };
        let held = Held { sent: vec![sent.group], received: vec![received.group] };
        Some(Call { name, arguments, held, bounded, begins: true })
    }

    /// From all processes to one or all of them.
    fn collected(
        &mut self,
        c: char,
        k: usize,
        all: &str,
        size: Size,
    ) -> Option<(&'static str, String, Buffer, Buffer)> {
        let (root, all, n) = (self.root(c), self.large(all, true)?, size.count());
        let a = self.buffer(size, false, true, &[&all])?;
        let (t, g) = (&a.text, &all.text);
        // With other counts the part must begin where there is room for them.
        let part = format!("{}(1:n), ct{c}(me{c}+1), {DP}, {g}, ct{c}, ds{c}, {DP}", a.group);
        let (name, arguments) = match k {
            0 => ("gather", format!("{t}, {n}, {DP}, {g}, {n}, {DP}, {root}")),
            1 => ("allgather", format!("{t}, {n}, {DP}, {g}, {n}, {DP}")),
            2 if size == Size::Full => ("gatherv", format!("{part}, {root}")),
            3 if size == Size::Full => ("allgatherv", part),
            _ => return None,
        };
        Some((name, arguments, a, all))
    }

    /// From one process to all, or parts of sums over all.
    fn dealt(&mut self, c: char, k: usize, all: &str, size: Size) -> Option<(&'static str, String, Buffer, Buffer)> {
        let (root, all, n) = (self.root(c), self.large(all, false)?, size.count());
        let b = self.buffer(size, true, true, &[&all])?;
        let (t, g, part, op) = (&b.text, &all.text, format!("{}(1:n)", b.group), self.operation());
        let (name, arguments) = match k {
            4 => ("scatter", format!("{g}, {n}, {DP}, {t}, {n}, {DP}, {root}")),
            5 if size == Size::Full => {
                ("scatterv", format!("{g}, ct{c}, ds{c}, {DP}, {part}, ct{c}(me{c}+1), {DP}, {root}"))
            }
            6 | 7 => ("reduce_scatter_block", format!("{g}, {t}, {n}, {DP}, {op}")),
            8 if size == Size::Full => ("reduce_scatter", format!("{g}, {part}, ct{c}, {DP}, {op}")),
            _ => return None,
        };
        Some((name, arguments, all, b))
    }

    /// With the neighbours of the ring.
    fn neighbours(&mut self) -> Option<Vec<Statement>> {
        let to = self.large("bg", true)?;
        let size = if self.s.rng.chance(70) { Size::Full } else { self.size() };
        let n = size.count();
        let text = if self.s.rng.chance(50) {
            let a = self.buffer(size, false, true, &[&to])?;
            format!("call mpi_neighbor_allgather({}, {n}, {DP}, {}, {n}, {DP}, cmc, ierr)", a.text, to.text)
        } else {
            let from = self.large("bh", false)?;
            format!("call mpi_neighbor_alltoall({}, {n}, {DP}, {}, {n}, {DP}, cmc, ierr)", from.text, to.text)
        };
        Some(vec![Statement::Line(Node::leaf(text))])
    }

    /// Integers are passed, too.
    fn integers(&mut self, c: char) -> Option<Vec<Statement>> {
        let (comm, root) = (self.comm(c), self.root(c));
        let p = self.s.rng.pick(&self.s.positions.clone()).clone();
        let text = if self.s.rng.chance(50) {
            format!("call mpi_bcast({p}, 1, mpi_integer, {root}, {comm}, ierr)")
        } else {
            format!("call mpi_allreduce(mpi_in_place, {p}, 1, mpi_integer, mpi_max, {comm}, ierr)")
        };
        Some(vec![Statement::Line(Node::leaf(text))])
    }

    /// The root has its part in place; and sums of those before, where the first process has none.
    fn in_place_at_root(&mut self, c: char) -> Option<Vec<Statement>> {
        let (comm, root, size) = (self.comm(c), self.root(c), self.size());
        let n = size.count();
        let k = self.s.rng.below(4);
        if k == 3 {
            let [b, a] = self.reduced(size)?;
            let op = self.operation();
            let sent = if self.s.rng.chance(30) { "mpi_in_place".to_string() } else { a.text };
            let mut parts =
                vec![(format!("call mpi_exscan({sent}, {}, {n}, {DP}, {op}, {comm}, ierr)", b.text), Vec::new())];
            let whole = b.bounded.split(" = ").next().unwrap_or_default().to_string();
            parts.push((format!("if (me{c} == 0) {whole} = 0.3d0"), Vec::new()));
            return Some(vec![Statement::together(parts, b.bounded)]);
        }
        let all = self.large("bg", true)?;
        let b = self.buffer(size, true, true, &[&all])?;
        let (t, g) = (&b.text, &all.text);
        let op = self.operation();
        let (at_root, elsewhere) = match k {
            0 => (
                format!("reduce(mpi_in_place, {t}, {n}, {DP}, {op}, {root}, {comm}, ierr)"),
                format!("reduce({t}, {g}, {n}, {DP}, {op}, {root}, {comm}, ierr)"),
            ),
            1 => (
                format!("gather(mpi_in_place, {n}, {DP}, {g}, {n}, {DP}, {root}, {comm}, ierr)"),
                format!("gather({t}, {n}, {DP}, {g}, {n}, {DP}, {root}, {comm}, ierr)"),
            ),
            _ => (
                format!("scatter({g}, {n}, {DP}, mpi_in_place, {n}, {DP}, {root}, {comm}, ierr)"),
                format!("scatter({g}, {n}, {DP}, {t}, {n}, {DP}, {root}, {comm}, ierr)"),
            ),
        };
        let first = self.serial(0);
        let parts = vec![
            (format!("if (me{c} == {root}) then"), first),
            (format!("call mpi_{at_root}\nelse\ncall mpi_{elsewhere}"), Vec::new()),
        ];
        let mut out = vec![Statement::together(parts, "end if".into())];
        if k == 0 {
            out.push(Statement::Line(Node::leaf(b.bounded)));
        }
        Some(out)
    }
}
