import type { CallExpr, Expr } from "./ast.ts";
import { tokenize, type CelToken } from "./lexer.ts";
import { parseBytesLiteral, parseIntLiteral, parseStringLiteral, parseUintLiteral } from "./literal.ts";
import { expandMacro } from "./macro.ts";
import type { Issue } from "./issue.ts";
import { boolType, bytesType, doubleType, intType, nullType, stringType, uintType, type CelType } from "./type.ts";
import { Uint, type CelValue } from "./value.ts";

type ParsedExpr = { readonly expr: Expr | undefined; readonly issues: readonly Issue[] };

/** cel-go's limits on nesting and length. */
const deepest = 250;
const longest = 100_000;

/** The tokens that may begin an expression, as ANTLR prints them. After a bracket one more is allowed. */
function beginnings(after: "(" | "[" | undefined): string {
  const [close, question] = [after === "(" ? " ')'," : "", after === "[" ? " '?'," : ""];
  return `{'[', '{', '(',${close} '.', '-', '!',${question} 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}`;
}

const reserved: ReadonlySet<string> = new Set(
  "as break const continue else for function if import let loop package namespace return var void while".split(" "),
);

/** Thrown at the first syntax error to end parsing. */
class SyntaxAbort {
  readonly issue: Issue;
  constructor(issue: Issue) {
    this.issue = issue;
  }
}

/** Parses an expression. `extensions` allows the macros that Kubernetes leaves out. */
export function parseCel(source: string, extensions: boolean): ParsedExpr {
  if (source.length > longest && [...source].length > longest) {
    const message = `expression code point size exceeds limit: size: ${[...source].length}, limit ${longest}`;
    return { expr: undefined, issues: [{ at: -1, message }] };
  }
  const { tokens, issues } = tokenize(source);
  const parser = new Parser(tokens, extensions);
  try {
    const expr = parser.parseAll();
    return { expr, issues: [...issues, ...parser.issues] };
  } catch (cause) {
    if (!(cause instanceof SyntaxAbort)) throw cause;
    // A syntax error hides the issues found before it.
    return { expr: undefined, issues: [...issues, cause.issue] };
  }
}

const relations: ReadonlyMap<string, string> = new Map([
  ["<", "_<_"],
  ["<=", "_<=_"],
  [">=", "_>=_"],
  [">", "_>_"],
  ["==", "_==_"],
  ["!=", "_!=_"],
  ["in", "@in"],
]);
const sums: ReadonlyMap<string, string> = new Map([
  ["+", "_+_"],
  ["-", "_-_"],
]);
const products: ReadonlyMap<string, string> = new Map([
  ["*", "_*_"],
  ["/", "_/_"],
  ["%", "_%_"],
]);

class Parser {
  readonly issues: Issue[] = [];
  readonly #tokens: readonly CelToken[];
  readonly #extensions: boolean;
  #next = 0;
  #depth = 0;
  #opened: { readonly bracket: "(" | "["; readonly next: number } | undefined;

  constructor(tokens: readonly CelToken[], extensions: boolean) {
    this.#tokens = tokens;
    this.#extensions = extensions;
  }

  parseAll(): Expr {
    const expr = this.#expression();
    const rest = this.#peek();
    if (rest.kind !== "end") {
      const isLast = this.#peek(1).kind === "end";
      this.#refuse(rest.at, `${isLast ? "extraneous" : "mismatched"} input '${rest.text}' expecting <EOF>`);
    }
    return expr;
  }

