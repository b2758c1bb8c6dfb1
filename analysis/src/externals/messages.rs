//! Procedures that pass messages between processes: which arguments are buffers, and what has to be kept for the backward
//! sweep. Their buffers may be of any type and rank, so that they have no declaration: one is made for each kind of calls.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use costate_grammar::ir::{Callee, Name, Program, SymId};
use serde::Deserialize;

use super::External;
use super::blocks::Blocks;

/// The module with the derivatives of these procedures.
pub const MODULE: &str = "costate_mpi";

/// The name of what tells the run-time library where received data are stored.
pub const ARRIVED: &str = "costate_mpi_arrived";

/// The names of what tells it what persistent requests send and receive when they are started.
pub const LEAVING: &str = "costate_mpi_leaving";
/// See [`LEAVING`].
pub const AWAITING: &str = "costate_mpi_awaiting";

/// The name of what a head that passes messages starts with.
pub const BEGIN: &str = "costate_mpi_begin";

/// The name of what makes the messages in a new communicator tell apart from those in others of the same processes.
pub const NEW_COMMUNICATOR: &str = "costate_mpi_communicator";

/// What a procedure has to do with messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Traffic {
    /// All processes of a communicator take part, and the call alone tells what becomes of its buffers.
    Collective,
    /// The same in a branch: other processes may run another call in their turn.
    Branched,
    /// It sends a message to another process, or begins to.
    Sends,
    /// It receives one, or begins to.
    Receives,
    /// Both.
    Exchanges,
    /// It makes a persistent request, and leaves the buffer alone until that is started.
    SendsLater,
    /// The same for a receive.
    ReceivesLater,
    /// It begins to send or receive what persistent requests were made for.
    Starts,
    /// It completes what others have begun.
    Completes,
    /// It frees what the backward sweep still uses.
    Frees,
    /// It passes messages without derivatives, or does something with other processes.
    Passive,
    /// It asks something that this process knows by itself.
    Local,
}

impl Traffic {
    /// True where other processes take part: all of them run such calls equally often.
    pub fn communicates(self) -> bool {
        self != Traffic::Local
    }

    /// True where derivatives pass between processes by messages that are matched by others.
    pub fn is_matched(self) -> bool {
        !matches!(self, Traffic::Collective | Traffic::Passive | Traffic::Local)
    }

    /// True where a request may stand for what isn't complete yet.
    pub fn begins(self) -> bool {
        matches!(self, Traffic::Sends | Traffic::Receives | Traffic::Starts) || self.prepares()
    }

    /// True where a persistent request is made.
    pub fn prepares(self) -> bool {
        matches!(self, Traffic::SendsLater | Traffic::ReceivesLater)
    }
}

/// What becomes of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is read.
    Sent,
    /// All of it gets other values.
    Assigned,
    /// Some of it, on some processes, gets other values.
    Received,
    /// It is sent and gets other values.
    Replaced,
}

/// A buffer among the arguments.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// What becomes of it.
    pub role: Role,
    /// The argument that is the number of its elements.
    pub count: Option<Name>,
    /// The argument that is their type.
    pub datatype: Option<Name>,
    /// What tells their number otherwise.
    pub blocks: Option<Blocks>,
}

/// A procedure that passes messages.
#[derive(Clone, Debug)]
pub struct Message {
    /// Its arguments in order.
    pub arguments: Vec<Name>,
    /// Those that are buffers.
    pub buffers: BTreeMap<Name, Buffer>,
    /// What it changes beside buffers.
    pub changes: BTreeSet<Name>,
    /// What it has to do with messages.
    pub traffic: Traffic,
    /// The argument that says how values of several processes become one.
    pub reduces: Option<Name>,
    /// The buffer in whose place `MPI_IN_PLACE` may stand.
    pub in_place: Option<Name>,
    /// The argument that is a new communicator.
    pub makes: Option<Name>,
    /// It puts its buffer into a packed one, or takes it from there.
    pub packs: bool,
    /// Its buffers may be packed ones.
    pub packed: bool,
    /// What is known of its derivatives.
    row: External,
}

