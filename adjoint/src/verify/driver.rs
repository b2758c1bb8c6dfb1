//! The driver of one head, put together.

use std::collections::BTreeSet;

use costate_analysis::effects::reached;
use costate_analysis::externals::handles::Handles;
use costate_analysis::request::Head;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{ProcId, ProcKind, Program, SymId};
use costate_grammar::source::{FileId, Span};

use super::access::{pack, shapes};
use super::declare;
use super::fill;
use super::handles;
use super::names::Names;
use super::others;
use super::slots::{Group, Place, Slots};
use super::state;
use super::values::Values;
use super::writer::Writer;
use super::{CheckOptions, Generated, no_driver};
use crate::differentiated::{Differentiated, HeadArg, HeadInterface};
use crate::precision::Precision;
use crate::told;

/// What is not known better than this kind is compared with less accuracy.
const DOUBLE: u8 = 8;

/// A driver's text and what its figures mean.
#[derive(Clone, Debug)]
pub(super) struct Driver {
    pub(super) text: String,
    /// The kind of the reals that the probe computes with.
    pub(super) kind: u8,
    /// The head as written.
    pub(super) head: String,
    pub(super) inputs: Vec<String>,
    /// Variables that aren't among the outputs, and are compared as well.
    pub(super) others: Vec<String>,
    /// Which of these the primal assigns.
    pub(super) assigned: Vec<bool>,
    /// Which of them may hold another value each time the primal runs.
    pub(super) unsteady: Vec<bool>,
    pub(super) outputs: Vec<String>,
    /// The coarsest kind on the way to each output: it bounds what accuracy can be asked for.
    pub(super) kinds: Vec<u8>,
    /// The coarsest kind of these and of the inputs.
    pub(super) coarsest: u8,
    /// Why some are coarser than double.
    pub(super) coarse: Vec<String>,
    pub(super) procedure: Span,
    /// Directives that say what the derivatives are of procedures that it calls, with these procedures.
    pub(super) vouched: Vec<String>,
    /// It has allocatable components that are neither inputs nor outputs.
    pub(super) bare: bool,
    /// It has arrays that may start anywhere.
    pub(super) shifted: bool,
}

/// The directives that say what the derivatives are of procedures that a head calls, or of its own.
fn vouched(program: &Program, head: ProcId) -> Vec<String> {
    let told = reached(program, &[head]).into_iter().filter(|p| program.told.contains(p));
    let names: BTreeSet<String> =
        told.map(|p| format!("`{}` in `{}`", told::shown(program, p), program[p].name)).collect();
    names.into_iter().collect()
}

/// Derivative variables of one mode.
struct Derivatives {
    /// Slot and name in the driver.
    list: Vec<(usize, String)>,
}

impl Derivatives {
    fn name(&self, slot: usize) -> Option<String> {
        self.list.iter().find(|(i, _)| *i == slot).map(|(_, n)| n.clone())
    }
}

