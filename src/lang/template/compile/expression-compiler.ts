import { isAssignable, reflectTypeOf, types, type GoFunction, type ReflectType, type GoValue } from "../value/index.ts";
import { quote } from "../print/quote.ts";
import { nodeText } from "../parse/node-text.ts";
import type { ChainNode, CommandNode, IdentifierNode, ParseNode, Operand, PipeNode, VariableNode } from "../parse/node.ts";
import { idealValue, literalFor, parameterFor, type Literal } from "../run/argument.ts";
import { givenFunction, isLiteral, objectionToCall, type Callables } from "../run/callee.ts";
import type { CodeWriter } from "./code-writer.ts";
import { settledCode, type CompiledExpression, type CompileScope } from "./compile-scope.ts";

const nothing: CompiledExpression = { code: "undefined", maybeNil: true };

/**
 * Compiles pipelines and operands. `#current` is the number of the node that Go's interpreter would be at. It is nearly always
 * known at compile time, so it costs nothing at run time.
 */
export class ExpressionCompiler {
  scope: CompileScope;
  readonly #code: CodeWriter;
  readonly #callables: Callables;
  /** Variables that are assigned to somewhere, so their type is unknown. */
  readonly #assigned: ReadonlySet<string>;
  #current = "0";

  constructor(code: CodeWriter, callables: Callables, scope: CompileScope, assigned: ReadonlySet<string>) {
    this.#code = code;
    this.#callables = callables;
    this.scope = scope;
    this.#assigned = assigned;
  }

  /** Sets the current node. Models state.at. */
  at(node: ParseNode): void {
    this.#current = String(this.#code.node(node));
  }

  /** Code for the number of the current node. */
  get currentNode(): string {
    return this.#current;
  }

  /** Models state.evalPipeline. */
  pipeline(pipe: PipeNode): CompiledExpression {
    this.at(pipe);
    let value: CompiledExpression | undefined;
    for (const command of pipe.commands) {
      const result = this.#command(command, value);
      value = { code: result.code, type: result.type, maybeNil: result.maybeNil, piped: true };
    }
    const result = value ?? nothing;
    for (const variable of pipe.declared) this.#setVariable(variable, result, pipe.isAssign);
    return result;
  }

