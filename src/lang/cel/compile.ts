import type { Expr } from "./ast.ts";
import { checkExpr, type CelEnv, type CheckedAst } from "./checker.ts";
import { CostEstimator } from "./cost-estimator.ts";
import { declaredSizeOf, maxCardinalityOf } from "./declared-size.ts";
import { celEnvFor } from "./environment.ts";
import { CelEvaluationError, CelSyntaxError, CelTypeError, CelFailure, fail } from "./failure.ts";
import { celToJson } from "./json.ts";
import { authorizerType, resourceCheckType } from "./library/authz.ts";
import { Meter } from "./meter.ts";
import { parseCel } from "./parser.ts";
import { Planner, type ExecutionFrame, type Interpretable } from "./planner.ts";
import { valueReaderOf } from "./value-reader.ts";
import { asResource, typeOfSchema, type SchemaDeclaration, type CelSchema } from "./schema.ts";
import { printIssues } from "./issue.ts";
import { dynType, optionalType, printType, type CelType } from "./type.ts";
import { validateLiterals } from "./validate.ts";
import { MapValue, Opaque, Optional, type CelValue } from "./value.ts";
import { readUntypedJson, type ValueReader } from "./json-view.ts";

/** A variable that a schema describes. `isOptional` makes it an optional value that may be empty. */
type DescribedVariable = SchemaDeclaration & { readonly isOptional?: boolean };

/** A variable whose fields are the results of other programs; one that does not compile is `dyn`. */
type ComposedVariable = { readonly composed: ReadonlyMap<string, CelProgram | undefined> };

/**
 * The type of a variable: `dyn`, what a schema describes, an authorizer, a question to it about a resource, or a composition.
 * The last three are bound to values: those of `authorizerValue`, `resourceCheckValue` and `composedValue`.
 */
export type VariableDeclaration = "dyn" | "authorizer" | "resourceCheck" | DescribedVariable | ComposedVariable;

type CelCompileOptions = {
  /** The variables that an expression may use. Default: none. */
  readonly variables?: Readonly<Record<string, VariableDeclaration>>;
  /**
   * Adds the parts of CEL that Kubernetes leaves out: `cel.bind`, `math`, `reverse` of strings, literals of mixed types. Default:
   * false.
   */
  readonly extensions?: boolean;
};

type CelEvaluateOptions = {
  /** The cost limit, in Kubernetes' units. Default: the limit of one rule. */
  readonly budget?: number;
};

export type CelProgram = {
  /** The type of the result, as cel-go prints it: `bool`, `list(string)`, `dyn`. */
  readonly type: string;
  /** The variables that the expression uses. */
  readonly variables: ReadonlySet<string>;
  /** Evaluates the expression with JSON bound to the variables and returns JSON. Throws a CelEvaluationError. */
  evaluate(bindings: Readonly<Record<string, unknown>>, options?: CelEvaluateOptions): unknown;
  /** Evaluates the expression, and says what it cost even when it fails. */
  run(bindings: Readonly<Record<string, unknown>>, options?: CelEvaluateOptions): CelRun;
};

/** The result of an evaluation. `value` is not converted to JSON: true and strings are themselves. */
export type CelRun = { readonly cost: number } & ({ readonly value: CelValue } | { readonly error: string });

/** The value of an evaluation, before its conversion to JSON, and its cost. */
type EvaluationDetails = { readonly value: CelValue; readonly cost: number };

export type CostTrackingProgram = CelProgram & {
  measure(bindings: Readonly<Record<string, unknown>>, options?: CelEvaluateOptions): EvaluationDetails;
};

/** The cost limit of one rule. Models apiserver pkg/apis/cel/config.go PerCallLimit */
const perCallLimit = 1_000_000;

type ResolvedVariable = { readonly type: CelType; readonly read: ValueReader; readonly absent: CelValue | undefined };

/** Compiles an expression. Throws a CelSyntaxError or CelTypeError with cel-go's message and positions. */
export function compileWithCost(source: string, options: CelCompileOptions = {}): CostTrackingProgram {
  const { expr, checked, names, known } = checkSource(source, options);
  const planner = new Planner(checked, names.types);
  const run = planner.plan(expr);
  const compiled = program(run, planner, known, printType(checked.type));
  resultTypes.set(compiled, checked.type);
  return compiled;
}

type CheckedSource = {
  readonly expr: Expr;
  readonly checked: CheckedAst;
  readonly names: CelEnv;
  readonly known: ReadonlyMap<string, ResolvedVariable>;
};

function checkSource(source: string, { variables = {}, extensions = false }: CelCompileOptions): CheckedSource {
  const known = resolveVariables(variables);
  const { expr, issues } = parseCel(source, extensions);
  if (expr === undefined || issues.length > 0) throw new CelSyntaxError(printIssues(source, issues));
  const names = celEnvFor(new Map([...known].map(([name, { type }]) => [name, type])), extensions);
  const checked = checkExpr(expr, names);
  const found = checked.issues.length > 0 ? checked.issues : validateLiterals(expr, checked.typeOf, extensions);
  if (found.length > 0) throw new CelTypeError(printIssues(source, found));
  return { expr, checked, names, known };
}