/// Writes the driver of head number `index`, to be linked with `files`.
pub(super) fn write(
    program: &Program,
    head: &Head,
    index: usize,
    generated: &Generated,
    (options, linked, handles): (&CheckOptions, &[FileId], &Handles),
) -> Result<Driver, Box<Diagnostic>> {
    let slots = Slots::of(program, head, options)?;
    let values = Values::new(&slots, head, options);
    let mut names = Names {
        program,
        head,
        opening: (!generated.extended.is_empty()).then(|| crate::output::opening_name(index)),
        uses: Default::default(),
    };
    handles::import_constants(&mut names, &options.values);
    let mut declarations = Writer::at_depth(1);
    let mut body = Writer::at_depth(1);
    for (i, slot) in slots.slots.iter().enumerate() {
        match slot.place {
            Place::Dummy | Place::Result => {
                declare::variable(&mut declarations, &mut names, &slots, i, &format!("p_{}", slot.stem), &values)?;
            }
            Place::Module(_) => {
                // Refuses private variables; the fixed local name is what the rest of the driver uses.
                names.module_entity(slot.sym)?;
                let module = module_name(program, slot.sym);
                names.uses.import(&module, &program[slot.sym].name, &format!("p_{}", slot.stem));
            }
        }
    }
    let primal = match names.head_procedure()? {
        Some(local) => local,
        None => {
            declare::external_primal(&mut declarations, &mut names)?;
            program[head.proc].name.to_string()
        }
    };
    let tangent = interface(program, head, &generated.tangent, index, "tangent")?;
    let adjoint = interface(program, head, &generated.adjoint, index, "adjoint")?;
    let t = derivatives(&mut declarations, &mut names, &slots, tangent, "t_", &values)?;
    let b = derivatives(&mut declarations, &mut names, &slots, adjoint, "b_", &values)?;
    let tangent_name = generated_procedure(&mut declarations, &mut names, tangent, "tangent_procedure")?;
    let adjoint_name = generated_procedure(&mut declarations, &mut names, adjoint, "adjoint_procedure")?;

    fill::set_up(&mut body, &mut names, &slots, &values, !options.setup.is_empty())?;
    fill::renewals(&mut body, &mut names, &slots)?;
    fill::shape_derivatives(&mut body, &slots, "shape_tangent", &t.list);
    fill::shape_derivatives(&mut body, &slots, "shape_adjoint", &b.list);
    let growing: Vec<(usize, String)> = b.list.iter().filter(|(i, _)| grows(&slots, *i)).cloned().collect();
    shapes(&mut body, &slots, &growing);
    call_routine(&mut body, "call_primal", &primal_call(program, head, &slots, &primal));
    call_routine(&mut body, "call_tangent", &derivative_call(&slots, tangent, &tangent_name, &t));
    call_routine(&mut body, "call_adjoint", &derivative_call(&slots, adjoint, &adjoint_name, &b));
    let own = |slot: usize| Some(format!("p_{}", slots.slots[slot].stem));
    let of = |d: &Derivatives| {
        let list = Derivatives { list: d.list.clone() };
        move |slot: usize| list.name(slot)
    };
    for (groups, letter) in [(&slots.inputs, "x"), (&slots.outputs, "y")] {
        pack(&mut body, &slots, groups, true, letter, &own);
        pack(&mut body, &slots, groups, true, &format!("{letter}b"), &of(&b));
    }
    // The adjoint of what is changed is an output's on entry, and has its shape.
    let seeded = |slot: usize| b.name(slot).filter(|_| slots.inputs.iter().any(|g| g.slot == slot && g.alone));
    pack(&mut body, &slots, &slots.inputs, false, "xb", &seeded);
    pack(&mut body, &slots, &slots.outputs, false, "yb", &of(&b));
    pack(&mut body, &slots, &slots.inputs, false, "x", &own);
    pack(&mut body, &slots, &slots.inputs, false, "xd", &of(&t));
    pack(&mut body, &slots, &slots.outputs, true, "yd", &of(&t));
    pack(&mut body, &slots, &slots.outputs, false, "yd", &of(&t));
    pack(&mut body, &slots, &slots.outputs, false, "y", &own);
    let unsteady = generated.tangent.unsteady.get(index).cloned().unwrap_or_default();
    let others = others::find(program, &mut names, &slots, (head.proc, linked, handles), &unsteady)?;
    others::pack(&mut body, &others);
    if options.mpi.is_some() {
        state::write(&mut declarations, &mut body, &mut names, linked)?;
    }

    let setup: Result<Vec<String>, Box<Diagnostic>> = options.setup.iter().map(|s| names.setup_procedure(s)).collect();
    let start = Start {
        setup: setup?,
        seed: options.seed,
        time_limit: options.time_limit,
        keeps_primal: options.generate.keep_primal,
        others: others.len(),
    };
    let accuracy = Accuracy::of(&slots, generated.tangent.precisions.get(index).map(Vec::as_slice));
    let text = assemble(&names, &slots, &declarations.finish(), &body.finish(), &start, &accuracy);
    let kinds = slots.inputs.iter().chain(&slots.outputs).map(|g| g.part.ty().kind);
    let shown = |groups: &[Group<'_>]| groups.iter().map(|g| g.shown.clone()).collect();
    Ok(Driver {
        text,
        kind: kinds.max().unwrap_or(DOUBLE).max(DOUBLE),
        head: head.text.clone(),
        assigned: others.iter().map(|o| o.assigned).collect(),
        vouched: vouched(program, head.proc),
        unsteady: others.iter().map(|o| o.unsteady).collect(),
        others: others.into_iter().map(|o| o.shown).collect(),
        inputs: shown(&slots.inputs),
        outputs: shown(&slots.outputs),
        coarsest: slots
            .inputs
            .iter()
            .map(|g| g.part.ty().kind)
            .chain(accuracy.kinds.iter().copied())
            .min()
            .unwrap_or(DOUBLE),
        kinds: accuracy.kinds,
        coarse: accuracy.reasons,
        procedure: program[head.proc].head,
        bare: (0..slots.slots.len()).any(|i| slots.storage(i).iter().any(|part| fill::is_own(&slots, i, part))),
        shifted: slots
            .slots
            .iter()
            .any(|s| s.var.dims.contains(&costate_grammar::ir::Dim::Deferred) && s.place == Place::Dummy),
    })
}

/// How exactly the outputs can be known.
struct Accuracy {
    kinds: Vec<u8>,
    reasons: Vec<String>,
}

impl Accuracy {
    /// By the facts of the generated code; code written by hand comes without, and the variables' own kinds count.
    fn of(slots: &Slots<'_>, known: Option<&[Precision]>) -> Accuracy {
        let own = |groups: &[Group<'_>]| groups.iter().map(|g| g.part.ty().kind).min().unwrap_or(DOUBLE).min(DOUBLE);
        let (mut kinds, mut reasons) = (Vec::new(), Vec::new());
        for group in &slots.outputs {
            let names: Vec<&str> = group.part.steps.iter().filter_map(|s| s.name).map(|n| n.as_str()).collect();
            let sym = slots.slots[group.slot].sym;
            let of = |p: &&Precision| p.sym == sym && p.path.iter().map(|n| n.as_str()).eq(names.iter().copied());
            let coarse = known.and_then(|list| list.iter().find(of));
            if let Some(p) = coarse {
                reasons
                    .push(format!("`{}` is compared with the accuracy of kind {}: {}", group.shown, p.kind, p.because));
            }
            kinds.push(
                coarse
                    .map_or(if known.is_some() { DOUBLE } else { own(&slots.inputs).min(own(&slots.outputs)) }, |p| {
                        p.kind
                    }),
            );
        }
        Accuracy { kinds, reasons }
    }
}

fn interface<'a>(
    program: &Program,
    head: &Head,
    code: &'a Differentiated,
    index: usize,
    what: &str,
) -> Result<&'a HeadInterface, Box<Diagnostic>> {
    code.interfaces.get(index).ok_or_else(|| {
        Box::new(no_driver(head, program, format!("the generated code has no {what} of `{}`", head.text)))
    })
}

