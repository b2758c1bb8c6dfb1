//! The variables that a driver provides, flattened to their real parts.

use costate_analysis::request::{Head, Target, holds_continuous};
use costate_analysis::storage::all_components;
use costate_grammar::diag::Diagnostic;
use costate_grammar::ir::{Base, Dim, Intent, ModuleId, Name, ProcKind, Program, SymId, Ty, Variable};

use super::{CheckOptions, no_driver};

/// Where a variable of the driver stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A dummy of the head procedure.
    Dummy,
    /// Its result.
    Result,
    /// A module variable that the head or an option names.
    Module(ModuleId),
}

/// A variable of the driver.
#[derive(Clone, Debug)]
pub(super) struct Slot<'a> {
    pub(super) sym: SymId,
    pub(super) var: &'a Variable,
    /// What its names in the driver are made from.
    pub(super) stem: String,
    /// How the user names it.
    pub(super) shown: String,
    pub(super) place: Place,
    /// It isn't the head's: an option alone names it.
    pub(super) by_option: bool,
}

/// One component on the way to a part, or the variable itself (without name).
#[derive(Clone, Copy, Debug)]
pub(super) struct Step<'a> {
    pub(super) name: Option<&'a Name>,
    pub(super) var: &'a Variable,
}

/// A part of a variable: intrinsic leaf, or anything on the way to one.
#[derive(Clone, Debug)]
pub(super) struct Part<'a> {
    pub(super) steps: Vec<Step<'a>>,
}

impl<'a> Part<'a> {
    pub(super) fn ty(&self) -> Ty {
        self.last().ty
    }

    pub(super) fn last(&self) -> &'a Variable {
        self.steps[self.steps.len() - 1].var
    }

    /// `%a%b`, without subscripts; empty for the whole variable.
    pub(super) fn path(&self) -> String {
        self.steps.iter().filter_map(|s| s.name).map(|n| format!("%{n}")).collect()
    }

    fn starts_with(&self, path: &[Name]) -> bool {
        let own: Vec<&Name> = self.steps.iter().filter_map(|s| s.name).collect();
        own.len() >= path.len() && own.iter().zip(path).all(|(a, b)| *a == b)
    }
}

/// A group: one real leaf of a variable, of which the head wants the derivative.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    /// Index into the slots.
    pub(super) slot: usize,
    pub(super) part: Part<'a>,
    pub(super) shown: String,
    /// An output of which the value on entry counts for nothing, so that the adjoint is zero on exit.
    pub(super) pure_: bool,
    /// It is an input or an output, not both. The adjoint of such an input is an increment.
    pub(super) alone: bool,
}

/// All that a head needs.
#[derive(Clone, Debug)]
pub(super) struct Slots<'a> {
    pub(super) program: &'a Program,
    pub(super) slots: Vec<Slot<'a>>,
    pub(super) inputs: Vec<Group<'a>>,
    pub(super) outputs: Vec<Group<'a>>,
}

impl<'a> Slots<'a> {
    /// What a head names, and module variables that `options` give sizes and values to.
    pub(super) fn of(program: &'a Program, head: &Head, options: &CheckOptions) -> Result<Slots<'a>, Box<Diagnostic>> {
        let mut all = Slots { program, slots: Vec::new(), inputs: Vec::new(), outputs: Vec::new() };
        let procedure = &program[head.proc];
        for &sym in &procedure.dummies {
            let Some(var) = program.var(sym) else {
                return Err(Box::new(
                    no_driver(
                        head,
                        program,
                        format!("the dummy `{}` of `{}` is a procedure", program[sym].name, procedure.name),
                    )
                    .help("check a procedure that calls it with an actual procedure"),
                ));
            };
            refuse_dummy(program, head, sym, var)?;
            all.add(sym, var, Place::Dummy);
        }
        if let ProcKind::Function(result) = procedure.kind
            && let Some(var) = program.var(result)
        {
            all.add(result, var, Place::Result);
        }
        for target in head.independents.iter().chain(&head.dependents) {
            if all.index(target.sym).is_none()
                && let (Some(var), Some(module)) =
                    (program.var(target.sym), program.module_of(program[target.sym].scope))
            {
                all.add(target.sym, var, Place::Module(module));
            }
        }
        let own = all.slots.len();
        for (sym, module) in module_variables(program, options) {
            if let (None, Some(var)) = (all.index(sym), program.var(sym)) {
                all.add(sym, var, Place::Module(module));
            }
        }
        all.slots[own..].iter_mut().for_each(|s| s.by_option = true);
        all.inputs = all.groups(&head.independents, &head.dependents);
        all.outputs = all.groups(&head.dependents, &head.independents);
        for group in &mut all.outputs {
            let slot = &all.slots[group.slot];
            group.pure_ = group.pure_ && (slot.place == Place::Result || slot.var.intent == Some(Intent::Out));
        }
        for (groups, what) in [(&all.inputs, "inputs"), (&all.outputs, "outputs")] {
            if groups.is_empty() {
                return Err(Box::new(no_driver(
                    head,
                    program,
                    format!("`{}` has no {what} that a driver can reach", head.text),
                )));
            }
        }
        Ok(all)
    }

    /// The slot of a symbol.
    pub(super) fn index(&self, sym: SymId) -> Option<usize> {
        self.slots.iter().position(|s| s.sym == sym)
    }

    fn add(&mut self, sym: SymId, var: &'a Variable, place: Place) {
        let name = self.program[sym].name.as_str();
        let shown = match place {
            Place::Module(m) => format!("{}::{name}", self.program[m].name),
            Place::Dummy | Place::Result => name.to_string(),
        };
        // Names of the driver carry a prefix of two characters, and Fortran's may have 63.
        let base: String = name.chars().take(50).collect();
        let mut stem = base.clone();
        let mut n = 2;
        while self.slots.iter().any(|s| s.stem == stem) {
            stem = format!("{base}_{n}");
            n += 1;
        }
        self.slots.push(Slot { sym, var, stem, shown, place, by_option: false });
    }

    /// The leaves that targets name; `pure_` is false where the other list names the same leaf.
    fn groups(&self, targets: &[Target], others: &[Target]) -> Vec<Group<'a>> {
        let mut out = Vec::new();
        for target in targets {
            let Some(slot) = self.index(target.sym) else { continue };
            for part in self.leaves(slot) {
                if part.ty().is_continuous() && part.starts_with(&target.path) {
                    let shared = others.iter().any(|o| o.sym == target.sym && part.starts_with(&o.path));
                    let shown = format!("{}{}", self.slots[slot].shown, part.path());
                    out.push(Group { slot, part, shown, pure_: !shared, alone: !shared });
                }
            }
        }
        out
    }

