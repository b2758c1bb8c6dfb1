//! Which directives leave what they govern to mean for data what its statements mean one after the other, where the
//! variables that their clauses list may keep their values outside: OpenMP 5.2, OpenACC 3.3.

use super::OmpConstruct as C;
use super::{AccConstruct, AdDirective, Clause, ClauseKind, Construct, DefaultKind, Directive};
use crate::lines::Sentinel;
use crate::source::Span;

/// Operators of reductions that aren't a user's.
const OPERATORS: [&str; 12] = ["+", "*", "-", "max", "min", "iand", "ior", "ieor", ".and.", ".or.", ".eqv.", ".neqv."];

/// Clauses that say how the work is shared out, and not what is computed.
const ABOUT_WORK: [&str; 42] = [
    "inclusive",
    "exclusive",
    "use_device",
    "copyprivate",
    "depend",
    "doacross",
    "proc_bind",
    "safelen",
    "simdlen",
    "aligned",
    "nontemporal",
    "ordered",
    "order",
    "linear",
    "dist_schedule",
    "num_teams",
    "thread_limit",
    "num_gangs",
    "num_workers",
    "vector_length",
    "auto",
    "tile",
    "grainsize",
    "num_tasks",
    "untied",
    "mergeable",
    "final",
    "priority",
    "nogroup",
    "simd",
    "threads",
    "update",
    "read",
    "write",
    "capture",
    "seq_cst",
    "relaxed",
    "acq_rel",
    "acquire",
    "release",
    "hint",
    "bind",
];

/// Clauses of `declare target` with lists.
const DECLARING: [&str; 3] = ["to", "enter", "link"];

impl Directive {
    /// What of a directive isn't understood, or would have its statements run at another time than where they stand.
    /// `within` a region of a team all is done at the region's end.
    pub fn unfollowed(&self, within: bool) -> Option<&str> {
        let known = match &self.construct {
            Construct::Omp(c) => omp(c, within),
            Construct::Acc(c) => acc(c),
            Construct::Ad(_) => true,
            Construct::Uninterpreted => false,
        };
        if !known {
            return Some(&self.text);
        }
        self.clauses.iter().find(|c| !self.follows(&c.kind, within)).map(|c| c.text.as_str())
    }

    /// What of a directive isn't understood where the statements that it governs are followed one after the other, as
    /// threads that take turns would run them, in one memory: nothing of it runs at another time or on another copy then.
    pub fn unserial(&self) -> Option<&str> {
        if self.is_about_data() || self.stands_for_nothing() {
            return None;
        }
        let known = match &self.construct {
            Construct::Omp(c) => omp(c, true),
            // What is called inside expects addresses on the device.
            Construct::Acc(c) => acc(c) && *c != AccConstruct::HostData,
            Construct::Ad(_) => true,
            Construct::Uninterpreted => false,
        };
        if !known {
            return Some(&self.text);
        }
        let serial = |c: &ClauseKind| {
            self.follows(c, true)
                || match c {
                    ClauseKind::Async(_) | ClauseKind::Wait(_) => self.acc().is_some(),
                    ClauseKind::Present(_) | ClauseKind::Default(DefaultKind::Present) | ClauseKind::CopyIn(_) => true,
                    ClauseKind::Other { name, .. } if name == "defaultmap" => !self
                        .default_maps()
                        .any(|(how, what)| how == "firstprivate" && what.as_deref() != Some("scalar")),
                    ClauseKind::Other { name, .. } => name == "no_create" || name == "attach",
                    _ => false,
                }
        };
        self.clauses.iter().find(|c| !serial(&c.kind)).map(|c| c.text.as_str())
    }

    /// True for a construct that says which copies of variables are where.
    fn is_about_data(&self) -> bool {
        use AccConstruct as A;
        match &self.construct {
            Construct::Omp(C::TargetData | C::TargetEnterData | C::TargetExitData | C::TargetUpdate) => true,
            Construct::Acc(A::Data | A::EnterData | A::ExitData | A::Update) => {
                !self.clauses.iter().any(|c| matches!(&c.kind, ClauseKind::Other { name, .. } if name == "deviceptr"))
            }
            _ => false,
        }
    }

