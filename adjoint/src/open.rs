//! What both modes do before they write the statements of a procedure: its scope, its derivative dummies, memory for local
//! derivatives, and the procedures inside it.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use costate_analysis::activity::{Context, ContextId};
use costate_analysis::storage::LocSet;
use costate_grammar::diag::{Code, Diagnostic};
use costate_grammar::intrinsics::Intrinsic;
use costate_grammar::ir::{
    AllocItem, Attrs, Block, Dim, Expr, ModuleId, Name, Program, Role, ScopeId, Stmt, StmtKind, SymId, SymbolKind,
};

use crate::build::{Builder, anchor, new_scope};
use crate::dummies::{derivative_dummies, tangent_dummies};
use crate::interface::{self, Signature};
use crate::internal::{Host, Inside};
use crate::mode::Mode;
use crate::names::{Naming, Taken};
use crate::obstacles::with_memory;
use crate::session::{HeadFacts, Session};

/// A procedure that is about to be generated.
pub(crate) struct Opened {
    /// What is active in it.
    pub(crate) context: Context,
    /// What its callers see.
    pub(crate) signature: Signature,
    /// The module that it goes to.
    pub(crate) home: Option<ModuleId>,
    /// The primal's statements in normal form.
    pub(crate) body: Rc<Block>,
    /// Locations with a derivative variable.
    pub(crate) storage: LocSet,
    /// Its scope.
    pub(crate) scope: ScopeId,
    naming: Naming,
    taken: Taken,
    names: BTreeMap<SymId, Name>,
    shadow: BTreeMap<SymId, SymId>,
    made: BTreeSet<SymId>,
}

impl Opened {
    /// Keeps names clear for something else.
    pub(crate) fn reserve(&mut self, names: &[Name]) {
        names.iter().for_each(|n| self.taken.insert(n.clone()));
    }

    /// A builder that goes on where the last one stopped.
    pub(crate) fn builder<'a>(
        &'a mut self,
        program: &'a mut Program,
        globals: &'a mut BTreeMap<SymId, SymId>,
    ) -> Builder<'a> {
        Builder {
            program,
            primal: self.context.proc,
            scope: self.scope,
            naming: &self.naming,
            taken: std::mem::take(&mut self.taken),
            names: self.names.clone(),
            shadow: std::mem::take(&mut self.shadow),
            globals,
            made: std::mem::take(&mut self.made),
        }
    }
}

/// The same with what stands before its statements.
pub(crate) struct Started {
    /// The procedure.
    pub(crate) opened: Opened,
    /// Its dummies in call order.
    pub(crate) dummies: Vec<SymId>,
    /// Statements that give memory to local derivatives.
    pub(crate) before: Block,
    /// The procedures inside it.
    pub(crate) inside: Inside,
    /// What the head says, when it is a head's procedure.
    pub(crate) facts: Option<HeadFacts>,
    /// What set-up and tear-down are derived from.
    pub(crate) anchor: Stmt,
}