fn module_name(program: &Program, sym: SymId) -> String {
    program.module_of(program[sym].scope).map_or(String::new(), |m| program[m].name.to_string())
}

/// True where the shape of an output is only known after a run of the primal.
fn grows(slots: &Slots<'_>, i: usize) -> bool {
    let deferred = |i: usize| {
        let attrs = &slots.slots[i].var.attrs;
        attrs.allocatable || attrs.pointer || slots.storage(i).iter().any(|p| p.last().attrs.allocatable)
    };
    slots.outputs.iter().any(|g| g.slot == i) && deferred(i)
}

fn derivatives(
    w: &mut Writer,
    names: &mut Names<'_>,
    slots: &Slots<'_>,
    interface: &HeadInterface,
    prefix: &str,
    values: &Values,
) -> Result<Derivatives, Box<Diagnostic>> {
    let mut list = Vec::new();
    for (i, slot) in slots.slots.iter().enumerate() {
        let name = format!("{prefix}{}", slot.stem);
        let here = match slot.place {
            Place::Dummy => interface.args.contains(&HeadArg::Derivative(slot.sym)),
            Place::Result => interface.args.contains(&HeadArg::DerivativeResult),
            Place::Module(_) => match interface.module_vars.iter().find(|v| v.primal == slot.sym) {
                Some(v) => {
                    names.uses.import(&v.module, &v.name, &name);
                    list.push((i, name));
                    continue;
                }
                None => false,
            },
        };
        if here {
            declare::variable(w, names, slots, i, &name, values)?;
            list.push((i, name));
        }
    }
    Ok(Derivatives { list })
}

fn generated_procedure(
    w: &mut Writer,
    names: &mut Names<'_>,
    interface: &HeadInterface,
    local: &str,
) -> Result<String, Box<Diagnostic>> {
    match &interface.module {
        Some(module) => {
            names.uses.import(module, &interface.procedure, local);
            Ok(local.to_string())
        }
        None => {
            declare::external_generated(w, names, interface)?;
            Ok(interface.procedure.clone())
        }
    }
}

fn primal_call(program: &Program, head: &Head, slots: &Slots<'_>, name: &str) -> String {
    let args: Vec<String> =
        slots.slots.iter().filter(|s| s.place == Place::Dummy).map(|s| format!("p_{}", s.stem)).collect();
    let result = slots.slots.iter().find(|s| s.place == Place::Result);
    match (program[head.proc].kind, result) {
        (ProcKind::Function(_), Some(r)) => {
            let arrow = if r.var.attrs.pointer { "=>" } else { "=" };
            format!("p_{} {arrow} {name}({})", r.stem, args.join(", "))
        }
        _ => format!("call {name}({})", args.join(", ")),
    }
}

