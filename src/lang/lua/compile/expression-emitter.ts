import type { DebugLocation } from "../run/machine.ts";
import type { FunctionCall, LuaExpression, FunctionBody, TableItem, LocalVariable } from "./ast.ts";

const arithmetic: Readonly<Record<string, string>> = {
  "+": "luaAdd",
  "-": "luaSubtract",
  "*": "luaMultiply",
  "/": "luaDivide",
  "%": "luaModulo",
  "^": "luaPower",
  "..": "luaConcat",
};

/** Features that slow a script down, so they are compiled in only where they are used. */
export type CompileModes = {
  /** Every function is a generator, because it may yield. */
  readonly yields: boolean;
  /** Every function has an environment that can be replaced. */
  readonly environments: boolean;
};

/** Operators that are emitted inline for numbers, because JavaScript agrees with Lua there. */
const inlined = new Set(["+", "-", "*", "/"]);

/**
 * Emits expressions as JavaScript. No text of the script reaches the output: variables are numbered, strings and names come from
 * a constant table, and numbers are printed again.
 */
export abstract class ExpressionEmitter {
  readonly constants: string[] = [];
  readonly locations: DebugLocation[] = [];
  readonly chunk: string;
  readonly modes: CompileModes;
  /** The size of the code so far, from which the fuel of a loop is computed. */
  cost = 0;
  protected function: FunctionBody | undefined;
  readonly #constantNumbers = new Map<string, number>();
  readonly #locationNumbers = new Map<string, number>();
  #names = 0;

  constructor(chunk: string, modes: CompileModes) {
    this.chunk = chunk;
    this.modes = modes;
  }

  get globals(): string {
    return this.modes.environments ? "E.globals" : "G";
  }

  abstract emitFunction(body: FunctionBody): string;

  /** A name that is unique in the compiled script. */
  fresh(prefix: string): string {
    this.#names += 1;
    return `${prefix}${this.#names}`;
  }

  variable({ id }: LocalVariable): string {
    return `v${id}`;
  }

  constant(text: string): string {
    let number = this.#constantNumbers.get(text);
    if (number === undefined) {
      number = this.constants.push(asPropertyName(text)) - 1;
      this.#constantNumbers.set(text, number);
    }
    return `k${number}`;
  }

  location(line: number, left?: LuaExpression | "method", right?: LuaExpression, options: { name?: string; tail?: boolean } = {}): string {
    const [what, name] = left === "method" ? ["method", options.name ?? ""] : this.#described(left);
    const [otherWhat, otherName] = this.#described(right);
    const location: DebugLocation = { chunk: this.chunk, line, what, name, otherWhat, otherName, tail: options.tail ?? false };
    const key = JSON.stringify(location);
    let number = this.#locationNumbers.get(key);
    if (number === undefined) {
      number = this.locations.push(location) - 1;
      this.#locationNumbers.set(key, number);
    }
    return `s${number}`;
  }

