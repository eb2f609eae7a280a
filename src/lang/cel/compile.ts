import { check } from "./checker.ts";
import { namesFor } from "./environment.ts";
import { CelEvaluationError, CelSyntaxError, CelTypeError, Failure } from "./failure.ts";
import { toJson } from "./json.ts";
import { Meter } from "./meter.ts";
import { parse } from "./parser.ts";
import { Planner, type Frame, type Run } from "./plan.ts";
import { readerOf } from "./reader.ts";
import { asResource, typeOfSchema, type Described, type Schema } from "./schema.ts";
import { printIssues } from "./source.ts";
import { dyn, optionalOf, printType, type CelType } from "./type.ts";
import { validateLiterals } from "./validate.ts";
import { Optional, type Value } from "./value.ts";
import { readJson, type Read } from "./view.ts";

/** What a variable is: anything, or what a schema describes; `isOptional` makes it an optional value that may be empty. */
export type Variable = "dyn" | (Described & { readonly isOptional?: boolean });

export type CompileOptions = {
  /** The variables that an expression may use; none by default. */
  readonly variables?: Readonly<Record<string, Variable>>;
  /** Adds what CEL has and Kubernetes leaves out: `cel.bind`, `math`, `reverse` of texts, literals of mixed types. False by default. */
  readonly extensions?: boolean;
};

export type EvaluateOptions = {
  /** What the evaluation may cost, in Kubernetes' units; by default what a rule may cost there. */
  readonly budget?: number;
};

export type Program = {
  /** The type of the result, as cel-go prints it: `bool`, `list(string)`, `dyn`. */
  readonly type: string;
  /** The variables that the expression uses. */
  readonly variables: ReadonlySet<string>;
  /** Evaluates with the JSON that is bound to the variables, and gives JSON. Throws a CelEvaluationError. */
  evaluate(bindings: Readonly<Record<string, unknown>>, options?: EvaluateOptions): unknown;
};

/** What an evaluation found and what it cost, for those who want to know more than JSON says. */
export type Measured = { readonly value: Value; readonly cost: number };

export type MeasuredProgram = Program & { measure(bindings: Readonly<Record<string, unknown>>, options?: EvaluateOptions): Measured };

/** The limit of one rule. Models apiserver pkg/apis/cel/config.go PerCallLimit */
const perCallLimit = 1_000_000;

type Known = { readonly type: CelType; readonly read: Read; readonly absent: Value | undefined };

/** Compiles an expression. Throws a CelSyntaxError or CelTypeError whose message is cel-go's, places and all. */
export function compileMeasured(source: string, { variables = {}, extensions = false }: CompileOptions = {}): MeasuredProgram {
  const known = knowledgeOf(variables);
  const { expr, issues } = parse(source, extensions);
  if (expr === undefined || issues.length > 0) throw new CelSyntaxError(printIssues(source, issues));
  const names = namesFor(new Map([...known].map(([name, { type }]) => [name, type])), extensions);
  const checked = check(expr, names);
  const found = checked.issues.length > 0 ? checked.issues : validateLiterals(expr, checked.typeOf, extensions);
  if (found.length > 0) throw new CelTypeError(printIssues(source, found));
  const planner = new Planner(checked, names.types);
  const run = planner.plan(expr);
  return program(run, planner, known, printType(checked.type));
}

/** Variables with the same schema are of the same type, which is named after the first of them. */
function knowledgeOf(variables: Readonly<Record<string, Variable>>): ReadonlyMap<string, Known> {
  const names = new Map<Schema, string>();
  const entries = Object.entries(variables).map(([name, variable]) => {
    if (variable === "dyn") return [name, { type: dyn, read: readJson, absent: undefined }] as const;
    const typeName = names.get(variable.schema) ?? `${name}Type`;
    names.set(variable.schema, typeName);
    return [name, described(variable, typeName)] as const;
  });
  return new Map<string, Known>(entries);
}

function described({ schema, isResource, isOptional = false }: Exclude<Variable, "dyn">, typeName: string): Known {
  const type = typeOfSchema(schema, typeName, isResource);
  if (type === undefined) throw new CelTypeError("failed to convert to declType for CEL validation rules");
  const read = readerOf(isResource ? asResource(schema) : schema);
  if (!isOptional) return { type, read, absent: undefined };
  return { type: optionalOf(type), read: (json) => new Optional(read(json)), absent: Optional.none };
}

function program(run: Run, planner: Planner, known: ReadonlyMap<string, Known>, type: string): MeasuredProgram {
  const used = [...planner.variables].flatMap(([name, slot]) => {
    const knowledge = known.get(name);
    return knowledge === undefined ? [] : [{ name, slot, ...knowledge }];
  });
  const { slotCount } = planner;
  const frameFor = (bindings: Readonly<Record<string, unknown>>, { budget = perCallLimit }: EvaluateOptions): Frame => {
    const slots: Frame["slots"] = Array.from({ length: slotCount });
    for (const { name, slot, read, absent } of used) slots[slot] = bindings[name] === undefined ? absent : read(bindings[name]);
    return { slots, meter: new Meter(budget) };
  };
  return {
    type,
    variables: new Set(planner.variables.keys()),
    evaluate: (bindings, options = {}) =>
      asEvaluation(() => {
        const frame = frameFor(bindings, options);
        return toJson(run(frame), frame.meter);
      }),
    measure: (bindings, options = {}) =>
      asEvaluation(() => {
        const frame = frameFor(bindings, options);
        return { value: run(frame), cost: frame.meter.cost };
      }),
  };
}

function asEvaluation<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof Failure) throw new CelEvaluationError(cause.message);
    // Values can be nested deeper than a stack of calls may be.
    if (cause instanceof RangeError) throw new CelEvaluationError("value is nested too deeply", { cause });
    throw cause;
  }
}

/** Compiles an expression. Throws a CelSyntaxError or CelTypeError whose message is cel-go's, places and all. */
export function compile(source: string, options: CompileOptions = {}): Program {
  return compileMeasured(source, options);
}