impl Message {
    /// True where it receives a message that was found before.
    fn is_found(&self) -> bool {
        self.arguments.iter().any(|a| a.as_str() == "message") && !self.buffers.is_empty()
    }

    /// True where the program goes on while data arrive in the buffers.
    pub fn arrives_later(&self) -> bool {
        let begins = match self.traffic {
            Traffic::Collective | Traffic::Branched | Traffic::Receives | Traffic::ReceivesLater => true,
            Traffic::Exchanges | Traffic::Passive => true,
            Traffic::Sends | Traffic::SendsLater | Traffic::Starts | Traffic::Completes => false,
            Traffic::Frees | Traffic::Local => false,
        };
        begins && self.arguments.iter().any(|a| is_request(a))
    }
}

/// A row as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Row {
    names: String,
    arguments: String,
    #[serde(default)]
    sends: BTreeMap<String, String>,
    #[serde(default)]
    assigns: BTreeMap<String, String>,
    #[serde(default)]
    receives: BTreeMap<String, String>,
    #[serde(default)]
    replaces: BTreeMap<String, String>,
    /// What [`Blocks`] buffers consist of.
    #[serde(default)]
    blocks: BTreeMap<String, String>,
    #[serde(default)]
    changes: String,
    part: Option<Traffic>,
    reduces: Option<String>,
    in_place: Option<String>,
    makes: Option<String>,
    /// It packs or unpacks.
    #[serde(default)]
    packs: bool,
    /// What it passes may be packed.
    #[serde(default)]
    packed: bool,
    /// In the forward sweep runs a procedure that keeps what the adjoint needs to know of the messages.
    #[serde(default)]
    records: bool,
    /// Of all arguments but buffers the adjoint uses what was kept.
    #[serde(default)]
    recorded: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    message: Vec<Row>,
    known: Vec<Known>,
}

/// Procedures of which only the names of the arguments are known.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    names: String,
    arguments: String,
    changes: String,
}

fn table() -> &'static File {
    static TABLE: OnceLock<File> = OnceLock::new();
    // A test reads it.
    TABLE.get_or_init(|| {
        toml::from_str(include_str!("mpi.toml")).unwrap_or(File { message: Vec::new(), known: Vec::new() })
    })
}

/// The table of the message passing interface.
pub fn messages() -> &'static BTreeMap<Name, Message> {
    static KNOWN: OnceLock<BTreeMap<Name, Message>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let named =
            |row: &Row| row.names.split_whitespace().map(|n| (Name::new(n), row.message(n))).collect::<Vec<_>>();
        table().message.iter().flat_map(named).collect()
    })
}

/// Arguments of a procedure.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Their names in order.
    pub names: Vec<Name>,
    /// Those that get other values, buffers apart.
    pub changes: BTreeSet<Name>,
}

/// The arguments of a procedure, by its name without the `p` of the profiling interface, where they are known.
pub fn arguments(procedure: &str) -> Option<&'static Arguments> {
    static KNOWN: OnceLock<BTreeMap<Name, Arguments>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let words = |text: &str| text.split_whitespace().map(Name::new).collect::<Vec<_>>();
        let rows = table().known.iter().map(|row| (&row.names, &row.arguments, &row.changes));
        let rows = rows.chain(table().message.iter().map(|row| (&row.names, &row.arguments, &row.changes)));
        let list = |(names, arguments, changes): (&String, &String, &String)| {
            let arguments = Arguments { names: words(arguments), changes: words(changes).into_iter().collect() };
            words(names).into_iter().map(|n| (n, arguments.clone())).collect::<Vec<_>>()
        };
        rows.flat_map(list).collect()
    });
    known.get(procedure)
}

