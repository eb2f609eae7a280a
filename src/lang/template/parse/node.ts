/** The nodes of Go's text/template/parse. `pos` counts UTF-16 units. */
export type ParseNode =
  | ParseNodeList
  | TextNode
  | PipeNode
  | ActionNode
  | CommandNode
  | Operand
  | BranchNode
  | TemplateNode
  | JumpNode
  | EndNode;

/** An operand of a command. The first one is called or is the value; the others are arguments. */
export type Operand =
  | IdentifierNode
  | VariableNode
  | DotNode
  | NilNode
  | FieldNode
  | ChainNode
  | BoolNode
  | NumberNode
  | StringNode
  | PipeNode;

export type ParseNodeList = {
  readonly type: "list";
  readonly pos: number;
  readonly nodes: readonly ParseNode[];
};

type TextNode = {
  readonly type: "text";
  readonly pos: number;
  readonly text: string;
};

export type PipeNode = {
  readonly type: "pipe";
  readonly pos: number;
  readonly isAssign: boolean;
  readonly declared: readonly VariableNode[];
  readonly commands: readonly CommandNode[];
};

export type ActionNode = {
  readonly type: "action";
  readonly pos: number;
  readonly pipe: PipeNode;
};

export type CommandNode = {
  readonly type: "command";
  readonly pos: number;
  readonly args: readonly Operand[];
};

export type IdentifierNode = {
  readonly type: "identifier";
  readonly pos: number;
  readonly name: string;
};

export type VariableNode = {
  readonly type: "variable";
  readonly pos: number;
  /** The name with its `$`, then the fields. */
  readonly path: readonly string[];
};

type DotNode = {
  readonly type: "dot";
  readonly pos: number;
};

export type NilNode = {
  readonly type: "nil";
  readonly pos: number;
};

export type FieldNode = {
  readonly type: "field";
  readonly pos: number;
  readonly path: readonly string[];
};

/** Fields of a parenthesized pipeline or of a function's result. */
export type ChainNode = {
  readonly type: "chain";
  readonly pos: number;
  readonly node: Operand;
  readonly path: readonly string[];
};

export type BoolNode = {
  readonly type: "bool";
  readonly pos: number;
  readonly value: boolean;
};

/** A number in every type that its text allows. The parameter chooses one. */
export type NumberNode = {
  readonly type: "number";
  readonly pos: number;
  readonly text: string;
  readonly int: bigint | undefined;
  readonly uint: bigint | undefined;
  readonly float: number | undefined;
  readonly complex: { readonly real: number; readonly imaginary: number } | undefined;
};

export type StringNode = {
  readonly type: "string";
  readonly pos: number;
  readonly quoted: string;
  readonly text: string;
};

export type BranchNode = {
  readonly type: "if" | "range" | "with";
  readonly pos: number;
  readonly pipe: PipeNode;
  readonly list: ParseNodeList;
  readonly elseList: ParseNodeList | undefined;
};

export type TemplateNode = {
  readonly type: "template";
  readonly pos: number;
  readonly name: string;
  readonly pipe: PipeNode | undefined;
};

type JumpNode = {
  readonly type: "break" | "continue";
  readonly pos: number;
};

/** Ends a list. It is never part of a tree. */
export type EndNode = {
  readonly type: "end" | "else";
  readonly pos: number;
};

/** One template of a parsed text. */
export type Tree = {
  /** The name in its define action; undefined for the text itself. */
  readonly name: string | undefined;
  readonly text: string;
  readonly root: ParseNodeList;
};

/** Whether a tree has only white space. Models parse.IsEmptyTree. */
export function isEmptyTree(node: ParseNode): boolean {
  if (node.type === "list") return node.nodes.every(isEmptyTree);
  return node.type === "text" && /^[\s\u0085]*$/.test(node.text);
}
