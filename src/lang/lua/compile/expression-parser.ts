import type { BinaryOperator, StatementBlock, LuaExpression, FunctionBody, TableItem, AssignmentTarget, UnaryOperator } from "./ast.ts";
import { LuaLexer } from "./lexer.ts";
import { LexicalScope } from "./lexical-scope.ts";

/** The left and right binding power of each operator. */
const priorities: Readonly<Record<string, readonly [number, number]>> = {
  "+": [6, 6],
  "-": [6, 6],
  "*": [7, 7],
  "/": [7, 7],
  "%": [7, 7],
  "^": [10, 9],
  "..": [5, 4],
  "~=": [3, 3],
  "==": [3, 3],
  "<": [3, 3],
  "<=": [3, 3],
  ">": [3, 3],
  ">=": [3, 3],
  and: [2, 2],
  or: [1, 1],
};

const unaryPriority = 8;
const mostLevels = 200;
const callStarts: readonly string[] = ["(", "<string>", "{"];

/** The expression half of the parser. */
export abstract class ExpressionParser {
  readonly lexer: LuaLexer;
  readonly scope: LexicalScope;
  /** The globals that the script names and the modules that it requires. */
  readonly reached = new Set<string>();
  #levels = 0;

  constructor(source: string, chunk: string) {
    this.lexer = new LuaLexer(source, chunk);
    this.scope = new LexicalScope(this.lexer);
  }

  abstract block(): StatementBlock;

  enterLevel(): void {
    this.#levels += 1;
    if (this.#levels > mostLevels) this.lexer.fail("chunk has too many syntax levels");
  }

  leaveLevel(): void {
    this.#levels -= 1;
  }

  accept(token: string): boolean {
    if (this.lexer.token !== token) return false;
    this.lexer.next();
    return true;
  }

  expect(token: string): void {
    if (!this.accept(token)) this.lexer.fail(`'${token}' expected`);
  }

  /** Expects the token that closes `opener`. The message names the line of the opener. */
  expectMatch(token: string, opener: string, line: number): void {
    if (this.accept(token)) return;
    const where = line === this.lexer.line ? "" : ` (to close '${opener}' at line ${line})`;
    this.lexer.fail(`'${token}' expected${where}`);
  }

  name(): string {
    if (this.lexer.token !== "<name>") this.lexer.fail("'<name>' expected");
    const { text } = this.lexer;
    this.lexer.next();
    return text;
  }

  expressions(): LuaExpression[] {
    const list = [this.expression()];
    while (this.accept(",")) list.push(this.expression());
    return list;
  }

  expression(limit = 0): LuaExpression {
    this.enterLevel();
    let left = this.#operand();
    for (;;) {
      const operator = this.lexer.token;
      const [before, after] = priorities[operator] ?? [0, 0];
      if (before <= limit) break;
      this.lexer.next();
      const right = this.expression(after);
      if (operator === "and" || operator === "or") left = { type: "logic", operator, left, right };
      else left = { type: "binary", operator: operator as BinaryOperator, left, right, line: this.lexer.lastLine };
    }
    this.leaveLevel();
    return left;
  }

  #operand(): LuaExpression {
    const { token } = this.lexer;
    if (token !== "-" && token !== "not" && token !== "#") return this.#simple();
    this.lexer.next();
    const operand = this.expression(unaryPriority);
    return { type: "unary", operator: token satisfies UnaryOperator, operand, line: this.lexer.lastLine };
  }

