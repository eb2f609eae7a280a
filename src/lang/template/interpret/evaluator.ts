import { isTrue, types, type GoFunction, type ReflectType, type GoValue } from "../value/index.ts";
import { quote } from "../print/quote.ts";
import { nodeText } from "../parse/node-text.ts";
import type { ChainNode, CommandNode, FieldNode, IdentifierNode, ParseNode, Operand, PipeNode, VariableNode } from "../parse/node.ts";
import {
  coerce,
  idealValue,
  inInterface,
  literalArgument,
  literalFor,
  methodArgument,
  parameterFor,
  type Literal,
} from "../run/argument.ts";
import { givenFunction, isLiteral, objectionToCall, type Callables } from "../run/callee.ts";
import { ExecFailure } from "../run/error.ts";
import { asDeclared, callMethod, evalField, methodFor } from "../run/field.ts";
import type { CallSite, ExecState } from "../run/exec-state.ts";
import { pipedName } from "../run/action.ts";
import { weighArgument, weighResult } from "../run/weigh.ts";
import { VariableStack } from "./variable-stack.ts";

const noOperands: readonly Operand[] = [];

/** The value that is piped into a command; undefined when there is none. The value may be the invalid one. */
type Piped = { readonly value: GoValue } | undefined;

/** Evaluates pipelines and operands by walking the tree. `currentNode` is the node that Go's interpreter would report in an error. */
export class Evaluator {
  currentNode: ParseNode;
  /** The last function call, for its error. */
  lastCall: CallSite | undefined;
  readonly variables: VariableStack;
  protected readonly state: ExecState;
  readonly #callables: Callables;
  /** The container of the last operand and its key. Only errors and `slice` need them. */
  #container: GoValue = undefined;
  #key = "";
  #hasContainer = false;

  constructor(root: ParseNode, state: ExecState, callables: Callables, dot: GoValue) {
    this.currentNode = root;
    this.state = state;
    this.#callables = callables;
    this.variables = new VariableStack(dot);
  }

  /** Models state.evalPipeline. A nil interface that comes through a pipeline becomes the invalid value. */
  pipeline(pipe: PipeNode): GoValue {
    this.currentNode = pipe;
    let piped: Piped;
    let value: GoValue = undefined;
    for (const command of pipe.commands) {
      value = this.#command(command, piped) ?? undefined;
      piped = { value };
    }
    for (const { path } of pipe.declared) this.#setVariable(path[0] ?? "", value, pipe.isAssign);
    this.#clearContainer();
    return value;
  }

