//! Declarations of the driver's variables, of derivative variables, and interfaces of external procedures.

use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Base, Dim, Intent, ProcKind, SymId, Ty, Variable};

use super::names::Names;
use super::slots::{Place, Slots};
use super::values::Values;
use super::writer::Writer;
use crate::differentiated::{HeadArg, HeadInterface};

type Text = Result<String, Box<Diagnostic>>;

/// A type as the driver spells it: kinds by number, derived types by their imported names.
pub(super) fn type_text(names: &mut Names<'_>, ty: Ty, length: &str) -> Text {
    Ok(match ty.base {
        Base::Integer => format!("integer({})", ty.kind),
        Base::Real => format!("real({})", ty.kind),
        Base::Complex => format!("complex({})", ty.kind),
        Base::Logical => format!("logical({})", ty.kind),
        Base::Character => format!("character(len={length})"),
        Base::Derived(t) | Base::Class(t) => format!("type({})", names.module_entity(t)?),
        Base::Unlimited | Base::None => "integer".to_string(),
    })
}

/// The length of a character variable, as far as the declaration gives a number.
pub(super) fn character_length(spelling: &str) -> Option<String> {
    let at = spelling.find(['(', '*'])?;
    let digits: String =
        spelling[at + 1..].chars().skip_while(|c| !c.is_ascii_digit() && *c != '*' && *c != ':').collect();
    let number: String = digits.chars().take_while(char::is_ascii_digit).collect();
    (!number.is_empty()).then_some(number)
}

/// Declares a driver's variable with the shape of a slot.
pub(super) fn variable(
    w: &mut Writer,
    names: &mut Names<'_>,
    slots: &Slots<'_>,
    slot: usize,
    name: &str,
    values: &Values,
) -> Result<(), Box<Diagnostic>> {
    let slot = &slots.slots[slot];
    let length = length_of(&slot.shown, slot.var, values);
    let mut text = type_text(names, slot.var.ty, &length)?;
    if slot.var.attrs.pointer {
        text.push_str(", pointer");
    } else {
        if slot.var.attrs.allocatable || !slot.var.dims.is_empty() {
            text.push_str(", allocatable");
        }
        text.push_str(", target");
    }
    w.line(&format!("{text} :: {name}{}", colons(slot.var.dims.len())));
    Ok(())
}

fn length_of(shown: &str, var: &Variable, values: &Values) -> String {
    let given = || values.given(shown).map(|v| v.len().saturating_sub(2).max(1).to_string());
    character_length(&var.spelling).or_else(given).unwrap_or_else(|| "16".to_string())
}

/// `(:, :)`
pub(super) fn colons(rank: usize) -> String {
    if rank == 0 { String::new() } else { format!("({})", vec![":"; rank].join(", ")) }
}

/// The bounds to allocate a slot or component with.
pub(super) fn bounds(names: &mut Names<'_>, slots: &Slots<'_>, var: &Variable, shown: &str, values: &Values) -> Text {
    let mut out = Vec::new();
    for (i, dim) in var.dims.iter().enumerate() {
        out.push(match dim {
            Dim::Explicit(lo, hi) => {
                let lo = lo.as_ref().map(|lo| names.expr(slots, lo)).transpose()?;
                let hi = names.expr(slots, hi)?;
                lo.map_or(hi.clone(), |lo| format!("{lo}:{hi}"))
            }
            Dim::AssumedSize(Some(lo)) => {
                let lo = names.expr(slots, lo)?;
                format!("{lo}:({lo}) + {} - 1", values.extent_of(shown, i))
            }
            Dim::Deferred => format!("start:start + {} - 1", values.extent_of(shown, i)),
            Dim::AssumedSize(None) | Dim::Assumed(_) | Dim::AssumedRank => values.extent_of(shown, i),
        });
    }
    Ok(if out.is_empty() { String::new() } else { format!("({})", out.join(", ")) })
}

/// True where an external procedure can't be called without an explicit interface (F2018 15.4.2.2).
fn needs_interface(names: &Names<'_>) -> bool {
    let procedure = &names.program[names.head.proc];
    let dummy = |&s: &SymId| {
        names.program.var(s).is_some_and(|v| {
            let a = &v.attrs;
            let shape = v.dims.iter().any(|d| matches!(d, Dim::Assumed(_) | Dim::Deferred | Dim::AssumedRank));
            shape
                || a.allocatable
                || a.pointer
                || a.optional
                || a.value
                || a.target
                || matches!(v.ty.base, Base::Class(_))
        })
    };
    let result = match procedure.kind {
        ProcKind::Function(r) => {
            names.program.var(r).is_some_and(|v| !v.dims.is_empty() || v.attrs.pointer || v.attrs.allocatable)
        }
        ProcKind::Subroutine | ProcKind::Program => false,
    };
    procedure.bind.is_some() || result || procedure.dummies.iter().any(dummy)
}