/// True for a procedure with an argument of any type: not every MPI has it in its module `mpi`, though a program that uses the
/// module may call it.
pub fn takes_any_type(procedure: &str) -> bool {
    let of_any_type = |name: &Name| name.ends_with("buf") || ["buffer", "location", "base"].contains(&name.as_str());
    let name = procedure.strip_prefix('p').filter(|n| is_of_mpi(n)).unwrap_or(procedure);
    arguments(name).is_some_and(|a| a.names.iter().any(of_any_type))
}

/// What an argument of this name is a handle of (MPI 4.0, section 2.5.1).
pub fn handle(argument: &str) -> Option<&'static str> {
    Some(match argument {
        "comm" | "newcomm" | "comm_old" | "comm_cart" | "comm_graph" | "comm_dist_graph" => COMMUNICATOR,
        "datatype" | "sendtype" | "recvtype" | "oldtype" | "newtype" | "array_of_types" => "datatype",
        "op" => "operation",
        "group" | "group1" | "group2" | "newgroup" => "group",
        "win" => "window",
        "fh" => "file",
        "info" => "info object",
        "message" => "message",
        _ if is_request(argument) => REQUEST,
        _ => return None,
    })
}

/// What [`handle`] says of communicators.
pub const COMMUNICATOR: &str = "communicator";
/// The same of requests.
pub const REQUEST: &str = "request";

/// The procedure of MPI that is called, by its name without the `p` of the profiling interface.
pub fn called(program: &Program, callee: &Callee) -> Option<(Name, SymId)> {
    let Callee::Proc { sym, .. } = callee else { return None };
    let symbol = &program[*sym];
    let procedure = symbol.procedure()?;
    let outside = procedure.definition.is_none() && procedure.dummy.is_none() && !procedure.pointer;
    let name = symbol.name.strip_prefix('p').filter(|n| is_of_mpi(n)).unwrap_or(&symbol.name);
    (outside && is_of_mpi(name)).then(|| (Name::new(name), *sym))
}

/// True where a call of a procedure of MPI only uses one of its arguments: the number of a message's elements, say.
pub fn only_uses(program: &Program, callee: &Callee, k: usize, keyword: Option<&Name>) -> bool {
    let message = called(program, callee).and_then(|(name, _)| messages().get(&name));
    let Some((message, name)) = message.and_then(|m| Some((m, keyword.or_else(|| m.arguments.get(k))?))) else {
        return false;
    };
    let sent = message.buffers.get(name).is_none_or(|b| b.role == Role::Sent);
    sent && message.arguments.contains(name) && !message.changes.contains(name) && message.makes.as_ref() != Some(name)
}

/// True for a name of the message passing interface.
pub fn is_of_mpi(name: &str) -> bool {
    name.starts_with("mpi_") || name.starts_with("pmpi_")
}

/// The row of what a procedure's name stands for, be it MPI's own, a declaration's of a kind of calls, or a derivative's.
pub fn message_of(name: &str) -> Option<&'static Message> {
    let name = name.strip_prefix("costate_").or(name.strip_prefix('p').filter(|n| is_of_mpi(n))).unwrap_or(name);
    let stands = |known: &Name| {
        let rest = name.strip_prefix(known.as_str());
        rest.is_some_and(|r| r.is_empty() || r.starts_with('_') || r.starts_with(' '))
    };
    // `mpi_ireduce` begins `mpi_ireduce_scatter`, too.
    messages().iter().filter(|(known, _)| stands(known)).max_by_key(|(known, _)| known.len()).map(|(_, m)| m)
}

/// True for the name of an argument that is a request, or several.
pub fn is_request(argument: &str) -> bool {
    matches!(argument, "request" | "array_of_requests")
}