/** The most that an expression costs, and how many values like `self` one request can hold, by the schema of `self`. */
type CelCostEstimate = { readonly maxCost: number; readonly maxCardinality: number };

/** Estimates what an expression costs before there are values. Throws what `compileCel` throws for an expression that is not valid. */
export function estimateCelCost(source: string, self: SchemaDeclaration, options: CelCompileOptions = {}): CelCostEstimate {
  const { expr, checked } = checkSource(source, options);
  const size = declaredSizeOf(self);
  if (size === undefined) throw new CelTypeError("failed to convert to declType for CEL validation rules");
  return { maxCost: new CostEstimator(checked, size).costOf(expr), maxCardinality: maxCardinalityOf(size) };
}

/** The checker's type of a program's result. */
const resultTypes = new WeakMap<CelProgram, CelType>();

function composedType({ composed }: ComposedVariable): CelType {
  const fieldType = (field: string): CelType | undefined => {
    if (!composed.has(field)) return undefined;
    const part = composed.get(field);
    return (part === undefined ? undefined : resultTypes.get(part)) ?? dynType;
  };
  return { kind: "struct", name: "kubernetes.variables", fieldType };
}

/** Takes a binding that is a value already. */
function readValue(value: unknown): CelValue {
  return value instanceof Opaque || value instanceof MapValue ? value : fail("a value was expected");
}

/** Variables with the same schema have the same type, which is named after the first of them. */
function resolveVariables(variables: Readonly<Record<string, VariableDeclaration>>): ReadonlyMap<string, ResolvedVariable> {
  const names = new Map<CelSchema, string>();
  const entries = Object.entries(variables).map(([name, variable]) => {
    if (variable === "dyn") return [name, { type: dynType, read: readUntypedJson, absent: undefined }] as const;
    if (variable === "authorizer") return [name, { type: authorizerType, read: readValue, absent: undefined }] as const;
    if (variable === "resourceCheck") return [name, { type: resourceCheckType, read: readValue, absent: undefined }] as const;
    if ("composed" in variable) return [name, { type: composedType(variable), read: readValue, absent: undefined }] as const;
    const typeName = names.get(variable.schema) ?? `${name}Type`;
    names.set(variable.schema, typeName);
    return [name, described(variable, typeName)] as const;
  });
  return new Map<string, ResolvedVariable>(entries);
}

function described({ schema, isResource, isOptional = false }: DescribedVariable, typeName: string): ResolvedVariable {
  const type = typeOfSchema(schema, typeName, isResource);
  if (type === undefined) throw new CelTypeError("failed to convert to declType for CEL validation rules");
  const read = valueReaderOf(isResource ? asResource(schema) : schema);
  if (!isOptional) return { type, read, absent: undefined };
  return { type: optionalType(type), read: (json) => new Optional(read(json)), absent: Optional.none };
}

function program(run: Interpretable, planner: Planner, known: ReadonlyMap<string, ResolvedVariable>, type: string): CostTrackingProgram {
  const used = [...planner.variables].flatMap(([name, slot]) => {
    const knowledge = known.get(name);
    return knowledge === undefined ? [] : [{ name, slot, ...knowledge }];
  });
  const { slotCount } = planner;
  const frameFor = (bindings: Readonly<Record<string, unknown>>, meter: Meter): ExecutionFrame => {
    const slots: ExecutionFrame["slots"] = Array.from({ length: slotCount });
    for (const { name, slot, read, absent } of used) slots[slot] = bindings[name] === undefined ? absent : read(bindings[name]);
    return { slots, meter };
  };
  return {
    type,
    variables: new Set(planner.variables.keys()),
    evaluate: (bindings, options = {}) =>
      asEvaluation(() => {
        const frame = frameFor(bindings, meterFor(options));
        return celToJson(run(frame), frame.meter);
      }),
    run: (bindings, options = {}) => {
      const meter = meterFor(options);
      try {
        return { value: asEvaluation(() => run(frameFor(bindings, meter))), cost: meter.cost };
      } catch (cause) {
        if (cause instanceof CelEvaluationError) return { error: cause.message, cost: meter.cost };
        throw cause;
      }
    },
    measure: (bindings, options = {}) =>
      asEvaluation(() => {
        const frame = frameFor(bindings, meterFor(options));
        return { value: run(frame), cost: frame.meter.cost };
      }),
  };
}

function meterFor({ budget = perCallLimit }: CelEvaluateOptions): Meter {
  return new Meter(budget);
}

function asEvaluation<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof CelFailure) throw new CelEvaluationError(cause.message);
    // Values can be nested deeper than the JavaScript stack allows.
    if (cause instanceof RangeError) throw new CelEvaluationError("value is nested too deeply", { cause });
    throw cause;
  }
}

/** Compiles an expression. Throws a CelSyntaxError or CelTypeError with cel-go's message and positions. */
export function compileCel(source: string, options: CelCompileOptions = {}): CelProgram {
  return compileWithCost(source, options);
}