  /** How Lua's messages name the value of an expression. */
  #described(expression: LuaExpression | undefined): [what: string, name: string] {
    switch (expression?.type) {
      case "local":
        return [expression.variable.owner === this.function ? "local" : "upvalue", expression.variable.name];
      case "global":
        return ["global", expression.name];
      case "index":
        return ["field", expression.key.type === "string" ? expression.key.value : "?"];
      case "parentheses":
        return this.#described(expression.inner);
      case "logic":
        // Lua folds away a left side that is constant.
        return isFoldedAway(expression) ? this.#described(expression.right) : ["", ""];
      default:
        return ["", ""];
    }
  }

  /** Emits an expression for exactly one value. */
  value(expression: LuaExpression): string {
    this.cost += 1;
    switch (expression.type) {
      case "nil":
        return "undefined";
      case "true":
      case "false":
        return expression.type;
      case "number":
        return String(expression.value);
      case "string":
        return this.constant(expression.value);
      case "vararg":
        return "va[0]";
      case "function":
        return this.emitFunction(expression.body);
      case "local":
        return this.variable(expression.variable);
      case "global":
        return `luaGetField(${this.globals}, ${this.constant(expression.name)}, ${this.location(expression.line)})`;
      case "index":
        return this.#index(expression);
      case "call":
      case "method":
        return `firstValue(${this.call(expression)})`;
      case "parentheses":
        return this.value(expression.inner);
      case "table":
        return this.#table(expression.items);
      case "logic":
        return this.#logic(expression);
      case "unary":
        return this.#unary(expression);
      case "binary":
        return this.#binary(expression);
    }
  }

  /** Emits an expression list whose last expression may have any number of values. */
  values(list: readonly LuaExpression[]): string {
    const last = list.at(-1);
    const single = list.slice(0, -1).map((expression) => this.value(expression));
    if (last === undefined) return "";
    return [...single, this.isOpen(last) ? `...${this.allOf(last)}` : this.value(last)].join(", ");
  }

  /** Emits all values of a multi-value expression as an array. The array must not be changed. */
  allOf(expression: LuaExpression): string {
    if (expression.type === "vararg") return "va";
    return expression.type === "call" || expression.type === "method"
      ? `allValues(${this.call(expression)})`
      : `[${this.value(expression)}]`;
  }

  isOpen(expression: LuaExpression): boolean {
    return expression.type === "call" || expression.type === "method" || expression.type === "vararg";
  }

  /** Emits the truth of an expression as a JavaScript condition. */
  condition(expression: LuaExpression): string {
    switch (expression.type) {
      case "logic": {
        const operator = expression.operator === "and" ? "&&" : "||";
        return `(${this.condition(expression.left)} ${operator} ${this.condition(expression.right)})`;
      }
      case "parentheses":
        return this.condition(expression.inner);
      case "unary":
        if (expression.operator === "not") return `!${this.condition(expression.operand)}`;
        break;
      case "local": {
        const name = this.value(expression);
        return `(${name} !== undefined && ${name} !== false)`;
      }
      default:
    }
    const value = this.value(expression);
    return isBoolean(expression) ? value : `((t = ${value}) !== undefined && t !== false)`;
  }

  /** Emits a call with all its results. */
  call(call: FunctionCall, isTail = false): string {
    this.cost += 2;
    const options = { tail: isTail };
    // JavaScript evaluates arguments in order, so `t` is read before a nested call can change it.
    const [location, callee, self] =
      call.type === "call"
        ? [this.location(call.line, call.callee, undefined, options), this.value(call.callee), []]
        : [this.location(call.line, "method", undefined, { ...options, name: call.name }), this.#method(call), ["t"]];
    const isOpen = call.args.some((argument) => this.isOpen(argument)) && this.isOpen(call.args.at(-1)!);
    const args = [...self, this.values(call.args)].filter((text) => text !== "").join(", ");
    if (this.modes.yields) return `(yield* ${isTail ? "tailYielding" : "callYielding"}(${location}, ${callee}, [${args}]))`;
    if (isTail) return `tail(${location}, ${callee}, [${args}])`;
    const count = self.length + call.args.length;
    return isOpen || count > 3
      ? `callAll(${location}, ${callee}, [${args}])`
      : `call${count}(${[location, callee, args].filter((text) => text !== "").join(", ")})`;
  }

  #method(call: Extract<FunctionCall, { type: "method" }>): string {
    return `method(t = ${this.value(call.object)}, ${this.constant(call.name)}, ${this.location(call.nameLine, call.object)})`;
  }

  #index({ object, key, line }: Extract<LuaExpression, { type: "index" }>): string {
    const access = key.type === "string" ? "luaGetField" : "luaGetTable";
    return `${access}(${this.value(object)}, ${this.value(key)}, ${this.location(line, object)})`;
  }

  #table(items: readonly TableItem[]): string {
    const listed = items.filter(({ key }) => key === undefined);
    if (listed.length === items.length) return `newTable([${this.values(listed.map(({ value }) => value))}])`;
    const parts = items.map(({ key, value, line }, index) => {
      if (key !== undefined) return `.set(${this.value(key)}, ${this.value(value)}, ${this.location(line)})`;
      if (index === items.length - 1 && this.isOpen(value)) return `.all(${this.allOf(value)})`;
      return `.item(${this.value(value)})`;
    });
    return `new TableConstructor()${parts.join("")}.table()`;
  }

  #logic({ operator, left, right }: Extract<LuaExpression, { type: "logic" }>): string {
    if (isBoolean(left)) {
      return operator === "and"
        ? `(${this.value(left)} ? ${this.value(right)} : false)`
        : `(${this.value(left)} ? true : ${this.value(right)})`;
    }
    const test = `((t = ${this.value(left)}) !== undefined && t !== false)`;
    return operator === "and" ? `(${test} ? ${this.value(right)} : t)` : `(${test} ? t : ${this.value(right)})`;
  }

  #unary({ operator, operand, line }: Extract<LuaExpression, { type: "unary" }>): string {
    if (operator === "not") return `!${this.condition(operand)}`;
    if (operator === "#") return `luaLength(${this.value(operand)}, ${this.location(line, operand)})`;
    if (operand.type === "number") return `(-${this.value(operand)})`;
    return `luaNegate(${this.value(operand)}, ${this.location(line, operand)})`;
  }

  #binary({ operator, left, right, line }: Extract<LuaExpression, { type: "binary" }>): string {
    const [one, other] = [this.value(left), this.value(right)];
    switch (operator) {
      case "==":
      case "~=":
        return this.#equality(operator === "==", left, right, one, other);
      case "<":
        return `luaLess(${one}, ${other}, ${this.location(line)})`;
      case "<=":
        return `luaLessOrEqual(${one}, ${other}, ${this.location(line)})`;
      case ">":
        // The operands are swapped, but still evaluated in order.
        return `luaGreater(${one}, ${other}, ${this.location(line)})`;
      case ">=":
        return `luaGreaterOrEqual(${one}, ${other}, ${this.location(line)})`;
      default: {
        const slow = `${arithmetic[operator]}(${one}, ${other}, ${this.location(line, left, right)})`;
        const tests = [left, right]
          .filter(({ type }) => type !== "number")
          .map((side) => `typeof ${side === left ? one : other} === "number"`);
        const isCheap = inlined.has(operator) && isRepeatable(left) && isRepeatable(right) && tests.length > 0;
        return isCheap ? `(${tests.join(" && ")} ? ${one} ${operator} ${other} : ${slow})` : slow;
      }
    }
  }

  #equality(positive: boolean, left: LuaExpression, right: LuaExpression, one: string, other: string): string {
    // Only tables have `__eq`, and only long strings are charged.
    const isPlain = [left, right].some(
      (side) => ["nil", "true", "false", "number"].includes(side.type) || (side.type === "string" && side.value.length < 256),
    );
    if (isPlain) return `(${one} ${positive ? "===" : "!=="} ${other})`;
    return `${positive ? "" : "!"}luaEqual(${one}, ${other})`;
  }
}