/// Ends of the names of what calls are made to call: buffers in place, sums that aren't all there is, no derivatives.
const IN_PLACE: &str = " in place";
const BY_VALUE: &str = " by value";
const PACKED: &str = " of packed data";
const PASSIVE: &str = " without derivatives";
const ELSEWHERE: &str = " elsewhere";
const UNKNOWN: &str = " with unknown effect";
/// The same of calls that pass what lies at addresses, of which nobody knows here whose they are.
pub const ANYWHERE: &str = " at any address";
/// The same of collective calls that not all processes may run.
pub const BRANCHED: &str = " in a branch";

/// Which kind of calls a declaration is for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// `MPI_IN_PLACE` stands for a buffer.
    pub in_place: bool,
    /// Values become one by another operation than their sum.
    pub by_value: bool,
    /// Buffers hold real values in packed form.
    pub packed: bool,
    /// No buffer can have a derivative.
    pub passive: bool,
    /// It completes what was begun in other procedures.
    pub elsewhere: bool,
    /// It is a collective call in a branch.
    pub branched: bool,
    /// What it does isn't known, or not for such buffers.
    pub unknown: bool,
    /// It passes variables by their addresses that can't be named where it stands.
    pub anywhere: bool,
}

impl Kind {
    /// The name of such calls, by which [`row_of`] finds what is known of them.
    pub fn name(self, of: &str) -> Name {
        let ends = [
            (self.in_place, IN_PLACE),
            (self.by_value, BY_VALUE),
            (self.unknown, UNKNOWN),
            (self.anywhere, ANYWHERE),
            (self.elsewhere, ELSEWHERE),
            (self.packed, PACKED),
            (self.passive, PASSIVE),
            (self.branched && !self.passive && !self.packed, BRANCHED),
        ];
        let ends: String = ends.iter().filter(|(is, _)| *is).map(|(_, end)| *end).collect();
        Name::new(&format!("{of}{ends}"))
    }
}

/// What is known of calls of a kind.
pub(super) fn row_of(name: &str) -> Option<Arc<External>> {
    if let Some(of) = name.strip_suffix(PASSIVE) {
        if let Some(message) = messages().get(of).filter(|m| m.traffic.prepares() || m.is_found()) {
            return Some(Arc::new(message.row.named(&format!("{}_passive", own_name(of)))));
        }
        let traffic = if asks_only(of) { Traffic::Local } else { Traffic::Passive };
        return Some(Arc::new(External { inactive: true, traffic: Some(traffic), ..External::default() }));
    }
    let (name, branched) = ending(name, BRANCHED);
    let (name, elsewhere) = ending(name, ELSEWHERE);
    let (name, _) = ending(name, ANYWHERE);
    if let Some(message) = name.strip_suffix(PACKED).and_then(|of| messages().get(of)) {
        return Some(Arc::new(message.packed_row(name)));
    }
    if name.ends_with(UNKNOWN) {
        // What is begun before is completed by it, or it passes on whatever it is given.
        let traffic = if elsewhere { Traffic::Completes } else { Traffic::Exchanges };
        return Some(Arc::new(External { traffic: Some(traffic), ..External::default() }));
    }
    let (name, by_value) = ending(name, BY_VALUE);
    let (name, in_place) = ending(name, IN_PLACE);
    let message = messages().get(name)?;
    let mut row = message.row.clone();
    if branched {
        row.traffic = Some(Traffic::Branched);
    }
    if by_value {
        row.values.retain(|argument, _| !message.buffers.contains_key(argument));
    }
    if in_place {
        row = row.named(&format!("{}_in_place", own_name(name)));
        row.without.extend(message.in_place.clone());
    }
    if elsewhere {
        row.derivatives = [None, None];
    }
    Some(Arc::new(row))
}

impl Message {
    /// What is known of calls with packed buffers: the library keeps their derivatives, and calls pass none.
    fn packed_row(&self, name: &str) -> External {
        let of = name.strip_suffix(PACKED).unwrap_or(name);
        let collective = matches!(self.traffic, Traffic::Collective | Traffic::Branched);
        External {
            // Which one is told below.
            forward: Some(Name::new("")),
            values: self.arguments.iter().map(|a| (a.clone(), BTreeSet::new())).collect(),
            traffic: Some(if collective { Traffic::Exchanges } else { self.traffic }),
            ..self.row.clone()
        }
        .named(&format!("{}_packed", own_name(of)))
    }
}

