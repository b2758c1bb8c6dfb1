//! What directives right before a loop ask for: `!$ad checkpoint` and `!$ad binomial-ckp`.

use std::collections::BTreeMap;

use costate_analysis::loops::{exit_flag, is_counted};
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::directives::{AdDirective, Construct};
use costate_grammar::ir::{
    Base, Expr, ExprKind, KindSuffix, Origin, Program, ScopeId, Stmt, StmtId, StmtKind, SymbolKind, Ty,
};
use costate_grammar::source::Span;

use super::Schedule;

/// The schedules that a directive may name: their names, and those that the run-time library has for them.
const KINDS: [(&str, &str); 7] = [
    ("store-all", "store-all"),
    ("two-level", "two-level"),
    ("revolve", "revolve"),
    ("multistage", "multistage"),
    ("mixed", "mixed"),
    ("dynamic", "dynamic"),
    ("online", "online"),
];

/// Generated code counts snapshots with default integers.
const MOST_SNAPSHOTS: u64 = i32::MAX as u64;

/// A schedule whose counts the program may work out.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Its kind, as the run-time library calls it.
    pub kind: String,
    /// The number of snapshots in memory.
    pub snapshots: Expr,
    /// The number of snapshots on disk.
    pub on_disk: Expr,
    /// Bytes of memory for snapshots and tapes, in place of `snapshots`.
    pub memory: Option<Expr>,
    /// The directive, if one asked for it.
    pub directive: Option<Span>,
}

impl Order {
    /// True when each step is recorded by itself, right before it is reversed.
    pub fn records_single_steps(&self) -> bool {
        matches!(self.kind.as_str(), "revolve" | "multistage" | "online")
    }

    /// True when the loop itself finds out how many steps there are.
    pub fn is_online(&self) -> bool {
        self.kind == Schedule::ONLINE
    }

    /// True when the run-time library chooses how many snapshots are taken.
    pub fn counts_are_open(&self) -> bool {
        self.snapshots.as_int() == Some(0) && self.on_disk.as_int() == Some(0) && self.memory.is_none()
    }

    /// True when the tapes of several steps are kept in the memory for snapshots.
    pub fn keeps_tapes(&self) -> bool {
        matches!(self.kind.as_str(), "mixed" | "dynamic")
    }

    /// True when it goes by the bytes of a snapshot and of the tape of a step.
    pub fn goes_by_bytes(&self) -> bool {
        self.kind == "dynamic"
    }
}

impl Schedule {
    /// True when the run-time library has such a schedule.
    pub fn is_known(&self) -> bool {
        let counts = [self.snapshots, self.on_disk];
        KINDS.iter().any(|k| k.1 == self.kind) && counts.iter().all(|n| *n <= MOST_SNAPSHOTS)
    }
}

/// The schedules that directives in a body ask for, by the loop, and what is wrong with those directives. Names in them
/// are those of a scope.
pub fn orders(program: &Program, scope: ScopeId, body: &[Stmt]) -> (BTreeMap<StmtId, Order>, Vec<Diagnostic>) {
    let mut found = Found { program, scope, orders: BTreeMap::new(), problems: Vec::new() };
    found.block(body);
    (found.orders, found.problems)
}

struct Found<'a> {
    program: &'a Program,
    scope: ScopeId,
    orders: BTreeMap<StmtId, Order>,
    problems: Vec<Diagnostic>,
}