fn derivative_call(slots: &Slots<'_>, interface: &HeadInterface, name: &str, derivatives: &Derivatives) -> String {
    let result = slots.slots.iter().position(|s| s.place == Place::Result);
    let own = |i: Option<usize>| i.map(|i| format!("p_{}", slots.slots[i].stem));
    let derivative = |i: Option<usize>| i.and_then(|i| derivatives.name(i));
    let arg = |a: &HeadArg| match a {
        HeadArg::Primal(s) => own(slots.index(*s)),
        HeadArg::Derivative(s) => derivative(slots.index(*s)),
        HeadArg::PrimalResult => own(result),
        HeadArg::DerivativeResult => derivative(result),
    };
    let args: Vec<String> = interface.args.iter().filter_map(arg).collect();
    format!("call {name}({})", args.join(", "))
}

fn call_routine(w: &mut Writer, routine: &str, call: &str) {
    w.open(&format!("module subroutine {routine}()"));
    w.line(call);
    w.close(&format!("end subroutine {routine}"));
    w.line("");
}

/// What the probe is told about the whole.
struct Start {
    /// Procedures to call first.
    setup: Vec<String>,
    seed: u64,
    /// Seconds that it may run.
    time_limit: u64,
    /// The adjoint gives the primal's outputs too.
    keeps_primal: bool,
    /// How many leaves are compared beside the outputs.
    others: usize,
}

fn assemble(
    names: &Names<'_>,
    slots: &Slots<'_>,
    declarations: &str,
    body: &str,
    start: &Start,
    accuracy: &Accuracy,
) -> String {
    let mut w = Writer::default();
    w.line(&format!("! Verifies the derivatives of {}.", names.head.text));
    w.open("submodule (costate_check_head) costate_check_driver");
    for line in names.uses.text() {
        w.line(&line);
    }
    w.line("implicit none");
    let mut out = w.finish();
    out.push_str(declarations);
    out.push_str("\ncontains\n\n");
    out.push_str(&description(slots, start, accuracy));
    out.push_str(body);
    out.push_str("end submodule costate_check_driver\n");
    out
}

/// The routine `describe`, which tells the probe about the head.
fn description(slots: &Slots<'_>, start: &Start, accuracy: &Accuracy) -> String {
    let mut w = Writer::at_depth(1);
    w.open("module subroutine describe_head()");
    w.line(&format!("nx = {}", slots.inputs.len()));
    w.line(&format!("ny = {}", slots.outputs.len()));
    w.line(&format!("no = {}", start.others));
    w.line(if start.keeps_primal { "keeps_primal = .true." } else { "keeps_primal = .false." });
    w.line(&format!("time_limit = {}", start.time_limit.min(1_000_000)));
    w.line(&format!("seed = {}_int64", start.seed % 2_147_483_647));
    let returned = |g: &Group<'_>| start.keeps_primal && slots.slots[g.slot].place != Place::Result;
    let mut list = |name: &str, groups: &[Group<'_>], holds: &dyn Fn(&Group<'_>) -> bool| {
        let values: Vec<&str> = groups.iter().map(|g| if holds(g) { ".true." } else { ".false." }).collect();
        w.line(&format!("{name} = [{}]", values.join(", ")));
    };
    list("input_alone", &slots.inputs, &|g| g.alone);
    list("output_alone", &slots.outputs, &|g| g.alone);
    list("pure_output", &slots.outputs, &|g| g.pure_);
    list("returned", &slots.outputs, &returned);
    let coarsest = accuracy.kinds.iter().min().into_iter().chain(&accuracy.kinds);
    let roundoff: Vec<String> = coarsest.map(|k| format!("real(epsilon(1.0_{k}), wk_)")).collect();
    w.line("allocate(unit_roundoff(0:ny))");
    w.line(&format!("unit_roundoff(:) = [{}]", roundoff.join(", ")));
    let of_inputs: Vec<String> =
        slots.inputs.iter().map(|g| format!("real(epsilon(1.0_{}), wk_)", g.part.ty().kind)).collect();
    w.line(&format!("input_roundoff = [{}]", of_inputs.join(", ")));
    for procedure in &start.setup {
        w.line(&format!("call {procedure}()"));
    }
    w.close("end subroutine describe_head");
    w.line("");
    w.finish()
}
