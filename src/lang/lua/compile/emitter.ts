import type { StatementBlock, LuaExpression, FunctionBody, Label, Statement, AssignmentTarget } from "./ast.ts";
import { ExpressionEmitter } from "./expression-emitter.ts";
import { areTangled, labelPositions, resolvedLabel, type LabelPosition } from "./labels.ts";

/** The JavaScript statement for a goto. */
type Jump = string;

/** Emits a parsed script as the body of a JavaScript function. ExpressionEmitter says what makes this safe. */
export class Emitter extends ExpressionEmitter {
  #loops: string[] = [];
  #jumps = new Map<Label, Jump>();
  /** Locals that a state machine declares before its loop, because its statements do not run in textual order. */
  #hoisted = new Set<number>();

  emitFunction(body: FunctionBody): string {
    const outer = { function: this.function, loops: this.#loops, jumps: this.#jumps, cost: this.cost, hoisted: this.#hoisted };
    this.function = body;
    this.#loops = [];
    this.#jumps = new Map();
    this.#hoisted = new Set();
    this.cost = 0;
    const parameters = body.parameters.map((variable) => this.variable(variable));
    if (body.isVararg) parameters.push("...va");
    const isOld = body.argTable !== undefined && !body.usesVararg;
    const argTable = body.argTable === undefined ? "" : `let ${this.variable(body.argTable)} = ${isOld ? "argTable(va)" : "undefined"};`;
    const statements = this.#block(body.body);
    const toll = this.cost > 64 ? this.#toll(this.cost, body.line) : "";
    this.function = outer.function;
    this.#loops = outer.loops;
    this.#jumps = outer.jumps;
    this.#hoisted = outer.hoisted;
    this.cost = outer.cost + 2;
    const here = this.modes.environments ? "m.environments[m.depth - 1] = E;" : "";
    const text = `(${parameters.join(",")})${this.modes.yields ? "" : "=>"}{let t;${here}${argTable}${toll}${statements}return noValues;}`;
    const made = `closure(${this.modes.yields ? `yielding(function*${text})` : text})`;
    return this.modes.environments ? `withEnvironment((E) => ${made}, E)` : made;
  }

  /** The fuel that one turn of a loop costs. */
  #toll(cost: number, line: number): string {
    return `if ((m.fuel -= ${1 + (cost >> 3)}) < 0) outOfFuel(${this.location(line)});`;
  }

