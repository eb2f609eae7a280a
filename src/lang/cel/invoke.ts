import type { CallExpr, Expr } from "./ast.ts";
import type { Resolution } from "./checker.ts";
import { constant, constantOf } from "./constant.ts";
import type { Overload } from "./declaration.ts";
import { CelProgramError, fail, CelFailure } from "./failure.ts";
import { Meter } from "./meter.ts";
import { compileCelRegex } from "./regex.ts";
import type { ExecutionFrame, Interpretable } from "./planner.ts";
import { ListValue, type CelValue } from "./value.ts";

/** Conversions of constants are folded at compile time; a failing one is a program error. Models cel-go interpreter/decorators.go */
const conversions: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "duration",
  "dyn",
  "int",
  "string",
  "timestamp",
  "type",
  "uint",
]);

/** Functions whose second argument is a regular expression. */
const matchers: ReadonlySet<string> = new Set(["matches", "find", "findAll"]);

export function planCall(
  call: CallExpr,
  { declaration, overloads, target }: Resolution,
  plan: (expr: Expr) => Interpretable,
): Interpretable {
  const runs = (target === undefined ? call.args : [target, ...call.args]).map(plan);
  const invoke = invokerOf(declaration.mismatch, overloads, declaration.direct);
  const run = withArguments(runs, invoke, costOf(overloads));
  if (runs.length === 1 && constantOf(runs[0]) !== undefined && conversions.has(declaration.name)) return folded(run);
  const second = constantOf(runs[1]);
  if (declaration.name === "@in" && overloads.length === 1 && second instanceof ListValue) return withArguments(runs, invoke, () => 0);
  // A constant pattern is compiled with the program.
  if (matchers.has(declaration.name) && typeof second === "string") asProgramError(() => compileCelRegex(second));
  return run;
}

function folded(run: Interpretable): Interpretable {
  return constant(asProgramError(() => run(unlimitedFrame())));
}

function asProgramError<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof CelFailure ? new CelProgramError(cause.message) : cause;
  }
}

function unlimitedFrame(): ExecutionFrame {
  return { slots: [], meter: new Meter(Number.POSITIVE_INFINITY) };
}

type Invoke = Overload["call"];
type CostOf = (args: readonly CelValue[], result: CelValue) => number;

/** Calls the first overload whose guards accept the arguments. */
function invokerOf(mismatch: (args: readonly CelValue[]) => string, overloads: readonly Overload[], direct: Invoke | undefined): Invoke {
  if (direct !== undefined) return direct;
  const [only] = overloads;
  if (overloads.length === 1 && only !== undefined) {
    const { guards, call } = only;
    return (...args) => (accepts(guards, args) ? call(...args) : refuse(mismatch, args));
  }
  return (...args) => {
    const found = overloads.find(({ guards }) => accepts(guards, args));
    return found === undefined ? refuse(mismatch, args) : found.call(...args);
  };
}

function accepts(guards: Overload["guards"], args: readonly (CelValue | Meter)[]): boolean {
  for (const [index, guard] of guards.entries()) {
    const argument = args[index];
    if (argument === undefined || argument instanceof Meter || !guard(argument)) return false;
  }
  return true;
}

function refuse(mismatch: (args: readonly CelValue[]) => string, args: readonly (CelValue | Meter)[]): never {
  return fail(mismatch(args.filter((argument): argument is CelValue => !(argument instanceof Meter))));
}

/** The cost function of a call. With several candidates the cost is 1 unless all of them declare one. */
function costOf(overloads: readonly Overload[]): CostOf | undefined {
  const costs = overloads.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  const [first] = costs;
  return overloads.length === 1 || costs.length === overloads.length ? first : undefined;
}

/** A constant cost is charged before the call, so a failing call is charged as well. */
function withArguments(runs: readonly Interpretable[], invoke: Invoke, cost: CostOf | undefined): Interpretable {
  const [first, second] = runs;
  if (runs.length === 1 && first !== undefined) return unary(first, invoke, cost);
  if (runs.length === 2 && first !== undefined && second !== undefined) return binary(first, second, invoke, cost);
  return (frame) => {
    const args = runs.map((run) => run(frame));
    for (const argument of args) frame.meter.read(argument);
    if (cost === undefined) frame.meter.charge(1);
    const result = invoke(...args, frame.meter);
    if (cost !== undefined) frame.meter.charge(cost(args, result));
    return result;
  };
}

function unary(argument: Interpretable, invoke: Invoke, cost: CostOf | undefined): Interpretable {
  return (frame) => {
    const value = argument(frame);
    frame.meter.read(value);
    if (cost === undefined) frame.meter.charge(1);
    const result = invoke(value, frame.meter);
    if (cost !== undefined) frame.meter.charge(cost([value], result));
    return result;
  };
}

function binary(left: Interpretable, right: Interpretable, invoke: Invoke, cost: CostOf | undefined): Interpretable {
  return (frame) => {
    const first = left(frame);
    const second = right(frame);
    frame.meter.read(first);
    frame.meter.read(second);
    if (cost === undefined) frame.meter.charge(1);
    const result = invoke(first, second, frame.meter);
    if (cost !== undefined) frame.meter.charge(cost([first, second], result));
    return result;
  };
}