impl Found<'_> {
    fn block(&mut self, block: &[Stmt]) {
        for (k, stmt) in block.iter().enumerate() {
            if let StmtKind::Directive { directive, .. } = &stmt.kind
                && let Construct::Ad(asked @ (AdDirective::BinomialCkp { .. } | AdDirective::Checkpoint { .. })) =
                    &directive.construct
            {
                self.directive(asked, stmt, &block[k + 1..]);
            }
            stmt.blocks().into_iter().for_each(|b| self.block(b));
        }
    }

    fn directive(&mut self, asked: &AdDirective, stmt: &Stmt, rest: &[Stmt]) {
        let span = stmt.origin.span();
        let found = the_loop(rest);
        let order = match asked {
            AdDirective::BinomialCkp { snapshots, .. } => self.order("revolve", Some(snapshots), None, span),
            AdDirective::Checkpoint { schedule, snapshots, memory } => {
                let usual = if found.is_some_and(is_open) { "online" } else { "revolve" };
                let kind = schedule.as_deref().unwrap_or(usual);
                self.order(kind, snapshots.as_deref(), memory.as_deref(), span)
            }
            _ => return,
        };
        match (order, found) {
            (Err((reason, help)), _) => {
                self.refuse(span, "this directive can't be followed", &reason, &help);
            }
            (Ok(_), None) => self.refuse(
                span,
                "this directive doesn't stand right before a loop",
                "it tells how the loop that follows is reversed",
                "move it to the line before the `do`, or remove it",
            ),
            (Ok(order), Some(l)) if is_open(l) && !matches!(order.kind.as_str(), "online" | "store-all") => self
                .refuse(
                    span,
                    "the loop that follows can't run under this schedule",
                    &format!(
                        "`{}` needs the number of steps, which isn't known before this loop has ended",
                        order.kind
                    ),
                    "write `!$ad checkpoint schedule(online) snapshots(n)`",
                ),
            (Ok(order), Some(l)) => {
                if let Some(former) = self.orders.insert(l.id, order) {
                    self.refuse(
                        former.directive.unwrap_or(span),
                        "the loop that follows has two directives",
                        "each tells how it is reversed",
                        "keep one of them",
                    );
                }
            }
        }
    }

    fn refuse(&mut self, span: Span, message: &str, reason: &str, help: &str) {
        let d = Diagnostic::error(Code::UnsupportedDirective, span, message).reason(reason).help(help);
        self.problems.push(d);
    }

    fn order(
        &self,
        kind: &str,
        counts: Option<&str>,
        memory: Option<&str>,
        span: Span,
    ) -> Result<Order, (String, String)> {
        let names: Vec<&str> = KINDS.iter().map(|k| k.0).collect();
        let Some((name, library)) = KINDS.iter().find(|k| k.0.eq_ignore_ascii_case(kind.trim())) else {
            let reason = format!("there is no schedule `{}`", kind.trim());
            return Err((reason, format!("schedules are {}", names.join(", "))));
        };
        let mut numbers = Vec::new();
        for text in counts.iter().flat_map(|c| c.split(',')) {
            numbers.push(self.count(text.trim())?);
        }
        let memory = memory.map(|m| self.bytes(m)).transpose()?;
        let wrong = |reason: &str| {
            let help = "write `snapshots(n)` for n snapshots in memory, `snapshots(n, m)` for m more on disk";
            Err((reason.to_string(), help.to_string()))
        };
        let zero = || Expr::int(0);
        let (snapshots, on_disk) = match numbers.as_slice() {
            [] => (zero(), zero()),
            [n] => (n.clone(), zero()),
            [n, m] => (n.clone(), m.clone()),
            _ => return wrong("there are snapshots in memory and on disk, and no third kind"),
        };
        if memory.is_some() && *name != "dynamic" {
            return wrong(&format!("`{name}` counts snapshots; it is `dynamic` that goes by bytes of memory"));
        }
        if memory.is_some() && snapshots.as_int() != Some(0) {
            return wrong("the memory is given in bytes and in snapshots");
        }
        let none = snapshots.as_int() == Some(0) && on_disk.as_int() == Some(0);
        if !numbers.is_empty() && none && memory.is_none() {
            return wrong("a schedule needs a snapshot");
        }
        if *name == "multistage" && on_disk.as_int() == Some(0) {
            return wrong("`multistage` has snapshots on disk, and their number isn't given");
        }
        if *name == "mixed" && on_disk.as_int() != Some(0) {
            return wrong("`mixed` has no snapshots on disk");
        }
        Ok(Order { kind: (*library).to_string(), snapshots, on_disk, memory, directive: Some(span) })
    }

    /// A number, or the name of an integer.
    fn count(&self, text: &str) -> Result<Expr, (String, String)> {
        let help = || "give the number of snapshots as a number, or by the name of an integer".to_string();
        if let Ok(n) = text.parse::<u64>() {
            let fits = i64::try_from(n).ok().filter(|_| n <= MOST_SNAPSHOTS);
            return fits
                .map(Expr::int)
                .ok_or_else(|| (format!("there can be {MOST_SNAPSHOTS} snapshots at most"), help()));
        }
        self.integer(text).ok_or_else(|| {
            let reason = format!("`{text}` is neither a number nor an integer variable or constant");
            (reason, help())
        })
    }

    /// An amount of memory, or the name of an integer.
    fn bytes(&self, text: &str) -> Result<Expr, (String, String)> {
        let long = Ty::new(Base::Integer, 8);
        if let Some(n) = crate::memory::bytes(text) {
            let value = i64::try_from(n).unwrap_or(i64::MAX);
            let suffix = Some(KindSuffix::Number(8));
            return Ok(Expr::new(ExprKind::Int { value, suffix }, long, 0));
        }
        self.integer(text).ok_or_else(|| {
            let reason = format!("`{text}` is neither an amount of memory nor an integer variable or constant");
            (reason, "write `memory(2GiB)`, or the name of an integer with a number of bytes".to_string())
        })
    }

    fn integer(&self, name: &str) -> Option<Expr> {
        let sym = self.program.lookup(self.scope, &name.to_ascii_lowercase())?;
        match &self.program[sym].kind {
            SymbolKind::Variable(v) if v.ty.base == Base::Integer && v.dims.is_empty() => Some(Expr::var(sym, v.ty, 0)),
            _ => None,
        }
    }
}

/// The loop of the user's that statements begin with. Normal form may have put statements of its header before it.
pub(crate) fn the_loop(rest: &[Stmt]) -> Option<&Stmt> {
    let skipped = |s: &&Stmt| matches!(s.kind, StmtKind::Comment(_) | StmtKind::Continue | StmtKind::Directive { .. });
    let rest: Vec<&Stmt> = rest.iter().skip_while(skipped).collect();
    let header = rest.first()?.origin.span();
    let mut same = rest.into_iter().take_while(|s| s.origin.span() == header);
    same.find(|s| matches!(s.kind, StmtKind::Do { .. }) && matches!(s.origin, Origin::Source(_)))
}

/// True for a loop whose number of steps is known only when it ends.
fn is_open(l: &Stmt) -> bool {
    match &l.kind {
        StmtKind::Do { control, body, .. } => !is_counted(control) || exit_flag(body).is_some(),
        _ => false,
    }
}
