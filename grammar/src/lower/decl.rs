//! Declarations of variables and procedures: attributes, bounds, initial values.

use super::pending::Spec;
use super::types::TypeSpec;
use super::{Ctx, Lowerer};
use crate::cst::{Field, Kind, Node};
use crate::diag::Code;
use crate::intrinsics::Intrinsic;
use crate::ir::{Attrs, Dim, Intent, ScopeKind, SymId, Variable};

/// The parts of a declarator.
pub(super) struct Declarator<'t> {
    pub(super) name: Node<'t>,
    pub(super) size: Option<Node<'t>>,
    /// `*16` of a character.
    pub(super) length: Option<Node<'t>>,
    pub(super) init: Option<Node<'t>>,
    /// `=> null()`
    pub(super) pointer: bool,
    /// `/1.0/` after the name.
    pub(super) data: Option<Node<'t>>,
    pub(super) coarray: Option<Node<'t>>,
}

/// Takes a declarator apart.
pub(super) fn declarator(n: Node<'_>) -> Option<Declarator<'_>> {
    match n.kind() {
        Kind::Identifier => Some(Declarator {
            name: n,
            size: None,
            length: None,
            init: None,
            pointer: false,
            data: None,
            coarray: None,
        }),
        Kind::SizedDeclarator => {
            let mut d = declarator(n.child(Kind::Identifier)?)?;
            d.length = n.child(Kind::CharacterLength);
            d.size = n.child(Kind::Size);
            // The parser takes the length of `c*(n)` for bounds.
            if let Some(size) = d.size.filter(|s| n.text()[..s.place_in(n).start].trim_end().ends_with('*')) {
                (d.size, d.length) = (None, Some(size));
            }
            Some(d)
        }
        Kind::CoarrayDeclarator => {
            let mut d = declarator(n.named().next()?)?;
            d.coarray = Some(n);
            Some(d)
        }
        Kind::InitDeclarator | Kind::PointerInitDeclarator | Kind::DataDeclarator => {
            let mut d = declarator(n.field(Field::Left)?)?;
            let right = n.field(Field::Right);
            d.pointer = n.kind() == Kind::PointerInitDeclarator;
            if n.kind() == Kind::DataDeclarator {
                d.data = right;
            } else {
                d.init = right;
            }
            Some(d)
        }
        _ => None,
    }
}

/// Attributes of a declaration.
#[derive(Default)]
pub(super) struct AttrList<'t> {
    pub(super) attrs: Attrs,
    pub(super) intent: Option<Intent>,
    pub(super) dimension: Option<Node<'t>>,
    pub(super) external: bool,
    pub(super) intrinsic: bool,
    pub(super) public: bool,
    pub(super) private: bool,
    /// One that isn't understood.
    pub(super) unknown: Option<Node<'t>>,
}

impl<'t> AttrList<'t> {
    /// Adds a `type_qualifier`.
    pub(super) fn add(&mut self, q: Node<'t>) {
        let word: String =
            q.text().chars().take_while(|c| c.is_ascii_alphanumeric()).collect::<String>().to_ascii_lowercase();
        let a = &mut self.attrs;
        match word.as_str() {
            "allocatable" => a.allocatable = true,
            "pointer" => a.pointer = true,
            "target" => a.target = true,
            "optional" => a.optional = true,
            "value" => a.value = true,
            "contiguous" => a.contiguous = true,
            "save" | "static" => a.save = true,
            "volatile" => a.volatile = true,
            "asynchronous" => a.asynchronous = true,
            "parameter" => a.parameter = true,
            "protected" => a.protected = true,
            "bind" => a.bind_c = true,
            "external" => self.external = true,
            "intrinsic" => self.intrinsic = true,
            "public" => self.public = true,
            "private" => self.private = true,
            "automatic" => {}
            "dimension" => self.dimension = q.child(Kind::ArgumentList),
            "intent" => {
                self.intent = match q.squeezed().as_str() {
                    "intent(in)" => Some(Intent::In),
                    "intent(out)" => Some(Intent::Out),
                    _ => Some(Intent::InOut),
                };
            }
            _ => self.unknown = Some(q),
        }
    }

    /// Adds them to a variable.
    pub(super) fn apply(&self, v: &mut Variable) {
        let (a, b) = (&mut v.attrs, self.attrs);
        a.allocatable |= b.allocatable;
        a.pointer |= b.pointer;
        a.target |= b.target;
        a.optional |= b.optional;
        a.value |= b.value;
        a.contiguous |= b.contiguous;
        a.save |= b.save;
        a.volatile |= b.volatile;
        a.asynchronous |= b.asynchronous;
        a.parameter |= b.parameter;
        a.protected |= b.protected;
        a.bind_c |= b.bind_c;
        v.intent = self.intent.or(v.intent);
    }
}

