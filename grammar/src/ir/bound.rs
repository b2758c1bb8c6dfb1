//! What the bindings of derived types lead to.

use super::{Arg, Binding, Expr, Program, SymId, Symbol};

impl Program {
    /// A binding of a derived type, inherited ones included, with the type that has it.
    pub fn binding(&self, ty: SymId, name: &str) -> Option<(SymId, &Binding)> {
        self.bindings(ty).find(|(_, b)| b.name.as_str() == name)
    }

    /// How a component that points to a procedure is called, an inherited one included, with the type that has it.
    pub fn procedure_component(&self, ty: SymId, name: &str) -> Option<(SymId, &Binding)> {
        let mut types = std::iter::successors(Some(ty), |t| self[*t].derived()?.extends);
        types.find_map(|t| {
            let component = self[t].derived()?.components.iter().find(|c| c.name.as_str() == name)?;
            Some((t, component.procedure.as_deref()?))
        })
    }

    /// The bindings of a derived type, and then those of the types that it extends.
    pub fn bindings(&self, ty: SymId) -> impl Iterator<Item = (SymId, &Binding)> {
        let types = std::iter::successors(Some(ty), |t| self[*t].derived()?.extends);
        types.flat_map(|t| self[t].derived().into_iter().flat_map(move |d| d.bindings.iter().map(move |b| (t, b))))
    }

    /// The specific bindings that a name stands for: one, or those that generics of the name list in the type and in those
    /// that it extends. An extension may override what is listed.
    pub fn specific_bindings(&self, ty: SymId, name: &str) -> Vec<(SymId, &Binding)> {
        match self.binding(ty, name) {
            Some((_, b)) if b.generic => {}
            found => return found.into_iter().collect(),
        }
        let mut out: Vec<(SymId, &Binding)> = Vec::new();
        let generics = self.bindings(ty).filter(|(_, b)| b.generic && b.name.as_str() == name);
        for (owner, b) in generics.flat_map(|(_, b)| &b.targets).filter_map(|target| self.binding(ty, target)) {
            if !b.generic && !out.iter().any(|(_, known)| known.name == b.name) {
                out.push((owner, b));
            }
        }
        out
    }

    /// The procedure of a specific binding of a type; the interface of a deferred one.
    pub fn bound_procedure(&self, owner: SymId, binding: &Binding) -> Option<SymId> {
        self.lookup(self[owner].scope, binding.targets.first()?)
    }

    /// The arguments of a procedure that is called through a specific binding, with the object among them.
    pub fn with_object(&self, binding: &Binding, procedure: SymId, object: &Expr, args: &[Arg]) -> Option<Vec<Arg>> {
        let mut all = args.to_vec();
        if binding.nopass {
            return Some(all);
        }
        let info = self[procedure].procedure()?;
        let dummies = &self[info.definition.or(info.interface)?].dummies;
        let at = match &binding.pass {
            Some(pass) => dummies.iter().position(|d| self[*d].name == *pass)?,
            None => 0,
        };
        let positional = args.iter().take_while(|a| a.keyword.is_none()).count();
        let keyword = if at > positional { Some(self[*dummies.get(at)?].name.clone()) } else { None };
        all.insert(at.min(positional), Arg { keyword, value: object.clone() });
        Some(all)
    }

    /// Does an extension of `ty` bind `name` to something else?
    pub fn overridden(&self, ty: SymId, name: &str) -> bool {
        self.symbols.iter().filter_map(Symbol::derived).any(|d| {
            d.extends.is_some_and(|e| self.extends(e, ty)) && d.bindings.iter().any(|b| b.name.as_str() == name)
        })
    }
}
