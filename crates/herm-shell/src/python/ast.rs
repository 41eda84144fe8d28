//! A Python program as a tree.
//!
//! Chains (`a + b + c`, `a.b().c[0]`, `elif`) are kept flat, so that a tree is never deeper than the text is nested.

use std::rc::Rc;

use crate::span::Span;

/// Statements that run one after another.
pub(super) type Block = Vec<Statement>;

/// A name.
pub(super) type Name = Rc<str>;

/// A statement and where it stands.
#[derive(Debug)]
pub(super) struct Statement {
    pub(super) span: Span,
    pub(super) kind: Action,
}

/// What a statement does.
#[derive(Debug)]
pub(super) enum Action {
    /// `target: annotation = value`.
    Annotate {
        target: Expression,
        annotation: Expression,
        value: Option<Expression>,
    },
    Assert(Vec<Expression>),
    Assign {
        targets: Vec<Expression>,
        value: Expression,
    },
    Augment {
        target: Expression,
        operator: Operator,
        value: Expression,
    },
    /// `break`.
    Break,
    Class(Rc<Class>),
    Continue,
    Define(Rc<Function>),
    Delete(Vec<Expression>),
    Evaluate(Expression),
    For {
        target: Expression,
        items: Expression,
        body: Block,
        otherwise: Block,
    },
    Global(Vec<Name>),
    If {
        arms: Vec<(Expression, Block)>,
        otherwise: Block,
    },
    Import(Vec<Alias>),
    ImportFrom {
        module: Name,
        relative: bool,
        names: Vec<Alias>,
    },
    Match {
        subject: Expression,
        cases: Vec<Case>,
    },
    Nonlocal(Vec<Name>),
    Pass,
    Raise(Vec<Expression>),
    Return(Option<Expression>),
    Try {
        body: Block,
        handlers: Vec<Handler>,
        otherwise: Block,
        finally: Block,
    },
    /// `type X[T] = …`.
    TypeAlias {
        name: Name,
        bounds: Vec<Expression>,
        value: Expression,
    },
    While {
        test: Expression,
        body: Block,
        otherwise: Block,
    },
    With {
        items: Vec<(Expression, Option<Expression>)>,
        body: Block,
    },
}

/// `a.b as c`; a star is the name `*`.
#[derive(Debug)]
pub(super) struct Alias {
    pub(super) name: Name,
    pub(super) known_as: Option<Name>,
}

/// A `case`: the names it binds, its guard, its body.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) names: Vec<Name>,
    pub(super) guard: Option<Expression>,
    pub(super) body: Block,
}

/// An `except`.
#[derive(Debug)]
pub(super) struct Handler {
    pub(super) kinds: Vec<Expression>,
    pub(super) name: Option<Name>,
    pub(super) body: Block,
}

/// A `def` or a `lambda`.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: Name,
    pub(super) parameters: Vec<Parameter>,
    pub(super) decorators: Vec<Expression>,
    /// What it says of its parameters, its result and its types.
    pub(super) annotations: Vec<Expression>,
    pub(super) body: Body,
}

/// What a function does.
#[derive(Debug)]
pub(super) enum Body {
    Block(Block),
    Expression(Expression),
}

/// A parameter and its default.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: Name,
    pub(super) kind: ParameterKind,
    pub(super) default: Option<Expression>,
}

/// How a parameter takes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParameterKind {
    /// `**kwargs`.
    Keywords,
    /// After `*`: by name only.
    Named,
    /// By place or name.
    Plain,
    /// `*args`.
    Rest,
}

/// A `class`.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: Name,
    /// What it says of its types.
    pub(super) bounds: Vec<Expression>,
    pub(super) bases: Vec<Argument>,
    pub(super) decorators: Vec<Expression>,
    pub(super) body: Block,
}

/// An expression and where it stands.
#[derive(Debug)]
pub(super) struct Expression {
    pub(super) span: Span,
    pub(super) kind: Node,
}

/// What an expression is.
#[derive(Debug)]
pub(super) enum Node {
    Await(Box<Expression>),
    /// Operators of one strength, from left to right.
    Binary(Box<Expression>, Vec<(Operator, Expression)>),
    Bool(bool),
    Bytes(Rc<[u8]>),
    /// `and` or `or`.
    Choice(Vec<Expression>),
    Compare(Box<Expression>, Vec<(Comparison, Expression)>),
    Comprehension(Box<Comprehension>),
    Conditional(Box<[Expression; 3]>),
    Dict(Vec<(Option<Expression>, Expression)>),
    Ellipsis,
    Float,
    Int(i64),
    Lambda(Rc<Function>),
    List(Vec<Expression>),
    Name(Name),
    None,
    Set(Vec<Expression>),
    Slice(Box<[Option<Expression>; 3]>),
    Starred(Box<Expression>),
    Text(Vec<TextPart>),
    /// Attributes, calls and subscripts, from left to right.
    Trail(Box<Expression>, Vec<Trailer>),
    Tuple(Vec<Expression>),
    Unary(Unary, Box<Expression>),
    Walrus(Name, Box<Expression>),
    Yield(Option<Box<Expression>>),
}

/// A part of a string literal.
#[derive(Debug)]
pub(super) enum TextPart {
    Field(Expression, Vec<TextPart>),
    Literal(String),
}

/// What follows a primary expression.
#[derive(Debug)]
pub(super) struct Trailer {
    /// From the beginning of the primary to the end of this trailer.
    pub(super) span: Span,
    pub(super) kind: Step,
}

/// One step of a chain.
#[derive(Debug)]
pub(super) enum Step {
    Attribute(Name),
    Call(Vec<Argument>),
    Subscript(Expression),
}

/// An argument of a call.
#[derive(Debug)]
pub(super) enum Argument {
    /// `**value`.
    Keywords(Expression),
    Named(Name, Expression),
    /// A plain argument, or a [`Node::Starred`] one.
    Plain(Expression),
}

/// A comprehension or generator; `value` is set for dictionaries.
#[derive(Debug)]
pub(super) struct Comprehension {
    pub(super) element: Expression,
    pub(super) value: Option<Expression>,
    pub(super) clauses: Vec<Clause>,
}

/// `for target in items if …`.
#[derive(Debug)]
pub(super) struct Clause {
    pub(super) target: Expression,
    pub(super) items: Expression,
    pub(super) conditions: Vec<Expression>,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    And,
    Divide,
    FloorDivide,
    MatrixMultiply,
    Modulo,
    Multiply,
    Or,
    Power,
    ShiftLeft,
    ShiftRight,
    Subtract,
    Xor,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Greater,
    GreaterEqual,
    In,
    Is,
    IsNot,
    Less,
    LessEqual,
    NotEqual,
    NotIn,
}

/// A prefix operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Invert,
    Minus,
    Not,
    Plus,
}