    /// What `defaultmap` says is done with variables that the construct doesn't name, and with which of them.
    fn default_maps(&self) -> impl Iterator<Item = (String, Option<String>)> {
        let texts = self.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Other { name, text } if name == "defaultmap" => text.as_deref(),
            _ => None,
        });
        texts.map(|text| {
            let mut parts = text.split(':').map(|part| part.trim().to_ascii_lowercase());
            (parts.next().unwrap_or_default(), parts.next())
        })
    }

    /// True where scalars that the construct doesn't name are the program's, and no copies as otherwise (7.9.9.1 of OpenMP
    /// 5.2).
    pub fn maps_scalars(&self) -> bool {
        self.default_maps().any(|(how, what)| {
            let scalars = matches!(what.as_deref(), None | Some("all" | "scalar"));
            scalars && !matches!(how.as_str(), "firstprivate" | "default")
        })
    }

    /// True where the program relies on what is on a device, or changes that.
    pub fn relies_on_device(&self) -> bool {
        use AccConstruct as A;
        let moves = matches!(
            self.construct,
            Construct::Omp(C::TargetEnterData | C::TargetExitData | C::TargetUpdate)
                | Construct::Acc(A::EnterData | A::ExitData | A::Update)
        );
        let present = |k: &ClauseKind| matches!(k, ClauseKind::Present(_) | ClauseKind::Default(DefaultKind::Present));
        moves || self.clauses.iter().any(|c| present(&c.kind))
    }

    /// What an `update` brings up to date, list by list, as written: true for lists of what goes to the device.
    pub fn updated(&self) -> Vec<(bool, Vec<String>)> {
        let mut out = Vec::new();
        for c in &self.clauses {
            let ClauseKind::Other { name, text: Some(text) } = &c.kind else { continue };
            let to_device = match name.as_str() {
                "device" | "to" => true,
                "self" | "host" | "from" => false,
                _ => continue,
            };
            let list = super::before_colon(text).map_or(text.as_str(), |(_, list)| list);
            out.push((to_device, super::items(list, b',')));
        }
        out
    }

    /// What this takes off the device without bringing its values to the host: items of its lists, as written.
    pub fn dropped(&self) -> Vec<String> {
        let ends = matches!(self.construct, Construct::Acc(AccConstruct::ExitData) | Construct::Omp(C::TargetExitData));
        let lists = self.clauses.iter().filter(|_| ends).filter_map(|c| match &c.kind {
            ClauseKind::Other { name, text: Some(text) } if name == "delete" => Some(super::items(text, b',')),
            ClauseKind::Map { kind, list } if kind.contains("delete") || kind.contains("release") => Some(list.clone()),
            _ => None,
        });
        lists.flatten().collect()
    }

    /// What this takes off the device with its values: items of its lists, as written.
    pub fn copied_out(&self) -> Vec<String> {
        let ends = matches!(self.construct, Construct::Acc(AccConstruct::ExitData) | Construct::Omp(C::TargetExitData));
        let lists = self.clauses.iter().filter(|_| ends).filter_map(|c| match &c.kind {
            ClauseKind::CopyOut(list) => Some(list),
            ClauseKind::Map { kind, list } if kind.contains("from") => Some(list),
            _ => None,
        });
        lists.flatten().cloned().collect()
    }

    /// True for one that takes arrays off the device however often they were put there.
    pub fn is_final(&self) -> bool {
        let all = |c: &Clause| match &c.kind {
            ClauseKind::Other { name, .. } => name == "finalize",
            ClauseKind::Map { kind, .. } => kind.contains("delete"),
            _ => false,
        };
        matches!(self.construct, Construct::Acc(AccConstruct::ExitData) | Construct::Omp(C::TargetExitData))
            && self.clauses.iter().any(all)
    }

    /// What this puts on the device without the host's values: items of its lists, as written.
    pub fn created(&self) -> Vec<String> {
        let begins =
            matches!(self.construct, Construct::Acc(AccConstruct::EnterData) | Construct::Omp(C::TargetEnterData));
        let lists = self.clauses.iter().filter(|_| begins).filter_map(|c| match &c.kind {
            ClauseKind::Create(list) => Some(list),
            ClauseKind::Map { kind, list } if kind.contains("alloc") => Some(list),
            _ => None,
        });
        lists.flatten().cloned().collect()
    }

    /// What this puts on the device with the host's values: items of its lists, as written.
    pub fn entered(&self) -> Vec<String> {
        let begins =
            matches!(self.construct, Construct::Acc(AccConstruct::EnterData) | Construct::Omp(C::TargetEnterData));
        let lists = self.clauses.iter().filter(|_| begins).filter_map(|c| match &c.kind {
            ClauseKind::CopyIn(list) => Some(list),
            ClauseKind::Map { kind, list } if kind.contains("to") => Some(list),
            _ => None,
        });
        lists.flatten().cloned().collect()
    }

    /// What takes off the device again what this puts there, once.
    pub fn undone(&self) -> Option<Directive> {
        let (sentinel, words) = match &self.construct {
            Construct::Acc(AccConstruct::EnterData) => (Sentinel::Acc, "exit data copyout("),
            Construct::Omp(C::TargetEnterData) => (Sentinel::Omp, "target exit data map(from: "),
            _ => return None,
        };
        let mut items = Vec::new();
        for c in &self.clauses {
            match &c.kind {
                ClauseKind::CopyIn(list) | ClauseKind::Create(list) | ClauseKind::Map { list, .. } => {
                    items.extend(list.iter().map(String::as_str));
                }
                _ => {}
            }
        }
        super::parse(sentinel, &format!("{words}{})", items.join(", ")), Span::default()).ok()
    }

    /// True for a directive that stands alone and is nothing to one thread.
    pub fn stands_for_nothing(&self) -> bool {
        use AccConstruct as A;
        match &self.construct {
            Construct::Omp(C::Barrier | C::Flush | C::TaskWait | C::TaskYield) => true,
            Construct::Omp(C::Declare(what)) => what == "simd" || self.lets_devices_call(),
            Construct::Omp(C::Other(word)) => word == "scan",
            Construct::Acc(A::Wait | A::Cache | A::Init | A::Shutdown | A::Set | A::Routine) => true,
            _ => self.is_about_data(),
        }
    }

    /// True for the directive in a procedure that lets a device call it, without the procedure's name.
    pub fn lets_devices_call(&self) -> bool {
        let listed =
            |c: &Clause| matches!(&c.kind, ClauseKind::Other { name, .. } if DECLARING.contains(&name.as_str()));
        let target = matches!(&self.construct, Construct::Omp(C::Declare(what)) if what == "target");
        let routine = self.construct == Construct::Acc(AccConstruct::Routine);
        (target || routine) && self.argument.is_none() && !self.clauses.iter().any(listed)
    }

    /// Takes the list off a `declare target` that names nothing but the procedure in which it stands.
    pub fn without_name(mut self, procedure: &str) -> Directive {
        let mut lists: Vec<&str> = self.argument.iter().map(String::as_str).collect();
        for c in &self.clauses {
            if let ClauseKind::Other { name, text: Some(text) } = &c.kind
                && DECLARING.contains(&name.as_str())
            {
                lists.push(text);
            }
        }
        let named = lists.iter().flat_map(|l| l.split(',')).all(|n| n.trim().eq_ignore_ascii_case(procedure));
        if !lists.is_empty() && named && matches!(&self.construct, Construct::Omp(C::Declare(what)) if what == "target")
        {
            self.argument = None;
            self.clauses.retain(|c| !DECLARING.iter().any(|d| c.text.to_ascii_lowercase().starts_with(d)));
            let clauses: String = self.clauses.iter().map(|c| format!(" {}", c.text)).collect();
            self.text = format!("declare target{clauses}");
        }
        self
    }

    /// True for a directive of Costate's that is about a procedure or its variables, wherever it stands among the declarations.
    pub fn tells_of_procedure(&self) -> bool {
        match &self.construct {
            Construct::Ad(AdDirective::External(_) | AdDirective::LinearSolve(_)) => true,
            Construct::Ad(AdDirective::Inactive(names)) => !names.is_empty(),
            _ => false,
        }
    }

    /// True for a `threadprivate` of common blocks only: it is a property of the blocks.
    pub fn is_about_blocks(&self) -> bool {
        let block = |n: &str| n.trim().starts_with('/') && n.trim().ends_with('/');
        let list = self.argument.as_ref().filter(|_| self.construct == Construct::Omp(C::ThreadPrivate));
        list.is_some_and(|list| list.split(',').all(block))
    }

    /// The items of the lists of its clauses, as written.
    pub fn listed(&self) -> impl Iterator<Item = &str> {
        let lists = self.clauses.iter().filter_map(|c| match &c.kind {
            ClauseKind::Private(l)
            | ClauseKind::FirstPrivate(l)
            | ClauseKind::LastPrivate(l)
            | ClauseKind::Shared(l)
            | ClauseKind::Reduction { list: l, .. } => Some(l),
            _ => None,
        });
        lists.flatten().map(String::as_str)
    }

    /// True for a construct at whose end all threads of its team have done their work.
    pub fn makes_team(&self) -> bool {
        match &self.construct {
            Construct::Omp(C::Parallel | C::ParallelDo | C::ParallelDoSimd | C::ParallelSections) => true,
            Construct::Omp(C::ParallelWorkshare | C::TargetCombined(_) | C::Target | C::Sections) => true,
            Construct::Omp(C::Other(word)) => word.starts_with("parallel"),
            _ => false,
        }
    }

    /// True for a loop whose iterations may use what those before them have summed up.
    pub fn sums_up_in_order(&self) -> bool {
        let scans = |c: &Clause| {
            matches!(c.kind, ClauseKind::Reduction { .. }) && c.text.to_ascii_lowercase().contains("inscan")
        };
        self.clauses.iter().any(scans)
    }

    /// True for a directive that lets one thread at a time run the statement behind it.
    pub fn is_atomic(&self) -> bool {
        matches!(self.construct, Construct::Omp(C::Atomic) | Construct::Acc(AccConstruct::Atomic))
    }

    /// True where the order in which threads come to a statement decides what it computes.
    pub fn depends_on_order(&self) -> bool {
        let named =
            |name: &str| self.clauses.iter().any(|c| matches!(&c.kind, ClauseKind::Other { name: n, .. } if n == name));
        match &self.construct {
            Construct::Omp(C::Critical) => true,
            Construct::Omp(C::Atomic) | Construct::Acc(AccConstruct::Atomic) => {
                ["capture", "read", "write"].into_iter().any(named)
            }
            _ => false,
        }
    }

    fn follows(&self, clause: &ClauseKind, within: bool) -> bool {
        match clause {
            ClauseKind::Private(_)
            | ClauseKind::FirstPrivate(_)
            | ClauseKind::LastPrivate(_)
            | ClauseKind::Shared(_)
            | ClauseKind::Schedule { .. }
            | ClauseKind::Collapse(_)
            | ClauseKind::NumThreads(_)
            | ClauseKind::If(_)
            | ClauseKind::CopyOut(_)
            | ClauseKind::Copy(_)
            | ClauseKind::Create(_)
            | ClauseKind::Gang(_)
            | ClauseKind::Worker(_)
            | ClauseKind::Vector(_)
            | ClauseKind::Seq
            | ClauseKind::Independent
            | ClauseKind::Map { .. } => true,
            // In OpenMP it is about variables of which each thread has its own for good.
            ClauseKind::CopyIn(_) => self.sentinel == Sentinel::Acc,
            ClauseKind::Default(kind) => *kind != DefaultKind::Present,
            ClauseKind::Reduction { op, .. } => OPERATORS.contains(&op.as_str()),
            ClauseKind::NoWait => within,
            ClauseKind::Present(_) | ClauseKind::Async(_) | ClauseKind::Wait(_) => false,
            ClauseKind::Other { name, .. } => ABOUT_WORK.contains(&name.as_str()),
        }
    }
}