  #peek(ahead = 0): CelToken {
    return this.#tokens[Math.min(this.#next + ahead, this.#tokens.length - 1)] ?? { kind: "end", text: "<EOF>", at: 0 };
  }

  #take(): CelToken {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #open(bracket: "(" | "["): CelToken {
    const token = this.#take();
    this.#opened = { bracket, next: this.#next };
    return token;
  }

  #is(text: string): boolean {
    const token = this.#peek();
    return token.kind === "punctuation" && token.text === text;
  }

  #takeIf(text: string): CelToken | undefined {
    return this.#is(text) ? this.#take() : undefined;
  }

  /** Consumes a required token. Reports the error as ANTLR does: as one extraneous or missing token if that explains it. */
  #require(text: string, options: { readonly or?: string; readonly beforeExpression?: boolean } = {}): void {
    if (this.#takeIf(text) !== undefined) return;
    const token = this.#peek();
    const expected = options.or === undefined ? `'${text}'` : `{'${text}', '${options.or}'}`;
    const following = this.#peek(1);
    const isMended = following.kind === "punctuation" && (following.text === text || following.text === options.or);
    if (token.kind !== "end" && isMended) this.#refuse(token.at, `extraneous input '${token.text}' expecting ${expected}`);
    const isMissing = options.beforeExpression === true ? this.#beginsExpression() : token.kind === "end";
    if (options.or === undefined && isMissing) this.#refuse(token.at, `missing ${expected} at '${token.text}'`);
    this.#refuse(token.at, `mismatched input '${token.text}' expecting ${expected}`);
  }

  #refuse(at: number, message: string): never {
    throw new SyntaxAbort({ at, message: `Syntax error: ${message}` });
  }

  /** Records an error that does not end parsing. */
  #report(at: number, message: string): Expr {
    this.issues.push({ at, message });
    return { op: "literal", at, value: null, type: nullType };
  }

  #descend(message = "max recursion depth exceeded"): void {
    if (++this.#depth <= deepest) return;
    throw new SyntaxAbort({ at: -1, message });
  }

  #expression(): Expr {
    this.#descend(`expression recursion limit exceeded: ${deepest}`);
    const condition = this.#logical("||");
    const question = this.#takeIf("?");
    let expr = condition;
    if (question !== undefined) {
      const yes = this.#logical("||");
      this.#require(":", { beforeExpression: true });
      expr = call(question.at, "_?_:_", condition, yes, this.#expression());
    }
    this.#depth--;
    return expr;
  }

  #logical(operator: "||" | "&&"): Expr {
    const operand = (): Expr => (operator === "||" ? this.#logical("&&") : this.#chain(relations, () => this.#sum()));
    const first = operand();
    if (!this.#is(operator)) return first;
    const { at } = this.#peek();
    const terms = [first];
    while (this.#takeIf(operator) !== undefined) terms.push(operand());
    return call(at, `_${operator}_`, ...terms);
  }

  #sum(): Expr {
    return this.#chain(sums, () => this.#chain(products, () => this.#unary()));
  }

  /** Parses left-associative operators of one precedence. Every operator adds one level to the tree. */
  #chain(operators: ReadonlyMap<string, string>, operand: () => Expr): Expr {
    const before = this.#depth;
    let left = operand();
    for (;;) {
      const token = this.#peek();
      const name = token.kind === "punctuation" ? operators.get(token.text) : undefined;
      if (name === undefined) break;
      this.#take();
      this.#descend();
      left = call(token.at, name, left, operand());
    }
    this.#depth = before;
    return left;
  }

  #unary(): Expr {
    const token = this.#peek();
    if (token.kind !== "punctuation" || (token.text !== "!" && token.text !== "-")) return this.#member();
    const following = this.#peek(1).kind;
    if (token.text === "-" && (following === "int" || following === "double")) return this.#member();
    let count = 0;
    while (this.#takeIf(token.text) !== undefined) count++;
    const operand = this.#member();
    return count % 2 === 0 ? operand : call(token.at, token.text === "!" ? "!_" : "-_", operand);
  }

  #member(): Expr {
    const before = this.#depth;
    let expr = this.#primary();
    for (;;) {
      if (this.#is(".")) expr = this.#selection(expr);
      else if (this.#is("[")) expr = this.#index(expr);
      else break;
      this.#descend();
    }
    this.#depth = before;
    return expr;
  }

  #selection(operand: Expr): Expr {
    const dot = this.#take();
    const isOptional = this.#takeIf("?") !== undefined;
    const name = this.#peek();
    if (name.kind === "escaped") return this.#unreadableName(dot);
    if (name.kind !== "identifier")
      return this.#refuse(name.at, `no viable alternative at input '.${name.kind === "end" ? "" : name.text}'`);
    this.#take();
    if (isOptional) return { op: "select", at: dot.at, operand, field: name.text, use: "optional" };
    if (!this.#is("(")) return { op: "select", at: dot.at, operand, field: name.text, use: "value" };
    return this.#call(name.text, operand);
  }

  #unreadableName(dot: CelToken): Expr {
    this.#take();
    return this.#report(dot.at, "unsupported syntax: '`'");
  }

  #index(operand: Expr): Expr {
    const { at } = this.#open("[");
    const name = this.#takeIf("?") === undefined ? "_[_]" : "_[?_]";
    const index = this.#expression();
    this.#require("]");
    return call(at, name, operand, index);
  }

  #call(name: string, target: Expr | undefined): Expr {
    const { at } = this.#open("(");
    const args: Expr[] = [];
    if (!this.#is(")")) {
      do args.push(this.#expression());
      while (this.#takeIf(",") !== undefined);
    }
    this.#require(")");
    const plain: CallExpr = { op: "call", at, name, target, args };
    const expansion = expandMacro(plain, this.#extensions);
    if (expansion === undefined) return plain;
    return "expr" in expansion ? expansion.expr : this.#report(expansion.at, expansion.message);
  }

  #primary(): Expr {
    const token = this.#peek();
    if (token.kind !== "punctuation" && token.kind !== "identifier") return this.#literal(token);
    if (token.kind === "identifier") return this.#name("");
    switch (token.text) {
      case "(": {
        this.#take();
        const inner = this.#expression();
        this.#require(")");
        return inner;
      }
      case "[":
        return this.#list();
      case "{":
        return this.#map();
      case ".":
        this.#take();
        return this.#name(".");
      default:
        return this.#literal(token);
    }
  }

  #name(dot: string): Expr {
    const token = this.#take();
    if (token.kind !== "identifier") return this.#refuse(token.at, `no viable alternative at input '${dot}${token.text}'`);
    if (reserved.has(token.text)) return this.#reservedName(token);
    if (this.#is("(")) return this.#call(dot + token.text, undefined);
    return this.#struct(dot + token.text) ?? { op: "ident", at: token.at, name: dot + token.text };
  }

  #reservedName(token: CelToken): Expr {
    if (this.#is("(")) this.#call(token.text, undefined);
    return this.#report(token.at, `reserved identifier: ${token.text}`);
  }

  /** Parses the struct literal `a.b{…}`. */
  #struct(first: string): Expr | undefined {
    let [name, ahead] = [first, 0];
    while (this.#peek(ahead).text === "." && this.#peek(ahead + 1).kind === "identifier") {
      name += `.${this.#peek(ahead + 1).text}`;
      ahead += 2;
    }
    const brace = this.#peek(ahead);
    if (brace.kind !== "punctuation" || brace.text !== "{") return undefined;
    this.#next += ahead + 1;
    while (!this.#is("}")) {
      this.#takeIf("?");
      if (this.#peek().kind !== "identifier")
        this.#refuse(this.#peek().at, `extraneous input '${this.#peek().text}' expecting {'}', ',', '?', IDENTIFIER}`);
      this.#take();
      this.#require(":", { beforeExpression: true });
      this.#expression();
      if (this.#takeIf(",") === undefined) break;
    }
    this.#require("}", { or: "," });
    return { op: "struct", at: brace.at, name };
  }

  #list(): Expr {
    const { at } = this.#take();
    const elements: { value: Expr; isOptional: boolean }[] = [];
    if (this.#is(",") && this.#peek(1).text === "]") this.#take();
    while (!this.#is("]")) {
      const isOptional = this.#takeIf("?") !== undefined;
      elements.push({ value: this.#expression(), isOptional });
      if (this.#takeIf(",") === undefined) break;
    }
    this.#require("]", { or: "," });
    return { op: "list", at, elements };
  }

  #map(): Expr {
    const { at } = this.#take();
    const entries: { key: Expr; value: Expr; isOptional: boolean }[] = [];
    if (this.#is(",") && this.#peek(1).text === "}") this.#take();
    while (!this.#is("}")) {
      const isOptional = this.#takeIf("?") !== undefined;
      const key = this.#expression();
      this.#require(":", { beforeExpression: true });
      entries.push({ key, value: this.#expression(), isOptional });
      if (this.#takeIf(",") === undefined) break;
    }
    this.#require("}", { or: "," });
    return { op: "map", at, entries };
  }

  #literal(token: CelToken): Expr {
    this.#take();
    if (token.kind === "punctuation" && token.text === "-") return this.#number(this.#take(), token.at, true);
    if (token.kind === "int" || token.kind === "uint" || token.kind === "double") return this.#number(token, token.at, false);
    if (token.kind === "string") return this.#constant(token.at, parseStringLiteral(token.text), stringType, "invalid unicode code point");
    if (token.kind === "bytes")
      return this.#constant(token.at, parseBytesLiteral(token.text.slice(1)), bytesType, "unable to unescape string");
    if (token.text === "true" || token.text === "false") return this.#constant(token.at, token.text === "true", boolType, "");
    if (token.text === "null" && token.kind === "punctuation") return this.#constant(token.at, null, nullType, "");
    const isExtraneous = token.kind !== "end" && this.#peek().kind !== "end" && this.#beginsExpression();
    return this.#refuse(
      token.at,
      `${isExtraneous ? "extraneous" : "mismatched"} input '${token.text}' expecting ${beginnings(this.#justAfter())}`,
    );
  }

  /** The bracket of a call or an index, when the current token is the first one after it. */
  #justAfter(): "(" | "[" | undefined {
    return this.#opened?.next === this.#next - 1 ? this.#opened.bracket : undefined;
  }

  #beginsExpression(): boolean {
    const { kind, text } = this.#peek();
    if (kind === "end") return false;
    return kind !== "punctuation" || ["[", "{", "(", ".", "-", "!", "true", "false", "null"].includes(text);
  }

  #number(token: CelToken, at: number, isNegative: boolean): Expr {
    if (token.kind === "int") return this.#constant(at, parseIntLiteral(token.text, isNegative), intType, "invalid int literal");
    if (token.kind === "uint") {
      const value = parseUintLiteral(token.text);
      return this.#constant(at, value === undefined ? undefined : new Uint(value), uintType, "invalid uint literal");
    }
    const value = Number(token.text);
    return this.#constant(at, Number.isFinite(value) ? (isNegative ? -value : value) : undefined, doubleType, "invalid double literal");
  }

  #constant(at: number, value: CelValue | undefined, type: CelType, complaint: string): Expr {
    return value === undefined ? this.#report(at, complaint) : { op: "literal", at, value, type };
  }
}

function call(at: number, name: string, ...args: readonly Expr[]): CallExpr {
  return { op: "call", at, name, target: undefined, args };
}