impl External {
    /// The same with derivatives of another name.
    fn named(&self, own: &str) -> Self {
        let derivatives = ["d", "b"].map(|letter| Some(Name::new(&format!("{own}_{letter}"))));
        let forward = self.forward.as_ref().map(|_| Name::new(&format!("{own}_fwd")));
        Self { derivatives, forward, ..self.clone() }
    }
}

fn ending<'n>(name: &'n str, end: &str) -> (&'n str, bool) {
    name.strip_suffix(end).map_or((name, false), |short| (short, true))
}

/// True for procedures by which a process reaches memory of another one's, or learns that others have reached its own (chapter 12).
pub fn is_one_sided(name: &str) -> bool {
    const MOVING: &[&str] = &[
        "put",
        "rput",
        "get",
        "rget",
        "accumulate",
        "raccumulate",
        "get_accumulate",
        "rget_accumulate",
        "fetch_and_op",
        "compare_and_swap",
    ];
    // What makes a window, frees it or asks for its properties touches no data.
    const ASKING: &[&str] =
        &["create", "allocate", "attach", "detach", "free", "get_", "set_", "delete_attr", "call_errhandler"];
    let Some(name) = name.strip_prefix('p').filter(|n| is_of_mpi(n)).unwrap_or(name).strip_prefix("mpi_") else {
        return false;
    };
    let shared = name.starts_with("win_allocate_shared") || name.starts_with("win_shared_query");
    let window = name.strip_prefix("win_").is_some_and(|n| !ASKING.iter().any(|known| n.starts_with(known)));
    MOVING.contains(&name) || window || shared
}

/// Names of procedures that need no other process.
fn asks_only(name: &str) -> bool {
    const ASKED: &[&str] = &[
        "mpi_comm_rank",
        "mpi_comm_size",
        "mpi_comm_get_",
        "mpi_comm_compare",
        "mpi_comm_group",
        "mpi_group_",
        "mpi_cart_get",
        "mpi_cart_shift",
        "mpi_cart_coords",
        "mpi_cart_rank",
        "mpi_cartdim_get",
        "mpi_dims_create",
        "mpi_graph_",
        "mpi_topo_test",
        "mpi_type_",
        "mpi_pack",
        "mpi_unpack",
        "mpi_get_count",
        "mpi_get_elements",
        "mpi_get_processor_name",
        "mpi_get_version",
        "mpi_get_address",
        "mpi_initialized",
        "mpi_finalized",
        "mpi_is_thread_main",
        "mpi_query_thread",
        "mpi_error_",
    ];
    let name = name.strip_prefix('p').unwrap_or(name);
    ASKED.iter().any(|known| name.starts_with(known))
}

/// The name by which the run-time library has a procedure's derivatives, without what tells them apart.
fn own_name(name: &str) -> String {
    if name.starts_with("costate_") { name.to_string() } else { format!("costate_{name}") }
}