  #setVariable(name: string, value: GoValue, isAssign: boolean): void {
    if (!isAssign) return this.variables.declare(name, value);
    const variable = this.variables.find(name);
    if (variable === undefined) throw this.#failure(`undefined variable: ${name}`);
    variable.value = value;
  }

  #failure(complaint: string): ExecFailure {
    return new ExecFailure(complaint, this.currentNode);
  }

  /** Models state.evalCommand. */
  #command(command: CommandNode, final: Piped): GoValue {
    const { args } = command;
    const [first] = args;
    if (first === undefined) throw this.#failure("empty command");
    switch (first.type) {
      case "field":
        this.currentNode = first;
        return this.#fields(this.#dot(), first, args, final);
      case "chain":
        return this.#chain(first, args, final);
      case "identifier":
        return this.#function(first, command, args, final);
      case "pipe":
        this.#refuseArguments(args, final);
        return this.pipeline(first);
      case "variable":
        return this.#variable(first, args, final);
      default:
        this.currentNode = first;
        this.#refuseArguments(args, final);
        return this.#literal(first);
    }
  }

  #dot(): GoValue {
    const { dot, dotFoundIn } = this.variables;
    if (dotFoundIn === undefined) this.#clearContainer();
    else this.#setContainer(dotFoundIn.value, "");
    return dot;
  }

  #literal(first: Literal | { readonly type: "dot" }): GoValue {
    if (first.type === "dot") return this.#dot();
    if (first.type === "nil") throw this.#failure("nil is not a command");
    return this.#read(idealValue(first));
  }

  #read(reading: { readonly value: GoValue } | string): GoValue {
    if (typeof reading === "string") throw this.#failure(reading);
    this.#clearContainer();
    return reading.value;
  }

  #refuseArguments(args: readonly Operand[], final: Piped): void {
    const [first] = args;
    if (first === undefined || (args.length < 2 && final === undefined)) return;
    throw this.#failure(`can't give argument to non-function ${nodeText(first)}`);
  }

  #chain(chain: ChainNode, args: readonly Operand[], final: Piped): GoValue {
    this.currentNode = chain.node;
    const start = this.#operand(chain.node);
    return this.#fields(start, chain, args, final);
  }

  #variable(node: VariableNode, args: readonly Operand[], final: Piped): GoValue {
    this.currentNode = node;
    const { path } = node;
    const [name = ""] = path;
    const variable = this.variables.find(name);
    if (variable === undefined) throw this.#failure(`undefined variable: ${name}`);
    if (path.length === 1) this.#refuseArguments(args, final);
    if (variable.foundIn === undefined) this.#clearContainer();
    else this.#setContainer(variable.foundIn.value, "");
    return path.length === 1 ? variable.value : this.#fields(variable.value, node, args, final);
  }

  /** The fields of a value that a node names. Models state.evalFieldChain. */
  #fields(start: GoValue, node: FieldNode | VariableNode | ChainNode, args: readonly Operand[], final: Piped): GoValue {
    const { path } = node;
    const isCall = args.length > 1 || final !== undefined;
    const end = isCall ? path.length - 1 : path.length;
    let value = start;
    // The path of a variable begins with its name.
    for (let index = node.type === "variable" ? 1 : 0; index < end; index++) {
      const name = path[index] ?? "";
      const next = evalField(this.state, value, name, this.currentNode, this.#container, this.#key, node);
      this.#setContainer(value, name);
      value = next;
    }
    return isCall ? this.#method(value, path[end] ?? "", node, args, final) : value;
  }

  #method(receiver: GoValue, name: string, node: ParseNode, args: readonly Operand[], final: Piped): GoValue {
    const given = Math.max(args.length - 1, 0);
    const all = given + (final === undefined ? 0 : 1);
    const method = methodFor(this.state, receiver, name, given, all, this.currentNode, this.#container, this.#key);
    if (method === undefined) return undefined;
    const ready = args.slice(1).map((arg, index) => this.#methodArgument(method, arg, index));
    if (final !== undefined) ready.push(methodArgument(method, given, final.value, this.currentNode));
    return callMethod(method, receiver, ready, name, node);
  }

  #methodArgument(method: GoFunction, arg: Operand, index: number): GoValue {
    this.currentNode = arg;
    if (isLiteral(arg)) return literalArgument(method, index, arg, arg);
    return methodArgument(method, index, this.#operand(arg), this.currentNode);
  }

  /** Evaluates an operand that is not a literal. Models the first half of state.evalArg. */
  #operand(node: Operand): GoValue {
    switch (node.type) {
      case "dot":
        return this.#dot();
      case "field":
        return this.#fields(this.#dot(), node, noOperands, undefined);
      case "variable":
        return this.#variable(node, noOperands, undefined);
      case "pipe":
        return this.pipeline(node);
      case "identifier":
        return this.#function(node, node, noOperands, undefined);
      case "chain":
        return this.#chain(node, noOperands, undefined);
      default:
        return this.#literal(node);
    }
  }

  #argument(node: Operand, type: ReflectType): GoValue {
    this.currentNode = node;
    if (!isLiteral(node)) return this.#coerced(this.#operand(node), type);
    if (node.type === "string" && (type === types.string || type === types.any)) return node.text;
    return this.#read(literalFor(node, type));
  }

  #coerced(value: GoValue, type: ReflectType): GoValue {
    if (type === types.any) return inInterface(value);
    if (type === types.reflectValue || (type === types.string && typeof value === "string")) return value;
    return coerce(value, type, this.currentNode);
  }

  /** Models state.evalFunction and evalCall. The first operand is the function. */
  #function(node: IdentifierNode, whole: ParseNode, operands: readonly Operand[], final: Piped): GoValue {
    this.currentNode = node;
    const { name } = node;
    const given = givenFunction(this.#callables, name);
    const callee = given ?? this.#callables.builtins[name];
    if (callee === undefined) throw this.#failure(`${quote(name)} is not a defined function`);
    const args = Math.max(operands.length - 1, 0);
    const objection = objectionToCall(name, callee.type, args, final !== undefined);
    if (objection !== undefined) throw this.#failure(objection);
    if (given === undefined && (name === "and" || name === "or")) return this.#shortCircuit(name, operands, final);
    const ready: unknown[] = callee.takesExecution ? [this.state] : [];
    if (given === undefined && name === "call") ready.push(calleeName(operands, final));
    this.#arguments(ready, callee.type, operands, given === undefined && name === "slice");
    if (final !== undefined) ready.push(this.#coerced(final.value, parameterFor(callee.type, args)));
    this.lastCall = { name, node: whole };
    for (const each of ready) weighArgument(each);
    const result: GoValue = Reflect.apply(callee.call, undefined, ready);
    weighResult(result);
    this.#clearContainer();
    return result;
  }

  #arguments(ready: unknown[], type: ReflectType, operands: readonly Operand[], keepsInterface: boolean): void {
    for (let index = 1; index < operands.length; index++) {
      const value = this.#argument(operands[index]!, parameterFor(type, index - 1));
      const isDeclared = keepsInterface && index > 1 && this.#hasContainer;
      ready.push(isDeclared ? asDeclared(value, this.#container, this.#key) : value);
    }
  }

  #shortCircuit(name: "and" | "or", operands: readonly Operand[], final: Piped): GoValue {
    const last = final === undefined ? operands.length - 1 : operands.length;
    for (let index = 1; index < operands.length; index++) {
      const value = this.#argument(operands[index]!, types.reflectValue);
      if (index === last || isTrue(value) === (name === "or")) return this.#withoutContainer(value);
    }
    return this.#withoutContainer(final?.value);
  }

  #withoutContainer(value: GoValue): GoValue {
    this.#clearContainer();
    return value;
  }

  #setContainer(container: GoValue, key: string): void {
    this.#hasContainer = true;
    this.#container = container;
    this.#key = key;
  }

  /** The next operand has no container. */
  #clearContainer(): void {
    this.#hasContainer = false;
    this.#container = undefined;
    this.#key = "";
  }
}

function calleeName([, first]: readonly Operand[], final: Piped): string {
  return first === undefined ? pipedName(final?.value) : nodeText(first);
}
