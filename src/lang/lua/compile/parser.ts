import type { StatementBlock, LuaExpression, FunctionBody, Statement, AssignmentTarget, LocalVariable } from "./ast.ts";
import { ExpressionParser } from "./expression-parser.ts";

/** A parsed script, with the globals and modules that it names. */
type ParsedChunk = { readonly main: FunctionBody; readonly reached: ReadonlySet<string> };

/** Parses a script (one byte per character). Throws a LuaFault with Lua's message. */
export function parseLua(source: string, chunk: string): ParsedChunk {
  const parser = new Parser(source, chunk);
  return { main: parser.chunk(), reached: parser.reached };
}

class Parser extends ExpressionParser {
  chunk(): FunctionBody {
    this.scope.enterFunction(true).usesVararg = true;
    this.lexer.next();
    const body = this.block();
    if (this.lexer.token !== "<eof>") this.lexer.fail("'<eof>' expected");
    return this.scope.leaveFunction(body);
  }

  block(): StatementBlock {
    const statements: Statement[] = [];
    while (!this.#blockEnds()) {
      const { token } = this.lexer;
      statements.push(...this.#nested(() => this.#statement()));
      this.accept(";");
      if (token === "return" || token === "break") break;
    }
    return { statements };
  }

  #nested<T>(parse: () => T): T {
    this.enterLevel();
    const result = parse();
    this.leaveLevel();
    return result;
  }

  #blockEnds(): boolean {
    const { token } = this.lexer;
    return token === "<eof>" || token === "end" || token === "else" || token === "elseif" || token === "until";
  }

  #scoped(isLoop = false, variables: readonly LocalVariable[] = []): StatementBlock {
    this.scope.enterBlock(isLoop);
    this.scope.declare(variables);
    const block = this.block();
    this.scope.leaveBlock();
    return block;
  }

  #statement(): Statement[] {
    const { line } = this.lexer;
    switch (this.lexer.token) {
      case "if":
        return [this.#if(line)];
      case "while":
        return [this.#while(line)];
      case "do": {
        this.lexer.next();
        const body = this.#scoped();
        this.expectMatch("end", "do", line);
        return [{ type: "do", body }];
      }
      case "for":
        return [this.#for(line)];
      case "repeat":
        return [this.#repeat(line)];
      case "function":
        return [this.#function(line)];
      case "local":
        this.lexer.next();
        return [this.accept("function") ? this.#localFunction() : this.#local()];
      case "return":
        return [this.#return()];
      case "break":
        this.lexer.next();
        if (!this.scope.isInLoop) this.lexer.fail("no loop to break");
        return [{ type: "break" }];
      case "goto": {
        this.lexer.next();
        const name = this.name();
        return [{ type: "goto", label: this.scope.goto(name, line) }];
      }
      case "::":
        return this.#label();
      default:
        return [this.#expressionStatement()];
    }
  }

  #if(line: number): Statement {
    const arms: { condition: LuaExpression; body: StatementBlock }[] = [];
    do {
      this.lexer.next();
      const condition = this.expression();
      this.expect("then");
      arms.push({ condition, body: this.#scoped() });
    } while (this.lexer.token === "elseif");
    const otherwise = this.accept("else") ? this.#scoped() : undefined;
    this.expectMatch("end", "if", line);
    return { type: "if", arms, otherwise };
  }

  #while(line: number): Statement {
    this.lexer.next();
    const condition = this.expression();
    this.expect("do");
    const body = this.#scoped(true);
    this.expectMatch("end", "while", line);
    return { type: "while", condition, body, line };
  }

  #for(line: number): Statement {
    this.lexer.next();
    const first = this.name();
    if (this.lexer.token === "=") return this.#numericFor(first, line);
    if (this.lexer.token === "," || this.lexer.token === "in") return this.#genericFor(first, line);
    return this.lexer.fail("'=' or 'in' expected");
  }

  #numericFor(name: string, line: number): Statement {
    this.lexer.next();
    const from = this.expression();
    this.expect(",");
    const to = this.expression();
    const step = this.accept(",") ? this.expression() : undefined;
    this.expect("do");
    const variable = this.scope.variable(name);
    const doLine = this.lexer.lastLine;
    const body = this.#scoped(true, [variable]);
    this.expectMatch("end", "for", line);
    return { type: "for", variable, from, to, step, body, line: doLine };
  }

  #genericFor(first: string, line: number): Statement {
    const names = [first];
    while (this.accept(",")) names.push(this.name());
    this.expect("in");
    const values = this.expressions();
    this.expect("do");
    const variables = names.map((name) => this.scope.variable(name));
    const body = this.#scoped(true, variables);
    this.expectMatch("end", "for", line);
    return { type: "for in", variables, values, body, line };
  }

  #repeat(line: number): Statement {
    this.lexer.next();
    this.scope.enterBlock(true);
    const body = this.block();
    this.expectMatch("until", "repeat", line);
    // The condition sees the variables of the body.
    const until = this.expression();
    this.scope.leaveBlock();
    return { type: "repeat", body, until, line };
  }

  #function(line: number): Statement {
    this.lexer.next();
    let target: AssignmentTarget = this.variableNamed(this.name());
    let isMethod = false;
    while (this.lexer.token === "." || this.lexer.token === ":") {
      isMethod = this.lexer.token === ":";
      this.lexer.next();
      const key = { type: "string", value: this.name() } as const;
      target = { type: "index", object: target, key, line: this.lexer.lastLine };
      if (isMethod) break;
    }
    const body = this.functionBody(isMethod, line);
    return { type: "assign", targets: [target], values: [{ type: "function", body }], line };
  }

  #localFunction(): Statement {
    const variable = this.scope.variable(this.name());
    this.scope.declare([variable]);
    return { type: "local function", variable, body: this.functionBody(false, this.lexer.line) };
  }

  #local(): Statement {
    const names = [this.name()];
    while (this.accept(",")) names.push(this.name());
    const values = this.accept("=") ? this.expressions() : [];
    const variables = names.map((name) => this.scope.variable(name));
    this.scope.declare(variables);
    return { type: "local", variables, values };
  }

  #return(): Statement {
    this.lexer.next();
    const values = this.#blockEnds() || this.lexer.token === ";" ? [] : this.expressions();
    return { type: "return", values };
  }

  #label(): Statement[] {
    this.lexer.next();
    const name = this.name();
    this.expect("::");
    // A label at the end of a block may be followed by labels and semicolons: a jump there enters no scope.
    while (this.accept(";"));
    const rest = this.lexer.token === "::" ? this.#label() : [];
    const label = this.scope.label(name, this.#blockEnds() && this.lexer.token !== "until");
    return [{ type: "label", label }, ...rest];
  }

  #expressionStatement(): Statement {
    const expression = this.suffixedExpression();
    if (expression.type === "call" || expression.type === "method") return { type: "call", call: expression };
    const targets = [this.#target(expression)];
    while (this.accept(",")) targets.push(this.#target(this.suffixedExpression()));
    if (this.lexer.token !== "=") this.lexer.fail("'=' expected");
    this.lexer.next();
    const values = this.expressions();
    return { type: "assign", targets, values, line: this.lexer.lastLine };
  }

  #target(expression: LuaExpression): AssignmentTarget {
    if (expression.type === "local" || expression.type === "global" || expression.type === "index") return expression;
    return this.lexer.fail("syntax error");
  }
}
