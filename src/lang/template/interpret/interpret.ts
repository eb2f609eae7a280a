import { isTrue, type GoValue } from "../value/index.ts";
import type { ActionNode, BranchNode, ParseNodeList, ParseNode, TemplateNode, Tree } from "../parse/node.ts";
import type { Callables } from "../run/callee.ts";
import type { TemplateEntry, ExecState, TemplateCode } from "../run/exec-state.ts";
import { locatedAt } from "../run/runtime.ts";
import { enter, lookup, print } from "../run/action.ts";
import { rangeOver } from "../run/range.ts";
import { Evaluator } from "./evaluator.ts";
import type { RangeSource, TemplateVariable } from "./variable-stack.ts";

/**
 * Executes a template by walking its tree. This costs less than compiling for a template that runs a few times; output and errors
 * are the same.
 */
export function interpretTemplate({ root }: Tree, callables: Callables): TemplateCode {
  return (state, dot, entry) => {
    const interpreter = new Interpreter(root, state, callables, dot, entry);
    try {
      interpreter.list(root);
      return interpreter.output;
    } catch (error) {
      throw locatedAt(error, entry, interpreter.lastCall);
    }
  };
}

/** How a list ended early. */
type Jump = "break" | "continue" | undefined;

/** Models state.walk. */
class Interpreter extends Evaluator {
  output = "";
  readonly #entry: TemplateEntry;

  constructor(root: ParseNode, state: ExecState, callables: Callables, dot: GoValue, entry: TemplateEntry) {
    super(root, state, callables, dot);
    this.#entry = entry;
  }

  list({ nodes }: ParseNodeList): Jump {
    for (const node of nodes) {
      const jump = this.#statement(node);
      if (jump !== undefined) return jump;
    }
    return undefined;
  }

  #statement(node: ParseNode): Jump {
    switch (node.type) {
      case "text":
        this.output += node.text;
        return undefined;
      case "action":
        this.#action(node);
        return undefined;
      case "if":
      case "with":
        return this.#branch(node);
      case "range":
        this.#range(node);
        return undefined;
      case "template":
        this.#template(node);
        return undefined;
      case "break":
      case "continue":
        return node.type;
      default:
        throw new TypeError(`a ${node.type} is no statement`);
    }
  }

  #action(node: ActionNode): void {
    const value = this.pipeline(node.pipe);
    if (node.pipe.declared.length > 0) return;
    this.output += typeof value === "string" ? value : print(value, node, this.#entry);
  }

  #branch(node: BranchNode): Jump {
    const { variables } = this;
    const { mark } = variables;
    const value = this.pipeline(node.pipe);
    let jump: Jump;
    if (!isTrue(value)) jump = node.elseList === undefined ? undefined : this.list(node.elseList);
    else if (node.type === "with") jump = this.#within(value, undefined, node.list);
    else jump = this.list(node.list);
    variables.leave(mark);
    return jump;
  }

  /** Executes a list with its own dot. */
  #within(dot: GoValue, foundIn: RangeSource | undefined, list: ParseNodeList): Jump {
    const { variables } = this;
    const { dot: outer, dotFoundIn } = variables;
    variables.dot = dot;
    variables.dotFoundIn = foundIn;
    const jump = this.list(list);
    variables.dot = outer;
    variables.dotFoundIn = dotFoundIn;
    return jump;
  }

  #range(node: BranchNode): void {
    const { variables } = this;
    const { mark } = variables;
    const whole = this.pipeline(node.pipe);
    const turns = rangeOver(whole, node.pipe.declared.length, this.currentNode);
    if (turns.count > 0) this.#turns(node, turns, { value: whole });
    else if (node.elseList !== undefined) this.list(node.elseList);
    variables.leave(mark);
  }

  #turns(node: BranchNode, turns: ReturnType<typeof rangeOver>, whole: RangeSource): void {
    const { state, variables } = this;
    const { mark } = variables;
    const bound = node.pipe.declared.map(({ path }) => variables.find(path[0] ?? ""));
    const before = bound.map((variable) => variable?.foundIn);
    for (let turn = 0; turn < turns.count; turn++) {
      if (--state.budget < 0 || this.output.length > state.maxOutput) state.check(this.output.length, node);
      const element = turns.element(turn);
      // A single variable is the element; of two the first is the key.
      if (bound.length > 1) bind(bound[0], turns.key(turn), undefined);
      if (bound.length > 0) bind(bound[bound.length - 1], element, whole);
      const jump = this.#within(element, whole, node.list);
      variables.leave(mark);
      if (jump === "break") break;
    }
    for (const [index, variable] of bound.entries()) if (variable !== undefined) variable.foundIn = before[index];
  }

  #template(node: TemplateNode): void {
    this.currentNode = node;
    const entry = lookup(this.state, node.name, node);
    const dot = node.pipe === undefined ? undefined : this.pipeline(node.pipe);
    this.lastCall = undefined;
    this.output += enter(this.state, entry, dot);
  }
}

function bind(variable: TemplateVariable | undefined, value: GoValue, foundIn: RangeSource | undefined): void {
  if (variable === undefined) return;
  variable.value = value;
  variable.foundIn = foundIn;
}