impl Session<'_> {
    /// Opens the generated procedure of a context, inside a host perhaps.
    pub(crate) fn open(&mut self, id: ContextId, host: Option<&Host>, home: Option<ModuleId>) -> Opened {
        let context = self.activity.get(id).clone();
        let signature = self.signatures[&id].clone();
        let body = self.effects.bodies.get(&context.proc).cloned().unwrap_or_default();
        let inner = self.inner_contexts(id);
        Opened {
            taken: self.names_for(context.proc, home, host, &inner),
            scope: new_scope(self.program),
            naming: self.naming.clone(),
            names: signature.names.clone(),
            shadow: host.map(|h| h.shadow.clone()).unwrap_or_default(),
            made: BTreeSet::new(),
            storage: self.storage[id.0 as usize].clone(),
            context,
            signature,
            home,
            body,
        }
    }

    /// Opens it and makes what comes before its statements; `None` where there can be no such procedure.
    pub(crate) fn start(&mut self, id: ContextId, host: Option<&Host>) -> Option<Started> {
        let primal = self.activity.get(id).proc;
        if self.refuse_kind(primal) {
            return None;
        }
        let home = self.home(id);
        let mut opened = self.open(id, host, home);
        let (signature, storage) = (opened.signature.clone(), opened.storage.clone());
        let body = std::mem::take(&mut opened.body);
        let facts = self.heads.iter().find(|h| h.context == id).cloned();
        let inner = self.inner_contexts(id);
        let mut builder = opened.builder(self.program, &mut self.globals);
        let dummies = match self.mode {
            Mode::Adjoint => derivative_dummies(&mut builder, &signature),
            Mode::Tangent => tangent_dummies(&mut builder, &signature, facts.is_some()),
        };
        let roots = interface::roots(builder.program, &mut self.effects, primal, &storage);
        let anchor = anchor(&builder, &body);
        let dynamic = with_memory(builder.program, &self.effects.locs, &storage, self.mode == Mode::Adjoint);
        let before = local_dummy_shadows(&mut builder, &signature, &roots, &dynamic, &anchor, &mut self.problems);
        let handed = (!inner.is_empty()).then(|| host_shadows(&mut builder, &roots));
        let (shadow, taken, made) = (builder.shadow, builder.taken, builder.made);
        let inside = match handed {
            Some(handed) => self.build_inside(&inner, &handed),
            None => Inside::default(),
        };
        (opened.shadow, opened.taken, opened.made, opened.body) = (shadow, taken, made, body);
        Some(Started { opened, dummies, before, inside, facts, anchor })
    }
}

/// Derivatives of the host's variables, made before the procedures inside it are built.
fn host_shadows(b: &mut Builder<'_>, roots: &BTreeSet<SymId>) -> Host {
    let own = b.program[b.primal].scope;
    for r in roots {
        if b.program[*r].scope == own {
            b.shadow_of(*r);
        }
    }
    b.host()
}

/// Active dummies without a derivative dummy (a head names what it names) get a local derivative of the same shape; those
/// in `dynamic` would need the shapes of their components.
fn local_dummy_shadows(
    b: &mut Builder<'_>,
    signature: &Signature,
    roots: &BTreeSet<SymId>,
    dynamic: &BTreeSet<SymId>,
    anchor: &Stmt,
    problems: &mut Vec<Diagnostic>,
) -> Block {
    let dummies = b.program[signature.primal].dummies.clone();
    let mut out = Vec::new();
    for d in dummies.into_iter().filter(|d| roots.contains(d) && !signature.derivative.contains(d)) {
        let Some(v) = b.program.var(d).cloned() else { continue };
        let sym = b.shadow_of(d);
        let assumed = v.dims.iter().any(|x| matches!(x, Dim::Assumed(_) | Dim::Deferred));
        let unsized_array = v.dims.iter().any(|x| matches!(x, Dim::AssumedSize(_) | Dim::AssumedRank));
        if unsized_array || v.attrs.allocatable || dynamic.contains(&d) {
            problems.push(
                Diagnostic::error(
                    Code::HeadVariable,
                    b.program[d].span,
                    format!("`{}` is active but not named in the head", b.program[d].name),
                )
                .reason("its derivative would have to be a local variable, and its shape isn't known")
                .help("name it among the dependents or independents, or give it an explicit shape"),
            );
            continue;
        }
        if let SymbolKind::Variable(s) = &mut b.program[sym].kind {
            s.attrs = Attrs { target: v.attrs.target, ..Attrs::default() };
            if assumed {
                s.attrs.allocatable = true;
                s.dims = vec![Dim::Deferred; v.dims.len()];
            }
        }
        if assumed {
            let whole = Expr::var(d, v.ty, v.rank());
            let shape = (0..v.dims.len())
                .map(|i| (None, Expr::intrinsic(Intrinsic::Size, vec![whole.clone(), Expr::int(i as i64 + 1)])))
                .collect();
            let items = vec![AllocItem { object: b.var(sym), shape }];
            out.push(b.derive(
                StmtKind::Allocate { items, type_spec: None, options: Vec::new() },
                anchor,
                Role::Storage,
            ));
        }
    }
    out
}