function isFoldedAway(logic: Extract<LuaExpression, { type: "logic" }>): boolean {
  const left = folded(logic.left);
  if (logic.operator === "or") return left.type === "false" || left.type === "nil";
  return left.type === "true" || left.type === "string" || isNumber(left);
}

/** An expression after Lua's constant folding. */
function folded(expression: LuaExpression): LuaExpression {
  if (expression.type === "parentheses") return folded(expression.inner);
  return expression.type === "logic" && isFoldedAway(expression) ? folded(expression.right) : expression;
}

/** Whether Lua folds the expression to a number. */
function isNumber(expression: LuaExpression): boolean {
  switch (expression.type) {
    case "number":
      return true;
    case "parentheses":
      return isNumber(expression.inner);
    case "unary":
      return expression.operator === "-" && isNumber(expression.operand);
    case "binary":
      return expression.operator in arithmetic && expression.operator !== ".." && isNumber(expression.left) && isNumber(expression.right);
    default:
      return false;
  }
}

/** Returns the text as the engine interns property names. Field lookups then compare by pointer. */
function asPropertyName(text: string): string {
  // An object without a prototype is a dictionary. An ordinary one would cost a hidden class per text.
  const names: Record<string, boolean> = Object.create(null);
  names[text] = true;
  return Object.keys(names)[0] ?? text;
}

function isRepeatable({ type }: LuaExpression): boolean {
  return type === "local" || type === "number";
}

function isBoolean(expression: LuaExpression): boolean {
  switch (expression.type) {
    case "true":
    case "false":
      return true;
    case "binary":
      return ["==", "~=", "<", "<=", ">", ">="].includes(expression.operator);
    case "unary":
      return expression.operator === "not";
    case "parentheses":
      return isBoolean(expression.inner);
    default:
      return false;
  }
}