    /// All intrinsic leaves of a slot.
    pub(super) fn leaves(&self, slot: usize) -> Vec<Part<'a>> {
        let mut out = Vec::new();
        self.walk(slot, &mut |part, leaf| {
            if leaf {
                out.push(part.clone());
            }
        });
        out
    }

    /// The names of all that can be given a size or a value.
    pub(super) fn settable(&self) -> Vec<String> {
        let mut out = Vec::new();
        for (i, slot) in self.slots.iter().enumerate().filter(|(_, s)| s.place != Place::Result) {
            let name = |part: &Part<'_>| format!("{}{}", slot.shown, part.path()).to_ascii_lowercase();
            out.extend(self.leaves(i).iter().chain(&self.storage(i)).map(name));
            out.push(slot.shown.to_ascii_lowercase());
        }
        out
    }

    /// All components of a slot that must be allocated, outer before inner.
    pub(super) fn storage(&self, slot: usize) -> Vec<Part<'a>> {
        let mut out = Vec::new();
        self.walk(slot, &mut |part, _| {
            let attrs = &part.last().attrs;
            if part.steps.len() > 1 && (attrs.allocatable || attrs.pointer) {
                out.push(part.clone());
            }
        });
        out
    }

    /// Visits every part a driver can reach, outer before inner. Pointers to derived types and recursive types are left
    /// alone: they stay unallocated.
    fn walk(&self, slot: usize, f: &mut dyn FnMut(&Part<'a>, bool)) {
        let part = Part { steps: vec![Step { name: None, var: self.slots[slot].var }] };
        self.walk_part(part, &mut Vec::new(), f);
    }

    fn walk_part(&self, part: Part<'a>, types: &mut Vec<SymId>, f: &mut dyn FnMut(&Part<'a>, bool)) {
        let ty = part.ty();
        match ty.base {
            Base::Integer | Base::Real | Base::Complex | Base::Logical | Base::Character => f(&part, true),
            Base::Unlimited | Base::None => {}
            Base::Derived(t) | Base::Class(t) => {
                let component = part.steps.len() > 1;
                if types.contains(&t) || (component && part.last().attrs.pointer) {
                    return;
                }
                f(&part, false);
                types.push(t);
                for c in all_components(self.program, t) {
                    let mut inner = part.clone();
                    inner.steps.push(Step { name: Some(&c.name), var: &c.var });
                    self.walk_part(inner, types, f);
                }
                types.pop();
            }
        }
    }
}

/// The module variables that options name: `--value module::name=...`.
pub(super) fn module_variables(program: &Program, options: &CheckOptions) -> Vec<(SymId, ModuleId)> {
    let mut out = Vec::new();
    let names = options.generate.sizes.iter().map(|(n, _)| n).chain(options.values.iter().map(|(n, _)| n));
    for text in names.map(|n| n.to_ascii_lowercase()) {
        let Some((module, name)) = text.split_once("::") else { continue };
        let Some(&module) = program.module_names.get(module.trim()) else { continue };
        let variable = name.split('%').next().unwrap_or(name).trim();
        let Some(&sym) = program[program[module].scope].names.get(variable) else { continue };
        let own = program[sym].scope == program[module].scope;
        let settable = program.var(sym).is_some_and(|v| !v.attrs.parameter);
        if own && settable && !out.contains(&(sym, module)) {
            out.push((sym, module));
        }
    }
    out
}

fn refuse_dummy(program: &Program, head: &Head, sym: SymId, var: &Variable) -> Result<(), Box<Diagnostic>> {
    let name = &program[sym].name;
    let refuse = |reason: &str| {
        Err(Box::new(
            no_driver(head, program, format!("no driver can be written for the dummy `{name}`"))
                .reason(reason)
                .help("check a procedure that sets it up and calls this one"),
        ))
    };
    if var.dims.contains(&Dim::AssumedRank) {
        return refuse("it is of assumed rank");
    }
    match var.ty.base {
        Base::Unlimited => return refuse("it is of unlimited type"),
        Base::None => return refuse("its type isn't known"),
        Base::Class(_) if var.attrs.allocatable || var.attrs.pointer => {
            return refuse("it is polymorphic and allocatable or a pointer");
        }
        _ => {}
    }
    if let Some(ty) = var.ty.derived()
        && !accessible_components(program, ty)
        && holds_continuous(program, var.ty)
    {
        return refuse("its type has private components");
    }
    Ok(())
}

fn accessible_components(program: &Program, ty: SymId) -> bool {
    let Some(derived) = program[ty].derived() else { return false };
    let private = derived.private_components || derived.components.iter().any(|c| c.var.attrs.private);
    !private && derived.extends.is_none_or(|parent| accessible_components(program, parent))
}