  #setVariable({ path: [name = ""] }: VariableNode, value: CompiledExpression, isAssign: boolean): void {
    if (isAssign) {
      const variable = this.scope.find(name);
      if (variable === undefined) this.fail(`undefined variable: ${name}`);
      else this.#code.line(`${variable.code}=${settledCode(value)};`);
      return;
    }
    const code = this.#code.variable();
    this.#code.line(`${code}=${settledCode(value)};`);
    const uncertain = this.#assigned.has(name);
    this.scope.declare(name, { code, type: uncertain ? undefined : value.type, maybeNil: uncertain || value.maybeNil });
  }

  /** Emits a failure. The returned expression is never evaluated. */
  fail(complaint: string): CompiledExpression {
    this.#code.line(`throw R.failure(${this.#code.text(complaint)},${this.#current});`);
    return nothing;
  }

  /** Models state.evalCommand. */
  #command(command: CommandNode, final: CompiledExpression | undefined): CompiledExpression {
    const { args } = command;
    const [first] = args;
    if (first === undefined) return this.fail("empty command");
    switch (first.type) {
      case "field":
        this.at(first);
        return this.#fields(this.scope.dot, first, first.path, args, final);
      case "chain":
        return this.#chain(first, args, final);
      case "identifier":
        return this.#function(first, command, args.slice(1), final);
      case "pipe":
        return this.#withoutArguments(args, final) ?? this.pipeline(first);
      case "variable":
        return this.#variable(first, args, final);
      default:
        this.at(first);
        return this.#withoutArguments(args, final) ?? this.#literal(first);
    }
  }

  #literal(first: Literal | { readonly type: "dot" }): CompiledExpression {
    if (first.type === "dot") return this.scope.dot;
    if (first.type === "nil") return this.fail("nil is not a command");
    const ideal = idealValue(first);
    return typeof ideal === "string" ? this.fail(ideal) : this.#constant(ideal.value);
  }

  #withoutArguments(args: readonly Operand[], final: CompiledExpression | undefined): CompiledExpression | undefined {
    const [first] = args;
    if (first === undefined || (args.length < 2 && final === undefined)) return undefined;
    return this.fail(`can't give argument to non-function ${nodeText(first)}`);
  }

  #constant(value: GoValue): CompiledExpression {
    const type = reflectTypeOf(value);
    const maybeNil = type === undefined;
    if (typeof value === "string") return { code: this.#code.text(value), type, maybeNil };
    if (value === undefined || value === null || typeof value === "boolean") return { code: String(value), type, maybeNil };
    return { code: this.#code.constant(value), type, maybeNil };
  }

  #chain(chain: ChainNode, args: readonly Operand[], final: CompiledExpression | undefined): CompiledExpression {
    this.at(chain);
    this.at(chain.node);
    return this.#fields(this.#operand(chain.node), chain, chain.path, args, final);
  }

  #variable(node: VariableNode, args: readonly Operand[], final: CompiledExpression | undefined): CompiledExpression {
    this.at(node);
    const [name = "", ...path] = node.path;
    const variable = this.scope.find(name);
    if (variable === undefined) return this.fail(`undefined variable: ${name}`);
    if (path.length === 0) return this.#withoutArguments(args, final) ?? variable;
    return this.#fields(variable, node, path, args, final);
  }

  /** Models state.evalFieldChain. */
  #fields(
    start: CompiledExpression,
    node: ParseNode,
    path: readonly string[],
    args: readonly Operand[],
    final: CompiledExpression | undefined,
  ): CompiledExpression {
    const isCall = args.length > 1 || final !== undefined;
    const [last = ""] = path.slice(-1);
    const receiver = this.#path(start, node, isCall ? path.slice(0, -1) : path);
    return isCall ? this.#method(receiver, node, last, args.slice(1), final) : receiver;
  }

  #path(start: CompiledExpression, node: ParseNode, names: readonly string[]): CompiledExpression {
    if (names.length === 0) return start;
    const result = this.#code.temporary();
    this.#code.line(`${result}=${this.#pathCode(start, node, names)};`);
    const inside = names.slice(0, -1);
    const [last = ""] = names.slice(-1);
    const container = () => (inside.length === 0 ? settledCode(start) : this.#pathCode(start, node, inside));
    return { code: result, maybeNil: true, foundIn: () => `${container()},${this.#code.text(last)}` };
  }

  #pathCode(start: CompiledExpression, node: ParseNode, names: readonly string[]): string {
    const [first = ""] = names;
    const own = String(this.#code.node(node));
    const place = own === this.#current ? "" : `,${own}`;
    const rest = `${this.#current},${foundIn(start)}${place})`;
    return names.length === 1
      ? `R.evalField(x,${settledCode(start)},${this.#code.text(first)},${rest}`
      : `R.evalFieldPath(x,${settledCode(start)},${this.#code.path(names)},${rest}`;
  }

  #method(
    receiver: CompiledExpression,
    node: ParseNode,
    name: string,
    args: readonly Operand[],
    final: CompiledExpression | undefined,
  ): CompiledExpression {
    const code = this.#code;
    const method = code.temporary();
    const result = code.temporary();
    const count = args.length + (final === undefined ? 0 : 1);
    code.line(`${method}=R.methodFor(x,${settledCode(receiver)},${code.text(name)},${args.length},${count},`);
    code.line(`${this.#current},${foundIn(receiver)});${result}=undefined;if(${method}!==undefined){`);
    const ready = args.map((arg, index) => this.#methodArgument(method, arg, index));
    if (final !== undefined) ready.push(this.#checkedForMethod(method, final, args.length));
    code.line(`${result}=R.callMethod(${method},${settledCode(receiver)},[${ready.join(",")}],${code.text(name)},${code.node(node)});}`);
    return { code: result, maybeNil: true, foundIn: () => `${settledCode(receiver)},${code.text(name)}` };
  }

  #methodArgument(method: string, arg: Operand, index: number): string {
    this.at(arg);
    if (!isLiteral(arg)) return this.#checkedForMethod(method, this.#operand(arg), index);
    const ready = this.#code.temporary();
    this.#code.line(`${ready}=R.literalArgument(${method},${index},${this.#code.constant(arg)},${this.#current});`);
    return ready;
  }

  #checkedForMethod(method: string, value: CompiledExpression, index: number): string {
    const ready = this.#code.temporary();
    this.#code.line(`${ready}=R.methodArgument(${method},${index},${settledCode(value)},${this.#current});`);
    return ready;
  }

  /** Compiles an operand that is not a literal. Models the first half of state.evalArg. */
  #operand(node: Operand): CompiledExpression {
    switch (node.type) {
      case "dot":
        return this.scope.dot;
      case "field":
        return this.#fields(this.scope.dot, node, node.path, [], undefined);
      case "variable":
        return this.#variable(node, [], undefined);
      case "pipe":
        return this.pipeline(node);
      case "identifier":
        return this.#function(node, node, [], undefined);
      case "chain":
        return this.#chain(node, [], undefined);
      default:
        return this.#literal(node);
    }
  }

  #argument(node: Operand, type: ReflectType): CompiledExpression {
    this.at(node);
    if (!isLiteral(node)) return this.#coerced(this.#operand(node), type);
    const read = literalFor(node, type);
    return typeof read === "string" ? this.fail(read) : this.#constant(read.value);
  }

  /** Converts a value to an argument type, with a check unless its type is known. */
  #coerced(value: CompiledExpression, type: ReflectType): CompiledExpression {
    if (type === types.reflectValue) return { ...value, code: settledCode(value), piped: false };
    if (type === types.any) return value.maybeNil ? { ...value, code: `R.inInterface(${value.code})` } : value;
    if (value.type === type || (type.kind === "interface" && value.type !== undefined && isAssignable(value.type, type))) return value;
    const ready = this.#code.temporary();
    const checked = `R.coerce(${settledCode(value)},${this.#code.constant(type)},${this.#current})`;
    const quick = quickTypes.get(type);
    this.#code.line(quick === undefined ? `${ready}=${checked};` : `${ready}=typeof ${value.code}===${quick}?${value.code}:${checked};`);
    return { code: ready, type, maybeNil: false };
  }

  /** Models state.evalFunction and evalCall. */
  #function(node: IdentifierNode, whole: ParseNode, args: readonly Operand[], final: CompiledExpression | undefined): CompiledExpression {
    this.at(node);
    const { name } = node;
    const given = givenFunction(this.#callables, name);
    const callee = given ?? this.#callables.builtins[name];
    if (callee === undefined) return this.fail(`${quote(name)} is not a defined function`);
    const objection = objectionToCall(name, callee.type, args.length, final !== undefined);
    if (objection !== undefined) return this.fail(objection);
    if (given === undefined && (name === "and" || name === "or")) return this.#shortCircuit(name, args, final);
    const keepsInterface = given === undefined && name === "slice";
    const ready = args.map((arg, index) => {
      const value = this.#argument(arg, parameterFor(callee.type, index));
      const isDeclared = keepsInterface && index > 0 && value.foundIn !== undefined;
      return isDeclared ? `R.asDeclared(${value.code},${foundIn(value)})` : value.code;
    });
    if (final !== undefined) ready.push(this.#coerced(final, parameterFor(callee.type, args.length)).code);
    const weighed = ready.filter((_, index) => {
      const arg = args[index];
      return arg === undefined || !isLiteral(arg);
    });
    if (given === undefined && name === "call") ready.unshift(this.#calleeName(args, final));
    return this.#called(callee, name, whole, ready, weighed);
  }

  #calleeName([first]: readonly Operand[], final: CompiledExpression | undefined): string {
    return first === undefined
      ? `R.pipedName(${final === undefined ? "undefined" : settledCode(final)})`
      : this.#code.text(nodeText(first));
  }

  #called(callee: GoFunction, name: string, whole: ParseNode, args: readonly string[], weighed: readonly string[]): CompiledExpression {
    const result = this.#code.temporary();
    const parameters = callee.takesExecution ? ["x", ...args] : args;
    this.#code.line(`n=${this.#code.call(name, whole)};${weighed.map((each) => `R.weighArgument(${each});`).join("")}`);
    this.#code.line(`${result}=${this.#code.function(callee)}(${parameters.join(",")});R.weighResult(${result});`);
    const type = callee.type.results?.[0];
    const isCertain = type !== undefined && type.kind !== "interface" && type !== types.reflectValue;
    return { code: result, type: isCertain ? type : undefined, maybeNil: !isCertain };
  }

  #shortCircuit(name: "and" | "or", args: readonly Operand[], final: CompiledExpression | undefined): CompiledExpression {
    const code = this.#code;
    const [result, place, label] = [code.temporary(), code.temporary(), code.label()];
    const seen: CompiledExpression[] = [];
    code.line(`${label}:{`);
    for (const [index, arg] of args.entries()) {
      const value = this.#argument(arg, types.reflectValue);
      seen.push(value);
      code.line(`${result}=${value.code};${place}=${this.#current};`);
      const isLast = index === args.length - 1 && final === undefined;
      if (!isLast) code.line(`if(${name === "or" ? "" : "!"}${this.truth({ ...value, code: result })})break ${label};`);
    }
    if (final !== undefined) {
      seen.push(final);
      code.line(`${result}=${settledCode(final)};`);
      if (args.length === 0) code.line(`${place}=${this.#current};`);
    }
    code.line("}");
    this.#current = place;
    const [first] = seen;
    const alike = first?.type !== undefined && seen.every(({ type }) => type === first.type);
    return { code: result, type: alike ? first.type : undefined, maybeNil: seen.some(({ maybeNil }) => maybeNil) };
  }

  /** Code for the truth of a value. */
  truth({ code, type }: CompiledExpression): string {
    if (type === types.bool) return `(${code})`;
    return type === types.string ? `(${code}!=="")` : `R.isTrue(${code})`;
  }
}

const quickTypes: ReadonlyMap<ReflectType, string> = new Map([
  [types.string, '"string"'],
  [types.bool, '"boolean"'],
  [types.float64, '"number"'],
]);

function foundIn(value: CompiledExpression): string {
  return value.foundIn?.() ?? 'undefined,""';
}