  #simple(): LuaExpression {
    const { token, text, number, line } = this.lexer;
    switch (token) {
      case "<number>":
        this.lexer.next();
        return { type: "number", value: number };
      case "<string>":
        this.lexer.next();
        return { type: "string", value: text };
      case "nil":
      case "true":
      case "false":
        this.lexer.next();
        return { type: token };
      case "...":
        if (!this.scope.current.isVararg) this.lexer.fail("cannot use '...' outside a vararg function");
        this.scope.current.usesVararg = true;
        this.lexer.next();
        return { type: "vararg" };
      case "{":
        return this.#table();
      case "function":
        this.lexer.next();
        return { type: "function", body: this.functionBody(false, line) };
      default:
        return this.suffixedExpression();
    }
  }

  suffixedExpression(): LuaExpression {
    let expression = this.#primary();
    for (;;) {
      const { token, lastLine } = this.lexer;
      if (token === ".") {
        this.lexer.next();
        const key = { type: "string", value: this.name() } as const;
        expression = { type: "index", object: expression, key, line: this.lexer.lastLine };
      } else if (token === "[") {
        this.lexer.next();
        const key = this.expression();
        this.expect("]");
        expression = { type: "index", object: expression, key, line: this.lexer.lastLine };
      } else if (token === ":") {
        this.lexer.next();
        const name = this.name();
        const nameLine = this.lexer.lastLine;
        const { line } = this.lexer;
        expression = { type: "method", object: expression, name, args: this.#arguments(nameLine), line, nameLine };
      } else if (callStarts.includes(token)) {
        const { line } = this.lexer;
        const args = this.#arguments(lastLine);
        if (expression.type === "global" && expression.name === "require") this.#reachModule(args);
        expression = { type: "call", callee: expression, args, line };
      } else return expression;
    }
  }

  #primary(): LuaExpression {
    if (this.lexer.token === "<name>") return this.variableNamed(this.name());
    if (this.lexer.token !== "(") return this.lexer.fail("unexpected symbol");
    const { line } = this.lexer;
    this.lexer.next();
    const inner = this.expression();
    this.expectMatch(")", "(", line);
    return { type: "parentheses", inner };
  }

  variableNamed(name: string): AssignmentTarget {
    const variable = this.scope.find(name);
    if (variable !== undefined) return { type: "local", variable };
    this.reached.add(name);
    if (name === "require" && !callStarts.includes(this.lexer.token)) this.#reachModule([]);
    return { type: "global", name, line: this.lexer.lastLine };
  }

  /** A module name that is only known at run time may be `coroutine`. */
  #reachModule([name]: readonly LuaExpression[]): void {
    this.reached.add(name?.type === "string" ? name.value : "coroutine");
  }

  #arguments(lastLine: number): LuaExpression[] {
    const { token, text, line } = this.lexer;
    if (token === "<string>") {
      this.lexer.next();
      return [{ type: "string", value: text }];
    }
    if (token === "{") return [this.#table()];
    if (token !== "(") return this.lexer.fail("function arguments expected");
    if (line !== lastLine) this.lexer.fail("ambiguous syntax (function call x new statement)");
    this.lexer.next();
    const args = this.lexer.token === ")" ? [] : this.expressions();
    this.expectMatch(")", "(", line);
    return args;
  }

  #table(): LuaExpression {
    const { line } = this.lexer;
    const items: TableItem[] = [];
    this.expect("{");
    while (this.lexer.token !== "}") {
      items.push(this.#item());
      if (!this.accept(",") && !this.accept(";")) break;
    }
    this.expectMatch("}", "{", line);
    return { type: "table", items, line };
  }

  #item(): TableItem {
    if (this.lexer.token === "[") {
      this.lexer.next();
      const key = this.expression();
      this.expect("]");
      this.expect("=");
      return { key, value: this.expression(), line: this.lexer.lastLine };
    }
    if (this.lexer.token === "<name>" && this.lexer.peek() === "=") {
      const key = { type: "string", value: this.name() } as const;
      this.expect("=");
      return { key, value: this.expression(), line: this.lexer.lastLine };
    }
    return { key: undefined, value: this.expression(), line: this.lexer.lastLine };
  }

  functionBody(isMethod: boolean, line: number): FunctionBody {
    const body = this.scope.enterFunction(false);
    const parameters = isMethod ? [this.scope.variable("self")] : [];
    this.expect("(");
    if (this.lexer.token !== ")") {
      do {
        if (this.accept("...")) {
          body.isVararg = true;
          break;
        }
        if (this.lexer.token !== "<name>") this.lexer.fail("<name> or '...' expected");
        parameters.push(this.scope.variable(this.name()));
      } while (this.accept(","));
    }
    this.expect(")");
    body.parameters = parameters;
    this.scope.declare(parameters);
    if (body.isVararg) {
      body.argTable = this.scope.variable("arg");
      this.scope.declare([body.argTable]);
    }
    const block = this.block();
    this.expectMatch("end", "function", line);
    return this.scope.leaveFunction(block);
  }
}