fn omp(construct: &C, within: bool) -> bool {
    match construct {
        C::Parallel
        | C::Do
        | C::ParallelDo
        | C::DoSimd
        | C::ParallelDoSimd
        | C::Simd
        | C::Sections
        | C::ParallelSections
        | C::Workshare
        | C::ParallelWorkshare
        | C::Single
        | C::Master
        | C::Masked
        | C::Critical
        | C::Atomic
        | C::Ordered
        | C::Loop
        | C::Target
        | C::TargetCombined(_)
        | C::Teams
        | C::Distribute
        | C::TeamsCombined(_) => true,
        C::Section | C::Barrier | C::Flush | C::Task | C::TaskWait | C::TaskYield | C::TaskGroup | C::TaskLoop => {
            within
        }
        C::Other(word) => match word.as_str() {
            "parallelloop" | "parallelmaster" | "parallelmasked" => true,
            "taskloopsimd" | "scope" | "scan" => within,
            _ if word.contains("taskloop") => within || word.starts_with("parallel"),
            _ => false,
        },
        C::ThreadPrivate
        | C::Declare(_)
        | C::TargetData
        | C::TargetEnterData
        | C::TargetExitData
        | C::TargetUpdate
        | C::End(_) => false,
    }
}

fn acc(construct: &AccConstruct) -> bool {
    use AccConstruct as A;
    match construct {
        A::Parallel
        | A::ParallelLoop
        | A::Kernels
        | A::KernelsLoop
        | A::Serial
        | A::SerialLoop
        | A::Loop
        | A::Data
        | A::HostData
        | A::Atomic => true,
        A::EnterData
        | A::ExitData
        | A::Update
        | A::Wait
        | A::Routine
        | A::Declare
        | A::Cache
        | A::Init
        | A::Shutdown
        | A::Set
        | A::End(_) => false,
    }
}