impl Row {
    fn message(&self, procedure: &str) -> Message {
        let words = |text: &str| text.split_whitespace().map(Name::new).collect::<Vec<_>>();
        let arguments = words(&self.arguments);
        let lists = [
            (&self.sends, Role::Sent),
            (&self.assigns, Role::Assigned),
            (&self.receives, Role::Received),
            (&self.replaces, Role::Replaced),
        ];
        let mut buffers = BTreeMap::new();
        for (list, role) in lists {
            for (buffer, measures) in list {
                // A blank stands for no number.
                let (count, datatype) = measures.split_once(' ').unwrap_or((measures, ""));
                let name = |n: &str| (!n.is_empty()).then(|| Name::new(n));
                let blocks = self.blocks.get(buffer).and_then(|text| Blocks::read(text, procedure, role == Role::Sent));
                let (count, datatype) = (name(count), name(datatype));
                buffers.insert(Name::new(buffer), Buffer { role, count, datatype, blocks });
            }
        }
        let mut changes: BTreeSet<Name> = words(&self.changes).into_iter().collect();
        changes.extend(arguments.iter().filter(|a| a.as_str() == "ierror").cloned());
        let unused = |a: &&Name| buffers.contains_key(*a) || self.recorded || changes.contains(*a);
        let row = External {
            module: Some(Name::new(MODULE)),
            // Which one is told below.
            forward: self.records.then(|| Name::new("")),
            values: arguments.iter().filter(unused).map(|a| (a.clone(), BTreeSet::new())).collect(),
            keeps_values: true,
            traffic: Some(self.part.unwrap_or(Traffic::Collective)),
            // Derivatives of the buffers are told when the request is started.
            without: match self.part {
                Some(part) if part.prepares() => buffers.keys().cloned().collect(),
                _ => Default::default(),
            },
            inactive: matches!(self.part, Some(Traffic::Passive | Traffic::Local)),
            ..External::default()
        }
        .named(&own_name(procedure));
        Message {
            buffers,
            changes,
            traffic: self.part.unwrap_or(Traffic::Collective),
            reduces: self.reduces.as_deref().map(Name::new),
            in_place: self.in_place.as_deref().map(Name::new),
            makes: self.makes.as_deref().map(Name::new),
            packs: self.packs,
            packed: self.packed,
            row,
            arguments,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_read() {
        toml::from_str::<File>(include_str!("mpi.toml")).unwrap();
        for (name, message) in messages() {
            assert!(!table().known.iter().any(|k| k.names.split_whitespace().any(|n| n == name.as_str())), "{name}");
            let known = |a: &Name| message.arguments.contains(a);
            let measures = message.buffers.values().flat_map(|b| b.count.iter().chain(&b.datatype));
            let sizes = message.buffers.values().flat_map(|b| &b.blocks).flat_map(|b| &b.sizes);
            let measures = measures.chain(sizes);
            let mut mentioned = message.buffers.keys().chain(&message.changes).chain(measures);
            assert!(mentioned.all(known), "{name}");
            assert!(message.reduces.iter().chain(&message.in_place).chain(&message.makes).all(known), "{name}");
        }
    }

    #[test]
    fn kinds_of_calls_are_told_apart() {
        let kind = Kind { in_place: true, by_value: true, ..Kind::default() };
        let row = row_of(&kind.name("mpi_allreduce")).unwrap();
        assert_eq!(row.derivatives[1].as_deref(), Some("costate_mpi_allreduce_in_place_b"));
        let [sendbuf, count, ierror] = ["sendbuf", "count", "ierror"].map(Name::new);
        assert!(row.uses(&sendbuf, |_| false) && row.uses(&count, |_| false) && !row.uses(&ierror, |_| true));
        let sum = row_of("mpi_allreduce").unwrap();
        assert!(!sum.uses(&sendbuf, |_| true));
        assert_eq!(row_of("mpi_comm_rank without derivatives").unwrap().traffic, Some(Traffic::Local));
        assert!(row_of("mpi_irecv").unwrap().forward.is_some());
        assert!(is_one_sided("mpi_win_fence") && is_one_sided("mpi_get") && !is_one_sided("mpi_get_count"));
        assert!(!is_one_sided("mpi_win_create") && is_one_sided("pmpi_win_allocate_shared"));
        let later = |name| message_of(name).unwrap().arrives_later();
        assert!(later("costate_mpi_irecv_fwd") && later("costate_mpi_ireduce_scatter_block_in_place_d"));
        assert!(!later("mpi_recv") && !later("costate_mpi_isend_d") && !later("pmpi_waitall"));
    }
}
