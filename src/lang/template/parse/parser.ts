import { quote } from "../print/quote.ts";
import { TemplateLexer } from "./lexer.ts";
import { readNumber } from "./number.ts";
import { nodeText } from "./node-text.ts";
import {
  isEmptyTree,
  type BranchNode,
  type CommandNode,
  type EndNode,
  type ParseNodeList,
  type ParseNode,
  type NumberNode,
  type Operand,
  type PipeNode,
  type TemplateNode,
  type Tree,
  type VariableNode,
} from "./node.ts";
import { ParseError, TokenReader } from "./token-reader.ts";
import type { Token, TokenType } from "./token.ts";
import { unquoteGo } from "./unquote.ts";

const maxParenDepth = 10_000;

/** The templates of one text: the text itself and its definitions in order. */
type ParsedText = {
  readonly main: Tree;
  readonly defined: readonly Tree[];
  /** How many tokens the text has: its trees grow with them, and hardly with plain text. */
  readonly tokens: number;
};

/** Parses a text. `name` is for errors; functions are checked by name only. */
export function parseText(name: string, text: string, hasFunction: (name: string) => boolean): ParsedText {
  const lexer = new TemplateLexer(text, { breakAllowed: !hasFunction("break"), continueAllowed: !hasFunction("continue") });
  const defined = new Map<string, Tree>();
  const parser = new TreeParser({ name, lexer, hasFunction, defined });
  const root = withinStack(() => parser.parseAll(), name);
  return { main: { name: undefined, text, root }, defined: [...defined.values()], tokens: lexer.tokens };
}

/** Parentheses can nest deeper than the JavaScript stack allows. */
function withinStack<T>(parse: () => T, name: string): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof RangeError) throw new ParseError(`template: ${name}:1: max expression depth exceeded`);
    throw error;
  }
}

type Source = {
  readonly name: string;
  readonly lexer: TemplateLexer;
  readonly hasFunction: (name: string) => boolean;
  readonly defined: Map<string, Tree>;
};

type Context = "if" | "range" | "with";

/** Parses one template: the text itself, a define or a block. They share the lexer, but not their variables. */
class TreeParser extends TokenReader {
  readonly #source: Source;
  #variables: string[] = ["$"];
  #rangeDepth = 0;
  #parenDepth = 0;

  constructor(source: Source) {
    super(source.name, source.lexer);
    this.#source = source;
  }

  parseAll(): ParseNodeList {
    const { pos } = this.peek();
    const nodes: ParseNode[] = [];
    while (this.peek().type !== "EOF") {
      if (this.peek().type === "leftDelimiter") {
        const delimiter = this.next();
        const first = this.nextNonSpace();
        if (first.type === "define") {
          new TreeParser(this.#source).#parseDefinition();
          continue;
        }
        this.putBack(first);
        this.putBack(delimiter);
      }
      const node = this.#textOrAction();
      if (node.type === "end" || node.type === "else") this.fail(`unexpected ${nodeText(node)}`);
      nodes.push(node);
    }
    return { type: "list", pos, nodes: exact(nodes) };
  }

  #parseDefinition(): void {
    const context = "define clause";
    const token = this.nextNonSpace();
    if (token.type !== "string" && token.type !== "rawString") this.unexpected(token, context);
    const name = this.#unquoted(token);
    this.expect("rightDelimiter", context);
    const { list, end } = this.#itemList();
    if (end.type !== "end") this.fail(`unexpected ${nodeText(end)} in ${context}`);
    this.#define(name, list);
  }