impl<'t> Lowerer<'t> {
    /// `real(wp), intent(in) :: x(n), y`
    pub(super) fn variable_declaration(&mut self, ctx: Ctx<'t>, n: Node<'t>, spec: &mut Spec<'t>) {
        let Some(type_node) = n.field(Field::Type) else { return };
        if type_node.kind() == Kind::Procedure {
            return self.procedure_declaration(ctx, n, type_node, spec);
        }
        let ty = self.type_spec(ctx, type_node);
        let attrs = self.attributes(ctx, n);
        for d in n.fields(Field::Declarator) {
            let Some(parts) = declarator(d) else {
                self.problem_at(
                    ctx,
                    Code::BadDeclaration,
                    d,
                    format!("the declaration `{}` isn't understood", d.text()),
                );
                continue;
            };
            let sym = self.declare(ctx, parts.name);
            self.set_type(sym, &ty);
            self.note_access(ctx, parts.name, &attrs);
            if let Some(length) = parts.length {
                self.character_length(ctx, sym, length);
            }
            self.declared(ctx, sym, &parts, &attrs, spec);
        }
    }

    fn attributes(&mut self, ctx: Ctx<'t>, n: Node<'t>) -> AttrList<'t> {
        let mut attrs = AttrList::default();
        for a in n.fields(Field::Attribute) {
            attrs.add(a);
        }
        if let Some(q) = attrs.unknown {
            self.problem_at(
                ctx,
                Code::UnsupportedDeclaration,
                q,
                format!("the attribute `{}` isn't supported", q.text()),
            );
        }
        attrs
    }

    fn note_access(&mut self, ctx: Ctx<'t>, name: Node<'t>, attrs: &AttrList<'t>) {
        let ScopeKind::Module(m) = self.program[ctx.scope].kind else { return };
        let name = crate::ir::Name::new(name.text());
        if attrs.public {
            self.access.entry(m).or_default().public.insert(name);
        } else if attrs.private {
            self.access.entry(m).or_default().private.insert(name);
        }
    }

    /// What a declaration says of one name beside its type.
    fn declared(
        &mut self,
        ctx: Ctx<'t>,
        sym: SymId,
        parts: &Declarator<'t>,
        attrs: &AttrList<'t>,
        spec: &mut Spec<'t>,
    ) {
        if let Some(c) = parts.coarray {
            self.problem_at(ctx, Code::UnsupportedDeclaration, c, "a coarray isn't supported");
        }
        self.with_variable(sym, |v| attrs.apply(v));
        if attrs.external {
            self.make_procedure(sym);
        }
        if attrs.intrinsic {
            self.intrinsic_name(sym);
        }
        if let Some(size) = parts.size.or(attrs.dimension) {
            spec.dims.push((sym, size));
        }
        if let Some(data) = parts.data {
            self.with_variable(sym, |v| {
                v.data = true;
                v.attrs.save = true;
            });
            if let Some(value) = data.named().next().filter(|_| data.named().count() == 1) {
                spec.inits.push((sym, value, false));
            }
        }
        let Some(init) = parts.init else { return };
        if attrs.attrs.parameter {
            self.named_constant(ctx, sym, init, spec);
        } else {
            spec.inits.push((sym, init, parts.pointer));
        }
    }

    fn intrinsic_name(&mut self, sym: SymId) {
        let found = Intrinsic::find(&self.program[sym].name);
        let info = self.make_procedure(sym);
        info.intrinsic = found;
        info.external = found.is_none();
        info.definition = None;
    }

    /// `character x*16`
    pub(super) fn character_length(&mut self, ctx: Ctx<'t>, sym: SymId, length: Node<'t>) {
        let text = length.squeezed();
        let text = length_text(&text).to_string();
        let uses = self.names_in(ctx, length);
        self.with_variable(sym, |v| {
            let spec = TypeSpec { ty: v.ty, spelling: format!("character(len={text})"), uses };
            spec.apply(v);
        });
    }

    /// Attribute statements: `dimension a(10)`, `external f`, `intent(in) x`.
    pub(super) fn variable_modification(&mut self, ctx: Ctx<'t>, n: Node<'t>, spec: &mut Spec<'t>) {
        let mut attrs = AttrList::default();
        for q in n.named().filter(|q| q.field_of() != Field::Declarator) {
            if q.kind() == Kind::TypeQualifier {
                attrs.add(q);
            } else {
                attrs.unknown = Some(q);
            }
        }
        if let Some(q) = attrs.unknown {
            self.problem_at(
                ctx,
                Code::UnsupportedDeclaration,
                q,
                format!("the statement `{}` isn't supported", n.text()),
            );
            return;
        }
        for d in n.fields(Field::Declarator) {
            let Some(parts) = declarator(d) else { continue };
            let sym = self.declare(ctx, parts.name);
            self.note_access(ctx, parts.name, &attrs);
            self.declared(ctx, sym, &parts, &attrs, spec);
        }
    }

    /// `procedure(f), pointer :: p => null()`
    fn procedure_declaration(&mut self, ctx: Ctx<'t>, n: Node<'t>, of: Node<'t>, spec: &mut Spec<'t>) {
        let mut attrs = self.attributes(ctx, n);
        // Attributes may stand beside the interface.
        of.children().filter(|a| a.kind() == Kind::ProcedureAttribute).for_each(|a| attrs.add(a));
        let ty = of.named().find(|t| matches!(t.kind(), Kind::IntrinsicType | Kind::DerivedType));
        let ty = ty.map(|t| self.type_spec(ctx, t));
        for d in n.fields(Field::Declarator) {
            let Some(parts) = declarator(d) else { continue };
            let sym = self.declare(ctx, parts.name);
            self.note_access(ctx, parts.name, &attrs);
            self.with_variable(sym, |v| attrs.apply(v));
            let init = parts.init.map(|i| self.expr(ctx, i));
            let info = self.make_procedure(sym);
            info.saved |= parts.init.is_some() || parts.pointer;
            info.init = init;
            if let Some(ty) = &ty {
                self.set_type(sym, ty);
            }
            if let Some(i) = of.child(Kind::ProcedureInterface) {
                spec.interfaces.push((sym, i));
            }
        }
    }

    /// Takes the interface of a procedure declared by `procedure(name)`.
    pub(super) fn procedure_interface(&mut self, ctx: Ctx<'t>, sym: SymId, name: Node<'t>) {
        let text = name.lower();
        let from = self.lookup(ctx, &text);
        let info = from.and_then(|f| self.program[f].procedure().cloned());
        match info {
            Some(from) => {
                let info = self.make_procedure(sym);
                info.interface = from.interface.or(from.definition);
                info.ty = info.ty.or(from.ty);
            }
            None if Intrinsic::find(&text).is_some() => {}
            None => self.undeclared(ctx, &text, ctx.span(name)),
        }
    }

    /// Bounds of a variable from its array specification.
    pub(super) fn dims(&mut self, ctx: Ctx<'t>, sym: SymId, list: Node<'t>) {
        let dims = self.array_spec(ctx, list);
        self.with_variable(sym, |v| v.dims = dims);
    }

    /// An array specification.
    pub(super) fn array_spec(&mut self, ctx: Ctx<'t>, list: Node<'t>) -> Vec<Dim> {
        let mut dims = Vec::new();
        for n in list.named() {
            dims.push(match n.kind() {
                Kind::AssumedSize => Dim::AssumedSize(None),
                Kind::AssumedRank => Dim::AssumedRank,
                Kind::AssumedShape => Dim::Assumed(None),
                Kind::ExtentSpecifier => {
                    let (lo, hi, _) = extent(n);
                    let lo = lo.map(|e| self.expr(ctx, e));
                    match hi {
                        Some(h) if h.kind() == Kind::AssumedSize => Dim::AssumedSize(lo),
                        Some(h) => Dim::Explicit(lo, self.expr(ctx, h)),
                        None => Dim::Assumed(lo),
                    }
                }
                _ => Dim::Explicit(None, self.expr(ctx, n)),
            });
        }
        dims
    }
}

/// `lo:hi:step` as three optional nodes.
pub(super) fn extent(n: Node<'_>) -> (Option<Node<'_>>, Option<Node<'_>>, Option<Node<'_>>) {
    let mut parts = [None, None, None];
    let mut at = 0;
    for c in n.children() {
        if c.is(":") {
            at = (at + 1).min(2);
        } else if c.is("::") {
            at = 2;
        } else {
            parts[at] = Some(c);
        }
    }
    (parts[0], parts[1], parts[2])
}

/// The length in `*16`, `*(n)`, `(n)` or `*(*)`.
pub(super) fn length_text(text: &str) -> &str {
    let text = text.trim_start_matches('*');
    text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(if text.is_empty() { "*" } else { text })
}