/// Declares an external head procedure of the user's.
pub(super) fn external_primal(w: &mut Writer, names: &mut Names<'_>) -> Result<(), Box<Diagnostic>> {
    let procedure = &names.program[names.head.proc];
    let name = procedure.name.clone();
    let result = match procedure.kind {
        ProcKind::Function(r) => names.program.var(r).map(|v| (r, v)),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    if !needs_interface(names) {
        match result {
            Some((_, v)) => {
                let ty = type_text(names, v.ty, "1")?;
                w.line(&format!("{ty}, external :: {name}"));
            }
            None => w.line(&format!("external :: {name}")),
        }
        return Ok(());
    }
    let dummies = procedure.dummies.clone();
    let list: Vec<String> = dummies.iter().map(|&d| names.program[d].name.to_string()).collect();
    let bind = procedure.bind.as_ref().map_or(String::new(), |b| format!(" bind({b})"));
    let word = if result.is_some() { "function" } else { "subroutine" };
    let result_name = result.map_or(String::new(), |(r, _)| format!(" result({})", names.program[r].name));
    let result_name = if result_name == format!(" result({name})") { String::new() } else { result_name };
    w.open("interface");
    w.open(&format!("{word} {name}({}){bind}{result_name}", list.join(", ")));
    w.line("import");
    let mut args: Vec<(String, SymId)> = list.into_iter().zip(dummies).collect();
    if let Some((r, _)) = result {
        args.push((names.program[r].name.to_string(), r));
    }
    declare_args(w, names, &args, true)?;
    w.close(&format!("end {word}"));
    w.close("end interface");
    Ok(())
}

/// Declares a generated external procedure: derivatives are declared as their variables are.
pub(super) fn external_generated(
    w: &mut Writer,
    names: &mut Names<'_>,
    interface: &HeadInterface,
) -> Result<(), Box<Diagnostic>> {
    let name = &interface.procedure;
    if !needs_interface(names) {
        w.line(&format!("external :: {name}"));
        return Ok(());
    }
    let result = match names.program[names.head.proc].kind {
        ProcKind::Function(r) => Some(r),
        ProcKind::Subroutine | ProcKind::Program => None,
    };
    let mut args: Vec<(String, SymId)> = Vec::new();
    for (i, arg) in interface.args.iter().enumerate() {
        let (text, sym) = match arg {
            HeadArg::Primal(s) => (names.program[*s].name.to_string(), *s),
            HeadArg::Derivative(s) => (format!("dummy_{i}"), *s),
            HeadArg::PrimalResult | HeadArg::DerivativeResult => match result {
                Some(r) => (format!("dummy_{i}"), r),
                None => continue,
            },
        };
        args.push((text, sym));
    }
    let list: Vec<&str> = args.iter().map(|(n, _)| n.as_str()).collect();
    let bind = interface.bind.as_ref().map_or(String::new(), |b| format!(" bind({b})"));
    w.open("interface");
    w.open(&format!("subroutine {name}({}){bind}", list.join(", ")));
    w.line("import");
    declare_args(w, names, &args, false)?;
    w.close("end subroutine");
    w.close("end interface");
    Ok(())
}

fn declare_args(
    w: &mut Writer,
    names: &mut Names<'_>,
    args: &[(String, SymId)],
    intents: bool,
) -> Result<(), Box<Diagnostic>> {
    // Integers first: they may stand in the bounds of the others.
    let integer = |s: SymId| names.program.var(s).is_some_and(|v| v.ty.base == Base::Integer && v.dims.is_empty());
    let (first, then): (Vec<_>, Vec<_>) = args.iter().partition(|(_, s)| integer(*s));
    for (name, sym) in first.into_iter().chain(then) {
        let Some(v) = names.program.var(*sym) else { continue };
        let mut text = match v.ty.base {
            Base::Class(t) => format!("class({})", names.module_entity(t)?),
            _ => type_text(names, v.ty, &character_length(&v.spelling).unwrap_or_else(|| "*".to_string()))?,
        };
        let a = &v.attrs;
        for (is, word) in [
            (a.allocatable, "allocatable"),
            (a.pointer, "pointer"),
            (a.optional, "optional"),
            (a.value, "value"),
            (a.target, "target"),
            (a.contiguous, "contiguous"),
        ] {
            if is {
                text.push_str(", ");
                text.push_str(word);
            }
        }
        if intents && !v.result {
            text.push_str(match v.intent {
                Some(Intent::In) => ", intent(in)",
                Some(Intent::Out) => ", intent(out)",
                Some(Intent::InOut) => ", intent(inout)",
                None => "",
            });
        }
        let mut dims = Vec::new();
        for dim in &v.dims {
            let lower = |names: &mut Names<'_>, lo: &Option<costate_grammar::ir::Expr>| {
                lo.as_ref().map_or(Ok(String::new()), |lo| names.expr_in_interface(lo).map(|t| format!("{t}:")))
            };
            dims.push(match dim {
                Dim::Explicit(lo, hi) => format!("{}{}", lower(names, lo)?, names.expr_in_interface(hi)?),
                Dim::AssumedSize(lo) => format!("{}*", lower(names, lo)?),
                Dim::Assumed(Some(lo)) => lower(names, &Some(lo.clone()))?,
                Dim::Assumed(None) | Dim::Deferred => ":".to_string(),
                Dim::AssumedRank => "..".to_string(),
            });
        }
        let dims = if dims.is_empty() { String::new() } else { format!("({})", dims.join(", ")) };
        w.line(&format!("{text} :: {name}{dims}"));
    }
    Ok(())
}

/// True for a slot that the driver declares itself.
pub(super) fn is_local(place: Place) -> bool {
    match place {
        Place::Dummy | Place::Result => true,
        Place::Module(_) => false,
    }
}
