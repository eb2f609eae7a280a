import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { estimateCelCost, type CelSchema } from "./index.ts";

type Recorded = {
  readonly schemas: Readonly<Record<string, CelSchema>>;
  readonly rules: readonly {
    readonly rule: string;
    readonly schema: string;
    readonly isRoot?: boolean;
    readonly optionalOldSelf?: boolean;
    readonly cost: number;
    readonly cardinality: number;
  }[];
};

// Answers of apiextensions pkg/apiserver/schema/cel Compile of Kubernetes v1.35.8 itself.
const recorded = JSON.parse(readFileSync(new URL("recorded/costs.json", import.meta.url), "utf8")) as Recorded;

test("rules cost what the API server estimates", () => {
  for (const { rule, schema, isRoot = false, optionalOldSelf = false, cost, cardinality } of recorded.rules) {
    const self = { schema: recorded.schemas[schema] ?? {}, isResource: isRoot };
    const variables = { self, oldSelf: { ...self, isOptional: optionalOldSelf } };
    const { maxCost, maxCardinality } = estimateCelCost(rule, self, { variables });
    assert.deepEqual({ rule, cost: maxCost, cardinality: maxCardinality }, { rule, cost, cardinality });
  }
});