  #block({ statements }: StatementBlock, end = ""): string {
    const labels = labelPositions(statements);
    if (labels.length === 0) return this.#sequence(statements) + end;
    return areTangled(labels) ? this.#machine(statements, labels, end) : this.#nest(statements, labels, end);
  }

  #sequence(statements: readonly Statement[]): string {
    return statements.map((statement) => this.#statement(statement)).join("");
  }

  /**
   * Emits structured jumps. A forward goto breaks out of a labelled block that begins at the first goto. A backward goto
   * continues a loop from the label to the end of the block. Locals after the label are fresh in every turn, as in Lua.
   */
  #nest(statements: readonly Statement[], labels: readonly LabelPosition[], end: string): string {
    const starts = forwardStarts(labels);
    const names = new Map(labels.map(({ label }) => [label, this.fresh("J")] as const));
    for (const { label } of labels) this.#jumps.set(label, `break ${names.get(label)};`);
    let text = "";
    const closing: string[] = [];
    statements.forEach((statement, index) => {
      for (const { label, at } of labels.toReversed()) {
        if (starts.get(label) === index && at > index) text += `${names.get(label)}: {`;
      }
      if (statement.type !== "label") {
        text += this.#statement(statement);
        return;
      }
      const here = labels.find(({ label }) => label === statement.label)!;
      if (here.from < index) text += "}";
      if (!here.comesBack) return;
      const loop = this.fresh("J");
      this.#jumps.set(here.label, `continue ${loop};`);
      text += `${loop}: for (;;) {${this.#toll(8 * (statements.length - index), here.label.line)}`;
      closing.unshift(`break ${loop};}`);
    });
    return text + end + closing.join("");
  }

  /** Emits arbitrary jumps as a state machine: one `case` per label, and a goto sets the state. */
  #machine(statements: readonly Statement[], labels: readonly LabelPosition[], end: string): string {
    const [state, loop] = [this.fresh("p"), this.fresh("J")];
    labels.forEach(({ label }, index) => this.#jumps.set(label, `{${state} = ${index + 1}; continue ${loop};}`));
    const variables = statements.flatMap((statement) =>
      statement.type === "local" ? statement.variables : statement.type === "local function" ? [statement.variable] : [],
    );
    for (const { id } of variables) this.#hoisted.add(id);
    const declared = variables.map((variable) => `let ${this.variable(variable)};`).join("");
    const body = statements.map((statement) =>
      statement.type === "label" ? `case ${labels.findIndex(({ label }) => label === statement.label) + 1}:` : this.#statement(statement),
    );
    const toll = this.#toll(8 * statements.length, labels[0]?.label.line ?? 0);
    return `${declared}let ${state} = 0;${loop}: for (;;) {${toll}switch (${state}) {case 0:${body.join("")}}${end}break;}`;
  }

  #statement(statement: Statement): string {
    this.cost += 1;
    switch (statement.type) {
      case "local":
        return this.#local(statement);
      case "local function": {
        const name = this.variable(statement.variable);
        return `${this.#hoisted.has(statement.variable.id) ? "" : `let ${name};`}${name} = ${this.emitFunction(statement.body)};`;
      }
      case "assign":
        return this.#assign(statement);
      case "call":
        return `${this.call(statement.call)};`;
      case "do":
        return `{${this.#block(statement.body)}}`;
      case "while":
        return this.#loop(statement.line, () => [
          "for (;;)",
          `if (!${this.condition(statement.condition)}) break;${this.#block(statement.body)}`,
        ]);
      case "repeat":
        return this.#repeat(statement);
      case "if":
        return this.#if(statement);
      case "for":
        return this.#for(statement);
      case "for in":
        return this.#forIn(statement);
      case "return":
        return this.#return(statement.values);
      case "break":
        return `break ${this.#loops.at(-1)};`;
      case "goto":
        return this.#jumps.get(resolvedLabel(statement.label)) ?? "";
      case "label":
        return "";
    }
  }

  #loop(line: number, emit: (label: string) => [head: string, body: string], before = ""): string {
    const label = this.fresh("L");
    const costBefore = this.cost;
    this.#loops.push(label);
    const [head, body] = emit(label);
    this.#loops.pop();
    const text = `${label}: ${head} {${this.#toll(this.cost - costBefore, line)}${body}}`;
    return before === "" ? text : `{${before}${text}}`;
  }

  #repeat({ body, until, line }: Extract<Statement, { type: "repeat" }>): string {
    return this.#loop(line, (label) => {
      // The condition is emitted inside the block whose locals it sees, but it is compiled after the block.
      const statements = this.#block(body, "\0");
      return ["for (;;)", statements.replace("\0", () => `if (${this.condition(until)}) break ${label};`)];
    });
  }

  #if({ arms, otherwise }: Extract<Statement, { type: "if" }>): string {
    const parts = arms.map(({ condition, body }) => `if (${this.condition(condition)}) {${this.#block(body)}}`);
    if (otherwise !== undefined) parts.push(`{${this.#block(otherwise)}}`);
    return parts.join(" else ");
  }

  #for({ variable, from, to, step, body, line }: Extract<Statement, { type: "for" }>): string {
    const [i, end, by] = [this.fresh("i"), this.fresh("e"), this.fresh("d")];
    const location = this.location(line);
    const start = step === undefined ? "1" : this.value(step);
    const before =
      `let ${i} = ${this.value(from)}, ${end} = ${this.value(to)}, ${by} = ${start};` +
      `if (typeof ${i} !== "number" || typeof ${end} !== "number" || typeof ${by} !== "number") ` +
      `[${i}, ${end}, ${by}] = forNumbers(${i}, ${end}, ${by}, ${location});${i} -= ${by};`;
    const goesOn = step === undefined ? `(${i} += 1) <= ${end}` : `(${i} += ${by}, ${by} > 0 ? ${i} <= ${end} : ${end} <= ${i})`;
    return this.#loop(line, () => [`while (${goesOn})`, `let ${this.variable(variable)} = ${i};${this.#block(body)}`], before);
  }

  #forIn({ variables, values, body, line }: Extract<Statement, { type: "for in" }>): string {
    const walk = this.fresh("w");
    const [only] = values;
    const list = values.length === 1 && only !== undefined && this.isOpen(only) ? this.allOf(only) : `[${this.values(values)}]`;
    const before = `const ${walk} = forInIterator(${list}, ${this.location(line)});`;
    const sources = variables.map((variable, index) => `${this.variable(variable)} = ${walk}.${["k", "v"][index] ?? `more[${index}]`}`);
    return this.#loop(line, () => [`while (${walk}.step())`, `let ${sources.join(", ")};${this.#block(body)}`], before);
  }

  #return(values: readonly LuaExpression[]): string {
    const [only, ...rest] = values;
    if (only === undefined) return "return noValues;";
    if (rest.length > 0) return `return [${this.values(values)}];`;
    if (only.type === "call" || only.type === "method") return `return ${this.call(only, true)};`;
    return only.type === "vararg" ? "return va;" : `return ${this.value(only)};`;
  }

  #local({ variables, values }: Extract<Statement, { type: "local" }>): string {
    const { before, parts, after } = this.#spread(values, variables.length);
    const isHoisted = variables.some(({ id }) => this.#hoisted.has(id));
    const text = variables.map((variable, index) => `${this.variable(variable)} = ${parts[index]}`).join(", ");
    return `${before}${isHoisted ? "" : "let "}${text};${after}`;
  }

  /** The values of an expression list for `count` targets. Missing values are nil; surplus ones are evaluated and dropped. */
  #spread(values: readonly LuaExpression[], count: number): { before: string; parts: string[]; after: string } {
    const last = values.at(-1);
    if (last === undefined || !this.isOpen(last) || values.length >= count) {
      const parts = values.slice(0, count).map((value) => this.value(value));
      while (parts.length < count) parts.push("undefined");
      const after = values.slice(count).map((value) => `${this.isOpen(value) ? this.allOf(value) : this.value(value)};`);
      return { before: "", parts, after: after.join("") };
    }
    const heads = values.slice(0, -1).map((value) => [this.fresh("r"), this.value(value)] as const);
    const tail = this.fresh("r");
    const before = [...heads, [tail, this.allOf(last)] as const].map(([name, text]) => `const ${name} = ${text};`).join("");
    const parts = heads.map(([name]) => name);
    for (let index = 0; parts.length < count; index++) parts.push(`${tail}[${index}]`);
    return { before, parts, after: "" };
  }

  #assign({ targets, values, line }: Extract<Statement, { type: "assign" }>): string {
    const [target] = targets;
    const [value] = values;
    if (targets.length === 1 && values.length === 1 && target !== undefined && value !== undefined) {
      return this.#store(target, this.value(value), line);
    }
    const places = targets.map((each) => this.#place(each));
    const { before, parts, after } = this.#spread(values, targets.length);
    const held = parts.map((part) => [this.fresh("r"), part] as const);
    const stores = places.map(({ store }, index) => store(held[index]?.[0] ?? "undefined", line)).toReversed();
    const holds = held.map(([name, text]) => `const ${name} = ${text};`).join("");
    return `{${places.map((place) => place.before).join("")}${before}${holds}${after}${stores.join("")}}`;
  }

  /** Objects and keys of assignment targets are evaluated before the values. */
  #place(target: AssignmentTarget): { before: string; store: (value: string, line: number) => string } {
    if (target.type !== "index") return { before: "", store: (value, line) => this.#store(target, value, line) };
    const [object, key] = [this.fresh("r"), this.fresh("r")];
    return {
      before: `const ${object} = ${this.value(target.object)}, ${key} = ${this.value(target.key)};`,
      store: (value, line) => `luaSetTable(${object}, ${key}, ${value}, ${this.location(line, target.object)});`,
    };
  }

  #store(target: AssignmentTarget, value: string, line: number): string {
    switch (target.type) {
      case "local":
        return `${this.variable(target.variable)} = ${value};`;
      case "global":
        return `luaSetField(${this.globals}, ${this.constant(target.name)}, ${value}, ${this.location(line)});`;
      case "index": {
        const access = target.key.type === "string" ? "luaSetField" : "luaSetTable";
        return `${access}(${this.value(target.object)}, ${this.value(target.key)}, ${value}, ${this.location(line, target.object)});`;
      }
    }
  }
}

/** Where the block of each forward label begins, such that the blocks nest. */
function forwardStarts(labels: readonly LabelPosition[]): Map<Label, number> {
  const starts = new Map<Label, number>();
  for (const { label, at, from } of labels) {
    let start = from;
    for (const other of labels) {
      const begun = starts.get(other.label);
      if (begun !== undefined && begun < start && start < other.at && other.at < at) start = begun;
    }
    starts.set(label, start);
  }
  return starts;
}