  #define(name: string, root: ParseNodeList): void {
    const { defined, lexer } = this.#source;
    const earlier = defined.get(name);
    if (earlier === undefined || isEmptyTree(earlier.root)) defined.set(name, { name, text: lexer.text, root });
    else if (!isEmptyTree(root)) this.fail(`template: multiple definition of template ${quote(name)}`);
  }

  #itemList(): { readonly list: ParseNodeList; readonly end: EndNode } {
    const { pos } = this.peekNonSpace();
    const nodes: ParseNode[] = [];
    while (this.peekNonSpace().type !== "EOF") {
      const node = this.#textOrAction();
      if (node.type === "end" || node.type === "else") return { list: { type: "list", pos, nodes: exact(nodes) }, end: node };
      nodes.push(node);
    }
    return this.fail("unexpected EOF");
  }

  #textOrAction(): ParseNode {
    const token = this.nextNonSpace();
    if (token.type === "text") return { type: "text", pos: token.pos, text: token.value };
    if (token.type !== "leftDelimiter") return this.unexpected(token, "input");
    this.actionStart = token.pos;
    const node = this.#action();
    this.actionStart = undefined;
    return node;
  }

  #action(): ParseNode {
    const token = this.nextNonSpace();
    switch (token.type) {
      case "block":
        return this.#block();
      case "break":
      case "continue":
        return this.#jump(token.type, token.pos);
      case "else":
        return this.#otherwise();
      case "end":
        return { type: "end", pos: this.expect("rightDelimiter", "end").pos };
      case "if":
      case "range":
      case "with":
        return this.#control(token.type);
      case "template":
        return this.#template();
      default:
        this.putBack(token);
        return { type: "action", pos: token.pos, pipe: this.#pipeline("command", "rightDelimiter") };
    }
  }

  #jump(type: "break" | "continue", pos: number): ParseNode {
    const token = this.nextNonSpace();
    if (token.type !== "rightDelimiter") this.unexpected(token, `{{${type}}}`);
    if (this.#rangeDepth === 0) this.fail(`{{${type}}} outside {{range}}`);
    return { type, pos };
  }

  #otherwise(): EndNode {
    const peek = this.peekNonSpace();
    // Leaves the `if` or `with` of an `else if` to the branch that ends here.
    if (peek.type === "if" || peek.type === "with") return { type: "else", pos: peek.pos };
    return { type: "else", pos: this.expect("rightDelimiter", "else").pos };
  }

  #control(context: Context): BranchNode {
    const scope = this.#variables.length;
    const pipe = this.#pipeline(context, "rightDelimiter");
    if (context === "range") this.#rangeDepth++;
    const { list, end } = this.#itemList();
    if (context === "range") this.#rangeDepth--;
    const elseList = end.type === "else" ? this.#elseList(context, end) : undefined;
    this.#variables.length = scope;
    return { type: context, pos: pipe.pos, pipe, list, elseList };
  }

  #elseList(context: Context, end: EndNode): ParseNodeList {
    if (context !== "range" && this.peek().type === context) {
      this.next();
      return { type: "list", pos: end.pos, nodes: [this.#control(context)] };
    }
    const { list, end: last } = this.#itemList();
    if (last.type !== "end") this.fail(`expected end; found ${nodeText(last)}`);
    return list;
  }

  #block(): TemplateNode {
    const context = "block clause";
    const token = this.nextNonSpace();
    const name = this.#templateName(token, context);
    const pipe = this.#pipeline(context, "rightDelimiter");
    const body = new TreeParser(this.#source);
    const { list, end } = body.#itemList();
    if (end.type !== "end") this.fail(`unexpected ${nodeText(end)} in ${context}`);
    body.#define(name, list);
    return { type: "template", pos: token.pos, name, pipe };
  }

  #template(): TemplateNode {
    const context = "template clause";
    const token = this.nextNonSpace();
    const name = this.#templateName(token, context);
    const after = this.nextNonSpace();
    if (after.type === "rightDelimiter") return { type: "template", pos: token.pos, name, pipe: undefined };
    this.putBack(after);
    return { type: "template", pos: token.pos, name, pipe: this.#pipeline(context, "rightDelimiter") };
  }

  #templateName(token: Token, context: string): string {
    if (token.type !== "string" && token.type !== "rawString") return this.unexpected(token, context);
    return this.#unquoted(token);
  }

  #pipeline(context: string, end: TokenType): PipeNode {
    const { pos } = this.peekNonSpace();
    const { declared, isAssign } = this.#declarations(context);
    const commands: CommandNode[] = [];
    for (;;) {
      const token = this.nextNonSpace();
      if (token.type === end) {
        this.#check(commands, context);
        return { type: "pipe", pos, isAssign, declared, commands: exact(commands) };
      }
      if (!operandStarts.has(token.type)) this.unexpected(token, context);
      this.putBack(token);
      commands.push(this.#command());
    }
  }

  #declarations(context: string): Pick<PipeNode, "declared" | "isAssign"> {
    let declared: readonly VariableNode[] = none;
    for (;;) {
      if (this.peekNonSpace().type !== "variable") return { declared, isAssign: false };
      const variable = this.next();
      const after = this.next();
      const next = after.type === "space" ? this.nextNonSpace() : after;
      const isComma = next.type === "char" && next.value === ",";
      if (next.type !== "assign" && next.type !== "declare" && !isComma) {
        if (after.type === "space") this.putBack(next);
        this.putBack(after);
        this.putBack(variable);
        return { declared, isAssign: false };
      }
      declared = [...declared, variableNode(variable.pos, variable.value)];
      this.#variables.push(variable.value);
      if (!isComma) return { declared, isAssign: next.type === "assign" };
      if (context !== "range" || declared.length >= 2) this.fail(`too many declarations in ${context}`);
      const following = this.peekNonSpace().type;
      if (following !== "variable" && following !== "rightDelimiter" && following !== "rightParen") {
        this.fail("range can only initialize variables");
      }
    }
  }

  #check(commands: readonly CommandNode[], context: string): void {
    if (commands.length === 0) this.fail(`missing value for ${context}`);
    for (let index = 1; index < commands.length; index++) {
      const first = commands[index]?.args[0]?.type;
      const isLiteral = first === "bool" || first === "dot" || first === "nil" || first === "number" || first === "string";
      if (isLiteral) this.fail(`non executable command in pipeline stage ${index + 1}`);
    }
  }

  #command(): CommandNode {
    const { pos } = this.peekNonSpace();
    const args: Operand[] = [];
    for (;;) {
      this.peekNonSpace();
      const operand = this.#operand();
      if (operand !== undefined) args.push(operand);
      const token = this.next();
      if (token.type === "space") continue;
      if (token.type === "rightDelimiter" || token.type === "rightParen") this.putBack(token);
      else if (token.type !== "pipe") this.unexpected(token, "operand");
      break;
    }
    if (args.length === 0) this.fail("empty command");
    return { type: "command", pos, args: exact(args) };
  }

  #operand(): Operand | undefined {
    const node = this.#term();
    if (node === undefined || this.peek().type !== "field") return node;
    const { pos } = this.peek();
    const path: string[] = [];
    while (this.peek().type === "field") path.push(this.next().value.slice(1));
    switch (node.type) {
      case "field":
        return { type: "field", pos, path: [...node.path, ...path] };
      case "variable":
        return { type: "variable", pos, path: [...node.path, ...path] };
      case "bool":
      case "string":
      case "number":
      case "nil":
      case "dot":
        return this.fail(`unexpected . after term ${quote(nodeText(node))}`);
      default:
        return { type: "chain", pos, node, path };
    }
  }

  #term(): Operand | undefined {
    const token = this.nextNonSpace();
    const { pos, value } = token;
    switch (token.type) {
      case "identifier":
        if (!this.#source.hasFunction(value)) this.fail(`function ${quote(value)} not defined`);
        return { type: "identifier", pos, name: value };
      case "dot":
      case "nil":
        return { type: token.type, pos };
      case "variable":
        if (!this.#variables.includes(value)) this.fail(`undefined variable ${quote(value)}`);
        return variableNode(pos, value);
      case "field":
        return { type: "field", pos, path: [value.slice(1)] };
      case "bool":
        return { type: "bool", pos, value: value === "true" };
      case "charConstant":
      case "complex":
      case "number":
        return this.#number(token.type, token);
      case "leftParen":
        return this.#parenthesised();
      case "string":
      case "rawString":
        return { type: "string", pos, quoted: value, text: this.#unquoted(token) };
      default:
        this.putBack(token);
        return undefined;
    }
  }

  #number(type: "charConstant" | "complex" | "number", { pos, value }: Token): NumberNode {
    const reading = readNumber(value, type);
    return typeof reading === "string" ? this.fail(reading) : { type: "number", pos, text: value, ...reading };
  }

  #parenthesised(): PipeNode {
    if (this.#parenDepth >= maxParenDepth) this.fail("max expression depth exceeded");
    this.#parenDepth++;
    const pipe = this.#pipeline("parenthesized pipeline", "rightParen");
    this.#parenDepth--;
    return pipe;
  }

  #unquoted(token: Token): string {
    return unquoteGo(token.value) ?? this.fail("invalid syntax");
  }
}

const operandStarts: ReadonlySet<TokenType> = new Set<TokenType>([
  ...(["bool", "charConstant", "complex", "dot", "field", "identifier"] as const),
  ...(["number", "nil", "rawString", "string", "variable", "leftParen"] as const),
]);

const none: readonly never[] = [];

/** A list without the room for more that it has while it grows. Most have one item, and a chart has very many. */
function exact<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice();
}

function variableNode(pos: number, path: string): VariableNode {
  return { type: "variable", pos, path: path.split(".") };
}
